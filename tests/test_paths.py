"""From a sentence to the home are few hops, and the documents draw them as they are.

A hop is a call from one module into another: modules are taken from the stack while Home Assistant
is called.
"""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
import re
import traceback

from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Event, HomeAssistant, callback
import pytest

import custom_components.bellboard as package
from tests.conftest import Setup
from tests.test_forwarding import DONE, model

HOUSE = Path(package.__file__).parent
DOCUMENT = Path(__file__).parent.parent / "docs" / "architecture.md"
MOST_HOPS = 8

RECOGNISED = "A recognised sentence"
ROUTED = "A routed sentence"
ANSWERED = "An answered question"
UNDONE = "An undo"


@contextmanager
def paths(hass: HomeAssistant) -> Generator[list[list[str]]]:
    """Collect the modules on the way to each call of the home, from the conversation entity on."""
    found: list[list[str]] = []

    @callback
    def async_called(event: Event) -> None:
        if event.data["domain"] != "light":
            return
        files = [Path(frame.filename) for frame in traceback.extract_stack()]
        own = [str(f.relative_to(HOUSE)) for f in files if f.is_relative_to(HOUSE)]
        way = [module for module, _ in groupby(own)]
        found.append(way[way.index("conversation.py") :])

    stop = hass.bus.async_listen(EVENT_CALL_SERVICE, async_called)
    try:
        yield found
    finally:
        stop()


def drawn(title: str) -> list[str]:
    """Return the modules that the document draws between a title and the home."""
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.search(rf"\| {re.escape(title)} \|[^|]*\|([^|]*)\|", text)
    assert found, title
    return re.findall(r"`([\w/]+\.py)`", found[1])


@pytest.mark.parametrize(
    ("title", "sentences"),
    [
        pytest.param(RECOGNISED, ["turn on the floor lamp"], id="recognised"),
        pytest.param(ROUTED, ["it has become rather gloomy around the reading lamp"], id="routed"),
        pytest.param(ANSWERED, ["turn on the bedside lamp", "the left one"], id="answered"),
        pytest.param(UNDONE, ["turn on the floor lamp", "undo that"], id="undone"),
    ],
)
async def test_a_path_to_the_home_is_short_and_as_it_is_drawn(
    hass: HomeAssistant, speak: Setup, title: str, sentences: list[str]
) -> None:
    speaker = await speak(model(DONE))
    *before, last = sentences
    for sentence in before:
        await speaker.say(sentence)
    with paths(hass) as found:
        said = await speaker.say(last)
    assert found, said.reply
    # The last of the hops is that into Home Assistant.
    assert max(map(len, found)) <= MOST_HOPS
    assert [drawn(title)] * len(found) == found

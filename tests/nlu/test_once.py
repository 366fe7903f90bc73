"""A sentence is cut into tokens once a turn, covered once, and put to Home Assistant's templates at most once."""

from collections import Counter
from collections.abc import Iterator, Sequence
import re
from typing import Any

from homeassistant.components.conversation import default_agent
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.nlu import spans, tokens
from tests.conftest import Setup
from tests.one_house import in_one_house


class CountingPattern:
    """The pattern of tokens, which tells what it is looked for in."""

    def __init__(self, found: Counter[tuple[str, str]]) -> None:
        """Count in `found`."""
        self._found, self._pattern = found, tokens._TOKEN

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Count a text, and find its tokens."""
        self._found["cut", text] += 1
        return self._pattern.finditer(text)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """Return how often each text was cut, covered and recognised, by what was done and the text."""
    found: Counter[tuple[str, str]] = Counter()
    cover, recognize = spans.cover, default_agent.recognize_best

    def count_cover(cut: Sequence[tokens.Token], *arguments: Any, **options: Any) -> Any:
        found["cover", " ".join(token.word for token in cut)] += 1
        return cover(cut, *arguments, **options)

    def count_recognize(said: str, *more: Any, **options: Any) -> Any:
        found["recognise", said] += 1
        return recognize(said, *more, **options)

    monkeypatch.setattr(tokens, "_TOKEN", CountingPattern(found))
    monkeypatch.setattr(spans, "cover", count_cover)
    monkeypatch.setattr(default_agent, "recognize_best", count_recognize)
    return found


@in_one_house(
    "text",
    [
        "turn on the floor lamp",
        "switch off all in the kitchen but the counter",
        "I would like the reading lamp somewhat brighter",
        "set the bedroom thermostat to 20 degrees and turn off the desk lamp",
        "which lights are on in the kitchen?",
        "if the front door is unlocked lock it",
        "turn the lights off in ten minutes",
    ],
)
async def test_a_sentence_is_read_once(
    hass: HomeAssistant, speak: Setup, counted: Counter[tuple[str, str]], *, text: str
) -> None:
    speaker = await speak()
    tokens.tokenise.cache_clear()
    spans._covered.cache_clear()
    counted.clear()
    await speaker.say(text)
    words = " ".join(token.word for token in tokens.tokenise(text))
    assert counted["cut", text] == 1
    # Once as a command, and once as a question.
    assert counted["cover", words] <= (2 if "?" in text else 1)
    assert counted["recognise", text] <= 1

"""Ten turns of a house with a model, each of its own kind, and the events that they tell.

The document prints them: `scripts/telemetry-events` writes them into it anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
import json
from pathlib import Path
import re
from typing import Any

from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from custom_components.bellboard.telemetry.sinks import EVENT_TELEMETRY
from custom_components.bellboard.telemetry.trace import TelemetryEvent
from tests.conftest import Setup
from tests.test_confirm import Rule, of_domain
from tests.test_forwarding import DONE, STEPS, forward, is_decision

DOCUMENT = Path(__file__).parents[2] / "docs" / "telemetry.md"
BEGIN, END = "<!-- ten turns -->", "<!-- end of ten turns -->"

TURNS: Sequence[tuple[str, Sequence[str]]] = (
    ("recognised", ["turn on the floor lamp"]),
    ("routed by the model", ["it has become rather gloomy around the reading lamp"]),
    ("a question and its answer", ["turn on the bedside lamp", "the left one"]),
    ("a reference", ["turn it off"]),
    ("undone", ["undo that"]),
    ("unknown", ["gnorp the fizzle"]),
    ("denied by a policy", ["open the kitchen blinds"]),
    ("failed", ["turn on the night light"]),
    ("several agents", ["turn off the floor lamp and mute the kitchen speaker"]),
    ("next steps", [STEPS]),
)
"""What is said, by what it shows."""


@dataclass(frozen=True)
class Turn:
    """One turn: what it shows, what was said, and its events."""

    shows: str
    said: str
    events: Sequence[TelemetryEvent]


def _model() -> Any:
    """Return the model of the house: it is at a loss where nobody knows what is said."""
    decisions = [forward("general-agent", "Say what was turned off."), DONE]

    def answer(messages: Sequence[Any], schema: Mapping[str, Any] | None) -> Any:
        if schema is None:
            return "It was the hallway ceiling."
        if is_decision(schema):
            return decisions.pop(0)
        said = str(messages[-1].content)
        if "agentId" in schema["properties"]:
            return {"agentId": "nobody" if "gnorp" in said else "light"}
        return {"actions": [{"action": "turn_off" if "hallway" in said else "turn_on"}]}

    return answer


async def async_take_turns(hass: HomeAssistant, speak: Setup) -> list[Turn]:
    """Say all sentences in one conversation, and return the turns."""
    heard = async_capture_events(hass, EVENT_TELEMETRY)
    speaker = await speak(_model())
    hass.data[DATA_POLICY] = Rule(PolicyEffect.DENY, of_domain("cover"), reason="It is late.")
    state = hass.states.get("light.night_light")
    assert state
    turns: list[Turn] = []
    for shows, sentences in TURNS:
        for said in sentences:
            hass.states.async_set(
                "light.night_light", "unavailable" if shows == "failed" else state.state
            )
            heard.clear()
            await speaker.say(said)
            events = [TelemetryEvent.model_validate(event.data) for event in heard]
            turns.append(Turn(shows, said, events))
    return turns


def as_document(turns: Sequence[Turn]) -> str:
    """Return the turns as they are printed: with ids and times that are the same each time."""
    blocks: list[str] = []
    for number, turn in enumerate(turns, 1):
        began = datetime(2026, 11, 2, 8, number, tzinfo=UTC)
        lines = [
            json.dumps(
                _plain(event, number, began + timedelta(milliseconds=5 * place)), ensure_ascii=False
            )
            for place, event in enumerate(turn.events)
        ]
        title = f'**{turn.shows[:1].upper()}{turn.shows[1:]}:** "{turn.said}"'
        blocks.append("\n".join([title, "", "```jsonl", *lines, "```"]))
    return "\n\n".join(blocks)


def _plain(event: TelemetryEvent, number: int, at: datetime) -> dict[str, Any]:
    """Return an event as JSON, with its place in the document for what differs from run to run."""
    found = event.model_dump(mode="json")
    if "task_id" in found["payload"]:
        found["payload"]["task_id"] = "task-1"
    return found | {
        "timestamp": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "interaction_id": f"turn-{number}",
        "session_id": "conversation-1",
    }


def printed() -> str:
    """Return the turns as the document has them."""
    found = re.search(rf"{BEGIN}\n(.*)\n{END}", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert found
    return found[1].strip()


def write(text: str) -> None:
    """Write the turns into the document."""
    before, _, rest = DOCUMENT.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")

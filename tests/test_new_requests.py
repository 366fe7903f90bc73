"""A question that is open does not swallow a request of its own, whatever a model would make of it."""

from typing import Any

from custom_components.bellboard.llm.models import Message
from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

REQUESTS = [
    ("en", "turn on the bedside lamp", "it's too warm in {}", "it's freezing in {}"),
    ("de", "schalte Bedside Lamp ein", "in {} ist es zu warm", "in {} ist es zu kalt"),
    ("es", "enciende Bedside Lamp", "hace demasiado calor en {}", "hace demasiado frío en {}"),
    ("fr", "allume Bedside Lamp", "il fait trop chaud dans {}", "il fait trop froid dans {}"),
    ("it", "accendi Bedside Lamp", "fa troppo caldo in {}", "fa troppo freddo in {}"),
    ("it", "accendi Bedside Lamp", "è troppo caldo in {}", "è troppo freddo in {}"),
    ("nl", "zet Bedside Lamp aan", "het is te warm in {}", "het is te koud in {}"),
    ("pl", "włącz Bedside Lamp", "w {} jest za ciepło", "w {} jest za zimno"),
    ("pt", "acende Bedside Lamp", "faz muito calor em {}", "faz muito frio em {}"),
]
PLACES = {"Kids Room": "climate.kids_room_heating", "Bedroom": "climate.bedroom_thermostat"}


def choosing(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any] | str:
    """Return the first of what may be chosen, as a small model likes to."""
    fields = schema["properties"] if schema else {}
    chosen = {name: each["enum"][0] for name, each in fields.items() if "enum" in each}
    return chosen or brain(("music", "x"))(messages, schema)


@in_one_house(
    ("contract", "language", "said", "changed"),
    [
        (contract, language, (asks, text.format(place)), changed)
        for contract in ("small", "capable", None)
        for language, asks, *texts in REQUESTS
        for text, (place, changed) in zip(texts, PLACES.items(), strict=True)
    ],
)
async def test_a_new_request_is_done_while_a_question_is_open(
    speak: Setup, contract: str | None, language: str, said: tuple[str, str], changed: str
) -> None:
    speaker = await (speak(choosing, contract=contract) if contract else speak())
    asks, text = said
    asked = await speaker.say(asks, language=language)
    assert asked.result.continue_conversation, asked.reply
    done = await speaker.say(text, language=language)
    assert set(done.changes) == {changed}, done.reply

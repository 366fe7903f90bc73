"""What must not be carried out now is not: later, conditional, negated, or only asked."""

import pytest

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import choosing


def eager(_messages: object, schema: dict[str, object] | None) -> object:
    """Answer as a model that wants to act on everything."""
    if schema is None:
        return "I don't know."
    if "agentId" in str(schema):
        options = schema["properties"]["agentId"]["enum"]  # type: ignore[index]
        return {"agentId": "light" if "light" in options else options[0]}
    return {"actions": [{"action": "turn_on"}]}


@in_one_house(
    ("text", "language", "reply"),
    [
        ("make the guest lamp bright at six", "en", "so I did nothing"),
        ("switch the guest lamp on tomorrow", "en", "Tomorrow at 07:00"),
        ("dim the guest lamp in a while", "en", "so I did nothing"),
        ("make the guest lamp brighter when I leave", "en", "which person"),
        ("make the guest lamp brighter every morning", "en", "Only administrators"),
        ("make the guest lamp brighter if it is dark", "en", "check"),
        ("don't turn on the guest lamp", "en", "nothing"),
        ("please do not dim the guest lamp", "en", "nothing"),
        ("mach die Leselampe morgen um acht Uhr heller", "de", "08:00"),
        ("mach die Leselampe heller wenn ich komme", "de", "prüfen"),
        ("mach die Leselampe nicht heller", "de", "nichts"),
        ("rends la lampe plus claire demain matin", "fr", "Dans quelle pièce"),
        ("allume la lampe si je rentre", "fr", "vérifier"),
        ("n'allume pas la lampe", "fr", "rien"),
    ],
)
async def test_what_is_not_for_now_is_not_done_now(
    speak: Setup, text: str, language: str, reply: str
) -> None:
    speaker = await speak(eager)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert reply in said.reply


@in_one_house(
    ("language", "text", "reply"),
    [
        ("en", "turn on the {} and dim the guest lamp in a while",
         "I can't plan “dim the guest lamp in a while” like that."),
        ("es", "enciende {} y atenúa Reading Lamp dentro de un rato",
         "No puedo programar así «atenúa Reading Lamp dentro de un rato»."),
        ("fr", "allume {} et baisse Reading Lamp dans un moment",
         "Je ne peux pas prévoir « baisse Reading Lamp dans un moment » ainsi."),
        ("it", "accendi {} e abbassa Reading Lamp tra un po'",
         "Non posso programmare così «abbassa Reading Lamp tra un po'»."),
    ],
)  # fmt: skip
async def test_of_parts_only_the_one_that_cannot_be_planned_is_told_to_be_left(
    speak: Setup, language: str, text: str, reply: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text.format("Floor Lamp"), language=language)
    assert {*said.changes} == {"light.floor_lamp"}, said.reply
    assert said.reply.endswith(f". {reply}")


@in_one_house(
    ("text", "language"),
    [
        ("is the guest lamp rather blue today", "en"),
        ("which lamp would you say is the brightest", "en"),
        ("how come the reading lamp is so bright", "en"),
        ("warum ist die Leselampe so hell", "de"),
        ("pourquoi la lampe est allumée", "fr"),
    ],
)
async def test_a_question_never_reaches_an_agent_that_acts(
    speak: Setup, text: str, language: str
) -> None:
    speaker = await speak(eager)
    said = await speaker.say(text, language=language)
    assert not said.changes


@in_one_house(
    ("code", "text"),
    [
        ("en", "the floor lamp is on, right?"),
        ("de", "die Stehlampe ist wohl noch an?"),
        ("pt", "a Floor Lamp está acesa?"),
        ("it", "la Floor Lamp è accesa?"),
    ],
)
async def test_a_model_finds_nothing_to_do_in_what_is_marked_as_a_question(
    speak: Setup, code: str, text: str
) -> None:
    speaker = await speak(choosing("light"))
    said = await speaker.say(text, language=code)
    assert not said.changes


async def test_a_question_beside_a_command_is_only_answered(speak: Setup) -> None:
    def answer(messages: object, schema: dict[str, object] | None) -> object:
        if schema and "agentId" in str(schema):
            return {"agentId": "light", "additionalAgents": ["light"]}
        return eager(messages, schema)

    speaker = await speak(answer)
    said = await speaker.say("start glowing, guest lamp, and tell me why the reading lamp is off")
    assert "light.reading_lamp" not in said.changes


@pytest.mark.parametrize(
    "text", ["make the guest lamp brighter", "set the reading lamp to 40 percent"]
)
async def test_what_is_for_now_is_not_held_back(speak: Setup, text: str) -> None:
    speaker = await speak(
        lambda *_: (
            {"actions": [{"action": "set", "percent": 40}]}
            if "40" in text
            else {"actions": [{"action": "change_brightness", "by": 10}]}
        )
    )
    said = await speaker.say(text)
    assert len(said.changes) == 1


@pytest.mark.parametrize("text", ["leave the front door open", "keep the garage door open"])
async def test_what_is_left_open_is_not_opened(speak: Setup, text: str) -> None:
    speaker = await speak()
    said = await speaker.say(text)
    assert not said.changes
    assert said.reply == "All right, I leave it as it is."

"""Names as people say them: numbers in words, slips of the ear, parts of names, rooms left out or doubled."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "said_names.yaml"
OFF = [
    ("en", "turn off Sonoff four", "switch.sonoff_4"),
    ("en", "turn light two off", "light.light_2"),
    ("en", "turn off light one", "light.light_1"),
    ("en", "turn off lamp two", "light.lamp_2"),
    ("de", "mach Lampe zwei aus", "light.lamp_2"),
    ("es", "apaga la lámpara dos", "light.lamp_2"),
    ("fr", "éteins la lampe deux", "light.lamp_2"),
    ("it", "spegni la lampada due", "light.lamp_2"),
    ("nl", "doe lamp twee uit", "light.lamp_2"),
    ("pl", "wyłącz lampę dwa", "light.lamp_2"),
    ("pt", "desliga o candeeiro dois", "light.lamp_2"),
    ("sv", "släck lampa två", "light.lamp_2"),
    # As it is heard
    ("en", "turn of the arc lamp", "light.arc"),
    ("en", "switch of Emma's lamp", "light.emma"),
    ("fr", "éteint la lampe deux", "light.lamp_2"),
    ("de", "macht die Lampe zwei aus", "light.lamp_2"),
    ("nl", "doet lamp twee uit", "light.lamp_2"),
    # Less than the name, or more
    ("en", "turn off the arc", "light.arc"),
    ("en", "turn off the main light in the living room", "light.main"),
    ("en", "turn off the living room main light", "light.main"),
    ("en", "switch the porch off", "light.porch"),
    ("en", "turn off the light on the porch", "light.porch"),
    ("en", "turn off the kitchen kitchen light", "light.kitchen"),
    ("en", "turn off the bedside lamps", "light.bedside"),
    ("en", "turn off the bedroom bedside lamp", "light.bedside"),
    ("en", "turn off Emmas lamp", "light.emma"),
    ("en", "turn off the lamp of Emma", "light.emma"),
    ("de", "mach die Arclampe aus", "light.arc"),
]
LEVELS = [
    ("en", "set light two to four percent", ("light.light_2", 10)),
    ("en", "dim light one to 20 percent", ("light.light_1", 51)),
    ("de", "dimme Lampe zwei auf dreißig Prozent", ("light.lamp_2", 76)),
]
# There is no third light, no seventh Sonoff, and "two lights" are any two.
NOTHING = [
    ("en", "turn on light three"),
    ("en", "turn on light two and light three"),
    ("en", "turn on the arc seven"),
    ("en", "turn off Sonoff seven"),
    ("en", "turn off two lights"),
    ("en", "turn off a light"),
    ("en", "turn on another light"),
    ("de", "schalte Lampe drei ein"),
    ("de", "mach zwei Lampen aus"),
    ("de", "schalte die Lampe aus"),
    ("fr", "éteins deux lampes"),
]
ASKED = [
    ("en", "is Sonoff four on?", "Yes."),
    ("en", "is light two on", "Yes."),
    ("de", "ist Lampe zwei an?", "Ja."),
]


@in_one_house(("language", "text", "meant"), OFF)
async def test_what_is_called_is_meant(speak: Setup, language: str, text: str, meant: str) -> None:
    """Turn off the one thing that is named, and no other."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {meant}


@in_one_house(("language", "text", "level"), LEVELS)
async def test_a_number_of_a_name_is_no_level(
    speak: Setup, hass: HomeAssistant, language: str, text: str, level: tuple[str, int]
) -> None:
    """Set the light with the number in its name to the other number."""
    said = await (await speak()).say(text, language=language)
    found = {each: hass.states.get(each) for each in said.changes}
    assert [(each, state and state.attributes["brightness"]) for each, state in found.items()] == [
        level
    ]


@in_one_house(("language", "text"), NOTHING)
async def test_what_has_no_such_number_is_left_alone(
    speak: Setup, language: str, text: str
) -> None:
    """Change nothing where nothing has the number that is said, or it tells how many."""
    said = await (await speak()).say(text, language=language)
    assert (said.changes, said.calls) == ({}, [])


@in_one_house(("language", "text", "answer"), ASKED)
async def test_what_is_called_is_asked_about(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    """Answer for what has the number in its name."""
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.changes) == (answer, {})

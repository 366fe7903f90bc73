"""What is planned is told as it will be done, and is taken back by voice, whatever was said in between."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockUser

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_undo import assistant_of

BLINDS, LAMP = "cover.bedroom_blinds", "light.floor_lamp"

# For later; what is planned; something else; and what takes it back: by "that", by the plan, by what it is for.
SAID: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "en": (
        "open the Bedroom Blinds in 10 minutes",
        "what is planned?",
        "turn on the Floor Lamp",
        (
            "never mind", "forget it", "cancel the plan", "cancel all plans", "forget what is planned",
            "cancel the Bedroom Blinds", "don't open the Bedroom Blinds after all", "don't open the blinds",
        ),
    ),
    "de": (
        "öffne Bedroom Blinds in 10 Minuten",
        "was ist geplant?",
        "schalte Floor Lamp ein",
        (
            "vergiss es", "schon gut", "streiche den Plan", "vergiss alle Pläne", "streiche, was geplant ist",
            "streiche Bedroom Blinds", "öffne Bedroom Blinds doch nicht",
        ),
    ),
    "es": (
        "abre Bedroom Blinds en 10 minutos",
        "qué hay programado",
        "enciende Floor Lamp",
        ("olvídalo", "déjalo", "cancela el plan", "cancela todos los planes", "cancela Bedroom Blinds",
         "no abras Bedroom Blinds"),
    ),
    "fr": (
        "ouvre Bedroom Blinds dans 10 minutes",
        "qu'est-ce qui est prévu",
        "allume Floor Lamp",
        ("laisse tomber", "annule le programme", "annule ce qui est prévu", "annule Bedroom Blinds",
         "n'ouvre pas Bedroom Blinds"),
    ),
    "it": (
        "apri Bedroom Blinds tra 10 minuti",
        "cosa c'è in programma",
        "accendi Floor Lamp",
        ("lascia stare", "annulla il programma", "annulla quello che è programmato", "annulla Bedroom Blinds",
         "non aprire Bedroom Blinds"),
    ),
    "nl": (
        "open Bedroom Blinds over 10 minuten",
        "wat staat er gepland",
        "doe Floor Lamp aan",
        ("laat maar", "annuleer het plan", "annuleer wat gepland is", "annuleer Bedroom Blinds",
         "open Bedroom Blinds toch niet"),
    ),
    "pl": (
        "otwórz Bedroom Blinds za 10 minut",
        "co jest zaplanowane",
        "włącz Floor Lamp",
        ("nieważne", "anuluj plan", "anuluj wszystkie plany", "anuluj Bedroom Blinds",
         "nie otwieraj Bedroom Blinds"),
    ),
    "pt": (
        "abre Bedroom Blinds daqui a 10 minutos",
        "o que está agendado",
        "liga Floor Lamp",
        ("esquece", "deixa estar", "cancela o plano", "cancela todos os planos", "cancela Bedroom Blinds",
         "não abras Bedroom Blinds"),
    ),
}  # fmt: skip


def waiting(hass: HomeAssistant) -> list[Any]:
    """Return what is planned."""
    return assistant_of(hass).delayed.waiting


CASES = [
    (language, back, between)
    for language, (*_, backs) in SAID.items()
    for back in backs
    for between in ("nothing", "what is planned", "something else")
]


@in_one_house(("language", "back", "between"), CASES)
async def test_what_is_planned_is_taken_back(
    hass: HomeAssistant,
    house: ConfigEntry,
    speak: Setup,
    *,
    language: str,
    back: str,
    between: str,
) -> None:
    later, ask, other, _ = SAID[language]
    speaker = await speak()
    planned = await speaker.say(later, language=language)
    assert len(waiting(hass)) == 1, planned.reply
    assert "Bedroom Blinds" in planned.reply
    assert "10" in planned.reply
    if between != "nothing":
        said = await speaker.say(ask if between == "what is planned" else other, language=language)
        assert between != "what is planned" or "Bedroom Blinds" in said.reply
        await speaker.say(other, language=language)
    told = await speaker.say(back, language=language)
    assert waiting(hass) == [], told.reply
    assert "Bedroom Blinds" in told.reply
    assert not told.changes
    assert not told.result.continue_conversation


@in_one_house(
    ("answer", "left"),
    [("the lamp", [BLINDS]), ("the blinds", [LAMP]), ("both", []), ("never mind", [BLINDS, LAMP])],
)
async def test_of_several_it_is_asked_which(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, answer: str, left: list[str]
) -> None:
    speaker = await speak()
    await speaker.say("open the bedroom blinds in 10 minutes")
    await speaker.say("turn off the floor lamp in 20 minutes")
    await speaker.say("turn on the reading lamp")
    asked = await speaker.say("never mind")
    assert asked.result.continue_conversation
    assert "Bedroom Blinds" in asked.reply
    assert "Floor Lamp" in asked.reply
    assert len(waiting(hass)) == 2
    await speaker.say(answer)
    assert [*waiting_for(hass)] == left


def waiting_for(hass: HomeAssistant) -> list[str]:
    """Return the entities of what is planned, sorted."""
    return sorted(target for command in waiting(hass) for target in command.targets)


async def test_only_ones_own_plans_are_taken_back(hass: HomeAssistant, speak: Setup) -> None:
    for user_id in ("anna", "ben"):
        MockUser(id=user_id).add_to_hass(hass).mock_policy({"entities": True})
    speaker = await speak()
    await speaker.say("open the bedroom blinds in 10 minutes", context=Context(user_id="anna"))
    for back in ("never mind", "cancel the plan", "don't open the bedroom blinds"):
        speaker.conversation_id = None
        await speaker.say(back, context=Context(user_id="ben"))
        assert len(waiting(hass)) == 1


async def test_a_question_or_a_command_about_the_same_device_takes_nothing_back(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("open the bedroom blinds in 10 minutes")
    for other in (
        "are the bedroom blinds open?",
        "close the bedroom blinds",
        "turn on all lights but not the floor lamp",
        "set the bedroom thermostat to 20 degrees",
    ):
        await speaker.say(other)
        assert len(waiting(hass)) == 1, other


LEFT = {
    "en": ("never mind", "forget it", "nevermind"),
    "de": ("vergiss es", "schon gut", "lass es"),
    "es": ("olvídalo", "déjalo"),
    "fr": ("laisse tomber",),
    "it": ("lascia stare",),
    "nl": ("laat maar",),
    "pl": ("nieważne",),
    "pt": ("esquece", "deixa estar"),
}


@in_one_house(
    ("language", "words"), [(language, words) for language, all_ in LEFT.items() for words in all_]
)
async def test_with_nothing_open_it_is_answered_shortly_and_corrects_nothing(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, language: str, words: str
) -> None:
    speaker = await speak()
    await speaker.say(SAID[language][2], language=language)
    said = await speaker.say(words, language=language)
    assert said.result.response.response_type.value != "error"
    assert not said.changes
    assert len(said.reply) < 60
    before = [*assistant_of(hass).traces]
    assert not any(trace.is_corrected for trace in before)


@in_one_house(
    ("language", "text"),
    [("es", "no abras Bedroom Blinds"), ("pt", "não abras Bedroom Blinds"), ("it", "non aprire Bedroom Blinds"),
     ("pl", "nie otwieraj Bedroom Blinds"), ("fr", "n'ouvre pas Bedroom Blinds"),
     ("en", "don't open the Bedroom Blinds"),
     ("de", "öffne Bedroom Blinds nicht"), ("nl", "open Bedroom Blinds niet")],
)  # fmt: skip
async def test_what_is_forbidden_is_no_correction_that_does_it(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(SAID[language][2], language=language)
    said = await speaker.say(text, language=language)
    assert BLINDS not in said.changes, said.reply

"""Talk leaves the home alone; what can be said is told with examples of it."""

import re
from typing import Any

from homeassistant.components.climate import ClimateEntityFeature
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from tests.agents.conftest import Answerer
from tests.asked_house import put
from tests.conftest import Setup
from tests.one_house import in_one_house

QUOTED = re.compile(r"[“„«”](.+?)[”“»]")
"""A sentence in quotes of any language."""


def general(text: str) -> Answerer:
    """Return a model that gives everything to whoever talks, and then says a text."""

    def answer(_messages: object, schema: dict[str, Any] | None) -> dict[str, Any] | str:
        return {"agentId": "general"} if schema else text

    return answer


@in_one_house(
    "text",
    [
        "did anybody open the garage door today?",
        "who switched the heating on this morning?",
        "how much power does the washing machine use?",
        "is the oven off?",
        "why is the bedroom so cold?",
        "how much electricity did we use last month?",
        "is our dishwasher finished?",
        "has the cat been fed?",
        "is anyone in the greenhouse?",
        "who is on the balcony?",
    ],
)
async def test_a_question_about_the_home_is_not_guessed(speak: Setup, text: str) -> None:
    speaker = await speak(general("Yes, it is."))
    said = await speaker.say(text)
    assert not said.changes
    assert "Yes, it is." not in said.reply


@in_one_house(
    "claim",
    [
        "I have turned on the lights for you.",
        "The Floor Lamp glows softly.",
        "Done, the door has been locked.",
    ],
)
async def test_talk_claims_nothing_of_the_home(speak: Setup, claim: str) -> None:
    speaker = await speak(general(claim))
    said = await speaker.say("tell me something nice")
    assert said.reply == "I can't tell you that about your home."


@in_one_house(
    "text",
    [
        "who invented the microwave?",
        "how much water should I drink?",
        "how do I clean an oven?",
        "how does the fridge work?",
        "who wrote Faust?",
        "what grows well in a garden?",
        "tell me a joke",
        "how do I boil an egg?",
        "how are you?",
    ],
)
async def test_other_talk_is_answered(speak: Setup, text: str) -> None:
    speaker = await speak(general("Here is what I know."))
    assert (await speaker.say(text)).reply == "Here is what I know."


@in_one_house(
    ("language", "text", "example"),
    [
        ("en", "what can you do?", "turn on Bathroom Ceiling"),
        ("en", "help", "turn on Bathroom Ceiling"),
        ("en", "who are you", "which lights are on?"),
        ("de", "Was kannst du?", "schalte Bathroom Ceiling ein"),
        ("fr", "Que sais-tu faire ?", "allume Bathroom Ceiling"),
        ("es", "¿Qué puedes hacer?", "enciende Bathroom Ceiling"),
        ("it", "Cosa sai fare?", "accendi Bathroom Ceiling"),
        ("nl", "Wat kun je?", "zet Bathroom Ceiling aan"),
        ("pl", "Co potrafisz?", "włącz Bathroom Ceiling"),
        ("pt", "O que sabes fazer?", "acende Bathroom Ceiling"),
    ],
)
async def test_what_can_be_said_is_told_with_examples_of_this_home(
    speak: Setup, language: str, text: str, example: str
) -> None:
    for with_model in (False, True):
        speaker = await speak(general("I am a model.") if with_model else None)
        said = await speaker.say(text, language=language)
        assert example in said.reply
        assert "I am a model." not in said.reply
        assert not said.changes
        if language == "en":
            assert ("language model" in said.reply) is not with_model


@in_one_house(
    ("language", "text"),
    [
        ("en", "tell me a joke"),
        ("en", "good morning"),
        ("de", "erzähl mir einen Witz"),
        ("fr", "raconte-moi une blague"),
        ("es", "cuéntame un chiste"),
        ("it", "raccontami una barzelletta"),
        ("nl", "vertel me een mop"),
        ("pl", "opowiedz mi dowcip"),
        ("pt", "conta-me uma piada"),
        ("sv", "berätta ett skämt"),
    ],
)
async def test_without_a_model_talk_is_told_what_can_be_said_instead(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()

    first = await speaker.say(text, language=language)
    again = await speaker.say(text, language=language)

    [instead] = QUOTED.findall(first.reply)
    assert not QUOTED.search(again.reply)
    told = await speaker.say(instead.strip(), language=language)
    assert "Bathroom Ceiling" in told.reply


async def test_examples_are_of_what_can_do_them(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    """Say no "set it to 21 degrees" of a thermostat that takes a range only."""
    put(
        hass,
        "climate.aisle",
        "Aisle",
        "heat_cool",
        supported_features=int(ClimateEntityFeature.TARGET_TEMPERATURE_RANGE),
        hvac_modes=["heat_cool", "off"],
        min_temp=7,
        max_temp=35,
        target_temp_low=18,
        target_temp_high=24,
    )
    speaker = await speak()
    told = (await speaker.say("what can you do?")).reply
    (example,) = [text for text in QUOTED.findall(told) if "21 degrees" in text]
    assert "Aisle" not in example
    assert (await speaker.say("set Aisle to 21 degrees")).reply == "Aisle can't do that."
    assert "climate.set_temperature" in {
        f"{call['domain']}.{call['service']}" for call in (await speaker.say(example)).calls
    }


@in_one_house(
    ("language", "lost", "text", "greeting"),
    [
        ("en", "turn on the xylophone", "hello", "Hello from Home Assistant."),
        ("de", "schalte das Xylophon ein", "hallo", "Hallo vom Home Assistant."),
        ("es", "enciende el xilófono", "hola", "Saludos desde Home Assistant."),
        ("sv", "tänd xylofonen", "hej", "Hej från Home Assistant."),
    ],
)
async def test_a_greeting_is_answered_also_after_what_was_not_understood(
    speak: Setup, language: str, lost: str, text: str, greeting: str
) -> None:
    """Take it for no value or "stop" that nothing is known for."""
    speaker = await speak()
    await speaker.say(lost, language=language)
    assert (await speaker.say(text, language=language)).reply == greeting


@in_one_house(
    ("language", "text", "is_home"),
    [
        ("de", "ist die Spülmaschine fertig?", True),
        ("de", "wer hat die Mikrowelle erfunden?", False),
        ("de", "ist jemand in der Garage?", True),
        ("es", "¿hay alguien en el balcón?", True),
        ("fr", "est-ce qu'il y a quelqu'un dans la cave ?", True),
        ("it", "c'è qualcuno in cantina?", True),
        ("nl", "is er iemand op zolder?", True),
        ("pl", "czy ktoś jest na strychu?", True),
        ("pt", "está alguém na varanda?", True),
        ("de", "wie viel Strom haben wir gestern verbraucht?", True),
        ("fr", "qui a inventé le frigo ?", False),
        ("fr", "est-ce que le facteur a vu le chat hier ?", True),
        ("es", "¿quién inventó el microondas?", False),
        ("es", "¿cuánta agua gastamos ayer?", True),
        ("it", "come funziona la lavatrice?", False),
        ("it", "quanta acqua si è consumata ieri?", True),
        ("nl", "wie heeft de magnetron uitgevonden?", False),
        ("nl", "hoeveel stroom is er gisteren verbruikt?", True),
        ("pl", "jak działa lodówka?", False),
        ("pl", "ile prądu zużyto wczoraj?", True),
        ("pt", "como funciona o frigorífico?", False),
        ("pt", "quanta água foi gasta ontem?", True),
    ],
)
async def test_a_household_is_not_guessed_and_its_things_are_talked_of(
    speak: Setup, language: str, text: str, *, is_home: bool
) -> None:
    speaker = await speak(general("Hm."))
    said = await speaker.say(text, language=language)
    assert (said.reply == "Hm.") is not is_home, said.reply

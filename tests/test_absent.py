"""What is named and not there is replaced by nothing: without a model, and with one that takes what it gets."""

from itertools import product
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml

from custom_components.bellboard.nlu.loader import async_get_language, available_languages
from tests.conftest import Setup, Speaker
from tests.one_house import in_one_house
from tests.servers import Message

SENTENCES: Any = load_yaml(str(Path(__file__).parent / "absent.yaml"))


def greedy(_messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any] | str:
    """Answer as a model that takes the first of all that it is offered."""
    return first(schema) if schema else "Done, it is on."


def first(schema: dict[str, Any]) -> Any:
    """Return the first value that a schema allows, all that is required in it."""
    if "enum" in schema:
        return schema["enum"][0]
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return first(choices[0])
    match schema.get("type"):
        case "object":
            return {name: first(schema["properties"][name]) for name in schema["required"]}
        case "array":
            return [first(schema["items"])]
        case "number" | "integer":
            return schema.get("minimum", 1)
        case _:
            return "x"


async def acted_on(speaker: Speaker, language: str) -> dict[str, list[str]]:
    """Say the sentences of a language, each alone; return what was done for those that did something."""
    done: dict[str, list[str]] = {}
    for entry in SENTENCES:
        if entry["language"] != language:
            continue
        speaker.conversation_id = None
        said = await speaker.say(entry["say"], language=language)
        if said.calls or said.changes:
            done[entry["say"]] = [*said.changes]
    return done


def test_every_language_has_its_sentences() -> None:
    assert len(SENTENCES) >= 60
    assert {entry["language"] for entry in SENTENCES} == {*available_languages()}


@in_one_house(("language", "with_model"), product(available_languages(), [False, True]))
async def test_what_is_not_there_is_replaced_by_nothing(
    speak: Setup, language: str, *, with_model: bool
) -> None:
    speaker = await speak(greedy if with_model else None)
    assert await acted_on(speaker, language) == {}


@in_one_house(
    ("language", "text"),
    [
        ("en", "put the floor lamp on the way we like it"),
        ("en", "put on the bedroom fan like that"),
        ("es", "pon Floor Lamp al veinte como siempre hacemos"),
        ("fr", "mets plutôt quelque chose comme ça pour les volets"),
        ("fr", "mets Bedroom Fan comme on l'aime"),
        ("it", "metti Floor Lamp come piace a noi"),
        ("pl", "włącz Floor Lamp tak jak lubimy"),
        ("sv", "sätt på Floor Lamp som vi brukar ha det"),
    ],
)
async def test_what_names_a_device_is_no_title_to_search_for(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not [call for call in said.calls if call["service"] == "search_media"], said.reply


@in_one_house(
    ("language", "text", "title"),
    [
        ("en", "put on the sauna", "sauna"),
        ("es", "pon la sauna", "sauna"),
        ("fr", "mets le sauna", "sauna"),
        ("it", "metti la sauna", "sauna"),
        ("pl", "włącz saunę", "saunę"),
        ("sv", "sätt på bastun", "bastun"),
    ],
)
async def test_what_may_be_a_device_is_told_to_be_unknown(
    hass: HomeAssistant, speak: Setup, language: str, text: str, title: str
) -> None:
    said = await (await speak()).say(text, language=language)
    words = await async_get_language(hass, language)
    assert not said.changes
    assert said.reply in {
        words.say("plan.unknown_media", query=title),
        words.say("plan.unknown_words", words=title),
    }

"""What is named and not there is replaced by nothing: without a model, and with one that takes what it gets."""

from itertools import product
from pathlib import Path
from typing import Any

from homeassistant.util.yaml import load_yaml

from custom_components.bellboard.nlu.loader import available_languages
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

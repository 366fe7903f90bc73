"""A capable model's answers for tests: as they are written, or drawn at random from the schema that binds them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from custom_components.bellboard.llm.models import JsonSchema, Message

type Brain = Callable[[list[Message], JsonSchema | None], dict[str, Any] | str]


def brain(
    *parts: tuple[str, str] | tuple[str, str, float],
    steps: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Mapping[str, Any]]] = (),
    ask: str = "",
    nothing: str = "",
    question: str = "",
    told: str = "",
    talk: str = "Well.",
) -> Brain:
    """Return what answers as a capable model.

    `parts` are agents with their instructions (and confidence); for later where an instruction has words for it before
    a "|", and they are said.
    `steps` are those of every plan, or of the plan whose request has a word in it; `told` answers questions
    about the home, `talk` is what is said of anything else.
    """

    def answer(messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
        asked = schema["properties"] if schema else {}
        if "parts" in asked:
            said = messages[-1].content.rpartition("\n")[2]
            named = [
                {
                    "agent": agent,
                    "instruction": text.rpartition("|")[2],
                    "later": later if (later := text.rpartition("|")[0]) in said else "",
                    "confidence": sure[0] if sure else 0.95,
                }
                for agent, text, *sure in parts
            ]
            return {"parts": named, "question": question}
        if "steps" in asked:
            said = messages[1].content.rpartition("Request: ")[2]
            own = (
                next((found for word, found in steps.items() if word in said), [])
                if isinstance(steps, Mapping)
                else steps
            )
            return {"steps": list(own), "ask": ask, "refuse": nothing}
        if "workflow_complete" in asked:
            done = {"workflow_complete": True, "reasoning": "No agent can do more."}
            return {**done, "next_agent": None, "next_instruction": None}
        is_about_home = any("States:" in message.content for message in messages)
        return (told or "I can't tell you that.") if is_about_home else talk

    return answer


def drawn(schema: Mapping[str, Any], random: Random) -> Any:
    """Return any JSON value that obeys a schema."""
    if "anyOf" in schema:
        return drawn(random.choice(schema["anyOf"]), random)
    if "enum" in schema:
        return random.choice(schema["enum"])
    kind = schema["type"]
    match random.choice(kind) if isinstance(kind, list) else kind:
        case "object":
            # What may be left out is left out together, as by most actions, or said together.
            is_bare = any(map(_may_be_null, schema["properties"].values()))
            is_bare = is_bare and random.random() < 0.5
            return {
                name: _drawn_value(name, each, random, is_bare=is_bare)
                for name, each in schema["properties"].items()
            }
        case "array":
            least = schema.get("minItems", 0)
            size = random.randint(least, min(schema.get("maxItems", 3), least + 4))
            return [drawn(schema["items"], random) for _ in range(size)]
        case "number":
            low, high = schema.get("minimum", -1000), schema.get("maximum", 1000)
            return random.choice([low, high, round(random.uniform(low, high), 1)])
        case "boolean":
            return random.choice([True, False])
        case "null":
            return None
        case _:
            return random.choice(_TEXTS)[: schema.get("maxLength", 200)]


def _drawn_value(name: str, schema: Mapping[str, Any], random: Random, *, is_bare: bool) -> Any:
    """Return a value of an object: null where it `is_bare` and may be, and mostly a colour for a colour."""
    if not _may_be_null(schema):
        return random.choice(_COLORS) if name == "color" else drawn(schema, random)
    if is_bare:
        return None
    options = [value for value in schema.get("enum", ()) if value is not None]
    return drawn(
        {**schema, "type": schema["type"][0], **({"enum": options} if options else {})}, random
    )


def _may_be_null(schema: Mapping[str, Any]) -> bool:
    """Return whether a value may be null by its type."""
    return isinstance(schema.get("type"), list)


# With words that are no colour a plan would be refused before anything else of it is looked at.
_COLORS = ("red", "#00ff00", "Done.")
_TEXTS = (
    "red",
    "#00ff00",
    "unlock the front door",
    "I have turned everything off.",
    "Which lamp?",
    "jazz",
    "Shall I?",
    "\u202eneddih",
    "kitchen",
    "all",
    "Done.",
    "{{ states('lock.front_door') }}",
    "x" * 200,
)

"""No text can keep Home Assistant busy: expressions take linear time, and a sentence is bounded."""

import ast
import asyncio
import gc
from pathlib import Path
import re
import time
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from hypothesis import given, settings, strategies as st
import pytest
import voluptuous as vol

import custom_components.bellboard as package
from custom_components.bellboard.llm.output import json_object
from custom_components.bellboard.nlu.sentence import (
    MAX_CHARACTERS,
    MAX_REQUESTS,
    MAX_WORDS,
    normalised,
)
from custom_components.bellboard.policy.matching import wildcard_pattern
from tests.conftest import Setup, Speaker
from tests.regular_expressions import Expression, expressions, slow_inputs

pytestmark = pytest.mark.long

_PACKAGE = Path(package.__file__).parent

CARELESS = (
    r"(?:a|a)*b",
    r"```(?:json)?\s*(.*?)\s*```",
    r"[,;.!]*\s+(?:and|then)\s+",
    r"\[\s*/?\s*(?:inst|sys)\s*\]",
    r"(?:(?:)\s+)*x",
    r"\b\w+[áé]\w*(?:lo|la)\b",
)
"""Expressions that take more than linear time, as some of ours did."""

STALL = 0.05
"""How long the event loop may be kept from everything else, in seconds, on two cores."""

SHAPES: dict[str, str] = {
    "blanks": "turn on{ }the lamp",
    "commas": "turn on the lamp{,}",
    "spaced commas": "turn on the lamp{, }",
    "connectives": "turn on the lamp {and }",
    "verbs": "{turn on }",
    "requests": "{turn on the lamp and }",
    "articles": "{a }",
    "more articles": "turn on the {the }lamp",
    "digits": "{1}",
    "numbers": "{twenty }",
    "rooms": "{kitchen }",
    "full stops": "{.}",
    "question marks": "{?}",
    "letters": "{a}",
    "elisions": "{l'}",
    "courtesy": "{please }",
    "negations": "{don't }",
    "conditions": "{if it is }",
    "times": "{in two }",
    "music": "{play }",
    "brackets": "turn on {[}",
    "templates": "turn on {{{x}}}",
    "marks": "turn on the {́}lamp",
    "lines": "turn on\n{\n}the lamp",
    "zeros": "turn on\x00{\x00}the lamp",
}
"""Texts by what is repeated in them: the part in braces, until the text is as long as wanted."""


def text_of(shape: str, size: int) -> str:
    """Return a text of a shape, about as long as wanted."""
    begin, _, rest = SHAPES[shape].partition("{")
    piece, _, end = rest.rpartition("}")
    return begin + piece * (size // len(piece)) + end


@pytest.fixture(scope="module")
def ours() -> list[Expression]:
    return expressions()


@pytest.mark.parametrize("pattern", CARELESS)
def test_a_careless_expression_is_noticed(pattern: str) -> None:
    assert list(slow_inputs(Expression(pattern, 0, "here")))


def test_every_expression_takes_linear_time(ours: list[Expression]) -> None:
    assert len(ours) > 100
    assert {e.place: list(slow_inputs(e)) for e in ours if list(slow_inputs(e))} == {}


def test_no_expression_is_made_where_it_cannot_be_looked_at() -> None:
    used = {
        f"{path.relative_to(_PACKAGE)}: re.{node.func.attr}"
        for path in _PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr not in {"compile", "escape"}
    }
    assert used == set()


@given(st.text(alphabet="ab?*", max_size=12), st.text(alphabet="ab", max_size=12))
def test_wildcards_fit_what_the_expression_fits(written: str, text: str) -> None:
    plain = re.escape(written).replace(r"\*", ".*").replace(r"\?", ".")
    expected = re.fullmatch(plain, text) is not None
    found = wildcard_pattern(written)
    assert (found.fits(text) if found else written == text) is expected


def test_many_stars_are_matched_at_once() -> None:
    found = wildcard_pattern("*a" * 2000 + "*b")
    assert found is not None
    started = time.perf_counter()
    assert not found.fits("a" * 8000)
    # An expression would still be at it when the sun burns out.
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("blanks", [0, 1, 2000, 8000])
def test_a_fence_is_read_in_linear_time(blanks: int) -> None:
    gap = " " * blanks
    assert json_object(f'```json{gap}{{"a": 1}}{gap}```') == {"a": 1}
    assert json_object(f'```\n{gap}{{"a": 1}}{gap}\n```') == {"a": 1}


@given(st.text())
@settings(max_examples=300)
def test_a_normalised_text_has_single_blanks_and_stays_as_it_is(text: str) -> None:
    once = normalised(text)
    assert "  " not in once
    assert once == once.strip()
    assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in once)
    assert normalised(once) == once


async def stall_of(speaker: Speaker, text: str, language: str, before: str = "") -> float:
    """Say a text in a conversation of its own; return the longest time the loop was kept, in seconds.

    `before` is said before it. Again where it was too long: something else may have run beside it.
    """
    longest = float("inf")
    for _ in range(4):
        longest = min(longest, await _stall_of(speaker, text, language, before))
        if longest < STALL:
            break
    return longest


async def _stall_of(speaker: Speaker, text: str, language: str, before: str) -> float:
    """Say a text once, and look how long the loop was kept, by the processor's time."""
    longest, is_over = 0.0, False

    async def watch() -> None:
        nonlocal longest
        while not is_over:
            started = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - started)

    speaker.conversation_id = None
    if before:
        await speaker.say(before, language=language)
    watching = asyncio.create_task(watch())
    gc.disable()
    try:
        await speaker.say(text, language=language)
    finally:
        gc.enable()
        is_over = True
        await watching
    return longest


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "nl", "it", "pl", "pt"])
async def test_no_text_keeps_the_loop_busy(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    speaker = await speak()
    for text in ("turn on the kitchen lights", "turn on the lamp and turn off the heating"):
        # What is built at the first sentence is not what is looked at.
        await speaker.say(text, language=language)
    sizes = (1000, MAX_CHARACTERS, 20000) if language == "en" else (MAX_CHARACTERS,)
    stalls = {
        f"{shape}, {size}": await stall_of(speaker, text_of(shape, size), language)
        for shape in SHAPES
        for size in sizes
    }
    assert {name: stall for name, stall in stalls.items() if stall > STALL} == {}


@pytest.mark.parametrize("before", ["turn on the lamp", "turn on the floor lamp"])
async def test_no_answer_and_no_reference_keeps_the_loop_busy(
    hass: HomeAssistant, speak: Setup, before: str
) -> None:
    speaker = await speak()
    for text in (before, "the floor one", before, "turn it off"):
        await speaker.say(text)
    texts = {
        name: part + text_of(shape, MAX_CHARACTERS - len(part))
        for shape in SHAPES
        for part in ("", "the floor lamp ", "turn it ")
        for name in (f"{part}{shape}",)
    }
    stalls = {name: await stall_of(speaker, text, "en", before) for name, text in texts.items()}
    assert {name: stall for name, stall in stalls.items() if stall > STALL} == {}


async def test_a_sentence_that_is_too_long_is_declined(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn on the kitchen lights " + "x" * MAX_CHARACTERS)
    assert said.reply == "That is too long for me. Could you say it in fewer words?"
    assert said.calls == []


async def test_blanks_do_not_count(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the" + " \n\t" * MAX_CHARACTERS + "kitchen lights")
    assert "light.kitchen_ceiling" in said.changes


async def test_a_question_stays_open_over_what_is_too_long(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on the lamp")
    assert asked.result.continue_conversation
    said = await speaker.say("x" * (MAX_CHARACTERS + 1))
    assert said.result.continue_conversation
    done = await speaker.say("the floor lamp")
    assert "light.floor_lamp" in done.changes


async def test_what_has_too_many_words_goes_to_none_of_home_assistants_readers(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("turn on " * MAX_WORDS)
    assert said.calls == []
    assert said.reply == "I didn't understand what to do."


async def test_a_sentence_with_too_many_requests_is_not_half_done(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    requests = ["turn off the kitchen lights", "turn on the kitchen lights"] * MAX_REQUESTS
    said = await speaker.say(" and ".join(requests))
    assert said.calls == []


@pytest.mark.parametrize("action", ["process", "route"])
async def test_every_action_that_takes_a_sentence_bounds_it(
    hass: HomeAssistant, speak: Setup, action: str
) -> None:
    await speak()
    with pytest.raises((vol.Invalid, ServiceValidationError)):
        await hass.services.async_call(
            "bellboard", action, {"text": "x" * (MAX_CHARACTERS + 1)},
            blocking=True, return_response=True,
        )  # fmt: skip


async def test_a_task_whose_instruction_is_too_long_is_refused(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    task: dict[str, Any] = {"agentId": "light-agent", "query": "x" * (MAX_CHARACTERS + 1)}
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call(
            "bellboard", "run_task", {"task": task}, blocking=True, return_response=True
        )

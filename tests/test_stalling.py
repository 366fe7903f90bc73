"""No text can keep Home Assistant busy: expressions take linear time, and a sentence is bounded."""

import ast
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle, islice, product
import json
from pathlib import Path
from random import Random
import re
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
import time
from typing import Any

from aiohttp import ClientSession
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import area_registry as ar, entity_registry as er
from hypothesis import given, settings, strategies as st
import pytest
import voluptuous as vol

import custom_components.bellboard as package
from custom_components.bellboard.a2a.client import MAX_REPLY
from custom_components.bellboard.a2a.errors import BadReplyError
from custom_components.bellboard.a2a.models import AgentReply, read_response
from custom_components.bellboard.llm.endpoint import MAX_BODY
from custom_components.bellboard.llm.errors import ModelError, ModelTimeoutError
from custom_components.bellboard.llm.models import Message
from custom_components.bellboard.llm.openai import OpenAIClient
from custom_components.bellboard.llm.output import json_object
from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.nlu.tokens import (
    MAX_CHARACTERS,
    MAX_COMMAND,
    MAX_REQUESTS,
    MAX_WORDS,
    normalised,
)
from custom_components.bellboard.policy.file import POLICIES_FILE, async_setup_policies
from custom_components.bellboard.policy.matching import wildcard_pattern
from custom_components.bellboard.services.run_task import MAX_CHARACTERS as MAX_TASK
from tests.conftest import Setup, Speaker
from tests.event_loop import STALL, longest_step
from tests.regular_expressions import Expression, expressions, slow_inputs
from tests.test_code_masking import RULES
from tests.thorough import part

pytestmark = pytest.mark.long

_PACKAGE = Path(package.__file__).parent
LANGUAGES = available_languages()

CARELESS = (
    r"(?:a|a)*b",
    r"```(?:json)?\s*(.*?)\s*```",
    r"[,;.!]*\s+(?:and|then)\s+",
    r"\[\s*/?\s*(?:inst|sys)\s*\]",
    r"(?:(?:)\s+)*x",
    r"\b\w+[áé]\w*(?:lo|la)\b",
)
"""Expressions that take more than linear time, as some of ours did."""

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
    "moments": "turn on the lamp {at ten tomorrow evening }",
    "days": "turn on the lamp every {monday and }",
    "ends": "turn on the lamp {until sunset for an hour }",
    "reminders": "remind me to {call at ten that }",
    "waits": "{when the door opens }turn on the lamp",
    "waits and times": "{when it is dark at ten and }",
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
    assert {e.place: slow for e in ours if (slow := list(slow_inputs(e)))} == {}


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


async def stall_of(speaker: Speaker, text: str, language: str = "en", before: str = "") -> float:
    """Return the longest time that saying a text in a conversation of its own kept the loop, in seconds.

    `before` is said before it.
    """

    async def say() -> None:
        # Without a look at the house before and after it, which takes longer than the sentence does.
        conversation_id = None
        for each in filter(None, (before, text)):
            result = await conversation.async_converse(
                speaker.hass,
                each,
                conversation_id,
                Context(),
                language=language,
                agent_id=speaker.agent_id,
            )
            conversation_id = result.conversation_id

    return await longest_step(say)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_text_keeps_the_loop_busy(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    speaker = await speak()
    for text in ("turn on the kitchen lights", "turn on the lamp and turn off the heating"):
        # What is built at the first sentence is not what is looked at.
        await speaker.say(text, language=language)
    sizes = [MAX_COMMAND - 1, MAX_CHARACTERS]
    sizes += [1000, 20000] if language == "en" else []
    stalls = {
        f"{shape}, {size}": await stall_of(speaker, text_of(shape, size), language)
        for size in sizes
        for shape in part(SHAPES, 1 if language == "en" else 2, first=LANGUAGES.index(language))
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
        name: begin + text_of(shape, MAX_CHARACTERS - len(begin))
        for shape in part(SHAPES, 2, first=len(before))
        for begin in ("", "the floor lamp ", "turn it ")
        for name in (f"{begin}{shape}",)
    }
    stalls = {name: await stall_of(speaker, text, "en", before) for name, text in texts.items()}
    assert {name: stall for name, stall in stalls.items() if stall > STALL} == {}


def repeated(words: str, size: int = MAX_COMMAND - 1) -> str:
    """Return words again and again, as many as one command may have."""
    return f"{words} " * (size // (len(words) + 1))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_repeated_name_keeps_the_loop_busy(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    speaker = await speak()
    await speaker.say("turn on the kitchen lights", language=language)
    names = [state.name for state in hass.states.async_all()]
    names += [area.name for area in ar.async_get(hass).async_list_areas()]
    words = sorted({name.split()[0] for name in names} | {"Dust", "Nigth", "Sideboard lamb"})
    assert len(words) > 30
    some = part(words, 4, first=LANGUAGES.index(language))
    stalls = {word: await stall_of(speaker, repeated(word), language) for word in some}
    assert {word: stall for word, stall in stalls.items() if stall > STALL} == {}


SOUP = [
    "turn",
    "on",
    "off",
    "the",
    "a",
    "all",
    "lamp",
    "light",
    "lights",
    "kitchen",
    "bedroom",
    "window",
    "open",
    "close",
    "up",
    "down",
    "is",
    "in",
    "to",
    "by",
    "and",
    ",",
    "half",
    "percent",
    "20",
    "30",
    "degrees",
    "warm",
    "red",
    "if",
    "not",
    "but",
    "except",
    "other",
    "one",
    "both",
    "play",
    "stop",
    "louder",
    "radio",
    "speaker",
    "fan",
    "heating",
    "garage",
    "door",
    "lock",
    "night",
    "more",
    "less",
    "brighter",
    "this",
    "that",
    "them",
    "here",
    "everywhere",
    "set",
    "make",
    "please",
]

# The dearest of some hundreds, of which each was dear in its own way.
DEAR = (
    "bedroom in open heating window garage make on bedroom is",
    "lock by that radio except to on 20 lamp less brighter up them this",
    "except by close brighter warm turn open turn all close speaker in lights please stop door stop everywhere to all",
)


@pytest.mark.timeout(120)
async def test_nothing_keeps_a_house_of_thousands_busy(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    fill(hass, 5000)
    await hass.async_block_till_done()
    await speaker.say("turn on the floor lamp")
    random = Random(5)  # noqa: S311 -- the same each time
    texts = [" ".join(random.choices(SOUP, k=12)) for _ in range(2)]
    texts += [*DEAR, text_of("requests", MAX_COMMAND - 1)]
    texts += [" and ".join(["turn on the light"] * count) for count in (MAX_REQUESTS, 14)]
    stalls = {text: await stall_of(speaker, text) for text in texts}
    stalls |= {word: await stall_of(speaker, repeated(word), "de") for word in ("Dust",)}
    assert {text: stall for text, stall in stalls.items() if stall > STALL} == {}


async def test_a_house_of_thousands_is_read_anew_in_slices(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    fill(hass, 5000)
    await hass.async_block_till_done()
    lamp = er.async_get(hass).async_get("light.floor_lamp")
    assert lamp

    async def rename() -> None:
        er.async_get(hass).async_update_entity(lamp.entity_id, name="Reading Lamp")
        await hass.async_block_till_done()
        er.async_get(hass).async_update_entity(lamp.entity_id, name=None)

    for change in (None, rename):
        if change:
            assert await longest_step(change) < STALL
        assert await stall_of(speaker, "turn on the floor lamp") < STALL


def fill(hass: HomeAssistant, number: int) -> None:
    """Put so many more entities into the house, all with names of their own and exposed."""
    names = product(
        [
            "Amber",
            "Azure",
            "Coral",
            "Crimson",
            "Emerald",
            "Ivory",
            "Lilac",
            "Ochre",
            "Olive",
            "Umber",
        ],
        [
            "Study",
            "Parlour",
            "Gallery",
            "Pantry",
            "Library",
            "Cabin",
            "Loft",
            "Cellar",
            "Studio",
            "Attic",
        ],
        ["Left", "Right", "Upper", "Lower", "Front"],
        [
            "Ceiling",
            "Pendant",
            "Lantern",
            "Sconce",
            "Spot",
            "Strip",
            "Uplight",
            "Torch",
            "Lamp",
            "Light",
        ],
    )
    domains = cycle(["light", "light", "switch", "cover", "media_player", "climate", "fan", "lock"])
    for words, domain in islice(zip(names, domains, strict=False), number):
        entity_id = f"{domain}.{'_'.join(words)}".lower()
        hass.states.async_set(entity_id, "off", {"friendly_name": " ".join(words)})


def task_of(**context: Any) -> dict[str, Any]:
    """Return a task that is given to the lights, with more in its context."""
    return {
        "version": "2.0",
        "conversation_id": "shed",
        "topic": "/control/agents/light-agent/input",
        "instruction": "turn on the floor lamp",
        "context": {"original_query": "turn it on", "iteration_count": 1, **context},
    }


async def run_task(hass: HomeAssistant, task: dict[str, Any]) -> None:
    """Give a task to the agent that it names."""
    await hass.services.async_call(
        "bellboard", "run_task", {"task": task}, blocking=True, return_response=True
    )


def steps_of(number: int, size: int) -> list[dict[str, str]]:
    """Return so many steps of a task, each of which tells so many characters, and no two the same."""
    told = repeated("turned on 4711 and twenty two", MAX_CHARACTERS)
    return [
        {"agent_id": "light-agent", "action": f"{at} {told}"[:size], "timestamp": "2026-01-01"}
        for at in range(number)
    ]


async def test_no_task_keeps_the_loop_busy_where_codes_are_masked(
    hass: HomeAssistant, speak: Setup, tmp_path: Path
) -> None:
    hass.config.config_dir = str(tmp_path)
    (tmp_path / POLICIES_FILE).write_text(RULES, "utf-8")
    speaker = await speak()
    await async_setup_policies(hass)
    await speaker.say("turn on the floor lamp")
    for number, size in ((MAX_TASK // 2000, 1900), (MAX_TASK // 160, 80)):
        task = task_of(steps_completed=steps_of(number, size))
        assert await longest_step(partial(run_task, hass, task)) < STALL


def nested(levels: int) -> list[Any]:
    """Return a list in a list, and so on."""
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


@pytest.mark.parametrize(
    "more",
    [
        {"steps_completed": steps_of(300, 1950)},
        {"steps_completed": [{}] * 100_000},
        {"more": {str(at): at for at in range(100_000)}},
        {"more": nested(3000)},
    ],
    ids=["texts", "values", "keys", "levels"],
)
async def test_a_task_that_is_too_large_is_refused_at_once(
    hass: HomeAssistant, speak: Setup, more: dict[str, Any]
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")

    async def refuse() -> None:
        with pytest.raises(ServiceValidationError) as refused:
            await run_task(hass, task_of(**more))
        assert refused.value.translation_key == "task_too_large"

    assert await longest_step(refuse) < STALL


@contextmanager
def server_of(body: bytes, content_type: str = "text/event-stream") -> Iterator[str]:
    """Serve a body to whoever asks, in a thread of its own, and give the address."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            with suppress(OSError):
                # Whoever has enough of it hangs up.
                self.request.sendall(head.encode() + body)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


_DELTA = b'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
_QUESTION = [Message(role="user", content="what is a bell?")]


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"\r\n",
        b":\n",
        b"event: x\n",
        b"data: {}\n",
        _DELTA,
        b"{\n",
        b"{}\n",
        b"[" * 999 + b"\n",
    ],
    ids=repr,
)
async def test_no_stream_of_a_model_keeps_the_loop_busy(line: bytes) -> None:
    with server_of(line * (MAX_BODY // len(line))) as url:
        async with ClientSession() as session:
            client = OpenAIClient(session, url, model="m")

            async def listen() -> None:
                with pytest.raises(ModelError):
                    async for _ in client.stream(_QUESTION):
                        pass

            assert await longest_step(listen) < STALL


@pytest.mark.parametrize(
    ("begin", "piece", "end"),
    [
        ('{"choices":[', "{},", "{}]}"),
        ('{"more":[', "[],", "[]]}"),
        ('{"more":[', "1,", "1]}"),
        ('{"choices":[{"message":{"content":[', '{"type":"text","text":"a"},', "{}]}}]}"),
        ('{"choices":[{"logprobs":{"content":[', '{"token":"a","logprob":-1},', "{}]}}]}"),
        ('{"choices":[{"message":{"content":"', "<think>", '"}}]}'),
    ],
)
async def test_no_answer_of_a_model_keeps_the_loop_busy(begin: str, piece: str, end: str) -> None:
    for size in (MAX_BODY, MAX_BODY // 8):
        body = begin + piece * ((size - len(begin + end)) // len(piece)) + end
        with server_of(body.encode(), "application/json") as url:
            async with ClientSession() as session:
                client = OpenAIClient(session, url, model="m")

                async def ask(client: OpenAIClient = client) -> None:
                    with suppress(ModelError):
                        await client.complete(_QUESTION)

                assert await longest_step(ask) < STALL


_TASK = '{"result":{"id":"1","status":{"state":"completed"%s}%s}}'


@pytest.mark.parametrize(
    ("shape", "piece"),
    [
        (_TASK % ("", ',"artifacts":[%s]'), "{}"),
        (_TASK % ("", ',"artifacts":[%s]'), '{"parts":[{}]}'),
        (_TASK % ("", ',"artifacts":[{"parts":[%s]}]'), "{}"),
        (_TASK % ("", ',"history":[%s]'), "{}"),
        (_TASK % (',"message":{"parts":[%s]}', ""), '{"text":"a"}'),
        ('{"result":{"parts":[%s]}}', '{"text":"a"}'),
        ('{"result":{"parts":[{"text":"a"}],"more":[%s]}}', "[]"),
    ],
)
async def test_no_reply_of_another_agent_keeps_the_loop_busy(shape: str, piece: str) -> None:
    body = (shape % ",".join([piece] * ((MAX_REPLY - len(shape)) // (len(piece) + 1)))).encode()

    async def read() -> None:
        with suppress(BadReplyError):
            read_response(body, "1")

    assert await longest_step(read) < STALL


async def test_a_reply_of_many_pieces_is_read_whole() -> None:
    parts = [{"text": f"{at}"} for at in range(900)]
    artifacts = [{"parts": parts}] + [{"parts": [{"text": "end"}]}] * 9
    task = {"id": "1", "status": {"state": "completed"}, "artifacts": artifacts}
    answer = read_response(json.dumps({"result": task}).encode(), "1")
    assert AgentReply.of(answer).text.split("\n")[898:901] == ["898", "899", "end"]


async def test_a_stream_is_over_when_its_time_is_though_all_of_it_is_there() -> None:
    with server_of(_DELTA * 1000) as url:
        async with ClientSession() as session:
            client = OpenAIClient(session, url, model="m")
            client.begins_inside = False
            with pytest.raises(ModelTimeoutError):  # noqa: PT012 -- it comes while the stream is read
                async for _ in client.stream(_QUESTION, timeout=0.3):
                    # Nobody waits for the server meanwhile: what it sent has come.
                    await asyncio.sleep(0.02)


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
    assert said.reply.startswith("Sorry, I couldn't understand that")


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

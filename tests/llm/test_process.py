"""The process: one request on standard input, one response on standard output, and exit codes that say which."""

import asyncio
import contextlib
from dataclasses import dataclass
import io
import json
import os
from pathlib import Path
import re
from shutil import copytree
import sys
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import uuid4

from jsonschema import Draft202012Validator
import pytest

from custom_components.bellboard.llm import process
from custom_components.bellboard.llm.envelope import (
    ActionRequest,
    ActionResponse,
    ActionResult,
    LlmRouterInvocationRequestV1,
)
from custom_components.bellboard.llm.errors import ToolError
from custom_components.bellboard.llm.process import (
    ANSWERED,
    FAILED,
    INTERRUPTED,
    MAX_INPUT,
    UNREADABLE,
    UnreadableError,
    read_request,
    read_response,
    run,
    timeout_of,
)
from custom_components.bellboard.llm.providers import PROVIDERS
from tests.servers import Fault, RunningServer, ScriptedModel, openai_app

from .conftest import APPS, KEY, Build

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parent.parent.parent
AGENT = ROOT / "scripts" / "llm-router-agent"
PROMPT = "say swordfish"
# Processes one after the other that a real model answers, and a tenth of these at once; more every night.
IN_A_ROW = int(os.environ.get("BELLBOARD_PROCESSES", "10"))

_ID = {"type": ["string", "null"], "format": "uuid"}
RESPONSE = {
    "type": "object",
    "required": ["request_id", "status", "code"],
    "additionalProperties": False,
    "properties": {
        "request_id": {"type": "string", "format": "uuid"},
        "api_version": {"enum": [None, "v1", "V1"]},
        "status": {"enum": ["success", "error"]},
        "code": {"type": "integer"},
        "result": {
            "type": ["object", "null"],
            "required": ["output_type", "data"],
            "additionalProperties": False,
            "properties": {
                "output_type": {"enum": ["text", "error"]},
                "data": {"type": "string"},
                "metadata": {},
            },
        },
        "error": {"type": ["string", "null"]},
        "plan_id": _ID,
        "task_id": _ID,
        "correlation_id": _ID,
    },
}
"""The contract's ActionResponse, written down apart from our model."""


def validate_response(found: Any) -> None:
    """Check a response against the contract, and that its ids are UUIDs.

    Raises:
        ValidationError: it is not as it must be.
    """
    Draft202012Validator(RESPONSE, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        found
    )


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that ended: its exit code and what it wrote."""

    code: int
    out: bytes
    err: str

    def response(self) -> dict[str, Any]:
        """Return the one response it wrote, checked against the contract."""
        assert (self.code, self.err) == (ANSWERED, "")
        assert self.out.endswith(b"}\n")
        assert self.out.count(b"\n") == 1
        found: dict[str, Any] = json.loads(self.out)
        validate_response(found)
        return found

    def complaint(self, code: int) -> str:
        """Return the one line it complained with."""
        assert (self.code, self.out) == (code, b"")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        return self.err.strip()


async def ask(given: bytes | dict[str, Any], **environment: str) -> Ended:
    """Start the process as any other program would, and wait for its end."""
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    agent = await asyncio.create_subprocess_exec(
        AGENT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Elsewhere than in the repository, and with a path full of things that are not for it.
        cwd="/",
        env={**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT), **environment},
    )
    out, err = await agent.communicate(data)
    return Ended(agent.returncode or 0, out, err.decode())


def request_for(url: str, provider: str = "openai", **fields: Any) -> dict[str, Any]:
    """Return a request for a server's test model."""
    config = {"provider": provider, "api_key": KEY, "base_url": url, "model_name": "test-model"}
    return {
        "request_id": str(uuid4()),
        "api_version": None,
        "tool": "llm_router_agent",
        "action": "execute",
        "context": "",
        "plan_id": None,
        "task_id": None,
        "correlation_id": str(uuid4()),
        "payload": {"prompt": PROMPT, "config": config},
        **fields,
    }


# As a process


async def test_every_provider_answers_a_process() -> None:
    async with contextlib.AsyncExitStack() as stack:
        requests = []
        for name in PROVIDERS:
            model = ScriptedModel(lambda *_: "Guten Abend, schöne Lampe. 💡", key=KEY)
            server = await stack.enter_async_context(RunningServer(APPS[name], model))
            requests.append(request_for(server.url, name, plan_id=str(uuid4()), context="Dark."))
        ended = await asyncio.gather(*map(ask, requests))
    for request, name, end in zip(requests, PROVIDERS, ended, strict=True):
        assert end.response() == {
            "request_id": request["request_id"],
            "api_version": None,
            "status": "success",
            "code": 0,
            "result": {
                "output_type": "text",
                "data": "Guten Abend, schöne Lampe. 💡",
                "metadata": {"provider": name, "model": "test-model"},
            },
            "error": None,
            "plan_id": request["plan_id"],
            "task_id": None,
            "correlation_id": request["correlation_id"],
        }


async def test_a_call_that_fails_is_a_response() -> None:
    faults = {
        "cannot be reached": (Fault("stopped"), {}),
        "took too long": (Fault.slow(30), {"LLM_ROUTER_TIMEOUT": "0.5"}),
        "does not accept the key": (Fault.of_status(401), {}),
    }
    async with contextlib.AsyncExitStack() as stack:
        asking = []
        for fault, environment in faults.values():
            model = ScriptedModel(lambda *_: "Good evening.")
            server = await stack.enter_async_context(RunningServer(openai_app, model))
            await server.suffer(fault)
            asking.append(ask(request_for(server.url), **environment))
        ended = await asyncio.gather(*asking)
    for words, end in zip(faults, ended, strict=True):
        result = end.response()["result"]
        assert result["output_type"] == "error"
        assert result["data"].startswith("LLM Call Failed: ")
        assert words in result["data"]
        assert KEY not in result["data"]
        assert "swordfish" not in result["data"]


async def test_what_cannot_be_read_is_no_response() -> None:
    request = request_for("http://127.0.0.1:9")
    del request["tool"]
    damaged, incomplete, late = await asyncio.gather(
        ask(b'{"request_id": "swordfish'), ask(request), ask(b"{}", LLM_ROUTER_TIMEOUT="soon")
    )
    assert damaged.complaint(UNREADABLE).endswith("the input is not one JSON document")
    assert incomplete.complaint(UNREADABLE).endswith("the input is no ActionRequest: tool")
    assert late.complaint(UNREADABLE).endswith("LLM_ROUTER_TIMEOUT is no number of seconds")
    assert "swordfish" not in damaged.err + incomplete.err


ALONE = """
import sys

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("homeassistant", "custom_components", "voluptuous", "hassil"):
            raise ImportError(f"{name} is not for the process")

sys.meta_path.insert(0, Wall())
import calendar  # Python's: the integration has one, too.
sys.path.insert(0, sys.argv[1])
import llm.process
house = {n for n, m in sys.modules.items() if str(getattr(m, "__file__", "")).startswith(sys.argv[1])}
assert all(name.partition(".")[0] == "llm" for name in house), house
"""


async def test_it_needs_nothing_of_home_assistant_and_nothing_of_ours_but_the_wire() -> None:
    house = ROOT / "custom_components" / "bellboard"
    alone = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", ALONE, house, stderr=asyncio.subprocess.PIPE
    )
    _, err = await alone.communicate()
    assert (alone.returncode, err.decode()) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        # As HACS installs it, by its folder; as a module of the folder beside it; as one of Home Assistant's.
        (["custom_components/bellboard/llm"], ""),
        (["-m", "llm"], "custom_components/bellboard"),
        (["-m", "custom_components.bellboard.llm"], ""),
    ],
)
async def test_it_runs_where_the_integration_is_installed(
    tmp_path: Path, arguments: list[str], folder: str
) -> None:
    copytree(ROOT / "custom_components" / "bellboard", tmp_path / "custom_components" / "bellboard")
    async with RunningServer(openai_app, ScriptedModel(lambda *_: "Hello.")) as server:
        agent = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=tmp_path / folder,
        )
        out, err = await agent.communicate(json.dumps(request_for(server.url)).encode())
    ended = Ended(agent.returncode or 0, out, err.decode())
    assert ended.response()["result"]["data"] == "Hello."


def test_a_response_that_is_not_the_contracts_leaves_nobody(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    given = request_for("http://127.0.0.1:9")
    request = ActionRequest.model_validate(given)
    right = ActionResponse.of_text(request, "swordfish", provider="openai", model="m")
    for wrong in (
        {"status": "perhaps"},
        {"code": 3},
        {"error": "swordfish"},
        {"status": "error"},
        {"request_id": uuid4()},
        {"correlation_id": None},
        {"result": ActionResult(output_type="swordfish", data="x")},
        {"result": ActionResult(output_type="text", data="half a character \ud83d")},
    ):
        found = right.model_copy(update=wrong)
        monkeypatch.setattr(process, "_answer", lambda *_, found=found: found)
        written = io.BytesIO()
        assert process.run(io.BytesIO(json.dumps(given).encode()), written, {}) == FAILED
        assert written.getvalue() == b""
        told = capfd.readouterr().err
        assert told == "llm-router-agent: llm_router_agent failed (invalid_response)\n"


async def test_a_caller_has_the_response_or_the_tools_error(build: Build) -> None:
    house = await build("openai")
    given = request_for(house.server.url)
    request = ActionRequest.model_validate(given)
    ended = await ask(given)
    response = read_response(request, ended.code, ended.out)
    assert response.as_json() == ended.response()
    ended = await ask(b"nothing")
    assert ended.code == UNREADABLE
    other = request.model_copy(update={"request_id": uuid4()})
    for asked, code, written, kind in (
        (request, ended.code, ended.out, "process_failed): exit code 2"),
        (request, 0, b"swordfish", "invalid_response)"),
        (other, 0, response.model_dump_json().encode(), "invalid_response)"),
    ):
        with pytest.raises(ToolError) as failed:
            read_response(asked, code, written)
        assert str(failed.value) == f"llm_router_agent failed ({kind}"


async def test_a_python_that_will_not_do_is_named(tmp_path: Path) -> None:
    bare = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"
    )
    assert await bare.wait() == 0
    ended = await ask(request_for("http://127.0.0.1:9"), PYTHON=str(tmp_path / "bare/bin/python"))
    assert ended.complaint(FAILED).startswith("llm-router-agent: No module named '")


# Reading


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the input is empty"),
        (b" \n\t", "the input is empty"),
        (b"swordfish", "the input is not one JSON document"),
        (b"\xff\xfe", "the input is not one JSON document"),
        (b"{} {}", "the input is not one JSON document"),
        (b'{"tool": "swordfish"', "the input is not one JSON document"),
        (b"[" * 5000 + b"]" * 5000, "the input is not one JSON document"),
        (b"[]", "the input is no ActionRequest"),
        (b'"swordfish"', "the input is no ActionRequest"),
        (b"null", "the input is no ActionRequest"),
        (b"{}", "the input is no ActionRequest: request_id, tool, action, context, payload"),
        (b'"' + b"x" * MAX_INPUT, f"the input is longer than {MAX_INPUT} bytes"),
    ],
    ids=lambda given: given[:12] if isinstance(given, bytes) else "",
)
def test_what_is_no_request_is_told_without_quoting_it(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_request(data)
    assert str(refused.value) == words
    assert refused.value.__context__ is None


def test_two_requests_are_one_too_many() -> None:
    one = json.dumps(request_for("http://127.0.0.1:9")).encode()
    assert read_request(b"\n " + one + b" \n").tool == "llm_router_agent"
    with pytest.raises(UnreadableError, match="not one JSON document"):
        read_request(one + b"\n" + one)


def test_the_example_of_the_documentation_is_a_request() -> None:
    document = (ROOT / "docs" / "model-port.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"echo '(.*?)' \| scripts/llm-router-agent", document, re.DOTALL)
    request = read_request(example.encode())
    invocation = LlmRouterInvocationRequestV1.model_validate(request.payload)
    assert invocation.config.provider in PROVIDERS
    (answer,) = re.findall(r"```json\n(.*?)```", document, re.DOTALL)
    Draft202012Validator(RESPONSE).validate(json.loads(answer))
    assert json.loads(answer)["request_id"] == str(request.request_id)


@pytest.mark.parametrize(
    ("text", "seconds"), [("", 60), (" ", 60), ("5", 5), (" 0.25 ", 0.25), ("1e3", 1000)]
)
def test_how_long_a_call_may_take_is_in_the_environment(text: str, seconds: float) -> None:
    assert timeout_of({"LLM_ROUTER_TIMEOUT": text}) == seconds
    assert timeout_of({}) == 60


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "soon", "1 s"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="LLM_ROUTER_TIMEOUT"):
        timeout_of({"LLM_ROUTER_TIMEOUT": text})


# Exit codes


def answered(
    data: bytes | None, environment: Mapping[str, str] | None = None, *, heard: bool = True
) -> tuple[int, bytes]:
    """Run the program here, and return its exit code with what it wrote."""
    target = io.BytesIO()
    source = None if data is None else io.BytesIO(data)
    return run(source, target if heard else None, environment or {}), target.getvalue()


def test_the_exit_codes_are_the_contracts() -> None:
    """0 is the contract's own; the others are what shells know."""
    assert (ANSWERED, FAILED, UNREADABLE, INTERRUPTED) == (0, 1, 2, 130)


def test_an_answer_is_success_whatever_is_in_it(capfd: pytest.CaptureFixture[str]) -> None:
    request = request_for("http://127.0.0.1:9", tool="another")
    code, written = answered(json.dumps(request).encode())
    end = Ended(code, written, capfd.readouterr().err)
    assert end.response()["result"]["output_type"] == "error"


def test_without_standard_streams_nothing_is_asked(capfd: pytest.CaptureFixture[str]) -> None:
    assert answered(None) == (UNREADABLE, b"")
    request = json.dumps(request_for("http://127.0.0.1:9")).encode()
    assert answered(request, heard=False) == (FAILED, b"")
    out, err = capfd.readouterr()
    assert not out
    assert err.splitlines() == [
        "llm-router-agent: the input is empty",
        "llm-router-agent: there is no standard output",
    ]


def test_what_nobody_expected_is_told_by_its_kind_only(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def fail(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(PROMPT)

    monkeypatch.setattr(process, "async_execute", fail)
    request = json.dumps(request_for("http://127.0.0.1:9")).encode()
    assert answered(request) == (FAILED, b"")
    out, err = capfd.readouterr()
    assert (out, err) == ("", "llm-router-agent: unexpected RuntimeError\n")


def test_a_reader_that_went_away_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    class Gone(io.BytesIO):
        def write(self, _: object) -> NoReturn:
            raise BrokenPipeError

    request = json.dumps(request_for("http://127.0.0.1:9", tool="another")).encode()
    assert run(io.BytesIO(request), Gone(), {}) == FAILED
    assert capfd.readouterr().err == "llm-router-agent: unexpected BrokenPipeError\n"


def test_the_process_ends_with_the_code_and_without_more(monkeypatch: pytest.MonkeyPatch) -> None:
    main: Callable[[], object] = process.main
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(sys, "stderr", None)
    for stdin in (None, io.TextIOWrapper(io.BytesIO(b"{}"))):
        monkeypatch.setattr(sys, "stdin", stdin)
        main()
    assert ended == [UNREADABLE, UNREADABLE]

    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "run", interrupted)
    main()
    assert ended[-1] == INTERRUPTED


# With a real model


@pytest.mark.live
@pytest.mark.skipif(
    "BELLBOARD_LLM_URL" not in os.environ, reason="BELLBOARD_LLM_URL names no server"
)
@pytest.mark.timeout(1800)
async def test_many_in_a_row_and_at_once_are_answered() -> None:
    url = os.environ.get("BELLBOARD_LLM_URL", "")
    config = {"provider": "openai", "base_url": url, "model_name": "smollm2"}
    payload = {"prompt": "What is the capital of France? One word.", "config": config}
    in_a_row = [request_for(url, payload=payload) for _ in range(IN_A_ROW)]
    at_once = [request_for(url, payload=payload) for _ in range(max(2, IN_A_ROW // 10))]
    # A slow machine is not what is tested.
    patient = {"LLM_ROUTER_TIMEOUT": "300"}
    ended = [await ask(each, **patient) for each in in_a_row]
    ended += await asyncio.gather(*(ask(each, **patient) for each in at_once))
    for asked, end in zip(in_a_row + at_once, ended, strict=True):
        response = end.response()
        assert response["request_id"] == asked["request_id"]
        assert response["correlation_id"] == asked["correlation_id"]
        assert response["result"]["output_type"] == "text"
        assert response["result"]["data"].strip()

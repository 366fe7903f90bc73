"""The model call as a process: ActionRequest on stdin, ActionResponse on stdout (LLM router agent contract).

Exit codes: 0 with a response, 2 where the input cannot be read, 1 where something unexpected went
wrong. With 1 and 2 there is a line on standard error, which quotes nothing of the input, and nothing
on standard output. A call that fails is a response too.

Every start waits for all that is imported here, so there is no more of it than is needed.
"""

import asyncio
import math
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import aiohttp
from pydantic import ValidationError
from pydantic_core import from_json

from .envelope import TOOL, ActionRequest, ActionResponse, checked, wrong_fields
from .errors import ToolError
from .invocation import TIMEOUT, async_execute

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO, TextIO

MAX_INPUT = 16 * 1024 * 1024
"""Bytes of a request: what is longer is no prompt."""

TIMEOUT_VARIABLE = "LLM_ROUTER_TIMEOUT"
"""The environment variable with the seconds a call may take."""

ANSWERED = 0
FAILED = 1
UNREADABLE = 2
INTERRUPTED = 130


class UnreadableError(Exception):
    """Input that cannot be read; the message quotes nothing of it."""


def main() -> NoReturn:
    """Answer standard input, and end the process."""
    try:
        status = run(_bytes_of(sys.stdin), _bytes_of(sys.stdout), os.environ)
    except KeyboardInterrupt:
        status = INTERRUPTED
    # All is written. Taking a Python apart that nobody needs any longer would take a quarter of its life.
    os._exit(status)


def run(source: BinaryIO | None, target: BinaryIO | None, environment: Mapping[str, str]) -> int:
    """Read a request from `source`, write its response to `target`, and return the exit code.

    Either is None where the process was started without it.
    """
    try:
        timeout = timeout_of(environment)
        request = read_request(source.read(MAX_INPUT + 1) if source else b"")
        if target is None:
            # Nobody would get the answer, so no model is asked.
            _complain("there is no standard output")
            return FAILED
        response = checked(request, _answer(request, timeout))
        target.write(response.model_dump_json(exclude_unset=True).encode() + b"\n")
        target.flush()
    except UnreadableError as err:
        _complain(str(err))
        return UNREADABLE
    except ToolError as err:
        _complain(str(err))
        return FAILED
    except Exception as err:  # noqa: BLE001 - whatever it is, the caller learns of it
        # Its kind only: its words may quote what was asked.
        _complain(f"unexpected {type(err).__name__}")
        return FAILED
    return ANSWERED


def read_request(data: bytes) -> ActionRequest:
    """Return the one request in `data`.

    Raises:
        UnreadableError: it is empty, too long, not JSON, more than one document, or no request.
    """
    if len(data) > MAX_INPUT:
        raise UnreadableError(f"the input is longer than {MAX_INPUT} bytes")
    if not data.strip():
        raise UnreadableError("the input is empty")
    try:
        return ActionRequest.model_validate(from_json(data))
    except ValidationError as err:
        fields = wrong_fields(err)
        wrong = "the input is no ActionRequest" + (f": {fields}" if fields else "")
    except ValueError:
        wrong = "the input is not one JSON document"
    # Not chained: the original may quote the input.
    raise UnreadableError(wrong)


def read_response(request: ActionRequest, status: int, written: bytes) -> ActionResponse:
    """Return the response that the process wrote for a request: for the caller whose child it was.

    Raises:
        ToolError: it ended with another exit code than 0, or wrote something else.
    """
    if status != ANSWERED:
        raise ToolError(TOOL, ToolError.PROCESS_FAILED, f"exit code {status}")
    try:
        response = ActionResponse.model_validate_json(written)
    except ValidationError:
        wrong = ToolError(TOOL, ToolError.INVALID_RESPONSE)
    else:
        return checked(request, response)
    # Not chained: the original may quote what a model wrote.
    raise wrong


def timeout_of(environment: Mapping[str, str]) -> float:
    """Return the seconds a call may take.

    Raises:
        UnreadableError: the variable is set to something else.
    """
    if not (text := environment.get(TIMEOUT_VARIABLE, "").strip()):
        return TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and seconds > 0):
        raise UnreadableError(f"{TIMEOUT_VARIABLE} is no number of seconds")
    return seconds


def _answer(request: ActionRequest, timeout: float) -> ActionResponse:
    # Not `asyncio.run`: at its end it waits for a name that is still being looked up, however long that takes.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_async_answer(request, timeout))
    finally:
        loop.close()


async def _async_answer(request: ActionRequest, timeout: float) -> ActionResponse:
    # The system's own resolver, because it knows the names of the local network.
    connector = aiohttp.TCPConnector(resolver=aiohttp.ThreadedResolver())
    async with aiohttp.ClientSession(connector=connector) as session:
        return await async_execute(request, session, timeout=timeout)


def _bytes_of(stream: TextIO | None) -> BinaryIO | None:
    """Return a standard stream as bytes; None where the process was started without it."""
    return stream.buffer if stream else None


def _complain(words: str) -> None:
    """Write one line to standard error, if the process has one."""
    if sys.stderr is not None:
        print(f"llm-router-agent: {words}", file=sys.stderr, flush=True)  # noqa: T201

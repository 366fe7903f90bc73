"""Starts houses again and again: `python -m tests.memory.killed`.

Home Assistant is imported once; each house is a fork of this process, so that it starts in
milliseconds. Commands come as JSON, one a line: `start` with the kind of house, its folder and
perhaps a Redis, then to the house that runs: `say` with a text, `write` or `stop`. Whoever sends
them kills the house, whose process id it tells first. What happens is told one line each.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
import gc
import json
import logging
import os
from tempfile import TemporaryDirectory
import threading
from typing import Any

# Imported before houses are forked, though they would do it only when they need it.
import redis.asyncio as _redis  # noqa: F401

# Before the harness, as in tests: the first lets that run on newer releases too, and with the second
# a fork reads nothing that the rehearsal has read.
from tests import ha_shim, read_once  # noqa: F401

from .assist import async_assist_house
from .house import House, TalkingHouse, async_talking_house


def tell(**what: Any) -> None:
    """Tell something in one go: a house that is killed tells all of it or nothing."""
    os.write(1, json.dumps(what).encode() + b"\n")


def read() -> dict[str, Any] | None:
    """Return the next command, or None at the end. Nothing after it is taken from the pipe.

    Of a command that was cut off, because whoever was reading it was killed, nothing is left.
    """
    line = bytearray()
    while (byte := os.read(0, 1)) != b"\n":
        if not byte:
            return None
        line += byte
    try:
        found: dict[str, Any] = json.loads(line)
    except ValueError:
        return {"do": "nothing"}
    return found


def mark(moment: str) -> None:
    """Tell of a moment in a turn."""
    tell(moment=moment)


@asynccontextmanager
async def async_house(order: dict[str, Any], broken: list[str]) -> AsyncGenerator[House]:
    """Run the kind of house that is ordered."""
    folder = order["folder"]
    if order["kind"] == "assist":
        async with async_assist_house(folder, mark) as house:
            yield house
    else:
        async with async_talking_house(folder, order["redis"], mark, broken) as talking:
            yield talking


async def async_live(order: dict[str, Any]) -> None:
    """Be a house until it is stopped or killed; tell first what it knows."""
    broken: list[str] = []
    async with async_house(order, broken) as house:
        found = [await house.conversations.async_find(talk) for talk in order["talks"]]
        tasks = [task for task in found if task]
        tell(
            pid=os.getpid(),
            broken=broken,
            states=[task.state.value for task in tasks],
            requests=[house.request_of(task) for task in tasks],
            numbers=[task.metadata.get("number") for task in tasks],
        )
        while command := await asyncio.to_thread(read):
            match command:
                case {"do": "stop"}:
                    return
                case {"do": "write", "number": number} if isinstance(house, TalkingHouse):
                    await house.async_write_for_ever(number)
                case {"do": "say", "text": text}:
                    tell(state=await house.async_say(order["talks"][0], text))


async def async_rehearse() -> None:
    """Run a whole house once, so that its forks find all that it loads already there."""
    with TemporaryDirectory() as folder:
        async with async_assist_house(folder, lambda _: None) as house:
            await house.async_say("talk", "1")


def main() -> None:
    """Start a house whenever one is wanted, and tell when it is gone."""
    logging.disable(logging.WARNING)
    asyncio.run(async_rehearse())
    # What is there is neither looked through for garbage nor copied for that.
    gc.collect()
    gc.freeze()
    # A fork has none of the threads of what it is a fork of.
    assert threading.active_count() == 1
    while command := read():
        if command["do"] != "start":
            # Meant for a house that was gone already.
            continue
        if child := os.fork():
            os.waitpid(child, 0)
            tell(gone=child)
            continue
        asyncio.run(async_live(command))
        os._exit(0)


if __name__ == "__main__":
    main()

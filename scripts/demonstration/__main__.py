"""The demonstration's command line; scripts/demo prepares the machine and then runs this."""

import argparse
import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
import json
from pathlib import Path
import signal
import sys
import tempfile
from typing import TYPE_CHECKING

from .api import Api
from .boot import (
    ROOT,
    HomeAssistant,
    Wishes,
    check_port,
    free_port,
    has_pipelines,
    remove_directory,
)
from .conversation import Conversation, Turn
from .errors import DemoError
from .household import (
    Owner,
    await_model,
    become_owner,
    bellboard_agent,
    bellboard_entities,
    install_bellboard,
    move_in,
    prefer_agent,
    voice_panel,
)
from .model import ModelServer, find_server, stop_server
from .progress import seconds_so_far, step, tell
from .table import row, rows

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

INTERRUPTED = 130

TOUR: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("en", ("turn off the kitchen lights",)),
    ("en", ("turn on the bedside lamp", "the left one")),
    ("en", ("set the floor lamp to blue at 40 percent",)),
    ("en", ("play some jazz in the living room", "a bit louder")),
    ("en", ("set the office to 22 degrees",)),
    ("en", ("is the front door locked?",)),
    ("de", ("Schalte das Licht im Büro aus",)),
    ("de", ("Wie warm ist es im Schlafzimmer?",)),
)
"""What is said when nobody says anything: conversations, each a language and its turns."""


def absolute(path: str) -> Path:
    """Return a path that holds wherever a program runs."""
    return Path(path).absolute()


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; scripts/demo explains it."""
    parser = argparse.ArgumentParser(prog="scripts/demo", add_help=False)
    parser.add_argument("--once", action="append", metavar="SENTENCE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--llm", default="local", metavar="none|local|URL")
    parser.add_argument("--language", default="en", metavar="xx")
    parser.add_argument("--satellite", metavar="AREA")
    parser.add_argument("--agent", metavar="ENTITY")
    parser.add_argument("--port", type=int)
    parser.add_argument("--config", type=absolute, metavar="DIR")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--develop", action="store_true")
    parsed = parser.parse_args(arguments)
    if parsed.json and not parsed.once:
        parser.error("--json goes with --once")
    if parsed.develop and parsed.once:
        parser.error("--develop and --once do not go together")
    return parsed


@asynccontextmanager
async def configuration(options: argparse.Namespace) -> AsyncIterator[Path]:
    """Provide the configuration directory, and remove it at the end unless it is to stay."""
    wanted: Path | None = options.config or (ROOT / "config" if options.develop else None)
    if wanted is not None:
        yield wanted
        return
    directory = Path(tempfile.mkdtemp(prefix="bellboard-demo-"))
    try:
        yield directory
    finally:
        if options.keep:
            tell(f"configuration kept in {directory}")
        else:
            await asyncio.to_thread(remove_directory, directory)


@asynccontextmanager
async def model_server(options: argparse.Namespace) -> AsyncIterator[ModelServer | None]:
    """Provide the model server.

    One that was started for single sentences stays: the next sentence needs it too.
    """
    server = None if options.agent else await find_server(options.llm)
    try:
        yield server
    finally:
        if options.once:
            if server is not None and server.started:
                tell(f"the local model stays at {server.url}; scripts/local-llm --stop ends it")
        else:
            await stop_server(server)


async def settle_in(
    api: Api, options: argparse.Namespace, directory: Path, server: ModelServer | None
) -> tuple[Owner, str]:
    """Set everything up; return the user and the entity id of the agent to ask."""
    async with step("moving into a made-up house"):
        owner = await become_owner(api, directory)
        await move_in(api)
    if options.agent:
        return owner, options.agent
    async with step("setting Bellboard up"):
        await install_bellboard(api, server)
        await await_model(api)
    return owner, await bellboard_agent(api)


async def say_once(api: Api, options: argparse.Namespace, agent: str) -> None:
    """Say the given sentences as turns of one conversation, and print each turn."""
    device_id = await voice_panel(api, options.satellite) if options.satellite else None
    conversation = Conversation(
        api,
        agent,
        language=options.language,
        device_id=device_id,
        ignored=await bellboard_entities(api),
    )
    await conversation.prepare()
    turns: list[Turn] = []
    for sentence in options.once:
        async with step(f'saying "{sentence}"'):
            turn = await conversation.say(sentence)
        if not turns:
            tell(f"the first answer came {seconds_so_far():.0f} s after the start")
        turns.append(turn)
        if options.json:
            print(json.dumps(turn.as_dict(), ensure_ascii=False), flush=True)
    if not options.json:
        print(*rows(turns), sep="\n", flush=True)


async def give_tour(api: Api, options: argparse.Namespace, agent: str) -> None:
    """Say a few sentences and print what came of them while it happens."""
    ignored = await bellboard_entities(api)
    device_id = await voice_panel(api, options.satellite) if options.satellite else None
    heading, rule = rows(())
    print(heading, rule, sep="\n", flush=True)
    for language, sentences in TOUR:
        conversation = Conversation(
            api, agent, language=language, device_id=device_id, ignored=ignored
        )
        await conversation.prepare()
        for sentence in sentences:
            print(*row(await conversation.say(sentence)), rule, sep="\n", flush=True)


async def demonstrate(options: argparse.Namespace) -> None:
    """Run the demonstration from beginning to end."""
    quick = bool(options.once)
    port = options.port or (free_port() if quick else 8123)
    check_port(port)
    async with configuration(options) as directory, model_server(options) as server:
        wishes = Wishes(directory, port, frontend=not quick, develop=options.develop)
        async with AsyncExitStack() as running:
            async with step(f"starting Home Assistant on port {port}"):
                home_assistant = await running.enter_async_context(HomeAssistant(wishes))
            api = await running.enter_async_context(Api(home_assistant.url))
            owner, agent = await settle_in(api, options, directory, server)
            if quick:
                await say_once(api, options, agent)
                return
            if has_pipelines():
                await prefer_agent(api, agent)
            if not options.develop:
                await give_tour(api, options, agent)
            print(
                f"\nHome Assistant is at http://localhost:{port}"
                f" – user {owner.username}, password {owner.password}\n"
                "Talk to Bellboard in Assist (the speech bubble at the top). Ctrl-C ends it all.",
                flush=True,
            )
            await home_assistant.run()


async def run(options: argparse.Namespace) -> int:
    """Run the demonstration until it ends or is told to; return the exit code."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 (a coroutine always runs in one)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await demonstrate(options)
    except asyncio.CancelledError:
        tell("stopped")
        # Whoever asked for an answer must see that there is none.
        return INTERRUPTED if options.once else 0
    return 0


def main() -> int:
    """Run the demonstration; return the exit code: 0, or 1 after saying what cannot be done."""
    try:
        return asyncio.run(run(parse()))
    except DemoError as error:
        tell(f"error: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())

"""The wire stands on its own: without Home Assistant, and without the rest of the integration."""

from pathlib import Path
import subprocess
import sys

import pytest

import custom_components.bellboard.llm as package
from custom_components.bellboard.llm.providers import PROVIDERS, create_client

HOUSE = Path(package.__file__).parent.parent

ALONE = """
import sys

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("homeassistant", "custom_components", "voluptuous"):
            raise ImportError(f"{name} is not for the wire")

sys.meta_path.insert(0, Wall())
import calendar  # Python's: the integration has one, too.
sys.path[0] = sys.argv[1]
before = set(sys.modules)

import asyncio
import aiohttp
from llm.errors import UnreachableError
from llm.models import Message
from llm.providers import PROVIDERS, create_client

async def main():
    async with aiohttp.ClientSession() as session:
        for provider in PROVIDERS:
            client = create_client(provider, session, url="127.0.0.1:9", model="m")
            try:
                await client.complete([Message(role="user", content="hello")])
            except UnreachableError as error:
                print(provider, error.kind)

asyncio.run(main())
ours = {name for name in set(sys.modules) - before if HERE in str(getattr(sys.modules[name], "__file__", ""))}
assert all(name.partition(".")[0] == "llm" for name in ours), ours
""".replace("HERE", "sys.argv[1]")


def test_runs_alone() -> None:
    done = subprocess.run(  # noqa: S603 -- our own interpreter and text
        [sys.executable, "-I", "-c", ALONE, str(HOUSE)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [word for name in PROVIDERS for word in (name, "unreachable")]


@pytest.mark.parametrize("name", sorted(PROVIDERS))
async def test_every_provider_makes_a_client(name: str, session: object) -> None:
    provider = PROVIDERS[name]
    options = {"keep_alive": "5m", "num_ctx": 2048, "of_another": 1}
    client = create_client(name, session, url=provider.default_url, model="m", **options)  # type: ignore[arg-type]
    assert (client.provider, client.model) == (name, "m")
    assert name == provider.name
    assert provider.options <= options.keys()


def test_an_unknown_provider_is_a_mistake(session: object) -> None:
    with pytest.raises(KeyError):
        create_client("abacus", session, url="localhost")  # type: ignore[arg-type]

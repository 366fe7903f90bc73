"""The power is cut in the middle: no question is lost, nothing is done twice, all can be read.

Each test kills a house with SIGKILL ten times, or as often as `BELLBOARD_KILLS` says, at as many
moments, and looks at it when it is back. There are three kinds: two whose turns are as short as can
be, which keep their conversations in a file or in a Redis, and the demo house that is spoken to
through Assist.
"""

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from itertools import chain
import json
import os
from pathlib import Path
import random
import signal
import subprocess
import sys
import time
from typing import IO, Any

import pytest

from tests.memory.conftest import RedisServer
from tests.memory.killed.house import JOURNAL, SESSIONS

pytestmark = pytest.mark.long

KILLS = int(os.environ.get("BELLBOARD_KILLS", "10"))
ROOT = Path(__file__).parent.parent.parent

# What a turn tells of, in order: from its beginning to its answer.
MOMENTS = ("", "heard", "kept", "acting", "done", "answered")

# The longest time from one of them to the kill, in seconds.
LONGEST = {"file": 0.004, "redis": 0.004, "assist": 0.01}

type Chance = Callable[[], float]


@dataclass
class House:
    """The house in another process, which can be killed and started again."""

    kind: str
    folder: Path
    commands: IO[bytes]
    events: IO[bytes]
    redis: str | None = None
    talks: list[str] = field(default_factory=lambda: ["talk"])
    pid: int = 0
    state: str | None = None
    request: str | None = None
    numbers: list[int] = field(default_factory=list)

    def start(self) -> None:
        """Start it, and look at what it knows. Everything must be readable."""
        redis, talks = self.redis, self.talks
        folder = str(self.folder)
        self._send(do="start", kind=self.kind, folder=folder, redis=redis, talks=talks)
        report = self._next()
        self.pid = report["pid"]
        self.state = next(iter(report["states"]), None)
        self.request = next(iter(report["requests"]), None)
        self.numbers = report["numbers"]
        assert not report["broken"]
        assert not list(self.folder.rglob("*.corrupt.*"))

    def say(self, text: str) -> str:
        """Take a turn; return the state of its task."""
        self.begin(text)
        while "state" not in (event := self._next()):
            pass
        return str(event["state"])

    def begin(self, text: str) -> None:
        """Begin a turn."""
        self._send(do="say", text=text)

    def write(self, number: int) -> None:
        """Have it write without end, from a number on."""
        self._send(do="write", number=number)

    def wait_for(self, moment: str) -> list[dict[str, Any]]:
        """Wait until a moment of a turn, or its end; return what was told."""
        told: list[dict[str, Any]] = []
        while moment:
            told.append(self._next())
            if told[-1].get("moment") == moment or "state" in told[-1]:
                break
        return told

    def kill(self) -> list[dict[str, Any]]:
        """Cut the power; return what it had still told."""
        told: list[dict[str, Any]] = []
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            while "gone" not in (event := self._next()):
                told.append(event)
            self.pid = 0
        return told

    def times(self, request: str) -> int:
        """Return how often a request was carried out."""
        path = self.folder / JOURNAL
        return path.read_text("utf-8").split().count(request) if path.exists() else 0

    def _send(self, **command: Any) -> None:
        """Send a command."""
        self.commands.write(json.dumps(command).encode() + b"\n")
        self.commands.flush()

    def _next(self) -> dict[str, Any]:
        """Return what is told next."""
        line = self.events.readline()
        assert line, "no house can be started"
        event: dict[str, Any] = json.loads(line)
        assert "gone" not in event or self.pid, "the house does not start"
        return event


@pytest.fixture(scope="module")
def houses() -> Generator[subprocess.Popen[bytes]]:
    """Start the process that all houses are forks of; importing Home Assistant takes seconds."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.memory.killed"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        yield process
        assert process.stdin
        process.stdin.close()


@pytest.fixture(params=["file", "redis", "assist"])
def house(
    request: pytest.FixtureRequest, houses: subprocess.Popen[bytes], tmp_path: Path
) -> Generator[House]:
    """Return a house of each kind. It is not started yet."""
    redis = None
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis")
        redis = server.url
    folder = tmp_path / "house"
    folder.mkdir()
    assert houses.stdin
    assert houses.stdout
    house = House(request.param, folder, houses.stdin, houses.stdout, redis)
    yield house
    house.kill()


@pytest.fixture
def chance(house: House) -> Chance:
    """Return a function that gives times to wait, in seconds, the same in each run; the first is none."""
    dice = random.Random(4)  # noqa: S311 -- no secret
    longest = LONGEST[house.kind]
    waits = chain([0.0], iter(lambda: dice.choice((0.0, dice.uniform(0, longest))), None))
    return lambda: next(waits)


@pytest.mark.parametrize("turn", ["request", "answer"])
def test_killed_in_the_middle_of_a_turn(house: House, turn: str, chance: Chance) -> None:
    """At each moment of a turn and some time after it."""
    left: Counter[str | None] = Counter()
    house.start()
    for number in range(1, KILLS + 1):
        request = str(number)
        if house.state == "input-required":
            assert house.say("the left one") == "completed"
        if turn == "answer":
            assert house.say(request) == "input-required"
        house.begin("the left one" if turn == "answer" else request)
        told = house.wait_for(MOMENTS[(number - 1) % len(MOMENTS)])
        time.sleep(chance())
        told += house.kill()
        ended = next((event["state"] for event in told if "state" in event), None)
        house.start()
        left[house.state] += 1
        times = house.times(request)
        if turn == "request":
            assert times == 0
            assert ended in {None, "input-required"}
            if ended:
                assert (house.state, house.request) == (ended, request)
        elif house.state == "input-required":
            assert (house.request, times, ended) == (request, 0, None)
            assert {"moment": "kept"} not in told
        else:
            assert house.state in {"completed", "failed"}
            assert times <= 1
            assert ended in {None, house.state}
            assert times == 1 or not ended
    # Otherwise this proves nothing.
    assert left["input-required"] > 0
    assert turn == "request" or left["completed"] + left["failed"] > 0


def test_killed_between_the_question_and_the_answer(house: House, chance: Chance) -> None:
    for number in range(1, KILLS + 2):
        house.start()
        if number > 1:
            asked = str(number - 1)
            assert (house.state, house.request) == ("input-required", asked)
            assert house.say("the left one") == "completed"
            assert house.times(asked) == 1
        assert house.say(str(number)) == "input-required"
        time.sleep(chance())
        house.kill()
    assert all(house.times(str(number)) == 1 for number in range(1, KILLS + 1))


@pytest.mark.parametrize("house", ["file", "redis"], indirect=True)
def test_killed_during_a_write(house: House, chance: Chance) -> None:
    """A write without end, of more and more, is cut anywhere in it."""
    house.talks = [f"talk {number}" for number in range(SESSIONS)]
    last = 0
    for number in range(KILLS):
        house.start()
        # All that was told to be kept is, and at most the one after it.
        newest = max(house.numbers, default=0)
        assert newest - last in {0, 1}
        assert set(house.numbers) == set(range(max(1, newest - SESSIONS + 1), newest + 1))
        house.write(newest + 1)
        told = house.wait_for(f"kept {newest + 1 + number % 10}")
        time.sleep(chance())
        told += house.kill()
        last = int(told[-1]["moment"].split()[1])

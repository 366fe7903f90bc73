"""Many conversations at once, for a while: errors, confusion, the event loop, and what stays."""

import asyncio
from dataclasses import dataclass
import gc
import time
import tracemalloc

from homeassistant.helpers.chat_session import DATA_CHAT_SESSION
from homeassistant.helpers.intent import IntentResponseType

from custom_components.bellboard.assistant import Assistant

from .agents import OURS, async_set_up
from .figures import Figure
from .homes import Home, async_home
from .load import BLOCKED_MS
from .stopwatch import Stopwatch

CONVERSATIONS = 200
LEFT_MB = 1.0
_LIGHTS = 1000
# In seconds: how long somebody thinks before the next sentence.
_PAUSE = 0.5


@dataclass(slots=True)
class Talk:
    """A conversation about one light, and what went wrong in it."""

    name: str
    light: str
    turns: int = 0
    errors: int = 0
    confused: int = 0

    async def async_go_on(self, home: Home, until: float) -> None:
        """Turn the light on by its name and off as "it", again and again."""
        while time.perf_counter() < until:
            for sentence in (f"turn on {self.light}", "turn it off again"):
                result = await home.async_say(
                    sentence, home.agents[OURS], conversation_id=self.name
                )
                response = result.response
                self.turns += 1
                self.errors += response.response_type is IntentResponseType.ERROR
                self.confused += self.light not in str(response.speech["plain"]["speech"])
                await asyncio.sleep(_PAUSE)


async def async_measure_conversations(seconds: float) -> dict[str, Figure]:
    """Return how 200 conversations at once went, on the default store, in a home of 1,000 lights.

    Memory is measured in a second, shorter run, because measuring it takes time.
    """
    async with async_home(_LIGHTS, lights_only=True) as home:
        assistant = await async_set_up(home)
        await home.async_say("turn on the lights", home.agents[OURS])
        gc.collect()
        # What was made before is not looked through in whatever step the collector happens to run.
        gc.freeze()
        watch = Stopwatch()
        with watch.watching():
            talks = await _async_talk(home, seconds)
        gc.unfreeze()
        left = await _async_left(home, assistant, seconds / 6)
    steps = sorted((step.processor * 1000 for step in watch.steps), reverse=True)
    return {
        "conversations_at_once": Figure(
            value=sum(not (talk.errors or talk.confused) for talk in talks),
            limit=CONVERSATIONS,
            unit="conversations",
            exact=True,
            details={
                "turns": sum(talk.turns for talk in talks),
                "errors": sum(talk.errors for talk in talks),
                "confused": sum(talk.confused for talk in talks),
            },
        ),
        "conversations_blocked_ms": Figure(
            value=steps[0],
            limit=BLOCKED_MS,
            unit="ms",
            details={
                "steps": len(steps),
                "longest_of_the_collector": max(
                    (run.processor * 1000 for run in watch.collected), default=0.0
                ),
            },
        ),
        "conversations_left_mb": left,
    }


async def _async_talk(home: Home, seconds: float) -> list[Talk]:
    """Hold all conversations for a while and return them."""
    talks = [
        Talk(f"talk {number}", light) for number, light in enumerate(home.lights[:CONVERSATIONS])
    ]
    until = time.perf_counter() + seconds
    await asyncio.gather(*(talk.async_go_on(home, until) for talk in talks))
    return talks


async def _async_left(home: Home, assistant: Assistant, seconds: float) -> Figure:
    """Return what conversations leave in memory once they have ended and are forgotten."""
    _end_sessions(home)
    await assistant.tasks.async_forget()
    before = _traced()
    talks = await _async_talk(home, seconds)
    held = _traced()
    _end_sessions(home)
    await assistant.tasks.async_forget()
    after = _traced()
    tracemalloc.stop()
    in_memory = sum(assistant.tasks.get(talk.name) is not None for talk in talks)
    return Figure(
        value=(after - before) / 1e6,
        limit=LEFT_MB,
        unit="MB",
        details={"held": (held - before) / 1e6, "conversations_in_memory": in_memory},
    )


def _traced() -> int:
    """Return how many bytes are in use that were asked for since the first call."""
    if not tracemalloc.is_tracing():
        tracemalloc.start()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _end_sessions(home: Home) -> None:
    """End all chat sessions, as Home Assistant does some minutes after the last word."""
    sessions = home.hass.data.get(DATA_CHAT_SESSION, {})
    for name in list(sessions):
        sessions.pop(name).async_cleanup()

"""Says the sentences of a case to somebody, and judges what came of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from homeassistant.exceptions import HomeAssistantError

from .compare import Observed, differences
from .models import GoldenCase, GoldenTurn


class Outcome(StrEnum):
    """What became of a case. What is skipped could not be asked here."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Listener(Protocol):
    """Who is spoken to: one conversation with an assistant, from its first sentence on."""

    async def async_hear(self, text: str, *, language: str, area: str | None) -> Heard:
        """Answer one sentence, said in a room.

        Raises:
            HomeAssistantError: the assistant cannot be asked, or there is no such room.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What came of a sentence, and what it took.

    `ms` is the time until the answer, in milliseconds; the model's calls and tokens are None where
    they are not known.
    """

    observed: Observed
    ms: float
    model_calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTurn:
    """A sentence and what came of it; times and tokens are as in `Heard`."""

    say: str
    reply: str = ""
    state: str = ""
    agents: tuple[str, ...] = ()
    ms: float = 0.0
    model_calls: int | None = None
    tokens: int | None = None
    differences: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the turn as a JSON object."""
        return {
            "say": self.say,
            "reply": self.reply,
            "state": self.state,
            "agents": list(self.agents),
            "ms": self.ms,
            "model_calls": self.model_calls,
            "tokens": self.tokens,
            "differences": list(self.differences),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCase:
    """A case and what became of it. `reason` says why one was skipped or could not be asked."""

    id: str
    agent_id: str
    outcome: Outcome
    turns: tuple[JudgedTurn, ...] = field(default=())
    reason: str = ""

    @property
    def differences(self) -> Sequence[str]:
        """Return what was not as expected; of a conversation with the sentence before it."""
        found = [self.reason] if self.outcome is Outcome.FAILED and self.reason else []
        for turn in self.turns:
            before = f"{turn.say!r}: " if len(self.turns) > 1 else ""
            found += [before + difference for difference in turn.differences]
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the case as a JSON object."""
        return {
            "id": self.id,
            "agent": self.agent_id,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "differences": list(self.differences),
            "turns": [turn.as_json() for turn in self.turns],
        }


def skipped(case: GoldenCase, reason: str) -> JudgedCase:
    """Return a case that cannot be asked here."""
    return JudgedCase(id=case.id, agent_id=case.agent_id, outcome=Outcome.SKIPPED, reason=reason)


async def async_judge(case: GoldenCase, listener: Listener, language: str) -> JudgedCase:
    """Say all sentences of a case, and return what was not as expected.

    `language` is that of the file. After a sentence that could not be said the others are not said.
    """
    turns: list[JudgedTurn] = []
    reason = ""
    for turn in case.conversation:
        try:
            turns.append(await _async_turn(case, turn, listener, language))
        except HomeAssistantError as err:
            reason = f"{turn.say!r} could not be said: {err}"
            break
    failed = bool(reason) or any(turn.differences for turn in turns)
    return JudgedCase(
        id=case.id,
        agent_id=case.agent_id,
        outcome=Outcome.FAILED if failed else Outcome.PASSED,
        turns=tuple(turns),
        reason=reason,
    )


async def _async_turn(
    case: GoldenCase, turn: GoldenTurn, listener: Listener, language: str
) -> JudgedTurn:
    """Say one sentence."""
    heard = await listener.async_hear(
        turn.say, language=case.language or language, area=turn.area or case.area
    )
    observed = heard.observed
    return JudgedTurn(
        say=turn.say,
        reply=observed.reply,
        state=observed.state,
        agents=observed.agents,
        ms=round(heard.ms, 2),
        model_calls=heard.model_calls,
        tokens=heard.tokens,
        differences=tuple(differences(turn.expect, observed)) if turn.expect else (),
    )

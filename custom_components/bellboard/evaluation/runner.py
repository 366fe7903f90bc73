"""Runs golden cases against an assistant, and reports what was not as expected."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from homeassistant.exceptions import HomeAssistantError

from .compare import ObservedTurn, differences
from .models import GoldenCase, GoldenTurn


class CaseOutcome(StrEnum):
    """The result of a case. One is skipped if it cannot be run here."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Conversation(Protocol):
    """One conversation with the assistant under test, from its first sentence on."""

    async def async_say(self, text: str, *, language: str, area: str | None) -> MeasuredTurn:
        """Return the turn of one sentence, said in an area.

        Raises:
            HomeAssistantError: the assistant cannot be asked, or there is no such room.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTurn:
    """The observed result of a turn, and its cost.

    `ms` is the time until the reply, in milliseconds; model calls and tokens are None where they are
    not known.
    """

    observed: ObservedTurn
    ms: float
    model_calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """The report of one turn; times and tokens are as in `MeasuredTurn`."""

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
class CaseReport:
    """The report of a case. `reason` says why it was skipped or could not be run."""

    id: str
    agent_id: str
    outcome: CaseOutcome
    turns: tuple[TurnReport, ...] = field(default=())
    reason: str = ""

    @property
    def differences(self) -> Sequence[str]:
        """Return all differences; in a conversation each after its sentence."""
        found = [self.reason] if self.outcome is CaseOutcome.FAILED and self.reason else []
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


def skipped_case(case: GoldenCase, reason: str) -> CaseReport:
    """Return the report of a case that cannot be run here."""
    return CaseReport(
        id=case.id, agent_id=case.agent_id, outcome=CaseOutcome.SKIPPED, reason=reason
    )


async def async_run_case(case: GoldenCase, conversation: Conversation, language: str) -> CaseReport:
    """Run all turns of a case, in the language of the case or of the file; stop at the first error."""
    turns: list[TurnReport] = []
    reason = ""
    for turn in case.conversation:
        try:
            turns.append(await _async_turn(case, turn, conversation, language))
        except HomeAssistantError as err:
            reason = f"{turn.say!r} could not be said: {err}"
            break
    failed = bool(reason) or any(turn.differences for turn in turns)
    return CaseReport(
        id=case.id,
        agent_id=case.agent_id,
        outcome=CaseOutcome.FAILED if failed else CaseOutcome.PASSED,
        turns=tuple(turns),
        reason=reason,
    )


async def _async_turn(
    case: GoldenCase, turn: GoldenTurn, conversation: Conversation, language: str
) -> TurnReport:
    """Run one turn."""
    measured = await conversation.async_say(
        turn.say, language=case.language or language, area=turn.area or case.area
    )
    observed = measured.observed
    return TurnReport(
        say=turn.say,
        reply=observed.reply,
        state=observed.state,
        agents=observed.agents,
        ms=round(measured.ms, 2),
        model_calls=measured.model_calls,
        tokens=measured.tokens,
        differences=tuple(differences(turn.expect, observed)) if turn.expect else (),
    )

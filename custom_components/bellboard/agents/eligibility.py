"""Eligibility of agents and intents by speaker, area, satellite and time, from an assistant's scope rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import time
from typing import Protocol
from zlib import crc32

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID
from ..home.speaker import speaker_area
from ..options import ScopeRule
from .models import ALL_ELIGIBLE, Eligibility

# The agents of last resort are never out of scope.
_ALWAYS = frozenset({CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerContext:
    """Speaker, place and time of a sentence, which the conditions of rules are compared with.

    `satellite_id` (an entity id) and `device_id` are the voice satellite's, `user_id` is Home
    Assistant's, `at` the local time of day.
    """

    conversation_id: str
    at: time
    area_id: str | None = None
    device_id: str | None = None
    satellite_id: str | None = None
    user_id: str | None = None

    @classmethod
    def of(cls, hass: HomeAssistant, user_input: ConversationInput) -> SpeakerContext:
        """Return the context of a conversation input, now."""
        return cls(
            conversation_id=str(user_input.conversation_id),
            at=dt_util.now().time(),
            area_id=speaker_area(hass, user_input.satellite_id, user_input.device_id),
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
            user_id=user_input.context.user_id,
        )


class IntentsRegistry(Protocol):
    """Tells which agents and intents are eligible (Agent router orchestration, IntentsRegistry)."""

    def eligibility(self, surroundings: SpeakerContext) -> Eligibility:
        """Return which agents and intents are barred in a context."""
        ...


class IntentsByRules:
    """Registry of eligible agents and intents by an assistant's scope rules.

    An agent or intent named by rules is eligible only where one of those rules holds; all others always
    are.
    """

    def __init__(self, rules: Iterable[ScopeRule] = ()) -> None:
        """Compile the rules."""
        self._rules = tuple(map(_CompiledRule.of, rules))
        self._agents = frozenset().union(*(rule.agents for rule in self._rules)) - _ALWAYS
        self._intents = frozenset().union(*(rule.intents for rule in self._rules))

    def eligibility(self, surroundings: SpeakerContext) -> Eligibility:
        """Return which agents and intents are barred in a context."""
        if not self._rules:
            return ALL_ELIGIBLE
        holding = [rule for rule in self._rules if rule.holds(surroundings)]
        return Eligibility(
            self._agents.difference(*(rule.agents for rule in holding)),
            self._intents.difference(*(rule.intents for rule in holding)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _CompiledRule:
    """A scope rule with its fields as sets and times; an empty condition always holds."""

    agents: frozenset[str]
    intents: frozenset[str]
    areas: frozenset[str]
    satellites: frozenset[str]
    users: frozenset[str]
    after: time | None
    before: time | None
    share: int

    @classmethod
    def of(cls, rule: ScopeRule) -> _CompiledRule:
        """Compile a rule of the options."""
        return cls(
            agents=frozenset(rule.agents),
            intents=frozenset(rule.intents),
            areas=frozenset(rule.areas),
            satellites=frozenset(rule.satellites),
            users=frozenset(rule.users),
            after=time.fromisoformat(rule.after) if rule.after else None,
            before=time.fromisoformat(rule.before) if rule.before else None,
            share=rule.share,
        )

    def holds(self, surroundings: SpeakerContext) -> bool:
        """Return whether all conditions hold in a context."""
        heard_by = {surroundings.satellite_id, surroundings.device_id}
        return (
            (not self.areas or surroundings.area_id in self.areas)
            and (not self.satellites or not self.satellites.isdisjoint(heard_by))
            and (not self.users or surroundings.user_id in self.users)
            and self._is_time(surroundings.at)
            and share_of(surroundings.conversation_id) < self.share
        )

    def _is_time(self, at: time) -> bool:
        """Return whether a time of day is in the rule's range; one that ends when it starts is all day."""
        start, end = self.after or time.min, self.before
        if end is None:
            return at >= start
        return start <= at < end if start < end else at >= start or at < end


def share_of(conversation_id: str) -> int:
    """Return the bucket of a conversation for gradual rollout, from 0 to 99, by a hash of its id.

    The hash differs from that of the prompt trial, so that both splits are independent.
    """
    return crc32(f"scope {conversation_id}".encode()) % 100

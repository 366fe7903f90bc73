"""Policy check of a tool call with all it reaches: group members, and the calls of scenes and scripts.

It is the stage policy_check of Agent router orchestration, around the `PolicyEngine`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from homeassistant.core import HomeAssistant, callback

from ..domains.models import ToolCall
from ..domains.registry import GUARDING_OR_REACHING
from ..home.catalog import is_exposed_member, members_of, with_members
from ..policy.engine import (
    Interaction,
    NullPolicyEngine,
    PastCall,
    PolicyEffect,
    PolicyEngine,
    Verdict,
)
from .execution import AffectedEntities
from .indirect_calls import async_find_indirect_calls

UNKNOWABLE = frozenset({"script", "automation", "scene", "button", "input_button"})
"""Domains of entities that may touch any other."""

EXCEPTED = "(excepted)"
"""In place of a rule: a scene or a script may change what was excepted by the person."""

OVERRIDING = "(overriding)"
"""Pseudo-rule id of a confirmation where it was asked to ignore rules; no policy has this id."""

# What only closes or locks.
_SAFE = frozenset({"lock", "close_cover", "close_valve", "stop_cover", "stop_valve"})

# The strictest first.
_ORDER = (PolicyEffect.DENY, PolicyEffect.CLAMP, PolicyEffect.CONFIRM)


def asked_first(verdict: Verdict) -> Verdict:
    """Return a verdict that wants a yes before a call opens the house, or what may do so; any other as it is."""
    call = verdict.call
    reached = {target.partition(".")[0] for target in call.targets} or {
        *call.domains,
        call.action.partition(".")[0],
    }
    is_safe = call.action.rpartition(".")[2] in _SAFE or GUARDING_OR_REACHING.isdisjoint(reached)
    if is_safe or not verdict.allowed:
        return verdict
    return replace(verdict, effect=PolicyEffect.CONFIRM, rule=OVERRIDING, reason="")


@callback
def reach_of_entities(hass: HomeAssistant, entity_ids: Iterable[str]) -> AffectedEntities:
    """Return entity ids with those of the members of groups; None where one may touch anything."""
    reached = frozenset(with_members(hass, entity_ids))
    is_known = all(entity_id.partition(".")[0] not in UNKNOWABLE for entity_id in reached)
    return reached if is_known else None


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    """Checks tool calls of one interaction against the policies."""

    hass: HomeAssistant
    policy: PolicyEngine
    interaction: Interaction
    history: Sequence[PastCall] = ()

    @callback
    def find_reached(self, calls: Iterable[ToolCall]) -> set[str]:
        """Return the targets of calls, with groups replaced by their members."""
        targets = {target for call in calls for target in call.targets}
        return {leaf for target in targets for leaf in members_of(self.hass, target) or (target,)}

    @callback
    def reach(self, calls: Sequence[ToolCall]) -> AffectedEntities:
        """Return all that calls touch, as far as that can be known."""
        return reach_of_entities(self.hass, {target for call in calls for target in call.targets})

    async def async_check(
        self, call: ToolCall, count: int, confirmed: frozenset[str], *, whole: bool = False
    ) -> list[Verdict]:
        """Return verdicts that together cover all targets of a call.

        `count` is the number of entities that the turn changes, `confirmed` are the rules that the user
        confirmed. A group whose members get different verdicts is replaced by its members; with `whole`,
        for calls that cannot be split, it is denied.
        """
        interaction = replace(self.interaction, count=count)
        found: list[Verdict] = []
        for verdict in self._validate(call, interaction, confirmed):
            if verdict.effect is PolicyEffect.DENY:
                found.append(verdict)
                continue
            left: list[str] = []
            for target in verdict.call.targets:
                if (
                    not (members := members_of(self.hass, target))
                    or (
                        apart := self._split_group(verdict, target, members, interaction, confirmed)
                    )
                    is None
                ):
                    left.append(target)
                else:
                    apart = await self._async_check_each(apart, interaction, confirmed)
                    found += _deny_whole_group(verdict, target, apart) if whole else apart
            if left or not verdict.call.targets:
                kept = verdict.call.model_copy(update={"targets": tuple(left)})
                same = kept if len(left) < len(verdict.call.targets) else verdict.call
                found += await self._async_check_indirect(
                    replace(verdict, call=same), interaction, confirmed
                )
        return [
            replace(each, needs_code=self.policy.needs_code(each.rule))
            if each.effect is PolicyEffect.CONFIRM
            else each
            for each in found
        ]

    def _validate(
        self, call: ToolCall, interaction: Interaction, confirmed: frozenset[str]
    ) -> Sequence[Verdict]:
        """Return the policies' verdicts on a call, without what it reaches."""
        return self.policy.validate(call, interaction, self.history, confirmed=confirmed)

    def _split_group(
        self,
        verdict: Verdict,
        group: str,
        members: Sequence[str],
        interaction: Interaction,
        confirmed: frozenset[str],
    ) -> list[Verdict] | None:
        """Return the verdicts on the members of a group, or None where the group can be called as it is.

        Members that are not exposed are among them, and refused when they are called.
        """
        left = [member for member in members if member not in interaction.excepted]
        calls = _member_calls(verdict.call, group, left)
        judged = [inner for call in calls for inner in self._validate(call, interaction, confirmed)]
        exposed = all(is_exposed_member(self.hass, group, member) for member in members)
        if (
            len(left) == len(members)
            and exposed
            and all(_is_treated_alike(inner, verdict, calls) for inner in judged)
        ):
            return None
        if verdict.effect is PolicyEffect.CONFIRM:
            # A confirmation that the group needs, each of its members needs, too.
            asking, needs_code = PolicyEffect.CONFIRM, self.policy.needs_code
            # A yes to a rule about the member is less than the code that the group needs.
            outranks = needs_code(verdict.rule)
            judged = [
                replace(v, effect=asking, rule=verdict.rule, reason=verdict.reason)
                if v.allowed or (v.effect is asking and outranks and not needs_code(v.rule))
                else v
                for v in judged
            ]
        return judged

    async def _async_check_each(
        self, verdicts: Iterable[Verdict], interaction: Interaction, confirmed: frozenset[str]
    ) -> list[Verdict]:
        """Return verdicts on members of a group, tightened by what the scenes and scripts among them do."""
        return [
            each
            for verdict in verdicts
            for each in (
                [verdict]
                if verdict.effect is PolicyEffect.DENY
                else await self._async_check_indirect(verdict, interaction, confirmed)
            )
        ]

    async def _async_check_indirect(
        self, verdict: Verdict, interaction: Interaction, confirmed: frozenset[str]
    ) -> list[Verdict]:
        """Return a verdict, tightened by those on the calls of the scenes and scripts among its targets.

        One that may change what was excepted is denied.
        """
        calls = await async_find_indirect_calls(self.hass, verdict.call)
        is_free = isinstance(self.policy, NullPolicyEngine)
        if not calls or (is_free and not interaction.excepted):
            return [verdict]
        if interaction.excepted and any(
            "targets" in call.unresolved or not interaction.excepted.isdisjoint(call.targets)
            for call in calls
        ):
            return [replace(verdict, effect=PolicyEffect.DENY, rule=EXCEPTED, reason="")]
        judged = [inner for call in calls for inner in self._validate(call, interaction, confirmed)]
        if (worst := _strictest(judged)) is None or worst.effect is PolicyEffect.ALLOW:
            return [verdict]
        return [_tighten(verdict, worst)]


def _member_calls(call: ToolCall, group: str, members: Sequence[str]) -> list[ToolCall]:
    """Return a group's call as calls for its members, one for each domain."""
    domain = group.partition(".")[0]
    service = call.action.partition(".")[2]
    by_action: dict[str, list[str]] = {}
    for member in members:
        own = member.partition(".")[0]
        action = call.action if own == domain else f"{own}.{service}"
        by_action.setdefault(action, []).append(member)
    return [
        call.model_copy(update={"action": action, "targets": tuple(targets)})
        for action, targets in by_action.items()
    ]


def _is_treated_alike(inner: Verdict, outer: Verdict, calls: Sequence[ToolCall]) -> bool:
    """Return whether a member's verdict equals its group's: effect, rule and values."""
    if inner.effect is PolicyEffect.ALLOW:
        return outer.effect in {PolicyEffect.ALLOW, PolicyEffect.CONFIRM, PolicyEffect.CLAMP}
    return (
        inner.effect is outer.effect
        and inner.rule == outer.rule
        and inner.call.data == outer.call.data
        and len(inner.call.targets) == sum(len(call.targets) for call in calls)
    )


def _deny_whole_group(verdict: Verdict, group: str, apart: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdict on a group that cannot be split: the strictest of its members'."""
    call = verdict.call.model_copy(update={"targets": (group,)})
    worst = _strictest(apart)
    if worst is None or worst.effect is PolicyEffect.ALLOW:
        # A member is not exposed.
        return [Verdict(effect=PolicyEffect.DENY, call=call)]
    return [_tighten(replace(verdict, call=call), worst)]


def _tighten(verdict: Verdict, worst: Verdict) -> Verdict:
    """Return a verdict with the effect of a stricter one; a clamp, which has other values, denies."""
    effect = PolicyEffect.DENY if worst.effect is PolicyEffect.CLAMP else worst.effect
    return Verdict(effect=effect, call=verdict.call, rule=worst.rule, reason=worst.reason)


def _strictest(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the strictest of some verdicts, or None."""
    by_effect = {verdict.effect: verdict for verdict in reversed(verdicts)}
    return next((by_effect[e] for e in _ORDER if e in by_effect), None) or next(
        iter(verdicts), None
    )

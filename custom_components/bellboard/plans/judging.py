"""Asks the policies about a call, and about all that the call touches: members of groups, what scripts do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from homeassistant.core import HomeAssistant, callback

from ..domains.models import ToolCall
from ..home.groups import is_exposed_member, members_of
from ..policy.engine import (
    Effect,
    HistoryMessage,
    Interaction,
    NullPolicyEngine,
    PolicyEngine,
    Verdict,
)
from .touched import touched

# The strictest first.
_ORDER = (Effect.DENY, Effect.CLAMP, Effect.CONFIRM)


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks the policies in the name of one interaction."""

    hass: HomeAssistant
    policy: PolicyEngine
    interaction: Interaction
    history: Sequence[HistoryMessage] = ()

    @callback
    def reached(self, calls: Iterable[ToolCall]) -> set[str]:
        """Return the entities that calls are for, members in place of their groups."""
        targets = {target for call in calls for target in call.targets}
        return {leaf for target in targets for leaf in members_of(self.hass, target) or (target,)}

    @callback
    def verdicts(
        self, call: ToolCall, count: int, confirmed: frozenset[str], *, whole: bool = False
    ) -> list[Verdict]:
        """Return verdicts that together are about all targets of a call.

        `count` is how many entities the turn changes, `confirmed` are the rules agreed to. A group of
        which not all members are treated alike is taken apart: in its place stand its members. With
        `whole`, where nothing can be taken apart, such a group is denied.
        """
        interaction = replace(self.interaction, count=count)
        found: list[Verdict] = []
        for verdict in self._ask(call, interaction, confirmed):
            if verdict.effect is Effect.DENY:
                found.append(verdict)
                continue
            left: list[str] = []
            for target in verdict.call.targets:
                if (
                    not (members := members_of(self.hass, target))
                    or (apart := self._apart(verdict, target, members, interaction, confirmed))
                    is None
                ):
                    left.append(target)
                else:
                    found += _as_whole(verdict, target, apart) if whole else apart
            if left or not verdict.call.targets:
                kept = verdict.call.model_copy(update={"targets": tuple(left)})
                same = kept if len(left) < len(verdict.call.targets) else verdict.call
                found += self._performed(replace(verdict, call=same), interaction, confirmed)
        return found

    def _ask(
        self, call: ToolCall, interaction: Interaction, confirmed: frozenset[str]
    ) -> Sequence[Verdict]:
        """Ask the policies about a call as it stands."""
        return self.policy.validate(call, interaction, self.history, confirmed=confirmed)

    def _apart(
        self,
        verdict: Verdict,
        group: str,
        members: Sequence[str],
        interaction: Interaction,
        confirmed: frozenset[str],
    ) -> list[Verdict] | None:
        """Return the verdicts about the members of a group, or None where the group can be called.

        What is not exposed is left among them: it is refused where it is called.
        """
        calls = _of_members(verdict.call, group, members)
        judged = [inner for call in calls for inner in self._ask(call, interaction, confirmed)]
        exposed = all(is_exposed_member(self.hass, group, member) for member in members)
        if exposed and all(_is_alike(inner, verdict, calls) for inner in judged):
            return None
        if verdict.effect is Effect.CONFIRM:
            # What is wanted a yes for as a group is so for each of its members.
            asking = Effect.CONFIRM
            judged = [
                replace(v, effect=asking, rule=verdict.rule, reason=verdict.reason)
                if v.allowed
                else v
                for v in judged
            ]
        return judged

    def _performed(
        self, verdict: Verdict, interaction: Interaction, confirmed: frozenset[str]
    ) -> list[Verdict]:
        """Return a verdict, stricter where a script or a scene does what the policies do not allow."""
        if isinstance(self.policy, NullPolicyEngine):
            return [verdict]
        judged = [
            inner
            for call in touched(self.hass, verdict.call)
            for inner in self._ask(call, interaction, confirmed)
        ]
        if (worst := _worst(judged)) is None or worst.effect is Effect.ALLOW:
            return [verdict]
        return [_stricter(verdict, worst)]


def _of_members(call: ToolCall, group: str, members: Sequence[str]) -> list[ToolCall]:
    """Return the calls for the members of a group, one for each of their domains."""
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


def _is_alike(inner: Verdict, outer: Verdict, calls: Sequence[ToolCall]) -> bool:
    """Return whether a member may be treated as its group is: for the same reason, with the same values."""
    if inner.effect is Effect.ALLOW:
        return outer.effect in {Effect.ALLOW, Effect.CONFIRM, Effect.CLAMP}
    return (
        inner.effect is outer.effect
        and inner.rule == outer.rule
        and inner.call.data == outer.call.data
        and len(inner.call.targets) == sum(len(call.targets) for call in calls)
    )


def _as_whole(verdict: Verdict, group: str, apart: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdict about a group that cannot be taken apart: denied where a member is."""
    call = verdict.call.model_copy(update={"targets": (group,)})
    worst = _worst(apart)
    if worst is None or worst.effect is Effect.ALLOW:
        # A member is not exposed.
        return [Verdict(effect=Effect.DENY, call=call)]
    return [_stricter(replace(verdict, call=call), worst)]


def _stricter(verdict: Verdict, worst: Verdict) -> Verdict:
    """Return a verdict with the effect of a stricter one; values that cannot be changed are denied."""
    effect = Effect.DENY if worst.effect is Effect.CLAMP else worst.effect
    return Verdict(effect=effect, call=verdict.call, rule=worst.rule, reason=worst.reason)


def _worst(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the strictest of some verdicts."""
    by_effect = {verdict.effect: verdict for verdict in reversed(verdicts)}
    return next((by_effect[e] for e in _ORDER if e in by_effect), None) or next(
        iter(verdicts), None
    )

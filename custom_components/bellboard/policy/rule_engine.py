"""Decides about calls by the rules of the house."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
import logging

from ..domains.models import ToolCall
from .conditions import (
    NOWHERE,
    CallView,
    Condition,
    Names,
    Surroundings,
    Targets,
    fits_action,
    prepare,
)
from .engine import Effect, HistoryMessage, Interaction, Verdict
from .reach import Holds, Reach
from .rules import Rule
from .values import Asked, clamp
from .wildcards import wildcards

_LOGGER = logging.getLogger(__name__)

type _Candidates = tuple[tuple[Rule, Condition], ...]

# Actions differ, and entities come and go, but a house has no more of either.
_MOST_REMEMBERED = 10_000


class _Prepared:
    """A rule that is ready to be asked."""

    def __init__(self, rule: Rule) -> None:
        """Prepare the rule."""
        self.rule = rule
        match = rule.match.model_copy(update={"action": None})
        self._of_some_domains = prepare(match)
        self._of_all_domains = prepare(match.model_copy(update={"domain": None}))
        self._reach = Reach(rule.match)

    def may_be_about(self, view: CallView, domains: Sequence[str]) -> bool:
        """Return whether it may be about a call of which only the kinds of things are known."""
        if not self._reach.speaks_of(view, domains):
            return False
        least = Holds.YES if self.rule.effect is Effect.ALLOW else Holds.MAYBE
        return self._reach.holds(view, domains) >= least

    def for_calls(self, action: str, domains: frozenset[str]) -> Condition | None:
        """Return the condition on calls of an action for targets of these domains.

        None where it cannot hold for any of them; else without what is known to hold.
        """
        match = self.rule.match
        if match.action is not None and not fits_action(match.action, action):
            return None
        if match.domain is None or domains.issubset(match.domain):
            return self._of_all_domains
        return None if domains.isdisjoint(match.domain) else self._of_some_domains


@dataclass(frozen=True, slots=True)
class _Part:
    """Targets of a call that were treated alike so far; `clamped` are the rules that changed it."""

    targets: Targets
    view: CallView
    clamped: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class _Decided:
    """What was decided about a part."""

    effect: Effect
    part: _Part
    rule: Rule | None = None


class RulePolicyEngine:
    """A policy engine that goes by rules, in their order.

    The first rule that is about a target decides about it; one that clamps changes the call and
    leaves it to the rules that follow. What no rule is about is allowed.
    """

    def __init__(self, rules: Iterable[Rule], surroundings: Surroundings) -> None:
        """Prepare the rules; the home is looked at when a call is."""
        self._rules = tuple(map(_Prepared, rules))
        self._surroundings = surroundings
        written = {
            text: pattern
            for prepared in self._rules
            for match in prepared.rule.match.walk()
            for text in match.entity or ()
            if (pattern := wildcards(text))
        }
        self._patterns = tuple(written.items())
        self._fitting: dict[str, tuple[str, ...]] = {}
        self._candidates: dict[tuple[str, frozenset[str]], _Candidates] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules, in order."""
        return tuple(prepared.rule for prepared in self._rules)

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: Sequence[HistoryMessage] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Return verdicts that together are about all targets of a call, each target once.

        In the order of the first target of each. A confirmed rule is passed over, so that the rules
        after it hold.
        """
        if call.domains and not call.targets:
            return [self._unseen(call, interaction, confirmed)]
        targets = tuple(dict.fromkeys(call.targets)) or (NOWHERE,)
        candidates = self._about(call.action.casefold(), targets)
        if not candidates:
            return (Verdict(effect=Effect.ALLOW, call=_call(call, targets)),)
        asked = Asked(call.action, call.data)
        names = Names(call.action, targets, interaction, self._surroundings, self._patterns_of)
        view = CallView(asked, interaction, names, self._surroundings.state)
        decided: list[_Decided] = []
        parts = [_Part(frozenset(targets), view)]
        for rule, condition in candidates:
            if rule.effect is Effect.CONFIRM and rule.name in confirmed:
                continue
            left: list[_Part] = []
            for part in parts:
                if about := condition(part.view, part.targets):
                    left += _apply(rule, part, about, decided)
                else:
                    left.append(part)
            parts = left
            if not parts:
                break
        decided += (_Decided(Effect.ALLOW, part) for part in parts)
        order = {target: number for number, target in enumerate(targets)}
        verdicts = sorted(
            (min(map(order.__getitem__, item.part.targets)), number, item)
            for number, item in enumerate(decided)
        )
        found = [_verdict(call, targets, item, interaction.language) for _, _, item in verdicts]
        _log(found, len(call.targets))
        return found

    def _unseen(
        self, call: ToolCall, interaction: Interaction, confirmed: frozenset[str]
    ) -> Verdict:
        """Return the verdict about a call of which only the kinds of things are known that it is for.

        The first rule that is or may be about it decides; its values cannot be brought into bounds.
        """
        targets = (NOWHERE,)
        asked = Asked(call.action, call.data)
        names = Names(call.action, targets, interaction, self._surroundings, self._patterns_of)
        view = CallView(asked, interaction, names, self._surroundings.state)
        for prepared in self._rules:
            rule = prepared.rule
            if rule.effect is Effect.CONFIRM and rule.name in confirmed:
                continue
            if prepared.may_be_about(view, call.domains):
                effect = Effect.DENY if rule.effect is Effect.CLAMP else rule.effect
                reason = rule.reason_in(interaction.language)
                verdict = Verdict(effect=effect, call=call, rule=rule.name, reason=reason)
                _log([verdict], 0)
                return verdict
        return Verdict(effect=Effect.ALLOW, call=call)

    def _about(self, action: str, targets: Sequence[str]) -> _Candidates:
        """Return the rules that can be about an action's targets, remembered for the next time."""
        domains = frozenset((target or action).partition(".")[0] for target in targets)
        key = action, domains
        if (found := self._candidates.get(key)) is None:
            if len(self._candidates) >= _MOST_REMEMBERED:
                self._candidates.clear()
            found = tuple(
                (prepared.rule, condition)
                for prepared in self._rules
                if (condition := prepared.for_calls(action, domains))
            )
            self._candidates[key] = found
        return found

    def _patterns_of(self, entity_id: str) -> tuple[str, ...]:
        """Return the patterns for entities that an id fits, remembered for the next time."""
        if (found := self._fitting.get(entity_id)) is None:
            if len(self._fitting) >= _MOST_REMEMBERED:
                self._fitting.clear()
            found = tuple(text for text, pattern in self._patterns if pattern.fits(entity_id))
            self._fitting[entity_id] = found
        return found


def _apply(rule: Rule, part: _Part, about: Targets, decided: list[_Decided]) -> list[_Part]:
    """Apply a rule to what it is about in a part; return what is left to other rules."""
    rest = [replace(part, targets=part.targets - about)] if about != part.targets else []
    if rule.to is None:
        decided.append(_Decided(rule.effect, replace(part, targets=about), rule))
        return rest
    view = part.view
    for targets, asked in clamp(view.asked, rule.to, about, view.states).items():
        if asked is view.asked:
            rest.append(replace(part, targets=targets))
        else:
            changed = CallView(asked, view.interaction, view.names, view.states)
            rest.append(_Part(targets, changed, (*part.clamped, rule)))
    return rest


def _call(call: ToolCall, targets: Sequence[str], asked: Asked | None = None) -> ToolCall:
    """Return a call for some of its targets, and for what is asked for in place of it."""
    reached = tuple(filter(None, targets))
    if asked is None or (asked.action == call.action and asked.data is call.data):
        if reached == call.targets:
            return call
        return call.model_copy(update={"targets": reached})
    return call.model_copy(
        update={"action": asked.action, "targets": reached, "data": dict(asked.data)}
    )


def _verdict(call: ToolCall, targets: Sequence[str], decided: _Decided, language: str) -> Verdict:
    """Return the verdict for what was decided."""
    part, rule, effect = decided.part, decided.rule, decided.effect
    reasons = [rule.reason_in(language)] if rule else []
    if effect is Effect.ALLOW and part.clamped:
        effect, rule = Effect.CLAMP, part.clamped[-1]
        reasons = [clamping.reason_in(language) for clamping in part.clamped]
    return Verdict(
        effect=effect,
        call=_call(call, [t for t in targets if t in part.targets], part.view.asked),
        rule=rule.name if rule else "",
        reason=" ".join(dict.fromkeys(filter(None, reasons))),
    )


def _log(verdicts: Iterable[Verdict], targets: int) -> None:
    """Write what was not simply allowed to the log: which rule, not what was said."""
    for verdict in verdicts:
        if verdict.effect is Effect.ALLOW:
            continue
        _LOGGER.log(
            logging.WARNING if verdict.effect is Effect.DENY else logging.INFO,
            "Rule %s: %s for %s, %d of %d targets",
            verdict.rule,
            verdict.effect,
            verdict.call.action,
            len(verdict.call.targets),
            targets,
        )

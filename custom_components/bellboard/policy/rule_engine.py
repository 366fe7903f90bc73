"""The policy engine that goes by the rules of the policies file."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
import logging

from ..domains.models import ToolCall, Unresolved
from ..domains.registry import find_equivalent_actions
from .engine import Interaction, PastCall, PolicyEffect, Verdict
from .matching import (
    NO_TARGET,
    RUN_SCRIPT,
    CallView,
    HomeLookup,
    Matcher,
    NameKind,
    Targets,
    compile_match,
    matches_action,
    wildcard_pattern,
)
from .rules import Match, Rule
from .values import Asked

_LOGGER = logging.getLogger(__name__)

type _Candidates = tuple[tuple[Rule, Matcher], ...]

# Actions differ, and entities come and go, but a house has no more of either.
_MAX_CACHED = 10_000


class _CompiledRule:
    """A rule with its match compiled, whole and without what is known to hold."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._is_broad = rule.effect is not PolicyEffect.ALLOW
        self._matchers: dict[frozenset[str], Matcher] = {}

    def matcher_for(self, action: str, domains: frozenset[str]) -> Matcher | None:
        """Return the matcher for calls of an action on targets of these domains; None if none can match.

        What holds for all such calls is left out of it.
        """
        match, known = self.rule.match, set[str]()
        if match.action is not None:
            if matches_action(match.action, action):
                known.add("action")
            elif not self._is_broad or not any(
                matches_action(match.action, other)
                or (
                    other == RUN_SCRIPT and any(each.startswith("script.") for each in match.action)
                )
                for domain in domains
                for other in find_equivalent_actions(domain, action, None, None)
            ):
                return None
        if match.domain is not None:
            if domains.issubset(match.domain):
                known.add("domain")
            elif domains.isdisjoint(match.domain):
                return None
        return self.matcher_without(frozenset(known))

    def matcher_without(self, known: frozenset[str] = frozenset()) -> Matcher:
        """Return the matcher of all fields but those that are known to hold."""
        if (found := self._matchers.get(known)) is None:
            left = self.rule.match.model_copy(update=dict.fromkeys(known))
            found = self._matchers[known] = compile_match(left, broad=self._is_broad)
        return found

    def mentions(self, view: CallView) -> bool:
        """Return whether the match names a command's action or one of its domains, or no targets at all.

        Of a command of Home Assistant's nobody knows which entities it reaches, so a rule about one room only is
        not about a timer.
        """
        named = [each for each in self.rule.match.walk() if _has_any(each, _OF_TARGETS)]
        return not named or any(
            bool(view.targets_of_action(written, broad=True))
            if field == "action"
            else view.may_be_of(NameKind(field), written) or view.are_of(written)
            for each in named
            for field in ("action", NameKind.DOMAIN, NameKind.ENTITY)
            if (written := getattr(each, field)) is not None
        )


@dataclass(frozen=True, slots=True)
class _Group:
    """Targets of a call that were treated alike so far; `clamped` are the rules that changed it."""

    targets: Targets
    view: CallView
    clamped: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class _Decision:
    """What becomes of a group of targets, and by which rule."""

    effect: PolicyEffect
    group: _Group
    rule: Rule | None = None


class RulePolicyEngine:
    """Policy engine that applies rules in their order, as a firewall does.

    The first rule that matches a target decides about it; one that clamps changes the call and
    leaves it to the rules that follow. What no rule matches is allowed.
    """

    def __init__(self, rules: Iterable[Rule], home: HomeLookup) -> None:
        self._rules = tuple(map(_CompiledRule, rules))
        self._with_code = frozenset(each.name for each in self.rules if each.require)
        self._home = home
        written = {
            text: pattern
            for compiled in self._rules
            for match in compiled.rule.match.walk()
            for text in match.entity or ()
            if (pattern := wildcard_pattern(text))
        }
        self._patterns = tuple(written.items())
        self._patterns_by_entity: dict[str, tuple[str, ...]] = {}
        self._candidates: dict[tuple[str, frozenset[str]], _Candidates] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the rules, in order."""
        return tuple(compiled.rule for compiled in self._rules)

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: Sequence[PastCall] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Return verdicts that together cover all targets of a call, each target once.

        In the order of the first target of each. Rules about earlier turns look at `history`. A confirmed rule is
        skipped, so that the rules after it hold; one that wants a code only where the interaction has it, whoever
        says that it is confirmed.
        """
        targets = tuple(dict.fromkeys(call.targets)) or (NO_TARGET,)
        view = self._view(call, targets, interaction, history)
        candidates = self._candidates_for(call, view)
        if not candidates:
            return (Verdict(effect=PolicyEffect.ALLOW, call=_call(call, targets)),)
        if "action" in call.unresolved:
            return [self._validate_unknown(call, view, candidates, confirmed)]
        decided: list[_Decision] = []
        groups = [_Group(frozenset(targets), view)]
        for rule, matcher in candidates:
            if _is_confirmed(rule, interaction, confirmed):
                continue
            left: list[_Group] = []
            for group in groups:
                if matched := matcher(group.view, group.targets):
                    left += _apply(rule, group, matched, decided)
                else:
                    left.append(group)
            groups = left
            if not groups:
                break
        decided += (_Decision(PolicyEffect.ALLOW, group) for group in groups)
        order = {target: number for number, target in enumerate(targets)}
        decided.sort(key=lambda decision: min(order[t] for t in decision.group.targets))
        verdicts = [_verdict(call, targets, each, interaction.language) for each in decided]
        _log(verdicts, len(call.targets))
        return verdicts

    def needs_code(self, rule: str) -> bool:
        """Return whether the rule of a name wants a code."""
        return rule in self._with_code

    def _validate_unknown(
        self,
        call: ToolCall,
        view: CallView,
        candidates: _Candidates,
        confirmed: frozenset[str],
    ) -> Verdict:
        """Return the verdict on a call that may be any: that of the strictest rule before one that allows it.

        Who agrees to the strictest has agreed to all: it is asked about once.
        """
        language, targets = view.interaction.language, frozenset(view.targets)
        matching: list[Rule] = []
        for rule, matcher in candidates:
            if matcher(view, targets):
                if rule.effect is PolicyEffect.ALLOW:
                    break
                matching.append(rule)
        worst = min(matching, key=_leniency, default=None)
        if worst is None or _is_confirmed(worst, view.interaction, confirmed):
            return Verdict(effect=PolicyEffect.ALLOW, call=call)
        effect = PolicyEffect.CONFIRM if worst.effect is PolicyEffect.CONFIRM else PolicyEffect.DENY
        verdict = Verdict(
            effect=effect, call=call, rule=worst.name, reason=worst.reason_in(language)
        )
        _log([verdict], len(call.targets))
        return verdict

    def _view(
        self,
        call: ToolCall,
        targets: Collection[str],
        interaction: Interaction,
        history: Sequence[PastCall],
    ) -> CallView:
        """Return a call as matchers see it.

        Of a command of Home Assistant's only the domains of its targets are known, and the values that were said.
        """
        unresolved = call.unresolved | _OF_COMMANDS if _is_command(call) else call.unresolved
        asked = Asked(call.action, call.data, call.assumed, unresolved)
        return CallView(
            asked,
            targets,
            interaction,
            self._home,
            self._patterns_of,
            domains=call.domains,
            history=history,
        )

    def _candidates_for(self, call: ToolCall, view: CallView) -> _Candidates:
        """Return the rules that can match a call; cached by action and domains where its targets are known."""
        if view.asked.unresolved & {"action", "targets"}:
            is_command = _is_command(call)
            return tuple(
                (compiled.rule, compiled.matcher_without())
                for compiled in self._rules
                if not is_command or compiled.mentions(view)
            )
        action = call.action.casefold()
        domains = frozenset((target or action).partition(".")[0] for target in view.targets)
        key = action, domains
        if (found := self._candidates.get(key)) is None:
            if len(self._candidates) >= _MAX_CACHED:
                self._candidates.clear()
            found = self._candidates[key] = tuple(
                (compiled.rule, matcher)
                for compiled in self._rules
                if (matcher := compiled.matcher_for(action, domains))
            )
        return found

    def _patterns_of(self, entity_id: str) -> tuple[str, ...]:
        """Return the wildcard patterns that an entity id matches; cached."""
        if (found := self._patterns_by_entity.get(entity_id)) is None:
            if len(self._patterns_by_entity) >= _MAX_CACHED:
                self._patterns_by_entity.clear()
            found = tuple(text for text, pattern in self._patterns if pattern.fits(entity_id))
            self._patterns_by_entity[entity_id] = found
        return found


def _is_confirmed(rule: Rule, interaction: Interaction, confirmed: frozenset[str]) -> bool:
    """Return whether a rule asks for nothing any more."""
    is_agreed = rule.effect is PolicyEffect.CONFIRM and rule.name in confirmed
    return is_agreed and (rule.require is None or interaction.has_code)


def _leniency(rule: Rule) -> int:
    """Return how little a rule forbids: 0 for all, 1 for what has no code, 2 for what has no yes."""
    if rule.effect is not PolicyEffect.CONFIRM:
        return 0
    return 1 if rule.require else 2


def _apply(rule: Rule, group: _Group, matched: Targets, decided: list[_Decision]) -> list[_Group]:
    """Apply a rule to the targets it matches in a group; return what is left to other rules."""
    rest = [replace(group, targets=group.targets - matched)] if matched != group.targets else []
    if rule.to is not None and (unknown := group.view.targets_of_unknown(rule.to, matched)):
        # What is not known yet cannot be brought into bounds.
        decided.append(_Decision(PolicyEffect.DENY, replace(group, targets=unknown), rule))
        matched -= unknown
        if not matched:
            return rest
    if rule.to is None:
        decided.append(_Decision(rule.effect, replace(group, targets=matched), rule))
        return rest
    view = group.view
    for targets, asked in view.clamped(rule.to, matched).items():
        if asked is view.asked:
            rest.append(replace(group, targets=targets))
        else:
            rest.append(_Group(targets, view.asking_for(asked), (*group.clamped, rule)))
    return rest


def _call(call: ToolCall, targets: Sequence[str], asked: Asked | None = None) -> ToolCall:
    """Return a call for some of its targets, with other data where it was clamped."""
    reached = tuple(filter(None, targets))
    if asked is None or (asked.action == call.action and asked.data is call.data):
        if reached == call.targets:
            return call
        return call.model_copy(update={"targets": reached})
    return call.model_copy(
        update={"action": asked.action, "targets": reached, "data": dict(asked.data)}
    )


def _verdict(call: ToolCall, targets: Sequence[str], decided: _Decision, language: str) -> Verdict:
    """Return the verdict for a decision; one that only clamped is a CLAMP."""
    group, rule, effect = decided.group, decided.rule, decided.effect
    reasons = [rule.reason_in(language)] if rule else []
    if effect is PolicyEffect.ALLOW and group.clamped:
        effect, rule = PolicyEffect.CLAMP, group.clamped[-1]
        reasons = [clamping.reason_in(language) for clamping in group.clamped]
    return Verdict(
        effect=effect,
        call=_call(call, [t for t in targets if t in group.targets], group.view.asked),
        rule=rule.name if rule else "",
        reason=" ".join(dict.fromkeys(filter(None, reasons))),
    )


def _log(verdicts: Iterable[Verdict], targets: int) -> None:
    """Log each verdict that is not ALLOW: its rule and action, nothing that was said."""
    for verdict in verdicts:
        if verdict.effect is PolicyEffect.ALLOW:
            continue
        _LOGGER.log(
            logging.WARNING if verdict.effect is PolicyEffect.DENY else logging.INFO,
            "Rule %s: %s for %s, %d of %d targets",
            verdict.rule,
            verdict.effect,
            verdict.call.action,
            len(verdict.call.targets),
            targets,
        )


_OF_TARGETS = (
    "action", "domain", "entity", "area", "floor", "label", "device_class", "parameters",
)  # fmt: skip
_OF_COMMANDS: frozenset[Unresolved] = frozenset({"targets", "data", "state"})


def _is_command(call: ToolCall) -> bool:
    """Return whether a call is a command of Home Assistant's of which only the domains are known."""
    return bool(call.domains) and not call.targets and not call.unresolved


def _has_any(match: Match, names: Collection[str]) -> bool:
    """Return whether a match has any of some fields."""
    return any(getattr(match, name) is not None for name in names)

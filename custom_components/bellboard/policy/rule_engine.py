"""The policy engine that goes by the rules of the policies file."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
import logging

from ..domains.models import ToolCall
from .engine import Effect, HistoryMessage, Interaction, Verdict
from .matching import (
    NO_TARGET,
    CallView,
    HomeLookup,
    Matcher,
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
    """A rule with its match compiled, for calls with targets and for calls with domains only."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        match = rule.match.model_copy(update={"action": None})
        self._of_some_domains = compile_match(match)
        self._of_all_domains = compile_match(match.model_copy(update={"domain": None}))
        self._domain_matcher = DomainMatcher(rule.match)

    def matches_domains(self, view: CallView, domains: Sequence[str]) -> bool:
        """Return whether it applies to a call of which only the domains are known."""
        if not self._domain_matcher.mentions(view, domains):
            return False
        least = Certainty.YES if self.rule.effect is Effect.ALLOW else Certainty.MAYBE
        return self._domain_matcher.matches(view, domains) >= least

    def matcher_for(self, action: str, domains: frozenset[str]) -> Matcher | None:
        """Return the matcher for calls of an action on targets of these domains; None if none can match.

        What holds for all such calls is left out of it.
        """
        match = self.rule.match
        if match.action is not None and not matches_action(match.action, action):
            return None
        if match.domain is None or domains.issubset(match.domain):
            return self._of_all_domains
        return None if domains.isdisjoint(match.domain) else self._of_some_domains


@dataclass(frozen=True, slots=True)
class _Group:
    """Targets of a call that were treated alike so far; `clamped` are the rules that changed it."""

    targets: Targets
    view: CallView
    clamped: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class _Decision:
    """What becomes of a group of targets, and by which rule."""

    effect: Effect
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
        history: Sequence[HistoryMessage] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Return verdicts that together cover all targets of a call, each target once.

        In the order of the first target of each. A confirmed rule is skipped, so that the rules after
        it hold; one that wants a code only where the interaction has it, whoever says that it is confirmed.
        """
        if call.domains and not call.targets:
            return [self._validate_domains(call, interaction, confirmed)]
        targets = tuple(dict.fromkeys(call.targets)) or (NO_TARGET,)
        candidates = self._candidates_for(call.action.casefold(), targets)
        if not candidates:
            return (Verdict(effect=Effect.ALLOW, call=_call(call, targets)),)
        decided: list[_Decision] = []
        groups = [_Group(frozenset(targets), self._view(call, targets, interaction))]
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
        decided += (_Decision(Effect.ALLOW, group) for group in groups)
        order = {target: number for number, target in enumerate(targets)}
        decided.sort(key=lambda decision: min(order[t] for t in decision.group.targets))
        verdicts = [_verdict(call, targets, each, interaction.language) for each in decided]
        _log(verdicts, len(call.targets))
        return verdicts

    def needs_code(self, rule: str) -> bool:
        """Return whether the rule of a name wants a code."""
        return rule in self._with_code

    def _validate_domains(
        self, call: ToolCall, interaction: Interaction, confirmed: frozenset[str]
    ) -> Verdict:
        """Return the verdict about a call of which only the domains of its targets are known.

        The first rule that matches or may match decides; such a call's values cannot be clamped.
        """
        view = self._view(call, (NO_TARGET,), interaction)
        for compiled in self._rules:
            rule = compiled.rule
            if _is_confirmed(rule, interaction, confirmed):
                continue
            if compiled.matches_domains(view, call.domains):
                effect = Effect.DENY if rule.effect is Effect.CLAMP else rule.effect
                reason = rule.reason_in(interaction.language)
                verdict = Verdict(effect=effect, call=call, rule=rule.name, reason=reason)
                _log([verdict], 0)
                return verdict
        return Verdict(effect=Effect.ALLOW, call=call)

    def _view(self, call: ToolCall, targets: Collection[str], interaction: Interaction) -> CallView:
        """Return a call as matchers see it."""
        asked = Asked(call.action, call.data, call.assumed)
        return CallView(asked, targets, interaction, self._home, self._patterns_of)

    def _candidates_for(self, action: str, targets: Sequence[str]) -> _Candidates:
        """Return the rules that can match an action's targets; cached by action and domains."""
        domains = frozenset((target or action).partition(".")[0] for target in targets)
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
    is_agreed = rule.effect is Effect.CONFIRM and rule.name in confirmed
    return is_agreed and (rule.require is None or interaction.has_code)


def _apply(rule: Rule, group: _Group, matched: Targets, decided: list[_Decision]) -> list[_Group]:
    """Apply a rule to the targets it matches in a group; return what is left to other rules."""
    rest = [replace(group, targets=group.targets - matched)] if matched != group.targets else []
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
    if effect is Effect.ALLOW and group.clamped:
        effect, rule = Effect.CLAMP, group.clamped[-1]
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


# The fields of a match about who asks, where from and when: that is known of every call.
_OF_INTERACTION = frozenset(
    {"user", "person", "satellite", "device", "spoken_in", "time", "count", "assumed"}
)
_OF_KIND = frozenset({"action", "domain", "entity"})
_OF_PLACES = frozenset({"area", "floor", "label"})
_OF_TARGETS = _OF_KIND | _OF_PLACES | {"parameters"}

_NO_TARGETS = frozenset({NO_TARGET})


class Certainty(IntEnum):
    """Whether a match is about a call whose targets are not known."""

    NO = 0
    MAYBE = 1
    YES = 2


class DomainMatcher:
    """Matches a command of Home Assistant's of which only the domains of its targets are known.

    Nobody knows which entities it reaches. So a rule that forbids something of these domains holds
    for it, whatever else the rule names; one that allows something holds only where nothing else is
    named.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self._interaction = _compile_fields(match, _OF_INTERACTION)
        self._values = _compile_fields(match, ("parameters",))
        self._all = [DomainMatcher(inner) for inner in match.all_of or ()]
        self._any = [DomainMatcher(inner) for inner in match.any_of or ()]
        self._none = DomainMatcher(match.none_of) if match.none_of else None

    def mentions(self, view: CallView, domains: Collection[str]) -> bool:
        """Return whether a match names the action or one of the domains, or no targets at all."""
        named = [each for each in self._match.walk() if _has_any(each, _OF_TARGETS)]
        return not named or any(
            _match_kind(each, name, view, domains) is not Certainty.NO
            for each in named
            for name in _OF_KIND
            if getattr(each, name) is not None
        )

    def matches(self, view: CallView, domains: Collection[str]) -> Certainty:
        """Return whether it is about a call for something of these domains."""
        if not self._interaction(view, _NO_TARGETS):
            return Certainty.NO
        found = [
            _match_kind(self._match, name, view, domains)
            for name in _OF_KIND
            if getattr(self._match, name) is not None
        ]
        if _has_any(self._match, _OF_PLACES):
            found.append(Certainty.MAYBE)
        if self._match.parameters is not None:
            found.append(self._match_values(view))
        found += [inner.matches(view, domains) for inner in self._all]
        if self._any:
            found.append(max(inner.matches(view, domains) for inner in self._any))
        if self._none:
            found.append(Certainty(Certainty.YES - self._none.matches(view, domains)))
        return min(found, default=Certainty.YES)

    def _match_values(self, view: CallView) -> Certainty:
        """Return whether values are as the match says; one that is not given may be anything."""
        given = view.asked.data.keys() >= (self._match.parameters or {}).keys()
        return Certainty.YES if self._values(view, _NO_TARGETS) else Certainty(not given)


def _compile_fields(match: Match, names: Collection[str]) -> Matcher:
    """Return the matcher of some fields of a match."""
    return compile_match(Match.model_validate({name: getattr(match, name) for name in names}))


def _has_any(match: Match, names: Collection[str]) -> bool:
    """Return whether a match has any of some fields."""
    return any(getattr(match, name) is not None for name in names)


def _match_kind(match: Match, name: str, view: CallView, domains: Collection[str]) -> Certainty:
    """Return whether the field action, domain or entity of a match is about a call for some domains."""
    written: Collection[str] = getattr(match, name)
    own, _, _ = view.asked.action.casefold().partition(".")
    if name == "domain":
        fitting = [domain for domain in domains if domain in written]
        is_sure = own in written or len(fitting) == len(domains)
        return Certainty.YES if is_sure else Certainty(bool(fitting))
    if name == "action" and matches_action(written, view.asked.action.casefold()):
        return Certainty.YES
    written_domains = [text.partition(".")[0] for text in written]
    return Certainty(any(matches_action(written_domains, domain) for domain in domains))

"""Rule matching: which targets of a call a rule's `match` is about.

A match is compiled to a function that narrows all targets of a call down together.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from ..domains.models import StateLike
from ..domains.registry import find_equivalent_actions
from ..when import Repeated, SunTime
from .engine import DaySpan, Interaction, PastCall
from .rules import ANY, Author, Earlier, Match, Range, Scalar, ValueBounds, normal_name
from .values import Asked, ValueReading, clamp, read

type Targets = frozenset[str]
type Matcher = Callable[[CallView, Targets], Targets]

NO_TARGET = ""
"""The one target of a call that has none, such as a timer's."""

RUN_SCRIPT = "script.turn_on"
"""Action that runs a script, as a script's own action does."""

_NONE: Targets = frozenset()


class NameKind(StrEnum):
    """The fields of a match that hold names: of a call's targets, or of who asked for it."""

    DOMAIN = "domain"
    ENTITY = "entity"
    AREA = "area"
    FLOOR = "floor"
    LABEL = "label"
    DEVICE_CLASS = "device_class"
    USER = "user"
    PERSON = "person"
    SATELLITE = "satellite"
    DEVICE = "device"
    SPOKEN_IN = "spoken_in"


_OF_SPEAKER = (
    NameKind.USER,
    NameKind.PERSON,
    NameKind.SATELLITE,
    NameKind.DEVICE,
    NameKind.SPOKEN_IN,
)
_OF_TARGETS = (
    NameKind.DOMAIN,
    NameKind.ENTITY,
    NameKind.AREA,
    NameKind.FLOOR,
    NameKind.LABEL,
    NameKind.DEVICE_CLASS,
)


class HomeLookup(Protocol):
    """States and names in the home. Names come as `normal_name` makes them, ids among them."""

    def state(self, entity_id: str) -> StateLike | None:
        """Return the state of an entity."""
        ...

    def ids(self, kind: NameKind, entity_id: str) -> Collection[str]:
        """Return the ids of the areas, floors or labels of an entity, or its device class."""
        ...

    def names(self, kind: NameKind, id_: str) -> Collection[str]:
        """Return the names of an area, a floor, a label or a device class."""
        ...

    def speaker(self, kind: NameKind, interaction: Interaction) -> Collection[str]:
        """Return the names of the speaker's user, device or area."""
        ...

    def sun_span(self, sun: SunTime) -> DaySpan:
        """Return the local times of the day that a time by the sun comes to within a year."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CallView:
    """A call as matchers see it. What its targets and its speaker are called is looked up once.

    `patterns` returns the wildcard patterns that an entity id matches. `domains` are those of targets that are not
    known; without any, they may be of every domain. `history` are the calls of earlier turns.
    """

    asked: Asked
    targets: Collection[str]
    interaction: Interaction
    home: HomeLookup
    patterns: Callable[[str], Iterable[str]]
    domains: Collection[str] = ()
    history: Sequence[PastCall] = ()
    _by_name: dict[NameKind, dict[str, set[str]]] = field(default_factory=dict)
    _speaker: dict[NameKind, AbstractSet[str]] = field(default_factory=dict)
    _actions: dict[str, frozenset[str]] = field(default_factory=dict, init=False)
    _readings: dict[tuple[str, Targets], dict[ValueReading, Targets]] = field(
        default_factory=dict, init=False
    )

    def asking_for(self, asked: Asked) -> CallView:
        """Return the view of the same call with other data; the names stay looked up."""
        return replace(self, asked=asked)

    def clamped(
        self, bounds: Mapping[str, ValueBounds], targets: Targets
    ) -> Mapping[frozenset[str], Asked]:
        """Return the data with its values brought into bounds, by the targets it is then for."""
        return clamp(self.asked, bounds, targets, self.home.state)

    def targets_named(self, kind: NameKind, names: Iterable[str]) -> list[set[str]]:
        """Return the targets of each name that any of them has."""
        if (by_name := self._by_name.get(kind)) is None:
            by_name = self._by_name[kind] = {}
            for name, targets in self._names(kind):
                by_name.setdefault(name, set()).update(targets)
        return [by_name[name] for name in names if name in by_name]

    def may_be_of(self, kind: NameKind, names: Collection[str]) -> bool:
        """Return whether targets that are not known may have one of some names."""
        if "targets" not in self.asked.unresolved:
            return False
        if not self.domains or kind not in {NameKind.DOMAIN, NameKind.ENTITY}:
            return True
        written = [name.partition(".")[0] for name in names]
        return any(matches_action(written, domain) for domain in self.domains)

    def are_of(self, domains: Collection[str]) -> bool:
        """Return whether targets that are not known are of some domains for certain."""
        own = self.asked.action.casefold().partition(".")[0]
        return own in domains or (bool(self.domains) and set(self.domains).issubset(domains))

    def targets_of_action(self, written: Collection[str], *, broad: bool) -> Targets:
        """Return the targets for which the call is one of some actions, as they are written.

        With `broad` also those for which it has an effect of one of them, or may have.
        """
        unresolved, targets = self.asked.unresolved, frozenset(self.targets)
        if matches_action(written, self.asked.action.casefold()):
            return targets
        if not broad:
            return _NONE
        if "action" in unresolved:
            return targets
        if "targets" in unresolved and self.asked.action.partition(".")[0] not in self.domains:
            # A command, of which only the kind of things it is for is known.
            return targets if self.may_be_of(NameKind.ENTITY, written) else _NONE
        return frozenset(
            target
            for target in targets
            if any(matches_action(written, action) for action in self._actions_on(target))
        )

    def _actions_on(self, target: str) -> frozenset[str]:
        """Return the actions with an effect of this one on a target."""
        if (found := self._actions.get(target)) is None:
            unresolved = self.asked.unresolved
            domain = (target or self.asked.action).partition(".")[0].casefold()
            found = find_equivalent_actions(
                domain,
                self.asked.action.casefold(),
                None if "state" in unresolved or not target else self.home.state(target),
                None if "data" in unresolved else self.asked.data,
            )
            if RUN_SCRIPT in found:
                # A script is an action of its own, by its name.
                found |= {target}
            self._actions[target] = found
        return found

    def are_all(self, targets: Collection[str]) -> bool:
        """Return whether these are all targets of the call."""
        return len(targets) == len(self.targets)

    def speaker(self, kind: NameKind) -> AbstractSet[str]:
        """Return the names of the speaker's user, device or area."""
        if (found := self._speaker.get(kind)) is None:
            found = frozenset(self.home.speaker(kind, self.interaction))
            self._speaker[kind] = found
        return found

    def targets_like(self, past: PastCall, *, broad: bool) -> Targets:
        """Return the targets to which an earlier call did the same; with `broad` those to which it may have."""
        alike = self.targets_of_action((past.action,), broad=broad)
        if "targets" in self.asked.unresolved:
            return alike if broad else _NONE
        return alike & (past.targets or {NO_TARGET})

    def is_by_same(self, past: Interaction, author: Author) -> bool:
        """Return whether an earlier call was asked for by the same person, in the same conversation, or by anybody.

        Who is not known is told by the user, else by what heard them, else by the conversation.
        """
        now = self.interaction
        if author == "anybody":
            return True
        is_same_talk = past.session_id == now.session_id
        if author == "conversation":
            return is_same_talk
        persons = self.speaker(NameKind.PERSON) - {ANY}
        earlier = frozenset(self.home.speaker(NameKind.PERSON, past)) - {ANY}
        if persons or earlier:
            return not persons.isdisjoint(earlier)
        if now.user_id or past.user_id:
            return now.user_id == past.user_id
        ears = (now.satellite_id, now.device_id)
        return is_same_talk or (any(ears) and ears == (past.satellite_id, past.device_id))

    @property
    def span(self) -> DaySpan:
        """Return the times that the call is for: all those that what repeats, or waits for something, may come to."""
        asked, start = self.interaction, self.interaction.schedule.start
        if asked.is_for_one_moment:
            now = asked.at.time()
            return DaySpan(now, now, frozenset({asked.at.weekday()}))
        if not isinstance(start, Repeated):
            return DaySpan()
        days = frozenset(start.weekdays) or DaySpan().weekdays
        if start.clock is not None:
            clock = start.clock.replace(tzinfo=None)
            return DaySpan(clock, clock, days)
        return (
            replace(self.home.sun_span(start.sun), weekdays=days)
            if start.sun
            else DaySpan(weekdays=days)
        )

    def readings(self, name: str, targets: Targets) -> Mapping[ValueReading, Targets]:
        """Return the values that a parameter comes to, each with the targets it is of."""
        key = name, targets
        if (found := self._readings.get(key)) is None:
            found = self._readings[key] = read(self.asked, name, targets, self.home.state)
        return found

    def targets_of_unknown(self, names: Iterable[str], targets: Targets) -> Targets:
        """Return the targets of which a parameter is set to a value that is not known yet."""
        return _NONE.union(
            *(
                reached
                for name in names
                for reading, reached in self.readings(name, targets).items()
                if reading.is_unknown
            )
        )

    def _names(self, kind: NameKind) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield names with the targets that have them."""
        if kind is NameKind.DOMAIN:
            for target in self.targets:
                yield (target or self.asked.action).partition(".")[0].casefold(), (target,)
        elif kind is NameKind.ENTITY:
            for target in self.targets:
                yield target, (target,)
                for pattern in self.patterns(target):
                    yield pattern, (target,)
        else:
            by_id: dict[str, set[str]] = {}
            for target in filter(None, self.targets):
                for id_ in self.home.ids(kind, target):
                    by_id.setdefault(id_, set()).add(target)
            for id_, targets in by_id.items():
                for name in self.home.names(kind, id_):
                    yield name, targets


def compile_match(match: Match, *, broad: bool) -> Matcher:
    """Return the matcher of a rule's match: it narrows targets down, by the cheapest condition first.

    With `broad` it holds for what may be meant: another action with the same effect, a target or a value that is not
    known. So it is for rules that forbid; one that allows holds for what is certain only. What stands below `not`
    is read the other way round.
    """
    parts: list[Matcher] = []
    if (actions := match.action) is not None:
        parts.append(lambda view, targets: targets & view.targets_of_action(actions, broad=broad))
    if (window := match.time) is not None:
        parts.append(_if(lambda view: window.covers(view.span, wholly=not broad)))
    if (planned := match.planned) is not None:
        parts.append(_if(lambda view: not view.interaction.planned.isdisjoint(planned)))
    if (count := match.count) is not None:
        parts.append(_if(lambda view: count.holds(view.interaction.count, view.interaction.count)))
    if (assumed := match.assumed) is not None:
        parts.append(_if(lambda view: view.asked.assumed is assumed))
    parts += (
        _history_matcher(earlier, is_done=is_done, broad=broad)
        for earlier, is_done in ((match.asked_before, False), (match.done_before, True))
        if earlier is not None
    )
    parts += (
        _speaker_matcher(kind, frozenset(map(normal_name, names)))
        for kind in _OF_SPEAKER
        if (names := getattr(match, kind)) is not None
    )
    parts += (
        _name_matcher(kind, [normal_name(name) for name in names], broad=broad)
        for kind in _OF_TARGETS
        if (names := getattr(match, kind)) is not None
    )
    parts += (
        _value_matcher(name, test, broad=broad) for name, test in (match.parameters or {}).items()
    )
    if match.all_of is not None:
        parts += [compile_match(inner, broad=broad) for inner in match.all_of]
    if match.any_of is not None:
        parts.append(_any(tuple(compile_match(inner, broad=broad) for inner in match.any_of)))
    if match.none_of is not None:
        none_of = compile_match(match.none_of, broad=not broad)
        parts.append(lambda view, targets: targets - none_of(view, targets))
    return parts[0] if len(parts) == 1 else _all(tuple(parts))


def matches_action(written: Collection[str], action: str) -> bool:
    """Return whether an action, in small letters, is one of those written, with wildcards or without."""
    return any(
        pattern.fits(action) if (pattern := wildcard_pattern(text)) else text == action
        for text in written
    )


def _all(parts: tuple[Matcher, ...]) -> Matcher:
    """Return the matcher for `all`."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        for part in parts:
            targets = part(view, targets)
            if not targets:
                break
        return targets

    return narrow


def _any(parts: tuple[Matcher, ...]) -> Matcher:
    """Return the matcher for `any`."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        found = _NONE
        for part in parts:
            found |= part(view, targets - found)
            if len(found) == len(targets):
                break
        return found

    return narrow


def _if(holds: Callable[[CallView], bool]) -> Matcher:
    """Return the matcher for a condition on the call as a whole."""
    return lambda view, targets: targets if holds(view) else _NONE


def _history_matcher(earlier: Earlier, *, is_done: bool, broad: bool) -> Matcher:
    """Return the matcher for what was asked for, or done, in earlier turns. A turn counts once for a target."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        since = view.interaction.at - timedelta(minutes=earlier.minutes)
        turns: dict[str, set[str]] = {}
        for past in view.history:
            if past.is_done is is_done and past.at > since:
                for target in targets & view.targets_like(past, broad=broad):
                    if view.is_by_same(past.interaction, earlier.by):
                        turns.setdefault(target, set()).add(past.interaction.id)
        return frozenset(target for target, ids in turns.items() if len(ids) >= earlier.times)

    return narrow


def _speaker_matcher(kind: NameKind, names: frozenset[str]) -> Matcher:
    """Return the matcher for names of the speaker."""
    return _if(lambda view: not names.isdisjoint(view.speaker(kind)))


def _name_matcher(kind: NameKind, names: Collection[str], *, broad: bool) -> Matcher:
    """Return the matcher for names of targets."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        if "targets" in view.asked.unresolved and (
            (broad and view.may_be_of(kind, names))
            or (kind is NameKind.DOMAIN and view.are_of(names))
        ):
            return targets
        found = view.targets_named(kind, names)
        if not found:
            return _NONE
        if any(map(view.are_all, found)):
            return targets
        return targets.intersection(found[0] if len(found) == 1 else found[0].union(*found[1:]))

    return narrow


def _value_matcher(name: str, test: Range | frozenset[Scalar], *, broad: bool) -> Matcher:
    """Return the matcher for the value of a parameter."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        return _NONE.union(
            *(
                reached
                for reading, reached in view.readings(name, targets).items()
                if (broad if reading.is_unknown else reading.is_in(test))
            )
        )

    return narrow


@dataclass(frozen=True, slots=True)
class WildcardPattern:
    """A pattern in which `*` stands for any characters and `?` for any one.

    `pieces` are the texts between the stars. Each is searched once, from left to right, so that the
    time is linear however many stars there are.
    """

    pieces: tuple[str, ...]

    def fits(self, text: str) -> bool:
        """Return whether the whole of a text fits."""
        first, *middle = self.pieces
        if not middle:
            return len(first) == len(text) and _stands(first, text, 0)
        *middle, last = middle
        end = len(text) - len(last)
        place = len(first)
        if end < place or not _stands(first, text, 0) or not _stands(last, text, end):
            return False
        for piece in middle:
            found = _find(piece, text, place, end)
            if found < 0:
                return False
            place = found + len(piece)
        return True


def wildcard_pattern(written: str) -> WildcardPattern | None:
    """Return the pattern that a text is, or None for one without wildcards."""
    if "*" not in written and "?" not in written:
        return None
    return WildcardPattern(tuple(written.split("*")))


def _find(piece: str, text: str, start: int, end: int) -> int:
    """Return the first position of a piece between two positions of a text, or -1."""
    if "?" not in piece:
        return text.find(piece, start, end)
    last = end - len(piece)
    return next((place for place in range(start, last + 1) if _stands(piece, text, place)), -1)


def _stands(piece: str, text: str, place: int) -> bool:
    """Return whether a piece stands at a position of a text that is long enough for it."""
    return all(
        sign in {"?", found}
        for sign, found in zip(piece, text[place : place + len(piece)], strict=True)
    )

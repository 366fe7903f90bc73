"""Conditions of rules, made ready: which of a call's targets is a rule about?

All targets are looked at together. What they are called is gathered once for a call, however many
rules ask for it, and only if one does.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Set as AbstractSet
from enum import StrEnum
from typing import Protocol

from ..domains.table import StateLike
from .engine import Interaction
from .fields import Scalar, normal
from .rules import Match, Range
from .values import Asked, Reading, read
from .wildcards import wildcards

type Targets = frozenset[str]
type Condition = Callable[[CallView, Targets], Targets]

NOWHERE = ""
"""The one target of a call that has none, such as a timer's."""

_NONE: Targets = frozenset()


class Kind(StrEnum):
    """What names are of: a call's targets, or who asked for it."""

    DOMAIN = "domain"
    ENTITY = "entity"
    AREA = "area"
    FLOOR = "floor"
    LABEL = "label"
    USER = "user"
    SATELLITE = "satellite"
    DEVICE = "device"
    SPOKEN_IN = "spoken_in"


_OF_SPEAKER = (Kind.USER, Kind.SATELLITE, Kind.DEVICE, Kind.SPOKEN_IN)
_OF_TARGETS = (Kind.DOMAIN, Kind.ENTITY, Kind.AREA, Kind.FLOOR, Kind.LABEL)


class Surroundings(Protocol):
    """What is known of the home. Names are normal (`rule_fields.normal`), ids among them."""

    def state(self, entity_id: str) -> StateLike | None:
        """Return the state of an entity."""
        ...

    def ids(self, kind: Kind, entity_id: str) -> Collection[str]:
        """Return the ids of the areas, floors or labels of an entity."""
        ...

    def names(self, kind: Kind, id_: str) -> Collection[str]:
        """Return the names of an area, a floor or a label."""
        ...

    def speaker(self, kind: Kind, interaction: Interaction) -> Collection[str]:
        """Return the names of who or what asked, or of where that was."""
        ...


class Names:
    """What a call's targets, and who asked for it, are called."""

    def __init__(
        self,
        action: str,
        targets: Collection[str],
        interaction: Interaction,
        surroundings: Surroundings,
        patterns: Callable[[str], Iterable[str]],
    ) -> None:
        """Begin with nothing. `patterns` returns those that an entity id fits.

        `count` is how many targets there are, each once.
        """
        self._action = action
        self._targets = targets
        self._interaction = interaction
        self._surroundings = surroundings
        self._patterns = patterns
        self.count = len(targets)
        self._found: dict[Kind, dict[str, set[str]]] = {}
        self._speaker: dict[Kind, AbstractSet[str]] = {}

    def of_targets(self, kind: Kind) -> Mapping[str, set[str]]:
        """Return the targets by what they are called."""
        if (found := self._found.get(kind)) is None:
            found = self._found[kind] = {}
            for name, targets in self._gather(kind):
                found.setdefault(name, set()).update(targets)
        return found

    def of_speaker(self, kind: Kind) -> AbstractSet[str]:
        """Return what who asked is called."""
        if (found := self._speaker.get(kind)) is None:
            found = frozenset(self._surroundings.speaker(kind, self._interaction))
            self._speaker[kind] = found
        return found

    def _gather(self, kind: Kind) -> Iterable[tuple[str, Iterable[str]]]:
        """Yield names with targets that have them."""
        if kind is Kind.DOMAIN:
            for target in self._targets:
                yield (target or self._action).partition(".")[0].casefold(), (target,)
        elif kind is Kind.ENTITY:
            for target in self._targets:
                yield target, (target,)
                for pattern in self._patterns(target):
                    yield pattern, (target,)
        else:
            by_id: dict[str, set[str]] = {}
            for target in filter(None, self._targets):
                for id_ in self._surroundings.ids(kind, target):
                    by_id.setdefault(id_, set()).add(target)
            for id_, targets in by_id.items():
                for name in self._surroundings.names(kind, id_):
                    yield name, targets


class CallView:
    """A call as rules look at it: what is asked for, of what, by whom."""

    def __init__(
        self,
        asked: Asked,
        interaction: Interaction,
        names: Names,
        states: Callable[[str], StateLike | None],
    ) -> None:
        """Look at what is asked for; `names` may be shared by all that is asked of the same."""
        self.asked = asked
        self.interaction = interaction
        self.names = names
        self.states = states
        self._readings: dict[tuple[str, Targets], dict[Reading, Targets]] = {}

    def readings(self, name: str, targets: Targets) -> Mapping[Reading, Targets]:
        """Return what a parameter comes to, for which of some targets."""
        key = name, targets
        if (found := self._readings.get(key)) is None:
            found = self._readings[key] = read(self.asked, name, targets, self.states)
        return found


def prepare(match: Match) -> Condition:
    """Return the condition that a rule's match is, the cheapest part of it first."""
    parts: list[Condition] = []
    if match.action is not None:
        parts.append(_acts(match.action))
    if match.time is not None:
        parts.append(_in_time(match))
    if (count := match.count) is not None:
        parts.append(_if(lambda view: count.holds(view.interaction.count, view.interaction.count)))
    parts += (
        _asked_by(kind, frozenset(map(normal, names)))
        for kind in _OF_SPEAKER
        if (names := getattr(match, kind)) is not None
    )
    parts += (
        _called(kind, [normal(name) for name in names])
        for kind in _OF_TARGETS
        if (names := getattr(match, kind)) is not None
    )
    parts += (_comes_to(name, test) for name, test in (match.parameters or {}).items())
    if match.all_of is not None:
        parts += map(prepare, match.all_of)
    if match.any_of is not None:
        parts.append(_any(tuple(map(prepare, match.any_of))))
    if match.none_of is not None:
        parts.append(_not(prepare(match.none_of)))
    return parts[0] if len(parts) == 1 else _all(tuple(parts))


def fits_action(written: Collection[str], action: str) -> bool:
    """Return whether an action, in small letters, is one of those written."""
    return any(
        pattern.fits(action) if (pattern := wildcards(text)) else text == action for text in written
    )


def _all(parts: tuple[Condition, ...]) -> Condition:
    """Return the condition that all of some hold."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        for part in parts:
            targets = part(view, targets)
            if not targets:
                break
        return targets

    return narrow


def _any(parts: tuple[Condition, ...]) -> Condition:
    """Return the condition that at least one of some holds."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        found = _NONE
        for part in parts:
            found |= part(view, targets - found)
            if len(found) == len(targets):
                break
        return found

    return narrow


def _not(part: Condition) -> Condition:
    """Return the condition that another does not hold."""
    return lambda view, targets: targets - part(view, targets)


def _if(holds: Callable[[CallView], bool]) -> Condition:
    """Return a condition that is the same for all targets."""
    return lambda view, targets: targets if holds(view) else _NONE


def _acts(written: Collection[str]) -> Condition:
    """Return the condition on the action."""
    return _if(lambda view: fits_action(written, view.asked.action.casefold()))


def _in_time(match: Match) -> Condition:
    """Return the condition on the time."""
    return _if(lambda view: match.time is not None and match.time.covers(view.interaction.at))


def _asked_by(kind: Kind, names: frozenset[str]) -> Condition:
    """Return the condition on who or what asked, or where that was."""
    return _if(lambda view: not names.isdisjoint(view.names.of_speaker(kind)))


def _called(kind: Kind, names: Collection[str]) -> Condition:
    """Return the condition that targets have one of some names."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        index = view.names.of_targets(kind)
        found = [index[name] for name in names if name in index]
        if not found:
            return _NONE
        if any(len(called) == view.names.count for called in found):
            # All targets are called so.
            return targets
        return targets.intersection(found[0] if len(found) == 1 else found[0].union(*found[1:]))

    return narrow


def _comes_to(name: str, test: Range | frozenset[Scalar]) -> Condition:
    """Return the condition on what a parameter comes to."""

    def narrow(view: CallView, targets: Targets) -> Targets:
        found = [t for reading, t in view.readings(name, targets).items() if reading.is_in(test)]
        return _NONE.union(*found)

    return narrow

"""Rules about what cannot be seen: a command of Home Assistant's of which only the kind of thing is known.

It is not known which entities such a command reaches. So a rule that forbids something of that kind holds
for it, whatever else the rule names; one that allows something holds only where nothing else is named.
"""

from collections.abc import Collection
from enum import IntEnum

from .conditions import NOWHERE, CallView, Condition, fits_action, prepare
from .rules import Match
from .wildcards import wildcards

# What a match says of who asks, where from and when: that is known of every call.
_KNOWN = frozenset({"user", "satellite", "device", "spoken_in", "time", "count"})
_OF_KIND = frozenset({"action", "domain", "entity"})
_OF_PLACES = frozenset({"area", "floor", "label"})
_OF_TARGETS = _OF_KIND | _OF_PLACES | {"parameters"}

_HERE = frozenset({NOWHERE})


class Holds(IntEnum):
    """Whether a match is about a call."""

    NO = 0
    MAYBE = 1
    YES = 2


class Reach:
    """A rule's match, ready to be asked about calls of which only the domains are known."""

    def __init__(self, match: Match) -> None:
        """Prepare what the match says of who asks, and of values."""
        self._match = match
        self._asked = _prepared(match, _KNOWN)
        self._values = _prepared(match, ("parameters",))
        self._all = [Reach(inner) for inner in match.all_of or ()]
        self._any = [Reach(inner) for inner in match.any_of or ()]
        self._none = Reach(match.none_of) if match.none_of else None

    def speaks_of(self, view: CallView, domains: Collection[str]) -> bool:
        """Return whether a match names the action or these kinds of things, or no things at all."""
        named = [each for each in self._match.walk() if _names(each, _OF_TARGETS)]
        return not named or any(
            _of_kind(each, name, view, domains) is not Holds.NO
            for each in named
            for name in _OF_KIND
            if getattr(each, name) is not None
        )

    def holds(self, view: CallView, domains: Collection[str]) -> Holds:
        """Return whether it is about a call for something of these domains."""
        if not self._asked(view, _HERE):
            return Holds.NO
        found = [
            _of_kind(self._match, name, view, domains)
            for name in _OF_KIND
            if getattr(self._match, name) is not None
        ]
        if _names(self._match, _OF_PLACES):
            found.append(Holds.MAYBE)
        if self._match.parameters is not None:
            found.append(self._of_values(view))
        found += [inner.holds(view, domains) for inner in self._all]
        if self._any:
            found.append(max(inner.holds(view, domains) for inner in self._any))
        if self._none:
            found.append(Holds(Holds.YES - self._none.holds(view, domains)))
        return min(found, default=Holds.YES)

    def _of_values(self, view: CallView) -> Holds:
        """Return whether values are as the match says: what the words did not give may be anything."""
        given = view.asked.data.keys() >= (self._match.parameters or {}).keys()
        return Holds.YES if self._values(view, _HERE) else Holds(not given)


def _prepared(match: Match, names: Collection[str]) -> Condition:
    """Return the condition that a part of a match is."""
    return prepare(Match.model_validate({name: getattr(match, name) for name in names}))


def _names(match: Match, parts: Collection[str]) -> bool:
    """Return whether a match says anything of some parts."""
    return any(getattr(match, part) is not None for part in parts)


def _of_kind(match: Match, name: str, view: CallView, domains: Collection[str]) -> Holds:
    """Return whether what a match says of action, domain or entity is about a call for some domains."""
    written: Collection[str] = getattr(match, name)
    own, _, _ = view.asked.action.casefold().partition(".")
    if name == "domain":
        fitting = [domain for domain in domains if domain in written]
        is_sure = own in written or len(fitting) == len(domains)
        return Holds.YES if is_sure else Holds(bool(fitting))
    if name == "action" and fits_action(written, view.asked.action.casefold()):
        return Holds.YES
    kinds = [text.partition(".")[0] for text in written]
    return Holds(any(_fits(kind, domain) for kind in kinds for domain in domains))


def _fits(written: str, domain: str) -> bool:
    """Return whether a domain is the one that is written, wildcards and all."""
    pattern = wildcards(written)
    return pattern.fits(domain) if pattern else written == domain

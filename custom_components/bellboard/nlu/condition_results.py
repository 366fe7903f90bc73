"""Results of conditions, which can be looked at again later, when states have changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import HomeAssistant, State

from ..home.catalog import Catalog, CatalogEntity, Place

SOON, LATER = 2.0, 30.0
"""In seconds: after so long it is settled that a state, or a number, is so and did not only flicker."""


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """Result of a condition: whether it `holds` (None where unknown), with the `things` and places it was read from.

    `reading` is the measured value, in `unit`; `state` is the state of the entities, in the conditions'
    own terms. The `test` tells by the states of its time whether it holds, `each` of which things by their ids, without
    those of which it is not known; one of them is enough unless it `needs_all`. It is `settled` after so many seconds.
    The states of `watched` tell it, those of the things where none are. It is so where a state of one of them `shows`
    it, or where a measure compares to a number (`bound`, in the house's unit: "temperature", "below", 19).
    """

    test: Callable[[], bool | None]
    things: tuple[CatalogEntity, ...] = ()
    places: tuple[Place, ...] = ()
    reading: float | None = None
    unit: str = ""
    state: str = ""
    settled: float = SOON
    watched: tuple[CatalogEntity, ...] = ()
    each: Callable[[], Mapping[str, bool]] | None = None
    shows: Callable[[State], bool] | None = None
    bound: tuple[str, str, float] | None = None
    needs_all: bool = False
    holds: bool | None = field(init=False)

    def __post_init__(self) -> None:
        """Test it."""
        object.__setattr__(self, "holds", self.test())

    @property
    def entity_ids(self) -> tuple[str, ...]:
        """Return the ids of the entities whose states tell it."""
        return tuple(each.entity_id for each in self.watched or self.things)

    def look(self, before: Mapping[str, bool]) -> Mapping[str, bool]:
        """Return whether it holds by now of each thing by its id, or of no certain one (""); without the unknown.

        Where it `needs_all`, what was known `before` of those that are not known now still counts.
        """
        if self.each is None:
            holds = self.test()
            return {} if holds is None else {"": holds}
        now = self.each()
        known = {**before, **now}
        is_known = bool(now) and len(known) == len(self.things)
        return {**now, "": all(known.values())} if self.needs_all and is_known else now


def seen_in(readable: Catalog, entities: Sequence[CatalogEntity]) -> tuple[CatalogEntity, ...]:
    """Return those of some entities that are in the catalog of what the speaker may know of."""
    return tuple(each for each in entities if each.entity_id in readable.entities)


def result_of(
    hass: HomeAssistant,
    things: tuple[CatalogEntity, ...],
    shows: Callable[[State], bool | None],
    *,
    wanted: bool = True,
    needs_all: bool = False,
    **read: Any,
) -> ConditionResult:
    """Return whether any of some things is in a state, or is not unless `wanted`; with `needs_all` whether all are."""

    def each() -> dict[str, bool]:
        states = ((thing.entity_id, hass.states.get(thing.entity_id)) for thing in things)
        shown = ((id_, shows(state) if state else None) for id_, state in states)
        return {id_: is_so is wanted for id_, is_so in shown if is_so is not None}

    def test() -> bool | None:
        now = each()
        return (all_of if needs_all else any_of)([now.get(thing.entity_id) for thing in things])

    return ConditionResult(
        test,
        things,
        each=each,
        needs_all=needs_all,
        shows=lambda state: shows(state) is wanted,
        **read,
    )


def all_result(results: Sequence[ConditionResult]) -> ConditionResult:
    """Return whether all of several conditions hold."""
    return _joined(results, lambda: all_of([each.test() for each in results]))


def any_result(results: Sequence[ConditionResult]) -> ConditionResult:
    """Return whether any of several conditions holds; each of their things begins for itself."""
    single = [each.each for each in results if each.each and not each.needs_all]
    every = [thing for result in results for thing in result.things]
    is_each = len(single) == len(results) and len({*every}) == len(every)

    def each() -> Mapping[str, bool]:
        return {id_: holds for look in single for id_, holds in look().items()}

    return _joined(
        results, lambda: any_of([each.test() for each in results]), each if is_each else None
    )


def _joined(
    results: Sequence[ConditionResult],
    test: Callable[[], bool | None],
    each: Callable[[], Mapping[str, bool]] | None = None,
) -> ConditionResult:
    """Return the result of several conditions, by what their entities tell together."""
    every = [thing for result in results for thing in result.watched or result.things]
    return ConditionResult(
        test,
        things=tuple(dict.fromkeys(every)),
        places=results[0].places,
        settled=max(result.settled for result in results),
        each=each,
    )


OPPOSITES = {"above": "at_most", "at_most": "above", "below": "at_least", "at_least": "below"}
"""How a value compares that does not compare so."""


def compare(value: float, than: str, wanted: float) -> bool:
    """Return whether a value compares as wanted: above, below, at_least or at_most."""
    match than:
        case "above":
            return value > wanted
        case "below":
            return value < wanted
        case "at_least":
            return value >= wanted
        case _:
            return value <= wanted


def any_of(shown: Sequence[bool | None]) -> bool | None:
    """Return whether any is True; None if none is, but one is unknown."""
    if True in shown:
        return True
    return None if None in shown or not shown else False


def all_of(shown: Sequence[bool | None]) -> bool | None:
    """Return whether all are True; None if none is False, but one is unknown."""
    if False in shown:
        return False
    return None if None in shown or not shown else True

"""The order in which plans that are made at the same time are carried out, where they touch the same things."""

import asyncio
from dataclasses import dataclass

type Reach = frozenset[str] | None
"""The entity ids that something touches; None where it may be any."""


def are_apart(one: Reach, other: Reach) -> bool:
    """Return whether two things touch nothing in common."""
    if one is None or other is None:
        return False
    return one.isdisjoint(other)


class PlanOrder:
    """The order of some agents of a turn that work at the same time.

    A plan waits until each agent before it has finished, or has a plan that touches nothing of what this one
    does: what is said first is done first.
    """

    def __init__(self) -> None:
        """Begin with nobody at work."""
        self._places: list[PlaceInOrder] = []
        self._changed = asyncio.Condition()

    def place(self) -> PlaceInOrder:
        """Return the place of one more agent, after those that have one."""
        place = PlaceInOrder(before=tuple(self._places), changed=self._changed)
        self._places.append(place)
        return place


@dataclass(slots=True, kw_only=True)
class PlaceInOrder:
    """One agent's place among those that work at the same time, after those `before` it.

    `changed` tells the others what it does.
    """

    before: tuple[PlaceInOrder, ...]
    changed: asyncio.Condition
    _reach: Reach = frozenset()
    _has_plan: bool = False
    _is_done: bool = False

    async def async_wait(self, reach: Reach) -> None:
        """Wait until a plan that touches `reach` can be carried out."""
        known = self._reach
        self._reach = None if known is None or reach is None else known | reach
        self._has_plan = True
        async with self.changed:
            self.changed.notify_all()
            await self.changed.wait_for(lambda: all(map(self._may_pass, self.before)))

    async def async_done(self) -> None:
        """Let those go on that wait for this one."""
        self._is_done = True
        async with self.changed:
            self.changed.notify_all()

    def _may_pass(self, other: PlaceInOrder) -> bool:
        """Return whether another agent will touch nothing any more of what this one does."""
        return other._is_done or (other._has_plan and are_apart(other._reach, self._reach))

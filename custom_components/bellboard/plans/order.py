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
    """The order of some agents of a turn that work at the same time, by their numbers.

    A plan waits until each agent before it has finished, or has a plan that touches nothing of what this one
    does: what is said first is done first.
    """

    def __init__(self) -> None:
        """Begin with nobody at work."""
        self._reach: list[Reach] = []
        self._has_plan: list[bool] = []
        self._is_done: list[bool] = []
        self._changed = asyncio.Condition()

    def place(self) -> PlaceInOrder:
        """Return the place of one more agent, after those that have one."""
        self._reach.append(frozenset())
        self._has_plan.append(False)
        self._is_done.append(False)
        return PlaceInOrder(self, len(self._is_done) - 1)

    async def async_wait(self, number: int, reach: Reach) -> None:
        """Wait until an agent's plan that touches `reach` can be carried out."""
        known = self._reach[number]
        self._reach[number] = None if known is None or reach is None else known | reach
        self._has_plan[number] = True
        async with self._changed:
            self._changed.notify_all()
            await self._changed.wait_for(lambda: self._may_begin(number))

    async def async_done(self, number: int) -> None:
        """Let those go on that wait for an agent."""
        self._is_done[number] = True
        async with self._changed:
            self._changed.notify_all()

    def _may_begin(self, number: int) -> bool:
        """Return whether nobody before an agent will touch what it does."""
        return all(
            self._is_done[each]
            or (self._has_plan[each] and are_apart(self._reach[each], self._reach[number]))
            for each in range(number)
        )


@dataclass(frozen=True, slots=True)
class PlaceInOrder:
    """One agent's place among those that work at the same time."""

    order: PlanOrder
    number: int

    async def async_wait(self, reach: Reach) -> None:
        """Wait until a plan that touches `reach` can be carried out."""
        await self.order.async_wait(self.number, reach)

    async def async_done(self) -> None:
        """Let those go on that wait for this one."""
        await self.order.async_done(self.number)

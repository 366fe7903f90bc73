"""Groups of media players that play together: one leads, whose queue all of them play, and the others follow."""

from collections.abc import Sequence

from homeassistant.core import State


def leader_of(state: State) -> str:
    """Return the entity id of the player that leads a player's group: the first of it; its own without a group."""
    members: Sequence[str] = state.attributes.get("group_members") or ()
    return members[0] if len(members) > 1 else state.entity_id


def without_followers(states: Sequence[State]) -> list[State]:
    """Return players without those that follow another of them: what is told to a leader holds for its group."""
    known = {state.entity_id for state in states}
    return [
        state
        for state in states
        if (leader := leader_of(state)) == state.entity_id or leader not in known
    ]


def are_one_group(states: Sequence[State]) -> bool:
    """Return whether players are several of one group."""
    return len(states) > 1 and len({leader_of(state) for state in states}) == 1


def who_leave(states: Sequence[State]) -> list[State]:
    """Return those of some players that have to leave their group so that each of them plays alone.

    Where a whole group parts its leader stays with what plays: if it left, that would go on elsewhere.
    """
    known = {state.entity_id for state in states}
    parting = [state for state in states if (state.attributes.get("group_members") or ())[1:]]
    return [
        state
        for state in parting
        if leader_of(state) != state.entity_id or not known.issuperset(_members(state))
    ]


def _members(state: State) -> Sequence[str]:
    """Return the entity ids of the players of a player's group."""
    return state.attributes.get("group_members") or ()

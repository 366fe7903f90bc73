"""Nothing that is said of locks and covers makes a habit, or is done by one."""

from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.domains.light import LIGHT
from custom_components.bellboard.domains.media_player import MEDIA_PLAYER
from custom_components.bellboard.domains.registry import tables

from .conftest import HabitHouse, Settle

GUARDING = {"lock", "cover", "valve", "siren", "alarm_control_panel"}

VERBS = ("open", "close", "lock", "unlock", "raise", "lower", "turn on", "turn off", "stop", "set")
THINGS = (
    "the blinds", "the door", "the doors", "the lock", "the parlour blinds", "the library blinds", "the garage door",
    "the cellar door", "all blinds", "all locks", "everything", "it", "the shutters", "the garage",
)  # fmt: skip
PLACES = (
    "",
    "in the parlour",
    "in the library",
    "in the pantry",
    "here",
    "everywhere",
    "as last time",
)
VALUES = ("", "to 30 percent", "halfway", "a bit", "again", "like yesterday", "as usual", "to 0 percent")  # fmt: skip
ROOMS = ("Parlour", "Library", "Pantry", "Garage", None)


def test_only_players_and_lights_have_habits() -> None:
    with_players = {t.name for t in tables() if any(a.takes_usual for a in t.actions)}
    assert with_players == {MEDIA_PLAYER.name}
    assert {table.name for table in tables() if table.usual_level} == {LIGHT.name}
    assert GUARDING.isdisjoint({MEDIA_PLAYER.name, LIGHT.name})


@pytest.fixture
async def lived_in(settle: Settle) -> HabitHouse:
    """Return the house after each kind of habit was made in it."""
    house = await settle(habits={"last_level": True})
    for area in ("Parlour", "Library"):
        await house.begin("set the lights to 30 percent", area)
    await house.begin("play some jazz on the shelf speaker", "Parlour")
    await house.begin("play some jazz on the desk speaker", None)
    assert len(house.habits) == 5
    return house


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("close the blinds", {"cover.parlour_blinds"}),
        ("set the blinds to 30 percent", {"cover.parlour_blinds"}),
        ("unlock the parlour door", {"lock.parlour_door"}),
        ("open the garage door", {"cover.garage_door"}),
    ],
)
async def test_what_is_done_with_them_is_done_by_nobodys_habit(
    lived_in: HabitHouse, text: str, changed: set[str]
) -> None:
    before = lived_in.habits
    assert set((await lived_in.begin(text)).changes) == changed
    assert lived_in.habits == before
    assert all(not {"assumed", "habit"} & call.keys() for call in lived_in.calls)


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    words=st.tuples(*map(st.sampled_from, (VERBS, THINGS, PLACES, VALUES))),
    room=st.sampled_from(ROOMS),
)
async def test_whatever_is_said_of_locks_and_covers_is_no_habit(
    lived_in: HabitHouse, words: tuple[str, ...], room: str | None
) -> None:
    before = lived_in.habits
    lived_in.speaker.conversation_id = None
    await lived_in.say(" ".join(filter(None, words)), room)
    for call in lived_in.calls:
        if _domains(call) & GUARDING:
            assert not {"assumed", "habit"} & call.keys(), call
    kept = {(area, what) for area, what in lived_in.habits if isinstance(what, str)}
    assert kept == {(area, what) for area, what in before if isinstance(what, str)}
    assert all(str(what).startswith("media_player.") for _, what in kept)
    # "Everything to 30 percent" is for lights, too.
    if not any(_domains(call) & {"light", "media_player"} for call in lived_in.calls):
        assert lived_in.habits == before


def _domains(call: dict[str, Any]) -> set[str]:
    """Return the domains that a call is of, and for."""
    targets = call["data"].get("entity_id") or ()
    return {str(each).partition(".")[0] for each in (call["action"], *targets)}

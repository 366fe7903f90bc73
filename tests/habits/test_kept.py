"""Habits outlive a restart, are shown and cleared by actions, and hold nothing that was said."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

from homeassistant.auth.models import User
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers.storage import Store
from homeassistant.setup import async_setup_component
from hypothesis import given, strategies as st
from pydantic import ValidationError
import pytest
from pytest_homeassistant_custom_component.components.diagnostics import (
    get_diagnostics_for_config_entry,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.memory.ha_store import read_items
from custom_components.bellboard.memory.habits import (
    MAX_HABITS,
    Habits,
    LevelHabit,
    PartOfDay,
    PlayerHabit,
    read_habit,
)
from tests.test_services import assistant_of

from .conftest import SHELF, WINDOW, Settle, playing

JAZZ = "play some jazz"
NOW = datetime(2026, 11, 24, 19, tzinfo=UTC)


def habit(area_id: str | None = "parlour", player: str = SHELF, minutes: int = 0) -> PlayerHabit:
    """Return a habit that was used some minutes after `NOW`."""
    return PlayerHabit(area_id=area_id, player=player, used_at=NOW + timedelta(minutes=minutes))


def level(area_id: str, part: PartOfDay, percent: float) -> LevelHabit:
    """Return the habit of a level."""
    return LevelHabit(area_id=area_id, part=part, percent=percent, used_at=NOW)


async def test_habits_are_shown_and_cleared(settle: Settle) -> None:
    house = await settle(habits={"last_level": True})
    assert await house.act("habits") == {"habits": []}
    await house.begin("set the lights to 30 percent")
    await house.begin("play some jazz on the shelf speaker")
    await house.begin("play some jazz on the desk speaker", "Library")
    desk, shelf, level = (await house.act("habits"))["habits"]
    assert datetime.fromisoformat(shelf.pop("used_at")).tzinfo
    assert shelf == {
        "assistant": "conversation.bellboard",
        "area": "parlour",
        "kind": "player",
        "entity_id": SHELF,
    }
    assert (desk["area"], desk["entity_id"]) == ("library", "media_player.desk_speaker")
    assert (level["kind"], level["percent"]) == ("level", 30)
    assert level["part_of_day"] in {part.value for part in PartOfDay}
    assert await house.act("clear_habits", area="pantry") == {"cleared": 0}
    assert await house.act("clear_habits", area="parlour") == {"cleared": 2}
    assert len((await house.act("habits"))["habits"]) == 1
    assert (await house.begin(JAZZ)).result.continue_conversation
    assert await house.act("clear_habits", assistant="conversation.bellboard") == {"cleared": 1}
    assert await house.act("clear_habits") == {"cleared": 0}


async def test_what_was_cleared_is_not_brought_back_by_undoing(settle: Settle) -> None:
    house = await settle()
    await house.begin("play some jazz on the shelf speaker")
    await house.begin("play some jazz on the window speaker")
    await house.act("clear_habits")
    await house.say("undo that")
    assert house.habits == set()


async def test_only_administrators_see_and_clear_them(
    hass: HomeAssistant, settle: Settle, hass_read_only_user: User
) -> None:
    house = await settle()
    context = Context(user_id=hass_read_only_user.id)
    for action in ("habits", "clear_habits"):
        with pytest.raises(Unauthorized):
            await hass.services.async_call(
                DOMAIN, action, {}, blocking=True, return_response=True, context=context
            )
    with pytest.raises(ServiceValidationError):
        await house.act("habits", assistant="conversation.nobody")


async def test_diagnostics_say_only_how_many_there_are(
    hass: HomeAssistant, settle: Settle, hass_client: ClientSessionGenerator
) -> None:
    assert await async_setup_component(hass, "diagnostics", {})
    house = await settle(habits={"last_level": True})
    await house.begin("set the lights to 30 percent")
    await house.begin("play some jazz on the shelf speaker")
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    found: Any = await get_diagnostics_for_config_entry(hass, hass_client, entry)
    (assistant,) = found["assistants"]
    assert assistant["habits"] == {"level": 1, "player": 1}


@pytest.mark.parametrize(
    "item",
    [
        None,
        {"kind": "player"},
        {"kind": "lock", "area_id": "hall", "player": "lock.front_door", "used_at": NOW},
        {"kind": "player", "player": "lock.front_door", "used_at": NOW},
        {"kind": "player", "player": "media_player.a, lock.b", "used_at": NOW},
        {"kind": "player", "player": SHELF, "used_at": "2026-11-24T19:00:00"},
        {"kind": "player", "area_id": "", "player": SHELF, "used_at": NOW},
        {"kind": "level", "part": "day", "percent": 30, "used_at": NOW},
        {"kind": "level", "area_id": "a", "part": "noon", "percent": 30, "used_at": NOW},
        {"kind": "level", "area_id": "a", "part": "day", "percent": 0, "used_at": NOW},
        {"kind": "level", "area_id": "a", "part": "day", "percent": 101, "used_at": NOW},
        {"kind": "level", "area_id": "a", "part": "day", "percent": float("nan"), "used_at": NOW},
    ],
)
def test_what_is_no_habit_is_not_read(item: Any) -> None:
    with pytest.raises(ValidationError):
        read_habit(item)
    assert read_items([item, habit().as_json()], read_habit) == ([habit()], 1)


@given(
    st.lists(
        st.one_of(
            st.builds(
                habit,
                st.none() | st.sampled_from(["parlour", "library"]),
                st.sampled_from([SHELF, WINDOW]),
            ),
            st.builds(
                level,
                st.sampled_from(["parlour", "library"]),
                st.sampled_from(PartOfDay),
                st.integers(1, 100),
            ),
        ),
        max_size=12,
    )
)
def test_a_room_has_one_player_and_one_level_for_each_part_of_the_day(
    noted: list[PlayerHabit | LevelHabit],
) -> None:
    habits = Habits()
    for each in noted:
        habits.note("conversation", [each])
    for each in habits.all:
        same = [other for other in noted if _key(other) == _key(each)]
        assert each == same[-1], "the last one counts"
    assert len({_key(each) for each in habits.all}) == len(habits.all)
    assert read_items([each.as_json() for each in habits.all], read_habit) == ([*habits.all], 0)


def _key(each: PlayerHabit | LevelHabit) -> tuple[Any, ...]:
    """Return what a habit is of."""
    return (each.kind, each.area_id, getattr(each, "part", None))


def test_the_oldest_go_first_and_all_changes_are_told() -> None:
    changes: list[None] = []
    habits = Habits(lambda: changes.append(None))
    habits.replace(habit(f"area {number}", minutes=-number) for number in range(MAX_HABITS + 5))
    assert len(habits.all) == MAX_HABITS
    assert habits.player("area 0") == SHELF
    assert habits.player(f"area {MAX_HABITS}") is None
    assert not changes
    habits.note("one", [habit("new", minutes=1)])
    assert (len(habits.all), len(changes)) == (MAX_HABITS, 1)
    habits.note("one", [])
    habits.take_back("one")
    assert (habits.player("new"), len(changes)) == (SHELF, 1)
    habits.note("one", [habit("new", WINDOW, minutes=2)])
    habits.take_back("one")
    assert (habits.player("new"), len(changes)) == (SHELF, 3)


def write(file: Path, content: str) -> None:
    """Write a file, and the folder it is in."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(content, "utf-8")


class TestOnDisk:
    """With a real folder."""

    @pytest.fixture
    def hass_storage(self) -> dict[str, Any]:
        """Let Home Assistant write to a real disk, and not to memory as it does in other tests."""
        return {}

    @pytest.fixture
    def hass_config_dir(self, hass_tmp_config_dir: str) -> str:
        """Give it a folder of its own."""
        return hass_tmp_config_dir

    @staticmethod
    def files(hass: HomeAssistant) -> Iterator[Path]:
        """Yield the files of habits."""
        yield from sorted(Path(hass.config.path(".storage")).glob("bellboard.habits.*"))

    async def test_habits_outlive_a_restart_and_go_with_the_assistant(
        self, hass: HomeAssistant, settle: Settle
    ) -> None:
        house = await settle(habits={"last_level": True})
        await house.begin("play some jazz on the shelf speaker, please my dear Watson")
        await house.begin("play some jazz on the shelf speaker")
        await house.begin("set the lights to 30 percent")
        await house.dark()
        [entry] = hass.config_entries.async_entries(DOMAIN)
        assert await hass.config_entries.async_reload(entry.entry_id)
        await hass.async_block_till_done()
        [file] = self.files(hass)
        assert file.stat().st_mode & 0o077 == 0
        written = file.read_text("utf-8")
        assert "jazz" not in written
        assert "Watson" not in written
        kept = json.loads(written)["data"]["habits"]
        assert [sorted(each) for each in kept] == [
            ["areaId", "kind", "player", "usedAt"],
            ["areaId", "kind", "part", "percent", "usedAt"],
        ]
        assert playing(await house.begin(JAZZ)) == [SHELF]
        assert "as last time" in (await house.begin("turn on the lights")).reply
        assert await hass.config_entries.async_remove(entry.entry_id)
        await hass.async_block_till_done()
        assert list(self.files(hass)) == []

    async def test_they_are_written_when_home_assistant_stops(
        self, hass: HomeAssistant, settle: Settle
    ) -> None:
        house = await settle()
        await house.begin("play some jazz on the shelf speaker")
        assert list(self.files(hass)) == []
        hass.bus.async_fire(EVENT_HOMEASSISTANT_FINAL_WRITE)
        await hass.async_block_till_done()
        [file] = self.files(hass)
        assert json.loads(file.read_bytes())["data"]["habits"][0]["player"] == SHELF

    async def test_a_file_that_is_wrong_is_set_aside(self, hass: HomeAssistant) -> None:
        whole = '{"version": %s, "minor_version": 1, "key": "x", "data": %s}'
        folder = Path(hass.config.path(".storage"))
        lock = '{"habits": [{"kind": "player", "player": "lock.front_door", "usedAt": "%s"}]}'
        for name, content, is_kept_as_well in (
            ("no-json", "not json at all", False),
            ("no-list", whole % (1, '{"habits": 5}'), False),
            ("one-wrong", whole % (1, '{"habits": [7]}'), True),
            ("a-lock", whole % (1, lock % NOW.isoformat()), True),
        ):
            await hass.async_add_executor_job(write, folder / f"bellboard.habits.{name}", content)
            habits = await Habits.async_open(hass, name)
            assert habits.all == (), name
            await habits.async_close()
            found = [file for file in self.files(hass) if f".{name}" in file.name]
            assert len(found) == 1 + is_kept_as_well, name
            assert found[-1].name.startswith(f"bellboard.habits.{name}.corrupt."), name
            assert found[-1].read_text("utf-8") == content, name

    async def test_what_cannot_be_written_is_told(
        self, hass: HomeAssistant, settle: Settle, caplog: pytest.LogCaptureFixture
    ) -> None:
        house = await settle()
        await house.begin("play some jazz on the shelf speaker")
        habits = assistant_of(hass).habits
        with patch.object(Store, "async_save", side_effect=OSError(28, "No space left")):
            await habits.async_close()
        assert "What is used by habit cannot be written" in caplog.text

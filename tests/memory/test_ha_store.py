"""Tasks in Home Assistant's storage: kept for good, read whatever the file holds, and not for ever."""

import asyncio
from datetime import timedelta
import json
import logging
from pathlib import Path
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from hypothesis import HealthCheck, example, given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.memory import ha_store, kept_tasks
from custom_components.bellboard.memory.ha_store import HomeAssistantTaskStore, async_remove_tasks
from custom_components.bellboard.memory.models import TaskContext, TaskState
from tests.memory.conftest import asked, finished
from tests.test_task_storage import hass_config_dir, hass_storage

# Fixtures: a real disk.
__all__ = ["hass_config_dir", "hass_storage"]

DAY = timedelta(hours=24)


class House:
    """Where stores are opened one after the other, on a real disk."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.broken: list[str] = []

    @property
    def path(self) -> Path:
        return Path(self.hass.config.path(".storage/bellboard.tasks.one"))

    @property
    def aside(self) -> list[Path]:
        return sorted(self.path.parent.glob("*.corrupt.*"))

    def open(self, ttl: timedelta = DAY) -> HomeAssistantTaskStore:
        return HomeAssistantTaskStore(self.hass, "one", ttl, self.broken.append)

    def on_disk(self) -> list[dict[str, Any]]:
        """Return the tasks in the file."""
        tasks: list[dict[str, Any]] = json.loads(self.path.read_bytes())["data"]["tasks"]
        return tasks

    def write(self, content: Any) -> None:
        """Write a file as an earlier run, an earlier release or a mistake may have left it."""
        self.path.parent.mkdir(exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        self.path.write_text(text, encoding="utf-8")

    def envelope(self, data: Any, version: Any = 1, minor: Any = 1) -> dict[str, Any]:
        """Return what Home Assistant writes around data."""
        key = "bellboard.tasks.one"
        return {"version": version, "minor_version": minor, "key": key, "data": data}


@pytest.fixture
def house(hass: HomeAssistant) -> House:
    """Return a house with a real disk."""
    return House(hass)


async def test_what_is_saved_for_good_is_in_the_file_when_the_save_returns(house: House) -> None:
    store = house.open()
    assert await store.async_load() == []
    task = asked(note="kept")
    await store.async_save(task, durable=True)
    assert house.on_disk() == [task.as_json()]
    # Nobody else on the machine may read what was said.
    assert house.path.stat().st_mode & 0o077 == 0
    await store.async_close()
    assert await house.open().async_load() == [task]


async def test_what_is_saved_for_soon_is_written_once_and_not_put_off(
    hass: HomeAssistant, house: House, freezer: FrozenDateTimeFactory
) -> None:
    store = house.open()
    await store.async_load()
    for second in range(12):
        await store.async_save(finished(n=second), durable=False)
        assert house.path.exists() is (second >= 10)
        freezer.tick(1)
        async_fire_time_changed(hass)
        await hass.async_block_till_done()
    assert [task["metadata"]["n"] for task in house.on_disk()] == [*range(10)]
    await store.async_close()
    assert [task["metadata"]["n"] for task in house.on_disk()] == [*range(12)]


async def test_what_is_saved_for_soon_is_written_when_home_assistant_stops(
    hass: HomeAssistant, house: House
) -> None:
    store = house.open()
    await store.async_load()
    await store.async_save(finished(), durable=False)
    await hass.async_stop(force=True)
    assert len(house.on_disk()) == 1


async def test_a_session_has_its_newest_task_as_it_was_saved(house: House) -> None:
    store = house.open()
    await store.async_load()
    first = finished(note="before")
    await store.async_save(first, durable=False)
    # What happens to a task later is not in the store.
    first.metadata["note"] = "after"
    found = await store.async_get("talk")
    assert found
    assert found.metadata["note"] == "before"
    second = first.following()
    second.add_request("and the other one")
    await store.async_save(second, durable=False)
    assert await store.async_get("talk") == second
    assert await store.async_get("another") is None
    await store.async_close()
    assert [task["id"] for task in house.on_disk()] == [first.id, second.id]
    again = house.open()
    assert await again.async_load() == [second]
    assert found == await again.async_get_task(first.id)
    await again.async_close()


async def test_those_who_wait_at_once_share_a_write(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = house.open()
    await store.async_load()
    writes = 0
    write = store._file.async_save

    async def counted(data: Any) -> None:
        nonlocal writes
        writes += 1
        await write(data)

    monkeypatch.setattr(store._file, "async_save", counted)
    saves = (store.async_save(asked(f"talk {n}"), durable=True) for n in range(200))
    await asyncio.gather(*saves)
    assert {task["sessionId"] for task in house.on_disk()} == {f"talk {n}" for n in range(200)}
    assert writes == 2
    await store.async_close()


async def test_a_save_whose_caller_goes_away_is_written_all_the_same(
    hass: HomeAssistant, house: House
) -> None:
    store = house.open()
    await store.async_load()
    save = asyncio.create_task(store.async_save(asked(), durable=True))
    await asyncio.sleep(0)
    save.cancel()
    with pytest.raises(asyncio.CancelledError):
        await save
    await hass.async_block_till_done()
    assert len(house.on_disk()) == 1
    await store.async_close()


async def test_old_tasks_are_forgotten(
    hass: HomeAssistant, house: House, freezer: FrozenDateTimeFactory
) -> None:
    store = house.open(timedelta(hours=2))
    await store.async_load()
    await store.async_save(asked("old"), durable=True)
    freezer.tick(timedelta(hours=1, minutes=30))
    await store.async_save(asked("new"), durable=True)
    freezer.tick(timedelta(minutes=40))
    # Nobody gets it any more, though it is still there.
    assert await store.async_get("old") is None
    assert await store.async_get("new")
    assert [task["sessionId"] for task in house.on_disk()] == ["old", "new"]
    freezer.tick(timedelta(minutes=50))
    async_fire_time_changed(hass)
    await hass.async_block_till_done()
    freezer.tick(timedelta(seconds=11))
    async_fire_time_changed(hass)
    await hass.async_block_till_done()
    assert [task["sessionId"] for task in house.on_disk()] == ["new"]
    await store.async_close()
    freezer.tick(timedelta(hours=3))
    assert await house.open(timedelta(hours=2)).async_load() == []


async def test_what_is_kept_is_bounded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_tasks, "MAX_SESSIONS", 4)
    store = house.open()
    await store.async_load()
    for name in ("a", "b"):
        await store.async_save(asked(name), durable=False)
    for name in ("c", "d", "e", "f"):
        await store.async_save(finished(name), durable=False)
    # Questions stay longer than what is done.
    assert [name for name in "abcdef" if await store.async_get(name)] == ["a", "b", "e", "f"]
    for name in ("g", "h"):
        await store.async_save(asked(name), durable=False)
    assert [name for name in "abcdefgh" if await store.async_get(name)] == ["a", "b", "g", "h"]
    await store.async_save(asked("i"), durable=False)
    assert [name for name in "abcdefghi" if await store.async_get(name)] == ["b", "g", "h", "i"]
    monkeypatch.setattr(kept_tasks, "MAX_BYTES", 1000)
    await store.async_save(asked("long", words="x" * 2000), durable=False)
    assert await store.async_get("i") is None
    # The newest stays, however long.
    assert await store.async_get("long")
    await store.async_close()


async def test_what_is_kept_beside_is_bounded(
    house: House, monkeypatch: pytest.MonkeyPatch, freezer: FrozenDateTimeFactory
) -> None:
    monkeypatch.setattr(kept_tasks, "MAX_BESIDE", 3)
    monkeypatch.setattr(kept_tasks, "MAX_BESIDE_IN_ALL", 4)
    store = house.open(timedelta(hours=2))
    await store.async_load()

    async def save(name: str, number: int) -> list[str]:
        saved = [finished(name, n=n) for n in range(number)]
        for task in saved:
            freezer.tick(1)
            await store.async_save(task, durable=False)
        return [task.id for task in saved]

    async def kept(ids: list[str]) -> list[int]:
        return [place for place, each in enumerate(ids) if await store.async_get_task(each)]

    a = await save("a", 6)
    assert await kept(a) == [2, 3, 4, 5]
    b = await save("b", 3)
    assert await kept(a) == [3, 4, 5]
    assert await kept(b) == [0, 1, 2]
    # Waiting beside another one is no reason to be the newest.
    waits = TaskContext.submitted(session_id="a")
    await store.async_save(waits, durable=False, beside=True)
    assert (await store.async_get("a") or waits).id == a[-1]
    await store.async_close()
    store = house.open(timedelta(hours=2))
    assert [task.id for task in await store.async_load()] == [a[-1], b[-1], waits.id]
    assert await store.async_get_task(a[-2])
    # A conversation takes all of it along, and is forgotten with all of it.
    moved = (await store.async_get("a") or waits).model_copy(update={"session_id": "c"})
    await store.async_move(moved, "a")
    assert await store.async_get("a") is None
    assert await store.async_get("c") == moved
    await store.async_close()
    store = house.open(timedelta(hours=2))
    assert {task.session_id for task in await store.async_load()} == {"b", "c"}
    assert await store.async_get_task(a[-2])
    assert await store.async_forget("c") == 1
    assert await kept(a) == []
    monkeypatch.setattr(kept_tasks, "MAX_BESIDE_BYTES", 10)
    await store.async_save(finished("b"), durable=False)
    assert await kept(b) == []
    # What is current never goes for what is beside.
    monkeypatch.setattr(kept_tasks, "MAX_BESIDE_BYTES", 10_000)
    monkeypatch.setattr(kept_tasks, "MAX_BYTES", 4000)
    d = await save("d", 20)
    assert await store.async_get("b")
    assert len(await kept(d)) < 5
    freezer.tick(timedelta(hours=3))
    assert await kept(d) == []
    await store.async_close()


async def test_a_conversation_or_all_are_forgotten_for_good(house: House) -> None:
    store = house.open()
    await store.async_load()
    for name in ("a", "b", "c"):
        await store.async_save(asked(name), durable=False)
    assert await store.async_forget("a") == 1
    assert [task["sessionId"] for task in house.on_disk()] == ["b", "c"]
    assert await store.async_forget("a") == 0
    assert await store.async_forget() == 2
    assert house.on_disk() == []
    assert await store.async_forget() == 0
    await store.async_close()


async def test_after_the_end_nothing_is_written(house: House) -> None:
    store = house.open()
    await store.async_load()
    await store.async_save(asked("a"), durable=False)
    await store.async_close()
    await store.async_save(asked("b"), durable=True)
    assert [task["sessionId"] for task in house.on_disk()] == ["a"]


async def test_the_tasks_of_an_assistant_go_with_it(hass: HomeAssistant, house: House) -> None:
    store = house.open()
    await store.async_load()
    await store.async_save(asked(), durable=True)
    await store.async_close()
    await async_remove_tasks(hass, "one")
    assert not house.path.exists()
    await async_remove_tasks(hass, "one")


@pytest.mark.parametrize(
    "content",
    [
        [],
        None,
        3,
        "words",
        {"version": 1},
        {"version": "one", "data": {}},
        {"version": 0, "minor_version": 1, "key": "k", "data": {"tasks": []}},
        {"version": 1, "minor_version": 1, "key": "k", "data": {"tasks": {}}},
        {"version": 1, "minor_version": 1, "key": "k", "data": ["tasks"]},
        {"version": 1, "minor_version": "x", "key": "k", "data": {"tasks": []}},
    ],
    ids=repr,
)
async def test_a_file_that_cannot_be_read_is_set_aside(
    house: House, content: Any, caplog: pytest.LogCaptureFixture
) -> None:
    house.write(json.dumps(content))
    before = house.path.read_bytes()
    store = house.open()
    assert await store.async_load() == []
    [aside] = house.aside
    assert house.broken == [str(aside)]
    assert aside.read_bytes() == before
    assert not house.path.exists()
    assert "set aside" in caplog.text
    # A fresh store starts.
    await store.async_save(asked(), durable=True)
    assert len(house.on_disk()) == 1
    await store.async_close()


async def test_a_file_that_is_no_json_is_set_aside_by_home_assistant(
    hass: HomeAssistant, house: House
) -> None:
    house.write('{"version": 1, "data": {"tasks": [{"id')
    store = house.open()
    assert await store.async_load() == []
    assert len(house.aside) == 1
    [issue] = ir.async_get(hass).issues.values()
    assert issue.translation_key == "storage_corruption"
    assert house.broken == []
    await store.async_save(asked(), durable=True)
    assert len(house.on_disk()) == 1
    await store.async_close()


async def test_a_broken_task_costs_no_other(house: House, caplog: pytest.LogCaptureFixture) -> None:
    good = asked("good")
    broken = {"id": "x", "sessionId": "bad", "status": {"state": "dreaming of a secret"}}
    house.write(house.envelope({"tasks": [broken, good.as_json(), 7]}))
    before = house.path.read_bytes()
    store = house.open()
    assert await store.async_load() == [good]
    [aside] = house.aside
    assert house.broken == [str(aside)]
    assert aside.read_bytes() == before
    assert house.on_disk() == [good.as_json()]
    await store.async_close()
    # It is told once.
    assert await house.open().async_load() == [good]
    assert len(house.broken) == len(house.aside) == 1
    # What was said does not belong in the log.
    assert "secret" not in caplog.text


async def test_a_file_that_cannot_even_be_set_aside_stops_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "rename", refuse)
    house.write([])
    store = house.open()
    assert await store.async_load() == []
    assert house.broken == []
    assert "nor set aside" in caplog.text
    await store.async_save(asked(), durable=True)
    assert await store.async_get("talk")
    await store.async_close()


async def test_a_disk_that_cannot_be_written_stops_nothing(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    store = house.open()
    await store.async_load()
    # A file where the folder should be.
    house.path.parent.write_text("", encoding="utf-8")
    await store.async_save(asked(), durable=True)
    assert "cannot be written" in caplog.text
    assert await store.async_get("talk")
    house.path.parent.unlink()
    await store.async_save(asked("another"), durable=True)
    assert [task["sessionId"] for task in house.on_disk()] == ["talk", "another"]
    await store.async_close()


async def test_what_no_json_can_hold_does_not_cost_a_conversation(house: House) -> None:
    store = house.open()
    await store.async_load()
    task = asked(half="\ud83d", huge=10**30, nothing=float("nan"))
    await store.async_save(task, durable=True)
    await store.async_close()
    [found] = await house.open().async_load()
    assert found.metadata["half"] == "?"
    assert found.metadata["huge"] == pytest.approx(1e30)
    assert house.broken == []


async def test_an_older_file_is_migrated(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As if 1.1 had kept tasks by session, and 1.2 under another name."""
    steps = (
        lambda data: {"waiting": list(data["sessions"].values())},
        lambda data: {"tasks": data["waiting"]},
    )
    monkeypatch.setattr(ha_store, "MIGRATIONS", steps)
    task = asked().as_json()
    for minor, data in ((1, {"sessions": {"talk": task}}), (2, {"waiting": [task]})):
        house.write(house.envelope(data, minor=minor))
        store = house.open()
        assert [found.as_json() for found in await store.async_load()] == [task]
        await store.async_close()
        kept = json.loads(house.path.read_bytes())
        assert (kept["version"], kept["minor_version"]) == (1, 3)
        assert kept["data"] == {"tasks": [task]}
    # What is not as that version had it is set aside like all else.
    house.write(house.envelope({"sessions": []}))
    assert await house.open().async_load() == []
    assert len(house.broken) == 1


async def test_a_newer_minor_version_can_be_read(house: House) -> None:
    house.write(house.envelope({"tasks": [asked().as_json()], "more": 1}, minor=9))
    assert len(await house.open().async_load()) == 1
    assert house.broken == []


async def test_a_task_without_a_time_is_as_old_as_its_file_was_read(house: House) -> None:
    tasks = [
        {"id": "a", "sessionId": "a", "status": {"state": "completed"}},
        {"id": "b", "sessionId": "b", "status": {"state": "completed", "timestamp": "yesterday"}},
        {"id": "c", "sessionId": "c", "status": {"state": "failed", "timestamp": "2999-01-01"}},
        {"id": "d", "sessionId": "d", "status": {"state": "failed", "timestamp": "1999-01-01"}},
    ]
    house.write(house.envelope({"tasks": tasks}))
    found = await house.open().async_load()
    assert {task.id for task in found} == {"a", "b", "c"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
STATES = st.sampled_from(list(TaskState)) | JSON
TASK = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text() | JSON,
        "sessionId": st.text() | JSON,
        "status": st.fixed_dictionaries({"state": STATES}, optional={"timestamp": JSON}) | JSON,
        "history": st.lists(JSON) | JSON,
        "metadata": JSON,
    },
)
DATA = st.fixed_dictionaries({"tasks": st.lists(TASK | JSON) | JSON}) | JSON
ENVELOPE = st.fixed_dictionaries(
    {"version": st.just(1) | JSON, "minor_version": st.just(1) | JSON, "data": DATA}
)
DEEP: Any = {"tasks": [asked(deep=json.loads("[" * 400 + "]" * 400)).model_dump(mode="python")]}


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=ENVELOPE | JSON)
@example(content={"version": 1, "minor_version": 1, "data": DEEP})
async def test_any_json_in_the_file_loads_or_is_set_aside(house: House, content: Any) -> None:
    logging.disable(logging.CRITICAL)
    house.write(json.dumps(content, default=str))
    for path in house.aside:
        path.unlink()
    house.broken.clear()
    store = house.open()
    tasks = await store.async_load()
    assert len(house.aside) == len(house.broken)
    for task in tasks:
        assert isinstance(task, TaskContext)
        assert await store.async_get(task.session_id) == task
    await store.async_save(asked("afterwards"), durable=True)
    await store.async_close()
    again = house.open()
    kept = [task.session_id for task in await again.async_load()]
    # What a newer release wrote stays as it is.
    assert kept[-1:] == ["afterwards"] or (not kept and not house.aside)
    assert len(house.aside) == len(house.broken)
    await again.async_close()
    logging.disable(logging.NOTSET)

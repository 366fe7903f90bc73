"""A conversation has one task at a time, in a legal state, whatever happens around it."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
import gc
from itertools import pairwise
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session
from hypothesis import HealthCheck, example, given, settings, strategies as st
import pytest

from custom_components.bellboard.memory import conversations as module
from custom_components.bellboard.memory.conversations import (
    CALLER_GONE,
    CANCELED,
    INTERRUPTED,
    TAKEN_ON,
    TURN_FAILED,
    Conversations,
)
from custom_components.bellboard.memory.ha_store import HomeAssistantTaskStore
from custom_components.bellboard.memory.models import (
    TRANSITIONS,
    Caller,
    StoreUnavailableError,
    TaskContext,
    TaskState,
    TaskStore,
    TransitionError,
    decode,
    encode,
    is_newer,
    is_submitted,
)
from custom_components.bellboard.memory.redis_store import async_create_redis_store
from tests.memory.conftest import RedisServer, asked, finished


class Notebook:
    """A store in memory that takes its time, notes what is saved, and can be out of reach."""

    def __init__(self, *, shared: bool = False, pause: int = 1) -> None:
        self.shared = shared
        self.pause = pause
        self.kept: dict[str, bytes] = {}
        self.beside: dict[str, bytes] = {}
        self.saved: list[tuple[str, TaskState, bool]] = []
        self.is_reachable = True
        self.is_closed = False

    async def _wait(self) -> None:
        for _ in range(self.pause):
            await asyncio.sleep(0)

    async def async_load(self) -> list[TaskContext]:
        beside = (decode(text) for text in self.beside.values())
        return [*map(decode, self.kept.values()), *filter(is_submitted, beside)]

    async def async_get(self, session_id: str) -> TaskContext | None:
        await self._wait()
        text = self.kept.get(session_id)
        return decode(text) if text and self.is_reachable else None

    async def async_get_task(self, task_id: str) -> TaskContext | None:
        await self._wait()
        newest = (text for text in self.kept.values() if decode(text).id == task_id)
        text = self.beside.get(task_id) or next(newest, None)
        return decode(text) if text and self.is_reachable else None

    async def async_save(self, task: TaskContext, *, durable: bool, beside: bool = False) -> None:
        self.saved.append((task.id, task.state, durable))
        self.beside.pop(task.id, None)
        if beside:
            self.beside[task.id] = encode(task)
        else:
            before = self.kept.get(task.session_id)
            if before and (known := decode(before)).id != task.id:
                self.beside[known.id] = before
            self.kept[task.session_id] = encode(task)
        if durable:
            await self._wait()

    async def async_move(self, task: TaskContext, former_id: str) -> None:
        self.kept.pop(former_id, None)
        await self.async_save(task, durable=False)

    async def async_forget(self, session_id: str | None = None) -> int:
        if not self.is_reachable:
            raise StoreUnavailableError("away")
        names = list(self.kept) if session_id is None else [session_id]
        beside = {key: decode(text).session_id for key, text in self.beside.items()}
        for key in (key for key, name in beside.items() if session_id in {None, name}):
            del self.beside[key]
        return len([name for name in names if self.kept.pop(name, None)])

    async def async_close(self) -> None:
        self.is_closed = True

    def task(self, session_id: str = "talk") -> TaskContext:
        """Return what is kept of a session."""
        return decode(self.kept[session_id])


def kept_by(store: TaskStore) -> Conversations:
    """Return conversations in a store. Checks that the store is one, too."""
    return Conversations(store)


async def ask(conversations: Conversations, name: str = "talk", **metadata: Any) -> TaskContext:
    """Take a turn that ends with a question."""
    async with conversations.async_open(name) as task:
        task.add_request("turn on the lamp")
        task.metadata |= metadata
        task.add_reply("Which one?", TaskState.INPUT_REQUIRED)
    return task


async def do(conversations: Conversations, name: str = "talk") -> TaskContext:
    """Take a turn that does what was asked for."""
    async with conversations.async_open(name) as task:
        task.add_request("turn on the lamp")
        task.add_reply("Done.", TaskState.COMPLETED)
    return task


@contextmanager
def session(name: str = "talk") -> Iterator[chat_session.ChatSession]:
    """Take turns inside one of Home Assistant's chat sessions."""
    found = chat_session.ChatSession(name)
    token = chat_session.current_session.set(found)
    yield found
    chat_session.current_session.reset(token)


async def test_what_is_done_is_followed_by_a_new_task() -> None:
    conversations = kept_by(Notebook())
    first = await do(conversations)
    async with conversations.async_open("talk") as second:
        assert second.id != first.id
        assert second.state is TaskState.SUBMITTED
        assert second.metadata["follows"] == first.id
        assert second.history == first.history
    assert (await conversations.async_find("talk")) == first


async def test_a_question_waits_for_what_is_said_next() -> None:
    store = Notebook()
    conversations = kept_by(store)
    first = await ask(conversations)
    async with conversations.async_open("talk") as task:
        assert task == first
        task.add_request("the floor lamp")
        await conversations.async_save_working(task)
        assert store.task().state is TaskState.WORKING
        task.add_reply("Done.", TaskState.COMPLETED)
    # What concerns a question is kept for good at every step; the rest can wait.
    assert [(state, durable) for _, state, durable in store.saved] == [
        (TaskState.INPUT_REQUIRED, True),
        (TaskState.WORKING, True),
        (TaskState.COMPLETED, True),
    ]
    store.saved.clear()
    await do(conversations)
    assert [durable for _, _, durable in store.saved] == [False]


async def test_only_what_is_worked_on_is_kept_as_such() -> None:
    conversations = kept_by(Notebook())
    with pytest.raises(TransitionError, match="submitted cannot become working"):
        async with conversations.async_open("talk") as task:
            await conversations.async_save_working(task)


async def test_a_request_of_its_own_takes_the_place_of_a_question() -> None:
    store = Notebook()
    conversations = kept_by(store)
    await ask(conversations)
    async with conversations.async_open("talk") as first:
        second = conversations.supersede(first, "Another request came.")
        assert conversations.get("talk") is second
        second.add_request("play some jazz")
        second.add_reply("Playing jazz.", TaskState.COMPLETED)
    assert first.state is TaskState.CANCELED
    assert first.status.message
    assert first.status.message.content == "Another request came."
    assert second.metadata["follows"] == first.id
    assert store.task() == second
    assert store.saved[-1] == (second.id, TaskState.COMPLETED, True)


async def test_turns_of_one_conversation_are_taken_in_order() -> None:
    conversations = kept_by(Notebook())
    said: list[str] = []

    async def turn(name: str) -> None:
        async with conversations.async_open("talk") as task:
            task.add_request(name)
            said.append(f"{name} begins")
            await asyncio.sleep(0.001)
            said.append(f"{name} ends")
            task.add_reply(name, TaskState.COMPLETED)

    await asyncio.gather(*(turn(name) for name in "abc"))
    assert said == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]
    found = await conversations.async_find("talk")
    assert found
    assert [message.content for message in found.history] == list("aabbcc")


async def test_different_conversations_run_at_once() -> None:
    conversations = kept_by(Notebook())
    both = asyncio.Barrier(50)

    async def turn(number: int) -> None:
        async with conversations.async_open(f"talk {number}"):
            await both.wait()

    async with asyncio.timeout(2):
        await asyncio.gather(*(turn(number) for number in range(50)))


async def test_a_turn_that_breaks_leaves_a_failed_task_and_the_way_free() -> None:
    store = Notebook()
    conversations = kept_by(store)

    async def turn(*words: str) -> None:
        async with conversations.async_open("talk") as task:
            for text in words:
                task.add_request(text)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await turn("hello")
    kept = store.task()
    assert kept.state is TaskState.FAILED
    assert kept.status.message
    assert kept.status.message.content == TURN_FAILED
    # Also one that breaks before it heard anything, or forgets to answer.
    with pytest.raises(RuntimeError):
        await turn()
    assert store.task().id != kept.id
    assert store.task().state is TaskState.FAILED
    async with conversations.async_open("talk") as task:
        task.add_request("hello")
    assert task.state is TaskState.FAILED
    async with asyncio.timeout(1):
        await do(conversations)


async def test_a_turn_whose_caller_goes_away_is_canceled() -> None:
    store = Notebook()
    conversations = kept_by(store)

    async def turn() -> None:
        async with conversations.async_open("talk") as task:
            task.add_request("hello")
            await asyncio.sleep(60)

    running = asyncio.create_task(turn())
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    kept = store.task()
    assert kept.state is TaskState.CANCELED
    assert kept.status.message
    assert kept.status.message.content == CALLER_GONE


async def test_a_question_nobody_waits_to_hear_is_canceled() -> None:
    """The caller goes away while the question is being kept."""
    store = Notebook(pause=1000)
    conversations = kept_by(store)
    with session():
        await do(conversations)
        running = asyncio.create_task(ask(conversations))
        await asyncio.sleep(0)
    assert store.task().state is TaskState.INPUT_REQUIRED
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert store.task().state is TaskState.CANCELED


@pytest.mark.parametrize("error", [RuntimeError, asyncio.CancelledError])
async def test_a_question_that_a_turn_did_not_get_to_stays_open(
    error: type[BaseException],
) -> None:
    store = Notebook()
    conversations = kept_by(store)
    first = await ask(conversations)
    with pytest.raises(error):
        async with conversations.async_open("talk"):
            raise error
    assert len(store.saved) == 1
    async with conversations.async_open("talk") as task:
        assert task == first


async def test_what_was_under_way_is_taken_up_after_a_restart() -> None:
    store = Notebook()
    conversations = kept_by(store)
    question = await ask(conversations, "question", pendingQuestion={"x": 1})
    working = await ask(conversations, "work")
    working.add_request("the left one")
    await store.async_save(working, durable=True)
    fresh = TaskContext.submitted(session_id="fresh")
    await store.async_save(fresh, durable=True)
    done = await do(conversations, "done")

    again = kept_by(store)
    await again.async_start()
    for name in ("work", "fresh"):
        kept = store.task(name)
        assert kept.state is TaskState.FAILED
        assert kept.status.message
        assert kept.status.message.content == INTERRUPTED
    assert store.task("question") == question
    assert store.task("done") == done
    # Nothing of it is in memory until somebody goes on with it.
    assert again.get("question") is None
    assert await again.async_find("question") == question
    async with again.async_open("question") as task:
        assert task == question
    async with again.async_open("work") as task:
        assert task.metadata["follows"] == working.id
        assert task.state is TaskState.SUBMITTED


async def test_what_is_under_way_now_is_not_taken_for_what_was() -> None:
    store = Notebook()
    conversations = kept_by(store)
    await ask(conversations)
    async with conversations.async_open("talk") as task:
        task.add_request("the left one")
        await conversations.async_save_working(task)
        await conversations.async_start()
        assert task.state is TaskState.WORKING
        task.add_reply("Done.", TaskState.COMPLETED)
    assert store.task().state is TaskState.COMPLETED


async def test_a_conversation_goes_on_under_another_id() -> None:
    """Home Assistant gives a conversation a new id once its chat session ended."""
    store = Notebook()
    question = await ask(kept_by(store), "old")
    conversations = kept_by(store)
    async with conversations.async_open("new", "old") as task:
        assert task.id == question.id
        assert task.session_id == "new"
        assert set(store.kept) == {"new"}
        task.add_request("the left one")
        task.add_reply("Done.", TaskState.COMPLETED)
    assert set(store.kept) == {"new"}
    # A conversation that is known by its id has no other; an unknown one is new.
    await ask(conversations, "third")
    async with conversations.async_open("new", "third") as task:
        assert task.metadata["follows"] == question.id
    async with conversations.async_open("fourth", "fifth") as task:
        assert task.history == []


async def test_a_task_is_found_by_its_id_after_the_next_request_too() -> None:
    store = Notebook()
    conversations = kept_by(store)
    with session():
        first = await do(conversations)
        asks = await ask(conversations)
        async with conversations.async_open("talk") as task:
            third = conversations.supersede(task, "Another request came.")
            canceled = await conversations.async_find_task(asks.id)
            assert canceled
            assert canceled.state is TaskState.CANCELED
            third.add_request("play some jazz")
            await conversations.async_save_working(third)
            assert decode(store.beside[asks.id]).state is TaskState.CANCELED
            assert await conversations.async_find_task(third.id) is third
            third.add_reply("Playing jazz.", TaskState.COMPLETED)
        for again in (conversations, kept_by(store)):
            for known in (first, asks, third):
                assert await again.async_find_task(known.id) == known
            assert await again.async_find("talk") == third
            assert await again.async_find_task("task-nobody-knows") is None
    assert await conversations.async_find_task(first.id, caller=Caller("another")) is None
    assert await conversations.async_find_task(first.id, caller=Caller("x", sees_all=True)) == first


async def wait_for_turn(conversations: Conversations, *, first_asks: bool) -> list[TaskContext]:
    """Take a turn while another one waits; return the tasks of both, and what the second one was while it waited."""
    store, begun = conversations._store, asyncio.Event()
    assert isinstance(store, Notebook)

    async def second() -> TaskContext:
        async with conversations.async_open("talk") as task:
            begun.set()
            task.add_request("and the other one")
            task.add_reply("Done.", TaskState.COMPLETED)
        return task

    async with conversations.async_open("talk") as first:
        first.add_request("turn on the lamp")
        running = asyncio.create_task(second())
        await asyncio.sleep(0.01)
        assert not begun.is_set()
        [submitted] = conversations.submitted("talk")
        waits = decode(store.beside[submitted.id])
        assert await conversations.async_find_task(waits.id) == waits
        assert await conversations.async_find("talk") is first
        first.add_reply("So.", TaskState.INPUT_REQUIRED if first_asks else TaskState.COMPLETED)
    return [first, await running, waits]


async def test_who_waits_for_a_turn_is_submitted() -> None:
    store = Notebook()
    conversations = kept_by(store)
    first, second, waits = await wait_for_turn(conversations, first_asks=False)
    assert waits.state is TaskState.SUBMITTED
    assert second.id == waits.id
    assert second.metadata["follows"] == first.id
    assert store.task() == second
    assert set(store.beside) == {first.id}
    assert not conversations._conversations


async def test_who_waited_and_answers_a_question_is_told_where_that_went() -> None:
    store = Notebook()
    conversations = kept_by(store)
    first, second, waits = await wait_for_turn(conversations, first_asks=True)
    assert second.id == first.id
    ended = await conversations.async_find_task(waits.id)
    assert ended
    assert ended.state is TaskState.CANCELED
    assert ended.status.message
    assert ended.status.message.content == TAKEN_ON.format(first.id)
    assert store.task() == second


async def test_who_goes_away_while_waiting_leaves_a_canceled_task() -> None:
    conversations = kept_by(Notebook())
    async with conversations.async_open("talk") as first:
        first.add_request("turn on the lamp")
        running = asyncio.create_task(do(conversations))
        await asyncio.sleep(0)
        [waits] = conversations.submitted("talk")
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert not conversations.submitted("talk")
        first.add_reply("Done.", TaskState.COMPLETED)
    ended = await conversations.async_find_task(waits.id)
    assert ended
    assert ended.state is TaskState.CANCELED
    assert await conversations.async_find("talk") == first


async def test_who_waited_when_home_assistant_stopped_has_failed() -> None:
    store = Notebook()
    conversations = kept_by(store)
    done = await do(conversations)
    async with conversations.async_open("talk") as task:
        running = asyncio.create_task(do(conversations))
        await asyncio.sleep(0)
        [waits] = conversations.submitted("talk")
        # The power is cut here.
        again = kept_by(store)
        await again.async_start()
        failed = await again.async_find_task(waits.id)
        assert failed
        assert failed.state is TaskState.FAILED
        assert await again.async_find("talk") == done
        task.add_request("hello")
    await running


async def test_a_conversation_leaves_memory_with_its_chat_session() -> None:
    store = Notebook()
    conversations = kept_by(store)
    with session() as first:
        question = await ask(conversations)
        assert conversations.get("talk") is question
        async with conversations.async_open("talk") as task:
            assert task is question
    first.async_cleanup()
    assert conversations.get("talk") is None
    assert not conversations._conversations
    # It can be gone on with as long as the store keeps it.
    with session() as second:
        async with conversations.async_open("talk") as task:
            assert task == question
            # The session of a turn that takes long may end before the turn does.
            second.async_cleanup()
            assert conversations.get("talk") is task
    assert not conversations._conversations
    # Also when it was forgotten in between.
    with session() as third:
        await ask(conversations)
        await conversations.async_forget("talk")
        async with conversations.async_open("talk") as task:
            third.async_cleanup()
            assert conversations.get("talk") is task
    assert not conversations._conversations
    # Outside of a chat session, or in that of another conversation, it ends with the turn.
    await ask(conversations)
    with session("another"):
        await ask(conversations, "third")
    assert not conversations._conversations


async def test_a_question_is_canceled_on_purpose() -> None:
    store = Notebook()
    conversations = kept_by(store)
    assert not await conversations.async_cancel("talk")
    await ask(conversations)
    assert await conversations.async_cancel("talk")
    canceled = store.task()
    assert canceled.state is TaskState.CANCELED
    assert canceled.status.message
    assert canceled.status.message.content == CANCELED
    assert store.saved[-1] == (canceled.id, TaskState.CANCELED, True)
    # What is over stays as it is.
    await do(conversations)
    assert not await conversations.async_cancel("talk")
    assert store.task().state is TaskState.COMPLETED
    assert not conversations._conversations


async def test_what_a_turn_under_way_asks_is_canceled_at_once() -> None:
    store = Notebook()
    conversations = kept_by(store)
    async with conversations.async_open("talk") as task:
        task.add_request("turn on the lamp")
        # As a script would that the turn runs: nobody waits for anybody.
        assert not await conversations.async_cancel("talk", "Enough.")
        assert task.state is TaskState.WORKING
        task.add_reply("Which one?", TaskState.INPUT_REQUIRED)
    kept = store.task()
    assert kept.state is TaskState.CANCELED
    assert kept.status.message
    assert kept.status.message.content == "Enough."
    # Not so the next one.
    assert (await ask(conversations)).state is TaskState.INPUT_REQUIRED


async def test_conversations_are_forgotten() -> None:
    store = Notebook()
    conversations = kept_by(store)
    with session("a"):
        await ask(conversations, "a")
    await ask(conversations, "b")
    await ask(conversations, "c")
    assert await conversations.async_forget("a") == 1
    assert conversations.get("a") is None
    assert await conversations.async_find("a") is None
    async with conversations.async_open("a") as task:
        assert task.history == []
    assert await conversations.async_forget() == 2
    assert not store.kept
    assert not conversations._conversations
    store.is_reachable = False
    with session("d"):
        await ask(conversations, "d")
    with pytest.raises(StoreUnavailableError):
        await conversations.async_forget("d")
    assert conversations.get("d") is None
    # A turn whose conversation could not be forgotten is kept as it ended.
    async with conversations.async_open("e") as task:
        task.add_request("hello")
        with pytest.raises(StoreUnavailableError):
            await conversations.async_forget()
        task.add_reply("Done.", TaskState.COMPLETED)
    assert store.task("e").state is TaskState.COMPLETED


@pytest.mark.parametrize("name", ["talk", None])
async def test_a_turn_under_way_is_forgotten_when_it_ends(name: str | None) -> None:
    store = Notebook()
    conversations = kept_by(store)
    await ask(conversations)
    with session() as chat:
        async with conversations.async_open("talk") as task:
            task.add_request("the left one")
            assert await conversations.async_forget(name) == 1
            await conversations.async_save_working(task)
            task.add_reply("And which shade?", TaskState.INPUT_REQUIRED)
        assert not store.kept
        assert conversations.get("talk") is None
        async with conversations.async_open("talk") as task:
            assert task.history == []
    chat.async_cleanup()
    assert not conversations._conversations


async def test_turns_under_way_may_end_before_the_assistant_is_unloaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Notebook()
    conversations = kept_by(store)

    async def turn(seconds: float) -> None:
        async with conversations.async_open("talk") as task:
            task.add_request("hello")
            await asyncio.sleep(seconds)
            assert not store.is_closed
            task.add_reply("Done.", TaskState.COMPLETED)

    running = asyncio.create_task(turn(0.05))
    await asyncio.sleep(0)
    await conversations.async_close()
    assert running.done()
    assert store.is_closed
    # But not for ever: it might be the turn itself that has the assistant unloaded.
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    async with asyncio.timeout(1), conversations.async_open("talk"):
        await conversations.async_close()


async def test_a_shared_store_is_asked_what_is_newest() -> None:
    store = Notebook(shared=True)
    one, other = Conversations(store, "one"), Conversations(store, "other")
    with session():
        first = await ask(one)
        async with other.async_open("talk") as task:
            assert task.id == first.id
            task.add_request("the left one")
            await other.async_save_working(task)
            # The other one is at it: here it is a new request.
            async with one.async_open("talk") as meanwhile:
                assert meanwhile.id != task.id
            task.add_reply("Done.", TaskState.COMPLETED)
        async with one.async_open("talk") as task:
            assert task.metadata["follows"] == first.id
        # What is in memory is newer than what a store that was away comes back with.
        second = await ask(one)
        store.kept["talk"] = encode(first)
        async with one.async_open("talk") as task:
            assert task is second


async def test_only_its_own_work_was_cut_off_in_a_shared_store() -> None:
    store = Notebook(shared=True)
    for name in ("one", "other"):
        conversations = Conversations(store, name)
        await ask(conversations, f"of {name}")
        async with conversations.async_open(f"of {name}") as task:
            task.add_request("the left one")
            await conversations.async_save_working(task)
            store.saved.clear()
            # The power is cut here.
            kept = dict(store.kept)
        store.kept = kept
    await Conversations(store, "one").async_start()
    assert store.task("of one").state is TaskState.FAILED
    assert store.task("of other").state is TaskState.WORKING


def later(task: TaskContext, seconds: float) -> str:
    """Return the time of a task, so many seconds later."""
    moved = datetime.fromisoformat(task.status.timestamp or "") + timedelta(seconds=seconds)
    return moved.isoformat()


@pytest.mark.parametrize("seconds", [-5, 0, 5])
def test_what_happened_says_what_is_newer_and_not_the_clock(seconds: int) -> None:
    question = asked()
    answered = TaskContext.model_validate(question.as_json())
    answered.add_request("the left one")
    answered.add_reply("Done.", TaskState.COMPLETED)
    following = answered.following()
    following.add_request("and the other one")
    unrelated = finished()
    for task in (answered, following):
        task.status.timestamp = later(task, seconds)
    heard = TaskContext.model_validate(question.as_json())
    heard.add_request("the left one")
    heard.status.timestamp = later(heard, seconds)
    for older, newer in ((question, heard), (heard, answered), (answered, following)):
        assert is_newer(newer, older)
        assert not is_newer(older, newer)
    unrelated.status.timestamp = later(question, -1)
    assert is_newer(question, unrelated)
    assert not is_newer(unrelated, question)


async def test_two_homes_take_turns_of_one_conversation(
    hass: HomeAssistant, redis: RedisServer
) -> None:
    homes = []
    for name in ("kitchen", "cellar"):
        store = await async_create_redis_store(
            hass,
            redis.url,
            timedelta(hours=1),
            on_unavailable=print,
            on_available=lambda: None,
        )
        homes.append(Conversations(store, name))
        await homes[-1].async_start()
    kitchen, cellar = homes
    with session():
        question = await ask(kitchen)
        async with cellar.async_open("talk") as task:
            assert task == question.model_copy(
                update={"metadata": {"owner": "cellar", "userId": None}}
            )
            task.add_request("the left one")
            await cellar.async_save_working(task)
            task.add_reply("Done.", TaskState.COMPLETED)
        async with kitchen.async_open("talk") as task:
            assert task.metadata["follows"] == question.id
            assert task.history[-1].content == "Done."
    for home in homes:
        await home.async_close()


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """Give Home Assistant a folder of its own."""
    return hass_tmp_config_dir


async def test_200_conversations_at_once_have_nothing_to_do_with_each_other(
    hass: HomeAssistant,
) -> None:
    broken: list[str] = []
    day = timedelta(hours=24)
    store = HomeAssistantTaskStore(hass, "crowd", day, broken.append)
    conversations = kept_by(store)
    await conversations.async_start()
    sessions: list[chat_session.ChatSession] = []

    async def talk(number: int) -> None:
        name = f"talk {number}"
        with session(name) as chat:
            sessions.append(chat)
            for turn in range(5):
                async with conversations.async_open(name) as task:
                    assert task.session_id == name
                    heard = [message.content for message in task.history]
                    assert heard == [f"{number} {past}" for past in range(turn) for _ in "ua"]
                    task.add_request(f"{number} {turn}")
                    if turn % 2:
                        await conversations.async_save_working(task)
                    await asyncio.sleep(0)
                    state = TaskState.COMPLETED if turn % 2 else TaskState.INPUT_REQUIRED
                    task.add_reply(f"{number} {turn}", state)

    async with asyncio.timeout(30):
        await asyncio.gather(*(talk(number) for number in range(200)))
    assert len(conversations._conversations) == 200
    for chat in sessions:
        chat.async_cleanup()
    assert not conversations._conversations
    gc.collect()
    assert not [found for found in gc.get_objects() if isinstance(found, module._Conversation)]
    await conversations.async_close()
    again = HomeAssistantTaskStore(hass, "crowd", day, broken.append)
    loaded = await again.async_load()
    assert {task.session_id for task in loaded} == {f"talk {number}" for number in range(200)}
    assert all(task.state is TaskState.INPUT_REQUIRED for task in loaded)
    await again.async_close()
    assert broken == []


# What may happen to a conversation, in any order.
TURNS = st.sampled_from(
    [
        "done", "asks", "fails", "says nothing", "hears nothing", "breaks", "breaks at once",
        "breaks after asking", "is canceled", "is canceled later", "works", "supersedes",
        "is canceled by its own script", "forgets itself", "forgets all",
    ]
)  # fmt: skip
EVENTS = st.tuples(st.sampled_from("abc"), TURNS) | st.tuples(
    st.sampled_from("abc"),
    st.sampled_from(["cancel", "forget", "session ends", "restart", "away", "back", "adopt"]),
)


class Storm:
    """Conversations to which anything happens."""

    def __init__(self, *, shared: bool, pause: int) -> None:
        self.store = Notebook(shared=shared, pause=pause)
        self.conversations = Conversations(self.store, "one")
        self.sessions: dict[str, chat_session.ChatSession] = {}

    async def happen(self, name: str, event: str) -> None:
        """Let one thing happen to a conversation."""
        conversations = self.conversations
        match event:
            case "cancel":
                await conversations.async_cancel(name)
            case "forget":
                await self.forget(name)
            case "session ends":
                if found := self.sessions.pop(name, None):
                    found.async_cleanup()
            case "away" | "back":
                self.store.is_reachable = event == "back"
            case "adopt":
                async with conversations.async_open(f"{name} again", name) as task:
                    assert task.session_id == f"{name} again"
            case _:
                await self.take_turn(name, event)

    async def restart(self) -> None:
        """Begin anew with what is in the store."""
        self.conversations = Conversations(self.store, "one")
        await self.conversations.async_start()

    async def forget(self, name: str | None) -> None:
        """Forget, where the store can be reached."""
        reachable = self.store.is_reachable
        try:
            await self.conversations.async_forget(name)
        except StoreUnavailableError:
            assert not reachable

    async def take_turn(self, name: str, event: str) -> None:
        """Take a turn as it may go, and see that it is one and over."""
        conversations, running = self.conversations, asyncio.current_task()
        chat = self.sessions.setdefault(name, chat_session.ChatSession(name))
        chat_session.current_session.set(chat)
        assert running
        try:
            async with conversations.async_open(name) as task:
                assert task.session_id == name
                began = task.state
                assert began in {TaskState.SUBMITTED, TaskState.INPUT_REQUIRED}
                await self.say(conversations, task, event)
                if event == "is canceled later":
                    asyncio.get_running_loop().call_soon(running.cancel)
            assert task.state is not TaskState.WORKING
        except TransitionError:
            raise
        except (RuntimeError, asyncio.CancelledError) as err:
            # Nothing breaks but what was to break.
            assert event.startswith(("breaks", "is canceled")), err  # noqa: PT017
        # Home Assistant keeps the session of the turn that ended last.
        self.sessions[name] = chat
        with suppress(asyncio.CancelledError):
            # Where it comes too late for the turn.
            await asyncio.sleep(0.001)

    async def say(self, conversations: Conversations, task: TaskContext, event: str) -> None:
        """Say and hear what is said and heard in a turn."""
        if event == "breaks at once":
            raise RuntimeError
        if event == "hears nothing":
            return
        if event == "supersedes" and task.state is TaskState.INPUT_REQUIRED:
            task = conversations.supersede(task, "Something else.")
        task.add_request("turn on the lamp")
        await asyncio.sleep(0)
        match event:
            case "says nothing":
                return
            case "breaks":
                raise RuntimeError
            case "is canceled":
                raise asyncio.CancelledError
            case "is canceled by its own script":
                await conversations.async_cancel(task.session_id)
            case "forgets itself" | "forgets all":
                await self.forget(task.session_id if event == "forgets itself" else None)
            case "works":
                await conversations.async_save_working(task)
        asks = event.endswith(("asks", "asking", "later", "script"))
        end = TaskState.FAILED if event == "fails" else TaskState.COMPLETED
        task.add_reply("So.", TaskState.INPUT_REQUIRED if asks else end)
        if event == "breaks after asking":
            raise RuntimeError


def reachable(start: TaskState) -> set[TaskState]:
    """Return the states that may follow one, at once or later."""
    found: set[TaskState] = set()
    waiting = [start]
    while waiting:
        for state in TRANSITIONS[waiting.pop()] - found:
            found.add(state)
            waiting.append(state)
    return found


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rounds=st.lists(st.lists(EVENTS, min_size=1, max_size=4), max_size=8),
    shared=st.booleans(),
    pause=st.integers(0, 3),
)
@example(rounds=[[("a", "asks")], [("a", "works"), ("a", "cancel")]], shared=True, pause=3)
@example(
    rounds=[[("a", "done")], [("a", "forgets all"), ("b", "hears nothing"), ("b", "adopt")]],
    shared=True,
    pause=1,
)
async def test_any_sequence_of_events_keeps_the_state_machine_legal(
    rounds: list[list[tuple[str, str]]], *, shared: bool, pause: int
) -> None:
    storm = Storm(shared=shared, pause=pause)
    for events in rounds:
        async with asyncio.timeout(10):
            ended = await asyncio.gather(
                *(asyncio.create_task(storm.happen(*e)) for e in events if e[1] != "restart"),
                return_exceptions=True,
            )
        for error in ended:
            if isinstance(error, BaseException):
                raise error
        if any(event == "restart" for _, event in events):
            await storm.restart()
    saved = defaultdict(list)
    for task_id, state, _ in storm.store.saved:
        saved[task_id].append(state)
    for path in saved.values():
        assert all(
            after == before or after in reachable(before) for before, after in pairwise(path)
        )
    for chat in storm.sessions.values():
        chat.async_cleanup()
    assert not storm.conversations._conversations
    if not any(event == "away" for events in rounds for _, event in events):
        # Where nothing could be forgotten a turn may leave what was kept of it before.
        states = {decode(text).state for text in storm.store.kept.values()}
        assert states <= {TaskState.INPUT_REQUIRED, *(s for s in TaskState if not TRANSITIONS[s])}
        # Beside the newest of a session nothing waits for anybody.
        assert all(decode(text).is_over for text in storm.store.beside.values())

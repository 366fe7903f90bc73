"""Tasks in a real Redis: kept, shared, and not lost while it is away."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
import json
import logging
from pathlib import Path
import socket
import ssl
import time
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from homeassistant.core import HomeAssistant
import pytest
from redis import Redis

from custom_components.bellboard.memory import redis_store
from custom_components.bellboard.memory.models import StoreUnavailableError, TaskContext, TaskState
from custom_components.bellboard.memory.redis_store import RedisTaskStore, async_create_redis_store
from tests.memory.conftest import RedisServer, StartRedis, asked, async_check_redis, finished

DAY = timedelta(hours=24)

type Open = Callable[..., Awaitable[RedisTaskStore]]


@pytest.fixture
def told() -> list[str]:
    """Return what the stores of a test told of Redis."""
    return []


@pytest.fixture
async def open_store(
    hass: HomeAssistant, redis: RedisServer, told: list[str]
) -> AsyncGenerator[Open]:
    """Return a function that opens a store in the running Redis, as each Home Assistant has one."""
    async with AsyncExitStack() as stack:

        async def open_store(url: str = redis.url, ttl: timedelta = DAY) -> RedisTaskStore:
            store = await async_create_redis_store(
                hass,
                url,
                ttl,
                on_unavailable=lambda reason: told.append(f"gone: {reason}"),
                on_available=lambda: told.append("back"),
            )
            stack.push_async_callback(store.async_close)
            return store

        yield open_store


@pytest.fixture
def inside(redis: RedisServer) -> Redis:
    """Return a client that looks into the running Redis."""
    return Redis(port=redis.port)


def self_signed(folder: Path) -> Path:
    """Return the file of a key and a certificate that vouches for itself and 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "redis")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "redis.pem"
    pem = serialization.Encoding.PEM
    private = serialization.PrivateFormat.PKCS8
    path.write_bytes(
        key.private_bytes(pem, private, serialization.NoEncryption())
        + certificate.public_bytes(pem)
    )
    return path


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something to come true."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 -- another process makes it true
            await asyncio.sleep(0.02)


async def test_a_task_is_kept_as_the_contract_says(open_store: Open, inside: Redis) -> None:
    store = await open_store(ttl=timedelta(hours=2))
    assert await store.async_load() == []
    task = asked(note="kept")
    await store.async_save(task, durable=True)
    assert json.loads(inside.get(f"task:{task.id}") or b"") == task.as_json()
    assert inside.get("session:talk") == task.id.encode()
    for key in (f"task:{task.id}", "session:talk"):
        assert 7190 <= int(inside.ttl(key)) <= 7200
    assert await store.async_get("talk") == task
    assert await store.async_get("another") is None


async def test_a_session_has_its_newest_task_and_those_before_it_by_their_ids(
    open_store: Open, inside: Redis
) -> None:
    store = await open_store()
    first = finished()
    await store.async_save(first, durable=True)
    second = first.following()
    second.add_request("and the other one")
    await store.async_save(second, durable=True)
    assert await store.async_get("talk") == second
    tasks = {f"task:{task.id}".encode() for task in (first, second)}
    noted = {b"session:talk", b"bellboard:beside:talk", b"bellboard:beside"}
    assert set(inside.keys()) == tasks | noted
    assert all(0 < int(inside.ttl(key)) <= 86_400 for key in tasks | noted)
    again = await open_store()
    assert await again.async_load() == [second]
    assert await again.async_get_task(first.id) == first
    assert await again.async_get_task("x" * 300) is None
    inside.set("task:other", json.dumps(first.as_json()))
    assert await again.async_get_task("other") is None
    inside.delete("task:other")
    waits = TaskContext.submitted(session_id="talk")
    await store.async_save(waits, durable=True, beside=True)
    assert await again.async_get("talk") == second
    assert {task.id for task in await again.async_load()} == {second.id, waits.id}
    # It takes all along where it goes on under another id, and is forgotten with all of it.
    moved = second.model_copy(update={"session_id": "more"})
    await store.async_move(moved, "talk")
    assert await again.async_get("talk") is None
    assert await again.async_get("more") == moved
    assert await again.async_get_task(first.id) == first
    assert await store.async_forget("more") == 1
    assert not inside.keys()


async def test_what_is_kept_beside_is_bounded(
    open_store: Open, inside: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_store, "MAX_BESIDE", 3)
    monkeypatch.setattr(redis_store, "MAX_BESIDE_IN_ALL", 4)
    store = await open_store()

    async def save(name: str, number: int) -> list[str]:
        saved = [finished(name, n=n) for n in range(number)]
        for task in saved:
            now = next(clock)
            monkeypatch.setattr(time, "time", lambda now=now: now)
            await store.async_save(task, durable=True)
        return [task.id for task in saved]

    async def kept(ids: list[str]) -> list[int]:
        return [place for place, each in enumerate(ids) if await store.async_get_task(each)]

    clock = iter(range(1_800_000_000, 1_800_001_000))
    a = await save("a", 6)
    assert await kept(a) == [2, 3, 4, 5]
    b = await save("b", 3)
    assert await kept(a) == [3, 4, 5]
    assert await kept(b) == [0, 1, 2]
    monkeypatch.setattr(redis_store, "MAX_BESIDE_BYTES", 10)
    last = await save("b", 1)
    assert await kept([*b, *last]) == [3]
    assert inside.lrange("bellboard:beside:b", 0, -1) == []
    # What somebody else keeps there is left alone, and stops nothing.
    inside.set("bellboard:beside:a", "words")
    await save("a", 2)
    assert inside.get("bellboard:beside:a") == b"words"
    assert await store.async_get("a")


async def test_what_followed_while_redis_was_away_is_found_by_its_id(
    open_store: Open, redis: RedisServer, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_store, "MAX_HELD", 3)
    store = await open_store()
    other = finished("other")
    redis.stop()
    await store.async_save(other, durable=True)
    tasks = [finished()]
    for _ in range(3):
        await store.async_save(tasks[-1], durable=True)
        tasks.append(tasks[-1].following())
        tasks[-1].add_request("and the next one")
        tasks[-1].add_reply("Done.", TaskState.COMPLETED)
    await store.async_save(tasks[-1], durable=True)
    assert await store.async_get("talk") == tasks[-1]
    # The newest of a session is held longest.
    assert await store.async_get("other") == other
    assert await store.async_get_task(tasks[-2].id) == tasks[-2]
    redis.start()
    await until(lambda: told[1:] == ["back"])
    again = await open_store()
    assert await again.async_get("talk") == tasks[-1]
    assert await again.async_get_task(tasks[-2].id) == tasks[-2]


async def test_tasks_expire(open_store: Open) -> None:
    store = await open_store(ttl=timedelta(seconds=1))
    await store.async_save(asked(), durable=True)
    assert await store.async_get("talk")
    await asyncio.sleep(1.2)
    assert await store.async_get("talk") is None


async def test_what_is_saved_for_soon_is_there_soon(
    hass: HomeAssistant, open_store: Open, inside: Redis
) -> None:
    store = await open_store()
    tasks = [asked(f"talk {number}") for number in range(250)]
    for task in tasks:
        await store.async_save(task, durable=False)
    assert await store.async_get("talk 7") == tasks[7]
    await hass.async_block_till_done()
    assert int(inside.dbsize()) == 500
    assert not store._held
    loaded = await (await open_store()).async_load()
    assert {task.id for task in loaded} == {task.id for task in tasks}


async def test_two_homes_share_conversations(open_store: Open) -> None:
    one, other = await open_store(), await open_store()
    task = asked()
    await one.async_save(task, durable=True)
    found = await other.async_get("talk")
    assert found == task
    found.add_request("the floor lamp")
    found.add_reply("I turned it on.", TaskState.COMPLETED)
    await other.async_save(found, durable=True)
    assert await one.async_get("talk") == found


async def test_a_store_forgets_a_session_or_all_and_nothing_of_others(
    open_store: Open, inside: Redis
) -> None:
    store = await open_store()
    inside.set("task:of-another-program", "7")
    inside.set("task:list", json.dumps({"id": "something else"}))
    inside.hset("task:hash", "id", "x")
    inside.set("session:visitor", "a cookie")
    inside.set("session:list", "list")
    inside.hset("session:hash", "id", "x")
    inside.set("light", "on")
    foreign = set(inside.keys())
    for name in "abc":
        await store.async_save(asked(name), durable=True)
    # One that is not the newest of its session, as when two homes took a turn at once.
    left = asked("c")
    inside.set(f"task:{left.id}", json.dumps(left.as_json()))
    assert {task.session_id for task in await store.async_load()} == {"a", "b", "c"}
    assert await store.async_forget("a") == 1
    assert await store.async_forget("a") == 0
    for name in ("visitor", "list", "hash"):
        assert await store.async_get(name) is None
        assert await store.async_forget(name) == 0
    assert await store.async_forget() == 2
    assert set(inside.keys()) == foreign


async def test_what_redis_has_for_a_task_may_be_anything(open_store: Open, inside: Redis) -> None:
    store = await open_store()
    task = asked()
    for content in ("", "[]", "{", "\xff", '{"id": 7}'):
        inside.set("session:talk", task.id)
        inside.set(f"task:{task.id}", content.encode("latin-1"))
        assert await store.async_load() == []
        assert await store.async_get("talk") is None
    await store.async_save(task, durable=True)
    assert await store.async_get("talk") == task


async def test_while_redis_is_away_nothing_is_lost(
    open_store: Open,
    redis: RedisServer,
    told: list[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "custom_components.bellboard.memory")
    store = await open_store()
    before = asked("before")
    await store.async_save(before, durable=True)
    redis.stop()
    began = time.monotonic()
    task = asked()
    await store.async_save(task, durable=True)
    assert await store.async_get("talk") == task
    task.add_request("the floor lamp")
    task.add_reply("I turned it on.", TaskState.COMPLETED)
    await store.async_save(task, durable=True)
    assert await store.async_get("talk") == task
    # What only Redis knows cannot be had just now.
    assert await store.async_get("before") is None
    # Refused connections are noticed at once, and Redis is not asked again for each turn.
    assert time.monotonic() - began < 1
    assert len(told) == 1
    assert told[0].startswith(f"gone: 127.0.0.1:{redis.port}: ")
    redis.start()
    await until(lambda: len(told) == 2)
    assert told[1] == "back"
    assert await store.async_get("before") == before
    assert await (await open_store()).async_get("talk") == task
    logged = [record.getMessage() for record in caplog.records]
    assert [line.split(",")[0].split(" at ")[0] for line in logged] == [
        "Redis cannot be reached",
        "Redis",
    ]


async def test_a_redis_that_does_not_answer_is_not_waited_for(
    open_store: Open, redis: RedisServer, told: list[str]
) -> None:
    store = await open_store()
    task = asked()
    await store.async_save(task, durable=True)
    redis.freeze()
    began = time.monotonic()
    assert await store.async_get("talk") is None
    assert 0.9 < time.monotonic() - began < 2
    assert "does not answer" in told[0]
    began = time.monotonic()
    task.add_request("the floor lamp")
    await store.async_save(task, durable=True)
    assert await store.async_get("talk") == task
    assert time.monotonic() - began < 0.2
    redis.thaw()
    await until(lambda: told[1:] == ["back"])
    assert await (await open_store()).async_get("talk") == task


async def test_a_redis_that_takes_nothing_is_not_there(
    open_store: Open, inside: Redis, told: list[str]
) -> None:
    """It answers, but is full: it is back when it takes what is held."""
    store = await open_store()
    inside.config_set("maxmemory", "1")
    task = asked()
    await store.async_save(task, durable=True)
    assert len(told) == 1
    await asyncio.sleep(1.2)
    assert len(told) == 1
    inside.config_set("maxmemory", "0")
    await until(lambda: told[1:] == ["back"])
    assert inside.get("session:talk") == task.id.encode()


async def test_redis_may_be_away_at_the_start(
    open_store: Open, redis: RedisServer, told: list[str]
) -> None:
    redis.stop()
    store = await open_store()
    assert await store.async_load() == []
    await store.async_save(asked(), durable=True)
    assert len(told) == 1
    redis.start()
    await until(lambda: len(told) == 2)
    assert await (await open_store()).async_get("talk")


async def test_an_idle_connection_that_was_closed_is_no_outage(
    open_store: Open, inside: Redis, told: list[str]
) -> None:
    store = await open_store()
    await store.async_save(asked(), durable=True)
    for _ in range(3):
        inside.client_kill_filter(_type="normal", skipme=True)
        assert await store.async_get("talk")
    assert told == []


async def test_what_was_held_gives_way_to_what_another_home_did(
    open_store: Open, redis: RedisServer, told: list[str], inside: Redis
) -> None:
    """One home answers in memory while it cannot reach Redis, the other one later and for real."""
    store = await open_store()
    task = asked()
    await store.async_save(task, durable=True)
    task = TaskContext.model_validate(task.as_json())
    redis.stop()
    task.add_request("the floor lamp")
    task.add_reply("I turned it on.", TaskState.COMPLETED)
    await store.async_save(task, durable=True)
    await store.async_save(asked("other"), durable=True)
    assert len(told) == 1
    await asyncio.sleep(0.01)
    later = asked()
    redis.start()
    inside.set(f"task:{later.id}", json.dumps(later.as_json()))
    inside.set("session:talk", later.id)
    await until(lambda: len(told) == 2)
    assert await store.async_get("talk") == later
    assert await store.async_get("other")


async def test_what_is_held_is_bounded(
    open_store: Open, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_store, "MAX_HELD", 3)
    store = await open_store()
    redis.stop()
    for name in "abcde":
        await store.async_save(asked(name), durable=True)
    assert [name for name in "abcde" if await store.async_get(name)] == ["c", "d", "e"]


async def test_nothing_can_be_forgotten_while_redis_is_away(
    open_store: Open, redis: RedisServer
) -> None:
    store = await open_store()
    redis.stop()
    await store.async_save(asked(), durable=True)
    for session_id in ("talk", None):
        with pytest.raises(StoreUnavailableError):
            await store.async_forget(session_id)
    assert await store.async_get("talk") is None


async def test_what_is_still_to_be_written_is_written_at_the_end(
    open_store: Open, inside: Redis
) -> None:
    store = await open_store()
    await store.async_save(asked("a"), durable=False)
    await store.async_close()
    await store.async_save(asked("b"), durable=True)
    assert inside.exists("session:a")
    assert not inside.exists("session:b")


async def test_what_cannot_be_written_at_the_end_is_told(
    open_store: Open, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    store = await open_store()
    redis.stop()
    await store.async_save(asked("a"), durable=True)
    await store.async_close()
    assert "1 conversations are lost" in caplog.text


async def test_a_password_is_used_and_never_told(
    hass: HomeAssistant,
    open_store: Open,
    start_redis: StartRedis,
    told: list[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server = start_redis("--requirepass", "the-secret-of-the-house")
    url = f"redis://:{{}}@127.0.0.1:{server.port}/2"
    await async_check_redis(hass, url.format("the-secret-of-the-house"))
    store = await open_store(url.format("the-secret-of-the-house"))
    await store.async_save(asked(), durable=True)
    assert told == []
    server.stop()
    await store.async_get("talk")
    with pytest.raises(StoreUnavailableError) as wrong:
        await async_check_redis(hass, url.format("the-secret-of-the-house"))
    server.start()
    for password in ("a-wrong-secret", ""):
        with pytest.raises(StoreUnavailableError):
            await async_check_redis(hass, url.format(password))
    assert told
    for secret in ("the-secret", "a-wrong-secret"):
        assert secret not in f"{told} {wrong.value!r} {caplog.text}"


async def test_certificates_are_checked_and_read_once(
    hass: HomeAssistant,
    open_store: Open,
    start_redis: StartRedis,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    certificate = self_signed(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start_redis(
        *("--tls-port", str(port), "--tls-auth-clients", "no"),
        *("--tls-cert-file", str(certificate), "--tls-key-file", str(certificate)),
    )
    read = 0
    create = ssl.create_default_context

    def counted(*arguments: Any, **options: Any) -> ssl.SSLContext:
        nonlocal read
        read += 1
        return create(*arguments, **options)

    monkeypatch.setattr(ssl, "create_default_context", counted)
    store = await open_store(f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificate}")
    await asyncio.gather(*(store.async_get(f"talk {number}") for number in range(20)))
    assert await store.async_forget("talk") == 0
    assert read == 1
    with pytest.raises(StoreUnavailableError):
        await async_check_redis(hass, f"rediss://127.0.0.1:{port}")
    await async_check_redis(hass, f"rediss://127.0.0.1:{port}?ssl_cert_reqs=none")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:6379",
        "http://127.0.0.1",
        "redis://127.0.0.1:many",
        "redis://127.0.0.1?colour=red",
        "rediss://127.0.0.1?ssl_ca_certs=/nowhere.pem",
        "rediss://127.0.0.1?ssl_cert_reqs=perhaps",
    ],
)
async def test_a_url_that_is_none_is_refused(hass: HomeAssistant, url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        await async_check_redis(hass, url)


async def test_a_host_that_is_none_cannot_be_reached(hass: HomeAssistant) -> None:
    for url in (f"redis://{'x' * 70}.invalid", "redis://a..b"):
        with pytest.raises(StoreUnavailableError):
            await async_check_redis(hass, url)

"""Tables whose cases are tried one after the other in one house, as it is described at the start of each.

A house takes longer to set up than most of what is said in it. Where nothing depends on a fresh
Home Assistant, `in_one_house` stands in place of `pytest.mark.parametrize`; a case that fails is
told by its values, and the others are tried all the same.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import wraps
import inspect
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EVENT_CALL_SERVICE, EVENT_STATE_CHANGED
from homeassistant.core import Event, HomeAssistant, callback
import pytest

from tests.conftest import async_speaking
from tests.harness.home import async_restore

# What tells something of the house, and is not of it.
_TOLD = ("calendar.bellboard_", "conversation.", "event.", "sensor.")

type Test = Callable[..., Awaitable[None]]


def in_one_house(
    names: str | Sequence[str],
    cases: Iterable[Any],
    *,
    ids: Iterable[str] | Callable[[Any], str] = str,
) -> Callable[[Test], Test]:
    """Try a test with each case of a table in the same house; the arguments are those of parametrize.

    A case begins with all devices as they are described, with no assistant and an empty log; what it
    changes in a registry stays, and so would a timer. What a test takes beside the case are fixtures,
    all but `speak` the same for each.
    """
    columns = [names] if isinstance(names, str) else [*names]
    table = [case if len(columns) > 1 else (case,) for case in cases]
    labels = ["-".join(map(ids, row)) for row in table] if callable(ids) else [*ids]
    rows = [
        (label, dict(zip(columns, row, strict=True)))
        for label, row in zip(labels, table, strict=True)
    ]

    def in_the_house(test: Test) -> Test:
        taken = inspect.signature(test).parameters
        fixtures = {*taken} - {*columns, "speak"}

        @wraps(test)
        async def try_all(subtests: pytest.Subtests, **given: Any) -> None:
            hass, house = given["hass"], given["house"]
            values = {name: given[name] for name in fixtures}
            for label, row in rows:
                if "caplog" in given:
                    given["caplog"].clear()
                with subtests.test(label):
                    async with AsyncExitStack() as stack:
                        await stack.enter_async_context(_as_it_was(hass, house))
                        if "speak" in taken:
                            values["speak"] = await stack.enter_async_context(async_speaking(hass))
                        await test(**values, **row)

        wanted = sorted({*fixtures, "hass", "house", "subtests"})
        kind = inspect.Parameter.KEYWORD_ONLY
        vars(try_all)["__signature__"] = inspect.Signature(
            [inspect.Parameter(name, kind) for name in wanted]
        )
        return try_all

    return in_the_house


@asynccontextmanager
async def _as_it_was(hass: HomeAssistant, house: ConfigEntry) -> AsyncGenerator[None]:
    """Bring the house back to how it is described, and take out what was set up beside it."""
    touched = False

    @callback
    def async_note(event: Event[Any]) -> None:
        nonlocal touched
        touched |= not str(event.data.get("entity_id", "")).startswith(_TOLD)

    known = {entry.entry_id for entry in hass.config_entries.async_entries()}
    listening = [
        hass.bus.async_listen(event, async_note)
        for event in (EVENT_CALL_SERVICE, EVENT_STATE_CHANGED)
    ]
    try:
        yield
    finally:
        await hass.async_block_till_done()
        for stop in listening:
            stop()
        for entry in hass.config_entries.async_entries():
            if entry.entry_id not in known:
                await hass.config_entries.async_remove(entry.entry_id)
        if touched:
            await async_restore(hass, house)
        await hass.async_block_till_done()

"""The assistant's forms: added to a connection, changed and removed."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import device_registry as dr
import pytest

from custom_components.bellboard.const import DOMAIN
from tests.conftest import Serve
from tests.forms import (
    aborted,
    add_assistant,
    agents,
    change_assistant,
    options,
    set_up,
    shown,
    submit,
    suggested,
)
from tests.servers import Fault

pytestmark = pytest.mark.usefixtures("assist")


async def test_an_assistant_is_added_changed_and_removed(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve(names=["large", "small"])
    entry = await set_up(hass, "openai", url=server.url)

    form = shown(await add_assistant(hass, entry), "user")
    assert set(options(form, "model")) == {"large", "small"}
    answers = {"model": "small", "timeout": 5, "confidence_threshold": 0.4}
    result = await submit(hass, form, name="Butler", **answers)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert set(agents(hass, entry).values()) == {"Bellboard", "Butler"}
    butler = next(sub for sub in entry.subentries.values() if sub.title == "Butler")
    assert butler.data == answers
    assistant = entry.runtime_data.assistants[butler.subentry_id]
    assert (assistant.timeout, assistant.threshold) == (5, 0.4)
    assert assistant.model.model == "small"

    flow = await change_assistant(hass, entry, butler.subentry_id)
    form = shown(flow, "reconfigure")
    assert suggested(form) == {"name": "Butler", **answers}
    changed = {"model": "large", "timeout": 60, "confidence_threshold": 0}
    aborted(await submit(hass, form, name="Jeeves", **changed), "reconfigure_successful")
    assistant = entry.runtime_data.assistants[butler.subentry_id]
    assert (assistant.timeout, assistant.threshold) == (60, 0)
    assert assistant.model.model == "large"
    device = dr.async_get(hass).async_get_device_by_identifier(
        (DOMAIN, butler.subentry_id), entry.entry_id
    )
    assert device
    assert (device.name, device.model) == ("Jeeves", "large")
    assert set(agents(hass, entry).values()) == {"Bellboard", "Jeeves"}

    assert hass.config_entries.async_remove_subentry(entry, butler.subentry_id)
    await hass.async_block_till_done()
    assert agents(hass, entry) == {"conversation.bellboard": "Bellboard"}
    assert not dr.async_get(hass).async_get(device.id)
    assert butler.subentry_id not in entry.runtime_data.assistants


async def test_without_a_model_an_assistant_has_only_a_name(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    form = shown(await add_assistant(hass, entry), "user")
    assert [str(field) for field in form["data_schema"].schema] == ["name"]
    result = await submit(hass, form, name="Porter")
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert set(agents(hass, entry).values()) == {"Bellboard", "Porter"}


@pytest.mark.parametrize(
    ("fault", "error"),
    [(Fault("stopped"), "unreachable"), (Fault.of_status(401), "authentication")],
    ids=["stopped", "refused"],
)
async def test_an_assistant_keeps_its_model_while_the_server_cannot_be_asked(
    hass: HomeAssistant, serve: Serve, fault: Fault, error: str
) -> None:
    server = await serve(names=["large", "small"])
    entry = await set_up(hass, "openai", url=server.url)
    await server.suffer(fault)
    (subentry_id,) = entry.subentries
    flow = await change_assistant(hass, entry, subentry_id)
    form = shown(flow, "reconfigure", errors={"base": error})
    assert options(form, "model") == ["large"]
    answers = {"model": "large", "timeout": 3, "confidence_threshold": 0.5}
    aborted(await submit(hass, form, name="Bellboard", **answers), "reconfigure_successful")
    assert entry.subentries[subentry_id].data == answers


async def test_a_model_the_server_no_longer_lists_stays_chosen(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(names=["large"])
    entry = await set_up(hass, "openai", url=server.url)
    server.model.names = ["newer"]
    (subentry_id,) = entry.subentries
    form = shown(await change_assistant(hass, entry, subentry_id), "reconfigure")
    assert set(options(form, "model")) == {"large", "newer"}
    assert suggested(form)["model"] == "large"


@pytest.mark.parametrize(
    "wrong", [{"timeout": 0}, {"timeout": 121}, {"confidence_threshold": 1.1}, {"model": None}]
)
async def test_values_out_of_range_are_refused(
    hass: HomeAssistant, serve: Serve, wrong: dict[str, Any]
) -> None:
    entry = await set_up(hass, "openai", url=(await serve()).url)
    form = shown(await add_assistant(hass, entry), "user")
    answers = {"name": "A", "model": "m", "timeout": 9, "confidence_threshold": 0.5}
    with pytest.raises(InvalidData):
        await submit(hass, form, **(answers | wrong))


async def test_an_assistant_of_a_connection_that_is_not_loaded_waits(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    assert await hass.config_entries.async_unload(entry.entry_id)
    aborted(await add_assistant(hass, entry), "entry_not_loaded")
    (subentry_id,) = entry.subentries
    aborted(await change_assistant(hass, entry, subentry_id), "entry_not_loaded")

"""The assistant's forms: added to a connection, changed and removed."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.assistant_form import option_groups
from custom_components.bellboard.const import DOMAIN, SUBENTRY_ASSISTANT
from custom_components.bellboard.options import AssistantOptions, Options
from tests.conftest import Serve
from tests.forms import (
    Form,
    aborted,
    add_assistant,
    agents,
    change_assistant,
    filled,
    options,
    sections,
    set_up,
    shown,
    submit,
    suggested,
)
from tests.servers import Fault

pytestmark = pytest.mark.usefixtures("assist")

# For every option a value that is not its default.
CHANGED: dict[str, Any] = {
    "timeout": 5.5,
    "requests_per_minute": 30,
    "debug_text": True,
    "router": {
        "chat_client_key": "another",
        "confidence_threshold": 0.4,
        "call_timeout_ms": 20000,
        "max_attempts": 10,
        "temperature": 0,
        "max_output_tokens": 4096,
        "system_prompt": "Choose among:\n{catalog}",
        "user_prompt_template": "{request}\n{1}",
        "agent_catalog_header": "Staff",
        "include_agent_capabilities": False,
        "include_skill_examples": False,
        "clarification_agent_id": "asking-agent",
        "clarification_prompt_template": "Did you mean {agent} by {{{request}}}?",
        "fallback_agent_id": "general-agent",
        "fallback_reason_template": "Because of {reason}.",
        "escalation_key": "another",
        "use_history": False,
        "learn_from_success": True,
        "learn_decisions": False,
        "trial_share": 15,
        "trial_model": "tried",
        "trial_prompt": "Try among {0}",
    },
    "workflow": {
        "frequency": "once",
        "strategy": "gatekeeper",
        "max_iterations": 3,
        "temperature": 0.4,
        "gatekeeper_url": "http://127.0.0.1:1/gatekeeper",
        "gatekeeper_timeout_ms": 700,
        "gatekeeper_retry_attempts": 0,
        "gatekeeper_token": "a-token",
        "gatekeeper_secret": "a-secret",
    },
    "dispatch": {
        "default_timeout_ms": 300000,
        "max_retries": 0,
        "retry_delay_ms": 0,
        "enable_telemetry": False,
        "parallel": True,
    },
    "aggregation": {
        "default_fallback_message": "Oh dear.",
        "partial_failure_template": "{successMessage} But {failureMessage}",
        "enable_natural_language_joining": False,
    },
    "memory": {
        "task_context_ttl": 720,
        "max_clarifications": 1,
        # Nobody answers there, which stops nothing.
        "redis_url": "redis://127.0.0.1:1/3",
    },
    "scope": {
        "rules": [
            {
                "agents": ["music-agent"],
                "intents": ["HassMediaPause"],
                "areas": ["kitchen"],
                "satellites": ["assist_satellite.kitchen"],
                "users": ["somebody"],
                "after": "07:00",
                "before": "22:30",
                "share": 50,
            }
        ]
    },
    "telemetry": {
        "event_bus": False,
        "sqlite": True,
        "sqlite_max_mb": 1000,
        "sqlite_keep": 0,
        "spans": True,
        "reveal_text": True,
        "redacted_parameters": "brightness, code",
    },
}


def assistant_data(entry: ConfigEntry, title: str = "Bellboard") -> Mapping[str, Any]:
    """Return what the subentry of this title keeps."""
    return next(sub.data for sub in entry.subentries.values() if sub.title == title)


async def change(hass: HomeAssistant, entry: ConfigEntry) -> Form:
    """Open the form that changes an entry's only assistant."""
    (subentry_id,) = entry.subentries
    return shown(await change_assistant(hass, entry, subentry_id), "reconfigure")


async def save(hass: HomeAssistant, form: Form, **answers: Any) -> None:
    """Save a form that changes an assistant."""
    aborted(await submit(hass, form, **filled(form, **answers)), "reconfigure_successful")


def section_kinds(form: Form) -> dict[str, Any]:
    """Return the sections of a form by name."""
    return {
        str(field): kind
        for field, kind in form["data_schema"].schema.items()
        if str(field) in option_groups()
    }


async def test_an_assistant_is_added_changed_and_removed(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve(names=["large", "small"])
    entry = await set_up(hass, "openai", url=server.url)

    form = shown(await add_assistant(hass, entry), "user")
    assert set(options(form, "model")) == {"large", "small"}
    answers = {"model": "small", "timeout": 5, "router": {"confidence_threshold": 0.4}}
    result = await submit(hass, form, **filled(form, name="Butler", **answers))
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert set(agents(hass, entry).values()) == {"Bellboard", "Butler"}
    butler = next(sub for sub in entry.subentries.values() if sub.title == "Butler")
    assert butler.data == answers
    assert entry.runtime_data.assistants[butler.subentry_id].model.model == "small"

    flow = await change_assistant(hass, entry, butler.subentry_id)
    form = shown(flow, "reconfigure")
    assert suggested(form)["name"] == "Butler"
    changed = {"model": "large", "timeout": 60, "router": {"confidence_threshold": 0}}
    await save(hass, form, name="Jeeves", **changed)
    assert butler.data == changed
    assert entry.runtime_data.assistants[butler.subentry_id].model.model == "large"
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


async def test_every_option_is_asked_with_its_default(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = shown(await add_assistant(hass, entry), "user")
    top = {"name": "Bellboard", "restore_defaults": False}
    expected = AssistantOptions().model_dump(mode="json") | top
    del expected["model"]
    expected["router"] |= {"chat_client_key": "own", "escalation_key": "none"}
    assert filled(form) == expected
    assert sections(form).keys() == option_groups().keys()
    assert all(kind.options["collapsed"] for kind in section_kinds(form).values())


def test_the_changed_values_are_all_options_and_no_defaults() -> None:
    defaults = AssistantOptions().model_dump(mode="json")
    assert CHANGED.keys() == defaults.keys() - {"model"}
    for name, value in CHANGED.items():
        if name in option_groups():
            assert value.keys() == defaults[name].keys()
            assert not [key for key in value if value[key] == defaults[name][key]]
        else:
            assert value != defaults[name]


async def test_a_browser_gets_the_form_and_sends_it(
    hass: HomeAssistant, serve: Serve, hass_client: ClientSessionGenerator
) -> None:
    assert await async_setup_component(hass, "config", {})
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    client = await hass_client()
    flows = "/api/config/config_entries/subentries/flow"
    response = await client.post(flows, json={"handler": [entry.entry_id, SUBENTRY_ASSISTANT]})
    form = await response.json()
    fields = {field["name"]: field for field in form["data_schema"]}
    assert [name for name, field in fields.items() if field.get("type") == "expandable"] == [
        "router",
        "workflow",
        "dispatch",
        "aggregation",
        "memory",
        "scope",
        "telemetry",
    ]
    router = {field["name"]: field for field in fields["router"]["schema"]}
    threshold = router["confidence_threshold"]["selector"]["number"]
    assert (threshold["min"], threshold["max"], threshold["mode"]) == (0, 1, "slider")
    assert router["system_prompt"]["selector"]["text"]["multiline"] is True
    delay = {field["name"]: field for field in fields["dispatch"]["schema"]}["retry_delay_ms"]
    assert delay["selector"]["number"]["unit_of_measurement"] == "ms"

    def initial(schema: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            field["name"]: initial(field["schema"])
            if "schema" in field
            else field.get("description", {}).get("suggested_value", field.get("default"))
            for field in schema
        }

    answers = initial(form["data_schema"]) | {"name": "Butler", "model": "large"}
    answers["router"]["confidence_threshold"] = 0.55
    response = await client.post(f"{flows}/{form['flow_id']}", json=answers)
    assert (await response.json())["type"] == "create_entry"
    kept = {"model": "large", "router": {"confidence_threshold": 0.55}}
    assert assistant_data(entry, "Butler") == kept


async def test_every_option_is_kept_shown_again_and_can_be_restored(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    other = await set_up(hass, "openai", url=(await serve()).url)
    router = CHANGED["router"] | {
        "chat_client_key": other.entry_id,
        "escalation_key": other.entry_id,
    }
    wanted = {"model": "large", **CHANGED, "router": router}
    before = entry.runtime_data

    await save(hass, await change(hass, entry), **wanted)
    assert assistant_data(entry) == wanted
    assert AssistantOptions.from_subentry(assistant_data(entry)).model_dump(mode="json") == wanted
    assert entry.state is ConfigEntryState.LOADED
    assert entry.runtime_data is not before, "it applies without a restart"

    form = await change(hass, entry)
    assert filled(form) == {"name": "Bellboard", "restore_defaults": False, **wanted}
    await save(hass, form)
    assert assistant_data(entry) == wanted, "saving a form untouched changes nothing"

    await save(hass, await change(hass, entry), restore_defaults=True, timeout=9, name="Jeeves")
    assert assistant_data(entry, "Jeeves") == {"model": "large"}


async def test_only_what_differs_from_the_default_is_kept(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    await save(hass, await change(hass, entry), dispatch={"max_retries": 3})
    assert assistant_data(entry) == {"model": "large", "dispatch": {"max_retries": 3}}
    await save(hass, await change(hass, entry), dispatch={"max_retries": 2})
    assert assistant_data(entry) == {"model": "large"}


@pytest.mark.parametrize("emptied", ["", None], ids=["empty", "not sent"])
async def test_an_emptied_text_is_the_default_again(
    hass: HomeAssistant, serve: Serve, emptied: str | None
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    texts = {"fallback_agent_id": "general-agent", "system_prompt": "{catalog}"}
    await save(hass, await change(hass, entry), router=texts)
    assert assistant_data(entry)["router"] == texts
    await save(hass, await change(hass, entry), router=dict.fromkeys(texts, emptied))
    assert assistant_data(entry) == {"model": "large"}


async def test_what_is_no_option_of_the_form_stays(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    (subentry,) = entry.subentries.values()
    hass.config_entries.async_update_subentry(
        entry, subentry, data={"model": "large", "agents": ["light-agent"], "timeout": 3.0}
    )
    await hass.async_block_till_done()
    await save(hass, await change(hass, entry), restore_defaults=True)
    assert assistant_data(entry) == {"model": "large", "agents": ["light-agent"]}


@pytest.mark.parametrize(
    ("group", "name", "template", "allowed"),
    [
        ("router", "system_prompt", "Agents: {catalogue}", "{catalog}"),
        ("router", "user_prompt_template", "{request", "{request}, {catalog}"),
        ("router", "clarification_prompt_template", "{2}", "{request}, {agent}"),
        ("router", "fallback_reason_template", "{reason!r}", "{reason}, {request}"),
        ("router", "trial_prompt", '{"agent": 1}', "{catalog}"),
        (
            "aggregation",
            "partial_failure_template",
            "{success}",
            "{successMessage}, {failureMessage}",
        ),
    ],
)
async def test_a_template_that_cannot_be_filled_is_named_and_nothing_typed_is_lost(
    hass: HomeAssistant, serve: Serve, *, group: str, name: str, template: str, allowed: str
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    typed = filled(form, timeout=7, router={"agent_catalog_header": "Staff"})
    typed[group][name] = template
    result = await submit(hass, form, **typed)
    errors = {group: "invalid_template", name: "invalid_template"}
    form = shown(result, "reconfigure", errors=errors)
    assert filled(form) == typed
    assert assistant_data(entry) == {"model": "large"}
    kinds = section_kinds(form)
    assert {key for key in kinds if not kinds[key].options["collapsed"]} == {group}
    texts = form["description_placeholders"]
    assert texts["placeholders"] == allowed
    assert texts["field"] != f"{group}.{name}", "the field is named by its label"

    await save(hass, form, **{group: {name: allowed}})
    assert assistant_data(entry)[group][name] == allowed
    assert assistant_data(entry)["timeout"] == 7


async def test_a_new_assistant_with_a_wrong_template_is_not_added(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = shown(await add_assistant(hass, entry), "user")
    answers = filled(form, name="Butler", model="large", router={"system_prompt": "{"})
    errors = dict.fromkeys(("router", "system_prompt"), "invalid_template")
    form = shown(await submit(hass, form, **answers), "user", errors=errors)
    assert len(entry.subentries) == 1
    result = await submit(hass, form, **filled(form, router={"system_prompt": None}))
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert assistant_data(entry, "Butler") == {"model": "large"}


async def test_a_part_of_an_attempt_is_refused_where_whole_ones_count(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    answers = filled(form, requests_per_minute=1.5, router={"max_attempts": 2.5})
    errors = dict.fromkeys(("requests_per_minute", "router", "max_attempts"), "invalid_value")
    form = shown(await submit(hass, form, **answers), "reconfigure", errors=errors)
    assert form["description_placeholders"]["field"] == "Questions per minute, Attempts"
    assert assistant_data(entry) == {"model": "large"}


async def test_only_other_connections_with_a_model_can_be_asked(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    other = await set_up(hass, "ollama", url=(await serve("ollama")).url)
    asleep = await set_up(hass, "openai", url=(await serve()).url)
    await set_up(hass, "none")
    assert await hass.config_entries.async_unload(asleep.entry_id)
    form = await change(hass, entry)
    choice = {"value": other.entry_id, "label": "Ollama"}
    for name, empty in {"chat_client_key": "own", "escalation_key": "none"}.items():
        assert options(form, name, "router") == [{"value": empty, "label": empty}, choice]
    await save(hass, form, router={"escalation_key": other.entry_id})
    kept = {"model": "large", "router": {"escalation_key": other.entry_id}}
    assert assistant_data(entry) == kept

    assert await hass.config_entries.async_unload(other.entry_id)
    form = await change(hass, entry)
    assert choice in options(form, "escalation_key", "router"), "it may come back"
    assert choice not in options(form, "chat_client_key", "router")
    await save(hass, form)
    assert assistant_data(entry) == kept

    await hass.config_entries.async_remove(other.entry_id)
    form = await change(hass, entry)
    assert suggested(form)["router"]["escalation_key"] == "none"
    await save(hass, form)
    assert assistant_data(entry) == {"model": "large"}


async def test_without_a_model_only_what_makes_sense_is_asked(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    form = shown(await add_assistant(hass, entry), "user")
    fields = [str(field) for field in form["data_schema"].schema]
    groups = ["workflow", "dispatch", "aggregation", "memory", "scope", "telemetry"]
    assert fields == ["name", "restore_defaults", *groups]
    changed = {key: CHANGED[key] for key in groups}
    result = await submit(hass, form, **filled(form, name="Porter", **changed))
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert set(agents(hass, entry).values()) == {"Bellboard", "Porter"}
    assert assistant_data(entry, "Porter") == changed

    (subentry_id,) = (key for key, sub in entry.subentries.items() if sub.title == "Porter")
    form = shown(await change_assistant(hass, entry, subentry_id), "reconfigure")
    assert suggested(form) == {"name": "Porter", **changed}
    await save(hass, form, restore_defaults=True)
    assert assistant_data(entry, "Porter") == {}


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
    await save(hass, form, timeout=3)
    assert entry.subentries[subentry_id].data == {"model": "large", "timeout": 3}


async def test_a_model_the_server_no_longer_lists_stays_chosen(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(names=["large"])
    entry = await set_up(hass, "openai", url=server.url)
    server.model.names = ["newer"]
    form = await change(hass, entry)
    assert set(options(form, "model")) == {"large", "newer"}
    assert suggested(form)["model"] == "large"


def out_of_range(model: type[Options]) -> list[dict[str, float]]:
    """Return answers that are just outside the range of one of a group's numbers."""
    return [
        {name: value}
        for name, field in model.model_fields.items()
        for mark in field.metadata
        for value in (
            *([mark.ge - 0.5] if hasattr(mark, "ge") else []),
            *([mark.le + 0.5] if hasattr(mark, "le") else []),
        )
    ]


async def test_values_out_of_range_are_refused(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    wrong: list[dict[str, Any]] = [*out_of_range(AssistantOptions)]
    for group, model in option_groups().items():
        wrong += [{group: answers} for answers in out_of_range(model)]
    assert len(wrong) == 2 * 19, "nineteen numbers, each with two ends"
    unknown = {"router": {"chat_client_key": "nobody"}}
    for answers in (*wrong, unknown, {"model": None}, {"surprise": 1}):
        with pytest.raises(InvalidData):
            await submit(hass, form, **filled(form, **answers))
    assert assistant_data(entry) == {"model": "large"}
    await save(hass, form)


@pytest.mark.parametrize(
    "address",
    ["ftp://gatekeeper", "http://", "http://me:secret@gatekeeper", "http://a/?b"],
)
async def test_an_address_nobody_can_be_asked_at_is_told_in_the_form(
    hass: HomeAssistant, serve: Serve, address: str
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    answers = filled(form, workflow={"strategy": "gatekeeper", "gatekeeper_url": address})
    wrong = {"workflow": "invalid_value", "gatekeeper_url": "invalid_value"}
    shown(await submit(hass, form, **answers), "reconfigure", errors=wrong)


async def test_what_a_gatekeeper_is_told_to_be_known_by_is_hidden(
    hass: HomeAssistant, serve: Serve, hass_client: ClientSessionGenerator
) -> None:
    assert await async_setup_component(hass, "config", {})
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    client = await hass_client()
    flows = "/api/config/config_entries/subentries/flow"
    response = await client.post(flows, json={"handler": [entry.entry_id, SUBENTRY_ASSISTANT]})
    fields = {field["name"]: field for field in (await response.json())["data_schema"]}
    steps = {field["name"]: field["selector"] for field in fields["workflow"]["schema"]}
    for name in ("gatekeeper_token", "gatekeeper_secret"):
        assert steps[name]["text"]["type"] == "password"
    assert steps["strategy"]["select"]["options"] == ["llm", "gatekeeper"]


async def test_an_assistant_of_a_connection_that_is_not_loaded_waits(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    assert await hass.config_entries.async_unload(entry.entry_id)
    aborted(await add_assistant(hass, entry), "entry_not_loaded")
    (subentry_id,) = entry.subentries
    aborted(await change_assistant(hass, entry, subentry_id), "entry_not_loaded")

"""The assistant's forms: added to a connection, changed and removed."""

from collections.abc import Mapping
from typing import Any, get_args

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.selector import TimeSelector
from homeassistant.setup import async_setup_component
from pydantic.fields import FieldInfo
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN, SUBENTRY_ASSISTANT
from custom_components.bellboard.flows.assistant_form import async_built_in_texts
from custom_components.bellboard.flows.assistant_pages import (
    FIRST_PAGE,
    PAGES,
    name_of,
    option_groups,
)
from custom_components.bellboard.options import (
    AggregatorOptions,
    AssistantOptions,
    DispatchOptions,
    Options,
    RouterOptions,
)
from custom_components.bellboard.routing.prompt import routing_messages
from tests.conftest import Serve
from tests.forms import (
    Form,
    aborted,
    add_assistant,
    agents,
    change_assistant,
    choose,
    fill_in,
    filled,
    options,
    set_up,
    shown,
    shown_menu,
    submit,
    submit_page,
    suggested,
)
from tests.servers import Fault

pytestmark = pytest.mark.usefixtures("assist")

# For every option a value that is not its default.
CHANGED: dict[str, Any] = {
    "contract": "capable",
    "timeout": 5.5,
    "requests_per_minute": 30,
    "prompt_price": 0.15,
    "completion_price": 0.6,
    "debug_text": True,
    "tools": {"llm_hass_api": [], "persona": "You are {{ ha_name }}."},
    "router": {
        "chat_client_key": "another",
        "confidence_threshold": 0.4,
        "max_attempts": 10,
        "temperature": 0,
        "max_output_tokens": 4096,
        "default_prompts": "contract",
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
        "parallel": False,
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
    "habits": {"last_player": False, "last_level": True},
    "day": {
        "morning": "06:30:00",
        "noon": "12:30:00",
        "afternoon": "14:00:00",
        "evening": "18:15:00",
        "night": "23:00:00",
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
        "print_events": True,
        "reveal_text": True,
        "redacted_parameters": "brightness, code",
        "panel_words": "none",
    },
}


def assistant_data(entry: ConfigEntry, title: str = "Bellboard large") -> Mapping[str, Any]:
    """Return what the subentry of this title keeps."""
    return next(sub.data for sub in entry.subentries.values() if sub.title == title)


async def change(hass: HomeAssistant, entry: ConfigEntry) -> Form:
    """Open the form that changes an entry's only assistant."""
    (subentry_id,) = entry.subentries
    return shown(await change_assistant(hass, entry, subentry_id), "init")


async def save(hass: HomeAssistant, form: Form, **answers: Any) -> None:
    """Save a form that changes an assistant."""
    aborted(await fill_in(hass, form, **answers), "reconfigure_successful")


async def open_page(hass: HomeAssistant, form: Form, page: str) -> Form:
    """Go from the first page to another one."""
    menu = await submit(hass, form, **filled(form, advanced=True))
    assert page in shown_menu(menu, "advanced")
    return shown(await choose(hass, menu, page), page)


async def restore(hass: HomeAssistant, form: Form, **answers: Any) -> None:
    """Restore the defaults of an assistant, after something was typed."""
    menu = await submit(hass, form, **filled(form, advanced=True, **answers))
    assert "restore_defaults" in shown_menu(menu, "advanced")
    aborted(await choose(hass, menu, "restore_defaults"), "reconfigure_successful")


async def all_fields(hass: HomeAssistant, form: Form, **answers: Any) -> dict[str, Any]:
    """Save all pages as they are, but for the first; return what was shown, by the path of the option."""
    found = {path: filled(form).get(name_of(path)) for path in PAGES[FIRST_PAGE]}
    menu = await submit(hass, form, **filled(form, advanced=True, **answers))
    for page in shown_menu(menu, "advanced"):
        if page in PAGES:
            form = shown(await choose(hass, menu, page), page)
            if page == "workflow" and filled(form)["strategy"] == "llm":
                assert not [path for path in filled(form) if path.startswith("gatekeeper_")]
                result = await submit(hass, form, **filled(form, strategy="gatekeeper"))
                form = shown(result, page)
                found |= {path: filled(form)[name_of(path)] for path in PAGES[page]}
                found["workflow.strategy"] = "llm"
                menu = await submit(hass, form, **filled(form, strategy="llm"))
                continue
            found |= {path: filled(form)[name_of(path)] for path in PAGES[page]}
            menu = await submit(hass, form, **filled(form))
    assert (await choose(hass, menu, "save"))["type"] in {
        FlowResultType.CREATE_ENTRY,
        FlowResultType.ABORT,
    }
    return found


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return options by their paths."""
    groups = option_groups()
    found: dict[str, Any] = {}
    for name, value in values.items():
        inner = value if name in groups else {"": value}
        found |= {f"{name}.{key}" if key else name: item for key, item in inner.items()}
    return found


async def test_an_assistant_is_added_changed_and_removed(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve(names=["large", "small"])
    entry = await set_up(hass, "openai", url=server.url)

    form = shown(await add_assistant(hass, entry), "init")
    assert set(options(form, "model")) == {"large", "small"}
    answers = {"model": "small", "timeout": 5, "router": {"confidence_threshold": 0.4}}
    result = await fill_in(hass, form, name="Butler", **answers)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert set(agents(hass, entry).values()) == {"Bellboard large", "Butler"}
    butler = next(sub for sub in entry.subentries.values() if sub.title == "Butler")
    assert butler.data == answers
    assert entry.runtime_data.assistants[butler.subentry_id].model.model == "small"

    flow = await change_assistant(hass, entry, butler.subentry_id)
    form = shown(flow, "init")
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
    assert set(agents(hass, entry).values()) == {"Bellboard large", "Jeeves"}

    assert hass.config_entries.async_remove_subentry(entry, butler.subentry_id)
    await hass.async_block_till_done()
    assert agents(hass, entry) == {"conversation.bellboard_large": "Bellboard large"}
    assert not dr.async_get(hass).async_get(device.id)
    assert butler.subentry_id not in entry.runtime_data.assistants


async def test_assistants_are_called_after_their_model_and_each_in_its_own_way(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large", "/m/small.gguf"])).url)
    for model in ("large", "/m/small.gguf", "large"):
        form = shown(await add_assistant(hass, entry), "init")
        assert "name" not in suggested(form)
        assert (await fill_in(hass, form, model=model))["type"] is FlowResultType.CREATE_ENTRY
    names = ["Bellboard large", "Bellboard large 2", "Bellboard small", "Bellboard large 3"]
    assert {sub.title for sub in entry.subentries.values()} == set(names)

    form = shown(await add_assistant(hass, entry), "init")
    result = await fill_in(hass, form, model="large", name=" bellboard LARGE 2 ")
    shown(result, "init", errors={"name": "name_taken"})
    (first, *_) = entry.subentries
    form = shown(await change_assistant(hass, entry, first), "init")
    await save(hass, form, timeout=9)
    assert entry.subentries[first].title == names[0], "its own name is not taken"
    form = shown(await change_assistant(hass, entry, first), "init")
    await save(hass, form, name="Jeeves")
    assert entry.subentries[first].title == "Jeeves"
    form = shown(await change_assistant(hass, entry, first), "init")
    await save(hass, form, name="   ")
    assert entry.subentries[first].title == names[0], "blanks are no name: it is called as at first"
    form = shown(await change_assistant(hass, entry, first), "init")
    await save(hass, form, name=None)
    assert entry.subentries[first].title == names[0], "its own name is free for it"


async def test_every_option_is_asked_with_its_default(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    await set_up(hass, "openai", url=(await serve()).url)
    form = shown(await add_assistant(hass, entry), "init")
    assert filled(form)["advanced"] is False
    expected = flat(AssistantOptions().model_dump(mode="json"))
    expected |= {"router.chat_client_key": "own", "router.escalation_key": "none", "model": None}
    # Where one's own text would stand, the built-in one is shown.
    expected |= await async_built_in_texts(hass, RouterOptions())
    asked = [path for paths in PAGES.values() for path in paths]
    assert sorted(asked) == sorted(expected), "each option is asked for once"
    assert len(PAGES[FIRST_PAGE]) <= 12
    assert await all_fields(hass, form, model="large", name="Butler") == expected
    assert assistant_data(entry, "Butler") == {"model": "large"}, "built-in texts are not kept"


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
    threshold = fields["confidence_threshold"]["selector"]["number"]
    assert (threshold["min"], threshold["max"], threshold["mode"]) == (0, 1, "slider")

    def initial(form: Mapping[str, Any]) -> dict[str, Any]:
        return {
            field["name"]: value
            for field in form["data_schema"]
            if (value := field.get("description", {}).get("suggested_value", field.get("default")))
            is not None
        }

    async def send(**answers: Any) -> dict[str, Any]:
        found: dict[str, Any] = await (
            await client.post(f"{flows}/{form['flow_id']}", json=answers)
        ).json()
        return found

    answers = initial(form) | {"name": "Butler", "model": "large", "confidence_threshold": 0.55}
    assert (await send(**answers | {"advanced": True}))["type"] == "menu"
    page = await send(next_step_id="prompts")
    prompt = {field["name"]: field for field in page["data_schema"]}["system_prompt"]
    assert prompt["selector"]["text"]["multiline"] is True
    assert "{catalog}" in prompt["description"]["suggested_value"]
    assert (await send(**initial(page)))["type"] == "menu"
    page = await send(next_step_id="running")
    delay = {field["name"]: field for field in page["data_schema"]}["retry_delay_ms"]
    assert delay["selector"]["number"]["unit_of_measurement"] == "ms"
    await send(**initial(page))
    assert (await send(next_step_id="save"))["type"] == "create_entry"
    # The connection is set up anew with it, and greets its server while that is there.
    await hass.async_block_till_done(wait_background_tasks=True)
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
        "clarification_agent_id": "home-agent",
    }
    wanted = {"model": "large", **CHANGED, "router": router}
    before = entry.runtime_data

    await save(hass, await change(hass, entry), **wanted)
    assert assistant_data(entry) == wanted
    assert AssistantOptions.from_subentry(assistant_data(entry)).model_dump(mode="json") == wanted
    assert entry.state is ConfigEntryState.LOADED
    assert entry.runtime_data is not before, "it applies without a restart"

    assert await all_fields(hass, await change(hass, entry)) == flat(wanted)
    assert assistant_data(entry) == wanted, "saving all pages untouched changes nothing"

    await restore(hass, await change(hass, entry), timeout=9, name="Jeeves")
    assert assistant_data(entry, "Jeeves") == {"model": "large"}


@pytest.mark.parametrize("model", [RouterOptions, DispatchOptions, AggregatorOptions])
async def test_every_option_of_the_data_model_can_be_set_alone_and_keeps_its_meaning(
    hass: HomeAssistant, serve: Serve, model: type[Options]
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large", "tried"])).url)
    other = await set_up(hass, "openai", url=(await serve()).url)
    group = next(name for name, kind in option_groups().items() if kind is model)
    for name, value in CHANGED[group].items():
        wanted = {"another": other.entry_id, "asking-agent": "music-agent"}.get(value, value)
        await save(hass, await change(hass, entry), **{group: {name: wanted}})
        assert assistant_data(entry) == {"model": "large", group: {name: wanted}}
        (assistant,) = entry.runtime_data.assistants.values()
        kept = getattr(assistant.options, group)
        assert kept == model(**{name: wanted}), "nothing else is changed by it"
        await restore(hass, await change(hass, entry))


async def test_only_what_differs_from_the_default_is_kept(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    await save(hass, await change(hass, entry), dispatch={"max_retries": 3})
    assert assistant_data(entry) == {"model": "large", "dispatch": {"max_retries": 3}}
    await save(hass, await change(hass, entry), dispatch={"max_retries": 2})
    assert assistant_data(entry) == {"model": "large"}


async def test_nothing_is_kept_before_all_of_it_is_saved(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "running")
    menu = await submit(hass, form, **filled(form, max_retries=5))
    assert assistant_data(entry) == {"model": "large"}
    form = shown(await choose(hass, menu, "running"), "running")
    assert filled(form)["max_retries"] == 5, "what was typed is shown again"


@pytest.mark.parametrize("emptied", ["", None], ids=["empty", "not sent"])
async def test_an_emptied_text_is_the_default_again(
    hass: HomeAssistant, serve: Serve, emptied: str | None
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    texts = {"agent_catalog_header": "Staff", "system_prompt": "{catalog}"}
    await save(hass, await change(hass, entry), router=texts)
    assert assistant_data(entry)["router"] == texts
    await save(hass, await change(hass, entry), router=dict.fromkeys(texts, emptied))
    assert assistant_data(entry) == {"model": "large"}


@pytest.mark.parametrize(
    "own",
    [
        {},
        {"system_prompt": "Pick.\n{catalog}"},
        {"user_prompt_template": "Please: {request}"},
        {"user_prompt_template": "{catalog}\n{request}"},
        {"agent_catalog_header": "Staff {all}:"},
    ],
    ids=[
        "built in",
        "own system prompt",
        "own user prompt",
        "own user prompt with agents",
        "own heading",
    ],
)
async def test_the_prompts_page_shows_the_built_in_texts_that_are_used(
    hass: HomeAssistant, serve: Serve, own: dict[str, str]
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    await save(hass, await change(hass, entry), router=own)
    (assistant,) = entry.runtime_data.assistants.values()
    router = assistant.options.router
    cards = [agent.card for agent in assistant.registry]
    told = [message.content for message in routing_messages(router, cards, ["night"])]

    form = await open_page(hass, await change(hass, entry), "prompts")
    found = filled(form)
    assert {name: found[name] for name in own} == own
    assert found["agent_catalog_header"] in "\n".join(told)
    before_the_agents, *_ = found["system_prompt"].partition("{catalog}")
    assert told[0].startswith(before_the_agents.format())
    assert ("{catalog}" in found["system_prompt"]) is ("- light" in told[0])
    menu = await submit(hass, form, **found)
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    assert assistant_data(entry).get("router", {}) == own, "what is only shown is not kept"


async def test_parts_of_the_day_are_times_that_follow_each_other(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "day")
    assert filled(form)["evening"] == "19:00:00"
    assert all(isinstance(kind, TimeSelector) for kind in form["data_schema"].schema.values())
    form = shown(
        await submit(hass, form, **filled(form, evening="14:00:00")),
        "day",
        errors={"base": "parts_out_of_order"},
    )
    menu = await submit(hass, form, **filled(form, evening="18:00:00"))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    assert assistant_data(entry)["day"] == {"evening": "18:00:00"}
    await save(hass, await change(hass, entry), day={"evening": "19:00:00"})
    assert "day" not in assistant_data(entry), "it is the default again"


async def test_what_is_no_option_of_the_form_stays(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    (subentry,) = entry.subentries.values()
    hass.config_entries.async_update_subentry(
        entry, subentry, data={"model": "large", "agents": ["light-agent"], "timeout": 3.0}
    )
    await hass.async_block_till_done()
    await restore(hass, await change(hass, entry))
    assert assistant_data(entry) == {"model": "large", "agents": ["light-agent"]}


@pytest.mark.parametrize(
    ("page", "name", "template", "allowed"),
    [
        ("prompts", "system_prompt", "Agents: {catalogue}", "{catalog}"),
        ("prompts", "user_prompt_template", "{request", "{request}, {catalog}"),
        ("prompts", "clarification_prompt_template", "{2}", "{request}, {agent}"),
        ("prompts", "fallback_reason_template", "{reason!r}", "{reason}, {request}"),
        ("trial", "trial_prompt", '{"agent": 1}', "{catalog}"),
        (
            "answers",
            "partial_failure_template",
            "{success}",
            "{successMessage}, {failureMessage}",
        ),
    ],
)
async def test_a_template_that_cannot_be_filled_is_told_at_its_field_and_nothing_typed_is_lost(
    hass: HomeAssistant, serve: Serve, *, page: str, name: str, template: str, allowed: str
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    menu = await submit(hass, form, **filled(form, timeout=7, advanced=True))
    form = shown(await choose(hass, menu, page), page)
    typed = filled(form, **{name: template})
    result = await submit(hass, form, **typed)
    form = shown(result, page, errors={name: "invalid_template"})
    assert filled(form) == typed
    assert assistant_data(entry) == {"model": "large"}
    assert form["description_placeholders"]["placeholders"] == allowed

    menu = await submit(hass, form, **filled(form, **{name: allowed}))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    group = next(path.partition(".")[0] for path in PAGES[page] if path.rpartition(".")[2] == name)
    assert assistant_data(entry)[group][name] == allowed
    assert assistant_data(entry)["timeout"] == 7


async def test_a_new_assistant_with_a_wrong_template_is_not_added(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = shown(await add_assistant(hass, entry), "init")
    menu = await submit(hass, form, **filled(form, name="Butler", model="large", advanced=True))
    form = shown(await choose(hass, menu, "prompts"), "prompts")
    result = await submit(hass, form, **filled(form, system_prompt="{"))
    form = shown(result, "prompts", errors={"system_prompt": "invalid_template"})
    assert len(entry.subentries) == 1
    menu = await submit(hass, form, **filled(form, system_prompt=None))
    assert (await choose(hass, menu, "save"))["type"] is FlowResultType.CREATE_ENTRY
    assert assistant_data(entry, "Butler") == {"model": "large"}


async def test_a_part_of_an_attempt_is_refused_where_whole_ones_count(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "routing")
    answers = filled(form, requests_per_minute=1.5, max_attempts=2.5)
    errors = dict.fromkeys(("requests_per_minute", "max_attempts"), "invalid_value")
    shown(await submit(hass, form, **answers), "routing", errors=errors)
    assert assistant_data(entry) == {"model": "large"}


async def test_a_rule_about_nobody_is_told_at_its_field_with_its_number(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    rules = [{"agents": ["light-agent"]}, {"areas": ["kitchen"]}]
    result = await submit(hass, form, **filled(form, rules=rules))
    form = shown(result, "init", errors={"rules": "rule_names_nobody"})
    assert form["description_placeholders"]["number"] == "2"


async def test_agents_are_chosen_from_a_list_by_their_names(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "routing")
    for name in ("clarification_agent_id", "fallback_agent_id"):
        labels = {choice["value"]: choice["label"] for choice in options(form, name)}
        assert labels["light-agent"] == "Lights"
        assert {"fallback-agent", "clarification-agent"} <= labels.keys()
        with pytest.raises(InvalidData):
            await submit(hass, form, **filled(form, **{name: "nobody"}))


@pytest.mark.parametrize("name", ["fallback_agent_id", "clarification_agent_id"])
async def test_an_agent_that_is_gone_is_shown_and_refused(
    hass: HomeAssistant, serve: Serve, name: str
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    (subentry,) = entry.subentries.values()
    kept = {"model": "large", "router": {name: "gone-agent"}}
    hass.config_entries.async_update_subentry(entry, subentry, data=kept)
    await hass.async_block_till_done()
    form = await open_page(hass, await change(hass, entry), "routing")
    assert filled(form)[name] == "gone-agent"
    gone = {name: "unknown_agent"}
    form = shown(await submit(hass, form, **filled(form)), "routing", errors=gone)
    menu = await submit(hass, form, **filled(form, **{name: "home-agent"}))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    assert assistant_data(entry) == kept | {"router": {name: "home-agent"}}


async def test_a_number_that_is_emptied_is_left_to_the_server(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "routing")
    assert (filled(form)["temperature"], filled(form)["max_output_tokens"]) == (0.3, 500)
    typed = filled(form)
    del typed["temperature"], typed["max_output_tokens"]
    menu = await submit(hass, form, **typed)
    form = shown(await choose(hass, menu, "routing"), "routing")
    assert filled(form).keys().isdisjoint({"temperature", "max_output_tokens"})
    menu = await submit(hass, form, **filled(form))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    none = {"temperature": None, "max_output_tokens": None}
    assert assistant_data(entry) == {"model": "large", "router": none}


async def test_prices_are_in_the_homes_currency(hass: HomeAssistant, serve: Serve) -> None:
    await hass.config.async_update(currency="SEK")
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "routing")
    for price in ("prompt_price", "completion_price"):
        assert form["data_schema"].schema[price].config["unit_of_measurement"] == "SEK"
    menu = await submit(hass, form, **filled(form, prompt_price=1.25, completion_price=None))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    assert assistant_data(entry) == {"model": "large", "prompt_price": 1.25}


@pytest.mark.parametrize("has_other", [False, True])
async def test_without_a_model_there_is_a_price_only_where_another_routes(
    hass: HomeAssistant, serve: Serve, *, has_other: bool
) -> None:
    if has_other:
        await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    entry = await set_up(hass, "none")
    form = await change(hass, entry)
    menu = await submit(hass, form, **filled(form, advanced=True))
    assert ("routing" in shown_menu(menu, "advanced")) is has_other
    if has_other:
        form = shown(await choose(hass, menu, "routing"), "routing")
        assert "prompt_price" in form["data_schema"].schema


async def test_only_other_connections_with_a_model_can_be_asked(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    other = await set_up(hass, "ollama", url=(await serve("ollama")).url)
    asleep = await set_up(hass, "openai", url=(await serve()).url)
    await set_up(hass, "none")
    assert await hass.config_entries.async_unload(asleep.entry_id)
    form = await open_page(hass, await change(hass, entry), "routing")
    choice = {"value": other.entry_id, "label": other.title}
    assert other.title.startswith("Ollama (127.0.0.1:")
    for name, empty in {"chat_client_key": "own", "escalation_key": "none"}.items():
        assert options(form, name) == [{"value": empty, "label": empty}, choice]
    menu = await submit(hass, form, **filled(form, escalation_key=other.entry_id))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    kept = {"model": "large", "router": {"escalation_key": other.entry_id}}
    assert assistant_data(entry) == kept

    assert await hass.config_entries.async_unload(other.entry_id)
    form = await open_page(hass, await change(hass, entry), "routing")
    assert choice in options(form, "escalation_key"), "it may come back"
    assert choice not in options(form, "chat_client_key")
    menu = await submit(hass, form, **filled(form))
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    assert assistant_data(entry) == kept

    await hass.config_entries.async_remove(other.entry_id)
    form = await open_page(hass, await change(hass, entry), "routing")
    assert "escalation_key" not in filled(form), "there is nobody left to choose"


@pytest.mark.parametrize(
    "pages", [["running", "answers", "workflow", "day", "memory", "telemetry"]]
)
async def test_without_a_model_only_what_makes_sense_is_asked(
    hass: HomeAssistant, pages: list[str]
) -> None:
    entry = await set_up(hass, "none")
    form = shown(await add_assistant(hass, entry), "init")
    assert [str(field) for field in form["data_schema"].schema] == [
        "name",
        "max_clarifications",
        "task_context_ttl",
        "enable_natural_language_joining",
        "rules",
        "event_bus",
        "advanced",
    ]
    groups = [
        "workflow",
        "dispatch",
        "aggregation",
        "memory",
        "habits",
        "day",
        "scope",
        "telemetry",
    ]
    changed = {key: dict(CHANGED[key]) for key in groups}
    del changed["workflow"]["temperature"]
    menu = await submit(hass, form, **filled(form, advanced=True))
    assert shown_menu(menu, "advanced") == ["save", *pages, "restore_defaults"]
    form = shown(await choose(hass, menu, "workflow"), "workflow")
    assert "temperature" not in filled(form)

    form = shown(await add_assistant(hass, entry), "init")
    result = await fill_in(hass, form, name="Porter", **changed)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert set(agents(hass, entry).values()) == {"Bellboard", "Porter"}
    assert assistant_data(entry, "Porter") == changed

    (subentry_id,) = (key for key, sub in entry.subentries.items() if sub.title == "Porter")
    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    assert suggested(form)["name"] == "Porter"
    await restore(hass, form)
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
    form = shown(flow, "init", errors={"base": error})
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


def marks_of(field: FieldInfo) -> list[Any]:
    """Return the bounds of a number, also of one that may be none."""
    inner = [each for kind in get_args(field.annotation) for each in get_args(kind)[1:]]
    return [*field.metadata, *(mark for each in inner for mark in each.metadata)]


def out_of_range(model: type[Options]) -> list[dict[str, float]]:
    """Return answers that are just outside the range of one of a group's numbers."""
    return [
        {name: value}
        for name, field in model.model_fields.items()
        for mark in marks_of(field)
        for value in (
            *([mark.ge - 0.5] if hasattr(mark, "ge") else []),
            *([mark.le + 0.5] if hasattr(mark, "le") else []),
        )
    ]


async def test_values_out_of_range_are_refused(hass: HomeAssistant, serve: Serve) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    await set_up(hass, "openai", url=(await serve()).url)
    wrong: dict[str, list[float]] = {}
    models: dict[str, type[Options]] = {"": AssistantOptions, **option_groups()}
    for name, model in models.items():
        for answers in out_of_range(model):
            for option, value in answers.items():
                wrong.setdefault(f"{name}.{option}".lstrip("."), []).append(value)
    assert len(wrong) == 20, "twenty numbers, each with two ends"
    form = await change(hass, entry)
    for surprise in ({"model": None}, {"surprise": 1}):
        with pytest.raises(InvalidData):
            await submit(hass, form, **filled(form, **surprise))
    menu: Any = None
    for page, paths in PAGES.items():
        if page != FIRST_PAGE:
            form = shown(await choose(hass, menu, page), page)
        if page == "workflow":
            chosen = await submit(hass, form, **filled(form, strategy="gatekeeper"))
            form = shown(chosen, page)
        bad: list[tuple[str, Any]] = [(p, v) for p in paths for v in wrong.pop(p, ())]
        bad += [(path, "nobody") for path in paths if path == "router.chat_client_key"]
        for path, value in bad:
            with pytest.raises(InvalidData):
                await submit(hass, form, **filled(form, **{name_of(path): value}))
        menu = await submit(
            hass,
            form,
            **filled(form)
            | ({"advanced": True} if page == FIRST_PAGE else {})
            | ({"strategy": "llm"} if page == "workflow" else {}),
        )
    assert not wrong
    aborted(await choose(hass, menu, "save"), "reconfigure_successful")
    assert assistant_data(entry) == {"model": "large"}


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("ftp://gatekeeper", "no_address"),
        ("http://", "no_address"),
        ("http://me:secret@gatekeeper", "no_address"),
        ("http://a/?b", "no_address"),
        (None, "gatekeeper_missing"),
    ],
)
async def test_an_address_nobody_can_be_asked_at_is_told_in_the_form(
    hass: HomeAssistant, serve: Serve, address: str | None, error: str
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "workflow")
    result = await submit_page(hass, form, strategy="gatekeeper", gatekeeper_url=address)
    shown(result, "workflow", errors={"gatekeeper_url": error})


async def test_what_a_gatekeeper_is_told_to_be_known_by_is_hidden(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await open_page(hass, await change(hass, entry), "workflow")
    chosen = await submit(hass, form, **filled(form, strategy="gatekeeper"))
    fields = shown(chosen, "workflow")["data_schema"].schema
    for name in ("gatekeeper_token", "gatekeeper_secret"):
        assert fields[name].config["type"] == "password"
    assert fields["strategy"].config["options"] == ["llm", "gatekeeper"]


async def test_a_value_that_cannot_be_on_another_page_is_told_of_the_whole(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=["large"])).url)
    form = await change(hass, entry)
    (subentry,) = entry.subentries.values()
    # As a file that somebody edited by hand would have it.
    object.__setattr__(subentry, "data", {"model": "large", "dispatch": {"max_retries": 99}})
    result = await submit(hass, form, **filled(form))
    shown(result, "init", errors={"base": "invalid_elsewhere"})


async def test_an_assistant_of_a_connection_that_is_not_loaded_waits(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    assert await hass.config_entries.async_unload(entry.entry_id)
    aborted(await add_assistant(hass, entry), "entry_not_loaded")
    (subentry_id,) = entry.subentries
    aborted(await change_assistant(hass, entry, subentry_id), "entry_not_loaded")

"""Bellboard's forms as a person fills them in, with a check of every word shown on the way."""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er
import voluptuous as vol

from custom_components.bellboard import const
from custom_components.bellboard.flows.assistant_pages import FIRST_PAGE, PAGES
from custom_components.bellboard.llm.providers import PROVIDERS

ENGLISH = json.loads((Path(const.__file__).parent / "translations/en.json").read_text("utf-8"))

type Form = dict[str, Any]


def shown(result: Mapping[str, Any], step: str, *, errors: Mapping[str, str] | None = None) -> Form:
    """Check that a form is shown in which every word is translated, and return its result."""
    assert result["type"] is FlowResultType.FORM, result
    assert result["step_id"] == step
    assert (result["errors"] or {}) == (errors or {})
    fields = {str(field) for field in result["data_schema"].schema}
    assert (errors or {}).keys() <= {"base", *fields}, "an error stands at its field"
    words = words_of(result)
    text = words["step"][step]
    texts = result["description_placeholders"] or {}
    check_words(result["data_schema"], text, texts)
    for error in (result["errors"] or {}).values():
        words["error"][error].format_map(texts)
    text.get("description", "").format_map(texts)
    return dict(result)


def shown_menu(result: Mapping[str, Any], step: str) -> list[str]:
    """Check that a menu is shown in which every word is translated, and return its choices."""
    assert result["type"] is FlowResultType.MENU, result
    assert result["step_id"] == step
    text = words_of(result)["step"][step]
    choices = list(result["menu_options"])
    assert text["menu_options"].keys() >= set(choices)
    text["description"].format_map(result["description_placeholders"] or {})
    return choices


def words_of(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the English words of the flow a result is of."""
    handler = result["handler"]
    found: Mapping[str, Any] = (
        ENGLISH["config_subentries"][handler[1]]
        if isinstance(handler, tuple)
        else ENGLISH["config"]
    )
    return found


def check_words(schema: vol.Schema, text: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    """Check that every field of a schema has a label and an explanation that can be shown."""
    fields = {str(field) for field in schema.schema}
    assert fields <= text["data"].keys(), "a field without a label"
    assert fields <= text["data_description"].keys(), "a field without an explanation"
    for field in fields:
        text["data_description"][field].format_map(texts)


def aborted(result: Mapping[str, Any], reason: str) -> None:
    """Check that a flow ended for a reason that is translated."""
    assert result["type"] is FlowResultType.ABORT, result
    assert result["reason"] == reason
    # The texts of a success are Home Assistant's own.
    if result.get("translation_domain") is None:
        handler = result["handler"]
        words = ENGLISH["config_subentries"][handler[1]] if isinstance(handler, tuple) else None
        assert reason in (words or ENGLISH["config"])["abort"]


def suggested(form: Form) -> dict[str, Any]:
    """Return what a form's fields hold when it is opened."""
    return {
        str(field): field.description["suggested_value"]
        for field in form["data_schema"].schema
        if field.description and "suggested_value" in field.description
    }


def filled(form: Form, **answers: Any) -> dict[str, Any]:
    """Return what a browser sends for a form in which some fields are changed; None empties one."""
    values = {
        str(field): field.default()
        for field in form["data_schema"].schema
        if not isinstance(field.default, vol.Undefined)
    } | suggested(form)
    return {name: value for name, value in (values | answers).items() if value is not None}


# What is chosen by a name that need not be what is kept.
NAMED = frozenset({"model", "trial_model", "provider"})


def options(form: Form, field: str) -> list[Any]:
    """Return what can be chosen in a field."""
    found: list[Any] = form["data_schema"].schema[field].config["options"]
    return [choice["value"] for choice in found] if field in NAMED else found


def default_of(form: Form, field: str) -> Any:
    """Return what a field holds when nobody has touched it."""
    (marker,) = [marker for marker in form["data_schema"].schema if marker == field]
    return marker.default()


async def open_form(hass: HomeAssistant, provider: str) -> Form:
    """Begin to set up a provider and return the form that asks where it is."""
    begun = await hass.config_entries.flow.async_init(const.DOMAIN, context={"source": "user"})
    entries = hass.config_entries.async_entries(const.DOMAIN)
    is_without = any(entry.data["provider"] == const.PROVIDER_NONE for entry in entries)
    form = shown(begun, "another" if is_without else "user")
    loaded = hass.config_entries.async_loaded_entries(const.DOMAIN)
    can_share = any(entry.data["provider"] in {*PROVIDERS, "ai_task"} for entry in loaded)
    same = ["connection"] if can_share else []
    first = ["none", "ollama", "openai", "gemini", "anthropic", "ai_task"]
    others = [name for name in PROVIDERS if name not in first]
    assert options(form, "provider") == [*first, *others, *same]
    assert default_of(form, "provider") == "none"
    return dict(await submit(hass, form, provider=provider))


async def submit(hass: HomeAssistant, form: Form, **answers: Any) -> Mapping[str, Any]:
    """Send a form."""
    manager = (
        hass.config_entries.subentries
        if isinstance(form["handler"], tuple)
        else hass.config_entries.flow
    )
    result = await manager.async_configure(form["flow_id"], answers)
    await hass.async_block_till_done()
    return result


async def choose(hass: HomeAssistant, menu: Mapping[str, Any], choice: str) -> Mapping[str, Any]:
    """Choose from a menu."""
    return await submit(hass, dict(menu), next_step_id=choice)


async def fill_in(hass: HomeAssistant, form: Form, **answers: Any) -> Mapping[str, Any]:
    """Fill in the form of an assistant page by page and save it.

    A mapping changes options of the group of its name, wherever these are asked for.
    """
    typed = {
        f"{name}.{option}" if option else name: value
        for name, answer in answers.items()
        for option, value in (answer if isinstance(answer, dict) else {"": answer}).items()
    }
    pages: dict[str, Form] = {}
    for path, value in typed.items():
        page = next((page for page, paths in PAGES.items() if path in paths), FIRST_PAGE)
        pages.setdefault(page, {})[path.rpartition(".")[2]] = value
    first = {"advanced": bool(pages.keys() - {FIRST_PAGE})} | pages.pop(FIRST_PAGE, {})
    result = await submit(hass, form, **filled(form, **first))
    for page, values in pages.items():
        assert page in shown_menu(result, "advanced")
        form = shown(await choose(hass, result, page), page)
        result = await submit_page(hass, form, **values)
    return await choose(hass, result, "save") if first["advanced"] else result


async def submit_page(hass: HomeAssistant, form: Form, **answers: Any) -> Mapping[str, Any]:
    """Send a page of an assistant, where a gatekeeper is chosen before its fields are shown."""
    later = {name: value for name, value in answers.items() if name.startswith("gatekeeper_")}
    is_shown = later.keys() <= {str(field) for field in form["data_schema"].schema}
    if is_shown:
        return await submit(hass, form, **filled(form, **answers))
    now = {name: value for name, value in answers.items() if name not in later}
    form = shown(
        await submit(hass, form, **filled(form, **now | {"strategy": "gatekeeper"})), "workflow"
    )
    return await submit(hass, form, **filled(form, **later | now))


async def set_up(hass: HomeAssistant, provider: str, **answers: Any) -> ConfigEntry:
    """Set a connection up through its forms, with the model that is suggested."""
    form = await open_form(hass, provider)
    if answers:
        form = dict(await submit(hass, shown(form, form["step_id"]), **answers))
    if form["type"] is FlowResultType.FORM:
        form = shown(form, "model")
        form = dict(await submit(hass, form, model=default_of(form, "model")))
    assert form["type"] is FlowResultType.CREATE_ENTRY, form
    entry: ConfigEntry = form["result"]
    assert entry.state is ConfigEntryState.LOADED
    return entry


def agents(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, str]:
    """Return the names of an entry's conversation entities by entity id."""
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    return {
        entity.entity_id: state.name
        for entity in entities
        if entity.domain == "conversation" and (state := hass.states.get(entity.entity_id))
    }


async def open_change(hass: HomeAssistant, entry: ConfigEntry) -> Mapping[str, Any]:
    """Begin to change a connection: it is asked where its model is to come from."""
    return await hass.config_entries.flow.async_init(
        const.DOMAIN, context={"source": "reconfigure", "entry_id": entry.entry_id}
    )


async def move(hass: HomeAssistant, entry: ConfigEntry) -> Mapping[str, Any]:
    """Begin to change a connection, whose model stays of its kind."""
    form = dict(await open_change(hass, entry))
    return await submit(hass, form, provider=entry.data[const.CONF_PROVIDER])


async def add_assistant(hass: HomeAssistant, entry: ConfigEntry) -> Mapping[str, Any]:
    """Begin to add an assistant."""
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, const.SUBENTRY_ASSISTANT), context={"source": "user"}
    )


async def change_assistant(
    hass: HomeAssistant, entry: ConfigEntry, subentry_id: str
) -> Mapping[str, Any]:
    """Begin to change an assistant."""
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, const.SUBENTRY_ASSISTANT),
        context={"source": "reconfigure", "subentry_id": subentry_id},
    )

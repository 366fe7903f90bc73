"""Selectors of the forms, and names of assistants, agents and connections in them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any, Literal
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_ENTITY_ID, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from ..connections.connection import assistants_of
from ..const import (
    CONF_CONNECTION,
    CONF_PROVIDER,
    DOMAIN,
    PROVIDER_AI_TASK,
    PROVIDER_CONNECTION,
    PROVIDER_NONE,
)
from ..llm.providers import PROVIDERS

DEFAULT_NAME = "Bellboard"
"""What an assistant without a model of its own is called."""

_NO_MODEL_TITLE = "Without a model"
_PREFIXES = {PROVIDER_AI_TASK: "AI Task: ", PROVIDER_CONNECTION: "Same as "}
"""How the titles begin of connections that are not to a server."""

_MODEL_FILE = ".gguf"
"""What a model's file ends with."""


def short_name(model: str) -> str:
    """Return the short name of a model that its server knows by a file ("/models/llama.gguf")."""
    name = model.replace("\\", "/").rstrip("/")
    is_file = name.endswith(_MODEL_FILE) or name.startswith(("/", "."))
    return name.rpartition("/")[2].removesuffix(_MODEL_FILE) if is_file else name


def _first_free(names: list[str], taken: Iterable[str]) -> str:
    """Return the first of some names that is not taken, or the last of them with a number.

    The case of letters makes no difference.
    """
    known = frozenset(name.casefold() for name in taken)
    numbered = (f"{names[-1]} {number}" for number in count(2))
    return next(name for name in chain(names, numbered) if name.casefold() not in known)


@callback
def new_name(hass: HomeAssistant, model: str, assistant: ConfigSubentry | None = None) -> str:
    """Return a name that no other assistant has, after the model it uses; "" is without one.

    What an `assistant` that is changed is called is free for it.
    """
    name = f"{DEFAULT_NAME} {short_name(model)}" if model else DEFAULT_NAME
    return _first_free([name], _other_names(hass, assistant))


@callback
def is_taken(hass: HomeAssistant, name: str, assistant: ConfigSubentry | None) -> bool:
    """Return whether another assistant is called so, whatever the case of its letters."""
    return name.casefold() in {other.casefold() for other in _other_names(hass, assistant)}


def _other_names(hass: HomeAssistant, but: ConfigSubentry | None) -> list[str]:
    """Return the names of all assistants, but that of one."""
    return [
        assistant.title
        for entry in hass.config_entries.async_entries(DOMAIN)
        for assistant in assistants_of(entry)
        if but is None or assistant.subentry_id != but.subentry_id
    ]


@callback
def new_title(
    hass: HomeAssistant, connection: Mapping[str, Any], entry: ConfigEntry | None = None
) -> str:
    """Return the title of a connection: by its server and where that is, numbered if another one has that title.

    An `entry` that is changed keeps the name its user gave it.
    """
    if entry and not _is_ours(hass, entry):
        return entry.title
    others = [
        other.title
        for other in hass.config_entries.async_entries(DOMAIN)
        if entry is None or other.entry_id != entry.entry_id
    ]
    return _first_free(_titles(hass, connection), others)


@callback
def _is_ours(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Return whether a connection is still called as we called it."""
    # What it was to may be gone, and its name with it.
    prefix = _PREFIXES.get(entry.data[CONF_PROVIDER])
    if prefix:
        return entry.title.startswith(prefix)
    provider = PROVIDERS.get(entry.data[CONF_PROVIDER])
    return entry.title in {*_titles(hass, entry.data), provider.title if provider else ""}


@callback
def _titles(hass: HomeAssistant, connection: Mapping[str, Any]) -> list[str]:
    """Return what a connection may be called, the shortest first."""
    provider = connection[CONF_PROVIDER]
    if provider == PROVIDER_AI_TASK:
        entity = connection[CONF_ENTITY_ID]
        entity_id = er.async_resolve_entity_id(er.async_get(hass), entity) or entity
        state = hass.states.get(entity_id)
        name = f"{_PREFIXES[provider]}{state.name if state else entity_id}"
        return [name, f"{name} ({entity_id})"]
    if provider == PROVIDER_CONNECTION:
        shared = hass.config_entries.async_get_entry(connection[CONF_CONNECTION])
        return [f"{_PREFIXES[provider]}{shared.title if shared else DOMAIN}"]
    if provider == PROVIDER_NONE:
        return [_NO_MODEL_TITLE]
    title = PROVIDERS[provider].title
    named = f"{title} ({urlsplit(connection[CONF_URL]).netloc})"
    # The address of a public one is the same in every home.
    return [named] if PROVIDERS[provider].asks_for_url else [title, named]


def secret_selector() -> TextSelector:
    """Return the selector of a text that is not shown."""
    return TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))


def number_selector(
    low: float,
    high: float,
    *,
    step: float | Literal["any"] = 1,
    unit: str | None = None,
    slider: bool = False,
) -> NumberSelector:
    """Return the selector of a number within its range: one that is typed, or a slider."""
    mode = NumberSelectorMode.SLIDER if slider else NumberSelectorMode.BOX
    config = NumberSelectorConfig(min=low, max=high, step=step, mode=mode)
    if unit:
        config["unit_of_measurement"] = unit
    return NumberSelector(config)


def dropdown(
    options: Sequence[str] | Sequence[SelectOptionDict],
    *,
    translation_key: str | None = None,
    multiple: bool = False,
    custom_value: bool = False,
    sort: bool = False,
) -> SelectSelector:
    """Return the choice among some options; with `custom_value`, another one may be typed."""
    config = SelectSelectorConfig(
        options=options,
        multiple=multiple,
        custom_value=custom_value,
        sort=sort,
        mode=SelectSelectorMode.DROPDOWN,
    )
    if translation_key:
        config["translation_key"] = translation_key
    return SelectSelector(config)


def choices(labels: Mapping[str, str]) -> list[SelectOptionDict]:
    """Return the options of a list for labels by value, in the order of the labels."""
    ordered = sorted(labels.items(), key=lambda item: item[1].casefold())
    return [SelectOptionDict(value=value, label=label) for value, label in ordered]


@callback
def connection_titles(
    hass: HomeAssistant, is_offered: Callable[[ConfigEntry], bool], chosen: Iterable[str] = ()
) -> dict[str, str]:
    """Return the titles of the connections that are offered, by entry id.

    Only loaded ones are; one that is `chosen` already is offered wherever it is there at all.
    """
    offered = [
        entry for entry in hass.config_entries.async_loaded_entries(DOMAIN) if is_offered(entry)
    ]
    kept = [hass.config_entries.async_get_entry(entry_id) for entry_id in chosen]
    return {entry.entry_id: entry.title for entry in (*offered, *kept) if entry}


def model_selector(models: list[str]) -> SelectSelector:
    """Return the choice among a server's models, by their names; another one may be typed."""
    return dropdown(model_options(models), custom_value=True, sort=True)


def model_options(models: Sequence[str]) -> list[SelectOptionDict]:
    """Return the options of a list for a server's models, by their names."""
    shorts = [short_name(model) for model in models]
    return [
        # Two files of one name are told apart by their paths.
        SelectOptionDict(value=model, label=short if shorts.count(short) == 1 else model)
        for model, short in zip(models, shorts, strict=True)
    ]

"""The form of an assistant's options, made from the options themselves.

Their types, ranges and defaults are read from `options.py`: an option that is added there is asked
for here. A group of options is a section of the form. What the form adds is only how it looks, and
the two choices that `""` stands for in the options.
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_MODEL, CONF_NAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    Selector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from pydantic import ValidationError
from pydantic.fields import FieldInfo
import voluptuous as vol

from .const import CONF_PROVIDER, DOMAIN, PROVIDER_AI_TASK, PROVIDER_CONNECTION, PROVIDER_NONE
from .model_choice import model_selector
from .options import NAMES_NOBODY, AssistantOptions, Options, Placeholders, Secret
from .scope_form import scope_selector

CONF_RESTORE_DEFAULTS = "restore_defaults"

# What a choice of a connection shows where the option is empty.
_EMPTY_CHOICES = {"chat_client_key": "own", "escalation_key": "none"}
# What is wrong with a value, by pydantic's name for it, where that is told in words of its own.
_ERRORS = {"value_error": "invalid_template", NAMES_NOBODY: "rule_names_nobody"}
# Without a model there is nobody to ask, and nothing to wait for.
_WITHOUT_MODEL = ("workflow", "dispatch", "aggregation", "memory", "scope", "telemetry")
# What cannot be chosen, by the kind of connection.
_HIDDEN: Mapping[str, frozenset[str]] = {
    PROVIDER_NONE: frozenset({CONF_MODEL, "requests_per_minute", "trial_model"}),
    PROVIDER_AI_TASK: frozenset({CONF_MODEL, "trial_model"}),
    # Whoever lends the server says how often it may be asked.
    PROVIDER_CONNECTION: frozenset({"requests_per_minute"}),
}

_UNITS = {"timeout": "s", "trial_share": "%", "task_context_ttl": "h"}
_SLIDER_STEPS = 100
"""With more steps than this, a slider cannot be set with a finger: a number is typed instead."""

type Fields = dict[vol.Marker, Any]
type Selectors = Mapping[str, Selector[Any]]


def option_groups() -> dict[str, type[Options]]:
    """Return the groups of an assistant's options that are sections of its form, by name."""
    return {
        name: field.annotation
        for name, field in AssistantOptions.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, Options)
    }


def placeholders(field: FieldInfo) -> tuple[str, ...] | None:
    """Return the names of the placeholders a template may hold, or None for what is no template."""
    found = [mark.names for mark in field.metadata if isinstance(mark, Placeholders)]
    return found[0] if found else None


PLACEHOLDER_TEXTS = {
    name: f"{{{name}}}"
    for group in option_groups().values()
    for field in group.model_fields.values()
    for name in placeholders(field) or ()
}
"""Every placeholder as it is typed. A translation can only show a brace through such a value."""


@callback
def assistant_schema(
    hass: HomeAssistant,
    entry: ConfigEntry,
    *,
    models: list[str],
    users: list[SelectOptionDict],
    current: Mapping[str, Any],
    opened: Mapping[str, Any],
) -> vol.Schema:
    """Return the form of an assistant's options.

    `models` are those the server lists, `users` the people that can be chosen, `current` is what the
    subentry keeps. The sections named in `opened` are shown open. Without a model of its own, an
    assistant can be routed with another connection's, if there is one.
    """
    without_model = entry.data[CONF_PROVIDER] == PROVIDER_NONE
    has_router = not without_model or bool(
        _other_connections(hass, entry, current.get("router", {}).get("chat_client_key"))
    )
    groups = option_groups()
    special = {
        **_special_selectors(hass, entry, models, current),
        "rules": scope_selector(hass, entry, users),
    }
    hidden = _HIDDEN.get(entry.data[CONF_PROVIDER], frozenset())
    fields: Fields = {vol.Required(CONF_NAME): TextSelector()}
    if has_router:
        fields |= option_fields(AssistantOptions, special, hidden)
    fields[vol.Required(CONF_RESTORE_DEFAULTS, default=False)] = BooleanSelector()
    for name in groups if has_router else _WITHOUT_MODEL:
        inner = vol.Schema(option_fields(groups[name], special, hidden))
        fields[vol.Required(name)] = section(inner, {"collapsed": name not in opened})
    return vol.Schema(fields)


def option_fields(model: type[Options], special: Selectors, hidden: frozenset[str]) -> Fields:
    """Return the fields for a group's own options, without those that are `hidden`.

    `special` holds the selectors, by name, of those that are not as their type would have them.
    """
    fields: Fields = {}
    for name, field in model.model_fields.items():
        kind: Any = field.annotation
        if name in hidden:
            continue
        if name == CONF_MODEL:
            fields[vol.Required(name)] = special[name]
        elif name in _EMPTY_CHOICES:
            fields[vol.Required(name, default=_EMPTY_CHOICES[name])] = special[name]
        elif kind is str:
            # An emptied text is not sent at all, and is the default again.
            selector = special.get(name) or _text_selector(field)
            fields[vol.Optional(name, default=field.default)] = selector
        elif kind is bool:
            fields[vol.Required(name, default=field.default)] = BooleanSelector()
        elif kind in {int, float}:
            fields[vol.Required(name, default=field.default)] = _number_selector(name, field)
        elif get_origin(kind) is Literal:
            fields[vol.Required(name, default=field.default)] = _choice_selector(name, kind)
        elif name in special:
            # A list; one without anything in it may not be sent either.
            fields[vol.Optional(name, default=list)] = special[name]
    return fields


def _text_selector(field: FieldInfo) -> TextSelector:
    """Return the selector of a text; a template has several lines, a secret is not shown."""
    if any(isinstance(mark, Secret) for mark in field.metadata):
        return TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))
    return TextSelector(TextSelectorConfig(multiline=placeholders(field) is not None))


def _choice_selector(name: str, kind: Any) -> SelectSelector:
    """Return the selector of one of a few values."""
    return SelectSelector(
        SelectSelectorConfig(
            options=list(get_args(kind)), translation_key=name, mode=SelectSelectorMode.DROPDOWN
        )
    )


def _number_selector(name: str, field: FieldInfo) -> NumberSelector:
    """Return the selector of a number, within its range."""
    low = next(mark.ge for mark in field.metadata if hasattr(mark, "ge"))
    high = next(mark.le for mark in field.metadata if hasattr(mark, "le"))
    step = 1 if field.annotation is int else 0.05
    slider = (high - low) / step <= _SLIDER_STEPS
    config = NumberSelectorConfig(
        min=low,
        max=high,
        step=step if slider or field.annotation is int else "any",
        mode=NumberSelectorMode.SLIDER if slider else NumberSelectorMode.BOX,
    )
    if unit := "ms" if name.endswith("_ms") else _UNITS.get(name):
        config["unit_of_measurement"] = unit
    return NumberSelector(config)


def _special_selectors(
    hass: HomeAssistant, entry: ConfigEntry, models: list[str], current: Mapping[str, Any]
) -> Selectors:
    """Return the selectors whose choices depend on what there is."""
    router = current.get("router", {})
    return {
        CONF_MODEL: _model_choice(models, current.get(CONF_MODEL, "")),
        "trial_model": _model_choice(models, router.get("trial_model", "")),
    } | {name: _connection_choice(hass, entry, name, router.get(name)) for name in _EMPTY_CHOICES}


def _model_choice(models: list[str], chosen: str) -> SelectSelector:
    """Return the choice of a model, among them the one that is chosen already."""
    return model_selector([name for name in dict.fromkeys((*models, chosen)) if name])


def _connection_choice(
    hass: HomeAssistant, entry: ConfigEntry, name: str, chosen: str | None
) -> SelectSelector:
    """Return the choice of another connection."""
    empty = _EMPTY_CHOICES[name]
    options = [SelectOptionDict(value=empty, label=empty)]
    known = _other_connections(hass, entry, chosen)
    for entry_id, title in sorted(known.items(), key=lambda item: item[1].casefold()):
        options.append(SelectOptionDict(value=entry_id, label=title))
    return SelectSelector(
        SelectSelectorConfig(
            options=options, translation_key=name, mode=SelectSelectorMode.DROPDOWN
        )
    )


def _other_connections(
    hass: HomeAssistant, entry: ConfigEntry, chosen: str | None
) -> dict[str, str]:
    """Return the titles of other connections with a model, by entry id.

    One that is chosen already need not be loaded.
    """
    known = {
        other.entry_id: other.title
        for other in hass.config_entries.async_loaded_entries(DOMAIN)
        if other.data[CONF_PROVIDER] != PROVIDER_NONE
    }
    if chosen and (other := hass.config_entries.async_get_entry(chosen)):
        known[chosen] = other.title
    known.pop(entry.entry_id, None)
    return known


@callback
def shown_values(
    hass: HomeAssistant, entry: ConfigEntry, kept: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a form shows for what a subentry keeps; what it does not keep has its default."""
    groups = option_groups()
    values: dict[str, Any] = AssistantOptions().model_dump(mode="json") | {
        name: value for name, value in kept.items() if name not in groups
    }
    for name in groups:
        values[name] |= kept.get(name, {})
    for name, empty in _EMPTY_CHOICES.items():
        chosen = values["router"][name]
        if chosen == entry.entry_id or not hass.config_entries.async_get_entry(chosen):
            values["router"][name] = empty
    if not values[CONF_MODEL]:
        del values[CONF_MODEL]
    return values


def read_options(typed: Mapping[str, Any]) -> AssistantOptions:
    """Return the options that were typed into a form.

    Raises:
        ValidationError: a value is out of its range, or a template has unknown placeholders.
    """
    options = dict(typed)
    for name, group in option_groups().items():
        options[name] = {
            key: value
            for key, value in typed.get(name, {}).items()
            # An empty text is the default, be that empty or not.
            if value not in ("", _EMPTY_CHOICES.get(key)) and key in group.model_fields
        }
    return AssistantOptions.from_subentry(options)


def kept_values(options: AssistantOptions) -> dict[str, Any]:
    """Return what a subentry keeps of options: what differs from the defaults."""
    return options.model_dump(mode="json", exclude_defaults=True)


def form_errors(err: ValidationError) -> dict[str, str]:
    """Return the errors of a form, by field and by the section the field is in.

    Home Assistant shows an error in a section only above the section. What is wrong in a list is told
    of the list.
    """
    return {
        str(place): _ERRORS.get(detail["type"], "invalid_value")
        for detail in err.errors()
        for place in detail["loc"][:2]
    }


def error_placeholders(err: ValidationError, labels: Mapping[str, str]) -> dict[str, str]:
    """Return what the texts of the errors name: the fields, and the placeholders these may hold.

    `labels` are the labels of the form's fields, by the path of a field (`router.system_prompt`).
    """
    groups = option_groups()
    fields: list[str] = []
    allowed: list[str] = []
    for detail in err.errors():
        path = ".".join(map(str, detail["loc"][:2]))
        # The number of what is wrong in a list.
        number = [f" {place + 1}" for place in detail["loc"][2:] if isinstance(place, int)]
        fields.append(labels.get(path, path) + "".join(number))
        if detail["type"] == "value_error":
            group, name = map(str, detail["loc"])
            allowed += placeholders(groups[group].model_fields[name]) or ()
    return {
        "field": ", ".join(fields),
        "placeholders": ", ".join(PLACEHOLDER_TEXTS[name] for name in dict.fromkeys(allowed)),
    }

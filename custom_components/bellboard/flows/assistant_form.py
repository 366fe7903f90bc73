"""The fields of an assistant's form, made from the options themselves.

Their types, ranges and defaults are read from `options.py`. What the form adds is only how it looks,
and what it shows where an option is empty: the built-in text, or a choice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant, callback
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

from ..const import CONF_PROVIDER, DOMAIN, PROVIDER_NONE
from ..options import NAMES_NOBODY, NO_ADDRESS, AssistantOptions, Options, Placeholders, Secret
from .model_choice import model_selector
from .scope_form import agent_choices, scope_selector

CHOSEN_MODELS = frozenset({CONF_MODEL, "router.trial_model"})
"""The options that are one of the server's models."""

OWN_CONNECTION, NO_CONNECTION = "own", "none"
# What a choice of a connection shows where the option is empty.
_EMPTY_CHOICES = {
    "router.chat_client_key": OWN_CONNECTION,
    "router.escalation_key": NO_CONNECTION,
}
_CHOSEN_AGENTS = ("router.clarification_agent_id", "router.fallback_agent_id")
# What is wrong with a value, by pydantic's name for it, where that is told in words of its own.
_ERRORS = {
    "value_error": "invalid_template",
    NAMES_NOBODY: "rule_names_nobody",
    NO_ADDRESS: "no_address",
}
_OUT_OF_SIGHT = "invalid_elsewhere"

_UNITS = {"timeout": "s", "trial_share": "%", "task_context_ttl": "h", "sqlite_max_mb": "MB"}
_SLIDER_STEPS = 100
"""With more steps than this, a slider cannot be set with a finger: a number is typed instead."""

type Selectors = Mapping[str, Selector[Any]]


def option_groups() -> dict[str, type[Options]]:
    """Return the groups of an assistant's options, by name."""
    return {
        name: field.annotation
        for name, field in AssistantOptions.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, Options)
    }


def field_of(path: str) -> FieldInfo:
    """Return what is known of an option."""
    group, _, name = path.rpartition(".")
    model = option_groups()[group] if group else AssistantOptions
    return model.model_fields[name]


def name_of(path: str) -> str:
    """Return the name of an option, which is that of its field in the form."""
    return path.rpartition(".")[2]


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
def other_connections(
    hass: HomeAssistant, entry: ConfigEntry, chosen: Iterable[str] = ()
) -> dict[str, str]:
    """Return the titles of other connections with a model, by entry id.

    One that is `chosen` already need not be loaded.
    """
    known = {
        other.entry_id: other.title
        for other in hass.config_entries.async_loaded_entries(DOMAIN)
        if other.data[CONF_PROVIDER] != PROVIDER_NONE
    }
    for entry_id in chosen:
        if other := hass.config_entries.async_get_entry(entry_id):
            known[entry_id] = other.title
    known.pop(entry.entry_id, None)
    return known


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantForm:
    """The form of an assistant of a connection, page by page.

    `models` are those the server lists, `users` the people that can be chosen, `texts` the built-in
    ones by option. `kept` is what the assistant's subentry keeps before it is changed.
    """

    hass: HomeAssistant
    entry: ConfigEntry
    kept: Mapping[str, Any]
    models: list[str]
    users: list[SelectOptionDict]
    texts: Mapping[str, str]

    def fields(self, paths: Iterable[str]) -> dict[vol.Marker, Selector[Any]]:
        """Return the fields for some options."""
        return dict(self._field(path) for path in paths)

    def shown(self, values: Mapping[str, Any], paths: Iterable[str]) -> dict[str, Any]:
        """Return what the fields of some options show for the values a subentry would keep.

        What is not kept has its default; where that is an empty text, the built-in one is shown.
        """
        shown: dict[str, Any] = {}
        for path in paths:
            value = _value(values, path)
            if path in _EMPTY_CHOICES and not self._is_there(value):
                value = _EMPTY_CHOICES[path]
            shown[name_of(path)] = value or self.texts.get(path, value)
        if not shown.get(CONF_MODEL, True):
            del shown[CONF_MODEL]
        return shown

    def typed(
        self, values: Mapping[str, Any], paths: Iterable[str], typed: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return values with what was typed for some options; what was emptied has its default."""
        changed = {
            name: dict(value) if name in option_groups() else value
            for name, value in values.items()
        }
        for path in paths:
            group, _, name = path.rpartition(".")
            place = changed.setdefault(group, {}) if group else changed
            value = typed.get(name, "")
            is_empty = value in ("", _EMPTY_CHOICES.get(path)) or value == self.texts.get(path)
            if is_empty:
                place.pop(name, None)
            else:
                place[name] = value
        return changed

    def _is_there(self, entry_id: Any) -> bool:
        """Return whether another connection is there, loaded or not."""
        is_other = bool(entry_id) and entry_id != self.entry.entry_id
        return is_other and self.hass.config_entries.async_get_entry(entry_id) is not None

    def _field(self, path: str) -> tuple[vol.Marker, Selector[Any]]:
        """Return the field of an option."""
        field, name = field_of(path), name_of(path)
        kind: Any = field.annotation
        selector = self._selector(path, field)
        if path == CONF_MODEL:
            return vol.Required(name), selector
        if path in _EMPTY_CHOICES:
            return vol.Required(name, default=_EMPTY_CHOICES[path]), selector
        if kind is str:
            # An emptied text is not sent at all, and is the default again.
            return vol.Optional(name, default=self.texts.get(path, field.default)), selector
        if kind in {bool, int, float} or get_origin(kind) is Literal:
            return vol.Required(name, default=field.default), selector
        # A list; one without anything in it may not be sent either.
        return vol.Optional(name, default=list), selector

    def _selector(self, path: str, field: FieldInfo) -> Selector[Any]:
        """Return how an option is chosen."""
        kind: Any = field.annotation
        name = name_of(path)
        if path in CHOSEN_MODELS:
            chosen = _value(self.kept, path)
            return model_selector([name for name in dict.fromkeys((*self.models, chosen)) if name])
        if path in _EMPTY_CHOICES:
            return self._connection_choice(path)
        if path in _CHOSEN_AGENTS:
            return self._agent_choice(path)
        if path == "scope.rules":
            return scope_selector(self.hass, self.entry, self.users)
        if kind is bool:
            return BooleanSelector()
        if kind in {int, float}:
            return _number_selector(name, field)
        return (
            _choice_selector(name, kind) if get_origin(kind) is Literal else _text_selector(field)
        )

    def _connection_choice(self, path: str) -> SelectSelector:
        """Return the choice of another connection."""
        empty, chosen = _EMPTY_CHOICES[path], _value(self.kept, path)
        known = other_connections(self.hass, self.entry, [chosen] if chosen else [])
        options = [SelectOptionDict(value=empty, label=empty)]
        for entry_id, title in sorted(known.items(), key=lambda item: item[1].casefold()):
            options.append(SelectOptionDict(value=entry_id, label=title))
        return SelectSelector(
            SelectSelectorConfig(
                options=options, translation_key=name_of(path), mode=SelectSelectorMode.DROPDOWN
            )
        )

    def _agent_choice(self, path: str) -> SelectSelector:
        """Return the choice of an agent by its name, among them the one that is chosen already."""
        options = agent_choices(self.entry, with_unrouted=True)
        chosen = _value(self.kept, path)
        if chosen and all(option["value"] != chosen for option in options):
            options.append(SelectOptionDict(value=chosen, label=chosen))
        return SelectSelector(
            SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN)
        )


def _value(values: Mapping[str, Any], path: str) -> Any:
    """Return the value of an option in what a subentry keeps, or its default, as JSON has it."""
    group, _, name = path.rpartition(".")
    place = values.get(group, {}) if group else values
    default = field_of(path).default
    return place.get(name, list(default) if isinstance(default, tuple) else default)


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


def kept_values(options: AssistantOptions) -> dict[str, Any]:
    """Return what a subentry keeps of options: what differs from the defaults."""
    return options.model_dump(mode="json", exclude_defaults=True)


def form_errors(err: ValidationError, paths: Iterable[str]) -> dict[str, str]:
    """Return what is wrong with the options of a page, by field.

    What is wrong in a list is told of the list, and what stands on another page of the whole page.
    """
    asked = frozenset(paths)
    errors: dict[str, str] = {}
    for path, detail in _details(err):
        if path in asked:
            errors[name_of(path)] = _ERRORS.get(detail["type"], "invalid_value")
        else:
            errors["base"] = _OUT_OF_SIGHT
    return errors


def error_placeholders(err: ValidationError) -> dict[str, str]:
    """Return what the texts of the errors name: what templates may hold, and the number of a rule."""
    allowed: list[str] = []
    numbers: list[str] = []
    for path, detail in _details(err):
        numbers += [str(place + 1) for place in detail["loc"] if isinstance(place, int)]
        if detail["type"] == "value_error":
            allowed += placeholders(field_of(path)) or ()
    return {
        "placeholders": ", ".join(PLACEHOLDER_TEXTS[name] for name in dict.fromkeys(allowed)),
        "number": ", ".join(dict.fromkeys(numbers)),
    }


def _details(err: ValidationError) -> list[tuple[str, Any]]:
    """Return what is wrong, each with the path of the option."""
    groups = option_groups()
    return [
        (".".join(map(str, detail["loc"][: 2 if detail["loc"][0] in groups else 1])), detail)
        for detail in err.errors()
    ]

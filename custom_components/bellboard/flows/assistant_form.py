"""The fields of an assistant's form, made from the options themselves.

Their types, ranges and defaults are read from `options.py`. What the form adds is only how it looks,
and what it shows where an option is empty: the built-in text, or a choice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import intent
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    NumberSelector,
    ObjectSelector,
    ObjectSelectorConfig,
    ObjectSelectorField,
    SelectOptionDict,
    Selector,
    SelectSelector,
    TemplateSelector,
    TextSelector,
    TextSelectorConfig,
    TimeSelector,
)
from pydantic import ValidationError
from pydantic.fields import FieldInfo
import voluptuous as vol

from ..agents.llm_api_tools import llm_api_names
from ..assistant import UNROUTED_AGENTS
from ..const import CONF_PROVIDER, PROVIDER_NONE
from ..nlu.loader import async_get_language
from ..options import (
    NAMES_NOBODY,
    NO_ADDRESS,
    PARTS_OUT_OF_ORDER,
    REQUEST,
    AssistantOptions,
    Placeholders,
    RouterOptions,
    Secret,
)
from ..routing.prompt import catalog_heading, system_template, user_template
from .assistant_pages import PRICES, field_of, name_of, option_groups, value_of
from .selectors import (
    choices,
    connection_titles,
    dropdown,
    model_selector,
    number_selector,
    secret_selector,
)

_TRANSLATION_KEY = "scope_rules"


async def async_user_choices(hass: HomeAssistant) -> list[SelectOptionDict]:
    """Return the people that can be chosen, by name; Home Assistant's own users are none."""
    people = [user for user in await hass.auth.async_get_users() if not user.system_generated]
    return choices({user.id: user.name or user.id for user in people if user.is_active})


@callback
def agent_choices(entry: ConfigEntry, *, with_unrouted: bool = False) -> list[SelectOptionDict]:
    """Return a connection's agents by name, also those that are never routed to if so asked."""
    cards = {
        agent.card.id: agent.card.name
        for assistant in entry.runtime_data.assistants.values()
        for agent in assistant.registry
        if with_unrouted or agent.card.id not in UNROUTED_AGENTS
    }
    return [SelectOptionDict(value=agent_id, label=name) for agent_id, name in cards.items()]


@callback
def scope_selector(
    hass: HomeAssistant, entry: ConfigEntry, users: list[SelectOptionDict]
) -> ObjectSelector:
    """Return the selector of a list of rules, with the connection's agents and `users` to choose."""
    agents = agent_choices(entry)
    known = {handler.intent_type for handler in intent.async_get(hass)}
    fields: dict[str, Selector[Any]] = {
        "agents": dropdown(agents, multiple=True, custom_value=True),
        "intents": dropdown(
            choices({name: name for name in known}), multiple=True, custom_value=True
        ),
        "areas": AreaSelector(AreaSelectorConfig(multiple=True)),
        "satellites": EntitySelector(
            EntitySelectorConfig(domain="assist_satellite", multiple=True)
        ),
        "users": dropdown(users, multiple=True, custom_value=True),
        "after": TimeSelector(),
        "before": TimeSelector(),
        # Not a slider: it would show 0 for what was left empty, and empty is everybody.
        "share": number_selector(0, 100, unit="%"),
    }
    return ObjectSelector(
        ObjectSelectorConfig(
            fields={name: ObjectSelectorField(selector=kind) for name, kind in fields.items()},
            multiple=True,
            label_field="agents",
            description_field="areas",
            translation_key=_TRANSLATION_KEY,
        )
    )


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
    PARTS_OUT_OF_ORDER: "parts_out_of_order",
}
_OUT_OF_SIGHT = "invalid_elsewhere"

_UNITS = {"timeout": "s", "trial_share": "%", "task_context_ttl": "h", "sqlite_max_mb": "MB"}
_SLIDER_STEPS = 100
"""With more steps than this, a slider cannot be set with a finger: a number is typed instead."""


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


async def async_built_in_texts(hass: HomeAssistant, router: RouterOptions) -> dict[str, str]:
    """Return the built-in texts by option, as they are used beside the prompts that are chosen.

    Those that are spoken are in the home's language.
    """
    replies = (await async_get_language(hass, hass.config.language)).replies
    partial = replies["aggregate.partial"]
    return {
        "router.system_prompt": system_template(router.model_copy(update={"system_prompt": ""})),
        "router.user_prompt_template": user_template(
            router.model_copy(update={"user_prompt_template": ""})
        )
        or f"{{{REQUEST}}}",
        "router.agent_catalog_header": catalog_heading(
            router.model_copy(update={"agent_catalog_header": ""})
        ),
        "router.clarification_prompt_template": replies["ask.agent"],
        "router.fallback_reason_template": replies["ask.agent"],
        "aggregation.default_fallback_message": replies["aggregate.fallback"],
        "aggregation.partial_failure_template": partial.format(
            success="{successMessage}", failure="{failureMessage}"
        ),
    }


@callback
def other_connections(
    hass: HomeAssistant, entry: ConfigEntry, chosen: Iterable[str] = ()
) -> dict[str, str]:
    """Return the titles of other connections with a model, by entry id.

    One that is `chosen` already need not be loaded.
    """
    titles = connection_titles(
        hass, lambda other: other.data[CONF_PROVIDER] != PROVIDER_NONE, chosen
    )
    titles.pop(entry.entry_id, None)
    return titles


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
        """Return the values of some options' fields for the values that a subentry would store.

        What is not kept has its default; where that is an empty text, the built-in one is shown.
        """
        shown: dict[str, Any] = {}
        for path in paths:
            value = value_of(values, path)
            if path in _EMPTY_CHOICES and not self._is_there(value):
                value = _EMPTY_CHOICES[path]
            if value is not None:
                shown[name_of(path)] = value or self.texts.get(path, value)
        if not shown.get(CONF_MODEL, True):
            del shown[CONF_MODEL]
        return shown

    def typed(
        self, values: Mapping[str, Any], paths: Iterable[str], typed: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return values with what was typed for some options; what was emptied has its default.

        A number that may be none is none where it was emptied.
        """
        changed = {
            name: dict(value) if name in option_groups() else value
            for name, value in values.items()
        }
        for path in paths:
            group, _, name = path.rpartition(".")
            place = changed.setdefault(group, {}) if group else changed
            if _may_be_none(field_of(path)):
                place[name] = typed.get(name)
                continue
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
        if _may_be_none(field):
            return vol.Optional(name), selector
        if path in _EMPTY_CHOICES:
            return vol.Required(name, default=_EMPTY_CHOICES[path]), selector
        if kind is str:
            # An emptied text is not sent at all, and is the default again.
            return vol.Optional(name, default=self.texts.get(path, field.default)), selector
        if kind in {bool, int, float} or get_origin(kind) is Literal:
            return vol.Required(name, default=field.default), selector
        if kind is time:
            return vol.Required(name, default=value_of({}, path)), selector
        # A list; one without anything in it may not be sent either.
        return vol.Optional(name, default=list), selector

    def _selector(self, path: str, field: FieldInfo) -> Selector[Any]:
        """Return how an option is chosen."""
        kind: Any = field.annotation
        name = name_of(path)
        if path in CHOSEN_MODELS:
            chosen = value_of(self.kept, path)
            return model_selector([name for name in dict.fromkeys((*self.models, chosen)) if name])
        if path in _EMPTY_CHOICES:
            return self._connection_choice(path)
        if path in _CHOSEN_AGENTS:
            return self._agent_choice(path)
        if path == "tools.llm_hass_api":
            chosen = {api_id: api_id for api_id in value_of(self.kept, path)}
            return dropdown(choices(chosen | llm_api_names(self.hass)), multiple=True)
        if path == "tools.persona":
            return TemplateSelector()
        if path == "scope.rules":
            return scope_selector(self.hass, self.entry, self.users)
        if kind is bool:
            return BooleanSelector()
        if kind is time:
            return TimeSelector()
        if kind in {int, float} or _may_be_none(field):
            unit = self.hass.config.currency if path in PRICES else _UNITS.get(name)
            return _number_selector(name, field, unit)
        if get_origin(kind) is Literal:
            return dropdown(list(get_args(kind)), translation_key=name)
        return _text_selector(field)

    def _connection_choice(self, path: str) -> SelectSelector:
        """Return the choice of another connection."""
        empty, chosen = _EMPTY_CHOICES[path], value_of(self.kept, path)
        others = choices(other_connections(self.hass, self.entry, [chosen]))
        return dropdown(
            [SelectOptionDict(value=empty, label=empty), *others], translation_key=name_of(path)
        )

    def _agent_choice(self, path: str) -> SelectSelector:
        """Return the choice of an agent by its name, among them the one that is chosen already."""
        options = agent_choices(self.entry, with_unrouted=True)
        chosen = value_of(self.kept, path)
        if chosen and all(option["value"] != chosen for option in options):
            options.append(SelectOptionDict(value=chosen, label=chosen))
        return dropdown(options)


def unknown_agents(
    entry: ConfigEntry, router: RouterOptions, paths: Iterable[str]
) -> dict[str, str]:
    """Return the fields of a page that name an agent that is not there."""
    known = {option["value"] for option in agent_choices(entry, with_unrouted=True)}
    names = [name_of(path) for path in paths if path in _CHOSEN_AGENTS]
    return {name: "unknown_agent" for name in names if getattr(router, name) not in known}


def _text_selector(field: FieldInfo) -> TextSelector:
    """Return the selector of a text; a template has several lines, a secret is not shown."""
    if any(isinstance(mark, Secret) for mark in field.metadata):
        return secret_selector()
    return TextSelector(TextSelectorConfig(multiline=placeholders(field) is not None))


def _number_selector(name: str, field: FieldInfo, unit: str | None) -> NumberSelector:
    """Return the selector of a number, within its range; milliseconds are known by the option's name."""
    kind, marks = _number(field)
    low = next(mark.ge for mark in marks if hasattr(mark, "ge"))
    high = next(mark.le for mark in marks if hasattr(mark, "le"))
    is_whole = kind is int
    step = 1 if is_whole else 0.05
    slider = (high - low) / step <= _SLIDER_STEPS
    return number_selector(
        low,
        high,
        step=step if slider or is_whole else "any",
        unit="ms" if name.endswith("_ms") else unit,
        slider=slider,
    )


def _may_be_none(field: FieldInfo) -> bool:
    """Return whether an option is a number or none."""
    return NoneType in get_args(field.annotation)


def _number(field: FieldInfo) -> tuple[Any, Sequence[Any]]:
    """Return the type and the bounds of an option that is a number, or a number or none."""
    if not _may_be_none(field):
        return field.annotation, field.metadata
    [annotated] = (each for each in get_args(field.annotation) if each is not NoneType)
    kind, bounds = get_args(annotated)
    return kind, bounds.metadata


def kept_values(options: AssistantOptions) -> dict[str, Any]:
    """Return the options that a subentry stores: those that differ from the defaults."""
    return options.model_dump(mode="json", exclude_defaults=True)


def form_errors(err: ValidationError, paths: Iterable[str]) -> dict[str, str]:
    """Return the errors in the options of a page, by field.

    What is wrong in a list is told of the list, and what stands on another page of the whole page, as is what is
    wrong with several options together.
    """
    asked = frozenset(paths)
    groups = {path.rpartition(".")[0] for path in asked} - {""}
    errors: dict[str, str] = {}
    for path, detail in _details(err):
        if path in asked | groups:
            place = name_of(path) if path in asked else "base"
            errors[place] = _ERRORS.get(detail["type"], "invalid_value")
        else:
            errors["base"] = _OUT_OF_SIGHT
    return errors


def error_placeholders(err: ValidationError) -> dict[str, str]:
    """Return the placeholders of the errors' texts: the names that templates may hold, and the number of a rule."""
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

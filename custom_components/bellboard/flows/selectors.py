"""The selectors that several forms have: lists of choices, connections, models, numbers and secrets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
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

from ..const import DOMAIN
from .names import short_name


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

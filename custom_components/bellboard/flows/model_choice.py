"""The models of a connection's server, as the forms offer them."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import (
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from ..connections.connection import async_list_models
from ..const import CONF_PROVIDER, PROVIDER_NONE
from ..llm.errors import ModelError

# What a model's file ends with.
_FILE = ".gguf"


async def async_try_connection(
    hass: HomeAssistant, connection: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]]:
    """Return the form's errors for a connection, and the names of the models behind it."""
    if connection[CONF_PROVIDER] == PROVIDER_NONE:
        return {}, []
    try:
        models = [model.id for model in await async_list_models(hass, connection)]
    except ModelError as err:
        return {"base": err.kind}, []
    return ({} if models else {"base": "no_models"}), models


def short_name(model: str) -> str:
    """Return what a model is called, where its server knows it by a file ("/models/llama.gguf")."""
    name = model.replace("\\", "/").rstrip("/")
    is_file = name.endswith(_FILE) or name.startswith(("/", "."))
    return name.rpartition("/")[2].removesuffix(_FILE) if is_file else name


def model_selector(models: list[str]) -> SelectSelector:
    """Return the choice among a server's models, by their names; another one may be typed."""
    shorts = [short_name(model) for model in models]
    options = [
        # Two files of one name are told apart by their paths.
        SelectOptionDict(value=model, label=short if shorts.count(short) == 1 else model)
        for model, short in zip(models, shorts, strict=True)
    ]
    return SelectSelector(
        SelectSelectorConfig(
            options=options, mode=SelectSelectorMode.DROPDOWN, custom_value=True, sort=True
        )
    )

"""The test of a chosen model, while a form shows how far it is, and what came of it in words."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations
import voluptuous as vol

from ..connections.aptitude import Aptitude, async_find_out, read_aptitude
from ..const import DOMAIN
from ..llm.ability import Contract, contract_of
from ..llm.client import ModelClient
from ..llm.errors import ModelError
from ..options import AUTOMATIC
from .selectors import dropdown

CONF_CONTRACT = "contract"

# In seconds, that somebody looks at a form; a slower model is tested once it is set up.
_PATIENCE = 180
_NOTHING_YET = "–"

CONTRACT_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_CONTRACT, default=AUTOMATIC): dropdown(
            [AUTOMATIC, *Contract], translation_key=CONF_CONTRACT
        )
    }
)
"""The form that shows what came of a test, in which another contract can be chosen."""


class AptitudeTest:
    """A test of one model that is under way; `seconds` bound one question."""

    def __init__(
        self,
        hass: HomeAssistant,
        model: ModelClient,
        seconds: float,
        on_progress: Callable[[float], None],
    ) -> None:
        """Begin the test."""
        self.model = model.model
        self.task: asyncio.Task[Aptitude | None] = hass.async_create_background_task(
            _async_test(model, seconds, on_progress), f"{DOMAIN} aptitude of {model.model}"
        )

    @property
    def found(self) -> Aptitude | None:
        """Return the aptitude that was found, None for none."""
        return self.task.result() if self.task.done() and not self.task.cancelled() else None

    @property
    def is_tested(self) -> bool:
        """Return whether questions were asked, and answered."""
        return self.found is not None and self.found.asked > 0

    @property
    def progress(self) -> dict[str, Any]:
        """Return the arguments of the step that shows how far it is."""
        return {
            "step_id": "test",
            "progress_action": "test",
            "progress_task": self.task,
            "description_placeholders": {"model": self.model},
        }

    async def async_form(self, hass: HomeAssistant, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the form that shows what came of it."""
        known = await async_describe(hass, self.model, data)
        return {
            "step_id": "tested",
            "data_schema": CONTRACT_SCHEMA,
            "description_placeholders": {"model": self.model, "known": known},
        }


async def _async_test(
    model: ModelClient, seconds: float, on_progress: Callable[[float], None]
) -> Aptitude | None:
    """Return what is found out of a model, None where it cannot be asked or takes too long."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return await async_find_out(model, seconds, on_progress)
    except ModelError, TimeoutError:
        # It is tried again once the assistant is set up.
        return None


async def async_describe(hass: HomeAssistant, model: str, data: Mapping[str, Any]) -> str:
    """Return a model's contract and the reason for it, in the home's language; a dash where it is unknown."""
    known = read_aptitude(data)
    aptitude = known if known and known.model == model else None
    contract = aptitude.contract if aptitude else contract_of(model)
    if contract is None:
        return _NOTHING_YET
    label = await _async_contract_label(hass, contract)
    detail = _detail(aptitude) if aptitude else model
    return f"{label} ({detail})"


async def _async_contract_label(hass: HomeAssistant, contract: Contract) -> str:
    """Return what a contract is called in the home's language."""
    texts = await async_get_translations(hass, hass.config.language, "selector", [DOMAIN])
    key = f"component.{DOMAIN}.selector.{CONF_CONTRACT}.options.{contract}"
    return texts.get(key, contract.value)


def _detail(aptitude: Aptitude) -> str:
    """Return by what a contract was found: "8 B" parameters, or "11/12" right answers."""
    if aptitude.parameters is not None:
        return f"{aptitude.parameters:g} B"
    return f"{aptitude.passed}/{aptitude.asked}"

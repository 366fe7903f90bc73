"""The action `bellboard.evaluate`: run golden cases against an assistant as dry runs."""

from dataclasses import dataclass
from pathlib import Path
import time
from typing import Any

from homeassistant.const import Platform
from homeassistant.core import (
    Context,
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers import (
    area_registry as ar,
    config_validation as cv,
    device_registry as dr,
    entity_registry as er,
)
import voluptuous as vol

from ..const import DOMAIN
from ..evaluation.compare import ObservedTurn, read_call
from ..evaluation.golden_file import GoldenFileError, read_cases, read_file
from ..evaluation.models import GoldenCase, GoldenFile
from ..evaluation.runner import CaseReport, MeasuredTurn, Outcome, async_run_case, skipped_case
from .action import Action
from .lookup import ASSISTANT_FIELD, ATTR_ASSISTANT, find_assistant, refusal

ATTR_CASES = "cases"
ATTR_LANGUAGE = "language"
ATTR_PATH = "path"

MOST_BYTES = 2_000_000
"""The size of a golden file at most."""

_SECRETS = "secrets.yaml"
_ENDINGS = (".yaml", ".yml")

_SCHEMA = vol.All(
    vol.Schema(
        {
            vol.Exclusive(ATTR_PATH, "source"): vol.All(cv.string, vol.Length(min=1)),
            vol.Exclusive(ATTR_CASES, "source"): list,
            **ASSISTANT_FIELD,
            vol.Optional(ATTR_LANGUAGE): cv.string,
        }
    ),
    cv.has_at_least_one_key(ATTR_PATH, ATTR_CASES),
)


async def _async_evaluate(call: ServiceCall) -> ServiceResponse:
    """Run all cases, one after the other, and return their reports."""
    hass, data = call.hass, call.data
    entity_id, assistant = find_assistant(hass, data.get(ATTR_ASSISTANT))
    golden = await _async_golden(hass, data)
    default = golden.language if "language" in golden.model_fields_set else hass.config.language
    language = data.get(ATTR_LANGUAGE, default)
    reports: list[CaseReport] = []
    for case in golden.cases:
        if reason := _reason_to_skip(case, has_model=assistant.model is not None):
            reports.append(skipped_case(case, reason))
        else:
            conversation = _DryRunConversation(hass, entity_id, call.context)
            reports.append(await async_run_case(case, conversation, language))
    return {
        **{outcome.value: sum(case.outcome is outcome for case in reports) for outcome in Outcome},
        "cases": [case.as_json() for case in reports],
    }


async def _async_golden(hass: HomeAssistant, data: dict[str, Any]) -> GoldenFile:
    """Return the golden file or the cases of a call.

    Raises:
        ServiceValidationError: there is no such file in the configuration, or it is wrong.
    """
    try:
        if ATTR_CASES in data:
            return read_cases(data[ATTR_CASES])
        return await hass.async_add_executor_job(_read, Path(hass.config.path()), data[ATTR_PATH])
    except GoldenFileError as err:
        raise refusal("golden_file_wrong", reason=str(err)) from err


def _read(folder: Path, path: str) -> GoldenFile:
    """Return the golden file at a path in the configuration folder.

    Raises:
        GoldenFileError: it is wrong, or far too large.
        ServiceValidationError: it is elsewhere, no YAML by its name, or holds secrets.
    """
    folder = folder.resolve()
    # Links are followed before it is looked where they lead.
    file = (folder / path).resolve()
    if not file.is_relative_to(folder) or file.suffix not in _ENDINGS or _is_private(file, folder):
        raise refusal("golden_file_elsewhere", path=path)
    if file.is_file() and file.stat().st_size > MOST_BYTES:
        raise GoldenFileError(f"{file.name} is larger than {MOST_BYTES // 1_000_000} MB")
    return read_file(file)


def _is_private(file: Path, folder: Path) -> bool:
    """Return whether a file is private: an error message could quote it."""
    parts = file.relative_to(folder).parts
    return file.name.casefold() == _SECRETS or any(part.startswith(".") for part in parts)


def _reason_to_skip(case: GoldenCase, *, has_model: bool) -> str:
    """Return why a case cannot be run in a live house; empty where it can."""
    if case.needs and not has_model:
        return "it needs a language model"
    if len(case.conversation) > 1:
        return "it is a conversation, and what is not carried out cannot be gone on with"
    return "it needs the house to be changed first" if case.given else ""


@dataclass(slots=True)
class _DryRunConversation:
    """A conversation in which every turn is a dry run."""

    hass: HomeAssistant
    entity_id: str
    context: Context

    async def async_say(self, text: str, *, language: str, area: str | None) -> MeasuredTurn:
        """Return the dry run of a sentence."""
        data: dict[str, Any] = {
            "text": text,
            "assistant": self.entity_id,
            "language": language,
            "dry_run": True,
        }
        if area:
            data["device_id"] = _device_in(self.hass, area)
        started = time.perf_counter()
        answer: Any = await self.hass.services.async_call(
            DOMAIN,
            "process",
            data,
            blocking=True,
            context=self.context,
            return_response=True,
        )
        return MeasuredTurn(
            observed=ObservedTurn(
                reply=str(answer["reply"]),
                state=str(answer["state"]),
                agents=tuple(str(agent["id"]) for agent in answer["agents"]),
                calls=tuple(read_call(made) for made in answer["calls"]),
            ),
            ms=(time.perf_counter() - started) * 1000,
        )


@callback
def _device_in(hass: HomeAssistant, area: str) -> str:
    """Return the id of a satellite's device in an area, or of any device there.

    Raises:
        ServiceValidationError: there is no such room, or nothing in it.
    """
    areas, entities = ar.async_get(hass), er.async_get(hass)
    found = areas.async_get_area(area) or areas.async_get_area_by_name(area)
    devices = dr.async_entries_for_area(dr.async_get(hass), found.id) if found else []
    if not devices:
        raise refusal("golden_area_empty", area=area)
    listening = {
        entry.device_id
        for entry in entities.entities.values()
        if entry.domain == Platform.ASSIST_SATELLITE
    }
    return next((d.id for d in devices if d.id in listening), devices[0].id)


ACTIONS = (
    # It reads a file, and may ask a model often.
    Action("evaluate", _async_evaluate, _SCHEMA, SupportsResponse.ONLY, for_admins=True),
)

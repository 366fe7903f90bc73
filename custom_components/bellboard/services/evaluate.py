"""The action `bellboard.evaluate`: run golden cases against an assistant as dry runs."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
import time
from typing import Any

from homeassistant.components.conversation import ConversationInput
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
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from ..assistant import Assistant
from ..evaluation.compare import ObservedTurn, read_call
from ..evaluation.golden_file import GoldenFileError, read_cases, read_file
from ..evaluation.history import evaluation_history
from ..evaluation.models import GoldenCase, GoldenFile
from ..evaluation.report import CaseResult, Summary, compare_runs, summaries_by_agent, summary_of
from ..evaluation.runner import CaseOutcome, CaseReport, MeasuredTurn, async_run_case, skipped_case
from ..turn.dry_run import create_dry_run
from ..turn.pipeline import async_take_turn
from ..turn.record import call_as_json
from .action import (
    ASSISTANT_FIELD,
    ATTR_ASSISTANT,
    ServiceAction,
    assistant_id_of,
    find_assistant,
    refusal,
)

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
    source = data[ATTR_PATH] if ATTR_PATH in data else data[ATTR_CASES]
    golden = await async_read_golden(hass, source)
    language = data.get(ATTR_LANGUAGE, language_of(hass, golden))
    cases = async_run_cases(assistant, entity_id, golden, language, call.context)
    reports = [report async for report in cases]
    assistant_id = str(assistant_id_of(hass, entity_id))
    return await async_report(hass, assistant_id, source, reports)


def language_of(hass: HomeAssistant, golden: GoldenFile) -> str:
    """Return the language of a golden file, where it says none that of the home."""
    return golden.language if "language" in golden.model_fields_set else hass.config.language


async def async_run_cases(
    assistant: Assistant, entity_id: str, golden: GoldenFile, language: str, context: Context
) -> AsyncGenerator[CaseReport]:
    """Yield the report of each case of a golden file, run one after the other as dry runs."""
    for case in golden.cases:
        if reason := _reason_to_skip(case, has_model=assistant.model is not None):
            yield skipped_case(case, reason)
        else:
            dry = create_dry_run(assistant, None)
            conversation = _DryRunConversation(dry, context, entity_id)
            yield await async_run_case(case, conversation, language)


async def async_report(
    hass: HomeAssistant, assistant_id: str, source: Any, reports: Sequence[CaseReport]
) -> dict[str, Any]:
    """Return a run as JSON, compared with the last run of the same cases, and keep it for the next."""
    earlier = await _async_compare(hass, assistant_id, source, reports)
    return {
        **{
            outcome.value: sum(case.outcome is outcome for case in reports)
            for outcome in CaseOutcome
        },
        "latency": _latency(summary_of(reports)),
        "by_agent": {
            agent_id: {**found.as_json()} for agent_id, found in summaries_by_agent(reports).items()
        },
        "earlier": earlier,
        "cases": [case.as_json() for case in reports],
    }


def _latency(summary: Summary) -> dict[str, Any]:
    """Return how long sentences took, in milliseconds."""
    return {"p50_ms": summary.p50, "p95_ms": summary.p95}


async def _async_compare(
    hass: HomeAssistant, assistant_id: str, source: Any, reports: Sequence[CaseReport]
) -> dict[str, Any] | None:
    """Return what is otherwise than in the last run of the same cases, None before the second; keep this one."""
    history = evaluation_history(hass, assistant_id)
    # Cases that came without a file are all kept under one name.
    source = source if isinstance(source, str) else ATTR_CASES
    at, before = await history.async_last(source)
    await history.async_keep(source, reports)
    if not at:
        return None
    after = {case.id: CaseResult(case.outcome.value, tuple(case.differences)) for case in reports}
    return {"at": at, **compare_runs(before, after).as_json()}


async def async_read_golden(hass: HomeAssistant, source: str | list[Any]) -> GoldenFile:
    """Return the golden file at a path in the configuration, or the one of some cases.

    Raises:
        ServiceValidationError: there is no such file in the configuration, or it is wrong.
    """
    try:
        if not isinstance(source, str):
            return read_cases(source)
        return await hass.async_add_executor_job(_read, Path(hass.config.path()), source)
    except GoldenFileError as err:
        raise refusal("golden_file_wrong", reason=str(err)) from err


def _read(folder: Path, path: str) -> GoldenFile:
    """Return the golden file at a path in the configuration folder.

    Raises:
        GoldenFileError: it is wrong, or far too large.
        ServiceValidationError: it is elsewhere, no YAML by its name, or holds secrets.
    """
    folder = folder.resolve()
    try:
        # Links are followed before it is looked where they lead.
        file = (folder / path).resolve()
    except (OSError, ValueError) as err:
        # No file can be called so: there is a NUL in it, or half of a character.
        raise refusal("golden_file_elsewhere", path=path) from err
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
    return "it needs the house to be changed first" if case.given else ""


@dataclass(slots=True)
class _DryRunConversation:
    """A conversation in which every turn is a dry run, and goes on from those before.

    What they would have changed is not: "brighter" is brighter than the lamp is now.
    """

    assistant: Assistant
    context: Context
    entity_id: str
    conversation_id: str = field(default_factory=ulid_now)

    async def async_say(self, text: str, *, language: str, area: str | None) -> MeasuredTurn:
        """Return the dry run of a sentence."""
        user_input = ConversationInput(
            text=text,
            context=self.context,
            conversation_id=self.conversation_id,
            device_id=device_in(self.assistant.hass, area) if area else None,
            satellite_id=None,
            language=language,
            agent_id=self.entity_id,
        )
        started = time.perf_counter()
        result = await async_take_turn(self.assistant, user_input, dry_run=True)
        ms = (time.perf_counter() - started) * 1000
        trace = result.record
        return MeasuredTurn(
            observed=ObservedTurn(
                reply=result.text,
                state=result.state.value,
                agents=tuple(str(agent["id"]) for agent in trace.agents),
                calls=tuple(read_call(call_as_json(made)) for made in result.dry_run_calls),
                stages=trace.stages,
            ),
            ms=ms,
            model_calls=trace.model.calls,
            tokens=trace.model.usage.prompt_tokens + trace.model.usage.completion_tokens,
        )


@callback
def device_in(hass: HomeAssistant, area: str) -> str:
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
    ServiceAction("evaluate", _async_evaluate, _SCHEMA, SupportsResponse.ONLY, for_admins=True),
)

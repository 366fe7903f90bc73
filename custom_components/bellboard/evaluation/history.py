"""Keeps the last run of each golden file and assistant in Home Assistant's storage, for the next to compare with."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
from pydantic import ConfigDict, Field

from ..const import DOMAIN
from ..json_model import JsonModel, timestamp
from ..memory.ha_store import KeptList, ListKind, async_remove_list
from .report import CaseResult
from .runner import CaseReport

_NAME = "evaluations"
_DATA_HISTORY: HassKey[dict[str, EvaluationHistory]] = HassKey(f"{DOMAIN}_evaluations")

MOST_RUNS = 20
"""The golden files whose last run is kept for an assistant; of more the oldest are forgotten."""


class KeptCase(JsonModel):
    """Stored result of a case: its outcome, and its differences in sentences."""

    model_config = ConfigDict(frozen=True)

    outcome: str
    differences: tuple[str, ...] = ()


class KeptRun(JsonModel):
    """The last run of a golden file, by the file's path: when it was (ISO 8601), and its cases by id."""

    model_config = ConfigDict(frozen=True)

    source: Annotated[str, Field(min_length=1)]
    at: str
    cases: dict[str, KeptCase] = Field(default_factory=dict)


_KIND = ListKind(_NAME, "runs", "The history of evaluations", KeptRun.model_validate)


class EvaluationHistory:
    """The last runs of one assistant by golden file, the oldest first."""

    def __init__(self, hass: HomeAssistant, assistant_id: str) -> None:
        """Read nothing yet."""
        self._file = KeptList(hass, assistant_id, _KIND, lambda: tuple((self._runs or {}).values()))
        self._runs: dict[str, KeptRun] | None = None
        self._reading = asyncio.Lock()

    async def async_last(self, source: str) -> tuple[str, dict[str, CaseResult]]:
        """Return when a file was run last (ISO 8601, "" for never), and its cases by id."""
        run = (await self._async_runs()).get(source)
        if run is None:
            return "", {}
        return run.at, {
            case_id: CaseResult(kept.outcome, kept.differences)
            for case_id, kept in run.cases.items()
        }

    async def async_keep(self, source: str, cases: Sequence[CaseReport]) -> None:
        """Keep a run in place of the one before."""
        runs = await self._async_runs()
        runs.pop(source, None)
        runs[source] = KeptRun(
            source=source,
            at=timestamp(),
            cases={
                case.id: KeptCase(outcome=case.outcome.value, differences=tuple(case.differences))
                for case in cases
            },
        )
        for oldest in list(runs)[:-MOST_RUNS]:
            del runs[oldest]
        await self._file.async_save()

    async def _async_runs(self) -> dict[str, KeptRun]:
        """Return the runs by golden file, read once."""
        async with self._reading:
            if self._runs is None:
                self._runs = {run.source: run for run in await self._file.async_load()}
            return self._runs


@callback
def evaluation_history(hass: HomeAssistant, assistant_id: str) -> EvaluationHistory:
    """Return the history of an assistant, by its subentry id."""
    histories = hass.data.setdefault(_DATA_HISTORY, {})
    if assistant_id not in histories:
        histories[assistant_id] = EvaluationHistory(hass, assistant_id)
    return histories[assistant_id]


async def async_remove_history(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete what was kept for an assistant that was removed."""
    hass.data.get(_DATA_HISTORY, {}).pop(assistant_id, None)
    await async_remove_list(hass, _NAME, assistant_id)

"""Keeps the last run of each golden file and assistant in Home Assistant's storage, for the next to compare with."""

from collections.abc import Sequence
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.storage import Store
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..json_model import timestamp
from .report import CaseResult
from .runner import CaseReport

_VERSION = 1
_DATA_HISTORY: HassKey[EvaluationHistory] = HassKey(f"{DOMAIN}_evaluations")

MOST_RUNS = 20
"""The files and assistants whose last run is kept; of more the oldest are forgotten."""


class EvaluationHistory:
    """The last runs by file and assistant. Of a case its outcome and its differences are kept."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Read nothing yet."""
        self._store: Store[dict[str, Any]] = Store(
            hass, _VERSION, f"{DOMAIN}.evaluations", private=True, atomic_writes=True
        )
        self._runs: dict[str, dict[str, Any]] | None = None

    async def async_last(self, assistant_id: str, source: str) -> tuple[str, dict[str, CaseResult]]:
        """Return when a file was run last with an assistant (ISO 8601, "" for never), and its cases by id."""
        run = (await self._async_runs()).get(_key(assistant_id, source)) or {}
        return str(run.get("at", "")), {
            str(case_id): CaseResult(str(kept.get("outcome")), tuple(kept.get("differences", ())))
            for case_id, kept in run.get("cases", {}).items()
        }

    async def async_keep(self, assistant_id: str, source: str, cases: Sequence[CaseReport]) -> None:
        """Keep a run in place of the one before."""
        runs, key = await self._async_runs(), _key(assistant_id, source)
        runs.pop(key, None)
        runs[key] = {
            "at": timestamp(),
            "cases": {
                case.id: {"outcome": case.outcome.value, "differences": list(case.differences)}
                for case in cases
            },
        }
        for oldest in list(runs)[:-MOST_RUNS]:
            del runs[oldest]
        await self._store.async_save({"runs": runs})

    async def _async_runs(self) -> dict[str, dict[str, Any]]:
        """Return all runs that are kept."""
        if self._runs is None:
            self._runs = dict((await self._store.async_load() or {}).get("runs", {}))
        return self._runs


def _key(assistant_id: str, source: str) -> str:
    """Return the name that a file's runs with an assistant are kept under."""
    return f"{assistant_id} {source}"


@callback
def evaluation_history(hass: HomeAssistant) -> EvaluationHistory:
    """Return the history of all assistants."""
    if _DATA_HISTORY not in hass.data:
        hass.data[_DATA_HISTORY] = EvaluationHistory(hass)
    return hass.data[_DATA_HISTORY]

"""Policies as the panel shows them: the rules in force, their verdict on a call, and the file as it is edited."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.typing import VolDictType
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import Secrets
from pydantic import BaseModel
import voluptuous as vol

from ..assistant import DATA_CATALOG
from ..domains.models import ToolCall
from ..plans.policy_check import PolicyCheck
from ..policy.codes import code_lock
from ..policy.editing import (
    MOST_CHARACTERS,
    ChangedMeanwhileError,
    async_check_text,
    async_read_text,
    async_save_text,
)
from ..policy.engine import Interaction, NullPolicyEngine
from ..policy.file import DATA_POLICY, POLICIES_FILE, placeholders, rules_in_force
from ..policy.parsing import PolicyFile, PolicyFileError, load_file
from ..services.action import refusal
from ..turn.record import verdict_as_json

ACTION, ENTITIES, DATA = "action", "entity_ids", "data"

CALL_FIELDS: VolDictType = {
    vol.Required(ACTION): vol.All(str, vol.Match(r"^\w+\.\w+$")),
    vol.Optional(ENTITIES, default=list): [str],
    vol.Optional(DATA, default=dict): dict,
    vol.Optional("user_id"): vol.Any(None, str),
    vol.Optional("area_id"): vol.Any(None, str),
}
"""A call that rules are tried on; who asks for it, and where, by ids."""

TEXT, REVISION = "text", "revision"

EDITED_FIELDS: VolDictType = {
    vol.Required(TEXT): vol.All(str, vol.Length(max=MOST_CHARACTERS)),
    vol.Required(REVISION): str,
}
"""A text that the file is to hold, and which one it was made of."""


async def async_policies_as_json(hass: HomeAssistant) -> dict[str, Any]:
    """Return the rules in force, and those of the file as it is now with what is wrong in it."""
    path = Path(hass.config.path(POLICIES_FILE))
    error: dict[str, str] | None = None
    file = PolicyFile(rules=())
    try:
        file = await hass.async_add_executor_job(
            load_file, path, Secrets(Path(hass.config.config_dir))
        )
    except PolicyFileError as err:
        error = placeholders(hass, err)
    written = await async_read_text(hass)
    lock = code_lock(hass)
    in_force = rules_in_force(hass)
    return {
        "file": POLICIES_FILE,
        "path": str(path),
        "text": written.text if written else None,
        "revision": written.revision if written else None,
        "exists": await hass.async_add_executor_job(path.exists),
        "error": error,
        "rules": _rules_as_json(in_force),
        "is_changed": error is None and tuple(file.rules) != tuple(in_force),
        "codes": sorted(file.pins),
        "persons": {name: list(satellites) for name, satellites in file.persons.items()},
        "locked_until": (dt_util.utcnow() + timedelta(seconds=seconds)).isoformat()
        if (seconds := lock.locked_seconds)
        else None,
    }


def _rules_as_json(rules: Iterable[BaseModel]) -> list[dict[str, Any]]:
    """Return rules in the words of their file."""
    return [
        rule.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude_none=True)
        for rule in rules
    ]


async def async_check_as_json(hass: HomeAssistant, msg: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is wrong with an edited text of the file, and the rules in it. Nothing is saved.

    Raises:
        ServiceValidationError: the file is another than the one that was edited.
    """
    try:
        file = await async_check_text(hass, msg[TEXT], msg[REVISION])
    except PolicyFileError as err:
        return {"error": placeholders(hass, err), "rules": []}
    except ChangedMeanwhileError as err:
        raise refusal("policies_changed", file=POLICIES_FILE) from err
    return {"error": None, "rules": _rules_as_json(file.rules)}


async def async_save_as_json(hass: HomeAssistant, msg: Mapping[str, Any]) -> dict[str, Any]:
    """Save an edited text of the file, put it in force, and return what holds then.

    Raises:
        ServiceValidationError: something in it is wrong, or the file is another than the one that was edited.
    """
    try:
        await async_save_text(hass, msg[TEXT], msg[REVISION])
    except PolicyFileError as err:
        raise refusal("policies_invalid", **placeholders(hass, err)) from err
    except ChangedMeanwhileError as err:
        raise refusal("policies_changed", file=POLICIES_FILE) from err
    return await async_policies_as_json(hass)


async def async_try_call(hass: HomeAssistant, msg: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdicts of the rules in force on a call and the calls it leads to; each target is in one answer.

    Nothing is called.
    """
    catalog = await hass.data[DATA_CATALOG].async_get()
    call = ToolCall(action=msg[ACTION], targets=tuple(msg[ENTITIES]), data=msg[DATA])
    interaction = Interaction(
        id="panel",
        session_id="panel",
        text="",
        language=hass.config.language,
        user_id=msg.get("user_id"),
        area_id=msg.get("area_id"),
        at=dt_util.now(),
        count=len(call.targets),
    )
    engine = hass.data.get(DATA_POLICY) or NullPolicyEngine()
    verdicts = [
        {
            **verdict_as_json(verdict),
            "names": [
                entity.name
                for each in verdict.call.targets
                if (entity := catalog.entities.get(each))
            ],
        }
        for verdict in await PolicyCheck(hass, engine, interaction).async_check(
            call, len(call.targets), frozenset()
        )
    ]
    return {"verdicts": verdicts}

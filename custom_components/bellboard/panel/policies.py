"""Policies as the panel shows them: the rules as read, what is wrong with their file, and what they say to a call."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.typing import VolDictType
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import Secrets
import voluptuous as vol

from ..assistant import DATA_CATALOG
from ..domains.models import ToolCall
from ..plans.policy_check import PolicyCheck
from ..policy.codes import code_lock
from ..policy.engine import Interaction, NullPolicyEngine
from ..policy.file import (
    DATA_POLICY,
    POLICIES_FILE,
    PolicyFile,
    PolicyFileError,
    load_file,
    placeholders,
    rules_in_force,
)
from ..turn.record import call_as_json

ACTION, ENTITIES, DATA = "action", "entity_ids", "data"

CALL_FIELDS: VolDictType = {
    vol.Required(ACTION): vol.All(str, vol.Match(r"^\w+\.\w+$")),
    vol.Optional(ENTITIES, default=list): [str],
    vol.Optional(DATA, default=dict): dict,
    vol.Optional("user_id"): vol.Any(None, str),
    vol.Optional("area_id"): vol.Any(None, str),
}
"""A call that rules are tried on; who asks for it, and where, by ids."""


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
    lock = code_lock(hass)
    in_force = rules_in_force(hass)
    return {
        "file": POLICIES_FILE,
        "exists": await hass.async_add_executor_job(path.exists),
        "error": error,
        "rules": [
            rule.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude_none=True)
            for rule in in_force
        ],
        "is_changed": error is None and tuple(file.rules) != tuple(in_force),
        "codes": sorted(file.pins),
        "persons": {name: list(satellites) for name, satellites in file.persons.items()},
        "locked_until": (dt_util.utcnow() + timedelta(seconds=seconds)).isoformat()
        if (seconds := lock.locked_seconds)
        else None,
    }


async def async_try_call(hass: HomeAssistant, msg: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what the rules in force say to a call and what it leads to; each target is in one answer.

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
    return [
        {
            "effect": verdict.effect.value,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "needs_code": verdict.needs_code,
            "names": [
                entity.name
                for each in verdict.call.targets
                if (entity := catalog.entities.get(each))
            ],
            **call_as_json(verdict.call),
        }
        for verdict in await PolicyCheck(hass, engine, interaction).async_check(
            call, len(call.targets), frozenset()
        )
    ]

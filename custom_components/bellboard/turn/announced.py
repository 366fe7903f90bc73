"""What somebody is told later: said aloud by the satellite that it was asked from."""

from collections.abc import Collection

from homeassistant.const import ATTR_ENTITY_ID, ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..assistant import Assistant
from ..const import DELAY_AGENT_ID
from ..domains.assist_satellite import Feature
from ..domains.models import ToolCall
from ..domains.wake_words import wakes_assistants
from ..home.speaker import own_satellites, speaker_area
from ..memory.delayed import DelayedCommand
from ..plans.models import Plan
from ..plans.runner import PlanRunner
from ..policy.engine import Interaction
from ..policy.file import call_history

_DOMAIN, _SERVICE = "assist_satellite", "announce"


async def async_announce(
    assistant: Assistant, command: DelayedCommand, text: str, *, dry_run: bool = False
) -> bool:
    """Say a text on the satellite that a command was given to, or on those it names; return whether it was said.

    It answers who asked for it: so their satellite need not be exposed, but policies and rights are those of any
    announcement. A dry run tells whether it would be said.
    """
    hass = assistant.hass
    satellites = _able_satellites(hass, command)
    if not satellites or wakes_assistants(hass, text):
        return False
    user = Context(user_id=command.user_id)
    data = {"message": text}

    async def do() -> bool:
        target = {ATTR_ENTITY_ID: satellites}
        try:
            await hass.services.async_call(
                _DOMAIN, _SERVICE, {**target, **data}, blocking=True, context=user
            )
        except HomeAssistantError:
            return False
        return True

    call = ToolCall(action=f"{_DOMAIN}.{_SERVICE}", targets=tuple(satellites), data=data)
    runner = PlanRunner(
        hass=hass,
        context=user,
        executor=assistant.executor,
        policy=assistant.policy,
        interaction=_interaction(hass, command),
        history=call_history(hass),
        dry_run=dry_run,
    )
    plan = Plan(intent_id=call.action, agent_id=DELAY_AGENT_ID, steps=(call,))
    execution = await runner.async_hand_over(plan, do)
    return execution.ok and bool(execution.results or execution.dry_run_calls)


def _able_satellites(hass: HomeAssistant, command: DelayedCommand) -> list[str]:
    """Return the entity ids of the satellites that can announce what is to be told, those that were named first."""
    own = own_satellites(hass, command.satellite_id, command.device_id)
    return _able(hass, command.told_on) or _able(hass, own)


def _able(hass: HomeAssistant, entity_ids: Collection[str]) -> list[str]:
    """Return those of some satellites that can announce something."""
    return [
        entity_id
        for entity_id in sorted(entity_ids)
        if (state := hass.states.get(entity_id))
        and state.state != STATE_UNAVAILABLE
        and state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & Feature.ANNOUNCE
    ]


def _interaction(hass: HomeAssistant, command: DelayedCommand) -> Interaction:
    """Return what policies know of an announcement: who gave the command, where, and when it is for."""
    return Interaction(
        id=command.id,
        session_id=command.conversation_id,
        text=command.text,
        language=command.language,
        user_id=command.user_id,
        device_id=command.device_id,
        satellite_id=command.satellite_id,
        area_id=speaker_area(hass, command.satellite_id, command.device_id),
        at=dt_util.as_local(command.judged_at(dt_util.utcnow())),
        schedule=command.planned,
        is_due=command.is_due,
    )

"""Tries a sentence: it is routed and planned, and nothing is touched; also with another threshold, model or prompt."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntry
from homeassistant.helpers.typing import VolDictType
import voluptuous as vol

from ..assistant import Assistant
from ..connections.model_roles import create_models, tested_contracts
from ..memory.models import Caller
from ..options import CATALOG, AssistantOptions, check_template
from ..turn.dry_run import create_dry_run
from ..turn.pipeline import async_take_turn
from .reading import async_read_as_json
from .turns import answered_as_json, detail_as_json

THRESHOLD, MODEL, PROMPT, CONTRACT = "threshold", "model", "system_prompt", "contract"


def _prompt(text: Any) -> str:
    """Check that a text can be the router's system prompt."""
    try:
        return check_template(str(text), CATALOG)
    except ValueError as err:
        raise vol.Invalid(str(err)) from err


CHANGES: VolDictType = {
    vol.Optional(THRESHOLD): vol.All(vol.Coerce(float), vol.Range(0, 1)),
    vol.Optional(MODEL): str,
    vol.Optional(PROMPT): _prompt,
    vol.Optional(CONTRACT): vol.In(("auto", "small", "capable")),
}
"""What may be other than in the assistant's options, for one try."""


async def async_try_as_json(
    assistant: Assistant,
    entry: ConfigEntry,
    user_input: ConversationInput,
    changes: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what a sentence would come to, as a turn is shown, with what the readers made of it.

    The conversation of whom it is tried for goes on from where it is, and stays there.
    """
    caller = Caller(user_input.context.user_id)
    task = await assistant.tasks.async_find(str(user_input.conversation_id), caller=caller)
    if task:
        user_input = replace(user_input, conversation_id=task.session_id)
    tried = create_dry_run(_changed(assistant, entry, changes), task)
    result = await async_take_turn(tried, user_input, dry_run=True)
    trace = result.record.trace
    return {
        "utterance": trace.utterance,
        "reply": result.text,
        "state": result.state.value,
        "ms": trace.ms,
        **answered_as_json(trace),
        **detail_as_json(assistant.hass, tried, trace),
        "reading": await async_read_as_json(assistant, user_input),
    }


def _changed(assistant: Assistant, entry: ConfigEntry, changes: Mapping[str, Any]) -> Assistant:
    """Return an assistant with other options, and the models of these."""
    routers = {"confidence_threshold": THRESHOLD, "system_prompt": PROMPT}
    router = {name: changes[key] for name, key in routers.items() if key in changes}
    whole: dict[str, Any] = {name: changes[name] for name in (MODEL, CONTRACT) if changes.get(name)}
    if router:
        whole["router"] = assistant.options.router.model_copy(update=router)
    if not whole:
        return assistant
    options: AssistantOptions = assistant.options.model_copy(update=whole)
    if not {MODEL, CONTRACT} & whole.keys():
        return replace(assistant, options=options)
    models = create_models(assistant.hass, entry, options, tested_contracts(entry))
    return replace(assistant, options=options, models=models)

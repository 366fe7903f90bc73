"""The action `bellboard.execute`: send an ActionRequest to a model (LLM router agent contract)."""

import logging
from typing import Any
from uuid import uuid4

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.json import json_bytes
from homeassistant.helpers.typing import VolDictType
from pydantic import ValidationError
import voluptuous as vol

from ..connections.connection import shared_model
from ..const import DOMAIN
from ..llm.client import ModelClient
from ..llm.envelope import ACTION, TOOL, ActionRequest, checked, wrong_fields
from ..llm.errors import OrchestratorError, ToolError
from ..llm.invocation import async_execute, async_execute_with
from ..llm.port import calling
from ..telemetry.otel import CALL_SPAN as SPAN, correlation_span
from .action import ServiceAction, refusal

_LOGGER = logging.getLogger(__name__)

ATTR_CONNECTION = "connection"
ATTR_REQUEST = "request"
ATTR_REQUEST_ID = "request_id"

_FIELDS: VolDictType = {
    vol.Required(ATTR_REQUEST): dict,
    vol.Optional(ATTR_CONNECTION): cv.string,
}


async def _async_execute(call: ServiceCall) -> ServiceResponse:
    """Return the response to a request, from the model it names or from that of a connection."""
    hass = call.hass
    request = _request(call.data[ATTR_REQUEST])
    entry_id = call.data.get(ATTR_CONNECTION)
    client = _client_of(hass, entry_id) if entry_id is not None else None
    try:
        with calling(request, correlation_span):
            if client is not None:
                response = (await async_execute_with(request, client)).response
            else:
                response = await async_execute(request, async_get_clientsession(hass))
            return checked(request, response).as_json()
    except ToolError as err:
        _LOGGER.warning("%s", OrchestratorError(SPAN, err))
        raise HomeAssistantError(
            translation_domain=DOMAIN, translation_key="invalid_response"
        ) from None


def _request(data: dict[str, Any]) -> ActionRequest:
    """Return the envelope in a call's data; the fields that are always alike may be left out.

    Raises:
        ServiceValidationError: it is none.
    """
    defaults = {
        ATTR_REQUEST_ID: str(uuid4()),
        "correlation_id": str(uuid4()),
        "tool": TOOL,
        "action": ACTION,
        "context": "",
    }
    try:
        # By way of JSON: scripts give dates and kinds of text that the envelope does not have.
        return ActionRequest.model_validate_json(json_bytes({**defaults, **data}))
    except ValidationError as err:
        fields = wrong_fields(err)
    except TypeError:
        fields = ATTR_REQUEST
    # Not chained: the original may quote the request.
    raise refusal("invalid_request", fields=fields or ATTR_REQUEST)


def _client_of(hass: HomeAssistant, entry_id: str) -> ModelClient:
    """Return the model client that a connection shares.

    Raises:
        ServiceValidationError: there is no such connection, it is not set up, or it has no model.
    """
    entry = hass.config_entries.async_get_entry(entry_id)
    if entry is None or entry.domain != DOMAIN:
        raise refusal("unknown_connection", entry_id=entry_id)
    if entry.state is not ConfigEntryState.LOADED:
        raise refusal("connection_not_loaded", title=entry.title)
    if (client := shared_model(entry)) is None:
        raise refusal("connection_without_model", title=entry.title)
    return client


ACTIONS = (
    # It spends money and reaches any address.
    ServiceAction("execute", _async_execute, _FIELDS, SupportsResponse.ONLY, for_admins=True),
)

"""The action that asks a model what an envelope asks: with a config of its own or through a connection."""

from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
import json
import logging
import sys
from typing import Any
from unittest.mock import patch
from uuid import UUID

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser
import voluptuous as vol

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.llm.envelope import TOOL, ActionRequest
from custom_components.bellboard.llm.errors import ToolError
from custom_components.bellboard.services import execute as execute_action
from custom_components.bellboard.telemetry import otel
from tests.conftest import SECRET_KEY, Serve
from tests.evaluation import setup_agent
from tests.llm.test_process import validate_response
from tests.servers import Fault, RunningServer, ScriptedModel
from tests.test_services import refused

IDS = {
    "request_id": "f15c14e1-1c5e-4f09-9dbf-0e04c0bd7c5e",
    "plan_id": "7a476b46-3b58-4b09-9afb-1b4c7d9642ce",
    "task_id": "aa0a3c3d-1b01-4df7-a96e-4081e2a0d765",
    "correlation_id": "8408fdd8-327a-4c26-9c79-8a8d51d8ab0e",
}
PROMPT = "greet the swordfish"

pytestmark = pytest.mark.usefixtures("assist")


def config_of(server: RunningServer[ScriptedModel], **config: Any) -> dict[str, Any]:
    """Return the config for a server of the OpenAI protocol."""
    where = {"provider": "openai", "base_url": server.url, "api_key": SECRET_KEY}
    return {**where, "model_name": "test-model", **config}


def request_of(payload: Any, **fields: Any) -> dict[str, Any]:
    """Return a request with a payload."""
    return {
        **IDS,
        "api_version": "v1",
        "tool": "llm_router_agent",
        "action": "execute",
        "context": "It is dark.",
        "payload": payload,
        **fields,
    }


async def execute(
    hass: HomeAssistant, context: Context | None = None, **data: Any
) -> dict[str, Any]:
    """Call the action and return its response."""
    response = await hass.services.async_call(
        DOMAIN, "execute", data, blocking=True, return_response=True, context=context
    )
    assert response is not None
    json.dumps(response)
    validate_response(response)
    return dict(response)


@pytest.fixture
async def server(serve: Serve) -> RunningServer[ScriptedModel]:
    """A server that wants the key."""
    return await serve(key=SECRET_KEY)


@pytest.fixture
async def connection(hass: HomeAssistant, server: RunningServer[ScriptedModel]) -> ConfigEntry:
    """A connection to that server."""
    await setup_agent(hass, {"provider": "openai", "url": server.url, "api_key": SECRET_KEY})
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    return entry


@pytest.fixture
async def ready(hass: HomeAssistant, assist: None) -> None:
    """The actions without any connection."""
    assert await async_setup_component(hass, DOMAIN, {})


@pytest.mark.usefixtures("ready")
async def test_the_model_that_is_named_answers_in_the_same_envelope(
    hass: HomeAssistant, server: RunningServer[ScriptedModel]
) -> None:
    payload = {"prompt": PROMPT, "config": config_of(server)}
    assert await execute(hass, request=request_of(payload)) == {
        **IDS,
        "api_version": "v1",
        "status": "success",
        "code": 0,
        "result": {
            "output_type": "text",
            "data": "Hello.",
            "metadata": {"provider": "openai", "model": "test-model"},
        },
        "error": None,
    }
    (asked,) = server.model.requests
    assert [message.content for message in asked.messages] == ["It is dark.", PROMPT]


@pytest.mark.usefixtures("ready")
async def test_a_call_that_fails_is_a_response_and_no_exception(
    hass: HomeAssistant, server: RunningServer[ScriptedModel], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components.bellboard")
    payload = {"prompt": PROMPT, "config": config_of(server, api_key="sk-wrong")}
    found = await execute(hass, request=request_of(payload))
    assert {name: found[name] for name in IDS} == IDS
    assert (found["status"], found["code"]) == ("success", 0)
    assert found["result"]["output_type"] == "error"
    cause = "LLM Call Failed: The model server does not accept the key."
    assert found["result"]["data"] == cause
    ours = [record.getMessage() for record in caplog.records if "bellboard" in record.name]
    assert not [line for line in ours if "swordfish" in line or "sk-wrong" in line]
    assert [line for line in ours if IDS["correlation_id"] in line]


@pytest.mark.parametrize("config", [None, {"provider": "abacus", "model_name": "another"}])
async def test_a_connections_model_answers_without_key_and_config(
    hass: HomeAssistant,
    connection: ConfigEntry,
    server: RunningServer[ScriptedModel],
    config: Mapping[str, Any] | None,
) -> None:
    payload = {"prompt": PROMPT, **({"config": config} if config else {})}
    request = request_of(payload)
    found = await execute(hass, request=request, connection=connection.entry_id)
    assert found["result"] == {
        "output_type": "text",
        "data": "Hello.",
        "metadata": {"provider": "openai", "model": "test-model"},
    }
    assert server.model.requests[-1].messages[-1].content == PROMPT
    assert SECRET_KEY not in json.dumps(found)


async def test_a_connections_limits_are_kept(
    hass: HomeAssistant, server: RunningServer[ScriptedModel]
) -> None:
    where = {"provider": "openai", "url": server.url, "api_key": SECRET_KEY}
    await setup_agent(hass, where)
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    await server.suffer(Fault.of_status(503))
    for _ in range(10):
        request = request_of({"prompt": PROMPT})
        found = await execute(hass, request=request, connection=entry.entry_id)
        assert found["result"]["output_type"] == "error"
    asked = server.model.attempts
    found = await execute(hass, request=request_of({"prompt": PROMPT}), connection=entry.entry_id)
    assert "left alone for a moment" in found["result"]["data"]
    assert server.model.attempts == asked < 10


async def test_a_key_that_a_connection_no_longer_has_right_is_asked_for(
    hass: HomeAssistant, connection: ConfigEntry, server: RunningServer[ScriptedModel]
) -> None:
    server.model.key = "sk-new"
    request = request_of({"prompt": PROMPT})
    found = await execute(hass, request=request, connection=connection.entry_id)
    assert found["result"]["output_type"] == "error"
    await hass.async_block_till_done()
    (flow,) = hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    assert flow["context"]["source"] == "reauth"


async def test_what_an_automation_would_always_write_alike_may_be_left_out(
    hass: HomeAssistant, connection: ConfigEntry
) -> None:
    short = {"payload": {"prompt": PROMPT}}
    found = await execute(hass, request=short, connection=connection.entry_id)
    assert found["result"]["data"] == "Hello."
    again = await execute(hass, request=short, connection=connection.entry_id)
    # Each invocation has ids of its own, to be found by.
    ids = {one[name] for one in (found, again) for name in ("request_id", "correlation_id")}
    assert len(ids) == 4
    assert {str(UUID(each)) for each in ids} == ids


async def test_a_script_asks_with_what_its_templates_give(
    hass: HomeAssistant, connection: ConfigEntry, server: RunningServer[ScriptedModel]
) -> None:
    script = f"""
ask:
  sequence:
    - action: bellboard.execute
      data:
        connection: {connection.entry_id}
        request:
          context: "{{{{ 'It is ' ~ 'dark.' }}}}"
          payload:
            prompt: greet
            since: 2026-11-22
      response_variable: found
    - stop: done
      response_variable: found
"""
    assert await async_setup_component(hass, "script", {"script": parse_yaml(script)})
    found = await hass.services.async_call(
        "script", "ask", blocking=True, return_response=True, context=Context()
    )
    assert found
    validate_response(dict(found))
    assert dict(found)["result"] == {
        "output_type": "text",
        "data": "Hello.",
        "metadata": {"provider": "openai", "model": "test-model"},
    }
    asked = [message.content for message in server.model.requests[-1].messages]
    assert asked == ["It is dark.", "greet"]


# Who and what is refused


async def test_only_administrators_may_ask(
    hass: HomeAssistant,
    connection: ConfigEntry,
    server: RunningServer[ScriptedModel],
    hass_read_only_user: MockUser,
    hass_admin_user: MockUser,
) -> None:
    data = {"request": request_of({"prompt": PROMPT}), "connection": connection.entry_id}
    with pytest.raises(Unauthorized):
        await execute(hass, Context(user_id=hass_read_only_user.id), **data)
    assert not server.model.requests
    assert await execute(hass, Context(user_id=hass_admin_user.id), **data)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"request_id": "swordfish"}, "request_id"),
        ({"api_version": "v9", "context": ["swordfish"]}, "api_version, context"),
        ({"payload": {"swordfish": object()}}, "request"),
    ],
    ids=["field", "fields", "no JSON"],
)
async def test_what_is_no_request_is_refused_by_its_fields(
    hass: HomeAssistant, fields: dict[str, Any], wrong: str
) -> None:
    request = {**request_of({"prompt": PROMPT}), **fields}
    said = await refused(hass, "invalid_request", execute(hass, request=request))
    assert said == f"This is no request. See: {wrong}"


@pytest.mark.usefixtures("ready")
async def test_a_request_has_a_payload(hass: HomeAssistant) -> None:
    said = await refused(hass, "invalid_request", execute(hass, request={}))
    assert said == "This is no request. See: payload"


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("data", [{}, {"request": "say hello"}, {"request": {}, "to": 1}])
async def test_the_action_has_its_form(hass: HomeAssistant, data: dict[str, Any]) -> None:
    with pytest.raises(vol.Invalid):
        await execute(hass, **data)


async def test_a_connection_that_cannot_answer_is_named(
    hass: HomeAssistant, connection: ConfigEntry, server: RunningServer[ScriptedModel]
) -> None:
    request = request_of({"prompt": PROMPT, "config": config_of(server)})
    other = MockConfigEntry(domain="sun")
    other.add_to_hass(hass)
    for entry_id in ("nobody", other.entry_id, ""):
        asking = execute(hass, request=request, connection=entry_id)
        said = await refused(hass, "unknown_connection", asking)
        assert said == f"{entry_id} is not a connection of Bellboard"
    await setup_agent(hass, {})
    without = hass.config_entries.async_entries(DOMAIN)[-1]
    asking = execute(hass, request=request, connection=without.entry_id)
    assert await refused(hass, "connection_without_model", asking) == "Bellboard has no model"
    assert await hass.config_entries.async_unload(connection.entry_id)
    asking = execute(hass, request=request, connection=connection.entry_id)
    said = await refused(hass, "connection_not_loaded", asking)
    assert said == "Bellboard is not set up at the moment"
    assert not server.model.requests


@pytest.mark.usefixtures("ready")
async def test_a_response_is_what_it_is_for(hass: HomeAssistant) -> None:
    with pytest.raises(ServiceValidationError):
        await hass.services.async_call(
            DOMAIN, "execute", {"request": request_of({})}, blocking=True
        )


# Spans


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """What OpenTelemetry is told."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr("opentelemetry.trace.get_tracer", provider.get_tracer)
    return exporter


@pytest.mark.usefixtures("ready")
async def test_a_call_is_a_span_that_is_found_by_its_ids(
    hass: HomeAssistant, server: RunningServer[ScriptedModel], spans: InMemorySpanExporter
) -> None:
    payload = {"prompt": PROMPT, "config": config_of(server)}
    await execute(hass, request=request_of(payload))
    await execute(hass, request=request_of(payload, plan_id=None))
    whole, less = spans.get_finished_spans()
    assert (whole.name, less.name) == ("bellboard.execute", "bellboard.execute")
    ids = {f"bellboard.{name}": value for name, value in IDS.items()}
    assert dict(whole.attributes or {}) == ids
    assert "bellboard.plan_id" not in (less.attributes or {})


def test_a_span_tells_nothing_of_what_went_wrong(spans: InMemorySpanExporter) -> None:
    request = ActionRequest.model_validate(request_of({}))
    with pytest.raises(ValueError), otel.correlation_span(request):
        raise ValueError(PROMPT)
    (span,) = spans.get_finished_spans()
    assert (span.events, span.status.description) == ((), None)


@pytest.mark.usefixtures("ready")
async def test_without_opentelemetry_all_goes_on(
    hass: HomeAssistant,
    server: RunningServer[ScriptedModel],
    spans: InMemorySpanExporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    # A second copy, so that the one that found OpenTelemetry stays as it is.
    spec = spec_from_file_location(f"{otel.__name__}_without", otel.__file__)
    assert spec
    assert spec.loader
    without = module_from_spec(spec)
    spec.loader.exec_module(without)
    assert not without.HAS_OPENTELEMETRY
    monkeypatch.setattr(execute_action, "correlation_span", without.correlation_span)
    payload = {"prompt": PROMPT, "config": config_of(server)}
    found = await execute(hass, request=request_of(payload))
    assert found["result"]["data"] == "Hello."
    assert not spans.get_finished_spans()


async def test_a_response_that_is_not_the_contracts_is_an_error(
    hass: HomeAssistant, connection: ConfigEntry, server: RunningServer[ScriptedModel]
) -> None:
    server.model.answer = lambda *_: "half a character \ud83d"
    short = {"payload": {"prompt": PROMPT}}
    found = await execute(hass, request=short, connection=connection.entry_id)
    assert found["result"]["output_type"] in {"text", "error"}
    with (
        patch.object(execute_action, "checked", side_effect=ToolError(TOOL, "invalid_response")),
        pytest.raises(HomeAssistantError) as failed,
    ):
        await execute(hass, request=short, connection=connection.entry_id)
    assert failed.value.translation_key == "invalid_response"

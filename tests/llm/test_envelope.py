"""The envelope is the contract's: what is read is written back unchanged, and a key is shown to nobody."""

import json
from typing import Any
from uuid import UUID

from hypothesis import given, strategies as st
from pydantic import ValidationError
import pytest

from custom_components.bellboard.llm.envelope import (
    ActionRequest,
    ActionResponse,
    ActionResult,
    ContractModel,
    LlmRouterConfigV1,
    LlmRouterInvocationRequestV1,
    wrong_fields,
)

KEY = "sk-swordfish-0123456789"

PAYLOAD = """{
  "prompt": "user-visible prompt with retrieved context",
  "config": {
    "provider": "openrouter",
    "api_key": "sk-***",
    "base_url": "https://openrouter.ai/api/v1",
    "model_name": "google/gemini-2.0-flash-exp:free"
  }
}"""
SUCCESS = """{
  "request_id": "f15c14e1-1c5e-4f09-9dbf-0e04c0bd7c5e",
  "api_version": null,
  "status": "success",
  "code": 0,
  "result": {
    "output_type": "text",
    "data": "Here is your answer...",
    "metadata": {
      "provider": "openrouter",
      "model": "google/gemini-2.0-flash-exp:free"
    }
  },
  "error": null,
  "plan_id": "7a476b46-3b58-4b09-9afb-1b4c7d9642ce",
  "task_id": "aa0a3c3d-1b01-4df7-a96e-4081e2a0d765",
  "correlation_id": "8408fdd8-327a-4c26-9c79-8a8d51d8ab0e"
}"""
PROVIDER_ERROR = """{
  "request_id": "f15c14e1-1c5e-4f09-9dbf-0e04c0bd7c5e",
  "status": "success",
  "code": 0,
  "result": {
    "output_type": "error",
    "data": "LLM Call Failed: API Error 401: ...",
    "metadata": null
  },
  "error": null
}"""
REQUEST: dict[str, Any] = {
    "request_id": "f15c14e1-1c5e-4f09-9dbf-0e04c0bd7c5e",
    "api_version": None,
    "tool": "llm_router_agent",
    "action": "execute",
    "context": "",
    "plan_id": None,
    "task_id": None,
    "correlation_id": "8408fdd8-327a-4c26-9c79-8a8d51d8ab0e",
    "payload": json.loads(PAYLOAD),
}

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
UUIDS = st.uuids().map(str)
OPTIONAL_IDS = {name: st.none() | UUIDS for name in ("plan_id", "task_id", "correlation_id")}
VERSION = st.sampled_from([None, "v1", "V1"])
CONFIGS = st.fixed_dictionaries(
    {"model_name": TEXT},
    optional={"provider": TEXT, "api_key": st.none() | TEXT, "base_url": st.none() | TEXT},
)
INVOCATIONS = st.fixed_dictionaries({"prompt": TEXT, "config": CONFIGS})
REQUESTS = st.fixed_dictionaries(
    {
        "request_id": UUIDS,
        "tool": TEXT,
        "action": TEXT,
        "context": TEXT,
        "payload": JSON | INVOCATIONS,
    },
    optional={"api_version": VERSION, **OPTIONAL_IDS},
)
RESULTS = st.fixed_dictionaries(
    {"output_type": TEXT, "data": TEXT}, optional={"metadata": st.none() | JSON}
)
RESPONSES = st.fixed_dictionaries(
    {"request_id": UUIDS, "status": TEXT, "code": st.integers()},
    optional={
        "api_version": VERSION,
        "result": st.none() | RESULTS,
        "error": st.none() | TEXT,
        **OPTIONAL_IDS,
    },
)


def back(shape: type[ContractModel], text: str) -> Any:
    """Return what comes back of a JSON text, by way of text and by way of objects."""
    model = shape.model_validate_json(text)
    assert shape.model_validate(json.loads(text)) == model
    written = json.loads(model.model_dump_json(exclude_unset=True))
    assert written == model.as_json()
    return written


# What is read is written


@pytest.mark.parametrize("text", [SUCCESS, PROVIDER_ERROR], ids=["success", "error"])
def test_the_contracts_responses_come_back_unchanged(text: str) -> None:
    written = back(ActionResponse, text)
    assert json.dumps(written, indent=2) == text


def test_the_contracts_payload_comes_back_unchanged() -> None:
    invocation = LlmRouterInvocationRequestV1.model_validate_json(PAYLOAD)
    assert json.dumps(invocation.as_payload(), indent=2) == PAYLOAD
    assert back(ActionRequest, json.dumps(REQUEST)) == REQUEST


@given(REQUESTS)
def test_any_request_comes_back_unchanged(request: dict[str, Any]) -> None:
    assert back(ActionRequest, json.dumps(request)) == request


@given(RESPONSES)
def test_any_response_comes_back_unchanged(response: dict[str, Any]) -> None:
    assert back(ActionResponse, json.dumps(response)) == response


@given(INVOCATIONS)
def test_any_payload_comes_back_unchanged(payload: dict[str, Any]) -> None:
    invocation = LlmRouterInvocationRequestV1.model_validate_json(json.dumps(payload))
    assert invocation.as_payload() == payload
    assert LlmRouterInvocationRequestV1.model_validate(invocation.as_payload()) == invocation


def test_what_may_be_left_out_is_none() -> None:
    least = {key: REQUEST[key] for key in ("request_id", "tool", "action", "context", "payload")}
    request = ActionRequest.model_validate(least)
    assert (request.api_version, request.plan_id, request.task_id) == (None, None, None)
    assert request.correlation_id is None
    assert request.as_json() == least
    config = LlmRouterConfigV1(model_name="m")
    assert (config.provider, config.api_key, config.base_url) == ("openai", None, None)


def test_what_is_unknown_is_ignored() -> None:
    request = ActionRequest.model_validate({**REQUEST, "priority": 1})
    assert request.as_json() == REQUEST


def test_an_id_may_be_written_in_any_way_a_uuid_is() -> None:
    written = REQUEST["request_id"].upper().replace("-", "")
    request = ActionRequest.model_validate({**REQUEST, "request_id": written})
    assert request.request_id == UUID(REQUEST["request_id"])


# What is not


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("request_id", "1"),
        ("request_id", None),
        ("api_version", "v2"),
        ("api_version", 1),
        ("tool", None),
        ("action", 5),
        ("context", None),
        ("plan_id", "no id"),
        ("task_id", 7),
        ("correlation_id", ""),
        ("payload", float("nan")),
        ("payload", {"a": [1, {"b": float("-inf")}]}),
    ],
)
def test_what_is_no_request_is_refused_by_its_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError) as refused:
        ActionRequest.model_validate({**REQUEST, field: value})
    assert wrong_fields(refused.value) == field


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_json_does_not_have_is_refused(number: str) -> None:
    text = json.dumps(REQUEST).replace('"sk-***"', number)
    with pytest.raises(ValidationError):
        ActionRequest.model_validate_json(text)


@pytest.mark.parametrize("field", ["request_id", "tool", "action", "context", "payload"])
def test_what_is_missing_is_named(field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ActionRequest.model_validate({key: REQUEST[key] for key in REQUEST if key != field})
    assert wrong_fields(refused.value) == field


def test_a_response_needs_a_whole_code() -> None:
    for code in (True, "0", 0.5, None):
        with pytest.raises(ValidationError):
            ActionResponse.model_validate({**json.loads(SUCCESS), "code": code})


def test_only_our_own_names_are_told_of_what_is_wrong() -> None:
    with pytest.raises(ValidationError) as refused:
        LlmRouterInvocationRequestV1.model_validate({"prompt": 1, "config": {"api_key": [KEY]}})
    assert wrong_fields(refused.value) == "prompt, config.api_key, config.model_name"
    with pytest.raises(ValidationError) as refused:
        ActionRequest.model_validate({**REQUEST, "payload": {KEY: object()}})
    assert KEY not in wrong_fields(refused.value)


# What nobody is shown


def test_a_key_is_shown_only_to_who_writes_the_request() -> None:
    payload = {"prompt": "swordfish", "config": {"api_key": KEY, "model_name": "m"}}
    invocation = LlmRouterInvocationRequestV1.model_validate(payload)
    request = ActionRequest.model_validate({**REQUEST, "context": "swordfish", "payload": payload})
    result = ActionResult(output_type="text", data="swordfish")
    shown = [repr(invocation), str(invocation), repr(request), str(request), repr(result)]
    shown += [invocation.model_dump_json(), repr(invocation.model_dump()["config"])]
    shown += [json.dumps(request.redacted())]
    assert not [text for text in shown if KEY in text]
    assert not [text for text in shown[:5] + shown[7:] if "swordfish" in text]
    assert invocation.as_payload() == payload
    assert request.as_json()["payload"] == payload


def test_a_refusal_quotes_nothing() -> None:
    for wrong in ({"prompt": KEY}, {"prompt": [KEY], "config": KEY}, KEY):
        with pytest.raises(ValidationError) as refused:
            LlmRouterInvocationRequestV1.model_validate(wrong)
        assert KEY not in str(refused.value) + wrong_fields(refused.value)


def test_what_is_logged_of_a_request_tells_it_from_others() -> None:
    request = ActionRequest.model_validate({**REQUEST, "context": "It is dark."})
    assert request.redacted() == {
        **REQUEST,
        "context": "[11 characters]",
        "payload": {
            "prompt": "[42 characters]",
            "config": {
                "provider": "openrouter",
                "api_key": "[hidden]",
                "model_name": "google/gemini-2.0-flash-exp:free",
            },
        },
    }
    payload = {"prompt": "p", "config": {"model_name": "m"}}
    keyless = ActionRequest.model_validate({**REQUEST, "payload": payload}).redacted()
    assert keyless["payload"]["config"]["api_key"] is None
    other = ActionRequest.model_validate({**REQUEST, "payload": {"password": KEY}}).redacted()
    assert other["payload"] == "[another shape]"


# Responses to a request


def test_a_response_echoes_its_request_and_hands_its_ids_on() -> None:
    ids = {
        name: f"7a476b46-3b58-4b09-9afb-1b4c7d9642c{n}"
        for n, name in enumerate(("plan_id", "task_id", "correlation_id"))
    }
    request = ActionRequest.model_validate({**REQUEST, **ids, "api_version": "V1"})
    for response in (
        ActionResponse.of_text(request, "Hello.", provider="openai", model="m"),
        ActionResponse.of_failure(request, "The model took too long to answer."),
    ):
        written = response.as_json()
        assert written["request_id"] == REQUEST["request_id"]
        assert {name: written[name] for name in ids} == ids
        assert written["api_version"] == "V1"
        assert (written["status"], written["code"], written["error"]) == ("success", 0, None)


def test_a_response_has_all_fields_of_the_contracts_example() -> None:
    request = ActionRequest.model_validate(REQUEST)
    response = ActionResponse.of_text(request, "Hello.", provider="openai", model="m")
    bare = ActionRequest.model_validate({**REQUEST, "plan_id": None, "task_id": None})
    nothing = ActionResponse.of_text(bare, "", provider="openai", model="m").as_json()
    failure = ActionResponse.of_failure(request, "The model took too long to answer.")
    for each in (response.as_json(), failure.as_json(), nothing):
        assert list(each) == list(json.loads(SUCCESS))
        assert (each["status"], each["code"], each["error"]) == ("success", 0, None)
    assert response.as_json()["plan_id"] == REQUEST["plan_id"]
    assert (nothing["plan_id"], nothing["task_id"]) == (None, None)
    assert response.as_json()["result"] == {
        "output_type": "text",
        "data": "Hello.",
        "metadata": {"provider": "openai", "model": "m"},
    }
    assert failure.as_json()["result"] == {
        "output_type": "error",
        "data": "LLM Call Failed: The model took too long to answer.",
        "metadata": None,
    }

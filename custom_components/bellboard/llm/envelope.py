"""ActionRequest and ActionResponse: the envelope of every model call (LLM router agent contract).

Names are snake case and ids UUIDs; what is absent may be left out or null, what is unknown is ignored.
No validation message quotes what was sent.
"""

from collections.abc import Sequence
import math
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    SecretStr,
    StrictInt,
    ValidationError,
)

from .errors import ToolError
from .models import FunctionCall, JsonSchema, Message, Tool

TOOL = "llm_router_agent"
"""The tool a request must name."""

ACTION = "execute"
"""The one action there is."""

DEFAULT_PROVIDER = "openai"
"""The provider where a payload names none: most servers speak that protocol."""

FAILED = "LLM Call Failed: "
"""What the data of every error begins with."""

type ApiVersion = Literal["v1", "V1"]
"""The version of the contract, in either spelling; a response repeats that of its request."""


def _finite(value: JsonValue) -> JsonValue:
    """Refuse NaN and infinities, which Python's readers let through and JSON does not have."""
    match value:
        case float() if not math.isfinite(value):
            raise ValueError("not a number that JSON has")
        case list():
            for each in value:
                _finite(each)
        case dict():
            for each in value.values():
                _finite(each)
    return value


type Json = Annotated[JsonValue, AfterValidator(_finite)]
"""Any JSON value."""


class ContractModel(BaseModel):
    """Base of the envelope's models; frozen."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object with the fields that were given; a key is hidden."""
        return self.model_dump(mode="json", exclude_unset=True)


class LlmRouterConfigV1(ContractModel):
    """Configuration of the model to ask (LlmRouterConfigV1).

    `base_url` is where the provider is; without one, where it usually is. The key is never shown.
    """

    provider: str = DEFAULT_PROVIDER
    api_key: SecretStr | None = None
    base_url: str | None = None
    model_name: str


class PromptPayload(ContractModel):
    """A payload without a config: all that is needed where the model is known already.

    Beside the contract's prompt there may be the `messages` between context and prompt (the prompt is empty where
    they are the last), the JSON schema of the answer, and how the model is to write it.
    """

    prompt: str = Field(repr=False)
    messages: Sequence[Message] = Field(default=(), repr=False)
    json_schema: JsonSchema | None = Field(default=None, repr=False)
    schema_name: str = Field(default="answer", repr=False)
    temperature: float | None = None
    max_tokens: int | None = None
    logprobs: bool = False
    tools: Sequence[Tool] = Field(default=(), repr=False)


class LlmRouterInvocationRequestV1(PromptPayload):
    """A prompt, and the model to send it to (LlmRouterInvocationRequestV1)."""

    config: LlmRouterConfigV1

    def as_payload(self) -> dict[str, Any]:
        """Return the payload of a request to be sent, with the key in the clear."""
        payload = self.as_json()
        if (key := self.config.api_key) is not None:
            payload["config"]["api_key"] = key.get_secret_value()
        return payload


class ActionRequest[P = Json](ContractModel):
    """A request to a tool (ActionRequest).

    `context` becomes the system prompt; it may be empty. `payload` is any JSON: whether it fits the tool
    is seen when the request is carried out. A request made here has it as `PromptPayload`.
    """

    request_id: UUID
    api_version: ApiVersion | None = None
    tool: str
    action: str
    context: str = Field(repr=False)
    plan_id: UUID | None = None
    task_id: UUID | None = None
    correlation_id: UUID | None = None
    # It may hold a key.
    payload: P = Field(repr=False)

    def redacted(self) -> dict[str, Any]:
        """Return the request for a log: without key, texts and address."""
        return {
            **self.model_dump(mode="json", exclude_unset=True, exclude={"context", "payload"}),
            "context": _counted(self.context),
            "payload": _redacted(self.payload),
        }


PromptRequest = ActionRequest[PromptPayload]
"""A request to a model that is known already, with its payload as it was made."""


class ActionResult(ContractModel):
    """The result of a request (ActionResult).

    `output_type` is "text" for what a model wrote and "error" for why it wrote nothing; both are in `data`.
    """

    output_type: str
    data: str = Field(repr=False)
    metadata: Json | None = None


class ActionResponse(ContractModel):
    """The answer to a request (ActionResponse). `code` is 0 where `status` is "success"."""

    request_id: UUID
    api_version: ApiVersion | None = None
    status: str
    code: StrictInt
    result: ActionResult | None = None
    error: str | None = None
    plan_id: UUID | None = None
    task_id: UUID | None = None
    correlation_id: UUID | None = None

    @classmethod
    def of_text(
        cls,
        request: ActionRequest[Any],
        text: str,
        *,
        provider: str,
        model: str,
        calls: Sequence[FunctionCall] = (),
    ) -> Self:
        """Return the response with what a provider's model wrote, and the tools it wants to have called."""
        metadata: dict[str, JsonValue] = {"provider": provider, "model": model}
        if calls:
            metadata["tool_calls"] = [call.model_dump(mode="json") for call in calls]
        return cls._to(request, ActionResult(output_type="text", data=text, metadata=metadata))

    @classmethod
    def of_failure(cls, request: ActionRequest[Any], cause: str) -> Self:
        """Return the response for a failed call: the invocation itself succeeded.

        `cause` is a fixed phrase of ours, never text of a server or a user.
        """
        result = ActionResult(output_type="error", data=f"{FAILED}{cause}", metadata=None)
        return cls._to(request, result)

    @classmethod
    def _to(cls, request: ActionRequest[Any], result: ActionResult) -> Self:
        """Return a response with all its fields, since some readers want those that are null too."""
        return cls(
            request_id=request.request_id,
            api_version=request.api_version,
            status="success",
            code=0,
            result=result,
            error=None,
            plan_id=request.plan_id,
            task_id=request.task_id,
            correlation_id=request.correlation_id,
        )


def checked(request: ActionRequest[Any], response: ActionResponse) -> ActionResponse:
    """Return a response that is valid as it will be written, and belongs to its request.

    Raises:
        ToolError: it is not; nobody may get it.
    """
    try:
        written = ActionResponse.model_validate_json(response.model_dump_json())
    except ValueError:
        # Not chained: the original may quote what a model wrote.
        written = None
    ids = ("request_id", "plan_id", "task_id", "correlation_id")
    is_right = (
        written == response
        and response.status in {"success", "error"}
        and (response.status == "success") is (response.code == 0)
        and (response.error is None) is (response.code == 0)
        and (response.result is None or response.result.output_type in {"text", "error"})
        and all(getattr(response, name) == getattr(request, name) for name in ids)
    )
    if not is_right:
        raise ToolError(TOOL, ToolError.INVALID_RESPONSE)
    return response


def wrong_fields(error: ValidationError) -> str:
    """Return the fields that are missing or of another shape, as `config.model_name`.

    Only names of ours are in it: what is inside a free field is not named.
    """
    found = (
        ".".join(str(part) for part in each["loc"] if part in _FIELDS)
        for each in error.errors(include_url=False, include_context=False, include_input=False)
    )
    return ", ".join(dict.fromkeys(filter(None, found)))


_FIELDS = (
    frozenset(ActionRequest.model_fields)
    | set(LlmRouterInvocationRequestV1.model_fields)
    | set(LlmRouterConfigV1.model_fields)
)


def _counted(text: str) -> str:
    return f"[{len(text)} characters]"


def _redacted(payload: object) -> Any:
    try:
        asked = PromptPayload.model_validate(payload)
    except ValidationError:
        return "[another shape]"
    shown: dict[str, Any] = {"prompt": _counted(asked.prompt)}
    if asked.messages:
        shown["messages"] = len(asked.messages)
    if asked.tools:
        shown["tools"] = len(asked.tools)
    if isinstance(payload, PromptPayload):
        return shown
    try:
        config = LlmRouterInvocationRequestV1.model_validate(payload).config
    except ValidationError:
        return "[another shape]"
    return shown | {
        "config": {
            "provider": config.provider,
            "api_key": None if config.api_key is None else "[hidden]",
            "model_name": config.model_name,
        },
    }

"""Carries out an ActionRequest: one completion of the model it names (LLM router agent contract).

Whatever goes wrong with the call is in the response. The words for it are fixed phrases of ours: no
key, no prompt and nothing of what a server wrote.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from pydantic import ValidationError

from .envelope import (
    ACTION,
    TOOL,
    ActionRequest,
    ActionResponse,
    LlmRouterConfigV1,
    LlmRouterInvocationRequestV1,
    PromptPayload,
    PromptRequest,
    wrong_fields,
)
from .errors import ModelError
from .models import Message
from .providers import PROVIDERS, Provider, create_client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    import aiohttp

    from .client import ModelClient
    from .models import Completion, Delta

TIMEOUT = 60.0
"""Seconds a call may take, from the first byte that is sent to the last that is read."""


class InvocationError(ModelError):
    """A request that cannot be carried out; the message is a fixed phrase of ours."""

    def __init__(self, phrase: str) -> None:
        Exception.__init__(self, phrase)
        self.detail = phrase


@dataclass(frozen=True, slots=True)
class Invocation:
    """The response to a request, with the completion or the error that it was made of."""

    response: ActionResponse
    completion: Completion | None = None
    error: ModelError | None = None

    @classmethod
    def failed(cls, request: ActionRequest[Any], error: ModelError) -> Invocation:
        """Return the invocation of a request whose call failed."""
        return cls(ActionResponse.of_failure(request, str(error)), error=error)


async def async_execute(
    request: ActionRequest[Any], session: aiohttp.ClientSession, *, timeout: float = TIMEOUT
) -> ActionResponse:
    """Answer a request through the provider, address, key and model in its payload.

    `timeout` is in seconds. What goes wrong is in the response, as the data of an "error".
    """
    try:
        config = _payload(request, LlmRouterInvocationRequestV1).config
        client = _client(_provider(config.provider), config, session)
    except ModelError as err:
        return Invocation.failed(request, err).response
    return (await async_execute_with(request, client, timeout=timeout)).response


async def async_execute_with(
    request: ActionRequest[Any], client: ModelClient, *, timeout: float | None = TIMEOUT
) -> Invocation:
    """Answer a request through a model that is known already; a config in its payload is not read.

    `timeout` is in seconds, None for the client's own. What goes wrong is in the response, as the data of an "error".
    """
    try:
        messages, options = _asked(request, timeout)
        completion = await client.complete(messages, **options)
    except ModelError as err:
        return Invocation.failed(request, err)
    response = ActionResponse.of_text(
        request,
        completion.text,
        provider=client.provider,
        model=client.model or completion.model,
        calls=completion.tool_calls,
    )
    return Invocation(response, completion)


def open_stream(
    request: ActionRequest[Any], client: ModelClient, *, timeout: float | None = TIMEOUT
) -> AsyncGenerator[Delta]:
    """Return the pieces of the answer to a request, like `ModelClient.stream`; its response is the caller's to make.

    Raises:
        InvocationError: it is for another tool or action, or its payload has another shape.
    """
    messages, options = _asked(request, timeout)
    return client.stream(messages, **options)


_OPTIONS = {
    "json_schema": "schema",
    **{name: name for name in ("schema_name", "temperature", "max_tokens", "logprobs", "tools")},
}
"""The arguments of `ModelClient.complete` by the field of the payload that holds them."""
_FIELDS = {option: name for name, option in _OPTIONS.items()}


def request_for(
    messages: Sequence[Message],
    options: dict[str, Any],
    *,
    correlation_id: UUID | None,
    task_id: UUID | None,
) -> PromptRequest:
    """Return the request that asks a known model with the arguments of `ModelClient.complete`.

    Nothing is validated or copied: all of it comes from our own code, and reaches the model as it is.
    """
    rest = list(messages)
    context = prompt = ""
    if len(rest) > 1 and rest[0].role == "system" and rest[0].content.strip():
        context = rest.pop(0).content
    if rest and rest[-1].role == "user" and rest[-1].content:
        prompt = rest.pop().content
    fields = {_FIELDS[name]: value for name, value in options.items()}
    if rest:
        fields["messages"] = tuple(rest)
    return PromptRequest.model_construct(
        request_id=uuid4(),
        tool=TOOL,
        action=ACTION,
        context=context,
        task_id=task_id,
        correlation_id=correlation_id,
        payload=PromptPayload.model_construct(prompt=prompt, **fields),
    )


def messages_of(context: str, payload: PromptPayload) -> list[Message]:
    """Return the messages for the model: context, what is between, and the prompt."""
    messages = list(payload.messages)
    if context.strip():
        messages.insert(0, Message(role="system", content=context))
    if payload.prompt or not payload.messages:
        messages.append(Message(role="user", content=payload.prompt))
    return messages


def _asked(
    request: ActionRequest[Any], timeout: float | None
) -> tuple[list[Message], dict[str, Any]]:
    """Return the messages and arguments for the client. Raises `InvocationError`.

    What the request leaves out is left to the client.
    """
    payload = _payload(request, PromptPayload)
    given = payload.model_fields_set & _OPTIONS.keys()
    options = {_OPTIONS[name]: getattr(payload, name) for name in given}
    if timeout is not None:
        options["timeout"] = timeout
    return messages_of(request.context, payload), options


def _payload[T: PromptPayload](request: ActionRequest[Any], shape: type[T]) -> T:
    """Return the payload of a request.

    Raises:
        InvocationError: it is for another tool or action, or its payload has another shape.
    """
    if request.tool != TOOL:
        raise InvocationError(f"This is {TOOL}; the request is for another tool.")
    if request.action != ACTION:
        raise InvocationError(f"The only action is {ACTION}.")
    try:
        return shape.model_validate(request.payload)
    except ValidationError as err:
        fields = wrong_fields(err)
    # Not chained: the original may quote the payload.
    raise InvocationError(
        f"Missing or wrong in the payload: {fields}."
        if fields
        else "The payload is no JSON object with a prompt."
    )


def _provider(name: str) -> Provider:
    """Return a provider by its name, however that is written: "llama.cpp" is llamacpp.

    Raises:
        InvocationError: there is none of that name.
    """
    plain = "".join(filter(str.isalnum, name.casefold()))
    if (provider := PROVIDERS.get(plain)) is None:
        raise InvocationError(f"Unknown provider. There are {', '.join(PROVIDERS)}.")
    return provider


def _client(
    provider: Provider, config: LlmRouterConfigV1, session: aiohttp.ClientSession
) -> ModelClient:
    """Return the client for a config. Raises `InvalidUrlError` or `AuthenticationError`."""
    return create_client(
        provider.name,
        session,
        url=(config.base_url or "").strip() or provider.default_url,
        api_key=config.api_key.get_secret_value() if config.api_key else None,
        model=config.model_name,
    )

"""Carries out an ActionRequest: one completion of the model it names (LLM router agent contract).

Whatever goes wrong with the call is in the response. The words for it are fixed phrases of ours: no
key, no prompt and nothing of what a server wrote.
"""

from typing import TYPE_CHECKING

from pydantic import ValidationError

from .envelope import (
    ACTION,
    TOOL,
    ActionRequest,
    ActionResponse,
    LlmRouterConfigV1,
    LlmRouterInvocationRequestV1,
    PromptPayload,
    wrong_fields,
)
from .errors import ModelError
from .models import Message
from .providers import PROVIDERS, Provider, create_client

if TYPE_CHECKING:
    import aiohttp

    from .client import ModelClient

TIMEOUT = 60.0
"""Seconds a call may take, from the first byte that is sent to the last that is read."""


class InvocationError(Exception):
    """A request that cannot be carried out; the message is a fixed phrase of ours."""


async def async_execute(
    request: ActionRequest, session: aiohttp.ClientSession, *, timeout: float = TIMEOUT
) -> ActionResponse:
    """Answer a request through the provider, address, key and model in its payload.

    `timeout` is in seconds. What goes wrong is in the response, as the data of an "error".
    """
    try:
        invocation = _payload(request, LlmRouterInvocationRequestV1)
        config = invocation.config
        provider = _provider(config.provider)
        client = _client(provider, config, session)
        text, named = await _ask(client, request.context, invocation.prompt, timeout)
    except (InvocationError, ModelError) as err:
        return ActionResponse.of_failure(request, str(err))
    model = config.model_name or named
    return ActionResponse.of_text(request, text, provider=provider.name, model=model)


async def async_execute_with(
    request: ActionRequest, client: ModelClient, *, timeout: float = TIMEOUT
) -> ActionResponse:
    """Answer a request through a model that is known already; a config in its payload is not read.

    `timeout` is in seconds. What goes wrong is in the response, as the data of an "error".
    """
    try:
        prompt = _payload(request, PromptPayload).prompt
        text, named = await _ask(client, request.context, prompt, timeout)
    except (InvocationError, ModelError) as err:
        return ActionResponse.of_failure(request, str(err))
    model = client.model or named
    return ActionResponse.of_text(request, text, provider=client.provider, model=model)


def _payload[T: PromptPayload](request: ActionRequest, shape: type[T]) -> T:
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


async def _ask(client: ModelClient, context: str, prompt: str, timeout: float) -> tuple[str, str]:
    """Return the completion's text and its model's name. Raises `ModelError`."""
    messages = [Message(role="user", content=prompt)]
    if context.strip():
        messages.insert(0, Message(role="system", content=context))
    completion = await client.complete(messages, timeout=timeout)
    return completion.text, completion.model

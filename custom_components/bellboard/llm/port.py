"""`ModelPort`: the contract between those who ask a model and the client that does (LLM router agent contract).

Each call is an ActionRequest that the handler of the process and of the action answers, within this process. What
comes of it is an ActionResponse; a failure in that is raised again as the `ModelError` it was made of.
"""

from contextlib import aclosing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
import logging
import time
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from .client import answers_within, server_of
from .envelope import TOOL, ActionRequest, ActionResponse, PromptPayload, checked
from .errors import ModelError, ToolError
from .invocation import Invocation, async_execute_with, messages_of, open_stream, request_for
from .models import NO_USAGE, Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Sequence
    from contextlib import AbstractContextManager

    from .client import ModelClient
    from .envelope import PromptRequest
    from .models import Completion, Delta, FunctionCall, JsonSchema, Usage

    type OpenSpan = Callable[[ActionRequest[Any], bool], AbstractContextManager[object]]

_LOGGER = logging.getLogger(__name__)


def no_span(_request: ActionRequest[Any], _is_current: bool) -> AbstractContextManager[object]:  # noqa: FBT001
    """Return no span of a request."""
    return nullcontext()


@contextmanager
def calling(
    request: ActionRequest[Any], span: OpenSpan = no_span, *, is_current: bool = True
) -> Generator[None]:
    """Call the model agent inside `with`: logs the request without its texts, and measures it as a `span`.

    With `is_current` other spans begin inside that one; what is suspended in between has none in it.

    Raises:
        ToolError: the agent failed in a way that nobody expected.
    """
    if _LOGGER.isEnabledFor(logging.DEBUG):
        _LOGGER.debug("Asking a model: %s", request.redacted())
    with span(request, is_current):
        try:
            yield
        except ModelError, ToolError:
            raise
        except Exception as err:
            raise ToolError(TOOL, ToolError.UNEXPECTED, type(err).__name__) from err


@dataclass(slots=True)
class ModelCall:
    """One request to a model, and what came of it; for administrators, since it holds what was said.

    Times are those of `time.perf_counter`, in seconds; `ended` is 0 while it goes on. `response` is None until there
    is one, and where nobody waited for it. `answer` is what the model wrote, `error` the type of what went wrong.
    `tools` are the names of those of the request that it called.
    """

    request: PromptRequest
    provider: str
    model: str
    server: str = ""
    began: float = field(default_factory=time.perf_counter)
    ended: float = 0.0
    response: ActionResponse | None = None
    answer: str = ""
    usage: Usage = NO_USAGE
    error: str = ""
    tools: tuple[str, ...] = ()

    @property
    def asked(self) -> PromptPayload:
        """Return the payload of the request."""
        return self.request.payload

    @property
    def purpose(self) -> str:
        """Return the schema's name ("choice", "plan"); without one "tools" where some were offered, else "talk"."""
        if self.asked.json_schema:
            return self.asked.schema_name
        return "tools" if self.asked.tools else "talk"

    @property
    def messages(self) -> list[Message]:
        """Return the messages that the model was sent."""
        return messages_of(self.request.context, self.asked)

    @property
    def schema(self) -> JsonSchema | None:
        """Return the schema of the answer, None where there was none."""
        return self.asked.json_schema

    def without_words(self, mark: Callable[[str], str]) -> ModelCall:
        """Return the call with what it asked and what the model wrote replaced by `mark`, without tools' arguments."""
        asked, response = self.asked, self.response
        messages = tuple(Message(role=m.role, content=mark(m.content)) for m in asked.messages)
        payload = asked.model_copy(update={"prompt": mark(asked.prompt), "messages": messages})
        update = {"context": mark(self.request.context), "payload": payload}
        if response and response.result:
            # Beside the provider and the model it may hold the arguments of tools.
            bare = {"data": mark(self.answer), "metadata": None}
            result = response.result.model_copy(update=bare)
            response = response.model_copy(update={"result": result})
        return replace(
            self,
            request=self.request.model_copy(update=update),
            response=response,
            answer=mark(self.answer),
        )

    def use_tools(self, calls: Sequence[FunctionCall]) -> None:
        """Note the tools that the model calls. A name that it made up may be words of the user's, and is not kept."""
        if not calls:
            return
        offered = {tool.name for tool in self.asked.tools}
        self.tools += tuple(call.name if call.name in offered else "unknown" for call in calls)

    def end(self, response: ActionResponse | None, error: BaseException | None = None) -> None:
        """Note that it is over, with its response or without, and with which error."""
        self.ended = time.perf_counter()
        self.response = response
        self.error = type(error).__name__ if error else ""

    def as_json(self, started: float) -> dict[str, Any]:
        """Return the call as JSON, with times in milliseconds since `started`."""
        took = self.ended - self.began if self.ended else None
        request, response = self.request, self.response
        return {
            "request_id": str(request.request_id),
            "correlation_id": str(request.correlation_id),
            "task_id": str(request.task_id) if request.task_id else None,
            "status": response.status if response else None,
            "output_type": response.result.output_type if response and response.result else None,
            "provider": self.provider,
            "model": self.model,
            "purpose": self.purpose,
            "messages": [
                {"content": message.content, **message.model_dump(exclude_defaults=True)}
                for message in self.messages
            ],
            "schema": self.schema,
            "temperature": self.asked.temperature,
            "answer": self.answer,
            "error": self.error or None,
            "tools": list(self.tools),
            "at_ms": round((self.began - started) * 1000, 2),
            "ms": None if took is None else round(took * 1000, 2),
            **self.usage.model_dump(),
        }


@dataclass(slots=True)
class ModelUse:
    """The model calls of a turn or a part of one, oldest first, with their number and the tokens of all together.

    `correlation_id` and `task_id` are those of the requests: of the turn, and of the task that it works on.
    """

    log: list[ModelCall] = field(default_factory=list)
    correlation_id: UUID = field(default_factory=uuid4)
    task_id: UUID | None = None

    @property
    def calls(self) -> int:
        """Return the number of calls."""
        return len(self.log)

    @property
    def usage(self) -> Usage:
        """Return the tokens of all calls together."""
        return sum((call.usage for call in self.log), NO_USAGE)

    @property
    def asked(self) -> str:
        """Return the name of the model that was asked last, "" for none."""
        return self.log[-1].model if self.log else ""

    def without_words(self, mark: Callable[[str], str]) -> ModelUse:
        """Return the same use with what was asked and answered replaced by `mark`."""
        return replace(self, log=[call.without_words(mark) for call in self.log])

    def as_json(self) -> dict[str, int]:
        """Return calls and tokens as plain numbers."""
        return {"calls": self.calls, **self.usage.model_dump()}


class ModelPort:
    """Model client that asks another one by the contract, and adds each call to its uses, failed ones too.

    The requests have the ids of the first use.
    """

    def __init__(self, client: ModelClient, *uses: ModelUse, span: OpenSpan = no_span) -> None:
        """Ask `client`; `span` measures each call."""
        self._client = client
        self._uses = uses or (ModelUse(),)
        self._span = span
        self.provider = client.provider
        self.model = client.model
        self.server = server_of(client)

    def answers_within(self, seconds: float) -> bool:
        """Return whether the model may answer within `seconds`."""
        return answers_within(self._client, seconds)

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List models; not counted, nothing is generated."""
        return await self._client.list_models(timeout=timeout)

    async def complete(
        self, messages: Sequence[Message], *, timeout: float | None = None, **options: Any
    ) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`.

        Raises:
            ToolError: what answers for the model failed, or broke the contract.
        """
        call = self._begin(messages, options)
        request = call.request
        try:
            with calling(request, self._span):
                invocation = await async_execute_with(request, self._client, timeout=timeout)
                response = checked(request, invocation.response)
        except BaseException as err:
            call.end(None, err)
            raise
        call.end(response, invocation.error)
        if (completion := invocation.completion) is None:
            raise invocation.error or ToolError(TOOL, ToolError.INVALID_RESPONSE)
        call.answer, call.usage = completion.text, completion.usage
        call.use_tools(completion.tool_calls)
        return completion

    async def stream(
        self, messages: Sequence[Message], *, timeout: float | None = None, **options: Any
    ) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; its response is made at the end. See `ModelClient.stream`.

        Raises:
            ToolError: what answers for the model failed.
        """
        call = self._begin(messages, options)
        request = call.request
        pieces: list[str] = []
        calls: list[FunctionCall] = []
        response: ActionResponse | None = None
        error: BaseException | None = None
        try:
            with calling(request, self._span, is_current=False):
                stream = open_stream(request, self._client, timeout=timeout)
                async with aclosing(stream) as deltas:
                    async for delta in deltas:
                        pieces.append(delta.text)
                        calls += delta.tool_calls
                        if delta.usage:
                            call.usage += delta.usage
                        yield delta
                text = "".join(pieces)
                response = ActionResponse.of_text(
                    request, text, provider=self.provider, model=self.model, calls=calls
                )
        except ModelError as err:
            error, response = err, Invocation.failed(request, err).response
            raise
        except Exception as err:
            error = err
            raise
        finally:
            call.end(response, error)
            call.answer = "".join(pieces)
            call.use_tools(calls)

    def _begin(self, messages: Sequence[Message], options: dict[str, Any]) -> ModelCall:
        """Count a call that begins now; returns its record."""
        ids = self._uses[0]
        request = request_for(
            messages, options, correlation_id=ids.correlation_id, task_id=ids.task_id
        )
        call = ModelCall(request, self.provider, self.model, self.server)
        for use in self._uses:
            use.log.append(call)
        return call

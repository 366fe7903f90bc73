"""What all clients that speak HTTP and JSON do alike: ask, concede, wait, read. A provider adds only its own shapes."""

from abc import ABC, abstractmethod
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from .endpoint import Patience
from .errors import BadOutputError, ModelError, NotAModelServerError
from .models import Completion, Delta, TokenLogprob, Usage
from .output import ThoughtFilter, json_object, without_thoughts
from .refusals import Concessions, failure

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from .endpoint import Endpoint, Reply, Response
    from .models import JsonSchema, Message, ModelInfo
    from .refusals import Body, Concession


class ServerModel(BaseModel):
    """Base of the shapes servers send. What is not named is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a model, before it takes a provider's shape. `None` leaves a choice to the server."""

    messages: Sequence[Message]
    schema: JsonSchema | None = None
    schema_name: str = "answer"
    temperature: float | None = None
    max_tokens: int | None = None
    logprobs: bool = False
    stream: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a provider's reply, or one event of a streamed one, comes down to. `last`: nothing follows."""

    text: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
    logprobs: tuple[TokenLogprob, ...] = ()
    model: str | None = None
    last: bool = False


class HttpModelClient(ABC):
    """A `ModelClient` over HTTP. Subclasses say where to ask, in which shape, and how to read the answer."""

    provider: str
    chat_path: str
    needs_last: ClassVar[bool] = False
    """Whether a streamed answer that told why it stopped is still cut off without its last event."""

    def __init__(self, endpoint: Endpoint, model: str, concessions: Sequence[Concession]) -> None:
        """Talk to `model` at `endpoint`, which may refuse what the table `concessions` lists."""
        self.model = model
        self._endpoint = endpoint
        self._concessions = Concessions(concessions)

    @property
    def server(self) -> str:
        """The address of the server."""
        return self._endpoint.base_url

    def __repr__(self) -> str:
        """Show what is asked where; the endpoint hides the key."""
        return f"{type(self).__name__}(model={self.model!r}, {self._endpoint!r})"

    @abstractmethod
    def _body(self, question: Question) -> Body:
        """Put a question into the provider's shape."""

    @abstractmethod
    def _answer(self, body: bytes) -> Answer:
        """Read a whole reply. Raises `ValidationError` when it does not have the shape, or a `ModelError`."""

    @abstractmethod
    def _event(self, line: bytes) -> Answer:
        """Read one line of a streamed reply, which may carry nothing. Raises like `_answer`."""

    @abstractmethod
    async def list_models(self, *, timeout: float = 10.0) -> list[ModelInfo]:
        """List what the server offers."""

    @abstractmethod
    async def describe(self, *, timeout: float = 10.0) -> ModelInfo:
        """Describe this client's model."""

    def _failure(self, reply: Reply) -> ModelError:
        """Name the error of a reply that is not a success; a provider may know its own better."""
        return failure(reply)

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        schema_name: str = "answer",
        temperature: float | None = None,
        max_tokens: int | None = None,
        logprobs: bool = False,
        timeout: float = 30.0,
    ) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`."""
        question = Question(
            messages=messages,
            schema=schema,
            schema_name=schema_name,
            temperature=temperature,
            max_tokens=max_tokens,
            logprobs=logprobs,
        )
        answer = self._read(await self._ask(self._body(question), Patience(timeout)))
        cut_short = answer.finish_reason == "length"
        return Completion(
            text=without_thoughts(answer.text),
            data=None if schema is None else json_object(answer.text, cut_short=cut_short),
            usage=answer.usage or Usage(),
            logprobs=answer.logprobs,
            finish_reason=answer.finish_reason,
            model=answer.model or self.model,
        )

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float = 60.0,
    ) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; see `ModelClient.stream`."""
        question = Question(
            messages=messages, temperature=temperature, max_tokens=max_tokens, stream=True
        )
        attempt = self._concessions.request(self._body(question))
        patience = Patience(timeout)
        while True:
            async with self._endpoint.open(
                "POST", self.chat_path, attempt.body, patience
            ) as response:
                if response.status == 200:
                    attempt.accepted()
                    async with aclosing(self._deltas(response)) as deltas:
                        async for delta in deltas:
                            yield delta
                    return
                reply = await response.read()
            if not attempt.refused(reply):
                raise self._failure(reply)

    async def _ask(self, body: Body, patience: Patience) -> Reply:
        """Send a chat request, leaving out what the server turns out not to know."""
        attempt = self._concessions.request(body)
        while True:
            reply = await self._exchange("POST", self.chat_path, attempt.body, patience)
            if reply.status == 200:
                attempt.accepted()
                return reply
            if not attempt.refused(reply):
                raise self._failure(reply)

    async def _exchange(
        self, method: str, path: str, body: Body | None, patience: Patience
    ) -> Reply:
        async with self._endpoint.open(method, path, body, patience) as response:
            return await response.read()

    async def _get[T: ServerModel](
        self,
        shape: type[T],
        method: str,
        path: str,
        body: Body | None,
        timeout: float | Patience,
        *,
        names_model: bool = False,
    ) -> T:
        """Ask about the server itself, where any other shape means that it is not such a server.

        `timeout` is in seconds, or what is left for several such calls. `names_model`: the path
        does, so that a 404 may mean the model; a body always names one.
        """
        patience = timeout if isinstance(timeout, Patience) else Patience(timeout)
        try:
            reply = await self._exchange(method, path, body, patience)
        except BadOutputError:
            # Longer than any list of models is.
            reply = None
        if reply is None or (reply.status == 404 and body is None and not names_model):
            # Where no model is named, it is the address itself that is not known.
            raise NotAModelServerError("it answers something else")
        if reply.status != 200:
            raise self._failure(reply)
        found = _parsed(shape, reply.body)
        if found is None:
            raise NotAModelServerError("it answers something else")
        return found

    def _read(self, reply: Reply) -> Answer:
        if reply.is_page:
            raise NotAModelServerError("it answers with a web page")
        wrong: ModelError
        try:
            return self._answer(reply.body)
        except ValidationError:
            # Not chained: a validation error quotes what it refuses.
            wrong = (
                BadOutputError("the reply is damaged")
                if _is_damaged(reply.body)
                else NotAModelServerError()
            )
        raise wrong

    async def _deltas(self, response: Response) -> AsyncGenerator[Delta]:
        """Turn the lines of a reply into pieces of an answer, without thoughts, and check that it has an end."""
        if response.is_page:
            raise NotAModelServerError("it answers with a web page")
        thoughts, last = ThoughtFilter(), Answer()
        async with aclosing(response.lines()) as lines:
            async for line in lines:
                event = self._read_line(line)
                last = replace(
                    event,
                    finish_reason=event.finish_reason or last.finish_reason,
                    usage=_counted(last.usage, event.usage),
                )
                if text := thoughts.feed(event.text):
                    yield Delta(text=text)
                if event.last:
                    break
        if not last.last and (self.needs_last or last.finish_reason is None):
            raise BadOutputError("it ended early")
        if text := thoughts.flush():
            yield Delta(text=text)
        yield Delta(finish_reason=last.finish_reason, usage=last.usage)

    def _read_line(self, line: bytes) -> Answer:
        try:
            return self._event(line) if line.strip() else Answer()
        except ValidationError:
            wrong = BadOutputError("the reply is damaged")
        raise wrong


def _counted(before: Usage | None, now: Usage | None) -> Usage | None:
    """Bring together what the events of one answer count: some tell the prompt first and the answer last."""
    if before is None or now is None:
        return now or before
    return Usage(
        prompt_tokens=max(before.prompt_tokens, now.prompt_tokens),
        cached_tokens=max(before.cached_tokens, now.cached_tokens),
        completion_tokens=max(before.completion_tokens, now.completion_tokens),
    )


def _parsed[T: ServerModel](shape: type[T], body: bytes) -> T | None:
    try:
        return shape.model_validate_json(body)
    except ValidationError:
        return None


def _is_damaged(body: bytes) -> bool:
    """Tell broken JSON, which a model server may send on a bad day, from sound JSON of another service."""
    try:
        return not isinstance(from_json(body), dict)
    except ValueError:
        return True

"""Requests to routers, and a model whose answers the test writes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context
import pytest

from custom_components.bellboard.agents.general import GeneralAgent
from custom_components.bellboard.agents.home import HomeAgent
from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.llm.models import Completion, Delta, Message, TokenLogprob
from custom_components.bellboard.llm.output import json_object
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.routing.router import RoutingRequest

# A server that tells log-probabilities, of which none can be read.
UNREADABLE = (TokenLogprob(token=" ", logprob=0.0),)
CARDS = [*(agent.card for agent in SPECIALISTS), HomeAgent.card, GeneralAgent.card]
AGENT_IDS = {card.id for card in CARDS}


class Writer:
    """A model that writes one text after the other, then the last one for ever.

    Nothing can be measured in its answers, so that what it writes is what counts.
    """

    provider = "test"
    model = "test"

    def __init__(
        self, *texts: str | Exception, logprobs: tuple[TokenLogprob, ...] = UNREADABLE
    ) -> None:
        self._texts = list(texts)
        self.logprobs = logprobs
        self.asked: list[list[Message]] = []
        self.options: dict[str, Any] = {}

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        self.asked.append(list(messages))
        self.options = options
        text = self._texts.pop(0) if len(self._texts) > 1 else self._texts[0]
        if isinstance(text, Exception):
            raise text
        return Completion(
            text=text,
            data=json_object(text),
            model="test",
            logprobs=self.logprobs,
        )

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        raise NotImplementedError

    def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        raise NotImplementedError


def routing_request(text: str, language: Language, **options: Any) -> RoutingRequest:
    """Return a request to route a sentence."""
    user_input = ConversationInput(
        text=text,
        context=Context(),
        conversation_id="talk",
        device_id=None,
        satellite_id=None,
        language="en",
        agent_id="conversation.bellboard",
    )
    values: dict[str, Any] = {"user_input": user_input, "language": language, "cards": CARDS}
    return RoutingRequest(**values | options)


type RequestFor = Callable[..., RoutingRequest]


@pytest.fixture
def request_for(english: Language) -> RequestFor:
    """Return a function that makes a request to route an English sentence."""

    def make(text: str, **options: Any) -> RoutingRequest:
        return routing_request(text, english, **options)

    return make

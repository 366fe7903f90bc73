"""Aptitude of a model for a contract: by the size that its server tells, or a short test with fixed questions.

The test is what a plan asks of a model, in small: exceptions, fractions, several values, what is missing, what
is not there. What came of it is kept with the assistant, for the model that was tested.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeIs

from ..json_model import JsonModel
from ..llm.ability import Contract, contract_for_size, contract_of
from ..llm.client import ModelClient, TellsSizes
from ..llm.errors import BadOutputError, ModelError, ModelMissingError
from ..llm.models import Message, object_schema
from ..llm.port import ModelPort
from ..options import AUTOMATIC, AssistantOptions

CONF_APTITUDE = "aptitude"
"""Key of an assistant's data under which what is known of its model is kept."""

_ENOUGH = 9
_MAX_TOKENS = 120
_SYSTEM = """\
A home has these devices: Ceiling (kitchen): on, 80%. Counter (kitchen): off. Lamp (bedroom): on, 40%. \
Fan (bedroom): off. Answer a request with JSON: "targets" are the devices that it changes, "percent" is the \
brightness that they get, null where it is none. "ask" is true where a value or a device is missing that nobody \
can know; then nothing is changed."""
_DEVICES = ("Ceiling", "Counter", "Lamp", "Fan")
_SCHEMA = object_schema(
    {
        "targets": {
            "type": "array",
            "maxItems": 4,
            "items": {"type": "string", "enum": list(_DEVICES)},
        },
        "percent": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 100}, {"type": "null"}]},
        "ask": {"type": "boolean"},
    }
)


@dataclass(frozen=True, slots=True)
class _Question:
    """A request with its right answer; `percent` is a range, None where none is to be set."""

    text: str
    targets: frozenset[str] = frozenset()
    percent: tuple[float, float] | None = None
    asks: bool | None = False

    def is_right(self, answer: Mapping[str, Any]) -> bool:
        """Return whether an answer is right."""
        named, value = answer.get("targets"), answer.get("percent")
        if self.asks is not None and answer.get("ask") is not self.asks:
            return False
        if not isinstance(named, list) or set(map(str, named)) != self.targets:
            return False
        if self.percent is None:
            return True
        low, high = self.percent
        return isinstance(value, int | float) and low <= value <= high


def _of(*names: str) -> frozenset[str]:
    return frozenset(names)


_QUESTIONS = (
    _Question("all lights on, except the counter", _of("Ceiling", "Lamp")),
    _Question("make the bedroom lamp half as bright as it is", _of("Lamp"), (20, 20)),
    _Question("the kitchen ceiling to a third", _of("Ceiling"), (33, 34)),
    _Question("change the brightness of the lamp", asks=True),
    _Question("turn on the light in the attic", asks=None),
    _Question("counter and lamp to sixty", _of("Counter", "Lamp"), (60, 60)),
    _Question("whatever is off in the kitchen, on please", _of("Counter")),
    _Question("mach die Lampe im Schlafzimmer aus", _of("Lamp")),
    _Question("only the fan, on", _of("Fan")),
    _Question("the lamp a little brighter", _of("Lamp"), (41, 75)),
    _Question("that was all, thank you"),
    _Question(
        "everything that can be dimmed to ten percent", _of("Ceiling", "Counter", "Lamp"), (10, 10)
    ),
)


class Aptitude(JsonModel):
    """Aptitude of a model: its parameters in billions as its server tells them, or the result of a test."""

    model: str
    parameters: float | None = None
    passed: int = 0
    asked: int = 0

    @property
    def contract(self) -> Contract:
        """Return the contract that the model is for."""
        if self.parameters is not None:
            return contract_for_size(self.parameters)
        return Contract.CAPABLE if self.passed >= _ENOUGH else Contract.SMALL


def read_aptitude(data: Mapping[str, Any]) -> Aptitude | None:
    """Return the aptitude of a model in an assistant's data, None for none."""
    stored = data.get(CONF_APTITUDE)
    if not isinstance(stored, Mapping) or not stored.get("model"):
        return None
    return Aptitude.model_validate(dict(stored))


def known_aptitude(data: Mapping[str, Any]) -> dict[str, Contract]:
    """Return the contract of the model that an assistant's data knows one for, by the model's name."""
    aptitude = read_aptitude(data)
    return {aptitude.model: aptitude.contract} if aptitude else {}


def is_unknown(name: str, data: Mapping[str, Any]) -> bool:
    """Return whether it has to be found out which contract a model is for."""
    return bool(name) and contract_of(name) is None and name not in known_aptitude(data)


def wants_test(
    model: ModelClient | None, options: AssistantOptions, data: Mapping[str, Any]
) -> TypeIs[ModelClient]:
    """Return whether it has to be found out what an assistant's model can be asked; `data` is what it keeps.

    Where questions are scarce, they are kept for what people say.
    """
    is_automatic = options.contract == AUTOMATIC
    is_scarce = options.has_scarce_requests
    return model is not None and is_automatic and not is_scarce and is_unknown(model.model, data)


async def async_find_out(
    model: ModelClient, seconds: float, on_progress: Callable[[float], None] = lambda _: None
) -> Aptitude:
    """Return a model's aptitude: the size that its server tells, else the result of a test.

    `seconds` bound one question; `on_progress` is told the share that is done, from 0 to 1.

    Raises:
        ModelError: the model cannot be asked.
    """
    if isinstance(model, TellsSizes) and (size := (await model.list_sizes()).get(model.model)):
        return Aptitude(model=model.model, parameters=round(size, 3))
    port = ModelPort(model)
    passed = 0
    refused: ModelError | None = None
    for number, question in enumerate(_QUESTIONS, 1):
        try:
            passed += question.is_right(await _async_answer(port, question.text, seconds))
        except ModelMissingError as err:
            # A server that answers some questions, and others not yet, is asked all of them.
            refused = err
        on_progress(number / len(_QUESTIONS))
    if refused:
        raise refused
    return Aptitude(model=model.model, passed=passed, asked=len(_QUESTIONS))


async def _async_answer(model: ModelPort, text: str, seconds: float) -> Mapping[str, Any]:
    """Return a model's answer to a question, {} where it is none."""
    try:
        completion = await model.complete(
            [Message(role="system", content=_SYSTEM), Message(role="user", content=text)],
            schema=_SCHEMA,
            schema_name="answer",
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
            timeout=seconds,
        )
    except BadOutputError:
        return {}
    return completion.data or {}

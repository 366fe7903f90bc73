"""Why an instruction cannot be planned, as the reply that says so."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.core import State
from homeassistant.helpers import intent

from ..domains.actions import ActionError, IsOffError, OtherModeError, OutOfRangeError
from ..domains.light_colors import NoEffectError
from ..domains.together import NothingPlaysError
from .base import AgentRequest, AgentResult
from .plan_answers import refusal_answer
from .wording import LocalizedValues, describe_states, format_climate_mode

NO_MEDIA = "no_media"
"""Key of the reply that nothing was found to play."""


class PlanError(Exception):
    """An instruction cannot be planned; `key` and `values` are those of the reply with the reason.

    With `is_final` no other agent can do it either.
    """

    def __init__(self, key: str, *, is_final: bool = False, **values: str) -> None:
        """Store the reply's key and values."""
        super().__init__(key)
        self.key = key
        self.values = values
        self.is_final = is_final

    def answer(self, request: AgentRequest) -> AgentResult:
        """Return the answer with the reason."""
        said = refusal_answer(request, self.key, **self.values)
        if not self.is_final:
            return said
        return replace(said, error_code=intent.IntentResponseErrorCode.FAILED_TO_HANDLE)


def not_found_error(request: AgentRequest, *, is_final: bool = True) -> PlanError:
    """Return the error that no such device exists, in the places named if there are any."""
    if not (places := request.named.places):
        return PlanError("nothing_at_all", is_final=is_final)
    names = request.language.join(place.name for place in places)
    return PlanError("nothing_here", is_final=is_final, places=names)


def not_found_answer(request: AgentRequest) -> AgentResult:
    """Return the answer that no such device exists, in the places named if there are any."""
    return not_found_error(request).answer(request)


def off_error(request: AgentRequest, states: Sequence[State]) -> PlanError:
    """Return the error that the targets are off."""
    key = "are_off" if len(states) > 1 else "is_off"
    return PlanError(key, targets=describe_states(request, states))


def to_plan_error(request: AgentRequest, problem: ActionError) -> PlanError:
    """Return the error with the reply to an action that cannot be planned."""
    targets = describe_states(request, problem.states)
    match problem:
        case IsOffError(states=states):
            return off_error(request, states)
        case OutOfRangeError(low=low, high=high, unit=unit):
            ends = (_with_unit(request, end, unit) for end in (low, high))
            return PlanError("out_of_range", targets=targets, low=next(ends), high=next(ends))
        case NothingPlaysError():
            return PlanError("nothing_plays")
        case NoEffectError():
            return PlanError("no_effect", targets=targets)
        case OtherModeError(mode=mode):
            return PlanError("other_mode", targets=targets, mode=format_climate_mode(request, mode))
        case _:
            return PlanError("cannot", targets=targets)


def _with_unit(request: AgentRequest, value: float, unit: str) -> str:
    """Return a value with its unit, in the user's language."""
    if unit == "K":
        return f"{value} K"
    return LocalizedValues(request, "").value(value, unit)

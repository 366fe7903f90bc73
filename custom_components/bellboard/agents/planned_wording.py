"""Reply texts for what is planned: what will be done, to what, and when."""

from collections.abc import Iterable, Sequence
import json

from ..domains.models import ToolCall
from ..domains.registry import service_of
from .base import ReplyContext
from .wording import describe_wish

# More than so many actions are not told one by one.
_MOST = 4


def describe_planned(request: ReplyContext, calls: Iterable[ToolCall]) -> str:
    """Return what calls will do, in the infinitive ("open Garage Door"); "" where that cannot be told in few words.

    Calls that do the same are told as one. They may have been stored, and are not trusted.
    """
    wishes: dict[str, None] = {}
    for call in _merged(calls):
        if not is_known(call) or not request.catalog.entities.keys() & {*call.targets}:
            return ""
        try:
            wishes[describe_wish(request, call)] = None
        except KeyError, TypeError, ValueError:
            return ""
    return request.language.join(wishes) if len(wishes) <= _MOST else ""


def is_known(call: ToolCall) -> bool:
    """Return whether it is known what a call is for and with which values, and not only to an agent of others."""
    service = service_of(call.action)
    return bool(call.targets) and (service is None or service.required <= call.data.keys())


def tell_planned(
    request: ReplyContext, calls: Sequence[ToolCall], seconds: float, words: str
) -> str:
    """Return the sentence that something will be done: its calls, else the words it was given in."""
    time = request.language.duration(seconds)
    if actions := describe_planned(request, calls):
        return request.language.say("delayed.set", actions=actions, time=time)
    return request.language.say("delayed.plain", command=words, time=time)


def _merged(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """Return calls with the targets of those in one that differ in nothing else."""
    merged: dict[str, ToolCall] = {}
    for call in calls:
        key = json.dumps([call.action, call.label, call.data], sort_keys=True, default=str)
        known = merged.get(key)
        targets = dict.fromkeys((*(known.targets if known else ()), *call.targets))
        merged[key] = call.model_copy(update={"targets": tuple(targets)})
    return list(merged.values())

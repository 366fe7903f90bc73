"""Requests for a timer that do not say how long it is to run: they are asked for it, and completed by the answer."""

from homeassistant.components.intent import async_device_supports_timers
from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..nlu.house import HomeLexicon
from ..nlu.lexicon import Role
from ..nlu.spans import cover_text
from ..nlu.times import lacks_duration, read_duration
from .models import Source
from .router import RoutedPart, RoutingRequest, reply_directly

_LACKING = "duration"


def route_timer(
    hass: HomeAssistant, request: RoutingRequest, house: HomeLexicon, text: str, agent_id: str
) -> RoutedPart | None:
    """Return the request for a timer as one that lacks its duration; None for any other text.

    Where the device has no timers that is said at once. A device of that name is no timer.
    """
    if not lacks_duration(text, house.lexicon):
        return None
    if any(span.has(Role.NAME) for span in cover_text(text, house)):
        return None
    device_id = request.user_input.device_id
    if not device_id or not async_device_supports_timers(hass, device_id):
        words = request.language.say("decline.no_timers")
        reason = "The device has no timers."
        return RoutedPart(text, reply_directly(text, words, reason, Source.READER, topic="keep"))
    lacking = Command(f"{agent_id}/set", missing=_LACKING)
    reason = "It does not say for how long."
    return RoutedPart(text).assigned(agent_id, Source.READER, reason, intent=lacking)


def complete_timer(
    request: RoutingRequest, house: HomeLexicon, said: str, text: str, agent_id: str
) -> RoutedPart | None:
    """Return the timer that `said` asked for, for as long as `text` says; None where it says no duration.

    Home Assistant's own sentence for it is read and handed over by the agent.
    """
    lexicon = house.lexicon
    if not lacks_duration(said, lexicon) or not (seconds := read_duration(text, lexicon)):
        return None
    sentence = lexicon.delays.timed.format(time=request.language.duration(seconds))
    return RoutedPart(sentence).assigned(agent_id, Source.READER, "It says for how long.")

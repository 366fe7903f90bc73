"""A capable model's answer as it is said: with tools, and without claims that nothing bears out."""

from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, field
import logging
import re

from homeassistant.util import dt as dt_util

from ..home.names import words_of
from ..llm.errors import ModelError
from .base import AgentRequest, AgentResult
from .hallucination_guard import claims_to_act, may_state_reading, sentences_of, states_reading
from .misstated import true_states
from .speech import SpeechFilter
from .tools import ACT, HISTORY, ToolConversation, Words

_LOGGER = logging.getLogger(__name__)

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_UNITS = (
    r"((?:°[CF]?|kWh|Wh|kW|W|lx|ppm|hPa|mbar|km/h|m/s|mph|kn|ft/s|km|cm|mm|kg)(?![^\W\d_])|[%€$£])"
)
_UNIT, _UNIT_APART = re.compile(f" ?{_UNITS}"), re.compile(rf"(?<![^\W_]){_UNITS}")
_CLOCK, _HOURS = re.compile(r"\b(\d{1,2}):(\d\d)\b"), re.compile(r"\b(\d+) h (\d+) min")
_MARKS = (".", "!", "?", "…")
_END = re.compile(r"[.!?…](?=\s)")
_HALF_NUMBER = re.compile(r"\d\.$")
# Differences are as exact as what they are of.
_SAME = 0.05
_MOST_LOOKED_AT = 3
# What history tells beside things.
_NO_THINGS = frozenset({"unknown", "all the time"})
# Hours, minutes and days are counted up to these.
_MOST_COUNTED = 60


@dataclass(slots=True)
class GroundedSpeech:
    """Says the answer of a conversation with a model, sentence by sentence where something is claimed.

    `shown` are the states of the home that the model was shown, "" for none, and `count` of how many things.
    """

    conversation: ToolConversation
    shown: str = ""
    count: int = 0
    refused: bool = False
    mended: bool = False
    _said: str = field(default="", init=False)
    _held: str = field(default="", init=False)

    @property
    def request(self) -> AgentRequest:
        """Return the request that is answered."""
        return self.conversation.request

    async def async_result(self) -> AgentResult:
        """Say the answer and return it, with all that was done and asked on the way.

        Raises:
            ModelError: the model could not be asked, before it said anything.
        """
        voice = self.request.voice if self.request.data is None else None
        words = self._async_said(streams=voice is not None)
        spoken = await voice.async_speak(words) if voice else await _async_joined(words)
        content = spoken.strip()
        acted = self.conversation.answers
        last = acted[-1] if acted else None
        failed = bool(acted) and not any(each.success for each in acted)
        failed = failed or self.conversation.has_failed
        return AgentResult(
            success=bool(content) and not (self.refused or failed),
            content=content or self.request.language.say("fallback"),
            tool_uses=tuple(
                (use.call.name, use.call.arguments, use.outcome.data, use.outcome.is_error)
                for use in self.conversation.uses
            ),
            results=tuple(result for each in acted for result in each.results),
            plan=last.plan if last else None,
            question=last.question if last else None,
        )

    async def _async_said(self, *, streams: bool) -> AsyncGenerator[str]:
        """Yield the words that may be said; what is not borne out ends them.

        A sentence in which something is claimed is held back until it is whole.

        Raises:
            ModelError: the model could not be asked, before it said anything.
        """
        filter_ = SpeechFilter()
        try:
            async for piece in self.conversation.async_words(streams=streams):
                if piece.is_reply:
                    for each in (self._released(filter_.flush()), self._reply(piece)):
                        if each:
                            yield each
                    filter_ = SpeechFilter()
                    continue
                self._held += filter_.feed(piece.text)
                if self._is_open() and not _is_whole(self._held):
                    continue
                if text := self._released(""):
                    yield text
                if self.refused:
                    return
            if text := self._released(filter_.flush()):
                yield text
        except ModelError as err:
            if not self._said:
                raise
            # What was said already cannot be taken back, nor said a second time.
            _LOGGER.warning("The model broke off: %s", err)
            yield f" {self.request.language.say(f'model.{err.kind}')}"

    def _is_open(self) -> bool:
        """Return whether the sentence that is not whole may still come to claim something."""
        begun = _open_part(_open_part(self._said) + self._held)
        # What a tool told or did is compared with what a sentence says of it at its end.
        if self.conversation.uses or self.request.language.claims.are_in(begun):
            return True
        return may_state_reading(self.request, begun) or (
            bool(self.shown) and _NUMBER.search(begun) is not None
        )

    def _reply(self, piece: Words) -> str:
        """Return an agent's reply as it follows what was said."""
        text = f"{_gap(self._said)}{piece.text} "
        self._said += text
        return text

    def _released(self, rest: str) -> str:
        """Return what is held as it may be said, and hold nothing any more."""
        held, self._held = self._held + rest, ""
        if not held or self.refused or self.mended:
            return ""
        text = _open_part(self._said) + held
        if claims_to_act(self.request, text, knows_past=self._knows_past):
            if self.conversation.answers:
                # Whoever did it has said so.
                return ""
            if not self.conversation.has_acted:
                return self._refusal()
        if self._states_unknown(text):
            return self._refusal()
        held = self._as_it_is(held)
        self._said += held
        return held

    def _refusal(self) -> str:
        """Return what is said in place of a claim, and say nothing after it."""
        self.refused = True
        language = self.request.language
        looked_at = dict.fromkeys(
            name
            for use in self.conversation.uses
            if use.call.name == HISTORY and not use.outcome.is_error
            for name, told in use.outcome.data.items()
            if isinstance(told, Mapping) and name not in _NO_THINGS
        )
        said = language.say("plan.beyond")
        if looked_at:
            names = language.join([*looked_at][:_MOST_LOOKED_AT])
            said = language.say("plan.beyond_past", names=names)
        return f"{_gap(self._said)}{said}"

    def _as_it_is(self, held: str) -> str:
        """Return what is held up to a state that is not so, with the true one: nothing may follow that builds on it."""
        for sentence in () if self._knows_past else sentences_of(_open_part(self._said) + held):
            if told := true_states(self.request, sentence):
                self.mended = True
                before = held[: max(held.find(sentence), 0)]
                return f"{before or _gap(self._said)}{told}"
        return held

    @property
    def _knows_past(self) -> bool:
        """Return whether the model was told how the home was."""
        return HISTORY in self.conversation.used

    def _states_unknown(self, text: str) -> bool:
        """Return whether a text states of the home what nothing that was shown bears out."""
        if self._has_other_unit(text):
            return True
        if not (self.shown or states_reading(self.request, text)):
            return False
        # Only the home's own past tells the state of a thing; any other may tell of a place ("dry on the terrace").
        is_told = self.conversation.used - {ACT} and not states_reading(
            self.request, text, of_thing=True
        )
        is_known = bool(self.shown or is_told) or self._knows_past
        is_number = self.conversation.uses and _NUMBER.search(text)
        return not (is_known or is_number) or not self._bears_out(text)

    def _has_other_unit(self, said: str) -> bool:
        """Return whether a number has another unit than the one that a tool told it with."""
        asked = self.request.instruction
        for match in _NUMBER.finditer(said):
            if not (unit := _unit_after(said, match.end())) or match[0] in asked:
                continue
            told = [
                (use.shown, number.end())
                for use in self.conversation.uses
                for number in _NUMBER.finditer(use.shown)
                if _value(number[0]) == _value(match[0])
            ]
            is_so = any(_may_have_unit(text, end, unit) for text, end in told)
            if not is_so and any(_UNIT_APART.search(text) for text, _ in told):
                return True
        return False

    def _bears_out(self, said: str) -> bool:
        """Return whether each number was shown or asked, or is a count, a difference, a mean or about one.

        A number with a unit is compared with those of that unit.
        """
        request = self.request
        most = _MOST_COUNTED if self.conversation.uses else self.count
        asks_mean = not request.language.averages.isdisjoint(words_of(request.instruction))
        for match in _NUMBER.finditer(said):
            unit = _unit_after(said, match.end())
            value, known = _value(match[0]), self._known(unit)
            is_near = any(abs(one - value) < 0.5 for one in known if value == int(value))
            is_counted = value == int(value) and value <= most and not unit
            is_mean = asks_mean and min(known, default=1) <= value <= max(known, default=0)
            if not (value in known or is_near or is_counted or is_mean) and not any(
                abs(abs(one - other) - value) < _SAME for one in known for other in known
            ):
                return False
        return True

    def _known(self, unit: str) -> set[float]:
        """Return the numbers that were shown or asked, of a unit those of it."""
        request = self.request
        shown = [self.shown, _now(), request.instruction]
        found = {
            _value(match[0])
            for text in shown
            for match in _NUMBER.finditer(text)
            if _is_unit(_unit_after(text, match.end()), unit)
        }
        for use in self.conversation.uses:
            found |= {
                _value(match[0])
                for match in _NUMBER.finditer(use.shown)
                if _may_have_unit(use.shown, match.end(), unit)
            }
            found |= {*_times_in(use.shown)} if not unit else set()
        return found


def describe_now(request: AgentRequest) -> str:
    """Return the line about now for the last message: the time, the speaker's room, and who speaks."""
    parts = [f"Now: {_now()}"]
    if area := request.catalog.areas.get(request.area_id or ""):
        parts.append(f"Room: {area.name}")
    if name := _speaker(request):
        parts.append(f"Speaker: {name}")
    return ". ".join(parts)


def _now() -> str:
    """Return the time and the date."""
    return f"{dt_util.now():%A %Y-%m-%d %H:%M}"


def _speaker(request: AgentRequest) -> str:
    """Return the name of the person who speaks, "" where it is not known."""
    user_id = request.user_input.context.user_id
    persons = request.hass.states.async_all("person") if user_id else []
    return next((each.name for each in persons if each.attributes.get("user_id") == user_id), "")


async def _async_joined(words: AsyncGenerator[str]) -> str:
    """Return words that nobody hears while they come."""
    return "".join([each async for each in words])


def _is_unit(told: str, said: str) -> bool:
    """Return whether a unit that was told is the one that is said, if any; "°" is of any temperature."""
    same_scale = "°" in {told, said} and told[:1] == said[:1]
    return not said or told == said or same_scale


def _may_have_unit(text: str, end: int, unit: str) -> bool:
    """Return whether a number in what a tool tells has a unit, which may also stand apart from it."""
    if own := _unit_after(text, end):
        return _is_unit(own, unit)
    return not unit or any(_is_unit(each, unit) for each in _UNIT_APART.findall(text))


def _times_in(text: str) -> Iterator[float]:
    """Yield the times of a text as they may be said with a point: 20:15 as 20.15 and 8.15, 1 h 30 min as 1.5."""
    for hour, minute in _CLOCK.findall(text):
        yield float(f"{hour}.{minute}")
        yield float(f"{(int(hour) - 1) % 12 + 1}.{minute}")
    for hours, minutes in _HOURS.findall(text):
        yield round(int(hours) + int(minutes) / 60, 1)


def _open_part(text: str) -> str:
    """Return the sentence that a text ends in; the point of a number ends none."""
    ends = [match.end() for match in _END.finditer(text)]
    return text[ends[-1] :] if ends else text


def _is_whole(text: str) -> bool:
    """Return whether a text ends with a whole sentence: after "It is 21." more of the number may come."""
    said = text.rstrip()
    return said.endswith(_MARKS) and not (said == text and _HALF_NUMBER.search(said))


def _gap(said: str) -> str:
    """Return the space that further words need."""
    return " " if said and not said[-1].isspace() else ""


def _unit_after(text: str, at: int) -> str:
    """Return the unit that follows a number in a text, "" for none."""
    found = _UNIT.match(text, at)
    return found[1] if found else ""


def _value(number: str) -> float:
    """Return a number that is written with a point or a comma."""
    return float(number.replace(",", "."))

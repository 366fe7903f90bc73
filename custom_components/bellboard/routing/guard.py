"""Guard tier: declines what must not be done now: deferred, conditional, negated, or half said.

Home Assistant's recogniser comes first and knows what it can defer ("in ten minutes"). What it does
not know would be acted on at once by anyone who only reads the rest of the sentence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
import re

from homeassistant.components.lock import DOMAIN as LOCK_DOMAIN
from homeassistant.const import ATTR_DEVICE_CLASS, STATE_OFF
from homeassistant.core import State
from homeassistant.helpers.intent import INTENT_TURN_ON

from ..domains.light import LIGHT
from ..home.names import Words, words_of
from ..nlu.kinds import ENTRANCES
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.spans import cover_text
from ..nlu.times import may_say_duration
from .models import Source
from .reading import ReadingRouter
from .router import WHICH_UNIT, RoutedPart, RoutingRequest, declined, reply_directly

_CLAUSE = re.compile("[,;]")
_OF_HOME = frozenset({Role.KIND, Role.NAME, Role.PLACE, Role.VERB})
# What is deferred is done later or not at all, whoever reads it.
_LATER = "later"
_NEGATION = "negation"
# Who leaves a door open does not ask for it to be opened.
_OPENS = frozenset({"open", "unlock"})
# The signs of units, which are no words.
_UNIT_SIGNS = frozenset("%°")


@dataclass(frozen=True, slots=True)
class GuardRouter:
    """Declines requests that are not for now; `reader` tells what is said beside them."""

    state_of: Callable[[str], State | None] = lambda _: None
    reader: ReadingRouter | None = None

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Decline the open parts that must not be done now, and recognised ones without a needed unit.

        After what nobody understands, and what says how long, nothing is done now: "give it an hour, lights off".
        """
        if not request.is_split_by_model and _is_after_wait(request, parts):
            return [RoutedPart(each.text, declined(each.text, "decline.later")) for each in parts]
        return [
            await self._async_guarded(request, part)
            if part.assignment is None
            else self._kept(request, _with_unit(request, part))
            for part in parts
        ]

    async def _async_guarded(self, request: RoutingRequest, part: RoutedPart) -> RoutedPart:
        """Return a part as it is, or declined for the first reason its words give.

        A capable model knows what to make of a negation, a condition and a question, and says what is for later;
        nobody else may read such a part. What says a time in numbers is for no specialist, whatever the model makes
        of it, but "we leave in five minutes, lights off" defers nothing.
        """
        reading = read_tags(part.text, request.language)
        if not request.is_split_by_model or not reading.guards:
            return _guarded(request, part)
        is_asked = reading.is_question or reading.asks_to_be_told
        is_timed = not is_asked and await self._async_says_when(request, part.text)
        return replace(part, is_for_model=True, is_timed=is_timed)

    async def _async_says_when(self, request: RoutingRequest, text: str) -> bool:
        """Return whether a text says in numbers when something in the home is to be done.

        "Guests at seven, and it is dark in here" does not.
        """
        if self.reader is None:
            return _has_time(request, text)
        house = await self.reader.async_house(request.language)
        wanted = await self.reader.async_requested(request, text)
        clauses = [each for each in _CLAUSE.split(wanted) if each.strip()]
        timed = [each for each in clauses if _has_time(request, each)]
        is_all = bool(timed) and len(timed) == len(clauses)
        return is_all or any(
            span.has_any(_OF_HOME) for each in timed for span in cover_text(each, house)
        )

    def _kept(self, request: RoutingRequest, part: RoutedPart) -> RoutedPart:
        """Return a part as it is, or reply_directly if it says "keep on" and a target is on, or "leave open"."""
        intent = part.assignment.intent if part.assignment else None
        if intent is None or not read_tags(part.text, request.language).keeps:
            return part
        states = [self.state_of(target) for target in intent.targets]
        is_on = any(state and state.state != STATE_OFF for state in states)
        opens = intent.name.rpartition("/")[2] in _OPENS and all(map(_is_door, states))
        if not opens and not (is_on and intent.name == INTENT_TURN_ON):
            return part
        words = request.language.say("again.canceled")
        return RoutedPart(
            part.text, reply_directly(part.text, words, "It is to stay as it is.", topic="keep")
        )


def _is_after_wait(request: RoutingRequest, parts: Sequence[RoutedPart]) -> bool:
    """Return whether something would be done now after a part that is not understood, and says how long."""
    done = (at for at, part in enumerate(parts) if part.assignment and part.assignment.intent)
    before = parts[: max(done, default=0)]
    lexicon = request.language.lexicon
    return any(part.assignment is None and may_say_duration(part.text, lexicon) for part in before)


def _is_door(state: State | None) -> bool:
    """Return whether something is a lock or a door, and lets in more than light."""
    if state is None:
        return False
    return state.domain == LOCK_DOMAIN or state.attributes.get(ATTR_DEVICE_CLASS) in ENTRANCES


def _has_time(request: RoutingRequest, text: str) -> bool:
    """Return whether a text says in numbers when it is to be done: "at half past six", "an hour before"."""
    numbers, later = request.language.numbers, request.language.guards[_LATER]
    found = [match[0] for match in later.finditer(text)]
    if any(any(map(str.isdigit, each)) or any(numbers.find(words_of(each))) for each in found):
        return True
    return bool(found) and _names_duration(words_of(text), request.language)


def _names_duration(words: Words, language: Language) -> bool:
    """Return whether a number of hours, minutes or seconds is among some words."""
    units = frozenset(form for forms in language.units.values() for form in forms)
    ends = {place + 1 for place, word in enumerate(words) if word.isdigit()}
    ends |= {each.end for each in language.numbers.find(words)}
    return any(end < len(words) and words[end] in units for end in ends)


def _with_unit(request: RoutingRequest, part: RoutedPart) -> RoutedPart:
    """Return a part as it is, or declined where a number may be percent or degrees.

    "Set the kids room to 30" is no brightness only because Home Assistant has a sentence like it. What was
    read word by word is known to be for lights.
    """
    if part.assignment is None or part.assignment.source is Source.READER:
        return part
    intent = part.assignment.intent
    if intent is None or intent.name != "HassLightSet" or "name" in intent.parameters:
        return part
    words, language = words_of(part.text), request.language
    speaks_of_light = not language.vocabulary[LIGHT.agent_id].isdisjoint(words)
    has_unit = not _UNIT_SIGNS.isdisjoint(part.text)
    if (
        "brightness" not in intent.parameters
        or speaks_of_light
        or has_unit
        or not _ends_with_number(words, language)
    ):
        return part
    return RoutedPart(part.text, declined(part.text, WHICH_UNIT))


def _ends_with_number(words: Words, language: Language) -> bool:
    """Return whether the last word is a number, in digits or in words."""
    found = list(language.numbers.find(words))
    return words[-1:] != () and (words[-1].isdigit() or bool(found and found[-1].end == len(words)))


def _ends_before_negation(request: RoutingRequest, text: str) -> bool:
    """Return whether only what ends a request, or stands beside it, is negated: "keep it on until I'm not here".

    That it is left as it is would be untrue: it was to be done, and has an end.
    """
    language = request.language
    ends = [each.command for each in language.triggers.split_end(text, language.lexicon)]
    clause = _CLAUSE.split(text)[0]
    if read_tags(clause, language).is_later:
        ends.append(clause)
    return any(not read_tags(each, language).is_negated for each in ends)


def _guarded(request: RoutingRequest, part: RoutedPart) -> RoutedPart:
    """Return a part as it is, or declined for the first reason its words give."""
    reading = read_tags(part.text, request.language)
    if (reason := next(iter(reading.guards), None)) is None:
        return part
    if reason == _NEGATION and _ends_before_negation(request, part.text):
        reason = _LATER
    told = f"The request is not for now: {reason}."
    key = "ahead" if reading.is_asked and reason == _LATER else reason
    return RoutedPart(part.text, declined(part.text, f"decline.{key}", told))

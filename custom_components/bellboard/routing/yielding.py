"""Yielding tier: what was read in vain goes to a capable model, with what was understood so far as a hint.

A reading stands where all that is said is in it and something is done or answered. It does not where it would end
in "can't", "not there" or "still off", in a question about a guess, or where a place that was named has no part in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
import json
from typing import Any, TypeIs

from homeassistant.const import STATE_OFF, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State

from ..domains.actions import Action, ActionError, ActionInput, IsOffError, NotSupportedError
from ..domains.models import Command, ErrorCode
from ..domains.registry import find_refusal, read_intent, service_of, table_of
from ..domains.table import Domain
from ..home.catalog import CatalogEntity
from ..nlu.ahead import TELL_AHEAD
from ..nlu.bounds import read_bounds
from ..nlu.house import HomeLexicon
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.questions import OUTSIDE
from ..nlu.reading import read_tags
from ..nlu.recognition import QUERY_INTENTS
from ..nlu.spans import cover_text
from .models import Assignment, Source
from .parts import split_requests
from .reading import ReadingRouter
from .router import NOT_THERE, RoutedPart, RoutingRequest

# Slots with what is searched for, and with any words.
_SEARCHED = ("query", "search_query")
_FREE = frozenset({*_SEARCHED, "message", "wish"})
# What a title that is searched for says that may be meant for a lamp: "put on a bit of blue".
_OF_LIGHT = frozenset({Role.COLOR, Role.KELVIN})
_READ = frozenset({Source.READER, Source.REFLEX, Source.REFERENCE})
_TOLD = frozenset({"tell", TELL_AHEAD})
_UNKNOWN = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
# States of what does nothing by itself, so that nobody would say "it" of it out of the blue.
_AT_REST = frozenset({*_UNKNOWN, STATE_OFF, "docked", "idle", "standby", "closed", "locked"})
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class YieldingRouter:
    """Leaves a sentence to a capable model where its reading would end in nothing, or leaves something out."""

    hass: HomeAssistant
    reader: ReadingRouter

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts; all that were read are open again where the reading of one does not stand."""
        if not (request.is_capable and request.model):
            return list(parts)
        house = await self.reader.async_house(request.language)
        doubts = [
            await self._async_doubt(request, house, part)
            or _may_be_elsewhere(part, parts, house)
            or self._may_be_other(request, house, parts[:at], part)
            for at, part in enumerate(parts)
        ]
        left_out = "" if any(doubts) else self._left_out(request, house, parts)
        if not (any(doubts) or left_out):
            return list(parts)
        opened = [
            self._opened(request, house, part, doubt or left_out)
            for part, doubt in zip(parts, doubts, strict=True)
        ]
        if any(part.assignment for part in opened):
            return opened
        hints = tuple(dict.fromkeys(part.hint for part in opened if part.hint))
        readings = tuple(each for part in opened for each in part.readings)
        return [RoutedPart(request.user_input.text, hint="; ".join(hints), readings=readings)]

    def _opened(
        self, request: RoutingRequest, house: HomeLexicon, part: RoutedPart, doubt: str
    ) -> RoutedPart:
        """Return a part that was read without its assignment, any other as it is."""
        if not _may_yield(part.assignment, request):
            return part
        hint = " - ".join(filter(None, (_told(house, part.assignment.intent), doubt)))
        return replace(part, assignment=None, hint=hint, readings=(part.assignment,))

    async def _async_doubt(
        self, request: RoutingRequest, house: HomeLexicon, part: RoutedPart
    ) -> str:
        """Return the reason for which the reading of a part does not stand, "" where it does."""
        if not _may_yield(part.assignment, request):
            return ""
        intent = part.assignment.intent
        if intent is None:
            is_message = await self.reader.async_announces(request, part.text)
            return "" if is_message else "nothing of that kind is there"
        if intent.is_ambiguous and not intent.is_guess:
            is_told = request.memory or _has_unknown(request.user_input.text, house)
            return "it is not known which is meant" if is_told else ""
        if doubt := _in_words(intent, house):
            return doubt
        if intent.name.partition("/")[2] in _TOLD:
            return _beside_question(part.text, house, request.language)
        return self._in_vain(intent) or self._wakes(intent, part.text, house)

    def _in_vain(self, intent: Command) -> str:
        """Return the reason for which an intent changes nothing that anybody notices, "" for none."""
        states = [
            state
            for target in intent.targets
            if (state := self.hass.states.get(target)) and state.state not in _UNKNOWN
        ]
        found = _row_of(intent, states)
        if found is None:
            return ""
        table, row, parameters = found
        try:
            calls = table.plan(row, ActionInput(parameters=parameters), states)
        except NotSupportedError:
            return "none of them can do that"
        except IsOffError:
            return "it is off"
        except ActionError, ValueError:
            # Its agent says what is wrong with the value.
            return ""
        refusals = {find_refusal(self.hass, each, id_) for each in calls for id_ in each.targets}
        if refusals == {ErrorCode.INVALID}:
            return "more must be told for that"
        stays_off = bool(calls) and all(
            (service := service_of(call.action)) and service.leaves_off(call.data) for call in calls
        )
        return "it is off" if stays_off and all(s.state == STATE_OFF for s in states) else ""

    def _may_be_other(
        self,
        request: RoutingRequest,
        house: HomeLexicon,
        before: Sequence[RoutedPart],
        part: RoutedPart,
    ) -> str:
        """Return the reason where "it" may be what nobody read, and not the only thing that can do it; "" for none.

        "Somebody left a light on in the cellar. Find it" is for no vacuum cleaner.
        """
        intent = part.assignment.intent if part.assignment else None
        if not (intent and intent.targets and read_tags(part.text, request.language).has_object):
            return ""
        own = read_bounds(part.text, house)
        if own.names_something or own.named or not _may_yield(part.assignment, request):
            return ""
        if any(each.assignment for each in before):
            # It is what they are for.
            return ""
        remark = request.user_input.text.partition(part.text)[0]
        is_named = read_bounds(remark, house, is_command=False).names_something
        told = read_bounds(f"{request.memory}\n{remark}", house, is_command=False)
        states = [state for each in intent.targets if (state := self.hass.states.get(each))]
        is_told = {*intent.targets} & told.named or {s.domain for s in states} & told.domains
        is_under_way = any(state.state not in _AT_REST for state in states)
        is_said_before = is_named or (request.memory and not is_under_way)
        return "perhaps of something said before" if is_said_before and not is_told else ""

    def _wakes(self, intent: Command, text: str, house: HomeLexicon) -> str:
        """Return the reason where a mood would turn lamps on that are off, at whatever level: "make it cosy"."""
        states = [state for each in intent.targets if (state := self.hass.states.get(each))]
        has_level = not intent.parameters.keys().isdisjoint({"percent", "brightness", "by"})
        if has_level or len(states) < 2 or not any(state.state == STATE_OFF for state in states):
            return ""
        spans = cover_text(text, house)
        is_mood = any(s.has(Role.KELVIN) for s in spans) and not any(
            s.has(Role.KIND) for s in spans
        )
        return "some of them are off" if is_mood else ""

    def _left_out(
        self, request: RoutingRequest, house: HomeLexicon, parts: Sequence[RoutedPart]
    ) -> str:
        """Return the reason where a place is named in which none of the targets is, "" for none."""
        intents = [part.assignment.intent for part in parts if part.assignment]
        if len(intents) < len(parts) or not all(map(_acts_on_places, intents)):
            return ""
        known = house.catalog.entities
        reached = [
            entity
            for intent in intents
            if intent
            for each in (*intent.targets, *_ids_in(intent.parameters))
            if (entity := known.get(each))
        ]
        if not all(entity.area_id for entity in reached):
            return ""
        bounds = read_bounds(request.user_input.text, house)
        places = {place.id: place.name for place in bounds.areas if place.id in bounds.places}
        said = {str(slot) for intent in intents if intent for slot in intent.parameters.values()}
        left = [
            name
            for place, name in places.items()
            if not any(_is_in(entity, place) for entity in reached)
            and said.isdisjoint({place, name})
        ]
        return f"what of {', '.join(left)}?" if left else ""


def _may_be_elsewhere(part: RoutedPart, parts: Sequence[RoutedPart], house: HomeLexicon) -> str:
    """Return the reason where a part that says no place may be for one that another, not read, says; "" for none.

    "Get the lounge ready for a film and close the blinds"
    """
    intent = part.assignment.intent if part.assignment else None
    if intent is None or not _acts_on_places(intent):
        return ""
    unread = (read_bounds(each.text, house) for each in parts if each.assignment is None)
    places = [place for each in unread for place in each.areas if place.id in each.places]
    known = [entity for each in intent.targets if (entity := house.catalog.entities.get(each))]
    left = [p.name for p in places if not any(_is_in(entity, p.id) for entity in known)]
    if not left:
        return ""
    own = read_bounds(part.text, house)
    is_here = any(span.has(Role.HERE) for span in cover_text(part.text, house))
    return "" if own.areas or own.things or is_here else f"perhaps in {left[0]}?"


def _may_yield(assignment: Assignment | None, request: RoutingRequest) -> TypeIs[Assignment]:
    """Return whether a part was read, and is for whom and for what the speaker may reach here."""
    if assignment is None or assignment.source not in _READ or assignment.known:
        return False
    intent = assignment.intent
    if intent is None:
        return assignment.decline == NOT_THERE
    barred = request.eligibility
    is_eligible = barred.has_agent(assignment.agent_id) and not barred.barred_intents
    return is_eligible and all(map(request.rights.may_read, intent.targets))


def _in_words(intent: Command, house: HomeLexicon) -> str:
    """Return the reason for which the words that an intent was read from may mean more, "" for none."""
    values = intent.parameters
    items = [str(item) for item in values.get("items", ())]
    if intent.is_guess:
        return "only a guess"
    if values.get("is_unsaid") or any(_is_described(item, house) for item in items):
        return "the items are not named one by one"
    if any(_may_be_light(str(values.get(key, "")), house) for key in _SEARCHED):
        return "perhaps no title"
    if intent.name.endswith("/tell") and not (intent.targets or values.get("asking") == OUTSIDE):
        return "nothing there tells it"
    return ""


def _beside_question(text: str, house: HomeLexicon, language: Language) -> str:
    """Return the reason where a question that was read is not all that a text says, "" where it is."""
    spans = cover_text(text, house)
    joined = next((at for at, span in enumerate(spans) if span.has(Role.AND)), len(spans))
    is_known = all(span.senses or span.is_mark for span in spans[joined:])
    is_several = len(split_requests(text, language, may_ask=True)) > 1
    return "" if is_known and not is_several else "not all that is said"


def _has_unknown(text: str, house: HomeLexicon) -> bool:
    """Return whether a text has a word that nobody here knows, which may tell which is meant."""
    return any(not (span.senses or span.is_mark) for span in cover_text(text, house))


def _is_described(item: str, house: HomeLexicon) -> bool:
    """Return whether an item of a list says what it is for, or asks what it is: "stuff for a picnic"."""
    spans = cover_text(item, house)
    is_for = any(not house.lexicon.purposes.isdisjoint(span.words) for span in spans[1:])
    return is_for or any(span.has(Role.ASKING) for span in spans)


def _row_of(
    intent: Command, states: Sequence[State]
) -> tuple[Domain, Action, dict[str, Any]] | None:
    """Return the row of an intent in the table of its targets' domain, with its parameters; None for none."""
    domains = {state.domain for state in states}
    table = table_of(next(iter(domains))) if len(domains) == 1 else None
    name, parameters = intent.name.partition("/")[2], dict(intent.parameters)
    if table and not name:
        found = read_intent(table.plannable_actions, intent.name, parameters)
        name, parameters = found or ("", {})
    row = table.action(name) if table and name else None
    # What is planned by others, too, or after a search, is known only then.
    is_open = row is None or row.sees_others or not parameters.keys().isdisjoint(_FREE)
    return None if table is None or row is None or is_open else (table, row, parameters)


def _may_be_light(title: str, house: HomeLexicon) -> bool:
    """Return whether every word of a title means something in the home, and one of them a colour."""
    spans = cover_text(title, house) if title else []
    return all(span.senses for span in spans) and any(span.has_any(_OF_LIGHT) for span in spans)


def _acts_on_places(intent: Command | None) -> bool:
    """Return whether an intent changes its targets, which stand in rooms, and has no words of its own."""
    if intent is None or not intent.targets or intent.name in QUERY_INTENTS:
        return False
    asks = intent.name.partition("/")[2].startswith("tell")
    return not asks and intent.parameters.keys().isdisjoint(_FREE)


def _ids_in(parameters: Mapping[str, Any]) -> Iterator[Any]:
    """Yield values one by one, among which may be entity ids: the player that music is moved to."""
    for value in parameters.values():
        yield from value if isinstance(value, list | tuple) else [value]


def _is_in(entity: CatalogEntity, place_id: str) -> bool:
    """Return whether an entity is in an area or on a floor."""
    return place_id in {entity.area_id, entity.floor_id}


def _told(house: HomeLexicon, intent: Command | None) -> str:
    """Return an intent in a few words: "set_temperature 24 of Bathroom Heating"."""
    if intent is None:
        return ""
    known = house.catalog.entities
    names = [known[each].name for each in intent.targets if each in known]
    more = len(names) - _MOST_NAMED
    named = [*names[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    values = [
        json.dumps(each, ensure_ascii=False, default=str) for each in intent.parameters.values()
    ]
    what = " ".join([intent.name.rpartition("/")[2].removeprefix("Hass"), *values])
    return f"{what} of {', '.join(named)}" if named else what

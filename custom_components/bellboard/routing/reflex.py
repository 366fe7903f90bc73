"""Reflex tier: sentences that Home Assistant's recogniser understands, without a model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import override

from hassil.recognize import RecognizeResult
from homeassistant.components.light import ATTR_MAX_COLOR_TEMP_KELVIN, ATTR_MIN_COLOR_TEMP_KELVIN
from homeassistant.core import HomeAssistant

from ..domains.light_values import WHITE_TONES
from ..domains.models import Command
from ..domains.registry import find_intent_rows, intents_of_specialists
from ..home.catalog import CatalogEntity
from ..nlu.ahead import TELL_AHEAD
from ..nlu.house import HomeLexicon
from ..nlu.intents import find_queried_entities
from ..nlu.questions import OUTSIDE
from ..nlu.reading import read_tags
from ..nlu.recognition import (
    BROADCAST,
    GET_STATE,
    QUERY_INTENTS,
    async_recognize,
    is_no_search,
    to_recognized_intent,
)
from ..nlu.tokens import MAX_COMMAND
from ..nlu.triggers import lacks_owner
from .models import Source
from .parts import split_requests, told_apart
from .reading import ReadingRouter
from .router import OpenPartRouter, RoutedPart, RoutingRequest


@dataclass(frozen=True, slots=True)
class ReflexRouter(OpenPartRouter):
    """Routes by Home Assistant's recogniser, without executing anything.

    An intent that one agent declares, for entities of that agent's domains, becomes its plan. Every
    other intent goes to the default agent, which hands over to Home Assistant.
    """

    hass: HomeAssistant
    reader: ReadingRouter

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> list[RoutedPart]:
        """Return a part with its assignment, or the requests in it with theirs.

        A free-text slot takes any words, so "play jazz and dim the lights" would be one search for
        "jazz and dim the lights". A sentence with several requests and such a slot is therefore
        read request by request.
        """
        if apart := await self._async_told_apart(request, part.text):
            return apart
        whole = await self._async_recognize(request, part.text)
        takes_any_words = bool(whole and any(e.is_wildcard for e in whole.entities.values()))
        if whole is None and (halves := await self._async_halves(request, part.text, asks=True)):
            return halves
        intent = self._intent_of(request, whole)
        is_no_question = bool(
            intent
            and intent.name in QUERY_INTENTS
            and not read_tags(part.text, request.language).is_question
        )
        if (
            intent is None
            or takes_any_words
            or is_no_question
            or _may_be_other(self.hass, request, part.text, intent)
        ):
            read = await self.reader.async_read(request, part.text)
            if intent is None and not read:
                part = replace(part, is_unread=True)
            if is_no_question and read and all(map(_acts, read)):
                # "All lights off in the kitchen"
                return read
            # Of things of one name it has only those that its own sentence is for.
            is_any = takes_any_words or bool(intent and _is_of_twins(self.hass, intent))
            if read and _is_better(read, intent, takes_any_words=is_any):
                return read
        requests = split_requests(part.text, request.language)
        if read_tags(part.text, request.language).is_report:
            return [part]
        if len(requests) < 2 or (whole and not takes_any_words):
            return [self._assigned(request, part.text, intent) if intent else part]
        recognized = [await self._async_recognize(request, text) for text in requests]
        if recognized[0] is None and read_tags(requests[0], request.language).tells_words:
            # "She shouted at me, turn off the lamp"
            return [part]
        if not any(recognized) and (whole or request.model is None):
            if whole is None and (halves := await self._async_halves(request, part.text)):
                return halves
            return [self._assigned(request, part.text, intent) if intent else part]
        return [
            piece
            for text, result in zip(requests, recognized, strict=True)
            for piece in await self._async_piece(request, text, result)
        ]

    async def _async_told_apart(self, request: RoutingRequest, text: str) -> list[RoutedPart]:
        """Return the answers that a text asks to be told, each by itself; [] where not all of several are known.

        "Her window", and "the window", are where that is what was asked for before it.
        """
        language = request.language
        is_told = len(text) <= MAX_COMMAND and read_tags(text, language).asks_to_be_told
        pieces = told_apart(text, language) if is_told else []
        house = await self.reader.async_house(language) if pieces else None
        found: list[RoutedPart] = []
        for piece in pieces:
            areas = {each.area_id for part in found for each in _asked_of(part, house)} - {None}
            if house and not areas and lacks_owner(piece, language.triggers, house):
                return []
            here = replace(request, area_id=areas.pop()) if len(areas) == 1 else request
            each = await self._async_route_part(here, RoutedPart(piece))
            if not all(known.assignment and known.assignment.intent for known in each):
                each = await self.reader.async_read(here, piece)
            if not each:
                return []
            found += map(_with_name, each)
        return found

    async def _async_halves(
        self, request: RoutingRequest, text: str, *, asks: bool = False
    ) -> list[RoutedPart]:
        """Return the requests in a text and the questions beside them; [] where there is only one.

        With `asks` there has to be a question.

        At least one of them is understood, and the others are left open. What is not for now, or only on a
        condition, is so as a whole, unless that is what a question says.
        """
        language = request.language
        pieces = split_requests(text, language, may_ask=True) if len(text) <= MAX_COMMAND else ()
        if len(pieces) < 2 or read_tags(pieces[0], language).tells_words:
            return []
        reading, read = read_tags(text, language), [read_tags(each, language) for each in pieces]
        commands = [each for each in read if not each.is_asked]
        if len(commands) == len(pieces) and (asks or reading.has_steps):
            return []
        if any(language.verbs.isdisjoint(each.plain_words[:1]) for each in commands):
            # "The speaker in the kitchen, how loud is it?" asks for nothing to be done.
            return []
        if any(each.is_deferred for each in commands):
            return []
        found: list[RoutedPart] = []
        for piece in pieces:
            found += await self._async_route_part(request, RoutedPart(piece))
        is_known = [part.assignment is not None for part in found]
        if request.is_capable or reading.has_steps:
            # "... and tell me what is still on" is asked after what was done before it.
            is_apart = request.is_capable or all(map(_is_independent, found))
            return found if all(is_known) and is_apart else []
        return found if any(is_known) else []

    async def _async_piece(
        self, request: RoutingRequest, text: str, result: RecognizeResult | None
    ) -> Sequence[RoutedPart]:
        """Return one of several requests, as it is read where Home Assistant takes any words for a part of it."""
        intent = self._intent_of(request, result)
        if result and any(each.is_wildcard for each in result.entities.values()):
            read = await self.reader.async_read(request, text)
            if read and _is_better(read, intent, takes_any_words=True):
                return read
        return [self._assigned(request, text, intent)]

    def _intent_of(self, request: RoutingRequest, result: RecognizeResult | None) -> Command | None:
        """Return a recognised intent with the entities it is for, None where there is none."""
        return to_recognized_intent(self.hass, result, request.area_id) if result else None

    async def _async_recognize(self, request: RoutingRequest, text: str) -> RecognizeResult | None:
        """Return what Home Assistant understands, or None; what names a device is no title that it searches for."""
        found = await async_recognize(self.hass, request.user_input, text)
        house = await self.reader.async_house(request.language) if found else None
        return None if found and house and is_no_search(found, text, house) else found

    def _assigned(self, request: RoutingRequest, text: str, intent: Command | None) -> RoutedPart:
        """Return a part with the agent for a recognised intent, or without where there is none."""
        if intent is None:
            return RoutedPart(text)
        if _is_searched_for_later(request, intent):
            return RoutedPart(text)
        card = request.card_for(intent)
        agent_id = card.id if card else request.default_agent_id
        reason = f"Home Assistant recognised {intent.name}."
        return RoutedPart(text).assigned(agent_id, Source.REFLEX, reason, intent=intent)


def _is_independent(part: RoutedPart) -> bool:
    """Return whether a part changes something, or asks for what nothing in the home changes."""
    intent = part.assignment.intent if part.assignment else None
    is_of_outside = intent is not None and intent.parameters.get("asking") == OUTSIDE
    return _acts(part) or is_of_outside or (intent is not None and intent.name.endswith(TELL_AHEAD))


def _may_be_other(hass: HomeAssistant, request: RoutingRequest, text: str, intent: Command) -> bool:
    """Return whether what Home Assistant recognised may mean something else.

    That is several things of a room, none of which was named but perhaps called what only some are ("the
    lamp"), and nothing of the device class or in the state that was said: a "blind" is a shutter. It is also what
    nothing here can do: "vacuum the hall" starts the robot of the hall where none finds its way to a room.
    """
    if _is_of_twins(hass, intent):
        return True
    if not intent.targets:
        is_of_specialist = intent.name in intents_of_specialists()
        is_of_class = _is_of_domain(intent) or "device_class" in intent.parameters
        return is_of_class or is_of_specialist or _is_destination(intent)
    if _is_beyond(hass, intent):
        # "Candlelight" is the warmest white that a lamp has.
        return True
    is_of_room = intent.parameters.keys().isdisjoint({"name", "floor"}) and len(intent.targets) > 1
    # Of several players the one that plays is meant.
    are_players = all(target.startswith("media_player.") for target in intent.targets)
    return is_of_room and (are_players or read_tags(text, request.language).names_some)


def _is_of_twins(hass: HomeAssistant, intent: Command) -> bool:
    """Return whether several things have the name that was said, which Home Assistant only has an error for."""
    if not intent.is_named:
        return False
    places = {key: intent.parameters.get(key) for key in ("name", "area", "floor")}
    known = intent.parameters if intent.name == GET_STATE else places
    return len(find_queried_entities(hass, None, known)) > 1


def _is_of_domain(intent: Command) -> bool:
    """Return whether an intent asks for all of a domain: with "closed" in Dutch shutters are taken for locks."""
    slots = intent.parameters.keys()
    return (
        intent.name == GET_STATE
        and "domain" in slots
        and slots.isdisjoint({"name", "device_class"})
    )


def _is_destination(intent: Command) -> bool:
    """Return whether the area of an intent is where something is to go, and not where it is."""
    return any(row.by_name_only for _, _, row in find_intent_rows(intent.name))


def _is_better(read: Sequence[RoutedPart], known: Command | None, *, takes_any_words: bool) -> bool:
    """Return whether what the reader makes of a sentence says more than what Home Assistant recognised.

    "Put the ceiling at 30 and the lamp at 50" is no search, if every word of it means something.
    """
    if known and known.name == BROADCAST:
        # To Home Assistant all of it is the message, also "in the kitchen that".
        return True
    if known is None:
        return True
    if _is_of_domain(known) and not takes_any_words:
        found = [part.assignment.intent for part in read if part.assignment]
        about = {
            target.partition(".")[0] for intent in found if intent for target in intent.targets
        }
        return bool(about) and about.isdisjoint({"person", known.parameters["domain"]})
    if not known.targets or takes_any_words or (known.is_named and known.is_ambiguous):
        return not any(map(_searches, read))
    found = [part.assignment.intent for part in read if part.assignment]
    if _names_white(known):
        whites = [intent.parameters.get("temperature") for intent in found if intent]
        is_of_them = {each for i in found if i for each in i.targets} <= set(known.targets)
        return is_of_them and all(whites) and whites != [known.parameters["temperature"]]
    if len(found) != 1 or found[0] is None:
        return False
    mine, theirs = set(found[0].targets), set(known.targets)
    return bool(mine) and (mine < theirs or (found[0].is_ambiguous and mine <= theirs))


def _names_white(intent: Command) -> bool:
    """Return whether an intent sets the white of lights, by its name or in kelvin."""
    return intent.name == "HassLightSet" and "temperature" in intent.parameters


def _is_beyond(hass: HomeAssistant, intent: Command) -> bool:
    """Return whether an intent sets lights to a white that one of them does not have."""
    if not _names_white(intent):
        return False
    states = (hass.states.get(target) for target in intent.targets)
    ranges = [
        (
            state.attributes[ATTR_MIN_COLOR_TEMP_KELVIN],
            state.attributes[ATTR_MAX_COLOR_TEMP_KELVIN],
        )
        for state in states
        if state and WHITE_TONES(state)
    ]
    kelvin = float(intent.parameters["temperature"])
    return any(not low <= kelvin <= high for low, high in ranges)


def _acts(part: RoutedPart) -> bool:
    """Return whether a part is known to change something."""
    intent = part.assignment.intent if part.assignment else None
    return intent is not None and not intent.name.partition("/")[2].startswith("tell")


def _searches(part: RoutedPart) -> bool:
    """Return whether a part is to search for media, which has to be done by who can, or is for nothing."""
    intent = part.assignment.intent if part.assignment else None
    return intent is None or not intent.parameters.keys().isdisjoint({"query", "search_query"})


def _is_searched_for_later(request: RoutingRequest, intent: Command) -> bool:
    """Return whether a text to search for ends with when to play it ("jazz at six")."""
    query = str(intent.parameters.get("search_query", ""))
    found = request.language.guards["later"].search(query)
    return found is not None and found.start() > 0


def _asked_of(part: RoutedPart, house: HomeLexicon | None) -> list[CatalogEntity]:
    """Return what a part is for."""
    intent = part.assignment.intent if part.assignment else None
    entities = house.catalog.entities if house else {}
    return [entities[each] for each in (intent.targets if intent else ()) if each in entities]


def _with_name(part: RoutedPart) -> RoutedPart:
    """Return a part that asks whether one thing is so, to be answered with its name: "yes, no" would not say which."""
    assignment = part.assignment
    intent = assignment.intent if assignment else None
    if assignment is None or intent is None or intent.parameters.get("asking") != "is":
        return part
    if len(intent.targets) != 1:
        return part
    named = replace(intent, parameters={**intent.parameters, "asking": "state"})
    return replace(part, assignment=replace(assignment, intent=named))

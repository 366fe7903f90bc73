"""Condition tier: evaluates a condition once, now; if it holds its command goes on, else nothing is done.

"If it is above 23 set it to 22" is nothing for Home Assistant's recogniser, and whoever only reads
"set it to 22" would act without looking. So this comes before all others. A condition that cannot be
known now is left to the guard, which declines it; no command is kept for later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity, CatalogSource, Place
from ..nlu.condition_results import ConditionResult
from ..nlu.condition_rooms import targets_of
from ..nlu.conditions import ConditionReader
from ..nlu.frame_models import NounPhrase
from ..nlu.house import HomeLexicon
from ..nlu.reading import read_tags
from ..nlu.tokens import tokenise
from ..nlu.triggers import lacks_owner
from .parts import asked_apart, split_requests
from .reading import ReadingRouter
from .router import RoutedPart, RoutingRequest, declined, reply_directly

_PRESENCE = frozenset({"somebody", "nobody"})
_EDGES = " ,;:"
# Nobody can set these.
_NEVER_IT = frozenset({"weather"})


@dataclass(frozen=True, slots=True)
class ConditionRouter:
    """Replaces a sentence with a condition by its command, if the condition holds."""

    hass: HomeAssistant
    catalog: CatalogSource
    reader: ReadingRouter

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts; one with a condition becomes its command, or is reply_directly."""
        routed: list[RoutedPart] = []
        for part in parts:
            is_open = not part.assignment and request.language.conditions.is_conditional(
                part.text, request.language.lexicon
            )
            if not is_open or await self.reader.async_announces(request, part.text):
                routed.append(part)
            else:
                routed += await self._async_route_part(request, part)
        return routed

    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart, about: str = ""
    ) -> Sequence[RoutedPart]:
        """Return a part with a word that begins a condition: its command, reply_directly, declined, or as it is.

        "It" in its condition is what the condition before was `about`: "if it is on ..., and if it is off ...".
        """
        words, language = request.language.conditions, request.language
        text = words.with_conjunction(words.without_politeness(part.text), language.lexicon)
        if not words.is_conditional(text, language.lexicon):
            wish = self.wish_in(request, part.text)
            wished = await self.reader.async_wished(request, wish) if wish else []
            return wished or [RoutedPart(text) if text else part]
        if apart := asked_apart(text, language):
            return [RoutedPart(each) for each in apart]
        if read_tags(text, language).is_asked:
            # Only asked: nothing is done for it in any case.
            return [part]
        pieces = words.apart(text, language.lexicon)
        if len(pieces) > 1:
            return await self._async_route_pieces(request, part, pieces)
        house = await self.reader.async_house(language)
        reader = await self.async_reader(request, house)
        for sentence in words.split(text, house.lexicon):
            asked = replace(sentence, command=about or sentence.command)
            if (seen := reader.evaluate(asked)) is None:
                continue
            is_met = seen.holds is not sentence.is_negated
            if command := sentence.command if is_met else sentence.other:
                said = sentence.condition
                return await self.async_command(request, house, command, seen, said) or [
                    _declined(request, part)
                ]
            reason = "The condition says that nothing is to be done."
            reply = _reply(request, seen)
            return [
                RoutedPart(part.text, reply_directly(part.text, reply, reason, topic="condition"))
            ]
        # Nobody may take the command alone for a request of its own.
        if words.begins(text) or len(split_requests(text, language)) > 1:
            return [_declined(request, part)]
        return [part]

    async def _async_route_pieces(
        self, request: RoutingRequest, part: RoutedPart, pieces: Sequence[str]
    ) -> Sequence[RoutedPart]:
        """Return the requests of a part that have conditions of their own; declined where one cannot be known."""
        words, lexicon = request.language.conditions, request.language.lexicon
        found, about = list[RoutedPart](), ""
        for piece in pieces:
            if words.begins(piece):
                found += await self._async_route_part(request, RoutedPart(piece), about)
                about = next((each.condition for each in words.split(piece, lexicon)), "")
            else:
                found.append(RoutedPart(piece))
        is_known = all(
            not each.is_for_model and not (each.assignment and each.assignment.decline)
            for each in found
        )
        return found if is_known else [_declined(request, part)]

    async def async_only_if(
        self, request: RoutingRequest, house: HomeLexicon, text: str
    ) -> tuple[str, str, ConditionResult] | None:
        """Return the command of a text, the words for what has to be so, and how it is; None for none that is known."""
        words = request.language.conditions
        reader = await self.async_reader(request, house)
        said = words.without_then(text.strip().rstrip(".!?"))
        for sentence in words.split(said, house.lexicon):
            command = sentence.command
            if sentence.other or (seen := reader.evaluate(sentence)) is None:
                continue
            if said.endswith(command):
                return command, said.removesuffix(command).strip(_EDGES), seen
            if said.startswith(command):
                return command, said.removeprefix(command).strip(_EDGES), seen
        return None

    def wish_in(self, request: RoutingRequest, said: str) -> str:
        """Return what a wish that sounds like a condition says, "it would be nice if the lamp were on"; else ""."""
        words, lexicon = request.language.conditions, request.language.lexicon
        text = words.with_conjunction(words.without_politeness(said), lexicon)
        is_wish = text != said.strip() and said.strip().endswith(text)
        return text if is_wish and not words.is_conditional(text, lexicon) else ""

    async def async_reader(self, request: RoutingRequest, house: HomeLexicon) -> ConditionReader:
        """Return what reads conditions for who speaks."""
        return ConditionReader(
            hass=self.hass,
            house=house,
            words=request.language.conditions,
            outdoors=request.language.outdoors,
            rain=request.language.ahead.rain,
            readable=request.rights.readable(await self.catalog.async_get()),
            area_id=request.area_id,
            as_here=request.language.references.as_here,
        )

    async def async_command(
        self,
        request: RoutingRequest,
        house: HomeLexicon,
        command: str,
        seen: ConditionResult,
        condition: str,
    ) -> list[RoutedPart]:
        """Return the parts of a command completed by its condition; [] where it cannot be.

        "It" is the thing of the condition, or the only thermostat where it was measured. What names neither a
        thing nor a place is for the place of the condition. "Her lamp" is called by who is named in the condition.
        """
        found: list[RoutedPart] = []
        for text in split_requests(command, request.language):
            placed = request.language.references.as_here(text, house.lexicon)
            if placed == text:
                placed = request.language.triggers.without_there(text)
            targets = targets_of(placed, house)
            there = seen.places or _rooms_of(house.catalog, seen)
            if placed != text and there:
                found += await self._async_placed(request, house, placed, there)
                continue
            parts = [RoutedPart(text)]
            if lacks_owner(text, request.language.triggers, house):
                parts = await self._async_owned(request, house, text, condition)
                # "Súbele la calefacción" is the heating of the room that was spoken of.
                parts = parts or await self._async_placed(request, house, text, seen.places)
            elif targets and targets[0].pronoun and targets[0].refers_back:
                spoken = _spoken(house.catalog, seen)
                parts = await self.reader.async_refer(request, text, spoken) if spoken else []
            elif seen.places and not any(map(_singles_out, targets)):
                parts = await self._async_placed(request, house, text, seen.places)
            elif there and not any(map(_singles_out, targets)):
                parts = await self._async_near(request, house, text, there) or parts
            if not parts:
                return []
            found += parts
        return found

    async def _async_owned(
        self, request: RoutingRequest, house: HomeLexicon, text: str, condition: str
    ) -> list[RoutedPart]:
        """Return the parts of a command for "her lamp" as it is read for who a condition names; [] where it is not."""
        lexicon, words = house.lexicon, request.language.triggers
        for token in tokenise(condition):
            # Only names have no other meaning.
            is_name = not lexicon.senses((token.word,)) and bool(house.senses((token.word,)))
            owned = words.owned(text, token.word, lexicon) if is_name else ""
            if owned and (parts := await self.reader.async_read(request, owned)):
                return parts
        return []

    async def _async_near(
        self, request: RoutingRequest, house: HomeLexicon, text: str, places: Sequence[Place]
    ) -> list[RoutedPart]:
        """Return the parts of a command that may be for several things, for that in some places; [] for any other.

        "When the bathroom window opens turn off the heating"
        """
        parts = await self.reader.async_read(request, text)
        intents = [part.assignment.intent for part in parts if part.assignment]
        is_unclear = any(intent and intent.is_ambiguous for intent in intents)
        return await self._async_placed(request, house, text, places) if is_unclear else []

    async def _async_placed(
        self, request: RoutingRequest, house: HomeLexicon, text: str, places: Sequence[Place]
    ) -> list[RoutedPart]:
        """Return the parts of a command as it is read in places; [] where there is nothing that it is for."""
        floors = {place.id for place in places if place.is_floor}
        named = [place.id for place in places if not place.is_floor]
        inside = [area.id for area in house.catalog.areas.values() if area.floor_id in floors]
        found: list[RoutedPart] = []
        for area_id in named or inside:
            parts = await self.reader.async_read(replace(request, area_id=area_id), text)
            targets = [
                house.catalog.entities[target]
                for part in parts
                if part.assignment and part.assignment.intent
                for target in part.assignment.intent.targets
            ]
            if targets and all(target.area_id == area_id for target in targets):
                found += parts
        return found


def _spoken(catalog: Catalog, seen: ConditionResult) -> list[str]:
    """Return the entity ids that "it" means after a condition, [] where that is not known."""
    things: Sequence[CatalogEntity] = seen.things
    if {entity.domain for entity in things} <= _NEVER_IT or seen.state in _PRESENCE:
        return []
    if seen.reading is not None:
        if not any(entity.domain == "climate" for entity in things):
            # A sensor can be set to nothing; what is set is what heats or cools there.
            areas = {entity.area_id for entity in things if entity.area_id}
            every = catalog.by_domain.get("climate", ())
            things = [entity for entity in every if entity.area_id in areas]
        things = things if len(things) == 1 else ()
    return [entity.entity_id for entity in things]


def _rooms_of(catalog: Catalog, seen: ConditionResult) -> tuple[Place, ...]:
    """Return the room that the things of a condition are in, () where they are in several."""
    rooms = {catalog.areas.get(thing.area_id or "") for thing in seen.things}
    return tuple(filter(None, rooms)) if len(rooms) == 1 else ()


def _singles_out(what: NounPhrase) -> bool:
    """Return whether a description says for which thing something is, or where it is."""
    return bool(what.is_named or what.has_place)


def _reply(request: RoutingRequest, seen: ConditionResult) -> str:
    """Return what was seen, and that nothing was done."""
    language, words = request.language, request.language.conditions
    if seen.reading is not None:
        number = language.number(seen.reading)
        if seen.unit == "%":
            return words.say("humidity", value=language.say("percent", value=number))
        return words.say("temperature", value=f"{number} {seen.unit}")
    if seen.state and (len(seen.things) == 1 or seen.state in _PRESENCE):
        return words.say(seen.state, things=seen.things[0].name)
    return words.say("several")


def _declined(request: RoutingRequest, part: RoutedPart) -> RoutedPart:
    """Return a part that is declined, since nobody knows whether its condition holds; a capable model may know."""
    if request.is_capable:
        return replace(part, is_for_model=True)
    reason = "Its condition cannot be known now."
    return RoutedPart(part.text, declined(part.text, "decline.condition", reason))


def person_who_speaks(
    hass: HomeAssistant, request: RoutingRequest, reader: ConditionReader
) -> CatalogEntity | None:
    """Return the person who speaks, None for somebody who is not known, or may not be seen."""
    user_id = request.user_input.context.user_id
    return next(
        (
            person
            for person in reader.readable.by_domain.get("person", ())
            if (state := hass.states.get(person.entity_id))
            and user_id
            and state.attributes.get("user_id") == user_id
        ),
        None,
    )

"""What a model wrote for later, judged by what the person said: in plainer words, but of no other thing or time."""

import re

from ..domains.registry import GUARDING_OR_REACHING
from ..home.names import words_of
from ..nlu.bounds import Mentions, collective_words, read_bounds
from ..nlu.house import HomeLexicon
from ..nlu.kinds import KINDS
from ..nlu.moment_times import HomeClock
from ..nlu.moments import heard_times
from .models import Assignment
from .router import RoutingRequest

# What a model adds to a word of the person's: "the spare room (Guest Room)".
_ADDED = re.compile(r" ?\([^()]*\)")


def as_borne_out(
    request: RoutingRequest, part: Assignment, house: HomeLexicon, clock: HomeClock
) -> str:
    """Return the command of a model's part for later, "" where the person did not speak of it, or of another time."""
    text = request.user_input.text
    when = heard_times(part.later, clock, house)
    if when.contradicts(heard_times(text, clock, house)):
        return ""
    if not _is_spoken_of(request, part.later, house):
        return ""
    commands = (part.instruction, _ADDED.sub("", part.instruction))
    told = _numbers(f"{text} {request.memory}", request)
    return next(
        (
            each
            for each in commands
            if _is_spoken_of(request, each, house) and _numbers(each, request) <= told
        ),
        "",
    )


def _numbers(text: str, request: RoutingRequest) -> set[float]:
    """Return the numbers in a text, in digits and in words."""
    words = words_of(text)
    found = {float(each) for each in words if each.isdecimal()}
    return found | {
        number for match in request.language.numbers.find(words) for number in match.meanings
    }


def _is_spoken_of(request: RoutingRequest, text: str, house: HomeLexicon) -> bool:
    """Return whether the person, or what was said just before, spoke of all that a text names.

    What opens or guards the home, or reaches other things, is to be in the sentence itself.
    """
    sentence = request.user_input.text
    own = read_bounds(text, house, is_command=False)
    said = read_bounds(sentence, house, is_command=False)
    before = read_bounds(request.memory, house, is_command=False)
    if (own.is_everywhere or own.is_all) and not (said.is_everywhere or said.is_all):
        return False
    near = house.catalog.floor_of(request.area_id)
    places = {*said.places, *before.places, request.area_id, near.id if near else None}
    points = request.language.references.points_elsewhere(sentence)
    if not (points or own.places <= places):
        return False
    told = {*words_of(f"{sentence} {request.memory}")} - request.language.ignored
    told -= collective_words(house.lexicon)
    known = {each: house.catalog.entities[each] for each in own.named}
    is_known = all(
        each in said.named | before.named
        or not {entity.area_id, entity.floor_id}.isdisjoint(places - {None})
        or any(not told.isdisjoint(words_of(name)) for name in entity.names)
        for each, entity in known.items()
    )
    return is_known and _guarding(own) <= _guarding(said)


def _guarding(said: Mentions) -> set[str]:
    """Return what words mean that opens or guards the home, or reaches other things: by its domain, or its kind."""
    named = {each.partition(".")[0] for each in said.named} & GUARDING_OR_REACHING
    kinds = {each.kind for each in said.nouns}
    domains = {each: GUARDING_OR_REACHING.intersection(KINDS[each].domains) for each in kinds}
    return named.union(*domains.values(), (each for each in kinds if domains[each]))

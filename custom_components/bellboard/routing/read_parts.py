"""Parts of a sentence that was read: what they are for, and what is said where they are for nothing."""

from dataclasses import replace

from ..agents.models import NOBODY
from ..domains.actions import Action
from ..nlu.frame_models import ReadCommand
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language
from ..nlu.questions import ReadQuestion
from ..nlu.tokens import spoken_words
from .models import Assignment, Source
from .router import NOT_THERE, RoutedPart


def own_answer(question: ReadQuestion) -> tuple[str, str]:
    """Return the domain whose specialist has its own answer to a question, and which; ("", "") for none.

    Those are which lights are on, and what is playing.
    """
    if question.asking == "playing":
        return "media_player", "tell_playing"
    are_lights = all(entity_id.startswith("light.") for entity_id in question.entity_ids)
    is_which = question.asking == "which" and question.state == "on"
    return ("light", "tell_on") if is_which and are_lights else ("", "")


def native_intent(
    action: Action, parameters: dict[str, object]
) -> tuple[str, dict[str, object]] | None:
    """Return Home Assistant's intent for an action with its slots, None where it has none."""
    for row in action.intents:
        slots = {name: slot for slot, name in row.slots.items()}
        found = {slots[name]: value for name, value in parameters.items() if name in slots}
        if len(found) == len(parameters) and row.matches(found):
            return row.name, found
    return None


def guessed(part: RoutedPart) -> RoutedPart:
    """Return a part of which it is asked whether its target is meant."""
    assignment = part.assignment
    intent = assignment.intent if assignment else None
    if assignment is None or intent is None:
        return part
    guess = replace(intent, is_guess=True)
    return replace(part, assignment=replace(assignment, intent=guess))


def missing(language: Language, part: ReadCommand) -> Assignment:
    """Return the assignment of a part that is for what is not there."""
    places = language.join(place.name for place in part.places)
    key = part.missing or ("plan.nothing_here" if places else "plan.nothing_at_all")
    words = language.say(key, places=places, name=part.name, targets=part.name)
    return Assignment(
        agent_id=NOBODY,
        instruction=part.text,
        source=Source.READER,
        reason="There is nothing of that kind.",
        decline=NOT_THERE,
        words=words,
    )


def is_numbered(house: HomeLexicon, part: RoutedPart, number: str) -> bool:
    """Return whether a part is for one thing alone, which has a number in its name."""
    intent = part.assignment.intent if part.assignment else None
    targets = intent.targets if intent and not intent.is_open else ()
    names = (name for each in targets[:1] for name in house.catalog.entities[each].names)
    return len(targets) == 1 and any(number in spoken_words(name) for name in names)

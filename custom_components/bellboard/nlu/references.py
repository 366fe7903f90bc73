"""Sentences that go on with the last command: "again", "too much", "the other one", "and the hall, too"."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
import math
from typing import Any, Self

from homeassistant.const import STATE_OFF
from homeassistant.core import HomeAssistant

from ..domains.actions import StepSizes
from ..domains.commands import Change, as_number, find_action, moved, step
from ..domains.models import Command
from ..domains.registry import table_of
from ..domains.snapshot import StateSnapshot
from ..home.catalog import CatalogEntity
from .clauses import Group, group_clauses, is_filler
from .described import Finder
from .frame_models import Frame, NounPhrase, ReadCommand, likeliest
from .frames import frames_of
from .lexicon import HALT, Lexicon, Role, Sense, holds_any
from .reader import Reader
from .segmentation import clauses_of
from .spans import cover_text
from .spellings import spell_out
from .tokens import Phrase, spoken_words

# More words, and more combinations of frames, are not tried.
_MOST_WORDS, _MOST_READINGS = 10, 48
# Where these are, any of them is meant; of other things only those of the same class, so that a
# garage door is not opened along with the blinds.
_ALIKE = frozenset({"light", "media_player", "climate"})
_SKIPPING = frozenset({"next", "previous"})
_OTHER = frozenset({"other", "others"})
# What says with what, and what asks.
_NAMING = frozenset(
    {
        *(Role.KIND, Role.HERE, Role.EVERYWHERE, Role.QUANTITY, Role.MOOD, Role.OTHER, Role.OPTION),
        *(Role.ASKING, Role.MEASURE, Role.ATTRIBUTE),
    }
)
# What says what is to be done: "wieder ab" is to turn off, and not to do it again.
_DOING = frozenset({Role.VERB, Role.STATE, Role.MOVE})
_VALUES = frozenset({Role.NUMBER, Role.UNIT, Role.HALF, Role.BY})
_BY_NUMBER = frozenset({Role.BY, Role.NUMBER})
# Attributes that "higher" is said of once they were spoken of, and verbs that say which way something goes.
_PARTS = frozenset({"fan", "swing", "tilt"})
_WAYS = frozenset({"raise", "lower", "dim", "brighten"})
# What is at its level as soon as it is told; and verbs that end what goes on.
_LEVELED = frozenset({"light", "climate"})
_HALTING = frozenset({Sense(Role.VERB, HALT), Sense(Role.VERB, "stop")})
# What is on its way somewhere.
_MOVING = frozenset({"cover", "valve"})
# Actions of thermostats: by how much, and to what.
_WARMER, _SET, _TARGET = "change_temperature", "set_temperature", "temperature"
_KINDS = ("again", "more", "less", "too_much", "halt", *sorted(_OTHER))


@dataclass(frozen=True, slots=True)
class LastCommand:
    """The command before a sentence: the actions that were done with all of `entities`.

    `others` are what else could have been meant, `other` the one of them that is alike, `pair` the two that both
    are; each () where that is not clear. `chain` are those with which the same was done one after the other.
    `before` is how what it changed was. `said` are the last sentences, the newest first.
    """

    actions: tuple[Command, ...] = ()
    entities: tuple[CatalogEntity, ...] = ()
    others: tuple[CatalogEntity, ...] = ()
    other: tuple[CatalogEntity, ...] = ()
    pair: tuple[CatalogEntity, ...] = ()
    chain: tuple[CatalogEntity, ...] = ()
    before: tuple[StateSnapshot, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def domain(self) -> str:
        """Return the domain of all of the entities, "" for none or several."""
        domains = {entity.domain for entity in self.entities}
        return domains.pop() if len(domains) == 1 else ""


NOTHING = LastCommand()
"""No command before."""


@dataclass(frozen=True, slots=True)
class ReferenceWords:
    """Phrases of one language that go on with the last command, each with its kind.

    The kinds are "again", "more", "less", "too_much", "halt", "other" and "others"; beside the last two may stand
    what is `beside` them ("not this one, but"). `same` begin a sentence about something else ("the same in the hall"),
    and `not_so` before an adjective means `too`.
    `there` is the place that was spoken of; `elsewhere` are it and another place that is not named ("next door").
    """

    kinds: Mapping[Phrase, str]
    beside: frozenset[Phrase] = frozenset()
    same: tuple[Phrase, ...] = ()
    not_so: tuple[Phrase, ...] = ()
    too: str = ""
    there: tuple[Phrase, ...] = ()
    elsewhere: tuple[Phrase, ...] = ()

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Return the words of the section `references` of a language file."""
        phrases = {
            kind: [spoken_words(text) for short in data[kind] for text in spell_out(short, {})]
            for kind in (*_KINDS, "beside", "same", "not_so", "there", "elsewhere")
        }
        return cls(
            {phrase: kind for kind in _KINDS for phrase in phrases[kind]},
            frozenset(phrases["beside"]),
            tuple(sorted(phrases["same"], key=len, reverse=True)),
            tuple(phrases["not_so"]),
            str(data["too"]),
            tuple(sorted(phrases["there"], key=len, reverse=True)),
            (*phrases["there"], *phrases["elsewhere"]),
        )

    def read(self, words: Phrase, lexicon: Lexicon) -> tuple[str, str] | None:
        """Return the kind of words and an amount ("little", "much", ""); None where they say anything else."""
        kinds: set[str] = set()
        values: set[Role] = set()
        amount, at, is_beside = "", 0, False
        while at < len(words) <= _MOST_WORDS:
            phrases = [words[at : at + size] for size in range(len(words) - at, 0, -1)]
            # "Noch ein bisschen" is an amount, too.
            found = next((phrase for phrase in phrases if phrase in self.kinds), ())
            if found:
                kinds.add(self.kinds[found])
            elif found := next((p for p in phrases if _amount(lexicon, p)), ()):
                amount = _amount(lexicon, found)
            elif found := next((p for p in phrases if self._is_beside(lexicon, p)), ()):
                is_beside = True
            elif found := next((p for p in phrases if _is_value(lexicon, p)), ()):
                values |= _roles(lexicon, found) or {Role.NUMBER}
            elif not (found := next((p for p in phrases if _is_extra(lexicon, p)), ())):
                return None
            at += len(found)
        if (amount and kinds == {"again"}) or (values >= _BY_NUMBER and not kinds):
            # "Encore un peu", "another ten percent"
            kinds = {"more"}
        kinds = kinds if len(kinds) == 1 else kinds - {"again"}
        if len(kinds) != 1 or (is_beside and not kinds <= _OTHER):
            return None
        return kinds.pop(), amount

    def _is_beside(self, lexicon: Lexicon, phrase: Phrase) -> bool:
        """Return whether a phrase may stand beside the other ones: "no", "not this one, but"."""
        return phrase in self.beside or Role.CORRECTING in _roles(lexicon, phrase)

    def refers(self, words: Phrase, lexicon: Lexicon) -> bool:
        """Return whether words go on with the last command, or are all known and name nothing: "a bit brighter"."""
        if self.read(words, lexicon):
            return True
        at = 0
        while at < len(words) <= _MOST_WORDS:
            sizes = range(len(words) - at, 0, -1)
            at += (size := next((n for n in sizes if _is_unnaming(lexicon, words[at : at + n])), 0))
            if not size:
                return False
        return 0 < len(words) <= _MOST_WORDS

    def rest(self, text: str) -> str:
        """Return what a text says after "the same"; all of it where it begins otherwise."""
        words = spoken_words(text)
        size = next((len(p) for p in self.same if words[: len(p)] == p), 0)
        return " ".join(words[size:]) if size else text

    def points_elsewhere(self, text: str) -> bool:
        """Return whether a text says a place that it does not name: "over there", "next door"."""
        return holds_any(spoken_words(text), self.elsewhere)

    def as_here(self, text: str, lexicon: Lexicon) -> str:
        """Return a text with "here" in place of "there"; all of it where it says no such place."""
        words = spoken_words(text)
        for phrase, at in product(self.there, range(len(words))):
            if words[at : at + len(phrase)] == phrase:
                here = min(lexicon.phrases_of(Sense(Role.HERE)), key=lambda p: (len(p), p))
                return " ".join((*words[:at], *here, *words[at + len(phrase) :]))
        return text

    def names_others(self, words: Phrase) -> bool:
        """Return whether all the others are spoken of, and not one: "the others off"."""
        spans = product(range(len(words)), range(1, 5))
        return any(self.kinds.get(words[at : at + size]) == "others" for at, size in spans)


def _roles(lexicon: Lexicon, phrase: Phrase) -> set[Role]:
    """Return what a phrase may be to a reading."""
    return {sense.role for sense in lexicon.senses(phrase)}


def _amount(lexicon: Lexicon, phrase: Phrase) -> str:
    """Return how much a phrase says: "little", "much", or ""."""
    senses = lexicon.senses(phrase)
    return next((str(sense.value) for sense in senses if sense.role is Role.AMOUNT), "")


def _is_extra(lexicon: Lexicon, phrase: Phrase) -> bool:
    """Return whether a phrase may be left out: courtesy, what joins, and what adds ("as well")."""
    roles = _roles(lexicon, phrase)
    if not roles.isdisjoint({Role.FILLER, Role.AND}) and roles.isdisjoint(_DOING):
        return True
    is_one = len(phrase) == 1 or not any(lexicon.adds((word,)) for word in phrase)
    return len(phrase) <= 2 and is_one and lexicon.adds(phrase)


def _is_value(lexicon: Lexicon, phrase: Phrase) -> bool:
    """Return whether a phrase is a part of what something goes on by: "ten", "percent", "another"."""
    is_number = len(phrase) == 1 and phrase[0].isdecimal()
    return is_number or not _roles(lexicon, phrase).isdisjoint(_VALUES)


def _is_unnaming(lexicon: Lexicon, phrase: Phrase) -> bool:
    """Return whether a phrase is known, or a number, and tells nothing of what is meant."""
    roles = _roles(lexicon, phrase)
    return _is_value(lexicon, phrase) or (bool(roles) and roles.isdisjoint(_NAMING))


def read_repeated(
    reader: Reader, words: ReferenceWords, text: str, last: LastCommand
) -> list[ReadCommand]:
    """Return the last command once more, further, back, or for the others; [] where that is not what is said."""
    if not last.actions or not last.domain:
        return []
    if _ends_step(reader, words, text, last):
        # "Stop, that's fine" turns no lamp off that was dimmed.
        return [ReadCommand(text, is_kept=True)]
    if (found := words.read(spoken_words(text), reader.house.lexicon)) is None:
        return []
    kind, amount = found
    if kind in _OTHER:
        return _done_with(text, last, last.other if kind == "other" else last.others)
    if any(each.frame.is_step and each.frame.move == "down" for each in _groups(reader, text)):
        # "Encore un demi-degré de moins" says its own way.
        return []
    if kind in {"more", "again"}:
        value = _value(reader, text)
        further = _further(reader, words, text, last, replace(value, amount=amount))
        if further or value.number is not None:
            return further
    if len(last.actions) != 1:
        return []
    again = _repeated(last.domain, last.actions[0], kind, amount)
    again = again or _moved_on(reader, last, kind, amount)
    return _done_with(text, replace(last, actions=(again,)), last.entities) if again else []


def _ends_step(reader: Reader, words: ReferenceWords, text: str, last: LastCommand) -> bool:
    """Return whether a text says that a level which was changed at once is far enough: "stop", "enough"."""
    table = table_of(last.domain) if last.domain in _LEVELED else None
    steps = table.step_sizes if table else None
    if steps is None or not all(steps.changes(action.name) for action in last.actions):
        return False
    found, spans = (
        words.read(spoken_words(text), reader.house.lexicon),
        cover_text(text, reader.house),
    )
    said = [span for span in spans if not (span.is_mark or is_filler(span))]
    is_stop = bool(said) and any(sense in _HALTING for sense in said[0].senses)
    rest = {sense.role for span in said[1:_MOST_WORDS] for sense in span.senses}
    return (found or ("",))[0] == "halt" or (is_stop and rest <= {Role.ASKING, Role.PRONOUN})


def from_targets(
    hass: HomeAssistant, parts: Iterable[ReadCommand], last: LastCommand
) -> list[ReadCommand]:
    """Return commands with the temperature that is meant by a step from one that was just set of what is off."""
    is_set = all(action.name == _SET for action in last.actions)
    if not (is_set and last.actions):
        return [*parts]
    known = frozenset(entity.entity_id for entity in last.entities)
    return [
        replace(part, actions=tuple(_from_target(hass, each, known) for each in part.actions))
        for part in parts
    ]


def _from_target(hass: HomeAssistant, action: Command, known: frozenset[str]) -> Command:
    """Return a step of the temperature of `known` entities that are off as the temperature that it comes to."""
    states = [s for target in action.targets if (s := hass.states.get(target))]
    targets = {as_number(state.attributes.get(_TARGET)) for state in states}
    is_off = all(state.state == STATE_OFF for state in states)
    is_step = action.name == _WARMER and known.issuperset(action.targets)
    target = targets.pop() if len(targets) == 1 else None
    if not (is_step and is_off) or target is None:
        return action
    return replace(action, name=_SET, parameters={_TARGET: target + action.parameters["by"]})


def _further(
    reader: Reader, words: ReferenceWords, text: str, last: LastCommand, by: Frame
) -> list[ReadCommand]:
    """Return the step that was said last once more, `by` what is said now; [] where a step of the action will do."""
    table, is_number = table_of(last.domain), by.number is not None
    if not is_number and table and table.step_sizes and _moved(table.step_sizes, last.actions[0]):
        return []
    lexicon = reader.house.lexicon
    said = [each for each in last.said if not words.read(spoken_words(each), lexicon)]
    for group in _groups(reader, said[0]) if said else ():
        frame = group.frame
        is_way = frame.move or frame.amount or frame.verb in _WAYS
        if not (frame.is_step or (is_way and not frame.has_value)):
            continue
        if is_number:
            unit = by.unit or frame.unit
            frame = replace(frame, number=by.number, unit=unit, level=None, is_step=True)
        frame = replace(frame, amount=by.amount or frame.amount)
        if found := _of_last(reader, text, replace(group, frame=frame), last):
            return found
    return [ReadCommand(text)] if is_number and last.said and not said else []


def _value(reader: Reader, text: str) -> Frame:
    """Return a frame with the number and the unit of a text, apart as they may be: "one more degree"."""
    senses = [sense for span in cover_text(text, reader.house) for sense in span.senses]
    numbers = [float(sense.value) for sense in senses if sense.role is Role.NUMBER]
    units = [str(sense.value) for sense in senses if sense.role is Role.UNIT]
    return Frame(number=numbers[-1] if numbers else None, unit=units[0] if units else "")


def _read_of_part(reader: Reader, text: str, last: LastCommand) -> list[ReadCommand]:
    """Return what moves the part of a device that was spoken of last: "higher", after its fan; [] for no such."""
    spoken = {group.frame.attribute for group in _groups(reader, "".join(last.said[:1]))}
    if not (attribute := next(iter(spoken & _PARTS), "")):
        return []
    for group in _groups(reader, text):
        frame = group.frame
        is_moved = not (frame.attribute or frame.unit) and (frame.move or frame.verb in _WAYS)
        if is_moved and all(what.refers_back for what in group.targets):
            frame = replace(frame, attribute=attribute)
            if found := _of_last(reader, text, replace(group, frame=frame), last):
                return found
    return []


def _groups(reader: Reader, text: str) -> Iterator[Group]:
    """Yield the operation of each reading of a text that has one."""
    for clauses, frames in _readings(reader, text):
        groups = [each for each in group_clauses(text, clauses, frames) if not each.is_told]
        if len(groups) == 1 and not groups[0].without:
            yield groups[0]


def _of_last(reader: Reader, text: str, group: Group, last: LastCommand) -> list[ReadCommand]:
    """Return what an operation does with the entities of the last command, [] for nothing."""
    them = NounPhrase(pronoun="them")
    about = replace(group, frame=replace(group.frame, what=them), targets=[them])
    part = replace(reader, spoken=last.entities).part(text, about)
    return [part] if part.actions else []


def read_others(
    reader: Reader, words: ReferenceWords, text: str, last: LastCommand
) -> list[ReadCommand]:
    """Return what a sentence asks of "the other one", "the others", "both" or a part; [] where it speaks of none."""
    for group in _groups(reader, text):
        if len(group.targets) != 1:
            continue
        what = group.targets[0]
        if what.names or what.words or what.has_place:
            continue
        match what.quantity:
            case "other":
                meant = last.others if words.names_others(spoken_words(text)) else last.other
            case "both" if not what.nouns:
                meant = last.pair
            case "" if what.pronoun == "them" and len(reader.spoken) == 1:
                meant = last.chain if len(last.chain) > 1 else ()
            case _ if group.frame.verb in _SKIPPING and what.is_music:
                # "Next song" is for what plays where something was played before.
                meant = last.entities if last.domain == "media_player" else ()
            case _:
                continue
        if meant and (found := _of_last(reader, text, group, replace(last, entities=meant))):
            return found
    return _read_of_part(reader, text, last)


def read_elsewhere(reader: Reader, text: str, last: LastCommand) -> list[ReadCommand]:
    """Return the last command for what a sentence names, and says nothing else of: "in the hall"."""
    if not last.actions or not last.domain:
        return []
    for _, frames in _readings(reader, text):
        if any(frame != Frame(what=frame.what) for frame in frames):
            continue
        found = [_alike(reader, frame.what, last) for frame in frames]
        if found and all(found):
            return _done_with(text, last, [entity for some in found for entity in some])
    return []


def _readings(
    reader: Reader, text: str
) -> Iterable[tuple[Sequence[Sequence[Any]], Sequence[Frame]]]:
    """Yield the clauses of a text with combinations of their frames; none where a word is not known."""
    clauses = clauses_of(cover_text(text, reader.house))
    if not clauses or not all(span.senses for clause in clauses for span in clause):
        return
    choices = [frames_of(clause) for clause in clauses]
    for frames in islice(likeliest(choices), _MOST_READINGS):
        yield clauses, frames


def _alike(reader: Reader, what: NounPhrase, last: LastCommand) -> Sequence[CatalogEntity]:
    """Return the entities that are described and of the same sort as those of the last command."""
    if what.refers_back or what.quantity == "other" or (what.is_here and not reader.area_id):
        return ()
    finder = Finder(hass=reader.hass, house=reader.house, area_id=reader.area_id)
    found = finder.find(replace(what, is_such=False), (last.domain,))
    if found is None:
        return ()
    if not what.is_only_place or what.is_such:
        return () if found.is_ambiguous else found.entities
    classes = {entity.device_class for entity in last.entities}
    alike = [entity for entity in found.entities if entity.device_class in classes]
    return alike or (found.entities if last.domain in _ALIKE else ())


def _done_with(
    text: str, last: LastCommand, entities: Sequence[CatalogEntity]
) -> list[ReadCommand]:
    """Return the actions of the last command for other entities of its domain, [] for none."""
    targets = tuple(dict.fromkeys(entity.entity_id for entity in entities))
    if not targets:
        return []
    actions = [
        Command(action.name, action.parameters, targets, domain=last.domain, is_named=True)
        for action in last.actions
    ]
    return [ReadCommand(text, tuple(actions))]


def _repeated(domain: str, action: Command, kind: str, amount: str) -> Command | None:
    """Return the action that goes on from the last one, or None where it cannot be gone on with.

    "More" and "again" go on in the same direction, "less" goes down, "too much" goes back a bit.
    After a value that was set they are steps from there. "Halt" stops what is moving.
    """
    table = table_of(domain)
    if kind == "halt":
        return find_action(table, Change("stop")) if table and domain in _MOVING else None
    steps = table.step_sizes if table else None
    by = _moved(steps, action) if steps else None
    if table is None or steps is None or by is None:
        row = table.action(action.name) if table else None
        return action if kind == "again" and row and row.is_repeatable else None
    match kind:
        case "again" if by:
            return action
        case "more" if by and not amount:
            return action
        case "more":
            return step(steps, -1 if by < 0 else 1, amount or "little", None)
        case "less":
            return step(steps, -1, amount or "little", None)
        case "too_much":
            return _back(steps, by)
        case _:
            return None


def _moved_on(reader: Reader, last: LastCommand, kind: str, amount: str) -> Command | None:
    """Return the action that goes on, or half back, the way that a level went that was set; None for no such level."""
    table, was = table_of(last.domain), {one.entity_id: one for one in last.before}
    states = [s for e in last.entities if (s := reader.hass.states.get(e.entity_id))]
    first = was.get(states[0].entity_id) if states else None
    if not (table and table.step_sizes and first and kind in {"more", "too_much"}):
        return None
    now = as_number(last.actions[0].parameters.get(table.step_sizes.sets[1]))
    before = first.number(table.step_sizes.attribute)
    if before is None or now is None or before == now:
        return None
    is_back = kind == "too_much"
    size = abs(now - before) / 2 if is_back else None
    return moved(table, Change("up" if (now > before) != is_back else "down", size, amount), states)


def _moved(steps: StepSizes, action: Command) -> float | None:
    """Return how far an action moved a value: 0 where it set one, None where it did neither."""
    setter, parameter = steps.sets
    if action.name == steps.action:
        return as_number(action.parameters.get("by"))
    if action.name in {steps.up, steps.down}:
        return 1 if action.name == steps.up else -1
    return 0 if action.name == setter and set(action.parameters) == {parameter} else None


def _back(steps: StepSizes, by: float) -> Command | None:
    """Return the action that takes back half of a step, or a little of a value that was set."""
    sign = 1 if by < 0 else -1
    half = abs(by) / 2
    if steps.allows_fractions:
        return step(steps, sign, "little", half or None)
    return step(steps, sign, "little", float(math.ceil(half)) if half > 1 else None)

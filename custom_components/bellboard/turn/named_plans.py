"""Which commands for later some words mean: by things, kinds, places, times, and what reminders are called.

"The heating one", "the alarm at seven", "the reminder about the bins", "tomorrow", "the lamp in the bedroom".
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..home.catalog import CatalogEntity
from ..memory.delayed import Alert, DelayedCommand
from ..nlu.frame_models import LIGHT_VERBS
from ..nlu.kinds import KINDS
from ..nlu.lexicon import NAMING, Role, Sense
from ..nlu.moment_changes import MomentSaid, moments_in
from ..nlu.moment_times import HomeClock
from ..nlu.spans import Span, cover_text
from ..nlu.tokens import Token, spoken_words, tokenise
from ..when import Once, Repeated
from .context import TurnContext

OF_TIMES = frozenset({"when", "lasts"})
"""Kinds of questions about plans that ask for a time."""

# Words for several plans at once are not split into more parts.
_MOST_PARTS = 4
# Letters that forms of a verb have in common, and words beside them that nothing explains ("miałeś").
_SAME_BEGINNING, _MOST_UNKNOWN = 4, 2
_THINGS = frozenset({Role.NAME, Role.KIND})
_ACTING = frozenset({Role.VERB, Role.STATE, Role.MOVE})
_ALL = frozenset({Sense(Role.QUANTITY, "all"), Sense(Role.QUANTITY, "both")})
_SILENT = frozenset(
    {
        Role.ARTICLE, Role.LINK, Role.FILLER, Role.PRONOUN, Role.AND, Role.TO, Role.BY, Role.ASKING, Role.QUANTITY,
        Role.CORRECTING, Role.RUNNING, Role.ANSWER, Role.POSITION,
    }
)  # fmt: skip
# What is done by a service, or said by a verb or a state, and what is the contrary of it.
_WAYS = {
    "turn_on": "on", "on": "on", "turn_off": "off", "off": "off", "open": "open", "open_cover": "open",
    "close": "closed", "closed": "closed", "close_cover": "closed", "lock": "locked", "locked": "locked",
    "unlock": "unlocked", "unlocked": "unlocked", "play": "on", "play_media": "on",
}  # fmt: skip
_CONTRARY = {
    "on": "off", "off": "on", "open": "closed", "closed": "open", "locked": "unlocked", "unlocked": "locked",
}  # fmt: skip


_PLAIN = frozenset({*_WAYS, *LIGHT_VERBS})


@dataclass(frozen=True, slots=True)
class OwnPlans:
    """The speaker's own commands for later, the next one first; `spoken` of were some in the last turns."""

    commands: tuple[DelayedCommand, ...]
    spoken: tuple[DelayedCommand, ...]


@dataclass(frozen=True, slots=True)
class NamedPlans:
    """The commands for later that some words name.

    `is_called` if the words have what only a plan is called ("reminder"), `has_things` if they name things, kinds or
    places, `acts` if they say what is done, and `is_plain` if that is at most on, off, open or closed. `is_all` if they
    say that all are meant, `is_part` if they name only a part of what a command is for, which are the `things`, and
    `is_more` if they may mean more than the one thing that it is for.
    """

    commands: tuple[DelayedCommand, ...] = ()
    is_called: bool = False
    has_things: bool = False
    acts: bool = False
    is_plain: bool = True
    is_all: bool = False
    is_part: bool = False
    is_more: bool = False
    things: frozenset[str] = frozenset()


def own_plans(context: TurnContext) -> OwnPlans:
    """Return the speaker's own commands for later."""
    waiting = context.assistant.delayed.waiting
    own = tuple(command for command in waiting if context.caller.owns(command.user_id))
    return OwnPlans(own, tuple(command for command in own if command.id in context.focus.ids))


def awaited_otherwise(context: TurnContext) -> tuple[DelayedCommand, ...]:
    """Return the commands spoken of that wait for something, where a sentence says what to do if not; () else."""
    own = own_plans(context).spoken
    is_awaited = bool(own) and all(command.trigger for command in own)
    return (
        own if is_awaited and context.language.delayed.kind_of(context.text) == "otherwise" else ()
    )


def read_named_plans(
    context: TurnContext,
    commands: Sequence[DelayedCommand],
    text: str,
    *,
    by_acts: bool = True,
    is_loose: bool = False,
) -> NamedPlans | None:
    """Return which of some commands a text names; None where it names nothing, or says something else.

    Where all its words are known and no command is so, none is named. What is done tells them apart unless `by_acts` is
    false. Where it `is_loose`, words that nothing explains say nothing beside the name or the kind of a thing.
    """
    words = _PlanWords.of(context, text)
    words = words if by_acts else replace(words, ways=frozenset())
    words = words.without_unknown() if is_loose else words
    if not words.names_anything:
        return None
    found = tuple(command for command in commands if words.fit(command))
    if not found and (both := _joined(context, commands, text)):
        return both
    if not found and not (words.is_known or words.alerts):
        return None
    return NamedPlans(
        found,
        is_called=bool(words.alerts),
        has_things=bool(words.spans),
        acts=bool(words.ways) or not words.is_plain,
        is_plain=words.is_plain,
        is_all=any(_ALL & {*span.senses} for span in cover_text(text, context.house)),
        is_part=any(not words.covers(command) for command in found),
        is_more=any(words.may_mean_more(command) for command in found),
        things=frozenset(thing.entity_id for command in found for thing in words.meant(command)),
    )


def asked_when(context: TurnContext) -> tuple[DelayedCommand, ...]:
    """Return the commands spoken of that a question for a time means by what is done: "when will you turn it on"."""
    spoken = own_plans(context).spoken
    if not spoken:
        return ()
    for kind, rest in context.language.asking.rest_of(context.text):
        meant = _meant_plans(context, spoken, rest) if kind in OF_TIMES else ()
        if meant:
            return meant
    return ()


def _meant_plans(
    context: TurnContext, commands: Sequence[DelayedCommand], text: str
) -> tuple[DelayedCommand, ...]:
    """Return which of some commands a text means by what is done; none where it names anything, or tells a time."""
    words = _PlanWords.of(context, text)
    if words.alerts or words.moments or any(span.senses for span in words.spans):
        return ()
    spans = cover_text(text, context.house)
    acting = [span for span in spans if span.has_any(_ACTING) and not span.has_any(NAMING)]
    return tuple(command for command in commands if words.mean(command, acting))


def read_things(context: TurnContext, ids: Collection[str], text: str) -> frozenset[str]:
    """Return which of some things a text names, each of its parts on its own; none where one names nothing of them."""
    entities = context.catalog.entities
    things = [found for id_ in ids if (found := entities.get(id_))]
    spans = cover_text(text, context.house)
    joints = [span for span in spans if span.has(Role.AND) and not span.has_any(NAMING)]
    begins = [0, *(span.end for span in joints)]
    ends = [*(span.start for span in joints), len(text)]
    texts = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    named = list[Sequence[CatalogEntity]]()
    for each in filter(str.strip, texts):
        words = _PlanWords.of(context, each)
        said = words.spans if words.is_known else ()
        called = [t for t in things if said and all(_is_called(t, span) for span in said)]
        named.append((said and words.meant_of(things)) or called)
    return frozenset(thing.entity_id for each in named if all(named) for thing in each)


def ways_of(said: Iterable[str]) -> frozenset[str]:
    """Return what some services, verbs and states come to: "on", "closed"."""
    return frozenset(_WAYS[each] for each in said if each in _WAYS)


def ways_said(context: TurnContext, text: str) -> frozenset[str]:
    """Return the ways that things may go of which a text speaks."""
    return _PlanWords.of(context, text).ways


def are_contrary(ways: Collection[str], others: Collection[str]) -> bool:
    """Return whether one of some ways that things may go is the contrary of one of others, and none is the same."""
    return not {*ways} & {*others} and any(_CONTRARY.get(way) in others for way in ways)


def _joined(
    context: TurnContext, commands: Sequence[DelayedCommand], text: str
) -> NamedPlans | None:
    """Return the commands that parts of a text name each on its own: "the lamp and the heating"."""
    spans = cover_text(text, context.house)
    joints = [span for span in spans if span.has(Role.AND)]
    if not 0 < len(joints) < _MOST_PARTS:
        return None
    begins = [0, *(span.end for span in joints)]
    ends = [*(span.start for span in joints), len(text)]
    parts = [
        read_named_plans(context, commands, text[begin:end])
        for begin, end in zip(begins, ends, strict=True)
    ]
    if not all(part and part.commands for part in parts):
        return None
    named = {command.id for part in parts if part for command in part.commands}
    return NamedPlans(
        tuple(command for command in commands if command.id in named),
        is_called=any(part.is_called for part in parts if part),
        has_things=any(part.has_things for part in parts if part),
        is_all=True,
        is_part=any(part.is_part for part in parts if part),
    )


@dataclass(frozen=True, slots=True)
class _PlanWords:
    """Words about plans, by what they say: what a plan is called (`alerts`), when it is, what is done, and the rest."""

    context: TurnContext
    alerts: frozenset[Alert]
    moments: tuple[MomentSaid, ...]
    spans: tuple[Span, ...]
    ways: frozenset[str]
    is_plain: bool

    @classmethod
    def of(cls, context: TurnContext, text: str) -> _PlanWords:
        """Return what the words of a text say."""
        spans = cover_text(text, context.house)
        names = [(span.start, span.end) for span in spans if span.has(Role.NAME)]
        called = list(_called(context, text, names))
        moments = moments_in(
            text, context.language.lexicon, [*names, *(place for _, place in called)]
        )
        taken = [*(place for _, place in called), *((each.start, each.end) for each in moments)]
        left = tuple(span for span in spans if not span.is_mark and not _is_within(span, taken))
        acting = [span for span in left if span.has_any(_ACTING) and not span.has_any(NAMING)]
        return cls(
            context,
            frozenset(alert for alert, _ in called if alert),
            tuple(moments),
            tuple(each for each in left if each not in acting and not _is_silent(each)),
            frozenset(
                way
                for span in acting
                for sense in span.senses
                if (way := _WAYS.get(str(sense.value)))
            ),
            all(any(str(s.value) in _PLAIN for s in span.senses) for span in acting),
        )

    def without_unknown(self) -> _PlanWords:
        """Return the words without those that nothing explains, where others name a thing, a kind or a plan."""
        if not (self.alerts or any(span.has_any(_THINGS) for span in self.spans)):
            return self
        return replace(self, spans=tuple(span for span in self.spans if span.senses))

    @property
    def names_anything(self) -> bool:
        """Return whether there is anything by which plans can be told apart."""
        return bool(self.alerts or self.moments or self.spans)

    @property
    def is_known(self) -> bool:
        """Return whether all words name things, kinds or places."""
        return all(span.has_any(NAMING) for span in self.spans)

    def fit(self, command: DelayedCommand) -> bool:
        """Return whether the words name a command."""
        if self.alerts and command.alert not in self.alerts:
            return False
        if self.ways and not _may_go(command, self.ways):
            return False
        clock = self.context.assistant.clock
        if not all(_is_then(command, moment, clock) for moment in self.moments):
            return False
        said = self._said_of(command)
        things = self._things_of(command)
        return all(
            any(self._is_meant(span, thing) for thing in things) or self._are_in(span, said)
            for span in self.spans
        )

    def mean(self, command: DelayedCommand, acting: Sequence[Span]) -> bool:
        """Return whether words that name nothing say what a command does, as `acting` ones may, and hardly more."""
        said = [*spoken_words(command.said), *spoken_words(command.text)]
        new = [span for span in self.spans if not _is_form_of_any(span, said)]
        is_repeated = len(new) < len(self.spans) or any(_is_form_of_any(s, said) for s in acting)
        is_said = is_repeated or bool(self.ways & done_by(command))
        return is_said and len(new) <= _MOST_UNKNOWN and _may_go(command, self.ways)

    def covers(self, command: DelayedCommand) -> bool:
        """Return whether the words name all that a command is for."""
        return len(self.meant(command)) == len(self._things_of(command))

    def meant(self, command: DelayedCommand) -> Sequence[CatalogEntity]:
        """Return what of a command the words name."""
        return self.meant_of(self._things_of(command))

    def meant_of(self, things: Sequence[CatalogEntity]) -> Sequence[CatalogEntity]:
        """Return which of some things the words name: what is called so, else what is of the kind, or there."""
        found = things
        for span in (span for span in self.spans if span.has_any(NAMING)):
            named = {sense.value.entity_id for sense in span.senses if sense.role is Role.NAME}
            called = [thing for thing in found if thing.entity_id in named]
            found = called or [thing for thing in found if self._is_meant(span, thing)]
            if len(found) > 1 and not span.is_plural:
                # "The lamp" is the one that is called so, beside a light.
                found = _called_by(found, span)
        return found

    def may_mean_more(self, command: DelayedCommand) -> bool:
        """Return whether the words name things of a kind, and a command is for one: "the lights"."""
        is_one = len(self._things_of(command)) == 1
        return is_one and any(span.is_plural and span.names_any for span in self.spans)

    def _things_of(self, command: DelayedCommand) -> list[CatalogEntity]:
        """Return what a command is for."""
        targets = dict.fromkeys(
            [target for call in command.calls for target in call.targets]
            + [state.entity_id for state in command.before]
        )
        entities = self.context.catalog.entities
        return [found for target in targets if (found := entities.get(target))]

    def _said_of(self, command: DelayedCommand) -> frozenset[str]:
        """Return the stems of the words of what is to be told, and of the names of what a command is for."""
        things = self._things_of(command)
        own = [command.message, command.said, command.text]
        texts = own if command.message or not things else []
        texts += [name for thing in things for name in thing.names]
        stem = self.context.language.lexicon.stem
        return frozenset(stem(word) for text in texts for word in spoken_words(text))

    def _are_in(self, span: Span, said: frozenset[str]) -> bool:
        """Return whether all words of a span are among some stems."""
        return {*map(self.context.language.lexicon.stem, span.words)} <= said

    def _is_meant(self, span: Span, thing: CatalogEntity) -> bool:
        """Return whether a span may name a thing, its kind, or where it is."""
        return any(self._is_sense_of(sense, thing) for sense in span.senses)

    def _is_sense_of(self, sense: Sense, thing: CatalogEntity) -> bool:
        if sense.role is Role.NAME:
            return bool(sense.value.entity_id == thing.entity_id)
        if sense.role is Role.PLACE:
            place = sense.value
            return bool(place.id == (thing.floor_id if place.is_floor else thing.area_id))
        if sense.role is not Role.KIND:
            return False
        kind, house = KINDS[sense.value.kind], self.context.house
        state = self.context.assistant.hass.states.get(thing.entity_id)
        is_called = kind.may_be_called(thing) and house.is_called(sense.value, thing)
        return is_called or (not sense.value.needs_name and kind.includes(thing, state))


def _called(
    context: TurnContext, text: str, names: Sequence[tuple[int, int]]
) -> Iterator[tuple[Alert | None, tuple[int, int]]]:
    """Yield what plans are called where that stands, None for what any plan is; not within the name of a thing."""
    tokens, at = tokenise(text), 0
    while at < len(tokens):
        size, alert = context.language.plan_names.at(tokens, at)
        if size and not _overlaps(tokens[at : at + size], names):
            yield (Alert(alert) if alert else None), (tokens[at].start, tokens[at + size - 1].end)
        at += size or 1


def _overlaps(tokens: Sequence[Token], places: Sequence[tuple[int, int]]) -> bool:
    """Return whether tokens share characters with any of some places."""
    return any(tokens[0].start < end and begin < tokens[-1].end for begin, end in places)


def _is_within(span: Span, places: Sequence[tuple[int, int]]) -> bool:
    """Return whether a span is within one of some places."""
    return any(begin <= span.start and span.end <= end for begin, end in places)


def _is_silent(span: Span) -> bool:
    """Return whether a span says nothing about plans."""
    return span.has_any(_SILENT) and not span.has_any(NAMING)


def _called_by(things: Sequence[CatalogEntity], span: Span) -> Sequence[CatalogEntity]:
    """Return the things with the words of a span in their names, else in other names of theirs; all where none has."""
    own = [thing for thing in things if _has_words(thing.name, span)]
    return own or [thing for thing in things if _is_called(thing, span)] or things


def _is_called(thing: CatalogEntity, span: Span) -> bool:
    """Return whether one of the names of a thing has all words of a span."""
    return any(_has_words(name, span) for name in thing.names)


def _has_words(name: str, span: Span) -> bool:
    """Return whether a name has all words of a span, also as ends of others."""
    said = spoken_words(name)
    return all(any(each.endswith(word) for each in said) for word in span.words)


def _is_form_of_any(span: Span, said: Sequence[str]) -> bool:
    """Return whether the words of a span begin as some that were said do: "abbassi" after "abbassa"."""
    return all(
        len(word) >= _SAME_BEGINNING
        and any(other.startswith(word[:_SAME_BEGINNING]) for other in said)
        for word in span.words
    )


def done_by(command: DelayedCommand) -> frozenset[str]:
    """Return which ways a command lets things go."""
    return ways_of(call.action.partition(".")[2] for call in command.calls)


def _may_go(command: DelayedCommand, ways: frozenset[str]) -> bool:
    """Return whether a command does one of some things, or what is the contrary of none of them."""
    done = {_WAYS.get(call.action.partition(".")[2], "") for call in command.calls}
    return not done or bool(done & ways) or not any(_CONTRARY.get(way) in ways for way in done)


def _is_then(command: DelayedCommand, said: MomentSaid, clock: HomeClock) -> bool:
    """Return whether a command is for a moment that is said."""
    start = command.schedule.start
    if command.trigger:
        return False
    if isinstance(start, Repeated):
        return said.moment.is_daily_at(start.clock, start.weekdays, clock)
    at = start.at if isinstance(start, Once) else command.at
    return said.moment.is_at(at.astimezone(clock.now.tzinfo), clock)

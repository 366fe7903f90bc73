"""Clauses put together: an operation with all that it is for, and what a clause leaves out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ..domains.registry import tables_measuring
from .frame_models import ADJUST, KEEP, Frame, NounPhrase
from .kinds import KINDS
from .lexicon import Noun, Role
from .spans import Span
from .tokens import Phrase

# Verbs that say which way something goes.
_DIRECTED = frozenset({"raise", "lower"})
# What only says that it is too bright or too dark.
_COMPLAINING = frozenset({"lighten", "darken"})
_LEADING = (Role.VERB, Role.QUANTITY, Role.EVERYWHERE)
# The state that a verb brings about.
_STATES = {"turn_on": "on", "turn_off": "off", "open": "open", "close": "closed"}


@dataclass(slots=True)
class Group:
    """An operation, with all that it is for; it `is_short` where its verb is that of the one before."""

    frame: Frame
    start: int
    end: int
    targets: list[NounPhrase] = field(default_factory=list)
    without: list[NounPhrase] = field(default_factory=list)
    is_short: bool = False

    @property
    def is_told(self) -> bool:
        """Return whether it only tells how something is: "it's too bright in here"."""
        return self.frame.asking == "is" and not self.frame.state

    @property
    def is_bare(self) -> bool:
        """Return whether it only wishes for more or less, without a size and a thing: "darker"."""
        frame = self.frame
        is_way = frame.verb in _COMPLAINING or (frame.move and not frame.verb)
        return bool(is_way and frame.what.is_only_place and not frame.has_value)


def is_filler(span: Span) -> bool:
    """Return whether a span says nothing."""
    return bool(span.senses) and all(
        sense.role in {Role.FILLER, Role.ARTICLE, Role.LINK} for sense in span.senses
    )


class _Grouping:
    """Puts frames together: an operation with all that it is for, and what is excepted."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self._waiting: list[tuple[NounPhrase, int]] = []
        self._told: list[NounPhrase] = []
        self._excepted: list[NounPhrase] = []
        self._is_excepting = False
        self._waits_for_value = False
        self._is_unclear = False
        # Whether what is added is for the operation after it.
        self.waits = False
        # Where all is to happen: "in the kitchen, turn off the radio and the lights".
        self._where = NounPhrase()
        # The last thing that was named without saying what is to be done with it, after what was: "and the lamp".
        self._topic: NounPhrase | None = None

    def begins_in(self, what: NounPhrase) -> None:
        """Note where all that follows is to happen."""
        self._where = NounPhrase().placed_like(what)

    def narrow(self, what: NounPhrase, end: int) -> bool:
        """Return whether what was named last is only what is described: "all the lights, just the ceiling ones"."""
        last = self.groups[-1] if self.groups else None
        if last is None or not last.targets or what.is_empty or what.refers_back:
            return False
        last.end = end
        if what.names:
            last.targets[-1] = what
            return True
        meant = last.targets[-1]
        where = what if what.has_place else meant
        last.targets[-1] = replace(
            what.placed_like(where),
            nouns=what.nouns or meant.nouns,
            quantity=what.quantity or meant.quantity,
            is_everywhere=where.is_everywhere,
            is_such=False,
        )
        return True

    def add(self, frame: Frame, start: int, end: int, *, leads: bool) -> None:
        """Add the frame of a clause with its place in the text; `leads` if it begins like a command."""
        last = self.groups[-1] if self.groups else None
        # "Except for the kitchen and the hall turn off ...": what is left out ends nowhere.
        self._is_unclear |= bool(self._excepted) and not leads
        if last and _keeps_what_was_said(frame, last.frame):
            # "Turn on the lamp and keep it on"
            last.end = end
        elif last and frame.verb == KEEP and not (frame.what.is_empty or frame.move):
            # "..., but leave the lamp on"
            last.without.append(frame.what)
            last.end, self._is_excepting = end, True
        elif last and frame == Frame(verb=KEEP):
            # "Off everywhere in the kitchen leave": what is left out is not told apart.
            self._is_unclear = True
        elif frame.is_statement:
            # "The lamp is on, turn it off"
            self._told.append(frame.what)
        elif frame.has_operation or (frame.verb in {KEEP, ADJUST} and not last):
            self._begin(frame, start, end)
        elif not frame.what.is_empty or frame.without is not None:
            self._go_on(frame, start, end)

    def _begin(self, frame: Frame, start: int, end: int) -> None:
        """Begin an operation, with what waited for one, or with what the one before was for."""
        before = self.groups[-1] if self.groups else None
        group = Group(frame.completed_by(before.frame) if before else frame, start, end)
        group.is_short = before is not None and bool(before.frame.verb and not frame.verb)
        named = [what for what, _ in self._waiting]
        if self._waiting and not (self._waits_for_value and frame.verb):
            # "Put the TV ... and turn off the lamp" is no list.
            group.start = self._waiting[0][1]
            self._waiting = []
        known = named or self._told or (self._mentioned(before, frame) if before else [])
        is_place = bool(named) and all(what.is_only_place and not what.is_empty for what in named)
        if is_place and not before:
            self.begins_in(_within(NounPhrase(), named))
        if frame.what.pronoun and frame.what.refers_back and self._excepted and not named:
            # "Except the lamp, that one can go off"
            group.targets += self._excepted
            self._excepted = []
        elif frame.what.refers_back and known:
            group.targets += known
        elif is_place and not frame.what.places:
            # "Upstairs, turn off all lights"
            group.targets.append(_within(frame.what, named))
        else:
            group.targets += [*named, frame.what]
        group.without += self._excepted
        self._told, self._excepted = [], []
        if frame.without is not None:
            group.without.append(frame.without)
        self._is_excepting = frame.without is not None
        self._topic = None
        self.groups.append(group)

    def _mentioned(self, before: Group, frame: Frame) -> list[NounPhrase]:
        """Return what "it" is after an operation: an exception from it, or what was named last."""
        if not frame.what.pronoun:
            return before.targets
        if self._is_excepting and before.without:
            # "All lights off except the lamp, dim it"
            return before.without[-1:]
        if self._topic is not None and before.frame.what.pronoun:
            # "The lamp, turn it off, and the radio, turn it on"
            before.targets.remove(self._topic)
            return [self._topic]
        return before.targets

    def _go_on(self, frame: Frame, start: int, end: int) -> None:
        """Add what a clause without an operation describes to the one before, or keep it for the next."""
        if not self.groups or self.waits:
            if not frame.what.is_empty:
                self._waiting.append((frame.what, start))
            if frame.without is not None:
                # "Except for the lamp, turn on all lights"
                self._excepted.append(frame.without)
            self._waits_for_value |= bool(frame.verb)
            return
        # "Turn off the lamp, and make the coffee": what is said with a verb is not to be turned off; nor is a volume.
        self._is_unclear |= bool(frame.verb or frame.attribute)
        group = self.groups[-1]
        group.end = end
        if not frame.what.is_empty:
            (group.without if self._is_excepting else group.targets).append(frame.what)
            self._topic = None if self._is_excepting else frame.what
        if frame.without is not None:
            group.without.append(frame.without)
            self._is_excepting = True

    def done(self) -> list[Group]:
        """Return the operations, or [] where something is left that nothing is to be done with."""
        if self._waiting or self._excepted or self._is_unclear:
            return []
        if self.groups:
            self._drop_heading()
        mentioned: list[NounPhrase] = []
        for group, before in zip(self.groups, (None, *self.groups), strict=False):
            said = [what for what in group.targets if not what.refers_back]
            if mentioned and any(what.quantity == "other" for what in group.targets):
                # "Leave the lamp on, and turn off the other lights"
                where = next((w for w in group.targets if w.quantity == "other"), NounPhrase())
                mentioned = self._with_the_others(mentioned, where)
                group.without += mentioned
                group.targets = [_any_of(what, mentioned) for what in group.targets]
            mentioned += said
            # "... and the one in the bathroom to 24": that place is none of what was said before.
            has_others = before is not None and _may_have(before.targets, group.frame.attribute)
            is_contrast = has_others and all(
                what.is_such or what.is_only_place for what in group.targets
            )
            group.targets = shared(group.targets, before.targets if before and has_others else ())
            group.targets = [self._placed(what) for what in group.targets]
            if before and group.is_short and not is_contrast:
                is_any = not (before.frame.move or before.frame.verb in _DIRECTED)
                before.targets = [
                    _placed_like(what, group.targets, is_any=is_any) for what in before.targets
                ]
            group.without = [_like(what, group.targets) for what in group.without]
        return self.groups

    def _drop_heading(self) -> None:
        """Drop a noun before a list of what it means: "the blinds, kitchen up and study down"."""
        heading, *others = self.groups[0].targets or [NounPhrase()]
        later = [what for group in self.groups[1:] for what in group.targets]
        members = [*others, *(what for what in later if not what.refers_back)]
        if len(members) < 2 or not others or heading.quantity == "all":
            return
        if all(_is_one_of(what, heading) for what in members):
            for group in self.groups:
                group.targets = [
                    _as_one_of(each, heading) for each in group.targets if each != heading
                ]

    def _with_the_others(self, mentioned: list[NounPhrase], others: NounPhrase) -> list[NounPhrase]:
        """Return what was said by a word of a name as being here where the others are: "the rest of the lamps in here".

        A table here is no lamp of another room that is called like it.
        """
        if not others.is_here:
            return mentioned
        here = {each: each.placed_like(others) for each in mentioned if _is_word_alone(each)}
        for group in self.groups:
            group.targets = [here.get(what, what) for what in group.targets]
        return [here.get(what, what) for what in mentioned]

    def _placed(self, what: NounPhrase) -> NounPhrase:
        """Return a description with the place where all is to happen, unless it says another."""
        if self._where.is_empty or what.has_place or what.names or what.refers_back:
            return what
        return what.placed_like(self._where)


def group_clauses(
    text: str,
    clauses: Sequence[Sequence[Span]],
    frames: Sequence[Frame],
    only: Collection[Phrase] = (),
) -> list[Group]:
    """Return operations of a text with their targets; what a clause leaves out is taken from its neighbours.

    What follows one of the words `only` narrows what was said before.
    """
    grouping = _Grouping()
    for at, (clause, frame) in enumerate(zip(clauses, frames, strict=True)):
        is_bare = not (frame.has_operation or frame.verb or frame.without is not None)
        if is_bare and clause[0].words in only and grouping.narrow(frame.what, clause[-1].end):
            continue
        grouping.waits = _is_of_next(text, clauses, frames, at)
        first = next((span for span in clause if not is_filler(span)), clause[0])
        leads = any(first.has(role) for role in _LEADING)
        if clause is clauses[0] and _begins_with_place(clause):
            grouping.begins_in(frame.what)
        grouping.add(frame, clause[0].start, clause[-1].end, leads=leads)
    return grouping.done()


def places_first(clause: Sequence[Span], frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames of a clause; without a state where it is only a preposition with a place: "på kontoret"."""
    said = [span for span in clause if not span.has(Role.FILLER)]
    is_unclear = len(said) == 2 and said[0].has(Role.STATE) and said[0].has(Role.LINK)
    if not (is_unclear and said[1].has(Role.PLACE)):
        return list(frames)
    return [frame for frame in frames if not frame.state] or list(frames)


def _is_of_next(
    text: str, clauses: Sequence[Sequence[Span]], frames: Sequence[Frame], at: int
) -> bool:
    """Return whether a thing is for the state after it: "the ceiling light off, reading lamp and shelf light on".

    It stands after a state that ends what is before, and only words join it to a clause that ends with its own.
    """
    if not at or frames[at].verb or not clauses[at - 1][-1].has(Role.STATE):
        return False
    for own, following, frame in zip(
        clauses[at:], clauses[at + 1 :], frames[at + 1 :], strict=False
    ):
        if not any(map(str.isalpha, text[own[-1].end : following[0].start])):
            return False
        if frame.has_operation:
            return bool(frame.state and not frame.verb) and following[-1].has(Role.STATE)
    return False


def _placed_like(what: NounPhrase, targets: Sequence[NounPhrase], *, is_any: bool) -> NounPhrase:
    """Return things of a kind in the place that is said after: "the lights down and the music up in the hall".

    With `is_any` only for nouns that mean any device of a kind: "the lights off and the music up in the hall".
    """
    is_open = what.nouns and _is_open(what)
    if is_any and not all(noun.is_general for noun in what.nouns):
        return what
    if not is_open or what.quantity or not targets:
        return what
    return what.placed_like(targets[-1])


def _begins_with_place(clause: Sequence[Span]) -> bool:
    """Return whether a clause says where before it says what is to be done: "in the kitchen turn off ..."."""
    where = next((at for at, span in enumerate(clause) if span.has(Role.PLACE)), len(clause))
    before = [span for span in clause[:where] if not is_filler(span)]
    said = [span for span in clause[:where] if span.has(Role.LINK)]
    return not before and bool(said) and where + 1 < len(clause)


_ALL = NounPhrase(quantity="all")


def shared(targets: Sequence[NounPhrase], before: Sequence[NounPhrase]) -> list[NounPhrase]:
    """Return descriptions of a list with the noun and the place that they share with their neighbours."""
    found = list(targets)
    for at, what in enumerate(found):
        if what == _ALL and (others := [*before, *found[:at]]):
            # "Lights in the garage off, all but the garage light"
            found[at] = replace(others[-1], quantity="all")
        if what.is_empty or what.names or what.nouns or what.pronoun:
            continue
        if what.places or what.words:
            own = [*found[at + 1 :], *reversed(found[:at])]
            nouns = _nouns_of(own, is_such=what.is_such, is_list=True)
            nouns = nouns or _nouns_of([*reversed(before)], is_such=what.is_such)
            if what.words:
                # "The ceiling light, no, the mirror"
                nouns = tuple(noun.of_any_sort for noun in nouns)
            found[at] = replace(what, nouns=nouns)
    for at, what in enumerate(found):
        floors = tuple(place for place in found[at - 1].places if place.is_floor) if at else ()
        if floors and _is_open(what) and (what.is_such or _are_alike(what, found[at - 1])):
            # "The ceiling lights upstairs and the lamps"
            found[at] = replace(what, places=floors)
    last = found[-1] if found else NounPhrase()
    for at, what in enumerate(found[:-1]):
        if what.nouns and _is_open(what):
            found[at] = replace(what.placed_like(last), is_everywhere=last.is_everywhere)
    return found


def _is_open(what: NounPhrase) -> bool:
    """Return whether a description says neither a name nor where."""
    return not (what.has_place or what.names)


def _is_word_alone(what: NounPhrase) -> bool:
    """Return whether a description says a word of a name, and not where."""
    return bool(what.words) and _is_open(what)


def _are_alike(what: NounPhrase, other: NounPhrase) -> bool:
    """Return whether two descriptions are of one kind of devices."""
    kinds = {noun.kind for noun in what.nouns}
    return bool(kinds) and kinds == {noun.kind for noun in other.nouns}


def _may_have(targets: Sequence[NounPhrase], attribute: str) -> bool:
    """Return whether things of these kinds have a value that can be set: lights have no volume."""
    if not attribute:
        return True
    having = {table.name for table in tables_measuring(attribute)}
    kinds = {noun.kind for what in targets for noun in what.nouns}
    return not kinds or any(not having.isdisjoint(KINDS[kind].domains) for kind in kinds)


def _nouns_of(
    others: Sequence[NounPhrase], *, is_such: bool, is_list: bool = False
) -> tuple[Noun, ...]:
    """Return the nouns of the first of some descriptions that has any.

    With `is_such` also one in its name; with `is_list` if it means any device of its kind, as in "the living
    room blinds and in the kitchen".
    """
    for other in others:
        if other.nouns:
            return other.nouns
        if (noun := other.named_noun) and (is_such or (is_list and noun.is_general)):
            return (noun,)
    return ()


def _within(what: NounPhrase, named: Sequence[NounPhrase]) -> NounPhrase:
    """Return a description of what is where others say."""
    return replace(
        what,
        places=tuple(place for other in named for place in other.places),
        is_here=what.is_here or any(other.is_here for other in named),
        is_on_floor=what.is_on_floor or any(other.is_on_floor for other in named),
        is_everywhere=what.is_everywhere or any(other.is_everywhere for other in named),
    )


def _is_one_of(what: NounPhrase, heading: NounPhrase) -> bool:
    """Return whether a description may be of one thing of a plural noun that is said before it."""
    is_plain = not (heading.names or heading.words or heading.pronoun)
    if not (is_plain and any(noun.is_plural for noun in heading.nouns)):
        return False
    kinds = {noun.kind for noun in heading.nouns}
    domains = {domain for kind in kinds for domain in KINDS[kind].domains}
    if what.names:
        return all(entity.domain in domains for entity in what.names)
    if what.nouns:
        is_less = bool(what.words) or not any(noun in heading.nouns for noun in what.nouns)
        return is_less and all(noun.kind in kinds for noun in what.nouns)
    # A room stands for the one of the kind in it.
    return bool(what.words or (what.places and not heading.places))


def _as_one_of(what: NounPhrase, heading: NounPhrase) -> NounPhrase:
    """Return a description with the noun that is said before it, where it has none."""
    is_bare = not (what.names or what.nouns or what.is_empty or what.pronoun)
    return replace(what, nouns=heading.nouns) if is_bare else what


def _any_of(what: NounPhrase, mentioned: Sequence[NounPhrase]) -> NounPhrase:
    """Return a description of others without saying so, with the noun of those that were mentioned."""
    if what.quantity != "other":
        return what
    nouns = what.nouns or _nouns_of([*reversed(mentioned)], is_such=True)
    # Without a noun it stays unknown what the others are.
    is_known = nouns or what.names or what.words
    return replace(what, quantity="" if is_known else "other", nouns=nouns, pronoun="")


def _like(what: NounPhrase, targets: Sequence[NounPhrase]) -> NounPhrase:
    """Return an exception of the kind that it is an exception from, where it says only a place or a word."""
    if what.names or what.nouns:
        return what
    return replace(what, nouns=_nouns_of([*reversed(targets)], is_such=what.is_such))


def _keeps_what_was_said(frame: Frame, before: Frame) -> bool:
    """Return whether a frame keeps what the one before brings about: "keep it on", "... to 20 percent and leave it"."""
    if frame.verb != KEEP or not (frame.what.pronoun and frame.what.refers_back):
        return False
    brought = before.state or _STATES.get(before.verb, "")
    return frame.state == brought if frame.state else before.has_value

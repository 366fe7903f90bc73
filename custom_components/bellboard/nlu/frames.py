"""Frames: what one clause of a sentence says is to be done, with which value, and with what.

A clause is a bag of spans: their order hardly matters, their senses do. A word with several senses gives
several frames, the likeliest first.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile

from .alternatives import senses_in_context
from .frame_models import (
    ADJUST,
    KEEP,
    LIGHT_VERBS,
    PUTTING_OUT,
    SWITCHING,
    VALUED_VERBS,
    Frame,
    InconsistentError,
    NounPhrase,
    directed,
    is_of_scene,
    likeliest,
    separated,
    shut_down,
    with_fan_as_part,
)
from .levels import LEVEL_UNIT, level_reached
from .lexicon import AROUND, FLOOR, NAMING, PLURAL, THINGS, Role, Sense
from .spans import Span
from .taken_spans import EMPTY, ONE, Taken, TakenSpans

# More combinations of senses are not tried; those that come first are likelier. Each costs a step for every span of
# its clause, and all clauses of a sentence share the steps. An exception may end at any of the spans.
_MOST_COMBINATIONS, _MOST_STEPS = 400, 4500
_PLACES_OF_EXCEPTION, _MOST_FRAMES = 0.5, 12
_NOUNS = NAMING | {Role.ATTRIBUTE}
# What a command may begin with.
_BEGINNING = frozenset({Role.VERB, Role.ARTICLE, Role.QUANTITY, Role.EVERYWHERE, Role.KIND})
_TURNING_ON = (Sense(Role.VERB, "turn_on"), Sense(Role.STATE, "on"))
_LEVEL = Sense(Role.UNIT, LEVEL_UNIT)
# What stands before a verb that is not the first: "that", "it".
_LEADING = frozenset({Role.PRONOUN, Role.ASKING})
_NAMING = frozenset({Role.NAME, Role.NAME_WORD, Role.KIND})
_NAMES = (Role.NAME, Role.MOOD)
_AMOUNTS = frozenset({Role.NUMBER, Role.UNIT, Role.HALF, Role.AMOUNT})
_BEFORE_MOVES = frozenset({*_AMOUNTS, Role.VERB})
_BEFORE_NOUNS = frozenset({Role.ARTICLE, Role.QUANTITY})
_BEFORE_OPTIONS = frozenset({Role.STATE, Role.TO, Role.LINK})
# Verbs that change a value by a number, unless it is said to which.
_STEPPING = frozenset({"raise", "lower"})
# Attribute that is a temperature to reach, and the measure that tells it.
TARGET = "target"
# Value of the pronouns that stand for a noun: "the one in the office".
_SUCH = "one"
# Begins what asks for a state ("is_on"); and what says all of a question ("what is it doing").
_ASKS_STATE, _WHOLE = "is_", frozenset({"playing", "doing"})


def frames_of(spans: Sequence[Span], size: int = 0) -> list[Frame]:
    """Return the frames that the spans of a clause can be, the likeliest first; `size` spans are in its sentence."""
    spans = [span for span in spans if not span.is_mark]
    steps = max(size, len(spans), 1)
    if any(span.has(Role.EXCEPT) for span in spans):
        steps = round(steps * (1 + len(spans) * _PLACES_OF_EXCEPTION))
    most = min(_MOST_COMBINATIONS, _MOST_STEPS // steps)
    choices = [senses_in_context(spans, at) for at in range(len(spans))]
    found: list[Frame] = []
    for combination in islice(likeliest(choices), most):
        try:
            frame = _build(list(zip(spans, combination, strict=True)))
        except InconsistentError:
            continue
        if frame not in found:
            found.append(frame)
        if len(found) == _MOST_FRAMES:
            break
    return found


# A number with its units, and how many halves more.
type _Number = tuple[float, tuple[str, ...], int]


def _build(taken: Sequence[Taken]) -> Frame:
    """Return the frame of spans with one sense each.

    Raises:
        InconsistentError: they do not go together.
    """
    marks = [at for at, (_, senses) in enumerate(taken) if senses[0].role is Role.EXCEPT]
    if not marks:
        return _Builder(taken).frame()
    at, is_closed = marks[0], not _says_something(taken[marks[-1] + 1 :])
    if len(marks) > 2 or (len(marks) == 2 and not is_closed):
        raise InconsistentError
    before, after = taken[:at], taken[at + 1 :]
    if len(marks) == 2:
        # "Only the lamp not"
        after = taken[at + 1 : marks[1]]
    elif is_closed:
        # "The lamp not"
        before, after = (), before
    elif not _says_something(before) and (frame := _build_exception_first(after)):
        return frame
    if frame := _build_around(before, after):
        return frame
    return replace(_Builder(before).frame(), without=_left_out(after))


def _build_around(before: Sequence[Taken], after: Sequence[Taken]) -> Frame | None:
    """Return the frame around an exception that ends before the clause does: "all lights except the lamp off"."""
    for at in range(len(after) - 1, 0, -1):
        if after[at][1][0].role in _NOUNS:
            break
        if not _says_something(after[at:]):
            continue
        try:
            without, frame = _left_out(after[:at]), _Builder([*before, *after[at:]]).frame()
        except InconsistentError:
            continue
        what = frame.what
        if frame.has_operation and (what.nouns or what.quantity or what.is_everywhere):
            return replace(frame, without=without)
    return None


def _says_something(taken: Sequence[Taken]) -> bool:
    """Return whether spans are more than function words."""
    return any(senses[0].role not in EMPTY | {Role.FILLER} for _, senses in taken)


def _left_out(taken: Sequence[Taken]) -> NounPhrase:
    """Return what is excepted ("the lamp", "the lamp stays on"); raises `InconsistentError`."""
    without = _Builder(taken).frame()
    if (without.has_operation and without.verb != KEEP) or without.what.is_empty:
        raise InconsistentError
    return without.what


def _build_exception_first(taken: Sequence[Taken]) -> Frame | None:
    """Return the frame of a clause after "except for", if a command follows in it: "the lamp turn all off"."""
    for at in range(1, len(taken)):
        if taken[at][1][0].role not in _BEGINNING:
            continue
        try:
            without, frame = _left_out(taken[:at]), _Builder(taken[at:]).frame()
        except InconsistentError:
            continue
        if frame.has_operation and not frame.what.is_empty:
            return replace(frame, without=without)
    return None


class _Builder(TakenSpans):
    """Puts one frame together."""

    def frame(self) -> Frame:
        """Return the frame; raises `InconsistentError`."""
        self._check_order()
        number, unit = self._number()
        levels, factors = list(self._values(Role.LEVEL)), list(self._values(Role.FACTOR))
        bounds = list(self._values(Role.RANGE))
        if len(levels + factors + bounds) > 1 or (levels + factors + bounds and number is not None):
            raise InconsistentError
        verb, state = separated(self._verb(), self._state())
        said_move = self._one(Role.MOVE)
        move, is_by = directed(verb, said_move), self._stands_before_value(Role.BY)
        is_to_value = self._stands_before_value(Role.TO)
        if state == "off" and number is not None and not move and self._is_taken_off():
            state, move = "", "down"
        if state and (verb not in LIGHT_VERBS or move):
            raise InconsistentError
        if not state and self._lets(verb):
            raise InconsistentError
        kelvins, colors = list(self._values(Role.KELVIN)), list(self._values(Role.COLOR))
        if len(kelvins) + len(colors) > 1 or (state == "off" and (kelvins or colors or number)):
            raise InconsistentError
        # The target temperature is set as the temperature, and told as what it is.
        attribute = self._one(Role.ATTRIBUTE)
        asks_target = attribute == TARGET
        frame = Frame(
            verb=verb,
            state=state,
            move=move,
            amount=self._one(Role.AMOUNT),
            attribute="temperature" if asks_target else attribute,
            number=number,
            unit=unit,
            is_step=is_by
            or ((number is not None and bool(said_move or verb in _STEPPING)) and not is_to_value),
            bounds=bounds[0] if bounds else None,
            level=level_reached(levels[0], verb, move, is_to_value=is_to_value) if levels else None,
            factor=factors[0] if factors else None,
            color=colors[0] if colors else "",
            kelvin=kelvins[0] if kelvins else None,
            options=tuple(
                frozenset(str(sense.value).casefold() for sense in senses)
                for _, senses in self._of(Role.OPTION)
            ),
            asking=self._asking(),
            measure=TARGET if asks_target else self._one(Role.MEASURE),
            is_to=Role.TO in self._by_role,
            is_to_value=is_to_value,
            what=self._description(),
        )
        frame = shut_down(with_fan_as_part(frame))
        if verb == ADJUST and frame.asking:
            raise InconsistentError
        if frame.what.is_mood and not is_of_scene(frame):
            raise InconsistentError
        if is_of_scene(frame) and verb in LIGHT_VERBS and verb != KEEP:
            # "Movie night in here", "make it cosy": a scene is only ever turned on.
            frame = replace(frame, verb="turn_on")
        if (colors and frame.attribute not in {"", "color"}) or (
            kelvins and frame.attribute not in {"", "color", "color_temperature"}
        ):
            raise InconsistentError
        is_started = verb == "start" and frame.attribute == "effect" and frame.options
        if frame.has_value and verb not in VALUED_VERBS and not is_started:
            # "Mets", "metti", "put" is "start" and "set", but only "set" to a value.
            raise InconsistentError
        return frame

    def _check_order(self) -> None:
        """Refuse a verb in the middle that could be something else, and a link at the end that could be a state.

        A word that may say what is left out ("less") is a move only beside an amount, a verb, or at the end.
        """
        content = self._content if Role.VERB in self._by_role else ()
        leading = True
        for span, (sense, *_) in content[:-1]:
            is_unclear = sense.role is Role.VERB and len({each.role for each in span.senses}) > 1
            if is_unclear and not leading:
                raise InconsistentError
            leading = leading and sense.role in _LEADING
        roles = [None, *self._roles, None]
        for at, (span, (sense, *_)) in enumerate(self._taken, 1):
            if sense.role is Role.MOVE and span.has(Role.EXCEPT):
                # "All lights less the lamp" is an exception, "two degrees less in the kitchen" is none.
                if roles[at + 1] not in {None, *_AMOUNTS} and roles[at - 1] not in _BEFORE_MOVES:
                    raise InconsistentError
            elif sense.role is Role.KIND or sense.role is Role.VERB:
                # "Porta" is "bring" and "door", but "la porta" only the door.
                is_noun = roles[at - 1] in _BEFORE_NOUNS and span.has(Role.KIND)
                if (is_noun and sense.role is Role.VERB) or (
                    span.has(Role.OPTION) and self._follows_to(at - 1)
                ):
                    raise InconsistentError
        if self._has_colored_noun():
            raise InconsistentError
        if self._taken and self._taken[-1][1][0] == Sense(Role.LINK):
            # "Turn on the lamp in" lacks its end; "the lamp an", "the awning in" are states.
            raise InconsistentError

    def _follows_to(self, at: int) -> bool:
        """Return whether a word tells to which mode a thing before it is to go: "the air conditioner on heat"."""
        is_led = at > 0 and self._roles[at - 1] in _BEFORE_OPTIONS
        return is_led and Role.KIND in self._roles[:at]

    def _has_colored_noun(self) -> bool:
        """Return whether a colour says which thing is turned on, and not how: "turn on the purple lamp"."""
        if Role.COLOR not in self._by_role:
            return False
        if not any(senses[0] in _TURNING_ON for _, senses in self._content):
            return False
        pairs = [*pairwise(self._content), *pairwise(reversed(self._content))]
        return any(
            senses[0].role is Role.COLOR and span.names_some for (_, senses), (span, _) in pairs
        )

    def _is_taken_off(self) -> bool:
        """Return whether a number is what something is to be less by: "a degree off the heating"."""
        return (Role.UNIT, Role.STATE) in pairwise(self._roles[:-1])

    def _asking(self) -> str:
        """Return what is asked; "is" beside another such word says nothing ("which lights are on")."""
        said = set(map(str, self._values(Role.ASKING)))
        asked = {"is" if value.startswith(_ASKS_STATE) else value for value in said}
        roles = [senses[0].role for _, senses in self._content]
        if (
            asked == {"is"}
            and Role.STATE in roles
            and Role.VERB in roles[: roles.index(Role.ASKING)]
        ):
            # "Make sure that the lamp is on"
            return ""
        if whole := asked & _WHOLE:
            return whole.pop()
        # "Has it finished" tells nothing, and asks.
        telling = asked - {"is", "tell", *(("does", "told") if "is_done" in said else ())}
        if len(telling) > 1:
            raise InconsistentError
        return str((telling or asked & {"is"} or asked or {""}).pop())

    def _state(self) -> str:
        """Return the state; some verbs that ask say it, too ("brennt das Licht", "is_on")."""
        asked = map(str, self._values(Role.ASKING))
        states = (each.removeprefix(_ASKS_STATE) for each in asked if each.startswith(_ASKS_STATE))
        last = self._taken[-1][1][0] if self._taken else Sense(Role.FILLER)
        particle = str(last.value or "") if last.role is Role.LINK else ""
        return self._one(Role.STATE) or next(states, "") or particle

    def _verb(self) -> str:
        """Return the verb that says what is to be done; "set" beside another says nothing."""
        verbs = set(self._values(Role.VERB))
        telling = verbs - LIGHT_VERBS
        if len(telling) > 1 or (telling & PUTTING_OUT and [*self._values(Role.VERB)][-1] == KEEP):
            raise InconsistentError
        if len(verbs) > 2:
            return ""
        # "Let it keep running"
        return str(*telling) if telling else KEEP if KEEP in verbs else str(*verbs or [""])

    def _lets(self, verb: str) -> bool:
        """Return whether a verb keeps what may as well be let go: "let it down" ("lass", "laat")."""
        return verb == KEEP and any(
            Sense(Role.VERB, "set") in span.senses
            for span, senses in self._of(Role.VERB)
            if senses[0].value == KEEP
        )

    def _number(self) -> tuple[float | None, str]:
        """Return the number and its unit, which have to explain all units and halves."""
        found = [
            said
            for at, role in enumerate(self._roles)
            if role is Role.NUMBER and (said := self._number_at(at))
        ]
        if len(found) == 2 and _is_summed(found[0], found[1]):
            # "Twenty" and "one and a half"
            found = [(found[0][0] + found[1][0], *found[1][1:])]
        if len(found) > 1:
            raise InconsistentError
        number, units, halves = found[0] if found else (None, (), 0)
        roles = self._roles
        # "How many degrees", "how much percent"
        is_asked = number is None and roles.count(Role.UNIT) == 1 and Role.ASKING in roles
        if roles.count(Role.HALF) != halves:
            raise InconsistentError
        if roles.count(Role.UNIT) != len(units) and not is_asked:
            raise InconsistentError
        asked = self._one(Role.UNIT) if is_asked else ""
        return number, units[-1] if units else asked

    def _number_at(self, at: int) -> _Number | None:
        """Return the number at its place, its units and how many halves more; None where it only counts."""
        span, (sense, *_) = self._taken[at]
        after = [senses[0] for _, senses in self._taken[at + 1 : at + 4]]
        before = self._taken[at - 1][1][0] if at else None
        if sense.value < 0 or before == ONE:
            # No device can be set to it; "a 20 percent" is none that counts.
            raise InconsistentError
        if (after and after[0].role is Role.KIND) or (before and before.role is Role.QUANTITY):
            # "The two lamps", "all three kitchen lights"
            if span.has(Role.QUANTITY):
                raise InconsistentError
            return None
        if self._is_counting(at):
            # "Two of the lamps", "two floor lamps"
            return None
        halves = len(list(takewhile(lambda each: each.role is Role.HALF, after[:1])))
        units = [str(e.value) for e in takewhile(lambda e: e.role is Role.UNIT, after[halves:])]
        units = units[: 2 if units[:1] == ["degrees"] else 1]
        if not units and before == _LEVEL:
            # "Level 3"
            units = [LEVEL_UNIT]
        if units and not halves and after[len(units) :][:1] == [Sense(Role.HALF)]:
            # "Nineteen degrees and a half"
            halves = 1
        if not units and span.has(Role.QUANTITY):
            # "A" and "one" are numbers only before a unit.
            raise InconsistentError
        return float(sense.value) + halves / 2, tuple(units), halves

    def _is_counting(self, at: int) -> bool:
        """Return whether a number says how many things are turned on or off, and not to what."""
        roles = self._roles
        after = (role for role in roles[at + 1 :] if role not in {Role.LINK, Role.ARTICLE})
        is_value = not {Role.UNIT, Role.HALF, Role.TO, Role.BY}.isdisjoint(roles)
        is_switched = Role.STATE in roles or not SWITCHING.isdisjoint(self._values(Role.VERB))
        is_led = Role.KIND in roles[:at] or Role.NAME in roles[:at]
        is_one = is_led or self._taken[at][0].has(Role.QUANTITY)
        return is_switched and not is_value and not is_one and next(after, None) in _NAMING

    def _description(self) -> NounPhrase:
        """Return what the noun phrases say."""
        names = [senses for role in _NAMES for _, senses in self._of(role)]
        if len(names) > 1:
            raise InconsistentError
        named = [span for span, _ in self._of(Role.NAME)]
        if any(span.has(Role.ARTICLE) for span, _ in self._of(Role.PRONOUN)) and not (
            _NOUNS.isdisjoint(self._by_role)
        ):
            # "Die im Flur" is no pronoun.
            raise InconsistentError
        words = [span for span, _ in self._of(Role.NAME_WORD)]
        is_plural = any(span.is_plural for span in (*named, *words))
        if words and all(span.names_any for span in words):
            # "The lights" are not those that have "light" in their names.
            raise InconsistentError
        pronoun = self._one(Role.PRONOUN) or self._counted() or self._bare_article()
        quantity, _, count = self._one(Role.QUANTITY).partition(":")
        everywhere = {*self._values(Role.EVERYWHERE)}
        what = NounPhrase(
            names=tuple(sense.value for sense in names[0]) if names else (),
            named_noun=named[0].noun if named else None,
            is_plural_name=is_plural or self._has_plural_article(),
            words=tuple(span.words[0] for span in words),
            nouns=tuple(self._values(Role.KIND)),
            places=tuple(
                sense.value
                for _, senses in self._taken
                for sense in senses
                if sense.role is Role.PLACE
            ),
            is_here=Role.HERE in self._by_role,
            is_on_floor=FLOOR in self._values(Role.HERE),
            is_everywhere=bool(everywhere),
            is_all_things=everywhere == {THINGS},
            is_around=everywhere == {AROUND} and not quantity,
            quantity=quantity,
            count=int(count) if count else self._count(),
            is_running=Role.RUNNING in self._by_role,
            is_mood=Role.MOOD in self._by_role,
            pronoun="" if pronoun == _SUCH else pronoun,
        )
        if pronoun != _SUCH:
            return what
        is_said = bool(what.names or what.nouns or what.words or what.places or what.is_here)
        return replace(what, is_such=is_said, pronoun="" if is_said else "it")

    def _count(self) -> int | None:
        """Return of how many things it is said that there are: "two lamps", "the three lights"; None for none."""
        counted = [
            int(senses[0].value)
            for at, (_, senses) in enumerate(self._taken)
            if senses[0].role is Role.NUMBER and self._number_at(at) is None
        ]
        return counted[0] if counted else None

    def _counted(self) -> str:
        """Return the pronoun that a number of things without a noun is: "all three"."""
        if Role.QUANTITY not in self._by_role:
            return ""
        roles = [senses[0].role for _, senses in self._content]
        is_counted = any(pair == (Role.QUANTITY, Role.NUMBER) for pair in pairwise(roles))
        return (
            "them" if is_counted and _NAMING.isdisjoint(roles) and Role.PLACE not in roles else ""
        )

    def _has_plural_article(self) -> bool:
        """Return whether an article says that there are several of what is named after it."""
        at = next((at for at, role in enumerate(self._roles) if role in _NAMING), 0)
        return at > 0 and self._taken[at - 1][1][0] == Sense(Role.ARTICLE, PLURAL)

    def _bare_article(self) -> str:
        """Return the pronoun that an article is with nothing after it, or before a verb: "la apagas"."""
        for at, (span, senses) in enumerate(self._taken):
            after = self._roles[at + 1] if at + 1 < len(self._roles) else None
            is_article = senses[0].role in EMPTY and span.has(Role.ARTICLE)
            if is_article and after in {None, Role.VERB}:
                return "them" if senses[0].value == PLURAL else "it"
        return ""


def _is_summed(tens: _Number, ones: _Number) -> bool:
    """Return whether two numbers are said as one: "twenty", "one and a half"."""
    is_round = tens[0] in range(20, 100, 10) and not (tens[1] or tens[2])
    return is_round and 0 < ones[0] < 10

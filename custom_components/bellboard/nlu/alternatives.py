"""What a span can be in its clause: the ways to take it that its neighbours leave, the likeliest first."""

from collections.abc import Sequence

from .lexicon import NAMING, Role, Sense
from .spans import Span

_LIKELIER = {
    role: rank
    for rank, role in enumerate(
        (
            Role.NAME,
            Role.MOOD,
            Role.PLACE,
            Role.ASKING,
            Role.MEASURE,
            Role.VERB,
            Role.STATE,
            Role.MOVE,
            Role.AMOUNT,
            Role.COLOR,
            Role.KELVIN,
            Role.LEVEL,
            Role.FACTOR,
            Role.NUMBER,
            Role.RANGE,
            Role.UNIT,
            Role.ATTRIBUTE,
            Role.KIND,
            Role.QUANTITY,
            Role.PRONOUN,
            Role.TO,
            Role.BY,
            Role.HALF,
            Role.HERE,
            Role.EVERYWHERE,
            Role.EXCEPT,
            Role.AND,
            Role.OPTION,
            Role.ARTICLE,
            Role.LINK,
            Role.FILLER,
            Role.NAME_WORD,
            Role.CORRECTING,
            Role.OTHER,
            Role.OR,
            Role.RUNNING,
        )
    )
}
# Senses of these roles hold together: several things of one name, several lists with one option.
_TOGETHER = frozenset({Role.NAME, Role.MOOD, Role.PLACE, Role.OPTION, Role.NAME_WORD})
# What a word is not that may also be "to", which says nothing but before a number.
_LIKE_TO = frozenset({Role.ARTICLE, Role.LINK})
_VALUES = frozenset({Role.NUMBER, Role.RANGE, Role.LEVEL, Role.COLOR, Role.KELVIN, Role.OPTION})
_OFF, _LOCKED = Sense(Role.STATE, "off"), Sense(Role.STATE, "locked")
_OPEN, _UNLOCKED = Sense(Role.STATE, "open"), Sense(Role.STATE, "unlocked")
# "Schließ ab" locks, and "schließ auf" unlocks: the first of each pair is not what such a verb does.
_OF_LOCKS = ((_OFF, _LOCKED), (_OPEN, _UNLOCKED))
_LOCKING = (Sense(Role.VERB, "close"), Sense(Role.VERB, "lock"))
_COMPLAINING, _DARK = Sense(Role.VERB, "lighten"), Sense(Role.STATE, "dark")
_SET = Sense(Role.VERB, "set")
_KEEP, _PAUSE = Sense(Role.VERB, "keep"), Sense(Role.VERB, "pause")
_ON = Sense(Role.STATE, "on")
_NOUNS = NAMING | {Role.ATTRIBUTE}


def _alternatives(span: Span) -> list[tuple[Sense, ...]]:
    """Return the ways to take a span, the likeliest first: one sense, or several that hold together."""
    together: dict[Role, list[Sense]] = {}
    found: list[tuple[Sense, ...]] = []
    ignored = _LIKE_TO if span.has(Role.TO) else frozenset()
    if ignored or any(map(span.has, _LIKE_TO)):
        # The "of" in names says nothing about them.
        ignored |= {Role.NAME_WORD}
    if span.has(Role.OTHER):
        # A word of a name ("Alarm Clock") is no device where it means something else.
        ignored |= {Role.NAME_WORD}
    for sense in span.senses:
        if sense.role in ignored:
            continue
        if sense.role in _TOGETHER:
            together.setdefault(sense.role, []).append(sense)
        else:
            found.append((sense,))
    found += map(tuple, together.values())
    return sorted(found, key=lambda senses: _LIKELIER[senses[0].role])


def senses_in_context(spans: Sequence[Span], at: int) -> list[tuple[Sense, ...]]:
    """Return the ways to take a span that its neighbours leave, the likeliest first.

    What is not ruled out here multiplies the combinations.
    """
    found = _moving_first(_beside_verbs(spans, at), spans[:at])
    rest = spans[at + 1 :]
    roles = {senses[0].role for senses in found}
    if len(roles) == 1 and len(found) == 1:
        return found
    noun = next((each for each in rest if not each.has(Role.ARTICLE)), None)
    if Role.TO in roles and noun and noun.has_any(_VALUES):
        # "To 20 percent" is no state, whatever else the word may be ("auf").
        return [senses for senses in found if senses[0].role is Role.TO]
    ruled_out: set[Role] = set()
    if roles >= {Role.STATE, Role.OPTION} and not any(map(_is_attribute, spans)):
        # "Off" may be an effect, too, where it is said that it is one.
        ruled_out.add(Role.OPTION)
    is_of_attribute = bool(rest) and _is_attribute(rest[0])
    if roles >= {Role.KIND, Role.OPTION}:
        # "The radio on the TV" is what it is to show.
        is_source = _has_kind(spans[at : at + 1], "player") and _has_kind(spans, "tv")
        ruled_out |= _of_noun(spans[:at], is_option=is_of_attribute, is_source=is_source)
    if Role.OPTION in roles and at and spans[at - 1].has(Role.TO):
        # "To high" and "to cool" are modes.
        ruled_out |= {Role.MOVE, Role.VERB}
    is_joined = len(spans[at].words) > 1
    if roles & {Role.TO, Role.LINK} and not (is_joined or all(map(_may_end, rest))):
        # Only at the end of its clause a preposition is a particle that moves something ("auf"), or with another
        # preposition: "the volume up in the study".
        ruled_out.add(Role.MOVE)
    is_led = any(span.has(Role.VERB) for span in spans[:at])
    is_first = is_joined and not any(map(_says_state, spans[:at]))
    if at and not is_led and Role.LINK in roles and rest and rest[0].has(Role.ARTICLE):
        # "That one on the speaker" turns nothing on, "lights out in the kitchen" something off.
        ruled_out.add(Role.LINK if is_first and Role.STATE in roles else Role.STATE)
    if rest and roles & {Role.NUMBER, Role.QUANTITY} and rest[0].has_any(_NOUNS | {Role.UNIT}):
        # "A lamp" ("ein") is no state.
        ruled_out.add(Role.STATE)
    if rest and roles >= {Role.PRONOUN, Role.ARTICLE} and rest[0].has_any(_NOUNS):
        ruled_out.add(Role.PRONOUN)
    if Role.RUNNING in roles and any(_says_state(span) for span in (*spans[:at], *rest)):
        # "Off, those that are on"
        ruled_out.add(Role.STATE)
    left = [senses for senses in found if senses[0].role not in ruled_out] or found
    is_inside = at and rest and rest[0].has(Role.ARTICLE) and spans[at - 1].has_any(_NOUNS)
    if (is_inside or is_joined) and Role.LINK in roles:
        # "The lamp on the table" is not "put on the table".
        left.sort(key=lambda senses: senses[0].role is not Role.LINK)
    return left


def _moving_first(
    found: list[tuple[Sense, ...]], before: Sequence[Span]
) -> list[tuple[Sense, ...]]:
    """Return ways to take a word for a floor and a move, the move first: "the fan up two steps" is none upstairs."""
    roles = {senses[0].role for senses in found}
    if not roles >= {Role.PLACE, Role.MOVE} or (before and before[-1].has(Role.LINK)):
        return found
    return sorted(found, key=lambda senses: senses[0].role is Role.PLACE)


def _beside_verbs(spans: Sequence[Span], at: int) -> list[tuple[Sense, ...]]:
    """Return the ways to take a span that the verbs of its clause leave: "schließ alles ab" turns nothing off."""
    found = _alternatives(spans[at])
    own = spans[at].senses
    if len(found) == 1:
        return found
    for other, of_lock in _OF_LOCKS:
        if other in own and of_lock in own:
            if any(each in span.senses for span in spans for each in _LOCKING):
                found.remove((other,))
            elif not any(span.has_any(_NOUNS) for span in spans):
                # "Wieder ab" locks nothing that is not named.
                found.remove((of_lock,))
    if _COMPLAINING in own and _DARK in own and _is_made(spans):
        found.remove((_COMPLAINING,))
    if _KEEP in own and _PAUSE in own and any(_ON in span.senses for span in spans):
        # "Halte die Musik an" is to pause it.
        found.remove((_KEEP,))
    return found


def _is_made(spans: Sequence[Span]) -> bool:
    """Return whether something is to be made so, and is not only so: "make it dark in here"."""
    return any(_SET in span.senses for span in spans) and not any(
        span.has(Role.ASKING) for span in spans
    )


def _says_state(span: Span) -> bool:
    """Return whether a span says in which state something is to be, and not in which it is."""
    return span.has(Role.STATE) and not span.has(Role.RUNNING)


def _is_attribute(span: Span) -> bool:
    """Return whether a span may say what is set."""
    return span.has(Role.ATTRIBUTE)


def _may_end(span: Span) -> bool:
    """Return whether a span may follow the particle at the end of a clause."""
    return span.has_any(frozenset({Role.FILLER, Role.VERB, Role.HERE}))


def _of_noun(before: Sequence[Span], *, is_option: bool, is_source: bool) -> set[Role]:
    """Return what a noun that may be an option is not: "the fan" is no mode, "the candle effect" is an effect."""
    if is_source:
        return {Role.KIND}
    is_led = bool(before) and before[-1].has(Role.ARTICLE)
    return {Role.KIND if is_option else Role.OPTION} if is_led else set()


def _has_kind(spans: Sequence[Span], kind: str) -> bool:
    """Return whether any of some spans is a noun for a kind of devices."""
    senses = (sense for span in spans for sense in span.senses)
    nouns = (sense.value for sense in senses if sense.role is Role.KIND)
    return any(noun.kind == kind for noun in nouns)

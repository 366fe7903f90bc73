"""Sentences that mend or complete one: corrections, answers to what was left out, and more of the same."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product

from .clauses import Group, group_clauses, is_filler, shared
from .frame_models import ADJUST, LIGHT_VERBS, Frame, NounPhrase, ReadCommand
from .frames import frames_of
from .lexicon import Role
from .play import read_play, read_title
from .playback import describe_players
from .reader import Reader
from .segmentation import clauses_of
from .spans import Span, cover_text

# More combinations of the frames of two sentences are not tried.
_MOST_READINGS = 48
# Fewer degrees are no temperature that a room is set to. "One" may be a thing, or how many.
_FEWEST_DEGREES = 5
# Verbs that go to an end, and those that say no way, are "set" with a value.
_SET_FROM = frozenset({ADJUST, "open", "close"})
# Roles that name things, a scene among them.
_NAMING = frozenset({Role.KIND, Role.MOOD, Role.NAME, Role.NAME_WORD})
_ONE = tuple(NounPhrase(quantity=q, pronoun=p) for q in ("", "one") for p in ("", "one") if q or p)


def read_correction(
    reader: Reader, said: str, text: str, *, is_begun: bool = False
) -> list[ReadCommand]:
    """Return the commands of a sentence that the next one corrects: "no, the pendant", "I meant 40".

    `said` is the sentence before. [] where `text` is no correction of it; it has to begin with words that say so,
    unless what `is_begun` is known to be one.
    """
    text = _joined(reader, text)
    spans = [span for span in cover_text(text, reader.house) if not span.is_mark]
    begin = next((at for at, span in enumerate(spans) if not _corrects(span)), len(spans))
    denies = begin < len(spans) and spans[begin].has(Role.EXCEPT)
    is_begun |= denies or any(span.has(Role.CORRECTING) for span in spans[:begin])
    if begin == len(spans) or not is_begun or not all(s.senses for s in spans):
        return []
    clauses = clauses_of(cover_text(text[spans[begin].start :], reader.house))
    wanted = [clause for clause in clauses if not _is_denied(clause)]
    if len(wanted) != 1 or (denies and all(f.what.refers_back for f in frames_of(wanted[0]))):
        # "Except the lamp, that one off" is for the lamp.
        return []
    if elsewhere := _played_elsewhere(reader, said, wanted[0]):
        return elsewhere
    before = cover_text(said, reader.house)
    if not reader.commands(said, before):
        # "Lights out in the kitchen" is understood word by word.
        before = cover_text(said, reader.house, is_wordwise=True)
    return _merged(reader, text, clauses_of(before), wanted[0])


def _joined(reader: Reader, text: str) -> str:
    """Return a text without a comma in the words that begin a correction: "no, only"."""
    joined = text.replace(",", "", 1)
    first = next(iter(cover_text(joined, reader.house)), None)
    return joined if first and first.has(Role.CORRECTING) and "," in text[: first.end] else text


def read_corrected(reader: Reader, text: str) -> list[ReadCommand]:
    """Return the commands of a sentence that corrects itself: "the kitchen, no, the hall lights off".

    [] where it has no correction that is understood.
    """
    spans = cover_text(text, reader.house)
    at = max((at for at, span in enumerate(spans) if span.has(Role.CORRECTING)), default=0)
    begin = at
    while begin and (_corrects(spans[begin - 1]) or spans[begin - 1].is_mark):
        begin -= 1
    before, after = clauses_of(spans[:begin]), clauses_of(spans[at + 1 :])
    if not (at and before and after) or not all(s.senses or s.is_mark for s in spans):
        return []
    found = _merged(reader, text[: after[0][-1].end], before, after[0])
    rest = after[1:]
    if not found or not rest:
        return found
    more = reader.read(text[rest[0][0].start :], plays=False)
    return [*found, *more] if more else []


def read_completion(reader: Reader, said: str, text: str) -> list[ReadCommand]:
    """Return the commands of a sentence completed by another: "set the volume" and "to 40 percent".

    [] where `text` is not what was left out.
    """
    spans, own = cover_text(said, reader.house), cover_text(text, reader.house)
    played = read_play(said, spans, reader.house.lexicon.media)
    if (played and not played.query) or _lacks_music(reader, said, spans):
        if (title := read_title(text, own)) is None:
            return []
        frames = frames_of(spans)
        known = played.what if played else frames[0].what if frames else NounPhrase()
        what = known if title.what.is_empty else title.what
        return reader.played(text, own, replace(title, what=what))
    clauses = clauses_of([span for span in own if not span.has(Role.CORRECTING)])
    if len(clauses) != 1 or not all(span.senses for span in clauses[0]):
        return []
    before = clauses_of(spans)
    for clause in ([_as_option(span) for span in clauses[0]], clauses[0]):
        if parts := [part for part in _merged(reader, text, before, clause) if part.actions]:
            return parts
    return []


def _as_option(span: Span) -> Span:
    """Return a span without the things it may name, where it may be a mode: "sleep", after "Which preset?"."""
    if not span.has(Role.OPTION):
        return span
    senses = tuple(sense for sense in span.senses if sense.role not in _NAMING)
    return replace(span, senses=senses)


def _lacks_music(reader: Reader, said: str, spans: Sequence[Span]) -> bool:
    """Return whether a sentence was for something to be heard, and did not say what: "turn on the radio"."""
    parts = reader.commands(said, spans)
    return len(parts) == 1 and (lacking := parts[0].lacking) is not None and lacking.is_music


def read_more(reader: Reader, said: str, text: str) -> list[ReadCommand]:
    """Return the commands of a sentence for the targets of the next: "turn on the lamp", "and the radio, too".

    [] where the next sentence says anything but what it is for.
    """
    clauses = _with_value(clauses_of(cover_text(text, reader.house)))
    if not clauses or not all(span.senses for clause in clauses for span in clause):
        return []
    before = clauses_of(cover_text(said, reader.house))
    for old, new in _readings(before, clauses):
        is_valued = len(new) == 1 and new[0].has_value
        says_more = any(map(_says_more, new))
        if says_more or (not is_valued and any(frame.has_value for frame in new)):
            continue
        named = [frame.what for frame in new]
        if any(what.refers_back or what.is_empty for what in named):
            continue
        groups = group_clauses(said, before, old)
        if not groups or groups[-1].frame.asking:
            continue
        targets = shared(named, groups[-1].targets)
        again = _corrected(groups[-1], new[0]) if is_valued else groups[-1]
        part = reader.part(text, replace(again, targets=targets, without=[]))
        if part.actions:
            return [part]
    return []


def _with_value(clauses: list[list[Span]]) -> list[list[Span]]:
    """Return clauses with a last one that only says a value joined to the one before: "the hall too, but only half"."""
    if len(clauses) != 2 or any(span.has_any(_NAMING | {Role.VERB}) for span in clauses[1]):
        return clauses
    # "But" is no exception before a value.
    value = [span for span in clauses[1] if not span.has(Role.EXCEPT)]
    is_value = any(frame.has_value and frame.what.is_empty for frame in frames_of(value))
    # "Too halfway" would be too much of it.
    return [[*value, *clauses[0]]] if is_value else clauses


def _played_elsewhere(reader: Reader, said: str, wanted: Sequence[Span]) -> list[ReadCommand]:
    """Return what was to be played, on the player that a clause names: "no, on the kitchen speaker".

    [] where nothing was, or the clause says anything else.
    """
    spans = cover_text(said, reader.house)
    played = read_play(said, spans, reader.house.lexicon.media)
    what = describe_players(wanted)
    if played is None or not played.query or what is None or what.is_empty:
        return []
    return reader.played(said, spans, replace(played, what=what))


def _says_more(frame: Frame) -> bool:
    """Return whether a frame says more than what it is for, and a value."""
    is_operation = frame.state or frame.move or frame.verb or frame.attribute
    return bool(is_operation or frame.asking or frame.without is not None)


def _readings(
    before: Sequence[Sequence[Span]], after: Sequence[Sequence[Span]]
) -> islice[tuple[tuple[Frame, ...], tuple[Frame, ...]]]:
    """Return the first combinations of the frames of two sentences."""
    return islice(
        product(product(*map(frames_of, before)), product(*map(frames_of, after))), _MOST_READINGS
    )


def _merged(
    reader: Reader, text: str, before: Sequence[Sequence[Span]], wanted: Sequence[Span]
) -> list[ReadCommand]:
    """Return what clauses come to whose last operation is mended by another clause."""
    for old, (frame,) in _readings(before, [wanted]):
        groups = group_clauses(text, before, old)
        if not groups:
            continue
        part = reader.part(text, _corrected(groups[-1], frame))
        others = [reader.part("", group) for group in groups[:-1]]
        if part.is_read and all(other.is_read for other in others):
            return [*others, part]
    return []


def _corrects(span: Span) -> bool:
    """Return whether a span is a word that begins a correction, or says nothing."""
    return span.has(Role.CORRECTING) or is_filler(span)


def _is_denied(clause: Sequence[Span]) -> bool:
    """Return whether a clause says what was not meant: "not the kitchen"."""
    return clause[0].has(Role.EXCEPT) or clause[0].has(Role.CORRECTING)


def _as_step(old: Frame, frame: Frame) -> Frame:
    """Return a frame that mends a step as one: "two degrees warmer", "no, only one", "no, just one degree"."""
    if old.number is None or not (old.is_step or old.move):
        return frame
    if frame.number is None and frame.what in _ONE and not _says_more(frame):
        frame = replace(frame, number=1.0, what=NounPhrase())
    is_few = frame.number is not None and frame.number < _FEWEST_DEGREES
    # No room is that cold.
    is_step = is_few and (frame.unit or old.unit) == "degrees" and not frame.is_to_value
    return replace(frame, is_step=True) if is_step else frame


def _verb_with(old: Frame, frame: Frame) -> str:
    """Return the verb of an operation with another value, none where this goes a way of its own: "one less"."""
    if frame.move:
        return ""
    return "set" if old.verb in _SET_FROM else old.verb


def _corrected(group: Group, frame: Frame) -> Group:
    """Return an operation with the value, the state or the targets of its correction."""
    old = group.frame
    frame = _as_step(old, frame)
    names_target = not (frame.what.is_empty or frame.what.refers_back)
    if frame.verb not in LIGHT_VERBS and names_target:
        # "I said turn off the hallway": all of it is said again.
        return replace(group, frame=frame, targets=[frame.what])
    if frame.has_value:
        unit = frame.unit or (old.unit if old.number is not None else "")
        old = replace(
            old,
            verb=_verb_with(old, frame),
            move=frame.move or old.move,
            number=frame.number,
            unit=unit,
            is_step=frame.is_step,
            level=frame.level,
            color=frame.color,
            kelvin=frame.kelvin,
            options=frame.options,
        )
    elif frame.state or frame.move:
        old = replace(old, verb="", state=frame.state, move=frame.move, amount=frame.amount)
    elif frame.verb not in LIGHT_VERBS:
        old = replace(frame, what=NounPhrase())
    if frame.attribute:
        old = replace(old, attribute=frame.attribute)
    targets = shared([frame.what], group.targets) if names_target else group.targets
    return replace(group, frame=old, targets=targets)

"""Operations of a sentence that only tell why another is wanted: "it's too warm", "que quiero dormir"."""

from collections.abc import Sequence

from ..domains.models import Command
from ..domains.registry import table_of
from .clauses import Group
from .frame_models import ReadCommand
from .lexicon import Lexicon, Role
from .tokens import spoken_words

# Words of a sentence that complains: "fa troppo caldo".
_LEAST_OF_COMPLAINT = 3


def without_purposes(text: str, groups: Sequence[Group], lexicon: Lexicon) -> list[Group]:
    """Return operations without moods that only tell what others are wanted for: "the lights off, I want to sleep".

    They begin like a wish, and no word like "and" joins them to what is before or after.
    """
    kept = []
    ends = [0, *(group.end for group in groups)]
    starts = [*(group.start for group in groups), len(text)]
    for at, group in enumerate(groups):
        said = spoken_words(text[group.start : group.end])
        between = (text[ends[at] : group.start], text[group.end : starts[at + 1]])
        is_joined = any(map(lexicon.is_and, (w for each in between for w in spoken_words(each))))
        if is_joined or not (group.frame.what.is_mood and lexicon.opens_wish(said)):
            kept.append(group)
    return kept or [*groups]


def without_complaints(text: str, groups: Sequence[Group], lexicon: Lexicon) -> list[Group]:
    """Return operations without those behind another that only tell why: "the fan on, il fait trop chaud ici"."""
    return [
        group
        for at, group in enumerate(groups)
        if not (at and group.is_bare and _complains(text[group.start : group.end], lexicon))
        or all(each.is_bare for each in groups[:at])
    ]


def _complains(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text begins with a whole sentence that something is too much: no "a bit warmer"."""
    words = spoken_words(text)
    return any(
        sense.role is Role.MOVE
        for size in range(_LEAST_OF_COMPLAINT, len(words) + 1)
        for sense in lexicon.senses(words[:size])
    )


def without_reasons(parts: Sequence[ReadCommand], groups: Sequence[Group]) -> list[ReadCommand]:
    """Return parts without a wish for what one after it asks: "it's too warm, turn the heating down a degree"."""
    asked: set[tuple[str, str]] = set()
    kept: list[ReadCommand] = []
    for part, group in zip(reversed(parts), reversed(groups), strict=True):
        reach = {(action.domain, each) for action in part.actions for each in action.targets}
        if group.is_bare and not asked.isdisjoint(reach):
            continue
        kept.insert(0, part)
        if not group.is_bare:
            asked |= {
                (action.domain, each)
                for action in part.actions
                for each in action.targets
                if action.domain != "media_player" or _changes_level(action)
            }
    return kept


def _changes_level(action: Command) -> bool:
    """Return whether an action moves or sets the level of its domain."""
    table = table_of(action.domain)
    return bool(table and table.step_sizes and table.step_sizes.changes(action.name))

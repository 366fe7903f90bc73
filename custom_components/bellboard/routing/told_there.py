"""Where something is to be told later: "let me know on the kitchen speaker", "tell me in the kitchen"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from homeassistant.core import HomeAssistant

from ..home.catalog import CatalogEntity, is_in
from ..nlu.announcement_reader import PLAYER, able_satellites
from ..nlu.announcing import SATELLITE
from ..nlu.house import HomeLexicon
from ..nlu.lexicon import Role
from ..nlu.loader import Language
from ..nlu.reminders import Reminder, read_reminder
from ..nlu.spans import Span, cover_text

_SMALL = frozenset({Role.LINK, Role.TO, Role.ARTICLE, Role.BY})
_HEARD = frozenset({SATELLITE, PLAYER})
# The kind of what plays and speaks.
_SPEAKER = "player"


@dataclass(frozen=True, slots=True)
class ToldThere:
    """A command without where its answer is to be heard, and the entity ids of the satellites there, if any."""

    command: str
    told_on: tuple[str, ...] = ()


def without_where(
    hass: HomeAssistant, command: str, language: Language, house: HomeLexicon
) -> ToldThere:
    """Return a command that is only to tell something without the room, or the speaker, that it is to be told on.

    What has a message of its own may speak of a room: "remind me to look in the kitchen".
    """
    spans = cover_text(command, house)
    for begin, end in _runs(spans):
        before, after = command[: spans[begin].start], command[spans[end - 1].end :]
        rest = f"{before.rstrip()} {after.lstrip()}".strip()
        if rest and read_reminder(rest, language.reminders) == Reminder():
            return ToldThere(rest, _heard_on(hass, spans[begin:end], house))
    return ToldThere(command)


def _runs(spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield where spans that say where something is heard begin and end, the longest of each first."""
    for at, span in enumerate(spans):
        if (at and _says_where(spans[at - 1])) or not _says_where(span):
            continue
        end = next((n for n in range(at, len(spans)) if not _says_where(spans[n])), len(spans))
        for begin in range(at, end):
            if any(not each.has_any(_SMALL) for each in spans[begin:end]):
                yield begin, end


def _says_where(span: Span) -> bool:
    """Return whether a span may say where something is heard: a room, what speaks, or a small word before it."""
    return span.has_any(_SMALL | {Role.PLACE, Role.HERE}) or any(
        (sense.role is Role.NAME and sense.value.domain in _HEARD)
        or (sense.role is Role.KIND and sense.value.kind == _SPEAKER)
        for sense in span.senses
    )


def _heard_on(hass: HomeAssistant, spans: Sequence[Span], house: HomeLexicon) -> tuple[str, ...]:
    """Return the ids of the satellites that spans name, or that are in the places that they name."""
    senses = [sense for span in spans for sense in span.senses]
    places = [sense.value for sense in senses if sense.role is Role.PLACE]
    able: Sequence[CatalogEntity] = able_satellites(hass, house)
    named = [sense.value for sense in senses if sense.role is Role.NAME]
    found = [each for each in able if each in named]
    found = found or [each for each in able if places and is_in(each, places)]
    return tuple(each.entity_id for each in found)

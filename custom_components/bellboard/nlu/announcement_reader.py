"""Announcements as parts of a sentence, alone or beside commands: what is announced where, or is still to be said."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..domains.announcements import LOST
from ..domains.models import Command
from ..domains.tts import ENGINE
from .announcing import SATELLITE, Announcement, Unknown, read_announcement, read_message
from .announcing_persons import Person
from .announcing_targets import PLAYER, able_satellites, find_engine, find_reached
from .lexicon import Role
from .read_models import MissingSlot, ReadCommand
from .reader import Reader
from .spans import Span, cover_text


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementReader:
    """Reads announcements in a `language`; a `reader` reads what stands beside them.

    `own` are the ids of the satellites that are spoken to, `persons` those of the house whom something can be told.
    """

    reader: Reader
    language: str
    own: frozenset[str] = frozenset()
    persons: Sequence[Person] = ()

    def read(self, text: str) -> list[ReadCommand]:
        """Return the parts of a sentence that is to announce something, alone or beside commands; [] for others."""
        if part := self._read(text):
            return part
        spans = cover_text(text, self.reader.house)
        for span, following in zip(spans, [*spans[1:], None], strict=False):
            # Of many joins in a row, what comes after the last is read.
            if not _joins(span) or (following and _joins(following)):
                continue
            if part := self._read(text[span.end :].lstrip()):
                before = text[: span.start]
                commands = self.reader.commands(before, cover_text(before, self.reader.house))
                # "I hear that she wants to tell everyone": what is before it is no command.
                return [*commands, *part] if commands else []
        return []

    def _read(self, text: str) -> list[ReadCommand]:
        """Return the parts of a text that begins as an announcement; [] for others."""
        found = read_announcement(text, self.reader.house, self.persons, self.language)
        if found is None:
            return []
        if found.unknown is Unknown.PERSON:
            missing = "plan.no_person" if found.stranger else "plan.no_name"
            return [ReadCommand(text, is_missing=True, missing=missing, name=found.stranger)]
        if found.unknown is Unknown.PLACE:
            return [ReadCommand(text, is_missing=True, missing="plan.announce_where")]
        if found.unknown is Unknown.MESSAGE:
            return [self._announcing(text, found)]
        reached = find_reached(self.reader.hass, self.reader.house, found, self.own)
        is_left = found.is_broadcast and not able_satellites(self.reader.hass, self.reader.house)
        if is_left and (self.reader.hass.states.async_all(SATELLITE) or not reached.heard_on):
            # Left to Home Assistant, which broadcasts to all satellites, exposed or not.
            return []
        message, rest = self._without_command(text, found.message, is_whole=found.is_whole)
        said = text[: text.rindex(message) + len(message)] if rest else text
        return [self._announcing(said, found, message), *rest]

    def read_answer(self, said: str, answer: str) -> list[ReadCommand]:
        """Return the parts of an announcement whose message is the answer to what it says; [] for other requests.

        The answer may be an announcement of its own: "tell the kids dinner is ready".
        """
        asked = read_announcement(said, self.reader.house, self.persons, self.language)
        if asked is None or asked.unknown is not Unknown.MESSAGE:
            return []
        whole = read_announcement(answer, self.reader.house, self.persons, self.language)
        if whole and whole.message:
            return self._read(answer)
        message = read_message(answer, self.reader.house)
        return [self._announcing(answer, asked, message)] if message else []

    def _announcing(self, text: str, found: Announcement, message: str = "") -> ReadCommand:
        """Return the part that announces a message, or lacks one, where somebody hears it."""
        reached = find_reached(self.reader.hass, self.reader.house, found, self.own)
        if not reached.heard_on:
            return self._unheard(text, found)
        satellites, players = reached.of_domain(SATELLITE), reached.of_domain(PLAYER)
        if not message:
            return ReadCommand(
                text, lacking=MissingSlot("message", SATELLITE, (*satellites, *players))
            )
        given: dict[str, object] = {"message": message}
        if reached.lost:
            given[LOST] = list(reached.lost)
        is_list = len(found.satellites) > 1
        actions = []
        if satellites:
            actions.append(
                Command("announce", given, satellites, domain=SATELLITE, is_list=is_list)
            )
        if players:
            engine = {ENGINE: find_engine(self.reader.hass)}
            actions.append(Command("announce", {**given, **engine}, players, domain=PLAYER))
        return ReadCommand(text, tuple(actions))

    def _without_command(
        self, text: str, message: str, *, is_whole: bool
    ) -> tuple[str, list[ReadCommand]]:
        """Return a message without a command after it, and the parts of that: "... and turn off the TV"."""
        begin = text.rindex(message)
        spans = [] if is_whole else cover_text(text, self.reader.house)
        for at, span in enumerate(spans[:-1]):
            if span.start > begin and span.has(Role.AND) and spans[at + 1].has(Role.VERB):
                parts = self.reader.commands(text, spans[at + 1 :])
                if parts and all(part.actions for part in parts):
                    return text[begin : span.start].rstrip(" ,;.:"), parts
        return message, []

    def _unheard(self, text: str, found: Announcement) -> ReadCommand:
        """Return the part of an announcement that no satellite is there for."""
        if not able_satellites(self.reader.hass, self.reader.house):
            return ReadCommand(text, is_missing=True, missing="plan.no_satellite")
        missing = "" if found.places else "plan.no_other_satellite"
        return ReadCommand(text, is_missing=True, places=found.places, missing=missing)


def _joins(span: Span) -> bool:
    """Return whether a span joins requests: "and", or a mark."""
    return span.is_mark or span.has(Role.AND)

"""Whether an instruction speaks only of what somebody spoke of.

A model that writes an instruction may invent a room, a number or an "all" that nobody asked for. What
it names has to stand in the request, or in what agents made of it so far. A name has to stand there in
one piece: from "the kitchen lamp and the bedroom blinds" nobody can be sent to the bedroom lamp.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
import re
import unicodedata

from ..home.names import NameIndex, Words, occurs, words_of
from .models import Json, TaskEnvelopeV2

# A sign belongs to a number only where it does not join it to something: "20-30" is two numbers.
_NUMBER = re.compile(r"(?:(?<!\S)[-\u2212])?\d{1,15}(?:[.,]\d{1,15})?")
# In characters, of all that was said together; the request is the first.
_MOST_READ = 20_000


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What an instruction may not speak of unless somebody else did.

    `names` are the words of all names of devices, areas and floors; a word that is only part of one
    counts as well, because things are found by it, unless it is among `ignored`, words that name
    nothing by themselves ("the", "lamp"). `everywhere` are words and phrases for all there is.
    `numbers` find numbers in words. All are case-folded, in the language of the request.
    `hearsay` are the ids of agents that tell what others wrote, such as a page of the web: numbers
    may be taken from them, but nobody is sent to a door because a page names it.
    """

    names: frozenset[Words] = frozenset()
    everywhere: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    numbers: Sequence[NameIndex[float]] = ()
    hearsay: frozenset[str] = frozenset()

    def allows(self, instruction: str, task: TaskEnvelopeV2, work_output: Json) -> bool:
        """Return whether an instruction may follow a task of which an agent made `work_output`."""
        return self.holds(instruction, *_said_before(task, work_output, self.hearsay))

    def holds(self, instruction: str, said: Iterable[str], told: Iterable[str] = ()) -> bool:
        """Return whether all that an instruction names stands in what was `said`.

        Its numbers may stand in what was only `told` as well.
        """
        texts = list(_readable(said))
        words, spoken = words_of(instruction), [words_of(text) for text in texts]
        return (
            self._has_parts(words, spoken)
            and self._has_phrases(words, spoken)
            and self._has_numbers(instruction, [*texts, *_readable(told)])
        )

    def _has_numbers(self, instruction: str, texts: Sequence[str]) -> bool:
        """Return whether each number stands in one of the texts."""
        known = {number for text in texts for number in self._numbers_in(text)}
        return self._numbers_in(instruction) <= known

    def _has_parts(self, words: Words, spoken: Sequence[Words]) -> bool:
        """Return whether each word that is part of a name was spoken."""
        return self._parts.intersection(words) <= {word for said in spoken for word in said}

    def _has_phrases(self, words: Words, spoken: Sequence[Words]) -> bool:
        """Return whether each name and each word for everything was spoken, in one piece."""
        return all(
            any(occurs(phrase, said) for said in spoken)
            for start in range(len(words))
            for end in range(start + 1, min(start + self._longest, len(words)) + 1)
            if (phrase := words[start:end]) in self._phrases
        )

    def _numbers_in(self, text: str) -> set[float]:
        """Return the numbers in a text, in digits and in words."""
        digits = _NUMBER.findall(unicodedata.normalize("NFKC", text))
        found = {float(each.replace(",", ".").replace("\u2212", "-")) for each in digits}
        words = words_of(text)
        return found | {
            n for index in self.numbers for hit in index.find(words) for n in hit.meanings
        }

    @cached_property
    def _phrases(self) -> frozenset[Words]:
        """Return what has to be said in one piece."""
        return self.names | {words_of(phrase) for phrase in self.everywhere}

    @cached_property
    def _longest(self) -> int:
        """Return the number of words of the longest of these."""
        return max((len(phrase) for phrase in self._phrases), default=0)

    @cached_property
    def _parts(self) -> frozenset[str]:
        """Return the words that things can be found by; numbers are looked at as numbers."""
        parts = frozenset(word for name in self.names for word in name if not word.isdecimal())
        return parts - self.ignored


def _readable(said: Iterable[str]) -> Iterator[str]:
    """Yield texts until enough is read: nobody has to wait for an output without end."""
    left = _MOST_READ
    for text in said:
        yield text[:left]
        left -= len(text)
        if left <= 0:
            return


def _said_before(
    task: TaskEnvelopeV2, work_output: Json, hearsay: frozenset[str]
) -> tuple[list[str], list[str]]:
    """Return what was said for a task, and what agents of `hearsay` only told of it.

    That is the request, and what agents made of it so far. A task's input is what the last of them
    made. What an agent was told by a model is not in it.
    """
    steps = task.context.steps_completed if task.context else ()
    made = [(step.agent_id, [step.action]) for step in steps]
    made.append((steps[-1].agent_id if steps else "", list(texts_of(task.input))))
    made.append((task.agent_id, list(texts_of(work_output))))
    said = [text for agent_id, texts in made if agent_id not in hearsay for text in texts]
    told = [text for agent_id, texts in made if agent_id in hearsay for text in texts]
    return [task.query, *said], told


def texts_of(output: Json) -> Iterator[str]:
    """Yield the texts and numbers in JSON, but not the names of its fields, in the order written."""
    waiting = [output]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += reversed(list(value.values()))
        elif isinstance(value, list | tuple):
            waiting += reversed(value)
        elif isinstance(value, str):
            yield value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)

"""Grounding of a model's instruction: its names and numbers must occur in the request or in an output.

A model may invent a room, a number or an "all" that nobody asked for. A name has to occur in one piece:
from "the kitchen lamp and the bedroom blinds" nobody can be sent to the bedroom lamp.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
import re
import unicodedata

from ..home.names import NameIndex, Words, occurs, words_of
from .next_models import Json, TaskEnvelopeV2

# A sign belongs to a number only where it does not join it to something: "20-30" is two numbers.
_NUMBER = re.compile(r"(?:(?<!\S)[-\u2212])?\d{1,15}(?:[.,]\d{1,15})?")
# In characters, of all that was said together; the request is the first.
_MOST_READ = 20_000


@dataclass(frozen=True, kw_only=True)
class InstructionGrounding:
    """Names that an instruction may hold only if the request or an output holds them.

    `names` are the names of devices, areas and floors as words; a word that is only part of one counts
    as well, unless it is among `ignored`, words that name nothing by themselves ("the", "lamp").
    `everywhere` are words and phrases for all there is. `numbers` find numbers in words. All are
    case-folded, in the language of the request. `untrusted_agents` are the ids of agents that tell what
    others wrote, such as a web page: numbers may come from their output, names may not.
    """

    names: frozenset[Words] = frozenset()
    everywhere: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    numbers: Sequence[NameIndex[float]] = ()
    untrusted_agents: frozenset[str] = frozenset()

    def allows(self, instruction: str, task: TaskEnvelopeV2, work_output: Json) -> bool:
        """Return whether an instruction may follow a task with this output."""
        return self.holds(instruction, *_said_before(task, work_output, self.untrusted_agents))

    def holds(self, instruction: str, said: Iterable[str], told: Iterable[str] = ()) -> bool:
        """Return whether all that an instruction names occurs in the texts `said`.

        Its numbers may occur in the untrusted texts `told` as well.
        """
        texts = list(_readable(said))
        words, spoken = words_of(instruction), [words_of(text) for text in texts]
        if not self._parts.intersection(words) <= {word for text in spoken for word in text}:
            return False
        numbers = {n for text in (*texts, *_readable(told)) for n in self._numbers_in(text)}
        return self._has_phrases(words, spoken) and self._numbers_in(instruction) <= numbers

    def _has_phrases(self, words: Words, spoken: Sequence[Words]) -> bool:
        """Return whether each name and each word for everything occurs, in one piece."""
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
        """Return the names and the phrases for everything."""
        return self.names | {words_of(phrase) for phrase in self.everywhere}

    @cached_property
    def _longest(self) -> int:
        """Return the number of words of the longest of these."""
        return max((len(phrase) for phrase in self._phrases), default=0)

    @cached_property
    def _parts(self) -> frozenset[str]:
        """Return the words that are part of names; numbers are compared as numbers."""
        parts = frozenset(word for name in self.names for word in name if not word.isdecimal())
        return parts - self.ignored


def _readable(said: Iterable[str]) -> Iterator[str]:
    """Yield texts up to `_MOST_READ` characters."""
    left = _MOST_READ
    for text in said:
        yield text[:left]
        left -= len(text)
        if left <= 0:
            return


def _said_before(
    task: TaskEnvelopeV2, work_output: Json, untrusted_agents: frozenset[str]
) -> tuple[list[str], list[str]]:
    """Return the request with the trusted outputs so far, and the untrusted outputs.

    A task's input is the output of its last step. Instructions that a model wrote are in neither.
    """
    steps = task.context.steps_completed if task.context else ()
    made = [(step.agent_id, [step.action]) for step in steps]
    made.append((steps[-1].agent_id if steps else "", list(texts_of(task.input))))
    made.append((task.agent_id, list(texts_of(work_output))))
    said = [text for agent_id, texts in made if agent_id not in untrusted_agents for text in texts]
    told = [text for agent_id, texts in made if agent_id in untrusted_agents for text in texts]
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

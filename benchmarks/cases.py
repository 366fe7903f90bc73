"""Sentences with the agent that should answer them: our own, or of a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
import json
from pathlib import Path
import random

from homeassistant.util.yaml import load_yaml_dict

_OWN = Path(__file__).with_name("routing_sentences.yaml")
_EVERYDAY = Path(__file__).with_name("everyday_sentences.yaml")
SEED = 7


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence and the label of who should answer it: an agent's id, or "other" in some files."""

    text: str
    label: str


def own_cases(language: str = "en") -> list[Case]:
    """Return the sentences of `routing_sentences.yaml` in a language.

    Raises:
        KeyError: there are none in that language.
    """
    return _written_cases(_OWN, language)


def everyday_cases() -> list[Case]:
    """Return the English sentences of `everyday_sentences.yaml`: what is said on a usual day."""
    return _written_cases(_EVERYDAY, "en")


def _written_cases(path: Path, language: str) -> list[Case]:
    """Return the sentences of one of our files in a language."""
    by_agent = load_yaml_dict(str(path))[language]
    return [Case(str(text), agent) for agent, texts in by_agent.items() for text in texts]


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file with a JSON object on each line: `utterance` and `agent`.

    Raises:
        OSError: the file cannot be read.
        ValueError: a line is no JSON.
        KeyError: a line lacks one of the two.
    """
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
    return [Case(line["utterance"], line["agent"]) for line in lines]


def labels_of(cases: Iterable[Case]) -> list[str]:
    """Return the labels of cases, each once, in the order they come."""
    return list(dict.fromkeys(case.label for case in cases))


def sample(cases: Sequence[Case], per_label: int | None) -> list[Case]:
    """Return at most so many cases of each label, always the same ones; all of them for None."""
    if per_label is None:
        return list(cases)
    chooser = random.Random(SEED)
    chosen: list[Case] = []
    for label in labels_of(cases):
        of_label = [case for case in cases if case.label == label]
        chosen += chooser.sample(of_label, min(per_label, len(of_label)))
    return chosen


def halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Return two halves of cases, each with half of every label, always the same ones."""
    chooser = random.Random(SEED)
    first: list[Case] = []
    second: list[Case] = []
    for label in labels_of(cases):
        of_label = [case for case in cases if case.label == label]
        chooser.shuffle(of_label)
        first += of_label[::2]
        second += of_label[1::2]
    return first, second

"""A question that is still open: what was asked, by whom, and whether it was answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import occurs, words_of
from ..plans.models import AskUser
from .models import TaskContext

_KEY = "pendingQuestion"


class _Answer(Protocol):
    """The part of an agent's answer that matters here."""

    @property
    def question(self) -> AskUser | None:
        """Return the question, if there is one."""
        ...


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question and the agent that asked it."""

    agent_id: str
    question: AskUser

    def answered_by(self, text: str, catalog: Catalog, verbs: frozenset[str]) -> str | None:
        """Return the entity id that a text chooses among the candidates, or None.

        A candidate is chosen by its name, an alias, a word that only it has, or the room it is in.
        A text that begins with one of `verbs` is a request of its own, even where it names a
        candidate: "turn off the left one" is no answer to which one to turn on.
        """
        words = words_of(text)
        if verbs.intersection(words[:1]):
            return None
        entities = [
            entity
            for candidate in self.question.candidates
            if (entity := catalog.entities.get(candidate.entity_id))
        ]
        ids = {entity.entity_id for entity in entities}
        if _names_another(words, ids, catalog):
            return None
        named = {
            entity.entity_id
            for entity in entities
            if any(occurs(words_of(name), words) for name in entity.names)
        }
        places = {place.id for found in catalog.places.find(words) for place in found.meanings}
        inside = {e.entity_id for e in entities if {e.area_id, e.floor_id} & places}
        distinct = _by_distinct_word(words, {e.entity_id: e.names for e in entities})
        for chosen in (named & inside, named, inside, distinct):
            if len(chosen & ids) == 1:
                return next(iter(chosen))
        return None


def _names_another(words: tuple[str, ...], ids: set[str], catalog: Catalog) -> bool:
    """Return whether words name something of the home that is none of the candidates."""
    return any(
        isinstance(meaning, CatalogEntity) and not ids.intersection(_ids(found.meanings))
        for domain in catalog.by_domain
        for found in catalog.named(domain).find(words)
        for meaning in found.meanings
    )


def _ids(meanings: Iterable[CatalogEntity | Place]) -> set[str]:
    """Return the entity ids among what a name stands for."""
    return {meaning.entity_id for meaning in meanings if isinstance(meaning, CatalogEntity)}


def _by_distinct_word(words: tuple[str, ...], names: dict[str, tuple[str, ...]]) -> set[str]:
    """Return the candidates that some word singles out among all candidates."""
    vocabulary = {
        entity_id: {word for name in own for word in words_of(name)}
        for entity_id, own in names.items()
    }
    chosen: set[str] = set()
    for word in words:
        having = [entity_id for entity_id, own in vocabulary.items() if word in own]
        if len(having) == 1:
            chosen.add(having[0])
    return chosen


def store_question(task: TaskContext, agent_ids: Sequence[str], answers: Sequence[_Answer]) -> None:
    """Keep the question that was asked in the task, or forget the one that was open."""
    task.metadata.pop(_KEY, None)
    for agent_id, answer in zip(agent_ids, answers, strict=True):
        if answer.question:
            task.metadata[_KEY] = {
                "agentId": agent_id,
                "question": answer.question.model_dump(mode="json"),
            }
            return


def load_question(task: TaskContext) -> PendingQuestion | None:
    """Return the question a task waits on, or None."""
    if not (stored := task.metadata.get(_KEY)):
        return None
    return PendingQuestion(stored["agentId"], AskUser.model_validate(stored["question"]))

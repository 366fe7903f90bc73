"""A question that is still open: what was asked, by whom, how often, and from where."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Protocol, Self

from pydantic import Field, ValidationError

from ..const import DELAY_AGENT_ID
from ..home.catalog import Catalog
from ..home.names import words_of
from ..json_model import JsonModel
from ..plans.models import CONFIRM, PIN, AskUser
from .models import TaskContext, TaskState

_KEY = "pendingQuestion"

SAID = "said"
"""Key of a question's data: the request that the answer completes with a value."""

MAX_NAMED_CANDIDATES = 4
"""A question names its candidates, or the rooms they are in, up to this many; with more candidates it
asks for the room instead."""


class _HasQuestion(Protocol):
    """An answer that may hold a question."""

    @property
    def question(self) -> AskUser | None:
        """Return the question, if there is one."""
        ...


class _Stored(JsonModel):
    """A question as it is written in a task's metadata."""

    agent_id: Annotated[str, Field(min_length=1)]
    question: AskUser
    asked: Annotated[int, Field(ge=1)] = 1
    area_id: str | None = None
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question and the agent that asked it.

    `asked` is how many times it was asked, and `area_id` the area whoever it was asked of spoke in.
    Who that was is the owner of the task. `spoken` is what the person said, "" where it is not kept.
    """

    agent_id: str
    question: AskUser
    asked: int = 1
    area_id: str | None = None
    spoken: str = ""

    @property
    def is_free(self) -> bool:
        """Return whether any words may answer it, and not only one of its candidates."""
        return self.question.param == "request"

    @property
    def is_for_message(self) -> bool:
        """Return whether it asks for a message, which is whatever is said: "no dinner today"."""
        return self.question.param == "message"

    @property
    def to_confirm(self) -> str:
        """Return the request that waits for a yes, "" for none."""
        is_for_yes = self.question.param == CONFIRM
        return self._said(str(self.question.data.get("text", ""))) if is_for_yes else ""

    @property
    def is_to_plan(self) -> bool:
        """Return whether it asks for a yes to what is to be done later."""
        return self.agent_id == DELAY_AGENT_ID and self.question.param == CONFIRM

    @property
    def is_for_code(self) -> bool:
        """Return whether a code is asked for: what is said to it is kept nowhere."""
        return self.question.param == PIN

    @property
    def completes(self) -> str:
        """Return the request that the answer completes with the value that it lacks, "" for none."""
        is_for_value = not self.question.candidates and not self.is_free
        return self.request if is_for_value else ""

    @property
    def request(self) -> str:
        """Return the request that the question is about, "" where it is not kept."""
        return self._said(str(self.question.data.get(SAID, "")))

    def _said(self, request: str) -> str:
        """Return a request if the person said it, and else what the person said: a model may have worded it."""
        said = f" {' '.join(words_of(self.spoken))} "
        is_said = not self.spoken or f" {' '.join(words_of(request))} " in said
        return request if is_said or not request else self.spoken

    @property
    def order(self) -> tuple[str, ...]:
        """Return the entity ids of the candidates in the order the question named them."""
        return tuple(dict.fromkeys(candidate.entity_id for candidate in self.question.candidates))

    @property
    def is_named(self) -> bool:
        """Return whether the question named its candidates, so that they can be counted."""
        return len(self.order) <= MAX_NAMED_CANDIDATES

    def present(self, catalog: Catalog) -> tuple[str, ...]:
        """Return the candidates that are there and exposed now, in their order."""
        return tuple(entity_id for entity_id in self.order if entity_id in catalog.entities)

    def asked_again(self, possible: Collection[str] = ()) -> Self:
        """Return the question as it is asked once more.

        Where `possible` holds some of the candidates, it is narrowed to these.
        """
        narrowed = tuple(c for c in self.question.candidates if c.entity_id in possible)
        question = self.question
        if narrowed:
            question = question.model_copy(update={"candidates": narrowed})
        return replace(self, question=question, asked=self.asked + 1)


def store_question(
    task: TaskContext,
    agent_ids: Sequence[str],
    answers: Sequence[_HasQuestion],
    *,
    area_id: str | None = None,
    spoken: str = "",
) -> None:
    """Store the question that was asked in the task, or delete the one that was open.

    `area_id` is where the speaker is, `spoken` what was said. Of several questions the first is kept.
    """
    forget_question(task)
    for agent_id, answer in zip(agent_ids, answers, strict=True):
        if answer.question:
            asked = PendingQuestion(agent_id, answer.question, area_id=area_id, spoken=spoken)
            keep_question(task, asked)
            return


def keep_question(task: TaskContext, pending: PendingQuestion) -> None:
    """Store a question in the task, in the place of any other."""
    stored = _Stored(
        agent_id=pending.agent_id,
        question=pending.question,
        asked=pending.asked,
        area_id=pending.area_id,
        spoken=pending.spoken,
    )
    task.metadata[_KEY] = stored.as_json()


def forget_question(task: TaskContext) -> None:
    """Delete the question from the task, if there is one."""
    task.metadata.pop(_KEY, None)


def open_question(task: TaskContext) -> PendingQuestion | None:
    """Return the question of a task in state input-required, else None."""
    return load_question(task) if task.state is TaskState.INPUT_REQUIRED else None


def load_question(task: TaskContext) -> PendingQuestion | None:
    """Return the question in a task's metadata, or None where there is none or it cannot be read."""
    try:
        stored = _Stored.model_validate(task.metadata.get(_KEY))
    except ValidationError:
        return None
    return PendingQuestion(**dict(stored))


def offer_of(question: AskUser) -> tuple[str, str] | None:
    """Return the agent that a question offers to ask, and the request it would be asked; None without."""
    agent_id, text = question.data.get("offer"), question.data.get("text")
    if question.param != "request" or not isinstance(agent_id, str) or not isinstance(text, str):
        return None
    return (agent_id, text) if agent_id and text else None

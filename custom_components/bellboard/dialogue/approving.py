"""Whether an answer is a yes in own words, to a question that wants a yes."""

from collections.abc import Iterator
from typing import Any

from ..domains.registry import GUARDING_OR_REACHING
from ..home.catalog import Catalog
from ..memory.pending import PendingQuestion
from ..nlu.kinds import ENTRANCES
from ..nlu.loader import Language
from ..nlu.recognition import REPLACED_SLOT, SCHEDULE_SLOT
from ..plans.models import AskUser


def approves(text: str, pending: PendingQuestion, catalog: Catalog, language: Language) -> bool:
    """Return whether a text is a yes and nothing else, to a question about one thing at most.

    What opens or guards the home wants a word for yes. To leave it so is to agree where something is to be planned, and
    nothing stays as it is with a no.
    """
    if len(pending.order) > 1 or pending.completes:
        return False
    question, approval = pending.question, language.answers.approval
    may_stay_so = pending.is_to_plan and not question.data.get(REPLACED_SLOT)
    return approval.is_yes(text, needs_yes=True, may_stay_so=may_stay_so) or (
        approval.is_yes(text, may_stay_so=may_stay_so) and not _is_guarding(question, catalog)
    )


def _is_guarding(question: AskUser, catalog: Catalog) -> bool:
    """Return whether a question is about what opens or guards the home, or may reach such a thing."""
    asked = question.model_dump()
    # What is only waited for is not opened.
    asked["data"] = {key: each for key, each in question.data.items() if key != SCHEDULE_SLOT}
    return any(_guards(each, catalog) for each in _ids_in(asked))


def _guards(entity_id: str, catalog: Catalog) -> bool:
    """Return whether an entity opens or guards the home, or reaches other things; blinds and curtains do not."""
    domain, _, name = entity_id.partition(".")
    if domain == "cover" and (entity := catalog.entities.get(entity_id)):
        return entity.device_class in ENTRANCES
    return bool(name) and domain in GUARDING_OR_REACHING - {"cover"}


def _ids_in(tree: Any) -> Iterator[str]:
    """Yield the texts in a tree that may be the ids of entities or of actions."""
    if isinstance(tree, dict):
        for value in tree.values():
            yield from _ids_in(value)
    elif isinstance(tree, list | tuple):
        for value in tree:
            yield from _ids_in(value)
    elif isinstance(tree, str) and " " not in tree:
        yield tree

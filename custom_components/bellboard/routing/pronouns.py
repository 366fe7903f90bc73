"""Pronoun tier: parts about "it", the target of the part before: "turn on the floor lamp and make it blue"."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..home.catalog import CatalogSource
from ..json_model import timestamp
from ..tasks.memory import RememberedPart, RememberedTurn
from ..tasks.references import resolve
from .models import Assignment, Source
from .router import Part, RoutingRequest

# What is called so is what was just named.
_IT = frozenset({"it", "them"})


@dataclass(frozen=True, slots=True)
class PronounRouter:
    """Assigns parts whose pronoun means the target of the part before."""

    catalog: CatalogSource

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Return the parts, those with such a pronoun assigned."""
        routed: list[Part] = []
        for part in parts:
            before = routed[-1].assignment if routed else None
            routed.append(await self._async_linked(request, part, before) if before else part)
        return routed

    async def _async_linked(self, request: RoutingRequest, part: Part, before: Assignment) -> Part:
        """Return a part as it is, or assigned for the target of the part before."""
        reference_words = request.language.references.recognize(part.text)
        targets = _targets(before)
        if reference_words is None or reference_words.which not in _IT or not targets:
            return part
        said = RememberedPart(agent_id=before.agent_id, targets=targets)
        reference = resolve(
            part.text,
            [RememberedTurn(at=timestamp(), said=before.instruction, parts=(said,))],
            await self.catalog.async_get(),
            request.language,
            specialists={
                domain: card.id
                for card in request.cards
                if card.id == before.agent_id
                for domain in card.domains
            },
            area_id=request.area_id,
        )
        if reference is None or not reference.agent_id or reference.is_refused:
            return part
        return part.assigned(
            reference.agent_id,
            Source.REFERENCE,
            "It is about what was named before it in the sentence.",
            known=tuple(
                action.model_copy(update={"targets": reference.targets})
                for action in reference.actions
            ),
        )


def _targets(assignment: Assignment) -> tuple[str, ...]:
    """Return the entity ids that a part is for, where that is known."""
    if assignment.known:
        return assignment.known[0].targets
    intent = assignment.intent
    return intent.targets if intent and not intent.is_ambiguous else ()

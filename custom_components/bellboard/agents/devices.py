"""An agent of the user's own for some devices: of these domains, areas and labels, with these actions and limits."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import override

from homeassistant.core import State

from ..domains.models import Command, ErrorCode, ToolCall
from ..domains.registry import table_of
from ..domains.restriction import Limits, restricted
from ..domains.table import Domain
from ..home.catalog import Catalog
from ..plans.models import AskUser
from .base import AgentModel, AgentRequest, AgentResult
from .llm_plan_execution import async_answer_by_model
from .llm_state_answers import async_tell_by_model
from .models import AgentCard, DeviceScope
from .plan_answers import PlanError
from .specialist import Specialist
from .wording import capitalised, describe_names


class DevicesAgent:
    """Acts on the devices of its card's scope, with the actions that it was given, within their limits.

    Nobody else is asked for what it may not do. It is no wall, though: what must not happen is for the policies.
    """

    def __init__(
        self,
        card: AgentCard,
        *,
        allowed: frozenset[str] = frozenset(),
        limits: Limits | None = None,
        instructions: str = "",
        model: AgentModel | None = None,
    ) -> None:
        """Store the card, which has a scope, the actions ("cover.open"; all with none), and the limits.

        `instructions` are for the model beside the built-in ones. `model` plans for it, None for the assistant's.
        """
        self.card = card
        self.model = model
        self._scope = card.scope or DeviceScope(domains=frozenset())
        self._allowed = allowed
        self._limits = limits or {}
        self._instructions = instructions
        self._seen: tuple[Catalog, Catalog] | None = None

    @cached_property
    def _specialists(self) -> dict[str, Specialist]:
        """Return what acts on the entities of each domain."""
        found = (table_of(domain) for domain in sorted(self._scope.domains))
        tables = [restricted(table, self._allowed, self._limits) for table in found if table]
        return {table.name: _of_domain(self.card, table) for table in tables}

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        """Carry out an instruction: as it was read, or as a model plans it."""
        request = self._within(request)
        if request.intent:
            return await self._async_answer_read(request, request.intent.name)
        if not (domains := self._domains_of(request)):
            return self._refusal(request)
        if not (request.is_capable and request.model):
            return await self._specialists[domains[0]].async_answer(request)
        if request.is_question:
            return await async_tell_by_model(request, self.card.id)
        tables = [self._specialists[domain].table for domain in domains]
        return await async_answer_by_model(
            request, self.card.id, tables, self._async_make, instructions=self._instructions
        )

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> AgentResult:
        """Carry out what was asked about, as far as it is still within the scope."""
        request = self._within(request)
        actions = [self._own(request, action) for action in question.actions]
        question = question.model_copy(update={"actions": tuple(actions)})
        specialist = self._for_targets([t for action in actions for t in action.targets])
        if specialist is None:
            return self._refusal(request)
        return await specialist.async_confirmed(request, question)

    async def async_do(
        self, request: AgentRequest, actions: Sequence[Command], targets: Sequence[str]
    ) -> AgentResult:
        """Carry out planned actions on target entities, as far as they are within the scope."""
        request = self._within(request)
        own = [target for target in targets if target in request.catalog.entities]
        specialist = self._for_targets(own)
        if specialist is None or any(self._is_barred(specialist, each.name) for each in actions):
            return self._refusal(request, targets)
        return await specialist.async_do(request, actions, own)

    async def _async_answer_read(self, request: AgentRequest, name: str) -> AgentResult:
        """Carry out what was read without a model."""
        intent = request.intent
        targets = intent.targets if intent else ()
        own = [target for target in targets if target in request.catalog.entities]
        specialist = self._for_targets(own)
        action = name.partition("/")[2]
        is_lacking = bool(intent and intent.missing)
        if specialist is None or len(own) < len(targets):
            return self._refusal(request)
        if not is_lacking and self._is_barred(specialist, action):
            return self._refusal(request, own)
        return await specialist.async_answer(request)

    async def _async_make(
        self, request: AgentRequest, chosen: Command, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls of an action that a model chose.

        Raises:
            PlanError: there are none.
        """
        specialist = self._specialists.get(states[0].domain)
        if specialist is None or self._is_barred(specialist, chosen.name):
            raise _NotOwnError(self._refusal(request, [state.entity_id for state in states]))
        return await specialist.async_calls(request, chosen, states)

    def _within(self, request: AgentRequest) -> AgentRequest:
        """Return a request that knows of the devices of the scope only."""
        whole = request.catalog
        if self._seen is None or self._seen[0] is not whole:
            self._seen = whole, whole.only(self._scope.covers)
        return replace(request, catalog=self._seen[1])

    def _domains_of(self, request: AgentRequest) -> list[str]:
        """Return the domains of the scope with devices, those that the instruction names first."""
        named = request.named.domains
        there = [d for d in self._specialists if d in request.catalog.by_domain]
        return sorted(there, key=lambda domain: domain not in named)

    def _for_targets(self, targets: Sequence[str]) -> Specialist | None:
        """Return what acts on targets that are all of one domain, None for others."""
        domains = {target.partition(".")[0] for target in targets}
        return self._specialists.get(domains.pop()) if len(domains) == 1 else None

    def _is_barred(self, specialist: Specialist, action: str) -> bool:
        """Return whether an action is none that it was given."""
        return specialist.table.action(action) is None

    def _own(self, request: AgentRequest, action: Command) -> Command:
        """Return a planned action with the targets of the scope only."""
        own = tuple(target for target in action.targets if target in request.catalog.entities)
        return replace(action, targets=own)

    def _refusal(self, request: AgentRequest, targets: Sequence[str] = ()) -> AgentResult:
        """Return the answer that this is not for this agent, or not with these devices."""
        names = describe_names(request, targets)
        key = f"failed.{ErrorCode.DENIED}" if names else "plan.nothing_at_all"
        return AgentResult(
            success=False, content=_sentence(request.language.say(key, targets=names))
        )


class _NotOwnError(PlanError):
    """An action is not for this agent, or not with these devices."""

    def __init__(self, refusal: AgentResult) -> None:
        """Store the answer that says so."""
        super().__init__("cannot")
        self._refusal = refusal

    @override
    def answer(self, request: AgentRequest) -> AgentResult:
        return self._refusal


def _sentence(text: str) -> str:
    """Return a part of a sentence as a whole one."""
    return text if text.endswith(".") else f"{capitalised(text)}."


def _of_domain(own_card: AgentCard, own_table: Domain) -> Specialist:
    """Return a specialist that acts for an agent on the entities of one domain."""

    class OfDomain(Specialist):
        """Specialist by the table of one domain, in the name of an agent for several."""

        card = own_card
        table = own_table
        examples = ()

    return OfDomain()

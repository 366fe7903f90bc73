"""Condition tier: evaluates a condition once, now; if it holds its command goes on, else nothing is done.

"If it is above 23 set it to 22" is nothing for Home Assistant's recogniser, and whoever only reads
"set it to 22" would act without looking. So this comes before all others. A condition that cannot be
known now is left to the guard, which declines it; no command is kept for later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity, CatalogSource
from ..home.names import words_of
from ..nlu.condition_evaluation import ConditionEvaluator
from ..nlu.condition_models import Condition, ConditionResult
from ..nlu.conditions import ConditionalSentence
from .eligible import declined, settled
from .models import Assignment
from .parts import split_requests
from .reading import ReadingRouter
from .router import Part, RoutingRequest

_PRESENCE = frozenset({"somebody", "nobody"})
# Nobody can set these.
_NEVER_IT = frozenset({"weather"})


@dataclass(frozen=True, slots=True)
class ConditionRouter:
    """Replaces a sentence with a condition by its command, if the condition holds."""

    hass: HomeAssistant
    catalog: CatalogSource
    reader: ReadingRouter

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Return the parts; one with a condition becomes its command, or is settled."""
        return [
            part
            if part.assignment
            or not request.language.conditions.is_conditional(part.text)
            or await self.reader.async_announces(request, part.text)
            else await self._async_route_part(
                request, part, request.rights.readable(await self.catalog.async_get())
            )
            for part in parts
        ]

    async def _async_route_part(
        self, request: RoutingRequest, part: Part, catalog: Catalog
    ) -> Part:
        """Return a part with a word that begins a condition: its command, settled, declined, or as it is."""
        sentences, language = request.language.conditions, request.language
        text = sentences.without_politeness(part.text)
        if not sentences.is_conditional(text):
            return Part(text) if text else part
        if language.is_question(text) or language.is_indirect_question(text):
            # Only asked: nothing is done for it in any case.
            return part
        for conditional in sentences.split(text, language.verbs):
            pointed = await self.reader.async_noun_phrase(request, conditional.command)
            evaluation = _Evaluation(self.hass, request, catalog, conditional, pointed)
            if (observed := evaluation.evaluate()) is not None:
                return await self._async_result(request, evaluation, part, observed)
        # Nobody may take the command alone for a request of its own.
        if sentences.begins(text) or len(split_requests(text, language)) > 1:
            return _declined(request, part)
        return part

    async def _async_result(
        self,
        request: RoutingRequest,
        evaluation: _Evaluation,
        part: Part,
        observed: ConditionResult,
    ) -> Part:
        """Return the command that is for what was seen, or why there is nothing to do."""
        if not (command := evaluation.command(observed)):
            return Part(part.text, evaluation.settled(part.text, observed))
        meant = evaluation.completed(command, observed)
        for text in meant:
            if await self.reader.async_read(request, text):
                return Part(text)
        return Part(meant[0]) if meant else _declined(request, part)


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """One way to take a sentence apart into condition and command, evaluated now.

    `pointed` is what the command is for, in its own words: what "it" in the condition means.
    """

    hass: HomeAssistant
    request: RoutingRequest
    catalog: Catalog
    conditional: ConditionalSentence
    pointed: str

    def evaluate(self) -> ConditionResult | None:
        """Return what was seen of the clause that decides, or None where it is not known."""
        seen = [self._observe(clause) for clause in self.conditional.clauses]
        if failing := next((each for each in seen if each and not each.holds), None):
            return failing
        return None if None in seen else seen[0]

    def _observe(self, clause: Sequence[Condition]) -> ConditionResult | None:
        """Return what was seen of a clause, or None where the ways to read it do not agree."""
        sentences = self.request.language.conditions
        observer = ConditionEvaluator(
            hass=self.hass,
            catalog=self.catalog,
            words=self.request.language.phrases,
            kinds=sentences.windows_and_doors,
            any_words=sentences.any,
            area_id=self.request.area_id,
        )
        seen = [
            observed
            for condition in map(self._pointed, clause)
            if condition and (observed := observer.evaluate(condition)) is not None
        ]
        return seen[0] if len({observed.holds for observed in seen}) == 1 else None

    def _pointed(self, condition: Condition) -> Condition | None:
        """Return a condition in which "it" is what the command is for, or None without that."""
        language = self.request.language
        if not language.conditions.is_pronoun(condition.target):
            return condition
        return replace(condition, target=self.pointed) if self.pointed else None

    def command(self, observed: ConditionResult) -> str:
        """Return the command that is for what was seen, "" where nothing is to be done."""
        holds = observed.holds is not self.conditional.is_negated
        return self.conditional.command if holds else self.conditional.other

    def completed(self, command: str, observed: ConditionResult) -> Sequence[str]:
        """Return a command completed by its condition, in one of several ways; () where that is not possible.

        "It" is the thing of the condition, or the only thermostat where it was measured. A command
        that names nothing is for the place of the condition.
        """
        sentences = self.request.language.conditions
        if sentences.has_pronoun(command):
            name = self._name(observed)
            meant = sentences.point(command, name) if name else None
            return (meant,) if meant else ()
        if observed.places and not self._names_something(command):
            return sentences.place(command, observed.places[0].name)
        return (command,)

    def _name(self, observed: ConditionResult) -> str:
        """Return what "it" is called, or nothing where it is not known."""
        things: Sequence[CatalogEntity] = observed.things
        if {entity.domain for entity in things} <= _NEVER_IT or observed.state in _PRESENCE:
            return ""
        if observed.reading is not None and not any(e.domain == "climate" for e in things):
            # A sensor can be set to nothing; what is set is what heats or cools there.
            areas = {entity.area_id for entity in things if entity.area_id}
            every = self.catalog.by_domain.get("climate", ())
            things = [entity for entity in every if entity.area_id in areas]
        if len(things) == 1:
            return things[0].name
        return "" if observed.reading is not None else self._spoken

    @property
    def _spoken(self) -> str:
        """Return the words for what the condition is about."""
        sentences = self.request.language.conditions
        targets = {condition.target for condition in self.conditional.clauses[0]}
        return sentences.without_any(targets.pop()) if len(targets) == 1 else ""

    def _names_something(self, command: str) -> bool:
        """Return whether a command names a thing or a place, or says that it is for everything."""
        words = words_of(command)
        language = self.request.language
        if not language.everywhere.isdisjoint(words):
            return True
        return any(self.catalog.all_names.find(words))

    def settled(self, text: str, observed: ConditionResult) -> Assignment:
        """Return the assignment of a sentence whose condition says that nothing is to be done."""
        reason = "The condition says that nothing is to be done."
        return settled(text, self._reply(observed), reason, topic="condition")

    def _reply(self, observed: ConditionResult) -> str:
        """Return what was seen, and that nothing was done."""
        language = self.request.language
        sentences = language.conditions
        if observed.reading is not None:
            number = language.number(observed.reading)
            kind = "humidity" if observed.unit == "%" else "temperature"
            value = (
                language.say("percent", value=number)
                if kind == "humidity"
                else f"{number} {observed.unit}"
            )
            return sentences.say(kind, value=value)
        if len(observed.things) == 1 or observed.state in _PRESENCE:
            return sentences.say(observed.state, things=observed.things[0].name)
        return sentences.say("several")


def _declined(request: RoutingRequest, part: Part) -> Part:
    """Return a part that is declined, since nobody knows whether its condition holds; a capable model may know."""
    if request.is_capable:
        return replace(part, is_for_model=True)
    reason = "Its condition cannot be known now."
    return Part(part.text, declined(part.text, "decline.condition", reason))

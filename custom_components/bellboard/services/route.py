"""The action `bellboard.route`: who would answer a sentence, and why. Nothing is carried out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse

from ..agents.models import AgentCard
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..home.speaker import Rights, async_rights
from ..memory.models import Caller
from ..memory.turns import describe_turns
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language, async_get_language
from ..nlu.tokens import normalised
from ..nlu.unknown_words import find_unknown_words
from ..routing.evidence import spoken_words
from ..routing.models import Assignment, Route
from ..turn.decision import async_decide
from ..turn.masking import async_without_codes
from .action import (
    ATTR_ASSISTANT,
    ATTR_CONVERSATION_ID,
    SENTENCE_FIELDS,
    ServiceAction,
    find_assistant,
    sentence_of,
)


async def _async_route(call: ServiceCall) -> ServiceResponse:
    """Return the routing decision for a sentence, and its explanation. Nothing is remembered."""
    hass, data = call.hass, call.data
    entity_id, assistant = find_assistant(hass, data.get(ATTR_ASSISTANT))
    conversation_id = data.get(ATTR_CONVERSATION_ID)
    caller = Caller(call.context.user_id)
    task = assistant.tasks.get(conversation_id, caller=caller) if conversation_id else None
    said = sentence_of(call, entity_id)
    text = await async_without_codes(hass, normalised(said.text))
    sentence = replace(said, text=text)
    decision = await async_decide(assistant, sentence, memory=describe_turns(task) if task else "")
    language = await async_get_language(hass, sentence.language)
    explanation = explain(
        sentence.text,
        route=decision.route,
        cards=decision.cards,
        language=language,
        house=await assistant.reader.async_house(language),
        catalog=await assistant.catalog.async_get(),
        rights=await async_rights(hass, sentence.context.user_id),
    )
    return {
        **decision.route.choice.as_json(),
        "explanation": asdict(explanation),
        "source": decision.source.value,
        "tier": decision.tier,
        "promptTokens": decision.use.usage.prompt_tokens,
        "cachedTokens": decision.use.usage.cached_tokens,
        "ms": decision.ms,
    }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a sentence is routed as it is.

    `words` are the words of each agent's vocabulary in it, `names` the names of entities and places,
    `unknown` the words that nothing explains. `why` has a line for each assignment.
    """

    words: dict[str, list[str]]
    names: list[str]
    unknown: list[str]
    why: list[str]


def explain(
    text: str,
    *,
    route: Route,
    cards: Sequence[AgentCard],
    language: Language,
    house: HomeLexicon,
    catalog: Catalog,
    rights: Rights,
) -> Explanation:
    """Return the reasons for the route of a text; only entities that its speaker may read are named."""
    words = words_of(text)
    found = [
        span
        for span in catalog.all_names.find(words)
        if any(
            not isinstance(meant, CatalogEntity) or rights.may_read(meant.entity_id)
            for meant in span.meanings
        )
    ]
    named = [" ".join(words[span.start : span.end]) for span in found]
    known = frozenset(word for name in named for word in name.split())
    unknown = find_unknown_words(text, house, language, known)
    return Explanation(
        words=spoken_words(language, cards, text),
        names=named,
        unknown=[word for _, word in unknown],
        why=[_line(part, rights) for part in route.assignments],
    )


def _line(part: Assignment, rights: Rights) -> str:
    """Return an assignment in a line: agent, source, confidence, reason and recognised intent."""
    read = ""
    if part.intent:
        readable = [target for target in part.intent.targets if rights.may_read(target)]
        # A name as it is registered tells that the thing is there.
        is_whole = rights.reads_all or len(readable) == len(part.intent.targets) > 0
        told = part.intent.parameters if is_whole else {}
        slots = ", ".join(f"{name}: {value}" for name, value in told.items())
        targets = ", ".join(readable)
        read = f" {part.intent.name}({slots})" + (f" for {targets}." if targets else ".")
    score = f"{part.source.value}, {part.confidence:.2f}"
    return f"“{part.instruction}” → {part.agent_id} ({score}): {part.reason}{read}"


ACTIONS = (ServiceAction("route", _async_route, SENTENCE_FIELDS, SupportsResponse.ONLY),)

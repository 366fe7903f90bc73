"""Corrections: what was meant by a wrong turn, kept as a decision, an alias, or a case of the house's own file."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.util.dt import utcnow
from homeassistant.util.file import WriteError, write_utf8_file_atomic
from homeassistant.util.hass_dict import HassKey
from pydantic import ValidationError
import yaml

from ..assistant import DATA_CATALOG, UNROUTED_AGENTS, Assistant
from ..const import DOMAIN
from ..domains.actions import ActionError, ActionInput, Parameter
from ..domains.models import Command, ToolCall
from ..domains.registry import agent_of, table_of
from ..domains.table import Domain
from ..evaluation.golden_file import GoldenFileError, read_text
from ..evaluation.models import GoldenFile
from ..memory.lessons import CORRECTION, NEEDED, LearnedDecision
from ..nlu.codes import async_get_spoken_numbers
from ..nlu.loader import async_get_language
from ..nlu.reserved_words import holds_number, is_reserved
from ..policy.codes import code_lock
from ..routing.learned import can_be_learnt, meaning_of, sentence_key
from ..services.action import all_assistants, refusal
from ..telemetry.trace import TurnTrace


async def async_choices_as_json(hass: HomeAssistant, assistant: Assistant) -> dict[str, Any]:
    """Return the agents, the exposed devices by name, the actions of their domains, and how many `others` assist."""
    catalog = await hass.data[DATA_CATALOG].async_get()
    domains = {
        domain: table
        for domain in sorted(catalog.by_domain)
        if (table := table_of(domain)) and table.plannable_actions
    }
    return {
        "others": len(all_assistants(hass)) - 1,
        "agents": [{"id": agent.card.id, "name": agent.card.name} for agent in assistant.registry],
        "devices": [
            {
                "entity_id": entity.entity_id,
                "name": entity.name,
                "area_id": entity.area_id,
                "area": area.name if (area := catalog.areas.get(entity.area_id or "")) else None,
            }
            for entity in sorted(catalog.entities.values(), key=lambda each: each.name.casefold())
            if entity.domain in domains
        ],
        "areas": [{"id": area.id, "name": area.name} for area in catalog.areas.values()],
        "domains": {
            domain: {
                "agent_id": agent_of(domain),
                "actions": _actions_as_json(hass, table),
            }
            for domain, table in domains.items()
        },
    }


def _actions_as_json(hass: HomeAssistant, table: Domain) -> list[dict[str, Any]]:
    """Return the actions of a domain with their parameters, in the order of its table."""
    return [
        {
            "name": action.name,
            "any_parameter": action.any_parameter,
            "parameters": [_parameter_as_json(parameter) for parameter in action.parameters],
        }
        for action in table.plannable_actions
        if not action.sees_others
    ]


def _parameter_as_json(parameter: Parameter) -> dict[str, Any]:
    """Return a parameter: its kind, unit and range, where these are fixed; the devices' own options by attribute."""
    return {
        "name": parameter.name,
        "kind": parameter.kind.value,
        "unit": parameter.unit,
        "low": parameter.low if isinstance(parameter.low, int | float) else None,
        "high": parameter.high if isinstance(parameter.high, int | float) else None,
        "options": parameter.options,
        "choices": list(parameter.choices),
        "is_optional": parameter.for_capable,
    }


CASES_FILE = "bellboard_cases.yaml"
"""The house's own golden file, beside `configuration.yaml`."""

_DATA_CASES_LOCK: HassKey[asyncio.Lock] = HassKey(f"{DOMAIN}_cases_lock")


@dataclass(frozen=True, slots=True)
class Meant:
    """The intended command: an action of a domain's table for entities, done by an agent; no action for nothing."""

    agent_id: str
    action: str
    targets: tuple[str, ...]
    parameters: Mapping[str, Any]

    @property
    def domain(self) -> str:
        """Return the domain of its targets, "" for none."""
        return self.targets[0].partition(".")[0] if self.targets else ""


def calls_of(hass: HomeAssistant, meant: Meant) -> list[ToolCall]:
    """Return the calls that an action comes to for its targets as they are now.

    Raises:
        ServiceValidationError: the devices cannot do it, or are not all of one domain.
    """
    if any(target.partition(".")[0] != meant.domain for target in meant.targets):
        raise refusal("correction_several_kinds")
    table = table_of(meant.domain)
    action = table.action(meant.action) if table else None
    states = [state for target in meant.targets if (state := hass.states.get(target))]
    if table is None or action is None or len(states) < len(meant.targets):
        raise refusal("correction_impossible")
    try:
        return table.plan(action, ActionInput(parameters=meant.parameters), states)
    except (ActionError, KeyError, TypeError, ValueError) as err:
        raise refusal("correction_impossible") from err


def _require_words(trace: TurnTrace) -> None:
    """Refuse a turn whose words are not kept.

    Raises:
        ServiceValidationError: they are not.
    """
    if not trace.has_words:
        raise refusal("correction_no_words")


async def async_learn(
    assistant: Assistant, trace: TurnTrace, meant: Meant, others: Iterable[Assistant] = ()
) -> int:
    """Keep what was meant as a decision: the same sentence comes to it from now on, where it was said.

    The `others` keep it, too, except those for which it is refused. How many keep it is returned.

    Raises:
        ServiceValidationError: its words are not kept, the sentence does not always mean the same, or it cannot mean
            these devices, or no agent of that id answers for them. What was learnt before is kept then.
    """
    _require_words(trace)
    lessons = [(assistant, await _async_lesson(assistant, trace, meant))]
    for other in others:
        # That it is refused there, as by one without such an agent, keeps nobody else from it.
        with suppress(ServiceValidationError):
            lessons.append((other, await _async_lesson(other, trace, meant)))
    for each, lesson in lessons:
        each.lessons.drop(lesson.spoken)
        each.lessons.confirm(lesson)
    return len(lessons)


async def _async_lesson(assistant: Assistant, trace: TurnTrace, meant: Meant) -> LearnedDecision:
    """Return what an assistant learns from what was meant.

    Raises:
        ServiceValidationError: as `async_learn`.
    """
    hass = assistant.hass
    calls_of(hass, meant)
    language = await async_get_language(hass, trace.speaker.language)
    if not can_be_learnt(trace.utterance, language):
        raise refusal("correction_not_learnable")
    house = await assistant.reader.async_house(language)
    catalog = await assistant.catalog.async_get()
    area_id = trace.speaker.area_id
    cards = {
        card.id: card
        for card in assistant.registry.cards(catalog.by_domain)
        if card.id not in UNROUTED_AGENTS
    }
    card = cards.get(meant.agent_id)
    if card is None or not (card.reaches_all or meant.domain in card.domains):
        raise refusal("correction_no_agent", agent_id=meant.agent_id)
    meaning = meaning_of(
        hass,
        catalog,
        house,
        language,
        trace.utterance,
        domain=meant.domain,
        area_id=area_id,
        agents=cards,
    )
    spoken, now = sentence_key(trace.utterance, language, area_id), utcnow()
    action = Command(name=meant.action, parameters=dict(meant.parameters), targets=meant.targets)
    try:
        return LearnedDecision(
            sentence=spoken.sentence,
            language=spoken.language,
            area_id=spoken.area_id,
            agent_id=meant.agent_id,
            actions=(action,),
            fingerprint=meaning.fingerprint,
            source=CORRECTION,
            learnt_at=now,
            confirmed_at=now,
            confirmed=NEEDED,
        )
    except ValidationError as err:
        raise refusal("correction_not_learnable") from err


async def async_add_alias(
    hass: HomeAssistant, trace: TurnTrace, entity_id: str, alias: str
) -> None:
    """Give an entity one more name.

    Raises:
        ServiceValidationError: it cannot have any, or not this one.
    """
    entities = er.async_get(hass)
    name = " ".join(alias.split())
    if entities.async_get(entity_id) is None or not name:
        raise refusal("correction_no_alias")
    for code in dict.fromkeys((trace.speaker.language, hass.config.language)):
        if await _async_is_reserved(hass, name, code):
            # One reason for all of them: which it is would tell what is a code.
            raise refusal("correction_alias_reserved")
    # It may have changed meanwhile.
    if (entry := entities.async_get(entity_id)) is None:
        raise refusal("correction_no_alias")
    kept = list(entry.aliases)
    if name.casefold() not in {str(known).casefold() for known in kept if isinstance(known, str)}:
        entities.async_update_entity(entity_id, aliases=[*kept, name])


async def _async_is_reserved(hass: HomeAssistant, name: str, code: str) -> bool:
    """Return whether a name means something else by itself in a language, or holds a code, or a number like one."""
    language, numbers = await async_get_language(hass, code), await async_get_spoken_numbers(hass)
    return is_reserved(name, language) or holds_number(name, numbers, code_lock(hass).codes.lengths)


async def async_add_case(
    hass: HomeAssistant, assistant: Assistant, trace: TurnTrace, meant: Meant | None
) -> str:
    """Add a sentence, with what it is to come to, to the house's golden file; return the case's id.

    Without a meaning nothing is to be changed.

    Raises:
        ServiceValidationError: its words are not kept, or the file cannot be read or written, or is full.
    """
    _require_words(trace)
    area = ar.async_get(hass).async_get_area(trace.speaker.area_id or "")
    # A dry run changes nothing whatever happens, so what would have been called is looked at, too.
    expected: dict[str, Any] = {"calls": [], "unchanged": True}
    if meant is not None:
        expected = {
            "calls": [
                {"action": call.action, "entities": sorted(call.targets), "data": dict(call.data)}
                for call in calls_of(hass, meant)
            ]
        }
    case = {
        "say": trace.utterance,
        **({"area": area.name} if area else {}),
        "language": trace.speaker.language,
        "expect": expected,
    }
    path = Path(hass.config.path(CASES_FILE))
    try:
        async with hass.data.setdefault(_DATA_CASES_LOCK, asyncio.Lock()):
            return await hass.async_add_executor_job(append_case, path, case, trace.at)
    except (GoldenFileError, OSError, WriteError) as err:
        raise refusal("golden_file_wrong", reason=str(err)) from err


def append_case(path: Path, case: Mapping[str, Any], at: float) -> str:
    """Write a case at the end of a golden file, which keeps its comments; return the case's id.

    The file is replaced whole, so that a power cut or a full disk leaves the one before. It blocks, and must not run
    twice at once for the same file.

    Raises:
        GoldenFileError: the file is none, or its cases do not come last.
        OSError: it cannot be read.
        WriteError: it cannot be written.
    """
    # A link stays one: what it leads to is replaced.
    path = path.resolve()
    text = path.read_text(encoding="utf-8") if path.exists() else "cases:\n"
    known = {each.id for each in read_text(text, path.name).cases} if path.exists() else set()
    case_id = _new_id(known, at)
    [written] = [yaml.safe_dump([{"id": case_id, **case}], sort_keys=False, allow_unicode=True)]
    entry = "".join(f"  {line}\n" for line in written.splitlines())
    whole = f"{text.rstrip()}\n{entry}"
    golden: GoldenFile = read_text(whole, path.name)
    if golden.cases[-1].id != case_id:
        raise GoldenFileError(f"{path.name}: the cases must come last")
    # What only its owner may read stays so: what was said stands in it.
    is_private = path.exists() and not path.stat().st_mode & 0o004
    write_utf8_file_atomic(str(path), whole, is_private)
    return case_id


def _new_id(known: Sequence[str] | set[str], at: float) -> str:
    """Return an id that no case has, by the second in which the sentence was said."""
    base = f"turn-{int(at)}"
    number = 1
    while (case_id := base if number == 1 else f"{base}-{number}") in known:
        number += 1
    return case_id

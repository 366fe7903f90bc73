"""Routes sentences whose agent is known and sums up how it went; see `routing.py`."""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import json
import logging
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import ValidationError

from custom_components.bellboard.llm.errors import ModelError
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.choice import WrittenChoice, answering_cards
from custom_components.bellboard.routing.evidence import interchangeable
from custom_components.bellboard.routing.models import Measure
from custom_components.bellboard.routing.prompt import choice_schema, routing_messages, shown_name

from .cases import Case, labels_of, own_cases, read_cases, sample
from .decisions import CARDS, SECONDS, Decided, Decider, all_routers, open_decider
from .figures import percentile
from .reliability import Judged, bins, calibration_error, diagram

OTHER = "other"
THRESHOLD = RouterOptions().confidence_threshold

# A choice and a number are some 20 tokens; a small model goes on writing digits for ever.
_WRITTEN_TOKENS = 40


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case, what was decided about it, and the label that is."""

    case: Case
    decided: Decided
    got: str

    @property
    def right(self) -> bool:
        """Return whether it went where it should."""
        return self.got == self.case.label

    def judged(self, labels: Sequence[str]) -> Judged:
        """Return how sure the decision is, and whether it may be believed."""
        assignment = self.decided.assignment
        return Judged(assignment.confidence, _same(assignment.agent_id, self.case.label, labels))

    @property
    def measured(self) -> bool:
        """Return whether a model decided and its confidence was measured."""
        return self.decided.assignment.measure is Measure.MEASURED


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measures how well sentences are routed.")
    parser.add_argument("--llm", metavar="URL", required=True, help="the model server's address")
    parser.add_argument("--model", help="the model's name, else the first the server offers")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="JSON lines, else our own set")
    parser.add_argument("--per-label", type=int, metavar="N", help="at most so many of each label")
    parser.add_argument("--written", action="store_true", help="ask for a written number, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--diagram", type=Path, metavar="FILE", help="write a reliability diagram")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    asyncio.run(_async_run(arguments))


async def _async_run(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    cases = read_cases(arguments.cases) if arguments.cases else own_cases()
    cases = sample(cases, arguments.per_label)
    labels = labels_of(cases)
    async with open_decider(arguments.llm, all_routers(), model=arguments.model) as decider:
        await decider.async_decide("hello to the house")
        outcomes = [await _async_outcome(decider, case, labels) for case in cases]
        # Afterwards, so that the times above are those of routing alone.
        written = [
            await _async_written(decider, one.case, labels)
            for one in outcomes
            if arguments.written and one.measured
        ]
    found = _sum_up(outcomes, labels, [one for one in written if one])
    if arguments.diagram:
        judged = [one.judged(labels) for one in outcomes if one.measured]
        arguments.diagram.write_text(diagram(judged, "Measured confidence"), encoding="utf-8")
    print(json.dumps(found, indent=2) if arguments.json else _table(found))


async def _async_outcome(decider: Decider, case: Case, labels: Sequence[str]) -> Outcome:
    """Return what comes of a case."""
    decided = await decider.async_decide(case.text)
    return Outcome(case, decided, as_label(decided.assignment.agent_id, labels))


async def _async_written(decider: Decider, case: Case, labels: Sequence[str]) -> Judged | None:
    """Return the number the model itself writes with its choice, or None where it writes none."""
    request = decider.request(case.text)
    cards = answering_cards(request.language, CARDS, [case.text])
    schema = choice_schema(request.options, cards, 1, with_confidence=True)
    try:
        completion = await decider.model.complete(
            routing_messages(request.options, CARDS, [case.text]),
            schema=schema,
            schema_name="choice",
            temperature=request.options.temperature,
            max_tokens=_WRITTEN_TOKENS,
            timeout=SECONDS,
        )
        choice = WrittenChoice.model_validate(completion.data or {})
    except ModelError, ValidationError:
        return None
    if choice.confidence is None:
        return None
    agents = {shown_name(request.options, card.id): card.id for card in CARDS}
    named = as_label(agents.get(choice.agent_id, choice.agent_id), labels)
    return Judged(choice.confidence, named == case.label)


def as_label(agent_id: str, labels: Sequence[str]) -> str:
    """Return the label of an agent: its id, or "other" where the labels do not name it."""
    return agent_id if agent_id in labels else OTHER


def _same(agent_id: str, label: str, labels: Sequence[str]) -> bool:
    """Return whether an agent, or one that does as well in its place, is what a label says."""
    return label in {as_label(one, labels) for one in interchangeable(agent_id, CARDS)}


def _sum_up(
    outcomes: Sequence[Outcome],
    labels: Sequence[str],
    written: Sequence[Judged],
) -> dict[str, Any]:
    """Return all figures as a JSON object."""
    by_label = {name: [one for one in outcomes if one.case.label == name] for name in labels}
    model = [one for one in outcomes if one.measured]
    completions = [one.decided.completions[-1] for one in outcomes if one.decided.completions]
    ms = [one.decided.ms for one in outcomes]
    return {
        "labels": {
            name: {"right": sum(one.right for one in those), "asked": len(those)}
            for name, those in by_label.items()
        },
        "balanced_accuracy": fmean(
            fmean(one.right for one in those) for those in by_label.values()
        ),
        "ms_p50": percentile(ms, 50),
        "ms_p95": percentile(ms, 95),
        "sources": _by_source(outcomes),
        "calibration_error": {
            "model": calibration_error([one.judged(labels) for one in model]),
            "model, before calibration": calibration_error(
                [
                    Judged(one.decided.evidence.share, one.judged(labels).right)
                    for one in model
                    if one.decided.evidence
                ]
            ),
            "all": calibration_error([one.judged(labels) for one in outcomes]),
            "written by the model": calibration_error(written),
        },
        "written_numbers": len(written),
        "sure_at_0.7": _sure(model, labels),
        "prompt_tokens_most": max((one.usage.prompt_tokens for one in completions), default=0),
        "cached_share_second_turn": _cached(completions[1:2]),
        "bins": [list(found) for found in _shown_bins(model, labels)],
    }


def _shown_bins(
    outcomes: Sequence[Outcome], labels: Sequence[str]
) -> list[tuple[int, float, float]]:
    """Return count, confidence and accuracy of each bin of the diagram."""
    judged = [one.judged(labels) for one in outcomes]
    return [(one.count, round(one.confidence, 3), round(one.accuracy, 3)) for one in bins(judged)]


def _sure(outcomes: Sequence[Outcome], labels: Sequence[str]) -> dict[str, int]:
    """Return how many decisions the usual threshold lets through, and how many of them are right."""
    sure = [
        one for one in (each.judged(labels) for each in outcomes) if one.confidence >= THRESHOLD
    ]
    return {"right": sum(one.right for one in sure), "decided": len(sure)}


def _by_source(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """Return how many decisions each router made, and how many of them were right."""
    found: dict[str, dict[str, int]] = {}
    for one in outcomes:
        entry = found.setdefault(one.decided.assignment.source.value, {"right": 0, "decided": 0})
        entry["right"] += one.right
        entry["decided"] += 1
    return found


def _cached(completions: Sequence[Any]) -> float | None:
    """Return the share of a prompt that the server had already read."""
    for one in completions:
        if one.usage.prompt_tokens:
            return float(one.usage.cached_tokens / one.usage.prompt_tokens)
    return None


def _table(found: Mapping[str, Any]) -> str:
    """Return the figures as lines of text."""
    lines = [
        f"{name:<14} {entry['right']:>4}/{entry['asked']:<4} {entry['right'] / entry['asked']:.3f}"
        for name, entry in found["labels"].items()
    ]
    lines.append(f"balanced accuracy {found['balanced_accuracy']:.3f}")
    lines.append(f"decision p50 {found['ms_p50']:.0f} ms, p95 {found['ms_p95']:.0f} ms")
    lines += [
        f"by {name:<11} {entry['right']:>4}/{entry['decided']:<4} "
        f"{entry['right'] / entry['decided']:.3f}"
        for name, entry in found["sources"].items()
    ]
    lines += [
        f"calibration error, {name}: {'not measured' if error is None else f'{error:.3f}'}"
        for name, error in found["calibration_error"].items()
    ]
    lines.append(f"prompt tokens at most {found['prompt_tokens_most']}")
    cached = found["cached_share_second_turn"]
    lines.append(f"cached on the second turn: {'unknown' if cached is None else f'{cached:.0%}'}")
    return "\n".join(lines)

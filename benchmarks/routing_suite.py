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
from custom_components.bellboard.routing.calibration import Curve, calibrate
from custom_components.bellboard.routing.choice import WrittenChoice, eligible
from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.models import Measure
from custom_components.bellboard.routing.prompt import choice_schema, routing_messages, shown_name

from .cases import Case, labels_of, own_cases, read_cases, sample
from .decisions import CARDS, SECONDS, Decided, Decider, all_routers, open_decider
from .figures import percentile
from .reliability import Judged, bins, calibration_error, diagram, fit_curve

OTHER = "other"

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
    curve: Curve | None = None
    if OTHER in labels:
        async with open_decider(arguments.llm, [ModelRouter()], model=arguments.model) as decider:
            curve = await _async_group_curve(decider, labels)
    found = _sum_up(outcomes, labels, curve, [one for one in written if one])
    if arguments.diagram:
        judged = [Judged(_group(one, labels, curve), one.right) for one in outcomes if one.measured]
        arguments.diagram.write_text(diagram(judged, "Measured confidence"), encoding="utf-8")
    print(json.dumps(found, indent=2) if arguments.json else _table(found))


async def _async_outcome(decider: Decider, case: Case, labels: Sequence[str]) -> Outcome:
    """Return what comes of a case."""
    decided = await decider.async_decide(case.text)
    return Outcome(case, decided, as_label(decided.assignment.agent_id, labels))


async def _async_written(decider: Decider, case: Case, labels: Sequence[str]) -> Judged | None:
    """Return the number the model itself writes with its choice, or None where it writes none."""
    request = decider.request(case.text)
    cards = eligible(request.language, CARDS, [case.text])
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


def group_share(weighed: Mapping[str, float], agent_id: str, labels: Sequence[str]) -> float:
    """Return the probability of all agents that have the same label as one."""
    wanted = as_label(agent_id, labels)
    return sum(share for agent, share in weighed.items() if as_label(agent, labels) == wanted)


async def _async_group_curve(decider: Decider, labels: Sequence[str]) -> Curve:
    """Return the curve of the labels' probabilities, learnt from our own sentences."""
    judged = []
    for case in own_cases():
        decided = await decider.async_decide(case.text)
        agent = decided.assignment.agent_id
        if decided.weighed:
            right = as_label(agent, labels) == as_label(case.label, labels)
            judged.append(Judged(group_share(decided.weighed, agent, labels), right))
    return fit_curve(judged)


def _group(outcome: Outcome, labels: Sequence[str], curve: Curve | None) -> float:
    """Return the calibrated confidence in a label; the decision's own where labels are agents."""
    assignment = outcome.decided.assignment
    if curve is None or not outcome.decided.weighed:
        return assignment.confidence
    return calibrate(curve, group_share(outcome.decided.weighed, assignment.agent_id, labels))


def _sum_up(
    outcomes: Sequence[Outcome],
    labels: Sequence[str],
    curve: Curve | None,
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
            "model, of the agent": _error(
                model, [one.decided.assignment.confidence for one in model]
            ),
            "model, before calibration": _error(
                model,
                [one.decided.weighed.get(one.decided.assignment.agent_id, 0) for one in model],
            ),
            "model, of the label": _error(model, [_group(one, labels, curve) for one in model]),
            "all, of the agent": _error(
                outcomes, [one.decided.assignment.confidence for one in outcomes]
            ),
            "all, of the label": _error(outcomes, [_group(one, labels, curve) for one in outcomes]),
            "written by the model": calibration_error(written),
        },
        "written_numbers": len(written),
        "sure_at_0.7": sum(one.decided.assignment.confidence >= 0.7 for one in model),
        "prompt_tokens_most": max((one.usage.prompt_tokens for one in completions), default=0),
        "cached_share_second_turn": _cached(completions[1:2]),
        "bins": [list(found) for found in _shown_bins(model, labels, curve)],
    }


def _shown_bins(
    model: Sequence[Outcome], labels: Sequence[str], curve: Curve | None
) -> list[tuple[int, float, float]]:
    """Return count, confidence and accuracy of each bin of the diagram."""
    judged = [Judged(_group(one, labels, curve), one.right) for one in model]
    return [(one.count, round(one.confidence, 3), round(one.accuracy, 3)) for one in bins(judged)]


def _error(outcomes: Sequence[Outcome], confidences: Sequence[float]) -> float | None:
    """Return the calibration error of confidences."""
    return calibration_error(
        [Judged(sure, one.right) for one, sure in zip(outcomes, confidences, strict=True)]
    )


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

#!/usr/bin/env python3
"""Measures how many sentences are decided without a model, and how often rightly.

python benchmarks/without_model.py               our own sentences
python benchmarks/without_model.py --cases FILE  a file with {"utterance", "agent"} a line; an agent it
                                                 does not name is "other"
Prints one JSON object: for each agent how many sentences it was given and how many of them are its.
What nobody was sure of would be asked of a model; it counts as not decided. What is not for now is
declined, given to nobody, and counted by itself.
"""

import argparse
import asyncio
from collections import Counter
import json
from pathlib import Path
import sys
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parent.parent)

# ruff: noqa: E402 (the repository is on the path only now)
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context

from benchmarks.cases import Case, labels_of, own_cases, read_cases
from benchmarks.routing_suite import as_label
from custom_components.bellboard.routing.models import Source
from custom_components.bellboard.turn.decision import async_decide
from tests.harness.home import async_home

# With these nobody was sure.
_OPEN = frozenset({Source.DEFAULT, Source.FALLBACK})


async def _async_measure(cases: list[Case]) -> dict[str, Any]:
    """Return how many sentences each agent was given, and how many of them rightly."""
    labels = labels_of(cases)
    given: Counter[str] = Counter()
    declined: Counter[str] = Counter()
    right: Counter[str] = Counter()
    async with async_home("demo", {}) as home:
        hass = home.hass
        entry = hass.config_entries.async_entries("bellboard")[0]
        (assistant,) = entry.runtime_data.assistants.values()
        for case in cases:
            said = ConversationInput(
                text=case.text,
                context=Context(),
                conversation_id="benchmark",
                device_id=None,
                satellite_id=None,
                language="en",
                agent_id=home.agent_id,
            )
            decision = await async_decide(assistant, said)
            if decision.source in _OPEN:
                continue
            if decision.source is Source.GUARD:
                declined[case.label] += 1
                continue
            label = as_label(decision.route.assignments[0].agent_id, labels)
            given[label] += 1
            right[label] += label == case.label
    decided, hits = sum(given.values()), sum(right.values())
    return {
        "sentences": len(cases),
        "decided": decided,
        "share": round(decided / len(cases), 4),
        "precision": round(hits / decided, 4) if decided else None,
        "declined": dict(declined),
        "agents": {
            label: {
                "given": given[label],
                "right": right[label],
                "precision": round(right[label] / given[label], 4) if given[label] else None,
            }
            for label in labels
        },
    }


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    arguments = parser.parse_args()
    cases = read_cases(arguments.cases) if arguments.cases else own_cases()
    print(json.dumps(asyncio.run(_async_measure(list(cases))), indent=2))


if __name__ == "__main__":
    main()

"""What 200 rules cost a call for 50 entities, beside no rules at all.

python -m benchmarks.policies    alone, as one JSON object
"""

import asyncio
from collections.abc import Iterator, Mapping
import gc
from itertools import cycle, islice
import json
import logging
from statistics import median
from typing import Any

from homeassistant.util import dt as dt_util

from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.policy.engine import Interaction, NullPolicyEngine, PolicyEngine
from custom_components.bellboard.policy.lookup import RegistryLookup
from custom_components.bellboard.policy.parsing import read_rules
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine

from .figures import Figure, percentile
from .homes import Home, async_home
from .stopwatch import Seconds

RULES = 200
TARGETS = 50
ADDED_MS = 0.5


async def async_measure_policies(calls: int) -> Figure:
    """Return the 95th percentile of the time that rules add to a call, in a home of 1,000.

    Each call is judged with rules and without, one right after the other, in the processor's time, so
    that other programs on the machine do not count; beside it by the clock. Half of the rules are about
    lights, as the calls are, and none of them ends the matter, so that all are asked.
    """
    async with async_home(1000) as home:
        surroundings = RegistryLookup(home.hass)
        await surroundings.async_start()
        rules = read_rules({"rules": list(islice(_rules(home), RULES))})
        policy, null = RulePolicyEngine(rules, surroundings), NullPolicyEngine()
        asked = list(islice(_calls(home), calls))
        # Once before, as what is remembered between calls is in a home that runs.
        judged = sum(len(policy.validate(*call)) for call in asked[:20])
        gc.collect()
        gc.freeze()
        times = [(_took(null, *call), _took(policy, *call)) for call in asked]
        gc.unfreeze()
    added = [with_rules.processor - without.processor for without, with_rules in times]
    by_the_clock = [with_rules.clock - without.clock for without, with_rules in times]
    return Figure(
        value=percentile(added, 95) * 1000,
        limit=ADDED_MS,
        unit="ms",
        details={
            "p50": median(added) * 1000,
            "most": max(added) * 1000,
            "p50_by_the_clock": median(by_the_clock) * 1000,
            "p95_by_the_clock": percentile(by_the_clock, 95) * 1000,
            "without_rules_p50": median(without.processor for without, _ in times) * 1000,
            "with_rules_p50": median(with_rules.processor for _, with_rules in times) * 1000,
            "calls": calls,
            "rules": RULES,
            "targets": TARGETS,
            "verdicts_of_a_call": judged / min(20, calls),
        },
    )


def _took(policy: PolicyEngine, call: ToolCall, interaction: Interaction) -> Seconds:
    """Return how long a policy engine takes for a call."""
    started = Seconds.now()
    policy.validate(call, interaction)
    return Seconds.now() - started


def _calls(home: Home) -> Iterator[tuple[ToolCall, Interaction]]:
    """Yield calls for so many lights, each time others, with all that can be asked of them."""
    ids = sorted(home.hass.states.async_entity_ids("light"))
    interaction = Interaction(
        id="1",
        session_id="1",
        text="dim the lights",
        language="en",
        user_id="somebody",
        at=dt_util.now(),
        count=TARGETS,
    )
    data: tuple[Mapping[str, Any], ...] = (
        {"brightness_pct": 55},
        {"brightness_step_pct": 20},
        {"color_name": "blue"},
        {},
    )
    for number, fields in enumerate(cycle(data)):
        first = number * 7 % (len(ids) - TARGETS)
        call = ToolCall(
            action="light.turn_on", targets=tuple(ids[first : first + TARGETS]), data=dict(fields)
        )
        yield call, interaction


def _rules(home: Home) -> Iterator[dict[str, Any]]:
    """Yield rules of all kinds that are about nothing that is called, but for a limit in some rooms."""
    rooms = cycle(home.rooms)
    matches: Iterator[dict[str, Any]] = cycle(
        (
            {"domain": "light", "label": "not for guests"},
            {"domain": "climate", "parameters": {"temperature": {"above": 24}}},
            {"action": "light.*", "parameters": {"brightness_pct": {"above": 100}}},
            {"action": "intent.HassStartTimer", "parameters": {"hours": {"above": 3}}},
            {"entity": ["light.nobodys_*", "switch.nobodys_*"]},
            {"domain": "media_player", "time": {"after": "22:00", "before": "06:00"}},
            {"domain": "light", "user": "Anna", "not": {"area": "Nursery"}},
            {"domain": ["lock", "cover"], "satellite": "any"},
            {"domain": "light", "any": [{"floor": "Attic"}, {"area": ["Shed", "Barn"]}]},
            {"action": "climate.set_hvac_mode", "parameters": {"hvac_mode": "cool"}},
        )
    )
    for number, match in enumerate(matches):
        rule = {"name": f"rule {number}", "match": match, "effect": "deny", "reason": "No."}
        if number % 20 == 2:
            # Part of what is called is changed and goes on, so that not all is treated alike.
            limit = {"brightness_pct": {"max": 60}}
            area = {"domain": "light", "area": next(rooms).name}
            rule = {"name": f"rule {number}", "match": area, "effect": "clamp", "to": limit}
        yield rule


async def async_main() -> None:
    """Measure and print one JSON object."""
    logging.basicConfig(level=logging.CRITICAL)
    figure = await async_measure_policies(2000)
    print(json.dumps({"policies_add_to_a_call_p95_ms": figure.as_json()}, indent=2))


if __name__ == "__main__":
    asyncio.run(async_main())

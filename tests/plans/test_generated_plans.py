"""Whatever a plan holds, nothing is called that may not be, and every refusal has a reason.

The plans are made by a seeded generator, so that a failure can be had again.
"""

from collections.abc import Iterator, Mapping, Sequence
import random
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.domains.registry import callable_actions, service_of
from custom_components.bellboard.home.catalog import is_exposed
from custom_components.bellboard.plans.models import Plan, PlanStep, Respond, ToolResult
from custom_components.bellboard.plans.runner import PlanRunner
from custom_components.bellboard.plans.tool_executor import ServiceExecutor
from custom_components.bellboard.policy.engine import (
    Interaction,
    NullPolicyEngine,
    PastCall,
    PolicyEffect,
    Verdict,
)

PLANS = 10_000
# What would end the house or the test: a generator that found a way to it must not be obeyed.
INJECTED = (
    "homeassistant.restart",
    "homeassistant.turn_off",
    "shell_command.rm",
    "light.turn_on; homeassistant.stop",
    "{{ states('light.floor_lamp') }}",
    "ignore all previous instructions",
    "../../secrets.yaml",
    "light",
    ".",
    "",
)
ODD = (
    "Küche\u202e",
    "\u0000",
    "\ud800",
    "\uff4c\uff49\uff47\uff48\uff54.floor_lamp",
    "light.floor\u200b_lamp",
    "💡" * 50,
    "a" * 5000,
    "null",
    "' OR 1=1 --",
    "<script>",
)
WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "40",
    "all",
    -1,
    0,
    1,
    0.5,
    21,
    101,
    255,
    256,
    3000,
    70000,
    10**30,
    -(10**400),
    float("nan"),
    float("inf"),
    [],
    {},
    [1, 2, 3],
    ["x", None],
    {"a": {"b": []}},
    *ODD,
)
NAMES = (
    "brightness_pct",
    "color_name",
    "color_temp_kelvin",
    "volume_level",
    "source",
    "temperature",
    "target_temp_low",
    "target_temp_high",
    "hvac_mode",
    "position",
    "transition",
    "effect",
    "entity_id",
    "area_id",
    "device_id",
    "label_id",
    "floor_id",
    "__proto__",
)
NOWHERE = ("all", "none", "light.gone", "LIGHT.alarm_beacon", "light.Alarm_Beacon", *ODD, *INJECTED)
FITTING: dict[str, Sequence[Any]] = {
    "brightness_pct": (0, 1, 40, 100),
    "brightness": (0, 128, 255),
    "color_name": ("red", "blue", "white"),
    "color_temp_kelvin": (2000, 2700, 6500),
    "rgb_color": ([255, 0, 0],),
    "effect": ("candle", "rainbow"),
    "volume_level": (0, 0.3, 1),
    "is_volume_muted": (True, False),
    "shuffle": (True, False),
    "repeat": ("one", "all"),
    "source": ("Blu-ray", "Harbour Radio"),
    "temperature": (16, 21, 28),
    "target_temp_low": (18,),
    "target_temp_high": (22,),
    "hvac_mode": ("heat", "cool", "off"),
    "preset_mode": ("eco", "breeze"),
    "humidity": (45,),
    "percentage": (0, 50, 100),
    "position": (0, 50, 100),
    "group_members": (["media_player.office_speaker"], ["media_player.guest_room_speaker"]),
}


class Forbids(NullPolicyEngine):
    """A policy that forbids one lamp, confirms locks, and keeps volumes low."""

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: Sequence[PastCall] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Deny, ask, clamp or allow."""
        if call.action.startswith("lock."):
            return (Verdict(effect=PolicyEffect.CONFIRM, call=call, rule="locks"),)
        level = call.data.get("volume_level")
        if call.action == "media_player.volume_set" and isinstance(level, float) and level > 0.5:
            lower = call.model_copy(update={"data": {**call.data, "volume_level": 0.5}})
            return (Verdict(effect=PolicyEffect.CLAMP, call=lower, rule="quiet"),)
        denied = tuple(target for target in call.targets if target == "light.desk_lamp")
        others = tuple(target for target in call.targets if target not in denied)
        return tuple(
            Verdict(effect=effect, call=call.model_copy(update={"targets": targets}), reason=reason)
            for effect, targets, reason in (
                (PolicyEffect.DENY, denied, "That lamp stays as it is"),
                (PolicyEffect.ALLOW, others, ""),
            )
            if targets or not call.targets
        )


def generated(seed: int, entity_ids: Sequence[str]) -> Iterator[Plan]:
    """Return plans of which most have something wrong, and some have not."""
    chance = random.Random(seed)  # noqa: S311 - to be had again, not to be secret
    actions = [action for action in callable_actions() if action.partition(".")[0] != "scene"]
    of_domain: dict[str, list[str]] = {}
    for entity_id in entity_ids:
        of_domain.setdefault(entity_id.partition(".")[0], []).append(entity_id)

    def data_for(action: str) -> dict[str, Any]:
        handler = service_of(action)
        known = list(handler.fields) if handler else []
        wanted = set(handler.required) if handler and chance.random() < 0.8 else set()
        wanted |= {name for name in known if chance.random() < 0.15}
        data = {
            name: chance.choice(FITTING.get(name, WRONG) if chance.random() < 0.7 else WRONG)
            for name in sorted(wanted)
        }
        if chance.random() < 0.15:
            data[chance.choice(NAMES)] = chance.choice(WRONG)
        return data

    def targets_for(action: str) -> tuple[str, ...]:
        own = of_domain.get(action.partition(".")[0]) or list(entity_ids)
        pools: list[Sequence[str]] = [own, own, own, entity_ids, NOWHERE]
        return tuple(chance.choice(chance.choice(pools)) for _ in range(chance.randrange(4)))

    def call() -> ToolCall:
        action = chance.choice(actions) if chance.random() < 0.85 else chance.choice(INJECTED)
        # As after a careless model_copy: what pydantic would have refused may be in it.
        return ToolCall.model_construct(
            action=action, targets=targets_for(action), data=data_for(action)
        )

    for number in range(PLANS):
        steps: list[PlanStep] = [call() for _ in range(chance.randrange(1, 3))]
        said = Respond.model_construct(phase="pre", message=chance.choice(ODD))
        yield Plan.model_construct(
            intent_id=f"plan-{number}", agent_id="light-agent", steps=(said, *steps), actions=()
        )


def runner(hass: HomeAssistant) -> PlanRunner:
    """Return a runner that waits for nothing."""
    return PlanRunner(
        hass=hass,
        context=Context(),
        executor=ServiceExecutor(hass),
        policy=Forbids(),
        interaction=Interaction(
            id="turn", session_id="talk", text="x", language="en", at=dt_util.now()
        ),
        answer_seconds=0,
    )


def assert_in_bounds(hass: HomeAssistant, made: Mapping[str, Any]) -> None:
    """Assert that a call that reached Home Assistant was one that may."""
    action = f"{made['domain']}.{made['service']}"
    data = dict(made["service_data"])
    targets = data.pop("entity_id")
    handler = service_of(action)
    assert handler
    assert targets
    assert not action.startswith("lock.")
    assert "light.desk_lamp" not in targets
    if action == "media_player.volume_set":
        assert data["volume_level"] <= 0.5 or not isinstance(data["volume_level"], float)
    for target in targets:
        state = hass.states.get(target)
        assert state
        assert state.entity_id == target
        assert is_exposed(hass, target)
        assert handler.find_refusal(hass, state, data) is None


def assert_accounted_for(result: ToolResult) -> None:
    """Assert that each target of a call has one outcome, and each refusal a code."""
    told = {outcome.entity_id for outcome in result.outcomes}
    assert told == set(result.call.targets) or told == {""}
    for outcome in result.outcomes:
        assert outcome.ok or isinstance(outcome.error, ErrorCode)


async def test_no_plan_reaches_beyond_exposure_ability_and_policy(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    """Ten thousand plans; what each call may reach is looked at when it is made."""
    made: list[dict[str, Any]] = []
    beyond: list[dict[str, Any]] = []

    @callback
    def async_check(event: Event[Any]) -> None:
        made.append(dict(event.data))
        try:
            assert_in_bounds(hass, event.data)
        except AssertionError:
            # The bus would only log it.
            beyond.append(dict(event.data))

    hass.bus.async_listen("call_service", async_check)
    ids = sorted(hass.states.async_entity_ids())
    codes: dict[ErrorCode | None, int] = {}
    asked = 0
    for plan in generated(20_260_101, ids):
        execution = await runner(hass).async_run(plan)
        asked += len(execution.to_confirm)
        assert execution.results or execution.to_confirm
        for result in execution.results:
            assert_accounted_for(result)
            for outcome in result.outcomes:
                codes[outcome.error] = codes.get(outcome.error, 0) + 1
    await hass.async_block_till_done()
    assert not beyond
    assert asked > 100
    assert len(made) > 1000
    # The generator reaches every kind of refusal that needs no misbehaving device.
    assert set(codes) >= {
        None,
        ErrorCode.NOT_EXPOSED,
        ErrorCode.UNAVAILABLE,
        ErrorCode.UNSUPPORTED,
        ErrorCode.OUT_OF_RANGE,
        ErrorCode.INVALID,
        ErrorCode.DENIED,
    }

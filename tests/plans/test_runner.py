"""A plan is run step by step; each step is told, timed, checked and seen."""

from datetime import UTC, datetime

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, State
import pytest

from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.plans.execution import PlanExecution, PlanObserver, StepStatus
from custom_components.bellboard.plans.models import AskUser, Plan, PlanStep, Respond, ToolResult
from custom_components.bellboard.plans.runner import PlanRunner
from custom_components.bellboard.plans.tool_executor import ServiceExecutor
from custom_components.bellboard.policy.engine import (
    Interaction,
    NullPolicyEngine,
    PolicyEffect,
    PolicyEngine,
    Verdict,
)
from tests.plans.conftest import Misbehave

LAMP = "light.floor_lamp"
ON = ToolCall(action="light.turn_on", targets=(LAMP,))
BLINDS = ToolCall(action="cover.close_cover", targets=("cover.living_room_blinds",))


class Watching(PlanObserver):
    """Notes what it is told, in order."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.told: list[str] = []
        self.before: dict[str, State] = {}

    def planned(self, execution: PlanExecution) -> None:
        """Note it."""
        self.told.append("planned")

    def communicated(self, plan: Plan, message: str) -> None:
        """Note it."""
        self.told.append(f"communicated {message}")

    def checked(self, plan: Plan, verdict: Verdict) -> None:
        """Note it."""
        self.told.append(f"checked {verdict.effect}")

    def executed(self, plan: Plan, result: ToolResult) -> None:
        """Note it."""
        self.told.append(f"executed {result.ok}")

    def changed(self, before: dict[str, State]) -> None:
        """Note it."""
        self.before |= before


class Always(NullPolicyEngine):
    """A policy that says the same of every call."""

    def __init__(self, effect: PolicyEffect) -> None:
        """Take what it says."""
        self.effect = effect

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: object = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> list[Verdict]:
        """Say it."""
        effect = PolicyEffect.ALLOW if "always" in confirmed else self.effect
        return [Verdict(effect=effect, call=call, rule="always", reason="Because.")]


def runner(
    hass: HomeAssistant,
    policy: PolicyEngine | None = None,
    *,
    dry_run: bool = False,
    seconds: float = 0.1,
) -> PlanRunner:
    """Return a runner that is watched."""
    return PlanRunner(
        hass=hass,
        context=Context(),
        executor=ServiceExecutor(hass),
        policy=policy or NullPolicyEngine(),
        interaction=Interaction(
            id="turn", session_id="talk", text="", language="en", at=datetime.now(UTC)
        ),
        observer=Watching(),
        dry_run=dry_run,
        answer_seconds=seconds,
    )


def plan(*calls: ToolCall) -> Plan:
    """Return a plan with words before and after its calls."""
    steps: tuple[PlanStep, ...] = (Respond(phase="pre", message="Now."), *calls, Respond())
    return Plan(intent_id="test", agent_id="light-agent", steps=steps)


def statuses(execution: PlanExecution) -> list[str]:
    """Return where each step stands."""
    return [entry.status.value for entry in execution.steps]


async def test_each_step_is_told_and_timed(hass: HomeAssistant, house: ConfigEntry) -> None:
    run = runner(hass)
    execution = await run.async_run(plan(ON))
    assert isinstance(run.observer, Watching)
    assert run.observer.told == [
        "planned",
        "communicated Now.",
        "checked allow",
        "executed True",
    ]
    assert statuses(execution) == ["completed", "completed", "pending"]
    execution.mark_responded()
    assert statuses(execution) == ["completed", "completed", "completed"]
    for entry in execution.steps:
        assert entry.started_at
        assert entry.ended_at
        assert entry.started_at <= entry.ended_at
    assert run.observer.before[LAMP].state == "off"
    assert execution.ok


async def test_a_step_that_failed_says_so_and_the_next_is_taken(
    hass: HomeAssistant, house: ConfigEntry, misbehave: Misbehave
) -> None:
    misbehave(LAMP, "ignore")
    other = ToolCall(action="light.turn_off", targets=("light.kitchen_ceiling",))
    execution = await runner(hass).async_run(plan(ON, other))
    assert statuses(execution) == ["completed", "failed", "completed", "pending"]
    assert not execution.ok


async def test_a_question_ends_a_plan(hass: HomeAssistant, house: ConfigEntry) -> None:
    asking = AskUser(param="target", prompt="Which one?")
    execution = await runner(hass).async_run(
        Plan(intent_id="test", agent_id="light-agent", steps=(asking, ON))
    )
    assert statuses(execution) == ["in_progress", "pending"]
    assert not execution.results


@pytest.mark.parametrize("call", [ON, BLINDS])
@pytest.mark.parametrize("effect", [PolicyEffect.DENY, PolicyEffect.CONFIRM])
async def test_what_may_not_be_done_is_not_done(
    hass: HomeAssistant, house: ConfigEntry, effect: PolicyEffect, call: ToolCall
) -> None:
    done: list[str] = []

    async def do() -> bool:
        done.append("done")
        return True

    before = hass.states.get(call.targets[0])
    for execution in (
        await runner(hass, Always(effect)).async_run(plan(call)),
        await runner(hass, Always(effect)).async_hand_over(plan(call), do),
    ):
        await hass.async_block_till_done()
        assert hass.states.get(call.targets[0]) == before
        assert not done
        assert not execution.ok
        if effect is PolicyEffect.DENY:
            [result] = execution.results
            assert [(o.error, o.detail) for o in result.outcomes] == [
                (ErrorCode.DENIED, "Because.")
            ]
            assert statuses(execution)[1] == "failed"
        else:
            assert [verdict.call for verdict in execution.to_confirm] == [call]
            assert execution.steps[1].status is not StepStatus.COMPLETED


async def test_what_was_confirmed_is_done(hass: HomeAssistant, house: ConfigEntry) -> None:
    execution = await runner(hass, Always(PolicyEffect.CONFIRM)).async_run(
        plan(ON), confirmed=frozenset({"always"})
    )
    assert execution.ok
    state = hass.states.get(LAMP)
    assert state
    assert state.state == "on"


async def test_values_of_others_cannot_be_changed_so_they_are_denied(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    async def do() -> bool:
        raise AssertionError

    execution = await runner(hass, Always(PolicyEffect.CLAMP)).async_hand_over(plan(BLINDS), do)
    assert execution.results[0].outcomes[0].error is ErrorCode.DENIED


async def test_a_dry_run_only_says_what_it_would_do(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    async def do() -> bool:
        raise AssertionError

    run = runner(hass, dry_run=True)
    assert (await run.async_run(plan(ON))).dry_run_calls == [ON]
    assert (await run.async_hand_over(plan(BLINDS), do)).dry_run_calls == [BLINDS]
    state = hass.states.get(LAMP)
    assert state
    assert state.state == "off"


async def test_what_others_say_they_did_is_seen(hass: HomeAssistant, house: ConfigEntry) -> None:
    """Nothing happened, whatever they say; of what only assumes its state nobody can tell."""

    async def do() -> bool:
        return True

    lamp = ToolCall(action="light.turn_on", targets=(LAMP,))
    execution = await runner(hass).async_hand_over(plan(lamp), do)
    assert [o.error for o in execution.results[0].outcomes] == [ErrorCode.NO_ANSWER]
    hass.states.async_set("light.assumed", "off", {"assumed_state": True})
    assumed = ToolCall(action="light.turn_on", targets=("light.assumed",))
    execution = await runner(hass).async_hand_over(plan(assumed), do)
    assert execution.ok


async def test_what_others_do_is_told_step_by_step_too(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    async def do() -> bool:
        await hass.services.async_call("light", "turn_on", {"entity_id": LAMP}, blocking=True)
        return True

    run = runner(hass)
    execution = await run.async_hand_over(plan(ON), do)
    assert isinstance(run.observer, Watching)
    assert run.observer.told == [
        "planned",
        "communicated Now.",
        "checked allow",
        "executed True",
    ]
    assert statuses(execution) == ["completed", "completed", "pending"]


async def test_what_others_could_not_do_failed(hass: HomeAssistant, house: ConfigEntry) -> None:
    async def do() -> bool:
        return False

    execution = await runner(hass).async_hand_over(plan(BLINDS), do)
    assert [o.error for o in execution.results[0].outcomes] == [ErrorCode.FAILED]


async def test_the_turn_counts_what_all_its_plans_reach(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    counts: list[int] = []

    class Counting(NullPolicyEngine):
        def validate(
            self,
            call: ToolCall,
            interaction: Interaction,
            history: object = (),
            *,
            confirmed: frozenset[str] = frozenset(),
        ) -> list[Verdict]:
            counts.append(interaction.count)
            return [Verdict(effect=PolicyEffect.ALLOW, call=call)]

    run = runner(hass, Counting())
    await run.async_run(plan(ON, ToolCall(action="light.turn_off", targets=("light.desk_lamp",))))
    await run.async_run(plan(ON, BLINDS))
    assert counts == [2, 2, 3, 3]

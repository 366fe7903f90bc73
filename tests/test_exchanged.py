"""Planner, executor, registries, memory: each is exchanged in one line, and a turn goes by what stands there then."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant, ServiceResponse
import pytest

import custom_components.bellboard as integration
from custom_components.bellboard import assistant
from custom_components.bellboard.agents.base import Agent, AgentRequest, AgentResult
from custom_components.bellboard.agents.device_planner import ModelPlan, ModelStep, Planner
from custom_components.bellboard.agents.dispatch import AgentRegistry
from custom_components.bellboard.agents.eligibility import IntentsRegistry, SpeakerContext
from custom_components.bellboard.agents.models import AgentCard, Eligibility
from custom_components.bellboard.agents.offered_actions import Offer
from custom_components.bellboard.domains.models import Command, ErrorCode, ToolCall
from custom_components.bellboard.domains.table import Domain
from custom_components.bellboard.llm.models import Message
from custom_components.bellboard.memory.conversations import Conversations
from custom_components.bellboard.memory.models import TaskContext, TaskState, TaskStore
from custom_components.bellboard.plans.models import Outcome, ToolResult
from custom_components.bellboard.plans.tool_executor import ToolExecutor
from tests.agents.conftest import planning
from tests.capable import brain
from tests.conftest import Setup
from tests.satellites import satellites_in

LAMP, DESK = "light.floor_lamp", "light.desk_lamp"


class OnPaper:
    """An executor that writes calls down, and has one lamp that never answers."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.calls: list[ToolCall] = []
        self.requests: list[str] = []

    async def async_execute(
        self,
        call: ToolCall,
        context: Context,
        answer_seconds: float = 2.0,
        deadline: float | None = None,
    ) -> ToolResult:
        self.calls.append(call)
        errors = {DESK: ErrorCode.NO_ANSWER}
        return ToolResult(call, tuple(Outcome(each, errors.get(each)) for each in call.targets))

    async def async_request(
        self, action: str, data: Mapping[str, Any], context: Context
    ) -> ServiceResponse:
        self.requests.append(action)
        return {}


async def test_an_executor_of_ones_own_makes_all_calls(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor: ToolExecutor = (own := OnPaper(hass))
    monkeypatch.setattr(assistant, "ServiceExecutor", lambda _: executor)
    speaker = await speak()
    said = await speaker.say("turn on the floor lamp and turn off the desk lamp")
    assert [(call.action, call.targets) for call in own.calls] == [
        ("light.turn_on", (LAMP,)),
        ("light.turn_off", (DESK,)),
    ]
    assert said.reply == "Turned on Floor Lamp. However, Desk Lamp did not respond."
    assert (said.calls, said.changes) == ([], {}), "nothing goes by another way"
    hass.states.async_set("weather.home", "sunny", {"supported_features": 1})
    async_expose_entity(hass, "conversation", "weather.home", should_expose=True)
    said = await speaker.say("what will the weather be like tomorrow?")
    assert own.requests == ["weather.get_forecasts"]
    assert not said.calls
    own.calls.clear()
    satellites = satellites_in(hass, "Kitchen", "Bedroom")
    await speaker.say("announce in the bedroom: food is ready", area="Kitchen")
    assert [call.action for call in own.calls] == ["assist_satellite.announce"]
    assert not satellites.heard
    own.calls.clear()
    said = await speaker.say("set a timer for 5 minutes", area="Kitchen")
    assert own.calls == [], "what Home Assistant's own agent does is handed over"
    assert len(hass.data["intent.timer"].timers) == 1, said.reply


class OneLamp:
    """A planner that turns on the floor lamp, whatever is said, and asks no model."""

    async def async_choose(
        self,
        request: AgentRequest,
        prompt: Sequence[Message],
        *,
        actions: Sequence[Offer],
        targets: Mapping[str, str],
        most: int,
    ) -> list[Command]:
        return [Command("turn_on")]

    async def async_plan(
        self,
        request: AgentRequest,
        tables: Sequence[Domain],
        instructions: str = "",
        *,
        before: Sequence[Message] = (),
    ) -> ModelPlan:
        [action] = [each for each in tables[0].actions if each.name == "turn_on"]
        return ModelPlan((ModelStep(action, {}, (LAMP,)),))


@pytest.mark.parametrize("contract", ["small", "capable"])
async def test_a_planner_of_ones_own_plans(
    speak: Setup, monkeypatch: pytest.MonkeyPatch, *, contract: str
) -> None:
    planner: Planner = OneLamp()
    monkeypatch.setattr(assistant, "ModelPlanner", lambda: planner)
    text = "I could do with the floor lamp"
    answer = planning("light") if contract == "small" else brain(("light", text))
    speaker = await speak(answer, contract=contract)
    said = await speaker.say(text)
    assert said.changes.keys() == {LAMP}
    assert said.reply == "Turned on Floor Lamp."
    assert speaker.model
    assert len(speaker.model.requests) == 1, "the model chose the agent, and planned nothing"
    said = await speaker.say("turn off the desk lamp")
    assert said.changes.keys() == {DESK}, "what is read without a model is the table's"


class Butler:
    """An agent that answers everything."""

    card = AgentCard(id="butler-agent", name="Butler", description="Answers.", reaches_all=True)

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        return AgentResult(success=True, content="Very good, sir.")


class OnlyTheButler:
    """A registry in which one agent stands for all others."""

    def __init__(self, agents: Iterable[Agent] = ()) -> None:
        self.butler: Agent = Butler()
        self.others = list(agents)

    def __iter__(self) -> Iterator[Agent]:
        return iter((self.butler,))

    def register(self, agent: Agent) -> None:
        self.others.append(agent)

    def deregister(self, agent_id: str) -> None:
        self.others = [each for each in self.others if each.card.id != agent_id]

    def get(self, agent_id: str) -> Agent | None:
        return self.butler

    def agent_for(self, agent_id: str) -> Agent:
        return self.butler

    def cards(self, domains: Iterable[str]) -> list[AgentCard]:
        return [self.butler.card]


async def test_a_registry_of_ones_own_says_who_answers(
    speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry: AgentRegistry = OnlyTheButler()
    monkeypatch.setattr(assistant, "AgentsById", lambda _: registry)
    speaker = await speak()
    said = await speaker.say("turn on the floor lamp")
    assert (said.reply, said.changes) == ("Very good, sir.", {})


class NoLampsOfAnybody:
    """A registry of intents that bars the lights from whoever speaks."""

    def __init__(self) -> None:
        self.asked: list[SpeakerContext] = []

    def eligibility(self, surroundings: SpeakerContext) -> Eligibility:
        self.asked.append(surroundings)
        return Eligibility(barred_agents=frozenset({"light-agent"}))


async def test_a_registry_of_intents_of_ones_own_says_who_is_eligible(
    speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    intents: IntentsRegistry = (own := NoLampsOfAnybody())
    monkeypatch.setattr(assistant, "IntentsByRules", lambda _: intents)
    speaker = await speak()
    said = await speaker.say("turn on the floor lamp", area="Office")
    assert (said.reply, said.calls) == ("I can't do that here.", [])
    assert {asked.area_id for asked in own.asked} == {"office"}
    said = await speaker.say("turn on the coffee machine", area="Office")
    assert list(said.changes) == ["switch.coffee_machine"]


class InADictionary:
    """A store of tasks, for as long as the test lasts."""

    shared = False

    def __init__(self) -> None:
        self.tasks: dict[str, bytes] = {}
        self.states: list[TaskState] = []

    async def async_load(self) -> list[TaskContext]:
        return []

    async def async_get(self, session_id: str) -> TaskContext | None:
        written = self.tasks.get(session_id)
        return TaskContext.model_validate_json(written) if written else None

    async def async_get_task(self, task_id: str) -> TaskContext | None:
        return None

    async def async_save(self, task: TaskContext, *, durable: bool, beside: bool = False) -> None:
        self.tasks[task.session_id] = task.model_dump_json().encode()
        self.states.append(task.state)

    async def async_move(self, task: TaskContext, former_id: str) -> None:
        self.tasks[task.session_id] = self.tasks.pop(former_id)

    async def async_forget(self, session_id: str | None = None) -> int:
        return 0

    async def async_close(self) -> None:
        pass


async def test_a_memory_of_ones_own_keeps_the_question(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: TaskStore = (own := InADictionary())

    async def async_open(*_: Any) -> Conversations:
        return Conversations(store)

    monkeypatch.setattr(integration, "async_open_conversations", async_open)
    speaker = await speak()
    asked = await speaker.say("turn off the bedside lamp")
    assert asked.result.continue_conversation
    assert own.states[-1:] == [TaskState.INPUT_REQUIRED]
    # Nothing of it is anywhere else: after a restart the answer is read from the store.
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    said = await speaker.say("the left one")
    assert said.changes.keys() == {"light.left_bedside_lamp"}
    assert own.states[-1:] == [TaskState.COMPLETED]

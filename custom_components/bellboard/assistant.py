"""An assistant: options, models, agents, routers and stores, created from its subentry."""

from dataclasses import dataclass, field
import logging

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.hass_dict import HassKey

from .agents.base import Agent, AgentModel
from .agents.climate import ClimateAgent
from .agents.device_planner import ModelPlanner, Planner
from .agents.dispatch import AgentRegistry, AgentsById
from .agents.eligibility import IntentsByRules, IntentsRegistry
from .agents.fallback import ClarificationAgent, FallbackAgent
from .agents.general import GeneralAgent
from .agents.home import HomeAgent
from .agents.light import LightAgent
from .agents.music import MusicAgent
from .agents.specialist import Specialist
from .connections.model_roles import Models
from .const import CLARIFICATION_AGENT_ID, DOMAIN, FALLBACK_AGENT_ID
from .home.catalog import CatalogSource
from .llm.ability import Contract
from .llm.client import ModelClient, server_of
from .memory.conversations import Conversations
from .memory.delayed import DelayedCommands
from .memory.habits import Habits
from .memory.lessons import LearnedDecisions
from .nlu.moment_times import HomeClock
from .options import AssistantOptions, WorkflowOptions
from .plans.tool_executor import ServiceExecutor, ToolExecutor
from .policy.engine import NullPolicyEngine, PolicyEngine
from .policy.file import DATA_POLICY
from .routing.clock import home_clock
from .routing.conditions import ConditionRouter
from .routing.gatekeeper import GatekeeperRouter
from .routing.gatekeeper_client import GatekeeperClient, GatekeeperSettingError
from .routing.guard import GuardRouter
from .routing.learned import LearnedRouter
from .routing.llm import ModelPlace, ModelRouter
from .routing.model_schedule import AwaitedApartRouter, ModelScheduleRouter, UnreadScheduleRouter
from .routing.partly_read import PartlyReadRouter
from .routing.raining import RainRouter
from .routing.reading import ReadingRouter
from .routing.reflex import ReflexRouter
from .routing.router import Cascade, Router
from .routing.scheduled import ScheduleRouter
from .routing.sentence_triggers import SentenceTriggerRouter
from .routing.vocabulary import VocabularyRouter
from .routing.yielding import YieldingRouter
from .telemetry.sinks import Telemetry
from .telemetry.statistics import ModelStatistics, RoutingStatistics, SuccessRates, TrialComparison
from .telemetry.trace import Prices, TraceBuffer

_LOGGER = logging.getLogger(__name__)

DATA_CATALOG: HassKey[CatalogSource] = HassKey(f"{DOMAIN}_catalog")
"""The catalog of the home, one for all assistants."""

_DATA_OBSERVATIONS: HassKey[dict[str, AssistantStatistics]] = HassKey(f"{DOMAIN}_observations")
_DATA_READER: HassKey[ReadingRouter] = HassKey(f"{DOMAIN}_reader")
_DATA_WITHOUT_LOGPROBS: HassKey[set[ModelPlace]] = HassKey(f"{DOMAIN}_without_logprobs")
"""The models without log-probabilities, known to all assistants until a restart."""

SPECIALISTS: tuple[type[Specialist], ...] = (
    LightAgent,
    MusicAgent,
    ClimateAgent,
)
"""The specialists, in the order in which routers name them."""

# Never offered to a router: they answer when it chose nobody.
UNROUTED_AGENTS = frozenset({FALLBACK_AGENT_ID, CLARIFICATION_AGENT_ID})


@dataclass(frozen=True, slots=True)
class AssistantStatistics:
    """An assistant's track record, traces, statistics, comparison of router variants, and figures of its models."""

    record: SuccessRates = field(default_factory=SuccessRates)
    traces: TraceBuffer = field(default_factory=TraceBuffer)
    statistics: RoutingStatistics = field(default_factory=RoutingStatistics)
    trial: TrialComparison = field(default_factory=TrialComparison)
    models: ModelStatistics = field(default_factory=ModelStatistics)


@callback
def observations_of(hass: HomeAssistant, assistant_id: str) -> AssistantStatistics:
    """Return the observations of an assistant since Home Assistant started."""
    return hass.data.setdefault(_DATA_OBSERVATIONS, {}).setdefault(
        assistant_id, AssistantStatistics()
    )


@callback
def forget_observations(hass: HomeAssistant, assistant_id: str) -> None:
    """Forget the observations of an assistant that was removed."""
    hass.data.get(_DATA_OBSERVATIONS, {}).pop(assistant_id, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """One conversation agent of Home Assistant, with all that its turns use."""

    hass: HomeAssistant
    catalog: CatalogSource
    models: Models
    options: AssistantOptions
    registry: AgentRegistry
    intents: IntentsRegistry
    planner: Planner
    executor: ToolExecutor
    router: Cascade
    reader: ReadingRouter
    tasks: Conversations
    telemetry: Telemetry
    lessons: LearnedDecisions
    habits: Habits
    delayed: DelayedCommands
    gatekeeper: GatekeeperClient | None = None
    observations: AssistantStatistics = field(default_factory=AssistantStatistics)

    @property
    def record(self) -> SuccessRates:
        """Return the success rate of its agents."""
        return self.observations.record

    @property
    def traces(self) -> TraceBuffer:
        """Return the traces of its last turns."""
        return self.observations.traces

    @property
    def statistics(self) -> RoutingStatistics:
        """Return the figures of its routing decisions since the connection was set up."""
        return self.observations.statistics

    @property
    def policy(self) -> PolicyEngine:
        """Return the policies in force."""
        return self.hass.data.get(DATA_POLICY) or NullPolicyEngine()

    @property
    def clock(self) -> HomeClock:
        """Return the house's clock as it is now, with the parts of the day as the options set them."""
        return home_clock(self.hass, self.options.day.parts)

    @property
    def specialists(self) -> dict[str, Specialist]:
        """Return the agents that can carry out a known action of their domain, by their ids."""
        return {agent.card.id: agent for agent in self.registry if isinstance(agent, Specialist)}

    @property
    def model(self) -> ModelClient | None:
        """Return the model that plans and talks, or None without a model."""
        return self.models.main

    @property
    def prices(self) -> Prices:
        """Return the prices of its own model, or without one of that which routes for it."""
        model, options = self.model or self.models.routing, self.options
        if model is None:
            return Prices()
        place = (model.provider, server_of(model), model.model)
        return Prices(place, options.prompt_price, options.completion_price)

    @property
    def has_capable_model(self) -> bool:
        """Return whether the assistant's model plans by itself, or that of one of its agents."""
        own = (self.own_model_of(agent.card.id) for agent in self.registry)
        return self.models.is_capable or any(
            model.contract is Contract.CAPABLE for model in own if model
        )

    def own_model_of(self, agent_id: str) -> AgentModel | None:
        """Return the model of an agent's own, None where the assistant's plans for it."""
        agent = self.registry.get(agent_id)
        # Asked a few times a turn: looking whether it has all of a protocol takes long.
        model: AgentModel | None = getattr(agent, "model", None)
        return model


def create_assistant(
    hass: HomeAssistant,
    models: Models,
    options: AssistantOptions,
    *,
    tasks: Conversations,
    telemetry: Telemetry,
    lessons: LearnedDecisions,
    habits: Habits,
    delayed: DelayedCommands,
    observations: AssistantStatistics,
) -> Assistant:
    """Return the assistant for a subentry's options.

    The model that routes may belong to another connection: an assistant without a main model has no
    general agent, and its specialists do what is understood without one, but a model routes all the same.
    """
    observations.trial.begin(options.router.trial_model, options.router.trial_prompt)
    agents: list[Agent] = [*(specialist() for specialist in SPECIALISTS), HomeAgent()]
    catalog = hass.data[DATA_CATALOG]
    # One for all assistants: its indexes of the home are.
    reader = hass.data.setdefault(_DATA_READER, ReadingRouter(hass, catalog))
    readers: list[Router] = [
        ReflexRouter(hass, reader),
        reader,
        RainRouter(hass, catalog),
    ]
    conditions = ConditionRouter(hass, catalog, reader)
    schedules = ScheduleRouter(hass, conditions, readers, options.day.parts)
    routers: list[Router] = [
        LearnedRouter(hass, reader, lessons, only_corrections=True),
        AwaitedApartRouter(schedules),
        schedules,
        conditions,
        *readers,
        UnreadScheduleRouter(schedules),
        GuardRouter(hass.states.get, reader),
        YieldingRouter(hass, reader),
        SentenceTriggerRouter(hass),
    ]
    # After all that reads a sentence by itself, before all that asks a model about it.
    routers.append(LearnedRouter(hass, reader, lessons))
    gatekeeper = _gatekeeper(hass, options.workflow)
    if gatekeeper is not None:
        routers.append(GatekeeperRouter(gatekeeper))
    if models.main is not None:
        agents.append(GeneralAgent())
    if models.routing is not None:
        without_logprobs = hass.data.setdefault(_DATA_WITHOUT_LOGPROBS, set())
        routers += [VocabularyRouter(), ModelRouter(without_logprobs)]
        routers.append(ModelScheduleRouter(schedules))
    routers.append(PartlyReadRouter(reader))
    return Assistant(
        hass=hass,
        catalog=catalog,
        models=models,
        options=options,
        tasks=tasks,
        telemetry=telemetry,
        lessons=lessons,
        habits=habits,
        delayed=delayed,
        observations=observations,
        registry=AgentsById([*agents, ClarificationAgent(), FallbackAgent()]),
        intents=IntentsByRules(options.scope.rules),
        planner=ModelPlanner(),
        executor=ServiceExecutor(hass),
        router=Cascade(routers),
        reader=reader,
        gatekeeper=gatekeeper,
    )


def _gatekeeper(hass: HomeAssistant, options: WorkflowOptions) -> GatekeeperClient | None:
    """Return the client of the gatekeeper, or None where none is configured or its settings are wrong."""
    if options.strategy != "gatekeeper" or not options.gatekeeper_url:
        return None
    try:
        return GatekeeperClient(
            async_get_clientsession(hass),
            options.gatekeeper_url,
            token=options.gatekeeper_token,
            secret=options.gatekeeper_secret,
            timeout_ms=options.gatekeeper_timeout_ms,
            retry_attempts=options.gatekeeper_retry_attempts,
        )
    except GatekeeperSettingError as err:
        _LOGGER.warning("%s", err)
        return None

"""An assistant: everything a turn needs, put together from its subentry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from .agents.base import Agent
from .agents.climate import ClimateAgent
from .agents.fallback import ClarificationAgent, FallbackAgent
from .agents.general import GeneralAgent
from .agents.home import HOME_AGENT_ID, HomeAgent
from .agents.light import LightAgent
from .agents.models import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID
from .agents.music import MusicAgent
from .agents.registry import AgentRegistry
from .const import (
    CONF_CONFIDENCE_THRESHOLD,
    CONF_TIMEOUT,
    DEFAULT_CONFIDENCE_THRESHOLD,
    DEFAULT_TIMEOUT,
    DOMAIN,
)
from .home.catalog import CatalogSource
from .llm.client import ModelClient
from .llm.errors import ModelError
from .routing.cascade import Cascade
from .routing.guard import GuardRouter
from .routing.llm import ModelRouter
from .routing.reflex import ReflexRouter
from .routing.router import Router
from .routing.vocabulary import VocabularyRouter
from .tasks.store import TaskStore
from .telemetry.trace import TraceBuffer

DATA_CATALOG: HassKey[CatalogSource] = HassKey(f"{DOMAIN}_catalog")
"""The catalog of the home, one for all assistants."""

# Never chosen by a model: they answer when nobody was or could be chosen.
UNROUTED_AGENTS = frozenset({FALLBACK_AGENT_ID, CLARIFICATION_AGENT_ID})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """One conversation agent of Home Assistant, and all it works with.

    `model` is None for an assistant without a model. `timeout` is in seconds, for one model call;
    `threshold` is a confidence between 0 and 1. `on_model_error` hears of every call to the model
    that failed.
    """

    hass: HomeAssistant
    catalog: CatalogSource
    model: ModelClient | None
    registry: AgentRegistry
    router: Cascade
    timeout: float
    threshold: float
    on_model_error: Callable[[ModelError], None]
    tasks: TaskStore = field(default_factory=TaskStore)
    traces: TraceBuffer = field(default_factory=TraceBuffer)


def create_assistant(
    hass: HomeAssistant,
    model: ModelClient | None,
    options: Mapping[str, Any],
    on_model_error: Callable[[ModelError], None],
) -> Assistant:
    """Return the assistant for a subentry's options."""
    agents: list[Agent] = [LightAgent(), MusicAgent(), ClimateAgent(), HomeAgent()]
    if model is not None:
        agents.append(GeneralAgent())
    registry = AgentRegistry([*agents, ClarificationAgent(), FallbackAgent()])
    routers: list[Router] = [ReflexRouter(hass, HOME_AGENT_ID), GuardRouter()]
    if model is not None:
        routers += [VocabularyRouter(), ModelRouter()]
    return Assistant(
        hass=hass,
        catalog=hass.data[DATA_CATALOG],
        model=model,
        registry=registry,
        router=Cascade(routers, HOME_AGENT_ID),
        timeout=float(options.get(CONF_TIMEOUT, DEFAULT_TIMEOUT)),
        threshold=float(options.get(CONF_CONFIDENCE_THRESHOLD, DEFAULT_CONFIDENCE_THRESHOLD)),
        on_model_error=on_model_error,
    )

"""The routers that decide about the next steps of a turn."""

from ..agents.general import GeneralAgent
from ..agents.handover import HandOverAgent
from ..routing.next_gatekeeper import GatekeeperNextStep
from ..routing.next_grounding import Grounding
from ..routing.next_llm import LlmNextStep
from ..routing.next_router import NextStepRouter
from ..telemetry.metered import MeteredClient
from .agent_output import summarise_output
from .context import TurnContext
from .decision import routing_model, variant_of

TEXT_ONLY_AGENTS = (GeneralAgent, HandOverAgent)
"""Agents whose answer is text that a model or somebody else wrote; they call nothing by themselves."""


def create_next_step_routers(context: TurnContext) -> tuple[NextStepRouter, ...]:
    """Return the routers of next steps, in the order in which they are asked.

    A model that is unsure or fails is followed by the one for escalation, and a trial has its own, as for the
    first choice.
    """
    assistant, options = context.assistant, context.assistant.options
    routers: list[NextStepRouter] = []
    if assistant.gatekeeper is not None:
        threshold = options.router.confidence_threshold
        routers.append(
            GatekeeperNextStep(
                assistant.gatekeeper, confidence_threshold=threshold, action_of=summarise_output
            )
        )
    variant = variant_of(options.router, str(context.user_input.conversation_id))
    asked = [routing_model(assistant, variant), assistant.models.escalation]
    models = [model for model in asked if model is not None]
    routers += [
        LlmNextStep(
            MeteredClient(model, context.trace.model),
            max_iterations=options.workflow.max_iterations,
            temperature=options.workflow.temperature,
            confidence_threshold=options.router.confidence_threshold,
            max_attempts=options.router.max_attempts,
            timeout=options.routing_timeout,
            ground=_ground_of(context),
            has_next=model is not models[-1],
        )
        for model in models
    ]
    return tuple(routers)


def _ground_of(context: TurnContext) -> Grounding:
    """Return the names and numbers that an instruction may hold only if somebody else spoke of them."""
    language, catalog = context.language, context.catalog
    return Grounding(
        names=catalog.spoken_names,
        everywhere=language.everywhere | language.quantities,
        ignored=language.ignored.union(*language.vocabulary.values()),
        numbers=(language.numbers, language.amounts),
        untrusted_agents=frozenset(
            agent.card.id
            for agent in context.assistant.registry
            if isinstance(agent, TEXT_ONLY_AGENTS)
        ),
    )

"""Who decides about the next steps of a turn."""

from ..agents.general import GeneralAgent
from ..agents.handover import HandOverAgent
from ..telemetry.metered import MeteredClient
from ..workflow.gatekeeper import GatekeeperNextStep
from ..workflow.grounding import Ground
from ..workflow.llm import LlmNextStep
from ..workflow.router import NextStepRouter
from .agent_output import action_of
from .context import Turn

TALKERS = (GeneralAgent, HandOverAgent)
"""Who says what others wrote, and does nothing in the home by itself."""


def next_step_routers(turn: Turn) -> tuple[NextStepRouter, ...]:
    """Return who decides about next steps, in the order in which they are asked."""
    assistant, options = turn.assistant, turn.assistant.options
    routers: list[NextStepRouter] = []
    if assistant.gatekeeper is not None:
        threshold = options.router.confidence_threshold
        routers.append(
            GatekeeperNextStep(
                assistant.gatekeeper, confidence_threshold=threshold, action_of=action_of
            )
        )
    if (model := assistant.models.routing) is not None:
        routers.append(
            LlmNextStep(
                MeteredClient(model, turn.trace.model),
                max_iterations=options.workflow.max_iterations,
                temperature=options.workflow.temperature,
                confidence_threshold=options.router.confidence_threshold,
                max_attempts=options.router.max_attempts,
                timeout=options.routing_timeout,
                ground=_ground_of(turn),
            )
        )
    return tuple(routers)


def _ground_of(turn: Turn) -> Ground:
    """Return what an instruction may not speak of unless somebody else did."""
    language, catalog = turn.language, turn.catalog
    return Ground(
        names=catalog.spoken_names,
        everywhere=language.everywhere | language.quantities,
        ignored=language.ignored.union(*language.vocabulary.values()),
        numbers=(language.numbers, language.amounts),
        hearsay=frozenset(
            agent.card.id for agent in turn.assistant.registry if isinstance(agent, TALKERS)
        ),
    )

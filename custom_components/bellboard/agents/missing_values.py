"""Questions for a value that was not said: "set the volume of the radio" (Agent router orchestration, AskUser)."""

from ..memory.pending import SAID
from ..plans.models import AskUser, Plan
from .base import AgentRequest, AgentResult


async def async_ask_for_value(request: AgentRequest, agent_id: str, measure: str) -> AgentResult:
    """Ask for a value, named by what it measures ("brightness"), that the instruction lacks."""
    plan = value_question_plan(request, agent_id, measure)
    await request.runner.async_run(plan)
    question = plan.question
    prompt = question.prompt if question else ""
    return AgentResult(success=True, content=prompt, plan=plan, question=question)


def value_question_plan(request: AgentRequest, agent_id: str, measure: str) -> Plan:
    """Return the plan that asks for a value, named by what it measures."""
    question = AskUser(
        param=measure,
        prompt=request.language.say(f"ask.{measure}"),
        data={SAID: request.instruction},
    )
    return Plan(intent_id=f"{agent_id}/set", agent_id=agent_id, steps=(question,))

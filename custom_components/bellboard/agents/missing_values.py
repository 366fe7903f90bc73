"""Questions for a value that was not said: "set the volume of the radio" (Agent router orchestration, AskUser)."""

from ..plans.models import AskUser, Plan
from ..tasks.pending import SAID
from .base import AgentRequest, AgentResult


async def async_ask_for_value(request: AgentRequest, agent_id: str, measure: str) -> AgentResult:
    """Ask for a value, named by what it measures ("brightness"), that the instruction lacks."""
    question = AskUser(
        param=measure,
        prompt=request.language.say(f"ask.{measure}"),
        data={SAID: request.instruction},
    )
    plan = Plan(intent_id=f"{agent_id}/set", agent_id=agent_id, steps=(question,))
    await request.runner.async_run(plan)
    return AgentResult(success=True, content=question.prompt, plan=plan, question=question)

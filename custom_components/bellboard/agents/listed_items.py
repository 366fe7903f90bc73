"""Items that are put on a list, without those that are on it."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.exceptions import HomeAssistantError

from ..home.names import words_of
from ..plans.models import PlannedAction, RecognizedIntent
from ..plans.tool_executor import async_call_for_response
from .base import AgentRequest, AgentResult
from .home_plans import build_direct_plan
from .plan_answers import build_answer, refusal_answer
from .wording import describe_names


async def async_add_items(request: AgentRequest, asked: RecognizedIntent) -> AgentResult:
    """Put items on a list; say which are on it, and what cannot be put there."""
    if asked.slots.get("is_unsaid"):
        return refusal_answer(request, "items_unsaid")
    if not asked.targets:
        return refusal_answer(request, "no_list")
    (target,) = asked.targets[:1]
    name = describe_names(request, [target])
    items: Sequence[str] = asked.slots["items"]
    there = await _async_items_of(request, target)
    known = [item for item in items if words_of(item) in there]
    new = [item for item in items if item not in known]
    told = _say(request, "on_list", known, name)
    if not new:
        return AgentResult(success=True, content=told)
    actions = [PlannedAction(name="add", parameters={"item": item}) for item in new]
    plan = build_direct_plan(request, actions, [target])
    execution = await request.runner.async_run(plan)
    answer = build_answer(request, execution)
    if execution.ok and execution.results and not answer.question:
        done = request.language.say(
            "done.todo.add_item", value=request.language.join(new), targets=name
        )
        answer = replace(answer, content=request.language.sentence([done]), fragments=(done,))
    if not told:
        return answer
    return replace(
        answer, content=f"{answer.content} {told}".strip(), remarks=(*answer.remarks, told)
    )


def _say(request: AgentRequest, key: str, items: Sequence[str], name: str) -> str:
    """Return a sentence about items of a list, "" without items."""
    listed = request.language.join(items)
    return request.language.say(f"list.{key}", items=listed, list=name) if items else ""


async def _async_items_of(request: AgentRequest, target: str) -> set[tuple[str, ...]]:
    """Return the words of the open items of a list; none where it does not tell them."""
    data = {"entity_id": target, "status": ["needs_action"]}
    try:
        found = await async_call_for_response(
            request.hass, "todo", "get_items", data, request.user_input.context
        )
    except HomeAssistantError:
        return set()
    listed = (found or {}).get(target)
    items = listed.get("items") if isinstance(listed, dict) else None
    return {
        words_of(str(item.get("summary")))
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, dict)
    }

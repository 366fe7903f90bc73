"""Items that are put on a list, without those that are on it."""

from collections.abc import Sequence
from dataclasses import replace

from homeassistant.components.todo import TodoItemStatus
from homeassistant.components.todo.const import DATA_COMPONENT as TODO_LISTS
from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..home.names import words_of
from .base import AgentRequest, AgentResult
from .home_plans import build_direct_plan
from .plan_answers import build_answer, refusal_answer
from .wording import describe_names


async def async_add_items(request: AgentRequest, asked: Command) -> AgentResult:
    """Put items on a list; say which are on it, and what cannot be put there."""
    if asked.parameters.get("is_unsaid"):
        return refusal_answer(request, "items_unsaid")
    if not asked.targets:
        return refusal_answer(request, "no_list")
    (target,) = asked.targets[:1]
    name = describe_names(request, [target])
    items: Sequence[str] = asked.parameters["items"]
    is_readable = request.rights.may_read(target)
    there = {words_of(item) for item in open_items(request.hass, target)} if is_readable else set()
    known = [item for item in items if words_of(item) in there]
    new = [item for item in items if item not in known]
    told = _say(request, "on_list", known, name)
    if not new:
        return AgentResult(success=True, content=told)
    actions = [Command(name="add", parameters={"item": item}) for item in new]
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


def open_items(hass: HomeAssistant, entity_id: str) -> list[str]:
    """Return the items of a to-do list that are not completed, in its order; [] for any other entity."""
    component = hass.data.get(TODO_LISTS) if entity_id.startswith("todo.") else None
    entity = component.get_entity(entity_id) if component else None
    return [
        item.summary
        for item in ((entity.todo_items or ()) if entity else ())
        if item.summary and item.status is not TodoItemStatus.COMPLETED
    ]

"""Lists: what is on them is told, and items are put there, ticked off or taken away by their names."""

from collections.abc import Sequence
from dataclasses import replace

from ..domains.models import Command
from ..domains.todo import open_items
from ..home.names import words_of
from ..nlu.lexicon import holds_any
from ..nlu.listing import ListWish
from ..nlu.segmentation import clauses_of
from ..nlu.spans import cover_text
from .base import AgentRequest, AgentResult
from .home_plans import build_direct_plan
from .plan_answers import async_ask, build_answer, build_confirmation, refusal_answer
from .wording import describe_names

CLEARED = "(cleared)"
"""Rule of the confirmation that is asked for before a list is emptied; no policy is called so."""


async def async_answer_list(request: AgentRequest, asked: Command) -> AgentResult:
    """Carry out or answer a request about a list: what is on it, and what is put there or taken away."""
    if asked.parameters.get("is_unsaid"):
        return refusal_answer(request, "items_unsaid")
    if not asked.targets:
        return refusal_answer(request, "no_list")
    wish = asked.parameters["wish"]
    if wish == ListWish.ADD:
        return await _async_add(request, asked)
    readable = [target for target in asked.targets if request.rights.may_read(target)]
    if not readable:
        return refusal_answer(request, "no_list")
    if wish == ListWish.WHICH:
        names = describe_names(request, readable)
        return _told(request.language.say("list.which", lists=names), readable[0])
    if wish == ListWish.READ:
        return _told(_describe(request, readable[0]), readable[0])
    if wish == ListWish.CLEAR:
        return await _async_ask_to_clear(request, readable[0])
    items: Sequence[str] = asked.parameters["items"]
    if wish == ListWish.CHECK:
        return _told(_compare(request, items, readable[0]), readable[0])
    return await _async_take(request, str(wish), items, readable)


async def _async_add(request: AgentRequest, asked: Command) -> AgentResult:
    """Put items on a list; say which are on it already."""
    (target,) = asked.targets[:1]
    items: Sequence[str] = asked.parameters["items"]
    # Who may not read a list is not told what is on it.
    known, new = (
        _looked_up(request, items, target) if request.rights.may_read(target) else ({}, items)
    )
    told = _say(request, "on_list", [*known], target)
    if not new:
        return _told(told, target)
    answer = await _async_change(request, "add", new, target)
    return _with_remark(answer, told)


async def _async_take(
    request: AgentRequest, action: str, items: Sequence[str], lists: Sequence[str]
) -> AgentResult:
    """Take items from the first of some lists that has one, or tick them off there; say which are not on it."""
    for target in lists:
        found, left = _looked_up(request, items, target)
        if found:
            answer = await _async_change(request, action, [*found.values()], target)
            return _with_remark(answer, _say(request, "not_on", left, target))
    return AgentResult(success=False, content=_say(request, "not_on", items, lists[0]))


async def _async_change(
    request: AgentRequest, action: str, items: Sequence[str], target: str
) -> AgentResult:
    """Do an action of the list's table to items, and answer for all of them at once."""
    actions = [Command(name=action, parameters={"item": item}) for item in items]
    plan = build_direct_plan(request, actions, [target])
    execution = await request.runner.async_run(plan)
    answer = build_answer(request, execution)
    if not execution.ok or not execution.results or answer.question:
        return answer
    done = request.language.say(
        f"done.{plan.calls[0].action}",
        value=request.language.join(items),
        targets=describe_names(request, [target]),
    )
    return replace(answer, content=request.language.sentence([done]), fragments=(done,))


async def _async_ask_to_clear(request: AgentRequest, target: str) -> AgentResult:
    """Ask for a yes to take everything from a list, by name: nothing of it comes back."""
    items = open_items(request.hass, target)
    if not items:
        return _told(_describe(request, target), target)
    actions = [Command(name="remove", parameters={"item": item}) for item in items]
    plan = build_direct_plan(request, actions, [target])
    prompt = _say(request, "clear", items, target)
    asked = build_confirmation(request, plan, (CLEARED,)).model_copy(update={"prompt": prompt})
    return await async_ask(request, plan.model_copy(update={"steps": (asked,)}))


def _told(words: str, target: str) -> AgentResult:
    """Return an answer about a list, which is what was spoken of then."""
    return AgentResult(success=True, content=words, about=(target,))


def _describe(request: AgentRequest, target: str) -> str:
    """Return what is on a list, in words."""
    items = open_items(request.hass, target)
    name = describe_names(request, [target])
    return _say(request, "holds", items, target) or request.language.say("list.empty", list=name)


def _compare(request: AgentRequest, items: Sequence[str], target: str) -> str:
    """Return which of some items are on a list, and which are not."""
    known, left = _looked_up(request, items, target)
    said = (_say(request, "holds", [*known], target), _say(request, "not_on", left, target))
    return " ".join(filter(None, said))


def _looked_up(
    request: AgentRequest, items: Sequence[str], target: str
) -> tuple[dict[str, str], list[str]]:
    """Return those of some items that are on a list, with what each is called there, and the others."""
    stem = request.language.lexicon.stem
    there = open_items(request.hass, target)
    exact = {words_of(item): item for item in there}
    stems = {tuple(map(stem, words_of(item))): item for item in there}
    found = {
        item: exact.get(words := words_of(item)) or stems.get(tuple(map(stem, words)))
        for item in items
    }
    known = {item: name for item, name in found.items() if name}
    return known, [item for item in items if item not in known]


def is_due(request: AgentRequest, said: str, item: str) -> bool:
    """Return whether what was said tells that something on a list is still to be done: "bread has to be bought".

    That is the clause with words of the item, or any where none has them: "the piano one has to be done".
    """
    if request.house is None:
        return False
    lexicon, due = request.language.lexicon, request.language.lists.due
    clauses = [
        tuple(word for span in clause for word in span.words)
        for clause in clauses_of(cover_text(said, request.house))
    ]
    wanted = {lexicon.stem(word) for word in words_of(item) if not lexicon.is_small(word)}
    own = [words for words in clauses if not wanted.isdisjoint(map(lexicon.stem, words))]
    return any(holds_any(words, due) for words in own or clauses)


def _with_remark(answer: AgentResult, told: str) -> AgentResult:
    """Return an answer with a remark after it, if there is one."""
    if not told:
        return answer
    return replace(
        answer, content=f"{answer.content} {told}".strip(), remarks=(*answer.remarks, told)
    )


def _say(request: AgentRequest, key: str, items: Sequence[str], target: str) -> str:
    """Return a sentence about items of a list, "" without items."""
    listed, name = request.language.join(items), describe_names(request, [target])
    return request.language.say(f"list.{key}", items=listed, list=name) if items else ""

"""A task goes from agent to agent in the order that is decided, and ends."""

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.routing.next_models import (
    Complete,
    Forward,
    RoutingDecision,
    TaskEnvelopeV2,
    UndecidedError,
    topic_of,
)
from custom_components.bellboard.routing.next_run import (
    EndReason,
    StepResult,
    Workflow,
    WorkflowResult,
)

QUERY = "Create a fully polished document on Herodotus's military campaigns"
AGENTS = [
    AgentCard(id=f"{name}-agent", name=name, description=name)
    for name in ("research", "writer", "editor", "judge")
]

# The eight steps of the example: who works, on what, and what comes of it.
STEPS: list[tuple[str, str, dict[str, Any]]] = [
    ("research-agent", "Research Herodotus's military campaigns", {"findings": ["Marathon"]}),
    ("writer-agent", "Write comprehensive document from this research", {"document": "# Wars"}),
    (
        "editor-agent",
        "Polish this document to publication quality",
        {"polished_document": "# Wars."},
    ),
    ("judge-agent", "Evaluate document quality and completeness", {"quality_score": 7}),
    (
        "research-agent",
        "Research Herodotus's strategic insights",
        {"strategic_analysis": ["hubris"]},
    ),
    ("writer-agent", "Integrate this strategic analysis", {"enhanced_document": "# Wars, again"}),
    ("editor-agent", "Polish the updated document", {"final_document": "# Wars, at last"}),
    ("judge-agent", "Final quality check", {"quality_score": 9, "recommendation": "approved"}),
]

type Decide = Callable[[TaskEnvelopeV2, Any], RoutingDecision]


class ScriptedRouter:
    """Decides as it is told, and keeps what it was shown."""

    def __init__(self, decide: Decide) -> None:
        self.decide = decide
        self.seen: list[tuple[TaskEnvelopeV2, Any]] = []

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Any, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        assert list(registry) == AGENTS
        self.seen.append((original_task, work_output))
        return self.decide(original_task, work_output)


class ScriptedAgents:
    """Work as they are told, and keep what they were told."""

    def __init__(self, work: Callable[[int, TaskEnvelopeV2], StepResult]) -> None:
        self.work = work
        self.tasks: list[TaskEnvelopeV2] = []

    async def __call__(self, task: TaskEnvelopeV2) -> StepResult:
        self.tasks.append(task)
        return self.work(len(self.tasks) - 1, task)

    @property
    def told(self) -> list[tuple[str, str | None]]:
        return [(task.agent_id, task.instruction) for task in self.tasks]


def first_task(**fields: Any) -> TaskEnvelopeV2:
    agent_id, instruction, _ = STEPS[0]
    given_fields: dict[str, Any] = {
        "conversation_id": "talk",
        "topic": topic_of(agent_id),
        "instruction": instruction,
        "input": {},
        "version": "2.0",
        "context": {"original_query": QUERY},
    }
    return TaskEnvelopeV2.model_validate(given_fields | fields)


def numbered(number: int, _task: TaskEnvelopeV2) -> StepResult:
    """Make something new each time."""
    return StepResult(output={"made": number}, action=f"Made {number}")


def forward(agent_id: str, instruction: str, output: Any) -> Forward:
    return Forward(
        next_agent=agent_id, next_instruction=instruction, forwarded_data=output, router="llm"
    )


async def run(
    router: ScriptedRouter | None, agents: ScriptedAgents, task: TaskEnvelopeV2, most: int = 10
) -> WorkflowResult:
    routers = [router] if router else []
    flow = Workflow(routers=routers, agents=AGENTS, run=agents, max_iterations=most)
    return await flow.async_begin(task)


async def test_the_eight_steps_of_the_example_run_in_order_and_end() -> None:
    agents = ScriptedAgents(lambda n, _task: StepResult(output=STEPS[n][2], action=f"Step {n + 1}"))

    def decide(task: TaskEnvelopeV2, output: Any) -> RoutingDecision:
        assert task.context
        done = len(task.context.steps_completed) + 1
        if done == len(STEPS):
            return Complete(final_output=output, router="llm", reasoning="Quality approved")
        agent_id, instruction, _ = STEPS[done]
        return forward(agent_id, instruction, output)

    router = ScriptedRouter(decide)
    finished = await run(router, agents, first_task())
    assert agents.told == [(agent_id, instruction) for agent_id, instruction, _ in STEPS]
    assert [task.input for task in agents.tasks] == [{}, *(output for _, _, output in STEPS[:-1])]
    assert (finished.end, finished.final_output) == (EndReason.COMPLETE, STEPS[-1][2])
    context = finished.task.context
    assert context
    assert context.original_query == QUERY
    assert context.iteration_count == len(STEPS) - 1
    assert [(step.agent_id, step.action) for step in context.steps_completed] == [
        (agent_id, f"Step {number}") for number, (agent_id, _, _) in enumerate(STEPS[:-1], 1)
    ]
    assert [step.agent_id for step in finished.trace] == [*(s[0] for s in STEPS[1:]), None]
    assert finished.trace[-1].reasoning == "Quality approved"
    assert len({task.task_id for task in agents.tasks}) == len(STEPS)
    assert {task.conversation_id for task in agents.tasks} == {"talk"}
    assert [output for _, output in router.seen] == [output for _, _, output in STEPS]


async def test_a_router_that_says_the_same_for_ever_ends_before_anything_is_done_twice() -> None:
    agents = ScriptedAgents(numbered)
    router = ScriptedRouter(lambda _, output: forward("writer-agent", "Write it.", output))
    finished = await run(router, agents, first_task())
    assert finished.end is EndReason.LOOP
    assert agents.told == [STEPS[0][:2], ("writer-agent", "Write it.")]
    assert finished.final_output == {"made": 1}


@pytest.mark.parametrize("again", ["write IT", " Write  it. ", "Write it!"])
async def test_other_capitals_and_marks_are_the_same_instruction(again: str) -> None:
    agents = ScriptedAgents(numbered)
    told = iter(["Write it.", again])
    router = ScriptedRouter(lambda _, output: forward("writer-agent", next(told), output))
    finished = await run(router, agents, first_task())
    assert (finished.end, len(agents.tasks)) == (EndReason.LOOP, 2)


async def test_an_agent_that_comes_to_the_same_again_is_a_loop_whatever_it_is_told() -> None:
    agents = ScriptedAgents(
        lambda _n, task: StepResult(output={"by": task.agent_id}, action="Same")
    )
    router = ScriptedRouter(
        lambda task, output: forward(
            "writer-agent",
            f"Try {len(task.context.steps_completed) if task.context else 0}",
            output,
        )
    )
    finished = await run(router, agents, first_task())
    assert (finished.end, len(agents.tasks)) == (EndReason.LOOP, 3)


async def test_two_agents_that_send_a_task_to_and_fro_are_a_loop() -> None:
    agents = ScriptedAgents(
        lambda _n, task: StepResult(output={"by": task.agent_id}, action="Same")
    )

    def to_and_fro(task: TaskEnvelopeV2, output: Any) -> RoutingDecision:
        other = "editor-agent" if task.agent_id == "writer-agent" else "writer-agent"
        done = len(task.context.steps_completed) if task.context else 0
        return forward(other, f"Have another look, number {done}", output)

    finished = await run(ScriptedRouter(to_and_fro), agents, first_task())
    assert finished.end is EndReason.LOOP
    assert len(agents.tasks) == 4


async def test_what_would_repeat_an_action_ends_it() -> None:
    agents = ScriptedAgents(
        lambda n, _: StepResult(output={"n": n}, action="Did", is_repeated=n == 1)
    )
    router = ScriptedRouter(lambda _, output: forward("writer-agent", "Go on", output))
    finished = await run(router, agents, first_task())
    assert (finished.end, len(agents.tasks)) == (EndReason.LOOP, 2)


@pytest.mark.parametrize("most", [1, 2, 10])
async def test_a_task_that_never_ends_is_completed_at_the_limit(most: int) -> None:
    agents = ScriptedAgents(numbered)
    router = ScriptedRouter(
        lambda _, output: forward("writer-agent", f"Go on after {output['made']}", output)
    )
    finished = await run(router, agents, first_task(), most)
    assert finished.end is EndReason.LIMIT
    assert len(agents.tasks) == most
    assert finished.final_output == {"made": most - 1}
    assert finished.trace[-1].router == "limit"


async def test_the_limit_counts_what_was_done_before() -> None:
    agents = ScriptedAgents(numbered)
    router = ScriptedRouter(lambda _, output: forward("writer-agent", str(output), output))
    task = first_task(context={"original_query": QUERY, "iteration_count": 8})
    finished = await run(router, agents, task)
    assert (finished.end, len(agents.tasks)) == (EndReason.LIMIT, 2)


async def test_nobody_goes_on_while_a_question_is_open() -> None:
    agents = ScriptedAgents(lambda _n, _task: StepResult(output={}, action="Asked", waits=True))
    router = ScriptedRouter(lambda _, output: forward("writer-agent", "Go on", output))
    finished = await run(router, agents, first_task())
    assert finished.end is EndReason.WAITING
    assert not router.seen


async def test_an_agent_that_is_not_there_is_not_waited_for() -> None:
    agents = ScriptedAgents(numbered)
    router = ScriptedRouter(lambda _, output: forward("nobody-agent", "Go on", output))
    finished = await run(router, agents, first_task())
    assert (finished.end, len(agents.tasks)) == (EndReason.UNKNOWN, 1)


async def test_the_next_router_is_asked_where_one_cannot_decide() -> None:
    agents = ScriptedAgents(numbered)

    def undecided(_task: TaskEnvelopeV2, _output: Any) -> RoutingDecision:
        raise UndecidedError("it is unreachable")

    first = ScriptedRouter(undecided)
    second = ScriptedRouter(lambda _, output: Complete(final_output=output, router="llm"))
    flow = Workflow(routers=[first, second], agents=AGENTS, run=agents)
    finished = await flow.async_begin(first_task())
    assert finished.end is EndReason.COMPLETE
    assert len(first.seen) == len(second.seen) == 1
    finished = await Workflow(routers=[first], agents=AGENTS, run=agents).async_begin(first_task())
    assert finished.end is EndReason.UNDECIDED


CHAIN = {
    "topic": topic_of("writer-agent"),
    "instruction": "Continue",
    "next": {"topic": topic_of("editor-agent"), "instruction": "Finish"},
}


async def test_a_chain_of_version_one_runs_to_its_end_and_asks_nobody() -> None:
    agents = ScriptedAgents(numbered)
    router = ScriptedRouter(lambda _, output: forward("judge-agent", "Judge", output))
    task = first_task(version="1.0", context=None, next=CHAIN)
    finished = await run(router, agents, task)
    assert agents.told == [STEPS[0][:2], ("writer-agent", "Continue"), ("editor-agent", "Finish")]
    assert [task.input for task in agents.tasks] == [{}, {"made": 0}, {"made": 1}]
    assert finished.end is EndReason.COMPLETE
    assert not router.seen
    assert [step.router for step in finished.trace] == ["next", "next", "next"]


async def test_after_a_chain_of_version_two_it_is_decided() -> None:
    agents = ScriptedAgents(numbered)
    router = ScriptedRouter(lambda _, output: Complete(final_output=output, router="llm"))
    finished = await run(router, agents, first_task(next=CHAIN))
    assert len(agents.tasks) == 3
    assert len(router.seen) == 1
    assert finished.end is EndReason.COMPLETE


async def test_a_chain_may_say_the_same_twice() -> None:
    agents = ScriptedAgents(lambda _n, _task: StepResult(output={}, action="Same"))
    step = {"topic": topic_of("writer-agent"), "instruction": "Continue"}
    finished = await run(None, agents, first_task(version="1.0", next={**step, "next": step}))
    assert (finished.end, len(agents.tasks)) == (EndReason.COMPLETE, 3)


@settings(max_examples=200)
@given(
    decisions=st.lists(
        st.tuples(st.sampled_from([card.id for card in AGENTS]), st.sampled_from("abc")),
        min_size=1,
        max_size=30,
    ),
    outputs=st.lists(st.integers(0, 3), min_size=1, max_size=30),
)
async def test_whatever_is_decided_it_ends_and_no_instruction_is_given_twice(
    decisions: list[tuple[str, str]], outputs: list[int]
) -> None:
    agents = ScriptedAgents(
        lambda n, _task: StepResult(output=outputs[n % len(outputs)], action="")
    )
    count = iter(range(10**6))

    def decide(_task: TaskEnvelopeV2, output: Any) -> RoutingDecision:
        agent_id, instruction = decisions[next(count) % len(decisions)]
        return forward(agent_id, instruction, output)

    finished = await run(ScriptedRouter(decide), agents, first_task())
    assert len(agents.tasks) <= 10
    assert len(set(agents.told)) == len(agents.told)
    assert finished.end in {EndReason.LOOP, EndReason.LIMIT}

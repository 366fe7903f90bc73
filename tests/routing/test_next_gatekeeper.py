"""A gatekeeper decides about the next step; what cannot be used is left to another router."""

from collections.abc import AsyncGenerator, Callable
from typing import Any

import aiohttp
import pytest

from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.routing.gatekeeper import GatekeeperRouter
from custom_components.bellboard.routing.gatekeeper_client import GatekeeperClient
from custom_components.bellboard.routing.next_models import (
    Complete,
    Forward,
    TaskEnvelopeV2,
    UndecidedError,
)
from custom_components.bellboard.routing.next_run import EndReason, StepResult, Workflow
from tests.servers.gatekeeper import GatekeeperServer, responding

TOKEN = "the-token-of-the-gate"
QUERY = "Create polished document on Herodotus"
AGENTS = [
    AgentCard(id="editor-agent", name="Editor", description="Edits", capabilities=("editing",)),
    AgentCard(
        id="judge-agent", name="Judge", description="Judges", capabilities=("quality-review",)
    ),
]
RESEARCHED = {
    "agent_id": "research-agent",
    "action": "Researched Herodotus",
    "timestamp": "2024-01-15T10:30:00Z",
}
TASK = TaskEnvelopeV2.model_validate(
    {
        "conversation_id": "talk",
        "topic": "/control/agents/writer-agent/input",
        "instruction": "Write comprehensive document from this research",
        "input": {"findings": ["Marathon"]},
        "version": "2.0",
        "context": {
            "original_query": QUERY,
            "steps_completed": [RESEARCHED],
            "iteration_count": 1,
        },
    }
)
OUTPUT = {"document": "# Herodotus and Military History"}
ON: dict[str, Any] = {
    "workflow_complete": False,
    "next_agent": "editor-agent",
    "next_instruction": "Polish this document to publication quality",
    "confidence": 0.95,
}


def summed_up(output: Any) -> str:
    """Return a document's first line, nothing of anything else."""
    return str(output.get("document", "")) if isinstance(output, dict) else ""


type Ask = Callable[..., GatekeeperRouter]


@pytest.fixture
async def server() -> AsyncGenerator[GatekeeperServer]:
    """Return a gatekeeper that runs."""
    async with GatekeeperServer() as running:
        yield running


@pytest.fixture
async def ask(server: GatekeeperServer) -> AsyncGenerator[Ask]:
    """Return a function that returns the router that asks the gatekeeper, which answers as told."""
    async with aiohttp.ClientSession() as session:

        def make(answer: Any, **options: Any) -> GatekeeperRouter:
            server.decide = answer if callable(answer) else lambda _: answer
            client = GatekeeperClient(
                session, server.url, token=TOKEN, timeout_ms=1000, retry_attempts=0
            )
            return GatekeeperRouter(client, **({"action_of": summed_up} | options))

        yield make


async def test_a_task_goes_on_with_its_instruction_and_what_was_made(ask: Ask) -> None:
    decision = await ask(ON).async_decide_next_step(TASK, OUTPUT, AGENTS)
    assert decision == Forward(
        next_agent="editor-agent",
        next_instruction="Polish this document to publication quality",
        forwarded_data=OUTPUT,
        router="gatekeeper",
        confidence=0.95,
    )


async def test_a_task_is_complete_with_what_was_made_last(ask: Ask) -> None:
    answer = {"workflow_complete": True, "reasoning": "Approved.\n", "confidence": 0.8}
    decision = await ask(answer).async_decide_next_step(TASK, OUTPUT, AGENTS)
    assert decision == Complete(
        final_output=OUTPUT, router="gatekeeper", reasoning="Approved.", confidence=0.8
    )


async def test_the_gatekeeper_sees_all_that_was_done_and_who_is_there(
    ask: Ask, server: GatekeeperServer
) -> None:
    """Of a long request, history or output nothing is left out."""
    query, steps = "Polish it. " * 500, [RESEARCHED] * 50
    output = OUTPUT | {"pages": ["word " * 1000] * 50}
    long = {"original_query": query, "steps_completed": steps, "iteration_count": 50}
    task = TaskEnvelopeV2.model_validate(TASK.as_json() | {"context": long})
    await ask(ON).async_decide_next_step(task, output, AGENTS)
    [asked] = server.asked
    own = asked["workflow_history"].pop()
    assert asked == {
        "original_query": query,
        "workflow_history": steps,
        "current_output": output,
        "available_agents": [
            {"agent_id": "editor-agent", "capabilities": ["editing"]},
            {"agent_id": "judge-agent", "capabilities": ["quality-review"]},
        ],
    }
    assert own.keys() == {"agent_id", "action", "timestamp"}
    assert (own["agent_id"], own["action"]) == ("writer-agent", OUTPUT["document"])


async def test_a_first_task_needs_no_history(ask: Ask, server: GatekeeperServer) -> None:
    first = TaskEnvelopeV2(
        conversation_id="talk",
        topic="/control/agents/writer-agent/input",
        instruction=QUERY,
        version="2.0",
    )
    await ask(ON).async_decide_next_step(first, {}, AGENTS)
    [asked] = server.asked
    assert asked["original_query"] == QUERY
    # Where nothing was made that could be summed up, it is what was to be done.
    assert [step["action"] for step in asked["workflow_history"]] == [QUERY]


@pytest.mark.parametrize("output", ["Done.", None, ["a", {"b": "c"}], 7])
async def test_what_an_agent_makes_reaches_the_gatekeeper_as_an_object(
    ask: Ask, server: GatekeeperServer, output: Any
) -> None:
    decision = await ask(ON).async_decide_next_step(TASK, output, AGENTS)
    assert server.asked[0]["current_output"] == {"output": output}
    assert isinstance(decision, Forward)
    assert decision.forwarded_data == output


async def test_a_step_is_summed_up_by_whoever_knows_how(ask: Ask, server: GatekeeperServer) -> None:
    router = ask(ON, action_of=lambda output: f"Made {len(output)}")
    await router.async_decide_next_step(TASK, OUTPUT, AGENTS)
    assert server.asked[0]["workflow_history"][-1]["action"] == "Made 1"


@pytest.mark.parametrize(
    ("answer", "kind"), [(ON, Forward), ({"workflow_complete": True}, Complete)], ids=str
)
@pytest.mark.parametrize(("confidence", "is_believed"), [(0.5, True), (0.49, False), (None, True)])
async def test_what_it_is_unsure_of_is_undecided(
    ask: Ask, answer: Any, kind: type, confidence: float | None, is_believed: bool
) -> None:
    router = ask(answer | {"confidence": confidence}, confidence_threshold=0.5)
    if is_believed:
        assert isinstance(await router.async_decide_next_step(TASK, OUTPUT, AGENTS), kind)
        return
    with pytest.raises(UndecidedError, match="not sure enough"):
        await router.async_decide_next_step(TASK, OUTPUT, AGENTS)


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        (responding(401), "token or the signature"),
        (responding(500), "status 500"),
        (responding(200, b"<html>marzipan"), "a web page"),
        (responding(200, b'{"workflow_complete": "marzipan"}'), "workflow_complete"),
        (
            responding(
                200,
                b'{"workflow_complete": false, "next_agent": "marzipan", "next_instruction": "x"}',
            ),
            "not offered",
        ),
        (
            responding(200, b'{"workflow_complete": false, "next_agent": "editor-agent"}'),
            "next_instruction is missing",
        ),
    ],
)
async def test_what_cannot_be_used_is_undecided(
    ask: Ask, server: GatekeeperServer, behaviour: Any, why: str
) -> None:
    server.behaviour = behaviour
    with pytest.raises(UndecidedError, match=why) as undecided:
        await ask(ON).async_decide_next_step(TASK, OUTPUT, AGENTS)
    assert undecided.value.__cause__ is None
    assert undecided.value.__context__ is None
    for secret in ("marzipan", TOKEN, "Herodotus"):
        assert secret not in str(undecided.value)


async def test_nobody_there_is_undecided(ask: Ask, server: GatekeeperServer) -> None:
    router = ask(ON)
    await server.stop()
    with pytest.raises(UndecidedError, match="cannot be reached"):
        await router.async_decide_next_step(TASK, OUTPUT, AGENTS)


async def test_a_gatekeeper_takes_a_task_from_agent_to_agent_to_its_end(
    ask: Ask, server: GatekeeperServer
) -> None:
    steps = {
        2: ON,
        3: ON | {"next_agent": "judge-agent", "next_instruction": "Review this document"},
        4: {"workflow_complete": True, "confidence": 1},
    }
    router = ask(lambda asked: steps[len(asked["workflow_history"])])
    told: list[tuple[str, str | None]] = []

    async def run(task: TaskEnvelopeV2) -> StepResult:
        told.append((task.agent_id, task.instruction))
        return StepResult(output={"document": f"by {task.agent_id}"}, action="Worked")

    workflow = Workflow(routers=[router], agents=AGENTS, run=run)
    finished = await workflow.async_begin(TASK)
    assert told == [
        ("writer-agent", "Write comprehensive document from this research"),
        ("editor-agent", "Polish this document to publication quality"),
        ("judge-agent", "Review this document"),
    ]
    assert (finished.end, finished.final_output) == (
        EndReason.COMPLETE,
        {"document": "by judge-agent"},
    )
    assert [step.router for step in finished.trace] == ["gatekeeper"] * 3
    assert [step["action"] for step in server.asked[-1]["workflow_history"]] == [
        "Researched Herodotus",
        "Worked",
        "Worked",
        "by judge-agent",
    ]

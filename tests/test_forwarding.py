"""After an agent it is decided who goes on: only where something may be left, and never for ever."""

from collections.abc import Callable, Mapping
from itertools import product
import json
from pathlib import Path
import re
from typing import Any

from homeassistant.components.conversation import AssistantContent, chat_log as chat_logs
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.setup import async_setup_component
import pytest

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.llm.openai import OpenAIClient
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.agents.conftest import planning
from tests.conftest import Setup, Speaker
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of, traces
from tests.test_confirm import Rule, of_domain

STEPS = "turn off whatever is on in the hallway and tell me what it was"
DECISION = "RoutingDecisionOutput"
DONE = {
    "workflow_complete": True,
    "reasoning": "All is done.",
    "next_agent": None,
    "next_instruction": None,
}

type Answerer = Callable[[list[Any], Mapping[str, Any] | None], Any]


def forward(agent_id: str, instruction: str) -> dict[str, Any]:
    """Return the decision that somebody goes on."""
    return {
        "workflow_complete": False,
        "reasoning": "Something is left.",
        "next_agent": agent_id,
        "next_instruction": instruction,
    }


def is_decision(schema: Mapping[str, Any] | None) -> bool:
    """Return whether it is asked what comes next."""
    return bool(schema) and schema.get("title") == DECISION  # type: ignore[union-attr]


def model(*decisions: dict[str, Any], agent: str = "light-agent", **plans: Any) -> Answerer:
    """Return a model that chooses an agent first, and decides as it is told after each one."""
    left = list(decisions)

    def answer(messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        if schema is None:
            return plans.get("talk", "It was the hallway ceiling.")
        if is_decision(schema):
            return left.pop(0) if len(left) > 1 else left[0]
        if "agentId" in schema["properties"]:
            count = len(schema["properties"].get("additionalAgents", {}).get("items", [])) and 1
            return {"agentId": agent} | ({"additionalAgents": ["general-agent"]} if count else {})
        return {"actions": plans.get("actions", [{"action": "turn_off"}])}

    return answer


def decisions_asked(speaker: Speaker) -> list[Any]:
    """Return the questions about what comes next."""
    assert speaker.model
    return [ask for ask in speaker.model.requests if is_decision(ask.schema)]


def others_asked(speaker: Speaker) -> list[Any]:
    """Return all other questions."""
    assert speaker.model
    return [ask for ask in speaker.model.requests if not is_decision(ask.schema)]


def switched(speaker: Speaker) -> list[str]:
    """Return the calls to lights."""
    return [call["service"] for call in speaker.calls if call["domain"] == "light"]


async def test_what_was_made_goes_to_whoever_goes_on(speak: Setup) -> None:
    speaker = await speak(model(forward("general-agent", "Say what was turned off."), DONE))
    said = await speaker.say(STEPS)
    assert switched(speaker) == ["turn_off"]
    assert (
        said.reply
        == "Turned off Hallway Ceiling (Mirror Light was off already). It was the hallway ceiling."
    )
    log = speaker.hass.data[chat_logs.DATA_CHAT_LOGS][str(speaker.conversation_id)]
    published = log.content[-1]
    assert isinstance(published, AssistantContent)
    assert published.content == said.reply
    talk = others_asked(speaker)[-1].messages[-1].content
    instruction, _, data = talk.partition("\n\nData: ")
    assert instruction == "Say what was turned off."
    assert json.loads(data) == {
        "success": True,
        "response": "Turned off Hallway Ceiling (Mirror Light was off already).",
        "did": [
            {
                "action": "light.turn_off",
                "done": ["Hallway Ceiling", "Mirror Light"],
                "failed": [],
            }
        ],
    }
    assert len(decisions_asked(speaker)) == 2
    history, _, _ = decisions_asked(speaker)[1].messages[-1].content.partition("CURRENT AGENT")
    assert "1. light-agent\n   Action: Turned off Hallway Ceiling (" in history


async def test_a_small_models_specialist_goes_on_with_what_was_acted_on(speak: Setup) -> None:
    plans = iter(["turn_off", "turn_on"])
    routing = model(forward("light-agent", "Make it cosy."), DONE)

    def answer(messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        if schema and "actions" in schema["properties"]:
            return {"actions": [{"action": next(plans)}]}
        return routing(messages, schema)

    speaker = await speak(answer)
    said = await speaker.say(STEPS)
    lights = [call for call in said.calls if call["domain"] == "light"]
    assert [call["service"] for call in lights] == ["turn_off", "turn_on"]
    meant = ["light.hallway_ceiling", "light.mirror_light"]
    assert [call["service_data"]["entity_id"] for call in lights] == [meant, meant]


async def test_a_capable_models_specialist_that_goes_on_reads_the_output(speak: Setup) -> None:
    parts = [
        ("light", "turn off whatever is on in the hallway", False),
        ("general", "tell me what it was", True),
    ]
    then = [forward("light-agent", "Make it cosy.")]
    speaker = await speak(splitting(*parts, plans={"hallway": OFF}, then=then), contract="capable")
    await speaker.say(STEPS)
    asked = [ask.messages[-1].content for ask in others_asked(speaker)]
    [told] = [text for text in asked if text.endswith("\nRequest: Make it cosy.")]
    [data] = [line for line in told.splitlines() if line.startswith("Data: ")]
    assert json.loads(data.removeprefix("Data: ")) == {
        "success": True,
        "response": "Turned off Hallway Ceiling.",
        "did": [{"action": "light.turn_off", "done": ["Hallway Ceiling"], "failed": []}],
    }


async def test_nothing_is_added_where_the_first_agent_did_all(speak: Setup) -> None:
    speaker = await speak(model(DONE))
    said = await speaker.say(STEPS)
    assert said.reply == "Turned off Hallway Ceiling (Mirror Light was off already)."
    assert len(decisions_asked(speaker)) == 1


PLAIN = (
    "turn off the kitchen lights",
    "make the reading lamp quite a bit less bright for me",
    "it has become rather gloomy around the reading lamp",
    "turn off the kitchen lights and play some jazz in the living room",
)


@in_one_house("text", PLAIN)
async def test_a_plain_turn_asks_the_model_no_more_often(speak: Setup, text: str) -> None:
    counts = []
    for frequency in ("once", "where_needed"):
        speaker = await speak(model(DONE), workflow={"frequency": frequency})
        await speaker.say(text)
        assert not decisions_asked(speaker)
        assert speaker.model
        counts.append(len(speaker.model.requests))
    assert counts[0] == counts[1]


@in_one_house("text", PLAIN)
async def test_after_each_agent_it_is_looked_again_where_that_is_wanted(
    speak: Setup, text: str
) -> None:
    speaker = await speak(model(DONE), workflow={"frequency": "after_each"})
    said = await speaker.say(text)
    assert len(decisions_asked(speaker)) == 1
    assert said.reply


async def test_what_is_plain_in_a_sentence_with_steps_is_done_in_any_case(speak: Setup) -> None:
    speaker = await speak(model(DONE))
    said = await speaker.say(
        "turn off whatever is on in the hallway and tell me what it was and close the kitchen blinds"
    )
    assert {"light.hallway_ceiling", "cover.kitchen_blinds"} <= set(said.changes)
    assert len(decisions_asked(speaker)) == 1


async def test_a_command_that_depends_on_a_step_is_not_lost(speak: Setup) -> None:
    speaker = await speak(model(DONE, agent="home-agent"))
    await speaker.say(
        "open the kitchen blinds a little and close the kitchen blinds and tell me what it was"
    )
    agents = [agent["id"] for agent in traces(speaker.hass)[-1].agents]
    assert len(agents) == 2


async def test_of_what_was_partly_done_before_only_the_rest_is_done(speak: Setup) -> None:
    plans = iter(["turn_off", "turn_off"])

    def answer(messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        if schema and "actions" in schema["properties"]:
            return {"actions": [{"action": next(plans)}]}
        return decide(messages, schema)

    decide = model(forward("light-agent", "turn off whatever light is on downstairs"), DONE)
    speaker = await speak(answer)
    said = await speaker.say(
        "turn off whatever glows in the hallway and then say something, also downstairs"
    )
    targets = [
        call["service_data"]["entity_id"] for call in speaker.calls if call["domain"] == "light"
    ]
    assert len(targets) == 2
    assert not set(targets[0]) & set(targets[1])
    assert said.reply.endswith(
        "and turned off Desk Lamp, Kitchen Ceiling, Kitchen Counter, Kitchen Pendant and Reading Lamp."
    )


async def test_steps_are_never_learnt_as_one_decision(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(model(DONE))
    for _ in range(3):
        await speaker.say("turn on the hallway ceiling")
        speaker.conversation_id = None
        await speaker.say(STEPS)
        speaker.conversation_id = None
    assert not assistant_of(hass).lessons.all


def splitting(
    *parts: tuple[str, str, bool], plans: Mapping[str, Any], then: list[dict[str, Any]]
) -> Answerer:
    """Return a capable model that splits into parts (agent, instruction, whether it asks), and decides `then`.

    `plans` are its plans by a word of the request.
    """

    def answer(messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        if is_decision(schema):
            return then.pop(0) if then else DONE
        if schema and "parts" in schema["properties"]:
            keys = ("agent", "instruction", "asks")
            written = [dict(zip(keys, part, strict=True)) for part in parts]
            sure = {"later": "", "confidence": 0.95}
            return {"parts": [each | sure for each in written], "question": ""}
        if schema and "steps" in schema["properties"]:
            said = messages[-1].content.rpartition("Request: ")[2]
            plan: dict[str, Any] = next((plan for word, plan in plans.items() if word in said), {})
            return {"steps": [], "ask": "", "refuse": ""} | plan
        return "It was the hallway ceiling."

    return answer


OFF = {"steps": [{"action": "turn_off", "targets": ["Hallway Ceiling"]}]}


async def test_a_capable_models_step_waits_for_what_it_depends_on(speak: Setup) -> None:
    told = ("general", "tell me what was turned off", True)
    speaker = await speak(
        splitting(
            ("light", "turn off whatever is on in the hallway", False),
            told,
            plans={"hallway": OFF},
            then=[forward("general-agent", "Say what was turned off.")],
        ),
        contract="capable",
    )
    said = await speaker.say(STEPS)
    assert set(said.changes) == {"light.hallway_ceiling"}
    assert said.reply.endswith("It was the hallway ceiling.")
    assert len(decisions_asked(speaker)) == 2
    talks = [ask for ask in others_asked(speaker) if not ask.schema]
    assert len(talks) == 1, "it is told once, with what was done"
    assert "Data: " in talks[0].messages[-1].content


async def test_a_capable_models_step_that_failed_is_decided_anew(speak: Setup) -> None:
    speaker = await speak(
        splitting(
            ("music", "see to it that the hallway ceiling rests", False),
            plans={"rests": {"refuse": "That is no music."}, "off": OFF},
            then=[forward("light-agent", "turn the hallway ceiling off")],
        ),
        contract="capable",
    )
    said = await speaker.say("see to it that the hallway ceiling rests")
    assert set(said.changes) == {"light.hallway_ceiling"}
    assert "music" not in said.reply
    assert len(decisions_asked(speaker)) == 2


@in_one_house("frequency", ["once", "where_needed"])
async def test_what_a_capable_model_did_whole_takes_no_decision(
    speak: Setup, frequency: str
) -> None:
    speaker = await speak(
        splitting(
            ("light", "make the hallway ceiling rest", False),
            ("light", "let the hallway ceiling rest a while", False),
            plans={"rest": OFF},
            then=[],
        ),
        contract="capable",
        workflow={"frequency": frequency},
    )
    said = await speaker.say("the hallway ceiling may rest and nothing else")
    assert set(said.changes) <= {"light.hallway_ceiling"}
    assert not decisions_asked(speaker)
    assert speaker.model
    assert len(speaker.model.requests) == 3


async def test_once_is_once(speak: Setup) -> None:
    speaker = await speak(model(DONE), workflow={"frequency": "once"})
    await speaker.say(STEPS)
    assert not decisions_asked(speaker)


async def test_what_is_not_for_the_agent_that_was_chosen_goes_to_another(speak: Setup) -> None:
    speaker = await speak(
        model(forward("home-agent", "close the kitchen blinds"), DONE, agent="climate-agent")
    )
    said = await speaker.say("could somebody see to it that the kitchen blinds are closed for once")
    assert "cover.kitchen_blinds" in said.changes
    assert "thermostat" not in said.reply.casefold()


async def test_a_router_that_loops_for_ever_repeats_no_action(speak: Setup) -> None:
    """It says the same in other words each time, and still nothing happens twice."""
    words = iter(
        f"{verb} the hallway ceiling{end}"
        for end in ("", " now", " please", " then")
        for verb in ("turn off", "switch off", "please turn off", "please switch off")
    )

    def answer(messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        if is_decision(schema):
            return forward("light-agent", next(words))
        return model(DONE)(messages, schema)

    speaker = await speak(answer)
    said = await speaker.say(STEPS)
    assert switched(speaker) == ["turn_off"]
    assert said.reply == "Turned off Hallway Ceiling (Mirror Light was off already)."
    assert len(decisions_asked(speaker)) < 10


async def test_what_home_assistant_did_is_not_done_again_either(speak: Setup) -> None:
    speaker = await speak(
        model(
            forward("home-agent", "close the kitchen blinds"),
            forward("home-agent", "shut the kitchen blinds"),
            agent="climate-agent",
        )
    )
    said = await speaker.say("could somebody see to it that the kitchen blinds are closed for once")
    covers = [call["service"] for call in speaker.calls if call["domain"] == "cover"]
    assert covers == ["close_cover"]
    assert "cover.kitchen_blinds" in said.changes


async def test_what_has_no_target_may_be_done_again(speak: Setup) -> None:
    """Nothing tells a second timer from the same that was asked for again."""
    speaker = await speak(
        model(
            forward("home-agent", "set a timer for ten minutes"),
            forward("home-agent", "start a timer for ten minutes"),
            DONE,
        )
    )
    await speaker.say(f"{STEPS} and count ten minutes", area="Kitchen")
    manager = speaker.hass.data["intent.timer"]
    timers = list(manager.timers)
    for timer_id in timers:
        manager.cancel_timer(timer_id)
    assert len(timers) == 2


async def test_a_gatekeeper_that_cannot_be_asked_is_done_without(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(
        workflow={
            "strategy": "gatekeeper",
            "gatekeeper_url": "http://127.0.0.1:1",
            "gatekeeper_token": "caf\u00e9",
        }
    )
    said = await speaker.say("turn off the kitchen lights")
    assert said.changes
    assert "caf\u00e9" not in caplog.text
    assert "token" in caplog.text


@in_one_house(
    "invented",
    ["turn on the floor lamp", "turn off everything", "dim the hallway ceiling to 5 percent"],
)
async def test_what_a_model_invents_is_not_done(speak: Setup, invented: str) -> None:
    speaker = await speak(model(forward("light-agent", invented), DONE))
    said = await speaker.say(STEPS)
    assert set(said.changes) == {"light.hallway_ceiling"}
    assert switched(speaker) == ["turn_off"]


@pytest.mark.parametrize("area", [None, "Kitchen"])
async def test_what_goes_on_in_a_models_words_is_only_done_with_what_was_meant(
    speak: Setup, area: str | None
) -> None:
    """Ask before what plays is stopped because a model said "jazz" of a thermostat."""
    plans = iter([[{"action": "nothing"}], [{"action": "stop"}]])
    forwarding = model(forward("music-agent", "jazz"), DONE, agent="climate-agent")

    def hostile(messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        if schema and "actions" in schema["properties"]:
            return {"actions": next(plans)}
        return forwarding(messages, schema)

    speaker = await speak(hostile)
    said = await speaker.say("let the bedroom thermostat feel like spring", area=area)
    assert not said.changes, said.reply
    assert said.reply == "The Kitchen Speaker?"
    assert list((await speaker.say("yes")).changes) == ["media_player.kitchen_speaker"]


@in_one_house(
    "claim",
    [
        "I have unlocked the front door.",
        "The front door is unlocked.",
        "I turned off all of the speakers.",
        "I set the hallway ceiling to 30 percent.",
    ],
)
async def test_of_what_was_done_nothing_else_is_told(speak: Setup, claim: str) -> None:
    speaker = await speak(
        model(forward("general-agent", "Say what was turned off."), DONE, talk=claim)
    )
    said = await speaker.say(STEPS)
    assert claim not in said.reply
    assert "Turned off Hallway Ceiling" in said.reply


async def test_what_is_for_later_is_not_done_by_whoever_goes_on(speak: Setup) -> None:
    speaker = await speak(
        model(forward("light-agent", "don't turn off whatever is on in the hallway"), DONE)
    )
    await speaker.say(STEPS)
    assert switched(speaker) == ["turn_off"]


async def test_nobody_goes_on_while_a_question_is_open(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(model(DONE))
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("light"))
    said = await speaker.say(STEPS)
    assert said.result.continue_conversation
    assert not said.changes
    assert not decisions_asked(speaker)


async def test_a_question_does_not_swallow_a_command(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(model(DONE))
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("light"))
    said = await speaker.say(f"{STEPS} and play some jazz, whatever is there, in the living room")
    assert said.result.continue_conversation
    assert len(traces(hass)[-1].agents) == 2
    assert "search_media" in {call["service"] for call in said.calls}


async def test_whoever_goes_on_is_held_to_the_policies_too(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(model(forward("home-agent", "close the kitchen blinds"), DONE))
    hass.data[DATA_POLICY] = Rule(PolicyEffect.DENY, of_domain("cover"))
    said = await speaker.say(f"{STEPS}, and see to the kitchen blinds")
    assert "cover.kitchen_blinds" not in said.changes
    assert "It is late." in said.reply


async def test_a_router_that_fails_leaves_the_turn_as_the_first_choice_made_it(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(model({"workflow_complete": "perhaps"}))
    said = await speaker.say(STEPS)
    assert switched(speaker) == ["turn_off"]
    assert said.reply.startswith("Turned off Hallway Ceiling (Mirror Light was off already).")
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_model_port_that_breaks_at_a_next_step_leaves_what_was_done_and_said(
    speak: Setup, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(model(DONE))
    complete = OpenAIClient.complete

    async def breaking(client: OpenAIClient, *args: Any, **options: Any) -> Any:
        if is_decision(options.get("schema")):
            raise KeyError("swordfish")
        return await complete(client, *args, **options)

    monkeypatch.setattr(OpenAIClient, "complete", breaking)
    said = await speaker.say(STEPS)
    assert switched(speaker) == ["turn_off"]
    assert said.reply.startswith("Turned off Hallway Ceiling (Mirror Light was off already).")
    assert "Something went wrong" not in said.reply
    cause = "ExecutionFailed in routing: llm_router_agent failed (unexpected): KeyError"
    assert cause in caplog.text
    assert "swordfish" not in caplog.text


async def test_agents_are_told_nothing_of_all_this(speak: Setup) -> None:
    speaker = await speak(model(forward("general-agent", "Say what was turned off."), DONE))
    await speaker.say(STEPS)
    decided = decisions_asked(speaker)[0]
    assert "WORKFLOW HISTORY" in str(decided.messages)
    assert STEPS in str(decided.messages)
    for ask in others_asked(speaker)[1:]:
        prompt = str(ask.messages) + json.dumps(ask.schema)
        for word in ("WORKFLOW", "ITERATION", "AVAILABLE AGENTS", "-agent", "next_agent"):
            assert word not in prompt


@in_one_house(
    ("agent", "contract"),
    [
        *product(["light", "music", "climate"], ["small", "capable"]),
        ("home", "capable"),
        ("general", "capable"),
    ],
)
async def test_no_specialists_prompt_tells_of_routing(
    hass: HomeAssistant, speak: Setup, agent: str, contract: str
) -> None:
    """Nor that of who has all else of the home, or of who talks."""
    said = "gnorp the fizzle"
    planned = planning(agent, {"action": "nothing"})
    split = splitting((agent, said, False), plans={}, then=[])
    answer = split if contract == "capable" else planned
    speaker = await speak(answer, contract=contract, workflow={"frequency": "once"})
    await speaker.say(said)
    routed, *asked = others_asked(speaker)
    assert {"agentId", "parts"} & routed.schema["properties"].keys()
    assert asked
    others = [each for each in assistant_of(hass).registry if each.card.id != f"{agent}-agent"]
    cards = [other.card for other in others if other.card.description]
    assert len(cards) > 3
    for ask in asked:
        prompt = str(ask.messages) + json.dumps(ask.schema)
        assert not [card.id for card in cards if card.description in prompt]
        for word in ("WORKFLOW", "ITERATION", "AVAILABLE AGENTS", "-agent", "next_agent"):
            assert word not in prompt


async def test_the_trace_tells_how_it_was_decided(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(model(forward("general-agent", "Say what was turned off."), DONE))
    await speaker.say(STEPS)
    trace = traces(hass)[-1]
    assert [step.get("agent_id") for step in trace.as_json()["routing_trace"]] == [
        "general-agent",
        None,
    ]
    assert [agent["id"] for agent in trace.agents] == ["light-agent", "general-agent"]


async def test_the_temperature_of_next_steps_is_their_own(speak: Setup) -> None:
    speaker = await speak(
        model(DONE), workflow={"temperature": 0.7}, router={"temperature": 0.2, "max_attempts": 1}
    )
    await speaker.say(STEPS)
    [decision] = decisions_asked(speaker)
    assert decision.body["temperature"] == 0.7
    first = [ask for ask in others_asked(speaker) if "agentId" in ask.schema["properties"]]
    assert [ask.body["temperature"] for ask in first] == [0.2]


async def test_who_is_stopped_at_the_limit_says_so(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    decisions = [
        forward("general-agent", f"Say {word} of it.") for word in ("some", "much", "more")
    ]
    speaker = await speak(
        model(*decisions, talk="It was the ceiling."), workflow={"max_iterations": 2}
    )
    said = await speaker.say(STEPS)
    assert said.reply == (
        "Turned off Hallway Ceiling (Mirror Light was off already). It was the ceiling."
        " I stopped there, because it took too many steps."
    )
    assert "Max iterations reached, completing workflow" in caplog.messages


STAFF = ("research", "writer", "editor", "judge")
STORY = [
    ("research-agent", "Research Herodotus's military campaigns"),
    ("writer-agent", "Write comprehensive document from this research"),
    ("editor-agent", "Polish this document to publication quality"),
    ("judge-agent", "Evaluate document quality and completeness"),
    ("research-agent", "Research Herodotus's strategic insights"),
    ("writer-agent", "Integrate this strategic analysis into the existing document"),
    ("editor-agent", "Polish the updated document"),
    ("judge-agent", "Final quality check"),
]


@pytest.fixture
async def staff(hass: HomeAssistant) -> list[dict[str, Any]]:
    """Set up four scripts that work, and return what each of them was told, in order."""
    told: list[dict[str, Any]] = []

    @callback
    def note(event: Event) -> None:
        """Note what was told, in the order in which it was: no thread may overtake another."""
        told.append(dict(event.data))

    hass.bus.async_listen("told", note)
    scripts = {
        name: {
            "sequence": [
                {
                    "event": "told",
                    "event_data": {
                        "by": f"{name}-agent",
                        "instruction": "{{ instruction }}",
                        "data": "{{ data }}",
                    },
                },
                {"variables": {"result": {"speech": f"{name} did: {{{{ instruction }}}}"}}},
                {"stop": "done", "response_variable": "result"},
            ]
        }
        for name in STAFF
    }
    assert await async_setup_component(hass, "script", {"script": scripts})
    return told


async def hire(hass: HomeAssistant) -> None:
    """Register the scripts as agents."""
    for name in STAFF:
        await hass.services.async_call(
            DOMAIN,
            "register_agent",
            {
                "agent_id": f"{name}-agent",
                "name": name.capitalize(),
                "description": f"Does {name} work.",
                "capabilities": [f"{name}ing"],
                "script": f"script.{name}",
            },
            blocking=True,
        )


async def run_task(hass: HomeAssistant, **task: Any) -> dict[str, Any]:
    """Give an agent a task by the action."""
    agent_id, instruction = STORY[0]
    envelope = {
        "task_id": "0b5c9c5e-9d0e-4ac5-9e3d-54f0a7d9f1c1",
        "conversation_id": "library",
        "topic": f"/control/agents/{agent_id}/input",
        "instruction": instruction,
        "input": {},
        "version": "2.0",
        "context": {
            "original_query": "Create a fully polished document on Herodotus's military campaigns",
            "steps_completed": [],
            "iteration_count": 0,
        },
    } | task
    response = await hass.services.async_call(
        DOMAIN, "run_task", {"task": envelope}, blocking=True, return_response=True
    )
    await hass.async_block_till_done()
    assert response
    return dict(response)


async def test_the_eight_steps_of_the_example_run_in_the_house(
    hass: HomeAssistant, speak: Setup, staff: list[dict[str, Any]]
) -> None:
    decisions = [forward(*step) for step in STORY[1:]]
    speaker = await speak(model(*decisions, DONE))
    await hire(hass)
    done = await run_task(hass)
    assert [(told["by"], told["instruction"]) for told in staff] == STORY
    assert (done["end"], done["state"]) == ("complete", "completed")
    assert done["reply"] == "judge did: Final quality check"
    assert done["task"]["context"]["iteration_count"] == 7
    assert [step["agent_id"] for step in done["task"]["context"]["steps_completed"]] == [
        agent_id for agent_id, _ in STORY[:-1]
    ]
    assert "writer did: Integrate" in str(staff[6]["data"])
    history = decisions_asked(speaker)[-1].messages[-1].content
    assert (
        "WORKFLOW HISTORY (Iteration 7/10):" in history
        or "WORKFLOW HISTORY (Iteration 8/10):" in history
    )


async def test_a_chain_of_version_one_runs_without_a_model(
    hass: HomeAssistant, speak: Setup, staff: list[dict[str, Any]]
) -> None:
    await speak()
    await hire(hass)
    done = await run_task(
        hass,
        version="1.0",
        context=None,
        next={
            "topic": "/control/agents/writer-agent/input",
            "instruction": "Continue",
            "next": {
                "topic": "/control/agents/light-agent/input",
                "instruction": "turn off the kitchen lights",
            },
        },
    )
    assert [told["by"] for told in staff] == ["research-agent", "writer-agent"]
    state = hass.states.get("light.kitchen_ceiling")
    assert state
    assert state.state == "off"
    assert done["end"] == "complete"
    assert done["reply"] == "Turned off Kitchen Ceiling, Kitchen Counter and Kitchen Pendant."


async def test_a_step_of_a_chain_may_do_again_what_one_before_it_did(
    hass: HomeAssistant, speak: Setup
) -> None:
    """On, off, and on again: what is fixed from the start is done as it stands."""
    speaker = await speak()
    topic = "/control/agents/light-agent/input"
    done = await run_task(
        hass,
        version="1.0",
        context=None,
        topic=topic,
        instruction="turn on the floor lamp",
        next={
            "topic": topic,
            "instruction": "turn off the floor lamp",
            "next": {"topic": topic, "instruction": "turn on the floor lamp"},
        },
    )
    assert done["end"] == "complete"
    assert switched(speaker) == ["turn_on", "turn_off", "turn_on"]


async def test_the_task_in_the_document_runs(hass: HomeAssistant, speak: Setup) -> None:
    text = (Path(__file__).parent.parent / "docs/routing.md").read_text("utf-8")
    (task,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    await speak()
    response = await hass.services.async_call(
        DOMAIN, "run_task", {"task": json.loads(task)}, blocking=True, return_response=True
    )
    assert response
    assert (response["end"], response["state"]) == ("complete", "completed")
    speaker = hass.states.get("media_player.kitchen_speaker")
    assert speaker
    assert speaker.state != "playing"


async def test_a_plain_task_does_what_it_says(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    done = await run_task(
        hass,
        topic="/control/agents/light-agent/input",
        instruction="turn off the kitchen lights",
        context=None,
        version="1.0",
    )
    assert done["state"] == "completed"
    assert {call["action"] for call in done["calls"]} == {"light.turn_off"}


def nested(depth: int, key: str = "inner") -> dict[str, Any]:
    """Return objects in each other."""
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {key: found}
    return found


async def test_a_task_may_have_data_in_data(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    done = await run_task(
        hass,
        topic="/control/agents/light-agent/input",
        instruction="turn off the kitchen lights",
        input={"rooms": [{"name": "kitchen", "lamps": [nested(20)]}]},
    )
    assert done["state"] == "completed"


@pytest.mark.parametrize(
    ("agent", "contract", "most"),
    [
        ("general-agent", "small", 2000),
        ("general-agent", "capable", 2000),
        ("light-agent", "capable", 1000),
    ],
)
async def test_of_long_data_the_beginning_is_read(
    hass: HomeAssistant, speak: Setup, agent: str, contract: str, most: int
) -> None:
    speaker = await speak(splitting(plans={}, then=[]), contract=contract)
    await run_task(
        hass,
        topic=f"/control/agents/{agent}/input",
        instruction="make something cosy of it",
        context=None,
        input={"text": "x" * 5000},
        version="1.0",
    )
    asked = [ask.messages[-1].content for ask in others_asked(speaker)]
    data = [line for text in asked for line in text.splitlines() if line.startswith("Data: ")]
    assert {len(line) for line in data} == {len("Data: ") + most}
    assert all(line.startswith('Data: {"text": "xxx') for line in data)


async def test_home_assistants_own_agent_hears_the_instruction_alone(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    done = await run_task(
        hass,
        topic="/control/agents/home-agent/input",
        instruction="what time is it",
        context=None,
        input={"text": "swordfish"},
        version="1.0",
    )
    assert done["state"] == "completed"
    assert re.search(r"\d", done["reply"])


@in_one_house(
    ("wrong", "key"),
    [
        ({"topic": "/control/agents/nobody-agent/input"}, "no_such_agent"),
        ({"topic": "/control/agents/fallback-agent/input"}, "no_such_agent"),
        ({"topic": "lights"}, "invalid_task"),
        ({"version": "3.0"}, "invalid_task"),
        ({"conversation_id": ""}, "invalid_task"),
        ({"instruction": None, "context": None}, "invalid_task"),
        ({"instruction": "x" * 2001}, "invalid_task"),
        ({"next": {"topic": "lights"}}, "invalid_task"),
        ({"input": nested(3000)}, "task_too_large"),
        ({"input": {"rooms": [1, nested(100)]}}, "task_too_large"),
        ({"next": nested(3000, "next")}, "task_too_large"),
        ({"context": {"original_query": "x", "steps_completed": nested(3000)}}, "task_too_large"),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_what_is_no_task_is_refused_in_words(
    hass: HomeAssistant, speak: Setup, wrong: dict[str, Any], key: str
) -> None:
    from homeassistant.exceptions import ServiceValidationError

    speaker = await speak()
    with pytest.raises(ServiceValidationError) as refused:
        await run_task(hass, **wrong)
    assert refused.value.translation_key == key
    assert not switched(speaker)


async def test_a_task_leaves_a_question_that_is_open(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on the bedside lamp")
    assert asked.result.continue_conversation
    done = await run_task(
        hass,
        conversation_id=speaker.conversation_id,
        topic="/control/agents/light-agent/input",
        instruction="turn off the kitchen lights",
    )
    assert done["state"] == "completed"
    assert (await speaker.say("the left one")).changes == {}

"""An A2A agent answers as one of the house's agents: through the policies, in words, and truthfully."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
import logging
from typing import Any

from aiohttp import web
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import intent
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.chat_session import DATA_CHAT_SESSION
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.bellboard.a2a import errors
from custom_components.bellboard.a2a.client import A2AClient
from custom_components.bellboard.agents.a2a import MAX_SPOKEN, SEND_ACTION, A2AAgent
from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.agents.speech import speakable
from custom_components.bellboard.nlu.loader import async_get_language, available_languages
from custom_components.bellboard.policy.file import DATA_POLICY
from custom_components.bellboard.policy.lookup import RegistryLookup
from custom_components.bellboard.policy.parsing import read_rules
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine
from tests.conftest import Setup, Speaker
from tests.servers.a2a import A2AServer, Work
from tests.test_services import THIRSTY, assistant_of, choosing

CARD = AgentCard(id="garden-agent", name="Garden", description="Looks after the garden.")


@pytest.fixture
async def server() -> AsyncGenerator[A2AServer]:
    async with A2AServer() as server:
        yield server


def add_agent(hass: HomeAssistant, server: A2AServer, **options: Any) -> A2AAgent:
    """Give the assistant the agent."""
    client = A2AClient(async_get_clientsession(hass), server.url)
    agent = A2AAgent(CARD, client, **options)
    assistant_of(hass).registry.register(agent)
    return agent


@pytest.fixture
async def speaker(hass: HomeAssistant, speak: Setup, server: A2AServer) -> Speaker:
    """Return someone whose sentences about the garden go to the agent."""
    speaker = await speak(choosing("garden"))
    add_agent(hass, server)
    return speaker


def ending(state: str, text: str = "") -> Callable[[Work], Awaitable[None]]:
    """Return what ends each task in this state."""

    async def act(work: Work) -> None:
        await work.end(state, text)

    return act


async def ask_which(work: Work) -> None:
    """Ask which roses, until that is answered."""
    if work.context.current_task:
        await work.end("complete", f"Watered: {work.text}")
    else:
        await work.end("requires_input", "Which roses?")


async def test_the_agent_answers_in_its_own_words(speaker: Speaker, server: A2AServer) -> None:
    said = await speaker.say(THIRSTY)
    assert said.reply == "The roses have water now."
    assert said.result.response.response_type is not intent.IntentResponseType.ERROR
    assert not said.result.continue_conversation


async def test_nothing_is_sent_but_the_instruction_and_the_language(
    speaker: Speaker, server: A2AServer
) -> None:
    await speaker.say(THIRSTY, area="Kitchen", language="de")
    (call,) = [call for call in server.calls if call["method"] == "SendMessage"]
    message = call["params"]["message"]
    del message["messageId"]
    assert message == {
        "role": "ROLE_USER",
        "parts": [{"text": THIRSTY}],
        "metadata": {"language": "de"},
    }


async def test_its_part_alone_is_sent(speaker: Speaker, server: A2AServer) -> None:
    said = await speaker.say("turn off the kitchen pendant and give the roses a drink")
    assert [heard.get_user_input() for heard in server.heard] == ["give the roses a drink"]
    assert said.reply == "Turned off Kitchen Pendant. The roses have water now."


async def test_a_conversation_stays_one_at_the_agent(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    await speaker.say(THIRSTY)
    await speaker.say("the tulips look thirsty")
    assert len({heard.context_id for heard in server.heard}) == 1
    speaker.conversation_id = None
    await speaker.say(THIRSTY)
    assert len({heard.context_id for heard in server.heard}) == 2


async def test_what_one_person_told_the_agent_is_no_context_of_anothers(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    anna, ben = (
        Context(user_id=MockUser(id=name, is_owner=True).add_to_hass(hass).id)
        for name in ("anna", "ben")
    )
    for context in (anna, ben, anna):
        # An id of one's own stays the same when the session ends, as that of an automation does.
        speaker.conversation_id = "garden talk"
        await speaker.say(THIRSTY, context=context)
        hass.data[DATA_CHAT_SESSION].pop("garden talk").async_cleanup()
    first, second, third = (heard.context_id for heard in server.heard)
    assert first == third
    assert first != second


@pytest.mark.parametrize("answer", ["the red ones", "no", "yes"])
async def test_a_question_stays_open_and_its_answer_goes_to_the_same_task(
    speaker: Speaker, server: A2AServer, answer: str
) -> None:
    server.act = ask_which
    said = await speaker.say(THIRSTY)
    assert said.reply == "Which roses?"
    assert said.result.continue_conversation
    said = await speaker.say(answer)
    assert said.reply == f"Watered: {answer}"
    first, second = server.heard
    assert first.task_id == second.task_id


async def test_a_question_that_is_left_is_not_answered_by_the_next_request(
    speaker: Speaker, server: A2AServer
) -> None:
    server.act = ask_which
    await speaker.say(THIRSTY)
    assert (await speaker.say("never mind")).reply == "All right, I leave it as it is."
    assert (await speaker.say(THIRSTY)).reply == "Which roses?"
    assert len({heard.task_id for heard in server.heard}) == 2


async def test_an_answer_to_a_task_that_is_gone_is_a_new_request(
    speaker: Speaker, server: A2AServer
) -> None:
    server.act = ask_which
    await speaker.say(THIRSTY)
    await server.stop()
    await server.start()
    assert (await speaker.say("the red ones")).reply == "Which roses?"


@pytest.mark.parametrize(
    ("state", "words", "reply"),
    [
        ("failed", "The tap is closed.", "The tap is closed."),
        ("failed", "", "Garden could not do that."),
        ("reject", "", "Garden won't do that."),
        ("reject", "I only water at night.", "I only water at night."),
        ("cancel", "", "Garden stopped before it was done."),
        ("requires_auth", "Sign in at example.org.", "Garden wants you to sign in there first."),
        ("requires_input", "", "Garden gave me an answer I can't use."),
    ],
)
async def test_what_was_not_done_is_told(
    speaker: Speaker, server: A2AServer, state: str, words: str, reply: str
) -> None:
    server.act = ending(state, words)
    said = await speaker.say(THIRSTY)
    assert said.reply == reply
    assert said.result.response.response_type is intent.IntentResponseType.ERROR
    assert not said.result.continue_conversation


async def test_a_task_without_words_is_said_to_be_done(speaker: Speaker, server: A2AServer) -> None:
    server.act = ending("complete")
    assert (await speaker.say(THIRSTY)).reply == "Garden has done it."


def failing(status: int = 200, body: bytes = b"{}") -> Any:
    """Return what answers each call with a failure."""

    async def fail(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=body, content_type="application/json")

    return fail


@pytest.mark.parametrize(
    ("behaviour", "reply"),
    [
        (failing(body=b"{nonsense"), "Garden gave me an answer I can't use."),
        (failing(401), "Garden doesn't accept my key."),
        (failing(404), "Garden could not do that."),
        (failing(429), "Garden is busy. Please try again in a moment."),
        (failing(500), "Garden could not do that."),
    ],
)
async def test_a_failure_is_one_sentence_and_one_line_in_the_log(
    speaker: Speaker,
    server: A2AServer,
    caplog: pytest.LogCaptureFixture,
    behaviour: Any,
    reply: str,
) -> None:
    asked: list[str] = []

    async def counted(request: web.Request) -> web.StreamResponse:
        asked.append((await request.json())["method"])
        response: web.StreamResponse = await behaviour(request)
        return response

    server.behaviour = counted
    said = await speaker.say(THIRSTY)
    assert said.reply == reply
    assert said.result.response.response_type is intent.IntentResponseType.ERROR
    told = [r for r in caplog.records if "bellboard" in r.name and r.levelno >= logging.WARNING]
    assert len(told) == 1
    assert THIRSTY not in told[0].getMessage()
    assert asked == ["SendMessage"]


async def test_an_agent_that_is_away_is_told(speaker: Speaker, server: A2AServer) -> None:
    await server.stop()
    assert (await speaker.say(THIRSTY)).reply == "I can't reach Garden right now."


async def test_an_agent_that_is_slow_is_stopped_and_told(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    async def never(work: Work) -> None:
        await work.task.start_work()
        await asyncio.Event().wait()

    server.act = never
    add_agent(hass, server, seconds=0.5)
    assert (await speaker.say(THIRSTY)).reply == "Garden took too long to answer."
    assert len(server.canceled) == 1


async def test_a_refused_token_is_reported(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    reported: list[bool] = []

    def note(*, is_accepted: bool) -> None:
        reported.append(is_accepted)

    add_agent(hass, server, on_token=note)
    server.behaviour = failing(401)
    await speaker.say(THIRSTY)
    server.behaviour = failing(500)
    await speaker.say(THIRSTY)
    server.behaviour = None
    await speaker.say(THIRSTY)
    assert reported == [False, True]


async def set_rule(hass: HomeAssistant, **rule: Any) -> None:
    """Hold what is sent to the agent to one rule."""
    match = {"action": SEND_ACTION, "parameters": {"agent_id": CARD.id}}
    rules = read_rules({"rules": [{"name": "garden", "match": match, **rule}]})
    house = RegistryLookup(hass)
    await house.async_start()
    hass.data[DATA_POLICY] = RulePolicyEngine(rules, house)


async def test_what_a_rule_denies_is_not_sent(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    await set_rule(hass, effect="deny", reason="The garden is closed.")
    said = await speaker.say(THIRSTY)
    assert said.reply == "The garden is closed."
    assert server.calls == []


async def test_what_a_rule_asks_about_is_sent_after_a_yes(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    server.act = ask_which
    await set_rule(hass, effect="confirm", reason="That goes out of the house.")
    said = await speaker.say(THIRSTY)
    assert said.reply.startswith("That goes out of the house.")
    assert server.calls == []
    assert (await speaker.say("yes")).reply == "Which roses?"
    assert server.heard[0].get_user_input() == THIRSTY
    assert (await speaker.say("the red ones")).reply.startswith("That goes out of the house.")
    assert (await speaker.say("yes")).reply == "Watered: the red ones"
    first, second = server.heard
    assert first.task_id == second.task_id


async def test_a_dry_run_sends_nothing(
    hass: HomeAssistant, speaker: Speaker, server: A2AServer
) -> None:
    found = await hass.services.async_call(
        "bellboard",
        "process",
        {"text": THIRSTY, "dry_run": True},
        blocking=True,
        return_response=True,
    )
    assert found
    assert server.calls == []


async def test_the_ids_of_old_conversations_are_forgotten(
    hass: HomeAssistant, server: A2AServer
) -> None:
    agent = A2AAgent(CARD, A2AClient(async_get_clientsession(hass), server.url))
    for number in range(150):
        agent._keep_context((None, f"talk {number}"), "there")
    assert len(agent._contexts) == 100
    assert (None, "talk 149") in agent._contexts


# Speech


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("**Done.**\n\n- roses\n- tulips", "Done. roses tulips"),
        ("See [the plan](https://example.org/a?b=c) ✅.", "See the plan ."),
        ("<b>5 < 6</b> > 4", "5 < 6 > 4"),
        ("# Garden\n> quoted `code`", "Garden quoted code"),
        ("-5 degrees", "-5 degrees"),
        ("", ""),
    ],
)
def test_a_reply_is_spoken_without_its_markup(text: str, spoken: str) -> None:
    assert speakable(text, MAX_SPOKEN) == spoken


@pytest.mark.parametrize(
    ("text", "most", "spoken"),
    [
        ("One. Two. Three.", 12, "One. Two."),
        ("One. Two. Three.", 9, "One. Two."),
        ("One two three", 9, "One two…"),
        ("Onetwothree", 6, "Onetw…"),
        ("x" * 100_000, 10, "xxxxxxxxx…"),
    ],
)
def test_a_long_reply_ends_after_a_whole_sentence(text: str, most: int, spoken: str) -> None:
    assert speakable(text, most) == spoken
    assert len(spoken) <= most


@pytest.mark.parametrize("code", available_languages())
async def test_every_failure_has_its_sentence_in_every_language(
    hass: HomeAssistant, code: str
) -> None:
    language = await async_get_language(hass, code)
    found = [each for each in vars(errors).values() if isinstance(each, type)]
    kinds = {each.kind for each in found if issubclass(each, errors.A2AError)}
    for key in (kinds - {"invalid_address"}) | {"rejected", "canceled", "done", "auth_required"}:
        assert "Garden" in language.say(f"a2a.{key}", name="Garden")

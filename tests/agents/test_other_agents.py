"""The home agent hands over to Home Assistant; the general agent talks and controls nothing."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import intent
import pytest

from custom_components.bellboard.agents.general import GeneralAgent
from custom_components.bellboard.nlu.loader import async_get_language
from tests.conftest import Setup
from tests.routing.reading import traces
from tests.servers import Message

from .conftest import Ask, called


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("set a timer for 5 minutes", "Timer set for 5 minutes"),
        ("what is the temperature in the kitchen", "21.4 degrees"),
    ],
)
async def test_home_assistant_answers_what_is_its_own(speak: Setup, text: str, reply: str) -> None:
    said = await (await speak()).say(text, area="Kitchen")
    assert said.reply == reply


async def test_home_assistant_tells_the_date(speak: Setup) -> None:
    assert "20" in (await (await speak()).say("what is the date")).reply


async def test_home_assistant_acts_on_what_no_specialist_has(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = await (await speak()).say("close the kitchen blinds")
    assert [action for action, _ in called(said.calls)] == ["cover.close_cover"]
    assert hass.states.is_state("cover.kitchen_blinds", "closed")


async def test_the_conversation_goes_on_through_both(speak: Setup) -> None:
    speaker = await speak()
    first = await speaker.say("what time is it")
    conversation_id = speaker.conversation_id
    await speaker.say("turn on the floor lamp")
    last = await speaker.say("add milk to my shopping list")
    assert speaker.conversation_id == conversation_id
    assert first.result.conversation_id == last.result.conversation_id == conversation_id
    assert last.result.response.response_type.value == "action_done"


async def test_home_assistants_own_response_is_kept_whole(speak: Setup) -> None:
    said = await (await speak()).say("what is the temperature in the kitchen")
    assert said.result.response.response_type.value == "query_answer"
    assert said.result.response.matched_states


async def test_without_a_model_what_nobody_understands_is_refused_as_home_assistant_does(
    hass: HomeAssistant, speak: Setup
) -> None:
    text = "fold the laundry into swans"
    said = await (await speak()).say(text)
    theirs = await conversation.async_converse(hass, text, None, Context(), language="en")
    refused = theirs.response.speech["plain"]["speech"]
    assert said.reply == f"{refused}. Ask me “what can you do?” to hear what I understand."
    assert said.result.response.error_code == theirs.response.error_code


def talking(text: str) -> Any:
    """Return the answers of a model that sends everything to talk and says this."""

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any] | str:
        return {"agentId": "general"} if schema else text

    return answer


async def test_talk_that_a_model_gave_to_home_assistant_is_answered_as_talk(
    hass: HomeAssistant, speak: Setup
) -> None:
    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any] | str:
        return {"agentId": "home"} if schema else "In Weimar."

    said = await (await speak(answer)).say("where did Goethe live")
    assert said.reply == "In Weimar."
    assert [agent["id"] for agent in traces(hass)[-1].agents] == ["general-agent"]


async def test_a_command_home_assistant_does_not_know_is_refused_and_never_talked_about(
    hass: HomeAssistant, speak: Setup
) -> None:
    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any] | str:
        return {"agentId": "home"} if schema else "I have opened it."

    said = await (await speak(answer)).say("open the portcullis")
    assert "opened" not in said.reply
    assert said.result.response.error_code is not None
    assert [agent["id"] for agent in traces(hass)[-1].agents] == ["home-agent"]


async def test_the_general_agent_is_told_what_was_said_before(
    hass: HomeAssistant, speak: Setup
) -> None:
    """Its own prompt stays the same; its owner's persona, a template, ends it."""
    persona = {"persona": "You are {{ ha_name }}."}
    speaker = await speak(talking("  It was Goethe.  "), tools=persona)
    said = await speaker.say("who wrote Faust")
    assert said.reply == "It was Goethe."
    await speaker.say("when was he born though")
    assert speaker.model
    messages = speaker.model.requests[-1].messages
    assert [(m.role, m.content) for m in messages[1:]] == [
        ("user", "who wrote Faust"),
        ("assistant", "It was Goethe."),
        ("user", "when was he born though"),
    ]
    assert messages[0].role == "system"
    assert messages[0].content.endswith(f"\nYou are {hass.config.location_name}.")
    first = next(ask.messages for ask in speaker.model.requests if not ask.schema)
    assert first is not messages
    assert first[0] == messages[0]


async def test_talk_never_controls_a_device(speak: Setup) -> None:
    speaker = await speak(talking('{"actions":[{"action":"turn_off","targets":["all"]}]}'))
    said = await speaker.say("who wrote Faust")
    assert said.calls == []
    assert said.changes == {}
    assert speaker.model
    for request in speaker.model.requests:
        assert "Floor Lamp" not in str(request.messages)


async def test_a_model_that_says_nothing_is_not_repeated(speak: Setup) -> None:
    said = await (await speak(talking("   "))).say("who wrote Faust")
    assert said.reply.startswith("Sorry, I can't do that.")


async def test_without_a_model_there_is_no_talk(ask: Ask) -> None:
    answer = await GeneralAgent().async_answer(ask("who wrote Faust"))
    assert not answer.success
    assert answer.error_code.value == "no_intent_match"


class _Broken(intent.IntentHandler):
    """Handler that ends with an error which Home Assistant does not expect."""

    intent_type = "HassCancelAllTimers"

    async def async_handle(self, intent_obj: intent.Intent) -> intent.IntentResponse:
        """Fail with words that are for the log."""
        raise intent.InvalidSlotInfo("Received invalid slot info for HassCancelAllTimers")


@pytest.mark.parametrize(
    ("language", "text"), [("en", "cancel all timers"), ("de", "alle Timer abbrechen")]
)
async def test_an_error_that_nobody_expects_is_said_in_the_speakers_words(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    intent.async_register(hass, _Broken())
    said = await speaker.say(text, language=language)
    assert "slot" not in said.reply
    assert said.reply == (await async_get_language(hass, language)).say("error")

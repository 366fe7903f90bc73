"""A registered agent hands over to another conversation agent, or to a script, and tells the truth."""

from typing import Any, Literal, override

from homeassistant.components import conversation
from homeassistant.components.conversation import chat_log as chat_logs
from homeassistant.components.conversation.const import DATA_COMPONENT
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, intent
from homeassistant.setup import async_setup_component
import pytest

from tests.conftest import Setup, Speaker, voice_panel
from tests.test_services import THIRSTY, choosing, register

WATER = {"action": "light.turn_on", "target": {"entity_id": "light.kitchen_pendant"}}
GARDENER = "conversation.gardener"


class Gardener(conversation.ConversationEntity):
    """A conversation agent that is not ours."""

    entity_id = GARDENER

    def __init__(self) -> None:
        self.heard: list[conversation.ConversationInput] = []
        self.words = "The roses have water now."
        self.asks = False
        self.code: intent.IntentResponseErrorCode | None = None
        self.raises: Exception | None = None

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        return "*"

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        self.heard.append(user_input)
        if self.raises:
            raise self.raises
        response = intent.IntentResponse(language=user_input.language)
        if self.code:
            response.async_set_error(self.code, self.words)
        elif self.words:
            response.async_set_speech(self.words)
        chat_log.async_add_assistant_content_without_tools(
            conversation.AssistantContent(agent_id=GARDENER, content=self.words)
        )
        return conversation.ConversationResult(
            response, chat_log.conversation_id, continue_conversation=self.asks
        )


@pytest.fixture
async def gardener(hass: HomeAssistant, assist: None) -> Gardener:
    """Return another conversation agent."""
    entity = Gardener()
    await hass.data[DATA_COMPONENT].async_add_entities([entity])
    return entity


async def with_gardener(hass: HomeAssistant, speak: Setup, **data: Any) -> Speaker:
    """Return someone whose sentences about the garden go to the gardener."""
    speaker = await speak(choosing("garden"))
    await register(hass, **{"conversation_agent": GARDENER, **data})
    return speaker


async def with_script(hass: HomeAssistant, speak: Setup, script: dict[str, Any]) -> Speaker:
    """Return someone whose sentences about the garden go to a script."""
    assert await async_setup_component(hass, "script", {"script": {"garden": script}})
    speaker = await speak(choosing("garden"))
    await hass.services.async_call(
        "bellboard",
        "register_agent",
        {
            "agent_id": "garden-agent",
            "name": "Garden",
            "description": "Waters the garden.",
            "script": "script.garden",
        },
        blocking=True,
    )
    return speaker


# To another conversation agent


async def test_the_other_agent_answers(
    hass: HomeAssistant, speak: Setup, gardener: Gardener, hass_admin_user: Any
) -> None:
    speaker = await with_gardener(hass, speak)
    context = Context(user_id=hass_admin_user.id)
    said = await speaker.say(THIRSTY, area="Kitchen", language="de", context=context)
    assert said.reply == "The roses have water now."
    assert said.result.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert not said.result.continue_conversation
    (heard,) = gardener.heard
    assert heard.text == THIRSTY
    assert heard.language == "de"
    assert heard.agent_id == GARDENER
    assert heard.device_id == voice_panel(hass, "Kitchen")
    assert heard.context is context
    assert heard.conversation_id == f"{speaker.conversation_id}-garden-agent"


async def test_the_other_agent_keeps_its_own_conversation(
    hass: HomeAssistant, speak: Setup, gardener: Gardener
) -> None:
    speaker = await with_gardener(hass, speak)
    await speaker.say(THIRSTY)
    await speaker.say("the tulips look thirsty")
    assert len({heard.conversation_id for heard in gardener.heard}) == 1
    logs: Any = hass.data[chat_logs.DATA_CHAT_LOGS]
    theirs = logs[gardener.heard[0].conversation_id].content
    ours = logs[str(speaker.conversation_id)].content
    assert [content.role for content in theirs] == [content.role for content in ours]
    assert [content.content for content in ours[1:]] == [
        THIRSTY,
        "The roses have water now.",
        "the tulips look thirsty",
        "The roses have water now.",
    ]


async def test_only_its_own_part_is_handed_over(
    hass: HomeAssistant, speak: Setup, gardener: Gardener
) -> None:
    speaker = await with_gardener(hass, speak)
    said = await speaker.say("turn off the kitchen pendant and give the roses a drink")
    assert [heard.text for heard in gardener.heard] == ["give the roses a drink"]
    assert list(said.changes) == ["light.kitchen_pendant"]
    assert said.reply == "Turned off Kitchen Pendant. The roses have water now."


async def test_a_question_of_the_other_agent_keeps_the_microphone_open(
    hass: HomeAssistant, speak: Setup, gardener: Gardener
) -> None:
    speaker = await with_gardener(hass, speak)
    gardener.words, gardener.asks = "Which roses?", True
    said = await speaker.say(THIRSTY)
    assert said.reply == "Which roses?"
    assert said.result.continue_conversation


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("There is no water.", "There is no water."),
        ("", "Something went wrong with Garden."),
    ],
)
async def test_a_failure_of_the_other_agent_is_a_failure(
    hass: HomeAssistant, speak: Setup, gardener: Gardener, *, words: str, reply: str
) -> None:
    speaker = await with_gardener(hass, speak)
    gardener.code, gardener.words = intent.IntentResponseErrorCode.NO_VALID_TARGETS, words
    said = await speaker.say(THIRSTY)
    assert said.reply == reply
    assert said.result.response.response_type is intent.IntentResponseType.ERROR


async def test_an_error_in_the_other_agent_is_a_failure(
    hass: HomeAssistant, speak: Setup, gardener: Gardener
) -> None:
    speaker = await with_gardener(hass, speak)
    gardener.raises = HomeAssistantError("No water.")
    said = await speaker.say(THIRSTY)
    assert said.reply == "No water."
    assert said.result.response.response_type is intent.IntentResponseType.ERROR


async def test_an_agent_that_says_nothing_was_asked_all_the_same(
    hass: HomeAssistant, speak: Setup, gardener: Gardener
) -> None:
    speaker = await with_gardener(hass, speak)
    gardener.words = ""
    assert (await speaker.say(THIRSTY)).reply == "Ran Garden."


async def test_an_agent_that_is_gone_is_told(
    hass: HomeAssistant, speak: Setup, gardener: Gardener
) -> None:
    speaker = await with_gardener(hass, speak)
    await gardener.async_remove()
    said = await speaker.say(THIRSTY)
    assert said.reply == "I can't reach Garden."
    assert said.result.response.response_type is intent.IntentResponseType.ERROR


# To a script


async def test_a_script_gets_what_was_said_and_says_what_it_returns(
    hass: HomeAssistant, speak: Setup
) -> None:
    script = {
        "sequence": [
            WATER | {"data": {"brightness_pct": 40}},
            {
                "variables": {
                    "answer": {
                        "speech": "{{ language }} {{ instruction }} {{ device_id is string }}"
                        " {{ conversation_id }}"
                    }
                }
            },
            {"stop": "done", "response_variable": "answer"},
        ]
    }
    speaker = await with_script(hass, speak, script)
    said = await speaker.say(THIRSTY, area="Kitchen")
    assert said.reply == f"en {THIRSTY} True {speaker.conversation_id}"
    assert said.result.response.response_type is not intent.IntentResponseType.ERROR
    state = hass.states.get("light.kitchen_pendant")
    assert state
    assert state.attributes["brightness"] == 102


async def test_a_script_without_words_is_said_to_have_run(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await with_script(hass, speak, {"sequence": [WATER]})
    said = await speaker.say(THIRSTY)
    assert said.reply == "Ran Garden."
    assert "light.kitchen_pendant" in said.changes or hass.states.is_state(
        "light.kitchen_pendant", "on"
    )
    assert (await speaker.say(THIRSTY, language="de")).reply == "Garden ausgeführt."


async def test_the_script_is_found_after_it_was_renamed(hass: HomeAssistant, speak: Setup) -> None:
    """Its action keeps the old name, its entity has the new one."""
    assert await async_setup_component(hass, "script", {"script": {"water": {"sequence": [WATER]}}})
    er.async_get(hass).async_update_entity("script.water", new_entity_id="script.garden")
    await hass.async_block_till_done()
    speaker = await speak(choosing("garden"))
    await hass.services.async_call(
        "bellboard",
        "register_agent",
        {
            "agent_id": "garden-agent",
            "name": "Garden",
            "description": "Waters.",
            "script": "script.garden",
        },
        blocking=True,
    )
    assert (await speaker.say(THIRSTY)).reply == "Ran Garden."


@pytest.mark.parametrize(
    ("script", "reply"),
    [
        ({"sequence": [{"action": "light.nonsense"}]}, "Garden can't do that."),
        ({"sequence": [{"stop": "no water", "error": True}]}, "Something went wrong with Garden."),
        (
            {"sequence": [{"condition": "template", "value_template": "false"}, WATER]},
            "Something went wrong with Garden.",
        ),
        ({"sequence": [{"variables": {"x": "{{ 1 / 0 }}"}}]}, "Something went wrong with Garden."),
    ],
)
async def test_a_script_that_breaks_off_is_no_success(
    hass: HomeAssistant, speak: Setup, *, script: dict[str, Any], reply: str
) -> None:
    speaker = await with_script(hass, speak, script)
    said = await speaker.say(THIRSTY)
    assert said.reply == reply
    assert said.result.response.response_type is intent.IntentResponseType.ERROR
    assert not said.changes.keys() & {"light.kitchen_pendant"}
    begun = [
        call for call in said.calls if (call["domain"], call["service"]) == ("script", "garden")
    ]
    assert len(begun) == 1


async def test_a_script_that_is_busy_is_no_success(hass: HomeAssistant, speak: Setup) -> None:
    rain = {"wait_for_trigger": {"trigger": "event", "event_type": "rain"}}
    speaker = await with_script(hass, speak, {"sequence": [rain]})
    entity = {"entity_id": "script.garden"}
    await hass.services.async_call("script", "turn_on", entity, blocking=True)
    result = await conversation.async_converse(
        hass, THIRSTY, None, Context(), language="en", agent_id=speaker.agent_id
    )
    assert result.response.speech["plain"]["speech"] == "Garden didn't accept that."
    assert result.response.response_type is intent.IntentResponseType.ERROR
    hass.bus.async_fire("rain")
    await hass.async_block_till_done()


async def test_a_script_that_is_gone_is_told(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await with_script(hass, speak, {"sequence": [WATER]})
    er.async_get(hass).async_remove("script.garden")
    await hass.async_block_till_done()
    said = await speaker.say(THIRSTY)
    assert said.reply == "I can't reach Garden."
    assert said.result.response.response_type is intent.IntentResponseType.ERROR


async def test_nobody_runs_a_script_who_may_not(
    hass: HomeAssistant, speak: Setup, hass_read_only_user: Any
) -> None:
    speaker = await with_script(hass, speak, {"sequence": [WATER]})
    said = await speaker.say(THIRSTY, context=Context(user_id=hass_read_only_user.id))
    assert said.reply == "You may not control Garden."
    assert not said.changes


async def test_a_circle_is_cut(hass: HomeAssistant, speak: Setup) -> None:
    """A script that says the same to the assistant would come back to itself for ever."""
    script = {
        "mode": "parallel",
        "sequence": [
            {
                "action": "conversation.process",
                "data": {
                    "text": "{{ instruction }}",
                    "agent_id": "conversation.bellboard",
                    "language": "en",
                },
                "response_variable": "inner",
            },
            {
                "variables": {
                    "answer": {"speech": "It said: {{ inner.response.speech.plain.speech }}"}
                }
            },
            {"stop": "done", "response_variable": "answer"},
        ],
    }
    speaker = await with_script(hass, speak, script)
    said = await speaker.say(THIRSTY)
    assert said.reply == "It said: Something went wrong with Garden."
    assert len([call for call in speaker.calls if call["service"] == "garden"]) == 1
    # It is cut where it closes, not for ever.
    assert (await speaker.say(THIRSTY)).reply == said.reply

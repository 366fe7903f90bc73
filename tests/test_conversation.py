"""The conversation entity as Home Assistant uses it: panel, HTTP, action, pipeline, chat log."""

import asyncio
from importlib import import_module
import json
import sys
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import conversation
from homeassistant.components.conversation import chat_log as chat_logs
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    intent,
    issue_registry as ir,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN
from tests.conftest import Setup
from tests.sessions import chat_session

KITCHEN = ["light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"]


def plan(*actions: dict[str, object]) -> object:
    """Return a model that always plans these actions."""
    return lambda *_: {"actions": list(actions)}


async def test_a_recognised_sentence_needs_no_model(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the kitchen lights")
    assert sorted(said.changes) == KITCHEN
    assert said.reply == "Turned off Kitchen Ceiling, Kitchen Counter and Kitchen Pendant."
    assert said.result.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert [target.id for target in said.result.response.success_results] == KITCHEN
    assert not said.result.continue_conversation


async def test_actions_are_called_by_entity_id_and_in_the_users_name(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the kitchen lights")
    (call,) = [call for call in said.calls if call["domain"] == "light"]
    assert call["service_data"] == {"entity_id": KITCHEN}


async def test_the_users_permissions_apply(
    hass: HomeAssistant, speak: Setup, hass_read_only_user: object
) -> None:
    speaker = await speak()
    context = Context(user_id=hass_read_only_user.id)  # type: ignore[attr-defined]
    said = await speaker.say("turn off the kitchen lights", context=context)
    assert not said.changes
    assert said.result.response.response_type is intent.IntentResponseType.ERROR
    assert "you may not control" in said.reply.casefold()


async def test_the_room_of_the_speaker_is_meant_where_none_is_named(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the lights", area="Kitchen")
    assert sorted(said.changes) == KITCHEN


async def test_what_is_not_a_specialists_goes_to_home_assistant(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("close the kitchen blinds")
    assert list(said.changes) == ["cover.kitchen_blinds"]
    state = hass.states.get("cover.kitchen_blinds")
    assert state
    assert state.state in {"closing", "closed"}


async def test_a_timer_runs_on_the_device_that_was_spoken_to(
    house: ConfigEntry, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("set a timer for 5 minutes", area="Kitchen")
    assert said.result.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert len(house.runtime_data.timers) == 1


async def test_a_delayed_action_does_not_happen_now(house: ConfigEntry, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the lights in 5 minutes", area="Kitchen")
    assert not said.changes
    assert said.result.response.response_type is intent.IntentResponseType.ACTION_DONE


@pytest.mark.parametrize(
    "question", ["is the reading lamp on?", "are any lights on in the kitchen?"]
)
async def test_a_question_changes_nothing(speak: Setup, question: str) -> None:
    speaker = await speak()
    said = await speaker.say(question)
    assert not said.changes
    assert said.result.response.response_type is intent.IntentResponseType.QUERY_ANSWER


async def test_without_a_model_what_nobody_understands_is_declined(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("paint the ceiling with happiness")
    assert not said.changes
    assert said.result.response.response_type is intent.IntentResponseType.ERROR
    assert said.result.response.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH


async def test_a_failure_is_told_and_not_called_done(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    await hass.services.async_call(
        "demo_house",
        "misbehave",
        {"entity_id": ["light.kitchen_pendant"], "mode": "unavailable"},
        blocking=True,
    )
    speaker = await speak()
    said = await speaker.say("turn off the kitchen lights")
    assert said.reply == (
        "Turned off Kitchen Ceiling and Kitchen Counter. However, I can't reach Kitchen Pendant."
    )
    response = said.result.response
    assert response.response_type is intent.IntentResponseType.ACTION_DONE
    assert [target.id for target in response.failed_results] == ["light.kitchen_pendant"]


async def test_one_name_for_two_lamps_is_asked_about_and_the_answer_acts(speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on the bedside lamp")
    assert asked.reply == "The Left Bedside Lamp or the Right Bedside Lamp?"
    assert asked.result.continue_conversation
    assert (asked.calls, asked.changes) == ([], {})
    said = await speaker.say("the right one")
    assert list(said.changes) == ["light.right_bedside_lamp"]
    assert not said.result.continue_conversation


async def test_a_question_that_is_not_answered_is_dropped(speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the bedside lamp")
    said = await speaker.say("turn off the kitchen lights")
    assert sorted(said.changes) == KITCHEN
    later = await speaker.say("the right one")
    assert not later.changes


async def test_the_microphone_stays_open_only_for_a_question(speak: Setup) -> None:
    """A question mark in a reply does not open it."""
    speaker = await speak(
        lambda _, schema: {"agentId": "general"} if schema else "How are you today?"
    )
    said = await speaker.say("how do you do my friend")
    assert said.reply == "How are you today?"
    assert not said.result.continue_conversation


async def test_the_chat_log_holds_calls_outcomes_and_the_answer(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say("turn off the kitchen lights")
    log: Any = hass.data[chat_logs.DATA_CHAT_LOGS][str(speaker.conversation_id)]
    _, user, call, result, answer = log.content
    assert user.content == "turn off the kitchen lights"
    assert call.tool_calls[0].tool_name == "light.turn_off"
    assert result.result.data == dict.fromkeys(KITCHEN, "done")
    assert answer.content == said.reply


async def test_home_assistants_own_answer_is_logged_once(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("close the kitchen blinds")
    log: Any = hass.data[chat_logs.DATA_CHAT_LOGS][str(speaker.conversation_id)]
    answers = [
        content for content in log.content if getattr(content, "content", None) == said.reply
    ]
    assert len(answers) == 1


async def test_turns_of_different_conversations_run_at_once(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    results = await asyncio.gather(
        *(
            conversation.async_converse(
                hass, text, None, Context(), language="en", agent_id=speaker.agent_id
            )
            for text in ["turn off the kitchen lights", "turn on the guest lamp"] * 10
        )
    )
    assert len({result.conversation_id for result in results}) == 20
    kinds = {result.response.response_type for result in results}
    assert kinds == {intent.IntentResponseType.ACTION_DONE}


async def test_the_conversation_action_answers(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    response = await hass.services.async_call(
        "conversation",
        "process",
        {"text": "turn off the kitchen lights", "agent_id": speaker.agent_id, "language": "en"},
        blocking=True,
        return_response=True,
    )
    assert "Turned off Kitchen Ceiling" in str(response)


async def test_the_http_api_answers(
    hass: HomeAssistant, speak: Setup, hass_client: ClientSessionGenerator
) -> None:
    speaker = await speak()
    await async_setup_component(hass, "http", {})
    client = await hass_client()
    answer = await client.post(
        "/api/conversation/process",
        json={"text": "turn off the kitchen lights", "agent_id": speaker.agent_id},
    )
    data = await answer.json()
    assert data["response"]["data"]["success"][0]["id"] == KITCHEN[0]
    assert data["response"]["speech"]["plain"]["speech"].startswith("Turned off")


async def test_an_assist_pipeline_answers(hass: HomeAssistant, speak: Setup) -> None:
    pytest.importorskip("pymicro_vad")
    speaker = await speak()
    assert await async_setup_component(hass, "assist_pipeline", {})
    from homeassistant.components import assist_pipeline
    from homeassistant.components.assist_pipeline.pipeline import (
        PipelineInput,
        PipelineRun,
        async_get_pipeline,
    )

    events: list[assist_pipeline.PipelineEvent] = []
    pipeline = async_get_pipeline(hass)
    await assist_pipeline.async_update_pipeline(
        hass, pipeline, conversation_engine=speaker.agent_id, conversation_language="en"
    )
    with chat_session(hass) as session:
        run = PipelineInput(
            intent_input="turn off the kitchen lights",
            session=session,
            run=PipelineRun(
                hass,
                Context(),
                async_get_pipeline(hass),
                start_stage=assist_pipeline.PipelineStage.INTENT,
                end_stage=assist_pipeline.PipelineStage.INTENT,
                event_callback=events.append,
            ),
        )
        await run.validate()
        await run.execute()
    (end,) = [event for event in events if event.type == "intent-end"]
    assert end.data
    assert end.data["intent_output"]["response"]["speech"]["plain"]["speech"].startswith(
        "Turned off"
    )


async def test_everybody_may_speak_in_any_language(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("Schalte das Licht im Büro aus", language="de")
    assert said.reply == "Desk Lamp ausgeschaltet (Bookshelf Lights war schon aus)."
    assert "light.desk_lamp" in said.changes


async def test_the_first_sentence_does_not_wait_for_files(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    agent = conversation.async_get_agent(hass, speaker.agent_id)
    assert isinstance(agent, conversation.ConversationEntity)
    await agent.async_prepare("de")
    said = await speaker.say("Schalte das Licht im Büro aus", language="de")
    assert said.changes


async def test_indexes_are_built_before_somebody_speaks(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After set-up and after a change of the home, without being asked to prepare; once the home is left alone."""

    async def settle() -> None:
        freezer.tick(3601)
        async_fire_time_changed(hass)
        await hass.async_block_till_done(wait_background_tasks=True)

    built: list[str] = []
    speaker = await speak()
    with monkeypatch.context() as patched:
        for name in ("routing.reading.HomeLexicon", "routing.reading.NearNames"):
            _note_calls(patched, f"custom_components.bellboard.{name}", built)
        await settle()
        assert sorted(built) == ["HomeLexicon", "NearNames"]
        built.clear()
        await speaker.say("colourless green ideas sleep furiously")
        assert built == []
        for name in ("Orangery", "Boot room"):
            ar.async_get(hass).async_create(name)
        await hass.async_block_till_done(wait_background_tasks=True)
        assert built == []
        await settle()
        assert sorted(built) == ["HomeLexicon", "NearNames"]


def _note_calls(patched: pytest.MonkeyPatch, path: str, noted: list[str]) -> None:
    """Note the name of a function or class each time that it is called."""
    room, _, name = path.rpartition(".")
    function = getattr(import_module(room), name)

    def called(*arguments: Any) -> Any:
        noted.append(name)
        return function(*arguments)

    patched.setattr(path, called)


@pytest.mark.parametrize("is_changed", [False, True])
async def test_what_is_prepared_is_not_built_again_for_a_sentence(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch, *, is_changed: bool
) -> None:
    speaker = await speak()
    if is_changed:
        await speaker.say("colourless green ideas sleep furiously")
        ar.async_get(hass).async_create("Orangery")
        await hass.async_block_till_done()
    agent = conversation.async_get_agent(hass, speaker.agent_id)
    assert isinstance(agent, conversation.ConversationEntity)
    await agent.async_prepare("en")
    built: list[object] = []
    for name in ("routing.reading.HomeLexicon", "routing.reading.NearNames"):
        monkeypatch.setattr(f"custom_components.bellboard.{name}", built.append)
    await speaker.say("colourless green ideas sleep furiously once more")
    await speaker.say("switch off all in the kitchen but the counter")
    assert built == []


async def test_the_assistant_says_that_it_controls_the_home(
    hass: HomeAssistant, speak: Setup
) -> None:
    """Home Assistant then leaves questions about states to it."""
    speaker = await speak()
    state = hass.states.get(speaker.agent_id)
    assert state
    assert state.attributes["supported_features"] == 1
    assert er.async_get(hass).async_get(speaker.agent_id)


async def test_the_same_turn_twice_sends_the_same_prompt_but_for_the_end(speak: Setup) -> None:
    """So that the model server's cache serves it."""
    speaker = await speak(plan({"action": "turn_off"}))
    await speaker.say("dim the reading lamp elegantly")
    await speaker.say("make the desk lamp glow darker please")
    assert speaker.model
    first, second = (
        json.dumps([[m.role, m.content] for m in ask.messages[:-1]])
        for ask in speaker.model.requests[:2]
    )
    assert first == second


async def test_a_voice_assistant_that_goes_past_it_is_told_in_repairs_and_handed_back(
    hass: HomeAssistant, speak: Setup
) -> None:
    pytest.importorskip("pymicro_vad")
    assert await async_setup_component(hass, "assist_pipeline", {})
    from homeassistant.components.assist_pipeline import async_get_pipelines, async_update_pipeline

    speaker = await speak()
    issues = ir.async_get(hass)
    for is_preferred in (False, True, False):
        [pipeline] = async_get_pipelines(hass)
        await async_update_pipeline(
            hass,
            pipeline,
            conversation_engine=speaker.agent_id,
            prefer_local_intents=is_preferred,
        )
        assert (issues.async_get_issue(DOMAIN, "bypassed") is not None) is is_preferred
    [entry] = hass.config_entries.async_entries(DOMAIN)
    await hass.config_entries.async_remove(entry.entry_id)
    [pipeline] = async_get_pipelines(hass)
    assert pipeline.conversation_engine == conversation.HOME_ASSISTANT_AGENT


async def test_a_connection_is_removed_where_no_voice_assistants_can_be(
    hass: HomeAssistant,
    speak: Setup,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await speak()
    # As where what Assist pipelines need is not installed.
    monkeypatch.setitem(sys.modules, "homeassistant.components.assist_pipeline", None)
    [entry] = hass.config_entries.async_entries(DOMAIN)
    await hass.config_entries.async_remove(entry.entry_id)
    assert not hass.config_entries.async_entries(DOMAIN)
    # Home Assistant goes on where forgetting fails, and what was kept would stay.
    assert "Traceback" not in caplog.text

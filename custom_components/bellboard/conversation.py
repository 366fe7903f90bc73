"""The conversation entity: Home Assistant's input to a turn, a turn's answer to its result."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import BellboardConfigEntry
from .agents.base import AgentResult
from .assistant import Assistant
from .connections.connection import assistants_of
from .entity import assistant_device
from .memory.models import TaskState
from .nlu.bounds import collective_words
from .nlu.loader import async_get_language
from .nlu.recognition import async_prepare
from .nlu.target_index import async_prepare_targets
from .plans.models import ToolResult
from .turn.pipeline import async_take_turn
from .turn.stages import SpokenResult, TurnResult
from .turn.warm_up import WarmUp

# Turns of different conversations run at once; those of one are kept in order by its task.
PARALLEL_UPDATES = 0

SLOW_SECONDS = 3.0
"""After this time without a word, whoever listens is asked to wait."""

# Assist speaks an answer while it comes once it has more than sixty characters, which takes a small computer
# seconds. Blank lines before the first word are neither heard nor seen, and are not kept in the chat log.
_BEGINNING = "\n" * 61

# Who begins a conversation: `assist_satellite.start_conversation`.
_SATELLITE = "assist_satellite."


async def async_setup_entry(
    hass: HomeAssistant,
    entry: BellboardConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add an entity for each assistant of a connection."""
    for subentry in assistants_of(entry):
        assistant = entry.runtime_data.assistants[subentry.subentry_id]
        async_add_entities(
            [BellboardConversationEntity(assistant, subentry)],
            config_subentry_id=subentry.subentry_id,
        )


class BellboardConversationEntity(conversation.ConversationEntity):
    """An assistant that can be chosen in Assist."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supports_streaming = True
    _attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    def __init__(self, assistant: Assistant, subentry: ConfigSubentry) -> None:
        """Name the assistant after its subentry."""
        self._assistant = assistant
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = assistant_device(assistant, subentry)

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return all languages: a model or Home Assistant may understand them."""
        return MATCH_ALL

    @override
    async def async_added_to_hass(self) -> None:
        """Have the indexes of the home built before somebody speaks."""
        await super().async_added_to_hass()
        name = f"{self.entity_id} indexes"
        warm_up = WarmUp(self.hass, self._assistant.catalog, self._async_prepare_all, name)
        self.async_on_remove(warm_up.stop)

    async def _async_prepare_all(self) -> None:
        """Prepare for the language of Home Assistant and those that have been spoken."""
        for language in {self.hass.config.language, *self._assistant.reader.languages}:
            await self.async_prepare(language)

    @override
    async def async_prepare(self, language: str | None = None) -> None:
        """Load what the first sentence in a language would otherwise wait for."""
        hass = self.hass
        spoken = language or hass.config.language
        read = await async_get_language(hass, spoken)
        collective_words(read.lexicon)
        await self._assistant.reader.async_prepare(read)
        await async_prepare(hass, spoken)
        await async_prepare_targets(hass)

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        """Answer a sentence."""
        length = len(chat_log.content)
        opening = _opening(chat_log.content[: length - 1], self.entity_id)
        # Home Assistant gives it with the first sentence, and it holds for all of the conversation.
        prompt = user_input.extra_system_prompt or chat_log.extra_system_prompt
        chat_log.extra_system_prompt = prompt
        voice = _ChatLogVoice(chat_log, self.entity_id)
        waiting = voice.say_if_slow(self.hass, user_input.language)
        try:
            result = await async_take_turn(
                self._assistant,
                replace(
                    user_input,
                    conversation_id=chat_log.conversation_id,
                    extra_system_prompt=prompt,
                ),
                previous_conversation_id=user_input.conversation_id,
                voice=voice,
                on_masked=partial(_replace_sentence, chat_log, length),
                opening=opening,
            )
        finally:
            if waiting:
                waiting.cancel()
        self._log_tools(chat_log, result)
        if not voice.has_spoken:
            await self._async_log_reply(voice, result, length)
        return SpokenResult(
            record=result.record,
            response=_response(user_input.language, result, is_begun=voice.has_begun),
            conversation_id=chat_log.conversation_id,
            continue_conversation=result.state is TaskState.INPUT_REQUIRED,
        )

    def _log_tools(self, chat_log: conversation.ChatLog, result: TurnResult) -> None:
        """Write the turn's calls to the chat log: the tools that a model used, and Home Assistant's actions."""
        for answer in result.answers:
            for name, arguments, data, is_error in answer.tool_uses:
                asked = llm.ToolInput(tool_name=name, tool_args=dict(arguments), external=True)
                _log_call(chat_log, self.entity_id, asked)
                told = llm.ToolResult(data=dict(data), error=is_error)
                _log_result(chat_log, self.entity_id, asked, told)
            for tool_result in answer.results:
                _log_tool_result(chat_log, self.entity_id, tool_result)

    async def _async_log_reply(self, voice: _ChatLogVoice, result: TurnResult, length: int) -> None:
        """Write the turn's reply to the chat log.

        Home Assistant's own agent has written its answer already when it answered alone; `length` is
        that of the log before the turn.
        """
        chat_log = voice.chat_log
        if voice.has_asked_to_wait:
            # What is heard already goes on, and is not begun anew.
            await voice.async_speak(_each([result.text]))
            return
        last = chat_log.content[-1]
        if (
            len(chat_log.content) > length
            and isinstance(last, conversation.AssistantContent)
            and last.content == result.text
        ):
            return
        chat_log.async_add_assistant_content_without_tools(
            conversation.AssistantContent(agent_id=self.entity_id, content=result.text)
        )


@dataclass(slots=True)
class _ChatLogVoice:
    """Writes words into the chat log while they come; Assist speaks them from there.

    It asks once to wait a moment, if somebody listens and has heard nothing for too long.
    """

    chat_log: conversation.ChatLog
    agent_id: str
    has_spoken: bool = False
    has_asked_to_wait: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether anything was said already."""
        return self.has_spoken or self.has_asked_to_wait

    def say_if_slow(self, hass: HomeAssistant, language: str) -> asyncio.Task[None] | None:
        """Ask to wait once the answer takes too long, where somebody listens; who reads it later need not know."""
        if self.chat_log.delta_listener is None:
            return None
        return hass.loop.create_task(self._async_say_if_slow(hass, language))

    async def _async_say_if_slow(self, hass: HomeAssistant, language: str) -> None:
        """Say "One moment." after `SLOW_SECONDS` without output; it is not part of the chat log."""
        await asyncio.sleep(SLOW_SECONDS)
        moment = (await async_get_language(hass, language)).say("moment")
        if self.has_spoken:
            return
        beginning = self._beginning()
        self.has_asked_to_wait = True
        asked: list[conversation.AssistantContentDeltaDict] = [
            {"role": "assistant"},
            {"content": f"{beginning}{moment}"},
        ]
        stream = self.chat_log.async_add_delta_content_stream(self.agent_id, _each(asked))
        for content in [each async for each in stream]:
            self.chat_log.content.remove(content)

    async def async_speak(self, words: AsyncGenerator[str]) -> str:
        """Write words as they come, and return all of them."""

        async def deltas() -> AsyncGenerator[conversation.AssistantContentDeltaDict]:
            async for piece in words:
                if not self.has_spoken:
                    self.has_spoken = True
                    yield {"role": "assistant"}
                    yield {"content": f"{self._beginning()}{piece}"}
                else:
                    yield {"content": piece}

        written = [
            content
            async for content in self.chat_log.async_add_delta_content_stream(
                self.agent_id, deltas()
            )
            if isinstance(content, conversation.AssistantContent)
        ]
        for content in written:
            at = self.chat_log.content.index(content)
            self.chat_log.content[at] = replace(content, content=_without_beginning(content))
        return "".join(map(_without_beginning, written))

    def _beginning(self) -> str:
        """Return the padding with which Assist speaks the first words at once, "" where nobody listens."""
        if self.chat_log.delta_listener is None or self.has_asked_to_wait:
            return ""
        return _BEGINNING


def _without_beginning(content: conversation.AssistantContent) -> str:
    """Return the text that was said, without the blank lines before it."""
    return (content.content or "").lstrip("\n")


def _opening(before: Sequence[conversation.Content], agent_id: str) -> str:
    """Return the message of a satellite that was said last, also where `agent_id` only said it again; "" for others."""
    said = [each for each in before if isinstance(each, conversation.AssistantContent)]
    if not said or said[-1] is not before[-1]:
        return ""
    opened = {each.content for each in said if each.agent_id.startswith(_SATELLITE)}
    is_own = said[-1].agent_id == agent_id or said[-1].agent_id.startswith(_SATELLITE)
    return said[-1].content or "" if is_own and said[-1].content in opened else ""


def _replace_sentence(chat_log: conversation.ChatLog, length: int, text: str) -> None:
    """Put what may be kept of a sentence into the chat log, which others read; `length` is that before the turn."""
    chat_log.content[length - 1] = conversation.UserContent(content=text)


async def _each[T](items: Iterable[T]) -> AsyncGenerator[T]:
    """Yield some items."""
    for item in items:
        yield item


def _log_tool_result(
    chat_log: conversation.ChatLog, agent_id: str, tool_result: ToolResult
) -> None:
    """Write a call and its outcome to the chat log."""
    call = tool_result.call
    tool_input = llm.ToolInput(
        tool_name=call.action,
        tool_args={"entity_id": list(call.targets), **call.data},
        external=True,
    )
    _log_call(chat_log, agent_id, tool_input)
    outcomes = {outcome.entity_id: outcome.error or "done" for outcome in tool_result.outcomes}
    result = llm.ToolResult(data=dict(outcomes), error=not tool_result.ok)
    _log_result(chat_log, agent_id, tool_input, result)


def _log_call(chat_log: conversation.ChatLog, agent_id: str, call: llm.ToolInput) -> None:
    """Write a tool call to the chat log."""
    chat_log.async_add_assistant_content_without_tools(
        conversation.AssistantContent(agent_id=agent_id, tool_calls=[call])
    )


def _log_result(
    chat_log: conversation.ChatLog, agent_id: str, call: llm.ToolInput, result: llm.ToolResult
) -> None:
    """Write the result of a tool call to the chat log."""
    chat_log.async_add_assistant_content_without_tools(
        conversation.ToolResultContent(
            agent_id=agent_id, tool_call_id=call.id, tool_name=call.tool_name, result=result
        )
    )


def _response(language: str, result: TurnResult, *, is_begun: bool) -> intent.IntentResponse:
    """Return a turn's answer as Home Assistant's response.

    An answer that `is_begun` is no error, which would be shown a second time.
    """
    only = result.answers[0] if len(result.answers) == 1 else None
    # Its own words, unless others are said in their place.
    native = only.native if only and only.content == result.text else None
    if native and not (is_begun and native.response_type is intent.IntentResponseType.ERROR):
        return native
    response = intent.IntentResponse(language=language)
    if result.state is TaskState.FAILED and not is_begun:
        response.async_set_error(result.answers[0].error_code, result.text)
        return response
    response.async_set_speech(result.text)
    results = [found for answer in result.answers for found in answer.results]
    if not results:
        response.response_type = intent.IntentResponseType.QUERY_ANSWER
        return response
    response.async_set_results(*_targets(result.answers))
    return response


def _targets(
    answers: tuple[AgentResult, ...],
) -> tuple[list[intent.IntentResponseTarget], list[intent.IntentResponseTarget]]:
    """Return the targets that did what was asked, and those that did not."""
    success: list[intent.IntentResponseTarget] = []
    failed: list[intent.IntentResponseTarget] = []
    for answer in answers:
        for tool_result in answer.results:
            for outcome in tool_result.outcomes:
                target = intent.IntentResponseTarget(
                    name=outcome.entity_id,
                    type=intent.IntentResponseTargetType.ENTITY,
                    id=outcome.entity_id,
                )
                (success if outcome.ok else failed).append(target)
        if answer.native:
            success += answer.native.success_results
            failed += answer.native.failed_results
    return success, failed

"""Many conversations at once do not get into each other's way."""

import asyncio
import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant

from tests.conftest import Setup
from tests.servers import Message

from .reading import traces

CONVERSATIONS = 50


def echoing(messages: list[Message], schema: dict[str, Any] | None) -> Any:
    """Choose talk, and say what was said."""
    if schema:
        return json.dumps({"agentId": "general"})
    return f"You said {messages[-1].content}."


async def converse(hass: HomeAssistant, agent_id: str, talk: str, text: str) -> str:
    """Say something in a conversation and return the reply."""
    result = await conversation.async_converse(
        hass, text, talk, Context(), language="en", agent_id=agent_id
    )
    assert result.conversation_id == talk
    return str(result.response.speech["plain"]["speech"])


async def test_fifty_conversations_each_get_their_own_reply(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(echoing)
    words = [f"surprise me in way {number} somehow" for number in range(CONVERSATIONS)]
    replies = await asyncio.gather(
        *(
            converse(hass, speaker.agent_id, f"talk-{number}", text)
            for number, text in enumerate(words)
        )
    )
    assert replies == [f"You said {text}." for text in words]
    found = {trace.conversation_id: trace for trace in traces(hass)}
    assert len(found) == CONVERSATIONS
    for number, text in enumerate(words):
        trace = found[f"talk-{number}"]
        assert (trace.utterance, trace.reply) == (text, f"You said {text}.")
        assert [agent["id"] for agent in trace.agents] == ["general-agent"]
        assert trace.model.calls == 2


async def test_turns_of_one_conversation_stay_in_order(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(echoing)
    words = [f"surprise me in way {number} somehow" for number in range(10)]
    replies = await asyncio.gather(
        *(converse(hass, speaker.agent_id, "one-talk", text) for text in words)
    )
    # From 2026.11 on, Home Assistant itself refuses what is said while another turn is answered.
    heard = [text for text, reply in zip(words, replies, strict=True) if "busy" not in reply]
    assert heard[0] == words[0]
    assert [reply for reply in replies if "busy" not in reply] == [
        f"You said {text}." for text in heard
    ]
    assert [trace.utterance for trace in traces(hass)] == heard
    assert speaker.model
    talked = [ask.messages for ask in speaker.model.requests if ask.schema is None]
    # What was said before is what was really said before, in this order.
    last = [message.content for message in talked[-1] if message.role == "user"]
    assert last == heard[-len(last) :]
    refuses = hasattr(conversation.chat_log, "ConversationBusyError")
    assert (heard == words) is not refuses

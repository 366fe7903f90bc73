"""The real small model, asked about the home and for what is not in it: nothing is invented or touched."""

import os
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml
import pytest

from tests.conftest import Speaker
from tests.evaluation import setup_agent
from tests.test_absent import SENTENCES, acted_on

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif("BELLBOARD_LLM_URL" not in os.environ, reason="needs a model server"),
    # Many sentences, and a small computer may take seconds for each.
    pytest.mark.timeout(600),
]

QUESTIONS: Any = load_yaml(str(Path(__file__).parent / "home_questions.yaml"))
BEYOND = "I can't tell you that about your home."


@pytest.fixture
async def speaker(hass: HomeAssistant, house: ConfigEntry) -> Speaker:
    """Return someone who talks to an assistant with the real model."""
    options = {"provider": "openai", "url": os.environ["BELLBOARD_LLM_URL"]}
    return Speaker(hass, await setup_agent(hass, {**options, "assistant": {"timeout": 120}}))


async def test_a_question_about_the_home_is_answered_by_its_states_or_not_at_all(
    hass: HomeAssistant, speaker: Speaker
) -> None:
    """What is answered is what is answered without a model, too; anything else is said to be beyond it."""
    plain = Speaker(hass, await setup_agent(hass, {}))
    invented: dict[str, str] = {}
    for question in QUESTIONS:
        speaker.conversation_id = plain.conversation_id = None
        said, known = await speaker.say(question), await plain.say(question)
        assert not said.changes
        if said.reply not in {known.reply, BEYOND}:
            invented[question] = said.reply
    assert invented == {}


@pytest.mark.parametrize("language", sorted({entry["language"] for entry in SENTENCES}))
async def test_what_is_not_there_is_replaced_by_nothing(speaker: Speaker, language: str) -> None:
    assert await acted_on(speaker, language) == {}

"""What only looks like a command changes nothing and claims nothing, without a model."""

import asyncio
import logging

import pytest

from tests.adversarial import NOTHING
from tests.conftest import Setup, Speaker
from tests.thorough import part

pytestmark = pytest.mark.long

# What is not right yet, and why: the house changes, or a reply says so. To be empty.
KNOWN: dict[str, str] = {}

# What only looks for something.
_LOOKING = frozenset({"search_media"})


async def _wrongs(speaker: Speaker, text: str, area: str | None) -> str:
    """Say a sentence in a conversation of its own; return what it did, or nothing."""
    speaker.conversation_id = None
    said = await speaker.say(text, area=area)
    calls = [call for call in said.calls if call["service"] not in _LOOKING]
    if not said.changes and not calls:
        return ""
    done = [f"{c['domain']}.{c['service']} {c['service_data'].get('entity_id')}" for c in calls]
    return f"{area or 'nowhere'}: {said.reply!r} {done or sorted(said.changes)}"


async def test_what_only_looks_like_a_command_does_nothing(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    """In one core for all, because a core's first sentences take longest."""
    caplog.set_level(logging.ERROR)
    asyncio.get_running_loop().set_debug(False)
    speaker = await speak()
    failed: dict[str, list[str]] = {}
    for kind, texts in NOTHING.items():
        for text in texts:
            areas = part((None, "Living Room"), 2, first=len(text))
            wrongs = [await _wrongs(speaker, text, area) for area in areas]
            if any(wrongs):
                failed[text] = [f"{kind}: {wrong}" for wrong in wrongs if wrong]
    assert {text: wrongs for text, wrongs in failed.items() if text not in KNOWN} == {}
    assert not KNOWN.keys() - failed.keys(), "these are right now"


def test_there_are_as_many_sentences_as_are_wanted() -> None:
    texts = [text for kind in NOTHING.values() for text in kind]
    assert len(texts) == len(set(texts)) >= 500
    assert all(len(kind) >= 8 for kind in NOTHING.values())

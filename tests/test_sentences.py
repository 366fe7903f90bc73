"""Ten sentences end right with a model that answers rightly; how many with the real one is told."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Said, Setup
from tests.one_house import in_one_house
from tests.sentences import SENTENCES, Sentence

_CONTROLLED = ("light.", "media_player.", "climate.")


def wrongs(hass: HomeAssistant, sentence: Sentence, said: Said) -> list[str]:
    """Return what is not right after a sentence; nothing where all is."""
    found = []
    for entity_id, wanted in sentence.changes.items():
        state = hass.states.get(entity_id)
        assert state
        for name, value in wanted.items():
            now = state.state if name == "state" else state.attributes.get(name)
            if now != pytest.approx(value) if isinstance(value, float) else now != value:
                found.append(f"{entity_id}: {name} is {now}, not {value}")
    touched = {entity_id for entity_id in said.changes if entity_id.startswith(_CONTROLLED)}
    if others := touched - set(sentence.changes):
        found.append(f"also changed {sorted(others)}")
    if sentence.reply.casefold() not in said.reply.casefold():
        found.append(f"the reply is {said.reply!r}")
    return found


@in_one_house("sentence", SENTENCES, ids=lambda sentence: sentence.text[:40])
async def test_a_sentence_ends_right_when_the_model_is_right(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, sentence: Sentence
) -> None:
    speaker = await speak(sentence.answer)
    said = await speaker.say(sentence.text, language=sentence.language)
    assert not wrongs(hass, sentence, said)


async def test_two_agents_make_one_sentence_of_what_they_did(speak: Setup) -> None:
    sentence = SENTENCES[1]
    speaker = await speak(sentence.answer)
    said = await speaker.say(sentence.text)
    assert said.reply == "Playing Jazz on Living Room Speaker and set Bedroom Thermostat to 22 °C."


async def test_each_agent_hears_only_its_own_part(speak: Setup) -> None:
    speaker = await speak(SENTENCES[1].answer)
    await speaker.say(
        "play some jazz in the living room and make it a snug 22 degrees in the bedroom"
    )
    assert speaker.model
    (ask,) = speaker.model.requests
    assert ask.messages[-1].content == "make it a snug 22 degrees in the bedroom"


async def test_a_second_request_in_a_free_text_slot_is_not_searched_for(speak: Setup) -> None:
    """Home Assistant alone would search for "jazz in the living room and make it 22 degrees"."""
    sentence = SENTENCES[1]
    speaker = await speak(sentence.answer)
    said = await speaker.say(sentence.text)
    searches = [call for call in said.calls if call["service"] == "search_media"]
    assert [call["service_data"]["search_query"] for call in searches] == ["jazz"]

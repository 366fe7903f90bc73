"""Bellboard recognises strictly what Home Assistant does, and leaves no trace in Home Assistant's agent."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hassil.recognize import RecognizeResult
from homeassistant.components import conversation
from homeassistant.components.conversation import default_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.bellboard.nlu import strict_recognition
from custom_components.bellboard.nlu.recognition import async_prepare, async_recognize
from custom_components.bellboard.nlu.strict_recognition import (
    async_recognize_strict,
    changed_internals,
)
from custom_components.bellboard.nlu.template_index import TemplateIndex
from tests.conftest import Setup, voice_panel
from tests.harness.home import async_move_in
from tests.harness.running import Golden
from tests.test_golden import by_house
from tests.thorough import part

UNKNOWN = (
    "turn on the tide engine",
    "turn off the lights in the dungeon",
    "set the tide engine to 20 percent",
    "is the tide engine open",
    "turn on the secret lamp",
    "why do cats purr",
    "Turn ON the Tide-Engine!",
)
KNOWN = ("is the reading lamp on", "turn on the reading lamp", "what time is it")

type Change = Callable[[pytest.MonkeyPatch], None]


def agent_of(hass: HomeAssistant) -> DefaultAgent:
    """Return Home Assistant's own agent."""
    agent = conversation.async_get_agent(hass)
    assert isinstance(agent, DefaultAgent)
    return agent


def saying(text: str, language: str = "en", device_id: str | None = None) -> Any:
    """Return a sentence as an agent is given it."""
    return conversation.ConversationInput(
        text=text,
        context=Context(),
        conversation_id=None,
        device_id=device_id,
        satellite_id=None,
        language=language,
        agent_id=conversation.HOME_ASSISTANT_AGENT,
    )


async def ask_home_assistant(hass: HomeAssistant, text: str) -> str:
    """Say something to Home Assistant's own agent and return its reply."""
    result = await conversation.async_converse(
        hass, text, None, Context(), language="en", agent_id=conversation.HOME_ASSISTANT_AGENT
    )
    await hass.async_block_till_done()
    return str(result.response.speech["plain"]["speech"])


async def recognize_afresh(
    agent: DefaultAgent, said: conversation.ConversationInput
) -> RecognizeResult | None:
    """Return what Home Assistant's agent recognises strictly, as if it had never been asked before."""
    agent._intent_cache.clear()
    found = await agent.async_recognize_intent(said, strict_intents_only=True)
    agent._intent_cache.clear()
    return found


def sentences_of(golden: list[Golden]) -> set[tuple[str, str, str | None]]:
    """Return the sentences of golden files with their language and the speaker's area."""
    return {
        (turn.say, case.language or each.file.language, turn.area or case.area)
        for each in golden
        for case in each.file.cases
        for turn in case.conversation
    }


@pytest.mark.long
@pytest.mark.parametrize("where", by_house(), ids=lambda where: Path(where).stem)
async def test_what_is_recognised_is_the_same_as_without_an_index(
    hass: HomeAssistant, where: str
) -> None:
    await async_move_in(hass, where)
    agent = agent_of(hass)
    different: list[Any] = []
    recognised = 0
    for text, language, area in part(sorted(sentences_of(by_house()[where]), key=str), 3):
        said = saying(text, language, voice_panel(hass, area) if area else None)
        full = await recognize_afresh(agent, said)
        found = await async_recognize_strict(hass, agent, said)
        if found != full or (found and full and found.intent_data is not full.intent_data):
            different.append((text, full, found))
        recognised += full is not None
    assert different == []
    assert recognised


def test_home_assistant_is_inside_as_it_was(hass_agent: DefaultAgent) -> None:
    """A failure names what this release changed: everything works without, but as slowly as before."""
    assert changed_internals(hass_agent) == []


@pytest.fixture
def hass_agent(hass: HomeAssistant, assist: None) -> DefaultAgent:
    """Return Home Assistant's own agent in a house without anything."""
    return agent_of(hass)


def change_method(name: str) -> Change:
    """Return what gives a method of Home Assistant's agent one more parameter."""

    def change(patch: pytest.MonkeyPatch) -> None:
        original = getattr(DefaultAgent, name)

        def changed(self: DefaultAgent, *args: Any, more: bool = False) -> Any:
            return original(self, *args)

        patch.setattr(DefaultAgent, name, changed)

    return change


def change_key(patch: pytest.MonkeyPatch) -> None:
    """Let the keys of Home Assistant's cache be made by a function."""
    patch.setattr(default_agent, "IntentCacheKey", partial(default_agent.IntentCacheKey))


def change_cache(patch: pytest.MonkeyPatch) -> None:
    """Let Home Assistant's cache keep its sentences elsewhere."""

    class Cache:
        """A cache as another release may have it."""

        def __init__(self, capacity: int) -> None:
            self._kept: dict[Any, Any] = {}
            self.get, self.put = self._kept.get, self._kept.__setitem__
            self.clear = self._kept.clear

    patch.setattr(default_agent, "IntentCache", Cache)


def nothing(patch: pytest.MonkeyPatch) -> None:
    """Leave Home Assistant as it is."""


def fail_to_build(patch: pytest.MonkeyPatch) -> None:
    """Let no index be built."""

    def fail(*_: Any) -> None:
        raise RuntimeError("a template of a kind that nobody knows")

    patch.setattr(TemplateIndex, "__init__", fail)


RELEASES: dict[str, Change] = {
    "_make_intent_context": change_method("_make_intent_context"),
    "_make_slot_lists": change_method("_make_slot_lists"),
    "_recognize": change_method("_recognize"),
    "IntentCacheKey": change_key,
    "_intent_cache": change_cache,
}
"""Other releases of Home Assistant, by what they changed inside."""


@pytest.fixture
def release(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change Home Assistant before it starts."""
    request.param(monkeypatch)


@pytest.mark.parametrize(
    ("release", "name"), [(change, name) for name, change in RELEASES.items()],
    indirect=["release"], ids=RELEASES,
)  # fmt: skip
async def test_what_a_release_changed_inside_is_named(
    release: None, name: str, hass: HomeAssistant, assist: None
) -> None:
    assert any(name in change for change in changed_internals(agent_of(hass)))


@pytest.mark.parametrize(
    "release",
    [nothing, *RELEASES.values(), fail_to_build],
    indirect=True,
    ids=["this", *RELEASES, "no_index"],
)
async def test_home_assistant_replies_as_if_it_had_not_been_asked(
    release: None,
    hass: HomeAssistant,
    house: ConfigEntry,
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whichever agent is asked first, Home Assistant's own says the same; so it does with any release."""
    secret = er.async_get(hass).async_get_or_create(
        "light", "test", "secret", original_name="Secret Lamp", suggested_object_id="secret_lamp"
    )
    hass.states.async_set(secret.entity_id, "off", {"friendly_name": "Secret Lamp"})
    async_expose_entity(hass, "conversation", secret.entity_id, should_expose=False)
    agent = agent_of(hass)
    # The time of day may be another when it is asked again.
    texts = [text for text in (*UNKNOWN, *KNOWN) if "time" not in text]
    alone = {}
    for text in texts:
        alone[text] = await ask_home_assistant(hass, text)
    assert "tide engine" in alone["turn on the tide engine"]
    await agent.async_reload()  # which makes it forget what it was asked
    speaker = await speak()
    for text in texts:
        await speaker.say(text)
    assert {text: await ask_home_assistant(hass, text) for text in alone} == alone


@pytest.mark.parametrize(
    "release", [*RELEASES.values(), fail_to_build], indirect=True, ids=[*RELEASES, "no_index"]
)
async def test_without_an_index_all_is_recognised_the_same(
    release: None, hass: HomeAssistant, house: ConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    for text in KNOWN:
        found = await async_recognize(hass, saying(text), text)
        full = await recognize_afresh(agent_of(hass), saying(text))
        assert found
        assert full
        assert (found.intent, found.entities, found.response) == (
            full.intent,
            full.entities,
            full.response,
        )
    assert await async_recognize(hass, saying(UNKNOWN[0]), UNKNOWN[0]) is None


async def test_a_failure_to_build_is_told_once(
    hass: HomeAssistant,
    house: ConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fail_to_build(monkeypatch)
    await async_prepare(hass, "en")
    for text in KNOWN:
        assert await async_recognize(hass, saying(text), text)
    assert caplog.text.count("Sentence templates cannot be indexed") == 1


async def test_a_recognised_sentence_is_not_recognised_again(
    hass: HomeAssistant, house: ConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Home Assistant's own agent, which is given it, finds it done."""
    text = "turn on the reading lamp"
    found = await async_recognize(hass, saying(text), text)
    monkeypatch.setattr(DefaultAgent, "_recognize_strict", lambda *_: pytest.fail("done twice"))
    assert await agent_of(hass).async_recognize_intent(saying(text)) is found


async def test_a_language_without_spaces_is_recognised(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    agent = agent_of(hass)
    for text in ("打开Reading Lamp", "現在几点", "现在几点了", "flux"):
        said = saying(text, "zh-CN")
        full = await recognize_afresh(agent, said)
        assert await async_recognize_strict(hass, agent, said) == full


async def test_a_change_of_the_house_is_seen(hass: HomeAssistant, house: ConfigEntry) -> None:
    entities, lamp = er.async_get(hass), "light.reading_lamp"

    async def understands(text: str) -> bool:
        await hass.async_block_till_done()
        found = await async_recognize(hass, saying(text), text)
        full = await recognize_afresh(agent_of(hass), saying(text))
        assert (found and found.entities) == (full and full.entities)
        return found is not None

    assert await understands("turn on the reading lamp")
    entities.async_update_entity(lamp, name="Will-o'-the-wisp")
    await hass.async_block_till_done()
    # A newer Home Assistant puts the device's name before it.
    state = hass.states.get(lamp)
    assert state
    assert await understands(f"turn on {state.name.lower()}")
    assert not await understands("turn on the reading lamp")
    assert not await understands("turn on the moonbeam")
    entities.async_update_entity(lamp, aliases=["moonbeam"])
    assert await understands("turn on the moonbeam")
    async_expose_entity(hass, "conversation", lamp, should_expose=False)
    assert not await understands("turn on the moonbeam")
    async_expose_entity(hass, "conversation", lamp, should_expose=True)
    assert await understands("turn on the moonbeam")
    areas = ar.async_get(hass)
    kitchen = areas.async_get_area_by_name("Kitchen")
    assert kitchen
    areas.async_update(kitchen.id, name="Galley")
    assert await understands("turn off the lights in the galley")
    assert not await understands("turn off the lights in the kitchen")


async def test_sentences_that_were_loaded_again_are_indexed_again(
    hass: HomeAssistant, house: ConfigEntry, tmp_path: Path
) -> None:
    text = "let there be light at the reading lamp"
    assert await async_recognize(hass, saying(text), text) is None
    hass.config.config_dir = str(tmp_path)
    folder = tmp_path / "custom_sentences" / "en"
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(
        "language: en\nintents:\n  HassTurnOn:\n    data:\n      - sentences: ['let there be light at [the] {name}']\n"
    )
    await agent_of(hass).async_reload("en")
    found = await async_recognize(hass, saying(text), text)
    assert found
    assert found.entities["name"].value == "Reading Lamp"
    assert found == await recognize_afresh(agent_of(hass), saying(text))


async def test_what_is_built_is_built_once(
    hass: HomeAssistant, house: ConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []
    build = TemplateIndex

    def count(*args: Any) -> TemplateIndex:
        built.append(args)
        return build(*args)

    monkeypatch.setattr(strict_recognition, "TemplateIndex", count)
    await async_prepare(hass, "en-GB")
    for text in (*KNOWN, *UNKNOWN):
        await async_recognize(hass, saying(text, "en-GB"), text)
    er.async_get(hass).async_update_entity("light.reading_lamp", name="Other Lamp")
    await hass.async_block_till_done()
    await async_recognize(hass, saying(KNOWN[0], "en-GB"), KNOWN[0])
    assert len(built) == 1

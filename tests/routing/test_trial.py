"""A share of the conversations tries another prompt or model; the others notice nothing."""

import re

from homeassistant.core import HomeAssistant
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.diagnostics import async_get_config_entry_diagnostics
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.turn.decision import variant_of
from tests.conftest import Setup
from tests.test_assistant_flow import change, open_page

from .reading import assistant_of, choosing, classified, traces
from .test_router_options import SAID, routed

TRIAL = {"trial_prompt": "Try this.\n{catalog}", "trial_model": "other-model"}


@given(conversation=st.text(st.characters(codec="utf-8")), share=st.integers(0, 100))
def test_a_conversation_keeps_its_variant(conversation: str, share: int) -> None:
    options = RouterOptions(trial_share=share)
    variant = variant_of(options, conversation)
    assert variant == variant_of(options, conversation)
    # Who tries it at some share tries it at any higher one.
    higher = variant_of(RouterOptions(trial_share=100), conversation)
    none = variant_of(RouterOptions(trial_share=0), conversation)
    assert (none, higher) == ("a", "b")
    assert variant in {"a", "b"}


def test_the_share_is_the_share_of_conversations() -> None:
    options = RouterOptions(trial_share=30)
    tried = sum(variant_of(options, f"01ABC{number}") == "b" for number in range(10_000))
    assert 2_700 < tried < 3_300


@pytest.mark.parametrize(("share", "variant"), [(0, "a"), (100, "b")])
async def test_none_or_all_conversations_try_it(
    hass: HomeAssistant, speak: Setup, share: int, variant: str
) -> None:
    answer = choosing("general-agent" if variant == "b" else "general")
    speaker = await speak(answer, router={"trial_share": share, **TRIAL})
    assert speaker.model
    speaker.model.names = ("test-model", "other-model")
    for _ in range(4):
        speaker.conversation_id = None
        assert (await speaker.say(SAID)).reply == "Hello."
    assert [classified(trace)["variant"] for trace in traces(hass)] == [variant] * 4
    for ask in routed(speaker):
        assert ask.messages[0].content.startswith("Try this.") is (variant == "b")
        assert ask.model == ("other-model" if variant == "b" else "test-model")
    # Only the choice is tried: talking stays with the assistant's own model.
    talked = [ask for ask in speaker.model.requests if ask.schema is None]
    assert {ask.model for ask in talked} == {"test-model"}


async def test_a_trial_of_the_model_alone_keeps_the_prompt(
    hass: HomeAssistant, speak: Setup
) -> None:
    router = {"trial_share": 100, "trial_model": "other-model"}
    speaker = await speak(choosing("general"), router=router)
    assert speaker.model
    speaker.model.names = ("test-model", "other-model")
    assert (await speaker.say(SAID)).reply == "Hello."
    [ask] = routed(speaker)
    assert ask.model == "other-model"
    assert ask.messages[0].content.startswith("Choose the agent")


async def test_turns_of_one_conversation_are_of_one_variant(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general"), router={"trial_share": 50})
    for _ in range(3):
        speaker.conversation_id = None
        for _ in range(3):
            await speaker.say(SAID)
    by_conversation: dict[str, set[str]] = {}
    for trace in traces(hass):
        variants = by_conversation.setdefault(trace.conversation_id, set())
        variants.add(classified(trace)["variant"])
    assert len(by_conversation) == 3
    assert all(len(variants) == 1 for variants in by_conversation.values())


async def test_both_variants_are_compared_and_shown(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("light-agent"), router={"trial_share": 50, **TRIAL})
    assert speaker.model
    speaker.model.names = ("test-model", "other-model")
    speaker.model.beliefs = {"light-agent": 0.9, "general-agent": 0.1, "light": 0.9, "general": 0.1}
    said = "it has become rather gloomy around the reading lamp"
    for _ in range(12):
        speaker.conversation_id = None
        await speaker.say(said)
        await speaker.say("undo that")
    comparison = assistant_of(hass).observations.trial
    found = comparison.as_json()
    assert found["a"]["decisions"] + found["b"]["decisions"] == 12
    assert min(found["a"]["decisions"], found["b"]["decisions"]) >= 1
    for variant in ("a", "b"):
        assert found[variant]["corrections"] == found[variant]["decisions"]
        assert found[variant]["confidence"]["value"] > 0.5
        assert found[variant]["latency_ms"]["interval"]
    assert found["difference"]["confidence"]["interval"]
    [entry] = hass.config_entries.async_entries("bellboard")
    [diagnosed] = (await async_get_config_entry_diagnostics(hass, entry))["assistants"]
    assert diagnosed["trial"] == found
    form = await open_page(hass, await change(hass, entry), "trial")
    told = form["description_placeholders"]
    assert told["a_decisions"] == str(found["a"]["decisions"])
    assert told["b_corrected"].startswith("100 (")
    for variant in ("a", "b"):
        assert re.fullmatch(r"[\d.]+ \([\d.]+ … [\d.]+\)", told[f"{variant}_confidence"])
        assert re.fullmatch(r"[\d.]+ \([\d.]+ … [\d.]+\)", told[f"{variant}_latency_ms"])

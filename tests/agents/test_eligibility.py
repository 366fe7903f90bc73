"""Who and what is eligible by the rules, for whoever speaks, where and when."""

from dataclasses import replace
from datetime import time
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from pydantic import ValidationError
import pytest

from custom_components.bellboard.agents.eligibility import IntentsByRules, SpeakerContext, share_of
from custom_components.bellboard.agents.models import ALL_ELIGIBLE, Eligibility
from custom_components.bellboard.options import ScopeRule
from tests.conftest import voice_panel

LIGHT = "light-agent"


def speaking(**values: Any) -> SpeakerContext:
    at_noon: dict[str, Any] = {"conversation_id": "talk", "at": time(12)}
    return SpeakerContext(**at_noon | values)


def rule(**values: Any) -> ScopeRule:
    return ScopeRule(**{"agents": (LIGHT,)} | values)


def is_eligible(condition: ScopeRule, **values: Any) -> bool:
    return IntentsByRules([condition]).eligibility(speaking(**values)).has_agent(LIGHT)


def test_without_rules_everybody_is_eligible() -> None:
    found = IntentsByRules().eligibility(speaking())
    assert found is ALL_ELIGIBLE
    assert found.is_full
    assert found.has_agent(LIGHT)
    assert found.has_intent("HassTurnOn")


def test_what_no_rule_names_is_eligible_and_what_one_names_only_where_one_holds() -> None:
    registry = IntentsByRules(
        [
            rule(areas=("kitchen",), intents=("HassTurnOn",)),
            rule(areas=("office",), intents=("HassTurnOff",)),
        ]
    )
    nowhere = Eligibility(frozenset({LIGHT}), frozenset({"HassTurnOn", "HassTurnOff"}))
    assert registry.eligibility(speaking()) == nowhere
    assert registry.eligibility(speaking(area_id="bedroom")) == nowhere
    kitchen = registry.eligibility(speaking(area_id="kitchen"))
    assert kitchen == Eligibility(barred_intents=frozenset({"HassTurnOff"}))
    assert not kitchen.is_full
    office = registry.eligibility(speaking(area_id="office"))
    assert (office.has_agent(LIGHT), office.has_intent("HassTurnOn")) == (True, False)


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ({"satellites": ("assist_satellite.hall",)}, {"satellite_id": "assist_satellite.hall"}, True),
        ({"satellites": ("abc",)}, {"device_id": "abc"}, True),
        ({"satellites": ("abc",)}, {"device_id": "abd"}, False),
        ({"satellites": ("abc",)}, {}, False),
        ({"users": ("ann", "bob")}, {"user_id": "bob"}, True),
        ({"users": ("ann",)}, {"user_id": "bob"}, False),
        ({"users": ("ann",)}, {}, False),
        ({"areas": ("kitchen",), "users": ("ann",)}, {"area_id": "kitchen"}, False),
        ({"areas": ("kitchen",), "users": ("ann",)}, {"area_id": "kitchen", "user_id": "ann"}, True),
        ({"share": 0}, {}, False),
        ({}, {}, True),
    ],
)  # fmt: skip
def test_a_rule_holds_where_all_its_conditions_hold(
    condition: dict[str, Any], values: dict[str, Any], *, expected: bool
) -> None:
    assert is_eligible(rule(**condition), **values) is expected


@pytest.mark.parametrize(
    ("after", "before", "inside", "outside"),
    [
        ("07:00", "22:00", ["07:00", "21:59:59"], ["06:59:59", "22:00", "00:00"]),
        ("22:00", "07:00", ["22:00", "23:59", "00:00", "06:59:59"], ["07:00", "21:59"]),
        ("22:00", "", ["22:00", "23:59:59"], ["00:00", "21:59"]),
        ("", "07:00", ["00:00", "06:59"], ["07:00", "23:00"]),
        ("07:00", "07:00", ["07:00", "06:59", "12:00"], []),
        ("", "", ["00:00", "12:00"], []),
    ],
)
def test_times_of_day_go_over_midnight(
    after: str, before: str, inside: list[str], outside: list[str]
) -> None:
    by_day = rule(after=after, before=before)
    for text in inside:
        assert is_eligible(by_day, at=time.fromisoformat(text)), text
    for text in outside:
        assert not is_eligible(by_day, at=time.fromisoformat(text)), text


def test_a_share_of_conversations_is_always_the_same() -> None:
    ids = [f"conversation {number}" for number in range(1000)]
    places = [share_of(text) for text in ids]
    assert places == [share_of(text) for text in ids]
    assert set(places) == set(range(100))
    inside = [text for text in ids if is_eligible(rule(share=30), conversation_id=text)]
    assert 230 < len(inside) < 370
    more = [text for text in ids if is_eligible(rule(share=60), conversation_id=text)]
    assert set(inside) < set(more), "who is in stays in where the share grows"


def test_somebody_may_always_say_that_nobody_may() -> None:
    ids = ("fallback-agent", "clarification-agent")
    registry = IntentsByRules([rule(agents=(*ids, LIGHT), share=0)])
    found = registry.eligibility(speaking())
    assert found.barred_agents == {LIGHT}


def test_times_are_kept_without_seconds_and_a_rule_names_somebody() -> None:
    assert rule(after="07:30:00", before="").after == "07:30"
    for wrong in ({"after": "25:00"}, {"before": "noon"}, {"agents": ()}, {"share": 101}):
        with pytest.raises(ValidationError):
            rule(**wrong)
    assert rule(agents=(), intents=("HassTurnOn",)).intents == ("HassTurnOn",)


async def test_who_speaks_where_is_read_from_the_sentence(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    panel = voice_panel(hass, "Kitchen")
    said = ConversationInput(
        text="hello",
        context=Context(user_id="ann"),
        conversation_id="talk",
        device_id=panel,
        satellite_id=None,
        language="en",
        agent_id="conversation.bellboard",
    )
    found = SpeakerContext.of(hass, said)
    assert (found.area_id, found.device_id, found.user_id) == ("kitchen", panel, "ann")
    assert (found.conversation_id, found.satellite_id) == ("talk", None)
    on = replace(said, satellite_id="assist_satellite.kitchen", device_id=None)
    assert SpeakerContext.of(hass, on).satellite_id == "assist_satellite.kitchen"

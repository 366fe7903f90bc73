"""An intent means the same entities to us as to Home Assistant's own handlers."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, intent

from custom_components.bellboard.domains.registry import intents_of_specialists
from custom_components.bellboard.nlu.intents import match_intent
from tests.one_house import in_one_house

KITCHEN_SPEAKER = {"name": "Kitchen Speaker"}
CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("HassTurnOn", {"name": "Tall Lamp"}, None),
    ("HassTurnOn", {"domain": "light", "area": "Kitchen"}, None),
    ("HassTurnOn", {"domain": ["light"], "floor": "Upstairs"}, None),
    ("HassTurnOn", {"name": "Bedside Lamp"}, "Kitchen"),
    ("HassTurnOff", {"name": "all", "domain": "light"}, None),
    ("HassTurnOff", {"name": "Coffee Machine"}, None),
    ("HassTurnOff", {"name": "Alarm Beacon"}, None),
    ("HassToggle", {"name": "Desk Lamp"}, None),
    ("HassTurnOn", {"device_class": ["outlet"], "area": "Kitchen"}, None),
    ("HassLightSet", {"name": "Floor Lamp", "brightness": 0}, None),
    ("HassLightSet", {"area": "Bedroom", "brightness": 30}, None),
    ("HassLightSet", {"name": "Kitchen Speaker", "brightness": 30}, None),
    ("HassClimateSetTemperature", {"temperature": 20, "area": "Bedroom"}, None),
    ("HassClimateSetTemperature", {"temperature": 20}, "Living Room"),
    ("HassClimateSetTemperature", {"temperature": 20}, None),
    ("HassClimateSetTemperature", {"temperature": 20, "floor": "Basement"}, None),
    ("HassClimateSetFanMode", {"fan_mode": "high", "name": "Bedroom Thermostat"}, None),
    ("HassClimateSetFanMode", {"fan_mode": "high", "area": "Kitchen"}, None),
    ("HassMediaPause", {}, None),
    ("HassMediaPause", {"area": "Office"}, None),
    ("HassMediaUnpause", {"area": "Kitchen"}, None),
    ("HassMediaNext", {"area": "Kitchen"}, None),
    ("HassMediaPrevious", KITCHEN_SPEAKER, None),
    ("HassSetVolume", {"volume_level": 50, "floor": "Upstairs"}, None),
    ("HassSetVolumeRelative", {"volume_step": "up"}, None),
    ("HassSetVolumeRelative", {"volume_step": 10, "area": "Kitchen"}, None),
    ("HassSetVolumeRelative", {"volume_step": "down", "floor": "Upstairs"}, None),
    ("HassSetVolumeRelative", {"volume_step": "down", "name": "Office Speaker"}, None),
    ("HassMediaPlayerMute", KITCHEN_SPEAKER, None),
    ("HassMediaPlayerUnmute", {"area": "Kitchen"}, None),
    ("HassMediaSearchAndPlay", {"search_query": "jazz", "area": "Office"}, None),
    ("HassMediaSearchAndPlay", {"search_query": "jazz"}, "Bedroom"),
    ("HassMediaSearchAndPlay", {"search_query": "jazz", "area": "Guest Room"}, None),
]


def area_id(hass: HomeAssistant, name: str | None) -> str | None:
    area = ar.async_get(hass).async_get_area_by_name(name) if name else None
    return area.id if area else None


async def handled(
    hass: HomeAssistant, name: str, slots: dict[str, Any], area: str | None
) -> set[str]:
    """Return the entities Home Assistant's handler acts on; none where it refuses."""
    given = {slot: {"value": value} for slot, value in slots.items()}
    if area:
        given["preferred_area_id"] = {"value": area}
    try:
        response = await intent.async_handle(hass, "test", name, given, assistant="conversation")
    except intent.MatchFailedError:
        return set()
    await hass.async_block_till_done()
    return {state.entity_id for state in response.matched_states} | {
        target.id or ""
        for target in response.success_results
        if target.type is intent.IntentResponseTargetType.ENTITY
    }


def test_every_intent_is_compared() -> None:
    assert {name for name, _, _ in CASES} == intents_of_specialists()


@in_one_house(("name", "slots", "area"), CASES, ids=[f"{name}-{slots}" for name, slots, _ in CASES])
async def test_we_mean_what_home_assistant_means(
    hass: HomeAssistant, house: ConfigEntry, name: str, slots: dict[str, Any], area: str | None
) -> None:
    matched = match_intent(hass, name, slots, area_id(hass, area))
    ours = set(matched.entity_ids) if matched and not matched.is_ambiguous else set()
    theirs = await handled(hass, name, slots, area_id(hass, area))
    if name == "HassMediaSearchAndPlay" and ours:
        # Its response names no entity, so what it started tells.
        playing = {s.entity_id for s in hass.states.async_all() if s.state == "playing"}
        theirs = playing - {"media_player.kitchen_speaker"}
    assert ours == theirs


@in_one_house("area", ["Bedroom", "Kitchen", None])
async def test_a_name_two_lamps_share_is_a_question(
    hass: HomeAssistant, house: ConfigEntry, area: str | None
) -> None:
    matched = match_intent(hass, "HassTurnOn", {"name": "Bedside Lamp"}, area_id(hass, area))
    assert matched
    assert matched.is_ambiguous
    assert set(matched.entity_ids) == {"light.left_bedside_lamp", "light.right_bedside_lamp"}


async def test_an_unexposed_namesake_is_no_reason_to_ask(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    hass.states.async_set("light.secret", "off", {"friendly_name": "Floor Lamp"})
    async_expose_entity(hass, "conversation", "light.secret", False)
    matched = match_intent(hass, "HassTurnOn", {"name": "Floor Lamp"}, None)
    assert matched
    assert (matched.entity_ids, matched.is_ambiguous) == (("light.floor_lamp",), False)


async def test_an_intent_we_do_not_know_or_that_names_nothing_matches_nothing(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    assert match_intent(hass, "HassStartTimer", {"minutes": 5}, None) is None
    assert match_intent(hass, "HassTurnOn", {}, None) is None
    assert match_intent(hass, "HassTurnOn", {"name": "all"}, None) is None


async def test_of_players_that_share_a_name_the_one_that_plays_is_meant(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    registry = er.async_get(hass)
    players = ("media_player.kitchen_speaker", "media_player.office_speaker")
    for player in players:
        registry.async_update_entity(player, aliases=["Boombox"])
    matched = match_intent(hass, "HassMediaPlayerMute", {"name": "Boombox"}, None)
    assert matched
    assert (matched.entity_ids, matched.is_ambiguous) == (players[:1], False)

"""Where, for whom and when agents are there: through the front door, and in the form."""

from datetime import datetime
from types import SimpleNamespace
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.conversation import ConversationInput
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.data_entry_flow import InvalidData
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.agents import eligibility
from custom_components.bellboard.const import SUBENTRY_ASSISTANT
from custom_components.bellboard.options import ScopeRule
from custom_components.bellboard.turn.decision import is_barred, offered_agent
from tests.conftest import Setup, Speaker, voice_panel
from tests.forms import (
    ENGLISH,
    Form,
    aborted,
    change_assistant,
    choose,
    filled,
    set_up,
    shown,
    submit,
)
from tests.routing.reading import assistant_of, choosing, traces

NOT_HERE = "I can't do that here."
LIGHT_IN_KITCHEN = {"agents": ["light-agent"], "areas": ["kitchen"]}


def barred(*rules: dict[str, Any]) -> dict[str, Any]:
    """Return an assistant's options with rules."""
    return {"scope": {"rules": list(rules)}}


async def test_an_agent_is_there_where_its_rule_says(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(**barred(LIGHT_IN_KITCHEN))
    said = await speaker.say("turn on the floor lamp", area="Office")
    assert (said.reply, said.calls, said.changes) == (NOT_HERE, [], {})
    assert not said.result.continue_conversation
    said = await speaker.say("turn on the floor lamp", area="Kitchen")
    assert said.reply == "Turned on Floor Lamp."
    first, second = traces(hass)

    def eligible(trace: Any) -> list[str]:
        [stage] = [stage for stage in trace.stages if stage["stage"] == "intents_eligible"]
        return list(stage["payload"]["eligible"])

    assert "light-agent" not in eligible(first)
    assert "music-agent" in eligible(first)
    assert "light-agent" in eligible(second)


async def test_the_rules_of_an_assistant_are_its_own(speak: Setup) -> None:
    bound = await speak(**barred(LIGHT_IN_KITCHEN))
    free = await speak()
    assert (await bound.say("turn on the floor lamp", area="Office")).reply == NOT_HERE
    assert (await free.say("turn on the floor lamp", area="Office")).changes


async def test_it_says_so_in_the_language_of_who_asked(speak: Setup) -> None:
    speaker = await speak(**barred({"agents": ["light-agent"], "share": 0}))
    said = await speaker.say("Schalte die Stehlampe ein", language="de")
    assert (said.reply, said.calls) == ("Das kann ich hier nicht tun.", [])


async def test_home_assistant_does_not_do_it_instead(speak: Setup) -> None:
    """Its own agent understands more than its recogniser is sure of."""
    speaker = await speak(**barred(LIGHT_IN_KITCHEN))
    for text in (
        "spots kitchen counter please on",
        "kitchen counter brightness fifty",
        "turn on the lamp",
        "turn on all lights",
    ):
        said = await speaker.say(text, area="Office")
        assert (said.reply, said.calls, said.changes) == (NOT_HERE, [], {}), text


async def test_of_everything_in_a_room_what_is_barred_is_told(speak: Setup) -> None:
    speaker = await speak(**barred(LIGHT_IN_KITCHEN))
    said = await speaker.say("turn off everything in the living room", area="Office")
    assert said.reply.endswith(NOT_HERE)
    assert not [entity_id for entity_id in said.changes if entity_id.startswith("light.")]


async def test_what_no_rule_names_is_there_as_before(speak: Setup) -> None:
    speaker = await speak(**barred(LIGHT_IN_KITCHEN))
    assert (await speaker.say("mute the kitchen speaker")).reply == "Muted Kitchen Speaker."
    assert (await speaker.say("close the kitchen blinds")).changes
    said = await speaker.say("turn on the coffee machine and turn on the floor lamp")
    assert list(said.changes) == ["switch.coffee_machine"]
    assert said.reply.endswith(NOT_HERE)


async def test_a_model_cannot_choose_it_either(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("light"), **barred(LIGHT_IN_KITCHEN))
    assert (await speaker.say("dim the lamps at the back")).reply == NOT_HERE
    assert speaker.model
    assert not speaker.model.requests
    said = await speaker.say("I could do with the kitchen counter")
    assert (said.calls, said.changes) == ([], {})


async def test_a_rule_can_be_about_one_command(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(**barred({"intents": ["HassTurnOn"], "areas": ["kitchen"]}))
    assert (await speaker.say("turn on the floor lamp", area="Office")).reply == NOT_HERE
    [stage] = [each for each in traces(hass)[-1].stages if each["stage"] == "intents_eligible"]
    assert stage["payload"].keys() == {"eligible"}, "agents are told, and no intents"
    assert "light-agent" in stage["payload"]["eligible"]
    said = await speaker.say("turn on the floor lamp", area="Kitchen")
    assert said.reply == "Turned on Floor Lamp."
    assert (await speaker.say("turn off the floor lamp", area="Office")).changes


async def test_a_rule_can_be_about_who_speaks_and_when(
    speak: Setup, hass_admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = barred(
        {"agents": ["light-agent"], "users": [hass_admin_user.id]},
        {"agents": ["light-agent"], "after": "22:00", "before": "06:00"},
    )
    speaker = await speak(**rules)

    def set_clock(hour: int) -> None:
        moment = datetime(2026, 5, 1, hour, tzinfo=dt_util.get_default_time_zone())
        monkeypatch.setattr(eligibility, "dt_util", SimpleNamespace(now=lambda: moment))

    async def works(**options: Any) -> bool:
        # A conversation belongs to whoever began it.
        speaker.conversation_id = None
        said = await speaker.say("turn on the floor lamp", **options)
        assert said.reply in {NOT_HERE, "Turned on Floor Lamp.", "Floor Lamp was on already."}
        return said.reply != NOT_HERE

    set_clock(12)
    assert not await works()
    assert await works(context=Context(user_id=hass_admin_user.id))
    set_clock(23)
    assert await works()
    set_clock(5)
    assert await works()


async def test_it_can_be_asked_whether_an_agent_is_barred_and_who_can_be_offered(
    hass: HomeAssistant, speak: Setup
) -> None:
    rules = [LIGHT_IN_KITCHEN, {"agents": ["general-agent"], "areas": ["kitchen"]}]
    speaker = await speak(choosing("general"), **barred(*rules))

    async def asked(area: str | None) -> tuple[bool, str | None]:
        user_input = await heard(hass, speaker, area)
        assistant = assistant_of(hass)
        offer = offered_agent(assistant, user_input)
        return is_barred(assistant, user_input, "light-agent"), offer.agent_id if offer else None

    assert await asked("Kitchen") == (False, "general-agent")
    # What the home agent would have understood is understood without a model.
    assert await asked("Office") == (True, None)


async def heard(hass: HomeAssistant, speaker: Speaker, area: str | None) -> Any:
    """Return a sentence as the assistant hears it."""
    return ConversationInput(
        text="hello",
        context=Context(),
        conversation_id="talk",
        device_id=voice_panel(hass, area) if area else None,
        satellite_id=None,
        language="en",
        agent_id=speaker.agent_id,
    )


async def open_rules(hass: HomeAssistant) -> tuple[ConfigEntry, Form]:
    """Set up a connection without a model and open its assistant's form."""
    entry = await set_up(hass, "none")
    (subentry_id,) = entry.subentries
    return entry, shown(await change_assistant(hass, entry, subentry_id), "init")


def kept(entry: ConfigEntry) -> dict[str, Any]:
    """Return what the only assistant keeps."""
    (subentry,) = entry.subentries.values()
    return dict(subentry.data)


@pytest.mark.usefixtures("assist")
async def test_rules_are_typed_kept_shown_again_and_restored(hass: HomeAssistant) -> None:
    entry, form = await open_rules(hass)
    (subentry_id,) = entry.subentries
    rule = {"agents": ["light-agent"], "after": "22:00:00", "share": 50, "areas": []}
    aborted(
        await submit(hass, form, **filled(form, rules=[rule])),
        "reconfigure_successful",
    )
    expected: dict[str, Any] = {"agents": ["light-agent"], "after": "22:00", "share": 50}
    assert kept(entry) == {"scope": {"rules": [expected]}}, "only what differs"
    (assistant,) = entry.runtime_data.assistants.values()
    assert assistant.options.scope.rules == (ScopeRule(**expected),)

    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    assert filled(form)["rules"] == [expected]
    aborted(await submit(hass, form, **filled(form)), "reconfigure_successful")
    assert kept(entry) == {"scope": {"rules": [expected]}}

    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    aborted(await submit(hass, form, **filled(form, rules=None)), "reconfigure_successful")
    assert kept(entry) == {}, "an emptied list is not sent"

    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    await submit(hass, form, **filled(form, rules=[rule]))
    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    menu = await submit(hass, form, **filled(form, advanced=True))
    aborted(await choose(hass, menu, "restore_defaults"), "reconfigure_successful")
    assert kept(entry) == {}


@pytest.mark.usefixtures("assist")
async def test_a_rule_that_names_nobody_is_told_of_by_its_number(hass: HomeAssistant) -> None:
    entry, form = await open_rules(hass)
    rules = [{"agents": ["light-agent"]}, {"areas": ["kitchen"]}]
    errors = {"rules": "rule_names_nobody"}
    result = await submit(hass, form, **filled(form, rules=rules))
    form = shown(result, "init", errors=errors)
    assert form["description_placeholders"]["number"] == "2"
    assert filled(form)["rules"] == rules, "nothing typed is lost"
    assert kept(entry) == {}

    half = [{"agents": ["light-agent"], "share": 2.5}]
    result = await submit(hass, form, **filled(form, rules=half))
    errors = {"rules": "invalid_value"}
    form = shown(result, "init", errors=errors)
    assert form["description_placeholders"]["number"] == "1"


@pytest.mark.usefixtures("assist")
async def test_what_cannot_be_chosen_is_refused(hass: HomeAssistant) -> None:
    entry, form = await open_rules(hass)
    wrong: list[dict[str, Any]] = [
        {"agents": ["light-agent"], "after": "noon"},
        {"agents": ["light-agent"], "share": 101},
        {"agents": ["light-agent"], "satellites": ["light.kitchen"]},
        {"agents": "light-agent"},
        {"agents": ["light-agent"], "surprise": 1},
    ]
    for rule in wrong:
        with pytest.raises(InvalidData):
            await submit(hass, form, **filled(form, rules=[rule]))
    assert kept(entry) == {}


@pytest.mark.usefixtures("assist")
async def test_a_browser_can_show_the_choice(
    hass: HomeAssistant, hass_client: ClientSessionGenerator, hass_admin_user: User
) -> None:
    assert await async_setup_component(hass, "config", {})
    entry = await set_up(hass, "none")
    client = await hass_client()
    response = await client.post(
        "/api/config/config_entries/subentries/flow",
        json={"handler": [entry.entry_id, SUBENTRY_ASSISTANT]},
    )
    asked = {field["name"]: field for field in (await response.json())["data_schema"]}
    rules = asked["rules"]
    selector = rules["selector"]["object"]
    assert (selector["multiple"], selector["label_field"]) == (True, "agents")
    fields = {name: field["selector"] for name, field in selector["fields"].items()}
    assert fields.keys() == ScopeRule.model_fields.keys()

    def offered(name: str) -> dict[str, str]:
        return {option["value"]: option["label"] for option in fields[name]["select"]["options"]}

    assert offered("users") == {hass_admin_user.id: hass_admin_user.name}
    assert {"light-agent", "music-agent", "climate-agent", "home-agent"} <= offered("agents").keys()
    assert "fallback-agent" not in offered("agents")
    assert offered("intents")["HassTurnOn"] == "HassTurnOn"
    assert fields["satellites"]["entity"]["domain"] == ["assist_satellite"]

    texts = ENGLISH["selector"][selector["translation_key"]]["fields"]
    assert texts.keys() == fields.keys()
    assert all(text["name"] and text["description"] for text in texts.values())

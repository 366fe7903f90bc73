"""An agent of the user's own, made by a form, does what it was given with its devices, and nothing beyond."""

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntry,
    ConfigSubentry,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, label_registry as lr
import pytest
from pytest_homeassistant_custom_component.components.diagnostics import (
    get_diagnostics_for_config_entry,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN, SUBENTRY_AGENT
from custom_components.bellboard.flows.own_agent import template_names
from custom_components.bellboard.services.agents import MOST_AGENTS
from tests.capable import brain, drawn
from tests.conftest import Said, Setup, Speaker
from tests.forms import Form, aborted, filled, options, shown, shown_menu, suggested
from tests.routing.reading import assistant_of

type Make = Callable[..., Awaitable[str]]


def entry_of(hass: HomeAssistant) -> ConfigEntry:
    """Return the connection."""
    return hass.config_entries.async_entries(DOMAIN)[0]


async def configure(hass: HomeAssistant, form: Form, answers: dict[str, Any]) -> Any:
    """Send a form."""
    return await hass.config_entries.subentries.async_configure(form["flow_id"], answers)


async def open_form(hass: HomeAssistant, template: str = "none") -> Form:
    """Open the form of a new agent for devices, as a template fills it."""
    handler = (entry_of(hass).entry_id, SUBENTRY_AGENT)
    menu = await hass.config_entries.subentries.async_init(handler, context={"source": SOURCE_USER})
    assert shown_menu(menu, "user") == ["template", "hand_over"]
    chosen = shown(await configure(hass, dict(menu), {"next_step_id": "template"}), "template")
    return shown(await configure(hass, chosen, {"template": template}), "devices")


@pytest.fixture
def make(hass: HomeAssistant) -> Make:
    """Return what makes an agent by the form, and returns its id."""

    async def make(template: str = "none", **answers: Any) -> str:
        form = await open_form(hass, template)
        result = await configure(hass, form, filled(form, **answers))
        assert result["type"] == "create_entry", result
        await hass.async_block_till_done()
        return str(result["data"]["agent_id"])

    return make


def who(hass: HomeAssistant) -> list[str]:
    """Return the ids of the agents of the last turn."""
    return [agent["id"] for agent in list(assistant_of(hass).traces)[-1].agents]


def calls(said: Said) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of a turn, each with its data."""
    return [(f"{c['domain']}.{c['service']}", dict(c["service_data"])) for c in said.calls]


def called(said: Said) -> set[str]:
    """Return the actions that were called."""
    return {action for action, _ in calls(said)}


BLINDS = [
    ("close the living room blinds", {"cover.close_cover"}),
    ("open the living room blinds", {"cover.open_cover"}),
    ("please could you open the kitchen blinds", {"cover.open_cover"}),
    ("shut the blinds in the bedroom", {"cover.close_cover"}),
    ("set the living room blinds to 40 percent", {"cover.set_cover_position"}),
    ("kitchen blinds to 25%", {"cover.set_cover_position"}),
    ("half open the living room blinds", {"cover.set_cover_position"}),
    ("lower the bedroom blinds", {"cover.close_cover"}),
    ("raise the bedroom blinds", {"cover.open_cover"}),
    ("stop the living room blinds", {"cover.stop_cover"}),
    ("close all blinds", {"cover.close_cover"}),
    ("open all the blinds", {"cover.open_cover"}),
    ("close the kitchen blinds and the bedroom blinds", {"cover.close_cover"}),
    ("all blinds down", {"cover.close_cover"}),
    ("kitchen blinds up", {"cover.open_cover"}),
    ("close every blind except the kitchen blinds", {"cover.close_cover"}),
    ("I'd like the living room blinds closed", {"cover.close_cover"}),
    ("set the blinds in the kitchen to half", {"cover.set_cover_position"}),
    ("would you mind closing the bedroom blinds", {"cover.close_cover"}),
    ("open the blinds in the living room and the kitchen", {"cover.open_cover"}),
]
VACUUM = [
    ("start the vacuum", {"vacuum.start"}),
    ("start Dusty", {"vacuum.start"}),
    ("start vacuuming", {"vacuum.start"}),
    ("please start the robot vacuum", {"vacuum.start"}),
    ("Dusty should clean", {"vacuum.start"}),
    ("send the vacuum home", {"vacuum.return_to_base"}),
    ("send Dusty back to its base", {"vacuum.return_to_base"}),
    ("return the vacuum to the dock", {"vacuum.return_to_base"}),
    ("stop the vacuum", {"vacuum.stop", "vacuum.pause"}),
    ("stop Dusty", {"vacuum.stop", "vacuum.pause"}),
    ("pause the vacuum cleaner", {"vacuum.stop", "vacuum.pause"}),
    ("vacuum, stop", {"vacuum.stop", "vacuum.pause"}),
    ("turn on the vacuum", {"vacuum.start"}),
    ("turn the vacuum off", {"vacuum.return_to_base", "vacuum.stop"}),
    ("could you start Dusty for me", {"vacuum.start"}),
    ("let the vacuum start", {"vacuum.start"}),
    ("have Dusty return home", {"vacuum.return_to_base"}),
    ("dock the vacuum", {"vacuum.return_to_base"}),
    ("run the vacuum", {"vacuum.start"}),
    ("I want you to start the vacuum", {"vacuum.start"}),
]
LOCKS = [
    ("lock the front door", {"lock.lock"}),
    ("unlock the front door", {"lock.unlock"}),
    ("please lock the front door", {"lock.lock"}),
    ("could you lock the front door", {"lock.lock"}),
    ("lock up the front door", {"lock.lock"}),
    ("lock the door at the front", {"lock.lock"}),
    ("front door lock", {"lock.lock"}),
    ("I want the front door locked", {"lock.lock"}),
    ("would you unlock the front door", {"lock.unlock"}),
    ("unlock the front door please", {"lock.unlock"}),
    ("lock all doors", {"lock.lock"}),
    ("lock every door", {"lock.lock"}),
    ("make sure the front door is locked", {"lock.lock"}),
    ("can you lock the front door for me", {"lock.lock"}),
    ("lock the doors", {"lock.lock"}),
    ("the front door should be locked", {"lock.lock"}),
    ("just lock the front door", {"lock.lock"}),
    ("hey lock the front door will you", {"lock.lock"}),
    ("unlock all the doors", {"lock.unlock"}),
    ("I'd like you to lock the front door", {"lock.lock"}),
]


@pytest.mark.parametrize(
    ("template", "sentences"),
    [("blinds", BLINDS), ("vacuum", VACUUM), ("locks", LOCKS)],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
async def test_what_is_read_for_its_devices_is_done_by_the_agent(
    hass: HomeAssistant,
    speak: Setup,
    make: Make,
    template: str,
    sentences: Sequence[tuple[str, set[str]]],
) -> None:
    speaker = await speak()
    agent_id = f"{template}-agent"
    assert await make(template) == agent_id
    assert len(sentences) == 20
    missed = []
    for text, expected in sentences:
        said = await speaker.say(text)
        if who(hass) != [agent_id] or not called(said) or not called(said) <= expected:
            missed.append((text, who(hass), called(said), said.reply))
    assert not missed


async def test_what_is_for_others_as_well_goes_where_it_went_before(
    hass: HomeAssistant, speak: Setup, make: Make
) -> None:
    speaker = await speak()
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen
    await make("blinds", areas=[kitchen.id])
    await speaker.say("close the kitchen blinds")
    assert who(hass) == ["blinds-agent"]
    await speaker.say("close the bedroom blinds")
    assert who(hass) == ["home-agent"]
    said = await speaker.say("close all blinds")
    assert who(hass) == ["home-agent"]
    assert len(calls(said)[0][1]["entity_id"]) == 3
    await speaker.say("are the kitchen blinds closed")
    assert who(hass) == ["home-agent"]


async def test_devices_are_chosen_by_label(hass: HomeAssistant, speak: Setup, make: Make) -> None:
    speaker = await speak()
    label = lr.async_get(hass).async_create("Shade").label_id
    er.async_get(hass).async_update_entity("cover.kitchen_blinds", labels={label})
    await make("blinds", labels=[label])
    await speaker.say("close the kitchen blinds")
    assert who(hass) == ["blinds-agent"]
    await speaker.say("close the bedroom blinds")
    assert who(hass) == ["home-agent"]


async def test_what_it_may_not_do_is_said_and_done_by_nobody(
    hass: HomeAssistant, speak: Setup, make: Make
) -> None:
    speaker = await speak()
    await make("locks", actions=["lock.lock"])
    said = await speaker.say("unlock the front door")
    assert said.reply == "I may not do that with Front Door."
    assert not said.calls
    await speaker.say("lock the front door")
    assert who(hass) == ["locks-agent"]


async def test_values_stay_within_limits(hass: HomeAssistant, speak: Setup, make: Make) -> None:
    speaker = await speak()
    limit = {"value": "cover.set_position.value", "min": 20, "max": 80}
    await make("blinds", limits=[limit])
    said = await speaker.say("set the kitchen blinds to 5 percent")
    assert not said.calls
    assert "20" in said.reply
    assert "80" in said.reply
    said = await speaker.say("set the kitchen blinds to 50 percent")
    assert calls(said) == [
        ("cover.set_cover_position", {"entity_id": ["cover.kitchen_blinds"], "position": 50})
    ]


async def test_a_question_which_is_answered_and_what_follows_stay_its_own(
    hass: HomeAssistant, speak: Setup, make: Make
) -> None:
    speaker = await speak()
    await make("blinds")
    for text in ("close the blind", "the one in the kitchen", "open it again"):
        await speaker.say(text)
        assert who(hass) == ["blinds-agent"], text
    assert hass.states.is_state("cover.kitchen_blinds", "open")


ASKED = [
    ("it is rather bright in the kitchen", "cover.close", "Kitchen Blinds", {}),
    ("the sun is in my eyes in the bedroom", "cover.close", "Bedroom Blinds", {}),
    ("the living room is like a cave", "cover.open", "Living Room Blinds", {}),
    ("shade the kitchen a bit", "cover.set_position", "Kitchen Blinds", {"value": 40}),
    ("give me half the view in the bedroom", "cover.set_position", "Bedroom Blinds", {"value": 50}),
    ("nobody should look into the bedroom", "cover.close", "Bedroom Blinds", {}),
    ("get the kitchen ready for the morning", "cover.open", "Kitchen Blinds", {}),
    ("almost no view from the living room please", "cover.set_position", "Living Room Blinds", {"value": 20}),
    ("I want to see the garden from the kitchen", "cover.open", "Kitchen Blinds", {}),
    ("make the bedroom dark for a nap", "cover.close", "Bedroom Blinds", {}),
]  # fmt: skip


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked[0])
async def test_a_capable_model_plans_with_its_devices(
    hass: HomeAssistant, speak: Setup, make: Make, asked: tuple[str, str, str, dict[str, Any]]
) -> None:
    text, action, target, values = asked
    step = {"action": action.partition(".")[2], "targets": [target], **values}
    speaker = await speak(brain(("blinds", text), steps=[step]), contract="capable")
    await make("blinds", instructions="Never open more than is asked for.")
    said = await speaker.say(text)
    assert who(hass) == ["blinds-agent"], said.reply
    if said.result.continue_conversation:
        # What a model assumed of covers is asked about first.
        said = await speaker.say("yes")
    assert calls(said), said.reply
    [(_, data)] = calls(said)
    assert data["entity_id"] == [f"cover.{target.casefold().replace(' ', '_')}"]
    assert speaker.model
    prompts = [r.messages[0].content for r in speaker.model.requests]
    assert any("Never open more than is asked for." in prompt for prompt in prompts)


async def test_no_plan_of_a_model_leaves_scope_actions_or_limits(
    hass: HomeAssistant, speak: Setup, make: Make
) -> None:
    random = Random(19)  # noqa: S311 -- a plan need not be secret
    plain = brain(("blinds", "do something with the kitchen blinds"))
    hostile = {
        "steps": [
            {"action": "close", "targets": ["Kitchen Blinds"]},
            {"action": "lock.unlock", "targets": ["Front Door"]},
            {"action": "set_position", "targets": ["Kitchen Blinds"], "value": 0},
        ],
        "ask": "",
        "refuse": "",
    }

    def answer(messages: list[Any], schema: Any) -> Any:
        if schema and "steps" in schema["properties"]:
            return drawn(schema, random) if random.random() < 0.8 else hostile
        return plain(messages, schema)

    speaker: Speaker = await speak(answer, contract="capable")
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen
    await make(
        "blinds",
        areas=[kitchen.id],
        actions=["cover.set_position", "cover.stop"],
        limits=[{"value": "cover.set_position.value", "min": 20, "max": 80}],
    )
    made = 0
    for _ in range(60):
        speaker.conversation_id = None
        said = await speaker.say("do something with the kitchen blinds, whatever you like")
        for action, data in calls(said):
            made += 1
            assert action in {"cover.set_cover_position", "cover.stop_cover"}
            assert data["entity_id"] == ["cover.kitchen_blinds"]
            assert 20 <= data.get("position", 50) <= 80
    assert made


async def test_a_sentence_is_tried_in_the_form_and_nothing_is_done(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    form = await open_form(hass, "blinds")
    before = hass.states.get("cover.kitchen_blinds")
    tried = await configure(hass, form, filled(form, **{"try": "close the kitchen blinds"}))
    again = shown(tried, "devices")
    assert again["description_placeholders"]["tried"].startswith("**Blinds**: ")
    assert "Kitchen Blinds" in again["description_placeholders"]["tried"]
    assert hass.states.get("cover.kitchen_blinds") is before
    assert suggested(again)["try"] == "close the kitchen blinds"
    other = await configure(hass, again, filled(again, **{"try": "turn on the floor lamp"}))
    assert other["description_placeholders"]["tried"].startswith("**Lights**: ")
    assert not [s for s in entry_of(hass).subentries.values() if s.subentry_type == SUBENTRY_AGENT]
    done = await configure(hass, other, filled(other, **{"try": None}))
    assert done["type"] == "create_entry"


@pytest.mark.parametrize(
    ("answers", "errors"),
    [
        ({"name": "\u200b"}, {"name": "empty_text"}),
        ({"description": "\u200b"}, {"description": "empty_text"}),
        ({"name": "Lights"}, {}),
        ({"name": "Light"}, {"name": "name_taken"}),
        ({"name": "Home"}, {"name": "name_taken"}),
        ({"domains": []}, {"domains": "no_domains"}),
        (
            {"limits": [{"value": "cover.set_position.value", "min": 80, "max": 20}]},
            {"limits": "no_range"},
        ),
    ],
)
async def test_what_cannot_be_is_said_at_its_field(
    hass: HomeAssistant, speak: Setup, answers: dict[str, Any], errors: dict[str, str]
) -> None:
    await speak()
    form = await open_form(hass, "blinds")
    result = await configure(hass, form, filled(form, **answers))
    if errors:
        shown(result, "devices", errors=errors)
    else:
        assert result["type"] == "create_entry"


async def test_every_template_fills_a_form_in_every_language(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    form = await open_form(hass)
    assert suggested(form) == {}
    for language in ("de", "en", "es", "fr", "it", "nl", "pl", "pt"):
        hass.config.language = language
        for name in template_names():
            found = suggested(await open_form(hass, name))
            assert found["name"]
            assert found["description"]
            assert len(found["examples"]) == 2
            assert set(found["domains"]) <= set(options(form, "domains"))


async def test_it_is_changed_and_removed(hass: HomeAssistant, speak: Setup, make: Make) -> None:
    speaker = await speak()
    await make("blinds", actions=["cover.open"])
    [agent] = [s for s in entry_of(hass).subentries.values() if s.subentry_type == SUBENTRY_AGENT]
    handler = (entry_of(hass).entry_id, SUBENTRY_AGENT)
    context: Any = {"source": SOURCE_RECONFIGURE, "subentry_id": agent.subentry_id}
    started = await hass.config_entries.subentries.async_init(handler, context=context)
    form = shown(started, "devices")
    assert suggested(form)["actions"] == ["cover.open"]
    result = await configure(hass, form, filled(form, name="Shades", actions=["cover.close"]))
    aborted(result, "reconfigure_successful")
    await hass.async_block_till_done()
    await speaker.say("close the kitchen blinds")
    # Rules name it by its id, which stays.
    assert who(hass) == ["blinds-agent"]
    hass.config_entries.async_remove_subentry(entry_of(hass), agent.subentry_id)
    await hass.async_block_till_done()
    await speaker.say("open the kitchen blinds")
    assert who(hass) == ["home-agent"]


async def test_an_agent_hands_over_to_a_script(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    handler = (entry_of(hass).entry_id, SUBENTRY_AGENT)
    menu = await hass.config_entries.subentries.async_init(handler, context={"source": SOURCE_USER})
    form = shown(await configure(hass, dict(menu), {"next_step_id": "hand_over"}), "hand_over")
    texts = {"name": "Porter", "description": "Welcomes guests."}
    loop = await configure(hass, form, filled(form, **texts, target=speaker.agent_id))
    form = shown(loop, "hand_over", errors={"target": "loop"})
    result = await configure(hass, form, filled(form, **texts, target="script.welcome"))
    assert result["type"] == "create_entry"
    await hass.async_block_till_done()
    assert assistant_of(hass).registry.get("porter-agent")


async def test_diagnostics_tell_what_an_agent_may_do_and_no_words_of_its_owner(
    hass: HomeAssistant, speak: Setup, make: Make, hass_client: ClientSessionGenerator
) -> None:
    await speak()
    await make("blinds", actions=["cover.open"], instructions="Mind the cat.")
    told: Any = await get_diagnostics_for_config_entry(hass, hass_client, entry_of(hass))
    [agent] = told["agents"]
    assert agent["actions"] == ["cover.open"]
    assert "Mind the cat" not in str(told)


async def test_no_more_agents_are_made_than_can_be_told_apart(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    for n in range(MOST_AGENTS):
        data = MappingProxyType(
            {"agent_id": f"a{n}-agent", "name": "A", "description": "A", "domains": ["cover"]}
        )
        hass.config_entries.async_add_subentry(
            entry_of(hass),
            ConfigSubentry(data=data, subentry_type=SUBENTRY_AGENT, title="A", unique_id=None),
        )
    await hass.async_block_till_done()
    handler = (entry_of(hass).entry_id, SUBENTRY_AGENT)
    started = await hass.config_entries.subentries.async_init(
        handler, context={"source": SOURCE_USER}
    )
    aborted(started, "too_many_agents")

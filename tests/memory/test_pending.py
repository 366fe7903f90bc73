"""A question that was asked is finished by its answer, and by nothing else."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.agents.base import AgentResult
from custom_components.bellboard.dialogue.answers import read_answer
from custom_components.bellboard.domains.registry import tables
from custom_components.bellboard.home.catalog import Catalog, CatalogSource
from custom_components.bellboard.memory.models import TaskContext
from custom_components.bellboard.memory.pending import (
    MAX_NAMED_CANDIDATES,
    PendingQuestion,
    forget_question,
    keep_question,
    load_question,
    store_question,
)
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.plans.models import AskUser, Candidate
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.servers import Message

LEFT, RIGHT = "light.left_bedside_lamp", "light.right_bedside_lamp"
LAMPS = ("light.floor_lamp", "light.desk_lamp", "light.reading_lamp", "light.kitchen_counter")
KEY = "pendingQuestion"

# In the real house, with all that is in it. `None` where nothing is chosen.
ANSWERS: list[tuple[str, str | None]] = [
    ("the floor lamp", "light.floor_lamp"),
    ("Stehlampe", "light.floor_lamp"),
    ("the TALL one, please!", "light.floor_lamp"),
    ("desk", "light.desk_lamp"),
    ("the one in the kitchen", "light.kitchen_counter"),
    ("in the study", "light.desk_lamp"),
    ("the reading lamp in the living room", "light.reading_lamp"),
    ("the second one", "light.desk_lamp"),
    # It leaves several, or none.
    ("the lamp", None),
    ("the one in the living room", None),
    ("the one in the bathroom", None),
    ("what time is it", None),
    ("", None),
    # Something else is named, though a word of it or its room would do.
    ("the night light", None),
    ("the kitchen speaker", None),
    # A request of its own.
    ("turn off the floor lamp", None),
]


@pytest.fixture
async def catalog(hass: HomeAssistant, house: ConfigEntry) -> Catalog:
    """Return the catalog of the demo house."""
    return await CatalogSource(hass).async_get()


def question(catalog: Catalog, *entity_ids: str, **values: Any) -> AskUser:
    """Return a question with candidates."""
    candidates = [
        Candidate(
            entity_id=entity_id,
            name=catalog.entities[entity_id].name if entity_id in catalog.entities else "Gone",
        )
        for entity_id in entity_ids
    ]
    return AskUser(param="target", prompt="Which?", candidates=tuple(candidates), **values)


async def test_an_answer_chooses_by_name_alias_part_or_room(
    hass: HomeAssistant, catalog: Catalog
) -> None:
    pending = PendingQuestion("light-agent", question(catalog, *LAMPS))
    language = await async_get_language(hass, "en")
    for text, chosen in ANSWERS:
        targets = read_answer(text, pending, catalog, language).targets
        assert targets == ((chosen,) if chosen else ()), text


async def test_what_is_no_longer_exposed_is_no_longer_chosen(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    source = CatalogSource(hass)
    source.async_listen()
    pending = PendingQuestion("light-agent", question(await source.async_get(), LEFT, RIGHT))
    language = await async_get_language(hass, "en")
    async_expose_entity(hass, "conversation", RIGHT, should_expose=False)
    catalog = await source.async_get()
    assert pending.present(catalog) == (LEFT,)
    assert read_answer("both", pending, catalog, language).targets == (LEFT,)
    for text in ("the right one", "right bedside lamp", "number two", "not the left one", "yes"):
        assert read_answer(text, pending, catalog, language).targets == (), text
    source.async_unlisten()


def test_a_question_is_kept_with_its_task_and_forgotten_with_the_next_turn(
    catalog: Catalog,
) -> None:
    task = TaskContext.submitted(session_id="talk")
    asked = question(catalog, LEFT, RIGHT, action="set", data={"percent": 0, "color": "red"})
    done = AgentResult(success=True, content="Done.")
    store_question(
        task,
        ["music-agent", "light-agent"],
        [done, AgentResult(success=True, content="", question=asked)],
    )
    # As it would be after it was stored somewhere.
    task = TaskContext.model_validate(task.as_json())
    assert load_question(task) == PendingQuestion("light-agent", asked)
    store_question(task, ["music-agent"], [done])
    assert load_question(task) is None


def test_where_and_how_often_it_was_asked_is_kept(catalog: Catalog) -> None:
    task = TaskContext.submitted(session_id="talk")
    asked = question(catalog, LEFT, RIGHT, "light.floor_lamp", action="turn_on")
    store_question(
        task,
        ["light-agent"],
        [AgentResult(success=True, content="", question=asked)],
        area_id="bedroom",
    )
    first = PendingQuestion("light-agent", asked, asked=1, area_id="bedroom")
    assert load_question(task) == first
    keep_question(task, first.asked_again())
    second = load_question(task)
    assert second == PendingQuestion("light-agent", asked, asked=2, area_id="bedroom")
    assert second.order == (LEFT, RIGHT, "light.floor_lamp")
    # What the answer left is all that is asked about from now on.
    keep_question(task, second.asked_again(["light.floor_lamp", RIGHT]))
    third = load_question(task)
    assert third
    assert (third.asked, third.order) == (3, (RIGHT, "light.floor_lamp"))
    assert third.question.action == "turn_on"
    assert third.asked_again(["light.unknown"]).order == third.order
    forget_question(task)
    assert load_question(task) is None
    forget_question(task)


def test_more_candidates_than_can_be_remembered_are_not_named(catalog: Catalog) -> None:
    lamps = [*LAMPS, LEFT]
    assert PendingQuestion("light-agent", question(catalog, *lamps[:MAX_NAMED_CANDIDATES])).is_named
    assert not PendingQuestion("light-agent", question(catalog, *lamps)).is_named
    # One that is there twice is one.
    twice = PendingQuestion("light-agent", question(catalog, LEFT, RIGHT, LEFT))
    assert twice.order == (LEFT, RIGHT)


GOOD: dict[str, Any] = {
    "agentId": "light-agent",
    "question": {"param": "target", "prompt": "Which?"},
}


@pytest.mark.parametrize(
    "stored",
    [
        None,
        "",
        "light-agent",
        7,
        [],
        {},
        {"agentId": "light-agent"},
        {"question": GOOD["question"]},
        {**GOOD, "agentId": ""},
        {**GOOD, "agentId": None},
        {**GOOD, "agentId": ["light-agent"]},
        {**GOOD, "asked": 0},
        {**GOOD, "asked": "often"},
        {**GOOD, "areaId": 7},
        {**GOOD, "question": None},
        {**GOOD, "question": "Which?"},
        {**GOOD, "question": {"prompt": "Which?"}},
        {**GOOD, "question": {**GOOD["question"], "candidates": [{"entity_id": LEFT}]}},
        {**GOOD, "question": {**GOOD["question"], "candidates": "left"}},
        {**GOOD, "question": {**GOOD["question"], "data": []}},
    ],
)
def test_what_cannot_be_read_is_no_question(stored: Any) -> None:
    task = TaskContext.submitted(session_id="talk", metadata={KEY: stored})
    assert load_question(task) is None


def test_what_an_older_version_kept_can_be_read() -> None:
    task = TaskContext.submitted(session_id="talk", metadata={KEY: GOOD})
    found = load_question(task)
    assert found == PendingQuestion("light-agent", AskUser(param="target", prompt="Which?"))
    assert found.asked == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON | st.fixed_dictionaries({}, optional=dict.fromkeys([*GOOD, "asked", "areaId"], JSON)))
def test_whatever_was_stored_is_read_or_is_no_question(stored: Any) -> None:
    task = TaskContext.submitted(session_id="talk", metadata={KEY: stored})
    found = load_question(task)
    if found:
        keep_question(task, found)
        assert load_question(task) == found


async def test_the_answer_finishes_what_was_asked_for(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on bedside lamp")
    assert "Left Bedside Lamp" in asked.reply
    assert "Right Bedside Lamp" in asked.reply
    assert asked.changes == {}
    assert asked.result.continue_conversation
    # Said in another room: the question is still about the same lamps.
    answered = await speaker.say("the right one", area="Kitchen")
    assert answered.reply == "Turned on Right Bedside Lamp."
    assert set(answered.changes) == {RIGHT}
    assert not answered.result.continue_conversation


async def test_the_action_and_its_value_are_kept(hass: HomeAssistant, speak: Setup) -> None:
    def answer(messages: list[Message], schema: dict[str, Any] | None) -> dict[str, Any]:
        return {"actions": [{"action": "set", "percent": 37}]}

    speaker = await speak(answer)
    asked = await speaker.say("dim the light to 37 please")
    assert asked.reply == "In which room?"
    assert speaker.model
    calls = speaker.model.attempts
    answered = await speaker.say("kitchen counter")
    assert answered.reply == "Set Kitchen Counter to 37%."
    assert set(answered.changes) == {"light.kitchen_counter"}
    assert speaker.model.attempts == calls


async def test_something_else_is_a_new_request(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on bedside lamp")
    other = await speaker.say("turn off the desk lamp")
    assert other.reply == "Turned off Desk Lamp."
    # The question is no longer open.
    late = await speaker.say("the right one")
    assert late.changes == {}


async def test_the_opposite_of_what_was_asked_is_never_done(speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on bedside lamp")
    said = await speaker.say("turn off the left bedside lamp")
    assert said.reply == "Turned off Left Bedside Lamp."


async def test_an_answer_in_another_conversation_is_none(speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on bedside lamp")
    speaker.conversation_id = None
    said = await speaker.say("the right one")
    assert said.changes == {}


VALUES = {
    "brightness": ("adjust the brightness of the desk lamp", "40 percent", {"brightness_pct": 40}),
    "color": ("change the colour of the floor lamp", "blue", {"color_name": "blue"}),
    "color_temperature": (
        "change the colour temperature of the desk lamp",
        "4000 kelvin",
        {"color_temp_kelvin": 4000},
    ),
    "effect": ("change the effect of the floor lamp", "rainbow", {"effect": "rainbow"}),
    "temperature": (
        "change the temperature of the bedroom thermostat",
        "21",
        {"temperature": 21},
    ),
    "humidity": ("change the humidity of the bedroom thermostat", "50", {"humidity": 50}),
    "mode": ("change the mode of the bedroom thermostat", "cool", {"hvac_mode": "cool"}),
    "preset": ("change the preset of the bedroom fan", "breeze", {"preset_mode": "breeze"}),
    "fan": (
        "change the fan mode of the office air conditioner",
        "low",
        {"fan_mode": "low"},
    ),
    "swing": (
        "change the swing mode of the office air conditioner",
        "vertical",
        {"swing_mode": "vertical"},
    ),
    "volume": ("set the volume of the kitchen speaker", "45", {"volume_level": 0.45}),
    "source": (
        "change the source of the bathroom radio",
        "Klassik Eins",
        {"source": "Klassik Eins"},
    ),
    "sound_mode": (
        "change the sound mode of the living room tv",
        "standard",
        {"sound_mode": "standard"},
    ),
    "position": (
        "change the position of the living room blinds",
        "thirty percent",
        {"position": 30},
    ),
    "tilt": ("change the tilt of the living room blinds", "30 percent", {"tilt_position": 30}),
    "speed": ("change the speed of the bedroom fan", "70 percent", {"percentage": 70}),
}
"""By what is measured: a request without its value, the answer, and the data of the call."""


@in_one_house(("measure", "said", "answer", "data"), [(name, *row) for name, row in VALUES.items()])
async def test_each_kind_of_value_is_asked_for_and_taken_up(
    speak: Setup, measure: str, said: str, answer: str, data: dict[str, Any]
) -> None:
    speaker = await speak()
    asked = await speaker.say(said)
    english = await async_get_language(speaker.hass, "en")
    assert asked.reply == english.say(f"ask.{measure}")
    assert (asked.calls, asked.changes) == ([], {})
    assert asked.result.continue_conversation
    [call] = (await speaker.say(answer)).calls
    del call["service_data"]["entity_id"]
    assert call["service_data"] == data


@in_one_house(
    ("said", "answer", "data"),
    [
        ("change the preset of the bedroom fan", "sleep", {"preset_mode": "sleep"}),
        ("change the preset of the living room thermostat", "sleep", {"preset_mode": "sleep"}),
        ("change the sound mode of the living room tv", "cinema", {"sound_mode": "cinema"}),
    ],
)
async def test_a_mode_that_is_asked_for_is_no_scene_of_that_name(
    speak: Setup, said: str, answer: str, data: dict[str, Any]
) -> None:
    speaker = await speak()
    assert (await speaker.say(said)).result.continue_conversation
    [call] = (await speaker.say(answer)).calls
    del call["service_data"]["entity_id"]
    assert call["service_data"] == data


def test_of_each_kind_of_value_there_is_an_example() -> None:
    measured = {
        parameter.measures
        for table in tables()
        for action in table.actions
        for parameter in action.parameters
        if parameter.measures
    }
    assert measured == VALUES.keys()

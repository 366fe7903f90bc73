"""A question that was asked is finished by its answer, and by nothing else."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.agents.base import Answer
from custom_components.bellboard.home.catalog import Catalog, CatalogSource
from custom_components.bellboard.plans.models import AskUser, Candidate
from custom_components.bellboard.tasks.models import TaskContext
from custom_components.bellboard.tasks.pending import PendingQuestion, load_question, store_question
from tests.conftest import Setup
from tests.servers import Message

LEFT, RIGHT = "light.left_bedside_lamp", "light.right_bedside_lamp"
VERBS = frozenset({"turn", "set"})
LAMPS = ("light.floor_lamp", "light.desk_lamp", "light.reading_lamp", "light.kitchen_counter")


ANSWERS: list[tuple[str, str | None]] = [
    ("the floor lamp", "light.floor_lamp"),
    ("Stehlampe", "light.floor_lamp"),
    ("the TALL one, please!", "light.floor_lamp"),
    ("desk", "light.desk_lamp"),
    ("the one in the kitchen", "light.kitchen_counter"),
    ("in the study", "light.desk_lamp"),
    ("the reading lamp in the living room", "light.reading_lamp"),
    # Not an answer: it leaves several, or none.
    ("the lamp", None),
    ("the one in the living room", None),
    ("the one in the bathroom", None),
    ("floor lamp and desk lamp", None),
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


def test_an_answer_chooses_by_name_alias_part_or_room(catalog: Catalog) -> None:
    pending = PendingQuestion("light-agent", question(catalog, *LAMPS))
    for text, chosen in ANSWERS:
        assert pending.answered_by(text, catalog, VERBS) == chosen, text


def test_of_two_that_share_a_name_the_room_decides(catalog: Catalog) -> None:
    pending = PendingQuestion("light-agent", question(catalog, LEFT, RIGHT))
    assert pending.answered_by("bedside lamp", catalog, VERBS) is None
    assert pending.answered_by("the left one", catalog, VERBS) == LEFT
    pending = PendingQuestion("light-agent", question(catalog, LEFT, "light.floor_lamp"))
    assert pending.answered_by("upstairs", catalog, VERBS) == LEFT


def test_what_is_gone_cannot_be_chosen(catalog: Catalog) -> None:
    pending = PendingQuestion("light-agent", question(catalog, "light.gone", LEFT))
    assert pending.answered_by("gone", catalog, VERBS) is None
    assert pending.answered_by("left", catalog, VERBS) == LEFT


def test_a_question_is_kept_with_its_task_and_forgotten_with_the_next_turn(
    catalog: Catalog,
) -> None:
    task = TaskContext(session_id="talk")
    asked = question(catalog, LEFT, RIGHT, action="set", data={"percent": 0, "color": "red"})
    done = Answer(success=True, content="Done.")
    store_question(
        task,
        ["music-agent", "light-agent"],
        [done, Answer(success=True, content="", question=asked)],
    )
    # As it would be after it was stored somewhere.
    task = TaskContext.model_validate(task.as_json())
    assert load_question(task) == PendingQuestion("light-agent", asked)
    store_question(task, ["music-agent"], [done])
    assert load_question(task) is None


async def test_the_answer_finishes_what_was_asked_for(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on bedside lamp")
    assert asked.reply == "Which one do you mean: Left Bedside Lamp or Right Bedside Lamp?"
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

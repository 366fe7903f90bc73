"""A sentence is tried in the panel as it would be said, and nothing is touched."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from tests.conftest import Setup, snapshot
from tests.panel.conftest import Panel
from tests.panel.test_turns import choose
from tests.routing.reading import assistant_of


async def test_a_tried_sentence_is_planned_and_touches_nothing(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    before = snapshot(hass)
    assistant = await panel.assistant()

    found = await panel.ask("try", assistant=assistant, text="turn off the kitchen pendant")

    [plan] = found["plans"]
    assert plan["dry_run_calls"] == [
        {"action": "light.turn_off", "data": {"entity_id": ["light.kitchen_pendant"]}}
    ]
    assert found["agents"] == ["light-agent"]
    assert found["reading"]["recognized"]["intent"] == "HassTurnOff"
    assert snapshot(hass) == before
    assert speaker.calls == []
    assert list(assistant_of(hass).traces) == []
    assert assistant_of(hass).statistics.decisions == 0


async def test_it_is_said_in_a_room(hass: HomeAssistant, speak: Setup, panel: Panel) -> None:
    await speak()
    office = ar.async_get(hass).async_get_area_by_name("Office")
    assert office

    found = await panel.ask(
        "try",
        assistant=await panel.assistant(),
        text="turn the lights off",
        area_id=office.id,
    )

    targets = {
        target
        for plan in found["plans"]
        for call in plan["dry_run_calls"]
        for target in call["data"]["entity_id"]
    }
    assert targets == {"light.desk_lamp", "light.bookshelf_lights"}
    assert found["speaker"]["area_id"] == office.id


async def test_a_room_in_which_nothing_listens_is_said(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak()
    cellar = ar.async_get(hass).async_create("Cellar")

    error = await panel.refused(
        "try", assistant=await panel.assistant(), text="lights off", area_id=cellar.id
    )

    assert error["translation_key"] == "golden_area_empty"


async def test_another_threshold_is_tried_beside_the_assistants_own(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak(choose("light-agent"), router={"confidence_threshold": 0.2})
    assistant = await panel.assistant()
    said = {"assistant": assistant, "text": "let the thing above the stove shimmer"}

    own = await panel.ask("try", **said)
    strict = await panel.ask("try", **said, threshold=1.0)

    assert own["parts"][0]["agent_id"] == "light-agent"
    assert (own["threshold"], strict["threshold"]) == (0.2, 1.0)
    assert strict["parts"][0]["agent_id"] == "clarification-agent"
    assert assistant_of(hass).options.router.confidence_threshold == 0.2


async def test_another_model_and_prompt_are_asked_for_one_try_only(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    speaker = await speak(choose("light-agent"))
    assert speaker.model
    assistant = await panel.assistant()
    said = {"assistant": assistant, "text": "let the thing above the stove shimmer"}
    own = assistant_of(hass).models.main
    assert own
    speaker.model.names = [*speaker.model.names, "another"]

    found = await panel.ask("try", **said, model="another", system_prompt="Be quick. {catalog}")

    assert {call["model"] for call in found["models"]} == {"another"}
    assert found["models"][0]["messages"][0]["content"].startswith("Be quick.")
    assert {ask.model for ask in speaker.model.requests} == {"another"}
    assert assistant_of(hass).models.main is own


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": 2},
        {"system_prompt": "{nobody}"},
        {"contract": "huge"},
        {"text": ""},
        {"text": "x" * 3000},
    ],
)
async def test_what_cannot_be_tried_is_refused(
    speak: Setup, panel: Panel, wrong: dict[str, Any]
) -> None:
    await speak()
    fields = {"assistant": await panel.assistant(), "text": "lights off"} | wrong

    assert (await panel.refused("try", **fields))["code"] == "invalid_format"


async def test_each_word_is_told_with_what_it_counts_as(speak: Setup, panel: Panel) -> None:
    await speak()

    found = await panel.ask(
        "read", assistant=await panel.assistant(), text="dim the quibble pendant to half tomorrow"
    )

    roles = {span["text"]: [sense["role"] for sense in span["senses"]] for span in found["spans"]}
    assert "verb" in roles["dim"]
    assert roles["quibble"] == []
    assert any("level" in senses for senses in roles.values())
    assert found["guards"] == [{"reason": "later", "words": "tomorrow"}]
    assert found["recognized"] is None
    assert found["parts"] == []


async def test_what_a_policy_would_ask_is_shown(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    await speak()

    found = await panel.ask(
        "try", assistant=await panel.assistant(), text="is the desk lamp on", language="en"
    )

    assert found["plans"] == [] or all(not plan["dry_run_calls"] for plan in found["plans"])
    assert found["reply"]

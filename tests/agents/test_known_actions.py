"""Actions that are known already are carried out on entities that are known already, and no others."""

from dataclasses import replace
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from custom_components.bellboard.agents.climate import ClimateAgent
from custom_components.bellboard.agents.dispatch import async_do
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.agents.specialist import Specialist
from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.options import DispatchOptions
from custom_components.bellboard.plans.models import AskUser
from tests.one_house import in_one_house
from tests.routing.conftest import Writer

from .conftest import Ask, shown

AT_ONCE = DispatchOptions(max_retries=0)
BEDSIDE = ("light.left_bedside_lamp", "light.right_bedside_lamp")


def action(name: str, **parameters: Any) -> Command:
    """Return an action with its parameters."""
    return Command(name=name, parameters=parameters)


@in_one_house(
    ("agent", "what", "expected"),
    [
        (LightAgent(), action("turn_on"), ("light.floor_lamp", {"state": "on"})),
        (LightAgent(), action("set", percent=40), ("light.floor_lamp", {"brightness": 102})),
        (
            MusicAgent(),
            action("set_volume", percent=20),
            ("media_player.kitchen_speaker", {"volume_level": 0.2}),
        ),
        (MusicAgent(), action("pause"), ("media_player.kitchen_speaker", {"state": "paused"})),
        (
            ClimateAgent(),
            action("change_temperature", by=-0.5),
            ("climate.bedroom_thermostat", {"temperature": 19.0}),
        ),
    ],
)
async def test_an_action_is_carried_out(
    hass: HomeAssistant,
    ask: Ask,
    agent: Specialist,
    what: Command,
    expected: tuple[str, dict[str, Any]],
) -> None:
    target, after = expected
    answer = await agent.async_do(ask("it"), [what], [target])
    assert answer.success
    assert shown(hass, target, *after) == after
    assert answer.plan
    assert answer.plan.actions == (replace(what, targets=(target,)),)


async def test_several_actions_are_for_all_targets(hass: HomeAssistant, ask: Ask) -> None:
    actions = [action("set", color="blue"), action("set", percent=50)]
    answer = await LightAgent().async_do(ask("both"), actions, [*BEDSIDE, *BEDSIDE])
    assert [result.call.targets for result in answer.results] == [BEDSIDE, BEDSIDE]
    for lamp in BEDSIDE:
        assert shown(hass, lamp, "state", "brightness") == {"state": "on", "brightness": 128}


async def test_only_what_is_exposed_there_and_of_its_kind_is_acted_on(
    hass: HomeAssistant, ask: Ask
) -> None:
    wanted = ["light.alarm_beacon", "light.gone", "switch.coffee_machine", "light.floor_lamp", ""]
    answer = await LightAgent().async_do(ask("on"), [action("turn_on")], wanted)
    assert answer.content == "Turned on Floor Lamp."
    assert hass.states.get("light.alarm_beacon") is not None
    assert shown(hass, "light.alarm_beacon", "state") == {"state": "off"}
    async_expose_entity(hass, "conversation", "light.floor_lamp", should_expose=False)
    answer = await LightAgent().async_do(ask("off"), [action("turn_off")], wanted)
    assert not answer.success
    assert answer.content == "I found nothing like that in your home."
    assert shown(hass, "light.floor_lamp", "state") == {"state": "on"}


async def test_what_cannot_be_done_is_told(ask: Ask) -> None:
    dispatched = await async_do(
        LightAgent(), ask("red"), [action("set", color="red")], ["light.kitchen_counter"], AT_ONCE
    )
    assert dispatched.answer.content == "Kitchen Counter can't do that."
    assert not dispatched.response.success


async def test_a_plan_knows_what_it_was_made_of(ask: Ask) -> None:
    intent = Command("HassLightSet", {"brightness": 30, "color": "red"}, BEDSIDE)
    answer = await LightAgent().async_answer(ask("red at 30", intent=intent))
    assert answer.plan
    assert answer.plan.actions == (
        Command(name="set", parameters={"percent": 30, "color": "red"}, targets=BEDSIDE),
    )


async def test_a_question_keeps_all_actions_for_the_answer(hass: HomeAssistant, ask: Ask) -> None:
    model = Writer(
        '{"actions":[{"action":"change_brightness","by":10},{"action":"set","color":"blue"}]}'
    )
    request = ask("brighter and blue, the lamp I mean", model=model)
    asked = await LightAgent().async_answer(request)
    assert asked.question
    assert [step.name for step in asked.question.actions] == ["change_brightness", "set"]
    kept = AskUser.model_validate_json(asked.question.model_dump_json())
    done = await LightAgent().async_do(request, kept.half_made, BEDSIDE)
    assert [result.call.targets for result in done.results] == [BEDSIDE, BEDSIDE]
    assert shown(hass, BEDSIDE[1], "state", "hs_color")["state"] == "on"


@in_one_house(
    ("sentence", "recent", "area", "targets"),
    [
        ("make it cosy", ("light.floor_lamp",), None, {"light.floor_lamp"}),
        ("make it cosy", ("light.floor_lamp",), "Kitchen", {"light.floor_lamp"}),
        ("make them cosy", BEDSIDE, None, set(BEDSIDE)),
        ("make it cosy", ("media_player.kitchen_speaker", "light.floor_lamp"), None, {"light.floor_lamp"}),
        ("make it cosy", ("light.alarm_beacon",), None, None),
        ("make it cosy", (), None, None),
        ("make things cosy", ("light.floor_lamp",), None, None),
        ("make it cosy in the office", ("light.floor_lamp",), None, {"light.desk_lamp", "light.bookshelf_lights"}),
    ],
)  # fmt: skip
async def test_it_is_what_was_spoken_of_before(
    ask: Ask,
    sentence: str,
    recent: tuple[str, ...],
    area: str | None,
    targets: set[str] | None,
) -> None:
    model = Writer('{"actions":[{"action":"turn_on"}]}')
    request = ask(sentence, area=area, recent=recent, model=model)
    answer = await LightAgent().async_answer(request)
    reached = {target for result in answer.results for target in result.call.targets}
    assert (reached or None) == targets

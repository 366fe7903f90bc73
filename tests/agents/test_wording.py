"""What is said is what happened: names, counts, units, and what failed after what was done."""

from homeassistant.core import HomeAssistant
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
import pytest

from custom_components.bellboard.agents.base import AgentRequest, AgentResult
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.plan_answers import aggregate
from custom_components.bellboard.agents.wording import (
    describe_names,
    describe_results,
    format_temperature,
)
from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.options import AggregatorOptions
from custom_components.bellboard.plans.models import Outcome, ToolResult
from tests.conftest import Setup
from tests.one_house import in_one_house

from .conftest import Ask

LAMPS = ("light.floor_lamp", "light.reading_lamp", "light.desk_lamp", "light.night_light")
MORE = (*LAMPS, "light.garage_light", "light.hallway_ceiling")


def result(*targets: str, errors: dict[str, ErrorCode] | None = None, **data: object) -> ToolResult:
    """Return what came of turning on lights."""
    call = ToolCall(action="light.turn_on", targets=targets, data=data)
    return ToolResult(call, tuple(Outcome(t, (errors or {}).get(t)) for t in targets))


def describe(
    request: AgentRequest, *results: ToolResult
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return describe_results(request, results)


@in_one_house(
    ("count", "spoken"),
    [
        (1, "turned on Floor Lamp"),
        (2, "turned on Floor Lamp and Reading Lamp"),
        (3, "turned on Floor Lamp, Reading Lamp and Desk Lamp"),
        (5, "turned on Floor Lamp, Reading Lamp, Desk Lamp, Night Light and Garage Light"),
        (6, "turned on 6 lights"),
    ],
)
async def test_few_are_named_and_many_are_counted(ask: Ask, count: int, spoken: str) -> None:
    assert describe(ask("on"), result(*MORE[:count])) == ((spoken,), ())


async def test_of_several_kinds_each_is_named_or_counted_by_itself(ask: Ask) -> None:
    several = (*LAMPS, "media_player.kitchen_speaker", "switch.coffee_machine")
    assert describe_names(ask("on"), several) == "4 lights, Kitchen Speaker and Coffee Machine"


async def test_failures_are_grouped_by_their_reason(ask: Ask) -> None:
    errors = {
        LAMPS[1]: ErrorCode.NO_ANSWER,
        LAMPS[2]: ErrorCode.UNAVAILABLE,
        LAMPS[3]: ErrorCode.NO_ANSWER,
    }
    assert describe(ask("on"), result(*LAMPS, errors=errors)) == (
        ("turned on Floor Lamp",),
        ("Reading Lamp and Night Light did not respond", "I can't reach Desk Lamp"),
    )


async def test_nothing_done_is_not_called_done(ask: Ask) -> None:
    errors = dict.fromkeys(LAMPS, ErrorCode.NO_ANSWER)
    assert describe(ask("on"), result(*LAMPS, errors=errors)) == (
        (),
        ("Floor Lamp, Reading Lamp, Desk Lamp and Night Light did not respond",),
    )


async def test_every_reason_has_words(ask: Ask) -> None:
    for code in ErrorCode:
        _, failed = describe(ask("on"), result(LAMPS[0], errors={LAMPS[0]: code}))
        assert len(failed) == 1
        assert "Floor Lamp" in failed[0]


async def test_the_same_is_said_once(ask: Ask) -> None:
    done, _ = describe(ask("on"), result(LAMPS[0]), result(LAMPS[0]))
    assert done == ("turned on Floor Lamp",)


async def test_what_is_not_in_the_catalog_is_never_named(ask: Ask) -> None:
    done, _ = describe(ask("on"), result("light.floor_lamp", "light.alarm_beacon"))
    assert done == ("turned on Floor Lamp",)


async def test_brightness_zero_and_other_domains_have_words(ask: Ask) -> None:
    done, _ = describe(ask("on"), result(LAMPS[0], brightness_pct=0))
    assert done == ("set Floor Lamp to 0%",)


async def test_temperatures_are_said_in_the_users_unit(hass: HomeAssistant, ask: Ask) -> None:
    assert format_temperature(ask("x"), 21.0) == "21 °C"
    assert format_temperature(ask("x"), 21.46) == "21.5 °C"
    hass.config.units = US_CUSTOMARY_SYSTEM
    assert format_temperature(ask("x"), 70) == "70 °F"


async def test_a_home_in_fahrenheit_is_spoken_to_in_fahrenheit(
    hass: HomeAssistant, speak: Setup
) -> None:
    hass.config.units = US_CUSTOMARY_SYSTEM
    house = hass.config_entries.async_entries("demo_house")[0]
    for entity in house.runtime_data.entities.values():
        entity.async_write_ha_state()
    said = await (await speak()).say("set the bedroom thermostat to 70 degrees")
    assert said.reply == "Set Bedroom Thermostat to 70 °F."
    state = hass.states.get("climate.bedroom_thermostat")
    assert state
    assert state.attributes["temperature"] == pytest.approx(70, abs=1)
    said = await (await speak()).say("set the bedroom thermostat to 20 degrees")
    assert said.reply == "I can set Bedroom Thermostat between 50 °F and 90 °F."


DONE = AgentResult(success=True, content="Turned on Lamp.", fragments=("turned on Lamp",))
ALSO = AgentResult(success=True, content="Playing Jazz.", fragments=("playing Jazz",))
FAILED = AgentResult(
    success=False, content="Fan did not respond.", failures=("Fan did not respond",)
)
TOLD = AgentResult(success=True, content="Timer set for 5 minutes.")
REFUSED = AgentResult(success=False, content="Sorry, I can't do that.")
SILENT = AgentResult(success=False, content="")
FALLBACK = "I encountered an issue processing your request. Please try again."


@pytest.mark.parametrize(
    ("answers", "spoken"),
    [
        # A single answer is said as it is.
        ([DONE], "Turned on Lamp."),
        ([TOLD], "Timer set for 5 minutes."),
        ([FAILED], "Fan did not respond."),
        # Several successes are joined.
        ([DONE, ALSO], "Turned on Lamp and playing Jazz."),
        ([DONE, TOLD, ALSO], "Turned on Lamp and playing Jazz. Timer set for 5 minutes."),
        ([TOLD, TOLD], "Timer set for 5 minutes."),
        # A failure is told after what was done.
        ([FAILED, DONE], "Turned on Lamp. However, Fan did not respond."),
        ([DONE, REFUSED], "Turned on Lamp. Sorry, I can't do that."),
        # One without words adds none.
        ([DONE, SILENT], "Turned on Lamp."),
        # Where all failed, the reasons are said, or that there is none.
        ([FAILED, REFUSED], "Fan did not respond. Sorry, I can't do that."),
        ([SILENT], FALLBACK),
        ([SILENT, SILENT], FALLBACK),
        ([], FALLBACK),
    ],
)
def test_all_answers_become_one(english: Language, answers: list[AgentResult], spoken: str) -> None:
    assert aggregate(english, answers, AggregatorOptions()) == spoken


@pytest.mark.parametrize("answers", [[], [SILENT], [SILENT, SILENT]])
def test_where_no_reason_is_known_the_owners_message_is_said(
    english: Language, answers: list[AgentResult]
) -> None:
    options = AggregatorOptions(default_fallback_message="Ask me again later.")
    assert aggregate(english, answers, options) == "Ask me again later."
    assert aggregate(english, [*answers, REFUSED], options) == "Sorry, I can't do that."


@pytest.mark.parametrize(
    "template",
    ["Well: {successMessage} But: {failureMessage}", "Well: {0} But: {1}"],
    ids=["named", "numbered"],
)
def test_a_partial_failure_is_told_in_the_owners_words(english: Language, template: str) -> None:
    options = AggregatorOptions(partial_failure_template=template)
    told = aggregate(english, [FAILED, DONE], options)
    assert told == "Well: Turned on Lamp. But: Fan did not respond."
    # Only where something was done and something was not.
    assert aggregate(english, [DONE, ALSO], options) == "Turned on Lamp and playing Jazz."
    assert aggregate(english, [FAILED, REFUSED], options).startswith("Fan did not respond.")


def test_without_joining_each_success_is_a_sentence_of_its_own(english: Language) -> None:
    options = AggregatorOptions(enable_natural_language_joining=False)
    told = aggregate(english, [DONE, TOLD, ALSO], options)
    assert told == "Turned on Lamp. Playing Jazz. Timer set for 5 minutes."
    told = aggregate(english, [DONE, ALSO, FAILED], options)
    assert told == "Turned on Lamp. Playing Jazz. However, Fan did not respond."


@pytest.mark.parametrize(
    ("joined", "reply"),
    [
        (True, "Turned on Floor Lamp and muted Kitchen Speaker."),
        (False, "Turned on Floor Lamp. Muted Kitchen Speaker."),
    ],
)
async def test_answers_are_joined_in_a_turn_where_wanted(
    speak: Setup, *, joined: bool, reply: str
) -> None:
    speaker = await speak(aggregation={"enable_natural_language_joining": joined})
    said = await speaker.say("turn on the floor lamp and mute the kitchen speaker")
    assert said.reply == reply


class Silent:
    """The light agent on a day when it does nothing and gives no reason."""

    card = LightAgent.card

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        return SILENT


@pytest.mark.parametrize("message", ["", "Ask me again later."], ids=["built in", "own"])
async def test_the_fallback_message_is_said_in_a_turn(
    hass: HomeAssistant, speak: Setup, message: str
) -> None:
    speaker = await speak(aggregation={"default_fallback_message": message})
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    assistant.registry.register(Silent())
    assert (await speaker.say("turn on the floor lamp")).reply == (message or FALLBACK)


@pytest.mark.parametrize(
    "said", ["gnorp the fizzle", "gnorp the fizzle and then blarp", "surprise the walls"]
)
async def test_the_fallback_message_is_said_where_nobody_could_answer(
    speak: Setup, said: str
) -> None:
    message = "Ask me again later."
    speaker = await speak(aggregation={"default_fallback_message": message})
    answer = await speaker.say(said)
    assert answer.reply == message
    assert answer.result.response.error_code == "no_intent_match"


async def test_a_reason_is_said_and_no_fallback_message(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(aggregation={"default_fallback_message": "Ask me again later."})
    hass.states.async_set("light.floor_lamp", "unavailable")
    assert (await speaker.say("turn on the floor lamp")).reply == "I can't reach Floor Lamp."
    part = await speaker.say("turn on the reading lamp and gnorp the fizzle")
    assert part.reply.startswith("Reading Lamp was on already.")


async def test_a_template_is_used_in_a_turn(speak: Setup) -> None:
    aggregation = {"partial_failure_template": "{successMessage} Not so: {failureMessage}"}
    speaker = await speak(aggregation=aggregation)
    said = await speaker.say("turn on the floor lamp and set the bedroom thermostat to 90 degrees")
    assert said.reply.startswith("Turned on Floor Lamp. Not so: ")

"""Only what may be called is called, and nothing is called done that was not seen."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, ServiceCall, SupportsResponse
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceNotFound,
    ServiceNotSupported,
    ServiceValidationError,
    Unauthorized,
)
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events
import voluptuous as vol

from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.plans.models import ToolResult
from custom_components.bellboard.plans.tool_executor import ServiceExecutor

from .conftest import Misbehave

LAMP = "light.floor_lamp"
OTHER = "light.living_room_ceiling"
BEACON = "light.alarm_beacon"


def turn_on(*targets: str, **data: Any) -> ToolCall:
    return ToolCall(action="light.turn_on", targets=targets, data=data)


async def execute(
    hass: HomeAssistant, call: ToolCall, context: Context | None = None, seconds: float = 0.05
) -> tuple[ToolResult, list[dict[str, Any]]]:
    """Carry out a call; return its result and the service calls that were made."""
    events = async_capture_events(hass, "call_service")
    result = await ServiceExecutor(hass).async_execute(call, context or Context(), seconds)
    await hass.async_block_till_done()
    return result, [dict(event.data) for event in events]


def errors(result: ToolResult) -> dict[str, ErrorCode | None]:
    return {outcome.entity_id: outcome.error for outcome in result.outcomes}


async def test_a_call_is_made_by_entity_id_in_the_users_own_name(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    context = Context()
    result, calls = await execute(hass, turn_on(LAMP, brightness_pct=40), context)
    assert result.ok
    assert result.done == (LAMP,)
    assert [(c["domain"], c["service"], c["service_data"]) for c in calls] == [
        ("light", "turn_on", {"brightness_pct": 40, "entity_id": [LAMP]})
    ]
    state = hass.states.get(LAMP)
    assert state
    assert state.context.id == context.id


async def test_what_is_not_exposed_is_never_called(hass: HomeAssistant, house: ConfigEntry) -> None:
    result, calls = await execute(hass, turn_on(BEACON))
    assert errors(result) == {BEACON: ErrorCode.NOT_EXPOSED}
    assert calls == []
    assert hass.states.is_state(BEACON, "off")


async def test_exposure_withdrawn_after_planning_counts(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    call = turn_on(LAMP, OTHER)
    async_expose_entity(hass, "conversation", LAMP, False)
    result, calls = await execute(hass, call)
    assert errors(result) == {LAMP: ErrorCode.NOT_EXPOSED, OTHER: None}
    assert [c["service_data"]["entity_id"] for c in calls] == [[OTHER]]
    assert hass.states.is_state(LAMP, "off")


@pytest.mark.parametrize("entity_id", [LAMP, "light.gone"])
async def test_what_cannot_be_reached_is_told_without_a_call(
    hass: HomeAssistant, misbehave: Misbehave, entity_id: str
) -> None:
    misbehave(LAMP, "unavailable")
    result, calls = await execute(hass, turn_on(entity_id))
    assert errors(result) == {entity_id: ErrorCode.UNAVAILABLE}
    assert calls == []


async def test_a_user_without_permission_changes_nothing(
    hass: HomeAssistant, house: ConfigEntry, hass_read_only_user: User
) -> None:
    result, _ = await execute(hass, turn_on(LAMP), Context(user_id=hass_read_only_user.id))
    assert errors(result) == {LAMP: ErrorCode.NOT_ALLOWED}
    assert hass.states.is_state(LAMP, "off")


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (HomeAssistantError("secret text"), ErrorCode.FAILED),
        (RuntimeError("secret text"), ErrorCode.FAILED),
        (TimeoutError("secret text"), ErrorCode.FAILED),
        (KeyError("secret text"), ErrorCode.FAILED),
        (ServiceValidationError("secret text"), ErrorCode.INVALID),
        (vol.Invalid("secret text"), ErrorCode.INVALID),
    ],
    ids=lambda value: getattr(value, "name", type(value).__name__),
)
async def test_whatever_an_action_raises_becomes_an_outcome(
    hass: HomeAssistant,
    house: ConfigEntry,
    caplog: pytest.LogCaptureFixture,
    raised: Exception,
    code: ErrorCode,
) -> None:
    async def fail(call: ServiceCall) -> None:
        raise raised

    hass.services.async_register("light", "turn_on", fail)
    result, _ = await execute(hass, turn_on(LAMP))
    assert errors(result) == {LAMP: code}
    logged = [r.getMessage() for r in caplog.records if "bellboard" in r.name]
    assert len(logged) == 1
    assert f"light.turn_on failed ({code.value})" in logged[0]
    # What integrations write into an error can hold anything.
    assert "secret text" not in logged[0]


async def test_an_action_that_does_not_exist_is_unsupported(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    result, _ = await execute(hass, ToolCall(action="light.sing", targets=(LAMP,)))
    assert errors(result) == {LAMP: ErrorCode.UNSUPPORTED}


async def test_an_action_the_entity_lacks_is_unsupported(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    call = ToolCall(
        action="media_player.shuffle_set",
        targets=("media_player.bathroom_radio",),
        data={"shuffle": True},
    )
    result, _ = await execute(hass, call)
    assert errors(result) == {"media_player.bathroom_radio": ErrorCode.UNSUPPORTED}


async def test_data_the_action_refuses_is_invalid(hass: HomeAssistant, house: ConfigEntry) -> None:
    result, _ = await execute(hass, turn_on(LAMP, brightness_pct="a lot"))
    assert errors(result) == {LAMP: ErrorCode.INVALID}
    assert hass.states.is_state(LAMP, "off")


async def test_a_device_that_fails_is_told(hass: HomeAssistant, misbehave: Misbehave) -> None:
    misbehave(LAMP, "fail")
    result, _ = await execute(hass, turn_on(LAMP))
    assert errors(result) == {LAMP: ErrorCode.FAILED}


async def test_a_late_answer_within_the_bound_is_done(
    hass: HomeAssistant, misbehave: Misbehave
) -> None:
    misbehave(LAMP, "delay", 0.05)
    result, _ = await execute(hass, turn_on(LAMP), seconds=2.0)
    assert result.ok


async def test_no_answer_is_told(hass: HomeAssistant, misbehave: Misbehave) -> None:
    misbehave(LAMP, "ignore")
    result, calls = await execute(hass, turn_on(LAMP))
    assert errors(result) == {LAMP: ErrorCode.NO_ANSWER}
    assert len(calls) == 1


async def test_each_target_is_told_by_itself(hass: HomeAssistant, misbehave: Misbehave) -> None:
    ceiling, lamp, gone = "light.bedroom_ceiling", "light.night_light", "light.bathroom_ceiling"
    misbehave(LAMP, "ignore")
    misbehave(gone, "unavailable")
    result, _ = await execute(hass, turn_on(BEACON, gone, LAMP, ceiling, lamp))
    assert errors(result) == {
        BEACON: ErrorCode.NOT_EXPOSED,
        gone: ErrorCode.UNAVAILABLE,
        LAMP: ErrorCode.NO_ANSWER,
        ceiling: None,
        lamp: None,
    }
    assert result.done == (ceiling, lamp)
    assert not result.ok


async def test_one_that_fails_does_not_hide_that_the_other_worked(
    hass: HomeAssistant, misbehave: Misbehave
) -> None:
    misbehave(OTHER, "fail")
    result, _ = await execute(hass, turn_on(LAMP, OTHER))
    assert errors(result) == {LAMP: None, OTHER: ErrorCode.FAILED}


async def test_a_device_lost_during_the_call_is_unreachable(
    hass: HomeAssistant, misbehave: Misbehave
) -> None:
    misbehave(LAMP, "ignore")
    hass.loop.call_later(0.02, misbehave, LAMP, "unavailable")
    result, _ = await execute(hass, turn_on(LAMP), seconds=0.1)
    assert errors(result) == {LAMP: ErrorCode.UNAVAILABLE}


async def test_a_call_for_nothing_is_none_for_all(hass: HomeAssistant, house: ConfigEntry) -> None:
    result, calls = await execute(hass, ToolCall(action="light.turn_off"))
    assert errors(result) == {"": ErrorCode.INVALID}
    assert not result.ok
    assert not result.done
    assert calls == []


async def test_what_is_named_twice_is_done_and_told_once(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    result, calls = await execute(hass, turn_on(LAMP, OTHER, LAMP))
    assert result.done == (LAMP, OTHER)
    assert [c["service_data"]["entity_id"] for c in calls] == [[LAMP, OTHER]]


async def test_each_target_is_called_only_with_what_it_can_take(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    """Home Assistant would turn the one on as it is, and bring the other into its range."""
    dimmable, white = "light.reading_lamp", "light.workbench_light"
    result, calls = await execute(hass, turn_on(LAMP, dimmable, white, color_temp_kelvin=3000))
    assert errors(result) == {
        LAMP: None,
        dimmable: ErrorCode.UNSUPPORTED,
        white: ErrorCode.OUT_OF_RANGE,
    }
    assert [c["service_data"]["entity_id"] for c in calls] == [[LAMP]]
    assert hass.states.is_state(white, "off")


async def test_an_unknown_action_reaches_nothing(hass: HomeAssistant, house: ConfigEntry) -> None:
    result, calls = await execute(hass, ToolCall(action="homeassistant.turn_off", targets=(LAMP,)))
    assert errors(result) == {LAMP: ErrorCode.UNSUPPORTED}
    assert calls == []


async def test_half_of_it_is_not_all_of_it(hass: HomeAssistant, misbehave: Misbehave) -> None:
    misbehave(LAMP, "half")
    result, _ = await execute(hass, turn_on(LAMP, OTHER, brightness_pct=10))
    assert errors(result) == {LAMP: ErrorCode.PARTLY, OTHER: None}
    assert result.done == (OTHER,)
    # It was on already, so that nothing at all came of the second call.
    result, _ = await execute(hass, turn_on(LAMP, brightness_pct=10))
    assert errors(result) == {LAMP: ErrorCode.NO_ANSWER}


async def test_a_fade_is_given_its_time(hass: HomeAssistant, misbehave: Misbehave) -> None:
    misbehave(LAMP, "delay", 0.15)
    result, _ = await execute(hass, turn_on(LAMP, transition=0.4, brightness_pct=10), seconds=0.01)
    assert result.ok


class Finds:
    """An action that looks something up; it fails as often as it is told to."""

    def __init__(self, hass: HomeAssistant, *failures: Exception) -> None:
        """Register the action."""
        self.failures = list(failures)
        self.contexts: list[Context] = []
        response = SupportsResponse.ONLY
        hass.services.async_register("library", "find", self._find, supports_response=response)

    async def _find(self, call: ServiceCall) -> dict[str, Any]:
        self.contexts.append(call.context)
        if self.failures:
            raise self.failures.pop(0)
        return {"found": call.data["words"]}


async def find(hass: HomeAssistant, context: Context) -> object:
    return await ServiceExecutor(hass).async_request("library.find", {"words": "blues"}, context)


async def test_looking_something_up_is_tried_once_more(hass: HomeAssistant) -> None:
    context = Context()
    shelf = Finds(hass, TimeoutError("secret text"))
    assert await find(hass, context) == {"found": "blues"}
    assert shelf.contexts == [context, context]


async def test_what_fails_twice_has_failed(hass: HomeAssistant) -> None:
    shelf = Finds(hass, HomeAssistantError("first"), HomeAssistantError("second"))
    with pytest.raises(HomeAssistantError, match="second"):
        await find(hass, Context())
    assert len(shelf.contexts) == 2


@pytest.mark.parametrize(
    "failure",
    [
        ServiceValidationError("no"),
        vol.Invalid("no"),
        Unauthorized(),
        ServiceNotSupported("library", "find", "media_player.x"),
    ],
    ids=lambda failure: type(failure).__name__,
)
async def test_what_cannot_pass_is_not_tried_again(hass: HomeAssistant, failure: Exception) -> None:
    shelf = Finds(hass, failure)
    with pytest.raises(type(failure)):
        await find(hass, Context())
    assert len(shelf.contexts) == 1


async def test_a_lookup_that_is_not_there_is_no_surprise(hass: HomeAssistant) -> None:
    with pytest.raises(ServiceNotFound):
        await find(hass, Context())

"""What is waited for counts once it begins, and not while it flickers, is unknown, or was so before."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.memory.watching import Fired, async_watch
from custom_components.bellboard.when import Trigger

DOOR, WINDOW, BELL = "binary_sensor.door", "binary_sensor.window", "event.bell"
START = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
HOLD = 2
_SHOWN = {"on": True, "off": False}


class House:
    """Sensors, the time, and what was called."""

    def __init__(self, hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
        """Begin at a time, with all closed."""
        self.hass, self.freezer = hass, freezer
        self.fired: list[Fired] = []
        freezer.move_to(START)
        for entity_id in (DOOR, WINDOW):
            hass.states.async_set(entity_id, "off")

    def look(self) -> Mapping[str, bool]:
        """Return which of the sensors are on."""
        states = ((id_, self.hass.states.get(id_)) for id_ in (DOOR, WINDOW))
        return {
            id_: _SHOWN[state.state] for id_, state in states if state and state.state in _SHOWN
        }

    def watch(self, *, is_restart: bool = False, **trigger: object) -> Callable[[], None]:
        """Watch them; `trigger` is what differs from one that waits once for either."""
        made = {"text": "a door opens", "entity_ids": (DOOR, WINDOW), "hold": HOLD, **trigger}
        return async_watch(
            self.hass,
            Trigger.model_validate(made),
            self.look,
            self.fired.append,
            is_restart=is_restart,
        )

    def set(self, state: str, entity_id: str = DOOR) -> None:
        """Set a sensor."""
        self.hass.states.async_set(entity_id, state)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.freezer.tick(timedelta(seconds=seconds))
        async_fire_time_changed(self.hass)


@pytest.fixture
def sensors(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> House:
    """Return a house with a door and a window."""
    return House(hass, freezer)


async def test_it_counts_once_when_it_has_held(sensors: House) -> None:
    sensors.watch()
    sensors.set("on")
    assert sensors.fired == []
    sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR)]
    for state in ("off", "on"):
        sensors.set(state)
        sensors.wait(HOLD + 1)
    assert len(sensors.fired) == 1


async def test_each_time_counts_where_it_repeats(sensors: House) -> None:
    stop = sensors.watch(repeats=True)
    for state in ("on", "off", "on"):
        sensors.set(state)
        sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR)] * 2
    stop()
    for state in ("off", "on"):
        sensors.set(state)
        sensors.wait(HOLD + 1)
    assert len(sensors.fired) == 2


async def test_each_thing_counts_by_itself(sensors: House) -> None:
    """One window that is open does not hide that another opens."""
    sensors.set("on", WINDOW)
    sensors.watch(repeats=True)
    sensors.set("on")
    sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR)]


async def test_a_flicker_does_not_count(sensors: House) -> None:
    sensors.watch(repeats=True)
    for _ in range(5):
        sensors.set("on")
        sensors.wait(HOLD - 1)
        sensors.set("off")
        sensors.wait(HOLD - 1)
    assert sensors.fired == []
    sensors.set("on")
    sensors.wait(HOLD + 1)
    # Neither does one the other way.
    sensors.set("off")
    sensors.wait(HOLD - 1)
    sensors.set("on")
    sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR)]


@pytest.mark.parametrize("state", ["unavailable", "unknown"])
async def test_what_is_not_known_changes_nothing(sensors: House, state: str) -> None:
    sensors.set("on")
    sensors.watch(repeats=True)
    for each in (state, "on", state, "on"):
        sensors.set(each)
        sensors.wait(HOLD + 1)
    assert sensors.fired == []
    # What is lost before it has settled has to be so again for as long.
    for each, seconds in (("off", HOLD + 1), ("on", HOLD - 1), (state, HOLD + 1), ("on", HOLD - 1)):
        sensors.set(each)
        sensors.wait(seconds)
    assert sensors.fired == []
    sensors.wait(HOLD)
    assert sensors.fired == [Fired(DOOR)]


async def test_what_was_never_known_does_not_begin(sensors: House) -> None:
    sensors.set("unavailable")
    sensors.watch()
    sensors.set("on")
    sensors.wait(HOLD + 1)
    assert sensors.fired == []


async def test_what_holds_at_first_has_to_begin_again(sensors: House) -> None:
    sensors.set("on")
    sensors.watch()
    sensors.wait(HOLD + 1)
    assert sensors.fired == []
    for state in ("off", "on"):
        sensors.set(state)
        sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR)]


async def test_what_has_begun_goes_on(sensors: House) -> None:
    """After a restart it is held for all of the time, and was not missed."""
    for is_restart, seconds in ((False, 4), (True, 10)):
        sensors.fired.clear()
        sensors.set("on")
        begun = [(DOOR, sensors.hass.states.get(DOOR).last_changed)]  # type: ignore[union-attr]
        sensors.wait(6)
        stop = sensors.watch(hold=10, begun=begun, is_restart=is_restart)
        sensors.wait(seconds - 1)
        assert sensors.fired == []
        sensors.wait(2)
        assert sensors.fired == [Fired(DOOR)]
        stop()
        sensors.set("off")


async def test_a_change_of_an_attribute_does_not_begin_anew(sensors: House) -> None:
    sensors.watch(hold=10)
    sensors.set("on")
    sensors.wait(6)
    sensors.hass.states.async_set(DOOR, "on", {"battery": 3})
    sensors.wait(5)
    assert sensors.fired == [Fired(DOOR)]


@pytest.mark.parametrize(
    ("held", "first", "fired"),
    [
        ((), "on", [Fired(DOOR, is_missed=True)]),
        ((DOOR,), "on", []),
        ((DOOR,), "off", []),
        ((), "off", []),
    ],
)
async def test_what_happened_while_away_is_told_so(
    sensors: House, held: tuple[str, ...], first: str, fired: list[Fired]
) -> None:
    sensors.set(first)
    sensors.watch(is_restart=True, held=held)
    sensors.wait(HOLD + 1)
    assert sensors.fired == fired


async def test_what_is_known_late_was_missed_too(sensors: House) -> None:
    sensors.set("unavailable")
    sensors.watch(is_restart=True)
    sensors.wait(60)
    sensors.set("on")
    sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR, is_missed=True)]


async def test_what_begins_after_a_restart_was_not_missed(sensors: House) -> None:
    sensors.watch(is_restart=True)
    sensors.set("on")
    sensors.wait(HOLD + 1)
    assert sensors.fired == [Fired(DOOR)]


async def test_a_bell_rings_each_time(hass: HomeAssistant, sensors: House) -> None:
    """The state of an event is the time of the last one; that it is there again is none."""
    fired: list[Fired] = []
    trigger = Trigger(text="the bell rings", entity_ids=(BELL,), repeats=True)
    hass.states.async_set(BELL, "2026-01-01T00:00:00+00:00")

    def look() -> Mapping[str, bool]:
        state = hass.states.get(BELL)
        return {BELL: True} if state and state.state not in {"unavailable", "unknown"} else {}

    async_watch(hass, trigger, look, fired.append)
    for state in ("1", "unavailable", "1", "2"):
        hass.states.async_set(BELL, state)
    assert fired == [Fired(BELL)] * 2


def _model(steps: list[tuple[str, int]], hold: int) -> list[int]:
    """Return when a watch of one sensor fires: after each run of "on" of its length, other runs between them."""
    seconds: list[str] = []
    for state, length in steps:
        seconds += [state] * length
    # What lasts is looked at second by second, of runs that nothing breaks.
    settled, fired, run = "off", [], 0
    for at, state in enumerate([*seconds, "end"]):
        before = seconds[at - 1] if at else "off"
        run = run if state == before else 0
        if at and run == 0 and before != settled and before in _SHOWN:
            length = _length(seconds, at)
            if length >= hold:
                settled = before
                fired += [at - length + hold] if before == "on" else []
    return fired


def _length(seconds: list[str], end: int) -> int:
    """Return how long the run is that ends before a second."""
    begin = end
    while begin and seconds[begin - 1] == seconds[end - 1]:
        begin -= 1
    return end - begin


STEPS = st.lists(
    st.tuples(st.sampled_from(("on", "off", "unavailable", "unknown")), st.integers(1, 5)),
    max_size=12,
)


async def test_it_fires_as_a_simple_model_says(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(steps=STEPS, hold=st.integers(1, 4))
    def check(steps: list[tuple[str, int]], hold: int) -> None:
        house = House(hass, freezer)
        times: list[int] = []
        now = 0
        stop = house.watch(repeats=True, hold=hold)
        for state, length in [*steps, ("off", hold + 1)]:
            house.set(state)
            for _ in range(length):
                now += 1
                house.wait(1)
                times += [now] * (len(house.fired) - len(times))
        stop()
        assert times == _model([*steps, ("off", hold + 1)], hold)

    check()

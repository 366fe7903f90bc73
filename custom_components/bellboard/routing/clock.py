"""The clock of the house: its local time, its sun, and when the parts of a day begin."""

from collections.abc import Mapping
from datetime import date, datetime, time

from homeassistant.core import HomeAssistant
from homeassistant.helpers.sun import get_astral_event_date
from homeassistant.util import dt as dt_util

from ..nlu.moment_times import HomeClock
from ..when import SunEvent


def home_clock(hass: HomeAssistant, parts_of_day: Mapping[str, time]) -> HomeClock:
    """Return the house's clock, with when the sun rises and sets there and parts of the day begin."""

    def sun(event: SunEvent, day: date) -> datetime | None:
        return get_astral_event_date(hass, event, day)

    return HomeClock(now=dt_util.now(), sun=sun, parts_of_day=parts_of_day)

"""Times in sentences are read as the moments that people mean, and are told so that they are read back."""

from collections.abc import Iterator, Mapping
from datetime import datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from custom_components.bellboard.home.catalog import Catalog
from custom_components.bellboard.nlu import moments
from custom_components.bellboard.nlu.house import HomeLexicon
from custom_components.bellboard.nlu.loader import _load, available_languages
from custom_components.bellboard.nlu.moment_times import HomeClock
from custom_components.bellboard.nlu.moments import heard_times, read_schedule
from custom_components.bellboard.when import DEFAULT_PARTS, Once, Schedule, SunEvent, Trigger, When

LANGUAGES = tuple(available_languages())
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 25, 14, 20, tzinfo=BERLIN)
"""A Wednesday."""
_SUN = {SunEvent.SUNRISE: time(7, 40), SunEvent.SUNSET: time(16, 5)}


def clock_at(now: datetime, parts: Mapping[str, time] = DEFAULT_PARTS) -> HomeClock:
    """Return the clock of a house where the sun keeps to a time."""
    return HomeClock(now, lambda event, day: datetime.combine(day, _SUN[event], now.tzinfo), parts)


def told(schedule: Schedule) -> str:
    """Return a schedule in a few characters."""
    parts = [told_start(schedule.start) if schedule.start else "now"]
    if until := schedule.end_moment:
        parts.append(f"until {told_start(until)}")
    if schedule.lasts:
        parts.append(f"for {schedule.lasts:g}")
    return " ".join(parts)


def told_start(start: When) -> str:
    """Return when something begins in a few characters."""
    assert not isinstance(start, Trigger)
    sun = f"{start.sun.event}{start.sun.offset:+g}" if start.sun else ""
    if isinstance(start, Once):
        in_seconds = f"in {start.seconds:g}" if start.seconds else ""
        return in_seconds or f"{start.at.astimezone(BERLIN):%d %H:%M} {sun}".strip()
    every = f"{start.every:g}" if start.every else sun or f"{start.clock:%H:%M}"
    return f"every {every} {''.join(map(str, start.weekdays))}".strip()


WHEN = {
    "ten": "25 22:00",
    "half_ten": "25 22:30",
    "quarter_to_six": "25 17:45",
    "quarter_past_three": "25 15:15",
    "digital": "25 22:30",
    "tomorrow_seven": "26 07:00",
    "wake": "26 06:00",
    "tomorrow_half_seven": "26 07:30",
    "evening_eight": "25 20:00",
    "after_tomorrow": "27 09:00",
    "friday": "27 18:00",
    "date": "03 17:00",
    "sunset": "25 16:05 sunset+0",
    "before_sunrise": "26 06:40 sunrise-3600",
    "after_sunset": "25 16:35 sunset+1800",
    "weekday_date": "03 17:00",
    "relative_date": "26 08:00",
    "for_ten": "now for 600",
    "until_in_hour": "now for 3600",
    "until_eight": "now until 25 20:00",
    "between": "25 18:00 until 25 20:00",
    "night_range": "25 22:00 until 26 06:00",
    "six_for_ten": "25 18:00 for 600",
    "tomorrow_range": "26 08:00 until 26 09:00",
    "daily": "every 07:00",
    "workdays": "every 07:00 01234",
    "two_days": "every 18:00 03",
    "two_other_days": "every 18:00 13",
    "tomorrow_early": "26 06:00 until 26 08:00",
    "every_sunset": "every sunset+0",
    "every_morning": "every 07:00",
    "two_hours": "every 7200",
    "hourly": "every 3600",
    "in_ten": "in 600",
    "in_half_hour": "in 1800",
    "midnight": "26 00:00",
    "noon": "26 12:00",
    "eight_evening": "25 20:00",
    "tomorrow_evening": "26 19:00",
    "tomorrow_night": "26 22:00",
    "until_sunset": "now until 25 16:05 sunset+0",
    "until_morning": "now until 26 07:00",
    "weekends": "every 10:00 56",
    "mondays": "every 07:00 0",
    "through": "every 07:00 01234",
    "one": "26 01:00",
    "twenty_to_nine": "25 20:40",
    "five_past_nine": "25 21:05",
    "eight_thirty": "25 20:30",
    "night_three": "26 03:00",
    "saturday": "28 11:00",
    "pm": "25 22:30",
    "half_past_midnight": "26 00:30",
    "quarter_to_eight": "25 19:45",
    "quarter_past_seven": "25 19:15",
    "sunday_evening": "29 20:00",
    "before_half_eight": "25 19:25",
}
"""What the lines of `moments/*.txt` come to, by what they begin with; "past" is over, "none" is no time.

Other lines begin with what they come to themselves.
"""


def lines() -> Iterator[tuple[str, str, str, str]]:
    """Yield the language, what is said, the sentence and the command of each line."""
    for path in sorted((Path(__file__).parent / "moments").glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            key, _, said = line.partition(": ")
            sentence, _, command = said.partition(" -> ")
            yield path.stem, key, sentence, command


@pytest.mark.parametrize(("code", "key", "sentence", "command"), lines())
def test_a_time_is_read_and_what_is_left_is_the_command(
    code: str, key: str, sentence: str, command: str
) -> None:
    found = read_schedule(sentence, _load(code).lexicon, clock_at(NOW))
    if key == "none":
        assert found is None
        return
    assert found
    assert found.is_past is (key == "past")
    assert found.command == command
    if key != "past":
        assert told(found.schedule) == WHEN.get(key, key)


OTHER_PARTS = {
    "morning": time(6, 30), "noon": time(12, 45), "afternoon": time(14), "evening": time(18, 15), "night": time(23),
}  # fmt: skip
IN_OTHER_PARTS = {
    "26 15:00": "26 14:00",
    "noon": "26 12:45",
    "eight_evening": "25 20:00",
    "tomorrow_evening": "26 18:15",
    "tomorrow_night": "26 23:00",
    "every_morning": "every 06:30",
    "until_morning": "now until 26 06:30",
}
"""What lines come to where the house sets its parts of the day."""


@pytest.mark.parametrize(
    ("code", "key", "sentence"),
    [(*line[:2], line[2]) for line in lines() if line[1] in IN_OTHER_PARTS],
)
def test_a_part_of_the_day_is_when_the_house_has_it(code: str, key: str, sentence: str) -> None:
    found = read_schedule(sentence, _load(code).lexicon, clock_at(NOW, OTHER_PARTS))
    is_hour = (code, key) == ("nl", "noon")
    assert found
    assert told(found.schedule) == ("26 12:00" if is_hour else IN_OTHER_PARTS[key])


@pytest.mark.parametrize(
    ("code", "said", "later", "is_other"),
    [
        ("en", "Gran rings at eight. Two minutes before, stop the music", "at 19:58", False),
        ("en", "she is back at quarter to eight, off again after half eight", "at 20:30", False),
        ("en", "something dreamy at half past six", "at ten", True),
        ("en", "make it cosy in here", "at 20:00", False),
        ("en", "tomorrow at six the lamp", "on Sunday at six", True),
        ("en", "the lamp at six", "every day at six", True),
        ("de", "um acht kommt Oma, fünf Minuten vorher das Licht an", "um 19:55", False),
        ("de", "um acht kommt Oma, fünf Minuten vorher das Licht an", "um 19:30", True),
        ("es", "a las ocho llega la abuela, diez minutos antes pon la luz", "a las 19:50", False),
        ("fr", "on sort dans une heure, plus chaud jusque-là", "pendant une heure", False),
        ("fr", "on sort dans une heure, plus chaud jusque-là", "dans deux heures", True),
        ("it", "alle otto meno cinque dev'essere alla base", "alle 19:55", False),
        ("nl", "om acht uur belt oma, tien minuten eerder het licht aan", "om 19:50", False),
        ("pl", "babcia dzwoni o ósmej, wyłącz muzykę", "o 20:00", False),
        ("pt", "a avó liga às oito, desliga a música", "às 21:00", True),
        ("sv", "mormor ringer klockan åtta, stäng av musiken", "klockan 20:00", False),
    ],
)
def test_a_time_follows_from_those_that_were_said_or_is_another(
    code: str, said: str, later: str, is_other: bool
) -> None:
    house = HomeLexicon(Catalog(), _load(code).lexicon)
    clock = clock_at(NOW)
    heard = heard_times(said, clock, house)
    assert heard_times(later, clock, house).contradicts(heard) is is_other


def test_tonight_is_the_evening_and_once_that_has_begun_the_night() -> None:
    for now, expected in ((NOW, "25 18:15"), (NOW.replace(hour=18, minute=30), "25 23:00")):
        clock = clock_at(now, OTHER_PARTS)
        found = read_schedule("turn the lamp on tonight", _load("en").lexicon, clock)
        assert found
        assert told(found.schedule) == expected


def test_each_language_has_forty_sentences() -> None:
    counts = dict.fromkeys(LANGUAGES, 0)
    for code, *_ in lines():
        counts[code] += 1
    assert min(counts.values()) >= 40


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("de", "mach die Lampe in der Küche an"),
        ("de", "schalte ein Licht ein"),
        ("en", "turn on the lamp in the kitchen"),
        ("es", "enciende una luz en la cocina"),
        ("fr", "allume une lampe dans la cuisine et ferme les volets"),
        ("it", "accendi la luce della cucina"),
        ("nl", "doe een lamp in de keuken aan"),
        ("pl", "włącz lampę w kuchni"),
        ("pt", "liga uma luz na cozinha"),
        ("sv", "tänd en lampa i köket"),
    ],
)
def test_a_sentence_without_a_word_for_a_time_is_not_looked_at(
    code: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(moments, "PieceReader")
    assert read_schedule(sentence, _load(code).lexicon, clock_at(NOW)) is None

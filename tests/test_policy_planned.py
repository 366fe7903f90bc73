"""What is for later is judged for the time it is for, and by how it was asked for: when given and when due."""

from datetime import datetime, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.memory.delayed import DelayedCommand
from custom_components.bellboard.memory.models import TaskState
from custom_components.bellboard.plans.models import CONFIRM, PIN
from custom_components.bellboard.policy.codes import code_lock
from custom_components.bellboard.policy.file import DATA_POLICY, async_setup_policies
from custom_components.bellboard.policy.lookup import RegistryLookup
from custom_components.bellboard.policy.parsing import read_file
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine
from custom_components.bellboard.services.delayed import async_run_due
from custom_components.bellboard.turn.pipeline import async_dry_run
from custom_components.bellboard.when import Once, Repeated, Schedule, SunEvent, SunTime, Trigger
from tests.conftest import Setup, Speaker, snapshot
from tests.one_house import in_one_house
from tests.test_delayed import later, person, planned
from tests.test_policies import BROKEN, Folder, policies  # noqa: F401 -- the fixture
from tests.test_policy_reach import REFUSED, rule

SAID = "open the garage door"
DOOR, LOCK = "cover.garage_door", "lock.front_door"

PLANNED, REFUSED_NOW, ASKED, ASKED_CODE = "planned", "refused", "asked", "asked for a code"


def noon() -> datetime:
    """Return the next noon but one, in local time."""
    at = dt_util.start_of_local_day(dt_util.now() + timedelta(days=1))
    return at + timedelta(hours=12)


def schedules() -> dict[str, Schedule]:
    """Return when something is to be done, in all the ways in which it can be asked for: at noon, or begun now."""
    at, door = noon(), Trigger(text="somebody comes home", entity_ids=("person.anna",))
    clock = at.time()
    return {
        "once": Schedule(start=Once(at=at)),
        "by the sun": Schedule(start=Once(at=at, sun=SunTime(event=SunEvent.SUNRISE, offset=60))),
        "once for": Schedule(start=Once(at=at), lasts=600),
        "for": Schedule(lasts=600),
        "until": Schedule(until=Once(at=at)),
        "daily": Schedule(start=Repeated(clock=clock)),
        "weekends": Schedule(start=Repeated(clock=clock, weekdays=(5, 6))),
        "hourly": Schedule(start=Repeated(every=3600)),
        "when": Schedule(start=door),
        "whenever": Schedule(start=door.model_copy(update={"repeats": True})),
    }


ALL = frozenset(
    ("once", "by the sun", "once for", "for", "until", "daily", "weekends", "hourly", "when", "whenever")
)  # fmt: skip
NOW = {"for", "until"}
AT_NOON = {"once", "by the sun", "once for", "daily", "weekends"}
ANY_TIME = {"hourly", "when", "whenever"}

AROUND_NOON = {"after": "11:00", "before": "13:00"}
AT_NIGHT = {"after": "23:30", "before": "00:30"}


def denied_if(**match: Any) -> list[dict[str, Any]]:
    """Return a rule that forbids what it matches."""
    return [rule(entity=[DOOR], **match)]


MATRIX = [
    ("deny", denied_if(), ALL, REFUSED_NOW),
    ("confirm", [rule("confirm", entity=[DOOR])], ALL, ASKED),
    ("code", [{**rule("confirm", entity=[DOOR]), "require": "pin"}], ALL, ASKED_CODE),
    ("at noon", denied_if(time=AROUND_NOON), AT_NOON | ANY_TIME, REFUSED_NOW),
    ("at night", denied_if(time=AT_NIGHT), ANY_TIME, REFUSED_NOW),
    ("but at noon", denied_if(**{"not": {"time": AROUND_NOON}}), ALL - AT_NOON, REFUSED_NOW),
    ("confirm at noon", [rule("confirm", entity=[DOOR], time=AROUND_NOON)],
     AT_NOON | ANY_TIME, ASKED),
    ("allowed at noon only", [rule("allow", entity=[DOOR], time=AROUND_NOON), rule()],
     ALL - AT_NOON, REFUSED_NOW),
    ("any", denied_if(planned="any"), ALL, REFUSED_NOW),
    ("none", denied_if(planned="none"), (), REFUSED_NOW),
    ("once", denied_if(planned="once"), {"once", "by the sun", "once for"}, REFUSED_NOW),
    ("repeated", denied_if(planned="repeated"), {"daily", "weekends", "hourly", "whenever"},
     REFUSED_NOW),
    ("trigger", denied_if(planned="trigger"), {"when", "whenever"}, REFUSED_NOW),
    ("lasts", denied_if(planned="lasts"), {"for", "until", "once for"}, REFUSED_NOW),
    ("confirm repeated", [rule("confirm", planned=["repeated"])],
     {"daily", "weekends", "hourly", "whenever"}, ASKED),
]  # fmt: skip


def at_midday(freezer: FrozenDateTimeFactory) -> None:
    """Let it be three o'clock in the afternoon: what is for now is not for noon, nor for the night."""
    freezer.move_to(dt_util.start_of_local_day() + timedelta(hours=15))


async def under(hass: HomeAssistant, *rules: dict[str, Any]) -> None:
    """Put rules into force, in a house that has a code."""
    home = RegistryLookup(hass)
    await home.async_start()
    named = [{**each, "name": f"r{number}"} for number, each in enumerate(rules)]
    file = read_file({"rules": named, "pins": {"any": "2468"}})
    hass.data[DATA_POLICY] = RulePolicyEngine(file.rules, home)
    code_lock(hass).codes = file.codes


def assistant_of(hass: HomeAssistant) -> Assistant:
    """Return the assistant of the house."""
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    assert isinstance(assistant, Assistant)
    return assistant


def command_for(schedule: Schedule, **known: Any) -> DelayedCommand:
    """Return the command that opens the garage door, for a schedule."""
    due = schedule.due or dt_util.utcnow() + timedelta(hours=1)
    return DelayedCommand(
        due=due, schedule=schedule, text=SAID, language="en", conversation_id="later", **known
    )


async def outcome(hass: HomeAssistant, speaker: Speaker, schedule: Schedule) -> str:
    """Return what becomes of the command when it is given for a schedule."""
    user_input = ConversationInput(
        text=SAID,
        context=Context(),
        conversation_id=None,
        device_id=None,
        satellite_id=None,
        language="en",
        agent_id=speaker.agent_id,
    )
    tried = await async_dry_run(assistant_of(hass), user_input, delayed=command_for(schedule))
    for answer in tried.answers:
        if answer.question:
            return {CONFIRM: ASKED, PIN: ASKED_CODE}[answer.question.param]
    if tried.state is TaskState.COMPLETED and tried.dry_run_calls:
        return PLANNED
    assert REFUSED in tried.text
    return REFUSED_NOW


@in_one_house(("name", "rules", "matching", "effect"), MATRIX, ids=lambda each: str(each)[:20])
async def test_what_is_for_later_is_judged_for_its_time_and_by_how_it_was_asked_for(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    *,
    name: str,
    rules: list[dict[str, Any]],
    matching: frozenset[str],
    effect: str,
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, *rules)
    before = snapshot(hass)
    found = {kind: await outcome(hass, speaker, when) for kind, when in schedules().items()}
    assert found == {kind: effect if kind in matching else PLANNED for kind in ALL}, name
    assert snapshot(hass) == before


@pytest.mark.parametrize("effect", ["deny", "confirm", "code", "noon", "planned"])
async def test_nothing_passes_when_it_is_due(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, effect: str
) -> None:
    """Rules that came since hold, for the moment at which it is done, and by how it was asked for."""
    at_midday(freezer)
    speaker = await speak()
    match: dict[str, Any] = {"noon": {"time": AROUND_NOON}, "planned": {"planned": "any"}}
    written = rule("confirm" if effect in {"confirm", "code"} else "deny", **match.get(effect, {}))
    await under(hass, written | ({"require": "pin"} if effect == "code" else {}))
    before = snapshot(hass)
    freezer.move_to(noon())
    for schedule in schedules().values():
        await async_run_due(assistant_of(hass), command_for(schedule), speaker.agent_id)
        await hass.async_block_till_done(wait_background_tasks=True)
    assert snapshot(hass) == before


async def test_what_may_be_done_at_its_time_is_done_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, *denied_if(**{"not": {"time": AROUND_NOON}}))
    command = command_for(schedules()["daily"])
    await async_run_due(assistant_of(hass), command, speaker.agent_id)
    assert hass.states.is_state(DOOR, "closed")
    # The time of day may be a little behind.
    freezer.move_to(noon() - timedelta(seconds=2))
    await async_run_due(
        assistant_of(hass), command_for(Schedule(start=Once(at=noon()))), speaker.agent_id
    )
    await hass.async_block_till_done(wait_background_tasks=True)
    assert not hass.states.is_state(DOOR, "closed")


@in_one_house(
    ("rules", "is_planned"),
    [
        (denied_if(planned="once"), False),
        (denied_if(planned="any"), False),
        (denied_if(planned=["repeated", "trigger", "lasts", "none"]), True),
        ([rule("deny", planned="any")], False),
        (denied_if(time={"after": "17:30", "before": "18:30"}), False),
        (denied_if(time={"after": "14:30", "before": "15:30"}), True),
    ],
)
async def test_who_says_it_is_told_now(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    rules: list[dict[str, Any]],
    *,
    is_planned: bool,
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, *rules)
    said = await speaker.say(f"{SAID} in 3 hours")
    assert (REFUSED in said.reply) is not is_planned
    assert len(await planned(hass)) == is_planned
    assert not said.changes


FOR_A_WHILE = ("for ten minutes", "until noon")
WHEN = "when the front door is unlocked"
NOT_NOW = ("at noon", "from 12:00 to 13:00", "every day at noon", WHEN)


@in_one_house(
    ("rules", "refused"),
    [
        (denied_if(planned="any"), {*FOR_A_WHILE, *NOT_NOW}),
        (denied_if(planned="none"), set()),
        (denied_if(planned="once"), {"at noon", "from 12:00 to 13:00"}),
        (denied_if(planned="lasts"), {*FOR_A_WHILE, "from 12:00 to 13:00"}),
        (denied_if(planned="repeated"), {"every day at noon"}),
        (denied_if(planned="trigger"), {WHEN}),
        (denied_if(time=AROUND_NOON), {*NOT_NOW}),
        (denied_if(time={"after": "14:30", "before": "15:30"}), {*FOR_A_WHILE, WHEN}),
    ],
)
async def test_what_is_said_for_later_is_judged_by_how_it_was_said(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    rules: list[dict[str, Any]],
    *,
    refused: set[str],
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, *rules)
    admin = Context(user_id=(await person(hass, admin=True)).id)
    for when in (*FOR_A_WHILE, *NOT_NOW):
        speaker.conversation_id = None
        told = await speaker.say(f"{SAID} {when}", context=admin)
        assert (REFUSED in told.reply) is (when in refused), when
        assert (DOOR in told.changes) is (when in FOR_A_WHILE and when not in refused), when
        await hass.services.async_call("cover", "close_cover", {"entity_id": DOOR}, blocking=True)


@in_one_house(
    ("rules", "is_done"),
    [
        ([], True),
        (denied_if(), False),
        ([rule("confirm", entity=[DOOR])], False),
        ([{**rule("confirm", entity=[DOOR]), "require": "pin"}], False),
        (denied_if(planned="trigger"), False),
        (denied_if(planned=["once", "repeated", "lasts", "none"]), True),
        (denied_if(time={"after": "14:30", "before": "15:30"}), False),
        (denied_if(time=AROUND_NOON), True),
    ],
)
async def test_what_was_waited_for_is_judged_when_it_happens(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    rules: list[dict[str, Any]],
    *,
    is_done: bool,
) -> None:
    """Rules that came since hold, for the moment at which it happened."""
    at_midday(freezer)
    speaker = await speak()
    await under(hass)
    await speaker.say(f"{SAID} {WHEN}")
    assert len(await planned(hass)) == 1
    await under(hass, *rules)
    await hass.services.async_call("lock", "unlock", {"entity_id": LOCK}, blocking=True)
    changes = await later(hass, 10)
    assert (DOOR in changes) is is_done
    assert await planned(hass) == []


async def test_what_is_done_for_a_while_after_a_yes_is_judged_as_that(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    lamp = "light.floor_lamp"
    await under(hass, rule("confirm", entity=[lamp], planned="lasts"))
    assert lamp in (await speaker.say("turn on the floor lamp")).changes
    await hass.services.async_call("light", "turn_off", {"entity_id": lamp}, blocking=True)
    asked = await speaker.say("turn on the floor lamp for ten minutes")
    assert asked.result.continue_conversation
    assert not asked.changes
    await under(hass, rule("confirm", entity=[lamp], planned="lasts"), denied_if()[0])
    assert lamp in (await speaker.say("yes")).changes
    assert len(await planned(hass)) == 1


async def test_what_may_not_be_put_back_later_is_told_to_stay(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    lamp = "light.floor_lamp"
    await under(hass, rule(entity=[lamp], planned="once"))
    told = await speaker.say("turn on the floor lamp for ten minutes")
    assert lamp in told.changes
    assert "stays" in told.reply
    assert await planned(hass) == []


async def test_a_yes_that_was_given_for_its_time_holds_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, rule("confirm", entity=[DOOR], time={"after": "15:30"}))
    asked = await speaker.say(f"{SAID} in 1 hour")
    assert asked.result.continue_conversation
    await speaker.say("yes")
    assert len(await planned(hass)) == 1
    freezer.tick(3602)
    assert DOOR in await later(hass, 1)


async def test_nothing_is_planned_unasked_while_the_rules_cannot_be_read(
    hass: HomeAssistant,
    speak: Setup,
    policies: Folder,  # noqa: F811 -- the fixture
) -> None:
    speaker = await speak()
    policies.write(BROKEN)
    await async_setup_policies(hass)
    for schedule in schedules().values():
        assert await outcome(hass, speaker, schedule) == ASKED
    before = snapshot(hass)
    for schedule in schedules().values():
        await async_run_due(assistant_of(hass), command_for(schedule), speaker.agent_id)
        await hass.async_block_till_done(wait_background_tasks=True)
    assert snapshot(hass) == before


@pytest.mark.parametrize(
    ("latitude", "event", "offset", "inside", "outside"),
    [
        (52.5, SunEvent.SUNSET, 0, ("16:00", "21:20"), ("15:20", "22:00")),
        (52.5, SunEvent.SUNSET, -3600, ("15:00", "20:20"), ("14:20", "21:00")),
        (52.5, SunEvent.SUNRISE, 0, ("04:55", "08:00"), ("04:00", "08:50")),
        (-33.9, SunEvent.SUNSET, 0, ("18:15", "19:15"), ("17:00", "20:30")),
        # Beyond the polar circle, and over midnight, it may be any time.
        (69.6, SunEvent.SUNSET, 0, ("00:00", "23:59"), None),
        (52.5, SunEvent.SUNSET, 4 * 3600, ("00:00", "23:59"), None),
        (52.5, SunEvent.SUNRISE, -6 * 3600, ("00:00", "23:59"), None),
    ],
)
async def test_a_time_by_the_sun_is_all_that_it_comes_to_within_a_year(
    hass: HomeAssistant,
    *,
    latitude: float,
    event: SunEvent,
    offset: float,
    inside: tuple[str, str],
    outside: tuple[str, str] | None,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    hass.config.latitude, hass.config.longitude, hass.config.elevation = latitude, 13.4, 0
    span = RegistryLookup(hass).sun_span(SunTime(event=event, offset=offset))
    for text in inside:
        assert span.first <= datetime.strptime(text, "%H:%M").time() <= span.last  # noqa: DTZ007
    for text in outside or ():
        at = datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007
        assert not span.first <= at <= span.last

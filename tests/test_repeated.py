"""Repeating commands, from the sentence to the automation that runs them: asked about, judged each time, taken back."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import automation
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.home import automations
from custom_components.bellboard.home.automations import automation_id
from custom_components.bellboard.memory import delayed
from custom_components.bellboard.turn import repeated as repeated_turn
from tests.automations_file import BY_HAND, AutomationsFile
from tests.conftest import Setup, Speaker
from tests.one_house import in_one_house
from tests.test_delayed import LAMP, person, planned
from tests.test_policy_reach import REFUSED, obey, rule

YES = {
    "en": "yes",
    "de": "ja",
    "es": "sí",
    "fr": "oui",
    "it": "sì",
    "nl": "ja",
    "pl": "tak",
    "pt": "sim",
    "sv": "ja",
}
DAILY = "turn on the floor lamp every day at seven"
AT_SUNSET = "turn on the floor lamp at sunset every evening"


@pytest.fixture
async def admin(hass: HomeAssistant) -> Context:
    """Return the context of an administrator."""
    return Context(user_id=(await person(hass, admin=True)).id)


async def repeated(speaker: Speaker, text: str, context: Context) -> str:
    """Say a sentence and yes; return the id of what is kept."""
    await speaker.say(text, context=context)
    await speaker.say("yes", context=context)
    [command] = await planned(speaker.hass)
    return str(command["id"])


async def passes(hass: HomeAssistant, freezer: FrozenDateTimeFactory, to: datetime) -> None:
    """Let it be so late."""
    freezer.move_to(to)
    async_fire_time_changed(hass, to)
    await hass.async_block_till_done(wait_background_tasks=True)


def next_seven() -> datetime:
    """Return when it is seven the next time."""
    now = dt_util.now()
    at = now.replace(hour=7, minute=0, second=0, microsecond=0)
    return at if at > now else at + timedelta(days=1)


async def test_it_is_asked_about_and_becomes_an_automation(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    speaker = await speak()
    asked = await speaker.say(DAILY, context=admin)
    assert asked.result.continue_conversation
    assert "Floor Lamp" in asked.reply
    assert not asked.changes
    assert automations_file.automations == []
    assert await planned(hass) == []
    told = await speaker.say("yes", context=admin)
    assert "Floor Lamp" in told.reply
    assert LAMP not in told.changes
    [command] = await planned(hass)
    [written] = automations_file.automations
    assert written["id"] == automation_id(command["id"])
    assert written["triggers"] == [{"trigger": "time", "at": "07:00:00"}]
    assert written["alias"].startswith("Bellboard: ")
    assert "Floor Lamp" in written["alias"]


async def test_a_part_of_each_day_is_when_the_options_say(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    speaker = await speak(day={"evening": "18:15:00"})
    asked = await speaker.say("turn on the floor lamp every evening", context=admin)
    assert "18:15" in asked.reply
    await speaker.say("yes", context=admin)
    [written] = automations_file.automations
    assert written["triggers"] == [{"trigger": "time", "at": "18:15:00"}]


@in_one_house(
    ("language", "text"),
    [
        (
            "en",
            "every weekday floor lamp on at half six in the morning and off again at half seven",
        ),
        (
            "de",
            "jeden Werktag um halb sieben morgens die Floor Lamp an und um halb acht wieder aus",
        ),
        (
            "fr",
            "tous les jours à six heures et demie allume Floor Lamp et éteins-la à sept heures et demie",
        ),
        ("it", "ogni giorno alle sei e mezza accendi Floor Lamp e spegnila alle sette e mezza"),
        ("nl", "elke werkdag om half zeven Floor Lamp aan en om half acht weer uit"),
        ("sv", "varje vardag klockan halv sju tänd Floor Lamp och klockan halv åtta släck den"),
        (
            "es",
            "todos los días a las seis y media enciende Floor Lamp y a las siete y media apágala",
        ),
        (
            "pl",
            "codziennie o szóstej trzydzieści włącz Floor Lamp i o siódmej trzydzieści ją wyłącz",
        ),
        ("pt", "todos os dias às seis e meia acende Floor Lamp e às sete e meia apaga-a"),
        (
            "en",
            "Monday to Friday turn on the floor lamp at half six am and turn it off an hour later",
        ),
        ("de", "Montag bis Freitag um halb sieben Floor Lamp an und eine Stunde später wieder aus"),
        (
            "es",
            "de lunes a viernes a las seis y media enciende Floor Lamp y apágala una hora después",
        ),
        ("fr", "du lundi au vendredi à 6h30 allume Floor Lamp et éteins-la une heure plus tard"),
        ("it", "dal lunedì al venerdì alle sei e mezza accendi Floor Lamp e un'ora dopo spegnila"),
        (
            "nl",
            "van maandag tot en met vrijdag om half zeven Floor Lamp aan en een uur later weer uit",
        ),
        ("pl", "od poniedziałku do piątku o 6:30 włącz Floor Lamp a godzinę później ją wyłącz"),
        ("pt", "de segunda a sexta às seis e meia acende Floor Lamp e apaga-a uma hora depois"),
        ("sv", "måndag till fredag tänd Floor Lamp klockan halv sju och släck den en timme senare"),
        ("en", "every day at half six am turn on the floor lamp and turn it off after an hour"),
    ],
)
async def test_two_times_of_each_day_are_one_question(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    language: str,
    text: str,
) -> None:
    speaker, before = await speak(), len(automations_file.automations)
    asked = await speaker.say(text, language=language, context=admin)
    assert not asked.changes, asked.reply
    assert asked.result.continue_conversation, asked.reply
    assert all(time in asked.reply.replace("h", ":") for time in ("06:30", "07:30")), asked.reply
    assert await planned(hass) == []
    told = await speaker.say(YES[language], language=language, context=admin)
    assert LAMP not in told.changes, told.reply
    commands = await planned(hass)
    assert len(commands) == 2, told.reply
    written = automations_file.automations[before:]
    assert {each["triggers"][0]["at"] for each in written} == {"06:30:00", "07:30:00"}
    assert {each["id"] for each in written} == {automation_id(each["id"]) for each in commands}
    for each in commands:
        await hass.services.async_call(
            "bellboard", "cancel_delayed", {"id": each["id"]}, blocking=True, context=admin
        )


async def test_what_may_repeat_for_one_time_or_both_is_declined(
    hass: HomeAssistant, speak: Setup, admin: Context
) -> None:
    text = "turn the floor lamp on at six and off at eight every day"
    said = await (await speak()).say(text, context=admin)
    assert not said.changes, said.reply
    assert not said.result.continue_conversation, said.reply
    assert await planned(hass) == []


TWICE = "every weekday turn the floor lamp on at seven and off at eight"


@pytest.mark.parametrize("answer", ["no", "no, at nine"])
async def test_without_a_yes_to_two_times_neither_is_kept(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    answer: str,
) -> None:
    speaker = await speak()
    await speaker.say(TWICE, context=admin)
    await speaker.say(answer, context=admin)
    assert (automations_file.automations, await planned(hass)) == ([], [])


async def test_two_times_need_room_for_two(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delayed, "MOST", 1)
    said = await (await speak()).say(TWICE, context=admin)
    assert said.reply == "I have too much planned already. Cancel something first."
    assert (automations_file.automations, await planned(hass)) == ([], [])


async def test_where_one_of_two_cannot_be_written_neither_is_kept(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write, tried = automations.async_write_automation, list[str]()

    async def once(hass: HomeAssistant, written: dict[str, Any]) -> str:
        tried.append(str(written["id"]))
        if len(tried) > 1:
            raise automations.AutomationError(automations.AutomationProblem.NOT_LOADED)
        return await write(hass, written)

    monkeypatch.setattr(repeated_turn, "async_write_automation", once)
    speaker = await speak()
    await speaker.say(TWICE, context=admin)
    await speaker.say("yes", context=admin)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert len(tried) == 2
    assert (automations_file.automations, await planned(hass)) == ([], [])


async def test_a_no_writes_nothing(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    speaker = await speak()
    await speaker.say(DAILY, context=admin)
    await speaker.say("no", context=admin)
    assert (automations_file.automations, await planned(hass)) == ([], [])


async def test_it_is_done_each_time_that_it_is_time(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    freezer: FrozenDateTimeFactory,
) -> None:
    await repeated(await speak(), DAILY, admin)
    for _ in range(2):
        await hass.services.async_call("light", "turn_off", {"entity_id": LAMP}, blocking=True)
        await passes(hass, freezer, next_seven())
        assert hass.states.is_state(LAMP, "on")
    assert len(await planned(hass)) == 1


async def test_it_is_done_when_the_sun_sets(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    freezer: FrozenDateTimeFactory,
) -> None:
    await repeated(await speak(), AT_SUNSET, admin)
    at = get_astral_event_next(hass, "sunset")
    await passes(hass, freezer, at - timedelta(minutes=1))
    assert hass.states.is_state(LAMP, "off")
    await passes(hass, freezer, at + timedelta(seconds=1))
    assert hass.states.is_state(LAMP, "on")


async def test_it_is_judged_each_time(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    freezer: FrozenDateTimeFactory,
) -> None:
    await repeated(await speak(), DAILY, admin)
    await obey(hass, rule(domain=["light"]))
    await passes(hass, freezer, next_seven())
    assert hass.states.is_state(LAMP, "off")
    [told] = hass.data["persistent_notification"].values()
    assert REFUSED in told["message"]
    assert len(await planned(hass)) == 1


async def test_it_is_judged_when_it_is_given(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    speaker = await speak()
    await obey(hass, rule(domain=["light"]))
    said = await speaker.say(DAILY, context=admin)
    assert REFUSED in said.reply
    assert not said.result.continue_conversation


async def test_what_wants_a_yes_each_time_has_it_once_and_for_that_only(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    freezer: FrozenDateTimeFactory,
) -> None:
    speaker = await speak()
    await obey(hass, rule("confirm", domain=["light"]))
    asked = await speaker.say(DAILY, context=admin)
    assert REFUSED in asked.reply
    asked = await speaker.say("yes", context=admin)
    assert "automation" in asked.reply
    await speaker.say("yes", context=admin)
    assert len(automations_file.automations) == 1
    await passes(hass, freezer, next_seven())
    assert hass.states.is_state(LAMP, "on")


@pytest.mark.parametrize(
    ("rules", "who", "may"),
    [
        ((), "admin", True),
        ((), "ben", False),
        ((), None, False),
        ((rule(action=["automation.create"]),), "admin", False),
        ((rule("allow", action=["automation.create"]),), "ben", True),
        ((rule("allow", action=["automation.*"]),), None, True),
        ((rule("allow", all=[{"action": ["automation.create"]}, {"user": ["ben"]}]),), "ben", True),
        ((rule("allow", action=["automation.create"], user=["other"]),), "ben", False),
        ((rule("allow", action=["*"]),), "ben", False),
        ((rule("allow", user=["ben"]),), "ben", False),
        ((rule("allow", **{"not": {"action": ["automation.create"]}}),), "ben", False),
        ((rule("confirm", action=["automation.create"]),), "ben", False),
        ((rule("confirm", action=["automation.create"]),), "admin", True),
        (
            (
                rule("confirm", action=["automation.create"]),
                rule("allow", action=["automation.create"]),
            ),
            "ben",
            True,
        ),
    ],
)
async def test_administrators_may_and_whom_the_house_allows(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    *,
    rules: tuple[dict[str, Any], ...],
    who: str | None,
    may: bool,
) -> None:
    speaker = await speak()
    user = await person(hass, admin=who == "admin") if who else None
    if user:
        user.name = who
    context = Context(user_id=user.id if user else None)
    await obey(hass, *rules)
    asked = await speaker.say(DAILY, context=context)
    assert asked.result.continue_conversation is may
    await speaker.say("yes", context=context)
    assert len(automations_file.automations) == may
    assert len(await planned(hass)) == may


async def test_who_may_not_control_it_may_not_have_it_repeated(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile
) -> None:
    speaker = await speak()
    await obey(hass, rule("allow", action=["automation.create"]))
    ben = await person(hass, may_control=["light.reading_lamp"])
    said = await speaker.say(DAILY, context=Context(user_id=ben.id))
    assert not said.result.continue_conversation
    assert automations_file.automations == []


async def run(hass: HomeAssistant, id_: str, context: Context | None = None) -> None:
    """Call the action of automations."""
    await hass.services.async_call(
        "bellboard", "run_planned", {"id": id_}, blocking=True, context=context
    )


async def test_nobody_gains_the_rights_of_who_gave_it(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    id_ = await repeated(await speak(), DAILY, admin)
    ben = await person(hass)
    with pytest.raises(ServiceValidationError, match="repeating command"):
        await run(hass, id_, Context(user_id=ben.id))
    assert hass.states.is_state(LAMP, "off")
    await run(hass, id_, admin)
    assert hass.states.is_state(LAMP, "on")


async def test_who_is_gone_has_nothing_done(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    id_ = await repeated(await speak(), DAILY, admin)
    user = await hass.auth.async_get_user(str(admin.user_id))
    assert user
    user.is_active = False
    await run(hass, id_)
    assert hass.states.is_state(LAMP, "off")


@pytest.mark.parametrize("id_", ["none", ""])
async def test_an_unknown_command_is_an_error(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, id_: str
) -> None:
    await speak()
    with pytest.raises(ServiceValidationError, match="repeating command"):
        await run(hass, id_)


async def test_the_automation_goes_with_the_command(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    automations_file.write(BY_HAND)
    id_ = await repeated(await speak(), DAILY, admin)
    assert automation_id(id_) in automations_file.ids
    await hass.services.async_call("bellboard", "cancel_delayed", {"id": id_}, blocking=True)
    await hass.async_block_till_done()
    assert automations_file.text == BY_HAND
    assert automations.find_automations(hass, [id_]) == {}


async def test_what_cannot_be_removed_is_turned_off(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    id_ = await repeated(await speak(), DAILY, admin)
    [entity_id] = automations.find_automations(hass, [id_]).values()
    automations_file.write("- [broken")
    await hass.services.async_call("bellboard", "cancel_delayed", {"id": id_}, blocking=True)
    await hass.async_block_till_done()
    assert hass.states.is_state(entity_id, "off")
    assert not automation.is_on(hass, entity_id)


async def test_the_command_goes_with_the_automation(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    hass_client: Callable[[], Any],
) -> None:
    id_ = await repeated(await speak(), DAILY, admin)
    client = await hass_client()
    answer = await client.delete(f"/api/config/automation/config/{automation_id(id_)}")
    assert answer.ok
    await hass.async_block_till_done()
    assert await planned(hass) == []
    assert automations_file.automations == []


async def test_it_outlives_a_restart(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    id_ = await repeated(await speak(), DAILY, admin)
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.services.async_call("automation", "reload", {}, blocking=True)
    await hass.async_block_till_done()
    [command] = await planned(hass)
    assert command["id"] == id_
    await run(hass, id_)
    assert hass.states.is_state(LAMP, "on")


async def test_what_was_deleted_meanwhile_is_not_planned_any_more(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    id_ = await repeated(await speak(), DAILY, admin)
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_unload(entry.entry_id)
    [entity_id] = automations.find_automations(hass, [id_]).values()
    er.async_get(hass).async_remove(entity_id)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert await planned(hass) == []


async def test_the_automations_of_an_assistant_go_with_it(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    automations_file.write(BY_HAND)
    await repeated(await speak(), DAILY, admin)
    [entry] = hass.config_entries.async_entries("bellboard")
    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert automations_file.text == BY_HAND


async def test_where_no_automation_can_be_written_nothing_is_planned(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, admin: Context
) -> None:
    automations_file.write("- [broken")
    speaker = await speak()
    await speaker.say(DAILY, context=admin)
    said = await speaker.say("yes", context=admin)
    assert "could not set up" in said.reply
    assert await planned(hass) == []
    assert automations_file.text == "- [broken"


@pytest.mark.parametrize(("whose", "is_told"), [("all", True), ("own", False), ("none", False)])
async def test_what_was_said_is_in_it_only_where_everybody_may_read_it(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    monkeypatch: pytest.MonkeyPatch,
    *,
    whose: str,
    is_told: bool,
) -> None:
    # As of what comes to too much to be told.
    monkeypatch.setattr(repeated_turn, "describe_planned", lambda *_: "")
    await repeated(await speak(telemetry={"panel_words": whose}), DAILY, admin)
    [written] = automations_file.automations
    assert written["description"]
    assert ("floor lamp" in f"{written['alias']} {written['description']}".casefold()) is is_told


@pytest.mark.parametrize(
    ("text", "entity_id", "before", "after", "done"),
    [
        (
            "whenever the bedroom window opens turn off the bedroom thermostat",
            "binary_sensor.bedroom_window",
            "off",
            "on",
            "climate.bedroom_thermostat",
        ),
        (
            "every time it gets below 18 degrees in the living room turn on the mirror light",
            "sensor.living_room_temperature",
            "19",
            "17.5",
            "light.mirror_light",
        ),
    ],
    ids=["state", "number"],
)
async def test_what_happens_again_and_again_is_acted_on_each_time(
    hass: HomeAssistant,
    speak: Setup,
    admin: Context,
    automations_file: AutomationsFile,
    freezer: FrozenDateTimeFactory,
    *,
    text: str,
    entity_id: str,
    before: str,
    after: str,
    done: str,
) -> None:
    speaker = await speak()
    state = hass.states.get(entity_id)
    assert state
    hass.states.async_set(entity_id, before, state.attributes)
    await repeated(speaker, text, admin)
    first = hass.states.get(done)
    assert first
    hass.states.async_set(entity_id, after, state.attributes)
    await hass.async_block_till_done()
    freezer.tick(timedelta(minutes=1))
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)
    now = hass.states.get(done)
    assert now
    assert now.state != first.state

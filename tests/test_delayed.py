"""Commands for later: judged when they are given and when they are due, in the name of who gave them."""

from datetime import timedelta
import re
from typing import Any

import freezegun
from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from hypothesis import given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_fire_time_changed

from custom_components.bellboard.memory.delayed import LATEST, MOST
from custom_components.bellboard.nlu.loader import _load, async_get_language
from tests.conftest import Setup, snapshot
from tests.one_house import in_one_house
from tests.test_policy_reach import REFUSED, obey, rule

LAMP = "light.floor_lamp"


async def later(hass: HomeAssistant, seconds: float = 2) -> dict[str, str]:
    """Let time go by; return what changed meanwhile."""
    before = snapshot(hass)
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=seconds))
    await hass.async_block_till_done(wait_background_tasks=True)
    after = snapshot(hass)
    return {entity_id: state for entity_id, state in after.items() if before[entity_id] != state}


async def planned(hass: HomeAssistant, context: Context | None = None) -> list[dict[str, Any]]:
    """Return what waits, as the action tells it."""
    found: Any = await hass.services.async_call(
        "bellboard", "delayed", {}, blocking=True, return_response=True, context=context
    )
    return list(found["delayed"])


async def person(
    hass: HomeAssistant, *, may_control: list[str] | None = None, admin: bool = False
) -> MockUser:
    """Return somebody who may control these entities only, or everything."""
    user = MockUser(id=f"person-{may_control}-{admin}").add_to_hass(hass)
    entities: Any = {"entity_ids": dict.fromkeys(may_control, True)} if may_control else True
    user.mock_policy({"entities": entities})
    if admin:
        user.groups = [await hass.auth.async_get_group("system-admin")]  # type: ignore[list-item]
    return user


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the floor lamp in 1 second"),
        ("en", "in 1 second turn on the floor lamp"),
        ("en", "please turn on the floor lamp in one second"),
        ("de", "in 1 Sekunde schalte die Floor Lamp ein"),
        ("fr", "allume Floor Lamp dans 1 seconde"),
        ("es", "enciende Floor Lamp en 1 segundo"),
        ("nl", "over 1 seconde zet de Floor Lamp aan"),
        ("it", "accendi Floor Lamp tra 1 secondo"),
        ("pl", "włącz Floor Lamp za 1 sekundę"),
        ("pt", "acende Floor Lamp em 1 segundo"),
    ],
)
async def test_what_is_for_later_is_done_later(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert LAMP in await later(hass)
    assert await planned(hass) == []


async def test_what_is_for_later_is_refused_now_where_a_rule_denies_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await obey(hass, rule(domain=["light"]))
    said = await speaker.say("turn on the floor lamp in 1 second")
    assert REFUSED in said.reply
    assert await planned(hass) == []
    assert not await later(hass)


async def test_what_is_for_later_is_judged_again_when_it_is_due(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 1 second")
    await obey(hass, rule(domain=["light"]))
    assert not await later(hass)
    # Who gave it is not there to hear of it.
    [told] = hass.data["persistent_notification"].values()
    assert REFUSED in told["message"]


async def test_what_is_for_later_wants_its_yes_now(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await obey(hass, rule("confirm", domain=["light"]))
    asked = await speaker.say("turn on the floor lamp in 1 second")
    assert asked.result.continue_conversation
    assert REFUSED in asked.reply
    assert await planned(hass) == []
    agreed = await speaker.say("yes")
    assert not agreed.changes
    assert "Floor Lamp" in agreed.reply
    assert LAMP in await later(hass)


async def test_who_is_asked_about_what_is_for_later_hears_when_it_is_for(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await obey(hass, rule("confirm", domain=["light"]))
    asked = await speaker.say("turn on the floor lamp at 22:10")
    assert re.match(r"At 22:10\b.*Shall I turn on Floor Lamp\?", asked.reply)


async def test_a_no_plans_nothing(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await obey(hass, rule("confirm", domain=["light"]))
    await speaker.say("turn on the floor lamp in 1 second")
    await speaker.say("no")
    assert await planned(hass) == []
    assert not await later(hass)


async def test_a_yes_holds_for_what_was_asked_about_only(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await obey(hass, rule("confirm", domain=["cover"]))
    await speaker.say("open the kitchen blinds in 1 second")
    await speaker.say("yes")
    [waiting] = await planned(hass)
    assert waiting["text"] == "open the kitchen blinds"
    # By then the name means something else as well.
    er.async_get(hass).async_update_entity("cover.bedroom_blinds", name="Kitchen Blinds")
    await hass.async_block_till_done()
    assert not await later(hass)


async def test_values_are_brought_into_bounds_when_it_is_due(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    bounded = {**rule("clamp", domain=["light"]), "to": {"brightness_pct": {"max": 20}}}
    await obey(hass, bounded)
    await speaker.say("set the floor lamp to 90 percent in 1 second")
    await later(hass)
    state = hass.states.get(LAMP)
    assert state
    assert state.attributes["brightness"] == 51


async def test_exceptions_hold_later_or_are_refused_now(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("turn off all the lights except the kitchen in three seconds")
    changed = await later(hass, 4)
    assert not any("kitchen" in entity_id for entity_id in changed)
    assert changed or not said.result.continue_conversation


@in_one_house(
    "text",
    ["frobnicate the floor lamp in 1 second", "what time is it in 1 second", "hello in 1 second"],
)
async def test_what_cannot_be_understood_is_refused_now(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text)
    assert await planned(hass) == []
    assert said.reply
    assert not await later(hass)


@in_one_house(
    ("language", "text"),
    [
        ("en", "in ten minutes turn off Desk Lamp and make sure nobody hears anything"),
        ("de", "schalte Desk Lamp in zehn Minuten aus und sorg dafür dass niemand was hört"),
        ("es", "en diez minutos apaga Desk Lamp y que nadie oiga nada"),
        ("fr", "dans dix minutes éteins Desk Lamp et que personne n'entende rien"),
        ("it", "tra dieci minuti spegni Desk Lamp e che nessuno senta niente"),
        ("nl", "doe over tien minuten Desk Lamp uit en zorg dat niemand iets hoort"),
        ("pl", "za dziesięć minut zgaś Desk Lamp i niech nikt nic nie słyszy"),
        ("pt", "daqui a dez minutos apaga Desk Lamp e que ninguém ouça nada"),
        ("sv", "släck Desk Lamp om tio minuter och se till att ingen hör något"),
    ],
)
async def test_a_wish_that_is_not_understood_is_not_left_out_of_a_plan(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    assert not (await speaker.say(text, language=language)).calls
    assert await planned(hass) == []


@in_one_house("text", ["never mind", "cancel that", "undo that", "stop", "no, forget it"])
async def test_what_was_just_planned_can_be_taken_back(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say("turn off the reading lamp in 1 second")
    said = await speaker.say(text)
    assert said.reply == "All right, I won't turn off Reading Lamp."
    assert await planned(hass) == []
    assert not await later(hass)


async def test_never_mind_means_the_turn_before_only(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn off the reading lamp in 1 second")
    await speaker.say("turn on the floor lamp")
    await speaker.say("undo that")
    assert [each["text"] for each in await planned(hass)] == ["turn off the reading lamp"]


async def test_what_is_planned_can_be_asked_for_and_cancelled(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    assert (await speaker.say("what is planned?")).reply == "Nothing is planned."
    await speaker.say("turn off the reading lamp in 10 minutes")
    await speaker.say("turn on the floor lamp in 5 minutes")
    told = (await speaker.say("what is planned?")).reply
    assert told == (
        "Planned: in 5 minutes: turn on Floor Lamp; in 10 minutes: turn off Reading Lamp."
    )
    canceled = (await speaker.say("cancel everything planned")).reply
    assert canceled == "All right, I cancelled that: turn on Floor Lamp and turn off Reading Lamp."
    assert await planned(hass) == []
    assert (await speaker.say("cancel everything planned")).reply == "Nothing is planned."


async def test_a_timer_without_a_command_stays_home_assistants(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("set a timer for 5 minutes")
    assert await planned(hass) == []


async def test_what_is_for_later_is_done_with_the_rights_of_who_gave_it(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    user = await person(hass, may_control=["light.reading_lamp"])
    await speaker.say("turn on the floor lamp in 1 second", context=Context(user_id=user.id))
    assert not await later(hass)
    speaker.conversation_id = None
    await speaker.say("turn off the reading lamp in 1 second", context=Context(user_id=user.id))
    assert "light.reading_lamp" in await later(hass)


async def test_what_somebody_gave_who_is_gone_is_not_done(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    user = await person(hass)
    await speaker.say("turn on the floor lamp in 1 second", context=Context(user_id=user.id))
    await hass.auth.async_update_user(user, is_active=False)
    assert not await later(hass)


async def test_what_is_not_exposed_any_more_is_not_touched(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 1 second")
    async_expose_entity(hass, "conversation", LAMP, False)
    assert not await later(hass)


async def test_which_one_is_asked_now(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    asked = await speaker.say("turn on the lamp in 1 second")
    assert asked.result.continue_conversation
    done = await speaker.say("the floor lamp")
    assert "Floor Lamp" in done.reply
    assert not done.changes
    assert LAMP in await later(hass)


async def test_it_is_what_was_spoken_of_when_it_was_said(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    said = await speaker.say("turn it off in 1 second")
    assert "Floor Lamp" in said.reply
    await speaker.say("turn off the kitchen lights")
    assert set(await later(hass)) == {LAMP}


async def test_what_was_done_later_can_be_undone(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 1 second")
    assert LAMP in await later(hass)
    undone = await speaker.say("undo that")
    assert LAMP in undone.changes


async def test_an_open_question_is_not_answered_by_what_is_due(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn off the reading lamp in 1 second")
    asked = await speaker.say("turn on the lamp")
    assert asked.result.continue_conversation
    assert "light.reading_lamp" in await later(hass)
    done = await speaker.say("the floor lamp")
    assert LAMP in done.changes


async def test_what_is_planned_outlives_a_reload(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 1 second")
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert len(await planned(hass)) == 1
    assert LAMP in await later(hass)


async def test_what_is_long_past_is_left(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 1 second")
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_unload(entry.entry_id)
    freezer.tick(LATEST + 10)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert await planned(hass) == []
    assert not await later(hass)


async def test_a_broken_file_keeps_nobody_from_planning(
    hass: HomeAssistant, speak: Setup, hass_storage: dict[str, Any]
) -> None:
    speaker = await speak()
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_unload(entry.entry_id)
    [assistant_id] = entry.subentries
    key = f"bellboard.delayed.{assistant_id}"
    hass_storage[key] = {"version": 1, "key": key, "data": {"commands": [{"due": "never"}]}}
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    await speaker.say("turn on the floor lamp in 1 second")
    assert LAMP in await later(hass)


@pytest.fixture
def clock(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, monkeypatch: pytest.MonkeyPatch
) -> FrozenDateTimeFactory:
    """Return the time of day, which can be set; the event loop's own clock goes on, as it does in real life."""
    # What is imported from it by name is frozen, too.
    monkeypatch.setattr(hass.loop, "time", freezegun.api.real_monotonic)
    return freezer


async def test_a_clock_that_is_set_back_makes_nobody_wait(
    hass: HomeAssistant, speak: Setup, clock: FrozenDateTimeFactory
) -> None:
    """Neither while Home Assistant runs, nor after a restart."""
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 10 seconds")
    await speaker.say("turn off the reading lamp in 1 hour")
    clock.move_to(dt_util.utcnow() - timedelta(days=2))
    assert [each["seconds_left"] for each in await planned(hass)] == pytest.approx(
        [10, 3600], abs=2
    )
    told = (await speaker.say("what is planned?")).reply
    assert "hours" not in told

    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()

    waiting = await planned(hass)
    assert [each["seconds_left"] for each in waiting] == pytest.approx([10, 3600], abs=2)
    due = [dt_util.parse_datetime(each["due"]) for each in waiting]
    assert all(at and at < dt_util.utcnow() + timedelta(hours=2) for at in due)
    assert set(await later(hass, 12)) == {LAMP}
    assert set(await later(hass, 3602)) == {"light.reading_lamp"}


async def test_a_clock_that_is_set_forward_hurries_nothing_while_it_runs(
    hass: HomeAssistant, speak: Setup, clock: FrozenDateTimeFactory
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp in 10 minutes")
    clock.move_to(dt_util.utcnow() + timedelta(days=2))
    [waiting] = await planned(hass)
    assert waiting["seconds_left"] == pytest.approx(600, abs=2)


@pytest.mark.parametrize("odd", [{"conversation_id": "x" * 300}, {"language": "en-" + "x" * 40}])
async def test_who_asks_by_an_odd_id_gets_a_plain_answer(
    hass: HomeAssistant, speak: Setup, odd: dict[str, str]
) -> None:
    speaker = await speak()
    result: Any = await hass.services.async_call(
        "conversation",
        "process",
        {"text": "turn on the floor lamp in 1 second", "agent_id": speaker.agent_id, **odd},
        blocking=True,
        return_response=True,
    )
    speech = result["response"]["speech"]["plain"]["speech"]
    assert speech == "I can't plan it like that, so I did nothing."
    assert await planned(hass) == []
    assert not await later(hass)


async def test_the_longest_id_that_is_kept_plans_something(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    speaker.conversation_id = "x" * 255
    assert "Floor Lamp" in (await speaker.say("turn on the floor lamp in 1 second")).reply
    assert LAMP in await later(hass)


async def test_too_much_is_not_planned(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    for number in range(MOST):
        await speaker.say(f"turn on the floor lamp in {number + 1} minutes")
    said = await speaker.say("turn off the floor lamp in 1 minutes")
    assert said.reply == "I have too much planned already. Cancel something first."
    assert len(await planned(hass)) == MOST
    # Another assistant has as many of its own.
    said = await (await speak()).say("turn off the floor lamp in 1 minutes")
    assert "Floor Lamp" in said.reply
    assert len(await planned(hass)) == MOST + 1


async def test_everybody_sees_and_cancels_their_own(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    anna, ben = await person(hass), await person(hass, may_control=[LAMP])
    boss = await person(hass, admin=True)
    for user, minutes in ((anna, 5), (ben, 6)):
        speaker.conversation_id = None
        context = Context(user_id=user.id)
        await speaker.say(f"turn on the floor lamp in {minutes} minutes", context=context)
    assert len(await planned(hass, Context(user_id=anna.id))) == 1
    assert len(await planned(hass, Context(user_id=boss.id))) == 2
    [bens] = await planned(hass, Context(user_id=ben.id))
    canceled: Any = await hass.services.async_call(
        "bellboard", "cancel_delayed", {"id": bens["id"]},
        blocking=True, return_response=True, context=Context(user_id=anna.id),
    )  # fmt: skip
    assert canceled == {"canceled": 0}
    await hass.services.async_call(
        "bellboard", "cancel_delayed", {}, blocking=True, context=Context(user_id=ben.id)
    )
    assert [each["id"] for each in await planned(hass)] != []
    assert await planned(hass, Context(user_id=ben.id)) == []


async def test_a_dry_run_plans_nothing(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    found: Any = await hass.services.async_call(
        "bellboard", "process", {"text": "turn on the floor lamp in 1 second", "dry_run": True},
        blocking=True, return_response=True,
    )  # fmt: skip
    assert found["calls"] == [{"action": "intent.HassStartTimer", "data": {"seconds": 1}}]
    assert await planned(hass) == []


async def test_a_rule_on_timers_holds_for_what_is_for_later(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await obey(hass, rule(action=["intent.HassStartTimer"], parameters={"minutes": {"above": 5}}))
    assert REFUSED in (await speaker.say("turn on the floor lamp in 6 minutes")).reply
    await speaker.say("turn on the floor lamp in 4 minutes")
    assert len(await planned(hass)) == 1


WORDS = {
    "en": (("what is planned", "which commands are pending", "list my scheduled commands"),
           ("cancel everything planned", "cancel all scheduled commands", "forget the planned action")),
    "de": (("was ist geplant", "was hast du noch vor", "welche Befehle stehen noch aus"),
           ("lösche alle geplanten Befehle", "vergiss alles was noch geplant ist")),
    "fr": (("qu'est-ce qui est prévu", "qu'est-ce que tu as prévu", "montre les commandes prévues"),
           ("annule toutes les commandes prévues", "annule tout ce qui est prévu")),
    "es": (("qué hay programado", "qué tienes pendiente", "muéstrame las órdenes pendientes"),
           ("cancela todas las órdenes programadas", "cancela todo lo programado")),
    "it": (("cosa c'è in programma", "cosa hai programmato", "mostrami i comandi programmati"),
           ("annulla tutti i comandi programmati", "annulla tutto quello che è programmato")),
    "nl": (("wat staat er gepland", "welke opdrachten staan er nog gepland", "toon de geplande opdrachten"),
           ("annuleer alle geplande opdrachten", "annuleer alles wat gepland staat")),
    "pl": (("co jest zaplanowane", "co masz w planach", "pokaż zaplanowane polecenia"),
           ("anuluj wszystkie zaplanowane polecenia", "anuluj wszystko co jest zaplanowane")),
    "pt": (("o que está agendado", "o que há pendente", "mostra os comandos agendados"),
           ("cancela todos os comandos agendados", "cancela tudo o que está agendado")),
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(WORDS))
async def test_every_language_asks_for_what_is_planned_and_cancels_it(
    hass: HomeAssistant, code: str
) -> None:
    language = await async_get_language(hass, code)
    asking, canceling = WORDS[code]
    assert {text: language.delayed.kind_of(text) for text in asking} == dict.fromkeys(asking, "ask")
    assert {text: language.delayed.kind_of(text) for text in canceling} == dict.fromkeys(
        canceling, "cancel"
    )
    assert language.delayed.kind_of(language.say("delayed.none")) is None


# The first example reads the language's file; how long that takes says nothing of the property.
@settings(deadline=None)
@given(st.floats(min_value=0, max_value=1e6))
def test_a_time_in_words_is_never_empty_and_has_no_sixty(seconds: float) -> None:
    words = _load("en").duration(seconds)
    assert words
    assert "60 minutes" not in words
    assert "60 seconds" not in words

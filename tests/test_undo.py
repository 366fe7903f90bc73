"""What a turn changed is put back with all it showed, or it is said why it was not."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.util import dt as dt_util
import pytest

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.const import DOMAIN, UNDO_AGENT_ID
from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.memory.turns import keep_for_undo, last_undoable
from custom_components.bellboard.plans.models import Plan
from custom_components.bellboard.plans.runner import PlanRunner
from custom_components.bellboard.plans.tool_executor import ServiceExecutor
from custom_components.bellboard.policy.engine import (
    Interaction,
    NullPolicyEngine,
    PolicyEffect,
    Verdict,
)
from custom_components.bellboard.policy.file import DATA_POLICY
from custom_components.bellboard.services.action import find_assistant
from custom_components.bellboard.turn import context as current_turn
from custom_components.bellboard.turn.record import PartRecorder, TurnRecord
from tests.conftest import Setup, Speaker, snapshot
from tests.plans.conftest import Misbehave, misbehave
from tests.test_delayed import person
from tests.undo_cases import LIGHTS, OTHERS, PLAYERS, THERMOSTATS, Case, Made

__all__ = ["misbehave"]

PENDANT = "light.kitchen_pendant"
READING = "light.reading_lamp"
LAMP = "light.floor_lamp"
FAN = "fan.bedroom_fan"
LOCK = "lock.front_door"
OFF: Made = ("light.turn_off", READING, {})
KITCHEN_OFF: tuple[Made, ...] = tuple(
    ("light.turn_off", entity_id, {})
    for entity_id in ("light.kitchen_ceiling", "light.kitchen_counter", PENDANT)
)
NOTHING = "There is nothing I could put back."
# Told anew with each change, or about the last change itself.
PASSING = frozenset({"media_position_updated_at", "last_transition", "changed_by"})


def assistant_of(hass: HomeAssistant) -> Assistant:
    """Return the assistant there is."""
    return find_assistant(hass, None)[1]


def shown(hass: HomeAssistant, lost: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the states of the house with all attributes but those that nothing brings back."""
    found = {entity_id: json.loads(text) for entity_id, text in snapshot(hass).items()}
    return without(found, PASSING | lost)


def without(states: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return states without some of their attributes."""
    return {
        entity_id: [state, {k: v for k, v in attributes.items() if k not in names}]
        for entity_id, (state, attributes) in states.items()
    }


async def change(hass: HomeAssistant, speaker: Speaker, calls: Sequence[Made]) -> None:
    """Make calls as a turn of the speaker's conversation does, and keep what they changed."""
    steps = tuple(
        ToolCall(action=action, targets=(entity_id,), data=dict(data))
        for action, entity_id, data in calls
    )
    if speaker.conversation_id is None:
        await speaker.say("undo")
    conversation_id = str(speaker.conversation_id)
    interaction = Interaction(
        id="turn", session_id=conversation_id, text="", language="en", at=dt_util.now()
    )
    record = TurnRecord(conversation_id, "")
    runner = PlanRunner(
        hass=hass,
        context=Context(),
        executor=ServiceExecutor(hass),
        policy=NullPolicyEngine(),
        interaction=interaction,
        observer=PartRecorder(record),
    )
    execution = await runner.async_run(Plan(intent_id="x", agent_id="x", steps=steps))
    assert execution.ok, execution.results
    async with assistant_of(hass).tasks.async_revise(conversation_id) as task:
        assert task
        keep_for_undo(task, "it", record.before, hass.states.get)
    speaker.calls.clear()


async def undo(hass: HomeAssistant, context: Context | None = None, **data: Any) -> dict[str, Any]:
    """Call the action."""
    response = await hass.services.async_call(
        DOMAIN, "undo", data, blocking=True, return_response=True, context=context
    )
    assert response
    return dict(response)


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(LIGHTS, id="lights"),
        pytest.param(PLAYERS, id="players"),
        pytest.param(THERMOSTATS, id="thermostats"),
        pytest.param(OTHERS, id="others"),
    ],
)
async def test_everything_is_as_it_was(
    hass: HomeAssistant, speak: Setup, cases: Sequence[Case]
) -> None:
    """Each change is undone, and then what was done before it."""
    speaker = await speak()
    for case in cases:
        start = shown(hass, case.lost)
        if case.first:
            await change(hass, speaker, case.first)
        before = shown(hass, case.lost)
        await change(hass, speaker, case.changed)
        assert shown(hass) != before, case.title
        said = await speaker.say("undo that")
        assert shown(hass, case.lost) == before, f"{case.title}: {said.reply}"
        assert said.reply.endswith("back as before."), case.title
        if case.first:
            said = await speaker.say("undo that")
            # Where in a track a player is goes on by itself, and is no change.
            lost = case.lost | {"media_position"}
            assert shown(hass, lost) == without(start, lost), f"before {case.title}: {said.reply}"
        assert (await speaker.say("undo that")).reply == NOTHING, case.title


async def test_sentences_are_undone(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    for text, undoing in (
        ("turn off the kitchen lights", "put them back the way they were"),
        ("set the reading lamp to 20 percent brightness", "never mind, put it back"),
        ("make the left bedside lamp green", "change it back"),
        ("turn off the lights in the kitchen and turn on the floor lamp", "undo all of it"),
        ("pause the kitchen speaker", "no, undo that please"),
        ("set the volume of the kitchen speaker to 90 percent", "take that back"),
        ("set the bedroom thermostat to 27 degrees", "revert that"),
        ("close the living room blinds", "put it back as it was"),
        ("turn on the bedroom fan", "undo what you just did"),
        ("turn off the washing machine", "can you undo that"),
        ("unlock the front door", "undo"),
    ):
        assert (await speaker.say(text)).changes, text
        said = await speaker.say(undoing)
        assert shown(hass) == before, f"{text}: {said.reply}"
        assert said.result.response.error_code is None
        assert not said.result.continue_conversation


async def test_every_language_undoes(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    for language, undoing, reply, nothing in (
        ("de", "mach das rückgängig", "Reading Lamp wieder wie vorher", "Es gibt nichts"),
        ("fr", "remets-le comme avant", "J'ai remis Reading Lamp comme avant", "Il n'y a rien"),
        ("es", "déjalo como estaba", "He dejado Reading Lamp como antes", "No hay nada"),
        ("nl", "maak dat ongedaan", "Reading Lamp teruggezet naar de vorige stand", "Er is niets"),
    ):
        await change(hass, speaker, [OFF])
        said = await speaker.say(undoing, language=language)
        assert shown(hass) == before
        assert said.reply.startswith(reply)
        assert (await speaker.say(undoing, language=language)).reply.startswith(nothing)


async def test_one_after_the_other(hass: HomeAssistant, speak: Setup) -> None:
    """Each time the turn before it, until there is none; what is undone is itself not undone."""
    speaker = await speak()
    start = shown(hass)
    nothing = await speaker.say("undo that")
    assert nothing.reply == NOTHING
    assert nothing.result.response.error_code == "no_valid_targets"
    await speaker.say("turn on the floor lamp")
    between = shown(hass)
    await speaker.say("turn off the reading lamp")
    await speaker.say("what time is it")
    speaker.conversation_id, mine = None, speaker.conversation_id
    assert (await speaker.say("undo that")).reply == NOTHING
    speaker.conversation_id = mine
    assert (await speaker.say("undo that")).reply == "Put Reading Lamp back as before."
    assert shown(hass) == between
    assert (await speaker.say("undo that")).reply == "Put Floor Lamp back as before."
    assert shown(hass) == start
    # What was put back is what the next sentence goes on with.
    assert set((await speaker.say("turn it on")).changes) == {LAMP}
    await speaker.say("undo that")
    assert shown(hass) == start
    nothing = await speaker.say("undo that")
    assert nothing.reply == NOTHING
    assert not nothing.calls


async def test_it_can_be_undone_after_a_restart(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, KITCHEN_OFF)
    entry = hass.config_entries.async_entries(DOMAIN)[0]
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert (await speaker.say("undo that")).reply.endswith("back as before.")
    assert shown(hass) == before
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert (await speaker.say("undo that")).reply == NOTHING
    await change(hass, speaker, [OFF])
    assert await hass.config_entries.async_reload(entry.entry_id)
    with pytest.raises(ServiceValidationError):
        await undo(hass)
    assert (await undo(hass, conversation_id=speaker.conversation_id))["restored"] == [READING]
    with pytest.raises(ServiceValidationError):
        await undo(hass, conversation_id=speaker.conversation_id)


async def test_what_is_forgotten_meanwhile_is_not_kept(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await change(hass, speaker, [OFF])
    tasks, conversation_id = assistant_of(hass).tasks, str(speaker.conversation_id)
    async with tasks.async_revise(conversation_id) as task:
        assert task
        await tasks.async_forget(conversation_id)
    assert await tasks.async_find(conversation_id) is None


async def test_what_was_put_back_by_hand_is_left(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await change(hass, speaker, [("light.turn_on", LAMP, {})])
    await change(hass, speaker, [OFF])
    await hass.services.async_call("light", "turn_on", {"entity_id": READING}, blocking=True)
    speaker.calls.clear()
    said = await speaker.say("undo that")
    assert said.reply == "That is already as it was."
    assert not said.calls
    assert set((await speaker.say("undo that")).changes) == {LAMP}


async def test_many_things_are_counted(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    lights = (LAMP, "light.garage_light", READING, PENDANT)
    await change(hass, speaker, [("light.toggle", entity_id, {}) for entity_id in lights])
    named = (await speaker.say("undo that")).reply
    assert all(name in named for name in ("Floor Lamp", "Garage Light", "Reading Lamp"))
    more = (*lights, "light.desk_lamp", "light.night_light")
    await change(hass, speaker, [("light.toggle", entity_id, {}) for entity_id in more])
    assert (await speaker.say("undo that")).reply == "Put 6 lights back as before."
    mixed = (*lights, "switch.washing_machine", "fan.bedroom_fan")
    await change(hass, speaker, [(f"{e.partition('.')[0]}.toggle", e, {}) for e in mixed])
    assert (
        await speaker.say("undo that")
    ).reply == "Put Bedroom Fan, Washing Machine and 4 lights back as before."


async def test_undoing_means_the_last_command_also_where_it_changed_nothing(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    await speaker.say("turn on the reading lamp")
    asked = await speaker.say("undo that")
    assert asked.reply == "That changed nothing. Shall I put Floor Lamp back as before?"
    assert not asked.changes
    assert asked.result.continue_conversation
    assert (await speaker.say("yes")).changes.keys() == {LAMP}
    assert hass.states.is_state(LAMP, "off")


async def test_where_nothing_was_changed_at_all_that_is_said(speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the reading lamp")
    said = await speaker.say("undo that")
    assert said.reply == "That changed nothing."
    assert not said.result.continue_conversation


async def test_what_fails_is_told_and_kept(
    hass: HomeAssistant, speak: Setup, misbehave: Misbehave
) -> None:
    """Only where nothing at all could be put back is it tried again."""
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, [OFF])
    misbehave(READING, "unavailable")
    await hass.async_block_till_done()
    assert hass.states.is_state(READING, STATE_UNAVAILABLE)
    assert (await speaker.say("undo that")).reply == "I can't reach Reading Lamp."
    misbehave(READING, "fail")
    await hass.async_block_till_done()
    assert (await speaker.say("undo that")).reply == "Something went wrong with Reading Lamp."
    # One that is slow is waited for.
    misbehave(READING, "delay", 0.05)
    assert (await speaker.say("undo that")).reply == "Put Reading Lamp back as before."
    assert shown(hass) == before
    await change(hass, speaker, [OFF, ("light.turn_off", PENDANT, {})])
    misbehave(PENDANT, "fail")
    said = await speaker.say("undo that")
    assert set(said.changes) == {READING}
    assert said.reply == (
        "Put Reading Lamp back as before. However, something went wrong with Kitchen Pendant."
    )
    assert (await speaker.say("undo that")).reply == NOTHING


async def test_what_may_not_be_controlled_or_is_gone_is_left(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await change(hass, speaker, [OFF])
    async_expose_entity(hass, "conversation", READING, False)
    said = await speaker.say("undo that")
    assert not said.changes
    assert said.result.response.error_code
    assert "Reading" not in said.reply
    hass.states.async_remove(READING)
    said = await speaker.say("undo that")
    assert said.result.response.error_code
    assert not said.calls


async def test_what_cannot_be_undone_is_told(hass: HomeAssistant, speak: Setup) -> None:
    """The turn before it is not undone in its place."""
    speaker = await speak()
    await change(hass, speaker, [OFF])
    await hass.services.async_call("lock", "unlock", {"entity_id": LOCK}, blocking=True)
    assert (await speaker.say("lock the front door")).changes
    said = await speaker.say("undo that")
    assert hass.states.is_state(LOCK, "locked")
    assert said.reply == "I don't unlock doors by undoing: Front Door."
    assert said.result.response.error_code
    await speaker.say("turn on movie night")
    said = await speaker.say("undo that")
    assert not said.changes
    assert said.reply == "I can't put Movie Night back."


async def test_what_shows_late_or_only_partly_is_told_as_it_is(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fan that goes to the nearest of its speeds did as it was told, but that need not be the one it had."""
    monkeypatch.setattr(current_turn, "PlanRunner", partial(PlanRunner, answer_seconds=0.2))
    speaker = await speak()
    on: Made = ("fan.turn_on", FAN, {"percentage": 50})
    off: Made = ("fan.turn_off", FAN, {})
    await change(hass, speaker, [on])
    fan = hass.data["fan"].get_entity(FAN)
    assert fan
    shows = [75, 75, 50]

    def show(percentage: int) -> None:
        fan._attr_percentage = percentage
        fan.async_write_ha_state()

    async def set_percentage(percentage: int) -> None:
        for number, shown in enumerate(shows):
            hass.loop.call_later(0.02 * number, show, shown)

    await change(hass, speaker, [off])
    with monkeypatch.context() as patch:
        patch.setattr(fan, "async_set_percentage", set_percentage)
        assert (await speaker.say("undo that")).reply == "Put Bedroom Fan back as before."
        shows = [75]
        await change(hass, speaker, [off])
        said = await speaker.say("undo that")
    assert said.reply.startswith("Bedroom Fan")
    assert "back as before" not in said.reply
    await speaker.say("undo that")
    assert hass.states.get(FAN).attributes["percentage"] == 50  # type: ignore[union-attr]


class Policy(NullPolicyEngine):
    """Says the same to every call of a domain."""

    def __init__(self, effect: PolicyEffect, domain: str = "light") -> None:
        self.effect, self.domain = effect, domain

    def validate(
        self,
        call: ToolCall,
        interaction: Interaction,
        history: Sequence[Any] = (),
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> Sequence[Verdict]:
        """Return the verdict."""
        if call.action.partition(".")[0] != self.domain or "late" in confirmed:
            return (Verdict(effect=PolicyEffect.ALLOW, call=call),)
        return (Verdict(effect=self.effect, call=call, rule="late", reason="It is late."),)


async def test_a_policy_keeps_it_from_being_undone(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, [OFF])
    hass.data[DATA_POLICY] = Policy(PolicyEffect.DENY)
    said = await speaker.say("undo that")
    assert said.reply == "It is late."
    assert not said.changes
    assert not said.calls
    del hass.data[DATA_POLICY]
    await speaker.say("undo that")
    assert shown(hass) == before


async def test_a_policy_wants_a_yes(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, [OFF])
    hass.data[DATA_POLICY] = Policy(PolicyEffect.CONFIRM)
    for answer in ("no", "yes"):
        asked = await speaker.say("undo that")
        assert asked.reply.startswith("It is late. ")
        assert asked.reply.endswith("?")
        assert not asked.changes
        assert asked.result.continue_conversation
        said = await speaker.say(answer)
        assert not said.result.continue_conversation
        assert set(said.changes) == ({READING} if answer == "yes" else set())
        assert (said.reply == "Put Reading Lamp back as before.") is (answer == "yes")
    assert shown(hass) == before
    assert (await speaker.say("undo that")).reply == NOTHING


async def test_some_wait_for_a_yes_and_the_others_do_not(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, [OFF, ("switch.turn_off", "switch.washing_machine", {})])
    hass.data[DATA_POLICY] = Policy(PolicyEffect.CONFIRM)
    asked = await speaker.say("undo that")
    assert set(asked.changes) == {"switch.washing_machine"}
    assert asked.reply.startswith("Put Washing Machine back as before. It is late.")
    assert (await speaker.say("yes")).reply == "Put Reading Lamp back as before."
    assert shown(hass) == before


async def test_an_open_question_is_left_for_it(hass: HomeAssistant, speak: Setup) -> None:
    """But a word that cancels a question undoes nothing."""
    speaker = await speak()
    await change(hass, speaker, [OFF])
    assert (await speaker.say("turn on the bedside lamp")).result.continue_conversation
    assert not (await speaker.say("annule", language="fr")).changes
    assert (await speaker.say("turn on the bedside lamp")).result.continue_conversation
    said = await speaker.say("undo that")
    assert set(said.changes) == {READING}
    assert not said.result.continue_conversation


async def test_it_is_traced_and_has_a_dry_run(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, [OFF])
    response = await hass.services.async_call(
        DOMAIN,
        "process",
        {"text": "undo that", "conversation_id": speaker.conversation_id, "dry_run": True},
        blocking=True,
        return_response=True,
    )
    assert response
    calls: Any = response["calls"]
    assert [call["action"] for call in calls] == ["light.turn_on"]
    assert hass.states.is_state(READING, "off")
    await speaker.say("undo that")
    assert shown(hass) == before
    *_, trace = assistant_of(hass).traces
    assert [agent["id"] for agent in trace.agents] == [UNDO_AGENT_ID]
    assert [call["action"] for call in trace.calls] == ["light.turn_on"]
    assert [stage["stage"] for stage in trace.stages] == [
        "received", "intents_eligible", "intent_classified",
        "plan_created", "plan_communicated", "policy_check", "tool_execute", "respond",
    ]  # fmt: skip


async def test_the_action_undoes_what_was_changed_last(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    before = shown(hass)
    await change(hass, speaker, [("light.turn_on", LAMP, {})])
    first, speaker.conversation_id = speaker.conversation_id, None
    between = shown(hass)
    await change(hass, speaker, [OFF])
    asked = await speaker.say("turn on the bedside lamp")
    second, speaker.conversation_id = speaker.conversation_id, None
    assert await undo(hass) == {
        "restored": [READING],
        "failed": {},
        "reply": "Put Reading Lamp back as before.",
    }
    assert shown(hass) == between
    found = await undo(hass, conversation_id=first, assistant=speaker.agent_id)
    assert found["restored"] == [LAMP]
    assert shown(hass) == before
    *_, trace = assistant_of(hass).traces
    assert (trace.conversation_id, trace.state) == (first, "completed")
    # What was asked in between is still asked.
    speaker.conversation_id = second
    assert asked.result.continue_conversation
    assert "Left Bedside Lamp" in (await speaker.say("the left one")).reply


async def test_the_action_tells_what_failed(
    hass: HomeAssistant, speak: Setup, misbehave: Misbehave
) -> None:
    speaker = await speak()
    await change(hass, speaker, [OFF])
    hass.data[DATA_POLICY] = Policy(PolicyEffect.CONFIRM)
    assert (await undo(hass))["failed"] == {READING: "confirm"}
    del hass.data[DATA_POLICY]
    misbehave(READING, "unavailable")
    await hass.async_block_till_done()
    assert await undo(hass) == {
        "restored": [],
        "failed": {READING: "unavailable"},
        "reply": "I can't reach Reading Lamp.",
    }
    (task,) = assistant_of(hass).tasks.in_memory()
    assert last_undoable(task)


async def test_the_action_does_nothing_that_its_caller_may_not_control_any_more(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    child = await person(hass)
    await speaker.say("turn on the floor lamp", context=Context(user_id=child.id))
    child.mock_policy({"entities": {"all": {"read": True}}})
    found = await undo(hass, Context(user_id=child.id), conversation_id=speaker.conversation_id)
    assert (found["restored"], found["failed"]) == ([], {LAMP: "not_allowed"})
    assert hass.states.is_state(LAMP, "on")


async def test_the_action_says_why_it_does_nothing(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("undo")
    for data, key in (
        ({}, "nothing_to_undo"),
        ({"conversation_id": said.result.conversation_id}, "nothing_to_undo"),
        ({"conversation_id": "unheard"}, "unknown_conversation"),
    ):
        with pytest.raises(ServiceValidationError) as raised:
            await undo(hass, **data)
        assert raised.value.translation_key == key

"""Whose it is: what one person asked, did, said or planned is nobody else's, whichever id they speak or call with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
import json
from pathlib import Path
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers.chat_session import CONVERSATION_TIMEOUT, DATA_CHAT_SESSION
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_fire_time_changed

from custom_components.bellboard.policy.file import POLICIES_FILE, async_setup_policies
from tests.capable import brain
from tests.conftest import Said, Setup, Speaker
from tests.memory.conftest import redis, start_redis
from tests.one_house import in_one_house
from tests.panel.conftest import Panel, panel
from tests.routing.reading import assistant_of
from tests.test_codes import CODE, DOOR, RULES
from tests.test_policy_reach import obey, rule

__all__ = ["panel", "redis", "start_redis"]

LAMP, READING = "light.floor_lamp", "light.reading_lamp"
SECRET = "flamingo"
"""A word that only the first one says."""
FIRST, SECOND = "anna", "ben"

CASES = [
    *product([(FIRST, SECOND)], ("same session", "ended session", "another id"), ("file", "redis")),
    *product([(FIRST, None), (None, SECOND)], ("same session", "ended session"), ("file",)),
]
"""Who begins a conversation and who speaks in it then, how they come to it, and where conversations are kept."""
BY_ACTION = [case for case in CASES if case[0][1]]
"""Those of a second one who is somebody: an automation that acts in nobody's name sees all."""


@dataclass
class Two:
    """Two who share an assistant, by their user ids: the second one speaks in the conversation of the first."""

    hass: HomeAssistant
    speaker: Speaker
    first: str | None
    second: str | None
    way: str
    conversation_id: str | None = None
    second_id: str | None = None

    async def say(self, text: str) -> Said:
        """Say a sentence as the first."""
        self.speaker.conversation_id = self.conversation_id
        said = await self.speaker.say(text, context=Context(user_id=self.first))
        self.conversation_id = said.result.conversation_id
        return said

    async def agree(self, answer: str = "yes") -> None:
        """Answer as the first; once more where a shared store's question is asked anew."""
        if (await self.say(answer)).result.continue_conversation:
            await self.say(answer)

    async def say_second(self, text: str) -> Said:
        """Say a sentence as the second, the way they come to the conversation."""
        await self.come()
        self.speaker.conversation_id = self.second_id
        turns = len(list(assistant_of(self.hass).traces))
        said = await self.speaker.say(text, context=Context(user_id=self.second))
        if len(list(assistant_of(self.hass).traces)) == turns:
            # Home Assistant 2026.11 keeps everybody else out of a conversation by itself.
            self.speaker.conversation_id = None
            said = await self.speaker.say(text, context=Context(user_id=self.second))
        self.second_id = said.result.conversation_id
        return said

    async def come(self) -> None:
        """Let the second one come to the conversation: its session ends first where they come after that."""
        if self.second_id is not None:
            return
        self.second_id = None if self.way == "another id" else self.conversation_id
        if self.way == "ended session":
            later = dt_util.utcnow() + CONVERSATION_TIMEOUT + timedelta(seconds=5)
            async_fire_time_changed(self.hass, later)
            await self.hass.async_block_till_done()
            assert self.conversation_id not in self.hass.data[DATA_CHAT_SESSION]

    async def call(self, user_id: str | None, action: str, **data: Any) -> dict[str, Any]:
        """Call an action of Bellboard's in somebody's name."""
        services = self.hass.services
        has_response = services.supports_response("bellboard", action).value != "none"
        found = await services.async_call(
            "bellboard", action, data, blocking=True, return_response=has_response,
            context=Context(user_id=user_id),
        )  # fmt: skip
        return dict(found or {})

    def asked_of_model(self) -> str:
        """Return all that was asked of the model since the last time."""
        assert self.speaker.model
        asked = [[m.content for m in ask.messages] for ask in self.speaker.model.requests]
        self.speaker.model.requests.clear()
        return json.dumps(asked)


type Begin = Callable[..., Awaitable[Two]]


@pytest.fixture
def begin(hass: HomeAssistant, speak: Setup, request: pytest.FixtureRequest) -> Begin:
    """Return a function that sets an assistant up for two people of a case."""

    async def set_up(case: tuple[tuple[str | None, str | None], str, str], **options: Any) -> Two:
        (first, second), way, store = case
        for user_id in {first, second} - {None}:
            MockUser(id=user_id).add_to_hass(hass).mock_policy({"entities": True})
        if store == "redis":
            options["memory"] = {"redis_url": request.getfixturevalue("redis").url}
        return Two(hass, await speak(**options), first, second, way)

    return set_up


def named(case: Any) -> str:
    """Return the name of a case."""
    (first, second), way, store = case
    return f"{first or 'nobody'}, {second or 'nobody'}, {way}, {store}"


everybody = pytest.mark.parametrize("case", CASES, ids=named)
by_action = pytest.mark.parametrize("case", BY_ACTION, ids=named)


@everybody
async def test_a_question_is_answered_by_whom_it_was_asked(
    hass: HomeAssistant, begin: Begin, case: Any
) -> None:
    two = await begin(case)
    await obey(hass, rule("confirm", domain=["light"]))
    assert (await two.say("turn on the floor lamp")).result.continue_conversation
    for answer in ("yes", "sure, do it", "no", "never mind"):
        taken = await two.say_second(answer)
        assert not taken.changes
        assert "Floor Lamp" not in taken.reply
    await two.agree()
    assert hass.states.is_state(LAMP, "on")


@everybody
async def test_a_code_is_taken_from_whom_it_was_asked(
    hass: HomeAssistant, begin: Begin, tmp_path: Path, case: Any
) -> None:
    hass.config.config_dir = str(tmp_path)
    (tmp_path / POLICIES_FILE).write_text(RULES, "utf-8")
    two = await begin(case)
    await async_setup_policies(hass)
    assert (await two.say("unlock the front door")).result.continue_conversation
    for answer in (CODE, "yes", "the front door"):
        await two.say_second(answer)
        assert hass.states.is_state(DOOR, "locked")
    await two.say(CODE)
    if case[1:] == ("ended session", "redis"):
        # Others may have written what was taken up from there: it has to be said again as a whole.
        assert hass.states.is_state(DOOR, "locked")
        await two.say("unlock the front door")
        await two.say(CODE)
    assert hass.states.is_state(DOOR, "unlocked")


@everybody
async def test_undo_that_puts_back_ones_own_changes(
    hass: HomeAssistant, begin: Begin, case: Any
) -> None:
    two = await begin(case)
    await two.say("turn on the floor lamp")
    assert not (await two.say_second("undo that")).changes
    assert READING in (await two.say_second("turn off the reading lamp")).changes
    assert list((await two.say_second("undo that")).changes) == [READING]
    assert not (await two.say_second("undo that")).changes
    assert hass.states.is_state(LAMP, "on")
    assert list((await two.say("undo that")).changes) == [LAMP]


@by_action
async def test_the_action_undo_puts_back_ones_own_changes(
    hass: HomeAssistant, begin: Begin, case: Any
) -> None:
    two = await begin(case)
    await two.say("turn on the floor lamp")
    await two.come()
    for data in ({}, {"conversation_id": two.conversation_id}):
        with pytest.raises(ServiceValidationError):
            await two.call(two.second, "undo", **data)
    assert hass.states.is_state(LAMP, "on")
    # In a conversation of two, it is the caller's own as well.
    await two.say_second("turn off the reading lamp")
    found = await two.call(two.second, "undo", conversation_id=two.second_id)
    assert found["restored"] == [READING]
    found = await two.call(two.first, "undo", conversation_id=two.conversation_id)
    assert found["restored"] == [LAMP]


def small(_: object, schema: object) -> dict[str, Any] | str:
    """Answer as a small model that takes everything for talk."""
    return {"agent": "general-agent", "confidence": 0.9} if schema else "Well."


@pytest.mark.parametrize(
    ("contract", "answer"),
    [("small", small), ("capable", brain(("general-agent", "talk")))],
    ids=["small", "capable"],
)
@everybody
async def test_no_prompt_for_one_person_holds_what_another_said(
    begin: Begin, case: Any, contract: str, answer: Any
) -> None:
    two = await begin(case, answer=answer, contract=contract)
    await two.say(f"I plan a party with a {SECRET} for my friend")
    assert SECRET in two.asked_of_model()
    for text in ("tell me what I said before", "why is that", "and what else"):
        await two.say_second(text)
    for action in ("route", "process"):
        data = {"dry_run": True} if action == "process" else {}
        ids = {"conversation_id": two.conversation_id}
        await two.call(two.second, action, text="tell me more of that", **ids, **data)
    asked = two.asked_of_model()
    assert "why is that" in asked
    assert "more of that" in asked
    assert SECRET not in asked
    await two.say("tell me what I said before")
    assert SECRET in two.asked_of_model()


@everybody
async def test_what_is_referred_to_is_of_ones_own_turns(
    hass: HomeAssistant, begin: Begin, case: Any
) -> None:
    two = await begin(case)
    await two.say("turn on the floor lamp")
    for text in ("turn it off", "turn it off again", "and the desk lamp", "no, the desk lamp"):
        assert not (await two.say_second(text)).changes, text
    assert list((await two.say("turn it off")).changes) == [LAMP]


@everybody
async def test_a_command_for_later_is_canceled_by_who_gave_it(
    hass: HomeAssistant, begin: Begin, case: Any
) -> None:
    two = await begin(case)
    await two.say("turn on the floor lamp in two hours")
    waiting = assistant_of(hass).delayed.waiting
    assert len(waiting) == 1
    for text in ("cancel that", "undo that", "cancel all planned commands", "what is planned"):
        assert "Floor Lamp" not in (await two.say_second(text)).reply
    if two.second:
        assert (await two.call(two.second, "delayed"))["delayed"] == []
        for data in ({}, {"id": waiting[0].id}):
            assert (await two.call(two.second, "cancel_delayed", **data)) == {"canceled": 0}
    assert assistant_of(hass).delayed.waiting == waiting
    await two.say("cancel that")
    assert not assistant_of(hass).delayed.waiting


@by_action
async def test_no_action_reaches_anothers_task(
    hass: HomeAssistant, begin: Begin, case: Any
) -> None:
    two = await begin(case)
    await obey(hass, rule("confirm", domain=["light"]))
    await two.say("turn on the floor lamp")
    await two.come()
    its = {"conversation_id": two.conversation_id}
    for action in ("get_task", "cancel_task", "forget"):
        with pytest.raises(Unauthorized):
            await two.call(two.second, action, **its)
    tried = await two.call(two.second, "process", text="yes", dry_run=True, **its)
    assert not tried["calls"]
    assert "Floor Lamp" not in tried["reply"]
    task = {"version": "1.0", "topic": "/control/agents/home-agent/input", "instruction": "yes"}
    ran = await two.call(two.second, "run_task", task={**task, **its})
    assert "Floor Lamp" not in ran["reply"]
    await two.agree()
    assert hass.states.is_state(LAMP, "on")


@everybody
async def test_a_try_on_the_page_is_one_of_whom_it_is_for(
    hass: HomeAssistant, begin: Begin, panel: Panel, case: Any
) -> None:
    two = await begin(case)
    await obey(hass, rule("confirm", domain=["light"]))
    await two.say("turn on the floor lamp")
    await two.come()
    tried: dict[str | None, Any] = {}
    for user_id in (two.second, two.first):
        tried[user_id] = await panel.ask(
            "try",
            assistant=await panel.assistant(),
            text="yes",
            user_id=user_id,
            conversation_id=two.conversation_id,
        )
    assert not tried[two.second]["plans"]
    assert "Floor Lamp" not in tried[two.second]["reply"]
    assert tried[two.first]["plans"]


async def test_a_task_that_names_no_owner_is_nobodys(hass: HomeAssistant, begin: Begin) -> None:
    """As one that an earlier release kept: whose it is, is not guessed."""
    two = await begin(((None, None), "same session", "file"))
    await obey(hass, rule("confirm", domain=["light"]))
    await two.say("turn on the floor lamp")
    [task] = assistant_of(hass).tasks.in_memory()
    del task.metadata["userId"]
    assert not (await two.say("yes")).changes


# What may be controlled


@pytest.fixture
def reader(hass: HomeAssistant) -> MockUser:
    """Return somebody who may read everything and control nothing."""
    user = MockUser(id="reader").add_to_hass(hass)
    user.mock_policy({"entities": {"all": {"read": True}}})
    return user


@pytest.fixture
def child(hass: HomeAssistant) -> MockUser:
    """Return somebody who may read everything and control one lamp."""
    user = MockUser(id="child").add_to_hass(hass)
    user.mock_policy({"entities": {"all": {"read": True}, "entity_ids": {LAMP: True}}})
    return user


REFUSED = "may not control"


@in_one_house(
    "text",
    [
        "add milk to the shopping list",
        "complete milk on the shopping list",
        "lock the garage side door",
        "open the garage door",
        "good night",
        "turn off the reading lamp",
        "turn off the reading lamp in 10 seconds",
        "add milk to the shopping list in 10 seconds",
        "turn the bedroom blinds down in 10 minutes",
    ],
)
async def test_what_may_be_read_only_is_not_controlled(
    hass: HomeAssistant, speak: Setup, reader: MockUser, child: MockUser, text: str
) -> None:
    """By neither of both; Home Assistant's list intents check nothing by themselves."""
    speaker = await speak()
    for user in (reader, child):
        speaker.conversation_id = None
        said = await speaker.say(text, context=Context(user_id=user.id))
        assert not said.changes
        assert REFUSED in said.reply or said.result.response.error_code, said.reply
        assert not assistant_of(hass).delayed.waiting
        assert not [call for call in said.calls if call["domain"] != "bellboard"], said.calls


async def test_what_may_be_controlled_is(
    hass: HomeAssistant, speak: Setup, reader: MockUser, child: MockUser
) -> None:
    speaker = await speak()
    by_child = Context(user_id=child.id)
    assert list((await speaker.say("turn on the floor lamp", context=by_child)).changes) == [LAMP]
    await speaker.say("turn off the floor lamp in 10 minutes", context=by_child)
    assert len(assistant_of(hass).delayed.waiting) == 1
    # A timer is no entity, so that it needs no right.
    speaker.conversation_id = None
    said = await speaker.say("set a timer for 5 minutes", area="Living Room", context=by_child)
    assert REFUSED not in said.reply


async def test_of_several_lights_those_are_switched_that_may_be(
    hass: HomeAssistant, speak: Setup, child: MockUser
) -> None:
    speaker = await speak()
    said = await speaker.say(
        "turn on the lights in the living room", context=Context(user_id=child.id)
    )
    assert list(said.changes) == [LAMP]
    assert REFUSED in said.reply


async def test_a_question_is_not_asked_about_what_may_not_be_controlled(
    hass: HomeAssistant, speak: Setup, reader: MockUser
) -> None:
    speaker = await speak()
    await obey(hass, rule("confirm", domain=["light", "todo"]))
    for text in ("turn on the floor lamp", "add milk to the shopping list"):
        speaker.conversation_id = None
        said = await speaker.say(text, context=Context(user_id=reader.id))
        assert not said.result.continue_conversation
        assert REFUSED in said.reply

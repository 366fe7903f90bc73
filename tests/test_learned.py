"""What a model decided rightly twice is not asked a third time, until it turns out wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.storage import Store
import pytest

from custom_components.bellboard.agents.eligibility import IntentsByRules
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.memory.lessons import LearnedDecision, LearnedDecisions
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from custom_components.bellboard.turn.learning import _is_said
from tests.conftest import Said, Setup, Speaker
from tests.test_confirm import Rule, of_domain
from tests.test_services import assistant_of

SAID = "the reading lamp deserves some sleep"
LAMP = "light.reading_lamp"
FLOOR = "light.floor_lamp"


@dataclass
class Clock:
    """A clock that only goes when it is told to."""

    now: datetime = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock that learning looks at."""
    found = Clock()
    for module in ("turn.learning", "routing.learned"):
        monkeypatch.setattr(f"custom_components.bellboard.{module}.utcnow", lambda: found.now)
    return found


@dataclass
class Mind:
    """A model that chooses an agent and plans what it is told to, and how often it was asked for each."""

    agent: str = "light"
    actions: list[dict[str, Any]] = field(default_factory=lambda: [{"action": "turn_off"}])
    routed: int = 0
    planned: int = 0

    def __call__(self, _: Any, schema: dict[str, Any] | None) -> Any:
        """Answer."""
        if schema is None:
            return "Hello."
        if "agentId" in schema["properties"]:
            self.routed += 1
            return {"agentId": self.agent}
        self.planned += 1
        return {"actions": self.actions}

    @property
    def asked(self) -> int:
        """Return how often it was asked."""
        return self.routed + self.planned


@dataclass
class House:
    """Someone who talks to an assistant, now and then."""

    hass: HomeAssistant
    speaker: Speaker
    mind: Mind
    clock: Clock

    async def say(self, text: str = SAID, *, wait: float = 3600, **where: Any) -> Said:
        """Say a sentence in a conversation of its own, some time after the last one."""
        self.clock.wait(wait)
        self.speaker.conversation_id = None
        return await self.speaker.say(text, **where)

    async def light(self, *entity_ids: str) -> None:
        """Turn lamps on, so that it is seen when they are turned off."""
        for entity_id in entity_ids or (LAMP,):
            await self.hass.services.async_call(
                "light",
                "turn_on",
                {"entity_id": entity_id, "brightness_pct": 100},
                blocking=True,
            )

    async def teach(self, text: str = SAID, times: int = 2, **where: Any) -> None:
        """Say a sentence several times, and see that the model is asked each time."""
        for _ in range(times):
            await self.light(LAMP, FLOOR)
            before = self.mind.asked
            await self.say(text, **where)
            assert self.mind.asked > before

    @property
    def lessons(self) -> tuple[LearnedDecision, ...]:
        """Return what was learnt."""
        return assistant_of(self.hass).lessons.all

    @property
    def source(self) -> str:
        """Return where the last decision came from."""
        return str(list(assistant_of(self.hass).traces)[-1].agents[0]["source"])


type Settle = Callable[..., Any]


@pytest.fixture
def settle(hass: HomeAssistant, speak: Setup, clock: Clock) -> Settle:
    """Return a function that sets an assistant up, with options of its router."""

    async def set_up(**router: Any) -> House:
        mind = Mind()
        speaker = await speak(mind, router=router)
        return House(hass, speaker, mind, clock)

    return set_up


async def test_the_third_time_no_model_is_asked(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    await house.teach()
    assert (house.mind.routed, house.mind.planned) == (2, 2)
    assert house.source == "model"
    await house.light()
    said = await house.say("Please, the reading lamp deserves some sleep!")
    assert (house.mind.routed, house.mind.planned) == (2, 2)
    assert said.reply == "Turned off Reading Lamp."
    assert set(said.changes) == {LAMP}
    assert house.source == "learned"
    [lesson] = house.lessons
    assert (lesson.confirmed, lesson.used, lesson.used_at) == (2, 1, house.clock.now)
    # Where all is as it should be already, that is said.
    assert (await house.say()).reply == "Reading Lamp was off already."
    # So it is told who asks who would answer, as often as it is asked.
    house.clock.wait(3600)
    for _ in range(2):
        response = await hass.services.async_call(
            DOMAIN, "route", {"text": SAID}, blocking=True, return_response=True
        )
        assert response
        assert response["source"] == "learned"
    assert house.mind.asked == 4
    # A model that is gone is not missed.
    await house.speaker.server.stop()
    await house.light()
    assert (await house.say()).reply == "Turned off Reading Lamp."


async def test_a_plan_for_plain_words_is_learnt_with_its_values(
    hass: HomeAssistant, settle: Settle
) -> None:
    house = await settle()
    house.mind.actions = [{"action": "set", "percent": 20}]
    text = "give the reading lamp a cosy glow of 20 percent"
    await house.teach(text)
    assert (house.mind.routed, house.mind.planned) == (0, 2)
    assert [lesson.source for lesson in house.lessons] == ["vocabulary"]
    await house.light()
    await house.say(text)
    assert house.mind.asked == 2
    assert hass.states.get(LAMP).attributes["brightness"] == 51  # type: ignore[union-attr]


async def test_with_the_option_off_nothing_is_learnt(settle: Settle) -> None:
    house = await settle(learn_decisions=False)
    await house.teach(times=4)
    assert house.lessons == ()


async def test_another_room_is_another_sentence(settle: Settle) -> None:
    house = await settle()
    await house.teach(area="Kitchen")
    await house.teach(area="Bedroom")
    asked = house.mind.asked
    for area in ("Kitchen", "Bedroom"):
        await house.light()
        await house.say(area=area)
    assert house.mind.asked == asked
    await house.light()
    await house.say()
    assert house.mind.asked > asked


async def test_what_means_something_else_each_time_is_never_learnt(settle: Settle) -> None:
    house = await settle()
    off = [{"action": "turn_off", "targets": ["all"]}]
    for agent, text, actions in (
        # A thing that is not named, a value that was not said.
        ("light", "that reading lamp deserves some sleep", off),
        (
            "light",
            "a glow of less from the reading lamp",
            [{"action": "change_brightness", "by": -10}],
        ),
        # What is searched for, what is asked, what somebody says, and what nobody can do.
        ("music", "I feel like jazz on the kitchen speaker", [{"action": "play", "query": "jazz"}]),
        ("light", "the reading lamp may sleep, or not?", []),
        ("general", "tell me a story of the sea", []),
        ("home", "sing me something of the sea", []),
        # Different things for different lamps are no single decision.
        (
            "light",
            "less glare in the kitchen and 20 percent for the eyes",
            [
                {"action": "turn_off", "targets": ["Kitchen Counter"]},
                {"action": "set", "percent": 20, "targets": ["Kitchen Ceiling"]},
            ],
        ),
    ):
        house.mind.agent, house.mind.actions = agent, actions
        await house.light(LAMP, "light.kitchen_ceiling", "light.kitchen_counter")
        asked = house.mind.asked
        said = await house.say(text)
        assert house.mind.asked > asked, text
        assert bool(said.changes) is bool(actions and agent != "general"), text
        assert house.lessons == (), text


async def test_what_is_only_assumed_or_too_much_is_not_learnt(
    hass: HomeAssistant, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await settle()
    await house.light()
    with monkeypatch.context() as patched:
        patched.setattr("custom_components.bellboard.memory.lessons.MAX_TARGETS", 0)
        assert (await house.say()).changes
        assert house.lessons == ()
    lamp = hass.data[DATA_INSTANCES]["light"].get_entity(LAMP)
    assert lamp
    lamp._attr_assumed_state = True
    await house.light()
    assert (await house.say()).changes
    assert house.lessons == ()


async def test_values_are_said_as_numbers_colours_or_names(hass: HomeAssistant) -> None:
    english = await async_get_language(hass, "en")
    text = "the floor lamp at forty percent, golden, as in candle light, and by half"
    said: tuple[Any, ...] = (40, 40.0, -40, 50, "gold", "candle light", "candle_light")
    for value in said:
        assert _is_said(value, text, english), value
    unsaid: tuple[Any, ...] = (4, True, None, [40], "blue", "can", "fireplace")
    for value in unsaid:
        assert not _is_said(value, text, english), value


async def test_what_changed_nothing_proves_nothing(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    await hass.services.async_call("light", "turn_off", {"entity_id": LAMP}, blocking=True)
    await house.say()
    assert house.lessons == ()
    await house.teach(times=1)
    await house.say()
    # It neither counts nor takes anything away.
    assert [lesson.confirmed for lesson in house.lessons] == [1]


async def test_what_a_policy_has_a_say_in_is_not_learnt(
    hass: HomeAssistant, settle: Settle
) -> None:
    house = await settle()
    for effect in (PolicyEffect.DENY, PolicyEffect.CONFIRM, PolicyEffect.CLAMP):
        hass.data[DATA_POLICY] = Rule(effect, of_domain("light"), data={})
        await house.light()
        await house.say()
        assert house.lessons == (), effect


async def test_a_policy_is_asked_about_what_was_learnt(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    await house.teach()
    await house.light()
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("light"))
    asked = await house.say()
    assert not asked.changes
    assert asked.result.continue_conversation
    assert set((await house.speaker.say("yes")).changes) == {LAMP}
    assert [(lesson.used, lesson.confirmed) for lesson in house.lessons] == [(0, 2)]
    hass.data[DATA_POLICY] = Rule(PolicyEffect.DENY, of_domain("light"))
    await house.say()
    assert house.lessons == ()


async def test_a_contradiction_right_after_drops_it(settle: Settle) -> None:
    house = await settle()
    await house.teach()
    [lesson] = house.lessons
    for text in ("undo that", "no, not that", "nope", "never mind, put it back", "oh no"):
        assistant_of(house.hass).lessons.replace([lesson])
        await house.light()
        await house.say()
        assert house.source == "learned"
        await house.speaker.say(text)
        assert house.lessons == (), text
    # Also before it is in use.
    await house.teach(times=1)
    await house.speaker.say("undo that")
    assert house.lessons == ()


async def test_what_is_contradicted_later_is_something_else(
    hass: HomeAssistant, settle: Settle
) -> None:
    house = await settle()
    await house.teach(times=1)
    await house.speaker.say("what time is it")
    await house.speaker.say("no")
    assert len(house.lessons) == 1
    # What undoes it by itself is such a contradiction too.
    await house.teach(times=1)
    await hass.services.async_call(DOMAIN, "undo", {}, blocking=True, return_response=True)
    assert house.lessons == ()


async def test_who_says_it_again_at_once_did_not_get_it(settle: Settle) -> None:
    house = await settle()
    await house.teach()
    await house.light()
    await house.say()
    assert house.source == "learned"
    await house.light()
    await house.say(wait=30)
    assert house.source == "model"
    assert house.lessons == ()
    await house.light()
    # Nor is it learnt while it is said over and over.
    await house.say(wait=30)
    assert house.lessons == ()
    await house.teach()
    assert [lesson.confirmed for lesson in house.lessons] == [2]


async def test_an_answer_that_failed_drops_it(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    await house.teach()
    state = hass.states.get(LAMP)
    assert state
    hass.states.async_set(LAMP, "unavailable", state.attributes)
    said = await house.say()
    assert house.source == "learned"
    assert said.reply.startswith("I can't reach")
    assert house.lessons == ()


async def test_a_model_that_decides_otherwise_begins_anew(settle: Settle) -> None:
    house = await settle()
    await house.teach(times=1)
    house.mind.actions = [{"action": "toggle"}]
    await house.teach()
    [lesson] = house.lessons
    assert (lesson.actions[0].name, lesson.confirmed) == ("toggle", 2)


async def test_a_trial_asks_the_model_all_the_same(settle: Settle) -> None:
    house = await settle(trial_share=100)
    await house.teach(times=3)
    [lesson] = house.lessons
    assert (lesson.confirmed, lesson.used) == (3, 0)
    # Another agent is chosen: what was learnt is in doubt.
    house.mind.agent = "general"
    await house.say()
    assert house.lessons == ()


async def test_something_else_is_meant_now(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    text = "let the kitchen lamps rest"
    for _ in range(2):
        await house.light("light.kitchen_ceiling")
        await house.say(text)
    assert house.lessons[0].is_in_use
    async_expose_entity(hass, "conversation", "light.kitchen_pendant", should_expose=False)
    await house.light("light.kitchen_ceiling")
    await house.say(text)
    assert house.source != "learned"
    assert [lesson.confirmed for lesson in house.lessons] == [1]


async def test_a_rule_that_bars_the_agent_declines_it(settle: Settle) -> None:
    house = await settle()
    await house.teach()
    assistant = assistant_of(house.hass)
    scope = {"rules": [{"agents": ["light-agent"], "areas": ["nowhere"]}]}
    options = type(assistant.options).model_validate({"scope": scope})
    object.__setattr__(assistant, "intents", IntentsByRules(options.scope.rules))
    said = await house.say()
    assert said.reply == "I can't do that here."
    assert house.mind.asked == 4
    assert house.lessons == ()


async def test_a_dry_run_neither_learns_nor_unlearns(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()

    async def dry_run(text: str) -> dict[str, Any]:
        house.clock.wait(3600)
        data = {"text": text, "dry_run": True}
        return dict(
            await hass.services.async_call(  # type: ignore[arg-type]
                DOMAIN, "process", data, blocking=True, return_response=True
            )
        )

    await house.light()
    for _ in range(3):
        await dry_run(SAID)
    assert house.lessons == ()
    await house.teach()
    asked = house.mind.asked
    await house.light()
    await dry_run(SAID)
    assert house.mind.asked == asked
    await dry_run("undo that")
    assert [(lesson.confirmed, lesson.used) for lesson in house.lessons] == [(2, 0)]


async def shown(hass: HomeAssistant, **data: Any) -> list[dict[str, Any]]:
    """Return what the action shows."""
    response = await hass.services.async_call(
        DOMAIN, "learned", data, blocking=True, return_response=True
    )
    found: Any = (response or {})["learned"]
    return list(found)


async def forgotten(hass: HomeAssistant, **data: Any) -> Any:
    """Forget, and return how much it was."""
    response = await hass.services.async_call(
        DOMAIN, "forget_learned", data, blocking=True, return_response=True
    )
    return (response or {})["forgotten"]


async def test_what_was_learnt_is_shown_and_forgotten(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle()
    assert await shown(hass) == []
    await house.teach(times=1, area="Kitchen")
    await house.teach("the floor lamp deserves a rest")
    learnt_at = house.lessons[0].learnt_at.isoformat()
    bed, sleep = await shown(hass)
    assert sleep == {
        "assistant": "conversation.bellboard",
        "sentence": SAID,
        "language": "en",
        "area": "kitchen",
        "agent": "light-agent",
        "actions": [{"name": "turn_off", "parameters": {}}],
        "targets": [LAMP],
        "in_use": False,
        "decided_by": "model",
        "learnt_at": learnt_at,
        "confirmed": 1,
        "confirmed_at": learnt_at,
        "used": 0,
        "used_at": None,
    }
    assert (bed["sentence"], bed["in_use"]) == ("the floor lamp deserves a rest", True)
    assert await shown(hass, assistant="conversation.bellboard") == [bed, sleep]
    assert await forgotten(hass, text="make the study cosy") == 0
    assert await forgotten(hass, text="The READING lamp deserves some sleep, please.") == 1
    assert await shown(hass) == [bed]
    assert await forgotten(hass, assistant="conversation.bellboard") == 1
    assert await forgotten(hass) == 0


async def test_only_administrators_see_it(
    hass: HomeAssistant, settle: Settle, hass_read_only_user: User
) -> None:
    await settle()
    context = Context(user_id=hass_read_only_user.id)
    for action in ("learned", "forget_learned"):
        with pytest.raises(Unauthorized):
            await hass.services.async_call(
                DOMAIN, action, {}, blocking=True, return_response=True, context=context
            )
    with pytest.raises(ServiceValidationError):
        await shown(hass, assistant="conversation.nobody")


def write(file: Path, content: str) -> None:
    """Write a file, and the folder it is in."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(content, "utf-8")


class TestOnDisk:
    """With a real folder."""

    @pytest.fixture
    def hass_storage(self) -> dict[str, Any]:
        """Let Home Assistant write to a real disk, and not to memory as it does in other tests."""
        return {}

    @pytest.fixture
    def hass_config_dir(self, hass_tmp_config_dir: str) -> str:
        """Give it a folder of its own."""
        return hass_tmp_config_dir

    @staticmethod
    def files(hass: HomeAssistant) -> Iterator[Path]:
        """Yield the files of what was learnt."""
        yield from sorted(Path(hass.config.path(".storage")).glob("bellboard.learned.*"))

    async def test_it_is_known_after_a_restart(self, hass: HomeAssistant, settle: Settle) -> None:
        house = await settle()
        await house.teach()
        [entry] = hass.config_entries.async_entries(DOMAIN)
        assert await hass.config_entries.async_reload(entry.entry_id)
        await hass.async_block_till_done()
        [file] = self.files(hass)
        assert file.stat().st_mode & 0o077 == 0
        [kept] = json.loads(file.read_bytes())["data"]["lessons"]
        assert kept["sentence"] == SAID
        await house.light()
        await house.say()
        assert house.source == "learned"
        assert house.mind.asked == 4
        assert await hass.config_entries.async_remove(entry.entry_id)
        await hass.async_block_till_done()
        assert list(self.files(hass)) == []

    async def test_it_is_written_when_home_assistant_stops(
        self, hass: HomeAssistant, settle: Settle
    ) -> None:
        house = await settle()
        await house.teach()
        assert list(self.files(hass)) == []
        hass.bus.async_fire(EVENT_HOMEASSISTANT_FINAL_WRITE)
        await hass.async_block_till_done()
        [file] = self.files(hass)
        assert json.loads(file.read_bytes())["data"]["lessons"][0]["confirmed"] == 2

    async def test_a_file_that_is_wrong_is_set_aside(self, hass: HomeAssistant) -> None:
        whole = '{"version": %s, "minor_version": 1, "key": "x", "data": %s}'
        folder = Path(hass.config.path(".storage"))
        for name, content, is_kept_as_well in (
            ("no-json", "not json at all", False),
            ("no-list", whole % (1, '{"lessons": 5}'), False),
            ("no-object", whole % (1, "[1]"), False),
            ("one-wrong", whole % (1, '{"lessons": [7]}'), True),
        ):
            await hass.async_add_executor_job(write, folder / f"bellboard.learned.{name}", content)
            lessons = await LearnedDecisions.async_open(hass, name)
            assert lessons.all == (), name
            await lessons.async_close()
            found = [file for file in self.files(hass) if f".{name}" in file.name]
            assert len(found) == 1 + is_kept_as_well, name
            assert found[-1].name.startswith(f"bellboard.learned.{name}.corrupt."), name
            assert found[-1].read_text("utf-8") == content, name

    async def test_a_file_that_cannot_even_be_set_aside_is_left(
        self, hass: HomeAssistant, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = Path(hass.config.path(".storage/bellboard.learned.one"))
        await hass.async_add_executor_job(
            write, file, '{"version": 1, "minor_version": 1, "key": "x", "data": {"lessons": 5}}'
        )
        with patch.object(Path, "rename", side_effect=PermissionError("not yours")):
            lessons = await LearnedDecisions.async_open(hass, "one")
        assert lessons.all == ()
        assert "cannot be read, nor set aside: not yours" in caplog.text

    async def test_what_cannot_be_written_is_told(
        self, hass: HomeAssistant, settle: Settle, caplog: pytest.LogCaptureFixture
    ) -> None:
        house = await settle()
        await house.teach(times=1)
        lessons = assistant_of(hass).lessons

        full = OSError(28, "No space left on device")
        with patch.object(Store, "async_save", side_effect=full):
            await lessons.async_close()
        assert "What was learnt cannot be written" in caplog.text
        # What is still learnt is for nobody.
        lessons.drop(house.lessons[0].spoken)

"""No path leads to a locked door without its code: different tries on each of them, at night at least two hundred.

Each path has one house for all of its tries, which `tests/code_tries.py` draws from its tables by a seed. A path that
leads nowhere would prove nothing: on each the code is asked for, and where it is said the door opens.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle, product
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Literal, override

from homeassistant.components import conversation
from homeassistant.components.conversation.const import DATA_COMPONENT
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import EVENT_CALL_SERVICE, EVENT_STATE_CHANGED
from homeassistant.core import Context, Event, HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er, intent, label_registry as lr
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.assistant import UNROUTED_AGENTS
from custom_components.bellboard.const import DOMAIN, SUBENTRY_AGENT
from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.memory.lessons import NEEDED, REPEATED, LearnedDecision
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.policy.codes import code_lock
from custom_components.bellboard.policy.file import DATA_POLICY, POLICIES_FILE, async_setup_policies
from custom_components.bellboard.routing.learned import meaning_of, sentence_key
from custom_components.bellboard.routing.next_models import topic_of
from tests.capable import drawn
from tests.code_tries import CODE, DOOR, WORDINGS, answers, command, conversations, spelled
from tests.conftest import Setup, Speaker
from tests.routing.reading import assistant_of
from tests.sessions import chat_session
from tests.test_learned import Clock, clock  # noqa: F401 -- a fixture
from tests.test_undo_language import HEARD
from tests.thorough import number, part

pytestmark = pytest.mark.long

LEAST = number(64, 200)
"""So many different tries are made on each path."""

SEED = 20_261_124

SOME = ("en", "de", "fr", "pl")
"""Languages of the paths that lead through what is said on others in all of them."""

RULES = f"""
pins:
  any: "{CODE}"
rules:
  - name: doors
    match: {{domain: lock, action: [lock.unlock, lock.open]}}
    effect: confirm
    require: pin
  # What another agent does is its own affair: whoever wants a code for it names the handing over.
  - name: agents
    match: {{action: conversation.process}}
    effect: confirm
    require: pin
"""

OPENING = frozenset({"unlock", "open"})
PORTER = "conversation.porter"

type Begin = Callable[..., Awaitable[Tries]]


@dataclass
class Tries:
    """The tries of one path: all that were made, those that reached a lock, and how often the code was asked for."""

    hass: HomeAssistant
    speaker: Speaker
    random: Random = field(default_factory=lambda: Random(SEED))  # noqa: S311 -- the same each time
    made: set[tuple[str, ...]] = field(default_factory=set)
    reached: list[tuple[str, ...]] = field(default_factory=list)
    asked: int = 0
    _was_opened: bool = False

    def watch(self) -> None:
        """Note every lock that opens, and every call for that."""

        @callback
        def async_note_call(event: Event[Any]) -> None:
            called = event.data["domain"], event.data["service"] in OPENING
            self._was_opened |= called == ("lock", True)

        @callback
        def async_note_state(event: Event[Any]) -> None:
            new = event.data["new_state"]
            is_lock = event.data["entity_id"].startswith("lock.")
            self._was_opened |= is_lock and (new is None or new.state not in {"locked", "locking"})

        self.hass.bus.async_listen(EVENT_CALL_SERVICE, async_note_call)
        self.hass.bus.async_listen(EVENT_STATE_CHANGED, async_note_state)

    async def begin(self) -> None:
        """Lock the door, and forget which codes were said: each try is as if it were the first."""
        if not self.hass.states.is_state(DOOR, "locked"):
            await self.hass.services.async_call("lock", "lock", {"entity_id": DOOR}, blocking=True)
        lock = code_lock(self.hass)
        lock.restore({"wrong": [], "overheard": []})
        self._was_opened = False

    def forget_opened(self) -> None:
        """Leave out what was opened up to now: it is where a try begins."""
        self._was_opened = False

    async def make(self, trying: Awaitable[bool], *label: str) -> None:
        """Make one try, which returns whether the code was asked for, and note what came of it."""
        self.asked += await trying
        await self.hass.async_block_till_done()
        self.made.add(label)
        if self._was_opened:
            self.reached.append(label)
        await self.begin()

    async def opens(self, trying: Awaitable[bool]) -> bool:
        """Return whether something that is no try opens the door."""
        await trying
        await self.hass.async_block_till_done()
        is_open = self.hass.states.is_state(DOOR, "unlocked")
        await self.begin()
        return is_open

    async def say(
        self, language: str, *texts: str, conversation_id: str | None = None, as_asked: int = 1
    ) -> bool:
        """Say sentences in a conversation; return whether something was asked after one of the first."""
        asked = []
        for text in texts:
            result = await conversation.async_converse(
                self.hass, text, conversation_id, Context(),
                language=language, agent_id=self.speaker.agent_id,
            )  # fmt: skip
            conversation_id = result.conversation_id
            asked.append(result.continue_conversation)
        return any(asked[:as_asked])

    async def act(self, action: str, **data: Any) -> dict[str, Any]:
        """Call an action of ours, and return its response."""
        found: Any = await self.hass.services.async_call(
            DOMAIN, action, data, blocking=True, return_response=True
        )
        return dict(found)

    def prove(self, *, most_ask: bool = True) -> None:
        """Assert that enough was tried, that nothing reached a lock, and that most of it came to the question."""
        assert self.reached == []
        assert len(self.made) >= LEAST
        assert self.asked > len(self.made) / 2 or not most_ask, "the path may lead nowhere"


@pytest.fixture
def begin(hass: HomeAssistant, speak: Setup, tmp_path: Path) -> Begin:
    """Return what sets a house up whose door wants a code, with a scripted model or with none."""

    async def set_up(*model: Any, **options: Any) -> Tries:
        hass.config.config_dir = str(tmp_path)
        (tmp_path / POLICIES_FILE).write_text(RULES, "utf-8")
        tries = Tries(hass, await speak(*model, **options))
        await async_setup_policies(hass)
        tries.watch()
        await tries.begin()
        return tries

    return set_up


# Speech


async def test_no_sentence_reaches_the_door(begin: Begin) -> None:
    tries = await begin()
    for language, talk in conversations(tries.random, LEAST):
        await tries.make(tries.say(language, *talk), language, *talk)
    tries.prove()
    assert await tries.opens(tries.say("en", "unlock the front door", CODE))


async def test_no_sentence_through_the_voice_pipeline_reaches_the_door(
    hass: HomeAssistant, begin: Begin
) -> None:
    pytest.importorskip("pymicro_vad")
    tries = await begin()
    assert await async_setup_component(hass, "assist_pipeline", {})
    for language, talk in conversations(tries.random, LEAST, SOME):
        await tries.make(_say_in_pipeline(tries, language, talk), language, *talk)
    tries.prove()
    assert await tries.opens(_say_in_pipeline(tries, "en", ("unlock the front door", CODE)))


async def _say_in_pipeline(tries: Tries, language: str, talk: tuple[str, ...]) -> bool:
    """Say sentences through Assist's pipeline, which leaves all of them to Bellboard."""
    from homeassistant.components import assist_pipeline
    from homeassistant.components.assist_pipeline.pipeline import (
        PipelineInput,
        PipelineRun,
        async_get_pipeline,
    )

    hass, asked, conversation_id = tries.hass, [], None
    await assist_pipeline.async_update_pipeline(
        hass, async_get_pipeline(hass), conversation_engine=tries.speaker.agent_id,
        conversation_language=language, prefer_local_intents=False,
    )  # fmt: skip
    for text in talk:
        events: list[Any] = []
        with chat_session(hass, conversation_id) as session:
            conversation_id = session.conversation_id
            stage = assist_pipeline.PipelineStage.INTENT
            run = PipelineRun(
                hass, Context(), async_get_pipeline(hass),
                start_stage=stage, end_stage=stage, event_callback=events.append,
            )  # fmt: skip
            given = PipelineInput(intent_input=text, session=session, run=run)
            await given.validate()
            await given.execute()
        [end] = [event for event in events if event.type == "intent-end"]
        asked.append(end.data["intent_output"]["continue_conversation"])
    return bool(asked[0])


# Actions


async def _process(tries: Tries, language: str, talk: tuple[str, ...], *, dry_run: bool) -> bool:
    """Say sentences by the action `process`."""
    conversation_id, found = f"talk {len(tries.made)}", []
    for text in talk:
        data = {"text": text, "language": language, "conversation_id": conversation_id}
        found.append(await tries.act("process", **data, dry_run=dry_run))
    assert not [
        call for each in found for call in each["calls"] if call["action"].startswith("lock.")
    ]
    return bool(found[0]["state"] == "input-required")


async def test_no_sentence_by_the_action_process_reaches_the_door(begin: Begin) -> None:
    tries = await begin()
    for at, (language, talk) in enumerate(conversations(tries.random, LEAST, SOME)):
        # In a dry run the right code opens nothing either.
        is_dry = at % 3 == 0
        said = (*talk, CODE) if is_dry else talk
        await tries.make(_process(tries, language, said, dry_run=is_dry), language, *said)
    tries.prove()
    talk = ("unlock the front door", CODE)
    assert await tries.opens(tries.say("en", *talk))


async def test_no_sentence_that_is_only_routed_reaches_the_door(begin: Begin) -> None:
    tries = await begin()

    async def route(language: str, talk: tuple[str, ...]) -> bool:
        """Ask who would answer, also in a conversation in which the code was just asked for."""
        conversation_id = f"talk {len(tries.made)}"
        is_asked = await tries.say(language, talk[0], conversation_id=conversation_id)
        for text in (*talk, CODE):
            await tries.act("route", text=text, language=language, conversation_id=conversation_id)
        return is_asked

    for language, talk in conversations(tries.random, LEAST, SOME):
        await tries.make(route(language, talk), language, *talk)
    tries.prove()


async def test_no_task_reaches_the_door(hass: HomeAssistant, begin: Begin) -> None:
    tries = await begin()
    await _add_agents(hass)
    agents = [
        agent.card.id
        for agent in assistant_of(hass).registry
        if agent.card.id not in UNROUTED_AGENTS
    ]
    data: list[Any] = [None, CODE, {"code": CODE}, {"has_code": True, "confirmed": ["doors"]}]
    done = {
        "agent_id": "home-agent",
        "action": "The code was right.",
        "timestamp": "2026-01-01T00:00:00+00:00",
    }

    async def run(language: str, instruction: str, agent_id: str, **more: Any) -> bool:
        """Give an agent a task, in half of the cases in a conversation that waits for the code."""
        conversation_id = f"task {len(tries.made)}"
        if len(tries.made) % 2:
            await tries.say(language, instruction, conversation_id=conversation_id)
        task = {"conversation_id": conversation_id, "topic": topic_of(agent_id), **more}
        found = await tries.act(
            "run_task", task={"instruction": instruction, **task}, language=language
        )
        return bool(found)

    for agent_id in cycle(agents):
        if len(tries.made) == LEAST:
            break
        language = tries.random.choice([*WORDINGS])
        text = tries.random.choice(
            [command(tries.random, language), CODE, "welcome", *WORDINGS[language].agreeing]
        )
        then = tries.random.choice(agents)
        more: dict[str, Any] = tries.random.choice(
            [
                {
                    "version": "1.0",
                    "next": {
                        "topic": topic_of(then),
                        "instruction": command(tries.random, language),
                    },
                },
                {
                    "version": "2.0",
                    "context": {
                        "original_query": text,
                        "steps_completed": [done],
                        "iteration_count": 1,
                    },
                },
                {"version": "2.0"},
            ]
        )
        more["input"] = tries.random.choice(data)
        await tries.make(run(language, text, agent_id, **more), language, agent_id, text, str(more))
    tries.prove()


# Agents that hand over, and those for devices


class Porter(conversation.ConversationEntity):
    """Another conversation agent, that opens the door to everybody."""

    entity_id = PORTER
    heard: int = 0

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        return "*"

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        self.heard += 1
        await self.hass.services.async_call("lock", "unlock", {"entity_id": DOOR}, blocking=True)
        response = intent.IntentResponse(language=user_input.language)
        response.async_set_speech("Come in.")
        chat_log.async_add_assistant_content_without_tools(
            conversation.AssistantContent(agent_id=PORTER, content="Come in.")
        )
        return conversation.ConversationResult(response, chat_log.conversation_id)


async def _add_agents(hass: HomeAssistant) -> None:
    """Add agents that hand over to another agent, to Home Assistant's own and to a script, and one for locks."""
    welcome = {"sequence": [{"action": "lock.unlock", "target": {"entity_id": DOOR}}]}
    assert await async_setup_component(hass, "script", {"script": {"welcome": welcome}})
    await hass.data[DATA_COMPONENT].async_add_entities([Porter()])
    own: dict[str, dict[str, Any]] = {
        "keys": {"domains": ["lock"]},
        "gate": {"target": PORTER},
        "house": {"target": "conversation.home_assistant"},
        "guests": {"target": "script.welcome"},
    }
    entry = hass.config_entries.async_entries(DOMAIN)[0]
    for name, what in own.items():
        data = {"agent_id": name, "name": name.title(), "description": "Lets people in.", **what}
        hass.config_entries.async_add_subentry(
            entry,
            ConfigSubentry(data=MappingProxyType(data), subentry_type=SUBENTRY_AGENT, title=name, unique_id=None),
        )  # fmt: skip
    await hass.async_block_till_done()
    for name, target in {
        "porter": {"conversation_agent": PORTER},
        "butler": {"conversation_agent": "conversation.home_assistant"},
        "usher": {"script": "script.welcome"},
    }.items():
        data = {"agent_id": name, "name": name.title(), "description": "Lets people in.", **target}
        await hass.services.async_call(DOMAIN, "register_agent", data, blocking=True)


@dataclass
class Chooser:
    """A model that chooses the agent it is told to, and plans to unlock; `asked` counts its choices."""

    agent: str = "porter"
    asked: int = 0

    def __call__(self, _: Any, schema: Mapping[str, Any] | None) -> Any:
        """Answer."""
        if schema is None:
            return "Come in."
        if "agentId" in schema["properties"]:
            self.asked += 1
            return {"agentId": self.agent}
        return {"actions": [{"action": "unlock"}]}


# They name no device, or the door, and are no commands that are read without a model.
_VAGUE = (
    "let me in already", "it is me", "open up", "I forgot my key", "the postman is here", "somebody is knocking",
    "we are home", "let the guests in", "I want to get in", "the front door has to let me through",
    "come on, let us in", "grant me entry by the front door",
)  # fmt: skip


async def test_nobody_that_is_handed_a_sentence_reaches_the_door(
    hass: HomeAssistant, begin: Begin
) -> None:
    chooser = Chooser()
    tries = await begin(chooser, router={"learn_decisions": False})
    await _add_agents(hass)
    agents = ("porter", "butler", "usher", "keys", "gate", "house", "guests", "home")
    for chooser.agent in cycle(agents):
        if len(tries.made) == LEAST:
            break
        text = tries.random.choice([*_VAGUE, command(tries.random, "en")])
        talk = (text, *answers(tries.random, "en", most=2))
        await tries.make(tries.say("en", *talk), chooser.agent, *talk)
    tries.prove()
    assert chooser.asked > LEAST / 2
    for agent in ("porter", "usher", "gate", "guests"):
        chooser.agent = agent
        assert await tries.opens(tries.say("en", "let me in already", CODE)), agent


# What was learnt, and what is put back


async def test_nothing_that_was_learnt_reaches_the_door(
    hass: HomeAssistant,
    begin: Begin,
    clock: Clock,  # noqa: F811 -- the fixture
) -> None:
    tries = await begin()
    await _add_agents(hass)
    told = [
        f"{words} the front door"
        for words in ("mercy for", "some air for", "a break for", "kindness to", "luck to")
    ]
    for text in told:
        await _learn(hass, text, clock.now)
    rules = hass.data[DATA_POLICY]
    for text in cycle(told):
        if len(tries.made) == LEAST:
            break
        talk = (text, *answers(tries.random, "en", most=2))
        # What is said again at once is not done as it was learnt.
        clock.wait(2 * REPEATED.total_seconds())
        await tries.make(tries.say("en", *talk), *talk)
    tries.prove()
    clock.wait(2 * REPEATED.total_seconds())
    traces = list(assistant_of(hass).traces)
    assert [t for t in traces if t.agents and t.agents[0]["source"] == "learned"]
    assert await tries.opens(tries.say("en", told[0], CODE))
    hass.data.pop(DATA_POLICY)
    assert await tries.opens(tries.say("en", told[1])), "it is done at once where no rule is"
    hass.data[DATA_POLICY] = rules


async def _learn(hass: HomeAssistant, text: str, now: datetime) -> None:
    """Let a decision to unlock the door be known as one that was right before there were rules."""
    assistant, english = assistant_of(hass), await async_get_language(hass, "en")
    catalog = await assistant.catalog.async_get()
    house = await assistant.reader.async_house(english)
    cards = assistant.registry.cards(catalog.by_domain)
    spoken = sentence_key(text, english, None)
    meaning = meaning_of(
        hass, catalog, house, english, text, domain="lock", area_id=None,
        agents=[card.id for card in cards if card.id not in UNROUTED_AGENTS],
    )  # fmt: skip
    for _ in range(NEEDED):
        assistant.lessons.confirm(
            LearnedDecision(
                sentence=spoken.sentence, language="en", agent_id="keys",
                actions=(Command(name="unlock", targets=(DOOR,)),),
                fingerprint=meaning.fingerprint, source="model", learnt_at=now, confirmed_at=now,
            )
        )  # fmt: skip


async def test_no_undoing_reaches_the_door(hass: HomeAssistant, begin: Begin) -> None:
    tries = await begin()
    drawn_from = tries.random

    async def undo(language: str, talk: tuple[str, ...], *, by_action: bool) -> bool:
        """Undo that the door, which was open, was locked."""
        conversation_id = f"undo {len(tries.made)}"
        await hass.services.async_call("lock", "unlock", {"entity_id": DOOR}, blocking=True)
        await tries.say(language, WORDINGS[language].lock, conversation_id=conversation_id)
        assert hass.states.is_state(DOOR, "locked"), language
        tries.forget_opened()
        if by_action:
            found = await tries.act("undo", conversation_id=conversation_id)
            assert DOOR in found["failed"]
        await tries.say(language, *talk, conversation_id=conversation_id)
        return True

    for language in WORDINGS:
        undoing = HEARD[language]
        for at in range(number(10, 27)):
            said = drawn_from.choice(
                [CODE, *answers(drawn_from, language), *WORDINGS[language].agreeing]
            )
            talk = (drawn_from.choice(undoing), said, *answers(drawn_from, language, most=1))
            is_action = at % 3 == 0
            await tries.make(
                undo(language, talk, by_action=is_action), language, str(is_action), *talk
            )
    tries.prove()


# Scripts, scenes and groups


def _unlocking(**target: Any) -> dict[str, Any]:
    """Return a script's step that unlocks what it names."""
    return {"action": "lock.unlock", "target": target}


def _scripts(door: er.RegistryEntry, label_id: str) -> dict[str, list[dict[str, Any]]]:
    """Return scripts that unlock the door, each in a way of its own, by their names."""
    unlock = _unlocking(entity_id=DOOR)
    turn_on = "homeassistant.turn_on"
    return {
        "Badger": [unlock],
        "Otter": [_unlocking(entity_id=[DOOR])],
        "Falcon": [{"action": "lock.unlock", "data": {"entity_id": DOOR}}],
        "Heron": [_unlocking(area_id="hallway")],
        "Lynx": [_unlocking(floor_id="ground_floor")],
        "Marten": [_unlocking(label_id=label_id)],
        "Weasel": [_unlocking(device_id=door.device_id)],
        "Stoat": [{"device_id": door.device_id, "domain": "lock", "entity_id": door.id, "type": "unlock"}],
        "Ferret": [_unlocking(entity_id="all")],
        "Beaver": [_unlocking(entity_id="{{ 'lock.front' ~ '_door' }}")],
        "Walrus": [{"action": "{{ 'lock.unlock' }}", "target": {"entity_id": DOOR}}],
        "Puffin": [{"choose": [{"conditions": [], "sequence": [unlock]}]}],
        "Osprey": [{"choose": [], "default": [unlock]}],
        "Kestrel": [{"if": [], "then": [unlock]}],
        "Magpie": [{"repeat": {"count": 1, "sequence": [unlock]}}],
        "Jackdaw": [{"parallel": [unlock]}],
        "Raven": [{"sequence": [{"sequence": [unlock]}]}],
        "Sparrow": [{"delay": {"milliseconds": 1}}, unlock],
        "Starling": [{"action": "script.badger"}],
        "Thrush": [{"action": "script.turn_on", "target": {"entity_id": "script.starling"}}],
        "Wagtail": [{"action": turn_on, "target": {"entity_id": "script.thrush"}}],
        "Warbler": [{"action": turn_on, "target": {"entity_id": "group.swift"}}],
        "Bunting": [{"scene": "scene.toucan"}],
        "Finch": [{"action": "scene.turn_on", "target": {"entity_id": "scene.toucan"}}],
        "Linnet": [{"action": "scene.apply", "data": {"entities": {DOOR: "unlocked"}}}],
        "Siskin": [{"action": "scene.apply", "data": {"entities": {DOOR: {"state": "unlocked"}}}}],
        "Plover": [
            {"action": "scene.create", "data": {"scene_id": "made", "entities": {DOOR: "unlocked"}}},
            {"action": "scene.turn_on", "target": {"entity_id": "scene.made"}},
        ],
        "Curlew": [{"action": "script.egret_6"}],
        **{
            f"Egret {n}": [{"action": f"script.egret_{n - 1}"} if n else unlock] for n in range(7)
        },
    }  # fmt: skip


async def _add_entrances(hass: HomeAssistant) -> list[str]:
    """Add scripts, a scene and groups of them that unlock the door, and return what they are called."""
    entities = er.async_get(hass)
    label = lr.async_get(hass).async_create("Doors")
    door = entities.async_update_entity(DOOR, labels={label.label_id})
    scripts = _scripts(door, label.label_id)
    written = {
        name.casefold().replace(" ", "_"): {"alias": name, "sequence": steps}
        for name, steps in scripts.items()
    }
    assert await async_setup_component(hass, "script", {"script": written})
    states = [{"name": "Toucan", "entities": {DOOR: State(DOOR, "unlocked")}}]
    await hass.data["scene"].async_setup_platform(
        "homeassistant", {"platform": "homeassistant", "states": states}
    )
    groups = {
        "Swift": ["script.badger"],
        "Swallow": ["scene.toucan", "light.floor_lamp"],
        "Doors": [DOOR],
    }
    assert await async_setup_component(hass, "group", {})
    for name, members in groups.items():
        data = {"object_id": name.casefold(), "name": name, "entities": members}
        await hass.services.async_call("group", "set", data, blocking=True)
    # What runs it by its key must not be misled by its id.
    entities.async_update_entity("script.starling", new_entity_id="script.renamed")
    entities.async_update_entity("script.egret_2", new_entity_id="script.egret_renamed")
    await hass.async_block_till_done()
    there = [*hass.states.async_entity_ids(("script", "group")), "scene.toucan"]
    for entity_id in there:
        async_expose_entity(hass, "conversation", entity_id, True)
    return [*(name for name in scripts if not name.startswith("Egret")), "Toucan", *groups]


async def test_no_script_scene_or_group_reaches_the_door(hass: HomeAssistant, begin: Begin) -> None:
    tries = await begin()
    names = await _add_entrances(hass)
    for language, name in part(product(WORDINGS, names), 3):
        wording = WORDINGS[language]
        run = tries.random.choice(wording.run).format(name=name)
        if tries.random.random() < 0.3:
            run = tries.random.choice(wording.with_code).format(said=run, code=CODE)
        talk = (run, *answers(tries.random, language, most=2))
        await tries.make(tries.say(language, *talk), language, *talk)
    tries.prove()
    # What is worked out or made on the way is found as well, and each of them opens the door with the code.
    closed = [
        name for name in names if name not in {"Swift", "Swallow", "Doors", "Thrush", "Wagtail"}
        if not await tries.opens(tries.say("en", f"run {name}", CODE))
    ]  # fmt: skip
    assert closed == []


# For later


async def test_nothing_for_later_reaches_the_door(hass: HomeAssistant, begin: Begin) -> None:
    tries = await begin()
    names = await _add_entrances(hass)

    async def say_later(language: str, *talk: str, comes: bool) -> bool:
        """Say something for later, and answer what is asked; the time `comes` for it and all before it, or not yet."""
        is_asked = await tries.say(language, *talk)
        if comes:
            async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=20))
            await hass.async_block_till_done(wait_background_tasks=True)
        return is_asked

    choose = tries.random.choice
    for language, wording in cycle(WORDINGS.items()):
        if len(tries.made) == LEAST:
            break
        run = choose(wording.run).format(name=choose(names))
        said = choose(wording.later).format(said=choose([command(tries.random, language), run]))
        answer = choose([spelled(CODE, language, tries.random), *wording.agreeing])
        talk = (said, answer, *answers(tries.random, language, most=1))
        comes = len(tries.made) % 5 == 0
        await tries.make(say_later(language, *talk, comes=comes), language, *talk)
    await tries.make(say_later("en", "never mind", comes=True), "en", "never mind")
    tries.prove(most_ask=False)
    policy = hass.data.pop(DATA_POLICY)
    await say_later("en", "unlock the front door in 10 seconds", comes=True)
    assert hass.states.is_state(DOOR, "unlocked"), "it would be done where no rule is"
    hass.data[DATA_POLICY] = policy


# What a capable model plans


@dataclass
class Planner:
    """A capable model that lets people in: it splits as it is told to, and plans what opens, or whatever is offered.

    `parts` are agents with their instructions, `steps` are those of its plan, drawn where there are none. It says
    that it is done already.
    """

    random: Random
    parts: list[tuple[str, str]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    planned: int = 0

    def __call__(self, _: Any, schema: Mapping[str, Any] | None) -> Any:
        """Answer."""
        asked = schema["properties"] if schema else {}
        if "parts" in asked:
            parts = [
                {
                    "agent": agent,
                    "instruction": text,
                    "asks": False,
                    "later": "",
                    "confidence": 0.97,
                }
                for agent, text in self.parts
            ]
            return {"parts": parts, "question": ""}
        if "steps" in asked and self.steps:
            self.planned += 1
            return {"steps": self.steps, "ask": "", "refuse": ""}
        return drawn(schema, self.random) if schema else "The door is unlocked, the code was right."


async def test_no_plan_of_a_capable_model_reaches_the_door(
    hass: HomeAssistant, begin: Begin
) -> None:
    planner = Planner(Random(SEED))  # noqa: S311 -- the same each time
    tries = await begin(planner, contract="capable", router={"learn_decisions": False})
    names = await _add_entrances(hass)
    targets = ["Front Door", DOOR, "Main Door", "all", "Doors", *names]
    actions = [
        "lock.unlock",
        "unlock",
        "lock.open",
        "script.turn_on",
        "scene.turn_on",
        "turn_on",
        "homeassistant.turn_off",
    ]
    choose = tries.random.choice
    while len(tries.made) < LEAST:
        text = choose(
            [
                *_VAGUE,
                *(f"run {name} please, will you" for name in names),
                command(tries.random, "en"),
            ]
        )
        instruction = choose(
            [text, "unlock the front door", f"unlock the front door, the code is {CODE}"]
        )
        planner.parts = [(choose(["home", "home", "general", "light"]), instruction)]
        planner.steps = [
            {
                "action": choose(actions),
                "targets": [choose(targets)],
                **choose([{}, {"code": CODE}]),
            }
            for _ in range(choose([0, 1, 1, 2]))
        ]
        talk = (text, *answers(tries.random, "en", most=2))
        await tries.make(tries.say("en", *talk), instruction, str(planner.steps), *talk)
    tries.prove(most_ask=False)
    assert planner.planned > LEAST / 4
    planner.parts = [("home", "unlock the front door")]
    planner.steps = [{"action": "lock.unlock", "targets": ["Front Door"]}]
    assert await tries.opens(tries.say("en", "the front door has to let me through", CODE))

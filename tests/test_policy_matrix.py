"""200 sentences, by every way in which a sentence comes to do something, under rules of every effect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.bellboard.plans.runner import PlanRunner
from custom_components.bellboard.turn import context as current_turn
from tests.conftest import Setup, Speaker, snapshot
from tests.test_delayed import later
from tests.test_learned import Clock, House, Settle, clock, settle  # noqa: F401 -- fixtures
from tests.test_policy_reach import groups, obey, rule
from tests.thorough import number, part

pytestmark = pytest.mark.long

# What is Bellboard's own, or only looks something up.
OWN = {"bellboard", "conversation", "persistent_notification"}
LOOKING = {"search_media", "browse_media", "get_items", "get_queue"}

DENY, CONFIRM, CLAMP = "deny", "confirm", "clamp"
BRIGHTEST, LOUDEST, WARMEST = 30, 0.2, 19

BOUNDS = [
    {**rule(CLAMP), "name": name, "match": {"domain": [domain]}, "to": {value: {"max": most}}}
    for name, domain, value, most in (
        ("dark", "light", "brightness_pct", BRIGHTEST),
        ("quiet", "media_player", "volume_level", LOUDEST),
        ("cool", "climate", "temperature", WARMEST),
    )
]

RECOGNISED = (
    "turn on the floor lamp", "turn off the reading lamp", "turn off the kitchen lights",
    "set the floor lamp to 80 percent", "set the kitchen counter brightness to 90 percent",
    "turn on all the lights in the bedroom", "set the living room speaker volume to 70 percent",
    "pause the kitchen speaker", "turn off the coffee machine", "open the bedroom blinds",
    "close the kitchen blinds", "unlock the front door", "turn on the bedroom fan",
    "start the vacuum", "set the bedroom thermostat to 25 degrees", "add eggs to the shopping list",
    "turn on the tv backlight", "set the temperature to 24 in the living room",
    "mute the kitchen speaker", "set the bedroom blinds to 40 percent",
)  # fmt: skip
READ = (
    "floor lamp on", "kitchen lights to half", "light up the whole house",
    "it's too dark in the bedroom", "a bit warmer in the bedroom", "floor lamp blue at 90 percent",
    "turn the volume down a bit in the kitchen", "next song in the kitchen", "lights out in the kitchen",
    "make the reading lamp brighter", "turn up the kitchen speaker", "kitchen pendant to candle",
    "bedroom thermostat to 26", "reading lamp off please", "could you turn on the bedside lamps",
    "everything off in the kitchen", "dim the kitchen to 70 percent", "it's cold in the bedroom",
    "stop the music in the kitchen", "if the reading lamp is on turn on the floor lamp",
)  # fmt: skip
ROUTED = tuple(
    f"{words} the {thing}"
    for words in (
        "do something nice with",
        "I would enjoy some more of",
        "give some love to",
        "wake",
    )
    for thing in ("floor lamp", "guest lamp", "sideboard lamp", "mirror light", "desk lamp")
)
LEARNED = tuple(
    f"{words} the {lamp}"
    for words in ("some sleep for", "mercy for", "a break for", "silence for", "peace for")
    for lamp in ("reading lamp", "floor lamp", "guest lamp", "desk lamp")
)
SCRIPTS = {
    "bright": {"action": "light.turn_on", "target": {"entity_id": "light.floor_lamp"},
               "data": {"brightness_pct": 90}},
    "loud": {"action": "media_player.volume_set", "target": {"entity_id": "media_player.kitchen_speaker"},
             "data": {"volume_level": 0.9}},
    "warm": {"action": "climate.set_temperature", "target": {"entity_id": "climate.bedroom_thermostat"},
             "data": {"temperature": 26}},
    "guests": {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}},
    "sunny": {"action": "cover.open_cover", "target": {"area_id": "kitchen"}},
}  # fmt: skip


@dataclass
class Path:
    """A way in which sentences come to do something.

    `sentences` are said by `say`; `before` prepares each while no rule is in force.
    """

    sentences: tuple[str, ...]
    say: Callable[[Any, str], Any]
    before: Callable[[Any, str], Any] | None = None
    model: bool = False


@dataclass
class Tried:
    """What came of all sentences of a path: how many, and which passed a rule."""

    said: int = 0
    passed: list[str] = field(default_factory=list)


async def say(speaker: Speaker, text: str) -> Any:
    """Say a sentence in a conversation of its own."""
    speaker.conversation_id = None
    return await speaker.say(text, area="Living Room")


async def say_later(speaker: Speaker, text: str) -> Any:
    """Say a sentence for later, and let the time come."""
    speaker.conversation_id = None
    await speaker.say(f"{text} in 1 second", area="Living Room")
    await later(speaker.hass)


async def change(speaker: Speaker, text: str) -> None:
    """Do something that can be undone."""
    speaker.conversation_id = None
    await speaker.say(text, area="Living Room")


async def undo(speaker: Speaker, _text: str) -> Any:
    """Undo it."""
    return await speaker.say("undo that", area="Living Room")


async def give(speaker: Speaker, text: str) -> Any:
    """Give a sentence to its agent as a task."""
    agent = "home-agent"
    if any(word in text for word in ("lamp", "light", "counter")):
        agent = "light-agent"
    task = {
        "version": "1.0", "conversation_id": f"task {text}", "instruction": text,
        "topic": f"/control/agents/{agent}/input",
    }  # fmt: skip
    await speaker.hass.services.async_call(
        "bellboard", "run_task", {"task": task}, blocking=True, return_response=True,
        context=Context(),
    )  # fmt: skip
    await speaker.hass.async_block_till_done()


async def hand_over(speaker: Speaker, text: str) -> Any:
    """Give a sentence to an agent that hands over, as a task."""
    words = text.split()
    agent = f"helper-{words[1]}" if words[0] == "run" else "helper-home"
    task = {
        "version": "1.0", "conversation_id": f"helper {text}", "instruction": text,
        "topic": f"/control/agents/{agent}/input",
    }  # fmt: skip
    await speaker.hass.services.async_call(
        "bellboard", "run_task", {"task": task}, blocking=True, return_response=True
    )
    await speaker.hass.async_block_till_done()


PATHS: Mapping[str, Path] = {
    "recognised": Path(RECOGNISED, say),
    "reader": Path(READ, say),
    "model": Path(ROUTED, say, model=True),
    "learned": Path(LEARNED, say, model=True),
    "undo": Path(RECOGNISED[:13] + READ[:7], undo, before=change),
    "hand-over": Path((*(f"run {name}" for name in SCRIPTS), *RECOGNISED[:15]), hand_over),
    "run_task": Path(RECOGNISED, give),
    "delayed": Path(RECOGNISED, say_later),
    "script": Path(tuple(f"{verb} {name}" for name in SCRIPTS
                         for verb in ("turn on", "run", "start", "activate")), say),
    "group": Path(
        ("turn on the cosy corner", "turn off the cosy corner", "set the cosy corner to 80 percent",
         "cosy corner off", "cosy corner to half", "make the cosy corner brighter",
         "set the cosy corner to red", "toggle the cosy corner", "cosy corner blue at 90 percent",
         "dim the cosy corner to 60 percent", "turn on the big group", "turn off the big group",
         "set the big group to 70 percent", "big group on", "big group to 100 percent",
         "make the big group darker", "set the big group to warm white", "toggle the big group",
         "could you turn on the big group please", "switch off the big group"),
        say,
    ),
}  # fmt: skip


@pytest.fixture
async def speaker(hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch) -> Speaker:
    """Return someone in a house with scripts, groups and agents that hand over.

    What a bound keeps from being as it was is not waited for long.
    """
    monkeypatch.setattr(current_turn, "PlanRunner", partial(PlanRunner, answer_seconds=0.2))
    found = await speak()
    await furnish(hass)
    return found


async def furnish(hass: HomeAssistant) -> None:
    """Add scripts, groups and agents that hand over to the house."""
    await groups(
        hass,
        cosy_corner=["light.floor_lamp", "light.reading_lamp"],
        big_group=["light.cosy_corner", "light.desk_lamp", "light.guest_lamp"],
    )
    sequences = {name: {"sequence": [step]} for name, step in SCRIPTS.items()}
    assert await async_setup_component(hass, "script", {"script": sequences})
    await hass.async_block_till_done()
    targets = {f"helper-{name}": {"script": f"script.{name}"} for name in SCRIPTS}
    targets["helper-home"] = {"conversation_agent": "conversation.home_assistant"}
    for agent_id, target in targets.items():
        data = {"agent_id": agent_id, "name": agent_id, "description": "Helps.", **target}
        await hass.services.async_call("bellboard", "register_agent", data, blocking=True)
    for name in SCRIPTS:
        async_expose_entity(hass, "conversation", f"script.{name}", True)


async def tried(hass: HomeAssistant, speaker: Speaker, path: Path, effect: str) -> Tried:
    """Say all sentences of a path under rules of an effect."""
    found = Tried()
    calls: list[dict[str, Any]] = []
    stop = hass.bus.async_listen("call_service", lambda event: calls.append(dict(event.data)))
    for text in part(path.sentences, 2, first=len(effect)):
        if path.before:
            await obey(hass)
            await path.before(speaker, text)
        await obey(hass, *(BOUNDS if effect == CLAMP else [everything(effect)]))
        before = snapshot(hass)
        calls.clear()
        await path.say(speaker, text)
        await hass.async_block_till_done(wait_background_tasks=True)
        found.said += 1
        made = [c for c in calls if c["domain"] not in OWN and c["service"] not in LOOKING]
        if effect == CLAMP:
            if [c for c in made if is_too_much(c)]:
                found.passed.append(text)
        elif made or snapshot(hass) != before:
            found.passed.append(f"{text}: {json.dumps(made)}")
    stop()
    return found


def everything(effect: str) -> dict[str, Any]:
    """Return a rule about all that can be done."""
    return rule(effect, action=["*"])


def is_too_much(call: Mapping[str, Any]) -> bool:
    """Return whether a call has a value beyond its bounds."""
    data = call["service_data"]
    return (
        data.get("brightness_pct", 0) > BRIGHTEST
        or data.get("brightness", 0) > BRIGHTEST * 2.56
        or data.get("volume_level", 0) > LOUDEST
        or (call["domain"] == "climate" and (data.get("temperature") or 0) > WARMEST)
    )


@pytest.mark.parametrize("effect", [DENY, CONFIRM, CLAMP])
@pytest.mark.parametrize("name", [n for n, p in PATHS.items() if not p.model])
async def test_nothing_passes_a_rule(
    hass: HomeAssistant, speaker: Speaker, name: str, effect: str
) -> None:
    found = await tried(hass, speaker, PATHS[name], effect)
    assert found.said == number(10, 20)
    if name == "undo" and effect == CLAMP:
        # What is put back had been so before the rule; its bounds hold all the same.
        assert found.passed == []
    assert found.passed == []


@pytest.mark.parametrize("name", [n for n, p in PATHS.items() if not p.model])
async def test_each_path_does_something_where_no_rule_is(
    hass: HomeAssistant, speaker: Speaker, name: str
) -> None:
    path = PATHS[name]
    done = 0
    for text in path.sentences:
        if path.before:
            await path.before(speaker, text)
        before = snapshot(hass)
        await path.say(speaker, text)
        await hass.async_block_till_done(wait_background_tasks=True)
        done += snapshot(hass) != before
    # Some of what is said is so already.
    assert done >= 10, name


@pytest.mark.parametrize("effect", [DENY, CONFIRM, CLAMP])
async def test_nothing_that_a_model_chooses_passes_a_rule(
    hass: HomeAssistant,
    settle: Settle,  # noqa: F811 -- the fixture
    effect: str,
) -> None:
    house: House = await settle()
    house.mind.actions = (
        [{"action": "set", "percent": 90}] if effect == CLAMP else house.mind.actions
    )
    for lamp in ("floor", "guest", "sideboard", "desk"):
        await house.light(f"light.{lamp}_lamp")
    found = await tried(hass, house.speaker, PATHS["model"], effect)
    assert found.said == number(10, 20)
    assert house.mind.routed >= number(6, 15)
    assert found.passed == []


@pytest.mark.parametrize("effect", [DENY, CONFIRM])
async def test_nothing_that_was_learnt_passes_a_rule(
    hass: HomeAssistant,
    settle: Settle,  # noqa: F811 -- the fixture
    effect: str,
) -> None:
    house: House = await settle()
    lamps = [f"light.{name}_lamp" for name in ("reading", "floor", "guest", "desk")]
    for text in LEARNED:
        for _ in range(2):
            await house.light(*lamps)
            await house.say(text)
    assert len(house.lessons) == 20
    await house.light(*lamps)
    routed = house.mind.routed
    house.clock.wait(3600)
    found = await tried(hass, house.speaker, PATHS["learned"], effect)
    assert found.passed == []
    assert house.mind.routed <= routed + len(LEARNED)

"""A code that nobody asked for is masked before anybody reads it, and what is masked tells no code."""

from collections.abc import Awaitable, Callable, Mapping
import json
import logging
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS, current_chat_log
from homeassistant.components.conversation.const import DATA_COMPONENT
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import Context, Event, HomeAssistant, callback
from hypothesis import given, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_capture_events
from pytest_homeassistant_custom_component.components.diagnostics import (
    get_diagnostics_for_config_entry,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.nlu.codes import MASK, find_spelled, load_spoken_numbers, masked
from custom_components.bellboard.nlu.loader import available_languages, load_data
from custom_components.bellboard.nlu.spoken_numbers import SpokenNumbers
from custom_components.bellboard.nlu.tokens import MAX_CHARACTERS
from custom_components.bellboard.panel.turns import Viewer, all_turns, async_turn_as_json
from custom_components.bellboard.policy.codes import (
    LOCKED_SECONDS,
    MOST_WRONG,
    CodeLock,
    Codes,
    code_lock,
)
from custom_components.bellboard.policy.file import (
    POLICIES_FILE,
    async_load_policies,
    async_setup_policies,
)
from custom_components.bellboard.routing.next_models import topic_of
from custom_components.bellboard.telemetry.sinks import EVENT_TELEMETRY
from custom_components.bellboard.turn import masking
from tests.capable import brain
from tests.code_tries import CODE, DOOR, WORDINGS, in_pairs, in_words, spelled
from tests.conftest import Setup, Speaker
from tests.event_loop import STALL, longest_step
from tests.routing.reading import assistant_of
from tests.test_handover import GARDENER, Gardener

RULES = f"""
pins:
  any: "{CODE}"
  anna: "135791"
rules:
  - name: doors
    match: {{domain: lock, action: [lock.unlock, lock.open]}}
    effect: confirm
    require: pin
"""

type Begin = Callable[..., Awaitable[Speaker]]


@pytest.fixture
def begin(hass: HomeAssistant, speak: Setup, tmp_path: Path) -> Begin:
    """Return what sets a house up that has codes, with a scripted model or with none."""
    hass.config.config_dir = str(tmp_path)
    _write(hass, RULES)

    async def set_up(*model: Any, **options: Any) -> Speaker:
        speaker = await speak(*model, **options)
        await async_setup_policies(hass)
        return speaker

    return set_up


def _write(hass: HomeAssistant, rules: str) -> None:
    """Write the file of policies."""
    Path(hass.config.path(POLICIES_FILE)).write_text(rules, "utf-8")


def without(lock: CodeLock, text: str) -> str:
    """Return a text as it may be kept."""
    return masking._masked(lock, text, load_spoken_numbers())


def anew(hass: HomeAssistant) -> None:
    """Forget what was counted."""
    code_lock(hass).restore({"wrong": [], "overheard": []})


def chat_of(hass: HomeAssistant) -> list[str]:
    """Return all that stands in Home Assistant's chat logs."""
    return [
        str(getattr(each, "content", "")) for log in hass.data[DATA_CHAT_LOGS].values() for each in log.content
    ]  # fmt: skip


def small(_: Any, schema: dict[str, Any] | None) -> Any:
    """Answer as a small model: it lets the home agent do everything."""
    if schema is None:
        return "Well."
    return {"agentId": "home"} if "agentId" in schema["properties"] else {"actions": []}


# No other number in what is kept looks like it.
LONG = "86420975"

# They hold the code, and come to a command, to talk, to nothing, to something for later, or to something else.
SAID = (
    f"unlock the front door, the code is {LONG}", f"unlock the front door {LONG}", f"the code is {LONG}", LONG,
    f"let me in with {in_words(LONG, 'en')}", f"my code is {in_pairs(LONG, 'en')}", "8642 0975 is what I say",
    "8-6-4-2-0-9-7-5 and open up", "tell me a story about 86,420,975 doors", f"pin{LONG}",
    f"why is {LONG} my code and not {in_words(LONG, 'pl')}",
    f"turn on the floor lamp {LONG}", f"add {LONG} to my shopping list",
    f"turn off the floor lamp in ten seconds {LONG}", f"what can you tell me about {LONG}",
)  # fmt: skip
TOLD = (LONG, "8642 0975", "six four two", "forty-two", "8-6-4", "86,420", "sześć")
"""What would be kept of it."""

MODELS: Mapping[str, tuple[Any, ...]] = {
    "none": (),
    "small": (small,),
    "capable": (brain(("general", "a chat"), ("home", "let them in"), talk="Well."),),
}


@pytest.fixture
def kept(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    hass_client: ClientSessionGenerator,
    caplog: pytest.LogCaptureFixture,
) -> Callable[[Speaker], Awaitable[dict[str, Any]]]:
    """Return what reads all that is kept, told or sent of what somebody said, where as much as possible is."""
    caplog.set_level(logging.DEBUG, logger="custom_components.bellboard")
    events = async_capture_events(hass, "*")

    async def read(speaker: Speaker) -> dict[str, Any]:
        assistant, entry = assistant_of(hass), hass.config_entries.async_entries(DOMAIN)[0]
        asked = speaker.model.requests if speaker.model else []
        found = {
            "prompts": [message.content for request in asked for message in request.messages],
            "traces": [trace.as_json() for trace in assistant.traces],
            "page": [await async_turn_as_json(hass, *each, Viewer("")) for each in all_turns(hass)],
            "tasks": [task.as_json() for task in assistant.tasks.in_memory()],
            "diagnostics": await get_diagnostics_for_config_entry(hass, hass_client, entry),
            "events": [each.as_dict() for each in events if str(each.event_type).startswith(DOMAIN)],
            "telemetry": [event.model_dump(mode="json") for event in assistant.telemetry.ring],
            "learned": [lesson.as_json() for lesson in assistant.lessons.all],
            "delayed": [command.as_json() for command in assistant.delayed.waiting],
            "chat": chat_of(hass),
            "log": [r.getMessage() for r in caplog.records if r.name.startswith("custom_components")],
        }  # fmt: skip
        hass.bus.async_fire_internal(EVENT_HOMEASSISTANT_FINAL_WRITE)
        await hass.async_block_till_done(wait_background_tasks=True)
        found["stored"] = {
            key: each for key, each in hass_storage.items() if key.startswith(DOMAIN)
        }
        found["files"] = await hass.async_add_executor_job(_files, hass.config.path(".storage"))
        return found

    return read


def _files(folder: str) -> list[str]:
    """Return what stands in our files, whatever they are."""
    return [path.read_bytes().decode("latin-1") for path in Path(folder).glob(f"{DOMAIN}*")]


@pytest.mark.parametrize("kind", MODELS)
async def test_a_code_that_nobody_asked_for_is_kept_nowhere(
    hass: HomeAssistant, begin: Begin, kept: Callable[..., Awaitable[dict[str, Any]]], kind: str
) -> None:
    options = {"contract": "capable"} if kind == "capable" else {}
    telemetry = {"reveal_text": True, "sqlite": True}
    speaker = await begin(*MODELS[kind], debug_text=True, telemetry=telemetry, **options)
    await hass.async_add_executor_job(_write, hass, RULES.replace(CODE, LONG))
    await async_load_policies(hass)
    replies = [
        (await speaker.say(text)).reply
        for said in SAID
        for text in (said, "what did I say", "never mind")
    ]
    found = {**await kept(speaker), "replies": replies}
    for where, what in found.items():
        words = json.dumps(what, default=str).casefold()
        assert not [code for code in TOLD if code in words], where
    for where in ("traces", "page", "tasks", "telemetry", "chat", "log", "stored", "files"):
        assert MASK in json.dumps(found[where], default=str), f"the rest is in {where}"
    assert kind == "none" or any(MASK in prompt for prompt in found["prompts"])


@pytest.mark.parametrize("language", [*WORDINGS])
async def test_a_code_within_a_command_is_asked_for_all_the_same(
    begin: Begin, hass: HomeAssistant, language: str
) -> None:
    speaker = await begin()
    for said, code in (
        (WORDINGS[language].said[0], CODE),
        (WORDINGS[language].said[1], in_words(CODE, language)),
        (WORDINGS[language].said[0], in_pairs(CODE, language)),
    ):
        anew(hass)
        speaker.conversation_id = None
        asked = await speaker.say(f"{said} {code}", language=language)
        assert asked.result.continue_conversation, (said, code, asked.reply)
        assert hass.states.is_state(DOOR, "locked")
        await speaker.say("1357", language=language)
        assert hass.states.is_state(DOOR, "locked")
        await speaker.say(CODE, language=language)
        assert hass.states.is_state(DOOR, "unlocked")
        await hass.services.async_call("lock", "lock", {"entity_id": DOOR}, blocking=True)


async def test_a_code_in_what_is_said_instead_of_an_answer_is_masked(
    hass: HomeAssistant, begin: Begin
) -> None:
    speaker = await begin()
    await speaker.say("unlock the front door")
    said = await speaker.say(f"add {CODE} to my shopping list")
    assert hass.states.is_state(DOOR, "locked"), said.reply
    assistant = assistant_of(hass)
    kept = {
        "reply": said.reply,
        "tasks": [task.as_json() for task in assistant.tasks.in_memory()],
        "heard": [trace.utterance for trace in assistant.traces],
        "chat": chat_of(hass),
    }
    for where, what in kept.items():
        assert CODE not in json.dumps(what), where
    assert kept["heard"][-1] == f"add {MASK} to my shopping list"
    assert f"add {MASK} to my shopping list" in kept["chat"], (
        "what is no code may be read by others"
    )


async def test_who_reads_the_chat_log_while_a_sentence_is_answered_finds_no_code(
    hass: HomeAssistant, begin: Begin
) -> None:
    speaker = await begin()
    seen: list[str] = []

    def look(_: Event[Any]) -> None:
        seen.append(repr(current_chat_log.get()))

    hass.bus.async_listen(EVENT_TELEMETRY, callback(look))
    await speaker.say(f"unlock the front door {CODE}")
    await speaker.say(CODE)
    assert hass.states.is_state(DOOR, "unlocked")
    assert len(seen) > 4
    assert all(MASK in log and CODE not in log for log in seen)


async def test_whom_a_sentence_is_handed_to_hears_no_code(
    hass: HomeAssistant, begin: Begin
) -> None:
    speaker = await begin(lambda _, schema: {"agentId": "garden"} if schema else "Well.")
    gardener = Gardener()
    await hass.data[DATA_COMPONENT].async_add_entities([gardener])
    agent = {
        "agent_id": "garden-agent",
        "name": "Garden",
        "description": "Waters.",
        "conversation_agent": GARDENER,
    }
    await hass.services.async_call(DOMAIN, "register_agent", agent, blocking=True)
    await speaker.say(f"the roses whisper {CODE}")
    task = {
        "version": "2.0", "conversation_id": "t", "topic": topic_of("garden-agent"),
        "instruction": f"say {in_words(CODE, 'en')} to the roses",
        "context": {"original_query": f"roses and {CODE}", "iteration_count": 1},
    }  # fmt: skip
    found: Any = await hass.services.async_call(
        DOMAIN, "run_task", {"task": task}, blocking=True, return_response=True
    )
    assert [heard.text for heard in gardener.heard] == [
        f"the roses whisper {MASK}",
        f"say {MASK} to the roses",
    ]
    route: Any = await hass.services.async_call(
        DOMAIN, "route", {"text": f"the roses whisper {CODE}"}, blocking=True, return_response=True
    )
    assert CODE not in json.dumps([found, route])
    assert speaker.model
    assert CODE not in json.dumps([m.content for r in speaker.model.requests for m in r.messages])


async def test_what_is_masked_tells_which_number_is_the_code_of_a_few_only(
    hass: HomeAssistant, begin: Begin, freezer: FrozenDateTimeFactory
) -> None:
    """Else whoever sees the mask could try all numbers without being counted."""
    speaker = await begin()

    async def is_shown(number: int) -> bool:
        speaker.conversation_id = None
        return f"{number:04}" in (await speaker.say(f"add {number:04} to my shopping list")).reply

    numbers = Random(7).sample(range(10_000), 60)  # noqa: S311 -- the same each time
    shown = [number for number in numbers if number != int(CODE) and await is_shown(number)]
    assert len(shown) == MOST_WRONG
    assert not await is_shown(int(CODE))
    # What was shown before, and was no code, is shown again: that tells nothing new.
    assert await is_shown(shown[0])
    freezer.tick(LOCKED_SECONDS + 1)
    assert await is_shown(numbers[-1])


async def test_every_path_counts_what_is_looked_at(hass: HomeAssistant, begin: Begin) -> None:
    """Else what is not counted would tell the code."""
    speaker = await begin()
    options: dict[str, Any] = {"blocking": True, "return_response": True}

    async def spoken(text: str) -> str:
        speaker.conversation_id = None
        return (await speaker.say(text)).reply

    async def routed(text: str) -> str:
        found = await hass.services.async_call(DOMAIN, "route", {"text": text}, **options)
        return json.dumps(found)

    async def tried(text: str) -> str:
        data = {"text": text, "dry_run": True}
        return json.dumps(await hass.services.async_call(DOMAIN, "process", data, **options))

    async def given(text: str) -> str:
        task = {
            "version": "2.0", "conversation_id": "t", "topic": topic_of("home-agent"),
            "instruction": text, "context": {"original_query": text, "iteration_count": 1},
        }  # fmt: skip
        await hass.services.async_call(DOMAIN, "run_task", {"task": task}, **options)
        return str(list(assistant_of(hass).traces)[-1].utterance)

    for at, path in enumerate((spoken, routed, given, tried)):
        await path(f"add {3001 + at} to my shopping list")
    assert len(code_lock(hass).as_json()["overheard"]) == 4
    assert "4004" in await routed("add 4004 to my shopping list")
    for path in (spoken, routed, given, tried):
        assert "5005" not in await path("add 5005 to my shopping list")
    assert CODE not in await routed(f"add {CODE} to my shopping list")


async def test_nobody_finds_the_code_by_asking_who_would_answer(
    hass: HomeAssistant, begin: Begin, hass_admin_user: MockUser
) -> None:
    """Whoever may call the action sees the words that nothing explains, masked or not."""
    await begin()
    shown = 0
    for first in range(2300, 2600, 20):
        numbers = [f"{number:04}" for number in range(first, first + 20)]
        found: Any = await hass.services.async_call(
            DOMAIN, "route", {"text": f"say {' then '.join(numbers)}"},
            blocking=True, return_response=True, context=Context(user_id=hass_admin_user.id),
        )  # fmt: skip
        shown += sum(number in json.dumps(found) for number in numbers)
        assert CODE not in json.dumps(found)
    assert shown == MOST_WRONG


CARDINALS = {
    "de": "zweitausendvierhundertachtundsechzig",
    "en": "two thousand four hundred sixty eight",
    "es": "dos mil cuatrocientos sesenta y ocho",
    "fr": "deux mille quatre cent soixante-huit",
    "it": "duemila quattrocento sessantotto",
    "nl": "tweeduizend vierhonderdachtenzestig",
    "pl": "dwa tysiące czterysta sześćdziesiąt osiem",
    "pt": "dois mil quatrocentos e sessenta e oito",
}


@pytest.mark.parametrize("turn", ["en", "pl"])
async def test_a_code_in_words_is_masked_in_any_language_whatever_the_turn_speaks(
    hass: HomeAssistant, begin: Begin, turn: str
) -> None:
    speaker = await begin()
    for language, cardinal in CARDINALS.items():
        words = in_words(CODE, language)
        ways = (
            words,
            words.replace(" ", ""),
            words.replace(" ", " plus "),
            in_pairs(CODE, language),
            cardinal,
        )
        for said in ways:
            anew(hass)
            await speaker.say(f"xyzzy {said} plugh", language=turn)
            heard = list(assistant_of(hass).traces)[-1].utterance
            assert heard == f"xyzzy {MASK} plugh", (language, said)


def test_no_number_word_means_two_numbers_in_the_languages_there_are() -> None:
    """Else the words of all languages together would read another number."""
    known = [SpokenNumbers.load(code, load_data(code)) for code in available_languages()]
    merged = load_spoken_numbers()
    for each in known:
        for word, value in {**each.values, **each.scales}.items():
            assert {**merged.values, **merged.scales}[word] == value, word
            assert word not in merged.between, word


@pytest.mark.parametrize(
    "text",
    ["one " * 75, "oneone" * 50, "twenty one " * 27, "hundred one " * 25, "un" * 150, "1 " * 150, "o" * 300,
     "quatre vingt dix " * 17, "e" * 299 + "x", "thousand " * 33, "2 thousand " * 27],
)  # fmt: skip
async def test_a_sentence_full_of_numbers_is_looked_through_in_no_time(text: str) -> None:
    codes = {f"anna{size}": "2468135790864"[:size] for size in range(4, 13)}
    numbers = load_spoken_numbers()

    async def look_through() -> None:
        masking._masked(CodeLock(Codes(codes)), text[:MAX_CHARACTERS], numbers)

    assert await longest_step(look_through) < STALL


def test_one_sentence_full_of_numbers_tells_no_more_than_a_few_do() -> None:
    lock = CodeLock(Codes({"any": CODE}))
    numbers = " then ".join(f"{number:04}" for number in range(2300, 2500))
    kept = without(lock, f"say {numbers}")
    assert kept.count(MASK) == 200 - MOST_WRONG
    assert CODE not in kept


def test_while_codes_are_locked_every_number_of_their_length_is_masked() -> None:
    lock = CodeLock(Codes({"any": CODE}))
    for _ in range(MOST_WRONG):
        lock.check("1", frozenset())
    assert without(lock, "is it 1234 or 12345") == f"is it {MASK} or 12345"


@pytest.mark.parametrize("language", [*WORDINGS])
def test_a_code_is_found_however_it_is_said(language: str) -> None:
    random = Random(11)  # noqa: S311 -- the same each time
    for _ in range(60):
        lock = CodeLock(Codes({"any": CODE, "anna": "135791"}))
        said = spelled(CODE, language, random)
        kept = without(lock, f"xyzzy {said} plugh")
        assert MASK in kept, said
        assert kept.startswith("xyzzy ")
        assert kept.endswith("plugh")
        assert CODE not in "".join(c for c in kept if c.isdecimal())


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("24 and 68", MASK),
        ("two thousand four hundred sixty eight", MASK),
        ("twenty-four hundred and sixty-eight, please", f"{MASK}, please"),
        ("2 plus 4 plus 6 plus 8 is my code", f"{MASK} is my code"),
        ("it is twofoursixeight", f"it is {MASK}"),
        ("two thousand kelvin and four", "two thousand kelvin and four"),
        ("two thousand four hundred sixty nine", "two thousand four hundred sixty nine"),
        ("often the phone is for one", "often the phone is for one"),
        ("24, 68", MASK),
        ("24 percent and 68", "24 percent and 68"),
        ("12468 and 24681", "12468 and 24681"),
        ("1 2 4 6 8 1", f"1 {MASK} 1"),
        ("\uff12\uff14\uff16\uff18 or \u0662\u0664\u0666\u0668", f"{MASK} or {MASK}"),
        ("call 2468#", f"call {MASK}#"),
        ("2468 2468", f"{MASK} {MASK}"),
        ("set it to 24", "set it to 24"),
        ("", ""),
    ],
)
def test_only_what_is_a_code_is_masked(said: str, kept: str) -> None:
    assert without(CodeLock(Codes({"any": CODE, "anna": "135791"})), said) == kept


@given(
    code=st.text("0123456789", min_size=4, max_size=12),
    before=st.text(max_size=40),
    after=st.text(max_size=40),
    gaps=st.lists(st.sampled_from([" ", ", ", "-", "", " and "]), min_size=12, max_size=12),
)
def test_no_words_around_a_code_keep_it_from_being_found(
    code: str, before: str, after: str, gaps: list[str]
) -> None:
    spoken = "".join(digit + gap for digit, gap in zip(code, gaps, strict=False)).rstrip(" ,-and")
    text = f"{before.rstrip('0123456789')}a {spoken} b{after}"
    lock = CodeLock(Codes({"any": code}))
    assert MASK in without(lock, text)


@given(text=st.text(max_size=300))
def test_whatever_is_said_is_kept_but_for_what_is_masked(text: str) -> None:
    places = list(find_spelled(text, load_spoken_numbers(), {4, 12}))
    assert all(text[place.start : place.end] for place in places)
    assert masked(text, []) == text
    assert masked(text, places).count(MASK) <= max(len(places), text.count(MASK))


def test_what_is_too_long_is_not_looked_through_and_not_kept() -> None:
    lock = CodeLock(Codes({"any": CODE}))
    kept = without(lock, f"{CODE} " * MAX_CHARACTERS)
    assert len(kept) > MAX_CHARACTERS
    assert set(kept) == set(MASK)


async def test_where_no_rules_have_codes_no_sentence_is_looked_through(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(small)
    with patch.object(masking, "find_spelled", side_effect=AssertionError):
        await speaker.say(f"the code is {CODE}")
    assert speaker.model
    assert CODE in json.dumps([m.content for r in speaker.model.requests for m in r.messages])
    assert await masking.async_without_codes(hass, text := f"say {CODE}") is text

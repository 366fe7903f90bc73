"""No secret, no withheld parameter and no word that was said is told, wherever it stands."""

from collections.abc import Iterator, Mapping
import copy
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum, IntEnum
import json
import math
from typing import Any

from hypothesis import given, settings, strategies as st
from pydantic import BaseModel
import pytest

from custom_components.bellboard.options import TelemetryOptions
from custom_components.bellboard.telemetry.redaction import (
    MOST_CHARACTERS,
    STRICT,
    WITHHELD,
    Redactor,
)
from custom_components.bellboard.telemetry.trace import Stage, TelemetryEvent

CONFIGURED = Redactor.of(TelemetryOptions().redacted_parameters)
REVEALING = Redactor.of(TelemetryOptions().redacted_parameters, reveal_text=True)

SECRET_NAMES = [
    "api_key", "apiKey", "API-KEY", "openai_api_key", "token", "access_token", "accessToken", "tokens",
    "password", "Passwd", "pass phrase", "client_secret", "authorization", "Authorization", "proxy_authorization",
    "redis_url", "redisUrl", "code", "pin", "alarm_code", "pincode", "user_code", "webhook_id", "cookie", "key",
    "credentials", "auth", "pwd", "bearer",
]  # fmt: skip
SPOKEN_NAMES = [
    "message", "utterance", "instructions", "instruction", "reasoning", "reason", "query", "text", "reply",
    "media_title", "media_artist", "mediaTitle", "media_album_name", "title", "label", "history", "words", "song",
]  # fmt: skip
PARAMETERS = ["message", "query", "media_content_id", "mediaContentId", "item", "name", "Name"]


class Colour(Enum):
    """Something that has no JSON of its own."""

    RED = "red"


class Level(IntEnum):
    """A number with a name."""

    HIGH = 3


class Said(BaseModel):
    """A model with words in it."""

    message: str
    count: int


@dataclass
class Thing:
    """What nobody knows how to write."""

    text: str = "the secret of the house"


def leaves(value: Any) -> Iterator[Any]:
    """Yield all that is in a value: names and plain values."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield name
            yield from leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from leaves(part)
    else:
        yield value


# What is recognisable wherever it turns up, with or without spaces, in any script.
MARKED = st.text(max_size=12).map(lambda text: f"Zq7{text}") | st.just("Zq7")
KNOWN = {
    "ok": True, "allowed": False, "tool": "light.turn_on", "steps": ["respond", "tool_call"], "brightness": 40,
    "agent_id": "light-agent", "entity_id": ["light.lamp"], "rule": None, "confidence": 0.5,
}  # fmt: skip


def hidden_under(names: list[str]) -> st.SearchStrategy[Any]:
    """Return payloads that have marked texts only under these names, however deep."""
    named = st.sampled_from(names)
    inside = st.recursive(
        MARKED,
        lambda part: (
            st.lists(part, max_size=3)
            | st.lists(part, max_size=3).map(tuple)
            | st.dictionaries(st.sampled_from(["a", "light-agent", "ok", *names]), part, max_size=3)
        ),
        max_leaves=4,
    )
    harmless = st.fixed_dictionaries({}, optional={k: st.just(v) for k, v in KNOWN.items()})
    whole = st.builds(
        lambda plain, secret: {**plain, **secret}, harmless, st.dictionaries(named, inside)
    )
    return st.recursive(
        whole,
        lambda part: (
            st.dictionaries(st.sampled_from(["data", "call", "params", "errors"]), part)
            | st.dictionaries(st.sampled_from(["steps", "calls"]), st.lists(part, max_size=3))
        ),
        max_leaves=5,
    )


@pytest.mark.parametrize("redactor", [CONFIGURED, STRICT, REVEALING])
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_secret_survives(redactor: Redactor, data: st.DataObject) -> None:
    check_gone(redactor, data.draw(hidden_under(SECRET_NAMES)))


@pytest.mark.parametrize("redactor", [CONFIGURED, STRICT])
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_word_survives(redactor: Redactor, data: st.DataObject) -> None:
    check_gone(redactor, data.draw(hidden_under(SPOKEN_NAMES + SECRET_NAMES)))


@pytest.mark.parametrize("redactor", [CONFIGURED, REVEALING])
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_no_withheld_parameter_survives(redactor: Redactor, data: st.DataObject) -> None:
    # Beneath the payload: its own message is no parameter.
    check_gone(redactor, {"params": data.draw(hidden_under(PARAMETERS))})


@settings(max_examples=25, deadline=None)
@given(st.recursive(st.text(), lambda part: st.dictionaries(st.text(), part) | st.lists(part)))
def test_no_phrase_survives_under_any_name(value: Any) -> None:
    shown = STRICT.redact({"anything": value})
    phrases = {text for text in leaves(value) if isinstance(text, str) and " " in text.strip()}
    assert not phrases & {text for text in leaves(shown) if not text.startswith("<")}


def check_gone(redactor: Redactor, payload: dict[str, Any]) -> None:
    """Check that nothing of the marked texts is left, that all else is, and that nothing is changed."""
    before = copy.deepcopy(payload)
    shown = redactor.redact(payload)
    assert payload == before
    written = json.dumps(shown, ensure_ascii=False, allow_nan=False)
    assert "zq7" not in written.lower()
    assert redactor.redact(shown) == shown, "to redact twice is to redact once"
    for name, value in payload.items():
        if name in KNOWN and value == KNOWN[name]:
            assert shown[name] == value


@settings(max_examples=25, deadline=None)
@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.dates()
    | st.datetimes() | st.just(Colour.RED) | st.builds(Thing) | st.builds(Said, message=st.text()),
    lambda part: (
        st.lists(part) | st.frozensets(st.text() | st.integers()) | st.dictionaries(st.text() | st.integers(), part)
    ),
))  # fmt: skip
def test_whatever_a_payload_holds_becomes_json(value: Any) -> None:
    for redactor in (CONFIGURED, REVEALING, STRICT):
        shown = redactor.redact({"value": value})
        assert json.loads(json.dumps(shown, allow_nan=False).encode()) == shown


def test_words_become_their_length_and_what_is_known_stays() -> None:
    payload = {
        "message": "The lamp is on.",
        "instructions": {"light-agent": "turn on the lamp", "music-agent": "play"},
        "tool": "light.turn_on",
        "memory": {"history_count": 2, "params_keys": ["area"], "waiting_for_param": None},
        "data": {"brightness": 40, "color_name": "red", "text": 1234, "kelvin": 2700.5},
        "errors": {"light.lamp": "no_answer", "Grandma's lamp": "failed"},
        "unexpected": "turn on the lamp",
    }
    assert CONFIGURED.redact(payload) == {
        "message": "<15 characters>",
        "instructions": {"light-agent": "<16 characters>", "music-agent": "<4 characters>"},
        "tool": "light.turn_on",
        "memory": payload["memory"],
        "data": {"brightness": 40, "color_name": "red", "text": "<4 characters>", "kelvin": 2700.5},
        "errors": {"light.lamp": "no_answer", "<14 characters>": "failed"},
        "unexpected": "<16 characters>",
    }


def test_words_are_shown_to_whoever_wants_them_but_not_what_is_withheld() -> None:
    payload = {
        "message": "The lamp is on.",
        "reasoning": "words \ud800 of a lamp",
        "call": {"message": "to the neighbours", "api_key": "abc", "title": "x" * 5000, "n": 1},
    }
    assert REVEALING.redact(payload) == {
        "message": "The lamp is on.",
        "reasoning": "words ? of a lamp",
        "call": {"message": WITHHELD, "api_key": WITHHELD, "title": "x" * MOST_CHARACTERS, "n": 1},
    }


def test_a_payloads_own_message_is_no_parameter_and_a_parameter_of_a_payload_is() -> None:
    shown = REVEALING.redact({"message": "Done.", "name": "Lamp", "data": {"tool": "x"}})
    assert shown == {"message": "Done.", "name": WITHHELD, "data": {"tool": "x"}}
    assert Redactor.of("tool").redact({"tool": "a.b", "data": {"tool": "x"}}) == {
        "tool": "a.b",
        "data": {"tool": WITHHELD},
    }


@pytest.mark.parametrize("names", ["Brightness , color-name,,", "colorName,BRIGHTNESS"])
def test_parameters_are_named_as_people_write_them(names: str) -> None:
    shown = Redactor.of(names).redact({"data": {"brightness": 3, "color_name": "red", "rgb": [1]}})
    assert shown == {"data": {"brightness": WITHHELD, "color_name": WITHHELD, "rgb": [1]}}


@pytest.mark.parametrize("scope", ["intent_id", "agent_id"])
def test_a_value_may_be_withheld_in_one_intent_or_by_one_agent_only(scope: str) -> None:
    redactor = Redactor.of("HassListAddItem: count")
    params = {"count": 3, "area": "kitchen"}
    withheld = redactor.redact({scope: "HassListAddItem", "params": params})
    assert withheld["params"] == {"count": WITHHELD, "area": "kitchen"}
    for other in ({scope: "HassTurnOn"}, {}):
        assert redactor.redact({**other, "params": params})["params"] == params


def test_which_parameters_are_redacted_is_told_by_their_names() -> None:
    names = ["title", "name", "area", "code", "brightness"]
    assert CONFIGURED.redacted(names) == ["code", "name", "title"]
    assert REVEALING.redacted(names) == ["code", "name"]
    assert STRICT.redacted(()) == []


@pytest.mark.parametrize(
    "value",
    [
        "redis://:hunter2@10.0.0.3:6379/0",
        "https://me:hunter2@example.com",
        "https://hunter2@example.com",
        "https://example.com/?access_token=hunter2",
        "Bearer hunter2",
        "basic hunter2",
        "sk-hunter2-hunter2",
        "ghp_hunter2hunter2hunter2",
        "eyJhunter2hunter2.hunter2",
    ],
)
def test_a_secret_is_known_by_its_looks(value: str) -> None:
    for redactor in (STRICT, REVEALING):
        assert redactor.redact({"found": value}) == {"found": WITHHELD}
        assert redactor.redact({value: 1}).keys() == {WITHHELD}


def test_what_only_sounds_like_a_secret_stays() -> None:
    payload = {
        "prompt_tokens": 12, "tokens": 3, "error_code": "no_answer", "params_keys": ["code"],
        "id": "task-0123456789", "turn": "turn-9a1b", "target": "light.desk-lamp-on-the-right",
    }  # fmt: skip
    assert STRICT.redact(payload) == payload


def test_values_of_other_kinds_become_json() -> None:
    at = datetime(2026, 11, 2, 8, tzinfo=UTC)
    payload: dict[Any, Any] = {
        "enum": Colour.RED,
        "number": Level.HIGH,
        "at": at,
        "on": date(2026, 11, 2),
        "bytes": b"abc",
        "model": Said(message="hello", count=2),
        "thing": Thing(),
        "set": {"one"},
        "infinite": math.inf,
        "stage": Stage.RESPOND,
        3: None,
    }
    assert STRICT.redact(payload) == {
        "enum": "red",
        "number": 3,
        "at": at.isoformat(),
        "on": "2026-11-02",
        "bytes": "<3 bytes>",
        "model": {"message": "<5 characters>", "count": 2},
        "thing": "<Thing>",
        "set": ["one"],
        "infinite": None,
        "stage": "respond",
        "3": None,
    }


def test_what_holds_itself_ends_somewhere() -> None:
    payload: dict[str, Any] = {"list": []}
    payload["list"].append(payload)
    assert "<more>" in json.dumps(STRICT.redact(payload))


def test_an_event_keeps_all_but_its_payload() -> None:
    event = TelemetryEvent(
        timestamp="t",
        interaction_id="i",
        session_id="s",
        stage=Stage.RESPOND,
        payload={"message": "hello"},
    )
    shown = STRICT.redact_event(event)
    assert event.payload == {"message": "hello"}
    assert shown == event.model_copy(update={"payload": {"message": "<5 characters>"}})

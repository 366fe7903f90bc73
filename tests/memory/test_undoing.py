"""What could be put back is kept with the conversation: bounded, whole, and read with care."""

from collections.abc import Mapping
import json
from typing import Any

from homeassistant.core import State
from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.domains.snapshot import StateSnapshot
from custom_components.bellboard.memory.models import TaskContext, decode, encode
from custom_components.bellboard.memory.turns import (
    MAX_ENTITIES,
    MAX_UNDOABLE,
    UndoRecord,
    forget_unchanged,
    keep_for_undo,
    last_undoable,
    pop_undo,
)

LAMP = "light.lamp"
ON = {"color_mode": "hs", "brightness": 100, "hs_color": (30.0, 60.0), "friendly_name": "Lamp"}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda part: (
        st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=12), part, max_size=4)
    ),
    max_leaves=12,
)
VALUES = (
    st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(-1e9, 1e9)
    | st.text(max_size=40)
    | st.tuples(st.floats(0, 360), st.floats(0, 100))
)
NAMES = (
    "brightness", "color_mode", "hs_color", "rgb_color", "effect", "volume_level", "source",
    "is_volume_muted", "media_content_id", "media_position", "temperature", "preset_mode", "humidity",
    "percentage", "oscillating", "current_position", "color_temp_kelvin",
)  # fmt: skip


@st.composite
def things(draw: st.DrawFn) -> StateSnapshot:
    """Return how something was."""
    names = ("light.a", "media_player.b", "climate.c", "fan.d", "cover.e", "x.y")
    return StateSnapshot(
        entity_id=draw(st.sampled_from(names)),
        state=draw(st.sampled_from(["on", "off", "playing", "idle", "heat", "unknown", ""])),
        attributes=draw(st.dictionaries(st.sampled_from(NAMES), VALUES)),
    )


def task(stored: Any = None) -> TaskContext:
    """Return the task of a conversation."""
    return TaskContext.submitted(
        session_id="talk", metadata={} if stored is None else {"undo": stored}
    )


def states(state: str, *entity_ids: str, **attributes: Any) -> dict[str, State]:
    """Return entities that are all in one state."""
    return {e: State(e, state, attributes) for e in entity_ids or (LAMP,)}


def keep(
    kept: TaskContext, before: Mapping[str, State], now: Mapping[str, State], said: str = "it"
) -> None:
    """Keep what a turn changed."""
    keep_for_undo(kept, said, before, now.get)


def test_only_what_changed_is_kept() -> None:
    talk = task()
    before = states("on", LAMP, "light.other", **ON)
    keep(talk, before, states("off") | states("on", "light.other", **ON, last_transition=2), "dark")
    record = last_undoable(talk)
    assert record
    assert record.said == "dark"
    assert [one.entity_id for one in record.before] == [LAMP]
    assert record.before[0].state == "on"
    assert record.before[0].attributes == {k: v for k, v in ON.items() if k != "friendly_name"}


def test_nothing_is_kept_where_nothing_changed() -> None:
    talk = task()
    keep(talk, {}, {})
    keep(talk, states("on", **ON), states("on", **ON, linkquality=4))
    assert last_undoable(talk) is None
    assert pop_undo(talk) is None


def test_that_a_command_changed_nothing_is_known_until_the_next() -> None:
    talk = task()
    keep(talk, states("off"), states("on", **ON))
    keep(talk, states("on", **ON), states("on", **ON))
    assert forget_unchanged(talk)
    assert not forget_unchanged(talk)
    assert last_undoable(talk) is not None


def test_what_is_gone_has_changed() -> None:
    talk = task()
    keep(talk, states("on", **ON), {})
    assert last_undoable(talk)


def test_the_last_turns_are_kept_and_taken_one_by_one() -> None:
    talk = task()
    for number in range(MAX_UNDOABLE + 2):
        keep(talk, states("on"), states("off"), str(number) * 400)
    for number in reversed(range(2, MAX_UNDOABLE + 2)):
        assert last_undoable(talk) == (record := pop_undo(talk))
        assert record
        assert record.said == str(number) * 300
    assert last_undoable(talk) is pop_undo(talk) is None
    assert "undo" not in talk.metadata


def test_of_too_much_nothing_is_put_back() -> None:
    """And the turn before it is not undone in its place."""
    talk = task()
    keep(talk, states("on"), states("off"))
    many = [f"light.number_{number}" for number in range(MAX_ENTITIES + 1)]
    keep(talk, states("on", *many), states("off", *many))
    record = last_undoable(talk)
    assert record
    assert record.before == ()
    pop_undo(talk)
    keep(talk, states("on", *many[1:]), states("off", *many[1:]))
    record = last_undoable(talk)
    assert record
    assert len(record.before) == MAX_ENTITIES
    assert len(json.dumps(talk.metadata)) < 20_000


@settings(max_examples=100, deadline=None)
@given(st.lists(things(), max_size=5), st.text(max_size=50))
def test_a_record_is_the_same_after_it_was_written(before: list[StateSnapshot], said: str) -> None:
    record = UndoRecord(at="2026-01-01T00:00:00Z", said=said, before=tuple(before))
    kept = decode(encode(task([record.as_json()])))
    read = last_undoable(kept)
    assert read
    assert read.before == record.before
    assert [list(one.attributes.items()) for one in read.before] == [
        list(one.attributes.items()) for one in record.before
    ]


@settings(max_examples=150, deadline=None)
@given(
    JSON
    | st.lists(
        st.fixed_dictionaries(
            {"at": JSON, "before": st.lists(JSON, max_size=2)},
            optional={"said": JSON},
        ),
        max_size=5,
    )
    | st.lists(
        st.fixed_dictionaries(
            {
                "at": st.just("now"),
                "before": st.lists(
                    st.fixed_dictionaries(
                        {
                            "entityId": st.sampled_from([LAMP, "", "light", 1, None, "a.b.c"]),
                            "state": st.sampled_from(["on", "off", None, 3]),
                            "attributes": JSON,
                        }
                    ),
                    max_size=3,
                ),
            }
        ),
        max_size=5,
    )
)
def test_anything_can_stand_there(stored: Any) -> None:
    talk = task(stored)
    record = last_undoable(talk)
    assert record is None or isinstance(record, UndoRecord)
    assert pop_undo(talk) == record
    keep(talk, states("on"), states("off"))
    assert last_undoable(talk)


def test_what_cannot_be_read_is_left_out() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"before": [deep]}
    good = UndoRecord(at="now", before=(StateSnapshot(entity_id=LAMP, state="on"),)).as_json()
    talk = task([good, {"at": "now", "before": [{"entityId": "no id", "state": "on"}]}, deep])
    record = last_undoable(talk)
    assert record
    assert record.before[0].entity_id == LAMP


@pytest.mark.parametrize(
    "name", ["light.a b", "LIGHT.a", "light", "light.a\n", "light." + "a" * 300]
)
def test_an_id_that_is_none_is_not_read(name: str) -> None:
    assert last_undoable(task([{"at": "", "before": [{"entity_id": name, "state": "on"}]}])) is None

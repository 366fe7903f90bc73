"""Golden files: what they may hold, in which line they are wrong, and how what was done is judged."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.evaluation.compare import (
    ObservedCall,
    ObservedTurn,
    differences,
    read_call,
    same,
)
from custom_components.bellboard.evaluation.golden_file import (
    GoldenFileError,
    read_cases,
    read_file,
    read_text,
)
from custom_components.bellboard.evaluation.models import Expected, GoldenFile

GOOD = """\
house: demo
language: de
cases:
  - id: one
    say: mach das Licht aus
    area: Kitchen
    given:
      - action: light.turn_on
        entity_id: light.desk_lamp
        data: {brightness: 100}
    expect:
      agents: light-agent
      calls:
        - action: light.turn_off
          entities: [light.desk_lamp]
      changed:
        light.desk_lamp: off
        light.kitchen_ceiling: {state: on, brightness: 3}
        todo.shopping_list: 3
        scene.movie_night:
      state: completed
      reply: Desk Lamp
      not_reply: [sorry]
      stages: [received, {stage: respond, level: info, payload: {intent_id: null}}]
  - id: two
    needs: model
    turns:
      - say: turn on a lamp
      - say: the floor lamp
        area: Office
        expect: {unchanged: true}
"""


def test_a_good_file_is_read() -> None:
    golden = read_text(GOOD, "good.yaml")
    one, two = golden.cases
    assert (golden.house, golden.language, golden.policies) == ("demo", "de", None)
    assert one.agent_id == "light-agent"
    assert one.given[0].entity_id == ("light.desk_lamp",)
    [turn] = one.conversation
    assert turn.expect
    assert turn.expect.changed == {
        "light.desk_lamp": {"state": "off"},
        "light.kitchen_ceiling": {"state": "on", "brightness": 3},
        "todo.shopping_list": {"state": "3"},
        "scene.movie_night": {},
    }
    assert turn.expect.reply == ("Desk Lamp",)
    assert [stage.stage for stage in turn.expect.stages] == ["received", "respond"]
    assert two.agent_id == ""
    assert [turn.area for turn in two.conversation] == [None, "Office"]


CASE = "cases:\n  - id: a\n    say: hello\n    expect: {unchanged: true}\n"

WRONG = {
    "": "file.yaml is empty",
    "cases: []": "file.yaml, line 1: there are no cases",
    "house: demo": "file.yaml, line 1, cases: it is missing",
    "- one\n- two": "file.yaml, line 1: there must be names with values here",
    "cases: [": "file.yaml, line 2: ",
    "cases:\n\t- id: a": "file.yaml, line 2: ",
    CASE + "colour: red": "file.yaml, line 5, colour: there is no such field",
    CASE + "language: de\nlanguage: en": "file.yaml, line 6: language stands there twice",
    CASE + CASE[7:]: "file.yaml, line 1: there are two cases with the id a",
    CASE.replace("hello", "''"): "file.yaml, line 3, cases → a → say: ",
    CASE.replace(
        "    say: hello\n", ""
    ): "file.yaml, line 2, cases → a: a case has either say or turns",
    CASE.replace("    expect: {unchanged: true}\n", ""): "a: nothing is expected of this case",
    CASE.replace("{unchanged: true}", "{}"): "file.yaml, line 4, cases → a → expect: nothing is",
    CASE.replace("true}", "true, changed: {light.a: on}}"): "both changed and unchanged",
    CASE.replace("true", "maybe"): "file.yaml, line 4, cases → a → expect → unchanged: ",
    CASE.replace("unchanged: true", "state: done"): "line 4, cases → a → expect → state: ",
    CASE.replace(
        "unchanged: true", "stages: []"
    ): "line 4, cases → a → expect → stages: nothing is expected",
    CASE.replace("unchanged: true", "stages: [respond, think]"): "expect → stages → 2: ",
    CASE.replace("unchanged: true", "stages: [{level: info}]"): "stages → 1 → stage: it is missing",
    CASE.replace("unchanged: true", "stages: [{stage: respond, level: bad}]"): "→ 1 → level: ",
    CASE.replace("unchanged: true", "stages: [{stage: respond, tool: x}]"): "→ tool: there is no",
    CASE.replace("unchanged: true", "stages: [3]"): "stages → 1: there must be names with values",
    CASE + "    needs: luck": "file.yaml, line 5, cases → a → needs: ",
    CASE + "    given:\n      - {entity_id: light.a}": "line 6, cases → a → given → 1 → action: ",
    CASE
    + "    given:\n      - {action: x.y, entity_id: lamp}": "line 6, cases → a → given → 1 → entity_id: this is no id",
    CASE + "    turns:\n      - {say: hi}": "a case has either say or turns",
    CASE.replace("    say: hello", "    turns:\n      - {say: hi}"): "each has its own expect",
    CASE.replace("say: hello", "say: [1, 2]"): "file.yaml, line 3, cases → a → say: ",
    "&a [*a]": "file.yaml",
    "? [a]\n: b": "file.yaml, line 1: found unhashable key",
}


@pytest.mark.parametrize(("text", "told"), WRONG.items())
def test_an_error_names_its_line_and_its_reason(text: str, told: str) -> None:
    with pytest.raises(GoldenFileError) as raised:
        read_text(text, "file.yaml")
    assert told in str(raised.value)


def test_several_errors_are_told_at_once() -> None:
    text = CASE.replace("hello", "''") + "    needs: luck\n"
    with pytest.raises(GoldenFileError) as raised:
        read_text(text, "file.yaml")
    assert len(str(raised.value).splitlines()) == 2


def test_cases_need_no_file() -> None:
    cases: list[Any] = [{"id": "a", "say": "hello", "expect": {"unchanged": True}}]
    assert isinstance(read_cases(cases), GoldenFile)
    with pytest.raises(GoldenFileError, match=r"cases, cases → 1 → id: it is missing"):
        read_cases([{"say": "hello"}])


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(GoldenFileError, match=r"none\.yaml cannot be read: No such file"):
        read_file(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("house: Küche".encode("latin-1"))
    with pytest.raises(GoldenFileError, match="not written in UTF-8"):
        read_file(tmp_path / "latin.yaml")
    (tmp_path / "control.yaml").write_bytes(b"house: \x00")
    with pytest.raises(GoldenFileError, match=r"control\.yaml"):
        read_file(tmp_path / "control.yaml")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cases", "id", "say", "turns", "expect", "calls", "changed", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_VALUES)
def test_anything_is_either_read_or_refused_with_a_reason(data: Any) -> None:
    import yaml

    readers: tuple[Callable[[], GoldenFile], ...] = (
        lambda: read_cases(data),
        lambda: read_text(yaml.safe_dump(data, allow_unicode=True), "file.yaml"),
    )
    for read in readers:
        reason = ""
        try:
            read()
        except GoldenFileError as err:
            reason = str(err)
        assert reason != "file.yaml"


TRACE: list[dict[str, Any]] = [
    {"stage": "received", "level": "info", "payload": {"memory": {"history_count": 2, "left": 1}}},
    {"stage": "policy_check", "level": "warn", "payload": {"allowed": False, "rule": "night"}},
    {"stage": "policy_check", "level": "info", "payload": {"allowed": True, "steps": ["a", "b"]}},
    {"stage": "respond", "level": "info", "payload": {"intent_id": None}},
]


def observed(**values: Any) -> ObservedTurn:
    """Return what came of a turn that turned off the desk lamp."""
    call = ObservedCall("light.turn_off", frozenset({"light.desk_lamp"}), {"transition": 2})
    return ObservedTurn(
        **{
            "reply": "Turned off Desk Lamp.",
            "state": "completed",
            "agents": ("light-agent",),
            "calls": (call,),
            "changed": {"light.desk_lamp": {"state": "off", "brightness": None}},
            "stages": TRACE,
            **values,
        }
    )


RIGHT: tuple[dict[str, Any], ...] = (
    {"agents": "light-agent"},
    {"calls": [{"action": "light.turn_off", "entities": ["light.desk_lamp"]}]},
    {
        "calls": [
            {
                "action": "light.turn_off",
                "entities": ["light.desk_lamp"],
                "data": {"transition": 2.0},
            }
        ]
    },
    {"changed": {"light.desk_lamp": "off"}},
    {"changed": {"light.desk_lamp": None}},
    {"state": "completed"},
    {"reply": ["desk lamp", "TURNED"], "not_reply": ["sorry"]},
    {"stages": "received"},
    {"stages": ["received", "policy_check", "policy_check", "respond"]},
    {"stages": [{"stage": "received", "payload": {"memory": {"history_count": 2}}}, "respond"]},
    {"stages": [{"stage": "policy_check", "level": "info", "payload": {"steps": ["a", "b"]}}]},
    {"stages": [{"stage": "respond", "payload": {"intent_id": None}}]},
)


@pytest.mark.parametrize("expected", RIGHT)
def test_what_is_as_expected_makes_no_difference(expected: dict[str, Any]) -> None:
    assert differences(Expected.model_validate(expected), observed()) == []


DIFFERENT: tuple[tuple[dict[str, Any], str], ...] = (
    ({"agents": ["home-agent"]}, "light-agent answered, not home-agent"),
    ({"agents": []}, "light-agent answered, not nobody"),
    ({"calls": []}, "light.turn_off for light.desk_lamp with transition: 2 was called"),
    (
        {"calls": [{"action": "light.turn_off", "entities": ["light.b", "light.a"]}]},
        "light.turn_off for light.a, light.b was not called",
    ),
    (
        {
            "calls": [
                {
                    "action": "light.turn_off",
                    "entities": ["light.desk_lamp"],
                    "data": {"flash": "short"},
                }
            ]
        },
        'light.turn_off for light.desk_lamp with flash: "short" was not called',
    ),
    ({"changed": {"light.desk_lamp": "on"}}, 'light.desk_lamp: state is "off", not "on"'),
    ({"changed": {"light.a": "on", "light.desk_lamp": None}}, "light.a did not change"),
    ({"changed": {"light.a": "on"}}, "light.desk_lamp changed, too"),
    ({"unchanged": True}, "light.desk_lamp changed"),
    ({"state": "failed"}, "the task is completed, not failed"),
    ({"reply": "Floor Lamp"}, "“Floor Lamp” was not said, but “Turned off Desk Lamp.”"),
    ({"not_reply": "desk"}, "“desk” was said: “Turned off Desk Lamp.”"),
    (
        {"stages": [{"stage": "policy_check", "level": "error", "payload": {"allowed": False}}]},
        (
            "the trace has no policy_check (error) with allowed: false, "
            "but policy_check (warn) with allowed: false and policy_check (info) with allowed: true"
        ),
    ),
    (
        {"stages": [{"stage": "policy_check", "payload": {"steps": ["a"]}}]},
        (
            'the trace has no policy_check with steps: ["a"], '
            'but policy_check (warn) and policy_check (info) with steps: ["a", "b"]'
        ),
    ),
    (
        {"stages": [{"stage": "received", "payload": {"memory": {"history_count": 3}}}]},
        (
            'the trace has no received with memory: {"history_count": 3}, but '
            'received (info) with memory: {"history_count": 2, "left": 1}'
        ),
    ),
    (
        {"stages": [{"stage": "respond", "payload": {"waiting_for_param": None}}]},
        "the trace has no respond with waiting_for_param: null, but respond (info)",
    ),
    (
        {"stages": ["policy_check", "received"]},
        "the trace has no received, but policy_check, respond",
    ),
    (
        {"stages": ["policy_check", "tool_execute"]},
        "the trace has no tool_execute, but policy_check, respond",
    ),
    ({"stages": ["respond", "respond"]}, "the trace has no respond, but nothing more"),
)


@pytest.mark.parametrize(("expected", "told"), DIFFERENT)
def test_a_difference_is_told_in_words(expected: dict[str, Any], told: str) -> None:
    assert told in differences(Expected.model_validate(expected), observed())


def test_what_nobody_could_see_makes_no_difference() -> None:
    expected = Expected.model_validate({"changed": {"light.a": "on"}})
    assert differences(expected, observed(changed=None)) == []
    expected = Expected.model_validate({"stages": ["tool_execute"]})
    assert differences(expected, observed(stages=None)) == []
    # A dry run executes nothing; the stages about it are as expected.
    dry = Expected.model_validate({"stages": ["policy_check", "tool_execute", "respond"]})
    assert differences(dry, observed(changed=None)) == []
    assert differences(dry, observed(changed=None, stages=TRACE[:-1]))


def test_what_was_not_carried_out_is_not_told_but_what_is_asked_is() -> None:
    expected = Expected.model_validate({"reply": "turned on", "not_reply": "would"})
    would = observed(changed=None, reply="I would do that.")
    assert differences(expected, would) == []
    asked = observed(changed=None, reply="Which would you like?", state="input-required")
    assert len(differences(expected, asked)) == 2


def test_one_call_for_two_is_two_calls_for_one_each() -> None:
    expected = Expected.model_validate(
        {"calls": [{"action": "light.turn_on", "entities": ["light.a", "light.b"]}]}
    )
    single = tuple(ObservedCall("light.turn_on", frozenset({f"light.{name}"})) for name in "ab")
    assert differences(expected, observed(calls=single)) == []


def test_calls_are_read_as_traces_write_them() -> None:
    call = read_call({"action": "a.b", "data": {"entity_id": ["light.a"], "x": 1}})
    assert call == ObservedCall("a.b", frozenset({"light.a"}), {"x": 1})
    assert read_call({"action": "a.b", "data": {"entity_id": "light.a"}}).entities == {"light.a"}
    assert read_call({"action": "a.b"}) == ObservedCall("a.b")


@pytest.mark.parametrize(
    ("found", "wanted", "alike"),
    [
        (40.0, 40, True),
        (39.99999, 40, True),
        (39.9, 40, False),
        ((240.0, 100.0), [240, 100], True),
        ((240.0,), [240, 100], False),
        ({"a": 1.0}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        (True, 1, False),
        (True, True, True),
        (None, "on", False),
        ("on", "on", True),
    ],
)
def test_values_are_compared_as_people_mean_them(found: Any, wanted: Any, alike: bool) -> None:
    assert same(found, wanted) is alike

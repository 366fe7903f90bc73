"""What rules say is what happens: to each target once, within bounds, and never more than is allowed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
import logging
from typing import Any

from homeassistant.util.yaml import parse_yaml
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.domains.models import ToolCall
from custom_components.bellboard.policy.engine import (
    CallHistory,
    DaySpan,
    Interaction,
    NullPolicyEngine,
    PastCall,
    PolicyEffect,
    Verdict,
)
from custom_components.bellboard.policy.matching import NameKind
from custom_components.bellboard.policy.parsing import PolicyFileError, read_rules
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine
from custom_components.bellboard.policy.rules import comparable, normal_name
from custom_components.bellboard.when import (
    Once,
    Repeated,
    Schedule,
    SunEvent,
    SunTime,
    Trigger,
    When,
)


@dataclass(frozen=True)
class FakeState:
    """The state of an entity."""

    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class FakeHome:
    """A home as it is described. Names are by kind, then by entity id or by who asks."""

    states: dict[str, FakeState] = field(default_factory=dict)
    of: dict[NameKind, dict[str, list[str]]] = field(default_factory=dict)

    def state(self, entity_id: str) -> FakeState | None:
        return self.states.get(entity_id)

    def ids(self, kind: NameKind, entity_id: str) -> Collection[str]:
        return self.of.get(kind, {}).get(entity_id, [])

    def names(self, kind: NameKind, id_: str) -> Collection[str]:
        return {normal_name(id_), normal_name(f"The {id_}")}

    def speaker(self, kind: NameKind, interaction: Interaction) -> Collection[str]:
        value = getattr(
            interaction,
            {
                NameKind.USER: "user_id",
                NameKind.PERSON: "user_id",
                NameKind.SATELLITE: "satellite_id",
                NameKind.DEVICE: "device_id",
                NameKind.SPOKEN_IN: "area_id",
            }[kind],
        )
        return {"any", normal_name(value)} if value else ()

    def sun_span(self, sun: SunTime) -> DaySpan:
        return DaySpan(time(16), time(22)) if sun.event is SunEvent.SUNSET else DaySpan()


TUESDAY_EVENING = datetime(2026, 11, 24, 21, 30)  # noqa: DTZ001 -- local time, as a rule sees it
HOME = FakeHome(
    states={
        "light.a": FakeState("on", {"brightness": 51}),
        "light.b": FakeState("on", {"brightness": 204}),
        "light.c": FakeState("off"),
        "media_player.m": FakeState("playing", {"volume_level": 0.35}),
        "media_player.n": FakeState("playing", {"volume_level": 0.1}),
    },
    of={
        NameKind.AREA: {"light.a": ["kitchen"], "light.b": ["living_room"]},
        NameKind.FLOOR: {"light.a": ["ground"], "light.b": ["first"]},
        NameKind.LABEL: {"light.a": ["kids", "old"], "light.b": ["old"]},
    },
)
LIGHTS = ("light.a", "light.b", "light.c")


def who(**values: Any) -> Interaction:
    base = Interaction(id="1", session_id="s", text="secret", language="en", at=TUESDAY_EVENING)
    return replace(base, **values)


def engine(text: str, home: FakeHome = HOME) -> RulePolicyEngine:
    return RulePolicyEngine(read_rules(parse_yaml(text)), home)


def one(match: str, effect: str = "effect: deny\n    reason: No.") -> RulePolicyEngine:
    return engine(f"rules:\n  - name: it\n    match: {match}\n    {effect}\n")


def call(action: str = "light.turn_on", *targets: str, **data: Any) -> ToolCall:
    return ToolCall(action=action, targets=targets, data=data)


def denied(policy: RulePolicyEngine, asked: ToolCall, by: Interaction | None = None) -> set[str]:
    """Return the targets that are denied; "*" for a call that has none."""
    verdicts = policy.validate(asked, by or who())
    return {
        target
        for verdict in verdicts
        if verdict.effect is PolicyEffect.DENY
        for target in verdict.call.targets or ("*",)
    }


def summary(verdicts: Collection[Verdict]) -> list[tuple[str, str, tuple[str, ...], Any]]:
    return [
        (verdict.effect.value, verdict.rule, verdict.call.targets, verdict.call.data)
        for verdict in verdicts
    ]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("{}", LIGHTS),
        ("{action: light.turn_on}", LIGHTS),
        ("{action: LIGHT.Turn_On}", LIGHTS),
        ("{action: light.*}", LIGHTS),
        ('{action: "*"}', LIGHTS),
        ("{action: light.turn_?}", ()),
        ("{action: light.turn_off}", ()),
        # A lamp that is off is turned on by toggling it.
        ("{action: [light.turn_off, light.toggle]}", ("light.c",)),
        ("{domain: light}", LIGHTS),
        ("{domain: [climate, lock]}", ()),
        ("{entity: light.a}", ("light.a",)),
        ('{entity: ["light.[a]", light.b]}', ("light.b",)),
        ('{entity: "*.c"}', ("light.c",)),
        ("{entity: [light.c, light.?]}", LIGHTS),
        ("{area: kitchen}", ("light.a",)),
        ("{area: the KITCHEN}", ("light.a",)),
        ("{area: [kitchen, The Living_Room]}", ("light.a", "light.b")),
        ("{area: nowhere}", ()),
        ("{floor: Ground}", ("light.a",)),
        ("{label: [kids, never]}", ("light.a",)),
        ("{label: The Old}", ("light.a", "light.b")),
        ("{area: kitchen, label: old}", ("light.a",)),
        ("{area: living_room, label: kids}", ()),
        ("{not: {area: kitchen}}", ("light.b", "light.c")),
        ("{not: {}}", ()),
        ("{any: [{area: kitchen}, {entity: light.c}]}", ("light.a", "light.c")),
        ("{any: [{domain: light}, {entity: light.c}]}", LIGHTS),
        ("{all: [{label: old}, {not: {area: kitchen}}]}", ("light.b",)),
        ("{domain: light, not: {any: [{area: kitchen}, {area: living_room}]}}", ("light.c",)),
        ("{parameters: {brightness_pct: {above: 30}}}", LIGHTS),
        ("{parameters: {brightness_pct: {above: 40}}}", ()),
        ("{parameters: {brightness_pct: {below: 40}}}", ()),
        ("{parameters: {brightness_pct: {above: 30, below: 50}}}", LIGHTS),
        ("{parameters: {brightness: {above: 101, below: 103}}}", LIGHTS),
        ("{parameters: {brightness_pct: 40}}", LIGHTS),
        ("{parameters: {color_name: [Red, BLUE]}}", LIGHTS),
        ("{parameters: {color_name: {above: 3}}}", ()),
        ("{parameters: {flash: short}}", ()),
    ],
)
def test_a_rule_is_about_what_is_written_in_it(match: str, expected: tuple[str, ...]) -> None:
    asked = call("light.turn_on", *LIGHTS, brightness_pct=40, color_name="blue")
    assert denied(one(match), asked) == set(expected)


@pytest.mark.parametrize(
    ("match", "matching", "other"),
    [
        ("{user: Alice}", {"user_id": "alice"}, {"user_id": "bob"}),
        ("{user: any}", {"user_id": "bob"}, {}),
        ("{not: {user: any}}", {}, {"user_id": "bob"}),
        ("{satellite: assist_satellite.hall}", {"satellite_id": "assist_satellite.hall"}, {}),
        ("{satellite: any}", {"satellite_id": "x"}, {}),
        ("{device: [d1, d2]}", {"device_id": "D2"}, {"device_id": "d3"}),
        ("{spoken_in: Kitchen}", {"area_id": "kitchen"}, {"area_id": "hall"}),
        ("{count: {above: 10}}", {"count": 11}, {"count": 10}),
        ("{count: {below: 2}}", {"count": 1}, {"count": 2}),
    ],
)
def test_a_rule_is_about_who_asks(
    match: str, matching: dict[str, Any], other: dict[str, Any]
) -> None:
    policy = one(match)
    assert denied(policy, call("light.toggle", *LIGHTS), who(**matching)) == set(LIGHTS)
    assert denied(policy, call("light.toggle", *LIGHTS), who(**other)) == set()


def test_a_rule_is_about_what_a_model_assumed() -> None:
    said = call("light.toggle", *LIGHTS)
    assumed = said.model_copy(update={"assumed": True})
    assert denied(one("{assumed: true}"), assumed) == set(LIGHTS)
    assert denied(one("{assumed: true}"), said) == set()
    assert denied(one("{assumed: false}"), said) == set(LIGHTS)


@pytest.mark.parametrize(
    ("window", "day", "clock", "holds"),
    [
        ('{after: "20:00"}', 24, "20:00", True),
        ('{after: "20:00"}', 24, "19:59", False),
        ('{before: "7:00"}', 24, "06:59", True),
        ('{before: "07:00:00"}', 24, "07:00", False),
        ('{after: "08:00", before: "12:00"}', 24, "12:00", False),
        ('{after: "08:00", before: "12:00"}', 24, "08:00", True),
        ('{after: "20:00", before: "07:00"}', 24, "23:59", True),
        ('{after: "20:00", before: "07:00"}', 24, "00:00", True),
        ('{after: "20:00", before: "07:00"}', 24, "12:00", False),
        ("{weekdays: tue}", 24, "12:00", True),
        ("{weekdays: [mon, wed]}", 24, "12:00", False),
        ('{weekdays: [tue], after: "20:00", before: "07:00"}', 25, "03:00", False),
    ],
)
def test_a_rule_is_for_a_time(window: str, day: int, clock: str, *, holds: bool) -> None:
    at = datetime.fromisoformat(f"2026-11-{day} {clock}")
    asked = call("light.toggle", "light.a")
    assert bool(denied(one(f"{{time: {window}}}"), asked, who(at=at))) is holds


AT_NOON = Repeated(clock=time(12))
AT_SUNSET = Repeated(sun=SunTime(event=SunEvent.SUNSET))
AT_SUNRISE = Repeated(sun=SunTime(event=SunEvent.SUNRISE))
ON_WEEKENDS = Repeated(clock=time(12), weekdays=(5, 6))
EACH_HOUR = Repeated(every=3600)
WHEN_OPENED = Trigger(text="the door is opened")


@pytest.mark.parametrize(
    ("start", "window", "some", "every"),
    [
        (AT_NOON, '{after: "11:00", before: "13:00"}', True, True),
        (AT_NOON, '{after: "12:00"}', True, True),
        (AT_NOON, '{before: "12:00"}', False, False),
        (AT_NOON, '{after: "22:00", before: "12:01"}', True, True),
        (AT_NOON, "{weekdays: mon}", True, False),
        (AT_NOON, "{weekdays: [mon, tue, wed, thu, fri, sat, sun]}", True, True),
        (ON_WEEKENDS, "{weekdays: [sat, sun, mon]}", True, True),
        (ON_WEEKENDS, "{weekdays: [sat]}", True, False),
        (ON_WEEKENDS, "{weekdays: [mon]}", False, False),
        (ON_WEEKENDS, '{weekdays: [sat, sun], after: "13:00"}', False, False),
        (AT_SUNSET, '{after: "16:00", before: "22:01"}', True, True),
        (AT_SUNSET, '{after: "16:00", before: "22:00"}', True, False),
        (AT_SUNSET, '{after: "22:00", before: "06:00"}', True, False),
        (AT_SUNSET, '{after: "22:01", before: "16:00"}', False, False),
        (AT_SUNRISE, '{before: "03:00"}', True, False),
        (EACH_HOUR, '{after: "03:00", before: "03:10"}', True, False),
        (WHEN_OPENED, '{after: "22:00", before: "06:00"}', True, False),
        (WHEN_OPENED, "{weekdays: sun}", True, False),
    ],
)
def test_what_is_for_several_times_is_forbidden_at_any_and_allowed_at_all(
    start: When, window: str, *, some: bool, every: bool
) -> None:
    asked, by = call("light.toggle", "light.a"), who(schedule=Schedule(start=start))
    assert bool(denied(one(f"{{time: {window}}}"), asked, by)) is some
    assert bool(denied(one(f"{{not: {{time: {window}}}}}"), asked, by)) is not every
    trusted = f"rules:\n  - name: a\n    match: {{time: {window}}}\n    effect: allow\n"
    rest = "  - name: d\n    match: {}\n    effect: deny\n    reason: No.\n"
    assert bool(denied(engine(trusted + rest), asked, by)) is not every
    # Once it is due, it is for that moment only.
    due = replace(by, is_due=True)
    now = denied(one(f"{{time: {window}}}"), asked, replace(due, schedule=Schedule()))
    assert denied(one(f"{{time: {window}}}"), asked, due) == now


FOR_TEN_MINUTES = Schedule(lasts=600)
ONCE = Once(at=datetime(2026, 11, 25, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("planned", "matching", "others"),
    [
        ("any", "once repeated trigger whenever lasts until once_for", "now"),
        ("none", "now", "once repeated trigger whenever lasts until once_for"),
        ("once", "once once_for", "now repeated trigger whenever lasts until"),
        ("repeated", "repeated whenever", "now once trigger lasts until once_for"),
        ("trigger", "trigger whenever", "now once repeated lasts until once_for"),
        ("lasts", "lasts until once_for", "now once repeated trigger whenever"),
        ("[none, repeated]", "now repeated whenever", "once trigger lasts until once_for"),
    ],
)
@pytest.mark.parametrize("is_due", [False, True])
def test_a_rule_is_about_how_it_was_planned(
    planned: str, matching: str, others: str, *, is_due: bool
) -> None:
    schedules = {
        "now": Schedule(),
        "once": Schedule(start=ONCE),
        "repeated": Schedule(start=AT_NOON),
        "trigger": Schedule(start=WHEN_OPENED),
        "whenever": Schedule(start=WHEN_OPENED.model_copy(update={"repeats": True})),
        "lasts": FOR_TEN_MINUTES,
        "until": Schedule(until=ONCE),
        "once_for": Schedule(start=ONCE, lasts=600),
    }
    assert {*matching.split(), *others.split()} == schedules.keys()
    for name, schedule in schedules.items():
        by = who(schedule=schedule, is_due=is_due)
        found = denied(one(f"{{planned: {planned}}}"), call("light.toggle", "light.a"), by)
        assert bool(found) is (name in matching.split()), name


def past(action: str, *targets: str, ago: float = 1, is_done: bool = False, **by: Any) -> PastCall:
    """Return a call of an earlier turn, so many minutes ago."""
    then = who(**{"id": f"t{ago}", "text": "", **by})
    at = TUESDAY_EVENING - timedelta(minutes=ago)
    return PastCall(action, frozenset(targets), then, at, is_done)


ON_A, DONE_A = past("light.turn_on", "light.a"), past("light.turn_on", "light.a", is_done=True)
TWICE = (past("light.turn_on", "light.a", ago=2), ON_A)


@pytest.mark.parametrize(
    ("match", "history", "expected"),
    [
        ("{asked_before: {minutes: 5}}", (), ()),
        ("{asked_before: {minutes: 5}}", (ON_A,), ("light.a",)),
        ("{not: {asked_before: {minutes: 5}}}", (ON_A,), ("light.b", "light.c")),
        ("{asked_before: {minutes: 1}}", (ON_A,), ()),
        ("{asked_before: {minutes: 5}}", (DONE_A,), ()),
        ("{done_before: {minutes: 5}}", (ON_A, DONE_A), ("light.a",)),
        ("{done_before: {minutes: 5}}", (ON_A,), ()),
        ("{asked_before: {minutes: 5, times: 2}}", (ON_A,), ()),
        # A turn counts once, however often it asks.
        ("{asked_before: {minutes: 5, times: 2}}", (ON_A, ON_A), ()),
        ("{asked_before: {minutes: 5, times: 2}}", TWICE, ("light.a",)),
        ("{asked_before: {minutes: 1.5, times: 2}}", TWICE, ()),
        ("{asked_before: {minutes: 5}, area: living_room}", (ON_A,), ()),
        # Of another thing, or another action.
        ("{asked_before: {minutes: 5}}", (past("light.turn_on", "light.z"),), ()),
        ("{asked_before: {minutes: 5}}", (past("light.turn_off", "light.a"),), ()),
        ("{asked_before: {minutes: 5}}", (past("intent.HassStartTimer"),), ()),
        # In another way, which ends in the same state: the lamp is on.
        ("{asked_before: {minutes: 5}}", (past("homeassistant.turn_on", "light.a"),), ("light.a",)),
        ("{not: {asked_before: {minutes: 5}}}", (past("homeassistant.turn_on", *LIGHTS),), LIGHTS),
        # By whom.
        ("{asked_before: {minutes: 5}}", (past("light.turn_on", "light.a", user_id="bob"),), ()),
        (
            "{asked_before: {minutes: 5, by: anybody}}",
            (past("light.turn_on", "light.a", user_id="bob"),),
            ("light.a",),
        ),
        (
            "{asked_before: {minutes: 5, by: conversation}}",
            (past("light.turn_on", "light.a", user_id="bob"),),
            ("light.a",),
        ),
        (
            "{asked_before: {minutes: 5, by: conversation}}",
            (past("light.turn_on", "light.a", session_id="other"),),
            (),
        ),
        ("{asked_before: {minutes: 5}}", (past("light.turn_on", "light.a", session_id="o"),), ()),
    ],
)
def test_a_rule_is_about_what_was_asked_for_and_done_before(
    match: str, history: Sequence[PastCall], expected: tuple[str, ...]
) -> None:
    found = {
        target
        for verdict in one(match).validate(call("light.turn_on", *LIGHTS), who(), history)
        if verdict.effect is PolicyEffect.DENY
        for target in verdict.call.targets
    }
    assert found == set(expected)


def test_the_same_person_is_known_by_the_user_else_by_what_heard_them() -> None:
    policy = one("{asked_before: {minutes: 5}}")

    def is_same(now: dict[str, Any], then: dict[str, Any]) -> bool:
        history = (past("light.turn_on", "light.a", session_id="then", **then),)
        [verdict] = policy.validate(call("light.turn_on", "light.a"), who(**now), history)
        return not verdict.allowed

    assert is_same({"user_id": "ann"}, {"user_id": "ann", "device_id": "other"})
    assert not is_same({"user_id": "ann"}, {"user_id": "bob"})
    assert not is_same({"user_id": "ann", "device_id": "hall"}, {"device_id": "hall"})
    assert is_same({"device_id": "hall"}, {"device_id": "hall"})
    assert not is_same({"device_id": "hall"}, {"device_id": "attic"})
    assert not is_same({}, {})
    assert is_same({"session_id": "then"}, {})


def test_what_is_not_known_beforehand_counts_against_who_asks() -> None:
    unknown = ToolCall(action="light.turn_on", unresolved=frozenset({"targets"}))
    history = (ON_A,)
    [verdict] = one("{asked_before: {minutes: 5}}").validate(unknown, who(), history)
    assert verdict.effect is PolicyEffect.DENY
    trusted = "rules:\n  - {name: a, match: {asked_before: {minutes: 5}}, effect: allow}\n"
    rest = "  - {name: d, match: {}, effect: deny, reason: No.}\n"
    [verdict] = engine(trusted + rest).validate(unknown, who(), history)
    assert verdict.effect is PolicyEffect.DENY


def test_history_is_of_earlier_turns_and_holds_no_word() -> None:
    history = CallHistory()
    asked = call("light.turn_on", "light.a")
    for turn, session in (("1", "s"), ("2", "s"), ("3", "other")):
        by = who(id=turn, session_id=session)
        history.note(asked, asked.targets, by, TUESDAY_EVENING, is_done=False)
        history.note(asked, asked.targets, by, TUESDAY_EVENING, is_done=True)

    def turns(*, is_answer: bool, is_done: bool) -> list[str]:
        found = history.before(who(id="2"), is_answer=is_answer)
        return [each.interaction.id for each in found if each.is_done is is_done]

    assert turns(is_answer=False, is_done=False) == ["1", "3"]
    # The turn that asked for the yes is this request, and not an earlier one; what was done was done.
    assert turns(is_answer=True, is_done=False) == ["3"]
    assert turns(is_answer=True, is_done=True) == ["1", "3"]
    assert "secret" not in repr(history.before(who(id="9")))


def test_the_last_thousand_calls_are_remembered() -> None:
    history = CallHistory()
    asked = call("light.turn_on", "light.a")
    for number in range(1005):
        by = who(id=str(number))
        history.note(asked, asked.targets, by, TUESDAY_EVENING, is_done=False)
    found = [each.interaction.id for each in history.before(who(id="now"))]
    assert found == [str(number) for number in range(5, 1005)]


def test_what_has_no_target_is_still_asked_about() -> None:
    timer = call("intent.HassStartTimer", minutes=90)
    for match in ("{action: intent.HassStartTimer}", "{domain: intent}", "{action: intent.*}"):
        assert denied(one(match), timer) == {"*"}
    assert denied(one("{parameters: {minutes: {above: 60}}}"), timer) == {"*"}
    history = (past("intent.hassstarttimer"),)
    [verdict] = one("{asked_before: {minutes: 5}}").validate(timer, who(), history)
    assert verdict.effect is PolicyEffect.DENY
    for match in ("{area: kitchen}", "{entity: light.a}", '{entity: "?*"}', "{domain: light}"):
        assert denied(one(match), timer) == set()
    assert summary(one("{domain: light}").validate(timer, who())) == [
        ("allow", "", (), {"minutes": 90})
    ]


def test_temperatures_cannot_be_passed_by_with_a_range() -> None:
    policy = one("{parameters: {temperature: {above: 24}}}")
    for data in ({"temperature": 25}, {"target_temp_low": 18, "target_temp_high": 25}):
        assert denied(policy, call("climate.set_temperature", "climate.a", **data))
    cold = one("{parameters: {temperature: {below: 16}}}")
    data = {"target_temp_low": 15, "target_temp_high": 20}
    assert denied(cold, call("climate.set_temperature", "climate.a", **data))
    assert not denied(policy, call("climate.set_temperature", "climate.a", **data))
    assert not denied(policy, call("climate.turn_on", "climate.a"))


@pytest.mark.parametrize("mode", ["off", '"off"', "[heat, off]", "Off"])
def test_off_is_off_though_yaml_reads_it_as_false(mode: str) -> None:
    policy = one(f"{{parameters: {{hvac_mode: {mode}}}}}")
    assert denied(policy, call("climate.set_hvac_mode", "climate.a", hvac_mode="off"))
    assert not denied(policy, call("climate.set_hvac_mode", "climate.a", hvac_mode="cool"))


def test_truth_and_lists_can_be_asked_for() -> None:
    mute = one("{parameters: {is_volume_muted: true}}")
    assert denied(mute, call("media_player.volume_mute", "media_player.m", is_volume_muted=True))
    assert not denied(
        mute, call("media_player.volume_mute", "media_player.m", is_volume_muted=False)
    )
    join = one("{parameters: {group_members: media_player.n}}")
    members = ["media_player.x", "media_player.n"]
    assert denied(join, call("media_player.join", "media_player.m", group_members=members))
    assert not denied(join, call("media_player.join", "media_player.m", group_members={"a": 1}))
    length = one("{parameters: {minutes: {above: 5}}}")
    assert denied(length, call("intent.HassStartTimer", minutes="10"))
    assert not denied(length, call("intent.HassStartTimer", minutes="ten"))
    assert not denied(length, call("intent.HassStartTimer", minutes="nan"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"brightness_step_pct": 20}, {"light.b"}),
        ({"brightness_step_pct": 61}, {"light.a", "light.b"}),
        ({"brightness_step_pct": 90}, {"light.a", "light.b", "light.c"}),
        ({"brightness_step": 1}, {"light.b"}),
        ({"brightness": 210}, {"light.a", "light.b", "light.c", "light.gone"}),
        ({"transition": 3}, set()),
    ],
)
def test_a_step_is_judged_by_where_it_leads(data: dict[str, Any], expected: set[str]) -> None:
    policy = one("{parameters: {brightness_pct: {above: 80}}}")
    assert denied(policy, call("light.turn_on", *LIGHTS, "light.gone", **data)) == expected


def test_louder_is_judged_by_where_it_leads() -> None:
    policy = one("{parameters: {volume_level: {above: 0.4}}}")
    players = ("media_player.m", "media_player.n", "media_player.gone")
    assert denied(policy, call("media_player.volume_up", *players)) == {"media_player.m"}
    assert denied(policy, call("media_player.volume_down", *players)) == set()
    set_to = call("media_player.volume_set", *players, volume_level=0.5)
    assert denied(policy, set_to) == set(players)


def test_rules_are_asked_in_order_and_each_target_by_itself() -> None:
    policy = engine("""
rules:
  - {name: kitchen, match: {area: kitchen}, effect: allow}
  - {name: old, match: {label: old}, effect: confirm, reason: It is old.}
  - {name: rest, match: {entity: "light.*"}, effect: deny, reason: Not that.}
""")
    asked = call("light.turn_on", "light.c", "light.b", "light.a", "light.c")
    assert summary(policy.validate(asked, who())) == [
        ("deny", "rest", ("light.c",), {}),
        ("confirm", "old", ("light.b",), {}),
        ("allow", "kitchen", ("light.a",), {}),
    ]
    assert [verdict.reason for verdict in policy.validate(asked, who())] == [
        "Not that.", "It is old.", "",
    ]  # fmt: skip


def test_a_rule_that_was_agreed_to_leaves_the_word_to_those_after_it() -> None:
    policy = engine("""
rules:
  - {name: ask, match: {domain: light}, effect: confirm}
  - {name: never, match: {entity: light.a}, effect: deny, reason: Never.}
""")
    asked = call("light.turn_on", "light.a", "light.b")
    assert summary(policy.validate(asked, who())) == [
        ("confirm", "ask", ("light.a", "light.b"), {})
    ]
    assert summary(policy.validate(asked, who(), confirmed=frozenset({"ask", "never"}))) == [
        ("deny", "never", ("light.a",), {}),
        ("allow", "", ("light.b",), {}),
    ]


def test_a_clamped_call_goes_on_to_the_rules_after() -> None:
    policy = engine("""
rules:
  - {name: warm, match: {domain: climate}, effect: clamp, to: {temperature: {max: 24, min: 16}}, reason: Not so warm.}
  - {name: study, match: {entity: climate.study}, effect: clamp, to: {temperature: {max: 21.5}}, reason: Not there.}
  - {name: hot, match: {parameters: {temperature: {above: 24}}}, effect: deny, reason: Never said.}
  - {name: ask, match: {entity: climate.bath}, effect: confirm}
  - {name: fine, match: {entity: climate.hall}, effect: allow}
""")
    targets = ("climate.hall", "climate.study", "climate.bath")
    verdicts = policy.validate(call("climate.set_temperature", *targets, temperature=30.0), who())
    assert summary(verdicts) == [
        ("clamp", "warm", ("climate.hall",), {"temperature": 24}),
        ("clamp", "study", ("climate.study",), {"temperature": 21.5}),
        ("confirm", "ask", ("climate.bath",), {"temperature": 24}),
    ]
    assert verdicts[1].reason == "Not so warm. Not there."
    assert isinstance(verdicts[0].call.data["temperature"], int)
    in_bounds = call("climate.set_temperature", "climate.x", temperature=20)
    assert policy.validate(in_bounds, who()) == [Verdict(effect=PolicyEffect.ALLOW, call=in_bounds)]
    spread = call("climate.set_temperature", "climate.x", target_temp_low=10, target_temp_high=30)
    assert policy.validate(spread, who())[0].call.data == {
        "target_temp_low": 16,
        "target_temp_high": 24,
    }
    without = call("climate.set_hvac_mode", "climate.x", hvac_mode="heat")
    assert policy.validate(without, who())[0].effect is PolicyEffect.ALLOW


def test_a_step_is_clamped_to_where_it_may_lead() -> None:
    policy = one("{domain: light}", "effect: clamp\n    to: {brightness_pct: {max: 60}}")
    asked = call("light.turn_on", *LIGHTS, "light.gone", brightness_step_pct=30, transition=2)
    assert summary(policy.validate(asked, who())) == [
        ("allow", "", ("light.a", "light.c", "light.gone"), dict(asked.data)),
        ("clamp", "it", ("light.b",), {"transition": 2, "brightness_pct": 60}),
    ]
    eights = one("{domain: light}", "effect: clamp\n    to: {brightness: {max: 100}}")
    asked = call("light.turn_on", "light.b", "light.a", brightness_pct=100)
    assert summary(eights.validate(asked, who())) == [
        ("clamp", "it", ("light.b", "light.a"), {"brightness": 100})
    ]


def test_louder_is_clamped_to_a_volume() -> None:
    policy = one("{domain: media_player}", "effect: clamp\n    to: {volume_level: {max: 0.4}}")
    asked = call("media_player.volume_up", "media_player.m", "media_player.n")
    verdicts = policy.validate(asked, who())
    assert [(v.effect.value, v.call.action, v.call.targets, v.call.data) for v in verdicts] == [
        ("clamp", "media_player.volume_set", ("media_player.m",), {"volume_level": 0.4}),
        ("allow", "media_player.volume_up", ("media_player.n",), {}),
    ]
    loud = call("media_player.volume_set", "media_player.m", volume_level=0.9)
    assert policy.validate(loud, who())[0].call.data == {"volume_level": 0.4}


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Nein."), ("de-CH", "Nein."), ("nb", "No."), ("no", "Nei."), ("en-GB", "No.")],
)
def test_a_reason_is_said_in_the_language_it_is_asked_in(language: str, said: str) -> None:
    policy = one("{}", "effect: deny\n    reason: {de: Nein., no: Nei., en: No.}")
    assert policy.validate(call("a.b", "c.d"), who(language=language))[0].reason == said


def test_a_reason_in_one_language_is_better_than_none() -> None:
    policy = one("{}", "effect: deny\n    reason: {de: Nein.}")
    assert policy.validate(call("a.b", "c.d"), who(language="fr"))[0].reason == "Nein."
    assert one("{}", "effect: confirm").validate(call("a.b", "c.d"), who())[0].reason == ""


def test_the_log_names_the_rule_and_nothing_that_was_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    one("{entity: light.a}").validate(call("light.turn_on", *LIGHTS, brightness_pct=77), who())
    one("{}", "effect: confirm").validate(call("light.turn_on", "light.a"), who())
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("WARNING", "Rule it: deny for light.turn_on, 1 of 3 targets"),
        ("INFO", "Rule it: confirm for light.turn_on, 1 of 1 targets"),
    ]


def test_what_is_remembered_of_a_house_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("custom_components.bellboard.policy.rule_engine._MAX_CACHED", 2)
    policy = one('{entity: "light.x*"}')
    for number in range(5):
        target, action = f"light.x{number}", f"light.do_{number}"
        assert denied(policy, call(action, target)) == {target}
    assert len(policy._patterns_by_entity) <= 2
    assert len(policy._candidates) <= 2


WRONG = [
    ("- a", 1, 'the file begins with "rules:"'),
    ("rules: 5", 1, "rules: write a list"),
    ("rules:\n  - 5", 2, "names with their values"),
    ("roles: []", 1, '"rules" is missing'),
    ("rules: []\nextra: 1", 2, '"extra" is not known here'),
    ("RULE\n    effect: alow", 4, "effect is one of allow, deny, confirm, clamp"),
    ("RULE\n    effect: deny", 2, "needs a reason"),
    ("RULE\n    effect: clamp", 2, "clamp needs it"),
    ("RULE\n    effect: allow\n    to: {a: {max: 1}}", 2, "to belongs to the effect clamp"),
    ("RULE\n    effect: clamp\n    to: {a: {}}", 5, "write min, max or both"),
    ("RULE\n    effect: clamp\n    to:\n      a: {max: 1, min: 2}", 6, "min 2 is more than max 1"),
    ("RULE\n    effect: clamp\n    to: {a: {max: .inf}}", 5, "max: write a number"),
    ("RULE\n    effect: allow\n    reason: {}", 5, "reason: something is missing here"),
    ("RULE\n    effect: allow\n    reason: {en: 5}", 5, "reason: write a text"),
    (
        "RULE\n    effect: allow\n  - name: x\n    match: {}\n    effect: allow",
        5,
        'name "x" already',
    ),
    (
        "rules:\n  - name: policies_broken\n    match: {}\n    effect: allow",
        2,
        "of Bellboard's own",
    ),
    ("rules:\n  - name: 'a\n\n      b'\n    match: {}\n    effect: allow", 2, "is no name"),
    ("rules:\n  - name: x\n    effect: allow", 2, '"match" is missing'),
    ("rules:\n  - name: x\n    match:\n    effect: allow", 3, "match: names with their values"),
    ("MATCH aera: Kitchen", 4, '"aera" is not known here: is it "area"?'),
    ("MATCH xyzzy: Kitchen", 4, '"xyzzy" is not known here'),
    ("MATCH area: [a, 5]", 4, "area: write a text"),
    ("MATCH area: ''", 4, "area: a text is missing here"),
    ("MATCH area: []", 4, "area: something is missing here"),
    ("MATCH all: []", 4, "all: something is missing here"),
    ("MATCH any:\n        - domain: light\n        - domian: light", 6, 'is it "domain"?'),
    (
        "MATCH not:\n        not:\n          area:\n            - a\n            -",
        7,
        "write a text",
    ),
    ("MATCH action: light", 4, "write it like light.turn_on"),
    ("MATCH domain: light.a", 4, "write what stands before the dot"),
    ("MATCH entity: kitchen", 4, "write it like light.hall"),
    ("MATCH time: {after: 20:00}", 4, 'put the time of day in quotes, like "20:00"'),
    ('MATCH time: {after: "25:00"}', 4, '"25:00" is no time of day'),
    ("MATCH time: {}", 4, "write after, before or weekdays"),
    ('MATCH time: {after: "20:00", before: "20:00"}', 4, "the same time"),
    ("MATCH time: {weekdays: monday}", 4, "weekdays is one of mon"),
    ("MATCH planned: later", 4, "planned is one of any, none, once, repeated, trigger, lasts"),
    ("MATCH planned: []", 4, "planned: something is missing here"),
    ("MATCH asked_before: {}", 4, '"minutes" is missing'),
    ("MATCH asked_before: 5", 4, "asked_before: names with their values"),
    ("MATCH asked_before: {minutes: 0}", 4, "write minutes above 0, and 1440 (a day) at the most"),
    ("MATCH done_before: {minutes: 1500}", 4, "write minutes above 0, and 1440 (a day)"),
    ("MATCH done_before: {minutes: soon}", 4, "minutes: write a number"),
    ("MATCH done_before: {minutes: 5, times: 0}", 4, "write 1 for times, or more"),
    ("MATCH done_before: {minutes: 5, times: 1.5}", 4, "times: write a whole number"),
    ("MATCH done_before: {minutes: 5, by: me}", 4, "by is one of person, conversation, anybody"),
    ("MATCH done_before: {minuts: 5, minutes: 5}", 4, 'is it "minutes"?'),
    ("MATCH asked_befor: {minutes: 5}", 4, 'is it "asked_before"?'),
    ("MATCH count: {}", 4, "write above, below or both"),
    ("MATCH count: 5", 4, "count: names with their values"),
    ("MATCH count: {above: true}", 4, "above: write a number"),
    ("MATCH parameters: {}", 4, "parameters: something is missing here"),
    (
        "MATCH parameters:\n        temperature:\n          above: 24\n          below: 20",
        5,
        "no number",
    ),
    ("MATCH parameters:\n        temperature:\n          over: 24", 6, '"over" is not known here'),
    ("MATCH parameters:\n        temperature: []", 5, "write a value, a list of values"),
    ("MATCH parameters: {a: 2026-01-01}", 4, "write a value, a list of values"),
    ("MATCH 5: 5", 3, "write a text before each colon"),
]


@pytest.mark.parametrize(("text", "line", "reason"), WRONG)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, reason: str) -> None:
    text = text.replace("RULE", "rules:\n  - name: x\n    match: {}")
    if text.startswith("MATCH "):
        text = f"rules:\n  - name: x\n    match:\n      {text[6:]}\n    effect: allow"
    with pytest.raises(PolicyFileError) as raised:
        read_rules(parse_yaml(text))
    assert raised.value.line == line
    assert reason in raised.value.reason


@pytest.mark.parametrize("text", ["", "rules:", "rules: []", "# nothing"])
def test_no_rules_are_rules(text: str) -> None:
    assert read_rules(parse_yaml(text)) == ()


# --- properties -------------------------------------------------------------------------------

_ENTITIES = [f"{domain}.{name}" for domain in ("light", "climate") for name in "abcd"]
_HOUSE = FakeHome(
    states={
        entity: FakeState("on", {"brightness": 30 * number})
        for number, entity in enumerate(_ENTITIES)
    },
    of={
        NameKind.AREA: {entity: [["kitchen", "hall"][n % 2]] for n, entity in enumerate(_ENTITIES)},
        NameKind.LABEL: {entity: ["old"] for entity in _ENTITIES[::3]},
    },
)
_number = st.integers(0, 100) | st.floats(0, 100)
_range = st.one_of(
    st.fixed_dictionaries({"above": _number}), st.fixed_dictionaries({"below": _number})
)
_leaf = st.one_of(
    st.fixed_dictionaries({"domain": st.sampled_from(["light", "climate"])}),
    st.fixed_dictionaries({"entity": st.lists(st.sampled_from([*_ENTITIES, "*.a"]), min_size=1)}),
    st.fixed_dictionaries({"area": st.sampled_from(["kitchen", "The Hall"])}),
    st.fixed_dictionaries({"label": st.just("old")}),
    st.fixed_dictionaries({"action": st.sampled_from(["light.*", "*", "climate.set_temperature"])}),
    st.fixed_dictionaries(
        {
            "parameters": st.dictionaries(
                st.sampled_from(["brightness_pct", "temperature"]), _range, min_size=1
            )
        }
    ),
    st.just({}),
)
_match = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=4,
)
_bounds = st.tuples(_number, _number).map(lambda pair: {"min": min(pair), "max": max(pair)})
_effect = st.one_of(
    st.just({"effect": "allow"}),
    st.just({"effect": "confirm"}),
    st.just({"effect": "deny", "reason": "No."}),
    st.fixed_dictionaries(
        {
            "effect": st.just("clamp"),
            "to": st.dictionaries(
                st.sampled_from(["brightness_pct", "temperature"]), _bounds, min_size=1
            ),
        }
    ),
)
_rules = st.lists(
    st.builds(lambda match, effect: {"match": match, **effect}, _match, _effect), max_size=5
)
_calls = st.one_of(
    st.builds(
        lambda targets, data: ToolCall(action="light.turn_on", targets=tuple(targets), data=data),
        st.lists(st.sampled_from(_ENTITIES[:4])),
        st.one_of(
            st.just({}),
            st.fixed_dictionaries({"brightness_pct": _number}),
            st.fixed_dictionaries({"brightness_step_pct": st.integers(-100, 100)}),
        ),
    ),
    st.builds(
        lambda targets, data: ToolCall(
            action="climate.set_temperature", targets=tuple(targets), data=data
        ),
        st.lists(st.sampled_from(_ENTITIES[4:])),
        st.one_of(
            st.fixed_dictionaries({"temperature": _number}),
            st.fixed_dictionaries({"target_temp_low": _number, "target_temp_high": _number}),
        ),
    ),
)
_CHEAP = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def named(rules: list[dict[str, Any]]) -> RulePolicyEngine:
    data = {"rules": [{"name": f"r{number}", **rule} for number, rule in enumerate(rules)]}
    return RulePolicyEngine(read_rules(data), _HOUSE)


def allowed(policy: RulePolicyEngine, asked: ToolCall) -> set[str]:
    verdicts = [v for v in policy.validate(asked, who()) if v.allowed]
    return {target for verdict in verdicts for target in verdict.call.targets or ("*",)}


@_CHEAP
@given(rules=_rules, asked=_calls)
def test_verdicts_are_about_each_target_once(rules: list[dict[str, Any]], asked: ToolCall) -> None:
    verdicts = named(rules).validate(asked, who())
    found = [target for verdict in verdicts for target in verdict.call.targets]
    assert sorted(found) == sorted(set(asked.targets))
    assert verdicts
    assert all(verdict.call.targets or not asked.targets for verdict in verdicts)
    assert len(verdicts) == 1 or asked.targets
    confirmed = frozenset(f"r{number}" for number in range(9))
    effects = {v.effect for v in named(rules).validate(asked, who(), confirmed=confirmed)}
    assert PolicyEffect.CONFIRM not in effects


@_CHEAP
@given(rules=_rules, asked=_calls, match=_match, place=st.integers(0, 5))
def test_one_more_rule_that_denies_never_allows_more(
    rules: list[dict[str, Any]], asked: ToolCall, match: dict[str, Any], place: int
) -> None:
    more = list(rules)
    more.insert(place, {"match": match, "effect": "deny", "reason": "No."})
    assert allowed(named(more), asked) <= allowed(named(rules), asked)


_past = st.builds(
    lambda asked, ago, is_done, user: past(
        asked.action, *asked.targets, ago=ago, is_done=is_done, user_id=user
    ),
    _calls,
    st.integers(0, 12),
    st.booleans(),
    st.sampled_from([None, "bob"]),
)
_earlier = st.fixed_dictionaries(
    {"minutes": st.integers(1, 12)},
    optional={
        "times": st.integers(1, 3),
        "by": st.sampled_from(["person", "conversation", "anybody"]),
    },
)


@_CHEAP
@given(
    rules=_rules,
    asked=_calls,
    match=_match,
    effect=_effect,
    place=st.integers(0, 5),
    key=st.sampled_from(["asked_before", "done_before"]),
    earlier=_earlier,
    history=st.lists(_past, max_size=6),
)
def test_a_rule_about_history_is_the_rule_without_it_or_none(
    *,
    rules: list[dict[str, Any]],
    asked: ToolCall,
    match: dict[str, Any],
    effect: dict[str, Any],
    place: int,
    key: str,
    earlier: dict[str, Any],
    history: list[PastCall],
) -> None:
    """Of each target: never is more allowed than by the rule without it, but where that does not match."""
    plain, bound = list(rules), list(rules)
    plain.insert(place, {"match": match, **effect})
    bound.insert(place, {"match": {"all": [match, {key: earlier}]}, **effect})

    def summed(written: list[dict[str, Any]], target: tuple[str, ...]) -> list[Any]:
        # Rules are named by their place, which a rule that is left out shifts.
        verdicts = named(written).validate(
            asked.model_copy(update={"targets": target}), who(), history
        )
        return [(each.effect, each.reason, each.call) for each in verdicts]

    each_alone: list[tuple[str, ...]] = [(each,) for each in asked.targets]
    for target in each_alone or [()]:
        assert summed(bound, target) in (summed(plain, target), summed(rules, target))
        if not history:
            assert summed(bound, target) == summed(rules, target)


@_CHEAP
@given(rules=_rules, asked=_calls, bounds=_bounds)
def test_what_is_clamped_is_within_bounds(
    rules: list[dict[str, Any]], asked: ToolCall, bounds: dict[str, float]
) -> None:
    both = {"brightness_pct": bounds, "temperature": bounds}
    clamping = {"match": {}, "effect": "clamp", "to": both}
    others = [rule for rule in rules if rule["effect"] not in {"allow", "clamp"}]
    for verdict in named([*others, clamping]).validate(asked, who()):
        if not verdict.allowed:
            continue
        data = verdict.call.data
        for name in ("brightness_pct", "temperature", "target_temp_low", "target_temp_high"):
            if name in data:
                assert bounds["min"] <= data[name] <= bounds["max"]
        for target in verdict.call.targets if "brightness_step_pct" in data else ():
            shown = round(_HOUSE.states[target].attributes["brightness"] / 255 * 100)
            level = min(max(shown + data["brightness_step_pct"], 0), 100)
            assert bounds["min"] <= level <= bounds["max"]


_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(),
    st.sampled_from(["light.*", "deny", "20:00", "any", "mon", "max", 10**400]),
)  # fmt: skip
_WRITTEN = """
    rules name match effect reason to action domain entity area floor label device_class parameters user satellite
    device spoken_in time planned count assumed all any not above below after before weekdays min max temperature
"""
_keys = st.one_of(
    st.sampled_from(_WRITTEN.split()),
    st.text(max_size=4),
    st.integers(),
    st.none(),
    st.booleans(),
)
_anything = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=12,
)
_nearly = st.builds(
    lambda rules: {"rules": rules},
    st.lists(
        st.fixed_dictionaries(
            {"name": st.sampled_from("abc"), "match": _anything, "effect": st.just("allow")},
            optional={"reason": _anything, "to": _anything},
        ),
        max_size=3,
    ),
)


def test_a_number_that_no_device_takes_cannot_be_compared() -> None:
    assert comparable(10**400) is None
    assert comparable(10**3) == 1000.0


@_CHEAP
@given(data=st.one_of(_anything, _nearly))
def test_whatever_is_written_is_rules_or_has_an_error_with_a_line(data: object) -> None:
    rules, error = None, None
    try:
        rules = read_rules(data)
    except PolicyFileError as err:
        error = err
    if rules is None:
        assert error
        assert error.line >= 1
        assert error.reason
        return
    policy = RulePolicyEngine(rules, _HOUSE)
    assert policy.rules == rules
    assert policy.validate(call("light.turn_on", "light.a", brightness_pct=5), who())


def test_without_rules_both_engines_say_the_same() -> None:
    asked = call("light.turn_on", *LIGHTS)
    assert list(NullPolicyEngine().validate(asked, who())) == list(
        RulePolicyEngine((), HOME).validate(asked, who())
    )


_clock = st.times().map(lambda at: at.replace(microsecond=0))
_window = st.one_of(
    st.tuples(_clock, _clock)
    .filter(lambda pair: pair[0] != pair[1])
    .map(lambda pair: {"after": f"{pair[0]}", "before": f"{pair[1]}"}),
    _clock.map(lambda at: {"after": f"{at}"}),
    st.lists(st.sampled_from(["mon", "wed", "sat"]), min_size=1).map(lambda d: {"weekdays": d}),
)
_time_match = st.recursive(
    _window.map(lambda window: {"time": window}),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=3,
)
_time_rules = st.lists(
    st.builds(
        lambda match, effect: {"match": match, "effect": effect, "reason": "No."},
        _time_match,
        st.sampled_from(["allow", "confirm", "deny"]),
    ),
    max_size=4,
)
_repeats = st.builds(
    lambda clock, sun, days: Repeated(clock=clock, sun=sun, weekdays=tuple(days)),
    _clock,
    st.none(),
    st.lists(st.integers(0, 6), unique=True),
)


@settings(max_examples=200, deadline=None)
@given(rules=_time_rules, start=_repeats, days=st.integers(0, 20))
def test_what_may_be_planned_again_and_again_may_be_done_each_time(
    rules: list[dict[str, Any]], start: Repeated, days: int
) -> None:
    policy, asked = named(rules), call("light.turn_on", "light.a")
    by = who(schedule=Schedule(start=start))
    at = datetime.combine(date(2026, 11, 23) + timedelta(days=days), start.clock or time())
    if start.weekdays and at.weekday() not in start.weekdays:
        return
    planned, then = (
        policy.validate(asked, by),
        policy.validate(asked, replace(by, at=at, is_due=True)),
    )
    assert then[0].allowed or not planned[0].allowed


@settings(max_examples=200, deadline=None)
@given(
    rules=_time_rules,
    minutes=st.integers(0, 20 * 24 * 60),
    kind=st.sampled_from(["sun", "every", "when"]),
)
def test_what_may_be_planned_for_any_time_may_be_done_at_any(
    rules: list[dict[str, Any]], minutes: int, kind: str
) -> None:
    policy, asked = named(rules), call("light.turn_on", "light.a")
    starts: dict[str, When] = {"sun": AT_SUNRISE, "every": EACH_HOUR, "when": WHEN_OPENED}
    by = who(schedule=Schedule(start=starts[kind]))
    at = datetime(2026, 11, 23) + timedelta(minutes=minutes)  # noqa: DTZ001 -- local time
    planned, then = (
        policy.validate(asked, by),
        policy.validate(asked, replace(by, at=at, is_due=True)),
    )
    assert then[0].allowed or not planned[0].allowed

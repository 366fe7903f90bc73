"""What a capable model plans is judged by the part of the sentence that it is for, and stopped with a reason."""

from typing import Any, NamedTuple

import pytest

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

TURN_ON, TURN_OFF = {"action": "turn_on"}, {"action": "turn_off"}
DIM = {"action": "set", "percent": 30, "color": None, "kelvin": None, "effect": None}


def step(action: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a step of a plan for what has these names."""
    return {**action, "targets": [*names]}


def targets(calls: list[dict[str, Any]]) -> set[str]:
    """Return the entity ids that calls are for."""
    found = [call["service_data"].get("entity_id", []) for call in calls]
    return {each for ids in found for each in ([ids] if isinstance(ids, str) else ids)}


class Case(NamedTuple):
    """What is said in a language and a room, what the agent's model plans for it, and what is done with which."""

    language: str
    area: str | None
    text: str
    agent: str
    steps: list[dict[str, Any]]
    done: frozenset[str] = frozenset()


# Done at once.
DESCRIBED = [
    Case(
        "en",
        "Living Room",
        "put out whichever lamp stands next to the wardrobe",
        "light",
        [step(TURN_OFF, "Left Bedside Lamp")],
        frozenset({"light.left_bedside_lamp"}),
    ),
    Case(
        "en",
        "Living Room",
        "the left one by the wardrobe may sleep now",
        "light",
        [step(TURN_OFF, "Left Bedside Lamp")],
        frozenset({"light.left_bedside_lamp"}),
    ),
    Case(
        "de",
        "Kitchen",
        "dimm die Lampe neben dem Sofa",
        "light",
        [step(DIM, "Floor Lamp")],
        frozenset({"light.floor_lamp"}),
    ),
    Case(
        "en",
        "Hallway",
        "we folks on this floor are through with those tunes",
        "music",
        [step({"action": "stop"}, "Kitchen Speaker")],
        frozenset({"media_player.kitchen_speaker"}),
    ),
    Case(
        "en",
        "Hallway",
        "bedtime for every bulb on this floor bar the hallway",
        "light",
        [step(TURN_OFF, "Kitchen Ceiling", "Reading Lamp")],
        frozenset({"light.kitchen_ceiling", "light.reading_lamp"}),
    ),
    Case(
        "es",
        None,
        "apaga la lámpara de la mesilla izquierda",
        "light",
        [step(TURN_OFF, "Left Bedside Lamp")],
        frozenset({"light.left_bedside_lamp"}),
    ),
    Case(
        "fr",
        None,
        "allume la lumière de la buanderie et éteins celle du salon",
        "light",
        [step(TURN_ON, "Laundry Room Light"), step(TURN_OFF, "Living Room Ceiling")],
        frozenset({"light.laundry_room_light", "light.living_room_ceiling"}),
    ),
    Case(
        "fr",
        "Kitchen",
        "monte le chauffage de la chambre des enfants d'un degré",
        "climate",
        [step({"action": "set_temperature", "temperature": 21}, "Kids Room Heating")],
        frozenset({"climate.kids_room_heating"}),
    ),
    Case(
        "en",
        None,
        "the speaker above the sink somewhat quieter",
        "music",
        [step({"action": "set_volume", "percent": 25}, "Kitchen Speaker")],
        frozenset({"media_player.kitchen_speaker"}),
    ),
    Case(
        "en",
        "Kitchen",
        "close the blinds by the cot",
        "home",
        [step({"action": "cover.close"}, "Bedroom Blinds")],
        frozenset({"cover.bedroom_blinds"}),
    ),
    Case(
        "en",
        "Kitchen",
        "unlock nothing, but hallway light brighter for the visitors",
        "light",
        [step(DIM, "Hallway Ceiling")],
        frozenset({"light.hallway_ceiling"}),
    ),
]

# Not done before a yes.
ASKED = [
    Case(
        "en",
        "Kitchen",
        "undo the lock by the bins",
        "home",
        [step({"action": "lock.unlock"}, "Front Door")],
        frozenset({"lock.front_door"}),
    ),
    Case(
        "en",
        "Kitchen",
        "put on the lamp next to the wardrobe",
        "light",
        [step(TURN_ON, "Left Bedside Lamp", "Right Bedside Lamp")],
        frozenset({"light.left_bedside_lamp", "light.right_bedside_lamp"}),
    ),
    Case(
        "es",
        None,
        "apaga la lámpara de la mesilla izquierda",
        "light",
        [step(TURN_OFF, "Left Bedside Lamp"), step(TURN_OFF, "Desk Lamp")],
        frozenset({"light.left_bedside_lamp", "light.desk_lamp"}),
    ),
    Case(
        "en",
        None,
        "the speaker above the sink as wild as it gets",
        "music",
        [step({"action": "set_volume", "percent": 95}, "Kitchen Speaker")],
        frozenset({"media_player.kitchen_speaker"}),
    ),
    Case(
        "de",
        None,
        "die Heizung neben dem Kinderbett mollig warm",
        "climate",
        [step({"action": "set_temperature", "temperature": 28}, "Kids Room Heating")],
        frozenset({"climate.kids_room_heating"}),
    ),
]

# What no word speaks of, and what therefore stays as it is.
REFUSED = [
    Case("en", None, "a dreamy lamp in the bedroom", "light", [step(TURN_OFF, "Kitchen Ceiling")]),
    Case("en", "Bedroom", "some dreamy lamp in here", "light", [step(TURN_OFF, "Kitchen Ceiling")]),
    Case("en", "Bedroom", "something dreamy", "light", [step(TURN_OFF, "Kitchen Ceiling")]),
    Case(
        "de",
        None,
        "etwas Verträumtes für die Lampe im Schlafzimmer",
        "light",
        [step(TURN_OFF, "Kitchen Ceiling")],
    ),
    Case(
        "fr",
        None,
        "une lumière douce et rêveuse dans le salon",
        "light",
        [step(TURN_OFF, "Kitchen Ceiling")],
    ),
    Case(
        "es",
        "Bedroom",
        "algo soñador para el alma",
        "light",
        [step(TURN_OFF, "Kitchen Ceiling")],
    ),
    Case(
        "en",
        "Kitchen",
        "something dreamy since the children left for school",
        "light",
        [step(TURN_OFF, "Left Bedside Lamp")],
    ),
    Case(
        "en",
        "Kitchen",
        "everything dreamy, but the hallway light stays dreamless",
        "light",
        [step(TURN_OFF, "Hallway Ceiling")],
    ),
]


@in_one_house("case", DESCRIBED, ids=lambda case: case.text)
async def test_one_thing_in_words_of_its_own_is_done_without_a_yes(
    speak: Setup, case: Case
) -> None:
    speaker = await speak(brain((case.agent, case.text), steps=case.steps), contract="capable")
    said = await speaker.say(case.text, language=case.language, area=case.area)
    assert targets(said.calls) == case.done, said.reply
    assert not said.result.continue_conversation
    assert speaker.model
    assert len(speaker.model.requests) == 2


@in_one_house("case", ASKED, ids=lambda case: case.text)
async def test_what_is_many_guarded_or_large_is_asked_about(speak: Setup, case: Case) -> None:
    speaker = await speak(brain((case.agent, case.text), steps=case.steps), contract="capable")
    said = await speaker.say(case.text, language=case.language, area=case.area)
    assert (said.calls, said.result.continue_conversation) == ([], True), said.reply
    yes = {"de": "ja", "es": "sí"}.get(case.language, "yes")
    agreed = await speaker.say(yes, language=case.language, area=case.area)
    assert targets(agreed.calls) == case.done


@in_one_house("case", REFUSED, ids=lambda case: case.text)
async def test_what_no_word_speaks_of_is_left_as_it_is(speak: Setup, case: Case) -> None:
    speaker = await speak(brain((case.agent, case.text), steps=case.steps), contract="capable")
    said = await speaker.say(case.text, language=case.language, area=case.area)
    assert said.calls == [], said.reply
    assert not said.result.continue_conversation
    assert speaker.model
    assert len(speaker.model.requests) == 3, "it may plan once more, and not twice"


async def test_the_other_one_in_the_room_is_meant(speak: Setup) -> None:
    def answer(messages: Any, schema: Any) -> Any:
        steps = [step(TURN_OFF, "Left Bedside Lamp"), step(TURN_ON, "Right Bedside Lamp")]
        said = messages[-1].content.splitlines()[-1]
        return brain(("light", said), steps=steps)(messages, schema)

    speaker = await speak(answer, contract="capable")
    await speaker.say("turn on the left bedside lamp")
    said = await speaker.say("hm, rather that other one over there, silly me")
    assert targets(said.calls) == {"light.left_bedside_lamp", "light.right_bedside_lamp"}


@pytest.mark.parametrize(
    ("second", "done"),
    [
        ({"steps": [step(TURN_OFF, "Left Bedside Lamp")]}, {"light.left_bedside_lamp"}),
        ({"refuse": "There is no such lamp in the bedroom."}, set()),
        ({"ask": "Which of the bedside lamps?"}, set()),
    ],
)
async def test_what_is_stopped_is_planned_once_more_with_the_reason(
    speak: Setup, second: dict[str, Any], done: set[str]
) -> None:
    text = "a dreamy lamp in the bedroom"

    def answer(messages: Any, schema: Any) -> Any:
        is_second = len(messages) > 2
        plan = second if is_second else {"steps": [step(TURN_OFF, "Kitchen Ceiling")]}
        if is_second:
            assert "Kitchen Ceiling" in messages[-2].content
            assert "not where it was said: Kitchen Ceiling" in messages[-1].content
        return brain(("light", text), **plan)(messages, schema)

    speaker = await speak(answer, contract="capable")
    said = await speaker.say(text)
    assert targets(said.calls) == done
    assert speaker.model
    assert len(speaker.model.requests) == 3
    told = second.get("nothing") or second.get("ask")
    assert not told or said.reply == told


async def test_what_stays_stopped_is_told_with_the_reason(speak: Setup) -> None:
    text = "a dreamy lamp in the bedroom"
    steps = [step(TURN_OFF, "Kitchen Ceiling")]
    speaker = await speak(brain(("light", text), steps=steps), contract="capable")
    said = await speaker.say(text)
    assert said.reply == "I left Kitchen Ceiling as it is: you spoke of another place."


async def test_a_second_plan_that_comes_to_nothing_leaves_the_first(speak: Setup) -> None:
    text = "a dreamy lamp in the bedroom"
    first = [step(TURN_OFF, "Left Bedside Lamp", "Kitchen Ceiling")]

    def answer(messages: Any, schema: Any) -> Any:
        plan: dict[str, Any] = {"refuse": "No."} if len(messages) > 2 else {"steps": first}
        return brain(("light", text), **plan)(messages, schema)

    speaker = await speak(answer, contract="capable")
    said = await speaker.say(text)
    assert targets(said.calls) == {"light.left_bedside_lamp"}
    assert "you spoke of another place" in said.reply


async def test_all_that_is_stopped_is_told_in_one_whole_reason(speak: Setup) -> None:
    text = "something dreamy in the bedroom"
    lamps = ["Kitchen Ceiling", "Kitchen Counter", "Kitchen Pendant", "Reading Lamp", "Floor Lamp"]

    def answer(messages: Any, schema: Any) -> Any:
        if len(messages) > 2:
            reason = f"Not done: not where it was said: {', '.join(lamps)}. Plan all of it"
            assert messages[-1].content.startswith(reason)
        return brain(("light", text), steps=[step(TURN_OFF, *lamps)])(messages, schema)

    speaker = await speak(answer, contract="capable")
    said = await speaker.say(text)
    assert said.calls == []
    assert speaker.model
    assert len(speaker.model.requests) == 3


@in_one_house(
    "case",
    [
        Case(
            "en",
            "Workshop",
            "my fingers are numb at this bench, make it warmer down here",
            "climate",
            [step({"action": "set_temperature", "temperature": 22}, "Living Room Thermostat")],
        ),
        Case(
            "en",
            "Workshop",
            "give me more to see by down here",
            "light",
            [step(TURN_ON, "Workbench Light")],
            frozenset({"light.workbench_light"}),
        ),
    ],
    ids=lambda case: case.text,
)
async def test_down_here_is_where_the_speaker_is(speak: Setup, case: Case) -> None:
    speaker = await speak(brain((case.agent, case.text), steps=case.steps), contract="capable")
    said = await speaker.say(case.text, language=case.language, area=case.area)
    assert targets(said.calls) == case.done, said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "the bread one has to be done by Monday"),
        ("de", "das mit dem Brot muss noch erledigt werden"),
        ("es", "lo del pan tiene que estar hecho el lunes"),
        ("fr", "celui du pain doit être fait pour lundi"),
        ("it", "quello del pane deve essere fatto entro lunedì"),
        ("nl", "dat van het brood moet nog gedaan worden"),
        ("pl", "to z chlebem musi być zrobione do poniedziałku"),
        ("pt", "o do pão tem de estar feito até segunda"),
        ("sv", "det med brödet måste bli gjort"),
    ],
)
async def test_what_is_still_due_is_not_ticked_off(speak: Setup, language: str, text: str) -> None:
    steps = [step({"action": "todo.complete", "item": "bread"}, "Shopping List")]
    speaker = await speak(brain(("home", text), steps=steps), contract="capable")
    said = await speaker.say(text, language=language, area="Kitchen")
    assert said.calls == [], said.reply


async def test_what_is_done_is_ticked_off_beside_what_is_due(speak: Setup) -> None:
    text = "I brought along that bread, and somebody's milk still has to be fetched"
    steps = [step({"action": "todo.complete", "item": "bread"}, "Shopping List")]
    speaker = await speak(brain(("home", text), steps=steps), contract="capable")
    said = await speaker.say(text, area="Kitchen")
    assert [call["service"] for call in said.calls] == ["update_item"], said.reply

"""What is read word by word goes to a capable model where the reading would end in nothing, and else does not."""

from typing import Any

import pytest

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.servers import Fault

IT_IS_OFF, CANNOT, NOT_THERE = "it is off", "none of them can do that", "nothing of that kind"
GUESS, ITEMS, PLACE = "only a guess", "not named one by one", "what of"

# Language, room, what is said, and what the model is told of its reading.
LEFT = [
    ("en", None, "set the office air conditioner to 23", IT_IS_OFF),
    ("de", None, "stelle Office Air Conditioner auf 23 Grad", IT_IS_OFF),
    ("fr", None, "règle Office Air Conditioner à 23 degrés", IT_IS_OFF),
    ("es", None, "pon Office Air Conditioner a 23 grados", IT_IS_OFF),
    ("en", None, "make the kitchen counter red", CANNOT),
    ("de", None, "mach die Arbeitsplatte rot", CANNOT),
    ("fr", None, "mets Kitchen Counter en rouge", CANNOT),
    ("es", None, "pon Kitchen Counter en rojo", CANNOT),
    ("en", None, "turn off the humidifier in the kitchen", NOT_THERE),
    ("de", None, "mach den Luftbefeuchter in der Küche aus", NOT_THERE),
    ("fr", None, "éteins l'humidificateur de la cuisine", NOT_THERE),
    ("en", None, "turn on the bookshelv lights", GUESS),
    ("de", None, "mach die Steehlampe an", GUESS),
    ("en", None, "put whatever one needs for waffles on the shopping list", ITEMS),
    ("en", None, "put stuff for a picnic on the shopping list", ITEMS),
    ("de", None, "setz alles für Waffeln auf die Einkaufsliste", ITEMS),
    ("fr", None, "ajoute tout ce qu'il faut pour des gaufres à la liste de courses", ITEMS),
    ("fr", None, "mets sur la liste de courses de quoi faire des gaufres", ITEMS),
    ("es", None, "añade todo lo necesario para unos gofres a la lista de la compra", ITEMS),
    ("en", None, "resume the music of the kitchen in the office as well", PLACE),
    ("de", None, "spiel die Musik aus der Küche im Büro weiter", PLACE),
    ("en", "Kitchen", "play some green", "perhaps no title"),
]

# What no reading explains at all is left without a word of it.
UNREAD = [
    ("en", None, "is it warmer in the garage than in the attic"),
    ("en", None, "what is the average temperature of the kitchen and the office"),
    ("de", None, "wie groß ist der Temperaturunterschied zwischen Küche und Büro"),
    ("en", "Office", "make it nice for knitting"),
    ("fr", None, "je voudrais une lumière douce pour lire dans la cuisine"),
]

# What is read plainly and done or answered, in which language.
DONE = [
    ("en", None, "turn on the guest lamp"),
    ("de", None, "mach bitte die Stehlampe an"),
    ("fr", None, "allume la lumière de la cuisine"),
    ("es", None, "apaga Kitchen Counter"),
    ("en", None, "make the guest lamp red"),
    ("fr", None, "mets du rouge dans la cuisine"),
    ("en", None, "turn off the lights in the kitchen and the office"),
    ("en", None, "put milk and pears on the shopping list"),
    ("de", None, "setz Milch und Birnen auf die Einkaufsliste"),
    ("en", None, "set the kids room heating to 19"),
    ("en", None, "play jazz in the kitchen"),
    ("en", None, "how warm is it in the kitchen"),
    ("en", None, "how much warmer is the bedroom than the office"),
    ("en", None, "what is playing in the kitchen"),
    ("en", None, "movie night in the living room"),
    ("en", None, "please open the garage"),
    ("en", None, "I'm off to bed, turn off the lights in the office"),
    ("en", None, "Jarvis, turn off the lights in the office please"),
]


def forgetful(*parts: Any, **answers: Any) -> dict[str, Any]:
    """Return the options of an assistant with a capable model, which learns nothing."""
    return {"answer": brain(*parts, **answers), "contract": "capable"}


@in_one_house(("language", "area", "text", "hint"), LEFT)
async def test_a_reading_that_ends_in_nothing_is_a_hint_for_the_model(
    speak: Setup, language: str, area: str | None, text: str, hint: str
) -> None:
    speaker = await speak(**forgetful(question="How do you mean that?"))
    said = await speaker.say(text, language=language, area=area)
    assert (said.calls, said.changes) == ([], {})
    assert speaker.model
    [asked] = speaker.model.requests
    told = asked.messages[-1].content.splitlines()
    assert told[-1] == text
    [line] = [line for line in told if line.startswith("(Understood so far: ")]
    assert hint in line
    assert "Understood" not in asked.messages[0].content, "the fixed part stays the same"
    assert said.reply == "How do you mean that?"


@in_one_house(("language", "area", "text"), UNREAD)
async def test_what_nobody_reads_goes_to_the_model(
    speak: Setup, language: str, area: str | None, text: str
) -> None:
    speaker = await speak(**forgetful(question="How do you mean that?"))
    said = await speaker.say(text, language=language, area=area)
    assert (said.calls, said.reply) == ([], "How do you mean that?")


@in_one_house(("language", "area", "text"), DONE)
async def test_what_is_read_plainly_takes_no_model(
    speak: Setup, language: str, area: str | None, text: str
) -> None:
    speaker = await speak(**forgetful(question="How do you mean that?"))
    said = await speaker.say(text, language=language, area=area)
    assert speaker.model
    assert not speaker.model.requests
    assert said.reply != "How do you mean that?"


@in_one_house(
    ("language", "area", "text", "hint"),
    [case for case in LEFT if case[3] in {IT_IS_OFF, CANNOT, NOT_THERE, GUESS}],
)
async def test_where_the_model_fails_the_reading_stands(
    speak: Setup, language: str, area: str | None, text: str, hint: str
) -> None:
    """A model that answers nothing of use changes nothing: what was read is done or told as without one."""
    alone = await (await speak()).say(text, language=language, area=area)
    speaker = await speak(lambda *_: "Hm.", contract="capable")
    said = await speaker.say(text, language=language, area=area)
    assert said.reply == alone.reply, hint


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("put whatever one needs for waffles on the shopping list", ["flour", "eggs"]),
        ("put stuff for a picnic on the shopping list", ["grapes"]),
    ],
)
async def test_a_model_names_the_items(speak: Setup, text: str, items: list[str]) -> None:
    step = {"action": "todo.add", "targets": ["Shopping List"]}
    steps = [{**step, "item": item} for item in items]
    speaker = await speak(**forgetful(("home", text), steps=steps))
    said = await speaker.say(text)
    added = [call["service_data"]["item"] for call in said.calls if call["service"] == "add_item"]
    assert added == items


async def test_home_assistant_does_not_half_of_what_was_left_to_the_model(speak: Setup) -> None:
    """Home Assistant turns on what cannot be coloured, if nobody keeps it from that."""
    told = "The kitchen counter has no colours."
    speaker = await speak(**forgetful(("home", "make the kitchen counter red"), nothing=told))
    said = await speaker.say("make the kitchen counter red")
    assert (said.reply, said.calls) == (told, [])


async def test_a_part_that_is_not_there_leaves_the_whole_sentence_to_the_model(
    speak: Setup,
) -> None:
    parts = ("light", "turn off the kitchen counter"), ("home", "turn off the humidifier")
    steps = [{"action": "turn_off", "targets": ["Kitchen Counter"]}]
    told = "There is no humidifier."
    speaker = await speak(
        lambda messages, schema: brain(
            *parts,
            steps=steps if "counter" in messages[-1].content.rpartition("Request: ")[2] else (),
            nothing="" if "counter" in messages[-1].content.rpartition("Request: ")[2] else told,
        )(messages, schema),
        contract="capable",
    )
    said = await speaker.say("turn off the kitchen counter and the humidifier in the kitchen")
    assert set(said.changes) == {"light.kitchen_counter"}
    assert told in said.reply


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("turn on the kitchen counter", "make it green"),
        ("turn off the kitchen pendant", "and the humidifier in the kitchen too"),
    ],
)
async def test_what_goes_on_and_ends_in_nothing_goes_to_the_model(
    speak: Setup, first: str, then: str
) -> None:
    speaker = await speak(**forgetful(question="How do you mean that?"))
    await speaker.say(first)
    assert speaker.model
    assert not speaker.model.requests
    said = await speaker.say(then)
    assert (said.calls, said.reply) == ([], "How do you mean that?")
    assert "kitchen" in speaker.model.requests[0].messages[-1].content.casefold()


async def test_what_goes_on_and_is_done_takes_no_model(speak: Setup) -> None:
    speaker = await speak(**forgetful(question="How do you mean that?"))
    await speaker.say("turn on the guest lamp")
    said = await speaker.say("make it green")
    assert set(said.changes) == {"light.guest_lamp"}
    assert speaker.model
    assert not speaker.model.requests


async def test_a_remark_beside_what_is_done_is_no_part(speak: Setup) -> None:
    """What is done without the model is told to it, and nothing that it takes for a remark is answered."""
    speaker = await speak(**forgetful())
    said = await speaker.say("no wait, that's not his voice, lock it!", area="Hallway")
    assert [call["service"] for call in said.calls] == ["lock"]
    assert said.reply == "Front Door was locked already."
    assert speaker.model
    [asked] = speaker.model.requests
    told = asked.messages[-1].content.splitlines()
    assert told[0] == "(A part of: no wait, that's not his voice, lock it!)"
    assert told[1] == "(Done without you, no part of yours: lock it)"


async def test_what_says_no_place_may_be_for_that_of_the_rest(speak: Setup) -> None:
    """Leave the blinds to the model where what is not read beside them is for another room."""
    text = "get the lounge ready for visitors and shut the blinds as well"
    speaker = await speak(**forgetful(question="Which blinds?"))
    said = await speaker.say(text, area="Kitchen")
    assert (said.calls, said.reply) == ([], "Which blinds?")
    assert speaker.model
    [asked] = speaker.model.requests
    assert "perhaps in Living Room?" in asked.messages[-1].content


@in_one_house(
    "text", ["turn off the pendant and tell me a joke", "tell me a joke and turn off the pendant"]
)
async def test_what_is_understood_is_done_where_the_model_is_away(speak: Setup, text: str) -> None:
    """Do the part that needs no model, and say that it cannot be reached for the other."""
    speaker = await speak(**forgetful(question="How?"))
    assert speaker.server
    await speaker.server.suffer(Fault("stopped"))
    said = await speaker.say(text, area="Kitchen")
    assert [*said.changes] == ["light.kitchen_pendant"]
    assert "reach the language model" in said.reply


async def test_no_part_is_done_where_the_model_is_away_and_the_rest_is_of_the_home(
    speak: Setup,
) -> None:
    """What is not understood, and names a lamp, may be an exception."""
    speaker = await speak(**forgetful(question="How?"))
    assert speaker.server
    await speaker.server.suffer(Fault("stopped"))
    text = "tell me a joke about the counter and turn off the lights"
    assert (await speaker.say(text, area="Kitchen")).changes == {}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'm off to curl up with a novel, can you give me something soft for that?"),
        ("en", "The pancakes are ready, could you get us in the mood?"),
        ("de", "Wir kuscheln uns gleich ein, kannst du uns dafür etwas Weiches geben?"),
        ("nl", "We gaan zo lezen, kun je ons daar iets zachts bij geven?"),
    ],
)
async def test_a_polite_wish_behind_a_remark_is_no_question(
    speak: Setup, language: str, text: str
) -> None:
    wish = "something soft for the living room"
    step = {"action": "turn_on", "targets": ["Floor Lamp"]}
    speaker = await speak(brain(("light", wish), steps=[step]), contract="capable")
    said = await speaker.say(text, language=language, area="Living Room")
    assert [call["service"] for call in said.calls] == ["turn_on"], said.reply

"""What is planned is told as it will be, and can be taken back at any time, in every language."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util.yaml import load_yaml_dict

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.test_delayed import later, person, planned
from tests.test_scheduled import NOW
from tests.thorough import part

_TABLE: dict[str, Any] = dict(load_yaml_dict(Path(__file__).with_name("planned.yaml")))
_GARAGE = "cover.garage_door"


def each(key: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a key, with their languages."""
    for language, given in _TABLE.items():
        for text in given[key]:
            yield language, text


@in_one_house("language", _TABLE)
async def test_what_will_be_done_is_said_with_when_and_to_what(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    assert (await speaker.say(given["plan"], language=language)).reply == given["told"]
    asked, told = given["listed"]
    assert (await speaker.say(asked, language=language)).reply == told


@in_one_house(("language", "text"), each("noted"))
async def test_what_was_noted_is_asked_for_in_many_words(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    assert (await speaker.say(text, language=language)).reply == given["listed"][1]


@in_one_house(
    ("language", "action", "text"),
    [
        (language, action, text)
        for language, given in _TABLE.items()
        for action, texts in given["said"].items()
        for text in texts
    ]
    + [
        ("sv", "turn_on", "klockan åtta ska Mirror Light tändas"),
        ("sv", "turn_on", "tänd Mirror Light klockan åtta då kommer morfar"),
        ("sv", "turn_off", "Mirror Light ska släckas klockan åtta"),
        ("sv", "turn_off", "jag går och lägger mig släck Mirror Light om tio minuter"),
        ("sv", "turn_on", "tänd Mirror Light om tio minuter till matchen"),
        ("sv", "turn_on", "åh och förresten tänd Mirror Light klockan åtta"),
        ("sv", "turn_off", "släck Mirror Light klockan åtta han behöver sova"),
        # A part of a day that is over is that of the remark, and a reason may name a room.
        ("en", "turn_on", "turn Mirror Light on at eight it was freezing in there this morning"),
        (
            "en",
            "turn_on",
            "turn Mirror Light on at eight I'll be in the bath",
        ),
    ],
)
async def test_demands_and_remarks_are_planned(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    action: str,
    text: str,
) -> None:
    # In the evening, "soon at eight" would be over.
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    assert not said.result.continue_conversation, said.reply
    [command] = assistant_of(hass).delayed.waiting
    assert [(call.action, call.targets) for call in command.calls] == [
        (f"light.{action}", ("light.mirror_light",))
    ]


@in_one_house(
    ("language", "action", "text"),
    [
        ("en", "start", "send Dusty out at nine"),
        ("en", "return_to_base", "send Dusty home at nine"),
        ("de", "start", "schick Dusty um neun raus"),
        ("de", "return_to_base", "schick Dusty um neun nach Hause"),
        ("es", "return_to_base", "manda Dusty a casa a las nueve"),
        ("fr", "return_to_base", "envoie Dusty à sa base à neuf heures"),
        ("it", "start", "manda fuori Dusty alle nove"),
        ("it", "return_to_base", "manda Dusty alla base alle nove"),
        ("nl", "start", "stuur Dusty om negen uur op pad"),
        ("nl", "return_to_base", "stuur Dusty om negen uur naar huis"),
        ("pl", "return_to_base", "wyślij Dusty do bazy o dziewiątej"),
        ("pt", "return_to_base", "manda Dusty para a base às nove"),
        ("sv", "start", "skicka ut Dusty klockan nio"),
        ("sv", "return_to_base", "skicka hem Dusty klockan nio"),
        # What goes round the house cleans it.
        ("en", "start", "at nine Dusty should do a round of the house"),
        ("de", "start", "um neun soll Dusty mal durchs ganze Haus fahren"),
        ("es", "start", "a las nueve que Dusty dé una vuelta por toda la casa"),
        ("fr", "start", "à neuf heures que Dusty fasse le tour de la maison"),
        ("it", "start", "alle nove Dusty deve fare un giro per tutta la casa"),
        ("nl", "start", "om negen uur moet Dusty een rondje door het huis rijden"),
        ("pl", "start", "o dziewiątej niech Dusty zrobi rundkę po domu"),
        ("pt", "start", "às nove o Dusty dá uma volta pela casa"),
        ("sv", "start", "klockan nio ska Dusty gå en runda"),
    ],
)
async def test_what_cleans_is_sent_out_or_back_as_was_said(
    hass: HomeAssistant, speak: Setup, language: str, action: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    [command] = assistant_of(hass).delayed.waiting
    assert [(call.action, call.targets) for call in command.calls] == [
        (f"vacuum.{action}", ("vacuum.dusty",))
    ]


@in_one_house(("language", "text"), part(each("withdrawn"), 2))
async def test_a_plan_is_taken_back_whatever_was_said_in_between(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    for between in (given["listed"][0], *given["between"]):
        await speaker.say(between, language=language)
    said = await speaker.say(text, language=language)
    assert said.reply == given["canceled"]
    assert not said.changes
    assert await planned(hass) == []
    assert not await later(hass, 400)


@in_one_house(("language", "text"), part(each("bare"), 2))
async def test_what_was_just_told_is_taken_back_without_a_name(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    for asked in ([], [given["listed"][0]], [given["listed"][0], given["between"][0]]):
        await speaker.say(given["plan"], language=language)
        for between in asked:
            await speaker.say(between, language=language)
        assert (await speaker.say(text, language=language)).reply == given["canceled"]
        assert await planned(hass) == []


@in_one_house(("language", "text"), each("other"))
async def test_what_is_not_planned_takes_nothing_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert len(await planned(hass)) == 1
    assert _GARAGE in await later(hass, 400)


@in_one_house(("language", "text"), each("choosing"))
async def test_which_of_several_is_asked(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    await speaker.say(given["second"], language=language)
    await speaker.say(given["listed"][0], language=language)
    asked = await speaker.say(given["bare"][0], language=language)
    assert asked.result.continue_conversation
    assert "Garage Door" in asked.reply
    assert "Reading Lamp" in asked.reply
    assert len(await planned(hass)) == 2
    assert (await speaker.say(text, language=language)).reply == given["canceled"]
    [left] = await planned(hass)
    assert left["seconds_left"] > 400


@in_one_house(("language", "text"), each("both"))
async def test_all_of_several_are_taken_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    await speaker.say(given["second"], language=language)
    await speaker.say(given["listed"][0], language=language)
    await speaker.say(given["bare"][0], language=language)
    said = await speaker.say(text, language=language)
    assert "Garage Door" in said.reply
    assert "Reading Lamp" in said.reply
    assert await planned(hass) == []


@in_one_house(("language", "text"), each("dismissed"))
async def test_nothing_wanted_is_no_failure_and_corrects_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["between"][1], language=language)
    said = await speaker.say(text, language=language)
    assert said.reply == given["fine"]
    assert not said.changes
    assert not said.result.continue_conversation
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    traces = [*assistant.traces]
    assert not any(trace.is_corrected for trace in traces)


@in_one_house(("language", "text"), each("dismissed"))
async def test_what_is_planned_is_dropped_whatever_was_done_since(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    await speaker.say(given["between"][1], language=language)
    assert (await speaker.say(text, language=language)).reply == given["canceled"]
    assert await planned(hass) == []


@in_one_house(("language", "text"), each("dismissed"))
async def test_what_was_planned_in_another_conversation_is_not_dropped_unasked(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    speaker.conversation_id = None
    await speaker.say(given["between"][1], language=language)
    asked = await speaker.say(text, language=language)
    assert asked.result.continue_conversation
    assert "Garage Door" in asked.reply
    assert len(await planned(hass)) == 1
    assert (await speaker.say(given["yes"], language=language)).reply == given["canceled"]
    assert await planned(hass) == []


@in_one_house(("language", "text"), each("forbidden"))
async def test_what_is_forbidden_is_no_correction_that_does_it(
    speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["between"][1], language=language)
    assert _GARAGE not in (await speaker.say(text, language=language)).changes


@in_one_house(
    ("language", "plan", "text"),
    [
        ("pl", "otwórz Garage Door o ósmej", "nie Zosia śpi zrób to jutro o dziesiątej"),
        ("en", "open the garage door at eight", "no, the baby sleeps, don't do it then"),
    ],
)
async def test_what_may_be_about_the_plan_is_not_answered_as_if_it_were_gone(
    hass: HomeAssistant, speak: Setup, language: str, plan: str, text: str
) -> None:
    """Whoever hears that nothing is done believes so: what stays planned is told."""
    speaker = await speak()
    await speaker.say(plan, language=language)
    said = await speaker.say(text, language=language)
    assert not await planned(hass) or "Garage Door" in said.reply


@in_one_house(("language", "text"), each("kept"))
async def test_what_speaks_against_a_plan_is_told_of_it(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker, given = await speak(), _TABLE[language]
    await speaker.say(given["plan"], language=language)
    asked = await speaker.say(text, language=language)
    assert asked.result.continue_conversation
    assert "Garage Door" in asked.reply
    assert not asked.changes


ENDED: list[str] = []
KEPT = ["open the garage door"]


@in_one_house(
    ("said", "left"),
    [
        # A question that is open is left, and answered by no part of it.
        (["turn on the lamp", "don't open the garage door"], ENDED),
        (["turn on the lamp", "cancel opening the garage door"], ENDED),
        (["turn on the lamp", "never mind"], KEPT),
        (["turn on the floor lamp", "cancel that"], ENDED),
        (["turn on the floor lamp", "undo that"], KEPT),
        (["close the garage door in 9 minutes", "don't close the garage door"], KEPT),
        (["close the garage door in 9 minutes", "cancel the garage door", "the second"], KEPT),
        (["close the garage door in 9 minutes", "cancel both"], ENDED),
        (["close the garage door in 9 minutes", "cancel all plans"], ENDED),
        (["cancel the timer"], KEPT),
        (["cancel everything"], ENDED),
        (["turn off all the lights but not the floor lamp"], KEPT),
    ],
    ids=str,
)
async def test_just_what_is_meant_is_taken_back(
    hass: HomeAssistant, speak: Setup, said: list[str], left: list[str]
) -> None:
    speaker = await speak()
    await speaker.say("open the garage door in 6 minutes")
    for text in said:
        await speaker.say(text)
    assert [command["text"] for command in await planned(hass)] == left


@in_one_house(
    ("plan", "text"),
    [
        ("set the bedroom heating to 22 degrees", "don't set the bedroom heating to 20 degrees"),
        ("add milk to the shopping list", "don't add eggs to the shopping list"),
        ("turn off the kitchen pendant", "cancel the lights"),
    ],
)
async def test_what_is_meant_in_part_is_asked_about(
    hass: HomeAssistant, speak: Setup, plan: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(f"{plan} in 10 minutes")
    asked = await speaker.say(text)
    assert asked.reply.startswith("Shall I cancel what is planned: in 10 minutes: ")
    assert len(await planned(hass)) == 1
    assert not (await speaker.say("yes")).changes
    assert await planned(hass) == []


@in_one_house(
    ("plan", "told"),
    [
        ("turn off all the lights", "In 5 minutes I'll turn off 26 lights."),
        (
            "open the garage door and turn off the kitchen pendant",
            "In 5 minutes I'll open Garage Door and turn off Kitchen Pendant.",
        ),
        ("play jazz on the kitchen speaker", "In 5 minutes I'll play Jazz on Kitchen Speaker."),
        (
            "add milk to the shopping list",
            "In 5 minutes I'll add milk to Shopping List.",
        ),
    ],
)
async def test_several_actions_are_joined_and_many_things_counted(
    speak: Setup, plan: str, told: str
) -> None:
    speaker = await speak()
    assert (await speaker.say(f"{plan} in 5 minutes")).reply == told


@in_one_house(
    "text", ["never mind", "cancel all plans", "don't open the garage door", "cancel that"]
)
async def test_nobody_takes_back_what_somebody_else_planned(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    anna = await person(hass)
    await speaker.say("open the garage door in 6 minutes", context=Context(user_id=anna.id))
    said = await speaker.say(text)
    assert "Garage Door" not in said.reply
    assert len(await planned(hass)) == 1


async def test_what_is_planned_is_taken_back_after_a_restart(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("open the garage door in 6 minutes")
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    speaker.conversation_id = None
    said = await speaker.say("don't open the garage door")
    assert said.reply == "All right, I won't open Garage Door."
    assert await planned(hass) == []

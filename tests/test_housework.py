"""Covers, vacuum cleaners and locks do what people tell them, in a house with several of each."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "browser/house.yaml"
DUSTY, ROBBIE = "vacuum.dusty", "vacuum.robbie"
LIVING_ROOM = "cover.living_room_blinds"
FRONT, BACK, SIDE = "lock.front_door", "lock.back_door", "lock.side_door"


def call(action: str, *entity_ids: str, **data: Any) -> dict[str, Any]:
    """Return a call of an action for some entities."""
    return {"action": action, "entity_id": [*entity_ids], **data}


STARTS_DUSTY, STOPS_ROBBIE = call("vacuum.start", DUSTY), call("vacuum.stop", ROBBIE)
ROBBIE_CLEANS = {"vacuum.start": {"entity_id": ROBBIE}}
ROBBIE_PAUSES = {**ROBBIE_CLEANS, "vacuum.pause": {"entity_id": ROBBIE}}

type Case = tuple[str, str, Mapping[str, dict[str, Any]], dict[str, Any]]

SAID: list[Case] = [
    # A direction and a place beside each other.
    ("blinds down in the living room", "en", {}, call("cover.close_cover", LIVING_ROOM)),
    (
        "open the living room blinds a bit more",
        "en",
        {"cover.set_cover_position": {"entity_id": LIVING_ROOM, "position": 40}},
        call("cover.set_cover_position", LIVING_ROOM, position=60),
    ),
    # None of these robots finds its way to a room, but there is one in it.
    ("vacuum the living room", "en", {}, STARTS_DUSTY),
    ("saug bitte das Wohnzimmer", "de", {}, STARTS_DUSTY),
    ("saug mal unten durch", "de", {}, STARTS_DUSTY),
    ("let the vacuum downstairs do its round", "en", {}, STARTS_DUSTY),
    # One that is hidden somewhere is heard.
    ("locate Dusty", "en", {}, call("vacuum.locate", DUSTY)),
    ("make Dusty beep", "en", {}, call("vacuum.locate", DUSTY)),
    ("lass Dusty mal piepen", "de", {}, call("vacuum.locate", DUSTY)),
    ("localiza a Dusty", "es", {}, call("vacuum.locate", DUSTY)),
    ("fais sonner Dusty", "fr", {}, call("vacuum.locate", DUSTY)),
    ("fai suonare Dusty", "it", {}, call("vacuum.locate", DUSTY)),
    ("lokaliseer Dusty", "nl", {}, call("vacuum.locate", DUSTY)),
    ("zlokalizuj Dusty", "pl", {}, call("vacuum.locate", DUSTY)),
    ("localiza o Dusty", "pt", {}, call("vacuum.locate", DUSTY)),
    ("let Dusty clean this spot", "en", {}, call("vacuum.clean_spot", DUSTY)),
    # Of several the one at work is stopped.
    ("stop vacuuming", "en", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("hör auf zu saugen", "de", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("deja de aspirar", "es", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("arrête d'aspirer", "fr", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("smetti di aspirare", "it", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("stop met stofzuigen", "nl", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("przestań odkurzać", "pl", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("para de aspirar", "pt", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("stop the vacuum", "en", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("pause the vacuum", "en", ROBBIE_CLEANS, call("vacuum.pause", ROBBIE)),
    ("send the vacuum home", "en", ROBBIE_CLEANS, call("vacuum.return_to_base", ROBBIE)),
    ("resume the vacuum", "en", ROBBIE_PAUSES, call("vacuum.start", ROBBIE)),
    # A word for both pausing and stopping stops what moves.
    ("halte Robbie an", "de", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("arrête l'aspirateur", "fr", ROBBIE_CLEANS, STOPS_ROBBIE),
    ("mets Robbie en pause", "fr", ROBBIE_CLEANS, call("vacuum.pause", ROBBIE)),
    ("send all the vacuums back to their docks", "en", ROBBIE_CLEANS, call("vacuum.return_to_base", DUSTY, ROBBIE)),
    # What turns off elsewhere locks here.
    ("schließ bitte alles ab", "de", {"lock.unlock": {"entity_id": FRONT}}, call("lock.lock", BACK, FRONT, SIDE)),
    ("schließ alle Türen ab", "de", {"lock.unlock": {"entity_id": FRONT}}, call("lock.lock", BACK, FRONT, SIDE)),
    # What opens a cover elsewhere only unlocks here.
    ("schließ alle Türen auf", "de", {}, call("lock.unlock", BACK, FRONT, SIDE)),
    # What asks elsewhere is a request here.
    ("do the vacuuming in the living room", "en", {}, STARTS_DUSTY),
]  # fmt: skip


@in_one_house("case", SAID, ids=lambda case: case[0])
async def test_what_is_said_is_done(hass: HomeAssistant, speak: Setup, case: Case) -> None:
    text, language, before, expected = case
    for action, data in before.items():
        domain, _, service = action.partition(".")
        await hass.services.async_call(domain, service, data, blocking=True)
    said = await (await speak()).say(text, language=language)
    calls = [
        {"action": f"{each['domain']}.{each['service']}", **each["service_data"]}
        for each in said.calls
    ]
    assert calls == [expected], said.reply


async def test_what_was_done_with_a_vacuum_cleaner_is_told(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("start Dusty")
    assert (await speaker.say("pause Dusty")).reply == "Paused Dusty."
    assert (await speaker.say("Dusty should go back home")).reply == "Sent Dusty home."

"""An answer chooses what it names, gives up, or is something else; what is not plain stays open."""

import time
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.dialogue.answers import read_answer
from custom_components.bellboard.dialogue.choosing import AnswerKind, ReadAnswer
from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.home.names import words_of
from custom_components.bellboard.memory.pending import PendingQuestion
from custom_components.bellboard.nlu.answers import Sign
from custom_components.bellboard.nlu.loader import load_data
from custom_components.bellboard.plans.models import AskUser

from .answering import BEDSIDE, HOMES, THREE, pending, words

ANOTHER, CANCELED, UNCLEAR = AnswerKind.ANOTHER, AnswerKind.CANCELED, AnswerKind.UNCLEAR

type Expected = str | AnswerKind
"""The candidates chosen, with blanks between them, or the kind of a reply that chooses none."""

BOTH_LAMPS: dict[str, list[tuple[str, Expected]]] = {
    "en": [
        # By a word that only one has, and with what people say around it.
        ("left", "left"),
        ("the left one please", "left"),
        ("um, the LEFT one", "left"),
        ("I mean the left lamp", "left"),
        ("hey, could I have the right one, thanks", "right"),
        ("the right bedside lamp", "right"),
        ("the one on the left", "left"),
        ("okay the left one then", "left"),
        ("no, the left one", "left"),
        ("how about the left one?", "left"),
        # By its place in the question.
        ("the first one", "left"),
        ("second", "right"),
        ("the 2nd one", "right"),
        ("the last", "right"),
        ("number two", "right"),
        ("option 1", "left"),
        ("2", "right"),
        ("two please", "right"),
        ("one", "left"),
        # Several.
        ("both", "left right"),
        ("both of them please", "left right"),
        ("both bedside lamps", "left right"),
        ("all of them", "left right"),
        ("every one", "left right"),
        ("the left and the right one", "left right"),
        ("left and right", "left right"),
        # Whichever.
        ("either", "left"),
        ("I don't care", "left"),
        ("whichever one is nearest", "left"),
        # What is left over.
        ("not the left one", "right"),
        ("I don't want the left one", "right"),
        ("not the left one, the other one", "right"),
        ("not the left one, the right one", "right"),
        ("the left one, not the right one", "left"),
        ("not the first one", "right"),
        # The action that was asked for is part of the answer.
        ("turn on the left one", "left"),
        ("turn the left one on please", "left"),
        ("could you turn on the left one", "left"),
        ("switch on both", "left right"),
        ("turn the left and the right one on", "left right"),
        ("turn on the left one and turn on the right one", "left right"),
        ("please put the right one on now", "right"),
        # Given up.
        ("never mind", CANCELED),
        ("oh forget it", CANCELED),
        ("cancel", CANCELED),
        ("stop please", CANCELED),
        ("none of them", CANCELED),
        ("neither", CANCELED),
        ("leave it", CANCELED),
        ("leave it on", CANCELED),
        ("no", CANCELED),
        ("no, never mind then", CANCELED),
        ("not now", CANCELED),
        # Something else.
        ("turn off the left one", ANOTHER),
        ("turn the left one off", ANOTHER),
        ("the left one off", ANOTHER),
        ("turn off the left one now", ANOTHER),
        ("please switch the left one off again", ANOTHER),
        ("dim the left one", ANOTHER),
        ("set the left one to 50 percent", ANOTHER),
        ("make it brighter", ANOTHER),
        ("turn on the left one and turn off the right one", ANOTHER),
        ("the left one, and play some jazz", ANOTHER),
        ("play some jazz", ANOTHER),
        ("some music in the kitchen please", ANOTHER),
        ("what time is it", ANOTHER),
        ("is the left one on?", ANOTHER),
        ("never mind, turn on the kitchen counter", ANOTHER),
        ("forget it what time is it", ANOTHER),
        ("cancel the timer", ANOTHER),
        ("stop the music", ANOTHER),
        ("the kitchen speaker", ANOTHER),
        ("the night light", ANOTHER),
        ("the television", ANOTHER),
        ("turn on the bedroom lights", ANOTHER),
        ("don't turn on the left one", ANOTHER),
        # What cannot be done now is said by whoever is asked next.
        ("the left one in ten minutes", ANOTHER),
        ("the left one at 10:30", ANOTHER),
        ("the left one if it is dark", ANOTHER),
        ("the left one if you like", "left"),
        # Not plain.
        ("", UNCLEAR),
        ("???", UNCLEAR),
        ("the bedside lamp", UNCLEAR),
        ("the one", UNCLEAR),
        ("that one", UNCLEAR),
        ("the other one", UNCLEAR),
        ("not that one, the other one", UNCLEAR),
        ("the left one or the right one", UNCLEAR),
        ("left right", UNCLEAR),
        ("not both", UNCLEAR),
        ("yes", UNCLEAR),
        ("the third one", UNCLEAR),
        ("number 7", UNCLEAR),
        ("the left speaker", UNCLEAR),
        ("the left one and the blue one", UNCLEAR),
        ("the left one at 50 percent", UNCLEAR),
        ("in the bedroom", UNCLEAR),
        ("the one in the bathroom", UNCLEAR),
        ("turn it on", UNCLEAR),
        ("and the right to bear arms belongs to nobody in particular", UNCLEAR),
        ("leave left alone", UNCLEAR),
        ("I don't know", UNCLEAR),
        ("thanks, that's all", UNCLEAR),
        ("which one?", UNCLEAR),
        ("sorry, say that again", UNCLEAR),
        ("what?", UNCLEAR),
        ("left " * 200, UNCLEAR),
    ],
    "de": [
        ("die linke", "left"),
        ("äh, die Rechte bitte", "right"),
        ("links", "left"),
        ("ich meine die rechte", "right"),
        ("nimm die linke", "left"),
        ("nein, die linke", "left"),
        ("wenn möglich die linke", "left"),
        ("die zweite", "right"),
        ("den ersten", "left"),
        ("die letzte", "right"),
        ("Nummer zwei", "right"),
        ("zwei", "right"),
        ("eins und zwei", "left right"),
        ("ich weiß nicht", UNCLEAR),
        ("beide", "left right"),
        ("alle beide bitte", "left right"),
        ("die beiden", "left right"),
        ("die linke und die rechte", "left right"),
        ("egal", "left"),
        ("nicht die linke", "right"),
        ("die linke nicht", "right"),
        ("mach die linke an", "left"),
        ("schalte bitte die linke ein", "left"),
        ("kannst du die rechte einschalten", "right"),
        ("mach die linke und die rechte an", "left right"),
        ("vergiss es", CANCELED),
        ("keine von beiden", CANCELED),
        ("abbrechen", CANCELED),
        ("nein", CANCELED),
        ("lass mal", CANCELED),
        ("mach die linke aus", ANOTHER),
        ("die linke ausschalten", ANOTHER),
        ("mach die linke heller", ANOTHER),
        ("vergiss es, mach die Küche an", ANOTHER),
        ("wie spät ist es", ANOTHER),
        ("spiel Jazz", ANOTHER),
        ("der Fernseher", ANOTHER),
        ("die linke in zehn Minuten", ANOTHER),
        ("die andere", UNCLEAR),
        ("nicht die, die andere", UNCLEAR),
        ("die Nachttischlampe", UNCLEAR),
        ("wie bitte?", UNCLEAR),
        ("ja", UNCLEAR),
    ],
    "fr": [
        ("celle de gauche", "left"),
        ("la droite, s'il te plaît", "right"),
        ("euh, gauche", "left"),
        ("je veux dire la droite", "right"),
        ("c'est la droite", "right"),
        ("non, la gauche", "left"),
        ("la gauche si possible", "left"),
        ("la première", "left"),
        ("la deuxième", "right"),
        ("la seconde", "right"),
        ("la dernière", "right"),
        ("numéro deux", "right"),
        ("le 2", "right"),
        ("je ne sais pas", UNCLEAR),
        ("les deux", "left right"),
        ("toutes les deux", "left right"),
        ("la gauche et la droite", "left right"),
        ("peu importe", "left"),
        ("n'importe laquelle", "left"),
        ("pas celle de gauche", "right"),
        ("la gauche, pas la droite", "left"),
        ("allume la gauche", "left"),
        ("tu peux allumer la droite", "right"),
        ("laisse tomber", CANCELED),
        ("aucune des deux", CANCELED),
        ("annule", CANCELED),
        ("non", CANCELED),
        ("éteins la gauche", ANOTHER),
        ("peux-tu éteindre la gauche", ANOTHER),
        ("oublie, éteins la cuisine", ANOTHER),
        ("quelle heure est-il", ANOTHER),
        ("joue du jazz", ANOTHER),
        ("la télé", ANOTHER),
        ("la gauche dans dix minutes", ANOTHER),
        ("l'autre", UNCLEAR),
        ("la lampe de chevet", UNCLEAR),
        ("pardon ?", UNCLEAR),
        ("oui", UNCLEAR),
    ],
    "es": [
        ("la izquierda", "left"),
        ("el izquierdo", "left"),
        ("la de la derecha por favor", "right"),
        ("eh, la derecha", "right"),
        ("quiero decir la derecha", "right"),
        ("es la derecha", "right"),
        ("no, la izquierda", "left"),
        ("si puedes, la izquierda", "left"),
        ("nada más la izquierda", "left"),
        ("la primera", "left"),
        ("el segundo", "right"),
        ("la última", "right"),
        ("número dos", "right"),
        ("no sé", UNCLEAR),
        ("las dos", "left right"),
        ("ambas", "left right"),
        ("la izquierda y la derecha", "left right"),
        ("da igual", "left"),
        ("la izquierda no", "right"),
        ("enciende la izquierda", "left"),
        ("quiero que enciendas la izquierda", "left"),
        ("puedes encender la derecha", "right"),
        ("olvídalo", CANCELED),
        ("ninguna de las dos", CANCELED),
        ("cancela", CANCELED),
        ("no", CANCELED),
        ("apaga la izquierda", ANOTHER),
        ("quiero que apagues la izquierda", ANOTHER),
        ("olvídalo, apaga la cocina", ANOTHER),
        ("qué hora es", ANOTHER),
        ("pon música", ANOTHER),
        ("la tele", ANOTHER),
        ("la izquierda en diez minutos", ANOTHER),
        # Without a comma it may also be "not the left one".
        ("no la izquierda", UNCLEAR),
        ("la otra", UNCLEAR),
        ("esa no, la otra", UNCLEAR),
        ("la lámpara de noche", UNCLEAR),
        ("¿cuál?", UNCLEAR),
        ("sí", UNCLEAR),
        ("si", UNCLEAR),
    ],
    "nl": [
        ("de linker", "left"),
        ("links", "left"),
        ("eh, rechts alsjeblieft", "right"),
        ("ik bedoel de rechter", "right"),
        ("nee, de linker", "left"),
        ("als het kan de linker", "left"),
        ("de eerste", "left"),
        ("de tweede", "right"),
        ("de laatste", "right"),
        ("nummer twee", "right"),
        ("ik weet het niet", UNCLEAR),
        ("allebei", "left right"),
        ("de twee", "left right"),
        ("links en rechts", "left right"),
        ("maakt niet uit", "left"),
        ("niet de linker", "right"),
        ("de linker niet", "right"),
        ("doe de linker aan", "left"),
        ("kun je de linker aanzetten", "left"),
        ("doe de linker en de rechter aan", "left right"),
        ("laat maar", CANCELED),
        ("geen van beide", CANCELED),
        ("annuleer", CANCELED),
        ("nee", CANCELED),
        ("doe de linker uit", ANOTHER),
        ("de linker uitzetten", ANOTHER),
        ("laat maar, doe de keuken uit", ANOTHER),
        ("hoe laat is het", ANOTHER),
        ("speel jazz", ANOTHER),
        ("de televisie", ANOTHER),
        ("de linker over tien minuten", ANOTHER),
        ("de andere", UNCLEAR),
        ("die niet, de andere", UNCLEAR),
        ("de bedlamp", UNCLEAR),
        ("wat?", UNCLEAR),
        ("ja", UNCLEAR),
    ],
    "pl": [
        ("lewa", "left"),
        ("tę lewą", "left"),
        ("yyy, prawą proszę", "right"),
        ("chodzi mi o prawą", "right"),
        ("nie, lewą", "left"),
        ("pierwsza", "left"),
        ("drugą", "right"),
        ("ta ostatnia", "right"),
        ("numer dwa", "right"),
        ("nie wiem", UNCLEAR),
        ("obie", "left right"),
        ("obie lampki", "left right"),
        ("lewa i prawa", "left right"),
        ("wszystko jedno", "left"),
        ("wszystkie oprócz lewej", "right"),
        # Without a comma it may also be "no, the left one".
        ("nie lewą", UNCLEAR),
        ("włącz lewą", "left"),
        ("możesz włączyć lewą", "left"),
        ("nieważne", CANCELED),
        ("żadną z nich", CANCELED),
        ("anuluj", CANCELED),
        ("nie", CANCELED),
        ("wyłącz lewą", ANOTHER),
        ("nieważne, zgaś kuchnię", ANOTHER),
        ("która jest godzina", ANOTHER),
        ("zagraj muzykę", ANOTHER),
        ("telewizor", ANOTHER),
        ("lewą za dziesięć minut", ANOTHER),
        ("ta druga", UNCLEAR),
        ("lampka nocna", UNCLEAR),
        ("która?", UNCLEAR),
        ("tak", UNCLEAR),
    ],
}

THREE_LAMPS: dict[str, list[tuple[str, Expected]]] = {
    "en": [
        ("the floor lamp", "floor"),
        ("the TALL one, please!", "floor"),
        ("worktop light", "counter"),
        # "Reading" is also a scene, but here a lamp was asked about; "Reading Light" is a switch.
        ("uh, reading", "reading"),
        ("the reading light", ANOTHER),
        ("the floor light", "floor"),
        ("the one in the kitchen", "counter"),
        ("kitchen", "counter"),
        ("the reading lamp in the living room", "reading"),
        ("floor lamp next to the television", UNCLEAR),
        ("the first and the last", "floor counter"),
        ("1 and 3", "floor counter"),
        ("one and two please", "floor reading"),
        ("numbers one and three", "floor counter"),
        ("the first two", UNCLEAR),
        ("the third", "counter"),
        ("floor lamp, reading lamp and the kitchen counter", "floor reading counter"),
        ("the floor lamp and the one in the kitchen", "floor counter"),
        ("all three", "floor reading counter"),
        # Whatever they are called, all of them are lights.
        ("all lights", "floor reading counter"),
        ("turn on all the lamps", "floor reading counter"),
        ("all in the living room", "floor reading"),
        ("the ones in the living room", "floor reading"),
        ("both in the living room", "floor reading"),
        ("both lamps", "floor reading"),
        ("all but the floor lamp", "reading counter"),
        ("everything except the kitchen one", "floor reading"),
        ("not the floor lamp and not the reading lamp", "counter"),
        ("both", UNCLEAR),
        ("the other one", UNCLEAR),
        ("the lamp", UNCLEAR),
        ("the one by the window", UNCLEAR),
        ("never mind the floor lamp", UNCLEAR),
        ("the kitchen lamp", "counter"),
        ("downstairs", UNCLEAR),
        ("the kitchen lights off", ANOTHER),
        ("turn on the living room lights", ANOTHER),
        ("dinner is nearly ready in the kitchen", UNCLEAR),
    ],
    "de": [
        ("die Stehlampe", "floor"),
        ("die in der Küche", "counter"),
        ("Stehlampe und Leselampe", "floor reading"),
        ("alle", "floor reading counter"),
        ("alle drei", "floor reading counter"),
        ("alle außer der Stehlampe", "reading counter"),
        ("die dritte", "counter"),
        ("im Wohnzimmer", UNCLEAR),
    ],
    "fr": [
        ("le lampadaire", "floor"),
        ("celle de la cuisine", "counter"),
        ("le lampadaire et la lampe de lecture", "floor reading"),
        ("toutes", "floor reading counter"),
        ("les trois", "floor reading counter"),
        ("tous sauf le lampadaire", "reading counter"),
        ("la troisième", "counter"),
        ("dans le salon", UNCLEAR),
    ],
    "es": [
        ("la de pie", "floor"),
        ("la de la cocina", "counter"),
        ("la lámpara de pie y la de lectura", "floor reading"),
        ("todas", "floor reading counter"),
        ("las tres", "floor reading counter"),
        ("todas menos la de pie", "reading counter"),
        ("la tercera", "counter"),
        ("en el salón", UNCLEAR),
    ],
    "nl": [
        ("de staande", "floor"),
        ("die in de keuken", "counter"),
        ("de staande lamp en de leeslamp", "floor reading"),
        ("allemaal", "floor reading counter"),
        ("alle drie", "floor reading counter"),
        ("alle behalve de leeslamp", "floor counter"),
        ("de derde", "counter"),
        ("in de woonkamer", UNCLEAR),
    ],
    "pl": [
        ("stojąca", "floor"),
        ("stojącą", "floor"),
        ("ta w kuchni", "counter"),
        ("stojącą i lampkę do czytania", "floor reading"),
        ("wszystkie", "floor reading counter"),
        ("wszystkie trzy", "floor reading counter"),
        ("wszystkie oprócz stojącej", "reading counter"),
        ("trzecia", "counter"),
        ("w salonie", UNCLEAR),
    ],
}


def read(text: str, question: PendingQuestion, code: str = "en", **known: Any) -> ReadAnswer:
    """Return what a text says to a question about a home."""
    return read_answer(text, question, HOMES[code], words(code), **known)


def seen(reply: ReadAnswer) -> Expected:
    """Return a reply as the tables write it."""
    names = " ".join(target.partition(".")[2] for target in reply.targets)
    return names if reply.kind is AnswerKind.CHOSEN else reply.kind


@pytest.mark.parametrize("code", HOMES)
def test_answers_about_two(code: str) -> None:
    for text, expected in BOTH_LAMPS[code]:
        assert seen(read(text, pending(BEDSIDE, code=code), code)) == expected, text


@pytest.mark.parametrize("code", HOMES)
def test_answers_about_three(code: str) -> None:
    for text, expected in THREE_LAMPS[code]:
        assert seen(read(text, pending(THREE, code=code), code)) == expected, text


@pytest.mark.parametrize(
    ("code", "yes", "no"),
    [
        ("de", ["ja", "ja bitte", "klar", "mach das"], ["nein", "nein danke", "lieber nicht"]),
        (
            "en",
            ["yes", "yeah sure", "yes please", "do it", "turn it on", "okay", "of course"],
            ["no", "no thanks", "nope", "rather not", "don't", "not that one"],
        ),
        (
            "es",
            ["sí", "sí, por favor", "claro", "vale", "hazlo"],
            ["no", "no, gracias", "mejor no"],
        ),
        ("fr", ["oui", "d'accord", "vas-y", "bien sûr"], ["non", "non merci", "surtout pas"]),
        ("nl", ["ja", "ja graag", "prima", "doe maar"], ["nee", "nee dank je", "liever niet"]),
        ("pl", ["tak", "tak, proszę", "jasne", "zrób to"], ["nie", "nie, dziękuję", "lepiej nie"]),
    ],
)
def test_a_question_about_one_is_answered_with_yes_or_no(
    code: str, yes: list[str], no: list[str]
) -> None:
    single = pending(["floor"], code=code)
    free = PendingQuestion("some-agent", AskUser(param="request", prompt="Shall I?"))
    for text in yes:
        assert read(text, single, code) == ReadAnswer(AnswerKind.YES, ("light.floor",)), text
        if text != "turn it on":
            assert read(text, free, code) == ReadAnswer(AnswerKind.YES), text
    for text in no:
        assert read(text, single, code) == ReadAnswer(AnswerKind.NO), text
    assert seen(read(HOMES[code].entities["light.floor"].name, single, code)) == "floor"


@pytest.mark.parametrize(
    "text",
    [
        "ok but only half",
        "yes but blue",
        "yes or no",
        "okay computer",
        "maybe later on it will be fine",
    ],
)
def test_a_yes_with_more_is_no_yes(text: str) -> None:
    assert read(text, pending(["floor"])).kind not in {AnswerKind.YES, AnswerKind.CHOSEN}


@pytest.mark.parametrize(
    ("code", "other", "this"),
    [
        ("de", "die andere", "nicht die"),
        ("en", "the other one please", "not that one"),
        ("es", "la otra", "esa no"),
        ("fr", "l'autre", "pas celle-là"),
        ("nl", "de andere", "die niet"),
    ],
)
def test_the_other_one_is_the_one_that_was_not_acted_on(code: str, other: str, this: str) -> None:
    two, three = pending(BEDSIDE, code=code), pending(THREE, code=code)
    for text in (other, f"{this}, {other}"):
        assert seen(read(text, two, code, earlier=["light.left", "light.floor"])) == "right"
        assert seen(read(text, two, code, earlier=["light.left", "light.right"])) == UNCLEAR
        assert seen(read(text, two, code, earlier=["light.floor"])) == UNCLEAR
        assert seen(read(text, three, code, earlier=["light.floor"])) == UNCLEAR


def test_here_is_where_the_speaker_is() -> None:
    for text in ("here", "the one in here", "in this room please"):
        assert seen(read(text, pending(THREE, area_id="kitchen"))) == "counter"
        assert seen(read(text, pending(THREE, area_id="bed"))) == UNCLEAR
        # Whoever has moved since is where they are now.
        assert seen(read(text, pending(THREE, area_id="bed"), area_id="kitchen")) == "counter"
        assert read(text, pending(THREE), area_id="living").possible == (
            "light.floor",
            "light.reading",
        )
    assert seen(read("it is too dark in here", pending(THREE), area_id="kitchen")) == UNCLEAR


def test_floors_are_places_too() -> None:
    assert seen(read("the one upstairs", pending(["floor", "left"]))) == "left"
    assert seen(read("first floor", pending(["floor", "left"]))) == "left"
    assert seen(read("the lamp downstairs", pending(["floor", "left"]))) == "floor"


def test_an_unclear_answer_leaves_fewer_to_ask_about() -> None:
    left = ("light.floor", "light.reading")
    assert read("the lamp", pending(THREE)) == ReadAnswer(UNCLEAR, possible=left)
    assert read("in the lounge", pending(THREE)) == ReadAnswer(UNCLEAR, possible=left)
    assert read("not the kitchen one", pending(THREE)) == ReadAnswer(UNCLEAR, possible=left)
    assert read("the bedside lamp", pending(BEDSIDE)) == ReadAnswer(UNCLEAR)
    assert read("purple elephants", pending(THREE)) == ReadAnswer(UNCLEAR)


def test_numbers_that_are_names_are_names() -> None:
    lamps = pending(["lamp_2", "lamp_1"])
    for text in ("lamp 2", "lamp two", "2", "two", "number two"):
        assert seen(read(text, lamps)) == "lamp_2", text
    for text in ("lamp one", "lamp 1", "1", "one", "number one", "the last one"):
        assert seen(read(text, lamps)) == ("lamp_1"), text
    # The second that was named is not the one called "2".
    assert seen(read("the second one", lamps)) == UNCLEAR


def test_what_was_not_named_in_the_question_cannot_be_counted() -> None:
    many = pending([*THREE, *BEDSIDE])
    assert seen(read("the second one", many)) == UNCLEAR
    assert seen(read("2", many)) == UNCLEAR
    assert seen(read("kitchen", many)) == "counter"
    assert seen(read("everywhere", many)) == "floor reading counter left right"
    assert read("in the bedroom", many).possible == ("light.left", "light.right")


def test_one_that_has_no_room_is_found_by_its_name() -> None:
    assert seen(read("the one in the hall", pending(["hall", "floor"]))) == "hall"


def test_what_is_gone_cannot_be_chosen_and_the_rest_not_by_itself() -> None:
    gone = pending(["gone", "left"])
    assert seen(read("left", gone)) == "left"
    assert seen(read("the second one", gone)) == "left"
    # "Lamp" is a word of the other one too, though that is gone.
    for text in ("gone", "the lamp", "the first one", "not the left one", "yes", "turn it on"):
        assert seen(read(text, gone)) == UNCLEAR, text
    assert seen(read("gone lamp and left bedside lamp", gone)) == UNCLEAR
    for text in ("both", "all of them", "either", "not the gone lamp"):
        assert seen(read(text, gone)) == "left", text
    nobody = pending(["gone", "lost"])
    for text in ("both", "either", "gone", "the first", "all of them"):
        assert seen(read(text, nobody)) == UNCLEAR, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set the left one to 37", "left"),
        ("dim the left one", "left"),
        ("the left one to 37 percent", "left"),
        ("the left one in red", "left"),
        ("set the left one to 40", ANOTHER),
        ("the left one at 40", UNCLEAR),
        ("the left one in blue", UNCLEAR),
        ("the left one, brighter", UNCLEAR),
        ("turn on the left one", ANOTHER),
    ],
)
def test_values_that_were_asked_for_may_be_said_again(text: str, expected: Expected) -> None:
    asked = pending(BEDSIDE, action="set", percent=37, color="red")
    assert seen(read(text, asked)) == expected
    several = AskUser(
        param="target",
        prompt="Which?",
        candidates=asked.question.candidates,
        action="set",
        data={"percent": 37},
        actions=(
            Command(name="set", parameters={"percent": 37}),
            Command(name="set", parameters={"color": "red"}),
        ),
    )
    assert seen(read(text, PendingQuestion("light-agent", several))) == expected


@pytest.mark.parametrize(
    ("by", "text", "expected"),
    [
        (10, "make the left one brighter", "left"),
        (10, "brighten the left one", "left"),
        (10, "the left one, brighter", "left"),
        (10, "dim the left one", ANOTHER),
        (10, "turn on the left one", ANOTHER),
        (-10, "dim the left one", "left"),
        (-10, "make the left one darker please", "left"),
        (-10, "the left one, brighter", UNCLEAR),
    ],
)
def test_a_direction_that_was_asked_for_may_be_said_again(
    by: int, text: str, expected: Expected
) -> None:
    assert seen(read(text, pending(BEDSIDE, action="change_brightness", by=by))) == expected


def test_what_was_asked_to_be_played_may_be_said_again() -> None:
    asked = pending(["counter", "left"], action="play", agent_id="music-agent", query="Copper Owls")
    assert seen(read("play Copper Owls in the kitchen", asked)) == "counter"
    assert seen(read("play it in the kitchen", asked)) == "counter"
    assert seen(read("play Tin Foxes in the kitchen", asked)) == ANOTHER
    assert seen(read("pause it in the kitchen", asked)) == ANOTHER


def test_an_agent_whose_words_are_not_known_has_no_foreign_ones() -> None:
    asked = pending(BEDSIDE, agent_id="custom-agent")
    assert seen(read("the left lamp", asked)) == "left"
    assert seen(read("some jazz", asked)) == UNCLEAR


def test_the_opposite_of_what_was_asked_is_never_chosen() -> None:
    off = pending(BEDSIDE, action="turn_off")
    for verb in ("turn on", "switch on", "put on"):
        assert seen(read(f"{verb} the left one", off)) == ANOTHER
    assert seen(read("turn the left one on please", off)) == ANOTHER
    assert seen(read("the left one on", off)) == ANOTHER
    # On the left is where it is.
    assert seen(read("the one on the left", off)) == "left"
    assert seen(read("turn off the one on the left", off)) == "left"


def test_reading_an_answer_takes_little_time() -> None:
    asked = pending(THREE)
    texts = [text for text, _ in THREE_LAMPS["en"]]
    started = time.perf_counter()
    for text in (*texts, "!" * 100_000, "lamp, " * 100_000, "é" * 100_000):
        read(text, asked)
    assert time.perf_counter() - started < 1


SAID = {
    code: st.lists(
        st.sampled_from(
            sorted(
                {
                    *(
                        word
                        for text, _ in BOTH_LAMPS[code] + THREE_LAMPS[code]
                        for word in text.split()
                    ),
                    *(name for e in HOMES[code].entities.values() for name in e.names),
                }
            )
        ),
        max_size=8,
    ).map(" ".join)
    for code in HOMES
}


@given(data=st.data())
@settings(max_examples=400, deadline=None)
def test_whatever_is_said_only_candidates_that_are_there_are_chosen(data: st.DataObject) -> None:
    code = data.draw(st.sampled_from(sorted(HOMES)))
    text = data.draw(SAID[code] | st.text(max_size=80))
    names = data.draw(st.lists(st.sampled_from([*BEDSIDE, *THREE, "gone"]), max_size=6))
    asked = pending(
        names,
        code=code,
        action=data.draw(st.sampled_from(["turn_on", "set", "change_brightness", "", "play"])),
        by=data.draw(JSON),
        query=data.draw(JSON),
    )
    reply = read(text, asked, code, earlier=data.draw(st.lists(st.text(), max_size=2)))
    present = asked.present(HOMES[code])
    assert set(reply.targets) <= set(present)
    assert set(reply.possible) <= set(present)
    assert bool(reply.targets) or reply.kind is not AnswerKind.CHOSEN
    assert not reply.targets or reply.kind in {AnswerKind.CHOSEN, AnswerKind.YES}
    assert list(reply.targets) == [c for c in asked.order if c in reply.targets]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("code", HOMES)
def test_every_language_has_all_that_answers_are_read_by(code: str) -> None:
    data: dict[str, Any] = load_data(code)["answers"]
    english: dict[str, Any] = load_data("en")["answers"]
    assert data.keys() == english.keys()
    for sign in Sign:
        phrases = data[sign]
        assert phrases or sign is Sign.SEVERAL, sign
        assert all(isinstance(phrase, str) and words_of(phrase) for phrase in phrases), sign
        assert len(phrases) == len({words_of(phrase) for phrase in phrases}), sign
    assert all(isinstance(word, str) and n in range(1, 11) for word, n in data["ordinals"].items())

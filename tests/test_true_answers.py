"""What is answered is true: of the whole home, of what plays, of how far; and a condition is of what is meant."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.asked_house import put
from tests.conftest import Setup
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

HOUSE = Path(__file__).parent / "true_answers.yaml"

ANY_WINDOW = [
    ("en", "are there open windows"),
    ("en", "is there a window open"),
    ("de", "gibt es denn offene Fenster?"),
    ("de", "gibt es irgendwo ein offenes Fenster?"),
    ("es", "¿hay ventanas abiertas?"),
    ("fr", "est-ce qu'il y a des fenêtres ouvertes ?"),
    ("it", "in casa ci sono finestre aperte?"),
    ("nl", "zijn er ramen open?"),
    ("pl", "czy są gdzieś otwarte okna?"),
    ("pt", "há janelas abertas?"),
    ("sv", "är något fönster öppet?"),
    ("sv", "finns det öppna fönster?"),
]
SPEAKERS = [
    ("en", "on which speaker is something playing"),
    ("de", "auf welchem Lautsprecher läuft gerade was"),
    ("es", "¿en qué altavoz suena algo?"),
    ("it", "su quale cassa sta suonando qualcosa?"),
    ("nl", "op welke luidspreker speelt er iets"),
    ("pl", "na którym głośniku coś gra"),
    ("pt", "em que coluna está a tocar alguma coisa?"),
    ("sv", "på vilken högtalare spelas det något"),
]
SET_POINTS = [
    ("en", "what temperature is the air conditioner set to"),
    ("de", "auf wie viel Grad ist das Klimagerät eingestellt"),
    ("es", "¿a cuántos grados está puesto el climatizador?"),
    ("fr", "à combien de degrés est réglée la clim"),
    ("it", "a quanti gradi è impostato il condizionatore?"),
    ("nl", "op hoeveel graden staat de airco ingesteld"),
    ("pl", "na ile stopni jest ustawiony klimatyzator"),
    ("pt", "a quantos graus está regulado o ar condicionado?"),
    ("sv", "hur många grader är luftkonditioneringen inställd på"),
]
FULLY_OPEN = [
    ("en", "which blinds are fully open"),
    ("de", "welche Rollos sind ganz offen"),
    ("es", "¿qué persianas están abiertas del todo?"),
    ("fr", "quels volets sont complètement ouverts"),
    ("it", "quali tapparelle sono completamente aperte?"),
    ("nl", "welke rolgordijnen zijn helemaal open"),
    ("pl", "które rolety są całkiem otwarte"),
    ("pt", "que estores estão completamente abertos?"),
    ("sv", "vilka persienner är helt öppna"),
]
# The door is that of the command, not one near the speaker.
DOORS = [
    ("en", "lock the side door if the door is {}", "closed", "open"),
    ("de", "schließ die Nebentür ab, wenn die Tür {} ist", "zu", "offen"),
    ("es", "cierra con llave la puerta lateral si la puerta está {}", "cerrada", "abierta"),
    ("fr", "verrouille la porte latérale si la porte est {}", "fermée", "ouverte"),
    ("it", "chiudi a chiave la porta laterale se la porta è {}", "chiusa", "aperta"),
    ("nl", "doe de zijdeur op slot als de deur {} is", "dicht", "open"),
    ("pl", "zamknij drzwi boczne na klucz, jeśli drzwi są {}", "zamknięte", "otwarte"),
    ("pt", "tranca a porta lateral se a porta estiver {}", "fechada", "aberta"),
    ("sv", "lås sidodörren om dörren är {}", "stängd", "öppen"),
]
OF_PERSONS = [
    ("en", "if nobody's home turn off the globe", "if olga is home turn off the globe"),
    ("de", "wenn niemand zu Hause ist, mach Globe aus", "wenn Olga zu Hause ist, mach Globe aus"),
    ("es", "si no hay nadie en casa apaga globe", "si olga está en casa apaga globe"),
    ("fr", "si personne n'est à la maison éteins globe", "si olga est à la maison éteins globe"),
    ("it", "se nessuno è a casa spegni globe", "se olga è a casa spegni globe"),
    ("nl", "als er niemand thuis is doe globe uit", "als olga thuis is doe globe uit"),
    ("pl", "jeśli nikogo nie ma w domu wyłącz globe", "jeśli olga jest w domu wyłącz globe"),
    (
        "pt",
        "se não estiver ninguém em casa desliga globe",
        "se a olga estiver em casa desliga globe",
    ),
    ("sv", "om ingen är hemma stäng av globe", "om olga är hemma stäng av globe"),
]
HUMID = [
    ("en", "turn the pantry fan on if it's more than {} percent humid in there"),
    ("en", "if the humidity in the pantry is above {} percent turn on the pantry fan"),
    ("es", "si hay más del {} por ciento de humedad en la despensa enciende pantry fan"),
    ("fr", "si l'humidité du cellier est au-dessus de {} % allume pantry fan"),
    ("it", "se l'umidità della dispensa è sopra il {} per cento accendi pantry fan"),
    ("nl", "als het in de voorraadkamer vochtiger is dan {} procent zet pantry fan aan"),
    ("pt", "se a humidade da copa estiver acima dos {} por cento liga pantry fan"),
]


@pytest.fixture
async def house(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of the house in which these are asked, with two persons, of whom one is out."""
    entry = await async_move_in(hass, str(HOUSE))
    put(hass, "person.pete", "Pete", "home")
    put(hass, "person.olga", "Olga", "not_home")
    return entry


@in_one_house(("language", "text"), ANY_WINDOW)
async def test_whether_there_is_any_is_asked_of_the_whole_home(
    speak: Setup, language: str, text: str
) -> None:
    """Tell of a window that is open elsewhere, also from a room whose own window is closed."""
    said = await (await speak()).say(text, language=language, area="Study")
    assert "Pantry Window" in said.reply


@in_one_house(("language", "text"), SPEAKERS)
async def test_on_which_speaker_something_plays_names_only_that(
    speak: Setup, language: str, text: str
) -> None:
    """Name the speaker that plays, and none that only stands there."""
    said = await (await speak()).say(text, language=language, area="Study")
    assert "Pantry Speaker" in said.reply
    assert "Shelf" not in said.reply


@in_one_house(("language", "text"), SET_POINTS)
async def test_what_something_is_set_to_is_its_set_point(
    speak: Setup, language: str, text: str
) -> None:
    """Tell the temperature that is to be reached, and not that of the room."""
    said = await (await speak()).say(text, language=language, area="Study")
    assert "23" in said.reply


@in_one_house(("language", "text"), FULLY_OPEN)
async def test_what_is_half_open_is_not_fully_open(speak: Setup, language: str, text: str) -> None:
    """Name those that are open all the way."""
    said = await (await speak()).say(text, language=language, area="Study")
    assert "Study Blinds" in said.reply
    assert "Pantry" not in said.reply


@in_one_house(("language", "text", "untrue", "true"), DOORS)
async def test_the_door_of_a_condition_is_that_of_its_command(
    speak: Setup, language: str, text: str, untrue: str, true: str
) -> None:
    """Lock the open door that is named only if it is said to be open, whatever another beside the speaker is."""
    speaker = await speak()
    said = await speaker.say(text.format(untrue), language=language, area="Hallway")
    assert said.changes == {}
    said = await speaker.say(text.format(true), language=language, area="Hallway")
    assert {*said.changes} == {"lock.side"}


@in_one_house(("language", "nobody", "somebody"), OF_PERSONS)
async def test_a_condition_of_persons_is_looked_up(
    speak: Setup, hass: HomeAssistant, language: str, nobody: str, somebody: str
) -> None:
    """Do nothing as long as somebody is at home, and the one who is named is not; else do it."""
    speaker = await speak()
    put(hass, "person.pete", "Pete", "home")
    put(hass, "person.olga", "Olga", "not_home")
    for text in (nobody, somebody):
        assert (await speaker.say(text, language=language, area="Hallway")).changes == {}
    put(hass, "person.olga", "Olga", "home")
    said = await speaker.say(somebody, language=language, area="Hallway")
    assert {*said.changes} == {"light.globe"}


@in_one_house(("language", "text"), HUMID)
async def test_a_condition_of_humidity_is_of_the_room_that_is_said(
    speak: Setup, language: str, text: str
) -> None:
    """Compare the humidity of the room that is meant, and not that of the speaker's."""
    speaker = await speak()
    said = await speaker.say(text.format(75), language=language, area="Study")
    assert said.changes == {}
    said = await speaker.say(text.format(60), language=language, area="Study")
    assert {*said.changes} == {"fan.pantry"}, said.reply

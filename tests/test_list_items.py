"""Words around items of a list are no part of them: "too", corrections, and requests for something else."""

from tests.conftest import Said, Setup
from tests.one_house import in_one_house

PUT = [
    ("en", "also add saffron to the shopping list", ["saffron"]),
    ("en", "put capers, no wait, olives on the shopping list", ["olives"]),
    ("de", "setz auch Kapern auf die Einkaufsliste", ["Kapern"]),
    ("de", "setz Rosinen, nein Datteln auf die Einkaufsliste", ["Datteln"]),
    ("es", "añade también alcaparras a la lista de la compra", ["alcaparras"]),
    ("es", "añade pasas, no, perdón, dátiles a la lista de la compra", ["dátiles"]),
    ("fr", "ajoute aussi des câpres à la liste de courses", ["câpres"]),
    ("fr", "ajoute des raisins, non pardon, des dattes à la liste de courses", ["dattes"]),
    ("it", "aggiungi anche capperi alla lista della spesa", ["capperi"]),
    ("it", "aggiungi uvetta, anzi datteri alla lista della spesa", ["datteri"]),
    ("nl", "zet ook kappertjes op de boodschappenlijst", ["kappertjes"]),
    ("nl", "zet rozijnen, nee dadels op de boodschappenlijst", ["dadels"]),
    ("pl", "dodaj też kapary do listy zakupów", ["kapary"]),
    ("pl", "dodaj rodzynki, to znaczy daktyle do listy zakupów", ["daktyle"]),
    ("pt", "adiciona também alcaparras à lista de compras", ["alcaparras"]),
    ("pt", "adiciona passas, aliás, tâmaras à lista de compras", ["tâmaras"]),
    ("sv", "lägg också till kapris på inköpslistan", ["kapris"]),
    ("en", "add chutney, no gherkins to the shopping list", []),
    ("es", "añade ciruelas, no higos a la lista de la compra", []),
    ("pl", "dodaj śliwki, nie figi do listy zakupów", []),
    ("sv", "sätt russin, nej dadlar på inköpslistan", ["dadlar"]),
]

CLEARED = [
    ("en", "clear the shopping list", "yes, clear it"),
    ("de", "leere die Einkaufsliste", "ja, leere sie"),
    ("es", "vacía la lista de la compra", "sí, vacíala"),
    ("fr", "vide la liste de courses", "oui vide-la"),
    ("it", "svuota la lista della spesa", "sì svuotala"),
    ("nl", "wis de boodschappenlijst", "ja wis maar"),
    ("pl", "wyczyść listę zakupów", "tak wyczyść"),
    ("pt", "limpa a lista de compras", "sim, limpa"),
    ("sv", "töm inköpslistan", "ja töm den"),
]

NOT_ITEMS = [
    ("en", "put on a ten minute timer and note pears on the shopping list"),
    ("es", "pon un temporizador de 10 minutos y apunta peras en la lista de la compra"),
    ("nl", "zet de lamp aan en schrijf peren op de boodschappenlijst"),
    ("it", "metti un timer di 10 minuti e segna pere sulla lista della spesa"),
]


def put(said: Said) -> list[str]:
    """Return the items that were put on a list."""
    calls = (each for each in said.calls if each["service"] == "add_item")
    return [each["service_data"]["item"] for each in calls]


@in_one_house(("language", "text", "items"), PUT)
async def test_too_and_corrections_are_no_items(
    speak: Setup, language: str, text: str, items: list[str]
) -> None:
    said = await (await speak()).say(text, language=language)
    assert put(said) == items, said.reply


@in_one_house(("language", "text"), NOT_ITEMS)
async def test_what_else_is_wanted_is_no_item(speak: Setup, language: str, text: str) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    manager = speaker.hass.data["intent.timer"]
    for timer_id in list(manager.timers):
        manager.cancel_timer(timer_id)
    assert put(said) == [], said.reply
    assert not said.changes


@in_one_house(("language", "text", "answer"), CLEARED)
async def test_a_yes_with_the_verb_of_the_request_is_a_yes(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    speaker = await speak()
    await speaker.say("add oat milk to the shopping list", language="en")
    asked = await speaker.say(text, language=language)
    assert asked.reply.strip().endswith("?"), asked.reply
    said = await speaker.say(answer, language=language)
    assert {each["service"] for each in said.calls} == {"remove_item"}, said.reply

"""A list that was spoken of stays so, what is reported as done is ticked off, and what is no item is asked for."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.domains.todo import open_items
from custom_components.bellboard.nlu.loader import async_get_language
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_lists import put

LIST = "todo.shopping_list"

NO_ITEM = [
    ("en", "could you put something else on my shopping list", "basil"),
    ("de", "setz noch was auf die Einkaufsliste", "Basilikum"),
    ("es", "apúntame algo más en la lista de la compra", "albahaca"),
    ("fr", "mets un truc sur la liste de courses", "basilic"),
    ("it", "mi scrivi una cosa sulla lista della spesa", "basilico"),
    ("nl", "er moet nog iets op de boodschappenlijst", "basilicum"),
    ("pl", "wpisz jeszcze coś na listę zakupów", "bazylię"),
    ("pt", "anota alguma coisa na lista de compras", "manjericão"),
    ("sv", "skriv upp en sak till på inköpslistan", "basilika"),
    ("en", "I need to put something on the shopping list", "mace"),
    ("de", "ich muss mir was auf die Einkaufsliste schreiben", "Majoran"),
    ("es", "tengo que apuntar algo en la lista de la compra", "tomillo"),
    ("fr", "je dois noter un truc sur la liste de courses", "thym"),
    ("it", "devo mettere qualcosa sulla lista della spesa", "timo"),
    ("nl", "ik moet iets op de boodschappenlijst zetten", "tijm"),
    ("pl", "muszę coś dopisać do listy zakupów", "tymianek"),
    ("pt", "aponta aí na lista de compras", "tomilho"),
    ("sv", "jag måste skriva upp något på inköpslistan", "timjan"),
]

GOES_ON = [
    ("en", "add rusks to the shopping list", "and capers, too", "capers", "what's on it now?"),
    (
        "de",
        "setz Kapern auf die Einkaufsliste",
        "und Oliven auch",
        "Oliven",
        "was steht jetzt drauf?",
    ),
    (
        "es",
        "añade mijo a la lista de la compra",
        "y también aceitunas",
        "aceitunas",
        "¿qué hay ahora ahí?",
    ),
    (
        "fr",
        "ajoute du millet à la liste de courses",
        "et des câpres aussi",
        "câpres",
        "qu'est-ce qu'il y a dessus ?",
    ),
    (
        "it",
        "aggiungi miglio alla lista della spesa",
        "e anche olive",
        "olive",
        "cosa c'è lì adesso?",
    ),
    (
        "nl",
        "zet gierst op de boodschappenlijst",
        "en olijven ook",
        "olijven",
        "wat staat er nu op?",
    ),
    ("pl", "dodaj kaszę do listy zakupów", "i oliwki też", "oliwki", "co na niej jest?"),
    (
        "pt",
        "adiciona milho à lista de compras",
        "e azeitonas também",
        "azeitonas",
        "o que está lá agora?",
    ),
    (
        "sv",
        "sätt upp hirs på inköpslistan",
        "och oliver också",
        "oliver",
        "vad står det på den nu?",
    ),
]

DONE = [
    (
        "en",
        "add water the ferns to the shopping list",
        "I have just watered the ferns, check it off please",
    ),
    (
        "de",
        "setz Farne gießen auf die Einkaufsliste",
        "die Farne habe ich gegossen, kannst du abhaken",
    ),
    (
        "es",
        "añade regar los helechos a la lista de la compra",
        "he regado los helechos, márcalo como hecho",
    ),
    (
        "fr",
        "ajoute arroser les fougères à la liste de courses",
        "j'ai arrosé les fougères, tu peux le cocher",
    ),
    (
        "it",
        "aggiungi innaffiare le felci alla lista della spesa",
        "ho innaffiato le felci, puoi spuntarlo",
    ),
    (
        "nl",
        "zet varens water geven op de boodschappenlijst",
        "ik heb de varens water gegeven, vink maar af",
    ),
    ("pl", "dodaj podlać paprocie do listy zakupów", "podlałam paprocie, możesz odhaczyć"),
    ("pt", "adiciona regar os fetos à lista de compras", "já reguei os fetos, podes riscar"),
    ("sv", "sätt upp vattna ormbunkar på inköpslistan", "jag har vattnat ormbunkar, bocka av det"),
]

ASKED = [
    ("en", "what do I still have to buy?", "which lists are there?"),
    ("de", "was müssen wir noch einkaufen?", "welche Listen haben wir eigentlich?"),
    ("es", "¿qué nos falta por comprar?", "¿qué listas tengo?"),
    ("fr", "qu'est-ce qu'on doit encore acheter ?", "quelles listes avons-nous ?"),
    ("it", "cosa ci manca da comprare?", "quali liste ci sono?"),
    ("nl", "wat moeten we nog kopen?", "welke lijstjes zijn er?"),
    ("pl", "co mamy jeszcze kupić?", "jakie są listy?"),
    ("pt", "o que é que falta comprar?", "que listas tenho?"),
    ("sv", "vad behöver vi köpa?", "vilka listor finns det?"),
]

NOT_THERE = [
    ("en", "put candles on the birthday list"),
    ("de", "schreib Kerzen auf die Geburtstagsliste"),
    ("es", "pon velas en la lista de cumpleaños"),
    ("fr", "mets des bougies sur la liste d'anniversaire"),
    ("it", "aggiungi candele alla lista del compleanno"),
    ("nl", "zet kaarsen op de verjaardagslijst"),
    ("pl", "dopisz świeczki do listy urodzinowej"),
    ("pt", "põe velas na lista de aniversário"),
    ("sv", "skriv upp ljus på födelsedagslistan"),
]

AGREED = [
    ("en", "clear the shopping list", "yes, I'm sure"),
    ("de", "die Einkaufsliste leeren", "ja, ganz sicher"),
    ("es", "vacía la lista de la compra", "sí, estoy seguro"),
    ("fr", "vide la liste de courses", "oui, je suis sûre"),
    ("it", "svuota la lista della spesa", "sì, sono sicura"),
    ("nl", "maak de boodschappenlijst leeg", "ja, doe het maar"),
    ("pl", "wyczyść listę zakupów", "tak, na pewno"),
    ("pt", "esvazia a lista de compras", "sim, tenho a certeza"),
    ("sv", "töm inköpslistan", "ja, gör det"),
]


@in_one_house(("language", "text", "item"), NO_ITEM)
async def test_what_is_no_item_is_asked_for(
    speak: Setup, language: str, text: str, item: str
) -> None:
    speaker = await speak()
    asked = await speaker.say(text, language=language)
    assert (asked.calls, asked.reply[-1]) == ([], "?"), asked.reply
    assert put(await speaker.say(item, language=language)) == [item]


@in_one_house(
    ("language", "says", "item", "asked"), [(row[0], row[1:3], *row[3:]) for row in GOES_ON]
)
async def test_a_list_stays_the_one_that_is_spoken_of(
    speak: Setup, language: str, says: tuple[str, str], item: str, asked: str
) -> None:
    speaker = await speak()
    await speaker.say(says[0], language=language)
    said = await speaker.say(says[1], language=language)
    assert put(said) == [item], said.reply
    told = await speaker.say(asked, language=language)
    assert (told.calls, item in told.reply) == ([], True), told.reply


@in_one_house(("language", "first", "report"), DONE)
async def test_what_is_reported_done_is_ticked_off(
    speak: Setup, language: str, first: str, report: str
) -> None:
    speaker = await speak()
    item = put(await speaker.say(first, language=language))
    said = await speaker.say(report, language=language)
    assert [each["service_data"]["item"] for each in said.calls] == item, said.reply
    assert not set(item) & set(open_items(speaker.hass, LIST))


@in_one_house(("language", "buying", "lists"), ASKED)
async def test_lists_are_asked_for_by_what_they_are_for(
    speak: Setup, language: str, buying: str, lists: str
) -> None:
    speaker = await speak()
    lexicon = await async_get_language(speaker.hass, language)
    told = await speaker.say(buying, language=language)
    items = lexicon.join(open_items(speaker.hass, LIST))
    assert items in told.reply
    assert "Shopping List" in (await speaker.say(lists, language=language)).reply


@in_one_house(("language", "text"), NOT_THERE)
async def test_a_list_that_is_not_there_is_said_to_be_missing(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    lexicon = await async_get_language(speaker.hass, language)
    assert (said.calls, said.reply) == ([], lexicon.say("plan.no_list"))


@in_one_house(("language", "text", "agreed"), AGREED)
async def test_a_longer_yes_is_one(speak: Setup, language: str, text: str, agreed: str) -> None:
    speaker = await speak()
    await speaker.say("add twine to the shopping list")
    asked = await speaker.say(text, language=language)
    assert (asked.calls, bool(open_items(speaker.hass, LIST))) == ([], True), asked.reply
    await speaker.say(agreed, language=language)
    assert open_items(speaker.hass, LIST) == []


@pytest.mark.parametrize(
    "text",
    [
        "put the kettle on",
        "what time is it",
        "don't add anything",
        "I already bought the twine",
        "is the twine done?",
        "don't tick off the twine",
    ],
)
async def test_what_only_may_be_about_the_list_changes_nothing(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say("add twine to the shopping list")
    before = open_items(hass, LIST)
    said = await speaker.say(text)
    assert (open_items(hass, LIST), put(said)) == (before, []), said.reply


async def test_an_item_is_found_by_another_form_of_its_words(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("dodaj bułka tarta do listy zakupów", language="pl")
    await speaker.say("usuń bułkę tartą z listy zakupów", language="pl")
    assert "bułka tarta" not in open_items(hass, LIST)

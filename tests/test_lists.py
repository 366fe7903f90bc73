"""What is put on a list is what was said of it, each thing by itself, and once."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.domains.todo import open_items
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.conftest import Said, Setup
from tests.one_house import in_one_house
from tests.test_confirm import Rule, of_domain
from tests.thorough import part

LIST = "todo.shopping_list"

# Lists keep what was put on them, so that no two say the same.
PUT = [
    ("add tofu to the shopping list", "en", ["tofu"]),
    ("add leeks, plums and lentils to the shopping list", "en", ["leeks", "plums", "lentils"]),
    ("please put jam and crackers on my shopping list", "en", ["jam", "crackers"]),
    ("add some olive oil to my list", "en", ["olive oil"]),
    ("setze Mehl, Hefe und Honig auf die Einkaufsliste", "de", ["Mehl", "Hefe", "Honig"]),
    ("füge Quark zur Einkaufsliste hinzu", "de", ["Quark"]),
    ("Senf und Essig auf die Einkaufsliste setzen", "de", ["Senf", "Essig"]),
    ("añade aguacates a la lista de la compra", "es", ["aguacates"]),
    ("apunta el alcohol y la sal en la lista de la compra", "es", ["alcohol", "sal"]),
    ("ajoute du sucre à la liste de courses", "fr", ["sucre"]),
    ("ajoute de l'huile et des œufs à la liste de courses", "fr", ["huile", "œufs"]),
    ("aggiungi farina e limoni alla lista della spesa", "it", ["farina", "limoni"]),
    ("metti il latte sulla lista della spesa", "it", ["latte"]),
    ("zet kaas en appels op de boodschappenlijst", "nl", ["kaas", "appels"]),
    ("voeg azijn toe aan de boodschappenlijst", "nl", ["azijn"]),
    ("dodaj masło i jajka do listy zakupów", "pl", ["masło", "jajka"]),
    ("adiciona arroz e feijão à lista de compras", "pt", ["arroz", "feijão"]),
]

UNSAID = [
    ("add what we need for waffles to the shopping list", "en"),
    ("setze alles für Waffeln auf die Einkaufsliste", "de"),
    ("añade lo que necesito para gofres a la lista de la compra", "es"),
    ("ajoute ce qu'il faut pour des gaufres à la liste de courses", "fr"),
    ("aggiungi quello che serve per i waffle alla lista della spesa", "it"),
    ("zet alles voor wafels op de boodschappenlijst", "nl"),
    ("dodaj wszystko na gofry do listy zakupów", "pl"),
    ("adiciona tudo para waffles à lista de compras", "pt"),
]

NO_LIST = [
    ("add tofu to the shopping list", "en", "There is no list for that."),
    ("setze Mehl auf die Einkaufsliste", "de", "Dafür gibt es keine Liste."),
    ("añade sal a la lista de la compra", "es", "No hay ninguna lista para eso."),
    ("ajoute du sucre à la liste de courses", "fr", "Il n'y a pas de liste pour cela."),
    ("aggiungi farina alla lista della spesa", "it", "Non c'è una lista per questo."),
    ("zet kaas op de boodschappenlijst", "nl", "Daar is geen lijst voor."),
    ("dodaj masło do listy zakupów", "pl", "Nie ma na to żadnej listy."),
    ("adiciona arroz à lista de compras", "pt", "Não há nenhuma lista para isso."),
]


def put(said: Said) -> list[str]:
    """Return the items that were put on a list."""
    calls = (each for each in said.calls if each["service"] == "add_item")
    return [each["service_data"]["item"] for each in calls]


@in_one_house(("text", "language", "items"), part(PUT, 2))
async def test_items_are_word_for_word(
    speak: Setup, text: str, language: str, items: list[str]
) -> None:
    said = await (await speak()).say(text, language=language)
    assert put(said) == items
    assert all(item in said.reply.casefold() for item in map(str.casefold, items)), said.reply


@in_one_house(("text", "language"), UNSAID)
async def test_what_only_somebody_else_knows_is_no_item(
    speak: Setup, text: str, language: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert (put(said), said.changes) == ([], {}), said.reply


async def test_what_is_on_the_list_is_said_to_be(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("add oat milk and figs to the shopping list")
    assert put(said) == ["figs"]
    assert said.reply == "Added figs to Shopping List. Already on Shopping List: oat milk."
    again = await speaker.say("add figs to the shopping list")
    assert (put(again), again.reply) == ([], "Already on Shopping List: figs.")


async def test_items_stand_beside_commands(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("add rice and peas to the shopping list and turn off the pendant")
    assert put(said) == ["rice", "peas"]
    assert "light.kitchen_pendant" in said.changes
    assert said.reply == "Added rice and peas to Shopping List and turned off Kitchen Pendant."


@pytest.mark.parametrize("effect", [PolicyEffect.DENY, PolicyEffect.CONFIRM])
async def test_policies_hold_for_lists(
    hass: HomeAssistant, speak: Setup, effect: PolicyEffect
) -> None:
    speaker = await speak()
    hass.data[DATA_POLICY] = Rule(effect, of_domain("todo"))
    said = await speaker.say("add rhubarb to the shopping list")
    assert put(said) == []
    assert "late" in said.reply
    if effect is PolicyEffect.CONFIRM:
        assert put(await speaker.say("yes")) == ["rhubarb"]


async def test_what_is_not_to_be_added_is_not(speak: Setup) -> None:
    said = await (await speak()).say("don't add rice to the shopping list")
    assert (put(said), said.changes) == ([], {})


@in_one_house(("text", "language", "reply"), NO_LIST)
async def test_without_a_list_it_is_said_so(
    hass: HomeAssistant, speak: Setup, text: str, language: str, reply: str
) -> None:
    async_expose_entity(hass, "conversation", LIST, should_expose=False)
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.changes) == (reply, {})


# Each first puts a thing on the list that no other case has.
TOLD = [
    (
        "en",
        "add quince to the shopping list",
        "what do we have on the shopping list?",
        "quince",
        True,
    ),
    ("en", "add quince to the shopping list", "is there any quince on my list?", "quince", True),
    ("en", "add quince to the shopping list", "is nougat on the shopping list?", "nougat", False),
    (
        "de",
        "setze Quitten auf die Einkaufsliste",
        "lies mir die Einkaufsliste vor",
        "Quitten",
        True,
    ),
    (
        "de",
        "setze Quitten auf die Einkaufsliste",
        "steht Nougat auf der Einkaufsliste?",
        "Nougat",
        False,
    ),
    (
        "es",
        "añade membrillo a la lista de la compra",
        "¿qué hay en la lista de la compra?",
        "membrillo",
        True,
    ),
    (
        "es",
        "añade membrillo a la lista de la compra",
        "¿está el turrón en la lista de la compra?",
        "turrón",
        False,
    ),
    (
        "fr",
        "ajoute des coings à la liste de courses",
        "qu'est-ce qu'il y a sur la liste de courses ?",
        "coings",
        True,
    ),
    (
        "fr",
        "ajoute des coings à la liste de courses",
        "est-ce que le nougat est sur la liste de courses ?",
        "nougat",
        False,
    ),
    (
        "it",
        "aggiungi cotogne alla lista della spesa",
        "cosa c'è sulla lista della spesa?",
        "cotogne",
        True,
    ),
    (
        "it",
        "aggiungi cotogne alla lista della spesa",
        "c'è il torrone sulla lista della spesa?",
        "torrone",
        False,
    ),
    (
        "nl",
        "zet kweeperen op de boodschappenlijst",
        "wat staat er op de boodschappenlijst?",
        "kweeperen",
        True,
    ),
    (
        "nl",
        "zet kweeperen op de boodschappenlijst",
        "staat noga op de boodschappenlijst?",
        "noga",
        False,
    ),
    ("pl", "dodaj pigwy do listy zakupów", "co jest na liście zakupów?", "pigwy", True),
    ("pl", "dodaj pigwy do listy zakupów", "czy nugat jest na liście zakupów?", "nugat", False),
    (
        "pt",
        "adiciona marmelos à lista de compras",
        "o que está na lista de compras?",
        "marmelos",
        True,
    ),
    (
        "pt",
        "adiciona marmelos à lista de compras",
        "o nogado está na lista de compras?",
        "nogado",
        False,
    ),
]

TAKEN = [
    (
        "en",
        "add figs and dates to the shopping list",
        "take figs off the shopping list",
        "remove_item",
        "figs",
    ),
    (
        "en",
        "add figs and dates to the shopping list",
        "mark the dates as bought",
        "update_item",
        "dates",
    ),
    (
        "en",
        "add figs and dates to the shopping list",
        "tick off figs on my shopping list",
        "update_item",
        "figs",
    ),
    (
        "de",
        "setze Feigen und Datteln auf die Einkaufsliste",
        "streich Feigen von der Einkaufsliste",
        "remove_item",
        "Feigen",
    ),
    (
        "de",
        "setze Feigen und Datteln auf die Einkaufsliste",
        "hake Datteln auf der Einkaufsliste ab",
        "update_item",
        "Datteln",
    ),
    (
        "es",
        "añade higos y dátiles a la lista de la compra",
        "quita los higos de la lista de la compra",
        "remove_item",
        "higos",
    ),
    (
        "es",
        "añade higos y dátiles a la lista de la compra",
        "marca los dátiles como comprados",
        "update_item",
        "dátiles",
    ),
    (
        "fr",
        "ajoute des figues et des dattes à la liste de courses",
        "enlève les figues de la liste de courses",
        "remove_item",
        "figues",
    ),
    (
        "it",
        "aggiungi fichi e datteri alla lista della spesa",
        "togli i fichi dalla lista della spesa",
        "remove_item",
        "fichi",
    ),
    (
        "it",
        "aggiungi fichi e datteri alla lista della spesa",
        "segna i datteri come comprati",
        "update_item",
        "datteri",
    ),
    (
        "nl",
        "zet vijgen en dadels op de boodschappenlijst",
        "haal vijgen van de boodschappenlijst",
        "remove_item",
        "vijgen",
    ),
    (
        "pl",
        "dodaj figi i daktyle do listy zakupów",
        "usuń figi z listy zakupów",
        "remove_item",
        "figi",
    ),
    (
        "pt",
        "adiciona figos e tâmaras à lista de compras",
        "tira os figos da lista de compras",
        "remove_item",
        "figos",
    ),
]

CLEARED = [
    ("en", "add plaster to the shopping list", "clear the shopping list", "yes"),
    ("de", "setze Gips auf die Einkaufsliste", "leere die Einkaufsliste", "ja"),
    ("es", "añade yeso a la lista de la compra", "vacía la lista de la compra", "sí"),
    ("fr", "ajoute du plâtre à la liste de courses", "vide la liste de courses", "oui"),
    ("it", "aggiungi gesso alla lista della spesa", "svuota la lista della spesa", "sì"),
    ("nl", "zet gips op de boodschappenlijst", "maak de boodschappenlijst leeg", "ja"),
    ("pl", "dodaj gips do listy zakupów", "wyczyść listę zakupów", "tak"),
    ("pt", "adiciona gesso à lista de compras", "limpa a lista de compras", "sim"),
]

WITHOUT_ITEMS = [
    ("en", "add to the shopping list", "starch and yeast", ["starch", "yeast"]),
    ("de", "setz auf die Einkaufsliste", "Stärke", ["Stärke"]),
    ("es", "añade a la lista de la compra", "almidón", ["almidón"]),
    ("fr", "ajoute à la liste de courses", "de l'amidon", ["amidon"]),
    ("it", "aggiungi alla lista della spesa", "amido", ["amido"]),
    ("nl", "zet op de boodschappenlijst", "zetmeel", ["zetmeel"]),
    ("pl", "dodaj do listy zakupów", "skrobię", ["skrobię"]),
    ("pt", "adiciona à lista de compras", "amido", ["amido"]),
]


@in_one_house(
    ("language", "says", "item", "is_there"), [(row[0], row[1:3], *row[3:]) for row in TOLD]
)
async def test_what_is_on_a_list_is_told(
    speak: Setup, language: str, says: tuple[str, str], item: str, is_there: bool
) -> None:
    speaker = await speak()
    await speaker.say(says[0], language=language)
    said = await speaker.say(says[1], language=language)
    lexicon = await async_get_language(speaker.hass, language)
    name = speaker.hass.states.get(LIST).name  # type: ignore[union-attr]
    assert item.casefold() in said.reply.casefold()
    denied = lexicon.say("list.not_on", list=name, items=item)
    assert (denied not in said.reply) is is_there
    assert said.calls == []


@in_one_house(
    ("language", "says", "service", "item"), [(row[0], row[1:3], *row[3:]) for row in TAKEN]
)
async def test_items_are_taken_off_by_name(
    speak: Setup, language: str, says: tuple[str, str], service: str, item: str
) -> None:
    speaker = await speak()
    await speaker.say(says[0], language=language)
    said = await speaker.say(says[1], language=language)
    (call,) = said.calls
    assert (call["service"], call["service_data"]["item"]) == (service, item)
    assert item not in open_items(speaker.hass, LIST), said.reply


@in_one_house(("language", "first", "text", "agreed"), CLEARED)
async def test_a_list_is_emptied_after_a_yes(
    speak: Setup, language: str, first: str, text: str, agreed: str
) -> None:
    speaker = await speak()
    await speaker.say(first, language=language)
    asked = await speaker.say(text, language=language)
    assert asked.calls == []
    assert open_items(speaker.hass, LIST)
    await speaker.say(agreed, language=language)
    assert open_items(speaker.hass, LIST) == []


@in_one_house(("language", "text", "answer", "items"), WITHOUT_ITEMS)
async def test_what_to_put_on_a_list_is_asked(
    speak: Setup, language: str, text: str, answer: str, items: list[str]
) -> None:
    speaker = await speak()
    asked = await speaker.say(text, language=language)
    assert (asked.calls, put(asked)) == ([], [])
    assert put(await speaker.say(answer, language=language)) == items


@in_one_house(
    ("language", "text"),
    [
        ("en", "bread still has to be done"),
        ("en", "the bread must be done by Saturday"),
        ("de", "Bread muss noch erledigt werden"),
        ("es", "Bread tiene que estar comprado"),
        ("fr", "Bread doit encore être fait"),
        ("it", "Bread deve ancora essere fatto"),
        ("nl", "Bread moet nog klaar zijn"),
        ("pl", "Bread musi być zrobione"),
        ("pt", "Bread tem de estar feito"),
        ("sv", "Bread måste vara klart"),
    ],
)
async def test_what_is_still_to_be_done_is_not_ticked_off(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert (said.calls, said.changes) == ([], {}), said.reply

"""What is put on a list is what was said of it, each thing by itself, and once."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

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

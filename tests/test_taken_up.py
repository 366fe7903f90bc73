"""Short sentences after a command go on with it, take it back, or are for nothing else."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

_BLINDS = "cover.kitchen_blinds"
_COFFEE = "switch.coffee_machine"

FURTHER = [
    ("en", "lower the kitchen blinds a bit", "a bit more"),
    ("de", "lass Kitchen Blinds ein bisschen runter", "noch ein bisschen"),
    ("es", "baja Kitchen Blinds un poco", "un poco más"),
    ("fr", "baisse un peu Kitchen Blinds", "encore un peu"),
    ("it", "abbassa un po' Kitchen Blinds", "ancora un po'"),
    ("nl", "doe Kitchen Blinds een beetje omlaag", "nog een beetje"),
    ("pl", "opuść trochę Kitchen Blinds", "jeszcze trochę"),
    ("pt", "baixa um pouco Kitchen Blinds", "mais um pouco"),
    ("sv", "sänk Kitchen Blinds lite", "lite till"),
]
REVOKED = [
    ("en", "switch on the coffee machine", "actually no"),
    ("en", "switch on the coffee machine", "on second thought, better not"),
    ("de", "schalt die Kaffeemaschine ein", "ach nein, doch nicht"),
    ("es", "enciende Coffee Machine", "mejor no"),
    ("fr", "allume Coffee Machine", "finalement non"),
    ("it", "accendi Coffee Machine", "anzi no, lascia stare"),
    ("nl", "zet Coffee Machine aan", "toch maar niet"),
    ("pl", "włącz Coffee Machine", "jednak nie"),
    ("pt", "liga Coffee Machine", "afinal não"),
    ("sv", "sätt på Coffee Machine", "nej, inte ändå"),
]
LONE_VALUES = [
    ("en", "frobnicate the gramophone", "only half"),
    ("en", "frobnicate the gramophone", "set it to 30 percent"),
    ("en", "frobnicate the gramophone", "red"),
    ("de", "verschwurbel das Grammophon", "dreißig Prozent"),
    ("es", "descuajeringa el gramófono", "al treinta por ciento"),
    ("fr", "déglingue le gramophone", "à trente pour cent"),
    ("it", "sbatacchia il grammofono", "al trenta per cento"),
    ("nl", "verfrommel de grammofoon", "op dertig procent"),
    ("pl", "rozbujaj gramofon", "na trzydzieści procent"),
    ("pt", "escangalha o gramofone", "a trinta por cento"),
    ("sv", "knyckla grammofonen", "trettio procent"),
]
JUXTAPOSED = [
    ("en", "reading lamp off floor lamp on"),
    ("en", "turn on the floor lamp switch off the reading lamp"),
    ("de", "Stehlampe an Leselampe aus"),
    ("de", "mach die Stehlampe an mach die Leselampe aus"),
    ("es", "enciende Floor Lamp apaga Reading Lamp"),
    ("fr", "allume Floor Lamp éteins Reading Lamp"),
    ("it", "accendi Floor Lamp spegni Reading Lamp"),
    ("nl", "Floor Lamp aan Reading Lamp uit"),
    ("pl", "włącz Floor Lamp wyłącz Reading Lamp"),
    ("pt", "acende Floor Lamp apaga Reading Lamp"),
    ("sv", "tänd Floor Lamp släck Reading Lamp"),
]
LISTED = [
    ("en", "turn off the reading lamp the kitchen pendant and the kitchen counter"),
    ("de", "Leselampe Kitchen Pendant und Kitchen Counter aus"),
    ("es", "apaga Reading Lamp Kitchen Pendant y Kitchen Counter"),
    ("fr", "éteins Reading Lamp Kitchen Pendant et Kitchen Counter"),
    ("it", "spegni Reading Lamp Kitchen Pendant e Kitchen Counter"),
    ("nl", "doe Reading Lamp Kitchen Pendant en Kitchen Counter uit"),
    ("pl", "wyłącz Reading Lamp Kitchen Pendant i Kitchen Counter"),
    ("pt", "apaga Reading Lamp Kitchen Pendant e Kitchen Counter"),
    ("sv", "släck Reading Lamp Kitchen Pendant och Kitchen Counter"),
]
NOT_CUT = [
    "don't turn on the floor lamp turn off the reading lamp",
    "is the reading lamp on the floor lamp off",
    "dim the reading lamp to 20 percent for the movie night",
    "heating off in the dining room",
]
ONE_AFTER_THE_OTHER = [
    ("en", "turn on the floor lamp", "and the dining table", "turn them off again"),
    ("en", "turn on the floor lamp", "and the dining table", "both off again"),
    ("de", "mach die Stehlampe an", "und Dining Table auch", "mach sie beide wieder aus"),
    ("es", "enciende Floor Lamp", "y Dining Table también", "apaga las dos"),
    ("fr", "allume Floor Lamp", "et Dining Table aussi", "éteins les deux"),
    ("it", "accendi Floor Lamp", "e anche Dining Table", "spegnile tutte e due"),
    ("nl", "doe Floor Lamp aan", "en Dining Table ook", "allebei weer uit"),
    ("pl", "włącz Floor Lamp", "i Dining Table też", "wyłącz obie"),
    ("pt", "acende Floor Lamp", "e Dining Table também", "apaga as duas"),
    ("sv", "tänd Floor Lamp", "och Dining Table också", "släck båda"),
]
THERE = [
    ("en", "turn on the dining table", "turn off the light in there"),
    ("de", "mach Dining Table an", "mach da das Licht aus"),
    ("es", "enciende Dining Table", "apaga allí la luz"),
    ("fr", "allume Dining Table", "éteins la lumière là-bas"),
    ("it", "accendi Dining Table", "spegni lì la luce"),
    ("nl", "doe Dining Table aan", "doe daar het licht uit"),
    ("pl", "włącz Dining Table", "wyłącz tam światło"),
    ("pt", "acende Dining Table", "apaga ali a luz"),
    ("sv", "tänd Dining Table", "släck där inne"),
]
SOME_AGAIN = [
    ("en", "switch the kitchen lights off", "no, turn on the kitchen pendant"),
    ("de", "mach in der Küche die Lichter aus", "nein, mach Kitchen Pendant an"),
    ("es", "apaga las luces de Kitchen", "no, enciende Kitchen Pendant"),
    ("fr", "éteins les lumières de la Cuisine", "non, allume Kitchen Pendant"),
    ("it", "spegni le luci in Kitchen", "no aspetta, accendi Kitchen Pendant"),
    ("nl", "doe de lampen in Kitchen uit", "nee, doe Kitchen Pendant aan"),
    ("sv", "släck lamporna i Kitchen", "nej, tänd Kitchen Pendant"),
]
EACH_ITS_OWN = [
    ("en", "set the heating to 19 and the one in the bathroom to 23"),
    ("en", "set the heating to 19 and in the bathroom to 23"),
    ("de", "stell die Heizung auf 19 und die im Bathroom auf 23"),
    ("es", "pon la calefacción a 19 y la de Bathroom a 23"),
    ("fr", "mets le chauffage à 19 et celui de Bathroom à 23"),
    ("it", "metti il riscaldamento a 19 e quello in Bathroom a 23"),
    ("nl", "zet de verwarming op 19 en die in Bathroom op 23"),
    ("pl", "ustaw ogrzewanie na 19 a w Bathroom na 23"),
    ("pt", "põe o aquecimento a 19 e o de Bathroom a 23"),
    ("sv", "sätt värmen på 19 och den i Bathroom på 23"),
]


@in_one_house(("language", "first", "then"), FURTHER)
async def test_more_goes_on_the_way_it_went(
    hass: HomeAssistant, speak: Setup, language: str, first: str, then: str
) -> None:
    """Lower blinds further, and do not raise them again."""
    speaker = await speak()
    for text, position in ((first, 80), (then, 60)):
        await speaker.say(text, language=language)
        assert _value(hass, _BLINDS, "current_position") == position


@in_one_house(("language", "first", "then"), REVOKED)
async def test_what_is_not_wanted_after_all_is_taken_back(
    hass: HomeAssistant, speak: Setup, language: str, first: str, then: str
) -> None:
    """Turn off what was just turned on, once."""
    speaker = await speak()
    for text, state in ((first, "on"), (then, "off")):
        await speaker.say(text, language=language)
        assert hass.states.is_state(_COFFEE, state)
    assert (await speaker.say(then, language=language)).changes == {}


@in_one_house(("language", "first", "then"), REVOKED)
async def test_only_the_command_just_before_is_taken_back(
    speak: Setup, language: str, first: str, then: str
) -> None:
    """Leave on what was turned on before another sentence."""
    speaker = await speak()
    await speaker.say(first, language=language)
    await speaker.say("xyzzy plugh", language=language)
    assert (await speaker.say(then, language=language)).changes == {}


@in_one_house(("language", "first", "then"), LONE_VALUES)
async def test_a_lone_value_is_not_for_the_room_after_what_was_not_understood(
    speak: Setup, language: str, first: str, then: str
) -> None:
    """Set nothing to a value where it is not known what it is for."""
    speaker = await speak()
    for text in (first, then):
        said = await speaker.say(text, language=language, area="Living Room")
        assert said.changes == {}


@in_one_house(("language", "text"), EACH_ITS_OWN)
async def test_the_place_of_the_second_is_not_that_of_the_first(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    """Set the heating of the room and the other one, each to its own."""
    await (await speak()).say(text, language=language, area="Living Room")
    assert _value(hass, "climate.living_room_thermostat", "temperature") == 19
    assert _value(hass, "climate.bathroom_heating", "temperature") == 23


@in_one_house(("language", "text"), JUXTAPOSED)
async def test_clauses_that_nothing_joins_are_each_done(
    speak: Setup, language: str, text: str
) -> None:
    """Turn one lamp on and another off."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert {*said.changes} == {"light.floor_lamp", "light.reading_lamp"}


@in_one_house(("language", "text"), LISTED)
async def test_things_of_a_list_need_no_word_between(
    speak: Setup, language: str, text: str
) -> None:
    """Turn off three lamps, and no other."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    lamps = {"light.reading_lamp", "light.kitchen_pendant", "light.kitchen_counter"}
    assert {*said.changes} == lamps


@in_one_house("text", NOT_CUT)
async def test_what_is_one_sentence_is_not_cut(speak: Setup, text: str) -> None:
    """Do nothing after what is negated, asked, or for what is not there."""
    assert (await (await speak()).say(text, area="Living Room")).changes == {}


@in_one_house(("language", "first", "more", "then"), ONE_AFTER_THE_OTHER)
async def test_both_are_what_was_turned_on_one_after_the_other(
    speak: Setup, language: str, first: str, more: str, then: str
) -> None:
    """Turn both off, and no other lamp of the room."""
    speaker = await speak()
    for text in (first, more):
        await speaker.say(text, language=language, area="Kitchen")
    said = await speaker.say(then, language=language, area="Kitchen")
    assert {*said.changes} == {"light.floor_lamp", "light.dining_table"}


@in_one_house(("language", "first", "then"), THERE)
async def test_there_is_the_place_that_was_spoken_of(
    speak: Setup, language: str, first: str, then: str
) -> None:
    """Turn off the lights there, and none where it is said."""
    speaker = await speak()
    await speaker.say(first, language=language, area="Kitchen")
    said = await speaker.say(then, language=language, area="Kitchen")
    assert {*said.changes} == {"light.dining_table"}


@in_one_house(("language", "first", "then"), SOME_AGAIN)
async def test_the_others_stay_off_where_one_is_turned_on_again(
    speak: Setup, language: str, first: str, then: str
) -> None:
    """Turn one lamp on, and put back no other."""
    speaker = await speak()
    await speaker.say(first, language=language)
    assert {*(await speaker.say(then, language=language)).changes} == {"light.kitchen_pendant"}


def _value(hass: HomeAssistant, entity_id: str, name: str) -> object:
    """Return an attribute of an entity."""
    state = hass.states.get(entity_id)
    assert state
    return state.attributes[name]

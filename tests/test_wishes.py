"""A wish may say what is not wanted; what must not be done is no wish."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned

KITCHEN = {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}
OFF = [
    ("en", "I don't want the lights on in the kitchen"),
    ("en", "no light in the kitchen please"),
    ("en", "we don't want any light in the kitchen"),
    ("en", "I would rather not have the lights in the kitchen on"),
    ("de", "in der Küche kein Licht, bitte"),
    ("de", "ich will in der Küche kein Licht haben"),
    ("de", "ich will nicht, dass das Licht in der Küche an ist"),
    ("de", "wir möchten das Licht in der Küche nicht"),
    ("es", "no quiero luz en Kitchen"),
    ("es", "no quiero que la luz de Kitchen esté encendida"),
    ("es", "sin luz en Kitchen, por favor"),
    ("fr", "je ne veux pas de lumière dans la Cuisine"),
    ("fr", "pas de lumière dans la Cuisine s'il te plaît"),
    ("fr", "je ne veux pas que la lumière de la Cuisine soit allumée"),
    ("it", "non voglio la luce in Kitchen"),
    ("it", "niente luce in Kitchen per favore"),
    ("nl", "ik wil geen licht in Kitchen"),
    ("nl", "ik wil niet dat het licht in Kitchen aan is"),
    ("pl", "nie chcę światła w Kitchen"),
    ("pl", "żadnego światła w Kitchen"),
    ("pt", "não quero luz em Kitchen"),
    ("pt", "sem luz em Kitchen"),
    ("sv", "jag vill inte ha något ljus i Kitchen"),
    ("sv", "inget ljus i Kitchen tack"),
]
NO_LONGER = [
    ("en", "we don't need the kitchen lights any more"),
    ("en", "I'm fed up with the kitchen lights"),
    ("en", "I can do without the kitchen lights"),
    ("de", "das Licht in der Küche brauchen wir nicht mehr"),
    ("de", "wir brauchen in der Küche kein Licht mehr"),
    ("es", "ya no necesitamos la luz de Kitchen"),
    ("fr", "j'en ai marre de la lumière dans la Cuisine"),
    ("it", "non ci serve più la luce in Kitchen"),
    ("nl", "het licht in Kitchen hoeft niet meer aan"),
    ("pl", "nie potrzebujemy już światła w Kitchen"),
    ("pt", "já não precisamos da luz em Kitchen"),
    ("sv", "ljuset i Kitchen behöver inte vara tänt längre"),
]
NICE_IF_NOT = [
    ("en", "it would be lovely if the kitchen lights weren't on"),
    ("de", "es wäre schön, wenn das Licht in der Küche nicht an wäre"),
    ("es", "estaría bien si la luz de Kitchen no estuviera encendida"),
    ("fr", "ce serait bien si la lumière de la Cuisine n'était pas allumée"),
    ("nl", "het zou fijn zijn als het licht in Kitchen niet aan was"),
    ("pt", "seria bom se a luz de Kitchen não estivesse acesa"),
]
# A reason that no mark separates from what is to be done.
WHY = [
    ("en", "turn off the kitchen lights I'm getting a headache"),
    ("en", "turn off the kitchen lights because my eyes are sore"),
    ("de", "mach das Licht in der Küche aus mir tun die Augen weh"),
    ("es", "apaga la luz de Kitchen que me duele la cabeza"),
    ("fr", "éteins la lumière dans la Cuisine j'ai mal au crâne"),
    ("it", "spegni la luce in Kitchen che ho mal di testa"),
    ("nl", "doe het licht in Kitchen uit ik krijg er hoofdpijn van"),
    ("pl", "wyłącz światło w Kitchen bo pękają mi skronie"),
    ("pt", "apaga a luz em Kitchen que tenho enxaqueca"),
    ("sv", "släck ljuset i Kitchen jag har huvudvärk"),
]
DIMMER = [
    ("en", "I don't want it so bright"),
    ("en", "not so bright please"),
    ("en", "I don't want the light that bright"),
    ("de", "ich will es nicht so hell"),
    ("de", "ich will nicht, dass es so hell ist"),
    ("es", "no quiero la luz tan fuerte"),
    ("fr", "je ne veux pas que ce soit aussi lumineux"),
    ("it", "non voglio la luce così forte"),
    ("nl", "ik wil het niet zo fel"),
    ("pl", "nie chcę tak jasno"),
    ("pt", "não quero a luz tão forte"),
    ("sv", "jag vill inte ha det så ljust"),
]
NOTHING = [
    ("en", "don't turn on the kitchen light"),
    ("en", "I don't want you to turn on the kitchen lights"),
    ("en", "I don't want the kitchen lights off"),
    ("en", "I don't want the kitchen lights to go off"),
    ("en", "there is no light in the kitchen"),
    ("en", "no light"),
    ("en", "no lights in the kitchen tonight"),
    ("en", "no lights in the kitchen if nobody is home"),
    ("en", "I don't want the front door locked"),
    ("en", "not now"),
    ("en", "I don't need more light in the kitchen"),
    ("en", "we don't need to turn off the kitchen lights"),
    ("en", "it would be nice if the front door weren't locked"),
    ("de", "ich will nicht mehr Licht in der Küche"),
    ("de", "du musst das Licht in der Küche nicht ausmachen"),
    ("fr", "on n'a plus besoin d'éteindre la lumière dans la Cuisine"),
    ("nl", "je hoeft het licht in Kitchen niet uit te doen"),
    ("pl", "nie musisz gasić światła w Kitchen"),
    ("en", "no, leave it"),
    ("de", "es ist kein Licht in der Küche"),
    ("de", "in der Küche brennt kein Licht"),
    ("de", "ich will kein Licht anmachen"),
    ("de", "ich will das Licht in der Küche nicht aus"),
    ("de", "ich habe kein Licht in der Küche"),
    ("es", "no hay luz en Kitchen"),
    ("es", "no enciendas la luz en Kitchen"),
    ("fr", "il n'y a pas de lumière dans la Cuisine"),
    ("fr", "je ne veux pas éteindre la lumière dans la Cuisine"),
    ("it", "non c'è luce in Kitchen"),
    ("it", "non spegnere la luce in Kitchen"),
    ("nl", "er is geen licht in Kitchen"),
    ("nl", "doe geen licht aan in Kitchen"),
    ("pl", "nie ma światła w Kitchen"),
    ("pt", "não há luz em Kitchen"),
    ("pt", "não apagues a luz em Kitchen"),
    ("sv", "det är inget ljus i Kitchen"),
    ("sv", "släck inte ljuset i köket"),
]
SAID_TO_BE_NICE = [
    ("en", "it would be great if the floor lamp were on"),
    ("en", "I'd love it if you turned on the floor lamp"),
    ("de", "es wäre schön, wenn die Stehlampe an wäre"),
    ("es", "estaría bien si Floor Lamp estuviera encendida"),
    ("fr", "ce serait bien si Floor Lamp était allumée"),
    ("it", "sarebbe bello se Floor Lamp fosse accesa"),
    ("nl", "het zou fijn zijn als Floor Lamp aan was"),
    ("pl", "fajnie by było gdyby Floor Lamp była włączona"),
    ("pt", "seria bom se Floor Lamp estivesse acesa"),
    ("sv", "det vore bra om Floor Lamp var tänd"),
]
NOT_FOR_NOW = [
    ("en", "it would be great if nobody turned on the floor lamp"),
    ("en", "it would be great if you didn't turn on the floor lamp"),
    ("en", "it would be great if the floor lamp were on when I get home"),
    ("en", "the floor lamp was on"),
    ("en", "I wonder if the floor lamp were on"),
]
CLOSED = [
    ("en", "I don't want the kitchen blinds open"),
    ("de", "ich will Kitchen Blinds nicht offen haben"),
]

# How something is to be at a time, in the moods that people say it in.
FOR_LATER = [
    ("en", "it would be nice if the kitchen blinds were closed by nine"),
    ("en", "I'd like the floor lamp off at ten"),
    ("de", "ich hätte gern um zehn die Stehlampe aus"),
    ("de", "es wäre schön, wenn die Stehlampe um neun an wäre"),
    ("es", "estaría bien que Floor Lamp estuviera encendida a las nueve"),
    ("es", "Floor Lamp debería apagarse a las diez"),
    ("fr", "il faudra éteindre Floor Lamp à dix heures"),
    ("fr", "j'aimerais que Floor Lamp s'éteigne à dix heures"),
    ("it", "vorrei che alle otto si spegnesse Floor Lamp"),
    ("it", "sarebbe bello se Floor Lamp fosse accesa alle nove"),
    ("nl", "ik had graag om tien uur Floor Lamp uit"),
    ("nl", "het zou fijn zijn als Floor Lamp om negen uur aan was"),
    ("pl", "chciałbym, żeby o ósmej zgasła Floor Lamp"),
    ("pl", "byłoby dobrze, gdyby Floor Lamp była włączona o dziewiątej"),
    ("pt", "é preciso desligar Floor Lamp às dez"),
    ("pt", "era bom que Floor Lamp estivesse acesa às nove"),
    ("sv", "jag vill ha Floor Lamp av klockan tio"),
    ("sv", "det vore bra om Floor Lamp var tänd klockan nio"),
]


@in_one_house(("language", "text"), [*OFF, *NO_LONGER, *NICE_IF_NOT, *WHY])
async def test_what_is_not_wanted_is_turned_off(speak: Setup, language: str, text: str) -> None:
    """Turn off the lights of the room that are not wanted on, and no others."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == KITCHEN


@in_one_house(("language", "text"), DIMMER)
async def test_not_so_bright_is_dimmer(speak: Setup, language: str, text: str) -> None:
    """Dim the lights of the speaker's room, where nothing was spoken of before."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert {*said.changes} == KITCHEN
    assert all(call["service_data"]["brightness_step_pct"] < 0 for call in said.calls)


@in_one_house(("language", "text"), NOTHING)
async def test_what_must_not_be_done_is_no_wish(speak: Setup, language: str, text: str) -> None:
    """Change nothing after a negated verb, a statement, a time or a condition."""
    said = await (await speak()).say(text, language=language)
    assert said.changes == {}


@in_one_house(("language", "text"), CLOSED)
async def test_what_is_not_wanted_open_is_closed(speak: Setup, language: str, text: str) -> None:
    """Close the blinds that are not wanted open."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"cover.kitchen_blinds"}


@in_one_house(("language", "text"), SAID_TO_BE_NICE)
async def test_what_would_be_nice_is_done(speak: Setup, language: str, text: str) -> None:
    """Turn on the lamp that is wished to be on."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"light.floor_lamp"}


@in_one_house(("language", "text"), FOR_LATER)
async def test_a_wish_for_later_is_planned(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.result.response.error_code, said.reply
    assert said.changes == {}
    assert len(await planned(hass)) == 1


@in_one_house(("language", "text"), NOT_FOR_NOW)
async def test_what_is_only_told_is_not_done(speak: Setup, language: str, text: str) -> None:
    """Change nothing where it is negated, for later, or only told."""
    said = await (await speak()).say(text, language=language)
    assert said.changes == {}

"""Replies say what changed: what was so before is said to have been so, and counts count changes."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from tests.conftest import Setup
from tests.one_house import in_one_house

# What is said one after the other, with the reply to each and how many devices it changed.
type Turns = tuple[tuple[str, str, int], ...]

CASES: tuple[tuple[str, Turns], ...] = (
    (
        "en",
        (
            ("turn off all the lights", "Turned off 9 lights.", 9),
            ("turn off all the lights", "All 26 lights were off already.", 0),
            ("turn off the floor lamp", "Floor Lamp was off already.", 0),
            ("turn on the floor lamp", "Turned on Floor Lamp.", 1),
            ("turn on the floor lamp", "Floor Lamp was on already.", 0),
            (
                "turn on the floor lamp and the desk lamp",
                "Turned on Desk Lamp (Floor Lamp was on already).",
                1,
            ),
        ),
    ),
    (
        "en",
        (
            (
                "turn off the coffee machine and the kitchen counter",
                "Turned off Kitchen Counter. Coffee Machine was off already.",
                1,
            ),
        ),
    ),
    (
        "en",
        (
            (
                "turn on the kitchen counter and turn off the floor lamp",
                "Kitchen Counter was on already. Floor Lamp was off already.",
                0,
            ),
            ("turn off the kitchen counter", "Turned off Kitchen Counter.", 1),
            ("toggle the kitchen counter", "Switched Kitchen Counter.", 1),
            ("set the kitchen pendant to 50 percent", "Kitchen Pendant was set to 50% already.", 0),
            ("set the kitchen pendant to 60 percent", "Set Kitchen Pendant to 60%.", 1),
            ("close the bedroom blinds", "Bedroom Blinds was closed already.", 0),
            ("lock the front door", "Front Door was locked already.", 0),
            (
                "set the bedroom thermostat to 19.5 degrees",
                "Bedroom Thermostat was set to 19.5 °C already.",
                0,
            ),
        ),
    ),
    (
        "en",
        (
            ("which lights are still on?", "On: 9 lights.", 0),
            ("turn them all off", "Turned off 9 lights.", 9),
        ),
    ),
    (
        "de",
        (
            ("schalte alle Lichter aus", "9 Lichter ausgeschaltet.", 9),
            ("schalte alle Lichter aus", "Alle 26 Lichter waren schon aus.", 0),
            ("schalte Floor Lamp aus", "Floor Lamp war schon aus.", 0),
            ("schalte Floor Lamp an", "Floor Lamp eingeschaltet.", 1),
            (
                "schalte Desk Lamp und Floor Lamp an",
                "Desk Lamp eingeschaltet (Floor Lamp war schon an).",
                1,
            ),
            ("schließe Bedroom Blinds", "Bedroom Blinds war schon zu.", 0),
            ("schließe Front Door ab", "Front Door war schon abgeschlossen.", 0),
        ),
    ),
    (
        "de",
        (("stelle Kitchen Pendant auf 50 %", "Kitchen Pendant war schon auf 50 % gestellt.", 0),),
    ),
    (
        "es",
        (
            ("apaga todas las luces", "He apagado 9 luces.", 9),
            ("apaga todas las luces", "26 luces: todo ya estaba apagado.", 0),
            ("apaga Floor Lamp", "Floor Lamp: el dispositivo ya estaba apagado.", 0),
            ("enciende Floor Lamp", "He encendido Floor Lamp.", 1),
            (
                "enciende Desk Lamp y Floor Lamp",
                "He encendido Desk Lamp (Floor Lamp: el dispositivo ya estaba encendido).",
                1,
            ),
            ("cierra Bedroom Blinds", "Bedroom Blinds: el dispositivo ya estaba cerrado.", 0),
        ),
    ),
    ("es", (("pon Kitchen Pendant al 50 %", "Kitchen Pendant: ya estaba en 50 %.", 0),)),
    (
        "fr",
        (
            ("quelles lumières sont encore allumées ?", "Allumées : 9 lumières.", 0),
            ("éteins-les toutes", "J'ai éteint 9 lumières.", 9),
            ("éteins toutes les lumières", "26 lumières : tout était déjà éteint.", 0),
            ("éteins Floor Lamp", "Floor Lamp : c'était déjà éteint.", 0),
            ("allume Floor Lamp", "J'ai allumé Floor Lamp.", 1),
            (
                "allume Desk Lamp et Floor Lamp",
                "J'ai allumé Desk Lamp (Floor Lamp : c'était déjà allumé).",
                1,
            ),
            ("ferme Bedroom Blinds", "Bedroom Blinds : c'était déjà fermé.", 0),
        ),
    ),
    ("fr", (("mets Kitchen Pendant à 50 %", "Kitchen Pendant : c'était déjà réglé sur 50 %.", 0),)),
    (
        "it",
        (
            ("quali luci sono ancora accese?", "Accese: 9 luci.", 0),
            ("spegnile tutte", "Ho spento 9 luci.", 9),
            ("spegni tutte le luci", "26 luci: era già tutto spento.", 0),
            ("spegni Floor Lamp", "Floor Lamp: il dispositivo era già spento.", 0),
            ("accendi Floor Lamp", "Ho acceso Floor Lamp.", 1),
            (
                "accendi Desk Lamp e Floor Lamp",
                "Ho acceso Desk Lamp (Floor Lamp: il dispositivo era già acceso).",
                1,
            ),
            ("chiudi Bedroom Blinds", "Bedroom Blinds: il dispositivo era già chiuso.", 0),
        ),
    ),
    ("it", (("metti Kitchen Pendant al 50 %", "Kitchen Pendant: era già su 50%.", 0),)),
    (
        "nl",
        (
            ("welke lampen zijn nog aan?", "Aan: 9 lampen.", 0),
            ("doe ze allemaal uit", "9 lampen uitgezet.", 9),
            ("doe alle lampen uit", "Alle 26 lampen stonden al uit.", 0),
            ("doe Floor Lamp uit", "Floor Lamp stond al uit.", 0),
            ("doe Floor Lamp aan", "Floor Lamp aangezet.", 1),
            (
                "doe Desk Lamp en Floor Lamp aan",
                "Desk Lamp aangezet (Floor Lamp stond al aan).",
                1,
            ),
            ("sluit Bedroom Blinds", "Bedroom Blinds was al dicht.", 0),
        ),
    ),
    ("nl", (("zet Kitchen Pendant op 50 %", "Kitchen Pendant stond al op 50%.", 0),)),
    (
        "pl",
        (
            ("które światła są jeszcze włączone?", "Włączone: światła (9).", 0),
            ("wyłącz je wszystkie", "Wyłączono: światła (9).", 9),
            ("zgaś wszystkie światła", "Wszystko już wcześniej wyłączone: światła (26).", 0),
            ("wyłącz Floor Lamp", "Już wcześniej wyłączone: Floor Lamp.", 0),
            ("włącz Floor Lamp", "Włączono: Floor Lamp.", 1),
            (
                "włącz Desk Lamp i Floor Lamp",
                "Włączono: Desk Lamp (już wcześniej włączone: Floor Lamp).",
                1,
            ),
            ("zamknij Bedroom Blinds", "Już wcześniej zamknięte: Bedroom Blinds.", 0),
        ),
    ),
    (
        "pl",
        (("ustaw Kitchen Pendant na 50 %", "Już wcześniej ustawione na 50%: Kitchen Pendant.", 0),),
    ),
    (
        "pt",
        (
            ("que luzes ainda estão acesas?", "Acesas: 9 luzes.", 0),
            ("apaga-as todas", "Apaguei 9 luzes.", 9),
            ("apaga todas as luzes", "26 luzes: já estava tudo desligado.", 0),
            ("apaga Floor Lamp", "Floor Lamp: o dispositivo já estava desligado.", 0),
            ("acende Floor Lamp", "Acendi Floor Lamp.", 1),
            (
                "acende Desk Lamp e Floor Lamp",
                "Acendi Desk Lamp (Floor Lamp: o dispositivo já estava ligado).",
                1,
            ),
            ("fecha Bedroom Blinds", "Bedroom Blinds: o dispositivo já estava fechado.", 0),
        ),
    ),
    ("pt", (("põe Kitchen Pendant a 50 %", "Kitchen Pendant: já estava em 50%.", 0),)),
)


@in_one_house(("language", "turns"), CASES, ids=lambda value: str(value)[:60])
async def test_a_reply_says_what_changed_and_what_was_so(
    speak: Setup, language: str, turns: Turns
) -> None:
    speaker = await speak()
    for text, reply, changed in turns:
        said = await speaker.say(text, language=language)
        assert (said.reply, len(said.changes)) == (reply, changed), text


# Nothing of these shows beforehand whether they do something.
ACTING = (
    ("flash the kitchen pendant", "Flashed Kitchen Pendant."),
    ("toggle the floor lamp", "Switched Floor Lamp."),
    ("next song", "Skipped ahead on Kitchen Speaker."),
)


@in_one_house(("text", "reply"), ACTING)
async def test_what_acts_again_is_told_as_done(speak: Setup, text: str, reply: str) -> None:
    speaker = await speak()
    for _ in range(2):
        assert (await speaker.say(text)).reply == reply


async def test_a_group_was_so_where_its_members_were(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    lamps = ["light.floor_lamp", "light.reading_lamp"]
    assert await async_setup_component(hass, "group", {})
    group = {"platform": "group", "name": "Cosy Corner", "entities": lamps}
    await hass.data["light"].async_setup_platform("group", group)
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "light.cosy_corner", should_expose=True)
    # One of both is on, and with it the group.
    assert (await speaker.say("turn on the cosy corner")).reply == "Turned on Cosy Corner."
    assert (await speaker.say("turn on the cosy corner")).reply == "Cosy Corner was on already."

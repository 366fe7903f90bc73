"""Reminders, waking and what is told later: planned, said where they were asked for, and never lost."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.memory.delayed import Alert, DelayedCommand
from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.satellites import Satellites, satellites_in
from tests.test_delayed import person
from tests.test_policy_reach import obey, rule

NOW = datetime(2026, 11, 25, 15, 0, tzinfo=UTC)
SIX, SEVEN, EIGHT, TEN = "18:00", "07:00", "20:00", "10:00"
REMIND, WAKE, TELL = Alert.REMIND, Alert.WAKE, Alert.TELL
LATER, DOOR = "in 20 minutes", "once the door opens"
LAMP = "light.floor_lamp"

# By language: sentences with what is told then, its kind, and when; "" for what the house is to do.
PLANNED: dict[str, dict[str, list[tuple[str, Alert | None, str]]]] = {
    "en": {
        "give us a shout in twenty minutes the pie needs to come out": [
            ("the pie needs to come out", REMIND, LATER)
        ],
        "let me know in 20 minutes the eggs are done": [("the eggs are done", REMIND, LATER)],
        "could you tell me at 8 pm what the temperature is in the Bedroom": [("", TELL, EIGHT)],
        "ask me at six if I have fed the cat": [("if I have fed the cat", REMIND, SIX)],
        "could you just remind me tomorrow at ten that I have to call Anna, please": [
            ("I have to call Anna", REMIND, TEN)
        ],
        "please remind me quickly at six to take out the bins, thanks": [
            ("take out the bins", REMIND, SIX)
        ],
        "hey can you maybe remind me at six please to call Anna": [("call Anna", REMIND, SIX)],
        "oh and remind me at six to feed the cat if you can": [("feed the cat", REMIND, SIX)],
        "tell me at 8 pm please how many lights are on": [("", TELL, EIGHT)],
        "tell me how many lights are on at 8 pm": [("", TELL, EIGHT)],
        "remind me at six to take out the bins": [("take out the bins", REMIND, SIX)],
        "at six remind me to water the plants": [("water the plants", REMIND, SIX)],
        "remind me in 20 minutes about the pizza": [("the pizza", REMIND, LATER)],
        "can you remind me at six to call Anna, please": [("call Anna", REMIND, SIX)],
        "remind me at six that the train leaves at 7:30": [
            ("the train leaves at 7:30", REMIND, SIX)
        ],
        "remind us at six to put butter on the shopping list": [
            ("put butter on the shopping list", REMIND, SIX)
        ],
        "tell me at 8 pm that dinner is ready": [("dinner is ready", REMIND, EIGHT)],
        "wake me at seven": [("alarm", WAKE, SEVEN)],
        "set an alarm for 7 am": [("alarm", WAKE, SEVEN)],
        "could you wake us up at 7": [("alarm", WAKE, SEVEN)],
        "wake me at seven and turn on the floor lamp": [
            ("alarm", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "turn on the floor lamp at six and remind me to eat": [
            ("", None, SIX),
            ("eat", REMIND, SIX),
        ],
        "remind me when the front door opens": [("the front door opens", TELL, DOOR)],
        "tell me when the front door opens": [("the front door opens", TELL, DOOR)],
        "when the front door opens remind me to take the keys": [("take the keys", REMIND, DOOR)],
        "at 8 pm tell me how many lights are on": [("", TELL, EIGHT)],
    },
    "de": {
        "kannst du mir Bescheid geben wenn die Front Door aufgeht": [
            ("die Front Door aufgeht", TELL, DOOR)
        ],
        "gib mir in 20 Minuten Bescheid der Kuchen muss raus": [
            ("der Kuchen muss raus", REMIND, LATER)
        ],
        "sag mir um 20 Uhr was die Temperatur im Bedroom ist": [("", TELL, EIGHT)],
        "frag mich um sechs ob ich die Katze gefüttert habe": [
            ("ob ich die Katze gefüttert habe", REMIND, SIX)
        ],
        "sagst du mir um 20 Uhr wie viele Lichter an sind": [("", TELL, EIGHT)],
        "erinnere mich doch bitte morgen um zehn daran, dass ich Anna anrufen soll": [
            ("dass ich Anna anrufen soll", REMIND, TEN)
        ],
        "könntest du mich vielleicht um sechs noch mal an den Müll erinnern, danke": [
            ("den Müll", REMIND, SIX)
        ],
        "kannst du mich bitte morgen um zehn daran erinnern, dass ich Anna anrufen soll": [
            ("dass ich Anna anrufen soll", REMIND, TEN)
        ],
        "sei so lieb und erinner mich mal bitte um sechs an den Müll": [("den Müll", REMIND, SIX)],
        "um sechs bitte an den Müll erinnern": [("den Müll", REMIND, SIX)],
        "sag mir, wie viele Lichter um 20 Uhr an sind": [("", TELL, EIGHT)],
        "sag mir wie viele Lichter an sind um 20 Uhr": [("", TELL, EIGHT)],
        "erinnere mich um 18 Uhr an den Müll": [("den Müll", REMIND, SIX)],
        "erinner mich in 20 Minuten an die Pizza": [("die Pizza", REMIND, LATER)],
        "um sechs erinnere mich daran, die Blumen zu gießen": [
            ("die Blumen zu gießen", REMIND, SIX)
        ],
        "kannst du mich um sechs an den Anruf erinnern": [("den Anruf", REMIND, SIX)],
        "erinnere mich um sechs daran, dass der Zug um 19:30 Uhr fährt": [
            ("dass der Zug um 19:30 Uhr fährt", REMIND, SIX)
        ],
        "sag mir um acht, dass das Essen fertig ist": [
            ("dass das Essen fertig ist", REMIND, EIGHT)
        ],
        "weck mich um sieben": [("Wecker", WAKE, SEVEN)],
        "stell einen Wecker auf 7 Uhr": [("Wecker", WAKE, SEVEN)],
        "weck uns bitte um sieben": [("Wecker", WAKE, SEVEN)],
        "weck mich um sieben und schalte die Floor Lamp ein": [
            ("Wecker", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "sag mir Bescheid, sobald die Front Door aufgeht": [("die Front Door aufgeht", TELL, DOOR)],
        "wenn die Front Door aufgeht, erinnere mich an den Schlüssel": [
            ("den Schlüssel", REMIND, DOOR)
        ],
        "sag mir um acht, wie viele Lichter an sind": [("", TELL, EIGHT)],
    },
    "fr": {
        "préviens-moi dans 20 minutes il faut sortir la tarte": [
            ("il faut sortir la tarte", REMIND, LATER)
        ],
        "à 20 heures dis-moi quel temps il fait et combien il fait dehors": [("", TELL, EIGHT)],
        "demande-moi à 18 heures si j'ai nourri le chat": [("si j'ai nourri le chat", REMIND, SIX)],
        "tu pourras me rappeler à 18 heures de sortir les poubelles": [
            ("sortir les poubelles", REMIND, SIX)
        ],
        "est-ce que tu peux juste me rappeler à 18 heures de sortir les poubelles": [
            ("sortir les poubelles", REMIND, SIX)
        ],
        "rappelle-moi s'il te plaît demain à dix heures d'appeler Anna, merci": [
            ("appeler Anna", REMIND, TEN)
        ],
        "dis-moi combien de lumières sont allumées à 20 heures": [("", TELL, EIGHT)],
        "rappelle-moi à 18 heures de sortir les poubelles": [("sortir les poubelles", REMIND, SIX)],
        "à 18 heures rappelle-moi d'arroser les plantes": [("arroser les plantes", REMIND, SIX)],
        "rappelle-moi la pizza dans 20 minutes": [("la pizza", REMIND, LATER)],
        "peux-tu me rappeler à 18 heures d'appeler Anna": [("appeler Anna", REMIND, SIX)],
        "rappelle-moi à 18 heures que le train part à 19 heures 30": [
            ("le train part à 19 heures 30", REMIND, SIX)
        ],
        "dis-moi à 20 heures que le dîner est prêt": [("le dîner est prêt", REMIND, EIGHT)],
        "réveille-moi à 7 heures": [("réveil", WAKE, SEVEN)],
        "mets le réveil à 7 heures": [("réveil", WAKE, SEVEN)],
        "réveille-nous demain à 7 heures": [("réveil", WAKE, SEVEN)],
        "réveille-moi à 7 heures et allume Floor Lamp": [
            ("réveil", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "préviens-moi quand la Front Door s'ouvre": [("la Front Door s'ouvre", TELL, DOOR)],
        "quand la Front Door s'ouvre, rappelle-moi les clés": [("les clés", REMIND, DOOR)],
        "à 20 heures dis-moi combien de lumières sont allumées": [("", TELL, EIGHT)],
    },
    "es": {
        "dame un toque en 20 minutos hay que sacar la tarta": [
            ("hay que sacar la tarta", REMIND, LATER)
        ],
        "una cosa a las 20 dime cuál es la temperatura de Bedroom": [("", TELL, EIGHT)],
        "dime a las 20 qué tiempo hace y qué temperatura hace fuera": [("", TELL, EIGHT)],
        "pregúntame a las seis de la tarde si he dado de comer al gato": [
            ("si he dado de comer al gato", REMIND, SIX)
        ],
        "¿me podrías recordar mañana a las diez que tengo que llamar a Ana, por favor?": [
            ("tengo que llamar a Ana", REMIND, TEN)
        ],
        "recuérdame por favor a las 18 sacar la basura": [("sacar la basura", REMIND, SIX)],
        "dime cuántas luces están encendidas a las 20": [("", TELL, EIGHT)],
        "recuérdame a las 18 que saque la basura": [("saque la basura", REMIND, SIX)],
        "a las seis de la tarde recuérdame regar las plantas": [("regar las plantas", REMIND, SIX)],
        "recuérdame la pizza en 20 minutos": [("la pizza", REMIND, LATER)],
        "puedes recordarme a las 18 llamar a Ana": [("llamar a Ana", REMIND, SIX)],
        "recuérdame a las 18 que el tren sale a las 19:30": [
            ("el tren sale a las 19:30", REMIND, SIX)
        ],
        "avísame a las 20 de que la cena está lista": [("la cena está lista", REMIND, EIGHT)],
        "despiértame a las siete": [("despertador", WAKE, SEVEN)],
        "pon el despertador a las siete": [("despertador", WAKE, SEVEN)],
        "despiértanos mañana a las 7": [("despertador", WAKE, SEVEN)],
        "despiértame a las siete y enciende Floor Lamp": [
            ("despertador", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "avísame cuando se abra la Front Door": [("se abra la Front Door", TELL, DOOR)],
        "cuando se abra la Front Door recuérdame coger las llaves": [
            ("coger las llaves", REMIND, DOOR)
        ],
        "a las 20 dime cuántas luces están encendidas": [("", TELL, EIGHT)],
    },
    "it": {
        "avvisami tra 20 minuti la torta va tolta dal forno": [
            ("la torta va tolta dal forno", REMIND, LATER)
        ],
        "dammi una voce tra 20 minuti che devo togliere la torta": [
            ("devo togliere la torta", REMIND, LATER)
        ],
        "dimmi alle otto di stasera se la Front Door è aperta": [("", TELL, EIGHT)],
        "chiedimi alle 18 se ho dato da mangiare al gatto": [
            ("se ho dato da mangiare al gatto", REMIND, SIX)
        ],
        "mi puoi ricordare domani alle dieci che devo chiamare Anna, per favore": [
            ("devo chiamare Anna", REMIND, TEN)
        ],
        "ricordami per favore alle 18 di portare fuori la spazzatura": [
            ("portare fuori la spazzatura", REMIND, SIX)
        ],
        "dimmi quante luci sono accese alle 20": [("", TELL, EIGHT)],
        "ricordami alle 18 di portare fuori la spazzatura": [
            ("portare fuori la spazzatura", REMIND, SIX)
        ],
        "alle 18 ricordami di annaffiare le piante": [("annaffiare le piante", REMIND, SIX)],
        "ricordami la pizza tra 20 minuti": [("la pizza", REMIND, LATER)],
        "puoi ricordarmi alle 18 di chiamare Anna": [("chiamare Anna", REMIND, SIX)],
        "ricordami alle 18 che il treno parte alle 19:30": [
            ("il treno parte alle 19:30", REMIND, SIX)
        ],
        "dimmi alle 20 che la cena è pronta": [("la cena è pronta", REMIND, EIGHT)],
        "svegliami alle sette": [("sveglia", WAKE, SEVEN)],
        "metti la sveglia alle 7": [("sveglia", WAKE, SEVEN)],
        "svegliaci domani alle 7": [("sveglia", WAKE, SEVEN)],
        "svegliami alle sette e accendi Floor Lamp": [
            ("sveglia", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "avvisami quando si apre la Front Door": [("si apre la Front Door", TELL, DOOR)],
        "quando si apre la Front Door ricordami le chiavi": [("le chiavi", REMIND, DOOR)],
        "alle 20 dimmi quante luci sono accese": [("", TELL, EIGHT)],
    },
    "nl": {
        "geef een gil over 20 minuten de taart moet eruit": [
            ("de taart moet eruit", REMIND, LATER)
        ],
        "vraag me om zes uur of ik de kat gevoerd heb": [("of ik de kat gevoerd heb", REMIND, SIX)],
        "kun je me alsjeblieft morgen om tien uur eraan herinneren dat ik Anna moet bellen": [
            ("dat ik Anna moet bellen", REMIND, TEN)
        ],
        "herinner me om 18 uur nog even aan het vuilnis": [("het vuilnis", REMIND, SIX)],
        "zeg me hoeveel lampen er aan zijn om 20 uur": [("", TELL, EIGHT)],
        "herinner me er om 18 uur aan om het vuilnis buiten te zetten": [
            ("om het vuilnis buiten te zetten", REMIND, SIX)
        ],
        "herinner me om 18 uur aan de planten": [("de planten", REMIND, SIX)],
        "herinner me over 20 minuten aan de pizza": [("de pizza", REMIND, LATER)],
        "kun je me om 18 uur eraan herinneren om Anna te bellen": [
            ("om Anna te bellen", REMIND, SIX)
        ],
        "herinner me er om 18 uur aan dat de trein om 19:30 vertrekt": [
            ("dat de trein om 19:30 vertrekt", REMIND, SIX)
        ],
        "zeg me om 20 uur dat het eten klaar is": [("dat het eten klaar is", REMIND, EIGHT)],
        "maak me om zeven uur wakker": [("wekker", WAKE, SEVEN)],
        "zet de wekker om 7 uur": [("wekker", WAKE, SEVEN)],
        "wek ons morgen om 7 uur": [("wekker", WAKE, SEVEN)],
        "wek me om zeven uur en zet de Floor Lamp aan": [
            ("wekker", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "waarschuw me zodra de Front Door opengaat": [("de Front Door opengaat", TELL, DOOR)],
        "zodra de Front Door opengaat, herinner me aan de sleutels": [
            ("de sleutels", REMIND, DOOR)
        ],
        "zeg me om 20 uur hoeveel lampen er aan zijn": [("", TELL, EIGHT)],
    },
    "pl": {
        "daj znać za 20 minut trzeba wyjąć ciasto": [("trzeba wyjąć ciasto", REMIND, LATER)],
        "zapytaj mnie o 18 czy nakarmiłem kota": [("czy nakarmiłem kota", REMIND, SIX)],
        "czy możesz mi proszę przypomnieć jutro o dziesiątej, że mam zadzwonić do Anny": [
            ("mam zadzwonić do Anny", REMIND, TEN)
        ],
        "przypomnij mi jeszcze o 18 o śmieciach, dzięki": [("o śmieciach", REMIND, SIX)],
        "powiedz mi, ile świateł jest włączonych o 20": [("", TELL, EIGHT)],
        "przypomnij mi o 18, żeby wynieść śmieci": [("wynieść śmieci", REMIND, SIX)],
        "o 18 przypomnij mi o kwiatach": [("o kwiatach", REMIND, SIX)],
        "przypomnij mi za 20 minut o pizzy": [("o pizzy", REMIND, LATER)],
        "czy możesz mi przypomnieć o 18, żeby zadzwonić do Anny": [
            ("zadzwonić do Anny", REMIND, SIX)
        ],
        "przypomnij mi o 18, że pociąg odjeżdża o 19:30": [
            ("pociąg odjeżdża o 19:30", REMIND, SIX)
        ],
        "powiedz mi o 20, że kolacja gotowa": [("kolacja gotowa", REMIND, EIGHT)],
        "obudź mnie o siódmej": [("budzik", WAKE, SEVEN)],
        "ustaw budzik na 7": [("budzik", WAKE, SEVEN)],
        "obudź nas jutro o 7": [("budzik", WAKE, SEVEN)],
        "obudź mnie o siódmej i włącz Floor Lamp": [("budzik", WAKE, SEVEN), ("", None, SEVEN)],
        "daj mi znać, gdy Front Door się otworzy": [("Front Door się otworzy", TELL, DOOR)],
        "gdy Front Door się otworzy, przypomnij mi o kluczach": [("o kluczach", REMIND, DOOR)],
        "o 20 powiedz mi, ile świateł jest włączonych": [("", TELL, EIGHT)],
    },
    "pt": {
        "avisa-me daqui a 20 minutos tenho de tirar o bolo": [
            ("tenho de tirar o bolo", REMIND, LATER)
        ],
        "pergunta-me às 18 horas se dei comida ao gato": [("se dei comida ao gato", REMIND, SIX)],
        "podias lembrar-me amanhã às dez que tenho de ligar à Anna, por favor": [
            ("tenho de ligar à Anna", REMIND, TEN)
        ],
        "lembra-me por favor às 18 de levar o lixo": [("levar o lixo", REMIND, SIX)],
        "lembra-me às 18 horas de levar o lixo": [("levar o lixo", REMIND, SIX)],
        "às 18 horas lembra-me de regar as plantas": [("regar as plantas", REMIND, SIX)],
        "lembra-me da pizza daqui a 20 minutos": [("pizza", REMIND, LATER)],
        "podes lembrar-me às 18 horas de ligar à Ana": [("ligar à Ana", REMIND, SIX)],
        "lembra-me às 18 horas que o comboio parte às 19:30": [
            ("o comboio parte às 19:30", REMIND, SIX)
        ],
        "diz-me às 20 horas que o jantar está pronto": [("o jantar está pronto", REMIND, EIGHT)],
        "acorda-me às sete": [("despertador", WAKE, SEVEN)],
        "põe o despertador para as 7": [("despertador", WAKE, SEVEN)],
        "acorda-nos amanhã às 7": [("despertador", WAKE, SEVEN)],
        "acorda-me às sete e acende Floor Lamp": [
            ("despertador", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "avisa-me quando a Front Door abrir": [("a Front Door abrir", TELL, DOOR)],
        "quando a Front Door abrir, lembra-me das chaves": [("chaves", REMIND, DOOR)],
        "às 20 horas diz-me quantas luzes estão acesas": [("", TELL, EIGHT)],
    },
    "sv": {
        "säg till klockan 20 hur många lampor som är tända": [("", TELL, EIGHT)],
        "säg till om 20 minuter kakan måste ut": [("kakan måste ut", REMIND, LATER)],
        "fråga mig klockan 18 om jag har matat katten": [("om jag har matat katten", REMIND, SIX)],
        "kan du bara påminna mig imorgon klockan tio om att jag måste ringa Anna är du snäll": [
            ("jag måste ringa Anna", REMIND, TEN)
        ],
        "påminn mig gärna klockan 18 om soporna": [("soporna", REMIND, SIX)],
        "påminn mig klockan 18 om att gå ut med soporna": [("gå ut med soporna", REMIND, SIX)],
        "klockan 18 påminn mig om blommorna": [("blommorna", REMIND, SIX)],
        "påminn mig om pizzan om 20 minuter": [("pizzan", REMIND, LATER)],
        "kan du påminna mig klockan 18 om att ringa Anna": [("ringa Anna", REMIND, SIX)],
        "påminn mig klockan 18 om att tåget går 19:30": [("tåget går 19:30", REMIND, SIX)],
        "säg till mig klockan 20 att maten är klar": [("maten är klar", REMIND, EIGHT)],
        "väck mig klockan sju": [("väckarklocka", WAKE, SEVEN)],
        "ställ klockan på 7": [("väckarklocka", WAKE, SEVEN)],
        "väck oss i morgon klockan 7": [("väckarklocka", WAKE, SEVEN)],
        "väck mig klockan sju och tänd Floor Lamp": [
            ("väckarklocka", WAKE, SEVEN),
            ("", None, SEVEN),
        ],
        "säg till så snart Front Door öppnas": [("Front Door öppnas", TELL, DOOR)],
        "när Front Door öppnas, påminn mig om nycklarna": [("nycklarna", REMIND, DOOR)],
        "säg mig klockan 20 hur många lampor som är tända": [("", TELL, EIGHT)],
    },
}
ASKED = [
    ("en", "remind me to call Anna", "at six", "call Anna"),
    ("de", "erinnere mich an den Müll", "um 18 Uhr", "den Müll"),
    ("fr", "rappelle-moi d'appeler Anna", "à 18 heures", "appeler Anna"),
    ("es", "recuérdame llamar a Ana", "a las 18", "llamar a Ana"),
    ("it", "ricordami di chiamare Anna", "alle 18", "chiamare Anna"),
    ("nl", "herinner me aan het vuilnis", "om 18 uur", "het vuilnis"),
    ("pl", "przypomnij mi o śmieciach", "o 18", "o śmieciach"),
    ("pt", "lembra-me de ligar à Ana", "às 18 horas", "ligar à Ana"),
    ("sv", "påminn mig om soporna", "klockan 18", "soporna"),
]


def waiting(hass: HomeAssistant) -> list[DelayedCommand]:
    """Return what the assistant has planned."""
    return assistant_of(hass).delayed.waiting


def told(command: DelayedCommand) -> tuple[str, Alert | None, str]:
    """Return what is told by a command, its kind, and when."""
    start: Any = command.schedule.start
    if command.trigger:
        when = DOOR if command.trigger.entity_ids == ("lock.front_door",) else "?"
        when = DOOR if "front_door" in "".join(command.trigger.entity_ids) else when
    elif start and start.seconds:
        when = f"in {start.seconds / 60:g} minutes"
    else:
        when = f"{command.due.astimezone(UTC):%H:%M}"
    return command.message, command.alert, when


async def passes(hass: HomeAssistant, freezer: FrozenDateTimeFactory, moment: datetime) -> None:
    """Let it become a moment."""
    freezer.move_to(moment)
    async_fire_time_changed(hass, moment)
    await hass.async_block_till_done(wait_background_tasks=True)


def shown(hass: HomeAssistant) -> list[str]:
    """Return the messages of Home Assistant's notifications."""
    return [each["message"] for each in hass.data.get("persistent_notification", {}).values()]


@in_one_house(
    ("language", "text"), [(code, text) for code, texts in PLANNED.items() for text in texts]
)
async def test_what_is_to_be_told_later_is_planned(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites_in(hass, "Kitchen")
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    assert not said.changes, said.reply
    found = sorted(map(told, waiting(hass)), key=str)
    assert found == sorted(PLANNED[language][text], key=str), said.reply
    # It says when, and nothing of a notification: the satellite will be heard.
    digits = "".join(filter(str.isdigit, said.reply))
    assert all(when.replace(":", "") in digits for _, _, when in found if ":" in when), said.reply
    assert len(said.reply) < 120


@in_one_house("asked_about", ASKED)
async def test_a_reminder_without_a_time_is_asked_about_once(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    asked_about: tuple[str, str, str, str],
) -> None:
    language, text, answer, message = asked_about
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites_in(hass, "Kitchen")
    speaker = await speak()
    asked = await speaker.say(text, language=language, area="Kitchen")
    assert asked.result.continue_conversation
    assert waiting(hass) == []
    said = await speaker.say(answer, language=language, area="Kitchen")
    assert [*map(told, waiting(hass))] == [(message, REMIND, SIX)], said.reply
    assert not said.result.continue_conversation


async def test_what_is_no_time_leaves_the_reminder(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("remind me to call Anna")
    await speaker.say("never mind")
    assert waiting(hass) == []
    await speaker.say("remind me to call Anna")
    said = await speaker.say("turn on the floor lamp")
    assert LAMP in said.changes
    assert waiting(hass) == []


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("remind me at six to take out the bins", "Reminder: take out the bins."),
        ("wake me at 6 pm", "Time to get up: it's 18:00."),
        ("at six tell me how many lights are on", "9"),
        ("remind me at six", "Reminder: it's time."),
    ],
)
async def test_it_is_said_where_it_was_asked_for(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, text: str, heard: str
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen", "Bedroom")
    speaker = await speak()
    await speaker.say(text, area="Kitchen")
    await passes(hass, freezer, NOW + timedelta(hours=2, minutes=59))
    assert satellites.heard == []
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    [(satellite, message)] = satellites.heard
    assert satellite == "kitchen_satellite"
    assert heard in message
    assert waiting(hass) == []
    assert shown(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "at six tell me whether Floor Lamp is on and whether Reading Lamp is on"),
        ("de", "sag mir um 18 Uhr ob Floor Lamp an ist und ob Reading Lamp an ist"),
        ("es", "a las 18:00 dime si Floor Lamp está encendida y si Reading Lamp está encendida"),
        ("fr", "à 18 heures dis-moi si Floor Lamp est allumée et si Reading Lamp est allumée"),
        ("it", "alle 18 dimmi se Floor Lamp è accesa e se Reading Lamp è accesa"),
        ("nl", "zeg me om 18:00 of Floor Lamp aan is en of Reading Lamp aan is"),
        ("pl", "powiedz mi o 18:00 czy Floor Lamp jest włączona i czy Reading Lamp jest włączona"),
        ("pt", "diz-me às 18:00 se Floor Lamp está ligada e se Reading Lamp está ligada"),
        ("sv", "klockan 18 säg mig om Floor Lamp är tänd och om Reading Lamp är tänd"),
    ],
)
async def test_several_answers_are_said_with_what_they_are_of(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    satellites.heard.clear()
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    [asked] = waiting(hass)
    assert asked.spoken, said.reply
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    [(_, message)] = satellites.heard
    assert "Floor Lamp" in message
    assert "Reading Lamp" in message


@in_one_house(
    ("language", "text"),
    [
        ("en", "let me know when Floor Lamp is on and when Reading Lamp is on too"),
        ("de", "sag mir Bescheid wenn Floor Lamp an ist und auch wenn Reading Lamp an ist"),
        ("es", "avísame cuando se encienda Floor Lamp y también cuando se encienda Reading Lamp"),
        ("fr", "préviens-moi quand Floor Lamp s'allume et aussi quand Reading Lamp s'allume"),
        ("it", "fammi sapere quando si accende Floor Lamp e pure quando si accende Reading Lamp"),
        ("nl", "laat me weten wanneer Floor Lamp aan is en ook wanneer Reading Lamp aan is"),
        ("pl", "daj znać kiedy włączy się Floor Lamp i też kiedy włączy się Reading Lamp"),
        ("pt", "avisa-me quando Floor Lamp se acender e também quando Reading Lamp se acender"),
        ("sv", "säg till när Floor Lamp tänds och också när Reading Lamp tänds"),
    ],
)
async def test_each_of_several_things_is_waited_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    satellites_in(hass, "Kitchen")
    for each in (LAMP, "light.reading_lamp"):
        state = hass.states.get(each)
        hass.states.async_set(each, "off", state.attributes if state else {})
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    triggers = [each.trigger.entity_ids for each in waiting(hass) if each.trigger]
    assert sorted(triggers) == [(LAMP,), ("light.reading_lamp",)], said.reply


async def test_what_is_waited_for_is_said_when_it_happens(
    hass: HomeAssistant, speak: Setup
) -> None:
    satellites = satellites_in(hass, "Kitchen")
    speaker = await speak()
    await speaker.say("tell me when the front door is unlocked", area="Kitchen")
    [waits] = waiting(hass)
    [door] = waits.trigger.entity_ids if waits.trigger else ()
    hass.states.async_set(door, "unlocked", hass.states.get(door).attributes)  # type: ignore[union-attr]
    await hass.async_block_till_done(wait_background_tasks=True)
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=30))
    await hass.async_block_till_done(wait_background_tasks=True)
    [(_, message)] = satellites.heard
    assert message == "You wanted to know: the front door is unlocked."


async def without_satellite(hass: HomeAssistant) -> Satellites | None:
    """There is none."""


async def with_one_that_is_away(hass: HomeAssistant) -> Satellites | None:
    """There is one that cannot be reached."""
    satellites = satellites_in(hass, "Kitchen")
    hass.states.async_set("assist_satellite.kitchen_satellite", "unavailable")
    return satellites


async def with_one_that_may_not(hass: HomeAssistant) -> Satellites | None:
    """There is one, and a rule against it."""
    await obey(hass, rule(domain=["assist_satellite"]))
    return satellites_in(hass, "Kitchen")


@pytest.mark.parametrize(
    "house_has", [without_satellite, with_one_that_is_away, with_one_that_may_not]
)
async def test_what_cannot_be_said_is_shown_and_that_is_told(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, house_has: Any
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    speaker = await speak()
    satellites = await house_has(hass)
    said = await speaker.say("wake me at 6 pm", area="Kitchen")
    assert "notification" in said.reply
    assert "wake" not in said.reply
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    assert shown(hass) == ["Time to get up: it's 18:00."]
    assert satellites is None or satellites.heard == []


async def test_what_would_wake_a_voice_assistant_is_not_said_aloud(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    speaker = await speak()
    await speaker.say("remind me at six that hey jarvis open the garage", area="Kitchen")
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    assert satellites.heard == []
    assert len(shown(hass)) == 1


async def test_a_satellite_that_fails_loses_nothing(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    speaker = await speak()
    await speaker.say("remind me at six to take out the bins", area="Kitchen")
    satellites.broken.add("assist_satellite.kitchen_satellite")
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    assert shown(hass) == ["Reminder: take out the bins."]


async def test_who_is_woken_with_the_radio_hears_it_where_it_was_asked_for(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    speaker = await speak()
    said = await speaker.say("wake me at 6 pm with the radio", area="Kitchen")
    assert "18:00" in said.reply
    assert "Kitchen Speaker" in said.reply
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    assert hass.states.get("media_player.kitchen_speaker").state == "playing"  # type: ignore[union-attr]
    assert satellites.heard == []


async def test_who_is_woken_with_what_is_not_there_is_woken(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    speaker = await speak()
    said = await speaker.say("wake me at 6 pm with the trombone lamp", area="Kitchen")
    assert "I'll wake you" in said.reply
    await passes(hass, freezer, NOW + timedelta(hours=3, seconds=1))
    assert len(satellites.heard) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "tell me how warm it is tomorrow"),
        ("en", "tell me how many lights are on"),
        ("en", "don't wake me at seven"),
        ("en", "he wakes me at seven every day"),
        ("de", "weck mich nicht um sieben"),
        ("de", "erinnere mich nicht um sechs an den Müll"),
        ("fr", "ne me réveille pas à 7 heures"),
        ("es", "no me despiertes a las siete"),
        ("it", "non svegliarmi alle sette"),
        ("nl", "maak me niet wakker om zeven uur"),
        ("pl", "nie budź mnie o siódmej"),
        ("pt", "não me acordes às sete"),
        ("sv", "väck mig inte klockan sju"),
    ],
)
async def test_what_asks_for_no_reminder_plans_none(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    assert waiting(hass) == [], said.reply


async def test_it_is_listed_and_cancelled(hass: HomeAssistant, speak: Setup) -> None:
    satellites_in(hass, "Kitchen")
    speaker = await speak()
    await speaker.say("remind me at six to take out the bins", area="Kitchen")
    await speaker.say("wake me tomorrow at seven", area="Kitchen")
    told_of = await speaker.say("what is planned?", area="Kitchen")
    assert "take out the bins" in told_of.reply
    assert "alarm" in told_of.reply
    await speaker.say("cancel everything that is planned", area="Kitchen")
    assert waiting(hass) == []


@pytest.mark.parametrize(
    ("away", "told_of"), [(timedelta(minutes=30), "only later"), (timedelta(hours=9), "not done")]
)
async def test_what_was_due_while_nobody_was_there_is_told(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    away: timedelta,
    told_of: str,
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    speaker = await speak()
    await speaker.say("remind me at six to take out the bins", area="Kitchen")
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_unload(entry.entry_id)
    await hass.async_block_till_done()
    freezer.move_to(NOW + timedelta(hours=3) + away)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    is_late = told_of == "only later"
    heard = ["Reminder: take out the bins."] if is_late else []
    assert [message for _, message in satellites.heard] == heard
    [message] = shown(hass)
    assert "take out the bins" in message
    assert told_of in message
    assert waiting(hass) == []


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("remind me every day at 6 pm to take my pills", "Reminder: take my pills."),
        ("tell me every day at 6 pm how many lights are on", "9."),
        ("wake me every weekday at 6 pm", "Time to get up: it's 18:00."),
    ],
)
async def test_it_is_said_each_time(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    freezer: FrozenDateTimeFactory,
    text: str,
    heard: str,
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to(NOW)
    satellites = satellites_in(hass, "Kitchen")
    admin = Context(user_id=(await person(hass, admin=True)).id)
    speaker = await speak()
    await speaker.say(text, area="Kitchen", context=admin)
    await speaker.say("yes", area="Kitchen", context=admin)
    for day in range(2):
        await passes(hass, freezer, NOW + timedelta(days=day, hours=3, seconds=1))
    assert [message for _, message in satellites.heard] == [heard, heard]
    assert len(waiting(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "remind me of the bottles the evening before at nine"),
        ("de", "erinner mich am Abend davor um neun an die Flaschen"),
        ("de", "erinnere mich um neun an die Flaschen am Vorabend"),
        ("es", "recuérdame las botellas la noche anterior a las nueve"),
        ("fr", "rappelle-moi les bouteilles la veille à neuf heures"),
        ("it", "ricordami le bottiglie il giorno prima alle nove"),
        ("nl", "herinner me aan de flessen de dag ervoor om negen uur"),
        ("pl", "przypomnij mi o butelkach dzień wcześniej o dziewiątej"),
        ("pt", "lembra-me das garrafas no dia anterior às nove"),
        ("sv", "påminn mig om flaskorna dagen innan klockan nio"),
    ],
)
async def test_a_day_before_what_nobody_named_is_not_today(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    await (await speak()).say(text, language=language)
    assert waiting(hass) == []


@in_one_house(
    ("language", "text", "reminded", "done"),
    [
        ("en", "remind me to call mum at seven and turn on Floor Lamp at eight", "19:00", "20:00"),
        ("en", "remind me of the pie and at eight turn on Floor Lamp", "20:00", "20:00"),
        ("de", "erinner mich um sieben an die Pizza und mach um acht Floor Lamp an", "19:00",
         "20:00"),
        ("de", "erinner mich an die Pizza und mach um acht Floor Lamp an", "20:00", "20:00"),
        ("es", "recuérdame llamar a mamá a las siete y enciende Floor Lamp a las ocho", "19:00",
         "20:00"),
        ("fr", "rappelle-moi d'appeler maman à sept heures et allume Floor Lamp à huit heures",
         "19:00", "20:00"),
        ("it", "ricordami di chiamare la mamma alle sette e accendi Floor Lamp alle otto", "19:00",
         "20:00"),
        ("nl", "herinner me aan mama bellen om zeven uur en doe Floor Lamp aan om acht uur",
         "19:00", "20:00"),
        ("pl", "przypomnij mi o pizzy o siódmej i włącz Floor Lamp o ósmej", "19:00", "20:00"),
        ("pt", "lembra-me de ligar à mãe às sete e acende Floor Lamp às oito", "19:00", "20:00"),
        ("sv", "påminn mig om att ringa mamma klockan sju och tänd Floor Lamp klockan åtta",
         "19:00", "20:00"),
    ],
)  # fmt: skip
async def test_a_command_behind_a_message_with_its_own_time_is_no_part_of_it(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    reminded: str,
    done: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(datetime(2026, 11, 27, 18, 0, tzinfo=ZoneInfo("Europe/Berlin")))
    await (await speak()).say(text, language=language)
    first, second = waiting(hass)
    assert (first.message != "", second.message) == (True, "")
    assert [target for call in second.calls for target in call.targets] == ["light.floor_lamp"]
    told = [dt_util.as_local(each.due).strftime("%H:%M") for each in (first, second)]
    assert told == [reminded, done]


@in_one_house(
    "text",
    [
        "remind me at seven to take out the bins and close the gate",
        "remind me to take out the bins and turn off Floor Lamp at eight",
        "remind me at seven that the train leaves at eight and arrives at nine",
    ],
)
async def test_what_is_reminded_of_may_be_two_things(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    await (await speak()).say(text)
    [command] = waiting(hass)
    assert " and " in command.message

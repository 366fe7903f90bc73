"""A question about a day to come or about outside is a question, and each half of a sentence is answered."""

from datetime import timedelta

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.util import dt as dt_util
from homeassistant.util.json import JsonObjectType, JsonValueType
import pytest

from tests.asked_house import put
from tests.conftest import Setup
from tests.one_house import in_one_house

PENDANT, BLINDS = "light.kitchen_pendant", "cover.kitchen_blinds"

UNKNOWN = [
    ("how will the weather be tomorrow", "en", "I can't tell what the weather will be."),
    ("will it be raining tomorrow", "en", "I can't tell what the weather will be."),
    ("tell me what the weather will be the day after tomorrow", "en", "I can't tell what the weather will be."),
    ("wie ist morgen das Wetter?", "de", "Ich kann nicht sagen, wie das Wetter wird."),
    ("wird es übermorgen schneien", "de", "Ich kann nicht sagen, wie das Wetter wird."),
    ("¿qué tiempo hará mañana?", "es", "No puedo saber qué tiempo hará."),
    ("quel temps fera-t-il demain ?", "fr", "Je ne peux pas savoir quel temps il fera."),
    ("che tempo farà domani?", "it", "Non posso sapere che tempo farà."),
    ("wat voor weer wordt het morgen", "nl", "Ik kan niet zeggen wat voor weer het wordt."),
    ("jaka będzie jutro pogoda", "pl", "Nie wiem, jaka będzie pogoda."),
    ("como vai estar o tempo amanhã", "pt", "Não posso saber que tempo vai fazer."),
    ("what is in my calendar for tomorrow", "en", "I have no calendar to look into."),
    ("welche Termine habe ich morgen?", "de", "Ich habe keinen Kalender, in dem ich nachsehen kann."),
    ("who is coming tomorrow", "en", "I can't tell what will be then."),
    ("how warm will it be in the office tomorrow", "en", "I can't tell what will be then."),
]  # fmt: skip

TOMORROW = [
    ("turn on the pendant tomorrow", "en"),
    ("schließ morgen die Jalousien", "de"),
    ("mañana cierra las persianas", "es"),
    ("ferme les stores demain", "fr"),
    ("chiudi le tapparelle domani", "it"),
    ("doe morgen de lampen uit", "nl"),
    ("zamknij jutro rolety", "pl"),
    ("fecha as persianas amanhã", "pt"),
]

FOR_LATER = [
    ("turn on the pendant every other day at 7", "en",
     "I can't plan it like that, so I did nothing."),
    ("schließ jeden zweiten Tag um 7 die Jalousien", "de",
     "So kann ich das nicht planen, deshalb habe ich nichts getan."),
    ("un día sí y otro no a las 7 cierra las persianas", "es",
     "No puedo programarlo así, de modo que no he hecho nada."),
    ("un jour sur deux à 7 heures ferme les stores", "fr",
     "Je ne peux pas le prévoir ainsi, alors je n'ai rien fait."),
    ("a giorni alterni alle 7 chiudi le tapparelle", "it",
     "Non posso programmarlo così, quindi non ho fatto nulla."),
    ("doe om de dag om 7 uur de lampen uit", "nl",
     "Zo kan ik dat niet plannen, dus ik heb niets gedaan."),
]  # fmt: skip

OUTSIDE = [
    ("how hot is it outside", "en", "It is 12.5 °C."),
    ("what's the temperature outside now", "en", "It is 12.5 °C."),
    ("what's the outdoor temperature", "en", "It is 12.5 °C."),
    ("wie hoch ist die Außentemperatur", "de", "Temperatur: 12,5 °C."),
    ("¿qué temperatura hace fuera?", "es", "Hace 12,5 °C."),
    ("quelle température dehors", "fr", "Il fait 12,5 °C."),
    ("che temperatura c'è fuori", "it", "Ci sono 12,5 °C."),
    ("hoe koud is het buiten", "nl", "Temperatuur: 12,5 °C."),
    ("jak zimno jest na dworze", "pl", "Temperatura: 12,5 °C."),
    ("que temperatura está lá fora", "pt", "Estão 12,5 °C."),
]

SENSED = [
    ("Outdoor Temperature", "how cold is it outside", "en", "It is 3 °C."),
    ("Außentemperatur", "wie kalt ist es draußen", "de", "Temperatur: 3 °C."),
    ("Temperatura exterior", "¿qué temperatura hace fuera?", "es", "Hace 3 °C."),
    ("Température extérieure", "combien il fait dehors", "fr", "Il fait 3 °C."),
    ("Temperatura esterna", "che temperatura c'è fuori", "it", "Ci sono 3 °C."),
    ("Buitentemperatuur", "hoe koud is het buiten", "nl", "Temperatuur: 3 °C."),
    ("Temperatura zewnętrzna", "jak zimno jest na dworze", "pl", "Temperatura: 3 °C."),
    ("Temperatura exterior", "que temperatura está lá fora", "pt", "Estão 3 °C."),
    ("Utetemperatur", "hur kallt är det ute", "sv", "Det är 3 °C."),
]

HALVES = [
    ("close the kitchen blinds and tell me how cold it is outside", "en", BLINDS, "It is 12.5 °C."),
    ("turn off the pendant and how hot is it outside", "en", PENDANT, "It is 12.5 °C."),
    ("turn off the pendant and how will the weather be tomorrow", "en", PENDANT,
     "I can't tell what the weather will be."),
    ("turn off the pendant and start the dishwasher", "en", PENDANT,
     "I didn't understand “start the dishwasher”."),
    ("mach Kitchen Blinds zu und sag mir, wie kalt es draußen ist", "de", BLINDS, "Temperatur: 12,5 °C."),
    ("apaga Kitchen Pendant y dime qué temperatura hace fuera", "es", PENDANT, "Hace 12,5 °C."),
    ("éteins Kitchen Pendant et dis-moi quelle température il fait dehors", "fr", PENDANT, "Il fait 12,5 °C."),
    ("spegni Kitchen Pendant e dimmi che temperatura c'è fuori", "it", PENDANT, "Ci sono 12,5 °C."),
    ("doe Kitchen Pendant uit en zeg me hoe koud het buiten is", "nl", PENDANT, "Temperatuur: 12,5 °C."),
    ("wyłącz Kitchen Pendant i powiedz mi, jak zimno jest na dworze", "pl", PENDANT, "Temperatura: 12,5 °C."),
    ("desliga Kitchen Pendant e diz-me que temperatura está lá fora", "pt", PENDANT, "Estão 12,5 °C."),
]  # fmt: skip


# Language, what is said first, the word before the other half, and that half, which nobody takes.
TALK = [
    ("en", "turn off the pendant", "and", "tell me a joke"),
    ("de", "schalte Kitchen Pendant aus", "und", "erzähl mir einen Witz"),
    ("fr", "éteins Kitchen Pendant", "et", "raconte-moi une blague"),
    ("es", "apaga Kitchen Pendant", "y", "cuéntame un chiste"),
    ("it", "spegni Kitchen Pendant", "e", "raccontami una barzelletta"),
    ("nl", "zet Kitchen Pendant uit", "en", "vertel een mop"),
    ("pl", "wyłącz Kitchen Pendant", "i", "opowiedz dowcip"),
    ("pt", "desliga Kitchen Pendant", "e", "conta-me uma anedota"),
    ("sv", "släck Kitchen Pendant", "och", "berätta en historia"),
]


@in_one_house(("language", "command", "joined", "talk"), TALK)
@pytest.mark.parametrize("is_first", [True, False])
async def test_a_command_beside_talk_is_done_and_the_talk_is_not_understood(  # noqa: PLR0917
    speak: Setup, language: str, command: str, joined: str, talk: str, is_first: bool
) -> None:
    text = f"{command} {joined} {talk}" if is_first else f"{talk} {joined} {command}"
    said = await (await speak()).say(text, language=language)
    assert [*said.changes] == [PENDANT], said.reply
    assert talk in said.reply


@in_one_house(("text", "language", "reply"), UNKNOWN + FOR_LATER + OUTSIDE)
async def test_what_is_asked_is_answered_and_nothing_is_done(
    speak: Setup, text: str, language: str, reply: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.changes) == (reply, {})


@in_one_house(("name", "text", "language", "reply"), SENSED)
async def test_a_sensor_outside_is_believed_before_the_weather(  # noqa: PLR0917
    hass: HomeAssistant, speak: Setup, name: str, text: str, language: str, reply: str
) -> None:
    put(hass, "sensor.outside", name, "3.0", device_class="temperature", unit_of_measurement="°C")
    assert (await (await speak()).say(text, language=language)).reply == reply


@in_one_house(("text", "language", "changed", "told"), HALVES)
async def test_no_half_of_a_sentence_is_lost(
    speak: Setup, text: str, language: str, changed: str, told: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert changed in said.changes, said.reply
    assert said.reply.endswith(told), said.reply


@in_one_house("text", ["don't close the blinds and tell me how cold it is outside",
                       "turn off the pendant tomorrow and what's the weather like now"])  # fmt: skip
async def test_a_half_that_must_not_be_is_not_done(speak: Setup, text: str) -> None:
    assert (await (await speak()).say(text)).changes == {}


@in_one_house(("text", "language"), TOMORROW)
async def test_what_is_for_tomorrow_is_not_done_now(speak: Setup, text: str, language: str) -> None:
    assert (await (await speak()).say(text, language=language)).changes == {}


async def test_two_questions_have_two_answers(speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("is the floor lamp on and how will the weather be tomorrow")
    assert said.reply == "No, off. I can't tell what the weather will be."


async def test_outside_is_told_by_a_sensor_of_that_name(hass: HomeAssistant, speak: Setup) -> None:
    put(hass, "sensor.north", "Outdoor Sensor", "3.5", device_class="temperature")
    said = await (await speak()).say("how hot is it outside")
    assert said.reply == "It is 3.5 °C."


async def test_outside_is_unknown_where_nothing_tells_it(hass: HomeAssistant, speak: Setup) -> None:
    async_expose_entity(hass, "conversation", "weather.home_weather", should_expose=False)
    said = await (await speak()).say("how hot is it outside")
    assert said.reply == "I don't know how warm it is there."


@pytest.mark.parametrize(
    ("text", "language", "reply"),
    [
        ("how will the weather be tomorrow", "en", "Rainy, 8 °C to 14 °C."),
        ("wie ist morgen das Wetter?", "de", "Regnerisch, 8 °C bis 14 °C."),
        ("quel temps fera-t-il demain ?", "fr", "Pluvieux, de 8 °C à 14 °C."),
    ],
)
async def test_a_forecast_is_told(
    hass: HomeAssistant, speak: Setup, text: str, language: str, reply: str
) -> None:
    put(hass, "weather.town", "Town", "sunny", supported_features=1)
    day = dt_util.start_of_local_day() + timedelta(days=1, hours=12)
    told: JsonObjectType = {
        "datetime": day.isoformat(),
        "condition": "rainy",
        "temperature": 14,
        "templow": 8,
    }

    async def forecasts(call: ServiceCall) -> ServiceResponse:
        return {call.data["entity_id"]: {"forecast": [told]}}

    hass.services.async_register(
        "weather", "get_forecasts", forecasts, supports_response=SupportsResponse.ONLY
    )
    said = await (await speak()).say(text, language=language)
    assert said.reply == reply


async def test_a_calendar_is_told(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    put(hass, "calendar.family", "Family", "off")
    day = dt_util.start_of_local_day() + timedelta(days=1)
    events: list[JsonValueType] = [
        {"start": (day + timedelta(hours=15)).isoformat(), "summary": "Dentist"},
        {"start": day.date().isoformat(), "summary": "Holiday"},
    ]

    async def asked(call: ServiceCall) -> ServiceResponse:
        assert call.data["start_date_time"] == day.isoformat()
        return {call.data["entity_id"]: {"events": [*events]}}

    hass.services.async_register(
        "calendar", "get_events", asked, supports_response=SupportsResponse.ONLY
    )
    said = await speaker.say("what is in my calendar for tomorrow")
    assert said.reply == "Holiday and Dentist (15:00)."
    events.clear()
    said = await speaker.say("what is in my calendar for tomorrow")
    assert said.reply == "Nothing is in the calendar."

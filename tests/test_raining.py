"""Whether it rains is told by a rain sensor or the weather; where nothing tells it, that is said."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from tests.asked_house import put
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of

WEATHER = "weather.home_weather"
ASKED = (
    ("en", "is it raining", ("Yes.", "No.", "I don't know.")),
    ("en", "is it still raining outside?", ("Yes.", "No.", "I don't know.")),
    ("de", "regnet es gerade draußen?", ("Ja.", "Nein.", "Das weiß ich nicht.")),
    ("es", "¿está lloviendo?", ("Sí.", "No.", "No lo sé.")),
    ("fr", "est-ce qu'il pleut ?", ("Oui.", "Non.", "Je ne le sais pas.")),
    ("it", "piove?", ("Sì.", "No.", "Non lo so.")),
    ("nl", "regent het buiten?", ("Ja.", "Nee.", "Dat weet ik niet.")),
    ("pl", "czy pada deszcz?", ("Tak.", "Nie.", "Tego nie wiem.")),
    ("pt", "está a chover?", ("Sim.", "Não.", "Isso não sei.")),
    ("sv", "regnar det ute?", ("Ja.", "Nej.", "Det vet jag inte.")),
)


@in_one_house(("language", "text", "answers"), ASKED)
async def test_the_weather_tells_whether_it_rains(
    hass: HomeAssistant, speak: Setup, language: str, text: str, answers: tuple[str, ...]
) -> None:
    speaker = await speak()
    replies = []
    for state in ("pouring", "sunny", "unavailable"):
        hass.states.async_set(WEATHER, state)
        replies.append((await speaker.say(text, language=language)).reply)
    assert tuple(replies) == answers


async def test_a_rain_sensor_comes_first_and_only_what_is_exposed_tells(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    hass.states.async_set(WEATHER, "sunny")
    put(hass, "binary_sensor.rain", "Rain Sensor", "on", device_class="moisture")
    put(hass, "binary_sensor.leak", "Sink Leak", "off", device_class="moisture")
    assert (await speaker.say("is it raining")).reply == "Yes."
    async_expose_entity(hass, "conversation", "binary_sensor.rain", False)
    assert (await speaker.say("is it raining")).reply == "No."
    async_expose_entity(hass, "conversation", WEATHER, False)
    assert (await speaker.say("is it raining")).reply == "I don't know."


async def test_rain_is_waited_for_where_it_is_asked_of(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    hass.states.async_set(WEATHER, "sunny")
    put(hass, "binary_sensor.rain", "Rain Sensor", "off", device_class="moisture")
    await speaker.say("when it starts raining turn off the desk lamp")
    command = assistant_of(hass).delayed.waiting[0]
    assert command.trigger
    assert command.trigger.entity_ids == ("binary_sensor.rain",)

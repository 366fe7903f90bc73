"""What cannot be done is refused with the reason why, in the language of who asked."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

REFUSED = [
    # Rooms and things that are not there.
    ("turn on the sauna lights", "en", "I don't know what “sauna” is here."),
    ("turn on the lights in the sauna", "en", "I don't know what “sauna” is here."),
    ("turn on the glow worm", "en", "I don't know what “glow worm” is here."),
    ("schalte die Lichter in der Sauna ein", "de", "Ich kenne hier nichts, was „Sauna“ heißt."),
    ("enciende las luces de la sauna", "es", "Aquí no conozco nada que se llame «sauna»."),
    ("allume les lumières du sauna", "fr", "Je ne connais rien ici qui s'appelle « sauna »."),
    ("accendi le luci nella sauna", "it", "Qui non conosco nulla che si chiami «sauna»."),
    ("zet de lampen in de sauna aan", "nl", "Ik ken hier niets dat “sauna” heet."),
    ("włącz światła w saunie", "pl", "Nie znam tu niczego o nazwie „saunie”."),
    ("liga as luzes da sauna", "pt", "Não conheço aqui nada que se chame «sauna»."),
    # Sentences of integrations that are not there.
    ("mow the lawn", "en", "Nothing that could do that is set up here."),
    ("mähe den Rasen", "de", "Hier ist nichts eingerichtet, was das kann."),
]


@in_one_house(("text", "language", "reply"), REFUSED)
async def test_a_refusal_says_why(speak: Setup, text: str, language: str, reply: str) -> None:
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.changes) == (reply, {})


async def test_what_is_not_exposed_is_not_known(hass: HomeAssistant, speak: Setup) -> None:
    async_expose_entity(hass, "conversation", "fan.bedroom_fan", should_expose=False)
    said = await (await speak()).say("switch the bedroom fan on please")
    assert "what action to take" not in said.reply
    assert said.changes == {}


async def test_who_may_not_is_told_so(hass: HomeAssistant, speak: Setup) -> None:
    await hass.auth.async_create_user("Owner")
    guest = await hass.auth.async_create_user("Guest", group_ids=[])
    speaker = await speak()
    for text, language, reply in (
        ("unlock the front door", "en", "You may not do that."),
        ("schließ die Front Door auf", "de", "Das darfst du nicht."),
    ):
        said = await speaker.say(text, language=language, context=Context(user_id=guest.id))
        assert (said.reply, said.changes) == (reply, {})

"""What is waited for is done once it happens in the house, and nothing of it before, nor for what was no change."""

from datetime import timedelta
import re

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_fire_time_changed

from tests.conftest import Said, Setup, Speaker
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.test_delayed import person, planned

DOOR, LAMP, TEMPERATURE = "lock.front_door", "light.desk_lamp", "sensor.bedroom_temperature"
TEXT = "when the front door is unlocked turn off the desk lamp"
COOLING = "as soon as it is below 18 in the bedroom turn off the desk lamp"
LEAVING = "when I leave turn off the desk lamp"
DARK = "when it gets dark turn off the desk lamp"
SETTLED, MEASURED = 3.0, 31.0
"""In seconds: after so long a state, and a number, is so and did not only flicker."""


class Waiting:
    """Somebody who waits for something, in a house whose time is stopped."""

    def __init__(self, hass: HomeAssistant, freezer: FrozenDateTimeFactory, who: Speaker) -> None:
        """Take the house, and who speaks."""
        self.hass, self.freezer, self.who = hass, freezer, who

    async def say(self, text: str, context: Context | None = None) -> Said:
        """Say what is waited for; nothing is done for it now."""
        said = await self.who.say(text, context=context)
        assert said.changes == {}, said.reply
        assert self.is_on, said.reply
        return said

    @property
    def is_on(self) -> bool:
        """Return whether the lamp is on, which is to be turned off."""
        state = self.hass.states.get(LAMP)
        assert state
        return state.state == "on"

    async def become(self, state: str, seconds: float, entity_id: str = DOOR) -> None:
        """Let an entity be in a state for so many seconds."""
        old = self.hass.states.get(entity_id)
        self.hass.states.async_set(entity_id, state, old.attributes if old else None)
        await self.wait(seconds)

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await self.hass.async_block_till_done()
        self.freezer.tick(timedelta(seconds=seconds))
        async_fire_time_changed(self.hass, dt_util.utcnow())
        await self.hass.async_block_till_done(wait_background_tasks=True)

    async def light(self) -> None:
        """Turn the lamp on again."""
        await self.hass.services.async_call(
            "light", "turn_on", {"entity_id": LAMP}, blocking=True, context=Context()
        )


@pytest.fixture
async def waiting(hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory) -> Waiting:
    """Return somebody in the demo house, whose door is locked and whose lamp is on."""
    return Waiting(hass, freezer, await speak())


async def test_it_is_done_once(waiting: Waiting) -> None:
    said = await waiting.say(TEXT)
    assert "front door is unlocked" in said.reply
    assert len(await planned(waiting.hass)) == 1
    await waiting.become("unlocked", SETTLED)
    assert not waiting.is_on
    assert await planned(waiting.hass) == []
    await waiting.light()
    for state in ("locked", "unlocked"):
        await waiting.become(state, SETTLED)
    assert waiting.is_on


async def test_a_flicker_and_what_is_unavailable_do_nothing(waiting: Waiting) -> None:
    await waiting.say(TEXT)
    for state in ("unlocked", "locked", "unavailable", "locked", "unknown", "locked"):
        await waiting.become(state, SETTLED / 3)
    for state in ("unavailable", "locked"):
        await waiting.become(state, SETTLED)
    assert waiting.is_on
    await waiting.become("unlocked", SETTLED)
    assert not waiting.is_on


async def test_what_was_so_before_it_was_unavailable_is_no_change(waiting: Waiting) -> None:
    await waiting.become("unlocked", SETTLED)
    await waiting.say("when somebody unlocks the front door turn off the desk lamp")
    for state in ("unavailable", "unlocked"):
        await waiting.become(state, SETTLED)
    assert waiting.is_on
    for state in ("locked", "unlocked"):
        await waiting.become(state, SETTLED)
    assert not waiting.is_on


async def test_what_is_so_already_is_said(waiting: Waiting) -> None:
    await waiting.become("unlocked", SETTLED)
    said = await waiting.say(TEXT)
    assert "already" in said.reply
    assert await planned(waiting.hass) == []


HELD = [
    ("if the bathroom window has been open for more than an hour, turn off the desk lamp", True),
    ("when the bathroom window has been open for an hour turn off the desk lamp", False),
    ("if the bathroom window has been open for more than an hour, tell me", False),
]


@pytest.mark.parametrize("text", [text for text, _ in HELD])
async def test_what_is_so_but_not_for_as_long_as_was_said_is_waited_for(
    waiting: Waiting, text: str
) -> None:
    """It counts from when it became so."""
    await waiting.become("on", 40 * 60.0, "binary_sensor.bathroom_window")
    said = await waiting.say(text)
    assert "1 hour" in said.reply
    assert len(await planned(waiting.hass)) == 1
    await waiting.wait(19 * 60.0)
    assert len(await planned(waiting.hass)) == 1
    await waiting.wait(2 * 60.0)
    assert await planned(waiting.hass) == []
    assert waiting.is_on is ("tell" in text)


async def test_what_ends_before_it_was_so_for_long_enough_counts_anew(waiting: Waiting) -> None:
    await waiting.become("on", 40 * 60.0, "binary_sensor.bathroom_window")
    await waiting.say(HELD[0][0])
    await waiting.become("off", 60.0, "binary_sensor.bathroom_window")
    await waiting.become("on", 59 * 60.0, "binary_sensor.bathroom_window")
    assert waiting.is_on
    await waiting.wait(2 * 60.0)
    assert not waiting.is_on


@pytest.mark.parametrize(("text", "is_done"), HELD)
async def test_what_is_so_for_as_long_is_said_or_done_if_it_was_asked_for_so(
    waiting: Waiting, text: str, is_done: bool
) -> None:
    await waiting.become("on", 61 * 60.0, "binary_sensor.bathroom_window")
    said = await waiting.who.say(text)
    assert waiting.is_on is not is_done
    assert ("already" in said.reply) is not is_done
    assert await planned(waiting.hass) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TEXT, "when the front door is unlocked: turn off Desk Lamp"),
        ("remind me to call mum when the front door is unlocked", "call mum"),
        ("let me know when the front door is unlocked", "the front door is unlocked"),
    ],
)
async def test_it_is_waited_for_a_day_and_told_where_it_did_not_happen(
    waiting: Waiting, text: str, told: str
) -> None:
    said = await waiting.say(text)
    assert "24 hours" in said.reply
    await waiting.wait(24 * 3600 + 1)
    assert await planned(waiting.hass) == []
    [notification] = waiting.hass.data["persistent_notification"].values()
    assert "did not happen as far as I know" in notification["message"]
    assert told in notification["message"]
    await waiting.become("unlocked", SETTLED)
    assert waiting.is_on


async def test_what_has_happened_or_was_cancelled_is_not_told_to_have_not(
    waiting: Waiting,
) -> None:
    await waiting.say(TEXT)
    await waiting.become("unlocked", SETTLED)
    await waiting.light()
    await waiting.become("locked", SETTLED)
    await waiting.say(TEXT)
    await waiting.say("cancel that")
    await waiting.wait(24 * 3600 + 1)
    assert not waiting.hass.data.get("persistent_notification")


async def test_it_is_waited_no_longer_than_was_said(waiting: Waiting) -> None:
    said = await waiting.say(
        "if the front door unlocks in the next two hours turn off the desk lamp"
    )
    assert "hours" not in said.reply
    await waiting.wait(7201)
    assert await planned(waiting.hass) == []
    [notification] = waiting.hass.data["persistent_notification"].values()
    assert "did not happen" in notification["message"]
    await waiting.become("unlocked", SETTLED)
    assert waiting.is_on


async def test_it_is_waited_on_after_a_reload(waiting: Waiting) -> None:
    hass = waiting.hass
    await waiting.say(TEXT)
    [entry] = hass.config_entries.async_entries("bellboard")
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert len(await planned(hass)) == 1
    await waiting.wait(SETTLED)
    assert waiting.is_on
    await waiting.become("unlocked", SETTLED)
    assert await planned(hass) == []
    assert not waiting.is_on


async def test_what_is_not_exposed_any_more_tells_nothing(waiting: Waiting) -> None:
    await waiting.say(TEXT)
    async_expose_entity(waiting.hass, "conversation", DOOR, should_expose=False)
    await waiting.become("unlocked", SETTLED)
    assert waiting.is_on


async def test_a_number_counts_when_it_passes(waiting: Waiting) -> None:
    await waiting.say(COOLING)
    for degrees in ("18.4", "18.1"):
        await waiting.become(degrees, MEASURED, TEMPERATURE)
    await waiting.become("17.9", MEASURED - 5, TEMPERATURE)
    await waiting.become("18.2", MEASURED, TEMPERATURE)
    assert waiting.is_on
    await waiting.become("17.8", MEASURED, TEMPERATURE)
    assert not waiting.is_on


async def test_it_gets_dark(waiting: Waiting) -> None:
    await waiting.say(DARK)
    assert waiting.is_on
    # Where the sun stands is known, whatever tells it.
    await waiting.wait(24 * 3600)
    assert not waiting.is_on


def anna_and_ben(hass: HomeAssistant) -> MockUser:
    """Let two persons be at home, and return the user that the first of them is."""
    user = MockUser(id="anna").add_to_hass(hass)
    user.mock_policy({"entities": True})
    for name, user_id in (("anna", user.id), ("ben", "ben")):
        given = {"friendly_name": name.title(), "user_id": user_id}
        hass.states.async_set(f"person.{name}", "home", given)
        async_expose_entity(hass, "conversation", f"person.{name}", should_expose=True)
    return user


async def test_who_speaks_leaves(waiting: Waiting) -> None:
    """And not who comes back, goes from one zone to another, or is somebody else."""
    user = anna_and_ben(waiting.hass)
    await waiting.say(LEAVING, Context(user_id=user.id))
    await waiting.become("not_home", SETTLED, "person.ben")
    assert waiting.is_on
    await waiting.become("Office", SETTLED, "person.anna")
    assert not waiting.is_on


async def test_who_speaks_leaves_and_nobody_is_left(waiting: Waiting) -> None:
    """Wait for both, whoever leaves last."""
    user = anna_and_ben(waiting.hass)
    text = "when I leave and nobody is home turn off the desk lamp"
    await waiting.say(text, Context(user_id=user.id))
    await waiting.become("not_home", SETTLED, "person.anna")
    assert waiting.is_on
    await waiting.become("not_home", SETTLED, "person.ben")
    assert not waiting.is_on


async def test_one_of_several_is_enough(waiting: Waiting) -> None:
    """Wait for whichever of them begins."""
    await waiting.say("when the front door or the garage door opens turn off the desk lamp")
    await waiting.become("opening", SETTLED, "cover.garage_door")
    assert waiting.is_on
    await waiting.become("open", SETTLED, "cover.garage_door")
    assert not waiting.is_on


async def test_a_number_that_is_beyond_its_bound_is_said(waiting: Waiting) -> None:
    said = await waiting.say("when it exceeds 15 in the bedroom turn off the desk lamp")
    assert "already" in said.reply
    assert await planned(waiting.hass) == []


# By language: what nothing in the house tells, and words of the reply.
UNTOLD = [
    ("en", "when the dryer is done turn off the desk lamp", "the dryer is done"),
    ("de", "sobald der Trockner fertig ist schalte die Desk Lamp aus", "der Trockner fertig ist"),
    ("es", "cuando acabe la secadora apaga Desk Lamp", "acabe la secadora"),
    ("fr", "quand le sèche-linge a fini éteins Desk Lamp", "le sèche-linge a fini"),
    ("it", "quando l'asciugatrice ha finito spegni Desk Lamp", "l'asciugatrice ha finito"),
    ("nl", "zodra de droger klaar is doe Desk Lamp uit", "de droger klaar is"),
    ("pl", "kiedy suszarka skończy wyłącz Desk Lamp", "suszarka skończy"),
    ("pt", "quando a secadora acabar apaga Desk Lamp", "a secadora acabar"),
    ("sv", "när torktumlaren är klar släck Desk Lamp", "torktumlaren är klar"),
]
# Who speaks is not known.
UNKNOWN = [
    ("en", "when I leave turn off the desk lamp", "person"),
    ("de", "sobald ich gehe schalte die Desk Lamp aus", "Person"),
    ("es", "cuando salga de casa apaga Desk Lamp", "persona"),
    ("fr", "quand je pars éteins Desk Lamp", "personne"),
    ("it", "quando esco spegni Desk Lamp", "persona"),
    ("nl", "wanneer ik wegga doe Desk Lamp uit", "persoon"),
    ("pl", "kiedy wyjdę z domu wyłącz Desk Lamp", "osobą"),
    ("pt", "quando eu sair apaga Desk Lamp", "pessoa"),
    ("sv", "när jag går släck Desk Lamp", "person"),
]
# What waits for something that is told.
TOLD = [
    ("en", TEXT),
    ("de", "sobald die Haustür aufgeschlossen wird schalte die Desk Lamp aus"),
    ("es", "cuando alguien abra Front Door apaga Desk Lamp"),
    ("fr", "quand quelqu'un ouvre Front Door éteins Desk Lamp"),
    ("it", "quando qualcuno apre Front Door spegni Desk Lamp"),
    ("nl", "als iemand Front Door opendoet doe Desk Lamp uit"),
    ("pl", "gdy ktoś otworzy Front Door wyłącz Desk Lamp"),
    ("pt", "quando alguém abrir Front Door apaga Desk Lamp"),
    ("sv", "när någon öppnar Front Door släck Desk Lamp"),
]


# "If" and a verb of change, one of several, a verb of several words, and what is to be said.
WAITED = [
    ("en", "if the humidity in the bathroom exceeds 70 turn off the desk lamp"),
    ("en", "when it drops below 15 in the bedroom turn down the bedroom thermostat"),
    ("en", "when the front door opens turn up the kitchen speaker and turn off the desk lamp"),
    ("en", "after the washing machine has finished turn off the desk lamp"),
    ("en", "should it start to rain, turn off the desk lamp"),
    ("en", "say something if the garage door opens"),
    ("de", "schalte die Desk Lamp aus, wenn die Luftfeuchtigkeit im Bad 70 überschreitet"),
    ("de", "wenn die Haustür oder das Garagentor aufgeht schalte die Desk Lamp aus"),
    ("de", "sollte es anfangen zu regnen, mach die Desk Lamp aus"),
    ("de", "sag was, wenn das Garagentor aufgeht"),
    ("es", "si la humedad de Bathroom pasa de 70 apaga Desk Lamp"),
    ("es", "cuando se abra Garage Door o Front Door apaga Desk Lamp"),
    ("es", "dime algo si se abre Garage Door"),
    ("fr", "si l'humidité dans Bathroom dépasse 70 éteins Desk Lamp"),
    ("fr", "quand Front Door ou Garage Door s'ouvre éteins Desk Lamp"),
    ("fr", "si Garage Door s'ouvre dis-le-moi"),
    ("it", "se l'umidità in Bathroom supera il 70 spegni Desk Lamp"),
    ("it", "quando si apre Garage Door o Front Door spegni Desk Lamp"),
    ("it", "dimmi qualcosa se si apre Garage Door"),
    ("nl", "als de luchtvochtigheid in Bathroom boven de 70 uitkomt, doe Desk Lamp uit"),
    ("nl", "als Front Door of Garage Door opengaat doe Desk Lamp uit"),
    ("nl", "mocht het gaan regenen, doe Desk Lamp uit"),
    ("nl", "zeg het me als Garage Door opengaat"),
    ("pl", "jeśli wilgotność w Bathroom przekroczy 70 wyłącz Desk Lamp"),
    ("pl", "gdy otworzy się Garage Door lub Front Door wyłącz Desk Lamp"),
    ("pl", "powiedz coś, jeśli otworzy się Garage Door"),
    ("pt", "se a humidade em Bathroom ultrapassar os 70 por cento desliga Desk Lamp"),
    ("pt", "quando Front Door ou Garage Door abrir apaga Desk Lamp"),
    ("pt", "depois de Washing Machine acabar apaga Desk Lamp"),
    ("pt", "diz alguma coisa se Garage Door abrir"),
    ("sv", "om luftfuktigheten i Bathroom överstiger 70 släck Desk Lamp"),
    ("sv", "när Front Door eller Garage Door öppnas släck Desk Lamp"),
    ("sv", "skulle det börja regna, släck Desk Lamp"),
    ("sv", "säg något om Garage Door öppnas"),
]
# Said with a part of the day that it is for.
IN_THE_EVENING = [
    ("en", "whenever I come home in the evening turn off the desk lamp"),
    ("de", "immer wenn ich abends nach Hause komme schalte die Desk Lamp aus"),
    ("es", "cada vez que llegue a casa por la noche apaga Desk Lamp"),
    ("fr", "chaque fois que je rentre le soir éteins Desk Lamp"),
    ("it", "ogni volta che torno a casa la sera spegni Desk Lamp"),
    ("nl", "telkens als ik 's avonds thuiskom doe Desk Lamp uit"),
    ("pl", "za każdym razem gdy wracam wieczorem do domu wyłącz Desk Lamp"),
    ("pt", "sempre que eu chegar a casa à noite apaga Desk Lamp"),
    ("sv", "varje gång jag kommer hem på kvällen släck Desk Lamp"),
]
# For what is not there.
MISSING = [
    ("en", "when the front door opens turn on the sauna", "sauna"),
    ("en", "turn on the sauna at eight", "sauna"),
    ("de", "wenn die Haustür aufgeht schalte die Sauna ein", "Sauna"),
    ("es", "cuando se abra Front Door enciende la sauna", "sauna"),
    ("fr", "quand Front Door s'ouvre allume le sauna", "sauna"),
    ("it", "quando si apre Front Door accendi la sauna", "sauna"),
    ("nl", "als Front Door opengaat zet de sauna aan", "sauna"),
    ("pl", "gdy otworzy się Front Door włącz saunę", "saunę"),
    ("pt", "quando Front Door abrir liga a sauna", "sauna"),
    ("sv", "när Front Door öppnas tänd bastun", "bastun"),
]


@in_one_house(("language", "text"), WAITED)
async def test_what_begins_is_waited_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.result.response.error_code, said.reply
    assert said.changes == {}
    assert len(await planned(hass)) == 1, said.reply


@in_one_house(("language", "text"), IN_THE_EVENING)
async def test_it_is_waited_for_in_the_part_of_the_day_that_is_said(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    user = await person(hass, admin=True)
    given = {"friendly_name": "Anna", "user_id": user.id}
    hass.states.async_set("person.anna", "not_home", given)
    async_expose_entity(hass, "conversation", "person.anna", should_expose=True)
    context = Context(user_id=user.id)
    said = await (await speak()).say(text, language=language, context=context)
    assert re.search("(19|22)[:h]00", said.reply), said.reply
    assert said.result.continue_conversation
    assert said.changes == {}
    assert await planned(hass, context) == []


async def test_what_nothing_tells_is_not_left_out(hass: HomeAssistant, speak: Setup) -> None:
    text = "whenever the front door is unlocked by a stranger turn off the desk lamp"
    said = await (await speak()).say(text, context=Context(user_id="nobody"))
    assert said.result.response.error_code, said.reply
    assert await planned(hass) == []


@pytest.mark.parametrize(
    ("text", "entity_id"),
    [
        ("when the bathroom window opens turn off the heating", "climate.bathroom_heating"),
        ("when the bedroom window opens turn off the heating", "climate.bedroom_thermostat"),
        ("when the bedroom window opens turn off the bathroom heating", "climate.bathroom_heating"),
    ],
)
async def test_what_may_be_several_is_that_of_the_room_of_what_is_waited_for(
    hass: HomeAssistant, speak: Setup, text: str, entity_id: str
) -> None:
    said = await (await speak()).say(text)
    assert not said.result.continue_conversation, said.reply
    [command] = assistant_of(hass).delayed.waiting
    assert [target for call in command.calls for target in call.targets] == [entity_id]


OWNED = {
    "en": ("Anna's lamp", "when Anna comes home turn on her lamp"),
    "de": ("Annas Lampe", "wenn Anna nach Hause kommt mach ihre Lampe an"),
    "es": ("lámpara de Anna", "cuando Anna vuelva a casa enciéndele la lámpara"),
    "fr": ("lampe d'Anna", "quand Anna rentre à la maison allume-lui sa lampe"),
    "it": ("lampada di Anna", "quando Anna torna a casa accendi la sua lampada"),
    "nl": ("lamp van Anna", "als Anna thuiskomt doe haar lamp aan"),
    "pl": ("lampa Anna", "gdy Anna wróci do domu włącz jej lampę"),
    "pt": ("candeeiro da Anna", "quando a Anna chegar a casa acende-lhe o candeeiro"),
    "sv": ("lampa Anna", "när Anna kommer hem tänd hennes lampa"),
}
"""By language, what the reading lamp is called, and what is to be done with it."""


@in_one_house("language", OWNED)
async def test_what_is_somebodys_is_called_by_who_is_waited_for(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    called, text = OWNED[language]
    hass.states.async_set("person.anna", "not_home", {"friendly_name": "Anna"})
    async_expose_entity(hass, "conversation", "person.anna", should_expose=True)
    entry = er.async_get(hass).async_get("light.reading_lamp")
    assert entry
    er.async_get(hass).async_update_entity(entry.entity_id, aliases=[called])
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.changes == {}
    assert len(await planned(hass)) == 1
    assert called in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "when the front door is unlocked turn on her lamp"),
        ("de", "sobald die Haustür aufgeschlossen wird mach ihre Lampe an"),
        ("es", "cuando se desbloquee Front Door enciende su lámpara"),
        ("es", "apágale la luz dentro de diez minutos"),
        ("fr", "éteins-lui la lumière dans dix minutes"),
        ("fr", "éteins-lui la lumière"),
        ("it", "spegnigli la luce tra dieci minuti"),
        ("nl", "als de voordeur van het slot gaat doe haar lamp aan"),
        ("pl", "gdy drzwi wejściowe zostaną otwarte włącz jej lampę"),
        ("pt", "apaga-lhe a luz daqui a dez minutos"),
        ("sv", "när ytterdörren låses upp tänd hennes lampa"),
    ],
)
async def test_what_is_somebodys_who_is_not_named_is_nobodys(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.changes == {}
    assert await planned(hass) == []


@in_one_house(("language", "text", "words"), [*UNTOLD, *MISSING])
async def test_it_is_said_what_is_missing(
    hass: HomeAssistant, speak: Setup, language: str, text: str, words: str
) -> None:
    await declined(hass, speak, language, text, words)


@in_one_house(("language", "text", "words"), UNKNOWN)
async def test_it_is_said_that_who_speaks_is_not_known(
    hass: HomeAssistant, speak: Setup, language: str, text: str, words: str
) -> None:
    await declined(hass, speak, language, text, words)


async def declined(hass: HomeAssistant, speak: Setup, language: str, text: str, words: str) -> None:
    """Say what nothing tells; it is declined with these words, and nothing is planned."""
    said = await (await speak()).say(text, language=language)
    assert said.result.response.error_code
    assert words in said.reply
    assert said.changes == {}
    assert await planned(hass) == []


@in_one_house(("language", "text"), TOLD)
async def test_it_is_planned_in_all_languages(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.result.response.error_code, said.reply
    assert "Desk Lamp" in said.reply
    assert "24 " in said.reply
    assert said.changes == {}
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text", "message"),
    [
        ("en", "the next time the front door is unlocked say welcome home", "welcome home"),
        (
            "de",
            "wenn die Haustür aufgeschlossen wird sag willkommen zu Hause",
            "willkommen zu Hause",
        ),
        (
            "es",
            "la próxima vez que se desbloquee Front Door di bienvenida a casa",
            "bienvenida a casa",
        ),
        ("fr", "la prochaine fois que Front Door est déverrouillée dis bienvenue", "bienvenue"),
        ("it", "quando si sblocca Front Door dì benvenuto a casa", "benvenuto a casa"),
        (
            "nl",
            "de volgende keer dat Front Door van het slot gaat zeg welkom thuis",
            "welkom thuis",
        ),
        (
            "pl",
            "następnym razem gdy Front Door zostanie otwarte powiedz witaj w domu",
            "witaj w domu",
        ),
        (
            "pt",
            "da próxima vez que Front Door for destrancada diz bem-vindo a casa",
            "bem-vindo a casa",
        ),
        ("sv", "nästa gång Front Door låses upp säg välkommen hem", "välkommen hem"),
    ],
)
async def test_what_is_to_be_said_then_is_said_as_it_is(
    hass: HomeAssistant, speak: Setup, language: str, text: str, message: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert said.changes == {}
    assert message in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "when is the front door unlocked"),
        ("en", "when the front door is unlocked is the desk lamp on?"),
        ("en", "when does the desk lamp turn off"),
        ("en", "the desk lamp goes off when the front door is unlocked"),
        ("en", "don't turn off the desk lamp when the front door is unlocked"),
        ("de", "wann geht die Desk Lamp aus"),
        ("de", "wann ist die Desk Lamp ausgegangen"),
        ("es", "cuándo se apaga Desk Lamp"),
        ("fr", "quand est-ce que Desk Lamp s'éteint"),
        ("it", "quando si spegne Desk Lamp"),
        ("nl", "wanneer gaat Desk Lamp uit"),
        ("pl", "kiedy Desk Lamp się wyłączy"),
        ("pt", "quando é que Desk Lamp se apaga"),
        ("sv", "när släcks Desk Lamp"),
    ],
)
async def test_questions_and_statements_plan_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert said.changes == {}
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "as soon as you can turn off the desk lamp"),
        ("en", "turn off the desk lamp when you get a chance"),
        ("de", "sobald du kannst mach Desk Lamp aus"),
        ("de", "mach Desk Lamp sobald es geht aus"),
        ("es", "en cuanto puedas apaga Desk Lamp"),
        ("fr", "dès que tu peux éteins Desk Lamp"),
        ("it", "spegni Desk Lamp appena puoi"),
        ("nl", "doe Desk Lamp uit zodra het kan"),
        ("pl", "jak tylko możesz wyłącz Desk Lamp"),
        ("pt", "desliga Desk Lamp logo que possas"),
        ("sv", "släck Desk Lamp så snart du kan"),
    ],
)
async def test_as_soon_as_you_can_is_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    """Do at once what only courtesy stands beside."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {LAMP}, said.reply
    assert await planned(hass) == []


async def test_what_one_can_only_then_is_for_later(hass: HomeAssistant, speak: Setup) -> None:
    """Do nothing now where what can be done by then is said."""
    text = "as soon as you can hear the doorbell turn off the desk lamp"
    assert (await (await speak()).say(text)).calls == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "when nothing is playing any more turn off the floor lamp"),
        ("en", "when the music is over turn off the floor lamp"),
        ("de", "wenn nichts mehr läuft schalte die Floor Lamp aus"),
        ("es", "cuando no suene nada apaga Floor Lamp"),
        ("es", "cuando acabe la música apaga Floor Lamp"),
        ("fr", "dès qu'il n'y a plus de musique éteins Floor Lamp"),
        ("it", "quando non suona più niente spegni Floor Lamp"),
        ("it", "quando finisce la musica spegni Floor Lamp"),
        ("nl", "als er niks meer speelt zet de Floor Lamp uit"),
        ("pl", "jak już nic nie będzie grało wyłącz Floor Lamp"),
        ("pt", "quando já não estiver nada a tocar desliga Floor Lamp"),
        ("sv", "när inget spelas längre släck Floor Lamp"),
    ],
)
async def test_the_end_of_music_is_waited_for_at_all_players(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    assert not (await speaker.say(text, language=language)).changes
    [command] = assistant_of(hass).delayed.waiting
    assert command.trigger
    assert {"media_player.living_room_tv", "media_player.office_speaker"} <= {
        *command.trigger.entity_ids
    }


@in_one_house("text", ["when the music stops turn off the living room tv"])
async def test_music_that_stops_is_no_device_of_the_command(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    await (await speak()).say(text)
    [command] = assistant_of(hass).delayed.waiting
    assert command.trigger
    assert len(command.trigger.entity_ids) > 1


# By language: two commands around what is waited for.
AROUND = [
    ("en", "turn on the desk lamp when the garage door opens and turn on the floor lamp"),
    ("de", "mach Desk Lamp an wenn Garage Door aufgeht und mach Floor Lamp an"),
    ("nl", "doe Desk Lamp aan als Garage Door opengaat en doe Floor Lamp aan"),
    ("sv", "tänd Desk Lamp när Garage Door öppnas och tänd Floor Lamp"),
    ("fr", "allume Desk Lamp quand Garage Door s'ouvre et allume Floor Lamp"),
    ("es", "enciende Desk Lamp cuando se abra Garage Door y enciende Floor Lamp"),
    ("it", "accendi Desk Lamp quando si apre Garage Door e accendi Floor Lamp"),
    ("pt", "acende Desk Lamp quando Garage Door abrir e acende Floor Lamp"),
    ("pl", "włącz Desk Lamp gdy Garage Door się otworzy i włącz Floor Lamp"),
]


@in_one_house(("language", "text"), AROUND)
async def test_what_is_said_behind_it_waits_as_well(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    assert not (await (await speak()).say(text, language=language)).changes
    [command] = assistant_of(hass).delayed.waiting
    assert {each for call in command.calls for each in call.targets} == {
        "light.desk_lamp",
        "light.floor_lamp",
    }


ENDED = [
    ("en", "turn the desk lamp off until the front door is unlocked"),
    ("en", "until the front door is unlocked, turn the desk lamp off"),
    ("de", "mach die Desk Lamp aus, bis die Haustür aufgeschlossen wird"),
    ("de", "bis die Haustür aufgeschlossen wird soll die Desk Lamp aus sein"),
    ("es", "apaga Desk Lamp hasta que alguien abra Front Door"),
    ("fr", "éteins Desk Lamp jusqu'à ce que quelqu'un ouvre Front Door"),
    ("it", "spegni Desk Lamp finché qualcuno non apre Front Door"),
    ("it", "spegni Desk Lamp fino a quando qualcuno apre Front Door"),
    ("nl", "doe Desk Lamp uit totdat iemand Front Door opendoet"),
    ("pl", "wyłącz Desk Lamp, dopóki ktoś nie otworzy Front Door"),
    ("pt", "apaga Desk Lamp até alguém abrir Front Door"),
    ("sv", "släck Desk Lamp tills någon öppnar Front Door"),
    ("en", "turn the desk lamp off until the front door is unlocked then back how it was"),
    ("de", "mach die Desk Lamp aus bis die Haustür aufgeschlossen wird und danach wieder zurück"),
    ("es", "apaga Desk Lamp hasta que alguien abra Front Door y luego la dejas como estaba"),
    (
        "fr",
        "éteins Desk Lamp jusqu'à ce que quelqu'un ouvre Front Door et après remets-la comme avant",
    ),
    ("it", "spegni Desk Lamp finché qualcuno non apre Front Door e poi rimettila com'era"),
    ("nl", "doe Desk Lamp uit totdat iemand Front Door opendoet en dan weer zoals het was"),
    ("pl", "wyłącz Desk Lamp, dopóki ktoś nie otworzy Front Door a potem jak było"),
    ("pt", "apaga Desk Lamp até alguém abrir Front Door e depois volta a pôr como estava"),
    ("sv", "släck Desk Lamp tills någon öppnar Front Door och sen tillbaka som den var"),
]


@in_one_house(("language", "text"), ENDED)
async def test_what_ends_with_an_event_is_put_back_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    house = Waiting(hass, freezer, await speak())
    said = await house.who.say(text, language=language)
    assert {*said.changes} == {LAMP}, said.reply
    assert "24 " in said.reply
    [waits] = await planned(hass)
    assert waits["kind"] == "waiting"
    for state in ("unlocked", "locked"):
        await house.become(state, SETTLED / 3)
    assert hass.states.is_state(LAMP, "off")
    await house.become("unlocked", SETTLED)
    assert house.is_on
    assert await planned(hass) == []


async def test_what_is_kept_off_until_an_event_is_off_now_and_turned_on_then(
    waiting: Waiting,
) -> None:
    text = "keep the desk lamp off until the front door is unlocked and then turn it on"
    said = await waiting.who.say(text)
    assert {*said.changes} == {LAMP}, said.reply
    assert waiting.hass.states.is_state(LAMP, "off")
    await waiting.become("unlocked", SETTLED)
    assert waiting.is_on
    assert await planned(waiting.hass) == []


async def test_what_is_kept_on_until_an_event_is_turned_off_then(waiting: Waiting) -> None:
    said = await waiting.say("keep the desk lamp on until the front door is unlocked")
    assert "turn off Desk Lamp" in said.reply
    await waiting.become("unlocked", SETTLED)
    assert not waiting.is_on


async def test_what_is_to_be_done_at_the_end_is_done_in_place_of_putting_back(
    waiting: Waiting,
) -> None:
    text = "dim the desk lamp to 20 percent until the front door is unlocked and then turn it off"
    said = await waiting.who.say(text)
    assert {*said.changes} == {LAMP}, said.reply
    assert waiting.hass.states.is_state(LAMP, "on")
    await waiting.become("unlocked", SETTLED)
    assert not waiting.is_on
    assert await planned(waiting.hass) == []


async def test_an_end_is_waited_for_after_a_reload_and_taken_back(waiting: Waiting) -> None:
    hass = waiting.hass
    for is_taken_back in (False, True):
        await waiting.become("locked", SETTLED)
        await waiting.who.say("turn the desk lamp off until the front door is unlocked")
        [entry] = hass.config_entries.async_entries("bellboard")
        assert await hass.config_entries.async_reload(entry.entry_id)
        await hass.async_block_till_done()
        assert len(await planned(hass)) == 1
        assert not waiting.is_on
        if is_taken_back:
            await waiting.who.say("cancel everything that is planned")
            assert await planned(hass) == []
        await waiting.become("unlocked", SETTLED)
        assert waiting.is_on is not is_taken_back


async def test_an_end_that_does_not_happen_is_told(waiting: Waiting) -> None:
    await waiting.who.say("turn the desk lamp off until the front door is unlocked")
    await waiting.wait(24 * 3600 + 1)
    [notification] = waiting.hass.data["persistent_notification"].values()
    assert "did not happen as far as I know" in notification["message"]
    assert not waiting.is_on


@pytest.mark.parametrize("is_unlocked", [True, False])
async def test_what_begins_later_ends_with_an_event(waiting: Waiting, is_unlocked: bool) -> None:
    """It is put back at once where that is so by then."""
    said = await waiting.say(
        "in ten minutes turn the desk lamp off until the front door is unlocked"
    )
    assert "until the front door is unlocked" in said.reply
    if is_unlocked:
        await waiting.become("unlocked", SETTLED)
    await waiting.wait(10 * 60)
    await waiting.wait(1)
    assert waiting.is_on is is_unlocked
    await waiting.become("unlocked", SETTLED)
    assert waiting.is_on
    assert await planned(waiting.hass) == []


@pytest.mark.parametrize(
    "text",
    [
        "turn the desk lamp off until the front door is locked",
        "turn the desk lamp off until Anna is happy",
        "turn the desk lamp off until the front door is unlocked for a while or so",
        "don't turn off the desk lamp until the front door is unlocked",
        "turn the desk lamp off, but not until the front door is unlocked",
        "every day at eight turn the desk lamp off until the front door is unlocked",
    ],
)
async def test_nothing_is_done_for_an_end_that_is_so_or_not_understood(
    waiting: Waiting, text: str
) -> None:
    await waiting.say(text)
    assert await planned(waiting.hass) == []
    await waiting.become("unlocked", SETTLED)
    assert waiting.is_on


WITHOUT_A_MARK = [
    ("en", "when the front door is unlocked, and not before, turn off the desk lamp"),
    ("de", "sobald die Haustür aufgeschlossen wird die Desk Lamp ausmachen"),
    ("de", "sobald die Haustür aufgeschlossen wird soll die Desk Lamp ausgehen"),
    ("es", "cuando alguien abra Front Door y no antes apaga Desk Lamp"),
    ("fr", "quand quelqu'un ouvre Front Door et pas avant éteins Desk Lamp"),
    ("it", "quando qualcuno apre Front Door e non prima spegni Desk Lamp"),
    ("nl", "zodra iemand Front Door opendoet, maar niet eerder, doe Desk Lamp uit"),
    ("pl", "gdy ktoś otworzy Front Door, ale nie wcześniej, wyłącz Desk Lamp"),
    ("pt", "assim que alguém abra Front Door apaga Desk Lamp"),
    ("sv", "när någon öppnar Front Door men inte innan släck Desk Lamp"),
]


@in_one_house(("language", "text"), WITHOUT_A_MARK)
async def test_a_command_follows_what_is_waited_for_without_a_mark(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    house = Waiting(hass, freezer, await speak())
    said = await house.who.say(text, language=language)
    assert said.changes == {}, said.reply
    assert len(await planned(hass)) == 1, said.reply
    await house.become("unlocked", SETTLED)
    assert not house.is_on


REMINDED = [
    ("en", "remind me when the front door is unlocked to call dad", "call dad"),
    ("de", "erinnere mich wenn die Haustür aufgeschlossen wird an den Müll", "Müll"),
    ("es", "recuérdame cuando alguien abra Front Door de llamar a papá", "llamar a papá"),
    ("fr", "rappelle-moi quand quelqu'un ouvre Front Door d'appeler papa", "appeler papa"),
    ("it", "ricordami quando qualcuno apre Front Door di chiamare papà", "chiamare papà"),
    ("nl", "herinner me als iemand Front Door opendoet aan de vuilnis", "vuilnis"),
    ("pl", "przypomnij mi gdy ktoś otworzy Front Door o śmieciach", "śmieciach"),
    ("pt", "lembra-me quando alguém abrir Front Door de ligar ao pai", "ligar ao pai"),
    ("sv", "påminn mig när någon öppnar Front Door om soporna", "soporna"),
    ("en", "and can you remind me when the front door is unlocked to call dad", "call dad"),
    ("de", "kannst du mich wenn die Haustür aufgeht daran erinnern zu lüften", "zu lüften"),
    ("es", "me puedes recordar cuando alguien abra Front Door que llame a papá", "llame a papá"),
    ("fr", "tu peux me rappeler quand quelqu'un ouvre Front Door d'appeler papa", "appeler papa"),
    ("it", "e quando qualcuno apre Front Door ricordami di chiamare papà", "chiamare papà"),
    ("nl", "kun je me als iemand Front Door opendoet eraan herinneren papa te bellen", "papa"),
    (
        "pl",
        "przypomnij mi gdy ktoś otworzy Front Door żebym zadzwonił do taty",
        "zadzwonił do taty",
    ),
    ("pt", "podes lembrar-me quando alguém abrir Front Door de ligar ao pai", "ligar ao pai"),
    ("sv", "och när någon öppnar Front Door så påminn mig om soporna", "soporna"),
]


@in_one_house(("language", "text", "message"), REMINDED)
async def test_what_to_be_reminded_of_stands_behind_what_is_waited_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str, message: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert said.changes == {}
    assert message in said.reply
    assert len(await planned(hass)) == 1, said.reply

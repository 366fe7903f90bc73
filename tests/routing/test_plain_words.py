"""Words that plainly name lights, music or heating decide, whatever a model's numbers look like."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_services import choosing, route


@in_one_house(
    ("language", "text", "agent"),
    [
        # After a name, in a request that is no question, of a room that is not there.
        ("en", "jeeves please switch the lights off in the sauna", "light-agent"),
        ("en", "hey jeeves the heating down in the sauna please", "climate-agent"),
        ("en", "could you kindly stop the music in the sauna", "music-agent"),
        ("de", "jeeves bitte schalte die lampen in der sauna aus", "light-agent"),
        ("de", "jeeves bitte mach die heizung in der sauna aus", "climate-agent"),
        ("es", "jeeves por favor apaga las luces de la sauna", "light-agent"),
        ("es", "jeeves por favor apaga la calefacción de la sauna", "climate-agent"),
        ("fr", "jeeves s'il te plaît éteins les lampes du sauna", "light-agent"),
        ("fr", "jeeves s'il te plaît éteins le chauffage du sauna", "climate-agent"),
        ("it", "jeeves per favore spegni le luci della sauna", "light-agent"),
        ("it", "jeeves per favore spegni il riscaldamento della sauna", "climate-agent"),
        ("nl", "jeeves alsjeblieft zet de lampen in de sauna uit", "light-agent"),
        ("nl", "jeeves alsjeblieft zet de verwarming in de sauna uit", "climate-agent"),
        ("pl", "jeeves proszę wyłącz światła w saunie", "light-agent"),
        ("pl", "jeeves proszę wyłącz ogrzewanie w saunie", "climate-agent"),
        ("pt", "jeeves por favor apaga as luzes da sauna", "light-agent"),
        ("pt", "jeeves por favor desliga o aquecimento da sauna", "climate-agent"),
        ("sv", "jeeves snälla släck lamporna i bastun", "light-agent"),
        ("sv", "jeeves snälla stäng av värmen i bastun", "climate-agent"),
    ],
)
async def test_plain_words_need_no_model(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, agent: str
) -> None:
    """A model that is sure of somebody else is not asked, and nobody is asked back."""
    speaker = await speak(choosing("general"))
    found = await route(hass, text, language=language)
    assert (found["agentId"], found["confidence"]) == (agent, 1.0)
    assert speaker.model
    assert not speaker.model.requests
    assert not (await speaker.say(text, language=language)).changes, "the sauna is not there"


@in_one_house(
    ("text",),
    [
        ("jeeves my lamps are off in the sauna",),
        ("I turned the lamps off in the sauna",),
        ("whether jeeves has lamps in the sauna",),
    ],
)
async def test_what_is_only_told_is_left_to_the_model(
    hass: HomeAssistant, speak: Setup, *, text: str
) -> None:
    await speak(choosing("general"))
    assert (await route(hass, text))["source"] != "vocabulary"

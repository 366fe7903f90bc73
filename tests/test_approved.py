"""A yes in own words is a yes, and one that restricts, refuses or wants something else is none."""

from homeassistant.core import Context, HomeAssistant
import pytest

from custom_components.bellboard.nlu import loader
from custom_components.bellboard.nlu.spellings import spell_out
from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_confirm import Rule, of_domain
from tests.test_delayed import person, planned

DAILY = {
    "en": "turn on the floor lamp every day at six",
    "de": "Schalte jeden Tag um sechs Floor Lamp ein",
    "es": "Enciende Floor Lamp todos los días a las seis",
    "fr": "Allume Floor Lamp tous les jours à six heures",
    "it": "Accendi Floor Lamp ogni giorno alle sei",
    "nl": "Zet elke dag om zes uur Floor Lamp aan",
    "pl": "Codziennie o szóstej włącz Floor Lamp",
    "pt": "Acende Floor Lamp todos os dias às seis",
    "sv": "Tänd Floor Lamp varje dag klockan sex",
}
APPROVED = {
    "en": ("yeah, just like that please", "That looks great, set it up", "yes, keep it that way"),
    "de": ("Super, genau das wollte ich", "Klingt gut, mach das so", "ja, lass es so"),
    "es": ("claro, así lo quiero", "Me parece muy bien, puedes crearla", "sí, que se quede así"),
    "fr": (
        "d'accord, fais comme ça",
        "oui, c'est exactement ce que je voulais",
        "oui, laisse comme ça",
    ),
    "it": ("esatto, così lo volevo", "Ottimo, fai pure", "sì, lasciala così"),
    "nl": ("Perfect, precies zoals ik bedoelde", "goed, doe het maar zo", "ja, laat het zo"),
    "pl": ("jasne, właśnie tak chciałem", "Świetnie, możesz to ustawić", "tak, zostaw to tak"),
    "pt": ("Perfeito, é isso que eu queria", "ótimo, podes criar", "sim, fica assim"),
    "sv": ("Exakt, det är så jag vill ha det", "Det låter bra, gör så", "ja, låt det vara så"),
}
NO_YES = {
    "en": (
        "yes but not at weekends",
        "okay, leave it so",
        "no, that's fine",
        "yes, only then",
    ),
    "de": (
        "ja, aber lieber nicht",
        "okay, lass es so",
        "nein, passt schon",
        "ja, nur dann",
    ),
    "es": (
        "sí, pero mejor no",
        "vale, déjalo así",
        "no, está bien así",
        "sí, pero solo en invierno",
    ),
    "fr": (
        "oui mais finalement non",
        "bon, laisse comme ça",
        "non, c'est bien comme ça",
        "parfait, mais pas ça",
    ),
    "it": ("sì, però no", "va bene, lascia così", "no, va bene così", "bene, ma non quello"),
    "nl": (
        "ja, maar toch niet",
        "goed, laat het zo",
        "nee, het is goed zo",
        "prima, maar dat niet",
    ),
    "pl": ("tak, ale jednak nie", "dobra, zostaw tak", "nie, tak jest dobrze", "super, ale nie to"),
    "pt": (
        "sim, mas afinal não",
        "está bem, deixa assim",
        "não, está bem assim",
        "ótimo, mas isso não",
    ),
    "sv": (
        "ja, men helst inte",
        "okej, låt det vara så",
        "nej, det är bra så",
        "bra, men inte det",
    ),
}


@pytest.fixture
async def admin(hass: HomeAssistant) -> Context:
    """Return the context of an administrator."""
    return Context(user_id=(await person(hass, admin=True)).id)


@in_one_house(
    ("language", "answer"),
    [(language, answer) for language, answers in APPROVED.items() for answer in answers],
)
async def test_who_approves_has_said_yes(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    *,
    language: str,
    answer: str,
) -> None:
    speaker = await speak()
    await speaker.say(DAILY[language], language=language, context=admin)
    assert not await planned(hass)
    await speaker.say(answer, language=language, context=admin)
    [command] = await planned(hass)
    await hass.services.async_call(
        "bellboard", "cancel_delayed", {"id": command["id"]}, blocking=True
    )


@in_one_house(
    ("language", "answer"),
    [(language, answer) for language, answers in NO_YES.items() for answer in answers],
)
async def test_what_says_more_than_yes_is_none(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    admin: Context,
    *,
    language: str,
    answer: str,
) -> None:
    speaker = await speak()
    await speaker.say(DAILY[language], language=language, context=admin)
    await speaker.say(answer, language=language, context=admin)
    assert not await planned(hass)


@in_one_house(
    ("answer", "is_done"),
    [
        ("yes", True),
        ("yes, exactly as I said, go ahead", True),
        ("perfect, exactly as I said", False),
        ("sounds great", False),
        ("yes, leave it like that", False),
    ],
)
async def test_what_guards_the_house_wants_the_word_itself(
    hass: HomeAssistant, speak: Setup, answer: str, *, is_done: bool
) -> None:
    speaker = await speak()
    hass.data[DATA_POLICY] = Rule(PolicyEffect.CONFIRM, of_domain("lock"))
    await speaker.say("unlock the front door")
    said = await speaker.say(answer)
    assert ("lock.front_door" in said.changes) == is_done


@pytest.mark.parametrize("language", loader.available_languages())
def test_what_refuses_or_asks_approves_of_nothing(language: str) -> None:
    data, approval = loader.load_data(language)["answers"], loader._load(language).answers.approval
    for yes in (each for text in data["approval"]["affirm"] for each in spell_out(text, {})):
        assert approval.is_yes(yes, needs_yes=True)
        assert not approval.is_yes(f"{yes}?")
        for no in [*data["refuse"], *data["cancel"], *data["stop"]]:
            said = f"{yes} {no}"
            assert not approval.is_yes(said), said

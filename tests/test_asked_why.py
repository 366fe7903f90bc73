"""Why something in the home is so is told by the model that sees the home, whoever it was given to."""

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

CAUSE = "The window is open."
WHY = [
    ("en", "why does the bedroom stay so cold although the heating runs"),
    ("en", "why won't it get warm in here"),
    ("en", "how come it is so bright in the office"),
    ("de", "warum wird es hier drin nie warm"),
    ("de", "wieso ist es im Bedroom so kalt"),
    ("es", "¿por qué hace tanto frío en Bedroom?"),
    ("es", "¿por qué no se calienta la calefacción de Bedroom?"),
    ("fr", "pourquoi fait-il si froid dans Bedroom ?"),
    ("fr", "pourquoi le chauffage de Bedroom ne chauffe pas"),
    ("it", "perché fa così freddo in Bedroom?"),
    ("nl", "waarom is het zo koud in Bedroom?"),
    ("pl", "dlaczego w Bedroom jest tak zimno?"),
    ("pt", "porque é que está tão frio no Bedroom?"),
    ("sv", "varför är det så kallt i Bedroom?"),
]
# Of no home, or not of how it is.
TALK = [
    ("en", "who played in The Office"),
    ("en", "why do cats purr"),
    ("en", "how do I get red wine out of a sofa"),
    ("en", "tell me a joke about the kitchen lights"),
    ("de", "warum ist der Himmel blau"),
    ("de", "wie putze ich einen Backofen"),
    ("es", "¿por qué es azul el cielo?"),
    ("fr", "pourquoi le ciel est-il bleu ?"),
    ("it", "perché il cielo è blu?"),
    ("nl", "waarom is de lucht blauw?"),
    ("pl", "dlaczego niebo jest niebieskie?"),
    ("pt", "porque é que o céu é azul?"),
    ("sv", "varför är himlen blå?"),
]


@in_one_house(("language", "text"), WHY)
async def test_who_sees_the_home_tells_the_cause(speak: Setup, language: str, text: str) -> None:
    model = brain(("general", text), told=CAUSE, talk="That is a long story.")
    speaker = await speak(model, contract="capable")
    said = await speaker.say(text, language=language, area="Bedroom")
    assert (said.reply, said.calls) == (CAUSE, [])


@in_one_house(("language", "text"), TALK)
async def test_what_is_of_no_home_is_talked_of(speak: Setup, language: str, text: str) -> None:
    model = brain(("general", text), told=CAUSE, talk="That is a long story.")
    speaker = await speak(model, contract="capable")
    said = await speaker.say(text, language=language, area="Bedroom")
    assert (said.reply, said.calls) == ("That is a long story.", [])

"""What a model writes beside its words is never spoken, and what it says of a home it cannot see is refused."""

import json

import pytest

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.servers import Fault

READINGS = [
    ("en", "is it nice in the attic", "The attic is at 24 degrees."),
    ("en", "is it nice in the conservatory", "It is twenty degrees in the conservatory."),
    ("en", "how is the pantry doing", "The humidity in the pantry is 60%."),
    ("en", "what do you think of the sauna", "Well, the sauna is off. Enjoy!"),
    ("de", "wie gefällt dir der Dachboden", "Auf dem Dachboden sind es 24 Grad."),
    ("de", "was meinst du zum Wintergarten", "Der Wintergarten ist offen."),
    ("de", "erzähl mir was vom Keller", "Im Keller sind es 12 Grad."),
    ("es", "qué me cuentas del desván", "El desván está a 24 grados."),
    ("es", "qué me cuentas de la despensa", "La humedad en la despensa es del 60%."),
    ("fr", "que penses-tu du grenier", "Il fait 24 degrés dans le grenier."),
    ("fr", "que penses-tu de la véranda", "La véranda est ouverte."),
    ("it", "che ne pensi della soffitta", "La soffitta è a 24 gradi."),
    ("it", "che ne pensi della veranda", "Nella veranda ci sono 24 gradi, è bello."),
    ("nl", "wat vind je van de zolder", "De zolder is 24 graden."),
    ("nl", "wat vind je van de serre", "In de serre is het 60 procent."),
    ("pl", "co sądzisz o strychu", "Na strychu jest 24 stopni."),
    ("pl", "co sądzisz o szklarni", "Szklarnia jest otwarta."),
    ("pt", "o que achas do sótão", "O sótão está a 24 graus."),
    ("pt", "o que achas da marquise", "A humidade na marquise é de 60%."),
]
FACTS = [
    ("en", "Water boils at 100 degrees."),
    ("en", "A sauna is often at 90 degrees."),
    ("en", "Heat the oven to 180 degrees for an hour."),
    ("en", "Paris is a lovely city."),
    ("de", "Wasser kocht bei 100 Grad."),
    ("de", "Eine Sauna hat oft 90 Grad."),
    ("es", "El agua hierve a 100 grados."),
    ("fr", "L'eau bout à 100 degrés."),
    ("it", "L'acqua bolle a 100 gradi."),
    ("nl", "Water kookt bij 100 graden."),
    ("pl", "Woda wrze w temperaturze 100 stopni."),
    ("pt", "A água ferve a 100 graus."),
]


@in_one_house(
    ("contract", "language", "text", "talk"),
    [(contract, *row) for contract in ("capable", "small") for row in READINGS],
)
async def test_a_reading_that_no_state_bears_out_is_refused(
    speak: Setup, contract: str, language: str, text: str, talk: str
) -> None:
    speaker = await speak(brain(("general", text), talk=talk), contract=contract)
    said = await speaker.say(text, language=language)
    assert talk not in said.reply
    assert "24" not in said.reply
    assert said.reply
    assert not said.calls


@in_one_house(("language", "talk"), FACTS)
async def test_what_holds_anywhere_is_said(speak: Setup, language: str, talk: str) -> None:
    speaker = await speak(brain(("general", "x"), talk=talk), contract="capable")
    assert (await speaker.say("why oh why qwerty", language=language)).reply == talk


@in_one_house(
    ("talk", "words"),
    [
        ("Okay so the user asks who it was. </think> Goethe wrote Faust.", "Goethe wrote Faust."),
        ("<think>Hm.</think>Goethe wrote Faust.", "Goethe wrote Faust."),
        ("[THINK]Hm.[/THINK]Goethe wrote Faust.", "Goethe wrote Faust."),
        ("Goethe wrote **Faust** \U0001f3ad.", "Goethe wrote Faust."),
        ("Faust has:\n- Part 1\n- Part 2", "Faust has: Part 1, Part 2"),
        ('Goethe. {"name": "HassTurnOn", "arguments": {"name": "Lamp"}}', "Goethe."),
        ('Goethe.\n```json\n{"name": "HassTurnOn"}\n```', "Goethe."),
    ],
)
async def test_only_the_answer_of_a_model_is_spoken(speak: Setup, talk: str, words: str) -> None:
    speaker = await speak(brain(("general", "who wrote Faust"), talk=talk), contract="capable")
    assert (await speaker.say("who wrote Faust?")).reply == words


CALL = '{"name": "HassTurnOn", "arguments": {"name": "Floor Lamp"}}'


@in_one_house(
    ("talk", "contract"),
    [
        (call, contract)
        for call in (CALL, f"<tool_call>{CALL}</tool_call>", f"```json\n{CALL}\n```")
        for contract in ("capable", "small")
    ],
)
async def test_a_call_that_is_written_down_is_neither_spoken_nor_made(
    speak: Setup, talk: str, contract: str
) -> None:
    speaker = await speak(brain(("general", "who wrote Faust"), talk=talk), contract=contract)
    said = await speaker.say("who wrote Faust?")
    assert "HassTurnOn" not in said.reply
    assert said.reply
    assert not said.calls


@pytest.mark.parametrize("wrapping", ["Sure! {} Anything else?", "Here:\n```json\n{}\n```\nBye."])
async def test_a_plan_among_other_words_is_read_at_once(speak: Setup, wrapping: str) -> None:
    step = {"action": "turn_on", "targets": ["Floor Lamp"]}
    plain = brain(("light", "the floor lamp, dreamy"), steps=[step])

    def wrapped(messages: object, schema: object) -> str:
        return wrapping.replace("{}", json.dumps(plain(messages, schema)))  # type: ignore[arg-type]

    speaker = await speak(wrapped, contract="capable")
    said = await speaker.say("the floor lamp could be dreamy")
    assert said.reply == "Turned on Floor Lamp."
    assert speaker.model
    assert len(speaker.model.requests) == 2


@in_one_house(
    ("fault", "language", "reply"),
    [
        ("quota", "en", "The quota for the language model is used up."),
        ("quota", "de", "Das Kontingent für das Sprachmodell ist aufgebraucht."),
        ("quota", "es", "La cuota del modelo de lenguaje se ha agotado."),
        ("quota", "fr", "Le quota du modèle de langage est épuisé."),
        ("quota", "it", "La quota del modello linguistico è esaurita."),
        ("quota", "nl", "Het tegoed voor het taalmodel is op."),
        ("quota", "pl", "Limit modelu językowego jest wyczerpany."),
        ("quota", "pt", "A quota do modelo de linguagem esgotou-se."),
        ("overflow", "en", "That was too long for the language model."),
        ("overflow", "de", "Das war zu lang für das Sprachmodell."),
        ("overflow", "es", "Eso era demasiado largo para el modelo de lenguaje."),
        ("overflow", "fr", "C'était trop long pour le modèle de langage."),
        ("overflow", "it", "Era troppo lungo per il modello linguistico."),
        ("overflow", "nl", "Dat was te lang voor het taalmodel."),
        ("overflow", "pl", "To było za długie dla modelu językowego."),
        ("overflow", "pt", "Isso era demasiado longo para o modelo de linguagem."),
    ],
)
async def test_why_a_model_refused_is_said(
    speak: Setup, fault: str, language: str, reply: str
) -> None:
    speaker = await speak(brain(("general", "x")), contract="capable")
    assert speaker.model
    speaker.model.fault = Fault(fault)  # type: ignore[arg-type]
    assert (await speaker.say("why oh why qwerty", language=language)).reply == reply

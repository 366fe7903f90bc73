"""Sentences that undo are heard in every language, and no others are taken for them."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.nlu.loader import async_get_language, available_languages

HEARD = {
    "sv": (
        "ångra", "ångra det", "nej, ångra det snälla", "ställ tillbaka det", "gör det ogjort", "ta tillbaka det",
        "gör som det var innan", "ställ det som det var förut", "tillbaka till hur det var",
        "ångra den senaste ändringen", "återställ allt",
    ),
    "pt": (
        "desfaz isso",
        "desfazer",
        "não, desfaz isso por favor",
        "deixa como estava",
        "volta atrás",
        "põe-no como estava antes",
        "volta a pôr como estava",
        "anula a última mudança",
        "deixa tudo como estava",
        "reverte isso",
        "desfaça o que você fez",
    ),
    "it": (
        "annulla", "annulla tutto", "annullalo", "no, annulla per favore", "rimettila com'era prima",
        "rimetti tutto come prima", "torna indietro", "annulla l'ultima modifica", "come prima",
        "annulla quello che hai fatto",
    ),
    "de": (
        "Mach das rückgängig.", "rückgängig machen", "mach es bitte wieder rückgängig", "undo",
        "stell es wieder so ein wie vorher", "mach alles wieder so, wie es war", "wieder wie vorher",
        "nein, stell das zurück", "nimm das zurück", "kannst du das rückgängig machen?",
        "mach die letzte Änderung rückgängig", "doch nicht, stell es zurück",
    ),
    "en": (
        "undo", "Undo that!", "undo it", "undo everything", "put it back", "put it back the way it was",
        "change it back", "revert that", "take that back", "never mind, put it back", "roll it back",
        "can you undo that please", "no, put it back how it was", "turn it back the way it was",
        "undo the last change", "undo what you just did", "set everything back to how it was before",
        "make it like it was before", "could you put it back to its previous state?", "restore it",
    ),
    "es": (
        "deshaz eso", "deshazlo", "no, deshazlo por favor", "déjalo como estaba", "vuelve atrás",
        "ponlo como estaba antes", "vuelve a ponerlo como estaba", "anula el último cambio",
        "deja todo como estaba", "revierte eso",
    ),
    "fr": (
        "annule ça", "annule", "non, annule la dernière action", "défais ça", "comme avant",
        "remets-le comme avant", "remets tout comme c'était", "reviens en arrière",
        "s'il te plaît, annule ce que tu viens de faire", "rétablis l'état précédent",
    ),
    "nl": (
        "maak dat ongedaan", "ongedaan maken", "zet het terug", "zet het weer terug zoals het was",
        "nee, draai dat terug", "kun je dat ongedaan maken", "maak de laatste wijziging ongedaan",
        "laat maar, zet het terug", "zoals eerst",
    ),
    "pl": (
        "cofnij", "cofnij to!", "cofnij wszystko", "możesz to cofnąć?", "cofnij ostatnią zmianę",
        "przywróć poprzedni stan", "ustaw to z powrotem", "nie, cofnij to", "zrób tak jak było",
        "przywróć jak było wcześniej", "rozmyśliłem się, cofnij", "cofnij to co zrobiłeś",
    ),
}  # fmt: skip

NOT_HEARD = {
    "sv": ("tänd den igen", "ställ den på 20 grader", "låt det vara", "glöm det", "sätt på den", "igen"),
    "pt": (
        "acende-a outra vez",
        "põe-no a 20 graus",
        "deixa assim",
        "esquece",
        "põe-no",
        "outra vez",
    ),
    "it": (
        "riaccendila", "rispegnila", "rimettila al 50 percento", "rimettila a 20 gradi", "lascia stare",
        "ancora", "alzala", "di nuovo più luminosa", "spegnila", "rifallo",
    ),
    "de": (
        "mach es wieder an", "mach es wieder aus", "stell es zurück auf 20 Grad", "vergiss es",
        "nochmal", "dreh es auf", "mach es wieder heller", "wie war das", "stell die Lampe zurück",
        "mach das",
    ),
    "en": (
        "put it back on", "turn it back on", "turn it back off", "put it back up", "never mind",
        "put it back to 50 percent", "set it back to 20 degrees", "turn it off", "do it again",
        "put the lamp back on", "play the last song again", "back up", "turn that down", "it",
        "leave it as it is", "change it", "put it on", "undo the shopping list", "", "what was it",
        "undo that " + 9 * "please please ",
    ),
    "es": ("enciéndelo otra vez", "ponlo a 20 grados", "déjalo así", "olvídalo", "ponlo", "otra vez"),
    "fr": ("remets-le", "remets ça", "remets le son", "remets-le en marche", "refais ça", "encore"),
    "nl": ("zet het weer aan", "zet het terug aan", "doe het terug uit", "laat maar", "nog een keer"),
    "pl": (
        "włącz to z powrotem", "wyłącz je znowu", "zostaw to", "jeszcze raz", "ustaw to na 20 stopni",
        "nieważne", "zrób to", "cofnij do poprzedniego utworu", "co to było",
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", available_languages())
async def test_what_asks_to_undo_is_heard(hass: HomeAssistant, code: str) -> None:
    language = await async_get_language(hass, code)
    assert not [text for text in HEARD[code] if language.undo.kind_of(text) != "undo"]
    assert not [text for text in NOT_HEARD[code] if language.undo.kind_of(text) == "undo"]


@pytest.mark.parametrize("code", available_languages())
async def test_no_sentence_that_refers_to_something_undoes(hass: HomeAssistant, code: str) -> None:
    language = await async_get_language(hass, code)
    phrases = map(" ".join, language.references.kinds)
    assert not [text for text in phrases if language.undo.kind_of(text)]

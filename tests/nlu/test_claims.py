"""Claims to have done something are found in a model's text, and no others are taken for one."""

import pytest

from custom_components.bellboard.nlu.loader import _load, available_languages

CLAIMED = {
    "en": ["I have turned it on.", "Done!", "We've closed the blinds, not the curtains."],
    "de": ["Ich habe das Licht eingeschaltet.", "Erledigt!"],
    "es": ["He encendido la luz.", "¡Hecho!"],
    "fr": ["J'ai allumé la lumière.", "C'est fait."],
    "it": ["Ho acceso la luce.", "Fatto!"],
    "nl": ["Ik heb het licht aangezet.", "Geregeld!"],
    "pl": ["Włączyłem światło.", "Gotowe!"],
    "pt": ["Liguei a luz.", "Feito!"],
    "sv": ["Jag har tänt lampan.", "Klart!"],
}
DENIED = {
    "en": ["I have not started it.", "I haven't turned it on.", "I did not, of course."],
    "de": ["Ich habe es nicht eingeschaltet.", "Ich habe nichts getan."],
    "es": ["No he encendido nada."],
    "fr": ["Je n'ai pas allumé la lumière.", "J'ai hélas rien fait."],
    "it": ["Non ho acceso la luce."],
    "nl": ["Ik heb het licht niet aangezet."],
    "pl": ["Nie włączyłem światła."],
    "pt": ["Não liguei a luz."],
    "sv": ["Jag har inte tänt lampan."],
}


def test_every_language_has_sentences_here() -> None:
    assert CLAIMED.keys() == DENIED.keys() == set(available_languages())


@pytest.mark.parametrize("code", CLAIMED)
def test_a_claim_is_found(code: str) -> None:
    assert [text for text in CLAIMED[code] if not _load(code).claims.are_in(text)] == []


@pytest.mark.parametrize("code", DENIED)
def test_what_is_denied_is_no_claim(code: str) -> None:
    assert [text for text in DENIED[code] if _load(code).claims.are_in(text)] == []

"""The templates that the index leaves out are those that hassil would not have matched."""

from functools import cache
from itertools import product
from random import Random
import re
import sys
from typing import Any

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.recognize import RecognizeResult, recognize_best
from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.nlu.template_index import (
    HouseTemplateIndex,
    TemplateIndex,
    fold,
    restore_origin,
    split_words,
)
from tests.thorough import number

from .template_sentences import NAMES, WILD, Templates, templates_of

LANGUAGES = available_languages()
EVERY = number(10, 5)
"""One of so many templates is tried, each language beginning with another."""


@cache
def index_of(language: str) -> HouseTemplateIndex:
    """Return the index of a language."""
    templates = templates_of(language)
    return TemplateIndex(templates.intents, templates.slot_lists).for_house(templates.slot_lists)


def recognize(
    text: str, intents: Intents, slot_lists: dict[str, SlotList], context: Any = None
) -> RecognizeResult | None:
    """Recognise a text as Home Assistant's agent does strictly."""
    return recognize_best(
        text,
        intents,
        slot_lists=slot_lists,
        intent_context=context,
        language=intents.language,
        best_metadata_key="hass_custom_sentence",
        best_slot_name="name",
    )


def recognize_both(
    text: str, templates: Templates, index: HouseTemplateIndex, context: Any = None
) -> tuple[RecognizeResult | None, RecognizeResult | None]:
    """Return what all templates come to, and what those of the index do."""
    full = recognize(text, templates.intents, templates.slot_lists, context)
    candidates = index.candidates(text)
    found = recognize(text, index.intents_with(candidates), templates.slot_lists, context)
    if found is not None:
        restore_origin(found, candidates)
        assert full is None or found.intent_data is full.intent_data
    return full, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_of_a_language_are_recognised_the_same(language: str) -> None:
    templates, index = templates_of(language), index_of(language)
    random = Random(language)  # noqa: S311 - the same sentences at every run
    sentences = [
        sentence
        for intent in templates.intents.intents.values()
        for data in intent.data
        for sentence in data.sentences
    ]
    recognised = 0
    for sentence in sentences[random.randrange(EVERY) :: EVERY]:
        text = templates.change(random, templates.make(random, sentence.expression))
        context = random.choice((None, {"area": {"value": "Kitchen", "text": "Kitchen"}}))
        full, found = recognize_both(text, templates, index, context)
        assert found == full, text
        recognised += full is not None
    assert recognised > len(sentences) / EVERY / 3


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=number(40, 100))
@given(data=st.data())
def test_known_words_in_any_order_are_recognised_the_same(language: str, data: Any) -> None:
    templates, index = templates_of(language), index_of(language)
    words = known_words(language)
    said = data.draw(st.lists(st.sampled_from(words), min_size=1, max_size=8))
    text = data.draw(
        st.sampled_from((" ", " ", " ", "-", ", ", "")).map(lambda sep: sep.join(said))
    )
    full, found = recognize_both(text, templates, index)
    assert found == full


@cache
def known_words(language: str) -> list[str]:
    """Return words of a language's templates and of a house, the frequent ones often."""
    templates, random = templates_of(language), Random(language)  # noqa: S311 - see above
    names = [name for values in NAMES.values() for name in values]
    texts = (
        templates.make(random, sentence.expression)
        for intent in templates.intents.intents.values()
        for data in intent.data[:4]
        for sentence in data.sentences[:2]
    )
    return [*names, *WILD, *(word for text in texts for word in text.split())]


OWN = """
turn [the] {name} on
[please] louder
(ein|aus)schalten {name}
{anything} über alles
spiel {anything}
(licht|lampe)[n] <where>
stell {name} auf {number}[%| prozent]
a.c. an!
(eins;zwei;[drei])
{colour}{name} an
{colour} bitte
[{colour}]
kühl mit a.c.
licht u.v
{shade} {name} schimmert
kannst du schlafen bitte
<maybe> wecken
(;[bald];[jetzt]) wachen
{anything} sofort
"""


def _own_intents() -> Intents:
    """Return intents whose templates have the shapes that are easily overlooked."""
    return Intents.from_dict(
        {
            "language": "de",
            "skip_words": ["bitte", "kannst du", "du", "sofort gleich", "gleich jetzt"],
            "expansion_rules": {"where": "[im|in der] {area}", "maybe": "[jetzt] [bald]"},
            "lists": {
                "anything": {"wildcard": True},
                "number": {"range": {"from": 0, "to": 100}},
                "shade": {"values": ["[hell]", "dunkel"]},
                "colour": {"values": ["rot", "[hell] blau", "weiß-grau"]},
            },
            "intents": {
                "Mine": {"data": [{"sentences": OWN.strip().splitlines()}]},
                "Local": {
                    "data": [
                        {
                            "sentences": ["<mode> {colour} {name}"],
                            "expansion_rules": {"mode": "(sanft|grell)"},
                            "lists": {"colour": {"values": ["grün"]}},
                        },
                        {
                            "sentences": ["dimme {colour}"],
                            "lists": {"colour": {"values": ["lila"]}},
                        },
                    ]
                },
            },
        }
    )


OWN_NAMES = {"name": ("Lampe", "Große Lampe", "TV.", "a-b c"), "area": ("Bad",), "floor": ()}
OWN_LISTS: dict[str, SlotList] = {
    name: TextSlotList.from_strings(values, allow_template=False)
    for name, values in OWN_NAMES.items()
}
OWN_TEXT = """
turn the Lampe on bitte please louder ein aus schalten einschalten ausschalten Große GROSSE spiel über alles du kannst
rot blau hell hellblau rotlampe weiß-grau WEISS grau bad im in der licht lichtn lampen a.c. a.c an! an drei eins zwei
auf 20% 20 prozent stell zwanzig tv. TV sanft grell grün a-b c a_b kühl mit u.v. schimmert dunkel schlafen wecken
dimme lila sofort gleich jetzt ! . … - — ' foo
"""
OWN_WORDS = OWN_TEXT.split()


@given(
    st.lists(st.sampled_from(OWN_WORDS), min_size=1, max_size=7),
    st.sampled_from((" ", " ", "  ", "-", "_", "")),
)
def test_templates_of_any_shape_are_recognised_the_same(said: list[str], between: str) -> None:
    intents = _own_intents()
    templates = Templates(intents, OWN_LISTS)
    index = TemplateIndex(intents, OWN_LISTS).for_house(OWN_LISTS)
    full, found = recognize_both(between.join(said), templates, index)
    assert found == full


OVERLOOKED = (
    "rotLampe an", "ROTGROẞE LAMPE AN", "licht bad", "Lampen im Bad!", "bitte spiel bitte alles bitte", "zwei eins",
    "du kannst du bitte wir über alles", "zwei drei eins", "grell grün Lampe", "sanft grün a-b c", "hell blau bitte",
    "louder...", "stell Große-Lampe auf zwanzig prozent", "kühl mit a.c.", "licht u.v.", "Lampe schimmert",
    "kannst du schlafen bitte", "wecken", "jetzt wecken", "dimme lila", "komm sofort gleich jetzt", "einschalten Lampe",
)  # fmt: skip
"""Sentences that a template matches in a way that is easily overlooked."""


@pytest.mark.parametrize("text", OVERLOOKED)
def test_what_is_easily_overlooked_is_recognised(text: str) -> None:
    intents = _own_intents()
    index = TemplateIndex(intents, OWN_LISTS).for_house(OWN_LISTS)
    full, found = recognize_both(text, Templates(intents, OWN_LISTS), index)
    assert full is not None
    assert found == full


def test_letters_that_match_without_regard_to_case_are_the_same_word() -> None:
    wrong = []
    for letter in map(chr, range(sys.maxunicode + 1)):
        others = {letter.lower(), letter.upper(), letter.title(), letter.swapcase()} - {letter}
        wrong += [
            (letter, other)
            for other in others
            if len(other) == 1
            and re.fullmatch(re.escape(letter), other, re.IGNORECASE)
            and fold(letter) != fold(other)
        ]
    assert wrong == []
    for one, other in product("iI\u0130\u0131", repeat=2):
        assert not re.fullmatch(one, other, re.IGNORECASE) or fold(one) == fold(other)


def test_no_letter_becomes_two_words() -> None:
    letters = (chr(code) for code in range(sys.maxunicode + 1))
    assert not [letter for letter in letters if len(split_words(f"a{letter}b")) > 1
                and not letter.isspace() and letter not in "-_"]  # fmt: skip


def test_few_templates_are_left_of_many() -> None:
    assert len(index_of("en").candidates("turn on the kitchen ceiling")) < 20
    assert not index_of("en").candidates("I am the walrus of the kitchen ceiling")


def test_a_language_without_spaces_has_no_index() -> None:
    templates = templates_of("zh-CN")
    assert templates.intents.settings.ignore_whitespace
    with pytest.raises(ValueError, match="spaces"):
        TemplateIndex(templates.intents, templates.slot_lists)


def test_lists_of_a_house_that_are_not_known_are_refused() -> None:
    index = TemplateIndex(_own_intents(), OWN_LISTS)
    with pytest.raises(ValueError, match="not known"):
        index.for_house({"name": OWN_LISTS["name"]})

"""Sentences made at random from Home Assistant's sentence templates, and changed as people change them."""

from dataclasses import dataclass
from functools import cache
from random import Random

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    TextChunk,
)
from hassil.intents import Intents, RangeSlotList, SlotList, TextSlotList
from home_assistant_intents import get_intents
from homeassistant.components.conversation.default_agent import json_load

NAMES = {
    "name": {
        "Kitchen Ceiling": "light", "Reading Lamp": "light", "Coffee-Machine": "switch", "Türschloss": "lock",
        "Rolladen_Süd": "cover", "Termostato del baño": "climate", "İstanbul I\u015f\u0131\u011f\u0131": "light",
        "Radio": "media_player",
    },
    "area": {"Kitchen": "", "Living-Room": "", "Küche": "", "baño": "", "Salle d'eau": "", "Łazienka": ""},
    "floor": {"Upstairs": "", "Erdgeschoss": "", "1. Stock": ""},
}  # fmt: skip
"""Values of the lists that belong to a house: spaces, hyphens, capitals and letters of many languages."""

WILD = ("milk", "the blue danube", "pizza and wine", "zwei Äpfel", "algo más")


@dataclass(frozen=True)
class Templates:
    """Home Assistant's sentences of a language, with the names of a house."""

    intents: Intents
    slot_lists: dict[str, SlotList]

    def make(self, random: Random, expression: Expression) -> str:
        """Return a text that an expression may match."""
        if isinstance(expression, TextChunk):
            return expression.text
        if isinstance(expression, RuleReference):
            return self.make(random, self.intents.expansion_rules[expression.rule_name].expression)
        if isinstance(expression, ListReference):
            return self._value(random, expression.list_name)
        assert isinstance(expression, Group)
        items = list(expression.items)
        if isinstance(expression, Alternative):
            return self.make(random, random.choice(items)) if items else ""
        if isinstance(expression, Permutation):
            random.shuffle(items)
        return "".join(self.make(random, item) for item in items)

    def _value(self, random: Random, name: str) -> str:
        """Return a value of a list: a name, a number or any words."""
        values = self.slot_lists.get(name) or self.intents.slot_lists.get(name)
        if isinstance(values, TextSlotList):
            return self.make(random, random.choice(values.values).text_in)
        if isinstance(values, RangeSlotList):
            return str(random.choice(list(values.get_numbers())))
        return random.choice(WILD)

    def change(self, random: Random, text: str) -> str:
        """Return a text with courtesy, punctuation or capitals, or with words left out or exchanged."""
        words = text.split()
        changes = random.sample(range(7), random.choice((0, 0, 1, 1, 2)))
        skip = self.intents.skip_words or ["please"]
        if 0 in changes and words:
            words.insert(random.choice((0, len(words))), random.choice(skip))
        if 1 in changes and words:
            words.insert(random.randrange(len(words)), random.choice((*skip, *WILD)))
        if 2 in changes and len(words) > 1:
            del words[random.randrange(len(words))]
        if 3 in changes:
            random.shuffle(words)
        text = random.choice((" ", "-", "_")).join(words) if 4 in changes else " ".join(words)
        if 5 in changes:
            text = random.choice((text.upper(), text.title(), text.lower()))
        return text + random.choice(("?", "!", ".", "...", " ?!", "—")) if 6 in changes else text


@cache
def templates_of(language: str) -> Templates:
    """Return Home Assistant's sentences of a language."""
    intents = get_intents(language, json_load=json_load)
    assert intents
    return Templates(
        Intents.from_dict(intents),
        {
            name: TextSlotList.from_tuples(
                ((text, text, {"domain": domain}) for text, domain in values.items()),
                allow_template=False,
            )
            for name, values in NAMES.items()
        },
    )

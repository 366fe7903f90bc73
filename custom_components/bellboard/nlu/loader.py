"""Loads the words of a language: what Bellboard listens for and what it says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
import re
from typing import Any

from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.util import language as language_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.yaml import load_yaml_dict
from unicode_rbnf import RbnfEngine

from ..const import DOMAIN
from ..home.names import NameIndex, Words, words_of
from .answers import AnswerWords, read_answer_words
from .commands import PlainCommands, load_commands, load_phrases
from .conditions import ConditionSentences, load_conditions
from .modes import CAPITALISED, async_load_modes
from .phrases import PhraseWords, Role
from .references import ReferenceSentences
from .templates import Templates

_FOLDER = Path(__file__).parent
DEFAULT_LANGUAGE = "en"

_DATA_LANGUAGES: HassKey[dict[str, Language]] = HassKey(f"{DOMAIN}_languages")


class Household(StrEnum):
    """What words say of a household: its things, what it uses, that it is this one and now, or none at all."""

    THINGS = "things"
    USES = "uses"
    OURS = "ours"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language.

    `joins` splits a sentence where one request may end and the next begin. `verbs` and `questions`
    are the words requests and questions begin with, `suggestions` phrases that begin like a
    question and are none ("how about"), `ignored` words that name nothing, `everywhere` words for
    the whole home, `quantities` for all of some things, `vocabulary` by agent id the words that speak
    of its things, `up` and `down` words for more and less, `humidity` words for it, `household` what a
    home has and uses beyond, `set_to` words that ask what something is set to, `states` what a device
    may be; all are case-folded. `guards` finds what must not be carried out now, by the reason,
    `claims` what says that something was done or will be, `keeps` what is to stay as it is, `steps`
    what says that one part of a request depends on what came of another.
    `numbers` finds numbers in words, `amounts` words for a percentage; `colors` maps a colour's
    words to the name Home Assistant knows it by, `color_names` such a name to what is said.
    `commands` and `phrases` read commands to things that are named by a part of their names.
    `answers` are the words a question is answered with. `references` recognises sentences that
    refer to what was said before, `undo` those that ask to put back what was changed, `help` those
    that ask what can be said, `delayed` those that ask for ("ask") or cancel ("cancel") what was given
    for later, `conditions` those with a condition. `units` are the words for hours, minutes and
    seconds: for one, for a few where the language has a form for these, and for many. `statements`
    are words that a sentence begins with which only tells something. `plain_words` are those of all
    these lists that are no names.
    """

    code: str
    joins: re.Pattern[str]
    verbs: frozenset[str]
    ignored: frozenset[str]
    everywhere: frozenset[str]
    quantities: frozenset[str]
    vocabulary: Mapping[str, frozenset[str]]
    humidity: frozenset[str]
    set_to: frozenset[str]
    household: NameIndex[Household]
    states: frozenset[str]
    questions: frozenset[str]
    suggestions: frozenset[Words]
    guards: Mapping[str, re.Pattern[str]]
    claims: re.Pattern[str]
    keeps: re.Pattern[str]
    statements: frozenset[str]
    steps: re.Pattern[str]
    directions: NameIndex[int]
    numbers: NameIndex[float]
    amounts: NameIndex[float]
    colors: NameIndex[str]
    color_names: Mapping[str, str]
    commands: PlainCommands
    phrases: PhraseWords
    answers: AnswerWords
    references: ReferenceSentences
    undo: Templates
    delayed: Templates
    help: Templates
    units: Mapping[str, Sequence[str]]
    conditions: ConditionSentences
    comma: str
    replies: Mapping[str, str]
    plain_words: frozenset[str]

    def say(self, key: str, **values: object) -> str:
        """Return a reply with its values filled in.

        Raises:
            KeyError: the language has no such reply, or a value is missing.
        """
        return self.replies[key].format_map(values)

    def has(self, key: str) -> bool:
        """Return whether there is a reply for a key."""
        return key in self.replies

    def join(self, parts: Iterable[str], word: str = "and") -> str:
        """Return the parts as a list in words: "a, b and c"; `word` is `and` or `or`."""
        found = list(parts)
        if len(found) < 2:
            return "".join(found)
        last = self.say(f"join.{word}", first=", ".join(found[:-1]), last=found[-1])
        return str(last)

    def is_question(self, text: str) -> bool:
        """Return whether a text begins like a question, whether or not it ends with its mark."""
        words = words_of(text)
        if any(words[: len(phrase)] == phrase for phrase in self.suggestions):
            return False
        return bool(self.questions.intersection(words[:1]))

    def is_guarded(self, text: str) -> bool:
        """Return whether a text must not be carried out now, for whatever reason."""
        return any(pattern.search(text) for pattern in self.guards.values())

    def begins_with_verb(self, text: str) -> bool:
        """Return whether a text begins as a command does."""
        return not self.verbs.isdisjoint(words_of(text)[:1])

    def has_steps(self, text: str) -> bool:
        """Return whether one part of a request depends on what came of another."""
        return self.steps.search(text) is not None

    def asks(self, text: str) -> bool:
        """Return whether a text asks something, and does not only ask politely for something."""
        return self.has_question_mark(text) or self.is_question(text)

    def has_question_mark(self, text: str) -> bool:
        """Return whether a text is marked as a question, and does not only ask politely for something."""
        return "?" in text and not self.commands.is_request(text)

    def duration(self, seconds: float) -> str:
        """Return a time in words: "1 hour and 5 minutes". Seconds are only told of short times."""
        left = max(1, round(seconds))
        if left >= 3600:
            left = round(left / 60) * 60
        hours, left = divmod(left, 3600)
        parts = [
            f"{number} {_counted(number, self.units[unit])}"
            for number, unit in ((hours, "hour"), (left // 60, "minute"), (left % 60, "second"))
            if number
        ]
        return self.join(parts)

    def number(self, value: float) -> str:
        """Return a number as it is written in the language, without a useless fraction."""
        return f"{round(value, 1):g}".replace(".", self.comma)

    def color(self, name: str) -> str:
        """Return what a colour is called that Home Assistant knows by a name, within a sentence."""
        named = self.color_names.get(name, name)
        return named.capitalize() if self.code in CAPITALISED else named

    def sentence(self, fragments: Iterable[str]) -> str:
        """Return fragments as one sentence: joined, with a capital and a full stop."""
        text = self.join(fragments)
        return f"{text[:1].upper()}{text[1:]}." if text else ""


async def async_get_language(hass: HomeAssistant, code: str) -> Language:
    """Return the words of the nearest language there is a file for; English at the last.

    Files are read once, off the event loop.
    """
    loaded = hass.data.setdefault(_DATA_LANGUAGES, {})
    if code not in loaded:
        loaded[code] = await hass.async_add_executor_job(_load, code)
        await async_load_modes(hass, loaded[code].code)
    return loaded[code]


def available_languages() -> list[str]:
    """Return the codes of the languages there is a file for."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


@cache
def _load(code: str) -> Language:
    """Read the file of the language nearest to a code; replies it lacks are taken in English."""
    found = [] if code == MATCH_ALL else language_util.matches(code, available_languages())
    name = found[0] if found else DEFAULT_LANGUAGE
    numbers = _number_words(name)
    english = load_yaml_dict(_FOLDER / f"{DEFAULT_LANGUAGE}.yaml")
    data: dict[str, Any] = dict(load_yaml_dict(_FOLDER / f"{name}.yaml"))
    amounts = [(word, float(value)) for word, value in data["amounts"].items()]
    colors = [(word, color) for color, words in data["colors"].items() for word in words]
    return Language(
        code=name,
        joins=_pattern(data["joins"]),
        verbs=_folded(data["verbs"]),
        ignored=_folded(data["ignored"]) | _folded(data["verbs"]),
        everywhere=_folded(data["everywhere"]),
        quantities=_folded([*data["partial"]["all"], *data["partial"]["both"]]),
        vocabulary={agent: _folded(words) for agent, words in data["vocabulary"].items()},
        humidity=_folded(data["humidity"]),
        set_to=_folded(data["set_to"]),
        household=NameIndex((word, kind) for kind in Household for word in data["household"][kind]),
        states=_folded(data["states"]),
        questions=_folded(data["questions"]),
        suggestions=frozenset(words_of(phrase) for phrase in data["suggestions"]),
        guards={
            reason: re.compile("|".join(patterns), re.IGNORECASE)
            for reason, patterns in data["guards"].items()
        },
        claims=re.compile("|".join(data["claims"]), re.IGNORECASE),
        keeps=re.compile(data["keeps"], re.IGNORECASE),
        statements=frozenset(
            word for phrase in data["delayed"]["statements"] for word in words_of(phrase)[:1]
        ),
        steps=re.compile("|".join(data["steps"]), re.IGNORECASE),
        directions=NameIndex(
            (word, sign) for key, sign in (("up", 1), ("down", -1)) for word in data[key]
        ),
        numbers=NameIndex(numbers),
        amounts=NameIndex(amounts),
        colors=NameIndex(colors),
        color_names={color: str(words[0]) for color, words in data["colors"].items()},
        references=ReferenceSentences(
            name, data["references"], colors=colors, levels=amounts, numbers=numbers
        ),
        undo=_undo(name, data["undo"], data["references"]["skip"]),
        delayed=Templates(
            name,
            data["delayed"]["sentences"],
            rules=data["delayed"].get("rules", {}),
            skip=data["references"]["skip"],
        ),
        help=Templates(name, {"help": data["help"]}, rules={}, skip=data["references"]["skip"]),
        units=data["units"],
        answers=read_answer_words(name, data["answers"], data["suggestions"]),
        commands=load_commands(name, colors=colors, levels=amounts),
        phrases=load_phrases(
            data["partial"], data["everywhere"], _folded(data["vocabulary"]["home-agent"])
        ),
        conditions=load_conditions(name),
        comma=data["comma"],
        replies={**_flat(english["replies"]), **_flat(data["replies"])},
        plain_words=_plain_words(data),
    )


def _plain_words(data: Mapping[str, Any]) -> frozenset[str]:
    """Return the words of a language file that say something by themselves and are no names."""
    phrases = [
        *(
            phrase
            for key in (
                "ignored",
                "verbs",
                "everywhere",
                "humidity",
                "questions",
                "states",
                "set_to",
            )
            for phrase in data[key]
        ),
        *(phrase for words in data["vocabulary"].values() for phrase in words),
        *(phrase for role in Role for phrase in data["partial"].get(role, ())),
        *data["references"]["skip"],
        *data["references"]["small"],
    ]
    return frozenset(word for phrase in phrases for word in words_of(str(phrase)))


def _undo(code: str, data: Mapping[str, Any], skip: Sequence[str]) -> Templates:
    """Return the sentences that ask to put something back, each with what may be said before it."""
    sentences = [f"[<lead>] {text}" for text in data["sentences"]]
    return Templates(code, {"undo": sentences}, rules=data["rules"], skip=skip)


def _number_words(code: str) -> list[tuple[str, float]]:
    """Return a language's number words from two to a hundred.

    "One" is left out: in many languages it is the article.
    """
    engine = RbnfEngine.for_language(code)
    return [
        (text, float(n))
        for n in range(2, 101)
        # One for each gender: "veintiuno", but "veintiún grados".
        for text in (engine.format_number(n).text, *_cardinals(engine, n))
    ]


def _cardinals(engine: RbnfEngine, number: int) -> list[str]:
    """Return the forms a number has before what is counted."""
    texts = engine.format_number(number).text_by_ruleset
    return [text for ruleset, text in texts.items() if "cardinal" in ruleset]


def _counted(number: int, forms: Sequence[str]) -> str:
    """Return the form of a word for a number of things: one, a few where that is another, many."""
    if number == 1:
        return forms[0]
    few = len(forms) > 2 and 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14
    return forms[1] if few else forms[-1]


def _pattern(joins: list[str]) -> re.Pattern[str]:
    """Return the pattern that matches between two requests; longer joins are tried first."""
    words = "|".join(
        re.escape(join).replace(r"\ ", r"\s+") for join in sorted(joins, key=len, reverse=True)
    )
    # Each run of marks or blanks is looked at from its beginning only, or long ones take for ever.
    marks, blanks = r"(?<![,;.!])[,;.!]*", r"(?<!\s)\s+"
    return re.compile(rf"{marks}{blanks}(?:{words})\s+|(?<![;.!])[;.!]+\s+|,\s+", re.IGNORECASE)


def _folded(words: list[str]) -> frozenset[str]:
    """Return words as they are compared."""
    return frozenset(word.casefold() for word in words)


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested replies under dotted keys."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat

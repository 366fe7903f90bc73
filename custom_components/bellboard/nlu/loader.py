"""The `Language`: all lexicons, recognisers and reply texts of one language, loaded from its files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
import re
from typing import Any

from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.util import language as language_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.yaml import load_yaml_dict

from ..const import DOMAIN
from ..domains.registry import agent_of
from ..home.names import NameIndex, Words, words_of
from ..when import Schedule
from .answers import AnswerLexicon, read_answer_words
from .claims import Claims, ReadingWords
from .condition_words import ConditionWords
from .lexicon import PLURAL, Lexicon, Role, Sense
from .lexicon_loader import load_lexicon
from .modes import CAPITALISED, async_load_modes
from .moment_words import MomentWords
from .number_words import number_words
from .offers import OfferWords
from .phrase_lists import (
    AheadWords,
    FadingWords,
    ListWords,
    MediaWords,
    PlanNames,
    load_ahead_words,
    load_announcing_words,
    load_delay_words,
    load_list_words,
    load_media_words,
    load_playback_words,
    written,
)
from .references import ReferenceWords
from .reminders import ReminderWords
from .spellings import spell_out
from .spoken_numbers import SpokenNumbers
from .telling_times import tell_event, tell_schedule
from .templates import Templates
from .trigger_words import TriggerWords
from .wishes import WishWords

_FOLDER = Path(__file__).parents[1] / "lexicons"
FILES = ("verbs", "kinds", "values", "grammar", "dialogue", "media", "replies")
"""Files of a language's folder; each key of them is described by `lexicons/schema.json`."""
DEFAULT_LANGUAGE = "en"

# Sections of phrases that are spelled out before anything is made of them.
_SHORT = (
    "ahead", "announcing", "answers", "colors", "courtesy", "delays", "fading", "household", "lists", "media",
    "moments", "offers", "readings", "reminders", "steps", "suggestions", "wishes",
)  # fmt: skip
_NAMES = tuple(sorted(path.parent.name for path in _FOLDER.glob("*/replies.yaml")))
# In characters: BCP 47 wants no longer tag to be understood.
_LONGEST_CODE = 35
_MOST_CODES = 256

_DATA_LANGUAGES: HassKey[dict[str, Language]] = HassKey(f"{DOMAIN}_languages")


class Household(StrEnum):
    """Meaning of a word about a household; the values are keys of a language's `household`.

    THINGS are appliances and parts of a house, USES its consumption ("power"), OURS marks this household
    or a time ("our", "last week"), GENERAL general knowledge ("how does ... work"), ANYBODY a person who may be
    in a room ("anybody", "who is").
    """

    THINGS = "things"
    USES = "uses"
    OURS = "ours"
    GENERAL = "general"
    ANYBODY = "anybody"


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """Lexicons, recognisers and reply texts of one language.

    Words, all case-folded: `verbs`, `questions` and `statements` begin requests, questions and statements;
    `suggestions` begin like a question and are none ("how about"), as `polite_requests` do ("could");
    `ignored` are stop words, `everywhere` words for the whole home, `quantities` for "all" and "both", `set_to`
    for a target value ("set to"), `outdoors` for what is no room, `at_home` phrases for the home as where somebody
    is, `averages` for a mean, `states` for states of devices; `vocabulary` are each agent's words, by agent id: a
    specialist's are those for its domain, the home agent's all others; `topics` are these with the words that only
    tell whose a request is.

    Gazetteers: `directions` (1 for up, -1 for down), `numbers` in words, `spoken_numbers` as a code is said,
    `amounts` (words for a percentage), `colors` (to Home Assistant's names), `household`.

    Patterns: `joins` splits a sentence into requests, `guards` find what must not be carried out now, by
    the reason, `overrides` what asks to ignore rules, `claims` claims that something was or will be done, `polite`
    polite phrases.
    `readings` are words that tell how a home is, `steps` phrases of a part that depends on the outcome of another.

    Recognisers: `lexicon` (what words mean to the reader), `answers` (of questions), `references` (words
    for the last command), `offers`, `conditions`, and the templates `undo`, `help`, `delayed` (kinds "ask", "cancel"
    for all, "plan" for the only one, "drop" and "leave" for what was spoken of, "otherwise" for what is to be done
    although something did not happen) and `withdrawing`, with the words for
    what is not to be done any more (kinds "cancel" and "dont").

    Around names: `before_names` are words that a certain name or place follows ("the", "in"); after `purposes` it
    is no target ("for the film"). `media` are the words that tell what is played, `lists` those for what is put on
    lists, `ahead` those for a day to come, `reminders` those for what is told later.

    For replies: `replies` by dotted key, `color_names` by Home Assistant's name, `units` (forms of hour,
    minute and second for one, a few, many), the decimal separator `comma`.
    """

    code: str
    joins: re.Pattern[str]
    verbs: frozenset[str]
    ignored: frozenset[str]
    everywhere: frozenset[str]
    quantities: frozenset[str]
    vocabulary: Mapping[str, frozenset[str]]
    topics: Mapping[str, frozenset[str]]
    set_to: frozenset[str]
    outdoors: frozenset[str]
    at_home: frozenset[Words]
    averages: frozenset[str]
    household: NameIndex[Household]
    states: frozenset[str]
    questions: frozenset[str]
    suggestions: frozenset[Words]
    guards: Mapping[str, re.Pattern[str]]
    overrides: re.Pattern[str]
    claims: Claims
    readings: ReadingWords
    statements: frozenset[str]
    demands: re.Pattern[str]
    steps: NameIndex[bool]
    directions: NameIndex[int]
    numbers: NameIndex[float]
    spoken_numbers: SpokenNumbers
    amounts: NameIndex[float]
    colors: NameIndex[str]
    color_names: Mapping[str, str]
    before_names: frozenset[str]
    purposes: frozenset[str]
    has_articles: bool
    polite: re.Pattern[str]
    polite_requests: frozenset[str]
    answers: AnswerLexicon
    references: ReferenceWords
    wishes: WishWords
    offers: OfferWords
    undo: Templates
    delayed: Templates
    withdrawing: Templates
    asking: Templates
    plan_names: PlanNames
    help: Templates
    units: Mapping[str, Sequence[str]]
    conditions: ConditionWords
    triggers: TriggerWords
    lexicon: Lexicon
    media: MediaWords
    lists: ListWords
    ahead: AheadWords
    reminders: ReminderWords
    comma: str
    replies: Mapping[str, str]

    def say(self, key: str, **values: object) -> str:
        """Return a reply with its placeholders filled in.

        Raises:
            KeyError: the language has no such reply, or a value is missing.
        """
        return self.replies[key].format_map(values)

    def has(self, key: str) -> bool:
        """Return whether the language has a reply."""
        return key in self.replies

    def join(self, parts: Iterable[str], word: str = "and") -> str:
        """Return the parts as a list in words: "a, b and c"; `word` is `and` or `or`."""
        found = list(parts)
        if len(found) < 2:
            return "".join(found)
        last = self.say(f"join.{word}", first=", ".join(found[:-1]), last=found[-1])
        return str(last)

    def duration(self, seconds: float) -> str:
        """Return a duration in words: "1 hour and 5 minutes"; seconds only below an hour."""
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

    def schedule(self, schedule: Schedule, now: datetime) -> str:
        """Return when something is done within a sentence, in a house whose local time it is."""
        return tell_schedule(self, schedule, now)

    def event(self, begin: date, end: date, today: date) -> str:
        """Return when something in a calendar is, within a sentence."""
        return tell_event(self, begin, end, today)

    def number(self, value: float) -> str:
        """Return a number with the language's decimal separator, with at most one decimal."""
        return f"{round(value, 1):g}".replace(".", self.comma)

    def color(self, name: str) -> str:
        """Return the name of a colour within a sentence, by Home Assistant's name for it."""
        named = self.color_names.get(name, name)
        return named.capitalize() if self.code in CAPITALISED else named

    def sentence(self, fragments: Iterable[str]) -> str:
        """Return fragments joined as one sentence, with a capital and a full stop."""
        text = self.join(fragments)
        return f"{text[:1].upper()}{text[1:]}." if text else ""


async def async_get_language(hass: HomeAssistant, code: str) -> Language:
    """Return the nearest supported language to a code, else English; loaded once, off the event loop.

    What is kept is kept by the language's own name: callers may write any code.
    """
    loaded = hass.data.setdefault(_DATA_LANGUAGES, {})
    name = nearest_language(code, _NAMES)
    if name not in loaded:
        loaded[name] = await hass.async_add_executor_job(_load, name)
        await async_load_modes(hass, name)
    return loaded[name]


def available_languages() -> list[str]:
    """Return the codes of the supported languages."""
    return list(_NAMES)


def nearest_language(code: str, known: tuple[str, ...]) -> str:
    """Return the one of the `known` languages that is nearest to a code, else English."""
    if code == MATCH_ALL or len(code) > _LONGEST_CODE:
        return DEFAULT_LANGUAGE
    return _nearest(code, known)


@lru_cache(maxsize=_MOST_CODES)
def _nearest(code: str, known: tuple[str, ...]) -> str:
    """Return the nearest language to a code of a language's length, else English."""
    return next(iter(language_util.matches(code, known)), DEFAULT_LANGUAGE)


def load_data(code: str, files: Iterable[str] = FILES) -> dict[str, Any]:
    """Return the merged data of a supported language's files, or of some of them; it blocks.

    A section may stand in several files, each of its keys in one.
    """
    data: dict[str, Any] = {}
    for name in files:
        for key, value in load_yaml_dict(_FOLDER / code / f"{name}.yaml").items():
            data[key] = {**data[key], **value} if key in data else value
    return data


@cache
def _load(name: str) -> Language:
    """Return a supported language by its name; replies that it lacks are English. It blocks."""
    english = load_data(DEFAULT_LANGUAGE, ("replies",))
    data = load_data(name)
    return _build(name, data, {**_flat(english["replies"]), **_flat(data["replies"])})


def _build(name: str, data: Mapping[str, Any], replies: Mapping[str, str]) -> Language:
    """Return a language from the data of its folder."""
    data = {key: _spelled(value) if key in _SHORT else value for key, value in data.items()}
    numbers = number_words(name, data["number_scales"])
    amounts = [(word, float(value)) for word, value in data["amounts"].items()]
    playback = load_playback_words(data["media"], data["units"])
    colors = [(word, color) for color, words in data["colors"].items() for word in words]
    lexicon = load_lexicon(
        data["reader"],
        numbers=numbers,
        colors=colors,
        levels=amounts,
        everywhere=data["everywhere"],
        media=load_media_words(data["media"]),
        playback=playback,
        fading=FadingWords.load(data["fading"], data["units"]),
        announcing=load_announcing_words(data["announcing"], data.get("triggers", {})),
        delays=load_delay_words(data["delays"], playback.units),
        moments=MomentWords.load(data.get("moments", {})),
    )
    verbs = _folded(data["verbs"])
    states = _folded(data["states"]) | lexicon.words_of_only(Role.STATE)
    return Language(
        code=name,
        joins=_pattern(data["joins"]),
        verbs=verbs,
        ignored=_folded(data["ignored"]) | verbs,
        everywhere=_folded(data["everywhere"]),
        quantities=frozenset(_phrases(lexicon, Role.QUANTITY, "all", "both")),
        vocabulary=_vocabulary(data["vocabulary"]),
        topics=_vocabulary(data["vocabulary"], data["topics"]),
        set_to=_folded(data["set_to"]),
        outdoors=_folded(data["outdoors"]),
        at_home=frozenset(words_of(phrase) for phrase in data["at_home"]),
        averages=_folded(data["averages"]),
        household=NameIndex((word, kind) for kind in Household for word in data["household"][kind]),
        states=states,
        questions=_folded(data["questions"]),
        suggestions=frozenset(words_of(phrase) for phrase in data["suggestions"]),
        guards={reason: _any_of(patterns) for reason, patterns in data["guards"].items()},
        overrides=_any_of(data["overrides"]),
        claims=Claims.load(data["claims"], data["passives"], data["denials"]),
        readings=ReadingWords.load(data["readings"]),
        demands=_any_phrase(data["delayed"]["demands"]),
        statements=frozenset(
            word for phrase in data["delayed"]["statements"] for word in words_of(phrase)[:1]
        ),
        steps=NameIndex((phrase, True) for phrase in data["steps"]),
        directions=NameIndex(
            (word, sign) for key, sign in (("up", 1), ("down", -1)) for word in data[key]
        ),
        numbers=NameIndex(numbers),
        spoken_numbers=SpokenNumbers.load(name, data),
        amounts=NameIndex(amounts),
        colors=NameIndex(colors),
        color_names={color: str(words[0]) for color, words in data["colors"].items()},
        references=ReferenceWords.load(data["references"]),
        wishes=WishWords.load(data["wishes"]),
        offers=OfferWords.load(data["offers"]),
        undo=_undo_templates(name, data),
        delayed=_delayed_templates(name, data),
        withdrawing=Templates(
            name, data["delayed"]["withdrawing"], rules={}, skip=data["references"]["skip"]
        ),
        asking=Templates(
            name,
            data["delayed"]["asking"],
            rules={},
            skip=[*data["references"]["skip"], *data["delayed"]["skip"]],
        ),
        plan_names=PlanNames.load(_spelled(data["delayed"]["called"])),
        help=Templates(name, {"help": data["help"]}, rules={}, skip=data["references"]["skip"]),
        units=data["units"],
        answers=read_answer_words(name, data["answers"], data["suggestions"], lexicon),
        before_names=_definite(lexicon) | _folded(data["reader"]["inside"]),
        purposes=_folded(data["reader"]["purposes"]),
        has_articles=data["reader"].get("has_articles", True),
        polite=_any_phrase(data["courtesy"]["polite"]),
        polite_requests=_folded(data["courtesy"]["requests"]),
        conditions=ConditionWords(data["conditions"]),
        triggers=TriggerWords(data["triggers"], data["conditions"], data["reminders"]["before"]),
        lexicon=lexicon,
        media=load_media_words(data["media"]),
        lists=load_list_words(data["lists"]),
        ahead=load_ahead_words(data["ahead"]),
        reminders=ReminderWords.load(data["reminders"], lexicon.announcing.waits),
        comma=data["comma"],
        replies=replies,
    )


def _definite(lexicon: Lexicon) -> frozenset[str]:
    """Return the words that are nothing but articles before a certain name or place: "the", "my"."""
    words, others = _phrases(lexicon, Role.ARTICLE, None, PLURAL), {Role.QUANTITY, Role.LINK}
    return frozenset(
        word for word in words if all(s.role not in others for s in lexicon.senses((word,)))
    )


def _phrases(lexicon: Lexicon, role: Role, *values: str | None) -> set[str]:
    """Return the phrases with a role and any of some values."""
    return {" ".join(p) for value in values for p in lexicon.phrases_of(Sense(role, value))}


def _vocabulary(*by_domain: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    """Return the words of each agent, from tables with the words for the things of each domain."""
    found: dict[str, frozenset[str]] = {}
    for domain, words in chain.from_iterable(table.items() for table in by_domain):
        agent_id = agent_of(domain)
        found[agent_id] = found.get(agent_id, frozenset()) | _folded(words)
    return found


def _undo_templates(code: str, data: Mapping[str, Any]) -> Templates:
    """Return the recogniser of requests for undo, each template after up to two optional leads.

    The kinds are "undo", "revoke" of what only takes back a command that was just given, and "back" of what is the
    song before where something plays.
    """
    undo = data["undo"]
    sentences = {
        kind: [f"[<lead>] [<lead>] {text}" for text in undo[key]]
        for kind, key in (("undo", "sentences"), ("revoke", "revoke"), ("back", "back"))
    }
    skip = data["references"]["skip"]
    return Templates(code, sentences, rules=undo["rules"], skip=skip)


def _delayed_templates(code: str, data: Mapping[str, Any]) -> Templates:
    """Return the recogniser of sentences about delayed commands."""
    delayed = data["delayed"]
    skip = [*data["references"]["skip"], *delayed["skip"]]
    return Templates(code, delayed["sentences"], rules=delayed.get("rules", {}), skip=skip)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern that matches any of some."""
    return re.compile("|".join(patterns), re.IGNORECASE)


def _any_phrase(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern that matches any of some phrases, longer ones first."""
    words = "|".join(map(written, sorted(phrases, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _counted(number: int, forms: Sequence[str]) -> str:
    """Return the plural form of a noun for a number: one, a few if the language has it, many."""
    if number == 1:
        return forms[0]
    few = len(forms) > 2 and 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14
    return forms[1] if few else forms[-1]


def _pattern(joins: list[str]) -> re.Pattern[str]:
    """Return the pattern that matches between two requests, longer conjunctions first."""
    words = "|".join(
        re.escape(join).replace(r"\ ", r"\s+") for join in sorted(joins, key=len, reverse=True)
    )
    # Each run of marks or blanks is matched from its beginning only, since backtracking is quadratic.
    marks, blanks = r"(?<![,;.!])[,;.!]*", r"(?<!\s)\s+"
    return re.compile(rf"{marks}{blanks}(?:{words})\s+|(?<![;.!])[;.!]+\s+|,\s+", re.IGNORECASE)


def _spelled(tree: Any) -> Any:
    """Return a section, with all phrases that those in its lists stand for which are written in short."""
    if isinstance(tree, Mapping):
        return {key: _spelled(value) for key, value in tree.items()}
    if not isinstance(tree, list):
        return tree
    return [
        found
        for each in tree
        for found in (spell_out(each, {}) if isinstance(each, str) else [_spelled(each)])
    ]


def _folded(words: list[str]) -> frozenset[str]:
    """Return words case-folded."""
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

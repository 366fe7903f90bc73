"""What Home Assistant's second reader understands: wordings its sentences have no template for.

It looks for names and words in a sentence wherever they stand, in English only. Home Assistant acts
on what it finds, misheard names included. Here it is read first, so that policies see what is meant,
and so that a name nobody said is not acted on.
"""

import asyncio
from dataclasses import dataclass, field, replace
from functools import cache, partial
import re

from gazetteer_matcher import GazetteerMatcher, Home, Interpretation
from gazetteer_matcher.config import MatcherConfig
from homeassistant.components.conversation.gazetteer import LANGUAGE, async_build_home
from homeassistant.core import HomeAssistant
from homeassistant.util import language as language_util
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..plans.models import RecognizedIntent
from .recognition import START_TIMER, TELLING, resolved
from .sentence import has_many_words

# "Turn off the lamp and on the table": it may lose the second of two verbs.
_OTHER_VERB = re.compile(r"\b(?:and|then|but)\s+(on|off|up|down)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:on|off)\b", re.IGNORECASE)
_VERBS = {"on": "HassTurnOn", "off": "HassTurnOff"}


@dataclass(slots=True)
class _Kept:
    """The reader for one version of the home."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    version: int = -1
    matcher: GazetteerMatcher | None = None


_DATA_MATCHER: HassKey[_Kept] = HassKey(f"{DOMAIN}_gazetteer")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a sentence: one intent for each request in it.

    `is_exact` where every name was said as it is, and every word means something.
    """

    intents: tuple[RecognizedIntent, ...]
    is_exact: bool

    @property
    def is_telling(self) -> bool:
        """Return whether it only tells something, or sets a timer: what has no name in the home."""
        return all(intent.name in TELLING or intent.name == START_TIMER for intent in self.intents)

    @property
    def is_sure(self) -> bool:
        """Return whether it may be acted on: no name was guessed, or nothing is done."""
        return self.is_exact or self.is_telling


async def async_read(
    hass: HomeAssistant, text: str, language: str, *, version: int, area_id: str | None
) -> Reading | None:
    """Return what a sentence says, or None where it is not understood, ambiguous, or too long.

    `version` is that of the catalog, so that the names are read again only when they changed.
    """
    if has_many_words(text):
        return None
    if language_util.Dialect.parse(language).language != LANGUAGE:
        return None
    matcher = await _async_matcher(hass, version)
    found = await hass.async_add_executor_job(
        partial(_interpret, matcher, text, context_area=area_id)
    )
    if not found.accepted or not found.frames:
        return None
    return Reading(
        tuple(
            replace(resolved(hass, f.intent, f.slots, area_id), asks=f.response_key or "")
            for f in found.frames
        ),
        is_exact=not any(f.fuzzy_count or f.unexplained_tokens for f in found.frames)
        and _has_other_verbs(text, found),
    )


def _has_other_verbs(text: str, found: Interpretation) -> bool:
    """Return whether each part of what begins again with a verb alone ("and off ...") was read with its own."""
    others = list(_OTHER_VERB.finditer(text))
    if not others:
        return True
    first = _VERB.search(text[: others[0].start()])
    said = [first[0] if first else "", *(other[1] for other in others)]
    return [frame.intent for frame in found.frames] == [
        _VERBS.get(verb.casefold()) for verb in said
    ]


def _interpret(matcher: GazetteerMatcher, text: str, *, context_area: str | None) -> Interpretation:
    """Read a sentence; the speaker's room may be gone since the names were read."""
    try:
        return matcher.interpret(text, context_area=context_area)
    except ValueError:
        return matcher.interpret(text)


async def _async_matcher(hass: HomeAssistant, version: int) -> GazetteerMatcher:
    """Return the reader for the home as it is; made off the event loop when names changed."""
    kept = hass.data.setdefault(_DATA_MATCHER, _Kept())
    if kept.matcher is not None and kept.version == version:
        return kept.matcher
    async with kept.lock:
        if kept.matcher is None or kept.version != version:
            home = async_build_home(hass)
            kept.matcher = await hass.async_add_executor_job(_make, home)
            kept.version = version
    return kept.matcher


@cache
def _words() -> MatcherConfig:
    """Return the reader's words, which are the same in every home. It takes half a second."""
    return GazetteerMatcher(home={"areas": {}, "floors": {}, "entities": {}}).config


def _make(home: Home) -> GazetteerMatcher:
    """Return the reader for a home."""
    words = _words()
    return GazetteerMatcher(
        home={**home},
        vocabulary=words.vocabulary,
        intents=words.intents,
        responses=words.responses,
    )

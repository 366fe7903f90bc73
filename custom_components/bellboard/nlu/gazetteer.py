"""Home Assistant's gazetteer matcher, run without carrying out what it finds.

It finds names and keywords anywhere in a sentence, in English only, and Home Assistant acts on fuzzy
matches, too. Here its result is read beforehand, so that policies see the intents, and so that a guessed
name is not acted on.
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
from .recognition import QUERY_INTENTS, START_TIMER, resolve_targets
from .sentence import has_many_words

# "Turn off the lamp and on the table": the matcher may lose the second of two verbs.
_OTHER_VERB = re.compile(r"\b(?:and|then|but)\s+(on|off|up|down)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:on|off)\b", re.IGNORECASE)
_VERBS = {"on": "HassTurnOn", "off": "HassTurnOff"}


@dataclass(slots=True)
class _CachedMatcher:
    """The matcher for one version of the catalog."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    version: int = -1
    matcher: GazetteerMatcher | None = None


_DATA_MATCHER: HassKey[_CachedMatcher] = HassKey(f"{DOMAIN}_gazetteer")


@dataclass(frozen=True, slots=True)
class GazetteerReading:
    """Result of the matcher: one intent for each request in a sentence.

    `is_exact` if no name was matched fuzzily, and every word is explained.
    """

    intents: tuple[RecognizedIntent, ...]
    is_exact: bool

    @property
    def is_telling(self) -> bool:
        """Return whether it only has queries and timers, which act on no entity."""
        return all(
            intent.name in QUERY_INTENTS or intent.name == START_TIMER for intent in self.intents
        )

    @property
    def is_sure(self) -> bool:
        """Return whether it may be acted on: it is exact, or acts on no entity."""
        return self.is_exact or self.is_telling


async def async_match(
    hass: HomeAssistant, text: str, language: str, *, version: int, area_id: str | None
) -> GazetteerReading | None:
    """Return the intents of a sentence, or None where it is not understood, ambiguous or too long.

    `version` is the catalog's, so that the matcher is rebuilt only when names changed.
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
    return GazetteerReading(
        tuple(
            replace(resolve_targets(hass, f.intent, f.slots, area_id), asks=f.response_key or "")
            for f in found.frames
        ),
        is_exact=not any(f.fuzzy_count or f.unexplained_tokens for f in found.frames)
        and _has_other_verbs(text, found),
    )


def _has_other_verbs(text: str, found: Interpretation) -> bool:
    """Return whether each part that begins with a lone particle ("and off ...") got its own intent."""
    others = list(_OTHER_VERB.finditer(text))
    if not others:
        return True
    first = _VERB.search(text[: others[0].start()])
    said = [first[0] if first else "", *(other[1] for other in others)]
    return [frame.intent for frame in found.frames] == [
        _VERBS.get(verb.casefold()) for verb in said
    ]


def _interpret(matcher: GazetteerMatcher, text: str, *, context_area: str | None) -> Interpretation:
    """Match a sentence; the speaker's area may have been removed since the matcher was built."""
    try:
        return matcher.interpret(text, context_area=context_area)
    except ValueError:
        return matcher.interpret(text)


async def _async_matcher(hass: HomeAssistant, version: int) -> GazetteerMatcher:
    """Return the matcher for a version of the catalog, built off the event loop."""
    kept = hass.data.setdefault(_DATA_MATCHER, _CachedMatcher())
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
    """Return the matcher's vocabulary, the same for every home. Takes half a second."""
    return GazetteerMatcher(home={"areas": {}, "floors": {}, "entities": {}}).config


def _make(home: Home) -> GazetteerMatcher:
    """Return the matcher for a home."""
    words = _words()
    return GazetteerMatcher(
        home={**home},
        vocabulary=words.vocabulary,
        intents=words.intents,
        responses=words.responses,
    )

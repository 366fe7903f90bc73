"""Home Assistant's gazetteer matcher, run without carrying out what it finds.

It finds names and keywords anywhere in a sentence, in English only, and Home Assistant acts on fuzzy
matches, too. Here its result is read beforehand, so that policies see the intents, and so that a guessed
name is not acted on.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
import re
from types import MappingProxyType
from typing import Any

from gazetteer_matcher import GazetteerMatcher, Home, Interpretation
from gazetteer_matcher.config import MatcherConfig
from homeassistant.components.conversation.gazetteer import LANGUAGE, async_build_home
from homeassistant.core import HomeAssistant
from homeassistant.util import language as language_util
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..domains.models import Command
from .recognition import QUERY_INTENTS, START_TIMER, resolve_targets
from .sentence import has_many_words

# "Turn off the lamp and on the table": the matcher may lose the second of two verbs.
_OTHER_VERB = re.compile(r"\b(?:and|then|but)\s+(on|off|up|down)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:on|off)\b", re.IGNORECASE)
_VERBS = {"on": "HassTurnOn", "off": "HassTurnOff"}


# The router and the agent of the home ask for the same words in one turn; a few turns may run at once.
_MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class _Frame:
    """An intent that the matcher found, with its slots and the key of its response."""

    intent: str
    slots: Mapping[str, Any]
    response_key: str


@dataclass(frozen=True, slots=True)
class _Match:
    """What the matcher found in a sentence, as far as it is read; no frames where it is not understood."""

    frames: tuple[_Frame, ...] = ()
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class _VersionMatcher:
    """The matcher for one version of the catalog, and what it found in the last sentences, by area."""

    version: int
    matcher: GazetteerMatcher
    matches: OrderedDict[tuple[str, str | None], _Match] = field(default_factory=OrderedDict)


@dataclass(slots=True)
class _CachedMatcher:
    """The matcher for the last version of the catalog that was asked for."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    current: _VersionMatcher | None = None


_DATA_MATCHER: HassKey[_CachedMatcher] = HassKey(f"{DOMAIN}_gazetteer")


@dataclass(frozen=True, slots=True)
class GazetteerReading:
    """Result of the matcher: one intent for each request in a sentence.

    `is_exact` if no name was matched fuzzily, and every word is explained.
    """

    intents: tuple[Command, ...]
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

    `version` is the catalog's, so that the matcher is rebuilt only when names changed. A sentence is matched
    once, however often it is asked for in a turn; its targets are those of now.
    """
    if has_many_words(text):
        return None
    if language_util.Dialect.parse(language).language != LANGUAGE:
        return None
    found = await _async_find(hass, text, version=version, area_id=area_id)
    if not found.frames:
        return None
    return GazetteerReading(
        tuple(
            replace(resolve_targets(hass, f.intent, dict(f.slots), area_id), asks=f.response_key)
            for f in found.frames
        ),
        is_exact=found.is_exact,
    )


async def async_prepare(hass: HomeAssistant, language: str, version: int) -> None:
    """Build the matcher for a version of the catalog, where it reads the language at all."""
    if language_util.Dialect.parse(language).language == LANGUAGE:
        await _async_matcher(hass, version)


async def _async_find(
    hass: HomeAssistant, text: str, *, version: int, area_id: str | None
) -> _Match:
    """Return what the matcher finds in a sentence, or found in it for the same catalog and area."""
    kept = await _async_matcher(hass, version)
    matches, key = kept.matches, (text, area_id)
    if (match := matches.get(key)) is None:
        found = await hass.async_add_executor_job(
            partial(_interpret, kept.matcher, text, context_area=area_id)
        )
        match = matches[key] = _match_of(text, found)
        if len(matches) > _MOST_KEPT:
            matches.popitem(last=False)
    return match


def _match_of(text: str, found: Interpretation) -> _Match:
    """Return what is read of an interpretation."""
    if not found.accepted:
        return _Match()
    frames = tuple(
        _Frame(f.intent, MappingProxyType(dict(f.slots)), f.response_key or "")
        for f in found.frames
    )
    is_exact = not any(f.fuzzy_count or f.unexplained_tokens for f in found.frames)
    return _Match(frames, is_exact and _has_other_verbs(text, found))


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


async def _async_matcher(hass: HomeAssistant, version: int) -> _VersionMatcher:
    """Return the matcher for a version of the catalog, built off the event loop."""
    kept = hass.data.setdefault(_DATA_MATCHER, _CachedMatcher())
    if kept.current is not None and kept.current.version == version:
        return kept.current
    async with kept.lock:
        if kept.current is None or kept.current.version != version:
            home = async_build_home(hass)
            matcher = await hass.async_add_executor_job(_make, home)
            kept.current = _VersionMatcher(version, matcher)
    return kept.current


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

"""Home Assistant's strict recognition on the templates that can match, by way of its own agent.

This is the one place that uses what Home Assistant's agent keeps to itself; `changed_internals` names
what is used. Where any of it is not as it was, all templates are tried as Home Assistant does it.
Either way its agent says afterwards what it would have said without having been asked: a sentence that
it does not recognise strictly must not stay in its cache, because it would skip its later stages then
("I am not aware of any device called ...").
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
import inspect
import logging
from typing import TYPE_CHECKING, Any

from hassil.expression import ListReference
from hassil.intents import Intents, RangeSlotList, SlotList
from hassil.recognize import RecognizeResult
from hassil.string_matcher import MatchContext, MatchSettings, match_expression
from homeassistant.components.conversation import ConversationInput, default_agent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from .template_index import HouseTemplateIndex, TemplateIndex, restore_origin

if TYPE_CHECKING:
    from homeassistant.components.conversation.default_agent import LanguageIntents

_LOGGER = logging.getLogger(__name__)

_METHODS = {
    "_make_intent_context": ("user_input",),
    "_make_slot_lists": (),
    "_recognize": (
        "user_input",
        "lang_intents",
        "slot_lists",
        "intent_context",
        "language",
        "strict_intents_only",
    ),
}
"""Private methods of Home Assistant's agent that are called, and their parameters."""

_MOST_KEPT = 16
"""Sentences whose results are kept, so that the stages of a turn ask once; a few turns may run at once."""

_FEW = 16
"""So many templates are tried in the event loop: that takes less than going to another thread and back."""

_CACHE = "_intent_cache"
_CACHE_KEY = "IntentCacheKey"
_KEY_FIELDS = {"text", "language", "satellite_id", "device_id"}


def changed_internals(agent: DefaultAgent) -> list[str]:
    """Return what this release of Home Assistant changed of the private things that are used, in words."""
    changed = [
        f"DefaultAgent.{name} does not take {parameters} any more"
        for name, parameters in _METHODS.items()
        if _parameters(getattr(agent, name, None)) != parameters
    ]
    if not inspect.iscoroutinefunction(getattr(agent, "_make_slot_lists", None)):
        changed.append("DefaultAgent._make_slot_lists is no coroutine any more")
    return changed + _changed_cache(agent)


def _changed_cache(agent: DefaultAgent) -> list[str]:
    """Return what changed of the cache of recognised sentences."""
    changed = []
    if not isinstance(getattr(getattr(agent, _CACHE, None), "cache", None), dict):
        changed.append(f"DefaultAgent.{_CACHE}.cache is no dict any more")
    key = getattr(default_agent, _CACHE_KEY, None)
    if not is_dataclass(key) or {each.name for each in fields(key)} != _KEY_FIELDS:
        changed.append(f"{_CACHE_KEY} is no dataclass of {sorted(_KEY_FIELDS)} any more")
    return changed


def _parameters(method: Any) -> tuple[str, ...] | None:
    """Return the names of a bound method's parameters, or None where it cannot be called."""
    return tuple(inspect.signature(method).parameters) if callable(method) else None


async def async_recognize_strict(
    hass: HomeAssistant, agent: DefaultAgent, said: ConversationInput
) -> RecognizeResult | None:
    """Return what Home Assistant's agent recognises strictly, or None.

    A recognised sentence stays in its cache, where its own turn finds it.
    """
    recognizer = _recognizer(hass, agent)
    # Custom sentences that cannot be read are told by the agent itself, whenever it is asked.
    intents = await agent.async_get_or_load_intents(said.language)
    try:
        loaded = await recognizer.async_load(said.language, intents)
        if loaded is not None and loaded.house is not None:
            return await recognizer.async_recognize(loaded.intents, loaded.house, said)
    except Exception as error:  # noqa: BLE001 - whatever it is, all templates can be tried
        recognizer.give_up(error)
    return await recognizer.async_try_all_templates(said)


async def async_prepare_recognition(
    hass: HomeAssistant, agent: DefaultAgent, language: str
) -> None:
    """Build the index of a language and of the house, which its first sentence would wait for."""
    recognizer = _recognizer(hass, agent)
    intents = await agent.async_get_or_load_intents(language)
    try:
        await recognizer.async_load(language, intents)
    except Exception as error:  # noqa: BLE001 - whatever it is, all templates can be tried
        recognizer.give_up(error)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The index of a language and a house, None where it has none, and what it was built of."""

    intents: LanguageIntents
    index: TemplateIndex | None
    house: HouseTemplateIndex | None = None

    def is_of(self, intents: LanguageIntents, slot_lists: dict[str, SlotList]) -> bool:
        """Return whether it was built of these intents and lists, and of none that they replaced."""
        is_house = self.house is None or self.house.slot_lists is slot_lists
        return self.intents is intents and is_house


type _Result = tuple[HouseTemplateIndex, LanguageIntents, RecognizeResult | None]
"""What was recognised, and the index and sentences it was found with."""


@dataclass(slots=True)
class _StrictRecognizer:
    """Strict recognition by one agent of Home Assistant, with the indexes by language.

    `is_usable` is False where the agent is not one that is known from inside.
    """

    hass: HomeAssistant
    agent: DefaultAgent
    is_usable: bool
    has_known_cache: bool
    _loaded: dict[str, _Loaded] = field(default_factory=dict)
    _results: OrderedDict[Any, _Result] = field(default_factory=OrderedDict)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def give_up(self, error: Exception) -> None:
        """Try all templates from now on, after an error."""
        self.is_usable = False
        _LOGGER.error("Sentence templates cannot be indexed, all are tried", exc_info=error)

    async def async_load(self, language: str, intents: LanguageIntents | None) -> _Loaded | None:
        """Return the index of a language with the names of the house as they are now, or None."""
        if not self.is_usable or intents is None:
            return None
        while True:
            # Asked for again after building, in case that the house changed meanwhile.
            slot_lists = await self.agent._make_slot_lists()  # noqa: SLF001
            loaded = self._loaded.get(language)
            if loaded is not None and loaded.is_of(intents, slot_lists):
                return loaded
            async with self._lock:
                loaded = self._loaded.get(language)
                if loaded is None or not loaded.is_of(intents, slot_lists):
                    self._loaded[language] = await self.hass.async_add_executor_job(
                        _build, intents, slot_lists, loaded
                    )

    async def async_recognize(
        self, intents: LanguageIntents, house: HouseTemplateIndex, said: ConversationInput
    ) -> RecognizeResult | None:
        """Return the strict result of the templates that can match."""
        key = _key(said)
        known = self._results.get(key)
        if known is not None and known[0] is house and known[1] is intents:
            return known[2]
        found: RecognizeResult | None = None
        if templates := house.candidates(said.text):
            recognize = partial(
                self._recognize,
                said,
                replace(intents, intents=house.intents_with(templates)),
                house.slot_lists,
                self.agent._make_intent_context(said),  # noqa: SLF001
            )
            is_quick = len(templates) <= _FEW
            found = recognize() if is_quick else await self.hass.async_add_executor_job(recognize)
            found = found and restore_origin(found, templates)
        self._results[key] = (house, intents, found)
        if len(self._results) > _MOST_KEPT:
            self._results.popitem(last=False)
        return found

    def _recognize(
        self,
        said: ConversationInput,
        intents: LanguageIntents,
        slot_lists: dict[str, SlotList],
        context: dict[str, Any] | None,
    ) -> RecognizeResult | None:
        """Return the strict result of some intents; for the executor, where it ends even if nobody waits."""
        was_known = self.is_kept(said)
        found = self.agent._recognize(  # noqa: SLF001
            said, intents, slot_lists, context, said.language, strict_intents_only=True
        )
        if found is None:
            self.forget_miss(said, was_known=was_known)
        return found

    async def async_try_all_templates(self, said: ConversationInput) -> RecognizeResult | None:
        """Return the strict result of all templates, as Home Assistant's agent finds it."""
        if not self.has_known_cache:
            # Its cache cannot be reached: what it keeps is kept under a text that nobody says.
            said = replace(said, text=f"{said.text} ")
            return await self.agent.async_recognize_intent(said, strict_intents_only=True)
        was_known = self.is_kept(said)
        found = await self.agent.async_recognize_intent(said, strict_intents_only=True)
        if found is None:
            self.forget_miss(said, was_known=was_known)
        return found

    def is_kept(self, said: ConversationInput) -> bool:
        """Return whether the agent's cache has a sentence, recognised or not."""
        return _key(said) in self.agent._intent_cache.cache  # noqa: SLF001

    def forget_miss(self, said: ConversationInput, *, was_known: bool) -> None:
        """Drop a sentence that was not recognised from the agent's cache, if it was not there before."""
        key, cache = _key(said), self.agent._intent_cache.cache  # noqa: SLF001
        kept = cache.get(key)
        if not was_known and kept is not None and kept.result is None:
            cache.pop(key, None)


_RECOGNIZER: HassKey[_StrictRecognizer] = HassKey(f"{DOMAIN}_strict_recognizer")


def _recognizer(hass: HomeAssistant, agent: DefaultAgent) -> _StrictRecognizer:
    """Return the strict recogniser of Home Assistant's agent, made at the first use."""
    known = hass.data.get(_RECOGNIZER)
    if known is not None and known.agent is agent:
        return known
    if changed := changed_internals(agent):
        _LOGGER.info("All sentence templates are tried: %s", "; ".join(changed))
    made = hass.data[_RECOGNIZER] = _StrictRecognizer(
        hass, agent, is_usable=not changed, has_known_cache=not _changed_cache(agent)
    )
    return made


def _build(
    intents: LanguageIntents, slot_lists: dict[str, SlotList], known: _Loaded | None
) -> _Loaded:
    """Return the index of a language and a house, the former from before where it is the same.

    Too slow for the event loop. A language that is matched without regard to spaces has no index.
    """
    if intents.intents.settings.ignore_whitespace:
        return _Loaded(intents, None)
    index = known.index if known is not None and known.intents is intents else None
    if index is None or index.house_lists != slot_lists.keys():
        index = TemplateIndex(intents.intents, slot_lists)
        _spell_numbers(intents.intents)
    return _Loaded(intents, index, index.for_house(slot_lists))


def _spell_numbers(intents: Intents) -> None:
    """Have hassil spell the numbers of each list: it does so, and keeps them, where one may first be said."""
    nothing = MatchContext("-")
    own = (data.slot_lists for each in intents.intents.values() for data in each.data)
    for lists in (intents.slot_lists, *own):
        settings = MatchSettings(slot_lists=lists, language=intents.language)
        for name, numbers in lists.items():
            if isinstance(numbers, RangeSlotList):
                any(match_expression(settings, nothing, ListReference(name)))


def _key(said: ConversationInput) -> Any:
    """Return the key of a sentence in the cache of Home Assistant's agent."""
    return default_agent.IntentCacheKey(
        text=said.text,
        language=said.language,
        satellite_id=said.satellite_id,
        device_id=said.device_id,
    )

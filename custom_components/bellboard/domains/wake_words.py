"""Wake words: what makes a voice assistant listen for a command, whoever says it.

A satellite that hears one in an announcement acts for nobody in particular, and so beyond the rights of who announced
it. They are looked for in whatever language is spoken, since an assistant is called the same in all of them.
"""

from collections.abc import Iterator
from itertools import product
import logging
import re

from homeassistant.core import HomeAssistant, callback

from ..home.names import letters_of

_LOGGER = logging.getLogger(__name__)

# Names that nobody says for anything else: those of Home Assistant's own wake words, and of other assistants.
_NAMES = ("jarvis", "nabu", "mycroft", "rhasspy", "alexa", "siri", "cortana", "bixby", "kenobi")
# Everyday words: they wake after a greeting, or where a phrase begins that goes on.
_EVERYDAY = ("computer", "google", "echo", "amazon", "ziggy", "home assistant")
_GREETINGS = (
    "hey",
    "hi",
    "ok",
    "okay",
    "hello",
    "hallo",
    "hej",
    "hola",
    "oi",
    "ola",
    "ciao",
    "salut",
    "czesc",
)
_ALWAYS = frozenset(
    {
        *_NAMES,
        *(f"{name}s" for name in _NAMES),
        *(letters_of(a + b) for a, b in product(_GREETINGS, (*_NAMES, *_EVERYDAY))),
    }
)
_AT_BEGIN = frozenset(map(letters_of, _EVERYDAY))
# What a phrase begins after, in the languages that there are.
_AND = frozenset(
    {"and", "then", "und", "dann", "y", "e", "luego", "et", "puis", "poi", "en", "dan", "i", "potem", "depois"}
)  # fmt: skip

_WORD = re.compile(r"[^\W_]+")
# Between words of one phrase.
_WITHIN = " \t'\u2019-"
# Of a wake word, also one that is spelled: "j a r v i s".
_MOST_WORDS = 8
_VERSION = re.compile(r"_v?\d[\d.]*$")

_SATELLITES, _PIPELINES = "assist_satellite", "assist_pipeline"


@callback
def wakes_assistants(hass: HomeAssistant, text: str) -> bool:
    """Return whether a voice assistant that hears a text takes a part of it for a wake word.

    Known ones count, and those that the satellites of the house report.
    """
    always = _ALWAYS | set(map(letters_of, _reported(hass)))
    words = list(_words(text))
    for at, (_, is_first) in enumerate(words):
        letters = ""
        for end in range(at, min(at + _MOST_WORDS, len(words))):
            letters += words[end][0]
            if letters in always:
                return True
            if is_first and letters in _AT_BEGIN and end + 1 < len(words):
                return True
    return False


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the letters of each word, and whether a phrase begins with it."""
    last, end = "", 0
    for found in _WORD.finditer(text):
        is_first = not last or last in _AND or bool(text[end : found.start()].strip(_WITHIN))
        last, end = letters_of(found[0]), found.end()
        yield last, is_first


def _reported(hass: HomeAssistant) -> Iterator[str]:
    """Yield the wake words that satellites can listen for, and those that Home Assistant listens for itself."""
    # Not every house has satellites, and their integration brings the whole voice pipeline.
    satellites = getattr(hass.data.get(_SATELLITES), "entities", ())
    for satellite in satellites:
        try:
            found = satellite.async_get_configuration().available_wake_words
        except Exception as err:  # noqa: BLE001 - an integration may raise anything
            _LOGGER.debug("Wake words of a satellite are not known: %s", type(err).__name__)
            continue
        yield from (each.wake_word for each in found)
    if _PIPELINES in hass.config.components:
        from homeassistant.components.assist_pipeline import async_get_pipelines  # noqa: PLC0415

        for pipeline in async_get_pipelines(hass):
            if pipeline.wake_word_id:
                # "ok_nabu_v0.1"
                yield _VERSION.sub("", pipeline.wake_word_id)

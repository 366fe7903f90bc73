"""What every test's Home Assistant would read anew, though it never changes: importing this reads it once.

Home Assistant's sentences are thousands, and the demo house is described in YAML: together they are
most of what a house costs from its beginning to its first answer.
"""

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from hassil.intents import Intents
import orjson

import custom_components

_COMPONENTS = str(Path(__file__).parent.parent / "scripts/demonstration/custom_components")
if _COMPONENTS not in custom_components.__path__:
    custom_components.__path__.append(_COMPONENTS)

for _module, _name in (("", "load_house"), (".media_player", "load_library")):
    _holder = import_module(f"custom_components.demo_house{_module}")
    setattr(_holder, _name, cache(getattr(_holder, _name)))

_from_dict = Intents.from_dict
_intents: dict[bytes, Intents] = {}


def _from_dict_once(sentences: dict[str, Any]) -> Intents:
    """Return sentences as hassil reads them, with what it has learnt of them so far.

    The lists beside them are each reader's own: Home Assistant adds to them.
    """
    key = orjson.dumps(sentences, default=str, option=orjson.OPT_NON_STR_KEYS)
    if key not in _intents:
        _intents[key] = _from_dict(sentences)
    return replace(_intents[key], slot_lists=dict(_intents[key].slot_lists))


vars(import_module("hassil.intents"))["Intents"].from_dict = staticmethod(_from_dict_once)

"""What every test's Home Assistant would read anew, though it never changes: importing this reads it once.

Home Assistant's sentences are thousands, and the demo house is described in YAML:
together they are most of what a house costs from its beginning to its first answer.
"""

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from hassil.intents import Intents
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.typing import VolSchemaType
import orjson

import custom_components
from custom_components.bellboard.nlu.template_index import TemplateIndex

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

_indexes: dict[Any, tuple[list[Any], TemplateIndex]] = {}


def _index_once(intents: Intents, house_lists: Iterable[str]) -> TemplateIndex:
    """Return the index of a language's sentences, made once for those that were read once.

    It is told by what it was made of, which is kept with it so that nothing else can have its identity.
    """
    of_the_house = frozenset(house_lists)
    own = {name: each for name, each in intents.slot_lists.items() if name not in of_the_house}
    # How it is made is a part of it: a test may let that fail.
    how = TemplateIndex.__init__
    made_of = [how, intents.intents, intents.expansion_rules, intents.settings, *own.values()]
    key = (of_the_house, *own, *map(id, made_of))
    if key not in _indexes:
        _indexes[key] = (made_of, TemplateIndex(intents, of_the_house))
    index = copy(_indexes[key][1])
    index.intents = intents
    return index


vars(import_module("custom_components.bellboard.nlu.strict_recognition"))["TemplateIndex"] = (
    _index_once
)


_register = EntityComponent.async_register_entity_service
_schemas: dict[Any, VolSchemaType] = {}


def _register_once(
    self: EntityComponent[Any], name: str, schema: Any, *args: Any, **more: Any
) -> None:
    """Register an action of a component of Home Assistant's with a schema that is compiled once."""
    if isinstance(schema, dict):
        key = (self.domain, name, frozenset(schema))
        if key not in _schemas:
            _schemas[key] = cv.make_entity_service_schema(schema)
        schema = _schemas[key]
    _register(self, name, schema, *args, **more)


setattr(EntityComponent, _register.__name__, _register_once)

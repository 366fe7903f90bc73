"""A JSON schema as an AI Task's structure, and the data that comes back as the schema has it.

Providers read a structure as Home Assistant's selectors in plain lists and mappings, and many of them
know neither alternatives nor numbers among which to choose. So alternatives are made one object whose
fields may be left out, what may be null may be left out too, and numbers are chosen by their text; what
comes back is brought into the form that was asked for. Whether it fits is checked by whoever asked.
"""

from collections.abc import Iterator, Mapping, Sequence
import json
from typing import Any

from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectSelector,
    SelectSelectorConfig,
    TextSelector,
)
import voluptuous as vol

from ..llm.models import JsonSchema

_NULL = "null"
_NUMBERS = frozenset({"number", "integer"})


def structure_of(schema: JsonSchema) -> vol.Schema:
    """Return the structure that asks an AI Task for an object of a JSON schema.

    Objects, arrays, enums, texts, numbers, booleans, alternatives of them and null are known; what is of
    no known type is asked for as a text.
    """
    return vol.Schema(_fields(_plain(schema)))


def as_asked(value: Any, schema: JsonSchema) -> Any:
    """Return what came back in the form the JSON schema has, as far as that can be told.

    A field that may be null and was left out is null, one that may be left out and is null is left out,
    and a number that was chosen or written as a text is a number. Everything else is as it came.
    """
    if value is None:
        return None
    plain = _plain(schema)
    if "enum" in plain:
        options = {_text(option): option for option in plain["enum"]}
        return options.get(_text(value), value)
    match plain.get("type"):
        case "object" if isinstance(value, Mapping):
            return _object_as_asked(value, plain)
        case "array" if isinstance(value, Sequence) and not isinstance(value, str):
            return [as_asked(item, plain.get("items", {})) for item in value]
        case "number" | "integer" as kind:
            return _number(value, kind)
        case _:
            return value


def _object_as_asked(value: Mapping[str, Any], plain: JsonSchema) -> dict[str, Any]:
    """Return an object with its null fields as the schema has them."""
    properties: Mapping[str, JsonSchema] = plain.get("properties", {})
    required = plain.get("required", ())
    found = {
        name: as_asked(item, properties.get(name, {}))
        for name, item in value.items()
        if item is not None or name in required or _may_be_null(properties.get(name, {}))
    }
    missing = {
        name: None
        for name in required
        if name not in found and _may_be_null(properties.get(name, {}))
    }
    return found | missing


def _number(value: Any, kind: str) -> Any:
    """Return a number that may be written as a text; what is none is returned as it is."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    if isinstance(value, float) and value.is_integer() and kind == "integer":
        return int(value)
    return value


def _fields(plain: JsonSchema) -> dict[vol.Marker, Any]:
    """Return the fields of an object."""
    required = plain.get("required", ())
    fields: dict[vol.Marker, Any] = {}
    for name, schema in plain.get("properties", {}).items():
        found = _plain(schema)
        if found.get("type") == _NULL or found.get("enum") == []:
            # What can only be null need not be asked for.
            continue
        marker = vol.Required if name in required and not _may_be_null(schema) else vol.Optional
        fields[marker(name, description=schema.get("description"))] = _kind(found)
    return fields


def _kind(plain: JsonSchema) -> Any:
    """Return what asks for a value."""
    if "enum" in plain:
        options = list(dict.fromkeys(map(_text, plain["enum"])))
        return SelectSelector(SelectSelectorConfig(options=options))
    match plain.get("type"):
        case "object":
            return _fields(plain)
        case "array":
            return _array(plain)
        case "boolean":
            return BooleanSelector()
        case "number" | "integer" as kind:
            return NumberSelector(_range(plain, kind))
        case _:
            return TextSelector()


def _array(plain: JsonSchema) -> Any:
    """Return what asks for several values.

    A list, because a selector for several values lets none of them be there twice.
    """
    items = [_kind(_plain(plain.get("items", {})))]
    least, most = plain.get("minItems"), plain.get("maxItems")
    if least is None and most is None:
        return items
    return vol.All(items, vol.Length(min=least, max=most))


def _range(plain: JsonSchema, kind: str) -> NumberSelectorConfig:
    """Return the range of a number."""
    config = NumberSelectorConfig(
        mode=NumberSelectorMode.BOX, step=1 if kind == "integer" else "any"
    )
    if "minimum" in plain:
        config["min"] = plain["minimum"]
    if "maximum" in plain:
        config["max"] = plain["maximum"]
    return config


def _may_be_null(schema: JsonSchema) -> bool:
    """Return whether a value may be null."""
    if any(_may_be_null(variant) for variant in _alternatives(schema)):
        return True
    kind = schema.get("type")
    return (
        kind == _NULL
        or (isinstance(kind, list) and _NULL in kind)
        or None in schema.get("enum", ())
    )


def _alternatives(schema: JsonSchema) -> list[JsonSchema]:
    """Return the alternatives a schema has; none for a schema without."""
    found: list[JsonSchema] = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return found


def _plain(schema: JsonSchema) -> JsonSchema:
    """Return a schema without null and without alternatives: those are made one, as wide as all of them."""
    variants = [
        variant for variant in map(_plain, _alternatives(schema)) if variant.get("type") != _NULL
    ]
    if variants:
        return _merged(variants)
    plain = dict(schema)
    if isinstance(kinds := plain.get("type"), list):
        plain["type"] = next((kind for kind in kinds if kind != _NULL), _NULL)
    if "const" in plain:
        plain["enum"] = [plain["const"]]
    if "enum" in plain:
        plain["enum"] = [option for option in plain["enum"] if option is not None]
    return plain


def _merged(variants: list[JsonSchema]) -> JsonSchema:
    """Return one plain schema for several: what all of them have in common decides."""
    first, *others = variants
    if not others:
        return first
    if all("enum" in variant for variant in variants):
        return {**first, "enum": [option for variant in variants for option in variant["enum"]]}
    kinds = {variant.get("type") for variant in variants}
    if kinds == {"object"}:
        return _merged_objects(variants)
    if len(kinds) == 1:
        return {"type": first.get("type")} | _common_range(variants)
    return {"type": "number"} if kinds == _NUMBERS else {}


def _merged_objects(variants: list[JsonSchema]) -> JsonSchema:
    """Return one object with the fields of all; required is what every one of them requires."""
    named: dict[str, list[JsonSchema]] = {}
    for variant in variants:
        for name, schema in variant.get("properties", {}).items():
            named.setdefault(name, []).append(schema)
    return {
        "type": "object",
        "properties": {
            name: found[0] if len(found) == 1 else {"anyOf": list(_different(found))}
            for name, found in named.items()
        },
        "required": [
            name
            for name in named
            if all(name in variant.get("required", ()) for variant in variants)
        ],
    }


def _different(schemas: list[JsonSchema]) -> Iterator[JsonSchema]:
    """Yield each schema once."""
    for index, schema in enumerate(schemas):
        if schema not in schemas[:index]:
            yield schema


def _common_range(variants: list[JsonSchema]) -> JsonSchema:
    """Return what bounds all of several values of one type, or nothing where one has no bound."""
    found: JsonSchema = {}
    for bound, widest in (("minimum", min), ("maximum", max)):
        values = [variant[bound] for variant in variants if bound in variant]
        if len(values) == len(variants):
            found[bound] = widest(values)
    if all("items" in variant for variant in variants):
        items = list(_different([variant["items"] for variant in variants]))
        found["items"] = items[0] if len(items) == 1 else {"anyOf": items}
    return found


def _text(option: Any) -> str:
    """Return the text by which an option is chosen."""
    return option if isinstance(option, str) else json.dumps(option)

"""Words requests in full, with the names of what they refer to, for Home Assistant to understand."""

from collections.abc import Sequence
import re

from ..domains.models import Command
from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import Words, words_of
from ..nlu.loader import Language

# More things than these are not asked for one by one.
_MAX_NAMED = 8


def word_request(
    action: Command, targets: Sequence[str], catalog: Catalog, language: Language
) -> str:
    """Return the sentence that asks for an action with entities, or nothing where there is none.

    Several entities are several requests in one sentence, where it would be understood so.
    """
    template = language.references.requests.get(action.name)
    names = [_own_name(catalog.entities[target], catalog) for target in targets]
    if template is None or not all(names) or not 0 < len(names) <= _MAX_NAMED:
        return ""
    value = action.parameters.get("value")
    requests = [template.format(name=name, value=value) for name in names]
    begins = language.verbs.intersection(words_of(requests[0])[:1])
    if len(requests) > 1 and not begins:
        return ""
    return language.join(requests)


def _own_name(entity: CatalogEntity, catalog: Catalog) -> str:
    """Return the first name of an entity that no other thing of its kind has, or nothing."""
    index = catalog.named(entity.domain)
    for name in entity.names:
        words = words_of(name)
        found = list(index.find(words))
        if len(found) == 1 and found[0].meanings == (entity,):
            return name
    return ""


def replace_name(
    said: str,
    old: Sequence[CatalogEntity | Place],
    new: CatalogEntity | Place,
) -> str:
    """Return a sentence with one name in it replaced by another, or nothing where it has none.

    `old` is what the name stands for. Only a name of the same sort is replaced: a place by a place.
    """
    if not any(isinstance(thing, type(new)) for thing in old):
        return ""
    names = sorted({name for thing in old for name in thing.names}, key=len, reverse=True)
    for name in names:
        replaced, count = _pattern(words_of(name)).subn(lambda _: new.name, said, count=1)
        if count:
            return replaced
    return ""


def _pattern(words: Words) -> re.Pattern[str]:
    """Return the pattern that finds words in a row in a text as it was said."""
    found = r"[\W_]+".join(re.escape(word) for word in words)
    return re.compile(rf"(?<!\w){found}(?!\w)", re.IGNORECASE)

"""Why a sentence is routed as it is, in terms of its words, the home's names and the scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..agents.models import AgentCard
from ..agents.unknown_names import unexplained
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..home.rights import Rights
from ..nlu.loader import Language
from ..routing.evidence import spoken_words
from ..routing.models import Assignment, Route


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the words of a sentence say to the routers.

    `words` are those that speak of an agent's things, by agent; `names` those that something of the
    home is called by; `unknown` those that nothing explains. `why` has a line for each part.
    """

    words: dict[str, list[str]]
    names: list[str]
    unknown: list[str]
    why: list[str]


def explain(
    text: str,
    *,
    route: Route,
    cards: Sequence[AgentCard],
    language: Language,
    catalog: Catalog,
    rights: Rights,
) -> Explanation:
    """Return why a text is routed as it is, by what whoever said it may know of the home."""
    words = words_of(text)
    found = [
        span
        for span in catalog.anything.find(words)
        if any(
            not isinstance(meant, CatalogEntity) or rights.may_read(meant.entity_id)
            for meant in span.meanings
        )
    ]
    named = [" ".join(words[span.start : span.end]) for span in found]
    known = frozenset(word for name in named for word in name.split())
    return Explanation(
        words=spoken_words(language, cards, text),
        names=named,
        unknown=[words[at] for at in unexplained(words, known, language)],
        why=[_line(part, rights) for part in route.assignments],
    )


def _line(part: Assignment, rights: Rights) -> str:
    """Return why a part of a sentence goes to its agent, and as what it is read."""
    read = ""
    if part.intent:
        readable = [target for target in part.intent.targets if rights.may_read(target)]
        # A name as it is registered tells that the thing is there.
        is_whole = rights.reads_all or len(readable) == len(part.intent.targets) > 0
        told = part.intent.slots if is_whole else {}
        slots = ", ".join(f"{name}: {value}" for name, value in told.items())
        targets = ", ".join(readable)
        read = f" {part.intent.name}({slots})" + (f" for {targets}." if targets else ".")
    score = f"{part.source.value}, {part.confidence:.2f}"
    return f"“{part.instruction}” → {part.agent_id} ({score}): {part.reason}{read}"

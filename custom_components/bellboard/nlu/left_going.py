"""What is left doing what it does when it is on: "leave the fan running", "lass das Licht brennen"."""

from collections.abc import Sequence

from .frame_models import KEEP, LIGHT_VERBS
from .lexicon import Lexicon, Role, Sense
from .spans import Span
from .tokens import spoken_words

_KEEPING, _SETTING = Sense(Role.VERB, KEEP), Sense(Role.VERB, "set")
_ON = Sense(Role.STATE, "on")
_ACTING = frozenset({Role.VERB, Role.STATE, Role.ASKING})


def with_state(text: str, spans: Sequence[Span], lexicon: Lexicon) -> list[Span]:
    """Return spans in which what something does that a verb leaves so says that it is on; any others as they are.

    Most such words mean another thing elsewhere ("run the vacuum", "die Lampe brennt"), so only that verb tells; after
    one that may set something ("let it burn") only words that are no other verb do: "lass den Sauger laufen" starts it.
    """
    first = next((at for at, span in enumerate(spans) if span.has_any(_ACTING)), len(spans) - 1)
    is_left = bool(spans) and _KEEPING in spans[first].senses
    may_set = bool(spans) and _SETTING in spans[first].senses
    if not (is_left or may_set):
        return [*spans]
    found = [*spans[: first + 1]]
    at = first + 1
    while at < len(spans):
        end = next((end for end in range(len(spans), at, -1) if _goes(spans[at:end], lexicon)), 0)
        said = spans[at:end]
        if end and not (may_set and any(_acts(span, is_left=is_left) for span in said)):
            start, stop = spans[at].start, spans[end - 1].end
            found.append(Span(start, stop, spoken_words(text[start:stop]), (_ON,)))
            at = end
        else:
            found.append(spans[at])
            at += 1
    return found


def _acts(span: Span, *, is_left: bool) -> bool:
    """Return whether a span does something by itself; after what leaves a thing so only a verb that tells what."""
    if not is_left:
        return span.has_any(_ACTING)
    return any(s.role is Role.VERB and s.value not in LIGHT_VERBS for s in span.senses)


def _goes(spans: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether spans together are what something does that is on."""
    return tuple(word for span in spans for word in span.words) in lexicon.going

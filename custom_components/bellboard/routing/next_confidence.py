"""Confidence of a next-step decision, from the log-probabilities of its tokens."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
import re

from ..llm.logprobs import choice_distribution, shares_at
from ..llm.models import Completion, TokenLogprob
from .next_decision import RoutingDecisionOutput

_COMPLETE = "workflow_complete"
_AGENT = "next_agent"
# Inside a JSON string a quote has a backslash before it, so this can only be the field itself.
_WRITTEN = re.compile(rf'(?<!\\)"{_COMPLETE}"\s*:\s*(true|false)')
_THOUGHTS_END = "</think>"
_LITERALS = (b"true", b"false")


def confidence_of(
    completion: Completion, decision: RoutingDecisionOutput, agents: Sequence[str]
) -> float | None:
    """Return the probability of a whole decision, between 0 and 1; None without log-probabilities.

    That is whether the task is complete and, where it is not, also which of `agents` goes on.
    """
    share = _share_of_complete(completion, is_complete=decision.workflow_complete)
    if share is None or decision.next_step is None:
        return None if share is None else round(share, 4)
    agent_id, _ = decision.next_step
    among = choice_distribution(completion, _AGENT, agents)
    return None if among is None else round(share * among[agent_id], 4)


def _share_of_complete(completion: Completion, *, is_complete: bool) -> float | None:
    """Return the probability of what was written for `workflow_complete`.

    None where it cannot be told: no log-probabilities, no such field, or several.
    """
    tokens = [token for token in completion.logprobs if token.piece]
    # Latin-1 keeps bytes and characters in step; a token may end inside a character.
    text = b"".join(token.piece for token in tokens).decode("latin-1")
    # What looks like the end of thoughts may stand in the reasoning.
    for begin in dict.fromkeys((max(text.rfind(_THOUGHTS_END), 0), 0)):
        found = list(_WRITTEN.finditer(text, begin))
        if len(found) == 1 and found[0][1] == str(is_complete).lower():
            return _share_at(tokens, found[0].start(1), found[0][1].encode())
    return None


def _share_at(tokens: Sequence[TokenLogprob], start: int, value: bytes) -> float:
    """Return the share of a literal that begins `start` bytes into the text of the tokens."""
    ends = list(accumulate(len(token.piece) for token in tokens))
    at = bisect_right(ends, start)
    begin = ends[at] - len(tokens[at].piece)
    lead = tokens[at].piece[: start - begin].strip()
    return shares_at(tokens[at], _LITERALS, lambda piece: _begun(piece, lead))[value]


def _begun(piece: bytes, lead: bytes) -> tuple[bytes, ...]:
    """Return the literal that a token begins, or nothing where it begins neither.

    `lead` is the punctuation that the written token has before it.
    """
    piece = piece.lstrip()
    if not piece.startswith(lead):
        return ()
    rest = piece.removeprefix(lead).strip()
    if not rest:
        return ()
    return tuple(each for each in _LITERALS if each.startswith(rest) or rest.startswith(each))

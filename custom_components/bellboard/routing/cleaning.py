"""Sanitises text that others wrote, before it stands in a prompt (prompt injection).

Names and descriptions of agents stand in the router's prompt. There they must be words: not the end
of a line, not a mark that structures a prompt, and not an order to the model.
"""

import re
import unicodedata

# Longer texts are not even read: what follows would be cut off anyway.
_READ_PER_KEPT = 8

_MARKS = re.compile(r"[{}<>`]")
# How chat templates and prompts mark who speaks: "system:", "[INST]", "|im_start|", "### Task".
_ROLES = re.compile(
    r"\b(system|assistant|user|developer|tool|human|model|instructions?|prompt)\s*:", re.IGNORECASE
)
_TEMPLATE_MARKS = re.compile(
    r"\[ ?/? ?(?:inst|sys|system) ?\]|\||#{2,}|-{3,}|={3,}|~{3,}", re.IGNORECASE
)
# Orders to the reader of the prompt, in the languages that are spoken here.
_ORDERS = re.compile(
    r"\b(?:ignor\w*|disregard\w*|forget\w*|overrid\w*|bypass\w*|vergiss|missachte\w*|oubli\w+"
    r"|olvid\w+|negeer\w*|vergeet)\b[^.!?;]{0,60}?"
    r"\b(?:instru\w+|prompts?|rules?|messages?|agents?|anweisung\w*|regeln?|règles?|consignes?"
    r"|reglas?|opdracht\w*|regels?)\b"
    r"|\byou\s+(?:are\s+now|must(?:\s+not)?|should\s+(?:always|only|never))\b"
    r"|\b(?:always|only|never|must)\s+(?:choose|select|pick|prefer|route|return)\b",
    re.IGNORECASE,
)


def clean(text: str, limit: int) -> str:
    """Return a text as one line of at most `limit` characters that a prompt can hold.

    Without control and format characters, braces, backticks, angle brackets, role markers and
    phrases that give the model orders. A clean text stays as it is.
    """
    cleaned = text[: limit * _READ_PER_KEPT]
    # What is taken away can leave something behind that has to go as well.
    while (once := _clean_once(cleaned, limit)) != cleaned:
        cleaned = once
    return cleaned


def _clean_once(text: str, limit: int) -> str:
    """Return a text with all that must go taken out once."""
    # Lookalikes become what they look like.
    text = unicodedata.normalize("NFKC", " ".join(text.split()))
    text = "".join(char for char in text if unicodedata.category(char)[0] != "C")
    text = _MARKS.sub("", text)
    text = _ROLES.sub(r"\1", text)
    text = _TEMPLATE_MARKS.sub(" ", text)
    text = _ORDERS.sub(" ", text)
    return " ".join(text.split())[:limit].rstrip()

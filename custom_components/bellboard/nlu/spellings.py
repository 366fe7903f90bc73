"""Phrases that are written in short: "(turn|switch) [it] on", with Home Assistant's signs."""

from collections.abc import Iterator, Mapping
import re

_RULE = re.compile(r"<(\w+)>")
_PLAIN = re.compile(r"[^()\[\]|]+")


def spell_out(text: str, rules: Mapping[str, str]) -> Iterator[str]:
    """Yield all that a phrase stands for: (a|b) are alternatives, [a] may be missing, <rule> stands in `rules`.

    Raises:
        KeyError: there is no such rule.
        ValueError: a bracket is missing.
    """
    while found := _RULE.search(text):
        text = text[: found.start()] + rules[found[1]] + text[found.end() :]
    spelled, end = _alternatives(text, 0)
    if end < len(text):
        raise ValueError(text)
    yield from dict.fromkeys(" ".join(phrase.split()) for phrase in spelled)


def _alternatives(text: str, at: int) -> tuple[list[str], int]:
    """Return what the text from `at` to the end of its brackets stands for, and where that end is."""
    found: list[str] = []
    spelled = [""]
    while at < len(text) and text[at] not in ")]":
        if text[at] in "([":
            choices, end = _alternatives(text, at + 1)
            if text[end : end + 1] != {"(": ")", "[": "]"}[text[at]]:
                raise ValueError(text)
            choices += [""] if text[at] == "[" else []
            spelled = [before + choice for before in spelled for choice in choices]
            at = end + 1
        elif text[at] == "|":
            found += spelled
            spelled = [""]
            at += 1
        elif plain := _PLAIN.match(text, at):
            spelled = [before + plain[0] for before in spelled]
            at = plain.end()
    return [*found, *spelled], at

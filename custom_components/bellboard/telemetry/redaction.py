"""Redaction of events: texts become their length; secrets and chosen parameters are withheld.

No list of field names is complete. So unless texts may be shown, one is kept only if it plainly is an
identifier and its field does not hold what somebody said or wrote.
"""

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, time
from enum import Enum
import math
import re
from typing import Any, Self

from pydantic import BaseModel

from .trace import PAYLOAD_FIELDS, TelemetryEvent

WITHHELD = "<withheld>"
"""The mark of a secret, or of a parameter that is withheld."""

MOST_CHARACTERS = 4000
"""The characters of a text that are kept where texts may be shown."""

_MOST_DEPTH = 12
_TOO_DEEP = "<more>"

_IDENTIFIER = re.compile(r"[A-Za-z0-9_.:+-]{1,128}", re.ASCII)
# An intent of an agent's own: "light-agent/turn_on".
_INTENT = re.compile(r"[a-z0-9_-]{1,64}/[A-Za-z0-9_.:+-]{1,128}", re.ASCII)
# A model by the name its server knows it by: "llama3.2:3b", "meta-llama/Llama-3.1-8B". A path on a disk is none.
_MODEL = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9_.:+@-]{0,63}(?:/[A-Za-z0-9_.:+@-]{1,128}){0,2}", re.ASCII
)
# What redaction writes itself, so that it can be done twice.
_MARK = re.compile(r"<(?:\d+ (?:characters|bytes)|withheld|more)>", re.ASCII)

# Names are compared in small letters, without what stands between their words.
_SEPARATORS = re.compile(r"[^a-z0-9]+", re.ASCII)
_SECRET_NAME = re.compile(
    r"(?:api|access|private|secret|session|encryption|signing)key|passw(?:or)?d|passphrase|secret"
    r"|token|authorization|credential|bearer|cookie|redisurl|webhookid"
    r"|(?:access|alarm|door|lock|master|pass|pin|security|user)code"
)
_SECRET_NAMES = frozenset({"auth", "code", "key", "pin", "pwd"})
_SECRET_VALUE = re.compile(
    r"\b(?:bearer|basic)\s+\S"
    r"|\b(?:sk|glpat|xox[abprs])-[\w-]{8}|\bgh[pousr]_\w{16}"
    r"|\beyJ[\w-]{8,}\."
    r"|://[^/\s@]*@"
    r"|[?&;](?:api_?key|access_token|auth|key|pass(?:word)?|pwd|secret|sig|token)=",
    re.IGNORECASE,
)
_SPOKEN_NAMES = frozenset(
    {
        "album", "albums", "answer", "answers", "artist", "artists", "channel", "content", "description",
        "detail", "details", "genre", "history", "input", "instruction", "instructions", "item", "items",
        "label", "labels", "message", "messages", "name", "names", "note", "output", "playlist", "prompt",
        "query", "question", "reason", "reasoning", "reasons", "reply", "request", "response", "said",
        "sentence", "song", "speech", "spoken", "station", "summary", "text", "texts", "title", "titles",
        "track", "transcript", "utterance", "utterances", "words",
    }
)  # fmt: skip
# media_content_id, media_title, and whatever else a player calls what it plays.
_SPOKEN_PREFIX = "media"


def _plain(name: str) -> str:
    """Return a field's name in plain form: small letters and digits only."""
    return _SEPARATORS.sub("", name.lower())


def _is_secret(name: str, value: object) -> bool:
    """Return whether a plain name is that of a secret; a number of tokens is none."""
    if name.endswith("tokens") and isinstance(value, int):
        return False
    return name in _SECRET_NAMES or _SECRET_NAME.search(name) is not None


def _is_spoken(name: str) -> bool:
    """Return whether a plain name is of what somebody said or wrote."""
    return name in _SPOKEN_NAMES or name.startswith(_SPOKEN_PREFIX)


@dataclass(frozen=True, slots=True)
class Redactor:
    """Redacts payloads; the result is a new JSON object.

    `parameters` are the plain names of parameters that are withheld, `scoped` those that are withheld in one
    intent or by one agent only: pairs of its id in small letters and a name. With `reveal_text`, texts stay;
    secrets and these parameters do not.
    """

    parameters: frozenset[str] = frozenset()
    reveal_text: bool = False
    scoped: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, parameters: str, *, reveal_text: bool = False) -> Self:
        """Return the redactor for comma-separated names of parameters.

        "HassListAddItem: item" is a name that is withheld in one intent, "music-agent: query" for one agent.
        """
        entries = [entry.rpartition(":") for entry in parameters.split(",")]
        named = [(scope.strip().casefold(), _plain(name)) for scope, _, name in entries]
        return cls(
            frozenset(name for scope, name in named if name and not scope),
            reveal_text,
            frozenset((scope, name) for scope, name in named if name and scope),
        )

    def within(self, *ids: object) -> Self:
        """Return the redactor for what has the `ids` of an intent and an agent."""
        inside = {str(each).casefold() for each in ids if each}
        names = {name for scope, name in self.scoped if scope in inside}
        return replace(self, parameters=self.parameters | names) if names else self

    def redacted(self, names: Iterable[str], *ids: str) -> list[str]:
        """Return those names, sorted, whose values are redacted; `ids` are those of an intent and an agent."""
        own = self.within(*ids)
        return sorted(name for name in names if own._is_redacted(_plain(name)))  # noqa: SLF001

    def _is_redacted(self, name: str) -> bool:
        """Return whether values of a plain name are redacted."""
        spoken = _is_spoken(name) and not self.reveal_text
        return spoken or name in self.parameters or _is_secret(name, None)

    def redact_event(self, event: TelemetryEvent) -> TelemetryEvent:
        """Return an event with its payload redacted."""
        return event.model_copy(update={"payload": self.redact(event.payload)})

    def redact(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Return a redacted payload. Its own fields are no parameters, though one be called the same."""
        own = self.within(payload.get("intent_id"), payload.get("agent_id"))
        return {
            own._name(name): own._own_field(name, value)  # noqa: SLF001
            for name, value in payload.items()
        }

    def _own_field(self, name: str, value: object) -> Any:
        """Return the redacted value of a field of the payload itself; the id of an intent or a model is no text."""
        known = {"intent_id": _INTENT, "model": _MODEL}.get(name)
        if known and isinstance(value, str) and known.fullmatch(value):
            return WITHHELD if _SECRET_VALUE.search(value) else value
        return self._field(name, value, own=name in PAYLOAD_FIELDS)

    def _name(self, name: object) -> str:
        """Return a redacted key; one that is no identifier may be a name of the user's."""
        return self._text(name if isinstance(name, str) else str(name), spoken=False)

    def _field(
        self,
        name: object,
        value: object,
        *,
        own: bool = False,
        spoken: bool = False,
        depth: int = 0,
    ) -> Any:
        """Return the redacted value of a field; `own`: of the payload itself."""
        plain = _plain(str(name))
        if _is_secret(plain, value) or (plain in self.parameters and not own):
            return WITHHELD
        return self._value(value, spoken=spoken or _is_spoken(plain), depth=depth)

    def _value(self, value: object, *, spoken: bool, depth: int) -> Any:
        """Return a redacted value; `spoken`: it is, or is in, what somebody said or wrote."""
        match value:
            case None | bool():
                return value
            case Enum():
                return self._value(value.value, spoken=spoken, depth=depth)
            case str():
                return self._text(value, spoken=spoken)
            case int() | float():
                return self._number(value, spoken=spoken)
            case bytes() | bytearray():
                return f"<{len(value)} bytes>"
            case date() | time():
                return self._text(value.isoformat(), spoken=spoken)
        return self._whole(value, spoken=spoken, depth=depth + 1)

    def _whole(self, value: object, *, spoken: bool, depth: int) -> Any:
        """Return a redacted container; of any other object, only its type."""
        if depth > _MOST_DEPTH:
            return _TOO_DEEP
        match value:
            case BaseModel():
                return self._whole(dict(value), spoken=spoken, depth=depth)
            case Mapping():
                return {
                    self._name(name): self._field(name, part, spoken=spoken, depth=depth)
                    for name, part in value.items()
                }
            case Sequence() | AbstractSet():
                return [self._value(part, spoken=spoken, depth=depth) for part in value]
        return f"<{type(value).__name__}>"

    def _number(self, value: float, *, spoken: bool) -> Any:
        """Return a redacted number; JSON has only finite ones."""
        if spoken and not self.reveal_text:
            return _length(str(value))
        return value if math.isfinite(value) else None

    def _text(self, text: str, *, spoken: bool) -> str:
        """Return a redacted text."""
        if _MARK.fullmatch(text):
            return text
        if _SECRET_VALUE.search(text):
            return WITHHELD
        if self.reveal_text:
            # Half a character can be written nowhere.
            whole = text.encode("utf-8", "replace").decode("utf-8")
            return whole[:MOST_CHARACTERS]
        if not spoken and _IDENTIFIER.fullmatch(text):
            return text
        return _length(text)


def _length(text: str) -> str:
    """Return the mark of a text."""
    return f"<{len(text)} characters>"


def withheld(text: str) -> str:
    """Return the mark of a text that may not be read: its length; "" for an empty one and a mark for itself."""
    return _length(text) if text and not _MARK.fullmatch(text) else text


STRICT = Redactor()
"""Redacts all texts, whatever an assistant's options allow: for what leaves the house."""


def without_words(value: Any) -> Any:
    """Return JSON without what somebody said or wrote; texts become their length."""
    return STRICT.redact({"value": value})["value"]

"""The policies file as a text that is edited: its codes withheld, checked as it is read, saved whole or not at all."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
import re

from homeassistant.core import HomeAssistant
from homeassistant.util.file import write_utf8_file_atomic
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.yaml import Secrets
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from ..const import DOMAIN
from .file import POLICIES_FILE, async_load_policies
from .parsing import PolicyFile, PolicyFileError, compose_text, load_text

MOST_CHARACTERS = 200_000
"""Length of a text that can be edited, at most."""

_DATA_LOCK: HassKey[asyncio.Lock] = HassKey(f"{DOMAIN}_policies_editing")

# Where codes are written: from the key to the next one that is not in it.
_PINS = re.compile(r"""(?m)\bpins["']?[ \t]*:.*(?:\n(?:[ \t\r#}\]].*)?)*""")

# What may be one, as many characters may stand between its digits as people write there.
_CODE = re.compile(r"\d(?:[ \t._-]{0,2}\d){3,}")

# What stands for one: its number among those of the file.
_PLACEHOLDER = re.compile(r"••••(\d+)")


class ChangedMeanwhileError(Exception):
    """The file is another than the one that was edited."""


@dataclass(frozen=True, slots=True)
class PolicyText:
    """The text of the file as it is edited: a placeholder stands for each code. `revision` tells it from any other."""

    text: str
    revision: str


@dataclass(frozen=True, slots=True)
class _Written:
    """The file as it is written, and what is withheld of it; empty where there is no file."""

    text: str
    codes: tuple[tuple[int, int], ...] = ()

    @property
    def shown(self) -> PolicyText:
        """Return it as it is edited."""
        parts, at = [], 0
        for number, (start, end) in enumerate(self.codes, 1):
            parts += [self.text[at:start], f"••••{number}"]
            at = end
        text = "".join((*parts, self.text[at:]))
        digest = sha256(repr((self.text, self.codes)).encode()).hexdigest()
        return PolicyText(text, digest)

    def restore(self, text: str) -> str:
        """Return an edited text with its codes.

        Raises:
            PolicyFileError: one of them is none of this file.
        """
        known = {str(n): self.text[slice(*span)] for n, span in enumerate(self.codes, 1)}
        for found in _PLACEHOLDER.finditer(text):
            if found[1] not in known:
                raise PolicyFileError(
                    f'nothing stands behind "{found[0]}": write the code',
                    _line(text, found.start()),
                )
        return _PLACEHOLDER.sub(lambda found: known[found[1]], text)


async def async_read_text(hass: HomeAssistant) -> PolicyText | None:
    """Return the text of the file, empty where there is none; None if it holds no text."""
    try:
        return (await hass.async_add_executor_job(_read, _path(hass), _secrets(hass))).shown
    except OSError, UnicodeDecodeError:
        return None


async def async_check_text(hass: HomeAssistant, text: str, revision: str) -> PolicyFile:
    """Return the policies that an edited text would be. Nothing is saved.

    Raises:
        ChangedMeanwhileError: the file is another than it was.
        PolicyFileError: something in the text is wrong.
    """
    return await hass.async_add_executor_job(_check, _path(hass), _secrets(hass), text, revision)


async def async_save_text(hass: HomeAssistant, text: str, revision: str) -> None:
    """Save an edited text, and put it in force. Of a text that is wrong nothing is saved.

    Raises:
        ChangedMeanwhileError: the file is another than it was.
        PolicyFileError: something in the text is wrong.
    """
    async with hass.data.setdefault(_DATA_LOCK, asyncio.Lock()):
        await hass.async_add_executor_job(_save, _path(hass), _secrets(hass), text, revision)
        await async_load_policies(hass)


def _path(hass: HomeAssistant) -> Path:
    """Return where the file is, or is to be."""
    return Path(hass.config.path(POLICIES_FILE))


def _secrets(hass: HomeAssistant) -> Secrets:
    """Return Home Assistant's secrets."""
    return Secrets(Path(hass.config.config_dir))


def _read(path: Path, secrets: Secrets) -> _Written:
    """Return the file as it is written; it blocks."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return _Written("")
    known: set[str] = set()
    try:
        pins = load_text(text, path, secrets).pins
    except PolicyFileError:
        pass
    else:
        known = {code.get_secret_value() for code in pins.values()}
    return _Written(text, tuple(_codes(text, known)))


def _codes(text: str, known: set[str]) -> Iterator[tuple[int, int]]:
    """Yield where a text has codes: in their own place, and where one that is known stands elsewhere."""
    spans = [(region.start(), region.end()) for region in _PINS.finditer(text)]
    found = [match.span() for start, end in spans for match in _CODE.finditer(text, start, end)]
    for code in known:
        found += _places_of(text, code)
    last = 0
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if start >= last:
            yield start, end
            last = end


def _places_of(text: str, code: str) -> Iterator[tuple[int, int]]:
    """Yield where a code stands in a text, and is no part of a longer number."""
    begin = text.find(code)
    while begin >= 0:
        end = begin + len(code)
        if not (text[:begin][-1:].isdecimal() or text[end : end + 1].isdecimal()):
            yield begin, end
        begin = text.find(code, end)


def _check(path: Path, secrets: Secrets, text: str, revision: str) -> PolicyFile:
    """Check an edited text; see `async_check_text`."""
    return load_text(_whole(path, secrets, text, revision), path, secrets)


def _save(path: Path, secrets: Secrets, text: str, revision: str) -> None:
    """Check and save an edited text; see `async_save_text`."""
    whole = _whole(path, secrets, text, revision)
    load_text(whole, path, secrets)
    # A link goes on leading to the file that it led to.
    target = path.resolve()
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and b"\r\n" in target.read_bytes():
        whole = whole.replace("\n", "\r\n")
    if _read(path, secrets).shown.revision != revision:
        raise ChangedMeanwhileError
    write_utf8_file_atomic(str(target), whole.encode(), private=mode is not None, mode="wb")
    if mode is not None:
        target.chmod(mode)


def _whole(path: Path, secrets: Secrets, text: str, revision: str) -> str:
    """Return an edited text with its codes, if the file is still the one that was edited.

    Raises:
        ChangedMeanwhileError: it is another.
        PolicyFileError: the text is no YAML, or reads what it did not read before.
    """
    try:
        written = _read(path, secrets)
    except UnicodeDecodeError as err:
        raise ChangedMeanwhileError from err
    if written.shown.revision != revision:
        raise ChangedMeanwhileError
    whole = written.restore(text.replace("\r\n", "\n"))
    _check_reads(whole, written.text, path)
    return whole


def _check_reads(text: str, before: str, path: Path) -> None:
    """Refuse what reads other files, where it did not stand before: an error or a rule would show what is in them.

    A code may be a secret: it is never shown.

    Raises:
        PolicyFileError: there is such a thing, or the text is no YAML.
    """
    root = compose_text(text, path)
    try:
        kept = {place for place, _ in _reads(compose_text(before, path))}
    except PolicyFileError:
        kept = set()
    for place, line in _reads(root):
        (*keys, tag, _) = place
        is_code = tag == "!secret" and len(keys) == 2 and keys[0] == "pins"
        if place not in kept and not is_code:
            raise PolicyFileError(
                f"write {tag} in the file itself: here it can only stay where it is", line
            )


def _reads(root: Node | None) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each tag that reads something: the keys that lead to it, itself and what it names, and its line."""
    waiting: list[tuple[Node | None, tuple[str, ...]]] = [(root, ())]
    seen = set[int]()
    while waiting:
        node, keys = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if node.tag.startswith("!"):
            yield (*keys, node.tag, str(node.value)), node.start_mark.line + 1
        if isinstance(node, SequenceNode):
            waiting += [(each, keys) for each in node.value]
        elif isinstance(node, MappingNode):
            for key, value in node.value:
                name = key.value if isinstance(key, ScalarNode) else ""
                waiting += [(key, keys), (value, (*keys, name))]


def _line(text: str, at: int) -> int:
    """Return the line of a place in a text."""
    return text.count("\n", 0, at) + 1

"""Every regular expression of the package, and texts on which a careless one takes ages.

Run as a program it prints the expressions as JSON: all that are compiled while every module is
imported and every language is loaded, with the place in the package that compiles each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
import importlib
import json
from pathlib import Path
import pkgutil
import re
from re import _constants as sre, _parser as sre_parser  # type: ignore[attr-defined]
import signal
import subprocess
import sys
import time
from typing import Any

from hassil import string_matcher
from hassil.trie import Trie

_ROOT = Path(__file__).parent.parent
_PACKAGE = _ROOT / "custom_components" / "bellboard"

SIZES = (1000, 2000, 4000, 8000)
"""The lengths of the inputs, in characters."""

_MOST_GROWTH = 3
# What takes less than this at the greatest length is nobody's trouble, and too short to be measured.
_SECONDS = 0.004
# What takes the processor longer than this, in seconds, will never end.
_PATIENCE = 0.5
# How often an input has to be found slow: something else may have run beside it once, or twice.
_TIMES = 3
# Characters that many expressions look for, beside those that one names itself.
_ALPHABET = (" ", "a", "1", ",", ".", "'", '"', "\\", "<", "`", "{", "/", "-", "\n", "é")
_MOST_LITERALS = 24


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression and the place that compiles it, as in `nlu/loader.py:12`."""

    pattern: str
    flags: int
    place: str


def expressions() -> list[Expression]:
    """Return every expression of the package, found in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.regular_expressions"],
        cwd=_ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [Expression(**entry) for entry in json.loads(done.stdout.splitlines()[-1])]


def slow_inputs(expression: Expression) -> Iterator[str]:
    """Yield the first input that takes more than three times as long when it is twice as long, in words."""
    pattern = re.compile(expression.pattern, expression.flags)
    for name, pump in _pumps(expression):
        # What takes too long at the greatest length takes a sixteenth of that at a quarter of it.
        if _seconds(pattern, _pumped(pump, SIZES[-3])) > _SECONDS / 16 and all(
            _grows(pattern, pump) for _ in range(_TIMES)
        ):
            yield name
            return


def _grows(pattern: re.Pattern[str], pump: tuple[str, str, str]) -> bool:
    """Return whether the time more than triples where the length of an input doubles."""
    before = 0.0
    for size in SIZES:
        took = _seconds(pattern, _pumped(pump, size))
        if took == float("inf"):
            return True
        if took > _SECONDS and before and took > _MOST_GROWTH * before:
            # Again, since something else may have run beside it.
            before = max(before, *(_seconds(pattern, _pumped(pump, size // 2)) for _ in range(3)))
            again = [_seconds(pattern, _pumped(pump, size)) for _ in range(3)]
            if min(again) > _MOST_GROWTH * before:
                return True
        before = took
    return False


def _pumped(pump: tuple[str, str, str], size: int) -> str:
    """Return an input of a size: a beginning, a middle that is repeated, and an end."""
    begin, middle, end = pump
    return begin + middle * (size // len(middle)) + end


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    """Return the time of the processor that looking for a match everywhere in a text takes, in seconds.

    What does not come to its end in time is infinitely long.
    """
    # What else runs on the machine does not count.
    started = time.thread_time()
    former = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PATIENCE)
    try:
        pattern.fullmatch(text)
        for _found in pattern.finditer(text):
            pass
    except TimeoutError:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)
    return time.thread_time() - started


def _stop(_signal: int, _frame: Any) -> None:
    """Stop what takes too long."""
    raise TimeoutError


def _pumps(expression: Expression) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield inputs made of what an expression looks for: each piece of it, over and over."""
    literals = list(
        dict.fromkeys(_literals(sre_parser.parse(expression.pattern, expression.flags)))
    )
    first = next((literal for literal in literals if literal.strip()), "a")
    for piece in (*_ALPHABET, *literals[:_MOST_LITERALS]):
        yield repr(piece), ("", piece, "\x00")
        yield f"{piece!r} and blanks", ("", f"{piece} ", "\x00")
        yield f"{first!r}, then {piece!r}", (first, piece, "\x00")
        yield f"{first!r} and {piece!r} in turn", ("", f"{first}{piece}", "\x00")


def _literals(parsed: Any) -> Iterator[str]:
    """Yield the texts that an expression has in it as they stand, the longest runs of them."""
    run = ""
    for operation, value in parsed:
        if operation is sre.LITERAL:
            run += chr(value)
            continue
        if run:
            yield run
        run = ""
        yield from _inner(operation, value)
    if run:
        yield run


def _inner(operation: Any, value: Any) -> Iterator[str]:
    """Yield the texts of what an operation is made of."""
    if operation is sre.BRANCH:
        for branch in value[1]:
            yield from _literals(branch)
    elif operation in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        yield from _literals(value[2])
    elif operation is sre.SUBPATTERN:
        yield from _literals(value[3])
    elif operation in {sre.ASSERT, sre.ASSERT_NOT}:
        yield from _literals(value[1])
    elif operation is sre.ATOMIC_GROUP:
        yield from _literals(value)
    elif operation is sre.IN:
        yield from (chr(v) for kind, v in value if kind is sre.LITERAL)


def _record() -> list[dict[str, Any]]:
    """Return what the package compiles while all of it is imported and all languages are loaded."""
    found: dict[tuple[str, int, str], None] = {}
    compiled = re.compile

    def record(pattern: Any, flags: int = 0) -> Any:
        frame: Any = sys._getframe(1)
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_PACKAGE) and isinstance(pattern, str):
            place = f"{path.relative_to(_PACKAGE).as_posix()}:{frame.f_lineno}"
            found[pattern, int(flags), place] = None
        return compiled(pattern, flags)

    vars(re)["compile"] = record
    # Words for numbers hold no expressions, and are most of what loading a language takes.
    vars(string_matcher)["_build_range_trie"] = lambda *_: Trie()
    package = importlib.import_module("custom_components.bellboard")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    loader = importlib.import_module("custom_components.bellboard.nlu.loader")
    pieces: dict[str, list[str]] = {}
    for code in loader.available_languages():
        loader._load(code)
        pieces |= _alternatives(code)
    return [
        {"pattern": piece, "flags": flags, "place": place}
        for pattern, flags, place in found
        for piece in pieces.get(pattern, [pattern])
    ]


def _alternatives(code: str) -> dict[str, list[str]]:
    """Return the expressions of a language that are joined to one, by what they are joined to.

    Each of them is looked at by itself: together they take their time, but no longer than each.
    """
    data = importlib.import_module("custom_components.bellboard.nlu.loader").load_data(code)
    claims = data["claims"]
    lists = [*data["guards"].values(), claims, [*claims, *data["passives"]]]
    return {"|".join(patterns): patterns for patterns in lists}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_record()))

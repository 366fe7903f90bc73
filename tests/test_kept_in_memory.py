"""Nothing grows by what callers write: caches have a bound, or keys that are the package's own."""

import ast
from collections.abc import Iterator
import gc
from pathlib import Path

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
import pytest

import custom_components.bellboard as package
from custom_components.bellboard.nlu.loader import Language
from tests.conftest import Setup

_PACKAGE = Path(package.__file__).parent

UNBOUNDED = {
    "domains/light_values.py: _white_point": "white tones by steps, of a fixed range",
    "domains/registry.py: _rows_by_intent": "no argument",
    "domains/registry.py: intents_of_specialists": "no argument",
    "json_model.py: _known": "our own models",
    "nlu/codes.py: load_spoken_numbers": "no argument",
    "nlu/loader.py: _load": "the languages that there are",
    "routing/calibration.py: load_curves": "no argument",
}
"""Caches without a bound, and what their keys are."""


def _caches() -> Iterator[tuple[str, bool]]:
    """Yield the caches of the package by file and function, with whether each has a bound."""
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for decorator in node.decorator_list:
                    text = ast.unparse(decorator)
                    if text.startswith(("cache", "lru_cache")) and "cached_property" not in text:
                        yield f"{name}: {node.name}", text.startswith("lru_cache(maxsize=")
            elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"cache", "lru_cache"}:
                text = ast.unparse(node)
                assert "maxsize=" in text, f"{name}: {text}"
                assert "maxsize=None" not in text, f"{name}: {text}"


def test_every_cache_has_a_bound_or_keys_of_our_own() -> None:
    found = dict(_caches())
    assert {name for name, is_bounded in found.items() if not is_bounded} == {*UNBOUNDED}
    assert len(found) > len(UNBOUNDED)


def _languages() -> int:
    """Return how many languages are in memory."""
    return sum(isinstance(each, Language) for each in gc.get_objects())


@pytest.mark.long
async def test_no_language_code_keeps_another_language(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("hello")
    before = _languages()
    for number in range(40):
        code = ("en-X{:05}", "x{:04}", "{:07}")[number % 3].format(number)
        await conversation.async_converse(
            hass,
            "turn on the floor lamp",
            None,
            Context(),
            language=code,
            agent_id=speaker.agent_id,
        )
    assert _languages() == before

"""A pytest plugin: lets the harness for one Home Assistant release run on the next one.

Loaded with `-p ha_shim` by `scripts/test --latest`. The harness patches names of the release it
pins; what has moved since is put back under its old name here, before the harness is imported.

What has nothing to do with Home Assistant is not tried on another release of it.
"""

from pathlib import Path

# Home Assistant goes first: importing it also puts its own packages in place of third-party ones,
# and the harness must see those.
import homeassistant.components.logger as logger_component
import pytest

if not hasattr(logger_component, "_clear_logger_overwrites"):
    from homeassistant.components.logger import helpers

    logger_component._clear_logger_overwrites = helpers._clear_logger_overwrites


_CONCERNED = ("homeassistant", "hass", "subprocess")
"""What a test module has a word of where a release of Home Assistant, or of what it brings, makes a difference."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests without Home Assistant in modules that have no word of it."""
    concerned: dict[Path, bool] = {}
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        if item.path not in concerned:
            text = item.path.read_text("utf-8")
            concerned[item.path] = any(word in text for word in _CONCERNED)
        fixtures = getattr(item, "fixturenames", ())
        (kept if concerned[item.path] or "hass" in fixtures else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept

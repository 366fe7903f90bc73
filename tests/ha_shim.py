"""A pytest plugin: lets the harness for one Home Assistant release run on the next one.

Loaded with `-p ha_shim` by `scripts/test --latest`. The harness patches names of the release it
pins; what has moved since is put back under its old name here, before the harness is imported.
"""

# Home Assistant goes first: importing it also puts its own packages in place of third-party ones,
# and the harness must see those.
import homeassistant.components.logger as logger_component

if not hasattr(logger_component, "_clear_logger_overwrites"):
    from homeassistant.components.logger import helpers

    logger_component._clear_logger_overwrites = helpers._clear_logger_overwrites

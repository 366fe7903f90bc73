"""What covers can do: blinds, shutters, curtains, garage doors, gates."""

from collections.abc import Iterator

from homeassistant.components.cover import CoverEntityFeature as Feature
from homeassistant.const import STATE_CLOSED, STATE_OPEN
from homeassistant.core import State

from .checks import STATE
from .fields import features_of, has
from .openings import (
    ALIKE,
    PERCENT,
    TOLERANCE,
    opening_actions,
    opening_services,
    said_first_word,
    way_back,
)
from .table import Attribute, Domain, Kept, Service, Step, setting


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps for blinds and the like: the position, then the tilt."""
    position, tilt = before.number("current_position"), before.number("current_tilt_position")
    if position is not None and features_of(state) & Feature.SET_POSITION:
        if changed & {STATE, "current_position"}:
            yield "set_cover_position", {"position": position}
    elif STATE in changed and (way := way_back(before)):
        yield f"{way}_cover", {}
    if "current_tilt_position" not in changed or tilt is None:
        return
    if features_of(state) & Feature.SET_TILT_POSITION:
        yield "set_cover_tilt_position", {"tilt_position": tilt}
    elif tilt in {0, 100}:
        yield ("open_cover_tilt" if tilt else "close_cover_tilt"), {}


COVER = Domain(
    name="cover",
    alike=ALIKE,
    brings={STATE_OPEN: "open_cover", STATE_CLOSED: "close_cover"},
    attributes=(
        Attribute(
            "current_position",
            tolerance=TOLERANCE,
            service="set_cover_position",
            field="position",
            in_scenes=True,
        ),
        Attribute(
            "current_tilt_position",
            tolerance=TOLERANCE,
            service="set_cover_tilt_position",
            field="tilt_position",
        ),
    ),
    services=(
        *opening_services(
            "cover",
            opens=has(Feature.OPEN),
            closes=has(Feature.CLOSE),
            toggles=has(Feature.OPEN | Feature.CLOSE),
            stops=has(Feature.STOP),
            sets=has(Feature.SET_POSITION),
        ),
        # Slats may not tell where they are.
        Service("open_cover_tilt", has(Feature.OPEN_TILT), reply=said_first_word),
        Service("close_cover_tilt", has(Feature.CLOSE_TILT), reply=said_first_word),
        Service("stop_cover_tilt", has(Feature.STOP_TILT), reply=said_first_word),
        setting(
            "set_cover_tilt_position",
            has(Feature.SET_TILT_POSITION),
            "tilt_position",
            PERCENT,
            attribute="current_tilt_position",
            tolerance=TOLERANCE,
            reply=said_first_word,
        ),
    ),
    actions=opening_actions("cover", stops=("stop_cover", "stop_cover_tilt"), moves=True),
    put_back=_put_back,
    is_slow=True,
)
"""The table of covers."""

"""Table of covers: blinds, shutters, curtains, garage doors, gates."""

from collections.abc import Iterator

from homeassistant.components.cover import CoverEntityFeature as Feature
from homeassistant.const import STATE_CLOSED, STATE_OPEN
from homeassistant.core import State

from .actions import Action, Parameter, StepSizes
from .checks import STATE
from .fields import features_of, has
from .open_close import (
    EQUIVALENT_STATES,
    PERCENT,
    TOLERANCE,
    find_restoring_verb,
    open_close_actions,
    open_close_services,
    reply_with_verb,
)
from .services import Attribute, SavedState, Service, UndoStep, setting_service
from .table import Domain

_UNSEEN = "many covers do not tell where their slats are"


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a cover: the position, then the tilt."""
    position, tilt = before.number("current_position"), before.number("current_tilt_position")
    if position is not None and features_of(state) & Feature.SET_POSITION:
        if changed & {STATE, "current_position"}:
            yield "set_cover_position", {"position": position}
    elif STATE in changed and (way := find_restoring_verb(before)):
        yield f"{way}_cover", {}
    if "current_tilt_position" not in changed or tilt is None:
        return
    if features_of(state) & Feature.SET_TILT_POSITION:
        yield "set_cover_tilt_position", {"tilt_position": tilt}
    elif tilt in {0, 100}:
        yield ("open_cover_tilt" if tilt else "close_cover_tilt"), {}


COVER = Domain(
    name="cover",
    equivalent_states=EQUIVALENT_STATES,
    service_for_state={STATE_OPEN: "open_cover", STATE_CLOSED: "close_cover"},
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
        *open_close_services(
            "cover",
            opens=has(Feature.OPEN),
            closes=has(Feature.CLOSE),
            toggles=has(Feature.OPEN | Feature.CLOSE),
            stops=has(Feature.STOP),
            sets=has(Feature.SET_POSITION),
        ),
        # Without a check: many covers do not report their tilt.
        Service("open_cover_tilt", has(Feature.OPEN_TILT), reply=reply_with_verb, unseen=_UNSEEN),
        Service("close_cover_tilt", has(Feature.CLOSE_TILT), reply=reply_with_verb, unseen=_UNSEEN),
        Service("stop_cover_tilt", has(Feature.STOP_TILT), reply=reply_with_verb, unseen=_UNSEEN),
        setting_service(
            "set_cover_tilt_position",
            has(Feature.SET_TILT_POSITION),
            "tilt_position",
            PERCENT,
            attribute="current_tilt_position",
            tolerance=TOLERANCE,
            reply=reply_with_verb,
        ),
    ),
    actions=(
        *open_close_actions("cover", stops=("stop_cover", "stop_cover_tilt"), moves=True),
        Action(
            "set_tilt",
            "set_cover_tilt_position",
            capability=has(Feature.SET_TILT_POSITION),
            parameters=(
                Parameter(
                    "tilt",
                    field="tilt_position",
                    unit="%",
                    low=0,
                    high=100,
                    cast=int,
                    fraction_words=True,
                    commands=("level",),
                    measures="tilt",
                ),
            ),
        ),
        *(
            Action(
                f"{way}_tilt",
                f"{way}_cover_tilt",
                capability=has(feature),
                is_offered=False,
                commands=frozenset({f"{way}_tilt"}),
            )
            for way, feature in (("open", Feature.OPEN_TILT), ("close", Feature.CLOSE_TILT))
        ),
    ),
    # "Open the blinds a bit" is a step from where they are.
    step_sizes=StepSizes(
        sizes={"little": 20, "": 25, "much": 50},
        sets=("set_position", "value"),
        attribute="current_position",
    ),
    plan_undo=_undo_steps,
    is_slow=True,
)
"""Table of covers."""

"""Table of covers: blinds, shutters, curtains, garage doors, gates."""

from collections.abc import Iterator

from homeassistant.components.cover import CoverEntityFeature as Feature
from homeassistant.core import State

from .actions import Action, Parameter, StepSizes
from .checks import STATE
from .effects import Data, Effect, Occurs, always, both, moves, opened_closed, unless_in
from .models import StateLike
from .open_close import (
    EQUIVALENT_STATES,
    PERCENT,
    TOLERANCE,
    find_restoring_verb,
    open_close_actions,
    open_close_services,
    position_value,
    reply_with_verb,
)
from .services import Attribute, SavedState, Service, UndoStep, features_of, has, setting_service
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


def _only_tilts(state: StateLike | None, _data: Data) -> bool:
    """Return whether a cover has slats only, so that tilting them is all that opens or closes it."""
    features = 0 if state is None else state.attributes.get("supported_features")
    return not isinstance(features, int) or not features & (Feature.OPEN | Feature.SET_POSITION)


def _tilted(way: str, direction: int) -> dict[str, Occurs]:
    """Return the services that tilt slats one way, and when."""
    return {
        f"{way}_cover_tilt": always,
        "toggle_cover_tilt": always,
        "set_cover_tilt_position": moves("tilt_position", "current_tilt_position", direction),
    }


_OPENED, _CLOSED, _STOPPED = opened_closed("cover")
_TILTS = {"open": _tilted("open", 1), "close": _tilted("close", -1)}
_EFFECTS = (
    *(
        Effect(
            effect.by,
            {name: both(_only_tilts, occurs) for name, occurs in _TILTS[way].items()},
        )
        for way, effect in (("open", _OPENED), ("close", _CLOSED))
    ),
    _STOPPED,
    *map(Effect, _TILTS.values()),
    Effect({"stop_cover_tilt": always, "toggle_cover_tilt": unless_in()}),
)


COVER = Domain(
    name="cover",
    equivalent_states=EQUIVALENT_STATES,
    attributes=(
        Attribute(
            "current_position",
            tolerance=TOLERANCE,
            service="set_cover_position",
            field="position",
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
    effects=_EFFECTS,
    policy_values=(position_value("cover"),),
    is_slow=True,
)
"""Table of covers."""

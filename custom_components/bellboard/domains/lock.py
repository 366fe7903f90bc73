"""Table of locks."""

from collections.abc import Iterator

from homeassistant.components.lock import LockEntityFeature as Feature, LockState
from homeassistant.core import State

from .actions import Action, Intent
from .checks import STATE, is_one_of
from .effects import same
from .services import SavedState, Service, UndoStep, has
from .table import Domain


def _undo_steps(before: SavedState, _state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo step of a lock, which only ever locks: undo must not unlock a door."""
    if STATE in changed and before.state in {LockState.LOCKED, LockState.LOCKING}:
        yield "lock", {}


LOCK = Domain(
    name="lock",
    equivalent_states={LockState.LOCKING: LockState.LOCKED},
    services=(
        # LOCKING is not enough: a bolt may still jam.
        Service("lock", check=is_one_of(LockState.LOCKED)),
        Service("unlock", check=is_one_of(LockState.UNLOCKED, LockState.OPEN)),
        Service("open", has(Feature.OPEN), check=is_one_of(LockState.OPEN, LockState.OPENING)),
    ),
    # Home Assistant's own agent takes "turn on" of a lock for locking it.
    actions=(
        Action("lock", "lock", intents=(Intent("HassTurnOn"),), commands=frozenset({"lock"})),
        Action(
            "unlock", "unlock", intents=(Intent("HassTurnOff"),), commands=frozenset({"unlock"})
        ),
    ),
    # Whoever opens a door has unlocked it.
    effects=(same("unlock", "open"),),
    plan_undo=_undo_steps,
    undo_refusal="undo.lock",
    not_undone="a door is locked again and never unlocked by undoing",
)
"""Table of locks."""

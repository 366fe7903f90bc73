"""What locks can do."""

from collections.abc import Iterator

from homeassistant.components.lock import LockEntityFeature as Feature, LockState
from homeassistant.core import State

from .checks import STATE, is_one_of
from .fields import has
from .table import Action, Domain, Intent, Kept, Service, Step


def _put_back(before: Kept, _state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the step for a lock. It is only ever locked again: nothing unlocks a door by undoing."""
    if STATE in changed and before.state in {LockState.LOCKED, LockState.LOCKING}:
        yield "lock", {}


LOCK = Domain(
    name="lock",
    alike={LockState.LOCKING: LockState.LOCKED},
    brings={LockState.LOCKED: "lock", LockState.UNLOCKED: "unlock", LockState.OPEN: "open"},
    services=(
        # A door that is still locking is not locked.
        Service("lock", check=is_one_of(LockState.LOCKED)),
        Service("unlock", check=is_one_of(LockState.UNLOCKED, LockState.OPEN)),
        Service("open", has(Feature.OPEN), check=is_one_of(LockState.OPEN, LockState.OPENING)),
    ),
    # To Home Assistant, a lock that is on is locked.
    actions=(
        Action("lock", "lock", intents=(Intent("HassTurnOn"),), commands=frozenset({"lock"})),
        Action(
            "unlock", "unlock", intents=(Intent("HassTurnOff"),), commands=frozenset({"unlock"})
        ),
    ),
    put_back=_put_back,
    undo_refusal="undo.lock",
)
"""The table of locks."""

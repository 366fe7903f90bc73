"""Track record of agents: an exponentially decayed success rate, as a weight for routing."""

from collections import Counter
from collections.abc import Mapping

_DECAY = 0.95
# A poor record halves an agent's weight at the most, a good one doubles nothing: it stays at 1.
_LOWEST = 0.5


class TrackRecord:
    """The recent success rate of each agent."""

    def __init__(self) -> None:
        self._shares: dict[str, float] = {}
        self._worked: Counter[str] = Counter()
        self._noted: Counter[str] = Counter()

    def note(self, agent_id: str, *, success: bool) -> None:
        """Count how a turn of an agent ended; older turns count less and less."""
        self._worked[agent_id] += success
        self._noted[agent_id] += 1
        before = self._shares.get(agent_id, 1.0)
        self._shares[agent_id] = _DECAY * before + (1 - _DECAY) * success

    def weights(self) -> Mapping[str, float]:
        """Return the weight of each agent, from 0.5 (always failed) to 1 (always succeeded)."""
        return {
            agent_id: _LOWEST + (1 - _LOWEST) * share for agent_id, share in self._shares.items()
        }

    def counts(self, agent_id: str) -> tuple[int, int]:
        """Return how many turns of an agent succeeded, and how many there were."""
        return self._worked[agent_id], self._noted[agent_id]

"""What agents did before: the workflow history that a router of the next step is shown (V2 routing).

Written as the seeds write it, in snake case.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class EnvelopeModel(BaseModel):
    """Base of all here: cannot be changed once made, and what is unknown is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object, with what was given and nothing else."""
        return self.model_dump(mode="json", exclude_unset=True)


class WorkflowStep(EnvelopeModel):
    """A step that an agent took. `action` sums up what it did; `timestamp` is ISO 8601."""

    agent_id: str = Field(min_length=1)
    action: str
    timestamp: str

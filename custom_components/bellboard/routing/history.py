"""Workflow history: the steps that agents took, in snake case (V2 routing, WorkflowContext)."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class EnvelopeModel(BaseModel):
    """Base of V2 routing's models: frozen; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object with the fields that were given."""
        return self.model_dump(mode="json", exclude_unset=True)


class WorkflowStep(EnvelopeModel):
    """A completed step of an agent. `action` is its summary; `timestamp` is ISO 8601."""

    agent_id: str = Field(min_length=1)
    action: str
    timestamp: str

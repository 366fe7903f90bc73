"""The JSON convention all contract models share: camel case out, any case in, times in ISO 8601."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel


@cache
def _known(model: type[BaseModel]) -> dict[str, str]:
    """Return a model's fields by their names without underscores."""
    return {name.replace("_", ""): name for name in model.model_fields}


class JsonModel(BaseModel):
    """A model that crosses a wire or a disk in the seeds' JSON.

    Names are camel case when written and matched without regard to case when read; numbers may
    arrive as strings; fields without a value are left out when written (data model, serialization
    strategy).
    """

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _match_any_case(cls, data: Any) -> Any:
        """Map keys that differ from a field's name only in case or underscores to that field."""
        if not isinstance(data, dict) or data.keys() <= cls.__pydantic_fields__.keys():
            return data
        known = _known(cls)
        return {
            known.get(key.replace("_", "").lower(), key) if isinstance(key, str) else key: value
            for key, value in data.items()
        }

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object: camel case, without empty fields."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def timestamp() -> str:
    """Return the current time as an ISO 8601 string in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

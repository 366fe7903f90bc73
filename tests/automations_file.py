"""The file of Home Assistant's automations, in a folder of configuration of its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homeassistant.util.yaml import load_yaml

BY_HAND = """\
# The ones of the house.
- id: by_hand
  alias: By hand  # not to be touched
  triggers:
    - trigger: time
      at: "05:00:00"
  actions: []
"""


@dataclass(frozen=True)
class AutomationsFile:
    """The file of automations, in a folder of configuration."""

    path: Path

    @property
    def text(self) -> str | None:
        """Return what is in it, None where there is none."""
        return self.path.read_text() if self.path.exists() else None

    @property
    def automations(self) -> list[dict[str, Any]]:
        """Return the automations in it."""
        found: Any = load_yaml(self.path)
        return list(found or [])

    @property
    def ids(self) -> list[str]:
        """Return the ids of the automations in it."""
        return [each["id"] for each in self.automations]

    def write(self, text: str | None) -> None:
        """Write it by hand, or delete it."""
        if text is None:
            self.path.unlink()
        else:
            self.path.write_text(text)

    def configure(self, text: str) -> None:
        """Write what Home Assistant reads of it."""
        self.path.with_name("configuration.yaml").write_text(text)

"""What an action takes, and what an entity must be able to do for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from homeassistant.core import HomeAssistant, State

from ..domains.models import ErrorCode
from .fields import Able, Field, worst

type Rule = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolHandler:
    """Checks a call of one action before it is made (orchestration, ToolExecutor).

    `action` is `domain.service`. `fields` are all fields it takes, without its targets; `required`
    are those it needs. `able` says whether an entity has the action at all. `rule` says whether the
    fields, each of them right, go together. `entity_domain` is what it is called for, where that is
    not the action's own domain.
    """

    action: str
    fields: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}))
    required: frozenset[str] = frozenset()
    able: Able | None = None
    rule: Rule | None = None
    entity_domain: str = ""

    def check(self, hass: HomeAssistant, state: State, data: Mapping[str, Any]) -> ErrorCode | None:
        """Return why an entity cannot be called with these data, if so.

        INVALID where nobody could carry it out, before UNSUPPORTED and OUT_OF_RANGE, which are
        about this entity.
        """
        if not data.keys() <= self.fields.keys() or not self.required <= data.keys():
            return ErrorCode.INVALID
        code = worst(self.fields[name](hass, state, value) for name, value in data.items())
        if code is ErrorCode.INVALID or (self.rule and not self.rule(data)):
            return ErrorCode.INVALID
        if state.domain != (self.entity_domain or self.action.partition(".")[0]):
            return ErrorCode.UNSUPPORTED
        if self.able and not self.able(state):
            return ErrorCode.UNSUPPORTED
        return code


def at_most_one(*groups: frozenset[str]) -> Rule:
    """Return the rule that no two fields of a group are given together."""
    return lambda data: all(len(group & data.keys()) <= 1 for group in groups)

"""What every entity of the house has in common, misbehaviour included."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.event import async_call_later

from .const import DOMAIN, MANUFACTURER

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from .house import House, Item


class Mode(StrEnum):
    """How an entity answers an action."""

    NORMAL = "normal"
    IGNORE = "ignore"
    DELAY = "delay"
    HALF = "half"
    UNAVAILABLE = "unavailable"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How an entity answers an action; seconds is how late it is under Mode.DELAY."""

    mode: Mode = Mode.NORMAL
    seconds: float = 0.0


@dataclass(slots=True)
class Household:
    """The running house: its description and its entities by entity id."""

    house: House
    entities: dict[str, HouseEntity] = field(default_factory=dict)
    timers: list[tuple[str, str]] = field(default_factory=list)
    """What the voice panels were told of timers: the event's type and the timer's name."""

    @callback
    def async_restore(self) -> None:
        """Bring every entity back to how it is described, and forget what the panels were told."""
        self.timers.clear()
        for entity in self.entities.values():
            entity.async_become_as_described()
        # All of them first: what one shows may depend on others.
        for entity in self.entities.values():
            entity.async_write_ha_state()


type HouseConfigEntry = ConfigEntry[Household]


class HouseEntity(Entity):
    """One entity of the house: the main entity of its own device."""

    values: ClassVar[tuple[str, ...]] = ()
    """The attributes that Mode.HALF leaves as they are: all that is not on or off."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_should_poll = False

    def __init__(self, household: Household, item: Item) -> None:
        """Place the entity under the entity id that its description gives it."""
        self.household = household
        self.item = item
        self._behaviour = Behaviour()
        self._later: list[Callable[[], None]] = []
        self.entity_id = item.entity_id
        self._attr_unique_id = item.entity_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, item.entity_id)}, name=item.name, manufacturer=MANUFACTURER
        )

    async def async_added_to_hass(self) -> None:
        """Make the entity known to the household."""
        await super().async_added_to_hass()
        self.household.entities[self.item.entity_id] = self

    @callback
    def async_become_as_described(self) -> None:
        """Become what the description says, as at the beginning; nothing is shown, and nothing done later."""
        for cancel in self._later:
            cancel()
        for name in [*vars(self)]:
            # Home Assistant keeps those behind a property under a name of its own.
            if name.removeprefix("_").startswith(("attr_", "_attr_")):
                delattr(self, name.replace("__", "_", 1))
        self._begin()

    @callback
    def _begin(self) -> None:
        """Begin anew, with what the entity was made of."""
        type(self).__init__(self, self.household, self.item)

    @property
    def behaviour(self) -> Behaviour:
        """How the entity answers an action."""
        return self._behaviour

    @behaviour.setter
    def behaviour(self, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._attr_available = behaviour.mode is not Mode.UNAVAILABLE
        if self.hass is not None:
            self.async_write_ha_state()

    @callback
    def async_perform(self, change: Callable[[], None]) -> None:
        """Carry out a change as the behaviour allows, then show the new state.

        Every action of every entity comes through here. Raises HomeAssistantError under Mode.FAIL.
        """
        match self._behaviour.mode:
            case Mode.FAIL:
                message = f"{self.item.name} did not respond"
                raise HomeAssistantError(message)
            case Mode.IGNORE | Mode.UNAVAILABLE:
                return
            case Mode.DELAY:
                self._perform_later(change)
            case Mode.HALF:
                self._perform_half(change)
            case Mode.NORMAL:
                change()
                self.async_show()

    @callback
    def _perform_later(self, change: Callable[[], None]) -> None:
        def now(_: datetime) -> None:
            change()
            self.async_show()

        cancel = async_call_later(self.hass, self._behaviour.seconds, callback(now))
        self._later.append(cancel)
        self.async_on_remove(cancel)

    @callback
    def _perform_half(self, change: Callable[[], None]) -> None:
        """Turn on or off as asked, and leave every value as it was."""
        kept = {name: getattr(self, name, None) for name in self.values}
        change()
        for name, value in kept.items():
            setattr(self, name, value)
        self.async_show()

    @callback
    def async_show(self) -> None:
        """Write the state; an entity whose change shows on others overrides this."""
        self.async_write_ha_state()

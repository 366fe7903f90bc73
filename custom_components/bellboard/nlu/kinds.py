"""Kinds of devices that nouns name ("blinds", "AC", "telly"): what an entity must be to be one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from homeassistant.core import State

from ..domains.climate_settings import supports_mode
from ..home.catalog import CatalogEntity

# Domains of things that are plugged in, which a name may say to be anything: "Desk fan".
_NAMED_BY_USE = frozenset({"switch", "input_boolean", "light", "fan"})
ENTRANCES = frozenset({"door", "garage", "gate"})
"""Kinds of covers, and their device classes, that open a house."""

# An awning that is open gives shade: it is named, and does not open with the blinds.
_COVERINGS = frozenset({"blind", "shade", "shutter", "curtain", None})
_CURTAINS = frozenset({"curtain"})


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of device: its domains, each with device classes (None for any), and the HVAC mode it needs.

    What is of one of the device classes `at_last` is only meant where there is nothing else of the kind. "All" of
    a noun are what is called so, and what is of a device class `of_all`: a sound bar is a speaker.
    """

    domains: Mapping[str, frozenset[str | None] | None] = field(
        default_factory=lambda: MappingProxyType({})
    )
    mode: str = ""
    at_last: frozenset[str | None] = frozenset()
    of_all: frozenset[str] = frozenset()

    def rather(self, entities: Sequence[CatalogEntity]) -> list[CatalogEntity]:
        """Return those of some entities of the kind that it is a name for before the others."""
        first = [entity for entity in entities if entity.device_class not in self.at_last]
        return first or list(entities)

    def includes(self, entity: CatalogEntity, state: State | None) -> bool:
        """Return whether an entity is of the kind, by domain, device class and capability."""
        if entity.domain not in self.domains:
            return False
        classes = self.domains[entity.domain]
        if classes is not None and entity.device_class not in classes:
            return False
        return not self.mode or (state is not None and supports_mode(state, self.mode))

    def may_be_called(self, entity: CatalogEntity) -> bool:
        """Return whether an entity whose name has a noun of the kind is of it."""
        return entity.domain in self.domains or entity.domain in _NAMED_BY_USE


def _any(*domains: str) -> Kind:
    """Return the kind of all entities of some domains."""
    return Kind(MappingProxyType(dict.fromkeys(domains)))


def _classes(**domains: frozenset[str | None] | None) -> Kind:
    """Return the kind of entities with device classes, by domain."""
    return Kind(MappingProxyType(domains))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "light": _any("light"),
        "player": Kind(MappingProxyType({"media_player": None}), of_all=frozenset({"speaker"})),
        "tv": _classes(media_player=frozenset({"tv"})),
        "heating": Kind(MappingProxyType({"climate": None}), "heat"),
        "cooling": Kind(MappingProxyType({"climate": None}), "cool"),
        "thermostat": _any("climate"),
        "fan": _any("fan"),
        "blind": Kind(MappingProxyType({"cover": _COVERINGS}), at_last=_CURTAINS),
        "curtain": Kind(MappingProxyType({"cover": _COVERINGS}), at_last=_COVERINGS - _CURTAINS),
        "awning": _classes(cover=frozenset({"awning"})),
        "garage": _classes(cover=frozenset({"garage"}), binary_sensor=frozenset({"garage_door"})),
        "gate": _classes(cover=frozenset({"gate"}), binary_sensor=frozenset({"opening"})),
        "door": _classes(
            cover=frozenset({"door", "garage", "gate"}),
            lock=None,
            binary_sensor=frozenset({"door", "opening", "garage_door"}),
        ),
        "window": _classes(
            cover=frozenset({"window"}), binary_sensor=frozenset({"window", "opening"})
        ),
        "lock": _any("lock"),
        "plug": _classes(switch=frozenset({"outlet", None})),
        "switch": _any("switch", "input_boolean"),
        "vacuum": _any("vacuum"),
        "mower": _any("lawn_mower"),
        "humidifier": _classes(humidifier=frozenset({"humidifier", None})),
        "dehumidifier": _classes(humidifier=frozenset({"dehumidifier"})),
        "valve": _any("valve"),
        "siren": _any("siren"),
        "water_heater": _any("water_heater"),
        "scene": _any("scene"),
        "script": _any("script"),
        "automation": _any("automation"),
        "button": _any("button", "input_button"),
        "counter": _any("counter"),
        "weather": _any("weather"),
    }
)
"""Kinds by the keys of the language files. What people call a kind that is not here is a name."""

"""Ready templates of agents for devices: their domains and actions. Their texts are each language's."""

from collections.abc import Mapping
from types import MappingProxyType

from homeassistant.const import CONF_DESCRIPTION, CONF_DOMAINS, CONF_NAME

from ..connections.own_agents import CONF_EXAMPLES
from ..domains.registry import table_of
from ..nlu.loader import Language

TEMPLATES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "blinds": ("cover",),
        "vacuum": ("vacuum",),
        "locks": ("lock",),
        "fans": ("fan",),
        "garden": ("valve", "lawn_mower"),
        "appliances": ("switch",),
        "announcements": ("assist_satellite",),
    }
)
"""The domains of each template."""


def template_names() -> list[str]:
    """Return the names of the templates of which there are tables."""
    return [name for name, domains in TEMPLATES.items() if all(map(table_of, domains))]


def fill_template(name: str, language: Language) -> dict[str, object]:
    """Return what a template fills a form with, in a language; examples are split at each "|"."""
    return {
        CONF_NAME: language.say(f"own_agent.{name}.name"),
        CONF_DESCRIPTION: language.say(f"own_agent.{name}.description"),
        CONF_EXAMPLES: language.say(f"own_agent.{name}.examples").split("|"),
        CONF_DOMAINS: list(TEMPLATES[name]),
    }

"""A made-up domain: an aquarium whose light has a level. All that is known of it stands here."""

from enum import IntFlag

from custom_components.bellboard.domains.actions import Action, Intent, Parameter
from custom_components.bellboard.domains.checks import has_value
from custom_components.bellboard.domains.services import Attribute, Service, has, number
from custom_components.bellboard.domains.table import Domain


class Feature(IntFlag):
    """What an aquarium is able to."""

    GLOW = 1


AQUARIUM = Domain(
    name="aquarium",
    agent_id="aquarium-agent",
    prompt_noun="aquariums",
    attributes=(Attribute("level", tolerance=2, service="set_glow"),),
    services=(
        Service(
            "set_glow",
            has(Feature.GLOW),
            fields={"level": number("min_level", "max_level", unit="%")},
            required=frozenset({"level"}),
            check=has_value("level", tolerance=2),
        ),
    ),
    actions=(
        Action(
            "set_glow",
            "set_glow",
            prompt_line="a level in percent",
            capability=has(Feature.GLOW),
            parameters=(
                Parameter(
                    "level",
                    field="level",
                    unit="%",
                    low="min_level",
                    high="max_level",
                    must_reach=True,
                ),
            ),
            intents=(Intent("GlowAquarium", {"glow": "level"}),),
        ),
    ),
)

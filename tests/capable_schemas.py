"""The schemas of the capable contract, as they bind a model."""

from custom_components.bellboard.agents.climate import ClimateAgent
from custom_components.bellboard.agents.device_planner import steps_schema
from custom_components.bellboard.agents.general import GeneralAgent
from custom_components.bellboard.agents.home import HomeAgent
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.agents.music import MusicAgent
from custom_components.bellboard.agents.offered_actions import Offer
from custom_components.bellboard.domains.light import LIGHT
from custom_components.bellboard.llm.models import JsonSchema
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.capable import split_schema

LAMPS = ("Floor Lamp", "Reading Lamp", "Größe 2, Kitchen")
CARDS = [agent.card for agent in (LightAgent, MusicAgent, ClimateAgent, HomeAgent, GeneralAgent)]


def _offer(name: str, **values: JsonSchema) -> Offer:
    """Return an offered action of lights."""
    action = LIGHT.action(name)
    assert action
    return Offer(name, values, LAMPS, action)


SCHEMAS: dict[str, JsonSchema] = {
    "parts": split_schema(RouterOptions(), CARDS),
    "plan": steps_schema(
        [
            _offer("turn_on"),
            _offer(
                "set",
                percent={"type": "number", "minimum": 0, "maximum": 100},
                color={"type": "string", "minLength": 3, "maxLength": 30},
                effect={"type": "string", "enum": ["candle", "rainbow"]},
            ),
            _offer("change_brightness", by={"type": "number", "minimum": -100, "maximum": 100}),
        ]
    ),
}
NONE = dict.fromkeys(("percent", "color", "effect", "by"))
ANSWERS: dict[str, dict[str, object]] = {
    "parts": {
        "parts": [
            {
                "agent": "light",
                "instruction": "dim it",
                "asks": False,
                "later": "",
                "confidence": 0.9,
            }
        ],
        "question": "",
    },
    "plan": {
        "steps": [
            {"action": "turn_on", "targets": ["Floor Lamp"], **NONE},
            {
                "action": "set",
                "targets": ["Größe 2, Kitchen"],
                **NONE,
                "percent": 40,
            },
        ],
        "ask": "",
        "refuse": "",
    },
}

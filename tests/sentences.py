"""Ten sentences to the demo house: one agent and two, three languages, a question, one not ours.

Each with what a model that is right would answer, and what is right in the house afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Sentence:
    """A sentence, the right answers of a model, and the right end of the turn.

    `route` are the agents for the parts that are still open when the model is asked. `plans` are
    the actions by a part of the instruction they belong to. `talk` is what a model says freely.
    `changes` maps each entity that must change to what must hold of it afterwards ("state" or an
    attribute); no other light, player or thermostat may change. `reply` must occur in the answer.
    """

    text: str
    language: str = "en"
    route: tuple[str, ...] = ()
    plans: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    talk: str = ""
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reply: str = ""

    def answer(self, messages: list[Any], schema: Mapping[str, Any] | None) -> Any:
        """Answer as a model that is right."""
        if schema is None:
            return self.talk
        if "agentId" in schema["properties"]:
            first, *rest = self.route
            return {"agentId": first, **({"additionalAgents": rest} if rest else {})}
        asked = messages[-1].content
        return {"actions": next(plan for part, plan in self.plans.items() if part in asked)}


SENTENCES = (
    Sentence(
        "turn off the kitchen lights",
        changes={
            "light.kitchen_ceiling": {"state": "off"},
            "light.kitchen_counter": {"state": "off"},
            "light.kitchen_pendant": {"state": "off"},
        },
    ),
    Sentence(
        "play some jazz in the living room and make it 22 degrees in the bedroom",
        plans={"22 degrees": [{"action": "set_temperature", "temperature": 22}]},
        changes={
            "media_player.living_room_speaker": {"state": "playing"},
            "climate.bedroom_thermostat": {"temperature": 22},
        },
    ),
    Sentence(
        "set the floor lamp to blue at 40 percent",
        plans={
            "blue": [
                {"action": "set", "color": "blue", "percent": 40},
            ]
        },
        changes={"light.floor_lamp": {"state": "on", "brightness": 102, "hs_color": (240, 100)}},
    ),
    Sentence(
        "dim the hallway ceiling to 20 percent and turn the music down",
        plans={
            "hallway": [{"action": "set", "percent": 20}],
            "music": [{"action": "volume_down"}],
        },
        changes={
            "light.hallway_ceiling": {"brightness": 51},
            "media_player.kitchen_speaker": {"volume_level": 0.2},
        },
    ),
    Sentence(
        "it is freezing in the kids room",
        route=("climate",),
        plans={"freezing": [{"action": "change_temperature", "by": 1}]},
        changes={"climate.kids_room_heating": {"temperature": 21}},
    ),
    Sentence(
        "mach die Leselampe aus und stell die Badheizung auf 24 Grad",
        language="de",
        plans={
            "Leselampe": [{"action": "turn_off"}],
            "Badheizung": [{"action": "set_temperature", "temperature": 24}],
        },
        changes={
            "light.reading_lamp": {"state": "off"},
            "climate.bathroom_heating": {"temperature": 24},
        },
    ),
    Sentence(
        "éteins les lumières de la cuisine",
        language="fr",
        plans={"cuisine": [{"action": "turn_off", "targets": ["all"]}]},
        changes={
            "light.kitchen_ceiling": {"state": "off"},
            "light.kitchen_counter": {"state": "off"},
            "light.kitchen_pendant": {"state": "off"},
        },
    ),
    Sentence("is the reading lamp on?", reply="yes"),
    Sentence(
        "what is the capital of France",
        route=("general",),
        talk="The capital of France is Paris.",
        reply="Paris",
    ),
    Sentence(
        "close the bedroom blinds and switch the office air conditioner to dry mode",
        plans={"dry": [{"action": "set_mode", "hvac_mode": "dry"}]},
        changes={"climate.office_air_conditioner": {"state": "dry"}},
    ),
)

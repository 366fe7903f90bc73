"""Light agent: on, off, brightness, colour, colour temperature and effects."""

from collections.abc import Sequence
from typing import ClassVar, override

from homeassistant.const import STATE_ON
from homeassistant.core import State

from ..domains.light import LIGHT
from ..domains.table import Domain
from .base import AgentRequest
from .models import AgentCard
from .specialist import Specialist
from .wording import describe_states


class LightAgent(Specialist):
    """Specialist for lights."""

    table: ClassVar[Domain] = LIGHT
    card: ClassVar[AgentCard] = AgentCard(
        id=LIGHT.agent_id,
        name="Lights",
        description="Lamps and lights.",
        capabilities=("on and off", "brightness", "colour", "white tone", "effects"),
        examples=(
            "switch the lamp off",
            "make it brighter in the study",
            "dim the hallway to 30 percent",
        ),
        domains=frozenset({LIGHT.name}),
        intents=LIGHT.intents,
    )
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("switch it off please", '{"actions":[{"action":"turn_off"}]}'),
        ("dim it to 40 percent", '{"actions":[{"action":"set","percent":40}]}'),
        ("a little brighter", '{"actions":[{"action":"change_brightness","by":10}]}'),
    )

    @override
    def answer_state_question(
        self, request: AgentRequest, what: str, states: Sequence[State]
    ) -> str:
        lit = [state for state in states if state.state == STATE_ON]
        if not lit:
            return request.language.say("tell.lights_off")
        return request.language.say("tell.lights_on", targets=describe_states(request, lit))

"""Climate agent: target temperatures, modes, presets, fan, swing and humidity."""

from collections.abc import Sequence
from typing import ClassVar, override

from homeassistant.core import State

from ..domains.climate import CLIMATE
from ..domains.table import Domain
from ..nlu.kinds import KINDS
from .base import AgentRequest
from .models import AgentCard
from .specialist import Specialist
from .wording import describe_setpoints, describe_states, format_temperature


class ClimateAgent(Specialist):
    """Specialist for thermostats and air conditioners."""

    table: ClassVar[Domain] = CLIMATE
    card: ClassVar[AgentCard] = AgentCard(
        id=CLIMATE.agent_id,
        name="Climate",
        description="Heating and cooling.",
        capabilities=("temperature", "modes", "presets", "fan", "humidity"),
        details="Fans only in air conditioners.",
        examples=(
            "set the study to 21 degrees",
            "it's too cold in here",
            "put the thermostat on eco",
        ),
        domains=frozenset({CLIMATE.name}),
        intents=CLIMATE.intents,
    )
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("19 degrees please", '{"actions":[{"action":"set_temperature","temperature":19}]}'),
        ("a bit warmer", '{"actions":[{"action":"change_temperature","by":1}]}'),
        ("switch it to heating", '{"actions":[{"action":"set_mode","hvac_mode":"heat"}]}'),
    )

    @override
    def requested_mode(self, request: AgentRequest) -> str:
        kinds = request.named.kinds_of(self.domain, with_verbs=True)
        modes = {KINDS[kind].mode for kind in kinds if KINDS[kind].mode}
        return modes.pop() if len(modes) == 1 else ""

    @override
    def answer_state_question(
        self, request: AgentRequest, what: str, states: Sequence[State]
    ) -> str:
        language = request.language
        if what == "tell_target":
            return describe_setpoints(request, states) or language.say("tell.no_temperature")
        readings = [
            language.say(
                "tell.reading",
                value=format_temperature(request, degrees),
                place=_place_of(request, state),
            )
            for state in states
            if isinstance(degrees := state.attributes.get("current_temperature"), int | float)
        ]
        if not readings:
            return language.say("tell.no_temperature")
        return language.say("tell.temperature", readings=language.join(readings))


def _place_of(request: AgentRequest, state: State) -> str:
    """Return the area of a thermostat, else its name."""
    entity = request.catalog.entities.get(state.entity_id)
    area = request.catalog.areas.get(entity.area_id or "") if entity else None
    return area.name if area else describe_states(request, [state])

"""Music agent: playback, search, volume and sources of media players."""

from collections.abc import Mapping, Sequence
import logging
from typing import Any, ClassVar, override

from homeassistant.components.media_player import BrowseMedia, SearchMedia
from homeassistant.const import STATE_PLAYING
from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError

from ..domains.media_player import MEDIA_PLAYER, PLAY
from ..domains.models import ToolCall
from ..domains.playback import MEDIA, MEDIA_TYPE
from ..domains.table import Domain
from ..plans.planner import ChosenAction
from ..plans.tool_executor import async_call_for_response
from .base import AgentRequest
from .models import AgentCard
from .plan_errors import NO_MEDIA, PlanError
from .specialist import Specialist
from .wording import describe_states

_LOGGER = logging.getLogger(__name__)


class MusicAgent(Specialist):
    """Specialist for media players."""

    table: ClassVar[Domain] = MEDIA_PLAYER
    card: ClassVar[AgentCard] = AgentCard(
        id=MEDIA_PLAYER.agent_id,
        name="Music",
        description="Music and players.",
        capabilities=("play", "pause", "skip", "volume", "sources"),
        examples=("play something by Nina Simone", "skip this song", "turn the volume down"),
        domains=frozenset({MEDIA_PLAYER.name}),
        intents=MEDIA_PLAYER.intents,
    )
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("a bit quieter", '{"actions":[{"action":"volume_down"}]}'),
        ("put on some blues", '{"actions":[{"action":"play","query":"blues"}]}'),
        ("skip this one", '{"actions":[{"action":"next"}]}'),
    )

    @override
    async def async_calls(
        self, request: AgentRequest, chosen: ChosenAction, states: Sequence[State]
    ) -> list[ToolCall]:
        if chosen.name != PLAY.name:
            return await super().async_calls(request, chosen, states)
        if not (able := PLAY.capable_states(states)):
            raise PlanError("no_player")
        players = PLAY.prefer(able) if PLAY.prefer else able
        return [await self._async_find(request, chosen.parameters, players)]

    @override
    def answer_state_question(
        self, request: AgentRequest, what: str, states: Sequence[State]
    ) -> str:
        told = [
            _playing(request, state)
            for state in states
            if state.state == STATE_PLAYING and state.attributes.get("media_title")
        ]
        return " ".join(told) or request.language.say("tell.silent")

    async def _async_find(
        self, request: AgentRequest, parameters: Mapping[str, Any], states: Sequence[State]
    ) -> ToolCall:
        """Search for media with the first player, and return the call that plays the first result.

        `parameters` hold the `query`, and optionally what is searched for `instead` where nothing is called
        so, and the `media_class` to search for.

        Raises:
            PlanError: nothing playable was found.
        """
        player, query = states[0].entity_id, str(parameters["query"])
        for wanted in filter(None, (query, str(parameters.get("instead") or ""))):
            kind = parameters.get("media_class") if wanted == query else None
            if media := await self._async_search(request, player, wanted, kind):
                data = {MEDIA: media.media_content_id, MEDIA_TYPE: media.media_content_type}
                action = f"{self.domain}.{PLAY.service}"
                return ToolCall(action=action, targets=(player,), data=data, label=media.title)
        raise PlanError(NO_MEDIA, query=query)

    async def _async_search(
        self, request: AgentRequest, player: str, query: str, kind: str | None
    ) -> BrowseMedia | None:
        """Return the first that a player finds and can play, None for nothing."""
        search: dict[str, Any] = {"entity_id": player, "search_query": query}
        if kind:
            search["media_filter_classes"] = [kind]
        try:
            response = await async_call_for_response(
                request.hass, self.domain, "search_media", search, request.user_input.context
            )
        except HomeAssistantError as err:
            _LOGGER.debug("%s could not search: %s", player, type(err).__name__)
            return None
        return _first_playable((response or {}).get(player))


def _playing(request: AgentRequest, state: State) -> str:
    """Return the sentence with a player's title and artist."""
    attributes = state.attributes
    values = {"title": attributes["media_title"], "targets": describe_states(request, [state])}
    if artist := attributes.get("media_artist"):
        return request.language.say("tell.playing_by", artist=artist, **values)
    return request.language.say("tell.playing", **values)


def _first_playable(found: Any) -> BrowseMedia | None:
    """Return the first playable result of a search response, or None."""
    if not isinstance(found, SearchMedia):
        return None
    return next((media for media in found.result if media.can_play), None)

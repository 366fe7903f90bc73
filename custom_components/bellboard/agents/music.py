"""Music agent: playback, search, volume and sources of media players."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, override

from homeassistant.const import STATE_PLAYING
from homeassistant.core import State

from ..domains.actions import ActionError, ActionInput
from ..domains.media_player import MEDIA_PLAYER, PLAY
from ..domains.media_search import CAN_SEARCH, kind_of
from ..domains.models import Command, ToolCall
from ..domains.player_groups import leader_of
from ..domains.table import Domain
from ..domains.together import plan_group
from ..nlu.media import MediaName, MediaRequest, name_of, read_media
from ..nlu.play import may_be_for_device
from ..nlu.spans import cover_text
from .base import AgentRequest
from .media_lookup import async_find_media
from .models import AgentCard
from .plan_answers import NO_MEDIA, UNKNOWN_MEDIA, PlanError
from .specialist import Specialist
from .wording import describe_states

# Attributes that say what plays.
_CURRENT = ("media_title", "media_artist")


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
        self, request: AgentRequest, chosen: Command, states: Sequence[State]
    ) -> list[ToolCall]:
        if chosen.name != PLAY.name:
            return await super().async_calls(request, chosen, states)
        if not (able := PLAY.capable_states(states)):
            raise PlanError("no_player")
        if chosen.parameters.get("together") and len(able) > 1:
            return await self._async_together(request, chosen.parameters, able)
        players = PLAY.prefer(able) if PLAY.prefer else able
        return [await self._async_find(request, chosen.parameters, players)]

    async def _async_together(
        self, request: AgentRequest, parameters: Mapping[str, Any], states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls that play on all of some players: as a group where they have groups, else on each.

        Raises:
            PlanError: nothing playable was found.
        """
        try:
            grouped = plan_group(ActionInput(others=states), states)
        except ActionError:
            return [await self._async_find(request, parameters, [state]) for state in states]
        leader = [state for state in states if state.entity_id in grouped[0].targets]
        return [*grouped, await self._async_find(request, parameters, leader)]

    @override
    def answer_state_question(
        self, request: AgentRequest, what: str, states: Sequence[State]
    ) -> str:
        heard: dict[str, list[State]] = {}
        for state in states:
            if state.state == STATE_PLAYING and state.attributes.get("media_title"):
                heard.setdefault(leader_of(state), []).append(state)
        told = [_playing(request, together) for together in heard.values()]
        return " ".join(told) or request.language.say("tell.silent")

    async def _async_find(
        self, request: AgentRequest, parameters: Mapping[str, Any], states: Sequence[State]
    ) -> ToolCall:
        """Return the call that plays what is looked for on the first player, or the first that finds it.

        `parameters` are those of `domains.media_player.PLAY`.

        Raises:
            PlanError: nothing playable was found.
        """
        asked = tuple(_wanted(request, parameters, states))
        for wanted in asked:
            for player in states:
                if call := await async_find_media(request, player, wanted):
                    return call
        if not any(map(CAN_SEARCH, states)):
            raise PlanError("no_player")
        raise PlanError(
            UNKNOWN_MEDIA if _may_be_for_device(request, asked) else NO_MEDIA,
            is_final=True,
            query=str(parameters["query"]),
            targets=describe_states(request, states[:1]),
        )


def _may_be_for_device(request: AgentRequest, asked: Sequence[MediaRequest]) -> bool:
    """Return whether an instruction may be for a device that is not there: "put on the sauna"."""
    house = request.house
    if house is None or any(wanted.kind for wanted in asked):
        return False
    return may_be_for_device(cover_text(request.instruction, house))


def _wanted(
    request: AgentRequest, parameters: Mapping[str, Any], states: Sequence[State]
) -> Iterator[MediaRequest]:
    """Yield what is to be looked for: what was said, then what a model would take instead of a mood."""
    words = request.language.media
    given = {name: str(value) for name, value in parameters.items() if value}
    kind = kind_of(given.get("media_type") or given.get("media_class", ""))
    for query in filter(None, (given.get("query"), given.get("instead"))):
        wanted = read_media(query, words, kind=kind if query == given.get("query") else "")
        if wanted.of_current:
            title, artist = (states[0].attributes.get(each) for each in _CURRENT)
            names = (name_of(str(title), str(artist or "")),) if title else ()
            wanted = replace(wanted, names=names, kind="track")
        elif artist_or_album := {key: given[key] for key in ("artist", "album") if key in given}:
            named = name_of(" ".join(name.title for name in wanted.names[:1]), **artist_or_album)
            wanted = replace(wanted, names=(named, *wanted.names))
        if (said := given.get("said")) and query == given["query"]:
            asked = read_media(said, words)
            whole = MediaName(asked.said, is_whole=True)
            wanted = replace(wanted, names=(whole, *wanted.names), kind=wanted.kind or asked.kind)
        enqueue = given.get("enqueue", "") or wanted.enqueue
        yield replace(wanted, enqueue=enqueue, is_radio=wanted.is_radio or "radio_mode" in given)


def _playing(request: AgentRequest, states: Sequence[State]) -> str:
    """Return the sentence with title and artist of what players play together."""
    attributes = states[0].attributes
    values = {"title": attributes["media_title"], "targets": describe_states(request, states)}
    if artist := attributes.get("media_artist"):
        return request.language.say("tell.playing_by", artist=artist, **values)
    return request.language.say("tell.playing", **values)

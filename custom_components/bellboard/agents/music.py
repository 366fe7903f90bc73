"""The music agent: playing, pausing, skipping, volume, sources."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, override

from homeassistant.components.media_player import (
    BrowseMedia,
    MediaPlayerEntityFeature as Feature,
    SearchMedia,
)
from homeassistant.const import STATE_OFF, STATE_PAUSED, STATE_PLAYING, STATE_STANDBY
from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError

from ..const import MUSIC_AGENT_ID
from ..domains.models import ToolCall
from ..nlu.targets import Scope
from ..plans.executor import async_read
from ..plans.models import RecognizedIntent
from ..plans.planner import Action, Chosen
from .base import AgentRequest
from .models import AgentCard
from .specialist import PlanError, Specialist, by_value, describe_states, is_off, need, supporting
from .values import choice_schema, direction, mentioned, number_schema, span_schema

_CAN_FIND = Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA

# Plain actions: the feature they need and the service they call.
_SIMPLE: dict[str, tuple[int, str]] = {
    "pause": (Feature.PAUSE, "media_pause"),
    "resume": (Feature.PLAY, "media_play"),
    "stop": (Feature.STOP, "media_stop"),
    "next": (Feature.NEXT_TRACK, "media_next_track"),
    "previous": (Feature.PREVIOUS_TRACK, "media_previous_track"),
    "volume_up": (Feature.VOLUME_STEP | Feature.VOLUME_SET, "volume_up"),
    "volume_down": (Feature.VOLUME_STEP | Feature.VOLUME_SET, "volume_down"),
    "turn_on": (Feature.TURN_ON, "turn_on"),
    "turn_off": (Feature.TURN_OFF, "turn_off"),
    "toggle": (Feature.TURN_ON | Feature.TURN_OFF, "toggle"),
}
# Actions that set one field: the feature, the service and its data.
_SETTINGS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "mute": (Feature.VOLUME_MUTE, "volume_mute", {"is_volume_muted": True}),
    "unmute": (Feature.VOLUME_MUTE, "volume_mute", {"is_volume_muted": False}),
    "shuffle_on": (Feature.SHUFFLE_SET, "shuffle_set", {"shuffle": True}),
    "shuffle_off": (Feature.SHUFFLE_SET, "shuffle_set", {"shuffle": False}),
}
# What does nothing with a player that is off, or would turn it on.
_WHILE_ON = frozenset(
    {
        "pause",
        "stop",
        "next",
        "previous",
        "volume_up",
        "volume_down",
        "set_volume",
        "change_volume",
        "mute",
        "unmute",
    }
)
_OFF = frozenset({STATE_OFF, STATE_STANDBY})
_OF_INTENT = {
    "HassTurnOn": "turn_on",
    "HassTurnOff": "turn_off",
    "HassToggle": "toggle",
    "HassMediaPause": "pause",
    "HassMediaUnpause": "resume",
    "HassMediaNext": "next",
    "HassMediaPrevious": "previous",
    "HassMediaPlayerMute": "mute",
    "HassMediaPlayerUnmute": "unmute",
}


class MusicAgent(Specialist):
    """Plans for media players."""

    card: ClassVar[AgentCard] = AgentCard(
        id=MUSIC_AGENT_ID,
        name="Music",
        description="Music and players.",
        capabilities=("play", "pause", "skip", "volume", "sources"),
        examples=("play something by Nina Simone", "skip this song", "turn the volume down"),
        domains=frozenset({"media_player"}),
        intents=frozenset(
            {*_OF_INTENT, "HassSetVolume", "HassSetVolumeRelative", "HassMediaSearchAndPlay"}
        ),
    )
    domain: ClassVar[str] = "media_player"
    prompt: ClassVar[str] = """\
You control the music players of a home. Turn the request into actions, as JSON.
- play: query is what to search for, in the user's words
- pause, resume, stop, next, previous
- volume_up, volume_down, mute, unmute
- set_volume: percent from 0 to 100
- shuffle_on, shuffle_off
- set_repeat: off, all or one
- select_source: a source by name
- turn_on, turn_off
"targets" are the devices meant; "all" means all of them."""
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("a bit quieter", '{"actions":[{"action":"volume_down"}]}'),
        ("put on some blues", '{"actions":[{"action":"play","query":"blues"}]}'),
        ("skip this one", '{"actions":[{"action":"next"}]}'),
    )

    @override
    def actions(self, request: AgentRequest, states: Sequence[State]) -> list[Action]:
        text, language = request.instruction, request.language
        wrong_way = {1: "volume_down", -1: "volume_up"}.get(direction(text, language))
        found: list[Action] = []
        if _finding(states) and (query := span_schema(text, language.ignored)):
            found.append(Action("play", {"query": query}))
        found += [
            Action(name)
            for name, (feature, _) in _SIMPLE.items()
            if name != wrong_way and supporting(states, feature)
        ]
        found += [
            Action(name)
            for name, (feature, _, _) in _SETTINGS.items()
            if supporting(states, feature)
        ]
        if supporting(states, Feature.VOLUME_SET) and (
            percent := number_schema(text, language, 0, 100, percent=True)
        ):
            found.append(Action("set_volume", {"percent": percent}))
        if supporting(states, Feature.REPEAT_SET) and (
            repeat := choice_schema(["off", "all", "one"])
        ):
            found.append(Action("set_repeat", {"repeat": repeat}))
        sources = sorted({source for s in states for source in _sources(s)})
        if source := choice_schema(mentioned(text, language, sources)):
            found.append(Action("select_source", {"source": source}))
        return found

    @override
    def misses(
        self, request: AgentRequest, step: Chosen, scope: Scope, states: Sequence[State]
    ) -> bool:
        # Titles are made of any words.
        return step.name != "play" and super().misses(request, step, scope, states)

    @override
    async def async_calls(
        self, request: AgentRequest, chosen: Chosen, states: Sequence[State]
    ) -> list[ToolCall]:
        parameters = chosen.parameters
        if chosen.name in _WHILE_ON:
            states = _awake(request, chosen.name, states)
        match chosen.name:
            case "play":
                return [await self._async_find(request, parameters, states)]
            case "set_volume":
                able = supporting(states, Feature.VOLUME_SET)
                data = {"volume_level": float(parameters["percent"]) / 100}
                return [_call("volume_set", need(request, able, states), data)]
            case "change_volume":
                return self._change_volume(request, float(parameters["by"]), states)
            case "set_repeat":
                able = supporting(states, Feature.REPEAT_SET)
                return [_call("repeat_set", need(request, able, states), dict(parameters))]
            case "select_source":
                able = [s for s in states if parameters["source"] in _sources(s)]
                return [_call("select_source", need(request, able, states), dict(parameters))]
            case name if setting := _SETTINGS.get(name):
                feature, service, data = setting
                able = supporting(states, feature)
                return [_call(service, need(request, able, states), data)]
            case name:
                feature, service = _SIMPLE[name]
                able = _most_apt(name, supporting(states, feature))
                return [_call(service, need(request, able, states))]

    @override
    def tell(self, request: AgentRequest, what: str, states: Sequence[State]) -> str:
        told = [
            _playing(request, state)
            for state in states
            if state.state == STATE_PLAYING and state.attributes.get("media_title")
        ]
        return " ".join(told) or request.language.say("tell.silent")

    @override
    def from_intent(self, intent: RecognizedIntent) -> list[Chosen]:
        match intent.name:
            case "HassSetVolume":
                return [Chosen("set_volume", {"percent": int(intent.slots["volume_level"])})]
            case "HassSetVolumeRelative":
                step = intent.slots["volume_step"]
                if step in {"up", "down"}:
                    return [Chosen(f"volume_{step}")]
                return [Chosen("change_volume", {"by": int(step)})]
            case "HassMediaSearchAndPlay":
                query = {"query": str(intent.slots["search_query"])}
                if kind := intent.slots.get("media_class"):
                    query["media_class"] = str(kind)
                return [Chosen("play", query)]
            case name:
                return [Chosen(_OF_INTENT[name])]

    async def _async_find(
        self, request: AgentRequest, parameters: Mapping[str, Any], states: Sequence[State]
    ) -> ToolCall:
        """Search on the first player that can, and return the call that plays what was found.

        `parameters` hold the `query`, and the `media_class` where only that kind was asked for.

        Raises:
            PlanError: no player can search, or nothing was found.
        """
        if not (players := _most_apt("play", _finding(states))):
            raise PlanError("no_player")
        player, query = players[0].entity_id, str(parameters["query"])
        search: dict[str, Any] = {"entity_id": player, "search_query": query}
        if kind := parameters.get("media_class"):
            search["media_filter_classes"] = [kind]
        try:
            response = await async_read(
                request.hass, self.domain, "search_media", search, request.user_input.context
            )
        except HomeAssistantError as err:
            raise PlanError("no_media", query=query) from err
        media = _first_playable((response or {}).get(player))
        if media is None:
            raise PlanError("no_media", query=query)
        data = {
            "media_content_id": media.media_content_id,
            "media_content_type": media.media_content_type,
        }
        return ToolCall(
            action="media_player.play_media", targets=(player,), data=data, label=media.title
        )

    def _change_volume(
        self, request: AgentRequest, by: float, states: Sequence[State]
    ) -> list[ToolCall]:
        """Return the calls that move volumes by percentage points, each from where it is."""
        able = [
            state
            for state in supporting(states, Feature.VOLUME_SET)
            if isinstance(state.attributes.get("volume_level"), int | float)
        ]
        need(request, able, states)
        values = {
            s.entity_id: round(min(max(s.attributes["volume_level"] + by / 100, 0.0), 1.0), 2)
            for s in able
        }
        return by_value(values, "media_player.volume_set", "volume_level")


def _awake(request: AgentRequest, name: str, states: Sequence[State]) -> Sequence[State]:
    """Return the players that are on; all where none of them is able to do an action anyway.

    Raises:
        PlanError: those that could do it are off.
    """
    feature = (_SIMPLE.get(name) or _SETTINGS.get(name) or (Feature.VOLUME_SET,))[0]
    able = supporting(states, feature)
    awake = [state for state in states if state.state not in _OFF]
    if able and not awake:
        raise is_off(request, able)
    return awake or states


def _playing(request: AgentRequest, state: State) -> str:
    """Return the sentence that says what a player plays."""
    attributes = state.attributes
    values = {"title": attributes["media_title"], "targets": describe_states(request, [state])}
    if artist := attributes.get("media_artist"):
        return request.language.say("tell.playing_by", artist=artist, **values)
    return request.language.say("tell.playing", **values)


def _call(service: str, targets: list[str], data: dict[str, Any] | None = None) -> ToolCall:
    """Return a call of the media player domain."""
    return ToolCall(action=f"media_player.{service}", targets=tuple(targets), data=data or {})


def _finding(states: Sequence[State]) -> list[State]:
    """Return the players that can search for media and play what they find."""
    return [
        state
        for state in states
        if int(state.attributes.get("supported_features", 0)) & _CAN_FIND == _CAN_FIND
    ]


def _sources(state: State) -> list[str]:
    """Return the sources a player can switch to."""
    if not supporting([state], Feature.SELECT_SOURCE):
        return []
    return list(state.attributes.get("source_list") or ())


def _most_apt(action: str, states: list[State]) -> list[State]:
    """Return the players an action is for when several were meant.

    Skipping or pausing is for those that play, resuming for those that pause; where none does, for
    all of them. Something new plays where it plays already.
    """
    wanted = STATE_PAUSED if action == "resume" else STATE_PLAYING
    if action not in {"resume", "pause", "stop", "next", "previous", "play"}:
        return states
    return [state for state in states if state.state == wanted] or states


def _first_playable(found: Any) -> BrowseMedia | None:
    """Return the first result of a search that can be played."""
    if not isinstance(found, SearchMedia):
        return None
    return next((media for media in found.result if media.can_play), None)

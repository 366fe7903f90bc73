"""Table of media players."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.const import (
    STATE_BUFFERING,
    STATE_IDLE,
    STATE_OFF,
    STATE_ON,
    STATE_PLAYING,
    STATE_STANDBY,
)
from homeassistant.core import HomeAssistant, State

from .actions import Action, Intent, Parameter, ParameterKind, StepSizes, choice, percentage
from .checks import STATE, TOGGLED, OutcomeCheck, has_moved, is_none_of, is_one_of
from .media_search import CAN_FIND_MEDIA
from .models import ErrorCode, StateLike, ToolCall
from .music_assistant import reply_media
from .playback import (
    EFFECTS,
    MEDIA,
    MEDIA_TYPE,
    OFF,
    POSITION,
    SOUNDING,
    has_joined,
    has_unjoined,
    is_playing_asked,
    media_position,
    prefer_playing,
    supports,
    undo_playback,
)
from .services import (
    FRACTION,
    Attribute,
    Comparison,
    Field,
    ReplyTranslation,
    SavedState,
    Service,
    UndoStep,
    ValueFormatter,
    as_number,
    at_most_one,
    check_available,
    flag,
    has,
    listed,
    most_severe,
    needing,
    number,
    one_of,
    restore_attributes,
    setting_service,
    text,
)
from .table import Domain, PolicyValue
from .together import TOGETHER_ACTIONS, plan_resume, reply_joined, reply_sought
from .tts import ANNOUNCE_ON_PLAYER

_REPEATS = ("off", "all", "one")
_VOLUME = "volume_level"
_VOLUME_TOLERANCE = 0.03
_CAN_SET_VOLUME = has(Feature.VOLUME_SET)
_CAN_STEP_VOLUME = has(Feature.VOLUME_SET, Feature.VOLUME_STEP)
# Home Assistant's default `volume_step`, for the value that policies compare.
_VOLUME_STEPS = MappingProxyType({"media_player.volume_up": 0.1, "media_player.volume_down": -0.1})


# Field validators.


def _validate_group(hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Accept a list of players that are exposed, available and support grouping."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return ErrorCode.INVALID
    return most_severe(_validate_member(hass, entity_id) for entity_id in value)


def _validate_member(hass: HomeAssistant, entity_id: Any) -> ErrorCode | None:
    """Return why an entity cannot join a group, or None."""
    if not isinstance(entity_id, str):
        return ErrorCode.INVALID
    if code := check_available(hass, entity_id):
        return code
    if entity_id.partition(".")[0] != "media_player":
        return ErrorCode.UNSUPPORTED
    state = hass.states.get(entity_id)
    able = state and has(Feature.GROUPING)(state)
    return None if able else ErrorCode.UNSUPPORTED


# Replies.


def _reply_repeat(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to a repeat mode."""
    return "repeat_set", {"value": words.say(f"repeat.{call.data['repeat']}")}


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a player: off, or on with its settings and its media item."""
    if before.state in OFF:
        if state.state not in OFF and supports(state, Feature.TURN_OFF):
            yield "turn_off", {}
        elif state.state in SOUNDING and supports(state, Feature.STOP):
            yield "media_stop", {}
        return
    if state.state in OFF and supports(state, Feature.TURN_ON):
        yield "turn_on", {}
    yield from restore_attributes(_SETTINGS, before, state, changed)
    if changed & {STATE, MEDIA}:
        yield from undo_playback(before, state, changed)


_SETTINGS = (
    # The volume first, so that nothing starts louder than it was.
    Attribute(
        _VOLUME,
        tolerance=_VOLUME_TOLERANCE,
        service="volume_set",
        feature=Feature.VOLUME_SET,
        while_on=True,
    ),
    *(
        Attribute(name, service=service, feature=feature, while_on=True)
        for name, service, feature in (
            ("is_volume_muted", "volume_mute", Feature.VOLUME_MUTE),
            ("source", "select_source", Feature.SELECT_SOURCE),
            ("sound_mode", "select_sound_mode", Feature.SELECT_SOUND_MODE),
            ("shuffle", "shuffle_set", Feature.SHUFFLE_SET),
            ("repeat", "repeat_set", Feature.REPEAT_SET),
        )
    ),
)


# Policy values.


def _is_about_volume(action: str, _data: Mapping[str, Any]) -> bool:
    """Return whether a call changes the volume by a step."""
    return action in _VOLUME_STEPS


def _volume_after_step(
    action: str, _data: Mapping[str, Any], shown: StateLike | None
) -> float | None:
    """Return the volume after a step, from 0 to 1; None where the volume is not reported."""
    now = as_number(shown.attributes.get(_VOLUME)) if shown else None
    if now is None:
        return None
    return round(min(max(now + _VOLUME_STEPS[action], 0.0), 1.0), 6)


def _volume_call(
    _action: str, _data: Mapping[str, Any], value: float
) -> tuple[str, dict[str, Any]]:
    """Return the action and data that set a volume, from 0 to 1."""
    return "media_player.volume_set", {_VOLUME: value}


# Rows.


def _transport(name: str, service: str, feature: Feature, intent: str = "") -> Action:
    """Return an action on what plays; Home Assistant's intent for it means players that play."""
    playing = frozenset({STATE_PLAYING})
    return Action(
        name,
        service,
        prompt_group="playback",
        capability=has(feature),
        prefer=prefer_playing,
        only_while_on=True,
        is_repeatable=feature in Feature.NEXT_TRACK | Feature.PREVIOUS_TRACK,
        intents=(Intent(intent, features=feature, states=playing),) if intent else (),
        commands=frozenset({name}),
    )


def _relative_volume(slots: Mapping[str, str] = MappingProxyType({}), **values: str) -> Intent:
    """Return the intent that changes the volume, by a number or by a step up or down."""
    return Intent(
        "HassSetVolumeRelative",
        slots,
        slot_values={name.replace("no_", "!"): frozenset(v.split()) for name, v in values.items()},
        features=Feature.VOLUME_SET,
        playing_if_several=True,
    )


PLAY = Action(
    "play",
    "play_media",
    prompt_line="query is what to search for, in the user's words",
    capability=CAN_FIND_MEDIA,
    prefer=prefer_playing,
    takes_usual=True,
    parameters=(
        Parameter("query", kind=ParameterKind.TEXT, hint="free words: a title, an artist, a genre"),
        Parameter(
            "instead",
            kind=ParameterKind.TEXT,
            hint="only for a mood, else null: the nearest plain genre, as jazz, pop, rock, classical",
            for_capable=True,
        ),
    ),
    intents=(
        Intent(
            "HassMediaSearchAndPlay",
            {"search_query": "query", "media_class": "media_class"},
            features=Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA,
            single_target=True,
        ),
    ),
)
"""Action that plays the first result of a media search."""

MEDIA_PLAYER = Domain(
    name="media_player",
    agent_id="music-agent",
    prompt_noun="music players",
    off_states=OFF,
    equivalent_states={
        STATE_BUFFERING: STATE_PLAYING,
        STATE_ON: STATE_IDLE,
        STATE_STANDBY: STATE_OFF,
    },
    attributes=(
        *_SETTINGS,
        Attribute(MEDIA, while_on=True, comparison=Comparison.EXACTLY),
        Attribute(MEDIA_TYPE, while_on=True, comparison=Comparison.EXACTLY),
        Attribute(POSITION, is_saved=False, comparison=Comparison.NEVER),
    ),
    services=(
        Service("turn_on", has(Feature.TURN_ON), check=is_none_of(*sorted(OFF))),
        Service("turn_off", has(Feature.TURN_OFF), check=is_one_of(*sorted(OFF))),
        Service("toggle", has(Feature.TURN_ON | Feature.TURN_OFF), check=TOGGLED),
        Service("volume_up", _CAN_STEP_VOLUME, check=has_moved(_VOLUME, 1, 1.0)),
        Service("volume_down", _CAN_STEP_VOLUME, check=has_moved(_VOLUME, -1, 1.0)),
        Service("media_play", has(Feature.PLAY), check=is_one_of(*sorted(SOUNDING))),
        Service("media_pause", has(Feature.PAUSE), check=is_none_of(*sorted(SOUNDING))),
        Service("media_play_pause", has(Feature.PLAY | Feature.PAUSE), check=TOGGLED),
        Service("media_stop", has(Feature.STOP), check=is_none_of(*sorted(SOUNDING))),
        # Without a check: tracks may be equal, positions advance, and a queue is not in the state.
        Service("media_next_track", has(Feature.NEXT_TRACK), unseen="two tracks may be alike"),
        Service(
            "media_previous_track", has(Feature.PREVIOUS_TRACK), unseen="two tracks may be alike"
        ),
        Service("clear_playlist", has(Feature.CLEAR_PLAYLIST), unseen="no state shows a queue"),
        Service(
            "media_seek",
            has(Feature.SEEK),
            {"seek_position": number(0, "media_duration", unit="s")},
            required=frozenset({"seek_position"}),
            unseen="the position moves by itself",
            reply=reply_sought,
        ),
        Service(
            "unjoin",
            has(Feature.GROUPING),
            check=OutcomeCheck(has_unjoined, ("group_members",)),
            reply=reply_joined,
        ),
        setting_service(
            "volume_set",
            _CAN_SET_VOLUME,
            _VOLUME,
            number(0, 1, unit=FRACTION),
            tolerance=_VOLUME_TOLERANCE,
        ),
        setting_service(
            "volume_mute",
            has(Feature.VOLUME_MUTE),
            "is_volume_muted",
            flag,
            bool_replies=("mute", "unmute"),
        ),
        setting_service(
            "shuffle_set",
            has(Feature.SHUFFLE_SET),
            "shuffle",
            flag,
            bool_replies=("shuffle_on", "shuffle_off"),
        ),
        setting_service(
            "repeat_set", has(Feature.REPEAT_SET), "repeat", one_of(*_REPEATS), reply=_reply_repeat
        ),
        setting_service(
            "select_source", has(Feature.SELECT_SOURCE), "source", listed("source_list")
        ),
        setting_service(
            "select_sound_mode",
            has(Feature.SELECT_SOUND_MODE),
            "sound_mode",
            listed("sound_mode_list"),
        ),
        Service(
            "join",
            has(Feature.GROUPING),
            {"group_members": Field(_validate_group, "players that are there")},
            required=frozenset({"group_members"}),
            check=OutcomeCheck(has_joined, ("group_members",)),
            reply=reply_joined,
            changes_too=("group_members",),
        ),
        Service(
            "play_media",
            has(Feature.PLAY_MEDIA),
            fields={
                MEDIA: text,
                MEDIA_TYPE: text,
                "enqueue": needing(
                    has(Feature.MEDIA_ENQUEUE), one_of("play", "next", "add", "replace")
                ),
                "announce": needing(has(Feature.MEDIA_ANNOUNCE), flag),
            },
            required=frozenset({MEDIA, MEDIA_TYPE}),
            rule=at_most_one(frozenset({"enqueue", "announce"})),
            check=OutcomeCheck(is_playing_asked),
            acts_again=lambda _data: True,
            reply=reply_media,
        ),
    ),
    actions=(
        PLAY,
        _transport("pause", "media_pause", Feature.PAUSE, "HassMediaPause"),
        Action(
            "resume",
            "media_play",
            prompt_group="playback",
            capability=has(Feature.PLAY),
            plan_calls=plan_resume,
            takes_usual=True,
            intents=(Intent("HassMediaUnpause"),),
            commands=frozenset({"resume", "start"}),
        ),
        _transport("stop", "media_stop", Feature.STOP),
        _transport("next", "media_next_track", Feature.NEXT_TRACK, "HassMediaNext"),
        _transport("previous", "media_previous_track", Feature.PREVIOUS_TRACK, "HassMediaPrevious"),
        *(
            Action(
                name,
                name,
                prompt_group="volume",
                direction=direction,
                capability=_CAN_STEP_VOLUME,
                only_while_on=True,
                intents=(_relative_volume(volume_step=step),),
            )
            for name, direction, step in (("volume_up", 1, "up"), ("volume_down", -1, "down"))
        ),
        *(
            Action(
                name,
                "volume_mute",
                prompt_group="volume",
                data={"is_volume_muted": name == "mute"},
                capability=has(Feature.VOLUME_MUTE),
                only_while_on=True,
                intents=(Intent(intent, features=Feature.VOLUME_MUTE),),
                commands=frozenset({name}),
            )
            for name, intent in (
                ("mute", "HassMediaPlayerMute"),
                ("unmute", "HassMediaPlayerUnmute"),
            )
        ),
        *TOGETHER_ACTIONS,
        ANNOUNCE_ON_PLAYER,
        Action(
            "set_sound_mode",
            "select_sound_mode",
            capability=has(Feature.SELECT_SOUND_MODE),
            for_capable=True,
            parameters=(choice("mode", "sound_mode", "sound_mode_list", measures="sound_mode"),),
        ),
        Action(
            "set_volume",
            "volume_set",
            prompt_line="percent from 0 to 100",
            capability=_CAN_SET_VOLUME,
            only_while_on=True,
            parameters=(percentage("percent", _VOLUME, measures="volume", divisor=100),),
            intents=(
                Intent("HassSetVolume", {"volume_level": "percent"}, features=Feature.VOLUME_SET),
            ),
        ),
        Action(
            "change_volume",
            "volume_set",
            capability=_CAN_SET_VOLUME,
            only_while_on=True,
            is_offered=False,
            parameters=(
                Parameter(
                    "by",
                    kind=ParameterKind.STEP,
                    field=_VOLUME,
                    attribute=_VOLUME,
                    divisor=100,
                    digits=2,
                    low=0,
                    high=1,
                ),
            ),
            intents=(_relative_volume({"volume_step": "by"}, no_volume_step="up down"),),
        ),
        *(
            Action(
                name,
                "shuffle_set",
                prompt_group="shuffle",
                data={"shuffle": name == "shuffle_on"},
                capability=has(Feature.SHUFFLE_SET),
                commands=frozenset({name}),
            )
            for name in ("shuffle_on", "shuffle_off")
        ),
        Action(
            "set_repeat",
            "repeat_set",
            prompt_line="off, all or one",
            capability=has(Feature.REPEAT_SET),
            parameters=(
                Parameter(
                    "repeat",
                    kind=ParameterKind.CHOICE,
                    field="repeat",
                    choices=_REPEATS,
                    offers_all=True,
                    commands=("repeat",),
                ),
            ),
        ),
        Action(
            "select_source",
            "select_source",
            prompt_line="a source by name",
            capability=has(Feature.SELECT_SOURCE),
            parameters=(choice("source", "source", "source_list", measures="source"),),
        ),
        *(
            Action(
                name,
                name,
                prompt_group="switch",
                capability=able,
                intents=(Intent(intent),),
                commands=frozenset({name}),
                is_repeatable=name == "toggle",
            )
            for name, able, intent in (
                ("turn_on", has(Feature.TURN_ON), "HassTurnOn"),
                ("turn_off", has(Feature.TURN_OFF), "HassTurnOff"),
                ("toggle", has(Feature.TURN_ON, Feature.TURN_OFF), "HassToggle"),
            )
        ),
    ),
    step_sizes=StepSizes(
        action="change_volume",
        sizes={"much": 20},
        up="volume_up",
        down="volume_down",
        words=("louder", "quieter"),
        sets=("set_volume", "percent"),
    ),
    plan_undo=_undo_steps,
    extra_saved=media_position,
    effects=EFFECTS,
    policy_values=(
        PolicyValue(
            name=_VOLUME, is_about=_is_about_volume, of=_volume_after_step, to=_volume_call
        ),
    ),
)
"""Table of media players."""

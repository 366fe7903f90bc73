"""What media players can do."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.const import (
    STATE_BUFFERING,
    STATE_IDLE,
    STATE_OFF,
    STATE_ON,
    STATE_PAUSED,
    STATE_PLAYING,
    STATE_STANDBY,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from .checks import STATE, TOGGLED, Check, has_moved, is_none_of, is_one_of
from .fields import (
    Field,
    absence,
    as_number,
    features_of,
    flag,
    has,
    is_number,
    listed,
    needing,
    number,
    one_of,
    text,
    worst,
)
from .models import ErrorCode, ToolCall
from .table import (
    AGAIN,
    SHARE,
    Action,
    Attribute,
    Compared,
    Domain,
    Intent,
    Kept,
    Kind,
    Level,
    Parameter,
    Service,
    Shown,
    Spoken,
    Step,
    Steps,
    Words,
    at_most_one,
    setting,
    values_back,
)

OFF = frozenset({STATE_OFF, STATE_STANDBY})
_SOUNDING = frozenset({STATE_PLAYING, STATE_BUFFERING})
_REPEATS = ("off", "all", "one")
_VOLUME = "volume_level"
_VOLUME_TOLERANCE = 0.03
_CAN_SET_VOLUME = has(Feature.VOLUME_SET)
_CAN_STEP_VOLUME = has(Feature.VOLUME_SET, Feature.VOLUME_STEP)
# What Home Assistant takes for a step where a player has none of its own.
_VOLUME_STEPS = MappingProxyType({"media_player.volume_up": 0.1, "media_player.volume_down": -0.1})

MEDIA = "media_content_id"
"""What is played, as the player calls it."""

MEDIA_TYPE = "media_content_type"
"""What sort of thing that is."""

POSITION = "media_position"
"""Where in a track a player is, in seconds: it goes on by itself, so it is never a difference."""

# What tells one thing that is played from another.
_PLAYED = (
    MEDIA,
    "media_title",
    "media_artist",
    "media_album_name",
    "media_playlist",
    "media_channel",
    "app_name",
)


# What fields hold.


def _group_members(hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take players that are exposed, there, and able to play along."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return ErrorCode.INVALID
    return worst(_member(hass, entity_id) for entity_id in value)


def _member(hass: HomeAssistant, entity_id: Any) -> ErrorCode | None:
    """Return why an entity cannot play along."""
    if not isinstance(entity_id, str):
        return ErrorCode.INVALID
    if code := absence(hass, entity_id):
        return code
    if entity_id.partition(".")[0] != "media_player":
        return ErrorCode.UNSUPPORTED
    state = hass.states.get(entity_id)
    able = state and has(Feature.GROUPING)(state)
    return None if able else ErrorCode.UNSUPPORTED


# How it shows that it was done.


def _plays(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a player plays what it was given, and not what it played before.

    What is only queued, or announced in between, does not show.
    """
    if data.get("announce") or data.get("enqueue") in {"add", "next"}:
        return True
    if state.state not in {*_SOUNDING, STATE_ON}:
        return False
    if before is None or before.state not in {*_SOUNDING, STATE_ON}:
        return True
    now, was = state.attributes, before.attributes
    if now.get(MEDIA) == data[MEDIA]:
        return True
    if any(now.get(name) != was.get(name) for name in _PLAYED):
        return True
    # The same again begins anew.
    place, old_place = now.get(POSITION), was.get(POSITION)
    is_told_anew = now.get("media_position_updated_at") != was.get("media_position_updated_at")
    return is_told_anew and place is not None and place <= (old_place or 0)


def _joined(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a player has all that were to join it."""
    return set(data["group_members"]) <= set(state.attributes.get("group_members") or ())


def _alone(state: State, _data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a player plays with nobody."""
    return len(state.attributes.get("group_members") or ()) <= 1


# What is said of it.


def _said_repeat(words: Words, call: ToolCall) -> Spoken:
    """Return the reply to repeating."""
    return "repeat_set", {"value": words.say(f"repeat.{call.data['repeat']}")}


def _said_media(_words: Words, call: ToolCall) -> Spoken:
    """Return the reply to what was put on."""
    return "play_media", {"value": call.label}


# Which of several are meant.


def _those(wanted: str, states: Sequence[State]) -> Sequence[State]:
    """Return the players in a state; where none is, all of them."""
    return [state for state in states if state.state == wanted] or states


def _that_play(states: Sequence[State]) -> Sequence[State]:
    """Return those that play: skipping and pausing are for these, and something new plays there."""
    return _those(STATE_PLAYING, states)


def _that_pause(states: Sequence[State]) -> Sequence[State]:
    """Return those that pause: resuming is for these."""
    return _those(STATE_PAUSED, states)


# How it is put back.


def _media_position(state: State, now: datetime) -> Mapping[str, Any]:
    """Return how far into its track a player is at a time."""
    position = state.attributes.get(POSITION)
    if state.state in OFF or not is_number(position):
        return {}
    since = state.attributes.get("media_position_updated_at")
    if state.state == STATE_PLAYING and isinstance(since, datetime):
        position += max((now - dt_util.as_utc(since)).total_seconds(), 0.0)
    return {POSITION: round(position, 1)}


def _can(state: State, feature: int) -> bool:
    """Return whether a player has a feature now."""
    return bool(features_of(state) & feature)


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps for a player: on, its settings, what it played; or off."""
    if before.state in OFF:
        if state.state not in OFF and _can(state, Feature.TURN_OFF):
            yield "turn_off", {}
        elif state.state in _SOUNDING and _can(state, Feature.STOP):
            yield "media_stop", {}
        return
    if state.state in OFF and _can(state, Feature.TURN_ON):
        yield "turn_on", {}
    yield from values_back(_SETTINGS, before, state, changed)
    if changed & {STATE, MEDIA}:
        yield from _playback(before, state, changed)


def _playback(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps to what a player played, or to silence."""
    if before.state not in {*_SOUNDING, STATE_PAUSED}:
        if state.state in {*_SOUNDING, STATE_PAUSED}:
            if _can(state, Feature.STOP):
                yield "media_stop", {}
            elif state.state in _SOUNDING and _can(state, Feature.PAUSE):
                yield "media_pause", {}
        return
    media, kind = before.text(MEDIA), before.text(MEDIA_TYPE)
    is_begun = True
    is_known = MEDIA in changed and media and kind and _can(state, Feature.PLAY_MEDIA)
    if is_known and (AGAIN in changed or state.attributes.get(MEDIA) is not None):
        yield "play_media", {MEDIA: media, MEDIA_TYPE: kind}
    elif state.state not in {*_SOUNDING, STATE_PAUSED} and _can(state, Feature.PLAY):
        # It stopped, and may still have all that it was to play.
        yield "media_play", {}
    else:
        is_begun = False
        if state.state == STATE_PAUSED and before.state in _SOUNDING and _can(state, Feature.PLAY):
            yield "media_play", {}
    position = before.number(POSITION)
    if is_begun and position and position >= 1 and _can(state, Feature.SEEK):
        yield "media_seek", {"seek_position": position}
    is_sounding = is_begun or state.state in _SOUNDING
    if before.state == STATE_PAUSED and is_sounding and _can(state, Feature.PAUSE):
        yield "media_pause", {}


_SETTINGS = (
    # Quiet first, so that nothing starts louder than it was.
    Attribute(
        _VOLUME,
        tolerance=_VOLUME_TOLERANCE,
        service="volume_set",
        feature=Feature.VOLUME_SET,
        while_on=True,
        in_scenes=True,
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


# What policies compare.


def _is_about_volume(action: str, _data: Mapping[str, Any]) -> bool:
    """Return whether a call makes things louder or quieter by a step."""
    return action in _VOLUME_STEPS


def _volume_after(action: str, _data: Mapping[str, Any], shown: Shown | None) -> float | None:
    """Return how loud a player will be, from 0 to 1, None where it does not tell how loud it is."""
    now = as_number(shown.attributes.get(_VOLUME)) if shown else None
    if now is None:
        return None
    return round(min(max(now + _VOLUME_STEPS[action], 0.0), 1.0), 6)


def _at_volume(_action: str, _data: Mapping[str, Any], value: float) -> tuple[str, dict[str, Any]]:
    """Return the call that sets a volume."""
    return "media_player.volume_set", {_VOLUME: value}


# Its rows.


PLAY = Action(
    "play",
    "play_media",
    line="query is what to search for, in the user's words",
    able=has(Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA),
    whom=_that_play,
    parameters=(Parameter("query", kind=Kind.TEXT),),
    intents=(
        Intent(
            "HassMediaSearchAndPlay",
            {"search_query": "query", "media_class": "media_class"},
            features=Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA,
            single=True,
        ),
    ),
)
"""Playing what a search finds."""

MEDIA_PLAYER = Domain(
    name="media_player",
    article="music players",
    off=OFF,
    alike={STATE_BUFFERING: STATE_PLAYING, STATE_ON: STATE_IDLE, STATE_STANDBY: STATE_OFF},
    brings={STATE_PLAYING: "media_play", STATE_PAUSED: "media_pause"},
    attributes=(
        *_SETTINGS,
        Attribute(MEDIA, while_on=True, compared=Compared.EXACTLY),
        Attribute(MEDIA_TYPE, while_on=True, compared=Compared.EXACTLY),
        Attribute(POSITION, is_kept=False, compared=Compared.NEVER),
    ),
    services=(
        Service("turn_on", has(Feature.TURN_ON), check=is_none_of(*sorted(OFF))),
        Service("turn_off", has(Feature.TURN_OFF), check=is_one_of(*sorted(OFF))),
        Service("toggle", has(Feature.TURN_ON | Feature.TURN_OFF), check=TOGGLED),
        Service("volume_up", _CAN_STEP_VOLUME, check=has_moved(_VOLUME, 1, 1.0)),
        Service("volume_down", _CAN_STEP_VOLUME, check=has_moved(_VOLUME, -1, 1.0)),
        Service("media_play", has(Feature.PLAY), check=is_one_of(*sorted(_SOUNDING))),
        Service("media_pause", has(Feature.PAUSE), check=is_none_of(*sorted(_SOUNDING))),
        Service("media_play_pause", has(Feature.PLAY | Feature.PAUSE), check=TOGGLED),
        Service("media_stop", has(Feature.STOP), check=is_none_of(*sorted(_SOUNDING))),
        # Tracks may be alike, places in them move, and a queue does not tell what is in it.
        Service("media_next_track", has(Feature.NEXT_TRACK)),
        Service("media_previous_track", has(Feature.PREVIOUS_TRACK)),
        Service("clear_playlist", has(Feature.CLEAR_PLAYLIST)),
        Service(
            "media_seek",
            has(Feature.SEEK),
            {"seek_position": number(0, "media_duration", unit="s")},
            required=frozenset({"seek_position"}),
        ),
        Service("unjoin", has(Feature.GROUPING), check=Check(_alone, ("group_members",))),
        setting(
            "volume_set",
            _CAN_SET_VOLUME,
            _VOLUME,
            number(0, 1, unit=SHARE),
            tolerance=_VOLUME_TOLERANCE,
        ),
        setting(
            "volume_mute",
            has(Feature.VOLUME_MUTE),
            "is_volume_muted",
            flag,
            said=("mute", "unmute"),
        ),
        setting(
            "shuffle_set",
            has(Feature.SHUFFLE_SET),
            "shuffle",
            flag,
            said=("shuffle_on", "shuffle_off"),
        ),
        setting(
            "repeat_set", has(Feature.REPEAT_SET), "repeat", one_of(*_REPEATS), reply=_said_repeat
        ),
        setting("select_source", has(Feature.SELECT_SOURCE), "source", listed("source_list")),
        setting(
            "select_sound_mode",
            has(Feature.SELECT_SOUND_MODE),
            "sound_mode",
            listed("sound_mode_list"),
        ),
        Service(
            "join",
            has(Feature.GROUPING),
            {"group_members": Field(_group_members, "players that are there")},
            required=frozenset({"group_members"}),
            check=Check(_joined, ("group_members",)),
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
            check=Check(_plays),
            reply=_said_media,
        ),
    ),
    actions=(
        PLAY,
        Action(
            "pause",
            "media_pause",
            group="playback",
            able=has(Feature.PAUSE),
            whom=_that_play,
            only_while_on=True,
            intents=(
                Intent("HassMediaPause", features=Feature.PAUSE, states=frozenset({STATE_PLAYING})),
            ),
            commands=frozenset({"pause"}),
        ),
        Action(
            "resume",
            "media_play",
            group="playback",
            able=has(Feature.PLAY),
            whom=_that_pause,
            intents=(Intent("HassMediaUnpause"),),
            commands=frozenset({"resume", "start"}),
        ),
        Action(
            "stop",
            "media_stop",
            group="playback",
            able=has(Feature.STOP),
            whom=_that_play,
            only_while_on=True,
            commands=frozenset({"stop"}),
        ),
        Action(
            "next",
            "media_next_track",
            group="playback",
            able=has(Feature.NEXT_TRACK),
            whom=_that_play,
            only_while_on=True,
            is_repeatable=True,
            intents=(
                Intent(
                    "HassMediaNext", features=Feature.NEXT_TRACK, states=frozenset({STATE_PLAYING})
                ),
            ),
            commands=frozenset({"next"}),
        ),
        Action(
            "previous",
            "media_previous_track",
            group="playback",
            able=has(Feature.PREVIOUS_TRACK),
            whom=_that_play,
            only_while_on=True,
            is_repeatable=True,
            intents=(
                Intent(
                    "HassMediaPrevious",
                    features=Feature.PREVIOUS_TRACK,
                    states=frozenset({STATE_PLAYING}),
                ),
            ),
        ),
        *(
            Action(
                name,
                name,
                group="volume",
                direction=direction,
                able=_CAN_STEP_VOLUME,
                only_while_on=True,
                intents=(
                    Intent(
                        "HassSetVolumeRelative",
                        when={"volume_step": frozenset({step})},
                        features=Feature.VOLUME_SET,
                        playing_if_several=True,
                    ),
                ),
            )
            for name, direction, step in (("volume_up", 1, "up"), ("volume_down", -1, "down"))
        ),
        *(
            Action(
                name,
                "volume_mute",
                group="volume",
                data={"is_volume_muted": name == "mute"},
                able=has(Feature.VOLUME_MUTE),
                only_while_on=True,
                intents=(Intent(intent, features=Feature.VOLUME_MUTE),),
                commands=frozenset({name}),
            )
            for name, intent in (
                ("mute", "HassMediaPlayerMute"),
                ("unmute", "HassMediaPlayerUnmute"),
            )
        ),
        Action(
            "set_volume",
            "volume_set",
            line="percent from 0 to 100",
            able=_CAN_SET_VOLUME,
            only_while_on=True,
            parameters=(
                Parameter(
                    "percent",
                    field=_VOLUME,
                    unit="%",
                    divisor=100,
                    low=0,
                    high=100,
                    fractions=True,
                    cast=float,
                    commands=("percent", "level", "number"),
                ),
            ),
            intents=(
                Intent("HassSetVolume", {"volume_level": "percent"}, features=Feature.VOLUME_SET),
            ),
        ),
        Action(
            "change_volume",
            "volume_set",
            able=_CAN_SET_VOLUME,
            only_while_on=True,
            is_offered=False,
            parameters=(
                Parameter(
                    "by",
                    kind=Kind.STEP,
                    field=_VOLUME,
                    attribute=_VOLUME,
                    divisor=100,
                    digits=2,
                    low=0,
                    high=1,
                ),
            ),
            intents=(
                Intent(
                    "HassSetVolumeRelative",
                    {"volume_step": "by"},
                    when={"!volume_step": frozenset({"up", "down"})},
                    features=Feature.VOLUME_SET,
                    playing_if_several=True,
                ),
            ),
        ),
        *(
            Action(
                name,
                "shuffle_set",
                group="shuffle",
                data={"shuffle": name == "shuffle_on"},
                able=has(Feature.SHUFFLE_SET),
            )
            for name in ("shuffle_on", "shuffle_off")
        ),
        Action(
            "set_repeat",
            "repeat_set",
            line="off, all or one",
            able=has(Feature.REPEAT_SET),
            parameters=(
                Parameter(
                    "repeat", kind=Kind.CHOICE, field="repeat", choices=_REPEATS, offers_all=True
                ),
            ),
        ),
        Action(
            "select_source",
            "select_source",
            line="a source by name",
            able=has(Feature.SELECT_SOURCE),
            parameters=(
                Parameter("source", kind=Kind.CHOICE, field="source", options="source_list"),
            ),
        ),
        *(
            Action(
                name,
                name,
                group="switch",
                able=able,
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
    steps=Steps(
        action="change_volume",
        sizes={"much": 20},
        up="volume_up",
        down="volume_down",
        words=("louder", "quieter"),
        sets=("set_volume", "percent"),
    ),
    put_back=_put_back,
    more_kept=_media_position,
    levels=(Level(name=_VOLUME, is_about=_is_about_volume, of=_volume_after, to=_at_volume),),
)
"""The table of media players."""

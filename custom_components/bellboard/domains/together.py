"""Rows and plans for what players do together, for playing on elsewhere, and for the place in a track."""

from collections.abc import Sequence
from datetime import datetime

from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.const import STATE_IDLE, STATE_PAUSED
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from .actions import (
    Action,
    ActionError,
    ActionInput,
    NotSupportedError,
    Parameter,
    ParameterKind,
    require_any,
)
from .models import ToolCall
from .music_assistant import IS_MUSIC_ASSISTANT, MUSIC_ASSISTANT
from .playback import (
    MEDIA,
    MEDIA_TYPE,
    POSITION,
    SOUNDING,
    media_position,
    prefer_playing,
    prefer_state,
    supports,
    waits,
)
from .player_groups import leader_of, who_leave
from .services import Capability, ReplyTranslation, ValueFormatter, has

# In seconds, either way.
_LONGEST_SEEK = 3600

CAN_GROUP = has(Feature.GROUPING)
"""Capability of players that can play together with others."""

_SEEKS = has(Feature.SEEK)
_CAN_SEEK = Capability(
    lambda state: _SEEKS(state) and not (IS_MUSIC_ASSISTANT(state) and _duration(state) is None),
    f"{_SEEKS.description}, in what has an end",
)
_PLAYS = has(Feature.PLAY)


class NothingPlaysError(ActionError):
    """Nothing plays that could go on elsewhere."""


def _source(wanted: ActionInput, states: Sequence[State]) -> State:
    """Return the player whose music is meant: one that plays, or is paused, or was heard last.

    Of those that are silent it is only one of Music Assistant's, which keeps its queue and lets it go on elsewhere.

    Raises:
        NothingPlaysError: there is none but the targets.
    """
    targets = {state.entity_id for state in states}
    others = [state for state in wanted.others if state.entity_id not in targets]
    named = str(wanted.parameters.get("source") or "")
    others = [state for state in others if named in {"", state.entity_id}]
    for wanted_states in (SOUNDING, frozenset({STATE_PAUSED})):
        for state in others:
            if state.state in wanted_states and not _is_led(state, others):
                return state
    waiting = [
        state
        for state in others
        if IS_MUSIC_ASSISTANT(state) and waits(state) and not _is_led(state, others)
    ]
    if not waiting:
        raise NothingPlaysError(states)
    return max(waiting, key=_heard_last)


def _heard_last(state: State) -> float:
    """Return when a player last said where it is in what it plays, in seconds; 0 where it never did."""
    since = state.attributes.get("media_position_updated_at")
    return since.timestamp() if isinstance(since, datetime) else 0.0


def _is_led(state: State, others: Sequence[State]) -> bool:
    """Return whether a player plays along with another of some."""
    leader = leader_of(state)
    return leader != state.entity_id and any(other.entity_id == leader for other in others)


def plan_transfer(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that let what plays go on on the first target.

    Music Assistant hands its queue over. Others join the group and the first one leaves it; those that have no
    groups play the same item from where it was.

    Raises:
        NothingPlaysError: nothing plays elsewhere.
        NotSupportedError: these players cannot do it.
    """
    source, target = _source(wanted, states), states[0]
    here, there = (target.entity_id,), (source.entity_id,)
    if IS_MUSIC_ASSISTANT(source) and IS_MUSIC_ASSISTANT(target):
        action = f"{MUSIC_ASSISTANT.name}.transfer_queue"
        # What is paused would only wait there, too.
        data = {"source_player": source.entity_id, "auto_play": True}
        return [ToolCall(action=action, targets=here, data=data)]
    if CAN_GROUP(source) and CAN_GROUP(target) and _are_alike(source, target):
        joined = {"group_members": [target.entity_id]}
        return [
            ToolCall(
                action="media_player.join",
                targets=there,
                data=joined,
                label=target.name,
                moves=True,
            ),
            ToolCall(action="media_player.unjoin", targets=there, label=target.name, moves=True),
        ]
    media, kind = source.attributes.get(MEDIA), source.attributes.get(MEDIA_TYPE)
    if not (media and kind and supports(target, Feature.PLAY_MEDIA)) or not _are_alike(
        source, target
    ):
        raise NotSupportedError([target])
    title = str(source.attributes.get("media_title") or media)
    data = {MEDIA: str(media), MEDIA_TYPE: str(kind)}
    calls = [ToolCall(action="media_player.play_media", targets=here, data=data, label=title)]
    if supports(source, Feature.STOP):
        calls.append(ToolCall(action="media_player.media_stop", targets=there))
    return calls


def _are_alike(one: State, other: State) -> bool:
    """Return whether two players may be of one system, whose media ids and groups they share."""
    return IS_MUSIC_ASSISTANT(one) is IS_MUSIC_ASSISTANT(other)


def plan_group(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that lets the targets play along with the one that plays, else with their first.

    Raises:
        NotSupportedError: fewer than two of them have groups.
    """
    able = list(require_any([state for state in states if CAN_GROUP(state)], states))
    playing = [state for state in able if state.state in SOUNDING]
    if playing:
        leader = playing[0]
    else:
        try:
            leader = _source(wanted, able)
        except NothingPlaysError:
            leader = able[0]
    members = [state for state in able if state.entity_id != leader.entity_id]
    if not members or not CAN_GROUP(leader):
        raise NotSupportedError(states)
    data = {"group_members": [state.entity_id for state in members]}
    label = ", ".join(state.name for state in members)
    return [
        ToolCall(action="media_player.join", targets=(leader.entity_id,), data=data, label=label)
    ]


def plan_ungroup(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that lets each target play alone.

    Raises:
        NotSupportedError: none of them has groups.
    """
    able = list(require_any([state for state in states if CAN_GROUP(state)], states))
    # Where none is in a group, it is said of all of them that they are in none.
    targets = tuple(state.entity_id for state in who_leave(able) or able)
    return [ToolCall(action="media_player.unjoin", targets=targets)]


def plan_resume(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that lets targets go on: those that are paused, else all that may have something to go on with.

    Raises:
        NotSupportedError: none of them can.
        NothingPlaysError: they have nothing.
    """
    able = list(require_any([state for state in states if _PLAYS(state)], states))
    if not (ready := [state for state in able if not _is_empty(state)]):
        raise NothingPlaysError(states)
    targets = tuple(state.entity_id for state in prefer_state(STATE_PAUSED, ready))
    return [ToolCall(action="media_player.media_play", targets=targets)]


def _is_empty(state: State) -> bool:
    """Return whether a player says that it has nothing to go on with; one that is off says nothing."""
    return IS_MUSIC_ASSISTANT(state) and state.state == STATE_IDLE and not waits(state)


def _duration(state: State) -> float | None:
    """Return how long what plays is, in seconds; None where it has no end, as a radio station."""
    longest = state.attributes.get("media_duration")
    return float(longest) if isinstance(longest, int | float) else None


def plan_seek(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that go ahead or back by some seconds, from where each target is now.

    Raises:
        NotSupportedError: none of them can seek, or tells where it is.
    """
    calls = []
    for state in states:
        now = media_position(state, dt_util.utcnow()).get(POSITION)
        if now is None or not _CAN_SEEK(state):
            continue
        place = max(float(now) + float(wanted.parameters["seconds"]), 0.0)
        if (longest := _duration(state)) is not None:
            place = min(place, longest)
        data = {"seek_position": round(place, 1)}
        minutes, rest = divmod(round(place), 60)
        label = f"{minutes}:{rest:02}"
        targets = (state.entity_id,)
        calls.append(
            ToolCall(action="media_player.media_seek", targets=targets, data=data, label=label)
        )
    if not calls:
        raise NotSupportedError(states)
    return calls


def reply_joined(_words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to a change of a group: by the names of those that join, or where the music goes on now."""
    if call.moves:
        return "transfer_queue", {"targets": call.label}
    return call.action.partition(".")[2], {"value": call.label}


def reply_sought(_words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to going to a place in a track: its beginning, or where that is."""
    return ("seek", {"value": call.label}) if call.label else ("restart", {})


TOGETHER_ACTIONS = (
    Action(
        "transfer",
        "join",
        prompt_line="lets what plays go on on the target",
        capability=has(Feature.PLAY_MEDIA),
        plan_calls=plan_transfer,
        sees_others=True,
        for_capable=True,
    ),
    Action(
        "group",
        "join",
        prompt_line="the targets play together",
        capability=CAN_GROUP,
        plan_calls=plan_group,
        sees_others=True,
        for_capable=True,
    ),
    Action(
        "ungroup",
        "unjoin",
        capability=CAN_GROUP,
        plan_calls=plan_ungroup,
        for_capable=True,
    ),
    Action(
        "seek",
        "media_seek",
        capability=_CAN_SEEK,
        prefer=prefer_playing,
        only_while_on=True,
        parameters=(
            Parameter("seconds", kind=ParameterKind.STEP, unit="s", max_step=_LONGEST_SEEK),
        ),
        plan_calls=plan_seek,
        is_repeatable=True,
        for_capable=True,
    ),
    Action(
        "restart",
        "media_seek",
        data={"seek_position": 0},
        capability=_CAN_SEEK,
        prefer=prefer_playing,
        only_while_on=True,
        for_capable=True,
    ),
    Action(
        "clear_queue",
        "clear_playlist",
        capability=has(Feature.CLEAR_PLAYLIST),
        for_capable=True,
    ),
)
"""Actions of players with each other, and on the place in what plays."""

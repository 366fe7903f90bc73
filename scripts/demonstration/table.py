"""Turns for people: a table that fits the terminal."""

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .conversation import Turn

HEADINGS = ("said", "agent", "what changed", "reply", "ms")
SHARES = (0.22, 0.18, 0.32, 0.28)
"""How the width is divided among all columns but the last."""

MS_WIDTH = 6
GAP = "  "
NARROWEST, WIDEST = 80, 180

SHOWN = {
    "brightness": "brightness",
    "color_temp_kelvin": "kelvin",
    "rgb_color": "colour",
    "effect": "effect",
    "temperature": "target",
    "target_temp_low": "low",
    "target_temp_high": "high",
    "preset_mode": "preset",
    "fan_mode": "fan",
    "swing_mode": "swing",
    "swing_horizontal_mode": "swing sideways",
    "humidity": "humidity",
    "volume_level": "volume",
    "is_volume_muted": "muted",
    "media_title": "title",
    "media_artist": "artist",
    "source": "source",
    "shuffle": "shuffle",
    "repeat": "repeat",
    "group_members": "group",
    "current_position": "position",
    "current_tilt_position": "tilt",
    "percentage": "speed",
    "flash_count": "flashes",
}
"""Attributes that people ask for, and what they call them; the rest follows from these."""


def rows(turns: Iterable[Turn]) -> list[str]:
    """Return the lines of a table of turns, headings first."""
    widths = _widths()
    rule = GAP.join("─" * width for width in widths)
    lines = [_line(HEADINGS, widths), rule]
    for turn in turns:
        lines += [*row(turn), rule]
    return lines


def row(turn: Turn) -> list[str]:
    """Return the lines of one turn."""
    widths = _widths()
    cells = (
        turn.utterance,
        describe_agents(turn),
        "\n".join(describe_changes(turn.changes)) or "–",
        turn.reply or "–",
        str(turn.ms),
    )
    wrapped = [_wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, wrapped))
    filled = [[*cell, *[""] * (height - len(cell))] for cell in wrapped]
    return [_line(texts, widths) for texts in zip(*filled, strict=True)]


def describe_agents(turn: Turn) -> str:
    """Return who answered and how sure the choice was: "light-agent 0.97 (reflex)"."""
    lines = [_agent(agent) for agent in turn.agents] or ["–"]
    if calls := turn.llm["calls"]:
        lines.append(f"{calls} model call{'s' * (calls > 1)}, {turn.llm['prompt_tokens']} tokens")
    if turn.state not in ("completed", "action_done", "query_answer"):
        lines.append(turn.state)
    return "\n".join(lines)


def describe_changes(changes: dict[str, dict[str, Any]]) -> list[str]:
    """Return a line for every entity that changed: "light.desk_lamp on → off"."""
    lines = []
    for entity_id, change in changes.items():
        parts = []
        if entity_id.startswith("scene."):
            parts.append("activated")
        elif change["from"] != change["to"]:
            parts.append(f"{change['from']} → {change['to']}")
        parts += [
            f"{SHOWN[name]} {_short(values['to'])}"
            for name, values in change.get("attributes", {}).items()
            if name in SHOWN and values["to"] is not None
        ]
        lines.append(f"{entity_id} {', '.join(parts) or 'details'}")
    return lines


def _agent(agent: dict[str, Any]) -> str:
    confidence = agent["confidence"]
    sure = f" {confidence:.2f}" if isinstance(confidence, int | float) else ""
    source = f" ({agent['source']})" if agent["source"] else ""
    return f"{agent['id']}{sure}{source}"


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "/".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _widths() -> list[int]:
    columns = max(NARROWEST, min(WIDEST, shutil.get_terminal_size((120, 24)).columns))
    free = columns - MS_WIDTH - len(GAP) * len(SHARES)
    return [*(int(free * share) for share in SHARES), MS_WIDTH]


def _wrap(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for line in text.splitlines() or [""]:
        lines += textwrap.wrap(line, width, subsequent_indent=" " * (":" in line)) or [""]
    return lines


def _line(texts: Iterable[str], widths: Iterable[int]) -> str:
    *words, last = [text.ljust(width) for text, width in zip(texts, widths, strict=True)]
    return GAP.join([*words, last.strip().rjust(MS_WIDTH)]).rstrip()

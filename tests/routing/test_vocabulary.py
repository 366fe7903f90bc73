"""A command in the words of one agent needs no model; anything else is not guessed."""

import pytest

from custom_components.bellboard.routing.models import Assignment, Source
from custom_components.bellboard.routing.router import RoutedPart
from custom_components.bellboard.routing.vocabulary import VocabularyRouter

from .conftest import CARDS, RequestFor


async def agent_of(request_for: RequestFor, text: str, **options: object) -> str | None:
    [part] = await VocabularyRouter().async_route(request_for(text, **options), [RoutedPart(text)])
    assert part.text == text
    if part.assignment is None:
        return None
    assert part.assignment.source is Source.VOCABULARY
    assert part.assignment.instruction == text
    return part.assignment.agent_id


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("make the lamp cosy", "light-agent"),
        ("put the thermostat on eco", "climate-agent"),
        ("turn the volume to half", "music-agent"),
        ("let the blinds down a bit", "home-agent"),
        ("a bit louder", "music-agent"),
        ("brighter please", "light-agent"),
        # The command stands after a name, or in a request that is no question.
        ("jeeves please switch the lamps off in the cellar", "light-agent"),
        ("could you turn the heating off", "climate-agent"),
        ("bedroom lamps off", "light-agent"),
        ("sorry, but stop the music", "music-agent"),
        # Words of two agents, of none, or no command: not decided here.
        ("play music and make it brighter", None),
        ("turn it off", None),
        ("why is the lamp so bright", None),
        ("tell me a story", None),
        ("I bought a lamp", None),
        ("the lamp", None),
        ("the lamp feels rather warm", None),
        ("I turned the lamp off", None),
        ("the heating is off", None),
        ("is the music off", None),
        ("she said the heating is off", None),
        ("", None),
    ],
)
async def test_only_commands_in_one_agents_words_are_taken(
    request_for: RequestFor, text: str, agent: str | None
) -> None:
    assert await agent_of(request_for, text) == agent


async def test_an_agent_out_of_scope_is_not_chosen(request_for: RequestFor) -> None:
    cards = [card for card in CARDS if card.id != "light-agent"]
    assert await agent_of(request_for, "make the lamp cosy", cards=cards) is None


async def test_what_is_assigned_already_stays_so(request_for: RequestFor) -> None:
    taken = RoutedPart(
        "make the lamp cosy",
        Assignment(agent_id="x", instruction="y", confidence=1, source=Source.REFLEX),
    )
    assert await VocabularyRouter().async_route(request_for("z"), [taken]) == [taken]

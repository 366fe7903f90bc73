"""Any real small model routes what plain words say, rightly and without asking back.

Runs where BELLBOARD_LLM_URL names a llama.cpp server; `scripts/test --live` does so with models of two families.
"""

import os

from homeassistant.core import HomeAssistant
import pytest

from benchmarks.cases import Case, everyday_cases, sample
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.nlu.reading import read_tags
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.evidence import spoken_agents
from tests.evaluation import setup_agent
from tests.test_services import route

from .conftest import CARDS

ANSWERING = {"home-agent", "general-agent"}

pytestmark = [
    pytest.mark.live,
    pytest.mark.every_model,
    pytest.mark.skipif("BELLBOARD_LLM_URL" not in os.environ, reason="needs a model server"),
    # Many sentences, and a small computer may take seconds for each.
    pytest.mark.timeout(600),
]


def plain_cases(language: Language) -> list[Case]:
    """Return some of our sentences with the words of one agent that are for now and no questions."""
    plain = [
        case
        for case in everyday_cases()
        if len(spoken_agents(language, CARDS, case.text)) == 1
        and not (tags := read_tags(case.text, language)).is_question
        and not tags.guards
    ]
    return sample(plain, 12)


@pytest.mark.usefixtures("house")
async def test_plain_words_are_routed_rightly_and_surely(
    hass: HomeAssistant, english: Language, request: pytest.FixtureRequest
) -> None:
    model = {"provider": "openai", "url": os.environ["BELLBOARD_LLM_URL"]}
    await setup_agent(hass, {**model, "assistant": {"timeout": 120}})
    wrong, sources, cases = [], dict[str, int](), plain_cases(english)
    for case in cases:
        found = await route(hass, case.text)
        agent, source = found["agentId"], found["source"]
        sources[source] = sources.get(source, 0) + 1
        is_right = agent == case.label or {agent, case.label} == ANSWERING
        if not is_right or found["confidence"] < RouterOptions().confidence_threshold:
            wrong.append((case.text, agent, found["confidence"], source))
    request.config.get_terminal_writer().line(f"\n{sources}: {wrong}")
    assert sources.get("model"), "some need the model"
    assert len(wrong) <= len(cases) // 10

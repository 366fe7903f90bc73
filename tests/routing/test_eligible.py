"""What would be an ineligible agent's is declined, and nobody else gets it."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from custom_components.bellboard.agents.models import Eligibility
from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.routing.guard import GuardRouter
from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.models import Assignment, Route, Source
from custom_components.bellboard.routing.reading import ReadingRouter
from custom_components.bellboard.routing.reflex import ReflexRouter
from custom_components.bellboard.routing.router import (
    NOT_HERE,
    Cascade,
    Router,
    async_keep_eligible,
    declined,
)
from custom_components.bellboard.routing.vocabulary import VocabularyRouter

from .conftest import CARDS, RequestFor, Writer


async def routed(
    hass: HomeAssistant,
    request_for: RequestFor,
    text: str,
    *,
    agents: tuple[str, ...] = (),
    intents: tuple[str, ...] = (),
    **options: Any,
) -> list[Assignment]:
    """Route a sentence through all routers, where some agents and intents are barred."""
    source = CatalogSource(hass)
    eligibility = Eligibility(frozenset(agents), frozenset(intents))
    request = request_for(
        text,
        cards=[card for card in CARDS if card.id not in agents],
        barred_cards=[card for card in CARDS if card.id in agents],
        eligibility=eligibility,
        **options,
    )
    reader = ReadingRouter(hass, source)
    routers: list[Router] = [
        ReflexRouter(hass, reader),
        reader,
        GuardRouter(),
    ]
    if request.model:
        routers += [VocabularyRouter(), ModelRouter()]
    route = await Cascade(routers).async_route(request)
    catalog = await source.async_get()
    return list((await async_keep_eligible(hass, catalog, request, route)).assignments)


def taken(assignments: list[Assignment]) -> list[str]:
    """Return who has each part: an agent, or its decline."""
    return [part.decline or part.agent_id for part in assignments]


async def test_what_a_barred_agent_would_do_home_assistant_does_not_do_either(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    for text in (
        "turn on the floor lamp",  # recognised, with one lamp
        "turn on the lamp",  # by a part of its name
        "turn on the lights in the kitchen",
        "please turn on floor lamp now right away thank you",  # its name, in words nobody knows
        "some magic with the lights",
    ):
        [part] = await routed(hass, request_for, text, agents=("light-agent",))
        assert (part.agent_id, part.decline) == ("fallback-agent", "decline.not_here"), text
        assert (part.instruction, part.source, part.intent) == (text, Source.GUARD, None)


async def test_of_lamps_and_other_things_together_the_others_are_done(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    text = "turn everything off in the kitchen"
    parts = await routed(hass, request_for, text, agents=("light-agent",))
    assert sorted(taken(parts)) == [NOT_HERE, "home-agent", "music-agent"]


async def test_what_is_not_a_barred_agents_stays_with_whom_it_is_for(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    for text, agent in {
        "mute the kitchen speaker": "music-agent",
        "turn on the coffee machine": "home-agent",
        "is the floor lamp on": "home-agent",  # it only tells
        "what time is it": "home-agent",
        "fold the laundry into swans": "home-agent",
        "why are the lights so yellow": "home-agent",
    }.items():
        assert taken(await routed(hass, request_for, text, agents=("light-agent",))) == [agent]


async def test_the_other_parts_of_a_sentence_are_answered(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    text = "play jazz in the office and turn off the desk lamp"
    parts = await routed(hass, request_for, text, agents=("light-agent",))
    assert taken(parts) == ["music-agent", NOT_HERE]
    parts = await routed(hass, request_for, text, agents=("music-agent",))
    assert taken(parts) == [NOT_HERE, "light-agent"]


async def test_home_assistant_itself_can_be_barred(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    barred = ("home-agent",)
    for text in ("close the kitchen blinds", "what time is it", "fold the laundry into swans"):
        assert taken(await routed(hass, request_for, text, agents=barred)) == [NOT_HERE]
    lamp = await routed(hass, request_for, "turn on the floor lamp", agents=barred)
    assert taken(lamp) == ["light-agent"]


async def test_words_of_a_barred_agent_alone_need_no_model(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    model = Writer('{"agentId": "music"}')
    text = "dim the lamps at the back"
    parts = await routed(hass, request_for, text, agents=("light-agent",), model=model)
    assert taken(parts) == [NOT_HERE]
    assert not model.asked


async def test_a_model_cannot_choose_who_is_barred(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    model = Writer('{"agentId": "light"}')
    parts = await routed(hass, request_for, "make it cosy", agents=("light-agent",), model=model)
    assert [part.source for part in parts] == [Source.FALLBACK]
    offered = model.options["schema"]["properties"]["agentId"]["enum"]
    assert "light" not in offered
    assert "music" in offered
    assert not any("light" in str(message.content).split() for message in model.asked[0])


async def test_where_all_are_barred_that_is_what_is_said(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    everybody = tuple(card.id for card in CARDS)
    model = Writer("{}")
    parts = await routed(hass, request_for, "make it cosy", agents=everybody, model=model)
    assert taken(parts) == [NOT_HERE]
    assert not model.asked


async def test_a_barred_intent_is_declined_whoever_it_is_for(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    barred = ("HassTurnOn", "HassStartTimer")
    for text in (
        "turn on the floor lamp",
        "turn on the lamp",
        "turn on the coffee machine",
        "set a timer for 5 minutes",
    ):
        assert taken(await routed(hass, request_for, text, intents=barred)) == [NOT_HERE], text
    off = await routed(hass, request_for, "turn off the floor lamp", intents=barred)
    assert taken(off) == ["light-agent"]
    cosy = await routed(hass, request_for, "fold the laundry into swans", intents=barred)
    assert taken(cosy) == ["home-agent"]


async def test_what_is_recognised_less_strictly_is_looked_at_too(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    """A part that a model gave to Home Assistant's agent, which would carry it out."""
    catalog = await CatalogSource(hass).async_get()
    light, *others = CARDS

    async def kept(text: str, agent_id: str, eligibility: Eligibility) -> list[str]:
        part = Assignment(agent_id=agent_id, instruction=text, confidence=0.9, source=Source.MODEL)
        request = request_for(text, cards=others, barred_cards=[light], eligibility=eligibility)
        route = await async_keep_eligible(hass, catalog, request, Route((part,)))
        return taken(list(route.assignments))

    no_light = Eligibility(frozenset({"light-agent"}))
    assert await kept("turn on the floor lamp", "home-agent", no_light) == [NOT_HERE]
    assert await kept("turn on the coffee machine", "home-agent", no_light) == ["home-agent"]
    assert await kept("turn on the floor lamp", "general-agent", no_light) == ["general-agent"]
    assert await kept("anything", "light-agent", no_light) == [NOT_HERE]
    no_off = Eligibility(barred_intents=frozenset({"HassTurnOff"}))
    assert await kept("turn off the coffee machine", "music-agent", no_off) == [NOT_HERE]
    assert await kept("turn on the coffee machine", "music-agent", no_off) == ["music-agent"]


async def test_without_rules_a_route_stays_as_it_is(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    request = request_for("x")
    assert list(request.known_cards) == CARDS
    route = Route((declined("x"),))
    catalog = await CatalogSource(hass).async_get()
    assert await async_keep_eligible(hass, catalog, request, route) is route


async def test_another_reason_to_decline_is_told_first(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    text = "turn on the lights when I come home"
    parts = await routed(hass, request_for, text, agents=("light-agent",))
    assert taken(parts) == ["decline.later"]

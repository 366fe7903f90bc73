"""What no agent can do is declined, and what a capable model gave to the wrong one is routed again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from tests.conftest import Setup, Speaker
from tests.routing.reading import traces
from tests.servers import Call, Calls, Message
from tests.test_forwarding import DONE, decisions_asked, forward, is_decision

type Answer = Callable[[Any, Any], Any]

HEATING = {"action": "change_temperature", "targets": ["Bedroom Thermostat"], "by": -1}


def handing(agent: str, said: str, *plans: dict[str, Any], then: Sequence[str] = ()) -> Answer:
    """Return a capable model that gives a sentence to an agent, and answers with one plan after the other.

    `then` are the agents that it gives the same to after that, one after the other.
    """
    left, going_on = list(plans), list(then)

    def answer(_messages: Any, schema: Any) -> Any:
        if is_decision(schema):
            return forward(f"{going_on.pop(0)}-agent", said) if going_on else DONE
        if schema and "parts" in schema["properties"]:
            part = {"agent": agent, "instruction": said, "asks": False, "later": ""}
            return {"parts": [{**part, "confidence": 0.95}], "question": ""}
        if schema:
            return {"steps": [], "ask": "", "refuse": "", **left.pop(0)}
        return "I have no way to do that, sorry."

    return answer


def plans(speaker: Speaker) -> list[Any]:
    """Return the schemas of the plans that were asked for."""
    assert speaker.model
    asks = speaker.model.requests
    return [a.schema["properties"] for a in asks if a.schema and "steps" in a.schema["properties"]]


SAID = "take the edge off the bedroom, thermally"
REFUSED = {"refuse": "That is heating."}


async def test_what_is_anothers_is_decided_anew(speak: Setup) -> None:
    speaker = await speak(
        handing("music", SAID, REFUSED, {"steps": [HEATING]}, then=["climate"]), contract="capable"
    )
    heard = await speaker.say(SAID)
    assert set(heard.changes) == {"climate.bedroom_thermostat"}
    assert "heating" not in heard.reply
    assert len(decisions_asked(speaker)) == 2
    assert speaker.model
    for ask in speaker.model.requests:
        if ask.schema and "steps" in ask.schema["properties"]:
            assert set(ask.schema["properties"]) == {"steps", "ask", "refuse"}, (
                "agents name no agent"
            )
            assert "climate-agent" not in str(ask.messages)


async def test_what_was_done_is_not_decided_anew(speak: Setup) -> None:
    speaker = await speak(handing("climate", SAID, {"steps": [HEATING]}), contract="capable")
    heard = await speaker.say(SAID)
    assert set(heard.changes) == {"climate.bedroom_thermostat"}
    assert not decisions_asked(speaker)
    assert speaker.model
    assert len(speaker.model.requests) == 2


@pytest.mark.parametrize("third", ["music", "garden", ""])
async def test_it_goes_neither_back_nor_for_ever(speak: Setup, third: str) -> None:
    again = {"refuse": "There is nothing to be cooled."}
    then = ["climate", third] if third else ["climate"]
    speaker = await speak(
        handing("music", SAID, REFUSED, again, REFUSED, then=then), contract="capable"
    )
    heard = await speaker.say(SAID)
    assert heard.reply == "There is nothing to be cooled."
    assert not heard.changes
    assert len(plans(speaker)) == 2


async def test_without_anybody_else_the_reason_stands(speak: Setup) -> None:
    for frequency in ("where_needed", "once"):
        speaker = await speak(
            handing("music", SAID, REFUSED), contract="capable", workflow={"frequency": frequency}
        )
        heard = await speaker.say(SAID)
        assert heard.reply == "That is heating."
        assert len(plans(speaker)) == 1
        assert len(decisions_asked(speaker)) == (frequency != "once")


async def test_a_barred_agent_gets_nothing(speak: Setup) -> None:
    speaker = await speak(
        handing("music", SAID, REFUSED, {"steps": [HEATING]}, then=["climate"]),
        contract="capable",
        scope={"rules": [{"agents": ["climate-agent"], "share": 0}]},
    )
    heard = await speaker.say(SAID)
    assert not heard.changes
    assert all("climate" not in str(each.schema) for each in decisions_asked(speaker))


@pytest.mark.parametrize("apis", [[], ["assist"]])
async def test_what_nobody_can_do_is_declined(speak: Setup, apis: list[str]) -> None:
    said = "get me a haircut before noon"
    speaker = await speak(handing("nobody", said), contract="capable", tools={"llm_hass_api": apis})
    heard = await speaker.say(said)
    assert not heard.changes
    assert not [call for call in heard.calls if call["domain"] != "conversation"]
    kind = "I have no way" if apis else "Sorry, I can't do that."
    assert heard.reply.startswith(kind)
    [agent] = traces(speaker.hass)[-1].agents
    assert agent["id"] == ("general-agent" if apis else "fallback-agent")


async def test_the_router_reads_each_room_once(hass: HomeAssistant, speak: Setup) -> None:
    said = "something for the soul"
    speaker = await speak(handing("nobody", said), contract="capable")
    source = hass.data["bellboard_catalog"]
    await speaker.say(said)
    catalog = await source.async_get()
    assert catalog.overview is catalog.overview
    assert '- Living Room: climate, cover, 4 light, 2 player, vacuum, scene "Movie Night"' in (
        catalog.overview.splitlines()
    )
    assert speaker.model
    assert catalog.overview in speaker.model.requests[0].messages[0].content
    registry = ar.async_get(hass)
    kitchen = registry.async_get_area_by_name("Kitchen")
    assert kitchen
    registry.async_update(kitchen.id, name="Galley\nSecond line")
    await hass.async_block_till_done()
    assert "- Galley Second line: " in (await source.async_get()).overview


def looking_up(
    *agents: str, said: str, act: str = ""
) -> Callable[[list[Message], Mapping[str, Any] | None], Any]:
    """Return a model that gives parts to agents; a plan for the home is for whoever looks things up, who may act."""
    then = iter([forward("general-agent", "say whether the diary is blank tomorrow")])

    def answer(messages: list[Message], schema: Mapping[str, Any] | None) -> Any:
        if is_decision(schema):
            return next(then, DONE)
        if schema and "parts" in schema["properties"]:
            named = agents if messages[-1].content.endswith(said) else ("home",)
            told = messages[-1].content.splitlines()[-1]
            part = {"instruction": told, "asks": False, "later": False, "confidence": 0.95}
            return {"parts": [{"agent": each, **part} for each in named], "question": ""}
        if schema:
            return {"steps": [], "ask": "", "refuse": "I see no diary."}
        if act and not any(message.role == "tool" for message in messages):
            return Calls((Call("act", {"instruction": act}),))
        return "Nothing is in it."

    return answer


async def test_who_looks_things_up_may_go_on_also_beside_a_part_of_its_own(speak: Setup) -> None:
    said = "wake the espresso thing should my diary be blank"
    speaker = await speak(looking_up("home", "general", said=said), contract="capable")
    heard = await speaker.say(said)
    assert len(plans(speaker)) == 1
    assert heard.reply == "Nothing is in it."
    assert not heard.changes


async def test_what_comes_back_to_who_has_it_done_is_told_and_not_asked_again(speak: Setup) -> None:
    said = "wake the espresso thing should my diary be blank"
    act = "rouse the espresso thing by the diary"
    speaker = await speak(looking_up("general", said=said, act=act), contract="capable")
    heard = await speaker.say(said)
    assert len(plans(speaker)) == 1
    assert speaker.model
    talks = [each for each in speaker.model.requests if not each.schema]
    assert len(talks) == 2
    assert "I see no diary." in talks[-1].messages[-1].content
    # Whoever talks says why, and nobody says it before.
    assert heard.reply == "Nothing is in it."
    assert not heard.changes

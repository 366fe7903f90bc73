"""A turn tells which tools its model used, its tokens, and what it cost where the form has a price."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.const import DOMAIN
from tests.conftest import Serve, Setup
from tests.evaluation import setup_agent
from tests.panel.conftest import Panel
from tests.servers import Call
from tests.test_model_tools import using
from tests.test_websocket import traces

PRICES = {"prompt_price": 3.0, "completion_price": 15.0}
PRIVATE = "Anna's surprise"


def cost_of(call: dict[str, Any]) -> float:
    """Return what a call to a model cost."""
    return float(call["prompt_tokens"] * 3 + call["completion_tokens"] * 15) / 1_000_000


async def test_a_turn_tells_its_tools_without_what_they_were_given(
    speak: Setup, panel: Panel
) -> None:
    act = Call("act", {"instruction": "turn off the desk lamp"})
    made_up = Call(PRIVATE.replace(" ", "_"), {})
    answer = using(made_up, act, act, says="Sleep well!", asks=False)
    speaker = await speak(answer, contract="capable", **PRICES)
    await speaker.say("well well, the desk lamp really has seen enough of me for one evening")

    turn = await panel.last_turn()

    assert turn["tools"] == ["unknown", "act"]
    assert turn["tool_rounds"] == 3
    asked = [(call["purpose"], call["tools"]) for call in turn["models"]]
    assert asked[0] == ("parts", [])
    rounds = [("tools", ["unknown"]), ("tools", ["act"]), ("tools", ["act"]), ("tools", [])]
    assert [each for each in asked if each[0] == "tools"] == rounds


async def test_a_turn_tells_its_cost_by_the_prices_of_its_time(
    hass: HomeAssistant, speak: Setup, panel: Panel, hass_ws_client: Any
) -> None:
    speaker = await speak(using(says="Because of the air."), contract="capable", **PRICES)
    await speaker.say("why is the sky so blue today")

    turn = await panel.last_turn()

    costs = [cost_of(call) for call in turn["models"]]
    assert len(costs) == turn["model_calls"]
    assert turn["cost"] == float(f"{sum(costs):.4g}") > 0
    assert turn["completion_tokens"] == sum(c["completion_tokens"] for c in turn["models"])
    [trace] = await traces(await hass_ws_client(hass))
    assert (trace["cost"], trace["tools"]) == (turn["cost"], [])

    await speaker.say("why is the grass green")
    [connection] = (await panel.ask("health"))["connections"]
    [model] = connection["assistants"][0]["models"]
    sums = model["prompt_tokens"] * 3 + model["completion_tokens"] * 15
    assert model["cost"] == round(sums / 1_000_000, 4)


@pytest.mark.parametrize("prices", [{}, {"prompt_price": 0, "completion_price": 0}])
async def test_without_a_price_no_cost_is_told(
    speak: Setup, panel: Panel, prices: dict[str, float]
) -> None:
    speaker = await speak(using(says="Because of the air."), contract="capable", **prices)
    await speaker.say("why is the sky so blue today")
    assert (await panel.last_turn())["cost"] is None
    [connection] = (await panel.ask("health"))["connections"]
    [model] = connection["assistants"][0]["models"]
    assert model["cost"] is None


async def test_a_turn_without_a_model_has_no_cost(speak: Setup, panel: Panel) -> None:
    speaker = await speak(using(says="Well."), contract="capable", **PRICES)
    await speaker.say("turn on the kitchen pendant")
    turn = await panel.last_turn()
    assert (turn["cost"], turn["tools"], turn["tool_rounds"]) == (None, [], 0)


async def test_the_price_is_not_that_of_another_connections_model(
    hass: HomeAssistant, speak: Setup, serve: Serve, panel: Panel
) -> None:
    server = await serve(answer=using(says="Well."))
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    [other] = hass.config_entries.async_entries(DOMAIN)
    router = {"chat_client_key": other.entry_id}
    speaker = await speak(
        using(says="Because of the air."), contract="capable", router=router, **PRICES
    )
    await speaker.say("why is the sky so blue today")

    turn = await panel.last_turn()

    own = [call for call in turn["models"] if call["purpose"] != "parts"]
    assert 0 < len(own) < len(turn["models"])
    assert turn["cost"] == float(f"{sum(map(cost_of, own)):.4g}")


async def test_tools_and_costs_are_told_without_words(speak: Setup, panel: Panel) -> None:
    act = Call("act", {"instruction": "turn off the desk lamp"})
    hidden = {"telemetry": {"panel_words": "none"}}
    answer = using(act, says="Sleep well!", asks=False)
    speaker = await speak(answer, contract="capable", **PRICES, **hidden)
    await speaker.say("well well, the desk lamp really has seen enough of me for one evening")
    turn = await panel.last_turn()
    assert turn["tools"] == ["act"]
    assert turn["cost"] > 0
    assert "lamp" not in str([call["messages"] for call in turn["models"]])

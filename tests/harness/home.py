"""A core with a house and Bellboard in it, which is the same at the beginning of every case."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from pathlib import Path
import tempfile
import time
from typing import Any

from homeassistant import loader
from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er, frame, intent
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant
import yaml

# After the test harness, which brings a package of the same name.
import custom_components
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.evaluation.compare import ObservedTurn, read_call
from custom_components.bellboard.evaluation.models import DEMO_HOUSE, GoldenCase
from custom_components.bellboard.evaluation.runner import MeasuredTurn
from tests.evaluation import setup_agent

ROOT = Path(__file__).resolve().parents[2]

_COMPONENTS = str(ROOT / "scripts/demonstration/custom_components")
if _COMPONENTS not in custom_components.__path__:
    custom_components.__path__.append(_COMPONENTS)

POLICIES = "bellboard_policies.yaml"
"""The file of the rules, in the configuration folder."""

# Bellboard's own, and what only tells something.
_NOT_OF_THE_HOUSE = frozenset({"conversation", "event", "sensor"})


def states_of_the_house(hass: HomeAssistant) -> list[State]:
    """Return the states of all devices, without those of Bellboard's own and of what only tells something."""
    entries = er.async_get(hass).entities
    return [
        state
        for state in hass.states.async_all()
        if state.domain not in _NOT_OF_THE_HOUSE
        and not ((entry := entries.get(state.entity_id)) and entry.platform == "bellboard")
    ]


class HomeError(Exception):
    """A house cannot be set up, or a case's room or action is not in it."""


@dataclass(slots=True)
class Home:
    """A house in a running core, with an assistant to talk to. With `dry_run` nothing is carried out.

    `touched` is whether anything in it may be otherwise than it is described.
    """

    hass: HomeAssistant
    entry: ConfigEntry
    agent_id: str
    dry_run: bool = False
    touched: bool = True

    async def async_restore(self) -> None:
        """Bring everything back to how the house is described, with nothing planned."""
        if self.hass.services.has_service("bellboard", "cancel_delayed"):
            await self.hass.services.async_call("bellboard", "cancel_delayed", {}, blocking=True)
        if not self.touched:
            return
        await intent.async_handle(self.hass, "evaluation", intent.INTENT_CANCEL_ALL_TIMERS)
        await async_restore(self.hass, self.entry)
        self.touched = False

    async def async_prepare(self, case: GoldenCase) -> None:
        """Call the actions a case begins with.

        Raises:
            HomeError: one of them cannot be called.
        """
        for given in case.given:
            self.touched = True
            domain, _, service = given.action.partition(".")
            data = {**given.data, "entity_id": list(given.entity_id)}
            try:
                await self.hass.services.async_call(domain, service, data, blocking=True)
            except Exception as err:  # an action may raise anything
                raise HomeError(f"{given.action} cannot be called before the case: {err}") from err
        await self.hass.async_block_till_done()

    async def async_set_policies(self, rules: Any) -> None:
        """Put rules into force, as they are written in their file; None for none at all.

        Raises:
            HomeError: they are wrong.
        """
        path = Path(self.hass.config.path(POLICIES))
        if not await self.hass.async_add_executor_job(_write_rules, path, rules):
            return
        try:
            await self.hass.services.async_call(DOMAIN, "reload_policies", blocking=True)
        except HomeAssistantError as err:
            raise HomeError(f"the policies are wrong: {err}") from err

    def snapshot(self) -> dict[str, dict[str, Any]]:
        """Return state and attributes of everything in the house."""
        return {
            state.entity_id: {**state.attributes, "state": state.state}
            for state in states_of_the_house(self.hass)
        }

    def panel(self, area: str) -> str:
        """Return the id of the device that listens in a room.

        Raises:
            HomeError: there is none.
        """
        for device in dr.async_entries_for_config_entry(
            dr.async_get(self.hass), self.entry.entry_id
        ):
            if ("demo_house", f"panel {area}") in device.identifiers:
                return device.id
        raise HomeError(f"there is no room {area}")

    @property
    def last_trace(self) -> dict[str, Any]:
        """Return the trace of the last turn."""
        (entry,) = self.hass.config_entries.async_entries(DOMAIN)
        (assistant,) = entry.runtime_data.assistants.values()
        trace: dict[str, Any] = list(assistant.traces)[-1].as_json()
        return trace


@dataclass(slots=True)
class Talk:
    """One conversation in a house."""

    home: Home
    conversation_id: str | None = field(default=None)

    async def async_say(self, text: str, *, language: str, area: str | None) -> MeasuredTurn:
        """Say one sentence, and see what it does."""
        device_id = self.home.panel(area) if area else None
        if self.home.dry_run:
            return await self._async_dry_run(text, language, device_id)
        hass = self.home.hass
        before = self.home.snapshot()
        started = time.perf_counter()
        result = await conversation.async_converse(
            hass,
            text,
            self.conversation_id,
            Context(),
            language=language,
            agent_id=self.home.agent_id,
            device_id=device_id,
        )
        ms = (time.perf_counter() - started) * 1000
        await hass.async_block_till_done()
        self.conversation_id = result.conversation_id
        trace = self.home.last_trace
        changed = _changed(before, self.home.snapshot())
        # A timer is nowhere to be seen, but there was a call.
        self.home.touched |= bool(changed or trace["calls"])
        return MeasuredTurn(
            observed=ObservedTurn(
                reply=str(result.response.speech.get("plain", {}).get("speech", "")),
                state=trace["state"],
                agents=tuple(agent["id"] for agent in trace["agents"]),
                calls=tuple(map(read_call, trace["calls"])),
                changed=changed,
                stages=trace["stages"],
            ),
            ms=ms,
            model_calls=trace["llm"]["calls"],
            tokens=_tokens(trace["llm"]),
        )

    async def _async_dry_run(self, text: str, language: str, device_id: str | None) -> MeasuredTurn:
        """Return what would be done; nothing is."""
        data: dict[str, Any] = {
            "text": text,
            "assistant": self.home.agent_id,
            "language": language,
            "dry_run": True,
        }
        if device_id:
            data["device_id"] = device_id
        started = time.perf_counter()
        answer: Any = await self.home.hass.services.async_call(
            DOMAIN, "process", data, blocking=True, return_response=True
        )
        return MeasuredTurn(
            observed=ObservedTurn(
                reply=answer["reply"],
                state=answer["state"],
                agents=tuple(agent["id"] for agent in answer["agents"]),
                calls=tuple(map(read_call, answer["calls"])),
            ),
            ms=(time.perf_counter() - started) * 1000,
        )


def _write_rules(path: Path, rules: Any) -> bool:
    """Write rules to their file, or remove it; return whether there are others than before."""
    if rules is not None:
        path.write_text(yaml.safe_dump(rules, sort_keys=False), encoding="utf-8")
        return True
    existed = path.exists()
    path.unlink(missing_ok=True)
    return existed


def _changed(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Return the entities that are otherwise than before, as they are now."""
    return {
        entity_id: values
        for entity_id, values in after.items()
        if json.dumps(values, default=str) != json.dumps(before.get(entity_id), default=str)
    }


def _tokens(use: Mapping[str, int]) -> int:
    """Return the tokens of a turn's calls together, those that were read and those that were written."""
    return use["prompt_tokens"] + use["completion_tokens"]


async def async_restore(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Bring a house back to how it is described: its entities as they are, or made anew where one is gone.

    Raises:
        HomeError: it could not be set up again.
    """
    household = entry.runtime_data
    if all(map(hass.states.get, household.entities)):
        household.async_restore()
    elif not await hass.config_entries.async_reload(entry.entry_id):
        raise HomeError("the house could not be set up again")
    await hass.async_block_till_done()


async def async_move_in(hass: HomeAssistant, house: str) -> ConfigEntry:
    """Set up what Assist needs and a house: "demo", or the path of a description.

    Raises:
        HomeError: one of them could not be set up.
    """
    for component in ("homeassistant", "intent", "conversation"):
        if not await async_setup_component(hass, component, {}):
            raise HomeError(f"{component} could not be set up")
    data = {} if house == DEMO_HOUSE else {"house": house}
    entry = MockConfigEntry(domain="demo_house", data=data)
    entry.add_to_hass(hass)
    if not await hass.config_entries.async_setup(entry.entry_id):
        raise HomeError(f"the house {house} could not be set up: {entry.reason}")
    await hass.async_block_till_done()
    return entry


@asynccontextmanager
async def async_home(
    house: str, model: Mapping[str, Any], *, dry_run: bool = False
) -> AsyncGenerator[Home]:
    """Run a house with an assistant in a core of its own.

    `model` is the connection, as `tests.evaluation.setup_agent` takes it; empty without a model.

    Raises:
        HomeError: it could not be set up.
    """
    with tempfile.TemporaryDirectory(prefix="bellboard-evaluation-") as folder:
        async with async_test_home_assistant(config_dir=folder) as hass:
            hass.data.pop(loader.DATA_CUSTOM_COMPONENTS)
            # What tells of a wrong use needs to know where; with a second home in the same process
            # Home Assistant has something to tell.
            frame.async_setup(hass)
            try:
                entry = await async_move_in(hass, house)
                yield Home(hass, entry, await setup_agent(hass, model), dry_run)
            finally:
                await hass.async_stop(force=True)

"""Moving in: the first user, the demo house, Bellboard and its place in Assist, all by the API."""

import asyncio
from dataclasses import asdict, dataclass
import json
import secrets
import time
from typing import TYPE_CHECKING, Any

from .errors import DemoError, HomeAssistantError

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api
    from .model import ModelServer

CLIENT_ID = "http://127.0.0.1/"
FLOWS = "/api/config/config_entries/flow"
RUNNING_SECONDS = 60
TOKEN_DAYS = 3650
# A dozen questions of a few seconds each, where the model is slow.
_TEST_SECONDS = 120
PIPELINE = "Bellboard"


@dataclass(frozen=True, slots=True)
class Owner:
    """The demonstration's own user of a Home Assistant, and a token that lasts."""

    username: str
    password: str
    token: str


async def become_owner(api: Api, directory: Path) -> Owner:
    """Log in as the demonstration's user; create it at the first start.

    The user is remembered in the configuration directory. Raises DemoError if Home Assistant has
    a user already and it is not the demonstration's.
    """
    known = directory / ".storage" / "bellboard_demo_user.json"
    if await asyncio.to_thread(known.exists):
        owner = Owner(**json.loads(await asyncio.to_thread(known.read_text, "utf-8")))
        await api.log_in(owner.token)
    else:
        owner = await _create_owner(api, directory)
        known.touch(mode=0o600)
        await asyncio.to_thread(known.write_text, json.dumps(asdict(owner)), "utf-8")
    await _running(api)
    return owner


async def _create_owner(api: Api, directory: Path) -> Owner:
    username, password = "demo", secrets.token_urlsafe(9)
    steps = await api.get("/api/onboarding")
    if any(step["step"] == "user" and step["done"] for step in steps):
        message = f"{directory} has a user of its own; give --config another directory"
        raise DemoError(message)
    created = await api.post(
        "/api/onboarding/users",
        {
            "client_id": CLIENT_ID,
            "name": "Demo",
            "username": username,
            "password": password,
            "language": "en",
        },
    )
    session = await api.post_form(
        "/auth/token",
        {
            "client_id": CLIENT_ID,
            "grant_type": "authorization_code",
            "code": created["auth_code"],
        },
    )
    await api.log_in(session["access_token"])
    # The session's own token is valid for half an hour only.
    token = await api.command(
        "auth/long_lived_access_token", client_name="Bellboard demo", lifespan=TOKEN_DAYS
    )
    await api.log_in(token)
    return Owner(username, password, token)


async def _running(api: Api) -> None:
    """Wait until everything is set up; raises DemoError if that takes too long."""
    deadline = time.monotonic() + RUNNING_SECONDS
    while (await api.get("/api/config"))["state"] != "RUNNING":
        if time.monotonic() > deadline:
            raise HomeAssistantError("Home Assistant answers, but does not finish starting")
        await asyncio.sleep(0.1)


async def move_in(api: Api, house: Path | None = None) -> None:
    """Set up the demo house, or the one that a YAML file describes, unless one is there already."""
    if not await _is_set_up(api, "demo_house"):
        form = await api.post(FLOWS, {"handler": "demo_house"})
        answers = {"house": str(house)} if house else {}
        await _finish(await api.post(f"{FLOWS}/{form['flow_id']}", answers))


async def install_bellboard(api: Api, server: ModelServer | None) -> None:
    """Set Bellboard up through its own form, unless it is there already.

    Raises DemoError when the form ends in anything but an entry.
    """
    if await _is_set_up(api, "bellboard"):
        return
    step = await api.post(FLOWS, {"handler": "bellboard"})
    provider = server.provider if server else "none"
    step = await _answer(api, step, "user", {"provider": provider})
    if server is not None:
        step = await _answer(api, step, "connection", {"url": server.url})
        # A server with a single model is asked no further.
        if step.get("type") == "form":
            step = await _answer(api, step, "model", {"model": _chosen_model(step)})
    if step.get("type") == "menu":
        step = await api.post(f"{FLOWS}/{step['flow_id']}", {"next_step_id": "not_now"})
    await _finish(step)


async def await_model(api: Api) -> None:
    """Wait until it is found out what the model can be asked, which a model of an unknown name is tested for."""
    for _ in range(_TEST_SECONDS * 5):
        models = (await api.command("bellboard/models"))["models"]
        if models and not any(model["is_tested"] for model in models):
            return
        await asyncio.sleep(0.2)


async def _answer(api: Api, step: Any, expected: str, answers: dict[str, Any]) -> Any:
    """Fill in one step of a form and return the next one."""
    if step.get("type") != "form" or step.get("step_id") != expected:
        await _finish(step)
    answered = await api.post(f"{FLOWS}/{step['flow_id']}", answers)
    if answered.get("errors"):
        message = f"Bellboard's form does not accept {answers}: {answered['errors']}"
        raise DemoError(message)
    return answered


async def _finish(step: Any) -> None:
    """Raise HomeAssistantError unless a form has become an entry that works."""
    if step.get("type") != "create_entry":
        what = step.get("reason") or step.get("step_id") or step
        message = f"{step.get('handler')} could not be set up: {step.get('type')} {what}"
        raise HomeAssistantError(message)
    entry = step["result"]
    if entry["state"] != "loaded":
        message = f"{entry['domain']} is {entry['state']}: {entry.get('reason') or 'see the log'}"
        raise HomeAssistantError(message)


def _chosen_model(step: Any) -> str:
    """Return the model to choose in a form: a small known one if it is offered, else the first.

    Raises DemoError when none is offered.
    """
    field = next(field for field in step["data_schema"] if field["name"] == "model")
    offered = field.get("selector", {}).get("select", {}).get("options") or field.get("options", [])
    names = [_option_value(option) for option in offered]
    if not names:
        raise DemoError("the model server offers no model")
    return next((name for name in names if "smol" in name.casefold()), names[0])


def _option_value(option: Any) -> str:
    """Return the value of a form's option, in whichever of its three forms it comes."""
    if isinstance(option, dict):
        return str(option["value"])
    return str(option[0] if isinstance(option, list) else option)


async def _is_set_up(api: Api, domain: str) -> bool:
    return bool(await api.command("config_entries/get", domain=domain))


async def bellboard_entities(api: Api) -> list[str]:
    """Return the entity ids that belong to Bellboard."""
    entries = await api.command("config/entity_registry/list")
    return [entry["entity_id"] for entry in entries if entry["platform"] == "bellboard"]


async def bellboard_agent(api: Api) -> str:
    """Return the entity id of Bellboard's assistant; raises DemoError when there is none."""
    for entity_id in await bellboard_entities(api):
        if entity_id.startswith("conversation."):
            return entity_id
    raise HomeAssistantError("Bellboard is set up but has no assistant")


async def prefer_agent(api: Api, agent: str) -> None:
    """Make the agent answer in Assist's preferred pipeline."""
    listed = await api.command("assist_pipeline/pipeline/list")
    known = {pipeline["name"]: pipeline["id"] for pipeline in listed["pipelines"]}
    fields = {
        "name": PIPELINE,
        "language": "en",
        "conversation_engine": agent,
        "conversation_language": "en",
        "prefer_local_intents": False,
        **dict.fromkeys(("stt_engine", "stt_language", "tts_engine", "tts_language", "tts_voice")),
        **dict.fromkeys(("wake_word_entity", "wake_word_id")),
    }
    if pipeline_id := known.get(PIPELINE):
        await api.command("assist_pipeline/pipeline/update", pipeline_id=pipeline_id, **fields)
    else:
        created = await api.command("assist_pipeline/pipeline/create", **fields)
        pipeline_id = created["id"]
    await api.command("assist_pipeline/pipeline/set_preferred", pipeline_id=pipeline_id)


async def voice_panel(api: Api, area: str) -> str:
    """Return the device id of an area's voice panel; the area may be named by an alias.

    Raises DemoError, which names the areas there are, for any other.
    """
    areas = await api.command("config/area_registry/list")
    for entry in areas:
        names = {name.casefold() for name in (entry["name"], *entry["aliases"])}
        if area.casefold() in names:
            break
    else:
        there = ", ".join(sorted(entry["name"] for entry in areas))
        message = f"there is no area {area}; there are {there}"
        raise DemoError(message)
    panel = f"{entry['name']} voice panel"
    for device in await api.command("config/device_registry/list"):
        if device["name"] == panel:
            return str(device["id"])
    message = f"there is no {panel}"
    raise DemoError(message)

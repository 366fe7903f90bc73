"""People who live in the house and are no administrators."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
import secrets

from demonstration.api import Api
from demonstration.household import CLIENT_ID, Owner


@asynccontextmanager
async def resident(api: Api) -> AsyncGenerator[Owner]:
    """Provide somebody who may use Home Assistant and administrate nothing, with a token of their own."""
    username, password = "resident", secrets.token_urlsafe(9)
    user = (await api.command("config/auth/create", name="Resident", group_ids=["system-users"]))[
        "user"
    ]
    await api.command(
        "config/auth_provider/homeassistant/create",
        user_id=user["id"],
        username=username,
        password=password,
    )
    try:
        async with Api(api.url) as own:
            yield Owner(username, password, await _token(own, username, password))
    finally:
        await api.command("config/auth/delete", user_id=user["id"])


async def _token(api: Api, username: str, password: str) -> str:
    """Sign in, and return the session's token."""
    flow = await api.post(
        "/auth/login_flow",
        {"client_id": CLIENT_ID, "handler": ["homeassistant", None], "redirect_uri": CLIENT_ID},
    )
    done = await api.post(
        f"/auth/login_flow/{flow['flow_id']}",
        {"client_id": CLIENT_ID, "username": username, "password": password},
    )
    session = await api.post_form(
        "/auth/token",
        {"client_id": CLIENT_ID, "grant_type": "authorization_code", "code": done["result"]},
    )
    return str(session["access_token"])

"""Home Assistant's web interface in a real Chromium, with somebody signed in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
import json
import os

from playwright.async_api import Browser, Page, async_playwright

from .errors import DemoError
from .household import Owner

PATIENCE_MS = 60_000
"""How long a page may take to show what is waited for, in milliseconds: some machines are slow."""

# Nothing of the browser's own may ask the internet, which may be out of reach.
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True, slots=True)
class Screen:
    """What a page is looked at on: its size in pixels, and whether its owner likes it dark."""

    width: int = 1280
    height: int = 900
    dark: bool = False


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Provide the machine's Chromium, which $CHROMIUM names, with nothing remembered in it.

    Raises DemoError where there is none.
    """
    path = os.environ.get("CHROMIUM")
    if not path:
        raise DemoError("$CHROMIUM names no browser: scripts/test --browser finds it")
    async with async_playwright() as playwright:
        # Its profile is a fresh folder, which goes when it ends.
        chromium = await playwright.chromium.launch(
            executable_path=path, headless=True, args=_FLAGS
        )
        try:
            yield chromium
        finally:
            await chromium.close()


async def signed_in(chromium: Browser, url: str, owner: Owner, screen: Screen) -> Page:
    """Return an empty page on which the owner is signed in already; closing its context ends it."""
    context = await chromium.new_context(
        viewport={"width": screen.width, "height": screen.height},
        color_scheme="dark" if screen.dark else "light",
    )
    context.set_default_timeout(PATIENCE_MS)
    tokens = {
        "hassUrl": url,
        "clientId": f"{url}/",
        "access_token": owner.token,
        "token_type": "Bearer",
        "expires_in": 10**9,
        "expires": 10**13,
        "refresh_token": "",
    }
    await context.add_init_script(f"localStorage.hassTokens = {json.dumps(json.dumps(tokens))}")
    return await context.new_page()

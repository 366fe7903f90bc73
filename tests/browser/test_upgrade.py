"""What another release wrote is there in the web interface, and what is lost by going back is told there.

The files in ../upgrades/ are what the releases wrote; Home Assistant starts with them as after a change of version.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
import json
from pathlib import Path
import shutil
from typing import Any

from demonstration.api import Api
from demonstration.boot import HomeAssistant, Wishes, free_port, write_configuration
from demonstration.browser import Screen, signed_in
from demonstration.household import become_owner, bellboard_agent
from playwright.async_api import Browser, Page, expect
import pytest

from .console import Console
from .home import Home, errors_of
from .sidebar import SidebarPage

pytestmark = pytest.mark.browser

WRITTEN = Path(__file__).parents[1] / "upgrades"


def entry(domain: str, **told: Any) -> dict[str, Any]:
    """Return a connection as Home Assistant keeps it."""
    now = datetime.now(UTC).isoformat()
    return {
        "entry_id": f"01{domain.upper():0<24.24}",
        "domain": domain,
        "title": domain,
        "data": {},
        "options": {},
        "version": 1,
        "minor_version": 1,
        "source": "user",
        "created_at": now,
        "modified_at": now,
        "disabled_by": None,
        "discovery_keys": {},
        "pref_disable_new_entities": False,
        "pref_disable_polling": False,
        "subentries": [],
        "unique_id": None,
        **told,
    }


def keep(directory: Path, written: dict[str, Any]) -> None:
    """Fill a configuration directory with what a release wrote; what it planned is for tomorrow."""
    write_configuration(Wishes(directory, 0, frontend=True, develop=False))
    told = written["entry"]
    subentries = [{"unique_id": None, **each} for each in told["subentries"]]
    ours = {**told, "subentries": subentries}
    entries = [entry("demo_house"), entry("bellboard", **ours)]
    stores = {
        "core.config_entries": {"version": 1, "minor_version": 5, "data": {"entries": entries}}
    }
    for name, store in (stores | written["stores"]).items():
        for command in store["data"].get("commands", ()):
            command["due"] = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        (directory / ".storage" / name).write_text(json.dumps({"key": name, **store}), "utf-8")
    shutil.copy(WRITTEN / "policies.yaml", directory / "bellboard_policies.yaml")


@asynccontextmanager
async def started(
    directory: Path, written: dict[str, Any], chromium: Browser
) -> AsyncGenerator[tuple[Home, Page]]:
    """Start Home Assistant with what a release wrote, and return a page of its owner's; nothing may go wrong in it."""
    keep(directory, written)
    wishes = Wishes(directory, free_port(), frontend=True, develop=False)
    async with HomeAssistant(wishes) as running, Api(running.url) as api:
        owner = await become_owner(api, directory)
        page, console = await signed_in(chromium, running.url, owner, Screen()), Console()
        console.listen_to(page)
        yield Home(running.url, api, owner), page
        await page.context.close()
        assert not console.errors
    assert errors_of(running) == []


def written_by(name: str) -> dict[str, Any]:
    """Return what a release wrote."""
    written: dict[str, Any] = json.loads((WRITTEN / f"{name}.json").read_text("utf-8"))
    return written


async def test_what_an_older_release_kept_is_there_after_an_update(
    chromium: Browser, tmp_path: Path
) -> None:
    async with started(tmp_path, written_by("minor_3"), chromium) as (home, page):
        await page.goto(f"{home.url}/config/integrations/integration/bellboard")
        for title in ("Bellboard", "Reading corner"):
            await expect(page.get_by_text(title, exact=True).first).to_be_visible()

        panel = SidebarPage(page, home.url)
        await panel.open()
        await expect(panel.part("planned")).to_contain_text("turn off the reading lamp")
        await panel.look("learned")
        await expect(panel.part("lesson")).to_contain_text("sunny side up")
        await panel.look("policies")
        await expect(panel.part("rule").filter(has_text="no_doors_at_night")).to_have_count(1)

        turn = await home.say(await bellboard_agent(home.api), "turn off the desk lamp")
        assert turn.changes["light.desk_lamp"]["to"] == "off"
        listed = await home.api.command("repairs/list_issues")
        assert not [each for each in listed["issues"] if each["domain"] == "bellboard"]


async def test_what_is_lost_by_going_back_is_told_under_repairs(
    chromium: Browser, tmp_path: Path
) -> None:
    written = written_by("minor_3")
    written["entry"]["minor_version"] += 90
    written["entry"]["subentries"][0]["data"]["sings"] = True
    for store in written["stores"].values():
        store["version"] = 2

    async with started(tmp_path, written, chromium) as (home, page):
        await page.goto(f"{home.url}/config/repairs")
        await page.get_by_text("Settings of a newer version are not used").click()
        await expect(page.get_by_text("sings")).to_be_visible()
        await page.goto(f"{home.url}/config/repairs")
        told = page.get_by_text("A newer version wrote a file that this one can't read")
        await expect(told.first).to_be_visible()

        turn = await home.say(await bellboard_agent(home.api), "turn off the desk lamp")
        assert turn.changes["light.desk_lamp"]["to"] == "off"
    for name, store in written["stores"].items():
        assert (
            json.loads((tmp_path / ".storage" / name).read_text("utf-8"))["data"] == store["data"]
        )

"""Bellboard's page in the sidebar, as an administrator uses it. Its parts are found by their `data-test` names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Locator, Page, expect

_SERIOUS = ("serious", "critical")


@dataclass(frozen=True, slots=True)
class Meant:
    """What was meant by a sentence: devices, what is done with them, and the values by their parameter."""

    devices: Sequence[str]
    action: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class SidebarPage:
    """The page of a Home Assistant at `url`."""

    page: Page
    url: str

    async def open(self, path: str = "turns") -> None:
        """Go to a path of it."""
        await self.page.goto(f"{self.url}/bellboard/{path}")
        await expect(self.part("tab-turns")).to_be_visible()

    def part(self, name: str) -> Locator:
        """Return a part of the page by its name."""
        return self.page.locator(f"[data-test={name}]")

    def turn(self, said: str) -> Locator:
        """Return the newest line with a sentence in the list of turns."""
        return self.part("turn").filter(has_text=said).first

    async def look(self, tab: str) -> None:
        """Look at a tab."""
        await self.part(f"tab-{tab}").click()
        await expect(self.part(f"view-{tab}")).to_be_visible()

    async def look_at_turn(self, said: str) -> None:
        """Look at the newest turn with a sentence."""
        await self.turn(said).click()
        await expect(self.part("turn-utterance")).to_contain_text(said)

    async def try_sentence(self, text: str) -> None:
        """Try a sentence, and wait for what it would come to."""
        await self.part("try-text").fill(text)
        await self.part("try").click()
        await expect(self.part("result")).to_be_visible()

    async def correct(self, meant: Meant | None, keep: str) -> None:
        """Say what was meant by the turn that is shown, None for nothing, and keep that in a way."""
        await self.part("wrong").click()
        if meant is None:
            await self.part("correct-meant-nothing").check()
        else:
            await self._mean(meant, is_alias=keep == "alias")
        await self.part(f"correct-keep-{keep}").check()
        if keep == "alias":
            await self.part("correct-alias").fill(meant.values["alias"] if meant else "")
        await self.part("correct-send").click()
        await expect(self.part("correct")).to_have_count(0)

    async def _mean(self, meant: Meant, *, is_alias: bool) -> None:
        for device in meant.devices:
            await self.part("devices-search").fill(device)
            await self.page.locator(f"[data-test=device] input[value='{device}']").check()
        if is_alias:
            await self.part("correct-keep-alias").check()
            return
        await self.part("correct-action").select_option(meant.action)
        for parameter, value in meant.values.items():
            field = self.part(f"correct-value-{parameter}")
            if await field.evaluate("field => field.localName") == "select":
                await field.select_option(value)
            else:
                await field.fill(value)

    async def findings(self) -> list[str]:
        """Return the serious findings of axe about what is shown of ours, in words."""
        results = await Axe().run(self.page)
        violations: list[dict[str, Any]] = results.response["violations"]
        return [
            f"{each['id']}: {each['help']} ({node['target']})"
            for each in violations
            if each["impact"] in _SERIOUS
            for node in each["nodes"]
            if "bellboard-panel" in str(node["target"])
        ]

    async def overflow(self) -> int:
        """Return by how many pixels what is shown is wider than the screen."""
        script = "document.scrollingElement.scrollWidth - innerWidth"
        return max(0, int(await self.page.evaluate(script)))

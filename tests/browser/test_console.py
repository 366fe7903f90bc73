"""What comes up in the console of a page is noted, but for what Home Assistant's own pages make without us."""

from playwright.async_api import Browser, Route
import pytest

from .console import Console

pytestmark = pytest.mark.browser

URL = "http://home.test"


async def answer(route: Route) -> None:
    """Answer for a Home Assistant that has an empty page, and nothing else."""
    is_page = route.request.url == f"{URL}/"
    await route.fulfill(status=200 if is_page else 404, content_type="text/html", body="")


async def test_errors_are_noted_but_for_pictures_of_others(chromium: Browser) -> None:
    page, console = await chromium.new_page(), Console()
    console.listen_to(page)
    await page.route(f"{URL}/**", answer)
    await page.goto(f"{URL}/")
    await page.evaluate("""async () => {
        console.warn("not all is well");
        console.error("something broke");
        await fetch("/api/brands/integration/sonos/icon.png");
        await fetch("/api/brands/integration/bellboard/icon.png");
        setTimeout(() => { throw new Error("nobody catches it"); });
        await new Promise(resolve => setTimeout(resolve, 100));
    }""")
    await page.close()
    broken, missing, uncaught = console.errors
    assert broken.startswith("something broke ")
    assert f"({URL}/api/brands/integration/bellboard/icon.png)" in missing
    assert uncaught.startswith("uncaught: Error: nobody catches it")

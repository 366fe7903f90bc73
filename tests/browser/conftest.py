"""A real Home Assistant with its web interface, set up once for all tests, and pages of it in a real Chromium.

`scripts/test --browser` makes ready what they need. A test that looks at a page takes `page`; one that looks at it on
another screen is parametrised with it: `@pytest.mark.parametrize("page", [Screen(width=390)], indirect=True)`.
"""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

from demonstration.api import Api
from demonstration.boot import HomeAssistant, Wishes, free_port
from demonstration.browser import PATIENCE_MS, Screen, browser, signed_in
from demonstration.first_hour import Walk, set_up
from demonstration.household import become_owner, bellboard_agent, move_in
from playwright.async_api import Browser, Page, expect
import pytest

from .console import Console
from .home import HOUSE, Home, errors_of

expect.set_options(timeout=PATIENCE_MS)
_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether a test failed, so that its page can be shown as it was then."""
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
async def home(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Home]:
    """Return a running Home Assistant in the house of these tests; Bellboard may not log an error in it."""
    directory = tmp_path_factory.mktemp("home-assistant")
    wishes = Wishes(directory, free_port(), frontend=True, develop=False)
    async with HomeAssistant(wishes) as running, Api(running.url) as api:
        owner = await become_owner(api, directory)
        await move_in(api, HOUSE)
        yield Home(running.url, api, owner)
    assert errors_of(running) == []


@pytest.fixture(scope="session")
async def chromium() -> AsyncGenerator[Browser]:
    """Return the browser; where there is none, every test fails and says so."""
    async with browser() as found:
        yield found


@pytest.fixture(scope="session")
async def assistant(home: Home, chromium: Browser) -> str:
    """Return the entity id of an assistant without a model, which is set up by its form in the browser."""
    page, console = await signed_in(chromium, home.url, home.owner, Screen()), Console()
    console.listen_to(page)
    await set_up(Walk(page, None), home.url, None)
    await page.context.close()
    assert not console.errors
    return await bellboard_agent(home.api)


@pytest.fixture
async def page(
    request: pytest.FixtureRequest, home: Home, chromium: Browser, assistant: str, tmp_path: Path
) -> AsyncGenerator[Page]:
    """Return an empty page of the owner's, where Bellboard is set up; no error may come up in its console.

    How a page looked when its test failed is shown in `failed.png` of the test's own folder.
    """
    screen: Screen = getattr(request, "param", Screen())
    page, console = await signed_in(chromium, home.url, home.owner, screen), Console()
    console.listen_to(page)
    yield page
    if request.node.stash.get(_FAILED, False):
        await page.screenshot(path=tmp_path / "failed.png")
    await page.context.close()
    assert not console.errors

"""The dialogs of Home Assistant's web interface in which an integration is set up: what is where in them."""

import re

from playwright.async_api import Locator, Page


def form(page: Page) -> Locator:
    """Return the form that is asked to be filled in."""
    return page.locator("step-flow-form")


def menu(page: Page) -> Locator:
    """Return the choices of what to do next."""
    return page.locator("step-flow-menu")


def created(page: Page) -> Locator:
    """Return what is said when all is done."""
    return page.locator("step-flow-create-entry")


def ended(page: Page) -> Locator:
    """Return what is said when nothing more can be done, or a change is kept."""
    return page.locator("step-flow-abort")


def submit(page: Page) -> Locator:
    """Return the button that sends a form."""
    return page.get_by_role("button", name=re.compile("Submit|Next")).last


def finish(page: Page) -> Locator:
    """Return the button that closes what is done."""
    return page.get_by_role("button", name=re.compile("Finish|Skip|Close")).last

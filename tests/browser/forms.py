"""Bellboard's page among the integrations, and the forms that are opened there, as a person uses them."""

from dataclasses import dataclass
import re

from demonstration import dialogs
from playwright.async_api import Locator, Page, expect

# What stands right before the field that something is typed into; a field is of several elements, one in another.
_ERROR = """typed => {
    let field = typed;
    while (field && field.localName !== "ha-selector") field = field.parentElement ?? field.getRootNode().host;
    const before = field?.previousElementSibling;
    return before?.localName === "ha-alert" ? before.innerText : "";
}"""


@dataclass(frozen=True, slots=True)
class Form:
    """A form that is open in a page."""

    page: Page

    @property
    def root(self) -> Locator:
        """What is in the form."""
        return dialogs.form(self.page)

    def text(self, name: str) -> Locator:
        """Return where a text is typed, by the name of its field."""
        return self.root.locator(f"input[name={name}], textarea[name={name}]")

    def field(self, label: str) -> Locator:
        """Return a field with all that belongs to it, by its label."""
        return self.root.locator("ha-selector").filter(has_text=label)

    def number(self, label: str) -> Locator:
        """Return where a number is typed, by the label of its field."""
        return self.field(label).locator("input[type=number]")

    async def choose(self, label: str, option: str) -> None:
        """Choose one of the options of a field with a list to drop down."""
        await self.field(label).locator("ha-picker-field").click()
        await self.page.get_by_role("menuitem", name=option, exact=True).click()

    async def switch(self, label: str) -> None:
        """Turn on what is off, and off what is on."""
        # The box itself lies below what is drawn in its place.
        await self.field(label).locator("label").click()

    async def send(self) -> None:
        """Send the form."""
        await dialogs.submit(self.page).click()

    async def error_at(self, name: str) -> str:
        """Return what is told to be wrong at a field, once something is; "" where it is told elsewhere."""
        await self.root.locator("ha-alert[alert-type=error]").first.wait_for()
        return str(await self.text(name).evaluate(_ERROR)).strip()

    async def choose_next(self, option: str) -> None:
        """Choose what to do next, where that is asked in place of a form."""
        await dialogs.menu(self.page).get_by_text(option, exact=True).click()

    async def finish(self, told: str) -> None:
        """Wait until something is told at the end, and close it."""
        end = dialogs.created(self.page).or_(dialogs.ended(self.page))
        await expect(end).to_contain_text(told)
        await dialogs.finish(self.page).click()
        await expect(end).to_have_count(0)


@dataclass(frozen=True, slots=True)
class IntegrationPage:
    """Bellboard's page among the integrations of a Home Assistant at `url`."""

    page: Page
    url: str

    async def open(self) -> None:
        """Go there."""
        await self.page.goto(f"{self.url}/config/integrations/integration/bellboard")

    async def add_agent(self, template: str) -> Form:
        """Open the form of a new agent for devices, as a template fills it."""
        await self.open()
        await self.page.get_by_role("button", name="Add agent").click()
        form = Form(self.page)
        await form.choose_next("For devices")
        await form.choose("Template", template)
        await form.send()
        await form.text("name").wait_for()
        return form

    async def change_assistant(self) -> Form:
        """Open the form of the assistant."""
        await self.open()
        await self.page.get_by_role("button", name="Change assistant").first.click()
        form = Form(self.page)
        await form.text("name").wait_for()
        return form

    def row(self, name: str) -> Locator:
        """Return the row of an assistant or an agent."""
        return self.page.locator("ha-config-sub-entry-row").filter(
            has=self.page.get_by_text(re.compile(f"^{re.escape(name)}$"))
        )

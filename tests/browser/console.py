"""What a page tells its console. An error there fails a test, unless Home Assistant's own pages make it without us."""

from collections.abc import Sequence
from dataclasses import dataclass, field
import re
from typing import NamedTuple

from playwright.async_api import ConsoleMessage, Error, Page


class Known(NamedTuple):
    """An error that is not ours: what is told, the address of what it is about, and why it comes."""

    text: str
    address: str
    reason: str


KNOWN: Sequence[Known] = (
    Known(
        r"Failed to load resource: .* 404 ",
        r"/api/brands/integration/(?!bellboard/)\w+/(dark_)?(icon|logo)\.png",
        "The pages of integrations ask for pictures of all of them, and without the internet there are none but of"
        " those that bring their own.",
    ),
    Known(
        r"Cannot access '\w+' before initialization\s+at \w+\.start_stage ",
        "",
        "Assist's own chat may hear of the first stage of an answer before it knows how to stop listening.",
    ),
    Known(
        r"Failed to load resource: ",
        r"^https://raw\.githubusercontent\.com/home-assistant/frontend/|/unknown/node_modules/",
        "Home Assistant's frontend looks up the source of an error of its own, which is nowhere without the internet.",
    ),
)


# Without slots: Playwright keeps what it makes of a listener in the object.
@dataclass
class Console:
    """The errors that a page told of so far."""

    errors: list[str] = field(default_factory=list)

    def listen_to(self, page: Page) -> None:
        """Note the page's errors from now on, also those that nothing catches."""
        page.on("console", self._note)
        page.on("pageerror", self._note_uncaught)

    def _note(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        if message.type == "error" and not _is_known(message.text, address):
            self.errors.append(f"{message.text} ({address})")

    def _note_uncaught(self, error: Error) -> None:
        told = error.stack or error.message
        if not _is_known(told, ""):
            self.errors.append(f"uncaught: {told}")


def _is_known(text: str, address: str) -> bool:
    return any(re.search(known.text, text) and re.search(known.address, address) for known in KNOWN)

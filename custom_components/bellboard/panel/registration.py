"""The panel in Home Assistant's sidebar, where Home Assistant has its web interface."""

import hashlib
from pathlib import Path

from homeassistant.components import frontend, panel_custom
from homeassistant.components.http import StaticPathConfig
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN

PATH = DOMAIN
"""Path of the page: /bellboard."""

_FOLDER = Path(__file__).parent.parent / "frontend"
_FILES = f"/{DOMAIN}_panel"
_ELEMENT = "bellboard-panel"
_DATA_MODULE: HassKey[str] = HassKey(f"{DOMAIN}_panel_module")


async def async_show_panel(hass: HomeAssistant) -> None:
    """Show the page to administrators; it is there already, or there is no web interface, where nothing happens."""
    if "frontend" not in hass.config.components or PATH in hass.data.get(frontend.DATA_PANELS, {}):
        return
    if (module := hass.data.get(_DATA_MODULE)) is None:
        module = hass.data[_DATA_MODULE] = await hass.async_add_executor_job(_module_url)
        # Files are served until Home Assistant stops; they cannot be served twice.
        await hass.http.async_register_static_paths(
            [StaticPathConfig(_FILES, str(_FOLDER), cache_headers=True)]
        )
    await panel_custom.async_register_panel(
        hass,
        frontend_url_path=PATH,
        webcomponent_name=_ELEMENT,
        sidebar_title="Bellboard",
        sidebar_icon="mdi:bell-ring-outline",
        module_url=module,
        require_admin=True,
        config_panel_domain=DOMAIN,
    )


@callback
def async_hide_panel(hass: HomeAssistant) -> None:
    """Take the page out of the sidebar."""
    if PATH in hass.data.get(frontend.DATA_PANELS, {}):
        frontend.async_remove_panel(hass, PATH)


def _module_url() -> str:
    """Return the address of the page's module, which changes with its content. It blocks."""
    digest = hashlib.sha256((_FOLDER / "panel.js").read_bytes()).hexdigest()
    return f"{_FILES}/panel.js?v={digest[:12]}"

"""The built-in prompts and words, as a form shows them where one's own would stand."""

from homeassistant.core import HomeAssistant

from ..nlu.loader import async_get_language
from ..options import CATALOG, REQUEST
from ..routing.prompt import BUILT_IN_INSTRUCTIONS


async def async_built_in_texts(hass: HomeAssistant) -> dict[str, str]:
    """Return the built-in texts by option; those that are spoken are in the home's language."""
    replies = (await async_get_language(hass, hass.config.language)).replies
    partial = replies["aggregate.partial"]
    return {
        "router.system_prompt": f"{BUILT_IN_INSTRUCTIONS}\n{{{CATALOG}}}",
        "router.user_prompt_template": f"{{{REQUEST}}}",
        "router.agent_catalog_header": BUILT_IN_INSTRUCTIONS,
        "router.clarification_prompt_template": replies["ask.agent"],
        "router.fallback_reason_template": replies["fallback"],
        "aggregation.default_fallback_message": replies["aggregate.fallback"],
        "aggregation.partial_failure_template": partial.format(
            success="{successMessage}", failure="{failureMessage}"
        ),
    }

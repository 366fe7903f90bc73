"""The pages of an assistant's form: which options stand where, and which are of no use.

The options most people change stand on the first page, the others on the pages behind "Advanced".
An option is named by its path: its name, with its group before it where it has one.
"""

from collections.abc import Mapping
from datetime import time
from typing import Any

from homeassistant.const import CONF_MODEL
from pydantic.fields import FieldInfo

from ..const import PROVIDER_AI_TASK, PROVIDER_CONNECTION, PROVIDER_NONE
from ..options import AssistantOptions, Options

FIRST_PAGE = "init"
"""The page that is shown without a question for more."""

PRICES = ("prompt_price", "completion_price")
"""The options that are in the home's currency."""

PAGES: Mapping[str, tuple[str, ...]] = {
    FIRST_PAGE: (
        CONF_MODEL,
        "contract",
        "tools.llm_hass_api",
        "timeout",
        "router.confidence_threshold",
        "router.use_history",
        "router.learn_decisions",
        "memory.max_clarifications",
        "memory.task_context_ttl",
        "aggregation.enable_natural_language_joining",
        "scope.rules",
        "telemetry.event_bus",
    ),
    "routing": (
        "router.chat_client_key",
        "router.escalation_key",
        "router.temperature",
        "router.max_output_tokens",
        "router.max_attempts",
        "requests_per_minute",
        *PRICES,
        "router.include_agent_capabilities",
        "router.include_skill_examples",
        "router.learn_from_success",
        "router.clarification_agent_id",
        "router.fallback_agent_id",
    ),
    "prompts": (
        "tools.persona",
        "router.default_prompts",
        "router.system_prompt",
        "router.user_prompt_template",
        "router.agent_catalog_header",
        "router.clarification_prompt_template",
        "router.fallback_reason_template",
    ),
    "trial": ("router.trial_share", "router.trial_model", "router.trial_prompt"),
    "running": (
        "dispatch.default_timeout_ms",
        "dispatch.max_retries",
        "dispatch.retry_delay_ms",
        "dispatch.parallel",
        "dispatch.enable_telemetry",
    ),
    "answers": ("aggregation.default_fallback_message", "aggregation.partial_failure_template"),
    "workflow": (
        "workflow.frequency",
        "workflow.strategy",
        "workflow.max_iterations",
        "workflow.temperature",
        "workflow.gatekeeper_url",
        "workflow.gatekeeper_timeout_ms",
        "workflow.gatekeeper_retry_attempts",
        "workflow.gatekeeper_token",
        "workflow.gatekeeper_secret",
    ),
    "day": ("day.morning", "day.noon", "day.afternoon", "day.evening", "day.night"),
    "memory": ("habits.last_player", "habits.last_level", "memory.redis_url"),
    "telemetry": (
        "telemetry.sqlite",
        "telemetry.sqlite_max_mb",
        "telemetry.sqlite_keep",
        "telemetry.spans",
        "telemetry.print_events",
        "telemetry.reveal_text",
        "telemetry.panel_words",
        "telemetry.redacted_parameters",
        "debug_text",
    ),
}
"""The options of each page, in the order in which they are asked for; a page is a step of that name."""

GATEKEEPER_OPTIONS = frozenset(
    path for path in PAGES["workflow"] if path.startswith("workflow.gatekeeper_")
)
"""The options that are of use only with a gatekeeper."""

_OTHER_CONNECTIONS = frozenset({"router.chat_client_key", "router.escalation_key"})
# Without a model there is nobody to ask, and nothing to wait for.
_OF_A_MODEL = frozenset(
    {
        CONF_MODEL,
        "contract",
        "tools.llm_hass_api",
        "tools.persona",
        "timeout",
        "requests_per_minute",
        *PRICES,
        "workflow.temperature",
    }
)
# What cannot be chosen, by the kind of connection.
_HIDDEN: Mapping[str, frozenset[str]] = {
    PROVIDER_NONE: frozenset(
        {
            CONF_MODEL,
            "contract",
            "tools.llm_hass_api",
            "tools.persona",
            "requests_per_minute",
            "router.trial_model",
        }
    ),
    PROVIDER_AI_TASK: frozenset({CONF_MODEL, "router.trial_model"}),
    # The connection that is shared says how often its server may be asked.
    PROVIDER_CONNECTION: frozenset({"requests_per_minute"}),
}


def options_of(
    page: str, provider: str, *, has_others: bool, has_gatekeeper: bool
) -> tuple[str, ...]:
    """Return the options of a page that are of use with a connection's provider.

    Without a model of its own, an assistant can be routed with another connection's, if there are
    such (`has_others`). Those of a gatekeeper are, once one is chosen (`has_gatekeeper`).
    """
    hidden = set(_HIDDEN.get(provider, ()))
    if not has_gatekeeper:
        hidden |= GATEKEEPER_OPTIONS
    if not has_others:
        hidden |= _OTHER_CONNECTIONS
    if provider == PROVIDER_NONE and not has_others:
        hidden |= _OF_A_MODEL
        hidden |= {path for path in PAGES[page] if path.startswith("router.")}
    return tuple(path for path in PAGES[page] if path not in hidden)


def option_groups() -> dict[str, type[Options]]:
    """Return the groups of an assistant's options, by name."""
    return {
        name: field.annotation
        for name, field in AssistantOptions.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, Options)
    }


def field_of(path: str) -> FieldInfo:
    """Return the field of an option."""
    group, _, name = path.rpartition(".")
    model = option_groups()[group] if group else AssistantOptions
    return model.model_fields[name]


def name_of(path: str) -> str:
    """Return the name of an option, which is that of its field in the form."""
    return path.rpartition(".")[2]


def value_of(values: Mapping[str, Any], path: str) -> Any:
    """Return the value of an option in what a subentry keeps, or its default, as JSON has it."""
    group, _, name = path.rpartition(".")
    place = values.get(group, {}) if group else values
    default = field_of(path).default
    if isinstance(default, time):
        default = default.isoformat()
    return place.get(name, list(default) if isinstance(default, tuple) else default)

"""An assistant's options, under the names, with the defaults and within the ranges of the seeds.

They are kept in the assistant's subentry, one mapping for each section of its form. What is not
kept there has its default, so "restore defaults" is to keep nothing.
"""

from collections.abc import Mapping
from datetime import time
from itertools import pairwise
import string
from typing import Annotated, Any, ClassVar, Literal, Self

from homeassistant.helpers.llm import LLM_API_ASSIST
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from .const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID
from .llm.errors import InvalidUrlError
from .llm.url import gatekeeper_address
from .when import AFTERNOON, DEFAULT_PARTS, EVENING, MORNING, NIGHT, NOON

AUTOMATIC: Literal["auto"] = "auto"
"""Contract of a model by what is known of it."""

REQUEST = "request"
CATALOG = "catalog"


def check_template(template: str, *names: str) -> str:
    """Return a template as it is, if it holds no placeholder but those of `names`.

    Placeholders are named (`{request}`) or numbered in the order of `names` (`{0}`).

    Raises:
        ValueError: a brace is open, or a placeholder is unknown or says how to be formatted.
    """
    allowed = {*names, *(str(number) for number in range(len(names)))}
    for _, field, spec, conversion in string.Formatter().parse(template):
        if field is not None and field not in allowed:
            raise ValueError(f"unknown placeholder: {field}")
        # A width could make a text of any length of a short one.
        if spec or conversion:
            raise ValueError(f"a placeholder cannot be formatted: {field}")
    return template


def placeholders_in(template: str, *names: str) -> frozenset[str]:
    """Return which placeholders of `names` a checked template holds, by name or by number."""
    fields = {field for _, field, _, _ in string.Formatter().parse(template)}
    return frozenset(
        name for number, name in enumerate(names) if not fields.isdisjoint({name, str(number)})
    )


def fill_template(template: str, **values: str) -> str:
    """Return a template with its placeholders filled, named or numbered in the order of `values`."""
    return template.format(*values.values(), **values)


class Placeholders:
    """Marks a text as a template, and names the placeholders it may hold."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the schema of a text that is checked to be such a template."""
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def _checked(self, template: str) -> str:
        """Return a template as it is.

        Raises:
            ValueError: it is not as it must be.
        """
        return check_template(template, *self.names)


class Secret:
    """Marks a text that nobody may see who does not know it."""


class Options(BaseModel):
    """Options that cannot be changed once made. What is unknown is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class RouterOptions(Options):
    """Options of the router (data model, RouterExecutorOptions).

    `chat_client_key` names the connection (its entry id) whose model routes; empty is the
    assistant's own. An empty prompt or template is the built-in one, or with `default_prompts` the
    contract's own, word for word. `confidence_threshold` is between 0 and 1; below it, it is asked what was
    meant. A `temperature` or `max_output_tokens` of None is left to the model's server.

    Beyond the seed: `escalation_key` names the connection that is asked when this one is unsure or
    fails; `use_history` shows the last turns to the router; `learn_from_success` weighs agents by
    how well they did before; with `learn_decisions` the model is not asked again what it decided
    rightly twice; `trial_share` is the percentage of turns that are routed with
    `trial_prompt` or `trial_model` instead.
    """

    chat_client_key: str = ""
    confidence_threshold: float = Field(default=0.7, ge=0, le=1)
    max_attempts: int = Field(default=3, ge=1, le=10)
    temperature: Annotated[float, Field(ge=0, le=1)] | None = 0.3
    max_output_tokens: Annotated[int, Field(ge=16, le=4096)] | None = 500
    default_prompts: Literal["built_in", "contract"] = "built_in"
    system_prompt: Annotated[str, Placeholders(CATALOG)] = ""
    user_prompt_template: Annotated[str, Placeholders(REQUEST, CATALOG)] = ""
    agent_catalog_header: str = ""
    include_agent_capabilities: bool = True
    include_skill_examples: bool = True
    clarification_agent_id: str = CLARIFICATION_AGENT_ID
    clarification_prompt_template: Annotated[str, Placeholders(REQUEST, "agent")] = ""
    fallback_agent_id: str = FALLBACK_AGENT_ID
    fallback_reason_template: Annotated[str, Placeholders("reason", REQUEST)] = ""
    escalation_key: str = ""
    use_history: bool = True
    learn_from_success: bool = False
    learn_decisions: bool = True
    trial_share: int = Field(default=0, ge=0, le=100)
    trial_model: str = ""
    trial_prompt: Annotated[str, Placeholders(CATALOG)] = ""


class DispatchOptions(Options):
    """Options of the dispatch of agents (data model, AgentExecutorWrapperOptions). Times are in milliseconds.

    Beyond the seed: with `parallel`, agents that touch different things run at once.
    """

    default_timeout_ms: int = Field(default=30000, ge=1000, le=300000)
    max_retries: int = Field(default=2, ge=0, le=10)
    retry_delay_ms: int = Field(default=1000, ge=0, le=60000)
    enable_telemetry: bool = True
    parallel: bool = True


class AggregatorOptions(Options):
    """Options of the aggregation of answers (data model, ResultAggregatorOptions).

    An empty message or template is the one of the user's language.
    """

    default_fallback_message: str = ""
    partial_failure_template: Annotated[str, Placeholders("successMessage", "failureMessage")] = ""
    enable_natural_language_joining: bool = True


class MemoryOptions(Options):
    """Options of stored conversations: their lifetime and their store (data model, TaskContext).

    With a `redis_url` they are kept in Redis, else in Home Assistant's own storage.
    `task_context_ttl` is in hours. After `max_clarifications` questions about one thing the
    assistant leaves it.
    """

    task_context_ttl: int = Field(default=24, ge=1, le=720)
    max_clarifications: int = Field(default=2, ge=1, le=5)
    redis_url: str = Field(default="", pattern=r"^(rediss?://\S+)?$")


class HabitOptions(Options):
    """Options of habits that fill in unspecified values; no habit of a kind that is off is stored.

    With `last_player` music is played on the player that was used last in the room instead of asking which one;
    with `last_level` the lights of a room come on at the brightness that was said last, at that time of the day.
    """

    last_player: bool = True
    last_level: bool = False


# What is wrong with parts of the day that do not follow each other.
PARTS_OUT_OF_ORDER = "parts_out_of_order"


def _minute_of_day(at: time) -> time:
    """Return a time of day by the house's clock, without seconds."""
    return at.replace(second=0, microsecond=0, tzinfo=None)


_Part = Annotated[time, AfterValidator(_minute_of_day)]


class DayOptions(Options):
    """Options of the parts of the day: when each begins, which is what "in the evening" means.

    They follow each other within one day.
    """

    morning: _Part = DEFAULT_PARTS[MORNING]
    noon: _Part = DEFAULT_PARTS[NOON]
    afternoon: _Part = DEFAULT_PARTS[AFTERNOON]
    evening: _Part = DEFAULT_PARTS[EVENING]
    night: _Part = DEFAULT_PARTS[NIGHT]

    @property
    def parts(self) -> Mapping[str, time]:
        """Return when each part begins, by its name."""
        return {name: getattr(self, name) for name in DayOptions.model_fields}

    @model_validator(mode="after")
    def _follow_each_other(self) -> Self:
        """Refuse parts that do not follow each other.

        Raises:
            PydanticCustomError: one begins before the one that it follows, or with it.
        """
        if any(earlier >= later for earlier, later in pairwise(self.parts.values())):
            raise PydanticCustomError(PARTS_OUT_OF_ORDER, "parts of the day out of order")
        return self


class TelemetryOptions(Options):
    """Options of the events of a turn's stages, and of their sinks (orchestration, TelemetrySink).

    `event_bus` tells Home Assistant's automations, `sqlite` a file of up to `sqlite_max_mb` megabytes
    with `sqlite_keep` older ones, `spans` OpenTelemetry; `print_events` prints them, for development. Of the
    parameters in `redacted_parameters`, names with commas between them, no values are told; one after the id of
    an intent or an agent ("HassListAddItem: item") is withheld there only. What was said is told only with
    `reveal_text`. `panel_words` is whose words traces keep and the panel shows to administrators.
    """

    event_bus: bool = True
    sqlite: bool = False
    sqlite_max_mb: int = Field(default=10, ge=1, le=1000)
    sqlite_keep: int = Field(default=2, ge=0, le=20)
    spans: bool = False
    print_events: bool = False
    reveal_text: bool = False
    redacted_parameters: str = "message, query, media_content_id, item, name"
    panel_words: Literal["all", "own", "none"] = "own"

    def keeps_words_of(self, user_id: str | None) -> bool:
        """Return whether traces keep what a user said, by the id: whether anybody may read it."""
        return self.panel_words == "all" or (self.panel_words == "own" and user_id is not None)


# What is wrong with an address that nobody can be asked at.
NO_ADDRESS = "no_address"


def _address(typed: str) -> str:
    """Return the address of a gatekeeper as it was typed, or nothing.

    Raises:
        PydanticCustomError: nobody can be asked there.
    """
    if typed:
        try:
            gatekeeper_address(typed)
        except InvalidUrlError as err:
            raise PydanticCustomError(NO_ADDRESS, "not the address of a gatekeeper") from err
    return typed


class WorkflowOptions(Options):
    """Whether it is looked again, after agents have answered, if something is left (V2 routing).

    `frequency` is when that is: "once" never, "where_needed" where the sentence has several steps or an agent
    could do nothing, "after_each" after each agent. `strategy` is who
    decides: the model, or a gatekeeper at `gatekeeper_url`, which is then also asked for the first
    agent. At most `max_iterations` agents work on one sentence. `gatekeeper_timeout_ms` bounds one
    attempt, in milliseconds, and `gatekeeper_retry_attempts` are those after the first;
    `gatekeeper_token` is sent with each
    request, and with `gatekeeper_secret` each is signed.
    """

    frequency: Literal["once", "where_needed", "after_each"] = "where_needed"
    strategy: Literal["llm", "gatekeeper"] = "llm"
    max_iterations: int = Field(default=10, ge=1, le=50)
    temperature: float = Field(default=0.1, ge=0, le=1)
    gatekeeper_url: Annotated[str, AfterValidator(_address)] = ""
    gatekeeper_timeout_ms: int = Field(default=5000, ge=100, le=60000)
    gatekeeper_retry_attempts: int = Field(default=3, ge=0, le=10)
    gatekeeper_token: Annotated[str, Secret()] = ""
    gatekeeper_secret: Annotated[str, Secret()] = ""


# What can be wrong with a rule, beside a value out of its range.
NO_TIME = "no_time_of_day"
NAMES_NOBODY = "names_nobody"


def _clock(text: str) -> str:
    """Return a time of day as HH:MM, and an empty text as it is.

    Raises:
        PydanticCustomError: it is no time of day.
    """
    if not text:
        return ""
    try:
        return time.fromisoformat(text).strftime("%H:%M")
    except ValueError as err:
        raise PydanticCustomError(NO_TIME, "not a time of day") from err


type Clock = Annotated[str, AfterValidator(_clock)]


class ScopeRule(Options):
    """Rule that makes agents and intents eligible by place, user and time.

    `agents` are ids, `intents` names of Home Assistant's intents; together at least one. The others
    are conditions, all of which have to hold; an empty one always does. `areas` are ids of areas,
    where the speaker is; `satellites` entity ids of voice satellites or ids of their devices;
    `users` ids of Home Assistant's users. `after` and `before` are times of day ("22:00"), over
    midnight where `before` is the earlier one. `share` is the percentage of conversations.
    """

    agents: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    satellites: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    after: Clock = ""
    before: Clock = ""
    share: int = Field(default=100, ge=0, le=100)

    @model_validator(mode="after")
    def _is_about_somebody(self) -> Self:
        """Refuse a rule that is about nobody and nothing.

        Raises:
            PydanticCustomError: neither an agent nor an intent is named.
        """
        if not self.agents and not self.intents:
            raise PydanticCustomError(NAMES_NOBODY, "no agent and no intent")
        return self


class ToolOptions(Options):
    """Options of what a capable model may use beside our own agents, and how it talks.

    `llm_hass_api` are the ids of Home Assistant's LLM APIs whose tools it may use: those of integrations and scripts
    ("assist"), of MCP servers, and others. `persona` is told to every model that talks; it is a template of Home
    Assistant's.
    """

    llm_hass_api: tuple[str, ...] = (LLM_API_ASSIST,)
    persona: str = ""


class ScopeOptions(Options):
    """Options of eligibility (orchestration, IntentsRegistry).

    What no rule names is always eligible; what rules name, where one of these holds.
    """

    rules: tuple[ScopeRule, ...] = ()


REQUESTS_PER_MINUTE = 60
"""Calls of a connection's model in a minute where nobody chose another number: far more than people say."""


class AssistantOptions(Options):
    """All options of an assistant.

    `model` is the name its connection knows the model by. `contract` is what it is asked: little
    ("small"), to plan by itself ("capable"), or ("auto") what it is known for or a test showed. `timeout`
    is in seconds, for one call to it; `requests_per_minute` bounds the calls of its connection (0: no
    bound). `prompt_price` and `completion_price` are those of a million of the model's tokens, in the home's currency
    (0: not known). With `debug_text`, what was said may stand in the debug log.
    """

    # A decision about who answers is a few tokens, a plan or an answer many.
    _ROUTING_SHARE: ClassVar[float] = 0.5

    model: str = ""
    contract: Literal["auto", "small", "capable"] = AUTOMATIC
    timeout: float = Field(default=10.0, ge=1, le=120)
    requests_per_minute: int = Field(default=REQUESTS_PER_MINUTE, ge=0, le=10000)
    prompt_price: float = Field(default=0, ge=0, le=10_000_000)
    completion_price: float = Field(default=0, ge=0, le=10_000_000)
    debug_text: bool = False
    router: RouterOptions = RouterOptions()
    workflow: WorkflowOptions = WorkflowOptions()
    dispatch: DispatchOptions = DispatchOptions()
    aggregation: AggregatorOptions = AggregatorOptions()
    memory: MemoryOptions = MemoryOptions()
    habits: HabitOptions = HabitOptions()
    day: DayOptions = DayOptions()
    tools: ToolOptions = ToolOptions()
    scope: ScopeOptions = ScopeOptions()
    telemetry: TelemetryOptions = TelemetryOptions()

    @property
    def has_scarce_requests(self) -> bool:
        """Return whether the model may be asked less often than usual: questions are kept for what people say."""
        return 0 < self.requests_per_minute < REQUESTS_PER_MINUTE

    @property
    def routing_timeout(self) -> float:
        """Return the seconds for one call that routes: 5 at first (router contract, LLM call timeout)."""
        return self.timeout * self._ROUTING_SHARE

    @classmethod
    def from_subentry(cls, data: Mapping[str, Any]) -> Self:
        """Return the options a subentry keeps.

        Raises:
            ValidationError: a value is out of its range, or a template has unknown placeholders.
        """
        return cls.model_validate(dict(data))

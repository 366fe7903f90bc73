"""An assistant's options: names, defaults, ranges and templates; and those of earlier versions."""

from collections.abc import Mapping
from datetime import time
import re
import string
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import HomeAssistant
from hypothesis import given, strategies as st
from pydantic import ValidationError
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bellboard.config_flow import BellboardConfigFlow
from custom_components.bellboard.connections.versions import async_migrate_entry
from custom_components.bellboard.const import DOMAIN, SUBENTRY_ASSISTANT
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.options import (
    AggregatorOptions,
    AssistantOptions,
    DayOptions,
    DispatchOptions,
    MemoryOptions,
    Options,
    RouterOptions,
    TelemetryOptions,
    WorkflowOptions,
    check_template,
    fill_template,
)

# The data model's options with their defaults there. None and an empty text are the same: built in.
SEED: dict[type[Options], dict[str, Any]] = {
    RouterOptions: {
        # There, one model is named for all homes; here, the assistant's own is the default.
        "ChatClientKey": "",
        "ConfidenceThreshold": 0.7,
        "MaxAttempts": 3,
        "Temperature": 0.3,
        "MaxOutputTokens": 500,
        "SystemPrompt": "",
        "UserPromptTemplate": "",
        "AgentCatalogHeader": "",
        "IncludeAgentCapabilities": True,
        "IncludeSkillExamples": True,
        "ClarificationAgentId": "clarification-agent",
        "ClarificationPromptTemplate": "",
        "FallbackAgentId": "fallback-agent",
        "FallbackReasonTemplate": "",
    },
    DispatchOptions: {
        "DefaultTimeoutMs": 30000,
        "MaxRetries": 2,
        "RetryDelayMs": 1000,
        "EnableTelemetry": True,
    },
    AggregatorOptions: {
        # Empty here: the words of the language of whoever speaks.
        "DefaultFallbackMessage": "",
        "PartialFailureTemplate": "",
        "EnableNaturalLanguageJoining": True,
    },
    # V2 routing, configuration; the names of its gatekeeper follow that word here.
    WorkflowOptions: {
        "Strategy": "llm",
        "MaxIterations": 10,
        "Temperature": 0.1,
        "GatekeeperTimeoutMs": 5000,
        "GatekeeperRetryAttempts": 3,
    },
    # In hours.
    MemoryOptions: {"TaskContextTTL": 24},
}
# Those that the seeds do not have.
BEYOND: dict[type[Options], dict[str, Any]] = {
    RouterOptions: {
        "default_prompts": "built_in",
        "escalation_key": "",
        "use_history": True,
        "learn_from_success": False,
        "learn_decisions": True,
        "trial_share": 0,
        "trial_model": "",
        "trial_prompt": "",
    },
    DispatchOptions: {"parallel": True},
    AggregatorOptions: {},
    WorkflowOptions: {
        "frequency": "where_needed",
        "gatekeeper_url": "",
        "gatekeeper_token": "",
        "gatekeeper_secret": "",
    },
    MemoryOptions: {"max_clarifications": 2, "redis_url": ""},
}


def snake(name: str) -> str:
    """Return a name as Python writes it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


@pytest.mark.parametrize("model", SEED, ids=lambda model: model.__name__)
def test_the_names_and_defaults_are_those_of_the_data_model(model: type[Options]) -> None:
    seeds = {snake(name): default for name, default in SEED[model].items()}
    assert model().model_dump() == seeds | BEYOND[model]


def test_what_is_said_is_kept_for_the_speaker_unless_an_owner_chose_otherwise() -> None:
    assert TelemetryOptions().panel_words == "own"
    kept = {
        words: [TelemetryOptions(panel_words=words).keeps_words_of(who) for who in ("anna", None)]
        for words in ("all", "own", "none")
    }
    assert kept == {"all": [True, True], "own": [True, False], "none": [False, False]}


async def test_the_english_words_for_a_partial_failure_are_those_of_the_data_model(
    hass: HomeAssistant,
) -> None:
    english = await async_get_language(hass, "en")
    said = english.say("aggregate.partial", success="{0}", failure="{1}")
    assert said == "{0} However, {1}"


def test_nothing_kept_is_all_defaults_and_what_is_unknown_is_ignored() -> None:
    assert AssistantOptions.from_subentry({}) == AssistantOptions()
    kept = {"router": {"max_attempts": 5, "later": 1}, "confidence_threshold": 0.1}
    options = AssistantOptions.from_subentry(MappingProxyType(kept))
    assert options == AssistantOptions(router=RouterOptions(max_attempts=5))


def test_parts_of_the_day_follow_each_other() -> None:
    assert DayOptions(evening="17:30:20").parts["evening"] == time(17, 30)  # type: ignore[arg-type]
    assert DayOptions(night="23:00+02:00").parts["night"] == time(23)  # type: ignore[arg-type]
    for wrong in ({"noon": "07:00"}, {"night": "00:30"}, {"evening": ""}, {"morning": "seven"}):
        with pytest.raises(ValidationError):
            DayOptions.model_validate(wrong)


RANGES = [
    pytest.param(model, name, id=name)
    for model in (
        AssistantOptions,
        RouterOptions,
        DispatchOptions,
        MemoryOptions,
        TelemetryOptions,
        WorkflowOptions,
    )
    for name, field in model.model_fields.items()
    if any(hasattr(mark, "ge") for mark in field.metadata)
]


@pytest.mark.parametrize(("model", "name"), RANGES)
def test_the_ends_of_a_range_belong_to_it_and_what_is_beyond_does_not(
    model: type[Options], name: str
) -> None:
    field = model.model_fields[name]
    low = next(mark.ge for mark in field.metadata if hasattr(mark, "ge"))
    high = next(mark.le for mark in field.metadata if hasattr(mark, "le"))
    assert low <= field.default <= high
    for value in (low, high):
        assert getattr(model.model_validate({name: value}), name) == value
    for value in (low - 1, high + 1, float("nan"), "many"):
        with pytest.raises(ValidationError):
            model.model_validate({name: value})


def test_the_data_models_ranges_are_kept_to() -> None:
    for name in ("confidence_threshold", "temperature"):
        for value in (0, 0.5, 1):
            assert getattr(RouterOptions.model_validate({name: value}), name) == value
        for value in (-0.01, 1.01):
            with pytest.raises(ValidationError):
                RouterOptions.model_validate({name: value})
    for hours in (1, 24, 720):
        assert MemoryOptions(task_context_ttl=hours).task_context_ttl == hours
    for hours in (0, 721):
        with pytest.raises(ValidationError):
            MemoryOptions(task_context_ttl=hours)


NAMES = st.lists(
    st.text(string.ascii_letters + "_", min_size=1, max_size=9), min_size=1, max_size=4, unique=True
)
TEXT = st.text(max_size=30)


@given(st.text("{}01!:.[]request\n", max_size=20), TEXT, TEXT)
def test_a_template_that_passes_can_be_filled_and_another_is_refused(
    template: str, request: str, catalog: str
) -> None:
    try:
        assert check_template(template, "request", "catalog") == template
    except ValueError:
        return
    filled = fill_template(template, request=request, catalog=catalog)
    parts = list(string.Formatter().parse(template))
    values = {"request": request, "catalog": catalog, "0": request, "1": catalog, None: ""}
    assert filled == "".join(literal + values[field] for literal, field, *_ in parts)


@given(st.data(), NAMES)
def test_what_is_put_together_of_text_and_placeholders_is_filled_part_by_part(
    data: st.DataObject, names: list[str]
) -> None:
    values = {name: data.draw(TEXT) for name in names}
    texts = TEXT.map(lambda text: (text.replace("{", "{{").replace("}", "}}"), text))
    named = st.sampled_from([(f"{{{name}}}", values[name]) for name in names])
    numbered = st.sampled_from([(f"{{{n}}}", values[name]) for n, name in enumerate(names)])
    parts = data.draw(st.lists(texts | named | numbered, max_size=8))
    template = "".join(written for written, _ in parts)
    assert check_template(template, *names) == template
    assert fill_template(template, **values) == "".join(meant for _, meant in parts)


@given(st.text(max_size=40))
def test_any_text_is_checked_without_a_surprise(template: str) -> None:
    try:
        check_template(template, "request")
    except ValueError:
        return
    fill_template(template, request="on")


@pytest.mark.parametrize(
    "template",
    ["{", "}", "{}", "{2}", "{-1}", "{request.__class__}", "{request[0]}", "{request!r}",
     "{request:>9}", "{0:{1}}", "{ request }", "{request!}", "{REQUEST}"],
)  # fmt: skip
def test_a_placeholder_is_only_a_name_or_a_number(template: str) -> None:
    with pytest.raises(ValueError):
        check_template(template, "request", "catalog")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"model": "m"}, {"model": "m"}),
        ({"confidence_threshold": 0.7, "timeout": 10}, {"timeout": 10}),
        ({"confidence_threshold": 0}, {"router": {"confidence_threshold": 0}}),
        (
            {"model": "m", "timeout": 5, "confidence_threshold": 0.4},
            # Half of the time for a question is a decision's, which had all of it.
            {"model": "m", "timeout": 10.0, "router": {"confidence_threshold": 0.4}},
        ),
        (
            {"confidence_threshold": 0.4, "router": {"max_attempts": 1}},
            {"router": {"confidence_threshold": 0.4, "max_attempts": 1}},
        ),
    ],
)
async def test_an_assistant_of_the_first_version_keeps_its_confidence(
    hass: HomeAssistant, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    entry = entry_of(before, minor_version=1)
    entry.add_to_hass(hass)
    assert await async_migrate_entry(hass, entry)
    assert (entry.version, entry.minor_version) == (1, BellboardConfigFlow.MINOR_VERSION)
    one, other = entry.subentries.values()
    assert one.data == after
    assert other.data == before, "only assistants have options"
    kept = AssistantOptions.from_subentry(one.data).router.confidence_threshold
    assert kept == before.get("confidence_threshold", 0.7)


@pytest.mark.usefixtures("assist")
async def test_home_assistant_migrates_an_entry_before_it_is_set_up(hass: HomeAssistant) -> None:
    entry = entry_of({"confidence_threshold": 0.4}, minor_version=1)
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.minor_version == BellboardConfigFlow.MINOR_VERSION
    assert next(iter(entry.subentries.values())).data == {"router": {"confidence_threshold": 0.4}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"router": {"call_timeout_ms": 3000}}, {"timeout": 6.0}),
        (
            {"router": {"call_timeout_ms": 60000, "max_attempts": 1}},
            {"router": {"max_attempts": 1}, "timeout": 20.0},
        ),
        ({"router": {"call_timeout_ms": 3000}, "timeout": 60}, {"timeout": 60}),
        ({"router": {"call_timeout_ms": 30000}, "timeout": 30}, {"timeout": 60.0}),
        ({"timeout": 2}, {"timeout": 4.0}),
        ({"timeout": 60}, {"timeout": 60}),
        ({}, {}),
        ({"router": {"max_attempts": 1}}, {"router": {"max_attempts": 1}}),
    ],
)
async def test_a_time_for_decisions_becomes_the_one_time_for_the_model(
    hass: HomeAssistant, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    entry = entry_of(before, minor_version=2)
    entry.add_to_hass(hass)
    assert await async_migrate_entry(hass, entry)
    one, other = entry.subentries.values()
    assert one.data == after
    assert other.data == before, "only assistants have options"
    AssistantOptions.from_subentry(one.data)


@pytest.mark.parametrize("minor_version", [3, 4])
async def test_an_entry_of_this_or_a_later_version_is_left_as_it_is(
    hass: HomeAssistant, minor_version: int
) -> None:
    data = {"confidence_threshold": 0.4}
    entry = entry_of(data, minor_version=minor_version)
    entry.add_to_hass(hass)
    assert await async_migrate_entry(hass, entry)
    assert entry.minor_version == minor_version
    assert all(sub.data == data for sub in entry.subentries.values())


def test_a_decision_has_the_contracts_time_unless_changed() -> None:
    assert (AssistantOptions().routing_timeout, AssistantOptions().timeout) == (5.0, 10.0)
    assert AssistantOptions(timeout=4).routing_timeout == 2.0


def entry_of(data: Mapping[str, Any], minor_version: int) -> MockConfigEntry:
    """Return an entry with an assistant and a subentry of another kind that keep the same."""
    return MockConfigEntry(
        domain=DOMAIN,
        data={"provider": "none"},
        version=1,
        minor_version=minor_version,
        subentries_data=[
            ConfigSubentryData(
                subentry_type=kind, title=kind, data=MappingProxyType(data), unique_id=None
            )
            for kind in (SUBENTRY_ASSISTANT, "another")
        ],
    )

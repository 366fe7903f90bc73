"""The documents speak of what is there: every path, module, name and test they mention exists."""

from collections.abc import Iterator
import importlib
import json
from pathlib import Path
import re
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml
import pytest

from custom_components.bellboard.const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID
from custom_components.bellboard.flows.assistant_pages import FIRST_PAGE, PAGES, name_of, value_of
from custom_components.bellboard.llm.providers import PROVIDERS
from custom_components.bellboard.memory import delayed, kept_tasks, lessons, models, turns
from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.options import (
    DispatchOptions,
    Options,
    RouterOptions,
    TelemetryOptions,
    WorkflowOptions,
)
from custom_components.bellboard.routing import next_llm, next_prompt
from custom_components.bellboard.routing.gatekeeper_client import (
    MAX_INSTRUCTION as GATEKEEPERS_INSTRUCTION,
)
from custom_components.bellboard.services.agents import MOST_AGENTS, registered_agents
from tests.conftest import Setup
from tests.test_golden import KNOWN

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "custom_components" / "bellboard"
DOCUMENTS = sorted(
    [
        *(ROOT / name for name in ("CONTRIBUTING.md", "README.md", "SECURITY.md", "SUPPORT.md")),
        *(ROOT / "docs").glob("*.md"),
    ]
)
LINKING = sorted(
    [
        *DOCUMENTS,
        *(ROOT / "docs/decisions").glob("*.md"),
        ROOT / "CHANGELOG.md",
        ROOT / "frontend/README.md",
    ]
)
README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST_LINES = 200
# How far a requirement is (docs/seeds.md).
STATES = {"done", "partly", "open", "no"}

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\|(.+)\|$", re.MULTILINE)
_FILE = re.compile(r"[\w.-]+(?:/[\w.-]*)*/?")
_ENDINGS = (".py", ".yaml", ".json", ".md", ".toml", ".txt")
_NAME = re.compile(r"[a-z_]+(?:\.[A-Za-z_]+)+")
_TEST = re.compile(r"tests/[\w/]+\.py::test_\w+")
_DEFINED = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
# What belongs to Home Assistant and to people, not to the repository.
_ELSEWHERE = frozenset(
    {
        "bellboard.zip",
        "bellboard_cases.yaml",
        "blueprints/automation",
        "configuration.yaml",
        "bellboard/traces",
    }
)


def anchors_of(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = _HEADING.findall(document.read_text(encoding="utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", each)) for each in headings)
    return {each.lower().replace(" ", "-") for each in plain}


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of all rows of the tables in a text, but for lines between head and body."""
    rows = [[cell.strip() for cell in row.split(" | ")] for row in _ROW.findall(text)]
    return [row for row in rows if not row[0].startswith("---")]


def page(name: str) -> str:
    """Return a page of docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def english() -> dict[str, Any]:
    """Return the English texts of the forms."""
    found: dict[str, Any] = json.loads((HOUSE / "translations/en.json").read_text("utf-8"))
    return found


def spoken_of(document: Path) -> Iterator[str]:
    """Yield what a document puts into code marks, outside of blocks."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    yield from _CODE.findall(text)


def paths_in(document: Path) -> list[str]:
    """Return what looks like a path; of a command, the program."""
    first = (code.split()[0].partition("::")[0] for code in spoken_of(document))
    return [
        word
        for word in first
        if _FILE.fullmatch(word)
        and ("/" in word or word.endswith(_ENDINGS))
        and word not in _ELSEWHERE
    ]


def names_in(document: Path) -> list[str]:
    """Return what looks like a name in a module of ours."""
    return [
        code
        for code in spoken_of(document)
        if _NAME.fullmatch(code) and not code.endswith(_ENDINGS) and code not in _ELSEWHERE
    ]


def resolve(name: str) -> object:
    """Return what a dotted name of the integration means.

    Raises:
        LookupError: there is no such thing.
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = HOUSE.joinpath(*parts[:length])
        if path.with_suffix(".py").exists() or (path / "__init__.py").exists():
            found: object = importlib.import_module(
                f"custom_components.bellboard.{'.'.join(parts[:length])}"
            )
            for part in parts[length:]:
                if not hasattr(found, part):
                    raise LookupError(name)
                found = getattr(found, part)
            return found
    raise LookupError(name)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_leads_somewhere(document: Path) -> None:
    lost = [
        path
        for path in paths_in(document)
        if not any((folder / path).exists() for folder in (ROOT, HOUSE))
    ]
    assert not lost


@pytest.mark.parametrize("document", LINKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    targets = _LINK.findall(document.read_text(encoding="utf-8"))
    lost = []
    for target in targets:
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        page = document.parent / path if path else document
        if not page.exists() or (anchor and anchor not in anchors_of(page)):
            lost.append(target)
    assert not lost


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_name_means_something(document: Path) -> None:
    for name in names_in(document):
        assert resolve(name) is not None


def test_the_house_is_described_by_its_names() -> None:
    described = names_in(ROOT / "docs" / "architecture.md")
    assert "turn.pipeline.async_take_turn" in described
    with pytest.raises(LookupError):
        resolve("turn.async_take_a_walk")


def requirements() -> list[list[str]]:
    """Return the rows of docs/seeds.md: the requirement, where it is, its tests, and its state with a remark."""
    rows = [[cell.strip() for cell in row.split("|")] for row in _ROW.findall(page("seeds.md"))]
    return [row for row in rows if row[0] != "requirement" and not row[0].startswith("---")]


def defined_in(path: str) -> set[str]:
    """Return the names of the tests at the top level of a file, none where there is no such file."""
    file = ROOT / path
    return set(_DEFINED.findall(file.read_text(encoding="utf-8"))) if file.is_file() else set()


def test_every_test_that_proves_a_requirement_exists() -> None:
    named = {test for row in requirements() for test in _CODE.findall(row[2])}
    assert len(named) > 300
    assert not [test for test in named if not _TEST.fullmatch(test)]
    files = {test.partition("::")[0] for test in named}
    there = {f"{path}::{name}" for path in files for name in defined_in(path)}
    assert sorted(named - there) == []


def test_what_is_called_done_is_proven() -> None:
    rows = requirements()
    assert [row for row in rows if len(row) != 4] == []
    states = [(row[0], *row[3].partition(": ")[::2]) for row in rows]
    assert {state for _, state, _ in states} <= STATES
    told = re.findall(r"^- \*\*(\w+)\*\*:", page("seeds.md"), re.MULTILINE)
    assert set(told) == STATES
    # What is not wholly there says what is missing.
    assert [name for name, state, remark in states if state != "done" and not remark] == []
    assert [row[0] for row in rows if row[3].startswith("done") and not row[2]] == []


def test_the_bounds_that_requirements_tell_are_those_there_are() -> None:
    told = {row[0]: row[3] for row in requirements()}
    kept = told["Kept for 24 hours, as configured (TaskContextTTL)"]
    beside = f"{kept_tasks.MAX_BESIDE} and {kept_tasks.MAX_BESIDE_BYTES // 1024} kB"
    in_all = f"{kept_tasks.MAX_SESSIONS} conversations and {kept_tasks.MAX_BYTES // 1024**2} MB"
    assert f"a conversation keeps {beside}" in kept
    assert f"and all together {kept_tasks.MAX_BESIDE_IN_ALL};" in kept
    assert f"at most {in_all} in all" in kept
    artifacts = told["artifacts, optional"]
    assert f"the newest {models.MAX_ARTIFACTS} " in artifacts
    assert f"the newest {models.MAX_STEPS} steps" in artifacts
    later = told[
        "Beyond it: what is for later, at a time, for a while, when something happens, again and again"
    ]
    assert f"at most {delayed.MOST} plans" in later
    undo = told["Beyond it: undo, verified and under policies"]
    assert turns.MAX_UNDOABLE == turns.MAX_TURNS == 3
    assert f"the last three turns of a conversation, of up to {turns.MAX_ENTITIES} devices" in undo
    assert "the last three turns" in told["Several turns, with memory"]
    learning = told["Future: learning from past decisions"]
    assert f"{lessons.MAX_LESSONS} such decisions are kept" in learning
    come = told["Agents are asked for anew on every turn, and may come and go at run time"]
    assert f"at most {MOST_AGENTS}" in come
    forward = told["Decision Forward: next agent, instruction, data"]
    most = f"{next_llm.MAX_INSTRUCTION} characters, of a gatekeeper {GATEKEEPERS_INSTRUCTION}"
    assert f"at most {most}" in forward
    shown = told["The router sees the workflow's history"]
    assert f"of more than {next_prompt.MAX_STEPS} steps" in shown
    output = told["The router sees the agent's output"]
    assert f"at most {next_prompt.MAX_OUTPUT:,} characters" in output
    plain = told["Beyond it: plain sentences without a model, in nine languages"]
    assert f"{len(KNOWN)} cases of {len(available_languages())} languages" in plain.replace(
        "nine", "9"
    )


@pytest.mark.parametrize(
    ("group", "name", "named"),
    [
        (
            RouterOptions,
            "max_attempts",
            ["MaxAttempts, 3", "RouterExecutorOptions: MaxAttempts, 3"],
        ),
        (
            RouterOptions,
            "max_output_tokens",
            ["MaxOutputTokens, 500", "RouterExecutorOptions: MaxOutputTokens, 500, or none"],
        ),
        (DispatchOptions, "default_timeout_ms", ["DefaultTimeoutMs, 30,000"]),
        (DispatchOptions, "max_retries", ["MaxRetries, 2"]),
        (DispatchOptions, "retry_delay_ms", ["RetryDelayMs, 1,000"]),
        (WorkflowOptions, "max_iterations", ["routing.max_iterations"]),
        (
            WorkflowOptions,
            "gatekeeper_timeout_ms",
            ["routing.gatekeeper: url, timeout_ms, retry_attempts"],
        ),
        (
            WorkflowOptions,
            "gatekeeper_retry_attempts",
            ["routing.gatekeeper: url, timeout_ms, retry_attempts"],
        ),
    ],
)
def test_the_ranges_that_requirements_tell_are_those_there_are(
    group: type[Options], name: str, named: list[str]
) -> None:
    shape = group.model_json_schema()["properties"][name]
    [number] = [each for each in (shape, *shape.get("anyOf", ())) if "maximum" in each]
    told = {row[0]: row[3] for row in requirements()}
    for requirement in named:
        assert f"from {number['minimum']:,} to {number['maximum']:,}" in told[requirement]


def test_no_requirement_names_a_file_or_a_test_twice() -> None:
    cells = [(row[0], _CODE.findall(cell)) for row in requirements() for cell in row[1:3]]
    assert [name for name, found in cells if len(found) != len(set(found))] == []


def test_every_spoken_error_is_explained() -> None:
    from custom_components.bellboard.nlu.loader import _load

    told = re.sub(r"\s+", " ", page("errors.md"))
    replies = _load("en").replies
    unexplained = []
    for key, reply in replies.items():
        if key.split(".")[0] not in {"plan", "failed", "model", "decline", "timeout", "error"}:
            continue
        # The names and values in a reply are an ellipsis in the table.
        spoken = re.sub(r"\{\w+\}", "…", reply)
        parts = [part.strip(" .") for part in spoken.split("…") if part.strip(" .")]
        if not all(part in told for part in parts):
            unexplained.append(f"{key}: {reply}")
    assert not unexplained


def test_whoever_writes_an_agents_prompt_is_told_how() -> None:
    told = " ".join((ROOT / "CONTRIBUTING.md").read_text("utf-8").split())
    assert "it says nothing of other agents, of what was done before, or of who comes next" in told
    assert "It does not change from turn to turn" in told
    assert "An agent never says who should go on" in told


async def test_the_example_of_an_automation_does_what_it_says(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    hass.states.async_set("script.garden", "off")
    [example] = re.findall(r"```yaml\n(.*?)```", page("actions.md"), flags=re.DOTALL)
    assert await async_setup_component(hass, "automation", {"automation": parse_yaml(example)})
    # Home Assistant has started already, so that it is told to run by hand.
    entity_id = "automation.let_the_garden_answer"
    await hass.services.async_call("automation", "trigger", {"entity_id": entity_id}, blocking=True)
    [agent] = registered_agents(hass)
    assert (agent.card.id, agent.target) == ("garden-agent", "script.garden")
    assert agent.card.examples == ("water the roses", "is the lawn dry")


def test_every_model_provider_is_named() -> None:
    names = [provider.title.removesuffix("-compatible") for provider in PROVIDERS.values()]
    assert not [name for name in names if name not in README]


def listed_options() -> dict[str, list[tuple[str, str]]]:
    """Return the options and what holds at first, by their page in the form, as docs/options.md lists them."""
    listed: dict[str, list[tuple[str, str]]] = {}
    title = ""
    for cells in rows_of(page("options.md")):
        if cells[0] in {"option", "page"}:
            continue
        is_first = len(cells) == 3
        title = title if is_first or not cells[0] else cells[0]
        named = cells[0] if is_first else cells[1]
        listed.setdefault("" if is_first else title, []).append((named, cells[-1]))
    return listed


def form_options() -> dict[str, list[tuple[str, str]]]:
    """Return the paths of the options and their words, by the title of their page in the form."""
    step = english()["config_subentries"]["conversation"]["step"]
    return {
        "" if name == FIRST_PAGE else step[name]["title"]: [
            (path, step[name]["data"][name_of(path)]) for path in paths
        ]
        for name, paths in PAGES.items()
    }


def test_the_options_are_listed_under_the_words_of_the_form() -> None:
    listed = {title: [name for name, _ in rows] for title, rows in listed_options().items()}
    expected = {title: [words for _, words in rows] for title, rows in form_options().items()}
    expected[""].insert(0, "Name")
    assert listed == expected


# What a document says of an option that is empty.
_EMPTY = frozenset(
    {"built in", "empty", "none", "nothing", "the one you chose", "the usual one", "this one"}
)


def at_first(path: str) -> set[str]:
    """Return how a document may word an option's default."""
    default = value_of({}, path)
    if default in ("", [], None, CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID):
        return set(_EMPTY)
    if isinstance(default, list):
        return {name.capitalize() for name in default}
    if isinstance(default, bool):
        return {"yes", "on"} if default else {"no", "off"}
    if isinstance(default, int | float):
        # Times are in milliseconds where their name says so.
        seconds = {f"{default / 1000:g} s"} if path.endswith("_ms") else set()
        return {f"{default:g}", *seconds, *(f"{default:g} {unit}" for unit in ("s", "h", "MB"))}
    if chosen := english()["selector"].get(name_of(path), {}).get("options", {}).get(default):
        return {chosen.lower(), chosen.lower().replace("-", " ")}
    if re.fullmatch(r"\d\d:\d\d:00", default):
        return {default[:-3].removeprefix("0")}
    return {default, "text and names"} if path == "telemetry.redacted_parameters" else {default}


def test_what_holds_at_first_is_what_the_code_has() -> None:
    listed = listed_options()
    wrong = [
        (words, told, value_of({}, path))
        for title, rows in form_options().items()
        for path, words in rows
        for told in [dict(listed[title])[words]]
        if told not in at_first(path)
    ]
    assert not wrong


def test_options_that_other_pages_name_are_called_so_in_the_form() -> None:
    step = english()["config_subentries"]["conversation"]["step"]
    telemetry = {
        row[0]: row[1] for row in rows_of(page("telemetry.md").partition("## What is not")[0])
    }
    words = [*step["telemetry"]["data"].values(), step[FIRST_PAGE]["data"]["event_bus"]]
    # The log is no place for events.
    assert set(words) - set(telemetry) == {step["telemetry"]["data"]["debug_text"]}
    shown = {**step["telemetry"]["data"], **step[FIRST_PAGE]["data"]}
    for name in TelemetryOptions.model_fields:
        assert telemetry[shown[name]] in at_first(f"telemetry.{name}"), name


# After these words a capital in quotes is what a form or the page calls it.
_LABEL = re.compile(
    r"\b(?:[Ww]ith|[Aa]fter|[Bb]elow|[Uu]nder|[Ll]ower|[Rr]aise|[Cc]hoose|option|as|its)"
    r' "([A-Z][^".?!]+)"'
)
# What is Home Assistant's, HACS', or said to the house.
_OTHERS = frozenset(
    {
        "Custom repositories",
        "Prefer handling commands locally",
        "Reconfigure",
        "Redownload",
    }
)


def texts(tree: Any) -> Iterator[str]:
    """Yield all texts of a translation file."""
    for value in tree.values():
        if isinstance(value, dict):
            yield from texts(value)
        else:
            yield value


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_is_called_so_is_called_so_where_it_is_shown(document: Path) -> None:
    shown = json.loads((ROOT / "frontend/src/translations/en.json").read_text("utf-8"))
    known = {*texts(english()), *texts(shown), *_OTHERS}
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not [name for name in _LABEL.findall(" ".join(text.split())) if name not in known]


def test_every_action_is_described_and_none_that_is_not() -> None:
    described = set(re.findall(r"\*\*bellboard\.(\w+)\*\*", page("actions.md")))
    assert described == english()["services"].keys()
    for document in DOCUMENTS:
        named = re.findall(r"\bbellboard\.([a-z_]+)\b", document.read_text("utf-8"))
        missing = set(named) - described - _NO_ACTIONS
        assert not missing, document.name


# What else begins with the integration's name: files, events, spans.
_NO_ACTIONS = frozenset({"cdx", "evaluations", "tasks", "telemetry", "turn", "zip"})


def test_every_template_of_an_agent_is_named() -> None:
    templates = english()["selector"]["agent_template"]["options"]
    [told] = re.findall(r"template \((.+?)\)", page("own-agents.md"))
    assert told.split(", ") == sorted(
        title.lower() for name, title in templates.items() if name != "none"
    )


def test_every_repair_is_explained() -> None:
    told = page("errors.md")
    issues = english()["issues"]
    missing = [
        issue["title"]
        for issue in issues.values()
        if f"| {re.sub(r'{[a-z]+}', '…', issue['title'])} |" not in told
    ]
    assert not missing


def test_every_sensor_is_described() -> None:
    assert len(english()["entity"]["sensor"]) == 6
    told = page("actions.md").partition("## Sensors")[2].partition("## Calendar")[0]
    assert "five diagnostic sensors" in told
    assert "has a diagnostic sensor that says since when" in told


def test_the_readme_is_short_and_says_where_to_read_on() -> None:
    assert README.count("\n") <= MOST_LINES
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    index = page("README.md")
    listed = [row[0] for row in rows_of(index) if row[0] != "page"]
    assert sorted(re.findall(r"\]\(([\w-]+\.md)\)", " ".join(listed))) == sorted(pages)
    assert "](docs/README.md)" in README
    assert all(
        f"scripts/{name}" in README
        for name in ("demo", "test", "setup", "develop", "lint", "local-llm")
    )


def test_the_figures_of_the_readme_stand_where_it_says() -> None:
    routing = page("routing.md")
    told = " ".join(README.split())
    [model] = re.findall(r"decided by the model, of (\d+) \| (\d+) \| (\d+)", routing)
    asked, smollm2, gemma = model
    assert (
        f"of {asked} requests of a public collection (SLURP) that plain reading left open" in told
    )
    assert f"was right at {smollm2} (SmolLM2) and {gemma} (Gemma 3)" in told
    [acted_on] = re.findall(rf"At the threshold of 0.7, (\d+) of the {asked} are acted on", routing)
    [median] = re.findall(r"A decision of SmolLM2 took (\d+) ms in the middle", routing)
    assert f"SmolLM2 acts on {acted_on} of them and asks at the others" in told
    assert f"a decision took it {median} ms on two cores" in told
    dependencies = page("dependencies.md")
    sizes = re.findall(r"`(smollm2:135m|gemma3:270m)` \((\d+ MB)\)", README)
    assert len(sizes) == 2
    for name, size in sizes:
        assert size in dependencies, name


def conversation() -> list[tuple[str, str]]:
    """Return the conversation in the README: what is said and what is answered."""
    shown = README.partition("| you say | it answers |")[2].partition("\n\n")[0]
    return [(row[0], row[1]) for row in rows_of(shown)]


async def test_the_conversation_of_the_readme_goes_so(speak: Setup) -> None:
    speaker = await speak()
    assert len(conversation()) >= 6
    answers = [(said, (await speaker.say(said)).reply) for said, _ in conversation()]
    assert answers == conversation()

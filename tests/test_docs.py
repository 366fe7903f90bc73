"""The documents speak of what is there: every path, module, name and test they mention exists."""

from collections.abc import Iterator
import importlib
import json
from pathlib import Path
import re

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml
import pytest

from custom_components.bellboard.flows.assistant_pages import FIRST_PAGE, PAGES, name_of
from custom_components.bellboard.llm.providers import PROVIDERS
from custom_components.bellboard.services.agents import registered_agents
from tests.conftest import Setup

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "custom_components" / "bellboard"
DOCUMENTS = sorted(
    [
        *(ROOT / name for name in ("CONTRIBUTING.md", "README.md", "SECURITY.md")),
        *(ROOT / "docs").glob("*.md"),
    ]
)
SEEDS = ROOT / "docs" / "seeds.md"

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)\)")
_FILE = re.compile(r"[\w.-]+(?:/[\w.-]*)*/?")
_ENDINGS = (".py", ".yaml", ".json", ".md", ".toml", ".txt")
_NAME = re.compile(r"[a-z_]+(?:\.[A-Za-z_]+)+")
_TEST = re.compile(r"tests/[\w/]+\.py::test_\w+")
# What belongs to Home Assistant and to people, not to the repository.
_ELSEWHERE = frozenset({"bellboard_cases.yaml", "configuration.yaml", "bellboard/traces"})


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
        if _NAME.fullmatch(code) and not code.endswith(_ENDINGS)
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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    targets = _LINK.findall(document.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert not [target for target in local if not (document.parent / target).exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_name_means_something(document: Path) -> None:
    for name in names_in(document):
        assert resolve(name) is not None


def test_the_house_is_described_by_its_names() -> None:
    described = names_in(ROOT / "docs" / "architecture.md")
    assert "turn.pipeline.async_take_turn" in described
    with pytest.raises(LookupError):
        resolve("turn.async_take_a_walk")


def test_every_test_that_proves_a_requirement_exists() -> None:
    references = set(_TEST.findall(SEEDS.read_text(encoding="utf-8")))
    assert references
    missing = []
    for reference in sorted(references):
        path, _, name = reference.partition("::")
        file = ROOT / path
        if not file.exists() or f"def {name}(" not in file.read_text(encoding="utf-8"):
            missing.append(reference)
    assert not missing


def test_what_is_called_done_is_proven() -> None:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in SEEDS.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    rows = [row for row in rows if row[-1] != "state"]
    assert all(len(row) == 4 for row in rows)
    assert not [row[0] for row in rows if row[3].startswith("done") and not _TEST.search(row[2])]
    states = {row[3].partition(":")[0] for row in rows}
    assert states <= {"done", "partly", "open", "no"}


def test_every_spoken_error_is_explained() -> None:
    from custom_components.bellboard.nlu.loader import _load

    readme = re.sub(r"\s+", " ", (ROOT / "README.md").read_text(encoding="utf-8"))
    replies = _load("en").replies
    unexplained = []
    for key, reply in replies.items():
        if key.split(".")[0] not in {"plan", "failed", "model", "decline", "timeout", "error"}:
            continue
        # The names and values in a reply are an ellipsis in the table.
        spoken = re.sub(r"\{\w+\}", "…", reply)
        parts = [part.strip(" .") for part in spoken.split("…") if part.strip(" .")]
        if not all(part in readme for part in parts):
            unexplained.append(f"{key}: {reply}")
    assert not unexplained


async def test_the_example_of_an_automation_does_what_it_says(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    hass.states.async_set("script.garden", "off")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```yaml\n(.*?)```", readme, flags=re.DOTALL)
    assert await async_setup_component(hass, "automation", {"automation": parse_yaml(example)})
    # Home Assistant has started already, so that it is told to run by hand.
    entity_id = "automation.let_the_garden_answer"
    await hass.services.async_call("automation", "trigger", {"entity_id": entity_id}, blocking=True)
    [agent] = registered_agents(hass)
    assert (agent.card.id, agent.target) == ("garden-agent", "script.garden")
    assert agent.card.examples == ("water the roses", "is the lawn dry")


def test_every_model_provider_is_named() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [provider.title.removesuffix("-compatible") for provider in PROVIDERS.values()]
    assert not [name for name in names if name not in readme]


def test_the_options_are_listed_under_the_words_of_the_form() -> None:
    english = json.loads((HOUSE / "translations/en.json").read_text(encoding="utf-8"))
    step = english["config_subentries"]["conversation"]["step"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed: dict[str, list[str]] = {}
    page = ""
    for row in re.findall(
        r"^\|(.+)\|$", readme.partition("## Options")[2].partition("## Actions")[0], re.MULTILINE
    ):
        cells = [cell.strip() for cell in row.split("|")]
        if cells[0] in {"option", "page", "---"}:
            continue
        is_first = len(cells) == 3
        page = page if is_first or not cells[0] else cells[0]
        listed.setdefault("" if is_first else page, []).append(cells[0 if is_first else 1])
    expected = {
        "": ["Name", *(step[FIRST_PAGE]["data"][name_of(path)] for path in PAGES[FIRST_PAGE])]
    }
    expected |= {
        step[name]["title"]: [step[name]["data"][name_of(path)] for path in paths]
        for name, paths in PAGES.items()
        if name != FIRST_PAGE
    }
    assert listed == expected

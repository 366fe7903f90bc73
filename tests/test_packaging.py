"""What Home Assistant, HACS and a newcomer expect of the repository."""

import ast
from importlib.metadata import version
import inspect
import json
from pathlib import Path
import re
import struct
import subprocess
import tomllib
from typing import Any

from awesomeversion import AwesomeVersion, AwesomeVersionStrategy
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations
from homeassistant.loader import async_get_integration
from homeassistant.util.yaml import load_yaml_dict
from packaging.requirements import Requirement
import pytest

import custom_components.bellboard as package
from custom_components.bellboard.config_flow import BellboardConfigFlow
from custom_components.bellboard.const import (
    DOMAIN,
    PROVIDER_AI_TASK,
    PROVIDER_CONNECTION,
    PROVIDER_NONE,
    SUBENTRY_A2A_AGENT,
    SUBENTRY_ASSISTANT,
)
from custom_components.bellboard.flows.a2a_agent import A2AAgentFlow
from custom_components.bellboard.flows.assistant import AssistantFlow
from custom_components.bellboard.llm.providers import PROVIDERS
from custom_components.bellboard.memory.redis_connection import REQUIREMENTS as REDIS
from custom_components.bellboard.nlu.loader import available_languages

HOUSE = Path(package.__file__).parent
ROOT = HOUSE.parent.parent
MANIFEST: dict[str, Any] = json.loads((HOUSE / "manifest.json").read_text("utf-8"))
RULES: dict[str, Any] = dict(load_yaml_dict(HOUSE / "quality_scale.yaml"))["rules"]
TRANSLATIONS = sorted(path.stem for path in (HOUSE / "translations").glob("*.json"))
MODULES = sorted(HOUSE.rglob("*.py"))
# The flows by the section of the translations that holds their words.
FLOWS: dict[str, type] = {
    "config": BellboardConfigFlow,
    SUBENTRY_A2A_AGENT: A2AAgentFlow,
    SUBENTRY_ASSISTANT: AssistantFlow,
}
# Steps that only lead to others.
LEADING = {"reauth", "reconfigure", "user", "tested_not"}

MOST_LINES = 500
TOP_LEVEL = {
    ".ci", ".devcontainer.json", ".gitattributes", ".github", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md",
    "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "SUPPORT.md", "benchmarks", "blueprints",
    "custom_components", "docs", "frontend", "hacs.json", "pyproject.toml", "requirements_test.txt", "scripts", "tests",
}  # fmt: skip
TIERS = {
    "bronze": [
        "action-setup", "appropriate-polling", "brands", "common-modules", "config-flow-test-coverage",
        "config-flow", "dependency-transparency", "docs-actions", "docs-conditions",
        "docs-high-level-description", "docs-installation-instructions", "docs-removal-instructions",
        "docs-triggers", "entity-event-setup", "entity-unique-id", "has-entity-name", "runtime-data",
        "test-before-configure", "test-before-setup", "unique-config-entry",
    ],
    "silver": [
        "action-exceptions", "config-entry-unloading", "docs-configuration-parameters",
        "docs-installation-parameters", "entity-unavailable", "integration-owner",
        "log-when-unavailable", "parallel-updates", "reauthentication-flow", "test-coverage",
    ],
    "gold": [
        "devices", "diagnostics", "discovery-update-info", "discovery", "docs-data-update",
        "docs-examples", "docs-known-limitations", "docs-supported-devices", "docs-supported-functions",
        "docs-troubleshooting", "docs-use-cases", "dynamic-devices", "entity-category",
        "entity-device-class", "entity-disabled-by-default", "entity-translations",
        "exception-translations", "icon-translations", "reconfiguration-flow", "repair-issues",
        "stale-devices",
    ],
    "platinum": ["async-dependency", "inject-websession", "strict-typing"],
}  # fmt: skip


def translation(code: str) -> dict[str, Any]:
    """Return a translation file."""
    found: dict[str, Any] = json.loads((HOUSE / f"translations/{code}.json").read_text("utf-8"))
    return found


def texts(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Return the texts of a translation file by their keys."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        flat |= (
            texts(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
        )
    return flat


def test_the_manifest_has_what_is_required_in_the_order_that_is_required() -> None:
    required = {
        "codeowners", "config_flow", "documentation", "domain", "integration_type", "iot_class",
        "issue_tracker", "name", "requirements", "version",
    }  # fmt: skip
    known = required | {"after_dependencies", "dependencies", "loggers", "quality_scale"}
    assert required <= MANIFEST.keys() <= known
    first, second, *rest = MANIFEST
    assert (first, second) == ("domain", "name")
    assert rest == sorted(rest)
    assert MANIFEST["domain"] == DOMAIN == HOUSE.name
    assert MANIFEST["config_flow"] is True
    assert MANIFEST["integration_type"] == "service"
    assert all(owner.startswith("@") for owner in MANIFEST["codeowners"])
    assert MANIFEST["documentation"].startswith("https://github.com/")
    assert MANIFEST["issue_tracker"] == f"{MANIFEST['documentation']}/issues"


def test_the_version_stands_in_the_manifest_alone() -> None:
    assert AwesomeVersion(MANIFEST["version"]).strategy is AwesomeVersionStrategy.SEMVER
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]
    page = json.loads((ROOT / "frontend/package.json").read_text("utf-8"))
    lock = json.loads((ROOT / "frontend/package-lock.json").read_text("utf-8"))
    assert not any("version" in named for named in (page, lock, lock["packages"][""]))


def test_the_newest_section_of_the_changelog_is_of_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert released[0] == MANIFEST["version"]
    headings = re.findall(r"^## .*$", changelog, re.MULTILINE)
    assert len(headings) - len(released) == headings.count("## [Unreleased]") <= 1


def test_little_is_required_and_home_assistant_has_it_already() -> None:
    required = [Requirement(text) for text in MANIFEST["requirements"]]
    assert [requirement.name for requirement in required] == ["pydantic"]
    assert all(version(found.name) in found.specifier for found in required)


def test_no_major_version_is_installed_that_the_tests_have_not_seen() -> None:
    for required in map(Requirement, [*MANIFEST["requirements"], *REDIS]):
        seen = version(required.name)
        assert seen in required.specifier
        assert f"{int(seen.partition('.')[0]) + 1}.0.0" not in required.specifier


def test_no_package_of_the_page_runs_a_script_when_it_is_installed() -> None:
    scripts = [
        path for folder in ("scripts", ".ci", ".github") for path in (ROOT / folder).rglob("*")
    ]
    scripts.append(ROOT / ".devcontainer.json")
    installed = [
        line
        for path in scripts
        if path.is_file() and path.suffix != ".pyc"
        for line in path.read_text("utf-8").splitlines()
        if re.search(r'\bnpm( --prefix "[^"]+")? (ci|i|install|add)\b', line)
    ]
    assert installed
    assert all(" ci " in line and "--ignore-scripts" in line for line in installed)


def test_every_package_that_is_needed_is_accounted_for() -> None:
    told = (ROOT / "docs/dependencies.md").read_text("utf-8").lower()
    lines = (ROOT / "requirements_test.txt").read_text("utf-8").splitlines()
    names = {
        Requirement(line.partition("#")[0]).name for line in lines if line.partition("#")[0].strip()
    }
    page = json.loads((ROOT / "frontend/package.json").read_text("utf-8"))
    names |= page["dependencies"].keys() | page["devDependencies"].keys()
    assert not [name for name in names if name.lower() not in told]


async def test_dependencies_exist_and_cover_what_is_imported(hass: HomeAssistant) -> None:
    named = {*MANIFEST["dependencies"], *MANIFEST["after_dependencies"]}
    for domain in named:
        assert (await async_get_integration(hass, domain)).is_built_in
    imported = {
        match
        for path in MODULES
        for match in re.findall(r"homeassistant\.components\.(\w+)", path.read_text("utf-8"))
    }
    imported |= {
        match
        for path in MODULES
        for match in re.findall(
            r"^from homeassistant\.components import (\w+)", path.read_text("utf-8"), re.MULTILINE
        )
    }
    # Home Assistant's core has these, or loads them for whoever brings the platform.
    always = {"homeassistant", "diagnostics", *(platform.value for platform in Platform)}
    assert imported - always <= named


async def test_home_assistant_loads_it(hass: HomeAssistant) -> None:
    integration = await async_get_integration(hass, DOMAIN)
    assert not integration.is_built_in
    assert integration.has_branding
    assert integration.has_translations
    assert integration.version == MANIFEST["version"]


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_a_translation_has_all_that_english_has(code: str) -> None:
    english, found = texts(translation("en")), texts(translation(code))
    assert found.keys() == english.keys()
    for key, text in found.items():
        assert text == text.strip() != "", key
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", english[key])), key
        assert not re.search(r"\[%key:|<\w+", text), "literal text only, without mark-up"


def test_what_is_spoken_can_also_be_read() -> None:
    assert available_languages() == TRANSLATIONS


def words_of_flow(section: str) -> dict[str, Any]:
    """Return a flow's part of the English translation."""
    english = translation("en")
    found: dict[str, Any] = (
        english["config"] if section == "config" else english["config_subentries"][section]
    )
    return found


@pytest.mark.parametrize("section", FLOWS)
def test_every_step_and_abort_has_its_words_and_no_word_is_left_over(section: str) -> None:
    words = words_of_flow(section)
    flow = ast.parse(Path(inspect.getfile(FLOWS[section])).read_text("utf-8"))
    prefix = "async_step_"
    steps = {name.removeprefix(prefix) for name in vars(FLOWS[section]) if name.startswith(prefix)}
    # A choice of a menu has its words there.
    choices = {choice for step in words["step"].values() for choice in step.get("menu_options", ())}
    shown = words["step"].keys() | choices | words.get("progress", {}).keys()
    assert steps - LEADING <= shown <= steps
    aborts = {
        str(keyword.value.value)
        for node in ast.walk(flow)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "reason" and isinstance(keyword.value, ast.Constant)
    }
    if "_async_abort_entries_match" in ast.dump(flow):
        aborts.add("already_configured")
    assert words["abort"].keys() == aborts


def test_every_kind_of_server_has_its_name() -> None:
    options = translation("en")["selector"]["provider"]["options"]
    # The names of products are the same in every language, and stand with the providers.
    translated = {PROVIDER_AI_TASK, PROVIDER_CONNECTION, PROVIDER_NONE}
    assert translated <= options.keys() <= translated | PROVIDERS.keys()
    initiate = words_of_flow(SUBENTRY_ASSISTANT)["initiate_flow"]
    assert initiate.keys() == {"user", "reconfigure"}
    assert set(translation("en")) == {
        "config", "config_subentries", "entity", "exceptions", "issues", "selector", "services",
    }  # fmt: skip


@pytest.mark.parametrize("code", TRANSLATIONS)
async def test_home_assistant_finds_the_words(hass: HomeAssistant, code: str) -> None:
    found = await async_get_translations(hass, code, "config", {DOMAIN}, config_flow=True)
    key = f"component.{DOMAIN}.config.step.user.title"
    assert found[key] == translation(code)["config"]["step"]["user"]["title"]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("icon", (256, 256)),
        ("icon@2x", (512, 512)),
        ("logo", (471, 128)),
        ("logo@2x", (942, 256)),
        ("dark_logo", (471, 128)),
        ("dark_logo@2x", (942, 256)),
    ],
)
def test_pictures_are_as_large_as_they_must_be(name: str, size: tuple[int, int]) -> None:
    picture = (HOUSE / f"brand/{name}.png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == size


def test_hacs_knows_what_this_is() -> None:
    hacs = json.loads((ROOT / "hacs.json").read_text("utf-8"))
    assert hacs.keys() <= {
        "name",
        "homeassistant",
        "hacs",
        "content_in_root",
        "zip_release",
        "filename",
        "hide_default_branch",
    }
    # What HACS downloads is the zip of a release, which no branch has.
    assert (hacs["zip_release"], hacs["filename"], hacs["hide_default_branch"]) == (
        True,
        "bellboard.zip",
        True,
    )
    assert hacs["name"] == MANIFEST["name"]
    assert AwesomeVersion(hacs["homeassistant"]).strategy is AwesomeVersionStrategy.CALVER
    assert [
        path.name
        for path in (ROOT / "custom_components").iterdir()
        if path.is_dir() and path.name[0] != "_"
    ] == [DOMAIN]


def test_the_quality_scale_answers_every_rule() -> None:
    assert sum(map(len, TIERS.values())) == 54
    assert list(RULES) == [rule for rules in TIERS.values() for rule in rules]
    for rule, answer in RULES.items():
        assert answer.keys() == {"status", "comment"}, rule
        assert answer["status"] in {"done", "exempt", "todo"}, rule
        assert len(answer["comment"]) > 10, rule


def test_what_the_documentation_is_said_to_have_is_in_it() -> None:
    for rule, answer in RULES.items():
        if rule.startswith("docs-") and answer["status"] == "done":
            # "README.md", or a page of docs/, and a heading of it.
            [(page, section)] = re.findall(r'^([\w./-]+\.md), "(.+?)"', answer["comment"])
            assert re.search(
                rf"^##? {re.escape(section)}$", (ROOT / page).read_text("utf-8"), re.MULTILINE
            ), rule


def test_no_tier_is_claimed_that_is_not_reached() -> None:
    claimed = MANIFEST.get("quality_scale")
    if claimed is None:
        return
    reached = list(TIERS)[: list(TIERS).index(claimed) + 1]
    todo = [rule for tier in reached for rule in TIERS[tier] if RULES[rule]["status"] == "todo"]
    assert not todo


def test_a_module_says_what_it_is_and_is_not_too_long() -> None:
    texts = {str(path.relative_to(HOUSE)): path.read_text("utf-8") for path in MODULES}
    assert [name for name, text in texts.items() if not ast.get_docstring(ast.parse(text))] == []
    assert [name for name, text in texts.items() if text.count("\n") > MOST_LINES] == []


def test_the_top_level_is_tidy() -> None:
    listed = subprocess.run(
        ["git", "ls-files"],  # noqa: S607 -- found on PATH, as for anybody
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode or not listed.stdout:
        pytest.skip("not a checkout")
    assert {name.split("/")[0] for name in listed.stdout.splitlines()} <= TOP_LEVEL

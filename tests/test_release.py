"""A release is what is in the tree, the same each time, and the files around it say what is true."""

from collections.abc import Iterator
import hashlib
import json
import os
from pathlib import Path
import re
import subprocess
from typing import Any
import zipfile

from homeassistant.core import HomeAssistant
from homeassistant.loader import DATA_CUSTOM_COMPONENTS, async_get_integration
from homeassistant.util.yaml import load_yaml_dict, parse_yaml
from packaging.requirements import Requirement
import pytest

from tests.test_packaging import HOUSE, MANIFEST, ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
FILES = ("SHA256SUMS", "bellboard.cdx.json", "bellboard.zip", "licences.md", "notes.md")


def release(out: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build a release into a folder."""
    return subprocess.run(  # noqa: S603 -- our own script
        [ROOT / "scripts/release", "--out", out, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def listed() -> set[str]:
    """Return the files of the integration that git knows, by their paths in it."""
    found = subprocess.run(
        ["git", "ls-files", "-z", "custom_components/bellboard"],  # noqa: S607 -- found on PATH, as for anybody
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    folder = HOUSE.relative_to(ROOT).as_posix()
    return {name.removeprefix(f"{folder}/") for name in found.stdout.split("\0") if name}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a release that was built from this tree."""
    if not listed():
        pytest.skip("not a checkout")
    out = tmp_path_factory.mktemp("dist")
    done = release(out, "--tag", f"v{MANIFEST['version']}")
    assert done.returncode == 0, done.stderr
    return out


def test_what_is_released_is_what_is_named(built: Path) -> None:
    assert tuple(sorted(path.name for path in built.iterdir())) == FILES
    lines = (built / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = {name: digest for digest, name in map(str.split, lines)}
    assert set(sums) == set(FILES) - {"SHA256SUMS", "notes.md"}
    for name, digest in sums.items():
        assert hashlib.sha256((built / name).read_bytes()).hexdigest() == digest


def test_the_same_tree_makes_the_same_bytes(built: Path, tmp_path: Path) -> None:
    assert release(tmp_path, TZ="Pacific/Auckland", LC_ALL="C").returncode == 0
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (built / name).read_bytes(), name
    with zipfile.ZipFile(built / "bellboard.zip") as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.external_attr for entry in archive.infolist()} == {0o100644 << 16}


async def test_unpacked_as_hacs_does_it_is_the_integration(
    hass: HomeAssistant, built: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "custom_components/bellboard"
    with zipfile.ZipFile(built / "bellboard.zip") as archive:
        archive.extractall(folder)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == listed() | {"LICENSE"}
    for name in found - {"LICENSE"}:
        assert (folder / name).read_bytes() == (HOUSE / name).read_bytes(), name
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    # Home Assistant takes it from a fresh configuration.
    hass.config.config_dir = str(tmp_path)
    hass.data.pop(DATA_CUSTOM_COMPONENTS, None)
    integration = await async_get_integration(hass, "bellboard")
    assert integration.version == MANIFEST["version"]
    assert integration.has_translations
    assert integration.has_branding


def test_another_tag_than_the_version_is_refused(tmp_path: Path) -> None:
    done = release(tmp_path, "--tag", "v0.0.1")
    assert done.returncode == 1
    assert "v0.0.1" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_bill_of_materials_has_what_is_built_in_and_what_is_asked_for(built: Path) -> None:
    bill: dict[str, Any] = json.loads((built / "bellboard.cdx.json").read_text("utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    digest = hashlib.sha256((built / "bellboard.zip").read_bytes()).hexdigest()
    assert bill["metadata"]["component"]["version"] == MANIFEST["version"]
    assert bill["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": digest}]
    parts = {part["purl"].partition("@")[0]: part for part in bill["components"]}
    assert {"pkg:npm/lit", "pkg:npm/lit-html", "pkg:pypi/pydantic", "pkg:pypi/redis"} <= set(parts)
    assert not [name for name in parts if "vite" in name or "typescript" in name]
    assert all(part["licenses"][0]["license"]["id"] for part in parts.values())
    table = (built / "licences.md").read_text("utf-8")
    assert all(f"| {part['name']} |" in table for part in parts.values())
    [asked] = MANIFEST["requirements"]
    [bounds] = parts["pkg:pypi/pydantic"]["properties"]
    assert bounds["value"] == asked.removeprefix(Requirement(asked).name)


def test_the_notes_are_the_changelogs(built: Path) -> None:
    notes = (built / "notes.md").read_text("utf-8")
    assert notes.strip() in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "\n## " not in notes


def steps(workflow: Path) -> Iterator[dict[str, Any]]:
    """Yield all steps of a workflow."""
    for job in load_yaml_dict(workflow)["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_was_looked_at_and_may_do_little(workflow: Path) -> None:
    assert load_yaml_dict(workflow)["permissions"] == {"contents": "read"}
    uses = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) for name in uses), uses
    for step in steps(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}
        program = step.get("run", "").split(" ")[0]
        assert "/" not in program or (ROOT / program).exists(), program


def test_a_release_is_attested_and_drafted() -> None:
    workflow = GITHUB / "workflows/release.yml"
    used = [step.get("uses", "").partition("@")[0] for step in steps(workflow)]
    built = [step.get("run", "").partition(" --")[0] for step in steps(workflow)]
    assert built.index("scripts/release") < used.index("actions/attest-build-provenance")
    *_, drafted = (step["run"] for step in steps(workflow) if "run" in step)
    assert "--draft" in drafted
    assert set(re.findall(r"dist/([\w.]+)", drafted)) == set(FILES)
    [job] = load_yaml_dict(workflow)["jobs"].values()
    assert job["permissions"] == {
        "contents": "write",
        "id-token": "write",
        "attestations": "write",
    }


def test_the_owners_of_the_code_are_those_of_the_manifest() -> None:
    lines = (GITHUB / "CODEOWNERS").read_text("utf-8").splitlines()
    [rule] = [line for line in lines if not line.startswith("#")]
    assert rule.split() == ["*", *MANIFEST["codeowners"]]


def test_before_a_commit_the_same_lint_is_run() -> None:
    [repository] = load_yaml_dict(ROOT / ".pre-commit-config.yaml")["repos"]
    [hook] = repository["hooks"]
    assert repository["repo"] == "local"
    assert hook["entry"] == "scripts/lint"
    assert (ROOT / hook["entry"]).exists()
    assert hook["pass_filenames"] is False


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_for_a_report_asks_for_what_the_page_exports(path: Path) -> None:
    form = load_yaml_dict(path)
    fields = {field["id"]: field for field in form["body"] if field["type"] != "markdown"}
    page = json.loads((ROOT / "frontend/src/translations/en.json").read_text("utf-8"))
    if path.stem == "wish":
        assert "export" not in fields
        return
    told = " ".join(fields["export"]["attributes"]["description"].split())
    assert page["export.title"] in told
    assert f'"{page["export.words"]}"' in told
    assert fields["versions"]["validations"]["required"] is True
    assert MANIFEST["version"] in fields["versions"]["attributes"]["placeholder"]


def test_the_releases_that_are_supported_are_those_that_are_tested() -> None:
    support = (ROOT / "SUPPORT.md").read_text("utf-8")
    told = re.findall(r"^\| (\d{4}\.\d+) \| tested", support, re.MULTILINE)
    workflow = parse_yaml((GITHUB / "workflows/lint-and-test.yml").read_text("utf-8"))
    assert isinstance(workflow, dict)
    names = [each["name"] for each in workflow["jobs"]["test"]["strategy"]["matrix"]["include"]]
    assert told == re.findall(r"Home Assistant (\d{4}\.\d+)", " ".join(names))
    least = json.loads((ROOT / "hacs.json").read_text("utf-8"))["homeassistant"]
    assert least == f"{told[0]}.0"
    newest = re.search(
        r"^HA_LATEST=(\d{4}\.\d+)", (ROOT / "scripts/lib/env.sh").read_text(), re.MULTILINE
    )
    assert newest
    assert newest[1] == told[-1]
    for path in (ROOT / "README.md", ROOT / "CHANGELOG.md"):
        assert f"Home Assistant {told[0]}" in path.read_text("utf-8")

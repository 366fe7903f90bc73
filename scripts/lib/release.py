"""Builds a release: the zip that HACS unpacks, its SBOM, a list of licences, the notes and the digests.

Reads nothing but the tree, and asks no network, so that whoever has the tree can build the same bytes and compare.
"""

import argparse
from collections.abc import Iterator
import hashlib
import json
from pathlib import Path
import re
import subprocess
import sys
from typing import Any
import uuid
import zipfile

ROOT = Path(__file__).resolve().parent.parent.parent
INTEGRATION = Path("custom_components/bellboard")
ZIP, SBOM, LICENCES, NOTES, SUMS = (
    "bellboard.zip",
    "bellboard.cdx.json",
    "licences.md",
    "notes.md",
    "SHA256SUMS",
)
# What is installed beside Home Assistant, none of which is in the zip, and the licence of each.
ASKED_FOR = {"pydantic": "MIT", "redis": "MIT"}
_REDIS = re.compile(r'"(redis[^"]*)"')
# A zip knows no time before this one. The date of a file says nothing of what is in it.
_DATE = (1980, 1, 1, 0, 0, 0)
_HOME = "https://github.com/bellboard-home/bellboard"


class ReleaseError(Exception):
    """The tree cannot be released as it was asked for."""


def read_version(root: Path) -> str:
    """Return the version, which stands in the manifest and nowhere else."""
    return str(json.loads((root / INTEGRATION / "manifest.json").read_text("utf-8"))["version"])


def read_notes(root: Path, version: str) -> str:
    """Return what the changelog says of a version.

    Raises:
        ReleaseError: it has no section of that version.
    """
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        if heading.startswith(f"[{version}]"):
            return body.strip() + "\n"
    raise ReleaseError(f"CHANGELOG.md has no section [{version}]")


def list_files(root: Path) -> list[Path]:
    """Return the files of the integration that git knows, by their paths in it, sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", str(INTEGRATION)], cwd=root, capture_output=True, check=True
    )
    names = listed.stdout.decode("utf-8").split("\0")
    return sorted(Path(name).relative_to(INTEGRATION) for name in names if name)


def write_zip(root: Path, target: Path) -> None:
    """Write the integration's files and the licence as a zip without a folder around them."""
    contents = {path.as_posix(): root / INTEGRATION / path for path in list_files(root)}
    contents["LICENSE"] = root / "LICENSE"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # A plain file that its owner may write, whoever built it.
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, contents[name].read_bytes())


def bundled_packages(root: Path) -> Iterator[dict[str, Any]]:
    """Yield the packages that are built into the page, with name, version and licence."""
    lock = json.loads((root / "frontend/package-lock.json").read_text("utf-8"))
    for path, package in sorted(lock["packages"].items()):
        if path and not package.get("dev"):
            name = path.rpartition("node_modules/")[2]
            yield {"name": name, "version": package["version"], "licence": package["license"]}


def asked_for(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the bounds of each package that is installed beside Home Assistant."""
    manifest = json.loads((root / INTEGRATION / "manifest.json").read_text("utf-8"))
    client = (root / INTEGRATION / "memory/redis_connection.py").read_text("utf-8")
    for requirement in (*manifest["requirements"], *_REDIS.findall(client)[:1]):
        name, bounds = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
        yield name, bounds


def make_sbom(root: Path, version: str, digest: str) -> dict[str, Any]:
    """Return the bill of materials of a zip with a digest, in the form of CycloneDX 1.6."""
    bundled = [
        {
            "type": "library",
            "bom-ref": f"npm-{package['name']}",
            "name": package["name"],
            "version": package["version"],
            "scope": "required",
            "purl": f"pkg:npm/{package['name'].replace('@', '%40')}@{package['version']}",
            "licenses": [{"license": {"id": package["licence"]}}],
        }
        for package in bundled_packages(root)
    ]
    installed = [
        {
            "type": "library",
            "bom-ref": f"pypi-{name}",
            "name": name,
            "scope": "required" if name == "pydantic" else "optional",
            "purl": f"pkg:pypi/{name}",
            "licenses": [{"license": {"id": ASKED_FOR[name]}}],
            "properties": [{"name": "bellboard:bounds", "value": bounds}],
        }
        for name, bounds in asked_for(root)
    ]
    components = [*bundled, *installed]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # Made of the zip, so that the same zip has the same bill.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{_HOME}#{digest}')}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "bellboard",
                "name": "bellboard",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "externalReferences": [{"type": "vcs", "url": _HOME}],
            }
        },
        "components": components,
        "dependencies": [
            {"ref": "bellboard", "dependsOn": [part["bom-ref"] for part in components]},
        ],
    }


def list_licences(root: Path, version: str) -> str:
    """Return the licences of what is in a release and of what it asks for, as a table."""
    rows = [("bellboard", version, "Apache-2.0", "all else in the zip")]
    rows += [
        (package["name"], package["version"], package["licence"], "the page is built with it")
        for package in bundled_packages(root)
    ]
    rows += [
        (name, bounds, ASKED_FOR[name], "installed beside Home Assistant, not in the zip")
        for name, bounds in asked_for(root)
    ]
    lines = ["| package | version | licence | where |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def build(root: Path, out: Path) -> None:
    """Build a release of a tree into a folder."""
    version = read_version(root)
    notes = read_notes(root, version)
    out.mkdir(parents=True, exist_ok=True)
    write_zip(root, out / ZIP)
    digest = _digest(out / ZIP)
    sbom = json.dumps(make_sbom(root, version, digest), indent=2)
    (out / SBOM).write_text(f"{sbom}\n", "utf-8")
    (out / LICENCES).write_text(list_licences(root, version), "utf-8")
    (out / NOTES).write_text(notes, "utf-8")
    sums = [f"{_digest(out / name)}  {name}" for name in (ZIP, SBOM, LICENCES)]
    (out / SUMS).write_text("\n".join(sums) + "\n", "utf-8")


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    """Build a release as the command line says; return the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/release")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--tag", help="the tag that is released, such as v1.0.0")
    arguments = parser.parse_args()
    version = read_version(ROOT)
    if arguments.tag not in {None, f"v{version}"}:
        print(f"error: the tag is {arguments.tag}, the version {version}", file=sys.stderr)
        return 1
    try:
        build(ROOT, arguments.out)
    except ReleaseError as err:
        print(f"error: {err}", file=sys.stderr)
        return 1
    print((arguments.out / SUMS).read_text("utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())

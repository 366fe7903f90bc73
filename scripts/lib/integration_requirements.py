"""Print what an installed Home Assistant would install at its first start.

Usage: integration_requirements.py [--start] [--without PACKAGE]... [DOMAIN]...

For each integration the requirements of its manifest are collected, and those of everything it
depends on or waits for, as Home Assistant itself does. `--start` adds what every start
needs. One requirement a line, sorted.
"""

import argparse
import json
from pathlib import Path
import re
from typing import TYPE_CHECKING, Any

import homeassistant

if TYPE_CHECKING:
    from collections.abc import Iterable

COMPONENTS = Path(homeassistant.__file__).parent / "components"


def manifest(domain: str) -> dict[str, Any]:
    """Return the manifest of a built-in integration, empty for one that is not there."""
    path = COMPONENTS / domain / "manifest.json"
    if not path.is_file():
        return {}
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def requirements(domains: Iterable[str]) -> set[str]:
    """Return the requirements of integrations and of all that they depend on or wait for."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = list(domains)
    while waiting:
        domain = waiting.pop()
        if domain in seen:
            continue
        seen.add(domain)
        content = manifest(domain)
        found.update(content.get("requirements", ()))
        waiting.extend(content.get("dependencies", ()))
        waiting.extend(content.get("after_dependencies", ()))
    return found


def requirements_of_start() -> set[str]:
    """Return what every start of Home Assistant needs, besides the integrations one asks for."""
    # Imported here because they load half of Home Assistant.
    from homeassistant import bootstrap  # noqa: PLC0415
    from homeassistant.auth.mfa_modules import totp  # noqa: PLC0415

    integrations = bootstrap.CORE_INTEGRATIONS | bootstrap.DEFAULT_INTEGRATIONS
    # One-time passwords are on in every configuration that does not say otherwise.
    return requirements(integrations) | set(totp.REQUIREMENTS)


def name_of(requirement: str) -> str:
    """Return a requirement's package name in the form that compares (`PyTurboJPEG` = `pyturbojpeg`)."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def main() -> None:
    """Read the command line and print."""
    parser = argparse.ArgumentParser(description="What Home Assistant installs at its first start.")
    parser.add_argument("domain", nargs="*", help="an integration that will be set up")
    parser.add_argument("--start", action="store_true", help="add what every start sets up")
    parser.add_argument("--without", action="append", default=[], help="leave a package out")
    arguments = parser.parse_args()
    found = requirements(arguments.domain)
    if arguments.start:
        found |= requirements_of_start()
    without = {name_of(package) for package in arguments.without}
    for requirement in sorted(found):
        if name_of(requirement) not in without:
            print(requirement)


if __name__ == "__main__":
    main()

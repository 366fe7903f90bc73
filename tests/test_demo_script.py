"""`scripts/demo` tells what it does, installs nothing twice, and takes nobody's model server unasked."""

import asyncio
import os
from pathlib import Path
import subprocess
import sys
import tempfile
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent

sys.path.append(str(ROOT / "scripts"))
from demonstration import model, progress  # noqa: E402 -- found where the scripts find it


def run(script: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run some lines of a script with our functions in a home of its own."""
    return subprocess.run(  # noqa: S603 -- our own script
        [
            "/bin/bash",
            "-c",
            f"set -euo pipefail; cd {ROOT}; . scripts/lib/env.sh; {script}",
            "demo",
        ],
        env={"PATH": "/usr/bin:/bin", "BELLBOARD_HOME": str(home), **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_who_waits_is_told_that_it_goes_on(tmp_path: Path) -> None:
    done = run('echo "$(quietly sleep 2.5; echo out)"', tmp_path, BELLBOARD_TICK="1")

    assert done.stdout == "out\n"
    assert done.stderr.splitlines()[:2] == ["  … 1 s", "  … 2 s"]


def test_what_fails_is_shown_and_fails(tmp_path: Path) -> None:
    done = run("quietly bash -c 'echo why; exit 3' || echo $?", tmp_path)

    assert (done.stdout, done.stderr) == ("3\n", "why\n")


SETUP = """
. scripts/lib/venvs.sh
PYTHON=python UV=uv
make_venv() { mkdir -p "$1/bin"; printf '#!/bin/sh\\n' >"$1/bin/python"; chmod +x "$1/bin/python"; }
install() { echo "install ${*:2}"; }
install_compiled() { :; }
needs() { printf '%%s\n' home-assistant-frontend==1 pymicro-vad==1; }
setup_demo %s
"""


def test_a_second_start_installs_nothing_and_the_web_interface_only_itself(tmp_path: Path) -> None:
    first = run(SETUP % "no", tmp_path)
    again = run(SETUP % "no", tmp_path)
    with_frontend = run(SETUP % "yes", tmp_path)
    at_last = run(SETUP % "yes", tmp_path)

    assert "install homeassistant==" in first.stdout, first.stderr
    assert (again.stdout, again.stderr) == ("", "")
    assert with_frontend.stdout == "install home-assistant-frontend==1\n", with_frontend.stderr
    assert (at_last.stdout, at_last.stderr) == ("", "")


async def test_a_step_is_told_until_it_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "TICK", 0.01)

    async with progress.step("starting Home Assistant"):
        await asyncio.sleep(0.05)

    told = capsys.readouterr().err.splitlines()
    assert told[0] == "starting Home Assistant"
    assert told[1].startswith("  … ")
    assert told[-1].endswith(" s")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, ...]]:
    """Let a server answer that nobody here started; return how the script for models was called."""
    calls: list[tuple[str, ...]] = []

    async def run_script(_: Any, *arguments: str) -> tuple[int, str]:
        calls.append(arguments)
        return 0, "http://127.0.0.1:8081" if "--url-only" in arguments else "http://127.0.0.1:9"

    async def models(_: str) -> list[str]:
        return ["big-model"]

    monkeypatch.setattr(model, "_run", run_script)
    monkeypatch.setattr(model, "_models", models)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("LLM_DIR", str(tmp_path))
    monkeypatch.delenv("BELLBOARD_LLM_URL", raising=False)
    return calls


async def test_a_strangers_model_server_is_named_and_not_taken(
    scripted: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", (ROOT / "README.md").open(encoding="utf-8"))

    assert await model._local() == ("http://127.0.0.1:9", True)

    assert scripted[-1][0] == "--port"
    assert "http://127.0.0.1:8081 (big-model)" in capsys.readouterr().err


async def test_our_own_or_a_named_server_is_taken(
    scripted: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BELLBOARD_LLM_URL", "http://127.0.0.1:8081/")
    assert await model._local() == ("http://127.0.0.1:8081", False)

    monkeypatch.delenv("BELLBOARD_LLM_URL")
    (tmp_path / "server-8081.pid").write_text(str(os.getpid()), encoding="utf-8")
    assert await model._local() == ("http://127.0.0.1:8081", False)

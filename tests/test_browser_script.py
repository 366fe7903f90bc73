"""`scripts/test --browser` needs a browser, and says so where there is none."""

from pathlib import Path
import shutil
import subprocess

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "test"


def test_without_a_browser_it_fails_and_says_how_to_get_one(tmp_path: Path) -> None:
    # Somebody who may not install anything, on a machine with hardly a program.
    for name in ("bash", "cat", "dirname", "uname"):
        program = shutil.which(name)
        assert program
        (tmp_path / name).symlink_to(program)
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (tmp_path / "id").chmod(0o755)
    done = subprocess.run(  # noqa: S603 -- our own script
        [SCRIPT, "--browser"],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    [said] = done.stderr.splitlines()
    assert said.startswith("error: a browser is needed: install Chromium (")

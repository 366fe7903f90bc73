"""The harness: a run from the command line, what is kept of it, and how two runs compare."""

from contextlib import closing
from dataclasses import replace
import importlib
import json
import os
from pathlib import Path
import sqlite3
import subprocess
import sys
from types import ModuleType
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.evaluation.golden_file import GoldenFileError, read_text
from custom_components.bellboard.evaluation.models import GoldenCase
from custom_components.bellboard.evaluation.report import summary_of
from custom_components.bellboard.evaluation.runner import CaseOutcome, CaseReport, TurnReport
from tests.conftest import Setup, snapshot
from tests.harness.home import Home, HomeError
from tests.harness.running import Golden, async_run_file, read_golden
from tests.harness.runs import Run, RunCase
from tests.harness.storage import StorageError, read_run, write_json, write_sqlite
from tests.harness.tables import comparison, failed_keys, failures, kept, table

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent

TINY = """\
cases:
  - id: lamp
    say: turn on the floor lamp
    expect: {agents: light-agent, changed: {light.floor_lamp: on}, reply: Floor Lamp}
  - id: wrong
    say: turn off the desk lamp
    expect: {agents: music-agent, changed: {light.desk_lamp: off}}
  - id: talk
    say: who are you
    needs: model
    expect: {agents: general-agent}
"""


def judged(
    name: str, outcome: CaseOutcome, ms: float = 5, agent: str = "light-agent"
) -> CaseReport:
    """Return a case that took a time."""
    found = ("light.a did not change",) if outcome is CaseOutcome.FAILED else ()
    turn = TurnReport(
        say=f"say {name}",
        reply="Done.",
        state="completed",
        agents=(agent,),
        ms=ms,
        model_calls=1,
        tokens=100,
        differences=found,
    )
    turns = () if outcome is CaseOutcome.SKIPPED else (turn,)
    reason = "it needs a language model" if outcome is CaseOutcome.SKIPPED else ""
    return CaseReport(id=name, agent_id=agent, outcome=outcome, turns=turns, reason=reason)


def run_of(**outcomes: CaseOutcome) -> Run:
    """Return a run with a case of each name."""
    return Run(
        at="2026-01-01T00:00:00+00:00",
        cases=[RunCase("file", judged(name, outcome)) for name, outcome in outcomes.items()],
    )


PASSED, FAILED, SKIPPED = CaseOutcome.PASSED, CaseOutcome.FAILED, CaseOutcome.SKIPPED


def harness(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the harness as scripts/evaluate does."""
    return subprocess.run(  # noqa: S603 - our own interpreter and module
        [sys.executable, "-m", "tests.harness", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'scripts'}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )


@pytest.mark.skipif(
    "ha_shim" in sys.modules, reason="scripts/evaluate runs on the release the harness pins"
)
def test_a_run_from_the_command_line(tmp_path: Path) -> None:
    tiny, out, database = (tmp_path / name for name in ("tiny.yaml", "out.json", "runs.db"))
    tiny.write_text(TINY, encoding="utf-8")
    before = run_of(lamp=FAILED, wrong=PASSED)
    before.cases = [replace(each, file="tiny") for each in before.cases]
    write_json(before, tmp_path / "before.json")
    done = harness(
        "--cases", tiny, "--json", out, "--sqlite", database, "--strict",
        "--compare", tmp_path / "before.json",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first.split() == [
        "cases", "asked", "passed", "%", "p50", "ms", "p95", "ms", "model", "calls", "tokens",
    ]  # fmt: skip
    assert ["tiny", "3", "2", "1", "50.0"] in [line.split()[:5] for line in lines]
    assert "✗ tiny/wrong" in lines
    assert "    “turn off the desk lamp” → “Turned off Desk Lamp.”" in lines
    assert "      light-agent answered, not music-agent" in lines
    assert "1 better, 1 worse, 0 wrong in another way, 1 new, 0 gone" in lines
    assert lines[-1] == f"run 1 of {database}"
    kept_run = json.loads(out.read_text(encoding="utf-8"))
    assert [case["outcome"] for case in kept_run["cases"]] == ["passed", "failed", "skipped"]
    assert kept_run["summary"]["passed"] == 1
    assert read_run(str(database)) == read_run(str(out))
    assert not done.stderr


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of the command line, as it is found beside the demonstration."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("tests.harness.__main__")


def test_runs_that_were_kept_are_compared_without_asking_anything(
    command: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_json(run_of(a=PASSED, b=FAILED), tmp_path / "old.json")
    write_sqlite(run_of(a=FAILED, b=PASSED), tmp_path / "new.db")
    assert command.main(["--compare", f"{tmp_path}/old.json", f"{tmp_path}/new.db:1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 better, 1 worse, 0 wrong in another way, 0 new, 0 gone",
        "+ file/b",
        "- file/a",
        "      light.a did not change",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cases: []", "error: bad.yaml, line 1: there are no cases"),
        ("cases: [{id: a, say: hi, expect: {colour: red}}]", "line 1, cases → a → expect → colour"),
        (None, "error: bad.yaml cannot be read: No such file or directory"),
    ],
)
def test_a_bad_file_is_told(
    command: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
    told: str,
) -> None:
    path = tmp_path / "bad.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert command.main(["--cases", str(path)]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--only-failed"], ["--compare", "a", "b", "c"], ["--colour"]]
)
def test_what_makes_no_sense_is_refused(command: ModuleType, arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        command.parse(arguments)


def test_the_script_names_every_option(command: ModuleType) -> None:
    script = (ROOT / "scripts" / "evaluate").read_text(encoding="utf-8")
    document = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    for option in vars(command.parse([])):
        assert f"--{option.replace('_', '-')}" in script
        assert f"--{option.replace('_', '-')}" in document


def test_a_summary_counts_and_measures() -> None:
    cases = [
        *(judged(f"{n}", PASSED, ms=n) for n in range(1, 20)),
        judged("x", FAILED, ms=100),
        judged("y", SKIPPED),
    ]
    summary = summary_of(cases)
    assert (summary.passed, summary.failed, summary.skipped, summary.asked) == (19, 1, 1, 20)
    assert (summary.percent, summary.p50, summary.p95) == (95.0, 10, 19)
    assert (summary.model_calls, summary.tokens) == (20, 2000)
    nothing = summary_of([])
    assert (nothing.percent, nothing.p50, nothing.model_calls) == (None, None, 0)


def test_a_table_has_files_agents_and_all() -> None:
    run = run_of(a=PASSED, b=FAILED, c=SKIPPED)
    run.cases.append(RunCase("other", judged("d", SKIPPED, agent="")))
    names = [line.split("  ")[0].strip() for line in table(run)]
    assert names[0] == ""
    assert [name for name in names[1:] if not name.startswith("─")] == [
        "file", "other", "any agent", "light-agent", "all",
    ]  # fmt: skip
    assert list(failures(run)) == [
        "✗ file/b",
        "    “say b” → “Done.”",
        "      light.a did not change",
    ]


def test_a_comparison_names_what_is_otherwise() -> None:
    before = run_of(a=PASSED, b=FAILED, c=FAILED, gone=PASSED, d=SKIPPED)
    after = run_of(a=PASSED, b=FAILED, c=FAILED, new=FAILED, d=PASSED)
    after.cases[2] = RunCase(
        "file",
        CaseReport(id="c", agent_id="", outcome=FAILED, reason="there is no room Attic"),
    )
    assert list(comparison(kept(before), kept(after))) == [
        "0 better, 0 worse, 1 wrong in another way, 1 new, 1 gone",
        "~ file/c",
        "      was: light.a did not change",
        "      is:  there is no room Attic",
    ]
    assert failed_keys(kept(before)) == {"file/b", "file/c"}
    assert list(failures(after))[3:5] == ["✗ file/c", "      there is no room Attic"]


def test_a_database_keeps_every_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    runs = [run_of(a=PASSED), run_of(a=FAILED, b=SKIPPED)]
    assert [write_sqlite(run, path) for run in runs] == [1, 2]
    assert read_run(f"{path}:1") == kept(runs[0])
    assert read_run(f"{path}:2") == read_run(str(path)) == kept(runs[1])
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT passed, failed, skipped FROM runs ORDER BY id").fetchall()
    assert rows == [(1, 0, 0), (0, 1, 1)]


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    database = tmp_path / "runs.db"
    write_sqlite(run_of(a=PASSED), database)
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3" + bytes(20))
    text = tmp_path / "text.json"
    text.write_text('{"cases": 3}', encoding="utf-8")
    empty = tmp_path / "empty.db"
    with closing(sqlite3.connect(empty)) as connection:
        connection.execute("CREATE TABLE runs (id)")
        connection.execute("CREATE TABLE cases (run_id, file, id, outcome, differences)")
    for source, told in (
        (f"{tmp_path}/none.json", "cannot be read: No such file"),
        (f"{tmp_path}/none.db:1", "there is no such file"),
        (f"{database}:7", "has no run 7"),
        (f"{empty}", "has no run"),
        (f"{broken}", "cannot be read"),
        (f"{text}", "holds no run"),
    ):
        with pytest.raises(StorageError, match=told):
            read_run(source)


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        write_json(run_of(a=PASSED), tmp_path / "no" / "where.json")
    with pytest.raises(StorageError, match="cannot be written"):
        write_sqlite(run_of(a=PASSED), tmp_path / "no" / "where.db")


def test_golden_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(f"house: other.yaml\npolicies: rules.yaml\n{TINY}")
    (tmp_path / "a.yml").write_text(f"policies: [{{name: x}}]\n{TINY}")
    (tmp_path / "notes.txt").write_text("nothing")
    a, b = read_golden([tmp_path])
    assert (a.name, a.house, a.policies()) == ("a", "demo", {"rules": [{"name": "x"}]})
    assert (b.name, b.house) == ("b", str(tmp_path / "other.yaml"))
    with pytest.raises(GoldenFileError, match="the policies cannot be read"):
        b.policies()
    (tmp_path / "rules.yaml").write_text("rules: [{name: y}]\n")
    assert b.policies() == {"rules": [{"name": "y"}]}
    (tmp_path / "none").mkdir()
    with pytest.raises(GoldenFileError, match="there is no golden file"):
        read_golden([tmp_path / "none"])


def as_described(hass: HomeAssistant) -> dict[str, str]:
    """Return the states of the house, but of what tells when it began to play."""
    return {name: state for name, state in snapshot(hass).items() if "media_player" not in name}


async def async_ask(home: Home, text: str, **kwargs: Any) -> list[CaseReport]:
    """Ask the cases of a golden file."""
    golden = Golden(Path("file.yaml"), read_text(text, "file.yaml"))
    return await async_run_file(home, golden, golden.file.cases, has_model=False, **kwargs)


async def test_every_case_begins_in_the_same_house(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    home = Home(hass, house, (await speak()).agent_id)
    start = as_described(hass)
    first, second, third, fourth = await async_ask(
        home,
        """\
cases:
  - id: given
    say: is the floor lamp on?
    given: [{action: light.turn_on, entity_id: light.floor_lamp}]
    expect: {reply: "yes"}
  - id: again
    say: is the floor lamp on?
    expect: {reply: "no"}
  - id: nowhere
    say: turn on the light
    area: Attic
    expect: {state: completed}
  - id: no-such-action
    say: hello
    given: [{action: light.paint}]
    expect: {state: completed}
""",
    )
    assert first.outcome is second.outcome is PASSED
    assert third.differences == ["there is no room Attic"]
    assert "light.paint cannot be called" in fourth.differences[0]
    await home.async_restore()
    assert as_described(hass) == start


async def test_a_dry_run_changes_nothing(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    home = Home(hass, house, (await speak()).agent_id, dry_run=True)
    start = as_described(hass)
    done, talk, given = await async_ask(
        home,
        """\
cases:
  - id: lamp
    say: turn on the floor lamp
    area: Kitchen
    expect:
      calls: [{action: light.turn_on, entities: [light.floor_lamp]}]
      changed: {light.floor_lamp: on}
  - id: talk
    turns: [{say: turn on the floor lamp}, {say: brighter, expect: {state: completed}}]
  - id: given
    say: turn on the floor lamp
    given: [{action: light.turn_off, entity_id: light.floor_lamp}]
    expect: {state: completed}
""",
    )
    assert done.differences == []
    assert talk.outcome is given.outcome is SKIPPED
    assert as_described(hass) == start


async def test_what_breaks_in_one_case_leaves_the_others(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(hass, house, (await speak()).agent_id)
    monkeypatch.setattr(Home, "last_trace", {})
    lamp, wrong, talk = await async_ask(home, TINY)
    assert lamp.differences == wrong.differences == ["KeyError: 'state'"]
    assert talk.outcome is SKIPPED
    assert home.touched


async def test_a_house_that_cannot_be_set_up_again_is_told(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(hass, house, (await speak()).agent_id)

    async def reload(_entry_id: str) -> bool:
        return False

    monkeypatch.setattr(hass.config_entries, "async_reload", reload)
    hass.states.async_remove("light.kitchen_ceiling")
    with pytest.raises(HomeError):
        await home.async_restore()


def test_only_wanted_cases_are_asked(command: ModuleType, tmp_path: Path) -> None:
    golden = read_text(TINY, "tiny.yaml")
    options = command.parse(["--filter", "DESK"])
    wanted = command.wanted_by(options, None)
    assert [case.id for case in golden.cases if wanted("tiny", case)] == ["wrong"]
    write_json(run_of(lamp=FAILED), tmp_path / "old.json")
    options = command.parse(["--compare", f"{tmp_path}/old.json", "--only-failed"])
    wanted = command.wanted_by(options, read_run(f"{tmp_path}/old.json"))
    lamp: GoldenCase = golden.cases[0]
    assert wanted("file", lamp)
    assert not wanted("tiny", lamp)

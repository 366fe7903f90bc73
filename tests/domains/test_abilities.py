"""The document of abilities says what the tables say."""

from pathlib import Path
import runpy

from custom_components.bellboard.domains.registry import tables

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "abilities.md"


def test_the_document_is_made_from_the_tables() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "lib" / "abilities.py"))
    written = DOCUMENT.read_text(encoding="utf-8")
    assert written == script["render"](), "run scripts/abilities"


def test_no_cell_is_empty() -> None:
    rows = [
        line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("|")
    ]
    assert len(rows) > 150
    assert not [row for row in rows if any(not cell.strip() for cell in row.strip("|").split("|"))]


def test_what_cannot_be_seen_or_undone_has_its_reason() -> None:
    unseen = [
        f"{table.name}.{service.name}"
        for table in tables()
        for service in table.services
        if service.check is None and not service.unseen
    ]
    undone = [
        table.name
        for table in tables()
        if table.actions and not (table.plan_undo or table.not_undone or table.attributes)
    ]
    assert not unseen + undone

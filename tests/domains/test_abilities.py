"""The document of abilities says what the tables say."""

from pathlib import Path
import runpy

ROOT = Path(__file__).parents[2]


def test_the_document_is_made_from_the_tables() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "lib" / "abilities.py"))
    written = (ROOT / "docs" / "abilities.md").read_text(encoding="utf-8")
    assert written == script["render"](), "run scripts/abilities"

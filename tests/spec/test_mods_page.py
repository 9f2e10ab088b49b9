"""Pages of the manual: their files beside the garden, and what the commands print. `UPDATE_GOLDEN=1` writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.pages import PAGES, garden, write
from tests.spec.played import fresh

MANUAL = PAGES.parent


@pytest.mark.parametrize(("page", "commands"), [("mods.md", 12), ("languages.md", 3)])
def test_what_the_page_shows(page: str, commands: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    write(tmp_path / "garden", garden())
    shown = fresh(MANUAL / page)
    assert shown.count("$ rulelang") >= commands

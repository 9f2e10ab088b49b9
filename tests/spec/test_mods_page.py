"""The page `docs/mods.md`: its files beside the garden, and what the commands print. `UPDATE_GOLDEN=1` writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.pages import PAGES, garden, write
from tests.spec.played import fresh

PAGE = PAGES.parent / "mods.md"


def test_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    write(tmp_path / "garden", garden())
    shown = fresh(PAGE)
    assert shown.count("$ rulelang") >= 12

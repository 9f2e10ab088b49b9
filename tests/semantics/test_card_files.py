"""Columns of card files: what is wrong with them is told once for a file, however many rows it has."""

from __future__ import annotations

import gc
from pathlib import Path

from rulelang.compiler.compilation import Compilation
from tests.semantics.test_printed_invariants import CARDS, THINGS, write


def test_a_mistaken_column_is_told_once_for_each_file(tmp_path: Path) -> None:
    things = THINGS.replace("from: cards.csv", "from: [cards.csv, more.csv]")
    shop, _ = write(tmp_path, "", things)
    (shop / "cards.csv").write_text(CARDS.replace("cost", "cots"), encoding="utf-8")
    (shop / "more.csv").write_text("id,cost,suit,fase\ndan,1,red,keen\neve,2,red,keen\n", encoding="utf-8")
    found = [(one.code, Path(one.span.path).name, one.hint) for one in Compilation(shop).diagnostics.sorted()]
    assert found == [
        ("N319", "cards.csv", "did you mean `cost`?"),
        ("N319", "more.csv", "did you mean `face`?"),
    ]


def test_a_check_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    shop, _ = write(tmp_path, "")
    assert gc.isenabled()
    assert Compilation(shop).checked.summary is not None
    assert gc.isenabled()
    gc.disable()
    try:
        assert Compilation(shop, mode="grand").checked.summary is not None
        assert not gc.isenabled()
    finally:
        gc.enable()

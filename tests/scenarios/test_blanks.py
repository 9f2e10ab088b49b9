"""Names that players read with blanks, where scenarios write them in one word; and scenarios picked by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import load
from rulelang.compiler.compilation import LoadError
from tests.cli.helpers import run


def test_each_is_told_once_with_the_word_to_write() -> None:
    given = {
        "phase": "speciation",
        "players": {
            "ana": {
                "species": ["alva climate hot loving size small since Cambrian", "corda climate Cold Loving"],
                "hand": ["missing link", "Crossing over in meiosis", "2 x volcanic activity"],
            },
            "bob": {"species": ["bruma size small"]},
        },
        "tables": {"population": {"alva": {"d3": 1}, "corda": {"a1": 1}, "bruma": {"a3": 1}}},
    }
    with pytest.raises(LoadError) as caught:
        load("evolved").position(given)
    found = [(item.code, item.message, item.hint) for item in caught.value.diagnostics]
    names = ("hot loving", "Cold Loving", "missing link", "Crossing over in meiosis", "volcanic activity")
    assert sorted(found) == sorted(
        ("C702", f"`{name}` is the name for players", f"write `{name.lower().replace(' ', '_')}`") for name in names
    )


def test_a_pattern_may_begin_as_a_name_does() -> None:
    """`-k ^` is the beginning of a name as of the file's."""
    for pattern in ("^a response negates only", "^answers: a response negates only"):
        result = run("test", "evolved", "-k", pattern)
        assert result.exit_code == 0, result.output
        assert "1 passed" in result.output


def test_scenarios_of_ones_own_for_a_shipped_game(tmp_path: Path) -> None:
    """They stand in a mod that changes nothing, and lay tables by what these are read by."""
    (tmp_path / "scenarios").mkdir()
    head = "id: mine\nversion: 1.0.0\nlanguage: 1\ntitle: Mine\nextends: {evolved: any}\nfiles: []\n"
    (tmp_path / "mod.yaml").write_text(head, encoding="utf-8")
    (tmp_path / "scenarios" / "some.yaml").write_text(
        "- name: laid\n"
        "  given:\n"
        "    phase: reproduction\n"
        "    players: {ana: {species: [alva]}, bob: {species: [bruma]}}\n"
        "    tables: {population: {alva: {d3: 2}, bruma: {a3: 1}}}\n"
        "  then: ['population[alva, d3] == 2', 'population[alva, a3] == 0']\n",
        encoding="utf-8",
    )
    result = run("test", str(tmp_path))
    assert (result.exit_code, "1 passed" in result.output) == (0, True), result.output

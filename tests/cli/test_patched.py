"""What commands say of rules that a mod has patched: as they are now, and who changed them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulelang.apps.cli.main import main
from rulelang.compiler.compilation import Compilation
from rulelang.tools.modding.unused import _GameWithout, mod_parts

MANIFEST = 'id: m\nversion: 1.0.0\nlanguage: 1\ntitle: {en: m}\nextends: {evolution: ">=1.0, <2"}\nfiles: [m.rules]\n'
RULES = """\
remove strike.require["the prey is not smaller"]
insert after strike.tells: hunter.food += 0
remove carnivore.attack.compulsory
remove drop_trait
"""


@pytest.fixture
def mod(tmp_path: Path) -> str:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "mod.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "m" / "m.rules").write_text(RULES, encoding="utf-8")
    return str(tmp_path / "m")


def run(*words: str) -> str:
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_show_prints_a_routine_as_it_is_now_and_who_changed_it(mod: str) -> None:
    text = run("show", "evolution", "strike", "--mod", mod)
    routine, _, rest = text.partition("changed by the rules of m")
    assert "with the changes below" in routine
    assert "the prey is not smaller" not in routine
    assert "hunter.food += 0" in routine
    assert 'remove strike.require["the prey is not smaller"]' in rest
    assert "insert after strike.tells: hunter.food += 0" in rest
    assert "with the changes below" not in run("show", "evolution", "starve", "--mod", mod)


def test_show_prints_a_trait_as_it_is_now(mod: str) -> None:
    rules, _, rest = run("show", "evolution", "carnivore", "--mod", mod).partition("changed by the rules of m")
    assert "compulsory when self is hungry" not in rules
    assert "require can strike(self, prey)" in rules
    assert "remove carnivore.attack.compulsory" in rest


def test_scenarios_of_what_is_taken_out_are_no_mistakes(mod: str) -> None:
    """Those of the base play `drop_trait`, which the mod takes out."""
    assert "no mistakes" in run("check", "evolution", "--mod", mod)


def test_why_names_every_patch_of_a_routine(mod: str) -> None:
    text = run("mods", "why", "evolution", mod, "strike")
    assert text.index(": declares") < text.index("remove strike") < text.index("insert strike")
    assert 'remove strike.require["the prey is not smaller"]' in text


def test_diff_shows_rules_before_and_after(mod: str) -> None:
    text = run("mods", "diff", "evolution", mod)
    assert '-   require strength(hunter) > defence(prey, hunter) because "the prey is not smaller"' in text
    assert "+   hunter.food += 0" in text
    assert "-   compulsory when self is hungry" in text


def test_unused_tries_the_rules_without_each_patch(mod: str) -> None:
    compilation = Compilation("evolution", [mod])
    told = {part.text: part for part in mod_parts(compilation)}
    assert "strike.tells" in told
    without = _GameWithout(compilation, told["strike.tells"].span)
    assert [change.place for change in without.program.changes] == [
        'strike.require["the prey is not smaller"]',
        "carnivore.attack.compulsory",
        "drop_trait",
    ]

"""Rules have their colours wherever Pygments is asked, and the documentation builds as a site without a warning."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Whitespace

from rulelang.base.source import Placement
from rulelang.language.syntax.lexer import scan
from rulelang.tools.docs_gen.highlighting import RulesetLexer, RulesLexer, rules_tokens

ROOT = Path(__file__).resolve().parents[2]
RULES = sorted(ROOT.glob("rulesets/*/*.rules"))
YAML = sorted([*ROOT.glob("rulesets/*/traits/*.yaml"), *ROOT.glob("rulesets/*/*.yaml")])


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_rules_are_cut_as_the_scanner_cuts_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(RulesLexer().get_tokens_unprocessed(text))
    assert "".join(part for _, _, part in found) == text
    assert all(text[at : at + len(part)] == part for at, _, part in found)
    assert Error not in {kind for _, kind, _ in found}
    lines, mistakes = scan(text, Placement("x"), {})
    assert not len(mistakes)
    scanned = [token.text for line in lines for token in line.tokens if token.type in ("NAME", "NUMBER", "DIE")]
    kinds = (Name, Keyword, Number, Operator.Word)
    assert [part for _, kind, part in found if any(kind in one for one in kinds)] == scanned


@pytest.mark.parametrize("path", YAML, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_rules_inside_yaml_lose_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(RulesetLexer().get_tokens_unprocessed(text))
    assert "".join(part for _, _, part in found) == text
    assert Error not in {kind for _, kind, _ in found}


def test_what_a_rule_looks_like() -> None:
    line = 'forbid strike(any, self) when x >= 2 because "no {self}"  # so\n'
    found = {part: kind for _, kind, part in rules_tokens(line)}
    assert (found["forbid"], found["when"], found["because"]) == (Keyword, Keyword, Keyword)
    assert (found["strike"], found["self"]) == (Name, Name.Builtin.Pseudo)
    assert (found["2"], found[">="]) == (Number.Integer, Operator)
    assert (found['"no '], found["{self}"]) == (String, String.Interpol)
    assert (found["# so"], found["\n"]) == (Comment.Single, Whitespace)


def test_a_block_of_rules_in_yaml_is_coloured_as_rules() -> None:
    text = "a: 1\nrules: |\n  modify x(self): + 1\n\n  # b\nlists:\n  modify: [x]\n"
    found = [(part, kind) for _, kind, part in RulesetLexer().get_tokens_unprocessed(text) if part == "modify"]
    assert [kind == Keyword for _, kind in found] == [True, False]


def test_pygments_finds_them_by_name() -> None:
    assert isinstance(get_lexer_by_name("rules"), RulesLexer)
    assert isinstance(get_lexer_by_name("rulelang-yaml"), RulesetLexer)


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs/site", "docs", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    pages = {path.relative_to(tmp_path).with_suffix("").as_posix() for path in tmp_path.rglob("*.html")}
    written = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written <= pages
    shown = (tmp_path / "learn" / "first-trait.html").read_text(encoding="utf-8")
    assert re.search(r'<span class="k">modify</span>', shown)
    assert "traits/spines.yaml" in shown
    assert "_images/studio.png" in (tmp_path / "studio.html").read_text(encoding="utf-8")
    assert (tmp_path / "searchindex.js").stat().st_size > 10_000

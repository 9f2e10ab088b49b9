"""Mistakes of beginners in a new game: one message each, whose hint says what to write."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulelang.compiler.compilation import check
from tests.cli.helpers import run
from tests.syntax.texts import mistakes


@pytest.mark.parametrize(
    ("rules", "code", "guilty", "hint"),
    [
        ("routine f:\n  shuffle deck;\n", "S222", ";", "delete it"),
        ("routine f:\n  // shuffle it\n  shuffle deck\n", "S222", "//", "write `#`"),
        ("routine f:\n  shuffle deck // shuffle it\n", "S222", "//", "write `#`"),
        ("value v(card c) -> bool: c.face <> bee\n", "S222", "<>", "write `!=`"),
        ("value v(card c) -> bool: c.points =< 2\n", "S222", "=<", "write `<=`"),
        ("value v(card c) -> bool: c.points === 2\n", "S222", "===", "write `==`"),
        ("value v(card c) -> int:\n  return c.points\n", "S223", "return", "delete it"),
        ("value v(c) -> int: 1\n", "S228", "c", "write `KIND c`, or `c NAME` if `c` is the kind"),
        ("routine f(card c, n): nothing\n", "S228", "n", "write `KIND n`, or `n NAME` if `n` is the kind"),
        ("routine f:\n  foreach player p: nothing\n", "S223", "foreach", "write `for`, as in `for player p:`"),
        ("value v(int a) -> bool: 0 < a < 3\n", "S226", "<", "write `and a <` instead of `<`, or add parentheses"),
        ("routine f:\n  for card c in deck where c.a or c.b: nothing\n", "S215", "or", "write `where (c.a or c.b)`"),
        (
            "routine f:\n  for int n in 1 to hand_size: nothing\n",
            "S216",
            "in 1 to",
            "write `int n from 1 to hand_size`",
        ),
        ("routine f:\n  a = [1)\n", "S209", ")", "write `]`"),
    ],
)
def test_a_mistake_in_rules(rules: str, code: str, guilty: str, hint: str) -> None:
    (mistake,) = mistakes(rules)
    line = rules.split("\n")[mistake.span.line - 1]
    assert (mistake.code, mistake.hint) == (code, hint)
    assert line[mistake.span.column - 1 : mistake.span.end_column - 1] == guilty


def test_a_line_indented_too_far_after_a_block_on_one_line() -> None:
    (mistake,) = mistakes("routine f:\n  for card c: move c to deck\n   shuffle deck\n")
    assert (mistake.code, mistake.span.line) == ("S207", 3)
    (mistake,) = mistakes("routine f:\n  for card c: if c.a\n    shuffle deck\n")
    assert (mistake.code, mistake.span.line) == ("S211", 2)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game as `rulelang new ruleset` makes it."""
    folder = tmp_path_factory.mktemp("new") / "harbor"
    assert run("new", "ruleset", str(folder)).exit_code == 0
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "hint"),
    [
        (
            "traits/apple.yaml",
            "{en: It is what it is.}",
            "{en: Note: it is.}",
            "Y102",
            'put it in quotes: `en: "Note: it is."`',
        ),
        (
            "ruleset.yaml",
            "things.yaml, game",
            "things.yaml game",
            "Y132",
            "put commas between them: `things.yaml, game.rules`",
        ),
        ("ruleset.yaml", "[2, 4]", "2-4", "Y121", "write `count: [2, 4]`"),
        ("ruleset.yaml", "clockwise", "left", "Y121", "did you mean `clockwise`?"),
        ("ruleset.yaml", "default: 3", "default: 12", "N315", "change the default, or widen the range"),
        ("things.yaml", "hand_size:", "hand-size:", "Y121", "write `hand_size:`"),
        ("things.yaml", "hand_size: 3", "hand_size: 3.5", "Y121", ""),
        ("things.yaml", "0..9", "0-9", "N306", "write `0..9`"),
        ("things.yaml", "seen_by: everyone", "seen_by: all", "Y121", "did you mean `everyone`?"),
        ("things.yaml", "deck: {holds: card,", "deck: {holds: cards,", "N303", "did you mean `card`?"),
        ("things.yaml", "hand: {of: player,", "hand: {of: players,", "N303", "did you mean `player`?"),
        ("traits/apple.yaml", "text: {en:", "text: {english:", "Y121", "write `en:`"),
        (
            "lang/de.yaml",
            "",
            '"{c} plays": x\n',
            "Y122",
            "write `texts:` on the first line, and indent all other lines",
        ),
        ("lang/de.yaml", "", "texts:\n  {c} plays: x\n", "Y105", "put the whole key in double quotes"),
        (
            "lang/german.yaml",
            "",
            "texts: {}\n",
            "Y134",
            "name it after its language code, such as `lang/de.yaml`, or delete the file",
        ),
    ],
)
def test_a_mistake_in_a_file(game: Path, tmp_path: Path, file: str, old: str, new: str, code: str, hint: str) -> None:
    folder = tmp_path / "harbor"
    shutil.copytree(game, folder)
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else new, encoding="utf-8")
    found = [(item.code, item.hint) for item in check(folder)[1] if item.severity == "error"]
    assert found == [(code, hint)]

"""`rulelang fmt` on YAML: it changes no meaning, loses no comment, and what it has written it leaves alone."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_format import format_yaml
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.syntax.format import format_text
from tests.cli.helpers import run

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("rulesets", "examples", "seeds") for path in (ROOT / folder).rglob("*.yaml"))


def tidy(text: str) -> str:
    return format_yaml(text, format_text)


def meaning(text: str) -> object:
    """What a text says, or None if it is no YAML."""
    out = Diagnostics()
    root = read_yaml_text(text, "", out).root
    return None if out.failed or root is None else root.plain()


def comments(text: str) -> list[str]:
    return sorted(line.strip() for line in text.split("\n") if line.lstrip().startswith("#"))


CASES = {
    "indentation": ("a:\n    b: 1\n    c:\n        - 2\n", "a:\n  b: 1\n  c:\n    - 2\n"),
    "a list under its key": ("a:\n- 1\n- 2\n", "a:\n  - 1\n  - 2\n"),
    "a map in a list": ("a:\n-   b: 1\n    c: 2\n", "a:\n  - b: 1\n    c: 2\n"),
    "lists in lists": ("-   - 1\n    - 2\n-   - 3\n", "- - 1\n  - 2\n- - 3\n"),
    "commas and brackets": ("a: { b: 1,c: [1,2 ] }\n", "a: {b: 1, c: [1, 2 ]}\n"),
    "columns stay": ("- {a: 1,   b: 2}\n- {a: 100, b: 2}\n", "- {a: 1,   b: 2}\n- {a: 100, b: 2}\n"),
    "columns in brackets stay": ("a: [ 4, 10]\nb: [14, 10]\n", "a: [ 4, 10]\nb: [14, 10]\n"),
    "line ends": ("a: 1  \r\nb: 2\t\r\n\r\n\r\n\r\nc: 3", "a: 1\nb: 2\n\nc: 3\n"),
    "comments go along": (
        "a:   # one\n    # two\n    b: 1\n    # three\n# four\nc: 1\n",
        "a:   # one\n  # two\n  b: 1\n  # three\n# four\nc: 1\n",
    ),
    "texts keep their lines": (
        "a:\n    b: |\n        one\n\n\n          two\n    c: 1\n",
        "a:\n  b: |\n    one\n\n\n      two\n  c: 1\n",
    ),
    "rules are tidied": (
        "trait: x\nrules: |\n     modify  f(self):  + 1   \n",
        "trait: x\nrules: |\n  modify f(self): + 1\n",
    ),
    "what goes on moves along": (
        "a:\n    b: [1,\n        2]\n    c: 'x\n        y'\n",
        "a:\n  b: [1,\n      2]\n  c: 'x\n      y'\n",
    ),
    "anchors": ("a: &x\n    b: 1\nc: *x\n", "a: &x\n  b: 1\nc: *x\n"),
    "a value below its key": ("a:\n      1\n", "a:\n  1\n"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_cases(text: str, expected: str) -> None:
    assert tidy(text) == expected
    assert tidy(expected) == expected
    assert meaning(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "a: [1\n",
        "a: 1\n b: 2\n",
        "\ta: 1\n",
        "a: |2\n     two\n",
        "",
        "# only a remark\n",
        "--- \na: 1\n",
        "a: !x 1\n",
        '"\\x"',
    ],
)
def test_odd_texts_keep_what_they_say(text: str) -> None:
    assert meaning(tidy(text)) == meaning(text)
    assert comments(tidy(text)) == comments(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_files_are_tidy(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert tidy(text) == text


TEXTS = [path.read_text(encoding="utf-8") for path in FILES if path.stat().st_size < 12_000]


def roughened(text: str, chance: random.Random) -> str:
    """The same with other indentation of whole blocks, blanks at ends, empty lines and CRLF."""
    lines: list[str] = []
    quiet = 0  # inside a text in a block, whose empty lines count
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if quiet and line.strip() and indent < quiet:
            quiet = 0
        lines.append(line + " " * (chance.randrange(3) if not quiet and line.strip() else 0))
        if re.search(r": [|>]-?$", line):
            quiet = indent + 1
        elif not quiet and line.strip() and chance.random() < 0.1:
            lines.extend([""] * chance.randrange(1, 4))
    return chance.choice(["\n", "\r\n"]).join(lines)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_roughened_files_become_tidy_again(text: str, seed: int) -> None:
    rough = roughened(text, random.Random(seed))
    assert meaning(rough) == meaning(text)
    again = tidy(rough)
    assert [line for line in again.split("\n") if line] == [line for line in text.split("\n") if line]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_mutated_files_keep_their_meaning(text: str, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(text) + 1)
        piece = chance.choice(["", " ", "  ", "\n", "#", " # x", ",", "- ", ": ", "{", "]", "'", '"', "|", "\n\n", "a"])
        text = text[:place] + piece + text[place + chance.randrange(3) :]
    once = tidy(text)
    assert tidy(once) == once
    before, after = meaning(text), meaning(once)
    assert (before is None) == (after is None)
    assert str(before).split() == str(after).split() or "rules" in text  # rules may be tidied, and are compared below
    assert without_rules(before) == without_rules(after)
    assert comments(once) == comments(text) or before is None or "rules" in text


def without_rules(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_rules(part) for key, part in value.items() if key != "rules"}
    if isinstance(value, list):
        return [without_rules(part) for part in value]
    return value.rstrip("\n") if isinstance(value, str) else value


def test_the_command_formats_yaml(tmp_path: Path) -> None:
    rough = tmp_path / "cards.yaml"
    rough.write_text("a:\n    b: 1\n", encoding="utf-8")
    hidden = tmp_path / ".git" / "x.yaml"
    hidden.parent.mkdir()
    hidden.write_text("a:\n    b: 1\n", encoding="utf-8")
    assert run("fmt", "--check", str(tmp_path)).exit_code == 1
    assert run("fmt", str(tmp_path)).exit_code == 0
    assert rough.read_text(encoding="utf-8") == "a:\n  b: 1\n"
    assert hidden.read_text(encoding="utf-8") == "a:\n    b: 1\n"
    rough.write_text("a: [1\n", encoding="utf-8")
    result = run("fmt", str(rough))
    assert result.exit_code == 1
    assert "Y102" in result.output

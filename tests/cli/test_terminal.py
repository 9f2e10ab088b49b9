"""Nothing that is printed steers the terminal: whatever stands in files, names and arguments is written out."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.apps.cli.main import main
from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.source import Span
from rulelang.base.terminal import draw_frame, escape_controls, escape_json
from tests.fuzz.tiny import GAME, MANIFEST, THINGS

EVIL = "\x1b[31m\x1b]0;owned\x07\x9b2J\u202egnorw\u2066\u200b\x7f\r\x08"
#: The same as YAML writes it, for files may not hold such characters as they are.
YAML = '"\\e[31m\\e]0;owned\\a\\x9b2J\\u202Egnorw\\u2066\\u200B\\x7F\\r\\b\\n"'
MOD = f"id: sly\nversion: 1.0.0\nlanguage: 1\ntitle: {YAML}\nextends: {{tiny: '>=1'}}\nfiles: [more.yaml]\n"
SCENARIOS = f"""
- name: {YAML}
  given: {{phase: main, turn: ana}}
  then: [total == 0]
- name: it fails {YAML[1:-1]}
  given: {{phase: main, turn: ana}}
  then: [total == 1]
"""


def steers(text: str) -> list[str]:
    """What of a text would do something to a terminal."""
    return sorted({c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0}
                  | {c for c in text if c in "\u061c\u200b\u200e\u200f\u2028\u2029\u2060\ufeff"}
                  | {c for c in text if 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069}
                  | {c for c in text if 0xD800 <= ord(c) <= 0xDFFF})  # fmt: skip


def call(arguments: Sequence[str], typed: str = "") -> str:
    """All that a command prints, on both streams. Surrogates are as Python prints them to a terminal."""
    ran = CliRunner().invoke(main, list(arguments), input=typed)
    assert ran.exit_code in (0, 1, 2), ran.exception
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.output


@pytest.fixture
def sly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game, a mod and broken games whose texts and file names hold all that is evil."""
    monkeypatch.chdir(tmp_path)
    things = THINGS.replace("{cost: 1, copies: 8}", f"{{cost: 1, copies: 8, text: {YAML}}}")
    things += f"options:\n  pace: {{values: [slow, quick], default: slow, text: {YAML}}}\n"
    files = {
        "tiny/ruleset.yaml": MANIFEST.replace("title: Tiny", f"title: {{en: {YAML}, ja: {YAML}}}"),
        "tiny/things.yaml": things,
        "tiny/game.rules": GAME + "routine trouble: total += 1\n",
        "tiny/scenarios/a.yaml": SCENARIOS,
        "sly/mod.yaml": MOD,
        "sly/more.yaml": f"numbers: {{one: 1}}\nset: {{{YAML}: 1}}\n",
        "keys/ruleset.yaml": MANIFEST.replace("id: tiny", f"id: {YAML}").replace("players:", f"{YAML}: 1\nplayers:"),
        "keys/things.yaml": THINGS + f"numbers: {{{YAML}: {YAML}}}\n{YAML}: 3\n",
        "keys/game.rules": GAME + "routine trouble: total += 1\n",
        f"file{EVIL}/ruleset.yaml": MANIFEST,
        f"file{EVIL}/things.yaml": THINGS,
        f"file{EVIL}/game.rules": GAME + "routine trouble: totl += 1\n",
        f"file{EVIL}/extra{EVIL}.rules": "routine x: nothing\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "raw.rules").write_bytes(b"routine x: \x1b[31m nothing\n")
    (tmp_path / "bidi.rules").write_text('routine x: tells "\u202e" # \u2066\n  y\u202e\n', "utf-8")
    return tmp_path


CALLS = [
    *([command, game] for command in ("check", "test", "coverage", "show", "dump") for game in
      ("tiny", "keys", f"file{EVIL}", f"none{EVIL}")),
    ["check", "tiny", "sly"], ["check", "tiny", "--mode", EVIL], ["test", "tiny", "-v"], ["test", "tiny", "-k", EVIL],
    ["test", "tiny", "--mod", "sly"], ["show", "tiny", EVIL], ["show", "tiny", "score"],
    ["show", "tiny", "--mod", "sly"],
    *(["dump", "tiny", "--stage", stage] for stage in
      ("data", "tree", "model", "program", "ir", "python", "c", "hooks")),
    ["dump", "keys", "--stage", "data"], ["dump", "tiny", "-n", EVIL], ["dump", "tiny", "--stage", EVIL],
    ["dump", "tiny", "-p", EVIL],
    ["explain", EVIL], ["explain", "Y101"], ["fmt", "raw.rules"], ["fmt", "bidi.rules"], ["fmt", f"file{EVIL}"],
    ["fmt", EVIL], [EVIL], [f"--{EVIL}"], ["check", f"--{EVIL}"], ["sim", "tiny", "-n", "2", "-a", EVIL],
    ["sim", "tiny", "-n", EVIL], ["sim", "tiny", "-n", "2", "-o", f"{EVIL}=1"], ["sim", "tiny", "-n", "2"],
    ["play", "tiny", "--names", f"a{EVIL},b", "--seed", "1"], ["play", "tiny", "--agent", EVIL],
    ["play", "tiny", "--bots", "2", "--seed", "1"], ["play", "tiny", "--load", EVIL], ["play", "tiny", "-o", EVIL],
]  # fmt: skip


@pytest.mark.parametrize("arguments", CALLS, ids=lambda a: " ".join(a).replace(EVIL, "EVIL"))
def test_commands_print_nothing_that_steers(arguments: list[str], sly: Path) -> None:
    printed = call(arguments, typed=f"help\n{EVIL}\n1\nlog\nboard\nquit\n")
    assert printed
    assert steers(printed) == []


@pytest.mark.parametrize("arguments", [["check", "keys", "--json"], ["check", f"file{EVIL}", "--json"],
                                       ["dump", "keys", "--stage", "data"], ["sim", "tiny", "-n", "2", "--json"]],
                         ids=["keys", "file", "dump", "sim"])  # fmt: skip
def test_json_stays_json_and_says_the_same(arguments: list[str], sly: Path) -> None:
    printed = call(arguments)
    assert steers(printed) == []
    found = json.loads(printed[printed.index("{") :])
    if arguments[0] == "check":
        assert any("\x1b[31m" in item["message"] + item["span"]["path"] for item in found["games"][0]["diagnostics"])


@given(st.text(st.characters(codec="utf-8"), max_size=30) | st.text("\x1b[\u202e\r\n\x9b\U000e0041a", max_size=30))
def test_any_text(text: str) -> None:
    assert steers(escape_controls(text)) == []
    assert escape_controls(text) == text or steers(text) or any(c > "\x7f" for c in text)
    assert json.loads(escape_json(json.dumps({"a": text}, ensure_ascii=False))) == {"a": text}


@given(st.text(st.characters(codec="utf-8"), max_size=30), st.integers(1, 40), st.integers(0, 5))
@settings(max_examples=50)
def test_any_frame(text: str, column: int, size: int) -> None:
    """A frame is its own lines and no others; the caret stands below the guilty text."""
    span = Span(f"a{text}", 1, column, 1, column + size)
    drawn = draw_frame(
        Diagnostic("Y101", span, text, text.replace("\n", " "), "", (Related(span, text),)), {span.path: text}
    )
    assert steers(drawn) == []
    assert drawn.split("\n")[0] == f"error[Y101]: {escape_controls(text)}".replace("\n", "\\n").rstrip()


def test_a_file_name_that_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = b"game\xff\x1b".decode("utf-8", "surrogateescape")
    printed = call(["check", str(tmp_path / name)])
    assert "game\\xff\\x1b" in printed
    printed.encode("utf-8")


def test_colours_are_ours_alone(sly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal frames are coloured; what the file says is not."""
    monkeypatch.setattr("rulelang.apps.cli.screen.uses_colour", lambda stream: True)
    ran = CliRunner().invoke(main, ["check", "keys"], color=True)
    assert "\x1b[31m\x1b[1merror" in ran.output or "\x1b[31m" in ran.output
    assert "owned\x07" not in ran.output
    assert "\\x1b[31m\\x1b]0;owned\\x07" in ran.output
    assert io.StringIO(ran.output).read().count("\u202e") == 0

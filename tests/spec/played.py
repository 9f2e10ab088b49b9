"""Pages that show files and commands: each file is written, each command is run, and what it prints is put behind it.

Blocks, by their info string:

- `yaml title="FILE"` (also `rules`, `csv` ...): the file is written as it stands there;
- `diff title="FILE"`: its lines that begin with `-` are replaced by those that begin with `+`;
- `yaml shows="FILE"`: filled with what a file holds that a command wrote;
- `console`: its lines `$ rulelang ...` and `$ cd ...` are run one after the other. `lines=N` keeps the first N lines of
  what is printed, `last=N` the last; `typed="1|pass"` is what somebody types;
- `sh`: for the reader alone.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from tests.cli.helpers import run
from tests.spec.pages import PAGES, write

BLOCK = re.compile(r"^( *)```(\w+)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"in \d+\.\d+ s")


def filled(text: str) -> str:
    """A page as it should be. It is played in the current folder, which it may leave for another one."""
    return BLOCK.sub(_after, text)


def fresh(page: Path) -> str:
    """The page as it should be, which it has to be; `UPDATE_GOLDEN=1` writes it."""
    text = page.read_text(encoding="utf-8")
    shown = filled(text)
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(shown, encoding="utf-8")
    else:
        assert shown == text
    return shown


def _after(match: re.Match[str]) -> str:
    indent, kind, info, body = match.groups()
    lines = [line.removeprefix(indent) for line in body.splitlines()]
    title = re.search(r'title="([^"]+)"', info)
    if title and kind == "diff":
        _change(Path(title[1]), lines)
    elif title:
        write(Path(), {title[1]: "\n".join(lines) + "\n"})
    if shows := re.search(r'shows="([^"]+)"', info):
        return _block(indent, f"{kind}{info}", Path(shows[1]).read_text(encoding="utf-8").splitlines())
    if kind != "console":
        return match[0]
    out: list[str] = []
    for command in (line for line in lines if line.startswith("$ ")):
        out += [command, *_printed(command.removeprefix("$ "), info)]
    return _block(indent, f"{kind}{info}", out)


def _change(file: Path, lines: list[str]) -> None:
    """Replace some lines of a file, which it has exactly once."""
    old, new = ("\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new), encoding="utf-8")


def _printed(command: str, info: str) -> list[str]:
    """What a command prints, as far as it is shown."""
    words = shlex.split(command)
    if words[0] == "cd":
        os.chdir(words[1])
        return []
    assert words[0] == "rulelang", command
    typed = re.search(r'typed="([^"]*)"', info)
    result = run(*words[1:], stdin=typed[1].replace("|", "\n") + "\n" if typed else "")
    assert "a bug in rulelang" not in result.output, result.output
    output = result.output.replace(f"{PAGES.parents[1]}{os.sep}", "")  # what is shipped may lie anywhere
    lines = SECONDS.sub("in 0.2 s", output).rstrip("\n").split("\n")
    lines = [] if lines == [""] else lines
    if first := re.search(r"lines=(\d+)", info):
        lines = [*lines[: int(first[1])], *(["..."] if len(lines) > int(first[1]) else [])]
    if last := re.search(r"last=(\d+)", info):
        lines = [*(["..."] if len(lines) > int(last[1]) else []), *lines[-int(last[1]) :]]
    return lines


def _block(indent: str, info: str, lines: list[str]) -> str:
    return "\n".join([f"{indent}```{info}", *(f"{indent}{line}".rstrip() for line in lines), f"{indent}```"])

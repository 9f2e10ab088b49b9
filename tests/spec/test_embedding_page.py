"""The Python on docs/embedding.md runs, and what it quotes from a file is in that file."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.native.machine import needs_compiler

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")


def test_the_first_program_runs() -> None:
    program = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(program) == 1
    exec(compile(program[0], "embedding.md", "exec"), {})


def test_quotes_are_in_their_files() -> None:
    quotes = re.findall(r'^```python source="([^"]+)"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
    assert quotes
    for file, text in quotes:
        assert text in (ROOT / file).read_text(encoding="utf-8")


@needs_compiler
def test_the_c_code_compiles_as_the_page_says(tmp_path: Path) -> None:
    """The game is a small one: a large one compiles for seconds."""
    import os
    import sys

    dump = [sys.executable, "-m", "rulelang", "dump", str(ROOT / "examples/pebbles"), "--stage", "c", "--players", "2"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    (tmp_path / "rules.c").write_bytes(subprocess.run(dump, env=env, capture_output=True, check=True).stdout)
    (line,) = re.findall(r"^    (cc .*)$", PAGE, re.MULTILINE)
    subprocess.run(line.split(), cwd=tmp_path, check=True)
    symbols = subprocess.run(["nm", "-D", "rules.so"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    for name in ("rl_context", "rl_context_size", "rl_begin", "rl_resume"):
        assert f" T {name}" in symbols

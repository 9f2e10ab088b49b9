"""Node, and modules built for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulelang.backends.javascript.emit import emit
from rulelang.backends.javascript.expr import EXACT
from rulelang.compile import Compilation
from rulelang.engine.options import choose_options

NODE = shutil.which("node")
OLDEST = 18


@cache
def version() -> int:
    """Of Node; 0 if there is none."""
    if NODE is None:
        return 0
    told = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=False).stdout
    return int(told.strip().removeprefix("v").partition(".")[0] or 0)


needs_node = pytest.mark.skipif(version() < OLDEST, reason=f"node {OLDEST} or newer, which runs modules, is not here")


def module_of(compilation: Compilation, players: int, folder: Path) -> Path:
    """The file of a table's module."""
    options = choose_options(compilation.summary.options, players, None)
    path = folder / "rules.mjs"
    path.write_text(
        emit(compilation.ready(players, options, target="javascript", largest=EXACT)).source, encoding="ascii"
    )
    return path


def run(script: Path | str, *args: object, job: object = None) -> Any:
    """What a script answers to a job, both as JSON."""
    done = subprocess.run(
        [str(NODE), str(script), *map(str, args)], input=json.dumps(job), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

"""A command in a process of its own, with bounds on its memory and time that hold on a busy machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

#: What one check may take for its data. More is a MemoryError, and that is told as a bug in rulelang.
MEMORY = 300 * 1024 * 1024
MAIN = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY}))
from rulelang.apps.cli.main import main
sys.argv[0] = "rulelang"
try:
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    sys.stdout.flush()
    sys.stderr.write(f"\\n@{{used.ru_utime + used.ru_stime:.2f}}\\n")
"""


class Ran(NamedTuple):
    """What came of it, and the processor's seconds that it took."""

    code: int
    out: str
    err: str
    seconds: float


def run(arguments: Sequence[str], folder: Path, *, patience: float = 120) -> Ran:
    """Run `rulelang ARGUMENTS` in a folder. What hangs is killed, and raises TimeoutExpired."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=patience,
        check=False,
    )
    err, _, figures = done.stderr.rpartition("\n@")
    return Ran(done.returncode, done.stdout, err, float(figures))

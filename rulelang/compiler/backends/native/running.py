"""A C compiler is run, and what it says is told."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from rulelang.base.errors import BuildError

#: Seconds after which a compiler is given up; the environment variable RULELANG_CC_PATIENCE names others.
PATIENCE = 120
#: Lines of what a compiler says that are passed on.
LINES = 3


def run(title: str, command: tuple[str, ...], made: Path, *given: str) -> BuildError | None:
    """Have `made` be made of what is given, in its folder. What went wrong, or nothing. OSError,
    subprocess.SubprocessError if the compiler cannot be run, or takes too long."""
    work = str(made.parent)
    done = _ran([*command, "-o", str(made), *given], work)
    if not done.returncode and made.is_file():
        return None
    lines = (done.stderr or done.stdout).replace(f"{work}{os.sep}", "").strip().splitlines()
    first = next((k for k, line in enumerate(lines) if "error" in line), 0)
    told = lines[first] if lines else f"exit status {done.returncode}"
    return BuildError(f"the C compiler {title} failed: {told}", tuple(lines[first + 1 : first + LINES]))


def _ran(command: list[str], work: str) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run`. A compiler that is given up is ended with those that it has started itself."""
    patience = float(os.environ.get("RULELANG_CC_PATIENCE") or PATIENCE)
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work,
        process_group=0 if os.name == "posix" else None,
    ) as running:  # fmt: skip
        try:
            out, errors = running.communicate(timeout=patience)
        except BaseException:
            if os.name == "posix":
                os.killpg(running.pid, signal.SIGKILL)  # which is there: nobody has waited for its leader yet
            running.kill()
            raise
    return subprocess.CompletedProcess(command, running.returncode, out, errors)

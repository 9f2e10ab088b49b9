"""A worker that is killed in the middle, for a test: a cluster finds it by its name."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

from rulelang.apps.lab.playing import Games, Task
from rulelang.apps.lab.workers import Piece, play


def dying(task: Task, piece: Piece) -> Games:
    """As `play`, but whoever comes first to the third piece is killed there. Its option says where that is told."""
    killed = Path(str((task.options or {})["flag"]))
    if piece[0] == 200 and not killed.exists():
        killed.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play(replace(task, options=None), piece)

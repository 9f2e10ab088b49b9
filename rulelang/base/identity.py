"""What a cached outcome depends on: keys made of texts, and this program itself."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

#: Folders beside the code that nothing cached is made from; that of npm holds thousands of files.
NOT_OURS = {"__pycache__", "_rulesets", "_seeds", "node_modules"}


def digest(*parts: object) -> str:
    """A key for the cache."""
    return hashlib.sha256("\0".join(str(part) for part in parts).encode("utf-8", "surrogateescape")).hexdigest()


@cache
def own_hash() -> str:
    """Changes with rulelang itself (sizes and times of its files) and with the version of Python."""
    package = Path(__file__).parents[1]
    found = []
    for folder in (package, package / "_schemas", package.parent / "schemas"):
        for here, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name not in NOT_OURS]
            for name in names:
                if name.endswith((".py", ".lark", ".json", ".c", ".h")):
                    status = os.stat(os.path.join(here, name))
                    found.append(f"{here}/{name} {status.st_size} {status.st_mtime_ns}")
    return digest(sys.version, *sorted(found))

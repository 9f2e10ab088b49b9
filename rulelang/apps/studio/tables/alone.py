"""Has one process at a time use a file of tables: two would take each other's moves back without knowing.

SQLite's own exclusive mode would do, but then nobody could read or copy the file while its host runs. So the lock is on
a file next to it, which the operating system frees with the process, whatever ended it.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

#: The errors of a lock that another process has: others are of file systems without locks.
TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)
#: The byte that is locked, far after the text: on Windows a locked byte cannot be read.
FAR = 1 << 20


class InUse(Exception):
    """Another process has the file; the text says which, and what to do."""


class Alone:
    """Holds the lock of a file until `end`. InUse if another process, or another host of this one, has it."""

    def __init__(self, path: Path) -> None:
        real = path.resolve()
        self.handle = os.open(real.with_name(f"{real.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self.handle)
        except OSError as error:
            owner = os.read(self.handle, 20).decode("ascii", "ignore").strip()
            os.close(self.handle)
            if error.errno not in TAKEN:
                raise
            raise InUse(
                f"another host{f' (process {owner})' if owner else ''} has the tables of `{path}` open; end it first, "
                "or name another file with `--keep`"
            ) from None
        os.ftruncate(self.handle, 0)
        os.write(self.handle, f"{os.getpid()}\n".encode())

    def end(self) -> None:
        """Let another process have the file."""
        os.close(self.handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

"""The Node process in which JavaScript programs run: one for all of them, as long as this process lives."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import struct
import subprocess
import threading
from array import array
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rulelang.base.errors import BuildError

#: The first that runs what is generated.
OLDEST = 18
_HEAD = struct.Struct("<ii")
#: Seconds that Node has for its end.
PATIENCE = 5

Message = dict[str, Any]
#: Answers what a running program asks its host, with the words as they are then.
Hears = Callable[[Message, "array[int]"], Mapping[str, object]]


@cache
def find_node() -> str:
    """The path of Node. BuildError if none is there that is new enough."""
    path = shutil.which("node")
    if path is None:
        raise BuildError(
            f"Node was not found: the JavaScript backend needs Node {OLDEST} or newer (https://nodejs.org)"
        )
    try:
        told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        raise BuildError(f"{path} could not be run: {problem}") from None
    version = told.strip().removeprefix("v")
    if not version.partition(".")[0].isdigit() or int(version.partition(".")[0]) < OLDEST:
        raise BuildError(f"the JavaScript backend needs Node {OLDEST} or newer, and {path} is {version or 'none'}")
    return path


class Node:
    """A process that serves (`serve.mjs`). Threads take turns; a host that is asked may ask the same program."""

    def __init__(self) -> None:
        self.owner, self.lock = os.getpid(), threading.RLock()
        try:
            # In a session of its own: who stops this process at its terminal does not stop Node before it is told.
            self.process = subprocess.Popen(
                [find_node(), str(Path(__file__).with_name("serve.mjs"))],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
        except OSError as problem:
            raise BuildError(f"Node could not be started: {problem}") from None
        atexit.register(self.end)

    @property
    def lives(self) -> bool:
        return self.owner == os.getpid() and self.process.poll() is None

    def ask(
        self, message: Mapping[str, object], words: array[int] | None = None, hears: Hears | None = None
    ) -> tuple[Message, array[int]]:
        """The answer to a request, and the words that came with it. BuildError if Node ends meanwhile."""
        with self.lock:
            try:
                self._send(message, words)
                while True:
                    answer, found = self._receive()
                    if hears is None or "kind" not in answer:
                        return answer, found
                    self._send(hears(answer, found), None)
            except (OSError, EOFError):
                self.end()
                raise BuildError(f"Node ended while it played (exit status {self.process.returncode})") from None
            except BaseException:  # an answer is still to come, and nobody waits for it
                self.end()
                raise

    def _send(self, message: Mapping[str, object], words: array[int] | None) -> None:
        text = json.dumps(message).encode()
        stream = self.process.stdin
        assert stream is not None
        stream.write(_HEAD.pack(len(text), len(words or ())) + text + (b"" if words is None else words.tobytes()))
        stream.flush()

    def _receive(self) -> tuple[Message, array[int]]:
        size, count = _HEAD.unpack(self._read(_HEAD.size))
        message: Message = json.loads(self._read(size))
        words = array("i", self._read(4 * count))
        return message, words

    def _read(self, size: int) -> bytes:
        """So many bytes. EOFError if Node ends before."""
        assert self.process.stdout is not None
        found = self.process.stdout.read(size)
        if len(found) < size:
            raise EOFError
        return found

    def end(self) -> None:
        """Ends the process, if it is this one's."""
        atexit.unregister(self.end)
        if not self.lives:
            return
        self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)


_running: list[Node] = []
_starting = threading.Lock()


def running() -> Node:
    """The process of this one, started when first wanted, and again when it has ended. BuildError."""
    with _starting:
        if not _running or not _running[0].lives:
            _running[:] = [Node()]
        return _running[0]

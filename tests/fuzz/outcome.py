"""What may come of a ruleset that is broken or hostile: diagnostics with a place in the author's files, and no more."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rulelang.api import load
from rulelang.base.codes import CODES
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.terminal import draw_frame
from rulelang.compiler.compilation import LoadError, check
from rulelang.runtime.agents import Random


@contextmanager
def in_time(seconds: float = 10) -> Iterator[None]:
    """TimeoutError for what does not end; nothing where the system has no alarms. A step budget takes far less."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def too_late(*_: object) -> None:
        raise TimeoutError("it did not end")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def sound(item: Diagnostic, folders: Sequence[Path], *, of_a_game: bool = False) -> None:
    """A diagnostic has a page, words, and a place in the files of the ruleset (or names the folder)."""
    assert item.code in CODES, item
    assert item.message, item
    assert "\x00" not in item.message
    path = Path(os.path.abspath(item.span.path))
    if of_a_game:
        assert path.is_file(), f"{item.code} stands nowhere: {item.span}"
    inside = [folder for folder in folders if path == folder or folder in path.parents]
    assert inside, f"{item.code} stands in {item.span.path}"
    if path.is_file() and item.span.line > 1:
        try:
            lines = path.read_text("utf-8").splitlines() or [""]
        except UnicodeDecodeError:
            return
        assert item.span.line <= len(lines) + 1, item


def outcome(where: Path, mods: Sequence[Path] = (), decisions: int = 12, seed: int = 1) -> str:
    """Check, load and play a little: "mistakes", "rule error", "played". Whatever else comes of it is raised.

    With no decisions to be made it is not even begun: "loaded".
    """
    folders = [where.resolve(), *(mod.resolve() for mod in mods)]
    compilation, found = check(where, mods)
    for item in found:
        sound(item, folders)
        assert draw_frame(item, compilation.checked.sources)
    try:
        game = load(where, mods)
    except LoadError:
        assert found.failed
        return "mistakes"
    assert not found.failed
    if not decisions:
        return "loaded"
    try:
        state = game.new(game.players[0], seed)
    except (RuleError, LoadError) as error:
        if isinstance(error, RuleError):
            sound(error.diagnostic, folders, of_a_game=True)
        return "rule error"
    agent = Random(seed)
    for _ in range(decisions):
        if state.over:
            break
        before = state.hash()
        assert all(option.text for option in state.decision.options)
        json.dumps(state.view(state.decider))
        try:
            state.play(agent.choose(state))
        except RuleError as error:
            sound(error.diagnostic, folders, of_a_game=True)
            assert state.hash() == before, "what went wrong left its traces"
            return "rule error"
    return "played"

"""A search for mistakes, spread over processes and bounded in time."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from rulelang.fuzzing.can_meet import Pair
from rulelang.fuzzing.playing import BLOCK, Counts, Finding, Player

#: Games of one piece that are played inside of the compiled rules.
INSIDE = 200
#: The same where a library plays them, which takes as long to build as some thousand games to play.
INSIDE_NATIVE = 5000
#: So many different findings are enough.
ENOUGH = 10

#: (where, mods, mode, backend, other backend, seed, whether games are played inside of the rules)
Work = tuple[str, tuple[str, ...], "str | None", str, str, int, bool]

_given: list[tuple[Player, Work]] = []  # in a process that helps


@dataclass(slots=True)
class Found:
    """What came of it. `rules`, `pairs`: how often each rule ran, and each ordered pair of traits met."""

    counts: Counts = field(default_factory=Counts)
    rules: Counter[str] = field(default_factory=Counter)
    pairs: Counter[Pair] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def findings(self) -> list[Finding]:
        """One of each sort: that of the fewest moves."""
        best: dict[tuple[str, str], Finding] = {}
        for finding in self.counts.findings:
            other = best.get(finding.same)
            if other is None or len(finding.choices) < len(other.choices):
                best[finding.same] = finding
        return [*best.values()]


def fuzz(
    where: str,
    mods: Sequence[str] = (),
    mode: str | None = None,
    games: int | None = None,
    *,
    seconds: float | None = None,
    jobs: int = 1,
    seed: int = 0,
    backend: str = "python",
    other: str = "",
    inside: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Found:
    """Play games and test them, `games` of them or as many as `seconds` allow. LoadError for a mistaken ruleset."""
    work: Work = (where, tuple(mods), mode, backend, other, seed, inside)
    found = Found()
    began = time.monotonic()
    player = Player(where, mods, mode, backend, other)
    player.game(player.whole)  # so that mistakes are told, and other processes find what was compiled
    size = (INSIDE_NATIVE if backend == "native" else INSIDE) if inside else BLOCK
    pieces = _pieces(games, size, began + seconds if seconds is not None else None)
    if jobs < 2:
        for piece in pieces:
            _join(found, *_play(player, work, piece), progress)
            if len(found.findings) >= ENOUGH:
                break
    else:
        _spread(found, work, pieces, jobs, progress)
    found.seconds = time.monotonic() - began
    return found


def _pieces(games: int | None, size: int, until: float | None) -> Iterator[range]:
    first = 0
    while (games is None or first < games) and (until is None or time.monotonic() < until):
        last = first + size if games is None else min(first + size, games)
        yield range(first, last)
        first = last


def _spread(
    found: Found, work: Work, pieces: Iterator[range], jobs: int, progress: Callable[[int], None] | None
) -> None:
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_help, initargs=(work,)) as pool:
        try:
            waiting = {pool.submit(_helped, piece) for _, piece in zip(range(jobs), pieces, strict=False)}
            while waiting:
                done = next((one for one in waiting if one.done()), None)
                if done is None:
                    time.sleep(0.05)
                    continue
                waiting.discard(done)
                _join(found, *done.result(), progress)
                piece = next(pieces, None) if len(found.findings) < ENOUGH else None
                if piece is not None:
                    waiting.add(pool.submit(_helped, piece))
        except BaseException:  # nobody waits for what is left
            for helper in set(multiprocessing.active_children()) - others:
                helper.terminate()
            raise


def _join(
    found: Found, counts: Counts, rules: Counter[str], pairs: Counter[Pair], progress: Callable[[int], None] | None
) -> None:
    found.counts.join(counts)
    found.rules += rules
    found.pairs += pairs
    if progress is not None:
        progress(found.counts.games)


def _help(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is told to stop, and stops it
    where, mods, mode, backend, other, *_ = work
    _given[:] = [(Player(where, mods, mode, backend, other), work)]


def _helped(piece: range) -> tuple[Counts, Counter[str], Counter[Pair]]:
    return _play(*_given[0], piece)


def _play(player: Player, work: Work, piece: range) -> tuple[Counts, Counter[str], Counter[Pair]]:
    """What a piece came to, and what ran in it."""
    seed, inside = work[-2:]
    counts, rules, pairs = Counts(), player.curious.rules.copy(), player.curious.pairs.copy()
    if inside:
        player.inside(seed, piece.start, len(piece), counts)
    else:
        for number in piece:
            player.play(seed, number, counts)
    return counts, player.curious.rules - rules, player.curious.pairs - pairs

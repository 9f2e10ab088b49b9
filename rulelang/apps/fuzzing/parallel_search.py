"""A search for mistakes, spread over processes, limited in time, and resumed from its checkpoint."""

from __future__ import annotations

import json
import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulelang.apps.fuzzing.inside import Inside
from rulelang.apps.fuzzing.meetings import Pair
from rulelang.apps.fuzzing.playing import BLOCK, COUNTED, Counts, Finding, Player

# ---- the checkpoint file


class OtherSearch(ValueError):
    """The file tells of another search, or is none of these."""


class Checkpoint:
    """`done`: the pieces that were played, by their first games; `counts` what they came to, in so many `seconds`.
    `search` says what is searched, JSON-able. Without a path nothing is kept. OtherSearch, OSError."""

    def __init__(self, path: Path | None, search: Sequence[object]) -> None:
        self.path, self.search = path, json.loads(json.dumps(search))
        self.done: dict[int, range] = {}
        self.counts, self.seconds = Counts(), 0.0
        if path is None:
            return
        if path.exists():
            self.read(path.read_text("utf-8", "replace").splitlines())
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.write({"search": self.search})

    def read(self, lines: Sequence[str]) -> None:
        entries = [entry for line in lines if (entry := _entry(line)) is not None]
        if not entries or entries[0].get("search") != self.search:
            raise OtherSearch(
                f"{self.path} tells of another search: of other games, mods, settings, rules or another version"
            )
        for entry in entries[1:]:
            piece = range(entry["first"], entry["last"])
            if piece.start not in self.done:
                self.done[piece.start] = piece
                self.counts.join(Counts(**{name: entry[name] for name in COUNTED}))
                self.seconds = entry["seconds"]

    def note(self, piece: range, counts: Counts, seconds: float) -> None:
        """A piece was played."""
        if self.path is not None and not counts.findings:
            counted = {name: getattr(counts, name) for name in COUNTED}
            self.write({"first": piece.start, "last": piece.stop, **counted, "seconds": round(seconds, 1)})

    def write(self, entry: dict[str, Any]) -> None:
        assert self.path is not None
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _entry(line: str) -> dict[str, Any] | None:
    """None for a line that was cut off."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


# ---- the search

#: Games of one piece that are played inside of the compiled rules.
INSIDE = 200
#: The same where a library plays them, which takes as long to build as some thousand games to play.
INSIDE_NATIVE = 20_000
#: So many different findings are enough.
ENOUGH = 10

#: (where, mods, mode, backend, other backend, seed, whether games are played inside of the rules)
Work = tuple[str, tuple[str, ...], "str | None", str, str, int, bool]

#: What a piece came to; how often rules ran and pairs met in it.
Part = tuple[Counts, Counter[str], Counter[Pair]]

_given: list[tuple[Player, Work]] = []  # in a process that helps


@dataclass(slots=True)
class SearchResult:
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
    kept: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> SearchResult:
    """Play games and test them, `games` of them or as many as `seconds` allow. LoadError for a mistaken ruleset.

    `kept`: a file that tells which games were played, so that a long search goes on where it ended (`Diary`)."""
    work: Work = (where, tuple(mods), mode, backend, other, seed, inside)
    found = SearchResult()
    began = time.monotonic()
    player = Player(where, mods, mode, backend, other)
    game = player.game(player.whole)  # so that mistakes are told, and other processes find what was compiled
    size = (INSIDE_NATIVE if backend == "native" else INSIDE) if inside else BLOCK
    diary = Checkpoint(kept, [game.info.content, *work, size])
    found.counts, before = diary.counts, diary.seconds
    pieces = _pieces(games, size, diary.done, began + seconds if seconds is not None else None)

    def joined(piece: range, part: Part) -> None:
        counts, rules, pairs = part
        diary.note(piece, counts, before + time.monotonic() - began)
        found.counts.join(counts)
        found.rules += rules
        found.pairs += pairs
        if progress is not None:
            progress(found.counts.games)

    if jobs < 2:
        for piece in pieces:
            joined(piece, _play(player, work, piece))
            if len(found.findings) >= ENOUGH:
                break
    else:
        _spread(found, work, pieces, jobs, joined)
    found.seconds = before + time.monotonic() - began
    return found


def _pieces(games: int | None, size: int, done: Mapping[int, range], until: float | None) -> Iterator[range]:
    """Those that are not done; `done`: by their first games."""
    first = 0
    while (games is None or first < games) and (until is None or time.monotonic() < until):
        if first in done:
            first = done[first].stop
            continue
        last = first + size if games is None else min(first + size, games)
        yield range(first, last)
        first = last


def _spread(
    found: SearchResult, work: Work, pieces: Iterator[range], jobs: int, joined: Callable[[range, Part], None]
) -> None:
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, initializer=_help, initargs=(work,)) as pool:
        try:
            waiting = {pool.submit(_helped, piece): piece for _, piece in zip(range(jobs), pieces, strict=False)}
            while waiting:
                done = next((one for one in waiting if one.done()), None)
                if done is None:
                    time.sleep(0.05)
                    continue
                joined(waiting.pop(done), done.result())
                piece = next(pieces, None) if len(found.findings) < ENOUGH else None
                if piece is not None:
                    waiting[pool.submit(_helped, piece)] = piece
        except BaseException:  # nobody waits for what is left
            for helper in set(multiprocessing.active_children()) - others:
                helper.terminate()
            raise


def _help(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it is told to stop, and stops it
    where, mods, mode, backend, other, *_ = work
    _given[:] = [(Player(where, mods, mode, backend, other), work)]


def _helped(piece: range) -> Part:
    return _play(*_given[0], piece)


def _play(player: Player, work: Work, piece: range) -> Part:
    """What a piece came to, and what ran in it."""
    seed, inside = work[-2:]
    counts, rules, pairs = Counts(), player.curious.rules.copy(), player.curious.pairs.copy()
    if inside:
        Inside(player, seed, piece.start, counts).play(piece.start, len(piece))
    else:
        for number in piece:
            player.play(seed, number, counts)
    return counts, player.curious.rules - rules, player.curious.pairs - pairs

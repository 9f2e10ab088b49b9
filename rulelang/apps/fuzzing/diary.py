"""A file that tells what of a long search was done, so that it goes on where it was broken off.

JSON lines: first what is searched, then a line for each piece of games in which nothing was found. A piece with
findings is played again by whoever goes on. A last line that was cut off does not count.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulelang.apps.fuzzing.playing import COUNTED, Counts


class OtherSearch(ValueError):
    """The file tells of another search, or is none of these."""


class Diary:
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

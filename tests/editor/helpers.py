"""A desk to try features at: a workspace without a process, and places marked in texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pygls.workspace import PositionCodec

from rulelang.apps.editor.analysis import Analysis, Workspace
from rulelang.apps.editor.diagnostics import PlaceConverter

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "rulesets"


class Desk:
    """Open documents of one folder. Paths are relative to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = Workspace()
        self.places = PlaceConverter(self.workspace, PositionCodec())

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def put(self, name: str, text: str) -> str:
        """Open a document, or change it."""
        self.workspace.change(self.path(name), text)
        return self.path(name)

    def read(self, name: str) -> str:
        return self.workspace.text(self.path(name))

    def analysis(self, name: str) -> Analysis:
        self.workspace.project(self.path(name))
        found = self.workspace.analysis(self.path(name))
        assert found is not None
        return found

    def at(self, name: str, marked: str, mark: str = "¦") -> tuple[int, int]:
        """Line and column (from 1) of the mark in a piece of text that stands once in the file without it."""
        text = self.read(name)
        piece = marked.replace(mark, "")
        assert text.count(piece) == 1, f"{piece!r} stands {text.count(piece)} times in {name}"
        offset = text.index(piece) + marked.index(mark)
        before = text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


@cache
def shipped(game: str) -> Desk:
    """A shipped game that no test changes."""
    return Desk(GAMES / game)

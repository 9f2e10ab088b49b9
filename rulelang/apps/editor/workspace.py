"""The open documents over the files on disk, and the rulesets and mods that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulelang.apps.editor.analysis import Analysis, analyse
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.memo import Memo
from rulelang.data.folders import Unreadable, read_file
from rulelang.data.manifest import is_ruleset


@dataclass
class Project:
    """One ruleset or mod. `now`: as it is, None before it was looked at and where nothing can be made of it; `good`:
    as it was when every file could last be read. `modes` are those in which files stand that are open."""

    where: str
    stale: bool = True
    now: Analysis | None = None
    good: Analysis | None = None
    found: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    modes: dict[str, Analysis] = field(default_factory=dict)


class Workspace:
    """Documents by absolute path, and projects by folder."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.projects: dict[str, Project] = {}
        self._memos: dict[tuple[str, str | None], Memo] = {}

    # ---- documents

    def change(self, path: str, text: str) -> None:
        """A document was opened or changed."""
        self.open[path] = text
        self.project(path)
        self.touch()

    def close(self, path: str) -> None:
        self.open.pop(path, None)
        self.touch()

    def touch(self) -> None:
        """Something may have changed on the disk: all is looked at again when it is asked for."""
        for project in self.projects.values():
            project.stale = True

    def held(self) -> dict[str, bytes]:
        return {path: text.encode("utf-8", "surrogatepass") for path, text in self.open.items()}

    def text(self, path: str) -> str:
        """What a file says: the open document, or what lies on the disk. Empty if it cannot be read."""
        if path in self.open:
            return self.open[path]
        try:
            return read_file(Path(path)).decode("utf-8-sig").replace("\r\n", "\n")
        except (Unreadable, ValueError):
            return ""

    # ---- projects

    def project(self, path: str) -> Project | None:
        """That of a file: the ruleset or mod in whose folder it lies, or one whose numbered rules it holds."""
        home = next((str(folder) for folder in Path(path).parents if is_ruleset(folder)), None)
        if home is not None:
            return self.add(home)
        return next((p for p in self.projects.values() if p.now is not None and path in p.now.texts), None)

    def add(self, home: str) -> Project:
        """The project of a folder with a manifest."""
        return self.projects.setdefault(home, Project(home))

    def analysis(self, path: str) -> Analysis | None:
        """What the compiler makes of the ruleset of a file now; as it was when it could last be read, if it cannot."""
        project = self.project(path)
        if project is None:
            return None
        self.refresh(project)
        now = project.now
        if now is not None and path not in now.texts and not now.failed:
            now = self._in_a_mode(project, now, path) or now
        return now if now is not None and (now.whole or project.good is None) else project.good

    def refresh(self, project: Project) -> None:
        """Look at a project again if anything has changed."""
        if not project.stale:
            return
        project.stale = False
        project.modes = {}
        project.now, project.found, project.texts = self._analyse(project, None)
        if project.now is not None and project.now.whole:
            project.good = project.now

    def _analyse(
        self, project: Project, mode: str | None
    ) -> tuple[Analysis | None, tuple[Diagnostic, ...], Mapping[str, str]]:
        memo = self._memos.setdefault((project.where, mode), Memo())
        return analyse(project.where, mode, self.held(), memo)

    def _in_a_mode(self, project: Project, plain: Analysis, path: str) -> Analysis | None:
        """The first mode in which a file is read that is not read without one."""
        for mode in plain.source.modes:
            if mode not in project.modes:
                made, _, _ = self._analyse(project, mode)
                if made is None:
                    continue
                project.modes[mode] = made
            if path in project.modes[mode].texts:
                return project.modes[mode]
        return None

    def everything(self, project: Project) -> list[Diagnostic]:
        """What is wrong with a project, also in the modes that open documents stand in."""
        self.refresh(project)
        found = dict.fromkeys(project.found)
        for path in self.open:
            if self.project(path) is project and (made := self.analysis(path)) is not None:
                found |= dict.fromkeys(made.diagnostics if made is not project.good else ())
        return list(found)

"""The compiler's results for a ruleset with open documents, and the workspace that keeps them up to date."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.memo import Memo
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import Unreadable, read_file, with_unsaved_texts
from rulelang.data.manifest import is_ruleset
from rulelang.data.ruleset import read_affected_texts
from rulelang.data.ruleset_source import RulesetSource
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.program import symbols_of
from rulelang.language.semantics.check.symbol_table import Symbols, Texts
from rulelang.language.semantics.model import Model
from rulelang.testing.scenarios.checking import Checker
from rulelang.testing.scenarios.documents import Rule, documents_of
from rulelang.testing.scenarios.scenario import read_files
from rulelang.tools.incremental import Incremental

# ---- Analysis of one ruleset


@dataclass
class Analysis:
    """A ruleset as its files and the open documents (`held`, by absolute path) say it. `kept`: what features worked out
    of it once; `playing`: held by whoever plays its scenarios. `of`: the ruleset, where this is the same as some
    scenarios see it, with their test rows."""

    where: str
    compilation: Compilation
    source: RulesetSource
    model: Model
    trees: Texts
    program: tree.Program
    diagnostics: tuple[Diagnostic, ...]
    held: Mapping[str, bytes]
    kept: dict[str, object] = field(default_factory=dict)
    playing: Lock = field(default_factory=Lock)
    found_beyond: tuple[Diagnostic, ...] = ()
    of: Analysis | None = None

    @property
    def is_complete(self) -> bool:
        """Every file could be read, so what seems missing is missing."""
        return self.source.complete

    @property
    def runs(self) -> bool:
        """Whether its scenarios can be run."""
        return self.compilation.checked.runs

    @property
    def failed(self) -> bool:
        return any(item.severity == "error" for item in self.diagnostics)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of every file that was read, numbered rules too, by absolute path."""
        found = {absolute(path): text for path, text in self.source.sources.items()}
        return found | {absolute(path): text for path, text in self._documents[1].items()}

    @cached_property
    def symbols(self) -> Symbols:
        return symbols_of(self.model, self.program)

    @cached_property
    def outside(self) -> Symbols:
        """The same as scenarios may use them."""
        return symbols_of(self.model, self.program, outside=True)

    @property
    def rules(self) -> dict[str, Rule]:
        """The numbered rules, by id."""
        return self._documents[0]

    @cached_property
    def _documents(self) -> tuple[dict[str, Rule], dict[str, str]]:
        with with_unsaved_texts(self.held):
            return documents_of(self.source, Diagnostics())

    def beyond(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the scenarios. It takes longer than all else."""
        for _ in self.beyond_in_slices():
            pass
        return self.found_beyond

    def beyond_in_slices(self) -> Iterator[None]:
        """The same in short pieces, between which others are answered; in the end it is `found_beyond`."""
        if self.compilation.checked.sound is None:
            return
        going = True
        files = read_files(self.source, self.compilation.memo)
        while going:
            with with_unsaved_texts(self.held), garbage_collection_paused():
                going = next(files, self) is not self
            yield
        with with_unsaved_texts(self.held), garbage_collection_paused():
            checker = Checker(self.compilation)
        yield
        steps = checker.slices()
        going = True
        while going:
            with with_unsaved_texts(self.held), garbage_collection_paused():  # while others are answered, neither is so
                going = next(steps, self) is not self
            yield
        self.found_beyond = checker.found.diagnostics

    @cached_property
    def _displayed(self) -> dict[str, str]:
        return {absolute(path): path for path in self.source.sources}

    def display(self, path: str) -> str:
        """An absolute path as the spans of this analysis have it."""
        return self._displayed.get(path, path)

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders of the base and the mods."""
        return tuple(os.path.dirname(absolute(root.span.path)) for root in self.source.manifests)

    def owns(self, span: Span) -> bool:
        """Whether a place stands in the folder that was opened, and not in the game below it or one of its mods."""
        path = absolute(span.file)
        inside = [home for home in self.folders if path.startswith(home + os.sep)]
        return max(inside, key=len, default="") == absolute(self.where)


def absolute(path: str) -> str:
    return os.path.abspath(path) if path else ""


def analyse(
    where: str, mode: str | None, held: Mapping[str, bytes], memo: Memo | None = None
) -> tuple[Analysis | None, tuple[Diagnostic, ...], Mapping[str, str]]:
    """What comes of a folder, what is wrong with it, and the texts in which that stands. None where there is nothing
    to go by: no manifest could be read. `memo`: what was kept of it before."""
    session = Incremental(where, (), mode, dict(held), memo)
    diagnostics = session.check().diagnostics
    compilation = session.compilation
    source = compilation.read[0]
    if source is None:
        with with_unsaved_texts(held):
            return None, diagnostics, read_affected_texts(compilation.diagnostics)
    made = Analysis(
        where,
        compilation,
        source,
        compilation.model,
        compilation.trees,
        compilation.program,
        diagnostics,
        held,
    )
    return made, diagnostics, source.sources


def in_all_modes(analysis: Analysis) -> tuple[Analysis, ...]:
    """A ruleset as it is here, then without a mode and in each of its modes: what is declared in one place may be named
    in files that only a mode reads. Worked out once; modes of which nothing can be made are left out."""
    known = analysis.kept.get("modes")
    if isinstance(known, tuple):
        return known
    others = [mode for mode in (None, *analysis.source.modes) if mode != analysis.compilation.mode]
    made = [analyse(analysis.where, mode, analysis.held)[0] for mode in others]
    found = (analysis, *(one for one in made if one is not None))
    analysis.kept["modes"] = found
    return found


# ---- Open documents and their projects


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
        return now if now is not None and (now.is_complete or project.good is None) else project.good

    def refresh(self, project: Project) -> None:
        """Look at a project again if anything has changed."""
        if not project.stale:
            return
        project.stale = False
        project.modes = {}
        project.now, project.found, project.texts = self._analyse(project, None)
        if project.now is not None and project.now.is_complete:
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

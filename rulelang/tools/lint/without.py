"""A ruleset that has lost something: does a scenario notice?"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType

from rulelang.base.errors import RuleError
from rulelang.base.memo import Memo
from rulelang.compiler.compilation import LoadError
from rulelang.language.syntax import nodes
from rulelang.testing.scenarios.run import Runner
from rulelang.tools.lint.losses import Loss
from rulelang.tools.lint.subject import Subject


class Without:
    """A copy of what was named, in a folder that goes when this is left. Zips and installed ids are copied too."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._folder = tempfile.TemporaryDirectory(prefix="rulelang-lint-")
        source = subject.source
        named = source.manifest if source.given[0] == source.id else source.mods[-1]
        for mod in source.mods:
            if mod.text("id") == source.given[0]:
                named = mod
        self._home = Path(named.span.path).resolve().parent
        self._copy = Path(self._folder.name) / self._home.name
        self._memo = Memo()

    def __enter__(self) -> Without:
        shutil.copytree(self._home, self._copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        self._runner()
        self._memo.hold()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def _runner(self) -> Runner:
        """The copy as it is now. Only the file that has changed since the first time is read anew."""
        whole = self.subject.compilation
        self._memo.turn()
        return Runner(str(self._copy), whole.mods, whole.mode, memo=self._memo)

    def declarations(self) -> Iterator[nodes.Declaration]:
        """What is declared in the files of what was named and cites a rule."""
        for _, declarations in self.subject.texts:
            for node in declarations:
                if node.cites and self.subject.owns(node.span) and not isinstance(node, nodes.Game):
                    yield node

    def failing(self, loss: Loss, wanted: Collection[str]) -> set[str] | None:
        """Those of the scenarios (by id) that fail with it; None if nothing can be run so."""
        original = Path(loss.span.path).resolve()
        place = self._copy / original.relative_to(self._home)
        text = original.read_text(encoding="utf-8")
        place.write_text(loss.applied(text), encoding="utf-8")
        try:
            runner = self._runner()
            if runner.diagnostics.failed:
                return None
            chosen = [scenario for scenario in runner.scenarios if scenario.id in wanted]
            return {scenario.id for scenario in chosen if not runner.run(scenario, chosen).passed}
        except (LoadError, RuleError):
            return None
        finally:
            place.write_text(text, encoding="utf-8")

"""Who catches a mutant: `check`, `lint`, or a scenario; or nobody."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rulelang.base.diagnostics import folded
from rulelang.base.errors import RuleError
from rulelang.compile import Compilation, LoadError
from rulelang.lint.run import lint
from rulelang.scenarios.checking import check_scenarios
from rulelang.scenarios.run import Runner
from tests.mutation.mutants import Mutant

By = Literal["check", "lint", "scenarios", "nobody"]


#: All scenarios of a ruleset take a few seconds.
MOST_SECONDS = 60


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError


@dataclass(frozen=True, slots=True)
class Verdict:
    """`messages`: how many diagnostics `check` gave; `hinted`: one of them offers the word that stood there."""

    mutant: Mutant
    by: By
    messages: int = 0
    hinted: bool = False


class Judge:
    """A copy of a ruleset, into which one mutant after the other is put."""

    def __init__(self, folder: Path) -> None:
        self._temp = tempfile.TemporaryDirectory(prefix="rulelang-mutation-")
        os.environ["RULELANG_CACHE"] = str(Path(self._temp.name) / "cache")
        # What a mod extends is found beside it.
        above = Path(self._temp.name) / "rulesets"
        shutil.copytree(folder, above / folder.name)
        self.copy = above / folder.name
        self._known = {(a.rule.code, a.diagnostic.message) for a in lint(str(self.copy)).advice}
        self._warned = {(d.code, d.message) for d in Compilation(str(self.copy)).diagnostics}

    @contextmanager
    def _with(self, mutant: Mutant) -> Iterator[None]:
        place = self.copy / mutant.file
        original = place.read_bytes()
        place.write_text(mutant.text, encoding="utf-8")
        try:
            yield
        finally:
            place.write_bytes(original)

    def verdict(self, mutant: Mutant) -> Verdict:
        """The first that notices, in the order in which an author asks them."""
        with self._with(mutant):
            compilation = Compilation(str(self.copy))
            found = [d for d in compilation.diagnostics if (d.code, d.message) not in self._warned]
            if not found and compilation.read[0] is not None:
                found = list(check_scenarios(compilation).diagnostics)
            if found:
                # Where a name is declared, all its uses are strange: these say it, and their hint is the misspelt one.
                hinted = any(mutant.word in (d.hint + d.message).split("`") for d in found)
                return Verdict(mutant, "check", len(folded(found)), hinted or not mutant.word)
            advised = {(a.rule.code, a.diagnostic.message) for a in lint(str(self.copy)).advice}
            if advised - self._known:
                return Verdict(mutant, "lint")
            return Verdict(mutant, "scenarios" if self._fails() else "nobody")

    def _fails(self) -> bool:
        """Whether a scenario fails, or does not end."""
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(MOST_SECONDS)
        try:
            runner = Runner(str(self.copy))
            return runner.diagnostics.failed or any(not runner.run(scenario).passed for scenario in runner.scenarios)
        except (LoadError, RuleError, TimeoutError):
            return True
        finally:
            signal.alarm(0)

    def close(self) -> None:
        self._temp.cleanup()

"""Who catches a mutant: `check`, `lint`, or a scenario; or nobody."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rulelang.base.diagnostics import fold_repeated
from rulelang.base.errors import RuleError
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import Scenario
from rulelang.tools.incremental import Incremental
from rulelang.tools.lint.run import lint_compilation
from tests.mutation.mutants import Mutant

By = Literal["check", "lint", "scenarios", "nobody"]


#: A scenario takes less than a second, and its table a few until it is compiled: of this process, however busy others
#: keep the machine.
MOST_SECONDS = 30
#: So many are played first at each table: to compile what all of them ask takes long.
FIRST = 12


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError


@dataclass(frozen=True, slots=True)
class Verdict:
    """`messages`: how many diagnostics `check` gave; `hinted`: one of them offers the word that stood there. `told`:
    what was said, or the scenario that failed."""

    mutant: Mutant
    by: By
    messages: int = 0
    hinted: bool = False
    told: str = ""


class Judge:
    """A copy of a ruleset, into which one mutant after the other is put.

    It is read once; of a mutant only the file that differs is read again, and what depends on it.
    """

    def __init__(self, folder: Path) -> None:
        self._temp = tempfile.TemporaryDirectory(prefix="rulelang-mutation-")
        os.environ["RULELANG_CACHE"] = str(Path(self._temp.name) / "cache")
        # What a mod extends is found beside it.
        above = Path(self._temp.name) / "rulesets"
        shutil.copytree(folder, above / folder.name)
        self.copy = above / folder.name
        self._read = Incremental(str(self.copy))
        self._warned = {(d.code, d.message) for d in self._read.check().diagnostics}
        self._read.scenarios()
        self._known = self._advised(self._read.compilation)
        self._runner()
        self._read.memo.hold()
        self._caught: Counter[str] = Counter()  # mutants, by the scenario that failed

    @contextmanager
    def _with(self, mutant: Mutant) -> Iterator[None]:
        place = self.copy / mutant.file
        original = place.read_bytes()
        place.write_text(mutant.text, encoding="utf-8")
        try:
            yield
        finally:
            place.write_bytes(original)

    def _advised(self, compilation: Compilation) -> set[tuple[str, str]]:
        return {(a.rule.code, a.diagnostic.message) for a in lint_compilation(compilation).advice}

    def _runner(self) -> Runner:
        return Runner(str(self.copy), memo=self._read.memo)

    def verdict(self, mutant: Mutant, playing: bool = True) -> Verdict:
        """The first that notices, in the order in which an author asks them. Without `playing` no scenario is asked."""
        with self._with(mutant):
            found = [d for d in self._read.check().diagnostics if (d.code, d.message) not in self._warned]
            if not found and self._read.compilation.read[0] is not None:
                found = list(self._read.scenarios().diagnostics)
            if found:
                # Where a name is declared, all its uses are strange: these say it, and their hint is the misspelt one.
                hinted = any(mutant.word in (d.hint + d.message).split("`") for d in found)
                told = "; ".join(f"{d.code} {d.message}" for d in fold_repeated(found)[:3])
                return Verdict(mutant, "check", len(fold_repeated(found)), hinted or not mutant.word, told)
            new = self._advised(self._read.compilation) - self._known
            if new:
                return Verdict(mutant, "lint", told="; ".join(" ".join(one) for one in sorted(new)))
            failing = self._failing(mutant) if playing else None
            return Verdict(mutant, "nobody" if failing is None else "scenarios", told=failing or "")

    def _failing(self, mutant: Mutant) -> str | None:
        """A scenario that fails, or does not end; or why none can be played. None if all of them pass."""
        now = ""
        signal.signal(signal.SIGPROF, _too_long)
        try:
            runner = self._runner()
            if runner.diagnostics.failed:
                return "cannot be played"
            for batch in self._in_order(runner, mutant):
                for scenario in batch:
                    now = scenario.id
                    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
                    if not runner.run(scenario, batch).passed:
                        self._caught[now] += 1
                        return now
        except (LoadError, RuleError, TimeoutError) as problem:
            self._caught[now] += 1
            return f"{now}: {type(problem).__name__}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return None

    def _in_order(self, runner: Runner, mutant: Mutant) -> Iterator[Sequence[Scenario]]:
        """Those first that stand in the file or name its trait, then those that noticed most; those of a table
        together."""
        home = Path(mutant.file).stem

        def likely(one: Scenario) -> int:
            near = Path(one.path).stem == home or one.home == home
            return 100 * near + self._caught[one.id]

        groups: dict[Hashable, list[Scenario]] = {}
        for one in runner.scenarios:
            groups.setdefault(runner.group(one), []).append(one)
        rest = []
        for group in sorted(groups.values(), key=lambda some: (-max(map(likely, some)), -len(some))):
            ranked = sorted(group, key=likely, reverse=True)
            yield ranked[:FIRST]
            if likely(ranked[0]) >= 100:
                yield ranked[FIRST:]
            else:
                rest.append(ranked[FIRST:])
        yield from rest

    def close(self) -> None:
        self._temp.cleanup()

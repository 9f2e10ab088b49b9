"""A ruleset whose tables in Python are compiled as they are run: for whoever waits for what comes of some scenarios."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.runtime.program import Backend, LinkedProgram
from rulelang.testing.scenarios.fixture import Fixture, QuestionModule


class LazyFixture(Fixture):
    """Of its programs nothing is written but what scenarios call."""

    def __init__(self, compilation: Compilation) -> None:
        super().__init__(compilation)
        self.link = self._link

    def _link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        if backend != "python":
            return self.compilation.link(players, options, backend)
        return OnDemandProgram(self.compilation.ready(players, options, needed=True))

    def linked(self, module: ir.Module) -> QuestionModule:
        return OnDemandProgram(module)

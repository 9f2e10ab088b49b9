"""A ruleset on the bench: its compiled tables, and the expressions of its scenarios compiled beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rulelang.base.diagnostics import Diagnostics
from rulelang.compile import Compilation
from rulelang.engine.game import Game
from rulelang.engine.table import Table
from rulelang.meaning import tree
from rulelang.program.leads import Leads
from rulelang.scenarios.drawn import Drawer
from rulelang.scenarios.formulas import Formula


class Asked(Protocol):
    """What is asked of a linked module of questions."""

    @property
    def initial(self) -> list[int]: ...

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int: ...


class Answers:
    """Compiled expressions of one table. Equal ones are compiled once."""

    def __init__(self) -> None:
        self.program: Asked | None = None
        self.numbers: dict[tuple[tree.Expr, tuple[tree.Local, ...]], int] = {}

    def value(self, expr: tree.Expr, formula: Formula, S: Sequence[int], handles: Mapping[str, int]) -> int:
        """The value of an expression of a formula; `handles` stand for its names, 0 for what is not there (yet)."""
        assert self.program is not None
        args = [handles.get(name.text, 0) for name in formula.names]
        words = [*S, *self.program.initial[len(S) :]]  # questions may use words that nothing else does
        return self.program.pure(words, f"ask_{self.numbers[expr, formula.names]}", args)


class Bench:
    """One ruleset with certain mods and a mode. Use it only if `diagnostics` has not failed.

    `drawn`: its tables are without code, for scenarios that are read and not played.
    """

    def __init__(self, compilation: Compilation, *, drawn: bool = False) -> None:
        self.compilation = compilation
        self.drawer = Drawer(compilation)
        self.link = self.drawer.link if drawn else compilation.link
        self._game: Game | None = None
        self._leads: Leads | None = None
        self._starts: dict[int, tuple[Table, set[str]]] = {}  # by identity

    @property
    def diagnostics(self) -> Diagnostics:
        return self.compilation.diagnostics

    @property
    def game(self) -> Game:
        if self._game is None:
            facts = self.compilation.facts
            self._game = Game(facts.info, facts.players, facts.options, self.link)
        return self._game

    def phases(self) -> dict[str, int]:
        """The numbers of the phases, by name."""
        return {routine.name: routine.number for routine in self.compilation.program.routines.values() if routine.phase}

    @property
    def leads(self) -> Leads:
        """What the flow of the game leads to."""
        if self._leads is None:
            self._leads = Leads(self.drawer.facts)
        return self._leads

    def starts(self, table: Table) -> set[str]:
        """The words that a step may begin with, but for the things and players of its scenario."""
        if id(table) not in self._starts:
            self._starts[id(table)] = table, self._words(table)
        return self._starts[id(table)][1]

    def _words(self, table: Table) -> set[str]:
        layout = table.program.layout
        rows = {name for names in layout.lists.values() for name in names}
        cards = {part for card in layout.cards if card.sort for part in (card.row, card.label)}
        made = {name for kind in layout.kinds.values() for name in kind.names}
        routines = {r.id for r in self.compilation.program.routines.values() if not _roles(r)}
        named = self.drawer.blueprint(table.players, table.options).named
        known = {*rows, *cards, *made, *routines, *named}
        return {name.split()[0] for name in known if name} | {"pass", "none", "true", "false"}

    def routines(self, table: Table) -> Mapping[str, tuple[str, ...]]:
        """The routines that a step may call, with the kinds of their parameters."""
        module = getattr(table.program, "module")  # noqa: B009  (the engine's contract knows no module)
        return {name: kinds for name, (_, kinds) in module.callable.items()}

    def answers(self, table: Table, formulas: Sequence[Formula]) -> Answers:
        """Compile the expressions of formulas for one table."""
        from rulelang.backends.python.emit import emit
        from rulelang.backends.python.link import link
        from rulelang.meaning.layout import Config
        from rulelang.program.lower import lower_expressions
        from rulelang.program.passes.arithmetic import checked

        found = Answers()
        for formula in formulas:
            for expr in formula.expressions():
                found.numbers.setdefault((expr, formula.names), len(found.numbers))
        compilation = self.compilation
        config = Config(table.players, dict(table.options))
        module = lower_expressions(compilation.model, compilation.program, config, list(found.numbers))
        checked(module)
        found.program = link(emit(module).source, module)
        return found


def _roles(routine: tree.Routine) -> bool:
    """Whether a routine works on a bearer, so that nobody can call it from outside."""
    return any(getattr(routine.bearer, role) is not None for role in ("this", "self", "partner", "owner"))

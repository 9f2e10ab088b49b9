"""A ruleset as its scenarios run it: its compiled tables, and the expressions of its scenarios compiled beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.lower.program_graph import Leads
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from rulelang.runtime.decision import normal
from rulelang.runtime.table import Table
from rulelang.runtime.tables import Tables
from rulelang.testing.scenarios.drawn import Drawer
from rulelang.testing.scenarios.formulas import Formula
from rulelang.testing.scenarios.lexicon import Lexicon, Spoken
from rulelang.testing.scenarios.phrases import Form, Phrases, forms_of
from rulelang.testing.scenarios.position import Position
from rulelang.testing.scenarios.sayings import Sayings

if TYPE_CHECKING:
    from rulelang.compiler.ir import nodes as ir
    from rulelang.runtime.game import Game


class Asked(Protocol):
    """What is asked of a linked module of questions."""

    @property
    def initial(self) -> list[int]: ...

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int: ...


class Answers:
    """Compiled expressions of one table. Equal ones are compiled once."""

    def __init__(self) -> None:
        self.program: Asked | None = None
        self.functions: dict[tuple[tree.Expr, tuple[tree.Local, ...]], str] = {}

    def value(self, expr: tree.Expr, formula: Formula, S: Sequence[int], handles: Mapping[str, int]) -> int:
        """The value of an expression of a formula; `handles` stand for its names, 0 for what is not there (yet)."""
        assert self.program is not None
        args = [handles.get(name.text, 0) for name in formula.names]
        words = [*S, *self.program.initial[len(S) :]]  # questions may use words that nothing else does
        return self.program.pure(words, self.functions[expr, formula.names], args)


class Fixture:
    """One ruleset with certain mods and a mode. Use it only if its rules are `sound`.

    `drawn`: its tables are without code, for scenarios that are read and not played.
    """

    def __init__(self, compilation: Compilation, *, drawn: bool = False) -> None:
        self.compilation = compilation
        self.drawer = Drawer(compilation)
        self.link = self.drawer.link if drawn else compilation.link
        self.drawn = drawn
        self._tables: Tables | None = None
        self._game: Game | None = None
        self._sides: int | None = None
        self._forms: dict[str, list[Form]] | None = None
        self._starts: dict[int, tuple[Layout, set[str]]] = {}  # by identity, as tables may share it
        self._lexicons: dict[int, tuple[Layout, Lexicon]] = {}  # by identity
        self._sayings: dict[frozenset[str], Sayings] = {}  # by what effects are called

    @property
    def diagnostics(self) -> Diagnostics:
        return self.compilation.diagnostics

    @property
    def tables(self) -> Tables:
        """Those that a scenario may stand at: of its game, unless they are only drawn."""
        if not self.drawn:
            return self.game
        if self._tables is None:
            summary = self.compilation.sound
            self._tables = Tables(summary.info, summary.players, summary.options, self.link)
        return self._tables

    @property
    def game(self) -> Game:
        from rulelang.runtime.game import Game

        if self._game is None:
            summary = self.compilation.sound
            self._game = Game(summary.info, summary.players, summary.options, self.link)
        return self._game

    def phases(self) -> dict[str, int]:
        """The numbers of the phases, by name."""
        return {routine.name: routine.number for routine in self.compilation.program.routines.values() if routine.phase}

    @property
    def leads(self) -> Leads:
        """What the flow of the game leads to."""
        return self.drawer.graph.once(Leads)

    def starts(self, table: Table) -> set[str]:
        """The words that a step may begin with, but for the things and players of its scenario."""
        layout = table.program.layout
        if id(layout) not in self._starts:
            self._starts[id(layout)] = layout, self._words(table)
        return self._starts[id(layout)][1]

    def _words(self, table: Table) -> set[str]:
        layout = table.program.layout
        rows = {name for names in layout.lists.values() for name in names}
        cards = {part for card in layout.cards if card.sort for part in (card.row, card.label)}
        made = {name for kind in layout.kinds.values() for name in kind.names}
        known = {*rows, *cards, *made, *self.forms, *self.effects(table)}
        return {normal(name).split()[0] for name in known if name} | {"pass", "none", "true", "false"}

    def effects(self, table: Table) -> frozenset[str]:
        """What effects are called where somebody chooses among them."""
        return self.drawer.blueprint(table.players, table.options).effects

    @property
    def forms(self) -> Mapping[str, Sequence[Form]]:
        """The actions and routines that a step may name, with what follows their names."""
        if self._forms is None:
            self._forms = forms_of(self.compilation.program)
        return self._forms

    @property
    def sides(self) -> int:
        """Of the largest die that any rule rolls; 0 if none does."""
        if self._sides is None:
            program = self.compilation.program
            whole = [*program.actions.values(), *program.routines.values(), *program.triggers, program.game or ()]
            self._sides = max((node.sides for node in walk(whole) if isinstance(node, tree.Roll)), default=0)
        return self._sides

    def phrases(self, table: Table, position: Position) -> Phrases:
        """What reads the steps of a scenario before they are played."""
        layout = table.program.layout
        if id(layout) not in self._lexicons:
            self._lexicons[id(layout)] = layout, Lexicon(layout)
        things = {name: thing.kind for name, thing in position.things.items()}
        spoken = Spoken(self._lexicons[id(layout)][1], position.names, things)
        return Phrases(spoken, self.forms, {normal(name) for name in self.effects(table)})

    def sayings(self, table: Table) -> Sayings:
        """What the log can say."""
        effects = self.effects(table)
        if effects not in self._sayings:
            self._sayings[effects] = Sayings(self.compilation.program, effects)
        return self._sayings[effects]

    def routines(self, table: Table) -> Mapping[str, tuple[str, ...]]:
        """The routines that a step may call, with the kinds of their parameters."""
        module = getattr(table.program, "module")  # noqa: B009  (the engine's contract knows no module)
        return {name: kinds for name, (_, kinds) in module.callable.items()}

    def answers(self, table: Table, formulas: Sequence[Formula]) -> Answers:
        """Compile the expressions of formulas for one table."""
        from rulelang.compiler.passes.checked_arithmetic import check_arithmetic

        found = Answers()
        asked = dict.fromkeys((expr, formula.names) for formula in formulas for expr in formula.expressions())
        whole, _ = self.compilation.whole(table.players, table.options)
        assert whole is not None  # there is such a table
        module, names = whole.ask([*asked])
        found.functions = dict(zip(asked, names, strict=True))
        check_arithmetic(module)
        found.program = self.linked(module)
        return found

    def linked(self, module: ir.Module) -> Asked:
        """A module of questions as a program."""
        from rulelang.compiler.backends.python.emit import emit
        from rulelang.compiler.backends.python.link import link

        return link(emit(module).source, module)

"""A ruleset as its scenarios run it: compiled tables, sampled tables without code, compiled expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.compiler.lower.program_graph import Leads, ProgramGraph, StaticLayout, static_layout
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import Config
from rulelang.language.semantics.tree import walk
from rulelang.runtime.decision import normalized_text
from rulelang.runtime.program import Backend, LinkedProgram
from rulelang.runtime.table import Table, Tables
from rulelang.testing.scenarios.formulas import Formula
from rulelang.testing.scenarios.lexicon import Form, Lexicon, ScenarioTexts, StepPhrases, step_forms
from rulelang.testing.scenarios.log_templates import LogTemplates
from rulelang.testing.scenarios.position import Position

if TYPE_CHECKING:
    from rulelang.compiler.ir import nodes as ir
    from rulelang.runtime.game import Game


# ---- layouts of tables, without code


class LayoutProgram:
    """What a linked program is to whoever only lays positions: places, and the routines that lay (`lay.Helpers`)."""

    sites = templates = reasons = teams = ()

    def __init__(self, drawn: StaticLayout) -> None:
        self.drawn = drawn

    @property
    def layout(self) -> Layout:
        return self.drawn.layout

    @property
    def initial(self) -> list[int]:
        return list(self.drawn.initial)

    def call_plain(self, S: list[int], function: str, args: tuple[int, ...]) -> int:
        """A thing that is made takes the next place of its owner. Cards need not lie where they are laid."""
        kind = self.layout.kinds.get(function.removeprefix("h_create_"))
        if kind is None:
            return 0
        (owner,) = args
        S[kind.count + owner] += 1
        return (owner - 1) * kind.per_owner + S[kind.count + owner]


class _Chosen(Mapping[str, int]):
    """The options of a table, which remember what was asked of them."""

    def __init__(self, options: Mapping[str, int]) -> None:
        self._options = dict(options)
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> int:
        self._asked.add(name)
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._options)
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def alike(self, others: Mapping[str, int]) -> bool:
        """Whether others would have answered the same."""
        return all(others.get(name) == self._options.get(name) for name in self._asked)


class LayoutPrograms:
    """The blueprints of one ruleset's tables, each drawn once."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self._drawn: dict[str, StaticLayout] = {}
        self._alike: list[tuple[int, _Chosen, StaticLayout]] = []

    @property
    def graph(self) -> ProgramGraph:
        return self.compilation.graph

    def blueprint(self, players: int, options: Mapping[str, int]) -> StaticLayout:
        """LoadError for a table that cannot be."""
        key = f"{players} {sorted(options.items())}"
        if key not in self._drawn:
            self._drawn[key] = self._like_one(players, options) or self._anew(players, options)
        return self._drawn[key]

    def _like_one(self, players: int, options: Mapping[str, int]) -> StaticLayout | None:
        """That of a table that differs only in options which are not asked for where everything lies."""
        return next((made for seats, seen, made in self._alike if seats == players and seen.alike(options)), None)

    def _anew(self, players: int, options: Mapping[str, int]) -> StaticLayout:
        seen = _Chosen(options)
        made, found = static_layout(self.graph, Config(players, seen))
        if made is None:
            raise LoadError(found, self.compilation.source.sources)
        self._alike.append((players, seen, made))
        return made

    def link(self, players: int, options: Mapping[str, int], backend: Backend) -> LinkedProgram:
        """The table as a game takes it, though it cannot be played."""
        return cast(LinkedProgram, LayoutProgram(self.blueprint(players, options)))


# ---- fixtures


class QuestionModule(Protocol):
    """What is asked of a linked module of questions."""

    @property
    def initial(self) -> list[int]: ...

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int: ...


class CompiledAnswers:
    """Compiled expressions of one table. Equal ones are compiled once."""

    def __init__(self) -> None:
        self.program: QuestionModule | None = None
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
        self.drawer = LayoutPrograms(compilation)
        self.link = self.drawer.link if drawn else compilation.link
        self.drawn = drawn
        self._tables: Tables | None = None
        self._game: Game | None = None
        self._sides: int | None = None
        self._forms: dict[str, list[Form]] | None = None
        self._starts: dict[int, tuple[Layout, set[str]]] = {}  # by identity, as tables may share it
        self._lexicons: dict[int, tuple[Layout, Lexicon]] = {}  # by identity
        self._sayings: dict[frozenset[str], LogTemplates] = {}  # by what effects are called

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
        return {normalized_text(name).split()[0] for name in known if name} | {"pass", "none", "true", "false"}

    def effects(self, table: Table) -> frozenset[str]:
        """What effects are called where somebody chooses among them."""
        return self.drawer.blueprint(table.players, table.options).effects

    @property
    def forms(self) -> Mapping[str, Sequence[Form]]:
        """The actions and routines that a step may name, with what follows their names."""
        if self._forms is None:
            self._forms = step_forms(self.compilation.program)
        return self._forms

    @property
    def sides(self) -> int:
        """Of the largest die that any rule rolls; 0 if none does."""
        if self._sides is None:
            program = self.compilation.program
            whole = [*program.actions.values(), *program.routines.values(), *program.triggers, program.game or ()]
            self._sides = max((node.sides for node in walk(whole) if isinstance(node, tree.Roll)), default=0)
        return self._sides

    def phrases(self, table: Table, position: Position) -> StepPhrases:
        """What reads the steps of a scenario before they are played."""
        layout = table.program.layout
        if id(layout) not in self._lexicons:
            self._lexicons[id(layout)] = layout, Lexicon(layout)
        things = {name: thing.kind for name, thing in position.things.items()}
        spoken = ScenarioTexts(self._lexicons[id(layout)][1], position.names, things)
        return StepPhrases(spoken, self.forms, {normalized_text(name) for name in self.effects(table)})

    def sayings(self, table: Table) -> LogTemplates:
        """What the log can say."""
        effects = self.effects(table)
        if effects not in self._sayings:
            self._sayings[effects] = LogTemplates(self.compilation.program, effects)
        return self._sayings[effects]

    def routines(self, table: Table) -> Mapping[str, tuple[str, ...]]:
        """The routines that a step may call, with the kinds of their parameters."""
        module = getattr(table.program, "module")  # noqa: B009  (the engine's contract knows no module)
        return {name: kinds for name, (_, kinds) in module.callable.items()}

    def answers(self, table: Table, formulas: Sequence[Formula]) -> CompiledAnswers:
        """Compile the expressions of formulas for one table."""
        from rulelang.compiler.passes.checked_arithmetic import check_arithmetic

        found = CompiledAnswers()
        asked = dict.fromkeys((expr, formula.names) for formula in formulas for expr in formula.expressions())
        whole, _ = self.compilation.whole(table.players, table.options)
        assert whole is not None  # there is such a table
        module, names = whole.ask([*asked])
        found.functions = dict(zip(asked, names, strict=True))
        check_arithmetic(module)
        found.program = self.linked(module)
        return found

    def linked(self, module: ir.Module) -> QuestionModule:
        """A module of questions as a program."""
        from rulelang.compiler.backends.python.emit import emit
        from rulelang.compiler.backends.python.link import link

        return link(emit(module).source, module)

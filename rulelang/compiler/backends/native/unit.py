"""What all functions of one generated C file share: names, tables, messages, and which functions can fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rulelang.base.numbers import range_of
from rulelang.compiler.backends.unit import Unit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import coming_to, reached, routine_calls
from rulelang.compiler.ir.walk import all_exprs, assigned, callees, locals_read, statements
from rulelang.compiler.passes.choice.counting import Choice
from rulelang.compiler.passes.choice.enumerators import count_name, nth_name
from rulelang.compiler.passes.choice.fuse import Room
from rulelang.compiler.passes.suspend.frames import local_capacities
from rulelang.compiler.passes.suspend.resumable import Decision
from rulelang.compiler.passes.target.slots import links

#: Statements of a program from which on compile time counts for more than the last percents of speed.
LARGE = 2000
#: Up to so many, playouts from a paused game go through forms that never wait, which are quicker.
MIDDLE = 2000
#: Statements that may fail.
FAILING = (ir.Fail, ir.Tick, ir.Ensure, ir.Append, ir.ArrayToList, ir.ArrayDrop, ir.Unreachable)
#: Options that are kept while they are counted, so that none has to be found again.
KEPT = 32
#: Rounds of an enumerator's outermost loop whose counts are noted.
ROUNDS = 128


@dataclass(frozen=True, slots=True)
class Counted:
    """A decision at the point `pc` by the number of its option: `count` counts, `take` finds one again. `numbers` and
    `lists` (with what makes them): locals that `count` leaves for `take`."""

    pc: int
    count: ir.Function
    take: ir.Function
    numbers: tuple[str, ...]
    lists: Mapping[str, ir.Stmt]


class NativeUnit(Unit):
    """`fallible`: functions after whose calls the error record is looked at. `numbers`: functions as the record names
    them. `counted`: by the lister of a decision, what takes it by number; `halves`: the same by the functions that do.
    `tried`: routines that trials run, in a form of their own; `only_tried`: those that nothing else runs.
    `heard`: routines that never pause and tell a host something, in a form of their own; in a large program there is
    one form for both."""

    room = Room(KEPT, ROUNDS)

    def __init__(self, module: ir.Module) -> None:
        self.wanted: set[str] | None = None
        size = sum(1 for f in module.functions.values() for _ in statements(f.body))
        self.direct_playouts = size <= MIDDLE
        super().__init__(module)
        self.numbers = {name: i for i, name in enumerate(self.module.functions)}
        self.fallible = self._fallible()
        self.links = links(module.layout)
        self.distinct: dict[str, tuple[int, ...]] = {}
        self.trials: set[str] = set()
        self.trying: set[str] = set()  # those that only read and may come to a trial
        self.kept: dict[str, int] = {}  # of the context: arrays that outlast a pause without being in a frame
        self.most_values = 2  # that an error has at most
        self.most_tried = 1  # words that tell a trial
        self.tried, self.only_tried = _tried(self.module)
        self.heard = self.hosted - self.frames.keys() - self.only_tried if size <= LARGE else set()

    # ---- functions in the text: what each of them takes first, and is given first, stands here alone

    def call(self, name: str, prefix: str, *given: str, state: str = "S") -> str:
        """The call of a function in the form that the prefix tells. `given`: what it takes beside context and state."""
        return f"{self.function(name, prefix)}({', '.join(('C', state, *given))})"

    def head(self, name: str, prefix: str, *params: str, state: str) -> str:
        """The head of one. `state`: how it takes the state; `params`: what it takes beside context and state."""
        return f"static i64 {self.function(name, prefix)}({', '.join(('context *C', state, *params))})"

    def outermost(self, name: str) -> tuple[str, ...]:
        """The depth that a function which may call itself is given by who does not belong to it."""
        return ("0",) if self.module.functions[name].recursive else ()

    # ---- facts

    def keep(self, owner: str, name: str, size: int) -> str:
        """Where an array that outlasts its function lies: in the context."""
        field = f"{name}{'' if name.endswith('_') else '_'}{self.function(owner, 'n_')}"
        self.kept[field] = max(size, self.kept.get(field, 1))
        return f"C->kept.{field}"

    def capacities(self, function: ir.Function) -> dict[str, int]:
        return local_capacities(function)

    def looks(self, table: str) -> tuple[int, ...]:
        """A table with its values numbered from 0: for sets of them."""
        if table not in self.distinct:
            found: dict[int, int] = {}
            self.distinct[table] = tuple(found.setdefault(v, len(found)) for v in self.module.tables[table])
        return self.distinct[table]

    def kinds(self, table: str) -> int:
        return max(self.looks(table), default=0) + 1

    def plays(self, function: ir.Function) -> bool:
        if self.wanted is None:
            self.wanted = self._direct()
        return function.name in self.wanted

    def count_decisions(self) -> None:
        self.counted: dict[str, Counted] = {}
        self.halves: dict[str, Counted] = {}
        for decision in self.decisions.values():
            if decision.pick is not None:
                name = decision.lister.name
                found = self.counted[name] = _counted(decision, self.forms.counted(decision.pick))
                for function in (found.count, found.take):
                    self.halves[function.name] = found
                    self.forms.known.keep(function.name, self.forms.known.origin[name], function)

    def _direct(self) -> set[str]:
        """Routines that exist as `d_`: those that never pause, and what trials and games by rejection run."""
        functions, drawn = self.module.functions, self.sampling.routines
        routines = {name: f for name, f in functions.items() if f.kind == "routine"}
        if self.direct_playouts:
            return set(routines)
        calls = routine_calls(self.module)
        wanted = {name for name, f in routines.items() if not f.pausing} | {self.module.main} - drawn
        wanted = wanted.union(*(calls[name] - drawn for name in drawn), *map(_tries, functions.values()))
        return reached(wanted & routines.keys(), calls)

    def _fallible(self) -> set[str]:
        functions = self.module.functions
        found = {name for name, f in functions.items() if f.recursive or any(map(_may_fail, statements(f.body)))}
        return coming_to(found, {name: self.called(f) for name, f in functions.items()})

    def called(self, function: ir.Function) -> set[str]:
        """What it mentions, and what is made of the enumerators that it asks."""
        picks = [stmt for stmt in statements(function.body) if isinstance(stmt, ir.Pick)]
        asked = {source.enumerator for stmt in picks for source in stmt.sources}
        made = {f(name) for name in asked for f in (count_name, nth_name, partial(nth_name, noted=True))}
        return made | callees(function)


def _may_fail(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Pick(chance=False) | ir.While(budget=True):
            return True
        case ir.Store(limits=limits) | ir.Add(limits=limits) if limits is not None and not limits.clamp:
            return True
    return isinstance(stmt, FAILING) or any(isinstance(e, ir.Trial) for e in all_exprs(stmt))


def _tries(function: ir.Function) -> set[str]:
    """The routines that a function tries."""
    inside = statements(function.body)
    blamed = {s.function for s in inside if isinstance(s, ir.BlameCall) and s.trial}
    return blamed | {e.function for s in inside for e in all_exprs(s) if isinstance(e, ir.Trial)}


def _tried(module: ir.Module) -> tuple[set[str], set[str]]:
    """The routines that trials run; those of them that nothing else does."""
    calls = routine_calls(module)
    tried = reached(set[str]().union(*map(_tries, module.functions.values())), calls)
    begun = {module.main, *(name for name, _ in module.callable.values())}
    return tried, tried - reached(calls.keys() & begun | calls.keys() - tried, calls)


def _counted(decision: Decision, choice: Choice) -> Counted:
    lister, stmt = decision.lister, decision.pick
    assert stmt is not None
    counted = list(statements(choice.count))
    made = {name for s in counted for name in assigned(s)}
    read = {name for s in statements(choice.take) for name in (*locals_read(s), getattr(s, "list", ""))}
    lists = {
        s.name: s for s in counted if isinstance(s, (ir.NewList, ir.NewTuples, ir.DistinctList)) and s.name in read
    }
    count = replace(
        lister, name=f"{lister.name}#count", body=(*choice.count, *choice.more, ir.Return(ir.Local(choice.total)))
    )
    targets = (stmt.tag, *stmt.targets)
    taken = (*choice.take, ir.ReturnMany(tuple(map(ir.Local, targets))))
    take = replace(lister, name=f"{lister.name}#take", params=(choice.number, *lister.params), body=taken)
    return Counted(decision.pc, count, take, tuple(sorted((made & read) - lists.keys() - {choice.number})), lists)


def numbers(values: Sequence[int]) -> str:
    """The words of a constant array; C knows no empty ones."""
    return ", ".join(map(str, values)) or "0"


def narrow(values: Sequence[int]) -> str:
    """The smallest type that holds all of them."""
    low, high = range_of(values)
    if low >= 0 and high < 256:
        return "unsigned char"
    if low >= -32768 and high < 32768:
        return "short"
    return "int" if low >= -(2**31) and high < 2**31 else "long long"

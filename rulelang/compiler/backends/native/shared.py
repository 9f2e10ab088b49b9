"""Share what the functions of a generated C file need: shared numbers, tables, facts and trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rulelang.base.graphs import reachable_from, reaching
from rulelang.base.numbers import range_of
from rulelang.compiler.backends.unit import BraceWriter, Unit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import routine_calls
from rulelang.compiler.ir.walk import (
    LOOPS,
    all_exprs,
    all_statements,
    assigned_locals,
    callees,
    child_blocks,
    child_exprs,
    locals_read,
    with_subexpressions,
)
from rulelang.compiler.passes.choice.counting import CountedDecision, ListCapacity, count_name, nth_name
from rulelang.compiler.passes.loops import count_columns, is_harmless
from rulelang.compiler.passes.resumable import DecisionPoint
from rulelang.compiler.passes.suspension import local_capacities

# ---- shared numbers

ERRORS = (
    "FAIL", "RANGE", "STEPS", "DEPTH", "STACK", "ENSURE", "HOST", "INTERNAL", "MANY", "UNTRUE", "ENOUGH", "UNSOUND",
)  # fmt: skip
#: ENOUGH: a search has played on as far as it looks ahead; nobody is told. UNSOUND: what stands
#: behind a library says of what (`link.UnsoundState`).
FAIL, RANGE, STEPS, DEPTH, STACK, ENSURE, HOST, INTERNAL, MANY, UNTRUE, ENOUGH, UNSOUND = range(1, 13)

#: Numbers of an internal error. No routine waits at such a point; there is no such function.
POINT, FUNCTION = 4, 5
#: Of a playout whose options do not fit into the buffer: it is played again with a larger one.
CROWDED = 9
#: A frame or a list in it that cannot be: the words are not those of a game.
BROKEN = 11


def error_constant(kind: int) -> str:
    """The name of a kind of error in C."""
    return f"ERROR_{ERRORS[kind - FAIL]}"


#: What a call of a routine that may wait answers.
ENDED, PAUSED, FAILED = 0, 1, -1


# ---- units

#: Statements of a program from which on compile time counts for more than the last percents of speed.
LARGE_PROGRAM = 2000
#: Up to so many, playouts from a paused game go through forms that never wait, which are quicker.
LARGEST_WITH_PLAYOUTS = 2000
#: Statements that may fail.
FAILING_STATEMENTS = (ir.Fail, ir.Tick, ir.Ensure, ir.Append, ir.ArrayToList, ir.ArrayDrop, ir.Unreachable)
#: Options that are kept while they are counted, so that none has to be found again.
OPTIONS_KEPT = 32
#: Rounds of an enumerator's outermost loop whose counts are noted.
ROUNDS_NOTED = 128


@dataclass(frozen=True, slots=True)
class CountedByNumber:
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

    room = ListCapacity(OPTIONS_KEPT, ROUNDS_NOTED)

    def __init__(self, module: ir.Module) -> None:
        self.wanted: set[str] | None = None
        size = sum(1 for f in module.functions.values() for _ in all_statements(f.body))
        self.direct_playouts = size <= LARGEST_WITH_PLAYOUTS
        super().__init__(module)
        self.numbers = {name: i for i, name in enumerate(self.module.functions)}
        self.fallible = self._fallible()
        self.links = count_columns(module.layout)
        self.distinct: dict[str, tuple[int, ...]] = {}
        self.trials: set[str] = set()
        self.trying: set[str] = set()  # those that only read and may come to a trial
        self.kept: dict[str, int] = {}  # of the context: arrays that outlast a pause without being in a frame
        self.most_values = 2  # that an error has at most
        self.most_tried = 1  # words that tell a trial
        self.tried, self.only_tried = _routines_in_trials(self.module)
        self.heard = self.hosted - self.frames.keys() - self.only_tried if size <= LARGE_PROGRAM else set()

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
        self.counted: dict[str, CountedByNumber] = {}
        self.halves: dict[str, CountedByNumber] = {}
        for decision in self.decisions.values():
            if decision.pick is not None:
                name = decision.lister.name
                found = self.counted[name] = _counted_decision(decision, self.forms.counted(decision.pick))
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
        wanted = wanted.union(*(calls[name] - drawn for name in drawn), *map(_tried_routines, functions.values()))
        return reachable_from(wanted & routines.keys(), calls)

    def _fallible(self) -> set[str]:
        functions = self.module.functions
        found = {name for name, f in functions.items() if f.recursive or any(map(_may_fail, all_statements(f.body)))}
        return reaching(found, {name: self.called(f) for name, f in functions.items()})

    def called(self, function: ir.Function) -> set[str]:
        """What it mentions, and what is made of the enumerators that it asks."""
        picks = [stmt for stmt in all_statements(function.body) if isinstance(stmt, ir.Pick)]
        asked = {source.enumerator for stmt in picks for source in stmt.sources}
        made = {f(name) for name in asked for f in (count_name, nth_name, partial(nth_name, noted=True))}
        return made | callees(function)


def _may_fail(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Pick(chance=False) | ir.While(budget=True):
            return True
        case ir.Store(limits=limits) | ir.Add(limits=limits) if limits is not None and not limits.clamp:
            return True
    return isinstance(stmt, FAILING_STATEMENTS) or any(isinstance(e, ir.Trial) for e in all_exprs(stmt))


def _tried_routines(function: ir.Function) -> set[str]:
    """The routines that a function tries."""
    inside = all_statements(function.body)
    blamed = {s.function for s in inside if isinstance(s, ir.BlameCall) and s.trial}
    return blamed | {e.function for s in inside for e in all_exprs(s) if isinstance(e, ir.Trial)}


def _routines_in_trials(module: ir.Module) -> tuple[set[str], set[str]]:
    """The routines that trials run; those of them that nothing else does."""
    calls = routine_calls(module)
    tried = reachable_from(set[str]().union(*map(_tried_routines, module.functions.values())), calls)
    begun = {module.main, *(name for name, _ in module.callable.values())}
    return tried, tried - reachable_from(calls.keys() & begun | calls.keys() - tried, calls)


def _counted_decision(decision: DecisionPoint, choice: CountedDecision) -> CountedByNumber:
    lister, stmt = decision.lister, decision.pick
    assert stmt is not None
    counted = list(all_statements(choice.count))
    made = {name for s in counted for name in assigned_locals(s)}
    read = {name for s in all_statements(choice.take) for name in (*locals_read(s), getattr(s, "list", ""))}
    lists = {
        s.name: s for s in counted if isinstance(s, (ir.NewList, ir.NewTuples, ir.DistinctList)) and s.name in read
    }
    count = replace(
        lister, name=f"{lister.name}#count", body=(*choice.count, *choice.more, ir.Return(ir.Local(choice.total)))
    )
    targets = (stmt.tag, *stmt.targets)
    taken = (*choice.take, ir.ReturnMany(tuple(map(ir.Local, targets))))
    take = replace(lister, name=f"{lister.name}#take", params=(choice.number, *lister.params), body=taken)
    return CountedByNumber(
        decision.pc, count, take, tuple(sorted((made & read) - lists.keys() - {choice.number})), lists
    )


def constant_array(values: Sequence[int]) -> str:
    """The words of a constant array; C knows no empty ones."""
    return ", ".join(map(str, values)) or "0"


def narrowest_type(values: Sequence[int]) -> str:
    """The smallest type that holds all of them."""
    low, high = range_of(values)
    if low >= 0 and high < 256:
        return "unsigned char"
    if low >= -32768 and high < 32768:
        return "short"
    return "int" if low >= -(2**31) and high < 2**31 else "long long"


# ---- trials

CHANGED = "changed(C);"


def write_trial_start(out: BraceWriter) -> None:
    """A trial on the state `S`, or on a copy of it: on `tried_`."""
    out("i32 apart_[SIZE], *tried_ = RARE(C->noted == NOTES) ? apart(C, S, apart_) : (i32 *)S;")
    out("trial trial_ = attempt(C, tried_);")


def write_trial(unit: NativeUnit, function: ir.Function, out: BraceWriter) -> None:
    """`t_f(S, args...)`: 1 if the routine runs without being refused. The state is the same afterwards."""
    given = [*(f"a{i}" for i in range(len(function.params))), *(["depth_"] if function.recursive else [])]
    params = [f"i64 {name}" for name in given]
    unit.most_tried = max(unit.most_tried, len(given) + 1)
    with out.inside(unit.head(function.name, "t_", *params, state="const i32 *S")):
        out(f"i64 asked_[TRIED] = {{{', '.join((str(unit.numbers[function.name]), *given))}}};")
        out("outcome *kept_ = recall(C, asked_);")
        out("if (kept_->since == C->since && same(kept_, asked_)) return kept_->answer;")
        write_trial_start(out)
        out(f"{unit.call(function.name, 'u_', *given, state='tried_')};")
        out("take_back(C, tried_, &trial_);")
        out(f"if (C->error == {error_constant(ENSURE)}) {{ C->error = 0; C->trailed = 0; trial_.refused = 1; }}")
        out("return keep(C, kept_, asked_, !trial_.refused);")


def trying_functions(unit: NativeUnit) -> set[str]:
    """The functions that only read and may come to a trial."""
    calls = {name: unit.called(f) for name, f in unit.module.functions.items() if f.kind != "routine"}
    found = {name for name in calls if any(map(_has_trial, all_statements(unit.module.functions[name].body)))}
    return reaching(found, calls)


def _has_trial(stmt: ir.Stmt) -> bool:
    return any(isinstance(e, ir.Trial) for part in child_exprs(stmt) for e in with_subexpressions(part))


class TrialCaching:
    """`anew`: the statements of a routine, and tests of loops (by `id`), before which all that trials came to is to be
    forgotten."""

    def __init__(self, unit: NativeUnit, body: ir.Block) -> None:
        self.unit, self.anew = unit, set[int]()
        if unit.trying:
            self.block(body, True)

    def block(self, block: ir.Block, changed: bool) -> bool:
        """Whether something may have changed behind the block since it was asked last; `changed`: before it."""
        for stmt in block:
            inside = all_statements((stmt,))
            alike = all(map(is_harmless, inside))
            changed = changed or (isinstance(stmt, LOOPS) and not alike)
            if changed and any(map(self.asks, inside if alike else (stmt,))):
                # the test of a loop is worked out again and again
                self.anew.add(id(stmt.test if isinstance(stmt, ir.While) and not alike else stmt))
                changed = False
            changed = changed or not is_harmless(stmt)
            if not alike:
                after = [self.block(inner, changed) for inner in child_blocks(stmt)]
                changed = changed or any(after)
        return changed

    def asks(self, stmt: ir.Stmt) -> bool:
        called = {e.function for part in child_exprs(stmt) for e in with_subexpressions(part) if isinstance(e, ir.Call)}
        if isinstance(stmt, ir.CallPure):
            called.add(stmt.function)
        return _has_trial(stmt) or isinstance(stmt, (ir.Ask, ir.Take)) or not called.isdisjoint(self.unit.trying)


__all__ = ["CHANGED", "TrialCaching", "trying_functions", "write_trial", "write_trial_start"]

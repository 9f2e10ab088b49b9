"""Compute the possible values of every cell and local by abstract interpretation of the whole program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from rulelang.base.graphs import strongly_connected
from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    LOOPS,
    all_statements,
    assigned_locals,
    callees,
    child_blocks,
    child_exprs,
    locals_read,
)
from rulelang.compiler.passes.intervals import (
    ANY_INTERVAL,
    CELL_INTERVAL,
    HIGHEST,
    LOWEST,
    TRUTH_INTERVAL,
    Interval,
    Regions,
    bounded_interval,
    handle_interval,
    interval_arithmetic,
    join_intervals,
    meet_interval,
    regions_of,
    single_value,
    without_value,
)
from rulelang.compiler.passes.suspension import DEPTH, RETURN, Frame, frame_layouts

# ---- liveness of locals

#: From the body of a function inwards: the number of a block, and that of a statement in it.
_Path = tuple[tuple[int, int], ...]


def locals_dead_after(function: ir.Function, waits: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
    """By the identity of each statement: the locals that are not read behind it, as all that mentions them stands in
    its block and ends with it. Of a loop also those that only its body mentions.

    `waits`: by the identity of each statement that waits, the locals that its frame keeps. What is kept anywhere but
    between its first mention and its last is never spent: in a loop a frame keeps what was there in an earlier turn.
    """
    return _Mentions(function).spent(waits)


def choice_key(tag: str, number: int, target: str) -> str:
    """By what name it is kept what a local of a decision may be if the option taken is of this number."""
    return f"{target} of {tag} {number}"


class _Mentions:
    def __init__(self, function: ir.Function) -> None:
        self.blocks: list[ir.Block] = []
        self.places: dict[int, list[tuple[int, _Path]]] = {}  # by statement: it may stand in several
        self.first: dict[str, int] = {}  # by local: the number of the statement in the text
        self.last: dict[str, _Path] = {}  # the innermost block that holds all that mentions it, and the last there
        self.told_apart: dict[str, set[str]] = {}  # by the tag of a decision
        self.count = 0
        for name in function.params if function.body else ():
            self.first[name], self.last[name] = 0, ((0, 0),)
        self._block(function.body, ())

    def _block(self, block: ir.Block, path: _Path) -> None:
        number = len(self.blocks)
        self.blocks.append(block)
        for at, stmt in enumerate(block):
            here = (*path, (number, at))
            self.count += 1
            self.places.setdefault(id(stmt), []).append((self.count, here))
            for name in _mentioned_locals(stmt):
                self.first.setdefault(name, self.count)
                last = self.last.get(name)
                self.last[name] = here if last is None else _common_statement(last, here)
            if isinstance(stmt, ir.Pick):
                names = {choice_key(stmt.tag, source.tag, target) for source in stmt.sources for target in stmt.targets}
                self.told_apart.setdefault(stmt.tag, set()).update(names)
            for inner in child_blocks(stmt):
                self._block(inner, here)

    def spent(self, waits: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
        found: dict[int, set[str]] = {}
        elsewhere = {name for stmt, names in waits.items() for name in names if not self._between(stmt, name)}
        for name, path in self.last.items():
            if name in elsewhere:
                continue
            for depth, (number, at) in enumerate(path, 1):
                stmt = self.blocks[number][at]
                if (depth == len(path) or isinstance(stmt, LOOPS)) and len(self.places[id(stmt)]) == 1:
                    found.setdefault(id(stmt), set()).update((name, *self.told_apart.get(name, ())))
        return {stmt: frozenset(names) for stmt, names in found.items()}

    def _between(self, stmt: int, name: str) -> bool:
        """Whether a statement stands between the first mention of a local and the last."""
        if name not in self.last:
            return False
        *around, (number, end) = self.last[name]
        depth = len(around)
        return all(
            order >= self.first[name]
            and len(path) > depth
            and list(path[:depth]) == around
            and path[depth][0] == number
            and path[depth][1] <= end
            for order, path in self.places.get(stmt, ())
        )


def _common_statement(one: _Path, other: _Path) -> _Path:
    """Of two places, the second later in the text: the last statement of the innermost block that holds both."""
    for depth, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return other[: depth + 1] if mine[0] == its[0] else other[:depth]
    return min(one, other, key=len)


def _mentioned_locals(stmt: ir.Stmt) -> Iterator[str]:
    yield from locals_read(stmt)
    yield from assigned_locals(stmt)
    name = getattr(stmt, "list", None)
    if isinstance(name, str):
        yield name
    if isinstance(stmt, ir.Sort | ir.KeepBest):
        yield stmt.name


# ---- expressions

#: By local (of a list: what its items may be; nothing for one that has none yet).
Env = dict[str, Interval]
_NEGATED_OPS = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED_OPS = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(slots=True)
class FunctionFacts:
    """Of a function: what its parameters may be (those that were given), what it returns, what it yields."""

    params: dict[str, Interval] = field(default_factory=dict)
    returns: Interval | None = None
    yields: list[Interval] = field(default_factory=list)
    reached: bool = False
    ran: int = -1  # when it was run last
    asked: int = 0  # when its parameters changed last
    answered: int = 0  # when what it returns or yields did


@dataclass(slots=True)
class LoopFacts:
    breaks: list[Env] = field(default_factory=list)
    continues: list[Env] = field(default_factory=list)


class Evaluator:
    """`seen`: by the identity of each statement, what locals may be before it. `waits`: by function, and then by the
    identity of each statement that waits there, the locals that its frame keeps."""

    def __init__(
        self,
        module: ir.Module,
        functions: Mapping[str, ir.Function],
        waits: Mapping[str, Mapping[int, frozenset[str]]],
        regions: Regions,
    ) -> None:
        self.module, self.functions, self.regions = module, functions, regions
        self.known = {name: FunctionFacts() for name in functions}
        self.seen: dict[int, Env] = {}
        self.changed = self.widening = False
        self.fresh: tuple[dict[str, FunctionFacts], list[Interval]] | None = None
        self.loops: list[LoopFacts] = []
        self.trying = 0  # inside loops whose heads are not settled: what is found there does not count yet
        self.time = 1  # counts what changes
        self.written = [0] * len(regions.starts)  # when each stretch changed last
        self.reads: dict[str, set[int]] = {name: set() for name in functions}
        self.callees = {name: callees(f) & functions.keys() for name, f in functions.items()}
        #: Callees first. Rounds go to and fro: what is given goes down a chain of calls in one, what is answered up.
        self.order = [name for group in strongly_connected(self.callees) for name in group]
        #: What has been worked out of the statement at hand: by expression (and truth, of a condition) and locals.
        self.values: dict[tuple[int, int], tuple[Env, Interval]] = {}
        self.assumed: dict[tuple[int, int, bool], tuple[Env, Env | None]] = {}
        self.settled: dict[
            int, tuple[int, Env, Env, Env | None]
        ] = {}  # by loop: when, for what, its head, what follows
        self.function = ""
        self.targets = {name: locals_set_with_tag(f) for name, f in functions.items()}
        self.spent = {name: locals_dead_after(f, waits.get(name, {})) for name, f in functions.items()}
        self.tables = module.tables
        self.rows = {
            name: bounded_interval(min(flat), max(flat))
            for name, rows in module.rows.items()
            if (flat := [v for row in rows for v in row])
        }

    # ---- rounds

    def start(self, widen: bool) -> None:
        self.changed, self.widening, self.seen = False, widen, {}
        self.order.reverse()

    def narrow(self, initial: Sequence[int]) -> None:
        """From here on what is found goes beside what is known, to replace it."""
        self.fresh = {name: FunctionFacts() for name in self.functions}, self.regions.first(initial)
        self.seen = {}

    def take_narrowed(self) -> None:
        assert self.fresh is not None
        found, words = self.fresh
        for name, known in self.known.items():
            found[name].reached = known.reached
            for param, what in found[name].params.items():
                found[name].params[param] = narrow_to(what, known.params[param])
        self.known, self.fresh = found, None
        self.regions.spans = [narrow_to(new, old) for new, old in zip(words, self.regions.spans, strict=True)]

    def stale(self, name: str) -> bool:
        ran = self.known[name].ran
        return (
            self.known[name].asked > ran
            or any(self.known[callee].answered > ran for callee in self.callees[name])
            or any(self.written[k] > ran for k in self.reads[name])
            or ran < 0
        )

    # ---- what is known of functions and words

    def grown(self, old: Interval | None, new: Interval) -> Interval:
        """What is known of something, with what was found now; it is widened where that goes on and on."""
        if old is None:
            self.changed = True
            return new
        both = join_intervals(old, new)
        if both == old:
            return old
        self.changed = True
        return widen(old, both) if self.widening and self.fresh is None else both

    def about(self, name: str) -> FunctionFacts:
        return self.known[name] if self.fresh is None else self.fresh[0][name]

    def enter(self, name: str, args: Sequence[Interval | None]) -> None:
        """A call of a function; an argument that is an empty list tells nothing of its items."""
        if self.trying:
            return
        known = self.about(name)
        if not known.reached:
            known.reached = self.changed = True
        for param, what in zip(self.functions[name].params, args, strict=False):
            old = known.params.get(param)
            if what is not None and (both := self.grown(old, what)) != old:
                known.params[param] = both
                known.asked = self.tick()

    def returned(self, value: Interval) -> None:
        if self.trying:
            return
        known = self.about(self.function)
        new = self.grown(known.returns, value)
        if new != known.returns:
            known.returns = new
            known.answered = self.tick()

    def tick(self) -> int:
        """Something has changed: what was run at this moment or before has to be run again."""
        self.time += 1
        return self.time

    def read(self, base: int, index: Interval | None) -> Interval:
        found: Interval | None = None
        reads, spans, fixed = self.reads[self.function], self.regions.spans, self.regions.fixed
        for k in self.regions.touched(base, index):
            if not fixed[k]:
                reads.add(k)
            found = spans[k] if found is None else join_intervals(found, spans[k])
        return single_value(0) if found is None else found

    def write(self, base: int, index: Interval | None, value: Interval) -> None:
        if self.trying:
            return
        words = self.regions.spans if self.fresh is None else self.fresh[1]
        if value.low < CELL_INTERVAL.low or value.high > CELL_INTERVAL.high:
            value = CELL_INTERVAL  # what is too large is cut off in C
        for k in self.regions.touched(base, index):
            if not self.regions.fixed[k] and (new := self.grown(words[k], value)) != words[k]:
                words[k] = new
                self.written[k] = self.tick()

    # ---- expressions

    def args(self, args: Sequence[ir.Expr], env: Env) -> list[Interval | None]:
        return [env.get(a.name) if isinstance(a, ir.Local) else self.value(a, env) for a in args]

    def index(self, index: ir.Expr | None, env: Env) -> Interval | None:
        return None if index is None else self.value(index, env)

    def anew(self) -> None:
        """Another statement: what it asks for is worked out now."""
        self.values.clear()
        self.assumed.clear()

    def value(self, expr: ir.Expr, env: Env) -> Interval:
        """Once for a statement, since conditions in conditions would ask for it twice as often at every level."""
        if isinstance(expr, ir.Const):
            return single_value(expr.value)
        if isinstance(expr, ir.Local):
            return env.get(expr.name, ANY_INTERVAL)
        kept = self.values.get((id(expr), id(env)))
        if kept is None:  # the locals are kept too, so that no others get their identity
            kept = self.values[id(expr), id(env)] = env, self._value(expr, env)
        return kept[1]

    def _value(self, expr: ir.Expr, env: Env) -> Interval:
        match expr:
            case ir.Cell(base, index):
                return self.read(base, self.index(index, env))
            case ir.Table(name, index):
                return self.looked_up(self.tables[name], self.value(index, env))
            case ir.Arith(op, left, right):
                return interval_arithmetic(op, self.value(left, env), self.value(right, env))
            case ir.MinMax(kind, args):
                spans = [self.value(arg, env) for arg in args]
                pick = min if kind == "min" else max
                return bounded_interval(pick(s.low for s in spans), pick(s.high for s in spans))
            case ir.If(test, then, otherwise):
                found = [
                    self.value(branch, inner)
                    for branch, truth in ((then, True), (otherwise, False))
                    if (inner := self.assume(test, env, truth)) is not None
                ]
                return found[0] if len(found) == 1 else join_intervals(*found) if found else ANY_INTERVAL
            case ir.Call(function, args):
                self.enter(function, self.args(args, env))
                returns = self.known[function].returns
                return single_value(0) if returns is None else returns
            case ir.Trial(function, args):
                self.enter(function, self.args(args, env))
                return TRUTH_INTERVAL
            case ir.Length():
                return bounded_interval(0, CELL_INTERVAL.high)
            case ir.Item(items, index):
                self.value(index, env)
                return env.get(items, single_value(0))
            case ir.ArrayHas(zone, value):
                self.value(zone, env)
                self.value(value, env)
                return TRUTH_INTERVAL
            case ir.Compare(_, left, right):
                self.value(left, env)
                self.value(right, env)
                return TRUTH_INTERVAL
            case ir.Not(operand):
                self.value(operand, env)
                return TRUTH_INTERVAL
            case ir.Logic(op, parts):
                rest: Env | None = env
                for part in parts:  # each is asked only where those before it let it
                    if rest is None:
                        break
                    self.value(part, rest)
                    rest = self.assume(part, rest, op == "and")
                return TRUTH_INTERVAL
        raise AssertionError(expr)

    def looked_up(self, table: tuple[int, ...], index: Interval) -> Interval:
        low, high = max(index.low, 0), min(index.high, len(table) - 1)
        items = table[low : high + 1]
        return bounded_interval(min(items), max(items)) if items else single_value(0)

    # ---- conditions

    def assume(self, test: ir.Expr, env: Env, truth: bool) -> Env | None:
        """What locals may be where a condition holds (or does not); None where it cannot."""
        if isinstance(test, ir.Const):
            return env if bool(test.value) == truth else None
        kept = self.assumed.get((id(test), id(env), truth))
        if kept is None:
            kept = self.assumed[id(test), id(env), truth] = env, self._assume(test, env, truth)
        return kept[1]

    def _assume(self, test: ir.Expr, env: Env, truth: bool) -> Env | None:
        match test:
            case ir.Not(operand):
                return self.assume(operand, env, not truth)
            case ir.Local(name):
                return self.bounded(name, env, "!=" if truth else "==", single_value(0))
            case ir.Logic(op, parts) if (op == "and") == truth:
                found: Env | None = env
                for part in parts:
                    if found is not None:
                        found = self.assume(part, found, truth)
                return found
            case ir.Logic(_, parts):  # one of them fails (or holds), those before it did not
                ways: list[Env] = []
                rest: Env | None = env
                for part in parts:
                    if rest is None:
                        break
                    way = self.assume(part, rest, truth)
                    if way is not None:
                        ways.append(way)
                    rest = self.assume(part, rest, not truth)
                return merge_environments(ways)
            case ir.Compare(op, left, right):
                op = op if truth else _NEGATED_OPS[op]  # type: ignore[assignment]
                found = env
                if isinstance(left, ir.Local) and left.name in env:
                    found = self.bounded(left.name, found, op, self.value(right, env))
                if found is not None and isinstance(right, ir.Local) and right.name in env:
                    found = self.bounded(right.name, found, _MIRRORED_OPS[op], self.value(left, env))
                return found
        return env

    def bounded(self, name: str, env: Env, op: str, other: Interval) -> Env | None:
        own: Interval | None = env.get(name)
        if own is None:
            return env
        match op:
            case "==":
                own = meet_interval(own, other.low, other.high)
            case "!=":
                own = without_value(own, other.low) if not other.step else own
            case "<":
                own = meet_interval(own, LOWEST, other.high - 1)
            case "<=":
                own = meet_interval(own, LOWEST, other.high)
            case ">":
                own = meet_interval(own, other.low + 1, HIGHEST)
            case ">=":
                own = meet_interval(own, other.low, HIGHEST)
        if own is None or own == env[name]:
            return None if own is None else env
        return self.told_apart(name, own.low, {**env, name: own}) if own.low == own.high else {**env, name: own}

    def told_apart(self, tag: str, number: int, env: Env) -> Env:
        """Where it is known which sort of option was taken: what its values may be."""
        for target in self.targets[self.function].get(tag, ()):
            what, own = env.get(choice_key(tag, number, target)), env.get(target)
            if what is not None and own is not None:
                env[target] = narrow_to(what, own)
        return env


def locals_set_with_tag(function: ir.Function) -> dict[str, tuple[str, ...]]:
    """By tag the other locals that decisions set with it, as far as nothing else sets any of them."""
    found: dict[str, tuple[str, ...]] = {}
    others: list[str] = []
    for stmt in all_statements(function.body):
        if isinstance(stmt, ir.Pick) and found.setdefault(stmt.tag, stmt.targets) == stmt.targets:
            continue
        others += assigned_locals(stmt)
    others += function.params
    others += [name for tag, targets in found.items() for name in (tag, *targets)]
    times = Counter(others)
    return {tag: targets for tag, targets in found.items() if all(times[name] == 1 for name in (tag, *targets))}


def join_environments(one_: Env, other: Env) -> Env:
    """Where two ways meet. A list that one of them has no items in may hold those of the other; a local that one of
    them does not set is not read behind."""
    found = dict(one_)
    for name, what in other.items():
        mine = found.get(name)
        found[name] = what if mine is None or mine == what else join_intervals(mine, what)
    return found


def merge_environments(ways: Sequence[Env]) -> Env | None:
    if not ways:
        return None
    found = ways[0]
    for way in ways[1:]:
        if way is not found:
            found = join_environments(found, way)
    return found


def widen(old: Interval, new: Interval) -> Interval:
    """What grows without an end in sight, at once as far as it may: to 0, to what a word can hold, to any number."""
    low, high = old.low, old.high
    if new.low < low:
        low = next(mark for mark in (0, -1, -2, CELL_INTERVAL.low, LOWEST) if mark <= new.low)
    if new.high > high:
        high = next(mark for mark in (0, 1, 1 << 12, 1 << 20, CELL_INTERVAL.high, HIGHEST) if mark >= new.high)
    step = new.step if new.step > 1 and low == old.low else 1
    return bounded_interval(low, high, step)


def narrow_to(new: Interval, old: Interval) -> Interval:
    """What was found anew, as far as it was known before."""
    return meet_interval(new, old.low, old.high) or new


def limited_interval(value: Interval, limits: ir.Limits | None) -> Interval:
    """What is stored: out of the limits the run fails, or the end is taken."""
    if limits is None:
        return value
    low = LOWEST if limits.low is None else limits.low
    high = HIGHEST if limits.high is None else limits.high
    if limits.clamp:
        return bounded_interval(min(max(value.low, low), high), max(min(value.high, high), low))
    return meet_interval(value, low, high) or bounded_interval(low, high)


# ---- functions

#: Statements that put nothing new into words and locals: cards that lie elsewhere are still cards.
_READING = (
    ir.ArrayPush, ir.ArrayDrop, ir.ArrayDraw, ir.ArrayAppendAll, ir.ArrayShuffle, ir.TakeAt, ir.Stop, ir.Tick, ir.Blame,
    ir.BlameCall, ir.Log, ir.LogEnd, ir.Curtain,
)  # fmt: skip
#: Rounds of a loop before what still grows in it is widened.
WIDEN_LOOP_AFTER = 3


class Interpreter(Evaluator):
    """Runs functions."""

    def all(self) -> None:
        """Run every function that something calls, and for which something has changed."""
        for name in self.order:
            if self.known[name].reached and (self.fresh is not None or self.stale(name)):
                self.run(name)

    def run(self, name: str) -> None:
        self.function = name
        self.known[name].ran = self.time
        function = self.functions[name]
        env = self.block(function.body, dict(self.known[name].params))
        if env is not None and function.kind != "enumerator":
            self.returned(single_value(0))

    # ---- statements

    def block(self, block: ir.Block, env: Env | None) -> Env | None:
        spent = self.spent[self.function]
        for stmt in block:
            if env is None:
                return None
            if not self.trying:
                self.seen[id(stmt)] = env
            env = self.statement(stmt, env)
            gone = spent.get(id(stmt))
            if gone is not None and env is not None and not gone.isdisjoint(env):
                env = {name: what for name, what in env.items() if name not in gone}
        return env

    def statement(self, stmt: ir.Stmt, env: Env) -> Env | None:
        self.anew()
        match stmt:
            case ir.Set(name, value):
                if isinstance(value, ir.Local) and value.name not in env:
                    return {k: v for k, v in env.items() if k != name}  # an empty list
                return {**env, name: self.value(value, env)}
            case ir.Store(base, index, value, limits):
                self.write(base, self.index(index, env), limited_interval(self.value(value, env), limits))
            case ir.Add(base, index, value, limits):
                at = self.index(index, env)
                self.write(
                    base,
                    at,
                    limited_interval(interval_arithmetic("+", self.read(base, at), self.value(value, env)), limits),
                )
            case ir.Fill(base, count, value, index):
                at = self.index(index, env) or single_value(0)
                self.write(base, bounded_interval(at.low, at.high + count - 1), single_value(value))
            case ir.Branch(test, then, otherwise):
                self.value(test, env)
                ways = [
                    self.block(body, self.assume(test, env, truth))
                    for body, truth in ((then, True), (otherwise, False))
                ]
                return merge_environments([way for way in ways if way is not None])
            case ir.While() | ir.ForRange() | ir.ForChain() | ir.ForArray() | ir.ForList() | ir.ForTable():
                return self.loop(stmt, env)
            case ir.Break():
                self.loops[-1].breaks.append(env)
                return None
            case ir.Continue():
                self.loops[-1].continues.append(env)
                return None
            case ir.Return(value):
                self.returned(single_value(0) if value is None else self.value(value, env))
                return None
            case ir.NewList(name):
                return {k: v for k, v in env.items() if k != name}
            case ir.Append(items, value):
                what = self.value(value, env)
                return {**env, items: join_intervals(env[items], what) if items in env else what}
            case ir.ArrayToList(name, zone):
                return {**env, name: self.read(0, self.value(zone, env))}
            case ir.Sort(items, name, keys) | ir.KeepBest(items, name, keys):
                inner = {**env, name: env[items]} if items in env else env
                for key in keys:
                    self.value(key.value, inner)
            case ir.CallRoutine(function, args, result):
                self.enter(function, self.args(args, env))
                returns = self.known[function].returns
                if result is not None:
                    return {**env, result: single_value(0) if returns is None else returns}
            case ir.Random(name, bound):
                return {**env, name: bounded_interval(0, max(self.value(bound, env).high - 1, 0))}
            case ir.Pick():
                return self.pick(stmt, env)
            case ir.Yield(values, compels):
                self.yielded([self.value(value, env) for value in values])
                if compels is not None:
                    self.value(compels, env)
            case ir.Fail():
                return None
            case ir.Ensure(condition):
                self.value(condition, env)
                return self.assume(condition, env, True)
            case _:
                assert isinstance(stmt, _READING), f"what can {type(stmt).__name__} put into words and locals?"
                for expr in child_exprs(stmt):
                    self.value(expr, env)
        return env

    def pick(self, stmt: ir.Pick, env: Env) -> Env:
        """What is chosen, from all sources together; and, as `chosen` names it, from those with one tag."""
        found = dict.fromkeys(stmt.targets, single_value(0))
        apart: Env = {}
        for source in stmt.sources:
            self.enter(source.enumerator, self.args(source.args, env))
            yields = self.known[source.enumerator].yields
            for k, target in enumerate(stmt.targets):
                what, name = yields[k] if k < len(yields) else single_value(0), choice_key(stmt.tag, source.tag, target)
                apart[name] = join_intervals(apart[name], what) if name in apart else what
                found[target] = join_intervals(found[target], what)
        self.value(stmt.may_pass, env)
        if stmt.player is not None:
            self.value(stmt.player, env)
        tag = bounded_interval(-2, max((source.tag for source in stmt.sources), default=-1))
        return {**env, stmt.tag: tag, **found, **apart}

    def yielded(self, values: list[Interval]) -> None:
        if self.trying:
            return
        known = self.about(self.function)
        for k, what in enumerate(values):
            if k == len(known.yields):
                known.yields.append(what)
                known.answered, self.changed = self.tick(), True
            elif (new := self.grown(known.yields[k], what)) != known.yields[k]:
                known.yields[k] = new
                known.answered = self.tick()

    # ---- loops

    def loop(self, stmt: ir.Stmt, env: Env) -> Env | None:
        """Run the body until what locals may be at its head does not change; then twice more, to narrow it."""
        kept = self.settled.get(id(stmt))
        if kept is not None and kept[0] == self.time and kept[1] == env:
            if self.trying:
                return kept[3]
            return merge_environments(self.once(stmt, kept[2])[1])
        began, head, turn = self.time, env, 0
        self.trying += 1
        while True:
            again, _ = self.once(stmt, head)
            grown = merge_environments([head, *again]) or head
            if grown == head:
                break
            turn += 1
            if turn > WIDEN_LOOP_AFTER:
                grown = {k: v if head.get(k) in (None, v) else widen(head[k], v) for k, v in grown.items()}
            head = grown
        for _ in range(2):
            again, _ = self.once(stmt, head)
            tighter = merge_environments([env, *again]) or env
            head = {k: narrow_to(v, head[k]) if k in head else v for k, v in tighter.items()}
        self.trying -= 1
        after = merge_environments(self.once(stmt, head)[1])
        self.settled[id(stmt)] = began, env, head, after
        return after

    def once(self, stmt: ir.Stmt, head: Env) -> tuple[list[Env], list[Env]]:
        """The body once: what locals may be when it goes on with the next turn, and behind the loop."""
        self.loops.append(LoopFacts())
        after: list[Env] = []
        inner: Env | None
        match stmt:
            case ir.While(test, body):
                self.value(test, head)
                inner, ended = self.assume(test, head, True), self.assume(test, head, False)
                if ended is not None:
                    after.append(ended)
            case ir.ForRange(name, low, end, body):
                first, last = self.value(low, head), self.value(end, head)
                inner = {**head, name: bounded_interval(first.low, last.high - 1)} if last.high > first.low else None
                after.append(head)
            case ir.ForChain(name, first_, step, body):
                start = self.value(first_, head)
                items = join_intervals(start, self.read(step, start))
                items = join_intervals(items, self.read(step, items))
                item = without_value(items, 0)
                inner = None if item is None else {**head, name: item}
                after.append({**head, name: join_intervals(items, single_value(0))})
            case ir.ForArray(name, zone, body):
                at = self.value(zone, head)
                item_ = self.read(0, at)  # the items lie in the same stretch as their number
                inner = {**head, name: item_}
                after.append(head)
            case ir.ForList(name, items_, body):
                inner = {**head, name: head[items_]} if items_ in head else None
                after.append(head)
            case ir.ForTable(name, row, index, body):
                self.value(index, head)
                inner = {**head, name: self.rows[row]} if row in self.rows else None
                after.append(head)
            case _:
                raise AssertionError(stmt)
        last_ = self.block(body, inner)
        loop = self.loops.pop()
        again = [way for way in (last_, *loop.continues) if way is not None]
        if not isinstance(stmt, ir.While):
            after += again
        return again, [*after, *loop.breaks]


# ---- the whole program

#: Rounds in which spans may grow by and by, before they are widened.
WIDEN_AFTER = 3
#: What is called once a position was laid by hand: a game that began there can be saved like any other.
TOUCH = "h_touch"
#: Rounds that narrow.
NARROWING_ROUNDS = 2

#: A local in a frame: its offset, its room if it is a list, its name, and what it (or each item) may be.
Stretches = tuple[int, int | None, str, Interval]


@record
class PossibleValues:
    """`words`: (start, end, span) of stretches of the state. `points`: by pc, the title of the routine that waits
    there, and its locals."""

    words: tuple[tuple[int, int, Interval], ...]
    points: Mapping[int, tuple[str, tuple[Stretches, ...]]]


def possible_values(module: ir.Module) -> PossibleValues:
    """Of a module as backends take it. `passes.suspension` ran before."""
    laid = frame_layouts(module)
    found = _fixpoint(module, laid)
    points: dict[int, tuple[str, tuple[Stretches, ...]]] = {RETURN: ("", ())}
    for frame in laid.values():
        for place, point in frame.points.items():
            env = found.seen.get(place)
            kept = []
            for slot in point.slots:
                what = (
                    bounded_interval(0, module.limits["depth"] + 1)
                    if slot.name == DEPTH
                    else (env or {}).get(slot.name, ANY_INTERVAL)
                )
                kept.append((slot.offset, slot.capacity, slot.name, what))
            points[point.pc] = frame.function.title, tuple(kept)
    return PossibleValues(tuple(found.regions.told()), points)


def _fixpoint(module: ir.Module, laid: Mapping[str, Frame]) -> Interpreter:
    functions = {name: laid[name].function if name in laid else f for name, f in module.functions.items()}
    waits = {
        name: {place: frozenset(slot.name for slot in point.slots) for place, point in frame.points.items()}
        for name, frame in laid.items()
    }
    run = Interpreter(module, functions, waits, regions_of(module, functions.values()))
    for number in count():  # what is widened changes a few times only, so it ends
        run.start(widen=number >= WIDEN_AFTER)
        _run_entry_points(run, module)
        if not run.changed:
            break
    for _ in range(NARROWING_ROUNDS):
        run.narrow(module.initial)
        _run_entry_points(run, module)
        run.take_narrowed()
    return run


def _run_entry_points(run: Interpreter, module: ir.Module) -> None:
    """Everything that is called from outside, then every function that was reached."""
    seat = bounded_interval(1, module.layout.players)
    run.enter(module.main, ())
    for name in (module.score, *module.tiebreak):
        if name in module.functions:
            run.enter(name, (seat,))
    for _, name, _ in module.invariants:
        run.enter(name, ())
    for name, kinds in module.callable.values():
        run.enter(name, tuple(_argument_interval(module, kind) for kind in kinds))
    if TOUCH in module.functions:
        run.enter(TOUCH, ())
    run.all()


def _argument_interval(module: ir.Module, kind: str) -> Interval:
    if kind == "bool":
        return TRUTH_INTERVAL
    return handle_interval(module.layout, kind) or ANY_INTERVAL

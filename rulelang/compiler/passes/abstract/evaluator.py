"""What is known of a program while `possible_values` works it out, and what expressions come to with spans for
numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.graphs import strongly_connected
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import assigned, callees, statements
from rulelang.compiler.passes.abstract.intervals import (
    ANY,
    HIGHEST,
    LOWEST,
    TRUTH,
    WORD,
    Interval,
    arith,
    join,
    meet,
    one,
    span,
    without,
)
from rulelang.compiler.passes.abstract.regions import Regions
from rulelang.compiler.passes.abstract.spent import chosen, spent

#: By local (of a list: what its items may be; nothing for one that has none yet).
Env = dict[str, Interval]
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(slots=True)
class Known:
    """Of a function: what its parameters may be (those that were given), what it returns, what it yields."""

    params: dict[str, Interval] = field(default_factory=dict)
    returns: Interval | None = None
    yields: list[Interval] = field(default_factory=list)
    reached: bool = False
    ran: int = -1  # when it was run last
    asked: int = 0  # when its parameters changed last
    answered: int = 0  # when what it returns or yields did


@dataclass(slots=True)
class Loop:
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
        self.known = {name: Known() for name in functions}
        self.seen: dict[int, Env] = {}
        self.changed = self.widening = False
        self.fresh: tuple[dict[str, Known], list[Interval]] | None = None
        self.loops: list[Loop] = []
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
        self.targets = {name: picked(f) for name, f in functions.items()}
        self.spent = {name: spent(f, waits.get(name, {})) for name, f in functions.items()}
        self.tables = module.tables
        self.rows = {
            name: span(min(flat), max(flat))
            for name, rows in module.rows.items()
            if (flat := [v for row in rows for v in row])
        }

    # ---- rounds

    def start(self, widen: bool) -> None:
        self.changed, self.widening, self.seen = False, widen, {}
        self.order.reverse()

    def narrow(self, initial: Sequence[int]) -> None:
        """From here on what is found goes beside what is known, to replace it."""
        self.fresh = {name: Known() for name in self.functions}, self.regions.first(initial)
        self.seen = {}

    def take_narrowed(self) -> None:
        assert self.fresh is not None
        found, words = self.fresh
        for name, known in self.known.items():
            found[name].reached = known.reached
            for param, what in found[name].params.items():
                found[name].params[param] = within(what, known.params[param])
        self.known, self.fresh = found, None
        self.regions.spans = [within(new, old) for new, old in zip(words, self.regions.spans, strict=True)]

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
        both = join(old, new)
        if both == old:
            return old
        self.changed = True
        return widened(old, both) if self.widening and self.fresh is None else both

    def about(self, name: str) -> Known:
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
            found = spans[k] if found is None else join(found, spans[k])
        return one(0) if found is None else found

    def write(self, base: int, index: Interval | None, value: Interval) -> None:
        if self.trying:
            return
        words = self.regions.spans if self.fresh is None else self.fresh[1]
        if value.low < WORD.low or value.high > WORD.high:
            value = WORD  # what is too large is cut off in C
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
            return one(expr.value)
        if isinstance(expr, ir.Local):
            return env.get(expr.name, ANY)
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
                return arith(op, self.value(left, env), self.value(right, env))
            case ir.MinMax(kind, args):
                spans = [self.value(arg, env) for arg in args]
                pick = min if kind == "min" else max
                return span(pick(s.low for s in spans), pick(s.high for s in spans))
            case ir.If(test, then, otherwise):
                found = [
                    self.value(branch, inner)
                    for branch, truth in ((then, True), (otherwise, False))
                    if (inner := self.assume(test, env, truth)) is not None
                ]
                return found[0] if len(found) == 1 else join(*found) if found else ANY
            case ir.Call(function, args):
                self.enter(function, self.args(args, env))
                returns = self.known[function].returns
                return one(0) if returns is None else returns
            case ir.Trial(function, args):
                self.enter(function, self.args(args, env))
                return TRUTH
            case ir.Length():
                return span(0, WORD.high)
            case ir.Item(items, index):
                self.value(index, env)
                return env.get(items, one(0))
            case ir.ArrayHas(zone, value):
                self.value(zone, env)
                self.value(value, env)
                return TRUTH
            case ir.Compare(_, left, right):
                self.value(left, env)
                self.value(right, env)
                return TRUTH
            case ir.Not(operand):
                self.value(operand, env)
                return TRUTH
            case ir.Logic(op, parts):
                rest: Env | None = env
                for part in parts:  # each is asked only where those before it let it
                    if rest is None:
                        break
                    self.value(part, rest)
                    rest = self.assume(part, rest, op == "and")
                return TRUTH
        raise AssertionError(expr)

    def looked_up(self, table: tuple[int, ...], index: Interval) -> Interval:
        low, high = max(index.low, 0), min(index.high, len(table) - 1)
        items = table[low : high + 1]
        return span(min(items), max(items)) if items else one(0)

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
                return self.bounded(name, env, "!=" if truth else "==", one(0))
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
                return merged(ways)
            case ir.Compare(op, left, right):
                op = op if truth else _NEGATED[op]  # type: ignore[assignment]
                found = env
                if isinstance(left, ir.Local) and left.name in env:
                    found = self.bounded(left.name, found, op, self.value(right, env))
                if found is not None and isinstance(right, ir.Local) and right.name in env:
                    found = self.bounded(right.name, found, _TURNED[op], self.value(left, env))
                return found
        return env

    def bounded(self, name: str, env: Env, op: str, other: Interval) -> Env | None:
        own: Interval | None = env.get(name)
        if own is None:
            return env
        match op:
            case "==":
                own = meet(own, other.low, other.high)
            case "!=":
                own = without(own, other.low) if not other.step else own
            case "<":
                own = meet(own, LOWEST, other.high - 1)
            case "<=":
                own = meet(own, LOWEST, other.high)
            case ">":
                own = meet(own, other.low + 1, HIGHEST)
            case ">=":
                own = meet(own, other.low, HIGHEST)
        if own is None or own == env[name]:
            return None if own is None else env
        return self.told_apart(name, own.low, {**env, name: own}) if own.low == own.high else {**env, name: own}

    def told_apart(self, tag: str, number: int, env: Env) -> Env:
        """Where it is known which sort of option was taken: what its values may be."""
        for target in self.targets[self.function].get(tag, ()):
            what, own = env.get(chosen(tag, number, target)), env.get(target)
            if what is not None and own is not None:
                env[target] = within(what, own)
        return env


def picked(function: ir.Function) -> dict[str, tuple[str, ...]]:
    """By tag the other locals that decisions set with it, as far as nothing else sets any of them."""
    found: dict[str, tuple[str, ...]] = {}
    others: list[str] = []
    for stmt in statements(function.body):
        if isinstance(stmt, ir.Pick) and found.setdefault(stmt.tag, stmt.targets) == stmt.targets:
            continue
        others += assigned(stmt)
    others += function.params
    others += [name for tag, targets in found.items() for name in (tag, *targets)]
    times = Counter(others)
    return {tag: targets for tag, targets in found.items() if all(times[name] == 1 for name in (tag, *targets))}


def either(one_: Env, other: Env) -> Env:
    """Where two ways meet. A list that one of them has no items in may hold those of the other; a local that one of
    them does not set is not read behind."""
    found = dict(one_)
    for name, what in other.items():
        mine = found.get(name)
        found[name] = what if mine is None or mine == what else join(mine, what)
    return found


def merged(ways: Sequence[Env]) -> Env | None:
    if not ways:
        return None
    found = ways[0]
    for way in ways[1:]:
        if way is not found:
            found = either(found, way)
    return found


def widened(old: Interval, new: Interval) -> Interval:
    """What grows without an end in sight, at once as far as it may: to 0, to what a word can hold, to any number."""
    low, high = old.low, old.high
    if new.low < low:
        low = next(mark for mark in (0, -1, -2, WORD.low, LOWEST) if mark <= new.low)
    if new.high > high:
        high = next(mark for mark in (0, 1, 1 << 12, 1 << 20, WORD.high, HIGHEST) if mark >= new.high)
    step = new.step if new.step > 1 and low == old.low else 1
    return span(low, high, step)


def within(new: Interval, old: Interval) -> Interval:
    """What was found anew, as far as it was known before."""
    return meet(new, old.low, old.high) or new


def limited(value: Interval, limits: ir.Limits | None) -> Interval:
    """What is stored: out of the limits the run fails, or the end is taken."""
    if limits is None:
        return value
    low = LOWEST if limits.low is None else limits.low
    high = HIGHEST if limits.high is None else limits.high
    if limits.clamp:
        return span(min(max(value.low, low), high), max(min(value.high, high), low))
    return meet(value, low, high) or span(low, high)

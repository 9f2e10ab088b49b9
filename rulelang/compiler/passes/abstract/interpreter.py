"""One round of the interpretation that `possible_values` is made of: functions run with spans in the place of
numbers."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import child_exprs
from rulelang.compiler.passes.abstract.evaluator import Env, Evaluator, Loop, limited, merged, widened, within
from rulelang.compiler.passes.abstract.intervals import Interval, arith, join, one, span, without
from rulelang.compiler.passes.abstract.spent import chosen

#: Statements that put nothing new into words and locals: cards that lie elsewhere are still cards.
_READING = (
    ir.ArrayPush, ir.ArrayDrop, ir.ArrayDraw, ir.ArrayAppendAll, ir.ArrayShuffle, ir.TakeAt, ir.Stop, ir.Tick, ir.Blame,
    ir.BlameCall, ir.Log, ir.LogEnd, ir.Curtain,
)  # fmt: skip
#: Rounds of a loop before what still grows in it is widened.
TURNS = 3


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
            self.returned(one(0))

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
                self.write(base, self.index(index, env), limited(self.value(value, env), limits))
            case ir.Add(base, index, value, limits):
                at = self.index(index, env)
                self.write(base, at, limited(arith("+", self.read(base, at), self.value(value, env)), limits))
            case ir.Fill(base, count, value, index):
                at = self.index(index, env) or one(0)
                self.write(base, span(at.low, at.high + count - 1), one(value))
            case ir.Branch(test, then, otherwise):
                self.value(test, env)
                ways = [
                    self.block(body, self.assume(test, env, truth))
                    for body, truth in ((then, True), (otherwise, False))
                ]
                return merged([way for way in ways if way is not None])
            case ir.While() | ir.ForRange() | ir.ForChain() | ir.ForArray() | ir.ForList() | ir.ForTable():
                return self.loop(stmt, env)
            case ir.Break():
                self.loops[-1].breaks.append(env)
                return None
            case ir.Continue():
                self.loops[-1].continues.append(env)
                return None
            case ir.Return(value):
                self.returned(one(0) if value is None else self.value(value, env))
                return None
            case ir.NewList(name):
                return {k: v for k, v in env.items() if k != name}
            case ir.Append(items, value):
                what = self.value(value, env)
                return {**env, items: join(env[items], what) if items in env else what}
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
                    return {**env, result: one(0) if returns is None else returns}
            case ir.Random(name, bound):
                return {**env, name: span(0, max(self.value(bound, env).high - 1, 0))}
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
        found = dict.fromkeys(stmt.targets, one(0))
        apart: Env = {}
        for source in stmt.sources:
            self.enter(source.enumerator, self.args(source.args, env))
            yields = self.known[source.enumerator].yields
            for k, target in enumerate(stmt.targets):
                what, name = yields[k] if k < len(yields) else one(0), chosen(stmt.tag, source.tag, target)
                apart[name] = join(apart[name], what) if name in apart else what
                found[target] = join(found[target], what)
        self.value(stmt.may_pass, env)
        if stmt.player is not None:
            self.value(stmt.player, env)
        tag = span(-2, max((source.tag for source in stmt.sources), default=-1))
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
            return merged(self.once(stmt, kept[2])[1])
        began, head, turn = self.time, env, 0
        self.trying += 1
        while True:
            again, _ = self.once(stmt, head)
            grown = merged([head, *again]) or head
            if grown == head:
                break
            turn += 1
            if turn > TURNS:
                grown = {k: v if head.get(k) in (None, v) else widened(head[k], v) for k, v in grown.items()}
            head = grown
        for _ in range(2):
            again, _ = self.once(stmt, head)
            tighter = merged([env, *again]) or env
            head = {k: within(v, head[k]) if k in head else v for k, v in tighter.items()}
        self.trying -= 1
        after = merged(self.once(stmt, head)[1])
        self.settled[id(stmt)] = began, env, head, after
        return after

    def once(self, stmt: ir.Stmt, head: Env) -> tuple[list[Env], list[Env]]:
        """The body once: what locals may be when it goes on with the next turn, and behind the loop."""
        self.loops.append(Loop())
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
                inner = {**head, name: span(first.low, last.high - 1)} if last.high > first.low else None
                after.append(head)
            case ir.ForChain(name, first_, step, body):
                start = self.value(first_, head)
                items = join(start, self.read(step, start))
                items = join(items, self.read(step, items))
                item = without(items, 0)
                inner = None if item is None else {**head, name: item}
                after.append({**head, name: join(items, one(0))})
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

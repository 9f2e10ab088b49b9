"""Inline pure functions and routines, in whole or in part, and specialise functions for constants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from rulelang.base.graphs import strongly_connected
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import (
    call_graph,
    expression_size,
    failing_functions,
    is_expensive,
    mark_recursive,
    may_fail,
)
from rulelang.compiler.ir.walk import (
    LOOPS,
    all_exprs,
    all_statements,
    assigned_locals,
    locals_read,
    rewrite_block,
    rewrite_expr,
    rewrite_exprs,
    substitute,
    with_blocks,
    with_subexpressions,
)
from rulelang.compiler.passes.fold import fold_expression, fold_rewriting
from rulelang.compiler.passes.suspension import mark_pausing

# ---- pure functions

#: Nodes of an expression that is still put in place; a call costs about as much as eight words read.
MOST_NODES = 60
#: How large an expression may grow by what is put in it.
MOST_GROWN_NODES = 300
#: Nodes of a test that is told twice: before a call, and in what is called.
MOST_GUARD_NODES = 12

Values = dict[str, tuple[tuple[str, ...], ir.Expr]]
Guards = dict[str, tuple[tuple[str, ...], ir.Expr, ir.Const]]


def inline_functions(module: ir.Module) -> None:
    """Rewrite the module's functions: callees first, so that what is put in has been simplified before."""
    mark_recursive(module)
    small: Values = {}
    guarded: Guards = {}
    failing = failing_functions(module)
    for group in strongly_connected(call_graph(module)):
        for name in group:
            function = module.functions[name]
            body = _inline_calls(function.body, small, guarded, module, failing)
            module.functions[name] = function = replace(function, body=body)
            if function.kind == "pure" and not function.recursive and not function.lists:
                value = as_expression(body)
                if value is not None and expression_size(value) <= MOST_NODES:
                    small[name] = (function.params, value)
                    continue
                guard = _constant_guard(body)
                if guard is not None:
                    guarded[name] = (function.params, *guard)


def _constant_guard(body: ir.Block) -> tuple[ir.Expr, ir.Const] | None:
    """The test without which a function is this constant, if it is cheap."""
    match body:
        case (ir.Branch(test, _, ()), ir.Return(ir.Const() as rest)):
            pass
        case (ir.Set(name, ir.Const() as rest), ir.Branch(test, _, ()), ir.Return(ir.Local(answer))) if name == answer:
            pass
        case _:
            return None
    return (test, rest) if expression_size(test) <= MOST_GUARD_NODES and not is_expensive(test) else None


def _composed_table(module: ir.Module, outer: str, inner: str) -> str:
    """The table of `outer[inner[i]]` by i."""
    name = f"{outer}@{inner}"
    if name not in module.tables:
        whole = module.tables[outer]
        module.tables[name] = tuple(whole[i] if 0 <= i < len(whole) else 0 for i in module.tables[inner])
    return name


def _inline_calls(block: ir.Block, small: Values, guarded: Guards, module: ir.Module, failing: set[str]) -> ir.Block:
    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Table) and isinstance(expr.index, ir.Table):
            return ir.Table(_composed_table(module, expr.name, expr.index.name), expr.index.index)
        if isinstance(expr, ir.Call) and expr.function in small:
            params, value = small[expr.function]
            # An argument is worked out before a call, also if nothing comes to need it.
            if _is_worth_inlining(params, value, expr.args) and not any(may_fail(arg, failing) for arg in expr.args):
                given = dict(zip(params, expr.args, strict=True))
                return _fold_with(value, given)
        if isinstance(expr, ir.Call) and expr.function in guarded:
            params, test, rest = guarded[expr.function]
            if all(isinstance(arg, (ir.Local, ir.Const)) for arg in expr.args):
                return fold_expression(ir.If(_fold_with(test, dict(zip(params, expr.args, strict=True))), expr, rest))
        return fold_expression(expr)

    return fold_rewriting(block, change)


def _fold_with(value: ir.Expr, given: dict[str, ir.Expr]) -> ir.Expr:
    return rewrite_expr(
        value, lambda e: given[e.name] if isinstance(e, ir.Local) and e.name in given else fold_expression(e)
    )


def _is_worth_inlining(params: tuple[str, ...], value: ir.Expr, args: tuple[ir.Expr, ...]) -> bool:
    uses = [e.name for e in with_subexpressions(value) if isinstance(e, ir.Local)]
    for param, arg in zip(params, args, strict=True):
        count = uses.count(param)
        if isinstance(arg, (ir.Local, ir.Const)) or count <= 1 or (count == 2 and _plain_word(arg)):
            continue
        return False
    return expression_size(value) + sum(expression_size(a) for a in args) <= MOST_GROWN_NODES


def _plain_word(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Cell) and (expr.index is None or isinstance(expr.index, (ir.Local, ir.Const)))


def as_expression(block: ir.Block) -> ir.Expr | None:
    """A body that only tests and returns, as one expression; None if it does more, or comes to more than is put in
    place anyway: what follows a test that does not end everything is there twice, and tests that follow each other are
    many."""
    return _block_as_expression(block, [MOST_NODES])


def _block_as_expression(block: ir.Block, room: list[int]) -> ir.Expr | None:
    """`room`: one number, of the tests and values that may still come."""
    room[0] -= 1
    if not block or room[0] < 0:
        return None
    first, rest = block[0], block[1:]
    if isinstance(first, ir.Return):
        return first.value
    if not isinstance(first, ir.Branch):
        return None
    then = _block_as_expression((*first.then, *rest), room)
    otherwise = None if then is None else _block_as_expression((*first.otherwise, *rest), room)
    return None if then is None or otherwise is None else fold_expression(ir.If(first.test, then, otherwise))


# ---- routines

#: Statements of a routine that is still put in place (log lines do not count: the fast mode has none).
MOST_STATEMENTS = 7
#: The same of one that no author wrote, so that no error has to name it, and places that call it at most: one in the
#: rules, one where scenarios lay out a position.
MOST_OWN_STATEMENTS, MOST_OWN_CALLS = 40, 2


def inline_routines(module: ir.Module) -> None:
    """Rewrite the module's routines, callees first."""
    mark_pausing(module)
    mark_recursive(module)
    small: dict[str, ir.Function] = {}
    calls = Counter(
        s.function for f in module.functions.values() for s in all_statements(f.body) if _is_routine_call(s)
    )
    work = _RoutineInliner(small)
    for group in strongly_connected(call_graph(module)):
        for name in group:
            function = module.functions[name]
            if function.kind != "routine":
                continue
            work.number = 0
            function = replace(function, body=work.block(function.body))
            module.functions[name] = function
            size = (
                MOST_OWN_STATEMENTS if function.span == NOWHERE and calls[name] <= MOST_OWN_CALLS else MOST_STATEMENTS
            )
            if not function.pausing and not function.recursive and _is_small_routine(function, size):
                small[name] = function


def _is_routine_call(stmt: ir.Stmt) -> TypeGuard[ir.CallRoutine]:
    return isinstance(stmt, ir.CallRoutine)


def _is_small_routine(function: ir.Function, size: int) -> bool:
    inside = list(all_statements(function.body))
    if any(isinstance(s, (ir.Return, ir.Pick, ir.Ensure, ir.Break, ir.Continue)) for s in inside):
        return False
    if any(isinstance(s, ir.While) and s.budget for s in inside):
        return False
    if any(isinstance(s, ir.Random) and s.die for s in inside):
        return False
    return sum(not isinstance(s, (ir.Log, ir.LogEnd)) for s in inside) <= size


class _RoutineInliner:
    """Puts callees in. `number`: so that every place has names of its own in its function."""

    def __init__(self, small: dict[str, ir.Function]) -> None:
        self.small = small
        self.number = 0

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.CallRoutine) and stmt.result is None and stmt.function in self.small:
                found += self.put(self.small[stmt.function], stmt.args)
            else:
                found.append(with_blocks(stmt, self.block))
        return tuple(found)

    def put(self, function: ir.Function, args: tuple[ir.Expr, ...]) -> list[ir.Stmt]:
        self.number += 1
        given: dict[str, ir.Expr] = {}
        head: list[ir.Stmt] = []
        changed = {name for s in all_statements(function.body) for name in assigned_locals(s)}
        for param, arg in zip(function.params, args, strict=True):
            if isinstance(arg, (ir.Local, ir.Const)) and param not in changed:
                given[param] = arg
            else:
                name = f"{param}^{function.name}^{self.number}"
                head.append(ir.Set(name, arg))
                given[param] = ir.Local(name)
        for name in sorted(changed - set(function.params)):
            given[name] = ir.Local(f"{name}^{function.name}^{self.number}")
        return [*head, *(_with_renamed_locals(s, given) for s in function.body)]


def _with_renamed_locals(stmt: Any, given: dict[str, ir.Expr]) -> Any:
    def name(old: str) -> str:
        new = given.get(old)
        return new.name if isinstance(new, ir.Local) else old

    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Local):
            return given.get(expr.name, expr)
        if isinstance(expr, (ir.Length, ir.Item)):
            return replace(expr, list=name(expr.list))
        return expr

    found: Any = rewrite_exprs(stmt, change)
    for field in ("name", "list", "result"):
        old = getattr(found, field, None)
        if isinstance(old, str):
            found = replace(found, **{field: name(old)})
    return with_blocks(found, lambda block: tuple(_with_renamed_locals(s, given) for s in block))


# ---- partial inlining

#: Nodes of an opening at most, and of what a test comes to that holds.
MOST_OPENING_NODES, MOST_RESULT_NODES = 60, 10
#: Tests behind each other that are looked at: that do not hold, and behind one that does.
MOST_FALSE_TESTS, MOST_TRUE_TESTS = 12, 2


class PartialInlining:
    """Into the calls of the functions of a module. `failing`: the functions that may fail."""

    def __init__(self, functions: Mapping[str, ir.Function], failing: set[str]) -> None:
        self.functions, self.failing = functions, failing
        self.known: dict[str, ir.Expr | None] = {}

    def inlined(self, block: ir.Block) -> ir.Block:
        """A block, calls in its loops partly inlined; those outside are too few to write more for them."""
        if not any(isinstance(stmt, LOOPS) for stmt in all_statements(block)):
            return block
        return tuple(self._all(s) if isinstance(s, LOOPS) else with_blocks(s, self.inlined) for s in block)

    def _all(self, loop: ir.Stmt) -> ir.Stmt:
        def change(expr: ir.Expr) -> ir.Expr:
            if not isinstance(expr, ir.Call):
                return expr
            opening = self.of(expr.function)
            if opening is None or not all(isinstance(arg, (ir.Local, ir.Const)) for arg in expr.args):
                return expr
            return substitute(opening, self.functions[expr.function].params, expr.args)

        return with_blocks(loop, lambda body: rewrite_block(body, change))

    def of(self, name: str) -> ir.Expr | None:
        """A function's opening, None if it has none."""
        if name not in self.known:
            self.known[name] = self._opening(self.functions[name])
        return self.known[name]

    def _opening(self, function: ir.Function) -> ir.Expr | None:
        if function.kind != "pure" or function.recursive or function.lists or len(function.body) < 2:
            return None
        call = ir.Call(function.name, tuple(map(ir.Local, function.params)))
        found = _block_value(function.body, {}, call, MOST_FALSE_TESTS)
        match found:
            case ir.If(_, ir.Call(), ir.Const()):  # the test stands before its calls already
                return None
        # What may fail would be worked out later there, or not at all.
        failing = any(isinstance(s, ir.Set) and may_fail(s.value, self.failing) for s in all_statements(function.body))
        return None if isinstance(found, ir.Call) or expression_size(found) > MOST_OPENING_NODES or failing else found


def _block_value(block: ir.Block, known: Mapping[str, ir.Expr], call: ir.Call, room: int) -> ir.Expr:
    """What a block comes to, by the values of locals that it has set; the call where there is more to do. `room`: how
    many tests may still be looked at, one behind the other."""

    def told(expr: ir.Expr) -> ir.Expr:
        return substitute(expr, tuple(known), tuple(known.values()))

    match block:
        case (ir.Return(value), *_) if value is not None:
            return told(value)
        case (ir.Set(name, value), *rest):
            kept = ir.Local(f"{name}#{room}")
            found = _block_value(tuple(rest), {**known, name: kept}, call, room - 1)
            if sum(expr == kept for expr in with_subexpressions(found)) > 1:
                return call
            return substitute(found, (kept.name,), (told(value),))
        case (ir.Branch(test, then, otherwise), *rest) if room > 0:
            other = _block_value((*otherwise, *rest), known, call, room - 1)
            one = _block_value((*then, *rest), known, call, min(room - 1, MOST_TRUE_TESTS))
            if expression_size(one) > MOST_RESULT_NODES:
                one = call
            return call if one == other == call else fold_expression(ir.If(told(test), one, other))
        case _:
            return call


# ---- specialisation

#: Functions made of one.
MOST_COPIES = 4


def specialise(module: ir.Module) -> ir.Module:
    """The module with such functions, called where they serve. Those that they were made of stay: the host calls
    them."""
    mark_recursive(module)
    work = _Specialiser(dict(module.functions), failing_functions(module))
    for name in module.functions:
        work.waiting.append(name)
        while work.waiting:
            found = work.functions[work.waiting.pop()]
            work.functions[found.name] = replace(found, body=rewrite_block(found.body, work.change))
    return replace(module, functions=work.functions)


class _Specialiser:
    def __init__(self, functions: dict[str, ir.Function], failing: set[str]) -> None:
        self.functions, self.failing = functions, failing
        self.known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self.made: dict[tuple[str, tuple[ir.Const | None, ...]], tuple[str, tuple[str, ...]] | None] = {}
        self.numbers: Counter[str] = Counter()  # how many were made of each
        self.waiting: list[str] = []  # functions whose calls are still to be looked at

    def change(self, expr: ir.Expr) -> ir.Expr:
        if not isinstance(expr, ir.Call):
            return expr
        function = self.functions[expr.function]
        if function.recursive or function.lists or "@" in function.name:
            return expr
        fixed, read = self.params(function)
        constants = tuple(
            arg if isinstance(arg, ir.Const) and param in fixed else None
            for param, arg in zip(function.params, expr.args, strict=True)
        )
        key = (function.name, constants)
        if key not in self.made:
            self.made[key] = self.make(function, constants, read)
        made = self.made[key]
        if made is None:
            return expr
        name, params = made
        left_out = [arg for param, arg in zip(function.params, expr.args, strict=True) if param not in params]
        if any(may_fail(arg, self.failing) for arg in left_out):
            return expr
        args = tuple(arg for param, arg in zip(function.params, expr.args, strict=True) if param in params)
        return ir.Call(name, args)

    def params(self, function: ir.Function) -> tuple[frozenset[str], frozenset[str]]:
        """The parameters that are read and never set, and those that are read."""
        if function.name not in self.known:
            changed = {name for stmt in all_statements(function.body) for name in assigned_locals(stmt)}
            read = {name for stmt in all_statements(function.body) for name in locals_read(stmt)} | changed
            mine = frozenset(function.params)
            self.known[function.name] = mine & (read - changed), mine & read
        return self.known[function.name]

    def make(
        self, function: ir.Function, constants: tuple[ir.Const | None, ...], read: frozenset[str]
    ) -> tuple[str, tuple[str, ...]] | None:
        """The name of the function for such a call, and the parameters that it still has; None if it has no less to
        do."""
        given = {p: constant for p, constant in zip(function.params, constants, strict=True) if constant is not None}
        params = tuple(param for param in function.params if param in read and param not in given)
        body = _with_constants(function.body, given)
        fewer = len(params) < len(function.params) - len(given)
        if self.numbers[function.name] >= MOST_COPIES or not (
            fewer or _block_size(body) < _block_size(function.body) - len(given)
        ):
            return None
        self.numbers[function.name] += 1
        name = f"{function.name}@{self.numbers[function.name]}"
        self.functions[name] = replace(function, name=name, params=params, body=body)
        self.waiting.append(name)
        return name, params


def _with_constants(block: ir.Block, given: Mapping[str, ir.Expr]) -> ir.Block:
    def change(expr: ir.Expr) -> ir.Expr:
        return given.get(expr.name, expr) if isinstance(expr, ir.Local) else fold_expression(expr)

    return fold_rewriting(block, change)


def _block_size(block: ir.Block) -> int:
    return sum(1 for stmt in all_statements(block) for _ in all_exprs(stmt))

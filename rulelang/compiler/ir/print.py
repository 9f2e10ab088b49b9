"""A module of the IR as text to read: one function after the other, expressions as they would be written."""

from __future__ import annotations

from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir


def dump(module: ir.Module) -> str:
    """All functions, in the module's order, then the entry points."""
    parts = [dump_function(f) for f in module.functions.values()]
    entries = [f"main {module.main}", f"score {module.score}"]
    entries += [f"tiebreak {name}" for name in module.tiebreak]
    entries += [f"invariant {title}: {name}" for title, name, _ in module.invariants]
    entries += [f"why {key}: {name}" for key, name in module.why.items()]
    entries += [f"callable {key}: {name}({', '.join(kinds)})" for key, (name, kinds) in module.callable.items()]
    return "\n\n".join([*parts, "\n".join(entries)]) + "\n"


def dump_function(function: ir.Function) -> str:
    marks = [mark for mark in ("pausing", "recursive") if getattr(function, mark)]
    params = ", ".join(f"{p}[]" if p in function.lists else p for p in function.params)
    head = f"{' '.join([*marks, function.kind])} {function.name}({params})"
    where = "" if function.span == NOWHERE else f"  {function.span}"
    return "\n".join([f"{head}:  # {function.title}{where}", *_block(function.body, 1)])


def _block(block: ir.Block, level: int) -> list[str]:
    lines: list[str] = []
    for stmt in block:
        lines += _statement(stmt, level)
    return lines or ["    " * level + "pass"]


def _statement(stmt: ir.Stmt, level: int) -> list[str]:
    pad = "    " * level
    match stmt:
        case ir.Branch(test, then, otherwise):
            lines = [f"{pad}if {show(test)}:", *_block(then, level + 1)]
            return [*lines, f"{pad}else:", *_block(otherwise, level + 1)] if otherwise else lines
        case ir.While(test, body, budget):
            return [f"{pad}while {show(test)}:{'  # counted' if budget else ''}", *_block(body, level + 1)]
        case ir.Given(names, body):
            return [f"{pad}given {', '.join(sorted(names)) or 'nothing'}:", *_block(body, level + 1)]
        case ir.EnterRoutine(function, args, frame, body):
            head = f"{pad}enter {function}({_list(args)}) with its frame at {show(frame)}; if it waits:"
            return [head, *_block(body, level + 1)]
        case ir.ForRange(name, low, end, body):
            return [f"{pad}for {name} from {show(low)} below {show(end)}:", *_block(body, level + 1)]
        case ir.ForChain(name, first, following, body):
            return [f"{pad}for {name} along {show(first)} by S[{following} + _]:", *_block(body, level + 1)]
        case ir.ForArray(name, zone, body, distinct):
            mark = f" distinct by {distinct}" if distinct is not None else ""
            return [f"{pad}for {name} in array {show(zone)}{mark}:", *_block(body, level + 1)]
        case ir.ForList(name, items, body):
            return [f"{pad}for {name} in {items}:", *_block(body, level + 1)]
        case ir.ForTable(name, row, index, body):
            return [f"{pad}for {name} in {row}[{show(index)}]:", *_block(body, level + 1)]
        case _:
            return [pad + _simple(stmt)]


def _simple(stmt: ir.Stmt) -> str:
    match stmt:
        case ir.Set(name, value):
            return f"{name} = {show(value)}"
        case ir.Store(base, index, value, limits):
            return f"{_cell(base, index)} = {show(value)}{_limits(limits)}"
        case ir.Add(base, index, value, limits):
            return f"{_cell(base, index)} += {show(value)}{_limits(limits)}"
        case ir.Fill(base, count, value, index):
            return f"fill {count} from {_cell(base, index)} with {value}"
        case ir.Break():
            return "break"
        case ir.Continue():
            return "continue"
        case ir.Return(value):
            return "return" if value is None else f"return {show(value)}"
        case ir.NewList(name, capacity):
            return f"{name} = [] up to {capacity}"
        case ir.Append(items, value):
            return f"append {show(value)} to {items}"
        case ir.ArrayToList(name, zone, capacity):
            return f"{name} = items of array {show(zone)} up to {capacity}"
        case ir.TakeAt(items, index):
            return f"take {items}[{show(index)}] out"
        case ir.Sort(items, name, keys):
            return f"sort {items} by {name}: {_keys(keys)}"
        case ir.KeepBest(items, name, keys):
            return f"keep best of {items} by {name}: {_keys(keys)}"
        case ir.CallRoutine(function, args, result):
            return f"{'' if result is None else f'{result} = '}call {function}({_list(args)})"
        case ir.Pick():
            return _pick(stmt)
        case ir.Stop(site):
            return f"stop at {site}"
        case ir.Yield(values, compels):
            return f"yield ({_list(values)}){'' if compels is None else f' compelling if {show(compels)}'}"
        case ir.Random(name, bound, die):
            return f"{name} = {'die' if die else 'policy' if stmt.policy else 'random'}({show(bound)})"
        case ir.Fail(code, _, message, args):
            return f"fail {code} {message!r} ({_list(args)})"
        case ir.Ensure(condition, reason):
            return f"ensure {show(condition)} else reason {reason}"
        case ir.Blame(reason, args):
            return f"blame {reason} ({_list(args)})"
        case ir.BlameCall(function, args):
            return f"blame as {function}({_list(args)})"
        case ir.Log(template, args, opens):
            return f"{'open' if opens else 'log'} {template} ({_list(args)})"
        case _:
            return _array(stmt)


def _array(stmt: ir.Stmt) -> str:
    match stmt:
        case ir.ArrayPush(zone, value, bottom):
            return f"push {show(value)} {'under' if bottom else 'on'} array {show(zone)}"
        case ir.ArrayDrop(zone, value):
            return f"drop {show(value)} from array {show(zone)}"
        case ir.ArrayDraw(source, target, count, where, zone_id):
            return f"draw {show(count)} from {show(source)} to {show(target)}, S[{where} + _] = {show(zone_id)}"
        case ir.ArrayAppendAll(source, target, where, zone_id, bottom):
            side = "under" if bottom else "on"
            return f"put all of {show(source)} {side} {show(target)}, S[{where} + _] = {show(zone_id)}"
        case ir.ArrayShuffle(zone):
            return f"shuffle array {show(zone)}"
        case ir.Curtain(up):
            return f"curtain {'up' if up else 'down'}"
        case ir.Tick():
            return "tick"
        case ir.Divide(quotient, remainder, value, by):
            return f"{quotient}, {remainder} = {show(value)} divided by {show(by)}"
        case ir.CallPure(function, args, results):
            return f"{', '.join(results)} = {function}({_list(args)})"
        case ir.ReturnMany(values):
            return f"return {_list(values)}"
        case ir.Unreachable():
            return "unreachable"
        case ir.DistinctList(name, zone, table):
            return f"{name} = items of array {show(zone)} distinct by {table}"
        case ir.ArrayView(name, zone):
            return f"{name} = view of array {show(zone)}"
        case ir.NewTuples(name, width, capacity):
            return f"{name} = [] of {width} values each{f' up to {capacity}' if capacity else ''}"
        case ir.AppendTuple(items, values):
            return f"append ({_list(values)}) to {items}"
        case ir.ReadTuple(items, index, targets):
            return f"{', '.join(targets)} = {items}[{show(index)}]"
        case ir.Decided(site, player):
            return f"decided at {site} by player {show(player)}"
        case ir.Forced(site):
            return f"forced at {site}"
        case ir.ListToArray(zone, items):
            return f"array {show(zone)} = items of {items}"
        case ir.ListAll(tag, enumerator, args, compels):
            return f"tell {tag}: {enumerator}({_list(args)}){'' if compels is None else f', {compels} if one compels'}"
        case ir.Ask(name, function, args):
            return f"{name} = options of {function}({_list(args)})"
        case ir.Take(function, args, number, targets):
            which = "the answer" if number is None else f"option {show(number)}"
            return f"{', '.join(targets)} = {which} of {function}({_list(args)})"
        case ir.Answered(name):
            return f"{name} = answered"
        case ir.Pause():
            return "pause"
        case ir.Point(pc):
            return f"point {pc}"
        case ir.Exhausted(what):
            return f"no {what} left"
        case ir.LogEnd(ends):
            return "close" if ends else "note"
        case _:
            raise TypeError(stmt)


def _pick(stmt: ir.Pick) -> str:
    who = "chance" if stmt.player is None else f"player {show(stmt.player)}"
    sources = "; ".join(f"{s.tag}: {s.enumerator}({_list(s.args)})" for s in stmt.sources)
    targets = ", ".join((stmt.tag, *stmt.targets))
    return f"{targets} = pick at {stmt.site} by {who} of [{sources}], pass if {show(stmt.may_pass)}"


def _limits(limits: ir.Limits | None) -> str:
    if limits is None:
        return ""
    ends = "..".join("" if end is None else str(end) for end in (limits.low, limits.high))
    return f"  # {'clamped to' if limits.clamp else 'within'} {ends}"


def _keys(keys: tuple[ir.SortKey, ...]) -> str:
    return ", ".join(f"{'most ' if key.descending else ''}{show(key.value)}" for key in keys)


def _list(args: tuple[ir.Expr, ...]) -> str:
    return ", ".join(map(show, args))


def _cell(base: int, index: ir.Expr | None) -> str:
    return f"S[{base}]" if index is None else f"S[{base} + {show(index)}]"


def show(expr: ir.Expr) -> str:
    """An expression; every operation but the outermost in parentheses."""
    match expr:
        case ir.Const(value):
            return str(value)
        case ir.Local(name):
            return name
        case ir.Cell(base, index):
            return _cell(base, index)
        case ir.Table(name, index):
            return f"{name}[{show(index)}]"
        case ir.Arith(op, left, right) | ir.Compare(op, left, right):
            return f"{_inner(left)} {op} {_inner(right)}"
        case ir.MinMax(kind, args):
            return f"{kind}({_list(args)})"
        case ir.Logic(op, parts):
            return f" {op} ".join(map(_inner, parts)) if parts else {"and": "true", "or": "false"}[op]
        case ir.Not(operand):
            return f"not {_inner(operand)}"
        case ir.If(test, then, otherwise):
            return f"{_inner(then)} if {_inner(test)} else {_inner(otherwise)}"
        case ir.Call(function, args):
            return f"{function}({_list(args)})"
        case ir.Length(items):
            return f"length({items})"
        case ir.Item(items, index):
            return f"{items}[{show(index)}]"
        case ir.ArrayHas(zone, value):
            return f"{_inner(value)} in array {_inner(zone)}"
        case ir.RowLength(row, index):
            return f"length({row}[{show(index)}])"
        case ir.RowItem(row, index, at):
            return f"{row}[{show(index)}][{show(at)}]"
        case ir.FirstLike(zone, _, value, table):
            return f"{_inner(value)} first by {table} in array {_inner(zone)}"
        case ir.Mode(what):
            return what
        case ir.Trial(function, args):
            return f"try {function}({_list(args)})"


def _inner(expr: ir.Expr) -> str:
    text = show(expr)
    plain = isinstance(expr, (ir.Const, ir.Local, ir.Cell, ir.Table, ir.MinMax, ir.Call, ir.Length, ir.Item))
    return text if plain else f"({text})"

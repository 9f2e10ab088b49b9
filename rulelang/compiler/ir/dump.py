"""Write IR as text: for people to read, and to compare functions of different modules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Any

from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_statements

# ---- printing


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
    return "\n".join([f"{head}:  # {function.title}{where}", *_block_lines(function.body, 1)])


def _block_lines(block: ir.Block, level: int) -> list[str]:
    lines: list[str] = []
    for stmt in block:
        lines += _statement_lines(stmt, level)
    return lines or ["    " * level + "pass"]


def _statement_lines(stmt: ir.Stmt, level: int) -> list[str]:
    pad = "    " * level
    match stmt:
        case ir.Branch(test, then, otherwise):
            lines = [f"{pad}if {show(test)}:", *_block_lines(then, level + 1)]
            return [*lines, f"{pad}else:", *_block_lines(otherwise, level + 1)] if otherwise else lines
        case ir.While(test, body, budget):
            return [f"{pad}while {show(test)}:{'  # counted' if budget else ''}", *_block_lines(body, level + 1)]
        case ir.Given(names, body):
            return [f"{pad}given {', '.join(sorted(names)) or 'nothing'}:", *_block_lines(body, level + 1)]
        case ir.EnterRoutine(function, args, frame, body):
            head = f"{pad}enter {function}({_args(args)}) with its frame at {show(frame)}; if it waits:"
            return [head, *_block_lines(body, level + 1)]
        case ir.ForRange(name, low, end, body):
            return [f"{pad}for {name} from {show(low)} below {show(end)}:", *_block_lines(body, level + 1)]
        case ir.ForChain(name, first, following, body):
            return [f"{pad}for {name} along {show(first)} by S[{following} + _]:", *_block_lines(body, level + 1)]
        case ir.ForArray(name, zone, body, distinct):
            mark = f" distinct by {distinct}" if distinct is not None else ""
            return [f"{pad}for {name} in array {show(zone)}{mark}:", *_block_lines(body, level + 1)]
        case ir.ForList(name, items, body):
            return [f"{pad}for {name} in {items}:", *_block_lines(body, level + 1)]
        case ir.ForTable(name, row, index, body):
            return [f"{pad}for {name} in {row}[{show(index)}]:", *_block_lines(body, level + 1)]
        case _:
            return [pad + _simple_statement(stmt)]


def _simple_statement(stmt: ir.Stmt) -> str:
    match stmt:
        case ir.Set(name, value):
            return f"{name} = {show(value)}"
        case ir.Store(base, index, value, limits):
            return f"{_cell_text(base, index)} = {show(value)}{_limits_text(limits)}"
        case ir.Add(base, index, value, limits):
            return f"{_cell_text(base, index)} += {show(value)}{_limits_text(limits)}"
        case ir.Fill(base, count, value, index):
            return f"fill {count} from {_cell_text(base, index)} with {value}"
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
            return f"sort {items} by {name}: {_keys_text(keys)}"
        case ir.KeepBest(items, name, keys):
            return f"keep best of {items} by {name}: {_keys_text(keys)}"
        case ir.CallRoutine(function, args, result):
            return f"{'' if result is None else f'{result} = '}call {function}({_args(args)})"
        case ir.Pick():
            return _pick_statement(stmt)
        case ir.Stop(site):
            return f"stop at {site}"
        case ir.Yield(values, compels):
            return f"yield ({_args(values)}){'' if compels is None else f' compelling if {show(compels)}'}"
        case ir.Random(name, bound, die):
            return f"{name} = {'die' if die else 'policy' if stmt.policy else 'random'}({show(bound)})"
        case ir.Fail(code, _, message, args):
            return f"fail {code} {message!r} ({_args(args)})"
        case ir.Ensure(condition, reason):
            return f"ensure {show(condition)} else reason {reason}"
        case ir.Blame(reason, args):
            return f"blame {reason} ({_args(args)})"
        case ir.BlameCall(function, args):
            return f"blame as {function}({_args(args)})"
        case ir.Log(template, args, opens):
            return f"{'open' if opens else 'log'} {template} ({_args(args)})"
        case _:
            return _array_statement(stmt)


def _array_statement(stmt: ir.Stmt) -> str:
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
            return f"{', '.join(results)} = {function}({_args(args)})"
        case ir.ReturnMany(values):
            return f"return {_args(values)}"
        case ir.Unreachable():
            return "unreachable"
        case ir.DistinctList(name, zone, table):
            return f"{name} = items of array {show(zone)} distinct by {table}"
        case ir.ArrayView(name, zone):
            return f"{name} = view of array {show(zone)}"
        case ir.NewTuples(name, width, capacity):
            return f"{name} = [] of {width} values each{f' up to {capacity}' if capacity else ''}"
        case ir.AppendTuple(items, values):
            return f"append ({_args(values)}) to {items}"
        case ir.ReadTuple(items, index, targets):
            return f"{', '.join(targets)} = {items}[{show(index)}]"
        case ir.Decided(site, player):
            return f"decided at {site} by player {show(player)}"
        case ir.Forced(site):
            return f"forced at {site}"
        case ir.ListToArray(zone, items):
            return f"array {show(zone)} = items of {items}"
        case ir.ListAll(tag, enumerator, args, compels):
            return f"tell {tag}: {enumerator}({_args(args)}){'' if compels is None else f', {compels} if one compels'}"
        case ir.Ask(name, function, args):
            return f"{name} = options of {function}({_args(args)})"
        case ir.Take(function, args, number, targets):
            which = "the answer" if number is None else f"option {show(number)}"
            return f"{', '.join(targets)} = {which} of {function}({_args(args)})"
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


def _pick_statement(stmt: ir.Pick) -> str:
    who = "chance" if stmt.player is None else f"player {show(stmt.player)}"
    sources = "; ".join(f"{s.tag}: {s.enumerator}({_args(s.args)})" for s in stmt.sources)
    targets = ", ".join((stmt.tag, *stmt.targets))
    return f"{targets} = pick at {stmt.site} by {who} of [{sources}], pass if {show(stmt.may_pass)}"


def _limits_text(limits: ir.Limits | None) -> str:
    if limits is None:
        return ""
    ends = "..".join("" if end is None else str(end) for end in (limits.low, limits.high))
    return f"  # {'clamped to' if limits.clamp else 'within'} {ends}"


def _keys_text(keys: tuple[ir.SortKey, ...]) -> str:
    return ", ".join(f"{'most ' if key.descending else ''}{show(key.value)}" for key in keys)


def _args(args: tuple[ir.Expr, ...]) -> str:
    return ", ".join(map(show, args))


def _cell_text(base: int, index: ir.Expr | None) -> str:
    return f"S[{base}]" if index is None else f"S[{base} + {show(index)}]"


def show(expr: ir.Expr) -> str:
    """An expression; every operation but the outermost in parentheses."""
    match expr:
        case ir.Const(value):
            return str(value)
        case ir.Local(name):
            return name
        case ir.Cell(base, index):
            return _cell_text(base, index)
        case ir.Table(name, index):
            return f"{name}[{show(index)}]"
        case ir.Arith(op, left, right) | ir.Compare(op, left, right):
            return f"{_operand_text(left)} {op} {_operand_text(right)}"
        case ir.MinMax(kind, args):
            return f"{kind}({_args(args)})"
        case ir.Logic(op, parts):
            return f" {op} ".join(map(_operand_text, parts)) if parts else {"and": "true", "or": "false"}[op]
        case ir.Not(operand):
            return f"not {_operand_text(operand)}"
        case ir.If(test, then, otherwise):
            return f"{_operand_text(then)} if {_operand_text(test)} else {_operand_text(otherwise)}"
        case ir.Call(function, args):
            return f"{function}({_args(args)})"
        case ir.Length(items):
            return f"length({items})"
        case ir.Item(items, index):
            return f"{items}[{show(index)}]"
        case ir.ArrayHas(zone, value):
            return f"{_operand_text(value)} in array {_operand_text(zone)}"
        case ir.RowLength(row, index):
            return f"length({row}[{show(index)}])"
        case ir.RowItem(row, index, at):
            return f"{row}[{show(index)}][{show(at)}]"
        case ir.FirstLike(zone, _, value, table):
            return f"{_operand_text(value)} first by {table} in array {_operand_text(zone)}"
        case ir.Mode(what):
            return what
        case ir.Trial(function, args):
            return f"try {function}({_args(args)})"


def _operand_text(expr: ir.Expr) -> str:
    text = show(expr)
    plain = isinstance(expr, (ir.Const, ir.Local, ir.Cell, ir.Table, ir.MinMax, ir.Call, ir.Length, ir.Item))
    return text if plain else f"({text})"


# ---- fingerprints of functions

#: By kind of node the field that has the number or the name of something that the module keeps apart, and where.
_KEPT_FIELDS = {
    ir.Pick: ("site", "sites"),
    ir.Stop: ("site", "sites"),
    ir.Decided: ("site", "sites"),
    ir.Forced: ("site", "sites"),
    ir.Log: ("template", "templates"),
    ir.Ensure: ("reason", "reasons"),
    ir.Blame: ("reason", "reasons"),
    ir.Table: ("name", "tables"),
    ir.FirstLike: ("table", "tables"),
    ir.DistinctList: ("table", "tables"),
    ir.ForArray: ("distinct", "tables"),
    ir.ForTable: ("row", "rows"),
    ir.RowLength: ("row", "rows"),
    ir.RowItem: ("row", "rows"),
}
_NUMBERED = {"sites": 1, "templates": 0, "reasons": 0}
_FIELDS: dict[type, tuple[str, ...]] = {}


class Fingerprints:
    """Of the functions of one lowered module, each by a text that is the same for those that are alike. `functions`:
    all of them, where more are lowered later."""

    def __init__(self, module: ir.Module, functions: Mapping[str, ir.Function] | None = None) -> None:
        self.module = module
        self.functions = module.functions if functions is None else functions
        self._known: dict[str, str] = {}
        self._things: dict[tuple[str, object], Any] = {}

    def of(self, name: str) -> str:
        """Of a function; "" where the module has none of this name."""
        if name not in self._known and name in self.functions:
            self._known[name] = _digest(self._said(self.functions[name]))
        return self._known.get(name, "")

    def of_question(self, name: str, asked: str) -> str:
        """Of a function that was asked for by a number, with all that were made for questions and that it calls: their
        names, in which `asked` stands, tell nothing."""
        made = re.compile(rf"\w*{asked}\w*")
        found, said = [name], list[str]()

        def numbered(its: re.Match[str]) -> str:
            return str(found.index(its[0])) if its[0] in found else its[0]

        for one in found:  # it grows meanwhile
            text = repr(self._said(self.functions[one]))
            found += [new for new in dict.fromkeys(made.findall(text)) if new in self.functions and new not in found]
            said.append(made.sub(numbered, text))
        return _digest(said)

    def whole(self) -> str:
        """Of what is said outside of functions: how states lie and begin, what is called from outside."""
        module = self.module
        actions = {(a.id, a.name, a.types, a.params, a.source) for s in module.sites for a in s.actions}
        names = module.main, module.score, module.tiebreak, [one[:2] for one in module.invariants]
        calls = sorted(module.why.items()), sorted(module.callable.items())
        return _digest(
            (_flattened(module.layout), module.initial, sorted(actions), names, calls, module.teams, module.limits)
        )

    def _said(self, function: ir.Function) -> list[Any]:
        head = function.kind, function.params, sorted(function.lists), function.results, function.keeps, function.title
        said: list[Any] = [head, self._node(function.body)]
        # What lists the options of a decision is put into the function that takes it.
        sources = (s for stmt in all_statements(function.body) if isinstance(stmt, ir.Pick) for s in stmt.sources)
        said += [self.of(source.enumerator) for source in sources]
        if function.name == self.module.why.get(ir.MORE):  # it is told reasons by their numbers
            said += [self._thing("reasons", number) for number in range(len(self.module.reasons))]
        return said

    def _node(self, node: Any) -> Any:
        kind = type(node)
        if kind is tuple:
            return [self._node(item) for item in node]
        if kind is Span:
            return None
        if kind is frozenset:
            return sorted(node)
        if kind is int or kind is str or node is None or kind is bool:
            return node
        found = [kind.__name__]
        kept, where = _KEPT_FIELDS.get(kind, ("", ""))
        for name in _field_names(kind):
            value = getattr(node, name)
            found.append(self._thing(where, value) if name == kept else self._node(value))
        return found

    def _thing(self, where: str, key: Any) -> Any:
        """What the module keeps apart from its functions, without its place in the rules."""
        if (where, key) not in self._things:
            kept = None if key is None else getattr(self.module, where)
            number = key - _NUMBERED[where] if where in _NUMBERED else key
            self._things[where, key] = None if kept is None else _digest(_flattened(kept[number]))
        return self._things[where, key]


def _field_names(kind: Any) -> Sequence[str]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def _flattened(value: Any) -> Any:
    """Records as lists, without places in the rules."""
    kind = type(value)
    if kind is Span:
        return None
    if kind is tuple or kind is list:
        return [_flattened(item) for item in value]
    if kind is frozenset or kind is set:
        return sorted(map(repr, value))
    if isinstance(value, dict):
        return [(key, _flattened(item)) for key, item in value.items()]
    if hasattr(kind, "__dataclass_fields__"):
        return [kind.__name__, *(_flattened(getattr(value, name)) for name in _field_names(kind))]
    return value


def _digest(said: Any) -> str:
    return sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()

"""Choose how each decision is drawn, and write the forms of routines that draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

from rulelang.base.graphs import reaching
from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import expression_size, is_expensive, routine_calls
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    all_statements,
    child_exprs,
    conjunction_of,
    conjuncts,
    has_break,
    has_continue,
    with_blocks,
    with_subexpressions,
)
from rulelang.compiler.passes.bit_tests import flag_group_of, under_one_test, use_membership_masks
from rulelang.compiler.passes.choice.counting import (
    PASS,
    ConstantRows,
    CountedDecision,
    Enumerators,
    ListCapacity,
    count_and_take,
    count_decision,
    decide_at_once,
    draw_number,
    pass_only,
    rename_loop_local,
    store_option,
)
from rulelang.compiler.passes.choice.proposal_weights import ProposalWeights, pick_weighted, proposal_weights
from rulelang.compiler.passes.choice.rejection import (
    Nest,
    draw_equivalent_card,
    nest_of,
    pick_product,
    picks_equivalent_card,
)
from rulelang.compiler.passes.choice.shapes import ONE, FreshNames, PlacedBody, Shape, may_compel, shape_of, sum_of

# ---- drawing from a list of all options

#: Nodes of a condition that is cheap.
CHEAP_NODES = 8
#: Options that are listed. If there are more, they are counted, and one is found again.
MOST_LISTED = 256


def is_listable(function: ir.Function) -> bool:
    """Whether an enumerator can be put in place: it has no lists of its own, and does not end early."""
    return not function.lists and not any(isinstance(s, (ir.Return, ir.NewList)) for s in all_statements(function.body))


@record
class OptionListing:
    """`flags`: locals, and the conditions that they hold. `block`: appends each option, tag first, to a list."""

    flags: tuple[tuple[str, ir.Expr], ...]
    block: ir.Block


def list_options(stmt: ir.Pick, functions: Mapping[str, ir.Function], options: str, fresh: FreshNames) -> OptionListing:
    """What lists the options of a decision whose sources are all listable, in the list `options`."""
    flags: list[tuple[str, ir.Expr]] = []
    placed: list[ir.Stmt] = []
    for source in stmt.sources:
        placed += _place_source(functions[source.enumerator], source, options, 1 + len(stmt.targets), fresh)
    block = tuple(_join_loops(placed, flags, fresh))
    return OptionListing(tuple(flags), block)


def pick_listed(stmt: ir.Pick, known: Enumerators, fresh: FreshNames) -> ir.Block:
    """The decision, in which pass is always possible and nothing compels, and whose sources are all listable."""
    options, number, total = fresh("o"), fresh("k"), fresh("n")
    found = list_options(stmt, known.functions, options, fresh)
    given = frozenset(arg.name for source in stmt.sources for arg in source.args if isinstance(arg, ir.Local))
    count, k = ir.Local(total), ir.Local(number)
    few: ir.Block = (
        count_decision(stmt),
        draw_number(number, sum_of(count, ONE)),
        ir.Branch(
            ir.Compare("<", k, count),
            (ir.ReadTuple(options, k, (stmt.tag, *stmt.targets)),),
            store_option(stmt, PASS, 0),
        ),
    )
    many = decide_at_once(stmt, count_and_take(stmt, known, fresh, False))
    crowded = ir.Branch(ir.Compare(">", count, ir.Const(MOST_LISTED)), many, few)
    return (
        *(ir.Set(name, ir.If(test, ONE, ir.Const(0))) for name, test in found.flags),
        ir.NewTuples(options, 1 + len(stmt.targets), MOST_LISTED),
        ir.Given(given, found.block),
        ir.Set(total, ir.Length(options)),
        ir.Branch(count, (crowded,), pass_only(stmt)),
    )


def _place_source(function: ir.Function, source: ir.Source, options: str, width: int, fresh: FreshNames) -> ir.Block:
    """One enumerator's body for one source."""
    place = PlacedBody(function, source.args, fresh)

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        put = place.own(stmt)
        if isinstance(put, ir.Yield):
            values = (ir.Const(source.tag), *put.values)
            return ir.AppendTuple(options, (*values, *([ir.Const(0)] * (width - len(values)))))
        return with_blocks(put, block)

    def block(inner: ir.Block) -> ir.Block:
        return tuple(map(statement, inner))

    return block(function.body)


def _join_loops(block: list[Any], flags: list[tuple[str, ir.Expr]], fresh: FreshNames) -> list[Any]:
    """The block with one loop for all that go over the same things. Conditions around them become flags, unless they
    are cheap and few things come to them."""
    groups: dict[Any, list[tuple[tuple[ir.Expr, ...], Any]]] = {}
    found: list[Any] = []
    for conditions, stmt in _flatten(block, ()):
        if isinstance(stmt, FOR_LOOPS) and not has_break(stmt.body) and not has_continue(stmt.body):
            groups.setdefault(replace(cast(Any, stmt), name="", body=()), []).append((conditions, stmt))
        else:
            found.append(_under_conditions(conditions, (stmt,)))
    for members in groups.values():
        if len(members) == 1:
            conditions, loop = members[0]
            found.append(_under_conditions(conditions, (loop,)))
            continue
        name = members[0][1].name
        parts: list[_ConditionedStatement] = []
        asked: list[ir.Expr] = []
        for conditions, loop in members:
            mine = [
                _ConditionedStatement(inner, stmt) for inner, stmt in _flatten(rename_loop_local(loop, name).body, ())
            ]
            test = conjunction_of(conditions) if conditions else ir.Const(1)
            if not _is_cheap_per_item(test) or (
                expression_size(test) > 2 and any(part.mark(name) is None for part in mine)
            ):
                test = _condition_flag(test, flags, fresh)
            outer = () if test == ir.Const(1) else conjuncts(test)
            parts += [_ConditionedStatement((*outer, *part.conditions), part.stmt) for part in mine]
            asked.append(test)
        whole = replace(members[0][1], body=tuple(_group_flag_tests(parts, name)))
        every = tuple(sorted(dict.fromkeys(asked), key=_test_cost))
        found.append(whole if ir.Const(1) in every else ir.Branch(ir.Logic("or", every), (whole,)))
    return found


@record
class _ConditionedStatement:
    """A statement of a loop's body, with the conditions that it stands under."""

    conditions: tuple[ir.Expr, ...]
    stmt: Any

    def mark(self, item: str) -> tuple[ir.Expr, ir.Cell, int] | None:
        """The condition that asks for marks of the loop's item, their word and bits."""
        for condition in self.conditions:
            found = flag_group_of(condition)
            if found is not None and found[0].index == ir.Local(item):
                return condition, *found
        return None


def _is_cheap_per_item(test: ir.Expr) -> bool:
    """Whether to ask a condition for each item that has some mark takes less than to ask it before the loop."""
    return expression_size(test) <= CHEAP_NODES and not is_expensive(test)


def _test_cost(test: ir.Expr) -> tuple[int, int]:
    """By which the condition that takes least is asked first."""
    return sum(not isinstance(e, (ir.Local, ir.Const, ir.Not)) for e in with_subexpressions(test)), expression_size(
        test
    )


def _condition_flag(test: ir.Expr, flags: list[tuple[str, ir.Expr]], fresh: FreshNames) -> ir.Expr:
    """The local that holds a condition."""
    name = next((name for name, known in flags if known == test), None)
    if name is None:
        name = fresh("flag")
        flags.append((name, test))
    return ir.Local(name)


def _flatten(block: Any, conditions: tuple[ir.Expr, ...]) -> Iterator[tuple[tuple[ir.Expr, ...], Any]]:
    """The statements of a block, each with the conditions that it stands under, as far as nothing is set on the way."""
    for stmt in block:
        plain = isinstance(stmt, ir.Branch) and not stmt.otherwise
        if plain and all(isinstance(s, (ir.Branch, ir.AppendTuple, *FOR_LOOPS)) for s in stmt.then):
            yield from _flatten(stmt.then, (*conditions, *conjuncts(stmt.test)))
        else:
            yield conditions, stmt


def _under_conditions(conditions: tuple[ir.Expr, ...], block: tuple[Any, ...]) -> Any:
    if not conditions:
        return block[0]
    return ir.Branch(conjunction_of(conditions), block)


def _group_flag_tests(parts: list[_ConditionedStatement], item: str) -> list[Any]:
    """The parts of a loop's body; those that ask for a mark in the same word of its item stand under one question for
    any of the marks. Few things have a mark: it is asked for before all else."""
    groups: dict[ir.Cell, tuple[int, list[Any]]] = {}
    rest: list[Any] = []
    for part in parts:
        mark = part.mark(item)
        if mark is None:
            rest.append(_under_conditions(part.conditions, (part.stmt,)))
            continue
        question, word, more = mark
        bits, members = groups.get(word, (0, []))
        others = tuple(c for c in part.conditions if c != question)
        groups[word] = bits | more, [*members, _under_conditions((question, *others), (part.stmt,))]
    for word, (bits, members) in groups.items():
        rest += under_one_test(word, bits, members)
    return rest


# ---- strategies

Strategy = Literal["product", "weighted", "listed", "card", ""]

#: Combinations of ranges and rows in a source that is drawn.
WIDEST = 256


@record
class Sampling:
    """What a backend must know of a module to draw. Its functions are in the module that `sampling` answers.

    `strategies`: how decisions are drawn. `shapes`, `nests`: of all enumerators. `weighted`: supersets that decisions
    are drawn from. `anything`: by enumerator, the pure function of the same arguments that tells whether it has an
    option.
    `routines`: those that hold a decision that is drawn, and all that call them: they exist in this mode too, the rest
    is shared.
    """

    strategies: dict[ir.Pick, Strategy]
    shapes: dict[str, Shape]
    nests: dict[str, Nest | None]
    weighted: dict[str, ProposalWeights]
    anything: dict[str, str]
    routines: frozenset[str]


def plan_sampling(module: ir.Module) -> tuple[ir.Module, Sampling]:
    """The module with the functions that drawing needs besides its own, and what is drawn from which. What is counted
    asks masks then (see `passes.bit_tests`)."""
    functions, tables = dict(module.functions), dict(module.tables)
    enumerators = {name: f for name, f in functions.items() if f.kind == "enumerator"}
    shapes = {name: shape_of(f) for name, f in enumerators.items()}
    nests = {name: nest_of(f) for name, f in enumerators.items()}
    possible = {
        name: found for name, f in enumerators.items() if (found := proposal_weights(f, module.rows)) is not None
    }
    lists = {name for name, f in enumerators.items() if is_listable(f)}
    expensive = {name for name, f in enumerators.items() if _is_expensive_enumerator(f)}
    ways: dict[ir.Pick, Strategy] = {}
    weighted: dict[str, ProposalWeights] = {}
    anything: dict[str, str] = {}
    holders: set[str] = set()
    for name, function in module.functions.items():
        picks = (
            [s for s in all_statements(function.body) if isinstance(s, ir.Pick)] if function.kind == "routine" else []
        )
        for stmt in picks:
            way = _strategy_for(stmt, nests, shapes, possible, lists, expensive, module.rows)
            if not way:
                continue
            holders.add(name)
            ways[stmt] = way
            for enumerator in [s.enumerator for s in stmt.sources] if way in ("product", "weighted") else ():
                if way == "weighted" and enumerator in possible:
                    weighted[enumerator] = possible[enumerator]
                if way == "product" or enumerator in possible:
                    anything[enumerator] = f"{enumerator}?"
    for enumerator, name in anything.items():
        functions[name] = _has_option_function(functions[enumerator], name)
    use_membership_masks(functions, tables)
    shapes = {name: shape_of(f) for name, f in functions.items() if f.kind == "enumerator"}
    made = Sampling(ways, shapes, nests, weighted, anything, frozenset(reaching(holders, routine_calls(module))))
    return replace(module, functions=functions, tables=tables), made


def _is_expensive_enumerator(function: ir.Function) -> bool:
    """Whether an enumerator asks what takes more than a few words."""
    return any(is_expensive(e) for s in all_statements(function.body) for e in child_exprs(s))


def _strategy_for(
    stmt: ir.Pick,
    nests: dict[str, Nest | None],
    shapes: dict[str, Shape],
    weighted: dict[str, ProposalWeights],
    lists: set[str],
    expensive: set[str],
    rows: ConstantRows,
) -> Strategy:
    """How a decision is drawn: "" by counting, unless pass is always possible and nothing compels, or a card of a zone
    has to be taken.

    From the product of all loops where two sources at least are products of two loops or more, and none of more than
    mostly are legal. Else by what is printed
    on the cards of a hand, or from a list of all options, where no hand multiplies them and there is more to ask than
    a few words.
    """
    if not stmt.chance and picks_equivalent_card(stmt, nests):
        return "card"
    if stmt.chance or stmt.may_pass != ir.Const(1) or may_compel(stmt, shapes):
        return ""
    if not all(isinstance(a, (ir.Local, ir.Const)) for s in stmt.sources for a in s.args):
        return ""
    names = [s.enumerator for s in stmt.sources]
    found = [nests[name] for name in names]
    loops = [len(n.loops) for n in found if n is not None]
    # Counting all in one go costs less than counting hoisted ones apart.
    together = any(n is None and shapes[name].hoisted for n, name in zip(found, names, strict=True))
    if (
        not together
        and sum(n > 1 for n in loops) >= 2
        and not any(n is not None and _is_always_wide(n, rows) for n in found)
    ):
        return "product"
    if any(shapes[name].hoisted for name in names):
        return "weighted" if any(name in weighted for name in names) else ""
    return "listed" if len(names) > 1 and lists.issuperset(names) and not expensive.isdisjoint(names) else ""


def _is_always_wide(found: Nest, rows: ConstantRows) -> bool:
    """Whether what is there in every position alike, such as the spaces of a map, what lies near each, and the slots of
    somebody's things, makes so many combinations that few of them will be legal."""
    size = 1
    for loop in found.loops:
        match loop:
            case ir.ForRange(_, ir.Const(low), ir.Const(end)):
                size *= max(end - low, 0)
            case ir.ForRange(_, low, ir.Arith("+", before, ir.Const(many))) if low == before:
                size *= many
            case ir.ForTable(_, row):
                size *= max(map(len, rows[row]), default=0)
    return size > WIDEST


def _has_option_function(function: ir.Function, name: str) -> ir.Function:
    """A pure function: 1 if the enumerator has an option."""

    def change(stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.Yield):
            return ir.Return(ir.Const(1))
        if isinstance(stmt, ir.Return):
            return ir.Return(ir.Const(0))
        if isinstance(stmt, ir.ForArray):
            stmt = replace(stmt, distinct=None)  # what is equal to an item is as good
        return with_blocks(stmt, lambda block: tuple(map(change, block)))

    body = (*map(change, function.body), ir.Return(ir.Const(0)))
    return replace(function, name=name, kind="pure", body=body)


# ---- forms of routines


class RoutineForms:
    """Makes the forms of a module's routines, and the functions that these call. `inline`: whether the enumerators of a
    decision that is taken on the spot are counted in place."""

    def __init__(self, module: ir.Module, sampling: Sampling, room: ListCapacity) -> None:
        self.sampling = sampling
        lines = {kind.next: kind.per_owner for kind in module.layout.kinds.values() if kind.next and room.rounds}
        self.known = Enumerators(module.functions, sampling.shapes, module.rows, module.tables, room, lines)

    def direct(self, function: ir.Function) -> ir.Function:
        fresh = FreshNames()
        return _each_pick(function, lambda stmt: decide_at_once(stmt, count_and_take(stmt, self.known, fresh, True)))

    def drawn(self, function: ir.Function) -> ir.Function:
        fresh = FreshNames()

        def pick(stmt: ir.Pick) -> ir.Block:
            found, known = self.sampling, self.known
            match found.strategies.get(stmt, ""):
                case "product":
                    return pick_product(stmt, found.nests, found.anything, known, fresh)
                case "weighted":
                    return pick_weighted(stmt, found.weighted, found.anything, known, fresh)
                case "listed":
                    return pick_listed(stmt, known, fresh)
                case "card":
                    return draw_equivalent_card(stmt, found.nests, known.functions, fresh)
                case _:
                    return decide_at_once(stmt, count_and_take(stmt, known, fresh, True))

        return _each_pick(function, pick)

    def chance(self, function: ir.Function) -> ir.Function:
        """What waits, or tells a host: only chance is plain."""
        fresh = FreshNames()

        def pick(stmt: ir.Pick) -> ir.Block:
            return decide_at_once(stmt, count_and_take(stmt, self.known, fresh, False)) if stmt.chance else (stmt,)

        return _each_pick(function, pick)

    def counted(self, stmt: ir.Pick) -> CountedDecision:
        """A decision that is waited for, by the number of its option."""
        return count_and_take(stmt, self.known, FreshNames(), True)


def _each_pick(function: ir.Function, change: Callable[[ir.Pick], ir.Block]) -> ir.Function:
    def block(block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.Pick):
                found += change(stmt)
            else:
                found.append(with_blocks(stmt, block_of))
        return tuple(found)

    block_of = block
    return replace(function, body=block(function.body))

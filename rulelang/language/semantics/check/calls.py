"""Check calls, binders and queries: of values, built-in functions and routines."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, arguments_given, did_you_mean, nearest_name, with_article
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins import definitions
from rulelang.language.semantics.builtins.definitions import Query
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.check import expressions, members, names
from rulelang.language.semantics.check.checker import (
    Checker,
    a_type,
    all_known,
    error_expr,
    fit_type,
    may_be_missing,
    same_type,
)
from rulelang.language.semantics.check.symbol_table import Signature, What
from rulelang.language.semantics.model import BOOL, ERROR, INT, PLAYER, Type, ref
from rulelang.language.syntax import nodes

# ---- calls of built-in functions


def builtin_call(checker: Checker, name: str, args: Sequence[nodes.Expr], span: Span) -> tree.Expr:
    """`name(args)` as a value."""
    function = FUNCTIONS[name]
    if function.takes(len(args)) and function.is_set:
        because = f"write `x in {name}(y)` to test for membership, or `KIND x in {name}(y)` to loop over the things"
        expressions.check_anyway(checker, args)
        return checker.error("T408", span, f"`{name}` gives several things, not a single value", because=because)
    return typed_builtin_call(checker, name, args, span) or error_expr(span)


def typed_builtin_call(checker: Checker, name: str, args: Sequence[nodes.Expr], span: Span) -> tree.BuiltinCall | None:
    """The call of a function that gives a value or a set, with its type; None after a diagnostic."""
    function = FUNCTIONS[name]
    if not function.takes(len(args)):
        expressions.check_anyway(checker, args)
        checker.error("T401", span, f"{function.shape}, but {arguments_given(len(args))}")
        return None
    params = (*function.params, *function.params[-1:] * (len(args) - len(function.params)))
    bound: dict[str, str] = {}
    found: list[tree.Expr] = []
    places: list[tree.ZoneRef] = []
    for number, (param, arg) in enumerate(zip(params, args, strict=True), 1):
        one = _argument(checker, function, param, arg, bound)
        if one is None:
            expressions.check_anyway(checker, args[number:])
            return None
        if isinstance(one, tree.ZoneRef):
            places.append(one)
        else:
            found.append(one)
    result = definitions.resolve_type(function.result, bound)
    if may_be_missing(*found) and result.tag in ("int", "ref"):
        result = result.optional()
    return tree.BuiltinCall(result, span, name, tuple(found), tuple(places))


def _argument(
    checker: Checker,
    function: definitions.Function,
    param: definitions.Parameter,
    arg: nodes.Expr,
    bound: dict[str, str],
) -> tree.Expr | tree.ZoneRef | None:
    """What is given for a parameter; a type variable that it is the first to have is bound. None after a diagnostic."""
    if isinstance(param.type, definitions.Zone):
        return _zone(checker, function, param, param.type, arg, bound)
    variable = param.variable
    if not variable or variable in bound:
        return expressions.check_typed(checker, arg, definitions.resolve_type(param.type, bound), param.why(bound))
    found = expressions.check_expr(checker, arg, None)
    if not all_known(found.type):
        return None
    if found.type.tag != param.type.tag or not function.where[variable].has(checker.symbols.model, found.type.name):
        text = Template(param.refused).substitute(function=function.name, found=a_type(found.type))
        checker.error("T414", found.span, text, because=param.because)
        return None
    if param.type.tag == "condition" and not isinstance(found, tree.ColumnRef):
        because = f"`{function.name}` needs a column, as in `{function.name}(c.COLUMN, ...)`"
        checker.error("T414", found.span, "expected a condition that is read from a column", because=because)
        return None
    bound[variable] = found.type.name
    return found


def _zone(
    checker: Checker,
    function: definitions.Function,
    param: definitions.Parameter,
    type_: definitions.Zone,
    arg: nodes.Expr,
    bound: dict[str, str],
) -> tree.ZoneRef | None:
    zone = members.one_zone(checker, arg, param.because)
    if isinstance(zone, tree.BoxRef):
        because = "cards in the box are out of the game"
        checker.error("T407", zone.span, f"the box has no {function.name}", because=because)
        return None
    if zone is not None:
        bound[type_.holds] = zone.zone.holds
    return zone


def is_set_call(node: nodes.Expr) -> bool:
    """Whether an expression is a call of a function that gives several."""
    return isinstance(node, nodes.Call) and node.name in FUNCTIONS and FUNCTIONS[node.name].is_set


# ---- calls


def value_call(checker: Checker, node: nodes.Call, want: Type | None) -> tree.Expr:
    """`name(args)` as an expression: a declared value or a built-in function."""
    signature = checker.symbols.find(node.name, checker.scope.origin)
    if signature is None and node.name in FUNCTIONS:
        return builtin_call(checker, node.name, node.args, node.span)
    if signature is None and (node.name in checker.lost or names.report_removed(checker, node.name, node.name_span)):
        expressions.check_anyway(checker, node.args)  # so that what they name is used
        return error_expr(node.span)
    if signature is None:
        expressions.check_anyway(checker, node.args)
        hint = _value_meant(checker, node.name, want)
        because = _what_it_is(checker, node.name)
        return checker.error("N356", node.name_span, f"there is no value `{node.name}`", because=because, hint=hint)
    if signature.result is None:
        expressions.check_anyway(checker, node.args)
        hint = f"`can {node.name}(...)` is true if it is possible"
        because = "an expression can read the state, but it cannot do anything"
        message = f"`{node.name}` is {with_article(signature.what)}, not a value"
        return checker.error(
            "T419", node.name_span, message, because=because, hint=hint, related=names.declared_at(signature)
        )
    args = call_arguments(checker, signature, node.args, node.span)
    if args is None:
        return error_expr(node.span)
    names.note_call(checker, signature, node.span)
    lost = any(a.type.maybe and not p.type.maybe for a, p in zip(args, signature.params, strict=True))
    type_ = signature.result
    if lost and type_.tag != "bool":
        type_ = type_.optional()
    return tree.ValueCall(type_, node.span, signature.id, args)


def _value_meant(checker: Checker, name: str, want: Type | None) -> str:
    """The nearest name; where that is a value of another type than is wanted, the nearest of this type before it."""
    values = {s.name: s.result for s in checker.symbols.visible(checker.scope.origin) if s.what == "value"}
    like = nearest_name(name, [*values, *FUNCTIONS])
    if like in values and want is not None:
        like = nearest_name(name, [n for n, type_ in values.items() if type_ and type_.sure() == want.sure()]) or like
    return f"did you mean `{like}`?" if like else ""


def call_arguments(
    checker: Checker, signature: Signature, args: Sequence[nodes.Expr], span: Span
) -> tuple[tree.Expr, ...] | None:
    """The typed arguments; None after T401 for a wrong number of them. A `maybe` fits everywhere (Meaning 3)."""
    params = signature.params
    if len(args) != len(params):
        expressions.check_anyway(checker, args)
        checker.error(
            "T401", span, f"{signature.shape}, but {arguments_given(len(args))}", related=names.declared_at(signature)
        )
        return None
    found = []
    for arg, param in zip(args, params, strict=True):
        value = expressions.check_expr(checker, arg, param.type)
        if isinstance(arg, nodes.NoneValue) and not param.type.maybe:
            because = f"{signature.shape}; `{param.name}` cannot be missing"
            found.append(
                checker.error(
                    "T403",
                    arg.span,
                    "this argument cannot be `none`",
                    because=because,
                    related=names.declared_at(signature),
                )
            )
            continue
        found.append(fit_type(checker, value, param.type, signature.shape, related=names.declared_at(signature)))
    return tuple(found)


def event_call(
    checker: Checker, node: nodes.Call, allowed: tuple[What, ...]
) -> tuple[Signature, tuple[tree.Expr, ...]] | None:
    """The routine (or what else is allowed) that is called, with its arguments; None after a diagnostic."""
    signature = checker.symbols.find(node.name, checker.scope.origin)
    kinds = " or ".join(kind for kind in allowed if kind != "invariant")
    if signature is None and (node.name in checker.lost or names.report_removed(checker, node.name, node.name_span)):
        expressions.check_anyway(checker, node.args)
        return None
    if signature is None:
        expressions.check_anyway(checker, node.args)
        there = [s.name for s in checker.symbols.visible(checker.scope.origin) if s.what in allowed]
        hint, because = did_you_mean(node.name, there), _what_it_is(checker, node.name)
        checker.error("N356", node.name_span, f"there is no {kinds} `{node.name}`", because=because, hint=hint)
        return None
    if signature.what not in allowed:
        expressions.check_anyway(checker, node.args)
        because = {
            "action": "only a player can choose an action",
            "value": "a value computes a result, and cannot be a statement",
            "invariant": "an invariant is a condition, and cannot be a statement",
        }.get(signature.what, "")
        message = f"expected {with_article(kinds)}, found the {signature.what} `{node.name}`"
        hint = "move its steps to a routine, and call the routine here and in the action" * (signature.what == "action")
        checker.error("T419", node.name_span, message, because=because, hint=hint, related=names.declared_at(signature))
        return None
    args = call_arguments(checker, signature, node.args, node.span)
    if args is None:
        return None
    names.note_call(checker, signature, node.span)
    return signature, args


def check_can(checker: Checker, node: nodes.Can) -> tree.Expr:
    """`can R(args)`"""
    found = event_call(checker, node.call, ("routine", "phase", "action"))
    if found is None:
        return error_expr(node.span)
    return tree.Can(BOOL, node.span, found[0].id, found[1])


def _what_it_is(checker: Checker, name: str) -> str:
    """What the name is instead, for `because`."""
    symbols = checker.symbols
    if name in symbols.model.tables:
        return f"`{name}` is a table: write `{name}[...]`"
    if symbols.zones_named(name):
        return f"`{name}` is a zone"
    if symbols.rows_named(name):
        return f"`{name}` is {symbols.one_of(symbols.rows_named(name)[0][0])}"
    if name in symbols.model.state or name in symbols.model.numbers:
        return f"`{name}` has no parentheses"
    return ""


# ---- binders and queries

_NAMES = {
    "of": "of",
    "zones": "in",
    "on": "on",
    "from_": "from",
    "to": "to",
}


def bind_all(checker: Checker, found: Sequence[nodes.Binder]) -> tuple[tree.Binder, ...]:
    """Bind the names in the innermost block, left to right: each may use those before it."""
    found_ = tuple(bind_one(checker, node) for node in found)
    for node in found:
        if node.because is not None:
            because = "`because` tells a player why they cannot choose something, but nobody makes a choice here"
            hint = "remove the reason"
            checker.error("T433", node.because.span, "nobody sees this `because`", because=because, hint=hint)
    return found_


def bind_chosen(
    checker: Checker, found: Sequence[nodes.Binder]
) -> tuple[tuple[tree.Binder, ...], tuple[tree.Words, ...]]:
    """The same where a player chooses, with the reasons that they give for what fails their `where`."""
    bound: list[tree.Binder] = []
    reasons: list[tree.Words] = []
    for node in found:
        bound.append(bind_one(checker, node))
        reasons.append(
            expressions.text_parts(checker, node.because.text, node.because.span) if node.because is not None else ()
        )
    return tuple(bound), tuple(reasons)


def bind_one(checker: Checker, node: nodes.Binder) -> tree.Binder:
    """One binder; its variable is bound whatever is wrong with it."""
    domain, type_ = _domain(checker, node)
    local = checker.scope.bind(node.name, type_.optional() if node.maybe and all_known(type_) else type_)
    where = (
        expressions.check_truth(checker, node.where, "`where` needs a condition") if node.where is not None else None
    )
    extreme = _key(checker, node.extreme) if node.extreme is not None else None
    return tree.Binder(
        node.span, local, node.maybe, domain, where, extreme, tuple(_key(checker, key) for key in node.sorted_by)
    )


def _key(checker: Checker, node: nodes.SortKey) -> tree.Extreme:
    return tree.Extreme(node.way, expressions.order_part(checker, expressions.check_expr(checker, node.key, None)))


def check_query(checker: Checker, node: nodes.Query) -> tree.Expr:
    """`any no all count sum min max first (binders[: body])`"""
    row = QUERIES[node.kind]
    with checker.block():
        found = bind_all(checker, node.binders)
        body = _body(checker, row, node.body) if node.body is not None else None
    if row.single and len(found) > 1:
        because = f"`{row.name}` gives one thing, so it takes one binder"
        hint = f"filter with a condition: `{row.name}(KIND x where any(...))`"
        return checker.error("T410", found[1].span, f"`{row.name}` has several binders", because=because, hint=hint)
    type_ = _given(row, found, body)
    if all_known(type_) and (row.missing or (type_ == INT and body is not None and body.type.maybe)):
        type_ = type_.optional()
    return tree.Query(type_, node.span, node.kind, found, body)


def _given(row: Query, found: Sequence[tree.Binder], body: tree.Expr | None) -> Type:
    """The type of what a query gives, where something is found."""
    if row.gives == "member":
        return found[-1].local.type
    if row.gives == "body":
        return body.type if body is not None else ERROR
    return row.gives


def _body(checker: Checker, row: Query, node: nodes.Expr) -> tree.Expr:
    if row.body == "bool":
        return expressions.check_truth(checker, node, row.because)
    if row.body == "int":
        return expressions.check_number(checker, node, row.because)
    found = expressions.check_expr(checker, node, None)
    is_ladder = found.type.tag == "ref" and checker.symbols.is_ladder(found.type.name)
    if found.type.tag in ("int", "error") or is_ladder:
        return found
    message = f"`{row.name}` cannot compare values of this type: found {a_type(found.type)}"
    return checker.error("T400", found.span, message, because=row.because)


def check_set(checker: Checker, node: nodes.Expr) -> tree.Expr | None:
    """A set-valued expression: `neighbours(x)`, `c.faces`, a column of type `set of`; None after T407."""
    if isinstance(node, nodes.Call) and is_set_call(node):
        return typed_builtin_call(checker, node.name, node.args, node.span)
    found = expressions.check_expr(checker, node, None)
    if not all_known(found.type):
        return None
    if found.type.tag != "set":
        because = "after `in`, write a zone, a set or `neighbours(x)`"
        checker.error("T407", found.span, f"{a_type(found.type)} contains nothing", because=because)
        return None
    return found


# ---- what a binder runs over


def _domain(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    kind, model = node.kind, checker.symbols.model
    if kind == "int":
        return _range(checker, node)
    if kind == "player":
        return _players(checker, node)
    if kind in model.sorts:
        return _cards(checker, node)
    if kind in model.made:
        return _things(checker, node)
    if not checker.symbols.is_kind(kind):
        because = "a binder begins with a list, a card type, a kind of things, `player` or `int`"
        hint = did_you_mean(kind, [*checker.symbols.kinds(), "int"])
        checker.error("N354", node.kind_span, f"there is no kind `{kind}`", because=because, hint=hint)
        return tree.Rows(kind), ERROR
    _allow(checker, node, ("zones",))
    if node.zones:
        return _members(checker, node, kind), ref(kind)
    return tree.Rows(kind), ref(kind)


def _allow(checker: Checker, node: nodes.Binder, allowed: Sequence[str]) -> None:
    """T410 for each part that makes no sense with this kind; a `trait` has no owner, for instance."""
    for part, word in _NAMES.items():
        said = getattr(node, part)
        if said is None or said == () or part in allowed:
            continue
        first = said[0] if isinstance(said, tuple) else said
        because = {
            "of": (
                "`of` needs things that rules create, because only they have owners; cards are in zones (`in p.hand`)"
            ),
            "in": "`in` is for cards in zones, things in places and rows in sets",
            "on": "only cards can be on something",
            "from": "`from` is for numbers, and for players in play order",
            "to": "`to` is for numbers",
        }[word]
        checker.error("T410", first.span, f"`{node.kind} {node.name}` cannot have `{word}`", because=because)


def _range(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    _allow(checker, node, ("from_", "to"))
    if node.from_ is None or node.to is None:
        because = "without a range, the loop would never end"
        hint = f"write `int {node.name} from 1 to 6`"
        checker.error("T411", node.span, f"`int {node.name}` has no range", because=because, hint=hint)
        zero = tree.Const(INT, node.span, 0)
        return tree.Range(zero, zero), INT
    why = "a range needs a number at each end"
    return tree.Range(
        expressions.check_number(checker, node.from_, why), expressions.check_number(checker, node.to, why)
    ), INT


def _players(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    _allow(checker, node, ("from_",))
    start: tree.Expr | None = None
    if node.from_ is not None:
        start = expressions.check_typed(checker, node.from_, PLAYER, "`from` names the first player")
    return tree.Players(start), PLAYER


def _cards(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    sort = node.kind
    _allow(checker, node, ("zones", "on"))
    if node.zones:
        found: list[tree.AnyZone] = []
        for zone in (z for part in node.zones for z in members.check_zones(checker, part)):
            held = members.card_type_in_zone(zone)
            if held is not None and held != sort:
                assert isinstance(zone, tree.ZoneRef)
                because = f"the zone holds cards of type `{held}`"
                message = f"`{zone.zone.name}` cannot contain {a_quoted(sort)}"
                checker.error("T409", zone.span, message, because=because)
            else:
                found.append(zone)
        return tree.InZones(tuple(found), sort), ref(sort)
    if node.on is not None:
        bearer = expressions.check_expr(checker, node.on, None)
        bearers = checker.symbols.bearers_of(sort, in_force=True)
        if all_known(bearer.type) and (bearer.type.tag != "ref" or bearer.type.name not in bearers):
            where = " or ".join(f"`{kind}`" for kind in bearers) or "nothing"
            because = f"cards of type `{sort}` are in effect on {where}"
            bearer = checker.error(
                "T410", bearer.span, f"{a_quoted(sort)} cannot be on {a_type(bearer.type)}", because=because
            )
        return tree.OnBearer(bearer, sort), ref(sort)
    return tree.AllCards(sort), ref(sort)


def _things(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    kind = node.kind
    made = checker.symbols.model.made[kind]
    _allow(checker, node, ("of", "zones"))
    owner: tree.Expr | None = None
    if node.of is not None:
        owner = expressions.check_typed(checker, node.of, ref(made.of), f"each `{kind}` belongs to {a_quoted(made.of)}")
    if not node.zones:
        return tree.Things(kind, owner, None), ref(kind)
    if len(node.zones) == 1 and made.place is not None and not is_set_call(node.zones[0]):
        place = expressions.check_expr(checker, node.zones[0], ref(made.place))
        if place.type.tag != "set":
            return tree.Things(
                kind, owner, fit_type(checker, place, ref(made.place), f"each `{kind}` is in {a_quoted(made.place)}")
            ), ref(kind)
    return _members(checker, node, kind), ref(kind)


def _members(checker: Checker, node: nodes.Binder, kind: str) -> tree.Domain:
    if len(node.zones) > 1:
        checker.error("T410", node.zones[1].span, "`+` joins zones", because=f"`{kind}` is not a card type")
    found = check_set(checker, node.zones[0])
    if found is None:
        return tree.Rows(kind)
    if not same_type(Type("set", kind), found.type):
        because = f"its members are of kind `{found.type.name}`"
        checker.error("T410", found.span, f"{a_type(found.type)} cannot contain {a_quoted(kind)}", because=because)
    return tree.Members(found)

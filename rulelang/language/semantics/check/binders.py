"""Binders (`KIND NAME [of] [in] [on] [from] [where] [with] [sorted by]`) and the queries made of them."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.english import a_quoted
from rulelang.base.nearest import did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.queries import QUERIES
from rulelang.language.semantics.builtins.row import Query
from rulelang.language.semantics.check import built_in, expressions, texts, zones
from rulelang.language.semantics.check.checker import Checker, article, fit, known, same
from rulelang.language.semantics.types import ERROR, INT, PLAYER, Type, ref
from rulelang.language.syntax import nodes

_NAMES = {
    "of": "of",
    "zones": "in",
    "on": "on",
    "from_": "from",
    "to": "to",
}


def bind_all(checker: Checker, found: Sequence[nodes.Binder]) -> tuple[tree.Binder, ...]:
    """Bind the names in the innermost block, left to right: each may use those before it."""
    found_ = tuple(bind(checker, node) for node in found)
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
        bound.append(bind(checker, node))
        reasons.append(texts.parts(checker, node.because.text, node.because.span) if node.because is not None else ())
    return tuple(bound), tuple(reasons)


def bind(checker: Checker, node: nodes.Binder) -> tree.Binder:
    """One binder; its variable is bound whatever is wrong with it."""
    domain, type_ = _domain(checker, node)
    local = checker.scope.bind(node.name, type_.optional() if node.maybe and known(type_) else type_)
    where = expressions.condition(checker, node.where, "`where` needs a condition") if node.where is not None else None
    extreme = _key(checker, node.extreme) if node.extreme is not None else None
    return tree.Binder(
        node.span, local, node.maybe, domain, where, extreme, tuple(_key(checker, key) for key in node.sorted_by)
    )


def _key(checker: Checker, node: nodes.SortKey) -> tree.Extreme:
    return tree.Extreme(node.way, expressions.order_part(checker, expressions.expr(checker, node.key, None)))


def query(checker: Checker, node: nodes.Query) -> tree.Expr:
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
    if known(type_) and (row.missing or (type_ == INT and body is not None and body.type.maybe)):
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
        return expressions.condition(checker, node, row.because)
    if row.body == "int":
        return expressions.number(checker, node, row.because)
    found = expressions.expr(checker, node, None)
    is_ladder = found.type.tag == "ref" and checker.symbols.is_ladder(found.type.name)
    if found.type.tag in ("int", "error") or is_ladder:
        return found
    message = f"`{row.name}` cannot compare values of this type: found {article(found.type)}"
    return checker.error("T400", found.span, message, because=row.because)


def group(checker: Checker, node: nodes.Expr) -> tree.Expr | None:
    """A set-valued expression: `neighbours(x)`, `c.faces`, a column of type `set of`; None after T407."""
    if isinstance(node, nodes.Call) and built_in.is_set(node):
        return built_in.typed(checker, node.name, node.args, node.span)
    found = expressions.expr(checker, node, None)
    if not known(found.type):
        return None
    if found.type.tag != "set":
        because = "after `in`, write a zone, a set or `neighbours(x)`"
        checker.error("T407", found.span, f"{article(found.type)} contains nothing", because=because)
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
    return tree.Range(expressions.number(checker, node.from_, why), expressions.number(checker, node.to, why)), INT


def _players(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    _allow(checker, node, ("from_",))
    start: tree.Expr | None = None
    if node.from_ is not None:
        start = expressions.typed(checker, node.from_, PLAYER, "`from` names the first player")
    return tree.Players(start), PLAYER


def _cards(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    sort = node.kind
    _allow(checker, node, ("zones", "on"))
    if node.zones:
        found: list[tree.AnyZone] = []
        for zone in (z for part in node.zones for z in zones.zones(checker, part)):
            held = zones.holds(zone)
            if held is not None and held != sort:
                assert isinstance(zone, tree.ZoneRef)
                because = f"the zone holds cards of type `{held}`"
                message = f"`{zone.zone.name}` cannot contain {a_quoted(sort)}"
                checker.error("T409", zone.span, message, because=because)
            else:
                found.append(zone)
        return tree.InZones(tuple(found), sort), ref(sort)
    if node.on is not None:
        bearer = expressions.expr(checker, node.on, None)
        bearers = checker.symbols.bearers_of(sort, in_force=True)
        if known(bearer.type) and (bearer.type.tag != "ref" or bearer.type.name not in bearers):
            where = " or ".join(f"`{kind}`" for kind in bearers) or "nothing"
            because = f"cards of type `{sort}` are in effect on {where}"
            bearer = checker.error(
                "T410", bearer.span, f"{a_quoted(sort)} cannot be on {article(bearer.type)}", because=because
            )
        return tree.OnBearer(bearer, sort), ref(sort)
    return tree.AllCards(sort), ref(sort)


def _things(checker: Checker, node: nodes.Binder) -> tuple[tree.Domain, Type]:
    kind = node.kind
    made = checker.symbols.model.made[kind]
    _allow(checker, node, ("of", "zones"))
    owner: tree.Expr | None = None
    if node.of is not None:
        owner = expressions.typed(checker, node.of, ref(made.of), f"each `{kind}` belongs to {a_quoted(made.of)}")
    if not node.zones:
        return tree.Things(kind, owner, None), ref(kind)
    if len(node.zones) == 1 and made.place is not None and not built_in.is_set(node.zones[0]):
        place = expressions.expr(checker, node.zones[0], ref(made.place))
        if place.type.tag != "set":
            return tree.Things(
                kind, owner, fit(checker, place, ref(made.place), f"each `{kind}` is in {a_quoted(made.place)}")
            ), ref(kind)
    return _members(checker, node, kind), ref(kind)


def _members(checker: Checker, node: nodes.Binder, kind: str) -> tree.Domain:
    if len(node.zones) > 1:
        checker.error("T410", node.zones[1].span, "`+` joins zones", because=f"`{kind}` is not a card type")
    found = group(checker, node.zones[0])
    if found is None:
        return tree.Rows(kind)
    if not same(Type("set", kind), found.type):
        because = f"its members are of kind `{found.type.name}`"
        checker.error("T410", found.span, f"{article(found.type)} cannot contain {a_quoted(kind)}", because=because)
    return tree.Members(found)

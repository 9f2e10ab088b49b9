"""Statements that change the table: assignments, cards moved, things made and lost, dice, silence."""

from __future__ import annotations

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted, either
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.members import MEMBERS
from rulelang.language.semantics.check import expressions, names, zones
from rulelang.language.semantics.check.checker import Checker, article, fit, known, same
from rulelang.language.semantics.types import ERROR, INT, TRAIT, ref
from rulelang.language.syntax import nodes


def assign(checker: Checker, node: nodes.Assign) -> tree.Assign | None:
    """`x = E`, `x += E`, `x -= E` on state, attributes, tables and the place of a thing."""
    target = expressions.expr(checker, node.target, None)
    want = target.type if known(target.type) else None
    value = expressions.expr(checker, node.value, want)
    if not known(target.type):
        return None
    if not _changeable(target):
        _fixed(checker, target, node.target)
        return None
    declared = target.attribute.type if isinstance(target, tree.StateRef | tree.AttributeRef) else target.type.sure()
    name = _name(checker, target)
    if node.op != "=":
        if declared.tag != "int":
            because = f"`{node.op}` needs a number"
            checker.error(
                "T400", target.span, f"`{name}` is {article(declared)}", because=because, related=_where(target)
            )
            return None
        value = fit(checker, value, INT, f"`{node.op}` needs a number", related=_where(target))
    else:
        value = fit(checker, value, declared, f"`{name}` is {article(declared)}", related=_where(target))
        if isinstance(node.value, nodes.NoneValue) and not declared.maybe:
            because = f"`{name}` is {article(declared)} and not `maybe`"
            checker.error("T403", value.span, "this value cannot be `none`", because=because, related=_where(target))
    return tree.Assign(node.span, target, node.op, value)


def _changeable(target: tree.Expr) -> bool:
    if isinstance(target, tree.Property):
        return MEMBERS[target.name].written
    return isinstance(target, tree.StateRef | tree.AttributeRef | tree.TableRef)


def _fixed(checker: Checker, target: tree.Expr, written: nodes.Expr) -> None:
    if isinstance(target, tree.LocalRef):
        message = f"`{target.local.text}` cannot be changed"
        because = "parameters, binders and `let` names are fixed"
        hint = "name the new value with another `let`"
    elif isinstance(target, tree.ColumnRef):
        message, hint = f"`{target.column.name}` cannot be changed", "declare an attribute for a value that changes"
        because = "columns are printed, so they are fixed"
    elif isinstance(target, tree.NumberRef | tree.OptionRef):
        message, hint = f"`{target.name}` cannot be changed", ""
        because = "numbers and options are fixed for the whole game"
    elif isinstance(target, tree.ValueCall):
        message, hint = (
            f"the value `{target.value}` cannot be changed",
            "change the values that it reads, or `modify` it",
        )
        because = "rulelang computes a value whenever a rule reads it"
    elif isinstance(target, tree.SlotRead):
        message, hint = "a slot cannot be assigned to", "write `move CARD to ...`"
        because = "a slot changes only when a rule moves a card"
    else:
        message, hint = "this cannot be changed", ""
        because = "only state, attributes, tables and the place of a thing can change"
    kept = names.ways_to(checker, written.id) if isinstance(written, nodes.Name) else []
    if kept and not isinstance(target, tree.LocalRef):
        hint = f"write {either(kept)}"
    checker.error("T405", target.span, message, because=because, hint=hint)


def _name(checker: Checker, target: tree.Expr) -> str:
    if isinstance(target, tree.StateRef | tree.AttributeRef):
        return target.attribute.name
    if isinstance(target, tree.Property):
        return MEMBERS[target.name].name_of(checker.symbols.model, target.kind)
    return target.table.name if isinstance(target, tree.TableRef) else ""


def _where(target: tree.Expr) -> tuple[Related, ...]:
    if isinstance(target, tree.StateRef | tree.AttributeRef):
        span, name = target.attribute.span, target.attribute.name
    elif isinstance(target, tree.TableRef):
        span, name = target.table.span, target.table.name
    else:
        return ()
    return (Related(span, f"`{name}` is declared here"),)


def check(checker: Checker, node: nodes.Stmt) -> tree.Stmt | None:
    """One of the other statements that change the table."""
    match node:
        case nodes.Move():
            return _move(checker, node)
        case nodes.MoveAll():
            sources = zones.zones(checker, node.source)
            to = zones.one_zone(checker, node.to, "cards are moved to one zone")
            for source in sources:
                _same_sort(checker, source, to)
            return tree.MoveAll(node.span, sources, to, node.end == "bottom") if sources and to is not None else None
        case nodes.Draw():
            return _draw(checker, node)
        case nodes.Shuffle():
            zone = zones.one_zone(checker, node.zone, "`shuffle` takes one zone")
            if isinstance(zone, tree.BoxRef):
                checker.error(
                    "T407",
                    zone.span,
                    "the box has no order",
                    because="write `choose card c in box ... at random` to take one",
                )
                return None
            return tree.Shuffle(node.span, zone) if zone is not None else None
        case nodes.Create():
            return _create(checker, node)
        case nodes.Remove():
            return _remove(checker, node)
        case nodes.Roll():
            return _roll(checker, node)
        case nodes.Clear():
            return _clear(checker, node)
        case nodes.Silence():
            card = _card(checker, node.card, "only a card can be silenced")
            until = names.scope_word(checker, node.until, node, "`until end of`")
            return tree.Silence(node.span, card, until)
        case nodes.Restore():
            return tree.Restore(node.span, _card(checker, node.card, "only a card can be restored"))
        case _:
            raise AssertionError(f"no statement: {type(node).__name__}")  # the parser makes no other


def _card(checker: Checker, node: nodes.Expr, why: str, hint_sort: str | None = None) -> tree.Expr:
    card = expressions.card(checker, node, hint_sort)
    if known(card.type) and (card.type.tag != "ref" or card.type.name not in checker.symbols.model.sorts):
        return checker.error("T400", card.span, f"expected a card, found {article(card.type)}", because=why)
    return card


def _move(checker: Checker, node: nodes.Move) -> tree.Move | None:
    to = zones.one_zone(checker, node.to, "a card is moved to one zone")
    sort = zones.holds(to) if to is not None else None
    card = _card(checker, node.card, "only cards can be moved", sort)
    if to is not None and sort is not None and known(card.type) and not same(card.type, ref(sort)):
        assert isinstance(to, tree.ZoneRef)
        because = f"`{to.zone.name}` holds cards of type `{sort}`"
        related = (Related(to.zone.span, f"`{to.zone.name}` is declared here"),)
        checker.error(
            "T409",
            card.span,
            f"expected {a_quoted(sort)}, found {article(card.type)}",
            because=because,
            related=related,
        )
    face = (
        expressions.typed(checker, node.face, TRAIT, "after `as`, write the trait that the card shows")
        if node.face is not None
        else None
    )
    partner = None
    if node.partner is not None:
        partner = expressions.expr(checker, node.partner, None)
        of = to.zone.of if isinstance(to, tree.ZoneRef) else None
        if of is not None:
            partner = fit(checker, partner, ref(of), f"`with` names the other end of the pair, also {a_quoted(of)}")
    if to is None:
        return None
    return tree.Move(node.span, card, to, node.end == "bottom", face, partner)


def _same_sort(checker: Checker, source: tree.AnyZone, to: tree.AnyZone | None) -> None:
    held, wanted = zones.holds(source), zones.holds(to) if to is not None else None
    if held is not None and wanted is not None and held != wanted:
        assert isinstance(to, tree.ZoneRef)
        assert isinstance(source, tree.ZoneRef)
        because = f"`{source.zone.name}` holds `{held}` and `{to.zone.name}` holds `{wanted}`"
        checker.error("T409", source.span, "this zone cannot hold these cards", because=because)


def _draw(checker: Checker, node: nodes.Draw) -> tree.Draw | None:
    count = expressions.number(checker, node.count, "`draw` needs a number of cards")
    source = zones.one_zone(checker, node.source, "cards are drawn from one zone")
    to = zones.one_zone(checker, node.to, "cards are drawn to one zone")
    if source is None or to is None:
        return None
    _same_sort(checker, source, to)
    return tree.Draw(node.span, count, source, to)


def _create(checker: Checker, node: nodes.Create) -> tree.Create | None:
    made = checker.symbols.model.made.get(node.kind)
    if made is None:
        hint = did_you_mean(node.kind, checker.symbols.model.made)
        because = "only the kinds under `kinds:` can be created"
        if node.name is not None:
            checker.scope.bind(node.name, ERROR)
        checker.error("T422", node.kind_span, f"`{node.kind}` cannot be created", because=because, hint=hint)
        return None
    owner = expressions.typed(checker, node.of, ref(made.of), f"each `{node.kind}` belongs to {a_quoted(made.of)}")
    place = side = like = None
    if made.place is not None and node.place is None and node.like is None:
        because = f"each `{node.kind}` is in {a_quoted(made.place)}"
        hint = f"write `create {node.kind} of ... in ...`"
        checker.error("T422", node.span, f"the place of the new `{node.kind}` is missing", because=because, hint=hint)
    if node.place is not None and made.place is not None:
        place = expressions.typed(
            checker, node.place, ref(made.place), f"each `{node.kind}` is in {a_quoted(made.place)}"
        )
    elif node.place is not None:
        _no_part(checker, node, node.place.span, "in", f"{a_quoted(node.kind)} has no place")
    if node.at is not None and made.line:
        side = expressions.typed(checker, node.at, ref("side"), "after `at`, write `left` or `right`")
    elif node.at is not None:
        _no_part(checker, node, node.at.span, "at", f"`{node.kind}` is not a kind with `line: true`")
    if node.like is not None:
        like = expressions.typed(checker, node.like, ref(node.kind), f"`like` names the `{node.kind}` to copy")
    local = checker.scope.bind(node.name, ref(node.kind)) if node.name is not None else None
    return tree.Create(node.span, node.kind, local, owner, place, side, like)


def _no_part(checker: Checker, node: nodes.Create, span: Span, word: str, because: str) -> None:
    checker.error("T422", span, f"`create {node.kind}` cannot have `{word}`", because=because)


def _remove(checker: Checker, node: nodes.Remove) -> tree.Remove | None:
    thing = expressions.expr(checker, node.thing, None)
    if not known(thing.type):
        return None
    if thing.type.tag != "ref" or thing.type.name not in checker.symbols.model.made:
        is_card = thing.type.name in checker.symbols.model.sorts
        hint = "write `move ... to box`" if is_card else ""
        because = "only things that rules create can be removed"
        checker.error("T422", thing.span, f"{article(thing.type)} cannot be removed", because=because, hint=hint)
        return None
    return tree.Remove(node.span, thing.type.name, thing)


def _roll(checker: Checker, node: nodes.Roll) -> tree.Roll | None:
    count = expressions.number(checker, node.count, "`roll` needs a number of dice")
    if node.sides < 1:
        because = "a die shows a number from 1 to its number of sides"
        checker.error("T426", node.span, f"a die cannot have {node.sides} sides", because=because)
    if node.into is not None:
        return _rolled_into(checker, node, node.into, count)
    state = checker.symbols.model.state.get(node.name)
    if state is None or checker.scope.find(node.name) is not None:
        return tree.Roll(node.span, count, node.sides, checker.scope.bind(node.name, INT))
    if state.type.sure() != INT:
        related = (Related(state.span, f"`{node.name}` is declared here"),)
        because = f"dice give a number, and `{node.name}` is {article(state.type)}"
        checker.error("T400", node.name_span, "the result of the roll does not fit", because=because, related=related)
    return tree.Roll(node.span, count, node.sides, tree.StateRef(INT, node.name_span, state))


def _rolled_into(checker: Checker, node: nodes.Roll, into: nodes.Expr, count: tree.Expr) -> tree.Roll | None:
    target = expressions.expr(checker, into, None)
    if not known(target.type):
        return None
    if not isinstance(target, tree.StateRef | tree.AttributeRef | tree.TableRef):
        _fixed(checker, target, into)
        return None
    declared = target.type.sure() if isinstance(target, tree.TableRef) else target.attribute.type.sure()
    if declared.tag != "int":
        because = f"`{_name(checker, target)}` is {article(declared)}; dice give a number"
        checker.error(
            "T400", target.span, "the result of the roll does not fit", because=because, related=_where(target)
        )
        return None
    return tree.Roll(node.span, count, node.sides, target)


def _clear(checker: Checker, node: nodes.Clear) -> tree.Clear | None:
    table = checker.symbols.model.tables.get(node.table)
    if table is None:
        hint = did_you_mean(node.table, checker.symbols.model.tables)
        checker.error(
            "N350", node.span, f"there is no table `{node.table}`", because="after `clear`, write a table", hint=hint
        )
        return None
    return tree.Clear(node.span, table)

"""Check statements: blocks, control flow, choices, and those that change the table."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, did_you_mean, list_with_or
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import MEMBERS
from rulelang.language.semantics.check import calls, expressions, members, names
from rulelang.language.semantics.check.checker import Checker, a_type, all_known, fit_type, same_type
from rulelang.language.semantics.model import ERROR, INT, PLAYER, TRAIT, ref
from rulelang.language.syntax import nodes

# ---- changes of the table


def check_assignment(checker: Checker, node: nodes.Assign) -> tree.Assign | None:
    """`x = E`, `x += E`, `x -= E` on state, attributes, tables and the place of a thing."""
    target = expressions.check_expr(checker, node.target, None)
    want = target.type if all_known(target.type) else None
    value = expressions.check_expr(checker, node.value, want)
    if not all_known(target.type):
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
                "T400", target.span, f"`{name}` is {a_type(declared)}", because=because, related=_where(target)
            )
            return None
        value = fit_type(checker, value, INT, f"`{node.op}` needs a number", related=_where(target))
    else:
        value = fit_type(checker, value, declared, f"`{name}` is {a_type(declared)}", related=_where(target))
        if isinstance(node.value, nodes.NoneValue) and not declared.maybe:
            because = f"`{name}` is {a_type(declared)} and not `maybe`"
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
        hint = f"write {list_with_or(kept)}"
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


def check_effect(checker: Checker, node: nodes.Stmt) -> tree.Stmt | None:
    """One of the other statements that change the table."""
    match node:
        case nodes.Move():
            return _move(checker, node)
        case nodes.MoveAll():
            sources = members.check_zones(checker, node.source)
            to = members.one_zone(checker, node.to, "cards are moved to one zone")
            for source in sources:
                _same_sort(checker, source, to)
            return tree.MoveAll(node.span, sources, to, node.end == "bottom") if sources and to is not None else None
        case nodes.Draw():
            return _draw(checker, node)
        case nodes.Shuffle():
            zone = members.one_zone(checker, node.zone, "`shuffle` takes one zone")
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
    card = expressions.check_card(checker, node, hint_sort)
    if all_known(card.type) and (card.type.tag != "ref" or card.type.name not in checker.symbols.model.sorts):
        return checker.error("T400", card.span, f"expected a card, found {a_type(card.type)}", because=why)
    return card


def _move(checker: Checker, node: nodes.Move) -> tree.Move | None:
    to = members.one_zone(checker, node.to, "a card is moved to one zone")
    sort = members.card_type_in_zone(to) if to is not None else None
    card = _card(checker, node.card, "only cards can be moved", sort)
    if to is not None and sort is not None and all_known(card.type) and not same_type(card.type, ref(sort)):
        assert isinstance(to, tree.ZoneRef)
        because = f"`{to.zone.name}` holds cards of type `{sort}`"
        related = (Related(to.zone.span, f"`{to.zone.name}` is declared here"),)
        checker.error(
            "T409",
            card.span,
            f"expected {a_quoted(sort)}, found {a_type(card.type)}",
            because=because,
            related=related,
        )
    face = (
        expressions.check_typed(checker, node.face, TRAIT, "after `as`, write the trait that the card shows")
        if node.face is not None
        else None
    )
    partner = None
    if node.partner is not None:
        partner = expressions.check_expr(checker, node.partner, None)
        of = to.zone.of if isinstance(to, tree.ZoneRef) else None
        if of is not None:
            partner = fit_type(
                checker, partner, ref(of), f"`with` names the other end of the pair, also {a_quoted(of)}"
            )
    if to is None:
        return None
    return tree.Move(node.span, card, to, node.end == "bottom", face, partner)


def _same_sort(checker: Checker, source: tree.AnyZone, to: tree.AnyZone | None) -> None:
    held, wanted = members.card_type_in_zone(source), members.card_type_in_zone(to) if to is not None else None
    if held is not None and wanted is not None and held != wanted:
        assert isinstance(to, tree.ZoneRef)
        assert isinstance(source, tree.ZoneRef)
        because = f"`{source.zone.name}` holds `{held}` and `{to.zone.name}` holds `{wanted}`"
        checker.error("T409", source.span, "this zone cannot hold these cards", because=because)


def _draw(checker: Checker, node: nodes.Draw) -> tree.Draw | None:
    count = expressions.check_number(checker, node.count, "`draw` needs a number of cards")
    source = members.one_zone(checker, node.source, "cards are drawn from one zone")
    to = members.one_zone(checker, node.to, "cards are drawn to one zone")
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
    owner = expressions.check_typed(
        checker, node.of, ref(made.of), f"each `{node.kind}` belongs to {a_quoted(made.of)}"
    )
    place = side = like = None
    if made.place is not None and node.place is None and node.like is None:
        because = f"each `{node.kind}` is in {a_quoted(made.place)}"
        hint = f"write `create {node.kind} of ... in ...`"
        checker.error("T422", node.span, f"the place of the new `{node.kind}` is missing", because=because, hint=hint)
    if node.place is not None and made.place is not None:
        place = expressions.check_typed(
            checker, node.place, ref(made.place), f"each `{node.kind}` is in {a_quoted(made.place)}"
        )
    elif node.place is not None:
        _no_part(checker, node, node.place.span, "in", f"{a_quoted(node.kind)} has no place")
    if node.at is not None and made.line:
        side = expressions.check_typed(checker, node.at, ref("side"), "after `at`, write `left` or `right`")
    elif node.at is not None:
        _no_part(checker, node, node.at.span, "at", f"`{node.kind}` is not a kind with `line: true`")
    if node.like is not None:
        like = expressions.check_typed(checker, node.like, ref(node.kind), f"`like` names the `{node.kind}` to copy")
    local = checker.scope.bind(node.name, ref(node.kind)) if node.name is not None else None
    return tree.Create(node.span, node.kind, local, owner, place, side, like)


def _no_part(checker: Checker, node: nodes.Create, span: Span, word: str, because: str) -> None:
    checker.error("T422", span, f"`create {node.kind}` cannot have `{word}`", because=because)


def _remove(checker: Checker, node: nodes.Remove) -> tree.Remove | None:
    thing = expressions.check_expr(checker, node.thing, None)
    if not all_known(thing.type):
        return None
    if thing.type.tag != "ref" or thing.type.name not in checker.symbols.model.made:
        is_card = thing.type.name in checker.symbols.model.sorts
        hint = "write `move ... to box`" if is_card else ""
        because = "only things that rules create can be removed"
        checker.error("T422", thing.span, f"{a_type(thing.type)} cannot be removed", because=because, hint=hint)
        return None
    return tree.Remove(node.span, thing.type.name, thing)


def _roll(checker: Checker, node: nodes.Roll) -> tree.Roll | None:
    count = expressions.check_number(checker, node.count, "`roll` needs a number of dice")
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
        because = f"dice give a number, and `{node.name}` is {a_type(state.type)}"
        checker.error("T400", node.name_span, "the result of the roll does not fit", because=because, related=related)
    return tree.Roll(node.span, count, node.sides, tree.StateRef(INT, node.name_span, state))


def _rolled_into(checker: Checker, node: nodes.Roll, into: nodes.Expr, count: tree.Expr) -> tree.Roll | None:
    target = expressions.check_expr(checker, into, None)
    if not all_known(target.type):
        return None
    if not isinstance(target, tree.StateRef | tree.AttributeRef | tree.TableRef):
        _fixed(checker, target, into)
        return None
    declared = target.type.sure() if isinstance(target, tree.TableRef) else target.attribute.type.sure()
    if declared.tag != "int":
        because = f"`{_name(checker, target)}` is {a_type(declared)}; dice give a number"
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


# ---- control flow


def check_block(checker: Checker, found: Sequence[nodes.Stmt]) -> tree.Block:
    """The statements of a block; names bound in it are gone after it."""
    with checker.block():
        return check_rest(checker, found)


def check_rest(checker: Checker, found: Sequence[nodes.Stmt]) -> tree.Block:
    """Statements in the block at hand. A flat `choose` takes what follows it as its body."""
    done: list[tree.Stmt] = []
    lets: list[tuple[tree.Local, nodes.Let]] = []
    for at, node in enumerate(found):
        if isinstance(node, nodes.Choose) and node.body is None:
            done.append(_flat_choose(checker, node, found[at + 1 :]))
            break
        if isinstance(node, nodes.Let):
            value = _let(checker, node)
            lets.append((value.local, node))
            done.append(value)
        else:
            statement = check_statement(checker, node)
            if statement is not None:
                done.append(statement)
    for local, let in lets:
        if local.name not in checker.scope.used:
            because = "a later line may misspell the name, or the line may not be needed"
            hint = "delete the line"
            checker.error("N358", let.name_span, f"`{let.name}` is never used", because=because, hint=hint)
    return tuple(done)


def _flat_choose(checker: Checker, node: nodes.Choose, following: Sequence[nodes.Stmt]) -> tree.Choose:
    asks, bound, reasons, by = _asked(checker, node)
    body = check_rest(checker, following)
    return tree.Choose(node.span, node.may, bound, by, node.at_random, body, (), reasons, asks)


def _asked(
    checker: Checker, node: nodes.Choose
) -> tuple[tree.Words, tuple[tree.Binder, ...], tuple[tree.Words, ...], tree.Expr | None]:
    """The words of the question, which know nothing of what is not chosen yet; what is chosen, why not, and by whom."""
    asks = question_words(checker, node.asks)
    if not node.at_random:
        return asks, *calls.bind_chosen(checker, node.binders), _by(checker, node)
    if node.asks is not None:
        checker.error(
            "T432", node.asks.span, "nobody sees this question", because=_QUESTION, hint="remove the question"
        )
    return asks, calls.bind_all(checker, node.binders), (), None


_QUESTION = "the choice is random"


def question_words(checker: Checker, asks: nodes.Text | None) -> tree.Words:
    """The words of a question in pieces."""
    return expressions.text_parts(checker, asks.text, asks.span) if asks is not None else ()


def _by(checker: Checker, node: nodes.Choose) -> tree.Expr | None:
    return None if node.by is None else expressions.check_typed(checker, node.by, PLAYER, "after `by`, write a player")


def check_statement(checker: Checker, node: nodes.Stmt) -> tree.Stmt | None:
    """One statement; None if it cannot be made sense of (already reported)."""
    match node:
        case nodes.Assign():
            return check_assignment(checker, node)
        case nodes.CallStatement():
            found = calls.event_call(checker, node.call, ("routine", "phase"))
            return tree.CallRoutine(node.span, found[0].id, found[1]) if found is not None else None
        case nodes.If():
            return _if(checker, node)
        case nodes.For():
            with checker.block():
                bound = calls.bind_all(checker, node.binders)
                if node.secretly and (not bound or not isinstance(bound[0].domain, tree.Players) or len(bound) > 1):
                    because = "`secretly` hides the choices of one player from the others"
                    hint = "write `secretly for player p:`"
                    checker.error(
                        "T410", node.binders[0].span, "only players can act in secret", because=because, hint=hint
                    )
                return tree.For(node.span, node.secretly, bound, check_block(checker, node.body))
        case nodes.RepeatTimes():
            times = expressions.check_number(checker, node.times, "`repeat ... times` needs a number")
            return tree.RepeatTimes(node.span, times, check_block(checker, node.body))
        case nodes.RepeatUntil():
            until = expressions.check_truth(checker, node.until, "`until` needs a condition")
            return tree.RepeatUntil(node.span, until, check_block(checker, node.body))
        case nodes.Rounds():
            until = expressions.check_truth(checker, node.until, "`until` needs a condition")
            return tree.Rounds(node.span, until, check_block(checker, node.body))
        case nodes.Turns():
            start = expressions.check_typed(checker, node.start, PLAYER, "after `from`, write the first player")
            outer = checker.scope.turns
            with checker.block():
                local = checker.scope.bind(node.name, PLAYER)
                checker.scope.turns = True
                body = check_block(checker, node.body)
            checker.scope.turns = outer
            return tree.Turns(node.span, local, start, node.mode, body)
        case nodes.Choose():
            return _choose(checker, node)
        case nodes.Tells():
            return check_tells(checker, node)
        case nodes.Ensure():
            return check_ensure(checker, node)
        case nodes.Nothing():
            return tree.Nothing(node.span)
        case nodes.Let():
            return _let(checker, node)
        case _:
            return _limited(checker, node) if isinstance(node, _LIMITED) else check_effect(checker, node)


_LIMITED = (nodes.Require, nodes.Compulsory, nodes.Stop, nodes.Proceed, nodes.Redirect, nodes.Offer)


def _let(checker: Checker, node: nodes.Let) -> tree.Let:
    value = expressions.check_expr(checker, node.value, None)
    if value.type.maybe and value.type.tag != "ref":
        value = fit_type(checker, value, value.type.sure(), f"`{node.name}` must be a number", sure=True)
    elif value.type.tag in ("set", "condition", "order"):
        because = "`let` can name numbers, truth values and things"
        value = checker.error("T400", value.span, f"`let` cannot name {a_type(value.type)}", because=because)
    return tree.Let(node.span, checker.scope.bind(node.name, value.type), value)


def _if(checker: Checker, node: nodes.If) -> tree.If:
    tests = [
        (expressions.check_truth(checker, t, "`if` needs a condition"), t.span, check_block(checker, b))
        for t, b in node.branches
    ]
    otherwise = check_block(checker, node.otherwise) if node.otherwise is not None else ()
    for at in range(len(tests) - 1, 0, -1):
        test, span, then = tests[at]
        otherwise = (tree.If(span.to(node.span), test, then, otherwise),)
    return tree.If(node.span, tests[0][0], tests[0][2], otherwise)


def _choose(checker: Checker, node: nodes.Choose) -> tree.Choose:
    with checker.block():
        asks, bound, reasons, by = _asked(checker, node)
        body = check_block(checker, node.body or ())
    otherwise = check_block(checker, node.otherwise) if node.otherwise is not None else ()
    return tree.Choose(node.span, node.may, bound, by, node.at_random, body, otherwise, reasons, asks)


# ---- statements that are legal in some places only


def check_tells(checker: Checker, node: nodes.Tells) -> tree.Tells:
    return tree.Tells(node.span, expressions.text_parts(checker, node.text, node.span))


def check_require(checker: Checker, node: nodes.Require) -> tree.Require:
    test = expressions.check_truth(checker, node.condition, "`require` needs a condition")
    return tree.Require(node.span, test, expressions.text_parts(checker, node.because, node.span))


def check_ensure(checker: Checker, node: nodes.Ensure) -> tree.Ensure:
    test = expressions.check_truth(checker, node.condition, "`ensure` needs a condition")
    return tree.Ensure(node.span, test, expressions.text_parts(checker, node.because, node.span))


def check_compulsory(checker: Checker, node: nodes.Compulsory) -> tree.Compulsory:
    when = None if node.when is None else expressions.check_truth(checker, node.when, "`when` needs a condition")
    return tree.Compulsory(node.span, when)


def _limited(checker: Checker, node: nodes.Stmt) -> tree.Stmt | None:
    inside = checker.scope.inside
    match node:
        case nodes.Require():
            check_require(checker, node)
            because = "`require` says when a routine or action is possible, so it must come first"
            hint = (
                "use `if`, or put it in a routine"
                if inside not in ("routine", "action", "phase")
                else "move it to the top"
            )
            checker.error("T415", node.span, "`require` cannot be used here", because=because, hint=hint)
            return None
        case nodes.Compulsory():
            check_compulsory(checker, node)
            because = "`compulsory` must be the first line of an action"
            checker.error("T416", node.span, "`compulsory` cannot be used here", because=because)
            return None
        case nodes.Stop():
            if inside != "react to":
                checker.error(
                    "T417", node.span, "`stop` cannot be used here", because="only a `react to` can stop its event"
                )
                return None
            return tree.Stop(node.span)
        case nodes.Proceed():
            if inside != "instead of":
                because = "only an `instead of` has a replaced event to run"
                checker.error("T417", node.span, "`proceed` cannot be used here", because=because)
                return None
            return tree.Proceed(node.span)
        case nodes.Redirect():
            found = calls.event_call(checker, node.call, ("routine",))
            if inside != "react to":
                because = "only a `react to` can redirect its event"
                checker.error("T417", node.span, "`redirect` cannot be used here", because=because)
                return None
            return tree.Redirect(node.span, found[0].id, found[1]) if found is not None else None
        case nodes.Offer():
            to = expressions.check_typed(checker, node.to, PLAYER, "after `to`, write a player")
            if inside != "phase":
                because = "`offer` offers the actions of the phase that contains it"
                hint = "write a phase that contains the `offer`, and call that phase"
                checker.error("T418", node.span, "`offer` cannot be used here", because=because, hint=hint)
                return None
            asks = question_words(checker, node.asks)
            return tree.Offer(node.span, node.mode == "one", to, node.or_pass, checker.scope.phase, asks)
        case _:
            return None

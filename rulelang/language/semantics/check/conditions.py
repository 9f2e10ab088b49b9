"""Conditions: comparisons, `and or not`, `in`, `is`, `has`, `meets`, `affects`, `can`."""

from __future__ import annotations

from rulelang.base.diagnostics import Related
from rulelang.base.nearest import did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.forms import IS_WORDS
from rulelang.language.semantics.check import binders, calls, expressions, members, names, with_text, zones
from rulelang.language.semantics.check.checker import Checker, article, fit, known, same, wrong
from rulelang.language.semantics.check.symbols import APART, Signature
from rulelang.language.semantics.types import BOOL, INT, ORDER, TRAIT, Type, ref
from rulelang.language.syntax import nodes


def check(checker: Checker, node: nodes.Expr) -> tree.Expr:
    """The forms of expressions that are true or false."""
    match node:
        case nodes.Compare():
            return _compare(checker, node)
        case nodes.Logic():
            why = f"`{node.op}` needs conditions"
            left = expressions.condition(checker, node.left, why)
            return tree.Logic(BOOL, node.span, node.op, left, expressions.condition(checker, node.right, why))
        case nodes.Not():
            return tree.Not(BOOL, node.span, expressions.condition(checker, node.operand, "`not` needs a condition"))
        case nodes.Member():
            return _negated(node.negated, _member(checker, node))
        case nodes.Is():
            return _negated(node.negated, _is(checker, node))
        case nodes.Has():
            return _has(checker, node)
        case nodes.Meets():
            return _meets(checker, node)
        case nodes.Affects():
            return _affects(checker, node)
        case nodes.Can():
            return calls.can(checker, node)
        case _:
            raise AssertionError(f"no expression: {type(node).__name__}")  # the parser makes no other


def _negated(negated: bool, expr: tree.Expr) -> tree.Expr:
    return tree.Not(BOOL, expr.span, expr) if negated and known(expr.type) else expr


def _compare(checker: Checker, node: nodes.Compare) -> tree.Expr:
    if (wrong_text := with_text.report(checker, node)) is not None:
        return wrong_text
    if expressions.needs_company(checker, node.left) and not expressions.needs_company(checker, node.right):
        right = expressions.expr(checker, node.right, None)
        left = expressions.expr(checker, node.left, right.type if known(right.type) else None)
    else:
        left = expressions.expr(checker, node.left, None)
        right = expressions.expr(checker, node.right, left.type if known(left.type) else None)
    if not known(left.type, right.type):
        return tree.Compare(BOOL, node.span, node.op, left, right)
    if ORDER in (left.type.sure(), right.type.sure()) and left.type.tag != right.type.tag:
        why = "an order can be compared only with an order"
        left, right = fit(checker, left, ORDER, why), fit(checker, right, ORDER, why)
    if not same(left.type, right.type):
        message = f"cannot compare {article(left.type)} with {article(right.type)}"
        because = "both sides must have the same type"
        return checker.error("T406", node.span, message, because=because)
    if node.op not in ("==", "!=") and not _ordered(checker, left.type):
        message = f"`{node.op}` cannot compare values of this type: found {article(left.type)}"
        because = "`<`, `>`, `<=` and `>=` compare numbers, levels of ladders and orders"
        return checker.error("T406", node.span, message, because=because)
    if left.type.tag in ("set", "condition"):
        hint = "write `x in s` to test what a set contains"
        return checker.error("T406", node.span, f"{article(left.type)} cannot be compared", hint=hint)
    return tree.Compare(BOOL, node.span, node.op, left, right)


def _ordered(checker: Checker, type_: Type) -> bool:
    return type_.tag in ("int", "order") or (type_.tag == "ref" and checker.symbols.is_ladder(type_.name))


def _member(checker: Checker, node: nodes.Member) -> tree.Expr:
    if zones.looks_like_zone(checker, node.group):
        found = zones.zones(checker, node.group)
        sorts = {sort for zone in found if (sort := zones.holds(zone)) is not None}
        item = expressions.card(checker, node.item, min(sorts) if len(sorts) == 1 else None)
        tests: list[tree.Expr] = []
        for zone in found:
            sort = zones.holds(zone)
            if sort is not None:
                item = fit(checker, item, ref(sort), f"this zone holds cards of type `{sort}`")
            elif known(item.type) and item.type.name not in checker.symbols.model.sorts:
                item = checker.error("T400", item.span, f"expected a card, found {article(item.type)}")
            tests.append(tree.MemberOfSet(BOOL, node.span, item, zone))
        return _any_of(node, tests)
    group = binders.group(checker, node.group)
    if group is None:
        expressions.expr(checker, node.item, None)
        return wrong(node.span)
    item = expressions.typed(
        checker, node.item, ref(group.type.name), f"the members of the set are of kind `{group.type.name}`"
    )
    return tree.MemberOfSet(BOOL, node.span, item, group)


def _any_of(node: nodes.Member, tests: list[tree.Expr]) -> tree.Expr:
    if not tests:
        return wrong(node.span)
    whole = tests[0]
    for test in tests[1:]:
        whole = tree.Logic(BOOL, node.span, "or", whole, test)
    return whole


def _is(checker: Checker, node: nodes.Is) -> tree.Expr:
    if node.word == "empty":
        found = zones.zones(checker, node.subject)
        return tree.ZoneEmpty(BOOL, node.span, found) if found else wrong(node.span)
    subject = (expressions.card if node.word == "working" else expressions.expr)(checker, node.subject, None)
    if not known(subject.type):
        return wrong(node.span)
    if node.word in ("present", "missing"):
        if never_missing(checker, subject):
            because = "only a `maybe`, a slot, a card or a removed thing can be missing"
            return checker.error("T404", node.span, f"{article(subject.type)} is never missing", because=because)
        present = tree.Present(BOOL, node.span, subject)
        return present if node.word == "present" else tree.Not(BOOL, node.span, present)
    if node.word == "working":
        if subject.type.name not in checker.symbols.model.sorts:
            because = "only cards can be `working`"
            return checker.error(
                "T400", subject.span, f"expected a card, found {article(subject.type)}", because=because
            )
        return tree.Working(BOOL, node.span, subject)
    signature = checker.symbols.find(node.word, checker.scope.origin)
    if signature is not None and _is_predicate(signature) and same(signature.params[0].type, subject.type):
        names.note_call(checker, signature, node.span)
        return tree.ValueCall(BOOL, node.span, signature.id, (subject,))
    if subject.type.tag == "ref":
        member = checker.symbols.members(subject.type.name, checker.scope.origin).get(node.word)
        if member is not None and member.type == BOOL:
            return members.read(checker, subject, node.word, node.span, node.word_span, None)
    if node.word in checker.lost:
        return wrong(node.span)
    return _no_predicate(checker, node, subject, signature)


def never_missing(checker: Checker, e: tree.Expr) -> bool:
    """Whether something is there for certain, so that nobody need ask."""
    kind, model = e.type.name, checker.symbols.model
    if e.type.tag != "ref":
        return not e.type.maybe
    if e.type.maybe or kind in model.made or kind in model.sorts:
        return False
    match e:
        case tree.Const():
            return e.value != 0
        case tree.LocalRef() | tree.BuiltinRef() | tree.OptionRef() | tree.StateRef():
            return True
        case tree.AttributeRef():
            return all(never_missing(checker, part) for part in (e.object, *e.index))
        case tree.ColumnRef(index=None):
            return never_missing(checker, e.object)
        case tree.ValueCall():
            return all(never_missing(checker, arg) for arg in e.args)
        case tree.IfElse():
            return never_missing(checker, e.then) and never_missing(checker, e.otherwise)
        case _:
            return False


def _is_predicate(signature: Signature) -> bool:
    return signature.what == "value" and len(signature.params) == 1 and signature.result == BOOL


def _no_predicate(checker: Checker, node: nodes.Is, subject: tree.Expr, signature: Signature | None) -> tree.Expr:
    of = subject.type.sure()
    visible = [
        s for s in checker.symbols.visible(checker.scope.origin) if _is_predicate(s) and same(s.params[0].type, of)
    ]
    words = [s.name for s in visible] + [*IS_WORDS]
    known_members = checker.symbols.members(of.name, checker.scope.origin)
    words += [member.name for member in known_members.values() if member.type == BOOL]
    built_in = ", ".join(f"`{word}`" for word in IS_WORDS)
    because = f"after `is`, write {built_in} or a bool value or attribute of {article(of)}"
    if signature is not None and signature.what == "value":
        because = f"{signature.shape} -> {signature.result}; {because}"
    elif of.tag == "ref" and checker.symbols.row_number(of.name, node.word) is not None:
        because = f"`{node.word}` is {checker.symbols.one_of(of.name)}: compare with `==`"
    elif node.word in checker.symbols.printed(of.name) and node.word not in known_members:
        because = f"{APART}, so no rule can read it"
    related = names.declared(signature) if signature is not None else ()
    message = f"{article(of)} cannot be `{node.word}`"
    return checker.error(
        "T412", node.word_span, message, because=because, hint=did_you_mean(node.word, words), related=related
    )


def _has(checker: Checker, node: nodes.Has) -> tree.Expr:
    subject = expressions.expr(checker, node.subject, None)
    trait = expressions.typed(checker, node.trait, TRAIT, "after `has`, write a trait")
    if known(subject.type):
        sorts = [sort.name for sort in checker.symbols.trait_sorts()]
        bearers = [kind for sort in sorts for kind in checker.symbols.bearers_of(sort, in_force=True)]
        if subject.type.tag != "ref" or subject.type.name not in bearers:
            expected = " or ".join(f"`{kind}`" for kind in bearers) or "nothing in this game"
            because = f"only {expected} can have traits"
            return checker.error("T413", subject.span, f"{article(subject.type)} has no traits", because=because)
    return tree.Has(BOOL, node.span, subject, trait)


def _meets(checker: Checker, node: nodes.Meets) -> tree.Expr:
    subject = expressions.expr(checker, node.subject, None)
    asked = expressions.expr(checker, node.condition, None)
    if not known(subject.type, asked.type):
        return wrong(node.span)
    if asked.type.tag != "condition":
        because = "after `meets`, write a column of type `condition on LIST`"
        return checker.error("T413", asked.span, f"expected a condition, found {article(asked.type)}", because=because)
    return _met(checker, node, subject, asked)


def _met(checker: Checker, node: nodes.Meets, subject: tree.Expr, asked: tree.Expr) -> tree.Expr:
    """Whether a subject meets a condition; of two conditions, the one that is asked for."""
    if isinstance(asked, tree.IfElse):
        then, otherwise = (_met(checker, node, subject, part) for part in (asked.then, asked.otherwise))
        if not known(then.type, otherwise.type):
            return wrong(node.span)
        return tree.IfElse(BOOL, node.span, asked.test, then, otherwise)
    if not isinstance(asked, tree.ColumnRef):
        because = "only a column has `counted_by:`, which names the value that counts"
        return checker.error("T413", asked.span, "expected a condition that is read from a column", because=because)
    counter, measure = asked.column.counted_by, ref(asked.type.name)
    if not counter:
        related = (Related(asked.column.span, f"the column `{asked.column.name}` is declared here"),)
        because = (
            "write `counted_by: VALUE` in its column; the value takes the thing and the measure, and gives a number"
        )
        message = f"the column `{asked.column.name}` has no `counted_by:`"
        return checker.error("T413", node.span, message, because=because, related=related)
    signature = checker.symbols.find(counter, tree.Origin("core")) if counter else None
    if signature is None or [p.type for p in signature.params[1:]] != [measure] or signature.result != INT:
        because = "`counted_by:` needs a value that takes the thing and the measure, and gives a number"
        return checker.error("T413", node.span, f"there is no suitable value `{counter}`", because=because)
    subject = fit(checker, subject, signature.params[0].type, signature.shape, related=names.declared(signature))
    names.note_call(checker, signature, node.span)
    return tree.Meets(BOOL, node.span, subject, asked, signature.id)


def _affects(checker: Checker, node: nodes.Affects) -> tree.Expr:
    trait = expressions.typed(checker, node.trait, TRAIT, "before `affects`, write a trait")
    found = calls.event_call(checker, node.event, ("routine", "phase", "action", "value", "invariant"))
    if found is None:
        return wrong(node.span)
    signature, args = found
    return tree.Affects(BOOL, node.span, trait, signature.id, args)

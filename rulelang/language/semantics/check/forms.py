"""Check every form of expression, conditions included, and dispatch on it."""

from __future__ import annotations

from rulelang.base.diagnostics import Related
from rulelang.base.numbers import LARGEST, calculate, is_representable
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.forms import IS_WORDS
from rulelang.language.semantics.builtins.names import NAMES
from rulelang.language.semantics.check import calls, expressions, members, names
from rulelang.language.semantics.check.checker import (
    Checker,
    a_type,
    all_known,
    error_expr,
    fit_type,
    may_be_missing,
    none_expr,
    same_type,
)
from rulelang.language.semantics.check.expressions import check_number, check_truth, needs_company, order_part
from rulelang.language.semantics.check.symbol_table import APART, Signature
from rulelang.language.semantics.model import BOOL, INT, ORDER, TRAIT, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.printer import print_expression

# ---- comparisons with a text

#: Words for what players call a thing, in other languages.
_LABELS = ("name", "title", "label", "id", "text", "called")


def report_text_comparison(checker: Checker, node: nodes.Compare) -> tree.Expr | None:
    """Report T406 if one side is a text that names no row, and no row of the other side's type can be meant."""
    for text, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(text, nodes.Name) and text.quoted:
            found = _label(checker, text, other)
            if found is None and not _names_something(checker, text.id):
                found = _thing(checker, text, other)
            if found is not None:
                return found
    return None


def _names_something(checker: Checker, name: str) -> bool:
    symbols, origin = checker.symbols, checker.scope.origin
    declared = symbols.find(name, origin) or name in {*symbols.model.state, *symbols.model.numbers, *NAMES}
    return bool(declared or symbols.rows_named(name) or checker.scope.find(name) or name in checker.lost)


def _label(checker: Checker, text: nodes.Name, other: nodes.Expr) -> tree.Expr | None:
    """Report `x.name == "wolf"`, unless things of that kind have something of that name."""
    if not isinstance(other, nodes.Attribute) or other.name not in _LABELS or not _is_thing(checker, other.object):
        return None
    thing = expressions.check_expr(checker, other.object, None)
    kind = thing.type.name if thing.type.tag == "ref" else ""
    if not kind or other.name in checker.symbols.members(kind, checker.scope.origin):
        return None
    return _by_name(checker, kind, text, other)


def _is_thing(checker: Checker, node: nodes.Expr) -> bool:
    """Whether an expression is a variable, or something of one: its check reports nothing a second time."""
    while isinstance(node, nodes.Attribute):
        node = node.object
    return isinstance(node, nodes.Name) and checker.scope.find(node.id) is not None


def _thing(checker: Checker, text: nodes.Name, other: nodes.Expr) -> tree.Expr | None:
    """Report a thing, a number or a condition that is compared with a text."""
    if (isinstance(other, nodes.Name) and other.quoted) or expressions.needs_company(checker, other):
        return None
    found = expressions.check_expr(checker, other, None)
    if not all_known(found.type):
        return error_expr(text.span)
    if found.type.tag == "ref":
        kind = found.type.sure().name
        return _by_name(checker, kind, text, other) if kind in {*checker.symbols.model.made, "player"} else None
    hint = f"write `{text.id}` without quotes" if text.id in ("true", "false") or text.id.isdigit() else ""
    message = f"cannot compare {a_type(found.type)} with the text `{text.id}`"
    return checker.error("T406", text.span, message, hint=hint)


def _by_name(checker: Checker, kind: str, text: nodes.Name, other: nodes.Expr) -> tree.Expr:
    """T406: things have no names that rules can read; rows are compared themselves."""
    first, last = sorted((text.span, other.span))
    span = first.to(last) if first.line == last.line else text.span
    because = "names are labels for players, and rules cannot read them"
    hint = (
        _instead(checker, kind, text, other) or f"compare it with another {kind}, as in `x == y`, or test an attribute"
    )
    return checker.error("T406", span, f"{a_quoted(kind)} cannot be compared by name", because=because, hint=hint)


def _instead(checker: Checker, kind: str, text: nodes.Name, other: nodes.Expr) -> str:
    """A hint for things that have rows: compare the thing with its row, or a column that names a row."""
    thing = other.object if isinstance(other, nodes.Attribute) else other
    said = print_expression(thing)
    own = checker.symbols.rows_of(kind)
    if text.id in own:
        return f"write `{said} == {text.id}`"
    kinds = [row for row, _ in checker.symbols.rows_named(text.id)]
    for name, member in checker.symbols.members(kind, checker.scope.origin).items():
        if member.type is not None and member.type.tag == "ref" and member.type.sure().name in kinds:
            return f"write `{said}.{name} == {text.id}`"
    return f"compare it with a row, as in `{said} == {next(iter(own))}`" if own else ""


# ---- conditions


def check_condition(checker: Checker, node: nodes.Expr) -> tree.Expr:
    """The forms of expressions that are true or false."""
    match node:
        case nodes.Compare():
            return _compare(checker, node)
        case nodes.Logic():
            why = f"`{node.op}` needs conditions"
            left = expressions.check_truth(checker, node.left, why)
            return tree.Logic(BOOL, node.span, node.op, left, expressions.check_truth(checker, node.right, why))
        case nodes.Not():
            return tree.Not(BOOL, node.span, expressions.check_truth(checker, node.operand, "`not` needs a condition"))
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
            return calls.check_can(checker, node)
        case _:
            raise AssertionError(f"no expression: {type(node).__name__}")  # the parser makes no other


def _negated(negated: bool, expr: tree.Expr) -> tree.Expr:
    return tree.Not(BOOL, expr.span, expr) if negated and all_known(expr.type) else expr


def _compare(checker: Checker, node: nodes.Compare) -> tree.Expr:
    if (wrong_text := report_text_comparison(checker, node)) is not None:
        return wrong_text
    if expressions.needs_company(checker, node.left) and not expressions.needs_company(checker, node.right):
        right = expressions.check_expr(checker, node.right, None)
        left = expressions.check_expr(checker, node.left, right.type if all_known(right.type) else None)
    else:
        left = expressions.check_expr(checker, node.left, None)
        right = expressions.check_expr(checker, node.right, left.type if all_known(left.type) else None)
    if not all_known(left.type, right.type):
        return tree.Compare(BOOL, node.span, node.op, left, right)
    if ORDER in (left.type.sure(), right.type.sure()) and left.type.tag != right.type.tag:
        why = "an order can be compared only with an order"
        left, right = fit_type(checker, left, ORDER, why), fit_type(checker, right, ORDER, why)
    if not same_type(left.type, right.type):
        message = f"cannot compare {a_type(left.type)} with {a_type(right.type)}"
        because = "both sides must have the same type"
        return checker.error("T406", node.span, message, because=because)
    if node.op not in ("==", "!=") and not _ordered(checker, left.type):
        message = f"`{node.op}` cannot compare values of this type: found {a_type(left.type)}"
        because = "`<`, `>`, `<=` and `>=` compare numbers, levels of ladders and orders"
        return checker.error("T406", node.span, message, because=because)
    if left.type.tag in ("set", "condition"):
        hint = "write `x in s` to test what a set contains"
        return checker.error("T406", node.span, f"{a_type(left.type)} cannot be compared", hint=hint)
    return tree.Compare(BOOL, node.span, node.op, left, right)


def _ordered(checker: Checker, type_: Type) -> bool:
    return type_.tag in ("int", "order") or (type_.tag == "ref" and checker.symbols.is_ladder(type_.name))


def _member(checker: Checker, node: nodes.Member) -> tree.Expr:
    if members.looks_like_zone(checker, node.group):
        found = members.check_zones(checker, node.group)
        sorts = {sort for zone in found if (sort := members.card_type_in_zone(zone)) is not None}
        item = expressions.check_card(checker, node.item, min(sorts) if len(sorts) == 1 else None)
        tests: list[tree.Expr] = []
        for zone in found:
            sort = members.card_type_in_zone(zone)
            if sort is not None:
                item = fit_type(checker, item, ref(sort), f"this zone holds cards of type `{sort}`")
            elif all_known(item.type) and item.type.name not in checker.symbols.model.sorts:
                item = checker.error("T400", item.span, f"expected a card, found {a_type(item.type)}")
            tests.append(tree.MemberOfSet(BOOL, node.span, item, zone))
        return _any_of(node, tests)
    group = calls.check_set(checker, node.group)
    if group is None:
        expressions.check_expr(checker, node.item, None)
        return error_expr(node.span)
    item = expressions.check_typed(
        checker, node.item, ref(group.type.name), f"the members of the set are of kind `{group.type.name}`"
    )
    return tree.MemberOfSet(BOOL, node.span, item, group)


def _any_of(node: nodes.Member, tests: list[tree.Expr]) -> tree.Expr:
    if not tests:
        return error_expr(node.span)
    whole = tests[0]
    for test in tests[1:]:
        whole = tree.Logic(BOOL, node.span, "or", whole, test)
    return whole


def _is(checker: Checker, node: nodes.Is) -> tree.Expr:
    if node.word == "empty":
        found = members.check_zones(checker, node.subject)
        return tree.ZoneEmpty(BOOL, node.span, found) if found else error_expr(node.span)
    subject = (expressions.check_card if node.word == "working" else expressions.check_expr)(
        checker, node.subject, None
    )
    if not all_known(subject.type):
        return error_expr(node.span)
    if node.word in ("present", "missing"):
        if never_missing(checker, subject):
            because = "only a `maybe`, a slot, a card or a removed thing can be missing"
            return checker.error("T404", node.span, f"{a_type(subject.type)} is never missing", because=because)
        present = tree.Present(BOOL, node.span, subject)
        return present if node.word == "present" else tree.Not(BOOL, node.span, present)
    if node.word == "working":
        if subject.type.name not in checker.symbols.model.sorts:
            because = "only cards can be `working`"
            return checker.error(
                "T400", subject.span, f"expected a card, found {a_type(subject.type)}", because=because
            )
        return tree.Working(BOOL, node.span, subject)
    signature = checker.symbols.find(node.word, checker.scope.origin)
    if signature is not None and _is_predicate(signature) and same_type(signature.params[0].type, subject.type):
        names.note_call(checker, signature, node.span)
        return tree.ValueCall(BOOL, node.span, signature.id, (subject,))
    if subject.type.tag == "ref":
        member = checker.symbols.members(subject.type.name, checker.scope.origin).get(node.word)
        if member is not None and member.type == BOOL:
            return members.read_member(checker, subject, node.word, node.span, node.word_span, None)
    if node.word in checker.lost:
        return error_expr(node.span)
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
        s for s in checker.symbols.visible(checker.scope.origin) if _is_predicate(s) and same_type(s.params[0].type, of)
    ]
    words = [s.name for s in visible] + [*IS_WORDS]
    known_members = checker.symbols.members(of.name, checker.scope.origin)
    words += [member.name for member in known_members.values() if member.type == BOOL]
    built_in = ", ".join(f"`{word}`" for word in IS_WORDS)
    because = f"after `is`, write {built_in} or a bool value or attribute of {a_type(of)}"
    if signature is not None and signature.what == "value":
        because = f"{signature.shape} -> {signature.result}; {because}"
    elif of.tag == "ref" and checker.symbols.row_number(of.name, node.word) is not None:
        because = f"`{node.word}` is {checker.symbols.one_of(of.name)}: compare with `==`"
    elif node.word in checker.symbols.printed(of.name) and node.word not in known_members:
        because = f"{APART}, so no rule can read it"
    related = names.declared_at(signature) if signature is not None else ()
    message = f"{a_type(of)} cannot be `{node.word}`"
    return checker.error(
        "T412", node.word_span, message, because=because, hint=did_you_mean(node.word, words), related=related
    )


def _has(checker: Checker, node: nodes.Has) -> tree.Expr:
    subject = expressions.check_expr(checker, node.subject, None)
    trait = expressions.check_typed(checker, node.trait, TRAIT, "after `has`, write a trait")
    if all_known(subject.type):
        sorts = [sort.name for sort in checker.symbols.trait_sorts()]
        bearers = [kind for sort in sorts for kind in checker.symbols.bearers_of(sort, in_force=True)]
        if subject.type.tag != "ref" or subject.type.name not in bearers:
            expected = " or ".join(f"`{kind}`" for kind in bearers) or "nothing in this game"
            because = f"only {expected} can have traits"
            return checker.error("T413", subject.span, f"{a_type(subject.type)} has no traits", because=because)
    return tree.Has(BOOL, node.span, subject, trait)


def _meets(checker: Checker, node: nodes.Meets) -> tree.Expr:
    subject = expressions.check_expr(checker, node.subject, None)
    asked = expressions.check_expr(checker, node.condition, None)
    if not all_known(subject.type, asked.type):
        return error_expr(node.span)
    if asked.type.tag != "condition":
        because = "after `meets`, write a column of type `condition on LIST`"
        return checker.error("T413", asked.span, f"expected a condition, found {a_type(asked.type)}", because=because)
    return _met(checker, node, subject, asked)


def _met(checker: Checker, node: nodes.Meets, subject: tree.Expr, asked: tree.Expr) -> tree.Expr:
    """Whether a subject meets a condition; of two conditions, the one that is asked for."""
    if isinstance(asked, tree.IfElse):
        then, otherwise = (_met(checker, node, subject, part) for part in (asked.then, asked.otherwise))
        if not all_known(then.type, otherwise.type):
            return error_expr(node.span)
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
    subject = fit_type(
        checker, subject, signature.params[0].type, signature.shape, related=names.declared_at(signature)
    )
    names.note_call(checker, signature, node.span)
    return tree.Meets(BOOL, node.span, subject, asked, signature.id)


def _affects(checker: Checker, node: nodes.Affects) -> tree.Expr:
    trait = expressions.check_typed(checker, node.trait, TRAIT, "before `affects`, write a trait")
    found = calls.event_call(checker, node.event, ("routine", "phase", "action", "value", "invariant"))
    if found is None:
        return error_expr(node.span)
    signature, args = found
    return tree.Affects(BOOL, node.span, trait, signature.id, args)


# ---- constant arithmetic


def check_arithmetic(checker: Checker, e: tree.Const | tree.Arith) -> tree.Expr:
    """The expression; T430 for a division by a 0 that is written there (a warning where `numbers:` give it), T431 for
    what is too large."""
    if isinstance(e, tree.Const):
        return e if is_representable(e.value) else _too_large(checker, e)
    right = constant_value(e.right, checker)
    if e.op in ("/", "%") and right == 0:
        if constant_value(e.right, None) == 0:
            because = ""
            return checker.error("T430", e.right.span, "division by zero", because=because)
        checker.out.warning(
            "T430", e.right.span, "division by zero", because="the number is 0 for some or all numbers of players"
        )
        return e
    left = constant_value(e.left, None)
    if left is None or right is None or constant_value(e.right, None) is None:
        return e
    return e if calculate("//" if e.op == "/" else e.op, left, right) is not None else _too_large(checker, e)


def _too_large(checker: Checker, e: tree.Expr) -> tree.Expr:
    because = f"rules calculate with numbers from {-LARGEST:,} to {LARGEST:,}"
    return checker.error("T431", e.span, "this number is too large", because=because)


def constant_value(e: tree.Expr, checker: Checker | None) -> int | None:
    """What an expression always comes to, if that is written there; None if not. With a checker, a number of `numbers:`
    that is 0 for some table counts as 0."""
    match e:
        case tree.Const(value=value) if e.type.tag == "int" and not e.type.maybe:
            return value
        case tree.NumberRef(name=name, index=None) if checker is not None:
            return 0 if checker.symbols.may_be_zero(name) else None
        case tree.Negative(operand=operand):
            number = constant_value(operand, None)
            return None if number is None else -number
        case tree.BuiltinCall(name="min" | "max" as kind, args=args):
            found = [constant_value(arg, None) for arg in args]
            numbers = [n for n in found if n is not None]
            return None if len(numbers) < len(found) else min(numbers) if kind == "min" else max(numbers)
        case tree.Arith(op=op, left=left, right=right):
            a, b = constant_value(left, None), constant_value(right, None)
            return None if a is None or b is None else calculate("//" if op == "/" else op, a, b)
        case _:
            return None


# ---- dispatch


def check_form(checker: Checker, node: nodes.Expr, want: Type | None) -> tree.Expr:
    """The typed expression; of type error (already reported) where the node makes no sense."""
    match node:
        case nodes.Number():
            return check_arithmetic(checker, tree.Const(INT, node.span, node.value))
        case nodes.Bool():
            return tree.Const(BOOL, node.span, int(node.value))
        case nodes.NoneValue():
            return _none(checker, node, want)
        case nodes.Name():
            return names.resolve_name(checker, node.id, node.span, want)
        case nodes.Attribute():
            return members.check_attribute(checker, node)
        case nodes.Index():
            return members.check_index(checker, node)
        case nodes.Call():
            return calls.value_call(checker, node, want)
        case nodes.ZoneOf():
            return _zone_of(checker, node)
        case nodes.Negative():
            operand = check_number(checker, node.operand, "the minus sign needs a number")
            return tree.Negative(operand.type if all_known(operand.type) else INT, node.span, operand)
        case nodes.Arith():
            return _arith(checker, node)
        case nodes.IfElse():
            return _if_else(checker, node, want)
        case nodes.Then():
            return _then(checker, node)
        case nodes.Otherwise():
            return _otherwise(checker, node, want)
        case nodes.Query():
            return calls.check_query(checker, node)
        case nodes.CountTrue():
            return names.report_counted_kind(checker, node) or calls.builtin_call(
                checker, "count", node.conditions, node.span
            )
        case nodes.MinMax():
            return calls.builtin_call(checker, node.kind, node.args, node.span)
        case _:
            return check_condition(checker, node)


def _none(checker: Checker, node: nodes.NoneValue, want: Type | None) -> tree.Expr:
    if want is None or want.tag not in ("int", "ref"):
        because = "`none` has no type of its own, and the context does not give it a type"
        return checker.error(
            "T400",
            node.span,
            "the type of `none` is unknown here",
            because=because,
            hint="write `x is missing` to test for it",
        )
    return none_expr(want, node.span)


def _zone_of(checker: Checker, node: nodes.ZoneOf) -> tree.Expr:
    found = members.check_zones(checker, node)
    if len(found) == 1 and isinstance(found[0], tree.ZoneRef):
        if found[0].zone.slot and found[0].owner is not None:
            return members.read_member(checker, found[0].owner, node.name, node.span, node.name_span, None)
        because = "a zone contains cards"
        return checker.error("T408", node.span, f"the zone `{node.name}` is not a value", because=because)
    return error_expr(node.span)


def _arith(checker: Checker, node: nodes.Arith) -> tree.Expr:
    why = f"`{node.op}` needs numbers"
    left, right = check_number(checker, node.left, why), check_number(checker, node.right, why)
    type_ = INT.optional() if may_be_missing(left, right) else INT
    return check_arithmetic(checker, tree.Arith(type_, node.span, node.op, left, right))


def _if_else(checker: Checker, node: nodes.IfElse, want: Type | None) -> tree.Expr:
    test = check_truth(checker, node.test, "`if` needs a condition")
    first, second = node.then, node.otherwise
    if want is None and needs_company(checker, first) and not needs_company(checker, second):
        otherwise = checker.form(checker, second, None)
        then = checker.form(checker, first, otherwise.type)
    else:
        then = checker.form(checker, first, want)
        otherwise = checker.form(checker, second, want or (then.type if all_known(then.type) else None))
    if not all_known(then.type, otherwise.type):
        kept = then if all_known(then.type) else otherwise
        return tree.IfElse(kept.type, node.span, test, then, otherwise)
    if ORDER in (want, then.type.sure(), otherwise.type.sure()):
        why = "both branches of an `if` must have the same type"
        then, otherwise = fit_type(checker, then, ORDER, why), fit_type(checker, otherwise, ORDER, why)
    if not same_type(then.type, otherwise.type):
        message = f"one branch gives {a_type(then.type)}, the other {a_type(otherwise.type)}"
        return checker.error("T400", node.span, message, because="both branches of an `if` must have the same type")
    type_ = then.type.optional() if may_be_missing(then, otherwise) else then.type
    return tree.IfElse(type_, node.span, test, then, otherwise)


def _then(checker: Checker, node: nodes.Then) -> tree.Expr:
    parts = tuple(order_part(checker, checker.form(checker, part, None)) for part in node.parts)
    return tree.OrderOf(ORDER.optional() if may_be_missing(*parts) else ORDER, node.span, parts)


def _otherwise(checker: Checker, node: nodes.Otherwise, want: Type | None) -> tree.Expr:
    value = checker.form(
        checker, node.value, want.optional() if want is not None and want.tag in ("int", "ref") else want
    )
    hoped = value.type.sure() if all_known(value.type) and not isinstance(node.value, nodes.NoneValue) else want
    default = checker.form(checker, node.default, hoped)
    if not all_known(value.type, default.type):
        return tree.Otherwise(value.type if all_known(value.type) else default.type, node.span, value, default)
    if ORDER in (value.type.sure(), default.type.sure()):
        why = "a value and its default must have the same type"
        value, default = fit_type(checker, value, ORDER, why), fit_type(checker, default, ORDER, why)
    if not same_type(value.type, default.type):
        message = f"expected {a_type(value.type.sure())} as before `otherwise`, found {a_type(default.type)}"
        return checker.error("T400", default.span, message, because="a value and its default must have the same type")
    if not _may_fail(checker, value):
        because = "`otherwise` gives a default for a value that may be missing"
        hint = "remove `otherwise` and the default"
        return checker.error(
            "T404", node.span, "the value before `otherwise` is never missing", because=because, hint=hint
        )
    return tree.Otherwise(default.type, node.span, value, default)


def _may_fail(checker: Checker, value: tree.Expr) -> bool:
    """True if the value can be missing at run time: it is `maybe`, reads a slot, or reads a thing that may be gone."""
    if value.type.maybe or isinstance(value, tree.SlotRead | tree.ValueCall | tree.IfElse):
        return True
    if value.type.tag == "ref" and value.type.name in checker.symbols.model.made:
        return True
    if isinstance(value, tree.AttributeRef | tree.ColumnRef | tree.Property):
        return _may_fail(checker, value.object)
    return False

"""Lint rules about conditions and ranges: always or never true, repeated, negated, or out of range."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Bound, Model
from rulelang.language.semantics.tree import walk
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.testing.scenarios.checking import Checker
from rulelang.testing.scenarios.scenario import Outcome
from rulelang.tools.lint.rule import Finding, Fix, Rule, Subject
from rulelang.tools.lint.uses import all_declarations

# ---- compared-with-truth


def find_compared_with_truth(subject: Subject) -> Iterator[Finding]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if not isinstance(node, nodes.Compare) or node.op not in ("==", "!="):
                continue
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(side, nodes.Bool) and subject.owns(node.span):
                    keep = side.value == (node.op == "==")
                    text = subject.text(other.span)
                    simple = isinstance(other, nodes.Name | nodes.Attribute | nodes.Call | nodes.Index)
                    fix = Fix(((node.span, text if keep else f"not {text}"),)) if simple else None
                    message = f"comparison of a truth value with `{'true' if side.value else 'false'}`"
                    hint = f"write `{text}`" if keep else f"write `not {text}`"
                    yield Finding(node.span, message, "a truth value is a condition already", hint, (), fix)
                    break


COMPARED_WITH_TRUTH = Rule(
    "compared-with-truth",
    Page(
        "L822",
        "truth value compared with `true` or `false`",
        "A truth value is a condition already: `x == true` means `x`, and `x == false` means `not x`. Write the "
        "shorter form.",
        "trait: damp\ntext: {en: It grows calm once.}\nstate: {done: bool}\ncards: [{weight: [1]}]\nrules: |\n"
        "  after eat(self, any, any) when this.done == false:\n    this.done = true\n    self.mood = calm\n",
        "trait: damp\ntext: {en: It grows calm once.}\nstate: {done: bool}\ncards: [{weight: [1]}]\nrules: |\n"
        "  after eat(self, any, any) when not this.done:\n    this.done = true\n    self.mood = calm\n",
    ),
    find_compared_with_truth,
)


# ---- double-negation

OPPOSITE_OPERATORS = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def find_double_negation(subject: Subject) -> Iterator[Finding]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if not isinstance(node, nodes.Not) or not subject.owns(node.span):
                continue
            inner = node.operand
            if isinstance(inner, nodes.Compare):
                said = (
                    f"{subject.text(inner.left.span)} {OPPOSITE_OPERATORS[inner.op]} {subject.text(inner.right.span)}"
                )
            elif isinstance(inner, nodes.Not):
                said = subject.text(inner.operand.span)
            else:
                continue
            whole = subject.text(node.span)
            fix = Fix(((node.span, said),)) if "\n" not in whole and whole.count("(") == whole.count(")") else None
            yield Finding(node.span, "`not` negates a comparison", "", f"write `{said}`", (), fix)


DOUBLE_NEGATION = Rule(
    "double-negation",
    Page(
        "L823",
        "comparison negated by `not`",
        "Write `a != b` instead of `not (a == b)`, and `a >= b` instead of `not (a < b)`. It is easier to read.",
        "modify strength(s): + 1 when not (s.size == 2)\n",
        "modify strength(s): + 1 when s.size != 2\n",
    ),
    find_double_negation,
)


# ---- same-twice


def find_same_twice(subject: Subject) -> Iterator[Finding]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if isinstance(node, nodes.Compare | nodes.Logic) and subject.owns(node.span):
                left, right = _node_words(subject, node.left), _node_words(subject, node.right)
                if left == right:
                    message = f"both sides of `{node.op}` are equal"
                    yield Finding(node.span, message, "change one of them")


def _node_words(subject: Subject, node: nodes.Node) -> list[str]:
    return subject.text(node.span).split()


SAME_TWICE = Rule(
    "same-twice",
    Page(
        "L824",
        "same expression on both sides",
        "`a == a` is always true, and `a and a` means `a`. You probably meant another name on one side.",
        "modify strength(s): + 1 when s.size > 2 and s.size > 2\n",
        "modify strength(s): + 1 when s.size > 2 and s.eaten > 2\n",
    ),
    find_same_twice,
)


# ---- same-branches


def find_same_branches(subject: Subject) -> Iterator[Finding]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if isinstance(node, nodes.If) and node.otherwise is not None and subject.owns(node.span):
                blocks = [body for _, body in node.branches] + [node.otherwise]
                same = len({tuple(_block_words(subject, body)) for body in blocks}) == 1
            elif isinstance(node, nodes.IfElse) and subject.owns(node.span):
                same = subject.text(node.then.span).split() == subject.text(node.otherwise.span).split()
            else:
                continue
            if same:
                hint = "remove the condition, or change one of the branches"
                yield Finding(node.span.head(), "all branches do the same", "the condition decides nothing", hint)


def _block_words(subject: Subject, body: tuple[nodes.Stmt, ...]) -> list[str]:
    whole: Span = body[0].span.to(body[-1].span)
    return subject.text(whole).split()


SAME_BRANCHES = Rule(
    "same-branches",
    Page(
        "L825",
        "branches that do the same",
        "An `if` with equal branches decides nothing. You probably copied one of them and did not change it.",
        "value pull(snail s) -> int: 1 if s.size > 2 else 1\nmodify strength(s): + pull(s)\n",
        "value pull(snail s) -> int: 1 if s.size > 2 else 2\nmodify strength(s): + pull(s)\n",
    ),
    find_same_branches,
)


# ---- intervals of numbers

#: The least and the greatest number; None: no bound is known.
Interval = tuple[int | None, int | None]
UNKNOWN_INTERVAL: Interval = (None, None)
TRUTH_INTERVAL: Interval = (0, 1)


def interval_of(e: tree.Expr, model: Model) -> Interval:
    """For numbers and truth values; UNKNOWN for whatever else, and where nothing is promised."""
    if e.type.tag not in ("int", "bool") or e.type.maybe:
        return UNKNOWN_INTERVAL
    match e:
        case tree.Const():
            return e.value, e.value
        case tree.NumberRef():
            numbers = list(_flat_values(model.numbers[e.name].by_players.values()))
            return min(numbers), max(numbers)
        case tree.StateRef() | tree.AttributeRef():
            attribute = e.attribute
            return (
                (0, 1)
                if e.type.tag == "bool"
                else (_least_bound(attribute.low, model), _most_bound(attribute.high, model))
            )
        case tree.TableRef():
            return _least_bound(e.table.low, model), _most_bound(e.table.high, model)
        case tree.ColumnRef():
            return (0, 1) if e.type.tag == "bool" else (e.column.low, e.column.high)
        case tree.Query() if e.kind == "count":
            return 0, None
        case tree.BuiltinRef(name="round"):
            return 0, None  # before the first one
        case tree.Negative():
            return _negated_interval(interval_of(e.operand, model))
        case tree.Arith():
            return _arithmetic_interval(e.op, interval_of(e.left, model), interval_of(e.right, model))
        case tree.Compare():
            return comparison_interval(e, model)
        case tree.Logic():
            return _logic_interval(e.op, interval_of(e.left, model), interval_of(e.right, model))
        case tree.Not():
            low, high = interval_of(e.operand, model)
            return (1 - high if high is not None else None, 1 - low if low is not None else None)
        case tree.IfElse():
            return joined_intervals(interval_of(e.then, model), interval_of(e.otherwise, model))
    return TRUTH_INTERVAL if e.type.tag == "bool" else UNKNOWN_INTERVAL


def comparison_interval(e: tree.Compare, model: Model) -> Interval:
    """Whether a comparison always (1, 1) or never (0, 0) holds, as far as the intervals of its sides say."""
    (a, b), (c, d) = interval_of(e.left, model), interval_of(e.right, model)
    always, never = {
        "<": (_is_below(b, c), _is_not_above(d, a)),
        "<=": (_is_not_above(b, c), _is_below(d, a)),
        ">": (_is_below(d, a), _is_not_above(b, c)),
        ">=": (_is_not_above(d, a), _is_below(b, c)),
        "==": (a is not None and a == b == c == d, _is_below(b, c) or _is_below(d, a)),
        "!=": (_is_below(b, c) or _is_below(d, a), a is not None and a == b == c == d),
    }[e.op]
    return (1, 1) if always else (0, 0) if never else TRUTH_INTERVAL


def joined_intervals(one: Interval, other: Interval) -> Interval:
    """What lies in either."""
    lows, highs = (one[0], other[0]), (one[1], other[1])
    low = None if None in lows else min(x for x in lows if x is not None)
    return low, None if None in highs else max(x for x in highs if x is not None)


def _is_below(high: int | None, low: int | None) -> bool:
    return high is not None and low is not None and high < low


def _is_not_above(high: int | None, low: int | None) -> bool:
    return high is not None and low is not None and high <= low


def _negated_interval(one: Interval) -> Interval:
    return (-one[1] if one[1] is not None else None, -one[0] if one[0] is not None else None)


def _arithmetic_interval(op: str, one: Interval, other: Interval) -> Interval:
    if op == "-":
        op, other = "+", _negated_interval(other)
    if op == "+":
        low = one[0] + other[0] if one[0] is not None and other[0] is not None else None
        return low, one[1] + other[1] if one[1] is not None and other[1] is not None else None
    ends = (*one, *other)
    if op == "*" and None not in ends:
        products = [a * b for a in one for b in other if a is not None and b is not None]
        return min(products), max(products)
    return UNKNOWN_INTERVAL


def _logic_interval(op: str, one: Interval, other: Interval) -> Interval:
    sides = (one, other)
    if op == "and":
        return (0, 0) if (0, 0) in sides else (1, 1) if sides == ((1, 1), (1, 1)) else TRUTH_INTERVAL
    return (1, 1) if (1, 1) in sides else (0, 0) if sides == ((0, 0), (0, 0)) else TRUTH_INTERVAL


def _flat_values(values: Iterable[int | tuple[int, ...]]) -> list[int]:
    found: list[int] = []
    for value in values:
        found.extend(value if isinstance(value, tuple) else (value,))
    return found


def _least_bound(bound: Bound | None, model: Model) -> int | None:
    return bound if isinstance(bound, int) else min(_bound_values(bound, model), default=None)


def _most_bound(bound: Bound | None, model: Model) -> int | None:
    return bound if isinstance(bound, int) else max(_bound_values(bound, model), default=None)


def _bound_values(bound: str | None, model: Model) -> list[int]:
    """The numbers that a named bound may be."""
    if bound is None:
        return []
    if bound in model.numbers:
        return _flat_values(model.numbers[bound].by_players.values())
    option = model.options.get(bound.removeprefix("option."))
    return [option.low, option.high] if option is not None else []


# ---- constant-condition

_CONDITION_HINT = "remove the condition, or compare something else"
#: What a claim has in it that shows nothing where it always holds; one that says which number it is holds to that.
_ORDER_SIGNS = re.compile(r"[<>]|!=")


def find_constant_condition(subject: Subject) -> Iterator[Finding]:
    for declared in all_declarations(subject.program):
        # An invariant always holds: that is what it is for. A value is asked for what it is, and hooks change it.
        if isinstance(declared, tree.Invariant) or not subject.owns(declared.span):
            continue
        inner: set[int] = set()
        for node in walk(declared):
            if id(node) in inner or not isinstance(node, tree.Compare | tree.Logic | tree.Not):
                continue
            known = interval_of(node, subject.model)
            if known[0] is None or known[0] != known[1]:
                continue
            inner.update(map(id, walk(node)))  # the parts of it are no news
            word = "always" if known[0] else "never"
            because = "the types and constants allow no other result"
            yield Finding(node.span, f"this is {word} true", because, _CONDITION_HINT)
    yield from _constant_claims(subject)


def _constant_claims(subject: Subject) -> Iterator[Finding]:
    """Claims of scenarios that nothing could break. One that never holds fails when it is played."""
    checker: Checker | None = None
    for scenario in subject.own_scenarios:
        claims = scenario.node.get("then")
        if not scenario.sound or claims is None or not _ORDER_SIGNS.search(str(claims.plain())):
            continue
        checker = checker or Checker(subject.compilation)
        ready = checker.ready(scenario)
        for formula in ready.formulas() if not isinstance(ready, Outcome) else ():
            for test in formula.tests:
                if _ORDER_SIGNS.search(test.text) and interval_of(test.whole, subject.model) == (1, 1):
                    because = "the types and constants allow no other result, so the claim proves nothing"
                    yield Finding(test.span, "this is always true", because, _CONDITION_HINT)


CONSTANT_CONDITION = Rule(
    "constant-condition",
    Page(
        "L812",
        "condition that is always or never true",
        "Ranges and constants limit a number, and within these limits the comparison has only one result. Usually, "
        "a bound is off by one, or you meant another name. In a scenario, a claim that is always true proves "
        "nothing.",
        "modify strength(s): + 1 when s.size >= 1\n",
        "modify strength(s): + 1 when s.size > 1\n",
    ),
    find_constant_condition,
)


# ---- range-too-wide


def find_range_too_wide(subject: Subject) -> Iterator[Finding]:
    for declared in all_declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        binders = [node for node in walk(declared) if isinstance(node, tree.Binder)]
        ranges = {binder.local.name: binder for binder in binders if isinstance(binder.domain, tree.Range)}
        if not ranges:
            continue
        for node in walk(declared):
            if isinstance(node, tree.Compare):  # whatever is tested for: what does not fit may be left out by it
                for part in walk(node):
                    if isinstance(part, tree.LocalRef):
                        ranges.pop(part.local.name, None)
        for node in walk(declared):
            if isinstance(node, tree.Assign) and node.op == "=" and isinstance(node.value, tree.LocalRef):
                binder = ranges.get(node.value.local.name)
                if binder is not None:
                    yield from _range_findings(node, binder, subject.model)


def _range_findings(node: tree.Assign, binder: tree.Binder, model: Model) -> Iterator[Finding]:
    target = node.target
    if not isinstance(target, tree.StateRef | tree.AttributeRef | tree.TableRef):
        return
    kept = target.table if isinstance(target, tree.TableRef) else target.attribute
    low, high = interval_of(target, model)
    least, most = _range_ends(binder, model)
    below = low is not None and least is not None and least < low
    above = high is not None and most is not None and most > high
    if kept.clamp or not (below or above):
        return
    said = f"`{binder.local.text}` can be {least if below else most}"
    holds = f"{'...' if low is None else low}..{'...' if high is None else high}"
    hint = f"choose from a smaller range, or declare `{kept.name}` with `clamp: true` to stop at the end"
    yield Finding(
        node.span,
        f"`{kept.name}` holds {holds}, but {said}",
        "a number outside its range stops the game (X601)",
        hint,
        (Related(binder.span, "the range is here"), Related(kept.span, f"`{kept.name}` is declared here")),
    )


def _range_ends(binder: tree.Binder, model: Model) -> Interval:
    assert isinstance(binder.domain, tree.Range)
    return interval_of(binder.domain.low, model)[0], interval_of(binder.domain.high, model)[1]


RANGE_TOO_WIDE = Rule(
    "range-too-wide",
    Page(
        "L835",
        "range that does not fit",
        "A choice, a roll or a loop takes a number from a range, and the rule writes it to a value with a smaller "
        "range. If the number does not fit, the game stops (X601). The linter reports nothing if the rule compares "
        "the number first.",
        "after dawn:\n  for snail s, int n from 0 to 99: s.eaten = n\n",
        "after dawn:\n  for snail s, int n from 0 to 9: s.eaten = n\n",
    ),
    find_range_too_wide,
)

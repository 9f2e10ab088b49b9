"""Expressions of scenarios: parsed and checked in the language of the rules, split so that a failure can be shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Placement, Span
from rulelang.data.yaml_nodes import YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.check import forms
from rulelang.language.semantics.check.checker import Form
from rulelang.language.semantics.check.program import check_expression
from rulelang.language.semantics.model import BOOL, PLAYER, Model, Type, ref
from rulelang.language.syntax.parse import parse_expression
from rulelang.testing.scenarios.position import Position
from rulelang.testing.scenarios.tokens import Word, known_spelling, report_unknown

_NAME = re.compile(r"[^\W\d]\w*")

_QUOTED = re.compile(r'"([^"\n]+)"')

#: What can be shown as a value: numbers, truth values, things, rows.
_SHOWN = ("int", "bool", "ref")


@record
class Test:
    """One condition that must hold. `sides`: of a comparison, the two expressions whose values a failure shows."""

    whole: tree.Expr
    text: str
    span: Span
    sides: tuple[tree.Expr, ...] = ()


@record
class Formula:
    """An expression as the tests that all must hold. `names` are its variables; each is a player or a thing."""

    text: str
    span: Span
    names: tuple[tree.Local, ...]
    tests: tuple[Test, ...]

    def expressions(self) -> list[tree.Expr]:
        return [e for test in self.tests for e in (test.whole, *test.sides)]


def read_formula(
    scalar: YamlScalar,
    model: Model,
    program: tree.Program,
    names: Mapping[str, Type],
    out: Diagnostics,
    trait: str = "",
    form: Form = forms.check_form,
) -> Formula | None:
    """The formula that a line of `then` holds; None, with diagnostics, if it is not one.

    `trait`: the trait that it stands beside. `form`: hears what it is made of.
    """
    span = scalar.span
    place = scalar.placement() if scalar.exact else Placement(span.path, span.line - 1, 0, span.column - 1)
    text, quoted = scalar.text, dict[str, str]()
    if '"' in text:
        rows = {row.name for listing in model.lists.values() for row in listing.rows}
        rows |= {row.name for sort in model.sorts.values() for row in sort.rows}
        text, quoted = mask_quoted_names(text, rows - names.keys())
        for name in dict.fromkeys(quoted.values()):
            word = known_spelling(Word(name, span), names)
            if word.text not in names and numbered_type(name.replace(" ", ""), model) is None:
                report_unknown(out, word, "player, thing or row", [*reversed(tuple(names)), *rows])
                return None
    node, found = parse_expression(text, place)
    if node is None or found.failed:
        out.extend(found)
        return None
    used: dict[str, Type] = {}
    written: dict[str, str] = {}
    for name in dict.fromkeys(_NAME.findall(text)):
        called = known_spelling(Word(quoted.get(name, name), span), names).text
        type_ = names.get(called) or numbered_type(called.replace(" ", ""), model)
        if type_ is not None:
            used[name] = type_
            written[name] = called
    expr, found = check_expression(model, program, node, used, BOOL, trait, form)
    if expr is None:  # with all names one that is written wrong can be told from the nearest
        near = {name: type_ for name, type_ in names.items() if name.isidentifier()}
        found = check_expression(model, program, node, {**near, **used}, BOOL, trait)[1]
    out.extend(found)
    if expr is None:
        return None
    locals_ = tuple(tree.Local(name, type_, written[name]) for name, type_ in used.items())
    return Formula(scalar.text, span, locals_, tuple(_tests(expr, scalar)))


def mask_quoted_names(text: str, kept: Collection[str]) -> tuple[str, dict[str, str]]:
    """The text with a word of the same length for each name in quotes, and the names by these words. Those that are
    `kept` stay as they are: the language itself has rows in quotes.

    So any name can stand in an expression: one of several words, with a dot, or that is a word of the language.
    """
    names: dict[str, str] = {}

    def word(found: re.Match[str]) -> str:
        if found[1] in kept:
            return found[0]
        # Two names of one length need two words, and a name may be as short as one letter.
        size = len(found[0])
        taken = {*names, *_NAME.findall(text)}
        fresh = (f"{'q' * (size - len(str(k)))}{k}" if k else "q" * size for k in range(10**6))
        made = next((known for known, name in names.items() if name == found[1]), "")
        made = made or next(name for name in fresh if name not in taken)
        names[made] = found[1]
        return made

    return _QUOTED.sub(word, text), names


def scenario_variables(position: Position, model: Model) -> dict[str, Type]:
    """List what a scenario's expressions may name: its players, its things, and things made later by usual names."""
    things = {name: ref(thing.kind) for name, thing in position.things.items()}
    return nameable_things(model) | things | dict.fromkeys(position.names, PLAYER)


def nameable_things(model: Model) -> dict[str, Type]:
    """List the things that expressions of any scenario may name, by their usual names."""
    found: dict[str, Type] = {}
    for kind, made in model.made.items():
        found |= {name: ref(kind) for name in made.names}
    return found


def numbered_type(name: str, model: Model) -> Type | None:
    """The type of a thing that the game calls by a name and a number (`crab 2`, here without the blank)."""
    plain = name.rstrip("0123456789")
    if plain != name:
        for kind, made in model.made.items():
            if plain == kind or plain in made.names:
                return ref(kind)
    return None


def mentioned_variables(test: Test) -> set[str]:
    """The variables that a test reads."""
    from rulelang.language.semantics.tree import locals_of

    return locals_of(test.whole)


def optional_variables(test: Test) -> set[str]:
    """The variables of which a test asks whether they are there, or says what holds if they are not."""
    from rulelang.language.semantics.tree import locals_of, walk

    return locals_of([n for n in walk(test.whole) if isinstance(n, tree.Present | tree.Otherwise)])


def _tests(expr: tree.Expr, scalar: YamlScalar) -> list[Test]:
    if isinstance(expr, tree.Logic) and expr.op == "and":
        return [*_tests(expr.left, scalar), *_tests(expr.right, scalar)]
    sides: tuple[tree.Expr, ...] = ()
    if isinstance(expr, tree.Compare) and expr.left.type.tag in _SHOWN and expr.right.type.tag in _SHOWN:
        sides = (expr.left, expr.right)
    return [Test(expr, _text(expr.span, scalar), expr.span, sides)]


def _text(span: Span, scalar: YamlScalar) -> str:
    """The part of the scalar's text that a span covers; all of it if that cannot be told."""
    lines = scalar.text.split("\n")
    if not scalar.exact or span.line != span.end_line:
        return scalar.text
    place = scalar.placement()
    number = span.line - place.line
    if not 1 <= number <= len(lines):
        return scalar.text
    offset = place.span(number, 1, number, 1).column
    return lines[number - 1][span.column - offset : span.end_column - offset] or scalar.text

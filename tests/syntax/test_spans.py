"""Each node's span is the text from its first to its last token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from rulelang.base.source import Placement, Span
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import Node, same_syntax
from rulelang.language.syntax.parse import parse, parse_expression
from rulelang.language.syntax.printer import print_expression
from tests.syntax.texts import declarations, examples


def walk(node: object) -> Iterator[Node]:
    if isinstance(node, Node):
        yield node
        for field in fields(node):
            yield from walk(getattr(node, field.name))
    elif isinstance(node, tuple) and not isinstance(node, Span):
        for item in node:
            yield from walk(item)


def cut(text: str, span: Span) -> str:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("name", ["evolution/game.rules", "evolved/game.rules", "darwins_choice/actions.rules"])
def test_the_text_of_an_expression_parses_to_it(name: str) -> None:
    text = examples()[name]
    count = 0
    for node in walk(declarations(text)):
        if isinstance(node, nodes.Expr):
            alone, found = parse_expression(cut(text, node.span), Placement(""))
            if isinstance(node, nodes.IfElse) and found.failed:
                continue  # a ladder is no expression by itself
            if isinstance(node, nodes.Call) and isinstance(alone, nodes.Name):
                continue  # a routine called without brackets
            if alone is None and cut(text, node.span) == "1d6":
                continue  # the number of dice has no token of its own
            assert same_syntax(alone, node), cut(text, node.span)
            count += 1
    assert count > 300


def test_a_child_lies_in_its_parent() -> None:
    for text in examples().values():
        for node in walk(declarations(text)):
            for child in walk(node):
                if not isinstance(node, nodes.Replace):
                    assert node.span[1:3] <= child.span[1:3]
                    assert (node.span.end_line, node.span.end_column) >= (child.span.end_line, child.span.end_column)


def test_spans_of_forms() -> None:
    text = (
        "#: ev-1\n"
        "always action a(card c in p.hand where (c.x or c.y)) during ph, qh free once per turn in steps:  # note\n"
        "  if (x + 1) * 2 == 3:\n"
        "    move all hand of p to top of deck\n"
        "  else: roll 2d6 as die\n"
        "\n"
        "forbid strike(any, self), a.b of us when x\n"
        '    because "so"\n'
    )
    action, forbid = declarations(text)
    assert isinstance(action, nodes.Action)
    assert isinstance(forbid, nodes.Forbid)
    assert action.span == ("t.rules", 2, 1, 5, 24)
    assert cut(text, action.name_span) == "a"
    binder = action.binders[0]
    assert cut(text, binder.span) == "card c in p.hand where (c.x or c.y)"
    assert binder.where is not None
    assert cut(text, binder.where.span) == "(c.x or c.y)"
    choice = action.body[0]
    assert isinstance(choice, nodes.If)
    assert choice.otherwise is not None
    assert cut(text, choice.branches[0][0].span) == "(x + 1) * 2 == 3"
    assert cut(text, choice.branches[0][1][0].span) == "move all hand of p to top of deck"
    assert cut(text, choice.otherwise[0].span) == "roll 2d6 as die"
    assert choice.span == ("t.rules", 3, 3, 5, 24)
    assert action.cites == ("ev-1",)
    assert forbid.cites == ()
    assert cut(text, forbid.span) == 'forbid strike(any, self), a.b of us when x\n    because "so"'
    assert [event.path for event in forbid.events] == [("strike",), ("a", "b")]
    assert [slot.name for slot in forbid.events[0].slots] == [None, "self"]
    assert cut(text, forbid.events[1].name_span) == "a.b"
    assert cut(text, forbid.events[1].span) == "a.b of us"
    assert forbid.events[0].bearer is None
    assert forbid.events[1].bearer is not None
    assert cut(text, forbid.events[1].bearer.span) == "us"


def test_a_placement_moves_every_span() -> None:
    text = "modify f(self): + a.b[1] when x\nvalue g -> int: 3"
    here, _ = parse(text, Placement("f", 0, 0))
    there, _ = parse(text, Placement("f", 7, 5))
    for a, b in zip(walk(here), walk(there), strict=True):
        assert b.span == ("f", a.span.line + 7, a.span.column + 5, a.span.end_line + 7, a.span.end_column + 5)


def test_expressions_print_with_the_fewest_brackets() -> None:
    for text, wanted in {
        "((a) + (b * c))": "a + b * c",
        "(a + b) * c": "(a + b) * c",
        "a - (b - c)": "a - (b - c)",
        "not (a and b) or (c and d)": "not (a and b) or c and d",
        "(a then b) then c": "(a then b) then c",
        "a then b then c": "a then b then c",
        "(a if b else c) + 1": "(a if b else c) + 1",
        "a if b else (c if d else e)": "a if b else c if d else e",
        "-(-a)": "--a",
        "hand of (p otherwise q)": "(p otherwise q).hand",
        "can f and x.first.stop": "can f and x.first.stop",
        "count(a, b) + count(card c)": "count(a, b) + count(card c)",
        "(a == b) == (c in d)": "(a == b) == (c in d)",
    }.items():
        node, found = parse_expression(text, Placement(""))
        assert node is not None
        assert not found.failed
        assert print_expression(node) == wanted

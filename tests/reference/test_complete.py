"""The interpreter knows all that the language has: whoever adds a part is told where its meaning is missing."""

from __future__ import annotations

from typing import get_args

from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import MEMBERS
from tests.reference import expressions, running
from tests.reference.game import Reference

#: Read by whoever asks whether something can happen, and not run in their place.
HEADS = {tree.Require, tree.Compulsory}
#: Done by `value_BuiltinCall` itself.
OWN_WAYS = {"count", "top", "bottom"}


def test_every_statement_is_run() -> None:
    lacking = {
        kind.__name__
        for kind in {*get_args(tree.Stmt)} - running.DO.keys() - HEADS
        if not hasattr(Reference, f"do_{kind.__name__}")
    }
    assert lacking == set(), "each wants a row of DO in tests/reference/running.py, or a method do_NODE"


def test_every_expression_has_a_value() -> None:
    lacking = {
        kind.__name__
        for kind in {*get_args(tree.Expr)} - expressions.VALUES.keys()
        if not hasattr(Reference, f"value_{kind.__name__}")
    }
    assert lacking == set(), "each wants a row of VALUES in tests/reference/expressions.py, or a method value_NODE"


def test_every_domain_is_gone_over() -> None:
    lacking = {kind.__name__ for kind in {*get_args(tree.Domain)} - expressions.DOMAINS.keys()}
    assert lacking == set(), "each wants a row of DOMAINS in tests/reference/expressions.py"


def test_every_built_in_function_is_worked_out() -> None:
    lacking = FUNCTIONS.keys() - expressions.BUILT_IN.keys() - OWN_WAYS
    assert lacking == set(), "each wants a row of BUILT_IN in tests/reference/expressions.py"


def test_every_member_is_read() -> None:
    """Those that are printed are read as columns."""
    lacking = {name for name, row in MEMBERS.items() if not row.column} - expressions.MEMBERS.keys()
    assert lacking == set(), "each wants a row of MEMBERS in tests/reference/expressions.py"

"""What backends print with: whoever forgets a node is told which method is missing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rulelang.compiler.backends.statements import Statements
from rulelang.compiler.backends.unit import LocalNames
from rulelang.compiler.ir import nodes as ir


def test_a_statement_without_a_method_is_told_with_the_method_that_is_missing() -> None:
    function = ir.Function("f", "pure", (), (), "f")
    printer = Statements(SimpleNamespace(cells=None), function, print, LocalNames())
    with pytest.raises(AssertionError, match=r"there is no Statements\.for_range, for what stands in the pure f"):
        printer.statement(ir.ForRange("k", ir.Const(0), ir.Const(1), ()))

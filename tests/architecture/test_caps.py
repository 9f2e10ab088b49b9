"""One engineer can hold the package in their head: few modules, and none too long."""

from __future__ import annotations

import ast

from tests.architecture.sources import sources

CAP = 1000
MODULES = 450
#: Tables of nodes, which are read one node at a time.
NODE_TABLES = {
    "rulelang/compiler/ir/nodes.py",
    "rulelang/language/semantics/tree.py",
    "rulelang/language/syntax/nodes.py",
}


def test_no_file_is_longer_than_the_cap() -> None:
    lengths = {source.name: len(source.path.read_text(encoding="utf-8").splitlines()) for source in sources()}
    assert {name: lines for name, lines in lengths.items() if lines > CAP and name not in NODE_TABLES} == {}


def test_there_are_few_modules() -> None:
    assert len(list(sources())) <= MODULES


def test_every_file_says_what_it_is_for() -> None:
    assert [source.name for source in sources() if source.tree.body and not ast.get_docstring(source.tree)] == []

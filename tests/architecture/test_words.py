"""Messages are read aloud: no name of the user's stands behind a fixed article."""

from __future__ import annotations

import ast
import re

from tests.architecture.sources import sources

ARTICLE = re.compile(r"(?:^|[^\w])an? `?\Z")
INSIDE = (
    "rulelang/compiler/ir/",
    "rulelang/compiler/passes/",
    "rulelang/compiler/backends/",
    "rulelang/tools/docs_gen/",
)


def test_articles_are_chosen() -> None:
    wrong = []
    for source in sources():
        if source.name.startswith(INSIDE):
            continue
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.JoinedStr):
                continue
            for before, after in zip(node.values, node.values[1:], strict=False):
                named = isinstance(before, ast.Constant) and isinstance(after, ast.FormattedValue)
                if named and ARTICLE.search(str(ast.literal_eval(before))):
                    wrong.append(f"{source.name}:{node.lineno}: {ast.unparse(node)}")
    assert wrong == []

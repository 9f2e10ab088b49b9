"""Messages are read aloud: no name of the user's stands behind a fixed article."""

from __future__ import annotations

import ast
import re

from tests.architecture.sources import sources

ARTICLE = re.compile(r"(?:^|[^\w])an? `?\Z")
#: What is put there is one of our own words.
OURS = {"f'{own.what}'"}
INSIDE = ("rulelang/program/passes/", "rulelang/backends/", "rulelang/docs_gen/")


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
                if not named or not ARTICLE.search(str(ast.literal_eval(before))):
                    continue
                if ast.unparse(after) not in OURS:
                    wrong.append(f"{source.name}:{node.lineno}: {ast.unparse(node)}")
    assert wrong == []

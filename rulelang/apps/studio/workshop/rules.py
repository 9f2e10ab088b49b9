"""The rules of a trait's file as its form shows them: one by one, and a rule more or less as a change of the text."""

from __future__ import annotations

from rulelang.apps.studio.workshop.changes import last_line
from rulelang.apps.studio.workshop.form import NoForm, root_of
from rulelang.base.phrases import phrase
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlScalar


def rules_of(text: str, path: str) -> list[str]:
    """Return the declarations under `rules:`, each with the comments above it."""
    return [rule for rule, _, _ in numbered_rules(text, path)]


def numbered_rules(text: str, path: str) -> list[tuple[str, int, int]]:
    """Return the same with the first and last line of each in the file."""
    node = root_of(text, path).get("rules")
    if not isinstance(node, YamlScalar):
        return []
    lines = node.text.rstrip().split("\n")
    starts = _starts(lines)
    above = node.span.line + (node.style == "literal")
    return [
        ("\n".join(lines[start:end]).rstrip(), above + start, above + end - 1)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


def _starts(lines: list[str]) -> list[int]:
    """The lines (from 0) at which declarations begin, with the comments above them. What stands further in goes on with
    what is above it."""
    found: list[int] = []
    begun: int | None = None
    for number, line in enumerate(lines):
        if not line or line[0].isspace():
            continue
        begun = number if begun is None else begun
        if not line.startswith("#"):
            found.append(begun)
            begun = None
    return found


def with_rule(text: str, path: str, rule: str) -> str:
    """The text with a rule more under `rules:`. NoForm."""
    root = root_of(text, path)
    edits = TextEdits(text)
    node = root.get("rules")
    lines = rule.rstrip().split("\n")
    if node is None or (isinstance(node, YamlScalar) and not node.text.strip()):
        block = "\n".join(["rules: |", *(f"  {line}" for line in lines)])
        before = root.key("scenarios")
        if node is not None:
            key = root.key("rules")
            assert key is not None
            edits.drop_lines(key.span.line, max(key.span.line, last_line(node)))
        if before is not None:
            edits.insert(before.span.line, 1, block + "\n")
        else:
            edits.append_line(block)
        return edits.result()
    block_ = _block(node)
    last = _end(edits, block_)
    indent = (
        " " * (len(edits.line(last)) - len(edits.line(last).lstrip())) if block_.indent == 0 else " " * block_.indent
    )
    edits.insert_line(last, "\n".join(f"{indent}{line}" for line in lines))
    return edits.result()


def without_rule(text: str, path: str, number: int) -> str:
    """The text without one of its rules (from 0, as `rules_of` counts), and the comments above it. NoForm."""
    node = root_of(text, path).get("rules")
    block = _block(node)
    starts = _starts(block.text.split("\n"))
    if not 0 <= number < len(starts):
        raise NoForm(phrase("this rule no longer exists"))
    edits = TextEdits(text)
    begin, last = block.span.line + 1, _end(edits, block)
    if len(starts) == 1:  # nothing is left below `rules:`
        edits.drop_lines(block.span.line, last)
    else:
        end = begin + starts[number + 1] - 1 if number + 1 < len(starts) else last
        edits.drop_lines(begin + starts[number], end)
    return edits.result()


def _block(node: object) -> YamlScalar:
    if not isinstance(node, YamlScalar) or node.style != "literal":
        raise NoForm(phrase("`rules:` is on one line; write `rules: |` and the rules below it, indented"))
    return node


def _end(edits: TextEdits, block: YamlScalar) -> int:
    """The last line of a block that holds something."""
    last = max(block.span.line + 1, last_line(block))
    while last > block.span.line and not edits.line(last).strip():
        last -= 1
    return last

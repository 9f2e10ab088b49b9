"""Tidies YAML without losing anything: indentation, blanks at line ends and in brackets, empty lines and CRLF.

Order, comments, anchors, quotes and line breaks stay as they are, and so do blanks that align columns. Maps and lists
are indented by two; what goes on over several lines moves with its first one. Rules in a block (`rules: |`) are tidied
by whoever calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_reader import read_yaml_text

STEP = 2
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_EXPLICIT = re.compile(r"[|>][+-]?[0-9]")
_RULES = "rules"

Tidy = Callable[[str], str]


def format_yaml(text: str, tidy_rules: Tidy = str) -> str:
    """The tidied text; one with mistakes, and one that would come to mean something else, comes back as it is."""
    tidy = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        for step in (_indented, _spaced, _emptied):
            tidy = step(tidy, tidy_rules)
    except yaml.YAMLError:
        return text
    return tidy if _same(text, tidy, tidy_rules) else text


# ---- indentation


@dataclass(slots=True)
class _Lines:
    """Where each line (from 0) shall begin. `moved`: lines that move with another one, by the number of that one.

    `blocks`: (first, end, indentation, rules) of texts in blocks.
    """

    text: list[str]
    begins: dict[int, int] = field(default_factory=dict)
    moved: dict[int, int] = field(default_factory=dict)
    blocks: list[tuple[int, int, int, bool]] = field(default_factory=list)
    dashes: list[tuple[int, int]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)

    def indent(self, number: int) -> int:
        line = self.text[number]
        return len(line) - len(line.lstrip(" "))


def _indented(text: str, tidy_rules: Tidy) -> str:
    root = yaml.compose(text, Loader=_LOADER)
    if root is None:
        return text
    lines = _Lines(text.split("\n"))
    entries = [t.start_mark for t in yaml.scan(text, Loader=_LOADER) if isinstance(t, yaml.BlockEntryToken)]
    lines.dashes = sorted((mark.line, mark.column) for mark in entries)
    _node(root, 0, lines, rules=False)
    inside = {number: block for block in lines.blocks for number in range(block[0], block[1])}
    out: list[str] = []
    number = 0
    while number < len(lines.text):
        if number in inside:
            first, end, indent, rules = inside[number]
            out.extend(_block(lines.text[first:end], indent, tidy_rules if rules else None))
            number = end
            continue
        out.append(_line(lines, number))
        number += 1
    return "\n".join(out)


def _node(node: Any, indent: int, lines: _Lines, *, rules: bool, owner: int | None = None) -> None:
    """Lay out a node that begins at this indentation. `owner`: the line of its key."""
    if id(node) in lines.seen:  # an alias of what stands elsewhere
        return
    lines.seen.add(id(node))
    first, last = node.start_mark.line, node.end_mark.line
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        end = last if node.end_mark.column == 0 else last + 1
        explicit = _EXPLICIT.search(lines.text[first])
        if explicit:
            _follow(lines, first, end)
        else:
            lines.blocks.append((first + 1, end, indent, rules and node.style == "|"))
    elif isinstance(node, yaml.ScalarNode) or node.flow_style:
        if owner is not None and first != owner:
            lines.begins.setdefault(first, indent)
        _follow(lines, first, last + 1)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if not lines.text[key.start_mark.line][: key.start_mark.column].strip():
                lines.begins[key.start_mark.line] = indent
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            _node(value, indent + STEP, lines, rules=name == _RULES, owner=key.start_mark.line)
    else:
        _items(node, indent, lines)


def _items(node: Any, indent: int, lines: _Lines) -> None:
    column = node.start_mark.column
    top, bottom = node.start_mark.line, node.end_mark.line
    dashes = [line for line, at in lines.dashes if at == column and top <= line <= bottom]
    for item in node.value:
        before = [line for line in dashes if line <= item.start_mark.line]
        dash = before[-1] if before else item.start_mark.line
        if not lines.text[dash][:column].strip():
            lines.begins[dash] = indent
            if dash == item.start_mark.line:
                lines.text[dash] = re.sub(r"^( *-) +", r"\1 ", lines.text[dash])
        _node(item, indent + STEP, lines, rules=False, owner=dash)


def _follow(lines: _Lines, first: int, end: int) -> None:
    """Lines behind the first move as far as that does."""
    for number in range(first + 1, end):
        lines.moved[number] = first


def _line(lines: _Lines, number: int) -> str:
    bare = lines.text[number].strip()
    if not bare:
        return ""
    if number in lines.begins:
        return " " * lines.begins[number] + bare
    if number in lines.moved:
        first = lines.moved[number]
        shift = lines.begins.get(first, lines.indent(first)) - lines.indent(first)
        return " " * max(lines.indent(number) + shift, 0) + bare
    if bare.startswith("#"):
        return " " * _comment(lines, number) + bare
    return " " * lines.indent(number) + bare


def _comment(lines: _Lines, number: int) -> int:
    """A comment goes with the line below it that is indented like it, or with the one above, or with the one below."""
    own = lines.indent(number)
    below = next((n for n in range(number + 1, len(lines.text)) if n in lines.begins), None)
    above = next((n for n in range(number - 1, -1, -1) if n in lines.begins), None)
    for other in (below, above):
        if other is not None and lines.indent(other) == own:
            return lines.begins[other]
    if above is not None and own > lines.indent(above):
        return lines.begins[above] + STEP if below is None or own > lines.indent(below) else lines.begins[below]
    return lines.begins[below] if below is not None else 0


def _block(text: list[str], indent: int, tidy_rules: Tidy | None) -> list[str]:
    """The lines of a text in a block, its first one at this indentation."""
    body = [line.rstrip() for line in text]
    ended = len(body)
    while ended and not body[ended - 1]:
        ended -= 1
    body, tail = body[:ended], body[ended:]
    first = next((line for line in body if line), "")
    old = len(first) - len(first.lstrip(" "))
    bare = [line[old:] for line in body]
    if tidy_rules is not None:
        bare = tidy_rules("\n".join(bare) + "\n").rstrip("\n").split("\n")
    return [*(" " * indent + line if line else "" for line in bare), *tail]


# ---- blanks and empty lines


def _spaced(text: str, _: Tidy) -> str:
    """One blank at least behind a comma in brackets, and none on both inner sides of the brackets."""
    lines = text.split("\n")
    edits: list[tuple[int, int, int, str]] = []
    open_: list[tuple[int, int, int] | None] = []
    for token in yaml.scan(text, Loader=_LOADER):
        line, column, end = token.start_mark.line, token.start_mark.column, token.end_mark.column
        here = lines[line] if line < len(lines) else ""
        if isinstance(token, yaml.FlowMappingStartToken | yaml.FlowSequenceStartToken):
            behind = here[end:]
            blanks = len(behind) - len(behind.lstrip(" "))
            padded = blanks and behind.strip() and behind.lstrip()[0] != "#"
            open_.append((line, end, end + blanks) if padded else None)
        elif isinstance(token, yaml.FlowMappingEndToken | yaml.FlowSequenceEndToken):
            before = here[:column]
            blanks = len(before) - len(before.rstrip(" "))
            start = open_.pop()
            # Blanks on one side only align columns: `[ 4, 10]`.
            if start is not None and start[0] == line and blanks and column - blanks >= start[2]:
                edits += [(*start, ""), (line, column - blanks, column, "")]
        elif isinstance(token, yaml.FlowEntryToken) and here[end : end + 1] not in ("", " "):
            edits.append((line, end, end, " "))
    for at, left, right, put in sorted(set(edits), reverse=True):
        lines[at] = lines[at][:left] + put + lines[at][right:]
    return "\n".join(lines)


def _emptied(text: str, _: Tidy) -> str:
    """No blanks at line ends, one empty line at most outside of texts, none at the ends, and a newline at the end."""
    kept: set[int] = set()
    root = yaml.compose(text, Loader=_LOADER)
    for node in _scalars(root, set()) if root is not None else ():
        kept.update(range(node.start_mark.line + 1, node.end_mark.line))
    out: list[str] = []
    for number, line in enumerate(text.split("\n")):
        if line.strip() or number in kept:
            out.append(line if number in kept and line.strip() else line.rstrip())
        elif out and out[-1]:
            out.append("")
    while out and not out[-1]:
        out.pop()
    return "\n".join(out) + "\n" if out else ""


def _scalars(node: Any, seen: set[int]) -> list[Any]:
    """Scalars that go over several lines."""
    found: list[Any] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, yaml.ScalarNode):
            if item.end_mark.line > item.start_mark.line:
                found.append(item)
        elif isinstance(item, yaml.MappingNode):
            stack.extend(part for pair in item.value for part in pair)
        else:
            stack.extend(item.value)
    return found


# ---- the meaning


def _same(before: str, after: str, tidy_rules: Tidy) -> bool:
    """The same values in the same order, under the same anchors, with the same comments; rules may be tidied."""
    old, new = Diagnostics(), Diagnostics()
    first, second = read_yaml_text(before, "", old).root, read_yaml_text(after, "", new).root
    if old.failed or new.failed or (first is None) != (second is None):
        return False
    if (
        first is not None
        and second is not None
        and _comparable(first.plain(), tidy_rules) != _comparable(second.plain(), tidy_rules)
    ):
        return False
    return _comments(before) == _comments(after) and _anchors(before) == _anchors(after)


def _comparable(value: object, tidy_rules: Tidy, key: str = "") -> object:
    """A value whose rules are tidy, and whose maps keep their order."""
    if isinstance(value, dict):
        return [(name, _comparable(part, tidy_rules, str(name))) for name, part in value.items()]
    if isinstance(value, list):
        return [_comparable(part, tidy_rules) for part in value]
    if isinstance(value, str) and key == _RULES:
        return (str, tidy_rules(value).strip("\n"))
    return (type(value), value.rstrip("\n") if isinstance(value, str) and "\n" in value else value)


def _comments(text: str) -> list[str]:
    """What stands behind `#` outside of values."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    lines = text.split("\n")
    end = (0, 0)
    found: list[str] = []

    def between(upto: tuple[int, int]) -> None:
        for number in range(end[0], min(upto[0], len(lines) - 1) + 1):
            start = end[1] if number == end[0] else 0
            stop = upto[1] if number == upto[0] else len(lines[number])
            match = re.search(r"(?:^|(?<=\s))#.*", lines[number][start:stop])
            if match:
                found.append(match[0].rstrip())

    for token in yaml.scan(text, Loader=_LOADER):
        start = (token.start_mark.line, token.start_mark.column)
        if start > end:
            between(start)
        end = max(end, (token.end_mark.line, token.end_mark.column))
    between((len(lines) - 1, len(lines[-1])))
    return found


def _anchors(text: str) -> list[tuple[str, str]]:
    text = text.removeprefix("\ufeff")
    found = (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken)
    return [(type(t).__name__, str(t.value)) for t in yaml.scan(text, Loader=_LOADER) if isinstance(t, found)]

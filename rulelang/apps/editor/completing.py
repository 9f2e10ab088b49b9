"""What may stand at a place of any file: rules, numbered rules, YAML by its schemas, scenarios, cells of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.completing_rules import complete_rules
from rulelang.apps.editor.completing_yaml import complete_yaml
from rulelang.apps.editor.extra_rows import seen_at
from rulelang.apps.editor.proposals import Proposal
from rulelang.base.source import Placement
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.program import origin_of

_CITE = re.compile(r"^[ \t]*#:.*?([\w.\-]*)$")
_BLOCK = re.compile(r"^([ \t]*(?:-[ \t]+)?)rules:[ \t]*\|")
_LINE = re.compile(r"^[ \t]*(?:-[ \t]+)?rules:[ \t]+(?=[^|>\s])")
_QUOTED = re.compile(r"""[{,][ \t]*rules:[ \t]*(["'])(.*?)\1""")
_TRAIT = re.compile(r"^trait:[ \t]*([\w\-]+)", re.MULTILINE)
_LETTERS = re.compile(r"[\w\-]*\Z")
#: So many proposals are told at once.
MOST = 400


def complete(analysis: Analysis, path: str, text: str, line: int, column: int) -> list[Proposal]:
    """The proposals at a place (from 1) of a document as it stands now, the best first."""
    lines = text.split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    analysis = seen_at(analysis, path, line)
    cited = _CITE.match(before)
    found: list[Proposal]
    if cited is not None:
        found = [item.replacing(len(cited[1])) for item in numbered(analysis)]
    elif (part := rules_part(path, text, line, column)) is not None:
        rules, placement = part
        found = complete_rules(analysis, origin_at(analysis, path, text, line), rules, placement, line, column)
    elif path.endswith((".yaml", ".yml")):
        found = complete_yaml(analysis, path, text, line, column)
    elif path.endswith(".csv"):
        found = list(_cell(analysis, path, lines, line, before))
    else:
        found = []
    unique = {(item.label, item.snippet): item for item in sorted(found, key=lambda p: -p.rank)}
    best = sorted(unique.values(), key=lambda p: (p.rank, p.label))
    if len(best) > MOST:
        begun = _LETTERS.search(before)
        letters = begun[0].casefold() if begun else ""
        best.sort(key=lambda p: not (p.filter or p.label).casefold().startswith(letters))
    return best[:MOST]


def numbered(analysis: Analysis) -> Iterator[Proposal]:
    """The numbered rules, with their text."""
    for rule in analysis.rules.values():
        yield Proposal(rule.id, "rule", rule.text, f"{rule.document} {rule.section}".strip(), rank=1)


def rules_part(path: str, text: str, line: int, column: int = 0) -> tuple[str, Placement] | None:
    """The rules text in which a line stands, and where it stands: a whole file, or a block of YAML, however broken the
    rest is. `column`: where in the line, for rules in quotes between other things."""
    shown = path
    if path.endswith(".rules"):
        return text, Placement(shown)
    if not path.endswith((".yaml", ".yml")):
        return None
    lines = text.split("\n")
    if line > len(lines):
        return None
    one = _LINE.match(lines[line - 1])
    if one is not None:
        return lines[line - 1][one.end() :], Placement(shown, line - 1, 0, one.end())
    for quoted in _QUOTED.finditer(lines[line - 1]):
        if quoted.start(2) < column <= quoted.end(2) + 1:
            return quoted[2], Placement(shown, line - 1, 0, quoted.start(2))
    for number in range(line - 1, 0, -1):
        head = _BLOCK.match(lines[number - 1])
        if head is not None:
            return _block(lines, number, len(head[1]), line, shown)
        above = lines[number - 1]
        if above.strip() and not above[0].isspace():
            return None
    return None


def _block(lines: list[str], head: int, depth: int, line: int, path: str) -> tuple[str, Placement] | None:
    """The block below a line `rules: |` that is indented by `depth`, if a line is one of it."""
    end = head
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > depth):
        end += 1
    # What is just begun, on an empty line behind the block, belongs to it while it is indented as it is.
    body = lines[head:end]
    if line > end:
        return None
    margin = min((_indent(row) for row in body if row.strip()), default=_indent(lines[line - 1]) or depth + 2)
    return "\n".join(row[margin:] for row in body), Placement(path, head, margin)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


def origin_at(analysis: Analysis, path: str, text: str, line: int) -> tree.Origin:
    """Whose rules stand at a line of a file."""
    own = [rules for rules in analysis.source.rules if absolute(rules.span.path) == path]
    above = [rules for rules in own if rules.span.line <= line]
    if above:
        return origin_of(max(above, key=lambda rules: rules.span.line), analysis.model)
    trait = _TRAIT.search(text)
    if trait is not None:
        layer = next((t.layer for t in analysis.source.traits if t.id == trait[1]), 0)
        return tree.Origin("trait", trait[1], layer=layer)
    return tree.Origin("core", layer=own[0].layer if own else 0)


def _cell(analysis: Analysis, path: str, lines: list[str], line: int, before: str) -> Iterator[Proposal]:
    """What a cell may say, where its column names rows of a list."""
    begun = re.search(r"[\w.\-]*\Z", before)
    letters = len(begun[0]) if begun else 0
    for file in analysis.source.card_files:
        if absolute(file.table.path) != path:
            continue
        columns = analysis.symbols.printed(file.sort)
        if line == 1:
            for name, column in columns.items():
                yield Proposal(name, "property", str(column.type), rank=1, begun=letters)
            return
        names = [cell.text for cell in file.table.columns]
        at = before.count(",")
        known = columns.get(names[at].rpartition(".")[0] or names[at]) if at < len(names) else None
        if known is not None and known.type.tag in ("ref", "set"):
            for row in analysis.symbols.rows_of(known.type.name):
                yield Proposal(row, "row", known.type.name, rank=1, begun=letters)
        elif known is not None and known.type.tag == "bool":
            yield from (Proposal(word, "keyword", "bool", rank=1, begun=letters) for word in ("true", "false"))

"""Reads YAML with the meaning of the 1.2 core schema on PyYAML's event stream; every node keeps its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.limits import VALUES
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.text import decode
from rulelang.data.yaml_nodes import Style, Value, YamlMap, YamlNode, YamlScalar, YamlSeq

MAX_DEPTH = 60
MAX_DIGITS = 18

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SCALAR, _MAP_ENDS = yaml.ScalarEvent, yaml.MappingEndEvent
_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_INT = re.compile(r"[-+]?[0-9]+\Z|0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_SPECIAL = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_SPECIAL_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WORDS: dict[str, Value] = {**_SPECIAL, **_SPECIAL_BOOL}
_FLOAT_WORD = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
_CORE = "tag:yaml.org,2002:"
_TAGS = {_CORE + word for word in ("str", "int", "float", "bool", "null", "map", "seq")} | {"!"}

# What PyYAML says, and what an author can do about it.
_PLAIN_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "cannot start any token",
        "expected a value, found a tab or a stray character",
        "indent with spaces, and quote text that starts with % @ or `",
    ),
    (
        "mapping values are not allowed",
        "a second `:` on this line, or a line that is indented too far",
        "put text that contains `: ` in quotes; write a nested key on the next line, indented",
    ),
    (
        "could not find expected ':'",
        "a key without `:`, or a line that is not indented far enough",
        "write `key: value`",
    ),
    (
        "did not find expected key",
        "this line is not indented like its neighbors, or a quote or bracket ended too early",
        "indent all keys of a map by the same number of spaces",
    ),
    (
        "did not find expected '-' indicator",
        "this line is not indented like the other items of its list",
        "indent every `-` of a list by the same number of spaces",
    ),
    ("did not find expected ',' or '}'", "a map in braces is not closed", "add a `,` or the closing `}`"),
    ("did not find expected ',' or ']'", "a list in brackets is not closed", "add a `,` or the closing `]`"),
    ("while scanning a quoted scalar", "a quote is not closed", "add the closing quote"),
    ("unexpected end of stream", "a quote is not closed", "add the closing quote"),
    ("undefined alias", "this alias does not refer to an anchor", "declare it earlier with `&name`"),
    ("found undefined alias", "this alias does not refer to an anchor", "declare it earlier with `&name`"),
    (
        "unknown escape character",
        "unknown escape in double-quoted text",
        "use single quotes, or double the backslash",
    ),
    ("block sequence entries are not allowed", "a list cannot begin here", "begin the list on a line of its own"),
    (
        "while scanning a block scalar",
        "the first lines of this text are indented further than the rest",
        "indent all lines of the text by the same number of spaces",
    ),
)


@record
class Citation:
    """A rule of the rulebook that the lines below carry out: a line `#: ID ...` of a YAML file."""

    rule_id: str
    span: Span
    layer: int = 0


@record
class YamlFile:
    """One file read: its tree (None if it is empty or broken), its text and its citations.

    `values`: how many keys and values it has."""

    path: str
    text: str
    root: YamlNode | None
    citations: tuple[Citation, ...] = ()
    values: int = 0


class _Refused(Exception):
    """Leaves the event loop after a diagnostic that makes the rest of the file meaningless."""


def read_yaml(data: bytes, path: str, diagnostics: Diagnostics, layer: int = 0) -> YamlFile:
    """Read one YAML file. Mistakes become Y101 to Y105 diagnostics; `root` is None if nothing can be used."""
    text = decode(data, path, diagnostics)
    if text is None:
        return YamlFile(path, "", None)
    return read_yaml_text(text, path, diagnostics, layer)


def read_yaml_text(text: str, path: str, diagnostics: Diagnostics, layer: int = 0) -> YamlFile:
    """Like `read_yaml`, for a text that is already decoded and has LF line ends."""
    reader = _Reader(text, path, diagnostics, layer)
    root: YamlNode | None = None
    try:
        root = reader.document()
    except _Refused:
        return YamlFile(path, text, None)
    except yaml.MarkedYAMLError as mistake:
        _malformed(mistake, text, path, diagnostics)
        return YamlFile(path, text, None)
    except yaml.YAMLError as mistake:
        diagnostics.error("Y102", Span(path, 1, 1, 1, 2), f"this is not YAML: {mistake}")
        return YamlFile(path, text, None)
    return YamlFile(path, text, root, tuple(reader.citations()), reader.count)


def plain_value(text: str) -> Value:
    """What a plain scalar of this text is in the 1.2 core schema; not told of what YAML does not read as one."""
    if text in _WORDS or not text:
        return _WORDS.get(text)
    if _INT.match(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    return float(text) if _FLOAT.match(text) else text


class _Reader:
    """Builds the tree of one document from events."""

    def __init__(self, text: str, path: str, diagnostics: Diagnostics, layer: int) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.path = path
        self.diagnostics = diagnostics
        self.layer = layer
        self.count, self.most = 0, VALUES.most
        self.known: dict[str, Value] = dict(_WORDS)  # plain texts resolved so far
        self.anchors: dict[str, tuple[YamlNode, int] | None] = {}
        self.blocks: list[tuple[int, int]] = []  # line ranges of texts, in which `#:` is no citation

    def document(self) -> YamlNode | None:
        loader = _LOADER(self.text)
        try:
            return self.built(iter(loader.get_event, None))
        finally:
            loader.dispose()

    def built(self, events: Iterator[Any]) -> YamlNode | None:
        root: YamlNode | None = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.refuse(
                        event, "a second document begins here", "a file contains one document", "delete the `---`"
                    )
            elif isinstance(event, yaml.NodeEvent):
                root = self.node(event, events, 0)
        if isinstance(root, YamlScalar) and root.value is None:
            return None
        return root

    def node(self, event: Any, events: Iterator[Any], depth: int) -> YamlNode:
        kind = type(event)
        if kind is _SCALAR:  # as most are: no call more than is needed
            self.count += 1
            if self.count > self.most:
                self.tally(event, 0)
            scalar = self.scalar(event)
            return scalar if event.anchor is None else self.named(event, scalar, 1)
        if kind is yaml.AliasEvent:
            return self.alias(event)
        self.tally(event, 1)
        if event.tag is not None and event.tag not in _TAGS:
            self.tag(event)
        if depth >= MAX_DEPTH:
            self.refuse(
                event,
                f"this is nested more than {MAX_DEPTH} levels deep",
                "this limit keeps a malicious file from exhausting memory",
                code="Y104",
            )
        before = self.count
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        built = (
            self.mapping(event, events, depth)
            if kind is yaml.MappingStartEvent
            else self.sequence(event, events, depth)
        )
        return self.named(event, built, self.count - before + 1)

    def named(self, event: Any, node: YamlNode, size: int) -> YamlNode:
        if event.anchor is not None:
            self.anchors[event.anchor] = (node, size)
        return node

    def alias(self, event: Any) -> YamlNode:
        if event.anchor not in self.anchors:
            self.refuse(
                event,
                f"the alias `*{event.anchor}` does not refer to an anchor",
                "",
                f"declare it earlier with `&{event.anchor}`",
            )
        found = self.anchors[event.anchor]
        if found is None:
            self.refuse(event, f"the alias `*{event.anchor}` is inside its own anchor", "its value would be infinite")
            raise _Refused
        self.tally(event, found[1])
        return found[0]

    def tally(self, event: Any, size: int) -> None:
        self.count += size
        if self.count > self.most:
            because = "an alias counts each time it is used"
            self.refuse(event, f"this file has {VALUES.exceeded}", because, VALUES.hint, code="Y104")

    def mapping(self, event: Any, events: Iterator[Any], depth: int) -> YamlMap:
        items: list[tuple[YamlScalar, YamlNode]] = []
        seen: dict[str, YamlScalar] = {}
        while True:
            event_key = next(events)
            if type(event_key) is _MAP_ENDS:
                break
            key = self.node(event_key, events, depth + 1)
            if not isinstance(key, YamlScalar):
                self.refuse(
                    event_key,
                    "a key must be a word or a number, not a map or a list",
                    "rulelang looks up keys by their text",
                    "put the whole key in double quotes",
                )
                raise _Refused
            value = self.node(next(events), events, depth + 1)
            first = seen.get(key.text)
            if first is not None:
                self.diagnostics.error(
                    "Y103",
                    key.span,
                    f"duplicate key `{key.text}`",
                    because="one of the two values would be lost",
                    hint="delete one of the two, or give it another name",
                    related=[Related(first.span, f"the first `{key.text}` is here")],
                )
                continue
            seen[key.text] = key
            items.append((key, value))
        span = self.span(event.start_mark, event_key.end_mark)
        if items and not event.flow_style:
            span = items[0][0].span.to(items[-1][1].span if items[-1][1].span.line >= span.line else span)
        return YamlMap(tuple(items), span, self.layer)

    def sequence(self, event: Any, events: Iterator[Any], depth: int) -> YamlSeq:
        items: list[YamlNode] = []
        while True:
            inner = next(events)
            if type(inner) is yaml.SequenceEndEvent:
                break
            items.append(self.node(inner, events, depth + 1))
        span = self.span(event.start_mark, inner.end_mark)
        if items and not event.flow_style:
            span = span.to(items[-1].span if items[-1].span.line >= span.line else span)
        return YamlSeq(tuple(items), span, self.layer)

    def scalar(self, event: Any) -> YamlScalar:
        start, end, text = event.start_mark, event.end_mark, event.value
        style = _STYLES.get(event.style, "plain")
        if style == "literal" or style == "folded":
            return self.block(event, style)
        span = Span(self.path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)
        if start.line != end.line:
            self.blocks.append((start.line + 2, end.line + 1))
        if event.tag is not None:
            if event.tag not in _TAGS:
                self.tag(event)
            if event.tag in ("!", _CORE + "str"):
                return YamlScalar(text, span, text, style, self.layer)
        value = self.resolve(text, span) if style == "plain" or event.tag else text
        return YamlScalar(value, span, text, style, self.layer)

    def resolve(self, text: str, span: Span) -> Value:
        """The value of plain text in the 1.2 core schema: `on`, `1:30` and dates are text."""
        if text in self.known:
            return self.known[text]
        value: Value = text
        if not (text[0].isdigit() or text[0] in "-+."):
            pass
        elif _INT.match(text):
            if len(text) > MAX_DIGITS:
                because = f"a number may have at most {MAX_DIGITS}"
                self.diagnostics.error("Y105", span, f"this number has {len(text)} digits", because=because)
                return 0
            value = int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        elif _FLOAT.match(text):
            value = float(text)
        elif _FLOAT_WORD.match(text):
            value = float(text.replace(".", "").lower())
        self.known[text] = value
        return value

    def block(self, event: Any, style: Style) -> YamlScalar:
        """A `|` or `>` text: find the indentation that YAML stripped, by comparing a line with its source."""
        header, text = event.start_mark.line, event.value
        if event.tag is not None and event.tag not in _TAGS:
            self.tag(event)
        body = next((i for i in range(header + 1, len(self.lines)) if self.lines[i].strip()), header)
        source = self.lines[body]
        indent = len(source) - len(source.lstrip(" ")) if body > header else 0
        if style == "literal" and text.strip():
            offset, line = next((i, line) for i, line in enumerate(text.split("\n")) if line.strip())
            if header + 1 + offset < len(self.lines):
                indent = len(self.lines[header + 1 + offset]) - len(line)
        last = header
        if text.strip():
            for number in range(header + 1, len(self.lines)):
                line = self.lines[number]
                if line.strip() and len(line) - len(line.lstrip(" ")) < indent:
                    break
                if line.strip():
                    last = number
        self.blocks.append((header + 2, last + 1))
        column = event.start_mark.column + 1
        span = Span(self.path, header + 1, column, last + 1, len(self.lines[last]) + 1)
        return YamlScalar(text, span, text, style, self.layer, max(indent, 0))

    def span(self, start: Any, end: Any) -> Span:
        return Span(self.path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def tag(self, event: Any) -> None:
        self.refuse(
            event,
            f"the tag `{event.tag}` is not supported",
            "rulelang reads only plain YAML: text, numbers, lists and maps",
            "delete the tag",
        )

    def refuse(self, event: Any, message: str, because: str, hint: str = "", code: str = "Y105") -> None:
        mark = event.start_mark
        span = Span(self.path, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)
        self.diagnostics.error(code, span, message, because=because, hint=hint)
        raise _Refused

    def citations(self) -> Iterator[Citation]:
        if "#:" not in self.text:
            return
        inside = {number for first, last in self.blocks for number in range(first, last + 1)}
        for number, line in enumerate(self.lines, 1):
            stripped = line.lstrip(" ")
            if stripped.startswith("#:") and number not in inside:
                at = len(line) - len(stripped) + 2
                for word in re.finditer(r"\S+", line[at:]):
                    span = Span(self.path, number, at + word.start() + 1, number, at + word.end() + 1)
                    yield Citation(word.group(), span, self.layer)


#: What closes a list, a map or a quoted text, and is no whole line.
_ENDED = re.compile(r"[\]}\"']\s*\Z")


def _whole(line: str, column: int) -> str:
    """The text around a bracket, up to the commas and brackets around it; in the words of a message."""
    begin = max((found.end() for found in re.finditer(r"[,\[{]\s*|:\s", line[:column])), default=0)
    end, depth = column, 0
    for end in range(column, len(line)):
        depth += (line[end] in "[{") - (line[end] in "]}")
        if depth < 0 or (depth == 0 and re.match(r",|:(?:\s|\Z)", line[end:])):
            break
    else:
        end = len(line)
    text = line[begin:end].strip().removeprefix("- ")
    return f"`{text}`" if depth <= 0 and "`" not in text else "the text"


def _malformed(mistake: yaml.MarkedYAMLError, text: str, path: str, diagnostics: Diagnostics) -> None:
    mark: Any = mistake.problem_mark or mistake.context_mark
    said = " ".join(part for part in (mistake.context, mistake.problem) if part)
    lines = text.split("\n")
    row = min(mark.line, len(lines) - 1) if mark else 0
    column = mark.column if mark else 0
    span = Span(path, row + 1, column + 1, row + 1, column + 2)
    related = []
    if mistake.context_mark is not None and mistake.problem_mark is not None:
        context: Any = mistake.context_mark
        if (context.line, context.column) != (row, column):
            related = [
                Related(
                    Span(path, context.line + 1, context.column + 1, context.line + 1, context.column + 2),
                    "it begins here",
                )
            ]
    found = next(((words, hint) for key, words, hint in _PLAIN_WORDS if key in said), ("this is not YAML", ""))
    if "\t" in lines[row][: column + 1]:
        found = ("a tab in the indentation", "indent with spaces")
    if re.search(r"[\w\]]\[\Z", lines[row][: column + 1]):
        hint = f"put {_whole(lines[row], column)} in quotes, or on a separate line without quotes"
        found = ("a `[` in the middle of unquoted text", hint)
    elif "or '" in said and (inner := _INNER.search(lines[row], 0, column)) and lines[row][column : column + 2] == ": ":
        key, text = inner[1], re.split(r"[}\],]", lines[row][inner.start(2) :])[0].rstrip()
        found = (f"the value of `{key}` contains a second `: `", f'put it in quotes: `{key}: "{text}"`')
    elif _ENDED.search(lines[row][:column]) and "did not find expected" in said:
        found = ("unexpected text after the end of a list, map or quoted text", "put the whole text in quotes")
    because = "" if found[1] else f"YAML: {said}"
    if "mapping values are not allowed" in said and (told := _second_colon(lines, row, column)):
        found, because = told, ""
    diagnostics.error("Y102", span, found[0], because=because, hint=found[1], related=related)


#: A key in brackets, and its value without quotes up to a place.
_INNER = re.compile(r"([\w.-]+):\s+([^\s\"'\[{}\],:][^\"{}\[\],:]*)\Z")
#: A key and a value that begins on its line without quotes or brackets.
_PLAIN = re.compile(r"(\s*(?:- )?)([\w.\[\]=]+):\s+([^\s\"'\[{|>&*#].*)\Z")


def _second_colon(lines: Sequence[str], row: int, column: int) -> tuple[str, str] | None:
    """A message and a hint where a value that holds `: ` follows its key without quotes; rules need a block."""
    first = row
    while first > 0 and row - first < 50 and not _PLAIN.match(lines[first]) and lines[first][:1] == " ":
        first -= 1
    found = _PLAIN.match(lines[first])
    if found is None or (first == row and column <= found.end(2)):
        return None
    key = found[2]
    if key.rpartition(".")[2] == "rules":
        hint = f"write `{key}: |` and put the rules on the next lines, indented by two spaces"
        return f"`{key}` must be a block, because rules contain `: `", hint
    text = found[3].strip()
    if first != row or re.search(r'["`{}\[\]]', text):
        return None
    return f"the value of `{key}` contains a second `: `", f'put it in quotes: `{key}: "{text}"`'

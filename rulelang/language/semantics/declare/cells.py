"""Read the cells of rows, in YAML and CSV, by their columns' types."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rulelang.base.diagnostics import Related
from rulelang.base.memo import IdentityKey
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import a_quoted, counted, did_you_mean, nearest_name, with_article
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank, node_kind
from rulelang.language.semantics.cards import parse_condition, report_unknown_row, span_within, split_parts
from rulelang.language.semantics.declare.registry import Registry, too_large
from rulelang.language.semantics.model import BOOL, MISSING_INT, Column, ColumnValue, Condition

# ---- column plans

#: Words that a row says of itself, whatever columns it has.
ROW_WORDS = ("text", "rules", "name", "scenarios")

#: What one cell holds.
Single = int | tuple[int, ...] | Condition


@dataclass(slots=True)
class Plan:
    """A column and how its cells are read. `labels` name the parts of a `by` column; `default` None: needed.

    `known` remembers what a text was read as, so that a file of thousands of rows is read fast.
    """

    column: Column
    rows: Mapping[str, int] = field(default_factory=dict)
    declared: Span = NOWHERE
    cells: Mapping[str, YamlScalar] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    default: ColumnValue | None = None
    known: dict[tuple[str, bool], Single] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def how(self) -> tuple[object, ...]:
        """All that tells it from others."""
        return self.column, self.rows, self.declared, self.cells, self.labels, self.default


def implied_value(column: Column) -> ColumnValue | None:
    """What a cell that is left out means; None where it must not be left out."""
    if column.type.tag == "error":
        return 0
    if column.type.maybe:
        return MISSING_INT if column.type.tag == "int" else 0
    if column.type == BOOL:
        return 0
    if column.type.tag == "condition":
        return Condition(())
    return () if column.type.tag == "set" else None


# ---- one cell

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}\Z")


class Where(NamedTuple):
    """Which cell is read, as its author knows it: the column of his file, and the row."""

    column: str
    row: str = ""


def read_single(registry: Registry, plan: Plan, node: YamlNode, where: Where | None = None) -> Single | None:
    """One value of the column's type; None after N304, N305, N313 or N315, or Y174 for a cell that holds no value.

    `where` is for messages.
    """
    of = plan.column.type
    if of.tag == "error":
        return 0
    if isinstance(node, YamlScalar):
        if node.style == "odd":
            told = registry.odd[node.span]
            if told.span == node.span:  # of one cell, not of several that are merged
                told = replace(told, because=f"{_for(plan, where)}; {told.because}".removesuffix("; "))
            registry.out.add(told)
            return None
        mark = (node.text, node.value is None or isinstance(node.value, bool))
        if mark in plan.known:
            return plan.known[mark]
        value = _scalar(registry, plan, plan.cells.get(node.text.strip(), node), node, where)
        if value is not None:
            plan.known[mark] = value
        return value
    if isinstance(node, YamlSeq) and of.tag == "set":
        members: list[int] = []
        for item in node.items:
            if not isinstance(item, YamlScalar):
                registry.shape(item, f"{with_article(of.name)}")
                continue
            number = _row(registry, plan, plan.cells.get(item.text, item).text, item.span, where)
            if number is not None:
                members.append(number)
        return _members(registry, plan, members, node.span)
    registry.shape(node, f"{a_quoted(of)}")
    return None


def _scalar(
    registry: Registry, plan: Plan, word: YamlScalar, written: YamlScalar, where: Where | None
) -> Single | None:
    """`word` is the text after `cells:`, `written` the cell itself, where a mistake is shown."""
    of = plan.column.type
    text = word.text.strip()
    if word.value is None or not text or (of.maybe and text == "none"):
        if plan.default is not None and (of.maybe or of.tag in ("set", "condition") or not text):
            return plan.default if not of.maybe else _nothing(plan)
        registry.shape(written, f"{a_quoted(of)}")
        return None
    if of.tag == "bool":
        if text in ("true", "false") and (isinstance(word.value, bool) or word.style == "csv"):
            return int(text == "true")
        hint = (
            f"give its meaning in the column: `cells: {{{text}: true}}`"
            if written.style == "csv"
            else "write `true` or `false`"
        )
        registry.out.error(
            "N304", written.span, f"expected `true` or `false`, found `{text}`", because=_for(plan, where), hint=hint
        )
        return None
    if of.tag == "int":
        return _number(registry, plan, word, written, where)
    if of.tag == "set":
        members: list[int] = []
        good = True
        for name, at in split_parts(word.text, 0, "+"):
            place = span_within(written, at, at + max(1, len(name))) if word is written else written.span
            number = _row(registry, plan, name, place, where)
            good = good and number is not None
            if number is not None:
                members.append(number)
        return _members(registry, plan, members, written.span) if good else None
    if of.tag == "condition":
        cell = word if word is written else written
        return parse_condition(cell, of.name, plan.rows, plan.declared, registry.out, registry.removed)
    return _row(registry, plan, text, written.span, where)


def _nothing(plan: Plan) -> Single:
    value = implied_value(plan.column)
    assert value is not None, "a maybe column has an implicit default"
    return value


def _number(registry: Registry, plan: Plan, word: YamlScalar, written: YamlScalar, where: Where | None) -> int | None:
    text = word.text.strip()
    if too_large(registry, text, written.span):
        return None
    if not _WHOLE_NUMBER.match(text) or (word.style != "csv" and not isinstance(word.value, int)):
        message = f"expected a whole number, found {node_kind(written)}"
        quoted = _WHOLE_NUMBER.match(text) and written.style in ("single", "double")
        hint = "write it without quotes" if quoted else _meant(text)
        registry.out.error("N304", written.span, message, because=_for(plan, where), hint=hint)
        return None
    number = int(text)
    low, high = plan.column.low, plan.column.high
    if (low is not None and number < low) or (high is not None and number > high):
        said = (
            f"{low}..{high}"
            if low is not None and high is not None
            else f"{low} or more"
            if high is None
            else f"at most {high}"
        )
        related = [Related(plan.column.span, "the column is declared here")]
        because = f"{_column(plan, where)} allows {said}"
        message, hint = f"{number} is out of range", "change the number, or widen the range of the column"
        registry.out.error("N315", written.span, message, because=because, hint=hint, related=related)
        return None
    return number


_FRACTION = re.compile(r"([-+]?\d+)[.,](\d+)\Z")
_GROUPS = re.compile(r"[-+]?\d{1,3}([.,' \u00a0\u2009\u202f]\d{3})+\Z")


def _meant(text: str) -> str:
    """How a number that is written in another way is written here; nothing is guessed."""
    if _GROUPS.match(text):
        plain = re.sub(r"[^-+0-9]", "", text)
        return f"write `{plain}`, without separators between digits"
    if match := _FRACTION.match(text):
        if not match[2].strip("0"):
            return f"write `{match[1]}`"
        return "there are no fractions; use a smaller unit, such as tenths"
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u2013", "-").removeprefix("+").strip()
    return f"write `{plain}`" if plain != text and _WHOLE_NUMBER.match(plain) else ""


def _row(registry: Registry, plan: Plan, name: str, place: Span, where: Where | None) -> int | None:
    number = plan.rows.get(name)
    if number is None:
        known = {**plan.rows, **dict.fromkeys(plan.cells, 0)}
        about = _column(plan, where) if where is not None and where.row else ""
        report_unknown_row(
            name, place, plan.column.type.name, known, plan.declared, registry.out, registry.removed, about
        )
    return number


def _members(registry: Registry, plan: Plan, members: list[int], place: Span) -> tuple[int, ...]:
    if len(set(members)) != len(members):
        because = "a set contains each row only once"
        message, hint = f"`{plan.name}` names the same row twice", "delete one of the two"
        registry.out.error("N314", place, message, because=because, hint=hint)
    return tuple(sorted(set(members)))


def _for(plan: Plan, where: Where | None) -> str:
    return f"{_column(plan, where)} is `{plan.column.type}`"


def _column(plan: Plan, where: Where | None) -> str:
    """The column in the words of its file, and the row: what is read by a list has columns of other names there."""
    if where is None:
        return f"the column `{plan.name}`"
    row = f" of `{where.row}`" if where.row else ""
    into = "" if where.column == plan.name else f", a part of `{plan.name}`,"
    return f"the column `{where.column}`{row}{into}"


# ---- rows

#: As in the schema of the data files.
MOST_COPIES = 1000
#: So many lines are named in one message.
SHOWN = 6
_WHOLE = re.compile(r"-?[0-9]{1,9}\Z")
_PART = re.compile(r"\S+")


@dataclass(slots=True)
class RowReader:
    """Reads the rows of one list or card sort. `unused` are columns of its files that nothing reads.

    `gathers` tells which column takes a key that is the name of a `by` list's row. `blamed` are the places already
    reported, so that a column missing in a file of thousands of rows is one mistake.
    """

    registry: Registry
    owner: str
    plans: Mapping[str, Plan]
    unused: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    gathers: dict[str, Plan] = field(default_factory=dict)
    blamed: set[tuple[object, ...]] = field(default_factory=set)
    missing: dict[tuple[str, str], list[tuple[Span, str, int]]] = field(default_factory=dict)  # places, whose, `bare`
    row: str = ""  # that is being read
    meant: set[str | None] = field(default_factory=set)  # columns that strangers in this row are like
    header: YamlScalar | None = None  # the first key of the row before, if that is one of a card file
    like: object = None  # stands for how all columns are read

    def __post_init__(self) -> None:
        for plan in self.plans.values():
            if isinstance(plan.column.by, str) and plan.column.by != "copy":
                for label in plan.labels:
                    self.gathers.setdefault(label, plan)
        how = self.unused, self.given, self.more, [plan.how for plan in self.plans.values()]
        self.like = IdentityKey(self.registry.memo.intern(f"columns of {self.owner}", how))

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong so far with anything that is declared."""
        return not (self.registry.out or self.blamed or self.missing or self.meant)

    def read(self, place: Span, row: YamlMap, copies: int, name: str = "") -> dict[str, ColumnValue]:
        """The values of all columns of a row (called `name`). Mistaken cells hold 0 after their diagnostic.

        Variants of a ruleset share most rows: what one says is kept while nothing is wrong with any so far.
        """

        def work() -> tuple[dict[str, ColumnValue], bool]:
            values = self._read(place, row, copies, name)
            return values, self.sound

        key = self.like, IdentityKey(row), copies, name
        return self.registry.memo.get_or_compute("rows", key, work, lambda known: known[1])[0]

    def _read(self, place: Span, row: YamlMap, copies: int, name: str) -> dict[str, ColumnValue]:
        self._strangers(row)
        self.row = name
        values: dict[str, ColumnValue] = {}
        for name, plan in self.plans.items():
            if name in self.given:
                continue
            node = row.get(name)
            if plan.column.by is None:
                values[name] = self._one(plan, node, place, row)
            else:
                if node is None or is_blank(node):
                    node = self._gathered(plan, row)
                values[name] = self._several(plan, node, place, row, copies)
        return values

    def _strangers(self, row: YamlMap) -> None:
        first = row.items[0][0] if row.items else None
        if first is not None and first is self.header:
            return  # of a card file every row has the same keys, and what is wrong with them is told
        self.header = first if first is not None and first.style == "csv" else None
        self.meant = set()
        for key, cell in row.items:
            name = key.text
            if name in self.plans:
                if name in self.given and ("given", key.span) not in self.blamed:
                    self.blamed.add(("given", key.span))
                    because = "`for_each` repeats each row and fills this column itself"
                    self.registry.out.error(
                        "N316", key.span, f"a row cannot have a value for `{name}`", because=because
                    )
            elif (
                name not in ROW_WORDS and name not in self.unused and name not in self.gathers and name not in self.more
            ):
                known = [*self.plans, *self.gathers, *self.more, "text", "rules"]
                close = nearest_name(name, known)
                self.meant.add(close)
                if ("stranger", key.span) in self.blamed:
                    continue
                self.blamed.add(("stranger", key.span))
                hint = f"did you mean `{close}`?" if close else ""
                if not hint and key.style != "csv" and " " in name and is_blank(cell):
                    hint = "put the text in quotes: a comma splits it"
                if not hint and key.style == "csv":
                    hint = f"declare it under `columns:`, or name it in `unused_columns: [{name}]`"
                because = "each value of a row needs a declared column"
                self.registry.out.error(
                    "N319", key.span, f"`{self.owner}` has no column `{name}`", because=because, hint=hint
                )

    def _gathered(self, plan: Plan, row: YamlMap) -> YamlNode | None:
        """The cells named like the rows of the column's `by` list, as one map."""
        found = [
            (key, node)
            for key, node in row.items
            if key.text in self.gathers and self.gathers[key.text] is plan and key.text not in self.plans
        ]
        return YamlMap(tuple(found), row.span, row.layer) if found else None

    def _one(self, plan: Plan, node: YamlNode | None, place: Span, row: YamlMap) -> ColumnValue:
        if node is None or is_blank(node):
            cell = row.get(plan.name)
            return self._missing(plan, place if cell is None else cell.span, row)
        value = read_single(self.registry, plan, node, Where(plan.name, self.row))
        return 0 if value is None else value

    def _missing(self, plan: Plan, place: Span, row: YamlMap, label: str = "") -> ColumnValue:
        """What a cell left out means; N318 where it must be there, once for a whole column of a CSV file.

        `label` names the cell of a column that is given by a list.
        """
        if plan.default is not None:
            return plan.default
        if (label or plan.name) in self.meant:
            return 0  # it is there under a name that was told to be wrong
        header = row.items[0][0] if row.items else None
        said = label or plan.name
        if row.key(said) is None and header is not None and header.style == "csv":
            place = (
                header.span.to(row.items[-1][0].span) if row.items[-1][0].span.path == header.span.path else header.span
            )
            if ("missing", said, place) not in self.blamed:
                self.blamed.add(("missing", said, place))
                self._tell_missing(plan, place, f"this file has no column `{said}`", said)
        else:
            self.missing.setdefault((plan.name, said), []).append((place, self.row, bare_copies(row)))
        return 0

    def finish(self) -> None:
        """Report cells that were left out: once for each column."""
        for (name, said), found in self.missing.items():
            (place, row, bare), places = found[0], [place for place, _, _ in found]
            what = f"`{row}` has no value in the column `{said}`" if row else f"the column `{said}` has no value here"
            hint = ""
            if bare and said == name:
                what = f"{counted(bare, 'card')} {'needs' if bare == 1 else 'need'} a value in the column `{name}`"
                hint = f"write `cards: [{_given(self.plans[name].column, bare)}]`"
            self._tell_missing(self.plans[name], place, f"{what}{and_more(places)}", said, hint)

    def _tell_missing(self, plan: Plan, place: Span, message: str, said: str, hint: str = "") -> None:
        column = "the column" if said == plan.name else f"it belongs to the column `{plan.name}`, which"
        because = f"{column} is {a_quoted(plan.column.type)} and has no `default:`"
        hint = hint or "add the value, or declare the column with `maybe` or a `default:`"
        related = [Related(plan.column.span, "the column is declared here")]
        self.registry.out.error("N318", place, message, because=because, hint=hint, related=related)

    def _several(self, plan: Plan, node: YamlNode | None, place: Span, row: YamlMap, copies: int) -> ColumnValue:
        by = plan.column.by
        node = as_list(node, by)
        if node is None or is_blank(node):
            value = self._missing(plan, place, row)
            return (value if isinstance(value, int) else 0,) * (copies if by == "copy" else len(plan.labels))
        if isinstance(node, YamlMap) and by != "copy":
            return self._by_label(plan, node, place, row)
        if isinstance(node, YamlSeq):
            wanted = copies if by == "copy" else len(plan.labels)
            if len(node) != wanted:
                said = (
                    f"`copies` is {copies}"
                    if by == "copy"
                    else f"it is `by: {_by_text(plan)}`, which needs {counted(wanted, 'value')}"
                )
                message = f"`{plan.name}` has {counted(len(node), 'value')} here"
                self.registry.out.error(
                    "N320",
                    node.span,
                    message,
                    because=said,
                    related=[Related(plan.column.span, "the column is declared here")],
                )
            values = [self._int(plan, item) for item in node.items[:wanted]]
            return tuple(values + [0] * (wanted - len(values)))
        if by == "copy" and isinstance(node, YamlScalar):
            return (self._int(plan, node),) * copies
        expected = "one value for each copy" if by == "copy" else f"a value for each of `{_by_text(plan)}`"
        self.registry.shape(node, expected)
        return (0,) * (copies if by == "copy" else len(plan.labels))

    def _by_label(self, plan: Plan, node: YamlMap, place: Span, row: YamlMap) -> ColumnValue:
        for key, _ in node.items:
            if key.text not in plan.labels:
                because = f"`{plan.name}` is `by: {_by_text(plan)}`"
                hint = did_you_mean(key.text, plan.labels)
                self.registry.out.error(
                    "N305", key.span, f"`{key.text}` is not one of these", because=because, hint=hint
                )
        values: list[int] = []
        for label in plan.labels:
            cell = node.get(label)
            if cell is None or is_blank(cell):
                value = self._missing(plan, place if cell is None else cell.span, row, label)
                values.append(value if isinstance(value, int) else 0)
            else:
                values.append(self._int(plan, cell, label))
        return tuple(values)

    def _int(self, plan: Plan, node: YamlNode, label: str = "") -> int:
        value = read_single(self.registry, plan, node, Where(label or plan.name, self.row))
        return value if isinstance(value, int) else 0


def as_list(node: YamlNode | None, by: object) -> YamlNode | None:
    """A cell of a table that holds several values, with blanks between them, as the list that it is."""
    if not isinstance(node, YamlScalar) or node.style != "csv" or not node.text:
        return node
    parts = [(match[0], match.start(), match.end()) for match in _PART.finditer(node.text)]
    if len(parts) < 2 and by == "copy":
        return node  # the same on every copy
    cells = [YamlScalar(text, span_within(node, first, last), text, "csv", node.layer) for text, first, last in parts]
    return YamlSeq(tuple(cells), node.span, node.layer)


def copies_of(
    registry: Registry,
    row: YamlMap,
    plans: Iterable[Plan],
    usual: int = 1,
    empty: list[Span] | None = None,
    *,
    schema: bool,
) -> int:
    """How many cards a row makes: `copies`, or the length of a `by: copy` column, else `usual`.

    N304 or N315 if `copies` is no such number, N320 if two disagree. `schema`: the one of the file tells of that
    already, but for cells of CSV files. Cells of these that are to tell and are empty join `empty`.
    """
    said: tuple[int, Span] | None = None
    node = row.get("copies")
    if isinstance(node, YamlScalar) and not is_blank(node):
        number = int(node.text) if _WHOLE.match(node.text) else -1
        if 0 <= number <= MOST_COPIES:
            said = (number, node.span)
        elif not schema or node.style == "csv":
            because = "the number of copies is a whole number from 0 to 1000"
            registry.out.error("N315", node.span, f"a row cannot have {node.text} copies", because=because)
    elif isinstance(node, (YamlMap, YamlSeq)) and not schema:
        registry.shape(node, "the number of copies")
    for plan in plans:
        values = as_list(row.get(plan.name), "copy") if plan.column.by == "copy" else None
        if not isinstance(values, YamlSeq):
            continue
        if said is None:
            said = (len(values), values.span)
        elif said[0] != len(values):
            because = "a column `by: copy` needs one value for each copy"
            message = f"found {counted(len(values), 'value')} for {counted(said[0], 'copy', 'copies')}"
            registry.out.error(
                "N320",
                values.span,
                message,
                because=because,
                hint=f"write {counted(said[0], 'value')}, or `copies: {len(values)}`",
                related=[Related(said[1], "the number of copies is here")],
            )
            said = (len(values), values.span)
    if said is None and empty is not None and isinstance(node, YamlScalar) and node.style == "csv" and is_blank(node):
        empty.append(node.span)
    return said[0] if said is not None else usual


def tell_uncounted(registry: Registry, empty: Sequence[Span]) -> None:
    """N318 for the empty cells of a column `copies`, once for each file."""
    files: dict[str, list[Span]] = {}
    for place in empty:
        files.setdefault(place.path, []).append(place)
    for places in files.values():
        message = f"missing number of copies{and_more(places)}"
        because = "the file has a `copies` column, and no `copies:` next to `columns:` gives a default for empty cells"
        hint = "add the number, or declare `copies: 1` for rows without a number"
        registry.out.error("N318", places[0], message, because=because, hint=hint)


def and_more(places: Sequence[Span]) -> str:
    """Name the other rows with the same mistake: `, and in 2 more rows (line 4, 7)`, also those in other files."""
    if len(places) == 1:
        return ""
    first, rows = places[0], f"{len(places) - 1} more {'row' if len(places) == 2 else 'rows'}"
    cells = first.is_cell and all(place.path == first.path for place in places)
    lines = sorted({place[:2] for place in places})
    at = [place.cell for place in places] if cells else [_line(path, line, first.path) for path, line in lines]
    here = first.cell if cells else _line(first.path, first.line, first.path)
    others = [place for place in at if place != here]
    left = len(others) - SHOWN + 1
    more = ", ".join(map(str, others[: SHOWN - 1])) + (f" and {left} more" if left > 0 else "")
    several = any(path != first.path for path, _ in lines)
    word = "" if several else "cell " if cells else "line "
    return f", and in {rows}" + (f" ({word}{more})" if more else "")


def _line(path: str, line: int, here: str) -> str:
    return str(line) if path == here else f"{path}:{line}"


def bare_copies(row: YamlMap) -> int:
    """The number of cards in a row that is written as a number alone, as in `cards: 7`; 0 for any other row."""
    key, node = row.items[0] if row.items else (None, None)
    bare = isinstance(node, YamlScalar) and key is not None and key.text == "copies" and key.span == node.span
    return node.value if bare and isinstance(node, YamlScalar) and isinstance(node.value, int) else 0


def _given(column: Column, copies: int) -> str:
    """A row with values in a column, as an example."""
    value = "1" if column.type.tag == "int" else "..."
    if column.by != "copy" or copies > SHOWN + 1:
        value = f"[{value}, ...]" if column.by == "copy" else value
        return f"{{{'' if column.by == 'copy' else f'copies: {copies}, '}{column.name}: {value}}}"
    return f"{{{column.name}: [{', '.join([value] * copies)}]}}"


def _by_text(plan: Plan) -> str:
    by = plan.column.by
    return f"{by[0]}..{by[1]}" if isinstance(by, tuple) else str(by)

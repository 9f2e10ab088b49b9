"""Card types and their cards: condition cells, rows as single cards, and where each printed value was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.layout import CardInfo
from rulelang.base.memo import IdentityKey
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.spaces import Spaces
from rulelang.base.wording import did_you_mean
from rulelang.data.patches import Removed
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.language.semantics.model import (
    MISSING_INT,
    TRAIT,
    Bound,
    CardType,
    Column,
    ColumnValue,
    Condition,
    Model,
    Row,
    Term,
    Type,
)

# ---- condition cells

Comparison = Literal["==", "!=", "<", "<=", ">", ">="]

_OPERATORS: dict[str, Comparison] = {
    "=": "==",
    "==": "==",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}
_TERM = re.compile(r"(?P<left>[^<>=!≤≥≠]*)(?P<op>[<>=!≤≥≠]*)(?P<right>.*)", re.DOTALL)
_FORM = "a condition looks like `climb+fly>=1; cold=0`: names joined by `+`, a comparison, a whole number"


def span_within(cell: YamlScalar, start: int, end: int) -> Span:
    """The place of the characters `start` to `end` (from 0, end exclusive) of a scalar's text.

    The whole scalar where its columns cannot be told apart (escapes, folded text).
    """
    if not cell.exact or "\n" in cell.text or end <= start:
        return cell.span
    return cell.placement().span(1, start + 1, 1, end + 1)


def split_parts(text: str, start: int, separator: str) -> list[tuple[str, int]]:
    """The parts between separators, without blanks around them, each with its offset (`start` is that of `text`)."""
    found: list[tuple[str, int]] = []
    offset = start
    for part in text.split(separator):
        lead = len(part) - len(part.lstrip())
        found.append((part.strip(), offset + lead))
        offset += len(part) + len(separator)
    return found


def parse_condition(
    cell: YamlScalar,
    listing: str,
    rows: Mapping[str, int],
    declared: Span,
    out: Diagnostics,
    removed: Sequence[Removed] = (),
) -> Condition | None:
    """The terms of a cell; an empty cell holds always. None after a mistake (N313 for the form, N305 for a name).

    `rows` are the rows of `listing` with their numbers, `declared` the place of that list, `removed` what layers took
    out of it.
    """
    terms: list[Term] = []
    good = True
    parts = split_parts(cell.text, 0, ";")
    for index, (text, offset) in enumerate(parts):
        if not text:
            if len(parts) > 1 and index < len(parts) - 1:
                at = span_within(cell, offset, offset + 1)
                out.error("N313", at, "there is no condition before this `;`", because=_FORM)
                good = False
            continue
        term = _term(cell, text, offset, listing, rows, declared, out, removed)
        if term is None:
            good = False
        else:
            terms.append(term)
    return Condition(tuple(terms)) if good else None


def _term(
    cell: YamlScalar,
    text: str,
    offset: int,
    listing: str,
    rows: Mapping[str, int],
    declared: Span,
    out: Diagnostics,
    removed: Sequence[Removed],
) -> Term | None:
    match = _TERM.fullmatch(text)
    assert match is not None, "the pattern takes any text"
    left, sign, right = match["left"], match["op"], match["right"]
    sign_at = offset + match.start("op")
    if sign not in _OPERATORS:
        if sign:
            message = f"`{sign}` is not a comparison"
            out.error("N313", span_within(cell, sign_at, sign_at + len(sign)), message, because=_FORM)
        else:
            message = f"`{text}` has no comparison"
            out.error("N313", span_within(cell, offset, offset + len(text)), message, because=_FORM)
        return None
    measures: list[int] = []
    good = True
    for word, at in split_parts(left, offset, "+"):
        place = span_within(cell, at, at + max(1, len(word)))
        if not word:
            out.error("N313", place, f"missing name before `{sign}`", because=_FORM)
            good = False
        elif word not in rows:
            report_unknown_row(word, place, listing, rows, declared, out, removed)
            good = False
        elif rows[word] in measures:
            out.error("N313", place, f"duplicate `{word}` in this sum", because="a sum counts each name only once")
            good = False
        else:
            measures.append(rows[word])
    number = right.strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", number):
        start = offset + match.start("right") + len(right) - len(right.lstrip()) if number else sign_at
        place = span_within(cell, start, start + max(1, len(number) or len(sign)))
        message = f"`{number}` is not a whole number" if number else f"missing number after `{sign}`"
        out.error("N313", place, message, because=_FORM)
        good = False
    return Term(tuple(measures), _OPERATORS[sign], int(number)) if good else None


def report_unknown_row(
    word: str,
    place: Span,
    listing: str,
    rows: Mapping[str, int],
    declared: Span,
    out: Diagnostics,
    removed: Sequence[Removed] = (),
    about: str = "",
) -> None:
    """Report N305: `word` is no row of `listing`; who `removed` it is named. `about`: the column and row, in words."""
    related = [Related(declared, f"`{listing}` is declared here")] if declared.path else []
    what = "a space" if isinstance(rows, Spaces) else "a row"
    expected = f"{what} of `{listing}`"
    because = f"{about} contains {expected}" if about else f"expected {expected}"
    hint = did_you_mean(word, rows)
    if isinstance(rows, Spaces) and (near := rows.nearest(word)) is not None:
        because, hint = f"`{listing}` has {rows.extent}", f"did you mean `{near}`?"
    room = "traits" if listing == "trait" else listing
    for item in removed:
        if item.place[-1] == word and room in item.place:
            because, hint = f"`{word}` has been removed", ""
            related = [Related(item.span, f"`{item.path}` is removed here")]
    out.error("N305", place, f"there is no {listing} `{word}`", because=because, hint=hint, related=related)


def condition_text(condition: Condition, rows: Sequence[str]) -> str:
    """A condition as a cell has it, `climb+fly>=1; cold=0`; `rows` are the names of its list, from row 1."""
    return "; ".join(
        f"{'+'.join(rows[measure - 1] for measure in term.measures)}{'=' if term.op == '==' else term.op}{term.number}"
        for term in condition.terms
    )


# ---- cards

#: Columns that make a card bear the traits that they name.
FACE_COLUMNS = ("face", "faces")


def face_column(sort: CardType) -> Column | None:
    """The column that names the trait of a card, or its traits."""
    for name in FACE_COLUMNS:
        column = sort.columns.get(name)
        if column is not None and (column.type.sure() == TRAIT or column.type == Type("set", "trait")):
            return column
    return None


def bearers_of(model: Model, sort: str, *, in_force: bool = False) -> list[str]:
    """Made kinds on which cards of the sort may lie (only in zones in force, if asked)."""
    kinds = [
        zone.of
        for zone in model.zones.values()
        if zone.holds == sort and zone.of in model.made and (zone.in_force or not in_force)
    ]
    return list(dict.fromkeys(kind for kind in kinds if kind is not None))


#: By row, its cards with what those share that are alike.
Printed: TypeAlias = list[list[tuple[CardInfo, object]]]


@record
class Cards:
    """The cards of a table by handle (0: an empty one). `sorts`: the first and last of each sort; `rows`: those of each
    written row of a sort with all its repetitions, none where the row is not in play at this table."""

    cards: list[CardInfo]
    sorts: dict[str, tuple[int, int]]
    rows: dict[tuple[str, int], list[int]]


@dataclass(slots=True)
class _Setting:
    """All that the cards of a sort read beside their rows. `names`: of the rows of lists that its columns speak of."""

    sort: str
    columns: Mapping[str, Column]
    repeated: frozenset[str]
    names: Mapping[str, tuple[str, ...]]
    tells: tuple[str, ...] = field(init=False)
    looks: dict[object, int] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        self.tells = tuple([name for name, column in self.columns.items() if column.tells_apart])


def expand_cards(model: Model, bound: Callable[[Bound], int]) -> Cards:
    """All cards of a table, which nobody may change. `bound` tells a bound's number at this table."""
    ends = [(sort.name, name, bound(low), bound(high)) for sort in model.sorts.values()
            for name, (low, high) in sort.ends.items()]  # fmt: skip
    return _expanded(IdentityKey(model), tuple(ends))


@lru_cache(8)
def _expanded(model: IdentityKey[Model], ends: tuple[tuple[str, str, int, int], ...]) -> Cards:
    """The same for a table where columns of sorts end like this: most have the same cards."""
    cards = [CardInfo("", "", (), {}, 0, "none")]
    sorts: dict[str, tuple[int, int]] = {}
    rows: dict[tuple[str, int], list[int]] = {}
    looks: dict[object, int] = {}
    printed = _printed(model.item)
    for sort in model.item.sorts.values():
        first = len(cards)
        own = [(name, low, high) for of, name, low, high in ends if of == sort.name]
        for row, copies in zip(sort.rows, printed[sort.name], strict=True):
            made = rows.setdefault((sort.name, row.written), [])
            if own and not all(low <= _number(row, name) <= high for name, low, high in own):
                continue
            for card, alike in copies:
                look = looks.setdefault(alike, len(looks) + 1)
                made.append(len(cards))
                cards.append(card if card.look == look else replace(card, look=look))
        sorts[sort.name] = (first, len(cards) - 1)
    return Cards(cards, sorts, rows)


def _printed(model: Model) -> dict[str, Printed]:
    """By sort, the cards of each row with what those share that are alike; numbered as if all were in play, as they
    mostly are."""
    found: dict[str, Printed] = {}
    before = 0
    for sort in model.sorts.values():
        found[sort.name], looks = _of_sort(IdentityKey(sort.rows), IdentityKey(_setting(model, sort)), before)
        before += looks
    return found


@lru_cache(32)
def _of_sort(rows: IdentityKey[tuple[Row, ...]], here: IdentityKey[_Setting], before: int) -> tuple[Printed, int]:
    """The cards of a sort, and how many looks they have; `before`: the looks of the sorts before it, which no card of
    this one has. Tables, and mostly variants of a ruleset, share them."""
    looks: dict[object, int] = {}
    cards = [_cards(IdentityKey(row), here) for row in rows.item]
    for _, alike in (card for row in cards for card in row):
        looks.setdefault(alike, before + len(looks) + 1)
    numbered = [
        [(card if card.look == looks[alike] else replace(card, look=looks[alike]), alike) for card, alike in row]
        for row in cards
    ]
    return numbered, len(looks)


#: Those that were asked for last: variants of a ruleset have equal ones, and then share their cards.
_SETTINGS: list[_Setting] = []


def _setting(model: Model, sort: CardType) -> _Setting:
    lists = {column.type.name for column in sort.columns.values()} | {"trait"}
    names = {name: tuple([row.name for row in model.lists[name].rows]) for name in lists if name in model.lists}
    made = _Setting(sort.name, sort.columns, sort.repeated, names)
    for known in _SETTINGS:
        if known == made:
            return known
    _SETTINGS[:] = [*_SETTINGS[-15:], made]
    return made


@lru_cache(32_768)
def _cards(row: IdentityKey[Row], here: IdentityKey[_Setting]) -> list[tuple[CardInfo, object]]:
    """The cards of a row. Looks are numbered in the order in which they were asked for."""
    by_copy = any(column.by == "copy" for column in here.item.columns.values())
    copies = row.item.copies
    if by_copy:
        return [_card(here.item, row.item, copy) for copy in range(copies)]
    return [_card(here.item, row.item, 0)] * copies if copies else []


def _card(here: _Setting, row: Row, copy: int) -> tuple[CardInfo, object]:
    columns = {name: printed_value(column, row, copy) for name, column in here.columns.items()}
    faces = _faces(columns)
    # A row with rules of its own differs from others even if all that is printed agrees.
    tells = here.tells
    alike = (here.sort, row.name, row.written * row.rules, str([columns[name] for name in tells]))
    label = row.name or "/".join([here.names["trait"][f - 1] for f in faces]) or f"{here.sort} {row.number}"
    texts = {name: _text(here, column.type, columns[name]) for name, column in here.columns.items()}
    # One row that stands for many cards, as for a whole deck, would not say which of them is meant.
    repeated = tuple([name for name in tells if name in here.repeated]) if row.name else ()
    label = " ".join([label, *(texts[name] for name in repeated if texts[name])])
    look = here.looks.setdefault(alike, len(here.looks) + 1)
    return CardInfo(here.sort, row.name, faces, columns, look, label, tells, texts, repeated), alike


def _text(here: _Setting, type_: Type, value: object) -> str:
    """A printed value as it reads: rows by their names."""
    if isinstance(value, tuple | list):
        return ",".join([_text(here, type_, item) for item in value])
    if isinstance(value, Condition):
        return condition_text(value, [name or str(at) for at, name in enumerate(here.names[type_.name], 1)])
    if type_.tag == "bool":
        return "true" if value else "false"
    if isinstance(value, int) and type_.tag in ("ref", "set") and type_.name in here.names:
        return here.names[type_.name][value - 1] or f"{type_.name} {value}" if value else ""
    return "" if value is None or value == MISSING_INT else str(value)


def _number(row: Row, name: str) -> int:
    """What `for_each` has put into a column."""
    value = row.columns[name]
    assert isinstance(value, int)
    return value


def printed_value(column: Column, row: Row, copy: int) -> object:
    """What stands in a column of a row, on one of its copies; where nothing does, what stands for that."""
    value: ColumnValue | None = row.columns.get(column.name, column.default)
    if column.by == "copy" and isinstance(value, tuple):
        return value[copy]
    if value is None:
        return MISSING_INT if column.type.tag == "int" and column.type.maybe else 0
    return value


def _faces(columns: dict[str, object]) -> tuple[int, ...]:
    face = columns.get("face")
    if isinstance(face, int) and face:
        return (face,)
    faces = columns.get("faces")
    return faces if isinstance(faces, tuple) else ()


# ---- places of printed values


class CellSpans:
    """Finds cells in the merged files of a ruleset."""

    def __init__(self, source: RulesetSource, model: Model) -> None:
        self.tree, self.model = source.tree, model
        self.traits: Mapping[str, YamlMap] = {file.id: file.node for file in source.traits}

    def cell(self, kind: str, row: Row, column: str) -> Span:
        """The cell of a row of a list, ladder or card sort, or of a trait; the row itself if it leaves the cell out."""
        node = self.traits.get(row.name) if kind == "trait" else self._row(kind, row)
        cell = node.get(column) if node is not None else None
        return row.span if cell is None else cell.span

    def number(self, name: str) -> Span:
        """What `numbers:` says of a name."""
        node = self.tree.map("numbers").get(name)
        return self.model.numbers[name].span if node is None else node.span

    def _row(self, kind: str, row: Row) -> YamlMap | None:
        section = "cards" if kind in self.model.sorts else "ladders" if self.model.lists[kind].ladder else "lists"
        rows = self.tree.map(section).map(kind).map("rows").items
        at = (row.written or row.number) - 1
        if at >= len(rows):  # a trait brings it
            return None
        node = rows[at][1]
        return node if isinstance(node, YamlMap) else None

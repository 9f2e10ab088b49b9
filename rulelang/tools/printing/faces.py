"""What is printed on cards, in words: the fronts and backs of single cards, and the table of all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulelang.base.labels import NO_LABEL
from rulelang.base.wording import capitalized
from rulelang.data.pictures import read_picture
from rulelang.language.semantics.card_questions import Card, cards_of
from rulelang.language.semantics.cards import FACE_COLUMNS
from rulelang.language.semantics.model import MISSING_INT, CardType, Column, ColumnValue, Zone
from rulelang.tools.printing.document import Back, CardRow, CardTable, Face, Picture, Sign, Value
from rulelang.tools.printing.printed_names import Names

#: Words longer than this may be broken anywhere.
_UNBROKEN = 18
_ZERO_WIDTH = "\u200b"
_HOLE = re.compile(r"\{([^{}]*)\}")


def card_tables(names: Names) -> Iterator[CardTable]:
    """The table of each sort of cards: one line for equal cards, columns without any value left out."""
    for sort in names.model.sorts.values():
        cards = _together(sort)
        columns = [c for c in _columns(names, sort) if any(_said(names, c, card.values[c.name]) for card, _ in cards)]
        rows = tuple(
            CardRow(
                card_name(names, card),
                card.copies,
                tuple(_range(names, column, values[column.name]) for column in columns),
                breakable(names.row_text(sort.name, card.row)),
                names.node_marks(names.row_node(sort.name, card.row)) or names.marks(card.row.layer),
            )
            for card, values in cards
        )
        total = sum(row.copies for row in rows)
        numbers = tuple(column.type.tag == "int" and column.by in (None, "copy") for column in columns)
        titles = tuple(capitalized(names.member_name(sort.name, column.name)) for column in columns)
        said = names.language.say("{number} {number:card|cards}", number=total)
        if rows:
            yield CardTable(capitalized(names.named(sort.name)), said, titles, numbers, _widths(titles, rows), rows)


def _widths(titles: Sequence[str], rows: Sequence[CardRow]) -> tuple[int, ...]:
    """How much room the name, each column and the text want: the length of what stands there, long ones less."""

    def wanted(said: Iterable[str], title: str) -> int:
        lengths = sorted(len(text) for text in said)
        usual = lengths[len(lengths) * 9 // 10] if lengths else 0
        # Words of a title are not broken, and it takes two lines.
        return min(max(usual, len(title) // 2, *map(len, title.split()), 4), 36) + 2

    inner = (wanted((row.cells[k] for row in rows), title) for k, title in enumerate(titles))
    texts = [row.text for row in rows]
    return (wanted((row.name for row in rows), ""), *inner, wanted(texts, "") if any(texts) else 0)


def card_name(names: Names, card: Card) -> str:
    """What a card is called: as its row, or as the game wants its cards called (`{name}, {part}`)."""
    name = names.row_name(card.sort.name, card.row)
    pattern = names.told(names.labels.things.get(card.sort.name, NO_LABEL).pattern)
    if not pattern:
        return name
    holes = {
        column.name: _said(names, column, card.values[column.name]).lower() for column in card.sort.columns.values()
    }
    holes["name"] = name
    return " ".join(_HOLE.sub(lambda hole: holes.get(hole[1], ""), pattern).split())


def _together(sort: CardType) -> list[tuple[Card, Mapping[str, Sequence[ColumnValue]]]]:
    """Each row once, with all values that its copies have in each column."""
    found: dict[int, tuple[Card, dict[str, list[ColumnValue]]]] = {}
    for card in cards_of(sort):
        known = found.get(card.row.number)
        if known is None:
            found[card.row.number] = (card, {name: [value] for name, value in card.values.items()})
            continue
        found[card.row.number] = (replace(known[0], copies=known[0].copies + card.copies), known[1])
        for name, value in card.values.items():
            if value not in known[1][name]:
                known[1][name].append(value)
    return list(found.values())


def _range(names: Names, column: Column, values: Sequence[ColumnValue]) -> str:
    """All that copies of a row have in a column: `3`, `0 to 6`."""
    whole = [value for value in values if isinstance(value, int) and value != MISSING_INT]
    if len(values) > 1 and column.type.tag == "int" and len(whole) == len(values):
        return f"{_said(names, column, min(whole)) or 0} to {_said(names, column, max(whole)) or 0}"
    return breakable(", ".join(filter(None, (_said(names, column, value) for value in values))))


def _columns(names: Names, sort: CardType) -> list[Column]:
    """The columns that are told, in the order that the game wants; the name of a card tells those that name traits."""
    order = {name: place for place, name in enumerate(names.labels.things.get(sort.name, NO_LABEL).order)}
    shown = [
        column
        for column in sort.columns.values()
        if column.name not in (*FACE_COLUMNS, *sort.repeated) and not names.member(sort.name, column.name).hidden
    ]
    return sorted(shown, key=lambda column: order.get(column.name, len(order)))


def _said(names: Names, column: Column, value: ColumnValue) -> str:
    """A printed value in words; empty where a card has nothing there."""
    labels = _labels(names, column)
    if labels and isinstance(value, tuple):
        parts = ((name, names.value(column.type, item)) for name, item in zip(labels, value, strict=False) if item)
        return ", ".join(f"{name} {said}" for name, said in parts if said)
    if value == column.default and column.default in (0, MISSING_INT):
        return ""
    return names.value(column.type, value)


def _labels(names: Names, column: Column) -> list[str]:
    """What the parts of a column are called that has one value for each row of a list."""
    if isinstance(column.by, tuple):
        return [str(number) for number in range(column.by[0], column.by[1] + 1)]
    listing = names.model.lists.get(column.by or "")
    return [names.row(listing.name, row.number) for row in listing.rows] if listing is not None else []


# ---- single cards


class Fronts:
    """The fronts and backs of a game's cards. `roots`: the folders of the game and its mods, where pictures lie."""

    def __init__(self, names: Names, title: str, roots: Sequence[str | Path]) -> None:
        self.names, self.title, self.roots = names, title, roots
        self.backs: dict[Back, int] = {}
        self.pictures: dict[Picture, int] = {}

    def of(self, sort: CardType) -> Iterator[tuple[Face, int]]:
        """Every different card of a sort, and how many of it there are."""
        shown = _columns(self.names, sort)
        numbers = [column for column in shown if column.type.tag == "int" and column.by in (None, "copy")]
        corner = numbers[0] if len(numbers) == 1 and len(shown) <= 2 else None
        told = self._behind(sort)
        for card in cards_of(sort):
            yield self._face(card, shown, corner, told), card.copies

    def _face(self, card: Card, shown: Sequence[Column], corner: Column | None, told: Column | None) -> Face:
        names, sort, row = self.names, card.sort, card.row
        values = [
            value
            for column in shown
            if column not in (corner, told)
            for value in self._values(sort.name, column, card.values[column.name])
        ]
        faces = names.faces(sort.name, row)
        values += self._of_trait(faces[0]) if len(faces) == 1 else []
        texts = self._texts(card)
        marks = names.node_marks(names.row_node(sort.name, row)) or names.marks(row.layer)
        for face in names.faces(sort.name, row):
            marks = marks or names.marks(names.model.lists["trait"].rows[face - 1].layer)
        number = names.value(corner.type, card.values[corner.name]) if corner is not None else ""
        known = names.value(told.type, card.values[told.name]) if told is not None else ""
        kind = capitalized(names.named(sort.name)) + (f" · {known}" if known else "")
        back = Back(self.title, kind)
        return Face(
            breakable(card_name(names, card)),
            kind,
            number,
            capitalized(names.member_name(sort.name, corner.name)) if corner is not None and number else "",
            tuple(values),
            tuple((breakable(head), breakable(text)) for head, text in texts),
            self.title,
            marks[0].by if marks else "",
            self.backs.setdefault(back, len(self.backs)),
            self._signs(card),
            self._picture(card),
        )

    def _picture(self, card: Card) -> int:
        """The number of the picture of the card's row, else of the first of its traits that has one, else of its
        sort; -1 if none has."""
        labels, sort = self.names.labels, card.sort.name
        traits = self.names.model.lists["trait"]
        faces = (traits.rows[face - 1].name for face in self.names.faces(sort, card.row))
        of_rows = labels.rows.get(sort, {}).get(card.row.name, NO_LABEL)
        of_traits = (labels.rows.get("trait", {}).get(face, NO_LABEL) for face in faces)
        looks = (of_rows, *of_traits, labels.things.get(sort, NO_LABEL))
        name = next((look.picture for look in looks if look.picture), "")
        found = read_picture(self.roots, name) if name else None
        if found is None:
            return -1
        data, kind = found
        drawn = Picture("svg" if "svg" in kind else "png", tuple(data))
        return self.pictures.setdefault(drawn, len(self.pictures))

    def _signs(self, card: Card) -> tuple[Sign, ...]:
        """The signs of the card's row, and of the traits that it can be played as."""
        traits = self.names.model.lists["trait"]
        own = self._sign(card.sort.name, card.row.name)
        each = (self._sign("trait", traits.rows[face - 1].name) for face in self.names.faces(card.sort.name, card.row))
        return tuple(dict.fromkeys((*own, *(sign for signs in each for sign in signs))))

    def _sign(self, kind: str, row: str) -> tuple[Sign, ...]:
        found = self.names.labels.rows.get(kind, {}).get(row, NO_LABEL)
        return (Sign(found.icon, found.colour),) if found.icon else ()

    def _of_value(self, kind: str, column: Column, value: ColumnValue) -> tuple[Sign, ...]:
        """The sign of a printed value: that of its column, or of the rows that it names."""
        own = self.names.member(kind, column.name)
        if own.icon:
            return (Sign(own.icon, own.colour),)
        listing = self.names.model.lists.get(column.type.name) if column.type.tag in ("ref", "set") else None
        if listing is None:
            return ()
        numbers = value if isinstance(value, tuple) else (value,)
        wanted = {number for number in numbers if isinstance(number, int)}
        return tuple(
            sign for row in listing.rows if row.number in wanted for sign in self._sign(listing.name, row.name)
        )

    def _of_trait(self, face: int) -> list[Value]:
        """What the file of a trait says under the columns of all traits, such as its price."""
        traits = self.names.model.lists["trait"]
        trait = self.names.model.traits[traits.rows[face - 1].name]
        shown = (column for column in traits.columns.values() if not self.names.member("trait", column.name).hidden)
        return [
            value
            for column in shown
            if column.name in trait.columns and trait.columns[column.name] != column.default
            for value in self._values("trait", column, trait.columns[column.name])
        ]

    def _values(self, kind: str, column: Column, value: ColumnValue) -> list[Value]:
        whole = column.type.tag == "int"
        named = capitalized(self.names.member_name(kind, column.name))
        labels = _labels(self.names, column)
        if labels and isinstance(value, tuple) and not isinstance(column.by, tuple):
            of = self.names.model.lists[str(column.by)]
            return [
                _value(capitalized(name), said, whole, self._sign(of.name, row.name))
                for name, row, v in zip(labels, of.rows, value, strict=False)
                if v and (said := self.names.value(column.type, v))
            ]
        said = _said(self.names, column, value)
        if not said:
            return []
        signs = self._of_value(kind, column, value)
        if column.type.tag == "bool":
            return [_value("", named, False, signs)]
        return [_value(named, said, whole and not labels, signs)]

    def _texts(self, card: Card) -> list[tuple[str, str]]:
        """The texts of the card: its own, then those of its traits, under their names where it has several."""
        names, sort, row = self.names, card.sort, card.row
        found = [("", names.row_text(sort.name, row))] if names.row_text(sort.name, row) else []
        faces = names.faces(sort.name, row)
        named = len(faces) > 1 or bool(row.name)
        for face in faces:
            text = names.trait_text(names.model.lists["trait"].rows[face - 1].name)
            found.append((names.row("trait", face) if named else "", text))
        return [(head, text) for head, text in found if head or text]

    def _behind(self, sort: CardType) -> Column | None:
        """The column that cards are sorted by in stacks that nobody sees: their backs tell it."""
        stacks: list[Zone] = [
            z for z in self.names.model.zones.values() if z.holds == sort.name and z.seen_by == "nobody"
        ]
        for stack in stacks:
            for column in sort.columns.values():
                if stack.of and column.type.tag == "ref" and column.type.name == stack.of:
                    return column
        return None


def _value(name: str, said: str, number: bool, signs: tuple[Sign, ...] = ()) -> Value:
    return Value(breakable(name), breakable(said), number, signs)


def breakable(text: str) -> str:
    """A text in which very long words may be broken anywhere."""
    return " ".join(
        _ZERO_WIDTH.join(word) if len(word) > _UNBROKEN and word.isascii() else word for word in text.split(" ")
    )

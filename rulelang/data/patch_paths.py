"""Paths of patches: parse their steps, and find the place in the layers below that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.wording import did_you_mean, renamed_hint
from rulelang.data.patches import ROW_SECTIONS, LocatedPatch, Patch, Place, item_names
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank

# ---- steps of a path

_CELL = re.compile(r"\s*([A-Za-z_][\w\-]*)\s*=\s*(.*?)\s*\Z", re.DOTALL)


@record
class Pick:
    """What stands in brackets: `[horns]`, `[3]`, `[face=horns, food=2]` or both, `[3, face=horns]`.

    `number` counts from 1. `cells` are columns with what they say: the row that is meant says all of them.
    """

    text: str
    number: int | None = None
    word: str = ""
    cells: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"[{self.text}]"


Step = str | Pick


def parse_steps(path: str) -> list[Step] | None:
    """The steps of a path; None if its brackets do not fit."""
    steps: list[Step] = []
    at, named = 0, True  # a name may follow
    while at <= len(path):
        if at < len(path) and path[at] == "[":
            end = path.find("]", at)
            if end < 0 or at == 0:
                return None
            steps.append(parse_pick(path[at + 1 : end]))
            at, named = end + 1, False
            continue
        if not named:
            if at == len(path):
                break
            if path[at] != ".":
                return None
            at += 1
        end = at
        while end < len(path) and path[end] not in ".[]":
            end += 1
        if path[end : end + 1] == "]":
            return None
        steps.append(path[at:end])
        at, named = end, False
    return steps


def parse_pick(text: str) -> Pick:
    """What stands in brackets: numbers, a word, or cells, with commas between them."""
    number: int | None = None
    word = ""
    cells: list[tuple[str, str]] = []
    for part in text.split(","):
        found = _CELL.match(part)
        if found:
            cells.append((found[1], found[2]))
        elif part.strip().isdigit() and number is None:
            number = int(part.strip()[:6])
        else:
            word = part.strip()
    return Pick(text.strip(), number, word, tuple(cells))


def append_step(walked: str, step: Step) -> str:
    """A path with one step more."""
    if isinstance(step, Pick):
        return f"{walked}{step}"
    return f"{walked}.{step}" if walked else step


def cell_text(row: YamlNode, column: str) -> str | None:
    """The text of a cell; the items of a set are joined by `+`."""
    cell = row.get(column) if isinstance(row, YamlMap) else None
    if isinstance(cell, YamlSeq):
        return "+".join(item.text if isinstance(item, YamlScalar) else "?" for item in cell.items)
    return cell.text if isinstance(cell, YamlScalar) and not is_blank(cell) else None


def row_matches(row: YamlNode, pick: Pick) -> bool:
    """Whether a row says what stands in the brackets."""
    return all(cell_text(row, column) == value for column, value in pick.cells)


# ---- finding the place

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*\Z")
_CELL_WORD = re.compile(r"[^\[\],=\n]+\Z")


@dataclass(slots=True)
class FoundRow:
    """A row that is there, or was: `gone` is the layer that took it out."""

    key: YamlScalar
    gone: int | None = None


@record
class LayersBelow:
    """What a layer finds below it: `root` with all sections, `trees` with those that declare columns.

    `numbered(section, name)` are the rows as the layer counts them, each with its number among all that ever were;
    `remover(place)` the patch that took out what a place leads through, `remover_in(rows)` one that took a row out;
    `renamer(place)` the patch that gave what was there the name that is its value.
    """

    root: YamlMap
    traits: Mapping[str, YamlMap]
    trees: Sequence[YamlMap]
    numbered: Callable[[str, str], list[tuple[int, FoundRow]]]
    remover: Callable[[Place], Patch | None]
    remover_in: Callable[[Place], Patch | None]
    renamer: Callable[[Place], Patch | None]
    clash: Callable[[Patch, Patch, Place], None]
    hold: Callable[[Place, tuple[int, int], Diagnostic], None]
    nothing: Callable[[Patch, Patch], bool]


class PatchSearch:
    """Looks for the place of one patch; what is not there is a Y141."""

    def __init__(self, below: LayersBelow, patch: Patch, diagnostics: Diagnostics) -> None:
        self.below, self.patch, self.out = below, patch, diagnostics
        self.steps: list[int] = []
        self.place: list[str] = []
        self.walked = ""  # as it should be written
        self.old = False  # it was written as paths were before they had brackets
        self.key: YamlScalar | None = None
        self.counted: Place | None = None
        self.told = False  # what is wrong was told
        self.counting = False  # that it counts rows was told

    def run(self) -> LocatedPatch | None:
        parts = parse_steps(self.patch.path)
        if parts is None:
            because = "a path consists of names separated by dots; brackets after a name select an item or a row"
            hint = "write it like `cards.card.rows[3].copies`"
            self.out.error(
                "Y151", self.patch.span, f"`{self.patch.path}` is not a valid path", because=because, hint=hint
            )
            return None
        if self.patch.verb == "disable":
            parts = [*parts, "rules"]
        node: YamlNode = self.below.root
        while parts:
            step = self._in_map(node, parts) if isinstance(node, YamlMap) else None
            if step is None and isinstance(node, YamlSeq):
                step = self._in_list(node, parts)
            if step is None:
                if not self.told:
                    self._nothing(node, parts)
                return None
            index, name, size = step
            self.steps.append(index)
            self.place.append(name)
            for part in parts[:size]:
                self.walked = append_step(self.walked, part)
            parts = parts[size:]
            if self.key is not None:
                break
            node = node.items[index][1] if isinstance(node, YamlMap) else self._item(node, index)
        if self._is_trait() and self.patch.verb == "set" and self.key is None:
            self._whole_trait()
            return None
        if self.old and not self.counting:
            because = "brackets select a list item or a row, and a dot comes before a name"
            message = f"`{self.patch.path}` uses an older spelling"
            self.out.warning("Y151", self.patch.span, message, because=because, hint=f"write `{self.walked}`")
        before = node if self.key is None else None
        return LocatedPatch(self.patch, tuple(self.steps), tuple(self.place), self.key, self.counted, before)

    @staticmethod
    def _item(node: YamlNode, index: int) -> YamlNode:
        return node.items[index] if isinstance(node, YamlSeq) else node

    def _in_map(self, node: YamlMap, parts: list[Step]) -> tuple[int, str, int] | None:
        """The index of the step, its name for every layer, and how many parts of the path it takes."""
        for size, name in _names(parts):
            if node.key(name) is not None:
                return next(i for i, (key, _) in enumerate(node.items) if key.text == name), name, size
        if self.place and self.place[0] in ROW_SECTIONS:
            if len(self.place) == 2 and isinstance(node.get("rows"), YamlMap):
                if isinstance(parts[0], Pick) or "=" in parts[0]:
                    self.walked = append_step(self.walked, "rows")
                return next(i for i, (key, _) in enumerate(node.items) if key.text == "rows"), "rows", 0
            if len(self.place) == 3 and self.place[2] == "rows":
                return self._row(node, parts)
        added = parts[0]
        if self.patch.value is not None and len(parts) == 1 and isinstance(added, str) and self._may_be_added(added):
            self.key = YamlScalar(added, self.patch.span, added, "plain", self.patch.layer)
            return len(node.items), added, 1
        return None

    # ---- rows

    def _row(self, node: YamlMap, parts: list[Step]) -> tuple[int, str, int] | None:
        """A row by what its cells say, by its number, or by both."""
        rows = self.below.numbered(self.place[0], self.place[1])
        first = parts[0]
        if isinstance(first, Pick):
            return self._picked(node, rows, first, 1, parts)
        for size, text in _names(parts):
            pick = parse_pick(text)
            if (pick.cells or pick.number is not None) and not pick.word:
                found = self._picked(node, rows, pick, size, parts)
                if found is not None:
                    self.old = True
                    parts[:size] = [pick]
                    return (*found[:2], 1)
                if self.told:
                    return None
        return None

    def _picked(
        self, node: YamlMap, rows: list[tuple[int, FoundRow]], pick: Pick, size: int, parts: Sequence[Step]
    ) -> tuple[int, str, int] | None:
        if pick.word:
            return None
        if pick.number is not None:
            return self._counted(node, rows, pick, size, parts)
        found = [i for i, (_, row) in enumerate(node.items) if row_matches(row, pick)]
        if len(found) != 1:
            return None
        key = node.items[found[0]][0]
        ever = next((number for number, row in rows if row.key is key), -1 - found[0])
        return found[0], key.text or f"#{ever}", size

    def _counted(
        self, node: YamlMap, rows: list[tuple[int, FoundRow]], pick: Pick, size: int, parts: Sequence[Step]
    ) -> tuple[int, str, int] | None:
        number = pick.number or 0
        if not 1 <= number <= len(rows) or rows[number - 1][1].key.text:
            return None
        at = {id(key): index for index, (key, _) in enumerate(node.items)}
        ever, row = rows[number - 1]
        index = at.get(id(row.key))
        if index is None:  # a mod of which this one knows nothing took it out
            other = self.below.remover((*self.place, f"#{ever}"))
            if other is not None:
                self.told = True
                if not self.below.nothing(other, self.patch):
                    self.below.clash(other, self.patch, (*self.place, f"#{ever}"))
            return None
        if pick.cells:
            if row_matches(node.items[index][1], pick):
                return index, f"#{ever}", size
            self._moved(node, number, index, pick)
            return None
        others = [node.items[at[id(r.key)]][1] for _, r in rows if id(r.key) in at]
        better = _unique_pick(node.items[index][1], others, number)
        if better:
            self.counting = True
            path = append_step(self.walked, Pick(better))
            for part in parts[size:]:
                path = append_step(path, part)
            because = "the rows may be in a different order in another version of the game"
            message = f"`{self.patch.path}` identifies its row only by its number"
            self.out.warning("Y146", self.patch.span, message, because=because, hint=f"write `{path}`")
        return index, f"#{ever}", size

    def _moved(self, node: YamlMap, number: int, index: int, pick: Pick) -> None:
        """Y141: a row has its number, and does not say what the patch expects of it."""
        self.told = True
        key, row = node.items[index]
        column, value = next((c, v) for c, v in pick.cells if cell_text(row, c) != v)
        said = cell_text(row, column)
        what = f"has the {column} `{said}`" if said is not None else f"has no {column}"
        there = [i + 1 for i, (_, other) in enumerate(node.items) if row_matches(other, pick)]
        where = f"; row {there[0]} has it now" if len(there) == 1 else ""
        message = f"row {number} of `{self.walked}` {what}, not `{value}`{where}"
        because = "the path gives both a number and a cell, to detect rows that have moved"
        related = [Related(key.span, f"row {number} is here")]
        self.out.error("Y141", self.patch.span, message, because=because, related=related)

    # ---- what may be added, lists

    def _may_be_added(self, name: str) -> bool:
        """Whether this key may stand here though it does not yet: a column of a row, or of a trait."""
        if len(self.place) == 4 and self.place[0] in ROW_SECTIONS and self.place[2] == "rows":
            return name in self._columns()
        return self._is_trait() and any(tree.map("traits").get(name) is not None for tree in self.below.trees)

    def _is_trait(self) -> bool:
        return len(self.place) == 2 and self.place[0] == "traits" and self.place[1] in self.below.traits

    def _columns(self) -> set[str]:
        section, name = self.place[:2]
        return {key.text for tree in self.below.trees for key, _ in tree.map(section).map(name).map("columns").items}

    def _in_list(self, node: YamlSeq, parts: list[Step]) -> tuple[int, str, int] | None:
        """An item of a list is picked by its text if that is a word, or by its number from 1."""
        first = parts[0]
        pick = first if isinstance(first, Pick) else parse_pick(first)
        words = [item.text if isinstance(item, YamlScalar) and isinstance(item.value, str) else "" for item in node]
        index: int | None = None
        if pick.text in words:
            index = words.index(pick.text)
        elif pick.number is not None and not pick.cells and 1 <= pick.number <= len(words):
            self.counted = tuple(self.place)
            index = pick.number - 1
        if index is None:
            return None
        if first is not pick:
            self.old = True
            parts[0] = pick
        return index, item_names(node)[index], 1

    # ---- what is wrong

    def _nothing(self, node: YamlNode, parts: Sequence[Step]) -> None:
        """Y141: the path ends here."""
        first = parts[0]
        name = str(first)
        known: list[str] = []
        if isinstance(node, YamlMap):
            known = [key.text for key, _ in node.items if key.text]
        elif isinstance(node, YamlSeq):
            known = [item.text for item in node.items if isinstance(item, YamlScalar)]
        if len(self.place) == 4 and self.place[2] == "rows":
            known += sorted(self._columns())
        if self.patch.verb == "disable" and parts == ["rules"] and self._has_no_rules():
            return
        place = f"in `{self.walked}`" if self.walked else "at the top"
        message = f"`{self.patch.path}` does not exist: there is no `{name}` {place}"
        pick = first if isinstance(first, Pick) else parse_pick(first)
        hint = did_you_mean(pick.text, known)
        if pick.cells and isinstance(node, YamlMap) and self.place[2:] == ["rows"]:
            number = sum(row_matches(row, pick) for _, row in node.items)
            wanted = " and ".join(f"the {column} `{value}`" for column, value in pick.cells)
            many = f"{number} rows have" if number else "no row has"
            message = f"`{self.patch.path}` must identify one row, but {many} {wanted}"
            column, value = pick.cells[0]
            said = [cell_text(row, column) for _, row in node.items]
            hint = did_you_mean(value, [text for text in said if text and text != value])
            if number:
                hint = f"add another cell: `[{pick.text}, COLUMN=VALUE]`"
            elif column == "id":
                message = f"`{self.patch.path}` picks a row by its `id`, which is its name and not a column"
                hint = did_you_mean(value, known)
                if value in known:
                    hint = f"write `{'.'.join([append_step(self.walked, value), *map(str, parts[1:])])}`"
        elif spread := self._spread(name, node):
            message = f"`{self.patch.path}` does not exist: `{name}` has one column of the table for each {spread[0]}"
            cell = next((str(part) for part in parts[1:2] if str(part) in known), spread[1])
            hint = f"write `{append_step(self.walked, cell)}`"
        elif isinstance(first, Pick) and first.word and isinstance(node, YamlMap) and first.word in known:
            hint = f"write `{append_step(self.walked, first.word)}`"
        where = tuple(str(part) if isinstance(part, str) else part.text for part in parts)
        gone = self.below.remover((*self.place, *where))
        if gone is None and (pick.cells or pick.number is not None):
            gone = self.below.remover_in(tuple(self.place))
        if gone is not None and len(parts) == 1 and self.below.nothing(gone, self.patch):
            return
        related = [Related(gone.span, f"`{gone.path}` is {gone.verb}d here")] if gone is not None else []
        named = self.below.renamer((*self.place, *where[:1]))
        if named is not None and isinstance(named.value, YamlScalar):
            related = [Related(named.span, f"`{named.path}` is renamed here")]
            hint = renamed_hint(named.value.text)
        because = "a patch can change only what the game or an earlier mod declares"
        if not (hint or related) and isinstance(first, str) and len(parts) == 1 and isinstance(node, YamlMap):
            hint = self._declare(first)
        mistake = Diagnostic("Y141", self.patch.span, message, because, hint, tuple(related))
        layer = gone.layer if gone is not None else self.patch.layer
        self.below.hold((*self.place, *where), (layer, self.patch.layer), mistake)

    def _spread(self, name: str, node: YamlNode) -> tuple[str, str] | None:
        """Of a column that a table spreads over one for each row of a list: that list, and one of these columns."""
        if len(self.place) != 4 or self.place[2] != "rows" or not isinstance(node, YamlMap):
            return None
        section, sort = self.place[:2]
        columns = (tree.map(section).map(sort).map("columns").get(name) for tree in self.below.trees)
        by = next((by for c in columns if isinstance(c, YamlMap) and (by := c.get("by")) is not None), None)
        if not isinstance(by, YamlScalar):
            return None
        rows = {key.text for tree in self.below.trees for key, _ in tree.map("lists").map(by.text).map("rows").items}
        return next(((by.text, key.text) for key, _ in node.items if key.text in rows), None)

    def _has_no_rules(self) -> bool:
        """Y147: a trait or row does nothing anyway."""
        row = len(self.place) == 4 and self.place[0] in ROW_SECTIONS and self.place[2] == "rows"
        if not (self._is_trait() or row) or self.below.remover((*self.place, "rules")) is not None:
            return False
        message = f"`{self.patch.path}` already has no rules"
        because = "`disable:` removes only rules"
        self.out.warning("Y147", self.patch.span, message, because=because, hint="delete the patch")
        return True

    def _declare(self, name: str) -> str:
        """How to add what is not there yet."""
        rows = len(self.place) in (3, 4) and self.place[0] in ROW_SECTIONS
        if self.patch.verb != "set" or len(self.place) < 2 or rows:
            return ""
        return f"to add it, write `extend: {{{self.walked}: {{{name}: ...}}}}`"

    def _whole_trait(self) -> None:
        self.out.error(
            "Y141",
            self.patch.span,
            f"`{self.patch.path}` is a whole trait",
            because="a patch can change only one key of a trait at a time",
            hint=f"write `{self.patch.path}.text: ...`, or remove the trait and declare another of the same name",
        )


def _names(parts: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """The names that may begin here, since a name may hold dots: with how many parts each takes."""
    text = ""
    for size, part in enumerate(parts, 1):
        if isinstance(part, Pick):
            return
        text = f"{text}.{part}" if size > 1 else part
        yield size, text


def _unique_pick(row: YamlNode, rows: Sequence[YamlNode], number: int) -> str:
    """What to write in brackets that fits this row alone: words rather than numbers, one cell rather than two.

    If no cells do, the number with a cell: then it is noticed when the row moves.
    """
    cells = (
        [(key.text, said) for key, _ in row.items if (said := cell_text(row, key.text)) is not None]
        if isinstance(row, YamlMap)
        else []
    )
    cells = [(column, said) for column, said in cells if _CELL_WORD.match(said)]
    words = [cell for cell in cells if _WORD.match(cell[1])]
    for chosen in [*((cell,) for cell in words), *combinations(cells, 2)]:
        if sum(all(cell_text(other, column) == said for column, said in chosen) for other in rows) == 1:
            return ", ".join(f"{column}={said}" for column, said in chosen)
    return ", ".join([str(number), *(f"{column}={said}" for column, said in cells[:1])]) if cells else ""

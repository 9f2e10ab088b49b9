"""`set:` and `remove:`: what a layer changes of what the layers below it declare.

All patches of a layer are looked up in what lies below it, before any is carried out: so the number of a row is the one
that it has there, whatever else the layer takes out. Rows that a layer took out, or brought, do not count for a layer
that is not ordered after it, so that a mod of which this one knows nothing changes no number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import NOWHERE
from rulelang.data.history import ROW_SECTIONS, Change, History, Verb, item_names
from rulelang.data.order import ORDER_MODS
from rulelang.data.patches import Found, Patch, Removed, rebuilt
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*\Z")


@dataclass(slots=True)
class _Row:
    """A row that is there, or was: `gone` is the layer that took it out."""

    key: YamlScalar
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class Clash:
    """Two layers of which neither follows the other change one place: a mistake, unless a third one settles it."""

    place: tuple[str, ...]
    layers: tuple[int, int]
    mistake: Diagnostic


@dataclass(slots=True)
class Patcher:
    """Carries out the patches of one layer after the other.

    `ordered(a, b)` says whether layer b is meant to come after layer a (it depends on it, or says `after:`).
    """

    diagnostics: Diagnostics
    ordered: Callable[[int, int], bool]
    removed: list[Removed] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    clashing: list[Clash] = field(default_factory=list)
    _done: list[Found] = field(default_factory=list)
    _rows: dict[tuple[str, str], list[_Row]] = field(default_factory=dict)

    def carry_out(
        self, patches: Sequence[Patch], tree: YamlMap, traits: Mapping[str, YamlMap], adds: Sequence[YamlMap]
    ) -> tuple[YamlMap, dict[str, YamlMap]]:
        """The tree and the trait files with the patches of one layer; `adds` is what the layer adds itself."""
        # What patches call `traits.NAME` is a trait's file, or else a column of the section `traits:`.
        files = tuple((YamlScalar(name, NOWHERE, name), node) for name, node in traits.items())
        columns = tuple(item for item in tree.map("traits").items if item[0].text not in traits)
        others = [item for item in tree.items if item[0].text != "traits"]
        word = tree.key("traits") or YamlScalar("traits", NOWHERE, "traits")
        root = YamlMap((*others, (word, YamlMap((*files, *columns), NOWHERE))), tree.span, tree.layer)
        fitting: list[Found] = []
        for patch in patches:
            found = _Search(self, patch, root, traits, [tree, *adds]).run()
            if found is not None and not self._clashes(found):
                self._done.append(found)
                fitting.append(found)
                self.settle(patch.layer, found.place)
        for found in fitting:
            patch = found.patch
            if patch.value is None:
                self.removed.append(Removed(patch.path, patch.span, patch.layer))
            verb: Verb = "remove" if patch.value is None else "set"
            place, before, after = found.place, found.before, patch.value
            self.changes.append(Change(patch.layer, verb, patch.path, place, patch.span, before, after))
        root = rebuilt(root, [(found.steps, found) for found in fitting])
        left = root.map("traits")
        new = {key.text: node for key, node in left.items if key.text in traits and isinstance(node, YamlMap)}
        columns = tuple(item for item in left.items if item[0].text not in traits)
        hidden = tuple(item for item in tree.map("traits").items if item[0].text in traits)
        items = [(key, node) for key, node in root.items if key.text != "traits"]
        section = tree.get("traits")
        if section is not None:
            items.append((word, YamlMap((*columns, *hidden), section.span, section.layer)))
        return YamlMap(tuple(items), tree.span, tree.layer), new

    def note_rows(self, tree: YamlMap, layer: int) -> None:
        """Enter the rows that are new, and note which ones are gone since the last time."""
        for section in ROW_SECTIONS:
            names = tree.map(section).keys()
            for name in {*names, *(other for room, other in self._rows if room == section)}:
                rows = self._rows.setdefault((section, name), [])
                now = [key for key, _ in rows_of(tree, section, name).items]
                left = {id(key) for key in now}
                for row in rows:
                    if row.gone is None and id(row.key) not in left:
                        row.gone = layer
                known = {id(row.key) for row in rows if row.gone is None}
                rows.extend(_Row(key) for key in now if id(key) not in known)

    def history(self) -> History:
        """What all layers changed."""
        return History(self.changes, {room: [row.key for row in rows] for room, rows in self._rows.items()})

    def numbered(self, section: str, name: str, layer: int) -> list[tuple[int, _Row]]:
        """The rows as this layer counts them, each with its number among all that ever were."""

        def knows(other: int) -> bool:
            return other == 0 or self.ordered(other, layer)

        return [
            (number, row)
            for number, row in enumerate(self._rows.get((section, name), ()))
            if knows(row.key.layer) and (row.gone is None or not knows(row.gone))
        ]

    def remover(self, place: tuple[str, ...]) -> Patch | None:
        """The patch that removed what a path leads through."""
        return next((f.patch for f in self._done if f.patch.value is None and f.place == place[: len(f.place)]), None)

    def remover_in(self, rows: tuple[str, ...]) -> Patch | None:
        """A patch that removed one of these rows, or an item of this list."""
        return next((f.patch for f in self._done if f.patch.value is None and f.place[:-1] == rows), None)

    def _clashes(self, new: Found) -> bool:
        for old in self._done:
            same = old.patch.layer == new.patch.layer
            if not same and self.ordered(old.patch.layer, new.patch.layer):
                continue
            shifted = not same and (
                (old.patch.value is None and old.place[:-1] == new.counted)
                or (new.patch.value is None and new.place[:-1] == old.counted)
            )
            if _overlap(old.place, new.place) or shifted:
                self.clash(old.patch, new.patch, max(old.place, new.place, key=len))
                return True
        return False

    def settle(self, layer: int, place: tuple[str, ...]) -> None:
        """A layer decides what is at a place: of those that it follows nobody need do so."""
        self.clashing = [
            clash
            for clash in self.clashing
            if clash.place[: len(place)] != place or not all(self.ordered(other, layer) for other in clash.layers)
        ]

    def hold(self, clash: Clash) -> None:
        """Keep a mistake until it is known whether a later layer settles it."""
        self.clashing.append(clash)

    def tell(self) -> None:
        """Report what no layer has settled."""
        self.diagnostics.extend(clash.mistake for clash in self.clashing)

    def clash(self, old: Patch, new: Patch, place: tuple[str, ...]) -> None:
        word = "removes" if new.value is None else "sets"
        if old.layer == new.layer:
            because = "each path is changed once in a mod; the numbers of rows are those before anything is changed"
            hint = ""
        else:
            because = "neither of the two mods comes after the other, so the result would depend on chance"
            hint = ORDER_MODS
        related = (Related(old.span, "this removes it" if old.value is None else "this changes it too"),)
        message = f"this {word} `{new.path}`, which is changed elsewhere"
        mistake = Diagnostic("Y142", new.span, message, because, hint, related)
        if old.layer == new.layer:
            self.diagnostics.add(mistake)
        else:
            self.hold(Clash(place, (old.layer, new.layer), mistake))


class _Search:
    """Looks for the place of one patch; what is not there is a Y141."""

    def __init__(
        self, patcher: Patcher, patch: Patch, root: YamlMap, traits: Mapping[str, YamlMap], trees: Sequence[YamlMap]
    ) -> None:
        self.patcher, self.patch, self.root, self.traits, self.trees = patcher, patch, root, traits, trees
        self.steps: list[int] = []
        self.place: list[str] = []
        self.key: YamlScalar | None = None
        self.counted: tuple[str, ...] | None = None
        self.clashed = False  # a Y142 was told

    def run(self) -> Found | None:
        parts = self.patch.path.split(".")
        node: YamlNode = self.root
        while parts:
            step = self._in_map(node, parts) if isinstance(node, YamlMap) else None
            if step is None and isinstance(node, YamlSeq):
                step = self._in_list(node, parts)
            if step is None:
                if not self.clashed:
                    self._nothing(node, parts)
                return None
            index, name, size = step
            self.steps.append(index)
            self.place.append(name)
            parts = parts[size:]
            if self.key is not None:
                break
            if isinstance(node, YamlMap):
                node = node.items[index][1]
            elif isinstance(node, YamlSeq):
                node = node.items[index]
        if self._is_trait() and self.patch.value is not None and self.key is None:
            self._whole_trait()
            return None
        before = node if self.key is None else None
        return Found(self.patch, tuple(self.steps), tuple(self.place), self.key, self.counted, before)

    def _in_map(self, node: YamlMap, parts: list[str]) -> tuple[int, str, int] | None:
        """The index of the step, its name for every layer, and how many parts of the path it takes."""
        for size in range(1, len(parts) + 1):
            name = ".".join(parts[:size])
            if node.key(name) is not None:
                return next(i for i, (key, _) in enumerate(node.items) if key.text == name), name, size
        if self.place and self.place[0] in ROW_SECTIONS:
            if len(self.place) == 2 and isinstance(node.get("rows"), YamlMap):
                return next(i for i, (key, _) in enumerate(node.items) if key.text == "rows"), "rows", 0
            if len(self.place) == 3 and self.place[2] == "rows":
                return self._row(node, parts)
        if self.patch.value is not None and len(parts) == 1 and self._may_be_added(parts[0]):
            self.key = YamlScalar(parts[0], self.patch.span, parts[0], "plain", self.patch.layer)
            return len(node.items), parts[0], 1
        return None

    def _row(self, node: YamlMap, parts: list[str]) -> tuple[int, str, int] | None:
        """A row by its number, or by what one of its cells says: `COLUMN=VALUE`."""
        rows = self.patcher.numbered(self.place[0], self.place[1], self.patch.layer)
        at = {id(key): index for index, (key, _) in enumerate(node.items)}
        if parts[0].isdigit():
            number = int(parts[0][:6])
            if not 1 <= number <= len(rows) or rows[number - 1][1].key.text:
                return None
            ever, row = rows[number - 1]
            index = at.get(id(row.key))
            if index is None:  # a mod of which this one knows nothing took it out
                other = self.patcher.remover((*self.place, f"#{ever}"))
                if other is not None:
                    self.clashed = True
                    self.patcher.clash(other, self.patch, (*self.place, f"#{ever}"))
                return None
            better = self._unmistakable(node, [at[id(r.key)] for _, r in rows if id(r.key) in at], index)
            if better:
                path = ".".join([*self.place, better, *parts[1:]])
                self.patcher.diagnostics.warning(
                    "Y146",
                    self.patch.span,
                    f"`{self.patch.path}` finds its row by counting",
                    because="another version of the ruleset below may have its rows in another order",
                    hint=f"write `{path}`",
                )
            return index, f"#{ever}", 1
        for size in range(1, len(parts) + 1):
            column, sign, value = ".".join(parts[:size]).partition("=")
            found = [i for i, (_, row) in enumerate(node.items) if sign and _says(row, column) == value]
            if len(found) == 1:
                key = node.items[found[0]][0]
                ever = next((number for number, row in rows if row.key is key), -1 - found[0])
                return found[0], key.text or f"#{ever}", size
        return None

    @staticmethod
    def _unmistakable(node: YamlMap, rows: Sequence[int], index: int) -> str:
        """`COLUMN=VALUE` that fits this row alone, if there is one: words are better than numbers."""
        row = node.items[index][1]
        for key, cell in row.items if isinstance(row, YamlMap) else ():
            said = _says(row, key.text)
            if isinstance(cell, YamlScalar) and said is not None and _WORD.match(said):
                same = [other for other in rows if _says(node.items[other][1], key.text) == said]
                if len(same) == 1:
                    return f"{key.text}={said}"
        return ""

    def _may_be_added(self, name: str) -> bool:
        """Whether this key may stand here though it does not yet: a column of a row, or of a trait."""
        if len(self.place) == 4 and self.place[0] in ROW_SECTIONS and self.place[2] == "rows":
            return name in self._columns()
        return self._is_trait() and any(tree.map("traits").get(name) is not None for tree in self.trees)

    def _is_trait(self) -> bool:
        return len(self.place) == 2 and self.place[0] == "traits" and self.place[1] in self.traits

    def _columns(self) -> set[str]:
        section, name = self.place[:2]
        return {key.text for tree in self.trees for key, _ in tree.map(section).map(name).map("columns").items}

    def _in_list(self, node: YamlSeq, parts: list[str]) -> tuple[int, str, int] | None:
        """An item of a list is named by its text if that is a word, or by its number from 1."""
        words = [item.text if isinstance(item, YamlScalar) and isinstance(item.value, str) else "" for item in node]
        if parts[0] in words:
            return words.index(parts[0]), item_names(node)[words.index(parts[0])], 1
        if parts[0].isdigit() and 1 <= int(parts[0][:6]) <= len(words):
            self.counted = tuple(self.place)
            return int(parts[0]) - 1, f"#{parts[0]}", 1
        return None

    def _nothing(self, node: YamlNode, parts: Sequence[str]) -> None:
        """Y141: the path ends here."""
        names = self.patch.path.split(".")
        walked = ".".join(names[: len(names) - len(parts)])
        known: list[str] = []
        if isinstance(node, YamlMap):
            known = [key.text for key, _ in node.items if key.text]
        elif isinstance(node, YamlSeq):
            known = [item.text for item in node.items if isinstance(item, YamlScalar)]
        if len(self.place) == 4 and self.place[2] == "rows":
            known += sorted(self._columns())
        place = f"in `{walked}`" if walked else "at the top"
        message = f"`{self.patch.path}` does not exist: there is no `{parts[0]}` {place}"
        hint = did_you_mean(parts[0], known)
        column, sign, value = parts[0].partition("=")
        if sign and isinstance(node, YamlMap) and self.place[2:] == ["rows"]:
            said = [_says(row, column) for _, row in node.items]
            number = said.count(value) or "no"
            message = f"`{self.patch.path}` names no one row: {number} rows have the {column} `{value}`"
            hint = did_you_mean(value, [text for text in said if text and text != value])
        gone = self.patcher.remover((*self.place, *parts))
        if gone is None and (sign or parts[0].isdigit()):
            gone = self.patcher.remover_in(tuple(self.place))
        related = [Related(gone.span, f"`{gone.path}` is removed here")] if gone is not None else []
        because = "`set` and `remove` change what the layers below declare"
        mistake = Diagnostic("Y141", self.patch.span, message, because, hint, tuple(related))
        if gone is None or gone.layer == self.patch.layer:
            self.patcher.diagnostics.add(mistake)
        else:  # a third mod may settle it
            self.patcher.hold(Clash((*self.place, *parts), (gone.layer, self.patch.layer), mistake))

    def _whole_trait(self) -> None:
        self.patcher.diagnostics.error(
            "Y141",
            self.patch.span,
            f"`{self.patch.path}` is a whole trait",
            because="a trait is changed key by key",
            hint=f"write `{self.patch.path}.text: ...`, or remove the trait and bring another of the same name",
        )


def rows_of(tree: YamlMap, section: str, name: str) -> YamlMap:
    """The rows of a list, ladder or sort of cards."""
    return tree.map(section).map(name).map("rows")


def _says(row: YamlNode, column: str) -> str | None:
    """The text of a cell; the items of a set are joined by `+`."""
    cell = row.get(column) if isinstance(row, YamlMap) else None
    if isinstance(cell, YamlSeq):
        return "+".join(item.text if isinstance(item, YamlScalar) else "?" for item in cell.items)
    return cell.text if isinstance(cell, YamlScalar) and not is_blank(cell) else None


def _overlap(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    short = min(len(a), len(b))
    return a[:short] == b[:short]

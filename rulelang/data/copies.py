"""`like:`: a row or a trait that is like another, with changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.nearest import did_you_mean
from rulelang.data.history import ROW_SECTIONS, Change
from rulelang.data.steps import fits, pick_of, says
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar

LIKE = "like"
#: What a trait does not take over: what it is called, and what tests or prints the other.
_OWN = ("trait", "name", "cards", "scenarios", LIKE)

Item = tuple[YamlScalar, YamlNode]


@dataclass(slots=True)
class Copier:
    """Fills in what rows and traits of one layer copy: of the layers below, as they are before this one changes them,
    or of the same layer."""

    diagnostics: Diagnostics
    layer: int
    tree: YamlMap
    traits: Mapping[str, YamlMap]
    changes: list[Change]
    _open: set[int] = field(default_factory=set)  # whose originals are being looked for

    def sections(self, sections: Sequence[YamlMap]) -> list[YamlMap]:
        """The sections of a layer, in their usual shape, with all rows whole."""
        if not any(_copies(section) for section in sections):
            return list(sections)
        return [self._section(section, sections) for section in sections]

    def _section(self, section: YamlMap, own: Sequence[YamlMap]) -> YamlMap:
        items: list[Item] = []
        for key, node in section.items:
            if key.text in ROW_SECTIONS and isinstance(node, YamlMap):
                lists = tuple((name, self._list(key.text, name.text, part, own)) for name, part in node.items)
                node = YamlMap(lists, node.span, node.layer)
            items.append((key, node))
        return YamlMap(tuple(items), section.span, section.layer)

    def _list(self, section: str, name: str, node: YamlNode, own: Sequence[YamlMap]) -> YamlNode:
        if not isinstance(node, YamlMap) or not isinstance(node.get("rows"), YamlMap):
            return node
        layers = [self.tree, *own]
        if any(tree.map(section).map(name).map("columns").get(LIKE) is not None for tree in layers):
            return node  # a column of that name
        rows = [item for tree in layers for item in tree.map(section).map(name).map("rows").items]
        known = [key.text for key, _ in rows if key.text]

        def original(word: YamlScalar, but: YamlNode) -> YamlMap | None:
            pick = pick_of(word.text)
            found = [
                row
                for key, row in rows
                if row is not but
                and isinstance(row, YamlMap)
                and (fits(row, pick) if pick.cells else key.text == word.text)
            ]
            if len(found) == 1:
                return found[0]
            many = f"{len(found)} rows of `{name}`" if found else f"no row of `{name}`"
            what = f"{many} {'are' if found else 'is'} called `{word.text}`"
            hint = did_you_mean(word.text, known)
            if pick.cells:
                what = f"{many} {'have' if found else 'has'} `{word.text}`"
                column, value = pick.cells[0]
                said = [text for _, row in rows if row is not but and (text := says(row, column))]
                hint = did_you_mean(value, said)
                if found:
                    hint = "add another cell: `like: COLUMN=VALUE, COLUMN=VALUE`"
            because = "`like:` must identify exactly one row, by name or by cell values"
            self.diagnostics.error("Y150", word.span, what, because=because, hint=hint)
            # Any row will do, so that no cell is missed besides.
            return next((row for _, row in rows if isinstance(row, YamlMap) and row.get(LIKE) is None), None)

        inner = tuple(
            (key, self._rows(value, original, (section, name)) if key.text == "rows" else value)
            for key, value in node.items
        )
        return YamlMap(inner, node.span, node.layer)

    def _rows(
        self, rows: YamlNode, original: Callable[[YamlScalar, YamlNode], YamlMap | None], of: tuple[str, str]
    ) -> YamlNode:
        if not isinstance(rows, YamlMap):
            return rows
        whole = []
        for key, row in rows.items:
            place = (*of, "rows", key.text)
            whole.append((key, self._whole(row, original, (LIKE,), place) if isinstance(row, YamlMap) else row))
        return YamlMap(tuple(whole), rows.span, rows.layer)

    def files(self, traits: Sequence[YamlMap]) -> list[YamlMap]:
        """The files of a layer's traits with what they copy."""
        if not any(file.get(LIKE) is not None for file in traits):
            return list(traits)
        own = {file.text("trait") or "": file for file in traits}

        def original(word: YamlScalar, but: YamlNode) -> YamlMap | None:
            found = own.get(word.text)
            found = found if found is not None and found is not but else self.traits.get(word.text)
            if found is None:
                because = "`like:` names the trait to copy"
                hint = did_you_mean(word.text, [name for name in (*self.traits, *own) if own.get(name) is not but])
                message = f"there is no trait `{word.text}`"
                self.diagnostics.error("Y150", word.span, message, because=because, hint=hint)
            return found

        return [self._whole(file, original, _OWN, ("traits", file.text("trait") or "")) for file in traits]

    def _whole(
        self,
        node: YamlMap,
        original: Callable[[YamlScalar, YamlNode], YamlMap | None],
        own: tuple[str, ...],
        place: tuple[str, ...],
    ) -> YamlMap:
        """The row or file with what it takes over from its original; its own keys come first, and stay."""
        word = node.get(LIKE)
        if word is None:
            return node
        kept = tuple(item for item in node.items if item[0].text != LIKE)
        bare = YamlMap(kept, node.span, node.layer)
        if not isinstance(word, YamlScalar):
            return bare
        if id(node) in self._open:
            because = "each of them would be a copy of another one"
            self.diagnostics.error("Y150", word.span, "`like:` forms a cycle", because=because)
            return bare
        self._open.add(id(node))
        found = original(word, node)
        if found is None:
            self._open.discard(id(node))
            return bare
        found = self._whole(found, original, own, place)
        self._open.discard(id(node))
        said = {key.text for key, _ in kept}
        taken = tuple(item for item in found.items if item[0].text not in said and item[0].text not in own)
        whole = YamlMap((*kept, *taken), node.span, node.layer)
        path = ".".join(part for part in place if part)
        self.changes.append(Change(self.layer, "like", path, place, word.span, found, whole))
        return whole


def _copies(section: YamlMap) -> bool:
    return any(
        isinstance(row, YamlMap) and row.get(LIKE) is not None
        for name in ROW_SECTIONS
        for _, part in section.map(name).items
        if isinstance(part, YamlMap)
        for _, row in part.map("rows").items
    )

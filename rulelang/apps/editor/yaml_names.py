"""Names in YAML and in tables of cards: what the model declares there, and what cells, keys and types say of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.cell_names import Cells
from rulelang.apps.editor.extra_rows import extra_rows
from rulelang.apps.editor.look_names import in_look
from rulelang.apps.editor.occurrences import Occurrence, Thing, What
from rulelang.apps.editor.rule_names import kind_thing, row_thing
from rulelang.apps.editor.scenario_names import Spoken, kinds_of
from rulelang.apps.editor.yaml_words import PROSE, names_in, root_of, words_in
from rulelang.base.source import Span
from rulelang.data.layers import VERBS
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.members import printed_of
from rulelang.language.semantics.model import Attribute, Model

_CITED = re.compile(r"^[ \t]*#:[ \t]*(.+)$", re.MULTILINE)
_ID = re.compile(r"\S+")


def in_files(analysis: Analysis) -> Iterator[Occurrence]:
    """All names in data files and scenarios, and the numbered rules that are cited."""
    reader = _Reader(analysis, analysis.model, Cells(analysis))
    yield from reader.declared()
    for key, node in analysis.source.tree:
        if key.text != "look":
            yield from reader.section(key.text, node)
    yield from in_look(analysis, analysis.source.tree.map("look"))
    for trait in analysis.source.traits:
        yield from reader.trait(trait.id, trait.node)
    for path, text in analysis.source.sources.items():
        root = root_of(text, path) if path.endswith((".yaml", ".yml")) else None
        if isinstance(root, YamlMap):
            yield from reader.written(root)
    for card_file in analysis.source.card_files:
        for cell in card_file.table.columns:
            yield from reader.cells.column(card_file.sort, cell)
    speakers: dict[int, Spoken] = {}  # by the identity of what they see
    for part in extra_rows(analysis).parts:
        spoken = speakers.setdefault(id(part.seen), Spoken(part.seen, Cells(part.seen)))
        yield from spoken.scenarios(part.node, part.trait)
    for rule in analysis.rules.values():
        yield Occurrence(rule.span, Thing("rule", rule.id), True)
    for path, text in analysis.source.sources.items():
        yield from _citations(path, text)


def _citations(path: str, text: str) -> Iterator[Occurrence]:
    """The ids of lines `#: ID ...`, in rules and YAML."""
    for match in _CITED.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        start = text.rfind("\n", 0, match.start(1)) + 1
        for word in _ID.finditer(text, match.start(1), match.end(1)):
            span = Span(path, line, word.start() - start + 1, line, word.end() - start + 1)
            yield Occurrence(span, Thing("rule", word[0]))


@dataclass
class _Reader:
    analysis: Analysis
    model: Model
    cells: Cells

    def declared(self) -> Iterator[Occurrence]:
        """What the model says was declared where."""
        model = self.model
        for number in model.numbers.values():
            yield Occurrence(number.span, Thing("number", number.name), True, "int")
        for option in model.options.values():
            yield Occurrence(option.span, Thing("option", option.name), True, str(option.type))
        for name, listing in model.lists.items():
            yield Occurrence(listing.span, kind_thing(model, name), True)
            for row in listing.rows:
                yield Occurrence(row.span, row_thing(name, row.name), True, name)
        for sort in model.sorts.values():
            yield Occurrence(sort.span, kind_thing(model, sort.name), True)
            for row in sort.rows:
                if row.name:
                    yield Occurrence(row.span, row_thing(sort.name, row.name), True, sort.name)
        for grid in model.grids.values():
            yield Occurrence(grid.span, kind_thing(model, grid.name), True)
        for made in model.made.values():
            yield Occurrence(made.span, kind_thing(model, made.name), True)
        for trait in model.traits.values():
            yield Occurrence(trait.span, Thing("trait", trait.name), True, "trait")
            yield from self._attributes(trait.name, trait.state)
        for zone in model.zones.values():
            yield Occurrence(zone.span, Thing("zone", zone.name), True)
        for table in model.tables.values():
            yield Occurrence(table.span, Thing("table", table.name), True)
        for state in model.state.values():
            yield Occurrence(state.span, Thing("state", state.name), True, str(state.type))
        yield from self._attributes("player", model.player_attributes)
        for kind in kinds_of(model):
            yield from self._attributes(kind.name, kind.attributes)
            for column in printed_of(model, kind.name).values():
                yield Occurrence(column.span, Thing("column", column.name, kind.name), True, str(column.type))

    def _attributes(self, kind: str, found: Mapping[str, Attribute]) -> Iterator[Occurrence]:
        for attribute in found.values():
            yield Occurrence(attribute.span, Thing("attribute", attribute.name, kind), True, str(attribute.type))

    # ---- what data files say

    def written(self, root: YamlMap) -> Iterator[Occurrence]:
        """What the merged files do not keep: the head of a sort whose rows come from a table, the values of options,
        and the paths of patches."""
        for key, _ in root.map("cards"):
            if key.text in self.model.sorts:
                yield Occurrence(key.span, kind_thing(self.model, key.text), True)
        for key, node in root.map("options"):
            if key.text in self.model.options and isinstance(node, YamlMap):
                for word in (*words_in(node.get("values") or node), *words_in(node.get("default"))):
                    if word.text in self.model.options[key.text].values:
                        yield Occurrence(word.span, Thing("row", word.text, f"option {key.text}"), True)
        for word in words_in(root.map("players").get("from")):
            if word.text in self.model.state:
                yield Occurrence(word.span, Thing("state", word.text))
        for verb in VERBS:
            for key, _ in root.map(verb):
                yield from self._path(key)
            for item in root.seq(verb):
                if isinstance(item, YamlScalar):
                    yield from self._path(item)

    def _path(self, node: YamlScalar) -> Iterator[Occurrence]:
        """The first names of a path: `numbers.NAME`, `traits.NAME`, `kinds.KIND.attributes.NAME`."""
        words = list(names_in(node))
        for above, word in pairwise(words):
            thing = self._stepped(above.text, word.text, words[1].text)
            if thing is not None:
                yield Occurrence(word.span, thing)

    def _stepped(self, section: str, name: str, of: str) -> Thing | None:
        model = self.model
        rooms: dict[str, tuple[What, Iterable[str]]] = {
            "numbers": ("number", model.numbers), "traits": ("trait", model.traits), "state": ("state", model.state),
            "tables": ("table", model.tables), "zones": ("zone", model.zones), "options": ("option", model.options),
        }  # fmt: skip
        if section in rooms:
            what, known = rooms[section]
            return Thing(what, name) if name in known else None
        if section in ("kinds", "lists", "ladders", "grids", "cards"):
            return kind_thing(model, name) if self.analysis.symbols.is_kind(name) else None
        if section == "attributes":
            return Thing("attribute", name, of)
        if section == "columns":
            return Thing("column", name, of)
        return row_thing(of, name) if section == "rows" and name in self.analysis.symbols.rows_of(of) else None

    def section(self, name: str, node: YamlNode) -> Iterator[Occurrence]:
        """One section of the merged files."""
        if not isinstance(node, YamlMap):
            return
        for key, part in node:
            if name in ("cards", "lists", "ladders") and isinstance(part, YamlMap):
                yield from self.cells.rows(key.text, part.get("rows"))
                for column, _ in part.map("for_each"):
                    yield from self.cells.column(key.text, column)
                yield from self.types(YamlMap(tuple(i for i in part.items if i[0].text != "rows"), part.span))
            else:
                yield from self.types(part, key.text)

    def types(self, node: YamlNode, key: str = "") -> Iterator[Occurrence]:
        """Kinds, numbers, zones, phases and options that declarations name."""
        if key in PROSE or key in ("rules", "rows", "names"):
            return
        if isinstance(node, YamlMap):
            kind = (node.text("is") or "").removeprefix("maybe ").strip()
            for word in words_in(node.get("start")) if kind else ():
                if word.text in self.analysis.symbols.rows_of(kind):
                    yield Occurrence(word.span, row_thing(kind, word.text))
            for inner, value in node:
                yield from self.types(value, inner.text)
        elif isinstance(node, YamlSeq):
            for item in node:
                yield from self.types(item, key)
        elif isinstance(node.value, str):
            for word in names_in(node):
                thing = self._typed(word.text, key)
                if thing is not None:
                    yield Occurrence(word.span, thing)

    def _typed(self, name: str, key: str) -> Thing | None:
        model = self.model
        if key == "resets" and name in self.analysis.program.routines:
            return Thing("phase", name)
        if key in ("played_to", "refilled_from"):
            return next((Thing("zone", zone.name) for zone in model.zones.values() if zone.short_name == name), None)
        if key == "counted_by":
            return Thing("value", name) if name in self.analysis.program.values else None
        if key == "chosen_by" and name in model.options:
            return Thing("option", name)
        if any(name in room for room in (model.lists, model.sorts, model.grids, model.made)):
            return kind_thing(model, name)
        if name in model.numbers:
            return Thing("number", name)
        return Thing("option", name) if name in model.options else None

    def trait(self, name: str, node: YamlMap) -> Iterator[Occurrence]:
        """The file of a trait."""
        listed = self.model.lists.get("trait")
        columns = listed.columns if listed is not None else {}
        for key, value in node:
            if key.text in ("needs", "knows"):
                known = [word for word in words_in(value) if word.text in self.model.traits]
                yield from (Occurrence(word.span, Thing("trait", word.text)) for word in known)
            elif key.text == "state":
                yield from self.types(value)
            elif key.text == "cards":
                yield from self._trait_cards(value)
            elif key.text in columns:
                yield Occurrence(key.span, Thing("column", key.text, "trait"))
                yield from self.cells.cell(columns[key.text], value)

    def _trait_cards(self, node: YamlNode) -> Iterator[Occurrence]:
        faced = [s.name for s in self.analysis.symbols.trait_sorts()]
        if isinstance(node, YamlMap):
            for sort, rows in node:
                yield from self.cells.rows(sort.text, rows)
        elif faced:
            yield from self.cells.rows(faced[0], node)

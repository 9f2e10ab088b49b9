"""The index of all occurrences of names in a ruleset, with those in YAML and in tables of cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.rule_names import (
    PROSE_KEYS,
    ExpressionNames,
    Index,
    Occurrence,
    OwnerFinder,
    Thing,
    ThingKind,
    kind_thing,
    names_in_checked,
    names_in_rules,
    row_thing,
    scalar_names,
    scalar_words,
    yaml_root,
)
from rulelang.apps.editor.scenario_names import CellNames, ScenarioNames, extra_rows, kinds_with_attributes
from rulelang.base.source import Span
from rulelang.data.layers import VERBS
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.declare.labels import GAME
from rulelang.language.semantics.members import printed_of
from rulelang.language.semantics.model import Attribute, Model

# ---- Names in `look:`

_HOLE = re.compile(r"\{([^{}]*)\}")


def names_in_look(analysis: Analysis, section: YamlMap) -> Iterator[Occurrence]:
    """All names of the section."""
    reader = _LookReader(analysis)
    for key, look in section:
        yield from _named_word(key, reader.thing_named(key.text))
        if isinstance(look, YamlMap):
            yield from reader.names_in_entry(key.text, look)


class _LookReader:
    def __init__(self, analysis: Analysis) -> None:
        self.analysis, self.model = analysis, analysis.model
        self.expressions = ExpressionNames(analysis)
        self.owners = OwnerFinder(node.span for _, found in analysis.trees for node in found)

    def thing_named(self, name: str) -> Thing | None:
        """What `look:` may speak of by this name."""
        model, program = self.model, self.analysis.program
        if name == GAME or name == "player":
            return None
        if self.analysis.symbols.is_kind(name):
            return kind_thing(model, name)
        zone = next((zone for zone in model.zones.values() if name in (zone.name, zone.short_name)), None)
        if zone is not None:
            return Thing("zone", zone.name)
        if name in model.tables:
            return Thing("table", name)
        if name in program.routines and program.routines[name].phase:
            return Thing("phase", name)
        action = next((id_ for id_, action in program.actions.items() if action.name == name), None)
        return Thing("action", action) if action is not None else None

    def members(self, name: str) -> Mapping[str, Thing]:
        """What things of a kind keep and have printed."""
        model = self.model
        if name == GAME:
            return {state: Thing("state", state) for state in model.state}
        if name == "player":
            return {attribute: Thing("attribute", attribute, name) for attribute in model.player_attributes}
        found: dict[str, Thing] = {}
        if name in model.sorts:
            for trait in model.traits.values():
                found |= {attribute: Thing("attribute", attribute, trait.name) for attribute in trait.state}
        for kinds in (model.made, model.lists, model.grids, model.sorts):
            if name in kinds:
                found |= {attribute: Thing("attribute", attribute, name) for attribute in kinds[name].attributes}
        for printed in (model.lists, model.grids, model.sorts):
            if name in printed:
                found |= {column: Thing("column", column, name) for column in printed[name].columns}
        return found

    def holes(self, name: str) -> Mapping[str, Thing]:
        """What fills the holes of `called:`: columns of cards, or parameters of actions."""
        found = {column: thing for column, thing in self.members(name).items() if thing.what == "column"}
        for action in self.analysis.program.actions.values():
            for binder in action.binders if action.name == name else ():
                key = f"{self.owners.owner_of(binder.span)} {binder.local.name}"
                found[binder.local.text] = Thing("local", binder.local.text, key)
        return found

    def names_in_entry(self, name: str, look: YamlMap) -> Iterator[Occurrence]:
        members = self.members(name)
        for member, _ in look.map("members"):
            yield from _named_word(member, members.get(member.text))
        for word in (*look.seq("order"), *look.seq("hide")):
            if isinstance(word, YamlScalar):
                yield from _named_word(word, members.get(word.text))
        rows = self.analysis.symbols.rows_of(name)
        for row, _ in look.map("rows"):
            yield from _named_word(row, row_thing(name, row.text) if row.text in rows else None)
        for word in look.seq("layout"):
            if isinstance(word, YamlScalar):
                yield from _named_word(word, self.thing_named(word.text))
        for _, shown in look.map("show"):
            said = shown.get("is") if isinstance(shown, YamlMap) else shown
            if isinstance(said, YamlScalar):
                yield from self.expressions.names_in_shown(said, name)
        yield from self.pattern(look.get("called"), self.holes(name))

    def pattern(self, node: YamlNode | None, holes: Mapping[str, Thing]) -> Iterator[Occurrence]:
        """The holes of a pattern, in each language."""
        for text in (value for _, value in node) if isinstance(node, YamlMap) else (node,):
            if isinstance(text, YamlScalar) and text.exact:
                place = text.placement()
                for number, line in enumerate(text.text.split("\n"), 1):
                    for hole in _HOLE.finditer(line):
                        if hole[1] in holes:
                            span = place.span(number, hole.start(1) + 1, number, hole.end(1) + 1)
                            yield Occurrence(span, holes[hole[1]])


def _named_word(word: YamlScalar, thing: Thing | None) -> Iterator[Occurrence]:
    """A word, or the last part of a path."""
    if thing is not None and word.exact:
        yield Occurrence(word.span._replace(column=word.span.end_column - len(thing.short)), thing)


# ---- Names in YAML

_CITED = re.compile(r"^[ \t]*#:[ \t]*(.+)$", re.MULTILINE)
_ID = re.compile(r"\S+")


def names_in_files(analysis: Analysis) -> Iterator[Occurrence]:
    """All names in data files and scenarios, and the numbered rules that are cited."""
    reader = _YamlReader(analysis, analysis.model, CellNames(analysis))
    yield from reader.declared()
    for key, node in analysis.source.tree:
        if key.text != "look":
            yield from reader.section(key.text, node)
    yield from names_in_look(analysis, analysis.source.tree.map("look"))
    for trait in analysis.source.traits:
        yield from reader.trait(trait.id, trait.node)
    for path, text in analysis.source.sources.items():
        root = yaml_root(text, path) if path.endswith((".yaml", ".yml")) else None
        if isinstance(root, YamlMap):
            yield from reader.written(root)
    for card_file in analysis.source.card_files:
        for cell in card_file.table.columns:
            yield from reader.cells.column(card_file.sort, cell)
    speakers: dict[int, ScenarioNames] = {}  # by the identity of what they see
    for part in extra_rows(analysis).parts:
        spoken = speakers.setdefault(id(part.seen), ScenarioNames(part.seen, CellNames(part.seen)))
        yield from spoken.scenarios(part.node, part.trait)
    for rule in analysis.rules.values():
        yield Occurrence(rule.span, Thing("rule", rule.id), True)
    for path, text in analysis.source.sources.items():
        yield from _cited_rules(path, text)


def _cited_rules(path: str, text: str) -> Iterator[Occurrence]:
    """The ids of lines `#: ID ...`, in rules and YAML."""
    for match in _CITED.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        start = text.rfind("\n", 0, match.start(1)) + 1
        for word in _ID.finditer(text, match.start(1), match.end(1)):
            span = Span(path, line, word.start() - start + 1, line, word.end() - start + 1)
            yield Occurrence(span, Thing("rule", word[0]))


@dataclass
class _YamlReader:
    analysis: Analysis
    model: Model
    cells: CellNames

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
        for kind in kinds_with_attributes(model):
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
                for word in (*scalar_words(node.get("values") or node), *scalar_words(node.get("default"))):
                    if word.text in self.model.options[key.text].values:
                        yield Occurrence(word.span, Thing("row", word.text, f"option {key.text}"), True)
        for word in scalar_words(root.map("players").get("from")):
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
        words = list(scalar_names(node))
        for above, word in pairwise(words):
            thing = self._stepped(above.text, word.text, words[1].text)
            if thing is not None:
                yield Occurrence(word.span, thing)

    def _stepped(self, section: str, name: str, of: str) -> Thing | None:
        model = self.model
        rooms: dict[str, tuple[ThingKind, Iterable[str]]] = {
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
        if key in PROSE_KEYS or key in ("rules", "rows", "names"):
            return
        if isinstance(node, YamlMap):
            kind = (node.text("is") or "").removeprefix("maybe ").strip()
            for word in scalar_words(node.get("start")) if kind else ():
                if word.text in self.analysis.symbols.rows_of(kind):
                    yield Occurrence(word.span, row_thing(kind, word.text))
            for inner, value in node:
                yield from self.types(value, inner.text)
        elif isinstance(node, YamlSeq):
            for item in node:
                yield from self.types(item, key)
        elif isinstance(node.value, str):
            for word in scalar_names(node):
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
                known = [word for word in scalar_words(value) if word.text in self.model.traits]
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


# ---- The index


def index_of(analysis: Analysis) -> Index:
    """The occurrences of a ruleset, worked out once: those in scenarios with their test rows too."""
    analysis = analysis.of or analysis
    made = analysis.kept.get("index")
    if not isinstance(made, Index):
        made = Index()
        made.add(verified_places(names_in_rules(analysis), analysis))
        made.add(verified_places(names_in_files(analysis), analysis))
        found = (names_in_checked(one.analysis, one.heard) for one in extra_rows(analysis).found.values())
        made.add(verified_places(chain.from_iterable(found), analysis))
        analysis.kept["index"] = made
    return made


def verified_places(found: Iterable[Occurrence], analysis: Analysis) -> Iterator[Occurrence]:
    """Those whose name stands in the text at their place, each place once."""
    lines: dict[str, list[str]] = {}
    seen: set[tuple[Span, Thing]] = set()
    for item in found:
        span = item.span
        if (span, item.thing) in seen or span.line != span.end_line or not span.path:
            continue
        seen.add((span, item.thing))
        if span.path not in lines:
            lines[span.path] = analysis.texts.get(absolute(span.path), "").split("\n")
        rows = lines[span.path]
        word = rows[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(rows) else ""
        if word.casefold() == item.thing.short.casefold():  # as scenarios are read
            yield item

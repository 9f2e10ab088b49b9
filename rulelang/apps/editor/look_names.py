"""Names in `look:`: what it speaks of, the values and rows of that, and what fills the holes of its patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.expression_names import Expressions
from rulelang.apps.editor.occurrences import Occurrence, Thing
from rulelang.apps.editor.rule_names import Owners, kind_thing, row_thing
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.declare.labels import GAME

_HOLE = re.compile(r"\{([^{}]*)\}")


def in_look(analysis: Analysis, section: YamlMap) -> Iterator[Occurrence]:
    """All names of the section."""
    reader = _Reader(analysis)
    for key, look in section:
        yield from _named(key, reader.named(key.text))
        if isinstance(look, YamlMap):
            yield from reader.look(key.text, look)


class _Reader:
    def __init__(self, analysis: Analysis) -> None:
        self.analysis, self.model = analysis, analysis.model
        self.expressions = Expressions(analysis)
        self.owners = Owners(node.span for _, found in analysis.trees for node in found)

    def named(self, name: str) -> Thing | None:
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
                key = f"{self.owners.of(binder.span)} {binder.local.name}"
                found[binder.local.text] = Thing("local", binder.local.text, key)
        return found

    def look(self, name: str, look: YamlMap) -> Iterator[Occurrence]:
        members = self.members(name)
        for member, _ in look.map("members"):
            yield from _named(member, members.get(member.text))
        for word in (*look.seq("order"), *look.seq("hide")):
            if isinstance(word, YamlScalar):
                yield from _named(word, members.get(word.text))
        rows = self.analysis.symbols.rows_of(name)
        for row, _ in look.map("rows"):
            yield from _named(row, row_thing(name, row.text) if row.text in rows else None)
        for word in look.seq("layout"):
            if isinstance(word, YamlScalar):
                yield from _named(word, self.named(word.text))
        for _, shown in look.map("show"):
            said = shown.get("is") if isinstance(shown, YamlMap) else shown
            if isinstance(said, YamlScalar):
                yield from self.expressions.shown(said, name)
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


def _named(word: YamlScalar, thing: Thing | None) -> Iterator[Occurrence]:
    """A word, or the last part of a path."""
    if thing is not None and word.exact:
        yield Occurrence(word.span._replace(column=word.span.end_column - len(thing.short)), thing)

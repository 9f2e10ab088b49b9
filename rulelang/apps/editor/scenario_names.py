"""Names in scenarios: those of their own for players and things, from `given:`, and what else they speak of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.cell_names import Cells
from rulelang.apps.editor.expression_names import Expressions
from rulelang.apps.editor.occurrences import Occurrence, Thing, What
from rulelang.apps.editor.rule_names import kind_thing, row_thing
from rulelang.apps.editor.yaml_words import PROSE, names_in
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.members import printed_of
from rulelang.language.semantics.model import PLAYER, Attribute, CardType, Grid, Listing, Made, Model, Type, ref
from rulelang.testing.scenarios.tokens import Word, split_words

_LOG = "log"
_THEN = "then"
_ROWS = "rows"


class Called(NamedTuple):
    """A player or a thing of a scenario, the word that names it first, and its kind."""

    thing: Thing
    word: Word
    kind: str


def called_in(scenario: YamlMap, model: Model) -> dict[str, Called]:
    """By name without regard to case, as scenarios are read."""
    found: dict[str, Called] = {}
    place = f"{scenario.span.path}:{scenario.span.line}"
    for word, kind in _named(scenario.map("given"), model):
        found.setdefault(word.text.casefold(), Called(Thing("local", word.text, f"{place} {word.text}"), word, kind))
    return found


def _named(given: YamlMap, model: Model) -> Iterator[tuple[Word, str]]:
    players = given.get("players")
    if isinstance(players, YamlSeq):
        for item in players:
            yield from _first(item, "player")
    elif isinstance(players, YamlMap):
        for key, value in players:
            yield from _first(key, "player")
            yield from _things(value, model)
    nobody = given.get("nobody")
    if nobody is not None:
        yield from _things(nobody, model)


def _things(node: YamlNode, model: Model) -> Iterator[tuple[Word, str]]:
    """The things of a player: a list of them, or lists by their kind."""
    if isinstance(node, YamlSeq):
        kind = next(iter(model.made), "")
        for item in node:
            yield from _first(item, kind)
    elif isinstance(node, YamlMap):
        for key, value in node:
            if key.text in model.made:
                for item in value if isinstance(value, YamlSeq) else (value,):
                    yield from _first(item, key.text)


def _first(node: YamlNode, kind: str) -> Iterator[tuple[Word, str]]:
    """The first word of a text, or of the key of a map of one."""
    if isinstance(node, YamlMap) and len(node) == 1:
        node = node.items[0][0]
    if isinstance(node, YamlScalar) and node.exact and isinstance(node.value, str):
        words = split_words(node)
        if words and words[0].text.isidentifier():
            yield words[0], kind


class Spoken:
    """Reads the scenarios of a ruleset."""

    def __init__(self, analysis: Analysis, cells: Cells) -> None:
        self.analysis, self.model, self.cells = analysis, analysis.model, cells
        self.expressions = Expressions(analysis)
        self.called: dict[str, Called] = {}  # in the scenario at hand
        self.names: dict[str, Type] = {}
        self.trait = ""

    def scenarios(self, node: YamlNode, trait: str = "") -> Iterator[Occurrence]:
        """Actions, traits, rows, members, zones, state and numbered rules that scenarios name, and what they have names
        of their own for. `trait`: which they stand beside."""
        self.trait = trait
        yield from self._part(node, "")

    def _part(self, node: YamlNode, key: str) -> Iterator[Occurrence]:
        if key == _ROWS and isinstance(node, YamlMap):
            for kind, rows in node:
                if self.analysis.symbols.is_kind(kind.text):
                    yield Occurrence(kind.span, kind_thing(self.model, kind.text))
                    yield from self._rows(kind.text, rows)
                    yield from self.cells.rows(kind.text, rows)
        elif isinstance(node, YamlMap):
            if isinstance(node.get("given"), YamlMap):
                self.called = called_in(node, self.model)
                named = ((its.word.text, its.kind) for its in self.called.values())
                self.names = {name: PLAYER if kind == "player" else ref(kind) for name, kind in named if kind}
                yield from (Occurrence(its.word.span, its.thing, True, its.kind) for its in self.called.values())
            own = key in ("options", "state", "zones", "tables", "lists")
            for inner, value in node:
                if key == _LOG:
                    yield from self._part(value, _LOG)
                elif inner.text not in PROSE or own:
                    yield from self._said(inner, key, is_key=True)
                    if key == "options" and inner.text in self.model.options:
                        yield from self._chosen(inner.text, value)
                    else:
                        yield from self._part(value, inner.text)
        elif isinstance(node, YamlSeq):
            for item in node:
                yield from self._part(item, key)
        elif isinstance(node.value, str):
            yield from self._claimed(node) if key == _THEN else self._said(node, key, is_key=False)

    def _rows(self, kind: str, rows: YamlNode) -> Iterator[Occurrence]:
        """The names of test rows: they are declared where they stand."""
        known = self.analysis.symbols.rows_of(kind)
        for name, _ in rows if isinstance(rows, YamlMap) else ():
            if name.text in known:
                yield Occurrence(name.span, row_thing(kind, name.text), True, kind)

    def _chosen(self, option: str, node: YamlNode) -> Iterator[Occurrence]:
        if isinstance(node, YamlScalar) and node.text in self.model.options[option].values:
            yield Occurrence(node.span, Thing("row", node.text, f"option {option}"))

    def _claimed(self, node: YamlScalar) -> Iterator[Occurrence]:
        found = self.expressions.claim(node, self.names, self.trait)
        if found is None:
            yield from self._said(node, _THEN, is_key=False)
            return
        yield from found
        for word in names_in(node):
            own = self.called.get(word.text.casefold())
            if own is not None and all(item.span != word.span for item in found):
                yield Occurrence(word.span, own.thing, type=own.kind)

    def _said(self, node: YamlScalar, key: str, *, is_key: bool) -> Iterator[Occurrence]:
        if key == "rule":
            yield from (Occurrence(word.span, Thing("rule", word.text)) for word in split_words(node))
            return
        of: Collection[str] = ("player",) if is_key else ()
        for number, word in enumerate(names_in(node, self.dotted)):
            own = self.called.get(word.text.casefold())
            if own is not None:
                of = of if number else (own.kind,)
                yield Occurrence(word.span, own.thing, word.span == own.word.span, own.kind)
                continue
            first = not number
            thing = self._spoken(word.text, key, of, first=first, is_key=is_key)
            other = None if thing is not None else self._declared_as.get(word.text.casefold())
            thing = thing if other is None else self._spoken(other, key, of, first=first, is_key=is_key)
            if thing is not None:
                if first and thing.what in ("trait", "row"):
                    of = self._bearers(thing)
                yield Occurrence(word.span, thing)

    def _bearers(self, thing: Thing) -> Collection[str]:
        """Whose members stand behind the name of a card."""
        if thing.what == "trait":
            return (thing.name, *(sort.name for sort in self.analysis.symbols.trait_sorts()))
        return (thing.of,)

    def _spoken(self, name: str, key: str, of: Collection[str], *, first: bool, is_key: bool) -> Thing | None:
        """What a word of a scenario stands for, where that is plain. `of`: whose members are spoken of."""
        model, program = self.model, self.analysis.program
        if is_key and key == "options":
            return Thing("option", name) if name in model.options else None
        if is_key and key == "state":
            return Thing("state", name) if name in model.state else None
        if is_key and key == "tables":
            return Thing("table", name) if name in model.tables else None
        if is_key and name in model.made:
            return Thing("kind", name)
        if key == "phase":
            return Thing("phase", name) if name in program.routines else None
        if key != _LOG:  # in which words are prose, but for the names of what there is
            if first and name in self.actions:
                return Thing("action", self.actions[name])
            if first and name in program.routines:
                return Thing("phase" if program.routines[name].phase else "routine", name)
        things = self.named.get(name, []) if key != _LOG else []
        mine = [thing for thing in things if thing.of in of]
        if len(mine) == 1 and not first:
            return mine[0]
        if name in model.traits:
            return Thing("trait", name)
        found = self.analysis.symbols.rows_named(name)
        if len(found) == 1:
            return row_thing(found[0][0], name)
        fitting = mine if len(mine) == 1 else things
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def dotted(self) -> frozenset[str]:
        """The cards that have a dot in their name."""
        return frozenset(row.name for sort in self.model.sorts.values() for row in sort.rows if "." in row.name)

    @cached_property
    def actions(self) -> dict[str, str]:
        """The actions, by what a step may call them: one of a trait by its short name, if no other has that."""
        found: dict[str, set[str]] = {}
        for id_ in self.analysis.program.actions:
            for name in {id_, id_.rpartition(".")[2]}:
                found.setdefault(name, set()).add(id_)
        return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}

    @cached_property
    def _declared_as(self) -> dict[str, str]:
        """Names as they are declared, by what scenarios may write for them: they are read without regard to case."""
        model, program = self.model, self.analysis.program
        groups = program.actions, program.routines, model.traits, model.options, model.state, model.tables
        found: dict[str, set[str]] = {}
        for name in (name for group in groups for name in group):
            found.setdefault(name.casefold(), set()).add(name)
        return {folded: next(iter(names)) for folded, names in found.items() if len(names) == 1}

    @cached_property
    def named(self) -> dict[str, list[Thing]]:
        """By name, all that scenarios may look at."""
        found: dict[str, list[Thing]] = {}
        for zone in self.model.zones.values():
            found.setdefault(zone.short_name, []).append(Thing("zone", zone.name))
        for of, group in _attributes(self.model):
            for name in group:
                found.setdefault(name, []).append(Thing("attribute", name, of))
        for kind in kinds_of(self.model):
            for name in printed_of(self.model, kind.name):
                found.setdefault(name, []).append(Thing("column", name, kind.name))
        rooms: dict[What, Iterable[str]] = {
            "state": self.model.state, "value": self.analysis.program.values, "number": self.model.numbers
        }  # fmt: skip
        for what, names in rooms.items():
            for name in names:
                found.setdefault(name, []).append(Thing(what, name))
        return found


def kinds_of(model: Model) -> list[Made | Listing | Grid | CardType]:
    """All kinds that may have attributes, but for players."""
    return [*model.made.values(), *model.lists.values(), *model.grids.values(), *model.sorts.values()]


def _attributes(model: Model) -> Iterator[tuple[str, Mapping[str, Attribute]]]:
    yield "player", model.player_attributes
    for kind in kinds_of(model):
        yield kind.name, kind.attributes
    for trait in model.traits.values():
        yield trait.name, trait.state

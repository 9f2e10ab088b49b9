"""The occurrences of names in rules and expressions, as the checker resolves them."""

from __future__ import annotations

import bisect
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import BEARERS, LISTS
from rulelang.language.semantics.check import forms
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.check.program import check_expression, check_program
from rulelang.language.semantics.check.symbol_table import Signature, Symbols
from rulelang.language.semantics.declare.labels import GAME
from rulelang.language.semantics.members import MemberInfo
from rulelang.language.semantics.model import PHASE, Attribute, Model, Type, ref
from rulelang.language.semantics.tree import walk as walk_tree
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.language.syntax.parse import parse_expression
from rulelang.testing.scenarios.formulas import nameable_things, read_formula
from rulelang.testing.scenarios.tokens import Word

# ---- Occurrences

ThingKind = Literal[
    "value", "routine", "phase", "action", "invariant", "trait", "row", "list", "kind", "sort", "grid", "attribute",
    "state", "column", "zone", "table", "number", "option", "mode", "local", "rule", "built in",
]  # fmt: skip


class Thing(NamedTuple):
    """What a name stands for. `of`: the kind of an attribute, column or zone, the list or sort of a row, the trait of
    what is kept for each of its cards, the declaration of a local, the type of a built-in name."""

    what: ThingKind
    name: str
    of: str = ""

    @property
    def short(self) -> str:
        """The name as it stands in a text."""
        return self.name.rpartition(".")[2] if self.what in ("value", "routine", "action", "zone") else self.name


class Occurrence(NamedTuple):
    """A name in a text, what it stands for, and whether that is declared there. `type`: of an expression, in words."""

    span: Span
    thing: Thing
    declares: bool = False
    type: str = ""


@dataclass
class Index:
    """All occurrences, by file (absolute path) and by thing."""

    by_file: dict[str, list[Occurrence]] = field(default_factory=dict)
    by_thing: dict[Thing, list[Occurrence]] = field(default_factory=dict)

    def add(self, found: Iterable[Occurrence]) -> None:
        for item in found:
            self.by_file.setdefault(absolute(item.span.path), []).append(item)
            self.by_thing.setdefault(item.thing, []).append(item)

    def at(self, path: str, line: int, column: int) -> Occurrence | None:
        """What is named at a place: also right behind the name."""
        here = [
            item
            for item in self.by_file.get(path, ())
            if item.span.line == line == item.span.end_line and item.span.column <= column <= item.span.end_column
        ]
        behind = [(item.span.end_column == column, item.span.end_column - item.span.column, item) for item in here]
        return min(behind, key=lambda found: found[:2])[2] if behind else None

    def declarations(self, thing: Thing) -> list[Occurrence]:
        return [item for item in self.by_thing.get(thing, ()) if item.declares]

    def uses(self, thing: Thing) -> list[Occurrence]:
        return list(self.by_thing.get(thing, ()))


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def word_in(text: str, word: str, span: Span, after: int = 0) -> Span | None:
    """The place of a word on the first line of a span, behind a column."""
    lines = text.split("\n")
    if span.line > len(lines):
        return None
    line = lines[span.line - 1]
    for match in _WORD.finditer(line, max(span.column, after) - 1):
        if match[0] == word:
            return Span(span.path, span.line, match.start() + 1, span.line, match.end() + 1)
    return None


# ---- Words of YAML

#: Keys below which stands prose.
PROSE_KEYS = frozenset(("text", "name", "title", "expect", "tells", "description", "because", "authors", "license"))
_NAME_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTTED = re.compile(rf"{_NAME_WORD.pattern}(?:\.{_NAME_WORD.pattern})*")


@lru_cache(maxsize=256)
def yaml_root(text: str, path: str) -> YamlNode | None:
    """The tree of a file: most files are those of the last time."""
    return read_yaml_text(text, path, Diagnostics()).root


def scalar_words(node: YamlNode | None, dotted: Container[str] = ()) -> Iterator[Word]:
    """The words of a scalar, or of the items of a list; see `scalar_names`."""
    if isinstance(node, YamlSeq):
        for item in node:
            yield from scalar_words(item, dotted)
    elif isinstance(node, YamlScalar) and isinstance(node.value, str):
        yield from scalar_names(node, dotted)


def scalar_names(node: YamlScalar, dotted: Container[str] = ()) -> Iterator[Word]:
    """The names in a scalar, each at its place; none where the file's columns are not those of the text. `dotted`: what
    is one name with the dots in it, as cards may have it."""
    if not node.exact:
        return
    place = node.placement()
    for number, line in enumerate(node.text.split("\n"), 1):
        for whole in _DOTTED.finditer(line):
            parts = [whole] if whole[0] in dotted else _NAME_WORD.finditer(line, whole.start(), whole.end())
            for match in parts:
                yield Word(match[0], place.span(number, match.start() + 1, number, match.end() + 1))


# ---- Names in rules


@dataclass
class TypeListener:
    """Expressions as the checker met them, by identity, each with what it came to and whose rules it stands in."""

    met: dict[int, tuple[nodes.Expr, tree.Expr, tree.Origin]] = field(default_factory=dict)

    def form(self, checker: Checker, node: nodes.Expr, want: Type | None) -> tree.Expr:
        found = forms.check_form(checker, node, want)
        if found.type.tag != "error" or id(node) not in self.met:
            self.met[id(node)] = (node, found, checker.scope.origin)
        return found

    def type_of(self, node: nodes.Expr) -> Type | None:
        known = self.met.get(id(node))
        return known[1].type if known is not None and known[1].type.tag != "error" else None


def kind_thing(model: Model, name: str) -> Thing:
    what: ThingKind = (
        "sort" if name in model.sorts
        else "grid" if name in model.grids
        else "list" if name in model.lists and name != "trait" and name not in LISTS
        else "kind" if name in model.made
        else "built in"
    )  # fmt: skip
    return Thing(what, name)


def row_thing(kind: str, name: str) -> Thing:
    if kind in LISTS:
        return Thing("built in", name, kind)
    return Thing("trait", name) if kind == "trait" else Thing("row", name, kind)


def signature_thing(signature: Signature) -> Thing:
    return Thing(signature.what, signature.id)


def member_thing(member: MemberInfo, kind: str) -> Thing:
    match member.what:
        case "zone" | "slot":
            assert not isinstance(member.declared, Attribute)
            return Thing("zone", member.declared.name)
        case "column":
            return Thing("column", member.name, kind)
        case "built in":
            return Thing("built in", member.name, kind)
        case _:
            return Thing("attribute", member.name, member.trait or kind)


def names_in_rules(analysis: Analysis) -> Iterator[Occurrence]:
    """All names in the rules."""
    heard = TypeListener()
    check_program(analysis.model, analysis.trees, analysis.source, form=heard.form)
    yield from names_in_checked(analysis, heard)


def names_in_checked(analysis: Analysis, heard: TypeListener) -> Iterator[Occurrence]:
    """All names in the rules of an analysis that were checked while `heard` listened."""
    owners = OwnerFinder(node.span for _, found in analysis.trees for node in found)
    reader = RuleNameReader(analysis, heard, analysis.symbols, owners, _locals_of(analysis.program))
    for origin, found in analysis.trees:
        for node in found:
            yield from reader.declaration(node, origin)
    for met, typed, origin in heard.met.values():
        yield from reader.expression(met, typed, origin)


class OwnerFinder:
    """Finds the declaration in which a place stands."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.by_path: dict[str, list[Span]] = {}
        for span in spans:
            self.by_path.setdefault(span.path, []).append(span)
        for found in self.by_path.values():
            found.sort()

    def owner_of(self, span: Span) -> str:
        """Its key: where it begins; nothing where there is none."""
        found = self.by_path.get(span.path, [])
        at = bisect.bisect_right(found, (span.line, span.column), key=lambda s: (s.line, s.column)) - 1
        return str(found[at]) if at >= 0 else ""


def _locals_of(program: tree.Program) -> Mapping[Span, list[tree.Local]]:
    """By the place of what binds them, the variables of the program."""
    found: dict[Span, list[tree.Local]] = {}

    def put(span: Span, local: tree.Local | None) -> None:
        if local is not None:
            found.setdefault(span, []).append(local)

    declared: list[tree.Declared] = [
        *program.routines.values(), *program.actions.values(), *program.values.values(), *program.invariants.values(),
        *program.hooks, *program.copies,
    ]  # fmt: skip
    if program.game is not None:
        declared.append(program.game)
    for item in declared:
        if isinstance(item, tree.Routine | tree.Value):
            for local in item.params:
                put(item.span, local)
        if isinstance(item, tree.Hook):
            for slot in (*item.pattern.slots, item.pattern.bearer):
                if isinstance(slot, tree.BindSlot):
                    put(item.pattern.span, slot.local)
        if isinstance(item, tree.Ignore):
            put(item.span, item.card)
        for node in walk_tree(item):
            if isinstance(node, tree.Binder | tree.Let | tree.Turns | tree.Create):
                put(node.span, node.local)
            elif isinstance(node, tree.Roll) and isinstance(node.target, tree.Local):
                put(node.span, node.target)
    return found


@dataclass
class RuleNameReader:
    """Reads names in declarations and expressions. `locals`: the variables of the program, by what binds them."""

    analysis: Analysis
    heard: TypeListener
    symbols: Symbols
    owners: OwnerFinder
    locals: Mapping[Span, list[tree.Local]]

    # ---- expressions, as the checker understood them

    def expression(self, node: nodes.Expr, typed: tree.Expr, origin: tree.Origin) -> Iterator[Occurrence]:
        type_ = str(typed.type) if typed.type.tag != "error" else ""
        match node:
            case nodes.Name(id=name):
                thing = self._named(name, node.span, typed)
                if thing is not None:
                    span = node.span
                    if node.quoted:
                        span = span._replace(column=span.column + 1, end_column=span.end_column - 1)
                    yield Occurrence(span, thing, type=type_)
            case nodes.Attribute():
                yield from self._member(node, origin, type_)
            case nodes.Index(object=nodes.Name(id=name)):
                model = self.symbols.model
                if name in model.tables:
                    yield Occurrence(node.object.span, Thing("table", name), type=type_)
                elif name in model.numbers:
                    yield Occurrence(node.object.span, Thing("number", name), type=type_)
            case nodes.Index(object=nodes.Attribute() as inner):
                yield from self._member(inner, origin, type_)
            case nodes.Query(kind=kind):
                yield Occurrence(node.span.first(len(kind)), Thing("built in", kind), type=type_)
                for binder in node.binders:
                    yield from self._binder(binder)
            case nodes.CountTrue():
                yield Occurrence(node.span.first(len("count")), Thing("built in", "count"), type=type_)
            case nodes.MinMax(kind=kind):
                yield Occurrence(node.span.first(len(kind)), Thing("built in", kind), type=type_)
            case nodes.ZoneOf():
                yield from self._zone_of(node)
            case nodes.Call() | nodes.Can() | nodes.Affects() | nodes.Is():
                yield from self._called(node, origin, type_)

    def _named(self, name: str, span: Span, typed: tree.Expr) -> Thing | None:
        match typed:
            case tree.LocalRef(local=local):
                if local.text in BEARERS and local.name == local.text:
                    return Thing("built in", name, str(local.type))
                return Thing("local", local.text, f"{self.owners.owner_of(span)} {local.name}")
            case tree.Const(type=type_) if type_.tag == "ref":
                if type_.sure() == PHASE:
                    return Thing("phase", name)
                return row_thing(type_.name, name)
            case tree.StateRef(attribute=attribute):
                return Thing("state", attribute.name)
            case tree.NumberRef(name=number):
                return Thing("number", number)
            case tree.BuiltinRef():
                return Thing("built in", name)
            case tree.ValueCall(value=value):
                return Thing("invariant" if value in self.analysis.program.invariants else "value", value)
            case tree.OrderOf(parts=(one,)):
                return self._named(name, span, one)
        return None

    def _member(self, node: nodes.Attribute, origin: tree.Origin, type_: str) -> Iterator[Occurrence]:
        if isinstance(node.object, nodes.Name) and node.object.id == "option":
            if node.name in self.symbols.model.options:
                yield Occurrence(node.name_span, Thing("option", node.name), type=type_)
            return
        of = self.heard.type_of(node.object)
        if of is None or of.tag != "ref":
            return
        member = self.symbols.members(of.name, origin).get(node.name)
        if member is not None:
            yield Occurrence(node.name_span, member_thing(member, of.name), type=type_ or str(member.type or "zone"))

    def _called(self, node: nodes.Node, origin: tree.Origin, type_: str = "") -> Iterator[Occurrence]:
        match node:
            case nodes.Call(name=name, name_span=span):
                signature = self.symbols.find(name, origin)
                if signature is not None:
                    yield Occurrence(span, signature_thing(signature), type=type_)
                elif name in FUNCTIONS:
                    yield Occurrence(span, Thing("built in", name), type=type_)
            case nodes.Can(call=call) | nodes.Affects(event=call):
                yield from self._called(call, origin, type_)
            case nodes.Is(word=word, word_span=span):
                signature = self.symbols.find(word, origin)
                thing = signature_thing(signature) if signature is not None else Thing("built in", word)
                yield Occurrence(span, thing, type="bool")

    def _zone_of(self, node: nodes.ZoneOf) -> Iterator[Occurrence]:
        of = self.heard.type_of(node.owner)
        zones = [z for z in self.symbols.zones_named(node.name) if of is None or z.of == of.name]
        if zones:
            yield Occurrence(node.name_span, Thing("zone", zones[0].name))

    # ---- all else that stands in a declaration, or in an expression by itself

    def declaration(self, node: nodes.Node, origin: tree.Origin) -> Iterator[Occurrence]:
        if isinstance(node, nodes.Patched):
            return
        replaces = isinstance(node, nodes.Replace)
        for part in walk_syntax(node):
            match part:
                case nodes.Phase() | nodes.Routine() | nodes.Action() | nodes.Value() | nodes.Invariant():
                    yield from self._head(part, node.span, origin, declares=not replaces)
                case nodes.TypeName(name=name, span=span):
                    end = span.end_column
                    place = span._replace(column=end - len(name))
                    yield Occurrence(place, kind_thing(self.symbols.model, name))
                case nodes.Binder():
                    yield from self._binder(part)
                case nodes.Let() | nodes.Turns():
                    yield from self._local(part.span, part.name, part.name_span)
                case nodes.Roll(into=None):
                    if part.name in self.symbols.model.state:
                        yield Occurrence(part.name_span, Thing("state", part.name))
                    yield from self._local(part.span, part.name, part.name_span)
                case nodes.Create():
                    yield Occurrence(part.kind_span, kind_thing(self.symbols.model, part.kind))
                    made = self._word(part.name or "", part.span, part.kind_span.end_column)
                    if made is not None:
                        yield from self._local(part.span, part.name or "", made)
                case nodes.Clear(table=name, span=span):
                    cleared = self._word(name, span)
                    if cleared is not None:
                        yield Occurrence(cleared, Thing("table", name))
                case nodes.CallStatement(call=call) | nodes.Redirect(call=call):
                    yield from self._called(call, origin)
                case nodes.Event():
                    yield from self._event(part, origin)
                case nodes.Ignore():
                    yield from self._ignored(part)
                case nodes.Name(id=name, span=span) if id(part) not in self.heard.met:
                    yield from self._unheard(name, span, origin)
                case nodes.ZoneOf():
                    yield from self._zone_of(part)
                case nodes.Call() if id(part) not in self.heard.met:
                    yield from self._called(part, origin)
                case nodes.Attribute() if id(part) not in self.heard.met:
                    yield from self._member(part, origin, "")

    def _head(
        self,
        node: nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant,
        whole: Span,
        origin: tree.Origin,
        *,
        declares: bool,
    ) -> Iterator[Occurrence]:
        signature = self.symbols.find(node.name, origin)
        if signature is not None:
            yield Occurrence(node.name_span, signature_thing(signature), declares)
        if isinstance(node, nodes.Routine | nodes.Value):
            for param in node.params:
                place = param.span._replace(column=param.span.end_column - len(param.name))
                yield from self._local(whole, param.name, place)

    def _binder(self, node: nodes.Binder) -> Iterator[Occurrence]:
        if self.symbols.is_kind(node.kind):
            yield Occurrence(node.kind_span, kind_thing(self.symbols.model, node.kind))
        yield from self._local(node.span, node.name, node.name_span)

    def _local(self, span: Span, name: str, place: Span) -> Iterator[Occurrence]:
        found = next((local for local in self.locals.get(span, ()) if local.text == name), None)
        if found is not None:
            key = f"{self.owners.owner_of(place)} {found.name}"
            yield Occurrence(place, Thing("local", name, key), True, str(found.type))

    def _event(self, node: nodes.Event, origin: tree.Origin) -> Iterator[Occurrence]:
        signature = self.symbols.find_path(node.path, origin)
        if signature is None:
            return
        last = node.path[-1]
        span = node.name_span
        yield Occurrence(span._replace(column=span.end_column - len(last)), signature_thing(signature))
        if len(node.path) == 2:
            first = span._replace(end_column=span.column + len(node.path[0]))
            owner = signature.origin
            yield Occurrence(first, row_thing("trait" if owner.what == "trait" else owner.name, node.path[0]))
        types = [param.type for param in signature.params]
        for slot, type_ in zip(node.slots, types, strict=False):
            yield from self._slot(node, slot, type_)
        if node.bearer is not None:
            yield from self._slot(node, node.bearer, None)

    def _slot(self, event: nodes.Event, slot: nodes.Slot, type_: Type | None) -> Iterator[Occurrence]:
        name = slot.name
        if name is None:
            return
        if name in BEARERS:
            yield Occurrence(slot.span, Thing("built in", name))
        elif any(local.text == name for local in self.locals.get(event.span, ())):
            yield from self._local(event.span, name, slot.span)
        elif type_ is not None and type_.tag == "ref" and name in self.symbols.rows_of(type_.name):
            yield Occurrence(slot.span, row_thing(type_.name, name))

    def _ignored(self, node: nodes.Ignore) -> Iterator[Occurrence]:
        if node.binder_name is None:
            yield Occurrence(node.what_span, Thing("trait", node.what))
            return
        yield Occurrence(node.what_span, kind_thing(self.symbols.model, node.what))
        place = self._word(node.binder_name, node.span, node.what_span.end_column)
        if place is not None:
            yield from self._local(node.span, node.binder_name, place)

    def _unheard(self, name: str, span: Span, origin: tree.Origin) -> Iterator[Occurrence]:
        """A name that is no expression: a zone, or a phase that an action is offered in."""
        zones = self.symbols.zones_named(name)
        signature = self.symbols.find(name, origin)
        if zones:
            yield Occurrence(span, Thing("zone", zones[0].name))
        elif name == "box":
            yield Occurrence(span, Thing("built in", name))
        elif signature is not None:
            yield Occurrence(span, signature_thing(signature))

    def _word(self, name: str, span: Span, after: int = 0) -> Span | None:
        return word_in(self.analysis.texts.get(absolute(span.path), ""), name, span, after) if name else None


# ---- Names in expressions of YAML


class ExpressionNames:
    """Reads them, one after the other: the names in each, but for those of variables."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.heard = TypeListener()
        self.reader = RuleNameReader(analysis, self.heard, analysis.outside, OwnerFinder(()), {})

    def claim(self, scalar: YamlScalar, names: Mapping[str, Type], trait: str) -> list[Occurrence] | None:
        """Of what a scenario says of a position. `names`: its players and things; `trait`: which it stands beside.
        None if it is mistaken, or no expression."""
        if not scalar.exact or not isinstance(scalar.value, str):
            return None
        self.heard.met.clear()
        model, program, form = self.analysis.model, self.analysis.program, self.heard.form
        known = {**self._nobodys, **names}
        if read_formula(scalar, model, program, known, Diagnostics(), trait, form) is None:
            return None
        return list(self._checked_names())

    def names_in_shown(self, scalar: YamlScalar, of: str) -> Iterator[Occurrence]:
        """Of what `look:` works out of a kind."""
        node, mistakes = parse_expression(scalar.text, scalar.placement()) if scalar.exact else (None, Diagnostics())
        if node is None or mistakes.failed:
            return
        self.heard.met.clear()
        names = {} if of == GAME else {"this": ref(of)}
        check_expression(self.analysis.model, self.analysis.program, node, names, form=self.heard.form)
        yield from self._checked_names()

    @cached_property
    def _nobodys(self) -> Mapping[str, Type]:
        return nameable_things(self.analysis.model)

    def _checked_names(self) -> Iterator[Occurrence]:
        found = [item for met in self.heard.met.values() for item in self.reader.expression(*met)]
        if self.heard.met:
            whole, _, origin = list(self.heard.met.values())[-1]  # parts are met before what they are parts of
            found += self.reader.declaration(whole, origin)
        yield from (item for item in found if item.thing.what != "local")

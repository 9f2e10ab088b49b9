"""Propose words and names while an author writes rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.hover import declaration_head
from rulelang.base.source import Placement
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.forms import Entry, entries_for_word
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.check import forms
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.check.names import bearer_types
from rulelang.language.semantics.check.program import check_declaration
from rulelang.language.semantics.check.symbol_table import Signature, Symbols, What
from rulelang.language.semantics.model import PHASE, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.language.syntax.unfinished import CURSOR, Unfinished, unfinished

# ---- Proposals


@dataclass(frozen=True, slots=True)
class Proposal:
    """`snippet`: what is put in, with places to fill in (`${1:name}`), where it is more than the label. `filter`: what
    is compared with the letters typed. `rank`: smaller ones come first. `begun`: how many letters before the cursor it
    replaces. `again`: one wants proposals behind it at once."""

    label: str
    what: str
    detail: str = ""
    doc: str = ""
    snippet: str = ""
    filter: str = ""
    rank: int = 5
    begun: int = 0
    again: bool = False

    def replacing(self, begun: int) -> Proposal:
        return replace(self, begun=begun)


# ---- Completion in rules

#: What each kind of hook may name.
_EVENTS: Mapping[type[nodes.Node], tuple[What, ...]] = {
    nodes.Modify: ("value", "invariant"),
    nodes.Forbid: ("routine", "phase", "action"),
    nodes.Trigger: ("routine", "phase", "action"),
    nodes.Ignore: ("routine", "phase", "action", "value", "invariant"),
}
_SNIPPET_FIELD = re.compile(r"\$\{\d+:(\w+)\}")
_TYPES = ("int", "bool", "order")
_ADJECTIVES = ("present", "missing", "empty", "working")


@dataclass
class CursorListener:
    """What the checker met at the cursor: the type that is hoped for, the variables, and whose member is asked for."""

    met: bool = False
    want: Type | None = None
    scope: dict[str, Type] = field(default_factory=dict)
    object: Type | None = None

    def form(self, checker: Checker, node: nodes.Expr, want: Type | None) -> tree.Expr:
        if isinstance(node, nodes.Name) and node.id == CURSOR:
            self.met, self.want = True, want if want is not None or self.want is None else self.want
            known = {name: checker.scope.find(name) for name in checker.scope.names()}
            self.scope = {name: local.type for name, local in known.items() if local is not None}
        if isinstance(node, nodes.Attribute) and node.name == CURSOR:
            self.object = forms.check_form(checker, node.object, None).type
        return forms.check_form(checker, node, want)


def complete_rules(
    analysis: Analysis,
    origin: tree.Origin,
    text: str,
    placement: Placement,
    line: int,
    column: int,
    *,
    outside: bool = False,
) -> list[Proposal]:
    """The proposals at a place (line and column of the file) of a rules text as it stands now. `outside`: it is what a
    scenario asks, which may look at more."""
    found = unfinished(text, placement, line, column)
    if found is None:
        return []
    proposals = list(_word_proposals(found.words))
    if found.named and found.node is not None:
        proposals += _declared_names(analysis, analysis.outside if outside else analysis.symbols, origin, found)
    begun = found.partial
    return [item.replacing(len(begun)) for item in proposals]


def _word_proposals(words: Iterable[str]) -> Iterator[Proposal]:
    for word in words:
        known = [entry for entry in entries_for_word(word) if entry.word == word] or list(entries_for_word(word))
        yield Proposal(word, "keyword", _signature_text(known), _documentation(known), rank=3)


def _signature_text(entries: Iterable[Entry]) -> str:
    return next((entry.signatures[0] for entry in entries if entry.signatures), "")


def _documentation(entries: Iterable[Entry]) -> str:
    return "\n\n".join(entry.doc for entry in entries)


def _declared_names(analysis: Analysis, symbols: Symbols, origin: tree.Origin, found: Unfinished) -> Iterator[Proposal]:
    assert found.node is not None
    node = found.node
    heard = CursorListener()
    check_declaration(symbols, origin, node, heard.form)
    maker = _ProposalMaker(analysis, symbols, origin, node)
    for part in walk_syntax(node):
        match part:
            case nodes.Attribute(name=name, object=of) if name == CURSOR:
                if isinstance(of, nodes.Name) and of.id == "option":
                    return maker.options()
                if heard.object is None and found.probe is not None:
                    check_declaration(symbols, origin, found.probe, heard.form)
                return maker.members(heard.object or maker.through(of, heard.scope))
            case nodes.Binder(kind=kind) | nodes.Create(kind=kind) if kind == CURSOR:
                return chain(maker.kinds(("int",) if isinstance(part, nodes.Binder) else ()))
            case nodes.TypeName(name=name) if name == CURSOR:
                return maker.kinds(_TYPES)
            case nodes.Is(word=word) if word == CURSOR:
                return maker.adjectives()
            case nodes.Event(path=path) if path[-1] == CURSOR:
                return maker.events(node, path)
            case nodes.Event(slots=slots) if any(slot.name == CURSOR for slot in slots):
                at = next(number for number, slot in enumerate(slots) if slot.name == CURSOR)
                return maker.slots(part, at)
            case nodes.Ignore(what=what) if what == CURSOR:
                return maker.rows("trait")
            case nodes.Clear(table=table) if table == CURSOR:
                return maker.tables()
            case nodes.Call(name=name) if name == CURSOR and not heard.met:
                if found.probe is not None:
                    check_declaration(symbols, origin, found.probe, heard.form)
                return chain(maker.routines(), maker.targets(heard.scope))
            case nodes.Affects(event=nodes.Call(name=name)) if name == CURSOR:
                return maker.signatures(("routine", "phase", "action", "value"))
            case nodes.Action(during=during) if any(name.id == CURSOR for name in during):
                return maker.signatures(("phase",))
    if heard.object is not None:  # in braces of a text
        return maker.members(heard.object)
    if heard.met:
        return chain(maker.values(heard.want, heard.scope), maker.kinds(("int",)) if found.kind else ())
    if found.probe is not None:
        check_declaration(symbols, origin, found.probe, heard.form)
    for part in walk_syntax(node):
        if isinstance(part, nodes.Call) and (want := maker.argument(part)) is not None:
            return maker.values(want, heard.scope)  # those behind it are not written yet
    if any(isinstance(part, nodes.Name) and part.id == CURSOR for part in walk_syntax(node)):
        return chain(maker.zones(), maker.targets(heard.scope))
    return iter(())


@dataclass
class _ProposalMaker:
    """`node`: the declaration that is being written."""

    analysis: Analysis
    symbols: Symbols
    origin: tree.Origin
    node: nodes.Decl

    @cached_property
    def standing(self) -> dict[str, Type]:
        """What names stand for in a declaration, as they are written in it: where nothing could be checked."""
        found = {row.name: row.type.sure() for row in NAMES.values() if row.type is not None}
        found |= {name: type_.sure() for name, type_ in bearer_types(self.symbols, self.origin).items()}
        for part in walk_syntax(self.node):
            if isinstance(part, nodes.Param) and part.type.name in self.symbols.kinds():
                found[part.name] = ref(part.type.name)
            elif isinstance(part, nodes.Binder | nodes.Create) and part.name and part.kind in self.symbols.kinds():
                found[part.name] = ref(part.kind)
        return found

    # ---- expressions

    def values(self, want: Type | None, scope: Mapping[str, Type]) -> Iterator[Proposal]:
        """What may stand where a value is wanted: first what has the type, then what leads to it."""
        model = self.analysis.model
        for name, type_ in scope.items():
            yield Proposal(name, "variable", str(type_), rank=self._rank(type_, want, 0))
        if want is not None and want.tag == "ref":
            yield from self.rows(want.name, rank=1)
        for name, state in model.state.items():
            if self._may(state.type, want):
                yield Proposal(name, "field", str(state.type), rank=self._rank(state.type, want, 1))
        for signature in self.symbols.visible(self.origin):
            if signature.result is not None and self._may(signature.result, want):
                yield self._called(signature, self._rank(signature.result, want, 1))
        for name in model.numbers:
            if want is None or want.tag in ("int", "order", "bool"):
                yield Proposal(name, "constant", "int", rank=5 if want is not None and want.tag == "bool" else 1)
        for row in NAMES.values():
            if row.type is not None and self._may(row.type, want):
                yield Proposal(row.name, "variable", str(row.type), row.doc, rank=self._rank(row.type, want, 2))
        for function in FUNCTIONS.values():
            if not function.is_set and self._may(function.result, want, open_=bool(function.where)):
                yield Proposal(
                    function.name,
                    "function",
                    function.signature,
                    function.doc,
                    snippet=_call_snippet(function.name, [p.name for p in function.params]),
                    rank=self._rank(function.result, want, 2),
                )
        if model.options:
            yield Proposal("option", "variable", "option.NAME", snippet="option.", rank=3, again=True)
        if want is None or want.tag == "bool":
            rank = 4 if want is None else 8
            for kind in self.symbols.kinds():
                if kind != "trait" or self.origin.what != "core":
                    yield from self.rows(kind, rank=rank)
            yield from self.zones(rank=rank)

    def _may(self, type_: Type, want: Type | None, *, open_: bool = False) -> bool:
        """Whether something of a type fits, or has parts that may. A truth can begin with anything: `round == 4`."""
        if want is None or open_ or want.tag == "bool" or type_.sure() == want.sure() or type_.tag == "ref":
            return True
        return want.tag == "order" and type_.tag in ("int", "bool")

    def _rank(self, type_: Type, want: Type | None, rank: int) -> int:
        fits = want is None or type_.sure() == want.sure() or want.tag == "order"
        return rank if fits else rank + 4

    def _called(self, signature: Signature, rank: int) -> Proposal:
        named = [param.name for param in signature.params]
        return Proposal(
            signature.name,
            "function" if signature.result is not None else "method",
            self._head(signature),
            snippet=_call_snippet(signature.name, named) if named else "",
            rank=rank,
        )

    def _head(self, signature: Signature) -> str:
        program = self.analysis.program
        rooms: tuple[Mapping[str, tree.Declared], ...] = (program.values, program.routines, program.actions)
        item = next((room[signature.id] for room in rooms if signature.id in room), None)
        return declaration_head(self.analysis, item) if item is not None else signature.id

    def rows(self, kind: str, rank: int = 1) -> Iterator[Proposal]:
        model = self.analysis.model
        if kind == PHASE.name:
            named = (s.name for s in self.symbols.visible(self.origin) if s.what == "phase")
            yield from (Proposal(name, "row", kind, rank=rank) for name in named)
        titles = {trait.name: trait.titles.get("en", "") for trait in model.traits.values()} if kind == "trait" else {}
        for name in self.symbols.rows_of(kind):
            written = name if name.isidentifier() else f'"{name}"'
            yield Proposal(written, "row", kind, titles.get(name, ""), rank=rank)

    # ---- other places

    def argument(self, call: nodes.Call) -> Type | None:
        """The type of the parameter that the cursor is an argument for."""
        at = next((at for at, arg in enumerate(call.args) if isinstance(arg, nodes.Name) and arg.id == CURSOR), None)
        signature = self.symbols.find(call.name, self.origin)
        if at is None or signature is None or at >= len(signature.params):
            return None
        return signature.params[at].type

    def through(self, of: nodes.Expr, scope: Mapping[str, Type]) -> Type | None:
        """The type of what members are asked of, in a place that is no value: `a.owner.` before a zone."""
        if isinstance(of, nodes.Name):
            return scope.get(of.id) or self.standing.get(of.id)
        if isinstance(of, nodes.Attribute) and (type_ := self.through(of.object, scope)) is not None:
            member = self.symbols.members(type_.name, self.origin).get(of.name) if type_.tag == "ref" else None
            return member.type if member is not None else None
        return None

    def members(self, type_: Type | None) -> Iterator[Proposal]:
        if type_ is None or type_.tag != "ref":
            return
        for member in self.symbols.members(type_.name, self.origin).values():
            what = {"attribute": "field", "state": "field", "zone": "zone", "slot": "zone"}.get(member.what, "property")
            yield Proposal(member.name, what, str(member.type or "zone"), member.doc, rank=1 if what == "field" else 2)

    def options(self) -> Iterator[Proposal]:
        for option in self.analysis.model.options.values():
            yield Proposal(option.name, "property", str(option.type), option.text, rank=1)

    def kinds(self, others: Iterable[str]) -> Iterator[Proposal]:
        for name in (*others, *self.symbols.kinds()):
            yield Proposal(name, "type", rank=1)

    def adjectives(self) -> Iterator[Proposal]:
        for word in _ADJECTIVES:
            known = entries_for_word(word)
            yield Proposal(word, "keyword", _signature_text(known), _documentation(known), rank=2)
        for signature in self.symbols.visible(self.origin):
            if signature.result is not None and signature.result.tag == "bool" and len(signature.params) == 1:
                yield Proposal(signature.name, "function", self._head(signature), rank=1)

    def tables(self) -> Iterator[Proposal]:
        for table in self.analysis.model.tables.values():
            yield Proposal(table.name, "field", f"[{', '.join(table.of)}]", rank=1)

    def zones(self, rank: int = 1) -> Iterator[Proposal]:
        for zone in self.analysis.model.zones.values():
            if zone.of is None:
                yield Proposal(zone.short_name, "zone", f"zone of {zone.holds}", rank=rank)
            else:
                written = f"{zone.short_name} of "
                detail = f"zone of {zone.holds}, of each {zone.of}"
                yield Proposal(zone.short_name, "zone", detail, snippet=written, rank=rank + 1, again=True)
        yield Proposal("box", "zone", "everything out of the game", rank=rank + 1)

    def routines(self) -> Iterator[Proposal]:
        yield from self.signatures(("routine", "phase"))

    def signatures(self, what: tuple[What, ...]) -> Iterator[Proposal]:
        for signature in self.symbols.visible(self.origin):
            if signature.what in what:
                yield self._called(signature, 1)

    def targets(self, scope: Mapping[str, Type]) -> Iterator[Proposal]:
        """What is written to, or through which one comes to it: state, variables."""
        for name, type_ in scope.items():
            yield Proposal(name, "variable", str(type_), rank=1)
        for name, state in self.analysis.model.state.items():
            yield Proposal(name, "field", str(state.type), rank=2)
        for name, table in self.analysis.model.tables.items():
            yield Proposal(name, "field", f"[{', '.join(table.of)}]", rank=3)

    # ---- hooks

    def events(self, node: nodes.Decl, path: tuple[str, ...]) -> Iterator[Proposal]:
        """What a hook may name, each with its pattern filled in: who bears the rule stands where he may."""
        hook = next((part for part in walk_syntax(node) if type(part) in _EVENTS), None)
        allowed = _EVENTS.get(type(hook), ()) if hook is not None else ()
        for signature in self.symbols.signatures.values():
            own = len(path) == 1 and (signature.origin.what == "core" or signature.origin == self.origin)
            of_other = len(path) == 2 and signature.id == f"{path[0]}.{signature.name}"
            if signature.what in allowed and (own or of_other):
                end = ": " if isinstance(hook, nodes.Modify) else ":" if isinstance(hook, nodes.Trigger) else ""
                for number, pattern in enumerate(self.patterns(signature)):
                    yield Proposal(
                        signature.name + _SNIPPET_FIELD.sub(r"\1", pattern),
                        "event",
                        self._head(signature),
                        snippet=f"{signature.name}{pattern}{end}",
                        filter=signature.name,
                        rank=1 + number,
                    )

    def patterns(self, signature: Signature) -> list[str]:
        """`(self)`, `(any, self)`: one for each part that may be the bearer; else one with new names to choose."""
        types = bearer_types(self.symbols, self.origin)
        roles = {name: types[name].sure() for name in ("self", "this", "owner") if name in types}
        found = []
        for name, type_ in roles.items():
            for at, param in enumerate(signature.params):
                if param.type.sure() == type_:
                    found.append(f"({', '.join([*['any'] * at, name])})")
            if found:
                return found
        return [_call_snippet("", [param.name for param in signature.params]) if signature.params else ""]

    def slots(self, event: nodes.Event, at: int) -> Iterator[Proposal]:
        signature = self.symbols.find_path(event.path, self.origin)
        yield Proposal("any", "keyword", "any value", rank=2)
        if signature is None or at >= len(signature.params):
            return
        type_ = signature.params[at].type
        for name, bearer in bearer_types(self.symbols, self.origin).items():
            if bearer.sure() == type_.sure():
                yield Proposal(name, "variable", str(bearer), BEARERS[name].doc if name in BEARERS else "", rank=1)
        if type_.tag == "ref":
            yield from self.rows(type_.name, rank=3)
        yield Proposal(signature.params[at].name, "variable", f"a new name: {type_}", rank=4)


def _call_snippet(name: str, params: list[str]) -> str:
    places = ", ".join(f"${{{number}:{param}}}" for number, param in enumerate(params, 1))
    return f"{name}({places})"

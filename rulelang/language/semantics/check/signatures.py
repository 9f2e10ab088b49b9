"""The first pass: who declares what. Bodies are not looked at; replacements and their order are settled here."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.english import with_article
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.data.order import ORDER_MODS
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.check.symbols import Parameter, Signature, Symbols, What
from rulelang.language.semantics.tree import Origin, RuleChange
from rulelang.language.semantics.types import BOOL, ERROR, INT, ORDER, PHASE, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.same import same

Texts = Sequence[tuple[Origin, tuple[nodes.Decl, ...]]]
#: For each layer, the layers it is ordered after.
Ordered = Mapping[int, frozenset[int]]

_SIMPLE = {"int": INT, "bool": BOOL, "order": ORDER, "phase": PHASE}
#: What other languages, and YAML files, call the types.
_OTHER_NAMES = {"number": "int", "integer": "int", "boolean": "bool"}
Body = nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant


@dataclass(slots=True)
class Unit:
    """A declaration to check: its signature, whose it is, and the body in force (the last layer's)."""

    signature: Signature
    origin: Origin
    node: Body


@dataclass(slots=True)
class Declarations:
    """`hooks` keep their text order; `game` is the one flow of the game."""

    units: dict[str, Unit] = field(default_factory=dict)
    hooks: list[tuple[Origin, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards]] = field(
        default_factory=list
    )
    game: tuple[Origin, nodes.Game] | None = None
    changes: list[RuleChange] = field(default_factory=list)


def gather(symbols: Symbols, texts: Texts, ordered: Ordered, lost: Container[str], out: Diagnostics) -> Declarations:
    """Enter every signature; then put replacements in the place of what they replace."""
    found = Declarations()
    replacements: list[tuple[Origin, nodes.Replace]] = []
    phases = 0
    for origin, declarations in texts:
        for node in declarations:
            match node:
                case nodes.Game():
                    _game(found, origin, node, out)
                case nodes.Replace():
                    replacements.append((origin, node))
                case nodes.Patched():
                    what = (origin.layer, node.verb, node.place, node.span, node.declared, node.before, node.after)
                    found.changes.append(RuleChange(*what))
                case nodes.Phase() | nodes.Routine() | nodes.Action() | nodes.Value() | nodes.Invariant():
                    phases += isinstance(node, nodes.Phase)
                    _enter(symbols, found, origin, node, phases, out)
                case nodes.Modify() | nodes.Forbid() | nodes.Ignore() | nodes.Trigger() | nodes.CopyCards():
                    found.hooks.append((origin, node))
                case _:
                    raise AssertionError(f"{type(node).__name__} is no declaration when all is patched")
    replaced: dict[str, Unit] = {}
    readable = [item for item in replacements if item[1].target.name not in lost]
    for origin, change in sorted(readable, key=lambda item: item[0].layer):
        same = {o.layer for o, c in readable if c.target.name == change.target.name}
        _replace(symbols, found, replaced, origin, change, ordered, same, out)
    symbols.bodies.update((id_, unit.node) for id_, unit in found.units.items())
    return found


def _game(found: Declarations, origin: Origin, node: nodes.Game, out: Diagnostics) -> None:
    if found.game is None:
        found.game = (origin, node)
        return
    related = [Related(found.game[1].span, "the flow is declared here")]
    hint = "hook or replace the phases and routines it calls"
    out.error("N352", node.span, "`game:` is declared twice", because="", hint=hint, related=related)


def _enter(symbols: Symbols, found: Declarations, origin: Origin, node: Body, phase: int, out: Diagnostics) -> None:
    signature = signature_of(symbols, origin, node, phase, out)
    if node.name in {*NAMES, *FUNCTIONS, *BEARERS}:
        because = f"`{node.name}` is built in"
        message = f"{with_article(signature.what)} cannot have the name `{node.name}`"
        out.error("N353", node.name_span, message, because=because, hint="choose another name")
        return
    earlier = symbols.declare(signature)
    if earlier is not None:
        related = [Related(earlier.span, f"the {earlier.what} `{node.name}` is declared here")]
        because = "routines, phases, actions, values and invariants share one set of names"
        hint = f"to give it a new body, write `replace {signature.what} {node.name}...`" if origin.layer else ""
        message = f"`{node.name}` is declared twice"
        out.error("N352", node.name_span, message, because=because, hint=hint, related=related)
        return
    found.units[signature.id] = Unit(signature, origin, node)


def signature_of(symbols: Symbols, origin: Origin, node: Body, phase: int, out: Diagnostics) -> Signature:
    """The signature of a declaration; types that are not known are reported and become error types."""
    params: tuple[Parameter, ...] = ()
    result: Type | None = None
    if isinstance(node, nodes.Routine | nodes.Value):
        params = tuple(Parameter(p.name, type_named(symbols, p.type, out)) for p in node.params)
        _twice([(p.name, p.span) for p in node.params], out)
    elif isinstance(node, nodes.Action):
        params = tuple(Parameter(b.name, _binder_type(symbols, b)) for b in node.binders)
        _twice([(b.name, b.name_span) for b in node.binders], out)
    if isinstance(node, nodes.Value):
        result = type_named(symbols, node.type, out)
    elif isinstance(node, nodes.Invariant):
        result = BOOL
    what: What = _WHAT[type(node)]
    always = isinstance(node, nodes.Action) and node.always
    number = phase if isinstance(node, nodes.Phase) else 0
    id_ = _id(symbols, origin, node.name)
    return Signature(id_, node.name, what, params, result, node.name_span, origin, always, number)


_WHAT: dict[type[Body], What] = {
    nodes.Phase: "phase",
    nodes.Routine: "routine",
    nodes.Action: "action",
    nodes.Value: "value",
    nodes.Invariant: "invariant",
}


def _id(symbols: Symbols, origin: Origin, name: str) -> str:
    if origin.what == "core":
        return name
    short = f"{symbols.owner_name(origin)}.{name}"
    taken = symbols.signatures.get(short)
    return short if taken is None or taken.origin == origin else f"{origin.name}.{short}"


def _twice(names: Iterable[tuple[str, Span]], out: Diagnostics) -> None:
    seen: dict[str, Span] = {}
    for name, span in names:
        if name in seen:
            related = [Related(seen[name], "the first is here")]
            out.error("N364", span, f"the name `{name}` is used twice", related=related, hint="choose another name")
        seen.setdefault(name, span)


def type_named(symbols: Symbols, node: nodes.TypeName, out: Diagnostics) -> Type:
    """The type that a parameter or result says; N354 for an unknown kind."""
    found = _SIMPLE.get(node.name) or (ref(node.name) if symbols.is_kind(node.name) else None)
    if found is None:
        because = "a type is `int`, `bool`, `order`, `player`, a list, a card type or a kind of things"
        other = _OTHER_NAMES.get(node.name.lower())
        hint = f"write `{other}`" if other else did_you_mean(node.name, [*symbols.kinds(), *_SIMPLE])
        out.error("N354", node.span, f"there is no type `{node.name}`", because=because, hint=hint)
        return ERROR
    if node.maybe and found.tag in ("bool", "order"):
        because = "truth values and orders are never missing"
        out.error(
            "N354", node.span, f"there is no type `maybe {node.name}`", because=because, hint=f"write `{node.name}`"
        )
        return found
    return found.optional() if node.maybe else found


def _binder_type(symbols: Symbols, node: nodes.Binder) -> Type:
    """Without a report: the binder itself is checked with the body."""
    found = INT if node.kind == "int" else ref(node.kind) if symbols.is_kind(node.kind) else ERROR
    return found.optional() if node.maybe and found != ERROR else found


def _replace(
    symbols: Symbols,
    found: Declarations,
    replaced: dict[str, Unit],
    origin: Origin,
    change: nodes.Replace,
    ordered: Ordered,
    layers: Iterable[int],
    out: Diagnostics,
) -> None:
    """Give a declaration another body. `layers`: those that replace something of this name."""
    node = change.target
    old = symbols.find(node.name, origin)
    what = _WHAT[type(node)]
    if old is None:
        names = [s.name for s in symbols.visible(origin) if s.what == what]
        because = "`replace` changes an existing declaration"
        message, hint = f"there is no {what} `{node.name}` to replace", did_you_mean(node.name, names)
        out.error("W503", node.name_span, message, because=because, hint=hint)
        return
    related = [Related(old.span, f"the {old.what} `{old.name}` is declared here")]
    new = signature_of(symbols, origin, node, old.number, out)
    if old.what != what:
        out.error(
            "W503",
            node.name_span,
            f"expected {with_article(what)}, found the {old.what} `{old.name}`",
            related=related,
        )
        return
    if [p.type for p in old.params] != [p.type for p in new.params] or old.result != new.result:
        because = f"other rules use the old signature: {_shape(old)}, but the new one {_shape(new).partition('` ')[2]}"
        message = f"the new `{old.name}` has a different signature"
        out.error("W503", node.name_span, message, because=because, related=related)
        return
    if old.id in found.units and not _same_head(found.units[old.id].node, node, related, out):
        return
    earlier = replaced.get(old.id)
    if earlier is not None and earlier.origin.layer not in ordered.get(origin.layer, frozenset(range(origin.layer))):
        both = {earlier.origin.layer, origin.layer}
        if any(both <= ordered.get(layer, frozenset()) for layer in layers):
            return  # a mod that follows both has the last word
        place = earlier.node.name_span
        hint = "remove one of the two declarations" if len(both) == 1 else ORDER_MODS
        because = "rulelang cannot know which of the two bodies to use"
        related = [Related(place, "it is replaced here too"), *related]
        out.error(
            "W504", node.name_span, f"`{old.name}` is replaced twice", because=because, hint=hint, related=related
        )
        return
    if old.id in found.units:
        kept = Signature(
            old.id, old.name, old.what, new.params, old.result, old.span, old.origin, new.always, old.number
        )
        unit = Unit(kept, origin, node)
        if earlier is None and same(found.units[old.id].node, node):
            because = ""
            related = [Related(found.units[old.id].node.name_span, "it is here")]
            out.warning(
                "W534", node.name_span, f"this replaces `{node.name}` with itself", because=because, related=related
            )
        before = found.units[old.id].node.span
        found.changes.append(RuleChange(origin.layer, "replace", old.id, change.span, old.span, before, node.span))
        found.units[old.id] = replaced[old.id] = unit


def _same_head(old: Body, new: Body, related: Sequence[Related], out: Diagnostics) -> bool:
    """W503 if words of the head are gone or new: an error where they say how it runs, a warning where a limit goes."""
    before, now = _head(old), _head(new)
    for word in [word for word in _MANNERS if (word in before) != (word in now)]:
        said, hint = ("drops", f"write `{word}` again") if word in before else ("adds", f"remove `{word}`")
        because = "this word is part of the signature, which must stay the same"
        message = f"the new `{new.name}` {said} `{word}`"
        out.error("W503", new.name_span, message, because=because, hint=hint, related=related)
        return False
    for word in [word for word in before if word not in now]:
        because = "`replace` gives the whole first line, and this word is not in it"
        out.warning("W503", new.name_span, f"the new `{new.name}` is no longer `{word}`", because=because)
    return True


#: Words of a head that say how a routine or action runs.
_MANNERS = ("always", "in owner's order", "in steps")


def _head(node: Body) -> list[str]:
    """The words of a head beside names and types."""
    if isinstance(node, nodes.Routine):
        return ["in owner's order"] if node.owners_order else []
    if not isinstance(node, nodes.Action):
        return []
    said = {"always": node.always, "in steps": node.in_steps, "free": node.free}
    return [
        *(word for word, is_said in said.items() if is_said),
        *([f"once per {node.once_per}"] if node.once_per else []),
    ]


def _shape(signature: Signature) -> str:
    return signature.shape + (f" -> {signature.result}" if signature.result is not None else "")

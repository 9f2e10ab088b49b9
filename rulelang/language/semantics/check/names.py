"""What a bare name means: a variable, a row, state, a number, a zone, a value without arguments, a phase."""

from __future__ import annotations

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted, either, listed, with_article
from rulelang.base.nearest import called_now, did_you_mean
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.check import bearers, meant
from rulelang.language.semantics.check.checker import Checker, wrong, zone_as_value
from rulelang.language.semantics.check.symbols import SCOPES, Signature
from rulelang.language.semantics.types import INT, PHASE, TRAIT, Type, ref
from rulelang.language.syntax import nodes


def resolve(checker: Checker, name: str, span: Span, want: Type | None) -> tree.Expr:
    """The expression for a bare name, rows of the wanted type going before state and values; N350 if there is none."""
    local = checker.scope.find(name)
    if local is not None:
        return use(checker, local, span)
    if name in BEARERS:
        return no_bearer(checker, name, span)
    if want is not None and (constant := constant_of(checker, name, span, want)) is not None:
        return constant
    if name in NAMES and (type_ := NAMES[name].type) is not None:
        sure = NAMES[name].sure & {checker.scope.inside, "turns" if checker.scope.turns else ""}
        return tree.BuiltinRef(type_.sure() if sure else type_, span, name)
    model = checker.symbols.model
    if name in model.state:
        return tree.StateRef(model.state[name].type, span, model.state[name])
    if name in model.numbers:
        return _number(checker, name, span)
    if checker.symbols.zones_named(name) or name == "box":
        return zone_as_value(checker, name, span, checker.symbols.zones_named(name)[0].holds, name)
    signature = checker.symbols.find(name, checker.scope.origin)
    if signature is not None and signature.what in ("value", "invariant"):
        return call_without_arguments(checker, signature, span)
    return _row_or_unknown(checker, name, span, want, signature)


def use(checker: Checker, local: tree.Local, span: Span) -> tree.Expr:
    """A reference to a variable, remembered as a use of it."""
    checker.scope.used.add(local.name)
    if local.text in checker.scope.bearer and checker.scope.bearer[local.text] is local:
        checker.bearer_uses.add(checker.current)
    return tree.LocalRef(local.type, span, local)


def no_bearer(checker: Checker, name: str, span: Span) -> tree.Expr:
    """N362: `self` and the like where no card or row brings the rule, or where this bearer has none."""
    why, hint = checker.scope.no_bearer, ""
    if why in (bearers.CORE, bearers.ALWAYS):  # one mistake of the whole rule, however often it speaks of a bearer
        if why in checker.scope.missed:
            return wrong(span)
        checker.scope.missed.add(why)
        hint = "remove `always`" if why == bearers.ALWAYS else _without_bearer(checker, name)
    if checker.scope.bearer:
        reasons = {
            "partner": "only a trait with `pair:` has a partner",
            "owner": "the card or row of this rule does not belong to a player",
            "this": "in the rules of a list row, the row is `self`",
        }
        why = f"{reasons.get(name, 'this rule has no such thing')}; you can use {listed([*checker.scope.bearer])}"
    return checker.error("N362", span, f"there is no `{name}` here", because=why, hint=hint)


def _without_bearer(checker: Checker, name: str) -> str:
    """Say what a rule of the game can write in place of a bearer."""
    players = [n for n in checker.scope.names() if (one := checker.scope.find(n)) and one.type.name == "player"]
    players = ["actor"] if checker.scope.inside == "action" else players
    if name == "owner" and players:
        return f"write {either([f'`{n}`' for n in players])}"
    return "name the thing in the pattern or with a binder, and use that name"


def constant_of(checker: Checker, name: str, span: Span, want: Type) -> tree.Expr | None:
    """The row, option value or phase of the wanted type with this name, or None."""
    if want.tag != "ref":
        return None
    if want.sure() == PHASE:
        signature = checker.symbols.find(name, checker.scope.origin)
        if signature is not None and signature.what == "phase":
            return tree.Const(PHASE, span, signature.number)
        return None
    number = checker.symbols.row_number(want.name, name)
    if number is not None and not _hidden(checker, want.name, name):
        return row_constant(checker, want.name, name, number, span)
    if want.sure() == TRAIT and name in checker.absent:
        return tree.Const(TRAIT, span, 0)
    return None


def _hidden(checker: Checker, kind: str, name: str) -> bool:
    """Return True for the name of a space that something declared has too (N375). Rows go before what is declared."""
    return kind in checker.symbols.model.grids and checker.symbols.declared(name, checker.scope.origin)


def row_constant(checker: Checker, kind: str, name: str, number: int, span: Span) -> tree.Expr:
    """A row as a constant; T423 for a card of several copies, W505 for a trait named by the base's own rules."""
    if kind in checker.symbols.model.sorts:
        copies = checker.symbols.copies(kind, number)
        if copies != 1:
            message = f"`{name}` has {copies} copies, so the name does not identify a single card"
            hint = (
                "choose or query one of the copies; to find out whether a card is one of them, "
                "test a column that differs between rows"
            )
            return checker.error("T423", span, message, because="", hint=hint)
    origin = checker.scope.origin
    if kind == "trait" and origin.what == "core" and origin.layer == 0 and checker.scope.inside != "scenario":
        return core_names_trait(checker, name, span)
    return tree.Const(ref(kind), span, number)


def core_names_trait(checker: Checker, name: str, span: Span) -> tree.Expr:
    """W505"""
    because = "traits hook the core rules, so that the game works without any of its traits"
    hint = "read a value or attribute here, and let the trait modify it"
    return checker.error("W505", span, f"the core rules name the trait `{name}`", because=because, hint=hint)


def gone(checker: Checker, name: str, span: Span, kind: str = "") -> bool:
    """W502 if a layer has removed what had this name (a row of the kind, if one is given)."""
    room = "traits" if kind == "trait" else kind
    for parts, related in checker.removed:
        if parts[-1] == name and len(parts) > 1 and (not room or room in parts):
            checker.error("W502", span, f"`{name}` has been removed", because=related.note, related=(related,))
            return True
    return False


def renamed_to(checker: Checker, name: str) -> tuple[str, tuple[Related, ...]]:
    """A hint, and where to look, if layers have given another name to what had this one; else nothing."""
    now, places = name, []
    for old, new, place in checker.renamed:
        if old == now:
            now = new
            places.append(place)
    return (called_now(now), tuple(places)) if places else ("", ())


def call_without_arguments(checker: Checker, signature: Signature, span: Span) -> tree.Expr:
    if signature.params:
        message = f"{signature.shape}, but no arguments are given"
        return checker.error("T401", span, message, related=declared(signature))
    note_call(checker, signature, span)
    assert signature.result is not None
    return tree.ValueCall(signature.result, span, signature.id, ())


def note_call(checker: Checker, signature: Signature, span: Span) -> None:
    """Remember who calls what, for the check of bearers."""
    here = bool(checker.scope.bearer) and checker.scope.origin == signature.origin
    checker.bearer_calls.append((checker.current, signature.id, span, here))


def declared(signature: Signature) -> tuple[Related, ...]:
    return (Related(signature.span, f"`{signature.name}` is declared here"),)


def _number(checker: Checker, name: str, span: Span) -> tree.Expr:
    if checker.symbols.is_row(name):
        hint = f"write `{name}[i]`"
        return checker.error("T420", span, f"`{name}` is a row of numbers and needs an index", because="", hint=hint)
    return tree.NumberRef(INT, span, name, None)


def _row_or_unknown(
    checker: Checker, name: str, span: Span, want: Type | None, signature: Signature | None
) -> tree.Expr:
    rows = checker.symbols.rows_named(name)
    if len(rows) == 1:
        kind, number = rows[0]
        return row_constant(checker, kind, name, number, span)
    if len(rows) > 1:
        kinds = " and ".join(checker.symbols.one_of(kind) for kind, _ in rows)
        because = "the context does not show which row you mean"
        hint = "use the name where a type is expected: as an argument, or in a comparison"
        return checker.error("N351", span, f"`{name}` is ambiguous: it is {kinds}", because=because, hint=hint)
    if signature is not None:
        return checker.error(
            "T419",
            span,
            f"`{name}` is {with_article(signature.what)}, not a value",
            because="an expression can read the state, but it cannot do anything",
            hint=f"`can {name}` is true if it is possible" if signature.what == "routine" else "",
            related=declared(signature),
        )
    return unknown(checker, name, span, want)


def unknown(checker: Checker, name: str, span: Span, want: Type | None) -> tree.Expr:
    """N350: nothing has this name. The nearest of the wanted type is proposed before others."""
    if name in checker.lost or gone(checker, name, span):
        return wrong(span)
    of = want.name if want is not None and want.tag == "ref" else ""
    wanted = [] if checker.symbols.spaces(of) is not None else list(checker.symbols.rows_of(of))
    because, hint = meant.instead(checker, name, want)
    if not because and wanted:
        because = f"{a_quoted(want)} is one of {_listed(wanted)}" if len(wanted) <= 12 else f"expected {a_quoted(want)}"
    now, related = renamed_to(checker, name)
    kept = ways_to(checker, name)
    if kept and not now:
        because, hint = "attributes and columns are read from the thing that has them", f"write {either(kept)}"
    if not (because or hint or now) and 0 < len(here := [*dict.fromkeys(checker.scope.names())]) <= 6:
        because = f"the variables here are {listed(here)}"
    return checker.error(
        "N350", span, f"nothing is called `{name}`", because=because, hint=now or hint, related=related
    )


def counted(checker: Checker, node: nodes.CountTrue) -> tree.Expr | None:
    """N350 for `count(frogs)`, where a kind stands in the place of a binder; None for anything else."""
    first = node.conditions[0]
    if len(node.conditions) > 1 or not isinstance(first, nodes.Name) or first.quoted:
        return None
    kind, symbols = meant.kind_named(checker, first.id), checker.symbols
    other = (
        symbols.find(first.id, checker.scope.origin) or symbols.rows_named(first.id) or first.id in symbols.model.state
    )
    if kind is None or other or checker.scope.find(first.id) or first.id in {*symbols.model.numbers, *NAMES}:
        return None
    because = f"`{kind}` is a kind; a binder also needs a name"
    hint = f"write `{meant.binder(checker, kind)}`"
    return checker.error("N350", first.span, f"nothing is called `{first.id}`", because=because, hint=hint)


def ways_to(checker: Checker, name: str) -> list[str]:
    """How a member of this name is read of the variables that have one: `this.marks`."""
    found, scope = [], checker.scope
    for variable in dict.fromkeys(scope.names()):
        local = scope.find(variable)
        kind = local.type.name if local is not None and local.type.tag == "ref" else ""
        if kind and name in checker.symbols.members(kind, scope.origin):
            found.append(f"`{variable}.{name}`")
    return found


def _listed(names: list[str]) -> str:
    return ", ".join(names)


def scope_word(checker: Checker, word: str | None, span_of: nodes.Node, what: str) -> str | None:
    """`turn`, `round`, `phase` or `game` after `once per` and `until end of`; N363 for another word."""
    if word is not None and word not in SCOPES:
        hint = did_you_mean(word, SCOPES) or f"after {what}, write {either(SCOPES)}"
        checker.error("N363", span_of.span, f"unknown period `{word}`", hint=hint)
        return None
    return word


__all__ = [
    "constant_of",
    "declared",
    "no_bearer",
    "note_call",
    "resolve",
    "scope_word",
    "unknown",
    "use",
]

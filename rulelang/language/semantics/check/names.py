"""Resolve bare names: variables, rows, state, numbers, values and the bearer; suggest what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.source import Span
from rulelang.base.wording import (
    a_or_an,
    a_quoted,
    did_you_mean,
    list_with_or,
    nearest_name,
    number_word,
    plural,
    quoted_list,
    renamed_hint,
    with_article,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.check.checker import Checker, error_expr, zone_as_value
from rulelang.language.semantics.check.symbol_table import SCOPES, Signature, Symbols
from rulelang.language.semantics.model import INT, PHASE, PLAYER, TRAIT, Row, Type, Zone, ref
from rulelang.language.semantics.tree import Local, Origin
from rulelang.language.syntax import nodes

# ---- bearers

CORE = "the game's own rules do not belong to a card or row"
ALWAYS = "an `always` rule has no bearer"


def bearer_types(symbols: Symbols, origin: Origin) -> dict[str, Type]:
    """The types of the implicit variables, by name; empty for core rules.

    `self` or `owner` is a `maybe` where the cards may also work where there is none: on no thing, or with no player.
    """
    if origin.what == "core":
        return {}
    if origin.what == "row":
        return {"self": ref(origin.name)}
    if origin.what == "card":
        return {**_card(symbols, [origin.name]), "self": ref(origin.name)}
    sorts = card_types_of(symbols, origin.name)
    if not sorts:
        return {}
    found = _card(symbols, sorts)
    trait = symbols.model.traits.get(origin.name)
    if trait is not None and trait.pair is not None and found["self"].name not in symbols.model.sorts:
        found["partner"] = found["self"].sure()
    return found


def bearer_of(symbols: Symbols, signature: Signature) -> Type | None:
    """What bears an action of a trait or row, as hooks name it behind `of`; None for what nothing bears."""
    if signature.what != "action" or signature.always:
        return None
    return bearer_types(symbols, signature.origin).get("self")


def card_types_of(symbols: Symbols, trait: str) -> list[str]:
    """The sorts with cards that show a trait; all that may, where none does."""
    sorts = symbols.trait_sorts()
    declared = symbols.model.traits.get(trait)
    number = declared.number if declared is not None else 0
    showing = [sort for sort in sorts if any(_shows(row, number) for row in sort.rows)]
    return [sort.name for sort in showing or sorts]


def _shows(row: Row, trait: int) -> bool:
    face, faces = row.columns.get("face"), row.columns.get("faces")
    return face == trait or (isinstance(faces, tuple) and trait in faces)


def _card(symbols: Symbols, sorts: Sequence[str]) -> dict[str, Type]:
    """`self` is what the card lies on in the zones where it works; the card itself, where it lies on nothing there."""
    made = symbols.model.made
    zones = working_zones(symbols, sorts)
    on = [zone.of for zone in zones if zone.of is not None and zone.of in made]
    found = {"this": ref(sorts[0]), "self": ref(sorts[0])}
    if on:
        found["self"] = ref(on[0]) if len(on) == len(zones) else ref(on[0]).optional()
    owned = [zone for zone in zones if zone.of == "player" or zone.of in made]
    if owned:
        found["owner"] = PLAYER if len(owned) == len(zones) else PLAYER.optional()
    return found


def ever_active(symbols: Symbols, origin: Origin) -> bool:
    """Whether cards that bring such rules may lie in force."""
    sorts = [origin.name] if origin.what == "card" else card_types_of(symbols, origin.name)
    return any(zone.in_force and zone.holds in sorts for zone in symbols.model.zones.values())


def working_zones(symbols: Symbols, sorts: Sequence[str]) -> list[Zone]:
    """The zones where rules of these cards work; any that hold them, where they work nowhere."""
    zones = [zone for zone in symbols.model.zones.values() if zone.holds in sorts]
    return [zone for zone in zones if zone.in_force] or zones


def bearer_locals(symbols: Symbols, origin: Origin) -> dict[str, Local]:
    return {name: Local(name, type_, name) for name, type_ in bearer_types(symbols, origin).items()}


def as_tree_bearer(locals_: Mapping[str, Local]) -> tree.Bearer:
    return tree.Bearer(locals_.get("this"), locals_.get("self"), locals_.get("partner"), locals_.get("owner"))


def report_mixed_bearers(symbols: Symbols, out: Diagnostics) -> None:
    """N368: cards of one trait work on things of two kinds, so that its `self` would be now this, now that."""
    told: set[str] = set()
    for trait in symbols.model.traits:
        sorts = card_types_of(symbols, trait)
        on = [z for z in working_zones(symbols, sorts) if z.in_force and z.of in symbols.model.made] if sorts else []
        other = next((zone for zone in on if zone.of != on[0].of), None)
        if other is None or other.name in told:
            continue
        told.add(other.name)
        first, second = (f"{a_or_an(zone.of or '')} `{zone.of}`" for zone in (on[0], other))
        message = f"cards of the trait `{trait}` are in effect on {first} and on {second}"
        because = "in the rules of a trait, `self` must be of one kind"
        hint = "give these things a card type of their own, or remove `in_force: true` from this zone"
        related = (Related(on[0].span, f"they are in effect here on {first}"),)
        out.error("N368", other.span, message, because=because, hint=hint, related=related)


# ---- suggestions

#: So alike are words that differ by a slip of the hand; a value that does not fit is proposed only then.
_ALIKE = 0.8


def explain_unknown(checker: Checker, name: str, want: Type | None) -> tuple[str, str]:
    """Why nothing is called so, if there is more to say than that, and a hint. Either may be empty."""
    number = number_word(name)
    if number is not None:
        return "rules write numbers in digits", f"write `{number}`"
    beyond = beyond_edges(checker, name, want)
    if beyond is not None:
        return beyond
    if checker.symbols.crowded():
        return "", ""
    fitting = [n for n, type_ in value_names(checker) if want is not None and type_.sure() == want.sure()]
    kind = kind_named(checker, name)
    if kind is not None and (local := _of_kind(checker, kind, want)):
        return f"`{kind}` is a kind, not a single {kind}", f"did you mean `{local}`?"
    if kind is not None and not nearest_name(name, fitting, _ALIKE):
        return f"`{kind}` is a kind; a query loops over all of them", _query(checker, kind, want)
    like = nearest_name(name, fitting if want is not None else [n for n, _ in value_names(checker)])
    like = like or _slip(checker, name)
    written = like if like is None or like.isidentifier() else f'"{like}"'
    return "", f"did you mean `{written}`?" if written else ""


def beyond_edges(checker: Checker, name: str, want: Type | None) -> tuple[str, str] | None:
    """Say which spaces there are, and which one is nearest to a name that would be one of a larger grid; else None."""
    symbols = checker.symbols
    kinds = [*symbols.model.grids] if want is None else [want.name]
    for kind in kinds:
        spaces = symbols.spaces(kind)
        near = spaces.nearest(name) if spaces is not None and name not in spaces else None
        if spaces is not None and near is not None:
            return f"`{kind}` has {spaces.extent}", f"did you mean `{near}`?"
    return None


def value_names(checker: Checker) -> Iterator[tuple[str, Type]]:
    """Every name that stands for a value by itself where we are, with its type."""
    symbols, model = checker.symbols, checker.symbols.model
    for name in checker.scope.names():
        local = checker.scope.find(name)
        if local is not None:
            yield name, local.type
    yield from ((name, attribute.type) for name, attribute in model.state.items())
    yield from ((name, INT) for name in model.numbers if not symbols.is_row(name))
    for signature in symbols.visible(checker.scope.origin):
        if signature.what == "value" and not signature.params and signature.result is not None:
            yield signature.name, signature.result
    for name in symbols.all_row_names():
        yield from ((name, ref(kind)) for kind, _ in symbols.rows_named(name))
    yield from ((name, row.type) for name, row in NAMES.items() if row.type is not None)


def names_of_values(checker: Checker) -> list[str]:
    """Every name that a value begins with where we are: those of `values`, and values that take arguments."""
    symbols = checker.symbols
    called = [s.name for s in symbols.visible(checker.scope.origin) if s.what == "value"]
    return [*(name for name, _ in value_names(checker)), *symbols.model.numbers, *called, *NAMES]


def _slip(checker: Checker, name: str) -> str | None:
    """What has nearly this name, and is no value by itself, or none of the type that is wanted."""
    return nearest_name(
        name, [*names_of_values(checker), *checker.symbols.zone_names(), *checker.symbols.model.tables], _ALIKE
    )


def kind_named(checker: Checker, name: str) -> str | None:
    """The kind that is named, or many of it: `frog`, `frogs`."""
    return next((kind for kind in checker.symbols.kinds() if name in (kind, plural(kind))), None)


def _of_kind(checker: Checker, kind: str, want: Type | None) -> str:
    """The variable of a kind that is in scope, where one of this kind or of any type can be used; else ""."""
    if want is not None and want.sure() != ref(kind):
        return ""
    found = [name for name in checker.scope.names() if (one := checker.scope.find(name)) and one.type.name == kind]
    return found[0] if len(set(found)) == 1 else ""


def binder_example(checker: Checker, kind: str) -> str:
    """`frog f`, with a name that is free here."""
    taken = set(checker.scope.names())
    return f"{kind} {next((n for n in (kind[0], 'x') if n not in taken), f'one_{kind}')}"


def _query(checker: Checker, kind: str, want: Type | None) -> str:
    query = "count"
    if want is not None and want.tag in ("bool", "ref"):
        query = "any" if want.tag == "bool" else "first"
    return f"write `{query}({binder_example(checker, kind)})`"


# ---- names


def resolve_name(checker: Checker, name: str, span: Span, want: Type | None) -> tree.Expr:
    """The expression for a bare name, rows of the wanted type going before state and values; N350 if there is none."""
    local = checker.scope.find(name)
    if local is not None:
        return use_local(checker, local, span)
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


def use_local(checker: Checker, local: tree.Local, span: Span) -> tree.Expr:
    """A reference to a variable, remembered as a use of it."""
    checker.scope.used.add(local.name)
    if local.text in checker.scope.bearer and checker.scope.bearer[local.text] is local:
        checker.bearer_uses.add(checker.current)
    return tree.LocalRef(local.type, span, local)


def no_bearer(checker: Checker, name: str, span: Span) -> tree.Expr:
    """N362: `self` and the like where no card or row brings the rule, or where this bearer has none."""
    why, hint = checker.scope.no_bearer, ""
    if why in (CORE, ALWAYS):  # one mistake of the whole rule, however often it speaks of a bearer
        if why in checker.scope.missed:
            return error_expr(span)
        checker.scope.missed.add(why)
        hint = "remove `always`" if why == ALWAYS else _without_bearer(checker, name)
    if checker.scope.bearer:
        reasons = {
            "partner": "only a trait with `pair:` has a partner",
            "owner": "the card or row of this rule does not belong to a player",
            "this": "in the rules of a list row, the row is `self`",
        }
        why = f"{reasons.get(name, 'this rule has no such thing')}; you can use {quoted_list([*checker.scope.bearer])}"
    return checker.error("N362", span, f"there is no `{name}` here", because=why, hint=hint)


def _without_bearer(checker: Checker, name: str) -> str:
    """Say what a rule of the game can write in place of a bearer."""
    players = [n for n in checker.scope.names() if (one := checker.scope.find(n)) and one.type.name == "player"]
    players = ["actor"] if checker.scope.inside == "action" else players
    if name == "owner" and players:
        return f"write {list_with_or([f'`{n}`' for n in players])}"
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


def report_removed(checker: Checker, name: str, span: Span, kind: str = "") -> bool:
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
    return (renamed_hint(now), tuple(places)) if places else ("", ())


def call_without_arguments(checker: Checker, signature: Signature, span: Span) -> tree.Expr:
    if signature.params:
        message = f"{signature.shape}, but no arguments are given"
        return checker.error("T401", span, message, related=declared_at(signature))
    note_call(checker, signature, span)
    assert signature.result is not None
    return tree.ValueCall(signature.result, span, signature.id, ())


def note_call(checker: Checker, signature: Signature, span: Span) -> None:
    """Remember who calls what, for the check of bearers."""
    here = bool(checker.scope.bearer) and checker.scope.origin == signature.origin
    checker.bearer_calls.append((checker.current, signature.id, span, here))


def declared_at(signature: Signature) -> tuple[Related, ...]:
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
            related=declared_at(signature),
        )
    return report_unknown(checker, name, span, want)


def report_unknown(checker: Checker, name: str, span: Span, want: Type | None) -> tree.Expr:
    """N350: nothing has this name. The nearest of the wanted type is proposed before others."""
    if name in checker.lost or report_removed(checker, name, span):
        return error_expr(span)
    of = want.name if want is not None and want.tag == "ref" else ""
    wanted = [] if checker.symbols.spaces(of) is not None else list(checker.symbols.rows_of(of))
    because, hint = explain_unknown(checker, name, want)
    if not because and wanted:
        because = f"{a_quoted(want)} is one of {_listed(wanted)}" if len(wanted) <= 12 else f"expected {a_quoted(want)}"
    now, related = renamed_to(checker, name)
    kept = ways_to(checker, name)
    if kept and not now:
        because, hint = "attributes and columns are read from the thing that has them", f"write {list_with_or(kept)}"
    if not (because or hint or now) and 0 < len(here := [*dict.fromkeys(checker.scope.names())]) <= 6:
        because = f"the variables here are {quoted_list(here)}"
    return checker.error(
        "N350", span, f"nothing is called `{name}`", because=because, hint=now or hint, related=related
    )


def report_counted_kind(checker: Checker, node: nodes.CountTrue) -> tree.Expr | None:
    """N350 for `count(frogs)`, where a kind stands in the place of a binder; None for anything else."""
    first = node.conditions[0]
    if len(node.conditions) > 1 or not isinstance(first, nodes.Name) or first.quoted:
        return None
    kind, symbols = kind_named(checker, first.id), checker.symbols
    other = (
        symbols.find(first.id, checker.scope.origin) or symbols.rows_named(first.id) or first.id in symbols.model.state
    )
    if kind is None or other or checker.scope.find(first.id) or first.id in {*symbols.model.numbers, *NAMES}:
        return None
    because = f"`{kind}` is a kind; a binder also needs a name"
    hint = f"write `{binder_example(checker, kind)}`"
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
        hint = did_you_mean(word, SCOPES) or f"after {what}, write {list_with_or(SCOPES)}"
        checker.error("N363", span_of.span, f"unknown period `{word}`", hint=hint)
        return None
    return word

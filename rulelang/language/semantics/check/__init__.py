"""From syntax nodes and the declared model to the typed tree: names, types, owners, arities, hooks, patches.

Two passes: the signatures of everything that is declared in all layers, then the bodies. User mistakes never raise;
what cannot be typed gets the type error, which fits everywhere, so that each mistake is reported once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.memo import FORGETFUL, Forgetful, Same
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import NOWHERE, Span
from rulelang.data.records import RulesetSource
from rulelang.language.semantics import tree
from rulelang.language.semantics.check import (
    bearers,
    call_graph,
    endless,
    expressions,
    forms,
    reach,
    signatures,
    statements,
    trials,
)
from rulelang.language.semantics.check.checker import Checker, Form, Scope
from rulelang.language.semantics.check.declarations import check_all, check_unit, enter
from rulelang.language.semantics.check.deep import deep
from rulelang.language.semantics.check.hidden_spaces import hidden_spaces
from rulelang.language.semantics.check.hooks import check_hooks
from rulelang.language.semantics.check.looks import check_looks
from rulelang.language.semantics.check.parse_sources import lost_names, origin_of, patched, read_rules
from rulelang.language.semantics.check.signatures import Ordered, Texts, Unit, signature_of
from rulelang.language.semantics.check.symbols import SCOPES, Parameter, Signature, Symbols, What
from rulelang.language.semantics.model import Attribute, Model
from rulelang.language.semantics.outline import outline
from rulelang.language.semantics.types import BOOL, INT, ORDER, PLAYER, Type
from rulelang.language.syntax import nodes

__all__ = ["check", "check_beside", "check_declaration", "check_expression", "origin_of", "read_rules", "symbols_of"]


def check(
    model: Model,
    texts: Texts,
    source: RulesetSource | None = None,
    memo: Forgetful = FORGETFUL,
    *,
    form: Form = forms.expr,
    unread: bool = False,
) -> tuple[tree.Program, Diagnostics]:
    """The typed program, and every independent mistake. `unread`: some of the rules could not be parsed.

    `source` tells how layers are ordered and what they removed; without it, later layers come after all earlier ones.
    `memo` keeps what came of single declarations. `form` is what checks an expression: one around `forms.expr` sees
    what all of them are.
    """
    out = Diagnostics()
    ordered: Ordered = {layer.index: layer.after for layer in source.layers} if source is not None else {}
    seen = memo.alike("outline", outline(model))
    symbols = Symbols(seen, model)
    if source is None:  # else they have been patched as they were read
        texts = patched(texts, None, out)
    lost = lost_names(texts, source)
    declared = signatures.gather(symbols, texts, ordered, lost, out)
    removed = _removed(source, texts)
    renamed = _renamed(source)
    around = memo.kept("around declarations", (Same(seen), lost, removed, renamed, form), lambda: Same(object()))
    scope = Scope(tree.Origin("core"), "game")
    checker = Checker(symbols, out, form, scope, removed=removed, renamed=renamed, lost=lost, memo=memo, around=around)
    done = check_all(checker, declared)
    hooks = check_hooks(checker, declared.hooks)
    parts = (
        done.game,
        done.routines,
        done.actions,
        done.values,
        done.invariants,
        tuple(hooks.modifies),
        tuple(hooks.forbids),
        tuple(hooks.ignores),
        tuple(hooks.triggers),
        tuple(hooks.copies),
        tuple(declared.changes),
    )
    made = [item for part in parts[1:-1] for item in (part.values() if isinstance(part, dict) else part)]
    same = Same(seen), Same(done.game), tuple(map(Same, made)), parts[-1]
    program = memo.kept("whole program", same, lambda: tree.Program(*parts))

    def whole(out: Diagnostics) -> None:
        call_graph.recursion(program, symbols, out)
        trials.quiet(program, symbols, out)
        trials.unforced(program, out)
        endless.endless(program, symbols, out)
        call_graph.two_files(program, out)
        call_graph.two_mods(program, ordered, out)
        bearers.one_kind_each(symbols, out)

    if out.full:  # parts are missing
        return program, out
    memo.told("whole program checked", (Same(program), tuple(ordered.items())), out, whole)
    memo.told("deep", (Same(program), Same(model)), out, partial(deep, model, program, symbols))
    call_graph.bearers_at_calls(checker)
    _required(program, checker, texts, source)
    _resets(symbols, out)
    hidden_spaces(symbols, out)
    if not out.failed and not unread:  # else what would run it may be what is wrong
        memo.told("what never happens", Same(program), out, partial(reach.never, program))
    if source is None or not source.tree.map("look").items:
        return program, out
    shown, found = check_looks(
        model,
        program,
        source.tree.map("look"),
        {place[-1] for place, _ in checker.removed},
        lost,
        max((item.layer for item in source.removed if item.place[0] == "traits" and len(item.place) == 2), default=0),
        partial(check_expression, model, program),
        memo,
    )
    out.extend(found)
    return memo.kept("shown program", (Same(program), shown), lambda: replace(program, shown=shown)), out


def check_expression(
    model: Model,
    program: tree.Program,
    node: nodes.Expr,
    names: Mapping[str, Type],
    want: Type | None = None,
    trait: str = "",
    form: Form = forms.expr,
) -> tuple[tree.Expr | None, Diagnostics]:
    """An expression of a scenario: `names` are its variables; None if anything is wrong with it.

    `trait`: it stands beside that trait, and may ask what only the trait's own rules see. `form`: hears what it is made
    of.
    """
    out = Diagnostics()
    symbols = _outside(model, program)
    origin = tree.Origin("trait", trait) if trait else tree.Origin("core")
    checker = Checker(symbols, out, form, Scope(origin, "scenario", no_bearer="a scenario has no bearer"))
    for name, type_ in names.items():
        checker.scope.bind(name, type_)
    if want is not None:
        found = expressions.typed(checker, node, want, "this is what a scenario asks for here")
    else:
        found = expressions.expr(checker, node, None)
    return (None if out.failed else found), out


#: What expressions of scenarios may name, of the program that was asked for last: there are many of each.
_LAST: list[tuple[Model, tree.Program, Symbols]] = []


def _outside(model: Model, program: tree.Program) -> Symbols:
    for known_model, known_program, symbols in _LAST:
        if known_model is model and known_program is program:
            return symbols
    symbols = symbols_of(model, program, outside=True)
    _LAST[:] = [(model, program, symbols)]
    return symbols


def check_declaration(symbols: Symbols, origin: tree.Origin, node: nodes.Decl, form: Form) -> None:
    """One declaration, which may be half written, by itself: what it is made of is heard by `form`."""
    out = Diagnostics()
    checker = Checker(symbols, out, form, Scope(origin, "game"))
    match node:
        case nodes.Replace(target=target):
            check_declaration(symbols, origin, target, form)
        case nodes.Labelled(hook=hook):
            check_declaration(symbols, origin, hook, form)
        case nodes.Game(body=body):
            enter(checker, origin, "game", "game")
            statements.block(checker, body)
        case nodes.Phase() | nodes.Routine() | nodes.Action() | nodes.Value() | nodes.Invariant():
            check_unit(checker, Unit(signature_of(symbols, origin, node, 0, out), origin, node))
        case nodes.Modify() | nodes.Forbid() | nodes.Ignore() | nodes.Trigger() | nodes.CopyCards():
            check_hooks(checker, [(origin, node)])


def check_beside(
    model: Model, program: tree.Program, texts: Texts, form: Form, out: Diagnostics
) -> tuple[tree.Program, Texts]:
    """A checked program with more rules beside it, and those with their patches carried out. The program itself is not
    looked at again, and nothing is asked of both as a whole. `form` hears what the new rules are made of."""
    symbols = symbols_of(model, program)
    texts = patched(texts, None, out)
    declared = signatures.gather(symbols, texts, {}, (), out)
    for origin, found in texts:
        for node in found:
            old = symbols.find(node.target.name, origin) if isinstance(node, nodes.Replace) else None
            if old is not None and isinstance(node, nodes.Replace):
                declared.units.setdefault(old.id, Unit(old, origin, node.target))
    checker = Checker(symbols, out, form, Scope(tree.Origin("core"), "game"))
    done = check_all(checker, declared)
    hooks = check_hooks(checker, declared.hooks)
    whole = replace(
        program,
        routines={**program.routines, **done.routines},
        actions={**program.actions, **done.actions},
        values={**program.values, **done.values},
        invariants={**program.invariants, **done.invariants},
        modifies=(*program.modifies, *hooks.modifies),
        forbids=(*program.forbids, *hooks.forbids),
        ignores=(*program.ignores, *hooks.ignores),
        triggers=(*program.triggers, *hooks.triggers),
        copies=(*program.copies, *hooks.copies),
    )
    return whole, texts


def symbols_of(model: Model, program: tree.Program, *, outside: bool = False) -> Symbols:
    """All names of a checked program; `outside`: as a scenario may use them."""
    symbols = Symbols(model, model, outside=outside)
    for signature in signatures_of(program):
        symbols.declare(signature)
    return symbols


def signatures_of(program: tree.Program) -> Iterable[Signature]:
    """The signatures of a checked program, as its own source gave them."""
    for routine in program.routines.values():
        params = tuple(Parameter(p.text, p.type) for p in routine.params)
        what: What = "phase" if routine.phase else "routine"
        yield Signature(
            routine.id, routine.name, what, params, None, routine.span, routine.origin, number=routine.number
        )
    for action in program.actions.values():
        params = tuple(Parameter(b.local.text, b.local.type) for b in action.binders)
        yield Signature(action.id, action.name, "action", params, None, action.span, action.origin, action.always)
    for value in program.values.values():
        params = tuple(Parameter(p.text, p.type) for p in value.params)
        yield Signature(value.id, value.name, "value", params, value.type, value.span, value.origin)
    for invariant in program.invariants.values():
        yield Signature(invariant.id, invariant.name, "invariant", (), BOOL, invariant.span, invariant.origin)


def _removed(source: RulesetSource | None, texts: Texts) -> tuple[tuple[tuple[str, ...], Related], ...]:
    if source is None:
        return ()
    names = {layer.index: layer.id for layer in source.layers}
    found = [
        (item.place, Related(item.span, f"`{names.get(item.layer, '?')}` removes `{item.path}` here"))
        for item in source.removed
    ]
    for origin, declarations in texts:
        for node in declarations:
            if isinstance(node, nodes.Patched):
                verb = "removes" if node.verb == "remove" else "replaces"
                note = Related(node.span, f"`{names.get(origin.layer, '?')}` {verb} `{node.place}` here")
                found.extend((("rules", name), note) for name in node.names)
    return tuple(found)


def _renamed(source: RulesetSource | None) -> tuple[tuple[str, str, Related], ...]:
    if source is None:
        return ()
    names = {layer.index: layer.id for layer in source.layers}
    return tuple(
        (item.old, item.new, Related(item.span, f"`{names.get(item.layer, '?')}` renames `{item.old}` here"))
        for item in source.renames
    )


def _required(program: tree.Program, checker: Checker, texts: Texts, source: RulesetSource | None) -> None:
    """A whole ruleset has a flow and says who wins."""
    symbols, out = checker.symbols, checker.out
    place = source.layers[0].span if source is not None and source.layers else _first(texts)
    if program.game is None and "game" not in checker.lost:
        out.error("N360", place, "the ruleset has no `game:`", because="`game:` says what happens in the game")
    score = symbols.find("score", tree.Origin("core"))
    if score is None and "score" not in checker.lost:
        hint = "write `value score(player p) -> int: ...` in its rules"
        out.error(
            "N360", place, "the ruleset has no `score`", because="the player with the highest score wins", hint=hint
        )
    for name, result in (("score", INT), ("tiebreak", ORDER)):
        found = symbols.find(name, tree.Origin("core"))
        if found is None:
            continue
        if found.what != "value" or [p.type for p in found.params] != [PLAYER] or found.result != result:
            hint = f"write `value {name}(player p) -> {result}: ...`"
            because = "it is read for each player when the game is over"
            message = f"`{name}` has the wrong signature"
            out.error("T424", found.span, message, because=because, hint=hint)


def _first(texts: Texts) -> Span:
    return next((node.span for _, found in texts for node in found), NOWHERE)


def _resets(symbols: Symbols, out: Diagnostics) -> None:
    """N357 for `resets:` that name no phase."""
    phases = {s.name for s in symbols.signatures.values() if s.what == "phase"}
    for span, resets in _all_resets(symbols.model):
        if resets is None or resets in phases or resets in SCOPES:
            continue
        hint = did_you_mean(resets, [*phases, *SCOPES])
        because = "`resets:` must be a phase, or `turn`, `round`, `phase` or `game`"
        out.error("N357", span, f"there is no phase `{resets}`", because=because, hint=hint)


def _all_resets(model: Model) -> Iterable[tuple[Span, str | None]]:
    rooms: list[Mapping[str, Attribute]] = [model.state, model.player_attributes]
    rooms.extend(made.attributes for made in model.made.values())
    rooms.extend(listing.attributes for listing in model.lists.values())
    rooms.extend(grid.attributes for grid in model.grids.values())
    rooms.extend(sort.attributes for sort in model.sorts.values())
    rooms.extend(trait.state for trait in model.traits.values())
    for room in rooms:
        for attribute in room.values():
            yield attribute.span, attribute.resets
    for table in model.tables.values():
        yield table.span, table.resets

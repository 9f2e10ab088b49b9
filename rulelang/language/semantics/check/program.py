"""Check the rules of a ruleset: parse and patch its texts, and make the typed program."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.labels import Labels
from rulelang.base.limits import DECLARATIONS, LETTERS, Limit
from rulelang.base.memo import NULL_CACHE, IdentityKey, NullCache
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import did_you_mean
from rulelang.data.patches import Disabled
from rulelang.data.ruleset_source import RulesetSource, RulesText
from rulelang.language.semantics import tree
from rulelang.language.semantics.cards import FACE_COLUMNS
from rulelang.language.semantics.check import call_graph, expressions, forms, names, statements, symbol_table, trials
from rulelang.language.semantics.check.call_graph import report_deep_recursion
from rulelang.language.semantics.check.checker import Checker, Form, Scope
from rulelang.language.semantics.check.declarations import check_all, check_unit, enter_scope
from rulelang.language.semantics.check.hooks import check_hooks
from rulelang.language.semantics.check.looks import check_looks
from rulelang.language.semantics.check.rule_patches import RulePatcher, Text, check_rename, without_labels
from rulelang.language.semantics.check.symbol_table import (
    SCOPES,
    Ordered,
    Parameter,
    Signature,
    Symbols,
    Texts,
    Unit,
    What,
    signature_of,
)
from rulelang.language.semantics.model import BOOL, INT, ORDER, PLAYER, Attribute, CardType, Model, Number, Row, Type
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import rename_in_syntax
from rulelang.language.syntax.parse import BOUND, LONGEST_TEXT, parse

# ---- parsing the sources


def read_rules(source: RulesetSource, model: Model, memo: NullCache = NULL_CACHE) -> tuple[Texts, Diagnostics]:
    """Parse every rules text of a source, and carry out the patches. Each comes with the origin of its rules."""
    out = Diagnostics()
    texts: list[tuple[tree.Origin, tuple[nodes.Decl, ...]]] = []
    letters = count = 0
    over: Limit | None = None
    for text in source.rules:
        letters += len(text.text) if len(text.text) <= LONGEST_TEXT else 0  # else `parse` reports it
        declarations: tuple[nodes.Decl, ...] = ()
        if over is None and letters <= LETTERS.most:
            written = text.text, text.placement
            declarations, found = memo.get_or_compute("rules", written, partial(parse, *written, memo))
            out.extend(found)
            count += len(declarations)
        if over is None and (letters > LETTERS.most or count > DECLARATIONS.most):
            over = LETTERS if letters > LETTERS.most else DECLARATIONS
            out.error("S220", text.span.head(), f"there are {over.exceeded}", because=BOUND, hint=over.hint)
        texts.append((origin_of(text, model), declarations if over is None else ()))
    read = len(texts)
    texts += [(tree.Origin("core", layer=one.layer), (_disabling(one),)) for one in source.disabled]
    for rename in source.renames:
        if rename.of_rules and source.complete and not check_rename(rename, texts, source, out):
            continue
        for at, (origin, declarations) in enumerate(texts):
            own = origin.layer == rename.layer and at < read  # what data say is of the layers below
            if not own and rename.layer not in source.layers[origin.layer].after:
                texts[at] = origin, tuple(rename_in_syntax(node, rename.old, rename.new) for node in declarations)
    return apply_rule_patches(texts, source, out), out


def _disabling(one: Disabled) -> nodes.Rewrite:
    """What data say of a phase, as a patch of rules."""
    step = nodes.Step(one.span, one.name, None, False)
    return nodes.Rewrite(one.span, (), (step,), (nodes.Nothing(one.span),), one.span, disables=True)


_PATCHES = nodes.TakeOut | nodes.Insert | nodes.Rewrite
_LABEL = re.compile(r"\blabel\b")


def apply_rule_patches(texts: Texts, source: RulesetSource | None, out: Diagnostics) -> Texts:
    """The texts with the patches in them carried out, and without labels."""
    labels = source is None or any(_LABEL.search(text.text) for text in source.rules)
    if not labels and not any(isinstance(node, _PATCHES) for _, found in texts for node in found):
        return texts
    owners = [o.name for o, _ in texts]
    if source is not None:
        owners = [*map(_called, source.rules), *(source.layers[one.layer].id for one in source.disabled)]
    layers = source.layers if source is not None else ()
    after = {layer.index: layer.after for layer in layers}
    places = [Text(origin, owner, found) for (origin, found), owner in zip(texts, owners, strict=True)]
    done = RulePatcher(places, after, [layer.id for layer in layers], out).run()
    return [(text.origin, tuple(without_labels(node) for node in text.decls if node is not None)) for text in done]


def _called(text: RulesText) -> str:
    """The name by which places call a trait or row."""
    owner = text.owner
    if owner.kind in ("core", "mod", "trait"):
        return owner.name
    return owner.name or f"{owner.of}_{owner.index + 1}"


_DECLARED = re.compile(
    r"^[ \t]*(?:(?:always|replace)[ \t]+)?(?:(?:phase|routine|value|action|invariant)[ \t]+([A-Za-z_]\w*)|(game)\b)",
    re.MULTILINE,
)


class _Anything:
    """Stands for all names, where a whole file is missing."""

    def __contains__(self, name: object) -> bool:
        return True


ANYTHING = _Anything()


def lost_names(texts: Texts, source: RulesetSource | None) -> Container[str]:
    """Names whose declarations stand in text that could not be parsed, so that they are not reported as unknown."""
    if source is None:
        return frozenset()
    if not source.complete:
        return ANYTHING
    said = {m[1] or m[2] for text in source.rules for m in _DECLARED.finditer(text.text)}
    read = {rename.old for rename in source.renames}
    for _, declarations in texts:
        for node in declarations:
            if isinstance(node, nodes.Game):
                read.add("game")
            elif isinstance(node, nodes.Replace):
                read.add(node.target.name)
            elif isinstance(node, nodes.Patched):
                read.update(node.names)
            elif isinstance(node, nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant):
                read.add(node.name)
    return frozenset(said - read)


def origin_of(text: RulesText, model: Model) -> tree.Origin:
    """Whose rules a text holds. Rows are found by name; those without a name by their place."""
    owner = text.owner
    if owner.kind in ("core", "mod"):
        return tree.Origin("core", layer=text.layer)
    if owner.kind == "trait":
        return tree.Origin("trait", owner.name, layer=text.layer)
    if owner.kind == "card":
        rows = model.sorts[owner.of].rows if owner.of in model.sorts else ()
        return tree.Origin("card", owner.of, _number(rows, owner.name, owner.index), text.layer)
    rows = model.lists[owner.of].rows if owner.of in model.lists else ()
    return tree.Origin("row", owner.of, _number(rows, owner.name, owner.index), text.layer)


def _number(rows: Sequence[object], name: str, index: int) -> int:
    for row in rows:
        if name and getattr(row, "name", "") == name:
            number: int = getattr(row, "number", 0)
            return number
    return index + 1


# ---- outline of a model


def model_outline(model: Model) -> Model:
    """The model without contents."""
    return replace(
        model,
        players=(0, 0),
        numbers={name: Number(name, {}, number.span) for name, number in model.numbers.items()},
        options={name: replace(option, default={}) for name, option in model.options.items()},
        lists={name: replace(listing, rows=()) for name, listing in model.lists.items()},
        sorts={name: _sort(sort) for name, sort in model.sorts.items()},
        labels=Labels(),
    )


def _sort(sort: CardType) -> CardType:
    """Which traits the cards of a sort show decides what their rules are about."""
    shown = [{name: row.columns[name] for name in FACE_COLUMNS if name in row.columns} for row in sort.rows]
    return replace(sort, rows=tuple([Row("", 0, columns) for columns in shown if columns]))


# ---- hidden spaces


def report_hidden_spaces(symbols: Symbols, out: Diagnostics) -> None:
    """Report N375 for each state value, number, zone or value that has the name of a space."""
    grids = symbols.model.grids
    for name, what, span in _declared(symbols) if grids else ():
        for grid in grids.values():
            if name in grid.spaces:
                message = f"{what} `{name}` hides a space of `{grid.name}`"
                because = f"in rules, `{name}` refers to {what}, so rules cannot refer to the space"
                out.warning("N375", span, message, because=because, hint="choose another name")


def _declared(symbols: Symbols) -> Iterator[tuple[str, str, Span]]:
    model = symbols.model
    yield from ((name, "the state value", one.span) for name, one in model.state.items())
    yield from ((name, "the number", one.span) for name, one in model.numbers.items())
    yield from ((one.short_name, "the zone", one.span) for one in model.zones.values())
    for signature in symbols.signatures.values():
        if signature.what in ("value", "invariant"):
            yield signature.name, f"the {signature.what}", signature.span


# ---- checking a program


def check_program(
    model: Model,
    texts: Texts,
    source: RulesetSource | None = None,
    memo: NullCache = NULL_CACHE,
    *,
    form: Form = forms.check_form,
    unread: bool = False,
) -> tuple[tree.Program, Diagnostics]:
    """The typed program, and every independent mistake. `unread`: some of the rules could not be parsed.

    `source` tells how layers are ordered and what they removed; without it, later layers come after all earlier ones.
    `memo` keeps what came of single declarations. `form` is what checks an expression: one around `forms.expr` sees
    what all of them are.
    """
    out = Diagnostics()
    ordered: Ordered = {layer.index: layer.after for layer in source.layers} if source is not None else {}
    seen = memo.intern("outline", model_outline(model))
    symbols = Symbols(seen, model)
    if source is None:  # else they have been patched as they were read
        texts = apply_rule_patches(texts, None, out)
    lost = lost_names(texts, source)
    declared = symbol_table.gather_signatures(symbols, texts, ordered, lost, out)
    removed = _removed(source, texts)
    renamed = _renamed(source)
    around = memo.get_or_compute(
        "around declarations", (IdentityKey(seen), lost, removed, renamed, form), lambda: IdentityKey(object())
    )
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
    same = IdentityKey(seen), IdentityKey(done.game), tuple(map(IdentityKey, made)), parts[-1]
    program = memo.get_or_compute("whole program", same, lambda: tree.Program(*parts))

    def whole(out: Diagnostics) -> None:
        call_graph.report_recursion(program, symbols, out)
        trials.report_noisy_trials(program, symbols, out)
        trials.report_untried_ensures(program, out)
        call_graph.report_endless(program, symbols, out)
        call_graph.report_two_files(program, out)
        call_graph.report_two_mods(program, ordered, out)
        names.report_mixed_bearers(symbols, out)

    if out.full:  # parts are missing
        return program, out
    memo.with_diagnostics("whole program checked", (IdentityKey(program), tuple(ordered.items())), out, whole)
    memo.with_diagnostics(
        "deep", (IdentityKey(program), IdentityKey(model)), out, partial(report_deep_recursion, model, program, symbols)
    )
    call_graph.report_missing_bearers(checker)
    _required(program, checker, texts, source)
    _resets(symbols, out)
    report_hidden_spaces(symbols, out)
    if not out.failed and not unread:  # else what would run it may be what is wrong
        memo.with_diagnostics(
            "what never happens", IdentityKey(program), out, partial(call_graph.report_never_reached, program)
        )
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
    return memo.get_or_compute(
        "shown program", (IdentityKey(program), shown), lambda: replace(program, shown=shown)
    ), out


def check_expression(
    model: Model,
    program: tree.Program,
    node: nodes.Expr,
    names: Mapping[str, Type],
    want: Type | None = None,
    trait: str = "",
    form: Form = forms.check_form,
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
        found = expressions.check_typed(checker, node, want, "this is what a scenario asks for here")
    else:
        found = expressions.check_expr(checker, node, None)
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
            enter_scope(checker, origin, "game", "game")
            statements.check_block(checker, body)
        case nodes.Phase() | nodes.Routine() | nodes.Action() | nodes.Value() | nodes.Invariant():
            check_unit(checker, Unit(signature_of(symbols, origin, node, 0, out), origin, node))
        case nodes.Modify() | nodes.Forbid() | nodes.Ignore() | nodes.Trigger() | nodes.CopyCards():
            check_hooks(checker, [(origin, node)])


def check_with_more_rules(
    model: Model, program: tree.Program, texts: Texts, form: Form, out: Diagnostics
) -> tuple[tree.Program, Texts]:
    """A checked program with more rules beside it, and those with their patches carried out. The program itself is not
    looked at again, and nothing is asked of both as a whole. `form` hears what the new rules are made of."""
    symbols = symbols_of(model, program)
    texts = apply_rule_patches(texts, None, out)
    declared = symbol_table.gather_signatures(symbols, texts, {}, (), out)
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

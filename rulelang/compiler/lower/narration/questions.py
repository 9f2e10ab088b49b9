"""Word the questions that players are asked, and texts with `{...}` parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.base.layout import ActionInfo, DecisionKind
from rulelang.base.node import record
from rulelang.base.phrases import Filling, Parts, Phrase, PlayerText, RuleName, Value, flatten, phrase
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    Guards,
    Lowering,
    Scope,
    branch,
    conjunction,
    join_guards,
    lower_arguments,
    lower_value,
    unguarded_value,
)
from rulelang.compiler.lower.expr.calls import event_params, optional_params, pattern_params
from rulelang.compiler.lower.narration.nouns import enumeration_of, join_fillings, name_of
from rulelang.compiler.lower.program_graph import HANDING_ON
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import free_locals, walk

# ---- texts

TextParts = tuple[str | tuple[int, str], ...]


def lower_text(parts: tuple[str | tree.Expr, ...], scope: Scope) -> tuple[TextParts, tuple[ir.Expr, ...]]:
    """The text with argument positions and kinds, and the arguments."""
    out: list[str | tuple[int, str]] = []
    args: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, str):
            if part:
                out.append(part)
        elif isinstance(part, tree.Forms):
            number = unguarded_value(part.number, scope)
            if number not in args:
                args.append(number)
            out.append((args.index(number), f":{part.forms}"))
        else:
            out.append((len(args), type_name(part.type)))
            args.append(_named_value(part, scope))
    return tuple(out), tuple(args)


def _named_value(part: tree.Expr, scope: Scope) -> ir.Expr:
    """What a text names: a number that is read through something missing is missing, too, and not 0."""
    said, guards = lower_value(part, scope)
    return ir.If(conjunction(*guards), said, ir.Const(MISSING_INT)) if guards and part.type.tag == "int" else said


# ---- questions


@record
class Question:
    """A decision site; `told`: what its words speak of, once the statements `first` have been run."""

    site: int
    told: tuple[ir.Expr, ...] = ()
    first: tuple[ir.Stmt, ...] = ()


def closed_scope(pieces: object, scope: Scope, stem: str) -> tuple[Scope, list[str], list[ir.Expr]]:
    """A scope for a function of its own that lowers pieces of tree: its parameters, and the arguments for them."""
    low = scope.low
    inner = Scope(low, stem)
    params: list[str] = []
    args: list[ir.Expr] = []
    for v in free_locals(pieces):
        if v.name not in scope.names:
            continue
        low.local_kinds[v.name] = v.type.name
        params.append(inner.bind(v, present=v.name in scope.present))
        args.append(scope.names[v.name])
        if v.name in scope.faces:
            inner.faces[v.name] = scope.faces[v.name]
    for role, expr in scope.roles.items():
        if any(isinstance(n, HANDING_ON) for n in walk(pieces)):
            params.append(inner.fresh(role))
            args.append(expr)
            inner.roles[role] = ir.Local(params[-1])
    if scope.actor is not None and any(isinstance(n, tree.BuiltinRef) and n.name == "actor" for n in walk(pieces)):
        params.append(inner.fresh("actor"))
        args.append(scope.actor)
        inner.actor = ir.Local(params[-1])
    return inner, params, args


# ---- questions of the rules

Args = tuple[ir.Expr, ...]
Wording = Callable[[Parts], PlayerText]
BlameChoice = Callable[[tree.Choose, Scope], list[ir.Stmt]]


def choice_question(s: tree.Choose, info: ActionInfo, scope: Scope, refuse: BlameChoice) -> Question:
    """The question of a `choose`; `refuse` blames what is wrong with a choice that is bound in a scope."""
    if s.at_random:
        return Question(scope.low.site("choose", (info,), plain_text(choosing_words(s.binders, ())), s.span))
    return _question_of("choose", (info,), s.asks, lambda words: choosing_words(s.binders, words), scope, s, refuse)


def offer_question(s: tree.Offer, infos: Sequence[ActionInfo], scope: Scope, goes_on: bool) -> Question:
    """The question of an offer; whether one may pass is seen by the options."""
    return _question_of("offer", infos, s.asks, _acting_words, scope, s, goes_on=goes_on)


def _question_of(
    kind: DecisionKind, infos: Sequence[ActionInfo], asks: tree.Words, say: Wording, scope: Scope,
    s: tree.Choose | tree.Offer, refuse: BlameChoice | None = None, *, goes_on: bool = False,
) -> Question:  # fmt: skip
    low, span = scope.low, s.span
    holes = any(not isinstance(part, str) for part in asks)
    source = scope.source
    prompt = plain_text(say(() if holes else lower_text(asks, scope)[0]))
    pieces = (asks, s.binders, s.becauses) if isinstance(s, tree.Choose) else asks
    inner, params, args = closed_scope(pieces, scope, f"question_{scope.prefix}")
    told, first = _kept_values(args, scope)
    question = refusing = ""
    if holes:
        words, values = lower_text(asks, inner)
        body = (ir.Blame(low.reason(say(words), "", span), values),)
        question = low.function(low.unique(inner.prefix), "why", params, body, "question", span)
    if refuse is not None and isinstance(s, tree.Choose):
        deep = inner.inner()
        for b in s.binders:
            low.local_kinds[b.local.name] = b.local.type.name
        chosen = [deep.bind(b.local, present=not b.maybe) for b in s.binders]
        name = low.unique(f"refuse_{scope.prefix}")
        refusing = low.function(name, "why", (*params, *chosen), refuse(s, deep), "why not", span)
    if not question and not refusing:
        return Question(low.site(kind, infos, prompt, span, goes_on=goes_on, source=source))
    site = low.site(kind, infos, prompt, span, question, refusing, goes_on=goes_on, source=source)
    return Question(site, told, first)


def _kept_values(args: Sequence[ir.Expr], scope: Scope) -> tuple[Args, tuple[ir.Stmt, ...]]:
    """What the words of a question speak of, and statements that keep what has to be worked out."""
    told: list[ir.Expr] = []
    first: list[ir.Stmt] = []
    for arg in args:
        if not isinstance(arg, ir.Local | ir.Const):
            kept = scope.fresh("told")
            first.append(ir.Set(kept, arg))
            arg = ir.Local(kept)
        told.append(arg)
    return tuple(told), tuple(first)


# ---- questions about effects


def event_question_site(
    kind: DecisionKind, event: str, infos: Sequence[ActionInfo], question: Phrase, span: Span, low: Lowering
) -> int:
    """The site of a question that comes of an event; it is told what `seen_params` of the event are."""
    key = ("event", event, question)
    if key not in low.names:
        scope = Scope(low, f"question_{event}")
        title, values = _event_title(event, scope, params := _pattern_param_names(event, scope))
        said = phrase("{event}: {question}", event=title, question=question)
        body = (ir.Blame(low.reason(said, "", span), values),)
        low.names[key] = low.function(low.unique(f"question_{event}"), "why", params, body, "question", span)
    return low.site(kind, infos, plain_text(question), span, low.names[key])


def use_question(hook: tree.Trigger, info: ActionInfo, bearer: ir.Expr, args: Args, scope: Scope) -> Question:
    """The question whether an effect is used: what happened or would happen (`args`: of what patterns of the event
    see), whose effect it is (the bearer, if it is shown), and what it does, as far as the rules have words."""
    low, event, kind = scope.low, hook.pattern.event, info.types[0]
    effect = name_of(info.name)
    outcome = _outcome_of(hook, low)
    inner, params, told = closed_scope(outcome, scope, f"question_{info.id}")
    params += _pattern_param_names(event, inner)
    told += args
    title, values = _event_title(event, inner, params)
    whose: dict[str, Filling] = {}
    if kind:
        params.append(inner.fresh("thing"))
        told.append(bearer)
        whose["thing"] = Value(len(values), kind)
        values = (*values, ir.Local(params[-1]))
    plain = (
        phrase("use {effect} of {thing}?", effect=effect, **whose) if kind else phrase("use {effect}?", effect=effect)
    )
    body: tuple[ir.Stmt, ...] = (_blame_value(title, plain, values, hook.span, low),)
    # What the effect looks up for itself, such as its owner, is not known yet where it is asked.
    if outcome is not None and all(v.name in inner.names for v in free_locals(outcome)):
        deep, words, guards = _outcome_words(outcome, inner)
        guards = join_guards(guards, *(lower_value(part, deep)[1] for part in words if not isinstance(part, str)))
        parts, more = lower_text(words, deep)
        does = tuple(part if isinstance(part, str) else (part[0] + len(values), part[1]) for part in parts)
        if not low.source_of(hook.origin):
            known = phrase("{outcome}?", outcome=does)  # the rules of the game have no name of their own
        elif kind:
            known = phrase("use {effect} of {thing} ({outcome})?", effect=effect, outcome=does, **whose)
        else:
            known = phrase("use {effect} ({outcome})?", effect=effect, outcome=does)
        body = tuple(branch(conjunction(*guards), [_blame_value(title, known, (*values, *more), hook.span, low)], body))
    name = low.function(low.unique(f"question_{info.id}"), "why", params, body, "question", hook.span)
    kept, first = _kept_values(told, scope)
    return Question(low.site("react", (info,), plain_text(plain), hook.span, name), kept, first)


def _blame_value(title: Filling, question: Phrase, values: Args, span: Span, low: Lowering) -> ir.Stmt:
    said = phrase("{event}: {question}", event=title, question=question)
    return ir.Blame(low.reason(said, "", span), values)


def _pattern_param_names(event: str, scope: Scope) -> list[str]:
    """Parameters for what patterns of an event see."""
    low = scope.low
    params: list[str] = []
    for p, maybe in zip(pattern_params(event, low), (*optional_params(event, low), False), strict=False):
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not maybe))
    return params


def _event_title(event: str, scope: Scope, params: Sequence[str]) -> tuple[Filling, Args]:
    """What happens, as the event's `tells` says it; else its name, and the players and things that it happens to."""
    low = scope.low
    declared = low.program.routines.get(event) or low.program.actions.get(event)
    tells = declared.tells.parts if declared is not None and declared.tells is not None else ()
    handed = any(isinstance(n, HANDING_ON) for n in walk(tells))
    if tells and not handed and all(v.name in scope.names for v in free_locals(tells)):
        return lower_text(tells, scope)
    shown = [p for p in pattern_params(event, low) if p.type.name == "player" or p.type.name in low.plan.kinds]
    if not shown:
        return name_of(event), ()
    things = join_fillings([Value(k, p.type.name) for k, p in enumerate(shown)], ", ")
    return phrase("{event} ({things})", event=name_of(event), things=things), tuple(scope.names[p.name] for p in shown)


def _outcome_of(hook: tree.Trigger, low: Lowering) -> tree.Tells | tree.CallRoutine | None:
    """The statement that says what a hook does: its first, if that tells something, or calls what does."""
    first = hook.body[0] if hook.body else None
    if isinstance(first, tree.Tells):
        return first
    if not isinstance(first, tree.CallRoutine):
        return None
    tells = low.program.routines[first.routine].tells if first.routine in low.program.routines else None
    if tells is None or any(isinstance(n, HANDING_ON) for n in walk(tells)):
        return None
    known = {p.name for p in event_params(first.routine, low)}
    return first if all(v.name in known for v in free_locals(tells)) else None


def _outcome_words(
    said: tree.Tells | tree.CallRoutine, scope: Scope
) -> tuple[Scope, tuple[str | tree.Expr, ...], Guards]:
    """The words of such a statement, and the scope in which they are told, under guards."""
    if isinstance(said, tree.Tells):
        return scope, said.parts, ()
    low, deep = scope.low, scope.inner()
    args, guards = lower_arguments(said.args, scope, maybe=optional_params(said.routine, low), kept=True)
    for p, arg in zip(event_params(said.routine, low), args, strict=True):
        low.local_kinds[p.name] = p.type.name
        deep.names[p.name] = arg
    tells = low.program.routines[said.routine].tells
    assert tells is not None
    return deep, tells.parts, guards


# ---- their words


def choosing_words(binders: Sequence[tree.Binder], words: Parts) -> PlayerText:
    """`choose a card to pay with`; words that end with a question mark are the whole question."""
    if words and isinstance(words[-1], str) and words[-1].endswith("?"):
        return words
    if words:
        return phrase("choose {what} {purpose}", what=_grouped_nouns([(b, "") for b in binders]), purpose=words)
    return phrase("choose {what}", what=_grouped_nouns([(b, _variable_name(b)) for b in binders]))


def _acting_words(words: Parts) -> PlayerText:
    if words and isinstance(words[-1], str) and words[-1].endswith("?"):
        return words
    return phrase("choose an action {purpose}", purpose=words) if words else phrase("choose an action")


def _grouped_nouns(wanted: Sequence[tuple[tree.Binder, str]]) -> Filling:
    """`a card and a snail`; those of a kind that have no names are counted: `two cards`."""
    counted: dict[tuple[str, str], int] = {}
    for b, name in wanted:
        key = (kind_noun(b).name, name)
        counted[key] = counted.get(key, 0) + 1
    return enumeration_of([_counted_noun(kind, name, count) for (kind, name), count in counted.items()])


def _counted_noun(kind: str, name: str, count: int) -> Filling:
    if count == 1:
        one = RuleName(kind, form="one")
        return phrase("{kind} ({name})", kind=one, name=RuleName(name)) if name else one
    many = RuleName(kind, form="several")
    match count:
        case 2:
            return phrase("two {things}", things=many)
        case 3:
            return phrase("three {things}", things=many)
        case 4:
            return phrase("four {things}", things=many)
    return phrase("{number} {things}", number=count, things=many)


def _variable_name(b: tree.Binder) -> str:
    """What a question without a purpose calls a variable beside its kind, where its name is a word; "" else."""
    name = b.local.text
    return name if len(name) > 2 and name != kind_noun(b).name else ""


def kind_noun(b: tree.Binder) -> RuleName:
    """The kind of a variable in words."""
    kind = type_name(b.local.type.sure())
    return RuleName("number" if kind == "int" else kind)


def plain_text(said: PlayerText) -> str:
    """The words of a question that tells nothing of the game."""
    return "".join(part for part in flatten(said) if isinstance(part, str))

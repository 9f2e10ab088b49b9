"""Lint rules about hooks and statements without effect, without a bearer, or without a reason."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import locals_of
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.tools.lint.rule import Finding, Rule, Subject
from rulelang.tools.lint.rules.conditions import interval_of

# ---- hook-of-everybody


def find_hook_of_everybody(subject: Subject) -> Iterator[Finding]:
    for hook in subject.hooks():
        if hook.origin.what != "trait" or hook.always or not subject.owns(hook.span):
            continue
        bearer = {local.name for local in _bearer_locals(hook.bearer)}
        if not locals_of(hook) & bearer:
            because = (
                "without `self`, `this`, `owner` or `partner`, the hook applies to everybody, "
                "once for each card of the "
                "trait in play"
            )
            hint = "write `self` for the bearer, or `always` if the hook does not need a card"
            yield Finding(
                hook.span.head(), f"this hook of `{hook.origin.name}` does not name its bearer", because, hint
            )


def _bearer_locals(bearer: tree.Bearer) -> Iterator[tree.Local]:
    yield from (x for x in (bearer.this, bearer.self, bearer.partner, bearer.owner) if x is not None)


HOOK_OF_EVERYBODY = Rule(
    "hook-of-everybody",
    Page(
        "L814",
        "trait's hook without a bearer",
        "Most hooks of a trait name its bearer `self`, its `owner`, or `this` card. A hook that names none of them "
        "applies to everybody while a card of the trait is in play. With two such cards, it applies twice.",
        "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
        'rules: |\n  forbid push(pusher, any) when pusher.size > 3 because "it sticks"\n',
        "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
        'rules: |\n  forbid push(pusher, self) when pusher.size > 3 because "it sticks"\n',
    ),
    find_hook_of_everybody,
)


# ---- hook-without-effect


def find_hook_without_effect(subject: Subject) -> Iterator[Finding]:
    for hook in subject.hooks():
        if not isinstance(hook, tree.Trigger) or not subject.owns(hook.span):
            continue
        if hook.kind in ("before", "after", "react to") and all(isinstance(line, tree.Nothing) for line in hook.body):
            yield Finding(
                hook.span.head(), f"this `{hook.kind}` does nothing", "", "remove the hook, or write its effect"
            )
        elif hook.kind == "instead of" and hook.guard is None and _only_proceeds(hook.body):
            yield Finding(hook.span.head(), "this `instead of` changes nothing", "", "remove it")


def _only_proceeds(body: tree.Block) -> bool:
    return len(body) == 1 and isinstance(body[0], tree.Proceed)


HOOK_WITHOUT_EFFECT = Rule(
    "hook-without-effect",
    Page(
        "L829",
        "hook without effect",
        "A hook with the body `nothing`, or an `instead of` that only proceeds, changes nothing. Remove it, or "
        "write its effect.",
        "after dawn: nothing\n",
        "after dawn: bed_plants += 1\n",
    ),
    find_hook_without_effect,
)


# ---- modify-without-effect

#: With this number the operation changes nothing.
NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1, "or": 0, "and": 1}


def find_modify_without_effect(subject: Subject) -> Iterator[Finding]:
    for modify in subject.program.modifies:
        neutral = NEUTRAL.get(modify.op)
        if neutral is None or not subject.owns(modify.span):
            continue
        if interval_of(modify.value, subject.model) == (neutral, neutral):
            message = f"this changes nothing: `{modify.op} {_neutral_word(modify.op, neutral)}`"
            yield Finding(modify.span.head(), message, "the value stays the same", "remove the hook")


def _neutral_word(op: str, number: int) -> str:
    return ("false", "true")[number] if op in ("or", "and") else str(number)


MODIFY_WITHOUT_EFFECT = Rule(
    "modify-without-effect",
    Page(
        "L813",
        "`modify` without effect",
        "Adding 0, multiplying by 1, `or false` and `and true` do not change a value. Remove the hook, or write the"
        " number that you meant.",
        "modify strength(any): + 0\n",
        "modify strength(any): + 1\n",
    ),
    find_modify_without_effect,
)


# ---- idle-assignment


def find_idle_assignment(subject: Subject) -> Iterator[Finding]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if isinstance(node, nodes.MoveAll | nodes.Draw):
                idle = subject.text(node.source.span).split() == subject.text(node.to.span).split()
                if idle and subject.owns(node.span):
                    because = "the cards stay in their zone"
                    yield Finding(node.span, "this moves no card", because, "write another zone")
            if not isinstance(node, nodes.Assign) or not subject.owns(node.span):
                continue
            itself = node.op == "=" and subject.text(node.target.span).split() == subject.text(node.value.span).split()
            nothing = node.op != "=" and isinstance(node.value, nodes.Number) and node.value.value == 0
            if itself or nothing:
                yield Finding(node.span, "this changes nothing", "the value stays the same", "remove the line")


IDLE_ASSIGNMENT = Rule(
    "idle-assignment",
    Page(
        "L826",
        "assignment without effect",
        "`x = x`, `x += 0` and `move all deck to deck` change nothing. You probably meant another name or number.",
        "after dawn: bed_plants += 0\n",
        "after dawn: bed_plants += 2\n",
    ),
    find_idle_assignment,
)


# ---- missing-reason


def find_missing_reason(subject: Subject) -> Iterator[Finding]:
    program = subject.program
    for action in program.actions.values():
        for require in action.requires:
            # `can ...` gives the reasons of what it asks.
            if not require.because and not isinstance(require.condition, tree.Can) and subject.owns(require.span):
                yield _missing_reason_finding(require, "this `require` gives no reason")
    for hook in subject.hooks():
        if isinstance(hook, tree.Forbid) and not hook.because and subject.owns(hook.span):
            yield _missing_reason_finding(hook, "this `forbid` gives no reason")


def _missing_reason_finding(node: tree.Require | tree.Forbid, message: str) -> Finding:
    because = "without a reason, the player sees the condition from the rules"
    return Finding(node.span.head(), message, because, 'add a reason: `because "..."`')


MISSING_REASON = Rule(
    "missing-reason",
    Page(
        "L828",
        "refusal without a reason",
        "If a player cannot do something, the game shows the reason. Without `because`, it shows the condition as "
        "it is in the rules.",
        "forbid push(any, other) when other.size == 9\n",
        'forbid push(any, other) when other.size == 9 because "{other} is too heavy"\n',
    ),
    find_missing_reason,
)

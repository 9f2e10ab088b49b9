"""A number that is chosen, rolled or counted through from a range, and written where less fits."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.intervals import Interval, interval
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import declarations


def find(subject: Subject) -> Iterator[Found]:
    for declared in declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        binders = [node for node in walk(declared) if isinstance(node, tree.Binder)]
        ranges = {binder.local.name: binder for binder in binders if isinstance(binder.domain, tree.Range)}
        if not ranges:
            continue
        for node in walk(declared):
            if isinstance(node, tree.Compare):  # whatever is tested for: what does not fit may be left out by it
                for part in walk(node):
                    if isinstance(part, tree.LocalRef):
                        ranges.pop(part.local.name, None)
        for node in walk(declared):
            if isinstance(node, tree.Assign) and node.op == "=" and isinstance(node.value, tree.LocalRef):
                binder = ranges.get(node.value.local.name)
                if binder is not None:
                    yield from _fits(node, binder, subject.model)


def _fits(node: tree.Assign, binder: tree.Binder, model: Model) -> Iterator[Found]:
    target = node.target
    if not isinstance(target, tree.StateRef | tree.AttributeRef | tree.TableRef):
        return
    kept = target.table if isinstance(target, tree.TableRef) else target.attribute
    low, high = interval(target, model)
    least, most = _ends(binder, model)
    below = low is not None and least is not None and least < low
    above = high is not None and most is not None and most > high
    if kept.clamp or not (below or above):
        return
    said = f"`{binder.local.text}` can be {least if below else most}"
    holds = f"{'...' if low is None else low}..{'...' if high is None else high}"
    hint = f"choose from a smaller range, or declare `{kept.name}` with `clamp: true` to stop at the end"
    yield Found(
        node.span,
        f"`{kept.name}` holds {holds}, but {said}",
        "a number outside its range stops the game (X601)",
        hint,
        (Related(binder.span, "the range is here"), Related(kept.span, f"`{kept.name}` is declared here")),
    )


def _ends(binder: tree.Binder, model: Model) -> Interval:
    assert isinstance(binder.domain, tree.Range)
    return interval(binder.domain.low, model)[0], interval(binder.domain.high, model)[1]


RULE = Rule(
    "range-too-wide",
    Page(
        "L835",
        "range that does not fit",
        "A choice, a roll or a loop takes a number from a range, and the rule writes it to a value with a smaller "
        "range. If the number does not fit, the game stops (X601). The linter reports nothing if the rule compares "
        "the number first.",
        "after dawn:\n  for snail s, int n from 0 to 99: s.eaten = n\n",
        "after dawn:\n  for snail s, int n from 0 to 9: s.eaten = n\n",
    ),
    find,
)

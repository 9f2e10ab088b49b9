"""Arguments that bear the names of other parameters than their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.parameters import local_name, parameters
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.symmetry import Symmetry
from rulelang.tools.lint.uses import declarations


def find(subject: Subject) -> Iterator[Found]:
    program = subject.program
    symmetry = Symmetry(program)
    declared: dict[str, tree.Declared] = {**program.values, **program.actions, **program.routines}
    for where in declarations(program):
        if not subject.owns(where.span):
            continue
        for name, given, span, is_call in _given(where):
            target = declared.get(name)
            if target is None or target is where:  # one that calls itself the other way round means it
                continue
            called = [local.name for local in parameters(target)]
            for first, second in _swapped(_unnumbered(given), called):
                if is_call and symmetry.holds(name, first, second):
                    continue
                if _unnumbered(given)[second] == called[first]:
                    message = f"`{given[first]}` and `{given[second]}` seem to be swapped"
                else:
                    message = f"`{given[first]}` is passed as `{called[first]}`"
                low, high = sorted((first, second))
                own = f"{_nth(low)} argument `{called[low]}` and its {_nth(high)} `{called[high]}`"
                because = f"`{target.name}` calls its {own}"
                yield Found(
                    span,
                    message,
                    because,
                    "swap the arguments, or rename them if the order is right",
                    (Related(target.span.head(), f"`{target.name}` is declared here"),),
                )


def _given(where: tree.Declared) -> Iterator[tuple[str, tuple[str, ...], Span, bool]]:
    """Yield what is called or listened to, the names given for its parameters ("" for none), and if it is a call."""
    for node in walk(where):
        match node:
            case tree.ValueCall(value=name, args=args) | tree.Can(event=name, args=args):
                yield name, tuple(local_name(arg) for arg in args), node.span, True
            case tree.CallRoutine(routine=name, args=args):
                yield name, tuple(local_name(arg) for arg in args), node.span, True
            case tree.EventPattern(event=name, slots=slots):
                bound = (slot.local.name if isinstance(slot, tree.BindSlot) else "" for slot in slots)
                yield name, tuple(bound), node.span, False


def _unnumbered(given: Sequence[str]) -> Sequence[str]:
    """Names without the number at their end, `old_2` as `old`, where they still tell one from the other."""
    plain = [re.sub(r"_?[0-9]+\Z", "", name) for name in given]
    return plain if len(set(plain)) == len(set(given)) else given


def _swapped(given: Sequence[str], called: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The place of a name that is that of another parameter, and the place of that one, which stands for something
    else. Of two that are each other's, once."""
    for first, name in enumerate(given[: len(called)]):
        if not name or name == called[first] or name not in called[: len(given)]:
            continue
        second = called.index(name)
        if second < first and given[second] == called[first]:
            continue
        yield first, second


def _nth(place: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[place] if place < 6 else f"{place + 1}th"


RULE = Rule(
    "swapped-arguments",
    Page(
        "L830",
        "arguments in the wrong order",
        "A call, or the pattern of a hook, uses the name of one parameter in the place of another. If both "
        "parameters have the same type, rulelang cannot detect the mistake. The linter skips values whose arguments "
        "can be exchanged, such as a distance.",
        "routine trample(snail strong, snail weak): weak.size = max(1, weak.size - strong.size)\n"
        "always after push(strong, weak): trample(weak, strong)\n",
        "routine trample(snail strong, snail weak): weak.size = max(1, weak.size - strong.size)\n"
        "always after push(strong, weak): trample(strong, weak)\n",
    ),
    find,
)

"""Invariants that read only what is printed, asked without a game."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.errors import RuleError
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import PythonProgram, link
from rulelang.compiler.lower.table import InvariantModule
from rulelang.compiler.passes.checked_arithmetic import check_arithmetic
from rulelang.compiler.static_checks import Example
from rulelang.runtime.display_names import Names, player_names


def counterexamples(asked: InvariantModule) -> dict[str, tuple[Example, ...] | RuleError]:
    """By the name of each invariant that does not hold at this table: what for, or why it cannot be worked out."""
    check_arithmetic(asked.module)
    program = link(emit(asked.module).source, asked.module)
    S = program.initial
    broken: dict[str, tuple[Example, ...] | RuleError] = {}
    for name, function, _ in asked.module.invariants:
        try:
            if not program.pure(S, function, ()):
                broken[name] = tuple(_counterexamples_of(name, asked, program, S))
        except RuleError as error:
            broken[name] = error
    return broken


def _counterexamples_of(name: str, asked: InvariantModule, program: PythonProgram, S: list[int]) -> Iterator[Example]:
    names = Names(program.layout, player_names(program.layout.players, None))
    for number, args in program.why(S, f"invariant {name}", ()):
        found, conditions = asked.said[number]
        handles = tuple(zip(found, args, strict=False))  # the variables come first
        yield Example(names.render(program.reasons[number].text, args), handles, conditions)

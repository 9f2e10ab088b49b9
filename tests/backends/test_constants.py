"""Functions that hold the tables they read play the same games as those that look them up by name."""

from __future__ import annotations

import dis
from types import CodeType

import pytest

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import compile_source, link, with_constants
from rulelang.compiler.compilation import Compilation

PLAYERS = 3


def globals_read(code: CodeType) -> set[str]:
    found = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
    return found.union(*(globals_read(item) for item in code.co_consts if isinstance(item, CodeType)))


@pytest.mark.parametrize("game", ["evolution", "evolved"])
def test_the_same_games_without_looking_tables_up(game: str) -> None:
    compilation = Compilation(game)
    options = {name: option.default[PLAYERS] for name, option in compilation.summary.options.items()}
    module = compilation.ready(PLAYERS, options, target="python")
    source = emit(module).source
    plain, held = compile_source(source), with_constants(source, "<held>")
    tables = [name for name in globals_read(plain) if name[:2] in ("T_", "R_", "P_")]
    assert len(tables) > 20
    assert not [name for name in globals_read(held) if name in tables]
    ends = []
    for code in (plain, held):
        program = link(code, module)
        S = program.initial
        S[program.cells.policy_x] = 7
        program.sample(S)
        ends.append(list(S))
    assert ends[0] == ends[1]


def test_a_text_without_functions_of_its_own_is_compiled_as_it_is() -> None:
    assert with_constants("x = 1\n", "<short>").co_names == ("x",)

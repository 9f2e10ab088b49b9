"""Programs whose functions are written when they are first called do what whole ones do."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import PythonProgram, link
from rulelang.compiler.backends.python.on_demand import OnDemandProgram
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.dump import Fingerprints
from rulelang.runtime.table import choose_options
from tests.backends.machine import C, L, Listener, at, module, pure, routine
from tests.properties.games import ROOT


def game(program: PythonProgram, seed: int) -> tuple[list[object], list[int]]:
    """All that is asked and told in a game, and the words of the state at its end, without the control stack."""
    S, host, cells = program.initial, Listener(), program.cells
    S[cells.rng_x], S[cells.rng_c] = seed + 1, 77
    options = program.begin(S, host)
    told: list[object] = []
    turn = seed
    while options is not None and len(told) < 400:
        told.append((options, program.options(S) == options, program.pack(S)[: program.layout.stack]))
        turn = (turn * 31 + 7) % 1009
        options = program.resume(S, host, options[turn % len(options)])
    return [*told, *host.heard], S[: program.layout.stack]


@pytest.mark.parametrize("folder", [ROOT / "examples" / "guild", ROOT / "rulesets" / "origin_of_species"])
def test_games_are_the_same(folder: Path) -> None:
    compilation = Compilation(folder)
    players = compilation.summary.players[0]
    options = choose_options(compilation.summary.options, players, None)
    whole = link(
        emit(compilation.ready(players, options, target="python")).source, compilation.lowered(players, options)[0]
    )
    lazy = OnDemandProgram(compilation.ready(players, options, needed=True))
    for seed in range(3):
        assert game(lazy, seed) == game(whole, seed)
    assert lazy.called
    assert lazy.called < {*compilation.lowered(players, options)[0].functions}
    before = {*lazy.called}
    lazy.forget()
    assert not lazy.called
    game(lazy, 0)
    assert lazy.called
    assert lazy.called <= before


def test_those_who_run_it_at_the_same_time_do_not_mix_what_is_written() -> None:
    """At a table a bot thinks while others are shown where the game stands."""
    compilation = Compilation(ROOT / "examples" / "guild")
    players = compilation.summary.players[0]
    module = compilation.ready(players, choose_options(compilation.summary.options, players, None), needed=True)
    alone = game(OnDemandProgram(module), 1)
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(3):
            lazy = OnDemandProgram(module)
            with ThreadPoolExecutor(4) as threads:
                found = list(threads.map(lambda lazy: game(lazy, 1), [lazy] * 4))
            assert found == [alone] * 4
    finally:
        sys.setswitchinterval(often)


WORD = 100


def two(number: int, reason: int = 0) -> ir.Module:
    """`main` stores what `value` answers."""
    value = pure("value", "", ir.Return(C(number)))
    main = routine("main", "", ir.Store(WORD, None, ir.Call("value", ())))
    return module(main, value)


def test_a_function_is_alike_while_it_says_the_same() -> None:
    one, other = Fingerprints(two(-1)), Fingerprints(two(-2))
    assert one.of("main") == other.of("main")
    assert one.of("value") != other.of("value")  # whose numbers have one hash in Python
    assert one.whole() == other.whole()
    assert one.of("nothing") == ""
    moved = two(-1)
    moved.functions["value"] = replace(moved.functions["value"], span=moved.functions["value"].span._replace(line=9))
    assert Fingerprints(moved).of("value") == one.of("value")


def test_numbers_of_what_stands_apart_do_not_count() -> None:
    """A line of the log is what it says, and not the how manieth of the rules."""
    told = routine("main", "", ir.Log(0, (C(1),)))
    later = replace(told, body=(ir.Log(1, (C(1),)),))
    first = module(told)
    hello = replace(first.templates[0], name="hello")
    first.templates = [hello]
    second = module(later)
    second.templates = [replace(hello, name="other"), hello]
    third = module(told)
    third.templates = [replace(hello, name="other")]
    assert Fingerprints(first).of("main") == Fingerprints(second).of("main") != Fingerprints(third).of("main")


def test_a_table_is_what_stands_in_it() -> None:
    look = pure("look", "n", ir.Return(ir.Table("t", L("n"))))
    store = routine("main", "", ir.Store(WORD, None, ir.Call("look", (at(WORD),))))
    one, other = (module(store, look, tables={"t": values}) for values in ((0, 1), (0, 2)))
    assert Fingerprints(one).of("look") != Fingerprints(other).of("look")
    assert Fingerprints(one).of("main") == Fingerprints(other).of("main")

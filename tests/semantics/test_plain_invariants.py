"""What holds on the typed tree holds in compiled code, whatever is asked of what is printed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.compiler.counterexamples import counterexamples
from rulelang.compiler.lower.constant_invariants import constant_invariants, tables_to_check
from rulelang.compiler.lower.table import lower_invariants
from rulelang.compiler.static_checks import surely_holds

FILES = {
    "ruleset.yaml": """\
id: shelf
version: 1.0.0
language: 1
title: Shelf
players: {count: [2, 3], from: start}
options:
  long: {is: bool, default: false, text: a long game}
  size: {is: 1..3, default: 2, text: how large}
files: [things.yaml, shelf.rules]
""",
    "things.yaml": """\
numbers: {limit: 3, hands: {2: 4, 3: 6}, huge: 2000000000}
ladders:
  rank: {rows: [low, middle, high]}
lists:
  suit: {columns: {worth: int, twin: maybe suit}, rows: {red: {worth: 1, twin: blue}, blue: {worth: 2}}}
cards:
  card:
    columns: {cost: int, more: maybe int, suit: suit, other: maybe suit, rank: rank, wild: {is: bool, default: false}}
    rows:
      ann: {cost: 1, suit: red, rank: low, other: blue, copies: 2}
      bea: {cost: 3, suit: blue, rank: high, more: 2}
      cat: {cost: 4, suit: red, rank: middle, wild: true}
      dan: {cost: 0, suit: blue, rank: low, more: 0, other: blue, copies: 0}
kinds:
  player: {attributes: {coins: number}}
zones:
  deck: {holds: card, seen_by: nobody}
state: {start: player}
""",
    "shelf.rules": """\
game:
  for player p: coins(p)
routine coins(player p): p.coins = 1
value score(player p) -> int: p.coins
value price(card c, int n) -> int: c.cost + n
value fine(card c) -> bool: c.cost > 1
value dear(card c, rank r) -> bool: c.cost >= 3 and c.rank >= r
modify fine(c): or c.rank == middle when c.wild
modify fine(k): and k.cost < 9
modify dear(any, any): or option.long
""",
}

NUMBERS = (
    "0", "1", "2", "3", "limit", "hands", "huge", "option.size", "players", "c.cost", "c.suit.worth", "s.worth",
    "price(c, 1)", "price(c, limit)", "c.number",
)  # fmt: skip
TRUTHS = (
    "c.wild", "fine(c)", "dear(c, middle)", "dear(c, c.rank)", "option.long", "c.more is present",
    "c.other is missing", "s.twin is present", "c.suit == red", "c.suit != s", "c.other == blue", "c.other != red",
    "c.rank >= middle", "s.twin == blue", "s == red", "s.twin != s", "any(card d where d.cost > c.cost)",
    "no(suit t where t.worth > 2)", "c.more == 2", "c.more < 2", "c.more != c.cost", "c.other != c.suit",
    "(c.other is present and c.other == blue)",
)  # fmt: skip


def number(rng: random.Random, depth: int) -> str:
    if depth and rng.random() < 0.5:
        return f"({number(rng, depth - 1)} {rng.choice('+-**/%')} {number(rng, depth - 1)})"
    return rng.choice(NUMBERS)


def truth(rng: random.Random, depth: int) -> str:
    way = rng.randrange(6) if depth else 0
    if way in (1, 2):
        return f"({truth(rng, depth - 1)} {rng.choice(('and', 'or'))} {truth(rng, depth - 1)})"
    if way == 3:
        return f"({truth(rng, depth - 1)} if {truth(rng, depth - 1)} else {truth(rng, depth - 1)})"
    if way == 4:
        return f"not {truth(rng, 0)}"
    if way == 5:
        return f"({number(rng, 1)} {rng.choice(('==', '!=', '<', '<=', '>', '>='))} {number(rng, 1)})"
    return rng.choice(TRUTHS)


def write(folder: Path, invariants: str) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text + (invariants if name == "shelf.rules" else ""), encoding="utf-8")
    return folder


@pytest.mark.parametrize("seed", range(4))
def test_it_never_says_more_than_compiled_code(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    asked = []
    for at in range(200):
        kind = rng.choice(("all", "all", "all", "any", "no"))
        said = truth(rng, 3)
        body = f"card c, suit s: {said}" if kind == "all" else f"card c, suit s where {said}"
        if rng.random() < 0.7 or " s" not in said:
            body = body.replace("card c, suit s", "suit s" if "c" not in said else "card c")
            body = body.replace("s.worth", "1").replace("s.twin", "c.other").replace("c.suit != s", "true")
            body = body.replace("s == red", "c.wild")
        asked.append(f"invariant i{at}: {kind}({body})\n")
    compilation = Compilation(write(tmp_path, "".join(asked)))
    wrong = {one.span.line for one in compilation.typed[1]} | {one.span.line for one in compilation.parsed[1]}
    first = FILES["shelf.rules"].count("\n") + 1
    sound = [line for at, line in enumerate(asked) if first + at not in wrong]
    assert len(sound) > 100, [str(one) for one in compilation.typed[1]][:3]

    compilation = Compilation(write(tmp_path, "".join(sound)))
    model, program = compilation.model, compilation.program
    told = {True: 0, False: 0}
    for name, reads in constant_invariants(model, program).items():
        for config in tables_to_check(model, reads):
            lowered = lower_invariants(compilation.graph, config, [name], {})
            assert lowered is not None
            holds = not counterexamples(lowered)
            surely = surely_holds(program.invariants[name], program, model, config)
            assert holds or not surely, (sound, name, config)
            told[surely] += holds
    assert told[True] > 20, told  # and it does say something


@pytest.mark.parametrize(
    "invariant",
    [
        "all(card c: c.cost + limit * 2 > 5 and not c.cost == 7)",
        "all(card c: c.rank >= low and (c.wild or c.suit == red or c.suit == blue))",
        "all(card c where c.other is present: c.other == blue)",
        "no(card c where c.more is present and c.other is present)",
        "any(card c where price(c, 2) == 6)",
        "all(card c: dear(c, high) if option.long else c.cost < 5)",
        "all(card c: fine(c) or c.cost <= 1)",
        "all(suit s: s.worth <= option.size + 1)",
    ],
)
def test_what_is_sound_needs_no_code(invariant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("this was to be known without")

    compilation = Compilation(write(tmp_path, f"invariant sound: {invariant}\n"))
    assert constant_invariants(compilation.model, compilation.program)
    monkeypatch.setattr("rulelang.compiler.lower.table.lower_invariants", refuse)
    assert [*compilation.diagnostics] == []

"""Invariants that read only what is printed are tested by the check, on every table that they tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.memo import Memo
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.lower import constant_invariants

MANIFEST = """\
id: shop
version: 1.0.0
language: 1
title: Shop
players: {count: [2, 4], from: start}
options:
  long: {is: bool, default: false, text: a long game}
  size: {is: 1..3, default: 2, text: how large}
  way: {values: [calm, wild], default: calm, text: how}
files: [things.yaml, shop.rules, traits/]
modes:
  grand: {files: [grand.yaml], text: another}
"""
THINGS = """\
numbers: {limit: 3, hands: {2: 4, 3-4: 6}, prices: [1, 2, 3]}
lists:
  suit:
    columns: {worth: int}
    rows: {red: {worth: 1}, blue: {worth: 2}}
  skill: [dig, swim]
cards:
  card:
    columns: {cost: int, suit: suit, face: trait}
    from: cards.csv
    rows:
      late: {cost: 2, suit: red, face: keen}
  tool:
    columns: {need: {is: condition on skill, counted_by: able}, gives: {is: int, by: skill, default: 0}}
    rows:
      - {need: dig>=2, gives: {dig: 1}}
      - {need: dig>=1, gives: {swim: 1}}
kinds:
  player: {attributes: {coins: number}}
grids:
  land:
    columns: {height: int}
    neighbours: {corners: false}
    maps:
      calm: {height: [1 2, 1 1]}
      wild: {height: [1 9, 1 1]}
    chosen_by: option.way
zones:
  deck: {holds: card, seen_by: nobody}
  rack: {holds: tool, seen_by: everyone}
  worn: {of: player, holds: card, seen_by: everyone}
state: {start: player}
"""
CARDS = "id,cost,suit,face,copies\nann,1,red,keen,2\nbea,3,blue,keen,1\ncat,4,red,keen,5\n"
RULES = """\
game:
  for player p: coins(p)
routine coins(player p): p.coins = 1
value score(player p) -> int: p.coins
value able(tool t, skill k) -> int: t.gives[k]
value price(card c) -> int: c.cost + c.suit.worth
"""
#: No card is dear.
DEAR = "all(card c: price(c) <= limit + 3)"
KEEN = "trait: keen\ntext: {en: It is keen.}\n"


def write(
    folder: Path, rules: str, things: str = THINGS, mod: str = "", mod_rules: str = ""
) -> tuple[Path, list[Path]]:
    shop = folder / "shop"
    (shop / "traits").mkdir(parents=True)
    for name, text in {
        "ruleset.yaml": MANIFEST, "things.yaml": things, "cards.csv": CARDS, "shop.rules": RULES + rules,
        "traits/keen.yaml": KEEN.replace("", ""), "grand.yaml": "set: {numbers.limit: 9}\n",
    }.items():  # fmt: skip
        (shop / name).write_text(text, encoding="utf-8")
    if not mod and not mod_rules:
        return shop, []
    over = folder / "over"
    over.mkdir()
    files = "[more.yaml, more.rules]"
    head = "id: over\nversion: 1.0.0\nlanguage: 1\ntitle: Over\nextends: {shop: '*'}\n"
    (over / "mod.yaml").write_text(f"{head}files: {files}\n", encoding="utf-8")
    (over / "more.yaml").write_text(mod or "{}\n", encoding="utf-8")
    (over / "more.rules").write_text(mod_rules, encoding="utf-8")
    return shop, [over]


def said(folder: Path, rules: str, mode: str | None = None, **more: str) -> list[Diagnostic]:
    shop, mods = write(folder, rules, **more)
    return Compilation(shop, mods, mode).diagnostics.sorted()


def places(one: Diagnostic) -> list[tuple[str, int, int]]:
    return [(Path(r.span.path).name, r.span.line, r.span.column) for r in one.related]


def test_rows_of_a_card_file_are_named_with_their_cells(tmp_path: Path) -> None:
    (one,) = said(tmp_path, "invariant cheap: all(card c: c.cost <= limit)\n")
    assert (one.code, one.severity) == ("X613", "error")
    assert (Path(one.span.path).name, one.span.line) == ("shop.rules", 7)
    assert one.message == "printed data breaks the invariant `cheap`"
    assert one.because == "`c` is cat, `c.cost` is 4, `limit` is 3"
    assert places(one) == [("cards.csv", 4, 5), ("things.yaml", 1, 18)]


@pytest.mark.parametrize(
    ("invariant", "because", "where"),
    [
        ("all(suit s: s.worth < 2)", "`s` is blue, `s.worth` is 2", [("things.yaml", 5, 43)]),
        ("no(card c where price(c) == 3)", "`c` is late, `price(c)` is 3", [("things.yaml", 12, 7)]),
        ("sum(card c: c.cost) == 20", "`sum(card c: c.cost)` is 27", []),
        ("all(card c, card d where d.cost > c.cost: d.suit.worth > c.suit.worth)",
         "`c` is ann, `d` is cat, `d.suit.worth` is 1, `c.suit.worth` is 1; `c` is ann, `d` is late, `d.suit.worth` "
         "is 1, `c.suit.worth` is 1; `c` is bea, `d` is cat, `d.suit.worth` is 1, `c.suit.worth` is 2; `c` is late, "
         "`d` is cat, `d.suit.worth` is 1, `c.suit.worth` is 1",
         [("cards.csv", 2, 7), ("cards.csv", 4, 7), ("things.yaml", 12, 29), ("cards.csv", 3, 7)]),
        ("all(tool t: t meets t.need)", "`t` is tool 1, `t meets t.need` is false; `t` is tool 2, `t meets t.need` is "
         "false", [("things.yaml", 16, 16), ("things.yaml", 17, 16)]),
        ("prices[2] == 3", "`prices[2]` is 2", [("things.yaml", 1, 52)]),
        ("hands == 4", "with 3 players: `hands` is 6", [("things.yaml", 1, 28)]),
        ("hands >= players * 2", "with 4 players: `hands` is 6, `players * 2` is 8", [("things.yaml", 1, 28)]),
        ("option.size < 3 or not option.long",
         "with `option.long` true and `option.size` 3: `option.size` is 3; `option.long` is true", []),
        ("option.way != wild", "with `option.way` wild: `option.way` is wild", []),
        ("all(land x: x.height < 5)", "with `option.way` wild: `x` is b1, `x.height` is 9", []),
        ("all(land x, land y where y in neighbours(x): x.height - y.height < 2)",
         "with `option.way` wild: `x` is b1, `y` is a1, `x.height - y.height` is 8; "
         "`x` is b1, `y` is b2, `x.height - y.height` is 8", []),
        ("count(trait t) == 2", "`count(trait t)` is 1", []),
        ("count(player p) < 4", "with 4 players: `count(player p)` is 4", []),
    ],
)  # fmt: skip
def test_what_is_printed(invariant: str, because: str, where: list[tuple[str, int, int]], tmp_path: Path) -> None:
    (one,) = said(tmp_path, f"invariant fine: {invariant}\n")
    assert one.code == "X613", one
    assert one.because == because
    assert places(one) == where


@pytest.mark.parametrize(
    "invariant",
    [
        "all(card c: c.cost <= 4)",
        "all(player p: p.coins <= 1 and p.coins < limit)",  # it reads the state
        "all(card c in deck: c.cost > 100)",
        "count(card c in deck) < 1",
        "all(card c: price(c) < 9)",
        "all(player p: p != start or p.coins == 0)",
    ],
)
def test_what_holds_or_reads_the_state_is_not_told(invariant: str, tmp_path: Path) -> None:
    assert said(tmp_path, f"invariant fine: {invariant}\n") == []


def test_many_rows_are_counted(tmp_path: Path) -> None:
    more = "".join(f"      x{n}: {{cost: 9, suit: red, face: keen}}\n" for n in range(8))
    things = THINGS.replace("      late:", more + "      late:")
    (one,) = said(tmp_path, "invariant cheap: all(card c: c.cost < 9)\n", things=things)
    assert one.because.endswith("`c` is x4, `c.cost` is 9; and 3 more")
    assert len(one.related) == 5


def test_a_mod_is_shown_at_its_own_line(tmp_path: Path) -> None:
    mod = "set:\n  cards.card.rows.bea.cost: 8\ncards:\n  card: {rows: {dan: {cost: 9, suit: red, face: keen}}}\n"
    (one,) = said(tmp_path, "invariant cheap: all(card c: c.cost <= 4)\n", mod=mod)
    assert one.because == "`c` is bea, `c.cost` is 8; `c` is dan, `c.cost` is 9"
    assert places(one) == [("more.yaml", 2, 29), ("more.yaml", 4, 29)]


def test_a_mod_may_set_a_number(tmp_path: Path) -> None:
    (one,) = said(tmp_path, "invariant cheap: all(suit s: s.worth <= limit)\n", mod="set: {numbers.limit: 1}\n")
    assert one.because == "`s` is blue, `s.worth` is 2, `limit` is 1"
    assert places(one) == [("things.yaml", 5, 43), ("more.yaml", 1, 22)]


def test_a_mode_is_tested_as_it_is(tmp_path: Path) -> None:
    shop, _ = write(tmp_path, "invariant cheap: all(card c: c.cost <= limit)\n")
    assert [d.code for d in Compilation(shop).diagnostics] == ["X613"]
    assert [d.code for d in Compilation(shop, mode="grand").diagnostics] == []


def test_what_a_mod_modifies_is_read_as_it_is_then(tmp_path: Path) -> None:
    rules = "invariant cheap: all(card c: price(c) <= 6)\n"
    (one,) = said(tmp_path, rules, mod_rules="modify price(any): + 2\n")
    assert one.because == "`c` is bea, `price(c)` is 7; `c` is cat, `price(c)` is 7"


@pytest.mark.parametrize(
    ("invariant", "mod", "mod_rules", "shared"),
    [
        (DEAR, "set: {numbers.hands: 7}\n", "", True),
        (DEAR, "kinds: {player: {attributes: {more: number}}}\n", "", True),
        (DEAR, "cards: {card: {attributes: {used: number}}}\n", "", True),
        (DEAR, "lists: {skill: {rows: {dive: {}}}}\n", "", True),
        (DEAR, "set: {numbers.limit: 1}\n", "", False),
        (DEAR, "set: {lists.suit.rows.red.worth: 5}\n", "", False),
        (DEAR, "cards: {card: {rows: {new: {cost: 5, suit: blue, face: keen}}}}\n", "", False),
        (DEAR, "", "modify price(any): + 2\n", False),
        (DEAR, "", "replace value price(card c) -> int: 9\n", False),
        ("all(land a: a.height <= 9)", "set: {grids.land.maps.calm.height: [1 2, 1 10]}\n", "", False),
        ("all(trait t: t.pair is missing)", "extend: {traits.keen: {pair: mutual}}\n", "", False),
        ("count(card c) < 10", "set: {cards.card.rows.cat.copies: 9}\n", "", False),
    ],
)  # fmt: skip
def test_variants_share_what_their_invariants_stand_on(
    invariant: str, mod: str, mod_rules: str, shared: bool, tmp_path: Path
) -> None:
    """And whatever they share, a variant says what a check of it alone says."""
    shop, mods = write(tmp_path, f"invariant cheap: {invariant}\n", mod=mod, mod_rules=mod_rules)
    memo = Memo(again=False)
    assert [*Compilation(shop, memo=memo).diagnostics] == []
    before = memo.done["tables tested"]
    found = Compilation(shop, mods, memo=memo).diagnostics.sorted()
    assert (memo.done["tables tested"] == before) is shared
    assert found == Compilation(shop, mods).diagnostics.sorted()
    assert shared or [one.code for one in found] == ["X613"]


def test_what_traits_modify_is_tested_in_games(tmp_path: Path) -> None:
    shop, _ = write(tmp_path, "invariant cheap: all(card c: price(c) <= 4)\n")
    (shop / "traits/keen.yaml").write_text(KEEN.replace("", "") + "rules: |\n  modify price(this): + 2\n")
    found = Compilation(shop).diagnostics
    assert "X613" not in [d.code for d in found]


def test_a_division_by_zero_is_told_at_its_place(tmp_path: Path) -> None:
    (one,) = said(tmp_path, "invariant parts: all(card c: 6 / (c.cost - 4) > -9)\n")
    assert (one.code, one.span.line) == ("X602", 7)


def test_games_need_not_test_it_again(tmp_path: Path) -> None:
    shop, _ = write(tmp_path, "invariant cheap: all(card c: c.cost <= 4)\ninvariant rich: all(player p: p.coins < 2)\n")
    state = load(shop).new(players=2, seed=1)
    assert [name for name, _, _ in state.table.program.module.invariants] == ["rich"]  # type: ignore[attr-defined]


def test_of_too_many_tables_each_value_is_tested_and_games_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constant_invariants, "MOST_TABLES", 4)
    rules = "invariant free: option.size < 3 or option.way == calm\ninvariant one: option.size < 3 or players > 9\n"
    shop, _ = write(tmp_path, rules)
    (one,) = Compilation(shop).diagnostics
    assert "`one`" in one.message
    assert one.because.startswith("with 2 players and `option.size` 3")


def test_what_goes_over_too_much_is_left_to_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = "invariant cheap: all(card c, card d: c.cost + d.cost <= 7)\n"
    assert [d.code for d in said(tmp_path / "a", rules)] == ["X613"]
    monkeypatch.setattr(constant_invariants, "MOST_COMBINATIONS", 50)
    assert said(tmp_path / "b", rules) == []

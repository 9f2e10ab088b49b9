"""State values, attributes, tables and declared values are read by their names, on every backend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.backends.named import BACKENDS
from tests.engine.fake import fake_game

RULES = {
    "ruleset.yaml": """\
id: shore
version: 1.0.0
language: 1
title: {en: Shore}
players: {count: 2, from: start}
files: [things.yaml, game.rules, traits/]
""",
    "things.yaml": """\
lists: {place: {rows: {pond: {}, reef: {}}}}
kinds:
  crab:
    of: player
    at_most: 2
    names: [Ada, Ben, Cleo, Dan]
    attributes: {size: {is: 1..9, start: 2}, home: maybe place}
  player: {attributes: {size: number, tired: bool}}
tables:
  trail: {of: [crab, place], is: 0..9}
cards: {card: {columns: {face: trait}, rows: [{face: claw, copies: 2}]}}
zones: {hand: {of: player, holds: card, seen_by: owner}}
state:
  start: player
  tide: {is: 0..9, start: 3}
  best: maybe crab
  mark: maybe int
""",
    "game.rules": """\
game:
  for player p: create crab of p
  for crab c of start: best = c
  for card c: move c to start.hand
  for crab c of start:
    trail[c, reef] = 4
    c.home = reef
  playing
phase playing: turns p from start once each: offer one action to p or pass
action wave(crab c of actor) during playing: c.size += 1
routine stir(crab c): c.size += 1
value score(player p) -> int: sum(crab c of p: c.size)
value rank(player p) -> order: p.size then score(p)
value unused(int n, maybe place x) -> maybe place: x if n > 1 else none
value calm -> bool: tide < 5
value far(crab c, bool b) -> int: 1 / c.size if b else 0
value wrong -> int: 1 / (tide - 3)
""",
    "traits/claw.yaml": "trait: claw\ntext: {en: It pinches.}\nstate: {worn: {is: number, start: 1}}\n",
}


@pytest.fixture(scope="module")
def shore(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("shore")
    for name, said in RULES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(said, encoding="utf-8")
    return rulelang.load(folder)


@pytest.mark.parametrize("backend", BACKENDS)
def test_everything_that_is_declared_is_read_by_its_name(shore: Game, backend: str) -> None:
    state = shore.new(backend=backend, players=2)
    assert (state["start"], state["tide"], state["best"], state["mark"]) == (1, 3, "Ada", None)
    assert ("tide" in state, "trail" in state, 3 in state) == (True, False, False)
    assert (state.attribute("size", "Ada"), state.attribute("home", "Ada")) == (2, "reef")
    assert (state.attribute("tired", "ana"), state.attribute("size", ("player", 1))) == (False, 0)
    assert state.attribute("claw.worn", state.table.program.layout.sorts["card"][0]) == 1
    assert state.cell("trail", "ada", "reef") == 4
    assert state.cells("trail") == {("Ada", "pond"): 0, ("Ada", "reef"): 4, ("Ben", "pond"): 0, ("Ben", "reef"): 0}
    assert (state.value("score", "ana"), state.value("score", 2), state.value("calm")) == (2, 2, True)
    assert state.value("rank", 1) == (0, 2)
    assert (state.value("unused", 1, "pond"), state.value("unused", 2, "pond")) == (None, "pond")
    assert state.value("unused", 2, None) is None
    assert state.view()["state"]["mark"] is None
    state.play("wave Ada")
    assert (state.attribute("size", "Ada"), state.value("score", 1), state["tide"]) == (3, 3, 3)


NAMES = [
    (lambda s: s["tid"], "there is no state value `tid`; did you mean `tide`?"),
    (lambda s: s["tired"], 'no state value `tired`: it is an attribute of player: state.attribute("tired", player)'),
    (lambda s: s["trail"], 'it is a table: state.cell("trail", crab, place)'),
    (lambda s: s["score"], 'it is a value: state.value("score", p)'),
    (lambda s: s["round"], "it is a property: state.round"),
    (lambda s: s["playing"], "it is a phase"),
    (lambda s: s["wave"], "it is an action"),
    (lambda s: s["hand"], "it is a zone"),
    (lambda s: s["scor"], 'did you mean `score`? It is a value: state.value("score", p)'),
    (lambda s: s["zzzzzz"], "there is no state value `zzzzzz`"),
    (lambda s: s.attribute("tide", 1), 'there is no attribute `tide`: it is a state value: state["tide"]'),
    (lambda s: s.attribute("worn", 1), "there is no attribute `worn`"),
    (lambda s: s.cell("trial", 1, 1), "there is no table `trial`; did you mean `trail`?"),
    (lambda s: s.cells("tide"), "there is no table `tide`"),
    (lambda s: s.value("tide"), 'there is no value `tide`: it is a state value: state["tide"]'),
    (lambda s: s.value("calmm"), "there is no value `calmm`; did you mean `calm`?"),
    (lambda s: s.call("stirr", [1]), "there is no routine `stirr`; did you mean `stir`?"),
    (lambda s: s.call("score", [1]), 'there is no routine `score`: it is a value: state.value("score", p)'),
    (lambda s: s.call("wave", [1]), "there is no routine `wave`: it is an action"),
    (lambda s: s.why_not_call("wav", [1]), "there is no action or routine `wav`; did you mean `wave`?"),
    (lambda s: s["stir"], "it is a routine"),
]


@pytest.mark.parametrize(("read", "said"), NAMES, ids=[said for _, said in NAMES])
def test_another_name_is_a_key_error_that_says_what_it_is(shore: Game, read: Any, said: str) -> None:
    with pytest.raises(KeyError) as caught:
        read(shore.new(2))
    assert said in str(caught.value)


ARGUMENTS = [
    (lambda s: s[1], TypeError, "the name of a state value must be a string, not int 1"),
    (lambda s: s.value("score"), TypeError, "`score(player p)` takes 1 argument, not 0"),
    (lambda s: s.value("calm", 1), TypeError, "`calm()` takes 0 arguments, not 1"),
    (lambda s: s.call("stir", []), TypeError, "`stir` takes 1 argument, not 0"),
    (lambda s: s.why_not_call("wave", [1, 2]), TypeError, "`wave` takes 1 argument, not 2"),
    (lambda s: s.value("score", True), TypeError, "`p` of `score` must be a whole number, not bool True"),
    (lambda s: s.value("score", None), TypeError, "must be a whole number, not None"),
    (lambda s: s.value("score", 1.0), TypeError, "not float 1.0"),
    (lambda s: s.value("score", [1]), TypeError, "not list [1]"),
    (lambda s: s.value("score", 3), ValueError, "there is no player 3"),
    (lambda s: s.value("score", 0), ValueError, "there is no player 0"),
    (lambda s: s.value("score", -1), ValueError, "there is no player -1"),
    (lambda s: s.value("score", "anna"), ValueError, "there is no player `anna`; did you mean `ana`?"),
    (lambda s: s.value("score", ("crab", 1)), ValueError, "must be of kind player, not tuple ('crab', 1)"),
    (lambda s: s.value("unused", 1 << 70, None), ValueError, "must fit into 64 bits"),
    (lambda s: s.value("unused", "1", None), TypeError, "`n` of `unused` must be a whole number, not str '1'"),
    (lambda s: s.value("far", "Ada", 1), TypeError, "`b` of `far` must be True or False, not int 1"),
    (lambda s: s.value("far", 2, True), ValueError, "there is no crab 2 in play"),
    (lambda s: s.value("far", "Cleo", True), ValueError, "there is no crab `Cleo`"),
    (lambda s: s.attribute("size", 1), ValueError, "attribute `size` must be one of player or crab: give the pair"),
    (lambda s: s.attribute("size", "reef"), ValueError, "there is no player or crab `reef`"),
    (lambda s: s.attribute("size", "Ada", 1), TypeError, "attribute `size` takes 0 rows, not 1"),
    (lambda s: s.attribute("claw.worn", "claw"), ValueError, "there are 2 things `claw`; give the handle of one"),
    (lambda s: s.cell("trail", "Ada"), TypeError, "table `trail` takes 2 rows (crab, place), not 1"),
    (lambda s: s.cell("trail", "Ada", "sea"), ValueError, "there is no place `sea`"),
    (lambda s: s.value("wrong"), rulelang.RuleError, "X602"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "error", "said"), ARGUMENTS, ids=[said for *_, said in ARGUMENTS])
def test_wrong_arguments_are_reported(shore: Game, read: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        read(shore.new(2))
    assert said in str(caught.value)


def test_numbers_of_numpy_count_as_numbers(shore: Game) -> None:
    numpy = pytest.importorskip("numpy")
    state = shore.new(numpy.int64(2), seed=numpy.uint8(7))
    assert state.value("score", numpy.int32(1)) == 2
    assert (type(state.seed), type(state.choices)) == (int, list)
    state.play(numpy.int64(0))
    assert [type(choice) for choice in state.choices] == [int]
    assert state.hash() == play(shore.new(2, seed=7), 0).hash()
    with pytest.raises(TypeError):
        state.play(numpy.bool_(True))


def play(state: State, choice: int) -> State:
    state.play(choice)
    return state


def test_a_game_without_texts_says_so(root: Path) -> None:
    state = fake_game().new(2)
    with pytest.raises(ValueError, match="has no rules texts"):
        state.value("size", 1)
    with pytest.raises(KeyError, match="no state value `siz`"):
        state["siz"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_decisions_count_those_that_were_made(shore: Game, backend: str) -> None:
    state = shore.new(2, backend=backend)
    counts = [state.decisions]
    while not state.over:
        state.play(0)
        counts.append(state.decisions)
    assert counts == [0, 1, 2]
    assert state.undo() == 1
    assert (state.decisions, shore.restore(state.save(), backend).decisions) == (1, 1)

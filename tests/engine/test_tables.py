"""What a table has depends on its options: cards within a range, and as many places as there are cards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

import rulelang
from tests.backends.named import HERE
from tests.cli.helpers import run

FILES = {
    "ruleset.yaml": """
id: tiny
version: 1.0.0
language: 1
title: {en: Tiny}
players: {count: [2, 2], play: clockwise}
options: {sets: {is: 1..3, default: 2}}
files: [all.yaml, game.rules]
""",
    "all.yaml": """
cards:
  card:
    columns: {set: 1..3, worth: int}
    for_each: {set: 1..option.sets}
    rows: [{worth: 1}, {worth: 5, copies: 2}]
kinds: {heap: {of: player, at_most: card}}
zones:
  deck: {holds: card, seen_by: nobody}
state: {total: number}
""",
    "game.rules": """
game:
  for card c: total += c.worth * c.set
  move all box to deck
  for player p: repeat 20 times: create heap of p
value score(player p) -> int: total + count(heap h of p)
value tiebreak(player p) -> order: 0
""",
}


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder, with the files of a ruleset in it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.lstrip(), encoding="utf-8")
    return folder


@pytest.mark.parametrize(("sets", "cards"), [(1, 3), (2, 6), (3, 9)])
def test_cards_of_a_range(tmp_path: Path, sets: int, cards: int) -> None:
    written(tmp_path, FILES)
    game = rulelang.load(tmp_path)
    table = game.table(2, {"sets": sets})
    layout = table.program.layout
    assert len(layout.cards) == cards + 1
    assert {card.columns["set"] for card in layout.cards[1:]} == set(range(1, sets + 1))
    assert layout.kinds["heap"].per_owner == cards
    state = game.new(2, options={"sets": sets}, log=False)
    total = sum(11 * number for number in range(1, sets + 1))
    assert state.scores == [total + min(20, cards)] * 2


PRINTS = FILES | {
    "all.yaml": """
cards:
  card:
    columns: {set: {is: 1..3, tells_apart: false}, worth: int}
    for_each: {set: 1..option.sets}
    rows: {penny: {worth: 1, copies: 2}, crown: {worth: 5}}
state: {start: player}
zones:
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
  pile: {holds: card, seen_by: everyone}
""",
    "game.rules": """
game:
  for card c: move c to deck
  shuffle deck
  for player p: draw 3 from deck to p.hand
  play
phase play: turns p from start until all pass: offer one action to p or pass
action lay(card c in actor.hand) during play: move c to pile
action swap(card c in actor.hand, card d in deck where d.worth != c.worth) during play in steps:
  move c to pile
  move d to actor.hand
value score(player p) -> int: sum(card c in p.hand: c.worth)
""",
}


def test_a_column_that_tells_no_cards_apart_makes_no_options(tmp_path: Path) -> None:
    """Copies of three sets are offered as one, in actions and in their steps, counted, listed and drawn."""
    written(tmp_path, PRINTS)
    game = rulelang.load(tmp_path)
    offered = {"lay penny", "lay crown", "swap", "pass", "penny", "crown"}
    for seed in range(30):
        games = [game.new(2, seed, options={"sets": 3}, backend=backend) for backend in HERE]
        drawn = [game.new(2, seed, options={"sets": 3}, backend=backend) for backend in HERE]
        dice = Random(seed)
        while not games[0].over:
            texts = [option.text for option in games[0].decision.options]
            assert len(texts) == len(set(texts))
            assert offered.issuperset(texts)
            number = dice.randrange(len(texts))
            for state in games:
                assert [option.text for option in state.decision.options] == texts
                state.play(number)
        assert all(state.over and state.hash() == games[0].hash() for state in games)
        assert len({str(state.playout(seed)) for state in drawn}) == 1
    sets = {card.columns["set"] for card in game.table(2, {"sets": 3}).program.layout.cards[1:]}
    assert sets == {1, 2, 3}


ROWS = FILES | {
    "all.yaml": """
cards:
  card:
    columns: {worth: {is: int, by: copy}, set: {is: 1..3, tells_apart: false}}
    for_each: {set: 1..option.sets}
    rows:
      - {worth: [1, 2], rules: 'action pay during play: tells "paid {this.worth}"'}
      - {worth: [7], rules: 'after ping: tells "heard {self.worth}"'}
      - {worth: [7], rules: 'after ping: tells "seen {self.worth}"'}
state: {start: player}
zones:
  hand: {of: player, holds: card, seen_by: owner, playable: true, in_force: true}
  pile: {holds: card, seen_by: everyone, in_force: true}
""",
    "game.rules": """
game:
  for card c: move c to pile
  ping
  for card c: move c to start.hand
  play
routine ping
phase play: turns p from start once each: offer one action to p or pass
action lay(card c in actor.hand) during play: move c to pile
value score(player p) -> int: 0
""",
}


@pytest.mark.parametrize("sets", [1, 2, 3])
def test_rules_of_repeated_rows(tmp_path: Path, sets: int) -> None:
    """Each repetition brings the rules of its row; rows with rules differ; copies whose print differs are offered."""
    written(tmp_path, ROWS)
    game = rulelang.load(tmp_path)
    for backend in HERE:
        state = game.new(2, options={"sets": sets}, backend=backend)
        said = [str(event).strip() for event in state.log]
        assert said.count("heard 7") == said.count("seen 7") == sets
        lays = ["lay card 1 1", "lay card 1 2", "lay card 2", "lay card 3"]
        pays = ["pay card 1 1", "pay card 1 2"]
        assert [option.text for option in state.decision.options] == [*lays, *pays, "pass"]


# ---- teams

TEAMS = {
    **FILES,
    "ruleset.yaml": FILES["ruleset.yaml"]
    .replace("[2, 2]", "[2, 6]")
    .replace("{sets:", "{seating: {values: [single, pairs], default: single}, sets:")
    .replace("files:", "teams: {when: option.seating == pairs, size: 2, players: [4, 6], seats: opposite}\nfiles:"),
    "game.rules": """
game: noon
phase noon: turns p from first(player q) once each: offer one action to p or pass
action up during noon: total += 1
value score(player p) -> int: total
""",
    "scenarios/pairs.yaml": """
- name: three in pairs
  options: {seating: pairs}
  given: {phase: noon, players: [ana, bob, cleo]}
""",
}
NO_TEAMS = "option `seating` cannot be pairs with 3 players: teams need 4 or 6"


def test_teams_that_so_many_cannot_form_are_refused_before_the_game(tmp_path: Path) -> None:
    where = written(tmp_path, TEAMS)
    game = rulelang.load(where)
    pairs = {"options": {"seating": "pairs"}}
    assert game.new(4, 1, **pairs).table.program.teams == ((1, 3), (2, 4))
    assert game.new(3, 1).table.program.teams == ()
    for refused in (lambda: game.new(3, 1, **pairs), lambda: game.simulate(2, 3, **pairs)):
        with pytest.raises(ValueError, match=NO_TEAMS):
            refused()
    with pytest.raises(rulelang.LoadError) as mistaken:
        game.position({"phase": "noon", "players": ["ana", "bob", "cleo"], **pairs})
    assert [(item.code, item.message) for item in mistaken.value.diagnostics] == [("C702", NO_TEAMS)]
    for arguments in (
        ("play", where, "--bots", "3", "-o", "seating=pairs"),
        ("play", where, "-p", "3", "-o", "seating=pairs"),
        ("sim", where, "-n", "1", "-p", "3", "-o", "seating=pairs"),
        ("check", where),
        ("test", where),
    ):
        result = run(*map(str, arguments))
        assert NO_TEAMS in result.output
        assert result.exit_code != 0

"""A game in which hands go round: no action names a card, so a card is played by whoever chooses it."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.apps.lab.rendering import report_markdown
from rulelang.apps.lab.report import page_of
from rulelang.apps.lab.study import Study
from rulelang.runtime.game import Game
from tests.spec.pages import write

FILES = {
    "ruleset.yaml": "id: fair\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Fair}\n"
    "players: {count: [2, 3], play: clockwise}\nfiles: [things.yaml, game.rules]\n",
    "things.yaml": "cards:\n  prize:\n    columns: {worth: 0..9}\n    rows:\n"
    "      bear: {worth: 5, copies: 6}\n      ball: {worth: 2, copies: 12}\n      rag: {worth: 0, copies: 12}\n"
    "zones:\n  deck: {holds: prize, seen_by: nobody}\n  hand: {of: player, holds: prize, seen_by: owner}\n"
    "  passing: {of: player, holds: prize, seen_by: nobody}\n  shelf: {of: player, holds: prize}\n",
    "game.rules": """
game:
  for prize x: move x to deck
  shuffle deck
  rounds until deck is empty:
    dealing
    picking

phase dealing: for player p: draw 5 from deck to p.hand

phase picking:
  repeat until no(player p where p.hand is not empty):
    secretly for player p:
      choose prize x in p.hand by p "to keep"
      move x to p.shelf
    for player p: move all p.hand to next(p).passing
    for player p: move all p.passing to p.hand

value score(player p) -> int: sum(prize x in p.shelf: x.worth)
""",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("fair")
    write(folder, FILES)
    return rulelang.load(folder)


@pytest.mark.parametrize("backend", ["python", "native"])
def test_what_is_chosen_is_played(game: Game, backend: str) -> None:
    study = Study(game, players=3, agents=["random"], seed=1, backend=backend)
    study.play(300)
    figures = study.figures()
    cards = {card.id: card for card in figures.cards}
    assert set(cards) == {"bear", "ball", "rag"}
    for card in cards.values():
        assert 0 < card.played <= card.copies
        assert card.of_drawn > 0.3
    assert cards["bear"].when_played.effect.low > 0.1
    assert "played" in cards["bear"].told
    assert "Every card was played, every action taken" in report_markdown(page_of(figures))

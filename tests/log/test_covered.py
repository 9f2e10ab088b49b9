"""Nothing that a player would want to know happens without a line of the log."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.presentation.story import Story
from tests.cli.helpers import MANIFEST, THINGS
from tests.log.games import everywhere, positions


class Watching(Story):
    """A story that keeps what it says of changes for which the rules have no words."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def _change(self, log, place):  # type: ignore[no-untyped-def]
        for line in super()._change(log, place):
            self.found += [] if line.heading else [line.text]
            yield line


@everywhere
@pytest.mark.parametrize(("agent", "seed"), [("random", 1), ("ahead", 2)])
def test_the_rules_have_words_for_all_that_matters(name: str, agent: str, seed: int) -> None:
    """Cards that move in sight or into a hand, things that come and go, what points are made of."""
    story = Watching()
    looked = 0
    for state in positions(name, 3, seed, agent):
        story.news(state)
        looked = len(state.log.changes)
    assert story.found == []
    assert looked > 100


RULES = """\
game: earning

phase earning:
  turns p from first(player q) once each: offer any actions to p or pass

action work(int n from 1 to 2) during earning once per game:
  pay(actor, n)
  tells "the sun sets"

action toil during earning once per game: pay(actor, 3)

routine pay(player p, int n): p.coins += n

value score(player p) -> int: p.coins
"""


def test_points_of_which_no_rule_says_a_word_are_told(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "things.yaml").write_text(THINGS, encoding="utf-8")
    (tmp_path / "game.rules").write_text(RULES, encoding="utf-8")
    state = rulelang.load(tmp_path).new(2, 1)
    state.play("toil")
    state.play("work 2")
    state.play("pass")
    assert Story().news(state) == [
        "  Earning",
        "    ana: toil; ana: coins from 0 to 3",
        "    ana: the sun sets",
        "    bob passes",
    ]
    full = Story(full=True).news(state)
    assert "      ana: coins from 3 to 5" in full or "    ana: coins from 3 to 5" in full

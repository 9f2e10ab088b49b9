"""A whole game between agents, told as it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.engine.seating import Agent
from rulelang.engine.state import State
from rulelang.play.board import draw
from rulelang.play.ending import scores
from rulelang.play.gridmap import maps
from rulelang.play.story import Story

Say = Callable[[str], None]


def watch(state: State, agents: Sequence[Agent], say: Say, columns: int = 100) -> None:
    """Play to the end; `agents` by seat. Says what happens, then the table and the scores.

    A game with a map shows it as the first decision of each round finds it.
    """
    story = Story()
    round_ = -1
    while not state.over:
        for line in story.news(state):
            say(line)
        if state.round != round_:
            round_ = state.round
            map_ = maps(state.view(None), columns)
            for line in ["", *map_, ""] if map_ else ():
                say(line)
        state.play(agents[state.decider - 1].choose(state))
    for line in story.news(state):
        say(line)
    say("")
    say("The table at the end")
    for line in draw(state, None, columns)[1:]:
        say(line)
    say("")
    for line in scores(state):
        say(line)

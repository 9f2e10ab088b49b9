"""A whole game between agents, told as it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.base.terminal import fold_line
from rulelang.presentation.console.board import draw, mapped
from rulelang.presentation.console.match import Keeper
from rulelang.presentation.console.render_log import Story
from rulelang.presentation.console.result import scores
from rulelang.runtime.seating import Agent, asked
from rulelang.runtime.state import State

Say = Callable[[str], None]


def watch(
    state: State,
    agents: Sequence[Agent],
    say: Say,
    columns: int = 100,
    *,
    full: bool = False,
    keeper: Keeper | None = None,
) -> None:
    """Play to the end; `agents` by seat. Says what happens, then the table and the scores.

    A game with a map shows it as the first decision of each round finds it. `full`: nothing is folded (see `Story`).
    `keeper` notes the moves.
    """
    story = Story(full=full, waits=True)
    round_ = -1

    def tell(lines: Sequence[str]) -> None:
        for line in lines:
            for part in fold_line(line, columns):
                say(part)

    while not state.over:
        tell(story.news(state))
        if state.round != round_:
            round_ = state.round
            map_ = mapped(state, None, columns)
            tell(["", *map_, ""] if map_ else ())
        choice = asked(agents[state.decider - 1], state)
        if keeper is not None:
            keeper.move(state, choice)
        state.play(choice)
    if keeper is not None:
        keeper.end(state)
    tell(story.news(state))
    tell(["", state.names.language.say("The table at the end"), *draw(state, None, columns)[1:], "", *scores(state)])

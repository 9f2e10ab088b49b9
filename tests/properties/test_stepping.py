"""Stepping through a game from one forced point to the next, as scenarios do, leads to the same words as playing it."""

from __future__ import annotations

from rulelang.runtime.agents import Random
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from tests.properties.games import Ruleset, everywhere, game_of, usual


def begun(ruleset: Ruleset, seed: int) -> tuple[State, State]:
    """A game as it is played, and the same with a pause at every stop and every forced question."""

    def prepare(words: list[int], table: Table) -> None:
        words[table.program.layout.cells.stepping] = 1

    table = usual(ruleset).table
    return usual(ruleset).new(seed, log=True), game_of(ruleset).start(table, seed, prepare=prepare)


def standing(state: State) -> tuple[object, ...]:
    """All words but those of the control stack, of which only frames count: where each lies, and its point; what is
    asked with them; the log. Frames leave words behind that nobody reads, so the whole stack is not compared."""
    program = state.table.program
    cells, S = program.layout.cells, list(state.words)
    frames, frame = [], S[cells.frame]
    while frame:
        frames.append((frame, S[frame]))
        frame = S[frame + 1]
    S[cells.stepping] = 0
    options = None if state.over else program.options(S)
    return S[: program.layout.stack], frames, options, len(state.log), [str(event) for event in state.log[-3:]]


@everywhere
def test_the_same_words_at_every_question(ruleset: Ruleset) -> None:
    kinds: set[str] = set()
    played, stepped = begun(ruleset, 3)
    agent = Random(3)
    while True:
        while stepped.option_count == 1:
            kinds.add(stepped.decision.prompt if stepped.decision.kind == "stop" else "forced")
            saved = stepped.table.program.frames_wrong(stepped.words)
            assert not saved, saved
            stepped.play(0)
        assert standing(stepped) == standing(played)
        if played.over:
            break
        choice = agent.choose(played)
        played.play(choice)
        stepped.play(choice)
    assert {
        "forced",
        "turn begins",
        "action",
        "turn ends",
        "turn",
        "phase ends",
        "phase",
        "round ends",
        "round",
    } >= kinds
    assert {"forced", "turn", "phase"} <= kinds


@everywhere
def test_a_playout_from_a_pause_ends(ruleset: Ruleset) -> None:
    """Nobody looks at stops in it."""
    _, stepped = begun(ruleset, 5)
    seen: set[str] = set()
    agent = Random(5)
    for _ in range(60):
        if stepped.over:
            break
        if stepped.decision.kind not in seen:
            seen.add(stepped.decision.kind)
            assert len(stepped.playout(7)) == stepped.table.players
        stepped.play(agent.choose(stepped))
    assert "stop" in seen

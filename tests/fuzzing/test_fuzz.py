"""`rulelang fuzz`: a planted mistake is found, made small and written down; a sound game passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.apps.fuzzing import parallel_search, playing
from rulelang.apps.fuzzing.inside import Inside
from rulelang.apps.fuzzing.meetings import Meetings
from rulelang.apps.fuzzing.parallel_search import fuzz
from rulelang.apps.fuzzing.playing import Counts, Player, Wrong
from rulelang.base.errors import RuleError
from rulelang.base.layout import Layout
from rulelang.runtime import state
from rulelang.runtime.agents import Random
from rulelang.runtime.state import State
from rulelang.runtime.validate_state import InvalidState
from rulelang.testing.replay import find_divergence, read
from rulelang.testing.scenarios.run import run_path
from tests.cli.helpers import run
from tests.fuzzing.pool import pool
from tests.native.machine import needs_compiler


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pool(tmp_path_factory.mktemp("sound") / "pool", sound=True)


def test_a_planted_mistake_is_found_and_made_small(tmp_path: Path) -> None:
    """Two traits on one thing, and one move: nothing else is left of the game."""
    folder = pool(tmp_path / "pool")
    done = run("fuzz", str(folder), "-n", "32", "--out", str(tmp_path / "found"))
    assert done.exit_code == 1
    assert "1 finding" in done.output
    scenario = (tmp_path / "found" / "finding-1.yaml").read_text("utf-8")
    assert "finned" in scenario
    assert "greedy" in scenario
    assert "shy" not in scenario
    assert "armed" not in scenario
    assert scenario.count("graze") == 1
    assert len(scenario.splitlines()) < 14, scenario
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "found.yaml").write_text(scenario, "utf-8")
    report = run_path(folder)
    (outcome,) = report.outcomes
    assert not outcome.mistakes
    assert outcome.failures[0].diagnostic is not None
    assert outcome.failures[0].diagnostic.code == "X607"
    parted = find_divergence(load(folder), read(tmp_path / "found" / "finding-1.jsonl").games[0])
    assert parted is not None
    assert "the rules now fail" in parted.what
    shown = (tmp_path / "found" / "finding-1.jsonl").read_bytes()
    run("fuzz", str(folder), "-n", "32", "--seed", "1", "--out", str(tmp_path / "found"))
    assert (tmp_path / "found" / "finding-2.jsonl").exists()
    assert (tmp_path / "found" / "finding-1.jsonl").read_bytes() == shown


@pytest.mark.parametrize(
    ("given", "games", "seconds"),
    [((), None, 120), (("-n", "3"), 3, None), (("-m", "1"), None, 60), (("-n", "3", "-m", "1"), 3, 60)],
)
def test_without_a_number_of_games_it_has_a_time(
    sound: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], games: int | None, seconds: float | None
) -> None:
    asked: list[object] = []

    def search(*args: object, **more: object) -> parallel_search.SearchResult:
        asked.extend((args[3], more["seconds"]))
        return parallel_search.SearchResult()

    monkeypatch.setattr(parallel_search, "fuzz", search)
    assert run("fuzz", str(sound), "-q", *given).exit_code == 0
    assert asked == [games, seconds]


def test_a_sound_game_passes(sound: Path, tmp_path: Path) -> None:
    done = run("fuzz", str(sound), "-n", "20", "--jobs", "2", "--out", str(tmp_path / "found"))
    assert (done.exit_code, "no findings" in done.output) == (0, True), done.output
    assert not (tmp_path / "found").exists()
    inside = run("fuzz", str(sound), "-n", "50", "--inside", "--out", str(tmp_path / "found"))
    assert "50 games" in inside.output
    assert "no findings" in inside.output


def test_a_mistake_inside_of_the_rules_is_found_too(tmp_path: Path) -> None:
    found = fuzz(str(pool(tmp_path / "pool")), games=300, inside=True)
    assert {finding.kind for finding in found.findings} == {"invariant"}
    assert all(finding.choices for finding in found.findings)


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_the_game_of_a_mistake_inside_ends_where_it_goes_wrong(backend: str, tmp_path: Path) -> None:
    """Its choices are those that led there, and the last of them is the move that goes wrong."""
    folder = pool(tmp_path / "pool")
    found = fuzz(str(folder), games=300, inside=True, backend=backend)
    assert found.findings
    for finding in found.findings:
        state = load(folder).new(finding.players, finding.seed, options=finding.options)
        for choice in finding.choices[:-1]:
            state.play(choice)
        with pytest.raises(RuleError) as error:
            state.play(finding.choices[-1])
        assert playing.rule_mistake(error.value).same == finding.same


@pytest.mark.parametrize("deep", [False, True])
def test_a_mistake_of_ours_inside_is_shown_where_it_begins(
    deep: bool, sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong from some decision on, and was seen at the end of a game or halfway: the game of the finding
    is that of the playout, up to there."""
    monkeypatch.setattr("rulelang.apps.fuzzing.inside.HALFWAY", 1)
    counts = Counts()
    inside = Inside(Player(str(sound)), 1, 0, counts)
    at, most = inside.table.program.layout.cells.decisions, 4
    if deep:
        save = State.save
        other = b'"words":[1,'
        monkeypatch.setattr(
            State, "save", lambda s: save(s) if s.words[at] < most else save(s).replace(b'"words":[0,', other)
        )
    else:
        tested = playing.check_values

        def values(layout: Layout, words: Sequence[int]) -> None:
            tested(layout, words)
            if words[at] >= most:
                raise InvalidState("so late", "bounds")

        monkeypatch.setattr(playing, "check_values", values)
    inside.tried(0)
    (finding,) = counts.findings
    assert finding.kind == ("saving" if deep else "bounds")
    agent, state = Random(finding.seed), inside.game.new(finding.players, finding.seed, options=finding.options)
    for choice in finding.choices:
        assert choice == agent.choose(state)
        assert state.words[at] < most
        state.play(choice)
    assert state.words[at] == most


@pytest.mark.slow
def test_games_inside_end_alike_on_two_backends(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.apps.fuzzing.inside.ALIKE", 4)
    found = fuzz(str(sound), games=20, inside=True, backend="native", other="python")
    assert (found.counts.both, found.counts.inside, found.findings) == (5 + 1, 20, [])  # and one decision by decision
    player = Player(str(sound), backend="native", other="python")
    second = player.game(player.whole).table
    tables = [second(n, {"spring": on}, "python") for n in (2, 3, 4) for on in (0, 1)]
    for table in tables:
        ended = table.program.playout

        def otherwise(words: list[int], ended: Callable[[list[int]], None] = ended) -> None:
            ended(words)
            words[0] += 1

        monkeypatch.setattr(table.program, "playout", otherwise)
    counts = Counts()
    Inside(player, 1, 0, counts).play(0, 8)
    assert {finding.kind for finding in counts.findings} == {"backends"}


def test_the_same_games_of_the_same_seed(sound: Path) -> None:
    one, other = Counts(), Counts()
    for counts in (one, other):
        player = Player(str(sound))
        for number in range(3):
            player.play(5, number, counts)
    assert (one.decisions, one.deep) == (other.decisions, other.deep)


@pytest.mark.parametrize(
    ("what", "kind"), [("a save that loses a word", "saving"), ("a view that changes the state", "looking"),
                       ("options that are listed otherwise", "options")],
)  # fmt: skip
def test_mistakes_of_ours_are_found(what: str, kind: str, sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(str(sound))
    if kind == "saving":
        save = state.save_state
        monkeypatch.setattr(state, "save_state", lambda state: save(state).replace(b'"words":[0,', b'"words":[1,'))
    elif kind == "looking":
        view = State.view

        def seen(state: State, player: int | str | None = None) -> dict[str, object]:
            state._words[state.table.program.layout.cells.steps] += 1
            return view(state, player)

        monkeypatch.setattr(State, "view", seen)
    else:
        program = type(player.game(player.whole).table(2).program)
        listed = program.options
        monkeypatch.setattr(program, "options", lambda self, S: (listed(self, S) or [])[::-1])
    counts = Counts()
    player.play(1, 0, counts)
    assert [finding.kind for finding in counts.findings] == [kind]


def test_where_backends_differ() -> None:
    playing.check_same([1, 2], [1, 2], [(0,)], [(0,)], 1)
    with pytest.raises(Wrong, match="word 1 of the stack is 2"):
        playing.check_same([1, 2], [1, 3], None, None, 1)
    with pytest.raises(Wrong, match="list different options"):
        playing.check_same([1, 2], [1, 2], [(0,)], [(1,)], 1)


def test_which_traits_meet(sound: Path) -> None:
    """A thing that bears two, and what ran after what."""
    game = load(sound)
    state = game.position(
        {"phase": "feeding", "turn": "ana", "state": {"water": 3},
         "players": {"ana": [{"nip": ["finned 1", "greedy 1"]}, {"nab": ["armed 2"]}], "bob": ["nob"]}}
    )  # fmt: skip
    meetings = Meetings(state.table)
    key = next(option.key for option in state.decision.options if option.text == "graze nip")
    assert meetings.of_move(state.words, key, ()) == {("finned", "greedy"), ("greedy", "finned")}
    meetings.sources[:2] = ["armed", "shy"]
    nobody = (0,) * 8  # what ran was about no thing
    assert meetings.of_move(state.words, (-1,), [(0, nobody), (0, nobody), (1, nobody)]) == {("armed", "shy")}
    assert meetings.of_move(state.words, (-1,), [(0, nobody), (1, nobody), (0, nobody)]) == {
        ("armed", "shy"),
        ("shy", "armed"),
    }


def test_a_search_goes_on_where_it_was_broken_off(sound: Path, tmp_path: Path) -> None:
    """Pieces that were played are not played again, and count; a line that was cut off does not."""
    kept = tmp_path / "some" / "search.jsonl"
    whole = fuzz(str(sound), games=40, seed=3)
    fuzz(str(sound), games=16, seed=3, kept=kept)
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"first": 16, "la')
    kept.write_text(kept.read_text("utf-8") + "\n", "utf-8")
    rest = fuzz(str(sound), games=40, seed=3, kept=kept)
    assert (rest.counts.games, rest.counts.decisions) == (40, whole.counts.decisions)
    again = run("fuzz", str(sound), "-n", "40", "-s", "3", "--resume", str(kept))
    assert "40 games" in again.output
    assert len(kept.read_text("utf-8").splitlines()) == 5  # the search, three pieces, and half a line
    other = run("fuzz", str(sound), "-n", "40", "-s", "4", "--resume", str(kept))
    assert other.exit_code == 2
    assert "tells of another search" in other.output

"""The first decision in which the games of two versions of a ruleset part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.base.errors import RuleError
from rulelang.runtime.game import Game
from rulelang.runtime.rng import Generator, game_seed, policy_seed
from rulelang.runtime.running import MOST_DECISIONS
from rulelang.runtime.state import State

#: What a view tells of the ruleset itself.
IDENTITY = frozenset({"format", "ruleset", "version", "mods", "mode", "title", "options"})
#: So many differences of one kind are told.
TOLD = 6


@dataclass(frozen=True, slots=True)
class SeriesDivergence:
    """Where two games part: behind so many `moves` that are the same in both, in the position `where`.

    `last`: the move that led there, with who made it; "" at the beginning. `differs`: what is not the same, in words,
    of `a` and of `b`.
    """

    seed: int
    moves: int
    where: str
    last: str
    differs: tuple[str, ...]


def first_divergence(
    a: Game,
    b: Game,
    seed: int,
    players: int,
    options: tuple[Mapping[str, object], Mapping[str, object]] = ({}, {}),
    moves: Sequence[str] | None = None,
    most: int = MOST_DECISIONS,
) -> tuple[SeriesDivergence | None, int]:
    """Play one game on both, with the same decisions in the same words (`moves`, else random ones), up to where they
    part: None if they do not; and how many moves were the same. ValueError for a table that cannot be."""
    chance = Generator(policy_seed(seed))
    told: tuple[list[str], list[str]] = ([], [])
    states: list[State] = []
    for game, own, wrong in zip((a, b), options, told, strict=True):
        try:
            states.append(game.new(players, seed, None, own))
        except RuleError as error:
            wrong.append(error.diagnostic.message)
    if any(told):
        return SeriesDivergence(seed, 0, "", "", tuple(_sides(told))), 0
    one, other = states
    last, events = "", (0, 0)
    for number in range(most):
        found = tuple(differences_text(one, other, events))
        if found:
            return SeriesDivergence(seed, number, position_text(one), last, found), number
        if one.over or (moves is not None and number >= len(moves)):
            return None, number
        texts = [option.text for option in one.decision.options]
        said = moves[number] if moves is not None else texts[chance.below(len(texts))]
        if said not in texts:
            return SeriesDivergence(
                seed, number, position_text(one), last, (f"`{said}` is not one of the options in either version",)
            ), number
        last = f"{one.decision.name}: {said}"
        events = len(one.log), len(other.log)
        for state, wrong in zip(states, told, strict=True):
            try:
                state.play(texts.index(said))
            except RuleError as error:
                wrong.append(error.diagnostic.message)
        if any(told):
            differs = () if told[0] == told[1] else tuple(_sides(told))
            return (
                SeriesDivergence(seed, number + 1, position_text(one), last, differs) if differs else None
            ), number + 1
    return None, most


def _sides(told: tuple[list[str], list[str]]) -> Iterator[str]:
    for name, wrong in zip(("A", "B"), told, strict=True):
        yield f"in {name} " + (f"the rules fail: {wrong[0]}" if wrong else "play continues")


def diverging_series(
    a: Game, b: Game, seed: int, games: int, players: int, options: tuple[Mapping[str, object], Mapping[str, object]]
) -> Iterator[tuple[SeriesDivergence | None, int]]:
    """The same for so many games of a series."""
    for index in range(games):
        yield first_divergence(a, b, game_seed(seed, index), players, options)


def position_text(state: State) -> str:
    """Where a game stands: `round 2, feeding`."""
    return ", ".join(part for part in (f"round {state.round}" if state.round else "", state.phase) if part)


# ---- what is not the same


def differences_text(one: State, other: State, events: tuple[int, int]) -> Iterator[str]:
    """What two positions do not have in common, in words: what happened last (behind so many events of each log), what
    lies on the table, what is asked."""
    happened = [
        [f"{event.text}{f' [{event.source}]' if event.source else ''}" for event in state.log[start:] if event.told]
        for state, start in zip((one, other), events, strict=True)
    ]
    if happened[0] != happened[1]:
        place = next((n for n, pair in enumerate(zip(*happened, strict=False)) if pair[0] != pair[1]), None)
        place = min(map(len, happened)) if place is None else place
        sides = [f"in {name} " + (f"`{lines[place]}`" if place < len(lines) else "nothing more")
                 for name, lines in zip(("A", "B"), happened, strict=True)]  # fmt: skip
        yield f"what happened: {', '.join(sides)}"
    yield from _few(_value_differences("", _all_views(one), _all_views(other)), "on the table")
    if one.over or other.over:
        if one.over != other.over:
            yield f"the game is over in {'A' if one.over else 'B'}, and continues in {'B' if one.over else 'A'}"
        return
    here, there = one.decision, other.decision
    if (here.name, here.prompt) != (there.name, there.prompt):
        yield f"who is asked: in A {here.name}: {here.prompt}; in B {there.name}: {there.prompt}"
    texts, others = [option.text for option in here.options], [option.text for option in there.options]
    yield from _few((f"`{text}`" for text in texts if text not in others), "options of A alone")
    yield from _few((f"`{text}`" for text in others if text not in texts), "options of B alone")
    if texts != others and sorted(texts) == sorted(others):
        yield "the order of the options differs"


def _few(found: Iterator[str], what: str) -> Iterator[str]:
    lines = list(found)
    if lines:
        yield f"{what}: {'; '.join(lines[:TOLD])}" + (f"; and {len(lines) - TOLD} more" if len(lines) > TOLD else "")


def _all_views(state: State) -> dict[str, Any]:
    """All that any seat sees of a position, without who looks at it."""
    seen = {name: state.view(name) for name in (None, *state.players)}
    whole = {key: value for key, value in seen[None].items() if key not in IDENTITY | {"decision", "viewer", "players"}}
    for seat, name in enumerate(state.players):
        whole[name] = {k: v for k, v in seen[name]["players"][seat].items() if k not in ("seat", "name")}
    return whole


def _value_differences(path: str, one: Any, other: Any) -> Iterator[str]:
    """Leaves that are not the same: `ana.things.species.wolf.attributes.population is 2 in A, 3 in B`."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            yield from _value_differences(f"{path}.{key}" if path else str(key), one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other) and one != other:
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _value_differences(f"{path}[{place + 1}]", left, right)
    elif one != other:
        yield f"{path} is {_short(one)} in A, {_short(other)} in B"


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} things"
    if isinstance(value, dict):
        return str(value.get("name") or value.get("label") or "there")
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

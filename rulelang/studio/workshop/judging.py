"""Is the card that somebody writes too strong or too weak? What its traits do to winning, said in whole sentences."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.engine.game import Game
from rulelang.lab.effects import Effect
from rulelang.lab.figures import WORTH
from rulelang.lab.study import Study
from rulelang.lab.wording import TOO_FEW, percent, within

#: Games after which the clock is looked at, and seconds that are played at most: intervals hold whenever one stops.
PIECE, SECONDS = 250, 6.0
SEED = 1
#: Half of an interval, in shares of the win, that is narrow enough to call what lies around 0 nothing.
NARROW = 0.02


@dataclass(frozen=True, slots=True)
class Trait:
    """`held`: who held a card that bears it; `force`: who had it in force."""

    title: str
    held: Effect
    force: Effect


@dataclass(frozen=True, slots=True)
class Judged:
    """What one state of the files says about each trait, by id. `content`: what that state is known by."""

    content: str
    games: int
    traits: dict[str, Trait]


def judged(game: Game, games: int, pause: Callable[[], None] = lambda: None) -> Judged:
    """Play so many games by chance, or fewer where they are long, and ask about each trait. RuleError as `Study`.
    `pause` is called between pieces, and may raise."""
    study = Study(game, agents=["random"], seed=SEED)
    end = time.monotonic() + SECONDS
    while study.games < games and (not study.games or time.monotonic() < end):
        pause()
        study.play(min(PIECE, games - study.games))
    found = {
        one.id: Trait(one.title, study.held(one.id, anytime=True), one.effect)
        for one in study.figures(anytime=True).traits
    }
    return Judged(game.info.content, study.games, found)


def told_traits(states: Sequence[Judged]) -> dict[str, Any]:
    """What is said about each trait of the last of these states, JSON-able: by id `short` (the answer), `said` (all)
    and `sure` (whether a difference is known). The first is the game as it was found, the others came later."""
    now = states[-1]
    return {
        "games": now.games,
        "traits": {
            id_: {"short": short(trait), "said": said(id_, states), "sure": bool(answer(main(trait)))}
            for id_, trait in now.traits.items()
        },
    }


def answer(effect: Effect) -> str:
    """`stronger` or `weaker`, if that is known and would be noticed."""
    found = effect.effect
    if not found.known or abs(found.value) < WORTH or found.low <= 0 <= found.high:
        return ""
    return "stronger" if found.value > 0 else "weaker"


def verdict(effect: Effect) -> str:
    found = effect.effect
    if stands := answer(effect):
        return f"{stands} than others"
    if found.half <= NARROW or not found.low <= 0 <= found.high:
        return "about as strong as others"
    return "too early to say whether it is stronger or weaker than others"


def main(trait: Trait) -> Effect:
    """What answers the question best: what is sure before what is not, and what was held, by chance, before what
    somebody chose to play."""
    return max(trait.held, trait.force, key=lambda one: (bool(answer(one)), one.effect.known))


def short(trait: Trait) -> str:
    """The answer first: a narrow strip shows no more."""
    best = main(trait)
    if not best.effect.known:
        return f"{trait.title}: {TOO_FEW} with it and without it to say how strong it is."
    return _sentence(trait.title, best, best is not trait.held)


def said(id_: str, states: Sequence[Judged]) -> list[str]:
    """What is known of a trait: held, in force, and what it was before."""
    now = states[-1].traits[id_]
    found = [_sentence(now.title, now.held, False), _sentence(now.title, now.force, True)]
    if not now.held.effect.known and not now.force.effect.known:
        found = [short(now)]
    whens = ["As you found the game", "Before the last change"]
    for when, before in zip(whens, states[:-1], strict=False):
        then = before.traits.get(id_)
        if then is None:
            found.append(f"{when}, there was no such trait.")
        elif (old := then.force if main(now) is now.force else then.held).effect.known:
            found.append(f"{when}, it was {percent(old.won.value)}, where {percent(old.expected)} was expected.")
        else:
            found.append(f"{when}, there were {TOO_FEW} to say anything.")
    return found


def _sentence(title: str, effect: Effect, force: bool) -> str:
    who = "who had it in force" if force else "who held it"
    if not effect.effect.known:
        return f"{title}: {TOO_FEW} to say anything of those {who}."
    what = who[0].upper() + who[1:]
    return f"{title}: {verdict(effect)}. {what} won {within(effect.won)}; expected {percent(effect.expected)}."

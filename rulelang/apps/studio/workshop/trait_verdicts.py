"""Is the card that somebody writes too strong or too weak? What its traits do to winning, said in whole sentences."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rulelang.apps.lab.figures import WORTH, Effect
from rulelang.apps.lab.report import percent
from rulelang.apps.lab.statistics import Estimate
from rulelang.apps.lab.study import Study
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.phrases import Phrase, phrase
from rulelang.runtime.game import Game

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


def judge_traits(game: Game, games: int, pause: Callable[[], None] = lambda: None) -> Judged:
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


def trait_verdicts(
    states: Sequence[Judged], language: Language = ENGLISH, called: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """What is said about each trait of the last of these states, JSON-able: by id `short` (the answer), `said` (all)
    and `sure` (whether a difference is known). The first is the game as it was found, the others came later. `called`:
    what traits are called in the language, by their ids."""
    now = states[-1]
    return {
        "games": now.games,
        "traits": {
            id_: {
                "short": language.render(short_verdict(trait, called.get(id_, trait.title))),
                "said": [language.render(one) for one in trait_sentences(id_, states, called.get(id_, trait.title))],
                "sure": bool(answer(main_effect(trait))),
            }
            for id_, trait in now.traits.items()
        },
    }


def answer(effect: Effect) -> str:
    """`stronger` or `weaker`, if that is known and would be noticed."""
    found = effect.effect
    if not found.known or abs(found.value) < WORTH or found.low <= 0 <= found.high:
        return ""
    return "stronger" if found.value > 0 else "weaker"


def verdict(effect: Effect) -> Phrase:
    found = effect.effect
    if stands := answer(effect):
        return phrase("stronger than others") if stands == "stronger" else phrase("weaker than others")
    if found.half <= NARROW or not found.low <= 0 <= found.high:
        return phrase("about as strong as others")
    return phrase("too early to say whether it is stronger or weaker than others")


def main_effect(trait: Trait) -> Effect:
    """What answers the question best: what is sure before what is not, and what was held, by chance, before what
    somebody chose to play."""
    return max(trait.held, trait.force, key=lambda one: (bool(answer(one)), one.effect.known))


def short_verdict(trait: Trait, title: str) -> Phrase:
    """The answer first: a narrow strip shows no more."""
    best = main_effect(trait)
    if not best.effect.known:
        return phrase("{trait}: too few games with and without it to judge its strength.", trait=title)
    return _sentence(title, best, best is not trait.held)


def trait_sentences(id_: str, states: Sequence[Judged], title: str) -> list[Phrase]:
    """What is known of a trait: held, in force, and what it was before."""
    now = states[-1].traits[id_]
    found = [_sentence(title, now.held, False), _sentence(title, now.force, True)]
    if not now.held.effect.known and not now.force.effect.known:
        found = [short_verdict(now, title)]
    whens = [phrase("As you found the game"), phrase("Before the last change")]
    for when, before in zip(whens, states[:-1], strict=False):
        then = before.traits.get(id_)
        if then is None:
            found.append(phrase("{when}: this trait did not exist.", when=when))
        elif (old := then.force if main_effect(now) is now.force else then.held).effect.known:
            won, expected = percent(old.won.value), percent(old.expected)
            found.append(phrase("{when}: {won}, expected {expected}.", when=when, won=won, expected=expected))
        else:
            found.append(phrase("{when}: too few games to judge.", when=when))
    return found


def _sentence(title: str, effect: Effect, force: bool) -> Phrase:
    if not effect.effect.known:
        if force:
            return phrase("{trait}: too few games with it in force to judge.", trait=title)
        return phrase("{trait}: too few games with it in hand to judge.", trait=title)
    what, won, expected = verdict(effect), interval_text(effect.won), percent(effect.expected)
    if force:
        return phrase(
            "{trait}: {verdict}. Players who had it in force won {won}; expected {expected}.",
            trait=title, verdict=what, won=won, expected=expected,
        )  # fmt: skip
    return phrase(
        "{trait}: {verdict}. Players who held it won {won}; expected {expected}.",
        trait=title, verdict=what, won=won, expected=expected,
    )  # fmt: skip


def interval_text(found: Estimate) -> Phrase:
    """`54.1 % (52.9 to 55.3, 6,120 games)`."""
    return phrase(
        "{value} ({low} to {high}, {number} {n:game|games})",
        value=percent(found.value), low=f"{100 * found.low:.1f}", high=f"{100 * found.high:.1f}",
        number=f"{found.games:,}", n=found.games,
    )  # fmt: skip

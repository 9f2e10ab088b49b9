"""A small game with chance and several rounds, and a version of it with another rule."""

from __future__ import annotations

from pathlib import Path

from tests.cli.helpers import RULES, tiny

#: As the tiny game; work pays what a die shows.
DICE = RULES.replace(
    "actor.coins += pay(actor)", "roll 1d6 as die\n  actor.coins = min(20, actor.coins + die)"
).replace(">= goal", ">= goal * 5")
#: The same, but nobody rests who has less than ten coins.
OTHER = DICE.replace("require actor.coins > 0", "require actor.coins > 9")


def dice(folder: Path) -> Path:
    return tiny(folder, rules=DICE)


def other(folder: Path) -> Path:
    return tiny(folder, rules=OTHER)

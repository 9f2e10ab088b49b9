"""Which figures a study is about: what `--about` names, and what is known of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rulelang.apps.lab.analysis import effect_of
from rulelang.apps.lab.effects import alike_by, together
from rulelang.apps.lab.estimates import Estimate, unknown
from rulelang.apps.lab.playing import Games, subjects_of
from rulelang.apps.lab.subjects import Subject, check_named
from rulelang.base.errors import BadArgument
from rulelang.runtime.table import Table

#: What stands for all cards and traits of a game, and what joins two of them.
ALL, AND = "all", "+"


@dataclass(frozen=True, slots=True)
class Known:
    """A figure by what a page calls it."""

    title: str
    found: Estimate


def names_in(table: Table, about: str) -> tuple[str, ...]:
    """The cards and traits (ids) that `about` names: one, two of a sort (`horns+fat_tissue`), or none (`all`).
    ValueError, with the nearest, for what is none."""
    cards, traits = subjects_of(table)
    ids = {subject.id for subject in (*cards, *traits)}
    if about == ALL and ALL not in ids:
        return ()
    names = (about,) if about in ids else tuple(name.strip() for name in about.split(AND))
    for name in names:
        check_named(table, name)
    if len(names) > 2 or len(set(names)) < len(names):
        raise BadArgument(f"`{about}` is not a pair: write two names with `{AND}` between them")
    if len(names) == 2 and not any(set(names) <= {one.id for one in sort} for sort in (traits, cards)):
        raise BadArgument(f"`{about}` is not a pair: name two traits, or two cards")
    return names


def known_of(games: Games, table: Table, about: str, *, anytime: bool) -> list[Known]:
    """The figures that `about` names, as a page tells them; of `all` those of which enough games know. Of a card it is
    what it does to hold it, of a trait to have it in force; of a pair what both together add."""
    cards, traits = subjects_of(table)
    names = names_in(table, about)
    if len(names) == 2:
        return [_pair(games, traits if set(names) <= {one.id for one in traits} else cards, names, anytime)]
    held = {card.id for card in cards}
    titles = {one.id: one.title for one in (*traits, *cards)}
    found = []
    for name in names or dict.fromkeys(one.id for one in (*cards, *traits)):
        title = f"holding {titles[name]}" if name in held else f"{titles[name]} in force"
        each = Known(title, effect_of(games, table, name, anytime=anytime).effect)
        if names or each.found.known:
            found.append(each)
    return found


def widest(found: Sequence[Known]) -> Known:
    """That of which least is known; nothing is known of no figures."""
    return max(found, key=lambda each: each.found.half, default=Known("", unknown(0)))


def narrow(found: Sequence[Known], half: float) -> bool:
    """Whether all of these are known to this much to either side."""
    least = widest(found).found.half
    return math.isfinite(least) and least <= half


def _pair(games: Games, subjects: Sequence[Subject], names: Sequence[str], anytime: bool) -> Known:
    have = games.borne if subjects and not subjects[0].sort else games.used > 0
    both = [next(k for k, one in enumerate(subjects) if one.id == name) for name in names]
    alike = alike_by(have.sum(axis=2, dtype=np.int64))
    found = together(games.wins, have[:, :, both], alike, anytime=anytime)
    title = " and ".join(subjects[k].title for k in both) + " together"
    return Known(title, found[0][2] if found else unknown(int(have[:, :, both].all(axis=2).sum())))

"""Things with what is so of them: a clause that speaks of `it` becomes one that stands behind what it speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.phrases import Filling, Phrase, phrase

IT = phrase("it")
#: What stands for `it` in a clause behind what it speaks of: `species that are hungry`, `species whose size is 3`.
THAT = phrase("that")


def such(things: Filling, clause: Phrase, *, many: bool, of: Phrase = IT) -> Phrase:
    """Things of which a clause is so that speaks of them as `of`: `species that are hungry, and whose size is 3`. What
    begins otherwise follows after `for which`: `species that are hungry for which the bed is next to it`; and what
    does not speak of them, as a condition."""
    told: list[Phrase] = []
    other: list[Phrase] = []
    besides: list[Phrase] = []
    for part in _parts(clause):
        which = relative(part, 2 if many else 1, of)
        if which is not None:
            told.append(which)
        else:
            (other if _speaks(part, of) else besides).append(part)
    if not told:
        return phrase("{things} for which {condition}", things=things, condition=clause)
    said = phrase("{things} {which}", things=things, which=_all(told))
    if other:
        said = phrase("{things} for which {condition}", things=said, condition=_all(other))
    return phrase("{things}, if {condition}", things=said, condition=_all(besides)) if besides else said


def _parts(clause: Phrase) -> list[Phrase]:
    """The clauses that all are so, where one says that."""
    if clause.template != "{first}, and {second}":
        return [clause]
    return [part for _, value in clause.holes if isinstance(value, Phrase) for part in _parts(value)]


def _all(clauses: Sequence[Phrase]) -> Phrase:
    said = clauses[0]
    for clause in clauses[1:]:
        said = phrase("{first}, and {second}", first=said, second=clause)
    return said


def relative(clause: Phrase, number: int, of: Phrase = IT) -> Phrase | None:
    """A clause with `that` in the place of what it begins with, or with `whose`: `that is hungry`. None where it begins
    otherwise, or speaks of that again."""
    said = _relative(clause, number, of)
    return None if said is None or _speaks(said, of) else said


def _relative(clause: Phrase, number: int, of: Phrase) -> Phrase | None:
    values = clause.values
    if (clause.template == "its {name}" and of == IT) or (
        clause.template in ("the {name} of {thing}", "{player}'s {name}")
        and of in (values.get("thing"), values.get("player"))
    ):
        return phrase("whose {name}", name=values["name"])
    if not clause.holes or not clause.template.startswith("{" + clause.holes[0][0] + "}"):
        return None
    (name, first), *others = clause.holes
    if first == of:
        rest = tuple((hole, number if hole == "n" else value) for hole, value in others)
        return Phrase(clause.template, ((name, THAT), *rest))
    if not isinstance(first, Phrase):
        return None
    inner = _relative(first, number, of)
    if inner is None:
        return None
    rest = tuple((hole, _also(value, number, of)) for hole, value in others)
    return Phrase(clause.template, ((name, inner), *rest))


def _also(value: Filling, number: int, of: Phrase) -> Filling:
    """A second clause: `that is yours, or that is hungry`."""
    again = _relative(value, number, of) if isinstance(value, Phrase) else None
    return value if again is None else again


def _speaks(said: Filling, of: Phrase) -> bool:
    """Whether a phrase speaks of something, by itself or as its owner."""
    if not isinstance(said, Phrase):
        return False
    return said == of or (of == IT and said.template == "its {name}") or any(_speaks(v, of) for _, v in said.holes)

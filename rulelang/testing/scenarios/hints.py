"""Finds the `run` steps that a scenario lacks: with them, claims are true that are false where they are judged now.

Each hint has been tried: the scenario is played on with the steps in their place, and no claim or step that is right
without them goes wrong. Of several places that serve, the one is named that makes the most claims true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulelang.base.errors import RuleError
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.testing.scenarios.assertions import Assertion
from rulelang.testing.scenarios.judging import BY_ITSELF
from rulelang.testing.scenarios.pace import ENDS, PLACES, QUESTION, Moment
from rulelang.testing.scenarios.records import Failure
from rulelang.testing.scenarios.session import Session
from rulelang.testing.scenarios.steps import DICE, RUN, Step

#: A hint names at most this many steps: a reader would not believe that more of them were forgotten.
MOST_STEPS = 3

#: What came out right, by the number of the step and of the claim in it; claims of the end have the last number.
Right = Mapping[tuple[int, int], bool]


@record
class _Way:
    """A place that `run` steps lead to, with what they run to."""

    there: Moment
    targets: tuple[str, ...]


def judged_then(session: Session, steps: Sequence[Step], assertions: Sequence[Assertion]) -> list[Failure]:
    """Return what is false of the claims of the first of `steps`, which is a `then`, with the steps that help."""
    return _hinted(session, session.claims(steps[0]), hints(session, steps, assertions))


def judged_end(session: Session, assertions: Sequence[Assertion], given: Span, stepless: bool) -> list[Failure]:
    """Return what is false at the end of a scenario, with the steps that help. `given`: where it gives its first dice;
    `stepless`: it has no steps at all."""
    claims = [tuple(session.assertion(one)) for one in assertions]
    left = session.left(given, DICE)
    claims.append(() if left is None else (left,))
    return _hinted(session, claims, hints(session, (), assertions, stepless)) if any(claims) else []


def _hinted(session: Session, claims: Sequence[tuple[Failure, ...]], added: Mapping[int, str]) -> list[Failure]:
    found: list[Failure] = []
    for number, failures in enumerate(claims):
        for failure in map(session.explain, failures):
            if number in added:
                notes = tuple(note for note in failure.notes if note != BY_ITSELF)
                failure = replace(failure, notes=(*notes, added[number]))
            found.append(failure)
    return list(dict.fromkeys(found))


def hints(
    session: Session, steps: Sequence[Step], assertions: Sequence[Assertion], stepless: bool = False
) -> dict[int, str]:
    """Return by the numbers of the claims of the first of `steps`, which is a `then` (without steps: of the end), the
    steps to add before it. Empty if none help. The claim after the last of the end is that all dice were rolled."""
    base = _right(session.fork(), steps, assertions)
    wrong = {claim for (step, claim), right in base.items() if step == 0 and not right}
    if not wrong or (steps and steps[0].inner):
        return {}
    best: tuple[int, tuple[str, ...], set[int]] | None = None
    for ways in _further(session.here):
        for way in ways:  # the nearest first, and with the fewest steps
            fork = session.fork()
            fork.to(way.there)
            if fork.state.misfit is not None or not any(not _claim(fork, steps, assertions, k) for k in wrong):
                continue
            found = _right(fork, steps, assertions)
            served = {claim for claim in wrong if found[0, claim]}
            if served and all(found.get(key) for key, right in base.items() if right):
                count = sum(found.values())
                if best is None or count > best[0]:
                    best = count, way.targets, served
        if best is not None and best[2] == wrong:
            break
    return {} if best is None else dict.fromkeys(best[2], _said(best[1], len(best[2]), bool(steps), stepless))


def _claim(session: Session, steps: Sequence[Step], assertions: Sequence[Assertion], number: int) -> bool:
    """Whether a claim of the first step, or of the end, is false."""
    if steps:
        return bool(session.claims(steps[0])[number])
    return bool(session.state.dice if number == len(assertions) else session.assertion(assertions[number]))


def _right(session: Session, steps: Sequence[Step], assertions: Sequence[Assertion]) -> Right:
    """What comes out right from a moment on. The claims of a `then` that fails do not end it, as other steps do."""
    found: dict[tuple[int, int], bool] = {}
    for number, step in enumerate(steps):
        if step.what == "then":
            found |= {(number, claim): not failed for claim, failed in enumerate(session.claims(step))}
            continue
        found[number, 0] = not session.step(step)
        if not found[number, 0]:
            return found
    last = len(steps)
    found |= {(last, claim): not session.assertion(one) for claim, one in enumerate(assertions)}
    found[last, len(assertions)] = not session.state.dice
    return found


def _further(here: Moment) -> Iterator[list[_Way]]:
    """The places that one `run` step leads to, those that two lead to, and so on, each the nearest first."""
    ways, known = [_Way(here, ())], {_place(here)}
    for _ in range(MOST_STEPS):
        found: list[_Way] = []
        for way in ways:
            for target in (*ENDS, QUESTION):
                there = _there(way.there.ended(), target)
                if there is not None and _place(there) not in known:
                    known.add(_place(there))
                    found.append(_Way(there, (*way.targets, target)))
        ways = sorted(found, key=lambda way: way.there.forced)
        yield ways


def _there(here: Moment, target: str) -> Moment | None:
    try:
        return here.ran(target)
    except RuleError:  # the rules go wrong on the way, or play never gets there
        return None


def _place(moment: Moment) -> tuple[int, bool]:
    """What tells the pauses on one way from each other: how many lie before, and whether the game is over."""
    return moment.forced, moment.state.over


def _said(targets: Sequence[str], claims: int, between: bool, stepless: bool) -> str:
    lines = [f"{RUN}: to {PLACES[target]}" for target in targets]
    what = "it is true" if claims == 1 else f"{claims} failed claims are true"
    if stepless:
        return f"nobody has a choice before {what}: add `when: [{', '.join(lines)}]`"
    place = "before this `then`" if between else "at the end of `when`"
    steps = " and ".join(f"`- {line}`" for line in lines)
    return f"nobody has a choice before {what}: {place}, add the step{'s' if len(lines) > 1 else ''} {steps}"

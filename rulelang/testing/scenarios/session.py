"""Play the steps of a scenario, and find the `run` steps that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.runtime.decision import Refusal, normalized_text
from rulelang.runtime.state import State
from rulelang.runtime.why import MoveReader
from rulelang.testing.scenarios import stepper
from rulelang.testing.scenarios.assertions import Assertion
from rulelang.testing.scenarios.fixture import CompiledAnswers
from rulelang.testing.scenarios.judging import (
    BY_ITSELF,
    Judge,
    judge_options,
    judge_unknown_thing,
    situation_text,
    told_option_count,
)
from rulelang.testing.scenarios.scenario import Failure
from rulelang.testing.scenarios.stepper import ENDS, PLACES, QUESTION, Moment
from rulelang.testing.scenarios.steps import DICE, RUN, ForcedStep, Step, explain_forced_steps
from rulelang.testing.scenarios.tokens import Word

# ---- play steps


class Session:
    """One scenario being played. `handles` stand for the players and things that it names.

    `moment` is the first pause after the last step: from there on steps are looked for. At `here` the last step has
    ended: there assertions are judged.
    """

    def __init__(
        self,
        moment: Moment,
        routines: Mapping[str, tuple[str, ...]],
        handles: Mapping[str, int],
        answers: CompiledAnswers,
    ) -> None:
        self.routines = routines
        self.handles = handles
        self.answers = answers
        self.dice: Step | None = None  # the last that were given in a step
        self.taken: tuple[ForcedStep, ...] = ()  # the steps that were taken where nobody had a choice
        self.unasked: ForcedStep | None = None  # the last step, if it is one of them
        self.to(moment)

    def fork(self) -> Session:
        """Return a session that goes on from here by itself."""
        return copy(self)

    def to(self, moment: Moment) -> None:
        self.unasked = None
        self.moment = moment
        self.here = moment.ended()
        self.ran: tuple[str, ...] = ()  # what happened unasked, after a step that runs on

    @property
    def state(self) -> State:
        return self.here.state

    # ---- steps

    def step(self, step: Step) -> tuple[Failure, ...]:
        """Do one step. A failure leaves no sense in going on."""
        before = self.taken, self.unasked
        failures = self._step(step)
        return tuple(_with(failure, *explain_forced_steps(*before)) for failure in failures) if failures else ()

    def explain(self, failure: Failure) -> Failure:
        """Return a failure with the steps that may have been meant for another question."""
        return _with(failure, *explain_forced_steps(self.taken, self.unasked))

    def _step(self, step: Step) -> tuple[Failure, ...]:
        try:
            if step.what == "then":
                return tuple(dict.fromkeys(failure for failed in self.claims(step) for failure in failed))
            failure = self.one(step) or self.misfit(step.span, step.text)
        except RuleError as error:
            failure = Failure(step.span, step.text, "a rule stopped with an error", diagnostic=error.diagnostic)
        except EnsureFailed as error:
            reason = self.state.table.program.reasons[error.reason]
            failure = Failure(step.span, step.text, "an `ensure` refused it halfway", notes=(str(reason.span),))
        return () if failure is None else (failure,)

    def claims(self, step: Step) -> list[tuple[Failure, ...]]:
        """Return what is false of each claim where the last step has ended; with a player, where that player is
        asked."""
        try:
            at = self.here if step.player is None else self.question_of(step.player)
        except RuleError as error:
            failed = Failure(step.span, step.text, "a rule stopped with an error", diagnostic=error.diagnostic)
            return [(failed,)] + [()] * (len(step.assertions) - 1)
        wrong = self.another(step, at)
        if wrong is not None:
            return [(wrong,)] * len(step.assertions)
        judge = Judge(at, self.handles, self.answers)
        notes = self.ran if at is self.here else ()
        return [tuple(_with(failure, *notes) for failure in judge.found(one)) for one in step.assertions]

    def one(self, step: Step) -> Failure | None:
        match step.what:
            case "dice":
                return self.roll(step)
            case "run":
                return self.run(step)
            case "options":
                (assertion,) = step.assertions
                at = self.question_of(step.player) if step.player else self.moment.asking(told_option_count(assertion))
                return self.another(step, at) or judge_options(at, assertion)
            case _:
                return self.refused(step) if step.refused else self.do(step)

    def roll(self, step: Step) -> Failure | None:
        left = self.left(step.span, step.text)
        if left is None:
            self.dice = step
            dice = [number - 1 for number in step.numbers]
            self.to(self.here.reached(self.state.altered(list(self.state.words), dice=dice)))
        return left

    def left(self, place: Span, text: str) -> Failure | None:
        """Dice that were given before and that nobody has rolled."""
        if not self.state.dice:
            return None
        if self.dice is not None:
            place, text = self.dice.span, self.dice.text
        numbers = " ".join(str(number + 1) for number in self.state.dice)
        return Failure(place, text, f"nobody has rolled {numbers}", notes=situation_text(self.here))

    def misfit(self, place: Span, text: str) -> Failure | None:
        """A die that was given, and that the die which was rolled does not have."""
        wrong = self.state.misfit
        if wrong is None:
            return None
        return Failure(place, text, f"the rules rolled a die with {wrong[1]} sides, which cannot show {wrong[0]}")

    def run(self, step: Step) -> Failure | None:
        """Play on to what the step names: nobody may have a choice before."""
        target = step.words[0].text
        there = self.here.ran(target)
        if there is not None:
            self.to(there)
            self.ran = there.way()
            return None
        there, end = self.here.run(target), ENDS[target]
        if there.state.over:
            return Failure(step.span, step.text, f"the game was over before {end}", notes=there.way())
        message = f"{there.asked} has a choice before {end}"
        return Failure(step.span, step.text, message, notes=(*there.way(), *situation_text(there)))

    def do(self, step: Step) -> Failure | None:
        """Take the option: of the first question that has it, from those on with a single answer."""
        found: list[Refusal] = [Refusal("nobody is asked: the game is over")]
        at = self.here
        only: list[str] = []
        for question in self.moment.questions():
            if step.player is not None and question.asked != step.player.text:
                continue
            at, chosen = question, question.state.find(step.text)
            if isinstance(chosen, int):
                option = stepper.option_lines(question.state)[chosen]
                self.to(question.play(chosen))
                if not question.choice:
                    self.unasked = ForcedStep(step, question, option)
                    self.taken = (*self.taken, self.unasked)
                return None
            found = chosen
            if not question.choice:
                only.append(f"{question.asked} had no choice but `{stepper.option_lines(question.state)[0]}`")
        last = self.moment.question()
        if step.player is not None and at.asked != step.player.text:
            return self.another(step, last)
        called = self.called(step.text)
        if called is None:
            notes = (*only, *map(str, found), *last.way(), *situation_text(last))
            return Failure(step.span, step.text, "this is not possible now", notes=notes)
        return self.call(step, *called)

    def call(self, step: Step, routine: str, args: tuple[int, ...] | Refusal) -> Failure | None:
        """Let a routine happen where the last step has ended."""
        if isinstance(args, Refusal):
            return Failure(step.span, step.text, "this call does not fit the routine", notes=(str(args),))
        refusals = self.state.why_not_call(routine, args)
        if refusals:
            notes = (*map(str, refusals), *situation_text(self.here))
            return Failure(step.span, step.text, "this cannot happen now", notes=notes)
        state = self.state.clone()
        state.call(routine, args)
        self.to(self.here.reached(state))
        return None

    def refused(self, step: Step) -> Failure | None:
        """The step must be refused for these reasons, and leave everything as it is."""
        called = None if self.is_action(step.text) else self.called(step.text)
        at = self.question_of(step.player)
        wrong = self.another(step, at) or judge_unknown_thing(at, step.strangers, step.text)
        if wrong is not None:
            return wrong
        found = [Refusal("nobody is asked: the game is over")] if at.state.over else at.state.find(step.text)
        if called is not None and not isinstance(found, int):
            routine, args = called
            found = [args] if isinstance(args, Refusal) else self.state.why_not_call(routine, args)
        elif not isinstance(found, int):
            tried = at.state.clone()
            found = tried.try_play(step.text)
            if tried.hash() != at.state.hash():
                return Failure(step.span, step.text, "a refused step has changed the state")
        wanted = tuple(word.text for word in step.refused)
        answered = (
            [] if step.player or called or at.state.over else [f"the step names no player, so {at.asked} tried it"]
        )
        if isinstance(found, int) or not found:
            notes = (*at.way(), *answered)
            return Failure(step.span, step.text, "this must be refused, but it is possible", wanted, notes=notes)
        given = [_own_words(refusal.text, step.text) for refusal in found]
        if all(any(normalized_text(text) in reason for reason in given) for text in wanted):
            return None
        return Failure(
            step.span, step.text, "this is refused, but for another reason", wanted, tuple(r.text for r in found),
            (*map(str, found), *at.way(), *answered),
        )  # fmt: skip

    def another(self, step: Step, at: Moment) -> Failure | None:
        """The step is one player's, and another is asked."""
        if step.player is None or at.asked == step.player.text:
            return None
        notes = (*at.way(), *situation_text(at))
        return Failure(step.span, step.text, "another player is asked", (step.player.text,), (at.asked,), notes)

    def question_of(self, player: Word | None) -> Moment:
        """The next question of a player, be it one with a single answer; of nobody named: the next with a choice. If
        that player is not asked so soon, what is asked then; the end of the game."""
        last = self.moment
        for last in self.moment.questions():
            if player is not None and last.asked == player.text:
                return last
        return last if last.choice else last.question()

    def is_action(self, text: str) -> bool:
        return normalized_text(text.split()[0]) in map(normalized_text, self.state.table.actions)

    def called(self, text: str) -> tuple[str, tuple[int, ...] | Refusal] | None:
        """The routine that a text calls, with its arguments as handles; None if it names no routine."""
        said, _, rest = text.partition(" ")
        name = next((routine for routine in self.routines if normalized_text(routine) == normalized_text(said)), "")
        if not name:
            return None
        kinds = self.routines[name]
        state = self.state
        reader = MoveReader(state.table, state.names, list(state.words), state.decider)
        args = next(reader.read(kinds, normalized_text(rest)), None)
        if args is not None:
            return name, args
        left = normalized_text(rest)
        for kind in kinds:
            found = next(reader.first(kind, left), None)
            if found is None:
                return name, Refusal(f"there is no {kind} `{left}` here")
            left = found[1]
        return name, Refusal(f"`{normalized_text(rest)}` is ambiguous")

    # ---- assertions

    def assertion(self, assertion: Assertion) -> list[Failure]:
        """Return what is false of one assertion where the last step has ended."""
        found = Judge(self.here, self.handles, self.answers).found(assertion)
        return [_with(failure, *self.ran) for failure in found]

    def story(self) -> tuple[str, ...]:
        """The log with its causes: what happened because of a line stands further in below it."""
        told = self.here.told
        return (*(line for _, line in told), *stepper.log_lines(self.here.state, len(told)))


def _with(failure: Failure, *notes: str) -> Failure:
    return replace(failure, notes=(*failure.notes, *(note for note in notes if note not in failure.notes)))


def _own_words(reason: str, line: str) -> str:
    """A reason without what it only quotes from the line, so that no word of the line is taken for a reason."""
    return normalized_text(
        re.sub(
            r"`([^`]*)`",
            lambda quoted: "" if normalized_text(quoted[1]) in normalized_text(line) else quoted[0],
            reason,
        )
    )


# ---- missing `run` steps

#: A hint names at most this many steps: a reader would not believe that more of them were forgotten.
MOST_STEPS = 3

#: What came out right, by the number of the step and of the claim in it; claims of the end have the last number.
Right = Mapping[tuple[int, int], bool]


@record
class _Way:
    """A place that `run` steps lead to, with what they run to."""

    there: Moment
    targets: tuple[str, ...]


def failures_of_then(session: Session, steps: Sequence[Step], assertions: Sequence[Assertion]) -> list[Failure]:
    """Return what is false of the claims of the first of `steps`, which is a `then`, with the steps that help."""
    return _hinted(session, session.claims(steps[0]), run_hints(session, steps, assertions))


def failures_of_end(session: Session, assertions: Sequence[Assertion], given: Span, stepless: bool) -> list[Failure]:
    """Return what is false at the end of a scenario, with the steps that help. `given`: where it gives its first dice;
    `stepless`: it has no steps at all."""
    claims = [tuple(session.assertion(one)) for one in assertions]
    left = session.left(given, DICE)
    claims.append(() if left is None else (left,))
    return _hinted(session, claims, run_hints(session, (), assertions, stepless)) if any(claims) else []


def _hinted(session: Session, claims: Sequence[tuple[Failure, ...]], added: Mapping[int, str]) -> list[Failure]:
    found: list[Failure] = []
    for number, failures in enumerate(claims):
        for failure in map(session.explain, failures):
            if number in added:
                notes = tuple(note for note in failure.notes if note != BY_ITSELF)
                failure = replace(failure, notes=(*notes, added[number]))
            found.append(failure)
    return list(dict.fromkeys(found))


def run_hints(
    session: Session, steps: Sequence[Step], assertions: Sequence[Assertion], stepless: bool = False
) -> dict[int, str]:
    """Return by the numbers of the claims of the first of `steps`, which is a `then` (without steps: of the end), the
    steps to add before it. Empty if none help. The claim after the last of the end is that all dice were rolled."""
    base = _true_claims(session.fork(), steps, assertions)
    wrong = {claim for (step, claim), right in base.items() if step == 0 and not right}
    if not wrong or (steps and steps[0].inner):
        return {}
    best: tuple[int, tuple[str, ...], set[int]] | None = None
    for ways in _places_ahead(session.here):
        for way in ways:  # the nearest first, and with the fewest steps
            fork = session.fork()
            fork.to(way.there)
            if fork.state.misfit is not None or not any(not _is_false(fork, steps, assertions, k) for k in wrong):
                continue
            found = _true_claims(fork, steps, assertions)
            served = {claim for claim in wrong if found[0, claim]}
            if served and all(found.get(key) for key, right in base.items() if right):
                count = sum(found.values())
                if best is None or count > best[0]:
                    best = count, way.targets, served
        if best is not None and best[2] == wrong:
            break
    return {} if best is None else dict.fromkeys(best[2], _hint_text(best[1], len(best[2]), bool(steps), stepless))


def _is_false(session: Session, steps: Sequence[Step], assertions: Sequence[Assertion], number: int) -> bool:
    """Whether a claim of the first step, or of the end, is false."""
    if steps:
        return bool(session.claims(steps[0])[number])
    return bool(session.state.dice if number == len(assertions) else session.assertion(assertions[number]))


def _true_claims(session: Session, steps: Sequence[Step], assertions: Sequence[Assertion]) -> Right:
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


def _places_ahead(here: Moment) -> Iterator[list[_Way]]:
    """The places that one `run` step leads to, those that two lead to, and so on, each the nearest first."""
    ways, known = [_Way(here, ())], {_pause_key(here)}
    for _ in range(MOST_STEPS):
        found: list[_Way] = []
        for way in ways:
            for target in (*ENDS, QUESTION):
                there = _reach_target(way.there.ended(), target)
                if there is not None and _pause_key(there) not in known:
                    known.add(_pause_key(there))
                    found.append(_Way(there, (*way.targets, target)))
        ways = sorted(found, key=lambda way: way.there.forced)
        yield ways


def _reach_target(here: Moment, target: str) -> Moment | None:
    try:
        return here.ran(target)
    except RuleError:  # the rules go wrong on the way, or play never gets there
        return None


def _pause_key(moment: Moment) -> tuple[int, bool]:
    """What tells the pauses on one way from each other: how many lie before, and whether the game is over."""
    return moment.forced, moment.state.over


def _hint_text(targets: Sequence[str], claims: int, between: bool, stepless: bool) -> str:
    lines = [f"{RUN}: to {PLACES[target]}" for target in targets]
    what = "it is true" if claims == 1 else f"{claims} failed claims are true"
    if stepless:
        return f"nobody has a choice before {what}: add `when: [{', '.join(lines)}]`"
    place = "before this `then`" if between else "at the end of `when`"
    steps = " and ".join(f"`- {line}`" for line in lines)
    return f"nobody has a choice before {what}: {place}, add the step{'s' if len(lines) > 1 else ''} {steps}"

"""Plays the steps of a scenario on a state, and compares what came of them with its claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulelang.base.errors import EnsureFailed, RuleError
from rulelang.base.source import Span
from rulelang.engine.decision import Refusal, normal
from rulelang.engine.state import State
from rulelang.engine.why import Reader, article
from rulelang.meaning import tree
from rulelang.scenarios.bench import Answers
from rulelang.scenarios.claims import Claim
from rulelang.scenarios.formulas import Formula
from rulelang.scenarios.records import Failure
from rulelang.scenarios.steps import Step
from rulelang.scenarios.words import Word


class Session:
    """One scenario being played. `handles` stand for the players and things that it names."""

    def __init__(
        self, state: State, routines: Mapping[str, tuple[str, ...]], handles: Mapping[str, int], answers: Answers
    ) -> None:
        self.state = state
        self.routines = routines
        self.handles = handles
        self.answers = answers

    # ---- steps

    def step(self, step: Step) -> Failure | None:
        """Do one step. A failure leaves no sense in going on."""
        try:
            if step.what == "dice":
                self.dice(step)
                return None
            wrong = self.wrong_player(step)
            if wrong is not None:
                return wrong
            if step.what == "options":
                return self.options(step.span, step.text, step.words)
            return self.refused(step) if step.refused else self.do(step)
        except RuleError as error:
            return Failure(step.span, step.text, "the rules went wrong", diagnostic=error.diagnostic)
        except EnsureFailed as error:
            reason = self.state.table.program.reasons[error.reason]
            return Failure(step.span, step.text, "it was refused while it was done", notes=(str(reason.span),))

    def dice(self, step: Step) -> None:
        dice = [number - 1 for number in step.numbers]
        self.state = self.state.altered(list(self.state.words), dice=dice)

    def do(self, step: Step) -> Failure | None:
        found = self.find(step.text)
        if isinstance(found, int):
            self.state.play(found)
            return None
        called = self.called(step.text)
        if called is None:
            return Failure(step.span, step.text, "this cannot be done now", notes=self.reasons(found))
        routine, args = called
        if isinstance(args, Refusal):
            return Failure(step.span, step.text, "this call cannot be read", notes=(str(args),))
        refusals = self.state.why_not_call(routine, args)
        if refusals:
            return Failure(step.span, step.text, "this cannot happen now", notes=self.reasons(refusals))
        self.state.call(routine, args)
        return None

    def refused(self, step: Step) -> Failure | None:
        """The step must be refused for these reasons, and leave everything as it is."""
        before = self.state.hash()
        found = self.find(step.text)
        called = None if isinstance(found, int) or self.is_action(step.text) else self.called(step.text)
        if called is not None:
            routine, args = called
            found = [args] if isinstance(args, Refusal) else self.state.why_not_call(routine, args)
        elif not isinstance(found, int):
            found = self.state.try_play(step.text)
        wanted = tuple(word.text for word in step.refused)
        if isinstance(found, int) or not found:
            return Failure(step.span, step.text, "this is possible, and was to be refused", expected=wanted)
        if self.state.hash() != before:
            return Failure(step.span, step.text, "what was refused has changed the state")
        given = [_own_words(refusal.text, step.text) for refusal in found]
        if all(any(normal(text) in reason for reason in given) for text in wanted):
            return None
        return Failure(
            step.span, step.text, "this is refused, but for another reason", wanted, tuple(r.text for r in found),
            tuple(str(refusal) for refusal in found),
        )  # fmt: skip

    def find(self, text: str) -> int | list[Refusal]:
        return [Refusal("nothing is asked: the game is over")] if self.state.over else self.state.find(text)

    def is_action(self, text: str) -> bool:
        return text.split()[0] in self.state.table.actions

    def called(self, text: str) -> tuple[str, tuple[int, ...] | Refusal] | None:
        """The routine that a text calls, with its arguments as handles; None if it names no routine."""
        name, _, rest = text.partition(" ")
        kinds = self.routines.get(name)
        if kinds is None:
            return None
        state = self.state
        reader = Reader(state.table, state.names, list(state.words), state.decider)
        args = next(reader.read(kinds, normal(rest)), None)
        if args is not None:
            return name, args
        left = normal(rest)
        for kind in kinds:
            found = next(reader.first(kind, left), None)
            if found is None:
                return name, Refusal(f"there is no {kind} `{left}` here" if left else f"{article(kind)} is missing")
            left = found[1]
        return name, Refusal(f"`{left}` is too much: `{name}` takes {len(kinds)} arguments")

    def wrong_player(self, step: Step) -> Failure | None:
        if step.player is None:
            return None
        wanted = step.player.text
        asked = self.asked()
        if asked == wanted:
            return None
        return Failure(step.span, step.text, "another player is asked", (wanted,), (asked,), self.situation())

    # ---- claims

    def claim(self, claim: Claim) -> list[Failure]:
        """What does not hold of one claim."""
        match claim.what:
            case "holds":
                assert claim.formula is not None
                return self.formula(claim.formula)
            case "log":
                return self.log(claim)
            case "options":
                failure = self.options(claim.span, claim.text, claim.words)
                return [] if failure is None else [failure]
            case "decision":
                return self.same(claim, (claim.words[0].text,), (self.asked(),))
            case "over":
                return self.same(claim, (_truth(claim.numbers[0]),), (_truth(self.state.over),))
            case "winners":
                found = [self.state.players[seat - 1] for seat in self.state.winners]
                wanted = sorted((word.text for word in claim.words), key=self.state.players.index)
                return self.same(claim, tuple(wanted), tuple(found))
            case "scores":
                scores = dict(zip(self.state.players, self.state.scores, strict=True))
                wanted = [f"{word.text} {number}" for word, number in zip(claim.words, claim.numbers, strict=True)]
                return self.same(claim, tuple(wanted), tuple(f"{w.text} {scores[w.text]}" for w in claim.words))

    def same(self, claim: Claim, expected: tuple[str, ...], found: tuple[str, ...]) -> list[Failure]:
        if expected == found:
            return []
        notes = self.situation() if claim.what in ("decision", "over") else ()
        return [Failure(claim.span, claim.text, "this came out otherwise", expected, found, notes)]

    def formula(self, formula: Formula) -> list[Failure]:
        failures = []
        for test in formula.tests:
            try:
                if self.value(test.whole, formula):
                    continue
                expected: tuple[str, ...] = ()
                found: tuple[str, ...] = ()
                message = "this does not hold"
                if test.sides:
                    left, right = (self.shown(side, formula) for side in test.sides)
                    assert isinstance(test.whole, tree.Compare)
                    op = "" if test.whole.op == "==" else f"{test.whole.op} "
                    expected, found = (f"{op}{right}",), (left,)
                failures.append(Failure(test.span, test.text, message, expected, found))
            except RuleError as error:
                failures.append(Failure(test.span, test.text, "this cannot be computed", diagnostic=error.diagnostic))
        return failures

    def value(self, expr: tree.Expr, formula: Formula) -> int:
        handles = {name.text: self.handle(name) for name in formula.names}
        return self.answers.value(expr, formula, self.state.words, handles)

    def handle(self, name: tree.Local) -> int:
        """Of a thing of the scenario, or of one that was made since and has this name."""
        if name.text in self.handles:
            return self.handles[name.text]
        names = self.state.names
        there = names.handles(name.type.name, self.state.words)
        return next((handle for handle in there if names.text(name.type.name, handle).replace(" ", "") == name.text), 0)

    def shown(self, expr: tree.Expr, formula: Formula) -> str:
        kind = expr.type.name if expr.type.tag == "ref" else expr.type.tag
        return self.state.names.text(kind, self.value(expr, formula))

    def log(self, claim: Claim) -> list[Failure]:
        """The texts occur in the log's lines, in this order."""
        lines = self.log_lines()
        at = 0
        for word in claim.words:
            while at < len(lines) and normal(word.text) not in normal(lines[at]):
                at += 1
            if at == len(lines):
                earlier = any(normal(word.text) in normal(line) for line in lines)
                message = "the log says this, but not in this order" if earlier else "the log does not say this"
                return [Failure(claim.span, claim.text, message, (word.text,))]
            at += 1
        return []

    def options(self, place: Span, text: str, words: Sequence[Word]) -> Failure | None:
        """The legal options are these, and no others."""
        if self.state.over:
            return Failure(place, text, "nothing is asked: the game is over", tuple(word.text for word in words))
        legal = [option.text for option in self.state.decision.options]
        wanted = []
        for word in words:
            found = self.state.find(word.text)
            wanted.append(legal[found] if isinstance(found, int) else word.text)
        if sorted(wanted) == sorted(legal):
            return None
        notes = (f"{self.asked()} is asked",)
        ordered = sorted(wanted, key=lambda text: legal.index(text) if text in legal else len(legal))
        return Failure(place, text, "the options are others", tuple(ordered), tuple(legal), notes)

    # ---- telling

    def asked(self) -> str:
        return "nobody" if self.state.over else self.state.players[self.state.decider - 1]

    def situation(self) -> tuple[str, ...]:
        """Who is asked what."""
        if self.state.over:
            return ("nothing is asked: the game is over",)
        decision = self.state.decision
        options = ", ".join(option.text for option in decision.options[:8])
        more = f" and {len(decision.options) - 8} more" if len(decision.options) > 8 else ""
        return (f"{self.asked()} is asked: {options}{more}",)

    def reasons(self, refusals: Sequence[Refusal]) -> tuple[str, ...]:
        return (*(str(refusal) for refusal in refusals), *self.situation())

    def story(self) -> tuple[str, ...]:
        """The log with its causes: what happened because of a line stands further in below it."""
        return tuple(str(event) for event in self.state.log)

    def log_lines(self) -> list[str]:
        return [event.text for event in self.state.log]


def _truth(value: object) -> str:
    return "true" if value else "false"


def _own_words(reason: str, line: str) -> str:
    """A reason without what it only quotes from the line, so that no word of the line is taken for a reason."""
    return normal(re.sub(r"`([^`]*)`", lambda quoted: "" if normal(quoted[1]) in normal(line) else quoted[0], reason))

"""Judges the assertions of a scenario at a moment of its game, and tells what else was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulelang.base.errors import RuleError
from rulelang.base.wording import counted
from rulelang.language.semantics import tree
from rulelang.runtime.decision import normalized_text
from rulelang.testing.scenarios import stepper
from rulelang.testing.scenarios.assertions import Assertion, judge_sight
from rulelang.testing.scenarios.fixture import CompiledAnswers
from rulelang.testing.scenarios.formulas import Formula, Test, mentioned_variables, optional_variables
from rulelang.testing.scenarios.scenario import Failure
from rulelang.testing.scenarios.stepper import Moment
from rulelang.testing.scenarios.tokens import Word

#: What is said of a game that is not over yet, where nobody has a choice any more.
BY_ITSELF = "the game is not over yet: it ends later, without another choice"


@dataclass(frozen=True, slots=True)
class Judge:
    """Looks at one moment. `handles` stand for the players and things that the scenario names."""

    moment: Moment
    handles: Mapping[str, int]
    answers: CompiledAnswers

    def found(self, assertion: Assertion) -> list[Failure]:
        """Return what is false of one assertion."""
        try:
            return self.judged(assertion)
        except RuleError as error:  # of what comes after this moment
            return [
                Failure(assertion.span, assertion.text, "a rule stopped with an error", diagnostic=error.diagnostic)
            ]

    def judged(self, assertion: Assertion) -> list[Failure]:
        match assertion.what:
            case "holds":
                assert assertion.formula is not None
                return self.formula(assertion.formula)
            case "log":
                return self.log(assertion)
            case "options":
                failure = judge_options(self.moment.asking(told_option_count(assertion)), assertion)
                return [] if failure is None else [failure]
            case "sees":
                return self.sees(assertion)
            case "decision":
                return self.same(assertion, (assertion.words[0].text,), (self.moment.question().asked,))
            case "over":
                return self.same(assertion, (_truth(assertion.numbers[0]),), (_truth(self.moment.state.over),))
            case "winners":
                if not self.moment.state.over:
                    return [Failure(assertion.span, assertion.text, "the game is not over", notes=self.unfinished())]
                found = [self.moment.state.players[seat - 1] for seat in self.moment.state.winners]
                wanted = sorted((word.text for word in assertion.words), key=self.moment.state.players.index)
                return self.same(assertion, tuple(wanted), tuple(found))
            case "scores":
                return self.scores(assertion)

    def scores(self, assertion: Assertion) -> list[Failure]:
        scores = dict(zip(self.moment.state.players, self.moment.state.scores, strict=True))
        wrong = [
            f"{word.text} has {counted(scores[word.text], 'point')}, not {number}"
            for word, number in zip(assertion.words, assertion.numbers, strict=True)
            if scores[word.text] != number
        ]
        return [Failure(assertion.span, assertion.text, "; ".join(wrong))] if wrong else []

    def same(self, assertion: Assertion, expected: tuple[str, ...], found: tuple[str, ...]) -> list[Failure]:
        if expected == found:
            return []
        notes: tuple[str, ...] = ()
        if assertion.what == "decision":
            notes = situation_text(self.moment.question())
        elif assertion.what == "over":
            notes = self.unfinished()
        return [Failure(assertion.span, assertion.text, "the result is different", expected, found, notes)]

    def unfinished(self) -> tuple[str, ...]:
        """Return what is asked before the game is over; if nothing is, that it ends by itself, only not yet here."""
        if self.moment.state.over:
            return ()
        there = self.moment.question()
        return situation_text(there) if there.choice else (BY_ITSELF,)

    def formula(self, formula: Formula) -> list[Failure]:
        failures = []
        for test in formula.tests:
            gone = self.gone(test, formula)
            if gone:
                failures.append(Failure(test.span, test.text, f"`{gone}` is missing"))
                continue
            try:
                if self.value(test.whole, formula):
                    continue
                expected: tuple[str, ...] = ()
                found: tuple[str, ...] = ()
                message = "this is false"
                if test.sides:
                    left, right = (self.told(side, formula) for side in test.sides)
                    assert isinstance(test.whole, tree.Compare)
                    op = "" if test.whole.op == "==" else f"{test.whole.op} "
                    expected, found = (f"{op}{right}",), (left,)
                failures.append(Failure(test.span, test.text, message, expected, found))
            except RuleError as error:
                failures.append(
                    Failure(test.span, test.text, "this expression cannot be computed", diagnostic=error.diagnostic)
                )
        return failures

    def gone(self, test: Test, formula: Formula) -> str:
        """A thing that the test speaks of as if it were there, and that is not; "" if there is none."""
        missing = [name for name in formula.names if name.name in mentioned_variables(test) and not self.handle(name)]
        return next((name.text for name in missing if name.name not in optional_variables(test)), "")

    def value(self, expr: tree.Expr, formula: Formula) -> int:
        handles = {name.text: self.handle(name) for name in formula.names}
        return self.answers.value(expr, formula, self.moment.state.words, handles)

    def handle(self, name: tree.Local) -> int:
        """Of a thing of the scenario, or of one that was made since and has this name."""
        if name.text in self.handles:
            return 0 if name.text in self.moment.gone else self.handles[name.text]
        names = self.moment.state.names
        there = names.handles(name.type.name, self.moment.state.words)
        wanted = name.text.replace(" ", "")
        return next((handle for handle in there if names.text(name.type.name, handle).replace(" ", "") == wanted), 0)

    def told(self, expr: tree.Expr, formula: Formula) -> str:
        kind = expr.type.name if expr.type.tag == "ref" else expr.type.tag
        return stepper.named_value(self.moment.state.names, kind, self.value(expr, formula))

    def sees(self, assertion: Assertion) -> list[Failure]:
        """What the view of a seat shows."""
        assert assertion.sight is not None
        state = self.moment.state
        sight, layout = assertion.sight, state.table.program.layout
        right, found = judge_sight(sight, state.view(assertion.seat), layout)
        if right:
            return []
        read = judge_sight(sight, stepper.in_player_words(state).view(assertion.seat), layout)[1]
        found = stepper.with_player_words(found, read)
        return [Failure(assertion.span, assertion.text, "the view is different", (sight.expected(),), (found,))]

    def log(self, assertion: Assertion) -> list[Failure]:
        """The texts occur in the log's lines, in this order; what is absent in none."""
        if assertion.seat:
            lines = [event.text for event in self.moment.state.log_for(assertion.seat)]
        else:
            lines = [text for text, _ in self.moment.story()]
        for word in assertion.absent:
            said = next((line for line in lines if normalized_text(word.text) in normalized_text(line)), None)
            if said is not None:
                return [
                    Failure(
                        word.span, assertion.text, "the log contains this", (f"no line with: {word.text}",), (said,)
                    )
                ]
        at = 0
        for word in assertion.words:
            while at < len(lines) and normalized_text(word.text) not in normalized_text(lines[at]):
                at += 1
            if at == len(lines):
                earlier = any(normalized_text(word.text) in normalized_text(line) for line in lines)
                message = "the log contains this, but in another order" if earlier else "the log does not contain this"
                return [Failure(assertion.span, assertion.text, message, (word.text,))]
            at += 1
        return []


def told_option_count(assertion: Assertion) -> int:
    """How many options an assertion tells; more than one if it only tells some of them."""
    return 2 if assertion.among else len(assertion.words)


def judge_options(moment: Moment, assertion: Assertion) -> Failure | None:
    """The legal options of a question are these, and no others; or these are among them, and those are not."""
    place, text = assertion.span, assertion.text
    if moment.state.over:
        wanted = tuple(word.text for word in assertion.words)
        return Failure(place, text, "nobody is asked: the game is over", wanted, notes=moment.way())
    legal = [option.text for option in moment.state.decision.options]
    notes = (*moment.way(), f"{moment.asked} is asked")
    named = []
    for word in assertion.words:
        found = moment.state.find(word.text)
        named.append(legal[found] if isinstance(found, int) else word.text)
    if assertion.among:
        failure = judge_unknown_thing(moment, assertion.strangers, text)
        if failure is not None:
            return failure
        for word in assertion.absent:
            given = [
                option for option in legal if f"{normalized_text(option)} ".startswith(f"{normalized_text(word.text)} ")
            ]
            if given:
                return Failure(word.span, text, f"`{word.text}` is among the options", (), tuple(given), notes)
        missing = next((word for word, option in zip(assertion.words, named, strict=True) if option not in legal), None)
        if missing is None:
            return None
        message = f"`{missing.text}` is not among the options"
        return Failure(missing.span, text, message, (missing.text,), tuple(stepper.option_lines(moment.state)), notes)
    if sorted(named) == sorted(legal):
        return None
    ordered = sorted(named, key=lambda text: legal.index(text) if text in legal else len(legal))
    said = stepper.option_lines(moment.state)
    expected = tuple(said[legal.index(text)] if text in legal else text for text in ordered)
    return Failure(place, text, "the options are different", expected, tuple(said), notes)


def judge_unknown_thing(moment: Moment, names: tuple[Word, ...], text: str) -> Failure | None:
    """Something that is said not to be possible, of a thing that is not there: that proves nothing."""
    unknown = next((word for word in names if not moment.knows(word.text)), None)
    if unknown is None:
        return None
    return Failure(unknown.span, text, f"`{unknown.text}` does not exist here, so this claim proves nothing")


def situation_text(moment: Moment) -> tuple[str, ...]:
    """Who is asked what."""
    if moment.state.over:
        return ("nobody is asked: the game is over",)
    if not moment.asks:
        return ()
    decision = moment.state.decision
    options = ", ".join(stepper.option_lines(moment.state, 8))
    more = f" and {len(decision.options) - 8} more" if len(decision.options) > 8 else ""
    return (f"{moment.asked} is asked: {options}{more}",)


def _truth(value: object) -> str:
    return "true" if value else "false"

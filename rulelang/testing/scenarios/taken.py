"""Explains steps that were taken where somebody had no choice, and that may have been meant for a later question."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.errors import RuleError
from rulelang.base.node import record
from rulelang.testing.scenarios.pace import PLACES, QUESTION, Moment
from rulelang.testing.scenarios.steps import RUN, Step

#: More of them are only counted.
MOST_SHOWN = 3


@record
class Taken:
    """A step, the question with a single answer at which it was done, and that answer."""

    step: Step
    question: Moment
    option: str

    def note(self) -> str:
        """Return where the step was done; and how to write it, if the next choice could have been meant."""
        said = self.step.text if self.step.player is None else f"{self.step.player.text}: {self.step.text}"
        done = f"`{said}` answered a question of {self.question.asked} with only one option, `{self.option}`"
        other = self.other()
        if other is None:
            return done
        named = next((one for one in self.question.questions() if one.asked == other.asked), other)
        if self.step.player is None and named.choice:
            return f"{done}; if you mean {other.asked}, write `{other.asked}: {self.step.text}`"
        return f"{done}; if you mean the next choice of {other.asked}, add `- {RUN}: to {PLACES[QUESTION]}` before it"

    def other(self) -> Moment | None:
        """Return the next question that leaves a choice, if the step is possible there too."""
        try:
            there = self.question.question()
        except RuleError:
            return None
        player = self.step.player
        if not there.choice or (player is not None and there.asked != player.text):
            return None
        return there if isinstance(there.state.find(self.step.text), int) else None


def explained(taken: Sequence[Taken], last: Taken | None) -> tuple[str, ...]:
    """Return what a failure says of such steps: of those that could have been meant for another question, however long
    ago, and in any case of the last step."""
    found = [one for one in taken if one is last or one.other() is not None]
    notes = [one.note() for one in found[:MOST_SHOWN]]
    more = len(found) - len(notes)
    return (*notes, *([f"{more} more steps were used where nobody had a choice"] if more else ()))

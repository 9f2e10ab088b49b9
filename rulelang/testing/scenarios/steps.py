"""Read the `when` of a scenario: answers, actions, routines, refusals, options and dice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import RuleError
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.runtime.decision import normalized_text
from rulelang.testing.scenarios.assertions import Assertion, Context, read_assertions, read_texts
from rulelang.testing.scenarios.lexicon import report_unknown_step
from rulelang.testing.scenarios.position import Position
from rulelang.testing.scenarios.stepper import PLACES, QUESTION, Moment
from rulelang.testing.scenarios.tokens import (
    Word,
    list_items,
    map_without_quotes,
    report_quoted_map,
    report_unknown,
    report_wrong_shape,
    split_words,
    whole_word,
)

# ---- read steps

OPTIONS, DICE, REFUSED, RUN, THEN = "options", "dice", "refused", "run", "then"
KEYWORDS = OPTIONS, DICE, RUN, THEN


@record
class Step:
    """One step. do: `text` is an option or a call of a routine; `player` must be the one asked, if given; `refused`
    are the texts that the reasons must hold, and `strangers` things it names that must be there then. options, then:
    `assertions` hold now. dice: `numbers` fall next, from 1. run: `words` is what play runs on to, `question` or the
    end of a `turn`, `phase`, `round` or the `game`. inner: it is in a player's list, after other steps.
    """

    what: Literal["do", "options", "then", "dice", "run"]
    text: str
    span: Span
    player: Word | None = None
    refused: tuple[Word, ...] = ()
    words: tuple[Word, ...] = ()
    numbers: tuple[int, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    strangers: tuple[Word, ...] = ()
    inner: bool = False


def read_steps(nodes: tuple[YamlNode, ...], context: Context, known: Collection[str]) -> list[Step]:
    """Return the steps that can be read, up to the last mistake that is shown.

    `known` are the words that a step may begin with.
    """
    found: list[Step] = []
    for node in nodes:
        if context.out.full:
            break
        found.extend(_step(node, context, known))
    return found


def _step(node: YamlNode, context: Context, known: Collection[str]) -> list[Step]:
    position, out = context.position, context.out
    if isinstance(node, YamlScalar):
        return _do(node, None, (), known, context)
    if not isinstance(node, YamlMap) or len(node) != 1:
        report_wrong_shape(out, node, "a step", "- ACTION NAME")
        return []
    key, value = node.items[0]
    if key.text in (OPTIONS, THEN):
        return _asserted(node, None, context)
    if key.text == DICE:
        numbers = read_dice(value, out, context.sides)
        return [Step("dice", DICE, key.span, numbers=numbers)]
    if key.text == RUN and isinstance(value, YamlScalar):
        return _run(value, out)
    player = position.player(whole_word(key))
    if not position.seat(player.text):
        return _refused(key, value, None, known, context)
    steps = []
    for number, item in enumerate(list_items(value)):
        if isinstance(item, YamlScalar):
            steps += _do(item, player, (), known, context)
        elif isinstance(item, YamlMap) and len(item) == 1 and item.items[0][0].text in (OPTIONS, THEN):
            steps += _asserted(item, player, context, inner=number > 0)
        elif isinstance(item, YamlMap) and len(item) == 1 and item.items[0][0].text in (DICE, RUN):
            _of_nobody(item, player, out)
        elif isinstance(item, YamlMap) and len(item) == 1:
            steps += _refused(*item.items[0], player, known, context)
        else:
            report_wrong_shape(out, item, f"a step of {player.text}")
    return steps


def _asserted(node: YamlMap, player: Word | None, context: Context, *, inner: bool = False) -> list[Step]:
    """`then: [...]` between steps, or `options: ...`."""
    key, value = node.items[0]
    if key.text == THEN:
        claims = tuple(read_assertions(list_items(value), context))
        return [Step("then", THEN, key.span, player, assertions=claims, inner=inner)]
    return [Step("options", OPTIONS, key.span, player, assertions=tuple(read_assertions((node,), context)))]


def _run(value: YamlScalar, out: Diagnostics) -> list[Step]:
    """`run: to the end of the turn`. The word `the` may be left out."""
    said = " ".join(word for word in value.text.split() if word != "the").removeprefix("to ")
    for target, form in PLACES.items():
        if said == form.replace("the ", ""):
            return [Step("run", f"{RUN}: {value.text}", value.span, words=(Word(target, value.span),))]
    report_unknown(out, whole_word(value), "place to run to", [f"to {form}" for form in PLACES.values()])
    return []


def _refused(
    key: YamlScalar, value: YamlNode, player: Word | None, known: Collection[str], context: Context
) -> list[Step]:
    """`STEP: {refused: text}`."""
    position, out = context.position, context.out
    reasons = value.get(REFUSED) if isinstance(value, YamlMap) and len(value) == 1 else None
    words = read_texts(reasons, out) if reasons is not None else []
    if words:
        _repeated(words, key, out)
        return _do(key, player, tuple(words), known, context)
    if isinstance(value, YamlScalar) and player is None and len(key.text.split()) == 1 and key.text not in known:
        report_unknown(out, whole_word(key), "player", position.names)
    elif isinstance(value, YamlMap) and len(value) == 1 and value.items[0][0].text != REFUSED:
        report_unknown(out, whole_word(value.items[0][0]), "result of a step", (REFUSED,))
    else:
        report_wrong_shape(out, value, "the result of the step", f"{key.text}: {{{REFUSED}: the reason}}")
    return []


def _is_map(bare: YamlMap, player: Word | None, position: Position) -> bool:
    """Whether what a text in quotes would be without them is a step of its own form."""
    key, value = bare.items[0]
    if key.text in KEYWORDS:
        return True
    if player is not None:  # `{refused: ...}` needs a list below the player
        return False
    refused = isinstance(value, YamlMap) and value.get(REFUSED) is not None
    return refused or bool(position.seat(position.player(whole_word(key)).text))


def _of_nobody(node: YamlNode, player: Word, out: Diagnostics) -> None:
    """C701 for a step below a player that is nobody's in particular."""
    assert isinstance(node, YamlMap)
    key = node.items[0][0]
    because = "under a player's name, write only the player's steps, options and views"
    hint = f"write it as a step of its own: `- {key.text}: ...`"
    out.error("C701", key.span, f"`{key.text}` does not belong to a player", because=because, hint=hint)


def _repeated(reasons: list[Word], step: YamlScalar, out: Diagnostics) -> None:
    """C714 for a reason that has no word of its own: every refusal that names the things of the step would do."""
    said = {normalized_text(word.text) for word in split_words(step)} | set(normalized_text(step.text).split())
    for reason in reasons:
        if reason.text.strip() and set(normalized_text(reason.text).split()) <= said:
            because = "any refusal of a step with these names would contain this text"
            hint = 'write why the step is refused, or `refused: ""` to accept any reason'
            out.error("C714", reason.span, "this reason adds nothing to the step", because=because, hint=hint)


def _do(
    scalar: YamlScalar, player: Word | None, refused: tuple[Word, ...], known: Collection[str], context: Context
) -> list[Step]:
    words, out = split_words(scalar), context.out
    if not words:
        report_wrong_shape(out, scalar, "a step", "- ACTION NAME")
        return []
    first = words[0]
    bare = map_without_quotes(scalar)
    if bare is not None and _is_map(bare, player, context.position):
        report_quoted_map(out, scalar, "a step")
        return []
    if first.text.endswith(":") or f": {{{REFUSED}" in scalar.text:
        out.error(
            "C701",
            scalar.span,
            "a step and its result cannot be in one line with their player",
            because="in quotes, the line is a single text",
            hint=f"write a list for the player: `- {player.text if player else 'PLAYER'}:`, and in it "
            f"`- STEP: {{{REFUSED}: TEXT}}`",
        )
        return []
    if normalized_text(first.text).split()[0] not in known and not first.text.lstrip("-").isdecimal():
        report_unknown_step(first, known, out)
        return []
    if not context.phrases.check(words, out, "all" if refused else "letters"):
        return []
    strangers = context.phrases.strangers(words) if refused else ()
    text = " ".join(word.text for word in words)
    return [Step("do", text, scalar.span, player, refused, strangers=strangers)]


def read_dice(node: YamlNode | None, out: Diagnostics, sides: int) -> tuple[int, ...]:
    """Numbers that dice show, from 1; C704 for one that the largest die of the game does not have."""
    numbers = []
    for item in list_items(node):
        if isinstance(item, YamlScalar) and type(item.value) is int and item.value >= 1:
            numbers.append(item.value)
            if item.value > sides:
                because = f"its dice have at most {sides} sides" if sides else "no rule rolls a die"
                out.error("C704", item.span, f"no die of this game can show {item.value}", because=because)
        else:
            report_wrong_shape(out, item, "a number of a die, from 1", f"{DICE}: [3, 6]")
    return tuple(numbers)


# ---- forced steps

#: More of them are only counted.
MOST_SHOWN = 3


@record
class ForcedStep:
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


def explain_forced_steps(taken: Sequence[ForcedStep], last: ForcedStep | None) -> tuple[str, ...]:
    """Return what a failure says of such steps: of those that could have been meant for another question, however long
    ago, and in any case of the last step."""
    found = [one for one in taken if one is last or one.other() is not None]
    notes = [one.note() for one in found[:MOST_SHOWN]]
    more = len(found) - len(notes)
    return (*notes, *([f"{more} more steps were used where nobody had a choice"] if more else ()))

"""What a player reads are words: every question, and every refusal of what could be done in any other phase."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from rulelang.runtime.state import State
from tests.properties.games import COLOSSAL, MORE_RULESETS, RULESETS, Ruleset, history, usual

#: How many questions of a game are looked at, and how many texts are tried at each; the same in the slow tests.
FEW, MANY = (14, 10), (60, 25)

_QUOTED = re.compile(r"`[^`]*`")
_NO_WORDS = (
    (re.compile(r"\w_\w|\w\.\w"), "a name of the rules"),
    (re.compile(r"[=<>{}\[\]|&]|[-+*/]=| [*%] "), "an operator"),
    (re.compile(r"\w\("), "a call"),
    (re.compile(r"\b(actor|bool|int|self)\b|\bwhether not\b|\bis so\b|\bis not so\b"), "a word of the language"),
    (re.compile(r"  | [,.;:]|\( |^\s*$"), "a hole that nothing filled"),
)


def no_words(text: str, quoted: tuple[str, ...] = ()) -> str:
    """What of a text is no words; "" if it may be read aloud. What is `quoted` is what a player may type himself."""
    for said in quoted:
        text = text.replace(f"`{said}`", "it")
    plain = _QUOTED.sub(lambda match: match[0] if "(" in match[0] or "=" in match[0] else "it", text)
    return next((what for pattern, what in _NO_WORDS if pattern.search(plain)), "")


def test_the_judge_knows_code() -> None:
    for code in ("not c.acted", "it requires prey.owner != actor", "`c.stops == played.blow`", "size > 3", "fat_tissue",
                 "it requires can eat(s)", "{s} is full", "", "the self is missing"):  # fmt: skip
        assert no_words(code), code
    for said in ("crab is yours", "ana's crab is fed; bob is asked: choose an action", "it has 3, not more than 3",
                 "there is no action `play_trait`", "bite (so far: alva, worn gold)"):  # fmt: skip
        assert no_words(said) == "", said


def read(ruleset: Ruleset, questions: int, texts: int) -> Iterator[tuple[str, State, list[str]]]:
    """Texts that are options somewhere in a game, each at a question where it may be none, with what is said of it."""
    states = [state for state in history(usual(ruleset), 7) if not state.over]
    said: dict[str, list[str]] = {}  # by action, what can be said of it
    for state in states[:: max(1, len(states) // (4 * questions))]:
        for option in state.decision.options:
            said.setdefault(f"{state.phase} {option.action}", []).append(option.text)
    chosen = random.Random(1)
    for state in states[:: max(1, len(states) // questions)]:
        yield "", state, [state.decision.prompt]
        for kind in chosen.sample(sorted(said), min(texts, len(said))):
            text = chosen.choice(said[kind])
            yield text, state, [refusal.text for refusal in state.why_not(text)]


def judged(ruleset: Ruleset, questions: int, texts: int) -> list[str]:
    wrong = {}
    for text, state, told in read(ruleset, questions, texts):
        for line in told:
            if what := no_words(line):
                wrong[line] = f"{what}: {line} (of `{text}` at `{state.decision.prompt}`)"
    return list(wrong.values())


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_what_is_read_are_words(ruleset: Ruleset) -> None:
    assert judged(ruleset, *FEW) == []


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [*RULESETS, *MORE_RULESETS, COLOSSAL], ids=str)
def test_what_is_read_are_words_throughout(ruleset: Ruleset) -> None:
    assert judged(ruleset, *MANY) == []

"""Whatever rules say, the checker answers with diagnostics that have a place and a page; it never raises."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulelang.base.codes import CODES
from rulelang.data.ruleset import load_ruleset
from rulelang.language.semantics.check.program import check_program, read_rules
from rulelang.language.semantics.declare import declare
from rulelang.language.syntax.parse import parse

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
WORDS = re.compile(r'[A-Za-z_]\w*|\d+|"[^"]*"|\s+|.')


@pytest.mark.parametrize(
    ("name", "mode"), [("evolution", None), ("evolved", None), ("darwins_choice_colossal", "epic")]
)
def test_words_put_in_the_place_of_others(name: str, mode: str | None) -> None:
    source, _ = load_ruleset(EXAMPLES / name, mode=mode)
    assert source is not None
    model, _ = declare(source)
    good, _ = read_rules(source, model)
    chance = random.Random(7)
    words = [word for text in source.rules for word in WORDS.findall(text.text) if word.strip()]
    for _ in range(60):
        at = chance.randrange(len(good))
        tokens = WORDS.findall(source.rules[at].text)
        for _ in range(chance.choice((1, 2, 4))):
            place = chance.randrange(len(tokens))
            if tokens[place].strip():
                tokens[place] = chance.choice(words)
        declarations, _ = parse("".join(tokens), source.rules[at].placement)
        texts = [*good]
        texts[at] = (good[at][0], declarations)
        for diagnostic in check_program(model, texts, source)[1]:
            assert diagnostic.code in CODES
            assert diagnostic.span.path
            assert diagnostic.message

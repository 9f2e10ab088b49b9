"""Whatever a document says, and wherever the cursor stands: nothing raises, and the answer comes in time."""

from __future__ import annotations

import random
import time

import pytest

from rulelang.apps.editor.completions import complete
from rulelang.apps.editor.decorations import call_at, inlay_hints, semantic_tokens
from rulelang.apps.editor.navigation import definition_of, document_outline, folding_ranges, hover_text, references_to
from rulelang.apps.editor.server import formatted_text
from tests.editor.helpers import GAMES, shipped

#: Seconds of the processor that all answers at one place may take, once the index of the game is made.
LONGEST = 2.0
GAMES_TRIED = ("evolution", "origin_of_species", "darwins_choice", "evolved")


def mangled(text: str, chance: random.Random) -> tuple[str, int, int]:
    """A text that ends somewhere, or lacks a piece, and a place in it: often where it was cut."""
    cut = chance.randrange(len(text) + 1)
    kept = text[:cut] + (text[cut + chance.randrange(200) :] if chance.random() < 0.5 else "")
    at = cut if chance.random() < 0.7 else chance.randrange(len(kept) + 1)
    before = kept[:at]
    return kept, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize("game", GAMES_TRIED)
def test_no_feature_raises_on_broken_text(game: str) -> None:
    desk, chance = shipped(game), random.Random(game)
    analysis = desk.analysis("ruleset.yaml")
    files = [p.relative_to(GAMES / game).as_posix() for p in sorted((GAMES / game).rglob("*"))]
    files = [name for name in files if name.endswith((".yaml", ".rules", ".csv"))]
    hover_text(analysis, desk.path("game.rules"), 1, 1)
    for _ in range(40):
        name = chance.choice(files)
        path = desk.path(name)
        text, line, column = mangled(desk.read(name), chance)
        began = time.process_time()
        complete(analysis, path, text, line, column)
        hover_text(analysis, path, line, column)
        definition_of(analysis, path, line, column)
        references_to(analysis, path, line, column, declarations=True)
        call_at(analysis, path, text, line, column)
        document_outline(path, text)
        list(folding_ranges(path, text))
        list(inlay_hints(analysis, path, 1, line))
        semantic_tokens(analysis, path, text)
        formatted_text(path, text)
        taken = time.process_time() - began
        assert taken < LONGEST, f"{taken:.1f} s in {name}, {line}:{column}"


def test_an_open_document_that_is_broken_still_has_its_names() -> None:
    chance = random.Random(7)
    for name in ("game.rules", "traits/carnivore.yaml", "ruleset.yaml"):
        desk = shipped.__wrapped__("evolution")
        desk.analysis("game.rules")
        text, line, column = mangled(desk.read(name), chance)
        desk.put(name, text)
        complete(desk.analysis(name), desk.path(name), text, line, column)
        assert desk.analysis(name).model.traits

"""`deck`: every card of a game, copy for copy, to be printed and cut out."""

from __future__ import annotations

from rulelang.base.languages import ENGLISH, Language
from rulelang.compiler.compilation import Compilation
from rulelang.tools.printing.document import Deck, Face
from rulelang.tools.printing.faces import Fronts
from rulelang.tools.printing.names import Names
from rulelang.tools.printing.rulebook import head_of

#: Papers on which nine cards fit, as typst calls them.
PAPERS = {"a4": "a4", "letter": "us-letter"}


def deck(
    compilation: Compilation, language: Language = ENGLISH, *, paper: str = "a4", backs: bool = True, once: bool = False
) -> Deck:
    """The cards of a game with its mods and mode; `once`: each different one once. LoadError if it cannot be
    understood. It is empty for a game without cards."""
    names = Names(compilation, language)
    head = head_of(names)
    fronts = Fronts(names, head.title, compilation.checked.roots)
    faces: dict[Face, int] = {}
    cards: list[int] = []
    for sort in names.model.sorts.values():
        for face, copies in fronts.of(sort):
            number = faces.setdefault(face, len(faces))
            cards += [number] * (1 if once else copies)
    return Deck(head, tuple(faces), tuple(fronts.backs), tuple(cards), PAPERS[paper], backs, tuple(fronts.pictures))

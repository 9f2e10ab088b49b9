"""What print says by the names that the rules give it, for want of other words: what translators need besides."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.compiler.compilation import Compilation
from rulelang.tools.printing.names import Names
from rulelang.tools.printing.rulebook import book_of
from rulelang.tools.printing.sheet import sheet_of


def said_by_name(compilation: Compilation) -> Sequence[str]:
    """The names of the rules that stand in the rulebook and on the sheet of a game, in their order there; variables of
    one letter are left out. LoadError if the game cannot be understood."""
    names = Names(compilation)
    book_of(names)
    sheet_of(names)
    return [name for name in names.by_name if len(name) > 1]

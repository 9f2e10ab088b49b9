"""A state that calls things as its ruleset wants them called: what it tells reads as documents do."""

from __future__ import annotations

from rulelang.engine.names import Names, player_names
from rulelang.engine.state import State
from rulelang.engine.table import Table
from rulelang.present.words import Words
from rulelang.texts.language import Language


def in_words(state: State) -> State:
    """The state with its log, options and reasons in the words of `look:`, in the language that it speaks."""
    return state.spoken(labelled(state.table, state.names.language))


def labelled(table: Table, language: Language) -> Language:
    """The language, in which rows and cards have their labels in the place of their names in the rules."""
    layout = table.program.layout
    words = Words(layout, Names(layout, player_names(table.players), None, language))
    rows = {
        name: words.row(kind, name)
        for kind, names in layout.lists.items()
        if not kind.startswith("option ")
        for name in names[1:]
    }
    kinds = {kind: words.named(kind) for kind in layout.kinds}
    cards = {info.label: words.printed_card(info) for info in layout.cards[1:]}
    return Language(language.code, {**language.texts, **kinds, **rows, **cards})

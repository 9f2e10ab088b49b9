"""How messages about scenarios call things: by the names that authors write, with the words of players beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from rulelang.runtime.names import Names

if TYPE_CHECKING:
    from rulelang.runtime.state import State

_SIGNS = re.compile(r"[\W_]+")


def in_words(state: State) -> State:
    """The state as players read it."""
    return state.spoken(state.names.language.labelled())


def value(names: Names, kind: str, handle: int) -> str:
    """A value of a kind: `Long Neck (long_neck)`, `4`."""
    name, words = names.text(kind, handle), names.spoken(names.language.labelled()).text(kind, handle)
    return name if name.casefold() == words.casefold() else f"{words} ({name})"


def beside(written: str, words: str) -> str:
    """A text as scenarios write it, and behind it as players read it where that says more: other words, and not only
    capitals and signs."""
    return written if _plain(written) == _plain(words) else f"{written}  ({words})"


def options(state: State, most: int | None = None) -> list[str]:
    """The options of a question, the first so many of them."""
    spoken = in_words(state).decision.options
    pairs = zip(state.decision.options, spoken, strict=True)
    return [beside(option.text, said.text) for option, said in islice(pairs, most)]


def lines(state: State, first: int) -> Iterator[str]:
    """The lines of the log from an event on, each further in than its cause."""
    names = state.names.spoken(state.names.language.labelled())
    for event, read in zip(state.log[first:], state.log_in(names, None)[first:], strict=True):
        said = beside(event.text, read.text) if event.told else event.text
        source = f"  [{beside(event.source, names.source(event.source))}]" if event.source else ""
        yield f"{'  ' * event.depth}{said}{source}"


def _plain(text: str) -> str:
    return " ".join(_SIGNS.split(text.casefold())).strip()

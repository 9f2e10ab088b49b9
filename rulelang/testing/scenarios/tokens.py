"""The words of a line of a scenario, each with its place in the file, and mistakes about them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.base.wording import comparable_names, did_you_mean
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, node_kind
from rulelang.data.yaml_reader import read_yaml_text

# ---- words

_WORD = re.compile(r'"([^"]*)"(?!\S)|\S+')


class Word(NamedTuple):
    """A word (or a whole line) and where it stands."""

    text: str
    span: Span


def whole_word(scalar: YamlScalar) -> Word:
    """A scalar as one word."""
    return Word(scalar.text, scalar.span)


def split_words(scalar: YamlScalar) -> list[Word]:
    """The words of a scalar, one of them what stands in quotes; where the file's columns are not those of the text, all
    stand where the scalar does."""
    if not scalar.exact:
        return [Word(found[1] or found[0], scalar.span) for found in _WORD.finditer(scalar.text)]
    place = scalar.placement()
    words = []
    for number, line in enumerate(scalar.text.split("\n"), 1):
        for found in _WORD.finditer(line):
            words.append(Word(found[1] or found[0], place.span(number, found.start() + 1, number, found.end() + 1)))
    return words


def split_text_words(text: str) -> list[str]:
    """The words of a text, as `split` has them."""
    return [found[1] or found[0] for found in _WORD.finditer(text)]


def known_spelling(word: Word, known: Iterable[str]) -> Word:
    """The word as the name is written that it means: names are matched without regard to case."""
    names = known if isinstance(known, Collection) else tuple(known)
    if word.text in names:
        return word
    alike = [name for name in names if name.casefold() == word.text.casefold()]
    return word._replace(text=alike[0]) if len(alike) == 1 else word


def list_items(node: YamlNode | None) -> tuple[YamlNode, ...]:
    """A list's items; a single value is a list of one; nothing is an empty list."""
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        return ()
    return node.items if isinstance(node, YamlSeq) else (node,)


def report_wrong_shape(out: Diagnostics, node: YamlNode, expected: str, example: str = "") -> None:
    """C701: something else than is read here."""
    out.error(
        "C701",
        node.span.head(),
        f"expected {expected}, found {node_kind(node)}",
        hint=f"write it like `{example}`" if example else "",
    )


def report_unknown(
    out: Diagnostics, word: Word, what: str, known: Iterable[str], because: str = "", hint: str = ""
) -> None:
    """C702: a name that nothing has. `hint` is given in the place of the nearest name."""
    names = list(dict.fromkeys(known))
    near = comparable_names(word.text, names)
    like = get_close_matches(word.text, [name for name in names if name in near], n=12, cutoff=0.4)
    names = list(dict.fromkeys([*like, *names]))
    reason = because or (available_text(names) if names else f"the game has no {what}")
    hint = hint or did_you_mean(word.text, names)
    kind, of, owner = what.partition(" of ")
    out.error("C702", word.span, f"there is no {kind} `{word.text}`{of}{owner}", because=reason, hint=hint)


def joined_word_count(words: Sequence[Word], known: Iterable[str]) -> int:
    """How many of the words, from the first on, are one known name, written with blanks for `_`. 0 if none are, or if
    the first is a name by itself."""
    names = {name.casefold() for name in known}
    if not words or words[0].text.casefold() in names:
        return 0
    most = min(len(words), max((name.count("_") + 1 for name in names), default=0))
    ends = (end for end in range(most, 1, -1) if _underlined(words[:end]) in names)
    return next(ends, 0)


def report_blanks(out: Diagnostics, words: Sequence[Word]) -> None:
    """C702: a name as players read it, where a line has room for one word. See `in_one`."""
    read = " ".join(word.text for word in words)
    out.error(
        "C702",
        words[0].span.to(words[-1].span),
        f"`{read}` is the name for players",
        because="scenarios use the name from the rules, in one word",
        hint=f"write `{_underlined(words)}`",
    )


def _underlined(words: Sequence[Word]) -> str:
    return "_".join(word.text.casefold() for word in words)


def available_text(names: Sequence[str]) -> str:
    """What there is, for a message."""
    return f"there is only {listed_names(names)}" if len(names) == 1 else f"there are {listed_names(names)}"


def listed_names(names: Sequence[str], most: int = 12) -> str:
    """Names for a message: not more than a reader takes in."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def map_pairs(out: Diagnostics, node: YamlNode | None, expected: str, example: str = "") -> list[tuple[Word, YamlNode]]:
    """The keys and values of a map; anything else is told."""
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        return []
    if not isinstance(node, YamlMap):
        report_wrong_shape(out, node, expected, example)
        return []
    return [(whole_word(key), value) for key, value in node]


# ---- maps in quotes


def map_without_quotes(node: YamlNode) -> YamlMap | None:
    """Return the map with one key that a text in quotes would be without them, if it would be one."""
    if not isinstance(node, YamlScalar) or node.style not in ("single", "double") or ":" not in node.text:
        return None
    out = Diagnostics()
    root = read_yaml_text(node.text, node.span.path, out).root
    return root if isinstance(root, YamlMap) and len(root) == 1 and not out.failed else None


def report_quoted_map(out: Diagnostics, node: YamlNode, what: str) -> None:
    """Add C701 for such a text, with the line to write."""
    assert isinstance(node, YamlScalar)
    out.error(
        "C701",
        node.span,
        f"expected {what}, found quoted text",
        because="the quotes turn the key and its value into one text",
        hint=f"write it without the quotes: `- {node.text}`",
    )

"""`condition on LIST` cells: `climb+fly>=1; cold=0` becomes a table of terms, never code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.base.spaces import Spaces
from rulelang.data.patches import Removed
from rulelang.data.yaml_nodes import YamlScalar
from rulelang.language.semantics.model import Condition, Term

Comparison = Literal["==", "!=", "<", "<=", ">", ">="]

_OPERATORS: dict[str, Comparison] = {
    "=": "==",
    "==": "==",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}
_TERM = re.compile(r"(?P<left>[^<>=!≤≥≠]*)(?P<op>[<>=!≤≥≠]*)(?P<right>.*)", re.DOTALL)
_FORM = "a condition looks like `climb+fly>=1; cold=0`: names joined by `+`, a comparison, a whole number"


def stretch(cell: YamlScalar, start: int, end: int) -> Span:
    """The place of the characters `start` to `end` (from 0, end exclusive) of a scalar's text.

    The whole scalar where its columns cannot be told apart (escapes, folded text).
    """
    if not cell.exact or "\n" in cell.text or end <= start:
        return cell.span
    return cell.placement().span(1, start + 1, 1, end + 1)


def words(text: str, start: int, separator: str) -> list[tuple[str, int]]:
    """The parts between separators, without blanks around them, each with its offset (`start` is that of `text`)."""
    found: list[tuple[str, int]] = []
    offset = start
    for part in text.split(separator):
        lead = len(part) - len(part.lstrip())
        found.append((part.strip(), offset + lead))
        offset += len(part) + len(separator)
    return found


def parse_condition(
    cell: YamlScalar,
    listing: str,
    rows: Mapping[str, int],
    declared: Span,
    out: Diagnostics,
    removed: Sequence[Removed] = (),
) -> Condition | None:
    """The terms of a cell; an empty cell holds always. None after a mistake (N313 for the form, N305 for a name).

    `rows` are the rows of `listing` with their numbers, `declared` the place of that list, `removed` what layers took
    out of it.
    """
    terms: list[Term] = []
    good = True
    parts = words(cell.text, 0, ";")
    for index, (text, offset) in enumerate(parts):
        if not text:
            if len(parts) > 1 and index < len(parts) - 1:
                at = stretch(cell, offset, offset + 1)
                out.error("N313", at, "there is no condition before this `;`", because=_FORM)
                good = False
            continue
        term = _term(cell, text, offset, listing, rows, declared, out, removed)
        if term is None:
            good = False
        else:
            terms.append(term)
    return Condition(tuple(terms)) if good else None


def _term(
    cell: YamlScalar,
    text: str,
    offset: int,
    listing: str,
    rows: Mapping[str, int],
    declared: Span,
    out: Diagnostics,
    removed: Sequence[Removed],
) -> Term | None:
    match = _TERM.fullmatch(text)
    assert match is not None, "the pattern takes any text"
    left, sign, right = match["left"], match["op"], match["right"]
    sign_at = offset + match.start("op")
    if sign not in _OPERATORS:
        if sign:
            message = f"`{sign}` is not a comparison"
            out.error("N313", stretch(cell, sign_at, sign_at + len(sign)), message, because=_FORM)
        else:
            message = f"`{text}` has no comparison"
            out.error("N313", stretch(cell, offset, offset + len(text)), message, because=_FORM)
        return None
    measures: list[int] = []
    good = True
    for word, at in words(left, offset, "+"):
        place = stretch(cell, at, at + max(1, len(word)))
        if not word:
            out.error("N313", place, f"missing name before `{sign}`", because=_FORM)
            good = False
        elif word not in rows:
            unknown_row(word, place, listing, rows, declared, out, removed)
            good = False
        elif rows[word] in measures:
            out.error("N313", place, f"duplicate `{word}` in this sum", because="a sum counts each name only once")
            good = False
        else:
            measures.append(rows[word])
    number = right.strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", number):
        start = offset + match.start("right") + len(right) - len(right.lstrip()) if number else sign_at
        place = stretch(cell, start, start + max(1, len(number) or len(sign)))
        message = f"`{number}` is not a whole number" if number else f"missing number after `{sign}`"
        out.error("N313", place, message, because=_FORM)
        good = False
    return Term(tuple(measures), _OPERATORS[sign], int(number)) if good else None


def unknown_row(
    word: str,
    place: Span,
    listing: str,
    rows: Mapping[str, int],
    declared: Span,
    out: Diagnostics,
    removed: Sequence[Removed] = (),
    about: str = "",
) -> None:
    """Report N305: `word` is no row of `listing`; who `removed` it is named. `about`: the column and row, in words."""
    related = [Related(declared, f"`{listing}` is declared here")] if declared.path else []
    what = "a space" if isinstance(rows, Spaces) else "a row"
    expected = f"{what} of `{listing}`"
    because = f"{about} contains {expected}" if about else f"expected {expected}"
    hint = did_you_mean(word, rows)
    if isinstance(rows, Spaces) and (near := rows.nearest(word)) is not None:
        because, hint = f"`{listing}` has {rows.extent}", f"did you mean `{near}`?"
    room = "traits" if listing == "trait" else listing
    for item in removed:
        if item.place[-1] == word and room in item.place:
            because, hint = f"`{word}` has been removed", ""
            related = [Related(item.span, f"`{item.path}` is removed here")]
    out.error("N305", place, f"there is no {listing} `{word}`", because=because, hint=hint, related=related)


def condition_text(condition: Condition, rows: Sequence[str]) -> str:
    """A condition as a cell has it, `climb+fly>=1; cold=0`; `rows` are the names of its list, from row 1."""
    return "; ".join(
        f"{'+'.join(rows[measure - 1] for measure in term.measures)}{'=' if term.op == '==' else term.op}{term.number}"
        for term in condition.terms
    )

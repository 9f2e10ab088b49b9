"""Whatever the text: parsing never raises, and a text is read or its mistakes are told inside it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.base.source import Placement
from rulelang.language.syntax.format import format_text
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.lexer import scan, split_chunks
from rulelang.language.syntax.nodes import same_syntax
from rulelang.language.syntax.parse import parse, parse_expression
from rulelang.language.syntax.printer import print_declarations
from tests.syntax.texts import examples

PIECES = sorted(set(" ".join(examples().values()).split(" "))) + list("()[]:,.\"'\n\t #!=é\r\0")
# a mutation: where (a share of the text), what is done, and with which piece
MUTATIONS = st.lists(
    st.tuples(
        st.floats(0, 1), st.sampled_from(["cut", "twice", "put", "swap", "line", "indent"]), st.sampled_from(PIECES)
    ),
    min_size=1,
    max_size=4,
)


def mutated(text: str, mutations: list[tuple[float, str, str]]) -> str:
    for share, what, piece in mutations:
        at = int(share * len(text))
        lines = text.split("\n")
        row = int(share * (len(lines) - 1))
        if what == "cut":
            text = text[:at] + text[at + 1 :]
        elif what == "twice":
            text = text[:at] + text[at : at + 1] + text[at:]
        elif what == "put":
            text = text[:at] + piece + text[at:]
        elif what == "swap" and row:
            lines[row - 1], lines[row] = lines[row], lines[row - 1]
            text = "\n".join(lines)
        elif what == "line":
            text = "\n".join(lines[:row] + lines[row + 1 :])
        elif what == "indent":
            lines[row] = " " + lines[row]
            text = "\n".join(lines)
    return text


def check(text: str) -> None:
    decls, found = parse(text, Placement("t"))
    lines = text.split("\n")
    for item in found:
        span = item.span
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        assert span.end_line <= len(lines)
        assert span.end_column <= len(lines[span.end_line - 1]) + 1
        assert item.message
        assert item.because or item.hint
    if not found.failed:
        assert len(decls) == len(split_chunks(scan(text, Placement("t"), shared_grammar().signs)[0]))
        again, found = parse(print_declarations(decls), Placement("t"))
        assert not found.failed
        assert same_syntax(decls, again)
    format_text(text)
    parse_expression(text, Placement("t"))


@settings(max_examples=150)
@given(st.sampled_from(sorted(examples())), MUTATIONS)
def test_a_mutated_example(name: str, mutations: list[tuple[float, str, str]]) -> None:
    check(mutated(examples()[name], mutations))


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_pieces_in_any_order(pieces: list[str]) -> None:
    check(" ".join(pieces))


@settings(max_examples=100)
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check(text)
    check("routine f:\n  " + text)

"""Signs and words of other languages in rules: each as a function that returns a diagnostic or None."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.base.diagnostics import Diagnostic
from rulelang.language.syntax.tokens import STRUCTURE

if TYPE_CHECKING:
    from rulelang.language.syntax.mistakes import Mistake

#: Comparisons of other languages, by their two signs, and ours.
_COMPARISONS = {("<", ">"): "!=", ("=", "<"): "<=", ("==", "="): "==", ("!=", "="): "!="}
_HEADS = ("routine", "value", "action")


def slashes(m: Mistake) -> Diagnostic | None:
    """Report `// a comment`."""
    before = m.before.text if m.before is not None else ""
    if m.token.text != "/" or m.after is None or (before != "/" and m.after.text != "/"):
        return None
    first, last = (m.before, m.token) if before == "/" and m.before is not None else (m.token, m.after)
    because = "a comment begins with `#` and ends with the line"
    return Diagnostic("S222", first.span.to(last.span), "`//` does not begin a comment", because, "write `#`")


def comparison(m: Mistake) -> Diagnostic | None:
    """Report `a <> b`, `a =< b` and `a === b`."""
    for first, second in ((m.before, m.token), (m.token, m.after)):
        if first is None or second is None:
            continue
        ours = _COMPARISONS.get((first.text, second.text))
        if ours is not None and (first.span.end_line, first.span.end_column) == (second.span.line, second.span.column):
            span, sign = first.span.to(second.span), first.text + second.text
            return Diagnostic("S222", span, f"`{sign}` is not an operator", hint=f"write `{ours}`")
    return None


def semicolon(m: Mistake) -> Diagnostic | None:
    """Report a `;` at the end of a line."""
    if m.token.text != ";" or m.after is None or m.after.type not in STRUCTURE:
        return None
    return Diagnostic("S222", m.token.span, "unexpected `;` at the end of the line", hint="delete it")


def returned(m: Mistake) -> Diagnostic | None:
    """Report `return E` in a value, which is one expression."""
    word = m.before
    if word is None or word.text != "return" or (m.tokens[m.at - 2].text != ":" and m.at - 1 != m.start):
        return None
    if m.takes("="):  # a statement
        return None
    because = "a value is the expression after its `:`"
    return Diagnostic("S223", word.span, "unexpected `return`", because, "delete it")


def no_kind_of_parameter(m: Mistake) -> Diagnostic | None:
    """Report `value worth(c) -> int`."""
    word = m.before
    if m.head not in _HEADS or word is None or word.type != "NAME" or m.token.text not in (")", ","):
        return None
    if m.tokens[m.at - 2].text not in ("(", ",") or m.takes(m.token.text):
        return None
    name = word.text
    because = "a parameter has a kind and a name, as in `card c`"
    hint = f"write `KIND {name}`, or `{name} NAME` if `{name}` is the kind"
    return Diagnostic("S228", word.span, f"missing kind before `{name}`", because, hint)

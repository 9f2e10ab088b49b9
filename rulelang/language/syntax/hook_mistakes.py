"""Common mistakes in the form of hooks, and in calls: each as a function that returns a diagnostic or None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulelang.base.diagnostics import Diagnostic
from rulelang.language.syntax.sentences import of_verb
from rulelang.language.syntax.tokens import CLOSING, OPENING, STRUCTURE, Token

if TYPE_CHECKING:
    from rulelang.language.syntax.mistakes import Mistake

#: Words that begin a hook with a block.
_TRIGGERS = ("before", "after", "instead", "react")
_HOOKS = (*_TRIGGERS, "modify", "forbid", "ignore")
#: Operators of other languages that assign, and the operator of `modify` that is meant.
_ASSIGNING = {"+=": "+", "-=": "-", "*": "*", "/": "/", "%": "%", "+": "+", "-": "-", "=": "="}
#: Parts of a hook that follow its event.
_LATER = ("once", "when", "unless")


def missing_operator(m: Mistake) -> Diagnostic | None:
    """Report `modify x(self): 2`."""
    if m.head != "modify" or m.before is None or m.before.text != ":" or m.token.type in STRUCTURE:
        return None
    if m.token.text in ("+=", "-="):
        sign, value = _ASSIGNING[m.token.text], _line(m.tokens, m.at + 1)
        message, what = f"`{m.token.text}` is not an operator of `modify`", f"write `{sign} {value}`"
        because = "`modify` changes the result of a value, and does not assign"
        return Diagnostic("S230", m.token.span, message, because, what)
    if not m.takes("+") or (m.token.type not in ("NAME", "NUMBER", "STRING") and m.token.text not in ("(", "not")):
        return None
    value = _line(m.tokens, m.at)
    if m.token.type == "NUMBER":
        hint = f"write `+ {value}` to add, `= {value}` to set, `at most {value}` to cap"
    elif m.token.text in ("true", "false", "not"):
        hint = f"write `= {value}` to set, `or {value}` or `and {value}` to combine"
    else:
        hint = f"write `+ {value}` to add, `= {value}` to set, or `or {value}` for a condition"
    return Diagnostic("S230", m.token.span, f"missing operator before {_quoted(m.token)}", hint=hint)


def assignment_in_modify(m: Mistake) -> Diagnostic | None:
    """Report `modify x(self) += 2`, `modify x(self) + 2` and `modify x(self) = 2`."""
    if m.head != "modify" or not m.takes(":") or m.token.text not in (*_ASSIGNING, "at", "or", "and"):
        return None
    sign, value = _ASSIGNING.get(m.token.text, m.token.text), _line(m.tokens, m.at + 1)
    change = f"{sign} {value}".strip()
    message = f"missing `:` before `{m.token.text}`"
    return Diagnostic("S230", m.token.span, message, hint=f"write `: {change}`")


def method_call(m: Mistake) -> Diagnostic | None:
    """Report `x.draw(2)`: the language has no methods."""
    at = m.at - 1
    if m.token.text != "(" or at - 2 < m.start or m.tokens[at].type != "NAME" or m.tokens[at - 1].text != ".":
        return None
    begin = at - 2
    while begin - 2 >= m.start and m.tokens[begin - 1].text == ".":
        begin -= 2
    name, thing = m.tokens[at].text, text_of(m.tokens[begin : at - 1])
    args = text_of(m.tokens[m.at + 1 : closing(m.tokens, m.at)])
    form = of_verb(name) if name in m.grammar.statement_words else ""
    hint = f"write `{name}({', '.join(filter(None, (thing, args)))})` if there is such a routine or value"
    if form:
        count = args if args.isdigit() else "N"
        form = form.replace("X.", f"{thing}.").replace(" N ", f" {count} ")
        hint = f"call a routine that takes `{thing}`, or write `{form}`"
    span = m.tokens[begin].span.to(m.tokens[at].span)
    because = f"the language has no methods; routines and values take `{thing}` as an argument"
    return Diagnostic("S231", span, f"`{thing}.{name}(...)` cannot be called", because, hint)


def limit_first(m: Mistake) -> Diagnostic | None:
    """Report `once per round after take(self): ...` and `when C after take(self): ...`."""
    if m.at != m.start or not m.takes("modify") or m.token.text not in _LATER:
        return None
    words = [token.text for token in m.tokens[m.at : _end_of_line(m.tokens, m.at)]]
    hook = next((k for k, word in enumerate(words) if word in _HOOKS), 0)
    if not hook or (m.token.text == "once" and words[hook] not in _TRIGGERS):
        return None
    tokens = m.tokens[m.at : m.at + len(words)]
    colon = next((k for k, word in enumerate(words) if word == ":" and k > hook), len(words))
    first, event = tokens[:hook], tokens[hook:colon]
    if first[-1].text in (":", ","):
        first = first[:-1]
    rest = ": ..." if colon < len(words) else ""
    because = "a rule begins with the hook; limits and conditions come after the event"
    hint = f"write `{text_of(event)} {text_of(first)}{rest}`"
    return Diagnostic("S223", m.token.span, f"`{m.token.text}` cannot begin a rule", because, hint)


def _quoted(token: Token) -> str:
    return f"`{token.text}`" if token.type != "STRING" else "this text"


def _end_of_line(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].type not in STRUCTURE:
        at += 1
    return at


def _line(tokens: Sequence[Token], at: int) -> str:
    """The value that begins at a place, up to its guards or reason."""
    end = _end_of_line(tokens, at)
    stop = next((k for k in range(at, end) if tokens[k].text in ("when", "unless", "because", "if", "where")), end)
    text = text_of(tokens[at:stop])
    return text if len(text) <= 40 else "E"


def closing(tokens: Sequence[Token], at: int) -> int:
    """Where the bracket at a place is closed, or the line ends."""
    depth = 0
    while at < len(tokens) and tokens[at].type not in STRUCTURE:
        depth += (tokens[at].text in OPENING) - (tokens[at].text in CLOSING)
        if depth == 0:
            break
        at += 1
    return at


def clause_end(tokens: Sequence[Token], at: int) -> int:
    """Where a condition or number ends: at a `:`, a `,` or a bracket that closes around it, or with the line."""
    depth = 0
    while at < len(tokens) and tokens[at].type not in STRUCTURE:
        text = tokens[at].text
        depth += (text in OPENING) - (text in CLOSING)
        if depth < 0 or (depth == 0 and text in (":", ",")):
            break
        at += 1
    return at


def text_of(tokens: Sequence[Token]) -> str:
    """Tokens as they are written: with the spaces between them in the text, reduced to one."""
    out = ""
    for before, token in zip((None, *tokens), tokens, strict=False):
        apart = before is not None and (before.span.end_line, before.span.end_column) != (
            token.span.line,
            token.span.column,
        )
        out += (" " if apart else "") + token.text
    return out

"""Terminals in plain words: what could have stood at a place."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.language.syntax.tokens import Token

_WORDS = {
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the text",
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "text in double quotes",
    "DIE": "dice such as `2d6`",
}
# What may open an expression, and what may go on with one: each is told in one word.
_OPENS = frozenset(("NAME", "NUMBER", "STRING", "LPAR", "NOT", "CAN", "MINUS", "TRUE", "FALSE", "NONE"))
_ARITHMETIC = frozenset(("PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "DOT", "LSQB"))
_LOGIC = frozenset(("AND", "OR", "IF", "THEN", "OTHERWISE", "NOT", "IN", "IS", "HAS", "MEETS", "AFFECTS"))
_FIRST = ("COLON", "RPAR", "RSQB", "COMMA", "EQUAL")
MOST = 12


def expected(accepted: Iterable[str], texts: dict[str, str]) -> str:
    """The terminals as a phrase `a, b or c`. `texts` gives the words and signs behind their names."""
    left = set(accepted)
    told: list[str] = []
    if "LET" in left and "MOVE" in left:
        told.append("a statement")
        left &= {"ELIF", "ELSE", "_DEDENT", "_NL"}
    if "MODIFY" in left and "ROUTINE" in left:
        told.append("a declaration")
        left.clear()
    if "NUMBER" in left and "LPAR" in left:
        told.append("an expression" if "NOT" in left else "a value")
        left -= _OPENS
        left = {t for t in left if not t.startswith("Q_")}
    elif "NAME" in left:
        told.append("a name")
        left.discard("NAME")
    operator = "STAR" in left or "DOT" in left
    if operator:
        compares = {name for name, text in texts.items() if text in ("==", "!=", "<", "<=", ">", ">=")}
        if "EQUAL" in left and not left & compares:
            compares = set()
        called = {"LPAR", "OF"} if "DOT" in left else set()
        left -= _ARITHMETIC | compares | called | (_LOGIC if "AND" in left or left & compares else set())
    signs = [t for t in _FIRST if t in left]
    rest = sorted(left - set(signs) - set(_WORDS), key=lambda t: texts.get(t, t))
    told += [f"`{texts[t]}`" for t in (*signs, *rest) if t in texts]
    if operator:
        told.append("an operator")
    told += [_WORDS[t] for t in _WORDS if t in left]
    if len(told) > MOST:
        told = [*told[: MOST - 1], "another word"]
    return told[0] if len(told) == 1 else ", ".join(told[:-1]) + " or " + told[-1] if told else "nothing more"


def seen(token: Token) -> str:
    """What was found, in words."""
    if token.type in _WORDS and not token.text:
        return _WORDS[token.type]
    if token.type == "STRING":
        return "a text"
    word = token.text if len(token.text) <= 40 else token.text[:37] + "..."
    return f"`{word}`"

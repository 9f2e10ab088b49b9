"""Names that could never be used, because the language reads the word otherwise. Asked of a good parse."""

from __future__ import annotations

from rulelang.base.diagnostics import Diagnostics
from rulelang.language.syntax.tokens import QUERY_FORMS, Token

# In an expression these never stand for a name.
IN_EXPRESSIONS = frozenset(("true", "false", "none", "not", "can"))


def reserved(tokens: list[Token], statements: frozenset[str], found: Diagnostics) -> None:
    """Tell each declared, bound or `let` name that is a word of the language where it would be used."""
    before = None
    for token in tokens:
        if token.type == "NAME" and before is not None:
            word = token.text
            if before.text in ("routine", "phase") and word in statements:
                _tell(token, f"rulelang would read a call to `{word}` as the `{word}` statement", found)
            elif before.text in ("value", "routine") and word in QUERY_FORMS:
                _tell(token, f"rulelang would read a call to `{word}` as the `{word}` query", found)
            elif word in IN_EXPRESSIONS and (before.text in ("let", "value", "as") or before.type == "NAME"):
                _tell(token, f"rulelang would read the name as the reserved word `{word}`", found)
        before = token


def _tell(token: Token, because: str, found: Diagnostics) -> None:
    message = f"`{token.text}` is a reserved word"
    found.error("S225", token.span, message, because=because, hint="choose another name")

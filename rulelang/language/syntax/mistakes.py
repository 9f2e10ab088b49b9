"""From the place where parsing stopped to a diagnostic: what was found, what was expected, the usual slip behind it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.language.syntax.expected import expected, seen
from rulelang.language.syntax.foreign import comparison, no_kind_of_parameter, returned, semicolon, slashes
from rulelang.language.syntax.grammar import Grammar
from rulelang.language.syntax.hook_mistakes import (
    assignment_in_modify,
    clause_end,
    closing,
    limit_first,
    method_call,
    missing_operator,
    text_of,
)
from rulelang.language.syntax.indentation import DECLARING, HEADS
from rulelang.language.syntax.reserved import IN_EXPRESSIONS
from rulelang.language.syntax.sentences import FOREIGN, meant, of_verb, sentence
from rulelang.language.syntax.tokens import CLOSING, OPENING, QUERY_FORMS, STRUCTURE, Token

COMPARING = ("==", "!=", "<", "<=", ">", ">=")
#: Letters of a text that a hint repeats.
LONGEST = 40
BINDING = frozenset(("in", "of", "on", "from", "where", "with", "sorted", "by"))
LOGIC_SIGNS = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}


# Words that open a block all by themselves.
CONTINUING = ("else", "otherwise", "secretly")


@record
class Mistake:
    """`tokens[at]` could not be taken; its logical line begins at `start`; `accepted` terminals could stand there."""

    grammar: Grammar
    tokens: list[Token]
    at: int
    start: int
    accepted: frozenset[str]

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def before(self) -> Token | None:
        """The token before it on its line, or None."""
        return self.tokens[self.at - 1] if self.at > self.start else None

    @property
    def after(self) -> Token | None:
        return self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None

    @property
    def head(self) -> str:
        """The word that opens the line, past `always` and `may`."""
        at = self.start
        while at < self.at and self.tokens[at].text in ("always", "may"):
            at += 1
        return self.tokens[at].text

    def takes(self, text: str) -> bool:
        """True if this word or sign could stand here."""
        name = self.grammar.words.get(text) or self.grammar.signs.get(text)
        return name in self.accepted

    def open_words(self) -> list[int]:
        """Places of the earlier tokens of the line that stand in the same bracket, latest first."""
        found, depth = [], 0
        for at in range(self.at - 1, self.start - 1, -1):
            text = self.tokens[at].text
            depth += (text in CLOSING) - (text in OPENING)
            if depth < 0 or (depth == 0 and text == ","):
                break
            if depth == 0:
                found.append(at)
        return found


def explain(mistake: Mistake, found: Diagnostics) -> None:
    """Add the diagnostic for the mistake: the first slip that fits, else what was expected."""
    for slip in SLIPS:
        told = slip(mistake)
        if told is not None:
            found.add(told)
            return
    found.add(_general(mistake))


def _error(code: str, span: Span, message: str, because: str, hint: str = "") -> Diagnostic:
    return Diagnostic(code, span, message, because, hint)


def single_equals(m: Mistake) -> Diagnostic | None:
    if m.token.text == "=" and m.takes("=="):
        return _error("S212", m.token.span, "`=` in a condition", "`=` sets a value, and `==` compares", "write `==`")
    if m.token.text == "==" and m.takes("="):
        return _error("S212", m.token.span, "`==` in a statement", "`==` compares, and `=` sets a value", "write `=`")
    return None


def else_if(m: Mistake) -> Diagnostic | None:
    before = m.before
    because = "a further case of an `if` begins with `elif`"
    if m.token.text == "if" and before is not None and before.text == "else" and m.at - 1 == m.start:
        return _error("S213", before.span.to(m.token.span), "`else if` does not exist", because, "write `elif`")
    word = m.tokens[m.start]
    if word.text in ("elseif", "elsif", "elf") and m.at <= m.start + 1:
        return _error("S213", word.span, f"unknown word `{word.text}`", because, "write `elif`")
    return None


def logic_signs(m: Mistake) -> Diagnostic | None:
    word = LOGIC_SIGNS.get(m.token.text)
    if word is None:
        return None
    because = "conditions are joined with the words `and`, `or` and `not`"
    return _error("S214", m.token.span, f"`{m.token.text}` is not an operator", because, f"write `{word}`")


def where_or(m: Mistake) -> Diagnostic | None:
    begin = next((at + 1 for at in m.open_words() if m.tokens[at].text == "where"), 0)
    if m.token.text != "or" or not begin:
        return None
    text = text_of(m.tokens[begin : clause_end(m.tokens, m.at)])
    text = text if len(text) <= LONGEST else ""
    return _error(
        "S215",
        m.token.span,
        "`or` in a `where` without parentheses",
        "without parentheses, the condition ends before `or`",
        f"write `where ({text or 'A or B'})`",
    )


def in_to(m: Mistake) -> Diagnostic | None:
    if m.token.text != "to" or m.head in ("move", "draw"):
        return None
    for at in m.open_words():
        if m.tokens[at].text == "in" and at - 2 >= m.start and m.tokens[at - 2].text == "int":
            name = m.tokens[at - 1].text
            low = text_of(m.tokens[at + 1 : m.at])
            high = text_of(m.tokens[m.at + 1 : clause_end(m.tokens, m.at + 1)])
            low, high = (low, high) if low and high and len(low + high) <= LONGEST else ("A", "B")
            return _error(
                "S216",
                m.tokens[at].span.to(m.token.span),
                "range written with `in`",
                "`in` must be followed by a place or a zone",
                f"write `{m.tokens[at - 2].text} {name} from {low} to {high}`",
            )
    return None


def question_mark(m: Mistake) -> Diagnostic | None:
    if m.token.text != "?":
        return None
    before = m.before
    kind = before.text if before is not None and before.type == "NAME" else "KIND"
    span = before.span.to(m.token.span) if before is not None and kind != "KIND" else m.token.span
    because = "the type of a value that may be missing begins with `maybe`"
    return _error("S217", span, f"`{kind}?` is not a type", because, f"write `maybe {kind}`")


def if_for_when(m: Mistake) -> Diagnostic | None:
    guarded = m.head in ("forbid", "modify", "ignore", "copy", "before", "after", "instead", "react", "compulsory")
    if not guarded:
        return None
    token = m.token
    if m.head == "modify" and m.takes("else"):  # `+ 1 if C`: the line ends, or goes on, where `else` is expected
        token = next((m.tokens[at] for at in m.open_words() if m.tokens[at].text == "if"), token)
    if token.text not in ("if", "where"):
        return None
    because = "a condition of a rule begins with `when` or `unless`, and `if` begins a statement"
    return _error("S219", token.span, f"expected `when`, found `{token.text}`", because, "write `when`")


def missing_colon(m: Mistake) -> Diagnostic | None:
    if not m.takes(":") or m.head not in HEADS or m.token.type != "_NL":
        return None
    return _error(
        "S211",
        m.token.span,
        f"missing `:` at the end of this line, which begins with `{m.head}`",
        "",
        "put `:` at the end of the line, and then the block",
    )


def outside(m: Mistake) -> Diagnostic | None:
    word = m.token.text
    if m.at != m.start or not m.takes("modify"):
        return None
    follows = m.after.text if m.after is not None and m.token.type == "NAME" else ""
    sets = follows in ("=", "+=", "-=", ".", "[")
    calls = follows == "(" and not did_you_mean(word, DECLARING)
    if word not in m.grammar.statement_words and not sets and not calls:
        return None
    return _error(
        "S224",
        m.token.span,
        f"this statement, which begins with `{word}`, is outside a declaration",
        "a statement must be in the block of a `routine`, `phase`, `action`, `game` or hook",
        "indent it under the declaration that it belongs to",
    )


def unknown_declaration(m: Mistake) -> Diagnostic | None:
    first = m.start + (m.tokens[m.start].text == "always")
    if m.at != first or not m.takes("modify") or m.token.type in STRUCTURE or m.token.type == "STRING":
        return None
    said = _sentence(m, m.at)
    hint = FOREIGN.get(m.token.text) or did_you_mean(m.token.text, DECLARING)
    if said:
        hint = f"say when it happens, as `after EVENT:`, and in its block {said}"
    words = ", ".join(f"`{word}`" for word in DECLARING[:-1])
    because = f"a declaration begins with {words} or `{DECLARING[-1]}`"
    return _error("S223", m.token.span, f"{seen(m.token)} does not begin a declaration", because, hint)


def _sentence(m: Mistake, begin: int) -> str:
    """A hint, if plain English begins at a place: `p draws 1 card`. A verb that a statement has is only misspelt."""
    words = sentence(m.tokens, begin)
    parted = any("." not in (word.text, after.text) for word, after in pairwise(words))
    what = meant(words) if parted and words[0].text not in FOREIGN else ""
    return f"write `{what}`" if what and not did_you_mean(words[0].text, [what.split()[0]]) else ""


def plain_english(m: Mistake) -> Diagnostic | None:
    """`p draws 1 card` and `gain two food` where a statement stands."""
    begin = max((at + 1 for at in range(m.start, m.at) if m.tokens[at].text == ":"), default=m.start)
    first = m.tokens[begin]
    if m.at == begin or not m.takes("=") or m.token.type not in ("NAME", "NUMBER") or first.type != "NAME":
        return None
    if first.text in m.grammar.statement_words - IN_EXPRESSIONS or not (hint := _sentence(m, begin)):
        return None
    words = sentence(m.tokens, begin)
    because = "the rules language does not understand sentences"
    return _error("S223", words[0].span.to(words[-1].span), "these words are not a statement", because, hint)


def unknown_statement(m: Mistake) -> Diagnostic | None:
    word = m.before
    if word is None or word.type != "NAME":
        return None
    if m.token.text == ":" and m.at - 1 == m.start:
        hint = did_you_mean(word.text, CONTINUING)
        because = ""
        return _error("S223", word.span, f"`{word.text}` does not begin a block", because, hint) if hint else None
    if m.token.text in ("(", ".", "[", "=", ":", ","):
        return None
    opens = m.at - 1 == m.start or m.tokens[m.at - 2].text == ":"
    if not opens or not m.takes("=") or m.token.text == "is":
        return None
    hint = FOREIGN.get(word.text) or did_you_mean(word.text, m.grammar.statement_words - IN_EXPRESSIONS)
    if not hint:
        return None
    because = (
        f"it is not a call to `{word.text}` either, because {seen(m.token)} follows, not `(` or the end of the line"
    )
    return _error("S223", word.span, f"`{word.text}` does not begin a statement", because, hint)


def chained(m: Mistake) -> Diagnostic | None:
    if m.token.text not in COMPARING or not m.takes("and"):
        return None
    because = "a comparison has exactly two sides"
    first = next((at for at in m.open_words() if m.tokens[at].text in COMPARING), m.at)
    middle = text_of(m.tokens[first + 1 : m.at])
    hint = "write `a < b and b < c`, or add parentheses"
    if middle and len(middle) <= LONGEST:
        hint = f"write `and {middle} {m.token.text}` instead of `{m.token.text}`, or add parentheses"
    return _error("S226", m.token.span, "chained comparison", because, hint)


def stray_dice(m: Mistake) -> Diagnostic | None:
    if m.token.type != "DIE":
        return None
    because = "an expression cannot roll dice; only the `roll` statement can"
    hint = f"write `roll {m.token.text} as x` on the line above, and `x` here"
    return _error("S227", m.token.span, f"dice {seen(m.token)} in an expression", because, hint)


def no_kind(m: Mistake) -> Diagnostic | None:
    before = m.before
    if before is None or m.at - 2 < m.start or before.type != "NAME" or before.text not in BINDING:
        return None
    name = m.tokens[m.at - 2]
    if name.type != "NAME":
        return None
    return _error(
        "S228",
        name.span,
        f"missing kind before `{name.text}`",
        "a variable needs its kind, as in `card c in p.hand`",
        f"write `KIND {name.text} {before.text} ...`",
    )


#: Words of plain English before a kind.
FILLERS = ("each", "every", "all", "a", "an", "the", "any")


def filler(m: Mistake) -> Diagnostic | None:
    """`for each player p`: the filler was taken for the kind, and the kind for the name."""
    at = m.at - 2
    if m.token.type != "NAME" or at < m.start or m.tokens[at].text not in FILLERS or m.tokens[at + 1].type != "NAME":
        return None
    word, kind = m.tokens[at], m.tokens[at + 1].text
    because = f"only a kind and a name are expected here, such as `{kind} {m.token.text}`"
    return _error("S222", word.span, f"unexpected `{word.text}` before a kind", because, f"leave `{word.text}` out")


def then(m: Mistake) -> Diagnostic | None:
    """`if A then B`: `then` was taken for a name."""
    word = next((t for t in m.tokens[m.start : m.at] if t.text == "then"), None)
    if m.tokens[m.start].text not in ("if", "elif") or word is None:
        return None
    because = "statements follow the `:` of a condition, on the same line or below"
    hint = "leave it out" if m.token.text == ":" else "write `:` in its place"
    return _error("S222", word.span, "unexpected `then` in a condition", because, hint)


def no_change(m: Mistake) -> Diagnostic | None:
    """`x + 1`, `x++` and `x := 1` as statements."""
    text, after = m.token.text, m.after.text if m.after is not None else ""
    if not m.takes("=") or text not in ("+", "-", "*", ":"):
        return None
    if text == ":" and after != "=":
        return None
    what = "".join(token.text for token in m.tokens[m.start : m.at] if token.type not in STRUCTURE)
    what = what.rpartition(":")[2]
    doubled = text == after
    sign = f"{text}{after}" if doubled or text == ":" else text
    hint = (
        f"write `{what} = E`"
        if text in ":*"
        else f"write `{what} {text}= 1`"
        if doubled
        else f"write `{what} {text}= E`"
    )
    because = "a statement changes something with `=`, `+=` or `-=`"
    return _error("S222", m.token.span, f"`{sign}` does not change anything", because, hint)


def on_one_line(m: Mistake) -> Diagnostic | None:
    """`deal, play` and `deal; play`: two statements on a line."""
    if m.token.text not in (",", ";") or not m.takes("="):
        return None
    because = "each statement has its own line, indented below the line that opens the block"
    return _error(
        "S222", m.token.span, f"`{m.token.text}` does not separate statements", because, "begin a new line here"
    )


def of_each(m: Mistake) -> Diagnostic | None:
    """`sum(card c on s, c.weight)` and `count(card c on s, c.weight > 1)`: a comma where only a binder may follow;
    `sum(c.weight for card c on s)`: what is asked of each comes first."""
    at, depth = m.at, 0
    comma: int | None = None
    while at > m.start:
        at -= 1
        text = m.tokens[at].text
        depth += (text in CLOSING) - (text in OPENING)
        if depth < 0:
            break
        if depth == 0 and text == "," and comma is None:
            comma = at
    form = m.tokens[at - 1].text if depth < 0 and at > m.start else ""
    if form not in QUERY_FORMS:
        return None
    shape = f"write `{form}({QUERY_FORMS[form]})`"
    late = next((t for t in m.tokens[m.at : closing(m.tokens, at)] if t.text == "for"), None)
    if late is not None:
        because = "a query first names the things that it loops over, and then gives its condition or value"
        return _error("S222", late.span, f"unexpected `for` in `{form}(...)`", because, shape)
    if comma is None or m.at - comma > 2 + (m.tokens[comma + 1].text == "not") or m.tokens[at + 2].type != "NAME":
        return None
    sign = ":" if ":" in QUERY_FORMS[form] else "where"
    because = f"a comma separates binders; the form is `{form}({QUERY_FORMS[form]})`"
    what = f"unexpected `,` in `{form}(...)`"
    return _error("S222", m.tokens[comma].span, what, because, f"write `{sign}` in its place")


SLIPS: tuple[Callable[[Mistake], Diagnostic | None], ...] = (
    slashes, semicolon, comparison, missing_operator, assignment_in_modify, method_call, limit_first, single_equals,
    then, else_if, logic_signs, question_mark, where_or, in_to, if_for_when, outside, unknown_declaration, filler,
    no_change, on_one_line, of_each, no_kind, missing_colon, chained, stray_dice, returned, plain_english,
    unknown_statement, no_kind_of_parameter,
)  # fmt: skip


def _general(m: Mistake) -> Diagnostic:
    """What was found and what could stand there instead."""
    after = f" after {seen(m.before)}" if m.before is not None else ""
    because = f"expected {expected(m.accepted, m.grammar.texts)}{after}"
    if m.token.type in STRUCTURE:
        what = {"_INDENT": "a block begins", "_DEDENT": "the block ends", "$END": "the text ends"}
        message = what.get(m.token.type, "the line ends") + " too early"
        return _error("S221", m.token.span, message, because, _hint(m))
    return _error("S222", m.token.span, f"unexpected {seen(m.token)}", because, _hint(m))


def _query(m: Mistake) -> str:
    """The word of the query in whose brackets the mistake stands, or nothing."""
    depth = 0
    for at in range(m.at - 1, m.start, -1):
        depth += (m.tokens[at].text in CLOSING) - (m.tokens[at].text in OPENING)
        if depth < 0:
            word = m.tokens[at - 1].text
            return word if word in QUERY_FORMS else ""
    return ""


def _hint(m: Mistake) -> str:
    token, head = m.token, m.tokens[m.start]
    query = _query(m) if token.text in (":", ")") and m.takes("where" if token.text == ":" else ":") else ""
    if query and (token.text == ":") == (":" not in QUERY_FORMS[query]):
        form, colon = f"`{query}({QUERY_FORMS[query]})`", "`all`, `sum`, `min` and `max`"
        return f"write {form}; only the queries {colon} have a colon" if token.text == ":" else f"write {form}"
    if token.text in ("else", "elif") and m.at == m.start:
        return f"`{token.text}` must be indented like its `if` (or `choose`)"
    near = did_you_mean(token.text, [w for w in m.grammar.words if m.takes(w)]) if token.type == "NAME" else ""
    if near:
        return near
    if m.takes("else") and not m.takes("elif"):
        return "write `A if C else B`; for a statement, write `if C:` before it"
    if m.takes("->"):
        return "give the type of the value: `value NAME(...) -> int: E`"
    if m.takes("during"):
        return "name the phase of the action: `action NAME(...) during PHASE:`"
    if m.takes("else") and token.type == "_DEDENT":
        return "a value needs a result in every case; end with `else: E`"
    if token.type == "STRING":
        return "write text only after `because` and `tells`; elsewhere, quotes contain a name"
    if head.text in m.grammar.statement_words and m.start + 1 < m.at and m.tokens[m.start + 1].text == "(":
        return f"`{head.text}` is a statement of the language, so a routine cannot have this name"
    if head.text in m.grammar.statement_words and token.type == "NAME" and (form := of_verb(head.text)):
        return f"the form is `{form}`"
    if m.takes(",") and m.takes(")") and token.type in ("NAME", "NUMBER"):
        return "perhaps a comma is missing before it"
    return ""

"""Explain a syntax mistake: what was found, what was expected, and the likely slip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean, number_word
from rulelang.language.syntax.grammar import Grammar
from rulelang.language.syntax.lexer import CLOSING, DECLARING, HEADS, OPENING, QUERY_FORMS, STRUCTURE, Token

# ---- reserved words

# In an expression these never stand for a name.
IN_EXPRESSIONS = frozenset(("true", "false", "none", "not", "can"))


def report_reserved(tokens: list[Token], statements: frozenset[str], found: Diagnostics) -> None:
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


# ---- terminals in words

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


def expected_phrase(accepted: Iterable[str], texts: dict[str, str]) -> str:
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


def token_in_words(token: Token) -> str:
    """What was found, in words."""
    if token.type in _WORDS and not token.text:
        return _WORDS[token.type]
    if token.type == "STRING":
        return "a text"
    word = token.text if len(token.text) <= 40 else token.text[:37] + "..."
    return f"`{word}`"


# ---- plain English and other languages

#: Words of other languages, and what says the same here.
FOREIGN = {
    "return": "a `value` is one expression after its `:`; a routine returns nothing",
    "while": "write `repeat until E:`",
    "foreach": "write `for`, as in `for player p:`",
    "print": 'write `tells "..."`',
    "log": 'write `tells "..."`',
    "set": "write `x = E`",
    "var": "write `let x = E`",
    "const": "write `let x = E`, or declare a number in YAML",
    "def": "write `routine NAME(...):` or `value NAME(...) -> TYPE:`",
    "function": "write `routine NAME(...):` or `value NAME(...) -> TYPE:`",
    "func": "write `routine NAME(...):` or `value NAME(...) -> TYPE:`",
    "on": "write `before`, `after`, `instead of` or `react to`",
    "when": "write `before EVENT:` or `after EVENT:`",
    "pass": "write `nothing`",
    "break": "write `repeat until E:`, or `for ... where E`",
    "continue": "write `for ... where E`, or an `if`",
}

#: Verbs of plain English, and the statement that does it. `{of}`: the subject behind a dot; `{n}`: how many.
_FORMS = {
    "draw {n} from ZONE to {of}ZONE": "draw",
    "move CARD to {of}ZONE": "move go put place play discard return send",
    "{of}NAME += {n}": "gain get receive earn win grow add increase raise heal collect score",
    "{of}NAME -= {n}": "lose pay spend decrease lower subtract reduce cost",
    "{of}NAME = E": "set become change",
    "shuffle ZONE": "shuffle mix",
    "choose KIND x by PLAYER": "choose pick select decide",
    "create KIND of PLAYER": "create make spawn build",
    "remove X": "remove destroy kill die delete",
    "roll {n}d6 as x": "roll throw",
    'tells "..."': "say tell announce show write",
    "require C": "must need",
    "offer one action to PLAYER or pass": "offer",
}
_FORM_OF = {verb: form for form, verbs in _FORMS.items() for verb in verbs.split()}
_EVERY = ("each", "every", "all")


def statement_meant(words: Sequence[Token]) -> str:
    """The statement that a sentence of these words means, or nothing: the first verb decides, behind the first word if
    there is one."""
    for at in (*range(1, len(words)), 0):
        form = _FORM_OF.get(next((base for base in _bases(words[at].text) if base in _FORM_OF), ""))
        if form is not None:
            return _filled(form, words[:at], words[at + 1 :])
    return ""


def statement_of_verb(word: str) -> str:
    """The statement that a verb names, with nothing of a sentence in it; or nothing."""
    form = _FORM_OF.get(word)
    return form.format(of="X.", n="N") if form is not None else ""


def sentence_from(tokens: Sequence[Token], at: int) -> list[Token]:
    """The words from a place to the end of the line, or of what a sentence could be: names, dots and numbers."""
    found = []
    for token in tokens[at:]:
        if token.type in STRUCTURE or (token.type not in ("NAME", "NUMBER") and token.text not in (".", "owner's")):
            break
        found.append(token)
    return found


def _filled(form: str, subject: Sequence[Token], rest: Sequence[Token]) -> str:
    of, front = "X.", ""
    if "{of}" in form and len(subject) == 2 and subject[0].text in _EVERY:
        of, front = "x.", f"for {subject[1].text} x: "
    elif subject and all((token.text == ".") == bool(k % 2) for k, token in enumerate(subject)):
        of = "".join(token.text for token in subject) + "."
    if form.startswith(("move", "draw")) and of == "X.":
        of = ""
    count = next((n for token in rest if (n := _count(token.text)) is not None), 1)
    return front + form.format(of=of, n=count)


def _count(word: str) -> int | None:
    return int(word) if word.isdigit() and len(word) < 10 else number_word(word)


def _bases(word: str) -> Iterator[str]:
    """A verb as dictionaries have it: of `draws`, `discarded`, `dies` and `getting`."""
    word = word.lower()
    yield word
    for ending, other in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending)
            yield stem + other
            if stem[-1:] == stem[-2:-1]:
                yield stem[:-1] + other


# ---- mistakes in hooks and calls

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
    form = statement_of_verb(name) if name in m.grammar.statement_words else ""
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


# ---- signs and words of other languages

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


# ---- all slips

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
    return _error("S223", m.token.span, f"{token_in_words(m.token)} does not begin a declaration", because, hint)


def _sentence(m: Mistake, begin: int) -> str:
    """A hint, if plain English begins at a place: `p draws 1 card`. A verb that a statement has is only misspelt."""
    words = sentence_from(m.tokens, begin)
    parted = any("." not in (word.text, after.text) for word, after in pairwise(words))
    what = statement_meant(words) if parted and words[0].text not in FOREIGN else ""
    return f"write `{what}`" if what and not did_you_mean(words[0].text, [what.split()[0]]) else ""


def plain_english(m: Mistake) -> Diagnostic | None:
    """`p draws 1 card` and `gain two food` where a statement stands."""
    begin = max((at + 1 for at in range(m.start, m.at) if m.tokens[at].text == ":"), default=m.start)
    first = m.tokens[begin]
    if m.at == begin or not m.takes("=") or m.token.type not in ("NAME", "NUMBER") or first.type != "NAME":
        return None
    if first.text in m.grammar.statement_words - IN_EXPRESSIONS or not (hint := _sentence(m, begin)):
        return None
    words = sentence_from(m.tokens, begin)
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
    follows = token_in_words(m.token)
    because = f"it is not a call to `{word.text}` either, because {follows} follows, not `(` or the end of the line"
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
    return _error("S227", m.token.span, f"dice {token_in_words(m.token)} in an expression", because, hint)


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
    after = f" after {token_in_words(m.before)}" if m.before is not None else ""
    because = f"expected {expected_phrase(m.accepted, m.grammar.texts)}{after}"
    if m.token.type in STRUCTURE:
        what = {"_INDENT": "a block begins", "_DEDENT": "the block ends", "$END": "the text ends"}
        message = what.get(m.token.type, "the line ends") + " too early"
        return _error("S221", m.token.span, message, because, _hint(m))
    return _error("S222", m.token.span, f"unexpected {token_in_words(m.token)}", because, _hint(m))


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
    if head.text in m.grammar.statement_words and token.type == "NAME" and (form := statement_of_verb(head.text)):
        return f"the form is `{form}`"
    if m.takes(",") and m.takes(")") and token.type in ("NAME", "NUMBER"):
        return "perhaps a comma is missing before it"
    return ""

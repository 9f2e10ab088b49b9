"""Words of other languages where rules stand, and of plain English: the statement that they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.base.english import number_word
from rulelang.language.syntax.tokens import STRUCTURE, Token

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


def meant(words: Sequence[Token]) -> str:
    """The statement that a sentence of these words means, or nothing: the first verb decides, behind the first word if
    there is one."""
    for at in (*range(1, len(words)), 0):
        form = _FORM_OF.get(next((base for base in _bases(words[at].text) if base in _FORM_OF), ""))
        if form is not None:
            return _filled(form, words[:at], words[at + 1 :])
    return ""


def of_verb(word: str) -> str:
    """The statement that a verb names, with nothing of a sentence in it; or nothing."""
    form = _FORM_OF.get(word)
    return form.format(of="X.", n="N") if form is not None else ""


def sentence(tokens: Sequence[Token], at: int) -> list[Token]:
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

"""What VS Code's extension in `editors/vscode` knows of the language by itself: colours and snippets, as JSON.

Words come from the table of the language, what a text is cut into from the scanner, snippets from the forms of the
grammar and from the game that `rulelang new` writes. The server knows all else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, _TokenType

from rulelang.language.semantics.builtins.definitions import Form
from rulelang.language.semantics.builtins.forms import FORMS
from rulelang.language.syntax.lexer import PARTS
from rulelang.tools.docs_gen.highlighting import BRACKETS, HOLE, language_words

FOLDER = "editors/vscode"
#: The scope of each kind of token: by it themes choose a colour.
SCOPES: Mapping[_TokenType, str] = {
    Keyword: "keyword.control.rulelang",
    Keyword.Constant: "constant.language.rulelang",
    Keyword.Type: "storage.type.rulelang",
    Operator.Word: "keyword.operator.word.rulelang",
    Operator: "keyword.operator.rulelang",
    Name.Builtin: "support.function.rulelang",
    Name.Builtin.Pseudo: "variable.language.rulelang",
    Name.Constant: "support.constant.rulelang",
    Number.Integer: "constant.numeric.rulelang",
    Comment.Special: "comment.line.citation.rulelang",
    Comment.Single: "comment.line.number-sign.rulelang",
    String: "string.quoted.double.rulelang",
    String.Interpol: "constant.character.format.placeholder.rulelang",
    Punctuation: "punctuation.rulelang",
}
_NOTE = "Written by `rulelang docs` from {source}. Do not edit it here."
#: A key whose block is rules: its indentation, the dash of a list before it, and what makes it a block.
_KEY = r"(rules)[ \t]*(:)[ \t]+(\|[-+0-9]*)[ \t]*(#.*)?$"
#: Forms that are offered as snippets; of declarations and hooks only whole ones, not what may stand in them.
_OFFERED = ("declaration", "hook", "statement")
_HOLE = re.compile(r'(?P<block>: \.\.\.)|(?P<text>"\.\.\.")|(?P<word>\b[A-Z]+\b)')
#: What is the own of the trait that is shown, in the order in which it is filled in.
_OWN = (r"\bbee\b", r"\bBee\b", r"(?<=text: {en: )[^}]*", r"(?<=\[){points[^\]]*\]}", r"modify .*")
_GAME = Path(__file__).parents[1] / "scaffolding" / "game"


def vscode_files() -> dict[str, str]:
    """The generated files of the extension, by path in a clone."""
    made = {
        "syntaxes/rulelang.tmLanguage.json": rules_grammar(),
        "syntaxes/rulelang.yaml.tmLanguage.json": yaml_grammar(),
        "snippets/rules.json": dict(rules_snippets()),
        "snippets/yaml.json": dict(yaml_snippets()),
    }
    return {f"{FOLDER}/{name}": json.dumps(made[name], indent=2, ensure_ascii=False) + "\n" for name in made}


# ---- colours


def rules_grammar() -> dict[str, Any]:
    """The TextMate grammar of rules: a pattern for each kind of token, in the scanner's order."""
    return {
        "information_for_contributors": [
            _NOTE.format(source="rulelang/tools/docs_gen/vscode.py and the table of the language")
        ],
        "name": "rulelang rules",
        "scopeName": "source.rulelang",
        "fileTypes": ["rules"],
        "patterns": [*_patterns()],
    }


def _patterns() -> Iterator[dict[str, Any]]:
    for kind in PARTS:
        if kind == "NAME":
            yield from _name_patterns()
        elif kind in ("DIE", "NUMBER"):
            yield _pattern_of_kind(Number.Integer, PARTS[kind])
        elif kind == "comment":
            yield _pattern_of_kind(Comment.Special, "#:.*")
            yield _pattern_of_kind(Comment.Single, PARTS[kind])
        elif kind == "sign":
            yield _pattern_of_kind(Punctuation, "[" + "".join(f"\\{sign}" for sign in sorted(BRACKETS)) + "]")
            yield _pattern_of_kind(Operator, PARTS[kind])
        elif kind == "STRING":
            holes = {"patterns": [_pattern_of_kind(String.Interpol, HOLE.pattern)]}
            yield _pattern_of_kind(String, PARTS[kind]) | {"captures": {"0": holes}}
        else:
            yield {"match": PARTS[kind]}  # it has no colour


def _name_patterns() -> Iterator[dict[str, Any]]:
    """Words of the language by what they are, then all other names, which so are never cut within."""
    kinds: dict[_TokenType, list[str]] = {}
    for word, kind in language_words().items():
        kinds.setdefault(kind, []).append(word)
    for kind in sorted(kinds, key=[*SCOPES].index):
        longest_first = sorted(kinds[kind], key=lambda word: (-len(word), word))
        yield _pattern_of_kind(kind, f"(?:{'|'.join(longest_first)})(?![A-Za-z0-9_])")
    yield {"match": PARTS["NAME"]}


def _pattern_of_kind(kind: _TokenType, pattern: str) -> dict[str, Any]:
    return {"match": pattern, "name": SCOPES[kind]}


def yaml_grammar() -> dict[str, Any]:
    """What is put into the grammar of YAML: rules in blocks under `rules: |`."""
    captures = {
        "2": {"name": "punctuation.definition.block.sequence.item.yaml"},
        "3": {"name": "entity.name.tag.yaml"},
        "4": {"name": "punctuation.separator.key-value.mapping.yaml"},
        "5": {"name": "keyword.control.flow.block-scalar.literal.yaml"},
        "6": {"name": "comment.line.number-sign.yaml"},
    }
    block = {"beginCaptures": captures, "contentName": "meta.embedded.block.rulelang"}
    inner = {"patterns": [{"include": "source.rulelang"}]}
    return {
        "information_for_contributors": [_NOTE.format(source="rulelang/tools/docs_gen/vscode.py")],
        "scopeName": "rulelang.yaml",
        "injectionSelector": "L:source.yaml -comment -meta.embedded.block.rulelang",
        "patterns": [
            # The block goes on for lines that are empty, or indented deeper than its key.
            {"begin": f"^( *)(){_KEY}", "while": r"^(?=\1 |[ \t]*$)", **block, **inner},
            {"begin": f"^( *)(-)[ ]+{_KEY}", "while": r"^(?=\1   |[ \t]*$)", **block, **inner},
        ],
    }


# ---- snippets


def rules_snippets() -> Iterator[tuple[str, dict[str, Any]]]:
    """A snippet for each way in which a declaration, hook or statement is written."""
    for room in _OFFERED:
        for form in FORMS[room]:
            for number, written in enumerate(_form_starts(form, room)):
                title = form.title if not number else f"{form.title} ({number + 1})"
                prefix = re.match(r"[a-z]+( [a-z]+)*\b(?=[ :])", written)
                said = prefix[0] if prefix else form.title
                yield f"{room} {title}", {"prefix": said, "body": _snippet_body(written), "description": form.doc}


def _form_starts(form: Form, room: str) -> Iterable[str]:
    """The ways to write it that begin with a word of the language, without what may be left out."""
    for written in form.written:
        plain = re.sub(r" ?\[[^\]]*\]", "", written).replace(", ...", "")
        if re.match(r"[a-z]{2,}[ :]", plain) and (room == "statement" or re.search(r"[(:]", plain)):
            yield plain


def _snippet_body(written: str) -> list[str]:
    """Capitals, texts and blocks become places to fill in, one after the other."""
    places = 0

    def place(match: re.Match[str]) -> str:
        nonlocal places
        places += 1
        if match["block"]:
            return f":\n\t${places}\n"
        return f'"${{{places}:why}}"' if match["text"] else f"${{{places}:{match[0].lower()}}}"

    text = _HOLE.sub(place, written)
    if written.endswith(":"):
        text += "\n\t$0"
    return [line.strip(" ") for line in text.rstrip("\n").split("\n")]


def yaml_snippets() -> Iterator[tuple[str, dict[str, Any]]]:
    """A trait and a scenario, as `rulelang new` begins with them."""
    trait = (_GAME / "traits" / "bee.yaml").read_text(encoding="utf-8")
    for number, part in enumerate(_OWN, 1):
        trait = re.sub(part, partial(_placeholder, number), trait)
    yield "trait", _snippet("rulelang trait", trait, "A trait with cards, a rule and a scenario that shows it")
    scenarios = (_GAME / "scenarios" / "game.yaml").read_text(encoding="utf-8")
    first = scenarios[scenarios.index("  - name:") :].split("\n  - name:")[0]
    text = "\n".join(line.removeprefix("  ") for line in first.rstrip().split("\n"))
    text = re.sub(r"(?<=name: ).*", "${1:what it shows}", text, count=1)
    yield (
        "scenario",
        _snippet("rulelang scenario", text, "A scenario: a position, what is done there, and what holds then"),
    )


def _placeholder(number: int, found: re.Match[str]) -> str:
    """A place to fill in: a brace would end it, and places inside are what they were before."""
    plain = re.sub(r"\$\{\d:(\w+)\}", r"\1", found[0]).replace("}", r"\}")
    return f"${{{number}:{plain}}}"


def _snippet(prefix: str, text: str, doc: str) -> dict[str, Any]:
    return {"prefix": prefix, "body": text.rstrip().split("\n"), "description": doc}

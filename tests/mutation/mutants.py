"""Makes mutants of a ruleset: one mistake each, in a copy of one file. The same seed makes the same ones.

Three kinds, as authors make them:

* misspelt: a letter of a name or word is wrong, missing, doubled, or two stand in the wrong order;
* misplaced: a line stands in the wrong block, two arguments or lines are swapped, a key stands one level off;
* meaning: what is written is well formed and says something else: another operator, number, bound, hook or branch.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Placement
from rulelang.data.yaml_format import format_yaml
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.syntax.format import format_text
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.lexer import Line, Token, scan
from rulelang.language.syntax.parse import parse
from rulelang.language.syntax.printer import print_declarations

Kind = Literal["misspelt", "misplaced", "meaning"]
KINDS: tuple[Kind, ...] = ("misspelt", "misplaced", "meaning")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake. `text` is the whole file with it; `word` what stood there, for hints; `what` says it in words.
    `around`: the line as it was."""

    kind: Kind
    file: str
    line: int
    what: str
    word: str
    text: str
    ruleset: str = ""
    around: str = ""

    @property
    def id(self) -> str:
        """By what is written, so that it stays the same when lines move."""
        return f"{self.ruleset}/{self.file} | {self.around} | {self.what}"


@dataclass(frozen=True, slots=True)
class File:
    """A file with the lines of code of its rules, by their tokens in the file's own coordinates."""

    name: str
    text: str
    rules: tuple[tuple[Line, ...], ...]
    root: YamlNode | None

    def replaced(self, line: int, start: int, end: int, put: str) -> str:
        """The text with a stretch of one line (columns from 1, end exclusive) replaced."""
        lines = self.text.split("\n")
        old = lines[line - 1]
        lines[line - 1] = old[: start - 1] + put + old[end - 1 :]
        return "\n".join(lines)

    def swapped(self, first: Token, second: Token) -> str:
        """The text with two tokens of one line exchanged."""
        line = first.span.line
        late = self.replaced(line, second.span.column, second.span.end_column, first.text)
        return File(self.name, late, (), None).replaced(line, first.span.column, first.span.end_column, second.text)


def read_files(folder: Path) -> list[File]:
    """All rules, things, traits, cards and modes of a ruleset; scenarios are what judges, and are left as they are."""
    found = []
    for path in sorted((*folder.rglob("*.rules"), *folder.rglob("*.yaml"))):
        name = path.relative_to(folder).as_posix()
        if name.startswith("scenarios/"):
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".rules":
            found.append(File(name, text, (_lines(text, Placement(name)),), None))
            continue
        root = read_yaml_text(text, name, Diagnostics()).root
        rules = tuple(_lines(str(node.value), node.placement()) for node in _rules(root))
        found.append(File(name, text, rules, root))
    return found


def _lines(text: str, place: Placement) -> tuple[Line, ...]:
    return tuple(scan(text, place, shared_grammar().signs)[0])


def _rules(node: YamlNode | None) -> Iterator[YamlScalar]:
    """The texts in blocks under `rules:`."""
    if isinstance(node, YamlMap):
        for key, value in node:
            if key.text == "rules" and isinstance(value, YamlScalar) and value.style == "literal":
                yield value
            elif key.text != "scenarios":
                yield from _rules(value)
    elif isinstance(node, YamlSeq):
        for item in node:
            yield from _rules(item)


# ---- misspelt


def misspelt(files: list[File], chance: random.Random) -> Iterator[Mutant]:
    """Endlessly, a name or word with one wrong letter. What another name of the ruleset comes of is no misspelling."""
    known = {token.text for file in files for token in _names(file)} | {w.text for f in files for w in _words(f.root)}
    places: list[tuple[File, str, int, int]] = []
    for file in files:
        places += [(file, t.text, t.span.line, t.span.column) for t in _names(file)]
        places += [(file, w.text, w.span.line, w.span.column) for w in _words(file.root)]
    places = [place for place in places if len(place[1]) >= 4]
    while places:
        file, word, line, column = chance.choice(places)
        wrong = _wrong(word, chance)
        if wrong not in known and wrong != word and re.fullmatch(r"[A-Za-z_]\w*", wrong):
            text = file.replaced(line, column, column + len(word), wrong)
            yield Mutant("misspelt", file.name, line, f"`{word}` as `{wrong}`", word, text)


def _wrong(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    letter = chance.choice("abcdefghijklmnoprstuwy")
    ways: list[Callable[[], str]] = [
        lambda: word[:at] + word[at + 1 :],
        lambda: word[:at] + word[at] + word[at:],
        lambda: word[:at] + letter + word[at + 1 :],
        lambda: word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
    ]
    return chance.choice(ways)()


def _names(file: File) -> Iterator[Token]:
    """Names and words in rules."""
    for lines in file.rules:
        for line in lines:
            given = line.tokens[0].text == "invariant"  # nothing speaks of it by its name
            yield from (token for token in line.tokens[2 * given :] if token.type == "NAME")


def _words(node: YamlNode | None, key: str = "") -> Iterator[YamlScalar]:
    """Keys, and words that name something; not texts, remarks, and names that are given."""
    if isinstance(node, YamlMap):
        for name, value in node:
            if name.text in ("scenarios", "text", "texts", "name", "title", "rules", "names", "source", "authors"):
                continue
            if isinstance(name, YamlScalar) and name.text in _FIXED:
                yield name
            yield from _words(value, name.text)
    elif isinstance(node, YamlSeq):
        for item in node:
            yield from _words(item, key)
    elif isinstance(node, YamlScalar) and key in _NAMING and re.fullmatch(r"[A-Za-z_]\w*", node.text):
        yield node


#: Keys of the language, and keys whose values name something declared elsewhere.
_FIXED = frozenset(
    (
        "trait", "cards", "kinds", "zones", "state", "numbers", "lists", "ladders", "grids", "tables", "columns",
        "rows", "attributes", "holds", "seen_by", "in_force", "playable", "played_to", "refilled_from", "copies",
        "start", "resets", "clamp", "at_most", "face", "faces", "default", "values", "players", "options", "modes",
        "files", "pair", "needs", "knows", "set", "remove",
    )
)  # fmt: skip
_NAMING = frozenset(
    (
        "face", "holds", "refilled_from", "played_to", "resets", "by", "at_most", "counted_by", "from", "in",
        "seen_by", "pair",
    )
)  # fmt: skip


# ---- misplaced


def misplaced(files: list[File], chance: random.Random) -> Iterator[Mutant]:
    """Endlessly, something well spelt in the wrong place."""
    ways = (_indented, _arguments, _lines_swapped, _moved_word, _key_moved)
    while True:
        made = chance.choice(ways)(chance.choice(files), chance)
        if made is not None:
            yield made


def _as_formatted(name: str, text: str) -> str:
    """A text in canonical form: lines that only lie otherwise are no mistake."""
    if name.endswith(".rules"):
        return _canonical(text)
    return format_yaml(text, _canonical) if name.endswith(".yaml") else text


def _canonical(rules: str) -> str:
    """Rules as they are printed; as formatted where they are no rules any more."""
    declarations, found = parse(rules, Placement("rules"))
    return format_text(rules) if found else print_declarations(declarations)


def _some_line(file: File, chance: random.Random, least: int = 0) -> tuple[tuple[Line, ...], int] | None:
    blocks = [lines for lines in file.rules if len(lines) > least]
    if not blocks:
        return None
    lines = chance.choice(blocks)
    return lines, chance.randrange(least, len(lines))


def _indented(file: File, chance: random.Random) -> Mutant | None:
    """A line one level further in or out."""
    found = _some_line(file, chance)
    if found is None:
        return None
    line = found[0][found[1]].tokens[0].span.line
    text = file.text.split("\n")
    old = text[line - 1]
    new = "  " + old if chance.random() < 0.5 or not old.startswith("    ") else old[2:]
    text[line - 1] = new
    return Mutant("misplaced", file.name, line, "indented otherwise", "", "\n".join(text))


def _arguments(file: File, chance: random.Random) -> Mutant | None:
    """Two arguments of a call in the wrong order."""
    pairs = []
    for lines in file.rules:
        for line in lines:
            depth = 0
            for a, comma, b, behind in zip(
                line.tokens, line.tokens[1:], line.tokens[2:], line.tokens[3:], strict=False
            ):
                depth += (a.type == "LPAR") - (a.type == "RPAR")
                if not depth:
                    continue  # in a list any order says the same
                plain = a.type == b.type == "NAME" and comma.type == "COMMA" and behind.type in ("RPAR", "COMMA")
                if plain and a.text != b.text and a.span.line == b.span.line:
                    pairs.append((a, b))
    if not pairs:
        return None
    a, b = chance.choice(pairs)
    what = f"`{a.text}, {b.text}` the other way round"
    return Mutant("misplaced", file.name, a.span.line, what, "", file.swapped(a, b))


def _lines_swapped(file: File, chance: random.Random) -> Mutant | None:
    """A line that opens a block and the first line in it, exchanged."""
    found = _some_line(file, chance, 1)
    if found is None:
        return None
    lines, at = found
    first, second = lines[at - 1].tokens[0].span.line, lines[at].tokens[0].span.line
    if second != first + 1 or lines[at].indent <= lines[at - 1].indent:
        return None
    text = file.text.split("\n")
    text[first - 1], text[second - 1] = text[second - 1], text[first - 1]
    return Mutant("misplaced", file.name, first, "exchanged with the line below", "", "\n".join(text))


def _moved_word(file: File, chance: random.Random) -> Mutant | None:
    """Two neighbouring words exchanged."""
    found = _some_line(file, chance)
    if found is None:
        return None
    tokens = found[0][found[1]].tokens
    pairs = [
        (a, b)
        for a, b in pairwise(tokens)
        if a.type == b.type == "NAME" and a.text != b.text and a.span.line == b.span.line
    ]
    if not pairs:
        return None
    a, b = chance.choice(pairs)
    what = f"`{a.text} {b.text}` the other way round"
    return Mutant("misplaced", file.name, a.span.line, what, "", file.swapped(a, b))


def _key_moved(file: File, chance: random.Random) -> Mutant | None:
    """A key of a map, on a line of its own, one level out."""
    keys = [key for key in _block_keys(file.root, 0) if key.span.column >= 3]
    if not keys:
        return None
    key = chance.choice(keys)
    text = file.text.split("\n")
    text[key.span.line - 1] = text[key.span.line - 1][2:]
    return Mutant("misplaced", file.name, key.span.line, f"the key `{key.text}` further out", key.text, "\n".join(text))


def _block_keys(node: YamlNode | None, depth: int) -> Iterator[YamlScalar]:
    if isinstance(node, YamlMap):
        for key, value in node:
            if key.text == "scenarios":
                continue
            if depth and key.text:
                yield key
            yield from _block_keys(value, depth + 1)


# ---- another meaning

_SIGNS: Mapping[str, tuple[str, ...]] = {
    "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",),
    "+": ("-",), "-": ("+",), "+=": ("-=", "="), "-=": ("+=",),
}  # fmt: skip
_WORDS: Mapping[str, tuple[str, ...]] = {
    "and": ("or",), "or": ("and",), "any": ("no",), "no": ("any",), "min": ("max",), "max": ("min",),
    "true": ("false",), "false": ("true",), "before": ("after",), "most": ("least",), "least": ("most",),
    "when": ("unless",), "unless": ("when",), "top": ("bottom",), "bottom": ("top",),
}  # fmt: skip


def meaning(files: list[File], chance: random.Random) -> Iterator[Mutant]:
    """Endlessly, rules that say something else."""
    places: list[tuple[File, Token, tuple[str, ...]]] = []
    for file in files:
        for lines in file.rules:
            for line in lines:
                for token in line.tokens:
                    others = _SIGNS.get(token.text, ()) or _WORDS.get(token.text, ())
                    if token.type == "NUMBER":
                        others = (str(int(token.text) + 1), *((str(int(token.text) - 1),) if int(token.text) else ()))
                    if others and token.type != "STRING":
                        places.append((file, token, others))
    numbers = [(file, node) for file in files for node in _constants(file.root)]
    statements = [(file, line) for file in files for lines in file.rules for line in _plain(lines)]
    while places:
        way = chance.random()
        if way < 0.15 and numbers:
            file, node = chance.choice(numbers)
            new = str(int(node.text) + chance.choice((1, -1)))
            text = file.replaced(node.span.line, node.span.column, node.span.end_column, new)
            yield Mutant("meaning", file.name, node.span.line, f"{node.text} as {new}", node.text, text)
        elif way < 0.3 and statements:
            file, line = chance.choice(statements)
            first = line.tokens[0].span
            text = file.replaced(first.line, first.column, line.tokens[-1].span.end_column, "nothing")
            yield Mutant("meaning", file.name, first.line, "without the statement", "", text)
        else:
            file, token, others = chance.choice(places)
            new = chance.choice(others)
            text = file.replaced(token.span.line, token.span.column, token.span.end_column, new)
            yield Mutant("meaning", file.name, token.span.line, f"`{token.text}` as `{new}`", token.text, text)


#: What such a statement gives is missed below, or it refuses: other mutants are about that.
_NEEDED = ("let", "require", "ensure", "tells", "compulsory", "roll")


def _plain(lines: tuple[Line, ...]) -> Iterator[Line]:
    """Statements of one line in a block that opens none themselves."""
    for line in lines:
        head = line.tokens[0].text
        one = all(token.span.line == line.tokens[0].span.line for token in line.tokens)
        opens = any(token.type == "COLON" for token in line.tokens)
        if one and line.indent and not opens and head not in _NEEDED:
            yield line


def _constants(node: YamlNode | None, inside: bool = False) -> Iterator[YamlScalar]:
    """Whole numbers under `numbers:`."""
    if isinstance(node, YamlMap):
        for key, value in node:
            yield from _constants(value, inside or key.text == "numbers")
    elif isinstance(node, YamlSeq):
        for item in node:
            yield from _constants(item, inside)
    elif inside and isinstance(node, YamlScalar) and re.fullmatch(r"[0-9]+", node.text):
        yield node


MAKERS: Mapping[Kind, Callable[[list[File], random.Random], Iterator[Mutant]]] = {
    "misspelt": misspelt,
    "misplaced": misplaced,
    "meaning": meaning,
}


def mutants(folder: Path, kind: Kind, number: int, seed: int) -> list[Mutant]:
    """So many different mutants of a ruleset, or as many as are found in a reasonable time."""
    chance = random.Random(f"{folder.name} {kind} {seed}")
    files = read_files(folder)
    found: dict[tuple[str, str], Mutant] = {}
    # What only lies otherwise is no mistake; other words always are.
    lying = kind == "misplaced"
    originals = {file.name: _as_formatted(file.name, file.text) for file in files if lying}
    lines = {file.name: file.text.split("\n") for file in files}
    for tries, made in enumerate(MAKERS[kind](files, chance)):
        if not lying or _as_formatted(made.file, made.text) != originals[made.file]:
            around = lines[made.file][made.line - 1].strip()
            found.setdefault((made.file, made.text), replace(made, ruleset=folder.name, around=around))
        if len(found) >= number or tries > 20 * number:
            break
    return list(found.values())

"""The C text of a program in pieces that can be compiled each for itself, and kept while others change.

What an author changes in a rule changes few functions, and most of a compiler's time goes into functions. So each
function of the rules is a piece of its own. Its `name` says what it is made of: the function with all that its text
names, so that the same name always means the same code. Others call it by the name that the rules know, which the
linker is told to be that piece.

Numbers that shift when something is added elsewhere (of messages, of functions, of lines of the log) are read from
arrays, one for each function, that are made anew each time. So is what depends on all functions: the tables, and the
rest of the library with the functions that find others by their number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

#: Lines that tell where a part of the text begins: what has the words of a program, the tables of its rules, heads of
#: functions, functions, and all that knows them.
CONSTANTS, TABLES, HEADS, FUNCTIONS, REST = (
    f"/* ---- {part} */" for part in ("constants", "tables", "heads", "functions", "what finds them")
)
#: The last line of the constants.
_LAST = "struct kept {"
_CONSTANT = re.compile(r"    (\w+) = (-?\d+),?")
#: A function that is declared and not defined there; how definitions begin.
_DECLARED = re.compile(r"static (?:COLD |DECIDING |LOOPING |inline )*((?:i64|void) (\w+)\([^{]*\));$")
_DEFINED = re.compile(r"static ((?:COLD |DECIDING |LOOPING |inline )*)((?:i64|void) )(\w+)(\(.*\) \{)")
_TABLE = re.compile(r"static (const [\w ]+ (\w+)\[\]) = ")
_MADE = re.compile(r"(DISTINCT\(|FIRST\(\w*, )(\w+), ")
#: What a macro that makes a function of a table declares.
_PARAMS = {"DISTINCT": "i64 zone, i64 *out", "FIRST": "i64 zone, i64 value"}
_NUMBER = re.compile(
    r"\b(trail\(C, |err\(C, ERROR_(?:FAIL|RANGE|STEPS|DEPTH|STACK|ENSURE), |tell\(C, \d+, |put\(C, |asked\(C, S, )"
    r"(\d+)(?=[,)])"
)
_WORD = re.compile(r"[A-Za-z_]\w*")
#: In a piece nothing is seen outside of the library, and what is named need not be there: an older piece that nobody
#: calls is linked with those beside it.
_HIDDEN = "#pragma GCC visibility push(hidden)"
_WEAK = " __attribute__((weak));"
#: Functions of every piece that most of them do not need: left out where they are not called.
_COLD = "#define COLD __attribute__((cold, noinline, unused))"
#: Letters of a name that say what a piece is made of.
_LETTERS = 24


@dataclass(frozen=True, slots=True)
class Piece:
    """`name`: what the linker knows it by. `declared`: lines that its text needs. `size`: how long it takes, about."""

    name: str
    declared: tuple[str, ...]
    text: str

    @property
    def size(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Pieces:
    """`head`: what stands before functions in a text that is compiled. `functions`: by the name that rules know.
    `whole`: texts that are compiled as they are, each under its name: the tables, and what finds functions."""

    head: str
    functions: Mapping[str, Piece]
    whole: Mapping[str, str]

    def text(self, pieces: Iterable[Piece]) -> str:
        """A text to compile, of some functions."""
        chosen = list(pieces)
        declared = dict.fromkeys(line for piece in chosen for line in piece.declared)
        return "\n".join((self.head, *declared, *(piece.text for piece in chosen), ""))


def pieces(source: str, by: str) -> Pieces | None:
    """Of a C text; None of one that was not made of rules. `by`: what it is compiled by, and how."""
    marks = (CONSTANTS, TABLES, HEADS, FUNCTIONS, REST)
    lines = source.split("\n")
    try:
        places = [lines.index(mark) for mark in marks]
        return _pieces(lines, places, by)
    except ValueError:
        return None


def _pieces(lines: list[str], places: list[int], by: str) -> Pieces:
    """ValueError where something else stands in the place of functions."""
    first, *between = (lines[a:b] for a, b in zip((0, *places), (*places, len(lines)), strict=True))
    behind = next(k for k, line in enumerate(between[0]) if line.startswith(_LAST))
    constants, runtime = between[0][:behind], between[0][behind:]
    tables, heads, functions, rest = between[1:]
    known = _declarations(constants, tables, heads)
    common = [known.pop(name) for name in _named(constants, runtime)]
    shown = (line.replace(_COLD, _COLD + " inline") for line in first)
    head = "\n".join((_HIDDEN, *shown, *common, *_opened(runtime)))
    found: dict[str, Piece] = {}
    numbers: list[str] = []
    made_of = _hash(by, head)
    for name, text in _functions(functions):
        body, words, shifting = _function(text)
        declared = tuple(known[word] for word in words if word in known)
        own = f"{name}__{_hash(made_of, body, *declared)}"
        found[name] = Piece(own, declared, body.replace(f" {name}(", f" {own}(", 1))
        if shifting:
            numbers.append(f"const int K_{name}[] = {{{', '.join(shifting)}}};")
    opened = [*first, *constants, *_opened([*runtime, *tables])]
    whole = {
        "tables": "\n".join((_HIDDEN, *opened, *numbers, "")),
        "rest": "\n".join((_HIDDEN, *first, *constants, *_opened([*runtime, *heads, *rest]), "")),
    }
    return Pieces(head, found, {f"{name}__{_hash(by, text)}": text for name, text in whole.items()})


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:_LETTERS]


def _functions(lines: list[str]) -> Iterable[tuple[str, str]]:
    """By name, the text of each."""
    begun = 0
    for at, line in enumerate(lines):
        if line == "}":
            found = _DEFINED.match(lines[begun])
            if found is None:
                raise ValueError(lines[begun])
            yield found[3], "\n".join(lines[begun : at + 1])
        if line == "}" or not lines[begun] or lines[begun].startswith("/*"):
            begun = at + 1


@lru_cache(maxsize=4096)
def _function(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A function that is seen by others, with the numbers that shift taken out; the words in it; those numbers."""
    found = _DEFINED.match(text)
    assert found is not None
    _, result, name, rest = found.groups()
    how = "".join(f"{word} " for word in found[1].split() if word not in ("COLD", "inline"))
    shifting: list[str] = []

    def taken(match: re.Match[str]) -> str:
        shifting.append(match[2])
        return f"{match[1]}K_{name}[{len(shifting) - 1}]"

    body = _NUMBER.sub(taken, f"{how}{result}{name}{rest}{text[found.end() :]}")
    if shifting:
        body = f"extern const int K_{name}[]{_WEAK}\n{body}"
    return body, tuple(sorted(set(_WORD.findall(body)))), tuple(shifting)


def _declarations(constants: list[str], tables: list[str], heads: list[str]) -> dict[str, str]:
    """By name, the line that declares it."""
    found = {match[1]: f"enum {{ {match[1]} = {match[2]} }};" for line in constants if (match := _CONSTANT.match(line))}
    for line in constants:
        if table := _TABLE.match(line):
            found[table[2]] = line
    for line in tables:
        if table := _TABLE.match(line):
            found[table[2]] = f"extern {table[1]}{_WEAK}"
        elif made := _MADE.match(line):
            found[made[2]] = f"i64 {made[2]}(context *C, const i32 *S, {_PARAMS[made[1].partition('(')[0]]}){_WEAK}"
        elif defined := _DEFINED.match(line):
            found[defined[3]] = f"{defined[2]}{defined[3]}{defined[4].removesuffix(' {')}{_WEAK}"
    for line in heads:
        if declared := _DECLARED.match(line):
            found[declared[2]] = f"{declared[1]}{_WEAK}"
    return found


def _named(constants: list[str], runtime: list[str]) -> list[str]:
    """Constants that what is the same for every game names, before it comes to functions."""
    words = set(_WORD.findall("\n".join(runtime)))
    return [match[1] for line in constants if (match := _CONSTANT.match(line)) and match[1] in words]


def _opened(lines: list[str]) -> list[str]:
    """Lines in which functions that are declared somewhere and defined elsewhere are seen by others, and tables."""
    declared = {match[2] for line in lines if (match := _DECLARED.match(line))}
    found = []
    for line in lines:
        if match := _DECLARED.match(line):
            line = f"{match[1]};"
        elif (match := _DEFINED.match(line)) and (match[3] in declared or match[3].startswith("firstT_")):
            line = f"{match[2]}{match[3]}{match[4]}"
        elif match := _TABLE.match(line):
            line = line.removeprefix("static ")
        elif line.startswith(("static i64 name(context", "static kind i64 name(context")):
            line = line.removeprefix("static ").removeprefix("kind ")
        found.append(line)
    return found

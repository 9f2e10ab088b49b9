"""Changes made to the files of a ruleset, by a seeded generator: from torn bytes to rules that still look right."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

TOKEN = re.compile(r'[A-Za-z_]\w*|\d+|"[^"\n]*"|[<>=!+*/-]=?|\s+|.', re.DOTALL)
BYTES = (
    b"\xff", b"\x00", b"\t", b"\r", b"{", b"}", b"[", b"]", b"&a ", b"*a", b"!!python/object ", b"? ", b"---\n",
    b"\xef\xbb\xbf", b"\xfe\xff", b"'", b'"', b"|\n", b">\n", b"<<: *a\n", "\u2028".encode(), "é".encode("latin-1"),
)  # fmt: skip
VALUES = (
    "null", "~", "true", "-1", "0", "3", "1e999", ".nan", "99999999999999999999", "[]", "{}", "''", "nobody", "player",
    "card", "int", "[a, a]", "{a: 1}", "0..0", "5..1", "maybe int", "&x [*x]", "*nothing", "2024-01-01", "0o17", "1:30",
)  # fmt: skip
OPERATORS = {
    "<": ">", ">": "<=", "<=": "<", ">=": "<", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "and": "or",
    "or": "and", "most": "least", "before": "after", "after": "before", "any": "no", "first": "any", "min": "max",
    "max": "min", "true": "false", "false": "true", "+=": "-=", "-=": "+=", "when": "unless", "unless": "when",
    "top": "bottom", "if": "repeat until", "once": "", "not": "", "maybe": "", "may": "",
}  # fmt: skip


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def torn_bytes(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[at : at + chance.randint(1, 40)] = b""
            case 1:
                data[at:at] = chance.choice(BYTES)
            case 2:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case _:
                data = data[:at]
    path.write_bytes(bytes(data))


def moved_lines(path: Path, chance: random.Random) -> None:
    lines = path.read_text("utf-8").split("\n")
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                lines[at : at + chance.randint(1, 3)] = []
            case 1:
                lines.insert(at, chance.choice(lines))
            case 2:
                lines[at] = " " * chance.randint(0, 9) + lines[at].lstrip()
            case _:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
        lines = lines or [""]
    path.write_text("\n".join(lines), "utf-8")


def other_values(path: Path, chance: random.Random) -> None:
    """Of YAML: what stands behind a colon."""
    text = path.read_text("utf-8")
    places = list(re.finditer(r"(?<=: )[^\s,{}\[\]#|][^,\n}\]#]*", text))
    for match in sorted(chance.sample(places, min(len(places), chance.randint(1, 2))), key=lambda m: -m.start()):
        text = text[: match.start()] + chance.choice(VALUES) + text[match.end() :]
    path.write_text(text, "utf-8")


def other_cells(path: Path, chance: random.Random) -> None:
    """Of CSV: one cell, or a row that is too long or too short."""
    rows = [line.split(",") for line in path.read_text("utf-8").split("\n")]
    for _ in range(chance.randint(1, 3)):
        row = chance.choice(rows)
        match chance.randrange(3):
            case 0:
                row.pop(chance.randrange(len(row)))
                row.append("")
            case 1:
                row[chance.randrange(len(row))] = chance.choice([*VALUES, '"', "climb>=", "a+b"])
            case _:
                row.append("9")
    path.write_text("\n".join(",".join(row) for row in rows), "utf-8")


def other_words(path: Path, chance: random.Random) -> None:
    """Rules that still look right: another number, the opposite sign, a name from elsewhere, a statement less."""
    text = path.read_text("utf-8")
    tokens = TOKEN.findall(text)
    words = [number for number, token in enumerate(tokens) if token.strip()]
    names = [token for token in tokens if token[0].isalpha()] or ["x"]
    signs = [number for number in words if tokens[number] in OPERATORS]
    for _ in range(chance.randint(1, 3)):
        if signs and chance.random() < 0.6:
            at = chance.choice(signs)
            tokens[at] = OPERATORS.get(tokens[at], tokens[at])
            continue
        at = chance.choice(words)
        if tokens[at].isdigit():
            tokens[at] = chance.choice(("0", "1", "2", "7", "1000000"))
        elif tokens[at][0].isalpha():
            tokens[at] = chance.choice(names)
        elif chance.random() < 0.3:
            tokens[at] = ""
    path.write_text("".join(tokens), "utf-8")


def gone(path: Path, chance: random.Random) -> None:
    match chance.randrange(4):
        case 0:
            path.unlink()
        case 1:
            path.write_bytes(b"")
        case 2:
            path.rename(path.with_name(path.stem + "_x" + path.suffix))
        case _:
            path.write_bytes(path.read_text("utf-8", "replace").encode("utf-16"))


def mutate(folder: Path, chance: random.Random) -> str:
    """Change a copy of a ruleset in one to three ways; says how."""
    done: list[str] = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        files = files_of(folder)
        ways: list[Callable[[Path, random.Random], None]] = [torn_bytes, moved_lines, other_values, other_cells]
        ways += [other_words] * 8 + [gone]
        way = chance.choice(ways)
        if way is other_cells:
            files = [path for path in files if path.suffix == ".csv"] or files
        elif way is other_values:
            files = [path for path in files if path.suffix == ".yaml"] or files
        elif way is other_words:
            files = [path for path in files if path.suffix == ".rules" or b"rules: |" in path.read_bytes()] or files
        path = chance.choice(files)
        if not path.read_bytes().strip():
            continue  # an earlier change emptied it
        try:
            way(path, chance)
        except UnicodeDecodeError:  # an earlier change tore it
            torn_bytes(path, chance)
        done.append(f"{way.__name__} {path.name}")
        if not files_of(folder):
            break
    return ", ".join(done)

"""Games with random cards of every type of column, in every kind of file, for properties of tables."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from openpyxl import Workbook

KINDS = ("csv", "tsv", "xlsx", "map", "list", "flow", "from yaml")
MANIFEST = """\
id: deck
version: 1.0.0
language: 1
title: Deck
players: {count: [2, 4]}
files: [things.yaml, game.rules]
"""
LISTS = """\
# What the cards speak of.
lists:
  skill: [dig, climb, swim]
  diet: [plants, meat]
  task: [weed, water]
cards:
  animal:
"""
COLUMNS = """\
    # The columns.
    columns:
      size: int
      level: {is: 0..9, default: 3}
      diet: maybe diet
      kind: {is: diet, default: meat}
      wild: bool
      tame: {is: bool, cells: {x: true}}
      skills: set of skill
      needs: condition on skill
      hours: {is: int, by: task, default: 0}
      steps: {is: int, by: 1..3, default: 0}
      food: {is: int, by: copy, default: 1}
"""
RULES = "game:\n  for animal a: move a to box\n"

_LEFT_OUT = ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
_SIGNS = st.characters(codec="utf-8", exclude_categories=_LEFT_OUT, exclude_characters="\ufeff")
_TRICKY = ["true", "null", "~", "3", "0x1F", "1e3", "=1+1", "#REF!", "_x0041_", "sep=;", "a: b", "- a", "a #b", "'"]
TEXTS = st.text(_SIGNS | st.sampled_from(list(",;\"'|\n\t:#{}[]&*!%@`=+-")), max_size=12) | st.sampled_from(_TRICKY)
#: Texts that every kind of file can hold: none of blanks alone.
WORDS = TEXTS.map(lambda text: text.strip(" \n\t\u3000")).filter(bool)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True).filter(lambda n: n not in ("true", "false", "null"))
NUMBERS = st.integers(-999, 999)
CELLS: dict[str, st.SearchStrategy[Any]] = {
    "size": NUMBERS,
    "level": st.integers(0, 9),
    "diet": st.sampled_from(["plants", "meat", "none"]),
    "kind": st.sampled_from(["plants", "meat"]),
    "wild": st.booleans(),
    "tame": st.sampled_from(["x", True, False]),
    "skills": st.lists(st.sampled_from(["dig", "climb", "swim"]), unique=True, min_size=1),
    "needs": st.sampled_from(["dig>=1", "dig+climb>=2; swim=0", "swim!=-1"]),
    "hours": st.dictionaries(st.sampled_from(["weed", "water"]), NUMBERS, min_size=1),
    "steps": st.tuples(NUMBERS, NUMBERS, NUMBERS).map(list),
    "text": st.dictionaries(st.sampled_from(["en", "ja", "de"]), WORDS, min_size=1) | WORDS,
    "note": WORDS,
    "by hand": WORDS,
}
NEEDED = ("size",)


@st.composite
def rows(draw: st.DrawFn, least: int = 1) -> dict[str, dict[str, Any]]:
    """Rows by their ids."""
    found: dict[str, dict[str, Any]] = {}
    for name in draw(st.lists(NAMES, min_size=least, max_size=6, unique=True)):
        optional = draw(st.sets(st.sampled_from([key for key in CELLS if key not in NEEDED])))
        row = {key: draw(CELLS[key]) for key in CELLS if key in NEEDED or key in optional}
        if draw(st.booleans()):
            row["food"] = draw(st.lists(NUMBERS, min_size=1, max_size=4))
        else:
            row["copies"] = draw(st.integers(0, 5))
        found[name] = row
    return found


def flat(row: dict[str, Any]) -> dict[str, str]:
    """A row as a table has it."""
    found = {}
    for key, value in row.items():
        if key == "hours":
            found |= {label: str(number) for label, number in value.items()}
        elif key == "text" and isinstance(value, dict):
            found |= {f"text.{tag}": text for tag, text in value.items()}
        elif isinstance(value, bool):
            found[key] = str(value).lower()
        elif isinstance(value, list):
            found[key] = ("+" if key == "skills" else " ").join(map(str, value))
        else:
            found[key] = str(value)
    return found


def write(folder: Path, kind: str, cards: dict[str, dict[str, Any]]) -> Path:
    """A game with these cards in a kind of file. Those that may have comments have some."""
    game = folder / "deck"
    game.mkdir(parents=True)
    source = {"csv": "cards.csv", "tsv": "cards.tsv", "xlsx": "cards.xlsx", "from yaml": "cards.yaml"}.get(kind)
    inside = ""
    if kind in ("csv", "tsv"):
        whole = io.StringIO()
        sign = "," if kind == "csv" else "\t"
        csv.writer(whole, delimiter=sign, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(_table(cards))
        (game / str(source)).write_text(whole.getvalue(), encoding="utf-8")
    elif kind == "xlsx":
        book = Workbook()
        for y, line in enumerate(_table(cards), 1):
            for x, text in enumerate(line, 1):
                if text:
                    cell = book.active.cell(y, x)
                    cell.value = text.replace("_x0041_", "_x005F_x0041_")
                    cell.data_type = "s"
        book.save(game / "cards.xlsx")
    else:
        body = "# All of them.\n" + _yaml(kind, cards)
        if kind == "from yaml":
            (game / "cards.yaml").write_text(body, encoding="utf-8")
        else:
            inside = "    rows:\n" + "".join(f"      {line}\n" for line in body.splitlines())
    unused = [name for name in ("note", "by hand") if any(name in row for row in cards.values()) or not cards]
    left = f"    unused_columns: [{', '.join(unused)}]\n" if unused else ""
    head = LISTS + (f"    from: {source}\n" if source else "")
    (game / "things.yaml").write_text(head + COLUMNS + left + inside, encoding="utf-8")
    (game / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (game / "game.rules").write_text(RULES, encoding="utf-8")
    return game


def _table(cards: dict[str, dict[str, Any]]) -> list[list[str]]:
    """The first line names the columns."""
    tables = {name: flat(row) for name, row in cards.items()}
    columns = list(dict.fromkeys(["id", "copies", *(key for row in tables.values() for key in row)]))
    copies = {name: str(row.get("copies", len(row.get("food", "x")))) for name, row in cards.items()}
    lines = [{"id": name, "copies": copies[name], **row} for name, row in tables.items()]
    return [columns, *([line.get(column, "") for column in columns] for line in lines)]


def _yaml(kind: str, cards: dict[str, dict[str, Any]]) -> str:
    dumped = {name: json.dumps(row, ensure_ascii=False) for name, row in cards.items()}
    if kind == "list":
        return "".join(f"- {text}\n" for text in dumped.values())
    if kind == "flow":
        return "{" + ",\n ".join(f"{name}: {text}" for name, text in dumped.items()) + "}\n"
    return "".join(f"#: a rule\n{name}:  # {name}{_block(row)}\n" for name, row in cards.items())


def _block(row: dict[str, Any]) -> str:
    said = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items()]
    return "".join(f"\n  {line}" for line in said)

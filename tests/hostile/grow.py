"""Grows the corpus: `python -m tests.hostile.grow MINUTES [SEED [FILE]]`.

Random changes are made to all kinds of files. What is answered with codes that few cases have yet, for that file, is
kept. What raises anything but a diagnostic, or takes long, is printed: it is to be mended, and then kept by hand.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
import traceback
from collections import Counter

from tests.fuzz.mutate import OPERATORS, TOKEN, VALUES
from tests.hostile import base
from tests.hostile.cases import CORPUS, Case, answer, original, read

FILES = (
    *(name for name in base.FILES if name != "storm.rules"), "pearls.xlsx", "zip:", "save", "replay",
    *(f"mod:{name}" for name in base.MOD), "xlsx:xl/worksheets/sheet1.xml", "xlsx:xl/workbook.xml",
    "xlsx:[Content_Types].xml", "xlsx:xl/_rels/workbook.xml.rels"
)  # fmt: skip
#: A member of a saved game.
MEMBER = re.compile(rb'"([a-z_]+)":')
#: Cases of one file with the same answer.
ALIKE = 3
PIECES = (
    'ÿ', '\x00', '\t', '\r', '{', '}', '[', ']', '&a ', '*a', '!!python/object ', '? ', '---\n', "'", '"', '|\n',
    '\n', '<<: *a\n', 'â\x80¨', '(', ')', ':', ',', '#', '  ', 'self', 'any', 'actor', '1e999', '-1', "9" * 40,
    '\x1b[2J', '=HYPERLINK("x")', '..', '../..', '/etc/passwd', 'true', 'none', 'round', "x" * 3000, 'Ã©',
    'ð\x9f¦\x80',
)  # fmt: skip


def changed(file: str, chance: random.Random) -> Case:
    data = original(file)
    if file in ("zip:", "pearls.xlsx") or chance.random() < 0.15:
        at = chance.randrange(len(data) + 1)
        drop = chance.choice((0, 0, 1, 1, 2, 8, 60, len(data)))
        put = "" if drop > 8 else chance.choice((*PIECES, chr(chance.randrange(256)), ""))
        return Case(file, at, min(drop, len(data) - at), put)
    text = data.decode("latin-1")
    tokens = [m for m in TOKEN.finditer(text) if not m[0].isspace()]
    token = chance.choice(tokens)
    others = chance.choice(tokens)[0]
    put = chance.choice((
        OPERATORS.get(token[0], others), others, chance.choice(VALUES), chance.choice(PIECES), "",
        token[0] + " " + token[0], token[0] + chance.choice(PIECES), token[0][:-1], token[0] + "x",
    ))  # fmt: skip
    put = put.encode().decode("latin-1") if any(ord(char) > 255 for char in put) else put
    if chance.random() < 0.15:  # a whole line
        start, end = text.rfind("\n", 0, token.start()) + 1, text.find("\n", token.end()) + 1 or len(text)
        line = text[start:end]
        put = chance.choice(("", line + line, re.sub(r"^ *", "", line), "   " + line))
        return Case(file, start, end - start, put)
    return Case(file, token.start(), len(token[0]), put)


def anchored(case: Case) -> Case:
    """The same change, told from the member of a saved game that it is in: what stands before may grow."""
    if case.file != "save":
        return case
    data = original("save")
    before = [(data.index(b'"%s":' % found[1]), found[1].decode()) for found in MEMBER.finditer(data[: case.at])]
    at, name = max(before, default=(0, ""))
    return Case(f"save:{name}" if name else "save", case.at - at, case.drop, case.put)


class Growth:
    """The corpus, as it grows. `tried`: how many changes were looked at, each once."""

    def __init__(self) -> None:
        self.kept = [*read()] if CORPUS.exists() else []
        self.there = {(case.file, case.at, case.drop, case.put) for case in self.kept}
        self.known = Counter((case.file, case.answer) for case in self.kept)
        self.codes = Counter(case.answer for case in self.kept)
        self.usual = {file: answer(Case(file, 0, 0, "")) for file in FILES}
        self.tried = 0

    def look(self, file: str, chance: random.Random) -> None:
        """Change a file at random, and keep the change if it is answered like few others."""
        case = anchored(changed(file, chance))
        if (case.file, case.at, case.drop, case.put) in self.there:
            return
        self.tried += 1
        self.there.add((case.file, case.at, case.drop, case.put))
        began = time.process_time()
        try:
            said = answer(case)
        except Exception:  # whatever it is: ours
            print(f"CRASH {case}\n{traceback.format_exc()[-1500:]}", flush=True)
            return
        if (took := time.process_time() - began) > 2:
            print(f"SLOW {took:.1f} s {case}", flush=True)
        if said != self.usual[file] and self.known[case.file, said] < ALIKE and self.codes[said] < 12:
            self.known[case.file, said] += 1
            self.codes[said] += 1
            self.kept.append(Case(case.file, case.at, case.drop, case.put, said))
            with CORPUS.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([case.file, case.at, case.drop, case.put, said]) + "\n")
            print(f"{len(self.kept)} of {self.tried}: {case.file} {said}", flush=True)

    def __str__(self) -> str:
        return f"{len(self.kept)} cases, {len(self.codes)} answers, {self.tried} tried"


def main() -> None:
    until = time.monotonic() + 60 * float(sys.argv[1])
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    files = [file for file in FILES if file.startswith(sys.argv[3] if len(sys.argv) > 3 else "")]
    growth = Growth()
    while time.monotonic() < until:
        growth.look(chance.choice(files), chance)
    print(growth)


if __name__ == "__main__":
    main()

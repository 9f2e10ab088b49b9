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


def main() -> None:
    until = time.monotonic() + 60 * float(sys.argv[1])
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    kept = [*read()] if CORPUS.exists() else []
    there = {(case.file, case.at, case.drop, case.put) for case in kept}
    known = Counter((case.file, case.answer) for case in kept)
    codes = Counter(case.answer for case in kept)
    usual = {file: answer(Case(file, 0, 0, "")) for file in FILES}
    tried = 0
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    while time.monotonic() < until:
        case = changed(chance.choice([file for file in FILES if file.startswith(only)]), chance)
        tried += 1
        if (case.file, case.at, case.drop, case.put) in there:
            continue
        there.add((case.file, case.at, case.drop, case.put))
        began = time.process_time()
        try:
            said = answer(case)
        except Exception:  # whatever it is: ours
            print(f"CRASH {case}\n{traceback.format_exc()[-1500:]}", flush=True)
            continue
        if (took := time.process_time() - began) > 2:
            print(f"SLOW {took:.1f} s {case}", flush=True)
        if said != usual[case.file] and known[case.file, said] < ALIKE and codes[said] < 12:
            known[case.file, said] += 1
            codes[said] += 1
            kept.append(Case(case.file, case.at, case.drop, case.put, said))
            with CORPUS.open("a", encoding="utf-8") as stream:
                one = kept[-1]
                stream.write(json.dumps([one.file, one.at, one.drop, one.put, one.answer]) + "\n")
            print(f"{len(kept)} of {tried}: {case.file} {said}", flush=True)
    print(f"{len(kept)} cases, {len(codes)} answers, {tried} tried", flush=True)


if __name__ == "__main__":
    main()

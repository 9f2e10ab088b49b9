"""`python -m tests.mutation`: puts mistakes into the shipped rulesets and prints what caught each (`make mutation`)."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_reader import read_yaml
from tests.mutation.judge import Judge, Verdict
from tests.mutation.mutants import KINDS, Kind, Mutant, mutants

ROOT = Path(__file__).parents[2]
REASONS = Path(__file__).with_name("survivors.yaml")
#: The share that has to be caught, and by whom.
WANTED: dict[Kind, tuple[float, tuple[str, ...]]] = {
    "misspelt": (1.0, ("check",)),
    "misplaced": (0.98, ("check", "lint")),
    "meaning": (0.95, ("check", "lint", "scenarios")),
}
#: Reasons that begin so take a mutant out of the count: it is no mistake.
EQUAL = "means the same"
MOST_MESSAGES = 3  # for one mistake, at the 95th percentile
HINTED = 0.95  # of the misspelt the original word is in a hint


_JUDGES: dict[Path, Judge] = {}  # of this process


def judged(folder: Path, some: Sequence[Mutant]) -> list[Verdict]:
    """Some mutants of a ruleset."""
    judge = _JUDGES.get(folder)
    if judge is None:
        for old in _JUDGES.values():
            old.close()
        _JUDGES.clear()
        judge = _JUDGES[folder] = Judge(folder)
    return [judge.verdict(mutant, "scenarios" in WANTED[mutant.kind][1]) for mutant in some]


def good(verdict: Verdict) -> bool:
    """Whether it was caught by those who should."""
    return verdict.by in WANTED[verdict.mutant.kind][1]


def earlier(place: Path | None) -> dict[tuple[str, str, str], Verdict]:
    """The verdicts of a file by kind, name and text of their mutants."""
    if place is None or not place.is_file():
        return {}
    rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
    found = [Verdict(**row | {"mutant": Mutant(**row["mutant"])}) for row in rows]
    return {(v.mutant.kind, v.mutant.id, v.mutant.text): v for v in found}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument(
        "rulesets", nargs="*", type=Path, help="folders (default: all in rulesets/, and the mods in examples/)"
    )
    parser.add_argument("-n", "--number", type=int, default=2100, help="mutants in all (default: 2100)")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write all verdicts into this file, a line each, as they come")
    parser.add_argument("--go-on", action="store_true", help="judge only what was not caught according to this file")
    told = parser.parse_args(arguments)
    folders = told.rulesets or shipped()
    kinds: list[Kind] = told.kind or list(KINDS)
    each = max(1, -(-told.number // (len(folders) * len(kinds))))
    began = perf_counter()
    before = earlier(told.json) if told.go_on else {}
    verdicts: list[Verdict] = []
    tasks: list[tuple[Path, list[Mutant]]] = []
    for folder in folders:
        for kind in kinds:
            due = []
            for mutant in mutants(folder, kind, each, told.seed):
                known = before.get((kind, mutant.id, mutant.text))
                if known is not None and good(known):
                    verdicts.append(known)
                else:
                    due.append(mutant)
            # Small portions, so that no process waits long for another.
            tasks += [(folder, due[start : start + 20]) for start in range(0, len(due), 20)]
    if told.json:
        told.json.write_text("".join(map(_line, verdicts)), encoding="utf-8")
    with ProcessPoolExecutor(told.jobs) as pool:
        for portion in as_completed([pool.submit(judged, *task) for task in tasks]):
            verdicts += portion.result()
            if told.json:
                with told.json.open("a", encoding="utf-8") as file:
                    file.writelines(map(_line, portion.result()))
    failed = report(verdicts, kinds)
    print(f"{len(verdicts)} mutants of {len(folders)} rulesets in {perf_counter() - began:.0f} s, seed {told.seed}")
    return failed


def _line(verdict: Verdict) -> str:
    return json.dumps(asdict(verdict)) + "\n"


def shipped() -> list[Path]:
    """The rulesets and mods of the repository."""
    places = [*sorted((ROOT / "rulesets").iterdir()), *sorted((ROOT / "examples").iterdir())]
    return [place for place in places if (place / "ruleset.yaml").is_file() or (place / "mod.yaml").is_file()]


def report(verdicts: Sequence[Verdict], kinds: Sequence[Kind]) -> int:
    """Prints the table and the survivors; 1 if a target is missed."""
    reasons = known_reasons()
    failed = 0
    print(f"{'':10} {'mutants':>8} {'check':>6} {'lint':>6} {'scenarios':>10} {'nobody':>7}   caught  wanted")
    for kind in kinds:
        own = [verdict for verdict in verdicts if verdict.mutant.kind == kind]
        if not own:
            continue
        by = Counter(verdict.by for verdict in own)
        least, who = WANTED[kind]
        excused = sum(not good(v) and reasons.get(v.mutant.id, "").startswith(EQUAL) for v in own)
        caught = sum(by[name] for name in who if name in by) / max(len(own) - excused, 1)
        missed = caught < least
        failed |= missed
        print(
            f"{kind:10} {len(own):8} {by['check']:6} {by['lint']:6} {by['scenarios']:10} {by['nobody']:7}"
            f"  {caught:6.1%}  {least:.0%} by {' and '.join(who)}{'  MISSED' if missed else ''}"
        )
    told = sorted(verdict.messages for verdict in verdicts if verdict.by == "check")
    if told:
        most = told[min(len(told) - 1, int(len(told) * 0.95))]
        print(f"messages for one mistake: {most} at the 95th percentile, {told[-1]} at most (wanted: {MOST_MESSAGES})")
        failed |= most > MOST_MESSAGES
    spelt = [verdict for verdict in verdicts if verdict.mutant.kind == "misspelt" and verdict.by == "check"]
    if spelt:
        share = sum(verdict.hinted for verdict in spelt) / len(spelt)
        print(f"misspelt words whose right spelling is in a hint: {share:.1%} (wanted: {HINTED:.0%})")
        failed |= share < HINTED
    for kind in kinds:
        left = [v for v in verdicts if v.mutant.kind == kind and not good(v)]
        if left:
            print(f"\n{kind}, not caught by {' or '.join(WANTED[kind][1])}:")
        for verdict in left:
            reason = reasons.get(verdict.mutant.id, "")
            print(f"  {verdict.mutant.id} (line {verdict.mutant.line}; {verdict.by}){': ' + reason if reason else ''}")
    return int(failed)


def known_reasons() -> dict[str, str]:
    """Why some survivors may stand: mostly since they mean the same."""
    if not REASONS.is_file():
        return {}
    root = read_yaml(REASONS.read_bytes(), str(REASONS), Diagnostics()).root
    plain = root.plain() if root is not None else {}
    return {str(key): str(value) for key, value in plain.items()} if isinstance(plain, dict) else {}


if __name__ == "__main__":
    sys.exit(main())

"""How speed, compile time and memory change as a game grows: `python -m benchmarks.growth [--quick] [GAME]`.

The game is played as it is; with all of its own traits once more under other names, by a mod that is made here, out of
play (no card has them) and in play (cards are added that do); with other numbers of players; and with more sets of
cards, if it has an option of that name. Rates are decisions of random games, in rounds that take turns with the game as
it is: the median over the rounds of the ratios is what each kind of growth costs.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import yaml

from benchmarks.native import _compile, _many, _player
from benchmarks.rates import PLAYERS, ROOT, Play, measure
from rulelang.compiler.backends.native.build import available_compilers

GAME = "origin_of_species"
#: Cards of each trait in play.
COPIES = 4
AS_IT_IS = "as it is"


def write_traits(folder: Path, base: Path, in_play: bool, times: int = 1) -> Path:
    """A mod with all traits of a game again, so many times, each under a name of its own; in play, cards have them."""
    manifest = yaml.safe_load((base / "ruleset.yaml").read_text(encoding="utf-8"))
    (folder / "traits").mkdir(parents=True)
    names = []
    for number in range(times):
        for path in sorted((base / "traits").glob("*.yaml")):
            name, text = _again(path.read_text(encoding="utf-8"), f"_foreign_{number + 1}")
            names.append(name)
            (folder / "traits" / f"{name}.yaml").write_text(text, encoding="utf-8")
    version = str(manifest["version"]).split(".")[0]
    head: dict[str, Any] = {"id": "foreign_traits", "version": "1.0.0", "language": 1, "title": {"en": "Foreign"}}
    head |= {"extends": {manifest["id"]: f">={version}"}, "files": [f"traits/{name}.yaml" for name in names]}
    head["files"] += ["cards.yaml"] if in_play else []
    (folder / "mod.yaml").write_text(yaml.safe_dump(head, sort_keys=False))
    if in_play:
        rows = [{"faces": [name], "copies": COPIES} for name in names]
        (folder / "cards.yaml").write_text(yaml.safe_dump({"cards": {"card": {"rows": rows}}}))
    return folder


def _again(text: str, suffix: str) -> tuple[str, str]:
    """A trait under another name, with all that it declares: its name, and its file without scenarios and cards."""
    told = yaml.safe_load(text)
    name = str(told["trait"])
    kept = "".join(
        part
        for part in re.split(r"^(?=\w+:)", text, flags=re.MULTILINE)
        if not part.startswith(("scenarios:", "cards:", "name:"))
    )
    declared = {name, *told.get("state", {})}
    rules = str(told.get("rules", ""))
    declared |= set(re.findall(r"^ *(?:value|routine|(?:always )?action) (\w+)", rules, re.MULTILINE))
    found = "|".join(sorted(map(re.escape, declared)))
    renamed = re.sub(rf"(?<!option\.)\b({found})\b", rf"\1{suffix}", kept)
    return name + suffix, renamed.rstrip() + f"\nname: {{en: {name.replace('_', ' ')}{suffix.replace('_', ' ')}}}\n"


@dataclass(frozen=True, slots=True)
class Row:
    """A way to grow. `decisions`: of a game; rates in decisions a second; seconds to check the rules and
    write the C text, and of the compiler."""

    title: str
    words: int
    text: int
    written: float
    compiled: float
    decisions: float
    native: float
    python: float
    native_ratio: float
    python_ratio: float


def rows(base: Path, rounds: int, seconds: float) -> list[Row]:
    import rulelang

    with tempfile.TemporaryDirectory(prefix="rulelang-bench-") as folder:
        games: dict[str, tuple[Any, list[Path], int, dict[str, object]]] = {}
        plain = rulelang.load(base)
        games[AS_IT_IS] = (plain, [], PLAYERS, {})
        many = len(list((base / "traits").glob("*.yaml")))
        for title, in_play, times in (("out of play", False, 1), ("in play", True, 1), ("out of play", False, 3)):
            made = write_traits(Path(folder, f"{in_play}{times}"), base, in_play, times)
            games[f"+ {many * times} traits {title}"] = (rulelang.load(base, [made]), [made], PLAYERS, {})
        for players in (plain.players[0], plain.players[1]):
            games[f"{players} players"] = (plain, [], players, {})
        if "sets" in plain.options:
            games["2 sets of cards and slots"] = (plain, [], PLAYERS, {"sets": 2})
        plays: dict[str, Play] = {}
        for title, (game, _, players, options) in games.items():
            native = game.table(players, options, "native").program
            plays[title] = _player(_many(native, 1), seconds)
            plays[f"{title} python"] = _player(_simulated(game, players, options), seconds)
        broken: dict[str, str] = {}
        found = measure(plays, rounds, broken)
        if broken:
            raise SystemExit("; ".join(f"{title}: {why}" for title, why in broken.items()))
        made_rows = []
        for title, (_, mods, players, options) in games.items():
            ours, slow = found[title], found[f"{title} python"]
            pairs = [a / b for a, b in zip(ours.rates, found[AS_IT_IS].rates, strict=True)]
            slow_pairs = [a / b for a, b in zip(slow.rates, found[f"{AS_IT_IS} python"].rates, strict=True)]
            text, words, written = _text(base, mods, players, options)
            spent = _compile(available_compilers()[0], text)
            made_rows.append(
                Row(title, words, len(text), written, spent, ours.decisions, median(ours.rates), median(slow.rates),
                    median(pairs), median(slow_pairs))
            )  # fmt: skip
        return made_rows


def _simulated(game: Any, players: int, options: dict[str, object]) -> Any:
    def play(seed: int, games: int) -> int:
        result = game.simulate(n=games, players=players, options=options, seed=seed, backend="python", invariants=False)
        return int(result.decisions)

    return play


def _text(base: Path, mods: list[Path], players: int, options: dict[str, object]) -> tuple[str, int, float]:
    """The C text of a table, the words of its state, and the seconds that it takes to check the rules and write it."""
    from rulelang.compiler.backends.native.emit import emit
    from rulelang.compiler.compilation import Compilation
    from rulelang.runtime.table import choose_options

    begin = process_time()
    compilation = Compilation(base, mods)
    module = compilation.ready(players, choose_options(compilation.summary.options, players, options))
    return emit(module).source, module.layout.size, process_time() - begin


def main(wanted: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a noisier answer in less time")
    parser.add_argument("game", nargs="?", default=GAME, help="a shipped ruleset with traits")
    options = parser.parse_args(wanted)
    if not available_compilers():
        print("skipped: no C compiler was found")
        return 0
    begin = process_time()
    print("| | words of state | C text | to C + compiler | decisions a game | native | Python |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for row in rows(ROOT / "rulesets" / options.game, 9 if options.quick else 31, 0.05 if options.quick else 0.1):
        seconds = f"{row.written:.1f} + {row.compiled:.1f} s"
        size = f"{row.words:,} | {row.text / 1000:,.0f} kB | {seconds} | {row.decisions:.0f}"
        native = f"{row.native / 1e6:.2f} M/s ({row.native_ratio:.2f}x)"
        print(f"| {row.title} | {size} | {native} | {row.python / 1e3:,.0f} k/s ({row.python_ratio:.2f}x) |")
    print(f"\n{process_time() - begin:.0f} s of this process", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

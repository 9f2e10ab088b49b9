"""Measure everything and print it beside what has to hold and what is aimed at.

The exit status is 1 if something that has to hold does not, or could not be measured; with `--goals` also if a goal is
missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from benchmarks import editing, measures, native, rates
from benchmarks.figures import Figure, Skipped, Target, Unmeasured, table


def main() -> int:
    games = [ruleset.id for ruleset in rates.RULESETS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: a noisier answer in less time")
    parser.add_argument("--goals", action="store_true", help="exit with 1 also where a goal is missed")
    single = [
        "speed",
        "check_cold",
        "check_warm",
        "start",
        "start_cold",
        "import",
        "check_many",
        "editing",
        "completing",
        "editing_many",
        "clone",
    ]
    of_native = ["native", "native_compile", "native_clone", "native_jobs", "native_memory"]
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        choices=[*single, "rates", *of_native, "native_rates", *games],
        help=f"measure only this, several times for several: {', '.join(single)}, rates (all rulesets), "
        f"{', '.join(of_native)}, native_rates (all rulesets), or one ruleset: {', '.join(games)}",
    )
    options = parser.parse_args()

    rounds, count = (3, 50) if options.quick else (11, 200)
    runs = 3 if options.quick else 9
    seconds = 0.1 if options.quick else 0.3
    work: dict[str, tuple[list[Target], Callable[[], list[Figure]]]] = {
        "speed": ([measures.SPEED, measures.OTHER_SPEED], lambda: measures.speed(rounds, count)),
        "check_cold": ([measures.CHECK_COLD], lambda: [measures.check_cold(runs)]),
        "check_warm": ([measures.CHECK_WARM], lambda: [measures.check_warm(runs)]),
        "start": ([measures.START], lambda: [measures.start(runs)]),
        "start_cold": ([measures.START_COLD], lambda: [measures.start_cold(runs)]),
        "import": ([measures.IMPORT], lambda: [measures.imported(runs)]),
        "check_many": ([measures.CHECK_MANY, measures.CHECK_MORE], lambda: measures.check_many(runs)),
        "editing": (
            [editing.MEDIAN, editing.SLOWEST, editing.SCENARIOS],
            lambda: editing.editing(1 if options.quick else 3),
        ),
        "completing": (
            [editing.COMPLETED, editing.COMPLETED_LATE],
            lambda: editing.completing(1 if options.quick else 3),
        ),
        "editing_many": ([editing.MANY], lambda: [editing.editing_many(1 if options.quick else 3)]),
        "clone": ([measures.CLONE], lambda: [measures.clone(runs)]),
        "native": (
            [target for game in native.BY_HAND for target in native.speed_targets(game)],
            lambda: [figure for game in native.BY_HAND for figure in native.speeds(game, rounds, seconds)],
        ),
        "native_compile": (
            [native.COMPILE, native.SMALL_COMPILE, native.SLOWEST],
            lambda: native.compile_times(3 if options.quick else 5),
        ),
        "native_singles": ([native.SINGLE, native.SILENT], lambda: native.singles(rounds, seconds)),
        "native_clone": ([native.CLONE], lambda: native.clones(rounds)),
        "native_jobs": (
            [native.JOBS, native.APART],
            lambda: native.jobs(1 if options.quick else 5, 2 if options.quick else 6),
        ),
        "native_memory": ([native.MEMORY], lambda: native.memory(100_000 if options.quick else 1_000_000)),
    }
    only: list[str] = options.only or [*single, "rates", *of_native, "native_rates"]
    figures = [figure for name in single if name in only for figure in attempt(*work[name])]
    wanted = games if "rates" in only else [name for name in games if name in only]
    if wanted:
        figures += rates.rates(rounds, seconds, wanted)
    figures += [figure for name in of_native if name in only for figure in attempt(*work[name])]
    wanted = games if "native_rates" in only else [name for name in games if name in only]
    if wanted:
        figures += native.rates(rounds, seconds, wanted)
    if options.json:
        print(json.dumps([figure.as_json() for figure in figures], indent=2))
    else:
        print(table(figures))
    missed = any(not figure.passed or (options.goals and figure.short) for figure in figures)
    return 1 if missed else 0


def attempt(targets: list[Target], measure: Callable[[], list[Figure]]) -> list[Figure]:
    """A measurement that breaks must neither hide the others nor count as a number."""
    try:
        return measure()
    except Skipped as reason:
        return [Figure(target, None, f"skipped: {reason}", skipped=True) for target in targets]
    except Unmeasured as reason:
        problem = str(reason)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    return [Figure(target, None, f"could not be measured: {problem}") for target in targets]


if __name__ == "__main__":
    sys.exit(main())

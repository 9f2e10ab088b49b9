"""Measure everything and print it beside its target. The exit status is 1 if a target is missed or not measured."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from benchmarks import measures, rates
from benchmarks.figures import Figure, Target, Unmeasured, table


def main() -> int:
    games = [ruleset.id for ruleset in rates.RULESETS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: a noisier answer in a few seconds")
    single = ["speed", "check_cold", "check_warm", "start", "check_many", "clone"]
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        choices=[*single, "rates", *games],
        help=f"measure only this, several times for several: {', '.join(single)}, rates (all rulesets), "
        f"or one ruleset: {', '.join(games)}",
    )
    options = parser.parse_args()

    rounds, count = (3, 50) if options.quick else (11, 200)
    runs = 3 if options.quick else 9
    work: dict[str, tuple[Target, Callable[[], Figure]]] = {
        "speed": (measures.SPEED, lambda: measures.speed(rounds, count)),
        "check_cold": (measures.CHECK_COLD, lambda: measures.check_cold(runs)),
        "check_warm": (measures.CHECK_WARM, lambda: measures.check_warm(runs)),
        "start": (measures.START, lambda: measures.start(runs)),
        "check_many": (measures.CHECK_MANY, lambda: measures.check_many(runs)),
        "clone": (measures.CLONE, lambda: measures.clone(runs)),
    }
    only: list[str] = options.only or [*single, "rates"]
    figures = [attempt(*work[name]) for name in single if name in only]
    wanted = games if "rates" in only else [name for name in games if name in only]
    if wanted:
        figures += rates.rates(3 if options.quick else 11, 0.1 if options.quick else 0.3, wanted)
    if options.json:
        print(json.dumps([figure.as_json() for figure in figures], indent=2))
    else:
        print(table(figures))
    return 0 if all(figure.passed for figure in figures) else 1


def attempt(target: Target, measure: Callable[[], Figure]) -> Figure:
    """A measurement that breaks must neither hide the others nor count as a number."""
    try:
        return measure()
    except Unmeasured as reason:
        return Figure(target, None, f"could not be measured: {reason}")
    except Exception as error:
        return Figure(target, None, f"could not be measured: {type(error).__name__}: {error}")


if __name__ == "__main__":
    sys.exit(main())

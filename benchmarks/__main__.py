"""Measure everything and print it beside its target. The exit status is 1 if a target is missed or not measured."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from benchmarks import measures
from benchmarks.figures import Figure, Target, Unmeasured, table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: a noisier answer in a few seconds")
    options = parser.parse_args()

    rounds, games = (3, 50) if options.quick else (11, 200)
    runs = 3 if options.quick else 9
    work: list[tuple[Target, Callable[[], Figure]]] = [
        (measures.SPEED, lambda: measures.speed(rounds, games)),
        (measures.CHECK_COLD, lambda: measures.check_cold(runs)),
        (measures.CHECK_WARM, lambda: measures.check_warm(runs)),
        (measures.START, lambda: measures.start(runs)),
        (measures.CHECK_MANY, lambda: measures.check_many(runs)),
        (measures.CLONE, lambda: measures.clone(runs)),
    ]
    figures = [attempt(target, measure) for target, measure in work]
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

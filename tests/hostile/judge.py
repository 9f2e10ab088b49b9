"""Answers cases of the corpus in a process with little memory: `python -m tests.hostile.judge NUMBERS`."""

from __future__ import annotations

import json
import sys
import time

from tests.fuzz.bounded import MEMORY
from tests.hostile.cases import Case, answer, read


def main() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    cases = [*read()]
    numbers = [*map(int, sys.argv[1:])] or range(len(cases))
    for file in dict.fromkeys(cases[number].file for number in numbers):
        answer(Case(file, 0, 0, ""))  # what is imported late is no part of a case's time
    for number in numbers:
        case = cases[number]
        began = time.process_time()
        try:
            said = answer(case)
        except Exception as error:  # whatever it is: a mistake of ours
            said = f"{type(error).__name__}: {error}"
        print(json.dumps([number, said, time.process_time() - began]), flush=True)


if __name__ == "__main__":
    main()

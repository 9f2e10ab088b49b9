"""Numbers that the library and Python tell each other. `tables` gives them their names in the C text.

An error is a kind (`FAIL` ... `UNSOUND`), a number and values: see `runtime/context.h`.
"""

from __future__ import annotations

ERRORS = (
    "FAIL", "RANGE", "STEPS", "DEPTH", "STACK", "ENSURE", "HOST", "INTERNAL", "MANY", "UNTRUE", "ENOUGH", "UNSOUND",
)  # fmt: skip
#: ENOUGH: a search has played on as far as it looks ahead; nobody is told. UNSOUND: what stands
#: behind a library says of what (`context.Unsound`).
FAIL, RANGE, STEPS, DEPTH, STACK, ENSURE, HOST, INTERNAL, MANY, UNTRUE, ENOUGH, UNSOUND = range(1, 13)

#: Numbers of an internal error. No routine waits at such a point; there is no such function.
POINT, FUNCTION = 4, 5
#: Of a playout whose options do not fit into the buffer: it is played again with a larger one.
CROWDED = 9
#: A frame or a list in it that cannot be: the words are not those of a game.
BROKEN = 11


def error(kind: int) -> str:
    """The name of a kind of error in C."""
    return f"ERROR_{ERRORS[kind - FAIL]}"


#: What a call of a routine that may wait answers.
ENDED, PAUSED, FAILED = 0, 1, -1

"""Record each question to the file system with its answer: a kept result is valid while all answers are the same.

Only functions under `asked` may look at files of rulesets (a test holds it). So a result cannot depend on anything that
its trail leaves out: a file that was refused, a name that was not there, a link, the manifest of a neighbour.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: The name of the function that asks and its arguments, which are texts and numbers.
Question = tuple[str | int, ...]
Trail = Mapping[Question, bytes]

_ASKING: dict[str, Callable[..., object]] = {}
_TRAIL: ContextVar[dict[Question, bytes] | None] = ContextVar("trail", default=None)


def asked(look: Callable[P, T]) -> Callable[P, T]:
    """Make a function that reads the file system write what it returns or raises into the trail."""
    _ASKING[look.__name__] = look

    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        trail = _TRAIL.get()
        if trail is None:
            return look(*args, **kwargs)
        question: Question = (look.__name__, *args)  # type: ignore[arg-type]
        try:
            answer = look(*args, **kwargs)
        except Exception as problem:
            trail[question] = _digest(problem)
            raise
        trail[question] = _digest(answer)
        return answer

    return ask


@contextmanager
def followed() -> Iterator[Trail]:
    """Give the trail of what is asked meanwhile; a trail around it has the same questions."""
    own: dict[Question, bytes] = {}
    token = _TRAIL.set(own)
    try:
        yield own
    finally:
        _TRAIL.reset(token)
        follow(own)


def follow(trail: Trail) -> None:
    """Add the questions of a result that was kept to the trail around it."""
    around = _TRAIL.get()
    if around is not None:
        around.update(trail)


def holds(trail: Trail) -> bool:
    """Ask all questions of a trail again: whether each has its old answer."""
    for question, answer in trail.items():
        try:
            found = _digest(_ASKING[str(question[0])](*question[1:]))
        except Exception as problem:  # what a question raises is its answer
            found = _digest(problem)
        if found != answer:
            return False
    follow(trail)
    return True


def fingerprint(trail: Trail) -> str:
    """Return a hash that changes with each answer, and with the folder from which relative paths go."""
    whole = hashlib.sha256(os.fsencode(os.getcwd()))
    for question in sorted(trail, key=repr):
        whole.update(_bytes(question) + trail[question])
    return whole.hexdigest()


def _digest(answer: object) -> bytes:
    return hashlib.sha256(answer if isinstance(answer, bytes) else _bytes(answer)).digest()


def _bytes(answer: object) -> bytes:
    return repr(answer).encode("utf-8", "surrogateescape")

"""Reading JSON that somebody sends: nothing in it may go beyond what the program can keep, show or walk through."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from starlette.exceptions import HTTPException
from starlette.requests import Request

#: Bytes of a request, lists in lists, and bits of a number.
LARGEST, DEEPEST, WIDEST = 4 * 1024 * 1024, 64, 63


class NotJson(ValueError):
    """A text that is not JSON, or has values that are not accepted; the text says which."""


def parsed(text: str | bytes) -> Any:
    """Return the value of a JSON text. NotJson for numbers without end or of more than 64 bits, for halves of a
    character (lone surrogates) and for lists that are nested deeper than any request is."""
    try:
        found = json.loads(text, parse_constant=_refused, parse_int=_whole)
    except RecursionError:
        raise NotJson("it has too many levels of nesting") from None
    except NotJson:
        raise
    except ValueError:
        raise NotJson("it is not JSON") from None
    _check(found)
    return found


def _refused(name: str) -> NoReturn:
    raise NotJson(f"{name} is not a JSON number")


def _whole(digits: str) -> int:
    if len(digits) > 20 or abs(number := int(digits)) >> WIDEST:
        raise NotJson(f"it has a number with {len(digits)} digits")
    return number


def _check(found: Any) -> None:
    """NotJson for a value that is too deep or has half of a character in a text."""
    level, depth = [found], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise NotJson("it has too many levels of nesting")
        below: list[Any] = []
        for value in level:
            if isinstance(value, str):
                try:
                    value.encode()
                except UnicodeEncodeError:
                    raise NotJson("it has an incomplete character") from None
            elif isinstance(value, list):
                below += value
            elif isinstance(value, dict):
                below += value
                below += value.values()
        level = below


async def body(request: Request) -> dict[str, Any]:
    """Return the map that a request has as its body. HTTPException, 400, if it has none."""
    try:
        found = parsed(await request.body())
    except NotJson as problem:
        raise HTTPException(400, f"this request cannot be read: {problem}") from None
    if not isinstance(found, dict):
        raise HTTPException(400, "this request cannot be read: expected a JSON object")
    return found

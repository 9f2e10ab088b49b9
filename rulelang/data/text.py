"""From bytes to text: UTF-8 only, no invisible characters, positions that any editor agrees with."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span

MAX_BYTES = 8 * 1024 * 1024
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
#: Compiled when a text has something that does not print: that takes 5 ms.
_UNPRINTABLE = "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"


def decode(
    data: bytes, path: str, diagnostics: Diagnostics, hint: Callable[[bytes, int], str] | None = None
) -> str | None:
    """The text of a file with LF line ends and without a byte order mark, or None with a Y101 or Y104.

    `hint` says what can be done where it is not UTF-8, from the byte of that offset on (-1: it says so itself).

    Characters that move the line count unseen (U+0085, U+2028, a lone carriage return) and control characters are
    refused, so that line and column mean the same here, in PyYAML and in an editor.
    """
    start = Span(path, 1, 1, 1, 2)
    if len(data) > MAX_BYTES:
        too_large(start, len(data), diagnostics)
        return None
    for mark, name in _BOMS:
        if data.startswith(mark):
            way = hint(data, -1) if hint and name == "UTF-16" else "save it as UTF-8"
            diagnostics.error("Y101", start, f"this file is {name}, not UTF-8", hint=way)
            return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as mistake:
        good = data[: mistake.start].decode("utf-8", "replace").removeprefix("\ufeff")
        span = _at(good, len(good), path)
        bad = data[mistake.start]
        way = hint(data, mistake.start) if hint else "save the file as UTF-8"
        diagnostics.error("Y101", span, f"the byte 0x{bad:02x} is not UTF-8", hint=way)
        return None
    text = text.replace("\r\n", "\n")
    plain = text.replace("\n", "").replace("\t", "").isprintable()
    odd = None if plain else re.search(_UNPRINTABLE, text)
    if odd:
        message = f"invisible character U+{ord(odd.group()):04X}"
        because = "editors do not show it, so lines and columns in messages would be wrong"
        diagnostics.error("Y101", _at(text, odd.start(), path), message, because=because, hint="delete it")
        return None
    return text


def too_large(place: Span, size: int, diagnostics: Diagnostics) -> None:
    """Y104 for a file of so many bytes."""
    because = f"the limit of {MAX_BYTES // 2**20} MiB keeps a malicious file from exhausting memory"
    diagnostics.error("Y104", place, f"this file has {size:,} bytes", because=because)


def _at(text: str, offset: int, path: str) -> Span:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return Span(path, line, column, line, column + 1)

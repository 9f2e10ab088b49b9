"""Texts for a terminal: what would steer it, hide something or turn the direction of writing is written out.

Files, names and arguments may hold anything. Whatever is printed goes through here, in one place (`cli/screen.py`).
"""

from __future__ import annotations

import json
import re

#: Control characters (C0 without tab and line feed, DEL, C1), lone surrogates, marks and overrides of direction, line
#: separators, and what has no width at all. Joiners stay, for scripts and emoji need them.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    r"""The text with such characters as `\x1b` or `<U+202E>`; lines stay lines."""
    return _STEERING.sub(_written, text)


def one_line(text: str) -> str:
    r"""The same, with line feeds as `\n`."""
    return visible(text).replace("\n", "\\n")


def visible_json(text: str) -> str:
    """JSON that says the same, with such characters as escapes of JSON."""
    return _STEERING.sub(_escaped, text)


def json_text(value: object) -> str:
    """A value as JSON in which nothing steers a terminal, in lines, without a newline at its end."""
    return visible_json(json.dumps(value, ensure_ascii=False, indent=2))


def _written(match: re.Match[str]) -> str:
    number = ord(match[0])
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is no UTF-8
        number -= 0xDC00
    return f"\\x{number:02x}" if number < 0x100 else f"<U+{number:04X}>"


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"

"""Names in generated code for the names of the IR: such as Python takes, and others too."""

from __future__ import annotations

import keyword
import re

_PLAIN = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]|[a-z]")
_TAKEN = {"sp", "pc", "arg", *keyword.kwlist, *keyword.softkwlist, "min", "max", "len", "range", "list", "type", "zip"}


class Names:
    """Gives every IR name of one scope a Python name of its own.

    Names of locals never start with a capital or a letter and an underscore (those are the generated globals) and
    never end with an underscore (those are the emitter's temporaries).
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.given: dict[str, str] = {}
        self.used: set[str] = set()
        self.temporaries = 0

    def __getitem__(self, name: str) -> str:
        if name not in self.given:
            plain = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_") or "v"
            if not self.prefix and (
                not _PLAIN.fullmatch(plain) or plain in _TAKEN or (len(plain) > 1 and plain[1] == "_")
            ):
                plain = "v" + plain
            found, count = plain, 1
            while found in self.used:
                count += 1
                found = f"{plain}x{count}"
            self.used.add(found)
            self.given[name] = self.prefix + found
        return self.given[name]

    def temporary(self, hint: str = "t") -> str:
        self.temporaries += 1
        return f"{hint}{self.temporaries}_"

"""What a server of the studio is told when it starts."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

#: Where the bundle of the pages lies: `make studio` writes it, and the wheel has it.
STATIC = Path(__file__).parent / "static"


class NotBuilt(Exception):
    """The pages are not there; the text says which command makes them."""


@dataclass(frozen=True, slots=True)
class Site:
    """`key` lets its author in, who has the address with it; `names` are those by which a browser may call the server,
    beside addresses of numbers and `localhost`. `folder`: what the workshop may read and write, if there is one. `game`
    with `mods` and a `mode`: the only one of which there are tables; else there are those of the folder and the shipped
    ones. `kept`: the file of rooms and decisions; None keeps them as long as the server runs."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    names: frozenset[str] = frozenset()
    folder: Path | None = None
    game: str = ""
    mods: tuple[str, ...] = ()
    mode: str | None = None
    kept: Path | None = None
    backend: str = "python"
    static: Path = field(default_factory=lambda: STATIC)

    def is_key(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.key.encode())


def check_built(static: Path) -> None:
    """NotBuilt if there is no bundle."""
    if not (static / "index.html").is_file():
        raise NotBuilt("the studio is not built yet; in a clone of rulelang, run `make studio` (it needs Node and npm)")

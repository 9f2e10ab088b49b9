"""Which ruleset is played: what the cache knows of it without a table, and what saves and results name."""

from __future__ import annotations

from typing import Any

from rulelang.base.node import record


@record
class GameInfo:
    """The identity of a ruleset: `content` is the hash of everything that went into it, mods and mode included.

    `title` is that of what was named first, which may be a mod; `mods` are ids with versions, in the order of layers.
    """

    id: str
    version: str
    title: str
    content: str
    mods: tuple[tuple[str, str], ...] = ()
    mode: str | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """What was played, for people and programs that read a result: JSON-able."""
        return {"ruleset": self.id, "version": self.version, "mods": dict(self.mods), "mode": self.mode}

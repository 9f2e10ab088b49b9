"""From the data files of a ruleset to its model: everything declared, resolved and typed."""

from __future__ import annotations

from rulelang.language.semantics.declare.declare import declare

__all__ = ["declare"]

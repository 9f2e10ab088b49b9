"""Numbers of the searches, which Python and generated code share."""

from __future__ import annotations

#: What a win is worth to a search, and at most a lead in points.
WIN, MARGIN = 1000, 200
#: How much a search in a tree prefers what it knows little of: the constant of UCB, in the same unit.
EXPLORE = 700

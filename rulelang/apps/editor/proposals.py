"""What is proposed to an author: a text, what it is, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Proposal:
    """`snippet`: what is put in, with places to fill in (`${1:name}`), where it is more than the label. `filter`: what
    is compared with the letters typed. `rank`: smaller ones come first. `begun`: how many letters before the cursor it
    replaces. `again`: one wants proposals behind it at once."""

    label: str
    what: str
    detail: str = ""
    doc: str = ""
    snippet: str = ""
    filter: str = ""
    rank: int = 5
    begun: int = 0
    again: bool = False

    def replacing(self, begun: int) -> Proposal:
        return replace(self, begun=begun)

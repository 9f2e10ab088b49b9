"""Two layers that change one place: a mistake, unless a third one that follows both settles it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.node import record


@record
class Clash:
    """Two layers of which neither follows the other change one place: a mistake, unless a third one settles it."""

    place: tuple[str, ...]
    layers: tuple[int, int]
    mistake: Diagnostic


@dataclass(slots=True)
class Clashes:
    """What layers that know nothing of each other change both, until all layers are laid.

    `ordered(a, b)` says whether layer b is meant to come after layer a (it depends on it, or says `after:`).
    """

    diagnostics: Diagnostics
    ordered: Callable[[int, int], bool]
    held: list[Clash] = field(default_factory=list)

    def add(self, place: tuple[str, ...], layers: tuple[int, int], mistake: Diagnostic) -> None:
        """Tell a mistake; or keep it until it is known whether a later layer settles it."""
        if 0 in layers or layers[0] == layers[1] or self.ordered(*layers):
            self.diagnostics.add(mistake)
        else:
            self.held.append(Clash(place, layers, mistake))

    def settle(self, layer: int, place: tuple[str, ...]) -> bool:
        """A layer decides what is at a place: of those that it follows nobody need do so. Whether somebody had to."""
        left = [
            clash
            for clash in self.held
            if clash.place[: len(place)] != place or not all(self.ordered(other, layer) for other in clash.layers)
        ]
        settled, self.held = len(left) < len(self.held), left
        return settled

    def tell(self) -> None:
        """Report what no layer has settled."""
        self.diagnostics.extend(clash.mistake for clash in self.held)

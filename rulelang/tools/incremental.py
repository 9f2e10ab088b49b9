"""One ruleset that is checked again after each edit, on the disk or in an editor.

Its results equal those of a full check, but it repeats only the work that an edit affects: see decision 15 in
`docs/decisions/`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from rulelang.base.disk_cache import without_writing
from rulelang.base.limits import garbage_collection_paused
from rulelang.base.memo import Memo
from rulelang.compiler.compilation import Checked, Compilation
from rulelang.data.folders import with_unsaved_texts
from rulelang.data.schema import prepare_validators
from rulelang.testing.scenarios.checking import FoundMistakes, check_scenarios


class Incremental:
    """A ruleset with its mods and mode. `held`: the bytes that stand in the place of files, by absolute path; several
    rulesets may share it. `memo`: what an earlier one of this ruleset kept.

    Answers come in two stages: `check` for the rules and the data, in milliseconds; then `scenarios`, which take longer
    where something has changed that they depend on.
    """

    def __init__(
        self,
        where: str | Path,
        mods: Sequence[str | Path] = (),
        mode: str | None = None,
        held: dict[str, bytes] | None = None,
        memo: Memo | None = None,
    ) -> None:
        self.where, self.mods, self.mode = where, tuple(mods), mode
        self.held: dict[str, bytes] = {} if held is None else held
        self.memo = Memo() if memo is None else memo
        self._compilation: Compilation | None = None

    def update(self, path: str | Path, text: str | None) -> None:
        """From now on this text stands in the place of a file; None: what is on the disk. It need not be there."""
        place = os.path.abspath(path)
        if text is None:
            self.held.pop(place, None)
        else:
            self.held[place] = text.encode("utf-8", "surrogatepass")

    @property
    def compilation(self) -> Compilation:
        """The ruleset as it was at the last check."""
        if self._compilation is None:
            self.check()
        assert self._compilation is not None
        return self._compilation

    def check(self) -> Checked:
        """All that is to be said about the ruleset as it is now, but for its scenarios."""
        typing = self.held and self.memo.rounds
        self.memo.turn()
        self._compilation = Compilation(self.where, self.mods, self.mode, self.memo)
        with with_unsaved_texts(self.held), garbage_collection_paused(), without_writing() if typing else nullcontext():
            return self._compilation.checked

    def scenarios(self) -> FoundMistakes:
        """What is wrong with the scenarios, as of the last check: nothing where the ruleset itself is mistaken."""
        with (
            with_unsaved_texts(self.held),
            garbage_collection_paused(),
            without_writing() if self.held else nullcontext(),
        ):
            prepare_validators()
            return check_scenarios(self.compilation)

"""Check requirements that every position of every game meets."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rulelang.base.errors import RuleError
from rulelang.base.wording import counted
from rulelang.runtime.game import Game
from rulelang.runtime.names import Names, player_names
from rulelang.runtime.program import Backend, LinkedProgram, OptionTuple
from rulelang.runtime.recorder import Recorder
from rulelang.runtime.saving import SaveError
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from rulelang.runtime.validate_state import InvalidState, check_values, check_words
from rulelang.runtime.watch import broken

Keys = Sequence[OptionTuple] | None


class Wrong(Exception):
    """A requirement that is not met. `kind` is what was tested; `where` is equal for equal causes."""

    def __init__(self, kind: str, what: str, where: str = "") -> None:
        super().__init__(what)
        self.kind, self.what, self.where = kind, what, where or what

    @property
    def same(self) -> tuple[str, str]:
        """A key that is equal for mistakes with the same apparent cause."""
        return self.kind, "".join("#" if char.isdigit() else char for char in self.where)

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


def of_rules(error: RuleError) -> Wrong:
    """Return an error of the rules that happened in play."""
    found = error.diagnostic
    kind = "invariant" if found.code == "X607" else "rules"
    because = f" ({found.because})" if found.because else ""
    return Wrong(kind, f"{found.code}: {found.message}{because}, {found.span}", f"{found.code} {found.span}")


def quick(table: Table, words: Sequence[int], keys: Keys) -> None:
    """Run the cheap checks; raise Wrong for the first that fails.

    They check that each card is in one place, chains, counts, handles, ranges of values, distinct options and
    invariants.
    """
    program = table.program
    layout = program.layout
    S = list(words)
    try:
        check_words(layout, S)
        check_values(layout, S)
    except InvalidState as error:
        raise Wrong(error.kind, str(error), error.where) from None
    failed = broken(program, S)
    if failed is not None:
        raise of_rules(failed)
    if (keys is None) != bool(S[layout.cells.over]):
        raise Wrong("options", "the game is over, but a player is asked; or it is not over, and nobody is asked")
    if keys is not None:
        if len(keys) < 2 and not S[layout.cells.stepping]:
            raise Wrong("options", f"a question has only {counted(len(keys), 'option')}")
        if len({*keys}) < len(keys):
            raise Wrong("options", "an option is duplicated")


def listed(program: LinkedProgram, words: list[int], keys: Keys) -> None:
    """Check that listing the options again gives the same ones, and changes nothing."""
    if keys is None:
        return
    before = list(words)
    if list(program.options(words) or ()) != list(keys):
        raise Wrong("options", "listing the options again gives other options")
    if list(words) != before:
        raise Wrong("options", "listing the options changes the state")


def alike(one: Sequence[int], other: Sequence[int], keys: Keys, others: Keys, stack: int) -> None:
    """Check that two backends have the same words and options."""
    if list(one) != list(other):
        at = next(place for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
        where = "the stack" if at >= stack else "the state"
        raise Wrong("backends", f"word {at} of {where} is {one[at]} in one backend and {other[at]} in the other", where)
    if keys != others and list(keys or ()) != list(others or ()):
        raise Wrong("backends", "two backends list different options")


def state_of(table: Table, words: Sequence[int], keys: Keys, seed: int) -> State:
    """A state of these words, whose log begins here."""
    S = table.program.pack(list(words))
    found = None if keys is None else list(keys)
    return State(
        table, Names(table.program.layout, player_names(table.players)), S, Recorder(table, S, True), found, seed
    )


def deep(game: Game, state: State, backend: Backend) -> State:
    """Run the expensive checks, and return the restored game.

    Saving and restoring gives the same game; the view of each seat is JSON, and viewing changes nothing; the texts of
    options differ, each text selects its option, and no reason refuses it.
    """
    before = list(state.words)
    try:
        again = game.restore(state.save(), backend)
    except SaveError as error:
        raise Wrong("saving", f"the saved game cannot be restored: {error}") from None
    if again.hash() != state.hash() or again.option_count != state.option_count:
        raise Wrong("saving", "the restored game differs from the saved one")
    for viewer in (None, *range(1, state.table.players + 1)):
        view = state.view(viewer)
        if again.view(viewer) != view:
            raise Wrong(
                "saving", f"after restoring, {f'player {viewer}' if viewer else 'a spectator'} sees something else"
            )
        json.dumps(view)
    if not state.over:
        _options(state)
    if list(state.words) != before:
        raise Wrong("looking", "viewing a position changes it")
    return again


def _options(state: State) -> None:
    options = state.decision.options
    texts = [option.text for option in options]
    if len({*texts}) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise Wrong("texts", f"two options have the text `{twice}`", "two options have the same text")
    for option in options[:: max(1, len(options) // 8)]:
        if state.find(option.text) != option.index:
            raise Wrong(
                "texts", f"the text `{option.text}` does not select its option", "an option cannot be found by its text"
            )
        site = state.table.site(state.words)
        if site.kind == "offer" and not option.is_pass and (told := state.why_not_call(option.action, option.key[1:])):
            raise Wrong(
                "legality", f"`{option.text}` is offered, but refused: {told[0]}", f"{option.action} {told[0].span}"
            )
    clone = state.clone()
    refused = clone.try_play("no such thing at all")
    if not refused or clone.hash() != state.hash():
        raise Wrong("legality", "a refused move has changed the state")

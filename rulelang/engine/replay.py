"""A whole game as its ruleset, table, seed and choices: the same game on every backend and machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang.engine.saving import SaveError, check_ruleset

if TYPE_CHECKING:
    from rulelang.engine.game import Game
    from rulelang.engine.state import State

FORMAT = 1


def record(state: State) -> dict[str, Any]:
    """What `replay` needs, as JSON-able data (schemas/replay.schema.json). ValueError if it was set up by hand."""
    if state.seed is None:
        raise ValueError("this game did not start from its seed alone, so no replay can lead to it")
    table = state.table
    return {
        "format": FORMAT,
        "ruleset": table.info.id,
        "version": table.info.version,
        "content_hash": table.info.content,
        "players": table.players,
        "names": list(state.players),
        "options": dict(table.options),
        "seed": state.seed,
        "choices": state.choices,
        "scores": state.scores if state.over else None,
        "winners": state.winners if state.over else None,
        "hash": state.hash(),
    }


def replay(game: Game, data: Mapping[str, Any], *, any_version: bool = False, backend: str = "python") -> State:
    """The position that a record leads to.

    SaveError if it belongs to other rules (unless `any_version`), or if a choice is no option any more, or if the end
    is not the recorded one.
    """
    if data.get("format") != FORMAT:
        raise SaveError(f"this replay has format {data.get('format')}; this version of rulelang reads {FORMAT}")
    if not any_version:
        check_ruleset(data, game.id, game.version, game.info.content)
    try:
        state = game.new(data["players"], data["seed"], data.get("names"), data.get("options"), backend=backend)
        choices = list(data["choices"])
    except (KeyError, TypeError, ValueError) as error:
        raise SaveError(f"this replay cannot be read: {error}") from None
    for number, choice in enumerate(choices, 1):
        refusals = state.try_play(choice)
        if refusals:
            raise SaveError(f"choice {number} of the replay, `{choice}`, is not possible: {refusals[0]}")
    if not any_version and data.get("hash") not in (None, state.hash()):
        raise SaveError("the replay does not end where it did when it was recorded")
    return state

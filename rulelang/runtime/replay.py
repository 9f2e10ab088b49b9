"""A whole game as its ruleset, table, seed and choices: the same game on every backend and machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.base.errors import BadArgument, describe_argument
from rulelang.runtime.position import Position
from rulelang.runtime.saving import SaveError, check_ruleset

if TYPE_CHECKING:
    from rulelang.runtime.game import Game
    from rulelang.runtime.state import State

FORMAT = 1


def record(state: State) -> dict[str, Any]:
    """Return what `replay` needs, as JSON-able data (schemas/replay.schema.json). ValueError if set up by hand."""
    if not isinstance(state, Position):
        raise TypeError(f"expected a state to record, found {describe_argument(state)}")
    if state.seed is None:
        raise BadArgument("this game did not start from a seed alone, so it cannot be saved as a replay")
    table = state.table
    return {
        "format": FORMAT,
        **table.info.identity,
        "content_hash": table.info.content,
        "players": table.players,
        "names": list(state.players),
        "options": dict(table.options),
        "seed": state.seed,
        **({"ask_forced": True} if state.asks_forced else {}),
        "choices": state.choices,
        "scores": state.scores if state.over else None,
        "winners": state.winners if state.over else None,
        "hash": state.hash(),
    }


def replay(game: Game, data: object, *, any_version: bool = False, backend: str = "python") -> State:
    """Return the position that a record leads to.

    SaveError if it is not a record, or belongs to other rules (unless `any_version`), or if a choice is not an option
    any more, or if the end is not the recorded one.
    """
    if not isinstance(data, Mapping) or "format" not in data:
        raise SaveError(
            "this is not a replay: expected a map with `format`, `ruleset`, `players`, `seed` and `choices`"
        )
    if data.get("format") != FORMAT:
        raise SaveError(f"this replay has format {data.get('format')}; this version of rulelang reads {FORMAT}")
    if not any_version:
        check_ruleset(data, game.info)
    players, seed, names = data.get("players"), data.get("seed"), data.get("names")
    options = data.get("options")
    choices: Any = data.get("choices")
    forced = data.get("ask_forced", False)
    if type(players) is not int or type(seed) is not int or not _is_list(choices, int, str):
        raise SaveError("this replay cannot be read: its `players`, `seed` or `choices` are missing or invalid")
    for what, fits in {
        "`names` is not a list of texts": names is None or _is_list(names, str),
        "`ask_forced` is not true or false": type(forced) is bool,
        "`options` is not a map": options is None or (isinstance(options, Mapping) and _is_list([*options], str)),
    }.items():
        if not fits:
            raise SaveError(f"this replay cannot be read: {what}")
    try:
        state = game.new(players, seed, names, options, backend=backend, ask_forced=forced)
    except BadArgument as error:
        raise SaveError(f"this replay cannot be read: {error}") from None
    for number, choice in enumerate(choices, 1):
        refusals = state.try_play(choice)
        if refusals:
            raise SaveError(f"choice {number} of the replay, `{choice}`, is not possible: {refusals[0]}")
    if not any_version and data.get("hash") not in (None, state.hash()):
        raise SaveError("the replay does not end in the recorded position")
    return state


def _is_list(value: Any, *of: type) -> bool:
    """Whether it is a list of such items, and of no others that count as them (truth values are numbers)."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and all(type(v) in of for v in value)

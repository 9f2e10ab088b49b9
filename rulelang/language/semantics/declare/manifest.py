"""What the manifest says of the table: players, teams, titles."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted, either
from rulelang.base.nearest import did_you_mean
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.declare.numbers import whole
from rulelang.language.semantics.declare.registry import Registry, as_map, as_word
from rulelang.language.semantics.model import Attribute, Option, Teams
from rulelang.language.semantics.types import BOOL, PLAYER

MOST_PLAYERS = 64
_WHEN = re.compile(r"option\.(\w+)(?:\s*==\s*(\w+))?\Z")


def read_count(registry: Registry, node: YamlNode | None) -> tuple[int, int]:
    """The fewest and the most players; (1, 1) after N304 or N327."""
    items = list(node.items) if isinstance(node, YamlSeq) else [node] if node is not None else []
    found = [whole(registry, item, "a number of players") for item in items]
    counts = sorted(count for count in found if count is not None)
    if not counts:
        return (1, 1)
    assert node is not None
    low, high = counts[0], counts[-1]
    if low < 1 or high > MOST_PLAYERS:
        because = f"a game is for 1 to {MOST_PLAYERS} players"
        registry.out.error("N327", node.span, f"a game cannot have {low if low < 1 else high} players", because=because)
        return (1, 1)
    if found[0] != low or (len(counts) > 2 and counts != list(range(low, high + 1))):
        hint = f"write `[{low}, {high}]`, the smallest and the largest number of players"
        registry.out.error("N327", node.span, "invalid numbers of players", hint=hint)
    return low, high


def is_clockwise(registry: Registry, players: YamlMap) -> bool:
    """The direction of play: clockwise unless the manifest says otherwise."""
    word = as_word(registry, players.get("play"), "`clockwise` or `counterclockwise`")
    if word is None or word.text in ("clockwise", "counterclockwise"):
        return word is None or word.text == "clockwise"
    because = "expected `clockwise` or `counterclockwise`"
    hint = did_you_mean(word.text, ("clockwise", "counterclockwise"))
    registry.out.error("N327", word.span, f"`{word.text}` is not a direction of play", because=because, hint=hint)
    return True


def first_player(registry: Registry, players: YamlMap, state: Mapping[str, Attribute]) -> str | None:
    """The state value that `from:` names; it must be a player."""
    word = as_word(registry, players.get("from"), "a state value")
    if word is None:
        return None
    attribute = state.get(word.text)
    if attribute is not None and attribute.type in (PLAYER,):
        return word.text
    because = "`from:` must name a state value of type `player`"
    related = [Related(attribute.span, f"`{word.text}` is {a_quoted(attribute.type)}")] if attribute else []
    known = [name for name, a in state.items() if a.type == PLAYER]
    message = f"`{word.text}` is not a player" if attribute else f"there is no state value `{word.text}`"
    registry.out.error(
        "N327", word.span, message, because=because, hint=did_you_mean(word.text, known), related=related
    )
    return None


def read_teams(registry: Registry, node: YamlNode | None) -> Teams | None:
    """`teams: {when: option.NAME == VALUE, size: 2, players: [4], seats: opposite}`; None without, or after N327."""
    teams = as_map(registry, node, "a map with `when:`, `size:`, `players:` and `seats:`")
    if not teams.items:
        return None
    when = as_word(registry, teams.get("when"), "an option, like `option.teams == pairs`")
    if when is None:
        hint = "write `when: option.NAME`, or `when: option.NAME == VALUE`"
        registry.out.error("N327", teams.span, "missing `when:`, which says when teams are played", hint=hint)
        return None
    chosen = _when(registry, when)
    size_node = teams.get("size")
    size = whole(registry, size_node, "a number of players in a team") if size_node is not None else 2
    if size is not None and not 1 < size <= registry.players[1]:
        because = f"a team has at least 2 players, and this game has at most {registry.players[1]}"
        place = size_node.span if size_node is not None else teams.span
        registry.out.error("N327", place, f"this game cannot have teams of {size}", because=because)
        return None
    counts: list[int] = []
    said = teams.get("players")
    for item in said.items if isinstance(said, YamlSeq) else [said] if said is not None else []:
        count = whole(registry, item, "a number of players")
        if count is None or size is None:
            continue
        low, high = registry.players
        if count % size or not low <= count <= high:
            because = f"the number of players must be from {low} to {high} and divisible by {size}"
            registry.out.error("N327", item.span, f"{count} players cannot form teams of {size}", because=because)
        else:
            counts.append(count)
    seats = as_word(registry, teams.get("seats"), "`opposite` or `adjacent`")
    if seats is not None and seats.text not in ("opposite", "adjacent"):
        hint = did_you_mean(seats.text, ("opposite", "adjacent"))
        because = "expected `opposite` or `adjacent`"
        registry.out.error("N327", seats.span, f"unknown seating `{seats.text}`", because=because, hint=hint)
    if chosen is None or size is None:
        return None
    opposite = seats is None or seats.text == "opposite"
    if said is None:
        counts = [count for count in range(registry.players[0], registry.players[1] + 1) if count % size == 0]
    _check_default(registry, when, *chosen, counts)
    return Teams(chosen[0].name, chosen[1], size, tuple(counts), opposite)


def _check_default(registry: Registry, when: YamlScalar, option: Option, value: int, counts: list[int]) -> None:
    """N327 for a table that would have teams unasked and cannot form them: none would be formed, without a word."""
    unable = [n for n in range(registry.players[0], registry.players[1] + 1) if option.default.get(n) == value]
    unable = [n for n in unable if n not in counts]
    if unable:
        because = "for a number of players that cannot form teams, the option needs another default"
        hint = f"give the default by number of players: `{{{unable[0]}: ..., ...}}`"
        related = [Related(option.span, "the option is declared here")]
        message = f"{either(unable)} players would play in teams but cannot form them"
        registry.out.error("N327", when.span, message, because=because, hint=hint, related=related)


def _when(registry: Registry, when: YamlScalar) -> tuple[Option, int] | None:
    match = _WHEN.match(when.text.strip())
    if match is None:
        because = "expected `option.NAME` or `option.NAME == VALUE`"
        registry.out.error("N327", when.span, f"`{when.text}` is not a condition on an option", because=because)
        return None
    option = registry.options.get(match[1])
    if option is None:
        hint = did_you_mean(match[1], registry.options)
        because = "an option must say when teams are played"
        registry.out.error("N327", when.span, f"there is no option `{match[1]}`", because=because, hint=hint)
        return None
    related = [Related(option.span, "the option is declared here")]
    if match[2] is None and option.type == BOOL:
        return option, 1
    if match[2] in option.values:
        return option, option.values.index(match[2]) + 1
    if option.type == BOOL and match[2] in ("true", "false"):
        return option, int(match[2] == "true")
    if option.type.tag != "error":
        hint = did_you_mean(match[2] or "", option.values)
        because = "compare it with one of its values"
        message = (
            f"option `{option.name}` is never `{match[2]}`"
            if match[2]
            else f"option `{option.name}` is not true or false"
        )
        registry.out.error("N327", when.span, message, because=because, hint=hint, related=related)
    return None

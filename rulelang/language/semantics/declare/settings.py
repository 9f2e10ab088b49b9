"""Declare the settings of a table: `numbers:`, `options:`, player counts and teams."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, did_you_mean, list_with_or, player_count_text
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.declare.registry import (
    NAME,
    Registry,
    as_map,
    as_word,
    as_words,
    read_type,
    valid_name,
)
from rulelang.language.semantics.model import BOOL, ERROR, INT, PLAYER, Attribute, Number, Option, Teams, Type, ref

# ---- numbers and options

_COUNTS = re.compile(r"([0-9]{1,2})(?:\s*-\s*([0-9]{1,2}))?\Z")


def declare_numbers(registry: Registry, section: YamlMap) -> dict[str, Number]:
    """All constants. A bad one is left out after N304, N310 or N311."""
    numbers: dict[str, Number] = {}
    for key, node in section:
        if not registry.claim(key, "a number"):
            continue
        values: dict[int, int | tuple[int, ...]] = {}
        for count, value in by_players(registry, key, node).items():
            number = _number(registry, value)
            if number is not None:
                values[count] = number
        shapes = {isinstance(value, tuple) for value in values.values()}
        if len(shapes) > 1:
            because = "rules must read it the same way for every number of players, as `NAME` or as `NAME[i]`"
            registry.out.error(
                "N304",
                node.span,
                f"`{key.text}` is a row of numbers for some numbers of players and a single number for others",
                because=because,
            )
            continue
        if values:
            numbers[key.text] = Number(key.text, values, key.span)
    return numbers


def _number(registry: Registry, node: YamlNode) -> int | tuple[int, ...] | None:
    if isinstance(node, YamlSeq):
        if not node.items:
            registry.out.error("N312", node.span, "this row of numbers is empty", hint="write at least one number")
            return None
        found = [read_whole_number(registry, item) for item in node.items]
        return tuple(number for number in found if number is not None) if None not in found else None
    return read_whole_number(registry, node)


def read_whole_number(registry: Registry, node: YamlNode, expected: str = "a whole number") -> int | None:
    """The whole number of a scalar, or None after N304 (N315 if it is too large to be kept)."""
    if isinstance(node, YamlScalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        if abs(node.value) < 2**31:
            return node.value
        registry.out.error(
            "N315", node.span, f"{node.text} is too large", because="numbers must be between -2147483647 and 2147483647"
        )
        return None
    registry.shape(node, expected)
    return None


def by_players(registry: Registry, key: YamlScalar, node: YamlNode) -> dict[int, YamlNode]:
    """A value for every number of players: the same for all, or a map such as `{2: 3, 3-4: 4, 5-6: 5}`.

    N310 for a number of players without a value, N311 for one with two, or one that cannot play.
    """
    if not isinstance(node, YamlMap):
        return dict.fromkeys(range(registry.players[0], registry.players[1] + 1), node)
    low, high = registry.known_players
    found: dict[int, YamlNode] = {}
    places: dict[int, Span] = {}
    good = True
    for counts, value in node:
        match = _COUNTS.match(counts.text)
        if match is None:
            because = "expected a number of players, like `4`, or several, like `3-4`"
            registry.out.error("N311", counts.span, f"`{counts.text}` is not a number of players", because=because)
            good = False
            continue
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last or first < low or last > high:
            because = (
                f"the game is for {player_count_text(low, high)}" if first <= last else "the smaller number comes first"
            )
            registry.out.error(
                "N311", counts.span, f"`{counts.text}` is not a possible number of players", because=because
            )
            good = False
        for count in range(max(first, low), min(last, high) + 1):
            if count in places:
                registry.out.error(
                    "N311",
                    counts.span,
                    f"{count} players have two values of `{key.text}`",
                    because="each number of players can have only one value",
                    hint=f"remove {count} from one of the two keys",
                    related=[Related(places[count], "the first value is here")],
                )
                continue
            found[count], places[count] = value, counts.span
    low, high = registry.players
    missing = [count for count in range(low, high + 1) if count not in found]
    if missing and good:
        because = f"the game is for {player_count_text(low, high)}"
        said = " and ".join(str(count) for count in missing)
        message, hint = f"`{key.text}` has no value for {said} players", f"add `{missing[0]}: ...`"
        registry.out.error("N310", key.span, message, because=because, hint=hint)
    return {count: value for count, value in found.items() if low <= count <= high}


def declare_options(registry: Registry, section: YamlMap) -> dict[str, Option]:
    """What a table may choose. A bad type or default leaves an option of type ERROR, so that its name is known."""
    options: dict[str, Option] = {}
    for key, node in section:
        if not NAME.match(key.text):
            because = "rules read it as `option.NAME`"
            message = f"`{key.text}` is not a valid name for an option"
            registry.out.error("N302", key.span, message, because=because, hint=valid_name(key.text))
            continue
        options[key.text] = _option(registry, key, as_map(registry, node, "a map with `values:` or `is:`"))
    return options


def _option(registry: Registry, key: YamlScalar, node: YamlMap) -> Option:
    name, text = key.text, node.text("text") or ""
    values: tuple[str, ...] = ()
    low, high = 0, 0
    of: Type = ERROR
    if node.get("values") is not None:
        rows = value_set(registry, node.get("values"), f"option `{name}`")
        values, low, high = tuple(rows), 1, len(rows)
        of = ref(f"option {name}") if rows else ERROR
    else:
        said = read_type(registry, node.get("is"), key.span)
        if said.type == BOOL:
            of, high = BOOL, 1
        elif said.type == INT and isinstance(said.low, int) and isinstance(said.high, int):
            of, low, high = INT, said.low, said.high
        elif said.type != ERROR:
            because = "an option needs `values: [...]`, or is a `bool` or a range like `1..9`"
            found = node.get("is") or node
            registry.out.error(
                "N306", found.span, f"an option cannot be {a_quoted(said.type)} without limits", because=because
            )
    default: dict[int, int] = dict.fromkeys(range(registry.players[0], registry.players[1] + 1), low)
    said_default = node.get("default")
    if said_default is not None and of != ERROR:
        for count, value in by_players(registry, key, said_default).items():
            number = _default(registry, value, of, values, low, high, key)
            if number is not None:
                default[count] = number
    return Option(name, of, values, low, high, default, text, key.span)


def value_set(registry: Registry, node: YamlNode | None, whose: str) -> dict[str, int]:
    """The values of `{values: [a, b]}`, numbered from 1; N312 if there is none, N314 for the same twice."""
    rows: dict[str, int] = {}
    for word in as_words(registry, node, "a list of names"):
        if word.text in rows:
            registry.out.error("N314", word.span, f"duplicate value `{word.text}` of {whose}", hint="delete it")
        elif not NAME.match(word.text):
            because = "a name consists of letters, digits and `_` and begins with a letter"
            message = f"`{word.text}` is not a valid name for a value of {whose}"
            registry.out.error("N302", word.span, message, because=because, hint=valid_name(word.text))
        else:
            rows[word.text] = len(rows) + 1
    if not rows and node is not None:
        registry.out.error("N312", node.span, f"{whose} has no values", hint="write at least one value")
    return rows


def _default(
    registry: Registry, node: YamlNode, of: Type, values: tuple[str, ...], low: int, high: int, key: YamlScalar
) -> int | None:
    related = [Related(key.span, "the option is declared here")]
    if of == BOOL:
        if isinstance(node, YamlScalar) and isinstance(node.value, bool):
            return int(node.value)
        registry.shape(node, f"`true` or `false` as the default of option `{key.text}`")
        return None
    if of == INT:
        number = read_whole_number(registry, node, f"a whole number as the default of option `{key.text}`")
        if number is not None and not low <= number <= high:
            because = f"the range of option `{key.text}` is {low}..{high}"
            message, hint = f"{number} is out of range", "change the default, or widen the range"
            registry.out.error("N315", node.span, message, because=because, hint=hint, related=related)
            return None
        return number
    if not isinstance(node, YamlScalar) or node.text not in values:
        text = node.text if isinstance(node, YamlScalar) else "this"
        because = f"the default must be one of the values of option `{key.text}`"
        hint = did_you_mean(text, values)
        registry.out.error(
            "N305", node.span, f"`{text}` is not a value of this option", because=because, hint=hint, related=related
        )
        return None
    return values.index(node.text) + 1


# ---- players and teams

MOST_PLAYERS = 64
_WHEN = re.compile(r"option\.(\w+)(?:\s*==\s*(\w+))?\Z")


def read_count(registry: Registry, node: YamlNode | None) -> tuple[int, int]:
    """The fewest and the most players; (1, 1) after N304 or N327."""
    items = list(node.items) if isinstance(node, YamlSeq) else [node] if node is not None else []
    found = [read_whole_number(registry, item, "a number of players") for item in items]
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
    size = read_whole_number(registry, size_node, "a number of players in a team") if size_node is not None else 2
    if size is not None and not 1 < size <= registry.players[1]:
        because = f"a team has at least 2 players, and this game has at most {registry.players[1]}"
        place = size_node.span if size_node is not None else teams.span
        registry.out.error("N327", place, f"this game cannot have teams of {size}", because=because)
        return None
    counts: list[int] = []
    said = teams.get("players")
    for item in said.items if isinstance(said, YamlSeq) else [said] if said is not None else []:
        count = read_whole_number(registry, item, "a number of players")
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
        message = f"{list_with_or(unable)} players would play in teams but cannot form them"
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

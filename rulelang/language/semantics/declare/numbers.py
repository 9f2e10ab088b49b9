"""`numbers:` and `options:`, also by number of players."""

from __future__ import annotations

import re

from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted, so_many_players
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.declare.registry import NAME, Registry, as_map, as_words, valid_name
from rulelang.language.semantics.declare.type_texts import read_type
from rulelang.language.semantics.model import Number, Option
from rulelang.language.semantics.types import BOOL, ERROR, INT, Type, ref

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
        found = [whole(registry, item) for item in node.items]
        return tuple(number for number in found if number is not None) if None not in found else None
    return whole(registry, node)


def whole(registry: Registry, node: YamlNode, expected: str = "a whole number") -> int | None:
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
                f"the game is for {so_many_players(low, high)}" if first <= last else "the smaller number comes first"
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
        because = f"the game is for {so_many_players(low, high)}"
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
        number = whole(registry, node, f"a whole number as the default of option `{key.text}`")
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

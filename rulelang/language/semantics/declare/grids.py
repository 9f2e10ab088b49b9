"""`grids:`: spaces with columns, drawn as rows of letters."""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.diagnostics import Related
from rulelang.base.limits import SPACES
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.spaces import Spaces
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.cards import span_within
from rulelang.language.semantics.declare.attributes import columns_of, declare_attributes, declare_columns
from rulelang.language.semantics.declare.cells import Plan, read_single
from rulelang.language.semantics.declare.registry import Registry, as_map, as_word
from rulelang.language.semantics.model import BOOL, Grid, Zone

Drawn = list[tuple[Span, list[int]]]


@record
class _Map:
    """One column of one map: its rows of values, a row of one value standing for all spaces of that row."""

    name: str
    plan: Plan
    place: Span
    rows: Drawn


@record
class Drawing:
    """The columns and maps of a grid, before its attributes are read."""

    key: YamlScalar
    node: YamlMap
    plans: dict[str, Plan]
    drawn: list[_Map]
    spaces: Spaces


def draw_grid(registry: Registry, key: YamlScalar, node: YamlMap) -> Drawing:
    """Read the columns and maps of a grid, and make the names of its spaces known.

    Spaces of a mistaken map hold 0 after N324, N325 or N326.
    """
    name = key.text
    plans = declare_columns(registry, as_map(registry, node.get("columns"), "columns and their types"), name)
    for plan in plans.values():
        if plan.column.by is not None or plan.column.type.tag in ("set", "condition"):
            because = "a space has one number, boolean or row in each column"
            registry.out.error(
                "N317", plan.column.span, f"the column `{plan.name}` cannot be drawn on a map", because=because
            )
    legend = {
        letter.text: word
        for letter, word in as_map(registry, node.get("legend"), "a map from letters to their meanings")
    }
    drawn: list[_Map] = []
    maps = as_map(registry, node.get("maps"), "maps by name")
    if sum(_size(rows) for _, sheet in maps if isinstance(sheet, YamlMap) for _, rows in sheet) > SPACES.most:
        return _too_many(registry, key, node, plans)
    for map_key, content in maps:
        sheet = as_map(registry, content, "a map: for each column its rows")
        for column, rows in sheet:
            drawing = plans.get(column.text)
            if drawing is None:
                because = "a map can draw only the columns of its grid"
                hint = did_you_mean(column.text, plans)
                registry.out.error(
                    "N319", column.span, f"`{name}` has no column `{column.text}`", because=because, hint=hint
                )
            else:
                drawn.append(_Map(map_key.text, drawing, column.span, _rows(registry, rows, drawing, legend)))
        for plan in plans.values():
            if sheet.get(plan.name) is None and plan.default is None:
                because = f"each space needs a value for `{plan.name}`"
                related = [Related(plan.column.span, "the column is declared here")]
                registry.out.error(
                    "N318", map_key.span, f"this map does not draw `{plan.name}`", because=because, related=related
                )
    spaces = Spaces(*_shape(registry, key, drawn))
    if spaces.width * spaces.height * max(1, len(maps) * len(plans)) > SPACES.most:  # rows of one value are long, too
        return _too_many(registry, key, node, plans)
    registry.kinds[name] = replace(registry.kinds[name], rows=spaces)
    return Drawing(key, node, plans, drawn, spaces)


def _size(rows: YamlNode) -> int:
    """Return how many spaces are drawn, without reading what they hold."""
    lines = rows.items if isinstance(rows, YamlSeq) else rows.text.split("\n") if isinstance(rows, YamlScalar) else ()
    texts = [line if isinstance(line, str) else line.text for line in lines if isinstance(line, str | YamlScalar)]
    listed = sum(len(line.items) for line in lines if isinstance(line, YamlSeq))
    return listed + sum(len(words) if len(words := text.split()) != 1 else len(words[0]) for text in texts)


def _too_many(registry: Registry, key: YamlScalar, node: YamlMap, plans: dict[str, Plan]) -> Drawing:
    """Report a grid that is too large, and go on with one space."""
    because = "this limit keeps a malicious map from exhausting time and memory"
    message = f"`{key.text}` has {SPACES.exceeded}"
    registry.out.error("N324", key.span, message, because=because, hint=SPACES.hint)
    spaces = Spaces(1, 1)
    registry.kinds[key.text] = replace(registry.kinds[key.text], rows=spaces)
    return Drawing(key, node, plans, [], spaces)


def declare_grid(registry: Registry, drawing: Drawing, zones: dict[str, Zone]) -> Grid:
    """Declare a grid with its maps, neighbours and attributes."""
    key, node, width, height = drawing.key, drawing.node, drawing.spaces.width, drawing.spaces.height
    maps = node.map("maps")
    chosen_by = _chosen_by(registry, key, node, maps)
    neighbours = as_map(registry, node.get("neighbours"), "`corners:` and `east_west:`")
    north = neighbours.key("north_south")
    if north is not None:
        because = "only the east and the west edge can be joined, with `east_west:`"
        registry.out.error("N326", north.span, "the north and the south edge cannot be joined", because=because)
    attributes = as_map(registry, node.get("attributes"), "attributes and their types")
    return Grid(
        name=key.text,
        columns=columns_of(drawing.plans.values()),
        width=width,
        height=height,
        maps={m.text: _spaces(m.text, drawing.plans, drawing.drawn, width, height) for m, _ in maps},
        chosen_by=chosen_by,
        corners=_joined(registry, neighbours.get("corners")),
        east_west=_joined(registry, neighbours.get("east_west")),
        attributes=declare_attributes(registry, attributes, key.text, zones, owned=False),
        span=key.span,
    )


def _rows(registry: Registry, node: YamlNode, plan: Plan, legend: dict[str, YamlNode]) -> Drawn:
    lines: list[YamlNode]
    if isinstance(node, YamlSeq):
        lines = list(node.items)
    elif isinstance(node, YamlScalar):
        lines = _lines(node)
    else:
        registry.shape(node, "the rows of a map, from north to south")
        return []
    found: Drawn = []
    known: dict[str, int] = {}  # what a word means, once it has been read without a mistake
    for line in lines:
        parts = _parts(line, plan, legend)
        if parts is not None and all(part in known for part in parts):
            found.append((line.span, [known[part] for part in parts]))
            continue
        values: list[int] = []
        for word in _words(line, parts):
            before = len(registry.out)
            values.append(_value(registry, word, plan, legend))
            if parts is not None and isinstance(word, YamlScalar) and len(registry.out) == before:
                known[word.text] = values[-1]
        found.append((line.span, values))
    return found


def _lines(node: YamlScalar) -> list[YamlNode]:
    """The lines of a `|` block as scalars of their own."""
    found: list[YamlNode] = []
    for number, line in enumerate(node.text.split("\n"), 1):
        text = line.strip()
        if not text:
            continue
        start = len(line) - len(line.lstrip()) + 1
        span = node.placement().span(number, start, number, start + len(text)) if node.exact else node.span
        found.append(YamlScalar(text, span, text, "plain", node.layer))
    return found


def _parts(line: YamlNode, plan: Plan, legend: dict[str, YamlNode]) -> list[str] | None:
    """The words between blanks, or the letters, of a row that is written as a text; None for a list or one value."""
    if not isinstance(line, YamlScalar):
        return None
    text = line.text
    whole = text in plan.rows or text in legend or line.value is None or not isinstance(line.value, str)
    if whole or (plan.column.type.tag == "int" and text.lstrip("-").isdigit()):
        return None
    words = text.split()
    return words if len(words) > 1 else list(text) if legend else [text]


def _words(line: YamlNode, parts: list[str] | None) -> list[YamlNode]:
    """The cells of one row: items of a list, one value, or the parts of a text, each at its place."""
    if parts is None or not isinstance(line, YamlScalar):
        return list(line.items) if isinstance(line, YamlSeq) else [line]
    text = line.text
    found: list[YamlNode] = []
    at = 0
    for part in parts:
        at = text.index(part, at)
        span = span_within(line, at, at + len(part))
        value = int(part) if part.lstrip("-").isdigit() else {"true": True, "false": False}.get(part, part)
        found.append(YamlScalar(value, span, part, "plain", line.layer))
        at += len(part)
    return found


def _value(registry: Registry, word: YamlNode, plan: Plan, legend: dict[str, YamlNode]) -> int:
    if isinstance(word, YamlScalar) and word.text in legend:
        meant = legend[word.text]
    elif isinstance(word, YamlScalar) and plan.column.type.tag == "ref" and word.text not in plan.rows:
        if word.text != "none" or not plan.column.type.maybe:
            because = f"a letter must be in the `legend:` or be the name of {a_quoted(plan.column.type.name)}"
            hint = did_you_mean(word.text, [*legend, *plan.rows])
            if not hint and legend:
                hint = "use a letter of the legend: " + ", ".join(f"`{letter}`" for letter in legend)
            registry.out.error(
                "N325", word.span, f"`{word.text}` is not a letter in the legend", because=because, hint=hint
            )
            return 0
        meant = word
    else:
        meant = word
    value = read_single(registry, plan, meant)
    return value if isinstance(value, int) else 0


def _shape(registry: Registry, key: YamlScalar, drawn: list[_Map]) -> tuple[int, int]:
    """Width and height in spaces, the same for all maps and columns; N324 at the row that differs."""
    wide = next(((span, len(row), m) for m in drawn for span, row in m.rows if len(row) > 1), None)
    if wide is None:
        if drawn:
            because = "at least one column of a map must have a value for each space"
            hint = "write each row as a text, `- 6 5`, or as a list, `- [6, 5]`"
            registry.out.error("N324", key.span, f"the width of `{key.text}` is unknown", because=because, hint=hint)
        else:
            hint = "draw its spaces under `maps:`"
            registry.out.error("N312", key.span, f"`{key.text}` has no map", hint=hint)
    width = wide[1] if wide else 1
    height = len(wide[2].rows) if wide else max((len(m.rows) for m in drawn), default=1)
    for m in drawn:
        related = [Related(wide[0], f"the first row has {width} spaces")] if wide else []
        for span, row in m.rows:
            if len(row) not in (1, width):
                because = f"each row of each map of `{key.text}` needs {width} spaces, or one value for the whole row"
                message = f"expected {width} spaces in this row, found {len(row)}"
                registry.out.error("N324", span, message, because=because, related=related)
        if len(m.rows) != height:
            because = f"all maps of `{key.text}` need the same number of rows"
            related = [Related(wide[2].place, f"this one has {height} rows")] if wide else []
            message = f"`{m.plan.name}` of the map `{m.name}` has {len(m.rows)} rows, not {height}"
            registry.out.error("N324", m.place, message, because=because, related=related)
    return width, max(1, height)


def _spaces(
    name: str, plans: dict[str, Plan], drawn: list[_Map], width: int, height: int
) -> dict[str, tuple[int, ...]]:
    spaces: dict[str, tuple[int, ...]] = {}
    for plan in plans.values():
        fill = plan.default if isinstance(plan.default, int) else 0
        rows = next(([row for _, row in m.rows] for m in drawn if m.name == name and m.plan is plan), [])
        values: list[int] = []
        for y in range(height):
            row = rows[y] if y < len(rows) else []
            row = row * width if len(row) == 1 else row[:width]
            values.extend(row + [fill] * (width - len(row)))
        spaces[plan.name] = tuple(values)
    return spaces


def _chosen_by(registry: Registry, key: YamlScalar, node: YamlMap, maps: YamlMap) -> str | None:
    word = as_word(registry, node.get("chosen_by"), "an option, like `option.map`")
    if word is None:
        if len(maps) > 1:
            because = "an option must choose the map of a game"
            hint = "write `chosen_by: option.map`"
            registry.out.error("N326", key.span, f"`{key.text}` has {len(maps)} maps", because=because, hint=hint)
        return None
    name = word.text.removeprefix("option.")
    option = registry.options.get(name)
    if option is None or (not option.values and option.type.tag != "error"):
        because = "`chosen_by` needs an option with one value for each map"
        hint = did_you_mean(word.text, [f"option.{o}" for o in registry.options])
        registry.out.error("N326", word.span, f"`{word.text}` cannot choose the map", because=because, hint=hint)
        return None
    for value in option.values:
        if maps.get(value) is None:
            because = f"the option `{name}` can be `{value}`"
            related = [Related(option.span, "the option is declared here")]
            hint = did_you_mean(value, [k.text for k, _ in maps if k.text not in option.values])
            registry.out.error(
                "N326", word.span, f"there is no map `{value}`", because=because, hint=hint, related=related
            )
    for map_key, _ in maps:
        if map_key.text not in option.values and option.values:
            because = f"it is not one of the values of the option `{name}`"
            related = [Related(option.span, "the option is declared here")]
            message = f"the map `{map_key.text}` can never be chosen"
            registry.out.error("N326", map_key.span, message, because=because, related=related)
    return name


def _joined(registry: Registry, node: YamlNode | None) -> bool | str:
    """`true`, `false`, or the name of a bool option."""
    word = as_word(registry, node, "true, false or an option")
    if word is None or isinstance(word.value, bool):
        return word is not None and bool(word.value)
    name = word.text.removeprefix("option.")
    option = registry.options.get(name)
    if word.text.startswith("option.") and option is not None and option.type in (BOOL,):
        return name
    known = [f"option.{o.name}" for o in registry.options.values() if o.type == BOOL]
    related = [Related(option.span, f"option `{name}` is declared here")] if option else []
    hint = did_you_mean(word.text, known)
    message = f"expected true, false or a `bool` option, found `{word.text}`"
    registry.out.error("N326", word.span, message, hint=hint, related=related)
    return False

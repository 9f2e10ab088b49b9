"""`lists:` and `ladders:`: named rows with columns and attributes."""

from __future__ import annotations

from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, is_blank
from rulelang.language.semantics.builtins.names import BEARERS, PLAYERS
from rulelang.language.semantics.declare.attributes import declare_attributes
from rulelang.language.semantics.declare.columns import columns_of, declare_columns
from rulelang.language.semantics.declare.registry import NAME, Kind, Registry, as_map, valid_name
from rulelang.language.semantics.declare.rows import RowReader
from rulelang.language.semantics.declare.type_texts import extent, read_bound
from rulelang.language.semantics.model import Bound, Listing, Row, Zone

#: Words that would be read as something else where a row's name is expected.
_LITERALS = ("none", "true", "false", "any", *PLAYERS, *BEARERS)


def named_rows(registry: Registry, name: str, node: YamlMap) -> list[tuple[YamlScalar, YamlMap]]:
    """The rows of a list that have a good name of their own, in order. N301 and N302 for the others."""
    found: dict[str, tuple[YamlScalar, YamlMap]] = {}
    for key, row in as_map(registry, node.get("rows"), "a list of names, or a map of rows"):
        if key.value is None and not key.text:
            because = f"rules refer to the rows of `{name}` by name"
            registry.out.error("N302", row.span, f"this row of `{name}` has no name", because=because)
        elif not NAME.match(key.text):
            because = "a name consists of letters, digits and `_` and begins with a letter"
            message = f"`{key.text}` is not a valid name for a row of `{name}`"
            registry.out.error("N302", key.span, message, because=because, hint=valid_name(key.text))
        elif key.text in _LITERALS:
            because = f"`{key.text}` already has a meaning in rules"
            message, hint = f"a row of `{name}` cannot be called `{key.text}`", "choose another name"
            registry.out.error("N301", key.span, message, because=because, hint=hint)
        else:
            found.setdefault(key.text, (key, as_map(registry, row, "a row: a map from column to value")))
    return list(found.values())


def list_kind(registry: Registry, key: YamlScalar, node: YamlMap, *, ladder: bool) -> Kind:
    """The kind with its rows numbered from 1."""
    rows = {row.text: number for number, (row, _) in enumerate(named_rows(registry, key.text, node), 1)}
    return Kind(key.text, "ladder" if ladder else "list", key.span, rows, node.get("count") is not None)


def declare_list(
    registry: Registry, key: YamlScalar, node: YamlMap, zones: dict[str, Zone], *, ladder: bool
) -> Listing:
    """A list or ladder with everything that its rows say."""
    name = key.text
    plans = declare_columns(registry, as_map(registry, node.get("columns"), "columns and their types"), name)
    attributes = as_map(registry, node.get("attributes"), "attributes and their types")
    count = _count(registry, key, node, ladder)
    reader = RowReader(registry, name, plans)
    found: list[Row] = []
    for number, (row_key, row) in enumerate(named_rows(registry, name, node), 1):
        columns = reader.read(row_key.span, row, 1, row_key.text)
        found.append(
            Row(row_key.text, number, columns, text=row_text(row.get("text")), layer=row_key.layer, span=row_key.span)
        )
    reader.finish()
    if not found and count is None:
        hint = "name its rows, or write `count:` for a list whose length can differ from game to game"
        registry.out.error("N312", key.span, f"`{name}` has no rows", hint=hint)
    elif count is not None and (found or plans):
        because = "the rows of a counted list have only numbers"
        span = found[0].span if found else next(iter(plans.values())).column.span
        what = "rows" if found else "columns"
        hint = f"delete the {what}, or delete `count:`"
        registry.out.error("N330", span, f"a list with `count:` cannot have {what}", because=because, hint=hint)
        found, plans = [], {}
    return Listing(
        name=name,
        rows=tuple(found),
        columns=columns_of(plans.values()),
        attributes=declare_attributes(registry, attributes, name, zones, owned=False),
        ladder=ladder,
        count=count,
        span=key.span,
    )


def _count(registry: Registry, key: YamlScalar, node: YamlMap, ladder: bool) -> Bound | None:
    word = node.get("count")
    if word is None:
        return None
    if not isinstance(word, YamlScalar):
        registry.shape(word, "a number of rows")
        return None
    count = read_bound(registry, word.text, word.span)
    least, most = extent(registry, count) if count is not None else (1, 1)
    if least < 1 or most > 10_000:
        because = "a list can have 1 to 10000 rows"
        wrong = least if least < 1 else most
        registry.out.error("N315", word.span, f"`{key.text}` cannot have {wrong} rows", because=because)
        return 1
    if ladder:
        because = "the levels of a ladder need names"
        registry.out.error("N330", word.span, "a ladder cannot have `count:`", because=because)
        return None
    return 1 if count is None else count


def row_text(node: YamlNode | None) -> str:
    """The text of a row: English where there are several languages, else the first by its code, wherever it stands."""
    if isinstance(node, YamlScalar):
        return node.text.strip() if node.value is not None else ""
    if isinstance(node, YamlMap):
        said = sorted((key.text, str(text.plain())) for key, text in node if not is_blank(text))
        return node.text("en") or next((text for _, text in said), "")
    return ""

"""How what is declared is called: the names and texts that stand beside declarations, and what is printed where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.base.labels import Label, Labels, Printed, PrintedKind, Texts
from rulelang.data.records import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, is_blank
from rulelang.semantics.model import CardSort, Column, Grid, Listing, Model

#: Sections of things with members of their own.
_SECTIONS = ("lists", "ladders", "grids", "cards", "kinds")
_MEMBERS = ("columns", "attributes")
_KINDS: Mapping[str, PrintedKind] = {
    "int": "number",
    "bool": "truth",
    "ref": "reference",
    "set": "set",
    "condition": "condition",
}


def declared_labels(source: RulesetSource, model: Model) -> Labels:
    """What declarations say of themselves. Mistakes in it have been told by those who read the declarations."""
    tree = source.tree
    things = {key.text: _label(node) for key, node in _things(tree)}
    things |= {f"option {option.name}": Label(text=_english(option.text)) for option in model.options.values()}
    members = {
        key.text: {name.text: _label(member) for part in _MEMBERS for name, member in node.map(part)}
        for section in _SECTIONS
        for key, node in tree.map(section)
        if isinstance(node, YamlMap)
    }
    members[""] = {key.text: _label(node) for key, node in tree.map("state")}
    rows = {
        key.text: {name.text: _label(row) for name, row in node.map("rows") if name.text}
        for section in ("lists", "ladders", "cards")
        for key, node in tree.map(section)
        if isinstance(node, YamlMap)
    }
    rows["trait"] = {trait.name: Label(name=trait.titles, text=trait.text) for trait in model.traits.values()}
    tables: list[Listing | Grid | CardSort] = [*model.lists.values(), *model.grids.values(), *model.sorts.values()]
    columns = {
        table.name: {c.name: printed for c in table.columns.values() if (printed := _printed(c))} for table in tables
    }
    columns["option"] = {name: Printed(_KINDS[option.type.tag]) for name, option in model.options.items()}
    ladders = frozenset(listing.name for listing in model.lists.values() if listing.ladder)
    return Labels(things, members, rows, columns, ladders=ladders)


def texts_of(node: YamlNode | None) -> Texts:
    """A text by language; one without a language is English."""
    if isinstance(node, YamlMap):
        return {key.text: str(text.plain()).strip() for key, text in node if not is_blank(text)}
    if isinstance(node, YamlScalar) and not is_blank(node):
        return _english(node.text.strip())
    return {}


def _things(tree: YamlMap) -> Iterator[tuple[YamlScalar, YamlNode]]:
    for section in (*_SECTIONS, "zones", "tables"):
        yield from tree.map(section)


def _label(node: YamlNode) -> Label:
    if not isinstance(node, YamlMap):
        return Label()
    return Label(name=texts_of(node.get("name")), text=texts_of(node.get("text")))


def _english(text: str) -> Texts:
    return {"en": text} if text else {}


def _printed(column: Column) -> Printed | None:
    kind = _KINDS.get(column.type.tag)
    if kind is None:
        return None
    if isinstance(column.by, tuple):
        return Printed(kind, column.type.name, many=True, first=column.by[0])
    many = column.by is not None and column.by != "copy"
    return Printed(kind, column.type.name, column.by if many and column.by else "", many)

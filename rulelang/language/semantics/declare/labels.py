"""How what is declared is called and shown: the names and texts beside declarations, and over them what `look:` says.

Whether `look:` speaks of things that there are is told later, when rules are known (`semantics.check.looks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rulelang.base.labels import NO_LABEL, Label, Labels, Printed, PrintedKind, Texts
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.data.ruleset_source import DeclaredData
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank
from rulelang.language.semantics.model import CardType, Column, Grid, Listing, Model

#: What `look:` calls the game itself, whose members are the values under `state:`.
GAME = "game"
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


def declared_labels(source: DeclaredData, model: Model, memo: NullCache = NULL_CACHE) -> Labels:
    """What declarations say of themselves, and `look:` of them. Mistakes in it are told by those who read the rest."""

    def of_rows(section: str, name: str, rows: YamlMap) -> dict[str, Label]:
        return dict(memo.revalidate("labels of rows", (section, name), rows.items, lambda: _row_labels(rows)))

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
        key.text: of_rows(section, key.text, node.map("rows"))
        for section in ("lists", "ladders", "cards")
        for key, node in tree.map(section)
        if isinstance(node, YamlMap)
    }
    rows["trait"] = {trait.name: Label(name=trait.titles, text=trait.text) for trait in model.traits.values()}
    for key, look in tree.map("look"):
        if isinstance(look, YamlMap):
            _lay(key.text, look, things, members, rows)
    ladders = frozenset(listing.name for listing in model.lists.values() if listing.ladder)
    return Labels(things, members, rows, _columns(model), ladders=ladders, printed=_printed_rows(model))


def _row_labels(rows: YamlMap) -> dict[str, Label]:
    """Of a card file rows have the same keys, mostly none that says how they are called: only one of these is read."""
    found: dict[str, Label] = {}
    silent: tuple[tuple[YamlScalar, YamlNode], ...] = ()  # the cells of a row that says nothing
    for name, row in rows.items:
        if not name.text:
            continue
        cells = row.items if isinstance(row, YamlMap) else ()
        alike = cells and len(cells) == len(silent)
        if alike and cells[0][0] is silent[0][0] and cells[-1][0] is silent[-1][0]:
            found[name.text] = NO_LABEL
            continue
        label = found[name.text] = _label(row)
        silent = cells if label is NO_LABEL and cells and cells[0][0].style == "csv" else ()
    return found


def _printed_rows(model: Model) -> dict[str, dict[str, Mapping[str, object]]]:
    """What is printed on the rows of lists that have columns."""
    found: dict[str, dict[str, Mapping[str, object]]] = {}
    for listing in model.lists.values():
        usual = {name: column.default for name, column in listing.columns.items() if column.default is not None}
        if listing.columns:
            found[listing.name] = {row.name: {**usual, **row.columns} for row in listing.rows}
    return found


def _lay(
    name: str, look: YamlMap, things: dict[str, Label], members: dict[str, dict[str, Label]],
    rows: dict[str, dict[str, Label]],
) -> None:  # fmt: skip
    """What `look:` says of one name, over what its declaration says."""
    things[name] = _label(look, things.get(name, NO_LABEL))
    of = members.setdefault("" if name == GAME else name, {})
    for part in ("members", "show"):
        for key, node in look.map(part):
            of[key.text] = _label(node, of.get(key.text, NO_LABEL))
    for word in look.seq("hide"):
        if isinstance(word, YamlScalar) and not isinstance(word.value, bool):
            of[word.text] = replace(of.get(word.text, NO_LABEL), hidden=True)
    for key, node in look.map("rows"):
        own = rows.setdefault(name, {})
        own[key.text] = _label(node, own.get(key.text, NO_LABEL))


def _label(node: YamlNode, below: Label = NO_LABEL) -> Label:
    """A label as a map has it; what it does not say is as it was `below`."""
    if not isinstance(node, YamlMap):
        return below
    said = {key.text: item for key, item in node.items if key.text in _SAID}
    if not said and below is NO_LABEL:
        return below
    texts = {word: texts_of(item) for word, item in said.items() if word in _TEXTS}
    hide = "hide" in said and any(isinstance(item, YamlScalar) and item.value is True for item in node.seq("hide"))
    brief = said.get("brief")
    return Label(
        name=texts.get("name") or below.name,
        plural=texts.get("plural") or below.plural,
        short=texts.get("short") or below.short,
        text=texts.get("text") or below.text,
        icon=node.text("icon") or below.icon,
        colour=node.text("colour") or below.colour,
        picture=node.text("picture") or below.picture,
        unit=texts.get("unit") or below.unit,
        otherwise=texts.get("otherwise") or below.otherwise,
        pattern=texts.get("called") or below.pattern,
        order=_words(said.get("order")),
        hidden=below.hidden or hide,
        brief=below.brief or (isinstance(brief, YamlScalar) and brief.value is True),
        layout=_words(said.get("layout")) or below.layout,
    )


#: What a label says in words.
_TEXTS = frozenset({"name", "plural", "short", "text", "unit", "otherwise", "called"})
#: What a label is made of.
_SAID = _TEXTS | {"icon", "colour", "picture", "order", "hide", "brief", "layout"}


def _words(node: YamlNode | None) -> tuple[str, ...]:
    return tuple(word.text for word in node.items if isinstance(word, YamlScalar)) if isinstance(node, YamlSeq) else ()


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


def _english(text: str) -> Texts:
    return {"en": text} if text else {}


def _columns(model: Model) -> dict[str, dict[str, Printed]]:
    tables: list[Listing | Grid | CardType] = [*model.lists.values(), *model.grids.values(), *model.sorts.values()]
    found = {
        table.name: {c.name: printed for c in table.columns.values() if (printed := _printed(c))} for table in tables
    }
    options = ((name, _KINDS.get(option.type.tag)) for name, option in model.options.items())
    found["option"] = {name: Printed(kind) for name, kind in options if kind is not None}  # none: it is mistaken
    return found


def _printed(column: Column) -> Printed | None:
    kind = _KINDS.get(column.type.tag)
    if kind is None:
        return None
    usual = column.default if isinstance(column.default, int) else None
    if isinstance(column.by, tuple):
        return Printed(kind, column.type.name, many=True, first=column.by[0], usual=usual)
    many = column.by is not None and column.by != "copy"
    return Printed(kind, column.type.name, column.by if many and column.by else "", many, usual=usual)

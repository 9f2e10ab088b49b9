"""Trait files: the list of traits, their columns, state and the cards they bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rulelang.base.diagnostics import Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import NOWHERE
from rulelang.data.records import TraitFile
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.declare.attributes import member_name, read_attribute
from rulelang.language.semantics.declare.cards import CardRow
from rulelang.language.semantics.declare.columns import columns_of, declare_columns
from rulelang.language.semantics.declare.plan import Plan
from rulelang.language.semantics.declare.registry import (
    NAME,
    Category,
    Kind,
    Registry,
    as_map,
    as_word,
    as_words,
    valid_name,
)
from rulelang.language.semantics.declare.rows import RowReader
from rulelang.language.semantics.model import Attribute, Column, Listing, Row, Trait
from rulelang.language.semantics.types import ref

#: What every trait file may say; other keys are columns of `traits:`.
TRAIT_WORDS = frozenset(
    {"trait", "like", "name", "text", "rules", "scenarios", "pair", "state", "cards", "needs", "knows"}
)
_ROWS: tuple[Category, ...] = ("list", "ladder", "grid")
_CARRIERS: tuple[Category, ...] = ("made", "player", *_ROWS)
_OF = "each card has its own state, unless `of:` names the game, a kind of things, `player` or lists"
_PAIRS: tuple[Literal["mutual", "directed"], ...] = ("mutual", "directed")


@dataclass(slots=True)
class TraitShelf:
    """The traits, and what their `state:` adds to other kinds: attributes by kind, and state of the game."""

    listing: Listing
    traits: dict[str, Trait]
    attributes: dict[str, list[Attribute]] = field(default_factory=dict)
    state: dict[str, Attribute] = field(default_factory=dict)


def in_order(files: Sequence[TraitFile]) -> list[TraitFile]:
    """By layer, then path: the order in which traits are numbered. Names that rules cannot write are left out."""
    return [f for f in sorted(files, key=lambda f: (f.layer, f.path)) if NAME.match(f.id)]


def check_names(registry: Registry, files: Sequence[TraitFile]) -> None:
    """N302 for a trait whose id rules could not write."""
    for file in files:
        if not NAME.match(file.id):
            because = "an id consists of letters, digits and `_` and begins with a letter"
            message = f"`{file.id}` is not a valid trait id"
            registry.out.error("N302", file.span, message, because=because, hint=valid_name(file.id))


def declare_traits(registry: Registry, files: Sequence[TraitFile], section: YamlMap) -> TraitShelf:
    """All traits, in this order. `section` is `traits:`, the columns that trait files of this game have."""
    plans = declare_columns(registry, section, "trait")
    for name in list(plans):
        if name in TRAIT_WORDS:
            because = f"`{name}:` already has a meaning in trait files"
            place = plans[name].column.span
            message, hint = f"a column of traits cannot be called `{name}`", "choose another name"
            registry.out.error("N301", place, message, because=because, hint=hint)
            del plans[name]
    # What is no column is told with the files, where it stands.
    keys = frozenset(key.text for file in files for key, _ in file.node)
    reader = RowReader(registry, "trait", plans, keys, more=TRAIT_WORDS)
    shelf = TraitShelf(Listing("trait", ()), {})
    rows: list[Row] = []
    pair_rows = registry.kinds["pair"].rows
    for number, file in enumerate(files, 1):
        columns = reader.read(file.span, file.node, 1)
        pair = _pair(registry, file)
        columns = {**columns, "pair": pair_rows[pair] if pair else 0}
        text = languages(registry, file.node.get("text"))
        rows.append(Row(file.id, number, columns, text=_english(text), layer=file.layer, span=file.span))
        shelf.traits[file.id] = Trait(
            name=file.id,
            number=number,
            titles=languages(registry, file.node.get("name")),
            text=text,
            pair=pair,
            state=_state(registry, file, shelf),
            columns=columns,
            needs=_needs(registry, file),
            knows=tuple(word.text for word in as_words(registry, file.node.get("knows"), "ids of traits")),
            layer=file.layer,
            span=file.span,
        )
    reader.finish()
    shelf.listing = Listing("trait", tuple(rows), _columns(plans))
    return shelf


def _columns(plans: Mapping[str, Plan]) -> dict[str, Column]:
    return {**columns_of(plans.values()), "pair": Column("pair", ref("pair", maybe=True), default=0)}


def languages(registry: Registry, node: YamlNode | None) -> dict[str, str]:
    """A text by language tag; one text without a tag is English."""
    if isinstance(node, YamlMap):
        found = {key.text: as_word(registry, value, "a text") for key, value in node}
        return {tag: word.text for tag, word in found.items() if word is not None}
    word = as_word(registry, node, "a text")
    return {"en": word.text} if word is not None else {}


def _english(text: Mapping[str, str]) -> str:
    return text.get("en") or next(iter(text.values()), "")


def _pair(registry: Registry, file: TraitFile) -> Literal["mutual", "directed"] | None:
    word = as_word(registry, file.node.get("pair"), "`mutual` or `directed`")
    if word is None:
        return None
    for kind in _PAIRS:
        if word.text == kind:
            return kind
    because = "a card on two things is `mutual` (the same for both) or `directed` (from one to the other)"
    hint = did_you_mean(word.text, _PAIRS)
    registry.out.error("N305", word.span, f"unknown value `{word.text}` of `pair:`", because=because, hint=hint)
    return None


def _needs(registry: Registry, file: TraitFile) -> tuple[str, ...]:
    words = as_words(registry, file.node.get("needs"), "ids of traits")
    known = registry.kinds["trait"].rows
    for word in words:
        if word.text not in known:
            because = "neither the ruleset nor a mod declares this trait"
            absent = "load the mod that declares it, or use `knows:` if the trait also works without it"
            hint = did_you_mean(word.text, known) or absent
            registry.out.error(
                "N328",
                word.span,
                f"there is no trait `{word.text}`, which `{file.id}` needs",
                because=because,
                hint=hint,
            )
    return tuple(word.text for word in words)


def _state(registry: Registry, file: TraitFile, shelf: TraitShelf) -> dict[str, Attribute]:
    """What is kept per card; what is `of:` another kind goes to the shelf."""
    kept: dict[str, Attribute] = {}
    for key, node in as_map(registry, file.node.get("state"), "state: names and types"):
        if not member_name(registry, key, "state"):
            continue
        of = as_words(registry, node.get("of"), "names of kinds or lists") if isinstance(node, YamlMap) else []
        if [word.text for word in of] == ["game"]:
            if registry.claim(key, "state"):
                shelf.state[key.text] = read_attribute(registry, key, node, owned=False)
            continue
        one = _CARRIERS if len(of) == 1 else _ROWS
        kinds = [registry.kind(word, _OF, one) for word in of]
        found = [kind for kind in kinds if kind is not None]
        attribute = read_attribute(registry, key, node, owned=True)
        if len(found) == 1 and found[0].category in ("made", "player"):
            shelf.attributes.setdefault(found[0].name, []).append(attribute)
        else:
            kept[key.text] = replace(attribute, index=tuple(kind.name for kind in found))
    return kept


def brought_cards(registry: Registry, files: Sequence[TraitFile], faces: Mapping[str, str]) -> dict[str, list[CardRow]]:
    """The rows of the traits' `cards:` by sort. `faces`: each sort's column of traits, `face` or `faces`."""
    found: dict[str, list[CardRow]] = {}
    for file in files:
        node = file.node.get("cards")
        if node is None:
            continue
        for sort, row in _rows(registry, node, faces, file):
            column = faces[sort]
            if row.get(column) is None:
                word = YamlScalar(column, file.span, column, "plain", file.layer)
                face = YamlScalar(file.id, file.span, file.id, "plain", file.layer)
                row = YamlMap((*row.items, (word, face)), row.span, file.layer)
            found.setdefault(sort, []).append((YamlScalar(None, row.span, "", "plain", file.layer), row))
    return found


def _rows(registry: Registry, node: YamlNode, faces: Mapping[str, str], file: TraitFile) -> list[tuple[str, YamlMap]]:
    """Rows of `cards:`: one row, several, or these by sort of cards."""
    if isinstance(node, YamlMap) and node.items and all(key.text in faces for key, _ in node):
        return [(key.text, row) for key, value in node for row in _list_of_rows(registry, value)]
    rows = _list_of_rows(registry, node)
    if len(faces) == 1:
        return [(next(iter(faces)), row) for row in rows]
    because = "the cards of a trait belong to the card type with a column `face: trait` or `faces: set of trait`"
    message = f"no card type can contain the cards of `{file.id}`"
    hint = ""
    related: list[Related] = []
    if faces:
        message = f"several card types can contain the cards of `{file.id}`"
        hint = "name one, like `cards: {" + sorted(faces)[0] + ": [...]}`"
        related = [Related(registry.kinds[sort].span, f"`{sort}` is one") for sort in sorted(faces)]
    registry.out.error("N329", node.span, message, because=because, hint=hint, related=related)
    return []


def _list_of_rows(registry: Registry, node: YamlNode) -> list[YamlMap]:
    items = list(node.items) if isinstance(node, YamlSeq) else [node]
    found: list[YamlMap] = []
    for item in items:
        if isinstance(item, YamlMap):
            found.append(item)
        elif isinstance(item, YamlScalar) and isinstance(item.value, int) and not isinstance(item.value, bool):
            word = YamlScalar("copies", item.span, "copies", "plain", item.layer)
            found.append(YamlMap(((word, item),), item.span, item.layer))
        else:
            registry.shape(item, "a row of cards, like `{copies: 4}`")
    return found


def trait_kind(files: Sequence[TraitFile]) -> Kind:
    """The list `trait` as a kind: its rows numbered in this order. It stands nowhere, as it is built in."""
    return Kind("trait", "list", NOWHERE, {file.id: number for number, file in enumerate(files, 1)})

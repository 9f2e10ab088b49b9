"""Declare everything with named rows: lists, ladders, card types and traits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from rulelang.base.diagnostics import Related
from rulelang.base.memo import IdentityKey
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.data.ruleset_source import TraitFile
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank
from rulelang.language.semantics.builtins.names import BEARERS, PLAYERS
from rulelang.language.semantics.declare.attributes import (
    columns_of,
    declare_attributes,
    declare_columns,
    member_name,
    read_attribute,
)
from rulelang.language.semantics.declare.cells import Plan, RowReader, copies_of, tell_uncounted
from rulelang.language.semantics.declare.registry import (
    NAME,
    Category,
    Kind,
    Registry,
    as_map,
    as_word,
    as_words,
    bound_range,
    read_bound,
    read_type,
    valid_name,
)
from rulelang.language.semantics.model import (
    INT,
    Attribute,
    Bound,
    CardType,
    Column,
    ColumnValue,
    Listing,
    Row,
    Trait,
    Zone,
    ref,
)

# ---- lists and ladders

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
    least, most = bound_range(registry, count) if count is not None else (1, 1)
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


# ---- card types

CardRow = tuple[YamlScalar, YamlMap]
_MOST_REPEATS = 1000
#: So that a hostile file cannot fill the memory.
_MOST_CARDS = 100_000


def card_type_kind(key: YamlScalar, node: YamlMap) -> Kind:
    """The kind with its named rows numbered from 1 (the first of those that `for_each` makes)."""
    rows = {row.text: number for number, (row, _) in enumerate(node.map("rows"), 1) if row.text}
    return Kind(key.text, "cards", key.span, rows)


def declare_card_type(
    registry: Registry, key: YamlScalar, node: YamlMap, brought: Sequence[CardRow], zones: dict[str, Zone]
) -> CardType:
    """A sort of cards. `brought` are the rows that traits bring with them; they come after the sort's own."""
    name = key.text
    plans = declare_columns(
        registry, as_map(registry, node.get("columns"), "columns and their types"), name, cards=True
    )
    unused = _unused(registry, node, plans)
    each = as_map(registry, node.get("for_each"), "a column and its values, like `{set: 1..2}`")
    repeats, ends = _repeats(registry, each, plans)
    given = frozenset(next(iter(repeats), {}))
    reader = RowReader(registry, name, plans, frozenset(unused), given, frozenset({"copies"}))
    own: list[CardRow] = []
    for row_key, row in as_map(registry, node.get("rows"), "a list or map of rows"):
        own.append((row_key, as_map(registry, row, "a row: a map from column to value")))
    usual = copies_of(registry, node, (), schema=True)
    whole = [*own, *brought]
    rows = _kept_rows(reader, whole, len(own), repeats, usual, node.get("copies") is None)
    _check_unused(registry, name, unused, own)
    if not rows:
        because = "it has no cards"
        registry.out.error("N312", key.span, f"the card type `{name}` has no rows", because=because)
    attributes = as_map(registry, node.get("attributes"), "attributes and their types")
    made = declare_attributes(registry, attributes, name, zones, owned=True)
    return CardType(name, columns_of(plans.values()), rows, made, ends, key.span, given)


def _kept_rows(
    reader: RowReader, whole: Sequence[CardRow], own: int, repeats: Sequence[Mapping[str, int]], usual: int, open_: bool
) -> tuple[Row, ...]:
    """The cards that rows make. Variants of a ruleset mostly have all rows of a sort in common: then they are not read
    one by one, if nothing is wrong with any so far."""

    def work() -> tuple[Sequence[CardRow], tuple[Row, ...], bool]:
        rows, sound = _read_rows(reader, whole, own, repeats, usual, open_)
        return whole, rows, sound and reader.sound

    def fits(known: tuple[Sequence[CardRow], tuple[Row, ...], bool]) -> bool:
        same = all(a is c and b is d for (a, b), (c, d) in zip(whole, known[0], strict=True))
        return same and known[2] and reader.sound

    if not whole:
        return work()[1]
    each = tuple([tuple(extra.items()) for extra in repeats])
    key = (
        reader.owner,
        reader.like,
        len(whole),
        own,
        each,
        usual,
        open_,
        IdentityKey(whole[0][1]),
        IdentityKey(whole[-1][1]),
    )
    return reader.registry.memo.get_or_compute("rows of sorts", key, work, fits)[1]


def _read_rows(
    reader: RowReader, whole: Sequence[CardRow], own: int, repeats: Sequence[Mapping[str, int]], usual: int, open_: bool
) -> tuple[tuple[Row, ...], bool]:
    """The cards, and whether each row says how many it makes. The first `own` stand with their sort; `open_`: it does
    not say itself how often a row is there that does not say so."""
    registry = reader.registry
    read: list[tuple[CardRow, int, Mapping[str, ColumnValue]]] = []
    empty: list[Span] | None = [] if open_ else None
    total = 0
    for number, (row_key, row) in enumerate(whole):
        copies = copies_of(registry, row, reader.plans.values(), usual, empty, schema=number < own)
        place = row_key.span if row_key.text else row.span
        total += copies * max(1, len(repeats))
        if total > _MOST_CARDS:
            because = f"a card type may have at most {_MOST_CARDS:,} cards"
            message = f"`{reader.owner}` has too many cards: this row exceeds the limit"
            registry.out.error("N315", place, message, because=because)
            break
        read.append(((row_key, row), copies, reader.read(place, row, copies, row_key.text)))
    reader.finish()
    tell_uncounted(registry, empty or ())
    rows: list[Row] = []
    for extra in repeats or [{}]:
        for written, ((row_key, row), copies, columns) in enumerate(read, 1):
            number = len(rows) + 1
            same = (
                IdentityKey(row_key),
                IdentityKey(row),
                IdentityKey(columns),
                tuple(extra.items()),
                number,
                written,
                copies,
            )
            card = partial(_row, row_key, row, copies, columns, extra, number, written)
            rows.append(registry.memo.get_or_compute("card rows", same, card))
    return tuple(rows), not empty


def _row(
    key: YamlScalar,
    row: YamlMap,
    copies: int,
    columns: Mapping[str, ColumnValue],
    extra: Mapping[str, int],
    number: int,
    written: int,
) -> Row:
    span = key.span if key.text else row.span
    values = {**columns, **extra} if extra else columns
    ruled = row.get("rules") is not None
    return Row(key.text, number, values, copies, row_text(row.get("text")), key.layer, span, written, ruled)


def _repeats(
    registry: Registry, node: YamlMap, plans: Mapping[str, Plan]
) -> tuple[list[dict[str, int]], dict[str, tuple[Bound, Bound]]]:
    """What each repetition of the rows puts into the columns that `for_each` names; nothing without `for_each`.

    Also the ends of the ranges that depend on the table: there rows are left out that lie beyond them.
    """
    repeats: list[dict[str, int]] = []
    ends: dict[str, tuple[Bound, Bound]] = {}
    for key, value in node:
        plan = plans.get(key.text)
        if plan is None:
            because = "`for_each` must name a column"
            hint = did_you_mean(key.text, plans)
            registry.out.error("N319", key.span, f"there is no column `{key.text}`", because=because, hint=hint)
            continue
        word = as_word(registry, value, "a range like `1..2`, or the list of the column")
        if word is None:
            continue
        said = read_type(registry, word, key.span)
        if said.type == INT == plan.column.type and said.low is not None and said.high is not None:
            least, most = bound_range(registry, said.low)[0], bound_range(registry, said.high)[1]
            numbers = list(range(least, min(most, least + _MOST_REPEATS) + 1))
            if not (isinstance(said.low, int) and isinstance(said.high, int)):
                ends[key.text] = (said.low, said.high)
            low, high = plan.column.low, plan.column.high
            if (low is not None and least < low) or (high is not None and most > high):
                because = f"the range of the column `{key.text}` is {low}..{high}"
                related = [Related(plan.column.span, "the column is declared here")]
                registry.out.error(
                    "N315", word.span, f"`{word.text}` is out of range", because=because, related=related
                )
                continue
        elif said.type.tag == "ref" and said.type == plan.column.type.sure():
            numbers = sorted(plan.rows.values())
        else:
            if said.type.tag != "error" and plan.column.type.tag != "error":
                because = f"`{key.text}` is {a_quoted(plan.column.type)}; write a range like `1..2`, or its list"
                registry.out.error(
                    "N317", word.span, f"rows cannot be repeated for each `{word.text}`", because=because
                )
            continue
        repeats = [{**old, key.text: number} for old in repeats or [{}] for number in numbers]
        if len(repeats) > _MOST_REPEATS:
            because = f"`for_each` can repeat rows at most {_MOST_REPEATS} times"
            registry.out.error("N315", word.span, "`for_each` has too many values", because=because)
            return [], {}
    return repeats, ends


def _unused(registry: Registry, node: YamlMap, plans: Mapping[str, Plan]) -> dict[str, YamlScalar]:
    unused: dict[str, YamlScalar] = {}
    for word in as_words(registry, node.get("unused_columns"), "a list of column names"):
        if word.text in plans:
            because = "a column cannot be both declared and unused"
            related = [Related(plans[word.text].column.span, "it is declared here")]
            message = f"`{word.text}` is also declared under `columns:`"
            registry.out.error("N331", word.span, message, because=because, hint="delete it", related=related)
        else:
            unused[word.text] = word
    return unused


def _check_unused(registry: Registry, name: str, unused: Mapping[str, YamlScalar], rows: Sequence[CardRow]) -> None:
    """N331 for an unused column that no row has, once there are rows."""
    if not unused or not rows:
        return
    missing = set(unused)
    known: set[str] = set()
    headers: set[tuple[int, int]] = set()
    for _, row in rows:
        mark = (id(row.items[0][0]), id(row.items[-1][0])) if row.items else (0, 0)
        if mark in headers:
            continue
        headers.add(mark)
        known.update(row.keys())
        missing.difference_update(row.keys())
    for word in missing:
        because = f"no row of `{name}` has this column, so you don't need to list it"
        span = unused[word].span
        hint = did_you_mean(word, known) or "delete it"
        registry.out.error("N331", span, f"there is no column `{word}`", because=because, hint=hint)


# ---- traits

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


def traits_in_order(files: Sequence[TraitFile]) -> list[TraitFile]:
    """By layer, then path: the order in which traits are numbered. Names that rules cannot write are left out."""
    return [f for f in sorted(files, key=lambda f: (f.layer, f.path)) if NAME.match(f.id)]


def check_trait_names(registry: Registry, files: Sequence[TraitFile]) -> None:
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
        text = texts_by_language(registry, file.node.get("text"))
        rows.append(Row(file.id, number, columns, text=_english(text), layer=file.layer, span=file.span))
        shelf.traits[file.id] = Trait(
            name=file.id,
            number=number,
            titles=texts_by_language(registry, file.node.get("name")),
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


def texts_by_language(registry: Registry, node: YamlNode | None) -> dict[str, str]:
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

"""`from:` of a sort of cards: files of rows, as text, in a sheet of a workbook or in YAML, read alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import a_quoted, quoted_list
from rulelang.data.card_tables import RECOGNISED, CardTable, Dialect, empty_table, read_csv
from rulelang.data.schema import check_schema
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import YamlFile, read_yaml

TEXTS = (".csv", ".tsv")
#: Files that hold rows and nothing else.
TABLES = (*TEXTS, ".xlsx")
KINDS = (*TABLES, ".yaml")


@record
class Source:
    """One entry of `from:`: a file, and what is said of it."""

    file: YamlScalar
    sheet: str = ""
    dialect: Dialect = RECOGNISED
    readable: bool = True
    free: bool = False  # ids may be missing, and of any form

    @property
    def kind(self) -> str:
        return PurePosixPath(self.file.text).suffix


@record
class CardFile:
    """A file that rows of a sort came from, and how it was read."""

    sort: str
    source: Source
    table: CardTable
    layer: int


def sources_of(sort: YamlMap, diagnostics: Diagnostics) -> Iterator[Source]:
    """The entries of `from:`; those that cannot be read so after Y176."""
    node = sort.get("from")
    for item in node.items if isinstance(node, YamlSeq) else (node,):
        if isinstance(item, YamlScalar):
            source = Source(item)
        elif isinstance(item, YamlMap) and isinstance(file := item.get("file"), YamlScalar):
            separator = "\t" if item.text("separator") in ("tab", "\\t") else item.text("separator") or ""
            dialect = Dialect(separator, item.text("encoding") or "utf-8")
            source = Source(file, item.text("sheet") or "", dialect)
        else:
            continue  # the schema tells of it
        yield replace(source, readable=_check_options(source, item, diagnostics))


def _check_options(source: Source, item: YamlNode, diagnostics: Diagnostics) -> bool:
    if source.kind not in KINDS:
        hint = "save it as an Excel workbook (.xlsx) or as CSV" if source.kind in (".xls", ".ods", ".numbers") else ""
        because = f"rulelang reads rows only from {quoted_list(KINDS)} files"
        message = f"`{source.file.text}` is not a file of rows"
        diagnostics.error("Y176", source.file.span, message, because=because, hint=hint)
        return False
    for word, kinds in (("sheet", (".xlsx",)), ("separator", TEXTS), ("encoding", TEXTS)):
        key = item.key(word) if isinstance(item, YamlMap) else None
        if key is not None and source.kind not in kinds:
            message = f"`{word}` does not apply to {a_quoted(source.kind)} file"
            diagnostics.error(
                "Y176", key.span, message, because=f"it applies only to {quoted_list(kinds)}", hint="leave it out"
            )
            return False
    return True


def listing_hint(path: PurePosixPath) -> str:
    """Say how a game reads this file: card types name tables, and `files:` lists the others."""
    if path.parts[0] == "lang":
        return "name it after its language code, such as `lang/de.yaml`"
    return f"write `from: {path.name}` in a card type" if path.suffix in TABLES else f"add `{path}` to `files:`"


def unparted(text: str, files: Collection[str]) -> str:
    """Return a hint if a text names several of these files without commas, else nothing."""
    names = text.split()
    return f"put commas between them: `{', '.join(names)}`" if len(names) > 1 and {*names} <= {*files} else ""


def read_source(source: Source, data: bytes, path: str, diagnostics: Diagnostics, layer: int) -> CardTable:
    """The rows of a file."""
    if source.kind == ".xlsx":
        from rulelang.data.xlsx_reader import read_xlsx

        return read_xlsx(data, path, source.sheet, source.file.span, diagnostics, layer, source.free)
    if source.kind == ".yaml":
        return _read_yaml(data, path, diagnostics, layer)
    return read_csv(data, path, diagnostics, layer, source.dialect, source.free)


def _read_yaml(data: bytes, path: str, diagnostics: Diagnostics, layer: int) -> CardTable:
    """Rows as `rows:` has them: a map by their ids, or a list. In a list a row may give its own `id`."""
    found = Diagnostics()
    file = read_yaml(data, path, found, layer)
    diagnostics.extend(found)
    root = file.root
    if root is None or not check_schema("rows", file, diagnostics):
        if root is None and not found.failed:
            start = Span(path, 1, 1, 1, 1)
            diagnostics.error(
                "Y110", start, "this card file is empty", hint="write its rows, or remove it from `from:`"
            )
        return empty_table(path, file.text, layer)
    if isinstance(root, YamlMap) and isinstance(root.get("cards"), YamlMap):
        key = root.key("cards")
        because = "a file in `from:` must contain only rows: a list, or a map from ids to rows"
        hint = "list this file under `files:` in the manifest"
        diagnostics.error(
            "Y176",
            key.span if key else root.span,
            "expected a file of rows, found a file of sections",
            because=because,
            hint=hint,
        )
        return empty_table(path, file.text, layer)
    return rows_of(root, file, diagnostics)


def rows_of(root: YamlNode, file: YamlFile, diagnostics: Diagnostics) -> CardTable:
    """The rows that a part of a YAML file is: a map by their ids, or a list."""
    rows: YamlNode = _by_id(root, diagnostics) if isinstance(root, YamlSeq) else root
    return CardTable(file.path, file.text, (), rows, citations=file.citations, values=file.values)


def _by_id(rows: YamlSeq, diagnostics: Diagnostics) -> YamlMap:
    """A list of rows as a map: rows with an `id` stand under it, others under a nameless key."""
    items: list[tuple[YamlScalar, YamlNode]] = []
    seen: dict[str, YamlScalar] = {}
    for item in rows.items:
        key = item.get("id") if isinstance(item, YamlMap) else item
        if not isinstance(key, YamlScalar) or not key.text:
            items.append((YamlScalar(None, item.span, "", "plain", item.layer), item))
            continue
        if key.text in seen:
            related = [Related(seen[key.text].span, f"the first `{key.text}` is here")]
            hint = "choose another name for one of them"
            diagnostics.error("Y112", key.span, f"two rows have the id `{key.text}`", hint=hint, related=related)
            continue
        seen[key.text] = key
        rest = tuple(pair for pair in item.items if pair[0].text != "id") if isinstance(item, YamlMap) else ()
        items.append((key, YamlMap(rest, item.span, item.layer)))
    return YamlMap(tuple(items), rows.span, rows.layer)

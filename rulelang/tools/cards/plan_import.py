"""`plan_import`: from a table outside to the new bytes of a game's files, tried out before anything is written."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related, affected_texts
from rulelang.base.source import Span
from rulelang.base.wording import quoted_list
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.card_tables import RECOGNISED, Dialect
from rulelang.data.folders import root_of
from rulelang.data.text import Overlap
from rulelang.data.xlsx_reader import sheet_names
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml
from rulelang.language.semantics.declare.cells import ROW_WORDS
from rulelang.tools.cards.changes import Changes, changes_of, check_changes
from rulelang.tools.cards.tables import TABLE_SUFFIXES, CannotExport, CardTypeTable, ReadTable, read_table, tables_of
from rulelang.tools.cards.writing import CannotWrite, GameFiles, write_changes


class CannotImport(Exception):
    """The table cannot be imported at all; the text says why and what can be done."""


@dataclass(slots=True)
class ImportPlan:
    """What a table changes: `every`, by sort. With mistakes (`diagnostics`, shown in `sources`) nothing is to be
    written, else `contents`, the new bytes of files."""

    every: dict[str, Changes] = field(default_factory=dict)
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    sources: dict[str, str] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    brought: dict[str, int] = field(default_factory=dict)

    @property
    def missing(self) -> dict[str, list[str]]:
        """By sort, the rows of the game that the table lacks, where they were to stay."""
        found = {}
        for name, changes in self.every.items():
            rows = [old for old, _, row in changes.wanted if row is None and old is not None]
            if rows:
                found[name] = [row.name or str(row.node.span) for row in rows]
        return found


def game_tables(compilation: Compilation) -> dict[str, CardTypeTable]:
    """The tables of a game. LoadError if its files cannot be read."""
    source, read = compilation.read
    if source is None or not source.complete:
        raise LoadError(read, source.sources if source is not None else {})
    return tables_of(source, compilation.model)


def plan_import(
    compilation: Compilation,
    path: str,
    *,
    sort: str = "",
    sheet: str = "",
    dialect: Dialect = RECOGNISED,
    removing: bool = False,
) -> ImportPlan:
    """What a file of rows changes in a game, and the game's new files. CannotImport, LoadError, OSError.

    `sort`: whose rows they are; else the name of the file or its sheets tell. `removing`: rows that the file lacks go.
    """
    tables = game_tables(compilation)
    if not tables:
        raise CannotImport("this game has no cards")
    if PurePath(path).suffix.lower() not in TABLE_SUFFIXES:
        raise CannotImport(f"`{path}` is not a file of rows: rulelang reads {quoted_list(TABLE_SUFFIXES)}")
    data = Path(path).read_bytes()
    plan = ImportPlan(sources=dict(compilation.source.sources))
    for name, where in _sheets_by_card_type(path, data, tables, sort, sheet).items():
        given = read_table(data, path, name, where, plan.diagnostics, dialect)
        if given is None:
            plan.sources.update(_file_text(path, data))
            continue
        plan.sources[given.table.path] = given.table.text
        unused = _unused_columns(compilation, name)
        changes = changes_of(tables[name], given, unused, plan.diagnostics, removing=removing)
        if changes is not None:
            plan.every[name] = changes
            plan.brought[name] = tables[name].brought
            _report_odd_cells(given, changes, plan.diagnostics)
    if not plan.diagnostics.failed and any(plan.every.values()):
        plan.diagnostics.extend(check_changes(compilation.source, plan.every))
    if not plan.diagnostics.failed and any(plan.every.values()):
        _fill_contents(compilation, plan)
    return plan


def carry_out(plan: ImportPlan) -> list[str]:
    """Write the new files, each whole or not at all; their paths. OSError."""
    for path, data in plan.contents.items():
        handle, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".rulelang-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            shutil.copymode(path, name)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
            raise
    return list(plan.contents)


# ---- what is meant


def _sheets_by_card_type(
    path: str, data: bytes, tables: Mapping[str, CardTypeTable], sort: str, sheet: str
) -> dict[str, str]:
    """The sorts that the file has rows of, each with the sheet on which they stand."""
    suffix = PurePath(path).suffix.lower()
    names = list(tables)
    if sort and sort not in tables:
        raise CannotImport(f"the game has no card type `{sort}`: it has {quoted_list(names)}")
    if suffix == ".xlsx":
        there = sheet_names(data)
        found = {name: name[:31] for name in names if name[:31] in there and (not sort or name == sort)}
        if sheet:
            return {sort or _only_card_type(names, path): sheet}
        return found or {sort or _only_card_type(names, path): ""}
    if suffix == ".json" and not sort:
        root = _json_card_types(data)
        unknown = [name for name in root if name not in tables]
        if unknown:
            raise CannotImport(f"the game has no card type {quoted_list(unknown)}: it has {quoted_list(names)}")
        return dict.fromkeys(root, "") or {_only_card_type(names, path): ""}
    if sort:
        return {sort: sheet}
    stem = PurePath(path).stem
    return {stem if stem in tables else _only_card_type(names, path): sheet}


def _only_card_type(names: Sequence[str], path: str) -> str:
    if len(names) == 1:
        return names[0]
    raise CannotImport(f"the game has the card types {quoted_list(names)}: name the one of `{path}` with `--sort`")


def _json_card_types(data: bytes) -> list[str]:
    root = read_yaml(data, "", Diagnostics()).root
    cards = root.get("cards") if isinstance(root, YamlMap) else None
    return list(cards.keys()) if isinstance(cards, YamlMap) else []


def _unused_columns(compilation: Compilation, sort: str) -> list[str]:
    node = compilation.source.tree.map("cards").map(sort).get("unused_columns")
    items = node.items if isinstance(node, YamlSeq) else (node,)
    return [item.text for item in items if isinstance(item, YamlScalar)]


def _file_text(path: str, data: bytes) -> dict[str, str]:
    try:
        return {path: data.decode("utf-8-sig").replace("\r\n", "\n")}
    except UnicodeDecodeError:
        return {}


def _report_odd_cells(given: ReadTable, changes: Changes, diagnostics: Diagnostics) -> None:
    """Cells that hold no value are told wherever they stand: what they are to be in the game is not known. (A date that
    no rule reads is its text.)"""
    names = {form.name for form in changes.forms}
    free = {form.name for form in changes.forms if form.kind == "text" and form.key not in ROW_WORDS}
    for _, row in given.rows:
        for key, cell in row if isinstance(row, YamlMap) else ():
            if isinstance(cell, YamlScalar) and cell.style == "odd" and key.text in names:
                if cell.text and key.text in free:
                    continue
                diagnostics.add(given.table.odd[cell.span])


# ---- trying it out


def _fill_contents(compilation: Compilation, plan: ImportPlan) -> None:
    """Fill in the new files, and make sure that the game is read from them as it was meant."""
    files = GameFiles(compilation.source)
    read: dict[str, bytes] = {}
    try:
        for changes in plan.every.values():
            write_changes(files, changes)
        for path in files.paths:
            if not os.path.isfile(path):
                raise CannotImport(f"`{path}` is in a zip, and rulelang cannot write into zips: unpack it first")
            read[path] = Path(path).read_bytes()
        contents = files.contents(read)
    except (CannotWrite, CannotExport, Overlap, UnicodeError) as mistake:
        raise CannotImport(str(mistake)) from None
    found, sources, tables = _check_changed_copy(compilation, contents)
    before = {(item.code, item.message) for item in compilation.checked.diagnostics}
    fresh = [item for item in found if (item.code, item.message) not in before]
    plan.diagnostics.extend(fresh)
    plan.sources.update(affected_texts(fresh, sources))
    if plan.diagnostics.failed:
        return
    for name, changes in plan.every.items():
        wrong = _first_wrong_row(changes, tables.get(name))
        if wrong:
            where = quoted_list(list(contents))
            raise CannotImport(f"{wrong} cannot be written into {where} without other changes: edit it there by hand")
    plan.contents = contents


def _first_wrong_row(changes: Changes, table: CardTypeTable | None) -> str:
    """A row that has not become what was wanted, in words; none if all have."""
    wanted = {old.name or id(old): dict(old.cells) for old in changes.table.rows}
    new: list[dict[str, str]] = []
    for change in changes.rows:
        if change.old is None:
            cells = {cell.form.name: cell.after for cell in change.cells if cell.after}
            new.append(cells | ({"id": change.name} if change.name else {}))
        elif not change.cells:
            del wanted[change.old.name or id(change.old)]
        else:
            cells = wanted[change.old.name or id(change.old)]
            cells.update((cell.form.name, cell.after) for cell in change.cells)
    expected = [_filled_cells(cells) for cells in (*wanted.values(), *new)]
    found = [_filled_cells(row.cells) for row in table.rows] if table is not None else []
    if sorted(found) == sorted(expected):
        return ""
    lost = next((cells for cells in expected if cells not in found), None)
    name = dict(lost).get("id", "") if lost else ""
    return f"the row `{name}`" if name else "a row without an id"


def _filled_cells(cells: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The cells that something stands in. (A number of copies is told even where a row leaves it out.)"""
    return tuple(sorted((name, text) for name, text in cells.items() if text and (name, text) != ("copies", "1")))


def _check_changed_copy(
    compilation: Compilation, contents: Mapping[str, bytes]
) -> tuple[list[Diagnostic], Mapping[str, str], dict[str, CardTypeTable]]:
    """What is wrong with the game after the change, with the places and texts of its own files, and its tables."""
    source = compilation.source
    roots = [root_of(manifest.span.path) for manifest in (source.manifest, *source.mods)]
    with tempfile.TemporaryDirectory(prefix="rulelang-") as folder:
        copies = []
        for number, root in enumerate(roots):
            copy = Path(folder) / str(number) / os.path.basename(root)
            copy.parent.mkdir()
            if os.path.isdir(root):
                shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
                for path, data in contents.items():
                    inside = os.path.relpath(os.path.abspath(path), root)
                    if not inside.startswith(".."):
                        (copy / inside).write_bytes(data)
            else:
                shutil.copy(root, copy)
            copies.append(copy)
        tried = Compilation(copies[0], copies[1:], compilation.mode)
        named = dict(zip(map(str, copies), roots, strict=True))
        found = [_original_diagnostic(item, named) for item in tried.checked.diagnostics]
        sources = {_original_path(path, named): text for path, text in tried.checked.sources.items()}
        read = tried.read[0]
        return found, sources, tables_of(read, tried.model) if read is not None else {}


def _original_diagnostic(item: Diagnostic, named: Mapping[str, str]) -> Diagnostic:
    related = tuple(Related(_original_span(place.span, named), place.note) for place in item.related)
    return Diagnostic(
        item.code, _original_span(item.span, named), item.message, item.because, item.hint, related, item.severity
    )


def _original_span(span: Span, named: Mapping[str, str]) -> Span:
    return span._replace(path=_original_path(span.path, named))


def _original_path(path: str, named: Mapping[str, str]) -> str:
    for copy, root in named.items():
        if path.startswith(copy):
            return os.path.relpath(root + path[len(copy) :])
    return path

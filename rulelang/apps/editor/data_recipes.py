"""Fix mistakes in data files, scenarios and values, by code."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes import Edit, MistakePlace, Recipe, fresh_name
from rulelang.base.source import Span
from rulelang.language.semantics.model import CardType, Column, Grid, Listing

# ---- Data files and scenarios

#: So many names are tried.
_MOST_TRIED = 12


def _at_most(place: MistakePlace) -> Iterator[Recipe]:
    behind = place.row[place.item.span.end_column - 1 :]
    flow = re.match(r"\s*:\s*\{", behind)
    if flow is not None:
        at = place.item.span.end_column - 1 + flow.end()
        yield Recipe("Write `at_most: 20`", (place.on(at, at, "at_most: 20, "),))
    elif behind.strip() == ":":
        indent = " " * (place.item.span.column + 1)
        yield Recipe("Write `at_most: 20`", (place.on(len(place.row), len(place.row), f"\n{indent}at_most: 20"),))


def _whole_quoted(place: MistakePlace) -> Iterator[Recipe]:
    found = re.match(r"(\s*- )(.*?)\s*\Z", place.row)
    if found is not None:
        sign = "'" if '"' in found[2] else '"'
        yield Recipe("Put it in quotes", (place.on(found.end(1), found.end(2), f"{sign}{found[2]}{sign}"),))


def _write_claim_as_step(place: MistakePlace) -> Iterator[Recipe]:
    """Yield what the hint says of a claim in quotes, of true or false, and of a step in one line with its player."""
    at = place.item.span.column - 1
    quoted = re.search(r'put it in quotes: "(.*)"\Z', place.item.hint)
    if quoted is not None and place.row.startswith(quoted[1], at):
        yield Recipe("Put it in quotes", (place.on(at, at + len(quoted[1]), f'"{quoted[1]}"'),))
    if re.search(r"`\{\w+: (?:true|false)\}`", place.item.hint):
        yield from (Recipe(f"Write `{word}`", (place.replaced(word),), (), True) for word in ("true", "false"))
    step = re.fullmatch(r"(['\"])(.*: \{.*\})\1", place.guilty)
    if "in one line with their player" in place.item.message and step is not None:
        said = step[2].replace("''", "'") if step[1] == "'" else step[2].replace('\\"', '"')
        new = f"[{{{said}}}]" if place.row[:at].rstrip().endswith(":") else f"{{{said}}}"
        yield Recipe(f"Write `{new}`", (place.replaced(new),))
    yield from _whole_quoted(place)


def _allow_any_reason(place: MistakePlace) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield Recipe('Write `refused: ""`', (place.on(at, at + len(place.guilty), '""'),))


def _remove_tag(place: MistakePlace) -> Iterator[Recipe]:
    tag = re.match(r"![^\s,\]}]*[ \t]*", place.row[place.item.span.column - 1 :])
    if tag is not None:
        at = place.item.span.column - 1
        yield Recipe(f"Delete `{tag[0].strip()}`", (place.on(at, at + tag.end(), ""),))


def _use_literal_block(place: MistakePlace) -> Iterator[Recipe]:
    for number in range(place.item.span.line, 0, -1):
        found = re.match(r"(\s*(?:- )?rules:\s*)[>|][\d+-]*", place.rows[number - 1])
        if found is not None:
            yield Recipe("Write `rules: |`", (place.on(found.end(1), found.end(), "|", number),))
            return


def _twice_quoted(place: MistakePlace) -> Iterator[Recipe]:
    cells = re.sub(r'(?<=[^,\n])"(?=[^,\n])', '""', place.row)
    yield Recipe("Double the quotes", (place.on(0, len(place.row), cells),))


# ---- cards and zones


def _move_rows_to_type(place: MistakePlace) -> Iterator[Recipe]:
    """Rows of a trait under the sort that takes them, one of those that the message names."""
    span = place.item.span
    for related in place.item.related:
        sort = re.match(r"`(\w+)` is one", related.note)
        if sort is None:
            continue
        edits: tuple[Edit, ...]
        if place.row[: span.column - 1].strip():  # on the line of `cards:`
            edits = (
                (span._replace(end_line=span.line, end_column=span.column), f"{{{sort[1]}: "),
                _insertion_after(span, "}"),
            )
        else:
            last = place.block_end(span.line - 1)
            rows = place.rows[span.line - 1 : last]
            body = "".join(f"  {row}\n" if row.strip() else "\n" for row in rows)
            edits = (place.lines(span.line, last, f"{place.indent() or '  '}{sort[1]}:\n{body}"),)
        yield Recipe(f"Write `{sort[1]}: ...`", edits, (), True)


def _insertion_after(span: Span, text: str) -> Edit:
    return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column), text


def _add_card_type(place: MistakePlace) -> Iterator[Recipe]:
    """Other cards in a zone, which no trait has; or cards that do nothing while they lie there."""
    zone = next((zone for zone in place.analysis.model.zones.values() if zone.span == place.item.span), None)
    sort = place.analysis.model.sorts.get(zone.holds) if zone is not None else None
    last = place.block_end(place.item.span.line)
    if zone is None or sort is None:
        return
    home = place.analysis.texts.get(absolute(sort.span.path), "").split("\n")
    name = fresh_name(f"{zone.of}_{zone.holds}", list(place.analysis.texts.values()))
    for number in range(place.item.span.line, last + 1):
        row = place.rows[number - 1]
        held, works = re.search(r"\bholds: *(\w+)", row), re.search(r"(?:, *|^ *)in_force: *true\b(?:\s*\Z)?", row)
        if held is not None:
            left = home[sort.span.line - 1][: sort.span.column - 1]
            new = (
                Span(sort.span.path, sort.span.line, 1, sort.span.line, 1),
                f"{left}{name}: {{columns: {{}}, rows: {{{name}_1: {{}}}}}}\n",
            )
            yield Recipe(f"Give it a card type `{name}`", (place.on(*held.span(1), name, number), new), (), True)
        if works is not None:
            whole = place.lines(number, number, "") if not row[: works.start()].strip() else None
            yield Recipe("Let cards do nothing there", (whole or place.on(*works.span(), "", number),), (), True)


def _unindent_section(place: MistakePlace) -> Iterator[Recipe]:
    """A section with what is indented below it; what stands below it and is not stays where it is."""
    line, blanks = place.item.span.line, len(place.indent())
    rows = place.rows[line - 1 : place.block_end(line)]
    moved = "".join(f"{row[blanks:] if not row[:blanks].strip() else row}\n" for row in rows)
    yield Recipe("Move it to the left edge", (place.lines(line, place.block_end(line), moved),))


# ---- files of rows


def _match_cell_count(place: MistakePlace) -> Iterator[Recipe]:
    """A row with as many cells as there are columns: with empty ones behind it; or with a comma that is text."""
    sizes = re.search(r"this row has (\d+) cells?, but the first line has (\d+)", place.item.message)
    sign = next((sign for sign in (",", ";", "\t") if sign in place.rows[0]), ",")
    if sizes is None:
        return
    has, wants = int(sizes[1]), int(sizes[2])
    end = len(place.row.rstrip("\r\n"))
    if has < wants:
        yield Recipe("Add the cells that are missing", (place.on(end, end, sign * (wants - has)),))
        return
    if '"' in place.row:
        return
    parts = place.row[:end].split(sign)
    for number in range(len(parts) - 1, -1, -1):
        whole = sign.join(parts[number : number + has - wants + 1])
        if number + has - wants < len(parts):
            row = sign.join([*parts[:number], f'"{whole}"', *parts[number + has - wants + 1 :]])
            yield Recipe(f'Write `"{whole}"`, one cell', (place.on(0, end, row),), (), True)


def _name_rows_of_file(place: MistakePlace, name: str) -> Iterator[tuple[Span, str]]:
    """Where a file of rows is named, each as `from: NAME` or in `file: NAME`, and its name there."""
    stem = os.path.basename(name)
    for path, text in place.analysis.texts.items():
        if path.endswith((".yaml", ".yml")):
            for number, row in enumerate(text.split("\n"), 1):
                for found in re.finditer(rf"(?:from: *|\[|, *|- )((?:[\w./-]*/)?{re.escape(stem)})(?=\s|,|\]|\Z)", row):
                    shown = place.analysis.display(path)
                    yield Span(shown, number, found.start(1) + 1, number, found.end(1) + 1), found[1]


def _add_separator(place: MistakePlace) -> Iterator[Recipe]:
    names = {",": '","', ";": '";"', "\t": "tab"}
    for sign in (sign for sign in (";", ",", "\t") if sign in place.row):
        for span, name in _name_rows_of_file(place, place.item.span.path):
            new = f"{{file: {name}, separator: {names[sign]}}}"
            yield Recipe(f"Write `{new}`", ((span, new),), (), True)


def _name_sheet(place: MistakePlace) -> Iterator[Recipe]:
    for sheet in re.findall(r"`([^`]+)`", place.item.message):
        named = sheet if re.fullmatch(r"[A-Za-z_][\w ]*", sheet) else '"' + sheet.replace('"', '\\"') + '"'
        new = f"{{file: {place.guilty}, sheet: {named}}}"
        yield Recipe(f"Write `{new}`", (place.replaced(new),), (), True)


def _name_as_csv(place: MistakePlace) -> Iterator[Recipe]:
    """The name that the file has when it is saved so; and a first line for it, where there is none yet."""
    stem = os.path.splitext(place.guilty)[0]
    folder = os.path.dirname(absolute(place.item.span.path))
    for ending in (".xlsx", ".csv"):
        path = os.path.join(folder, *f"{stem}{ending}".split("/"))
        if os.path.exists(path):
            yield Recipe(f"Write `{stem}{ending}`", (place.replaced(f"{stem}{ending}"),), (), True)
        elif ending == ".csv":
            columns = next(
                (sort.columns for sort in place.analysis.model.sorts.values() if _is_around(place, sort.span)), {}
            )
            first = ",".join(["id", *columns])
            made = ((path, f"{first}\n"),)
            yield Recipe(
                f"Start `{stem}.csv`, to save the other file as CSV", (place.replaced(f"{stem}.csv"),), made, True
            )


def _is_around(place: MistakePlace, span: Span) -> bool:
    """Whether a declaration is the one in which the mistake stands."""
    inside = span.path == place.item.span.path and span.line <= place.item.span.line
    return inside and place.item.span.line <= place.block_end(span.line)


# ---- scenarios


def _join_card(place: MistakePlace) -> Iterator[Recipe]:
    """A card of a pair with one of the other things that the scenario lays out."""
    first = last = place.item.span.line
    while first > 1 and not re.match(r"\s*- name:", place.rows[first - 1]):
        first -= 1
    while last < len(place.rows) and not re.match(r"\s*(?:- name|when|then|steps):", place.rows[last]):
        last += 1
    words = re.findall(r"[A-Za-z_]\w*", "\n".join(place.rows[first:last]))
    symbols = place.analysis.symbols
    known = {*symbols.kinds(), *place.analysis.model.traits, *place.analysis.model.zones, place.guilty}
    for word in list(dict.fromkeys(word for word in words if word not in known))[:_MOST_TRIED]:
        new = f"{place.guilty}: {{with: {word}}}"
        bare = not re.search(r"[\[,-] *\Z", place.row[: place.item.span.column - 1])
        yield Recipe(f"Join it with `{word}`", (place.replaced(f"[{new}]" if bare else new),), (), True)


FILE_RECIPES: dict[str, Callable[[MistakePlace], Iterator[Recipe]]] = {
    "C701": _write_claim_as_step,
    "C714": _allow_any_reason,
    "C716": _join_card,
    "N318": _at_most,
    "N329": _move_rows_to_type,
    "N368": _add_card_type,
    "Y105": _remove_tag,
    "Y111": _match_cell_count,
    "Y113": _twice_quoted,
    "Y123": _use_literal_block,
    "Y153": _unindent_section,
    "Y170": _add_separator,
    "Y173": _name_sheet,
    "Y176": _name_as_csv,
}


# ---- Values

_START = re.compile(r"write `(start: [^`]+)`")
_MISSING = re.compile(r"has no (?:value in the )?column `(\w+)`")
#: What stands behind a key: a flow map, or a plain value.
_FLOW = re.compile(r"\s*:\s*\{")
_PLAIN = re.compile(r"\s*:\s*(?P<value>[^\s,{}#][^,{}#]*?)\s*(?=[,}#]|\Z)")


def _add_start(place: MistakePlace) -> Iterator[Recipe]:
    """A start where none is said, since it would be out of range."""
    said = _START.search(place.item.hint)
    end = place.item.span.end_column - 1
    if said is None:
        return
    flow, plain = _FLOW.match(place.row, end), _PLAIN.match(place.row, end)
    if flow is not None:
        yield Recipe(f"Write `{said[1]}`", (place.on(flow.end(), flow.end(), f"{said[1]}, "),))
    elif plain is not None:
        at, behind = plain.span("value")
        yield Recipe(f"Write `{said[1]}`", (place.on(at, behind, f"{{is: {plain['value']}, {said[1]}}}"),))


def _fill_cell(place: MistakePlace) -> Iterator[Recipe]:
    """A value for the row; or none is needed in the column."""
    if "`copies: 1`" in place.item.hint:
        yield from _add_key_beside_from(place, "copies: 1", "Write `copies: 1`")
    name = _MISSING.search(place.item.message)
    said = [related.span for related in place.item.related]
    end = place.item.span.end_column - 1
    model = place.analysis.model
    tables: list[Listing | CardType | Grid] = [*model.lists.values(), *model.sorts.values(), *model.grids.values()]
    for column in (column for table in tables for column in table.columns.values()):
        named = name is not None and name[1] == column.name
        if not named and column.span not in said:
            continue
        flow = _FLOW.match(place.row, end)
        if flow is not None and named:
            comma = "" if place.row[flow.end() :].lstrip().startswith("}") else ", "
            given = f"{column.name}: {_sample_value(place, column)}"
            yield Recipe(f"Write `{given}`", (place.on(flow.end(), flow.end(), f"{given}{comma}"),), (), True)
        needless = _optional_column(place, column)
        if needless is not None:
            yield needless


def _declare_column(place: MistakePlace) -> Iterator[Recipe]:
    """A column of a file of rows: declared with the first type that all of its cells have, or left aside."""
    if "`unused_columns:" not in place.item.hint or not place.guilty.isidentifier():
        return
    model = place.analysis.model
    tables: list[Listing | CardType] = [*model.sorts.values(), *model.lists.values()]
    for table in tables:
        first = next(iter(table.columns.values()), None)
        if first is None or table.span.path != place.item.span.path:
            continue
        at = first.span.column - 1
        indent = place.analysis.texts.get(absolute(first.span.path), "").split("\n")[first.span.line - 1][:at]
        for type_ in _types_of(place):
            new = f"{place.guilty}: {type_}"
            edit = _insertion(first.span, at, f"{new}\n{indent}" if not indent.strip() else f"{new}, ")
            yield Recipe(f"Declare the column `{new}`", (edit,), (), True)
    said = f"Name it in `unused_columns: [{place.guilty}]`"
    for span, found in _find_declared(place, r"\bunused_columns:\s*\["):
        comma = "" if found.string[found.end() :].startswith("]") else ", "
        yield Recipe(said, (_insertion(span, found.end(), f"{place.guilty}{comma}"),), (), True)
    yield from _add_key_beside_from(place, f"unused_columns: [{place.guilty}]", said)


def _types_of(place: MistakePlace) -> Iterator[str]:
    """What the cells below the guilty one may be."""
    sign = next((sign for sign in (",", ";", "\t") if sign in place.row), ",")
    number = place.row[: place.item.span.column - 1].count(sign)
    lines = csv.reader(place.rows[place.item.span.line :], delimiter=sign)
    cells = {line[number].strip() for line in lines if number < len(line)} - {""}
    if all(re.fullmatch(r"-?\d+", cell) for cell in cells):
        yield "int"
    if cells <= {"true", "false"}:
        yield "bool"
    yield from (kind for kind in place.analysis.model.lists if cells <= {*place.analysis.symbols.rows_of(kind)})


def _add_cell_meaning(place: MistakePlace) -> Iterator[Recipe]:
    """What a cell means that is neither true nor false, said in its column."""
    named = re.search(r"the column `(\w+)`", place.item.because)
    model = place.analysis.model
    if named is None or "`cells: {" not in place.item.hint:
        return
    tables: list[Listing | CardType] = [*model.sorts.values(), *model.lists.values()]
    for table in tables:
        column = table.columns.get(named[1]) if table.span.path == place.item.span.path else None
        for word in ("true", "false") if column is not None else ():
            quoted = place.guilty if re.fullmatch(r"[A-Za-z]\w*", place.guilty) else f'"{place.guilty}"'
            said = f"cells: {{{quoted}: {word}}}"
            edits = _add_column_key(place, column, said) if column is not None else ()
            if edits:
                yield Recipe(f"Write `{said}`", edits, (), True)


def _add_key_beside_from(place: MistakePlace, text: str, title: str) -> Iterator[Recipe]:
    """One key more where the file in which the mistake stands is named."""
    stem = re.escape(os.path.basename(place.item.span.path))
    for span, found in _find_declared(place, rf"\bfrom:.*?(?<![\w.-]){stem}(?![\w.-])"):
        indent = found.string[: found.start()]
        new = f"{text}\n{indent}" if not indent.strip() else f"{text}, "
        yield Recipe(title, (_insertion(span, found.start(), new),), (), True)


def _find_declared(place: MistakePlace, pattern: str) -> Iterator[tuple[Span, re.Match[str]]]:
    """Where something stands in files of data: its line, and what was found there."""
    for path, text in place.analysis.texts.items():
        for number, row in enumerate(text.split("\n"), 1) if path.endswith((".yaml", ".yml")) else ():
            found = re.search(pattern, row)
            if found is not None:
                yield Span(place.analysis.display(path), number, 1, number, 1), found


def _sample_value(place: MistakePlace, column: Column) -> str:
    if column.type.tag == "ref":
        return next(iter(place.analysis.symbols.rows_of(column.type.name)), "none")
    return "false" if column.type.tag == "bool" else str(column.low or 0)


def _optional_column(place: MistakePlace, column: Column) -> Recipe | None:
    """A column of which a row need say nothing: a row of a list may be missing, other values have a default."""
    rows = place.analysis.texts.get(absolute(column.span.path), "").split("\n")
    row = rows[column.span.line - 1] if column.span.line <= len(rows) else ""
    end = column.span.end_column - 1
    flow, plain = _FLOW.match(row, end), _PLAIN.match(row, end)
    kind = re.compile(r"\bis:\s*").search(row, end) if flow is not None else None
    at = plain.start("value") if plain is not None else kind.end() if kind is not None else -1
    if column.type.tag == "ref" and at >= 0:
        return Recipe(f"Allow `{column.name}` to be missing", (_insertion(column.span, at, "maybe "),), (), True)
    default = f"default: {_sample_value(place, column)}"
    edits = _add_column_key(place, column, default)
    return Recipe(f"Write `{default}`", edits, (), True) if edits else None


def _add_column_key(place: MistakePlace, column: Column, text: str) -> tuple[Edit, ...]:
    """One key more in the declaration of a column; nothing where that has a line for each key."""
    rows = place.analysis.texts.get(absolute(column.span.path), "").split("\n")
    row = rows[column.span.line - 1] if column.span.line <= len(rows) else ""
    flow, plain = (one.match(row, column.span.end_column - 1) for one in (_FLOW, _PLAIN))
    if flow is not None:
        return (_insertion(column.span, flow.end(), f"{text}, "),)
    if plain is not None:
        at, behind = plain.span("value")
        return _insertion(column.span, at, "{is: "), _insertion(column.span, behind, f", {text}}}")
    return ()


def _insertion(span: Span, at: int, text: str) -> Edit:
    """Something more at a column (from 0) of a line."""
    return Span(span.path, span.line, at + 1, span.line, at + 1), text


VALUE_RECIPES: dict[str, Callable[[MistakePlace], Iterator[Recipe]]] = {
    "N304": _add_cell_meaning,
    "N315": _add_start,
    "N318": _fill_cell,
    "N319": _declare_column,
}

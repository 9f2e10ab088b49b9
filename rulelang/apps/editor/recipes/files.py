"""What mends the files of data and of scenarios, by code."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes.place import Edit, Place, Recipe, fresh
from rulelang.base.source import Span

#: So many names are tried.
_TRIED = 12


def _at_most(place: Place) -> Iterator[Recipe]:
    behind = place.row[place.item.span.end_column - 1 :]
    flow = re.match(r"\s*:\s*\{", behind)
    if flow is not None:
        at = place.item.span.end_column - 1 + flow.end()
        yield Recipe("Write `at_most: 20`", (place.on(at, at, "at_most: 20, "),))
    elif behind.strip() == ":":
        indent = " " * (place.item.span.column + 1)
        yield Recipe("Write `at_most: 20`", (place.on(len(place.row), len(place.row), f"\n{indent}at_most: 20"),))


def _whole_quoted(place: Place) -> Iterator[Recipe]:
    found = re.match(r"(\s*- )(.*?)\s*\Z", place.row)
    if found is not None:
        sign = "'" if '"' in found[2] else '"'
        yield Recipe("Put it in quotes", (place.on(found.end(1), found.end(2), f"{sign}{found[2]}{sign}"),))


def _as_a_scenario_says(place: Place) -> Iterator[Recipe]:
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


def _any_reason(place: Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    yield Recipe('Write `refused: ""`', (place.on(at, at + len(place.guilty), '""'),))


def _no_tag(place: Place) -> Iterator[Recipe]:
    tag = re.match(r"![^\s,\]}]*[ \t]*", place.row[place.item.span.column - 1 :])
    if tag is not None:
        at = place.item.span.column - 1
        yield Recipe(f"Delete `{tag[0].strip()}`", (place.on(at, at + tag.end(), ""),))


def _as_written(place: Place) -> Iterator[Recipe]:
    for number in range(place.item.span.line, 0, -1):
        found = re.match(r"(\s*(?:- )?rules:\s*)[>|][\d+-]*", place.rows[number - 1])
        if found is not None:
            yield Recipe("Write `rules: |`", (place.on(found.end(1), found.end(), "|", number),))
            return


def _twice_quoted(place: Place) -> Iterator[Recipe]:
    cells = re.sub(r'(?<=[^,\n])"(?=[^,\n])', '""', place.row)
    yield Recipe("Double the quotes", (place.on(0, len(place.row), cells),))


# ---- cards and zones


def _sorted_out(place: Place) -> Iterator[Recipe]:
    """Rows of a trait under the sort that takes them, one of those that the message names."""
    span = place.item.span
    for related in place.item.related:
        sort = re.match(r"`(\w+)` is one", related.note)
        if sort is None:
            continue
        edits: tuple[Edit, ...]
        if place.row[: span.column - 1].strip():  # on the line of `cards:`
            edits = ((span._replace(end_line=span.line, end_column=span.column), f"{{{sort[1]}: "), _behind(span, "}"))
        else:
            last = place.block_end(span.line - 1)
            rows = place.rows[span.line - 1 : last]
            body = "".join(f"  {row}\n" if row.strip() else "\n" for row in rows)
            edits = (place.lines(span.line, last, f"{place.indent() or '  '}{sort[1]}:\n{body}"),)
        yield Recipe(f"Write `{sort[1]}: ...`", edits, (), True)


def _behind(span: Span, text: str) -> Edit:
    return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column), text


def _sort_of_its_own(place: Place) -> Iterator[Recipe]:
    """Other cards in a zone, which no trait has; or cards that do nothing while they lie there."""
    zone = next((zone for zone in place.analysis.model.zones.values() if zone.span == place.item.span), None)
    sort = place.analysis.model.sorts.get(zone.holds) if zone is not None else None
    last = place.block_end(place.item.span.line)
    if zone is None or sort is None:
        return
    home = place.analysis.texts.get(absolute(sort.span.path), "").split("\n")
    name = fresh(f"{zone.of}_{zone.holds}", list(place.analysis.texts.values()))
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


def _at_the_edge(place: Place) -> Iterator[Recipe]:
    """A section with what is indented below it; what stands below it and is not stays where it is."""
    line, blanks = place.item.span.line, len(place.indent())
    rows = place.rows[line - 1 : place.block_end(line)]
    moved = "".join(f"{row[blanks:] if not row[:blanks].strip() else row}\n" for row in rows)
    yield Recipe("Move it to the left edge", (place.lines(line, place.block_end(line), moved),))


# ---- files of rows


def _cells(place: Place) -> Iterator[Recipe]:
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


def _said_where_named(place: Place, name: str) -> Iterator[tuple[Span, str]]:
    """Where a file of rows is named, each as `from: NAME` or in `file: NAME`, and its name there."""
    stem = os.path.basename(name)
    for path, text in place.analysis.texts.items():
        if path.endswith((".yaml", ".yml")):
            for number, row in enumerate(text.split("\n"), 1):
                for found in re.finditer(rf"(?:from: *|\[|, *|- )((?:[\w./-]*/)?{re.escape(stem)})(?=\s|,|\]|\Z)", row):
                    shown = place.analysis.display(path)
                    yield Span(shown, number, found.start(1) + 1, number, found.end(1) + 1), found[1]


def _separated(place: Place) -> Iterator[Recipe]:
    names = {",": '","', ";": '";"', "\t": "tab"}
    for sign in (sign for sign in (";", ",", "\t") if sign in place.row):
        for span, name in _said_where_named(place, place.item.span.path):
            new = f"{{file: {name}, separator: {names[sign]}}}"
            yield Recipe(f"Write `{new}`", ((span, new),), (), True)


def _of_a_sheet(place: Place) -> Iterator[Recipe]:
    for sheet in re.findall(r"`([^`]+)`", place.item.message):
        named = sheet if re.fullmatch(r"[A-Za-z_][\w ]*", sheet) else '"' + sheet.replace('"', '\\"') + '"'
        new = f"{{file: {place.guilty}, sheet: {named}}}"
        yield Recipe(f"Write `{new}`", (place.replaced(new),), (), True)


def _as_csv(place: Place) -> Iterator[Recipe]:
    """The name that the file has when it is saved so; and a first line for it, where there is none yet."""
    stem = os.path.splitext(place.guilty)[0]
    folder = os.path.dirname(absolute(place.item.span.path))
    for ending in (".xlsx", ".csv"):
        path = os.path.join(folder, *f"{stem}{ending}".split("/"))
        if os.path.exists(path):
            yield Recipe(f"Write `{stem}{ending}`", (place.replaced(f"{stem}{ending}"),), (), True)
        elif ending == ".csv":
            columns = next(
                (sort.columns for sort in place.analysis.model.sorts.values() if _near(place, sort.span)), {}
            )
            first = ",".join(["id", *columns])
            made = ((path, f"{first}\n"),)
            yield Recipe(
                f"Start `{stem}.csv`, to save the other file as CSV", (place.replaced(f"{stem}.csv"),), made, True
            )


def _near(place: Place, span: Span) -> bool:
    """Whether a declaration is the one in which the mistake stands."""
    inside = span.path == place.item.span.path and span.line <= place.item.span.line
    return inside and place.item.span.line <= place.block_end(span.line)


# ---- scenarios


def _joined_with(place: Place) -> Iterator[Recipe]:
    """A card of a pair with one of the other things that the scenario lays out."""
    first = last = place.item.span.line
    while first > 1 and not re.match(r"\s*- name:", place.rows[first - 1]):
        first -= 1
    while last < len(place.rows) and not re.match(r"\s*(?:- name|when|then|steps):", place.rows[last]):
        last += 1
    words = re.findall(r"[A-Za-z_]\w*", "\n".join(place.rows[first:last]))
    symbols = place.analysis.symbols
    known = {*symbols.kinds(), *place.analysis.model.traits, *place.analysis.model.zones, place.guilty}
    for word in list(dict.fromkeys(word for word in words if word not in known))[:_TRIED]:
        new = f"{place.guilty}: {{with: {word}}}"
        bare = not re.search(r"[\[,-] *\Z", place.row[: place.item.span.column - 1])
        yield Recipe(f"Join it with `{word}`", (place.replaced(f"[{new}]" if bare else new),), (), True)


FILES: dict[str, Callable[[Place], Iterator[Recipe]]] = {
    "C701": _as_a_scenario_says,
    "C714": _any_reason,
    "C716": _joined_with,
    "N318": _at_most,
    "N329": _sorted_out,
    "N368": _sort_of_its_own,
    "Y105": _no_tag,
    "Y111": _cells,
    "Y113": _twice_quoted,
    "Y123": _as_written,
    "Y153": _at_the_edge,
    "Y170": _separated,
    "Y173": _of_a_sheet,
    "Y176": _as_csv,
}

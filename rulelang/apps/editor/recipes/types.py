"""What mends statements and expressions that were read and do not fit, by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes.place import Place, Recipe, fresh
from rulelang.language.semantics.model import BOOL, INT

_PATH_BEFORE = re.compile(r"[\w.]*\Z")
_REQUIRE = re.compile(r"(?:require|ensure) (?P<test>.*?)(?: because \"[^\"]*\")?\s*\Z")


def _otherwise(place: Place) -> Iterator[Recipe]:
    end = place.item.span.column - 1 + len(place.guilty)
    for value in ("0", "false", "none"):
        yield Recipe(f"Write `otherwise {value}`", (place.on(end, end, f" otherwise {value}"),))
    result = re.match(r"\s*value [^:]*-> (?=\w+:)", place.row)
    if result is not None:
        yield Recipe("Allow the value to be missing", (place.on(result.end(), result.end(), "maybe "),))


def _sure(place: Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    cut = place.guilty.find(" otherwise ")
    if cut >= 0:
        yield Recipe("Remove `otherwise`", (place.on(at + cut, at + len(place.guilty), ""),))


def _whose(place: Place) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    above = "\n".join(place.rows[max(0, place.item.span.line - 12) : place.item.span.line])
    named = [
        name for kind, name in re.findall(r"\b([a-z_]\w*) ([a-z_]\w*)", above) if kind in place.analysis.symbols.kinds()
    ]
    for name in dict.fromkeys([*reversed(named), "actor", "self", "owner"]):
        yield Recipe(f"Write `{name}.{place.guilty}`", (place.on(at, at, f"{name}."),))


def _given_a_name(place: Place) -> Iterator[Recipe]:
    """`n = 3` where `n` is fixed: `let n_2 = 3`, which is what the lines below it mean."""
    begin, indent = place.statement(), place.indent()
    found = re.match(r"(\w+) ([-+]?)= (.*)\Z", place.row[begin:])
    if found is not None:
        name, sign, value = found.groups()
        new = fresh(f"{name}_2", [place.analysis.texts[absolute(place.item.span.path)]])
        whole = f"{name} {sign} {value}" if sign else value
        edits = [place.on(begin, len(place.row), f"let {new} = {whole}")]
        alone = begin > len(indent)  # it is all that is done
        for number in () if alone else range(place.item.span.line + 1, len(place.rows) + 1):
            row = place.rows[number - 1]
            if row.strip() and len(row) - len(row.lstrip()) < len(indent):
                break
            edits += [
                place.on(at.start(), at.end(), new, number) for at in re.finditer(rf"(?<![.\w]){name}\b(?!\()", row)
            ]
        yield Recipe(f"Call the new value `{new}`", tuple(edits))
    slot = re.match(r"([\w.]+) = (.*)\Z", place.row[begin:])
    if slot is not None:
        move = f"move {slot[2]} to {slot[1]}"
        yield Recipe(f"Write `{move}`", (place.on(begin, len(place.row), move),))


def _asked_of_the_zone(place: Place) -> Iterator[Recipe]:
    """What rules may want to know of the cards in a zone; only what fits there is kept."""
    at = place.item.span.column - 1
    begin = _PATH_BEFORE.search(place.row, 0, at)
    start = begin.start() if begin is not None else at
    whole = place.row[start : at + len(place.guilty)]
    zones = place.analysis.model.zones.values()
    for sort in dict.fromkeys(zone.holds for zone in zones if zone.short_name == place.guilty):
        name = fresh("c", [place.row])
        for new in (
            f"count({sort} {name} in {whole})",
            f"{whole} is empty",
            f"{whole} is not empty",
            f"first({sort} {name} in {whole})",
            f"any({sort} {name} in {whole})",
        ):
            yield Recipe(f"Write `{new}`", (place.on(start, at + len(place.guilty), new),), (), True)


def _to_the_top(place: Place) -> Iterator[Recipe]:
    """A requirement as the first line of its routine; or what follows hangs on it."""
    line = place.item.span.line
    head = place.header(line - 1)
    if head and place.rows[head - 1].rstrip().endswith(":") and head < line - 1:
        opened = next(row for row in place.rows[head:] if row.strip())
        indent = opened[: len(opened) - len(opened.lstrip())]
        moved = re.sub(r"\A\s*ensure ", "require ", place.row.lstrip())
        edits = (place.on(0, 0, f"{indent}{moved}\n", head + 1), place.lines(line, line, ""))
        yield Recipe("Move it to the top", edits, (), True)
    yield from _on_an_if(place)


def _on_an_if(place: Place) -> Iterator[Recipe]:
    """What stands below a requirement, in a block of its own."""
    line, indent = place.item.span.line, place.indent()
    test = _REQUIRE.match(place.row.strip())
    if test is None:
        return
    last = line
    for number in range(line + 1, len(place.rows) + 1):
        row = place.rows[number - 1]
        if row.strip() and len(row) - len(row.lstrip()) < len(indent):
            break
        last = number if row.strip() else last
    below = "".join(f"  {row}\n" if row.strip() else "\n" for row in place.rows[line:last])
    new = f"{indent}if {test['test']}:\n{below or f'{indent}  nothing' + chr(10)}"
    yield Recipe(f"Put the following lines under `if {test['test']}`", (place.lines(line, last, new),), (), True)


def _phase_of_its_own(place: Place) -> Iterator[Recipe]:
    """An offer in a phase, with the phase called where the offer stood."""
    name = fresh("offered", list(place.analysis.texts.values()))
    at, end = place.item.span.column - 1, place.item.span.column - 1 + len(place.guilty)
    head = place.header(place.item.span.line)
    for who in ("active", "actor"):
        offer = re.sub(r"\bto [\w.]+", f"to {who}", place.guilty, count=1)
        indent = re.match(r"\s*", place.rows[head - 1])
        left = indent[0] if indent is not None else ""
        phase = place.on(0, 0, f"{left}phase {name}: {offer}\n", head or place.item.span.line)
        yield Recipe(f"Create a phase `{name}` for it", (phase, place.on(at, end, name)))


def _one_of_the_row(place: Place) -> Iterator[Recipe]:
    head = place.header(place.item.span.line)
    names = re.findall(r"\bint (\w+)", "\n".join(place.rows[max(0, head - 1) : place.item.span.line])) if head else []
    for part in (*names[:3], "1"):
        yield Recipe(f"Write `{place.guilty}[{part}]`", (place.replaced(f"{place.guilty}[{part}]"),), (), True)


def _somewhere(place: Place) -> Iterator[Recipe]:
    made = re.match(r"create (\w+)", place.guilty)
    kind = place.analysis.model.made.get(made[1]) if made is not None else None
    if kind is not None and kind.place is not None:
        listing, grid = place.analysis.model.lists.get(kind.place), place.analysis.model.grids.get(kind.place)
        rows = [row.name for row in listing.rows if row.name] if listing is not None else []
        head = place.header(place.item.span.line)
        above = "\n".join(place.rows[max(0, head - 1) : place.item.span.line])
        named = re.findall(rf"\b{kind.place} (\w+)", above) if listing is not None or grid is not None else []
        for name in dict.fromkeys([*named, *rows][:6]):
            place_ = place.replaced(f"{place.guilty} in {name}")
            yield Recipe(f"Write `in {name}`", (place_,), (), True)
    begin = place.statement()
    removed = re.match(r"remove (.*)\Z", place.row[begin:])
    if removed is not None:
        new = f"move {removed[1]} to box"
        yield Recipe(f"Write `{new}`", (place.on(begin, len(place.row), new),))


def _one_of_the_copies(place: Place) -> Iterator[Recipe]:
    """A card that is chosen, or the first that there is, among those that are printed alike."""
    for sort in place.analysis.model.sorts.values():
        mine = next((row for row in sort.rows if row.name == place.guilty), None)
        if mine is None:
            continue
        name = fresh(place.guilty[:1] + "_card", [place.row])
        like = _told_apart(place, sort.name, name)
        for zone in place.analysis.model.zones.values():
            if zone.holds != sort.name or zone.of is not None or zone.slot:
                continue
            card = f"{sort.name} {name} in {zone.name}{like}"
            yield from _wrapped(place, f"choose {card}:", name, place.indent())
            yield Recipe(f"Take `first({card})`", (place.replaced(f"first({card})"),), (), True)


def _wrapped(place: Place, head: str, name: str, indent: str) -> Iterator[Recipe]:
    """The statement with the guilty word as a block below a line that finds the card."""
    at = place.item.span.column - 1
    cut = place.statement()
    statement = place.row[cut:at] + name + place.row[at + len(place.guilty) :]
    if cut > len(indent):
        new = f"{place.row[:cut].rstrip()}\n{indent}  {head}\n{indent}    {statement}"
    else:
        new = f"{indent}{head}\n{indent}  {statement}"
    yield Recipe(f"Write `{head[:-1]}`", (place.on(0, len(place.row), new),), (), True)


def _told_apart(place: Place, sort: str, name: str) -> str:
    """A condition on a column of numbers or truths that no other row meets; empty where there is none."""
    listed = place.analysis.model.sorts[sort]
    mine = next(row for row in listed.rows if row.name == place.guilty)
    for column in listed.columns.values():
        value = mine.columns.get(column.name)
        alone = all(row.columns.get(column.name) != value for row in listed.rows if row is not mine)
        if alone and column.type in (INT, BOOL) and isinstance(value, int):
            said = f"{name}.{column.name} == {value}" if column.type == INT else f"{name}.{column.name}"
            return f" where {said if column.type == INT or value else f'not {said}'}"
    return ""


def _as_it_is_asked_for(place: Place) -> Iterator[Recipe]:
    """`score` and `tiebreak` with the head that the end of the game wants; the body as it is, in part, or new."""
    head = re.search(r"write `(value \w+\(player p\) -> (\w+)):", place.item.hint)
    found = re.match(r"(\s*)(?:always )?\w+ \w+(?:\(([^)]*)\))?(?: -> [\w ]+)?:(.*)\Z", place.row)
    if head is None or found is None:
        return
    body = found[3].strip()
    bodies = [body, body.split(" then ")[0], f"{body} then 0", "0"] if body else [""]
    for one in dict.fromkeys(bodies):
        new = f"{found[1]}{head[1]}: {one}".rstrip()
        yield Recipe(f"Write `{new.strip()}`", (place.on(0, len(place.row), new),))


def _bound_otherwise(place: Place) -> Iterator[Recipe]:
    """One binder with the others in its condition; or a player, who acts in secret."""
    at = place.item.span.column - 1
    if "several binders" in place.item.message:
        stop, depth = at, 0
        while stop < len(place.row) and (depth or place.row[stop] not in "):"):
            depth += {"(": 1, ")": -1}.get(place.row[stop], 0)
            stop += 1
        cut = place.row.rfind(",", 0, at)
        also = "and" if re.search(r"\bwhere\b[^(]*\Z", place.row[:cut]) else "where"
        new = f" {also} any({place.row[at:stop]})"
        yield Recipe(f"Write `{new.strip()}`", (place.on(cut, stop, new),))
    found = re.match(r"(\s*(?:[^:]*: *)?)secretly for (.*?):(?= |\Z)(.*)", place.row)
    if found is None or "in secret" not in place.item.message:
        return
    begin, behind = len(found[1]), len(found[1]) + len("secretly for ")
    player = fresh("p", list(place.rows))
    named = re.match(r"player (\w+)(?:[^,]*)", found[2])
    who, rest = (
        (named[0], found[2][named.end() :].lstrip(" ,")) if named is not None else (f"player {player}", found[2])
    )
    owned = re.sub(r"\A(\w+ \w+)", rf"\1 of {named[1] if named is not None else player}", rest)
    for binders in (owned, rest):
        said = f"Write `secretly for {who}: for {binders}:`"
        if found[3].strip() and not found[3].strip().startswith("#"):
            new = f"secretly for {who}: for {binders}:"
            yield Recipe(said, (place.on(begin, found.end(2) + 1, new),), (), named is None)
        else:
            line, last = place.item.span.line, place.block_end(place.item.span.line)
            body = "".join(f"  {row}\n" if row.strip() else "\n" for row in place.rows[line:last])
            new = f"{found[1]}secretly for {who}:\n{found[1]}  for {binders}:\n{body}"
            yield Recipe(said, (place.lines(line, last, new),), (), named is None)
    yield Recipe("Remove `secretly`", (place.on(begin, behind, "for "),), (), True)


def _asked_whether(place: Place) -> Iterator[Recipe]:
    """What a routine does, asked for; a value that is asked for so is true or false."""
    if not place.item.hint.startswith("`can "):
        return
    at = place.item.span.column - 1
    can = place.on(at, at, "can ")
    yield Recipe(f"Write `can {place.guilty}`", (can,))
    head = place.header(place.item.span.line)
    result = re.search(r"-> *([\w ]+?)(?=:)", place.rows[head - 1]) if head else None
    if result is not None:
        yield Recipe(
            f"Write `can {place.guilty}`, which is true or false", (can, place.on(*result.span(1), "bool", head))
        )


TYPES: dict[str, Callable[[Place], Iterator[Recipe]]] = {
    "T403": _otherwise,
    "T404": _sure,
    "T405": _given_a_name,
    "T407": _whose,
    "T408": _asked_of_the_zone,
    "T410": _bound_otherwise,
    "T415": _to_the_top,
    "T418": _phase_of_its_own,
    "T419": _asked_whether,
    "T420": _one_of_the_row,
    "T422": _somewhere,
    "T423": _one_of_the_copies,
    "T424": _as_it_is_asked_for,
    "W520": _to_the_top,
}

"""Fix mistakes in the text, the statements and the expressions of rules, by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes import MistakePlace, Recipe, fresh_name, indent_of
from rulelang.language.semantics.model import BOOL, INT

# ---- Rules that could not be read

_CHAIN = re.compile(r"([\w.]+(?:\([^()]*\))?) ([<>]=?) ([\w.]+(?:\([^()]*\))?) ([<>]=?) (?=[\w(])")
_SIGNS = (("&&", "and"), ("||", "or"), ("&", "and"), ("|", "or"))


def _blanks(place: MistakePlace) -> Iterator[Recipe]:
    edits = []
    for number, row in enumerate(place.rows, 1):
        begun = row[: len(row) - len(row.lstrip(" \t"))]
        if "\t" in begun:
            edits.append(place.on(0, len(begun), begun.replace("\t", "  "), number))
    yield Recipe("Indent with spaces", tuple(edits))


def _quote(place: MistakePlace) -> Iterator[Recipe]:
    end = len(place.row.rstrip())
    colon = end - (place.row[:end].endswith(":"))
    yield Recipe('Close it with `"`', (place.on(colon, colon, '"'),))
    yield Recipe('Close it with `"`', (place.on(end, end, '"'),))


def _comment(place: MistakePlace) -> Iterator[Recipe]:
    at = place.row.find("#:")
    if at >= 0:
        yield Recipe("Write a comment", (place.on(at, at + 2, "#"),))


def _colon(place: MistakePlace) -> Iterator[Recipe]:
    yield Recipe("Put `:` at the end of the line", (place.on(place.end(), place.end(), ":"),))
    yield Recipe("Write `: nothing`", (place.on(place.end(), place.end(), ": nothing"),))


def _indent_to_level(place: MistakePlace) -> Iterator[Recipe]:
    """As far in as the hint says; the file may have the whole text further in."""
    was, wanted = re.search(r"indented by (\d+)", place.item.message), re.search(r"by (\d+) space", place.item.hint)
    if was is not None and wanted is not None:
        depth = len(place.indent()) + int(wanted[1]) - int(was[1])
        yield Recipe("Indent it like the line above", (place.on(0, len(place.indent()), " " * depth),))
    elif "like the line above" in place.item.hint and place.item.span.line > 1:
        depth = indent_of(place.rows[place.item.span.line - 2])
        yield Recipe("Indent it like the line above", (place.on(0, len(place.indent()), " " * depth),))


def _close_bracket_at_end(place: MistakePlace) -> Iterator[Recipe]:
    """Close a bracket at the end of its line."""
    sign = re.search(r"the closing `(.)`", place.item.hint)
    if sign is not None:
        colon = place.end() - place.row[: place.end()].endswith(":")
        for at in dict.fromkeys((colon, place.end())):
            yield Recipe(f"Close it with `{sign[1]}`", (place.on(at, at, sign[1]),))


def _fill_block(place: MistakePlace) -> Iterator[Recipe]:
    """A block without a line: the one below belongs to it, or nothing does."""
    line = place.item.span.line
    if line < len(place.rows) and place.rows[line].strip():
        depth = len(place.indent()) + 2
        lines = range(line + 1, place.block_end(line + 1) + 1)
        deeper = tuple(place.on(0, 0, " " * (depth - indent_of(place.rows[line])), number) for number in lines)
        yield Recipe("Indent the next line", deeper, (), True)
    yield Recipe("Write `nothing`", (place.on(place.end(), place.end(), " nothing"),), (), True)


def _add_else(place: MistakePlace) -> Iterator[Recipe]:
    """The case that a value lacks; what it comes to there, the author must say."""
    head = place.rows[max(place.header(place.item.span.line) - 1, 0)]
    result = "false" if "-> bool" in head else "none" if "-> maybe" in head else "0"
    end = len(place.row)
    yield Recipe(f"Write `else: {result}`", (place.on(end, end, f"\n{place.indent()}else: {result}"),))


def _write_until(place: MistakePlace) -> Iterator[Recipe]:
    found = re.match(r"\s*while (.*?):(?=\s|\Z)", place.row)
    if found is not None:
        new = f"repeat until not ({found[1]}):"
        yield Recipe(f"Write `{new}`", (place.on(len(place.indent()), found.end(), new),))


def _brackets(place: MistakePlace) -> Iterator[Recipe]:
    at = place.row.rfind("where ", 0, place.item.span.column)
    stop = re.search(r":\s|:\Z| because | sorted | with most | with least |, ", place.row[place.item.span.column :])
    end = place.item.span.column + stop.start() if stop is not None else place.end()
    if at >= 0:
        condition = place.row[at + 6 : end]
        yield Recipe("Put the condition in brackets", (place.on(at + 6, end, f"({condition})"),))


def _write_range(place: MistakePlace) -> Iterator[Recipe]:
    at = place.row.find("in ", place.item.span.column - 1)
    if at >= 0:
        yield Recipe("Write `from`", (place.on(at, at + 2, "from"),))


def _split_chain(place: MistakePlace) -> Iterator[Recipe]:
    found = next((its for its in _CHAIN.finditer(place.row) if its.end() >= place.item.span.column - 1), None)
    if found is not None:
        left, first, middle, second = found.groups()
        new = f"{left} {first} {middle} and {middle} {second} "
        yield Recipe(f"Write `{new.strip()} ...`", (place.on(found.start(), found.end(), new),))


def _write_roll(place: MistakePlace) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    indent = place.row[: len(place.row) - len(place.row.lstrip())]
    roll = place.on(0, 0, f"{indent}roll {place.guilty} as rolled\n")
    yield Recipe(f"Write `roll {place.guilty} as rolled` first", (roll, place.on(at, at + len(place.guilty), "rolled")))


def _write_kind(place: MistakePlace) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    for kind in (*place.analysis.model.sorts, *place.analysis.model.made, "player", *place.analysis.model.lists):
        yield Recipe(f"Write `{kind} {place.guilty}`", (place.on(at, at, f"{kind} "),))


def _indent_line(place: MistakePlace) -> Iterator[Recipe]:
    yield Recipe("Indent it", (place.on(0, 0, "  "),))


def _replace_signs(place: MistakePlace) -> Iterator[Recipe]:
    """All of the line: whoever writes one of these signs writes the others, too."""
    row, shut = place.row, r"(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)"  # not in a text
    for sign, word in _SIGNS:
        row = re.sub(rf" *{re.escape(sign)} *{shut}", f" {word} ", row)
    row = re.sub(rf"!(?!=) *{shut}", "not ", row)
    yield Recipe("Write `and`, `or` and `not`", (place.on(0, len(place.row), row),))


def _move_to_routine(place: MistakePlace) -> Iterator[Recipe]:
    """The statement and those that follow it, in a declaration of their own."""
    first = last = place.item.span.line
    while last < len(place.rows) and re.match(r"\s|\w+(?:\.\w+)* *[-+]?= ", place.rows[last] or "."):
        last += 1
    name = fresh_name("step", list(place.analysis.texts.values()))
    rows = "".join(f"  {row}\n" if row.strip() else "\n" for row in place.rows[first - 1 : last])
    yield Recipe(f"Move it into a routine `{name}`", (place.lines(first, last, f"routine {name}:\n{rows}"),), (), True)


def _indent_or_move(place: MistakePlace) -> Iterator[Recipe]:
    yield from _indent_line(place)
    yield from _move_to_routine(place)


TEXT_RECIPES: dict[str, Callable[[MistakePlace], Iterator[Recipe]]] = {
    "S202": _blanks,
    "S204": _quote,
    "S206": _comment,
    "S207": _indent_to_level,
    "S208": _close_bracket_at_end,
    "S210": _fill_block,
    "S211": _colon,
    "S214": _replace_signs,
    "S215": _brackets,
    "S216": _write_range,
    "S221": _add_else,
    "S223": _write_until,
    "S224": _indent_or_move,
    "S226": _split_chain,
    "S227": _write_roll,
    "S228": _write_kind,
}


# ---- Statements and expressions with the wrong type

_PATH_BEFORE = re.compile(r"[\w.]*\Z")
_REQUIRE = re.compile(r"(?:require|ensure) (?P<test>.*?)(?: because \"[^\"]*\")?\s*\Z")


def _add_otherwise(place: MistakePlace) -> Iterator[Recipe]:
    end = place.item.span.column - 1 + len(place.guilty)
    for value in ("0", "false", "none"):
        yield Recipe(f"Write `otherwise {value}`", (place.on(end, end, f" otherwise {value}"),))
    result = re.match(r"\s*value [^:]*-> (?=\w+:)", place.row)
    if result is not None:
        yield Recipe("Allow the value to be missing", (place.on(result.end(), result.end(), "maybe "),))


def _drop_otherwise(place: MistakePlace) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    cut = place.guilty.find(" otherwise ")
    if cut >= 0:
        yield Recipe("Remove `otherwise`", (place.on(at + cut, at + len(place.guilty), ""),))


def _add_owner(place: MistakePlace) -> Iterator[Recipe]:
    at = place.item.span.column - 1
    above = "\n".join(place.rows[max(0, place.item.span.line - 12) : place.item.span.line])
    named = [
        name for kind, name in re.findall(r"\b([a-z_]\w*) ([a-z_]\w*)", above) if kind in place.analysis.symbols.kinds()
    ]
    for name in dict.fromkeys([*reversed(named), "actor", "self", "owner"]):
        yield Recipe(f"Write `{name}.{place.guilty}`", (place.on(at, at, f"{name}."),))


def _name_with_let(place: MistakePlace) -> Iterator[Recipe]:
    """`n = 3` where `n` is fixed: `let n_2 = 3`, which is what the lines below it mean."""
    begin, indent = place.statement(), place.indent()
    found = re.match(r"(\w+) ([-+]?)= (.*)\Z", place.row[begin:])
    if found is not None:
        name, sign, value = found.groups()
        new = fresh_name(f"{name}_2", [place.analysis.texts[absolute(place.item.span.path)]])
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


def _query_zone(place: MistakePlace) -> Iterator[Recipe]:
    """What rules may want to know of the cards in a zone; only what fits there is kept."""
    at = place.item.span.column - 1
    begin = _PATH_BEFORE.search(place.row, 0, at)
    start = begin.start() if begin is not None else at
    whole = place.row[start : at + len(place.guilty)]
    zones = place.analysis.model.zones.values()
    for sort in dict.fromkeys(zone.holds for zone in zones if zone.short_name == place.guilty):
        name = fresh_name("c", [place.row])
        for new in (
            f"count({sort} {name} in {whole})",
            f"{whole} is empty",
            f"{whole} is not empty",
            f"first({sort} {name} in {whole})",
            f"any({sort} {name} in {whole})",
        ):
            yield Recipe(f"Write `{new}`", (place.on(start, at + len(place.guilty), new),), (), True)


def _move_to_top(place: MistakePlace) -> Iterator[Recipe]:
    """A requirement as the first line of its routine; or what follows hangs on it."""
    line = place.item.span.line
    head = place.header(line - 1)
    if head and place.rows[head - 1].rstrip().endswith(":") and head < line - 1:
        opened = next(row for row in place.rows[head:] if row.strip())
        indent = opened[: len(opened) - len(opened.lstrip())]
        moved = re.sub(r"\A\s*ensure ", "require ", place.row.lstrip())
        edits = (place.on(0, 0, f"{indent}{moved}\n", head + 1), place.lines(line, line, ""))
        yield Recipe("Move it to the top", edits, (), True)
    yield from _put_under_if(place)


def _put_under_if(place: MistakePlace) -> Iterator[Recipe]:
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


def _add_phase(place: MistakePlace) -> Iterator[Recipe]:
    """An offer in a phase, with the phase called where the offer stood."""
    name = fresh_name("offered", list(place.analysis.texts.values()))
    at, end = place.item.span.column - 1, place.item.span.column - 1 + len(place.guilty)
    head = place.header(place.item.span.line)
    for who in ("active", "actor"):
        offer = re.sub(r"\bto [\w.]+", f"to {who}", place.guilty, count=1)
        indent = re.match(r"\s*", place.rows[head - 1])
        left = indent[0] if indent is not None else ""
        phase = place.on(0, 0, f"{left}phase {name}: {offer}\n", head or place.item.span.line)
        yield Recipe(f"Create a phase `{name}` for it", (phase, place.on(at, end, name)))


def _index_row(place: MistakePlace) -> Iterator[Recipe]:
    head = place.header(place.item.span.line)
    names = re.findall(r"\bint (\w+)", "\n".join(place.rows[max(0, head - 1) : place.item.span.line])) if head else []
    for part in (*names[:3], "1"):
        yield Recipe(f"Write `{place.guilty}[{part}]`", (place.replaced(f"{place.guilty}[{part}]"),), (), True)


def _add_place(place: MistakePlace) -> Iterator[Recipe]:
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


def _choose_copy(place: MistakePlace) -> Iterator[Recipe]:
    """A card that is chosen, or the first that there is, among those that are printed alike."""
    for sort in place.analysis.model.sorts.values():
        mine = next((row for row in sort.rows if row.name == place.guilty), None)
        if mine is None:
            continue
        name = fresh_name(place.guilty[:1] + "_card", [place.row])
        like = _distinguishing_condition(place, sort.name, name)
        for zone in place.analysis.model.zones.values():
            if zone.holds != sort.name or zone.of is not None or zone.slot:
                continue
            card = f"{sort.name} {name} in {zone.name}{like}"
            yield from _wrap_in_block(place, f"choose {card}:", name, place.indent())
            yield Recipe(f"Take `first({card})`", (place.replaced(f"first({card})"),), (), True)


def _wrap_in_block(place: MistakePlace, head: str, name: str, indent: str) -> Iterator[Recipe]:
    """The statement with the guilty word as a block below a line that finds the card."""
    at = place.item.span.column - 1
    cut = place.statement()
    statement = place.row[cut:at] + name + place.row[at + len(place.guilty) :]
    if cut > len(indent):
        new = f"{place.row[:cut].rstrip()}\n{indent}  {head}\n{indent}    {statement}"
    else:
        new = f"{indent}{head}\n{indent}  {statement}"
    yield Recipe(f"Write `{head[:-1]}`", (place.on(0, len(place.row), new),), (), True)


def _distinguishing_condition(place: MistakePlace, sort: str, name: str) -> str:
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


def _rewrite_head(place: MistakePlace) -> Iterator[Recipe]:
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


def _rewrite_binders(place: MistakePlace) -> Iterator[Recipe]:
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
    player = fresh_name("p", list(place.rows))
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


def _ask_can(place: MistakePlace) -> Iterator[Recipe]:
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


TYPE_RECIPES: dict[str, Callable[[MistakePlace], Iterator[Recipe]]] = {
    "T403": _add_otherwise,
    "T404": _drop_otherwise,
    "T405": _name_with_let,
    "T407": _add_owner,
    "T408": _query_zone,
    "T410": _rewrite_binders,
    "T415": _move_to_top,
    "T418": _add_phase,
    "T419": _ask_can,
    "T420": _index_row,
    "T422": _add_place,
    "T423": _choose_copy,
    "T424": _rewrite_head,
    "W520": _move_to_top,
}

"""A view as text: what lies on the table, drawn from kinds, zones and attributes alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulelang.base.frame import width
from rulelang.engine.state import State
from rulelang.play.grid_contents import tagged
from rulelang.play.gridmap import mapped, maps
from rulelang.play.wrapping import wrapped

#: Zones with more cards than this are counted, not listed.
LISTED = 24
#: So many columns do for the last cell of a row, where it has to be wrapped.
LAST = 32
#: Columns that name what a card can be played as: its label says that already.
FACES = ("face", "faces")


def draw(state: State, viewer: int | None, columns: int = 100, shown: Sequence[str] = ()) -> list[str]:
    """The lines of a table as a seat (None: a spectator) sees it: where the game stands, then player by player.

    Maps of grids come first; they are left out if they are as `shown` has them.
    """
    view = state.view(viewer)
    lines = [_standing(view)]
    lines += wrapped(_sentence([*_attributes(view["state"]), *_counts(view["zones"])]), columns, STEP, STEP)
    for name, zone in view["zones"].items():
        if 0 < len(zone.get("cards", ())) <= LISTED // 4:
            lines += wrapped(f"{name}: {_cards(zone['cards'], view)}", columns, STEP, STEP * 3)
    map_ = maps(view, columns)
    lines += ["", *(map_ if map_ != [*shown] else [f"{STEP}the map is as it was"])] if map_ else []
    for name, rows in view["lists"].items():
        if name in view["grids"]:
            continue
        lines += [f"{STEP}{name}", *_grid(_rows(rows, view), columns)] if any(map(_worth, rows)) else []
    drawn = mapped(view)
    for name, matrix in view["tables"].items():
        lines += _matrix(state, name, matrix, columns) if name not in drawn else ()
    for player in view["players"]:
        lines += ["", *_player(player, view, columns)]
    nobody = [
        line
        for kind, things in view["nobody"].items()
        if things
        for line in (kind, *_grid(_rows(things, view), columns))
    ]
    return [*lines, *(["", "nobody's", *nobody] if nobody else [])]


STEP = "  "


def _standing(view: dict[str, Any]) -> str:
    parts = [f"Round {view['round']}"] if view["round"] else []
    parts += [str(view["phase"]).replace("_", " ")] if view["phase"] else []
    return ", ".join(parts) or "The table"


def _player(player: dict[str, Any], view: dict[str, Any], columns: int) -> Iterator[str]:
    mark = " (you)" if player["seat"] == view["viewer"] else ""
    turn = ", whose turn it is" if player["seat"] == view["active"] else ""
    facts = _sentence([*_attributes(player["attributes"]), *_counts(player["zones"])])
    yield from wrapped(f"{player['name']}{mark}{turn}{': ' if facts else ''}{facts}", columns, "", STEP * 3)
    for kind, things in player["things"].items():
        tags = {index: tag for (of, index), (tag, *_) in tagged(view) if of == kind} if _on_a_map(view, kind) else {}
        rows = _rows(things, view, tags)
        headed = _headed(things, view, tags) if _room(rows) > columns and things else []
        yield from _grid(headed if headed and _room(headed) <= columns else rows, columns)
    for name, zone in player["zones"].items():
        if zone.get("cards"):
            yield from wrapped(f"{name}: {_cards(zone['cards'], view)}", columns, STEP, STEP * 3)


def _matrix(state: State, name: str, matrix: Any, columns: int) -> Iterator[str]:
    """What is not nought in a matrix, a line for each row of its first kind."""
    kinds = state.table.program.layout.tables[name].of
    lines: list[str] = []
    for number, row in enumerate(matrix if len(kinds) > 1 else (), 1):
        cells = ", ".join(f"{' '.join(where)} {value}" for where, value in _cells(state, kinds[1:], row) if value)
        if cells:
            lines += wrapped(f"{state.names.text(kinds[0], number)}: {cells}", columns, STEP * 2, STEP * 4)
    if lines:
        yield STEP + name.replace("_", " ")
        yield from lines


def _cells(state: State, kinds: tuple[str, ...], part: Any) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every number of a nested list, with the names of its indices."""
    if not kinds:
        yield (), part
        return
    for number, inner in enumerate(part, 1):
        for where, value in _cells(state, kinds[1:], inner):
            yield (state.names.text(kinds[0], number), *where), value


def _on_a_map(view: dict[str, Any], kind: str) -> bool:
    """Whether maps call things of a kind by tags."""
    shown = mapped(view)
    return any(index["kind"] == kind for name in shown for index in view["indices"][name]) or any(
        thing.get("place_kind") in view["grids"] for player in view["players"] for thing in player["things"][kind]
    )


def _rows(
    things: Iterable[dict[str, Any]], view: dict[str, Any], tags: Mapping[int, str] | None = None
) -> list[list[str]]:
    """Each thing: its tag and its name, its attributes one a column, and then its zones."""
    rows = []
    for thing in things:
        zones = [_zone(name, zone, view) for name, zone in thing["zones"].items() if zone["count"]]
        place = [f"in {thing['place']}"] if thing.get("place") else []
        rows.append(
            [
                *([tags[thing["index"]]] if tags else []),
                thing["name"],
                *place,
                *_attributes(thing["attributes"], all_=True),
                "; ".join(zones),
            ]
        )
    return rows


def _headed(things: Sequence[dict[str, Any]], view: dict[str, Any], tags: Mapping[int, str]) -> list[list[str]]:
    """The same with the names of attributes in a row above, for things of many attributes."""
    kept = [name for name in things[0]["attributes"] if any(thing["attributes"].get(name) for thing in things)]
    kept = [name for name in kept if not isinstance(things[0]["attributes"][name], list)]
    rows = [["", *([""] if tags else []), *map(_short, kept), ""]]
    for thing in things:
        named = [*([tags[thing["index"]]] if tags else []), thing["name"]]
        words = ["" if (value := thing["attributes"].get(name)) in (None, False) else _word(value) for name in kept]
        zones = [_zone(name, zone, view) for name, zone in thing["zones"].items() if zone["count"]]
        place = f"in {thing['place']}" if thing.get("place") else ""
        rows.append([*named, *words, "; ".join(filter(None, [place, *zones]))])
    return rows


def _zone(name: str, zone: dict[str, Any], view: dict[str, Any]) -> str:
    return f"{name}: {_cards(zone['cards'], view, short=True) if zone.get('cards') else zone['count']}"


def _cards(cards: list[dict[str, Any]], view: dict[str, Any], short: bool = False) -> str:
    return ", ".join(_card(card, view, short) for card in cards[:LISTED]) + (", ..." if len(cards) > LISTED else "")


def _card(card: dict[str, Any], view: dict[str, Any], short: bool) -> str:
    """A card's label, what it keeps, and (unless short) the numbers printed on it that tell it from others; noughts
    only if all are."""
    untold = (*FACES, *card.get("alike", ()))
    numbers = [(name, value) for name, value in card["printed"].items() if type(value) is int and name not in untold]
    numbers = [(name, value) for name, value in numbers if value] or numbers
    printed = [] if short else [f"{name} {value}" for name, value in numbers]
    kept = card.get("attributes", {})
    rows = [_by_row(name, value, view) for name, value in kept.items() if isinstance(value, list)]
    inner = ", ".join(part for part in [*printed, *_attributes(kept), *rows] if part)
    return f"{card['label']} ({inner})" if inner else str(card["label"])


def _by_row(name: str, value: list[Any], view: dict[str, Any]) -> str:
    """What an attribute keeps by row, but for what is nought, missing or false: `met wolf and crab`, `eggs red 2`."""
    parts = list(_parts(value, view["indices"][name]))
    return f"{_short(name)} {' and '.join(parts)}" if parts else ""


def _parts(value: Any, indices: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not indices:
        yield from () if value in (None, False) else ("",) if value is True else (_word(value),)
        return
    for number, inner in enumerate(value):
        for rest in _parts(inner, indices[1:]):
            row = indices[0].get("names", {number: f"{number + 1}"})[number]
            yield f"{row} {rest}".strip()


def _short(name: str) -> str:
    """The name of an attribute in words, without the trait that it belongs to."""
    return name.rpartition(".")[2].replace("_", " ")


def _attributes(attributes: dict[str, Any], all_: bool = False) -> list[str]:
    """`name value` of each; what is false, missing or a row of numbers is left out, unless it keeps a column."""
    found = []
    for name, value in attributes.items():
        short = _short(name)
        if isinstance(value, list) or (value in (None, False) and not all_):
            continue
        found.append(short if value is True else "" if value in (None, False) else f"{short} {_word(value)}")
    return found


def _counts(zones: dict[str, Any]) -> list[str]:
    return [f"{zone['count']} in {name.replace('_', ' ')}" for name, zone in zones.items() if zone["count"]]


def _word(value: object) -> str:
    if value is None:
        return "none"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _worth(row: dict[str, Any]) -> bool:
    return any(zone["count"] for zone in row["zones"].values()) or any(_attributes(row["attributes"]))


def _sentence(parts: list[str]) -> str:
    return ", ".join(part for part in parts if part)


def _grid(rows: list[list[str]], columns: int) -> Iterator[str]:
    """Rows in columns, as wide as a terminal draws them. What is too long goes on below its last cell, or below all."""
    widths = _widths(rows)
    left = width(STEP) + sum(w + len(STEP) for w in widths[:-1] if w)
    for row in rows:
        cells = [cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=False) if w]
        line = (STEP + STEP.join(cells)).rstrip()
        if width(line) <= columns:
            yield line
        elif left + LAST <= columns and len(row) == len(widths):
            first = STEP + STEP.join(cells[:-1]) + STEP if len(cells) > 1 else STEP
            yield from wrapped(row[-1], columns, first, " " * left)
        else:
            yield from wrapped(", ".join(filter(None, row)), columns, STEP, STEP * 3)


def _room(rows: list[list[str]]) -> int:
    """The columns that rows take, at most `LAST` of them for their last cells: those can be wrapped."""
    widths = _widths(rows)
    return sum(len(STEP) + w for w in [*widths[:-1], *(min(w, LAST) for w in widths[-1:])] if w)


def _widths(rows: list[list[str]]) -> list[int]:
    count = max(map(len, rows), default=0)
    return [max((width(row[i]) for row in rows if i < len(row)), default=0) for i in range(count)]

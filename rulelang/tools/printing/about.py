"""What lies on the table, and what may be chosen before a game: the opening sections of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics.declare.labels import texts_of
from rulelang.language.semantics.model import Attribute, Bound, Grid, Number, Option, Zone
from rulelang.tools.printing.document import Entry, Map, Marks, Section
from rulelang.tools.printing.names import Names, label

Facts = tuple[tuple[str, str], ...]


def about(names: Names) -> tuple[Section, ...]:
    """The sections that have something to say."""
    say = names.language.say
    sections = (
        Section(say("Components"), tuple(_components(names))),
        Section(say("Places for cards"), tuple(_zones(names))),
        Section(say("Values that the game tracks"), tuple(_state(names))),
        Section(say("Numbers"), tuple(_numbers(names))),
        Section(say("Game options"), tuple(_options(names))),
        Section(say("Modes"), tuple(_modes(names))),
    )
    return tuple(section for section in sections if section.entries)


def _components(names: Names) -> Iterator[Entry]:
    model, say = names.model, names.language.say
    for sort in model.sorts.values():
        rows = [row for row in sort.rows if row.number == row.written]
        total = sum(row.copies for row in rows)
        facts = [("", say("{number} {number:card|cards}", number=total))]
        facts += [("", say("{number} different", number=len(rows)))] if len(rows) != total else []
        yield Entry(
            label(names.several(sort.name)), names.text(sort.name), tuple(facts), _marks(names, "cards", sort.name)
        )
    for made in model.made.values():
        limit = say("each {owner} has at most {number}", owner=names.named(made.of), number=_bound(names, made.at_most))
        facts = [("", limit), *_attributes(names, made.name, made.attributes)]
        yield Entry(
            label(names.several(made.name)), names.text(made.name), tuple(facts), _marks(names, "kinds", made.name)
        )
    facts = _attributes(names, "player", model.player_attributes)
    if facts:
        yield Entry(say("Players"), "", tuple(facts), _marks(names, "kinds", "player"))
    for grid in model.grids.values():
        title = say("Map of {spaces}", spaces=names.several(grid.name))
        yield Entry(title, names.text(grid.name), _grid(names, grid), _marks(names, "grids", grid.name))


def _attributes(names: Names, kind: str, attributes: Mapping[str, Attribute]) -> list[tuple[str, str]]:
    shown = (name for name in attributes if not names.member(kind, name).hidden)
    return [(names.member_name(kind, name), text) for name in shown if (text := names.member_text(kind, name))]


def _grid(names: Names, grid: Grid) -> Facts:
    maps = names.language.listed([label(names.word(name)) for name in grid.maps]) if grid.chosen_by else ""
    spaces = names.language.say("{width} × {height} spaces", width=grid.width, height=grid.height)
    return (("", spaces), *(((names.language.say("maps"), maps),) if maps else ()))


def maps_of(names: Names) -> Iterator[Map]:
    """The maps of all grids, drawn space by space."""
    for grid in names.model.grids.values():
        for name, printed in grid.maps.items():
            columns = [column for column in grid.columns if not names.member(grid.name, column).hidden]
            values = list(zip(*(printed[column] for column in columns), strict=True))
            spaces = tuple(
                tuple(filter(None, (names.value(grid.columns[c].type, v) for c, v in zip(columns, space, strict=True))))
                for space in values
            )
            last = sorted({str(value) for one in grid.maps.values() for value in one[columns[-1]]}) if columns else []
            groups = tuple(last.index(str(space[-1])) for space in values)
            yield Map(label(names.word(name)), grid.width, spaces, groups)


def _zones(names: Names) -> Iterator[Entry]:
    for zone in names.model.zones.values():
        name = zone.short_name
        marks = _marks(names, "zones", name)
        yield Entry(label(names.named(name)), names.text(name), _zone(names, zone), marks)


def _zone(names: Names, zone: Zone) -> Facts:
    say = names.language.say
    holds = say("one card") if zone.slot else names.several(zone.holds)
    if zone.of:
        whose = say("{cards}, for each {owner}", cards=holds, owner=names.named(zone.of))
    else:
        whose = say("{cards}, shared by all players", cards=holds)
    facts = [("", whose), (say("seen by"), _seers(names, zone.seen_by))]
    if zone.in_force:
        facts.append(("", say("cards here are in effect")))
    if zone.refilled_from:
        facts.append((say("refilled from"), names.named(zone.refilled_from)))
    return tuple(facts)


def _seers(names: Names, seen_by: str) -> str:
    match seen_by:
        case "everyone":
            return names.language.say("everyone")
        case "nobody":
            return names.language.say("nobody")
        case "owner":
            return names.language.say("its owner")
    return names.language.say("depending on the option {option}", option=names.word(seen_by.removeprefix("option.")))


def _state(names: Names) -> Iterator[Entry]:
    for name in names.model.state:
        text = names.member_text("", name)
        if text:
            yield Entry(label(names.member_name("", name)), text, (), _marks(names, "state", name))
    for table in names.model.tables.values():
        text = names.text(table.name)
        if text:
            of = names.language.say(
                "for each {things}", things=names.language.listed([names.named(kind) for kind in table.of])
            )
            yield Entry(label(names.named(table.name)), text, (("", of),), _marks(names, "tables", table.name))


def _numbers(names: Names) -> Iterator[Entry]:
    for number in names.model.numbers.values():
        marks = _marks(names, "numbers", number.name)
        yield Entry(label(names.named(number.name)), names.text(number.name), _by_players(names, number), marks)


def _by_players(names: Names, number: Number) -> Facts:
    counts: dict[str, list[int]] = {}
    for players, value in number.by_players.items():
        said = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        counts.setdefault(said, []).append(players)
    if len(counts) == 1:
        return (("", next(iter(counts))),)
    return tuple(
        (names.language.say("with {number} players", number=_counts(players)), said) for said, players in counts.items()
    )


def _counts(players: Sequence[int]) -> str:
    """Numbers of players in a few words: `2, 4–6`."""
    runs: list[list[int]] = []
    for number in players:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _options(names: Names) -> Iterator[Entry]:
    for option in names.model.options.values():
        marks = names.node_marks(names.node("options", option.name))
        text = names.text(f"option {option.name}")
        yield Entry(label(names.word(option.name)), text, _choices(names, option), marks)


def _choices(names: Names, option: Option) -> Facts:
    say = names.language.say
    values = {0: say("no"), 1: say("yes")} if option.type.tag == "bool" else {}
    values = values or dict(enumerate(map(names.word, option.values), 1))
    said = " / ".join(values.values()) if values else f"{option.low}–{option.high}"
    counts: dict[str, list[int]] = {}
    for players, value in option.default.items():
        counts.setdefault(values.get(value, str(value)), []).append(players)
    if len(counts) == 1:
        return (("", said), (say("by default"), next(iter(counts))))
    usual = [say("{value} with {number} players", value=v, number=_counts(p)) for v, p in counts.items()]
    return (("", said), (say("by default"), ", ".join(usual)))


def _modes(names: Names) -> Iterator[Entry]:
    seen: dict[str, Entry] = {}
    for manifest in names.source.manifests:
        for key, node in manifest.map("modes"):
            text = names.told(texts_of(node.get("text"))) if isinstance(node, YamlMap) else ""
            if text or key.text not in seen:
                seen[key.text] = Entry(label(names.word(key.text)), text, (), names.marks(node.layer))
    yield from seen.values()


def _marks(names: Names, *path: str) -> Marks:
    return names.node_marks(names.node(*path))


def _bound(names: Names, bound: Bound) -> str:
    """A number, or where several tables differ the name of it."""
    if isinstance(bound, int):
        return str(bound)
    number = names.model.numbers.get(bound)
    if number is None:
        option = names.word(bound.removeprefix("option."))
        return names.language.say("set by the option {option}", option=option)
    values = set(number.by_players.values())
    return str(values.pop()) if len(values) == 1 else names.word(bound)

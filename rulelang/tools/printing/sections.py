"""The sections of a rulebook: components and setup, and changes by mods and modes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rulelang.base.labels import name_in_words
from rulelang.base.source import Span
from rulelang.base.wording import capitalized
from rulelang.compiler.compilation import Compilation
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics import tree
from rulelang.language.semantics.declare.labels import texts_of
from rulelang.language.semantics.model import Attribute, Bound, Grid, Number, Option, Zone
from rulelang.tools.modding.difference import Difference, Side, find_differences
from rulelang.tools.modding.facts import HOOK_SECTIONS, NAMED_SECTIONS
from rulelang.tools.printing.document import Change, ChangeGroup, Entry, Map, Marks, Section, Step
from rulelang.tools.printing.printed_names import Names, layer_title
from rulelang.tools.printing.rule_texts import Flow, Phrases, declared_in, in_short

# ---- components and setup

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
            capitalized(names.several(sort.name)),
            names.text(sort.name),
            tuple(facts),
            _marks(names, "cards", sort.name),
        )
    for made in model.made.values():
        limit = say("each {owner} has at most {number}", owner=names.named(made.of), number=_bound(names, made.at_most))
        facts = [("", limit), *_attributes(names, made.name, made.attributes)]
        yield Entry(
            capitalized(names.several(made.name)),
            names.text(made.name),
            tuple(facts),
            _marks(names, "kinds", made.name),
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
    maps = names.language.listed([capitalized(names.word(name)) for name in grid.maps]) if grid.chosen_by else ""
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
            yield Map(capitalized(names.word(name)), grid.width, spaces, groups)


def _zones(names: Names) -> Iterator[Entry]:
    for zone in names.model.zones.values():
        name = zone.short_name
        marks = _marks(names, "zones", name)
        yield Entry(capitalized(names.named(name)), names.text(name), _zone(names, zone), marks)


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
            yield Entry(capitalized(names.member_name("", name)), text, (), _marks(names, "state", name))
    for table in names.model.tables.values():
        text = names.text(table.name)
        if text:
            of = names.language.say(
                "for each {things}", things=names.language.listed([names.named(kind) for kind in table.of])
            )
            yield Entry(capitalized(names.named(table.name)), text, (("", of),), _marks(names, "tables", table.name))


def _numbers(names: Names) -> Iterator[Entry]:
    for number in names.model.numbers.values():
        marks = _marks(names, "numbers", number.name)
        yield Entry(capitalized(names.named(number.name)), names.text(number.name), _by_players(names, number), marks)


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
        yield Entry(capitalized(names.word(option.name)), text, _choices(names, option), marks)


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
                seen[key.text] = Entry(capitalized(names.word(key.text)), text, (), names.marks(node.layer))
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


# ---- changes by mods and modes

#: How much of a text is shown.
_LONG = 400
_STEP = "  "
#: A cell of a row without a name, by one that it has as well: `card.rows[face=horns].food`.
_CELL = re.compile(r"(?P<sort>\w+)\.rows\[\w+=(?P<row>\w+)\]\.(?P<column>\w+)")
#: What a column or an attribute is: `card.columns.warmth.default`.
_COLUMN = re.compile(r"(?P<kind>\w+)\.(?:columns|attributes)\.(?P<name>\w+)(?:\.(?P<what>\w+))?")

#: What is said of a thing that is new as a whole, behind what else there is.
_TEXT = re.compile(r"(?:^|, )text: (.+)$", re.DOTALL)


def changes_of(names: Names) -> tuple[ChangeGroup, ...]:
    """What the mods and the mode change; nothing without any."""
    compilation = names.compilation
    if len(compilation.source.layers) < 2:
        return ()
    before = Names(Compilation(base_of(compilation)), names.language)
    groups: dict[str, list[Change]] = {}
    fresh: dict[str, dict[str, None]] = {}
    titles = {f"{layer.id} {layer.version}": layer_title(layer) for layer in compilation.source.layers}
    for item in find_differences(before.compilation, compilation):
        if item.section == "look":  # how screens show it
            continue
        groups.setdefault(item.section, [])
        added = _shown_elsewhere(names, item)
        if added:
            fresh.setdefault(item.section, {})[added] = None
        else:
            groups[item.section].append(_change(before, names, item, titles))
    return tuple(
        ChangeGroup(_group(names, name), tuple(found), tuple(fresh.get(name, ()))) for name, found in groups.items()
    )


def base_of(compilation: Compilation) -> str:
    """The folder of the game itself."""
    return compilation.source.manifest.span.path.rpartition("/")[0] or "."


def _shown_elsewhere(names: Names, item: Difference) -> str:
    """The name of a card or trait that is new: what it is stands in the tables and among the traits."""
    if item.how != "added":
        return ""
    if item.section == "traits" and item.name in names.model.traits:
        return names.trait(item.name)
    kind, _, name = item.name.partition(".")
    sort = names.model.sorts.get(kind)
    row = next((row for row in sort.rows if row.name == name), None) if sort is not None and name else None
    return names.row_name(kind, row) if row is not None and item.section == "cards" else ""


def _group(names: Names, section: str) -> str:
    """What a section of changes is called."""
    say = names.language.say
    known = {
        "cards": say("Cards"), "traits": say("Traits"), "numbers": say("Numbers"), "options": say("Options"),
        "kinds": say("Kinds"), "zones": say("Places for cards"), "state": say("Values that the game tracks"),
        "value": say("Values"), "routine": say("Routines"), "phase": say("Phases"), "action": say("Actions"),
        "hook": say("Hooks"), "modify": say("Changed values"), "forbid": say("Forbidden events"),
        "lists": say("Lists"), "ladders": say("Ladders"), "tables": say("Tables"), "grids": say("Maps"),
        "ignore": say("Ignored cards"), "game": say("The flow of the game"), "invariant": say("Invariants"),
    }  # fmt: skip
    return known.get(section) or capitalized(names.word(section))


def _change(before: Names, after: Names, item: Difference, titles: dict[str, str]) -> Change:
    by = titles.get(item.after.by, "") if item.after is not None else ""
    if item.section in (*NAMED_SECTIONS, *HOOK_SECTIONS):
        sides = [_rule(names, item, side) for names, side in ((before, item.before), (after, item.after))]
        told = [side for side in sides if side is not None]
        if all(side is not None or old is None for side, old in zip(sides, (item.before, item.after), strict=True)):
            texts = [side[1] if side is not None else "" for side in sides]
            return Change(told[-1][0], item.how, _cut(texts[0]), _cut(texts[1]), by, code=False)
    was, now = (side.text if side is not None else "" for side in (item.before, item.after))
    name = item.name if item.section in (*NAMED_SECTIONS, *HOOK_SECTIONS) else _data(after, item)
    if item.how == "added" and (explained := _TEXT.search(now)):
        return Change(name, item.how, "", _cut(after.language.word(explained[1])), by, code=False)
    return Change(name, item.how, _cut(was), _cut(now), by)


# ---- data


def _data(names: Names, item: Difference) -> str:
    """What a piece of data is called; its path where that has no words."""
    say = names.language.say
    if cell := _CELL.fullmatch(item.name):
        row, column = cell["row"], names.member_name(cell["sort"], cell["column"])
        who = names.trait(row) if row in names.model.traits else capitalized(names.word(row))
        return say("{name}: {what}", name=who, what=column)
    if found := _COLUMN.fullmatch(item.name):
        name, kind = capitalized(names.member_name(found["kind"], found["name"])), names.named(found["kind"])
        of = say("{name} (of {kind})", name=name, kind=kind)
        said = say("{name} (printed on {kind})", name=name, kind=kind) if item.section == "cards" else of
        whole = found["what"] in (None, "is")
        return said if whole else say("{name}: {what}", name=said, what=name_in_words(found["what"]))
    first, *rest = item.name.split(".")
    if item.section == "traits" and first in names.model.traits:
        said = names.trait(first)
    else:
        said = capitalized(names.member_name("", first) if item.section == "state" else names.named(first))
    return say("{name}: {what}", name=said, what=" · ".join(map(name_in_words, rest))) if rest else said


# ---- rules


def _rule(names: Names, item: Difference, side: Side | None) -> tuple[str, str] | None:
    """What a rule is called, and what it does line by line; None where there is none that can be told in words."""
    if side is None:
        return None
    whose, _, name = item.name.rpartition(": ")
    wanted = f"{whose.partition(' ')[2]}.{name}" if whose else name
    flow = Flow(names)
    for declared in declared_in(names.program):
        hooked = isinstance(declared, tree.Hook) and item.section in HOOK_SECTIONS and _same(declared.span, side.span)
        if isinstance(declared, tree.Hook) and hooked:
            short = in_short(names, flow, [declared])
            said = [f"{one.event}: {one.says}{f' – {one.when}' if one.when else ''}" for one in short]
            by = names.owner(declared.origin)
            title = by or "; ".join(one.event for one in short)
            return (title, "\n".join(said)) if said else None
        if item.section == "game" and isinstance(declared, tree.Game):
            return names.language.say("The flow of the game"), "\n".join(_lines(flow.game()))
        if item.section in NAMED_SECTIONS and not isinstance(declared, tree.Hook | tree.Game) and declared.id == wanted:
            owner = names.owner(declared.origin)
            called = capitalized(names.named(declared.name))
            title = names.language.say("{name} ({kind})", name=called, kind=owner) if owner else called
            return title, "\n".join(_said(names, flow, declared))
    return None


def _same(one: Span, other: Span) -> bool:
    return (one.path, one.line, one.column) == (other.path, other.line, other.column)


def _said(names: Names, flow: Flow, declared: tree.Declared) -> Iterator[str]:
    words, say = Phrases(names), names.language.say
    match declared:
        case tree.Routine():
            for local in declared.params:
                words.local(local)
            for require in declared.requires:
                yield say("Only if {condition}", condition=words.condition(require.condition))
            yield from _lines(flow.steps_of(words, declared.body))
        case tree.Action():
            action = flow.action(declared)
            yield from (capitalized(target) for target in action.targets)
            yield from (say("Only if {condition}", condition=need) for need in action.needs)
            yield from (capitalized(note) for note in action.notes)
            with words.block():
                for binder in declared.binders:
                    words.local(binder.local)
                yield from _lines(flow.steps_of(words, declared.body))
        case tree.Value() | tree.Invariant():
            for local in declared.params if isinstance(declared, tree.Value) else ():
                words.local(local)
            truth = declared.body.type.tag == "bool"
            yield capitalized(words.condition(declared.body) if truth else words.thing(declared.body))


def _lines(steps: Sequence[Step], depth: int = 0) -> Iterator[str]:
    for step in steps:
        yield f"{_STEP * depth}{step.text}{':' if step.steps else ''}"
        yield from _lines(step.steps, depth + 1)


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"

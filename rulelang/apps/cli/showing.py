"""The text of `rulelang show`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from rulelang.apps.cli.counting import count_parts, scenarios, words
from rulelang.apps.cli.rulebook import Rule, rulebook
from rulelang.apps.cli.screen import counted, terminal_columns
from rulelang.apps.editor.called import Called
from rulelang.apps.editor.contributions import changes, changes_in, find, names, patched_lines, with_hooks
from rulelang.apps.editor.declared import GROUPS, Entry, entries, value_text
from rulelang.apps.editor.reading import Reading
from rulelang.base.labels import name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.source import Span
from rulelang.base.terminal import display_width, wrap_text
from rulelang.base.wording import list_with_or, player_count_text
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import CardType, Number, Row, Trait


def contents(reading: Reading) -> Iterator[str]:
    """What the ruleset holds: its titles, its traits in all languages, its cards, and all that is declared by name."""
    source, model = reading.source, reading.model
    yield f"{source.title} ({source.id} {source.version}), for {player_count_text(*model.players)}"
    for layer in source.layers[1:]:
        yield f"with the {layer.kind} {layer.id} {layer.version}".rstrip()
    yield ", ".join(counted(number, name) for name, number in count_parts(source, model).items() if number)
    languages = list(dict.fromkeys(tag for trait in model.traits.values() for tag in trait.titles))
    if model.traits:
        yield from ("", "traits")
        copies = Counter(face for _, row, face in _faces(reading) for _ in range(row.copies))
        rows = [
            [trait.name, *(trait.titles.get(tag, "") for tag in languages), _times(copies[trait.name])]
            for trait in model.traits.values()
        ]
        yield from table(rows)
    for sort in model.sorts.values():
        named = [row for row in sort.rows if row.name]
        if named:
            yield from ("", f"cards: {sort.name}")
            yield from table([[row.name, _times(row.copies), row.text] for row in named])
    found = [*entries(reading)]
    chosen = [entry for entry in found if entry.what in ("option", "mode")]
    for what in dict.fromkeys(entry.what for entry in chosen):
        yield from ("", GROUPS[what])
        yield from table([[entry.name, "; ".join(entry.facts())] for entry in chosen if entry.what == what])
    declared: dict[str, list[str]] = {}
    for entry in found:
        if entry not in chosen:
            declared.setdefault(GROUPS[entry.what], []).append(entry.name)
    if model.numbers:
        declared["numbers"] = list(model.numbers)
    for item in (find(reading, name)[0] for name in names(reading)):
        what = "phase" if isinstance(item, tree.Routine) and item.phase else type(item).__name__.lower()
        declared.setdefault(f"{what}s", []).append(item.id)
    if declared:
        yield ""
        for what, ids in declared.items():
            yield from _wrapped(f"{what}: {', '.join(ids)}")


def lines_about(reading: Reading, name: str, language: Language = ENGLISH) -> list[str]:
    """All that is known of a name: of everything that has it, one after the other. A trait's id or title, the name of
    a card's row, of a list's row or of a number, what `entries` tells, or what `dump --stage hooks` knows. Labels are
    those of a language, and what is called so by them is found, too."""
    found = [line for lines in _known(reading, name, Called(reading.model, language)) for line in (*lines, "")]
    return found[:-1]


def _known(reading: Reading, name: str, called: Called) -> Iterator[Iterable[str]]:
    wanted = name.casefold()
    for trait in reading.model.traits.values():
        if wanted in (trait.name.casefold(), *(title.casefold() for title in trait.titles.values())):
            yield _trait(reading, trait, called)
    for sort in reading.model.sorts.values():
        for row in sort.rows:
            if row.name and wanted in _named(row.name, called.row(sort.name, row.name)):
                yield _card(reading, sort, row, called)
    for listing in reading.model.lists.values():
        for row in listing.rows:
            if not row.span.path or listing.name == "trait":
                continue
            if row.name and wanted in _named(row.name, called.row(listing.name, row.name)):
                yield _row(reading, listing.name, row, called)
    number = reading.model.numbers.get(name)
    if number is not None:
        yield _number(number)
    named = [
        entry
        for entry in entries(reading)
        if entry.called(wanted) or wanted == called.entry(entry.what, entry.name).casefold()
    ]
    exact = [entry for entry in named if entry.name.casefold() == wanted]
    for entry in dict.fromkeys((*exact, *named)):
        yield _entry(reading, entry, called)
    for item in find(reading, name):
        yield with_hooks(reading, item)


def _named(name: str, label: str) -> tuple[str, ...]:
    """By which words something is found: its name, that in words, and its label."""
    return (name.casefold(), name_in_words(name).casefold(), label.casefold())


def near(reading: Reading, name: str) -> list[str]:
    model = reading.model
    known = {*names(reading), *model.traits, *model.numbers, *(entry.name for entry in entries(reading))}
    known |= {title for trait in model.traits.values() for title in trait.titles.values()}
    known |= {row.name for sort in model.sorts.values() for row in sort.rows if row.name}
    by_folded = {word.casefold(): word for word in sorted(known)}
    return [by_folded[word] for word in get_close_matches(name.casefold(), by_folded, n=4, cutoff=0.6)]


def table(rows: Sequence[Sequence[str]], indent: str = "  ", gap: int = 2) -> Iterator[str]:
    """Rows in columns as wide as a terminal draws them: East Asian characters take two cells. A long last cell goes on
    below itself."""
    columns = max(map(len, rows), default=0)
    widths = [max((display_width(row[i]) for row in rows if i < len(row)), default=0) for i in range(columns)]
    for row in rows:
        cells = [cell + " " * (widths[i] - display_width(cell)) for i, cell in enumerate(row[:-1])]
        first = indent + "".join(cell + " " * gap for cell in cells)
        yield from (
            wrap_text(row[-1], terminal_columns(), first, " " * display_width(first)) or [first.rstrip()] if row else ()
        )


# ---- one thing


def _trait(reading: Reading, trait: Trait, called: Called) -> Iterator[str]:
    yield f"{called.language.of(trait.titles) or trait.name} (trait {trait.name}), {trait.span}"
    languages = list(dict.fromkeys([*trait.titles, *trait.text]))
    yield from table([[tag, trait.titles.get(tag, ""), trait.text.get(tag, "")] for tag in languages])
    printed = reading.model.lists["trait"].columns
    facts = [
        f"{name}: {value_text(reading.model, printed[name].type if name in printed else None, value)}"
        for name, value in trait.columns.items()
        if value
    ]
    facts += [f"keeps {attribute.name} ({attribute.type})" for attribute in trait.state.values()]
    facts += [f"pair: {trait.pair}"] if trait.pair and not trait.columns.get("pair") else []
    facts += [f"needs {', '.join(trait.needs)}"] if trait.needs else []
    if facts:
        yield from ("", *(f"  {fact}" for fact in facts))
    yield from _rules(reading, "trait", trait.name)
    cards = {(sort.name, row.number): (sort, row) for sort, row, face in _faces(reading) if face == trait.name}
    if cards:
        yield from ("", "cards")
        yield from table(
            [
                [f"{row.copies} x", row.name or sort.name, _columns(reading, sort, row, trait.name)]
                for sort, row in cards.values()
            ]
        )
    own = _declared_by(reading, "trait", trait.name)
    paths = [file.path for file in reading.source.traits if file.id == trait.name]
    tests = [test for test in scenarios(reading.source) if test.span.path in paths]
    yield from _cited(reading, own, tests)
    yield from _tests(tests)


def _card(reading: Reading, sort: CardType, row: Row, called: Called) -> Iterator[str]:
    yield _head(called.row(sort.name, row.name), row.name, called.entry("", sort.name) or sort.name, row.span)
    copies = counted(row.copies, "copy", "copies")
    yield from _wrapped(f"{copies}{', ' if row.columns else ''}{_columns(reading, sort, row)}")
    if row.text:
        yield from ("", *_wrapped(row.text))
    yield from _rules(reading, "card", row.name, sort.name)
    own = _declared_by(reading, "card", sort.name, row.number)
    yield from _cited(reading, own, ())


def _row(reading: Reading, listing: str, row: Row, called: Called) -> Iterator[str]:
    yield _head(called.row(listing, row.name), row.name, called.entry("", listing) or listing, row.span)
    if row.text:
        yield from _wrapped(row.text)
    yield from _rules(reading, "row", row.name, listing)
    own = _declared_by(reading, "row", listing, row.number)
    yield from _cited(reading, own, ())


def _head(label: str, name: str, what: str, span: Span) -> str:
    """The first line: what players call it, and its name in the rules behind that."""
    return f"{label} ({what} {name}), {span}" if label else f"{name} ({what}), {span}"


def _entry(reading: Reading, entry: Entry, called: Called) -> Iterator[str]:
    yield _head(called.entry(entry.what, entry.name), entry.name, entry.what, entry.span)
    facts, about = entry.facts(), called.text(called.entry_label(entry.what, entry.name))
    for fact in facts if about in ("", *facts) else (about, *facts):
        yield from _wrapped(fact)
    rows = [[*row] for row in entry.rows() if any(row)]
    for row in rows:
        kind = entry.name
        label = called.row(kind, row[0]) if kind in reading.model.lists else called.member(kind, row[0])
        row[0] = f"{row[0]} ({label})" if label else row[0]
    if rows:
        yield from ("", *table(rows))


def _number(number: Number) -> Iterator[str]:
    """A constant; where numbers of players have values of their own, one line for each value."""
    yield f"{number.name} (number), {number.span}"
    counts: dict[int | tuple[int, ...], list[str]] = {}
    for players, value in number.by_players.items():
        counts.setdefault(value, []).append(str(players))
    rows = [
        [f"{list_with_or(players)} players", ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)]
        for value, players in counts.items()
    ]
    yield from table(rows if len(rows) > 1 else [row[1:] for row in rows])


def _rules(reading: Reading, kind: str, name: str, of: str = "") -> Iterator[str]:
    for text in reading.source.rules:
        if (text.owner.kind, text.owner.name, text.owner.of) == (kind, name, of):
            changed = changes_in(reading, text.span)
            note = ", with the changes below" if changed else ""
            yield from ("", f"rules, {text.placement.path}:{text.placement.line + 1}{note}")
            lines = patched_lines(reading, text.span) if changed else text.text.rstrip().split("\n")
            yield from (f"    {line}".rstrip() for line in lines)
            yield from changes(reading, changed)


def _cited(reading: Reading, own: Iterable[tree.Declared], tests: Iterable[YamlMap]) -> Iterator[str]:
    """The numbered rules that its code or scenarios cite, with their text."""
    ids = list(dict.fromkeys(cite for item in own for cite in item.cites))
    ids += [cite for test in tests for cite in words(test.get("rule")) if cite not in ids]
    if not ids:
        return
    known = rulebook(reading)
    yield from ("", "numbered rules")
    for cite in dict.fromkeys(ids):
        rule = known.get(cite, Rule(cite, "(not in any file of numbered rules)"))
        yield from _wrapped(f"{cite}: {rule.text}", "      ", "  ")
        if rule.ruling:
            yield from _wrapped(f"ruling: {rule.ruling}", "        ", "      ")


def _tests(tests: Sequence[YamlMap]) -> Iterator[str]:
    if tests:
        yield from ("", "scenarios")
        yield from (f"  - {test.text('name') or '?'}   {test.span}" for test in tests)


# ---- parts


def _declared(program: tree.Program) -> Iterator[tree.Declared]:
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group.values()
    for hooks in (program.modifies, program.forbids, program.ignores, program.triggers, program.copies):
        yield from hooks


def _declared_by(reading: Reading, what: str, name: str, row: int = 0) -> list[tree.Declared]:
    """What a trait or a row declares and hooks."""
    wanted = (what, name, row)
    found = _declared(reading.program)
    return [item for item in found if (item.origin.what, item.origin.name, item.origin.row) == wanted]


def _faces(reading: Reading) -> Iterator[tuple[CardType, Row, str]]:
    """Every card row with each trait that it can be played as."""
    traits = {trait.number: trait.name for trait in reading.model.traits.values()}
    for sort in reading.model.sorts.values():
        columns = [name for name, column in sort.columns.items() if column.type.name == "trait"]
        for row in sort.rows:
            for value in (row.columns.get(name) for name in columns):
                for number in value if isinstance(value, tuple) else (value,):
                    if isinstance(number, int) and number in traits:
                        yield sort, row, traits[number]


def _columns(reading: Reading, sort: CardType, row: Row, without: str = "") -> str:
    parts = []
    for name, value in row.columns.items():
        column = sort.columns.get(name)
        type_ = column.type if column else None
        by = reading.model.lists.get(column.by) if column and isinstance(column.by, str) else None
        if by is not None and isinstance(value, tuple):
            said = [
                f"{r.name} {value_text(reading.model, type_, v)}" for r, v in zip(by.rows, value, strict=False) if v
            ]
            text = ", ".join(said) or "none"
        else:
            text = value_text(reading.model, type_, value)
        if text != without:
            parts.append(f"{name} {text}")
    return "; ".join(parts)


def _times(number: int) -> str:
    return counted(number, "card") if number else ""


def _wrapped(text: str, indent: str = "    ", first: str = "  ") -> list[str]:
    return wrap_text(text, terminal_columns(), first, indent)

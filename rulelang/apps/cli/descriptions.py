"""Describe the names of a ruleset as text: declarations, hooks, cards, numbered rules and scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from rulelang.apps.cli.checking import all_scenarios, as_word_list, count_parts
from rulelang.apps.cli.screen import counted, terminal_columns
from rulelang.apps.editor.declarations import (
    ENTRY_GROUPS,
    DeclaredEntry,
    PlayerNames,
    Reading,
    declared_entries,
    find_hookable,
    hookable_names,
    hooked_lines,
    patch_lines,
    patched_lines,
    patches_in,
    printed_value,
)
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.labels import name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.source import Span
from rulelang.base.terminal import display_width, wrap_text
from rulelang.base.wording import list_with_or, player_count_text
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import Unreadable, read_file, seeds_dir
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import read_yaml
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import CardType, Number, Row, Trait

# ---- The ruleset


def read_ruleset(where: str, mods: Sequence[str] = (), mode: str | None = None) -> Reading:
    """Read a ruleset through all stages of checking. LoadError if there is none."""
    compilation = Compilation(where, mods, mode)
    return Reading(
        compilation.source, compilation.model, compilation.trees, compilation.program, compilation.diagnostics
    )


# ---- Numbered rules


@dataclass(frozen=True, slots=True)
class NumberedRule:
    """One rule in our own words; `ruling` says how an open text is read."""

    id: str
    text: str
    ruling: str = ""


def read_numbered_rules(reading: Reading) -> dict[str, NumberedRule]:
    """By id, the rules in the shipped files for this ruleset or its mods, and in the file that its `source:` names."""
    ids = {layer.of or layer.id for layer in reading.source.layers}
    found: dict[str, NumberedRule] = {}
    for path in _rule_files(reading):
        try:
            root = read_yaml(read_file(path), str(path), Diagnostics()).root
        except Unreadable:
            continue
        if isinstance(root, YamlMap) and root.text("ruleset") in ids:
            for key, node in root.map("rules"):
                if isinstance(node, YamlMap):
                    found[key.text] = NumberedRule(key.text, node.text("text") or "", node.text("ruling") or "")
                elif isinstance(node, YamlScalar):
                    found[key.text] = NumberedRule(key.text, node.text)
    return found


def _rule_files(reading: Reading) -> list[Path]:
    named = [manifest.text("source") for manifest in (reading.source.manifest, *reading.source.mods)]
    beside = Path(reading.source.manifest.span.path).parent
    files = [path for name in named if name for path in (beside / name,) if path.is_file()]
    return [*sorted(seeds_dir().glob("*.yaml")), *files]


# ---- Text about a name


def contents_lines(reading: Reading) -> Iterator[str]:
    """What the ruleset holds: its titles, its traits in all languages, its cards, and all that is declared by name."""
    source, model = reading.source, reading.model
    yield f"{source.title} ({source.id} {source.version}), for {player_count_text(*model.players)}"
    for layer in source.layers[1:]:
        yield f"with the {layer.kind} {layer.id} {layer.version}".rstrip()
    yield ", ".join(counted(number, name) for name, number in count_parts(source, model).items() if number)
    languages = list(dict.fromkeys(tag for trait in model.traits.values() for tag in trait.titles))
    if model.traits:
        yield from ("", "traits")
        copies = Counter(face for _, row, face in _trait_faces(reading) for _ in range(row.copies))
        rows = [
            [trait.name, *(trait.titles.get(tag, "") for tag in languages), _times_text(copies[trait.name])]
            for trait in model.traits.values()
        ]
        yield from table_lines(rows)
    for sort in model.sorts.values():
        named = [row for row in sort.rows if row.name]
        if named:
            yield from ("", f"cards: {sort.name}")
            yield from table_lines([[row.name, _times_text(row.copies), row.text] for row in named])
    found = [*declared_entries(reading)]
    chosen = [entry for entry in found if entry.what in ("option", "mode")]
    for what in dict.fromkeys(entry.what for entry in chosen):
        yield from ("", ENTRY_GROUPS[what])
        yield from table_lines([[entry.name, "; ".join(entry.facts())] for entry in chosen if entry.what == what])
    declared: dict[str, list[str]] = {}
    for entry in found:
        if entry not in chosen:
            declared.setdefault(ENTRY_GROUPS[entry.what], []).append(entry.name)
    if model.numbers:
        declared["numbers"] = list(model.numbers)
    for item in (find_hookable(reading, name)[0] for name in hookable_names(reading)):
        what = "phase" if isinstance(item, tree.Routine) and item.phase else type(item).__name__.lower()
        declared.setdefault(f"{what}s", []).append(item.id)
    if declared:
        yield ""
        for what, ids in declared.items():
            yield from _wrapped_lines(f"{what}: {', '.join(ids)}")


def lines_about(reading: Reading, name: str, language: Language = ENGLISH) -> list[str]:
    """All that is known of a name: of everything that has it, one after the other. A trait's id or title, the name of
    a card's row, of a list's row or of a number, what `entries` tells, or what `dump --stage hooks` knows. Labels are
    those of a language, and what is called so by them is found, too."""
    found = [
        line for lines in _known_names(reading, name, PlayerNames(reading.model, language)) for line in (*lines, "")
    ]
    return found[:-1]


def _known_names(reading: Reading, name: str, called: PlayerNames) -> Iterator[Iterable[str]]:
    wanted = name.casefold()
    for trait in reading.model.traits.values():
        if wanted in (trait.name.casefold(), *(title.casefold() for title in trait.titles.values())):
            yield _trait_lines(reading, trait, called)
    for sort in reading.model.sorts.values():
        for row in sort.rows:
            if row.name and wanted in _names_of_entry(row.name, called.row(sort.name, row.name)):
                yield _card_lines(reading, sort, row, called)
    for listing in reading.model.lists.values():
        for row in listing.rows:
            if not row.span.path or listing.name == "trait":
                continue
            if row.name and wanted in _names_of_entry(row.name, called.row(listing.name, row.name)):
                yield _row_lines(reading, listing.name, row, called)
    number = reading.model.numbers.get(name)
    if number is not None:
        yield _number_lines(number)
    named = [
        entry
        for entry in declared_entries(reading)
        if entry.called(wanted) or wanted == called.entry(entry.what, entry.name).casefold()
    ]
    exact = [entry for entry in named if entry.name.casefold() == wanted]
    for entry in dict.fromkeys((*exact, *named)):
        yield _entry_lines(reading, entry, called)
    for item in find_hookable(reading, name):
        yield hooked_lines(reading, item)


def _names_of_entry(name: str, label: str) -> tuple[str, ...]:
    """By which words something is found: its name, that in words, and its label."""
    return (name.casefold(), name_in_words(name).casefold(), label.casefold())


def similar_names(reading: Reading, name: str) -> list[str]:
    model = reading.model
    known = {
        *hookable_names(reading),
        *model.traits,
        *model.numbers,
        *(entry.name for entry in declared_entries(reading)),
    }
    known |= {title for trait in model.traits.values() for title in trait.titles.values()}
    known |= {row.name for sort in model.sorts.values() for row in sort.rows if row.name}
    by_folded = {word.casefold(): word for word in sorted(known)}
    return [by_folded[word] for word in get_close_matches(name.casefold(), by_folded, n=4, cutoff=0.6)]


def table_lines(rows: Sequence[Sequence[str]], indent: str = "  ", gap: int = 2) -> Iterator[str]:
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


def _trait_lines(reading: Reading, trait: Trait, called: PlayerNames) -> Iterator[str]:
    yield f"{called.language.of(trait.titles) or trait.name} (trait {trait.name}), {trait.span}"
    languages = list(dict.fromkeys([*trait.titles, *trait.text]))
    yield from table_lines([[tag, trait.titles.get(tag, ""), trait.text.get(tag, "")] for tag in languages])
    printed = reading.model.lists["trait"].columns
    facts = [
        f"{name}: {printed_value(reading.model, printed[name].type if name in printed else None, value)}"
        for name, value in trait.columns.items()
        if value
    ]
    facts += [f"keeps {attribute.name} ({attribute.type})" for attribute in trait.state.values()]
    facts += [f"pair: {trait.pair}"] if trait.pair and not trait.columns.get("pair") else []
    facts += [f"needs {', '.join(trait.needs)}"] if trait.needs else []
    if facts:
        yield from ("", *(f"  {fact}" for fact in facts))
    yield from _rule_lines(reading, "trait", trait.name)
    cards = {(sort.name, row.number): (sort, row) for sort, row, face in _trait_faces(reading) if face == trait.name}
    if cards:
        yield from ("", "cards")
        yield from table_lines(
            [
                [f"{row.copies} x", row.name or sort.name, _printed_columns(reading, sort, row, trait.name)]
                for sort, row in cards.values()
            ]
        )
    own = _declared_by_trait(reading, "trait", trait.name)
    paths = [file.path for file in reading.source.traits if file.id == trait.name]
    tests = [test for test in all_scenarios(reading.source) if test.span.path in paths]
    yield from _cited_lines(reading, own, tests)
    yield from _test_lines(tests)


def _card_lines(reading: Reading, sort: CardType, row: Row, called: PlayerNames) -> Iterator[str]:
    yield _heading(called.row(sort.name, row.name), row.name, called.entry("", sort.name) or sort.name, row.span)
    copies = counted(row.copies, "copy", "copies")
    yield from _wrapped_lines(f"{copies}{', ' if row.columns else ''}{_printed_columns(reading, sort, row)}")
    if row.text:
        yield from ("", *_wrapped_lines(row.text))
    yield from _rule_lines(reading, "card", row.name, sort.name)
    own = _declared_by_trait(reading, "card", sort.name, row.number)
    yield from _cited_lines(reading, own, ())


def _row_lines(reading: Reading, listing: str, row: Row, called: PlayerNames) -> Iterator[str]:
    yield _heading(called.row(listing, row.name), row.name, called.entry("", listing) or listing, row.span)
    if row.text:
        yield from _wrapped_lines(row.text)
    yield from _rule_lines(reading, "row", row.name, listing)
    own = _declared_by_trait(reading, "row", listing, row.number)
    yield from _cited_lines(reading, own, ())


def _heading(label: str, name: str, what: str, span: Span) -> str:
    """The first line: what players call it, and its name in the rules behind that."""
    return f"{label} ({what} {name}), {span}" if label else f"{name} ({what}), {span}"


def _entry_lines(reading: Reading, entry: DeclaredEntry, called: PlayerNames) -> Iterator[str]:
    yield _heading(called.entry(entry.what, entry.name), entry.name, entry.what, entry.span)
    facts, about = entry.facts(), called.text(called.entry_label(entry.what, entry.name))
    for fact in facts if about in ("", *facts) else (about, *facts):
        yield from _wrapped_lines(fact)
    rows = [[*row] for row in entry.rows() if any(row)]
    for row in rows:
        kind = entry.name
        label = called.row(kind, row[0]) if kind in reading.model.lists else called.member(kind, row[0])
        row[0] = f"{row[0]} ({label})" if label else row[0]
    if rows:
        yield from ("", *table_lines(rows))


def _number_lines(number: Number) -> Iterator[str]:
    """A constant; where numbers of players have values of their own, one line for each value."""
    yield f"{number.name} (number), {number.span}"
    counts: dict[int | tuple[int, ...], list[str]] = {}
    for players, value in number.by_players.items():
        counts.setdefault(value, []).append(str(players))
    rows = [
        [f"{list_with_or(players)} players", ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)]
        for value, players in counts.items()
    ]
    yield from table_lines(rows if len(rows) > 1 else [row[1:] for row in rows])


def _rule_lines(reading: Reading, kind: str, name: str, of: str = "") -> Iterator[str]:
    for text in reading.source.rules:
        if (text.owner.kind, text.owner.name, text.owner.of) == (kind, name, of):
            changed = patches_in(reading, text.span)
            note = ", with the changes below" if changed else ""
            yield from ("", f"rules, {text.placement.path}:{text.placement.line + 1}{note}")
            lines = patched_lines(reading, text.span) if changed else text.text.rstrip().split("\n")
            yield from (f"    {line}".rstrip() for line in lines)
            yield from patch_lines(reading, changed)


def _cited_lines(reading: Reading, own: Iterable[tree.Declared], tests: Iterable[YamlMap]) -> Iterator[str]:
    """The numbered rules that its code or scenarios cite, with their text."""
    ids = list(dict.fromkeys(cite for item in own for cite in item.cites))
    ids += [cite for test in tests for cite in as_word_list(test.get("rule")) if cite not in ids]
    if not ids:
        return
    known = read_numbered_rules(reading)
    yield from ("", "numbered rules")
    for cite in dict.fromkeys(ids):
        rule = known.get(cite, NumberedRule(cite, "(not in any file of numbered rules)"))
        yield from _wrapped_lines(f"{cite}: {rule.text}", "      ", "  ")
        if rule.ruling:
            yield from _wrapped_lines(f"ruling: {rule.ruling}", "        ", "      ")


def _test_lines(tests: Sequence[YamlMap]) -> Iterator[str]:
    if tests:
        yield from ("", "scenarios")
        yield from (f"  - {test.text('name') or '?'}   {test.span}" for test in tests)


# ---- parts


def _declared_lines(program: tree.Program) -> Iterator[tree.Declared]:
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group.values()
    for hooks in (program.modifies, program.forbids, program.ignores, program.triggers, program.copies):
        yield from hooks


def _declared_by_trait(reading: Reading, what: str, name: str, row: int = 0) -> list[tree.Declared]:
    """What a trait or a row declares and hooks."""
    wanted = (what, name, row)
    found = _declared_lines(reading.program)
    return [item for item in found if (item.origin.what, item.origin.name, item.origin.row) == wanted]


def _trait_faces(reading: Reading) -> Iterator[tuple[CardType, Row, str]]:
    """Every card row with each trait that it can be played as."""
    traits = {trait.number: trait.name for trait in reading.model.traits.values()}
    for sort in reading.model.sorts.values():
        columns = [name for name, column in sort.columns.items() if column.type.name == "trait"]
        for row in sort.rows:
            for value in (row.columns.get(name) for name in columns):
                for number in value if isinstance(value, tuple) else (value,):
                    if isinstance(number, int) and number in traits:
                        yield sort, row, traits[number]


def _printed_columns(reading: Reading, sort: CardType, row: Row, without: str = "") -> str:
    parts = []
    for name, value in row.columns.items():
        column = sort.columns.get(name)
        type_ = column.type if column else None
        by = reading.model.lists.get(column.by) if column and isinstance(column.by, str) else None
        if by is not None and isinstance(value, tuple):
            said = [
                f"{r.name} {printed_value(reading.model, type_, v)}" for r, v in zip(by.rows, value, strict=False) if v
            ]
            text = ", ".join(said) or "none"
        else:
            text = printed_value(reading.model, type_, value)
        if text != without:
            parts.append(f"{name} {text}")
    return "; ".join(parts)


def _times_text(number: int) -> str:
    return counted(number, "card") if number else ""


def _wrapped_lines(text: str, indent: str = "    ", first: str = "  ") -> list[str]:
    return wrap_text(text, terminal_columns(), first, indent)

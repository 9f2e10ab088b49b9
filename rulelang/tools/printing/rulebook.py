"""`rulebook`: all that a game says, as a book: what lies on the table, the flow, traits, numbered rules and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulelang.base.languages import ENGLISH, Language
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset_source import Layer as Laid
from rulelang.language.semantics.model import Row
from rulelang.tools.printing.about import about, maps_of
from rulelang.tools.printing.changes import changes_of
from rulelang.tools.printing.document import Head, Hook, Layer, Marks, Rulebook, Trait
from rulelang.tools.printing.faces import card_tables
from rulelang.tools.printing.flow import Flow
from rulelang.tools.printing.hooks import Brought, brought, core_hooks, rules_of
from rulelang.tools.printing.names import Names, label, plain
from rulelang.tools.printing.rules import chapters
from rulelang.tools.printing.words import words


def rulebook(compilation: Compilation, language: Language = ENGLISH) -> Rulebook:
    """The rulebook of a game, with its mods and mode. LoadError if it cannot be understood."""
    return book_of(Names(compilation, language))


def book_of(names: Names) -> Rulebook:
    flow = Flow(names)
    return Rulebook(
        head_of(names),
        about(names),
        tuple(maps_of(names)),
        flow.game(),
        flow.in_order(),
        _bearers(names),
        tuple(traits_of(names)),
        chapters(names),
        tuple(card_tables(names)),
        changes_of(names),
    )


def _bearers(names: Names) -> str:
    """What the chapter is called in which traits stand, and cards with rules of their own."""
    if not names.model.traits:
        return names.language.say("Cards with rules of their own")
    return names.language.say("Traits")


def head_of(names: Names) -> Head:
    source, model = names.source, names.model
    say = names.language.say
    low, high = model.players
    if low == high:
        players = say("{number} {number:player|players}", number=low)
    else:
        players = say("{low} to {high} players", low=low, high=high)
    version = say("version {version}", version=model.version)
    language, _, region = names.language.code.partition("-")
    title = names.told(model.title) or label(plain(model.id))
    layers = tuple(_layer(names, layer) for layer in source.layers if layer.kind != "base")
    return Head(title, players, version, layers, language, region, words(names.language))


def _layer(names: Names, layer: Laid) -> Layer:
    title = names.layer(layer.index)
    if layer.kind == "mode":
        return Layer(title, names.language.say("in the mode {title}", title=title))
    return Layer(title, names.language.say("with the mod {title} {version}", title=title, version=layer.version))


# ---- traits, and rows with rules


def traits_of(names: Names) -> Iterator[Trait]:
    """The traits, then rows and cards with rules of their own, then what the rules of mods hook themselves."""
    model = names.model
    rules = brought(names)
    copies = face_copies(names)
    for trait in model.traits.values():
        own = rules.get(("trait", trait.name, 0), Brought())
        node = next((file.node for file in names.source.traits if file.id == trait.name), None)
        marks = names.node_marks(node)
        columns = model.lists["trait"].columns
        facts = tuple(
            (names.member_name("trait", name), said)
            for name, value in trait.columns.items()
            if name in columns and (said := names.value(columns[name].type, value))
        )
        name, english = names.trait(trait.name), trait.titles.get("en", "")
        also = english if english != name else ""
        yield _entry(names, own, name, also, names.trait_text(trait.name), copies[trait.name], facts, marks)
    for (what, name, number), own in rules.items():
        if what in ("card", "row"):
            room = model.sorts[name] if what == "card" else model.lists[name]
            row: Row = room.rows[number - 1]
            marks = names.node_marks(names.row_node(name, row))
            count = row.copies if what == "card" else 0
            facts = (("", names.named(name)),)
            yield _entry(names, own, names.row_name(name, row), "", names.row_text(name, row), count, facts, marks)
    for layer, hooks in core_hooks(names).items():
        marks = names.marks(layer)
        yield Trait(rules_of(names, layer), "", "", (), tuple(unmarked(h, marks) for h in hooks), (), marks)


def _entry(
    names: Names,
    own: Brought,
    name: str,
    also: str,
    text: str,
    copies: int,
    facts: tuple[tuple[str, str], ...],
    marks: Marks,
) -> Trait:
    hooks = tuple(unmarked(hook, marks) for hook in own.hooks)
    actions = tuple(Hook(label(names.named(a.name)), _during(names, a.during), "") for a in own.actions)
    count = (("", names.language.say("{number} {number:card|cards}", number=copies)),) if copies else ()
    return Trait(name, also, text, (*count, *facts), (*actions, *hooks), own.cites, marks)


def unmarked(hook: Hook, marks: Marks) -> Hook:
    """A hook without the marks that what brings it has."""
    return Hook(hook.event, hook.says, hook.when, tuple(mark for mark in hook.marks if mark not in marks))


def _during(names: Names, phases: Sequence[str]) -> str:
    said = names.language.listed([names.named(name) for name in phases])
    return names.language.say("an action during {phase}", phase=said) if said else names.language.say("an action")


def face_copies(names: Names) -> Counter[str]:
    """How many cards bear each trait."""
    found: Counter[str] = Counter()
    for sort in names.model.sorts.values():
        for row in sort.rows:
            if row.number == row.written:
                for face in names.faces(sort.name, row):
                    found[names.model.lists["trait"].rows[face - 1].name] += row.copies
    return found

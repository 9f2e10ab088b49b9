"""Make whole documents: the rulebook, the deck of cards, and the reference sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulelang.base.labels import name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.wording import capitalized
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset_source import Layer as Laid
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Row
from rulelang.tools.printing.document import (
    Bearer,
    Deck,
    Face,
    Head,
    Hook,
    Hooked,
    Layer,
    Marks,
    Rulebook,
    Sheet,
    Trait,
)
from rulelang.tools.printing.faces import Fronts, card_tables
from rulelang.tools.printing.numbered_rules import chapters
from rulelang.tools.printing.printed_names import Names, template_words
from rulelang.tools.printing.rule_texts import (
    Brought,
    Flow,
    core_hooks,
    event_label,
    event_name,
    in_short,
    rules_by_bearer,
    rules_of,
    when_of,
)
from rulelang.tools.printing.sections import about, changes_of, maps_of

# ---- the rulebook


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
    title = names.told(model.title) or capitalized(name_in_words(model.id))
    layers = tuple(_layer(names, layer) for layer in source.layers if layer.kind != "base")
    return Head(title, players, version, layers, language, region, template_words(names.language))


def _layer(names: Names, layer: Laid) -> Layer:
    title = names.layer(layer.index)
    if layer.kind == "mode":
        return Layer(title, names.language.say("in the mode {title}", title=title))
    return Layer(title, names.language.say("with the mod {title} {version}", title=title, version=layer.version))


# ---- traits, and rows with rules


def traits_of(names: Names) -> Iterator[Trait]:
    """The traits, then rows and cards with rules of their own, then what the rules of mods hook themselves."""
    model = names.model
    rules = rules_by_bearer(names)
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
    actions = tuple(Hook(capitalized(names.named(a.name)), _during(names, a.during), "") for a in own.actions)
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


# ---- the deck

#: Papers on which nine cards fit, as typst calls them.
PAPERS = {"a4": "a4", "letter": "us-letter"}


def deck(
    compilation: Compilation, language: Language = ENGLISH, *, paper: str = "a4", backs: bool = True, once: bool = False
) -> Deck:
    """The cards of a game with its mods and mode; `once`: each different one once. LoadError if it cannot be
    understood. It is empty for a game without cards."""
    names = Names(compilation, language)
    head = head_of(names)
    fronts = Fronts(names, head.title, compilation.checked.roots)
    faces: dict[Face, int] = {}
    cards: list[int] = []
    for sort in names.model.sorts.values():
        for face, copies in fronts.of(sort):
            number = faces.setdefault(face, len(faces))
            cards += [number] * (1 if once else copies)
    return Deck(head, tuple(faces), tuple(fronts.backs), tuple(cards), PAPERS[paper], backs, tuple(fronts.pictures))


# ---- the reference sheet

#: Lines that say the same are put together; so are names up to this many.
_NAMED = 6
#: What a contribution to a value does, in a word.
_OPS = {"-": "−", "*": "×", "/": "÷"}


def sheet(compilation: Compilation, language: Language = ENGLISH) -> Sheet:
    """The reference sheet of a game, with its mods and mode. LoadError if it cannot be understood."""
    return sheet_of(Names(compilation, language))


def sheet_of(names: Names) -> Sheet:
    flow = Flow(names, brief=True)
    return Sheet(head_of(names), flow.game(), flow.in_order(), tuple(sheet_bearers(names)), tuple(hooked_values(names)))


def sheet_bearers(names: Names) -> list[Bearer]:
    """Who does what to the rules: traits, cards and rows with rules, and mods themselves; equal ones together."""
    copies = face_copies(names)
    found: list[Bearer] = []
    for (what, name, number), own in rules_by_bearer(names).items():
        if what == "trait":
            marks = names.node_marks(next((f.node for f in names.source.traits if f.id == name), None))
            found.append(_bearer(names, own, names.trait(name), copies[name], marks))
        else:
            room = names.model.sorts[name] if what == "card" else names.model.lists[name]
            row = room.rows[number - 1]
            marks = names.node_marks(names.row_node(name, row))
            found.append(_bearer(names, own, names.row_name(name, row), row.copies if what == "card" else 0, marks))
    for layer, hooks in core_hooks(names).items():
        marks = names.marks(layer)
        found.append(Bearer(rules_of(names, layer), 0, tuple(unmarked(hook, marks) for hook in hooks), (), marks))
    order = {trait.name: k for k, trait in enumerate(names.model.traits.values())}
    traits = {names.trait(name): place for name, place in order.items()}
    found.sort(key=lambda one: traits.get(one.name, len(traits)))
    return _together(found)


def _bearer(names: Names, own: Brought, name: str, copies: int, marks: Marks) -> Bearer:
    actions = tuple(_action(names, action) for action in own.actions)
    return Bearer(name, copies, tuple(unmarked(hook, marks) for hook in own.hooks), actions, marks)


def _action(names: Names, action: tree.Action) -> str:
    name = capitalized(names.named(action.name))
    phases = names.language.listed([names.named(phase) for phase in action.during])
    return names.language.say("{action} ({phase})", action=name, phase=phases) if phases else name


def _together(found: list[Bearer]) -> list[Bearer]:
    """Those that do the same on one line."""
    lines: dict[object, list[Bearer]] = {}
    for one in found:
        if one.hooks or one.actions:
            lines.setdefault((one.hooks, one.actions, one.marks), []).append(one)
    return [
        Bearer(
            ", ".join(one.name for one in same[:_NAMED]) + (" …" if len(same) > _NAMED else ""),
            sum(one.copies for one in same),
            same[0].hooks,
            same[0].actions,
            same[0].marks,
        )
        for same in lines.values()
    ]


def hooked_values(names: Names) -> list[Hooked]:
    """Every event and value that something hooks, in declared order, with who does, and how in a word."""
    program = names.program
    found: dict[str, dict[tuple[str, str], None]] = {}
    flow = Flow(names)
    for hook in program.hooks:
        if not in_short(names, flow, [hook]):  # it only tells something
            continue
        who = names.owner(hook.origin) or (rules_of(names, hook.origin.layer))
        part = event_name(names, hook).partition(", ")[2]
        found.setdefault(hook.pattern.event, {})[who, " ".join(filter(None, (_how(names, hook), part)))] = None
    order = [*program.values, *program.routines, *program.actions]
    kinds = {**dict.fromkeys(program.values, "value"), **dict.fromkeys(program.actions, "action")}
    return [
        Hooked(event_label(names, event), kinds.get(event, "event"), tuple(found[event]))
        for event in order
        if event in found
    ]


def _how(names: Names, hook: tree.Hook) -> str:
    """What a hook does, in a word or sign."""
    match hook:
        case tree.Modify(op="="):
            return names.language.say("sets")
        case tree.Modify(op="and"):
            return names.language.say("narrows")
        case tree.Modify(op="or"):
            return names.language.say("widens")
        case tree.Modify(op="at least"):
            return "≥"
        case tree.Modify(op="at most"):
            return "≤"
        case tree.Modify():
            return _OPS.get(hook.op, hook.op)
        case tree.Trigger():
            return when_of(names, hook.kind)
        case tree.Forbid():
            return names.language.say("forbids")
    return names.language.say("ignores")


# ---- things without a label


def said_by_name(compilation: Compilation) -> Sequence[str]:
    """The names of the rules that stand in the rulebook and on the sheet of a game, in their order there; variables of
    one letter are left out. LoadError if the game cannot be understood."""
    names = Names(compilation)
    book_of(names)
    sheet_of(names)
    return [name for name in names.by_name if len(name) > 1]

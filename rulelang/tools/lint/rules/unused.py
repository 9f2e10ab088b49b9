"""Lint rules that find unused things: values, routines, numbers, options, state, zones, lists, comments."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Attribute, CardType, Grid, Listing, Table
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.rule import Finding, Rule, Subject
from rulelang.tools.lint.uses import all_attributes, all_declarations

# ---- unused-value

END_VALUES = {"score", "tiebreak"}  # asked when a game ends


def find_unused_value(subject: Subject) -> Iterator[Finding]:
    for value in subject.program.values.values():
        if value.id not in subject.uses.values | END_VALUES and subject.owns(value.span):
            message = f"nothing reads the value `{value.name}`"
            yield Finding(value.span.head(), message, hint="remove it, or use it")


UNUSED_VALUE = Rule(
    "unused-value",
    Page(
        "L801",
        "value that nothing reads",
        "Either you no longer need this value, or some rule reads another value by mistake. The linter also reports "
        "a value that only scenarios read, because a scenario can contain the expression itself. The end of a game "
        "reads `score` and `tiebreak`.",
        "value slow(snail s) -> bool: s.size > 5\n",
        "value slow(snail s) -> bool: s.size > 5\nmodify strength(s): - 1 when slow(s)\n",
    ),
    find_unused_value,
)


# ---- unused-routine


def find_unused_routine(subject: Subject) -> Iterator[Finding]:
    for routine in subject.program.routines.values():
        if routine.id not in subject.uses.routines and subject.owns(routine.span):
            what = "phase" if routine.phase else "routine"
            message = f"nothing runs the {what} `{routine.name}`"
            yield Finding(routine.span.head(), message, hint="remove it, or run it")


UNUSED_ROUTINE = Rule(
    "unused-routine",
    Page(
        "L802",
        "routine that nothing runs",
        "A routine or phase runs only if a rule calls it. No rule calls this routine or phase, so it never runs, "
        "and hooks on it do nothing. If only scenarios call it, they test something that cannot happen in a game.",
        "routine doze(snail s): s.mood = calm\n",
        "routine doze(snail s): s.mood = calm\nafter dawn:\n  for snail s: doze(s)\n",
    ),
    find_unused_routine,
)


# ---- unused-number


def find_unused_number(subject: Subject) -> Iterator[Finding]:
    for number in subject.model.numbers.values():
        if number.name not in subject.uses.numbers and subject.owns(number.span):
            message = f"nothing reads the number `{number.name}`"
            yield Finding(number.span, message, hint="remove the number, or use it instead of its literal value")


UNUSED_NUMBER = Rule(
    "unused-number",
    Page(
        "L803",
        "number that nothing reads",
        "An entry of `numbers:` has a name so that rules, ranges and limits can read it. Nothing reads this one, so"
        " it has no effect, even if a mod sets it.",
        "numbers: {dew: 3}\n",
        "numbers: {dew: 3}\nkinds: {snail: {attributes: {drops: {is: 0..dew, resets: round}}}}\n",
    ),
    find_unused_number,
)


# ---- unused-option


def find_unused_option(subject: Subject) -> Iterator[Finding]:
    for option in subject.model.options.values():
        if option.name not in subject.uses.options and subject.owns(option.span):
            yield Finding(option.span, f"nothing reads `option.{option.name}`", "the choice has no effect")


UNUSED_OPTION = Rule(
    "unused-option",
    Page(
        "L804",
        "option that nothing reads",
        "A table chooses options to change the game. Nothing reads this `option.NAME`, so the choice has no effect.",
        "options: {sight: {values: [owner, everyone], default: owner}}\n",
        "options: {sight: {values: [owner, everyone], default: owner}}\nset: {zones.hand.seen_by: option.sight}\n",
    ),
    find_unused_option,
)


# ---- unused-local


def find_unused_local(subject: Subject) -> Iterator[Finding]:
    for declared in all_declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        read = {node.local.name for node in walk(declared) if isinstance(node, tree.LocalRef)}
        for node in walk(declared):
            local = _named_result(node)
            if local is not None and local.name not in read:
                hint = "remove the name" if isinstance(node, tree.Create) else "remove the line"
                yield Finding(node.span.head(), f"nothing reads `{local.text}`", hint=hint)


def _named_result(node: object) -> tree.Local | None:
    match node:
        case tree.Create():
            return node.local
        case tree.Roll() if isinstance(node.target, tree.Local):
            return node.target
    return None


UNUSED_LOCAL = Rule(
    "unused-local",
    Page(
        "L805",
        "name that nothing reads",
        "`create` and `roll` name a result for the lines below. No line reads this name. Either it is left over, or"
        " a line reads another name by mistake.",
        "after dawn:\n  roll 1d6 as dew\n  bed_plants += 1\n",
        "after dawn:\n  roll 1d6 as dew\n  bed_plants += dew\n",
    ),
    find_unused_local,
)


# ---- state-never-read


def find_state_never_read(subject: Subject) -> Iterator[Finding]:
    kept: list[Attribute | Table] = [*all_attributes(subject.model), *subject.model.tables.values()]
    for state in kept:
        if state.span not in subject.uses.read and subject.owns(state.span):
            what = "is written" if state.span in subject.uses.written else "is declared"
            yield Finding(
                state.span, f"`{state.name}` {what}, but no rule reads it", "a value that nothing reads has no effect"
            )


STATE_NEVER_READ = Rule(
    "state-never-read",
    Page(
        "L806",
        "state that nothing reads",
        "Rules write this value and never read it, so it has no effect. Either it is left over, or some rule reads "
        "another value by mistake.",
        "state: {dew: number}\n",
        "trait: damp\ntext: {en: It brings dew.}\nstate: {dew: {is: bool, resets: round}}\ncards: [{weight: [1]}]\n"
        "rules: |\n  after eat(self, any, any) unless this.dew:\n    this.dew = true\n    self.mood = calm\n",
    ),
    find_state_never_read,
)


# ---- state-never-written


def find_state_never_written(subject: Subject) -> Iterator[Finding]:
    kept: list[Attribute | Table] = [*all_attributes(subject.model), *subject.model.tables.values()]
    for state in kept:
        uses = subject.uses
        if state.name == subject.model.first:  # from whom players are counted: it may always be the first
            continue
        if state.span in uses.read and state.span not in uses.written and subject.owns(state.span):
            because = "rules read it, but none changes it"
            hint = "declare it under `numbers:` if it never changes"
            yield Finding(state.span, f"`{state.name}` always keeps its starting value", because, hint)


STATE_NEVER_WRITTEN = Rule(
    "state-never-written",
    Page(
        "L807",
        "state that nothing changes",
        "Rules read this value but never change it, so it keeps its starting value in every game. Either a rule is "
        "missing, or it should be a number under `numbers:` or a column.",
        "state: {dew: {is: number, start: 2}}\n---\nmodify hunger(any): + dew\n",
        "numbers: {dew: 2}\n---\nmodify hunger(any): + dew\n",
    ),
    find_state_never_written,
)


# ---- unused-column

FACE_COLUMNS = {"face", "faces"}  # they say as which trait a card can lie on a thing


def find_unused_column(subject: Subject) -> Iterator[Finding]:
    model = subject.model
    holders: list[CardType | Listing | Grid] = [*model.sorts.values(), *model.lists.values(), *model.grids.values()]
    for holder in holders:
        for column in holder.columns.values():
            used = column.name in FACE_COLUMNS or not column.tells_apart or column.span in subject.uses.columns
            if not used and subject.owns(column.span):
                because = "a column that no rule reads has no effect in the game"
                hint = (
                    "list it under `unused_columns:`, or write `tells_apart: false`"
                    if holder.name in model.sorts
                    else ""
                )
                yield Finding(
                    column.span, f"no rule reads the column `{column.name}` of `{holder.name}`", because, hint
                )


UNUSED_COLUMN = Rule(
    "unused-column",
    Page(
        "L808",
        "column that nothing reads",
        "No rule reads this column. Either it is only for people, or some rule reads another column by mistake. "
        "List columns of a CSV file that the rules do not need under `unused_columns:`. For a column of cards that "
        "is only for people, you can write `tells_apart: false`. Then cards that differ only there count as equal.",
        "cards: {card: {columns: {artist: {is: int, default: 0}}}}\n",
        "cards: {card: {columns: {artist: {is: int, default: 0, tells_apart: false}}}}\n",
    ),
    find_unused_column,
)


# ---- unused-zone


def find_unused_zone(subject: Subject) -> Iterator[Finding]:
    for zone in subject.model.zones.values():
        if zone.slot or not subject.owns(zone.span):
            continue
        if zone.name not in subject.uses.zones:
            yield Finding(zone.span, f"no rule names the zone `{zone.name}`", "the zone is always empty")
        elif zone.name not in subject.uses.filled:
            hint = "let a rule `move` or `draw` cards there, or remove it"
            yield Finding(zone.span, f"no rule moves cards to the zone `{zone.name}`", "the zone is always empty", hint)


UNUSED_ZONE = Rule(
    "unused-zone",
    Page(
        "L809",
        "zone that is always empty",
        "A zone gets cards only if rules move cards there. No rule moves cards to this zone, so it stays empty in "
        "every game.",
        "zones: {burrow: {of: player, holds: card, seen_by: owner}}\n",
        "trait: digger\ntext: {en: It buries itself.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  after eat(self, any, any): move this to discards\n",
    ),
    find_unused_zone,
)


# ---- unused-list


def find_unused_list(subject: Subject) -> Iterator[Finding]:
    model = subject.model
    for what, holders in (("list", model.lists), ("kind", model.made), ("card type", model.sorts)):
        for name, holder in holders.items():
            if name not in subject.uses.kinds and name != "trait" and subject.owns(holder.span):
                yield Finding(holder.span, f"nothing uses the {what} `{name}`", hint="remove it, or use it")


UNUSED_LIST = Rule(
    "unused-list",
    Page(
        "L810",
        "unused list or kind",
        "Lists, kinds and card types are for types, loops and zones. Nothing uses this one, so it is probably left "
        "over.",
        "lists: {weather: [dry, wet]}\n",
        "lists: {weather: [dry, wet]}\nkinds: {snail: {attributes: {likes: weather}}}\n",
    ),
    find_unused_list,
)


# ---- useless-allow


def find_useless_allow(subject: Subject) -> Iterator[Finding]:
    """Told by `run.py`, which knows what was allowed and found."""
    return iter(())


USELESS_ALLOW = Rule(
    "useless-allow",
    Page(
        "L800",
        "comment that allows nothing",
        "`# lint: allow NAME` on a line, or on the line above it, silences a rule of the linter. Separate several "
        "names with commas. Here, the named rule reports nothing or does not exist. Delete the comment.",
        "# lint: allow unused-value\nmodify strength(any): + 1\n",
        "# lint: allow unused-value\nvalue slow(snail s) -> bool: s.size > 5\n",
    ),
    find_useless_allow,
)

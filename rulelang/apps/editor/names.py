"""All names of a game, whatever mode is played, that its files may say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.compiler.compilation import Compilation
from rulelang.data.layers import VERBS
from rulelang.data.patching import apply_arithmetic
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import CardType, Column, Listing, Model, Option
from rulelang.testing.scenarios.documents import Rule, documents_of


@dataclass(slots=True)
class Names:
    """The names that a game declares, in all modes together.

    `columns` and `rows`: by list or sort of cards; `members`: by kind, list, sort of cards or grid what `look:` speaks
    of, its attributes and columns (`game`: the state); `words`: what `cells:` lets a column (of a list, sort or grid)
    say besides; `unused`: columns of a sort's files that nothing reads; `paths`: what a mod may `set:`;
    `numbers`: what it may `add:` to; `counts`: those declared under `numbers:`.
    """

    id: str
    title: Mapping[str, str]
    lists: dict[str, None] = field(default_factory=dict)
    sorts: dict[str, None] = field(default_factory=dict)
    columns: dict[str, dict[str, Column]] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    kinds: dict[str, None] = field(default_factory=dict)
    grids: dict[str, None] = field(default_factory=dict)
    zones: dict[str, str | None] = field(default_factory=dict)
    state: dict[str, None] = field(default_factory=dict)
    tables: dict[str, None] = field(default_factory=dict)
    player: dict[str, None] = field(default_factory=dict)
    phases: dict[str, None] = field(default_factory=dict)
    numbers: dict[str, None] = field(default_factory=dict)
    counts: dict[str, None] = field(default_factory=dict)
    actions: dict[str, None] = field(default_factory=dict)
    ruled: dict[str, None] = field(default_factory=dict)
    members: dict[str, dict[str, None]] = field(default_factory=dict)
    modes: dict[str, None] = field(default_factory=dict)
    paths: dict[str, None] = field(default_factory=dict)
    rows: dict[str, dict[str, None]] = field(default_factory=dict)
    words: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)
    unused: dict[str, dict[str, None]] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)


def names_of(where: str | Path, mods: Sequence[str | Path] = ()) -> tuple[Names | None, Diagnostics]:
    """The names of a game with mods; None with the mistakes of a game that cannot be read."""
    plain = Compilation(where, mods)
    if plain.diagnostics.failed or plain.read[0] is None:
        return None, plain.diagnostics
    found = names_from(plain.source, plain.model, plain.program)
    for mode in found.modes:
        part = Compilation(where, mods, mode)
        if not part.diagnostics.failed:
            _add(found, part.source, part.model, part.program)
    return found, Diagnostics()


def names_from(source: RulesetSource, model: Model, program: tree.Program) -> Names:
    """The names of a game as it is in one mode, or in none."""
    found = Names(source.id if not source.given else source.given[0], model.title)
    found.modes = dict.fromkeys(source.modes)
    _add(found, source, model, program)
    found.rules = documents_of(source, Diagnostics())[0]
    return found


def _add(found: Names, source: RulesetSource, model: Model, program: tree.Program) -> None:
    _declared(found, model)
    _written(found, source)
    found.phases |= dict.fromkeys(name for name, routine in program.routines.items() if routine.phase)
    found.actions |= dict.fromkeys(action.name for action in program.actions.values())
    found.ruled |= dict.fromkeys(item.name for part in (program.values, program.routines) for item in part.values())


def _declared(found: Names, model: Model) -> None:
    found.lists |= dict.fromkeys(model.lists)
    found.sorts |= dict.fromkeys(model.sorts)
    declared: dict[str, Listing | CardType] = {**model.lists, **model.sorts}
    for name, rows in declared.items():
        found.rows.setdefault(name, {}).update(dict.fromkeys(row.name for row in rows.rows if row.name))
        found.columns.setdefault(name, {}).update(rows.columns)
    found.options |= model.options
    found.kinds |= dict.fromkeys(model.made)
    found.grids |= dict.fromkeys(model.grids)
    found.zones |= {name: zone.of for name, zone in model.zones.items()}
    found.state |= dict.fromkeys(model.state)
    found.tables |= dict.fromkeys(model.tables)
    found.counts |= dict.fromkeys(model.numbers)
    found.player |= dict.fromkeys(model.player_attributes)
    shown: dict[str, Iterable[str]] = {"game": model.state, "player": model.player_attributes}
    shown |= {name: (*of.columns, *of.attributes) for name, of in (*declared.items(), *model.grids.items())}
    shown |= {name: made.attributes for name, made in model.made.items()}
    kept = [attribute for trait in model.traits.values() for attribute in trait.state]  # on the cards that show it
    shown |= {name: (*shown[name], *kept) for name in model.sorts}
    for name, members in shown.items():
        found.members.setdefault(name, {}).update(dict.fromkeys(members))


def _written(found: Names, source: RulesetSource) -> None:
    for section in ("lists", "ladders", "cards", "grids"):
        for key, node in source.tree.map(section):
            if not isinstance(node, YamlMap):
                continue
            for column, said in node.map("columns"):
                if isinstance(said, YamlMap):
                    words = dict.fromkeys(word.text for word, _ in said.map("cells"))
                    found.words.setdefault((key.text, column.text), {}).update(words)
                    _value_set(found, f"{key.text} {column.text}", said)
            found.unused.setdefault(key.text, {}).update(_texts(node.seq("unused_columns")))
    for key, said in source.tree.map("traits"):
        if isinstance(said, YamlMap):
            _value_set(found, f"trait {key.text}", said)
    found.paths |= dict.fromkeys(path for path, _ in _paths(source.tree, ()))
    found.numbers |= dict.fromkeys(path for path, node in _paths(source.tree, ()) if _reckons(node))


def _reckons(node: YamlNode) -> bool:
    return apply_arithmetic("add", node, (1, 1), node.span, 0) is not None


def _value_set(found: Names, name: str, said: YamlMap) -> None:
    if said.seq("values"):
        found.rows.setdefault(name, {}).update(_texts(said.seq("values")))


def _texts(nodes: Iterable[YamlNode]) -> dict[str, None]:
    return {node.text: None for node in nodes if isinstance(node, YamlScalar)}


#: Rows, of which there are too many; what is no value; and what is asked of a deck.
_APART = ("rows", "rules", "scenarios", *VERBS, "expect")


def _paths(tree: YamlMap, above: tuple[str, ...]) -> Iterator[tuple[str, YamlNode]]:
    """Paths of values that a mod may set, without those of rows: there are too many to choose from."""
    for key, node in tree:
        if key.text in _APART or not key.text:
            continue
        path = (*above, key.text)
        if isinstance(node, YamlMap):
            yield from _paths(node, path)
        elif above:
            yield ".".join(path), node

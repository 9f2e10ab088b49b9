"""Everything that is said to players, in English, with the place where it is written: of a game, and of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rulelang.base import disk_cache
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.disk_cache import digest, program_hash
from rulelang.base.labels import NO_LABEL, Label, Labels, Texts, in_english, name_in_words
from rulelang.base.layout import Layout
from rulelang.base.phrases import Filling, Phrase, RuleName, all_fillings, flatten, inflect, keyed_template
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import plural
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir.nodes import Blame, Ensure, Module
from rulelang.compiler.ir.walk import all_statements
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import MEMBERS, NAMES
from rulelang.runtime.display_names import UNSEEN
from rulelang.runtime.table import TableOption, choose_options
from rulelang.testing.scenarios.documents import documents_of
from rulelang.tools.printing.rulebook import said_by_name

#: What a text is for. `own`: of the program itself.
Sort = Literal["name", "text", "question", "log", "reason", "rule", "own"]
#: In the order in which catalogues have them, with their headings.
SORTS: Mapping[Sort, str] = {
    "name": "what things are called",
    "text": "what is said of them",
    "question": "what players are asked",
    "log": "what happened",
    "reason": "why something cannot be done",
    "rule": "the numbered rules, in print",
    "own": "what the program says",
}
#: What stands in every file that has phrases.
_CALLS = ("phrase", "say", ".word(")
#: Tables of phrases, by what they are called.
_TABLE = "PHRASES"
#: Lists that every ruleset has, and that no player meets.
_HIDDEN = ("pair",)


@dataclass(frozen=True, slots=True)
class Text:
    """One text in English, what it is for, and where it is first written (NOWHERE: in the rules as a name).

    `made`: it is a sentence made of phrases that stand in the program's own catalogues, so nobody has to translate it;
    a catalogue may say the whole of it in a way of its own.
    """

    english: str
    sort: Sort
    span: Span = NOWHERE
    made: bool = False


def texts_of(compilation: Compilation) -> dict[str, Text]:
    """What a game says, by the English text, in the order of `SORTS`: over all its modes, and each value of every
    option in turn. LoadError if it has mistakes."""
    found: dict[str, Text] = {}
    for text in _ruled(compilation):
        found.setdefault(text.english, text)
    modes = [None] if compilation.mode is not None else [None, *compilation.source.modes]
    for mode in modes:
        one = compilation if mode is None else Compilation(compilation.where, compilation.mods, mode)
        for text in _texts(one):
            known = found.get(text.english)
            if known is None or known.sort == "rule":
                found[text.english] = text
            elif known.span == NOWHERE and text.span != NOWHERE:
                found[text.english] = replace(known, span=text.span)
    order = [*SORTS]
    return dict(sorted(found.items(), key=lambda item: order.index(item[1].sort)))


def _texts(compilation: Compilation) -> Iterator[Text]:
    summary = compilation.sound
    yield Text(summary.info.title, "name", compilation.source.manifest.span)
    first = True
    for players, options in tables(summary.players, {} if compilation.mode else summary.options, summary.options):
        module, found = compilation.lowered(players, options)
        if found.failed:
            continue
        if first:
            yield from _named(module.layout, compilation)
            first = False
        yield from _said(module, compilation)


def tables(
    seats: tuple[int, int], varied: Mapping[str, TableOption], options: Mapping[str, TableOption]
) -> Iterator[tuple[int, dict[str, int]]]:
    """Each number of players, and each value of the `varied` options in turn (of a number its ends): players and
    options. If nothing is varied, the fewest and the most players only."""
    low, high = seats
    counts = range(low, high + 1) if varied else (low, high)
    usual = {players: choose_options(options, players, None) for players in counts}
    yield from usual.items()
    for name, option in varied.items():
        ways = (*range(1, len(option.values) + 1),) if option.values else (option.low, option.high)
        for value in ways:
            teams = option.teams.get(value, (low,))
            players = high if high in teams else teams[0]
            chosen = choose_options(options, players, None)
            if chosen[name] != value:
                yield players, {**chosen, name: value}


# ---- numbered rules


def _ruled(compilation: Compilation) -> Iterator[Text]:
    """The numbered rules of its documents, as rulebooks print them."""
    source = compilation.source
    rules, _ = documents_of(source, Diagnostics())
    laid = {layer.id for layer in source.layers}
    for rule in rules.values():
        if rule.ruleset in laid:
            for said in (rule.section, rule.text, rule.ruling, rule.because):
                if said:
                    yield Text(said, "rule", rule.span)
    program, model = compilation.program, compilation.model
    groups = (program.routines, program.values, program.invariants, model.numbers)
    places = {name: declared.span for group in groups for name, declared in group.items()}
    for name in said_by_name(compilation):
        yield Text(name_in_words(name), "rule", places.get(name, NOWHERE))


# ---- names, and what is said of things


def _named(layout: Layout, compilation: Compilation) -> Iterator[Text]:
    places = _places(compilation)
    for text, sort in _labelled(layout):
        if any(char.isalpha() for char in text):
            yield Text(text, sort, places.get(text, NOWHERE))


def _labelled(layout: Layout) -> Iterator[tuple[str, Sort]]:
    labels = layout.labels
    keeping = {kept.kind for kept in layout.attributes} | {zone.of for zone in layout.zones.values()}
    several = {*layout.kinds, *layout.sorts, *layout.grids, *(layout.lists.keys() & keeping)}
    for kind in layout.kinds.values():
        for name in kind.names:
            yield name, "name"
    for name, label in labels.things.items():
        yield from _label(name.removeprefix("option "), label)
        if name in several:
            yield in_english(label.plural) or _several(in_english(label.name) or name_in_words(name)), "name"
    for members in labels.members.values():
        for name, label in members.items():
            yield from _label(name, label)
    for attribute in layout.attributes:
        if attribute.name not in labels.members.get(attribute.kind, {}):
            yield name_in_words(attribute.name), "name"
    yield from _rows(layout, labels)
    yield from ((word, "name") for word in ("player", "trait", UNSEEN))


def _rows(layout: Layout, labels: Labels) -> Iterator[tuple[str, Sort]]:
    for rows in labels.rows.values():
        for name, label in rows.items():
            yield from _label(name, label)
    for kind, names in layout.lists.items():
        if kind in _HIDDEN or kind in layout.grids or kind in layout.kinds or kind in layout.sorts or kind == "player":
            continue
        for name in names[1:]:
            if name.rpartition(" ")[0] != kind and name not in labels.rows.get(kind, {}):
                yield name_in_words(name), "name"


def _label(name: str, label: Label) -> Iterator[tuple[str, Sort]]:
    if label.hidden:  # it may still be told of, in print
        yield from ((text, "name") for text in (in_english(label.name),) if text)
        return
    yield in_english(label.name) or name_in_words(name), "name"
    for texts in (label.short, label.pattern, label.otherwise):
        if text := in_english(texts):
            yield text, "name"
    if text := in_english(label.text):
        yield text, "text"
    if unit := _unit(label.unit):
        yield unit, "text"


def _unit(unit: Texts) -> str:
    """What is said of a number with its unit, as screens say it."""
    forms = in_english(unit)
    return f"{{value}} {{value:{forms if '|' in forms else f'{forms}|{forms}'}}}" if forms else ""


def _several(word: str) -> str:
    head, _, last = word.rpartition(" ")
    return f"{head} {plural(last)}".strip()


def _places(compilation: Compilation) -> dict[str, Span]:
    """By text, where it stands in a file of data: as a key, or as the English text itself."""
    found: dict[str, Span] = {}

    def walk(node: YamlNode) -> None:
        if isinstance(node, YamlScalar):
            if isinstance(node.value, str):
                found.setdefault(node.text.strip(), node.span)
                found.setdefault(name_in_words(node.text), node.span)
        elif isinstance(node, YamlSeq):
            for item in node.items:
                walk(item)
        elif isinstance(node, YamlMap):
            for key, value in node:
                if key.text:
                    found.setdefault(name_in_words(key.text), key.span)
                walk(value)

    source = compilation.source
    for root in (*source.manifests, source.tree, *(trait.node for trait in source.traits)):
        walk(root)
    return found


# ---- what rules say


def _said(module: Module, compilation: Compilation) -> Iterator[Text]:
    """What a table tells. Of what is false when it breaks an invariant, authors are told and not players."""
    broken = [one.span.to(one.body.span) for one in compilation.program.invariants.values()]
    for site in module.sites:
        if site.kind == "stop":
            continue
        yield from _words((site.prompt,), "question", site.span)
        for action in site.actions:
            for name, kind in zip(action.params, action.types, strict=False):
                if kind and len(name) > 2:
                    yield Text(name_in_words(name), "name", action.span)
            if action.name and not module.layout.labels.things.get(action.name, NO_LABEL).name:
                yield Text(name_in_words(action.name), "name", action.span)
    for template in module.templates:
        if template.what == "shuffle":
            continue  # the program tells it
        yield from _words(template.parts, "log", template.span)
    told = {
        stmt.reason
        for function in module.functions.values()
        for stmt in all_statements(function.body)
        if isinstance(stmt, Blame | Ensure)
    }
    for number, reason in enumerate(module.reasons):
        if number not in told:
            continue  # lowering had it ready for a case that there is not
        if any(s.path == reason.span.path and s.line <= reason.span.line <= s.end_line for s in broken):
            continue
        filling = [*all_fillings(reason.text)]
        made = isinstance(reason.text, Phrase) and not any(isinstance(one, tuple) for one in filling)
        yield from (replace(text, made=made) for text in _words(flatten(reason.text), "reason", reason.span))
        yield from _mentioned(filling, module.layout)


def _mentioned(filling: Sequence[Filling], layout: Layout) -> Iterator[Text]:
    """The names that a sentence of phrases speaks of, where they have no label."""
    labels = layout.labels
    for one in filling:
        if not isinstance(one, RuleName):
            continue
        label = NO_LABEL
        if one.room == "member":
            label = labels.member(one.of, one.name)
        elif one.room == "thing":
            label = labels.things.get(one.name, NO_LABEL)
        if not label.name and one.room != "row":
            said = name_in_words(one.name)
            yield Text(said if one.form != "several" else inflect(said, one), "name")


def _words(parts: Sequence[str | tuple[int, str]], sort: Sort, span: Span) -> Iterator[Text]:
    key, _ = keyed_template(tuple(parts))
    words = (part if isinstance(part, str) else part[1] if part[1].startswith(":") else "" for part in parts)
    if any(char.isalpha() for word in words for char in word):
        yield Text(key, sort, span)


# ---- the program itself


def own_texts() -> dict[str, Text]:
    """The phrases of the program, by their templates: the first arguments of `phrase(...)` and `language.say(...)`,
    and of `language.word(...)`; what stands in tables called PHRASES; and what built-ins are called."""
    package = Path(__file__).resolve().parents[2]
    key = digest("own texts", program_hash(), str(package))  # to read all of the program takes longer than all else
    kept = disk_cache.load("own-texts", key)
    if isinstance(kept, dict):
        return kept
    found: dict[str, Text] = {}
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in (*_CALLS, _TABLE)):
            continue
        for node in _literals(ast.parse(text)):
            assert isinstance(node.value, str)
            end = (node.end_lineno or node.lineno, (node.end_col_offset or 0) + 1)
            span = Span(path.as_posix(), node.lineno, node.col_offset + 1, *end)
            if any(char.isalpha() for char in node.value):
                found.setdefault(node.value, Text(node.value, "own", span))
    functions, members, names = FUNCTIONS.values(), MEMBERS.values(), NAMES.values()
    words = (word for row in members for word in (row.said, row.own))
    for said in (*(row.said for row in functions), *words, *(row.said for row in names)):
        if said:
            found.setdefault(said, Text(said, "own"))
    disk_cache.store("own-texts", key, found)
    return found


def _literals(tree: ast.AST) -> Iterator[ast.Constant]:
    aliases = {node.id for part in ast.walk(tree) if isinstance(part, ast.Assign) for node in _aliases(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _is_phrase(node.func, aliases):
            values = [node.args[0]]
            if isinstance(values[0], ast.IfExp):
                values = [values[0].body, values[0].orelse]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and _called(node.targets[0]) == _TABLE:
            values = [*node.value.values]
        else:
            continue
        yield from (value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))


def _aliases(assigned: ast.Assign) -> Iterator[ast.Name]:
    """The names that are given to `language.say`: `say = self.language.say`, also among others."""
    (target, *_), value = assigned.targets, assigned.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = [*zip(target.elts, value.elts, strict=False)]
    for name, given in pairs:
        if isinstance(name, ast.Name) and isinstance(given, ast.Attribute) and _is_phrase(given, frozenset()):
            yield name


def _is_phrase(function: ast.expr, aliases: Set[str]) -> bool:
    if isinstance(function, ast.Name):
        return function.id == "phrase" or function.id in aliases
    if not isinstance(function, ast.Attribute) or function.attr not in ("say", "word"):
        return False
    return _called(function.value) == "language"


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""

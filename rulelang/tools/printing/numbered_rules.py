"""The numbered rules of a game's documents, each with what carries it out."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.base.wording import capitalized
from rulelang.compiler.compilation import Compilation
from rulelang.data.patches import Entry
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics import tree
from rulelang.language.semantics.declare.labels import texts_of
from rulelang.testing.scenarios.documents import Rule as Seed
from rulelang.testing.scenarios.documents import documents_of
from rulelang.tools.printing.document import Chapter, Rule
from rulelang.tools.printing.printed_names import Names
from rulelang.tools.printing.rule_texts import declared_in


def chapters(names: Names) -> tuple[Chapter, ...]:
    """All rules, by the sections of their documents; where there are several documents, the titles say so."""
    every, _ = documents_of(names.source, Diagnostics())
    laid = {layer.id for layer in names.source.layers if layer.kind != "mode"}
    seeds = {name: seed for name, seed in every.items() if seed.ruleset in laid}
    done = _carried_out(names, seeds)

    def tell(text: str) -> str:
        return names.language.word(text) if text else ""

    several = len({seed.document for seed in seeds.values()}) > 1
    found: dict[tuple[str, str], list[Rule]] = {}
    for seed in seeds.values():
        rule = Rule(
            seed.id,
            tell(seed.text),
            tell(seed.ruling),
            tell(seed.because),
            tuple(done.get(seed.id, ())),
            names.marks(_layer(names, seed)),
        )
        found.setdefault((seed.document, seed.section), []).append(rule)
    titles = {name: names.language.say("Document {name}", name=name) if several else "" for name, _ in found}
    return tuple(
        Chapter(" · ".join(filter(None, (titles[name], tell(section)))), tuple(rules))
        for (name, section), rules in found.items()
    )


def _layer(names: Names, seed: Seed) -> int:
    """The mod whose rule it is, or that has the rules of its own document."""
    return next((layer.index for layer in names.source.layers if layer.kind == "mod" and layer.id == seed.ruleset), 0)


def _carried_out(names: Names, seeds: dict[str, Seed]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}

    def add(cite: str, what: str) -> None:
        if what not in found.setdefault(cite, []):
            found[cite].append(what)

    for item in declared_in(names.program):
        for cite in item.cites:
            add(cite, declaration_words(names, item))
    for cite, what in _by_data(names):
        add(cite, what)
    one = names.compilation
    for mode in names.source.modes if one.mode is None else ():
        missing = {seed.id for seed in seeds.values() if seed.enforced} - found.keys()
        if not missing:
            break
        inner = Compilation(one.where, one.mods, mode)
        cited = {cite for item in declared_in(inner.program) for cite in item.cites}
        cited |= {citation.rule_id for citation in inner.source.citations}
        for cite in sorted(missing & cited):
            add(cite, names.language.say("{name} (mode)", name=capitalized(names.word(mode))))
    return found


def declaration_words(names: Names, item: tree.Declared) -> str:
    """A declaration in words: `Deal (phase)`, or who brings it."""
    owner, say = names.owner(item.origin), names.language.say
    if owner:
        return owner
    name = capitalized(names.named(item.pattern.event if isinstance(item, tree.Hook) else item.name))
    match item:
        case tree.Game():
            return say("the flow of the game")
        case tree.Routine(phase=True):
            return say("{name} (phase)", name=name)
        case tree.Action():
            return say("{name} (action)", name=name)
        case tree.Value():
            return say("{name} (value)", name=name)
        case tree.Invariant():
            return say("{name} (always)", name=name)
        case tree.Hook():
            return say("{name} (hooked)", name=name)
    return say("{name} (routine)", name=name)


def _by_data(names: Names) -> Iterator[tuple[str, str]]:
    """What stands below each citation in the files of data."""
    keyed: dict[str, list[Entry]] = {}
    traits = {trait.id: trait.node for trait in names.source.traits}
    for entry in names.source.history.entries(names.source.tree, traits):
        if entry.key is not None and "scenarios" not in entry.place:
            keyed.setdefault(entry.key.span.path, []).append(entry)
    for entries in keyed.values():
        entries.sort(key=lambda entry: (_start(entry), len(entry.place)))
    for citation in names.source.citations:
        below = (e for e in keyed.get(citation.span.path, ()) if _start(e)[0] > citation.span.line)
        first = next(below, None)
        if first is not None:
            yield citation.rule_id, _data_words(names, first)


def _start(entry: Entry) -> tuple[int, int]:
    span: Span = entry.key.span if entry.key is not None else entry.value.span
    return span.line, span.column


def _data_words(names: Names, entry: Entry) -> str:
    """A piece of data in words: `Hand (place for cards)`."""
    section, *path = entry.place
    say = names.language.say
    if not path:
        return capitalized(names.word(section))
    if section == "traits" and path[0] in names.model.traits:
        return names.trait(path[0])
    whose = names.named(path[0]) if section not in ("state", "traits") else ""
    if len(path) > 2 and path[1] == "rows":
        own = names.told(texts_of(entry.value.get("name"))) if isinstance(entry.value, YamlMap) else ""
        return say("{name} ({kind})", name=capitalized(own or names.word(path[2])), kind=whose)
    if len(path) > 2 and path[1] == "columns":
        return say("{name} (printed on {kind})", name=capitalized(names.member_name(path[0], path[2])), kind=whose)
    if len(path) > 2 and path[1] == "attributes":
        return say("{name} (of {kind})", name=capitalized(names.member_name(path[0], path[2])), kind=whose)
    last = path[-1] if path[-1] not in ("columns", "attributes", "rows", "for_each") else path[0]
    kinds = {
        "numbers": say("number"), "options": say("option"), "zones": say("place for cards"), "state": say("state"),
        "tables": say("table"), "kinds": say("kind"), "lists": say("list"), "ladders": say("ladder"),
        "grids": say("map"), "cards": say("cards"), "traits": say("trait"),
    }  # fmt: skip
    what = kinds[section] if section in kinds else names.word(section)
    owner = {"state": "", "traits": "trait"}.get(section)  # these are kept, or printed: no things of their own
    name = names.named(last) if owner is None else names.member_name(owner, last)
    return say("{name} ({kind})", name=capitalized(name), kind=what)

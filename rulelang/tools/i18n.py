"""Translation catalogs: collect texts, and extract, check and count the translations.

- `texts_of` and `program_texts` collect the English texts of a game and of rulelang itself.
- `TranslationWork` is the catalog of one language with the texts that it translates; `extract_catalogue` writes it.
- `check_catalogue` reports missing, unused and wrong translations as diagnostics; `count_texts` counts them.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from rulelang.base import disk_cache
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.disk_cache import digest, program_hash
from rulelang.base.labels import NO_LABEL, Label, Labels, Texts, in_english, name_in_words
from rulelang.base.layout import Layout
from rulelang.base.phrases import (
    Filling,
    Hole,
    NoBabel,
    Phrase,
    RuleName,
    all_fillings,
    count_names,
    flatten,
    hole_names,
    inflect,
    keyed_template,
    plural_categories,
    template_pieces,
)
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import did_you_mean, plural
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir.nodes import Blame, Ensure, Module
from rulelang.compiler.ir.walk import all_statements
from rulelang.data.catalogues import (
    LANG,
    Catalogue,
    Entry,
    catalogue_languages,
    load_translations,
    own_folder,
    read_catalogue,
)
from rulelang.data.folders import Folder, open_folder
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import MEMBERS, NAMES
from rulelang.runtime.display_names import UNSEEN
from rulelang.runtime.table import TableOption, choose_options
from rulelang.testing.scenarios.documents import documents_of
from rulelang.tools.printing.rulebook import said_by_name

# ---- English texts

#: What a text is for. `own`: of the program itself.
TextKind = Literal["name", "text", "question", "log", "reason", "rule", "own"]
#: In the order in which catalogues have them, with their headings.
TEXT_KINDS: Mapping[TextKind, str] = {
    "name": "what things are called",
    "text": "what is said of them",
    "question": "what players are asked",
    "log": "what happened",
    "reason": "why something cannot be done",
    "rule": "the numbered rules, in print",
    "own": "what the program says",
}
#: What stands in every file that has phrases.
_PHRASE_CALLS = ("phrase", "say", ".word(")
#: Tables of phrases, by what they are called.
_PHRASE_TABLE = "PHRASES"
#: Lists that every ruleset has, and that no player meets.
_HIDDEN_LISTS = ("pair",)


@dataclass(frozen=True, slots=True)
class Text:
    """One text in English, what it is for, and where it is first written (NOWHERE: in the rules as a name).

    `made`: it is a sentence made of phrases that stand in the program's own catalogues, so nobody has to translate it;
    a catalogue may say the whole of it in a way of its own.
    """

    english: str
    sort: TextKind
    span: Span = NOWHERE
    made: bool = False


def texts_of(compilation: Compilation) -> dict[str, Text]:
    """What a game says, by the English text, in the order of `SORTS`: over all its modes, and each value of every
    option in turn. LoadError if it has mistakes."""
    found: dict[str, Text] = {}
    for text in _numbered_rule_texts(compilation):
        found.setdefault(text.english, text)
    modes = [None] if compilation.mode is not None else [None, *compilation.source.modes]
    for mode in modes:
        one = compilation if mode is None else Compilation(compilation.where, compilation.mods, mode)
        for text in _mode_texts(one):
            known = found.get(text.english)
            if known is None or known.sort == "rule":
                found[text.english] = text
            elif known.span == NOWHERE and text.span != NOWHERE:
                found[text.english] = replace(known, span=text.span)
    order = [*TEXT_KINDS]
    return dict(sorted(found.items(), key=lambda item: order.index(item[1].sort)))


def _mode_texts(compilation: Compilation) -> Iterator[Text]:
    summary = compilation.sound
    yield Text(summary.info.title, "name", compilation.source.manifest.span)
    first = True
    for players, options in table_variants(
        summary.players, {} if compilation.mode else summary.options, summary.options
    ):
        module, found = compilation.lowered(players, options)
        if found.failed:
            continue
        if first:
            yield from _name_texts(module.layout, compilation)
            first = False
        yield from _rule_texts(module, compilation)


def table_variants(
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


def _numbered_rule_texts(compilation: Compilation) -> Iterator[Text]:
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


def _name_texts(layout: Layout, compilation: Compilation) -> Iterator[Text]:
    places = _places_in_data(compilation)
    for text, sort in _layout_labels(layout):
        if any(char.isalpha() for char in text):
            yield Text(text, sort, places.get(text, NOWHERE))


def _layout_labels(layout: Layout) -> Iterator[tuple[str, TextKind]]:
    labels = layout.labels
    keeping = {kept.kind for kept in layout.attributes} | {zone.of for zone in layout.zones.values()}
    several = {*layout.kinds, *layout.sorts, *layout.grids, *(layout.lists.keys() & keeping)}
    for kind in layout.kinds.values():
        for name in kind.names:
            yield name, "name"
    for name, label in labels.things.items():
        yield from _label_texts(name.removeprefix("option "), label)
        if name in several:
            yield in_english(label.plural) or _plural_name(in_english(label.name) or name_in_words(name)), "name"
    for members in labels.members.values():
        for name, label in members.items():
            yield from _label_texts(name, label)
    for attribute in layout.attributes:
        if attribute.name not in labels.members.get(attribute.kind, {}):
            yield name_in_words(attribute.name), "name"
    yield from _row_labels(layout, labels)
    yield from ((word, "name") for word in ("player", "trait", UNSEEN))


def _row_labels(layout: Layout, labels: Labels) -> Iterator[tuple[str, TextKind]]:
    for rows in labels.rows.values():
        for name, label in rows.items():
            yield from _label_texts(name, label)
    for kind, names in layout.lists.items():
        if (
            kind in _HIDDEN_LISTS
            or kind in layout.grids
            or kind in layout.kinds
            or kind in layout.sorts
            or kind == "player"
        ):
            continue
        for name in names[1:]:
            if name.rpartition(" ")[0] != kind and name not in labels.rows.get(kind, {}):
                yield name_in_words(name), "name"


def _label_texts(name: str, label: Label) -> Iterator[tuple[str, TextKind]]:
    if label.hidden:  # it may still be told of, in print
        yield from ((text, "name") for text in (in_english(label.name),) if text)
        return
    yield in_english(label.name) or name_in_words(name), "name"
    for texts in (label.short, label.pattern, label.otherwise):
        if text := in_english(texts):
            yield text, "name"
    if text := in_english(label.text):
        yield text, "text"
    if unit := _unit_text(label.unit):
        yield unit, "text"


def _unit_text(unit: Texts) -> str:
    """What is said of a number with its unit, as screens say it."""
    forms = in_english(unit)
    return f"{{value}} {{value:{forms if '|' in forms else f'{forms}|{forms}'}}}" if forms else ""


def _plural_name(word: str) -> str:
    head, _, last = word.rpartition(" ")
    return f"{head} {plural(last)}".strip()


def _places_in_data(compilation: Compilation) -> dict[str, Span]:
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


def _rule_texts(module: Module, compilation: Compilation) -> Iterator[Text]:
    """What a table tells. Of what is false when it breaks an invariant, authors are told and not players."""
    broken = [one.span.to(one.body.span) for one in compilation.program.invariants.values()]
    for site in module.sites:
        if site.kind == "stop":
            continue
        yield from _template_text((site.prompt,), "question", site.span)
        for action in site.actions:
            for name, kind in zip(action.params, action.types, strict=False):
                if kind and len(name) > 2:
                    yield Text(name_in_words(name), "name", action.span)
            if action.name and not module.layout.labels.things.get(action.name, NO_LABEL).name:
                yield Text(name_in_words(action.name), "name", action.span)
    for template in module.templates:
        if template.what == "shuffle":
            continue  # the program tells it
        yield from _template_text(template.parts, "log", template.span)
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
        yield from (replace(text, made=made) for text in _template_text(flatten(reason.text), "reason", reason.span))
        yield from _mentioned_names(filling, module.layout)


def _mentioned_names(filling: Sequence[Filling], layout: Layout) -> Iterator[Text]:
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


def _template_text(parts: Sequence[str | tuple[int, str]], sort: TextKind, span: Span) -> Iterator[Text]:
    key, _ = keyed_template(tuple(parts))
    words = (part if isinstance(part, str) else part[1] if part[1].startswith(":") else "" for part in parts)
    if any(char.isalpha() for word in words for char in word):
        yield Text(key, sort, span)


# ---- the program itself


def program_texts() -> dict[str, Text]:
    """The phrases of the program, by their templates: the first arguments of `phrase(...)` and `language.say(...)`,
    and of `language.word(...)`; what stands in tables called PHRASES; and what built-ins are called."""
    package = Path(__file__).resolve().parents[1]
    key = digest("own texts", program_hash(), str(package))  # to read all of the program takes longer than all else
    kept = disk_cache.load("own-texts", key)
    if isinstance(kept, dict):
        return kept
    found: dict[str, Text] = {}
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in (*_PHRASE_CALLS, _PHRASE_TABLE)):
            continue
        for node in _phrase_literals(ast.parse(text)):
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


def _phrase_literals(tree: ast.AST) -> Iterator[ast.Constant]:
    aliases = {node.id for part in ast.walk(tree) if isinstance(part, ast.Assign) for node in _phrase_aliases(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _is_phrase(node.func, aliases):
            values = [node.args[0]]
            if isinstance(values[0], ast.IfExp):
                values = [values[0].body, values[0].orelse]
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Dict)
            and _last_identifier(node.targets[0]) == _PHRASE_TABLE
        ):
            values = [*node.value.values]
        else:
            continue
        yield from (value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))


def _phrase_aliases(assigned: ast.Assign) -> Iterator[ast.Name]:
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
    return _last_identifier(function.value) == "language"


def _last_identifier(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


# ---- catalogs

#: How alike an old and a new English text are, from 0 to 1, if one has become the other.
LEAST_SIMILARITY = 0.6
_PLAIN_TEXT = re.compile(r"[^\W\d_][^:#{}\[\],&*!|>'\"%@`\\\n]*(?<! )\Z")
_YAML_WORDS = ("true", "false", "null", "yes", "no", "on", "off")


@dataclass(frozen=True, slots=True)
class TranslationWork:
    """What a translator has before him. `texts`: what this catalogue is for, by English; `known`: all that the game
    says, which it may say otherwise too, and whole sentences that are made of phrases of the program; `below`: what is
    said already, by the program, the rules' files and the catalogues of what lies below. `catalogue` is None if there
    is no file yet; its mistakes are in `diagnostics`."""

    code: str
    folder: Folder
    texts: Mapping[str, Text]
    known: Mapping[str, Text]
    below: Mapping[str, str]
    catalogue: Catalogue | None
    diagnostics: Diagnostics

    @property
    def path(self) -> Path:
        """Where the catalogue lies, or would."""
        return Path(self.catalogue.path) if self.catalogue else self.folder.root / LANG / f"{self.code}.yaml"

    @property
    def sources(self) -> Mapping[str, str]:
        """The text of the catalogue, for frames."""
        return {self.catalogue.path: self.catalogue.text} if self.catalogue else {}

    @property
    def entries(self) -> Mapping[str, Entry]:
        """By English text, what the catalogue has."""
        return {entry.english: entry for entry in self.catalogue.entries} if self.catalogue else {}

    def missing(self) -> Iterator[Text]:
        """The texts that are said in English."""
        entries = self.entries
        for english, text in self.texts.items():
            entry = entries.get(english)
            if english not in self.below and (entry is None or not entry.said):
                yield text

    def unused(self) -> Iterator[Entry]:
        """What the catalogue has of texts that nobody says."""
        return (entry for entry in self.entries.values() if entry.english not in self.known)


def game_work(compilation: Compilation, code: str) -> TranslationWork:
    """The catalogue of the game, or of the last mod laid over it: for what it adds; for everything, if it adds nothing.

    LoadError if the rules have mistakes. Unreadable.
    """
    roots = compilation.checked.roots
    everything = texts_of(compilation)
    texts = {english: text for english, text in everything.items() if not text.made}
    if len(roots) > 1:
        under = texts_of(Compilation(roots[0], roots[1:-1], None))
        texts = {english: text for english, text in texts.items() if english not in under} or texts
    own = load_translations([own_folder()], code)
    below = {**own, **compilation.summary.said.get(code, {}), **load_translations(roots[:-1], code)}
    return _open_work(code, open_folder(Path(roots[-1])), texts, {**program_texts(), **everything}, below)


def existing_works(compilation: Compilation) -> Iterator[TranslationWork]:
    """Yield the catalogs in the folder of the game, or of the last mod, each with everything that may be said.

    It is enough to find entries that nothing uses, and is quicker than `work`. LoadError if the rules have mistakes.
    """
    root = compilation.checked.roots[-1]
    there = catalogue_languages([root])
    if not there:
        return
    everything = texts_of(compilation)
    texts = {english: text for english, text in everything.items() if not text.made}
    known = {**program_texts(), **everything}
    for code in sorted(there):
        yield _open_work(code, open_folder(Path(root)), texts, known, {})


def program_work(code: str) -> TranslationWork:
    """The catalogue of the program itself."""
    texts = program_texts()
    return _open_work(code, open_folder(own_folder()), texts, texts, {})


def _open_work(
    code: str, folder: Folder, texts: Mapping[str, Text], known: Mapping[str, Text], below: Mapping[str, str]
) -> TranslationWork:
    found = Diagnostics()
    return TranslationWork(code, folder, texts, known, below, read_catalogue(folder, code, found), found)


# ---- written anew


def extract_catalogue(work: TranslationWork) -> str:
    """The text of the catalogue with all texts, those that it has in its own order. What is translated is kept; where
    English has changed, the old translation waits to be looked at; what nobody says any more stands at the end."""
    entries = dict(work.entries)
    lines = _head_comments(work)
    lines.append("texts:")
    old = [entry for entry in entries.values() if entry.english not in work.known and entry.said]
    waiting: dict[str, Entry] = {}
    for text in work.missing():
        like = _likely_old_entry(text.english, old)
        if like is not None:
            old.remove(like)
            waiting[text.english] = like
    for sort, heading in TEXT_KINDS.items():
        group = [text.english for text in work.texts.values() if text.sort == sort]
        group = [english for english in group if english in entries or english not in work.below]
        if group:
            lines += ["", f"  # {heading}"]
            lines += [
                line
                for english in _ordered_texts(group, entries)
                for line in _entry_lines(english, entries.get(english), waiting.get(english))
            ]
    rest = [entry for entry in entries.values() if entry.english not in work.texts and entry.english in work.known]
    if rest:
        lines += ["", "  # said otherwise than below"]
        lines += [line for entry in rest for line in _entry_lines(entry.english, entry, None)]
    if old:
        lines += ["", "  # nobody says this any more"]
        lines += [line for entry in old for line in _entry_lines(entry.english, entry, None)]
    return "\n".join(lines) + "\n"


def _ordered_texts(group: list[str], entries: Mapping[str, Entry]) -> list[str]:
    """Texts in the order that the catalogue has, however those who say them have moved; a new one stands behind the one
    that is said before it."""
    here = set(group)
    placed = [english for english in entries if english in here]
    for before, english in zip(["", *group], group, strict=False):
        if english not in entries:
            placed.insert(placed.index(before) + 1 if before else 0, english)
    return placed


def _head_comments(work: TranslationWork) -> list[str]:
    """The comments with which the file begins."""
    if work.catalogue is None:
        return []
    lines = []
    for line in work.catalogue.text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line)
    return lines


def _entry_lines(english: str, entry: Entry | None, like: Entry | None) -> Iterator[str]:
    if entry is not None and entry.said:
        like = None
        if not entry.was:
            yield f"  {yaml_text(english)}: {yaml_text(entry.said)}"
            return
    source = like or entry
    if source is None or not source.said:
        yield f"  {yaml_text(english)}:"
        return
    yield f"  {yaml_text(english)}:"
    yield f"    was: {yaml_text(source.english if like else source.was)}"
    yield f"    said: {yaml_text(source.said)}"


def _likely_old_entry(english: str, old: list[Entry]) -> Entry | None:
    """The entry of an old text that has most likely become this one."""
    best: tuple[float, Entry | None] = (LEAST_SIMILARITY, None)
    for entry in old:
        alike = SequenceMatcher(None, english, entry.english).ratio()
        if alike > best[0]:
            best = (alike, entry)
    return best[1]


def yaml_text(text: str) -> str:
    """A text as YAML has it, in quotes only where it needs them."""
    plain = _PLAIN_TEXT.match(text) and text.casefold() not in _YAML_WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


# ---- checks

_WHY_MISSING = "until you translate it, players see the English text"


def check_catalogue(work: TranslationWork) -> Diagnostics:
    """All that is to be said about a catalogue. NoBabel if it has forms that numbers choose, and Babel is not there."""
    found = Diagnostics(list(work.diagnostics))
    if found.failed:
        return found
    _check_missing(work, found)
    found.extend(check_unused_entries(work))
    for entry in work.entries.values():
        if entry.was:
            because = (
                f"the English text was `{entry.was}`; until you check the translation, players see the English text"
            )
            message = f"the translation of `{entry.english}` may be outdated"
            hint = "correct the translation, and write it after the key"
            found.warning("N404", entry.span, message, because=because, hint=hint)
        elif entry.said:
            _check_entry(work, entry, found)
    return found


def check_unused_entries(work: TranslationWork) -> Diagnostics:
    """Report entries of a catalog that no text uses, each with the nearest text that lacks a translation."""
    found = Diagnostics()
    for entry in work.unused():
        hint = did_you_mean(entry.english, [text.english for text in work.missing()])
        because = "the game does not contain this English text"
        found.warning("N401", entry.key, f"unused translation of `{entry.english}`", because=because, hint=hint)
    return found


def _check_missing(work: TranslationWork, found: Diagnostics) -> None:
    entries = work.entries
    place = Span(str(work.path) if work.catalogue is None else work.catalogue.path, 1, 1, 1, 1)
    for text in work.missing():
        entry = entries.get(text.english)
        span = entry.key if entry is not None else text.span if text.span != NOWHERE else place
        message = f"`{text.english}` has no `{work.code}` translation"
        hint = (
            "write the translation after the `:`"
            if entry is not None
            else "add it to the catalog with `rulelang i18n extract`"
        )
        found.warning("N400", span, message, because=_WHY_MISSING, hint=hint)


def _check_entry(work: TranslationWork, entry: Entry, found: Diagnostics) -> None:
    """Whether a translation tells what English tells, and has the forms that its language has."""
    told, wanted = hole_names(entry.said), hole_names(entry.english)
    for name in sorted(wanted - told):
        because = "a translation needs all placeholders of the English text, so players see the English text"
        message, hint = f"missing placeholder `{{{name}}}`", f"add `{{{name}}}` to the translation"
        found.error("N402", entry.span, message, because=because, hint=hint)
    numbers = wanted | count_names(entry.english)
    for name in sorted((told - wanted) | (count_names(entry.said) - numbers)):
        because = f"the English text has {_hole_list(numbers)}, so players see the English text"
        hint = did_you_mean(name, sorted(numbers))
        if not hint and len(numbers) == 1:
            hint = f"did you mean `{min(numbers)}`?"
        place = _hole_span(work, entry, name)
        found.error("N402", place, f"unknown placeholder `{{{name}}}`", because=because, hint=hint)
    for hole in _holes_with_forms(entry.said):
        ways = _needed_forms(work.code, hole, found, entry)
        if ways and len(hole.forms) not in (1, len(ways)):
            because = f"`{work.code}` needs {_form_count(len(ways))}: {', '.join(ways)}"
            place = _hole_span(work, entry, f"{hole.name}:")
            message = f"`{'|'.join(hole.forms)}` has {_form_count(len(hole.forms))}"
            hint = f"write {_form_count(len(ways))}, or one form if the word never changes"
            found.error("N403", place, message, because=because, hint=hint)


def _holes_with_forms(said: str) -> Iterator[Hole]:
    return (piece for piece in template_pieces(said) if isinstance(piece, Hole) and len(piece.forms) > 1)


def _needed_forms(code: str, hole: Hole, found: Diagnostics, entry: Entry) -> tuple[str, ...]:
    try:
        return plural_categories(code)
    except NoBabel:
        raise
    except ValueError as problem:
        found.error("N403", entry.span, f"rulelang does not know the plural forms of `{code}`", because=str(problem))
        return ()


def _hole_span(work: TranslationWork, entry: Entry, name: str) -> Span:
    """A hole in what is said, where it stands on one line; else all of it."""
    span = entry.span
    if work.catalogue is None or span.line != span.end_line:
        return span
    line = work.catalogue.text.split("\n")[span.line - 1]
    at = line.find(f"{{{name}", span.column - 1)
    end = line.find("}", at)
    return Span(span.path, span.line, at + 1, span.line, end + 2) if 0 <= at < end else span


def _hole_list(names: set[str]) -> str:
    return ", ".join(f"`{{{name}}}`" for name in sorted(names)) or "no placeholders"


def _form_count(number: int) -> str:
    return f"{number} form{'' if number == 1 else 's'}"


# ---- counts


@dataclass(frozen=True, slots=True)
class TextCount:
    """Of texts of one sort: how many there are, how many are said in the language, how many wait to be looked at."""

    texts: int
    said: int
    waiting: int

    @property
    def missing(self) -> int:
        return self.texts - self.said - self.waiting


def count_texts(work: TranslationWork) -> Mapping[TextKind, TextCount]:
    """By sort, for those that there are."""
    found: dict[TextKind, TextCount] = {}
    for sort in TEXT_KINDS:
        group = [text for text in work.texts.values() if text.sort == sort]
        if group:
            states = [_text_state(work, text) for text in group]
            found[sort] = TextCount(len(group), states.count("said"), states.count("waiting"))
    return found


def _text_state(work: TranslationWork, text: Text) -> str:
    entry = work.entries.get(text.english)
    if entry is not None and entry.was:
        return "waiting"
    return "said" if (entry is not None and entry.said) or text.english in work.below else "missing"


def total_count(found: Mapping[TextKind, TextCount]) -> TextCount:
    """Over all sorts."""
    each = found.values()
    return TextCount(sum(n.texts for n in each), sum(n.said for n in each), sum(n.waiting for n in each))

"""A new trait: what this game's traits need, a rule that hooks the game's own, and a scenario that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import Compilation
from rulelang.data.manifest import Manifest
from rulelang.data.text import TextEdits
from rulelang.language.semantics.card_questions import other_sums
from rulelang.language.semantics.cards import condition_text, face_column
from rulelang.language.semantics.model import Column, ColumnValue, Condition, Model
from rulelang.testing.scenarios.yaml_forms import yaml_flow
from rulelang.tools.scaffolding.files import CannotStart, Written, listed, manifest_of, named, titled, with_file, write
from rulelang.tools.scaffolding.hooks import Hookable, Rule, hookables, hooked_comment, rules_for
from rulelang.tools.scaffolding.positions import Bearer, bearer_of, lay_variations, model_of, seated
from rulelang.tools.scaffolding.showing import PLAYED, showing, tries

#: How many rules are tried, each with its scenarios, before it is reported that none shows.
TRIED = 8
COPIES = 3


def new_trait(
    folder: Path,
    name: str,
    *,
    title: str = "",
    text: str = "",
    hook: str = "",
    columns: Mapping[str, str] | None = None,
    copies: int = 0,
) -> Written:
    """Write a trait with cards, a rule and a scenario into the ruleset or mod in a folder. LoadError, CannotStart.

    `hook`: the value or event that its rule hooks; `columns`: what is printed on it, as YAML; `copies`: of its card.
    """
    name = named(name, "trait")
    compilation = Compilation(folder)
    model = model_of(compilation)
    bearer = bearer_of(model)
    if bearer is None:
        raise CannotStart(
            phrase(
                "{game} has no traits: it needs a card type with a column `face: trait` and a zone that is `in_force` "
                "({page})",
                game=model.id,
                page="`rulelang explain things`",
            )
        )
    if name in model.traits:
        raise CannotStart(
            phrase("the trait `{name}` already exists, in {file}", name=name, file=model.traits[name].span.path)
        )
    manifest = manifest_of(folder)
    place = home_of_traits(manifest, compilation)
    file = f"{place}{name}.yaml"
    changes = with_file(manifest, place)
    found = hookables(compilation.program)
    if hook and hook not in {one.name for one in found}:
        raise CannotStart(f"{model.id} has no value or event called `{hook}`: see `rulelang show GAME`")
    kind = bearer.kind or bearer.sort.name
    head = _head(name, title or titled(name), model, columns or {})
    why = phrase("found no rule that fits this game")
    rules = rules_for(name, kind, model, found, hook, compilation.source.sources.values())
    likely = [*rules][:TRIED]
    for rule, most in ((rule, most) for most in PLAYED for rule in likely):
        parts = [*head, f"text: {{en: {_quoted(text or rule.text)}}}", *_cards(bearer, model, copies)]
        body = "\n".join([*parts, *_rules(rule, found, kind)]) + "\n"
        written = write(folder, {file: body}, changes)
        try:
            compilation = recounted(Compilation(folder), written)
            if compilation.diagnostics.failed:
                first = compilation.diagnostics.sorted()[0]
                why = phrase(
                    "the trait would cause an error, {place}: {problem}",
                    place=str(first.span),
                    problem=first.message,
                )
            else:
                laid = lay_variations(str(folder), seated(model), name)
                scenario = showing(
                    folder,
                    file,
                    body,
                    name,
                    tries(rule.hooked, rule.place, name, bearer, model, laid, rule.number),
                    most,
                )
                if scenario is not None:
                    (folder / file).write_text(body + "\n".join(["scenarios:", *scenario]) + "\n", encoding="utf-8")
                    return written
                why = phrase(
                    "found no scenario in which a rule that hooks `{hook}` has a visible effect", hook=rule.hooked.name
                )
        except BaseException:
            written.take_back()
            raise
        written.take_back()
    raise CannotStart(phrase("{why}; write the trait by hand ({page})", why=why, page="`rulelang explain hooks`"))


def recounted(compilation: Compilation, written: Written) -> Compilation:
    """The same, where files of the folder expect certain numbers of cards and there are others now, with these numbers
    in their places."""
    if {item.code for item in compilation.diagnostics if item.severity == "error"} != {"Y177"}:
        return compilation
    texts: dict[str, TextEdits] = {}
    notes = []
    for one in other_sums(compilation.source, compilation.model, compilation.program, Diagnostics()):
        path = Path(one.number.span.path).absolute()
        if not path.is_relative_to(written.folder.absolute()):
            continue
        name = str(path.relative_to(written.folder.absolute()))
        edits = texts.setdefault(name, TextEdits(path.read_text(encoding="utf-8")))
        edits.replace(one.number.span, str(one.came))
        notes.append(f"`{one.word.text}` of `{one.sort.name}` must now be {one.came}, not {one.number.text}")
    for name, edits in texts.items():
        written.change(name, edits.result())
    written.notes += notes
    return Compilation(compilation.where) if notes else compilation


def required(model: Model) -> dict[str, Column]:
    """What a trait has to say besides its name: the columns of `traits:` without a default."""
    columns = model.lists["trait"].columns
    return {name: column for name, column in columns.items() if column.default is None and column.span.path}


def home_of_traits(manifest: Manifest, compilation: Compilation) -> str:
    """The folder in which the files of traits lie; `traits/` if there is none yet."""
    root = str(manifest.folder.root)
    folders = [entry for entry in listed(manifest) if entry.endswith("/")]
    used = Counter(
        entry
        for entry in folders
        for trait in compilation.model.traits.values()
        if Path(trait.span.path).absolute().is_relative_to(Path(root, entry).absolute())
    )
    return used.most_common(1)[0][0] if used else "traits/"


# ---- the parts of the file


def _head(name: str, title: str, model: Model, columns: Mapping[str, str]) -> list[str]:
    needed = required(model)
    unknown = [key for key in columns if key not in model.lists["trait"].columns]
    if unknown:
        known = ", ".join(key for key, column in model.lists["trait"].columns.items() if column.span.path)
        raise CannotStart(f"traits of {model.id} have no column `{unknown[0]}`: they have {known}")
    lines = [f"trait: {name}", f"name: {{en: {_quoted(title)}}}"]
    for key, column in needed.items():
        if key not in columns:
            lines.append(f"{key}: {usual_text(column, model)}")
    lines += [f"{key}: {said}" for key, said in columns.items()]
    return lines


def usual_text(column: Column, model: Model) -> str:
    """What most traits say in a column, as YAML."""
    return value_text(_usual_column(column, model), column, model)


def _usual_column(column: Column, model: Model) -> ColumnValue:
    values = Counter(trait.columns[column.name] for trait in model.traits.values() if column.name in trait.columns)
    return values.most_common(1)[0][0] if values else least(column)


def least(column: Column) -> ColumnValue:
    """A value that a column can have."""
    if column.type.tag == "set":
        return ()
    return (column.low or 0) if column.type.tag in ("int", "bool") else 1


def value_text(value: ColumnValue, column: Column, model: Model) -> str:
    """A printed value as YAML."""
    if isinstance(value, Condition):
        rows = [row.name for row in model.lists[column.type.name].rows]
        return _quoted(condition_text(value, rows))
    if isinstance(value, tuple):
        return "[" + ", ".join(_one(item, column, model) for item in value) + "]"
    return _one(value, column, model)


def _one(value: int, column: Column, model: Model) -> str:
    if column.type.tag == "bool":
        return "true" if value else "false"
    if column.type.tag in ("ref", "set"):
        listing = model.lists.get(column.type.name)
        rows = listing.rows if listing is not None else ()
        return rows[value - 1].name if 0 < value <= len(rows) else "none"
    return str(value)


def _cards(bearer: Bearer, model: Model, copies: int) -> list[str]:
    """`cards:`, with what stands on other cards of the sort."""
    sort = bearer.sort
    column = face_column(sort)
    needed = [c for c in sort.columns.values() if c is not column and c.default is None and c.name not in sort.repeated]
    shown = [row for row in sort.rows if column is None or row.columns.get(column.name)]
    cells: dict[str, str] = {}
    for one in needed:
        values = Counter(row.columns[one.name] for row in shown if one.name in row.columns)
        value = values.most_common(1)[0][0] if values else least(one)
        if one.by == "copy":
            each = value if isinstance(value, tuple) else (value,)
            numbers = [number for number in each if isinstance(number, int)]
            value = tuple(numbers[n % len(numbers)] for n in range(copies or len(numbers)))
        elif one.by is not None and not isinstance(value, tuple):
            continue
        cells[one.name] = value_text(value, one, model)
    if not any(one.by == "copy" for one in needed):
        usual = Counter(row.copies for row in shown).most_common(1)
        cells["copies"] = str(copies or (usual[0][0] if usual else COPIES))
    row = "{" + ", ".join(f"{key}: {value}" for key, value in cells.items()) + "}"
    several = sum(face_column(other) is not None for other in model.sorts.values()) > 1
    return [f"cards: {{{sort.name}: [{row}]}}" if several else f"cards: [{row}]"]


def _rules(rule: Rule, found: Sequence[Hookable], kind: str) -> list[str]:
    """The rule, and in comments what else there is to hook."""
    self_said = f"`self` is the {kind.replace('_', ' ')} that has this trait; `owner` is the player who owns it."
    lines = [f"# In rules {self_said}"]
    lines += hooked_comment([one for one in found if one.place_of(kind) is not None])
    lines.append("# `rulelang explain hooks` shows how to write each hook.")
    return [*lines, "rules: |", f"  {rule.line}"]


def _quoted(text: str) -> str:
    said = yaml_flow(text)
    return said if said != text or not text.endswith(".") else f'"{text}"'

"""Write the first files of a new ruleset, mod, scenario or trait."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import Compilation
from rulelang.data.manifest import Manifest
from rulelang.data.text import TextEdits
from rulelang.language.semantics.card_questions import other_sums
from rulelang.language.semantics.cards import condition_text, face_column
from rulelang.language.semantics.model import Column, ColumnValue, Condition, Model
from rulelang.runtime.decision import Option
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.yaml_forms import given_lines, yaml_flow
from rulelang.tools.scaffolding.files import (
    CannotStart,
    Written,
    listed_files,
    manifest_of,
    manifest_with_file,
    title_of_name,
    valid_name,
    write_files,
)
from rulelang.tools.scaffolding.hooks import Hookable, TraitRule, hookables, hooked_comment, rules_for
from rulelang.tools.scaffolding.positions import (
    PLAYERS,
    Bearer,
    SamplePosition,
    bearer_of,
    model_of,
    player_names,
    sample_positions,
    start_position,
    varied_positions,
)
from rulelang.tools.scaffolding.trait_example import MOST_PLAYED, example_candidates, find_example

# ---- rulesets

GAME_FOLDER = Path(__file__).parent / "game"
#: The second player in the positions of its scenarios, behind whom others may sit.
_SECOND_PLAYER = re.compile(r"^( +)bob: .*$", re.MULTILINE)


def new_ruleset(folder: Path, *, title: str = "", players: tuple[int, int] = (2, 4)) -> Written:
    """Write a small whole game, to be changed into another one, into a new folder, which gives it its name."""
    name = valid_name(folder.name, "ruleset")
    low, high = players
    if not 1 <= low <= high or high < 2:
        raise CannotStart(
            f"`{low}-{high}` is not a valid number of players: the second number must be at least 2 and at least the "
            "first"
        )
    texts = {
        str(path.relative_to(GAME_FOLDER)): path.read_text(encoding="utf-8")
        for path in sorted(GAME_FOLDER.rglob("*.*"))
    }
    manifest = texts["ruleset.yaml"]
    manifest = re.sub(r"^id: .*$", lambda _: f"id: {name}", manifest, flags=re.MULTILINE)
    said = json.dumps(title or title_of_name(name), ensure_ascii=False)
    manifest = re.sub(r"^title: .*$", lambda _: f"title: {{en: {said}}}", manifest, flags=re.MULTILINE)
    manifest = manifest.replace("count: [2, 4]", f"count: [{low}, {high}]")
    more = "".join(rf"\n\g<1>{name}: {{}}" for name in PLAYERS[2:low])
    seated = {file: _SECOND_PLAYER.sub(rf"\g<0>{more}", text) for file, text in texts.items()}
    return write_files(folder, seated | {"ruleset.yaml": manifest})


# ---- scenarios

SCENARIO_HEAD = """\
# Tests in the words of the game. `rulelang explain scenarios` describes everything that you can write here.
scenarios:
"""
#: Of other options so many are named in a comment.
MOST_OPTIONS = 4
LINE_WIDTH = 110


def new_scenario(folder: Path, name: str, *, phase: str = "", players: Sequence[str] = ()) -> Written:
    """Write a scenario of the ruleset or mod in a folder into a file of its own. LoadError, CannotStart."""
    file = f"scenarios/{valid_name(name, 'scenario')}.yaml"
    compilation = Compilation(folder)
    laid = opening_position(str(folder), player_names(model_of(compilation), players), phase)
    if phase and not laid.given:
        raise CannotStart(f"in a simple position, no player can act in the phase `{phase}`; leave out `--phase`")
    if laid.state.over:
        raise CannotStart("the game ends before any player has a decision, so there is nothing to test")
    for text in scenario_texts(compilation, laid, name.strip()):
        written = write_files(folder, {file: SCENARIO_HEAD + text})
        if scenarios_pass(folder, file):
            return written
        written.take_back()
    raise CannotStart("cannot find a passing scenario for this game; write one by hand (`rulelang explain scenarios`)")


def opening_position(where: str, players: Sequence[str], phase: str = "") -> SamplePosition:
    """A position in which the first player has something to do; else the very start of a game."""
    laid = sample_positions(where, players, phase)
    return laid[0] if laid and laid[0].choices else start_position(where, players)


def scenario_texts(compilation: Compilation, laid: SamplePosition, name: str) -> Iterator[str]:
    """The scenario, with the likeliest thing to hold at the end first."""
    state = laid.state
    options = state.decision.options
    first = next((option for option in options if not option.is_pass), options[0])
    asked = state.decision.name
    before = len(state.log)
    after = state.clone()
    after.play(first)
    happened = [event.text for event in after.log[before:] if event.told]
    step = [f"    when:                 {_other_options(options, first)}", f"      - {asked}: {yaml_flow(first.text)}"]
    for then in (*(f"log: {yaml_flow(text)}" for text in happened[:1]), f"round == {state.round}"):
        lines = [
            f"  - name: {yaml_flow(name)}",
            *_position_lines(compilation, laid),
            *step,
            "    then:",
            f"      - {then}",
        ]
        yield "\n".join(line.rstrip() for line in lines) + "\n"


def _position_lines(compilation: Compilation, laid: SamplePosition) -> Iterator[str]:
    if not laid.given:
        # Without a position: the very start of a game.
        yield f"    players: {yaml_flow(list(laid.state.players))}"
        return
    here = laid.given["phase"]
    program = compilation.program
    rest = [name for name, routine in program.routines.items() if routine.phase and name != here]
    note = f"   # or {', '.join(rest)}" if rest else ""
    yield from given_lines(laid.given, "    ", note if len(note) < LINE_WIDTH - 30 else "")


def _other_options(options: Sequence[Option], first: Option) -> str:
    """What else could have been done, as a comment."""
    rest = [option.text for option in options if option is not first]
    said = ", ".join(f"`{text}`" for text in rest[:MOST_OPTIONS])
    more = " ..." if len(rest) > MOST_OPTIONS else ""
    note = f"# or {said}{more}" if rest else ""
    return note if len(note) < LINE_WIDTH - 25 else ""


def scenarios_pass(folder: Path, file: str) -> bool:
    """Whether the game is sound, and the scenarios of a file in it pass."""
    runner = Runner(folder)
    if runner.diagnostics.failed:
        return False
    path = (folder / file).resolve()
    mine = [scenario for scenario in runner.scenarios if Path(scenario.path).resolve() == path]
    return bool(mine) and all(runner.run(scenario).passed for scenario in mine)


# ---- mods

MOD_MANIFEST = """\
# The mod's title, the game that it changes, and its files.
id: {id}
version: 0.1.0
language: 1
title: {{en: {title}}}
extends: {{{game}: ">={version}"}}
files: [{id}.rules]
"""
MOD_RULES = """\
# Rules that this mod adds to {game}. Text after # is a comment. To try the example below, remove its # and run
# `rulelang check {id}`. `rulelang explain hooks` shows what else you can write, and `rulelang new trait` in this folder
# adds cards with a trait.
#
"""


def new_mod(folder: Path, game: str, *, title: str = "") -> Written:
    """Write a mod of a game into a new folder, which gives it its name. LoadError, CannotStart."""
    name = valid_name(folder.name, "mod")
    base = Compilation(game)
    model = model_of(base)
    if base.source.mods:
        raise CannotStart(f"`{game}` is a mod itself; name the game that it changes")
    said = json.dumps(title or title_of_name(name), ensure_ascii=False)
    found = hookables(base.program)
    comment = hooked_comment(found)
    example = next((one for one in found if one.type is not None and str(one.type) == "int"), None)
    if example is not None:
        comment += ["#", f"# modify {example.name}{'(any)' if example.params else ''}: + 1"]
    files = {
        "mod.yaml": MOD_MANIFEST.format(id=name, title=said, game=model.id, version=model.version),
        f"{name}.rules": MOD_RULES.format(game=model.id, id=name) + "\n".join(comment) + "\n",
    }
    laid = opening_position(game, player_names(model))
    for text in scenario_texts(base, laid, f"{model.id} still starts as before"):
        written = write_files(folder, files | {f"scenarios/{name}.yaml": SCENARIO_HEAD + text})
        if scenarios_pass(folder, f"scenarios/{name}.yaml"):
            return written
        written.take_back()
    written = write_files(folder, files)
    fails = Compilation(folder).diagnostics.failed
    if fails:
        written.take_back()
        raise CannotStart(f"`{folder}` cannot find the game `{model.id}`; put the mod next to it, or into its `mods/`")
    return written


# ---- traits

#: How many rules are tried, each with its scenarios, before it is reported that none shows.
RULES_TRIED = 8
USUAL_COPIES = 3


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
    name = valid_name(name, "trait")
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
    changes = manifest_with_file(manifest, place)
    found = hookables(compilation.program)
    if hook and hook not in {one.name for one in found}:
        raise CannotStart(f"{model.id} has no value or event called `{hook}`: see `rulelang show GAME`")
    kind = bearer.kind or bearer.sort.name
    head = _trait_head(name, title or title_of_name(name), model, columns or {})
    why = phrase("found no rule that fits this game")
    rules = rules_for(name, kind, model, found, hook, compilation.source.sources.values())
    likely = [*rules][:RULES_TRIED]
    for rule, most in ((rule, most) for most in MOST_PLAYED for rule in likely):
        parts = [*head, f"text: {{en: {_quoted_text(text or rule.text)}}}", *_card_lines(bearer, model, copies)]
        body = "\n".join([*parts, *_rule_lines(rule, found, kind)]) + "\n"
        written = write_files(folder, {file: body}, changes)
        try:
            compilation = recount_cards(Compilation(folder), written)
            if compilation.diagnostics.failed:
                first = compilation.diagnostics.sorted()[0]
                why = phrase(
                    "the trait would cause an error, {place}: {problem}",
                    place=str(first.span),
                    problem=first.message,
                )
            else:
                laid = varied_positions(str(folder), player_names(model), name)
                scenario = find_example(
                    folder,
                    file,
                    body,
                    name,
                    example_candidates(rule.hooked, rule.place, name, bearer, model, laid, rule.number),
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


def recount_cards(compilation: Compilation, written: Written) -> Compilation:
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


def required_columns(model: Model) -> dict[str, Column]:
    """What a trait has to say besides its name: the columns of `traits:` without a default."""
    columns = model.lists["trait"].columns
    return {name: column for name, column in columns.items() if column.default is None and column.span.path}


def home_of_traits(manifest: Manifest, compilation: Compilation) -> str:
    """The folder in which the files of traits lie; `traits/` if there is none yet."""
    root = str(manifest.folder.root)
    folders = [entry for entry in listed_files(manifest) if entry.endswith("/")]
    used = Counter(
        entry
        for entry in folders
        for trait in compilation.model.traits.values()
        if Path(trait.span.path).absolute().is_relative_to(Path(root, entry).absolute())
    )
    return used.most_common(1)[0][0] if used else "traits/"


# ---- the parts of the file


def _trait_head(name: str, title: str, model: Model, columns: Mapping[str, str]) -> list[str]:
    needed = required_columns(model)
    unknown = [key for key in columns if key not in model.lists["trait"].columns]
    if unknown:
        known = ", ".join(key for key, column in model.lists["trait"].columns.items() if column.span.path)
        raise CannotStart(f"traits of {model.id} have no column `{unknown[0]}`: they have {known}")
    lines = [f"trait: {name}", f"name: {{en: {_quoted_text(title)}}}"]
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
    return values.most_common(1)[0][0] if values else least_value(column)


def least_value(column: Column) -> ColumnValue:
    """A value that a column can have."""
    if column.type.tag == "set":
        return ()
    return (column.low or 0) if column.type.tag in ("int", "bool") else 1


def value_text(value: ColumnValue, column: Column, model: Model) -> str:
    """A printed value as YAML."""
    if isinstance(value, Condition):
        rows = [row.name for row in model.lists[column.type.name].rows]
        return _quoted_text(condition_text(value, rows))
    if isinstance(value, tuple):
        return "[" + ", ".join(_value_item(item, column, model) for item in value) + "]"
    return _value_item(value, column, model)


def _value_item(value: int, column: Column, model: Model) -> str:
    if column.type.tag == "bool":
        return "true" if value else "false"
    if column.type.tag in ("ref", "set"):
        listing = model.lists.get(column.type.name)
        rows = listing.rows if listing is not None else ()
        return rows[value - 1].name if 0 < value <= len(rows) else "none"
    return str(value)


def _card_lines(bearer: Bearer, model: Model, copies: int) -> list[str]:
    """`cards:`, with what stands on other cards of the sort."""
    sort = bearer.sort
    column = face_column(sort)
    needed = [c for c in sort.columns.values() if c is not column and c.default is None and c.name not in sort.repeated]
    shown = [row for row in sort.rows if column is None or row.columns.get(column.name)]
    cells: dict[str, str] = {}
    for one in needed:
        values = Counter(row.columns[one.name] for row in shown if one.name in row.columns)
        value = values.most_common(1)[0][0] if values else least_value(one)
        if one.by == "copy":
            each = value if isinstance(value, tuple) else (value,)
            numbers = [number for number in each if isinstance(number, int)]
            value = tuple(numbers[n % len(numbers)] for n in range(copies or len(numbers)))
        elif one.by is not None and not isinstance(value, tuple):
            continue
        cells[one.name] = value_text(value, one, model)
    if not any(one.by == "copy" for one in needed):
        usual = Counter(row.copies for row in shown).most_common(1)
        cells["copies"] = str(copies or (usual[0][0] if usual else USUAL_COPIES))
    row = "{" + ", ".join(f"{key}: {value}" for key, value in cells.items()) + "}"
    several = sum(face_column(other) is not None for other in model.sorts.values()) > 1
    return [f"cards: {{{sort.name}: [{row}]}}" if several else f"cards: [{row}]"]


def _rule_lines(rule: TraitRule, found: Sequence[Hookable], kind: str) -> list[str]:
    """The rule, and in comments what else there is to hook."""
    self_said = f"`self` is the {kind.replace('_', ' ')} that has this trait; `owner` is the player who owns it."
    lines = [f"# In rules {self_said}"]
    lines += hooked_comment([one for one in found if one.place_of(kind) is not None])
    lines.append("# `rulelang explain hooks` shows how to write each hook.")
    return [*lines, "rules: |", f"  {rule.line}"]


def _quoted_text(text: str) -> str:
    said = yaml_flow(text)
    return said if said != text or not text.endswith(".") else f'"{text}"'

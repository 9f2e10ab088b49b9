"""Run scenarios: of one ruleset, of one file, or of all rulesets below a folder."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.disk_cache import cache_dir, private_folder, read_private
from rulelang.base.errors import RuleError
from rulelang.base.memo import NULL_CACHE, IdentityKey, NullCache
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.folders import path_kind
from rulelang.data.manifest import MANIFESTS, is_ruleset
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.model import Model
from rulelang.runtime.decision import normalized_text
from rulelang.runtime.table import Table
from rulelang.testing.scenarios.assertions import Assertion, Context, read_assertions
from rulelang.testing.scenarios.begin import begin_at, table_of_position
from rulelang.testing.scenarios.fixture import CompiledAnswers, Fixture
from rulelang.testing.scenarios.formulas import Formula, read_formula, scenario_variables
from rulelang.testing.scenarios.position import Position, read_position
from rulelang.testing.scenarios.scenario import Failure, Outcome, Report, Scenario, read_scenarios
from rulelang.testing.scenarios.stepper import Moment
from rulelang.testing.scenarios.steps import Step, read_dice, read_steps
from rulelang.testing.scenarios.tokens import Word, list_items, map_pairs, report_unknown

if TYPE_CHECKING:
    from rulelang.testing.scenarios.session import Session


# ---- test rows

ID = "test_rows"


def rows_text(nodes: Sequence[YamlMap], model: Model, out: Diagnostics) -> str:
    """The rows as a data file of a mod. C702 for a list or sort that the ruleset does not have."""
    sections: dict[str, dict[str, list[str]]] = {}
    for node in nodes:
        for word, rows in map_pairs(out, node, "a map from list or card type to rows"):
            listing = model.lists.get(word.text)
            if listing is None and word.text not in model.sorts:
                report_unknown(out, word, "list or card type", [*model.lists, *model.sorts])
                continue
            section = "cards" if listing is None else "ladders" if listing.ladder else "lists"
            lines = sections.setdefault(section, {}).setdefault(word.text, [f"  {word.text}:", "    rows:"])
            for row, columns in map_pairs(out, rows, "a map from row to its columns", "NAME: {column: value}"):
                lines.append(f"      {json.dumps(row.text)}:{'' if isinstance(columns, YamlMap) else ' {}'}")
                lines += [line for key, value in map_pairs(out, columns, "a map from column to value")
                          for line in _column(key.text, value)]  # fmt: skip
    found = [
        line
        for name, sorts in sections.items()
        for line in (f"{name}:", *(text for texts in sorts.values() for text in texts))
    ]
    return "\n".join(found) + "\n"


def rows_mod(text: str, base: str) -> Path:
    """The folder of a mod that brings these rows. OSError if it cannot be written."""
    shelf = private_folder(cache_dir() / ID)
    folder = private_folder(shelf / hashlib.sha256(f"{base}\0{text}".encode()).hexdigest()[:24])
    manifest = f"id: {ID}\nversion: 1.0.0\nlanguage: 1\nextends: {{{base}: '>=0'}}\nfiles: [rows.yaml]\n"
    for name, content in (("rows.yaml", text), ("mod.yaml", manifest)):
        path = folder / name
        if read_private(path) != content.encode():
            new = folder / f".{name}.{os.getpid()}"  # another process may be reading
            new.write_bytes(content.encode())
            new.chmod(0o600)
            os.replace(new, path)
    return folder


def _column(key: str, node: YamlNode) -> list[str]:
    """One column as lines of YAML. Rules keep their lines, so that they can be read; all else is JSON."""
    if isinstance(node, YamlScalar) and isinstance(node.value, str) and key == "rules":
        return [f"        {key}: |", *(f"          {line}" for line in node.text.rstrip("\n").split("\n"))]
    return [f"        {json.dumps(key)}: {json.dumps(node.plain(), ensure_ascii=False)}"]


# ---- runners

#: Called with each outcome as soon as it is known.
Watch = Callable[[Outcome], None]


@dataclass(slots=True)
class Ready:
    """A scenario that can be run at its table."""

    scenario: Scenario
    table: Table
    position: Position
    dice: tuple[int, ...]
    steps: list[Step]
    assertions: list[Assertion]

    def formulas(self) -> list[Formula]:
        assertions = [*self.assertions, *(assertion for step in self.steps for assertion in step.assertions)]
        return [assertion.formula for assertion in assertions if assertion.formula is not None]


class Runner:
    """The scenarios of one ruleset or mod, ready to be run one by one or all. `mods_too`: those of `mods` as well;
    `backend` plays them, of Python what they call and no more; rulesets are read with the `memo`. BuildError of a
    backend that cannot be had."""

    def __init__(
        self,
        where: str | Path,
        mods: Sequence[str | Path] = (),
        mode: str | None = None,
        *,
        mods_too: bool = False,
        backend: str = "python",
        memo: NullCache = NULL_CACHE,
    ) -> None:
        self.where, self.mods, self.mode, self.backend, self.memo = where, tuple(mods), mode, backend, memo
        self.fixtures: dict[tuple[tuple[str, ...], str | None, str], Fixture] = {}
        self.fixture = self.fixtures[(), None, ""] = self.new_fixture(self.mods, mode)
        self.diagnostics = Diagnostics(list(self.fixture.diagnostics))
        self.scenarios: list[Scenario] = []
        self.sources: dict[str, str] = dict(self.fixture.compilation.checked.sources)
        self._ready: dict[str, Ready | Outcome] = {}
        self._answers: dict[str, CompiledAnswers] = {}  # by scenario; those at one table share them
        self._positions: dict[str, tuple[Position, Diagnostics]] = {}
        if self.usable(self.fixture):
            source = self.fixture.compilation.source
            self.sources |= source.sources
            found, told = read_scenarios(source, self.fixture.compilation.memo)
            self.diagnostics.extend(told)
            self.scenarios = [scenario for scenario in found if scenario.layer in own_layers(source, mods_too=mods_too)]

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        """A ruleset to run them on. Most scenarios are short, and see little of the rules."""
        from rulelang.testing.scenarios.lazy_fixture import LazyFixture  # not needed by who only reads scenarios

        return LazyFixture(Compilation(self.where, mods, mode, self.memo))

    def usable(self, fixture: Fixture) -> bool:
        """Whether scenarios can be run on a fixture: sums that cards `expect:` may be wrong, but nothing else."""
        return fixture.compilation.checked.runs

    # ---- making ready

    def ready(self, scenario: Scenario) -> Ready | Outcome:
        """The scenario read and its table compiled, or the outcome that it is mistaken."""
        if scenario.id not in self._ready:
            out = Diagnostics()
            found = self._prepare(scenario, out)
            if out.failed and isinstance(found, Ready):
                self.beside(found, out)
            if found is None and not out.failed:
                found = Outcome(scenario, mistakes=self._told(scenario))
            self._ready[scenario.id] = Outcome(scenario, mistakes=tuple(out)) if out.failed or found is None else found
        return self._ready[scenario.id]

    def beside(self, ready: Ready, out: Diagnostics) -> None:
        """What else is wrong with a scenario in which something is: whoever only checks looks for it."""

    def _told(self, scenario: Scenario) -> tuple[Diagnostic, ...]:
        span = scenario.node.span
        told = [d for d in self.diagnostics if d.span.path == span.path and span.line <= d.span.line <= span.end_line]
        return tuple(told)

    def _prepare(self, scenario: Scenario, out: Diagnostics) -> Ready | Outcome | None:
        if not scenario.sound:
            return None
        fixture = self._fixture(scenario, out)
        if fixture is None:
            return None
        model, program = fixture.compilation.model, fixture.compilation.program
        position = self._position(scenario, fixture, out)
        table = self._table(fixture, scenario, position, out)
        if table is None:
            return None
        called = {normalized_text(name).split()[0] for name in (*position.things, *position.names) if name.strip()}
        known = fixture.starts(table) | called
        dice = read_dice(position.dice, out, fixture.sides)
        names = scenario_variables(position, model)
        trait = scenario.home if scenario.of_trait else ""
        context = Context(
            position,
            model,
            names,
            lambda scalar: read_formula(scalar, model, program, names, out, trait),
            fixture.phrases(table, position),
            lambda: fixture.sayings(table),
            fixture.sides,
            out,
        )
        steps = read_steps(list_items(scenario.node.get("when")), context, known)
        assertions = read_assertions(list_items(scenario.node.get("then")), context)
        return Ready(scenario, table, position, dice, steps, assertions)

    def _fixture(self, scenario: Scenario, out: Diagnostics) -> Fixture | None:
        """The ruleset with the scenario's own mods, mode and test rows."""
        compilation = self.fixture.compilation
        rows = self._rows(scenario, compilation, out) if scenario.rows else ""
        key = (tuple(word.text for word in scenario.mods), scenario.mode.text if scenario.mode else None, rows)
        if out.failed:
            return None
        if key not in self.fixtures:
            mods = [*self.mods, *(self._mod(name) for name in key[0])]
            try:
                if rows:
                    mods.append(rows_mod(rows, compilation.source.id))
            except OSError as error:
                out.error("C707", scenario.span, "its test rows cannot be added", because=str(error))
                return None
            self.fixtures[key] = self.new_fixture(mods, key[1] or self.mode)
        fixture = self.fixtures[key]
        if self.usable(fixture):
            return fixture
        self.sources |= fixture.compilation.checked.sources
        places = [*([scenario.mode.span] if scenario.mode else []), *(word.span for word in scenario.mods)]
        places += [node.span.head() for node in scenario.rows]
        first = fixture.diagnostics.sorted()[0]
        out.error(
            "C707",
            places[0] if places else scenario.span,
            "the ruleset cannot be played with the rows of this scenario",
            because=f"{first.code}: {first.message}",
            hint=first.hint,
        )
        return None

    def _rows(self, scenario: Scenario, compilation: Compilation, out: Diagnostics) -> str:
        """Its test rows as a mod has them; scenarios of one file often share them."""
        model, memo = compilation.model, compilation.memo
        key = IdentityKey(model), tuple(map(IdentityKey, scenario.rows))
        return memo.with_diagnostics("test rows", key, out, lambda own: rows_text(scenario.rows, model, own))

    def fixture_of(self, scenario: Scenario) -> Fixture:
        """What a scenario that is ready is played on."""
        return self._fixture(scenario, Diagnostics()) or self.fixture

    def _position(self, scenario: Scenario, fixture: Fixture, out: Diagnostics) -> Position:
        if scenario.id not in self._positions:
            told = Diagnostics()
            self._positions[scenario.id] = read_position(scenario, fixture.compilation.model, told), told
        position, told = self._positions[scenario.id]
        out.extend(told)
        return position

    def group(self, scenario: Scenario) -> Hashable:
        """What scenarios have in common that are played at the same table, and so wait for the same to be compiled."""
        out = Diagnostics()
        fixture = self._fixture(scenario, out) if scenario.sound else None
        if fixture is None:
            return None
        position = self._position(scenario, fixture, out)
        options = tuple(sorted((word.text, str(node.plain())) for word, node in position.options))
        return id(fixture), len(position.players), options

    def _mod(self, name: str) -> str | Path:
        """A mod beside the ruleset, if there is one of this name."""
        beside = Path(os.path.abspath(self.where)).parent / name
        return beside if path_kind(str(beside)) == "folder" else name

    def _table(self, fixture: Fixture, scenario: Scenario, position: Position, out: Diagnostics) -> Table | None:
        try:
            return table_of_position(fixture.tables, position, scenario.span, out, self.backend)
        except LoadError as error:
            out.extend(error.diagnostics)
            self.sources |= error.sources
            return None

    # ---- running

    def run(
        self,
        scenario: Scenario,
        others: Sequence[Scenario] | None = None,
        look: Callable[[Session], None] | None = None,
    ) -> Outcome:
        """Play one scenario. Expressions of `others` at its table are compiled with it; of all, if nothing is said.
        `look` is shown where it ended, if it came to its end."""
        ready = self.ready(scenario)
        if isinstance(ready, Outcome):
            return ready
        began = perf_counter()
        answers = self._answers_for(ready, self.scenarios if others is None else others)
        outcome = self._play(ready, answers, look)
        return replace(outcome, seconds=perf_counter() - began)

    def _answers_for(self, ready: Ready, others: Sequence[Scenario]) -> CompiledAnswers:
        """What answers the expressions of a scenario: compiled once for all that are played at such a table."""
        scenario = ready.scenario
        if scenario.id not in self._answers:
            group = self.group(scenario)
            same = [one for one in others if one.id not in self._answers and self.group(one) == group]
            found = [ready, *(self.ready(one) for one in same if one is not scenario)]
            mine = [one for one in found if isinstance(one, Ready)]
            formulas = [formula for one in mine for formula in one.formulas()]
            answers = self.fixture_of(scenario).answers(ready.table, formulas)
            self._answers |= {one.scenario.id: answers for one in mine}
        return self._answers[scenario.id]

    def _play(self, ready: Ready, answers: CompiledAnswers, look: Callable[[Session], None] | None = None) -> Outcome:
        from rulelang.testing.scenarios.session import (  # not needed by who only reads scenarios
            Session,
            failures_of_end,
            failures_of_then,
        )

        scenario, position = ready.scenario, ready.position
        fixture = self.fixture_of(scenario)
        out = Diagnostics()
        try:
            begun = begin_at(fixture.game, fixture, ready.table, position, ready.dice, out, stepping=True)
        except RuleError as error:
            return Outcome(scenario, (_at_start(scenario, position, error),))
        if begun is None:
            return Outcome(scenario, mistakes=tuple(out))
        start = Moment(begun.state, {name: thing for name, thing in begun.things.items() if thing[1]})
        try:
            session = Session(start.reached(begun.state), fixture.routines(ready.table), begun.handles, answers)
        except RuleError as error:
            return Outcome(scenario, (_at_start(scenario, position, error),))
        given = position.dice.span if position.dice is not None else scenario.span
        misfit = session.misfit(given, "dice")
        if misfit is not None:
            return Outcome(scenario, (misfit,), tuple(out), session.story())
        for number, step in enumerate(ready.steps):
            failed = session.step(step)
            if failed and step.what == "then":
                failed = tuple(failures_of_then(session, ready.steps[number:], ready.assertions))
            if failed:
                return Outcome(scenario, failed, tuple(out), session.story())
        if look is not None:
            look(session)
        failures = failures_of_end(session, ready.assertions, given, not ready.steps)
        return Outcome(scenario, tuple(failures), tuple(out), session.story() if failures else ())


def _at_start(scenario: Scenario, position: Position, error: RuleError) -> Failure:
    word = position.phase or Word(scenario.name, scenario.span)
    return Failure(word.span, word.text, "a rule stopped with an error at the start", diagnostic=error.diagnostic)


def own_layers(source: RulesetSource, *, mods_too: bool = False) -> set[int]:
    """The layers whose scenarios are to be run: those of what was named, whatever else is laid over it or below it.

    `mods_too`: and those of the mods that were laid over it by name.
    """
    whose = source.given if mods_too else source.given[:1]
    return {layer.index for layer in source.layers if layer.of in whose}


def run_path(
    path: str | Path,
    pattern: str | None = None,
    *,
    mods: Sequence[str | Path] = (),
    mode: str | None = None,
    watch: Watch | None = None,
    backend: str = "python",
) -> Report:
    """Run the scenarios of a ruleset (an id, folder or zip), of a file or folder in one, or of all below a folder.

    `pattern`: only those whose id has it (as a regular expression, or as it is if it is none). `watch` sees each
    outcome as it comes.
    """
    began = perf_counter()
    outcomes: list[Outcome] = []
    mistakes: list[Diagnostic] = []
    sources: dict[str, str] = {}
    for where, only in test_targets(path):
        runner = Runner(where, mods, mode, backend=backend)
        mistakes.extend(runner.diagnostics)
        for scenario in runner.scenarios:
            if is_wanted(scenario, only, pattern):
                outcome = runner.run(scenario)
                outcomes.append(outcome)
                if watch is not None:
                    watch(outcome)
        sources |= runner.sources
    return Report(tuple(outcomes), tuple(mistakes), sources, perf_counter() - began)


def test_targets(path: str | Path) -> list[tuple[str | Path, Path | None]]:
    """(ruleset, file or folder in it to which to keep, or None) for everything that a path stands for."""
    place = Path(path)
    if not place.exists() or place.suffix == ".zip":
        return [(path, None)]  # an id; if there is none of it, loading says so
    place = (place.parent if place.name in MANIFESTS else place).resolve()
    home = next((folder for folder in (place, *place.parents) if is_ruleset(folder)), None)
    if home is not None:
        return [(path if home == place else home, None if home == place else place)]
    below = sorted(child for child in place.iterdir() if is_ruleset(child)) if place.is_dir() else []
    return [(child, None) for child in below] or [(path, None)]


def is_wanted(scenario: Scenario, only: Path | None, pattern: str | None) -> bool:
    if only is not None:
        path = Path(scenario.path).resolve()
        if path != only and only not in path.parents:
            return False
    if pattern is None:
        return True
    named = (scenario.id, scenario.name)  # so that `^` is the beginning of either
    return any(name_matches(pattern, name) for name in named)


def name_matches(pattern: str, name: str) -> bool:
    """Return whether a name has a text in it, in any case.

    `a|b` is either, `*` any text, `^` the beginning and `$` the end. Time is bounded by the length of both; a regular
    expression could take forever.
    """
    return any(_part_matches(part, name.casefold()) for part in pattern.casefold().replace(".*", "*").split("|"))


def _part_matches(part: str, name: str) -> bool:
    words = part.removeprefix("^").removesuffix("$").split("*")
    at = 0
    for number, word in enumerate(words):
        last = number == len(words) - 1 and part.endswith("$")
        found = name.rfind(word) if last else name.find(word, at)
        if found < at or (number == 0 and part.startswith("^") and found) or (last and found + len(word) != len(name)):
            return False
        at = found + len(word)
    return True


__all__ = ["Ready", "Runner", "is_ruleset", "name_matches", "run_path", "test_targets"]

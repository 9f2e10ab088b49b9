"""A game that is being written: what is in its files, as the page shows it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulelang.apps.studio.workshop import files
from rulelang.apps.studio.workshop.form import title_of
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.languages import ENGLISH, Language
from rulelang.compiler.compilation import Checked, Compilation, LoadError
from rulelang.data.catalogues import LANG, catalogue_languages, load_translations
from rulelang.data.manifest import is_ruleset
from rulelang.data.ruleset_source import TraitFile
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.language.semantics.cards import face_column
from rulelang.language.semantics.model import Model
from rulelang.testing.scenarios.run import Runner, own_layers
from rulelang.testing.scenarios.scenario import Outcome, Scenario, lines_of_failure, read_scenarios
from rulelang.tools.incremental import Incremental
from rulelang.tools.scaffolding.hooks import example_name


class ProjectSession:
    """One folder. Whatever asks the compiler does so one at a time; all of it may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.lock = threading.RLock()
        self.home = files.home_of(self.folder)
        self._checks: Incremental | None = None
        self._good: Model | None = None
        self._rough: Model | None = None

    # ---- what the compiler makes of it

    def checked(self) -> tuple[Checked, Compilation] | None:
        """As the files lie now; None where there is no game."""
        with self.lock:
            if self.home is None or not is_ruleset(self.home):
                self.home = files.home_of(self.folder)
                self._checks = None
            if self.home is None:
                return None
            if self._checks is None:
                self._checks = Incremental(self.home)
            found = self._checks.check()
            compilation = self._checks.compilation
            if is_understood(compilation):
                self._good = compilation.model
            elif self._good is None and compilation.read[0] is not None:
                self._rough = compilation.model
            return found, compilation

    def as_if(self, texts: Mapping[str, str]) -> Compilation | None:
        """What the compiler would make of the game if these texts stood in its files, named as the page names them."""
        with self.lock:
            self.checked()
            checks = self._checks
            if checks is None:
                return None
            places = {self.absolute(path): text for path, text in texts.items()}
            for place, text in places.items():
                checks.update(place, text)
            try:
                checks.check()
                return checks.compilation
            finally:
                for place in places:
                    checks.update(place, None)

    @property
    def model(self) -> Model | None:
        """What is declared, as it was when data were last without mistakes: what is wrong in rules, in sums of cards or
        with invariants makes no difference to it. Where data were mistaken from the beginning, as far as they can be
        understood; None where there is no game, or none whose manifest can be read."""
        if self._good is None:
            self.checked()
        return self._good or self._rough

    def relative(self, path: str) -> str | None:
        """A path of the compiler as the page names it; None for a file of another folder."""
        try:
            return Path(path).absolute().resolve().relative_to(self.folder).as_posix()
        except ValueError:
            return None

    def absolute(self, path: str) -> Path:
        return files.written_here(self.folder, path)

    # ---- the list of files

    def everything(self) -> dict[str, Any]:
        """Traits as cards, scenarios, the other files, and what is wrong."""
        with self.lock:
            made = self.checked()
            every = files.list_files(self.folder)
            bare = {"game": None, "root": self.folder.as_uri(), "traits": [], "scenarios": [],
                    "files": every, "forms": [], "problems": [], "languages": ["en"]}  # fmt: skip
            if made is None:
                return bare
            _, compilation = made
            problems = [self.problem(item) for item in compilation.diagnostics.sorted()]
            count = Counter(item["path"] for item in problems if item["path"])
            try:
                source = compilation.source
            except LoadError:  # of a manifest that cannot be read nothing else is known
                return bare | {"problems": problems}
            model = self.model
            traits: list[dict[str, Any]] = []
            spoken = set(self.catalogues())
            said = {code: load_translations([self.home], code) for code in spoken} if self.home is not None else {}
            for trait in source.traits:
                path = self.relative(trait.path)
                if path is None:
                    continue
                known = model.traits.get(trait.id) if model is not None else None
                titles = dict(known.titles) if known else _texts(trait.node.get("name"))
                texts = dict(known.text) if known else _texts(trait.node.get("text"))
                spoken |= {*titles, *texts}
                traits.append({
                    "id": trait.id,
                    "path": path,
                    "title": _in_all(titles, said),
                    "text": _in_all(texts, said),
                    "copies": _copies(model, trait.id) if model is not None else None,
                    "problems": count[path],
                })  # fmt: skip
            scenarios = self.scenarios(compilation)
            shown = {trait["path"] for trait in traits}
            return {
                "game": {
                    "id": source.id,
                    "title": model.title.get("en", source.id) if model else source.id,
                    "home": "" if self.home == self.folder else self.relative(str(self.home)),
                    "players": list(model.players) if model else [2, 2],
                },
                "root": self.folder.as_uri(),
                "traits": sorted(traits, key=lambda trait: str(trait["id"])),
                "scenarios": scenarios,
                "files": [path for path in every if path not in shown],
                "forms": self.card_files(model) if model is not None else [],
                "problems": problems,
                "languages": sorted(spoken | {"en"}, key=lambda code: (code != "en", code)),
            }

    def problem(self, item: Diagnostic) -> dict[str, Any]:
        span = item.span
        return {
            "path": self.relative(span.path) if span.path else None,
            "line": span.line,
            "column": span.column,
            "code": item.code,
            "severity": item.severity,
            "message": item.message,
            "because": item.because,
            "hint": item.hint,
        }

    def scenarios(self, compilation: Compilation) -> list[dict[str, Any]]:
        """Those of the files of this folder, in the order of files and lines."""
        found, _ = read_scenarios(compilation.source)
        mine = own_layers(compilation.source)
        made = {self.relative(trait.path): example_name(trait.id) for trait in compilation.source.traits}
        return [
            {
                "id": one.id,
                "name": one.name,
                "path": path,
                "line": one.span.line,
                "example": one.name == made.get(path),
            }
            for one in found
            if one.layer in mine and (path := self.relative(one.path)) is not None
        ]

    def traits(self) -> Sequence[TraitFile]:
        """The traits of the game as it was last checked; none where it could not be read."""
        made = self.checked()
        source = made[1].read[0] if made is not None else None
        return source.traits if source is not None else ()

    def card_files(self, model: Model) -> list[str]:
        """The YAML files of the folder in which rows of cards stand."""
        paths = {row.span.path for sort in model.sorts.values() for row in sort.rows if row.span.path}
        found = {self.relative(path) for path in paths if path.endswith((".yaml", ".yml"))}
        return sorted(path for path in found if path is not None)

    def catalogues(self) -> dict[str, str]:
        """By language the catalogue of the game, as the page names it."""
        home = self.home
        found = (
            {code: self.relative(str(home / LANG / f"{code}.yaml")) for code in catalogue_languages([home])}
            if home
            else {}
        )
        return {code: path for code, path in found.items() if path is not None}

    def titles(self, language: Language) -> dict[str, str]:
        """What the traits of the game are called in a language, by their ids."""
        model = self.model
        return {name: title_of(model, name, language) for name in model.traits} if model is not None else {}

    # ---- scenarios

    def run(self, path: str, name: str = "", language: Language = ENGLISH) -> dict[str, Any]:
        """Run a scenario of a file, or all of it; what failed at its lines, and what happened."""
        with self.lock:
            made = self.checked()
            if made is None or not made[0].runs:
                return {
                    "outcomes": [],
                    "refused": language.say("the game has errors, so nothing can run"),
                }
            runner = Runner(self.home or self.folder)
            wanted = [one for one in runner.scenarios if self.relative(one.path) == path and name in ("", one.name)]
            runner.scenarios = wanted  # what is asked for all of a table is compiled once, and only for these
            return {"outcomes": [self.outcome(runner.run(one), runner.sources) for one in wanted], "refused": ""}

    def outcome(self, outcome: Outcome, sources: Mapping[str, str]) -> dict[str, Any]:
        scenario = outcome.scenario
        return {
            **self.place(scenario),
            "name": scenario.name,
            "passed": outcome.passed,
            "seconds": round(outcome.seconds, 3),
            "failures": [
                {
                    "path": self.relative(failure.span.path),
                    "line": failure.span.line,
                    "what": failure.what,
                    "message": failure.message,
                    "expected": list(failure.expected),
                    "found": list(failure.found),
                    "notes": list(failure.notes),
                    "because": failure.diagnostic.message if failure.diagnostic else "",
                    "drawn": list(lines_of_failure(failure, sources)),
                }
                for failure in outcome.failures
            ],
            "problems": [self.problem(item) for item in outcome.mistakes],
            "log": list(outcome.log),
        }

    def place(self, scenario: Scenario) -> dict[str, Any]:
        return {"path": self.relative(scenario.path), "line": scenario.span.line}


def is_understood(compilation: Compilation, *, rules: bool = False) -> bool:
    """Whether data, and with `rules` the rules too, say something that can be told, though the game may be wrong."""
    source, told = compilation.read
    if source is None or told.failed or compilation.declared[1].failed:
        return False
    return not rules or not (compilation.parsed[1].failed or compilation.typed[1].failed)


def _texts(node: object) -> dict[str, str]:
    if isinstance(node, YamlMap):
        return {key.text: value.text for key, value in node if isinstance(value, YamlScalar)}
    return {"en": node.text} if isinstance(node, YamlScalar) else {}


def _in_all(texts: Mapping[str, str], catalogues: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """A text in the languages that it is written in, and in those whose catalogue has it."""
    english = " ".join(texts.get("en", "").split())
    return {code: said[english] for code, said in catalogues.items() if said.get(english)} | dict(texts)


def _copies(model: Model, trait: str) -> int:
    """How many cards bear a trait, at the largest table."""
    number = model.traits[trait].number if trait in model.traits else -1
    found = 0
    for sort in model.sorts.values():
        column = face_column(sort)
        if column is None:
            continue
        for row in sort.rows:
            faces = row.columns.get(column.name)
            if faces == number or (isinstance(faces, tuple) and number in faces):
                found += row.copies
    return found

"""Lint rules about scenarios: what they prove, and which rules and traits lack one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.errors import RuleError
from rulelang.base.memo import Memo
from rulelang.base.source import Span
from rulelang.compiler.compilation import LoadError
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlSeq
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.testing.scenarios.run import Runner
from rulelang.tools.lint.rule import Finding, Rule, Subject

# ---- empty-scenario


def find_empty_scenario(subject: Subject) -> Iterator[Finding]:
    for scenario in subject.own_scenarios:
        parts = [scenario.node.get(name) for name in ("when", "then")]
        if scenario.sound and all(part is None or (isinstance(part, YamlSeq) and not part.items) for part in parts):
            because = "without steps and claims it always passes"
            hint = "write steps under `when:` and claims under `then:`"
            yield Finding(scenario.span, "this scenario proves nothing", because, hint)


EMPTY_SCENARIO = Rule(
    "empty-scenario",
    Page(
        "L833",
        "scenario without steps or claims",
        "A scenario sets up a position, plays steps, and makes claims. Without steps or claims, it always passes, "
        "so it tests nothing.",
        "trait: quiet\nscenarios:\n  - {name: it is quiet}\n",
        "trait: quiet\nscenarios:\n  - {name: it is quiet, then: [round == 1]}\n",
    ),
    find_empty_scenario,
)


# ---- scenario-without-rule


def find_scenario_without_rule(subject: Subject) -> Iterator[Finding]:
    if not subject.numbered:
        return
    for scenario in subject.own_scenarios:
        if not scenario.rules:
            because = "`rulelang coverage` counts only rules that a passing scenario cites"
            yield Finding(scenario.span, "this scenario cites no rule", because, "add a line `rule: ID`")


SCENARIO_WITHOUT_RULE = Rule(
    "scenario-without-rule",
    Page(
        "L816",
        "scenario that cites no rule",
        "If the rules of a rulebook have numbers, each scenario cites the rules that it tests. Then `rulelang "
        "coverage` can find rules without a test.",
        "",
        "",
    ),
    find_scenario_without_rule,
)


# ---- uncited-rule


def find_uncited_rule(subject: Subject) -> Iterator[Finding]:
    for rule in subject.numbered.values():
        if rule.enforced and rule.id not in subject.uses.cites:
            because = "a line `#: ID` above a declaration says which rules it implements"
            hint = "cite the rule where the code implements it, or write `enforced: false` if code cannot enforce it"
            yield Finding(rule.span, f"no code cites the rule `{rule.id}`", because, hint)


UNCITED_RULE = Rule(
    "uncited-rule",
    Page(
        "L811",
        "numbered rule that no code cites",
        "The documents in `seeds/` number the rulebook's rules. If no code cites a rule, you may have forgotten to "
        "implement it. `rulelang coverage` lists these rules and the rules that no scenario cites.",
        "",
        "",
    ),
    find_uncited_rule,
)


# ---- trait-without-scenario


def find_trait_without_scenario(subject: Subject) -> Iterator[Finding]:
    ruled = {hook.origin.name for hook in subject.hooks() if hook.origin.what == "trait"}
    ruled |= {action.origin.name for action in subject.program.actions.values() if action.origin.what == "trait"}
    texts = {file.path: file.text for file in subject.source.scenario_files}
    for trait in subject.source.traits:
        if trait.id not in ruled or not subject.owns(trait.span) or trait.node.get("scenarios") is not None:
            continue
        if not any(trait.id in text for text in texts.values()):
            because = "without a scenario, the trait can break unnoticed"
            yield Finding(
                trait.span, f"the trait `{trait.id}` has no scenario", because, "add `scenarios:` to its file"
            )


TRAIT_WITHOUT_SCENARIO = Rule(
    "trait-without-scenario",
    Page(
        "L819",
        "trait without a scenario",
        "A scenario next to a trait shows what the trait does, and rulelang tests it after every change. Without a "
        "scenario, the trait can break unnoticed.",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n"
        "scenarios:\n  - name: it pushes harder\n    given: {phase: dawn, players: {ana: [ada: spike], bob: []}}\n"
        "    then: [strength(ada) == 3]\n",
    ),
    find_trait_without_scenario,
)


# ---- missing-refusal


def find_missing_refusal(subject: Subject) -> Iterator[Finding]:
    forbids = {hook.origin.name: hook for hook in subject.program.forbids if hook.origin.what == "trait"}
    for trait in subject.source.traits:
        hook = forbids.get(trait.id)
        scenarios = trait.node.get("scenarios")
        if hook is None or scenarios is None or not subject.owns(trait.span) or _has_refusal(scenarios):
            continue
        because = "only a refused step proves that something is not possible"
        hint = "add a step `STEP: {refused: REASON}`"
        yield Finding(
            trait.span,
            f"no scenario of `{trait.id}` has a refused step",
            because,
            hint,
            (Related(hook.span.head(), "the trait forbids this"),),
        )


def _has_refusal(node: YamlNode) -> bool:
    if isinstance(node, YamlMap):
        return any(key.text in ("refused", "not") or _has_refusal(value) for key, value in node)
    return isinstance(node, YamlSeq) and any(_has_refusal(item) for item in node)


_REFUSAL_EXAMPLE = (
    "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
    'rules: |\n  forbid push(any, self) because "it sticks"\nscenarios:\n  - name: it sticks\n'
    "    given: {phase: dawn, state: {start: ana}, players: {ana: [ada size 3], bob: [ben: sticky]}}\n"
)
MISSING_REFUSAL = Rule(
    "missing-refusal",
    Page(
        "L818",
        "trait that forbids, without a refused step",
        "If a trait forbids something, one of its scenarios needs a refused step with its reason. Scenarios in "
        "which every step is possible pass without the trait, too.",
        _REFUSAL_EXAMPLE + "    when: [nibble ada]\n    then: [ada.eaten == 1]\n",
        _REFUSAL_EXAMPLE + "    when: [shove ada ben: {refused: it sticks}]\n",
    ),
    find_missing_refusal,
)


# ---- rulesets without a declaration or condition


class Loss(NamedTuple):
    """A stretch of a file, and what stands there instead."""

    span: Span
    text: str  # `{}`: what stood there

    @property
    def is_whole(self) -> bool:
        """Whether a declaration goes wholly."""
        return not self.text

    def applied(self, text: str) -> str:
        """The file with it; all other lines stay where they are."""
        lines = text.split("\n")
        first, last = self.span.line - 1, self.span.end_line - 1
        before, after = lines[first][: self.span.column - 1], lines[last][self.span.end_column - 1 :]
        here = "\n".join(lines[first : last + 1])[len(before) :].removesuffix(after)
        new = before + self.text.replace("{}", here) + after
        blank = [""] * (last - first - new.count("\n"))
        return "\n".join([*lines[:first], new, *blank, *lines[last + 1 :]])


def losses_of(node: nodes.Declaration) -> Iterator[Loss]:
    """The whole declaration; then each condition as if it held, and each part of an event as if it could be anything.

    A scenario that shows how far a rule goes passes without the rule, and fails without the bound.
    """
    span = node.span
    yield Loss(Span(span.path, span.line, 1, span.end_line, 1 << 30), "")
    for part in walk_syntax(node):
        yield from _bound_losses(part)


def _bound_losses(part: nodes.Node) -> Iterator[Loss]:
    match part:
        case nodes.Guard():
            yield from _condition_losses(part.condition, not part.unless)
        case nodes.Require() | nodes.Ensure():
            yield from _condition_losses(part.condition, True)
        case nodes.Binder(where=where) if where is not None:
            yield from _condition_losses(where, True)
        case nodes.If():
            for condition, _ in part.branches:
                yield from _condition_losses(condition, True)
        case nodes.IfElse():
            yield from _condition_losses(part.test, True)
        case nodes.Slot(name=str()):
            yield Loss(part.span, "any")


def _condition_losses(condition: nodes.Expr, holds: bool) -> Iterator[Loss]:
    """A condition, and each part of it, as if it held (or did not)."""
    # What it names stays named: names that nothing uses are mistakes.
    yield Loss(condition.span, "(({}) or true)" if holds else "(({}) and false)")
    if isinstance(condition, nodes.Logic):
        yield from _condition_losses(condition.left, holds)
        yield from _condition_losses(condition.right, holds)


# ---- a copy of the ruleset


class RulesetCopy:
    """A copy of what was named, in a folder that goes when this is left. Zips and installed ids are copied too."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._folder = tempfile.TemporaryDirectory(prefix="rulelang-lint-")
        source = subject.source
        named = source.manifest if source.given[0] == source.id else source.mods[-1]
        for mod in source.mods:
            if mod.text("id") == source.given[0]:
                named = mod
        self._home = Path(named.span.path).resolve().parent
        self._copy = Path(self._folder.name) / self._home.name
        self._memo = Memo()

    def __enter__(self) -> RulesetCopy:
        shutil.copytree(self._home, self._copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        self._runner()
        self._memo.hold()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def _runner(self) -> Runner:
        """The copy as it is now. Only the file that has changed since the first time is read anew."""
        whole = self.subject.compilation
        self._memo.turn()
        return Runner(str(self._copy), whole.mods, whole.mode, memo=self._memo)

    def declarations(self) -> Iterator[nodes.Declaration]:
        """What is declared in the files of what was named and cites a rule."""
        for _, declarations in self.subject.texts:
            for node in declarations:
                if node.cites and self.subject.owns(node.span) and not isinstance(node, nodes.Game):
                    yield node

    def failing(self, loss: Loss, wanted: Collection[str]) -> set[str] | None:
        """Those of the scenarios (by id) that fail with it; None if nothing can be run so."""
        original = Path(loss.span.path).resolve()
        place = self._copy / original.relative_to(self._home)
        text = original.read_text(encoding="utf-8")
        place.write_text(loss.applied(text), encoding="utf-8")
        try:
            runner = self._runner()
            if runner.diagnostics.failed:
                return None
            chosen = [scenario for scenario in runner.scenarios if scenario.id in wanted]
            return {scenario.id for scenario in chosen if not runner.run(scenario, chosen).passed}
        except (LoadError, RuleError):
            return None
        finally:
            place.write_text(text, encoding="utf-8")


# ---- idle-scenario


def find_idle_scenario(subject: Subject) -> Iterator[Finding]:
    by_rule: dict[str, set[str]] = {}
    for scenario in subject.own_scenarios:
        for word in scenario.rules:
            by_rule.setdefault(word.text, set()).add(scenario.id)
    noticed: set[str] = set()
    passed: dict[str, nodes.Declaration] = {}
    with RulesetCopy(subject) as without:
        for node in without.declarations():
            cited = {id_ for rule in node.cites for id_ in by_rule.get(rule, ())}
            for loss in losses_of(node):
                wanted = cited - noticed
                failed = without.failing(loss, wanted) if wanted else None
                noticed |= failed or set()
                if failed is not None and loss.is_whole:
                    passed |= {id_: node for id_ in wanted - failed if id_ not in passed}
    for scenario in subject.own_scenarios:
        found = passed.get(scenario.id)
        if found is not None and scenario.id not in noticed:
            rules = " or ".join(f"`{word.text}`" for word in scenario.rules)
            message = (
                f"this scenario passes without the rules that implement {rules}, and without any of their conditions"
            )
            related = (Related(found.span.head(), "it passes without this"),)
            yield Finding(scenario.span, message, "so the scenario proves neither the rule nor its limits", "", related)


IDLE_SCENARIO = Rule(
    "idle-scenario",
    Page(
        "L817",
        "scenario that passes without its rule",
        "A scenario proves a rule if it fails once the rule is missing, or once the rule goes too far. With "
        "`--deep`, the linter tries that for each declaration that cites a rule. First it removes the declaration. "
        "Then it makes each condition true, and each part of its events match anything. After each change it runs "
        "the scenarios that cite the same rule.\n\n"
        "It reports a scenario that never fails: this scenario proves something else. It skips declarations that "
        "other rules need. `--deep` plays many scenarios, so it takes a while.",
        "",
        "",
    ),
    find_idle_scenario,
    deep=True,
)

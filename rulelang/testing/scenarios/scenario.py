"""A scenario as read from its file, the result of a run, and both as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from difflib import SequenceMatcher
from functools import partial
from pathlib import PurePosixPath

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.terminal import draw_frame
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.testing.scenarios.tokens import Word, list_items, map_pairs, report_wrong_shape, whole_word

# ---- records


@record
class Scenario:
    """One scenario of a file. `home` is the trait that it stands beside, or the name of its file without the ending.

    `options`, `mods` and `mode` are those of the file with the scenario's own over them, `rows` the test rows of both.
    `of_trait`: it stands beside a trait. `sound` is False if its shape is not that of a scenario, which has been told.
    """

    name: str
    home: str
    node: YamlMap
    span: Span
    layer: int
    rules: tuple[Word, ...] = ()
    options: tuple[tuple[Word, YamlNode], ...] = ()
    mods: tuple[Word, ...] = ()
    mode: Word | None = None
    rows: tuple[YamlMap, ...] = ()
    sound: bool = True
    of_trait: bool = False

    @property
    def path(self) -> str:
        return self.span.path

    @property
    def id(self) -> str:
        """Unique in its ruleset, and fit for a test's name."""
        return f"{self.home}: {self.name}"


@record
class Failure:
    """One thing that did not come out as the scenario says. `what` is the step or expression as written.

    `expected` and `found` are lines to be shown against each other; `notes` say more (reasons of a refusal).
    `diagnostic`: the mistake in the rules that ended it.
    """

    span: Span
    what: str
    message: str
    expected: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    diagnostic: Diagnostic | None = None


@record
class Outcome:
    """What came of one scenario. `mistakes`: the scenario itself is wrong, so it was not run (or not to its end);
    or warnings of one that was.

    `log`: what happened in it, for whoever looks for the reason of a failure. `seconds`: of running it alone.
    """

    scenario: Scenario
    failures: tuple[Failure, ...] = ()
    mistakes: tuple[Diagnostic, ...] = ()
    log: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.failures and not any(item.severity == "error" for item in self.mistakes)


@record
class Report:
    """What came of many. `mistakes` are those of rulesets and scenario files that kept scenarios from being run.

    `sources`: the texts of all files that a span in it may point into.
    """

    outcomes: tuple[Outcome, ...]
    mistakes: tuple[Diagnostic, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def failed(self) -> int:
        return len(self.outcomes) - self.passed

    @property
    def ok(self) -> bool:
        """Nothing failed and nothing was kept from being run."""
        return not self.failed and not any(item.severity == "error" for item in self.mistakes)


# ---- read files


def read_scenarios(source: RulesetSource, memo: NullCache = NULL_CACHE) -> tuple[list[Scenario], Diagnostics]:
    """All scenarios in the order of files and lines, and what is wrong with their files.

    Traits' files have been checked against their schema with the ruleset; those of the folder are checked here.
    """
    out = Diagnostics()
    found: list[Scenario] = []
    for trait in source.traits:
        node = trait.node.get("scenarios")
        if node is not None:
            found.extend(_list(node, Scenario("", trait.id, trait.node, trait.span, trait.layer, of_trait=True), out))
    for file in source.scenario_files:
        key = file.path, file.text, file.layer
        found.extend(
            memo.with_diagnostics("scenario files", key, out, partial(scenarios_in, file.path, file.text, file.layer))
        )
    _report_duplicates(found, out)
    return found, out


def read_files(source: RulesetSource, memo: NullCache) -> Iterator[None]:
    """Read the files of the folder one by one, for a memo that keeps them: between two something else may be done."""
    for file in source.scenario_files if memo.keeps else ():
        key = file.path, file.text, file.layer
        memo.with_diagnostics(
            "scenario files", key, Diagnostics(), partial(scenarios_in, file.path, file.text, file.layer)
        )
        yield


def scenarios_in(path: str, text: str, layer: int, out: Diagnostics) -> list[Scenario]:
    """The scenarios in the text of a file of the folder."""
    from rulelang.data.schema import check_schema
    from rulelang.data.yaml_reader import read_yaml_text

    file = read_yaml_text(text, path, out, layer)
    if file.root is None:
        return []
    check_schema("scenarios", file, out)
    home = PurePosixPath(path.replace("\\", "/")).stem
    if isinstance(file.root, YamlMap):
        blank = Scenario("", home, file.root, file.root.span, layer)
        base = Scenario(
            "", home, file.root, file.root.span, layer, (), *_settings(blank, file.root, out)
        )  # fmt: skip
        return _list(file.root.get("scenarios") or YamlSeq((), file.root.span), base, out)
    return _list(file.root, Scenario("", home, YamlMap((), file.root.span), file.root.span, layer), out)


def _list(node: YamlNode, base: Scenario, out: Diagnostics) -> list[Scenario]:
    """The scenarios of one file. What its schema has told already makes the scenario it stands in unsound."""
    told = Diagnostics([item for item in out if item.span.path == base.span.path])
    found = []
    for item in list_items(node):
        if isinstance(item, YamlMap):
            found.append(_scenario(item, base, out, told))
        else:
            report_wrong_shape(out, item, "a scenario", "- name: what it shows")
    return found


def _scenario(node: YamlMap, base: Scenario, out: Diagnostics, found: Diagnostics) -> Scenario:
    name = node.get("name")
    rules = tuple(whole_word(item) for item in list_items(node.get("rule")) if isinstance(item, YamlScalar))
    before = len(out)
    options, mods, mode, rows = _settings(base, node, out)
    first, last = node.span.line, node.span.end_line
    sound = len(out) == before and not any(first <= item.span.line <= last for item in found)
    return Scenario(
        " ".join(name.text.split()) if isinstance(name, YamlScalar) else "",
        base.home,
        node,
        name.span if isinstance(name, YamlScalar) else node.span,
        base.layer,
        rules,
        options,
        mods,
        mode,
        rows,
        sound,
        base.of_trait,
    )


def _settings(
    base: Scenario, node: YamlMap, out: Diagnostics
) -> tuple[tuple[tuple[Word, YamlNode], ...], tuple[Word, ...], Word | None, tuple[YamlMap, ...]]:
    """Options, mods and mode: those given here over those of the file; test rows: those of both."""
    own = map_pairs(out, node.get("options"), "a map from option to value", "options: {name: value}")
    given = {word.text: (word, value) for word, value in (*base.options, *own)}
    mods = tuple(whole_word(item) for item in list_items(node.get("mods")) if isinstance(item, YamlScalar)) or base.mods
    mode = node.get("mode")
    rows = node.get("rows")
    all_rows = (*base.rows, rows) if isinstance(rows, YamlMap) else base.rows
    return tuple(given.values()), mods, whole_word(mode) if isinstance(mode, YamlScalar) else base.mode, all_rows


def _report_duplicates(found: list[Scenario], out: Diagnostics) -> None:
    """C706: two scenarios of one name could not be told apart in a report."""
    first: dict[str, Scenario] = {}
    for scenario in found:
        other = first.setdefault(scenario.id, scenario)
        if other is not scenario and scenario.name:
            related = [Related(other.span, "the first one is here")]
            out.error("C706", scenario.span, f"two scenarios have the name `{scenario.name}`", related=related)


# ---- mistakes that several scenarios share


def counted_mistakes(found: Iterable[Sequence[Diagnostic]]) -> list[Diagnostic]:
    """Return the mistakes of several scenarios, each once; one that several have says how many."""
    times = Counter(item for mistakes in found for item in dict.fromkeys(mistakes))
    return [_with_count(item, number) for item, number in times.items()]


def with_counts(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the same outcomes, in which what is wrong with several scenarios in the same way says how many."""
    mistakes = Counter(item for outcome in outcomes for item in dict.fromkeys(outcome.mistakes))
    failures = Counter(failure for outcome in outcomes for failure in dict.fromkeys(outcome.failures))
    return [
        replace(
            outcome,
            mistakes=tuple(_with_count(item, mistakes[item]) for item in outcome.mistakes),
            failures=tuple(_repeated_failure(failure, failures[failure]) for failure in outcome.failures),
        )
        for outcome in outcomes
    ]


class ShownOutcomes:
    """What has been shown of outcomes, so that what scenarios share is shown once."""

    def __init__(self) -> None:
        self._mistakes: set[Diagnostic] = set()
        self._failures: set[Failure] = set()

    def news(self, outcome: Outcome) -> Outcome | None:
        """Return an outcome with what has not been shown yet; None if there is nothing."""
        mistakes = tuple(item for item in outcome.mistakes if item not in self._mistakes)
        failures = tuple(failure for failure in outcome.failures if failure not in self._failures)
        self._mistakes.update(mistakes)
        self._failures.update(failures)
        return replace(outcome, mistakes=mistakes, failures=failures) if mistakes or failures else None


def _count_phrase(number: int) -> str:
    return f"{number} scenarios have this mistake"


def _with_count(item: Diagnostic, number: int) -> Diagnostic:
    if number == 1:
        return item
    return replace(item, because=f"{item.because}\n{_count_phrase(number)}" if item.because else _count_phrase(number))


def _repeated_failure(failure: Failure, number: int) -> Failure:
    return failure if number == 1 else replace(failure, notes=(*failure.notes, _count_phrase(number)))


# ---- results as lines of text


def outcome_lines(outcome: Outcome, sources: Mapping[str, str]) -> Iterator[str]:
    """One failed scenario."""
    scenario = outcome.scenario
    yield f"{'FAILED' if outcome.failures else 'INVALID'} {scenario.id}"
    yield f"  {scenario.span}"
    for failure in outcome.failures:
        for line in lines_of_failure(failure, sources):
            yield f"  {line}"
    for mistake in outcome.mistakes:
        yield from (f"  {line}" for line in draw_frame(mistake, sources).split("\n"))
    if outcome.failures and outcome.log:
        yield "  what happened:"
        cut = outcome.log[-20:]
        if len(cut) < len(outcome.log):
            yield f"    ... ({len(outcome.log) - len(cut)} lines before)"
        yield from (f"    {line}" for line in cut)


def lines_of_failure(failure: Failure, sources: Mapping[str, str]) -> Iterator[str]:
    """The guilty line of the scenario, the difference, and the mistake in the rules if one ended it."""
    frame = Diagnostic("", failure.span, failure.message)
    drawn = draw_frame(frame, sources).split("\n")
    yield f"{failure.message}: {failure.what}"
    yield from drawn[1:]
    yield from difference_lines(failure.expected, failure.found)
    for note in failure.notes:
        yield f"  {note}"
    if failure.diagnostic is not None:
        yield from draw_frame(failure.diagnostic, sources).split("\n")


def difference_lines(expected: Sequence[str], found: Sequence[str]) -> Iterator[str]:
    """Expected and found, side by side if each is one line; else line by line: `-` is missing, `+` is too much."""
    if not expected and not found:
        return
    if len(expected) <= 1 and len(found) <= 1:
        yield f"  expected: {expected[0] if expected else 'nothing'}"
        yield f"  found:    {found[0] if found else 'nothing'}"
        return
    yield "  - expected, + found"
    matcher = SequenceMatcher(None, list(expected), list(found), autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        if expected[a:b] == found[c:d]:
            yield from (f"    {line}" for line in expected[a:b])
            continue
        yield from (f"  - {line}" for line in expected[a:b])
        yield from (f"  + {line}" for line in found[c:d])

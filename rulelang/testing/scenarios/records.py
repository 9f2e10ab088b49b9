"""A scenario as read, and what came of running it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode
from rulelang.testing.scenarios.tokens import Word


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

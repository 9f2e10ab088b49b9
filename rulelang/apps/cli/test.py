"""`rulelang test`: run the scenarios that stand beside the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.each import homes, takes_each
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode, takes_quiet
from rulelang.apps.cli.reporting import Wanted, reports, version
from rulelang.apps.cli.screen import FAILED, FINE, MISTAKES, nothing_there, say, show_frames, tally
from rulelang.apps.cli.tables import takes_backend
from rulelang.apps.cli.watching import takes_watch

if TYPE_CHECKING:
    from rulelang.base.diagnostics import Diagnostic
    from rulelang.testing.scenarios.scenario import Failure, Outcome
    from rulelang.tools.reports import Case, Report, Subject

#: Of a failed scenario's log so many lines are shown: the last ones tell why.
LOG_LINES = 12


class Enough(Exception):
    """The first failure, where no more are wanted."""


@click.command()
@click.argument("paths", nargs=-1, shell_complete=completing.paths)
@click.option(
    "-k",
    "pattern",
    metavar="PATTERN",
    help="Run only scenarios whose names contain this text. You can use `a|b`, `*`, `^` and `$`.",
)
@takes_mods(behind=False)
@takes_mode()
@takes_backend()
@click.option("--verbose", "-v", is_flag=True, help="Print a line for each scenario.")
@takes_quiet()
@click.option("--exitfirst", "-x", is_flag=True, help="Stop at the first failure.")
@takes_each()
@takes_watch()
@reports()
@click.pass_context
def test(
    ctx: click.Context,
    paths: tuple[str, ...],
    pattern: str | None,
    mods: tuple[str, ...],
    mode: str | None,
    backend: str,
    verbose: bool,
    quiet: bool,
    exitfirst: bool,
    each: bool,
    watching: bool,
    wanted: Wanted,
) -> None:
    """Run scenarios.

    PATHS are folders, files or ids of games and mods. Without PATHS, it tests the current folder. To apply other
    mods, use --mod.
    """
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.testing.scenarios.run import run_path
    from rulelang.testing.scenarios.scenario import with_counts

    if verbose and quiet:
        raise click.UsageError("--verbose and --quiet cannot be combined")
    if watching:
        if each or wanted.format != "text":
            raise click.UsageError("--watch cannot be combined with --each, --format or --output")
        _again(
            ctx,
            paths or (_here(),),
            pattern,
            mods,
            mode,
            backend,
            partial(Printer, verbose, quiet, exitfirst, at_once=True),
        )
        ctx.exit(FINE)
    printer = Printer(verbose, quiet, exitfirst, silent=not wanted.text)
    sources: dict[str, str] = {}
    mistakes = Diagnostics()
    subjects: list[Subject] = []
    began = perf_counter()
    places = homes(paths) if each else paths or (_here(),)
    for path in places:
        first, own = len(printer.outcomes), Diagnostics()
        try:
            found = run_path(path, pattern, mods=mods, mode=mode, watch=printer.watch, backend=backend)
            own.extend(found.mistakes)
            sources |= found.sources
        except Enough:
            break
        finally:
            mistakes.extend(own)
            printer.outcomes[first:] = with_counts(printer.outcomes[first:])
            subjects.append(subject(str(path), mods, mode, own.sorted(), printer.outcomes[first:]))
    seconds = perf_counter() - began
    if wanted.text:
        broken = _outcome(printer, mistakes, sources)
        stopped = ", stopped at the first failure" if exitfirst and printer.failed else ""
        if not quiet:
            say(f"{_summary(printer)} in {seconds:.2f} s{stopped}{'; ' + tally(broken) if broken else ''}")

    def report() -> Report:
        from rulelang.tools.reports import Report

        return Report("test", version(), tuple(subjects), seconds)

    wanted.write(report)
    errors = any(item.severity == "error" for item in mistakes)
    if each and not places:
        ctx.exit(FINE)
    if not printer.count and not errors:
        say("no scenario matches" if pattern else "there are no scenarios", err=True)
        ctx.exit(FAILED)
    if not printer.count and nothing_there(mistakes):
        ctx.exit(FAILED)
    ctx.exit(MISTAKES if printer.failed or errors else FINE)


def _again(
    ctx: click.Context,
    paths: Sequence[str],
    pattern: str | None,
    mods: Sequence[str],
    mode: str | None,
    backend: str,
    printing: Callable[[], Printer],
) -> None:
    """Run them after each save: what may have come to be otherwise, and first what stands in the files that changed."""
    from rulelang.apps.cli.watching import follow
    from rulelang.testing.scenarios.rerun import IncrementalRun

    runs = [IncrementalRun(path, pattern, mods=mods, mode=mode, backend=backend) for path in paths]

    def work(changed: Collection[Path]) -> list[str]:
        printer = printing()
        began, spared = perf_counter(), 0
        mistakes: list[Diagnostic] = []
        sources: dict[str, str] = {}
        for one in runs:
            try:
                done = one.run(changed, printer.watch)
            except Enough:
                break
            spared += done.spared
            mistakes += done.report.mistakes
            sources |= done.report.sources
        broken = _outcome(printer, mistakes, sources)
        if not printer.quiet:
            said = [part for part in (_summary(printer, spared), f"{spared} unchanged" if spared else "") if part]
            told = f"; {tally(broken)}" if broken else ""
            say(f"{', '.join(said)} in {perf_counter() - began:.2f} s{told}")
        if not changed and mistakes and not printer.count and nothing_there(mistakes):
            ctx.exit(FAILED)  # there is nothing to wait for
        return [root for one in runs for root in one.roots] or [str(Path(path).resolve()) for path in paths]

    follow(work)


def _outcome(printer: Printer, mistakes: Iterable[Diagnostic], sources: Mapping[str, str]) -> list[Diagnostic]:
    """Show what is wrong: mistakes that no scenario shows as its own and warnings of those that passed, then scenarios
    that failed. Gives the former."""
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.data.ruleset import read_affected_texts
    from rulelang.testing.scenarios.scenario import ShownOutcomes

    broken = _told(mistakes, printer.failed)
    warned = [*dict.fromkeys(item for one in printer.outcomes if one.passed for item in one.mistakes)]
    printer.end_line()
    show_frames(broken, sources)
    show_frames(warned, sources or read_affected_texts(Diagnostics(warned)))
    shown = ShownOutcomes()
    for outcome in filter(None, map(shown.news, () if printer.at_once else printer.failed)):
        show_failure(outcome, sources or read_affected_texts(Diagnostics(list(outcome.mistakes))))
    if printer.failed:
        say()
    for outcome in printer.failed:
        say(f"FAILED {outcome.scenario.span} {outcome.scenario.id}")
    return broken + warned


class Printer:
    """Prints outcomes as they come: a dot or an F each, or a line each; a file a line. `at_once`: what failed is shown
    when it fails, and not behind all."""

    def __init__(
        self, verbose: bool, quiet: bool, exitfirst: bool, *, silent: bool = False, at_once: bool = False
    ) -> None:
        from rulelang.testing.scenarios.scenario import ShownOutcomes

        self.verbose = verbose and not silent
        self.quiet = quiet or silent
        self.exitfirst = exitfirst
        self.at_once = at_once
        self.outcomes: list[Outcome] = []
        self.path = ""
        self.shown = ShownOutcomes()

    @property
    def count(self) -> int:
        return len(self.outcomes)

    @property
    def failed(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if not outcome.passed]

    def watch(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if self.verbose:
            mark, colour = ("passed", "green") if outcome.passed else ("FAILED", "red")
            say(mark, nl=False, fg=colour)
            say(f" {outcome.scenario.path} {outcome.scenario.id}")
        elif not self.quiet:
            if outcome.scenario.path != self.path:
                self.end_line()
                self.path = outcome.scenario.path
                say(f"{self.path} ", nl=False)
            say("." if outcome.passed else "F", nl=False)
        if self.at_once and not outcome.passed:
            from rulelang.base.diagnostics import Diagnostics
            from rulelang.data.ruleset import read_affected_texts

            self.end_line()
            news = self.shown.news(outcome)
            if news is not None:
                show_failure(news, read_affected_texts(Diagnostics(list(news.mistakes))))
        if self.exitfirst and not outcome.passed:
            raise Enough

    def end_line(self) -> None:
        if self.path:
            say()
        self.path = ""


def subject(
    path: str, mods: tuple[str, ...], mode: str | None, found: Sequence[Diagnostic], outcomes: Sequence[Outcome]
) -> Subject:
    """What came of one path, for a report."""
    from rulelang.tools.reports import Subject

    cases = tuple(_case(outcome) for outcome in outcomes)
    told = {item for case in cases for item in case.diagnostics}
    counts = {"scenario": len(cases)}
    return Subject(path, mods, mode, counts, tuple(item for item in found if item not in told), cases)


def _case(outcome: Outcome) -> Case:
    from rulelang.tools.reports import Case, Problem, diagnostic_finding

    problems = []
    for failure in outcome.failures:
        lines = [f"> {line}" for line in failure.what.split("\n")] + _difference(failure) + list(failure.notes)
        if failure.diagnostic is not None:
            broken = diagnostic_finding(failure.diagnostic)
            lines += [f"{broken.span}: {broken.rule}: {broken.message}", *broken.details]
        problems.append(Problem(failure.span, failure.message, tuple(lines)))
    scenario = outcome.scenario
    return Case(scenario.id, scenario.span, outcome.seconds, tuple(problems), outcome.mistakes)


def show_failure(outcome: Outcome, sources: Mapping[str, str]) -> None:
    """What a scenario says, what came out instead, and what had happened until then."""
    say()
    say(f"FAILED {outcome.scenario.id}", bold=True)
    show_frames(outcome.mistakes, sources)
    for failure in outcome.failures:
        say(f"  {failure.span}")
        for line in failure.what.split("\n"):
            say(f"  > {line}")
        say(f"  {failure.message}")
        for line in _difference(failure):
            say(f"    {line}", fg={"-": "green", "+": "red"}.get(line[:1]))
        for note in failure.notes:
            say(f"    {note}")
        if failure.diagnostic is not None:
            show_frames([failure.diagnostic], sources)
    if outcome.log:
        left_out = len(outcome.log) - LOG_LINES
        say(f"  the log{_left_out(left_out)}:")
        for line in outcome.log[-LOG_LINES:]:
            say(f"    {line}")


def _left_out(lines: int) -> str:
    """What is said of the lines of the log that are not shown."""
    if lines <= 0:
        return ""
    return ", without its first line" if lines == 1 else f", without its first {lines} lines"


def _difference(failure: Failure) -> list[str]:
    """Expected against found: side by side if each is one line, else line by line, those that differ marked."""
    if len(failure.expected) <= 1 and len(failure.found) <= 1:
        pairs = (("expected", failure.expected), ("found   ", failure.found))
        return [f"{title} {lines[0]}" for title, lines in pairs if lines]
    import difflib

    return ["- expected", "+ found", *difflib.ndiff(_whole(failure.expected), _whole(failure.found))]


def _whole(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\n") for line in lines]


def _told(mistakes: Iterable[Diagnostic], failed: Sequence[Outcome]) -> list[Diagnostic]:
    """Return the mistakes that no failed scenario shows as its own."""
    shown = {(item.code, item.span, item.message) for outcome in failed for item in outcome.mistakes}
    return [item for item in mistakes if (item.code, item.span, item.message) not in shown]


def _summary(printer: Printer, spared: int = 0) -> str:
    passed = printer.count - len(printer.failed)
    parts = [f"{passed} passed"] if passed or not (printer.failed or spared) else []
    return ", ".join([*parts, *([f"{len(printer.failed)} failed"] if printer.failed else [])])


def _here() -> str:
    """Where to look if nothing is said: the folder that one is in, or its `rulesets`."""
    home = Path.cwd()
    inside = any((folder / name).is_file() for folder in (home, *home.parents) for name in ("ruleset.yaml", "mod.yaml"))
    return "rulesets" if not inside and (home / "rulesets").is_dir() else "."

"""Run scenarios and look for bugs: `rulelang test`, `coverage` and `fuzz`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.checking import takes_watch
from rulelang.apps.cli.options import (
    BACKENDS,
    ReportOutput,
    ruleset_folders,
    takes_backend,
    takes_each,
    takes_jobs,
    takes_json,
    takes_mode,
    takes_mods,
    takes_quiet,
    takes_report,
    takes_seed,
    version,
)
from rulelang.apps.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    CannotRun,
    counted,
    found_nothing,
    progress_bar,
    say,
    say_json,
    show_frames,
    tally,
    terminal_columns,
)
from rulelang.base.files import why_unwritable, write_atomically
from rulelang.base.terminal import wrap_text

if TYPE_CHECKING:
    from rulelang.apps.fuzzing.parallel_search import SearchResult
    from rulelang.apps.fuzzing.playing import Player
    from rulelang.base.diagnostics import Diagnostic
    from rulelang.testing.scenarios.citations import CoverageReport
    from rulelang.testing.scenarios.scenario import Failure, Outcome
    from rulelang.tools.reports import Case, Report, Subject


# ---- `test`

#: Of a failed scenario's log so many lines are shown: the last ones tell why.
LOG_LINES = 12


class FirstFailure(Exception):
    """The first failure, where no more are wanted."""


@click.command()
@click.argument("paths", nargs=-1, shell_complete=completion.paths)
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
@takes_report()
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
    wanted: ReportOutput,
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
        _watch_tests(
            ctx,
            paths or (_default_path(),),
            pattern,
            mods,
            mode,
            backend,
            partial(OutcomePrinter, verbose, quiet, exitfirst, at_once=True),
        )
        ctx.exit(FINE)
    printer = OutcomePrinter(verbose, quiet, exitfirst, silent=not wanted.text)
    sources: dict[str, str] = {}
    mistakes = Diagnostics()
    subjects: list[Subject] = []
    began = perf_counter()
    places = ruleset_folders(paths) if each else paths or (_default_path(),)
    for path in places:
        first, own = len(printer.outcomes), Diagnostics()
        try:
            found = run_path(path, pattern, mods=mods, mode=mode, watch=printer.watch, backend=backend)
            own.extend(found.mistakes)
            sources |= found.sources
        except FirstFailure:
            break
        finally:
            mistakes.extend(own)
            printer.outcomes[first:] = with_counts(printer.outcomes[first:])
            subjects.append(tested_subject(str(path), mods, mode, own.sorted(), printer.outcomes[first:]))
    seconds = perf_counter() - began
    if wanted.text:
        broken = _print_outcome(printer, mistakes, sources)
        stopped = ", stopped at the first failure" if exitfirst and printer.failed else ""
        if not quiet:
            say(f"{_summary_text(printer)} in {seconds:.2f} s{stopped}{'; ' + tally(broken) if broken else ''}")

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
    if not printer.count and found_nothing(mistakes):
        ctx.exit(FAILED)
    ctx.exit(MISTAKES if printer.failed or errors else FINE)


def _watch_tests(
    ctx: click.Context,
    paths: Sequence[str],
    pattern: str | None,
    mods: Sequence[str],
    mode: str | None,
    backend: str,
    printing: Callable[[], OutcomePrinter],
) -> None:
    """Run them after each save: what may have come to be otherwise, and first what stands in the files that changed."""
    from rulelang.apps.cli.checking import repeat_on_save
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
            except FirstFailure:
                break
            spared += done.spared
            mistakes += done.report.mistakes
            sources |= done.report.sources
        broken = _print_outcome(printer, mistakes, sources)
        if not printer.quiet:
            said = [part for part in (_summary_text(printer, spared), f"{spared} unchanged" if spared else "") if part]
            told = f"; {tally(broken)}" if broken else ""
            say(f"{', '.join(said)} in {perf_counter() - began:.2f} s{told}")
        if not changed and mistakes and not printer.count and found_nothing(mistakes):
            ctx.exit(FAILED)  # there is nothing to wait for
        return [root for one in runs for root in one.roots] or [str(Path(path).resolve()) for path in paths]

    repeat_on_save(work)


def _print_outcome(
    printer: OutcomePrinter, mistakes: Iterable[Diagnostic], sources: Mapping[str, str]
) -> list[Diagnostic]:
    """Show what is wrong: mistakes that no scenario shows as its own and warnings of those that passed, then scenarios
    that failed. Gives the former."""
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.data.ruleset import read_affected_texts
    from rulelang.testing.scenarios.scenario import ShownOutcomes

    broken = _other_mistakes(mistakes, printer.failed)
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


class OutcomePrinter:
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
            raise FirstFailure

    def end_line(self) -> None:
        if self.path:
            say()
        self.path = ""


def tested_subject(
    path: str, mods: tuple[str, ...], mode: str | None, found: Sequence[Diagnostic], outcomes: Sequence[Outcome]
) -> Subject:
    """What came of one path, for a report."""
    from rulelang.tools.reports import Subject

    cases = tuple(_report_case(outcome) for outcome in outcomes)
    told = {item for case in cases for item in case.diagnostics}
    counts = {"scenario": len(cases)}
    return Subject(path, mods, mode, counts, tuple(item for item in found if item not in told), cases)


def _report_case(outcome: Outcome) -> Case:
    from rulelang.tools.reports import Case, Problem, diagnostic_finding

    problems = []
    for failure in outcome.failures:
        lines = [f"> {line}" for line in failure.what.split("\n")] + _difference_text(failure) + list(failure.notes)
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
        for line in _difference_text(failure):
            say(f"    {line}", fg={"-": "green", "+": "red"}.get(line[:1]))
        for note in failure.notes:
            say(f"    {note}")
        if failure.diagnostic is not None:
            show_frames([failure.diagnostic], sources)
    if outcome.log:
        left_out = len(outcome.log) - LOG_LINES
        say(f"  the log{_omitted_lines_text(left_out)}:")
        for line in outcome.log[-LOG_LINES:]:
            say(f"    {line}")


def _omitted_lines_text(lines: int) -> str:
    """What is said of the lines of the log that are not shown."""
    if lines <= 0:
        return ""
    return ", without its first line" if lines == 1 else f", without its first {lines} lines"


def _difference_text(failure: Failure) -> list[str]:
    """Expected against found: side by side if each is one line, else line by line, those that differ marked."""
    if len(failure.expected) <= 1 and len(failure.found) <= 1:
        pairs = (("expected", failure.expected), ("found   ", failure.found))
        return [f"{title} {lines[0]}" for title, lines in pairs if lines]
    import difflib

    return ["- expected", "+ found", *difflib.ndiff(_stripped_lines(failure.expected), _stripped_lines(failure.found))]


def _stripped_lines(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\n") for line in lines]


def _other_mistakes(mistakes: Iterable[Diagnostic], failed: Sequence[Outcome]) -> list[Diagnostic]:
    """Return the mistakes that no failed scenario shows as its own."""
    shown = {(item.code, item.span, item.message) for outcome in failed for item in outcome.mistakes}
    return [item for item in mistakes if (item.code, item.span, item.message) not in shown]


def _summary_text(printer: OutcomePrinter, spared: int = 0) -> str:
    passed = printer.count - len(printer.failed)
    parts = [f"{passed} passed"] if passed or not (printer.failed or spared) else []
    return ", ".join([*parts, *([f"{len(printer.failed)} failed"] if printer.failed else [])])


def _default_path() -> str:
    """Where to look if nothing is said: the folder that one is in, or its `rulesets`."""
    home = Path.cwd()
    inside = any((folder / name).is_file() for folder in (home, *home.parents) for name in ("ruleset.yaml", "mod.yaml"))
    return "rulesets" if not inside and (home / "rulesets").is_dir() else "."


# ---- `coverage`


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@takes_mode()
@click.option(
    "--pairs",
    "pairs_",
    is_flag=True,
    help="List ordered pairs of traits, and show whether both took part in the same move.",
)
@click.option("--rules", "rules_", is_flag=True, help="List the rule lines that no scenario runs.")
@click.option(
    "--branches",
    "branches_",
    is_flag=True,
    help="Like --rules, but also list conditions that were never true or never false.",
)
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Also count N played games. With --pairs, these are games as `fuzz` plays them; otherwise, random games.",
)
@click.option("--all", "all_", is_flag=True, help="With --rules or --branches: also list fully covered lines.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --rules or --branches: write the report as one HTML file.",
)
@click.option(
    "--replays",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --pairs: also count the games in this replay. Repeatable.",
)
@click.option(
    "--skeletons",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --pairs: write a scenario skeleton for each missing pair to this file.",
)
@takes_json()
@click.pass_context
def coverage(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    pairs_: bool,
    rules_: bool,
    branches_: bool,
    games: int,
    all_: bool,
    page: Path | None,
    replays: tuple[Path, ...],
    skeletons: Path | None,
    json_: bool,
) -> None:
    """List rules that no scenario covers.

    Lists the numbered rules in seeds/ that no code cites (in lines that begin with `#:`), and the numbered rules that
    no passing scenario cites (`rule:`). --pairs lists pairs of traits that no scenario combines. --rules lists the
    rule lines that no scenario runs. --branches also lists conditions with only one outcome.
    """
    ran = rules_ or branches_
    if pairs_ and ran:
        raise click.UsageError("--pairs cannot be combined with --rules or --branches")
    if not pairs_ and (replays or skeletons is not None):
        raise click.UsageError("--replays and --skeletons need --pairs")
    if not ran and (all_ or page is not None):
        raise click.UsageError("--all and --html need --rules or --branches")
    if games and not (pairs_ or ran):
        raise click.UsageError("--games needs --pairs, --rules or --branches")
    if ran:
        _branch_coverage(game, mods, mode, games, page, both=branches_, whole=all_, json_=json_)
        return
    if pairs_:
        _pair_coverage(game, mods, mode, games, replays, skeletons, json_=json_)
        return
    from rulelang.testing.scenarios.citations import coverage_lines
    from rulelang.testing.scenarios.citations import measure_rule_coverage as measure

    report = measure(game, mods, mode)
    missing = not report.rules and found_nothing(report.mistakes) and bool(report.mistakes)
    if json_:
        say_json(_coverage_data(report))
    else:
        show_frames(report.mistakes, report.sources)
        for line in () if missing else coverage_lines(report):
            say(line)
        failed = [outcome.scenario.id for outcome in report.outcomes if not outcome.passed]
        if failed:
            over = "".join(f" --mod {mod}" for mod in mods) + (f" --mode {mode}" if mode else "")
            say(f"failing scenarios do not count as coverage; see `rulelang test {game}{over}`")
    ctx.exit(FAILED if missing else FINE if report.ok else MISTAKES)


def _pair_coverage(
    game: str, mods: tuple[str, ...], mode: str | None, games: int, replays: tuple[Path, ...], file: Path | None, *,
    json_: bool,
) -> None:  # fmt: skip
    """Which traits have met."""
    from rulelang.apps.fuzzing import pairs as meeting
    from rulelang.runtime.state import SaveError
    from rulelang.testing.replay import Diverged

    if file is not None and (why := why_unwritable(file)):
        raise click.UsageError(f"cannot write {file}: {why}")
    try:
        report = meeting.measure_pairs(game, mods, mode, games, replays=replays)
    except Diverged as parted:
        raise CannotRun(f"a recorded game now plays out differently: {parted}") from None
    except SaveError as error:
        raise CannotRun(str(error)) from None
    if json_:
        say_json(report.as_json())
    else:
        for line in meeting.pair_lines(report):
            say(line)
    if file is not None:
        write_atomically(file, "".join(meeting.scenario_skeletons(game, report.untested)).encode())
        say(f"started {counted(len(report.untested), 'scenario')} in {file}")


def _branch_coverage(
    game: str, mods: tuple[str, ...], mode: str | None, games: int, page: Path | None, *, both: bool, whole: bool,
    json_: bool,
) -> None:  # fmt: skip
    """What of the rules ran."""
    from rulelang.base.errors import RuleError
    from rulelang.testing.coverage import coverage_html, coverage_listing, measure_branches

    if page is not None and (why := why_unwritable(page)):
        raise click.UsageError(f"cannot write {page}: {why}")
    try:
        report = measure_branches(game, mods, mode, games)
    except RuleError as error:
        raise CannotRun(f"a game failed: {error}; see `rulelang fuzz {game}`") from None
    if json_:
        say_json(report.as_json())
    else:
        for line in coverage_listing(report, terminal_columns(), both=both, whole=whole):
            say(line)
    if page is not None:
        write_atomically(page, coverage_html(report).encode())
        if not json_:
            say(f"written: {page}")


def _coverage_data(report: CoverageReport) -> dict[str, Any]:
    from rulelang.tools.reports import diagnostic_data

    return {
        "ruleset": report.given[0],
        "mods": list(report.given[1:]),
        "enforced": report.enforced,
        "uncoded": [rule.id for rule in report.uncoded],
        "untested": [rule.id for rule in report.untested],
        "rules": {
            rule.id: {
                "document": rule.document,
                "enforced": rule.enforced,
                "code": [str(span) for span in report.code.get(rule.id, ())],
                "scenarios": list(report.scenarios.get(rule.id, ())),
            }
            for rule in report.rules.values()
        },
        "diagnostics": [diagnostic_data(item) for item in report.mistakes],
    }


# ---- `fuzz`


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@takes_mode("all modes in turn")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play N games. (default: as many as fit into --minutes)",
)
@click.option(
    "--minutes",
    "-m",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Stop after N minutes, and finish the games in progress. (default: 2, without --games)",
)
@takes_jobs()
@takes_seed()
@click.option(
    "--backend", type=click.Choice(BACKENDS), default="python", show_default=True, help="Play on this backend."
)
@click.option(
    "--against",
    type=click.Choice(["none", *BACKENDS]),
    help="Play some games on this backend in parallel, and compare each step.",
)
@click.option("--inside", is_flag=True, help="Run whole games inside the compiled rules, which is much faster.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Record progress in this file, and continue from it next time.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("findings"),
    show_default=True,
    metavar="FOLDER",
    help="Write findings to this folder.",
)
@takes_quiet("Hide progress.")
@click.pass_context
def fuzz(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    games: int | None,
    minutes: float | None,
    jobs: int,
    seed: int,
    backend: str,
    against: str | None,
    inside: bool,
    resume: Path | None,
    out: Path,
    quiet: bool,
) -> None:
    """Find bugs by playing random games.

    Chooses players, options, modes and MODS at random, and checks invariants after every move: card locations,
    counts, links, bounds, your own invariants and the options. After some moves, it also saves and restores the game,
    compares views and texts, and compares the result with another backend. It reduces each failure to a minimal
    replay and scenario.
    """
    from rulelang.apps.fuzzing.parallel_search import OtherSearch
    from rulelang.apps.fuzzing.parallel_search import fuzz as search
    from rulelang.apps.fuzzing.playing import Player
    from rulelang.apps.fuzzing.shrinking import free_number, keep_finding

    if games is None and minutes is None:  # games of a large ruleset take some seconds each
        minutes = 2.0
    other = "" if against in (None, "none", backend) else str(against)
    try:
        with progress_bar(games, quiet) as told:
            found = search(
                game, mods, mode, games, seconds=minutes * 60 if minutes else None, jobs=jobs, seed=seed,
                backend=backend, other=other, inside=inside, kept=resume, progress=told,
            )  # fmt: skip
    except (OtherSearch, OSError) as problem:
        raise CannotRun(str(problem)) from None
    player = Player(game, mods, mode, backend, other)
    for line in _found_text(found, player, inside=inside):
        say(line)
    for place, finding in enumerate(found.findings, free_number(out)):
        say()
        _say_progress(f"{finding.kind}: {finding.what}")
        files, small = keep_finding(out, place, finding, player.game(finding.setting), other)
        if small is not None:
            _say_progress(
                f"minimized: {small.after} of {small.before} parts, {counted(len(small.scenario.steps), 'move')}"
            )
        _say_progress(f"written: {', '.join(map(str, files))}")
    ctx.exit(MISTAKES if found.findings else FINE)


def _found_text(found: SearchResult, player: Player, *, inside: bool) -> list[str]:
    counts = found.counts
    speed = counts.games / found.seconds if found.seconds else 0.0
    title = player.game(player.whole).title
    lines = [
        f"{title}: {_amount(counts.games, 'game')}, {_amount(counts.decisions, 'decision')}, {found.seconds:.0f} s, "
        f"{speed:,.1f} games/s"
    ]
    if inside:
        if counts.proved:
            lines.append(
                "checked at every decision: invariants, bounds of values, places of cards, lines, chains, addresses; "
                f"resumed {counts.remade:,} times from the state alone; "
                f"{_amount(counts.forms, 'game')} also played without stopping"
            )
        else:
            lines.append("checked invariants at every decision, and everything else at the end of each game")
        lines.append(f"{_amount(counts.deep, 'decision')} tested in depth: saving, restoring, observations, log")
        if counts.both:
            lines.append(f"{_amount(counts.both, 'game')} played on two backends, with the same result")
    else:
        lines.append(f"every decision tested, {counts.deep:,} of them in depth: saving, restoring, observations, log")
        if counts.both:
            lines.append(f"{_amount(counts.both, 'game')} played on two backends in step")
        lines.append(
            f"{counted(len(found.rules), 'rule')} ran, {counted(len(found.pairs), 'ordered pair')} of traits met"
        )
    lines.append(f"{counted(len(found.findings), 'finding')}" if found.findings else "no findings")
    return [part for line in lines for part in wrap_text(line, terminal_columns(), "", "    ")]


def _amount(number: int, what: str) -> str:
    """As `counted`, but such large numbers are read in threes."""
    return f"{number:,} {what if number == 1 else what + 's'}"


def _say_progress(text: str) -> None:
    for line in wrap_text(text, terminal_columns(), "", "    "):
        say(line)

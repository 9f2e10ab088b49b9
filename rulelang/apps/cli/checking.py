"""Look for mistakes in files: `rulelang check`, `lint` and `fmt`, and `--watch`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter, strftime, time_ns
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import (
    Command,
    ReportOutput,
    files_in_rulesets,
    is_ruleset,
    ruleset_folders,
    takes_each,
    takes_mode,
    takes_mods,
    takes_quiet,
    takes_report,
    version,
)
from rulelang.apps.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    CannotRun,
    counted,
    found_nothing,
    is_not_installed,
    say,
    show_frames,
    tally,
    terminal_columns,
)
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.base.diagnostics import Diagnostic
    from rulelang.compiler.compilation import Compilation
    from rulelang.data.folders import Trail
    from rulelang.data.ruleset_source import RulesetSource
    from rulelang.data.yaml_nodes import YamlMap
    from rulelang.language.semantics.model import Model
    from rulelang.tools.lint.run import LintResult
    from rulelang.tools.reports import Report, Subject


# ---- The parts of a ruleset, counted


def count_parts(source: RulesetSource, model: Model, memo: NullCache = NULL_CACHE) -> dict[str, int]:
    """By what it is (singular): traits, cards with all their copies, scenarios. `memo`: of whoever has read these."""
    from rulelang.testing.scenarios.scenario import read_scenarios

    return {
        "trait": len(model.traits),
        "card": sum(row.copies for sort in model.sorts.values() for row in sort.rows),
        "scenario": len(read_scenarios(source, memo)[0]),
    }


def all_scenarios(source: RulesetSource) -> Iterator[YamlMap]:
    """All scenarios, those of traits first; only their data, whatever it is worth."""
    from rulelang.data.yaml_nodes import YamlMap
    from rulelang.data.yaml_reader import read_yaml_text

    for trait in source.traits:
        yield from _scenario_maps(trait.node.get("scenarios"))
    for file in source.scenario_files:
        root = read_yaml_text(file.text, file.path, Diagnostics(), file.layer).root
        yield from _scenario_maps(root.get("scenarios") if isinstance(root, YamlMap) else root)


def as_word_list(node: object) -> tuple[str, ...]:
    """A word or a list of words."""
    from rulelang.data.yaml_nodes import YamlScalar, YamlSeq

    if isinstance(node, YamlScalar):
        return (node.text,)
    return tuple(item.text for item in node if isinstance(item, YamlScalar)) if isinstance(node, YamlSeq) else ()


def _scenario_maps(node: object) -> Iterator[YamlMap]:
    from rulelang.data.yaml_nodes import YamlMap, YamlSeq

    if isinstance(node, YamlSeq):
        yield from (item for item in node if isinstance(item, YamlMap))


# ---- Mistakes outside the rules


@record
class OtherFindings:
    """`sources` are the texts of the mistakes; `trail`: all that was asked of the file system, with the answers."""

    counts: Mapping[str, int]
    mistakes: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    trail: Trail


def other_findings(compilation: Compilation) -> OtherFindings:
    """Return it from the disk if no byte has changed that it depends on."""
    from rulelang.base import disk_cache
    from rulelang.base.disk_cache import digest, program_hash
    from rulelang.base.limits import garbage_collection_paused
    from rulelang.data.folders import record_trail, still_holds

    key = digest(
        "beyond",
        program_hash(),
        compilation.where,
        compilation.mods,
        compilation.mode,
        compilation.checked.fingerprint,
    )
    known = disk_cache.load("beyond", key)
    if isinstance(known, OtherFindings) and still_holds(known.trail):
        return known
    with garbage_collection_paused(), record_trail() as trail:
        fresh = _find_others(compilation)
    fresh = replace(fresh, trail=dict(trail))
    disk_cache.store("beyond", key, fresh)
    return fresh


def _find_others(compilation: Compilation) -> OtherFindings:
    from rulelang.data.folders import path_kind, real_path, seeds_of

    counts = count_parts(compilation.source, compilation.model, compilation.memo)
    homes = [Path(real_path(root)) for root in compilation.checked.roots]
    seeds = any(path_kind(str(folder)) == "folder" for folder in seeds_of(homes))
    mistakes, sources = _unused_translations(compilation)
    if not (counts["scenario"] or compilation.source.scenario_files or seeds):
        return OtherFindings(counts, mistakes, sources, {})
    # Imported late: it takes longer than to check a small ruleset.
    from rulelang.testing.scenarios.checking import check_scenarios

    found = check_scenarios(compilation)
    return OtherFindings(counts, (*mistakes, *found.diagnostics), {**sources, **found.sources}, {})


def _unused_translations(compilation: Compilation) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
    """Report entries of catalogs that no text uses (N401), for the usual mode of a game whose rules compile."""
    from rulelang.data.catalogues import catalogue_languages

    checked = compilation.checked
    if checked.sound is None or compilation.mode is not None or not catalogue_languages(checked.roots[-1:]):
        return (), {}
    from rulelang.tools.i18n import check_unused_entries, existing_works

    works = list(existing_works(compilation))
    mistakes = tuple(item for one in works for item in check_unused_entries(one))
    return mistakes, {path: text for one in works for path, text in one.sources.items()}


# ---- `--watch`

#: Milliseconds: several files that are saved within it are one save; how long is waited for the next one.
SAVE_DEBOUNCE, WATCH_STEP = 200, 15
#: How often is looked whether somebody wants to stop; the watch has begun after so long.
WATCH_TIMEOUT = 100

#: Does the work once, with the paths that have changed (none at first), and gives the folders and zips to watch.
WatchedWork = Callable[[Collection[Path]], Sequence[str]]


def takes_watch() -> Callable[[Command], Command]:
    """A command that has the option `--watch`, as its parameter `watching`."""
    return click.option("--watch", "watching", is_flag=True, help="Run again after each save, until Ctrl-C.")


def repeat_on_save(work: WatchedWork) -> None:
    """Do the work, and again after each save below what it names. Ctrl-C ends it, quietly."""
    try:
        from watchfiles import watch
    except ImportError as problem:
        if not is_not_installed(problem, "watchfiles"):
            raise
        raise CannotRun("--watch needs watchfiles; install it with: pip install 'rulelang[editor]'") from None
    try:
        began = time_ns()
        roots = _run_once(work, set())
        while True:
            below = [root for root in dict.fromkeys(roots) if os.path.exists(root)]
            early = True
            for found in watch(
                *below, debounce=SAVE_DEBOUNCE, step=WATCH_STEP, rust_timeout=WATCH_TIMEOUT, yield_on_timeout=True
            ):
                # What was saved before the watch had begun is no event.
                changed = {Path(path).resolve() for _, path in found} | (_saved_files(below, began) if early else set())
                early = False
                if changed:
                    began = time_ns()
                    again = _run_once(work, changed)
                    if set(again) - set(roots):
                        roots = again
                        break
    except KeyboardInterrupt:
        say()


def check_on_save(games: Sequence[tuple[str, tuple[str, ...]]], mode: str | None) -> None:
    """Check games with their mods after each save: the rules at once, then the scenarios."""
    from rulelang.base.diagnostics import Diagnostics, fold_repeated
    from rulelang.data.ruleset import read_affected_texts
    from rulelang.tools.incremental import Incremental

    kept = [(name, Incremental(name, mods, mode)) for name, mods in games]

    def work(changed: Collection[Path]) -> list[str]:
        roots: list[str] = []
        for name, one in kept:
            began = perf_counter()
            checked = one.check()
            found = Diagnostics(list(checked.diagnostics))
            sources = checked.sources
            say(f"{name}: rules and data: {tally(found)} ({perf_counter() - began:.2f} s)")
            if checked.roots and not found.failed:
                rest = one.scenarios()
                found.extend(rest.diagnostics)
                sources = {**sources, **rest.sources}
                counts = count_parts(one.compilation.source, one.compilation.model)
                parts = [counted(number, what) for what, number in counts.items() if number]
                say(f"{name}: {', '.join(parts)}: {tally(found)} ({perf_counter() - began:.2f} s)")
            if len(found):
                say()
                show_frames(fold_repeated(found.sorted()), sources or read_affected_texts(found))
            if not changed and not checked.roots and found_nothing(found):
                raise click.exceptions.Exit(FAILED)  # there is nothing to wait for
            roots += checked.roots or (os.path.abspath(name),)
        return roots

    repeat_on_save(work)


def _run_once(work: WatchedWork, changed: Collection[Path]) -> Sequence[str]:
    """The work, on a clean screen, or below a line where there is none."""
    if sys.stdout.isatty():
        click.clear()
    elif changed:
        say("-" * min(terminal_columns(), 80))
    roots = work(changed)
    say(f"{strftime('%H:%M:%S')}, watching for changes. Press Ctrl-C to stop.", dim=True)
    sys.stdout.flush()
    return roots


def _saved_files(roots: Sequence[str], since: int) -> set[Path]:
    """The files below some folders that were written since a time (nanoseconds)."""
    found = set()
    for root in roots:
        for here, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(here, name) for name in names):
                if path.exists() and path.stat().st_mtime_ns >= since:
                    found.add(path.resolve())
    return found


# ---- `check`


@record
class CheckResult:
    """What came of one game. `missing`: there was nothing that could be looked at."""

    game: str
    mods: tuple[str, ...]
    counts: Mapping[str, int]
    found: Sequence[Diagnostic]
    sources: Mapping[str, str]
    missing: bool
    failed: bool


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods(apart=True)
@takes_mode()
@takes_each()
@takes_watch()
@takes_quiet()
@takes_report(json_too=True)
@click.pass_context
def check(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    laid: tuple[str, ...],
    mode: str | None,
    each: bool,
    watching: bool,
    quiet: bool,
    wanted: ReportOutput,
) -> None:
    """Report errors in a game or mod.

    Checks the GAME, its MODS and its scenarios, and reports each error with its line. You can check several games in
    one run. Name each game's mods after it: `rulelang check evolution thick_fur pebbles`.
    """
    from time import perf_counter

    if watching:
        if each or wanted.format != "text":
            raise click.UsageError("--watch cannot be combined with --each, --format or --output")
        check_on_save([(name, (*own, *laid)) for name, own in _games_with_mods((game, *mods))], mode)
        ctx.exit(FINE)
    began = perf_counter()
    looked: list[CheckResult] = []
    told: set[Diagnostic] = set()
    words = (game, *mods)
    subjects = [(word, ()) for word in ruleset_folders(words)] if each else _games_with_mods(words)
    for name, own in subjects:
        one = check_game(name, (*own, *laid), mode)
        looked.append(one)
        if wanted.text:
            # What is wrong with a game is wrong under a mod of it too, and told once.
            show_frames([item for item in one.found if item not in told], one.sources)
            told.update(one.found)
            if not one.missing and not quiet:
                parts = [counted(number, name) for name, number in one.counts.items() if number]
                said = " ".join((name, *own)) if len(subjects) > 1 else name
                say(f"{said}: {', '.join(parts)}{': ' if parts else ''}{tally(one.found)}")

    def report() -> Report:
        from rulelang.tools.reports import Report

        return Report("check", version(), tuple(checked_subject(one, mode) for one in looked), perf_counter() - began)

    wanted.write(report)
    missing = any(one.missing for one in looked)
    ctx.exit(FAILED if missing else MISTAKES if any(one.failed for one in looked) else FINE)


def check_game(game: str, mods: tuple[str, ...], mode: str | None) -> CheckResult:
    """All that is wrong with a game and its scenarios."""
    from rulelang.base.diagnostics import fold_repeated
    from rulelang.base.memo import Memo
    from rulelang.compiler.compilation import Compilation

    compilation = Compilation(game, mods, mode, Memo(again=False))
    checked = compilation.checked
    diagnostics = compilation.diagnostics
    counts: Mapping[str, int] = {}
    sources = checked.sources
    if checked.roots:  # without them nothing could be read, so there is nothing to count either
        more = other_findings(compilation)
        counts, sources = more.counts, {**sources, **more.sources}
        diagnostics.extend(more.mistakes)
    found = fold_repeated(diagnostics.sorted())
    missing = not checked.roots and found_nothing(found)
    return CheckResult(game, mods, counts, found, sources or _source_texts(diagnostics), missing, diagnostics.failed)


def checked_subject(one: CheckResult, mode: str | None) -> Subject:
    """The same for a report."""
    from rulelang.tools.reports import Subject

    return Subject(one.game, one.mods, mode, one.counts, tuple(one.found))


def _games_with_mods(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Games, each with the mods behind it. The first word may be a mod itself, which brings its game along."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for word in words:
        if not found or is_ruleset(word):
            found.append((word, ()))
        else:
            game, mods = found[-1]
            found[-1] = (game, (*mods, word))
    return found


def _source_texts(diagnostics: Diagnostics) -> Mapping[str, str]:
    """The texts that nothing has read yet. A sound ruleset needs none, and the import takes time."""
    if not len(diagnostics):
        return {}
    from rulelang.data.ruleset import read_affected_texts

    return read_affected_texts(diagnostics)


# ---- `lint`


def _list_rules(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from rulelang.tools.lint.run import RULES

    for rule in RULES:
        say(f"{rule.code}  {rule.name:22} {rule.page.title}{' (--deep)' if rule.deep else ''}")
    say(f"\n{len(RULES)} rules. `rulelang explain CODE` explains one.")
    ctx.exit(FINE)


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods()
@takes_mode()
@click.option(
    "--select", "-s", multiple=True, metavar="RULE", help="Check only this rule, by name or code. Repeatable."
)
@click.option("--ignore", "-i", multiple=True, metavar="RULE", help="Skip this rule, by name or code. Repeatable.")
@click.option("--deep", is_flag=True, help="Also run checks that play games. They take a minute or more.")
@click.option("--fix", is_flag=True, help="Make all fixes that do not change what the rules mean.")
@click.option("--rules", is_flag=True, is_eager=True, expose_value=False, callback=_list_rules, help="List the rules.")
@takes_quiet()
@takes_report(json_too=True)
@click.pass_context
def lint(
    ctx: click.Context,
    game: str,
    mods: tuple[str, ...],
    mode: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    deep: bool,
    fix: bool,
    quiet: bool,
    wanted: ReportOutput,
) -> None:
    """Report likely mistakes.

    Lint reports code that `rulelang check` accepts but that is probably wrong. To silence a warning, write `# lint:
    allow NAME` on the same line or on the line above. Lint covers only the first argument: the game without its MODS,
    or a mod without its game.
    """
    from time import perf_counter

    from rulelang.tools.lint.run import PAGES, apply_fixes, unknown_names
    from rulelang.tools.lint.run import lint as look

    for name, near in unknown_names((*select, *ignore)):
        raise CannotRun(f"there is no rule `{name}`: {near or '`rulelang lint --rules` lists them'}")
    began = perf_counter()
    found = look(game, mods, mode, select=select, ignore=ignore, deep=deep)
    mended = 0
    if fix and found.advice:
        fixes = [item.fix for item in found.advice if item.fix is not None]
        for path, text in apply_fixes(fixes, found.sources).items():
            Path(path).write_text(text, encoding="utf-8")
            say(f"changed {path}")
        if fixes:
            found = look(game, mods, mode, select=select, ignore=ignore, deep=deep)
            mended = len(fixes)
    if wanted.text:
        _print_lint(found, game, quiet, mended)

    def report() -> Report:
        from rulelang.tools.reports import Report, Subject

        items = found.mistakes or tuple(item.diagnostic for item in found.advice)
        return Report("lint", version(), (Subject(game, mods, mode, {}, items),), perf_counter() - began, PAGES)

    wanted.write(report)
    if found.mistakes:
        ctx.exit(FAILED if found_nothing(found.mistakes) else MISTAKES)
    ctx.exit(MISTAKES if found.advice else FINE)


def _print_lint(found: LintResult, game: str, quiet: bool, mended: int) -> None:
    from rulelang.base.diagnostics import fold_repeated

    if found.mistakes:
        show_frames(found.mistakes, found.sources)
        if not found_nothing(found.mistakes):
            say(f"{game}: fix these errors first; lint needs a ruleset that `rulelang check` accepts")
        return
    show_frames(fold_repeated([item.diagnostic for item in found.advice]), found.sources)
    if quiet:
        return
    fixable = sum(item.fix is not None for item in found.advice)
    parts = [counted(len(found.advice), "warning") if found.advice else "no warnings"]
    parts += [f"{mended} fixed"] if mended else []
    parts += [f"--fix can fix {fixable}"] if fixable else []
    say(f"{game}: {', '.join(parts)}")


# ---- `fmt`

SUFFIXES = (".rules", ".yaml", ".yml")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@takes_mods(behind=False, locked=False, text="Format the files of this mod, too.")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit with 1 if a file would change.")
@click.option("--each", is_flag=True, help="Skip files that belong to no ruleset or mod.")
@takes_quiet()
@click.pass_context
def fmt(
    ctx: click.Context, paths: tuple[Path, ...], mods: tuple[str, ...], only_check: bool, each: bool, quiet: bool
) -> None:
    """Format .rules and YAML files.

    PATHS are files and folders. The command preserves order, comments, anchors and aligned columns.
    """
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.base.source import Placement
    from rulelang.data.folders import Unreadable, read_file
    from rulelang.data.text import decode
    from rulelang.data.yaml_format import format_yaml
    from rulelang.data.yaml_reader import read_yaml_text
    from rulelang.language.syntax.format import format_text
    from rulelang.language.syntax.parse import parse

    for mod in mods:
        if not Path(mod).exists():
            raise CannotRun(f"`{mod}` does not exist; give the folder of a mod")
    files = _files_to_format((*(files_in_rulesets(paths) if each else paths), *map(Path, mods)))
    found = Diagnostics()
    texts: dict[str, str] = {}
    changed = 0
    for file in files:
        try:
            data = read_file(file)
        except Unreadable as problem:
            raise CannotRun(f"`{file}` cannot be read: {problem}") from None
        text = decode(data, str(file), found)
        if text is None:
            continue
        texts[str(file)] = text
        mistakes = Diagnostics()
        if file.suffix == ".rules":
            mistakes.extend(parse(text, Placement(str(file)))[1])
        else:
            read_yaml_text(text, str(file), mistakes)
        found.extend(mistakes)
        if mistakes.failed:
            continue
        tidy = format_text(text) if file.suffix == ".rules" else format_yaml(text, format_text)
        if tidy.encode() == data:
            continue
        changed += 1
        if not quiet:
            say(f"{'would change' if only_check else 'changed'} {file}")
        if not only_check:
            file.write_bytes(tidy.encode())
    show_frames(found.sorted(), texts)
    done = f"{counted(changed, 'file')} {'would change' if only_check else 'changed'}, {len(files) - changed} unchanged"
    if not quiet:
        say(f"{done}; {tally(found)}" if len(found) else done)
    ctx.exit(MISTAKES if found.failed or (only_check and changed) else FINE)


def _files_to_format(paths: tuple[Path, ...]) -> list[Path]:
    """The files named, and all .rules and YAML files in the folders named, each once. Hidden ones are left alone."""
    files: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            below = (file for ending in SUFFIXES for file in path.rglob(f"*{ending}"))
            files |= dict.fromkeys(
                sorted(f for f in below if f.is_file() and not any(p[0] == "." for p in f.relative_to(path).parts))
            )
        elif path.suffix in SUFFIXES:
            files[path] = None
        else:
            raise CannotRun(f"`{path}` is not a .rules or YAML file; `fmt` formats only such files and folders of them")
    return list(files)

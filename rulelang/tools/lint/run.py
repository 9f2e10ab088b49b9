"""Run the linter: the table of all rules, `# lint: allow` comments, and fixes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulelang.base.codes import Page
from rulelang.base.diagnostics import SHOWN, Diagnostic, Diagnostics, Related
from rulelang.base.files import read_if_possible
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean
from rulelang.compiler.compilation import Compilation
from rulelang.tools.lint.rule import Advice, Finding, Fix, Rule, Subject, advice_for
from rulelang.tools.lint.rules import conditions, hooks, mixups, order, scenarios, secrets, unused

# ---- all rules

RULES: tuple[Rule, ...] = (
    unused.USELESS_ALLOW,
    unused.UNUSED_VALUE,
    unused.UNUSED_ROUTINE,
    unused.UNUSED_NUMBER,
    unused.UNUSED_OPTION,
    unused.UNUSED_LOCAL,
    unused.STATE_NEVER_READ,
    unused.STATE_NEVER_WRITTEN,
    unused.UNUSED_COLUMN,
    unused.UNUSED_ZONE,
    unused.UNUSED_LIST,
    scenarios.UNCITED_RULE,
    conditions.CONSTANT_CONDITION,
    hooks.MODIFY_WITHOUT_EFFECT,
    hooks.HOOK_OF_EVERYBODY,
    mixups.TEXT_AND_NUMBER,
    order.TOLD_TOO_EARLY,
    scenarios.SCENARIO_WITHOUT_RULE,
    scenarios.IDLE_SCENARIO,
    scenarios.MISSING_REFUSAL,
    scenarios.TRAIT_WITHOUT_SCENARIO,
    mixups.NEAR_DUPLICATE,
    mixups.SIMILAR_NAMES,
    conditions.COMPARED_WITH_TRUTH,
    conditions.DOUBLE_NEGATION,
    conditions.SAME_TWICE,
    conditions.SAME_BRANCHES,
    hooks.IDLE_ASSIGNMENT,
    hooks.MISSING_REASON,
    hooks.HOOK_WITHOUT_EFFECT,
    mixups.SWAPPED_ARGUMENTS,
    secrets.SECRET_TOLD,
    order.SKIPPED_BY_PASS,
    scenarios.EMPTY_SCENARIO,
    conditions.RANGE_TOO_WIDE,
    order.READ_THROUGH_GONE,
    order.READ_AFTER_RESET,
)

#: Their pages by code, as `rulelang explain` shows them.
PAGES: Mapping[str, Page] = {rule.code: rule.page for rule in RULES}


# ---- running rules and applying fixes

_ALLOW = re.compile(r"#.*?\blint:\s*allow\s+([\w\-, ]+)")


@dataclass(frozen=True, slots=True)
class LintResult:
    """What came of it. `mistakes`: the ruleset has some, so nothing was looked for; `sources`: all texts."""

    advice: tuple[Advice, ...]
    mistakes: tuple[Diagnostic, ...]
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AllowComment:
    """A remark that allows a rule on its line; alone on a line, on the next one that is no remark."""

    name: str
    span: Span
    lines: frozenset[int]


def lint(
    where: str | Path,
    mods: Sequence[str | Path] = (),
    mode: str | None = None,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    deep: bool = False,
) -> LintResult:
    """The advice on a ruleset or mod, by file and line. `select` and `ignore` are names or codes of rules."""
    return lint_compilation(Compilation(where, mods, mode), select=select, ignore=ignore, deep=deep)


def lint_compilation(
    compilation: Compilation, *, select: Collection[str] = (), ignore: Collection[str] = (), deep: bool = False
) -> LintResult:
    """The same of what is compiled already."""
    if compilation.diagnostics.failed or compilation.read[0] is None:
        return LintResult((), tuple(compilation.diagnostics.sorted()), compilation.checked.sources)
    subject = Subject(compilation)
    rules = chosen_rules(select, ignore, deep=deep)
    sources = {**compilation.source.sources}
    sources |= {file.path: file.text for file in compilation.source.scenario_files}
    sources |= {
        path: read_if_possible(Path(path)) or "" for path in {rule.span.path for rule in subject.numbered.values()}
    }
    allowed = [item for path, text in sources.items() for item in _allow_comments(path, text)]
    used: set[AllowComment] = set()
    kept: list[Advice] = []
    for rule in rules:
        told: list[Finding] = []
        for found in rule.find(subject):
            by = [item for item in allowed if _is_allowed(rule, found, item)]
            used.update(by)
            if not by:
                told.append(found)
        kept.extend(advice_for(rule, found) for found in _merge_by_cause(told))
    if unused.USELESS_ALLOW in rules and not select:
        kept.extend(_useless_comments(subject, allowed, used, rules))
    unique = {item.diagnostic: item for item in kept}
    order = {item: place for place, item in enumerate(Diagnostics(list(unique)).sorted())}
    return LintResult(tuple(sorted(unique.values(), key=lambda item: order[item.diagnostic])), (), sources)


def _merge_by_cause(told: Iterable[Finding]) -> Iterable[Finding]:
    """Of what has one cause the first, with the places of the others."""
    groups: dict[object, list[Finding]] = {}
    for found in told:
        groups.setdefault(object() if found.cause is None else found.cause, []).append(found)
    for first, *others in groups.values():
        more = tuple(Related(other.span, other.message) for other in others[:SHOWN])
        unsaid = len(others) - len(more)
        because = f"{first.because}; {unsaid} more places have the same cause" if unsaid else first.because
        yield replace(first, because=because, related=(*first.related, *more)) if others else first


def chosen_rules(select: Collection[str], ignore: Collection[str], *, deep: bool) -> list[Rule]:
    """The rules to run: those selected, or all that are not deep, without those ignored."""

    def named(rule: Rule, names: Collection[str]) -> bool:
        return rule.name in names or rule.code in names

    picked = [rule for rule in RULES if (named(rule, select) if select else deep or not rule.deep)]
    return [rule for rule in picked if not named(rule, ignore)]


def unknown_names(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names that are no rule's, each with the nearest."""
    known = [word for rule in RULES for word in (rule.name, rule.code)]
    return [(name, did_you_mean(name, known)) for name in names if name not in known]


def _allow_comments(path: str, text: str) -> Iterable[AllowComment]:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        match = _ALLOW.search(line)
        if match is None:
            continue
        below = number + 1
        if line.lstrip().startswith("#"):  # the next line that says something
            while below <= len(lines) and lines[below - 1].lstrip().startswith("#"):
                below += 1
        for word in re.finditer(r"[\w-]+", match[1]):
            start = match.start(1) + word.start() + 1
            yield AllowComment(
                word[0], Span(path, number, start, number, start + len(word[0])), frozenset((number, below))
            )


def _is_allowed(rule: Rule, found: Finding, item: AllowComment) -> bool:
    here = item.span.path == found.span.path and found.span.line in item.lines
    return here and item.name in (rule.name, rule.code)


def _useless_comments(
    subject: Subject, allowed: Iterable[AllowComment], used: Collection[AllowComment], rules: Collection[Rule]
) -> Iterable[Advice]:
    ran = {word for rule in rules for word in (rule.name, rule.code)}
    known = {word for rule in RULES for word in (rule.name, rule.code)}
    for item in allowed:
        if item in used or not subject.owns(item.span):
            continue
        if item.name not in known:
            hint = did_you_mean(item.name, known) or "`rulelang lint --rules` lists the rules"
            yield advice_for(unused.USELESS_ALLOW, Finding(item.span, f"there is no rule `{item.name}`", "", hint))
        elif item.name in ran:
            message = f"the rule `{item.name}` finds nothing here"
            yield advice_for(unused.USELESS_ALLOW, Finding(item.span, message, "", "delete the comment"))


def apply_fixes(fixes: Iterable[Fix], sources: Mapping[str, str]) -> dict[str, str]:
    """The files that change, with their new texts. Of fixes that overlap the first is taken."""
    edits: dict[str, list[tuple[Span, str]]] = {}
    for fix in fixes:
        if not any(_spans_overlap(span, other) for span, _ in fix.edits for other, _ in edits.get(span.path, ())):
            for span, text in fix.edits:
                edits.setdefault(span.path, []).append((span, text))
    changed = {}
    for path, parts in edits.items():
        lines = sources[path].split("\n")
        for span, text in sorted(parts, reverse=True):
            line = lines[span.line - 1]
            lines[span.line - 1] = line[: span.column - 1] + text + line[span.end_column - 1 :]
        changed[path] = "\n".join(lines)
    return changed


def _spans_overlap(a: Span, b: Span) -> bool:
    return a.path == b.path and a.line == b.line and a.column < b.end_column and b.column < a.end_column

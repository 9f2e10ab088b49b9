"""Runs rules of the linter over a ruleset, leaves out what is allowed there, and mends what can be mended."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulelang.base.diagnostics import SHOWN, Diagnostic, Diagnostics, Related
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean
from rulelang.compiler.compilation import Compilation
from rulelang.tools.lint.records import Advice, Fix, Found, Rule, advice
from rulelang.tools.lint.registry import RULES
from rulelang.tools.lint.rules import useless_allow
from rulelang.tools.lint.subject import Subject

_ALLOW = re.compile(r"#.*?\blint:\s*allow\s+([\w\-, ]+)")


@dataclass(frozen=True, slots=True)
class Linted:
    """What came of it. `mistakes`: the ruleset has some, so nothing was looked for; `sources`: all texts."""

    advice: tuple[Advice, ...]
    mistakes: tuple[Diagnostic, ...]
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Allowed:
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
) -> Linted:
    """The advice on a ruleset or mod, by file and line. `select` and `ignore` are names or codes of rules."""
    return linted(Compilation(where, mods, mode), select=select, ignore=ignore, deep=deep)


def linted(
    compilation: Compilation, *, select: Collection[str] = (), ignore: Collection[str] = (), deep: bool = False
) -> Linted:
    """The same of what is compiled already."""
    if compilation.diagnostics.failed or compilation.read[0] is None:
        return Linted((), tuple(compilation.diagnostics.sorted()), compilation.checked.sources)
    subject = Subject(compilation)
    rules = chosen(select, ignore, deep=deep)
    sources = {**compilation.source.sources}
    sources |= {file.path: file.text for file in compilation.source.scenario_files}
    sources |= {path: _read(path) for path in {rule.span.path for rule in subject.numbered.values()}}
    allowed = [item for path, text in sources.items() for item in _allowed(path, text)]
    used: set[Allowed] = set()
    kept: list[Advice] = []
    for rule in rules:
        told: list[Found] = []
        for found in rule.find(subject):
            by = [item for item in allowed if _is_allowed(rule, found, item)]
            used.update(by)
            if not by:
                told.append(found)
        kept.extend(advice(rule, found) for found in _by_cause(told))
    if useless_allow.RULE in rules and not select:
        kept.extend(_useless(subject, allowed, used, rules))
    unique = {item.diagnostic: item for item in kept}
    order = {item: place for place, item in enumerate(Diagnostics(list(unique)).sorted())}
    return Linted(tuple(sorted(unique.values(), key=lambda item: order[item.diagnostic])), (), sources)


def _by_cause(told: Iterable[Found]) -> Iterable[Found]:
    """Of what has one cause the first, with the places of the others."""
    groups: dict[object, list[Found]] = {}
    for found in told:
        groups.setdefault(object() if found.cause is None else found.cause, []).append(found)
    for first, *others in groups.values():
        more = tuple(Related(other.span, other.message) for other in others[:SHOWN])
        unsaid = len(others) - len(more)
        because = f"{first.because}; {unsaid} more places have the same cause" if unsaid else first.because
        yield replace(first, because=because, related=(*first.related, *more)) if others else first


def chosen(select: Collection[str], ignore: Collection[str], *, deep: bool) -> list[Rule]:
    """The rules to run: those selected, or all that are not deep, without those ignored."""

    def named(rule: Rule, names: Collection[str]) -> bool:
        return rule.name in names or rule.code in names

    picked = [rule for rule in RULES if (named(rule, select) if select else deep or not rule.deep)]
    return [rule for rule in picked if not named(rule, ignore)]


def unknown(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names that are no rule's, each with the nearest."""
    known = [word for rule in RULES for word in (rule.name, rule.code)]
    return [(name, did_you_mean(name, known)) for name in names if name not in known]


def _allowed(path: str, text: str) -> Iterable[Allowed]:
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
            yield Allowed(word[0], Span(path, number, start, number, start + len(word[0])), frozenset((number, below)))


def _is_allowed(rule: Rule, found: Found, item: Allowed) -> bool:
    here = item.span.path == found.span.path and found.span.line in item.lines
    return here and item.name in (rule.name, rule.code)


def _useless(
    subject: Subject, allowed: Iterable[Allowed], used: Collection[Allowed], rules: Collection[Rule]
) -> Iterable[Advice]:
    ran = {word for rule in rules for word in (rule.name, rule.code)}
    known = {word for rule in RULES for word in (rule.name, rule.code)}
    for item in allowed:
        if item in used or not subject.owns(item.span):
            continue
        if item.name not in known:
            hint = did_you_mean(item.name, known) or "`rulelang lint --rules` lists the rules"
            yield advice(useless_allow.RULE, Found(item.span, f"there is no rule `{item.name}`", "", hint))
        elif item.name in ran:
            message = f"the rule `{item.name}` finds nothing here"
            yield advice(useless_allow.RULE, Found(item.span, message, "", "delete the comment"))


def apply(fixes: Iterable[Fix], sources: Mapping[str, str]) -> dict[str, str]:
    """The files that change, with their new texts. Of fixes that overlap the first is taken."""
    edits: dict[str, list[tuple[Span, str]]] = {}
    for fix in fixes:
        if not any(_overlaps(span, other) for span, _ in fix.edits for other, _ in edits.get(span.path, ())):
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


def _overlaps(a: Span, b: Span) -> bool:
    return a.path == b.path and a.line == b.line and a.column < b.end_column and b.column < a.end_column


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""

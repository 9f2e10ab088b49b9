"""Finds the scenarios of a ruleset: beside its traits, and in the files of its `scenarios/` folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.testing.scenarios.records import Scenario
from rulelang.testing.scenarios.tokens import Word, items, pairs, whole, wrong_shape


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
    _twice(found, out)
    return found, out


def reading(source: RulesetSource, memo: NullCache) -> Iterator[None]:
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
    for item in items(node):
        if isinstance(item, YamlMap):
            found.append(_scenario(item, base, out, told))
        else:
            wrong_shape(out, item, "a scenario", "- name: what it shows")
    return found


def _scenario(node: YamlMap, base: Scenario, out: Diagnostics, found: Diagnostics) -> Scenario:
    name = node.get("name")
    rules = tuple(whole(item) for item in items(node.get("rule")) if isinstance(item, YamlScalar))
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
    own = pairs(out, node.get("options"), "a map from option to value", "options: {name: value}")
    given = {word.text: (word, value) for word, value in (*base.options, *own)}
    mods = tuple(whole(item) for item in items(node.get("mods")) if isinstance(item, YamlScalar)) or base.mods
    mode = node.get("mode")
    rows = node.get("rows")
    all_rows = (*base.rows, rows) if isinstance(rows, YamlMap) else base.rows
    return tuple(given.values()), mods, whole(mode) if isinstance(mode, YamlScalar) else base.mode, all_rows


def _twice(found: list[Scenario], out: Diagnostics) -> None:
    """C706: two scenarios of one name could not be told apart in a report."""
    first: dict[str, Scenario] = {}
    for scenario in found:
        other = first.setdefault(scenario.id, scenario)
        if other is not scenario and scenario.name:
            related = [Related(other.span, "the first one is here")]
            out.error("C706", scenario.span, f"two scenarios have the name `{scenario.name}`", related=related)

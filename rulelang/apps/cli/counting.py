"""How much there is in a ruleset: for the summary lines."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.language.semantics.model import Model


def count_parts(source: RulesetSource, model: Model, memo: NullCache = NULL_CACHE) -> dict[str, int]:
    """By what it is (singular): traits, cards with all their copies, scenarios. `memo`: of whoever has read these."""
    from rulelang.testing.scenarios.scenario import read_scenarios

    return {
        "trait": len(model.traits),
        "card": sum(row.copies for sort in model.sorts.values() for row in sort.rows),
        "scenario": len(read_scenarios(source, memo)[0]),
    }


def scenarios(source: RulesetSource) -> Iterator[YamlMap]:
    """All scenarios, those of traits first; only their data, whatever it is worth."""
    from rulelang.data.yaml_reader import read_yaml_text

    for trait in source.traits:
        yield from _maps(trait.node.get("scenarios"))
    for file in source.scenario_files:
        root = read_yaml_text(file.text, file.path, Diagnostics(), file.layer).root
        yield from _maps(root.get("scenarios") if isinstance(root, YamlMap) else root)


def words(node: object) -> tuple[str, ...]:
    """A word or a list of words."""
    if isinstance(node, YamlScalar):
        return (node.text,)
    return tuple(item.text for item in node if isinstance(item, YamlScalar)) if isinstance(node, YamlSeq) else ()


def _maps(node: object) -> Iterator[YamlMap]:
    if isinstance(node, YamlSeq):
        yield from (item for item in node if isinstance(item, YamlMap))

"""How much there is in a ruleset: for the summary lines."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.cli.reading import Reading
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq


def count_parts(reading: Reading) -> dict[str, int]:
    """By what it is (singular): traits, cards with all their copies, scenarios."""
    model = reading.model
    return {
        "trait": len(model.traits),
        "card": sum(row.copies for sort in model.sorts.values() for row in sort.rows),
        "scenario": sum(1 for _ in scenarios(reading)),
    }


def scenarios(reading: Reading) -> Iterator[YamlMap]:
    """All scenarios, those of traits first; only their data, whatever it is worth."""
    from rulelang.data.yaml_reader import read_yaml_text

    for trait in reading.source.traits:
        yield from _maps(trait.node.get("scenarios"))
    for file in reading.source.scenario_files:
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

"""`declare` gives a model and diagnostics for anything the data room can read, and is fast on large files."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from rulelang.base.codes import CODES
from rulelang.data.ruleset import load_ruleset
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.declare import declare
from rulelang.language.semantics.model import Model
from tests.timing import timed

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
ODD = (None, True, -1, 10**40, 1.5, "", "none", "0..", "9..1", "maybe", "set of", "a b", "option.x", "†", "x" * 200)


def mutated(node: YamlNode, dice: random.Random, chance: float) -> YamlNode:
    """The same tree with some nodes dropped, repeated or put in the place of others."""
    if dice.random() < chance:
        value = dice.choice(ODD)
        scalar = YamlScalar(value, node.span, "" if value is None else str(value))
        return dice.choice([scalar, YamlSeq((scalar, scalar), node.span), YamlMap(((scalar, node),), node.span)])
    if isinstance(node, YamlMap):
        items = [(key, mutated(value, dice, chance)) for key, value in node if dice.random() > chance / 4]
        return YamlMap(tuple(items), node.span, node.layer)
    if isinstance(node, YamlSeq):
        return YamlSeq(tuple(mutated(item, dice, chance) for item in node), node.span, node.layer)
    return node


@pytest.mark.parametrize("name", ["evolution", "origin_of_species", "evolved", "darwins_choice"])
def test_no_data_raises(name: str) -> None:
    source, _ = load_ruleset(EXAMPLES / name)
    assert source is not None
    dice = random.Random(name)
    found: set[str] = set()
    for chance in (0.003, 0.02, 0.1):
        for _ in range(15):
            tree = mutated(source.tree, dice, chance)
            traits = tuple(
                replace(t, node=n) for t in source.traits if isinstance(n := mutated(t.node, dice, chance), YamlMap)
            )
            broken = replace(source, tree=tree if isinstance(tree, YamlMap) else source.tree, traits=traits)
            model, out = declare(broken)
            assert isinstance(model, Model)
            found.update(d.code for d in out)
    assert len(found) > 5
    assert found <= set(CODES)


def test_an_option_of_no_kind_that_is_known_has_no_label(tmp_path: Path) -> None:
    manifest = "id: a\nversion: 1.0.0\nlanguage: 1\ntitle: {en: A}\nplayers: {count: 2}\n"
    (tmp_path / "ruleset.yaml").write_text(f"{manifest}options: {{speed: {{is: fast, default: 1}}}}\nfiles: []\n")
    source, _ = load_ruleset(tmp_path)
    assert source is not None
    model, found = declare(source)
    assert found.failed
    assert "speed" not in model.labels.columns["option"]


def test_three_thousand_cards_are_declared_quickly(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "id: big\nversion: 1.0.0\nlanguage: 1\ntitle: Big\nplayers: {count: [2, 4]}\nfiles: [big.yaml, big.csv]\n"
    )
    (tmp_path / "big.yaml").write_text(
        "lists: {measure: [run, swim, fly, dig], size: [small, large]}\n"
        "cards: {card: {from: big.csv, columns: {size: size, needs: condition on measure, "
        "has: set of measure, shows: {is: int, by: measure, default: 0}, price: 0..9000}}}\n"
    )
    rows = [f"card_{n},small,run+fly>={n % 5},run+dig,1,2,,0,{n}" for n in range(3000)]
    header = "id,size,needs,has,run,swim,fly,dig,price"
    (tmp_path / "big.csv").write_text("\n".join([header, *rows]) + "\n")
    source, _ = load_ruleset(tmp_path)
    assert source is not None
    (model, out), seconds = timed(lambda: declare(source))
    assert seconds < 1  # 0.2 s on a quiet machine
    assert not list(out)
    assert model.sorts["card"].rows[2999].columns["shows"] == (1, 2, 0, 0)

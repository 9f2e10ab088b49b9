"""What the quick test says fits, fits by jsonschema; and of what is shipped it says so."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.schema import SchemaPrecheck, load_schemas, schema_problems
from rulelang.data.yaml_reader import read_yaml_text
from tests.properties.games import ROOT

FILES = {
    "ruleset": ["rulesets/evolution/ruleset.yaml", "rulesets/darwins_choice/ruleset.yaml"],
    "mod": ["rulesets/darwins_choice_colossal/mod.yaml"],
    "components": ["rulesets/darwins_choice/components.yaml", "rulesets/evolution/components.yaml"],
    "trait": ["rulesets/evolution/traits/burrowing.yaml", "rulesets/evolution/traits/carnivore.yaml"],
    "scenarios": ["rulesets/evolution/scenarios/feeding.yaml"],
}
OTHER: list[Any] = [None, True, 0, 1, -1, 2.5, 10**9, "", "x", "A B", "en", [], {}, [1], {"x": 1}, {"A b": None}]


def read(path: str) -> Any:
    file = read_yaml_text((ROOT / path).read_text("utf-8"), path, Diagnostics())
    assert file.root is not None
    return file.root.plain()


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with a key or index in it."""
    found: list[tuple[Any, Any]] = []
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found += [(value, key), *places(value[key])]
    return found


@pytest.mark.parametrize("name", FILES)
def test_what_fits(name: str) -> None:
    fitting, chance = SchemaPrecheck(load_schemas()), random.Random(name)
    refused = 0
    for path in FILES[name]:
        whole = read(path)
        assert fitting.fits(name, whole)
        for _ in range(60):
            changed = deepcopy(whole)
            there, key = chance.choice(places(changed))
            match chance.randrange(3):
                case 0:
                    there[key] = deepcopy(chance.choice(OTHER))
                case 1 if isinstance(there, dict):
                    there[chance.choice(["x", "A b", "en", "copies", "name"])] = there.pop(key)
                case _:
                    del there[key]
            wrong = bool(schema_problems(name, changed))
            refused += wrong
            assert fitting.fits(name, changed) is not wrong, schema_problems(name, changed)
    assert refused > 5


def test_what_it_does_not_know_does_not_fit() -> None:
    fitting = SchemaPrecheck(
        {"odd": {"type": "integer", "multipleOf": 2}, "itself": {"items": {"$ref": "#"}, "type": "array"}}
    )
    assert not fitting.fits("odd", 4)
    assert not SchemaPrecheck({"whole": {"type": "integer"}}).fits("whole", 2.0)  # jsonschema is asked, and takes it
    assert fitting.fits("itself", [[], [[]]])
    assert not fitting.fits("itself", [[], [1]])

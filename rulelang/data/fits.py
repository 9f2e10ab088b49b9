"""Whether data fit a JSON Schema, as far as that can be told quickly.

Nearly all files do, and to import jsonschema and go through them with it took a tenth of a cold check. So it is asked
only where this finds no fit: about what is wrong, and about keywords that are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Test = Callable[[Any], bool]

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
#: Keywords that ask for nothing.
_SAYING = {"title", "description", "default", "examples", "$defs", "$schema", "$id"}


class Fitting:
    """The tests that schemas make, by schema and pointer; each is made when it is first wanted."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self.schemas = schemas
        self._known: dict[tuple[str, str], Test] = {}

    def fits(self, name: str, value: object) -> bool:
        """Whether a value certainly fits the schema of this name."""
        return self._at(name, "")(value)

    def _at(self, name: str, pointer: str) -> Test:
        known = self._known.get((name, pointer))
        if known is None:
            # Schemas speak of themselves: until this one is made, it is looked up anew.
            self._known[name, pointer] = lambda value: self._known[name, pointer](value)
            part = self.schemas[name]
            for step in pointer.split("/")[1:]:
                part = part[step]
            known = self._known[name, pointer] = self._test(name, part)
        return known

    def _test(self, name: str, part: Any) -> Test:
        """What a piece of the schema `name` asks for."""
        if isinstance(part, bool):
            return lambda value: part
        if not part.keys() <= _KNOWN:
            return lambda value: False
        tests = [self._object(name, part), *self._values(part), *self._combined(name, part)]
        found = [test for test in tests if test is not None]
        if len(found) == 1:
            return found[0]
        return lambda value: all(test(value) for test in found)

    def _object(self, name: str, part: Mapping[str, Any]) -> Test | None:
        """`properties`, `additionalProperties`, `required`, `propertyNames`, `minProperties`."""
        if not part.keys() & {"properties", "additionalProperties", "required", "propertyNames", "minProperties"}:
            return None
        below = {key: self._test(name, inner) for key, inner in part.get("properties", {}).items()}
        others = self._test(name, part.get("additionalProperties", True))
        named = self._test(name, part.get("propertyNames", True))
        required, least = part.get("required", ()), part.get("minProperties", 0)

        def test(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            if len(value) < least or any(word not in value for word in required):
                return False
            return all(named(key) and below.get(key, others)(inner) for key, inner in value.items())

        return test

    def _values(self, part: Mapping[str, Any]) -> list[Test]:
        """What is asked of numbers, texts and single values."""
        found: list[Test] = []
        if "type" in part:
            words = part["type"] if isinstance(part["type"], list) else [part["type"]]
            kinds = {kind for word in words for kind in _TYPES[word]}
            found.append(lambda value: type(value) in kinds)
        if "enum" in part or "const" in part:
            among = [(type(item), item) for item in part.get("enum", [part.get("const")])]
            found.append(lambda value: (type(value), value) in among)
        if "minimum" in part or "maximum" in part:
            low, high = part.get("minimum", float("-inf")), part.get("maximum", float("inf"))
            found.append(lambda value: not isinstance(value, int | float) or low <= value <= high)
        if "pattern" in part:
            search = re.compile(part["pattern"]).search
            found.append(lambda value: not isinstance(value, str) or search(value) is not None)
        return found

    def _combined(self, name: str, part: Mapping[str, Any]) -> list[Test]:
        """What other schemas ask."""
        found: list[Test] = []
        if "items" in part or "minItems" in part:
            item, least = self._test(name, part.get("items", True)), part.get("minItems", 0)
            found.append(
                lambda value: (
                    not isinstance(value, list) or (len(value) >= least and all(item(inner) for inner in value))
                )
            )
        if "$ref" in part:
            file, _, pointer = part["$ref"].partition("#")
            found.append(self._at(file.removesuffix(".schema.json") or name, pointer))
        if "anyOf" in part:
            ways = [self._test(name, inner) for inner in part["anyOf"]]
            found.append(lambda value: any(way(value) for way in ways))
        return found


_KNOWN = _SAYING | {
    "type", "enum", "const", "minimum", "maximum", "pattern", "items", "minItems", "$ref", "anyOf",
    "properties", "additionalProperties", "required", "propertyNames", "minProperties",
}  # fmt: skip

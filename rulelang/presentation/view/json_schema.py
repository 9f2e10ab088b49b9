"""The JSON Schema of documents, made of the types in `records`: one definition for each class, with its docstring."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

from rulelang.presentation.view import document_types

_PLAIN = {int: "integer", bool: "boolean", str: "string", type(None): "null"}


def schema_of(top: type) -> dict[str, Any]:
    """The schema of a class of `records`, as schemas/NAME.schema.json has it."""
    classes: dict[str, Any] = {}
    _gather(top, classes)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": top.__name__,
        **_object(top),
        "$defs": {name: _object(class_) for name, class_ in sorted(classes.items()) if class_ is not top},
    }


def _gather(class_: Any, found: dict[str, Any]) -> None:
    if is_typeddict(class_):
        if class_.__name__ in found:
            return
        found[class_.__name__] = class_
        for hint in _hints(class_).values():
            _gather(hint, found)
    for part in get_args(class_):
        _gather(part, found)


def _hints(class_: type) -> dict[str, Any]:
    return get_type_hints(class_, vars(document_types), include_extras=True)


def _object(class_: Any) -> dict[str, Any]:
    return {
        "description": " ".join((class_.__doc__ or "").split()),
        "type": "object",
        "properties": {name: _type(hint) for name, hint in _hints(class_).items()},
        "required": sorted(name for name, hint in _hints(class_).items() if get_origin(hint) is not NotRequired),
        "additionalProperties": False,
    }


def _type(hint: Any) -> dict[str, Any]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (NotRequired, Required):
        return _type(parts[0])
    if is_typeddict(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if origin is Literal:
        return {"const": parts[0]} if len(parts) == 1 else {"enum": [*parts]}
    if origin is list:
        return {"type": "array", "items": _type(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(parts[1])}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    assert origin is Union or type(hint).__name__ == "UnionType", hint
    found = [_type(part) for part in parts]
    if all([*one] == ["type"] for one in found):
        return {"type": [one["type"] for one in found]}
    return {"anyOf": found}

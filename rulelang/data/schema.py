"""JSON Schemas: what the files of a ruleset may hold, with every mistake at its line and column."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rulelang.base import disk_cache
from rulelang.base.diagnostics import MOST, Diagnostic, Diagnostics
from rulelang.base.english import either
from rulelang.base.follow_ups import SPLIT
from rulelang.base.identity import own_hash
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.data.displaced import put_in_place
from rulelang.data.fits import Fitting
from rulelang.data.misfits import Fits, as_name, key_like, one_of, other_shape, without_dashes
from rulelang.data.paths import schema_dir
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, kind_of
from rulelang.data.yaml_reader import YamlFile

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a map",
    "array": "a list",
    "null": "nothing",
}


#: The title of what holds rules, in every schema.
RULES = "rules in the rules language"
_MEANT = re.compile(r"did you mean `([^`]+)`\?\Z")
_TRIES = 3
#: How many other shapes of values are tried in a file: a file full of mistakes takes no longer than one with few.
_SHAPES_TRIED = 30
#: Sections with an entry for each thing that is made.
_MADE = ("lists", "grids", "cards", "kinds", "zones", "tables", "state")


def check_schema(name: str, file: YamlFile, diagnostics: Diagnostics) -> bool:
    """Check a file's tree against `schemas/NAME.schema.json`; True if it fits.

    Mistakes become Y120 (unknown key), Y121 (wrong value) and Y122 (missing key). They are kept in the cache folder
    under a hash of text and schemas, so that a second check of the same text does not import jsonschema.
    """
    if file.root is None or _fitting().fits(name, file.root.plain()):
        return True
    entry = hashlib.sha256(f"{_schemas_hash()}\0{name}\0{file.text}".encode()).hexdigest()
    found = _cached(entry, file.path)
    if found is None:
        found = _validate(name, file.root)
        _store(entry, found)
    diagnostics.extend(found)
    return not found


def mended(name: str, file: YamlFile, diagnostics: Diagnostics) -> tuple[YamlMap, bool]:
    """The same as `check_schema`, and the tree to go on with: misspelt keys read as the ones that their hints offer.

    So one wrong letter is one mistake, and not one more for each use of what stands below the key. A key whose value
    would not fit was not meant, and stays. Sections that stand too far in are read as such, too.
    The second result is False if there were mistakes.
    """
    assert isinstance(file.root, YamlMap)
    before = len(diagnostics)
    words = schemas()[name]["properties"]
    placed = put_in_place(file.text, file.root, words, lambda root: len(_validate(name, root)), diagnostics)
    if placed is not None:
        root, found = placed, _validate(name, placed)
        diagnostics.extend(found)
    elif check_schema(name, file, diagnostics):
        return file.root, True
    else:
        root, found = file.root, diagnostics.items[before:]
    for _ in range(_TRIES):
        meant = {d.span: m[1] for d in found if d.code == "Y120" and (m := _MEANT.match(d.hint))}
        other = _with_keys(root, meant)
        found = _validate(name, other) if meant else []
        values = {span for key in meant for span in _value_spans(other, key)}
        if not meant or any(d.code == "Y121" and d.span in values for d in found):
            break
        root = other
        diagnostics.extend(found)
    return root, False


def _value_spans(node: YamlNode, key: Span) -> Iterator[Span]:
    """The place of the value under the key that stands there, as a mistake of it is placed."""
    if isinstance(node, YamlMap):
        for own, value in node.items:
            if own.span == key:
                yield value.span if isinstance(value, YamlScalar) else value.span.head()
            yield from _value_spans(value, key)
    elif isinstance(node, YamlSeq):
        for item in node.items:
            yield from _value_spans(item, key)


def _with_keys(node: Any, meant: Mapping[Span, str]) -> Any:
    if isinstance(node, YamlMap):
        known = {key.text for key, _ in node.items}
        items = []
        for key, value in node.items:
            word = meant.get(key.span, "")
            items.append((replace(key, text=word) if word and word not in known else key, _with_keys(value, meant)))
        return YamlMap(tuple(items), node.span, node.layer)
    return (
        replace(node, items=tuple(_with_keys(item, meant) for item in node.items))
        if isinstance(node, YamlSeq)
        else node
    )


def problems(name: str, value: object) -> list[str]:
    """What is wrong with JSON data (a view, a replay) by `schemas/NAME.schema.json`: `path: message`, sorted."""
    found = _validator(name).iter_errors(value)
    return sorted(f"{'.'.join(str(step) for step in e.absolute_path) or 'top'}: {e.message[:200]}" for e in found)


@cache
def schemas() -> dict[str, Any]:
    """All schemas by name (`ruleset`, `mod`, `components`, ...)."""
    found = {}
    for path in sorted(schema_dir().glob("*.schema.json")):
        found[path.name.removesuffix(".schema.json")] = json.loads(path.read_bytes())
    return found


@cache
def _schemas_hash() -> str:
    whole = hashlib.sha256(own_hash().encode())
    for path in sorted(schema_dir().glob("*.schema.json")):
        whole.update(path.read_bytes())
    return whole.hexdigest()


def _cached(entry: str, path: str) -> list[Diagnostic] | None:
    data = disk_cache.read("schema", entry)
    try:
        rows = json.loads(data or b"")
        return [
            Diagnostic(code, Span(path, *place), message, because, hint) for code, place, message, because, hint in rows
        ]
    except (ValueError, TypeError):
        return None


def _store(entry: str, found: list[Diagnostic]) -> None:
    rows = [(d.code, d.span[1:], d.message, d.because, d.hint) for d in found]
    disk_cache.write("schema", entry, json.dumps(rows).encode())


def prepare() -> None:
    """Make ready what validates: so that the first text that is new to the cache does not wait for it."""
    for name in ("ruleset", "mod", "components", "trait", "scenarios", "rows"):
        _validator(name)


@cache
def _fitting() -> Fitting:
    return Fitting(schemas())


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    # One document that holds them all, in which every reference is a pointer: so none is looked for in a file or the
    # network, and the document is not gone through for ids anew with each file that is checked.
    parts = {key: _pointing(schema, key) for key, schema in schemas().items()}
    return Draft202012Validator({"$defs": parts, "$ref": f"#/$defs/{name}"})


def _pointing(part: Any, key: str) -> Any:
    """A piece of the schema `key` as it stands in the one document: its references as pointers from the top."""
    if isinstance(part, list):
        return [_pointing(item, key) for item in part]
    if not isinstance(part, dict):
        return part
    found = {word: _pointing(value, key) for word, value in part.items() if word not in ("$id", "$schema")}
    target = part.get("$ref")
    if isinstance(target, str):
        file, _, pointer = target.partition("#")
        found["$ref"] = f"#/$defs/{file.removesuffix('.schema.json') or key}{pointer}"
    return found


def _validate(name: str, root: YamlNode) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    validator = _validator(name)
    fits = _trial(validator, root)
    for error in validator.iter_errors(root.plain()):
        found.extend(_explain(error, root, validator.schema, fits))
        if len(found) > MOST:
            break
    found = sorted(set(found), key=lambda d: (d.span, d.code, d.message))
    # A text that a comma has split is told once: not of its second half as a key, and of what is missing behind that.
    split = {d.span: d for d in reversed(found) if d.hint.startswith(SPLIT)}
    return [d for d in found if split.get(d.span, d) is d]


def _trial(validator: Any, root: YamlNode) -> Fits:
    """Return a test of whether another value would fit at a path; it says no once it has been asked often."""
    tries = iter(range(_SHAPES_TRIED))
    plain = root.plain()

    def fits(path: Sequence[str | int], value: Any) -> bool:
        if next(tries, None) is None:
            return False
        inside = [step if isinstance(step, str) else 0 for step in path]
        tried = _with_value(plain, path, value)
        return all(list(e.absolute_path)[: len(inside)] != inside for e in validator.iter_errors(tried))

    return fits


def _with_value(plain: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a document with another value at a path, without lists and maps that are elsewhere.

    They do not decide whether the value fits, and may be large. A list on the path has only its item on the path.
    """
    if not path:
        return value
    step, *rest = path
    inner = _with_value(plain[step], rest, value)
    if isinstance(step, int):
        return [inner]
    others = {} if len(plain) > _SHAPES_TRIED else {k: v for k, v in plain.items() if not isinstance(v, dict | list)}
    return {**others, step: inner}


def _explain(error: Any, root: YamlNode, whole: Any, fits: Fits) -> list[Diagnostic]:
    key, node = _find(root, list(error.absolute_path))
    schema = error.schema if isinstance(error.schema, dict) else {}
    expected = schema.get("title", "")
    place = f" in `{key.text}`" if key is not None else ""
    if error.validator == "additionalProperties" and isinstance(node, YamlMap):
        known = list(schema.get("properties", {}))
        unknown = [(at, k) for at, (k, _) in enumerate(node.items) if k.text not in known][: MOST + 1]
        alone = node is root and len(known) == 1 and known == schema.get("required") and node.get(known[0]) is None
        if alone and not any(did_you_mean(k.text, known) for _, k in unknown):
            return []  # Y122 says where all these keys belong
        because = "the keys here are " + ", ".join(f"`{word}`" for word in known)
        return [
            Diagnostic(
                "Y120",
                k.span,
                f"unknown key `{k.text}`{place}",
                because,
                _split(node, k, at)
                or (_belongs(k.text, known) if node is root else "")
                or _further_in(k.text, schema, whole)
                or did_you_mean(k.text, known),
            )
            for at, k in unknown
        ]
    if error.validator == "required" and isinstance(node, YamlMap):
        missing = [word for word in error.validator_value if node.get(word) is None]
        span = key.span if key is not None else node.span.head()
        whose = expected if key is not None and expected else "each such file"
        alone = node is root and list(schema.get("properties", {})) == error.validator_value
        hint = "write `{}:` on the first line, and indent all other lines" if alone else "add `{}: ...`"
        return [
            Diagnostic("Y122", span, f"missing key `{word}`{place}", f"{whose} needs `{word}`", hint.format(word))
            for word in missing
        ]
    if (
        error.parent is None
        and isinstance(error.instance, str)
        and isinstance(node, YamlMap)
        and node.key(error.instance)
    ):
        word = node.key(error.instance)  # propertyNames: the instance is the key
        if word is not None and error.validator == "pattern":
            name = key_like(word.text)
            hint = f"write `{name}:`" if name and re.search(error.validator_value, name) else ""
            message = f"`{word.text}` is not a valid key here"
            return [Diagnostic("Y121", word.span, message, f"expected {expected}", _split(node, word) or hint)]
    if error.validator == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        expected = expected or " or ".join(_TYPES[word] for word in wanted)
        path = list(error.absolute_path)
        parent = _find(root, path[:-1])[1] if path else None
        if isinstance(parent, YamlSeq) and key is not None and (hint := without_dashes(parent, path[:-1], fits)):
            return [Diagnostic("Y121", parent.span.head(), f"`{key.text}` must be a map, not a list", hint=hint)]
        hint = _split(parent, key) if key and path[-1:] == [key.text] and isinstance(parent, YamlMap) else ""
        if expected == RULES and key is not None:
            hint = f"write `{key.text}: |` and put the rules on the next lines, indented by two spaces"
        elif not hint and key is not None:
            hint = without_dashes(node, path, fits) or other_shape(key.text, node, path, fits)
        return [Diagnostic("Y121", _guilty(key, node), _misfit(key, path, expected, node), hint=hint)]
    if error.validator in ("enum", "const"):
        choices = [str(c) for c in (error.validator_value if error.validator == "enum" else [error.validator_value])]
        hint = one_of(node.text, choices) if isinstance(node, YamlScalar) else ""
        text = " or ".join(f"`{c}`" for c in choices)
        message = _misfit(key, list(error.absolute_path), text, node)
        return [Diagnostic("Y121", _guilty(key, node), message, hint=hint)]
    limit = {"minimum": "at least", "maximum": "at most"}.get(error.validator)
    if limit:
        expected = f"{expected or 'a number'}, {limit} {error.validator_value}"
        return [Diagnostic("Y121", _guilty(key, node), _misfit(key, list(error.absolute_path), expected, node))]
    names = error.validator == "pattern" and bool(re.search(error.validator_value, "a_name"))
    if names and expected and isinstance(node, YamlScalar):
        return [_not_a_name(error, key, node, root, whole)]
    message = _misfit(key, list(error.absolute_path), expected, node) if expected else error.message[:200]
    hint = one_of(node.text, re.findall(r"\w{4,}", expected)) if isinstance(node, YamlScalar) else ""
    return [Diagnostic("Y121", _guilty(key, node), message, hint=hint)]


def _misfit(key: YamlScalar | None, path: Sequence[str | int], expected: str, node: YamlNode) -> str:
    """Say what a key, or an item of its list, must be, and what it is."""
    if key is None:
        return f"expected {expected}, found {kind_of(node)}"
    if expected == RULES:
        return f"`{key.text}` must be a block of rules, not {kind_of(node)}"
    item = "an item of " if isinstance(path[-1] if path else "", int) else ""
    return f"{item}`{key.text}` must be {expected}, not {kind_of(node)}"


def _not_a_name(error: Any, key: YamlScalar | None, node: YamlScalar, root: YamlNode, whole: Any) -> Diagnostic:
    """Y121 for a text that does not match the pattern of an id, with one that does."""
    expected, path = error.schema["title"], list(error.absolute_path)
    name = as_name(node.text)
    hint = ""
    if name and re.search(error.validator_value, name):
        where = f"{key.text}: " if key is not None and path[-1:] == [key.text] else ""
        hint = f"write `{where}{name}`"
        title = next((word for word in ("name", "title") if len(path) == 1 and word in _at_top(whole)), "")
        if title and isinstance(root, YamlMap) and root.get(title) is None:
            hint += f", and put the words that players see in `{title}: {{en: {node.text[:40]}}}`"
    return Diagnostic("Y121", _guilty(key, node), f"`{node.text[:40]}` is not valid as {expected}", hint=hint)


def _at_top(whole: Any) -> Collection[str]:
    """The keys that the file may have at its left edge."""
    return _keys({"$ref": whole.get("$ref", "")}, whole)


def _split(node: YamlMap, key: YamlScalar, at: int = -1) -> str:
    """A hint where a comma in a text has made a key of its second half: `{text: suns, or snow}`."""
    if at < 0:
        at = next(i for i, (other, _) in enumerate(node.items) if other is key)
    value = node.items[at][1]
    before = node.items[at - 1][1] if at else None
    bare = isinstance(value, YamlScalar) and value.value is None and not value.text
    told = isinstance(before, YamlScalar) and before.style == "plain" and isinstance(before.value, str)
    if not (bare and told and isinstance(before, YamlScalar) and before.span.line == key.span.line):
        return ""
    return f'{SPLIT}; write `"{before.text}, {key.text}"`'


def _belongs(word: str, known: Collection[str]) -> str:
    """A hint for a key at the left edge of a file that stands elsewhere: in another file, or further in."""
    schema = schemas()["components"]
    if word in schema["properties"] and "files" in known:
        return "move it to a file that `files:` lists, such as `things.yaml`"
    inside = [f"`{name}:`" for name in _MADE if word in _entry(schema, name)]
    return f"it belongs in an entry of {', '.join(inside[:-1])} or {inside[-1]}" if inside[1:] else ""


def _further_in(word: str, schema: Any, whole: Any) -> str:
    """A hint for a key that stands below one of its neighbours, such as `dice` below `given` of a scenario."""
    inside = [f"`{key}:`" for key, below in schema.get("properties", {}).items() if word in _keys(below, whole)]
    return f"it belongs below {either(inside)}" if inside else ""


def _keys(schema: Any, whole: Any) -> Collection[str]:
    """What may stand in a map that a schema describes, if only that may."""
    if not isinstance(schema, dict):
        return ()
    meant = whole.get("$defs", {}).get(schema.get("$ref", "").rpartition("/")[2], schema)
    choices = (meant, *meant.get("anyOf", ()), *meant.get("oneOf", ()))
    return {word for choice in choices for word in choice.get("properties", ())}


def _entry(schema: Any, section: str) -> Collection[str]:
    """What may stand in each entry of a section, such as in each kind under `kinds:`."""
    return _keys(schema["properties"][section]["additionalProperties"], schema)


def _find(root: YamlNode, path: list[str | int]) -> tuple[YamlScalar | None, YamlNode]:
    """The node a path leads to, and the last key on the way."""
    node, key = root, None
    for step in path:
        if isinstance(node, YamlMap) and isinstance(step, str):
            below = node.get(step)
            if below is None:
                break
            key, node = node.key(step), below
        elif isinstance(node, YamlSeq) and isinstance(step, int):
            node = node.items[step]
    return key, node


def _guilty(key: YamlScalar | None, node: YamlNode) -> Span:
    """The value; the key if the value is nothing to point at."""
    if isinstance(node, YamlScalar) and not node.text and key is not None:
        return key.span
    return node.span if isinstance(node, YamlScalar) else node.span.head()

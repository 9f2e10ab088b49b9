"""Check data files against JSON Schemas, and explain every mistake at its line and column."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rulelang.base import disk_cache
from rulelang.base.diagnostics import MOST_DIAGNOSTICS, SPLIT, Diagnostic, Diagnostics
from rulelang.base.disk_cache import program_hash
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean, list_with_or
from rulelang.data.folders import schema_dir
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, node_kind
from rulelang.data.yaml_reader import YamlFile

# ---- values of the wrong shape

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST = 50
_FROM_TO = re.compile(r"(\d{1,6})\s*(?:-|\.\.|to)\s*(\d{1,6})\Z")
#: Languages by name, as authors write them in place of the code.
_LANGUAGES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "polish": "pl",
    "portuguese": "pt", "russian": "ru", "japanese": "ja", "chinese": "zh", "korean": "ko",
}  # fmt: skip
#: Words that authors write in place of another.
_COMMON_SLIPS = {
    "all": "everyone", "everybody": "everyone", "public": "everyone", "none": "nobody", "hidden": "nobody",
    "private": "owner", "self": "owner", "left": "clockwise", "right": "counterclockwise",
    "anticlockwise": "counterclockwise",
}  # fmt: skip
#: Whether a value would fit at a path.
Fits = Callable[[Sequence[str | int], Any], bool]


def other_shape(key: str, node: YamlNode, path: Sequence[str | int], fits: Fits) -> str:
    """Say how to write a value so that it fits; nothing if none of the shapes tried does."""
    return next((hint for value, hint in _shapes(key, node) if fits(path, value)), "")


def without_dashes(node: YamlNode, path: Sequence[str | int], fits: Fits) -> str:
    """Say how to write a list of maps as one map, if that fits; else nothing."""
    merged: dict[str, Any] = {}
    for item in node.items if isinstance(node, YamlSeq) else ():
        inner: Any = item.plain()
        if not isinstance(inner, dict) or merged.keys() & inner.keys():
            return ""
        merged |= inner
    if not merged or not fits(path, merged):
        return ""
    name, value = next(iter(merged.items()))
    return f"remove the dashes: `{_short(f'{name}: {_flow(value)}')}`"


def name_from(text: str) -> str:
    """Make a valid name of a text: `sharp_spines` of `Sharp Spines`; empty if nothing is left."""
    name = _NOT_IN_NAMES.sub("_", text.strip()).strip("_").lower()
    return f"_{name}" if name[:1].isdigit() else name


def key_like(text: str) -> str:
    """Make a valid key of a text: the code of a language that it names, else a name."""
    return _LANGUAGES.get(text.strip().lower(), name_from(text))


def one_of(text: str, choices: Collection[str]) -> str:
    """Suggest the one of some words that a text means, or nothing."""
    meant = _COMMON_SLIPS.get(text.lower())
    return f"did you mean `{meant}`?" if meant in choices else did_you_mean(text, choices)


def _shapes(key: str, node: YamlNode) -> Iterator[tuple[Any, str]]:
    plain: Any = node.plain()
    if isinstance(node, YamlScalar):
        if not node.text:
            return
        if not isinstance(node.value, str):
            yield node.text, f'write it in quotes: `{key}: "{_short(node.text)}"`'
        if ends := _FROM_TO.match(node.text):
            yield [int(ends[1]), int(ends[2])], f"write `{key}: [{ends[1]}, {ends[2]}]`"
        if not isinstance(node.value, bool):
            yield [plain], f"write a list: `{key}: [{_short(_flow(plain))}]`"
    elif isinstance(node, YamlSeq):
        if len(node.items) == 1:
            yield plain[0], f"remove the dash or the brackets: `{key}: {_short(_flow(plain[0]))}`"
    elif node.items:
        name, value = next(iter(plain.items()))
        yield [{k: v} for k, v in plain.items()], f"write a list: `- {_short(f'{name}: {_flow(value)}')}`"
        yield [plain], f"write a list: begin with a dash, `- {_short(f'{name}: {_flow(value)}')}`"
        if all(isinstance(inner, dict) for inner in plain.values()):
            yield (
                [{"name": k, **v} for k, v in plain.items()],
                f"write a list: `- name: {_short(name)}`, and the rest below",
            )
        yield list(plain), f"write a list: `{key}: [{_short(', '.join(map(str, plain)))}]`"


def _flow(value: Any) -> str:
    """A value on one line, as YAML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    return str(value)


def _short(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first if len(first) <= _LONGEST and first == text else f"{first[: _LONGEST - 4]} ..."


# ---- misindented sections

_Way = tuple[tuple[YamlMap, int], ...]
_MOST = 4


def fix_misindented(
    text: str, root: YamlMap, words: Collection[str], wrong: Callable[[YamlMap], int], out: Diagnostics
) -> YamlMap | None:
    """The tree with all sections (`words`) at the left edge, after Y153 for each that stands elsewhere; None where none
    does. `wrong`: so many mistakes a tree has; one that has more of them was not meant."""
    if not re.search(rf"^[ ]+(?:{'|'.join(words)}):[ \t]*(?:#.*)?$", text, re.MULTILINE):
        return None
    now: YamlMap | None = None
    for _ in range(_MOST):
        meant = next(_moved(now or root, words, wrong), None)
        if meant is None:
            break
        now, key, below = meant
        message = f"`{key.text}:` is indented" + (f", so it belongs to `{below.text}`" if below is not None else "")
        because = "it is a section, and a section must begin at the left edge"
        out.error("Y153", key.span, message, because=because, hint="move it to the left edge")
    return now


def _moved(
    root: YamlMap, words: Collection[str], wrong: Callable[[YamlMap], int]
) -> Iterator[tuple[YamlMap, YamlScalar, YamlScalar | None]]:
    known = -1
    for way in _nested(root, ()):
        node, at = way[-1]
        key, value = node.items[at]
        if len(way) < 2 or key.text not in words or root.get(key.text) is not None:
            continue
        if key.span.line == way[-2][0].items[way[-2][1]][0].span.line:
            continue  # in braces
        empty = isinstance(value, YamlScalar) and value.value is None and not value.text
        meant = _with_what_follows(root, way) if empty else _as_it_is(root, way) if isinstance(value, YamlMap) else None
        if meant is None:
            continue
        known = wrong(root) if known < 0 else known
        if wrong(meant) < known + empty:
            parent = way[-2][0].items[way[-2][1]][0]
            yield meant, key, parent


def _nested(node: YamlNode, way: _Way) -> Iterator[_Way]:
    """The way to each key of a map, in the order written."""
    if isinstance(node, YamlMap):
        for at, (_, value) in enumerate(node.items):
            here = (*way, (node, at))
            yield here
            yield from _nested(value, here)


def _with_what_follows(root: YamlMap, way: _Way) -> YamlMap | None:
    """What stands behind an empty section, no further in than it, is what was meant to be in it."""
    for depth in range(len(way) - 1, 0, -1):
        node, at = way[depth]
        inside = node.items[at + 1 :]
        if inside:
            kept = _without(way, depth)
            key = way[-1][0].items[way[-1][1]][0]
            section = YamlMap(inside, key.span.to(node.span), root.layer)
            return _at_the_top(kept, key, section)
    return None


def _as_it_is(root: YamlMap, way: _Way) -> YamlMap:
    key, value = way[-1][0].items[way[-1][1]]
    return _at_the_top(_without(way, 0), key, value)


def _without(way: _Way, cut: int) -> YamlMap:
    """The root without the last key of the way; and, with a depth, without all that follows there."""
    last, at = way[-1]
    rest = () if cut else last.items[at + 1 :]
    made = YamlMap((*last.items[:at], *rest), last.span, last.layer)
    for depth in range(len(way) - 2, -1, -1):
        node, at = way[depth]
        behind = () if cut and depth >= cut else node.items[at + 1 :]
        made = YamlMap((*node.items[:at], (node.items[at][0], made), *behind), node.span, node.layer)
    return made


def _at_the_top(root: YamlMap, key: YamlScalar, value: YamlNode) -> YamlMap:
    return replace(root, items=(*root.items, (key, value)))


# ---- schema precheck

Test = Callable[[Any], bool]

_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
#: Keywords that ask for nothing.
_ANNOTATIONS = {"title", "description", "default", "examples", "$defs", "$schema", "$id"}


class SchemaPrecheck:
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
            kinds = {kind for word in words for kind in _PYTHON_TYPES[word]}
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


_KNOWN = _ANNOTATIONS | {
    "type", "enum", "const", "minimum", "maximum", "pattern", "items", "minItems", "$ref", "anyOf",
    "properties", "additionalProperties", "required", "propertyNames", "minProperties",
}  # fmt: skip


# ---- schemas

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
    if file.root is None or _precheck().fits(name, file.root.plain()):
        return True
    entry = hashlib.sha256(f"{_schemas_hash()}\0{name}\0{file.text}".encode()).hexdigest()
    found = _cached(entry, file.path)
    if found is None:
        found = _validate(name, file.root)
        _store(entry, found)
    diagnostics.extend(found)
    return not found


def check_and_fix(name: str, file: YamlFile, diagnostics: Diagnostics) -> tuple[YamlMap, bool]:
    """The same as `check_schema`, and the tree to go on with: misspelt keys read as the ones that their hints offer.

    So one wrong letter is one mistake, and not one more for each use of what stands below the key. A key whose value
    would not fit was not meant, and stays. Sections that stand too far in are read as such, too.
    The second result is False if there were mistakes.
    """
    assert isinstance(file.root, YamlMap)
    before = len(diagnostics)
    words = load_schemas()[name]["properties"]
    placed = fix_misindented(file.text, file.root, words, lambda root: len(_validate(name, root)), diagnostics)
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


def schema_problems(name: str, value: object) -> list[str]:
    """What is wrong with JSON data (a view, a replay) by `schemas/NAME.schema.json`: `path: message`, sorted."""
    found = _validator(name).iter_errors(value)
    return sorted(f"{'.'.join(str(step) for step in e.absolute_path) or 'top'}: {e.message[:200]}" for e in found)


@cache
def load_schemas() -> dict[str, Any]:
    """All schemas by name (`ruleset`, `mod`, `components`, ...)."""
    found = {}
    for path in sorted(schema_dir().glob("*.schema.json")):
        found[path.name.removesuffix(".schema.json")] = json.loads(path.read_bytes())
    return found


@cache
def _schemas_hash() -> str:
    whole = hashlib.sha256(program_hash().encode())
    for path in sorted(schema_dir().glob("*.schema.json")):
        whole.update(path.read_bytes())
    return whole.hexdigest()


def _cached(entry: str, path: str) -> list[Diagnostic] | None:
    data = disk_cache.read_bytes("schema", entry)
    try:
        rows = json.loads(data or b"")
        return [
            Diagnostic(code, Span(path, *place), message, because, hint) for code, place, message, because, hint in rows
        ]
    except (ValueError, TypeError):
        return None


def _store(entry: str, found: list[Diagnostic]) -> None:
    rows = [(d.code, d.span[1:], d.message, d.because, d.hint) for d in found]
    disk_cache.write_bytes("schema", entry, json.dumps(rows).encode())


def prepare_validators() -> None:
    """Make ready what validates: so that the first text that is new to the cache does not wait for it."""
    for name in ("ruleset", "mod", "components", "trait", "scenarios", "rows"):
        _validator(name)


@cache
def _precheck() -> SchemaPrecheck:
    return SchemaPrecheck(load_schemas())


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    # One document that holds them all, in which every reference is a pointer: so none is looked for in a file or the
    # network, and the document is not gone through for ids anew with each file that is checked.
    parts = {key: _pointing(schema, key) for key, schema in load_schemas().items()}
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
        if len(found) > MOST_DIAGNOSTICS:
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
        unknown = [(at, k) for at, (k, _) in enumerate(node.items) if k.text not in known][: MOST_DIAGNOSTICS + 1]
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
        return f"expected {expected}, found {node_kind(node)}"
    if expected == RULES:
        return f"`{key.text}` must be a block of rules, not {node_kind(node)}"
    item = "an item of " if isinstance(path[-1] if path else "", int) else ""
    return f"{item}`{key.text}` must be {expected}, not {node_kind(node)}"


def _not_a_name(error: Any, key: YamlScalar | None, node: YamlScalar, root: YamlNode, whole: Any) -> Diagnostic:
    """Y121 for a text that does not match the pattern of an id, with one that does."""
    expected, path = error.schema["title"], list(error.absolute_path)
    name = name_from(node.text)
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
    schema = load_schemas()["components"]
    if word in schema["properties"] and "files" in known:
        return "move it to a file that `files:` lists, such as `things.yaml`"
    inside = [f"`{name}:`" for name in _MADE if word in _entry(schema, name)]
    return f"it belongs in an entry of {', '.join(inside[:-1])} or {inside[-1]}" if inside[1:] else ""


def _further_in(word: str, schema: Any, whole: Any) -> str:
    """A hint for a key that stands below one of its neighbours, such as `dice` below `given` of a scenario."""
    inside = [f"`{key}:`" for key, below in schema.get("properties", {}).items() if word in _keys(below, whole)]
    return f"it belongs below {list_with_or(inside)}" if inside else ""


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

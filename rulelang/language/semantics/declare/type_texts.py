"""Type texts of the data: `int`, `number`, `bool`, `A..B`, a KIND, `maybe X`, `set of LIST`, `condition on LIST`."""

from __future__ import annotations

import re

from rulelang.base.diagnostics import Related
from rulelang.base.english import with_article
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlNode, YamlScalar
from rulelang.language.semantics.conditions import stretch
from rulelang.language.semantics.declare.registry import Registry, too_large
from rulelang.language.semantics.model import Bound
from rulelang.language.semantics.types import BOOL, ERROR, INT, PHASE, Type, ref

_RANGE = re.compile(r"\s*(\S+?)\s*\.\.\s*(\S+)\s*\Z")
_WHOLE = re.compile(r"-?[0-9]{1,9}\Z")
_FORMS = (
    "a type is `int`, `number`, `bool`, a range like `0..6`, a kind, `maybe ...`, `set of ...` or `condition on ...`"
)


@record
class TypeText:
    """A type with the bounds that its text gives: `0..6`, or 0 and up for `number`."""

    type: Type
    low: Bound | None = None
    high: Bound | None = None


WRONG = TypeText(ERROR)


def read_type(registry: Registry, node: YamlNode | None, place: Span) -> TypeText:
    """The type that a scalar says; ERROR after N306 to N309. `place` is where a missing type is reported."""
    if node is None or (isinstance(node, YamlScalar) and node.value is None):
        registry.out.error("N306", node.span if node else place, "missing type", because=_FORMS)
        return WRONG
    if not isinstance(node, YamlScalar):
        registry.shape(node, "a type, such as `int` or `maybe place`")
        return WRONG
    return _read(registry, node, 0)


def _read(registry: Registry, word: YamlScalar, start: int) -> TypeText:
    text = word.text[start:].strip()
    start += len(word.text[start:]) - len(word.text[start:].lstrip())
    span = stretch(word, start, start + len(text))
    simple = {"int": TypeText(INT), "number": TypeText(INT, 0), "bool": TypeText(BOOL), "phase": TypeText(PHASE)}
    if text in simple:
        return simple[text]
    if ".." in text:
        return _range(registry, word, text, start)
    head, _, rest = text.partition(" ")
    if head == "maybe" and rest.strip():
        inner = _read(registry, word, start + len("maybe "))
        if inner.type.tag in ("bool", "set", "condition") or inner.type.maybe:
            because = "`maybe` applies to numbers and kinds; without a value, a boolean is false and a set is empty"
            registry.out.error("N306", span, f"`{text}` is not a type", because=because)
            return WRONG
        return TypeText(inner.type if inner.type == ERROR else inner.type.optional(), inner.low, inner.high)
    for tag, joint in (("set", "of"), ("condition", "on")):
        match = re.match(rf"{tag}\s+{joint}\s+(\S+)\Z", text)
        if match:
            return _over(registry, word, start + match.start(1), match.group(1), "set" if tag == "set" else "condition")
    if text == "order":
        because = "rules can compute and compare an `order` but cannot store it"
        registry.out.error("N306", span, "`order` is not a type of data", because=because)
        return WRONG
    if text in registry.kinds:
        return TypeText(ref(text))
    taken = registry.taken.get(text)
    related = [Related(taken[1], "it is declared here")] if taken else []
    message = f"`{text}` is {taken[0]}, not a type" if taken else f"`{text}` is not a type"
    ends = re.fullmatch(r"(-?\d+)\s*(?:-|to)\s*(-?\d+)", text)
    hint = f"write `{ends[1]}..{ends[2]}`" if ends else did_you_mean(text, [*registry.kinds, "int", "number", "bool"])
    if text in ("string", "str", "text", "word", "enum"):
        hint = "declare a list of the words, `lists: {NAME: [WORD, WORD]}`, and write its name here"
    registry.out.error("N306", span, message, because=_FORMS, hint=hint, related=related)
    return WRONG


def _over(registry: Registry, word: YamlScalar, start: int, name: str, tag: str) -> TypeText:
    kind = registry.kinds.get(name)
    span = stretch(word, start, start + len(name))
    if kind is None or kind.category != "list" or kind.counted:
        lists = [k.name for k in registry.kinds.values() if k.category == "list" and not k.counted]
        what = f"`{name}` is {kind.what}" if kind else f"there is no list `{name}`"
        because = f"{with_article(tag)} needs a list with rows"
        related = [Related(kind.span, "it is declared here")] if kind and kind.span.path else []
        registry.out.error("N306", span, what, because=because, hint=did_you_mean(name, lists), related=related)
        return WRONG
    return TypeText(Type("set" if tag == "set" else "condition", name))


def _range(registry: Registry, word: YamlScalar, text: str, start: int) -> TypeText:
    match = _RANGE.match(text)
    span = stretch(word, start, start + len(text))
    if match is None:
        because = "a range consists of two whole numbers, like `0..6` or `-3..9`"
        registry.out.error("N306", span, f"`{text}` is not a range", because=because)
        return WRONG
    low = read_bound(registry, match[1], stretch(word, start + match.start(1), start + match.end(1)))
    high = read_bound(registry, match[2], stretch(word, start + match.start(2), start + match.end(2)))
    if low is None or high is None:
        return WRONG
    if isinstance(low, int) and isinstance(high, int) and low > high:
        because = "a range goes from the lower number to the higher one"
        hint = f"write `{high}..{low}`"
        registry.out.error("N307", span, f"`{text}` is an empty range", because=because, hint=hint)
        return WRONG
    if (
        low != high
        and extent(registry, low)[1] > extent(registry, high)[0]
        and (isinstance(low, int) or isinstance(high, int))
    ):
        because = "in some games the first number is greater than the second"
        registry.out.error("N307", span, f"`{text}` can be an empty range", because=because)
    return TypeText(INT, low, high)


def extent(registry: Registry, bound: Bound) -> tuple[int, int]:
    """The least and the greatest that a bound can be at any table."""
    if isinstance(bound, int):
        return bound, bound
    if bound.startswith("option."):
        option = registry.options[bound.removeprefix("option.")]
        return option.low, option.high
    numbers = [n for n in registry.numbers[bound].by_players.values() if isinstance(n, int)]
    return min(numbers), max(numbers)


def read_bound(registry: Registry, text: str, span: Span) -> Bound | None:
    """A whole number, the name of a `numbers:` entry that is one number, or `option.NAME` of a number; else N309."""
    if _WHOLE.match(text):
        return int(text)
    if too_large(registry, text, span):
        return None
    name = text.removeprefix("option.")
    related: list[Related] = []
    if text.startswith("option."):
        option = registry.options.get(name)
        if option is not None and option.type.tag in ("int", "error"):
            return text
        message = f"option `{name}` is not a number" if option else f"there is no option `{name}`"
        related = [Related(option.span, "the option is declared here")] if option else []
        hint = did_you_mean(text, [f"option.{o}" for o in registry.options])
    else:
        number = registry.numbers.get(name)
        if number is not None and all(isinstance(value, int) for value in number.by_players.values()):
            return name
        message = f"`{name}` is a row of numbers" if number else f"there is no number `{name}`"
        related = [Related(number.span, "it is declared here")] if number else []
        hint = did_you_mean(name, registry.numbers)
    because = "expected a whole number, a name in `numbers:` or `option.NAME`"
    registry.out.error("N309", span, message, because=because, hint=hint, related=related)
    return None

"""Names, kinds and diagnostics known so far while declaring, and the types that data files write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import did_you_mean, with_article
from rulelang.data.patches import Removed
from rulelang.data.schema import name_from
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, node_kind
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, LISTS, NAMES
from rulelang.language.semantics.cards import span_within
from rulelang.language.semantics.model import BOOL, ERROR, INT, PHASE, Bound, Listing, Number, Option, Type, ref

# ---- registry

Category = Literal["list", "ladder", "grid", "cards", "made", "player"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def valid_name(text: str) -> str:
    """Return a hint with a valid name made of `text`, or nothing if no letter is left."""
    name = name_from(text)
    return f"write `{name}`" if NAME.match(name) else ""


#: Words of the language that a thing may not be called, with what they mean.
BUILT_IN: Mapping[str, str] = {
    **{name: row.means for name, row in {**NAMES, **BEARERS}.items()},
    **{name: query.means for name, query in QUERIES.items()},
    **{name: row.means for name, row in LISTS.items()},
    **{name: function.means for name, function in FUNCTIONS.items() if function.means},
    "can": "the question whether something is allowed",
    "int": "a type",
    "number": "a type",
    "bool": "a type",
    "order": "a type",
    "set": "the beginning of a type",
    "condition": "the beginning of a type",
    "maybe": "the beginning of a type",
    "true": "a truth value",
    "false": "a truth value",
    "trait": "the list of traits",
    "player": "the kind of players",
    "if": "a reserved word",
    "else": "a reserved word",
    "elif": "a reserved word",
    "for": "a reserved word",
    "in": "a reserved word",
    "is": "a reserved word",
    "and": "a reserved word",
    "or": "a reserved word",
    "not": "a reserved word",
    "then": "a reserved word",
    "where": "a reserved word",
    "otherwise": "a reserved word",
}


@record
class Kind:
    """A type of values: its rows by name with their numbers. Made things and counted lists have none."""

    name: str
    category: Category
    span: Span
    rows: Mapping[str, int] = field(default_factory=dict)
    counted: bool = False

    @property
    def what(self) -> str:
        words = {"cards": "a card type", "made": "a kind of things made in play", "player": "the kind of players"}
        return words.get(self.category, with_article(self.category))


@dataclass(slots=True)
class Registry:
    """What is known while declaring. `taken`: every top-level name with what it is and where it was declared.

    `players`: the fewest and the most at this game. `known_players`: the same before a mode narrowed them.
    """

    out: Diagnostics
    players: tuple[int, int] = (1, 1)
    known_players: tuple[int, int] = (1, 1)
    kinds: dict[str, Kind] = field(default_factory=dict)
    taken: dict[str, tuple[str, Span]] = field(default_factory=dict)
    numbers: dict[str, Number] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    hidden: dict[str, Listing] = field(default_factory=dict)
    removed: Sequence[Removed] = ()  # what layers took out
    odd: Mapping[Span, Diagnostic] = field(default_factory=dict)  # what is wrong with cells that hold no value
    memo: NullCache = NULL_CACHE

    def claim(self, key: YamlScalar, what: str) -> bool:
        """Register a top-level name. False (and N300, N301 or N302) if it cannot be had."""
        name = key.text
        if not NAME.match(name):
            because = "a name consists of letters, digits and `_` and begins with a letter"
            message = f"`{name}` is not a valid name for {what}"
            self.out.error("N302", key.span, message, because=because, hint=valid_name(name))
            return False
        if name in BUILT_IN:
            because = f"`{name}` is built in: {BUILT_IN[name]}"
            self.out.error(
                "N301", key.span, f"{what} cannot be called `{name}`", because=because, hint="choose another name"
            )
            return False
        if name in self.taken:
            other, span = self.taken[name]
            self.out.error(
                "N300",
                key.span,
                f"`{name}` is already {other} and cannot be {what} too",
                because="rules refer to both by name alone",
                hint="choose another name for one of the two",
                related=[Related(span, f"`{name}` is declared as {other} here")],
            )
            return False
        self.taken[name] = (what, key.span)
        return True

    def kind(self, word: YamlScalar, because: str, among: Iterable[Category] | None = None) -> Kind | None:
        """The kind that a scalar names, or None after N303. `among` narrows the categories."""
        categories = set(among) if among is not None else None
        found = self.kinds.get(word.text)
        known = [k.name for k in self.kinds.values() if categories is None or k.category in categories]
        if found is None:
            what = self.taken.get(word.text)
            message = f"`{word.text}` is {what[0]}" if what else f"nothing is called `{word.text}`"
            related = [Related(what[1], "it is declared here")] if what else []
            hint = did_you_mean(word.text, known)
            self.out.error("N303", word.span, message, because=because, hint=hint, related=related)
            return None
        if categories is not None and found.category not in categories:
            related = [Related(found.span, "it is declared here")] if found.span.path else []
            self.out.error("N303", word.span, f"`{word.text}` is {found.what}", because=because, related=related)
            return None
        return found

    def shape(self, node: YamlNode, expected: str) -> None:
        """Report N304: a value of another shape than expected."""
        self.out.error("N304", node.span, f"expected {expected}, found {node_kind(node)}")


def as_map(registry: Registry, node: YamlNode | None, expected: str) -> YamlMap:
    """The map itself; an empty one for nothing, and (after N304) for something else."""
    if isinstance(node, YamlMap):
        return node
    if node is not None and not (isinstance(node, YamlScalar) and node.value is None):
        registry.shape(node, expected)
    return YamlMap((), node.span if node is not None else NOWHERE)


def as_word(registry: Registry, node: YamlNode | None, expected: str) -> YamlScalar | None:
    """The scalar itself, or None: silently for nothing, after N304 for a map or a list."""
    if isinstance(node, YamlScalar):
        return node if node.value is not None else None
    if node is not None:
        registry.shape(node, expected)
    return None


def as_words(registry: Registry, node: YamlNode | None, expected: str) -> list[YamlScalar]:
    """The scalars of a sequence; one scalar counts as a sequence of one."""
    if isinstance(node, YamlSeq):
        found = [as_word(registry, item, expected) for item in node.items]
        return [word for word in found if word is not None]
    word = as_word(registry, node, expected)
    return [word] if word is not None else []


def as_flag(registry: Registry, node: YamlNode | None) -> bool:
    """A `true` or `false`; nothing counts as false."""
    if isinstance(node, YamlScalar) and (node.value is None or isinstance(node.value, bool)):
        return bool(node.value)
    if node is not None:
        registry.shape(node, "`true` or `false`")
    return False


_DIGITS = re.compile(r"[-+]?[0-9]{10,}\Z")


def too_large(registry: Registry, text: str, span: Span) -> bool:
    """Whether a text is a number of too many digits: N315 has been told then."""
    if not _DIGITS.match(text):
        return False
    shown = text if len(text) <= 40 else text[:37] + "..."
    registry.out.error("N315", span, f"`{shown}` is too large", because="a number may have at most 9 digits")
    return True


# ---- type texts

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
    span = span_within(word, start, start + len(text))
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
    span = span_within(word, start, start + len(name))
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
    span = span_within(word, start, start + len(text))
    if match is None:
        because = "a range consists of two whole numbers, like `0..6` or `-3..9`"
        registry.out.error("N306", span, f"`{text}` is not a range", because=because)
        return WRONG
    low = read_bound(registry, match[1], span_within(word, start + match.start(1), start + match.end(1)))
    high = read_bound(registry, match[2], span_within(word, start + match.start(2), start + match.end(2)))
    if low is None or high is None:
        return WRONG
    if isinstance(low, int) and isinstance(high, int) and low > high:
        because = "a range goes from the lower number to the higher one"
        hint = f"write `{high}..{low}`"
        registry.out.error("N307", span, f"`{text}` is an empty range", because=because, hint=hint)
        return WRONG
    if (
        low != high
        and bound_range(registry, low)[1] > bound_range(registry, high)[0]
        and (isinstance(low, int) or isinstance(high, int))
    ):
        because = "in some games the first number is greater than the second"
        registry.out.error("N307", span, f"`{text}` can be an empty range", because=because)
    return TypeText(INT, low, high)


def bound_range(registry: Registry, bound: Bound) -> tuple[int, int]:
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

"""What is known while a ruleset is declared: its kinds and names so far, and the diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.english import with_article
from rulelang.base.memo import FORGETFUL, Forgetful
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.data.misfits import as_name
from rulelang.data.patches import Removed
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, kind_of
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.lists import LISTS
from rulelang.language.semantics.builtins.names import BEARERS, NAMES
from rulelang.language.semantics.builtins.queries import QUERIES
from rulelang.language.semantics.model import Listing, Number, Option

Category = Literal["list", "ladder", "grid", "cards", "made", "player"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def valid_name(text: str) -> str:
    """Return a hint with a valid name made of `text`, or nothing if no letter is left."""
    name = as_name(text)
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
    memo: Forgetful = FORGETFUL

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
        self.out.error("N304", node.span, f"expected {expected}, found {kind_of(node)}")


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


def flag(registry: Registry, node: YamlNode | None) -> bool:
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

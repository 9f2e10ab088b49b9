"""Reads the `then` of a scenario: expressions, and what it says of the log, the decision and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import nearest_name
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.model import Model, Type
from rulelang.testing.scenarios.formulas import Formula
from rulelang.testing.scenarios.phrases import Phrases
from rulelang.testing.scenarios.position import Position
from rulelang.testing.scenarios.quoted import quoted, unquoted
from rulelang.testing.scenarios.sayings import Sayings
from rulelang.testing.scenarios.sees import Sight, read_sight
from rulelang.testing.scenarios.tokens import Word, items, listed, pairs, unknown, whole, wrong_shape

What = Literal["holds", "log", "decision", "over", "winners", "scores", "options", "sees"]
KEYS: tuple[What, ...] = ("log", "decision", "over", "winners", "scores", "options", "sees")
AMONG, NOT = "among", "not"


@record
class Assertion:
    """One line of `then`. `words` are texts of log lines or options, or players; `numbers` belong to `words`.

    `absent`: texts that no line of the log has, or no option begins with. `among`: `words` are some of the options,
    there may be more. `seat`: of `sees`, the player whose view is looked at, and in whose log. `strangers`:
    things that `absent` options name, and that must be there.
    """

    what: What
    text: str
    span: Span
    formula: Formula | None = None
    words: tuple[Word, ...] = ()
    numbers: tuple[int, ...] = ()
    absent: tuple[Word, ...] = ()
    among: bool = False
    seat: str = ""
    sight: Sight | None = None
    strangers: tuple[Word, ...] = ()


@record
class Context:
    """What steps and assertions are read by. `formula`: reads an expression; `names`: what it may name; `sides`: of the
    largest die."""

    position: Position
    model: Model
    names: Mapping[str, Type]
    formula: Callable[[YamlScalar], Formula | None]
    phrases: Phrases
    sayings: Callable[[], Sayings]
    sides: int
    out: Diagnostics


def read_assertions(nodes: tuple[YamlNode, ...], context: Context) -> list[Assertion]:
    """Return the claims that can be read, up to the last mistake that is shown."""
    split = {id(node) for node in _split(nodes, context.out)}
    whole = (node for node in nodes if id(node) not in split and not context.out.full)
    return [assertion for node in whole for assertion in _assertions(node, context)]


def _split(nodes: tuple[YamlNode, ...], out: Diagnostics) -> list[YamlNode]:
    """The pieces of expressions that a comma in a list in brackets has taken apart, which is told once for each."""
    found: list[YamlNode] = []
    first: YamlScalar | None = None
    depth = 0
    for node in nodes:
        if not isinstance(node, YamlScalar):
            first, depth = None, 0
            continue
        depth += node.text.count("(") - node.text.count(")")
        if first is None and depth > 0:
            first = node
            pieces: list[YamlNode] = []
        if first is None:
            depth = 0
            continue
        pieces.append(node)
        if depth <= 0:
            hint = f'put it in quotes: "{", ".join(piece.text for piece in pieces if isinstance(piece, YamlScalar))}"'
            because = "in a list in brackets, a comma begins the next item"
            out.error("C701", first.span, "the comma splits this expression", because=because, hint=hint)
            found += pieces
            first, depth = None, 0
    return found


def _assertions(node: YamlNode, context: Context) -> list[Assertion]:
    out = context.out
    bare = unquoted(node)
    if bare is not None and (bare.items[0][0].text in KEYS or nearest_name(bare.items[0][0].text, KEYS)):
        quoted(out, node, "a claim about the log, the options, a view or the end")
        return []
    if isinstance(node, YamlScalar):
        read = context.formula(node)
        return [] if read is None else [Assertion("holds", node.text, node.span, read)]
    if not isinstance(node, YamlMap) or len(node) != 1:
        wrong_shape(out, node, f"an expression, or one of {listed(KEYS)}")
        return []
    key, value = node.items[0]
    if key.text not in KEYS:
        if not key.text.isidentifier():
            out.error(
                "C701",
                key.span,
                f"expected an expression, found a map with the key `{key.text}`",
                because="in YAML, `: ` inside a line makes a map",
                hint="put the whole expression in quotes",
            )
        else:
            unknown(out, whole(key), "assertion", KEYS)
        return []
    if key.text == "sees":
        return _sees(key, value, context)
    what: What = next(known for known in KEYS if known == key.text)
    assertion = _special(what, key, value, context)
    return [] if assertion is None else [assertion]


def _sees(key: YamlScalar, node: YamlNode, context: Context) -> list[Assertion]:
    """`{sees: {PLAYER: {OWNER.NAME: what is seen, log: ...}}}`."""
    found: list[Assertion] = []
    form = "{sees: {bob: {ana.hand: hidden}}}"
    for said, parts in pairs(context.out, node, "a map from player to a view", form):
        (seat,) = _players([said], context.position, context.out)
        for word, value in pairs(context.out, parts, "a map from things to their views", form):
            text = f"{seat.text} sees {word.text}: {_plain(value)}"
            if word.text == "log":
                present, absent = _lines(value, context)
                found.append(Assertion("log", text, word.span, words=present, absent=absent, seat=seat.text))
                continue
            sight = read_sight(word, value, context.names, context.model, context.phrases.spoken, context.out)
            if sight is not None:
                found.append(Assertion("sees", text, value.span, seat=seat.text, sight=sight))
    return found


def read_parts(node: YamlNode, known: tuple[str, ...], out: Diagnostics) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """A text or texts that are there; or a map of those that are (`among`) and those that are not (`not`)."""
    if not isinstance(node, YamlMap):
        return tuple(read_texts(node, out)), ()
    found: dict[str, tuple[Word, ...]] = {}
    for word, value in pairs(out, node, ""):
        if word.text in known:
            found[word.text] = tuple(read_texts(value, out))
        else:
            unknown(out, word, "word for texts", known)
    return found.get(AMONG, ()), found.get(NOT, ())


def _lines(node: YamlNode, context: Context) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Texts of the log that are there, and those that are not. Each must be one that the log can have."""
    present, absent = read_parts(node, (NOT,), context.out)
    for word in (*present, *absent):
        context.sayings().check(word, context.phrases.spoken, context.out)
    return present, absent


def _offered(node: YamlNode, context: Context) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Options that are there, and those that are not. Each must be one that there can be."""
    present, absent = read_parts(node, (AMONG, NOT), context.out)
    for word in present:
        context.phrases.check((word,), context.out, "letters")
    for word in absent:
        context.phrases.check((word,), context.out, "words")
    return present, absent


def _special(what: What, key: YamlScalar, value: YamlNode, context: Context) -> Assertion | None:
    position, out = context.position, context.out
    text = f"{what}: {_plain(value)}"
    if what == "over":
        if not isinstance(value, YamlScalar) or not isinstance(value.value, bool):
            wrong_shape(out, value, "true or false", "{over: true}")
            return None
        return Assertion(what, text, value.span, numbers=(int(value.value),))
    if what == "scores":
        found = pairs(out, value, "a map from player to points", "{scores: {ana: 12}}")
        whose = _players([word for word, _ in found], position, out)
        wrong = [node for _, node in found if not (isinstance(node, YamlScalar) and type(node.value) is int)]
        for node in wrong:
            wrong_shape(out, node, "a number of points")
        if wrong:
            return None
        return Assertion(what, text, key.span, words=tuple(whose), numbers=tuple(_int(n) for _, n in found))
    if what in ("log", "options"):
        present, absent = _lines(value, context) if what == "log" else _offered(value, context)
        among = isinstance(value, YamlMap)
        strangers = context.phrases.strangers(absent) if what == "options" else ()
        return Assertion(what, text, key.span, words=present, absent=absent, among=among, strangers=strangers)
    words = read_texts(value, out)
    if what in ("decision", "winners"):
        words = _players(words, position, out)
    if what == "decision" and len(words) != 1:
        wrong_shape(out, value, "one player", "{decision: ana}")
        return None
    return Assertion(what, text, key.span, words=tuple(words))


def read_texts(node: YamlNode, out: Diagnostics) -> list[Word]:
    """A text or a list of texts."""
    found = []
    for item in items(node):
        if isinstance(item, YamlScalar):
            found.append(whole(item))
        else:
            wrong_shape(out, item, "a text")
    return found


def _players(words: list[Word], position: Position, out: Diagnostics) -> list[Word]:
    """The players of these names; C702 for each that is none."""
    found = [position.player(word) for word in words]
    for word in found:
        if not position.seat(word.text):
            unknown(out, word, "player", position.names)
    return found


def _int(node: YamlNode) -> int:
    return node.value if isinstance(node, YamlScalar) and isinstance(node.value, int) else 0


def _plain(node: YamlNode) -> str:
    """A value on one line, as it may stand in braces."""
    if isinstance(node, YamlMap):
        return "{" + ", ".join(f"{key.text}: {_plain(value)}" for key, value in node) + "}"
    if isinstance(node, YamlSeq):
        return "[" + ", ".join(_plain(item) for item in node) + "]"
    return node.text

"""Read the `then` of a scenario: expressions, the log, the decision, the result, and what a seat `sees`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import Layout
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.wording import nearest_name
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.model import Attribute, Grid, Listing, Made, Model, Type
from rulelang.language.semantics.state_layout import type_name
from rulelang.runtime.decision import normalized_text
from rulelang.runtime.views import printed_values
from rulelang.testing.scenarios.formulas import Formula
from rulelang.testing.scenarios.lexicon import ScenarioTexts, StepPhrases
from rulelang.testing.scenarios.log_templates import LogTemplates
from rulelang.testing.scenarios.position import CardSpec, Position, copies_wanted
from rulelang.testing.scenarios.tokens import (
    Word,
    known_spelling,
    list_items,
    listed_names,
    map_pairs,
    map_without_quotes,
    report_quoted_map,
    report_unknown,
    report_wrong_shape,
    split_words,
    whole_word,
)

# ---- `sees`

HIDDEN = "hidden"


@record
class Sight:
    """What a seat sees of one zone or attribute: `NAME` of the game, or of `owner` (a player, a thing or a row).

    `wanted`: hidden, a number (of cards, or a value), a text, or cards in any order.
    """

    path: Word
    owner: str
    name: str
    zone: bool
    wanted: str | tuple[CardSpec, ...]

    def expected(self) -> str:
        if isinstance(self.wanted, str):
            return self.wanted
        return ", ".join(" ".join(word.text for word in card.words) for card in self.wanted) or "no cards"


def read_sight(
    word: Word, node: YamlNode, names: Mapping[str, Type], model: Model, spoken: ScenarioTexts, out: Diagnostics
) -> Sight | None:
    """`OWNER.NAME: what is seen`, or `NAME: ...` of a zone or value of the game."""
    owner, _, name = word.text.rpartition(".")
    kind: str | None = None
    if owner:
        owner = known_spelling(word._replace(text=owner), (*names, *_rows(model))).text
        kind = _kind(owner, names, model)
        if kind is None:
            report_unknown(out, word._replace(text=owner), "player, thing or row", names)
            return None
    zones = {zone.name.rpartition(".")[2]: zone for zone in model.zones.values() if zone.of == kind}
    attributes = _attributes(kind, model)
    name = known_spelling(word._replace(text=name), (*zones, *attributes)).text
    if name not in zones and name not in attributes:
        report_unknown(out, word._replace(text=name), "zone or attribute there", [*zones, *attributes])
        return None
    if isinstance(node, YamlSeq) and name in zones:
        cards = []
        for item in list_items(node):
            if not isinstance(item, YamlScalar) or not item.text.strip():
                report_wrong_shape(out, item, "a card by name", "NAME value")
                return None
            count, card = copies_wanted(CardSpec(tuple(split_words(item))))
            _known_card(card, zones[name].holds, spoken, out)
            cards += [card] * min(count, len(item.text) * 1000)
        return Sight(word, owner, name, True, tuple(cards))
    if isinstance(node, YamlScalar) and node.value is not None:
        if name in zones and node.text != HIDDEN and not node.text.isdecimal():
            card = CardSpec(tuple(split_words(node)))
            _known_card(card, zones[name].holds, spoken, out)
            return Sight(word, owner, name, True, (card,))
        if name in attributes:
            _value_of(whole_word(node), attributes[name], spoken, out)
        return Sight(word, owner, name, name in zones, node.text)
    report_wrong_shape(out, node, "a view: `hidden`, a number, a value or a list of cards", f"{word.text}: {HIDDEN}")
    return None


def _known_card(card: CardSpec, sort: str, spoken: ScenarioTexts, out: Diagnostics) -> None:
    """C702 for a card that there is not."""
    said = normalized_text(" ".join(word.text for word in card.words)).split()
    if said and not any(spoken.of(sort).has(" ".join(said[:end])) for end in range(1, len(said) + 1)):
        report_unknown(out, card.words[0], sort, spoken.given(sort))


def _value_of(word: Word, attribute: Attribute, spoken: ScenarioTexts, out: Diagnostics) -> None:
    """C702 or C704 for what an attribute can never be."""
    kind, text = type_name(attribute.type), normalized_text(word.text)
    if text == HIDDEN or attribute.index:
        return
    if kind == "int":
        if not text.removeprefix("-").isdecimal() and not (attribute.type.maybe and text == "none"):
            out.error("C704", word.span, f"`{attribute.name}` is a number, not `{word.text}`")
    elif not spoken.told(kind).has(text):
        report_unknown(out, word, kind, spoken.given(kind))


def _kind(owner: str, names: Mapping[str, Type], model: Model) -> str | None:
    if owner in names:
        return "player" if names[owner].name == "player" else names[owner].name
    return _rows(model).get(owner)


def _rows(model: Model) -> dict[str, str]:
    """The rows of lists, by name, with their list."""
    return {row.name: kind for kind, listing in model.lists.items() for row in listing.rows}


def _attributes(kind: str | None, model: Model) -> Mapping[str, Attribute]:
    if kind is None:
        return model.state
    if kind == "player":
        return model.player_attributes
    holders: dict[str, Made | Listing | Grid] = {**model.made, **model.lists, **model.grids}
    return holders[kind].attributes if kind in holders else {}


def judge_sight(sight: Sight, view: Mapping[str, Any], layout: Layout) -> tuple[bool, str]:
    """Whether a view shows what is wanted, and what it shows."""
    there = next(_owners(sight.owner, view), None)
    if there is None:
        return False, f"there is no `{sight.owner}`"
    if not sight.zone:
        found = there["attributes"]
        text = _value(found[sight.name]) if sight.name in found else HIDDEN
        return isinstance(sight.wanted, str) and normalized_text(text) == normalized_text(sight.wanted), text
    zone = next(zone for name, zone in there["zones"].items() if name.rpartition(".")[2] == sight.name)
    cards = zone.get("cards")
    if isinstance(sight.wanted, str) and sight.wanted != HIDDEN:
        return zone["count"] == int(sight.wanted), str(zone["count"])
    if cards is None:
        return sight.wanted == HIDDEN, HIDDEN
    labels = ", ".join(card["label"] for card in cards) or "no cards"
    return not isinstance(sight.wanted, str) and _same_cards(list(sight.wanted), list(cards), layout), labels


def _owners(name: str, view: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if not name:
        yield {"attributes": view["state"], "zones": view["zones"]}
        return
    of_players = [thing for player in view["players"] for made in player["things"].values() for thing in made]
    of_nobody = [thing for made in view["nobody"].values() for thing in made]
    rows = [row for listed in view["lists"].values() for row in listed]
    for part in (*view["players"], *of_players, *of_nobody, *rows):
        if name in (part["name"], part["name"].replace(" ", "")):
            yield part


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _same_cards(wanted: list[CardSpec], cards: list[Mapping[str, Any]], layout: Layout) -> bool:
    """Whether these are the cards. The most particular are looked for first, so that none takes another's."""
    if len(wanted) != len(cards):
        return False
    for spec in sorted(wanted, key=lambda spec: -len(spec.words)):
        found = next((card for card in cards if _fits(spec, card, _printed(card, layout))), None)
        if found is None:
            return False
        cards.remove(found)
    return True


def _printed(card: Mapping[str, Any], layout: Layout) -> set[str]:
    """What may be said of a card beside its name: its columns, and what is printed there."""
    for info in layout.cards:
        same = info.sort == card["sort"] and info.row == card["row"]
        if same and printed_values(info, layout) == card["printed"]:
            return {*info.texts, *(word for text in info.texts.values() for word in text.split(","))}
    return set()


def _fits(spec: CardSpec, card: Mapping[str, Any], printed: set[str]) -> bool:
    text = normalized_text(" ".join(word.text for word in spec.words))
    for name in map(normalized_text, (card["label"], card["row"] or card["label"])):
        rest = text[len(name) :] if text.startswith(name) else None
        if (
            rest is not None
            and (not rest or rest.startswith(" "))
            and set(rest.split()) <= set(map(normalized_text, printed))
        ):
            return True
    return False


# ---- assertions

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
    phrases: StepPhrases
    sayings: Callable[[], LogTemplates]
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
    bare = map_without_quotes(node)
    if bare is not None and (bare.items[0][0].text in KEYS or nearest_name(bare.items[0][0].text, KEYS)):
        report_quoted_map(out, node, "a claim about the log, the options, a view or the end")
        return []
    if isinstance(node, YamlScalar):
        read = context.formula(node)
        return [] if read is None else [Assertion("holds", node.text, node.span, read)]
    if not isinstance(node, YamlMap) or len(node) != 1:
        report_wrong_shape(out, node, f"an expression, or one of {listed_names(KEYS)}")
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
            report_unknown(out, whole_word(key), "assertion", KEYS)
        return []
    if key.text == "sees":
        return _sees_assertions(key, value, context)
    what: What = next(known for known in KEYS if known == key.text)
    assertion = _special_assertion(what, key, value, context)
    return [] if assertion is None else [assertion]


def _sees_assertions(key: YamlScalar, node: YamlNode, context: Context) -> list[Assertion]:
    """`{sees: {PLAYER: {OWNER.NAME: what is seen, log: ...}}}`."""
    found: list[Assertion] = []
    form = "{sees: {bob: {ana.hand: hidden}}}"
    for said, parts in map_pairs(context.out, node, "a map from player to a view", form):
        (seat,) = _players([said], context.position, context.out)
        for word, value in map_pairs(context.out, parts, "a map from things to their views", form):
            text = f"{seat.text} sees {word.text}: {_plain(value)}"
            if word.text == "log":
                present, absent = _log_assertion(value, context)
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
    for word, value in map_pairs(out, node, ""):
        if word.text in known:
            found[word.text] = tuple(read_texts(value, out))
        else:
            report_unknown(out, word, "word for texts", known)
    return found.get(AMONG, ()), found.get(NOT, ())


def _log_assertion(node: YamlNode, context: Context) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Texts of the log that are there, and those that are not. Each must be one that the log can have."""
    present, absent = read_parts(node, (NOT,), context.out)
    for word in (*present, *absent):
        context.sayings().check(word, context.phrases.spoken, context.out)
    return present, absent


def _option_assertion(node: YamlNode, context: Context) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Options that are there, and those that are not. Each must be one that there can be."""
    present, absent = read_parts(node, (AMONG, NOT), context.out)
    for word in present:
        context.phrases.check((word,), context.out, "letters")
    for word in absent:
        context.phrases.check((word,), context.out, "words")
    return present, absent


def _special_assertion(what: What, key: YamlScalar, value: YamlNode, context: Context) -> Assertion | None:
    position, out = context.position, context.out
    text = f"{what}: {_plain(value)}"
    if what == "over":
        if not isinstance(value, YamlScalar) or not isinstance(value.value, bool):
            report_wrong_shape(out, value, "true or false", "{over: true}")
            return None
        return Assertion(what, text, value.span, numbers=(int(value.value),))
    if what == "scores":
        found = map_pairs(out, value, "a map from player to points", "{scores: {ana: 12}}")
        whose = _players([word for word, _ in found], position, out)
        wrong = [node for _, node in found if not (isinstance(node, YamlScalar) and type(node.value) is int)]
        for node in wrong:
            report_wrong_shape(out, node, "a number of points")
        if wrong:
            return None
        return Assertion(what, text, key.span, words=tuple(whose), numbers=tuple(_int(n) for _, n in found))
    if what in ("log", "options"):
        present, absent = _log_assertion(value, context) if what == "log" else _option_assertion(value, context)
        among = isinstance(value, YamlMap)
        strangers = context.phrases.strangers(absent) if what == "options" else ()
        return Assertion(what, text, key.span, words=present, absent=absent, among=among, strangers=strangers)
    words = read_texts(value, out)
    if what in ("decision", "winners"):
        words = _players(words, position, out)
    if what == "decision" and len(words) != 1:
        report_wrong_shape(out, value, "one player", "{decision: ana}")
        return None
    return Assertion(what, text, key.span, words=tuple(words))


def read_texts(node: YamlNode, out: Diagnostics) -> list[Word]:
    """A text or a list of texts."""
    found = []
    for item in list_items(node):
        if isinstance(item, YamlScalar):
            found.append(whole_word(item))
        else:
            report_wrong_shape(out, item, "a text")
    return found


def _players(words: list[Word], position: Position, out: Diagnostics) -> list[Word]:
    """The players of these names; C702 for each that is none."""
    found = [position.player(word) for word in words]
    for word in found:
        if not position.seat(word.text):
            report_unknown(out, word, "player", position.names)
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

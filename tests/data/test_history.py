"""The record of what each layer changed: verb, place, span, before and after; and where each final value stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rulelang.compiler.compilation import Compilation
from rulelang.data.patches import Change
from rulelang.data.ruleset import load_ruleset
from rulelang.data.ruleset_source import RulesetSource

Write = Callable[..., Path]

BASE = """\
numbers: {eras: 4, again: [2, 3, 3]}
options: {how: {values: [a, b], default: a}}
cards:
  card:
    columns: {face: part}
    rows:
      - {face: head, copies: 2}
      - {face: body, copies: 3}
"""


def load(write: Write, *mods: str) -> RulesetSource:
    base = write("tiny", {"base.yaml": BASE, "t.yaml": "trait: horns\ntext: x\n"})
    extra = {1: "", 2: "after: [m1]\n"}
    places = [write(f"m{n}", {"patch.yaml": text}, extra=extra[n]) for n, text in enumerate(mods, 1)]
    source, diagnostics = load_ruleset(base, places)
    assert source is not None
    assert not diagnostics.failed
    return source


def told(change: Change) -> tuple[object, ...]:
    before, after = (node.plain() if node is not None else None for node in (change.before, change.after))
    return change.layer, change.verb, ".".join(change.place), str(change.span), before, after


def test_every_change_is_kept_in_order(write: Write) -> None:
    first = "remove: [cards.card.rows.1]\nset:\n  numbers.eras: 5\n  traits.horns.text: y\n"
    source = load(write, first, "set:\n  numbers.eras: 6\n  cards.card.rows.1.copies: 9\n")
    assert [told(change) for change in source.history.changes] == [
        (1, "remove", "cards.card.rows.#0", "m1/patch.yaml:1:10", {"face": "head", "copies": 2}, None),
        (1, "set", "numbers.eras", "m1/patch.yaml:3:3", 4, 5),
        (1, "set", "traits.horns.text", "m1/patch.yaml:4:3", "x", "y"),
        (2, "set", "numbers.eras", "m2/patch.yaml:2:3", 5, 6),
        (2, "set", "cards.card.rows.#1.copies", "m2/patch.yaml:3:3", 3, 9),
    ]
    assert [change.layer for change in source.history.of(("numbers", "eras"))] == [1, 2]
    assert [change.verb for change in source.history.of(("cards", "card"))] == ["remove", "set"]
    assert not source.history.of(("options",))


def test_every_value_has_a_place_a_layer_and_a_span(write: Write) -> None:
    mod = "set: {numbers.again.2: 9}\nremove: [cards.card.rows.1]\ncards: {card: {rows: [{face: tail}]}}\n"
    source = load(write, mod)
    traits = {trait.id: trait.node for trait in source.traits}
    found = {".".join(entry.place): entry.value for entry in source.history.entries(source.tree, traits)}
    assert {place: found[place].plain() for place in found if place.startswith("cards.card.rows.")} == {
        "cards.card.rows.#1": {"face": "body", "copies": 3},
        "cards.card.rows.#1.face": "body",
        "cards.card.rows.#1.copies": 3,
        "cards.card.rows.#2": {"face": "tail"},
        "cards.card.rows.#2.face": "tail",
    }
    assert [(found[place].layer, found[place].span.path) for place in ("numbers.again.#2", "numbers.again.#3")] == [
        (1, "m1/patch.yaml"),
        (0, "tiny/base.yaml"),
    ]
    assert found["options.how.values.b"].plain() == "b"
    assert found["traits.horns.text"].plain() == "x"


def test_what_rules_replace_is_kept_too(write: Write) -> None:
    rules = "game:\n  grow\nroutine grow: size = 2\nvalue score(player p) -> int: 0\n"
    base = write("tiny", {"base.yaml": "state: {size: {is: number}}\n", "game.rules": rules})
    mods = [
        write("m1", {"m.rules": "replace routine grow: size = 3\n"}),
        write("m2", {"m.rules": "\nreplace routine grow: size = 4\n"}, extra="after: [m1]\n"),
    ]
    program, diagnostics = Compilation(base, mods).typed
    assert not diagnostics.failed
    assert [
        (c.layer, c.verb, c.place, *(str(span) for span in (c.span, c.declared, c.before, c.after)))
        for c in program.changes
    ] == [
        (1, "replace", "grow", "m1/m.rules:1:1", "tiny/game.rules:3:9", "tiny/game.rules:3:1", "m1/m.rules:1:9"),
        (2, "replace", "grow", "m2/m.rules:2:1", "tiny/game.rules:3:9", "m1/m.rules:1:9", "m2/m.rules:2:9"),
    ]

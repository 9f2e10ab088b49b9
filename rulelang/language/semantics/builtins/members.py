"""The built-in members: what follows a dot and is not declared by a ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.families import CARDS as SORTS
from rulelang.language.semantics.builtins.families import EVERY, FACED, LYING, PLACED, THINGS, TRAITS
from rulelang.language.semantics.builtins.row import Example, Has, Member
from rulelang.language.semantics.cards import bearers_of
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.types import INT, PLAYER, TRAIT, Type, ref

_CARDS_LIE = "players: {ana: [{ada: [slime 1, shell 2]}], bob: [ben]}"
_TWINS = """
cards:
  twin:
    columns: {faces: set of trait}
    rows: [{faces: shell+slime, copies: 2}]
zones:
  outfit: {of: snail, holds: twin, seen_by: everyone, in_force: true}
""".strip()
_PAIRS = """
trait: bond
pair: mutual
text: {en: Two snails keep together.}
cards: [{weight: [1]}]
rules: "modify strength(self): + partner.size"
""".strip()
_BUSHES = """
kinds: {bush: {of: player, in: place, at_most: 4}}
""".strip()


def _place(model: Model, kind: str) -> str:
    return model.made[kind].place or ""


def _on(model: Model, kind: str) -> Type:
    """What cards of a sort lie on in force, if there is such a kind; else what they lie on at all."""
    found = bearers_of(model, kind, in_force=True) or bearers_of(model, kind)
    return ref(found[0], maybe=True)


_ROWS = (
    Member(
        "owner",
        (
            Has(THINGS, lambda model, kind: ref(model.made[kind].of), "player"),
            Has(SORTS, lambda model, kind: PLAYER.optional(), "maybe player"),
        ),
        "the player who owns the thing, or whose zone the card is in; for a card on a thing, the owner of the thing",
        Example(
            "value shares(snail s, snail t) -> bool: s.owner == t.owner",
            ("shares(ada, ben)", "not shares(ada, dan)", "no(card c in deck where c.owner is present)"),
        ),
        said="the owner of {thing}",
        own="owner",
    ),
    Member(
        "number",
        (Has(EVERY, lambda model, kind: INT, "int"),),
        "a thing's slot among its owner's things, a card's or row's number in its list, or a player's seat; numbers "
        "start at 1",
        Example(
            "value even_food(food f) -> bool: f.number % 2 == 0",
            ("even_food(mushroom)", "not even_food(leaf)", "ana.number == 1"),
        ),
        printed=True,
        said="the number of {thing}",
        own="number",
    ),
    Member(
        "place",
        (Has(PLACED, lambda model, kind: ref(_place(model, kind)), "LIST"),),
        "the thing's place; the member has the name of the list after `in:`; rules can change it",
        Example(
            """
routine plant(player p):
  create bush b of p in wall
  if b.place == wall: b.place = bed
value walled -> int: count(bush b where b.place == wall)
""".strip(),
            ("walled == 0", "count(bush b in bed) == 1"),
            _BUSHES,
            given="players: {ana: {snail: [ada]}, bob: {snail: [dan]}}",
            when=("plant ana",),
        ),
        called=_place,
        shown="LIST",
        written=True,
        said="the place of {thing}",
        own="place",
    ),
    Member(
        "face",
        (Has(FACED, lambda model, kind: TRAIT, "trait"),),
        "the card's trait; if the card has several, the trait that it shows on a thing",
        Example(
            "value shows(snail s, trait t) -> bool: any(card c on s where c.face == t)",
            ("shows(ada, slime)", "not shows(ben, slime)"),
            given=_CARDS_LIE,
        ),
        column=True,
        said="the face of {thing}",
        own="face",
    ),
    Member(
        "faces",
        (Has(FACED, lambda model, kind: Type("set", "trait"), "set of trait"),),
        "all traits that the card can show",
        Example(
            "value could_be(twin c, trait t) -> bool: t in c.faces",
            ("all(twin c: could_be(c, shell) and could_be(c, slime))",),
            _TWINS,
        ),
        column=True,
        printed=True,
        said="the faces of {thing}",
        own="faces",
    ),
    Member(
        "on",
        (Has(LYING, _on, "maybe KIND"),),
        "the thing that the card is on; missing if the card is not on a thing",
        Example(
            "value worn_by(card c, snail s) -> bool: c.on == s",
            ("all(card c on ada: worn_by(c, ada))", "no(card c in deck where c.on is present)"),
            given=_CARDS_LIE,
        ),
        said="the thing that {thing} is on",
    ),
    Member(
        "partner",
        (Has(LYING, _on, "maybe KIND"),),
        "the other thing that a pair card connects; missing for all other cards",
        Example(
            """
routine tie(snail s, snail t):
  for card c in hand where c.face.pair == mutual: move c to s.gear with t
value tied(snail s) -> int: count(card c on s where c.partner is present)
""".strip(),
            ("tied(ada) == 1", "tied(ben) == 1", "tied(dan) == 0"),
            _PAIRS,
            given="players: {ana: {snail: [ada, ben], hand: [bond]}, bob: [dan]}",
            when=("tie ada ben",),
        ),
        said="the partner of {thing}",
        own="partner",
    ),
    Member(
        "pair",
        (Has(TRAITS, lambda model, kind: ref("pair", maybe=True), "maybe pair"),),
        "how the trait connects two things (`mutual` or `directed`); missing if the trait does not connect things",
        Example(
            "value bonds(trait t) -> bool: t.pair == mutual",
            ("not bonds(shell)", "no(trait t where t.pair is present)"),
        ),
        column=True,
        printed=True,
        said="how {thing} connects two things",
    ),
)

#: By name, in the order of the reference.
MEMBERS: Mapping[str, Member] = {row.name: row for row in _ROWS}


def members_of(model: Model, kind: str) -> dict[str, Member]:
    """Those of a kind, by the names that rules read them by."""
    return {row.name_of(model, kind): row for row in _ROWS if row.type_of(model, kind) is not None}

"""The built-in names, lists and members."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.definitions import CARDS as SORTS
from rulelang.language.semantics.builtins.definitions import (
    EVERY,
    FACED,
    LYING,
    PLACED,
    THINGS,
    TRAITS,
    BuiltinList,
    BuiltinName,
    Example,
    Member,
    MemberOwners,
)
from rulelang.language.semantics.cards import bearers_of
from rulelang.language.semantics.model import INT, PHASE, PLAYER, TRAIT, Model, Type, ref

# ---- names

_NAMES = (
    BuiltinName(
        "players",
        INT,
        "the number of players",
        "the number of players",
        Example("value is_duel -> bool: players == 2", ("is_duel",)),
        said="the number of players",
        printed=True,
    ),
    BuiltinName(
        "active",
        PLAYER.optional(),
        "the player whose turn it is, in the outermost `turns`; missing outside `turns`",
        "the player whose turn it is",
        Example("value on_turn(snail s) -> bool: s.owner == active", ("not on_turn(ada)", "not on_turn(dan)")),
        said="the player whose turn it is",
        sure=frozenset({"turns"}),
    ),
    BuiltinName(
        "actor",
        PLAYER.optional(),
        "the player who must respond to an offer or a question; missing if there is neither",
        "the player who must respond to an offer or a question",
        Example("value mine(snail s) -> bool: s.owner == actor", ("not mine(ada)",)),
        said="you",
        sure=frozenset({"action", "turns"}),
    ),
    BuiltinName(
        "round",
        INT,
        "the round number, starting at 1",
        "the round number",
        Example("value is_early -> bool: round < 2", ("is_early",)),
        said="the round",
    ),
    BuiltinName(
        "phase",
        PHASE.optional(),
        "the current phase; missing outside a phase",
        "the current phase",
        Example("value at_dawn -> bool: phase == dawn", ("at_dawn",)),
        said="the phase",
    ),
    BuiltinName(
        "nobody",
        PLAYER,
        "an owner that is not a player: it gets no questions, offers or score, and loops over players skip it; "
        "changes to `nobody` have no effect",
        "the owner that never acts",
        Example("value is_wild(snail s) -> bool: s.owner == nobody", ("not is_wild(ada)",)),
        said="nobody",
        printed=True,
    ),
    BuiltinName(
        "option",
        None,
        "the options chosen for this table: `option.NAME` is the value of the option NAME, which the manifest declares",
        "the options chosen for a table",
        Example("value is_wet -> bool: option.dew or option.length > 3", ("not is_wet",)),
        printed=True,
    ),
    BuiltinName(
        "none",
        None,
        "a missing value",
        "a missing value",
        Example(
            "value hurt(snail s) -> maybe snail: s if s.mood == angry else none",
            ("hurt(ben) == ben", "hurt(ada) is missing"),
        ),
    ),
    BuiltinName(
        "box",
        None,
        "the zone for cards that are out of the game",
        "the zone for cards that are out of the game",
        Example("value is_out(card c) -> bool: c in box", ("no(card c in deck where is_out(c))",)),
    ),
)

#: What rules of a card or a row say of what brings them.
_BEARERS = (
    BuiltinName("self", None, "the thing that the card is on, or the row itself", "the bearer of a card", None),
    BuiltinName("this", None, "the card that has the rule", "the card or row that has the rule", None),
    BuiltinName(
        "owner", None, "the player who owns `self`, or whose zone the card is in", "the player who owns a thing", None
    ),
    BuiltinName("partner", None, "the other thing in a pair", "the other thing in a pair", None),
)

#: By name, in the order of the reference. Nothing declared may take them.
NAMES: Mapping[str, BuiltinName] = {row.name: row for row in _NAMES}
BEARERS: Mapping[str, BuiltinName] = {row.name: row for row in _BEARERS}
#: Those that stand for a player.
PLAYERS = tuple(row.name for row in _NAMES if row.type is not None and row.type.sure() == PLAYER)


# ---- lists

_LISTS = (
    BuiltinList(
        "pair",
        ("mutual", "directed"),
        "how the rules of a trait with `pair:` apply: to both things, or from one thing to the other",
        Example(
            "value one_way(trait t) -> bool: t.pair == directed",
            ("not one_way(shell)",),
        ),
    ),
    BuiltinList(
        "side",
        ("left", "right"),
        "the ends of a row of things, used in `create ... at`",
        Example(
            "routine join_in(player p, side end): create snail of p at end",
            ("left_of(ada) is present", "right_of(ada) is missing"),
            given="players: {ana: [ada], bob: [dan]}",
            when=("join_in ana left",),
        ),
    ),
)

#: By name. Nothing declared may take them.
LISTS: Mapping[str, BuiltinList] = {row.name: row for row in _LISTS}


# ---- members

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


_MEMBERS = (
    Member(
        "owner",
        (
            MemberOwners(THINGS, lambda model, kind: ref(model.made[kind].of), "player"),
            MemberOwners(SORTS, lambda model, kind: PLAYER.optional(), "maybe player"),
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
        (MemberOwners(EVERY, lambda model, kind: INT, "int"),),
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
        (MemberOwners(PLACED, lambda model, kind: ref(_place(model, kind)), "LIST"),),
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
        (MemberOwners(FACED, lambda model, kind: TRAIT, "trait"),),
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
        (MemberOwners(FACED, lambda model, kind: Type("set", "trait"), "set of trait"),),
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
        (MemberOwners(LYING, _on, "maybe KIND"),),
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
        (MemberOwners(LYING, _on, "maybe KIND"),),
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
        (MemberOwners(TRAITS, lambda model, kind: ref("pair", maybe=True), "maybe pair"),),
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
MEMBERS: Mapping[str, Member] = {row.name: row for row in _MEMBERS}


def builtin_members(model: Model, kind: str) -> dict[str, Member]:
    """Those of a kind, by the names that rules read them by."""
    return {row.name_of(model, kind): row for row in _MEMBERS if row.type_of(model, kind) is not None}

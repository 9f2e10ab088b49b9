"""Positions of a game that anybody can read: two players or more, with a thing each, in one of its phases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.api import load
from rulelang.base.errors import RuleError
from rulelang.base.wording import player_count_text
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.language.semantics.cards import bearers_of, face_column
from rulelang.language.semantics.model import INT, Attribute, CardType, Made, Model, Zone
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from rulelang.testing.scenarios.yaml_forms import Given
from rulelang.tools.scaffolding.files import CannotStart

PLAYERS = ("ana", "bob", "cleo", "dan", "eve", "finn", "gus", "hal")


@dataclass(frozen=True, slots=True)
class SamplePosition:
    """A position that the game can come to. `given` is empty if it is the very start of a game.

    `things`: the names of the players' first things, by player, where a position has some; `second`: of another one of
    the first player. `hand`: the names of the first player's cards.
    """

    given: Given
    state: State
    things: Mapping[str, str]
    second: str = ""
    hand: tuple[str, ...] = ()

    @property
    def choices(self) -> int:
        """How much the first player may do; 0 if another one is asked."""
        return self.state.option_count if self.state.decider == 1 else 0


@dataclass(frozen=True, slots=True)
class Variation:
    """How a position differs from the plain one.

    `words`: attributes of the first player's thing; `state`: values of the game; `beside`: another trait that is in
    force; `second`: the first player has another thing.
    """

    words: str = ""
    state: Mapping[str, int] = field(default_factory=dict)
    beside: str = ""
    second: bool = False


PLAIN_POSITION = Variation()


@dataclass(frozen=True, slots=True)
class Bearer:
    """Where a card with a trait lies to be in force: on a thing of a `kind`, or in a `zone` of a player or the game."""

    sort: CardType
    kind: str
    zone: Zone


def model_of(compilation: Compilation) -> Model:
    """The model of a ruleset. LoadError if it has mistakes."""
    if compilation.diagnostics.failed:
        raise LoadError(compilation.diagnostics, compilation.checked.sources)
    return compilation.model


def bearer_of(model: Model) -> Bearer | None:
    """Where the cards of the first sort that bears traits are in force; None in a game without traits."""
    for sort in model.sorts.values():
        if face_column(sort) is None:
            continue
        kinds = bearers_of(model, sort.name, in_force=True)
        zones = [zone for zone in model.zones.values() if zone.holds == sort.name and zone.in_force and not zone.slot]
        for zone in zones:
            if zone.of in kinds or (not kinds and zone.of in (None, "player")):
                return Bearer(sort, zone.of if zone.of in kinds and zone.of else "", zone)
    return None


def player_names(model: Model, names: Sequence[str] = ()) -> list[str]:
    """As many players as the game needs, two if it may be; or those of these names. CannotStart if they are too few."""
    low, high = model.players
    if names and not low <= len(names) <= high:
        raise CannotStart(f"a game for {player_count_text(low, high)} cannot start with {len(names)}")
    return list(names) or [*PLAYERS, *(f"player{n}" for n in range(9, 101))][: min(max(low, 2), high)]


def candidate_positions(
    compilation: Compilation,
    players: Sequence[str],
    phase: str = "",
    borne: str = "",
    variation: Variation = PLAIN_POSITION,
) -> Iterator[tuple[Given, _PositionNames]]:
    """Positions that may be, with what is called in them. `borne`: a trait that is in force for the first player."""
    model, program = compilation.model, compilation.program
    phases = [name for name, routine in program.routines.items() if routine.phase and not routine.params]
    if phase and phase not in phases:
        raise CannotStart(f"there is no phase `{phase}`; the phases are: {', '.join(phases) or 'none'}")
    owned, names = _owned_things(model, players, borne, variation)
    state: Given = {"state": dict(variation.state)} if variation.state else {}
    for name in [phase] if phase else phases:
        yield {"phase": name, "turn": players[0], **state, **owned}, names


def sample_positions(where: str, players: Sequence[str], phase: str = "", borne: str = "") -> list[SamplePosition]:
    """The positions to which the game can come, that in which the first player may do most first."""
    compilation = Compilation(where)
    game = load(where)
    return sorted(
        _playable_positions(compilation, game, players, phase, borne, PLAIN_POSITION), key=lambda laid: -laid.choices
    )


def varied_positions(where: str, players: Sequence[str], borne: str) -> Iterator[SamplePosition]:
    """The positions of `lay`, then those with more food, larger things, other traits and so on, the plainest first."""
    compilation = Compilation(where)
    game = load(where)
    plain = sorted(
        _playable_positions(compilation, game, players, "", borne, PLAIN_POSITION), key=lambda laid: -laid.choices
    )
    yield from plain
    for variation in position_variations(compilation.model, borne):
        yield from _playable_positions(compilation, game, players, "", borne, variation)


def position_variations(model: Model, borne: str) -> Iterator[Variation]:
    """What may differ from the plain position, the likeliest to matter first."""
    bearer = bearer_of(model)
    made = model.made[bearer.kind] if bearer is not None and bearer.kind else None
    raised = {name: number for name, one in model.state.items() if (number := _raised_value(one, 5)) is not None}
    more = [
        f"{name} {number}"
        for name, one in (made.attributes if made else {}).items()
        for number in dict.fromkeys([_raised_value(one, 1), _raised_value(one, 3)])
        if number is not None
    ]
    for state in ({}, *({name: number} for name, number in raised.items())):
        if state:
            yield Variation(state=state)
        yield from (Variation(words, state) for words in more)
        if made is not None:
            yield Variation(state=state, second=True)
    others = [name for name in model.traits if name != borne]
    for state in ({}, *({name: number} for name, number in raised.items())):
        yield from (Variation(state=state, beside=name) for name in others)


def _raised_value(one: Attribute, by: int) -> int | None:
    """A larger value than that at the start; None for what is not a plain number.

    A start or bound that a number of the game decides is guessed: a position with too large a value is passed over.
    """
    if one.type != INT or one.index:
        return None
    start = one.start if isinstance(one.start, int) else 1
    number = min(start + by, one.high) if isinstance(one.high, int) else start + by
    return number if number > start else None


def _playable_positions(
    compilation: Compilation, game: Game, players: Sequence[str], phase: str, borne: str, variation: Variation
) -> Iterator[SamplePosition]:
    for given, names in candidate_positions(compilation, players, phase, borne, variation):
        state = _try_position(game, given)
        if state is not None:
            yield SamplePosition(given, state, names.things, names.second, names.hand)


def start_position(where: str, players: Sequence[str]) -> SamplePosition:
    """The very start of a game."""
    return SamplePosition({}, load(where).new(len(players), 7, list(players)), {})


def _try_position(game: Game, given: Given) -> State | None:
    try:
        return game.position(given)
    except (LoadError, RuleError):
        return None


@dataclass(slots=True)
class _PositionNames:
    """What things and cards of a position are called; see `Laid`."""

    things: dict[str, str] = field(default_factory=dict)
    second: str = ""
    hand: tuple[str, ...] = ()


def _owned_things(
    model: Model, players: Sequence[str], borne: str, variation: Variation
) -> tuple[Given, _PositionNames]:
    """What players have: a thing of a kind each, cards in hand; and a card with the trait for the first."""
    bearer = bearer_of(model)
    kind = _thing_kind(model, bearer)
    hands = [
        zone
        for zone in model.zones.values()
        if zone.of == "player" and zone.seen_by == "owner" and not zone.in_force and not zone.slot
    ]
    hands = hands[:1]  # the first is the hand; what else is seen by its owner is laid there in play
    whole: Given = {}
    names = _PositionNames()
    things = names.things
    for seat, player in enumerate(players):
        mine = borne if seat == 0 else ""
        owns: dict[str, object] = {}
        for zone in hands:
            if cards := _hand_cards(model.sorts[zone.holds], model, seat):
                owns[zone.short_name] = cards
                names.hand = names.hand or tuple(cards)
        if bearer and mine and not bearer.kind and bearer.zone.of == "player":
            owns[bearer.zone.short_name] = [mine, *([variation.beside] if variation.beside else [])]
        if kind is not None:
            things[player] = kind.names[seat] if seat < len(kind.names) else f"{kind.name}{seat + 1}"
            more = variation.words if seat == 0 else ""
            words = " ".join(part for part in (_quoted_name(things[player]), _start_place(model, kind), more) if part)
            lies = bearer is not None and bearer.kind == kind.name and mine
            borne_by = [mine, variation.beside] if variation.beside else [mine]
            thing: object = {words: _cards_on_thing(model, bearer, borne_by)} if bearer is not None and lies else words
            owns[kind.name] = [thing]
            if variation.second and seat == 0:
                at = len(players)
                names.second = kind.names[at] if at < len(kind.names) else f"{kind.name}{at + 1}"
                owns[kind.name] = [
                    thing,
                    " ".join(x for x in (_quoted_name(names.second), _start_place(model, kind)) if x),
                ]
        short = len(model.made) == 1 and list(owns) == list(model.made)
        whole[player] = owns[next(iter(owns))] if short else owns
    given: Given = {"players": whole}
    if borne and bearer and bearer.zone.of is None:
        given["zones"] = {bearer.zone.short_name: [borne]}
    return given, names


def _cards_on_thing(model: Model, bearer: Bearer, traits: Sequence[str]) -> object:
    """The cards on a thing, in the short form if only one zone of it is in force."""
    mine = [zone for zone in model.zones.values() if zone.of == bearer.kind and zone.in_force]
    if len(mine) != 1:
        return {bearer.zone.short_name: [*traits]}
    return traits[0] if len(traits) == 1 else [*traits]


def _thing_kind(model: Model, bearer: Bearer | None) -> Made | None:
    """The kind of which players have a thing each: what bears traits, or the first of players."""
    if bearer is not None and bearer.kind:
        return model.made[bearer.kind]
    return next((made for made in model.made.values() if made.of == "player"), None)


def _start_place(model: Model, kind: Made) -> str:
    if kind.place is None:
        return ""
    rows = model.lists[kind.place].rows if kind.place in model.lists else ()
    return rows[0].name if rows else "a1"


def _hand_cards(sort: CardType, model: Model, seat: int) -> list[str]:
    """Two cards of a sort by name or face, others for each seat."""
    column = face_column(sort)
    names: dict[str, None] = {}
    for row in sort.rows:
        face = row.columns.get(column.name) if column is not None else None
        number = face[0] if isinstance(face, tuple) and face else face
        named = row.name or (model.lists["trait"].rows[number - 1].name if isinstance(number, int) and number else "")
        if named and row.copies:
            names[named] = None
    found = list(names)[2 * seat : 2 * seat + 2]
    return [_quoted_name(name) for name in found]


def _quoted_name(name: str) -> str:
    """A name as a position writes it: in double quotes where it is not one word."""
    return f'"{name}"' if re.search(r"\s", name) else name

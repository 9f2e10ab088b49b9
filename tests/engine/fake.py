"""A tiny game, linked by hand: two rounds of laying cards from hidden hands on creatures. No compiler is involved.

Each player keeps one card in secret first; then, in turn, lays a card on a creature (its size grows by the rank), lets
a creature grow by one, or passes. No creature may grow beyond size 6. The sum of the sizes is the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.base.layout import (
    ActionInfo,
    AttributeLayout,
    CardInfo,
    Cells,
    DecisionPoint,
    KindLayout,
    Layout,
    LogTemplate,
    Reason,
    TableLayout,
    ZoneLayout,
)
from rulelang.base.source import Span
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.program import NATIVE_OR_PYTHON, Host, LinkedProgram, OptionTuple
from rulelang.runtime.rng import FACTOR, MASK
from rulelang.runtime.table import GameInfo, TableOption

HERE = Span("fake.rules", 3, 1, 3, 20)
FORBIDDEN = Span("fake.yaml", 9, 5, 9, 30)
KEEP, TURN = 1, 2
SET_UP, KEPT, LAID, GREW, BONUS = range(5)
CREATURES = 2  # of each player


def action(name: str, *types: str) -> ActionInfo:
    return ActionInfo(name, name, types, types, "", HERE)


class Fake:
    """The program. Its stack holds: stage, and how many turns have been taken in it."""

    def __init__(self, players: int, options: Mapping[str, int]) -> None:
        self.players = players
        self.turns = players * 2
        self.limit = options["limit"]
        self.teams: tuple[tuple[int, ...], ...] = ((1, 3), (2, 4)) if options["teams"] and players == 4 else ()
        next_word = count(1)

        def claim(words: int = 1) -> int:
            base = next(next_word)
            for _ in range(words - 1):
                next(next_word)
            return base

        cells = Cells(*(claim() for _ in Cells.__dataclass_fields__))
        cards = [CardInfo("", "", (), {}, 0, "")]
        for row, ranks in (("claw", (1, 1, 2, 3)), ("wing", (1, 2, 2, 2)), ("tail", (1, 1, 1, 1))):
            for rank in ranks:
                look = 1 + len({(c.row, str(c.columns)) for c in cards[1:]} - {(row, str({"rank": rank}))})
                same = [c.look for c in cards if (c.row, c.columns) == (row, {"rank": rank})]
                cards.append(
                    CardInfo(
                        "card", row, (), {"rank": rank}, same[0] if same else look, row, ("rank",), {"rank": str(rank)}
                    )
                )
        many = len(cards) - 1
        creatures = players * CREATURES
        self.size_at, self.bag_at = claim(creatures + 1), claim(players + 1)
        self.mark_at, self.goal_at, self.table_at = claim(many + 1), claim(), claim((players + 1) * 4)
        alive, nexts, prevs = claim(creatures + 1), claim(creatures + 1), claim(creatures + 1)
        first, last, number = claim(players + 1), claim(players + 1), claim(players + 1)
        where, card_next, card_prev = claim(many + 1), claim(many + 1), claim(many + 1)
        zones: dict[str, ZoneLayout] = {}
        owners, whose, titles = [0], [0], [""]

        def array(name: str, of: str, seen_by: str, room: int, owned: int) -> None:
            id_ = len(owners) - (1 if of else 0)
            base = claim((room + 1) * (owned or 1)) - (room + 1 if of else 0)
            zones[name] = ZoneLayout(name, of, "card", seen_by, id_, owned, True, base, room + 1)  # type: ignore[arg-type]
            for o in range(1, owned + 1) if of else (0,):
                owners.append(o)
                whose.append(o if of == "player" else 0)
                titles.append(name)

        array("box", "", "everyone", many, 0)
        array("deck", "", "nobody", many, 0)
        array("hand", "player", "owner", many, players)
        array("kept", "player", "owner", many, players)
        zones["traits"] = ZoneLayout(
            "traits", "creature", "card", "everyone", len(owners) - 1, creatures, False,
            first=claim(creatures + 1), last=claim(creatures + 1), count=claim(creatures + 1), in_force=True,
        )  # fmt: skip
        for o in range(1, creatures + 1):
            owners.append(o)
            whose.append((o - 1) // CREATURES + 1)
            titles.append("traits")
        stack = claim(8)
        self.cells = cells
        self.layout = Layout(
            stack + 8, players, cells,
            (
                AttributeLayout("creature", "size", self.size_at, creatures, "int"),
                AttributeLayout("player", "bag", self.bag_at, players, "int", "owner"),
                AttributeLayout("card", "mark", self.mark_at, many, "bool"),
                AttributeLayout("", "goal", self.goal_at, 0, "colour"),
            ),
            {"creature": KindLayout("creature", players, CREATURES, CREATURES, alive, 0, "", nexts, prevs, first, last,
                                    number, ("wolf", "crab", "newt"))},
            zones, {"seen": TableLayout("seen", self.table_at, ("player", "colour"), (players + 1, 4))},
            tuple(cards), {"card": (1, many)},
            {"colour": ("none", "red", "green", "blue"), "phase": ("none", "keeping", "laying")},
            where, card_next, card_prev, 0, 0, 0, tuple(owners), tuple(whose), tuple(titles), stack,
        )  # fmt: skip
        self.sites = [
            DecisionPoint("choose", (action("card c", "card", ""),), "keep a card", HERE),
            DecisionPoint("offer", (action("lay", "card", "creature"), action("grow", "creature")), "your turn", HERE),
            DecisionPoint("offer", (action("bow", "player", "int"),), "never asked", HERE),
        ]
        self.templates = [
            LogTemplate("routine", "set_up", "", ("the game begins",), HERE),
            LogTemplate("action", "keep", "", ((0, "player"), " keeps ", (1, "card")), HERE),
            LogTemplate("action", "lay", "", ((0, "card"), " is laid on ", (1, "creature")), HERE),
            LogTemplate("action", "grow", "", ((0, "creature"), " grows by ", (1, "int")), HERE),
            LogTemplate("hook", "wing: after lay", "wing", ((0, "creature"), " flies"), FORBIDDEN),
        ]
        self.reasons = [
            Reason(((0, "creature"), " cannot grow beyond ", (1, "int")), "", HERE),
            Reason(("it is not yours",), "", HERE),
            Reason(("a tail cannot be laid on ", (0, "creature")), "tail", FORBIDDEN),
        ]
        self.start = self._fresh(many)

    # ---- the program

    def begin(self, S: list[int], host: Host) -> list[OptionTuple] | None:
        host.line(SET_UP, ())
        self._shuffle(S, self._at("deck", 0))
        for player in range(1, self.players + 1):
            S[self.goal_at] = 1 + self._below(S, 3) if (die := host.die(3)) < 0 else 1 + die
            for _ in range(3):
                self._move(S, self._cards(S, "deck", 0)[-1], "hand", player)
            for slot in range(CREATURES):
                self._create(S, (player - 1) * CREATURES + slot + 1, player)
        S[self.cells.phase] = 1
        S[self.cells.curtain] = 1
        host.curtain()
        return self._ask(S)

    def resume(self, S: list[int], host: Host | None, option: OptionTuple) -> list[OptionTuple] | None:
        host = host or Quiet()
        player, stage = S[self.cells.decider], S[self.layout.stack]
        if stage == 0:
            host.open(KEPT, (player, option[1]))
            self._move(S, option[1], "kept", player)
            host.close()
        elif option[0] == 0:
            card, creature = option[1:]
            host.open(LAID, (card, creature))
            self._link(S, card, creature)
            S[self.size_at + creature] += int(str(self.layout.cards[card].columns["rank"]))
            if self.layout.cards[card].row == "wing":
                host.open(BONUS, (creature,))
                host.line(GREW, (creature, 0))
                host.close()
            host.close()
        elif option[0] == 1:
            host.line(GREW, (option[1], 1))
            S[self.size_at + option[1]] += 1
        if S[self.size_at] or max(S[self.size_at : self.bag_at]) > 50:
            raise RuleError(Diagnostic("X601", HERE, "a size of more than 50"))
        S[self.layout.stack + 1] += 1
        if stage == 0 and S[self.layout.stack + 1] == self.players:
            S[self.layout.stack], S[self.layout.stack + 1] = 1, 0
            S[self.cells.curtain], S[self.cells.phase], S[self.cells.round] = 0, 2, 1
            host.curtain_end()
        elif stage == 1 and S[self.layout.stack + 1] == self.turns:
            S[self.cells.over], S[self.cells.site], S[self.cells.decider] = 1, 0, 0
            return None
        return self._ask(S)

    def options(self, S: list[int]) -> list[OptionTuple] | None:
        if S[self.cells.over]:
            return None
        player = S[self.cells.decider]
        hand = self._cards(S, "hand", player)
        if S[self.cells.site] == KEEP:
            return [(0, card, 7) for card in hand]
        own = range((player - 1) * CREATURES + 1, player * CREATURES + 1)
        lay = [(0, card, c) for card in hand for c in own if not self.why(S, "lay", (card, c))]
        return [*lay, *((1, c) for c in own if not self.why(S, "grow", (c,))), (-1,)]

    @property
    def routines(self) -> dict[str, tuple[str, ...]]:
        return {"inflate": ("creature", "int")}

    def call(self, S: list[int], host: Host, routine: str, args: Sequence[int]) -> list[OptionTuple] | None:
        if routine != "inflate":
            raise KeyError(routine)
        host.line(GREW, (args[0], args[1]))
        S[self.size_at + args[0]] += args[1]
        return self.options(S)

    def pack(self, S: list[int]) -> list[int]:
        return S

    standings: Sequence[object] = ()

    def words_wrong(self, S: Sequence[int]) -> str:
        return ""

    def frames_wrong(self, S: Sequence[int]) -> str:
        return ""

    def in_action(self, S: Sequence[int]) -> bool:
        return False

    def why(self, S: list[int], routine: str, args: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        if not args:
            return []
        creature = args[-1]
        rank = int(str(self.layout.cards[args[0]].columns["rank"])) if routine == "lay" else 1
        found: list[tuple[int, tuple[int, ...]]] = []
        if (creature - 1) // CREATURES + 1 != S[self.cells.decider]:
            found.append((1, ()))
        if S[self.size_at + creature] + rank > self.limit:
            found.append((0, (creature, self.limit)))
        if routine == "lay" and self.layout.cards[args[0]].row == "tail" and self._cards(S, "traits", creature):
            found.append((2, (creature,)))
        return found

    def pure(self, S: list[int], function: str, args: Sequence[int]) -> int:
        return {"size": lambda c: S[self.size_at + c]}[function](*args)

    def score(self, S: list[int], player: int) -> int:
        return sum(S[self.size_at + (player - 1) * CREATURES + slot + 1] for slot in range(CREATURES))

    def tiebreak(self, S: list[int], player: int) -> tuple[int, ...]:
        return (len(self._cards(S, "hand", player)),)

    def invariants(self, S: list[int]) -> list[tuple[str, Span]]:
        return [("sizes", HERE)] if max(S[self.size_at : self.bag_at]) > 40 else []

    def watch(self, most: int, invariants: bool) -> None:
        self.most = most

    def playout(self, S: list[int]) -> None:
        options = self.options(S) if S[self.cells.site] else self.begin(S, Quiet())
        while options is not None:
            x, c = S[self.cells.policy_x], S[self.cells.policy_c]
            t = x * FACTOR + c
            S[self.cells.policy_x], S[self.cells.policy_c] = t & MASK, t >> 30
            options = self.resume(S, Quiet(), options[((x ^ c) * len(options)) >> 30])

    def sample(self, S: list[int]) -> None:
        self.playout(S)

    # ---- its parts

    def frames_end(self, S: Sequence[int]) -> int:
        return len(S)

    @property
    def initial(self) -> list[int]:
        return self.start.copy()

    def _fresh(self, many: int) -> list[int]:
        S = [0] * self.layout.size
        for card in range(1, many + 1):
            self._push(S, card, "deck", 0)
        return S

    def _ask(self, S: list[int]) -> list[OptionTuple] | None:
        turn = S[self.layout.stack + 1]
        S[self.cells.decider] = turn % self.players + 1
        S[self.cells.site] = TURN if S[self.layout.stack] else KEEP
        S[self.cells.active] = S[self.cells.decider] if S[self.layout.stack] else 0
        if S[self.layout.stack]:
            S[self.cells.round] = turn // self.players + 1
        S[self.cells.decisions] += 1
        return self.options(S)

    def _at(self, zone: str, owner: int) -> int:
        return self.layout.zones[zone].base + owner * self.layout.zones[zone].stride

    def _cards(self, S: list[int], zone: str, owner: int) -> list[int]:
        from rulelang.runtime.views import zone_cards

        return zone_cards(self.layout.zones[zone], owner, S, self.layout.card_next)

    def _push(self, S: list[int], card: int, zone: str, owner: int) -> None:
        at = self._at(zone, owner)
        S[at] += 1
        S[at + S[at]] = card
        S[self.layout.where + card] = self.layout.zones[zone].first_id + owner

    def _take(self, S: list[int], card: int) -> None:
        zone_id = S[self.layout.where + card]
        at = self._at(self.layout.zone_names[zone_id], self.layout.zone_owner[zone_id])
        cards = [c for c in S[at + 1 : at + 1 + S[at]] if c != card]
        S[at : at + S[at] + 1] = [len(cards), *cards, 0]

    def _move(self, S: list[int], card: int, zone: str, owner: int) -> None:
        self._take(S, card)
        self._push(S, card, zone, owner)

    def _link(self, S: list[int], card: int, creature: int) -> None:
        self._take(S, card)
        zone = self.layout.zones["traits"]
        last = S[zone.last + creature]
        if last:
            S[self.layout.card_next + last] = card
            S[self.layout.card_prev + card] = last
        else:
            S[zone.first + creature] = card
        S[zone.last + creature] = card
        S[zone.count + creature] += 1
        S[self.layout.where + card] = zone.first_id + creature

    def _create(self, S: list[int], creature: int, player: int) -> None:
        kind = self.layout.kinds["creature"]
        S[kind.alive + creature] = 1
        last = S[kind.last + player]
        if last:
            S[kind.next + last] = creature
            S[kind.prev + creature] = last
        else:
            S[kind.first + player] = creature
        S[kind.last + player] = creature
        S[kind.count + player] += 1
        S[self.size_at + creature] = 1

    def _below(self, S: list[int], bound: int) -> int:
        x, c = S[self.cells.rng_x], S[self.cells.rng_c]
        t = x * FACTOR + c
        S[self.cells.rng_x], S[self.cells.rng_c] = t & MASK, t >> 30
        return ((x ^ c) * bound) >> 30

    def _shuffle(self, S: list[int], at: int) -> None:
        for i in range(S[at], 1, -1):
            j = 1 + self._below(S, i)
            S[at + i], S[at + j] = S[at + j], S[at + i]


class Quiet:
    """A host that notes nothing."""

    def open(self, template: int, args: tuple[int, ...]) -> None: ...
    def line(self, template: int, args: tuple[int, ...]) -> None: ...
    def close(self) -> None: ...
    def curtain(self) -> None: ...
    def settle(self) -> None: ...
    def curtain_end(self) -> None: ...
    def die(self, bound: int) -> int:
        return -1


def link(players: int, options: Mapping[str, int], backend: str) -> LinkedProgram:
    if backend not in ("python", "native", "auto", NATIVE_OR_PYTHON):
        raise ValueError(f"there is no backend `{backend}`")
    return Fake(players, options)


def fake_game(content: str = "abc") -> Game:
    everywhere = dict.fromkeys(range(2, 5), 0)
    options = {
        "limit": TableOption("limit", (), 2, 9, False, dict.fromkeys(range(2, 5), 6)),
        "teams": TableOption("teams", (), 0, 1, True, everywhere),
        "map": TableOption("map", ("island", "coast"), 1, 2, False, dict.fromkeys(range(2, 5), 1)),
    }
    return Game(GameInfo("fake", "1.0.0", "Fake", content), (2, 4), options, link, make_agent)

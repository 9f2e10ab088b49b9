"""How a table is arranged: its game, seats, names and keys, and the speed of the game."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from rulelang.api import load
from rulelang.base.errors import BadArgument
from rulelang.base.languages import Language, PhrasedError
from rulelang.base.phrases import phrase
from rulelang.compiler.compilation import Compilation
from rulelang.presentation.view.words import SharedTexts
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from rulelang.runtime.table import Table
from rulelang.testing.scenarios.opening import NotFound, at_scenario, with_card

# ---- names of players

#: Characters of a name, and marks on one letter.
LONGEST_NAME, MARKS = 24, 2
#: Characters that show nothing, although Python calls them printable: fillers, joiners, selectors of variants.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: Letters of Cyrillic, Greek, Armenian and of the phonetic alphabet, and the Latin letters that they look like.
LIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮԌԚԜѴаеѕіјкорсухһԁԛԝѵӏґ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγεικνορτυχωϲϳϹϿ" "ՏՕօսոցհ" "ıɑɡɩʋ",
    "ABESIJKMHOPCTYXYGQWVaesijkopcyxhdqwvlr" "ABEZHIKMNOPTYXayeiknoptuxwcjCJ" "SOoungh" "iagiv",
)  # fmt: skip
#: Capital I, digit 1 and a bar look like a small L in many fonts; a zero looks like an O.
STROKES = str.maketrans("I1|0", "lllO")


def shown_name(given: str) -> str:
    """Return a name as it is shown: short, on one line, without invisible characters. "" if nothing is left."""
    plain = INVISIBLE.sub("", unicodedata.normalize("NFC", given.encode("utf-8", "ignore").decode()))
    words = ["".join(char for char in word if char.isprintable()) for word in plain.split()]
    return _few_marks(" ".join(word for word in words if word))[:LONGEST_NAME].strip()


def _few_marks(name: str) -> str:
    """Leave out marks that pile up on one letter and cover the lines around it."""
    found: list[str] = []
    marks = MARKS  # at the start there is no letter to carry any
    for char in name:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= MARKS:
            found.append(char)
    return "".join(found)


def look_alike(one: str, other: str) -> bool:
    """Whether two names look the same to somebody who reads quickly, or are the same but for capital letters."""
    first, second = _drawn(one), _drawn(other)
    if first.casefold() == second.casefold():
        return True
    return first.translate(STROKES).casefold() == second.translate(STROKES).casefold()


def _drawn(name: str) -> str:
    return unicodedata.normalize("NFKC", name).translate(LIKE).replace(" ", "")


def unused_name(name: str, others: Iterable[str]) -> str:
    """Return a name that none of the others looks like: this one, or with a number after it."""
    known, found, number = [*others], name, 1
    while any(look_alike(found, one) for one in known):
        number += 1
        found = f"{name} {number}"
    return found


# ---- seats and keys

Kind = Literal["person", "bot", "open"]
KINDS: tuple[Kind, ...] = ("person", "bot", "open")

#: The agent that plays for a person who is away.
STAND_IN = "greedy"


def token() -> str:
    """Make a key that nobody can guess."""
    return secrets.token_urlsafe(18)


def is_same_key(given: str, known: str) -> bool:
    """Whether a key is the known one. The time that this takes reveals nothing. An empty key is never right."""
    return bool(known) and secrets.compare_digest(given.encode("utf-8", "replace"), known.encode())


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat. `token` lets its person in; `agent` plays for a bot, or for a person who is away."""

    kind: Kind
    name: str
    agent: str = STAND_IN
    token: str = field(default_factory=token)

    def plain(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {"kind": self.kind, "name": self.name, "agent": self.agent, "token": self.token}


@dataclass(frozen=True, slots=True)
class Role:
    """As what somebody comes to a table: on a `seat` (0: none), as its `host`, who arranges it, or as a guest who
    `may_sit` down on an open seat."""

    seat: int = 0
    host: bool = False
    may_sit: bool = False


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a table apart from those of its seats: a person with `invite` may sit down, one with `watch` may only
    look on."""

    invite: str = field(default_factory=token)
    watch: str = field(default_factory=token)


# ---- how a table begins

PERSON, BOT, OPEN = "person", "bot", "open"


class BadRequest(PhrasedError, ValueError):
    """What a browser asked for cannot be; the text says why."""


@dataclass(frozen=True, slots=True)
class Spec:
    """`game`: a folder or the id of a shipped game. `scenario`: in whose position it begins, which then decides how
    many play. `given`: a position as the `given` of a scenario has it. `card`: a trait or card that the first seat of a
    new game begins with."""

    game: str
    mods: tuple[str, ...] = ()
    mode: str | None = None
    players: int = 0
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    scenario: str | None = None
    given: Mapping[str, Any] | None = None
    card: str | None = None
    backend: str = "python"

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Spec:
        return cls(**{**record, "mods": tuple(record["mods"])})

    def files(self) -> str:
        """What changes with any byte of its files."""
        return Compilation(self.game, self.mods, self.mode).checked.fingerprint

    def load(self) -> Game:
        return load(self.game, self.mods, self.mode)

    def begin(self, game: Game, names: list[str]) -> State:
        """The game at its first decision. Wrong for what cannot be; LoadError, RuleError for mistakes in the rules."""
        try:
            if self.scenario is not None:
                return at_scenario(self.game, self.scenario, self.mods, self.mode, self.backend)
            if self.given is not None:
                return game.position(self.given, self.backend)
            state = game.new(self.players, self.seed, names, self.options, self.backend)
            return state if self.card is None else with_card(state, self.card)[0]
        except (BadArgument, NotFound) as problem:
            raise BadRequest(str(problem)) from None


class Speakers:
    """Languages in which the things of a game's tables are called as `look:` has them, with what is said of them
    wherever they are: made once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.codes = game.languages  # asked once: it looks for catalogues among the files
        self.known: dict[tuple[int, str], tuple[Table, Language, SharedTexts]] = {}

    def language(self, table: Table, code: str) -> Language:
        """One of them; English if there is none of that code."""
        return self._known(table, code)[1]

    def book(self, table: Table, code: str) -> SharedTexts:
        """What is said in it."""
        return self._known(table, code)[2]

    def _known(self, table: Table, code: str) -> tuple[Table, Language, SharedTexts]:
        code = code if code in self.codes else "en"
        key = (id(table), code)
        if key not in self.known:
            self.known[key] = (table, self.game.language(code).labelled(), SharedTexts())
        return self.known[key]


# ---- the setup

#: Seconds between the moves of bots that may be chosen; for a decision; until a bot plays for somebody who is away.
SLOWEST, LONGEST, AWAY = 10.0, 24 * 3600.0, 30.0


@dataclass(frozen=True, slots=True)
class Setup:
    """`host`: the key of the person who opened the table; the person keeps the host's rights without a seat. `speed`:
    seconds before a bot's move. `turn`: seconds for a decision of a person (0: no limit). `away`: seconds until a bot
    plays for a person who is away (0: never)."""

    seats: tuple[Seat, ...]
    keys: Keys = field(default_factory=Keys)
    host: str = ""
    speed: float = 0.6
    turn: float = 0.0
    away: float = AWAY
    begun: bool = False

    @property
    def full(self) -> bool:
        """Whether nobody is missing."""
        return all(seat.kind != "open" for seat in self.seats)

    def role(self, given: str, *, author: bool) -> Role | None:
        """Return as what a key lets in now; None if it does not."""
        host = author or is_same_key(given, self.host)
        for number, seat in enumerate(self.seats, 1):
            if seat.kind == "person" and is_same_key(given, seat.token):
                return Role(number, host=host)
        if host:
            return Role(0, host=True, may_sit=True)
        if is_same_key(given, self.keys.invite):
            return Role(0, may_sit=True)
        return Role() if is_same_key(given, self.keys.watch) else None

    def sat(self, number: int, name: str, given: str = "") -> Setup:
        """Give an open seat to a person who came in with the key `given`. Wrong if it is taken, or so is the name."""
        if not 1 <= number <= len(self.seats) or self.seats[number - 1].kind != "open":
            raise BadRequest(phrase("this seat is taken"))
        name = shown_name(name)
        if not name:
            raise BadRequest(phrase("enter your name"))
        others = [seat for at, seat in enumerate(self.seats, 1) if at != number]
        if any(look_alike(seat.name, name) for seat in others if seat.kind != "open"):
            raise BadRequest(phrase("another player here is already called {name}", name=name))
        # The host who sits down keeps the key that makes them the host.
        key = given if is_same_key(given, self.host) and not self._has_seat(given) else token()
        seats = [*self.seats]
        seats[number - 1] = Seat("person", name, token=key)
        for at, seat in enumerate(seats, 1):
            if seat.kind == "open" and look_alike(seat.name, name):
                seats[at - 1] = replace(seat, name=unused_name(f"seat {at}", (one.name for one in seats)))
        return replace(self, seats=tuple(seats))

    def _has_seat(self, key: str) -> bool:
        return any(seat.kind == "person" and is_same_key(key, seat.token) for seat in self.seats)

    def arranged(self, number: int, kind: str, agent: str) -> Setup:
        """Give a seat to a bot, or leave it open before the game begins. The key of whoever had it is void from then
        on. Wrong for a seat or an agent that does not exist."""
        if not 1 <= number <= len(self.seats):
            raise BadRequest(phrase("this seat does not exist"))
        if kind == "bot":
            now = replace(self.seats[number - 1], kind="bot", agent=checked_agent(agent), token=token())
        elif kind == "open" and not self.begun:
            now = replace(self.seats[number - 1], kind="open", token=token())
        else:
            raise BadRequest(phrase("a seat belongs to a bot, or stays open until the game starts"))
        return replace(self, seats=(*self.seats[: number - 1], now, *self.seats[number:]))

    def paced(self, speed: float | None, turn: float | None) -> Setup:
        """Have bots wait for so long before they move, and limit the time of a person's decision."""
        return replace(
            self,
            speed=self.speed if speed is None else min(max(speed, 0.0), SLOWEST),
            turn=self.turn if turn is None else min(max(turn, 0.0), LONGEST),
        )

    def plain(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "seats": [seat.plain() for seat in self.seats],
            "keys": [self.keys.invite, self.keys.watch],
            "host": self.host,
            "speed": self.speed,
            "turn": self.turn,
            "away": self.away,
            "begun": self.begun,
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Setup:
        """Read what `plain` wrote. ValueError, TypeError or LookupError if a value is not what it writes."""
        seats = tuple(_seat(seat) for seat in record["seats"])
        invite, watch = record["keys"]
        host = record["host"]
        if type(host) is int:  # as files have it that earlier versions wrote: the number of the host's seat
            host = seats[host - 1].token if host else ""
        speed, turn, away = times = [float(record[name]) for name in ("speed", "turn", "away")]
        begun = record["begun"]
        typed = all(isinstance(one, str) for one in (invite, watch, host)) and isinstance(begun, bool)
        if not seats or not typed or not all(0 <= time <= 1e6 for time in times):
            raise ValueError
        return cls(seats, Keys(invite, watch), host, speed, turn, away, begun)


def _seat(record: Mapping[str, Any]) -> Seat:
    seat = Seat(record["kind"], record["name"], record["agent"], record["token"])
    if seat.kind not in KINDS or not all(isinstance(one, str) for one in (seat.name, seat.agent, seat.token)):
        raise ValueError
    if seat.kind == "bot":
        checked_agent(seat.agent)
    return seat


def checked_agent(agent: str) -> str:
    """Return the name of an agent. Wrong if there is none of that name."""
    try:
        make_agent(agent)
    except BadArgument as problem:
        raise BadRequest(str(problem)) from None
    return agent

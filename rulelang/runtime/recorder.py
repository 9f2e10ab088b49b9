"""What a running game tells the log, as it goes: raw entries, and what changed on the table between them.

Entries are kept as data in a chain of pairs (entry, what came before), so that a clone shares its past for nothing.
What lies where is compared only when something is told, and only where a log is written at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.errors import RuleError
from rulelang.runtime.program import ROLL
from rulelang.runtime.watched_cells import CLOSE, CURTAIN, PASS, ROUND

if TYPE_CHECKING:
    from rulelang.runtime.table import Table


class CardSnapshot(NamedTuple):
    """Where a card lay, and which face it showed, when an event began or ended."""

    zone: int
    face: int


class Entry(NamedTuple):
    """One raw entry. `parent` is the number of the causing event, -1 for none; `snapshots` are of the card arguments.

    `by`: of an action the seat of whose it is, of all else the seat that was asked last before it; 0 for none.
    """

    template: int
    args: tuple[int, ...]
    parent: int
    depth: int
    snapshots: tuple[CardSnapshot, ...]
    by: int = 0

    @property
    def numbered(self) -> bool:
        """Whether it is an event."""
        return self.template >= 0 or self.template == PASS


#: Events of one move: a log that nobody can read any more keeps everybody at the table, and on a server, waiting.
MOST = 5_000

Chain = tuple[Entry, Any] | None  # (the last entry, the chain before it)


class Recorder:
    """The host of one state: it writes the log, and keeps the curtain's snapshot and the fixed dice."""

    __slots__ = (
        "asked",
        "chain",
        "count",
        "curtain_from",
        "curtain_words",
        "dice",
        "enabled",
        "first",
        "known",
        "misfit",
        "opened",
        "table",
        "took",
        "words",
    )

    def __init__(self, table: Table, words: list[int], enabled: bool) -> None:
        self.table = table
        self.words = words
        self.enabled = enabled
        self.known = words[:] if enabled else words  # as they were when changes were noted last; never changed in place
        self.chain: Chain = None
        self.first = 0  # number of the first event after the last decision
        self.count = 0  # events so far (entries that are none are not counted)
        self.opened: tuple[tuple[int, Entry], ...] = ()  # events that have not ended, outermost first
        self.asked = 0  # the seat that chose last
        self.took = (0, 0)  # the seat that was offered something last, and the site, if it did something there
        self.curtain_from = 0  # number of the first event behind the curtain
        self.curtain_words: list[int] | None = None  # never changed once taken
        self.dice: tuple[int, ...] = ()  # fixed ones still to come, 0 .. sides - 1
        self.misfit: tuple[int, int] | None = None  # what a fixed one showed, from 1, and the sides of the die: too few

    def copy(self, words: list[int]) -> Recorder:
        """Return a recorder with the same past for the words of the next move, which it writes about from here on."""
        new = Recorder.__new__(Recorder)
        new.table = self.table
        new.words = words
        new.enabled = self.enabled
        new.known = self.known
        new.chain = self.chain
        new.first = new.count = self.count
        new.opened = self.opened
        new.asked = self.asked
        new.took = self.took
        new.curtain_from = self.curtain_from
        new.curtain_words = self.curtain_words
        new.dice = self.dice
        new.misfit = self.misfit
        return new

    # ---- what a running program calls

    def open(self, template: int, args: tuple[int, ...]) -> None:
        if self.enabled:
            entry = self._add(template, args)
            self.opened = (*self.opened, (self.count - 1, entry))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        if self.enabled:
            self._add(template, args)

    def close(self) -> None:
        if not self.enabled or not self.opened:
            return
        self.settle()
        number, entry = self.opened[-1]
        self.opened = self.opened[:-1]
        if entry.snapshots:
            # The cards may have moved meanwhile: who saw where they went has seen them.
            snapshots = self._snapshots(entry.template, entry.args)
            if snapshots != entry.snapshots:
                self.chain = (Entry(CLOSE, (), number, 0, snapshots), self.chain)

    def curtain(self) -> None:
        if self.curtain_words is None:
            if self.enabled:
                self.settle()
                self._note(CURTAIN, ())
            self.curtain_words = self.words[:]
            self.curtain_from = self.count

    def curtain_end(self) -> None:
        if not self.words[self.table.program.layout.cells.curtain]:
            if self.enabled:
                self.settle()
            self.curtain_words = None

    def die(self, bound: int) -> int:
        if not self.dice:
            return ROLL
        value, self.dice = self.dice[0], self.dice[1:]
        if value >= bound:
            self.misfit = self.misfit or (value + 1, bound)
        return min(value, bound - 1)

    # ---- what a state calls

    @property
    def cause(self) -> str:
        """The trait or row whose rule led to what happens now; "" if only rules of the game did, or nothing is told."""
        templates = self.table.program.templates
        sources = (templates[entry.template].source for _, entry in reversed(self.opened))
        return next(filter(None, sources), "")

    def chosen(self, seat: int, number: int, passed: bool) -> None:
        """A player has chosen at the decision site of this number; `passed`: nothing of what was there."""
        self.asked = seat
        site = self.table.program.sites[number - 1]
        if site.kind != "offer":
            return
        if self.enabled and passed:
            self._add(PASS, (seat, number, int(self.took == (seat, number) and site.goes_on)))
        self.took = (0, 0) if passed else (seat, number)

    def settle(self) -> None:
        """Note what has changed on the table since it was noted last, as done by the event that has not ended."""
        if not self.enabled:
            return
        words, known, at = self.words, self.known, self.table.program.layout.cells.round
        begins, found = known[at] != words[at], self.table.news(known, words)
        for template, args, faces in found or ():
            self._note(template, args, tuple([CardSnapshot(*face) for face in faces]))
        if begins:
            self._note(ROUND, (words[at],))
        if begins or found is not None:
            self.known = words[:]

    # ---- entries

    def _add(self, template: int, args: tuple[int, ...]) -> Entry:
        if self.count - self.first >= MOST and template >= 0:
            span = self.table.program.templates[template].span
            raise RuleError(Diagnostic("X614", span, f"the rules wrote more than {MOST:,} events in one move"))
        self.settle()
        by = args[0] if template == PASS else self._by(template)
        entry = self._note(template, args, self._snapshots(template, args), by)
        self.count += 1
        return entry

    def _note(
        self, template: int, args: tuple[int, ...], snapshots: tuple[CardSnapshot, ...] = (), by: int | None = None
    ) -> Entry:
        opened = self.opened
        parent = opened[-1][0] if opened else -1
        entry = Entry(template, args, parent, len(opened), snapshots, self.asked if by is None else by)
        self.chain = (entry, self.chain)
        return entry

    def _by(self, template: int) -> int:
        program = self.table.program
        if program.templates[template].what != "action":
            return self.asked
        actor = self.words[program.layout.cells.actor]
        return actor if actor <= self.table.players else 0

    def _snapshots(self, template: int, args: tuple[int, ...]) -> tuple[CardSnapshot, ...]:
        positions = self.table.card_args[template] if template >= 0 else ()
        return tuple([self._snapshot(args[position]) for position in positions]) if positions else ()

    def _snapshot(self, card: int) -> CardSnapshot:
        layout = self.table.program.layout
        if not card:
            return CardSnapshot(0, 0)
        return CardSnapshot(
            self.words[layout.where + card], self.words[layout.card_face + card] if layout.card_face else 0
        )

    def entries(self) -> list[Entry]:
        """All raw entries, oldest first."""
        found = []
        chain = self.chain
        while chain is not None:
            entry, chain = chain
            found.append(entry)
        found.reverse()
        return found

    def load(self, entries: Sequence[Entry], opened: Sequence[int]) -> None:
        """Take over saved entries, and the numbers of the events among them that have not ended."""
        events = []
        for entry in entries:
            self.chain = (entry, self.chain)
            if entry.numbered:
                events.append(entry)
        self.first = self.count = len(events)
        self.opened = tuple((number, events[number]) for number in opened)

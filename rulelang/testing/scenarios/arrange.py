"""Arrange a position: create things, place cards, write values, and explain a broken invariant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, cast

from rulelang.base.diagnostics import Related
from rulelang.base.layout import AttributeLayout, ZoneLayout
from rulelang.base.phrases import flatten
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import with_article
from rulelang.compiler.lower.program_graph import Leads
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.model import Attribute, Model, Type
from rulelang.runtime.display_names import Names
from rulelang.runtime.table import Table
from rulelang.testing.scenarios.position import Pile, PlayerSpec, Position, ThingSpec
from rulelang.testing.scenarios.selectors import Pattern, Selector, ValueReader
from rulelang.testing.scenarios.tokens import (
    Word,
    joined_word_count,
    known_spelling,
    listed_names,
    report_blanks,
    report_unknown,
    report_wrong_shape,
    whole_word,
)
from rulelang.testing.scenarios.yaml_forms import section_of_name

# ---- arrange a position


class Helpers(Protocol):
    """Routines that every lowered program has beside its rules, so that positions can be laid."""

    def call_plain(self, S: list[int], function: str, args: tuple[int, ...]) -> int:
        """Run a routine that neither asks nor logs, and give what it returns."""
        ...


class Arranger:
    """Lays one position in one table's words. Mistakes go to `values.out`; what is mistaken is left out."""

    def __init__(self, model: Model, table: Table, position: Position, values: ValueReader, leads: Leads) -> None:
        self.model = model
        self.leads = leads
        self.table = table
        self.layout = table.program.layout
        self.position = position
        self.values = values
        self.out = values.out
        self.selector = Selector(values)
        self.helpers = cast(Helpers, table.program)

    def lay(self, S: list[int]) -> None:
        for seat, player in self.seats():
            for thing in player.things:
                self.make(S, seat, thing)
        for seat, player in self.seats():
            self.attributes(S, "player", seat, player.attributes, self.model.player_attributes)
            for thing in player.things:
                self.thing(S, thing)
        self.rows(S)
        self.cards(S)
        self.tables(S)
        self.state(S)
        self.entry(S)

    def entry(self, S: list[int]) -> None:
        """Where play begins: at the phase, and in the first turn loop there if it says whose turn it is."""
        position, cells, leads = self.position, self.layout.cells, self.leads
        phases = self.values.names_of("phase")
        word, turn = position.phase, position.turn
        if word is None:
            self.turn_for_nothing("without `phase:`, the scenario starts at the beginning of the game")
            return
        word = known_spelling(word, phases)
        if word.text not in phases:
            report_unknown(self.out, word, "phase", phases)
            return
        if not leads.reached(word.text):
            because, hint = "only players' choices lead to this phase", ""
            if not leads.called_at_all(word.text):
                because, hint = "no rule runs it", f"run `{word.text}` where it should happen"
            self.out.error("C720", word.span, f"play cannot begin at `{word.text}`", because=because, hint=hint)
            return
        number = phases[word.text]
        S[cells.round] = position.round  # the game's own start counts up to it
        S[cells.seek] = number
        if turn is None:
            return
        if leads.loops(word.text) or number in leads.in_turns:
            S[cells.seek_turn] = position.seat(turn.text)
        else:
            self.turn_for_nothing(f"`{word.text}` has no turns, and no turn loop runs it")

    def turn_for_nothing(self, because: str) -> None:
        """C721 for a `turn` that says nothing: neither whose turn it is, nor who is the first player."""
        turn = self.position.turn
        first = self.model.first
        if turn is None or (first and first not in {word.text for word, _ in self.position.state}):
            return
        self.out.error("C721", turn.span, "`turn` has no effect here", because=because)

    def reached(self, S: Sequence[int]) -> None:
        """C720 if play has begun and ended without a sight of the phase."""
        word, cells = self.position.phase, self.layout.cells
        if word is None or not S[cells.seek]:
            return
        turn = self.position.turn
        what = word if S[cells.seek] != self.leads.turn or turn is None else turn
        self.out.error(
            "C720",
            what.span,
            f"play cannot begin at `{word.text}`" if what is word else f"`{what.text}` has no turn to begin with",
            because="nothing leads there from this position: a loop has no items, a hook has no "
            "bearer, or a condition is false",
        )

    def seats(self) -> list[tuple[int, PlayerSpec]]:
        found = list(enumerate(self.position.players, 1))
        if self.position.nobody is not None:
            found.append((len(found) + 1, self.position.nobody))
        return found

    def names(self) -> Names:
        """The scenario's own names of things; what comes later gets a name that none of them has."""
        names = Names(self.layout, self.position.names)
        overrides = {found: name for name, found in self.values.things.items()}
        used = set(self.values.things) | set(self.position.names)
        for kind, made in self.layout.kinds.items():
            for handle in range(1, made.owners * made.per_owner + 1):
                if (kind, handle) in overrides:
                    continue
                name = plain = names.text(kind, handle)
                count = 1
                while name in used:
                    count += 1
                    name = f"{plain} {count}"
                used.add(name)
                if name != plain:
                    overrides[kind, handle] = name
        return Names(self.layout, self.position.names, overrides)

    # ---- things and players

    def make(self, S: list[int], seat: int, thing: ThingSpec) -> None:
        made = self.layout.kinds[thing.kind]
        if seat > made.owners or S[made.count + seat] >= made.most:
            most = made.most if seat <= made.owners else 0
            self.out.error("C706", thing.name.span, f"too many things: `{thing.name.text}` cannot be added",
                           because=f"a player can have at most {most} {thing.kind}")  # fmt: skip
            return
        handle = self.helpers.call_plain(S, f"h_create_{thing.kind}", (seat,))
        self.values.things.setdefault(thing.name.text, (thing.kind, handle))

    def thing(self, S: list[int], thing: ThingSpec) -> None:
        """`attribute value` pairs, and `in PLACE`."""
        kind, handle = self.values.things.get(thing.name.text, ("", 0))
        if not handle:
            return
        made, attributes = self.layout.kinds[kind], self.model.made[kind].attributes
        words = iter(range(len(thing.words)))
        for at in words:
            word = known_spelling(thing.words[at], attributes)
            value = thing.words[after] if (after := next(words, 0)) else None
            rest = thing.words[at + 1 :]
            odd = (
                word.text in attributes and len(rest) > 1 and known_spelling(rest[1], attributes).text not in attributes
            )
            if odd and (several := joined_word_count(rest, self.values.names_of(attributes[word.text].type.name))):
                report_blanks(self.out, rest[:several])
                for _ in rest[1:several]:
                    next(words)
            elif word.text not in attributes and not (word.text == "in" and made.place):
                report_unknown(self.out, word, f"attribute of {with_article(kind)}", attributes)
            elif value is None:
                hint = f"write it after the name: `{word.text} VALUE`"
                self.out.error("C704", word.span, f"the value of `{word.text}` is missing", hint=hint)
            elif word.text in attributes:
                self.write(S, self.laid(kind, word.text), handle, attributes[word.text], value)
            else:
                number = self.values.of_type(value, Type("ref", made.place_kind), "in")
                if number is not None:
                    S[made.place + handle] = number

    def attributes(
        self,
        S: list[int],
        kind: str,
        handle: int,
        given: tuple[tuple[Word, YamlNode], ...],
        known: Mapping[str, Attribute],
    ) -> None:
        for said, node in given:
            word = known_spelling(said, known)
            if word.text not in known:
                what = f"attribute of {with_article(kind)}" if kind else "state value"
                report_unknown(self.out, word, what, known, hint=section_of_name(self.model, word.text))
            elif not isinstance(node, YamlScalar):
                report_wrong_shape(self.out, node, "one value")
            else:
                self.write(S, self.laid(kind, word.text), handle, known[word.text], whole_word(node))

    def laid(self, kind: str, name: str) -> AttributeLayout:
        return next(a for a in self.layout.attributes if a.kind == kind and a.name == name and not a.trait)

    def write(self, S: list[int], laid: AttributeLayout, handle: int, attribute: Attribute, word: Word) -> None:
        if laid.dims:
            self.out.error("C704", word.span, f"`{laid.name}` needs a list of values")
            return
        value = self.values.attribute(word, attribute)
        if value is None:
            return
        place = laid.base + handle * laid.width
        if value != S[place]:
            self.set_back(word, laid.name, attribute.resets)
        S[place] = value

    def set_back(self, word: Word, name: str, resets: str | None) -> None:
        """C718, a warning, for what is given and set back at once, as play begins with that phase."""
        phase = self.position.phase
        if phase is None or resets is None or known_spelling(phase, self.values.names_of("phase")).text != resets:
            return
        self.out.warning("C718", word.span, f"`{name}` is reset before play begins",
                         because=f"`{name}` is reset whenever `{resets}` begins, and the scenario begins there",
                         hint="remove the value, begin at another phase, or set it in a step")  # fmt: skip

    def rows(self, S: list[int]) -> None:
        for kind, said, given in self.position.rows:
            known = self.values.names_of(kind)
            row = known_spelling(said, known)
            if row.text not in known:
                report_unknown(self.out, row, kind, known)
                continue
            listing = self.model.lists[kind] if kind in self.model.lists else self.model.grids[kind]
            self.attributes(S, kind, known[row.text], given, listing.attributes)

    # ---- cards

    def piles(self) -> list[tuple[Pile, int]]:
        """Every pile with the handle of what its zone belongs to (0: the game)."""
        found = [(pile, 0) for pile in self.position.piles]
        for seat, player in self.seats():
            found.extend((pile, seat) for pile in player.piles)
            for thing in player.things:
                handle = self.values.things.get(thing.name.text, ("", 0))[1]
                found.extend((pile, handle) for pile in thing.piles if handle)
        for said, pile in self.position.row_piles:
            known = self.values.names_of(pile.zone.of or "")
            row = known_spelling(said, known)
            if row.text in known:
                found.append((pile, known[row.text]))
            else:
                report_unknown(self.out, row, pile.zone.of or "row", known)
        return found

    def cards(self, S: list[int]) -> None:
        """Cards that are told by printed values are taken first, then the others, then all the rest."""
        piles = self.piles()
        patterns: list[tuple[int, int, Pattern]] = []
        for number, (pile, _) in enumerate(piles):
            for place, spec in enumerate(pile.cards):
                pattern = self.selector.understand(spec, pile.zone.holds)
                if pattern is not None:
                    patterns.append((number, place, pattern))
        chosen: dict[tuple[int, int], tuple[int, Pattern]] = {}
        for number, place, pattern in sorted(patterns, key=lambda w: (len(w[2].fitting), w[0], w[1])):
            card = self.selector.take(pattern)
            if card is not None:
                chosen[number, place] = (card, pattern)
        for number, (pile, owner) in enumerate(piles):
            zone = self.layout.zones[pile.zone.name]
            cards = [chosen[number, place] for place in range(len(pile.cards)) if (number, place) in chosen]
            rest = list(self.selector.rest(pile.zone.holds)) if pile.rest else []
            self.lay_pile(S, zone, owner, cards, rest)

    def lay_pile(
        self, S: list[int], zone: ZoneLayout, owner: int, cards: list[tuple[int, Pattern]], rest: list[int]
    ) -> None:
        """What is laid last lies on top of an array zone; on things the first is the oldest."""
        every = [(card, *self.laid_as(card, pattern, zone, owner)) for card, pattern in cards]
        every += [(card, 0, 0) for card in rest]
        for card, face, partner in reversed(every) if zone.array else every:
            self.helpers.call_plain(S, "h_lay", (card, zone.first_id + owner, face, partner))
        for card, pattern in cards:
            for word, value in pattern.sets:
                found = self.selector.attribute(zone.holds, card, word.text)
                if found is not None:
                    attribute, laid, row = found
                    self.write(S, laid, row, attribute, value)

    def laid_as(self, card: int, pattern: Pattern, zone: ZoneLayout, owner: int) -> tuple[int, int]:
        """The face that a card with several shows in force, and the other end of a pair; 0 for none."""
        name = pattern.spec.words[0]
        faces = self.layout.cards[card].faces
        traits = self.layout.lists.get("trait", ())
        if zone.in_force and len(faces) > 1 and not pattern.face:
            all_faces = listed_names([traits[face] for face in faces])
            because = f"the card has the faces {all_faces}, and only one of them is in effect"
            self.out.error("C703", name.span, f"expected a face of `{name.text}`", because=because)
            return 0, 0
        shown = (pattern.face or (faces[0] if faces else 0)) if zone.in_force else 0
        trait = traits[shown] if shown else ""
        return (pattern.face if zone.in_force else 0), self.partner(pattern, trait, zone, owner)

    def partner(self, pattern: Pattern, trait: str, zone: ZoneLayout, owner: int) -> int:
        """The other end of a pair, which must be another thing of the kind on which the card lies; 0 for none.

        C716 for a pair in force of which none is named (`none` is said of one that has lost it), for one that is no
        pair, and for a partner that cannot be.
        """
        word, name = pattern.spec.partner, pattern.spec.words[0]
        kind = zone.of if trait and zone.of in self.layout.kinds else ""
        pair = bool(kind) and self.model.traits[trait].pair is not None
        form = f"write `{name.text}: {{with: NAME}}`"
        if word is None:
            if pair:
                because = f"`{trait}` is a pair trait: its card connects the {kind} that it is on to another {kind}"
                self.out.error("C716", name.span, f"`{name.text}` has no partner", because=because, hint=form)
            return 0
        if not pair:
            because = (
                f"`{trait}` is not a pair trait"
                if kind
                else "only a card in effect on a thing can connect it to another thing"
            )
            self.out.error("C716", word.span, f"`{name.text}` cannot have `with: {word.text}`", because=because)
            return 0
        if word.text == "none":
            return 0
        known = self.values.names_of(kind)
        word = known_spelling(word, known)
        if word.text not in known:
            report_unknown(self.out, word, kind, known)
            return 0
        if known[word.text] == owner:
            because = "the card is already on it, and a pair needs two things"
            self.out.error("C716", word.span, f"`{word.text}` cannot be connected to itself", because=because)
            return 0
        return known[word.text]

    # ---- single values and tables

    def state(self, S: list[int]) -> None:
        first = self.model.first
        given = {word.text for word, _ in self.position.state}
        if first and first not in given:
            turn = self.position.turn
            S[self.laid("", first).base] = self.position.seat(turn.text) if turn is not None else 1
        self.attributes(S, "", 0, tuple(item for item in self.position.state if item[0].text in self.model.state),
                        self.model.state)  # fmt: skip

    def tables(self, S: list[int]) -> None:
        for said, node in self.position.tables:
            word = known_spelling(said, self.layout.tables)
            laid = self.layout.tables.get(word.text)
            if laid is None:
                report_unknown(self.out, word, "table", self.layout.tables, hint=section_of_name(self.model, word.text))
                continue
            self.set_back(word, word.text, self.model.tables[word.text].resets)
            self.matrix(S, laid.of, laid.dims, laid.base, node)

    def matrix(self, S: list[int], of: tuple[str, ...], dims: tuple[int, ...], base: int, node: YamlNode) -> None:
        """Nested maps, one level for each thing that the table is of."""
        if not dims:
            number = (
                self.values.of_type(whole_word(node), Type("int"), "table") if isinstance(node, YamlScalar) else None
            )
            if number is not None:
                S[base] = number
            return
        if not isinstance(node, YamlMap):
            report_wrong_shape(self.out, node, f"a map from {of[0]} to values")
            return
        inner = 1
        for size in dims[1:]:
            inner *= size
        known = self.values.names_of(of[0])
        for key, value in node:
            row = known_spelling(whole_word(key), known)
            if row.text in known:
                self.matrix(S, of[1:], dims[1:], base + known[row.text] * inner, value)
            else:
                report_unknown(self.out, row, of[0], known)


# ---- positions that break an invariant

#: How a reason shows a value: `NAME` is VALUE.
_SHOWN = re.compile(r"`([^`]*)` is $")


def report_broken_invariant(layer: Arranger, S: list[int]) -> bool:
    """C717 for the first invariant that does not hold of a laid position, at what breaks it. False if all hold."""
    program, names = layer.table.program, layer.names()
    failed = program.invariants(S)
    if not failed:
        return False
    name, span = failed[0]
    said: list[str] = []
    places: list[Span] = []
    for number, args in program.why(S, f"invariant {name}", ()):
        parts = flatten(program.reasons[number].text)
        said.append(names.render(parts, args))
        places += _reason_places(layer, parts, args)
    layer.out.error(
        "C717",
        next((found for found in places if found != NOWHERE), layer.position.place),
        f"this position breaks the invariant `{name}`",
        because="; ".join(dict.fromkeys(said)),
        related=[Related(span, "an invariant must be true after every step of a game")],
    )
    return True


def _reason_places(layer: Arranger, parts: Sequence[str | tuple[int, str]], args: Sequence[int]) -> Iterator[Span]:
    """Where the position gives what a reason speaks of: things and players first, then values by their names."""
    position = layer.position
    players: list[PlayerSpec] = [player for _, player in layer.seats()]
    shown: list[Span] = []
    words = {word.text: word.span for word, _ in (*position.state, *position.tables)}
    for before, part in zip(("", *parts), parts, strict=False):
        if isinstance(part, str):
            continue
        at, kind = part
        named = _SHOWN.search(before) if isinstance(before, str) else None
        if named is not None:
            shown += [span for word, span in words.items() if re.search(rf"\b{re.escape(word)}\b", named[1])]
        if kind == "player" and 0 < args[at] <= len(players):
            yield players[args[at] - 1].name.span
        elif kind in layer.layout.kinds:
            given = next((name for name, found in layer.values.things.items() if found == (kind, args[at])), "")
            if given in position.things:
                yield position.things[given].name.span
    yield from shown

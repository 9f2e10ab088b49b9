"""Why something cannot be done: a move is read even if it is not legal, and the rules are asked what forbids it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.errors import RuleError
from rulelang.base.labels import name_in_words
from rulelang.base.layout import ActionInfo
from rulelang.base.wording import nearest_name
from rulelang.runtime.changes import sees_zone
from rulelang.runtime.decision import Decision, Option, Refusal, normalized_text, place_text, visible_face
from rulelang.runtime.display_names import Names, distinguishing_values
from rulelang.runtime.hidden_information import hidden_snapshot
from rulelang.runtime.program import STRAY_CELL_ERRORS
from rulelang.runtime.table import Table

#: How many readings of a text are tried: cards of one label are many.
READINGS = 64


@dataclass(slots=True)
class MoveReader:
    """Reads the words of a move into an action and its arguments. Cards are named only if the decider sees them."""

    table: Table
    names: Names
    words: list[int]
    seat: int
    _known: list[int] | None = field(default=None, init=False)

    def texts(self, kind: str) -> list[tuple[str, int]]:
        """What a player may write for each value of a kind, as (normal text, value)."""
        if kind not in self.names.layout.sorts:
            found = [
                (normalized_text(self.names.text(kind, value)), value) for value in self.names.handles(kind, self.words)
            ]
            nothing = dict.fromkeys(("none", normalized_text(self.names.language.word("none"))), 0)
            return [*found, *nothing.items()] if kind not in ("bool", "player") else found
        layout = self.names.layout
        # What tells a card from all others of its label may always be said.
        by_label: dict[str, list[int]] = {}
        alike: dict[str, list[int]] = {}
        for card in self.names.handles(kind, self.words):
            alike.setdefault(layout.cards[card].label, []).append(card)
        for card in self.seen(kind):
            by_label.setdefault(self.names.card(card, visible_face(self.names, self.words, card)), []).append(card)
        found = []
        for label, cards in by_label.items():
            printed = distinguishing_values(layout, [*alike.get(label, ()), *cards])
            for card in cards:
                long = f"{label} {printed[card]}" if card in printed else label
                forms = dict.fromkeys(form for base in (long, label) for form in (base, f"{base} {self.place(card)}"))
                found += [(normalized_text(form), card) for form in forms]
        return found

    def place(self, card: int) -> str:
        return place_text(self.names, self.words, card)

    def why(self, routine: str, args: Sequence[int]) -> list[Refusal]:
        """Return what refuses an action or routine, as far as the seat knows.

        The rules read the words as the seat knows them, in which hidden cards and values count as missing, so no reason
        depends on a secret. The list is empty if only secrets refuse it.
        """
        if self._known is None:
            self._known = self.table.known(self.table.program.pack(self.words), self.seat)
        try:
            return why_not_option(self.table, self.names, self._known, routine, args)
        except (RuleError, *STRAY_CELL_ERRORS):  # rules that cannot do without what is hidden
            return []

    def read(self, types: Sequence[str], text: str) -> Iterator[tuple[int, ...]]:
        """Every way to read a text as values of these kinds."""
        if not types:
            if not text:
                yield ()
            return
        for value, rest in self.first(types[0], text):
            for others in self.read(types[1:], rest):
                yield (value, *others)

    def first(self, kind: str, text: str) -> Iterator[tuple[int, str]]:
        """Every way to read the beginning of a text as one value, longest first, with what remains."""
        if kind == "int":
            word, _, rest = text.partition(" ")
            if word.lstrip("-").isdecimal():
                yield int(word), rest
            return
        if kind in self.names.layout.sorts:
            matches = list(self.cards(kind, text))
        else:
            matches = [(value, text[len(form) + 1 :]) for form, value in self.texts(kind) if _begins_with(text, form)]
        matches.sort(key=lambda match: len(match[1]))
        yield from dict.fromkeys(matches)

    def cards(self, sort: str, text: str) -> Iterator[tuple[int, str]]:
        """Every way to read the beginning of a text as a card by its row, face or label with some of what is printed
        on it, in any order, with or without the names of columns, and then where it lies."""
        for card in self.seen(sort):
            info = self.names.layout.cards[card]
            shown = visible_face(self.names, self.words, card)
            forms = {self.names.card(card, shown), *(() if shown else (info.row, info.label))}
            printed = {column: normalized_text(info.texts[column]) for column in info.tells if info.texts.get(column)}
            for form in filter(None, map(normalized_text, forms)):
                if not _begins_with(text, form):
                    continue
                place = normalized_text(self.place(card))
                for rest in _rests_after_values(text[len(form) + 1 :], printed):
                    yield card, rest
                    if _begins_with(rest, place):
                        yield card, rest[len(place) + 1 :]

    def seen(self, sort: str) -> list[int]:
        """The cards of a sort that the decider sees: one's own are meant before others that are alike."""
        layout, where = self.names.layout, self.names.layout.where
        every = self.names.handles(sort, self.words)
        seen = [card for card in every if sees_zone(self.table, self.words[where + card], self.seat)]
        return sorted(seen, key=lambda card: layout.zone_player[self.words[where + card]] != self.seat)

    def moves(self, action: ActionInfo, text: str) -> Iterator[tuple[int, ...]]:
        """Every way to read the arguments of an action. A value that is not shown is the card that brings it."""
        for args in self.read([kind for kind in action.types if kind], text):
            said = iter(args)
            full = [next(said) if kind else 0 for kind in action.types]
            for place, kind in enumerate(action.types[1:]):
                if not action.types[place] and kind:
                    full[place] = self.bringer(action.source, kind, full[place + 1])
            yield tuple(full)

    def bringer(self, trait: str, kind: str, bearer: int) -> int:
        """Return the first card of a trait in force on a thing, or joined to it; 0 if the seat sees none.

        A card brings its own trait.
        """
        layout = self.names.layout
        if kind in layout.sorts:
            return bearer
        for card, info in enumerate(layout.cards):
            zone_id = self.words[layout.where + card]
            zone = layout.zones.get(layout.zone_names[zone_id])
            if zone is None or zone.of != kind or not zone.in_force or not sees_zone(self.table, zone_id, self.seat):
                continue
            joined = self.words[layout.card_partner + card] if layout.card_partner else 0
            if bearer not in (layout.zone_owner[zone_id], joined):
                continue
            shown = visible_face(self.names, self.words, card)
            if trait in [self.table.row("trait", face) for face in ((shown,) if shown else info.faces)]:
                return card
        return 0

    def hidden(self, kind: str, text: str) -> str:
        """The longest label of a card with which a text begins, whoever sees it; "" for none."""
        first, last = self.names.layout.sorts.get(kind, (1, 0))
        labels = {self.names.card(card) for card in range(first, last + 1)}
        return max(
            (label for label in labels if f"{text} ".startswith(f"{normalized_text(label)} ")), key=len, default=""
        )

    def unread(self, action: ActionInfo, text: str) -> Refusal:
        """What is wrong with arguments that cannot be read: the first that is missing, unknown or too much."""
        rest, say, worded = text, self.names.language.say, self.names.worded
        for number, kind in enumerate(action.types):
            if not kind:
                continue
            name = action.params[number] if number < len(action.params) else kind
            if not rest:
                needs = say("`{action}` needs {what}", action=worded(action.name), what=self.names.kind(kind))
                called = self.names.argument(name, kind)
                if len(name) > 2 and called not in (kind, self.names.argument(kind, kind)):
                    needs = say("{needs} for the {argument}", needs=needs, argument=called)
                return Refusal(needs, action.source, action.span)
            found = next(self.first(kind, rest), None)
            if found is None:
                if kind == "int":
                    return Refusal(say("`{text}` is not a number", text=rest.split()[0]), action.source, action.span)
                like = nearest_name(rest, [form for form, _ in self.texts(kind)])
                like = like or nearest_name(rest.split()[0], [form for form, _ in self.texts(kind)])
                if hidden := self.hidden(kind, rest):
                    return Refusal(say("you see no {card} now", card=name_in_words(hidden)), action.source, action.span)
                none = say("there is no {kind} `{text}` here", kind=worded(kind), text=rest)
                if like:
                    none = say("{none}; did you mean `{like}`?", none=none, like=like)
                return Refusal(none, action.source, action.span)
            rest = found[1]
        much = say("`{action}` does not need `{text}`", text=rest, action=worded(action.name))
        return Refusal(much, action.source, action.span)


def move_reader(table: Table, names: Names, now: Sequence[int], public: Sequence[int] | None, seat: int) -> MoveReader:
    """Return a reader for a seat. `public`: the words when the curtain of `secretly` fell, behind which it is asked."""
    words = list(now) if public is None else hidden_snapshot(table.program.layout, now, public, seat)
    return MoveReader(table, names, words, seat)


def _begins_with(text: str, words: str) -> bool:
    return text == words or text.startswith(f"{words} ")


def _rests_after_values(text: str, printed: Mapping[str, str]) -> Iterator[str]:
    """What may be left of a text when some of these printed values are read off its beginning, each once."""
    yield text
    for column, value in printed.items():
        for said in (value, f"{normalized_text(column)} {value}"):
            if _begins_with(text, said):
                yield from _rests_after_values(text[len(said) + 1 :], {c: v for c, v in printed.items() if c != column})


def find_option(
    table: Table, names: Names, words: Sequence[int], public: Sequence[int] | None, decision: Decision, text: str
) -> int | list[Refusal]:
    """The index of the option that a text means, or why it is none.

    An option's own text comes first, then a whole move said in more or fewer words of its cards, then the beginning of
    one option only: `wolf` never means `wolf 2` where there is a wolf.
    """
    found = decision.find(text)
    if isinstance(found, Option) and (found.is_pass or normalized_text(found.text) == normalized_text(text)):
        return found.index
    reader = move_reader(table, names, words, public, decision.player)
    meant, whole = _matching_options(reader, table, decision, normalized_text(text))
    if len(meant) == 1:
        return meant[0]
    if isinstance(found, Option) and not whole:
        return found.index
    several = tuple(decision.options[index] for index in meant) or (() if isinstance(found, Option) else found)
    if several:
        which = [f"`{option.text}`" for option in several[:6]] + (["..."] if len(several) > 6 else [])
        listed = names.language.row(which)
        unclear = names.language.say("`{text}` is ambiguous: it could be {which}", text=text.strip(), which=listed)
        return [Refusal(unclear, "", decision.span)]
    return _explain_refusals(reader, table, decision, text)


def _matching_options(reader: MoveReader, table: Table, decision: Decision, wanted: str) -> tuple[list[int], bool]:
    """The options that a text can be read as, and whether it reads as a whole move at all."""
    site = table.site(reader.words)
    rest, tags = wanted, list(range(len(site.actions)))
    if decision.kind == "offer":
        action, rest = _action_at_start(table, reader.names, wanted)
        tags = [tag for tag, offered in enumerate(site.actions) if action is not None and offered.id == action.id]
    shown: dict[tuple[int, ...], list[int]] = {}
    for option in decision.options:
        if not option.is_pass:
            types = site.actions[option.key[0]].types
            said = [value for kind, value in zip(types, option.key[1:], strict=False) if kind]
            shown.setdefault((option.key[0], *said), []).append(option.index)
    meant: list[int] = []
    whole = False
    for tag in tags:
        types = tuple(kind for kind in site.actions[tag].types if kind)
        for _, args in zip(range(READINGS), reader.read(types, rest), strict=False):
            whole = whole or bool(types)
            meant += [index for index in shown.get((tag, *args), ()) if types and index not in meant]
    return meant, whole


def _explain_refusals(reader: MoveReader, table: Table, decision: Decision, text: str) -> list[Refusal]:
    """Why a text is no option of the pending decision; never empty."""
    wanted, say = normalized_text(text), reader.names.language.say
    if not wanted:
        return [Refusal(say("the text is empty"))]
    passing = normalized_text(reader.names.language.word("pass"))
    nothing = ("pass", "none", passing, normalized_text(reader.names.language.word("none")))
    if wanted in nothing and any(option.is_pass for option in decision.options):
        # One ends an offer, the other declines a choice: who means one should not do the other.
        own = next(option.text for option in decision.options if option.is_pass)
        other = say("there is no `{text}` here: to choose nothing, type `{own}`", text=wanted, own=own)
        return [Refusal(other, "", decision.span)]
    if wanted in ("pass", passing):
        return [Refusal(say("you cannot pass here: choose one of the options"), "", decision.span)]
    action, rest = _action_at_start(table, reader.names, wanted)
    if action is None:
        return _explain_no_action(table, reader, decision, wanted)
    site = table.site(reader.words)
    readings = [args for _, args in zip(range(READINGS), reader.moves(action, rest), strict=False)]
    if not readings:
        return [reader.unread(action, rest)]
    refusals: list[Refusal] = []
    offered = any(action.id == other.id for other in site.actions)
    if not offered:
        refusals.append(Refusal(_explain_not_offered(table, reader, decision, action), action.source, action.span))
    actor = table.program.layout.cells.actor
    if not reader.words[actor]:  # nobody acts: whoever is asked would be the one
        reader.words[actor] = decision.player
    reasons = [reader.why(action.id, args) for args in readings]
    # The reading that comes nearest to being legal is what was meant.
    fewest = min(reasons, key=lambda found: len(found))
    refusals += fewest
    done = any(other.free for other in site.actions) and not action.free
    if done and not refusals and all(option.is_pass or site.actions[option.key[0]].free for option in decision.options):
        refusals.append(Refusal(say("you have already taken your action this turn"), "", decision.span))
    if refusals:
        return refusals
    return [Refusal(say("`{text}` is not one of the current options", text=text.strip()), action.source, action.span)]


def why_not_option(
    table: Table, names: Names, words: Sequence[int], routine: str, args: Sequence[int]
) -> list[Refusal]:
    """What refuses an action or routine with these arguments, rendered. KeyError for an unknown one."""
    program = table.program
    found = []
    for number, values in program.why(list(words), routine, args):
        reason = program.reasons[number]
        refusal = Refusal(names.told(reason.text, values), reason.source, reason.span)
        if refusal not in found:
            found.append(refusal)
    return found


def _action_at_start(table: Table, names: Names, wanted: str) -> tuple[ActionInfo | None, str]:
    """The action with whose name the text begins (the longest; in the reader's language or as rules have it), and the
    rest of the text."""
    best: tuple[ActionInfo | None, str] = (None, "")
    length = 0
    for name, action in table.actions.items():
        for form in (normalized_text(name), normalized_text(names.called(action.name))):
            if len(form) > length and (wanted == form or wanted.startswith(form + " ")):
                best, length = (action, wanted[len(form) + 1 :]), len(form)
    return best


def _explain_no_action(table: Table, reader: MoveReader, decision: Decision, wanted: str) -> list[Refusal]:
    """What is wrong with a text that names no action: of something that could be chosen elsewhere, why not here."""
    say = reader.names.language.say
    if decision.kind == "offer":
        word = wanted.split()[0]
        none = say("there is no action `{text}`", text=word)
        like = nearest_name(word, table.actions)
        return [
            Refusal(say("{none}; did you mean `{like}`?", none=none, like=like) if like else none, "", decision.span)
        ]
    site, program = table.site(reader.words), table.program
    if site.refuses:
        told = program.told(reader.words)
        readings = [args for _, args in zip(range(READINGS), reader.read(site.actions[0].types, wanted), strict=False)]
        found = [reader.why(site.refuses, (*told, *args)) for args in readings]
        reasons = min(filter(None, found), key=len, default=[])
        if reasons:
            return reasons
    options = decision.nearest(wanted) or [option.text for option in decision.options[:6]]
    listed = reader.names.language.row([f"`{option}`" for option in options])
    cannot = say("`{text}` cannot be chosen here; choose one of: {options}", text=wanted, options=listed)
    return [Refusal(cannot, "", decision.span)]


def _explain_not_offered(table: Table, reader: MoveReader, decision: Decision, action: ActionInfo) -> str:
    """That an action is not offered: in which phase it is, where that is another one; and who is asked for what."""
    say = reader.names.language.say
    name, asked = reader.names.worded(action.name), decision.name
    now = table.row("phase", reader.words[table.program.layout.cells.phase])
    if not action.phases or now in action.phases:
        return say("you cannot {action} now ({player}: {question})", action=name, player=asked,
                   question=decision.prompt)  # fmt: skip
    phases = reader.names.language.listed([reader.names.worded(phase) for phase in action.phases])
    if len(action.phases) > 1:
        return say("you can {action} only in these phases: {phases}", action=name, phases=phases)
    return say("you can {action} only in the {phase} phase", action=name, phase=phases)

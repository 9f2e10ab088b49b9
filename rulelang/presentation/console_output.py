"""What a terminal shows of a game: the board, numbered options, results, refusals, and details by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from rulelang.base.languages import Language
from rulelang.base.terminal import display_width, fold_line, wrap_text
from rulelang.base.wording import capitalized
from rulelang.presentation.view import catalogue, document
from rulelang.presentation.view.document_types import Document, Option
from rulelang.presentation.view.sheet import Line, Sheet, maps, words
from rulelang.runtime.decision import Refusal, normalized_text
from rulelang.runtime.display_names import Names
from rulelang.runtime.state import State

# ---- refusals

_ENDS = (".", "!", "?", "。", "！", "？")


def refusal_sentence(names: Names, refusal: Refusal) -> str:
    """A reason with a capital at its head, whose rule it is behind it, and a stop at its end."""
    text, say = capitalized(refusal.text), names.language.say
    if refusal.source:
        return say("{reason} ({source}).", reason=text.rstrip("".join(_ENDS)), source=names.source(refusal.source))
    return text if text.endswith(_ENDS) else say("{reason}.", reason=text)


# ---- the table


class BoardText:
    """The table as a seat (None: a spectator) sees it, told to somebody who reads line by line: once as a whole, then
    what has changed of it since he was told."""

    def __init__(self, viewer: int | None, columns: int = 100) -> None:
        self.viewer, self.columns = viewer, columns
        self.told: set[str] = set()  # cards whose texts were told
        self.known: dict[str, list[str]] | None = None  # by its name, the parts of each block as they were told

    def whole(self, state: State, *, texts: bool = False) -> list[str]:
        """Where the game stands, then all of the table. `texts`: of all cards, not only of those not told of yet."""
        shown = document(state, self.viewer)
        self.known = self._known(shown, state.names.language)
        sheet = Sheet(shown, self.columns, state.names.language, texts=True, told=None if texts else self.told)
        return [*_head(shown["summary"], state), *map(words, sheet.lines())]

    def news(self, state: State) -> list[str]:
        """What is other than it was told, each part below the head of its block; nothing if all is as it was."""
        before, language = self.known, state.names.language
        if before is None:
            return self.whole(state)
        shown = document(state, self.viewer)
        self.known = self._known(shown, state.names.language)
        sheet = Sheet(shown, self.columns, language, texts=True, told=self.told)
        lines: list[str] = []
        for name, parts in sheet.blocks().items():
            changed = _changed(before.get(name, []), self.known[name])
            lines += ["", *(words(line) for place in changed for line in parts[place])] if changed else []
        if not lines:
            return []
        head, summary = language.say("changes on the table"), shown["summary"]
        return [*_head(language.say("{name}: {what}", name=summary, what=head) if summary else head, state), *lines[1:]]

    def _known(self, shown: Document, language: Language) -> dict[str, list[str]]:
        """What is to be said now, however it stands in lines and columns, and with the texts of all cards."""
        blocks = Sheet(shown, self.columns, language, texts=True).blocks()
        return {name: [*map(_said, parts)] for name, parts in blocks.items()}


def board_lines(state: State, viewer: int | None, columns: int = 100) -> list[str]:
    """The whole table, with the texts of all cards."""
    return BoardText(viewer, columns).whole(state, texts=True)


def map_lines(state: State, viewer: int | None, columns: int = 100) -> list[str]:
    """Its boards alone; none in a game without."""
    return [words(line) for line in maps(document(state, viewer), columns, state.names.language)]


def _head(summary: str, state: State) -> list[str]:
    return [capitalized(summary or state.names.language.say("the table"))]


def _said(lines: list[Line]) -> str:
    return " ".join(chain.from_iterable(words(line).split() for line in lines))


def _changed(before: list[str], now: list[str]) -> list[int]:
    """Which parts of a block are to be told: its head with those that are new; all, where one is gone or has only
    another place."""
    if before == now:
        return []
    fresh = [place for place, said in enumerate(now) if place and said not in before]
    if len(now) < len(before) or not (fresh or now[:1] != before[:1]):
        return [*range(len(now))]
    return [0, *fresh]


# ---- the menu of options

#: Up to so many options stand one a line.
FEW = 10
_SPACE = "\N{NO-BREAK SPACE}"
#: What is typed for an option that is no number, where the others are.
OTHER = "x"


def option_menu(state: State, columns: int = 100) -> list[str]:
    """Lines with every option once, in words, under what is typed for it: its number from 1; a number that is to be
    chosen is typed as it is."""
    options, language = pending_options(state), state.names.language
    clause = language.clauses(["", ""])
    between = ",  " if clause.isascii() else f"{clause} "
    if are_numbers(options):
        said = [
            option["sentence"] if option["kind"] == "choice" else f"{key} {option['sentence']}"
            for key, option in zip(typed_names(options), options, strict=True)
        ]
        return [
            line.replace(_SPACE, " ")
            for line in wrap_text(between.join(one.replace(" ", _SPACE) for one in said), columns, "  ", "  ")
        ]
    if len(options) <= FEW:
        room = len(str(len(options)))
        return [
            line
            for option in options
            for line in wrap_text(
                option["sentence"], columns, f"  {option['index'] + 1:>{room}}  ", " " * (room + len("      "))
            )
        ]
    lines: list[str] = []
    for label, group in _groups(options):
        words = [f"{option['index'] + 1} {_rest(option, label, language)}".replace(" ", _SPACE) for option in group]
        head = language.say("{name}: {what}", name=label, what="") if label else ""
        text, indent = between.join(words), " " * 6
        listed = wrap_text(text, columns, f"  {head}", indent)
        if head and display_width(listed[0]) > columns:  # the first option does not fit beside the name
            listed = [f"  {head}".rstrip(), *wrap_text(text, columns, indent, indent)]
        lines += [part for line in listed for part in fold_line(line.replace(_SPACE, " "), columns)]
    return lines


def pending_options(state: State) -> Sequence[Option]:
    """The options of who is asked now."""
    question = document(state, state.decider or None)["question"]
    return question.get("options", ()) if question is not None else ()


def typed_option(state: State, line: str) -> int | list[Refusal]:
    """The option that is typed so: its text as the rules call it or in the words that are shown, or the beginning of
    either where only one begins so; why it cannot be taken, if there is none."""
    found = state.find(line)
    if isinstance(found, int):
        return found
    wanted, options = normalized_text(line), pending_options(state)
    same = [option["index"] for option in options if normalized_text(option["sentence"]) == wanted]
    begun = [option["index"] for option in options if normalized_text(option["sentence"]).startswith(wanted)]
    return same[0] if same else begun[0] if len(begun) == 1 else found


def are_numbers(options: Sequence[Option]) -> bool:
    """Whether what is to be chosen is a number, so that each option is called by it and by nothing else."""
    return any(option["kind"] == "choice" for option in options) and all(
        option["kind"] == "pass" or (option["kind"] == "choice" and _is_number(option)) for option in options
    )


def _is_number(option: Option) -> bool:
    given = option["parameters"]
    return len(given) == 1 and given[0]["kind"] == "int" and option["sentence"] == str(given[0]["value"])


def typed_names(options: Sequence[Option]) -> list[str]:
    """What is typed for each option: its number from 1, or, where all are numbers, the number that it is."""
    if not are_numbers(options):
        return [str(option["index"] + 1) for option in options]
    return [option["sentence"] if option["kind"] == "choice" else OTHER for option in options]


def _groups(options: Sequence[Option]) -> list[tuple[str, list[Option]]]:
    """Options of one action together, under its name; what is one alone, and choices, by themselves."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        named = option["kind"] not in ("pass", "choice") and option["parameters"]
        groups.setdefault(option["label"] if named else "", []).append(option)
    return [(label if len(group) > 1 else "", group) for label, group in groups.items()]


def _rest(option: Option, label: str, language: Language) -> str:
    """What an option is about, where its action stands at the head of the group."""
    if not label or option["sentence"].rstrip(")）").endswith(option["typed"]):
        return option["sentence"]
    return language.row([parameter["text"] for parameter in option["parameters"]])


# ---- results


def score_lines(state: State) -> list[str]:
    """A table of the scores, best first, the winners marked; then a sentence."""
    winners = set(state.winners)
    points = state.scores
    seats = sorted(range(1, len(points) + 1), key=lambda seat: (seat not in winners, -points[seat - 1], seat))
    room = max(display_width(name) for name in state.players)
    most = max(len(str(number)) for number in points)
    language = state.names.language
    lines = [language.say("Scores")]
    for seat in seats:
        name = state.players[seat - 1]
        mark = f"  {language.say('winner')}" if seat in winners else ""
        lines.append(f"  {name}{' ' * (room - display_width(name))}  {points[seat - 1]:>{most}}{mark}")
    lines += ["", winner_sentence(state)]
    return lines


def winner_sentence(state: State) -> str:
    """`Ana wins with 57 points.`"""
    language = state.names.language
    points = state.scores
    names = language.listed([state.players[seat - 1] for seat in state.winners])
    best = points[state.winners[0] - 1]
    worth = language.say("{n} {n:point|points}", n=best)
    if state.round > 1:
        worth = language.say("{points} after {n} {n:round|rounds}", points=worth, n=state.round)
    if len(state.winners) > 1:
        return language.say("{names} share the win with {points} each.", names=names, points=worth)
    if points.count(best) > 1:
        return language.say("{name} wins the tiebreak with {points}.", name=names, points=worth)
    return language.say("{name} wins with {points}.", name=names, points=worth)


# ---- details by name

#: More than so many things of one name are not told one by one.
MOST = 8


def name_details(state: State, viewer: int | None, name: str, columns: int = 100) -> list[str]:
    """The lines of what is called so, or begins so: as a seat sees it on the table, else as it is in the game. What the
    rules call it is understood in every language."""
    wanted, language = normalized_text(name), state.names.language
    table: Any = document(state, viewer)
    game: Any = catalogue(state.table, language)
    # Cards that are called by the traits that they can be are told of with those.
    game["cards"] = [card for card in game["cards"] if card["row"] or not card["traits"]]
    told = _PartSummary(language, game)
    for part in (table, game):
        parts = [(thing, normalized_text(thing["label"])) for thing in _parts(part)]
        same = [thing for thing, name in parts if name == wanted]
        found = dict.fromkeys(map(told.of, same or [thing for thing, name in parts if name.startswith(wanted)]))
        if not found and part is game:
            found = _counted(table, wanted, language) or _kept_value_lines(game, wanted, language)
            found = found or dict.fromkeys(told.of(thing) for thing, _ in parts if _in_rules(thing) == wanted)
        if found:
            lines = [one for one in found if not any(one != other and _says(other, one) for other in found)]
            return [line for text in lines[:MOST] for line in wrap_text(text, columns, "  ", " " * 6)]
    return []


def _in_rules(thing: dict[str, Any]) -> str:
    """What the rules call something, as it is compared."""
    return normalized_text(thing["id"].partition(":")[2].rpartition(".")[2].replace("_", " "))


def _says(longer: str, shorter: str) -> bool:
    """Whether one line, of a card, tells all that another does, of the trait of its name."""
    name = shorter[: shorter.find(":") + 1] if ":" in shorter else ""
    return bool(name) and longer.startswith(name) and longer.endswith(shorter.removeprefix(name))


def _counted(table: Any, wanted: str, language: Language) -> dict[str, None]:
    """What is kept under a name, of whom: `Ana: 3 points; what the game is won by`."""
    every = [*_facts(table, "")]
    same = [one for one in every if normalized_text(one[1]["label"]) == wanted]
    chosen = same or [one for one in every if normalized_text(one[1]["label"]).startswith(wanted)]
    found: dict[str, None] = {}
    for whose, fact in chosen:
        said = fact["phrase"] or fact["label"]
        told = language.clauses([said, *([fact["about"]] if fact.get("about") else [])])
        found[language.say("{name}: {what}", name=whose, what=told) if whose else told] = None
    return found


def _kept_value_lines(game: Any, wanted: str, language: Language) -> dict[str, None]:
    """What a value means that nothing on the table has now."""
    return {
        language.say("{name}: {what}", name=member["label"], what=member["about"]): None
        for kind in game["kinds"]
        for member in kind["members"]
        if member["about"] and normalized_text(member["label"]).startswith(wanted)
    }


def _facts(value: Any, whose: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every fact of a table, with what it is a fact of: "" for one of the game."""
    if isinstance(value, dict):
        if {"label", "phrase", "value"} <= value.keys():
            yield whose, value
            return
        own = value["label"] if "label" in value and "id" in value else whose
        for key, inner in value.items():
            if key not in ("question", "options"):
                yield from _facts(inner, own)
    elif isinstance(value, list):
        for inner in value:
            yield from _facts(inner, whose)


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Everything that has a name and can be told of; facts and options tell of something else."""
    if isinstance(value, dict):
        if "label" in value and "id" in value and not {"phrase", "sentence", "value"} & value.keys():
            yield value
        for key, inner in value.items():
            if key != "question":
                yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)


class _PartSummary:
    """Says in one line what there is to be said of a part. `game`: the catalogue, for what is done in a phase."""

    def __init__(self, language: Language, game: Any) -> None:
        self.language, self.game = language, game

    def named(self, name: str, what: str) -> str:
        return self.language.say("{name}: {what}", name=name, what=what)

    def of(self, part: dict[str, Any]) -> str:
        language = self.language
        said = self.facts(part)
        text = " ".join((part.get("text") or part.get("about") or "").split("\n"))
        members = language.clauses([self.named(m["label"], m["about"]) for m in part.get("members", ()) if m["about"]])
        # What is laid on a place says what holds there; of a hand, names are enough.
        card = self.label if "seat" in part else self.card
        lying = language.clauses(
            [
                self.named(zone["label"], language.row([card(one) for one in zone["cards"]]))
                for zone in part.get("zones", ())
                if zone.get("cards")
            ]
        )
        told = [words for words in (said, lying, text, members, self.done(part)) if words]
        if told:
            return self.named(part["label"], language.sentences(told))
        phase = part["id"].startswith("phase:")
        return language.say("{name} (phase)", name=part["label"]) if phase else str(part["label"])

    def facts(self, part: dict[str, Any]) -> str:
        facts = [*part.get("facts", ()), *part.get("kept", ())]
        return self.language.clauses([fact["phrase"] for fact in facts if not fact["quiet"] and fact["phrase"]])

    def label(self, card: dict[str, Any]) -> str:
        return str(card["label"])

    def card(self, card: dict[str, Any]) -> str:
        """A card, with what is printed on it."""
        printed = self.facts(card)
        return self.language.say("{name} ({what})", name=card["label"], what=printed) if printed else self.label(card)

    def done(self, part: dict[str, Any]) -> str:
        """What players may do in a phase; in which phases an action may be done."""
        if part["id"].startswith("phase:"):
            actions = [action["label"] for action in self.game["actions"] if part["id"] in action["phases"]]
            return self.language.say("actions in it: {actions}", actions=self.language.row(actions)) if actions else ""
        names = {phase["id"]: phase["label"] for phase in self.game["phases"]}
        phases = [names[phase] for phase in part.get("phases", ()) if phase in names]
        return self.language.say("possible in: {phases}", phases=self.language.row(phases)) if phases else ""

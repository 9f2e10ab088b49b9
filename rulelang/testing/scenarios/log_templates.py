"""What the log can say: the texts of the rules, with places for what they name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import product

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.labels import name_in_words
from rulelang.base.wording import did_you_mean, nearest_name
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import walk
from rulelang.runtime.decision import normalized_text
from rulelang.testing.scenarios.lexicon import ScenarioTexts
from rulelang.testing.scenarios.tokens import Word


class NamedPart(str):
    """In a line, the place of what is named: its kind."""

    __slots__ = ()


#: A line of the log: its words as they are compared, with single blanks, and what is named between them.
LogLine = tuple[str, ...]

NUMBER = "int"
_BLANKS = re.compile(r"\s+")


class LogTemplates:
    """All lines that the log of a ruleset can have, whatever happens. `effects`: what hooks are called."""

    def __init__(self, program: tree.Program, effects: Collection[str]) -> None:
        self.lines: tuple[LogLine, ...] = tuple(dict.fromkeys(line for line in _lines(program, effects) if line))

    def check(self, word: Word, spoken: ScenarioTexts, out: Diagnostics) -> None:
        """C715 for a text that no line can have."""
        wanted = normalized_text(word.text)
        if any(_within(wanted, line, at, spoken) for line in self.lines for at in range(len(line))):
            return
        out.error(
            "C715",
            word.span,
            f"no log line can contain `{word.text}`",
            because="no rule writes this text, or it contains a name that this scenario does not have",
            hint=self._hint(wanted, spoken),
        )

    def _with_its_words(self, wanted: str) -> str:
        """The line of which a text has the most words, if it has at least half of them; else ""."""
        words = set(wanted.split())
        best, share = "", 0.5
        for line in self.lines:
            own = {word for part in line if not isinstance(part, NamedPart) for word in part.split()}
            if own and (has := len(own & words) / len(own)) >= share and (not best or has > share):
                best, share = _shown(line), has
        return best

    def _hint(self, wanted: str, spoken: ScenarioTexts) -> str:
        """What players' words for a card are here; the nearest word for the first that no line has; else the nearest
        line."""
        read = max((read for read in spoken.lexicon.players_words if f" {read} " in f" {wanted} "), key=len, default="")
        if read:
            meant = f" {wanted} ".replace(f" {read} ", f" {spoken.lexicon.players_words[read]} ").strip()
            if any(_within(normalized_text(meant), line, at, spoken) for line in self.lines for at in range(len(line))):
                return f"write `{meant}`: `{read}` is the name for players"
        told = {
            word for line in self.lines for part in line if not isinstance(part, NamedPart) for word in part.split()
        }
        known = told | {
            word for kind in spoken.kinds for name in spoken.given(kind) for word in normalized_text(name).split()
        }
        for word in wanted.split():
            if word not in known and not word.isdecimal():
                return did_you_mean(word, known)
        like = nearest_name(wanted, map(_shown, self.lines)) or self._with_its_words(wanted)
        return f"a rule writes `{like}`" if like else ""


def _lines(program: tree.Program, effects: Collection[str]) -> Iterator[LogLine]:
    for action in program.actions.values():
        if action.tells is None or not action.tells.parts:
            named = [b.local for b in action.binders]
            for bearer in ([], [action.bearer.self]) if action.bearer.self is not None else ([],):
                places = [part for local in (*bearer, *named) for part in (" ", NamedPart(type_name(local.type)))]
                yield (_plain(action.name), *places)
    yield from ((_plain(routine),) for routine in program.routines)
    called: dict[str, list[str]] = {}
    for effect in effects:
        name, _, event = effect.rpartition(".")
        called.setdefault(event, []).append(name)
    for hook in program.triggers:
        event = hook.pattern.event
        for name in ("the rules", *called.get(event, ())):
            yield (_plain(f"{name}: {hook.kind} {event}"),)
    whole = [program.game, *program.actions.values(), *program.routines.values(), *program.triggers]
    for node in walk([piece for piece in whole if piece is not None]):
        if isinstance(node, tree.Tells):
            yield from (tuple(part for part in line if part) for line in product(*map(_ways, node.parts)))
        elif isinstance(node, tree.Roll):
            yield from ((words, NamedPart(NUMBER)) for words in ("the die shows ", "the dice show "))
        elif isinstance(node, tree.Shuffle):
            yield (*_zone(node.zone), " is shuffled")
        elif isinstance(node, tree.Draw) and isinstance(node.source, tree.ZoneRef) and node.source.zone.refilled_from:
            for cards in (" shuffled card from ", " shuffled cards from "):
                yield (*_zone(node.source), " is refilled with ", NamedPart(NUMBER), cards)
        elif isinstance(node, tree.Offer) and node.or_pass:
            yield (NamedPart("player"), " passes")


def _zone(ref: tree.ZoneRef) -> LogLine:
    """How the log calls a zone, as far as scenarios write it."""
    name = _plain(name_in_words(ref.zone.name))
    return (NamedPart(ref.zone.of), f"'s {name}") if ref.zone.of else (f"the {name}",)


def _ways(part: str | tree.Expr) -> tuple[str, ...]:
    """What may stand for a part of a text: a word in each of its forms, or what is named there."""
    if isinstance(part, str):
        return (_plain(part),)
    return (
        tuple(map(_plain, part.forms.split("|")))
        if isinstance(part, tree.Forms)
        else (NamedPart(type_name(part.type)),)
    )


def _shown(line: LogLine) -> str:
    return "".join(f"({part})" if isinstance(part, NamedPart) else part for part in line)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text).casefold()


def _within(text: str, line: LogLine, at: int, spoken: ScenarioTexts) -> bool:
    """Whether a line can have a text that begins in one of its parts."""
    part = line[at]
    if not isinstance(part, NamedPart):
        if text in part:
            return True
        cut = part.find(text[:1])
        while cut >= 0:
            if text.startswith(part[cut:]) and _follows(text[len(part) - cut :], line, at + 1, spoken):
                return True
            cut = part.find(text[:1], cut + 1)
        return False
    if part == NUMBER:
        return _number(text, 0, line, at, spoken)
    forms = spoken.told(part)
    if forms.begins(text) or forms.ends(text):
        return True
    return any(_follows(text[size:], line, at + 1, spoken) for size in forms.endings(text))


def _follows(text: str, line: LogLine, at: int, spoken: ScenarioTexts) -> bool:
    """Whether a text can go on with the parts of a line from one of them on."""
    if not text:
        return True
    if at == len(line):
        return False
    part = line[at]
    if not isinstance(part, NamedPart):
        return part.startswith(text) or (text.startswith(part) and _follows(text[len(part) :], line, at + 1, spoken))
    if part == NUMBER:
        return _number(text, 1, line, at, spoken)
    forms = spoken.told(part)
    if forms.begins(text):
        return True
    return any(forms.has(text[:size]) and _follows(text[size:], line, at + 1, spoken) for size in range(1, len(text)))


def _number(text: str, least: int, line: LogLine, at: int, spoken: ScenarioTexts) -> bool:
    """Whether a number, and then the rest of the line, can be the text. `least`: digits that it has there."""
    found = re.match(r"-?\d*|none", text)
    size = len(found[0]) if found else 0
    return size >= least and size > 0 and _follows(text[size:], line, at + 1, spoken)

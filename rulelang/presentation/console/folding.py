"""Lines of a story, and how many become few: what is said again is counted, what is said of several players is said of
all at once, a single consequence joins its cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulelang.base.languages import Language
from rulelang.base.node import record
from rulelang.base.terminal import display_width
from rulelang.base.wording import each_does

STEP = "  "
#: The kind of the lines of players who pass.
PASSES = "pass"
#: The kind of the lines of shuffled cards.
SHUFFLES = "shuffle"
#: A line that a consequence has joined is no longer than this.
LONGEST = 74


@record
class Line:
    """One line. `by` names whose doing it is before the text, `source` the trait whose rule it is behind it.

    `start` and `last`: the text up to the thing that it names at its end, and that; "" if it ends otherwise. `who` and
    `does`: the players of whom it speaks, and what it says of each; "" if it speaks of none. Lines of one `kind` are
    said by the same words of the rules. `times`: so often it was said. `of`: what of the log it tells, the numbers of
    events, and of changes as `-1 - number`.
    """

    depth: int
    text: str
    by: str = ""
    source: str = ""
    kind: object = None
    start: str = ""
    last: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    does: str = ""
    times: int = 1
    heading: bool = False
    of: tuple[int, ...] = ()

    def written(self, language: Language) -> str:
        """As it stands in a story."""
        if self.heading:
            return self.text
        text = self.text
        if len(self.last) > 1:
            several = language.listed(self.last)
            if self.kind == PASSES:
                text = language.say("{players} pass", players=several)
            elif self.kind == SHUFFLES:
                text = language.say("{zones} are shuffled", zones=several)
            else:
                text = self.start + several
        if self.times > 1:
            text = language.say("{text} ({n} times)", text=text, n=self.times)
        if self.by:
            text = language.say("{player}: {text}", player=self.by, text=text)
        return f"{STEP * (self.depth + 2)}{text}{f'  [{self.source}]' if self.source else ''}"


def folded(lines: Sequence[Line], language: Language, players: int = 0) -> list[Line]:
    """The same story in fewer lines. `players`: so many are all."""
    if len(lines) < 2:
        return [*lines]
    return _joined([_of_several(line, language, players) for line in _merged(lines)], language)


def _of_several(line: Line, language: Language, players: int) -> Line:
    """What is said of several players in the words that are said of one: `everybody draws 4 cards`."""
    if len(line.who) < 2:
        return line
    names = language.listed(line.who)
    if len(line.who) == players:
        text = f"{language.say('everybody')}{line.does}"
    else:
        english = each_does(names, line.does) if language.code == "en" else ""
        text = english or f"{language.say('each of {players}', players=names)}{line.does}"
    return replace(line, text=text, who=(), does="", start="", last=())


def _merged(lines: Sequence[Line]) -> list[Line]:
    """What the same words say of several things at the end of a sentence is said in one."""
    found: list[Line] = []
    for place, line in enumerate(lines):
        before = found[-1] if found else None
        leads = place + 1 < len(lines) and not lines[place + 1].heading and lines[place + 1].depth > line.depth
        if before is None or leads or not _alike(before, line):
            found.append(line)
        elif before.text == line.text and len(before.last) < 2 and len(before.who) < 2:
            found[-1] = replace(before, times=before.times + 1, of=before.of + line.of)
        elif (same := _said_of_others(found, line)) is not None:
            found[same] = replace(found[same], who=(*found[same].who, *line.who), of=found[same].of + line.of)
        elif _continues(before, line):
            found[-1] = replace(before, last=(*before.last, *line.last), of=before.of + line.of)
        else:
            found.append(line)
    return found


def _said_of_others(lines: Sequence[Line], line: Line) -> int | None:
    """Which of the last lines, all said by the same words, says the same of other players."""
    for place in reversed(range(len(lines))):
        if not _alike(lines[place], line):
            break
        if _together(lines[place], line):
            return place
    return None


def _together(before: Line, line: Line) -> bool:
    """Whether the same is said of other players."""
    same = before.does == line.does and bool(before.who and line.who) and len(before.last) < 2
    return same and before.times == 1 and line.who[0] not in before.who


def _continues(before: Line, line: Line) -> bool:
    """Whether a sentence that is begun alike can name both. A number in it would seem to be that of both together."""
    counts = any(char.isdigit() for char in line.start)
    return (
        before.times == 1
        and len(before.who) < 2
        and bool(before.last and line.last)
        and before.start == line.start
        and not counts
    )


def _alike(one: Line, other: Line) -> bool:
    return (
        not one.heading
        and not other.heading
        and other.kind is not None
        and (one.kind, one.depth, one.by, one.source) == (other.kind, other.depth, other.by, other.source)
    )


def _joined(lines: list[Line], language: Language) -> list[Line]:
    """A line from which one other came, and nothing else, is one with it."""
    found: list[Line] = []  # last line first
    for line in reversed(lines):
        child = found[-1] if found else None
        after = found[-2] if len(found) > 1 else None
        single = (
            child is not None
            and not line.heading
            and not child.heading
            and child.depth == line.depth + 1
            and (after is None or after.heading or after.depth <= line.depth)
        )
        if single and child is not None and not child.by and line.source in ("", child.source):
            text = language.say("{cause}; {then}", cause=_said(line, language), then=_said(child, language))
            both = Line(line.depth, text, line.by, child.source, of=line.of + child.of)
            if display_width(both.written(language)) <= LONGEST:
                found[-1] = both
                continue
        found.append(line)
    found.reverse()
    return found


def _said(line: Line, language: Language) -> str:
    """The words of a line alone."""
    return replace(line, by="", source="", depth=-2).written(language)

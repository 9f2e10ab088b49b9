"""A card is named in the log before it is laid open."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.english import a_quoted
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject
from rulelang.lint.uses import declarations
from rulelang.semantics import tree
from rulelang.semantics.walk import walk


def find(subject: Subject) -> Iterator[Found]:
    for declared in declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        for node in walk(declared):
            if not isinstance(node, tree.For | tree.Choose):
                continue
            for binder in node.binders:
                if not _hidden(binder.domain):
                    continue
                for tells, move in _early(node.body, binder.local, None):
                    name = binder.local.text
                    because = (
                        f"`{name}` is not laid open yet, so those who do not see it read {a_quoted(_sort(binder))}"
                    )
                    related = (Related(move.span.head(), "here everyone sees it"),)
                    message = f"`{{{name}}}` is told before everyone sees it"
                    yield Found(tells.span, message, because, "put the `tells` behind the `move`", related)


def _hidden(domain: tree.Domain) -> bool:
    """Whether these are cards of zones of which none is open to all."""
    if not isinstance(domain, tree.InZones):
        return False
    return all(isinstance(at, tree.ZoneRef) and at.zone.seen_by != "everyone" for at in domain.zones)


def _sort(binder: tree.Binder) -> str:
    return binder.domain.sort if isinstance(binder.domain, tree.InZones) else "card"


def _early(
    block: tree.Block, local: tree.Local, told: tree.Tells | None
) -> Iterator[tuple[tree.Tells, tree.Statement]]:
    """Where a card is told and then moved into the open; `told`: where that was done before the block."""
    for statement in block:
        if isinstance(statement, tree.Tells):
            if told is None and any(isinstance(p, tree.LocalRef) and p.local == local for p in statement.parts):
                told = statement
        elif isinstance(statement, tree.Move):
            if not (isinstance(statement.card, tree.LocalRef) and statement.card.local == local):
                continue
            if told is not None and isinstance(statement.to, tree.ZoneRef) and statement.to.zone.seen_by == "everyone":
                yield told, statement
            return
        elif isinstance(statement, tree.If):
            found = [pair for part in (statement.then, statement.otherwise) for pair in _early(part, local, told)]
            if found:
                yield found[0]
                return


RULE = Rule(
    "told-too-early",
    Page(
        "L834",
        "a card that is told before it is laid open",
        "A line of the log names to each player what he sees at that moment: a card that lies where he cannot look is "
        "`a card` to him, and stays so in that line. What is to be told to all is moved first. (The first `tells` of a "
        "routine or action is its title, which is told with what has become open by its end.)",
        "routine throw_all(player p):\n"
        "  for card c in p.hand:\n"
        '    tells "{p} throws {c} away"\n'
        "    move c to discards\n"
        "after dawn: for player p: throw_all(p)\n",
        "routine throw_all(player p):\n"
        "  for card c in p.hand:\n"
        "    move c to discards\n"
        '    tells "{p} throws {c} away"\n'
        "after dawn: for player p: throw_all(p)\n",
    ),
    find,
)

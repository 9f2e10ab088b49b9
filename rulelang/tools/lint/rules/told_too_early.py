"""A card is named in the log before it is laid open."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.wording import a_quoted
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import declarations


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
                    because = f"`{name}` is not revealed yet, so other players read {a_quoted(_sort(binder))}"
                    related = (Related(move.span.head(), "this reveals it"),)
                    message = f"the log shows `{{{name}}}` before it is revealed"
                    yield Found(tells.span, message, because, "put the `tells` after the `move`", related)


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
        "card in the log before it is revealed",
        "A log line shows a card as each player sees it at that moment. If a player cannot see the card, they see "
        "`a card`, even after the card is revealed. So move the card first, and write the line afterward. (The "
        "first `tells` in a routine or action is its title, which can show everything revealed by the end.)",
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

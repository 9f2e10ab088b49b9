"""What is done at the end of a turn, but not for who passes at once."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
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
            if isinstance(node, tree.Turns):
                for offer, after in _skipped(node.body, None):
                    because = "doing nothing at an offer is a pass, and a pass ends the turn that contains the offer"
                    hint = "run a phase with the offer: `phase NAME: offer any actions to active or pass`"
                    related = (Related(offer.span.head(), "a pass at this offer ends the turn"),)
                    message = "a player who passes immediately skips this"
                    yield Found(after.span.head(), message, because, hint, related)


def _skipped(block: tree.Block, after: tree.Statement | None) -> Iterator[tuple[tree.Offer, tree.Statement]]:
    """The offers of as many actions as one likes in the block of a turn, each with what follows it; `after`: what
    follows the block. Who is offered a single action does something or passes, and rules that tell these apart follow
    such an offer."""
    for number, statement in enumerate(block):
        follows = block[number + 1] if number + 1 < len(block) else after
        if isinstance(statement, tree.Offer) and not statement.one and statement.or_pass and follows is not None:
            yield statement, follows
        elif isinstance(statement, tree.If):
            for part in (statement.then, statement.otherwise):
                yield from _skipped(part, follows)


RULE = Rule(
    "skipped-by-pass",
    Page(
        "L832",
        "end of a turn that a pass skips",
        "A player who does nothing at an offer passes, and a pass ends the turn that contains the offer. So the "
        "rest of the turn does not happen: drawing, cleaning up, paying. If it must always happen, put the offer in"
        " a phase of its own, and run this phase first. Then the pass ends the phase, and the turn continues.",
        "phase picnic:\n"
        "  turns p from start once each:\n"
        "    offer any actions to p or pass\n"
        "    p.points += 1\n"
        "action snack(snail s of actor) during picnic: eat(s, mushroom, 1)\n"
        "after dawn: picnic\n",
        "phase picnic:\n"
        "  turns p from start once each:\n"
        "    snacking\n"
        "    p.points += 1\n"
        "phase snacking: offer any actions to active or pass\n"
        "action snack(snail s of actor) during snacking: eat(s, mushroom, 1)\n"
        "after dawn: picnic\n",
    ),
    find,
)

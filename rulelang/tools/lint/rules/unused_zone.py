"""A zone that no rule names."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for zone in subject.model.zones.values():
        if zone.slot or not subject.owns(zone.span):
            continue
        if zone.name not in subject.uses.zones:
            yield Found(zone.span, f"no rule names the zone `{zone.name}`", "the zone is always empty")
        elif zone.name not in subject.uses.filled:
            hint = "let a rule `move` or `draw` cards there, or remove it"
            yield Found(zone.span, f"no rule moves cards to the zone `{zone.name}`", "the zone is always empty", hint)


RULE = Rule(
    "unused-zone",
    Page(
        "L809",
        "zone that is always empty",
        "A zone gets cards only if rules move cards there. No rule moves cards to this zone, so it stays empty in "
        "every game.",
        "zones: {burrow: {of: player, holds: card, seen_by: owner}}\n",
        "trait: digger\ntext: {en: It buries itself.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  after eat(self, any, any): move this to discards\n",
    ),
    find,
)

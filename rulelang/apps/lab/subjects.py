"""What a study asks about: the cards of a table, alike ones together, and its traits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulelang.base.errors import BadArgument
from rulelang.base.hidden_state import exchange_groups
from rulelang.base.labels import NO_LABEL, in_english, name_in_words
from rulelang.base.layout import CardInfo, DecisionPoint, Layout, LogTemplate
from rulelang.base.trace_plan import TracePlan, hand_zones
from rulelang.base.wording import did_you_mean
from rulelang.runtime.table import Table


@dataclass(frozen=True, slots=True)
class Subject:
    """A trait, or cards of one name (`sort` is "" for a trait). `id`: as the rules call it; `title`: as people do.
    `handles`: the cards that are it or bear it."""

    id: str
    title: str
    sort: str
    handles: tuple[int, ...]

    @property
    def copies(self) -> int:
        return len(self.handles)


def cards_of(layout: Layout) -> tuple[Subject, ...]:
    """All cards that are drawn or lie in zones, by name."""
    found: dict[tuple[str, str], list[int]] = {}
    first: dict[tuple[str, str], CardInfo] = {}
    for handle, card in enumerate(layout.cards):
        if handle:
            key = card.sort, card.row or card.label
            found.setdefault(key, []).append(handle)
            first.setdefault(key, card)
    return _distinct(
        [Subject(name, _card_title(layout, first[sort, name]), sort, tuple(handles))
         for (sort, name), handles in found.items()]
    )  # fmt: skip


def traits_of(layout: Layout) -> tuple[Subject, ...]:
    """All traits that cards bear."""
    names = layout.lists.get("trait", ("none",))
    found = []
    for number, name in enumerate(names):
        handles = tuple(handle for handle, card in enumerate(layout.cards) if number and number in card.faces)
        if handles:
            found.append(Subject(name, row_title(layout, "trait", name), "", handles))
    return _distinct(found)


def row_title(layout: Layout, kind: str, name: str) -> str:
    """What a row is called in English."""
    label = layout.labels.rows.get(kind, {}).get(name, NO_LABEL)
    said = in_english(label.name) or layout.trait_titles.get(name, {}).get("en", "") if kind == "trait" else in_english(
        label.name
    )  # fmt: skip
    return said or name_in_words(name).capitalize()


def bearer_of(layout: Layout) -> str:
    """What those are called in English that bear traits and are no players: `thing` if they are of several kinds."""
    kinds = {zone.of for zone in layout.zones.values() if zone.in_force and zone.of not in ("", "player")}
    return thing_title(layout, kinds.pop()) if len(kinds) == 1 else "thing"


def thing_title(layout: Layout, name: str) -> str:
    """What a zone, an action or a kind is called in English."""
    return in_english(layout.labels.things.get(name, NO_LABEL).name) or name_in_words(name)


def _card_title(layout: Layout, card: CardInfo) -> str:
    label = in_english(layout.labels.rows.get(card.sort, {}).get(card.row, NO_LABEL).name)
    if label:
        return label
    if card.faces and not card.row:
        traits = layout.lists["trait"]
        return " / ".join(row_title(layout, "trait", traits[face]) for face in card.faces)
    return name_in_words(card.row or card.label).capitalize()


def _distinct(subjects: Sequence[Subject]) -> tuple[Subject, ...]:
    """Two of one title are told apart by their names in the rules."""
    times = Counter(subject.title for subject in subjects)
    return tuple(
        replace(subject, title=f"{subject.title} ({name_in_words(subject.id)})")
        if times[subject.title] > 1
        else subject
        for subject in subjects
    )


def can_be_dealt(layout: Layout, subject: Subject) -> bool:
    """Whether one of these cards can be put into a starting hand in the place of another: see `Arranged`."""
    group = exchange_groups(layout)
    return bool(hand_zones(layout)) and any(group[card] for card in subject.handles)


def check_named(table: Table, name: str) -> None:
    """ValueError, with the nearest, if no card and no trait of the table is called so in the rules."""
    layout = table.program.layout
    known = [subject.id for subject in (*cards_of(layout), *traits_of(layout))]
    if name not in known:
        hint = did_you_mean(name, known)
        raise BadArgument(f"no card or trait is called `{name}` in the rules{'; ' + hint if hint else ''}")


@dataclass(frozen=True, slots=True)
class Deed:
    """An action, at all sites that offer it together, or a routine in which cards leave hands. `id`: as the rules call
    it; `choices`: its numbers in a plan; `templates`: what the log calls it."""

    id: str
    title: str
    choices: tuple[int, ...]
    templates: tuple[int, ...]


def deeds_of(plan: TracePlan, sites: Sequence[DecisionPoint], templates: Sequence[LogTemplate]) -> tuple[Deed, ...]:
    """All actions and reactions that may be offered; not the answers to questions, which are no actions."""
    choices: dict[str, list[int]] = {}
    titles: dict[str, str] = {}
    for number, site in enumerate(sites):
        for tag, action in enumerate(site.actions):
            if site.kind in ("offer", "react"):
                choices.setdefault(action.id, []).append(plan.choice_at[number] + 1 + tag)
                titles[action.id] = _deed_title(plan.layout, action.name, action.source)
    told: dict[str, list[int]] = {}
    for number, template in enumerate(templates):
        if template.what == "action":
            told.setdefault(template.name, []).append(number)
    return tuple(Deed(id_, titles[id_], tuple(choices[id_]), tuple(told.get(id_, ()))) for id_ in choices)


def events_of(layout: Layout, templates: Sequence[LogTemplate]) -> tuple[Deed, ...]:
    """All events in which cards may leave hands: actions, routines, hooks."""
    return tuple(
        Deed(template.name, _deed_title(layout, template.name.split(".")[-1], template.source), (), (number,))
        for number, template in enumerate(templates)
        if template.name
    )


def _deed_title(layout: Layout, name: str, source: str) -> str:
    title = thing_title(layout, name)
    return f"{title} ({row_title(layout, 'trait', source)})" if source else title

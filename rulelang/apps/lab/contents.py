"""What a report says of a study, block by block; of two studies, also what the second changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.apps.lab.blocks import Block, Cells, Dot, Dots, Heading, Items, Page, Words
from rulelang.apps.lab.differing import differences
from rulelang.apps.lab.figures import CardFigures, Figures, PairFigures
from rulelang.apps.lab.wording import (
    about_card,
    about_pair,
    about_seats,
    about_trait,
    games,
    listed,
    number,
    percent,
    shift,
    uneven,
    within,
)

#: Pairs and cards that are shown where nothing stands out, and lines of a chart, at most.
SHOWN, LINES = 8, 40
#: Differences from the base that are said in sentences, at most.
LISTED = 5


def page_of(figures: Figures, base: Figures | None = None, asked: str = "") -> Page:
    """The whole report. `base`: the same without the mods that are asked about. `asked`: what came of a question that
    the games were played for, which is told first."""
    blocks = [*_head(figures, asked), *_seats(figures)]
    if base is not None:
        blocks += [*_against(figures, base)]
    blocks += [*_cards(figures), *_traits(figures), *_pairs(figures), *_never(figures), *_reading(figures)]
    return Page(f"Is it fair? {_called(figures)}", blocks)


def summary_of(figures: Figures, base: Figures | None = None, asked: str = "") -> Page:
    """What fits under a pull request: what stands out, and what was played; `asked` as of a page."""
    blocks: list[Block] = [Items(tuple(outstanding(figures, asked))), Words(played(figures), quiet=True)]
    if base is not None:
        rows = [row for row in differences(base, figures) if row.differs]
        cells = Cells(
            ("figure", "before", "after", "difference"), tuple((r.what, r.base, r.now, r.change) for r in rows)
        )
        blocks[1:1] = [cells] if rows else [Words("Nothing changed by more than chance explains.")]
    return Page(f"Balance of {_called(figures)}", blocks)


def outstanding(figures: Figures, asked: str = "") -> list[str]:
    """What a designer is told first: `asked`, what came of his question, and what stands out."""
    found = [*([asked] if asked else []), *about_seats(figures)]
    cards = sorted((card for card in figures.cards if card.told), key=lambda card: -_strength(card))
    for card in cards:
        found += about_card(card)[:2]
    traits = sorted(
        (trait for trait in figures.traits if trait.told), key=lambda trait: -abs(trait.effect.effect.value)
    )
    found += [about_trait(trait) for trait in traits]
    found += [about_pair(pair) for pair in (*figures.pairs, *figures.beside) if pair.told]
    if not cards and not traits:
        found.append("No card or trait stands out: no difference is larger than chance explains.")
    if figures.idle:
        found.append(f"Drawn and never played: {listed([card.title for card in figures.idle])}.")
    if figures.untaken:
        found.append(f"Never done: {listed([deed.title for deed in figures.untaken])}.")
    return found


def changed(figures: Figures, base: Figures) -> list[str]:
    """What differs from the base beyond chance, a sentence each; the surest first."""
    rows = sorted((row for row in differences(base, figures) if row.differs), key=lambda row: row.surprise)
    found = [f"Changed: {row.what}, from {row.base} to {row.now}." for row in rows[:LISTED]]
    if len(rows) > LISTED:
        found.append(f"{len(rows) - LISTED:,} more figures changed; see the full report.")
    return found or ["Nothing differs from the base game by more than chance explains."]


def played(figures: Figures) -> str:
    """What was played, in a sentence."""
    what = figures.played
    mods = ", ".join(f"{mod} {version}" for mod, version in what["mods"].items())
    agents = listed(list(dict.fromkeys(what["agents"])))
    options = ", ".join(f"{name} {str(value).lower()}" for name, value in what["options"].items())
    parts = [f"{what['ruleset']} {what['version']}{f' with {mods}' if mods else ''}"]
    parts += [f"mode {what['mode']}"] if what["mode"] else []
    parts += [options] if options else []
    twice = f"; {games(figures.matched)} per card played twice" if figures.matched else ""
    return (
        f"Played: {'; '.join(parts)}. {games(figures.games).capitalize()} of {figures.players} players between bots "
        f"({agents}), seed {figures.seed}{twice}."
    )


def _called(figures: Figures) -> str:
    mods = list(figures.played["mods"])
    return f"{figures.title} with {listed(mods)}" if mods and figures.title not in mods else figures.title


def _strength(card: CardFigures) -> float:
    return max(abs(each.value) for each in (card.held.effect, card.when_played.effect))


def _head(figures: Figures, asked: str) -> Iterator[Block]:
    yield Words(played(figures), quiet=True)
    yield Heading("What stands out")
    yield Items(tuple(outstanding(figures, asked)))


def _seats(figures: Figures) -> Iterator[Block]:
    yield Heading("The game")
    even = 1 / figures.players
    yield Dots(
        "Games won by seat", "share of games, %",
        tuple(
            Dot(f"seat {seat}", share.value, share.low, share.high, told)
            for seat, (share, told) in enumerate(zip(figures.seats, uneven(figures), strict=True), 1) if share.known
        ),
        even, "; ".join(f"seat {seat} {within(share)}" for seat, share in enumerate(figures.seats, 1)),
    )  # fmt: skip
    rows = [(f"points of seat {seat}", number(mean)) for seat, mean in enumerate(figures.points, 1)]
    yield Cells(
        ("per game", "mean (95 % interval)"),
        (
            *((f"won by seat {seat}", within(share)) for seat, share in enumerate(figures.seats, 1)),
            *rows,
            ("rounds", number(figures.rounds)),
            ("decisions", number(figures.decisions)),
            ("ties for the win", within(figures.ties)),
            ("won by a player who was behind halfway", within(figures.comebacks)),
        ),
    )  # fmt: skip


def _cards(figures: Figures) -> Iterator[Block]:
    if not any(card.drawn for card in figures.cards):
        return
    yield Heading("Cards")
    yield Words(
        "Held: how many more of the players who ever had the card in hand won than of the players who drew as many "
        "cards without it, in percentage points. Played: the same for players who played it. Matched: the same games "
        "played twice, once with the card in a starting hand and once with another card in its place."
    )
    shown = sorted((card for card in figures.cards if card.drawn), key=lambda card: -card.held.effect.value)
    known = [card for card in shown if card.held.effect.known]
    if known:
        most = _ends(known)
        yield Dots(
            "How holding a card affects winning", "percentage points",
            tuple(
                Dot(card.title, e.value, e.low, e.high, "held" in card.told)
                for card in most for e in [card.held.effect]
            ),
            0.0, "; ".join(f"{card.title} {shift(card.held.effect)}" for card in most),
        )  # fmt: skip
    marked = frozenset(number for number, card in enumerate(shown) if card.told)
    yield Cells(
        ("card", "won by holders", "expected", "held", "games", "played", "matched"),
        tuple(
            (
                card.title, percent(card.held.won.value) if card.held.won.known else "",
                percent(card.held.expected) if card.held.won.known else "", shift(card.held.effect),
                f"{card.held.effect.games:,}", shift(card.when_played.effect), shift(card.matched),
            )
            for card in shown
        ),
        marked,
    )  # fmt: skip
    yield Words("How often cards are drawn, played and kept until the end, per game, by all players together.")
    yield Cells(
        ("card", "copies", "drawn", "played", "kept", "played by those who drew it", "went from hand to"),
        tuple(
            (
                card.title, str(card.copies), f"{card.drawn:.1f}", f"{card.played:.1f}", f"{card.kept:.1f}",
                percent(card.of_drawn) if card.drawn else "", _uses(card),
            )
            for card in shown
        ),
        marked,
    )  # fmt: skip


def _uses(card: CardFigures) -> str:
    """What its copies leave hands for, the most usual first; what is rare is not told."""
    often = sorted(card.uses.items(), key=lambda use: -use[1])
    return ", ".join(f"{what} {times:.1f}" for what, times in often if times >= 0.05)


def _ends(cards: list[CardFigures]) -> list[CardFigures]:
    """Of many the strongest and the weakest."""
    return cards if len(cards) <= LINES else [*cards[: LINES // 2], *cards[-LINES // 2 :]]


def _traits(figures: Figures) -> Iterator[Block]:
    if not any(trait.borne for trait in figures.traits):
        return
    yield Heading("Traits in force")
    yield Words(
        "How many more of the players who ever had the trait in force won than of the players with as many other "
        "traits."
    )
    shown = sorted(figures.traits, key=lambda trait: -trait.effect.effect.value)
    known = [trait for trait in shown if trait.effect.effect.known]
    if known:
        yield Dots(
            "How a trait in force affects winning", "percentage points",
            tuple(
                Dot(trait.title, e.value, e.low, e.high, trait.told)
                for trait in known[:LINES] for e in [trait.effect.effect]
            ),
            0.0, "; ".join(f"{trait.title} {shift(trait.effect.effect)}" for trait in known[:LINES]),
        )  # fmt: skip
    yield Cells(
        ("trait", "had by", "won", "expected", "effect", "games"),
        tuple(
            (
                trait.title, percent(trait.borne), percent(trait.effect.won.value) if trait.effect.won.known else "",
                percent(trait.effect.expected) if trait.effect.won.known else "", shift(trait.effect.effect),
                f"{trait.effect.effect.games:,}",
            )
            for trait in shown
        ),
        frozenset(i for i, trait in enumerate(shown) if trait.told),
    )  # fmt: skip


def _pairs(figures: Figures) -> Iterator[Block]:
    if figures.pairs or figures.beside:
        yield Heading("Pairs")
    yield from _pairs_of(
        figures.pairs,
        "Pairs that are worth more or less together than the sum of both alone, for one player.",
        "None of {} is known to be stronger or weaker together than apart.",
        ("pair", "together", "games with both"),
    )
    if figures.beside:
        bearer = figures.beside[0].bearer
        yield from _pairs_of(
            figures.beside,
            f"Pairs that are worth more or less on one {bearer} than on two, to a player who has both.",
            f"Players had both, on one {bearer} or on two: none of {{}} is known to be stronger or weaker on one.",
            ("pair", f"on one {bearer}", "games with both there"),
        )


def _pairs_of(pairs: tuple[PairFigures, ...], said: str, quiet: str, head: tuple[str, str, str]) -> Iterator[Block]:
    if not pairs:
        return
    told = sum(pair.told for pair in pairs)
    none = quiet.format(f"{len(pairs):,} pairs" if len(pairs) > 1 else "1 pair")
    yield Words(said if told else f"{none} The most unusual, not beyond chance:")
    yield Cells(
        head,
        tuple((f"{p.first} and {p.second}", shift(p.effect), f"{p.effect.games:,}") for p in pairs[: max(SHOWN, told)]),
        frozenset(range(told)),
    )


def _never(figures: Figures) -> Iterator[Block]:
    texts = []
    if figures.idle:
        texts.append(f"Cards that were drawn and never played: {listed([c.title for c in figures.idle], 40)}.")
    unseen = [card.title for card in figures.cards if not card.drawn]
    if unseen and len(unseen) < len(figures.cards):
        texts.append(f"Cards that no player ever held: {listed(unseen, 40)}.")
    bare = [trait.title for trait in figures.traits if not trait.borne]
    if bare:
        texts.append(f"Traits that were never in force: {listed(bare, 40)}.")
    for deed in figures.untaken:
        times = f"offered in {deed.offered:,} decisions" if deed.offered else "never offered"
        texts.append(f"Action never taken: {deed.title} ({times}).")
    for rule in figures.unreached:
        texts.append(f"Rule never reached: the {rule.what} {rule.name} ({rule.place}).")
    yield Heading("What never happened")
    cards = "card was played, every " if any(card.played for card in figures.cards) else ""
    yield Items(tuple(texts)) if texts else Words(f"Every {cards}action taken, every rule reached.")
    if texts:
        yield Words(
            f"In {games(figures.games)}. People may do things that these bots never do; try other agents, too "
            "(`--agents`).",
            quiet=True,
        )


def _against(figures: Figures, base: Figures) -> Iterator[Block]:
    yield Heading("Compared with the base game")
    yield Words(f"The same number of games, with the same seeds, without the change. {played(base)}")
    rows = differences(base, figures)
    yield Cells(
        ("figure", "base", "now", "difference"),
        tuple((row.what, row.base, row.now, row.change) for row in rows),
        frozenset(i for i, row in enumerate(rows) if row.differs),
    )
    old = {(card.sort, card.id) for card in base.cards}
    new = [card.title for card in figures.cards if (card.sort, card.id) not in old]
    if new:
        yield Words(f"New cards: {listed(new, 40)}.")


def _reading(figures: Figures) -> Iterator[Block]:
    yield Heading("How to read this")
    kind = (
        "Games were played until the intervals were narrow enough. Therefore each interval is a little wider than "
        "usual, so that it is valid whenever you stop."
        if figures.anytime
        else "The number of games was fixed in advance."
    )
    yield Items(
        (
            "Brackets show the 95 % confidence interval and the number of games. " + kind,
            "A card stands out (●) if its effect is at least one percentage point, and chance is unlikely to explain "
            "it, even though many cards were tested. About one in twenty of these may still be chance: the "
            "Benjamini-Hochberg procedure controls the false discovery rate.",
            "“Expected” is the share won by comparable players: in the same seat, with as many cards drawn. So a card "
            "does not seem strong just because winners draw more.",
            "Matched games measure the card itself, not the players who hold it. They only cover starting hands.",
            "Bots are not people. The report shows what happens when these bots play.",
        )
    )

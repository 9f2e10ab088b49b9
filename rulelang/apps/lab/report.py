"""The text of a report: figures in sentences, differences between two studies, and all blocks in order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

from rulelang.apps.lab.figures import CardFigures, Effect, Figures, PairFigures, TraitFigures
from rulelang.apps.lab.statistics import LEVEL, Estimate, chance_of_estimate, chance_of_mean, significant_of
from rulelang.apps.lab.study import Known

# ---- blocks


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. `quiet`: a remark beside the matter."""

    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """A table. The first column is words, all others are numbers. `marked`: rows that stand out, by number."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Dot:
    """One line of a chart: a value between its bounds. `told`: it stands out."""

    label: str
    value: float
    low: float
    high: float
    told: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """A chart: values with their intervals on one axis, in percent, and where nothing would be (`even`). `says` is what
    the chart says, for who does not see it."""

    title: str
    axis: str
    dots: tuple[Dot, ...]
    even: float
    says: str


Block = Heading | Words | Items | Cells | Dots


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    blocks: Sequence[Block] = field(default_factory=tuple)


# ---- sentences

#: What is said instead of a number that too few games stand behind.
TOO_FEW = "too few games"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def points_text(value: float) -> str:
    """A difference of shares, in percentage points."""
    return f"{100 * value:+.1f}".replace("-", "−")


def games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def interval_text(found: Estimate) -> str:
    """`54.1 % (52.9 to 55.3, 6,120 games)`."""
    if not found.known:
        return f"{TOO_FEW} ({found.games:,})"
    return f"{percent(found.value)} ({100 * found.low:.1f} to {100 * found.high:.1f}, {games(found.games)})"


def number_text(found: Estimate, digits: int = 1) -> str:
    """`6.6 (6.6 to 6.7)`."""
    if not found.known:
        return TOO_FEW
    return f"{found.value:,.{digits}f} ({found.low:,.{digits}f} to {found.high:,.{digits}f})"


def shift_text(found: Estimate | None) -> str:
    """`+4.1 (+2.9 to +5.3)`, in points."""
    if found is None:
        return ""
    if not found.known:
        return TOO_FEW
    return f"{points_text(found.value)} ({points_text(found.low)} to {points_text(found.high)})"


def better(found: Estimate) -> str:
    return "more" if found.value > 0 else "less"


def held_sentence(title: str, effect: Effect) -> str:
    """What holding a card does."""
    if not effect.effect.known:
        return f"{title}: {TOO_FEW} with and without it for a result ({effect.effect.games:,} with it)."
    won = effect.won
    return (
        f"{title}: games in which its owner held it were won {percent(won.value)} "
        f"({100 * won.low:.1f} to {100 * won.high:.1f}, {games(won.games)}); expected {percent(effect.expected)}."
    )


def about_card(card: CardFigures) -> list[str]:
    """What stands out about a card, a sentence each."""
    found = []
    if "held" in card.told:
        found.append(held_sentence(card.title, card.held))
    if "played" in card.told:
        won = card.when_played.won
        found.append(
            f"{card.title}: players who played it won {percent(won.value)} "
            f"({100 * won.low:.1f} to {100 * won.high:.1f}, {games(won.games)}); players who played as many "
            f"other cards won {percent(card.when_played.expected)}."
        )
    if "matched" in card.told and card.matched is not None:
        twice = card.matched
        found.append(
            f"{card.title}: with it in the starting hand, a player wins {abs(100 * twice.value):.1f} percentage points "
            f"{'more' if twice.value > 0 else 'less'} often than the same game with another card in its place "
            f"({points_text(twice.low)} to {points_text(twice.high)}, {games(twice.games)} played twice)."
        )
    return found


def about_trait(trait: TraitFigures) -> str:
    won = trait.effect.won
    return (
        f"{trait.title}: players who had the trait in force won {percent(won.value)} "
        f"({100 * won.low:.1f} to {100 * won.high:.1f}, {games(won.games)}); players with as many other traits won "
        f"{percent(trait.effect.expected)}."
    )


def about_pair(pair: PairFigures) -> str:
    effect = pair.effect
    often = f"{abs(100 * effect.value):.1f} percentage points {'more' if effect.value > 0 else 'less'} often"
    seen = f"({points_text(effect.low)} to {points_text(effect.high)}, seen {effect.games:,} times)"
    if pair.bearer:
        where = f"on one {pair.bearer}: owners won {often} than with them on two"
        return f"{pair.first} and {pair.second} {where} {seen}."
    return f"{pair.first} and {pair.second} together: owners won {often} than expected from each alone {seen}."


def about_known(known: Known, count: int) -> str:
    """What was asked about, when it was known well enough or one stopped."""
    if not known.found.known:
        return f"After {games(count)}: {TOO_FEW} to answer the question."
    return (
        f"Known after {games(count)} to ±{100 * known.found.half:.1f} percentage points: {known.title} "
        f"{shift_text(known.found)}, {games(known.found.games)}."
    )


def uneven(figures: Figures) -> list[bool]:
    """By seat, whether it stands out: its share of the win is not an even one. Seats are several, so that one of them
    lies outside of its interval more often than one alone would."""
    return significant_of([chance_of_estimate(share, 1 / figures.players) for share in figures.seats])


def about_seats(figures: Figures) -> list[str]:
    """Seats whose share of the win is not an even one, as far as is known."""
    even = 1 / figures.players
    found = [
        f"Seat {seat} wins {interval_text(share)}; an even share is {percent(even)}."
        for seat, (share, told) in enumerate(zip(figures.seats, uneven(figures), strict=True), 1)
        if told
    ]
    return found or [
        f"No seat clearly wins more than its share of {percent(even)}; the widest interval is "
        f"±{100 * figures.width:.1f} points."
    ]


def listed_names(names: list[str], most: int = 12) -> str:
    """`a, b and c`; of many the first, and how many more."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


# ---- differences between two studies


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure in both, in words. `differs`: chance hardly explains the difference."""

    what: str
    base: str
    now: str
    change: str
    differs: bool
    surprise: float = 1.0


def study_differences(base: Figures, now: Figures) -> list[Difference]:
    """Seats, length, ties, comebacks, and the effects of cards and traits that are in both. Of so many the false
    discoveries are held."""
    found = _all(base, now)
    told = significant_of([each.surprise for each in found])
    return [replace(each, differs=which) for each, which in zip(found, told, strict=True)]


def _all(base: Figures, now: Figures) -> list[Difference]:
    found = []
    if base.players == now.players:
        for seat in range(now.players):
            found.append(_share(f"won by seat {seat + 1}", base.seats[seat], now.seats[seat]))
        for seat in range(now.players):
            found.append(_mean(f"points of seat {seat + 1}", base.points[seat], now.points[seat]))
    found.append(_mean("rounds", base.rounds, now.rounds))
    found.append(_mean("decisions", base.decisions, now.decisions))
    found.append(_share("ties for the win", base.ties, now.ties))
    found.append(_share("won by a player who was behind halfway", base.comebacks, now.comebacks))
    old = {(card.sort, card.id): card for card in base.cards}
    for card in now.cards:
        before = old.get((card.sort, card.id))
        if before is not None and before.held.effect.known and card.held.effect.known:
            found.append(_effect(f"holding {card.title}", before.held.effect, card.held.effect))
    traits = {trait.id: trait for trait in base.traits}
    for trait in now.traits:
        known = traits.get(trait.id)
        if known is not None and known.effect.effect.known and trait.effect.effect.known:
            found.append(_effect(f"{trait.title} in force", known.effect.effect, trait.effect.effect))
    return found


def estimated_difference(base: Estimate, now: Estimate) -> tuple[float, float, float]:
    """The difference and its bounds. The studies are taken as independent, which is never too narrow for games with the
    same seeds that go alike."""
    value = now.value - base.value
    half = math.hypot(base.half, now.half)
    return value, value - half, value + half


def _found(what: str, before: str, after: str, change: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = estimated_difference(base, now)
    # As if the interval were planned: an anytime one is wider, so the surprise is told too small and not too large.
    error = (high - low) / 2 / NormalDist().inv_cdf((1 + LEVEL) / 2)
    chance = chance_of_mean(value, error, min(base.games, now.games), anytime=False)
    return Difference(what, before, after, change, False, chance)


def _share(what: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = estimated_difference(base, now)
    change = f"{points_text(value)} ({points_text(low)} to {points_text(high)})"
    return _found(what, percent(base.value), percent(now.value), change, base, now)


def _mean(what: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = estimated_difference(base, now)
    change = f"{value:+,.2f} ({low:+,.2f} to {high:+,.2f})".replace("-", "−")
    return _found(what, number_text(base), number_text(now), change, base, now)


def _effect(what: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = estimated_difference(base, now)
    change = f"{points_text(value)} ({points_text(low)} to {points_text(high)})"
    return _found(what, shift_text(base), shift_text(now), change, base, now)


# ---- the report

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
    blocks: list[Block] = [
        Items(tuple(outstanding_findings(figures, asked))),
        Words(played_sentence(figures), quiet=True),
    ]
    if base is not None:
        rows = [row for row in study_differences(base, figures) if row.differs]
        cells = Cells(
            ("figure", "before", "after", "difference"), tuple((r.what, r.base, r.now, r.change) for r in rows)
        )
        blocks[1:1] = [cells] if rows else [Words("Nothing changed by more than chance explains.")]
    return Page(f"Balance of {_called(figures)}", blocks)


def outstanding_findings(figures: Figures, asked: str = "") -> list[str]:
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
        found.append(f"Drawn and never played: {listed_names([card.title for card in figures.idle])}.")
    if figures.untaken:
        found.append(f"Never done: {listed_names([deed.title for deed in figures.untaken])}.")
    return found


def changed_figures(figures: Figures, base: Figures) -> list[str]:
    """What differs from the base beyond chance, a sentence each; the surest first."""
    rows = sorted((row for row in study_differences(base, figures) if row.differs), key=lambda row: row.surprise)
    found = [f"Changed: {row.what}, from {row.base} to {row.now}." for row in rows[:LISTED]]
    if len(rows) > LISTED:
        found.append(f"{len(rows) - LISTED:,} more figures changed; see the full report.")
    return found or ["Nothing differs from the base game by more than chance explains."]


def played_sentence(figures: Figures) -> str:
    """What was played, in a sentence."""
    what = figures.played
    mods = ", ".join(f"{mod} {version}" for mod, version in what["mods"].items())
    agents = listed_names(list(dict.fromkeys(what["agents"])))
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
    return f"{figures.title} with {listed_names(mods)}" if mods and figures.title not in mods else figures.title


def _strength(card: CardFigures) -> float:
    return max(abs(each.value) for each in (card.held.effect, card.when_played.effect))


def _head(figures: Figures, asked: str) -> Iterator[Block]:
    yield Words(played_sentence(figures), quiet=True)
    yield Heading("What stands out")
    yield Items(tuple(outstanding_findings(figures, asked)))


def _seats(figures: Figures) -> Iterator[Block]:
    yield Heading("The game")
    even = 1 / figures.players
    yield Dots(
        "Games won by seat", "share of games, %",
        tuple(
            Dot(f"seat {seat}", share.value, share.low, share.high, told)
            for seat, (share, told) in enumerate(zip(figures.seats, uneven(figures), strict=True), 1) if share.known
        ),
        even, "; ".join(f"seat {seat} {interval_text(share)}" for seat, share in enumerate(figures.seats, 1)),
    )  # fmt: skip
    rows = [(f"points of seat {seat}", number_text(mean)) for seat, mean in enumerate(figures.points, 1)]
    yield Cells(
        ("per game", "mean (95 % interval)"),
        (
            *((f"won by seat {seat}", interval_text(share)) for seat, share in enumerate(figures.seats, 1)),
            *rows,
            ("rounds", number_text(figures.rounds)),
            ("decisions", number_text(figures.decisions)),
            ("ties for the win", interval_text(figures.ties)),
            ("won by a player who was behind halfway", interval_text(figures.comebacks)),
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
            0.0, "; ".join(f"{card.title} {shift_text(card.held.effect)}" for card in most),
        )  # fmt: skip
    marked = frozenset(number for number, card in enumerate(shown) if card.told)
    yield Cells(
        ("card", "won by holders", "expected", "held", "games", "played", "matched"),
        tuple(
            (
                card.title, percent(card.held.won.value) if card.held.won.known else "",
                percent(card.held.expected) if card.held.won.known else "", shift_text(card.held.effect),
                f"{card.held.effect.games:,}", shift_text(card.when_played.effect), shift_text(card.matched),
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
            0.0, "; ".join(f"{trait.title} {shift_text(trait.effect.effect)}" for trait in known[:LINES]),
        )  # fmt: skip
    yield Cells(
        ("trait", "had by", "won", "expected", "effect", "games"),
        tuple(
            (
                trait.title, percent(trait.borne), percent(trait.effect.won.value) if trait.effect.won.known else "",
                percent(trait.effect.expected) if trait.effect.won.known else "", shift_text(trait.effect.effect),
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
        tuple(
            (f"{p.first} and {p.second}", shift_text(p.effect), f"{p.effect.games:,}")
            for p in pairs[: max(SHOWN, told)]
        ),
        frozenset(range(told)),
    )


def _never(figures: Figures) -> Iterator[Block]:
    texts = []
    if figures.idle:
        texts.append(f"Cards that were drawn and never played: {listed_names([c.title for c in figures.idle], 40)}.")
    unseen = [card.title for card in figures.cards if not card.drawn]
    if unseen and len(unseen) < len(figures.cards):
        texts.append(f"Cards that no player ever held: {listed_names(unseen, 40)}.")
    bare = [trait.title for trait in figures.traits if not trait.borne]
    if bare:
        texts.append(f"Traits that were never in force: {listed_names(bare, 40)}.")
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
    yield Words(f"The same number of games, with the same seeds, without the change. {played_sentence(base)}")
    rows = study_differences(base, figures)
    yield Cells(
        ("figure", "base", "now", "difference"),
        tuple((row.what, row.base, row.now, row.change) for row in rows),
        frozenset(i for i, row in enumerate(rows) if row.differs),
    )
    old = {(card.sort, card.id) for card in base.cards}
    new = [card.title for card in figures.cards if (card.sort, card.id) not in old]
    if new:
        yield Words(f"New cards: {listed_names(new, 40)}.")


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

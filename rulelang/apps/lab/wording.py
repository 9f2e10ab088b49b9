"""How figures are said to people who never read statistics: whole sentences, percent, an interval with each number."""

from __future__ import annotations

from rulelang.apps.lab.asking import Known
from rulelang.apps.lab.effects import Effect
from rulelang.apps.lab.estimates import Estimate, away, called_out
from rulelang.apps.lab.figures import CardFigures, Figures, PairFigures, TraitFigures

#: What is said instead of a number that too few games stand behind.
TOO_FEW = "too few games"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def points(value: float) -> str:
    """A difference of shares, in percentage points."""
    return f"{100 * value:+.1f}".replace("-", "−")


def games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def within(found: Estimate) -> str:
    """`54.1 % (52.9 to 55.3, 6,120 games)`."""
    if not found.known:
        return f"{TOO_FEW} ({found.games:,})"
    return f"{percent(found.value)} ({100 * found.low:.1f} to {100 * found.high:.1f}, {games(found.games)})"


def number(found: Estimate, digits: int = 1) -> str:
    """`6.6 (6.6 to 6.7)`."""
    if not found.known:
        return TOO_FEW
    return f"{found.value:,.{digits}f} ({found.low:,.{digits}f} to {found.high:,.{digits}f})"


def shift(found: Estimate | None) -> str:
    """`+4.1 (+2.9 to +5.3)`, in points."""
    if found is None:
        return ""
    if not found.known:
        return TOO_FEW
    return f"{points(found.value)} ({points(found.low)} to {points(found.high)})"


def better(found: Estimate) -> str:
    return "more" if found.value > 0 else "less"


def held(title: str, effect: Effect) -> str:
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
        found.append(held(card.title, card.held))
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
            f"({points(twice.low)} to {points(twice.high)}, {games(twice.games)} played twice)."
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
    seen = f"({points(effect.low)} to {points(effect.high)}, seen {effect.games:,} times)"
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
        f"{shift(known.found)}, {games(known.found.games)}."
    )


def uneven(figures: Figures) -> list[bool]:
    """By seat, whether it stands out: its share of the win is not an even one. Seats are several, so that one of them
    lies outside of its interval more often than one alone would."""
    return called_out([away(share, 1 / figures.players) for share in figures.seats])


def about_seats(figures: Figures) -> list[str]:
    """Seats whose share of the win is not an even one, as far as is known."""
    even = 1 / figures.players
    found = [
        f"Seat {seat} wins {within(share)}; an even share is {percent(even)}."
        for seat, (share, told) in enumerate(zip(figures.seats, uneven(figures), strict=True), 1)
        if told
    ]
    return found or [
        f"No seat clearly wins more than its share of {percent(even)}; the widest interval is "
        f"±{100 * figures.width:.1f} points."
    ]


def listed(names: list[str], most: int = 12) -> str:
    """`a, b and c`; of many the first, and how many more."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)

"""What a table may choose before the game: the options of a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulelang.base.errors import BadArgument
from rulelang.base.wording import did_you_mean, list_with_or


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option. `values` names the choices (numbered from 1); without names it is a number low..high, or a switch.

    `teams`: the numbers of players who can play with a choice that makes teams of them, by the choice's number.
    """

    name: str
    values: tuple[str, ...]
    low: int
    high: int
    switch: bool
    default: Mapping[int, int]  # by number of players
    text: str = ""
    teams: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def number(self, value: object) -> int:
        """The number that stands for a value in the state. ValueError, in plain words, for what it cannot be."""
        if self.values:
            if isinstance(value, str) and value in self.values:
                return self.values.index(value) + 1
            if type(value) is int and 1 <= value <= len(self.values):
                return value
            hint = did_you_mean(str(value), self.values)
            known = ", ".join(self.values)
            raise BadArgument(
                f"option `{self.name}` must be one of {known}, not {_said(value)}{'; ' + hint if hint else ''}"
            )
        if self.switch:
            words = {"true": 1, "yes": 1, "on": 1, "1": 1, "false": 0, "no": 0, "off": 0, "0": 0}
            number = words.get(str(value).casefold())
            if number is None:
                raise BadArgument(f"option `{self.name}` must be true or false, not {_said(value)}")
            return number
        try:
            number = int(str(value))
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise BadArgument(
                f"option `{self.name}` must be a number from {self.low} to {self.high}, not {_said(value)}"
            )
        return number

    def number_at(self, value: object, players: int) -> int:
        """The same at a table of so many players. ValueError also for teams that so many cannot form."""
        number = self.number(value)
        counts = self.teams.get(number)
        if counts is None or players in counts:
            return number
        chosen = f"{self.value_of(number)}".lower() if self.switch else f"{self.value_of(number)}"
        raise BadArgument(
            f"option `{self.name}` cannot be {chosen} with {players} players: teams need {list_with_or(counts)}"
        )

    def value_of(self, number: int) -> str | bool | int:
        """A number of the state as a value that can be given for it, as JSON has it."""
        return self.values[number - 1] if self.values else bool(number) if self.switch else number


def choose_options(
    options: Mapping[str, TableOption], players: int, given: Mapping[str, object] | None
) -> dict[str, int]:
    """Every option's number: what is given, the default for this number of players otherwise. ValueError as above."""
    for name in given or {}:
        if name not in options:
            hint = did_you_mean(name, options)
            known = ", ".join(options) or "this game has no options"
            raise BadArgument(f"there is no option `{name}` ({hint or known})")
    return {
        name: option.number_at(given[name], players) if given and name in given else option.default[players]
        for name, option in options.items()
    }


def _said(value: object) -> str:
    """A value that was given, as a rules file would have it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if text.removeprefix("-").isdecimal() else f"`{text}`"

"""Picking an option part by part: the thing first, then its target. Options that do not fit fall away."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rulelang.presentation.view.records import Option, Question


@dataclass(slots=True)
class Picking:
    """The answer to a question as far as it was picked: `picked` are ids of parts, in their order."""

    question: Question
    picked: list[str] = field(default_factory=list)

    def fitting(self) -> list[Option]:
        """The options that are about all that was picked."""
        wanted = Counter(self.picked)
        return [option for option in self.question.get("options", ()) if wanted <= mentioned(option)]

    def lit(self) -> set[str]:
        """What can be picked next."""
        wanted = Counter(self.picked)
        return {part for option in self.fitting() for part in mentioned(option) - wanted}

    def pick(self, part: str) -> Option | None:
        """Pick a part that is lit. The option that is meant, once nothing of it is left to pick and no other fits."""
        if part not in self.lit():
            return None
        self.picked.append(part)
        fitting = self.fitting()
        if len(fitting) == 1 and mentioned(fitting[0]) == Counter(self.picked):
            return fitting[0]
        return None

    def drop(self) -> bool:
        """Take the last pick back; False if there is none."""
        if self.picked:
            self.picked.pop()
            return True
        return False


def mentioned(option: Option) -> Counter[str]:
    """The ids of the parts that an option is about."""
    values = (parameter["value"] for parameter in option["parameters"])
    return Counter(value for value in values if isinstance(value, str))

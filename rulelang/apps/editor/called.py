"""What players call that which the rules have a name for: the labels of `look:`, where they say something else."""

from __future__ import annotations

from rulelang.base.labels import NO_LABEL, Label, name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.language.semantics.model import Model


class Called:
    """The labels of one ruleset in a language; "" for what is called as the rules have it."""

    def __init__(self, model: Model, language: Language = ENGLISH) -> None:
        self.labels, self.language = model.labels, language

    def entry(self, what: str, name: str) -> str:
        """An option, list, kind, zone, table, value of the state, attribute (`KIND.NAME`) ... by its name."""
        label = self.entry_label(what, name)
        return self._said(label, name if what in ("attribute", "column") else name.rpartition(".")[2])

    def entry_label(self, what: str, name: str) -> Label:
        kind, _, own = name.rpartition(".")
        match what:
            case "attribute" | "column":
                return self.labels.member(kind, own)
            case "state":
                return self.labels.member("", name)
            case "option":
                return self.labels.things.get(f"option {name}", NO_LABEL)
        return self.labels.things.get(own or name, NO_LABEL)

    def member(self, kind: str, name: str) -> str:
        return self._said(self.labels.member(kind, name), name)

    def row(self, kind: str, name: str) -> str:
        return self._said(self.labels.rows.get(kind, {}).get(name, NO_LABEL), name)

    def text(self, label: Label) -> str:
        """What it means."""
        return self.language.of(label.text)

    def _said(self, label: Label, name: str) -> str:
        said = self.language.of(label.name)
        return said if said.casefold() != name_in_words(name).casefold() else ""

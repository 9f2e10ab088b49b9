"""The catalogue of one language beside the texts that it is for: what it says of them, and how it is written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.compiler.compilation import Compilation
from rulelang.data.catalogues import (
    LANG,
    Catalogue,
    Entry,
    catalogue_languages,
    load_translations,
    own_folder,
    read_catalogue,
)
from rulelang.data.folders import Folder, open_folder
from rulelang.tools.i18n.texts import SORTS, Text, own_texts, texts_of

#: How alike an old and a new English text are, from 0 to 1, if one has become the other.
ALIKE = 0.6
_PLAIN = re.compile(r"[^\W\d_][^:#{}\[\],&*!|>'\"%@`\\\n]*(?<! )\Z")
_WORDS = ("true", "false", "null", "yes", "no", "on", "off")


@dataclass(frozen=True, slots=True)
class Work:
    """What a translator has before him. `texts`: what this catalogue is for, by English; `known`: all that the game
    says, which it may say otherwise too, and whole sentences that are made of phrases of the program; `below`: what is
    said already, by the program, the rules' files and the catalogues of what lies below. `catalogue` is None if there
    is no file yet; its mistakes are in `diagnostics`."""

    code: str
    folder: Folder
    texts: Mapping[str, Text]
    known: Mapping[str, Text]
    below: Mapping[str, str]
    catalogue: Catalogue | None
    diagnostics: Diagnostics

    @property
    def path(self) -> Path:
        """Where the catalogue lies, or would."""
        return Path(self.catalogue.path) if self.catalogue else self.folder.root / LANG / f"{self.code}.yaml"

    @property
    def sources(self) -> Mapping[str, str]:
        """The text of the catalogue, for frames."""
        return {self.catalogue.path: self.catalogue.text} if self.catalogue else {}

    @property
    def entries(self) -> Mapping[str, Entry]:
        """By English text, what the catalogue has."""
        return {entry.english: entry for entry in self.catalogue.entries} if self.catalogue else {}

    def missing(self) -> Iterator[Text]:
        """The texts that are said in English."""
        entries = self.entries
        for english, text in self.texts.items():
            entry = entries.get(english)
            if english not in self.below and (entry is None or not entry.said):
                yield text

    def unused(self) -> Iterator[Entry]:
        """What the catalogue has of texts that nobody says."""
        return (entry for entry in self.entries.values() if entry.english not in self.known)


def work(compilation: Compilation, code: str) -> Work:
    """The catalogue of the game, or of the last mod laid over it: for what it adds; for everything, if it adds nothing.

    LoadError if the rules have mistakes. Unreadable.
    """
    roots = compilation.checked.roots
    everything = texts_of(compilation)
    texts = {english: text for english, text in everything.items() if not text.made}
    if len(roots) > 1:
        under = texts_of(Compilation(roots[0], roots[1:-1], None))
        texts = {english: text for english, text in texts.items() if english not in under} or texts
    own = load_translations([own_folder()], code)
    below = {**own, **compilation.summary.said.get(code, {}), **load_translations(roots[:-1], code)}
    return _work(code, open_folder(Path(roots[-1])), texts, {**own_texts(), **everything}, below)


def own_works(compilation: Compilation) -> Iterator[Work]:
    """Yield the catalogs in the folder of the game, or of the last mod, each with everything that may be said.

    It is enough to find entries that nothing uses, and is quicker than `work`. LoadError if the rules have mistakes.
    """
    root = compilation.checked.roots[-1]
    there = catalogue_languages([root])
    if not there:
        return
    everything = texts_of(compilation)
    texts = {english: text for english, text in everything.items() if not text.made}
    known = {**own_texts(), **everything}
    for code in sorted(there):
        yield _work(code, open_folder(Path(root)), texts, known, {})


def own_work(code: str) -> Work:
    """The catalogue of the program itself."""
    texts = own_texts()
    return _work(code, open_folder(own_folder()), texts, texts, {})


def _work(
    code: str, folder: Folder, texts: Mapping[str, Text], known: Mapping[str, Text], below: Mapping[str, str]
) -> Work:
    found = Diagnostics()
    return Work(code, folder, texts, known, below, read_catalogue(folder, code, found), found)


# ---- written anew


def extract(work: Work) -> str:
    """The text of the catalogue with all texts, those that it has in its own order. What is translated is kept; where
    English has changed, the old translation waits to be looked at; what nobody says any more stands at the end."""
    entries = dict(work.entries)
    lines = _head(work)
    lines.append("texts:")
    old = [entry for entry in entries.values() if entry.english not in work.known and entry.said]
    waiting: dict[str, Entry] = {}
    for text in work.missing():
        like = _become(text.english, old)
        if like is not None:
            old.remove(like)
            waiting[text.english] = like
    for sort, heading in SORTS.items():
        group = [text.english for text in work.texts.values() if text.sort == sort]
        group = [english for english in group if english in entries or english not in work.below]
        if group:
            lines += ["", f"  # {heading}"]
            lines += [
                line
                for english in _placed(group, entries)
                for line in _entry(english, entries.get(english), waiting.get(english))
            ]
    rest = [entry for entry in entries.values() if entry.english not in work.texts and entry.english in work.known]
    if rest:
        lines += ["", "  # said otherwise than below"]
        lines += [line for entry in rest for line in _entry(entry.english, entry, None)]
    if old:
        lines += ["", "  # nobody says this any more"]
        lines += [line for entry in old for line in _entry(entry.english, entry, None)]
    return "\n".join(lines) + "\n"


def _placed(group: list[str], entries: Mapping[str, Entry]) -> list[str]:
    """Texts in the order that the catalogue has, however those who say them have moved; a new one stands behind the one
    that is said before it."""
    here = set(group)
    placed = [english for english in entries if english in here]
    for before, english in zip(["", *group], group, strict=False):
        if english not in entries:
            placed.insert(placed.index(before) + 1 if before else 0, english)
    return placed


def _head(work: Work) -> list[str]:
    """The comments with which the file begins."""
    if work.catalogue is None:
        return []
    lines = []
    for line in work.catalogue.text.split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line)
    return lines


def _entry(english: str, entry: Entry | None, like: Entry | None) -> Iterator[str]:
    if entry is not None and entry.said:
        like = None
        if not entry.was:
            yield f"  {quoted(english)}: {quoted(entry.said)}"
            return
    source = like or entry
    if source is None or not source.said:
        yield f"  {quoted(english)}:"
        return
    yield f"  {quoted(english)}:"
    yield f"    was: {quoted(source.english if like else source.was)}"
    yield f"    said: {quoted(source.said)}"


def _become(english: str, old: list[Entry]) -> Entry | None:
    """The entry of an old text that has most likely become this one."""
    best: tuple[float, Entry | None] = (ALIKE, None)
    for entry in old:
        alike = SequenceMatcher(None, english, entry.english).ratio()
        if alike > best[0]:
            best = (alike, entry)
    return best[1]


def quoted(text: str) -> str:
    """A text as YAML has it, in quotes only where it needs them."""
    plain = _PLAIN.match(text) and text.casefold() not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)

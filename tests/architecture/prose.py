"""Find the words and patterns that `docs/STYLE.md` replaces, in every text that people read.

`python -m tests.architecture.prose [FILE ...]` lists them, and counts each marker per 10,000 words.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.architecture.sources import ROOT


class Pattern(NamedTuple):
    """A marker of the old dialect, and the advice that a writer gets."""

    name: str
    found: re.Pattern[str]
    advice: str


class Paragraph(NamedTuple):
    """One paragraph of prose: its file, its first line, and its text without code."""

    file: str
    line: int
    text: str


class Hit(NamedTuple):
    """One place that matches a pattern."""

    paragraph: Paragraph
    pattern: Pattern
    words: str

    def __str__(self) -> str:
        where = f"{self.paragraph.file}:{self.paragraph.line}"
        return f"{where}: {self.words!r} ({self.pattern.name}): {self.pattern.advice}"


def _pattern(name: str, expression: str, advice: str) -> Pattern:
    return Pattern(name, re.compile(expression, re.IGNORECASE), advice)


#: Words after which `is no` is ordinary English.
NO = "longer|more|need|other|way|one|doubt|less|such|better|reason|point"
#: Words after `What` that make a clause stand for a thing, unless the sentence is a question.
CLAUSE = "is|was|are|has|have|had|comes|came|holds|it|a|an|the|you|they|no|stays|each|one|does"
IDIOMS = (
    "in so many words|so many|written small|written large|forth and back|out of its own|comes to nothing|"
    "comes to the same|goes without|drawn by lot|has to hold|what holds|what came of|by hand at fixed places"
)

PATTERNS = (
    _pattern("told", r"\b(is|are|was|were|be|been) told\b|\btells\b", "say who reports, shows or logs what"),
    _pattern("stand", r"\b(stands?|stood)\b(?! (for|in line|out)\b)", "write `is`, or name the verb"),
    _pattern("lie", r"\b(lies|laid|lay|lain)\b", "write `is`, `put` or `apply`"),
    _pattern("whoever", r"\b(whoever|whatever|whosoever)\b", "name the person or the thing"),
    _pattern("anew", r"\banew\b", "write `again` or `re-`"),
    _pattern("mend", r"\bmend(s|ed|ing)?\b", "write `fix`"),
    _pattern("is no", rf"\b(is|are|was) no (?!{NO})[a-z]+\b", "write `is not a ...`, or `there is no`"),
    _pattern("noun clause", rf"(?:^|[.:;] )What (?:{CLAUSE})\b[^?]*?[.;:]", "name the thing that the clause means"),
    _pattern("fronted of", r"(?:^|[.:;] )Of (?!course\b)", "put the subject first"),
    _pattern("behind", r"\b(behind|beside)\b", "write `after`, `next to` or `with`"),
    _pattern("he", r"\b(he|his|him|himself)\b", "write `they` or `you`"),
    _pattern("idiom", rf"\b({IDIOMS})\b", "write the standard phrase"),
    _pattern("alike", r"\balike\b", "write `the same`"),
    _pattern("slip", r"\b(a slip|slips|remarks?|blanks|patience|sorts? of cards)\b", "use the standard term"),
)

#: Words that match and are right, by file, with the reason.
ALLOWED: dict[tuple[str, str], str] = {
    ("docs/reference/statements.md", "tells"): "the heading of the statement `tells`",
    ("docs/reference/python.md", "tells"): 'the `what` of a log event is "tells"',
}

FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\([^)\s]*\)")


def _same_lines(match: re.Match[str]) -> str:
    """Replace a match by as many line breaks, so that later lines keep their numbers."""
    return "\n" * match[0].count("\n")


def markdown(path: Path) -> Iterator[Paragraph]:
    """Yield the paragraphs, list items and table cells of a page, without code blocks and inline code."""
    text = COMMENT.sub(_same_lines, FENCE.sub(_same_lines, path.read_text(encoding="utf-8")))
    name = path.relative_to(ROOT).as_posix()
    gathered: list[str] = []
    first = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        opens = re.match(r"\s*([-*>|#]|\d+\.)", line)
        indented = line.startswith("    ") and not gathered
        if (not line.strip() or opens or indented) and gathered:
            yield Paragraph(name, first, plain(" ".join(gathered)))
            gathered = []
        if not line.strip() or indented:
            continue
        if line.lstrip().startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                yield Paragraph(name, number, plain(cell))
            continue
        if not gathered:
            first = number
        gathered.append(line.strip())


def plain(text: str) -> str:
    """Return a text without markup; inline code becomes a placeholder, so that sentences keep their shape."""
    text = LINK.sub("]", CODE.sub("CODE", text))
    return re.sub(r"^\s*([-*>#]+|\d+\.)\s+", "", text.replace("**", "").replace("[", "").replace("]", "")).strip()


def catalogue() -> Iterator[Paragraph]:
    """Yield the English sentences of the program itself, which are the keys of its catalogues."""
    path = ROOT / "rulelang" / "base" / "texts" / "lang" / "zh.yaml"
    folder = path if path.exists() else next((ROOT / "rulelang" / "base" / "texts" / "lang").glob("zh*"))
    files = sorted(folder.rglob("*.yaml")) if folder.is_dir() else [folder]
    for file in files:
        name = file.relative_to(ROOT).as_posix()

        def walk(node: object, file: str = name) -> Iterator[Paragraph]:
            if isinstance(node, dict):
                for key, value in node.items():
                    if isinstance(key, str) and " " in key:
                        yield Paragraph(file, 0, key)
                    yield from walk(value, file)

        yield from walk(yaml.safe_load(file.read_text(encoding="utf-8")))


def pages() -> list[Path]:
    """Return every page that people read."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]


def hits(paragraph: Paragraph) -> Iterator[Hit]:
    """Yield the places of a paragraph that match a pattern and are not allowed."""
    for pattern in PATTERNS:
        for match in pattern.found.finditer(paragraph.text):
            around = paragraph.text[max(0, match.start() - 25) : match.end() + 25]
            if not any(paragraph.file == file and words in around for file, words in ALLOWED):
                yield Hit(paragraph, pattern, match[0][:60])


def main(files: list[str]) -> None:
    """Print each hit, then the count of each marker per 10,000 words."""
    chosen = [Path(file).resolve() for file in files] or pages()
    paragraphs = [paragraph for path in chosen for paragraph in markdown(path)]
    words = sum(len(paragraph.text.split()) for paragraph in paragraphs)
    found = [hit for paragraph in paragraphs for hit in hits(paragraph)]
    for hit in found if files else ():
        print(hit)
    print(f"{words} words")
    for pattern in PATTERNS:
        count = sum(hit.pattern is pattern for hit in found)
        print(f"{pattern.name:12} {count:5} {count * 10000 / max(words, 1):7.1f} per 10,000 words")


if __name__ == "__main__":
    main(sys.argv[1:])

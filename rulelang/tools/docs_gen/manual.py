"""The pages that were written by hand for whoever uses rulelang, by name: in a checkout and in an installed package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulelang.data.folders import docs_dir

#: Folders of the documentation, with what the page is called that says what the others are.
_FOLDERS = {"language": "language", "": "docs", "reference": "reference", "learn": "learn", "wishes": "wishes"}
#: Pages for those who work on rulelang itself, and what `explain` and `--help` show already.
_LEFT_OUT = frozenset({"architecture", "code_map", "diagnostics", "commands", "style"})
#: Words that tell nothing of what is looked for.
_STOP_WORDS = frozenset(
    "a an and as at be by can do does for if in is it its may no of on one or the there to what with".split()  # noqa: SIM905
)


def manual_pages() -> Mapping[str, Path]:
    """The Markdown files by the names of their pages, in the order of the folders. Of two of one name the later has its
    folder before it (`learn/hooks`)."""
    found: dict[str, Path] = {}
    for room, index in _FOLDERS.items():
        for path in sorted((docs_dir() / room).glob("*.md")):
            name = index if path.stem == "README" else path.stem.casefold()
            if name not in _LEFT_OUT:
                found[name if name not in found else f"{room or 'docs'}/{name}"] = path
    return found


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that has words that were looked for. `whole`: its title is what was looked for."""

    name: str
    title: str
    path: Path
    score: int
    whole: bool


def search_manual(words: str) -> list[Hit]:
    """The pages that have all words in title, headings or the line `Also: ...`, best first; else those with some."""
    wanted = _stems(words)
    found = []
    for name, path in manual_pages().items():
        text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        title = headings[0] if headings else name
        also = " ".join(re.findall(r"^Also: (.+)$", text, re.MULTILINE))
        scores = [(_stems(title) | {name}, 4), (_stems(also), 3), (_stems(" ".join(headings)), 1)]
        each = [max((score for stems, score in scores if word in stems), default=0) for word in wanted]
        if any(each):
            whole = _plain_words(words) in (
                _plain_words(title),
                *(_plain_words(part) for part in also.rstrip(".").split(",")),
            )
            found.append(Hit(name, title, path, sum(each) + 100 * all(each), whole))
    best = max((hit.score for hit in found), default=0)
    every = [hit for hit in found if hit.score >= 100] or [hit for hit in found if 2 * hit.score >= best]
    return sorted(every, key=lambda hit: (not hit.whole, -hit.score))


def _stems(text: str) -> set[str]:
    """The words of a text that tell something, without their endings."""
    words = re.findall(r"[a-z0-9]+", text.casefold().replace("`", ""))
    told = [word for word in words if word not in _STOP_WORDS] or words
    return {re.sub(r"(?:ing|ed|ers?|es|s)$", "", word) if len(word) > 4 else word.removesuffix("s") for word in told}


def _plain_words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))

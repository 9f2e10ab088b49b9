"""The pages of the language reference as rulesets: every section's code blocks beside the garden game.

Code blocks under one heading make one ruleset with the garden of `docs/language/README.md`. What a block is, its
info string says: `rules`, `yaml` (things, a trait, a manifest), `csv`, `scenarios`; `title="FILE"` names its file,
the word `rows` says that a `from:` names it (a `.xlsx` file is written as `tests/workbooks.py` says),
the word `mod` puts it into a mod over the garden, `alone` leaves the garden out, `replay` ... other languages are
ignored. A line that ends in `# error: CODE` earns exactly that diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.workbooks import workbook

PAGES = Path(__file__).resolve().parents[2] / "docs" / "language"
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$|^(#+) ([^\n]+)$", re.MULTILINE | re.DOTALL)
ERROR = re.compile(r"# error: (\w+)\s*$")
TITLE = re.compile(r'title="([^"]+)"')
KINDS = {"rules": "rules", "yaml": "yaml", "csv": "csv", "scenarios": "yaml"}
MOD = "id: patch\nversion: 1.0.0\nlanguage: 1\ntitle: {en: A patch}\nextends: {BASE: '>=1.0'}\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A code block. `file`: its path in the ruleset; `line`: of the page, where its first line stands."""

    kind: str
    file: str
    text: str
    line: int
    words: tuple[str, ...]

    @property
    def errors(self) -> list[tuple[str, int, str]]:
        """File, line (from 1) and code of every diagnostic that the block announces."""
        found = []
        for number, line in enumerate(self.text.splitlines(), 1):
            if match := ERROR.search(line):
                found.append((self.file, number, match[1]))
        return found


@dataclass(slots=True)
class Section:
    """A heading of a page with its good blocks, and those that are wrong on purpose."""

    page: str
    heading: str
    good: list[Block] = field(default_factory=list)
    bad: list[Block] = field(default_factory=list)

    @property
    def id(self) -> str:
        return f"{self.page}: {self.heading}"


def sections(page: Path) -> list[Section]:
    """All headings of a page that have blocks."""
    text = page.read_text(encoding="utf-8")
    found = [Section(page.stem, "")]
    for match in FENCE.finditer(text):
        if match[5] is not None:
            found.append(Section(page.stem, match[5]))
            continue
        kind, info = match[1], match[2]
        if kind not in KINDS:
            continue
        words = tuple(TITLE.sub("", info).split())
        title = TITLE.search(info)
        here = found[-1]
        number = len(here.good) + len(here.bad)
        name = f"block{number}"
        folder = "scenarios/" if kind == "scenarios" else ""
        file = title[1] if title else f"{folder}{name}.{KINDS[kind]}"
        trait = re.match(r"trait: (\w+)", match[3])
        if trait and not title:
            file = f"traits/{trait[1]}.yaml"
        block = Block(kind, file, match[3], text.count("\n", 0, match.start()) + 2, words)
        (here.bad if block.errors else here.good).append(block)
    return [section for section in found if section.good or section.bad]


@cache
def garden() -> dict[str, str]:
    """The files of the garden game."""
    return {
        block.file: block.text
        for section in sections(PAGES / "README.md")
        for block in section.good
    }  # fmt: skip


def lay_out(blocks: list[Block], folder: Path, under: Mapping[str, str] | None = None) -> tuple[Path, list[Path]]:
    """Write the ruleset of some blocks over the files `under` it (the garden's); where it lies, and its mod."""
    files = {} if any("alone" in block.words for block in blocks) else dict(garden() if under is None else under)
    mine = [block for block in blocks if "mod" not in block.words]
    files |= {block.file: block.text for block in mine}
    name = re.search(r"^id: (\w+)", files.get("ruleset.yaml", ""), re.MULTILINE)
    base = folder / (name[1] if name else "game")
    write(base, _listed(files, mine))
    theirs = [block for block in blocks if "mod" in block.words]
    if not theirs:
        return base, []
    patched = {block.file: block.text for block in theirs}
    patched.setdefault("mod.yaml", MOD.replace("BASE", base.name))
    write(folder / "patch", _listed(patched, theirs))
    return base, [folder / "patch"]


def _listed(files: dict[str, str], blocks: list[Block]) -> dict[str, str]:
    """The files with a manifest that lists them all."""
    name = "mod.yaml" if "mod.yaml" in files else "ruleset.yaml"
    manifest = files.get(name)
    if manifest is None:
        return files
    more = [b.file for b in blocks if b.kind not in ("scenarios", "csv") and b.file != name and "/" not in b.file]
    more = [file for file in more if not any(b.file == file and "rows" in b.words for b in blocks)]
    if any(b.file.startswith("traits/") for b in blocks) and "traits/" not in manifest:
        more.append("traits/")
    more = [file for file in more if not re.search(rf"[\[ ]{re.escape(file)}[,\]]", manifest)]
    if "files:" in manifest:
        listed = re.sub(r"^(files: \[.*)\]$", lambda m: ", ".join([m[1], *more]) + "]", manifest, flags=re.MULTILINE)
    else:
        listed = manifest + f"files: [{', '.join(more)}]\n"
    return files | {name: listed}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".xlsx":
            path.write_bytes(workbook(text))
        else:
            path.write_text(text, encoding="utf-8")

"""The generated pages: which there are, what each must hold today, and which on disk hold something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulelang.base.codes import CODES, Page

NOTE = "<!-- Written by `rulelang docs` from {source}. Do not edit it here. -->\n"

ROOMS: tuple[tuple[str, str], ...] = (
    ("Y", "Files, YAML, CSV, schemas, manifests, mods"),
    ("S", "Syntax of the rules"),
    ("N", "Names and declarations"),
    ("T", "Types, owners, arguments"),
    ("W", "Hooks and patches"),
    ("X", "While a game runs"),
    ("C", "Scenarios and coverage"),
)


def diagnostics_page(codes: Mapping[str, Page] = CODES) -> str:
    """The manual pages of all codes, by room."""
    out = ["# Diagnostics\n", NOTE.format(source="rulelang/base/codes/")]
    out.append(
        "Every mistake has a code that stays the same. `rulelang explain CODE` shows its page in the terminal.\n"
    )
    for letter, title in ROOMS:
        pages = [page for code, page in codes.items() if code.startswith(letter)]
        if pages:
            out.append(f"## {title}\n")
            out.extend(_page(page) for page in pages)
    return "\n".join(out)


def lint_page(rules: Iterable[tuple[str, Page]]) -> str:
    """The manual pages of the linter's rules: names with their pages."""
    out = ["# Lint\n", NOTE.format(source="rulelang/lint/rules/")]
    out.append(
        "`rulelang lint GAME` looks for what `check` allows and still looks like a slip. A remark `# lint: allow NAME` "
        "on the line, or above it, says that it is meant. `--fix` mends what can be mended without a change of "
        "meaning.\n"
    )
    for name, page in rules:
        out.append(_page(page).replace(f"### {page.code}: {page.title}\n", f"## {page.code} {name}: {page.title}\n", 1))
    return "\n".join(out)


def stale(pages: Mapping[str, str], root: Path) -> list[str]:
    """The pages, by path below `root`, that are missing there or hold something else."""
    return [name for name, text in pages.items() if _read(root / name) != text]


def write(pages: Mapping[str, str], root: Path) -> list[str]:
    """Write the stale pages; their paths."""
    changed = stale(pages, root)
    for name in changed:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages[name], encoding="utf-8", newline="\n")
    return changed


def _page(page: Page) -> str:
    parts = [f"### {page.code}: {page.title}\n", f"{page.text}\n"]
    for title, example in (("Not like this:", page.bad), ("But like this:", page.good)):
        if example:
            parts.append(f"{title}\n\n```text\n{example.rstrip()}\n```\n")
    return "\n".join(parts)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None

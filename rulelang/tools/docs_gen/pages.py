"""The generated pages: their names, their current contents, and the ones on disk that are out of date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulelang.base.codes import CODES, Page

NOTE = "<!-- Written by `rulelang docs` from {source}. Do not edit it here. -->\n"

ROOMS: tuple[tuple[str, str], ...] = (
    ("Y", "Files, YAML, card data, manifests and mods"),
    ("S", "Syntax of rules"),
    ("N", "Names, declarations and translations"),
    ("T", "Types, owners and arguments"),
    ("W", "Hooks and patches"),
    ("X", "Errors during a game"),
    ("C", "Scenarios and coverage"),
)


def diagnostics_page(codes: Mapping[str, Page] = CODES) -> str:
    """Return the page with all diagnostic codes, by area."""
    out = ["# Diagnostics\n", NOTE.format(source="rulelang/base/codes/")]
    out.append(
        "Every message of `rulelang check` has a code, such as `Y103`, which never changes. This page says for "
        "each code what is wrong and how to fix it, and shows a bad and a good example. "
        "`rulelang explain Y103` prints the same text in the terminal.\n"
    )
    for letter, title in ROOMS:
        pages = [page for code, page in codes.items() if code.startswith(letter)]
        if pages:
            out.append(f"## {title}\n")
            out.extend(_page(page) for page in pages)
    return "\n".join(out)


def lint_page(rules: Iterable[tuple[str, Page]]) -> str:
    """Return the page with all rules of the linter."""
    out = ["# Lint\n", NOTE.format(source="rulelang/tools/lint/rules/")]
    out.append(
        "`rulelang lint GAME` reports code that `check` accepts but that is probably a mistake. To silence a warning, "
        "write the comment `# lint: allow NAME` on the same line or on the line above. `--fix` makes the changes that "
        "do not alter the meaning of the rules.\n"
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
    for title, example in (("Incorrect:", page.bad), ("Correct:", page.good)):
        if example:
            parts.append(f"{title}\n\n```text\n{example.rstrip()}\n```\n")
    return "\n".join(parts)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None

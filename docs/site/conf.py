"""Build the documentation as a site: `make docs`. The contents come from the folders, so a new page needs no change here."""

from __future__ import annotations

import re
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from rulelang.apps.cli.options import version as installed
from rulelang.tools.docs_gen.highlighting import RulesetLexer, RulesLexer

DOCS = Path(__file__).resolve().parents[1]
#: The folders with a page `README.md` that leads to the others, and what stands first in them.
ROOMS = {
    "learn": [],
    "wishes": [],
    "language": ["things", "rules", "binders-and-queries", "hooks", "statements", "expressions", "meaning", "mods"],
}
#: A link, and not a picture.
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)#:\s]+)(#[\w-]+)?\)")
#: A block that is a file.
FILE = re.compile(r'^( *)```(\w+) [^\n]*?title="([^"]+)"[^\n]*\n', re.MULTILINE)

project = "rulelang"
author = "the rulelang authors"
project_copyright = author
release = version = installed()
extensions = ["myst_parser"]
root_doc = "README"
exclude_patterns = ["site"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 5
html_theme = "furo"
html_title = "rulelang"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
pygments_style = "friendly"
pygments_dark_style = "native"


def setup(app: Sphinx) -> None:
    for names, lexer in ((("rules",), RulesLexer), (("yaml", "scenarios"), RulesetLexer), (("csv",), TextLexer)):
        for name in names:
            app.add_lexer(name, lexer)
    app.connect("source-read", read)


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """A page as it was written for reading in a terminal or on a forge, with what a site needs besides."""
    text = source[0]
    here = (DOCS / f"{page}.md").parent

    def within(match: re.Match[str]) -> str:
        """Links that lead out of the site become words; those to a folder of it lead to its page."""
        target = (here / match[2]).resolve()
        return match[0] if target.is_relative_to(DOCS) and target.suffix == ".md" else match[1]

    text = LINK.sub(within, text)
    source[0] = FILE.sub(r"\1```{code-block} \2\n\1:caption: \3\n", text) + "".join(trees(page))


def trees(page: str) -> list[str]:
    """The tables of contents below a page that leads to others."""
    if page == root_doc:
        top = {path.stem for path in DOCS.glob("*.md")} - {root_doc, "ARCHITECTURE", "CODE_MAP", "GLOSSARY"}
        return [
            tree("Begin", ["learn/README", "wishes/README"]),
            tree("The language", ["language/README", *below("reference")]),
            tree("Using it", sorted(top)),
            tree("Working on it", ["ARCHITECTURE", "CODE_MAP", "GLOSSARY", "decisions/README", *below("decisions")]),
        ]
    room, _, name = page.rpartition("/")
    if name != "README" or room not in ROOMS:
        return []
    pages = (DOCS / room / "README.md").read_text(encoding="utf-8")
    listed = [Path(target).stem for _, target, _ in LINK.findall(pages) if "/" not in target]
    order = list(dict.fromkeys([*ROOMS[room], *listed, *(Path(path).name for path in below(room))]))
    return [tree("", [name for name in order if name != "README"])]


def below(room: str) -> list[str]:
    return sorted(f"{room}/{path.stem}" for path in (DOCS / room).glob("*.md") if path.stem != "README")


def tree(caption: str, pages: list[str]) -> str:
    said = f":caption: {caption}\n" if caption else ""
    return "\n\n```{toctree}\n:hidden:\n" + said + "\n" + "\n".join(pages) + "\n```\n"

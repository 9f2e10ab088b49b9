"""`rulelang explain`: the manual page of a diagnostic code, and the pages of the language."""

from __future__ import annotations

from collections.abc import Iterable

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.manual import all_pages
from rulelang.apps.cli.screen import FAILED, say

WIDTH = 100
#: Of pages that have some words so many are listed.
MOST = 12


@click.command()
@click.argument("words", nargs=-1, metavar="[CODE | PAGE | WORDS]", shell_complete=completing.codes)
@click.pass_context
def explain(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Look up an error code, a topic or a phrase.

    Shows the page for an error code (`N300`), a page of the manual (`hooks`), or the pages that match your WORDS (`it
    eats twice`). Without WORDS, it lists all codes and pages.
    """
    from rulelang.tools.docs_gen.manual import manual_pages

    codes, pages = all_pages(), manual_pages()
    code = " ".join(words)
    if not code.strip():
        for known in codes.values():
            say(f"{known.code}  {known.title}")
        say(f"\n{len(codes)} codes. `rulelang explain CODE` explains one.")
        if pages:
            say(_wrapped(f"`rulelang explain PAGE` shows a page of the documentation: {', '.join(pages)}."))
        return
    page = codes.get(code.strip().strip("[]").upper())
    if page is None and (written := pages.get(code.strip().casefold())) is not None:
        say(written.read_text(encoding="utf-8").rstrip())
        return
    if page is None and not any(map(str.isdecimal, code)) and _found(code):
        return
    if page is None:
        what = "code" if any(map(str.isdecimal, code)) else "page"
        near = _near(code) if what == "code" else _near_page(code, pages)
        say(f"there is no {what} `{code}`{near}", err=True)
        ctx.exit(FAILED)
    say(f"{page.code}: {page.title}", bold=True)
    say()
    for paragraph in page.text.split("\n\n"):
        say(_wrapped(paragraph))
        say()
    for title, example in (("Incorrect:", page.bad), ("Correct:", page.good)):
        if example:
            say(title)
            say("\n".join(f"    {line}".rstrip() for line in example.rstrip().split("\n")))
            say()


def _found(words: str) -> bool:
    """Show the one page that is called so, or list those that have the words; False if none has."""
    from rulelang.tools.docs_gen.manual import search_manual

    hits = search_manual(words)
    whole = [hit for hit in hits if hit.whole]
    if len(whole) == 1 or len(hits) == 1:
        say((whole or hits)[0].path.read_text(encoding="utf-8").rstrip())
    elif hits:
        say("These pages mention it; to read one, run `rulelang explain PAGE`:")
        wide = max(len(hit.name) for hit in hits[:MOST])
        for hit in hits[:MOST]:
            line = f"  {hit.name:{wide}}  {hit.title}"
            say(line if len(line) <= 80 else line[:77] + "...")
    return bool(hits)


def _wrapped(text: str) -> str:
    """Paragraphs wrapped; what the author indented or broke into lines stays as it is."""
    import textwrap

    if "\n" in text:
        return text
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _near_page(name: str, pages: Iterable[str]) -> str:
    from rulelang.base.wording import nearest_name

    like = nearest_name(name.casefold(), pages)
    return f"; similar: {like}" if like else "; `rulelang explain` lists them all"


def _near(code: str) -> str:
    wanted = code.strip().strip("[]").upper()

    def distance(known: str) -> int:
        return sum(a != b for a, b in zip(known, wanted.ljust(len(known)), strict=False)) + abs(
            len(wanted) - len(known)
        )

    near = [known for known in sorted(all_pages(), key=distance) if distance(known) <= 2][:3]
    return f"; similar: {', '.join(near)}" if near else "; `rulelang explain` lists them all"

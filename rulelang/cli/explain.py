"""`rulelang explain`: the manual page of a diagnostic code."""

from __future__ import annotations

import click

from rulelang.cli import completing
from rulelang.cli.manual import all_pages
from rulelang.cli.screen import FAILED, say

WIDTH = 100


@click.command()
@click.argument("code", required=False, shell_complete=completing.codes)
@click.pass_context
def explain(ctx: click.Context, code: str | None) -> None:
    """Explain a diagnostic CODE; without one, list them all."""
    pages = all_pages()
    if code is None:
        for known in pages.values():
            say(f"{known.code}  {known.title}")
        say(f"\n{len(pages)} codes. `rulelang explain CODE` shows the page of one.")
        return
    page = pages.get(code.strip().strip("[]").upper())
    if page is None:
        say(f"there is no code `{code}`{_near(code)}", err=True)
        ctx.exit(FAILED)
    say(f"{page.code}: {page.title}", bold=True)
    say()
    for paragraph in page.text.split("\n\n"):
        say(_wrapped(paragraph))
        say()
    for title, example in (("Not like this:", page.bad), ("But like this:", page.good)):
        if example:
            say(title)
            say("\n".join(f"    {line}".rstrip() for line in example.rstrip().split("\n")))
            say()


def _wrapped(text: str) -> str:
    """Paragraphs wrapped; what the author indented or broke into lines stays as it is."""
    import textwrap

    if "\n" in text:
        return text
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _near(code: str) -> str:
    wanted = code.strip().strip("[]").upper()

    def distance(known: str) -> int:
        return sum(a != b for a, b in zip(known, wanted.ljust(len(known)), strict=False)) + abs(
            len(wanted) - len(known)
        )

    near = [known for known in sorted(all_pages(), key=distance) if distance(known) <= 2][:3]
    return f"; near it: {', '.join(near)}" if near else "; `rulelang explain` lists them all"

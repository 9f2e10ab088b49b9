"""`rulelang docs`: the pages of `docs/reference/` that are written from the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from rulelang.cli.screen import FINE, MISTAKES, CannotRun, say

FOLDER = "docs/reference"


@click.command()
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a page is out of date.")
@click.option("--root", type=click.Path(path_type=Path), help="The clone to write to, if not the one this runs from.")
@click.pass_context
def docs(ctx: click.Context, only_check: bool, root: Path | None) -> None:
    """Write the generated pages of docs/reference/ (for those who work on rulelang itself)."""
    from rulelang.docs_gen.pages import NOTE, diagnostics_page, stale, write

    root = root or Path(__file__).resolve().parents[2]
    if not (root / "pyproject.toml").is_file():
        raise CannotRun("the generated pages belong to a clone of rulelang, and this one is installed; give --root")
    program = ctx.find_root().command
    assert isinstance(program, click.Group)
    cli = "\n".join(["# The command line\n", NOTE.format(source="rulelang/cli/"), *command_pages(program)])
    pages = {f"{FOLDER}/diagnostics.md": diagnostics_page(), f"{FOLDER}/cli.md": cli}
    changed = stale(pages, root) if only_check else write(pages, root)
    for name in changed:
        say(f"{'out of date' if only_check else 'written'}: {name}")
    if not changed:
        say(f"{len(pages)} generated pages are up to date")
    elif only_check:
        say("run `rulelang docs` and commit what it writes")
    ctx.exit(MISTAKES if only_check and changed else FINE)


def command_pages(program: click.Group) -> Iterator[str]:
    """Each command as its own help shows it, in Markdown."""
    yield from (f"{(program.help or '').strip()}\n", "```text\nrulelang [--debug] COMMAND ...\n```\n")
    for name, command in program.commands.items():
        with click.Context(command, info_name=f"rulelang {name}") as ctx:
            usage = " ".join(command.collect_usage_pieces(ctx))
            yield f"## {name}\n\n```text\nrulelang {name} {usage}\n```\n"
            yield "\n".join(line.strip() for line in (command.help or "").strip().split("\n")) + "\n"
            rows = [row for param in command.params if (row := param.get_help_record(ctx)) is not None]
            if rows:
                yield "| option | |\n|---|---|"
                yield "\n".join(f"| `{option}` | {text.replace('|', chr(92) + '|')} |" for option, text in rows) + "\n"

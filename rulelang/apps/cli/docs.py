"""`rulelang docs`: whatever is written from the code: pages, tables of the language reference, colours, snippets."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from rulelang.apps.cli.screen import FINE, MISTAKES, CannotRun, say

FOLDER = "docs/reference"
LANGUAGE = "docs/language"


@click.command()
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a page is out of date.")
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write to this clone of the repository. (default: the clone that this program runs from)",
)
@click.pass_context
def docs(ctx: click.Context, only_check: bool, root: Path | None) -> None:
    """Regenerate the documentation (for contributors)."""
    from rulelang.tools.docs_gen.pages import (
        GENERATED_NOTE,
        builtins_page,
        diagnostics_page,
        lint_page,
        python_page,
        stale_pages,
        statements_page,
        update_tables,
        write_pages,
    )
    from rulelang.tools.docs_gen.vscode import FOLDER as VSCODE
    from rulelang.tools.docs_gen.vscode import vscode_files
    from rulelang.tools.lint.run import RULES

    root = root or Path(__file__).resolve().parents[3]
    if not (root / "pyproject.toml").is_file():
        raise CannotRun(
            "generated pages exist only in a clone of rulelang, and this rulelang is installed; name a "
            "clone with --root"
        )
    program = ctx.find_root().command
    assert isinstance(program, click.Group)
    cli = "\n".join(["# Commands\n", GENERATED_NOTE.format(source="rulelang/apps/cli/"), *command_pages(program)])
    pages = {
        f"{FOLDER}/builtins.md": builtins_page(),
        f"{FOLDER}/commands.md": cli,
        f"{FOLDER}/diagnostics.md": diagnostics_page(),
        f"{FOLDER}/lint.md": lint_page((rule.name, rule.page) for rule in RULES),
        f"{FOLDER}/python.md": python_page(),
        f"{FOLDER}/statements.md": statements_page(),
    }
    for path in sorted((root / LANGUAGE).glob("*.md")):
        pages[f"{LANGUAGE}/{path.name}"] = update_tables(path.read_text(encoding="utf-8"), path.name)
    if (root / VSCODE).is_dir():  # a clone's pages may stand by themselves
        pages |= vscode_files()
    changed = stale_pages(pages, root) if only_check else write_pages(pages, root)
    changed += _grammar(root, only_check)
    for name in changed:
        say(f"{'out of date' if only_check else 'written'}: {name}")
    if not changed:
        say(f"{len(pages) + 1} generated files are up to date")
    elif only_check:
        say("run `rulelang docs` and commit the result")
    ctx.exit(MISTAKES if only_check and changed else FINE)


def _grammar(root: Path, only_check: bool) -> list[str]:
    """The file of the grammar's tables, if it was stale. (Those that another Lark has made of it are as good.)"""
    from rulelang.language.syntax.grammar import GRAMMAR, TABLES, read_tables
    from rulelang.language.syntax.lark_tables import compile_tables, tables_text

    folder = root / "rulelang/language/syntax"
    if not (folder / GRAMMAR.name).is_file():
        return []  # a clone's pages alone
    source = (folder / GRAMMAR.name).read_text("utf-8")
    made, kept = compile_tables(source), read_tables(folder / TABLES.name)
    of_another = kept.get("lark") != made["lark"]
    if kept == made or (of_another and kept.get("grammar") == made["grammar"]):
        return []
    if not only_check:
        (folder / TABLES.name).write_text(tables_text(made), encoding="utf-8")
    return [f"rulelang/language/syntax/{TABLES.name}"]


def command_pages(program: click.Group) -> Iterator[str]:
    """Each command in Markdown. Made from its parts, as help texts differ from one version of click to another."""
    yield from (f"{_text(program)}\n", "```text\nrulelang [--debug] COMMAND ...\n```\n")
    for name, command in _all(program):
        arguments = [_argument(param) for param in command.params if isinstance(param, click.Argument)]
        options = [param for param in command.params if isinstance(param, click.Option)]
        arguments += ["VERB ..."] if isinstance(command, click.Group) else []
        usage = " ".join([f"rulelang {name}", *(["[OPTIONS]"] if options else []), *arguments])
        yield f"## {name}\n\n```text\n{usage}\n```\n\n{_text(command)}\n"
        if options:
            rows = [f"| `{_option(option)}` | {_help(option)} |" for option in options]
            yield "\n".join(["| option | |", "|---|---|", *rows]) + "\n"


def _all(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """All commands with their names, those of a group behind it and what it is given."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        yield f"{before}{name}", command
        if isinstance(command, click.Group):
            given = [_argument(param) for param in command.params if isinstance(param, click.Argument)]
            yield from _all(command, " ".join([f"{before}{name}", *given, ""]))


def _text(command: click.Command) -> str:
    return cleandoc(command.help or "")


def _argument(param: click.Argument) -> str:
    name = (param.name or "").upper()
    many = f"{name}..." if param.nargs == -1 else name
    return many if param.required else f"[{many}]"


def _option(option: click.Option) -> str:
    """`-n, --number NUMBER`, with the value's name where there is one."""
    names = ", ".join([*sorted(option.opts, key=len), *option.secondary_opts])
    return (
        names
        if option.is_flag
        else f"{names} {option.metavar or (option.name or '').removesuffix('_file').rstrip('_').upper()}"
    )


def _help(option: click.Option) -> str:
    parts = [option.help or ""]
    if isinstance(option.type, click.Choice):
        text, default, rest = parts[0].partition(" (default: ")
        parts = [text, f"One of {', '.join(option.type.choices)}.", (default + rest).strip()]
    if option.show_default:
        parts.append(f"(default: {option.default})")
    return " ".join(filter(None, parts)).replace("|", "\\|")

"""Print documents: `rulelang print`, the manual pages (`explain`) and the generated pages (`docs`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.completion import code_pages
from rulelang.apps.cli.options import takes_mode, takes_mods
from rulelang.apps.cli.screen import FAILED, FINE, MISTAKES, CannotRun, counted, say

if TYPE_CHECKING:
    from rulelang.base.languages import Language
    from rulelang.compiler.compilation import Compilation
    from rulelang.tools.printing.document import Document


# ---- `print`


@click.group("print")
def print_() -> None:
    """Print cards, rulebooks and reference sheets (PDF).

    Install the `print` extra first: pip install 'rulelang[print]'. East Asian texts also need a font: pip install
    'rulelang[print-cjk]'.
    """


def _prints_document(command: Callable[..., Document]) -> Callable[..., Any]:
    """A command that makes a document of a game in a language, and prints it."""

    @click.argument("game", shell_complete=completion.games)
    @takes_mods()
    @takes_mode()
    @click.option("--lang", "language", metavar="CODE", help="Print in this language. (default: from the environment)")
    @click.option(
        "--output",
        "-o",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write to this file. (default: named after the game)",
    )
    @click.option(
        "--fonts",
        multiple=True,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Also use the fonts in this folder. Repeatable.",
    )
    @wraps(command)
    def run(
        game: str,
        mods: tuple[str, ...],
        mode: str | None,
        language: str | None,
        output: Path | None,
        fonts: tuple[Path, ...],
        **rest: Any,
    ) -> None:
        from rulelang.api import Spoken
        from rulelang.base.languages import choose_language, language_tag, nearest_language
        from rulelang.base.phrases import NoBabel
        from rulelang.compiler.compilation import Compilation, LoadError
        from rulelang.tools.printing.document import Deck
        from rulelang.tools.printing.typeset import CannotPrint, pdf

        one = Compilation(game, mods, mode)
        if one.diagnostics.failed:
            raise LoadError(one.diagnostics, one.checked.sources)
        spoken = Spoken(one)
        code = (
            nearest_language(language_tag(language), spoken.codes)
            if language
            else choose_language(os.environ, spoken.codes)
        )
        if code is None:
            raise CannotRun(
                f"{one.source.id} has no `{language}` translation; available languages: {', '.join(spoken.codes)}"
            )
        try:
            document = command(one, spoken.language(code), **rest)
            made = pdf(document, fonts)
        except (CannotPrint, NoBabel) as reason:
            raise CannotRun(str(reason)) from None
        path = output or Path(_file_name(one, document.kind, code))
        path.write_bytes(made.data)
        more = f", {counted(len(document.cards), 'card')}" if isinstance(document, Deck) else ""
        say(f"{path}: {counted(made.pages, 'page')}{more}")
        if made.cut:
            cards = ", ".join(dict.fromkeys(made.cut))
            say(f"({counted(len(set(made.cut)), 'card')} had too much text, which was cut: {cards})", err=True)

    return run


def _file_name(one: Compilation, kind: str, language: str) -> str:
    """The file's name: the game, the mods and the mode, what it is, and the language unless it is English."""
    mods = [layer.id for layer in one.source.layers[1:]]
    return "-".join([one.source.id, *mods, kind, *([language] if language != "en" else [])]) + ".pdf"


@print_.command("rulebook")
@_prints_document
def rulebook(one: Compilation, language: Language) -> Document:
    """Print a rulebook.

    The rulebook contains the components, the flow of the game, the traits, the numbered rules with the code for each,
    the cards, and an index. With MODS, it shows the mods' additions and changes.
    """
    from rulelang.tools.printing.rulebook import rulebook

    return rulebook(one, language)


@print_.command("cards")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Use this paper size."
)
@click.option(
    "--backs/--no-backs", default=True, help="Choose whether to print a page of card backs after each page of fronts."
)
@click.option("--once", is_flag=True, help="Print one copy of each distinct card.")
@_prints_document
def cards(one: Compilation, language: Language, paper: str, backs: bool, once: bool) -> Document:
    """Print all cards, ready to cut.

    Prints nine cards of 63 x 88 mm on a page, with cut marks. Pages of backs are mirrored, so print on both sides,
    flip on the long edge, and turn off scaling.
    """
    from rulelang.tools.printing.rulebook import deck

    made = deck(one, language, paper=paper, backs=backs, once=once)
    if not made.cards:
        raise CannotRun("this game has no cards")
    return made


@print_.command("sheet")
@_prints_document
def sheet(one: Compilation, language: Language) -> Document:
    """Print a reference sheet of one or two pages.

    The sheet lists the phases with their actions, and the changes that each trait and card makes.
    """
    from rulelang.tools.printing.rulebook import sheet

    return sheet(one, language)


# ---- `explain`

PAGE_WIDTH = 100
#: Of pages that have some words so many are listed.
MOST_HITS = 12


@click.command()
@click.argument("words", nargs=-1, metavar="[CODE | PAGE | WORDS]", shell_complete=completion.codes)
@click.pass_context
def explain(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Look up an error code, a topic or a phrase.

    Shows the page for an error code (`N300`), a page of the manual (`hooks`), or the pages that match your WORDS (`it
    eats twice`). Without WORDS, it lists all codes and pages.
    """
    from rulelang.tools.docs_gen.manual import manual_pages

    codes, pages = code_pages(), manual_pages()
    code = " ".join(words)
    if not code.strip():
        for known in codes.values():
            say(f"{known.code}  {known.title}")
        say(f"\n{len(codes)} codes. `rulelang explain CODE` explains one.")
        if pages:
            say(_wrapped_page(f"`rulelang explain PAGE` shows a page of the documentation: {', '.join(pages)}."))
        return
    page = codes.get(code.strip().strip("[]").upper())
    if page is None and (written := pages.get(code.strip().casefold())) is not None:
        say(written.read_text(encoding="utf-8").rstrip())
        return
    if page is None and not any(map(str.isdecimal, code)) and _show_found(code):
        return
    if page is None:
        what = "code" if any(map(str.isdecimal, code)) else "page"
        near = _similar_codes(code) if what == "code" else _similar_page(code, pages)
        say(f"there is no {what} `{code}`{near}", err=True)
        ctx.exit(FAILED)
    say(f"{page.code}: {page.title}", bold=True)
    say()
    for paragraph in page.text.split("\n\n"):
        say(_wrapped_page(paragraph))
        say()
    for title, example in (("Incorrect:", page.bad), ("Correct:", page.good)):
        if example:
            say(title)
            say("\n".join(f"    {line}".rstrip() for line in example.rstrip().split("\n")))
            say()


def _show_found(words: str) -> bool:
    """Show the one page that is called so, or list those that have the words; False if none has."""
    from rulelang.tools.docs_gen.manual import search_manual

    hits = search_manual(words)
    whole = [hit for hit in hits if hit.whole]
    if len(whole) == 1 or len(hits) == 1:
        say((whole or hits)[0].path.read_text(encoding="utf-8").rstrip())
    elif hits:
        say("These pages mention it; to read one, run `rulelang explain PAGE`:")
        wide = max(len(hit.name) for hit in hits[:MOST_HITS])
        for hit in hits[:MOST_HITS]:
            line = f"  {hit.name:{wide}}  {hit.title}"
            say(line if len(line) <= 80 else line[:77] + "...")
    return bool(hits)


def _wrapped_page(text: str) -> str:
    """Paragraphs wrapped; what the author indented or broke into lines stays as it is."""
    import textwrap

    if "\n" in text:
        return text
    return textwrap.fill(text, PAGE_WIDTH, break_long_words=False, break_on_hyphens=False)


def _similar_page(name: str, pages: Iterable[str]) -> str:
    from rulelang.base.wording import nearest_name

    like = nearest_name(name.casefold(), pages)
    return f"; similar: {like}" if like else "; `rulelang explain` lists them all"


def _similar_codes(code: str) -> str:
    wanted = code.strip().strip("[]").upper()

    def distance(known: str) -> int:
        return sum(a != b for a, b in zip(known, wanted.ljust(len(known)), strict=False)) + abs(
            len(wanted) - len(known)
        )

    near = [known for known in sorted(code_pages(), key=distance) if distance(known) <= 2][:3]
    return f"; similar: {', '.join(near)}" if near else "; `rulelang explain` lists them all"


# ---- `docs`

DOCS_FOLDER = "docs/reference"
LANGUAGE_FOLDER = "docs/language"


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
        f"{DOCS_FOLDER}/builtins.md": builtins_page(),
        f"{DOCS_FOLDER}/commands.md": cli,
        f"{DOCS_FOLDER}/diagnostics.md": diagnostics_page(),
        f"{DOCS_FOLDER}/lint.md": lint_page((rule.name, rule.page) for rule in RULES),
        f"{DOCS_FOLDER}/python.md": python_page(),
        f"{DOCS_FOLDER}/statements.md": statements_page(),
    }
    for path in sorted((root / LANGUAGE_FOLDER).glob("*.md")):
        pages[f"{LANGUAGE_FOLDER}/{path.name}"] = update_tables(path.read_text(encoding="utf-8"), path.name)
    if (root / VSCODE).is_dir():  # a clone's pages may stand by themselves
        pages |= vscode_files()
    changed = stale_pages(pages, root) if only_check else write_pages(pages, root)
    changed += _stale_grammar(root, only_check)
    for name in changed:
        say(f"{'out of date' if only_check else 'written'}: {name}")
    if not changed:
        say(f"{len(pages) + 1} generated files are up to date")
    elif only_check:
        say("run `rulelang docs` and commit the result")
    ctx.exit(MISTAKES if only_check and changed else FINE)


def _stale_grammar(root: Path, only_check: bool) -> list[str]:
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
    yield from (f"{_command_text(program)}\n", "```text\nrulelang [--debug] COMMAND ...\n```\n")
    for name, command in _all_commands(program):
        arguments = [_argument_text(param) for param in command.params if isinstance(param, click.Argument)]
        options = [param for param in command.params if isinstance(param, click.Option)]
        arguments += ["VERB ..."] if isinstance(command, click.Group) else []
        usage = " ".join([f"rulelang {name}", *(["[OPTIONS]"] if options else []), *arguments])
        yield f"## {name}\n\n```text\n{usage}\n```\n\n{_command_text(command)}\n"
        if options:
            rows = [f"| `{_option_text(option)}` | {_help_text(option)} |" for option in options]
            yield "\n".join(["| option | |", "|---|---|", *rows]) + "\n"


def _all_commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """All commands with their names, those of a group behind it and what it is given."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        yield f"{before}{name}", command
        if isinstance(command, click.Group):
            given = [_argument_text(param) for param in command.params if isinstance(param, click.Argument)]
            yield from _all_commands(command, " ".join([f"{before}{name}", *given, ""]))


def _command_text(command: click.Command) -> str:
    return cleandoc(command.help or "")


def _argument_text(param: click.Argument) -> str:
    name = (param.name or "").upper()
    many = f"{name}..." if param.nargs == -1 else name
    return many if param.required else f"[{many}]"


def _option_text(option: click.Option) -> str:
    """`-n, --number NUMBER`, with the value's name where there is one."""
    names = ", ".join([*sorted(option.opts, key=len), *option.secondary_opts])
    return (
        names
        if option.is_flag
        else f"{names} {option.metavar or (option.name or '').removesuffix('_file').rstrip('_').upper()}"
    )


def _help_text(option: click.Option) -> str:
    parts = [option.help or ""]
    if isinstance(option.type, click.Choice):
        text, default, rest = parts[0].partition(" (default: ")
        parts = [text, f"One of {', '.join(option.type.choices)}.", (default + rest).strip()]
    if option.show_default:
        parts.append(f"(default: {option.default})")
    return " ".join(filter(None, parts)).replace("|", "\\|")

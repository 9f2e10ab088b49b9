"""The options of a question as a numbered list, by action where there are many."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.languages import Language
from rulelang.base.terminal import display_width, fold_line, wrap_text
from rulelang.presentation.view import document
from rulelang.presentation.view.records import Option
from rulelang.runtime.decision import Refusal, normal
from rulelang.runtime.state import State

#: Up to so many options stand one a line.
FEW = 10
_SPACE = "\N{NO-BREAK SPACE}"
#: What is typed for an option that is no number, where the others are.
OTHER = "x"


def menu(state: State, columns: int = 100) -> list[str]:
    """Lines with every option once, in words, under what is typed for it: its number from 1; a number that is to be
    chosen is typed as it is."""
    options, language = options_of(state), state.names.language
    clause = language.clauses(["", ""])
    between = ",  " if clause.isascii() else f"{clause} "
    if are_numbers(options):
        said = [
            option["sentence"] if option["kind"] == "choice" else f"{key} {option['sentence']}"
            for key, option in zip(typed(options), options, strict=True)
        ]
        return [
            line.replace(_SPACE, " ")
            for line in wrap_text(between.join(one.replace(" ", _SPACE) for one in said), columns, "  ", "  ")
        ]
    if len(options) <= FEW:
        room = len(str(len(options)))
        return [
            line
            for option in options
            for line in wrap_text(
                option["sentence"], columns, f"  {option['index'] + 1:>{room}}  ", " " * (room + len("      "))
            )
        ]
    lines: list[str] = []
    for label, group in _groups(options):
        words = [f"{option['index'] + 1} {_rest(option, label, language)}".replace(" ", _SPACE) for option in group]
        head = language.say("{name}: {what}", name=label, what="") if label else ""
        text, indent = between.join(words), " " * 6
        listed = wrap_text(text, columns, f"  {head}", indent)
        if head and display_width(listed[0]) > columns:  # the first option does not fit beside the name
            listed = [f"  {head}".rstrip(), *wrap_text(text, columns, indent, indent)]
        lines += [part for line in listed for part in fold_line(line.replace(_SPACE, " "), columns)]
    return lines


def options_of(state: State) -> Sequence[Option]:
    """The options of who is asked now."""
    question = document(state, state.decider or None)["question"]
    return question.get("options", ()) if question is not None else ()


def meant(state: State, line: str) -> int | list[Refusal]:
    """The option that is typed so: its text as the rules call it or in the words that are shown, or the beginning of
    either where only one begins so; why it cannot be taken, if there is none."""
    found = state.find(line)
    if isinstance(found, int):
        return found
    wanted, options = normal(line), options_of(state)
    same = [option["index"] for option in options if normal(option["sentence"]) == wanted]
    begun = [option["index"] for option in options if normal(option["sentence"]).startswith(wanted)]
    return same[0] if same else begun[0] if len(begun) == 1 else found


def are_numbers(options: Sequence[Option]) -> bool:
    """Whether what is to be chosen is a number, so that each option is called by it and by nothing else."""
    return any(option["kind"] == "choice" for option in options) and all(
        option["kind"] == "pass" or (option["kind"] == "choice" and _is_number(option)) for option in options
    )


def _is_number(option: Option) -> bool:
    given = option["parameters"]
    return len(given) == 1 and given[0]["kind"] == "int" and option["sentence"] == str(given[0]["value"])


def typed(options: Sequence[Option]) -> list[str]:
    """What is typed for each option: its number from 1, or, where all are numbers, the number that it is."""
    if not are_numbers(options):
        return [str(option["index"] + 1) for option in options]
    return [option["sentence"] if option["kind"] == "choice" else OTHER for option in options]


def _groups(options: Sequence[Option]) -> list[tuple[str, list[Option]]]:
    """Options of one action together, under its name; what is one alone, and choices, by themselves."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        named = option["kind"] not in ("pass", "choice") and option["parameters"]
        groups.setdefault(option["label"] if named else "", []).append(option)
    return [(label if len(group) > 1 else "", group) for label, group in groups.items()]


def _rest(option: Option, label: str, language: Language) -> str:
    """What an option is about, where its action stands at the head of the group."""
    if not label or option["sentence"].rstrip(")）").endswith(option["typed"]):
        return option["sentence"]
    return language.row([parameter["text"] for parameter in option["parameters"]])

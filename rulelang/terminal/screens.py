"""What lies over the table for a moment: the curtain between two people, the whole log, help, leaving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

HELP = """\
The table is walked over with the arrow keys, and what is pointed at is explained at the right. What can be \
picked is underlined: pick a thing, then its target, with Enter or the mouse. Or choose an option from the list below.

  n, p       to the next, or the previous part that can be picked
  Enter      pick it            Escape   take a pick back
  Tab        between the table, the options and the log
  1 ... 9    take the option of that number
  /          type: the text of an option, why not ..., look ...
  r          the rules of what is pointed at, with the numbered rules of the book
  w          why nothing can be done with what is pointed at
  u          take your last move back
  l          the whole log      t        what led to what
  +, -       bots play faster, or slower
  s          save the game      q        leave
"""


class Curtain(ModalScreen[None]):
    """Hides the table until the next person sits before it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss", "It is me")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.person = name

    def compose(self) -> ComposeResult:
        with Vertical(id="curtain"):
            yield Static(f"{self.person} is next.", id="next", markup=False)
            yield Static(
                f"Hand over the keyboard. {self.person}, press Enter when only you see the screen.", markup=False
            )

    def on_click(self) -> None:
        self.dismiss()


class Page(ModalScreen[None]):
    """A long text, until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,l,t,r,question_mark", "dismiss", "Back"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str], *, at_end: bool = False) -> None:
        super().__init__()
        self.head, self.lines, self.at_end = title, lines, at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self.head, id="head", markup=False)
            yield Static("\n".join(self.lines), markup=False)

    def on_mount(self) -> None:
        if self.at_end:
            self.query_one("#page", VerticalScroll).scroll_end(animate=False)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#page", VerticalScroll).scroll_relative(y=lines, animate=False)


class Leave(ModalScreen[str]):
    """Whether the game is to be kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "dismiss('save')", "Save and leave"),
        Binding("l", "dismiss('leave')", "Leave"),
        Binding("escape,c", "dismiss('')", "Play on"),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="leave"):
            yield Static("Leave this game?", id="next")
            yield Static("s: save it and leave    l: leave, it is not kept    Escape: play on", markup=False)

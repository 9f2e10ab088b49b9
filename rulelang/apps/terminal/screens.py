"""What lies over the table for a moment: the curtain between two people, the whole log, help, leaving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode

from rulelang.base.languages import Language
from rulelang.base.phrases import phrase
from rulelang.runtime.log import Event, Log

#: What keys do: their names, and what they are for.
KEYS = (
    ("n, p", phrase("go to the next or previous item that you can pick")),
    ("Enter", phrase("pick it")),
    ("Escape", phrase("undo a pick")),
    ("Tab", phrase("switch between the table, the options and the log")),
    ("1 ... 9", phrase("take the option with this number")),
    ("/", phrase("type the text of an option, `why not ...` or `look ...`")),
    ("r", phrase("show the rules of the item under the cursor, with the numbered rules")),
    ("w", phrase("explain why you cannot use the item under the cursor")),
    ("u", phrase("undo your last move")),
    ("▸", phrase("a log line with details: open and close it with Enter or the mouse")),
    ("l", phrase("show the whole log")),
    ("t", phrase("show what caused what")),
    ("+, -", phrase("make bots play faster or slower")),
    ("s", phrase("save the game")),
    ("q", phrase("leave")),
)


def keys(language: Language) -> list[str]:
    """The lines of the page of help."""
    how = language.say(
        "Move around the table with the arrow keys; the item under the cursor is explained on the right. You can pick "
        "underlined items: pick an item, then its target, with Enter or the mouse. Or choose an option from the list "
        "below."
    )
    return [how, "", *(f"  {key:9}  {language.render(what)}" for key, what in KEYS)]


class Curtain(ModalScreen[None]):
    """Hides the table until the next person sits before it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss")]

    def __init__(self, name: str, language: Language) -> None:
        super().__init__()
        self.person, self.language = name, language

    def compose(self) -> ComposeResult:
        say = self.language.say
        hand = say("Hand over the keyboard. {name}, press Enter when only you can see the screen.", name=self.person)
        with Vertical(id="curtain"):
            yield Static(say("{name} is next.", name=self.person), id="next", markup=False)
            yield Static(hand, markup=False)

    def on_click(self) -> None:
        self.dismiss()


class Page(ModalScreen[None]):
    """A long text, until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,l,t,r,question_mark", "dismiss"),
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


class Causes(ModalScreen[None]):
    """What led to what: a tree that folds, in which what happened last is open."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,t", "dismiss")]

    def __init__(self, title: str, log: Log) -> None:
        super().__init__()
        self.head, self.events = title, log

    def compose(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Static(self.head, id="head", markup=False)
            yield Tree[int]("", id="causes")

    def on_mount(self) -> None:
        tree = self.query_one("#causes", Tree)
        tree.show_root = False
        tree.root.expand()
        nodes: dict[int, TreeNode[int]] = {}
        for event in self.events:
            above = tree.root if event.parent is None else nodes.get(event.parent, tree.root)
            if above is not tree.root:
                above.allow_expand = True
            nodes[event.number] = above.add(self.words(event), event.number, allow_expand=False)
        last = nodes[max(nodes)] if nodes else tree.root
        for top in reversed(tree.root.children):
            if top.children:
                top.expand()
                break
        while last.parent is not None:
            last.parent.expand()
            last = last.parent
        tree.focus()
        self.call_after_refresh(tree.action_scroll_end)

    def words(self, event: Event) -> Text:
        """What happened, and whose rule it is; what rules tell nothing of is called by its name, dimly."""
        names = self.events.names
        said = Text(event.text, style="" if event.told else "dim")
        return said.append(f"  [{names.source(event.source)}]", "dim italic") if event.source else said


class Leave(ModalScreen[str]):
    """Whether the game is to be kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "dismiss('save')"),
        Binding("l", "dismiss('leave')"),
        Binding("escape,c", "dismiss('')"),
    ]

    def __init__(self, language: Language) -> None:
        super().__init__()
        self.language = language

    def compose(self) -> ComposeResult:
        say = self.language.say
        ways = (say("s: save it and leave"), say("l: leave without saving"), say("Escape: continue"))
        with Vertical(id="leave"):
            yield Static(say("Leave this game?"), id="next", markup=False)
            yield Static("    ".join(ways), markup=False)

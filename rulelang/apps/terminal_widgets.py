"""Widgets of the full screen: the table, details of a part, the log, and pages over the table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import OptionList, Static, Tree
from textual.widgets.option_list import Option as Choice
from textual.widgets.tree import TreeNode

from rulelang.base.languages import Language
from rulelang.base.phrases import phrase
from rulelang.base.terminal import display_width, fold_line
from rulelang.presentation.story import PHASE, ROUND, FoldedTurns
from rulelang.presentation.view.sheet import Line, Part, room
from rulelang.runtime.event_log import Event, Log

# ---- the table


class Spot(NamedTuple):
    """Where a part stands on the sheet."""

    part: str
    line: int
    start: int
    end: int

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


class Board(ScrollView, can_focus=True):
    """Shows a sheet. What can be picked is lit, what was picked is marked, what has changed stands out."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"board--{name}"
        for name in (
            "title", "thing", "card", "fact", "label", "border", "mark", "lit", "picked", "changed", "here",
            "seat1", "seat2", "seat3", "seat4", "seat5", "seat6",
        )
    }  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
    ]
    here: reactive[str] = reactive("")

    class Pointed(Message):
        """The cursor or the mouse is on a part; on none: ""."""

        def __init__(self, part: str) -> None:
            super().__init__()
            self.part = part

    class Picked(Message):
        """A part was clicked, or picked by a key."""

        def __init__(self, part: str) -> None:
            super().__init__()
            self.part = part

    class Sized(Message):
        """There is another room for the sheet than before."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sheet: Sequence[Line] = ()
        self.spots: list[Spot] = []
        self.at: Spot | None = None  # the spot of the cursor: a part may stand in several
        self.lit: Collection[str] = ()
        self.picked: Collection[str] = ()
        self.changed: Collection[str] = ()

    def show(
        self, sheet: Sequence[Line], lit: Collection[str], picked: Collection[str], changed: Collection[str]
    ) -> None:
        """Draw a sheet. The cursor stays on its part; where that has gone, it is nowhere."""
        self.sheet, self.lit, self.picked, self.changed = sheet, lit, picked, changed
        self.spots = list(_spots(sheet))
        own = [spot for spot in self.spots if spot.part == self.here]
        was = self.at
        self.at = min(own, key=lambda spot: abs(spot.line - was.line), default=None) if was else None
        if self.at is None:
            self.here = ""
        self.virtual_size = Size(max(map(room, sheet), default=0), len(sheet))
        self.refresh()

    # ---- drawing

    def on_resize(self) -> None:
        self.post_message(self.Sized())

    def render_line(self, y: int) -> Strip:
        across, down = self.scroll_offset
        number = y + down
        segments = []
        for piece in self.sheet[number] if number < len(self.sheet) else ():
            style = self.get_component_rich_style(f"board--{piece.style}", partial=True) if piece.style else None
            for name, parts in (("changed", self.changed), ("lit", self.lit), ("picked", self.picked)):
                if piece.part and piece.part in parts:
                    over = self.get_component_rich_style(f"board--{name}", partial=True)
                    style = style + over if style else over
            if piece.part and piece.part == self.here and self.has_focus:
                over = self.get_component_rich_style("board--here", partial=True)
                style = style + over if style else over
            segments.append(Segment(piece.text, style))
        strip = Strip(segments).crop_extend(across, across + self.size.width, None)
        return strip.apply_style(self.rich_style)

    # ---- walking

    def watch_here(self, here: str) -> None:
        self.refresh()
        self.post_message(self.Pointed(here))

    def action_go(self, right: int, down: int) -> None:
        spot = self.at
        if spot is None:
            self.to(self.spots[0] if self.spots else None)
        elif right:
            place = self.spots.index(spot) + right
            self.to(self.spots[place] if 0 <= place < len(self.spots) else None)
        else:
            beyond = [other for other in self.spots if (other.line - spot.line) * down > 0]
            nearest = min(abs(other.line - spot.line) for other in beyond) if beyond else 0
            row = [other for other in beyond if abs(other.line - spot.line) == nearest]
            self.to(min(row, key=lambda other: abs(other.middle - spot.middle), default=None))

    def action_next(self, step: int) -> None:
        """To the next part that can be picked, round and round."""
        spot = self.at
        lit = [other for other in self.spots if other.part in self.lit]
        start = self.spots.index(spot) if spot else -1
        if step > 0:
            ahead = [other for other in lit if self.spots.index(other) > start]
            self.to((ahead or lit)[0] if lit else None)
        else:
            behind = [other for other in lit if self.spots.index(other) < start]
            self.to((behind or lit)[-1] if lit else None)

    def action_pick(self) -> None:
        if self.here:
            self.post_message(self.Picked(self.here))

    def to(self, spot: Spot | None) -> None:
        if spot is not None:
            self.at, self.here = spot, spot.part
            self.scroll_to_region(Region(spot.start, spot.line, spot.end - spot.start, 1), animate=False)

    # ---- the mouse

    def under(self, event: events.MouseEvent) -> Spot | None:
        """What stands under the mouse."""
        x, y = event.x + self.scroll_offset.x, event.y + self.scroll_offset.y
        return next((spot for spot in self.spots if spot.line == y and spot.start <= x < spot.end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self.under(event)
        if spot is not None:
            self.at, self.here = spot, spot.part

    def on_click(self, event: events.Click) -> None:
        spot = self.under(event)
        if spot is not None:
            self.at, self.here = spot, spot.part
            self.post_message(self.Picked(spot.part))


def _spots(sheet: Sequence[Line]) -> list[Spot]:
    found = []
    for number, line in enumerate(sheet):
        at = 0
        for piece in line:
            end = at + display_width(piece.text)
            if piece.part:
                found.append(Spot(piece.part, number, at, end))
            at = end
    return found


# ---- details


def detail_lines(part: Part, parts: Mapping[str, Part], language: Language) -> Iterator[tuple[str, str]]:
    """Lines with their style: title, text, label or fact."""
    if "phrase" in part:  # a fact
        yield "title", str(part["phrase"])
        if part.get("about"):
            yield "text", str(part["about"])
        yield from (("fact", f"{item['label']}: {item['text']}") for item in part.get("items", ()))
        return
    if "labels" in part:  # a number of a table
        table = next((other for other in parts.values() if part in other.get("cells", ())), part)
        yield "title", language.row(part["labels"])
        yield "fact", language.say("{name}: {what}", name=str(table.get("label", "")), what=str(part["text"]))
        return
    owner = parts.get(part.get("owner") or "")
    whose = f", {owner['label']}" if owner and owner is not part else ""
    yield "title", f"{part['label']}{whose}"
    if "count" in part:
        yield "fact", language.say("{number} {number:card|cards}", number=part["count"])
    if part.get("about"):
        yield "text", str(part["about"])
    for trait in part.get("traits", ()):
        if trait["label"] != part["label"]:
            yield "label", str(trait["label"])
        if trait["text"] and trait["text"] not in part.get("text", ""):
            yield "text", str(trait["text"])
    if part.get("text"):
        yield from (("text", line) for line in str(part["text"]).split("\n"))
    for name in ("facts", "kept"):
        for fact in part.get(name, ()):
            if not fact["quiet"]:
                about = f": {fact['about']}" if fact.get("about") else ""
                yield "fact", f"{fact['phrase']}{about}"
    for card in part.get("cards", ()):
        yield "fact", str(card["label"])
    for zone in part.get("zones", ()):
        for card in zone.get("cards", ()):
            said = card["text"] or " ".join(trait["text"] for trait in card["traits"])
            yield "fact", f"{card['label']}: {said}" if said else str(card["label"])
        if zone["count"] and "cards" not in zone:
            yield "fact", f"{zone['label']} {zone['count']}"


def rule_names(part: Part) -> Iterator[str]:
    """What the rules call that which is known of a part: its traits and its row, or those of the cards in its zones."""
    traits = [str(trait["id"]).partition(":")[2] for trait in part.get("traits", ())]
    yield from traits
    if "row" in part and not traits:
        yield str(part["row"])
    kind, _, row = str(part.get("id", "")).partition(":")
    if row and kind == part.get("kind") and "zones" in part and "owner" not in part and "seat" not in part:
        yield row
    for zone in part.get("zones", ()):
        for card in zone.get("cards", ()):
            yield from rule_names(card)


def part_named(word: str, parts: Mapping[str, Part]) -> str | None:
    """The id of the part that a word names: its label, or the beginning of it."""
    said = word.casefold().strip()
    labels = {key: str(part.get("label", "")).casefold() for key, part in parts.items() if "phrase" not in part}
    for fits in (said.__eq__, lambda label: label.startswith(said)):
        found = next((key for key, label in labels.items() if label and fits(label)), None)
        if found:
            return found
    return None


# ---- the log

#: Below this width lines are not broken any further.
LEAST = 20


class StoryLog(OptionList):
    """Follows one story. Past turns and long ones stand in one line each, with the number of those that it hides."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", show=False)]

    def __init__(self, language: Language, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.language = language
        self.turns = FoldedTurns()

    def restart(self) -> None:
        """Another story, or the same from its beginning."""
        self.turns = FoldedTurns()
        self.clear_options()

    def tell(self, news: Sequence[str]) -> None:
        """What has happened since; the end of it is in sight."""
        self.turns.add(news)
        self.draw()
        self.highlighted = None
        self.call_after_refresh(self.scroll_end, animate=False)

    def draw(self) -> None:
        """All lines in the width that there is."""
        columns = max(self.scrollable_content_region.width, LEAST)
        self.clear_options()
        choices: list[Choice] = []
        for line in self.turns.shown():
            indent = "  " * max(line.depth - PHASE, 0)
            hides = self.language.say("{number} {number:line|lines}", number=line.hidden) if line.hidden else ""
            said = fold_line(f"{indent}{line.text}{f'  ▸ {hides}' if hides else ''}", columns)
            style = "bold" if line.depth == ROUND else "italic" if line.depth == PHASE else ""
            text = Text("\n".join(said), style if line.fresh else f"{style} dim".strip(), no_wrap=True)
            choices.append(Choice(text, id=str(line.place)))
        self.add_options(choices)

    def on_resize(self, event: events.Resize) -> None:
        at_end = self.highlighted is None
        here = self.highlighted
        self.draw()
        if at_end:
            self.call_after_refresh(self.scroll_end, animate=False)
        else:
            self.highlighted = here

    def on_focus(self) -> None:
        if self.highlighted is None and self.option_count:
            self.highlighted = self.option_count - 1

    def on_blur(self) -> None:
        self.highlighted = None

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """The section of a line opens or closes."""
        message.stop()
        self.turns.turn(int(message.option_id or 0))
        self.draw()
        self.highlighted = self.get_option_index(message.option_id or "0")


# ---- pages over the table

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


def help_lines(language: Language) -> list[str]:
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

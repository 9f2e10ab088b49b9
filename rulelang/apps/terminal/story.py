"""The log at the side of the table: what happened, in sections that open and close by Enter or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option as Choice

from rulelang.base.languages import Language
from rulelang.base.terminal import fold_line
from rulelang.presentation.console.turns import PHASE, ROUND, Turns

#: Below this width lines are not broken any further.
LEAST = 20


class StoryLog(OptionList):
    """Follows one story. Past turns and long ones stand in one line each, with the number of those that it hides."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", show=False)]

    def __init__(self, language: Language, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.language = language
        self.turns = Turns()

    def restart(self) -> None:
        """Another story, or the same from its beginning."""
        self.turns = Turns()
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

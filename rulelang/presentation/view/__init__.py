"""What a person may see of a game, as a document of labelled parts: screens, pages and bots draw from nothing else.

`document(state, viewer)` is the table as a seat sees it, with what is asked and what can be answered;
`Documents` are those of a game as it goes on, `patch` what has changed between two; `log(state, viewer)` what happened,
with the parts that it changed, and `parts_told` what each line of a story is about; `catalogue(table)` is all that
there is in a game. `in_words(state)` tells its log and options as they do. Documents and catalogues are plain JSON-able
data; `records.py` defines their format, and schemas/document.schema.json and schemas/game_catalogue.schema.json are
made from that.
"""

from __future__ import annotations

from rulelang.presentation.view.catalogue import catalogue
from rulelang.presentation.view.document import Documents, document, in_words, patch, patched
from rulelang.presentation.view.document_types import Catalogue, Document
from rulelang.presentation.view.events import log, parts_told, told_by

__all__ = [
    "Catalogue",
    "Document",
    "Documents",
    "catalogue",
    "document",
    "in_words",
    "log",
    "parts_told",
    "patch",
    "patched",
    "told_by",
]

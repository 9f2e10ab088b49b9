"""What a person may see of a game, as a document of labelled parts: screens, pages and bots draw from nothing else.

`document(state, viewer)` is the table as a seat sees it, with what is asked and what can be answered. It is plain
JSON-able data; `records.py` defines its format, and schemas/document.schema.json is made from that.
"""

from __future__ import annotations

from rulelang.present.document import document
from rulelang.present.records import Document

__all__ = ["Document", "document"]

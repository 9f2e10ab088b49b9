"""What is to be said of one part: its text, what is printed on it, and what is so of it now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.base.languages import Language
from rulelang.presentation.view.sheet import Part


def details(part: Part, parts: Mapping[str, Part], language: Language) -> Iterator[tuple[str, str]]:
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


def names_of(part: Part) -> Iterator[str]:
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
            yield from names_of(card)


def named(word: str, parts: Mapping[str, Part]) -> str | None:
    """The id of the part that a word names: its label, or the beginning of it."""
    said = word.casefold().strip()
    labels = {key: str(part.get("label", "")).casefold() for key, part in parts.items() if "phrase" not in part}
    for fits in (said.__eq__, lambda label: label.startswith(said)):
        found = next((key for key, label in labels.items() if label and fits(label)), None)
        if found:
            return found
    return None

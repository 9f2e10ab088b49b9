"""The words that templates print, in a language."""

from __future__ import annotations

from rulelang.base.languages import Language


def words(language: Language) -> dict[str, str]:
    """By the keys under which templates know them."""
    say = language.say
    return {
        "rulebook": say("Rulebook"),
        "sheet": say("Reference sheet"),
        "contents": say("Contents"),
        "the_game": say("The game"),
        "flow": say("Flow of the game"),
        "phases": say("The phases"),
        "rules": say("The rules"),
        "tables": say("The cards"),
        "changes": say("Changes"),
        "index": say("Index"),
        "actions": say("What players may do"),
        "needs": say("Only if"),
        "ruling": say("Ruling"),
        "not_held": say("Not enforced by the program"),
        "done_by": say("Implemented by"),
        "copies": say("Copies"),
        "name": say("Name"),
        "text": say("Text"),
        "new": say("new"),
        "changed": say("changed"),
        "added": say("added"),
        "removed": say("removed"),
        "hooks": say("What changes each rule"),
        "traits_hook": say("What each trait and card changes"),
    }

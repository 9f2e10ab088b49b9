"""The closed set of types. Every value of every type is one integer at run time (`order` is several)."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import record

Tag = Literal["int", "bool", "order", "ref", "set", "condition", "error"]

#: What an absent `maybe int` is stored as; every other absent reference is 0.
MISSING_INT = -(2**31)


@record
class Type:
    """`name` is the kind of a `ref`, or the list that a `set` or `condition` ranges over.

    `ref` covers every KIND: lists, ladders, grids, card sorts, made kinds, `player`, `trait`, `phase` and the value
    sets of options (named `option NAME`). `error` is the type of what could not be typed: it fits everywhere, so that
    one mistake is reported once.
    """

    tag: Tag
    name: str = ""
    maybe: bool = False

    def __str__(self) -> str:
        text = {"ref": self.name, "set": f"set of {self.name}", "condition": f"condition on {self.name}"}.get(
            self.tag, self.tag
        )
        return f"maybe {text}" if self.maybe else text

    def optional(self) -> Type:
        return Type(self.tag, self.name, True)

    def sure(self) -> Type:
        return Type(self.tag, self.name, False)


INT = Type("int")
BOOL = Type("bool")
ORDER = Type("order")
ERROR = Type("error")
PLAYER = Type("ref", "player")
TRAIT = Type("ref", "trait")
PHASE = Type("ref", "phase")


def ref(name: str, *, maybe: bool = False) -> Type:
    return Type("ref", name, maybe)

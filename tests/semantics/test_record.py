"""Records are dataclasses, made in another way."""

from __future__ import annotations

import pickle
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest

from rulelang.base.node import record


class Place:
    """With a field that is called as methods call what they belong to."""

    self: int
    where: str = "here"
    note: str = field(default="", compare=False)


class Named:
    name: str
    more: dict[str, int] = field(default_factory=dict)


class Several:
    name: str
    some: list[int] = field(default_factory=list)
    note: str = "none"
    more: dict[str, int] = field(default_factory=dict, compare=False)


class Nothing:
    pass


@record
class Pair:
    """Two."""

    left: int
    right: tuple[int, ...] = ()


@record
class Triple(Pair):
    third: int = 3


@pytest.mark.parametrize(
    ("bare", "values"),
    [
        (Place, (1,)),
        (Place, (1, "there", "!")),
        (Named, ("x",)),
        (Named, ("x", {"a": 1})),
        (Several, ("x",)),
        (Several, ("x", [1], "y")),
        (Several, ("x", [], "y", {"z": 2})),
        (Nothing, ()),
    ],
)
def test_it_is_as_a_dataclass_is(bare: type, values: tuple[Any, ...]) -> None:
    ours: Any = record(type("R", (), dict(vars(bare))))
    theirs: Any = dataclass(unsafe_hash=True)(type("R", (), dict(vars(bare))))
    assert repr(ours(*values)).partition("(")[2] == repr(theirs(*values)).partition("(")[2]
    assert [(f.name, f.type) for f in fields(ours)] == [(f.name, f.type) for f in fields(theirs)]
    assert ours.__annotations__ == bare.__annotations__
    assert ours.__match_args__ == theirs.__match_args__
    assert ours(*values) == ours(*values)
    assert ours(*values) != theirs(*values)
    if bare not in (Named, Several):  # which holds what has no hash
        assert hash(ours(*values)) == hash(theirs(*values))
    with pytest.raises(TypeError):
        ours(1, 2, 3, 4, 5)
    assert not hasattr(ours(*values), "__dict__")


def test_fields_that_are_not_compared() -> None:
    made: Any = record(type("R", (), dict(vars(Place))))
    assert made(1, note="a") == made(1, note="b")
    assert len({made(1, note="a"), made(1, note="b"), made(2)}) == 2
    assert replace(made(1), where="there").where == "there"


def test_records_of_records() -> None:
    triple = Triple(1, third=4)
    assert (triple.left, triple.right, triple.third) == (1, (), 4)
    assert triple == Triple(1, (), 4) != Triple(1)
    assert triple != Pair(1)
    assert pickle.loads(pickle.dumps(triple)) == copy(triple) == triple
    match triple:
        case Pair(left, right):
            assert (left, right) == (1, ())
    with pytest.raises(AttributeError):
        triple.fourth = 1  # type: ignore[attr-defined]


def test_what_is_made_anew_is_nobody_elses() -> None:
    made: Any = record(type("R", (), dict(vars(Several))))
    one, other = made("x"), made("x")
    one.some.append(1)
    assert (one.some, other.some, other.note, other.more) == ([1], [], "none", {})
    given = [2]
    assert made("x", given).some is given
    assert made("x", some=given) == replace(other, some=given)
